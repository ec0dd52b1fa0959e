"""Hostile visitors of a server, as threads of a process of their own.

`python -m tools.chaos.hostile PORT SEED SECONDS SCRIPTS RACE STORED` prints, as JSON lines, how
often each action was done, and at once whatever should not have been possible. RACE is a live race
of another visitor and STORED an ended one.
"""

import json
import random
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable

from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import WebSocketException

from tools.chaos.processes import say
from tools.chaos.visitor import Visitor
from tools.chaos.web import HOST

OPERATOR_GUESSES = ("guess", "", "the-operato", "\xe9", "None", "a" * 4000)
FLOOD_REQUESTS = 30
ALL_ROWS = {"selection": {"rows": list(range(20)), "columns": [], "cells": []}}
LANES = ("random", "gpucb", "bolt")
STILL_RUNNING_SECONDS = 5.0  # for which an action may go on at the end


class Script:
    """One hostile visitor, which does one action after the other."""

    def __init__(self, port: int, seed: str, race_id: str, stored_id: str) -> None:
        self.port, self.race_id, self.stored_id = port, race_id, stored_id
        self.rng = random.Random(seed)
        self.done: Counter[str] = Counter()

    def run(self, until: float) -> None:
        """Act until a moment in monotonic seconds."""
        while time.monotonic() < until:
            action = self.rng.choice(ACTIONS)
            try:
                action(self)
            except (WebSocketException, OSError, TimeoutError) as problem:
                self.done[f"{action.__name__}: {type(problem).__name__}"] += 1
            else:
                self.done[action.__name__] += 1

    def _visitor(self) -> Visitor:
        return Visitor(self.port, cookies=self.rng.choice((None, *self._forged())))

    def _forged(self) -> list[str]:
        guess = self.rng.choice(OPERATOR_GUESSES)
        return [f"bolt_owner=x{self.rng.randrange(100)}; bolt_operator={guess}", "bolt_owner=", ""]

    def start(self) -> None:
        """Start a race and leave it to itself."""
        with self._visitor() as visitor:
            lanes = ",".join(self.rng.sample(LANES, 2))
            visitor.open("", f"algos={lanes}&clock=model&device=paper&seed={self.rng.randrange(9)}")
            visitor.press("run")
            self._report(visitor)

    def start_too_much(self) -> None:
        """Start ten seeds of everything."""
        with self._visitor() as visitor:
            visitor.open(
                "", "algos=bolt,gpucb,abo,w-dbo&seeds=10&cut=full&clock=model&bench=powell"
            )
            visitor.press("run")
            visitor.press("confirm")
            self._report(visitor)

    def stop_others(self) -> None:
        """Press the buttons of another visitor's race, also with ids seen elsewhere."""
        with self._visitor() as visitor:
            visitor.open("", "algos=random&clock=model&device=paper")
            visitor.press("run")
            known = dict(visitor.widgets)
            visitor.open("", f"race={self.race_id}")
            for key in ("stop", "pause", "resume", "step"):
                if key in visitor.widgets and f"race={self.race_id}" in visitor.query:
                    say(violation=f"the page offers {key} of another visitor's race")
                    visitor.press(key)
                elif key in known:
                    visitor.set_value(WidgetState(id=known[key], trigger_value=True))
            self._report(visitor)

    def delete_others(self) -> None:
        """Select every race on the Runs page and delete it; or keep none."""
        with self._visitor() as visitor:
            visitor.open("runs")
            chosen, keep = visitor.widgets.get("chosen"), visitor.widgets.get("keep")
            if chosen and self.rng.random() < 0.7:
                state = WidgetState(id=chosen, string_value=json.dumps(ALL_ROWS))
                visitor.keep_value(state)
                visitor.set_value()
                visitor.press("delete")
                visitor.press("delete_yes")
            elif keep:
                visitor.keep_value(WidgetState(id=keep, double_value=0.0))
                visitor.press("prune")
            self._report(visitor)

    def continue_others(self) -> None:
        """Continue another visitor's stored race."""
        with self._visitor() as visitor:
            visitor.open("", f"race={self.stored_id}")
            visitor.press("go_on")
            self._report(visitor)

    def campaign(self) -> None:
        """Start the largest campaign that is offered, and stop any."""
        with self._visitor() as visitor:
            visitor.open("scoreboard")
            if box := visitor.widgets.get("campaign_to_run"):
                visitor.keep_value(WidgetState(id=box, string_value="paper"))
            visitor.press("campaign_start")
            visitor.press("confirm")
            visitor.press("campaign_stop")
            self._report(visitor)

    def upload(self) -> None:
        """Upload garbage as a record, for a session that may not exist."""
        session = self.rng.choice(("x", "../..", "%00", "a" * 999))
        self._raw(f"PUT /_stcore/upload_file/{session}/y", b"x" * 10_000)

    def become_operator(self) -> None:
        """Guess the operator's token."""
        status = self._raw(f"GET /bolt-operator?token={self.rng.randrange(10**9)}")
        if status not in (403, 0):
            say(violation=f"a guessed operator's token gave {status}")

    def flood(self) -> None:
        """Ask for charts of many moments at once."""
        for _ in range(FLOOD_REQUESTS):
            at = self.rng.uniform(0.0, 600.0)
            self._raw(f"GET /bolt-api/frames?race={self.race_id}&c=regret;;&c=landscape;;&at={at}")

    def drop(self) -> None:
        """Open websockets and leave before the page is there."""
        for _ in range(5):
            with self._visitor() as visitor:
                visitor.leave_early(self.rng.choice(("", "lab", "scoreboard", "runs")), "")

    def hang(self) -> None:
        """Send half a request and keep the connection for a while."""
        with socket.create_connection((HOST, self.port), timeout=5) as raw:
            raw.sendall(b"GET /bolt-api/frames?race=")
            time.sleep(0.5)

    def _raw(self, request: str, body: bytes = b"") -> int:
        """Send a request and return the status, 0 if the connection is closed."""
        head = f"{request} HTTP/1.1\r\nHost: {HOST}:{self.port}\r\nContent-Length: {len(body)}\r\n"
        with socket.create_connection((HOST, self.port), timeout=10) as raw:
            raw.sendall(head.encode() + b"Connection: close\r\n\r\n" + body)
            answer = raw.recv(4096).split()
        return int(answer[1]) if len(answer) > 1 else 0

    def _report(self, visitor: Visitor) -> None:
        for problem in visitor.exceptions:
            if "TimeoutError" in problem or "ConnectionClosed" in problem:
                self.done["slow or closed pages"] += 1
            else:
                say(violation=f"a page raised: {problem}")


ACTIONS: tuple[Callable[[Script], None], ...] = (
    *(Script.start, Script.start_too_much, Script.stop_others, Script.delete_others),
    *(Script.continue_others, Script.campaign, Script.upload, Script.become_operator),
    *(Script.flood, Script.drop, Script.hang),
)


def main() -> None:
    port, seed, seconds, scripts, race_id, stored_id = sys.argv[1:]
    until = time.monotonic() + float(seconds)
    made = [Script(int(port), f"{seed} {k}", race_id, stored_id) for k in range(int(scripts))]
    threads = [threading.Thread(target=script.run, args=(until,), daemon=True) for script in made]
    say(started=len(made))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(until - time.monotonic(), 0.0) + STILL_RUNNING_SECONDS)
    total: Counter[str] = Counter()
    for script in made:
        total += script.done
    say(done=dict(total))


if __name__ == "__main__":
    main()
