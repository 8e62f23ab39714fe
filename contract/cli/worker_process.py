"""
Worker process: a worker, as its server sees it.

A thread waits for each worker, and reports when it is ready and when it has ended. Only this thread
waits for the process itself: another one would be told that it is still alive.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import ExitStack, suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Final, cast, final

from contract.cli.signals import LEAVE, Ties

__all__ = ["LOG", "NOT_STARTED", "Start", "Worker", "name_of", "sizes", "start", "stop"]

LOG: Final = logging.getLogger("contract.serve")
"""The log of a server."""

NOT_STARTED: Final = (MemoryError, OSError, RuntimeError)
"""The exceptions of `start` if the system has no room for another process, pipe or thread."""


@final
class Worker:
    """
    A worker's process, as the server sees it.

    Attributes:
        idx: The number of its seat.
        ready_since: When it became ready; None before.
        asked: Whether the server has asked it to end.
    """

    def __init__(
        self,
        idx: int,
        process: SpawnProcess,
        lifeline: Connection,
        ready: Connection,
        news: Callable[[], None],
    ) -> None:
        self.idx: Final = idx
        self.ready_since: float | None = None
        self.asked: bool = False
        self._process: Final = process
        self._lifeline: Final = lifeline
        self._ready: Final = ready
        self._news: Final = news
        self._over: Final = threading.Event()

    def start(self) -> None:
        """
        Start it, and a thread that reports its state.

        If there is no room for both, neither of them is left.
        """
        self._process.start()
        watching = threading.Thread(
            target=self._watch, name=f"contract-watch-{self.name}", daemon=True
        )
        try:
            watching.start()
        except BaseException:
            self._process.kill()
            self._process.join()
            raise

    def _watch(self) -> None:
        with self._ready, suppress(EOFError, OSError):  # it may end before it is ready
            self._ready.recv_bytes()
            self.ready_since = time.monotonic()
            self._news()
        self._process.join()
        self._over.set()
        self._news()

    @property
    def name(self) -> str:
        """Its name in the log."""
        return name_of(self.idx)

    @property
    def ended(self) -> bool:
        """Whether its process has ended."""
        return self._over.is_set()

    @property
    def pid(self) -> int:
        """The id of its process."""
        return cast("int", self._process.pid)

    @property
    def served(self) -> float:
        """Seconds since it became ready."""
        if self.ready_since is None:
            return 0.0
        return time.monotonic() - self.ready_since

    @property
    def how(self) -> str:
        """The reason for its end."""
        code = cast("int", self._process.exitcode)
        if code >= 0:
            return f"exit code {code}"
        # multiprocessing tells a signal that ended it as a negative number
        try:
            return signal.Signals(-code).name
        except ValueError:  # only the first and the last real-time signal have a name
            return f"signal {-code}"

    def leave(self) -> None:
        """Make it close its connections with its replies, since another one has replaced it."""
        with suppress(OSError):  # it has ended, or the server is stopping
            self._lifeline.send_bytes(LEAVE)

    def drain(self) -> None:
        """
        Make it close its connections with its replies and end its streams, since it is to end soon.

        Repeating it does nothing.
        """
        self._lifeline.close()

    def terminate(self) -> None:
        """Ask it to end its streams, finish its calls and end."""
        self.asked = True
        self.drain()  # or its streams would last until it is killed
        self._process.terminate()

    def kill(self, timeout: int) -> None:
        """Kill it, since its calls did not end within *timeout* seconds."""
        LOG.warning("%s is killed: its calls did not end within %s s", self.name, timeout)
        self.asked = True
        self._process.kill()

    def wait(self, timeout: float | None = None) -> None:
        """Wait for its end."""
        self._over.wait(timeout)


def name_of(idx: int) -> str:
    """The name of the worker in the seat *idx* in the log."""
    return f"worker-{idx + 1}"


Start = Callable[[int, Callable[[], None]], Worker]
"""
Starts a worker in a seat, and calls the other argument whenever its state has changed.

Raises one of `NOT_STARTED` if there is no room for it.
"""


def start(
    make: Callable[[Ties], SpawnProcess],
    idx: int,
    news: Callable[[], None],
) -> Worker:
    """
    Start a worker in the seat *idx*.

    Args:
        make: Makes the process.
        idx: The number of the seat.
        news: Called when it is ready and when it has ended, in another thread.

    Raises:
        MemoryError, OSError, RuntimeError: The system has no room for another process, pipe or
            thread.
    """
    # Both ends of each pipe are open here until the worker has its own. Ours are closed if anything
    # fails; theirs in any case, or nobody would see on a pipe that the worker has ended.
    with ExitStack() as ours:
        theirs, lifeline = Pipe(duplex=False)
        ours.enter_context(lifeline)
        with theirs:
            ready, told = Pipe(duplex=False)
            ours.enter_context(ready)
            with told:
                process = make(Ties(theirs, told, os.getpid()))
                process.name = "contract-worker"
                worker = Worker(idx, process, lifeline, ready, news)
                worker.start()
        ours.pop_all()  # they belong to the worker
    return worker


def stop(workers: Collection[Worker], timeout: int, left: float) -> None:
    """
    Ask *workers* to finish their calls, and kill those that have not ended in time.

    Args:
        workers: The workers, which may have ended already.
        timeout: Seconds that calls get.
        left: Seconds that are left of these.
    """
    # all of them are asked before any is waited for, so that they end side by side
    until = time.monotonic() + left
    for each in workers:
        each.terminate()
    for each in workers:
        each.wait(max(0.0, until - time.monotonic()))
    late = [each for each in workers if not each.ended]
    for each in late:
        each.kill(timeout)
    for each in late:
        each.wait()


# The memory of processes.


def sizes(processes: Iterable[int]) -> dict[int, int]:
    """Process -> bytes of memory; without those that have ended."""
    return _SIZES(processes)


def _sizes_of_linux(processes: Iterable[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for pid in processes:
        with suppress(OSError):  # it has ended
            # the second number is what is in memory, in pages (man 5 proc)
            pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
            found[pid] = int(pages) * os.sysconf("SC_PAGE_SIZE")
    return found


def _sizes_of_ps(processes: Iterable[int]) -> dict[int, int]:
    command = ["ps", "-o", "pid=,rss=", "-p", ",".join(map(str, processes))]
    listed = subprocess.run(command, capture_output=True, check=False).stdout  # noqa: S603
    lines = [line.split() for line in listed.splitlines()]
    return {int(pid): int(size) * 1024 for pid, size in lines}  # ps counts KiB


_SIZES: Final = _sizes_of_linux if Path("/proc/self/statm").exists() else _sizes_of_ps
"""A container may have no ps, and only Linux has such files."""
