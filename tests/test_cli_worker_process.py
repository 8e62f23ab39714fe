"""A worker as its server sees it: real processes, which get ready, end and are ended."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path

import pytest

from contract.cli import worker_process
from contract.cli.signals import LEAVE, Ties
from contract.cli.worker_process import LOG, NOT_STARTED, Start, Worker, sizes, start, stop
from tests.cli_servers import PATIENCE, until
from tests.tables import rows


def obedient(ties: Ties) -> None:
    ties.ready()
    threading.Event().wait()


def stubborn(ties: Ties) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    obedient(ties)


def short(ties: Ties) -> None:
    sys.exit(7)


def following(ties: Ties) -> None:
    """Ends with 3 if it is told to leave, and then that the server stops."""
    ties.ready()
    assert ties.lifeline.recv_bytes() == LEAVE
    with pytest.raises(EOFError):
        ties.lifeline.recv_bytes()
    os._exit(3)


def waiting_for_the_end(ties: Ties) -> None:
    """Ends with 4 if it is told that it is to end soon, whatever it is asked."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    ties.ready()
    with pytest.raises(EOFError):
        ties.lifeline.recv_bytes()
    os._exit(4)


def made(target: Callable[[Ties], None], ties: Ties) -> SpawnProcess:
    return SpawnProcess(target=target, args=(ties,))


def starting(target: Callable[[Ties], None]) -> Start:
    return partial(start, partial(made, target))


class Seen:
    """A worker, and how often there was news of it."""

    def __init__(self, target: Callable[[Ties], None]) -> None:
        self.news: list[None] = []
        self.worker: Worker = starting(target)(1, lambda: self.news.append(None))


def test_there_is_news_when_a_worker_is_ready_and_when_it_has_ended() -> None:
    seen = Seen(obedient)
    worker = seen.worker
    until(lambda: seen.news)
    ready = (worker.name, worker.ready_since is not None, worker.ended, worker.asked)
    stop([worker], 8, PATIENCE)
    until(lambda: len(seen.news) == 2)

    assert ready == ("worker-2", True, False, False)
    assert (worker.ended, worker.asked, worker.how) == (True, True, "SIGTERM")
    assert worker.served > 0


def test_of_one_that_ends_before_it_is_ready_there_is_news_once() -> None:
    seen = Seen(short)
    until(lambda: seen.news)
    worker = seen.worker

    assert (worker.ended, worker.how, worker.asked) == (True, "exit code 7", False)
    assert (worker.ready_since, worker.served, len(seen.news)) == (None, 0.0, 1)


def test_a_worker_is_told_to_leave_and_that_the_server_stops() -> None:
    worker = Seen(following).worker
    worker.leave()
    worker.drain()
    worker.wait(PATIENCE)
    worker.leave()

    assert worker.how == "exit code 3"


def test_a_worker_is_told_that_it_is_to_end_before_it_is_asked_to() -> None:
    """Otherwise its open streams would last until it is killed."""
    seen = Seen(waiting_for_the_end)
    until(lambda: seen.news)
    stop([seen.worker], 8, PATIENCE)
    seen.worker.drain()
    seen.worker.leave()

    assert seen.worker.how == "exit code 4"


class Unstarted(SpawnProcess):
    """A process for which the system has no room."""

    def start(self) -> None:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")


def test_no_pipe_stays_open_if_a_process_cannot_be_started() -> None:
    kept: list[Connection] = []

    def make(ties: Ties) -> SpawnProcess:
        kept.append(Connection(os.dup(ties.lifeline.fileno()), writable=False))
        kept.append(Connection(os.dup(ties.news.fileno()), readable=False))
        return Unstarted()

    with pytest.raises(BlockingIOError) as raised:  # it holds all that the frames hold
        start(make, 1, lambda: None)
    lifeline, news = kept
    with lifeline, news:
        assert lifeline.poll()
        with pytest.raises(EOFError):
            lifeline.recv_bytes()
        with pytest.raises(BrokenPipeError):
            news.send_bytes(b"ready")
    assert isinstance(raised.value, NOT_STARTED)


def test_a_process_that_no_thread_can_watch_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[SpawnProcess] = []

    def make(ties: Ties) -> SpawnProcess:
        seen.append(made(stubborn, ties))
        return seen[0]

    def fail(_: threading.Thread) -> None:
        message = "can't start new thread"
        raise RuntimeError(message)

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", fail)
        with pytest.raises(NOT_STARTED, match="can't start new thread"):
            start(make, 1, lambda: None)

    assert seen[0].exitcode == -signal.SIGKILL


def killed_without_a_name(ties: Ties) -> None:
    """Ended by a real-time signal that the kernel has no name for."""
    del ties
    signal.raise_signal(signal.SIGRTMIN + 1)


def test_a_signal_without_a_name_is_told_by_its_number() -> None:
    worker = Seen(killed_without_a_name).worker
    worker.wait(PATIENCE)

    assert worker.how == f"signal {signal.SIGRTMIN + 1}"


@rows(
    "target, left, how, told",
    (obedient, PATIENCE, "SIGTERM", []),
    (stubborn, 0.0, "SIGKILL", ["worker-2 is killed: its calls did not end within 8 s"]),
)
def test_what_does_not_end_in_time_is_killed(
    caplog: pytest.LogCaptureFixture,
    target: Callable[[Ties], None],
    left: float,
    how: str,
    told: list[str],
) -> None:
    seen = Seen(target)
    until(lambda: seen.news)
    with caplog.at_level("WARNING", LOG.name):
        stop([seen.worker], 8, left)

    assert (seen.worker.ended, seen.worker.how) == (True, how)
    assert caplog.messages == told


OTHERWISE = worker_process._sizes_of_ps
"""On every system there is a ps for these tests, and each system has one of both."""


@pytest.mark.parametrize("measured", [sizes, OTHERWISE], ids=["here", "ps"])
def test_of_a_process_that_has_gone_no_size_is_known(
    measured: Callable[[list[int]], dict[int, int]],
) -> None:
    mine = os.getpid()
    found = measured([mine, 2**22 + 1])

    assert found.keys() == {mine}
    assert found[mine] > 1024 * 1024
    assert measured([]) == {}


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only Linux has such files")
def test_the_kernel_says_what_ps_says() -> None:
    """In pages and in KiB; the process may grow between the two."""
    mine = os.getpid()

    assert sizes([mine])[mine] == pytest.approx(OTHERWISE([mine])[mine], rel=0.2)
