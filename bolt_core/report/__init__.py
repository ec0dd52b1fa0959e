"""A campaign's report: the paper's tables and figures, made of its results.

compose(results) -> sections      what there is to say
write(results, folder, ...)       report.md, report.tex, report.html and figures/*.svg
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from bolt_core.campaigns.results import Results
from bolt_core.common.errors import ConfigError, RecordError, UnknownNameError
from bolt_core.report.builders import ablations, about, figures, pairs, tables
from bolt_core.report.model.blocks import Section
from bolt_core.report.model.cases import Cases
from bolt_core.report.renderers import html, latex, markdown, svg

__all__ = ["FORMATS", "compose", "write"]

FORMATS: Mapping[str, Callable[[str, str, Sequence[Section]], str]] = {
    "md": markdown.render,
    "tex": latex.render,
    "html": html.render,
}


def compose(results: Results) -> list[Section]:
    """Every section for which there are runs."""
    cases = Cases(results)
    if not cases.main:
        return [about.section(cases)]
    found = [
        about.section(cases),
        tables.table2(cases),
        tables.standings(cases),
        figures.figure2(cases),
        figures.figure3(cases),
        *figures.of_benchmarks(cases),
        pairs.against(cases),
        tables.other_averages(cases),
        pairs.removal(cases),
        ablations.engine(cases),
        ablations.device(cases),
    ]
    return [section for section in found if section is not None]


def write(
    results: Results,
    folder: Path,
    *,
    formats: Sequence[str] = tuple(FORMATS),
    only: str | None = None,
) -> list[Path]:
    """The files written, the report's first. `only`: the section of that id alone."""
    for name in formats:
        if name not in FORMATS:
            raise ConfigError(f"no report format {name!r}; choose from {', '.join(FORMATS)}")
    sections = compose(results)
    if only is not None:
        ids = [section.id for section in sections]
        if only not in ids:
            raise UnknownNameError("section", only, ids)
        sections = [section for section in sections if section.id == only]
    texts = {
        f"{only or 'report'}.{name}": FORMATS[name](results.name, results.note, sections)
        for name in formats
    }
    if {"md", "tex"} & set(formats):
        texts |= {
            f"figures/{chart.name}.svg": svg.draw(chart.figure, chart.alt)
            for section in sections
            for chart in section.charts
        }
    try:
        return [_written(folder / name, text) for name, text in texts.items()]
    except OSError as problem:
        raise RecordError(f"cannot write {folder}: {problem.strerror}") from None


def _written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path
