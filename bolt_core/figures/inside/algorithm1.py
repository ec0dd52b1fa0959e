r"""Algorithm 1 with its last pass: what each line did, in words from the record.

    observe -> fit -> n* -> score -> remove

One step a line, each with the chart that it lights. Algorithms with another rule for old
observations have their own line in the place of n*, W_2 and the removal.
"""

from __future__ import annotations

from collections.abc import Iterator

from bolt_core.common.text import seconds, significant
from bolt_core.common.types import IterationRecord
from bolt_core.figures.inside.stale_rule_sentence import stale_data_rule
from bolt_core.runs.lane_names import label
from bolt_core.runs.snapshot import RunSnapshot

SOME = 4  # ids named before "and 7 more"
RANDOM = "x\N{LATIN SUBSCRIPT SMALL LETTER T} ~ U(S)"
ASK = "x\N{LATIN SUBSCRIPT SMALL LETTER T} = argmax \N{GREEK SMALL LETTER ALPHA}(\N{MIDDLE DOT}, t)"
OBSERVE = "Observe y = f(x\N{LATIN SUBSCRIPT SMALL LETTER T}, t) + \N{GREEK SMALL LETTER EPSILON}"
ADD = "D = D \N{UNION} {((x\N{LATIN SUBSCRIPT SMALL LETTER T}, t), y)}"
INFER = "Infer the GP's hyperparameters"
SIZE = "Fit R(n); n* = argmax \N{DOUBLE VERTICAL LINE}u\N{DOUBLE VERTICAL LINE}\N{SUPERSCRIPT TWO}"
SCORE = "o* = argmin W\N{SUBSCRIPT TWO}(GP of D, GP of D without o)"
VICTIM = "Choose who leaves"
REMOVE = "D = D without o*, while |D| > n*"
POLICY = "Its own rule for old observations"


def steps(run: RunSnapshot) -> list[dict[str, str]]:
    """The lines of the last pass in their order: `line`, `panel` (a chart's name), `said`."""
    if not len(run):
        return []
    return [{"line": line, "panel": panel, "said": said} for line, panel, said in _lines(run)]


def _lines(run: RunSnapshot) -> Iterator[tuple[str, str, str]]:
    last = run.records[-1]
    yield "Get the current time t", "history", _time(last)
    yield RANDOM if _blind(last) else ASK, "posterior", _query(last)
    yield OBSERVE, "posterior", f"Observed y = {significant(last.observation.y)}."
    yield ADD, "history", f"D had {last.n:,}; observation {last.observation.i:,} joined it."
    if last.theta is not None:
        yield INFER, "theta", _fitted(last)
    if last.warmup:
        return
    if run.config.algorithm.startswith("bolt") or "response" in last.notes:
        yield from _by_size(run, last)
    else:
        said = stale_data_rule(run) or f"{label(run.config.algorithm)} has a rule of its own."
        yield POLICY, "rule", said
        yield "D = D without what is stale", "departures", _removed(run, last)


def _by_size(run: RunSnapshot, last: IterationRecord) -> Iterator[tuple[str, str, str]]:
    yield SIZE, "fit", _size(last)
    by_score = run.config.algorithm in ("bolt", "bolt-literal")
    yield SCORE if by_score else VICTIM, "scores", _scores(last, by_score=by_score)
    yield REMOVE, "departures", _removed(run, last)


def _time(last: IterationRecord) -> str:
    waited = f", after a wait of {seconds(last.waited)}" if last.waited else ""
    return f"t = {last.observation.t:,.1f} s{waited}. The pass took {seconds(last.seconds)}."


def _blind(last: IterationRecord) -> bool:
    """No acquisition chose: warm-up, no surrogate at all, or an empty D."""
    return last.warmup or last.theta is None or not last.n


def _query(last: IterationRecord) -> str:
    x = last.observation.x
    where = f"x = {x[0]:.2f}" if len(x) == 1 else f"x = ({', '.join(f'{v:.2f}' for v in x)})"
    if last.warmup:
        return f"Looked at random, {where}: this is the warm-up."
    if _blind(last):
        return f"Looked at random, {where}: nothing is known to choose by."
    return f"Looked at {where}, where the acquisition was largest."


def _fitted(last: IterationRecord) -> str:
    theta, told = last.theta, last.notes.get("inference", {})
    assert theta is not None
    l_T = "" if theta.lengthscale_time is None else f"l_T = {seconds(theta.lengthscale_time)}, "
    values = f"{l_T}l_S = {significant(theta.lengthscale_space)}"
    if told.get("failed"):
        return f"The fit failed ({told['failed']}), so it keeps {values}."
    cold = ", a cold start among them" if told.get("restarted") else ""
    tries = f" in {told['evaluations']:,} evaluations{cold}" if told.get("evaluations") else ""
    return f"Fitted {values}{tries}."


def _size(last: IterationRecord) -> str:
    if "response" not in last.notes:
        return "R(n) has no full pass to be fitted to yet."
    if not any(last.notes["response"][1:]):
        return "R(n) looks constant so far, so there is no limit yet."
    if last.n_star is None:
        return "R(n) grows, but as far as it is known more data would still pay: no limit yet."
    return f"R(n) says what n observations cost; the best balance is n* = {last.n_star:,}."


def _scores(last: IterationRecord, *, by_score: bool) -> str:
    n = last.n + 1
    if not last.removed:
        limit = "there is no limit yet" if last.n_star is None else f"n* = {last.n_star:,}"
        return f"Nobody need be scored: D has {n:,} and {limit}."
    if not by_score:
        return f"{_ids(last.removed)} chosen by another rule than relevance."
    scores = last.notes.get("scores", ())
    worth = f", W2 {scores[0]:.3g}".replace("-", "\N{MINUS SIGN}") if scores else ""
    return f"Of {n:,}, observation {last.removed[0]:,} matters least{worth}."


def _removed(run: RunSnapshot, last: IterationRecord) -> str:
    stay = int(run.sizes()[-1])
    if not last.removed:
        return f"Removed nobody; {stay:,} stay."
    why = f" ({last.notes['reset']})" if "reset" in last.notes else ""
    return f"Removed {_ids(last.removed)}{why}; {stay:,} stay{'s' * (stay == 1)}."


def _ids(removed: tuple[int, ...]) -> str:
    named = [f"{i:,}" for i in removed[:SOME]]
    if (more := len(removed) - SOME) > 0:
        return f"{', '.join(named)} and {more:,} more"
    return " and ".join([", ".join(named[:-1]), named[-1]]) if len(named) > 1 else named[0]
