r"""Algorithm 1 in its last pass: what each line did, as sentences made from the record.

    observe -> fit -> n* -> score -> remove

There is one step per line, each with the name of the chart that shows it. Algorithms with another
rule for old observations have one line for that rule instead of n* and W_2.
"""

import math
from collections.abc import Iterator

from bolt_core.algorithms.bolt import MIN_OBSERVATIONS
from bolt_core.algorithms.size_limit import MAX_REMOVED_SHARE
from bolt_core.common.text import clock_time, counted, listed, seconds, significant
from bolt_core.common.types import IterationRecord
from bolt_core.figures.inside.relevance import BY_SCORE
from bolt_core.figures.inside.stale_rule_sentence import stale_data_rule
from bolt_core.figures.shared.symbols import NORM
from bolt_core.runs.lane_names import label
from bolt_core.runs.own_problem import coordinates, known_seconds, own_y
from bolt_core.runs.snapshot import RunSnapshot

MAX_IDS = 4  # named before "and 7 more"
ASK_AT_RANDOM = "x\N{LATIN SUBSCRIPT SMALL LETTER T} ~ U(S)"
ASK = "x\N{LATIN SUBSCRIPT SMALL LETTER T} = argmax \N{GREEK SMALL LETTER ALPHA}(\N{MIDDLE DOT}, t)"
OBSERVE = "Observe y = f(x\N{LATIN SUBSCRIPT SMALL LETTER T}, t) + \N{GREEK SMALL LETTER EPSILON}"
ADD = "D = D \N{UNION} {((x\N{LATIN SUBSCRIPT SMALL LETTER T}, t), y)}"
INFER = "Infer the GP's hyperparameters"
SIZE = "Fit R(n); n* = argmax \N{DOUBLE VERTICAL LINE}u\N{DOUBLE VERTICAL LINE}\N{SUPERSCRIPT TWO}"
SCORE = "o* = argmin W\N{SUBSCRIPT TWO}(GP of D, GP of D without o)"
CHOOSE = "Choose o*, the observation to remove"
REMOVE = "D = D without o*, while |D| > n* (in the paper: if)"
REMOVE_ONE = "D = D without o*, if |D| > n*"
REMOVE_NONE = "D stays as it is: this variant removes nothing"
REMOVE_LINES = {"bolt-literal": REMOVE_ONE, "bolt-keep": REMOVE_NONE}
ASK_BY_RULE = "x\N{LATIN SUBSCRIPT SMALL LETTER T} by the algorithm's rule"
RULES_OF_QUERIES = {  # algorithms without a surrogate that do not query at random
    "hold": "the best setting of the warm-up, which is held",
    "extremum-seeking": "the next step of its oscillation",
}
OTHER_RULE = "Apply the algorithm's rule for old observations"
REMOVE_STALE = "D = D without stale observations"

Step = tuple[str, str, str]  # a line of Algorithm 1, the name of its chart, what it did


def steps(run: RunSnapshot) -> list[dict[str, str]]:
    """Return the lines of the last pass in order: `line`, `panel` (a chart's name) and `said`."""
    if not len(run):
        return []
    return [{"line": line, "panel": panel, "said": text} for line, panel, text in _steps(run)]


def _steps(run: RunSnapshot) -> Iterator[Step]:
    last = run.records[-1]
    yield "Get the current time t", "history", _time(run, last)
    yield _ask_line(run, last), "posterior", _query(run, last)
    yield OBSERVE, "posterior", _observed(run)
    yield ADD, "history", f"D had {last.n:,}; observation {last.observation.i:,} was added."
    if last.theta is not None:
        yield INFER, "theta", _fitted(last)
    if last.warmup:
        return
    if run.config.algorithm.startswith("bolt") or "response" in last.notes:
        by_score = run.config.algorithm in BY_SCORE
        yield SIZE, "fit", _size(last)
        yield SCORE if by_score else CHOOSE, "scores", _scores(last, by_score=by_score)
        yield (
            REMOVE_LINES.get(run.config.algorithm, REMOVE),
            "departures",
            _removed(run, last) + _limits(run, last),
        )
    else:
        name = label(run.config.algorithm)
        yield OTHER_RULE, "rule", stale_data_rule(run) or f"{name} has its own rule."
        yield REMOVE_STALE, "departures", _removed(run, last)


def _time(run: RunSnapshot, last: IterationRecord) -> str:
    waited = f", after a wait of {seconds(last.waited)}" if last.waited else ""
    response = known_seconds(run, last)
    took = (
        "It ends with the next ask, so its duration is not known yet."
        if response is None
        else f"The pass took {seconds(response)}."
    )
    return f"t = {clock_time(last.observation.t)}{waited}. {took}"


def _observed(run: RunSnapshot) -> str:
    y = float(own_y(run)[-1])
    return "The measurement failed." if math.isnan(y) else f"Observed y = {significant(y)}."


def _is_random(last: IterationRecord) -> bool:
    """Whether no acquisition chose x: in the warm-up, without a surrogate, or with an empty D."""
    return last.warmup or last.theta is None or not last.n


def _ask_line(run: RunSnapshot, last: IterationRecord) -> str:
    if not last.warmup and run.config.algorithm in RULES_OF_QUERIES:
        return ASK_BY_RULE
    return ASK_AT_RANDOM if _is_random(last) or last.notes.get("explored") else ASK


def _query(run: RunSnapshot, last: IterationRecord) -> str:
    x = coordinates(run, last.observation.x, 2)
    where = f"x = {x[0]}" if len(x) == 1 else f"x = ({', '.join(x)})"
    if last.warmup:
        return f"Random query at {where}: this is the warm-up."
    if rule := RULES_OF_QUERIES.get(run.config.algorithm):
        return f"Query at {where}, {rule}."
    if _is_random(last):
        return f"Random query at {where}: there is no model to choose by."
    if last.notes.get("explored"):
        return f"Random query at {where}, among the points that may still be the optimum."
    return f"Query at {where}, the best point found for the acquisition."


def _fitted(last: IterationRecord) -> str:
    theta, inference = last.theta, last.notes.get("inference", {})
    assert theta is not None
    l_T = "" if theta.lengthscale_time is None else f"l_T = {seconds(theta.lengthscale_time)}, "
    values = f"{l_T}l_S = {', '.join(map(significant, theta.per_knob))}"
    if inference.get("failed"):
        return f"The fit failed ({inference['failed']}), so it keeps {values}."
    if not inference.get("evaluations"):
        return f"Fitted {values}."
    cold = ", including a cold start" if inference.get("restarted") else ""
    return f"Fitted {values} in {counted(inference['evaluations'], 'evaluation')}{cold}."


def _size(last: IterationRecord) -> str:
    if "response" not in last.notes:
        return "There is no full pass yet to fit R(n)."
    if not any(last.notes["response"][1:]):
        return "R(n) looks constant so far, so there is no limit yet."
    if last.n_star is None:
        return "R(n) grows, but more data would still help at the sizes measured: no limit yet."
    return f"R(n) is the cost of keeping n observations; {NORM} is largest at n* = {last.n_star:,}."


def _scores(last: IterationRecord, *, by_score: bool) -> str:
    n = last.n + 1
    if "fallback" in last.notes:
        return f"Scoring failed: {last.notes['fallback']}."
    if not last.removed:
        limit = "there is no limit yet" if last.n_star is None else f"n* = {last.n_star:,}"
        return f"No scoring needed: D has {n:,} and {limit}."
    if not by_score:
        return f"Chose {_ids(last.removed)}, by another rule than relevance."
    scores = last.notes.get("scores", ())
    score = f", W2 {scores[0]:.3g}".replace("-", "\N{MINUS SIGN}") if scores else ""
    return f"Of {n:,}, observation {last.removed[0]:,} had the lowest score{score}."


def _removed(run: RunSnapshot, last: IterationRecord) -> str:
    kept = f"{int(run.sizes()[-1]):,} kept"
    if not last.removed:
        return f"Removed none; {kept}."
    reason = f" ({last.notes['reset']})" if "reset" in last.notes else ""
    return f"Removed {_ids(last.removed)}{reason}; {kept}."


def _limits(run: RunSnapshot, last: IterationRecord) -> str:
    """Return why D is still above n*, if it is: the limits of one pass."""
    n = int(run.sizes()[-1])
    if last.n_star is None or n <= last.n_star or run.config.algorithm == "bolt-keep":
        return ""
    if n <= MIN_OBSERVATIONS:
        return f" At least {MIN_OBSERVATIONS} are always kept."
    literal = run.config.algorithm == "bolt-literal"
    most = "one" if literal else f"{100 // MAX_REMOVED_SHARE} %"
    return f" That is above n*: at most {most} may be removed per pass."


def _ids(removed: tuple[int, ...]) -> str:
    names = [f"{i:,}" for i in removed[:MAX_IDS]]
    if (more := len(removed) - MAX_IDS) > 0:
        return f"{', '.join(names)} and {more:,} more"
    return listed(names)
