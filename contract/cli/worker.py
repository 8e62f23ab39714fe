"""
Worker: the code that runs in a serving process.

A worker imports the app itself, so it shares nothing of it (connections, threads, locks) with
another process. The server's messages come through `contract.cli.signals`. Before a worker ends,
each of its replies closes its connection, so that keep-alive clients leave before the worker does.
"""

from __future__ import annotations

import atexit
import gc
import logging
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.context import SpawnProcess
from typing import Any, Final, NoReturn, cast, final

import orjson

from contract.call.log import LogFormat, configure_logging
from contract.cli.find import Target, take
from contract.cli.output import Stop, dim, red, say
from contract.cli.serving import Interface, Served, Settings, prepare
from contract.cli.signals import Draining, Ties, follow, unheard
from contract.declare.resource import NotOpened

__all__ = [
    "Ending",
    "Plan",
    "end",
    "follow_server",
    "load",
    "open_resources",
    "own_lines",
    "unavailable",
]


@final
@dataclass(frozen=True, slots=True)
class Plan:
    """
    A plan of a worker: the app, and how to serve it.

    Attributes:
        log_format: The format of the log, if the app does not configure one.
        stays: In development: keep running if the app cannot be imported, and answer calls with
            that.
        make: Makes the app, if it is not imported; then *target* is only its name.
    """

    target: Target
    settings: Settings
    interface: Interface
    log_format: LogFormat
    stays: bool = False
    make: Callable[[], Served] | None = None


def load(plan: Plan) -> Served:
    """
    The app of *plan*, as the first thing in a worker's process.

    Raises:
        SystemExit: It cannot be imported or served, and the worker does not stay.
    """
    unheard()
    served = _served(plan)
    # what the imports left is collected first, or it would stay as well
    gc.collect()
    gc.freeze()  # current objects stay; the collector need not check them again
    return served


def _served(plan: Plan) -> Served:
    """
    The app of *plan*, loaded; if it cannot be imported and the worker stays, an app that says so.

    Raises:
        SystemExit: It cannot be imported or served, and the worker does not stay.
    """
    began = time.perf_counter()
    try:
        # 1. Have the app, and make it ready: the first callers must not wait for what can be done
        #    before.
        served = _imported(plan) if plan.make is None else plan.make()
        if served.interface != plan.interface:
            raise Stop(
                2,
                f"{plan.target.text} speaks {served.interface} now instead of {plan.interface}; "
                "start the command again",
            )
        own_lines(plan.log_format)
        for service in served.services:
            service.warm_up()
        if plan.interface == "wsgi":  # an event loop tells its app when it starts
            open_resources(served)
    except Stop as stop:
        # 2. Without it, end, so that the server learns of it; in development, say so to callers
        #    until the next save.
        if not plan.stays:
            say(f"contract: {stop.message}")
            sys.exit(stop.code)
        say(f"contract: {red(stop.message)}")
        return Served(plan.interface, unavailable(plan), ())
    if plan.stays:
        seconds = time.perf_counter() - began
        say(dim(f"contract: {plan.target.text} is loaded ({seconds:.2f} s)"))
    return served


def follow_server(ties: Ties, served: Served, draining: Draining, turn: Callable[[], None]) -> None:
    """
    Follow the server's messages from now on, in a thread.

    Args:
        ties: The connections to the server.
        served: The app, whose streams end and whose health route says 503 before the worker ends.
        draining: Set if the worker is about to end.
        turn: Makes the worker accept nothing more, called in that thread.
    """

    def leave() -> None:
        draining.on = True
        turn()

    def depart() -> None:
        draining.on = True
        for service in served.services:
            service.drain()

    threading.Thread(
        target=follow, args=(ties, leave, depart), name="contract-lifeline", daemon=True
    ).start()


def open_resources(served: Served) -> None:
    """Open the resources of every spec; they are closed when the process ends."""
    for service in served.services:
        if service.opening is not None:
            try:
                service.opening.here()
            except NotOpened as wrong:
                raise Stop(3, str(wrong)) from None


def _imported(plan: Plan) -> Served:
    taken = take(plan.target)
    settings = plan.settings
    if taken.kind == "spec":  # either interface can serve it, even if it has changed meanwhile
        settings = replace(settings, interface=plan.interface)
    return prepare(taken, settings)


def own_lines(log_format: LogFormat, level: int = logging.INFO) -> None:
    """
    Write the log to standard error, unless the app has configured it.

    The lines of the app's own loggers have the same form.

    This must come after the import of the app: a handler that exists before would make the app's
    ``logging.basicConfig()`` do nothing.
    """
    # those of the root logger count, too: an app that called basicConfig() has configured it
    if logging.getLogger("contract").hasHandlers():
        return
    handler = configure_logging(format=log_format, level=level)
    root = logging.getLogger()
    if not any(map(_writes, root.manager.loggerDict.values())):
        root.addHandler(handler)
        if root.level == logging.WARNING:  # the default
            root.setLevel(level)


def _writes(logger: logging.Logger | logging.PlaceHolder) -> bool:
    """
    Whether *logger* has its own handler.

    With the root's handler as well, every line would be written twice.
    """
    if isinstance(logger, logging.PlaceHolder) or not logger.propagate:
        return False
    return not all(isinstance(handler, logging.NullHandler) for handler in logger.handlers)


def unavailable(plan: Plan) -> Callable[..., Any]:
    """The app that is served while the real one cannot be imported."""
    message = f"{plan.target.text} cannot be imported; the terminal says why."
    body: Final = orjson.dumps({"error": "SERVICE_UNAVAILABLE", "data": {"message": message}})
    headers: Final = [
        ("content-type", "application/json"),
        ("content-length", str(len(body))),
        ("cache-control", "no-store"),
    ]

    def wsgi(_environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        start_response("503 Service Unavailable", headers)
        return [body]

    async def asgi(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            while True:
                event = await receive()
                await send({"type": f"{event['type']}.complete"})
                if event["type"] == "lifespan.shutdown":
                    return
        raw = [(name.encode(), value.encode()) for name, value in headers]
        await send({"type": "http.response.start", "status": 503, "headers": raw})
        await send({"type": "http.response.body", "body": body})

    if plan.interface == "wsgi":
        return wsgi
    return asgi


# The end of a worker.


def end(code: int) -> NoReturn:
    """
    End this process with *code*: run its exit handlers, but skip the interpreter's shutdown.

    A call may still be running in a thread, after its deadline for example. If it needs the
    interpreter during its shutdown, inside an extension in Rust or C++, the process could crash. A
    forked process ends in this way, too (Lib/multiprocessing/popen_fork.py).
    """
    # private, but only this runs the handlers from before the app's
    cast("Any", atexit)._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # nobody reads it, or it is closed
            stream.flush()
    os._exit(code)


class Ending(SpawnProcess):
    """
    A spawned process that ends by `end`.

    By then, multiprocessing has joined its threads and knows its exit code.
    """

    # private, but there is no public step between the end of the target and that of the process
    def _bootstrap(self, *args: Any, **more: Any) -> NoReturn:
        end(cast("Any", super())._bootstrap(*args, **more))
