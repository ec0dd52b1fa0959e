"""The short forms of tools/chaos: kills, hostile inputs, a full disk.

Four parts are run by hand only (`python -m tools.chaos PART`). Viewers and the classroom: that
watching changes nothing is in tests/unit/charts, pages in Chromium are in tests/browser. The
service: its clients and malformed bodies are in tests/unit/service, without three starts of a
server. The soak: whether memory grows shows only after an hour.
"""

import pytest

from tools.chaos.__main__ import PARTS, run
from tools.chaos.report import Check, table

SEED = 1
LEFT_OUT = {"viewers", "classroom", "service", "soak"}


@pytest.mark.long
@pytest.mark.parametrize("part", [part for part in PARTS if part not in LEFT_OUT])
def test_the_short_form_of_a_part_finds_nothing(part):
    checks = run(part, SEED, long=False)

    assert [check.name for check in checks if not check.cases] == []
    assert [problem for check in checks for problem in check.problems] == []


def test_the_table_says_what_failed_and_what_was_not_run():
    failed, idle = Check("kills", "race"), Check("disk", "full")
    failed.expect(True, "fine")
    failed.expect(False, "a pass is missing")
    rows = table([failed, idle]).splitlines()

    assert rows[1].split() == ["kills", "race", "2", "1", "FAILED"]
    assert rows[2].split() == ["disk", "full", "0", "NOT", "RUN"]
    assert "a pass is missing" in rows[3]
