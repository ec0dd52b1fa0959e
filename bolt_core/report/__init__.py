"""A campaign's report: the paper's tables and figures, made from the campaign's results.

compose(results)            the sections of the report
as_html(results)            the report as one HTML file
write(results, folder)      report.md, report.tex, report.html and figures/
"""

from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path

from bolt_core.campaigns.results import Results
from bolt_core.common.errors import ConfigError, RecordError, UnknownNameError
from bolt_core.report.builders import (
    about,
    claims,
    device_speeds,
    differences,
    engines,
    figures,
    pairs,
    tables,
)
from bolt_core.report.model.blocks import Section
from bolt_core.report.model.cases import Cases
from bolt_core.report.renderers import html, images, latex, markdown

__all__ = ["FORMATS", "as_html", "compose", "write"]

FORMATS: Mapping[str, str | None] = {"md": "svg", "tex": "pdf", "html": None}  # and its image files


def compose(results: Results) -> list[Section]:
    """Return every section for which there are runs."""
    cases = Cases(results)
    if not cases.main:
        return [about.section(cases)]
    sections = [
        claims.section(cases),
        about.section(cases),
        tables.table2(cases),
        tables.held(cases),
        tables.standings(cases),
        figures.figure2(cases),
        figures.figure3(cases),
        *figures.of_benchmarks(cases),
        pairs.against(cases),
        tables.other_averages(cases),
        pairs.removal(cases),
        engines.section(cases),
        device_speeds.section(cases),
        differences.section(cases),
    ]
    return [section for section in sections if section is not None]


def as_html(results: Results) -> str:
    """Return the whole report as one HTML file."""
    return html.render(results.name, compose(results), partial(images.draw, kind="svg"))


def write(
    results: Results,
    folder: Path,
    *,
    formats: Sequence[str] = tuple(FORMATS),
    only: str | None = None,
) -> list[Path]:
    """Write the report, or the section whose id is `only`; return the files, the report's first."""
    for name in formats:
        if name not in FORMATS:
            raise ConfigError(f"no report format {name!r}; choose from {', '.join(FORMATS)}")
    sections = _chosen(compose(results), only)
    draw = cache(images.draw)  # an SVG may be both in the HTML file and a file of its own
    head = results.name, sections
    texts = {
        "md": lambda: markdown.render(*head),
        "tex": lambda: latex.render(*head),
        "html": lambda: html.render(*head, lambda chart: draw(chart, "svg")),
    }
    files = {f"{only or 'report'}.{name}": texts[name]().encode() for name in formats}
    charts = [chart for section in sections for chart in section.charts]
    for kind in filter(None, (FORMATS[name] for name in formats)):
        files |= {f"figures/{chart.name}.{kind}": draw(chart, kind) for chart in charts}
    try:
        return [_written(folder / name, data) for name, data in files.items()]
    except OSError as problem:
        raise RecordError(f"cannot write {folder}: {problem.strerror}") from None


def _chosen(sections: list[Section], only: str | None) -> list[Section]:
    ids = [section.id for section in sections]
    if only is not None and only not in ids:
        raise UnknownNameError("section", only, ids)
    return [section for section in sections if only in (None, section.id)]


def _written(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path
