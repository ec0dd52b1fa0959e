"""A report as one HTML file that needs nothing else: plotly.js is inlined, once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape

from bolt_core.report.blocks import Chart, Entry, Section, Table
from bolt_core.report.document import embedded, page, plotly

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1F252E; margin: 2rem auto; max-width: 80rem;
  padding: 0 1rem; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 3rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 1rem 0;
  font-size: .85rem; }
th, td { padding: .25rem .45rem; text-align: right; border-bottom: 1px solid #E3E6EA;
  white-space: nowrap; vertical-align: top; }
th:first-child, td:first-child { text-align: left; } thead th { border-bottom-color: #333A45; }
.best { font-weight: 700; } .overlap { text-decoration: underline; }
.paper { color: #6B7380; display: block; font-size: .85em; font-weight: 400; }
.note, .command { color: #4B5360; font-size: .9em; }
.charts { display: flex; flex-wrap: wrap; gap: 1rem; } figure { margin: 0; flex: 1 1 34rem; }
figcaption { font-weight: 600; } .chart { height: 380px; }
@media print { figure { break-inside: avoid; } }
"""
DRAW = """
const shared = { margin: { l: 64, r: 16, t: 8, b: 48 }, paper_bgcolor: "#FFFFFF",
  plot_bgcolor: "#FFFFFF", font: { family: "system-ui, sans-serif", color: "#333A45" } };
const config = { displaylogo: false, showSendToCloud: false, plotlyServerURL: "",
  responsive: true };
const axis = { automargin: true, gridcolor: "#E3E6EA", zerolinecolor: "#E3E6EA" };
for (const [name, figure] of Object.entries(JSON.parse(
    document.getElementById("figures").textContent))) {
  const layout = { ...shared, ...figure.layout, xaxis: { ...axis, ...figure.layout.xaxis },
    yaxis: { ...axis, ...figure.layout.yaxis } };
  Plotly.newPlot("plot-" + name, figure.data, layout, config);
}
"""


def render(name: str, note: str, sections: Sequence[Section]) -> str:
    body = "\n".join(_section(name, section) for section in sections)
    figures = {chart.name: chart.figure for section in sections for chart in section.charts}
    script = f"{embedded('figures', figures)}{plotly()}<script>{DRAW}</script>\n" if figures else ""
    head = f"<h1>Campaign {escape(name)}</h1>\n<p>{escape(note)}</p>\n"
    return page(f"Campaign {name}", STYLE, f"{head}{body}\n{script}")


def _section(name: str, section: Section) -> str:
    parts = [f"<section id={json.dumps(section.id)}>", f"<h2>{escape(section.title)}</h2>"]
    parts += [f"<p>{escape(words)}</p>" for words in section.words]
    parts += [_table(table) for table in section.tables]
    if section.charts:
        parts.append('<div class="charts">' + "".join(map(_chart, section.charts)) + "</div>")
    parts += [f'<p class="note">{escape(words)}</p>' for words in section.notes]
    command = escape(f"bolt campaign report {name} --only {section.id}")
    parts.append(f'<p class="command">Made with <code>{command}</code></p>\n</section>')
    return "\n".join(parts)


def _table(table: Table) -> str:
    head = "".join(f"<th>{escape(column)}</th>" for column in table.columns)
    rows = "\n".join("<tr>" + "".join(map(_entry, row)) + "</tr>" for row in table.rows)
    return (
        f'<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>'
        "</table></div>"
    )


def _entry(entry: Entry) -> str:
    beside = f'<span class="paper">{escape(entry.paper)}</span>' if entry.paper else ""
    shape = f' class="{entry.mark}"' if entry.mark else ""
    return f"<td><span{shape}>{escape(entry.text)}</span>{beside}</td>"


def _chart(chart: Chart) -> str:
    caption = f"<figcaption>{escape(chart.title)}</figcaption>" if chart.title else ""
    return (
        f'<figure>{caption}<div class="chart" id="plot-{escape(chart.name)}" role="img" '
        f'aria-label="{escape(chart.alt)}"></div></figure>'
    )
