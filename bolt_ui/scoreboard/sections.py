"""Pieces of the Scoreboard: which campaign, its tables and charts, and the runs behind a value."""

from __future__ import annotations

from functools import partial
from itertools import cycle

import streamlit as st

from bolt_core.campaigns import campaign
from bolt_core.campaigns.results import Results
from bolt_core.charts.races import MAX_RACES_COMPARED, SEPARATOR
from bolt_core.report import FORMATS, campaign_charts, campaign_tables, compose
from bolt_core.report.builders.ablations import device, engine
from bolt_core.report.builders.about import section
from bolt_core.report.builders.pairs import removal
from bolt_core.report.builders.tables import other_averages
from bolt_core.report.model.cases import Cases
from bolt_core.runs.lane_names import label
from bolt_ui import layout, links, markdown, race_buttons
from bolt_ui.chart_component import pressed, still
from bolt_ui.scoreboard import campaigns

TALL, MIDDLE = 360, 300  # pixels
OPEN = "scoreboard_cell"


def toolbar() -> str | None:
    """The campaign to show; None: there is none yet."""
    names = campaigns.choices()
    if st.session_state.get("campaign") not in names:
        st.session_state.pop("campaign", None)
    with st.container(horizontal=True, vertical_alignment="bottom", key="score_bar"):
        name = None
        if names:
            name = st.selectbox("Campaign", names, key="campaign", bind="query-params", width=260)
        st.space("stretch")
        campaigns.starter()
        if name is not None and not campaigns.trouble(name):
            _download(name)
    race_buttons.refusal()
    return name


def broken(name: str) -> bool:
    """Told instead of shown; the other campaigns go on."""
    if reason := campaigns.trouble(name):
        st.error(f"**{name}** cannot be read. {markdown.escape(reason)}", icon=":material/error:")
        st.caption("Mend or remove that file; the other campaigns and its records are untouched.")
    return reason is not None


def nothing() -> None:
    """How to make one."""
    with st.container(width=layout.TEXT_WIDTH):
        st.subheader("No campaign yet", anchor=False)
        st.write(
            "A campaign runs every algorithm on every benchmark with several seeds, and fills the "
            "paper's Table 2. Start one above: **tiny** takes a minute or so and shows how it "
            "works, **paper-quick** is the paper's experiments with fewer seeds. Or in a terminal:"
        )
        st.code("bolt campaign run paper-quick\nbolt campaign report paper-quick", language="bash")


def board(name: str, results: Results, left: int) -> None:
    """All of a campaign."""
    cases = Cases(results)
    told = section(cases)
    with st.container(width=layout.TEXT_WIDTH):
        said = (results.note, " ".join(told.words))
        st.caption("\n\n".join(map(markdown.escape, filter(None, said))))
    if left:
        st.caption(f"Finished runs still to be read: {left}.")
    if not cases.main:
        return
    _table2(cases)
    _overall(cases)
    st.fragment(partial(_by_benchmark, cases), key="score_by")()
    _pairs(cases)
    more = st.expander(
        "Ablations and other averages",
        icon=":material/science:",
        type="compact",
        key="score_more",
        on_change="rerun",
    )
    if more.open:
        with more:
            _more(cases)
    with st.expander("Where and by what it was made", icon=":material/memory:", type="compact"):
        for note in told.notes:
            st.caption(markdown.escape(note))
    if OPEN in st.session_state:
        _runs(name, cases)


def _table2(cases: Cases) -> None:
    with st.container(border=True):
        st.markdown("**Table 2: average regret**")
        press = partial(_press, "score_table")
        still(campaign_tables.table2(cases), key="score_table", height=0, on_press=press)
        st.caption("  \n".join(map(markdown.escape, campaign_tables.notes(cases))))


def _overall(cases: Cases) -> None:
    wide, narrow = st.columns([3, 2], gap="small")
    with wide.container(border=True, height="stretch"):
        st.markdown("**Figure 2: normalised average regret**")
        still(campaign_charts.figure2(cases), key="score_overall", height=MIDDLE)
    with narrow.container(border=True, height="stretch"):
        st.markdown("**Ranks**")
        still(campaign_tables.standings(cases), key="score_ranks", height=0)


def _by_benchmark(cases: Cases) -> None:
    names = {label(b): b for b in cases.benchmarks}
    chosen = st.pills(
        "Benchmark",
        list(names),
        default=next(iter(names)),
        required=True,
        key="score_on",
        bind="query-params",
    )
    board = names.get(chosen or "", cases.benchmarks[0])
    left, right = st.columns(2, gap="small")
    with left.container(border=True, height="stretch"):
        st.markdown("**Average regret over time**")
        still(campaign_charts.regret(cases, board), key="score_regret", height=TALL, view=board)
    with right.container(border=True, height="stretch"):
        st.markdown("**Response time against regret**")
        still(campaign_charts.response(cases, board), key="score_response", height=TALL, view=board)
    with left.container(border=True, height="stretch"):
        st.markdown("**Dataset size** n")
        still(campaign_charts.sizes(cases, board), key="score_size", height=MIDDLE, view=board)
    with right.container(border=True, height="stretch"):
        st.markdown("**BOLT against each other algorithm**, seed by seed")
        still(campaign_charts.pairs(cases, board), key="score_pair", height=MIDDLE, view=board)


def _pairs(cases: Cases) -> None:
    with st.container(border=True):
        st.markdown("**BOLT minus each other algorithm**, on every benchmark")
        still(campaign_tables.pairs(cases), key="score_pairs", height=0)


def _more(cases: Cases) -> None:
    """What the report has besides: nothing is computed for it until somebody looks."""
    sections = [removal(cases), engine(cases), device(cases), other_averages(cases)]
    for part in filter(None, sections):
        st.markdown(f"**{part.title}**")
        words = part.words
        for i, table in enumerate(part.tables):
            still(campaign_tables.of_report(table, words), key=f"score_{part.id}_{i}", height=0)
            words = ()
        if part.charts:
            columns = cycle(st.columns(2, gap="small"))
            for chart in part.charts:
                with next(columns):
                    still(
                        campaign_charts.of_report(chart), key=f"score_{chart.name}", height=MIDDLE
                    )


def _press(key: str) -> None:
    st.session_state[OPEN] = pressed(key)


@st.dialog("Runs", width="large", on_dismiss=lambda: st.session_state.pop(OPEN, None))
def _runs(name: str, cases: Cases) -> None:
    """The seeds behind one value of Table 2."""
    cell = campaign_tables.cell_of(st.session_state[OPEN], cases)
    if cell is None:
        st.write("This value has no runs.")
        return
    runs = cases.of(*cell)
    st.markdown(f"**{markdown.escape(label(cell[1]))} on {markdown.escape(label(cell[0]))}**")
    still(campaign_tables.seeds(runs), key="score_seeds", height=0)
    still(
        campaign_charts.of_cell(runs, "regret"),
        key="score_cell_regret",
        height=MIDDLE,
        view=str(cell),
    )
    still(
        campaign_charts.of_cell(runs, "size"),
        key="score_cell_size",
        height=MIDDLE,
        view=str(cell),
    )
    if name == campaigns.STORED:
        st.caption(
            "The records themselves are not stored with BOLT; a campaign of your own keeps them."
        )
        return
    _open("Open these seeds in the Arena", name, [run.config.key for run in runs])
    first = min(run.config.seed for run in runs)
    beside = [r for a in cases.algorithms for r in cases.of(cell[0], a) if r.config.seed == first]
    _open(f"Everybody on seed {first}", name, [run.config.key for run in beside])


def _open(words: str, name: str, keys: list[str]) -> None:
    ids = [campaign.race_id(name, key) for key in keys[:MAX_RACES_COMPARED]]
    query = {"race": SEPARATOR.join(ids)}
    st.page_link(links.ARENA, label=words, icon=":material/stadium:", query_params=query)


def _download(name: str) -> None:
    def html() -> bytes:
        results, _ = campaigns.found(name)
        return FORMATS["html"](results.name, results.note, compose(results)).encode()

    st.download_button(
        "Report",
        html,
        "bolt_campaign.html",
        "text/html",
        icon=":material/download:",
        on_click="ignore",
        key="score_report",
        help="All tables and figures in one HTML file.",
    )
