"""Problems from Python, TOML, JSON and VOCS are the same, and errors name what is wrong."""

import doctest
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolt_core import Bolt, Choice, Integer, ProblemSpec, Real
from bolt_core.common.errors import BoltError, ConfigError, UnknownNameError
from bolt_core.online import problem_spec

REACTOR = """
name = "Reactor"
maximize = "yield"                 # or minimize = "cost"
unit = "%"
think_within = 0.5
[knobs.feed]                       # real by default
low = 0.0
high = 8.0
unit = "l/min"
max_step = 1.0
[knobs.rate]
low = 1e-4
high = 1e-1
scale = "log"
[knobs.stages]
type = "integer"
low = 1
high = 6
[knobs.catalyst]
type = "choice"
values = ["A", "B", "C"]
"""
KNOBS = {
    "feed": Real(0, 8, unit="l/min", max_step=1),
    "rate": Real(1e-4, 1e-1, scale="log"),
    "stages": Integer(1, 6),
    "catalyst": Choice("A", "B", "C"),
}
NAMES = st.text(min_size=1, max_size=20).filter(
    lambda s: s.isprintable() and s.strip() and s not in problem_spec.COLUMNS
)
FINITE = st.floats(-1e9, 1e9)


@st.composite
def any_knob(draw):
    low = draw(FINITE)
    real = Real(low, low + draw(st.floats(0.1, 1e9)), unit=draw(st.sampled_from(["", "K", "°C"])))
    values = st.one_of(NAMES, st.integers(-5, 5).map(float), st.integers(10, 20))
    return draw(
        st.one_of(
            st.just(real),
            st.just(Real(1e-7, 1e20, scale="log", max_step=draw(st.floats(1.01, 9)))),
            st.builds(Integer, st.integers(-9, 0), st.integers(1, 9), max_step=st.integers(1, 3)),
            st.lists(values, min_size=2, max_size=5, unique=True).map(lambda v: Choice(*v)),
        )
    )


@given(
    st.dictionaries(NAMES, any_knob(), min_size=1, max_size=4),
    NAMES,
    st.booleans(),
    st.integers(0, 99),
)
@settings(max_examples=30)
def test_a_problem_written_as_toml_or_json_is_read_back_equal(
    tmp_path_factory, knobs, outcome, up, seed
):
    if outcome in knobs:
        return
    spec = ProblemSpec(knobs, outcome, up, name=outcome, seed=seed, think_within=seed or None)
    path = tmp_path_factory.mktemp("specs") / "problem.toml"
    path.write_text(spec.to_toml(), encoding="utf-8")

    assert ProblemSpec.from_toml(path) == spec
    assert ProblemSpec.from_json(json.loads(json.dumps(spec.to_json()))) == spec
    assert list(ProblemSpec.from_toml(path).knobs) == list(knobs)


def test_the_file_of_the_documentation_is_the_problem_in_python(tmp_path):
    (tmp_path / "reactor.toml").write_text(REACTOR)
    spec = ProblemSpec(KNOBS, "yield", unit="%", name="Reactor", think_within=0.5)

    assert ProblemSpec.from_toml(tmp_path / "reactor.toml") == spec
    assert set(Bolt.from_toml(tmp_path / "reactor.toml").ask(0.0)) == set(KNOBS)
    assert doctest.testmod(problem_spec).failed == 0


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("maximise = 'yield'", "'maximise'; did you mean 'maximize'"),
        ("minimize = 'cost'", "one of maximize and minimize.*maximize and minimize"),
        ("seed = -1", "seed must be a whole number"),
        ("algorithm = 'blot'", "did you mean 'bolt'"),
        ("think_within = 0", "think_within must be a positive"),
        ("name = ", "not valid TOML"),
    ],
)
def test_a_wrong_line_is_named_with_the_file(tmp_path, line, words):
    path = tmp_path / "wrong.toml"
    path.write_text(f"{line}\n{REACTOR.replace('name', '# name').replace('think', '# think')}")

    with pytest.raises(ConfigError, match=rf"wrong\.toml: .*{words}"):
        ProblemSpec.from_toml(path)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"low": 0, "high": 8, "maxstep": 1}, "'maxstep'; did you mean 'max_step'"),
        ({"low": 0}, "'feed' has no high"),
        ({"low": 0, "high": 8, "type": "int"}, "type of knob 'feed': 'int'; did you mean"),
        ({"type": "choice", "values": "AB"}, "values of knob 'feed' must be a list"),
        (3, "'feed' must be a table"),
    ],
)
def test_a_wrong_table_is_named_with_its_knob(table, words):
    with pytest.raises(BoltError, match=words):
        ProblemSpec.from_json({"maximize": "y", "knobs": {"feed": table}})


@pytest.mark.parametrize("name", ["time", "", " ", "a\nb", 5])
def test_names_that_cannot_be_columns_are_refused(name):
    with pytest.raises(ConfigError, match="name"):
        ProblemSpec({name: Real(0, 1)})


def test_an_outcome_is_not_a_knob():
    with pytest.raises(ConfigError, match="knob and the outcome"):
        ProblemSpec({"feed": Real(0, 1)}, "feed")


VOCS = {  # as gest-api 0.2 serialises it
    "variables": {
        "x1": {
            "dtype": None,
            "default_value": None,
            "domain": [0.0, 5.0],
            "type": "ContinuousVariable",
        },
        "x2": {"dtype": "int", "domain": [1.0, 4.0], "type": "ContinuousVariable"},
        "x3": {"values": [3, 1, 2], "type": "DiscreteVariable"},
        "x4": {"values": ["a", "b"], "type": "DiscreteVariable"},
        "x5": [-1, 1],
    },
    "objectives": {"f": {"dtype": None, "type": "MinimizeObjective"}},
    "constraints": {},
    "constants": {"alpha": {"dtype": None, "value": 0.5, "type": "Constant"}},
    "observables": {},
}
FROM_VOCS = ProblemSpec(
    {
        "x1": Real(0, 5),
        "x2": Integer(1, 4),
        "x3": Integer(1, 3),
        "x4": Choice("a", "b"),
        "x5": Real(-1, 1),
    },
    "f",
    maximize=False,
)
YAML = """
vocs:
  variables: {x1: [0, 5], x4: {type: DiscreteVariable, values: [a, b]}}
  objectives: {f: MAXIMIZE}
"""


def test_vocs_are_read_from_dicts_json_and_yaml(tmp_path):
    (tmp_path / "vocs.json").write_text(json.dumps(VOCS))
    (tmp_path / "xopt.yml").write_text(YAML)

    class Model:  # as gest-api's, which is pydantic's
        def model_dump(self):
            return VOCS

    assert ProblemSpec.from_vocs(VOCS) == ProblemSpec.from_vocs(Model()) == FROM_VOCS
    assert ProblemSpec.from_vocs(tmp_path / "vocs.json") == FROM_VOCS
    knobs = {"x1": Real(0, 5), "x4": Choice("a", "b")}
    assert ProblemSpec.from_vocs(tmp_path / "xopt.yml") == ProblemSpec(knobs, "f")


ARRAY = {"type": "ContinuousVariable", "domain": [0, 1], "dtype": ("float64", 3)}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"constraints": {"c1": ["LESS_THAN", 0]}}, "constraints are not supported: c1"),
        ({"objectives": {"f": "MINIMIZE", "g": "MINIMIZE"}}, r"got 2 \(f, g\)"),
        ({"objectives": {"f": "EXPLORE"}}, "'f' is 'EXPLORE'"),
        ({"objectives": {}}, "got 0"),
        ({"variables": {"c": {"type": "ContextualVariable"}}}, "'c' is 'ContextualVariable'"),
        ({"variables": {}}, "needs variables"),
        ({"variables": {"x": [0, 1, 2]}}, r"\[low, high\]"),
        ({"variables": {"x": ARRAY}}, r"'x' has dtype \('float64', 3\)"),
        ({"limits": {}}, "'limits'"),
    ],
)
def test_what_vocs_ask_and_this_cannot_do_is_refused_by_name(change, words):
    with pytest.raises((ConfigError, UnknownNameError), match=words):
        ProblemSpec.from_vocs({**VOCS, **change})


def test_a_file_that_is_neither_yaml_nor_json_is_refused_with_its_name(tmp_path):
    (tmp_path / "vocs.yml").write_text("variables: [")

    with pytest.raises(ConfigError, match=r"vocs\.yml: .*not valid"):
        ProblemSpec.from_vocs(tmp_path / "vocs.yml")


def test_the_text_of_a_vocs_is_not_taken_for_a_path():
    text = "variables: {a: [0, 1]}\nobjectives: {y: MAXIMIZE}\n"
    with pytest.raises(ConfigError, match=r"yaml\.safe_load") as refused:
        ProblemSpec.from_vocs(text)

    assert "variables" not in str(refused.value)
