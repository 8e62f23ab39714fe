"""The garbage collector, paused: by several at once, and with nothing of it left afterwards."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from weakref import ref

import pytest

from contract.pred.compile import pred_of
from contract.pred.dump import collector
from contract.pred.dump.collector import COLLECTOR, Collector


@pytest.fixture(autouse=True)
def enabled() -> Iterator[None]:
    gc.enable()
    yield
    gc.enable()


def test_the_first_pause_stops_it_and_the_last_one_starts_it() -> None:
    pauses = Collector()

    assert pauses.pause()
    assert pauses.pause()
    assert not gc.isenabled()
    pauses.resume()
    assert not gc.isenabled()
    pauses.resume()
    assert gc.isenabled()


def test_a_collector_that_somebody_stopped_stays_so() -> None:
    pauses = Collector()
    gc.disable()

    assert not pauses.pause()
    assert not gc.isenabled()


def test_pauses_do_not_follow_each_other_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(collector, "monotonic", lambda: now)
    pauses = Collector()
    assert pauses.pause()

    now = 0.9
    assert pauses.pause()
    now = 1.1
    assert not pauses.pause()
    assert gc.isenabled()  # though the first pause, of a validator that hangs, has not ended
    pauses.resume()
    pauses.resume()
    assert gc.isenabled()
    assert pauses.pause()
    pauses.resume()


def test_a_forked_child_begins_anew() -> None:
    pauses = Collector()
    pauses.restart()
    assert gc.isenabled()
    assert pauses.pause()

    pauses.restart()

    assert gc.isenabled()
    pauses.resume()  # of the pause in which it was forked
    assert pauses.pause()
    pauses.resume()
    assert gc.isenabled()


def paused(times: int) -> Collector:
    """One that has been paused so often."""
    pauses = Collector()
    for _ in range(times):
        assert pauses.pause()
        pauses.resume()
    return pauses


class Loop:
    """Garbage that only the collector finds, and that does something in its end."""

    def __init__(self, end: Callable[[], object]) -> None:
        self.own = self
        self.end = end

    def __del__(self) -> None:
        self.end()


@pytest.mark.unwatched
def test_what_is_young_counts_as_old_after_a_pause() -> None:
    pauses = Collector()
    gc.unfreeze()
    gc.collect()
    assert pauses.pause()
    made: list[list[object]] = [[] for _ in range(10_000)]

    pauses.resume()

    assert gc.get_count()[0] < 1_000
    assert gc.get_freeze_count() == 0
    assert {id(each) for each in gc.get_objects(generation=2)} > {id(each) for each in made}


def test_what_the_application_has_put_away_stays_so() -> None:
    pauses = Collector()
    gc.freeze()
    put_away = gc.get_freeze_count()
    try:
        assert pauses.pause()
        pauses.resume()

        assert put_away > 1_000
        assert gc.get_freeze_count() > put_away // 2  # some of them die in their own time
    finally:
        gc.unfreeze()


def test_garbage_that_counts_as_old_is_found_in_the_end() -> None:
    garbage = ref(Loop(int))
    paused(50)

    assert garbage() is None


def test_a_fork_in_the_middle_of_a_pause_is_told_to_begin_anew() -> None:
    assert COLLECTOR.pause()
    child = os.fork()
    if not child:
        os._exit(0 if gc.isenabled() else 1)
    COLLECTOR.resume()

    assert os.waitpid(child, 0)[1] == 0


def test_a_finalizer_may_wait_for_a_thread_that_pauses() -> None:
    pauses = paused(49)  # after the next one, everything old is looked at
    ended: list[bool] = []

    def work() -> None:
        if pauses.pause():
            pauses.resume()

    def end() -> None:
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        thread.join(5)
        ended.append(not thread.is_alive())

    assert pauses.pause()
    Loop(end)
    pauses.resume()

    assert ended == [True]
    assert gc.isenabled()


def test_a_fork_between_the_end_of_a_pause_and_the_start_of_the_collector_leaves_it_running(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses = Collector()
    seen: list[bool] = []

    def forked() -> int:
        child = Collector()
        for name in ("_pauses", "_stopped"):
            setattr(child, name, getattr(pauses, name))
        child.restart()
        seen.append(gc.isenabled())
        return 0

    # another thread forks while this one is anywhere between
    monkeypatch.setattr(collector, "monotonic", forked)
    assert pauses.pause()
    gc.disable()
    monkeypatch.setattr(gc, "get_freeze_count", forked)
    pauses.resume()

    assert seen == [True, True]
    assert gc.isenabled()


def test_an_exception_in_the_middle_leaves_it_running(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> int:
        raise KeyboardInterrupt

    pauses = Collector()
    assert pauses.pause()
    monkeypatch.setattr(gc, "get_freeze_count", interrupt)
    with pytest.raises(KeyboardInterrupt):
        pauses.resume()

    assert gc.isenabled()


def test_threads_that_load_and_dump_at_once_leave_it_as_it_was() -> None:
    pred = pred_of(Any)
    body = b"[" + b"[]," * 50_000 + b"1]"
    begin = threading.Barrier(4)

    def work(_: int) -> list[bytes]:
        begin.wait()
        return [pred.dump(pred.load(body)) for _ in range(3)]

    with ThreadPoolExecutor(4) as pool:
        assert [*pool.map(work, range(4))] == [[body] * 3] * 4
    assert gc.isenabled()


@pytest.mark.parametrize("stopped", [False, True])
def test_it_sleeps_while_a_large_body_is_loaded_and_dumped(stopped: bool) -> None:
    pred = pred_of(Any)
    body = b"[" + b",".join([b"[" * 150 + b"]" * 150] * 500) + b"]"
    runs: list[str] = []
    pred.dump(pred.load(b"[[]]"))

    def see(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            runs.append(phase)

    if stopped:
        gc.disable()
    gc.callbacks.append(see)
    try:
        value = pred.load(body)
        loaded = len(runs)
        pred.dump(value)
    finally:
        gc.callbacks.remove(see)

    assert loaded == 0
    assert len(runs) < 20  # of a hundred: it is paused once there is so much
    assert gc.isenabled() is not stopped
