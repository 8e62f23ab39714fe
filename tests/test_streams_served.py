"""Streams over real servers: uvicorn, and `contract serve` on ASGI and on WSGI."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from tests.cli_servers import PATIENCE, Server, running, until

APP = """
import asyncio
import sys
import time
from collections.abc import AsyncIterator, Iterator

from contract import Stream, route, routes, spec
from contract.adapters.asgi import AsgiApp


def note(text: str) -> None:
    print("noted", text, file=sys.stderr, flush=True)


def ticking() -> Iterator[int]:
    try:
        for number in range(100_000):
            yield number
            time.sleep(0.05)
    finally:
        note("ticking is closed")


async def waiting() -> AsyncIterator[int]:
    try:
        yield 0
        await asyncio.sleep(3600)
    finally:
        note("waiting is closed")


async def flooding() -> AsyncIterator[str]:
    try:
        for number in range(100_000):
            if number % 100 == 0:
                note(f"at {number}")
            yield "x" * 10_000
    finally:
        note("flooding is closed")


public = {"summary": "S", "tags": ["t"], "auth": "none"}


@route(**public)
def tick(input: None, ctx: None) -> Stream[int]:
    return Stream(ticking())


@route(**public)
def wait(input: None, ctx: None) -> Stream[int]:
    return Stream(waiting())


@route(**public)
async def flood(input: None, ctx: None) -> Stream[str]:
    return Stream(flooding())


api = spec(routes=routes(tick, wait, flood))
app = AsgiApp(api)
"""


@contextmanager
def served(kind: str, folder: Path) -> Iterator[Server]:
    (folder / "chat.py").write_text(APP)
    if kind == "uvicorn":
        how: tuple[str, ...] = ("chat:app", "--timeout-graceful-shutdown", "5")
        program = ("-m", "uvicorn", "--app-dir", str(folder))
        with running(*how, cwd=folder, health=None, program=program) as server:
            yield server
    else:
        how = ("serve", "chat:api", "--interface", kind, "--workers", "1")
        with running(*how, cwd=folder, health=None) as server:
            until(lambda: server.get("/contract.json").status == 200)
            yield server


@contextmanager
def asking(server: Server, route: str) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as client:
        client.sendall(
            b"POST /%s HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n" % route.encode()
        )
        yield client


def _says(server: Server, text: str) -> bool:
    return text in server.text()


def received(client: socket.socket, wanted: bytes) -> bytes:
    """What comes, up to what is *wanted*."""
    found = b""
    while wanted not in found:
        part = client.recv(65_536)
        assert part, found
        found += part
    return found


def settled(count: Callable[[], int]) -> int:
    """A count that has not risen for a second."""
    ending = time.monotonic() + PATIENCE
    found = -1
    while found != (now := count()):
        assert time.monotonic() < ending, now
        found = now
        time.sleep(1)
    return found


@pytest.mark.parametrize("kind", ["uvicorn", "asgi", "wsgi"])
def test_streams_are_sent_as_they_are_made_and_end_with_their_reader_or_server(
    kind: str, tmp_path: Path
) -> None:
    with served(kind, tmp_path) as server:
        iterator_is_closed_when_its_reader_goes(server, kind)
        reader_that_stops_holds_no_more_than_buffers(server)
        if kind != "uvicorn":
            server_that_stops_tells_open_streams(server)


def iterator_is_closed_when_its_reader_goes(server: Server, kind: str) -> None:
    for route, wanted in (("tick", b"data: 3\n\n"), ("wait", b"data: 0\n\n")):
        if (kind, route) == ("wsgi", "wait"):
            continue  # it is only noticed when something is sent, after 15 s
        with asking(server, route) as client:
            head = received(client, wanted)
        gone = time.monotonic()
        assert b"content-type: text/event-stream" in head
        closed = f"{route}ing is closed"
        until(partial(_says, server, closed))
        assert time.monotonic() - gone < 12  # it is told before it has been quiet for 15 s
    until(lambda: '"CANCELLED"' in server.text() or kind == "uvicorn")


def reader_that_stops_holds_no_more_than_buffers(server: Server) -> None:
    with asking(server, "flood") as client:
        received(client, b"data: ")
        until(lambda: "noted at 100" in server.text())

        # a hundred items are 1 MB, and the kernel takes some of them
        assert settled(lambda: server.text().count("noted at ")) < 30
        client.close()
        until(lambda: "flooding is closed" in server.text())


def server_that_stops_tells_open_streams(server: Server) -> None:
    before = server.text()
    with asking(server, "wait") as waiting, asking(server, "tick") as ticking:
        received(waiting, b"data: 0\n\n")
        received(ticking, b"data: 0\n\n")
        began = time.monotonic()
        server.process.terminate()

        ended = b'event: error\ndata: {"error":"SERVICE_UNAVAILABLE"}\n\n'
        received(waiting, ended)
        received(ticking, ended)
    assert server.process.wait(PATIENCE) == 0
    assert time.monotonic() - began < 10
    since = server.text().removeprefix(before)
    assert "waiting is closed" in since
    assert "ticking is closed" in since
