"""A problem on a server, its callers, and a loop that drives it."""

from bolt_core import Choice, Integer, ProblemSpec, Real
from bolt_core.problems.problems import Caller

SPEC = ProblemSpec(
    {"feed": Real(0, 8, unit="l/min"), "stages": Integer(1, 6), "catalyst": Choice("A", "B")},
    "yield",
    unit="%",
    name="Reactor",
    warmup=3,
)
ME, OTHER = Caller("my cookie"), Caller("another cookie")


def value_of(setting):
    return 20.0 - (setting["feed"] - 3.0) ** 2 - setting["stages"] + (setting["catalyst"] == "B")


def drive(problems, problem_id, count, by=ME):
    for _ in range(count):
        ask = problems.next_setting(problem_id, by)
        problems.tell(problem_id, value_of(ask.setting), by, ask_id=ask.id)
