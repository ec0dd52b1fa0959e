"""Packs for tests, and the text of a campaign's report."""

import gzip
import json
import shutil

from bolt_core import report
from bolt_core.campaigns import campaign, packing, packs, results
from bolt_core.common import paths
from bolt_core.report.renderers import markdown
from tests.support.campaigns import finished


def packed(path, name="small", **changes):
    """Return the pack of a campaign that is removed afterwards."""
    made = finished(name, **changes)
    packing.pack(made, path)
    shutil.rmtree(made.folder)
    return packs.read(path)


def report_of(name):
    """Return the report of a campaign as Markdown."""
    gathered = results.gather(campaign.load(name))
    return markdown.render("any", report.compose(gathered))


def rows(path):
    """Return the lines of a pack as JSON values."""
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def write_rows(path, lines):
    """Write a pack by hand, without compression."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def home_of(machine, monkeypatch, tmp_path):
    """Continue on another machine: an empty data directory."""
    monkeypatch.setenv("BOLT_HOME", str(tmp_path / machine))
    assert not paths.campaigns().exists()
