"""A report as a LaTeX document; its SVG figures need the `svg` package (and Inkscape)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bolt_core.report.model.blocks import Chart, Entry, Section, Table, command

HEAD = r"""\documentclass{article}
% SVG figures: compile with --shell-escape and Inkscape, or convert figures/*.svg to PDF first.
\usepackage[utf8]{inputenc}
\usepackage[a4paper,landscape,margin=1.5cm]{geometry}
\usepackage{adjustbox,booktabs,xcolor,svg,textcomp}
\begin{document}
"""
SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "±": r"\ensuremath{\pm}", "†": r"\dag{}", "<": r"\ensuremath{<}", ">": r"\ensuremath{>}",
    "²": r"\textsuperscript{2}", "³": r"\textsuperscript{3}",
}  # fmt: skip


def render(name: str, note: str, sections: Sequence[Section]) -> str:
    parts = [HEAD, rf"\section*{{Campaign {safe(name)}}}", safe(note)]
    for section in sections:
        parts.append(rf"\subsection*{{{safe(section.title)}}}")
        parts += [safe(words) for words in section.words]
        parts += [_table(table) for table in section.tables]
        parts.append("\n".join(map(_figure, section.charts)))
        parts += [rf"{{\footnotesize {safe(words)}\par}}" for words in section.notes]
        made_with = safe(command(name, section))
        parts.append(rf"{{\footnotesize Made with \texttt{{{made_with}}}\par}}")
    parts.append(r"\end{document}")
    return "\n\n".join(part for part in parts if part) + "\n"


def safe(text: str) -> str:
    """Text that LaTeX reads as itself."""
    escaped = "".join(SPECIAL.get(c, c) for c in text)
    return re.sub(r"--", r"-{}-", escaped)  # an option's two dashes, not one long


def _table(table: Table) -> str:
    head = " & ".join(map(safe, table.columns)) + r" \\"
    rows = [line for row in table.rows for line in _lines(row)]
    body = "\n".join([r"\toprule", head, r"\midrule", *rows, r"\bottomrule"])
    shape = "l" + "r" * (len(table.columns) - 1)
    fit = r"{\footnotesize\begin{adjustbox}{max width=\linewidth}" + "\n"  # intervals are wide
    rows_of = rf"\begin{{tabular}}{{{shape}}}" + f"\n{body}\n" + r"\end{tabular}"
    return f"{fit}{rows_of}\n" + r"\end{adjustbox}\par}"


def _lines(row: Sequence[Entry]) -> list[str]:
    """A row of ours and, where the paper has values, a grey one of theirs."""
    lines = [" & ".join(map(_entry, row)) + r" \\"]
    if any(entry.paper for entry in row):
        theirs = [rf"\textcolor{{gray}}{{{safe(e.paper)}}}" if e.paper else "" for e in row]
        lines.append(" & ".join(theirs) + r" \\")
    return lines


def _entry(entry: Entry) -> str:
    text = safe(entry.text)
    shapes = {
        "best": rf"\textbf{{{text}}}",
        "overlap": rf"\underline{{{text}}}",
        "worse": rf"\textit{{{text}}}",
    }
    return shapes.get(entry.mark, text)


def _figure(chart: Chart) -> str:
    picture = rf"\includesvg[width=\linewidth]{{figures/{chart.name}.svg}}"
    title = rf"\\ {{\small {safe(chart.title)}}}" if chart.title else ""
    return rf"\begin{{minipage}}[t]{{0.48\linewidth}}\centering {picture}{title}\end{{minipage}}"
