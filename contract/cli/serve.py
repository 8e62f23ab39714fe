"""
``contract serve``: worker processes behind one port, for production.

A worker runs granian on WSGI (`contract.cli.worker_process`), and a server of our own on ASGI
(`contract.cli.asgi_server`). Both finish the calls that they have accepted. Two kinds of calls
would still be lost when they stop:

- Connections that the kernel has completed, but no worker has accepted yet. So there is one socket
  for all workers, bound here. When the server is told to stop, the kernel is first told to drop new
  handshakes (Linux), while the workers empty the queue.
- Requests that arrive on keep-alive connections just when these are closed. So workers first send
  ``Connection: close`` in their replies for a while (`contract.cli.worker`).

Only then are they told to stop. The single socket has two more advantages: a port in use is
noticed, and replacing a worker loses no waiting connection.
"""

from __future__ import annotations

import argparse
import multiprocessing
import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from multiprocessing.context import SpawnProcess
from typing import Any, Final, cast

from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels

from contract.call.log import LogFormat, configure_logging
from contract.cli.asgi_server import Bounds
from contract.cli.asgi_server import run as run_asgi
from contract.cli.find import aim
from contract.cli.probe import look
from contract.cli.serving import settings_of
from contract.cli.signals import Ties, hear
from contract.cli.sockets import address_of, bind, drop_handshakes, listen, shown, waiting
from contract.cli.supervision import GRACE, LOG, Knobs, Supervisor
from contract.cli.worker import Advice, Ending, Plan, start
from contract.cli.worker_process import SocketHolder, spawn

if sys.platform != "win32":  # pragma: no branch  files are not limited there
    import resource

__all__ = ["run", "serve"]


def run(arguments: argparse.Namespace) -> int:
    """Serve until SIGTERM or SIGINT, and return the exit code."""
    target = aim(arguments.target)
    log_format: LogFormat = arguments.log_format or ("text" if sys.stderr.isatty() else "json")
    configure_logging(format=log_format)
    listening = bind(arguments.host, arguments.port)
    settings = settings_of(
        arguments, None if arguments.interface == "auto" else arguments.interface
    )
    seen = look(target, settings)
    knobs = Knobs(**{each.name: getattr(arguments, each.name) for each in fields(Knobs)})
    base = shown(listening)
    where = f"{base}{' and '.join(sorted(seen.prefixes))}"
    routes = _counted(len(seen.routes), "route")
    workers = _counted(knobs.workers, f"{seen.interface.upper()} worker")
    LOG.info("starting %s with %s", target.text, workers)
    for each in seen.warnings():
        LOG.warning("%s", each)

    def announce() -> None:
        LOG.info("serving %s, %s, on %s with %s", target.text, routes, where, workers)
        for path in sorted(seen.docs):
            LOG.info("docs on %s", base + path)
        for path in sorted(seen.mcp):
            LOG.info("MCP on %s", base + path)

    serve(Plan(target, settings, seen.interface, log_format), listening, knobs, announce)
    LOG.info("stopped")
    return 0


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


# A listening socket, the workers behind it, and how they stop.

_THREADS: Final = 64
"""
The most calls that run at once in a WSGI worker.

Threads start when calls wait, for a database say; the more are busy, the slower is each call.
"""

_CONNECTIONS: Final = 8192
"""
The most connections of a worker.

A connection is not a call: a slow sender holds one for as long as a body may take, but it holds no
thread.
"""

_FILES: Final = 256
"""Open files of a worker, besides its connections."""

_HEADERS: Final = 32_768
"""
Bytes of granian's buffer for headers.

It fills two before it refuses headers; it also limits their number to 100.
"""


def serve(
    plan: Plan,
    listening: socket.socket,
    knobs: Knobs,
    serving: Callable[[], None] | None = None,
    **more: Any,
) -> None:
    """
    Serve until a signal says stop.

    *serving* is called once, when the first worker is ready; *more* is for granian itself.

    Raises:
        Stop: Another process has begun to listen on the port in the meantime.
        SystemExit: No worker was ever ready, or one ended and is not to be replaced; the log has
            the reason.
    """
    listen(listening, knobs.backlog)
    # a fork would share the locks of the threads that watch the workers
    multiprocessing.set_start_method("spawn", force=True)
    server = _Server(plan, listening, knobs, serving, more)
    hear(server.signal_handler_interrupt)
    server.serve(spawn_target=spawn)  # it would choose one of its own


def _logging(plan: Plan) -> dict[str, Any]:
    """The configuration of granian's log, in the same form as ours."""
    handler = {
        "class": "contract.call.log.CallHandler",
        "format": plan.log_format,
        "filters": ["advice"],
    }
    return {
        "filters": {"advice": {"()": f"{Advice.__module__}.Advice"}},
        "handlers": {"console": handler},
        "loggers": {"_granian": {"handlers": ["console"], "propagate": False}},
    }


def _threads(plan: Plan, knobs: Knobs) -> int:
    """The threads of a WSGI worker; no more than its connections."""
    return plan.settings.threads or min(_THREADS, knobs.concurrency or _THREADS)


def _connections() -> int:
    """
    The number of connections that a worker may hold.

    To get there, raise the limit of open files for this process and its children as far as
    possible.
    """
    if sys.platform == "win32":  # pragma: no cover  files are not limited there
        return _CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _CONNECTIONS + _FILES
    if soft < wanted and soft != resource.RLIM_INFINITY:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY:
        return _CONNECTIONS
    return max(1, min(_CONNECTIONS, soft - _FILES))


class _Server(Supervisor):
    """granian's server, with our socket, and a stop that loses no calls."""

    def __init__(
        self,
        plan: Plan,
        listening: socket.socket,
        knobs: Knobs,
        serving: Callable[[], None] | None,
        more: dict[str, Any],
    ) -> None:
        host, port = address_of(listening)
        self._connections: Final = knobs.concurrency or _connections()
        super().__init__(
            plan.target.text,
            listening,
            knobs,
            serving,
            address=host,
            port=port,
            interface=Interfaces.ASGI,
            loop=Loops.asyncio,  # it is made, but never run: uvloop's would take almost a MiB more
            workers=knobs.workers,
            blocking_threads=1,
            http=HTTPModes.http1,
            websockets=False,
            backlog=knobs.backlog,
            backpressure=self._connections,
            http1_settings=HTTP1Settings(
                header_read_timeout=int(knobs.header_timeout * 1000),
                keep_alive=knobs.keep_alive,
                max_buffer_size=_HEADERS,
            ),
            log_level=LogLevels.warning,
            log_dictconfig=_logging(plan),
            workers_kill_timeout=knobs.stop_timeout,
            **more,
        )
        self._plan: Final = plan
        self._stopping = False

    def process(self, idx: int, ties: Ties) -> SpawnProcess:
        """The process of a worker in the seat *idx*, before its start."""
        plan, knobs = self._plan, self._knobs
        if plan.interface == "asgi":
            bounds = Bounds(self._connections, knobs.header_timeout, knobs.keep_alive)
            return Ending(target=run_asgi, args=(plan, bounds, self._listening, ties))
        loader = partial(start, plan, _threads(plan, knobs), knobs.header_timeout, ties)
        granians: Any = cast("Any", self)._spawn_worker(idx, spawn, loader)
        # granian chooses the class, and twenty arguments for it
        granians.inner.__class__ = Ending
        return cast("SpawnProcess", granians.inner)

    def _init_shared_socket(self) -> None:
        # as granian does if it cannot open a socket in each worker: pass on one that is open
        listening = self._listening
        listening.set_inheritable(True)
        is_uds = False
        # its stub lacks the arguments
        holder = cast("Any", SocketHolder)(listening.fileno(), is_uds, self._knobs.backlog)
        vars(self).update(_ssp=None, _shd=holder, _sfd=listening.fileno(), _sso=listening)

    def signal_handler_interrupt(self, *_: object, **__: object) -> None:
        """Begin to stop; on a second signal, do not wait for clients."""
        if self._stopping or self.reload_on_changes:
            self._stop_now()
            return
        self._stopping = True
        threading.Thread(target=self._stop, name="contract-drain", daemon=True).start()

    def _stop_now(self) -> None:
        super().signal_handler_interrupt()

    def _stop(self) -> None:
        LOG.info("stopping: calls in flight get %s s", self._knobs.stop_timeout)
        self.drain()
        time.sleep(self._knobs.linger)
        drop_handshakes(self._listening)
        ending = time.monotonic() + self._knobs.stop_timeout
        time.sleep(min(GRACE, self._knobs.stop_timeout))
        while waiting(self._listening) and time.monotonic() < ending - 1:
            time.sleep(0.01)
        self.workers_kill_timeout = max(1, round(ending - time.monotonic()))
        self._stop_now()
