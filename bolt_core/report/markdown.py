"""A report as Markdown, with its figures as SVG files beside it."""

from __future__ import annotations

from collections.abc import Sequence

from bolt_core.report.blocks import Entry, Section, Table


def render(name: str, note: str, sections: Sequence[Section]) -> str:
    parts = [f"# Campaign {name}", note]
    for section in sections:
        parts.append(f"## {section.title}")
        parts += section.words
        parts += [_table(table) for table in section.tables]
        parts += [f"![{_bare(c.alt)}](figures/{c.name}.svg)" for c in section.charts]
        parts += [f"<small>{_safe(words)}</small>" for words in section.notes]
        parts.append(f"Made with `bolt campaign report {name} --only {section.id}`")
    return "\n\n".join(part for part in parts if part) + "\n"


def _table(table: Table) -> str:
    head = "| " + " | ".join(map(_safe, table.columns)) + " |"
    rule = "|" + " --- |" + " ---: |" * (len(table.columns) - 1)
    rows = ["| " + " | ".join(map(_entry, row)) + " |" for row in table.rows]
    return "\n".join([head, rule, *rows])


def _entry(entry: Entry) -> str:
    text = _safe(entry.text)
    marked = {"best": f"**{text}**", "overlap": f"<u>{text}</u>"}.get(entry.mark, text)
    return f"{marked}<br><sub>paper {_safe(entry.paper)}</sub>" if entry.paper else marked


def _safe(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def _bare(text: str) -> str:
    return text.replace("[", "(").replace("]", ")")
