"""An optimizer on a server: the same `ask` and `tell` as `Bolt`, over HTTP.

    opt = Remote.create("http://localhost:8501", {"maximize": "yield", "knobs": {...}})
    opt = Remote("http://localhost:8501/api/problems/ID", token)
    setting = opt.ask()
    opt.tell(setting, None, 71.3)

Only the standard library is needed. After a lost connection, or while the server is away, a call is
repeated for `retry_seconds`; asks and tells have a key, so that each takes effect once. Times are
those of the server's clock, unless a tell gives a datetime with a time zone.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit, urlunsplit
from uuid import uuid4

from bolt_core.common.errors import ConfigError, ConflictError, StateError
from bolt_core.online.http_client import HttpClient, RemoteError, is_passing
from bolt_core.online.results import Ask, Best

if TYPE_CHECKING:
    import pandas as pd

    from bolt_core.online.problem_spec import ProblemSpec

PROBLEMS = "/api/problems"


@dataclass(frozen=True, slots=True)
class RemoteStatus:
    """What an optimizer on a server does now; `str()` gives it in words."""

    told: int  # observations told, failed ones included
    failed: int
    kept: int  # of them in the dataset
    warmup_left: int  # observations until settings are no longer random
    n_star: int | None
    limit: str | None
    fresh_for: float | None  # seconds
    words: str
    data: Mapping[str, Any]  # everything that the server says

    def __str__(self) -> str:
        return self.words


class Remote:
    """A problem on a server.

    url            of the problem, or of its page
    token          of the problem, given when it was created
    timeout        seconds to wait for one answer
    retry_seconds  for which a call is repeated while the server is away; math.inf: for ever
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        timeout: float = 60.0,
        retry_seconds: float = 60.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url, self.token = _problem_url(url), token
        self._http = HttpClient(self.url, token, timeout, retry_seconds, sleep)
        self._last: Ask | None = None
        self._last_is_told = False

    @classmethod
    def create(
        cls,
        url: str,
        problem: ProblemSpec | Mapping[str, Any],
        operator_token: str | None = None,
        **options: Any,  # noqa: ANN401 - as in __init__
    ) -> Remote:
        """Create a problem on the server at `url` and return its optimizer; keep its `token`.

        `problem` is a ProblemSpec or the JSON object of one, and may have `rows` to start from. The
        operator's token is needed, unless the server listens on loopback only. While nothing
        listens there, or the server is busy, it is tried again for `retry_seconds`. After a
        connection that was lost on the way it is not: the problem may have been created.
        """
        data = problem if isinstance(problem, Mapping) else problem.to_json()
        server = _server_url(url)
        given = {k: v for k, v in options.items() if k in ("timeout", "retry_seconds", "sleep")}
        client = HttpClient(server, operator_token, **given)
        made = client.call("POST", PROBLEMS, data, has_second_effect=True)
        if not isinstance(made, dict) or not {"id", "token"} <= made.keys():
            raise RemoteError(f"{server} is no BOLT server; check the address")
        return cls(f"{server}{PROBLEMS}/{made['id']}", str(made["token"]), **options)

    def ask(self, *, reuse: bool = False) -> dict[str, Any]:
        """Return the next setting; `at` is its time, `last_id` its number.

        With `reuse`, a setting that was asked for and has no result yet is returned again, as a
        loop wants it that was restarted.
        """
        body = {"reuse": True} if reuse else {}
        answer = self._http.call("POST", "/ask", body, str(uuid4()))
        self._last = _ask(answer)
        self._last_is_told = False
        return dict(self._last.setting)

    @property
    def last_id(self) -> int:
        """The number of the last ask of this object; 0 before the first."""
        return 0 if self._last is None else self._last.id

    @property
    def at(self) -> datetime | None:
        """The time of the last ask of this object; None before the first."""
        return None if self._last is None else _aware(self._last.at)

    def tell(
        self,
        x: Mapping[str, Any] | None,
        t: datetime | None,
        y: float,
        *,
        id: int | str | None = None,
        key: str | None = None,
    ) -> bool:
        """Store the measurement y at x and time t; a y that is not finite has failed.

        As `Bolt.tell`: t = None is now; with `id`, the number of an ask, x may be None. Return
        whether it was stored: False if the ask or the key was told before.
        """
        if isinstance(id, str):
            id, key = None, id
        body = _measured(y)
        if id is None and x is None:
            raise ConfigError("give the setting that was measured, or the number of its ask as id")
        last = None if self._last is None or self._last_is_told else self._last
        if id is None and last is not None and x == last.setting:
            id, x = last.id, None
        body |= {} if id is None else {"ask": id}
        body |= {} if x is None else {"setting": dict(x)}
        body |= {} if t is None else {"at": t.isoformat()}
        given = key if key is not None or id is not None else str(uuid4())
        stored = bool(self._http.call("POST", "/tell", body, given)["stored"])
        self._last_is_told = self._last_is_told or (last is not None and id == last.id)
        return stored

    def withdraw(self, id: int | None = None) -> None:
        """Forget a pending ask that will have no result: by its number, or the newest."""
        if id is None:
            pending = self.pending
            if not pending:
                raise StateError("no ask is pending")
            id = pending[-1].id
        try:
            self._http.call_once("POST", "/skip", {"ask": id})
        except RemoteError as problem:
            if not is_passing(problem):
                raise
            if id in [ask.id for ask in self.pending]:  # it did not arrive
                self._http.call("POST", "/skip", {"ask": id})

    def undo(self) -> None:
        """Take back the last tell, and asks after it; the ask that it answered is pending again."""
        told = self.status().told
        try:
            self._http.call_once("POST", "/undo", {"told": told})
        except RemoteError as problem:
            if not is_passing(problem):
                raise
            try:
                self._http.call("POST", "/undo", {"told": told})
            except ConflictError:
                if self.status().told != told - 1:  # the first one did arrive otherwise
                    raise

    def change(self, knob: str, **changes: Any) -> None:  # noqa: ANN401 - checked by the server
        """Change the range, unit or max_step of a knob while running, such as high=6."""
        self._http.call("POST", "/change", {"knob": knob, **changes})

    def correct(self, row: int, y: float) -> None:
        """Correct the value of row `row` of the log; a y that is not finite has failed."""
        self._http.call("POST", "/correct", {"row": row, **_measured(y)})

    def best(self) -> Best:
        """Return the setting with the best expected outcome now, its mean and deviation."""
        best = self._http.call("GET", "/best")
        return Best(dict(best["setting"]), best["mean"], best["sd"], _time(best["at"]))

    def status(self) -> RemoteStatus:
        """Return what the optimizer does now; print it for words."""
        data = self._http.call("GET", "")
        return RemoteStatus(
            data["told"],
            data["failed"],
            data["kept"],
            data["random_settings_left"],
            data["n_star"],
            data["limit"],
            data["fresh_for_seconds"],
            data["status"],
            data,
        )

    @property
    def pending(self) -> list[Ask]:
        """The settings that were asked for and have no result yet, oldest first."""
        pending = self._http.call("GET", "")["pending"]
        return [_ask(ask) for ask in pending]

    @property
    def last_setting(self) -> dict[str, Any] | None:
        """The setting that was applied last, as far as the server knows."""
        setting: dict[str, Any] | None = self._http.call("GET", "")["last_setting"]
        return setting

    def log(self) -> pd.DataFrame:
        """Return what was told and what is pending, as `Bolt.log` does; it needs pandas."""
        import pandas as pd

        log = self._http.call("GET", "/log")
        frame = pd.DataFrame(log["rows"], columns=log["columns"])
        frame["time"] = [_time(text) for text in frame["time"]]
        outcome = log["columns"][1 + len(log["knobs"])]
        frame[outcome] = frame[outcome].astype(float)
        frame["ask"] = frame["ask"].astype("Int64")
        return frame

    def delete(self) -> None:
        """Delete the problem; its page can restore it for a day."""
        self._http.call_once("DELETE", "")

    def __repr__(self) -> str:
        return f"<the problem at {self.url}>"


def _measured(y: object) -> dict[str, Any]:
    """Return a value as it is sent; one that is not finite has failed."""
    try:
        value = float(y)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise ConfigError(f"y must be a number, got {y!r}; NaN if the measurement failed") from None
    return {"value": value} if math.isfinite(value) else {"failed": True}


def _ask(answer: Mapping[str, Any]) -> Ask:
    return Ask(
        answer["ask"],
        dict(answer["setting"]),
        _time(answer["at"]),
        bool(answer.get("explores", False)),
    )


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def _aware(at: float | datetime) -> datetime | None:
    return at if isinstance(at, datetime) else None


def _server_url(url: str) -> str:
    """Return the address of a server, without a path."""
    parts = urlsplit(url if "://" in url else f"http://{url}")
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ConfigError(f"{url!r} is no address; give one such as http://localhost:8501")
    path = parts.path.partition(PROBLEMS)[0].rstrip("/")
    return urlunsplit((parts.scheme, parts.netloc, path, "", ""))


def _problem_url(url: str) -> str:
    """Return the address of a problem in the service; `url` may be that of its page."""
    parts = urlsplit(url)
    before, found, id = parts.path.partition(f"{PROBLEMS}/")
    if parts.scheme in ("http", "https") and found and id.strip("/"):
        return urlunsplit((parts.scheme, parts.netloc, f"{before}{found}{id.strip('/')}", "", ""))
    page, ids = parts.path.removesuffix("/problem"), parse_qs(parts.query).get("id")
    if parts.scheme in ("http", "https") and ids and page != parts.path:
        path = f"{page}{PROBLEMS}/{ids[0]}"
        return urlunsplit((parts.scheme, parts.netloc, path, "", ""))
    raise ConfigError(
        f"{url!r} is not the address of a problem; give one such as "
        f"http://localhost:8501{PROBLEMS}/ID"
    )
