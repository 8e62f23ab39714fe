"""
Worker process: how granian runs a worker, and how its server sees it.

A WSGI worker runs on granian's ASGI, without an event loop in Python (`spawn`). In the server, a
thread waits for each worker, and reports when it is ready and when it has ended.

Everything from granian's private modules is imported here, also for the other modules of this
command: its public server starts its own workers, on its own sockets. So its release is pinned in
pyproject.toml, and `tests.test_private_parts` reports what a new one lacks.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, Final, cast, final

from granian._granian import ASGIWorker, CallbackScheduler, ProcInfoCollector, SocketHolder
from granian._signals import set_sync_signals
from granian.server.common import WORKERS_METHODS
from granian.server.mp import WorkerProcess

from contract.cli.bridge import Bridge
from contract.cli.signals import LEAVE

__all__ = [
    "AtOnce",
    "ProcInfoCollector",
    "SocketHolder",
    "Worker",
    "sizes",
    "spawn",
]


class AtOnce:
    """An event loop for granian that runs each callback at once, instead of soon."""

    def call_soon(
        self,
        call: Callable[[Any], None],
        found: Any,
        context: Any = None,  # noqa: ARG002  as loops have it
    ) -> None:
        """Run the callback of a future."""
        call(found)

    call_soon_threadsafe = call_soon


class _Scheduler(CallbackScheduler):
    """Passes requests to a bridge."""

    # *take* is for `__init__`
    def __new__(cls, loop: AtOnce, take: Callable[[Any], None]) -> Any:  # noqa: ARG004
        """Give granian a loop, and the four other things that it needs to run coroutines."""
        return cast("Any", CallbackScheduler).__new__(cls, loop, None, None, None, None)

    # *loop* is for `__new__`
    def __init__(self, loop: AtOnce, take: Callable[[Any], None]) -> None:  # noqa: ARG002
        self._schedule_fn = take


def _spawn(
    worker: int,
    bridge: Bridge,
    sock: Any,
    ipc: Any,
    _loop: Any,
    runtime_mode: Any,
    runtime_threads: int,
    runtime_blocking_threads: int | None,
    _blocking_threads: int,
    idle_timeout: int,
    backpressure: int,
    _task_impl: Any,
    http_mode: Any,
    http1_settings: Any,
    http2_settings: Any,
    websockets: Any,
    static_path: Any,
    _log_access_fmt: str | None,
    ssl_ctx: tuple[Any, ...],
    _scope_opts: dict[str, Any],
    metrics: Any,
) -> None:
    stopping = cast("Any", set_sync_signals)()  # granian's functions are not annotated
    stopped = threading.Event()
    stopping.add_cb(stopped.set)
    served = cast("Any", ASGIWorker)(
        worker,
        sock,
        ipc,
        runtime_threads,
        runtime_blocking_threads,
        bridge.threads + 1,  # one to take requests when all others are busy
        idle_timeout,
        backpressure,
        http_mode,
        http1_settings,
        http2_settings,
        websockets,
        static_path,
        *ssl_ctx,
        metrics,
    )
    serve = getattr(served, WORKERS_METHODS[runtime_mode][(sock[0] or sock[1]).is_uds()])
    loop = AtOnce()
    bridge.start()
    serve(_Scheduler(loop, bridge.take), loop, stopping)
    stopped.wait()


spawn: Any = cast("Any", WorkerProcess).wrap_target(_spawn)
"""The target of each worker's process."""
spawn.__qualname__ = spawn.__name__ = "spawn"  # a spawned process finds it by this name


# A worker, as its server sees it.


def sizes(processes: Iterable[int]) -> dict[int, int]:
    """Process -> bytes of memory; empty if one is just ending."""
    try:
        return cast("dict[int, int]", ProcInfoCollector().memory([*processes]))
    except RuntimeError:
        return {}


@final
class Worker:
    """
    A worker's process, as the server sees it.

    Attributes:
        idx: The number of its seat.
        ready_since: When it became ready; None before.
        asked: Whether the server has asked for that.
    """

    def __init__(
        self,
        idx: int,
        process: SpawnProcess,
        lifeline: Connection,
        ready: Connection,
        news: Callable[[Worker], None],
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
        """Start it, and a thread that reports its state."""
        self._process.start()
        threading.Thread(
            target=self._watch, name=f"contract-watch-{self.name}", daemon=True
        ).start()

    def _watch(self) -> None:
        with self._ready, suppress(EOFError, OSError):  # it may end before it is ready
            self._ready.recv_bytes()
            self.ready_since = time.monotonic()
            self._news(self)
        self._process.join()
        self._over.set()
        self._news(self)

    @property
    def name(self) -> str:
        """Its name in the log."""
        return f"worker-{self.idx + 1}"

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
        return 0.0 if self.ready_since is None else time.monotonic() - self.ready_since

    @property
    def how(self) -> str:
        """The reason for its end."""
        code = cast("int", self._process.exitcode)
        return f"exit code {code}" if code >= 0 else signal.Signals(-code).name

    def leave(self) -> None:
        """Make it close its connections with its replies, since another one has replaced it."""
        with suppress(OSError):  # it has ended, or the server is stopping
            self._lifeline.send_bytes(LEAVE)

    def drain(self) -> None:
        """Make it close its connections with its replies, since the server is about to stop."""
        self._lifeline.close()

    # for granian's own code:

    def terminate(self) -> None:
        """Ask it to finish its calls and end."""
        self.asked = True
        self._process.terminate()

    def kill(self) -> None:
        """Kill it."""
        self.asked = True
        self._process.kill()

    def is_alive(self) -> bool:
        """Whether it is still running."""
        return not self.ended

    def join(self, timeout: float | None = None) -> None:
        """Wait for its end."""
        # only one thread may wait for the process itself: another would be told that it is alive
        self._over.wait(timeout)
