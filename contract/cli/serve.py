"""
``contract serve``: worker processes behind one port, for production.

A worker runs a server of our own, on WSGI (`contract.cli.wsgi_server`) or ASGI
(`contract.cli.asgi_server`). Both accept connections from one socket, which is bound here: so a
port in use is noticed, and replacing a worker loses no waiting connection.
`contract.cli.supervision` keeps the workers, and stops them without losing a call.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import socket
import sys
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from typing import Final

from contract.call.log import LogFormat, configure_logging
from contract.cli.asgi_server import run as run_asgi
from contract.cli.bounds import Bounds
from contract.cli.find import aim
from contract.cli.probe import look
from contract.cli.serving import Interface, settings_of
from contract.cli.signals import Ties, heed
from contract.cli.sockets import bind, listen, shown
from contract.cli.supervision import Knobs, Supervisor
from contract.cli.worker import Ending, Plan
from contract.cli.worker_process import LOG, Start, start
from contract.cli.wsgi_server import run as run_wsgi

if sys.platform != "win32":  # pragma: no branch  files are not limited there
    import resource

__all__ = ["opened", "run", "serve"]


def run(arguments: argparse.Namespace) -> int:
    """Serve until SIGTERM or SIGINT, and return the exit code."""
    # 1. Look at the app in another process, which ends with it: a server imports no app itself.
    target = aim(arguments.target)
    usual: LogFormat = "text" if sys.stderr.isatty() else "json"  # for a person, or for programs
    log_format: LogFormat = arguments.log_format or usual
    configure_logging(format=log_format)
    listening = bind(arguments.host, arguments.port)  # first: it is quick, and may fail
    asked = arguments.interface
    interface: Interface | None = None if asked == "auto" else asked
    settings = settings_of(arguments, interface)
    seen = look(target, settings)
    knobs = Knobs(**{each.name: getattr(arguments, each.name) for each in fields(Knobs)})
    # 2. Tell what will be served.
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

    # 3. Serve it. Where it is served is told only when a worker is ready to answer there.
    serve(Plan(target, settings, seen.interface, log_format), listening, knobs, announce)
    LOG.info("stopped")
    return 0


def _counted(count: int, noun: str) -> str:
    if count == 1:
        return f"1 {noun}"
    return f"{count} {noun}s"


# A listening socket, and the workers behind it.

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


def serve(
    plan: Plan,
    listening: socket.socket,
    knobs: Knobs,
    serving: Callable[[], None] | None = None,
) -> None:
    """
    Serve until a signal says stop.

    *serving* is called once, when the first worker is ready.

    Raises:
        Stop: Another process has begun to listen on the port in the meantime.
        SystemExit: No worker was ever ready, or one ended and is not to be replaced; the log has
            the reason.
    """
    supervisor = Supervisor(opened(plan, listening, knobs), listening, knobs, serving)
    heed(supervisor.stop, supervisor.replace)
    supervisor.run()


def opened(plan: Plan, listening: socket.socket, knobs: Knobs) -> Start:
    """
    Begin to listen, and return what starts a worker.

    Raises:
        Stop: Another process has begun to listen on the port in the meantime.
    """
    listen(listening, knobs.backlog)
    # glibc gives each thread an arena of its own, and bodies that many threads have read leave
    # holes in all of them; threads that hold the interpreter in turns need no more than two
    os.environ.setdefault("MALLOC_ARENA_MAX", "2")
    # workers inherit it for what the app starts: a fork would share the locks of their threads
    multiprocessing.set_start_method("spawn", force=True)
    connections = knobs.concurrency or _connections()
    bounds = Bounds(connections, knobs.header_timeout, knobs.keep_alive)
    return partial(start, partial(_process, plan, _threads(plan, knobs), bounds, listening))


def _process(
    plan: Plan, threads: int, bounds: Bounds, listening: socket.socket, ties: Ties
) -> Ending:
    """The process of a worker, before its start."""
    if plan.interface == "asgi":
        return Ending(target=run_asgi, args=(plan, bounds, listening, ties))
    return Ending(target=run_wsgi, args=(plan, threads, bounds, listening, ties))


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
    # infinity is -1 in Python, so it must not be compared as a number
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _CONNECTIONS + _FILES
    if soft < wanted and soft != resource.RLIM_INFINITY:
        soft = wanted
        if hard != resource.RLIM_INFINITY:
            soft = min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY:
        return _CONNECTIONS
    return max(1, min(_CONNECTIONS, soft - _FILES))
