"""The Guide page: questions, answers, figures that are computed and correct, glossary."""

import json

import numpy as np
import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from bolt_core import algorithms, benchmarks
from bolt_core.common.types import NOMINAL_DEVICE
from bolt_core.figures.guide import guide_charts as figures
from bolt_core.figures.guide import removal_example
from bolt_core.store import bundled_race
from bolt_core.store.export import BIBTEX
from bolt_core.theory.dataset_size import recommended_size
from bolt_core.theory.kernels import temporal_correlation
from bolt_ui import race_settings
from bolt_ui.guide import class_plan, own_plant, sections
from bolt_ui.guide import text as guide_text
from bolt_ui.lessons import lesson_catalog
from tests.support.page_kit import browse, has
from tests.support.panels import drawn
from tests.support.project import ROOT

QUESTIONS = {  # anchor: a word of the question, and words that the answer needs
    "what-drifts": ("What drifts?", ["objective", "moving optimum", "l_T"]),
    "response-time-and-n-star": ("R(n)", ["response time", "seconds", "R(0)", "fresher data"]),
    "who-leaves": ("oldest", ["only one", "Wasserstein", "neighbours", "removed"]),
    "how-to-read-this-app": ("clocks", ["wall", "cpu", "model", "slowdown", "declared"]),
    "why-a-metronome-fails": ("iterations", ["n cubed", "per second"]),
}
MIN_ANSWER_LENGTH = 500  # characters


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOLT_HOME", str(tmp_path_factory.mktemp("bolt")))
        shown = AppTest.from_file(str(ROOT / "bolt_ui/entry/main.py"), default_timeout=30).run()
        shown.switch_page("../../pages/guide.py").run()
    assert not shown.exception, shown.exception
    return shown


@pytest.mark.parametrize("anchor", QUESTIONS)
def test_each_question_has_a_section_with_an_answer(page, anchor):
    asked, needed = QUESTIONS[anchor]
    (section,) = [s for s in guide_text.SECTIONS if s.anchor == anchor]
    headings = {heading.proto.anchor for heading in page.header}
    shown = " ".join(m.value for m in page.markdown).replace("\\", "").replace("$", "")

    assert anchor in headings
    assert f"(#{anchor})" in shown
    assert asked in section.question
    assert len(section.answer) >= MIN_ANSWER_LENGTH
    assert section.answer in shown
    assert [word for word in needed if word not in section.answer] == []


def test_every_section_has_a_figure_with_a_text_for_screen_readers(page):
    for section in guide_text.SECTIONS:
        figure = drawn(page, f"guide_{section.figure}")
        assert go.Figure(data=figure["data"], layout=figure["layout"]).data
        assert len(figure["layout"]["meta"]["alt"]) > 60
        assert figure["layout"]["meta"]["caption"]


def test_the_glossary_has_the_symbols_of_the_paper_and_the_terms_of_the_app():
    symbols = " ".join(symbol for symbol, _ in guide_text.GLOSSARY)

    for symbol in [
        "R(n)",
        "R(0)",
        "n*",
        "u_n",
        "l_T",
        "l_S",
        "W₂",
        "σ₀²",
        "average regret",
        "cpu",
        "query",
        "observation",
        "dataset",
        "removed",
        "device",
        "pass",
    ]:
        assert symbol in symbols


def test_table_1_is_made_from_the_registry(page):
    table = page.dataframe[0].value
    specs = [s for s in algorithms.catalog().values() if s.kind in ("paper", "control")]

    assert table["Algorithm"].tolist() == [s.label for s in specs]
    assert table["Stale data"].tolist() == [s.stale_data for s in specs]


def test_table_1_says_where_the_algorithms_differ_from_their_sources(page):
    (shown,) = (m.value for m in page.markdown if "**W-DBO.**" in m.value)

    assert all(f"**{label}.**" in shown for label in ("BOLT", "ABO", "ET-GPUCB"))
    assert "1.25^3" in shown.replace("\\", "").replace("$", "")


def test_it_shows_citation_keys_and_versions(page):
    assert page.code[0].value == BIBTEX.strip()
    assert [key for key, _ in guide_text.KEYS] == ["S", "F", "P", "Space", "Left, Right"]
    assert "numpy" in " ".join(c.value for c in page.caption)


@pytest.mark.parametrize("lesson", lesson_catalog.LESSONS, ids=lambda lesson: lesson.key)
def test_a_lesson_can_be_run(lesson):
    for config in lesson.configs():
        assert config.benchmark in benchmarks.catalog()
        assert config.algorithm in algorithms.catalog()
        assert config.clock.kind in race_settings.CLOCKS
        assert config.seed == 0
    assert lesson.cut in race_settings.HORIZON_SECONDS.values()
    assert lesson.page in ("arena", "inside")
    assert len(set(lesson.options)) == len(lesson.options) >= 2
    assert lesson.options[lesson.answer]
    assert len(lesson.reveal) > 80


def test_lessons_are_on_the_page_each_with_its_link_and_without_its_answer(page):
    shown = " ".join(m.value for m in page.markdown).replace("\\", "").replace("$", "")
    links = {link.proto.page + "?" + link.proto.query_string for link in page.get("page_link")}

    assert len(lesson_catalog.LESSONS) >= 4
    for lesson in lesson_catalog.LESSONS:
        where = "" if lesson.page == "arena" else lesson.page
        assert f"**{lesson.title}**" in shown
        assert lesson.question in shown
        assert lesson.reveal not in shown
        assert f"{where}?lesson={lesson.key}" in links


def test_the_class_plan_takes_45_minutes(page):
    shown = " ".join(m.value for m in page.markdown)

    assert sum(step.minutes for step in class_plan.PLAN) == 45
    assert "**42 to 45 min.**" in shown
    lessons = [step.lesson for step in class_plan.PLAN if step.lesson]
    assert lessons == [lesson.key for lesson in lesson_catalog.LESSONS]  # the order of "Next"
    assert shown.count("*Ask:*") == len(class_plan.PLAN)


@pytest.mark.parametrize("step", class_plan.PLAN, ids=lambda step: step.link_text)
def test_every_link_of_the_class_plan_opens_its_page(page, step, tmp_path, monkeypatch):
    monkeypatch.setenv("BOLT_HOME", str(tmp_path))
    target, query = step.target
    name = target.rpartition("/")[2].removesuffix(".py")
    links = {(k.proto.page, k.proto.query_string) for k in page.get("page_link")}
    encoded = "&".join(f"{key}={value}" for key, value in query.items())
    assert ("" if name == "arena" else name, encoded) in links

    opened = browse(name, **query)
    assert has(opened, "lesson_run") == bool(step.lesson)


@pytest.mark.parametrize("slowdown", [1.0, figures.SLOWDOWN])
def test_n_star_in_the_guide_is_the_best_of_all_sizes(slowdown):
    row = benchmarks.get(figures.PROBLEM).row
    k_T = temporal_correlation("matern32", row.lengthscale_time)

    def known(n):
        R = row.cost + slowdown * sum(c * n**j for j, c in enumerate(NOMINAL_DEVICE))
        return sum(float(k_T(np.array(i * R))) ** 2 for i in range(1, n + 1))

    assert figures.n_star(slowdown) == max(range(1, 150), key=known)


def test_a_slower_device_keeps_less():
    assert figures.n_star(figures.SLOWDOWN) < figures.n_star()


def test_a_race_learns_another_l_t_and_has_another_n_star_than_the_guide():
    """The Guide takes the declared l_T; with the one learned in the recording n* is larger."""
    run = next(run for run in bundled_race.race().runs if run.config.algorithm == "bolt")
    learned = run.records[-1].theta.lengthscale_time
    n_star = recommended_size(temporal_correlation("matern32", learned), figures.response())

    assert run.config.benchmark == figures.PROBLEM
    assert learned > 1.2 * benchmarks.get(figures.PROBLEM).row.lengthscale_time
    assert min(n_star, run.records[-1].n_star) > 1.2 * figures.n_star()
    assert "l_T" in figures.trade_off()["layout"]["meta"]["caption"]


def test_the_guide_explains_held_regret():
    section = next(s for s in guide_text.SECTIONS if s.anchor == "how-to-read-this-app")

    assert "second" in dict(guide_text.GLOSSARY)["held regret"]
    assert "held regret" in section.answer


def test_keeping_everything_slows_down_in_the_figure():
    everything, bounded, _ = figures.metronome()["data"]

    assert everything["y"] == sorted(everything["y"])
    assert everything["y"][-1] > 5 * bounded["y"][-1]


def test_the_observation_removed_is_not_the_oldest_and_its_removal_changes_least():
    score = removal_example.scores()

    assert np.argmin(score) != 0
    assert score[0] > 5 * score.min()
    assert "removed next" in json.dumps(removal_example.removal_example())


def test_the_scores_of_the_figure_are_the_integral_of_the_posteriors_change():
    """Condition twice, on a finer grid: an oracle without the leave-one-out identity."""
    fine = (96, 32)
    x, t = np.meshgrid(*((np.arange(m) + 0.5) / m for m in fine))
    length = 2.0 * removal_example.THETA.lengthscale_time
    nodes = np.column_stack([x.ravel(), removal_example.NOW + length * t.ravel()])
    whole = posterior(np.arange(12), nodes)
    i = 4
    without = posterior(np.delete(np.arange(12), i), nodes)
    change = sum((a - b) ** 2 for a, b in zip(whole, without, strict=True))

    # two midpoint rules, 48 x 16 and 96 x 32, of a smooth integrand: a percent apart at most
    assert removal_example.scores()[i] == pytest.approx(np.sqrt(length * change.mean()), rel=0.02)


def posterior(rows, nodes):
    """Return mean and deviation by solving; the constant mean is 0, since only theta is given."""
    theta, X, made = (
        removal_example.THETA,
        removal_example.PLACES[rows],
        removal_example.TIMES[rows],
    )
    y = np.sin(7.0 * X + made / 40.0)

    def k(a, b, s, t):
        r = np.sqrt(5.0) * np.abs(a[:, None] - b) / theta.lengthscale_space
        q = np.sqrt(3.0) * np.abs(s[:, None] - t) / theta.lengthscale_time
        return (1 + r + r**2 / 3) * np.exp(-r) * (1 + q) * np.exp(-q)

    A = k(X, X, made, made) + theta.noise_variance * np.eye(len(X))
    cross = k(nodes[:, 0], X, nodes[:, 1], made)
    mu = cross @ np.linalg.solve(A, y)
    variance = 1.0 - np.sum(cross * np.linalg.solve(A, cross.T).T, axis=1)
    return mu, np.sqrt(variance)


def test_all_figures_together_are_small():
    assert sum(len(text) for text in sections.figures().values()) < 150_000


@pytest.mark.parametrize("step", own_plant.STEPS[:2], ids=lambda step: step.title)
def test_the_links_of_the_plant_to_a_log_open_without_a_warning(step, server):
    query = {"door": step.door} | ({"example": step.example} if step.example else {})
    opened = browse("problem", **query)
    assert not opened.warning
    assert ("log" in opened.query_params) == bool(step.example)
