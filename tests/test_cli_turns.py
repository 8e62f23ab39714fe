"""Turns: who leads, who runs, who waits, and when there are more."""

from __future__ import annotations

import random
import threading
from collections import Counter, deque
from collections.abc import Callable, Generator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any

import pytest

from contract.cli import turns as module
from contract.cli.turns import Turns
from tests.cli_servers import PATIENCE, until

Job = Callable[[Any], None]


class Worker:
    """Stands for a worker: what is brought to it, one thread at a time takes, and runs or passes on."""

    def __init__(self, most: int) -> None:
        self.brought: SimpleQueue[tuple[Job, Any] | None] = SimpleQueue()
        self.led: list[tuple[int, bool]] = []
        """Which thread ran a job, and whether it led after that."""
        self.leads = 0
        """How often a thread began to lead."""
        self.over = False
        self.taken = 0
        """How much of what was brought has been looked at."""
        self.wrong = 0
        """How often two threads led at once."""
        self._taking = threading.Lock()
        self.turns = Turns(most, self._lead, self.wake)

    def bring(self, job: Job, about: Any = None) -> None:
        self.brought.put((job, about))

    def wake(self) -> None:
        self.brought.put(None)

    def _lead(self) -> None:
        self.leads += 1
        leads = True
        while leads and not self.over:
            self.wrong += not self._taking.acquire(blocking=False)
            brought = self.brought.get()
            self.taken += 1
            self._taking.release()
            if brought is None:
                leads = self.turns.run_waiting()
            else:
                leads = self.turns.run(*brought)
                self.led.append((threading.get_ident(), leads))

    def settled(self) -> None:
        """Wait until nothing is brought, and nothing runs."""
        until(lambda: self.brought.empty() and not (self.turns.busy or self.turns.jobs))


class Waits:
    """A job that waits until it is let go."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.ended = threading.Event()
        self.let_go = threading.Event()
        self.ran_in: threading.Thread

    def __call__(self, _: Any) -> None:
        self.ran_in = threading.current_thread()
        self.begun.set()
        assert self.let_go.wait(PATIENCE)
        self.ended.set()

    def end(self) -> None:
        self.let_go.set()
        assert self.ended.wait(PATIENCE)


class Resting(list[Any]):
    """Threads that rest, the first of which is woken just when it wants to end."""

    woken = 0

    def remove(self, thread: Any) -> None:
        super().remove(thread)
        if not self.woken:
            self.woken += 1
            thread.woken.release()
            super().remove(thread)


class Contested(deque[Any]):
    """Jobs that another thread takes just before this one does."""

    def popleft(self) -> Any:
        self.clear()
        return super().popleft()


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """No thread outlives its test for long."""
    monkeypatch.setattr(module, "_IDLE", 0.02)


@contextmanager
def started(most: int = 4) -> Generator[Worker]:
    """A worker that leads, and every thread of which has ended after that."""
    before = set(threading.enumerate())
    worker = Worker(most)
    worker.turns.start()
    try:
        yield worker
    finally:
        worker.over = True
        worker.wake()
        until(lambda: set(threading.enumerate()) <= before)
    assert worker.wrong == 0


def held(worker: Worker, count: int = 1) -> list[Waits]:
    """So many jobs that wait, each of which has a turn."""
    return [begun(worker, Waits()) for _ in range(count)]


def begun(worker: Worker, job: Waits) -> Waits:
    """That job, for which there will be a turn."""
    worker.bring(job)
    # no look once it is taken, which could find its turn idle, and add others
    look_until(worker, worker.brought.empty)
    assert job.begun.wait(PATIENCE)
    return job


def look_until(worker: Worker, condition: Callable[[], bool]) -> None:
    """Be the clock, which looks until that is true."""

    def look() -> bool:
        met = condition()
        if not met:
            worker.turns.look()
        return met

    until(look, pause=0)


def grown(worker: Worker, granted: int) -> None:
    look_until(worker, lambda: worker.turns.granted >= granted)


def fill(worker: Worker) -> None:
    """Have the clock find out that every possible turn is taken for long."""
    look_until(worker, lambda: worker.turns.full is not None)


def end(*jobs: Waits) -> None:
    for job in jobs:
        job.end()


def ignore(_: Any) -> None:
    """Do nothing."""


def ends(worker: Worker) -> bool:
    """Whether one more job is run, to its end, without a look of the clock's."""
    ran = threading.Event()
    worker.bring(lambda _: ran.set())
    return ran.wait(PATIENCE)


def test_a_job_is_run_by_the_leader_itself() -> None:
    with started() as worker:
        ran: list[tuple[Any, int]] = []
        for about in (1, 2):
            worker.bring(lambda each: ran.append((each, threading.get_ident())), about)
        until(lambda: len(worker.led) == 2)

        leader = worker.led[0][0]
        assert ran == [(1, leader), (2, leader)]
        assert worker.led == [(leader, True)] * 2
        assert (worker.turns.busy, worker.turns.done, worker.turns.granted) == (False, 2, 1)


def test_the_bell_rings_only_if_the_clock_sleeps() -> None:
    with started() as worker:
        bell = worker.turns.bell
        assert ends(worker)
        assert bell.is_set()

        bell.clear()
        assert ends(worker)
        assert not bell.is_set()

        worker.turns.asleep = True
        assert ends(worker)
        assert bell.is_set()


def test_a_job_that_waits_makes_room_for_others() -> None:
    with started() as worker:
        (first,) = held(worker)
        assert (worker.turns.busy, worker.turns.granted) == (True, 1)
        (second,) = held(worker)

        assert worker.turns.granted == 2
        assert first.ran_in is not second.ran_in
        end(first, second)


def test_turns_double_up_to_the_most() -> None:
    with started(most=6) as worker:
        seen = [worker.turns.granted]
        jobs = []
        while seen[-1] < 6:
            jobs += held(worker)
            if worker.turns.granted != seen[-1]:
                seen.append(worker.turns.granted)
        jobs += held(worker, 6 - len(jobs))
        fill(worker)

        assert seen == [1, 2, 4, 6]
        end(*jobs)
        worker.settled()
        worker.turns.look()
        assert worker.turns.full is None


def test_with_several_free_turns_the_lead_is_passed_on_before_a_job() -> None:
    with started() as worker:
        jobs = held(worker, 2)
        grown(worker, 4)
        end(*jobs)
        worker.settled()
        waits = Waits()
        worker.bring(waits)

        assert ends(worker), "though nobody looked, and the other one waits"
        assert waits.begun.wait(PATIENCE)
        end(waits)


def test_turns_that_are_not_needed_are_taken_back_and_one_stays_free(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_SHRINK", PATIENCE)
    with started() as worker:
        jobs = held(worker, 2)
        grown(worker, 4)
        worker.turns.look()
        assert worker.turns.granted == 4, "not so soon"

        monkeypatch.setattr(module, "_SHRINK", -1.0)
        look_until(worker, lambda: worker.turns.granted == 3)
        for _ in range(4):
            worker.turns.look()
        assert worker.turns.granted == 3, "two are used, and the leader needs one for the next"

        end(*jobs)
        worker.settled()
        for _ in range(4):
            worker.turns.look()
        assert (worker.turns.granted, worker.turns.busy) == (1, False)
        assert ends(worker)


def test_jobs_beyond_the_most_are_run_by_whoever_ends() -> None:
    with started(most=1) as worker:
        (first,) = held(worker)
        fill(worker)
        ran: list[tuple[Any, threading.Thread]] = []
        for about in range(3):
            worker.bring(lambda each: ran.append((each, threading.current_thread())), about)
        until(lambda: len(worker.turns.jobs) == 3)
        assert ran == []

        first.let_go.set()
        until(lambda: len(ran) == 3)
        assert ran == [(about, first.ran_in) for about in range(3)]
        worker.settled()
        assert worker.turns.granted == 1


def test_the_leader_is_told_of_jobs_that_wait_when_every_turn_is_taken() -> None:
    """It could have a turn returned to it, and not know."""
    with started(most=1) as worker:
        (first,) = held(worker)
        fill(worker)
        worker.bring(ignore)
        until(lambda: len(worker.turns.jobs) == 1)
        before = worker.taken
        look_until(worker, lambda: worker.taken > before)

        end(first)


def test_a_turn_returned_when_jobs_are_put_aside_is_used_for_them() -> None:
    """The thread that ended saw no job, and the leader no turn."""
    with started(most=1) as worker:
        turns = worker.turns
        (first,) = held(worker)
        fill(worker)
        waits = Waits()
        worker.bring(ignore)
        worker.bring(waits)
        until(lambda: len(turns.jobs) == 2)
        jobs, turns.jobs = turns.jobs, deque()  # type: ignore[misc]
        end(first)
        until(lambda: not turns.busy)
        turns.jobs = jobs  # type: ignore[misc]
        worker.wake()
        assert waits.begun.wait(PATIENCE)

        before = worker.leads
        look_until(worker, lambda: worker.leads > before)
        end(waits)
        worker.settled()
        assert turns.done == 3


def test_a_turn_taken_for_a_job_that_another_thread_has_taken_is_returned() -> None:
    turns = Turns(1, lambda: None, lambda: None)
    turns.jobs = Contested([(ignore, None)])  # type: ignore[misc]

    assert turns.run_waiting()
    assert (turns.busy, turns.done) == (False, 0)


def test_the_jobs_that_wait_can_be_taken_by_somebody_without_a_turn() -> None:
    with started(most=1) as worker:
        (first,) = held(worker)
        fill(worker)
        for about in ("second", "third"):
            worker.bring(ignore, about)
        until(lambda: len(worker.turns.jobs) == 2)

        assert worker.turns.stuck() == ["second", "third"]
        assert (worker.turns.stuck(), len(worker.turns.jobs)) == ([], 0)
        end(first)
        worker.settled()
        assert worker.turns.done == 1


class Taken(deque[Any]):
    """Jobs that another thread takes just before this one removes one."""

    def remove(self, job: Any) -> None:
        self.clear()
        super().remove(job)


def test_a_job_that_waits_can_be_withdrawn_unless_it_was_taken() -> None:
    turns = Turns(1, lambda: None, lambda: None)
    turns.jobs.extend([(ignore, "first"), (ignore, "second")])

    assert [turns.withdraw(about) for about in ("second", "second", "first")] == [True, False, True]
    turns.jobs = Taken([(ignore, "third")])  # type: ignore[misc]
    assert (turns.withdraw("third"), turns.waiting()) == (False, [])


def test_a_job_that_raises_loses_no_turn(caplog: pytest.LogCaptureFixture) -> None:
    def raises(_: Any) -> None:
        raise SystemExit

    with started(most=1) as worker:
        worker.bring(raises)
        worker.bring(raises)
        until(lambda: len(worker.led) == 2)

        assert [leads for _, leads in worker.led] == [True, True]
        assert (worker.turns.busy, worker.turns.done) == (False, 2)
        assert ends(worker)
    assert caplog.text.count("what was to answer a request raised") == 2


def test_a_job_that_computes_for_long_lets_others_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """It uses the processor all the time, and would keep everybody waiting all the same."""
    clock = iter(range(1, 100_000))
    monkeypatch.setattr(module, "monotonic", lambda: float(next(clock)))
    monkeypatch.setattr(module, "ran_of", lambda _: next(clock) * 2.0)
    with started(most=2) as worker:
        computes, quick = Waits(), threading.Event()
        worker.bring(computes)
        assert computes.begun.wait(PATIENCE)
        worker.bring(lambda _: quick.set())
        worker.turns.look()
        worker.turns.look()
        assert worker.turns.granted == 1, "not so soon as beside one that waits"
        look_until(worker, quick.is_set)

        assert worker.turns.granted == 2
        end(computes)


@pytest.mark.parametrize(
    ("works", "idles", "more"),
    [(True, False, False), (False, True, False), (False, False, True)],
    ids=["not if they compute", "not if the leader is idle in between", "if they wait"],
)
def test_short_jobs_get_more_turns(
    monkeypatch: pytest.MonkeyPatch, works: bool, idles: bool, more: bool
) -> None:
    clock = iter(range(1, 100_000))
    monkeypatch.setattr(module, "monotonic", lambda: float(next(clock)))
    monkeypatch.setattr(module, "ran_of", lambda _: next(clock) * 2.0 if works else 0.0)

    with started() as worker:

        def short(_: Any) -> None:
            worker.turns.idle += idles
            worker.turns.look()

        for _ in range(12):
            worker.bring(short)
        until(lambda: worker.turns.done == 12)
        assert (worker.turns.granted > 1) is more


def test_a_thread_does_not_take_the_offer_of_another_for_its_own() -> None:
    """Its own was taken while it ran a job."""
    with started(most=2) as worker:
        (first,) = held(worker)
        (second,) = held(worker)
        # the lead was the first one's; now the second one offers it, and the first one ends
        first.end()
        until(lambda: len(worker.led) == 1)
        assert worker.led == [(first.ran_in.ident, False)]
        assert ends(worker), "it has taken that offer, since it has nothing else to do"

        second.end()
        until(lambda: len(worker.led) == 3)
        assert worker.led[2] == (second.ran_in.ident, False)
        worker.settled()
        assert ends(worker)


class Limited:
    """The system's limit of threads: no others can be started while it is reached."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached = False
        self.tried = threading.Semaphore(0)
        start = threading.Thread.start

        def limited(thread: threading.Thread) -> None:
            if self.reached:
                self.tried.release()
                raise RuntimeError("can't start new thread")
            start(thread)

        monkeypatch.setattr(threading.Thread, "start", limited)


def test_a_leader_that_no_other_can_follow_keeps_the_lead(monkeypatch: pytest.MonkeyPatch) -> None:
    limited = Limited(monkeypatch)
    with started() as worker:
        jobs = held(worker, 2)
        grown(worker, 4)
        end(*jobs)
        worker.settled()
        until(lambda: len(worker.turns._threads) == 1)
        limited.reached = True
        worker.led.clear()
        assert ends(worker)
        assert ends(worker)

        until(lambda: [leads for _, leads in worker.led] == [True, True])
        assert worker.turns.done == 4
        assert not worker.turns.busy
        limited.reached = False


def grows(worker: Worker, limited: Limited) -> None:
    limited.reached = True
    grown(worker, 2)


def test_the_clock_passes_the_lead_on_as_soon_as_a_thread_can_have_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limited = Limited(monkeypatch)
    monkeypatch.setattr(module, "_IDLE", PATIENCE)
    with started() as worker:
        (first,) = held(worker)
        clock = threading.Thread(target=grows, args=(worker, limited))
        clock.start()
        assert limited.tried.acquire(timeout=PATIENCE)
        end(first)
        clock.join(PATIENCE)
        monkeypatch.setattr(module, "_IDLE", 0.02)

        assert ends(worker)
        limited.reached = False


def test_a_thread_that_rests_leads_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_IDLE", PATIENCE)
    with started(most=2) as worker:
        (first,) = held(worker)
        grown(worker, 2)
        end(first)
        until(lambda: worker.turns._resting)
        second, third = held(worker, 2)
        rests = first.ran_in

        assert second.ran_in is not rests
        assert third.ran_in is rests
        monkeypatch.setattr(module, "_IDLE", 0.02)
        end(second, third)
        worker.settled()


def test_a_thread_that_has_nothing_to_do_ends() -> None:
    with started() as worker:
        (first,) = held(worker)
        grown(worker, 2)
        end(first)
        first.ran_in.join(PATIENCE)

        assert not first.ran_in.is_alive()
        assert ends(worker)


def test_a_thread_that_is_woken_when_it_is_about_to_end_leads() -> None:
    with started() as worker:
        resting = worker.turns._resting = Resting()  # type: ignore[misc]
        until(lambda: worker.leads)
        worker.over = True
        worker.wake()
        until(lambda: worker.leads == 2)

    assert resting.woken == 1


@pytest.mark.parametrize("most", [1, 2, 5])
def test_every_job_is_run_once_and_never_more_than_there_are_turns(most: int) -> None:
    chance = random.Random(most)
    ran: Counter[int] = Counter()
    running: list[None] = []
    highest = 0
    many = 400

    def job(about: tuple[int, float]) -> None:
        nonlocal highest
        number, seconds = about
        running.append(None)
        highest = max(highest, len(running))
        if seconds:
            threading.Event().wait(seconds)
        running.pop()
        ran[number] += 1

    waits = [chance.choice((0.0, 0.0, 0.001, 0.01)) for _ in range(many)]

    with started(most) as worker:

        def bring(begin: int) -> None:
            for number in range(begin, many, 4):
                worker.bring(job, (number, waits[number]))

        def watch() -> None:
            while not worker.over:
                worker.turns.look()

        threads = [threading.Thread(target=bring, args=(begin,)) for begin in range(4)]
        threads.append(threading.Thread(target=watch))
        for thread in threads:
            thread.start()
        until(lambda: worker.turns.done == many)
        worker.settled()
        worker.over = True
        worker.wake()
        for thread in threads:
            thread.join(PATIENCE)

    assert ran == Counter(range(many))
    assert highest <= most


def test_what_a_thread_ran_is_told_on_every_system() -> None:
    assert module.ran_of(threading.get_native_id()) > 0
    assert module.ran_of(-1) > 0


def wrong(about: Any) -> None:
    raise LookupError(about)


def test_a_job_that_waited_and_raises_loses_no_turn(caplog: pytest.LogCaptureFixture) -> None:
    with started(most=1) as worker:
        (first,) = held(worker)
        fill(worker)
        worker.bring(wrong)
        until(lambda: worker.turns.jobs)
        end(first)
        worker.settled()

        assert ends(worker)
    assert "what was to answer a request raised" in caplog.text
