"""Hostile command lines, called in this process: exit code 0 or 2, and never a traceback."""

import contextlib
import io
import random
import warnings
from collections import Counter
from collections.abc import Iterator

from bolt_core.cli import main
from bolt_core.online.optimizer import make
from tools.chaos.damage import damaged
from tools.chaos.processes import temporary_home
from tools.chaos.report import Check

Cases = Iterator[tuple[str, random.Random]]
WORDS = (
    *(
        "",
        " ",
        "-",
        "--",
        "nan",
        "inf",
        "-inf",
        "-1",
        "0",
        "1e999",
        "9" * 400,
        "1.5",
        "\N{SNOWMAN}",
    ),
    *("../..", "/", "/dev/null", "a" * 5000, "a=b", "=", "a=", "=b", "[red]", "[/]", "%s", "{0}"),
    *("\udcff", "\x1b[31m", "bolt", "random", "eggholder", "paper", "model", "cpu", "tiny", "all"),
    *("noise=1pct", "dimension=3", "dimension=-1", "seed=x", "table2", "md", "[]", "None", "'; --"),
)
RUN_OPTIONS = (
    *("--benchmark", "--algorithm", "--clock", "--seed", "--horizon", "--slowdown", "--device"),
    *("--noise", "--warmup", "--option", "--param", "--acquisition", "--json", "--out", "--bogus"),
)
PLAN_OPTIONS = (
    *("--preset", "--file", "--algorithms", "--benchmarks", "--seeds", "--clock", "--device"),
    *("--speed", "--noise", "--engine", "--horizon", "--replace", "--json", "--bogus"),
)
FLAGS = ("--json", "--replace")


def commands(check: Check, cases: Cases) -> None:
    """Call `bolt` with hostile arguments; none of them starts more than two passes."""
    codes: Counter[int | str | None] = Counter()
    with temporary_home() as home, contextlib.chdir(home), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        opt = make("random", [(0.0, 1.0)], warmup=2)
        for step in range(4):
            opt.tell(opt.ask(float(step)), opt.at, 1.0)
        opt.save("sound.jsonl")
        sound = (home / "sound.jsonl").read_bytes()
        for label, rng in cases:
            (home / "damaged.jsonl").write_bytes(damaged(sound, rng))
            arguments = rng.choice(COMMANDS)(rng)
            code, printed = _call(arguments)
            codes[code] += 1
            shown = f"{label}: bolt {[word[:60] for word in arguments]}: {code}, {printed[-600:]}"
            check.expect(code in (0, 2) and "Traceback" not in printed, shown)
    check.figures = ", ".join(f"{count} with exit code {code}" for code, count in codes.items())


def _call(arguments: list[str]) -> tuple[int | str | None, str]:
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main(arguments)
    except SystemExit as left:
        return left.code, err.getvalue()
    except BaseException as problem:  # noqa: BLE001 - what is looked for
        return type(problem).__name__, f"{problem}"
    raise AssertionError("main always exits")


def _some(rng: random.Random, options: tuple[str, ...]) -> list[str]:
    words = []
    for option in rng.sample(options, rng.randrange(5)):
        words += [option] if option in FLAGS else [option, rng.choice(WORDS)]
    return words


def _run(rng: random.Random) -> list[str]:
    sound = ["run", "--benchmark", "eggholder", "--algorithm", "random", "--clock", "model"]
    return [*sound, *_some(rng, RUN_OPTIONS), "--iterations", rng.choice(("1", "2"))]


def _odd_run(rng: random.Random) -> list[str]:
    sound = ["run", "--benchmark", "eggholder", "--algorithm", "random", "--clock", "model"]
    return [*sound, "--horizon", "0.5", "--iterations", rng.choice(WORDS)]


def _show(rng: random.Random) -> list[str]:
    rows = rng.choice(([], ["--rows", rng.choice(WORDS)], ["--json"]))
    return ["show", rng.choice(("damaged.jsonl", "damaged.jsonl", "sound.jsonl", *WORDS)), *rows]


def _plan(rng: random.Random) -> list[str]:
    name = rng.choice(("mine", "other", *WORDS))
    return ["campaign", "plan", name, *_some(rng, PLAN_OPTIONS)]


def _campaign(rng: random.Random) -> list[str]:
    file = rng.choice(("damaged.jsonl", *WORDS))
    return rng.choice(
        (
            ["campaign", "status", rng.choice(WORDS)],
            ["campaign", "report", "--from", file],
            ["campaign", "report", rng.choice(("a", "../x", "[red]")), "--only", rng.choice(WORDS)],
            ["campaign", "adopt", rng.choice(WORDS), file],
            ["campaign", "run", rng.choice(("no-such", "../x", "", "a" * 300)), "--workers", "0"],
        )
    )


def _any(rng: random.Random) -> list[str]:
    first = rng.choice(("list", "show", "run", "campaign", "compare", *WORDS))
    return [first, *rng.choices(WORDS, k=rng.randrange(1, 4))]


def _data(rng: random.Random) -> list[str]:
    file = rng.choice(("damaged.jsonl", "sound.jsonl", "nowhere", "\x00", "/dev/null"))
    return ["data", "temperature", "--path", file, "--day", rng.choice(WORDS)]


COMMANDS = (_run, _run, _odd_run, _show, _show, _plan, _plan, _campaign, _any, _data)
