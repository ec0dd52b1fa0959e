"""The predictions of a class: a lecturer opens a tally, and each browser in the room answers once.

A tally belongs to the visitor who opened it and keeps its code when its owner asks another
question, so that the class moves on with the lecturer. Its owner (or the operator) closes it, shows
its counts to the class and resets it; other visitors answer, and see the counts once they are
shown. Visitors are known by the token in their cookie, of which only a salted hash is kept here. It
is all in memory: a restart of the server forgets it. The limits are in `runs.limits`.
"""

import hashlib
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from bolt_core.common.errors import BoltError, ConfigError, LimitError, NotYoursError
from bolt_core.common.permissions import Permissions
from bolt_core.common.text import counted, percent
from bolt_core.runs import limits

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # without characters that look alike
CODE_LENGTH = 5
MAX_TOKEN_LENGTH = 200  # characters; the server's own cookies have 24


class UnknownTallyError(BoltError, KeyError):
    """There is no tally with this code, or no longer."""

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would print the repr


class TallyState(StrEnum):
    """The states of a tally."""

    OPEN = "open"
    CLOSED = "closed"  # no further answers
    SHOWN = "shown"  # closed, and the class sees the counts


@dataclass(frozen=True, slots=True)
class TallyView:
    """What one visitor may know of a tally."""

    code: str
    question: str
    state: TallyState
    answers: int
    counts: tuple[int, ...] | None  # by option; None: not shown to this visitor yet
    own_answer: int | None
    outcome: int | None  # the option that came true; None: unknown, or not shown to this visitor

    @property
    def summary(self) -> str:
        """Say how many answers predicted the outcome; empty without an outcome or answers."""
        if self.outcome is None or not self.counts or not self.answers:
            return ""
        right = self.counts[self.outcome]
        share = percent(right / self.answers)
        return f"{right} of {counted(self.answers, 'answer')} ({share}) predicted what happened."


@dataclass(slots=True)
class _Tally:
    code: str
    question: str
    options: int
    owner: str  # hash
    opened: float
    attended: float  # when its owner last opened, changed or read it
    state: TallyState = TallyState.OPEN
    outcome: int | None = None
    answers: dict[str, int] = field(default_factory=dict)  # option by hash of the visitor
    changes: dict[str, int] = field(default_factory=dict)


class ClassTallies:
    """The tallies of one server; every method may be called from any thread."""

    def __init__(self, permissions: Permissions, now: Callable[[], float] = time.monotonic) -> None:
        self._permissions = permissions
        self._now = now
        self._salt = secrets.token_bytes(16)
        self._lock = threading.Lock()
        self._tallies: dict[str, _Tally] = {}

    def open(self, question: str, options: int, owner: str | None) -> str:
        """Ask a question and return the code of this visitor's tally.

        A visitor has one tally: another question keeps its code and forgets the answers.
        """
        visitor = self._visitor(owner)
        with self._lock:
            self._expire()
            tally = self._of_owner(visitor)
            if tally is not None and tally.question == question:
                return tally.code
            if tally is None:
                self._make_room()
            code, now = self._new_code() if tally is None else tally.code, self._now()
            self._tallies[code] = _Tally(code, question, options, visitor, now, now)
            return code

    def opened_by(self, owner: str | None, question: str) -> str | None:
        """Return the code of this visitor's tally for a question; None if there is none."""
        visitor = self._hash(owner)
        with self._lock:
            self._expire()
            tally = self._of_owner(visitor)
            return tally.code if tally is not None and tally.question == question else None

    def view(self, code: str, by: str | None) -> TallyView:
        """Return what this visitor may know of a tally."""
        visitor = self._hash(by)
        with self._lock:
            tally = self._find(code)
            if tally.owner == visitor:
                tally.attended = self._now()
            allowed = tally.state == TallyState.SHOWN or self._may_change(tally, by)
            chosen = list(tally.answers.values())
            counts = tuple(chosen.count(k) for k in range(tally.options)) if allowed else None
            return TallyView(
                code=tally.code,
                question=tally.question,
                state=tally.state,
                answers=len(chosen),
                counts=counts,
                own_answer=tally.answers.get(visitor),
                outcome=tally.outcome if allowed else None,
            )

    def answer(self, code: str, option: int, by: str | None, question: str | None = None) -> None:
        """Record the answer of a visitor to `question`; a second one replaces the first."""
        visitor = self._visitor(by)
        with self._lock:
            tally = self._find(code)
            if question not in (None, tally.question):
                raise ConfigError("the lecturer has asked another question; answer this one")
            if tally.state != TallyState.OPEN:
                raise ConfigError("the lecturer has closed the question; your answer was not taken")
            if type(option) is not int or not 0 <= option < tally.options:
                raise ConfigError(f"the answer must be one of the {tally.options} options")
            before = tally.answers.get(visitor)
            if before is None and len(tally.answers) >= limits.MAX_ANSWERS_PER_TALLY:
                raise LimitError(
                    f"{limits.MAX_ANSWERS_PER_TALLY} visitors have answered, and this is the limit"
                )
            if before is not None and before != option:
                self._count_change(tally, visitor)
            tally.answers[visitor] = option

    def close(self, code: str, by: str | None) -> None:
        """Take no further answers."""
        with self._lock:
            self._owned(code, by).state = TallyState.CLOSED

    def settle(self, code: str, by: str | None, outcome: int | None) -> None:
        """Take no further answers, as the race has begun; `outcome` is what came true, if known."""
        with self._lock:
            tally = self._owned(code, by)
            tally.outcome = outcome
            if tally.state == TallyState.OPEN:
                tally.state = TallyState.CLOSED

    def show(self, code: str, by: str | None) -> None:
        """Take no further answers, and show the class the counts and, if known, the outcome."""
        with self._lock:
            self._owned(code, by).state = TallyState.SHOWN

    def reset(self, code: str, by: str | None) -> None:
        """Forget all answers and take new ones."""
        with self._lock:
            tally = self._owned(code, by)
            tally.state, tally.outcome = TallyState.OPEN, None
            tally.answers.clear()
            tally.changes.clear()

    def end(self, code: str, by: str | None) -> None:
        """Forget the tally; its code is then unknown."""
        with self._lock:
            del self._tallies[self._owned(code, by).code]

    def _count_change(self, tally: _Tally, visitor: str) -> None:
        changes = tally.changes.get(visitor, 0)
        if changes >= limits.MAX_ANSWER_CHANGES:
            raise LimitError(
                f"you have changed your answer {changes} times, and this is the limit; your last "
                "answer counts"
            )
        tally.changes[visitor] = changes + 1

    def _of_owner(self, visitor: str) -> _Tally | None:
        return next((tally for tally in self._tallies.values() if tally.owner == visitor), None)

    def _find(self, code: str) -> _Tally:
        self._expire()
        tally = self._tallies.get(code.strip().upper()) if len(code) <= 2 * CODE_LENGTH else None
        if tally is None:
            raise UnknownTallyError(
                "no question is open under this code; check the code, or ask the lecturer for a "
                "new one"
            )
        return tally

    def _owned(self, code: str, by: str | None) -> _Tally:
        tally = self._find(code)
        if not self._may_change(tally, by):
            raise NotYoursError("only the visitor who opened this question may change it")
        tally.attended = self._now()
        return tally

    def _may_change(self, tally: _Tally, by: str | None) -> bool:
        return tally.owner == self._hash(by) or self._permissions.is_operator(by)

    def _expire(self) -> None:
        oldest = self._now() - limits.TALLY_LIFETIME_SECONDS
        for code in [code for code, tally in self._tallies.items() if tally.opened < oldest]:
            del self._tallies[code]

    def _make_room(self) -> None:
        """Drop the tally that its owner left longest ago if all are taken; raise if none did."""
        if len(self._tallies) < limits.MAX_TALLIES:
            return
        left = min(self._tallies.values(), key=lambda tally: tally.attended)
        if self._now() - left.attended < limits.TALLY_IDLE_SECONDS:
            raise LimitError(
                f"{limits.MAX_TALLIES} questions are open on this server, and this is the limit; "
                "try again later"
            )
        del self._tallies[left.code]

    def _new_code(self) -> str:
        while True:
            code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
            if code not in self._tallies:
                return code

    def _visitor(self, token: str | None) -> str:
        """Return the hash of a visitor who may open a tally or answer; raise if unknown."""
        self._permissions.check_token(token)
        if token is not None and len(token) > MAX_TOKEN_LENGTH:
            raise NotYoursError("the cookie of this site is not valid; delete it and reload")
        return self._hash(token)

    def _hash(self, token: str | None) -> str:
        text = (token or "")[:MAX_TOKEN_LENGTH]
        return hashlib.sha256(self._salt + text.encode(errors="replace")).hexdigest()
