"""
Worker process: a worker, seen from its server.

A thread waits for each of them, and tells when it is ready and when it has ended.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, Final, NoReturn, cast, final

from granian.server.mp import WorkerProcess

from contract.cli.signals import LEAVE
from contract.cli.spawning import ProcInfoCollector

__all__ = ["Ending", "Worker", "end", "sizes"]


def sizes(processes: Iterable[int]) -> dict[int, int]:
    """Bytes of memory of each of *processes*; of none, where one is just ending."""
    try:
        return cast("dict[int, int]", ProcInfoCollector().memory([*processes]))
    except RuntimeError:
        return {}


def end(code: int) -> NoReturn:
    """
    End this process with *code*, after its exit handlers, but without the end of the interpreter.

    Threads of granian's go on after it has stopped. One that needs the interpreter while that is
    being taken down ends in a panic of Rust's. A process that was forked ends in this way, too
    (Lib/multiprocessing/popen_fork.py).
    """
    # private, but nothing else runs those that were there before the app's
    cast("Any", atexit)._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # nobody reads it, or it was closed
            stream.flush()
    os._exit(code)


class Ending(SpawnProcess):
    """
    A process that is spawned, and ends by `end`.

    By then, multiprocessing has joined its threads and knows its exit code.
    """

    def _bootstrap(self, *args: Any, **more: Any) -> NoReturn:
        end(cast("Any", super())._bootstrap(*args, **more))


@final
class Worker:
    """
    A worker's process, seen from the server.

    Attributes:
        idx: Its seat.
        ready_since: When it became ready; None before.
        asked: Whether the server has asked for that.
    """

    def __init__(
        self,
        granians: WorkerProcess,
        lifeline: Connection,
        ready: Connection,
        news: Callable[[Worker], None],
    ) -> None:
        self.idx: Final[int] = granians.idx
        self.ready_since: float | None = None
        self.asked: bool = False
        # granian's attributes are not annotated
        self._process: Final = cast("SpawnProcess", cast("Any", granians).inner)
        self._lifeline: Final = lifeline
        self._ready: Final = ready
        self._news: Final = news
        self._over: Final = threading.Event()

    def start(self) -> None:
        """Start it, and a thread that tells how it does."""
        self._process.start()
        threading.Thread(
            target=self._watch, name=f"contract-watch-{self.name}", daemon=True
        ).start()

    def _watch(self) -> None:
        with self._ready, suppress(EOFError, OSError):  # where it ended before it was ready
            self._ready.recv_bytes()
            self.ready_since = time.monotonic()
            self._news(self)
        self._process.join()
        self._over.set()
        self._news(self)

    @property
    def name(self) -> str:
        """For the log."""
        return f"worker-{self.idx + 1}"

    @property
    def ended(self) -> bool:
        """Whether its process is over."""
        return self._over.is_set()

    @property
    def pid(self) -> int:
        """Its process."""
        return cast("int", self._process.pid)

    @property
    def served(self) -> float:
        """Seconds since it was ready."""
        return 0.0 if self.ready_since is None else time.monotonic() - self.ready_since

    @property
    def how(self) -> str:
        """The reason of its end."""
        code = cast("int", self._process.exitcode)
        return f"exit code {code}" if code >= 0 else signal.Signals(-code).name

    def leave(self) -> None:
        """Have it close its connections with its replies, since another one has taken its seat."""
        with suppress(OSError):  # it has ended, or the server stops
            self._lifeline.send_bytes(LEAVE)

    def drain(self) -> None:
        """Have it close its connections with its replies, since the server is about to stop."""
        self._lifeline.close()

    # for granian's own loops:

    def terminate(self) -> None:
        """Ask it to finish its calls and end."""
        self.asked = True
        self._process.terminate()

    def kill(self) -> None:
        """End it."""
        self.asked = True
        self._process.kill()

    def is_alive(self) -> bool:
        """Whether it has not ended."""
        return not self.ended

    def join(self, timeout: float | None = None) -> None:
        """Wait for its end."""
        # of the process itself only one thread may wait: the other would be told that it is alive
        self._over.wait(timeout)
