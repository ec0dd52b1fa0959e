"""A report as a LaTeX document for pdflatex, with its charts as PDF files beside it."""

import re
from collections.abc import Sequence

from bolt_core.report.model.blocks import Chart, Entry, Section, Table, command

HEAD = r"""\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage[a4paper,landscape,margin=1.5cm]{geometry}
\usepackage{adjustbox,booktabs,graphicx,needspace,parskip,xcolor,textcomp}
\begin{document}
"""
SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "±": r"\ensuremath{\pm}", "†": r"\dag{}", "‡": r"\ddag{}",
    "<": r"\ensuremath{<}", ">": r"\ensuremath{>}",
    "\N{MINUS SIGN}": r"\ensuremath{-}", "\N{EN DASH}": r"\textendash{}", "\N{THIN SPACE}": r"\,",
    "²": r"\textsuperscript{2}", "³": r"\textsuperscript{3}",
}  # fmt: skip
STYLES = {"best": "textbf", "overlap": "underline", "worse": "textit"}  # by mark
NEGATIVE = re.compile(r"(?<!\w)-(?=\d)")  # the hyphen of a negative number


def render(name: str, sections: Sequence[Section]) -> str:
    """Return the whole document."""
    parts = [HEAD, rf"\section*{{Campaign {safe(name)}}}"]
    for section in sections:
        room = r"\needspace{0.6\textheight}" if section.charts else r"\needspace{0.25\textheight}"
        parts.append(rf"{room}\subsection*{{{safe(section.title)}}}")
        parts += [safe(words) for words in section.paragraphs]
        parts += [_table(table) for table in section.tables]
        parts.append("\\hfill\n".join(map(_figure, section.charts)))
        parts += [rf"{{\footnotesize {safe(words)}\par}}" for words in section.notes]
        made_with = safe(command(name, section))
        parts.append(rf"{{\footnotesize Made with \texttt{{{made_with}}}\par}}")
    parts.append(r"\end{document}")
    return "\n\n".join(part for part in parts if part) + "\n"


def safe(text: str) -> str:
    """Return a text that LaTeX prints as it is; a character that pdflatex lacks becomes ?."""
    line = " ".join(text.split())
    escaped = "".join(SPECIAL.get(c) or (c if _is_printed(c) else "?") for c in line)
    return escaped.replace("--", "-{}-")  # two hyphens, no en dash


def _is_printed(character: str) -> bool:
    letters_of_latin_1 = (
        character.isalpha() and character <= "\N{LATIN SMALL LETTER Y WITH DIAERESIS}"
    )
    return letters_of_latin_1 or (character.isascii() and character.isprintable())


def _table(table: Table) -> str:
    head = " & ".join(map(safe, table.columns)) + r" \\"
    rows = [line for row in table.rows for line in _lines(row)]
    body = "\n".join([r"\toprule", head, r"\midrule", *rows, r"\bottomrule"])
    shape = "l" + "r" * (len(table.columns) - 1)
    fit = r"{\footnotesize\begin{adjustbox}{max width=\linewidth}" + "\n"  # intervals are wide
    rows_of = rf"\begin{{tabular}}{{{shape}}}" + f"\n{body}\n" + r"\end{tabular}"
    return f"{fit}{rows_of}\n" + r"\end{adjustbox}\par}"


def _lines(row: Sequence[Entry]) -> list[str]:
    """Return a row of ours and, where the paper has values, a grey row with those."""
    lines = [" & ".join(map(_entry, row)) + r" \\"]
    if any(entry.paper for entry in row):
        paper = [rf"\textcolor{{gray}}{{{safe(e.paper)}}}" if e.paper else "" for e in row]
        lines.append(" & ".join(paper) + r" \\")
    return lines


def _entry(entry: Entry) -> str:
    text = NEGATIVE.sub(r"\\ensuremath{-}", safe(f"{entry.text} {entry.interval}".rstrip()))
    return rf"\{STYLES[entry.mark]}{{{text}}}" if entry.mark else text


def _figure(chart: Chart) -> str:
    picture = rf"\includegraphics[width=\linewidth]{{figures/{chart.name}.pdf}}"
    title = rf"\\ {{\small {safe(chart.title)}}}" if chart.title else ""
    return rf"\begin{{minipage}}[t]{{0.48\linewidth}}\centering {picture}{title}\end{{minipage}}"
