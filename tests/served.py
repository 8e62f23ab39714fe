"""Servers of synchronous apps in this process, and clients that talk to them over sockets of their own."""

from __future__ import annotations

import os
import socket
import struct
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from contract.adapters.wsgi import WsgiFront
from contract.cli.bounds import Bounds
from contract.cli.signals import Draining
from contract.cli.wsgi_server import Server
from tests.cli_servers import PATIENCE
from tests.http_requests import CHUNKED, CLOSE, JSON, LAST, LENGTH, body_of, chunk, get, post

__all__ = [
    "CHUNKED",
    "CLOSE",
    "JSON",
    "LAST",
    "LENGTH",
    "LONG",
    "Peer",
    "body_of",
    "called",
    "chunk",
    "get",
    "peer",
    "post",
    "rest_of",
    "serving",
    "stopping",
]

App = Callable[..., Any]
LONG = 600.0
"""Seconds that no test waits for."""


@contextmanager
def serving(
    app: App,
    *fronts: WsgiFront,
    threads: int = 2,
    seconds: float = LONG,
    connections: int = 64,
    draining: Draining | None = None,
    listening: socket.socket | None = None,
) -> Iterator[tuple[Server, int]]:
    """A server of *app*, which is a front itself if it has no others, and its port."""
    if isinstance(app, WsgiFront):
        fronts = (app,)
    with listening or socket.create_server(("127.0.0.1", 0)) as opened:
        bounds = Bounds(connections, seconds)
        server = Server(app, fronts, opened, threads, bounds, draining or Draining())
        weakref.finalize(server, _close_all, *server._wakes)  # its process would end with it
        port = opened.getsockname()[1]
        server.start()
        try:
            yield server, port
        finally:
            stopping(server).join(PATIENCE)
            assert not server._connections, "it does not stop"


def _close_all(*descriptors: int) -> None:
    for each in descriptors:
        os.close(each)


def stopping(server: Server) -> threading.Thread:
    """A thread that stops *server*, which waits for its calls."""
    thread = threading.Thread(target=server.stop, daemon=True)
    thread.start()
    return thread


class Peer:
    """A client on one connection."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.file = self.socket.makefile("rb")

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def head(self) -> bytes:
        """The status and the headers of the next answer."""
        lines = [self.file.readline()]
        while lines[-1] not in (b"\r\n", b""):
            lines.append(self.file.readline())
        assert lines[-1], f"the connection has ended: {lines}"
        return b"".join(lines)

    def answer(self) -> bytes:
        """The next answer, with its body."""
        head = self.head()
        lowered = head.lower()
        if b"transfer-encoding: chunked" in lowered:
            return head + b"".join(iter(self.chunk, b""))
        for line in lowered.split(b"\r\n"):
            if line.startswith(b"content-length:"):
                return head + self.file.read(int(line.partition(b":")[2]))
        return head

    def chunk(self) -> bytes:
        """The next chunk of a body; the last one is empty."""
        data = self.file.read(int(self.file.readline(), 16))
        assert self.file.read(2) == b"\r\n"
        return data

    def ask(self, data: bytes) -> bytes:
        """The next answer, to *data*."""
        self.send(data)
        return self.answer()

    def rest(self) -> bytes:
        """What comes until the server closes."""
        with suppress(ConnectionResetError):
            return self.file.read()
        return b""

    def close(self) -> None:
        self.file.close()
        self.socket.close()

    def reset(self) -> None:
        """Break the connection off, as the system does for a program that has died."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()


@contextmanager
def peer(port: int, data: bytes = b"") -> Iterator[Peer]:
    each = Peer(port)
    try:
        each.send(data)
        yield each
    finally:
        each.close()


def rest_of(port: int, data: bytes) -> bytes:
    with peer(port, data) as each:
        return each.rest()


def called(port: int, data: bytes) -> bytes:
    """The answer to *data*, on a connection of its own."""
    with peer(port, data) as each:
        return each.answer()
