"""
Spawning: a worker process that serves WSGI over granian's ASGI, without an event loop in Python.

What is taken of granian's private modules is imported here, for the other modules of the command
too: its public server starts workers of its own making, on sockets of its own. So its release is
pinned in pyproject.toml, and `tests.test_private_parts` says what another one has lost.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, cast

from granian._granian import ASGIWorker, CallbackScheduler, ProcInfoCollector, SocketHolder
from granian._signals import set_sync_signals
from granian.server.common import WORKERS_METHODS
from granian.server.mp import WorkerProcess

from contract.cli.bridge import Bridge

__all__ = ["AtOnce", "ProcInfoCollector", "SocketHolder", "spawn"]


class AtOnce:
    """An event loop, as granian sees it, that makes each call at once instead of soon."""

    def call_soon(
        self,
        call: Callable[..., Any],
        *args: Any,
        context: Any = None,  # noqa: ARG002  as loops have it
    ) -> None:
        """Call it."""
        call(*args)

    call_soon_threadsafe = call_soon


class _Scheduler(CallbackScheduler):
    """Hands requests to a bridge."""

    # *take* is for `__init__`
    def __new__(cls, loop: AtOnce, take: Callable[[Any], None]) -> Any:  # noqa: ARG004
        """Granian wants a loop, and four more things for the coroutines that it would step."""
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
        bridge.threads + 1,  # one to take what comes when all others are busy
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
spawn.__qualname__ = spawn.__name__ = "spawn"  # by which a spawned process finds it
