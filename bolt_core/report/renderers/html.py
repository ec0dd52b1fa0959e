"""A report as one HTML file that needs no other file: its charts stand in it as SVG.

It has no script, so it stays small and prints well. The Scoreboard shows the same charts with
hover and zoom.
"""

from collections.abc import Callable, Sequence
from html import escape
from urllib.parse import quote

from bolt_core.report.model.blocks import Chart, Entry, Section, Table, command
from bolt_core.report.renderers.document import page

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1F252E; background: #FFFFFF;
  margin: 2rem auto; max-width: 80rem; padding: 0 1rem; }
p { max-width: 48rem; } h1, h2 { line-height: 1.2; } h2 { margin-top: 3rem; }
nav { columns: 18rem; font-size: .9rem; } nav a { display: block; color: #1F4FA3; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 1rem 0;
  font-size: .85rem; }
th, td { padding: .25rem .45rem; text-align: right; border-bottom: 1px solid #E3E6EA;
  white-space: nowrap; vertical-align: top; }
th:first-child, td:first-child { text-align: left; } thead th { border-bottom-color: #333A45; }
.best { font-weight: 700; } .overlap { text-decoration: underline; } .worse { font-style: italic; }
.paper { color: #6B7380; display: block; font-size: .85em; font-weight: 400; }
.note, .command { color: #4B5360; font-size: .9em; }
.charts { display: flex; flex-wrap: wrap; gap: 1rem; } figure { margin: 0; max-width: 100%; }
figcaption { font-weight: 600; }
img { display: block; max-width: 100%; height: auto; width: 38rem; }
@media print { figure, table { break-inside: avoid; } }
"""
UNQUOTED = " /:;=,()<>!?*+'"  # characters that an attribute may hold as they are


def render(name: str, sections: Sequence[Section], picture: Callable[[Chart], bytes]) -> str:
    """Return the whole document; `picture` draws a chart as SVG."""
    body = "\n".join(_section(name, section, picture) for section in sections)
    links = "".join(f'<a href="#{escape(s.id)}">{escape(s.title)}</a>' for s in sections)
    head = f"<h1>Campaign {escape(name)}</h1>\n<nav>{links}</nav>\n"
    return page(f"Campaign {name}", STYLE, f"{head}{body}\n")


def _section(name: str, section: Section, picture: Callable[[Chart], bytes]) -> str:
    parts = [f'<section id="{escape(section.id)}">', f"<h2>{escape(section.title)}</h2>"]
    parts += [f"<p>{escape(words)}</p>" for words in section.paragraphs]
    parts += [_table(table) for table in section.tables]
    charts = "\n".join(_chart(chart, picture(chart)) for chart in section.charts)
    parts += [f'<div class="charts">{charts}</div>'] if charts else []
    parts += [f'<p class="note">{escape(words)}</p>' for words in section.notes]
    made_with = escape(command(name, section))
    parts.append(f'<p class="command">Made with <code>{made_with}</code></p>\n</section>')
    return "\n".join(parts)


def _table(table: Table) -> str:
    head = "".join(f"<th>{escape(column)}</th>" for column in table.columns)
    rows = "\n".join("<tr>" + "".join(map(_entry, row)) + "</tr>" for row in table.rows)
    return (
        f'<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>'
        "</table></div>"
    )


def _entry(entry: Entry) -> str:
    paper = f'<span class="paper">{escape(entry.paper)}</span>' if entry.paper else ""
    mark = f' class="{entry.mark}"' if entry.mark else ""
    text = f"{entry.text} {entry.interval}".rstrip()
    return f"<td><span{mark}>{escape(text)}</span>{paper}</td>"


def _chart(chart: Chart, svg: bytes) -> str:
    caption = f"<figcaption>{escape(chart.title)}</figcaption>" if chart.title else ""
    data = quote(svg, safe=UNQUOTED)
    return (
        f'<figure>{caption}<img alt="{escape(chart.alt)}" src="data:image/svg+xml,{data}"></figure>'
    )
