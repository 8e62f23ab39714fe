"""ASGI answers: what a call is answered, sent in events, and the functions that follow it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from functools import partial
from typing import Any, Final, cast, final

from contract.adapters.asgi_scope import ScopeIncoming, Send
from contract.adapters.item_streams import ItemsOnLoop
from contract.adapters.loops import apart, raised_by
from contract.call.ending import followers, tell
from contract.call.incoming import Incoming
from contract.call.message import JSON_HEADERS, Response, Streamed
from contract.call.values import OVER
from contract.declare.resolver import is_async_callable

__all__ = ["Followed", "follow", "send_answer", "send_stream"]

_OK: Final = JSON_HEADERS.raw

_FEW: Final = 1024
_LENGTHS: Final = [(b"content-length", b"%d" % size) for size in range(_FEW)]
"""The header of a short body; to make one costs as much as two function calls."""


async def send_answer(rest: Awaitable[None] | None, incoming: ScopeIncoming, send: Send) -> None:
    """
    Send the whole answer to a request, whose *rest* must be awaited.

    It does not raise if the client has gone: servers report that with an OSError (ASGI HTTP
    specification, 2.4), and nobody is left to tell.
    """
    if rest is not None:
        await rest
    # the parts of a stream hold their request, which must not hold them
    response, incoming.answered = incoming.answered, b""
    if type(response) is bytes:
        status, body, size = 200, response, len(response)
        length = _LENGTHS[size] if size < _FEW else (b"content-length", b"%d" % size)
        headers = [*_OK, (b"x-request-id", incoming.request_id.encode("ascii")), length]
    else:
        response = cast("Response", response)
        headers = response.raw()
        if isinstance(response, Streamed):
            await send_stream(response, headers, send)
            await follow(incoming)
            incoming.over = not incoming.cancelled
            return
        status, body = response.status, response.body
        # a 204 must have none, and that of a 304 would tell the length of a 200 (RFC 9110,
        # section 8.6)
        if status not in (204, 304):
            headers.append((b"content-length", b"%d" % len(body)))
        if incoming.method == "HEAD":
            body = b""
    try:
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})
    except OSError:
        pass
    values = incoming.values
    if values is not OVER and values is not None and values.after:
        await follow(incoming)
    incoming.over = True


async def send_stream(response: Streamed, headers: list[tuple[bytes, bytes]], send: Send) -> None:
    """Send the parts of an answer as they come, and close them."""
    parts: Any = response.parts
    try:
        await send({"type": "http.response.start", "status": response.status, "headers": headers})
        if isinstance(parts, ItemsOnLoop):
            parts.sends(send)
        async for part in parts:
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
    except OSError:
        pass
    finally:
        await parts.close()


async def follow(incoming: Incoming) -> None:
    """Call the functions given to `after_commit`: on the loop, or in a thread of asyncio."""
    loop = asyncio.get_running_loop()
    for context, fn, args, kwargs in followers(incoming):
        called = partial(fn, *args, **kwargs)
        if is_async_callable(fn):
            raised = await apart(cast("Any", called), context)
        else:
            raised = await loop.run_in_executor(None, raised_by, context.run, called)
        if raised is not None:
            tell(incoming, fn, raised)


@final
class Followed:
    """The parts of a body, after which a call goes on: Falcon closes it when it has sent them."""

    __slots__ = ("_incoming", "_parts")

    def __init__(self, parts: Any, incoming: ScopeIncoming) -> None:
        self._parts: Final = parts
        self._incoming: Final = incoming

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if isinstance(self._parts, bytes):
            yield self._parts
        else:
            async for part in self._parts:
                yield part

    async def close(self) -> None:
        """Close the parts, and call the functions that follow."""
        try:
            if not isinstance(self._parts, bytes):
                await self._parts.close()
        finally:
            await follow(self._incoming)
            self._incoming.over = not self._incoming.cancelled
