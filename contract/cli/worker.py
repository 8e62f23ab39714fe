"""
Worker: what runs in a process that serves.

A worker imports the app by itself, so nothing of it (connections, threads, locks) is shared with another process.
It holds one end of a pipe, its lifeline. When the other end is closed, the server is about to stop: from then on each reply closes
its connection, so that clients that keep theirs open leave before the server does, and the health route says 503.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import Any, Final, final

import orjson

from contract.adapters.wsgi import WsgiApp
from contract.cli.bridge import Bridge
from contract.cli.find import Target, take
from contract.cli.output import Stop, dim, red, say
from contract.cli.serving import Interface, Served, Settings, prepare
from contract.cli.signals import unheard
from contract.log import LogFormat, configure_logging

__all__ = ["Draining", "Plan", "closing_asgi", "closing_wsgi", "own_lines", "start", "unavailable"]


@final
@dataclass(frozen=True, slots=True)
class Plan:
    """
    What a worker needs to know.

    Attributes:
        target: Where the app is.
        settings: About the app.
        interface: Which one the server speaks.
        log_format: Of the log, where the app configures none.
        stays: In development: stay when the app cannot be imported, and say so to whoever calls.
        make: What makes the app, where it is none that is imported; *target* is only its name then.
    """

    target: Target
    settings: Settings
    interface: Interface
    log_format: LogFormat
    stays: bool = False
    make: Callable[[], Served] | None = None


@final
class Draining:
    """Whether the server is about to stop."""

    __slots__ = ("on",)

    def __init__(self) -> None:
        self.on: bool = False


def start(plan: Plan, lifeline: Connection, parent: int, threads: int) -> Callable[..., Any] | Bridge:
    """
    The app, ready for its first request; granian calls this in each worker before it accepts.

    Args:
        plan: What to serve.
        lifeline: Closed by the other side when the server is about to stop.
        parent: The process on the other side.
        threads: How many serve WSGI.
    """
    unheard()
    began = time.perf_counter()
    try:
        served = _imported(plan) if plan.make is None else plan.make()
        if served.interface != plan.interface:
            raise Stop(2, f"{plan.target.text} speaks {served.interface} now instead of {plan.interface}; start the command again")
        own_lines(plan.log_format)
        for service in served.services:
            service.warm_up()
    except Stop as stop:
        say(f"contract: {red(stop.message)}" if plan.stays else f"contract: {stop.message}")
        if not plan.stays:
            sys.exit(stop.code)
        served = Served(plan.interface, unavailable(plan), ())
    else:
        if plan.stays:
            say(dim(f"contract: {plan.target.text} is loaded ({time.perf_counter() - began:.2f} s)"))
    gc.collect()
    gc.freeze()  # what is here now stays: collections need not look at it again
    draining = Draining()
    threading.Thread(target=_follow, args=(lifeline, parent, draining, served), name="contract-lifeline", daemon=True).start()
    if plan.interface == "asgi":
        return closing_asgi(served.app, draining)
    sole = served.services[0] if isinstance(served.app, WsgiApp) else None
    return Bridge(closing_wsgi(served.app, draining), served.services, threads, sole)


def _imported(plan: Plan) -> Served:
    taken = take(plan.target)
    forced = replace(plan.settings, interface=plan.interface) if taken.kind == "spec" else plan.settings
    return prepare(taken, forced)


def own_lines(log_format: LogFormat, level: int = logging.INFO) -> None:
    """Write the log to standard error, unless the app has said where it goes."""
    if not logging.getLogger("contract").hasHandlers():
        configure_logging(format=log_format, level=level)


def closing_wsgi(app: Callable[..., Any], draining: Draining) -> Callable[..., Any]:
    """*app*, whose replies close their connections while *draining*."""

    def wsgi(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        if not draining.on:
            return app(environ, start_response)

        def closing(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            return start_response(status, [*headers, ("connection", "close")], *more)

        return app(environ, closing)

    return wsgi


def closing_asgi(app: Callable[..., Any], draining: Draining) -> Callable[..., Any]:
    """*app*, whose replies close their connections while *draining*."""

    def asgi(scope: Any, receive: Any, send: Any) -> Any:
        if not draining.on or scope["type"] != "http":
            return app(scope, receive, send)

        async def closing(event: Any) -> None:
            if event["type"] == "http.response.start":
                event = {**event, "headers": [*event.get("headers", ()), (b"connection", b"close")]}
            await send(event)

        return app(scope, receive, closing)

    return asgi


def unavailable(plan: Plan) -> Callable[..., Any]:
    """What is served while an app cannot be imported."""
    message = f"{plan.target.text} cannot be imported; the terminal says why."
    body: Final = orjson.dumps({"error": "SERVICE_UNAVAILABLE", "data": {"message": message}})
    headers: Final = [("content-type", "application/json"), ("content-length", str(len(body))), ("cache-control", "no-store")]

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

    return wsgi if plan.interface == "wsgi" else asgi


def _follow(lifeline: Connection, parent: int, draining: Draining, served: Served) -> None:
    """Wait for the end of the lifeline; a parent that was killed cannot stop its workers, so they stop themselves."""
    lifeline.poll(None)
    draining.on = True
    for service in served.services:
        service.drain()
    while os.getppid() == parent:
        time.sleep(0.2)
    for _ in range(_ORPHANED):  # a server that has only just been started may miss the first
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGKILL)


_ORPHANED: Final = 10
"""Seconds for calls in flight, without a parent who knows what was asked for."""
