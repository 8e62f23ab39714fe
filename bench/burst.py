"""
One contender in a process of its own, for `bench.call`.

``python -m bench.burst MODULE:FACTORY wsgi|asgi [bearer] [validates] [unchecked]`` checks what the
contender answers and prints "ready". Then each line "WORK COUNT" on its standard input runs a burst
of calls, and it prints the CPU seconds of the whole process until the log of the burst was written.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import sys
import time
from collections.abc import Callable
from typing import Any, cast

from bench import wire, work

__all__ = ["load", "start"]


def load(target: str) -> Any:
    """What the factory ``module:name`` makes."""
    module, _, name = target.partition(":")
    return getattr(importlib.import_module(module), name)()


def start(app: Any, loop: asyncio.AbstractEventLoop) -> asyncio.Task[None]:
    """Begin the life of an ASGI app, as a server does (``lifespan``); the task lasts as long."""
    started = loop.create_future()
    begun = False

    async def receive() -> Any:
        nonlocal begun
        if begun:
            await asyncio.Event().wait()
        begun = True
        return {"type": "lifespan.startup"}

    async def send(message: Any) -> None:
        started.set_result(message["type"])

    life = loop.create_task(
        app({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, receive, send),
    )
    if loop.run_until_complete(started) != "lifespan.startup.complete":
        raise wire.WrongAnswerError("the app does not start")
    return cast("asyncio.Task[None]", life)


def _written() -> None:
    for handler in logging.getLogger("contract").handlers:
        handler.flush()


def _burst(
    app: Any,
    interface: wire.Interface,
    loop: asyncio.AbstractEventLoop,
    more: dict[str, str],
) -> Callable[[work.Work, int], float]:
    def seconds(name: work.Work, count: int) -> float:
        body = work.BODIES[name]
        if interface == "wsgi":
            environs = [wire.environ(name, body, more) for _ in range(count)]
            begin = time.process_time()
            wire.run_wsgi(app, environs)
        else:
            scopes = [wire.scope(name, body, more) for _ in range(count)]
            begin = time.process_time()
            loop.run_until_complete(wire.run_asgi(app, scopes, body))
        _written()
        return time.process_time() - begin

    return seconds


def main(target: str, interface: str, *said: str) -> None:
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    app = load(target)
    kind: wire.Interface = "asgi" if interface == "asgi" else "wsgi"
    life = start(app, loop) if kind == "asgi" and "unchecked" not in said else None
    if "unchecked" not in said:
        for name in work.BODIES:
            wire.check(
                wire.asker(app, kind, loop),
                name,
                bearer="bearer" in said,
                validates="validates" in said,
            )
    burst = _burst(
        app,
        kind,
        loop,
        {"authorization": f"Bearer {work.TOKEN}"} if "bearer" in said else {},
    )
    print("ready", flush=True)
    for line in sys.stdin:
        asked, count = line.split()
        print(burst("fresh" if asked == "fresh" else "small", int(count)), flush=True)
    if life is not None:
        life.cancel()


if __name__ == "__main__":
    main(*sys.argv[1:])
