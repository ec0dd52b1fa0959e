"""Computations that take turns: one at a time, suspended in the middle, or cut."""

import threading
import time

import pytest

from bolt_core.live.turns import CutError, Turns


@pytest.fixture
def make_turns():
    made = []

    def make(name="test-turns"):
        made.append(Turns(name))
        return made[-1]

    yield make
    for turns in made:
        turns.close()


def test_work_that_ends_in_its_turn_is_not_suspended(make_turns):
    turns, names = make_turns(), []
    turns.run(lambda: names.append(threading.current_thread().name), 10.0)
    turns.run(lambda: names.append(threading.current_thread().name), 10.0)

    assert names == ["test-turns", "test-turns"]
    assert not turns.suspended


def test_long_work_is_suspended_and_goes_on_where_it_was(make_turns):
    first, second, steps = make_turns(), make_turns(), []

    def long_work(turns, name):
        for step in range(3):
            steps.append((name, step))
            turns.pause()

    for _ in range(3):
        first.run(lambda: long_work(first, "first"), 0.0)
        second.run(lambda: long_work(second, "second"), 0.0)

    assert steps == [(name, step) for step in range(3) for name in ("first", "second")]


def test_a_suspended_computation_uses_no_cpu_time(make_turns):
    turns, charged = make_turns(), []

    def work():
        began = time.thread_time()
        turns.pause()
        charged.append(time.thread_time() - began)

    turns.run(work, 0.0)
    assert turns.suspended
    until = time.process_time() + 0.1
    while time.process_time() < until:  # another thread computes meanwhile
        pass
    turns.run(work, 1.0)

    assert charged[0] < 0.05


def test_work_that_is_cut_ends_at_its_next_pause(make_turns):
    turns, ended = make_turns(), []

    def endless():
        try:
            while True:
                turns.pause()
        except CutError:
            ended.append(True)
            raise

    turns.run(endless, 0.01)
    assert turns.suspended
    turns.cut()
    turns.run(endless, 10.0)

    assert ended == [True]
    assert not turns.suspended


def test_closing_ends_the_thread_of_suspended_work(make_turns):
    turns = make_turns("test-closing")

    def endless():
        while True:
            turns.pause()

    turns.run(endless, 0.0)
    thread = next(t for t in threading.enumerate() if t.name == "test-closing")
    turns.close()
    thread.join(10)

    assert not thread.is_alive()


def test_a_pause_in_another_thread_does_nothing(make_turns):
    turns = make_turns()
    turns.cut()
    turns.pause()  # neither suspends nor raises: the caller is not the thread of the turns
    assert not turns.suspended
