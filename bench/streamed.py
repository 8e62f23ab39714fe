"""
Streams for servers to find by name: ours, and the bytes of ours sent by an app that does no more.

``POST /v1/all`` gives ``COUNT`` items as fast as they are taken, ``/v1/each`` lets the loop turn
between two of them, as a source does that waits, and ``/v1/quiet`` gives one and then none.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Final

import orjson

from contract import Stream, route, routes, spec
from contract.adapters.asgi import AsgiApp
from contract.adapters.mount import service_of
from contract.call.mount_options import Options

COUNT: Final = int(os.environ.get("BENCH_ITEMS", "10000"))
TEXT: Final = "the text of a token"


@dataclass(frozen=True, slots=True)
class Token:
    n: int
    text: str


async def tokens(*, turns: bool) -> AsyncIterator[Token]:
    for n in range(COUNT):
        if turns:
            await asyncio.sleep(0)
        yield Token(n, TEXT)


async def one() -> AsyncIterator[Token]:
    yield Token(0, TEXT)
    await asyncio.Event().wait()


@route(summary="All", tags=["bench"], auth="none", name="all")
async def every(_input: None, _ctx: None) -> Stream[Token]:
    return Stream(tokens(turns=False))


@route(summary="Each", tags=["bench"], auth="none")
async def each(_input: None, _ctx: None) -> Stream[Token]:
    return Stream(tokens(turns=True))


@route(summary="Quiet", tags=["bench"], auth="none")
async def quiet(_input: None, _ctx: None) -> Stream[Token]:
    return Stream(one())


api = spec(routes=routes(every, each, quiet))
ours = AsgiApp(service_of(api, Options(prefix="/v1", logging=False)))

PARTS: Final = [b"data: " + orjson.dumps({"n": n, "text": TEXT}) + b"\n\n" for n in range(COUNT)]
END: Final = b"event: end\ndata: {}\n\n"
START: Final = {
    "type": "http.response.start",
    "status": 200,
    "headers": [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")],
}


async def raw(scope: Any, receive: Any, send: Any) -> None:
    """The bytes of ours, which are there before: nothing is made, checked, or written."""
    if scope["type"] != "http":
        raise RuntimeError("there is nothing to start")
    turns, waits = scope["path"].endswith("/each"), scope["path"].endswith("/quiet")
    await receive()
    await send(START)
    for part in PARTS[:1] if waits else PARTS:
        if turns:
            await asyncio.sleep(0)
        await send({"type": "http.response.body", "body": part, "more_body": True})
    if waits:
        await receive()  # until the client goes away
    await send({"type": "http.response.body", "body": END})


async def by_hand(scope: Any, receive: Any, send: Any) -> None:
    """Items as an app would send them that is written by hand: made and written, not checked."""
    if scope["type"] != "http":
        raise RuntimeError("there is nothing to start")
    turns = scope["path"].endswith("/each")
    await receive()
    await send(START)
    async for token in tokens(turns=turns):
        part = b"data: " + orjson.dumps(token) + b"\n\n"
        await send({"type": "http.response.body", "body": part, "more_body": True})
    await send({"type": "http.response.body", "body": END})
