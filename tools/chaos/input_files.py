"""Damaged files: records that are imported, and optimizers that are loaded."""

import gzip
import json
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from bolt_core import Bolt
from bolt_core.charts import chart_registry
from bolt_core.charts.status_row import status_row
from bolt_core.common.errors import BoltError
from bolt_core.runs.loop import iterate, prepare
from bolt_core.store import export, importing, trash
from bolt_core.store.library import Library
from bolt_core.store.listing import listing
from bolt_core.store.records import RecordWriter
from tools.chaos import races
from tools.chaos.damage import damaged
from tools.chaos.report import Check, place_of

Cases = Iterator[tuple[str, random.Random]]
IDS = (
    *("../escape", "..", ".", "", "/etc/passwd", "a/b", "a\\b", ".hidden", "a" * 65, "a" * 64),
    *("\x00", "\N{SNOWMAN}", "nul", "recorded", "campaign:tiny:0123456789ab", "a,b", "trash", "-x"),
)
CHARTED_SHARE = 0.05  # of the accepted imports, whose charts are all built
BOMB_SHARE = 0.002
BOMB_BYTES = 300 * 2**20
ALGORITHMS = ("bolt", "gpucb")
PASSES_PER_STATE = 8


def imports(check: Check, cases: Cases) -> None:
    """Import damaged records; what is accepted can be listed, opened, drawn and deleted."""
    results: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="bolt-chaos-") as name:
        folder = Path(name) / "home"
        (folder / "runs").mkdir(parents=True)
        sound = _records(folder)
        for label, rng in cases:
            data = _with_ids(rng.choice(sound), rng) if rng.random() < 0.2 else rng.choice(sound)
            data = damaged(data, rng) if rng.random() < 0.9 else data
            results[_import(check, data, folder / "runs", rng, label)] += 1
            outside = sorted(path.name for path in Path(name).iterdir())
            check.expect(outside == ["home"], f"{label}: it wrote {outside}")
    check.figures = ", ".join(f"{count} {result}" for result, count in results.most_common())


def _records(folder: Path) -> list[bytes]:
    """Return exports: of one run, and of a race of two."""
    exported = []
    for place, algorithm in enumerate(ALGORITHMS):
        config = races.lane(algorithm, 0, 2.0)
        path, run = folder / f"{algorithm}.jsonl", prepare(config)
        header = run.header_fields() | {"race_id": "a-race", "lane": place, "place": place}
        with RecordWriter(path, config, header=header, run_id=f"run-{place}") as writer:
            for record in iterate(run):
                writer.append(record)
                if run.i % PASSES_PER_STATE == 0:
                    writer.save_state(run.state)
            writer.event("speed", i=run.i, t=run.clock.now(), factor=2.0, ratio=2.0)
            writer.save_state(run.state)
        exported.append(path.read_bytes())
        path.unlink()
    return [*exported, b"".join(exported)]


def _with_ids(data: bytes, rng: random.Random) -> bytes:
    """Replace the ids of the first header by crafted ones."""
    first, _, rest = data.partition(b"\n")
    header = json.loads(first)
    for name in rng.choice((["run_id"], ["race_id"], ["run_id", "race_id"])):
        header[name] = rng.choice(IDS)
    return json.dumps(header).encode() + b"\n" + rest


def _import(check: Check, data: bytes, directory: Path, rng: random.Random, label: str) -> str:
    """Import one file, use what was accepted, and remove it again; return the result."""
    library = Library(directory)
    try:
        race_ids = importing.import_records(data, directory, name="a.jsonl")
    except BoltError as problem:
        check.expect(len(str(problem)) < 1000, f"{label}: a message of {len(str(problem))} letters")
        check.expect(not library.races(), f"{label}: refused, but something was stored")
        return "refused"
    except Exception as problem:  # noqa: BLE001 - what is looked for
        check.expect(False, f"{label}: {place_of(problem)}")
        return "exceptions"
    result = "accepted"
    try:
        _use(library, race_ids, draw=rng.random() < CHARTED_SHARE)
        check.expect(True, label)
    except Exception as problem:  # noqa: BLE001 - what is looked for
        check.expect(False, f"{label}: accepted, then {place_of(problem)}")
        result = "accepted, then failed"
    for race_id in race_ids:
        with suppress(BoltError):
            trash.delete(library, race_id)
    trash.empty_trash(directory, 1e18)
    for path in directory.glob("*.jsonl"):
        path.unlink()
    return result


def _use(library: Library, race_ids: list[str], *, draw: bool) -> None:
    """Do with imported races what the pages do."""
    listing(library.races(), {}, 0.0)
    for race_id in race_ids:
        race = library.open(race_id)
        assert race is not None, f"race {race_id} is not there"
        status_row(race)
        export.csv(race)
        for at in (None, 0.5 * race.t):
            shown = race if at is None else race.at(at)
            for chart in chart_registry.CHARTS if draw else ():
                json.dumps(chart_registry.build(chart, shown, chart_registry.View()))


def saved_optimizers(check: Check, cases: Cases) -> None:
    """Load damaged files of `opt.save`, and gzip bombs."""
    results: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="bolt-chaos-") as name:
        path = Path(name) / "saved.jsonl"
        opt = Bolt([(0.0, 1.0), (-5.0, 5.0)], warmup=5)
        for step in range(24):
            x = opt.ask(float(step))
            opt.tell(x, opt.at, float(x.sum()))
        opt.save(path)
        sound, bomb = path.read_bytes(), b""
        for label, rng in cases:
            target = path
            if rng.random() < BOMB_SHARE:
                bomb = bomb or gzip.compress(sound[:-1] + b" " * BOMB_BYTES, 1)
                target = path.with_suffix(".jsonl.gz")
                target.write_bytes(bomb)
            else:
                path.write_bytes(damaged(sound, rng))
            results[_load(check, target, label)] += 1
    check.figures = ", ".join(f"{count} {result}" for result, count in results.most_common())


def _load(check: Check, path: Path, label: str) -> str:
    try:
        opt = Bolt.load(path)
        with suppress(BoltError):  # such as a time that is before the newest
            opt.tell(opt.ask(1e6), opt.at, 1.0)
        check.expect(True, label)
    except BoltError as problem:
        clear = path.name in str(problem) and len(str(problem)) < 1000
        check.expect(clear, f"{label}: unclear, {str(problem)[:500]}")
        return "refused"
    except Exception as problem:  # noqa: BLE001 - what is looked for
        check.expect(False, f"{label}: {place_of(problem)}")
        return "exceptions"
    return "loaded"
