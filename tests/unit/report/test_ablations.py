"""Tests of the ablations of a report: variants, engines, devices of several speeds."""

from dataclasses import replace

from bolt_core.campaigns import presets
from bolt_core.campaigns.results import Results
from bolt_core.common import devices
from bolt_core.common.types import ClockConfig, EngineConfig, RunConfig
from tests.support.reports import cells, invented, papers, result, section, sections
from tests.support.wording import in_order


def test_ablations_appear_only_with_their_runs():
    ids = {s.id for s in sections(papers())}
    assert not any(name.startswith("ablation") for name in ids)
    variants = invented(("bolt", "gpucb", "bolt-oldest", "bolt-random"))
    cpu = [
        result(RunConfig("bolt", "wlan", clock=ClockConfig("cpu"), engine=EngineConfig(e)), 5.0)
        for e in ("exact", "botorch")
    ]
    fast = ClockConfig("model", device=tuple(c / 10 for c in devices.device("paper")))
    speedy = result(RunConfig("bolt", "powell", clock=fast), 300.0, n_star=400.0)
    found = replace(variants, runs=(*variants.runs, *cpu, speedy))

    removal, engine, speed = (
        section(found, f"ablation-{name}") for name in ("removal", "engine", "speed")
    )

    assert removal.tables[0].columns[1:] == (
        "BOLT", "BOLT, drops the oldest", "BOLT, drops at random",
    )  # fmt: skip
    assert [[e.text for e in row][:4] for row in engine.tables[0].rows] == [
        ["WLAN", "BOLT", "exact", "5.00"], ["WLAN", "BOLT", "botorch", "5.00"],
    ]  # fmt: skip
    (chart,) = speed.charts
    stars = next(t for t in chart.figure["data"] if t["name"] == "BOLT, n*")
    assert (stars["x"], stars["y"]) == ([1.0, 10.0], [110.0, 400.0])
    (outcomes,) = speed.tables  # one algorithm has no other to be compared with
    assert [row[1].text for row in outcomes.rows] == ["1", "10"]
    assert any(in_order(words, "n* of BOLT", "110 and 400", "1 and 10") for words in speed.findings)
    assert [row[7].text for row in outcomes.rows] == ["110", "400"]
    assert not any("as printed" in words for words in removal.words)


def test_the_preset_of_the_paper_fills_every_ablation():
    runs = tuple(
        result(c, 300.0 - 50.0 * (c.algorithm == "bolt") + c.seed, n_star=100.0)
        for c in presets.preset("paper-quick").configs()
        if c.benchmark in ("eggholder", "schwefel", "powell")
    )
    found = Results("mine", "", len(runs), runs, ())
    removal, engine, speed = (
        section(found, f"ablation-{name}") for name in ("removal", "engine", "speed")
    )

    means, gaps = removal.tables
    assert list(cells(means)) == list(cells(gaps)) == ["Eggholder", "Schwefel"]
    assert means.columns[-1] == "BOLT, as printed"
    unmarked = ("-50.0", "[-50.0, -50.0]", "")  # of three seeds
    assert {(e.text, e.interval, e.mark) for e in cells(gaps)["Eggholder"]} == {unmarked}
    assert [[e.text for e in r[:3]] for r in engine.tables[0].rows] == [
        [b, "BOLT", e] for b in ("Eggholder", "Powell") for e in ("exact", "botorch")
    ]
    assert [r[1].text for r in speed.tables[0].rows] == ["0.1", "1", "10", "100"] * 2
    assert {r[-1].text for r in engine.tables[0].rows} == {"3"}
    assert [r[-1].text for r in speed.tables[0].rows] == ["3"] * 7 + ["1"]
    assert "cut at 60 s" in engine.words[0]
    assert "cut at 120 s" in speed.words[0]


def test_engines_are_compared_seed_by_seed():
    """BOLT with the exact engine is lower by 100 on Powell; on WLAN the sign varies with seeds."""
    cpu = ClockConfig("cpu")

    def regret(benchmark, engine, seed):
        if engine == "botorch":
            return 200.0 + seed
        return 100.0 + 1.1 * seed if benchmark == "powell" else 200.0 + seed + (-1.0) ** seed

    runs = tuple(
        result(RunConfig("bolt", b, s, clock=cpu, engine=EngineConfig(e)), regret(b, e, s))
        for b in ("powell", "wlan")
        for e in ("exact", "botorch")
        for s in range(6)
    )
    (words,) = section(Results("mine", "", len(runs), runs, ()), "ablation-engine").findings

    assert in_order(
        words, "Powell", "average regret", "lower with exact", "(-99.8 [-99.9, -99.6], ", "6 of 6"
    )
    assert in_order(words, "WLAN", "not shown to differ", "(0.00 [", "exact minus botorch")
    few = tuple(run for run in runs if run.config.seed < 2)
    assert section(Results("mine", "", len(few), few, ()), "ablation-engine").findings == ()


def on_two_devices(seeds):
    """Return runs of two algorithms on Eggholder; on the faster device BOLT is lower by 100."""
    paper = devices.device("paper")
    clocks = [ClockConfig("model", device=tuple(c / s for c in paper)) for s in (1.0, 10.0)]
    runs = tuple(
        replace(
            result(
                RunConfig(a, "eggholder", seed=seed, clock=clock, horizon=120.0),
                300.0
                + seed
                - 100.0 * (a == "bolt" and clock is clocks[1])
                + (-1) ** seed * (a == "bolt"),
            ),
            held_regret=5.0 + (-1) ** seed * (a == "bolt"),
            iterations=600 if a == "bolt-keep" and clock is clocks[1] else 900,
        )
        for clock in clocks
        for a in ("bolt", "bolt-keep")
        for seed in range(seeds)
    )
    return Results("mine", "", len(runs), runs, ())


def test_devices_of_several_speeds_are_compared_seed_by_seed():
    speed = section(on_two_devices(6), "ablation-speed")
    outcomes, average, held = speed.tables

    assert [[e.text for e in row[1:3]] for row in outcomes.rows] == [
        [s, name] for s in ("1", "10") for name in ("BOLT", "BOLT, keeps all")
    ]
    marks = {name: row[0].mark for name, row in cells(average).items()}
    assert marks == {"Eggholder, speed 1": "overlap", "Eggholder, speed 10": "best"}
    assert [row[0].mark for row in cells(held).values()] == ["overlap", "overlap"]
    removing, chance, sizes = speed.findings  # no other variant, and no rival
    assert in_order(
        removing, "removing", "keeps all", "lower in 1", "speed 10 by 100", "interval of 1"
    )
    assert in_order(removing.partition(";")[2], "held", "interval of both")
    assert "higher" not in removing
    assert in_order(chance, "of 4", "about 0")
    assert in_order(sizes, "302 and 202", "seed by seed, it falls", "from 1 to 10")
    assert in_order(sizes, "1.00 and 1.50 times", "1 and 10")


def test_a_speed_with_fewer_seeds_than_the_others_says_so():
    found = on_two_devices(6)
    slow = found.runs[0].config.clock
    runs = tuple(r for r in found.runs if r.config.clock == slow or r.config.seed == 0)

    assert (
        "302 and 201 (1 seed), "
        in section(replace(found, runs=runs), "ablation-speed").findings[-1]
    )


def test_the_choice_of_what_to_remove_and_other_rivals_have_sentences_of_their_own():
    found = on_two_devices(6)
    others = tuple(
        replace(run, config=replace(run.config, algorithm=a))
        for a in ("bolt-oldest", "bolt-random", "w-dbo")
        for run in found.runs
        if run.config.algorithm == "bolt-keep"
    )
    both = replace(found, runs=(*found.runs, *others))
    speed = section(both, "ablation-speed")
    _, choosing, rival, chance, _ = speed.findings

    assert in_order(choosing, "drops the oldest;", "drops at random", "of 4", "lower in 2")
    assert in_order(rival, "W-DBO", "of 2", "lower in 1", "speed 10")
    assert in_order(chance, "of 16", "about 1")
    for chart in speed.charts[:2]:  # four of five have one colour: their symbols tell them apart
        names = [note["text"] for note in chart.figure["layout"]["annotations"]]
        assert len({name.split()[0] for name in names}) == len(names) == 5


def test_of_few_seeds_on_devices_nothing_is_concluded():
    speed = section(on_two_devices(3), "ablation-speed")

    assert speed.findings[0].count("from 2 (fewer than 5") == 2
    assert "Below 5" in speed.words[0]


def test_variants_over_the_whole_horizon_answer_the_same_questions_by_both_measures():
    runs = [
        replace(
            result(
                RunConfig(a, "schwefel", seed=s), 300.0 - 9.0 * (a == "bolt") + s * (a == "bolt")
            ),
            held_regret=5.0 + (-1) ** s * (a == "bolt"),
        )
        for a in ("bolt", "gpucb", "bolt-keep", "bolt-plain")
        for s in range(6)
    ]
    removal = section(Results("mine", "", len(runs), tuple(runs), ()), "ablation-removal")
    removing, plain, chance = removal.findings

    assert [len(table.rows) for table in removal.tables] == [1, 1, 1]
    assert in_order(
        removing, "removing", "keeps all", "average", "lower in 1", "Schwefel by 6.50", "held"
    )
    assert in_order(plain, "never explores", "lower in 1")
    assert in_order(chance, "of 4")


def test_a_variant_that_removed_nothing_either_is_equal_and_no_comparison_by_chance():
    found = on_two_devices(6)
    kept = [run for run in found.runs if run.config.algorithm == "bolt-keep"]
    same = [replace(run, config=replace(run.config, algorithm="bolt")) for run in kept]
    speed = section(replace(found, runs=(*kept, *same)), "ablation-speed")
    removing, sizes = speed.findings

    assert removing.count("runs of 2 are equal") == 2
    assert "zero" not in removing
    assert in_order(sizes, "regret of BOLT", "302 and 302", "makes as many")
    for table in speed.tables[1:]:
        assert {(e.text, e.mark) for row in cells(table).values() for e in row} == {("equal", "")}
    assert "Equal" in speed.words[0]


def test_variants_are_shown_over_the_seeds_that_all_of_them_have():
    runs = [
        result(RunConfig(a, "schwefel", seed=s), 300.0 - s)
        for a, seeds in (("bolt", 8), ("bolt-keep", 5), ("gpucb", 8))
        for s in range(seeds)
    ]
    removal = section(Results("mine", "", len(runs), tuple(runs), ()), "ablation-removal")
    (bolt, keep) = cells(removal.tables[0])["Schwefel"]

    assert bolt.text == keep.text == "298 ± 0.7"  # of seeds 0 to 4, without their number
