"""Plans: how many runs, with which keys, and what is refused."""

import pytest

from bolt_core.campaigns import plan as plans
from bolt_core.campaigns import presets
from bolt_core.common import devices
from bolt_core.common.errors import BoltError
from bolt_core.common.types import ClockConfig, EngineConfig, RunConfig
from bolt_core.runs import duration_estimate

PAPER_CLOCK = ClockConfig("model", device=devices.device("paper"))


@pytest.mark.parametrize(("name", "runs"), [("tiny", 8), ("paper-quick", 448), ("paper", 1216)])
def test_a_preset_plans_that_many_different_runs(name, runs):
    configs = presets.preset(name).configs()

    assert len({config.key for config in configs}) == len(configs) == runs


@pytest.mark.parametrize(("name", "seeds"), [("paper-quick", 3), ("paper", 10)])
def test_the_papers_presets_plan_plain_configs_of_the_paper_device(name, seeds):
    by_hand = {
        RunConfig(a, b, seed=s, clock=PAPER_CLOCK).key
        for a in (*plans.TABLE2, "sw-gpucb", "w-gpucb")
        for b in plans.PAPER
        for s in range(seeds)
    }

    assert by_hand < {config.key for config in presets.preset(name).configs()}


def test_paper_quick_is_part_of_paper():
    quick, whole = ({c.key for c in presets.preset(p).configs()} for p in ("paper-quick", "paper"))

    assert quick < whole


def test_paper_quick_is_foretold_to_take_three_hours_on_two_cores_at_most():
    assert 0.5 < presets.preset("paper-quick").hours() / 2 <= 3.0


def test_every_choice_multiplies_and_the_lowest_seeds_come_first():
    grid = plans.grid_from(
        {
            "algorithms": "bolt,gpucb",
            "benchmarks": ["shekel", "wlan", "powell"],
            "seeds": [4, 1],
            "clock": ["model", "cpu"],
            "speed": [0.5, 2],
            "noise": ["paper", "1pct"],
            "engine": ["exact", "botorch"],
            "horizon": 30,
        }
    )

    configs = plans.Plan("all", (grid, grid)).configs()

    assert len(configs) == 2 * 3 * 2 * 2 * 2 * 2 * 2
    assert [c.seed for c in configs] == sorted(c.seed for c in configs)
    assert {c.clock.slowdown for c in configs if c.clock.kind == "cpu"} == {2.0, 0.5}
    twice = tuple(c / 2 for c in devices.device("paper"))
    assert twice in {c.clock.device for c in configs if c.clock.kind == "model"}
    assert {c.options.get("noise") for c in configs} == {None, "1pct"}
    assert {c.engine for c in configs} == {EngineConfig("exact"), EngineConfig("botorch")}


def test_a_grid_may_have_a_lengthscale_per_input():
    table = {"algorithms": ["bolt"], "benchmarks": ["ackley"]}
    plain, ard = plans.grid_from(table), plans.grid_from({**table, "ard": True})
    plan = plans.Plan("both", (plain, ard))

    assert [c.engine.ard for c in plan.configs()] == [False, True]
    assert plans.Plan.from_json(plan.to_json()) == plan
    assert ["ard" in grid for grid in plan.to_json()["grids"]] == [False, True]
    with pytest.raises(BoltError, match="ard"):
        plans.grid_from({**table, "ard": "yes"})


def test_a_plan_survives_json():
    plan = presets.preset("tiny", "mine")

    assert plans.Plan.from_json(plan.to_json()) == plan
    assert plan.name == "mine"


def test_toml_with_two_grids(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        'note = "speeds"\n[[grid]]\nalgorithms = "table2"\nbenchmarks = "paper"\nseeds = 2\n'
        '[[grid]]\nalgorithms = ["bolt"]\nbenchmarks = ["powell"]\nspeed = [0.1, 1, 10]\n'
    )

    plan = plans.read_toml(file)

    assert (plan.name, plan.note) == ("mine", "speeds")
    assert len(plan.configs()) == 7 * 10 * 2 + 2  # speed 1 is in both grids


GRID = '[[grid]]\nalgorithms = ["bolt"]\nbenchmarks = ["powell"]\n'
BAD = {
    "is not TOML": "algorithms = [",
    "has no [[grid]]": 'name = "x"',
    "unknown grids, speed; at the top stand": "grids = 1\nspeed = 2",
    "a grid has no algorithm; it has algorithms": '[[grid]]\nalgorithm = "bolt"',
    "a grid needs benchmarks": '[[grid]]\nalgorithms = "bolt"',
    "a grid is a table, got 3": "grid = [3]",
    "algorithms takes words, got 3": '[[grid]]\nalgorithms = [3]\nbenchmarks = "paper"',
    "seeds is how many (1 to 1000) or a list of whole numbers, got -1": GRID + "seeds = -1",
    "list of whole numbers, got [0, 1.5]": GRID + "seeds = [0, 1.5]",
    "list of whole numbers, got True": GRID + "seeds = true",
    "seeds is empty": GRID + "seeds = 0",
    "speed must be a number, got 'fast'": GRID + 'speed = "fast"',
    "speed must be positive and finite, got 0": GRID + "speed = 0",
    "noise must be one of paper, 1pct; got loud": GRID + 'noise = "loud"',
    "horizon 700 s is longer than powell's own 600 s": GRID + "horizon = 700",
    "horizon must be positive and finite, got -5": GRID + "horizon = -5",
    "the wall clock has this machine's speed, got 2": GRID + 'clock = "wall"\nspeed = 2',
    "unknown clock 'sun'": GRID + 'clock = "sun"',
    "unknown engine 'gpu'": GRID + 'engine = "gpu"',
    "unknown algorithm 'blot'; did you mean 'bolt'?": GRID.replace("bolt", "blot"),
    "unknown benchmark 'egg'": GRID.replace("powell", "egg"),
    "device 'toaster' is not paper": GRID + 'device = "toaster"',
    "a campaign's name is letters": 'name = "../x"\n' + GRID,
}


@pytest.mark.parametrize("message", BAD)
def test_a_bad_file_is_refused_with_the_value_and_the_remedy(tmp_path, message):
    file = tmp_path / "bad.toml"
    file.write_text(BAD[message])

    with pytest.raises(BoltError) as refused:
        plans.read_toml(file)

    assert message in str(refused.value)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(BoltError, match="cannot read"):
        plans.read_toml(tmp_path / "none.toml")


def test_the_forecast_counts_passes_by_hand():
    # R(0) = 8 s and 0.163 s of thinking: 600 / 8.163 = 73.5, so 74 passes begin
    config = RunConfig("gpucb", "hartmann3", clock=PAPER_CLOCK)

    by_hand = sum(0.012 + 2.5e-7 * n**2 + 3e-10 * n**3 for n in range(74))
    assert duration_estimate.cpu_seconds(config) == pytest.approx(by_hand, rel=1e-12)


def test_the_work_after_a_moment_falls_from_all_of_it_to_none():
    config = RunConfig("gpucb", "hartmann3", clock=PAPER_CLOCK)
    after = [duration_estimate.cpu_seconds_after(config, t) for t in (0.0, 8.0, 300.0, 601.0)]

    assert after[0] == duration_estimate.cpu_seconds(config)
    assert after == sorted(after, reverse=True)
    assert after[-1] == 0.0
    assert after[2] > 0.5 * after[0]  # later passes cost more


def test_time_left_is_corrected_by_what_ended_runs_took():
    a, b = (RunConfig(key, "hartmann3", clock=PAPER_CLOCK) for key in ("gpucb", "abo"))
    each = duration_estimate.cpu_seconds(a)
    left = duration_estimate.RemainingTime(workers=2)

    assert left.until([a, b])["abo", "hartmann3"] == pytest.approx(each)
    assert not left.measured
    left.note(a, 3 * each)
    assert left.measured
    assert left.until([b]) == {("abo", "hartmann3"): pytest.approx(1.5 * each)}
