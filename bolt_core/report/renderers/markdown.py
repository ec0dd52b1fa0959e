"""A report as Markdown, with its charts as SVG files beside it."""

import re
from collections.abc import Sequence

from bolt_core.report.model.blocks import Chart, Entry, Section, Table, command

MARKUP = re.compile(
    r"[\\`*|$~]|\](?=[(\[:])"  # code, emphasis, tables, formulas, links and images
    r"|(?<![^\W_])_|_(?![^\W_])"  # emphasis; l_T is none
    r"|^>|^[#+-](?=[\s#])|(?<=^\d)[.)](?=\s)"  # quotations, headings, lists
)
BARE_ADDRESS = re.compile(r"(http|https|ftp|www)([:.])", re.IGNORECASE)  # some readers link it


def render(name: str, sections: Sequence[Section]) -> str:
    """Return the whole document."""
    parts = [f"# Campaign {_safe(name)}"]
    for section in sections:
        parts.append(f"## {_safe(section.title)}")
        parts += map(_safe, section.paragraphs)
        parts += [_table(table) for table in section.tables]
        parts += map(_chart, section.charts)
        parts += [f"<small>{_safe(words)}</small>" for words in section.notes]
        parts.append(f"Made with `{command(name, section).replace('`', '')}`")
    return "\n\n".join(part for part in parts if part) + "\n"


def _table(table: Table) -> str:
    head = "| " + " | ".join(map(_safe, table.columns)) + " |"
    rule = "|" + " --- |" + " ---: |" * (len(table.columns) - 1)
    rows = ["| " + " | ".join(map(_entry, row)) + " |" for row in table.rows]
    return "\n".join([head, rule, *rows])


def _entry(entry: Entry) -> str:
    text = _safe(f"{entry.text} {entry.interval}".rstrip())
    styles = {"best": f"**{text}**", "overlap": f"<ins>{text}</ins>", "worse": f"*{text}*"}
    marked = styles.get(entry.mark, text)
    return f"{marked}<br><sub>paper {_safe(entry.paper)}</sub>" if entry.paper else marked


def _chart(chart: Chart) -> str:
    title = f"*{_safe(chart.title)}*\n\n" if chart.title else ""
    return f"{title}![{_safe(chart.alt)}](figures/{chart.name}.svg)"


def _safe(text: str) -> str:
    """Return a text on one line in which Markdown finds no markup, link, image or formula."""
    line = MARKUP.sub(r"\\\g<0>", " ".join(text.split())).replace("<", "&lt;")
    return BARE_ADDRESS.sub(r"\g<1>\\\g<2>", line)
