"""Turns: who runs, who waits, and when there are more."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from contract.cli import turns as module
from contract.cli.turns import Turns
from tests.cli_servers import until


def ignore() -> None:
    """Nobody looks."""


class Waits:
    """A job that waits until it is let go."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.let_go = threading.Event()
        self.thread = threading.current_thread()

    def __call__(self, _: Any) -> None:
        self.begun.set()
        assert self.let_go.wait(10)

    def hold(self, turns: Turns) -> Waits:
        """It is run, and has a turn when this returns."""
        self.thread = run(turns, self)
        assert self.begun.wait(10)
        return self

    def end(self) -> None:
        self.let_go.set()
        self.thread.join(10)


def run(turns: Turns, job: Callable[[Any], None], about: Any = None) -> threading.Thread:
    thread = threading.Thread(target=turns.run, args=(job, about), daemon=True)
    thread.start()
    return thread


def looked(turns: Turns) -> Turns:
    turns.look()
    return turns


def test_a_job_is_run_where_it_is_brought() -> None:
    rung: list[str] = []
    turns = Turns(4, lambda: rung.append("bell"))
    ran: list[Any] = []
    for about in (1, 2):
        turns.run(ran.append, about)

    assert (ran, turns.busy, rung) == ([1, 2], False, ["bell"])


def test_whoever_has_the_turn_runs_what_others_bring() -> None:
    turns = Turns(4, ignore)
    ran: list[Any] = []
    first = Waits().hold(turns)
    brings = run(turns, ran.append, "second")
    until(lambda: turns.waiting == 1)
    first.end()

    assert (ran, turns.busy) == (["second"], False)
    assert brings.is_alive(), "it rests, so that one thread fewer takes what comes"


def test_a_call_that_waits_makes_room_for_others() -> None:
    turns, second = Turns(4, ignore), Waits()
    first = Waits().hold(turns)
    second.thread = run(turns, second)
    until(lambda: turns.waiting == 1)
    until(lambda: looked(turns).granted >= 2 and second.begun.is_set())

    for each in (first, second):
        each.end()


def test_turns_that_are_not_needed_any_more_are_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SHRINK", -1.0)
    turns = Turns(4, ignore)
    first = Waits().hold(turns)
    until(lambda: looked(turns).granted > 1)
    first.end()
    for _ in range(4):
        turns.look()

    assert (turns.granted, turns.busy) == (1, False)


def test_when_every_turn_is_taken_for_good_others_bring_and_do_not_rest() -> None:
    turns = Turns(1, ignore)
    first = Waits().hold(turns)
    rests = run(turns, ignore_about, "rests")
    until(lambda: turns.waiting == 1)
    until(lambda: looked(turns).full is not None)
    brings = run(turns, ignore_about, "brings")
    brings.join(10)

    assert not brings.is_alive()
    assert (turns.stuck(), turns.waiting) == (["rests", "brings"], 0)
    first.end()
    rests.join(10)
    turns.look()
    assert turns.full is None


def ignore_about(_: Any) -> None:
    """Do nothing."""


def test_what_is_offered_is_run_by_whoever_has_the_turn() -> None:
    turns = Turns(1, ignore)
    ran: list[Any] = []
    turns.offer(ran.append, 1)
    first = Waits().hold(turns)
    turns.offer(ran.append, 2)

    assert ran == [1]
    first.end()
    assert ran == [1, 2]


def test_somebody_is_left_to_take_what_comes_after_an_offer() -> None:
    """Every thread of the server's may have found no turn while the offer was run, and rest."""
    turns, offered = Turns(1, ignore), Waits()
    offers = threading.Thread(target=turns.offer, args=(offered, None), daemon=True)
    offers.start()
    assert offered.begun.wait(10)
    brings = run(turns, ignore_about)
    until(lambda: turns.waiting == 1)
    offered.let_go.set()
    brings.join(10)

    assert not brings.is_alive()
    offers.join(10)


def test_of_those_that_take_turns_at_it_as_many_go_on_as_there_are_turns() -> None:
    turns = Turns(4, ignore)
    ran: list[Any] = []
    turns.run(ran.append, "first")
    second = run(turns, ran.append, "second")
    until(lambda: turns.resting == 1)
    turns.run(ran.append, "third")
    turns.offer(ran.append, "fourth")
    second.join(10)

    assert not second.is_alive()
    assert ran == ["first", "second", "third", "fourth"]


def test_nobody_rests_with_a_connection_that_is_to_be_closed() -> None:
    class Unread:
        unread = True

    turns = Turns(4, ignore)
    turns.run(ignore_about, None)
    brings = run(turns, ignore_about, Unread())
    brings.join(10)

    assert not brings.is_alive()


def test_a_job_that_raises_loses_no_turn(caplog: pytest.LogCaptureFixture) -> None:
    def raises(_: Any) -> None:
        raise SystemExit

    turns = Turns(1, ignore)
    turns.run(raises, None)
    turns.offer(raises, None)

    assert (turns.busy, turns.done) == (False, 2)
    assert caplog.text.count("what was to answer a request raised") == 2


def test_a_call_that_computes_for_long_lets_others_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """It uses the processor all the time, and would keep everybody waiting all the same."""
    clock = iter(range(1, 100_000))

    def ran(_thread: int) -> float:
        return next(clock) * 2.0

    monkeypatch.setattr(module, "monotonic", lambda: float(next(clock)))
    monkeypatch.setattr(module, "ran_of", ran)
    turns = Turns(2, ignore)
    first = Waits().hold(turns)
    until(lambda: looked(turns).granted == 2)
    first.end()


def test_what_a_thread_ran_is_told_on_every_system() -> None:
    assert module.ran_of(threading.get_native_id()) > 0
    assert module.ran_of(-1) > 0
