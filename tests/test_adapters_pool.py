"""The pool: room, and who gives it back."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import Empty, SimpleQueue

import pytest

from contract.adapters.pool import Lanes, Pool, Queued
from contract.call.incoming import Refused
from contract.call.mount_options import Limits

Gate = threading.Event


class Work:
    """Something to do in a thread, which waits until it is let go, and what came of it."""

    def __init__(self, pool: Pool, value: object = None, *, gate: Gate | None = None) -> None:
        self.gate = gate
        self.value = value
        self.begun = threading.Event()
        self.thread = ""
        self.ident = 0
        self.ran = False
        self.given: list[object] = []
        self.ended = threading.Event()
        self.queued: Queued = pool.submit(self.run, self.then)

    def run(self) -> object:
        self.thread = threading.current_thread().name
        self.ident = threading.get_ident()
        self.ran = True
        self.begun.set()
        assert self.gate is None or self.gate.wait(10)
        return self.value

    def then(self, given: object) -> None:
        self.given.append(given)
        self.ended.set()

    def done(self) -> object:
        """What came of it, once it has ended."""
        assert self.ended.wait(10)
        [given] = self.given
        return given


def begun(pool: Pool, gate: Gate) -> Work:
    """Something that a thread has begun, and that waits at the gate."""
    work = Work(pool, "done", gate=gate)
    assert work.begun.wait(10)
    return work


def until_ended(threads: set[threading.Thread]) -> None:
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    found = threading.Event()
    yield found
    found.set()


def refuses(pool: Pool) -> bool:
    try:
        Work(pool)
    except Refused as refused:
        return (refused.code, refused.headers) == ("SERVICE_UNAVAILABLE", (("retry-after", "1"),))
    return False


def room(pool: Pool) -> int:
    """How many calls the pool takes, while none of them ends."""
    gate, taken = threading.Event(), list[Work]()
    try:
        with suppress(Refused):
            while len(taken) < 100:
                taken.append(Work(pool, gate=gate))
    finally:
        gate.set()
    for work in taken:
        work.done()
    return len(taken)


def test_work_is_done_in_a_thread_one_after_the_other(gate: Gate) -> None:
    pool = Pool(1, 2)
    works = [Work(pool, number, gate=gate) for number in range(3)]
    gate.set()

    assert [work.done() for work in works] == [0, 1, 2]
    assert {work.thread for work in works} == {"contract-resolver"}


def test_threads_are_used_again_before_another_begins() -> None:
    """What one has done is told once it is free."""
    pool = Pool(8, 0)
    seen: set[int] = set()
    for _ in range(20):
        work = Work(pool)
        work.done()
        seen.add(work.ident)

    assert len(seen) == 1


def test_what_finds_no_room_is_refused_until_there_is_room_again(gate: Gate) -> None:
    pool = Pool(1, 1)
    works = [Work(pool, number, gate=gate) for number in range(2)]
    assert refuses(pool)
    assert refuses(pool)
    gate.set()
    assert [work.done() for work in works] == [0, 1]

    assert room(pool) == 2


def test_what_has_left_the_queue_is_not_begun_and_gives_its_room_back(gate: Gate) -> None:
    pool = Pool(1, 1)
    begun(pool, gate)
    second = Work(pool)
    assert pool.leave(second.queued)
    assert not pool.leave(second.queued)
    third = Work(pool, "third")
    assert refuses(pool)
    gate.set()

    assert third.done() == "third"
    assert not second.ran
    assert room(pool) == 2


def test_what_has_begun_is_not_left(gate: Gate) -> None:
    """Its thread is taken, whoever still waits for it."""
    pool = Pool(1, 0)
    work = begun(pool, gate)
    assert not pool.leave(work.queued)
    assert refuses(pool)
    gate.set()

    assert work.done() == "done"
    assert not pool.leave(work.queued)
    assert room(pool) == 1


class Turns:
    """A queue that counts what is put into it."""

    def __init__(self) -> None:
        self.queue: SimpleQueue[None] = SimpleQueue()
        self.given = 0

    def put(self, turn: None) -> None:
        self.given += 1
        self.queue.put(turn)

    def get(self, timeout: float) -> None:
        self.queue.get(timeout=timeout)


def test_who_comes_and_goes_leaves_nothing_behind(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The turns of those that have left go to those that come."""
    turns = Turns()
    monkeypatch.setattr("contract.adapters.pool.SimpleQueue", lambda: turns)
    pool = Pool(1, 2)
    first = begun(pool, gate)
    left = [Work(pool) for _ in range(1)]
    for _ in range(50):
        left.append(Work(pool))
        assert pool.leave(left[-1].queued)
    assert pool.leave(left[0].queued)
    assert turns.given == 3
    gate.set()

    assert first.done() == "done"
    assert (room(pool), [work for work in left if work.ran]) == (3, [])


def test_a_turn_that_nobody_needs_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread takes the turn of one that has left; then it ends as ever, and others begin."""
    turns = Turns()
    monkeypatch.setattr("contract.adapters.pool.SimpleQueue", lambda: turns)
    monkeypatch.setattr("contract.adapters.pool._QUIET", 0.001)
    before = set(threading.enumerate())
    pool = Pool(2, 1)
    for number in (1, 2):
        gate = threading.Event()
        held = [Work(pool, gate=gate) for _ in range(2)]
        for _ in range(2):
            assert pool.leave(Work(pool).queued)
        assert turns.given == 3 * number
        gate.set()
        for work in held:
            work.done()
        until_ended(set(threading.enumerate()) - before)

    assert Work(pool, "done").done() == "done"


def test_calls_that_come_and_go_in_many_threads_neither_get_lost_nor_take_room() -> None:
    pool = Pool(3, 4)
    lost: list[Work] = []

    def come_and_go(number: int) -> None:
        for turn in range(100):
            with suppress(Refused):
                work = Work(pool, turn)
                if not (turn % 3 and pool.leave(work.queued)) and not work.ended.wait(10):
                    lost.append(work)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(come_and_go, range(8)))

    assert lost == []
    assert room(pool) == 7


def test_what_is_told_to_a_loop_that_has_been_closed_is_nobodys() -> None:
    def closed(_: object) -> None:
        raise RuntimeError("Event loop is closed")

    pool = Pool(1, 1)
    pool.submit(int, closed)

    assert Work(pool, "after it").done() == "after it"
    assert room(pool) == 2


def full(_: threading.Thread) -> None:
    raise RuntimeError("can't start new thread")


def test_where_no_thread_can_be_started_it_is_refused_and_never_done(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And no more threads than the pool may have are started after that."""
    pool = Pool(1, 1)
    before = set(threading.enumerate())
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", full)
        assert [refuses(pool) for _ in range(3)] == [True] * 3

    works = [Work(pool, "again", gate=gate) for _ in range(2)]
    assert len(set(threading.enumerate()) - before) == 1
    gate.set()
    assert [work.done() for work in works] == ["again"] * 2
    assert room(pool) == 2


def test_a_thread_that_cannot_start_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """One thread is enough for what is done in turn, as before."""
    pool = Pool(8, 0)
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", full)
        assert refuses(pool)
    before = set(threading.enumerate())
    for _ in range(5):
        Work(pool).done()

    assert len(set(threading.enumerate()) - before) == 1


def test_what_another_thread_has_taken_is_done_though_no_more_can_be_started(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = Pool(2, 0)
    first = begun(pool, gate)
    taken = threading.Event()

    def full_and_taken(thread: threading.Thread) -> None:
        gate.set()
        assert taken.wait(10)
        full(thread)

    class Second(Work):
        def run(self) -> object:
            taken.set()
            return super().run()

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", full_and_taken)
        second = Second(pool, "second")

    assert (first.done(), second.done()) == ("done", "second")
    assert room(pool) == 2


def test_threads_end_when_nothing_comes_and_begin_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that have been given work meanwhile do it first."""
    monkeypatch.setattr("contract.adapters.pool._QUIET", 0.001)
    before = set(threading.enumerate())
    pool = Pool(3, 0)
    assert room(pool) == 3
    until_ended(set(threading.enumerate()) - before)

    assert [Work(pool, number).done() for number in range(200)] == [*range(200)]
    assert room(pool) == 3


def test_a_thread_that_gets_work_just_as_it_ends_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class Late(Turns):
        """A queue in which nothing is found at first, though something has come just then."""

        late = True

        def get(self, timeout: float) -> None:
            if self.late:
                self.late = False
                raise Empty
            super().get(timeout)

    monkeypatch.setattr("contract.adapters.pool.SimpleQueue", Late)
    pool = Pool(1, 0)

    assert Work(pool, "done").done() == "done"
    assert room(pool) == 1


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_child_has_threads_and_room_of_its_own(gate: Gate) -> None:
    """Those of its parent are none of its, even where they were all busy."""
    pool = Pool(1, 1)
    works = [Work(pool, gate=gate) for _ in range(2)]
    assert works[0].begun.wait(10)
    assert refuses(pool)
    process = os.fork()
    if process == 0:
        signal.alarm(10)
        found = 0
        with suppress(BaseException):
            found = room(pool)
        os._exit(found)
    _, status = os.waitpid(process, 0)
    gate.set()

    assert os.waitstatus_to_exitcode(status) == 2
    assert [work.done() for work in works] == [None, None]
    assert room(pool) == 2


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_child_has_no_calls_of_its_parent() -> None:
    """Else hooks of the child would run elsewhere for ever, as if they were crowded."""
    lanes = Lanes(Limits(threads=2))
    lanes.asking.append(None)
    assert lanes.crowded
    process = os.fork()
    if process == 0:
        os._exit(int(lanes.crowded))
    _, status = os.waitpid(process, 0)

    assert os.waitstatus_to_exitcode(status) == 0
    assert lanes.crowded
    lanes.restart()
    assert not lanes.crowded


def test_a_pool_is_stuck_until_something_moves(
    gate: Gate, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    lanes = Lanes(Limits(threads=1, queue=5))
    with caplog.at_level("ERROR", "contract.errors"):
        first, waits = (Work(lanes.hooks, gate=gate) for _ in range(2))
        assert not lanes.stuck()
        with monkeypatch.context() as patched:
            patched.setattr("contract.adapters.pool.STUCK", 0.0)
            assert lanes.stuck()
            assert refuses(lanes.hooks)
            assert Work(lanes.routes, "done").done() == "done"
            gate.set()
            first.done()
            waits.done()
            assert not lanes.stuck()
            assert Work(lanes.hooks, "done").done() == "done"

    assert caplog.text.count("all 1 threads for hooks have been busy for") == 1


def test_a_pool_is_stuck_after_ten_quiet_seconds(
    gate: Gate, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Not at once, where it has had nothing to do for long."""
    now = 0.0
    monkeypatch.setattr("contract.adapters.pool.monotonic", lambda: now)
    lanes = Lanes(Limits(threads=1, queue=5))
    now = 100.0
    work = Work(lanes.routes, gate=gate)
    assert not lanes.stuck()
    now = 109.999
    assert not lanes.stuck()
    now = 110.0
    assert lanes.stuck()
    gate.set()
    work.done()

    told = "all 1 threads for resolvers have been busy for 10 s, so calls that need one get 503"
    assert [record.getMessage() for record in caplog.records] == [told]


@pytest.mark.parametrize(("threads", "most"), [(1, 0), (2, 1), (5, 2)])
def test_hooks_may_hold_half_of_the_threads_for_resolvers(threads: int, most: int) -> None:
    lanes = Lanes(Limits(threads=threads))
    while not lanes.crowded:
        lanes.asking.append(None)  # as a call does

    assert len(lanes.asking) == most
