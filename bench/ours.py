"""
Our contenders: the work of `bench.work`, mounted as a user would, by the public API alone.

Each factory takes nothing and gives a WSGI or ASGI callable. Everything is on but the log, which is
on where the name says so. Its lines go to a descriptor (``/dev/null``), so that a thread of their
own writes them, as under a server.
"""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal

import falcon
import falcon.asgi

from bench import work
from bench.peers.raw_falcon import AsgiMark, WsgiMark
from contract import configure_logging, mount_spec
from contract.adapters.asgi import AsgiApp
from contract.adapters.wsgi import WsgiApp

__all__ = [
    "asgi",
    "asgi_bare",
    "asgi_bearer",
    "asgi_bearer_log",
    "asgi_hop",
    "asgi_inline",
    "asgi_inline_hook",
    "asgi_marked",
    "asgi_sync_hook",
    "hop",
    "wsgi",
    "wsgi_async",
    "wsgi_bare",
    "wsgi_bearer",
    "wsgi_bearer_log",
    "wsgi_log",
    "wsgi_marked",
]

How = Literal["front", "marked", "bare"]
"""The mount's own callable, the one of an app with a middleware, or no app at all."""


def _wsgi(*, log: bool = False, how: How = "front", **kind: Any) -> Any:
    mount = mount_spec(
        falcon.App(middleware=[WsgiMark()] if how == "marked" else None),
        work.api(**kind),
        prefix="/v1",
        logging=_log(on=log),
    )
    return WsgiApp(mount.service) if how == "bare" else mount.wsgi


def _asgi(*, log: bool = False, how: How = "front", **kind: Any) -> Any:
    app = falcon.asgi.App(middleware=[AsgiMark()] if how == "marked" else None)
    mount = mount_spec(app, work.api(**kind), prefix="/v1", logging=_log(on=log))
    return AsgiApp(mount.service) if how == "bare" else mount.asgi


def hop() -> Any:
    """No contender: it only goes to a pool of threads and comes back, as `asgi_hop` has to."""
    pool = ThreadPoolExecutor(40)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.get_running_loop().run_in_executor(pool, int)

    return app


def _log(*, on: bool) -> bool:
    if on:
        # it stays open as long as the process lasts
        configure_logging(stream=Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
    return on


wsgi: Final = partial(_wsgi)
wsgi_log: Final = partial(_wsgi, log=True)
wsgi_bearer: Final = partial(_wsgi, auth="sync")
wsgi_bearer_log: Final = partial(_wsgi, auth="sync", log=True)
wsgi_async: Final = partial(_wsgi, is_async=True)
wsgi_marked: Final = partial(_wsgi, how="marked")
wsgi_bare: Final = partial(_wsgi, how="bare")

asgi: Final = partial(_asgi, is_async=True)
asgi_bearer: Final = partial(_asgi, auth="async", is_async=True)
asgi_bearer_log: Final = partial(_asgi, auth="async", is_async=True, log=True)
asgi_sync_hook: Final = partial(_asgi, auth="sync", is_async=True)
asgi_inline_hook: Final = partial(_asgi, auth="inline", is_async=True)
asgi_hop: Final = partial(_asgi, auth="async")
asgi_inline: Final = partial(_asgi, inline=True)
asgi_marked: Final = partial(_asgi, is_async=True, how="marked")
asgi_bare: Final = partial(_asgi, is_async=True, how="bare")
