"""
Servers that clients are tested against: whatever a server may do to a connection, on a port that the kernel chooses.

A server is one function, which is given each connection in a thread of its own and does with it what it likes.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests import cli_servers

PATIENCE = 20.0
"""Seconds until a test gives up; much more than anything takes."""


@dataclass(eq=False)
class Server:
    port: int
    connections: int = 0
    requests: list[bytes] = field(default_factory=list[bytes])
    """Everything up to the empty line, of each."""
    over: threading.Event = field(default_factory=threading.Event)
    """The test has ended, and whoever waits may go."""
    asked: threading.Event = field(default_factory=threading.Event)
    """A request has come."""
    left: threading.Event = field(default_factory=threading.Event)
    """A client has ended its connection."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def read(self, connection: socket.socket) -> bytes:
        """The next request; nothing where the client has gone."""
        data = b""
        while b"\r\n\r\n" not in data:
            part = connection.recv(65_536)
            if not part:
                self.left.set()
                return b""
            data += part
        head, _, body = data.partition(b"\r\n\r\n")
        length = sum(
            int(line.partition(b":")[2])
            for line in head.split(b"\r\n")
            if line.lower().startswith(b"content-length:")
        )
        while len(body) < length:
            body += connection.recv(65_536)
        self.requests.append(head)
        self.asked.set()
        return head


Handle = Callable[[Server, socket.socket], None]


def response(body: bytes = b"null", status: str = "200 OK", **headers: str) -> bytes:
    """A response with its length, unless that is given."""
    given = {"content-length": str(len(body))} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in given.items())
    return f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + body


def always(*responses: bytes) -> Handle:
    """Gives *responses* one after the other, to each request the next, and then the last one again and again."""
    left = [*responses]

    def handle(server: Server, connection: socket.socket) -> None:
        while server.read(connection):
            connection.sendall(left.pop(0) if len(left) > 1 else left[0])

    return handle


def once(data: bytes, *, reset: bool = False) -> Handle:
    """Gives *data* to the first request of a connection, and ends it, politely or not."""

    def handle(server: Server, connection: socket.socket) -> None:
        server.read(connection)
        connection.sendall(data)
        if reset:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    return handle


def silent(server: Server, connection: socket.socket) -> None:
    """Gives nothing, until the client has gone or the test is over."""
    server.read(connection)
    server.over.wait(PATIENCE)


def served(app: str, *options: str, **environment: str) -> Any:
    """A fixture for a module: `contract serve` with *app*, once at WSGI and once at ASGI."""

    @pytest.fixture(scope="module", params=["wsgi", "asgi"])
    def server(
        request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
    ) -> Iterator[cli_servers.Server]:
        command = ("serve", app, "--interface", request.param, *options)
        folder = tmp_path_factory.mktemp("served")
        with cli_servers.running(*command, cwd=folder, **environment) as server:
            yield server

    return server


def asked(client: Any, name: str, /, *given: Any, options: Any = None, **named: Any) -> Any:
    """What a call comes to, by a client of either kind, which is closed then."""
    call = getattr(client.with_options(**(options or {})), name)

    async def later() -> Any:
        async with client:
            return await call(*given, **named)

    if hasattr(client, "aclose"):
        return asyncio.run(later())
    with client:
        return call(*given, **named)


@contextmanager
def serving(handle: Handle, *, context: ssl.SSLContext | None = None) -> Iterator[Server]:
    """A server that treats every connection as *handle* does."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        server = Server(listener.getsockname()[1])
        threads: list[threading.Thread] = []
        connections: list[socket.socket] = []

        def treat(connection: socket.socket) -> None:
            with closing(connection), suppress(OSError):
                connection.settimeout(PATIENCE)
                if context is None:
                    handle(server, connection)
                    return
                with closing(context.wrap_socket(connection, server_side=True)) as secured:
                    handle(server, secured)

        def accept() -> None:
            while True:
                connection, _ = listener.accept()
                if server.over.is_set():
                    connection.close()
                    return
                server.connections += 1
                connections.append(connection)
                threads.append(threading.Thread(target=treat, args=(connection,)))
                threads[-1].start()

        accepting = threading.Thread(target=accept)
        accepting.start()
        try:
            yield server
        finally:
            server.over.set()
            with suppress(OSError):
                # so that accept() comes back
                socket.create_connection(("127.0.0.1", server.port)).close()
            accepting.join(PATIENCE)
            for connection in connections:
                # whoever still sends would wait for a window that a client which left never opens
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
            for thread in (accepting, *threads):
                thread.join(PATIENCE)
                assert not thread.is_alive()


def closed_port() -> int:
    """A port that nobody listens on."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        port: int = listener.getsockname()[1]
    return port


def secure(folder: Path) -> ssl.SSLContext:
    """That of a server with `CERTIFICATE`."""
    path = folder / "server.pem"
    path.write_text(CERTIFICATE)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context


CERTIFICATE = """
-----BEGIN CERTIFICATE-----
MIIBbTCCARKgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAkxMjcuMC4w
LjEwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CTEyNy4wLjAuMTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABNAR93ES+qrUJ8mX
/8xc5WVewztHhDYRK6CulaoLKPdNu+09J0DhmzNIhrWqi4PPMZJwGBaAKxt5nqUY
PWoOOY6jUzBRMA8GA1UdEQQIMAaHBH8AAAEwDwYDVR0TAQH/BAUwAwEB/zAdBgNV
HQ4EFgQUNM8Dni8uZeEOxR+CMS30BOsqBS8wDgYDVR0PAQH/BAQDAgGGMAoGCCqG
SM49BAMCA0kAMEYCIQDzXNFH9aOzdCIDf6AS6zbIGnNz71xv24CfdhNVRB/gJwIh
AJlSYyCjCjpoj7CL7RKqFq7MV+OJHRingJncrpSDadEa
-----END CERTIFICATE-----
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQggsnP9Xx5e0fT9NtZ
Gm7svdF7ptS9IweWkOE8ZLL2nwihRANCAATQEfdxEvqq1CfJl//MXOVlXsM7R4Q2
ESugrpWqCyj3TbvtPSdA4ZszSIa1qouDzzGScBgWgCsbeZ6lGD1qDjmO
-----END PRIVATE KEY-----
"""
"""Of 127.0.0.1, until 2119, signed by itself; with its key, which opens nothing but these tests."""
