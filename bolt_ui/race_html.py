"""A race as one HTML file: its charts as the dashboard draws them, without server or network.

The file embeds the scripts of bolt_ui/static as data URLs, and the chart dicts. It shows the
same as the dashboard, in the light or dark theme of the reader.
"""

import base64
import json
import re
from collections.abc import Iterator, Mapping
from html import escape

from bolt_core.analysis.held_regret import NO_CURVES, HeldCurve
from bolt_core.analysis.speed_changes import speed_sentence
from bolt_core.charts import chart_registry
from bolt_core.charts.chart_registry import View
from bolt_core.common import devices
from bolt_core.common.text import exact_time, sentence
from bolt_core.report.renderers.document import embedded, page, plotly
from bolt_core.runs.lane_names import label
from bolt_core.runs.own_problem import clock_in_words, is_own_problem
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.store.export import BIBTEX
from bolt_ui.routes import STATIC

FIRST = "page.js"
IMPORTED = re.compile(r"from '\./([a-z]+\.js)'")
THEME = """
:root { color-scheme: light dark; --st-background-color: #FFFFFF; --st-text-color: #101418;
  --st-secondary-background-color: #F5F6F8; --st-border-color: #DDE1E6; --st-primary-color: #B3260A;
  --st-font: system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { :root { --st-background-color: #12161C;
  --st-text-color: #E8ECF1; --st-secondary-background-color: #1B212A; --st-border-color: #2E3742;
  --st-primary-color: #F26A4B; } }
body { background: var(--st-background-color); color: var(--st-text-color); margin: 1.5rem auto;
  font: 15px/1.5 var(--st-font); max-width: 84rem; padding: 0 1rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1rem; margin: 0 0 .5rem; }
.lead { font-size: 1.1rem; margin: 0 0 1rem; max-width: 60rem; }
.cards { display: grid; gap: .75rem; grid-template-columns: repeat(2, minmax(0, 1fr)); }
section { border: 1px solid var(--st-border-color); border-radius: 8px; min-width: 0;
  padding: .75rem; }
.wide { grid-column: 1 / -1; }
dl { display: grid; font-size: .93rem; gap: .15rem 1rem; grid-template-columns: max-content 1fr;
  margin: 0; } dt { opacity: .7; } dd { margin: 0; overflow-wrap: anywhere; }
pre { font-size: .8rem; margin: .75rem 0 0; overflow-x: auto; }
@media (max-width: 760px) { .cards { grid-template-columns: minmax(0, 1fr); } }
@media print { section { break-inside: avoid; } }
"""
CARDS = (  # chart, heading, pixels, over the whole width
    ("regret", "Average regret", 380, False),
    ("leaderboard", "Leaderboard", 0, False),
    ("metronome", "The metronome: one tick per query", 0, True),
    ("size", "Dataset size n", 320, False),
    ("response", "Response time vs regret", 320, False),
)
OWN_CARDS = (("regret", "Measurements", 380, False), *CARDS[1:4])  # there is no regret
INSIDE = ("fit", "Inside BOLT: response time R(n) and recommended size n*", 480, True)


def render(race: RaceSnapshot, held: Mapping[str, HeldCurve] = NO_CURVES) -> bytes:
    """Return the file: about 5 MB, most of it plotly.js; `held` has the held regret by run id."""
    cards = [
        *(OWN_CARDS if is_own_problem(race.runs[0]) else CARDS),
        *([INSIDE] if any(map(_recommends, race.runs)) else []),
    ]
    drawn = {
        name: {
            "given": json.dumps(chart_registry.build(name, race, View(held=held))),
            "height": height,
        }
        for name, _, height, _ in cards
    }
    title = f"{_board(race)}: {_runners(race)}"
    headline = chart_registry.build("headline", race, View())["text"]
    body = "".join(_card(*card) for card in cards)
    return page(
        f"BOLT: {title}",
        THEME + (STATIC / "panel.css").read_text(encoding="utf-8"),
        f'<h1>{escape(title)}</h1>\n<p class="lead">{escape(headline)}</p>\n'
        f'<div class="cards">\n{body}{_about(race)}</div>\n'
        "<noscript><p>The charts need JavaScript.</p></noscript>\n"
        f"{embedded('charts', drawn)}{plotly()}{_scripts()}",
    ).encode()


def facts(race: RaceSnapshot) -> dict[str, str]:
    """Return the settings, the machine and the software versions of a race, by name."""
    first = race.runs[0]
    config, about = first.config, first.header or {}
    versions = about.get("versions") or {}
    entries = {
        "Benchmark": f"{_board(race)} ({about.get('source') or 'source unknown'})",
        "Algorithms": _runners(race),
        "Seeds": ", ".join(map(str, sorted({r.config.seed for r in race.runs}))),
        "Clock": "; ".join(
            dict.fromkeys(clock_in_words(r.config, r.header or {}) for r in race.runs)
        ),
        "Compared": " ".join(race.notes),
        "Changed while it ran": speed_sentence(race.runs),
        "Machine": sentence(devices.disturbed_label(race.disturbed)) if race.disturbed else "",
        "Horizon": exact_time(race.horizon) if race.horizon else "",
        "Status": str(race.status),
        "Warm-up": f"{config.warmup} random queries, the same for all algorithms",
        "Engine": ", ".join(dict.fromkeys(r.config.engine.name for r in race.runs)),
        "Noise variance": f"{v:g}" if (v := about.get("noise_variance")) is not None else "",
        "Started": str(about.get("started") or ""),
        "CPU": f"{about.get('cpu')}, {about.get('blas_threads')} BLAS thread"
        if about.get("cpu")
        else "",
        "Python": str(about.get("python") or ""),
        "Versions": ", ".join(f"{name} {v}" for name, v in sorted(versions.items()) if v),
        "Commit": str(about.get("commit") or ""),
        "Race": race.race_id,
    }
    return {name: value for name, value in entries.items() if value}


def _about(race: RaceSnapshot) -> str:
    rows = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts(race).items()
    )
    return (
        f'<section class="wide"><h2>What ran</h2><dl>{rows}</dl>'
        f"<pre>{escape(BIBTEX)}</pre></section>\n"
    )


def _card(name: str, title: str, _: int, wide: bool) -> str:
    shape = ' class="wide"' if wide else ""
    return f'<section{shape}><h2>{escape(title)}</h2><div id="{name}"></div></section>\n'


def _scripts() -> str:
    """Return an import map of the modules as data URLs, and the script that starts the first."""
    modules = {f"bolt/{name}": _data_url(text) for name, text in _modules(FIRST)}
    return (
        f"{embedded('modules', {'imports': modules}, 'importmap')}"
        f'<script type="module">import "bolt/{FIRST}";</script>\n'
    )


def _modules(name: str, seen: set[str] | None = None) -> Iterator[tuple[str, str]]:
    """Yield a script and all that it imports, each once."""
    seen = seen if seen is not None else set()
    seen.add(name)
    text = (STATIC / name).read_text(encoding="utf-8")
    yield name, IMPORTED.sub(r"from 'bolt/\1'", text)
    for other in IMPORTED.findall(text):
        if other not in seen:
            yield from _modules(other, seen)


def _data_url(text: str) -> str:
    return "data:text/javascript;base64," + base64.b64encode(text.encode()).decode()


def _recommends(run: RunSnapshot) -> bool:
    return run.config.algorithm.startswith("bolt") and len(run) > run.config.warmup


def _runners(race: RaceSnapshot) -> str:
    return ", ".join(dict.fromkeys(label(run.config.algorithm) for run in race.runs))


def _board(race: RaceSnapshot) -> str:
    return label(race.runs[0].config.benchmark)
