"""Parts of the Scoreboard: the choice of a campaign, its tables and charts, and single runs."""

from functools import partial
from itertools import cycle

import streamlit as st

from bolt_core.campaigns import campaign
from bolt_core.campaigns.results import Results, RunResult
from bolt_core.charts.races import MAX_RACES_COMPARED, SEPARATOR
from bolt_core.report import as_html, campaign_charts, campaign_tables
from bolt_core.report.builders import about, claims, device_speeds, engines, pairs, tables
from bolt_core.report.campaign_tables import for_browser, with_minus
from bolt_core.report.model.blocks import Section
from bolt_core.report.model.cases import Cases
from bolt_core.runs.lane_names import label
from bolt_ui import layout, link_values, links, markdown, race_buttons
from bolt_ui.chart_component import pressed, still
from bolt_ui.race_settings import DEFAULT_BENCHMARK
from bolt_ui.scoreboard import campaigns
from bolt_ui.widgets import choice, page_link

TALL, MIDDLE = 360, 300  # heights of charts, pixels
OPEN_CELL = "scoreboard_cell"  # the value of Table 2 whose runs are shown
CLAIMS_IN_DETAIL = "What counts as shown, held regret, values of Overall, and the paper's level"
SEEDS_CAPTION = (
    "Average regret over queries, and held regret over time, without warm-up; mean response time "
    "and median sizes over full passes. For the median n*, a pass without a limit counts as above "
    "all others."
)


def toolbar() -> str | None:
    """Show the toolbar and return the chosen campaign; None if there is none yet."""
    names = campaigns.choices()
    link_values.refuse_unknown("campaign", names)
    if st.session_state.get("campaign") not in names:
        st.session_state.pop("campaign", None)
    with st.container(horizontal=True, vertical_alignment="bottom", key="score_bar"):
        name = None
        if names:
            name = st.selectbox("Campaign", names, key="campaign", bind="query-params", width=260)
        st.space("stretch")
        campaigns.starter()
        if name is not None and not campaigns.read_error(name):
            _download(name)
    race_buttons.refusal()
    return name


def broken(name: str) -> bool:
    """Show why a campaign cannot be read, if so; the other campaigns can still be chosen."""
    if reason := campaigns.read_error(name):
        shown = f"**{markdown.escape(name)}** cannot be read. {markdown.escape(reason)}"
        st.error(shown, icon=":material/error:")
        st.caption("Repair or remove that file. Its records and other campaigns are not affected.")
    return reason is not None


def no_campaign() -> None:
    """Show how to make a first campaign."""
    with st.container(width=layout.TEXT_WIDTH):
        st.subheader("No campaign yet", anchor=False)
        st.write(
            "A campaign runs every algorithm on every benchmark with several seeds, and fills the "
            "paper's Table 2. Start one above: **tiny** takes less than a minute and shows how it "
            "works, **paper-quick** is the paper's experiments with fewer seeds. Or in a terminal:"
        )
        st.code("bolt campaign run paper-quick\nbolt campaign report paper-quick", language="bash")


def board(name: str, results: Results, unread: int) -> None:
    """Show a campaign; `unread` of its finished runs are not read yet."""
    cases = Cases(results)
    overview = about.section(cases)
    shown = claims.section(cases) if cases.main else None
    if shown is not None:
        results_box, beside = st.columns([3, 2], gap="medium")
        with layout.titled(f"**{shown.title}**", results_box):
            _first_words(shown)
    else:
        beside = st.container(width=layout.TEXT_WIDTH)
    with beside:
        st.caption("\n\n".join(map(markdown.escape, overview.words)))
        if unread:
            st.caption(f"Reading finished runs: {unread} left.")
    if not cases.main:
        return
    _table2(cases)
    with st.container(border=True):
        _show_tables(tables.held(cases), "score_held")
    _overall(cases)
    st.fragment(partial(_by_benchmark, cases), key="score_by")()
    _pairs(cases)
    expander = partial(st.expander, type="compact")
    title, icon = "Ablations and other averages", ":material/science:"
    with expander(title, icon=icon, key="score_more", on_change="rerun") as more:
        if more.open:
            _more(cases)
    with expander("Machine and versions", icon=":material/memory:"):
        for note in overview.notes:
            st.caption(markdown.escape(note))
    if OPEN_CELL in st.session_state:
        _runs(name, cases)


def _first_words(shown: Section) -> None:
    """Show what a section finds; how to read it is folded below."""
    st.markdown("\n\n".join(map(markdown.escape, shown.findings)))
    with st.expander(CLAIMS_IN_DETAIL, type="compact"):
        st.markdown("\n\n".join(map(markdown.escape, shown.words)))


def _table2(cases: Cases) -> None:
    part = tables.table2(cases)
    caption = " ".join(part.words) + (
        " The percentage is the difference from the paper's value." if cases.beside_paper else ""
    )
    best = [
        f"{label(b)} {label(a)}"
        for b in cases.benchmarks
        for a in campaign_charts.lowest(cases.fair_row(b))
    ]
    alt = f"Lowest average regret by benchmark: {', '.join(best) or 'not known yet'}."
    with st.container(border=True):
        st.markdown(f"**{part.title}**")
        still(
            for_browser(part.tables[0], f"{caption} Click a value to see its runs.", alt),
            key="score_table",
            height=0,
            on_press=partial(_open_cell, "score_table"),
        )
        st.caption("  \n".join(map(markdown.escape, part.notes)))


def _overall(cases: Cases) -> None:
    """Show Figure 2, and the standings by both measures side by side."""
    with layout.titled("**Figure 2: normalised average regret**"):
        still(campaign_charts.figure2(cases), key="score_overall", height=MIDDLE)
    part = tables.standings(cases)
    with layout.titled(f"**{part.title}**"):
        each = zip(st.columns(2), part.tables, pairs.MEASURES.values(), strict=False)
        for i, (column, table, measure) in enumerate(each):
            with column:
                still(for_browser(table, f"By {measure}."), key=f"score_ranks_{i}", height=0)
        st.caption(" ".join(part.words))


def _by_benchmark(cases: Cases) -> None:
    names = {label(b): b for b in cases.benchmarks}
    link_values.refuse_unknown("score_on", names)
    first = DEFAULT_BENCHMARK if DEFAULT_BENCHMARK in cases.benchmarks else cases.benchmarks[0]
    chosen = choice("Benchmark", list(names), "score_on", st.pills, default=label(first))
    benchmark = names.get(chosen, first)
    over_time = partial(campaign_charts.over_time, cases, benchmark)
    differences = campaign_charts.pairs(cases, benchmark)
    cards = (  # key, title, figure, height
        ("regret", "**Average regret over time**", over_time("regret"), TALL),
        (
            "response",
            "**Response time vs regret**",
            campaign_charts.response(cases, benchmark),
            TALL,
        ),
        ("size", "**Dataset size** n", over_time("size"), MIDDLE),
        ("pair", "**BOLT minus each other algorithm**, seed by seed", differences, MIDDLE),
    )
    columns = cycle(st.columns(2, gap="small"))
    for column, (key, title, figure, height) in zip(columns, cards, strict=False):
        with layout.titled(title, column):
            still(figure, key=f"score_{key}", height=height, view=benchmark)


def _pairs(cases: Cases) -> None:
    with st.container(border=True):
        if part := pairs.against(cases):
            _show_tables(part, "score_pairs")
        else:
            st.caption("A comparison by seed needs runs of BOLT and of another algorithm.")


def _more(cases: Cases) -> None:
    """Show the report's other sections, which are only computed when this part is open."""
    sections = (
        pairs.removal(cases),
        engines.section(cases),
        device_speeds.section(cases),
        tables.other_averages(cases),
    )
    for part in filter(None, sections):
        _show_tables(part, f"score_{part.id}")
        columns = cycle(st.columns(2, gap="small") if part.charts else ())
        for chart in part.charts:
            with next(columns):
                still(chart.figure, key=f"score_{chart.name}", height=MIDDLE)


def _show_tables(part: Section, key: str) -> None:
    """Show the title of a section of the report, and its tables, the first with its words."""
    st.markdown(f"**{part.title}**")
    if part.findings:
        with st.container(width=layout.TEXT_WIDTH):
            words = (markdown.escape(with_minus(finding)) for finding in part.findings)
            st.markdown("\n\n".join(words))
    caption = " ".join(part.words)
    if not part.tables:
        st.caption(caption)
    for i, table in enumerate(part.tables):
        still(for_browser(table, caption), key=f"{key}_{i}", height=0)
        caption = ""


def _open_cell(key: str) -> None:
    st.session_state[OPEN_CELL] = pressed(key)


@st.dialog("Runs", width="large", on_dismiss=lambda: st.session_state.pop(OPEN_CELL, None))
def _runs(name: str, cases: Cases) -> None:
    """Show the seeds behind one value of Table 2."""
    cell = campaign_tables.linked_cell(st.session_state[OPEN_CELL], cases)
    if cell is None:
        st.write("This value has no runs.")
        return
    benchmark, algorithm = cell
    runs = cases.runs(benchmark, algorithm)
    st.markdown(f"**{markdown.escape(f'{label(algorithm)} on {label(benchmark)}')}**")
    still(for_browser(campaign_tables.seeds(runs), SEEDS_CAPTION), key="score_seeds", height=0)
    for what in ("regret", "size"):
        chart = campaign_charts.of_seeds(runs, what)
        still(chart, key=f"score_cell_{what}", height=MIDDLE, view=str(cell))
    if name == campaigns.BUILT_IN:
        st.caption("The built-in results have no records of single runs; your own campaigns do.")
        return
    recorded = [run for run in runs if _has_record(name, run)]
    if not recorded:
        st.caption("These runs came in a pack, which has no records of single runs.")
        return
    _link_to_arena("Open these seeds in the Arena", name, recorded)
    seed = min(run.config.seed for run in recorded)
    same_seed = [
        run
        for a in cases.algorithms
        for run in cases.runs(benchmark, a)
        if run.config.seed == seed and _has_record(name, run)
    ]
    _link_to_arena(f"Open all algorithms on seed {seed} in the Arena", name, same_seed)


def _has_record(name: str, run: RunResult) -> bool:
    return campaign.record_of(campaign.race_id(name, run.config.key)) is not None


def _link_to_arena(text: str, name: str, runs: list[RunResult]) -> None:
    ids = [campaign.race_id(name, run.config.key) for run in runs[:MAX_RACES_COMPARED]]
    page_link(links.ARENA, text, "stadium", query_params={"race": SEPARATOR.join(ids)})


def _download(name: str) -> None:
    st.download_button(
        "Report",
        lambda: as_html(campaigns.results_of(name)[0]).encode(),
        "bolt_campaign.html",
        "text/html",
        icon=":material/download:",
        on_click="ignore",
        key="score_report",
        help="All tables and figures in one HTML file.",
    )
