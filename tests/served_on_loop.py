"""Servers of async apps on the running event loop, and clients that talk to them over sockets of their own."""

from __future__ import annotations

import asyncio
import signal
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from contract.adapters.asgi import AsgiFront
from contract.cli.asgi_server import Server
from contract.cli.bounds import Bounds
from contract.cli.signals import Draining
from tests.cli_servers import PATIENCE

__all__ = ["GATE", "LONG", "App", "Peer", "called", "echo", "peer", "rest_of", "serving", "until"]

App = Callable[..., Awaitable[None]]
LONG = 600.0
"""Seconds that no test waits for."""


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Answers with the body; at /blind and /late without it, at /slow and /late once the test says so."""
    assert scope["type"] == "http"
    body = b""
    while scope["path"] not in ("/blind", "/late"):
        event = await receive()
        if event["type"] == "http.disconnect":
            return
        body += event["body"]
        if not event["more_body"]:
            break
    if scope["path"] in ("/slow", "/late"):
        await GATE.go_on.wait()
    trailers = [value for name, value in scope["headers"] if name == b"x-trailer"]
    headers = [(b"content-length", b"%d" % len(body)), *((b"x-seen", each) for each in trailers)]
    headers.append((b"x-version", scope["http_version"].encode()))
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class Gate:
    """What apps wait for until a test lets them go on; each loop has one of its own."""

    go_on: asyncio.Event


GATE = Gate()


@asynccontextmanager
async def serving(
    app: App = echo,
    *fronts: AsgiFront,
    most: int = 64,
    seconds: float = LONG,
    draining: Draining | None = None,
) -> AsyncIterator[tuple[Server, int]]:
    """A server of *app*, which is a front itself if it has no others, and its port."""
    if isinstance(app, AsgiFront):
        fronts = (app,)
    GATE.go_on = asyncio.Event()
    bounds = Bounds(most, seconds)
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    server = Server(app, fronts, listening, bounds, draining or Draining())
    ready = asyncio.Event()
    with listening:
        task = asyncio.create_task(server.serve(ready.set))
        await ready.wait()
        try:
            yield server, port
        finally:
            GATE.go_on.set()
            if not task.done():
                signal.raise_signal(signal.SIGTERM)
            await asyncio.wait_for(task, PATIENCE)


class Peer:
    """A client on one connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def head(self) -> bytes:
        """The status and the headers of the next answer."""
        return await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), PATIENCE)

    async def chunk(self) -> bytes:
        """The next chunk of a body; the last one is empty."""
        size = await asyncio.wait_for(self.reader.readuntil(b"\r\n"), PATIENCE)
        data = await self.reader.readexactly(int(size, 16) + 2)
        assert data.endswith(b"\r\n")
        return data[:-2]

    async def answer(self) -> bytes:
        """The next answer, with its body."""
        head = await self.head()
        lowered = head.lower()
        if b"transfer-encoding: chunked" in lowered:
            while part := await self.chunk():
                head += part
            return head
        for line in lowered.split(b"\r\n"):
            if line.startswith(b"content-length:"):
                return head + await self.reader.readexactly(int(line.partition(b":")[2]))
        return head

    async def ask(self, data: bytes) -> bytes:
        """The next answer, to *data*."""
        await self.send(data)
        return await self.answer()

    async def rest(self) -> bytes:
        """What comes until the server closes."""
        with suppress(ConnectionResetError):
            return await asyncio.wait_for(self.reader.read(), PATIENCE)
        return b""

    def say_no_more(self) -> None:
        """End this side; the other one may go on."""
        self.writer.write_eof()

    def reset(self) -> None:
        """Break the connection off, as the system does for a program that has died."""
        linger = struct.pack("ii", 1, 0)
        self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.writer.transport.abort()


@asynccontextmanager
async def peer(port: int, data: bytes = b"") -> AsyncIterator[Peer]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        each = Peer(reader, writer)
        await each.send(data)
        yield each
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def rest_of(port: int, data: bytes) -> bytes:
    async with peer(port, data) as each:
        return await each.rest()


async def called(port: int, data: bytes) -> bytes:
    """The answer to *data*, on a connection of its own."""
    async with peer(port, data) as each:
        return await each.answer()


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0)
