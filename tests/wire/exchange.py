"""
Eleven ways to a spec, each a function from a `RawRequest` to a `RawResponse`, in memory.

What a server would do is done here: paths are decoded, repeated headers joined, bodies cut into
parts, connections lost.
"""

from __future__ import annotations

import asyncio
import http.client
import io
import os
import re
import socket
import weakref
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from time import monotonic, perf_counter, sleep
from typing import Any, Literal, cast, get_args
from urllib.parse import unquote, unquote_to_bytes

import falcon
import falcon.asgi
import orjson

from contract import Spec
from contract.adapters.asgi import AsgiApp, AsgiFront
from contract.adapters.falcon import mount_spec
from contract.adapters.mount import service_of
from contract.adapters.pool import Lanes
from contract.adapters.threads import ThreadIncoming, respond
from contract.adapters.wsgi import WsgiApp, WsgiFront
from contract.call.incoming import whole, with_encoded_slashes
from contract.call.message import BrokenOff, Streamed
from contract.call.mount_options import Options
from contract.call.process import request_id
from contract.call.service import Service
from contract.cli.asgi_server import Server as LoopServer
from contract.cli.bounds import Bounds
from contract.cli.loop_connections import LoopConnection
from contract.cli.signals import Draining
from contract.cli.wsgi_server import Server

JSON = ("Content-Type", "application/json")


@dataclass(frozen=True, slots=True)
class RawRequest:
    """What a client sends, and how."""

    method: str = "POST"
    target: str = "/v1/echo"
    """As it stands on the request line, percent-encoded."""
    headers: tuple[tuple[str, str], ...] = (JSON,)
    body: bytes = b""
    length: str | None = "true"
    """The Content-Length: "true" for the true one where there is a body, None for none, else as given."""
    chunked: bool = False
    part: int = 1 << 30
    """The body arrives in parts of this many bytes."""
    ends: Literal["whole", "disconnect", "error", "never"] = "whole"
    """What happens after the last byte of *body*."""
    terminated: bool = True
    """Whether a WSGI server says that its input ends."""
    version: str = "1.1"

    def all_headers(self) -> list[tuple[str, str]]:
        headers = [*self.headers]
        if not any(name.lower() == "host" for name, _ in headers):
            headers.insert(0, ("Host", "shop.example"))
        if self.chunked:
            headers.append(("Transfer-Encoding", "chunked"))
        if self.length == "true" and self.body and not self.chunked:
            headers.append(("Content-Length", str(len(self.body))))
        elif self.length not in ("true", None):
            headers.append(("Content-Length", str(self.length)))
        return headers

    def parts(self) -> list[bytes]:
        return [self.body[at : at + self.part] for at in range(0, len(self.body), self.part)]


@dataclass(frozen=True, slots=True)
class RawResponse:
    """What a client receives."""

    status: int
    headers: tuple[tuple[str, str], ...]
    """Names in lower case."""
    body: bytes

    def header(self, name: str) -> str | None:
        found = [value for key, value in self.headers if key == name]
        assert len(found) < 2, f"{name} is sent twice"
        return found[0] if found else None

    def check(self, status: int | None = None, **headers: str | None) -> None:
        """Its *status*, where one is given, and its *headers*, by Python's names; None is not sent."""
        assert status in (None, self.status)
        for name, value in headers.items():
            assert (name, self.header(name.replace("_", "-"))) == (name, value)

    def json(self) -> Any:
        return orjson.loads(self.body)


Exchange = Callable[[RawRequest], RawResponse]


@cache
def loop() -> asyncio.AbstractEventLoop:
    """The server's loop: one, since a server has one for all requests."""
    return asyncio.new_event_loop()


class Input:
    """A ``wsgi.input``."""

    def __init__(self, request: RawRequest) -> None:
        self.rest = io.BytesIO(request.body)
        self.request = request
        self.touched = False

    def read(self, size: int = -1) -> bytes:
        self.touched = True
        part = min(size, self.request.part) if size >= 0 else self.request.part
        data = self.rest.read(part)
        if size and not data and self.request.ends == "error":
            raise OSError("the canary-of-the-connection was reset")
        return data

    def readline(self, size: int = -1) -> bytes:  # which Django asks for, and does not call
        return self.rest.readline(size)


def environ_of(request: RawRequest) -> dict[str, Any]:
    path, _, query = request.target.partition("?")
    environ: dict[str, Any] = {
        "REQUEST_METHOD": request.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": query,
        "REQUEST_URI": request.target,
        "SERVER_NAME": "shop.example",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": f"HTTP/{request.version}",
        "REMOTE_ADDR": "192.0.2.7",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": Input(request),
        "wsgi.errors": io.StringIO(),
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    if request.terminated:
        environ["wsgi.input_terminated"] = True
    for name, value in request.all_headers():
        key = name.upper().replace("-", "_")
        key = key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
        environ[key] = f"{environ[key]},{value}" if key in environ else value
    return environ


def scope_of(request: RawRequest) -> dict[str, Any]:
    path, _, query = request.target.partition("?")
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": request.version,
        "method": request.method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode("ascii"),
        "query_string": query.encode("ascii"),
        "root_path": "",
        "headers": [
            (name.lower().encode("latin-1"), value.encode("latin-1"))
            for name, value in request.all_headers()
        ],
        "client": ("192.0.2.7", 50_000),
        "server": ("shop.example", 80),
    }


def received(start: dict[str, Any], rest: list[dict[str, Any]]) -> RawResponse:
    """What the *start* and the *rest* of an answer's events of ASGI come to."""
    headers = tuple(
        (name.decode("ascii").lower(), value.decode("latin-1")) for name, value in start["headers"]
    )
    return RawResponse(start["status"], headers, b"".join(event.get("body", b"") for event in rest))


def through_wsgi(app: Callable[..., Any]) -> Exchange:
    def exchange(request: RawRequest) -> RawResponse:
        started: list[tuple[str, list[tuple[str, str]]]] = []

        def start_response(status: str, headers: list[tuple[str, str]], _: object = None) -> None:
            started.append((status, headers))

        answered = app(environ_of(request), start_response)
        body = b"".join(answered)
        if hasattr(answered, "close"):
            answered.close()
        [(status, headers)] = started
        sent = tuple((name.lower(), value) for name, value in headers)
        return RawResponse(int(status[:3]), sent, body)

    return exchange


async def talk(app: Callable[..., Any], request: RawRequest) -> RawResponse:
    parts = request.parts()
    last = len(parts) - 1 if request.ends == "whole" else len(parts)
    events = [
        {"type": "http.request", "body": part, "more_body": index < last}
        for index, part in enumerate(parts)
    ]
    if not events and request.ends == "whole":
        events.append({"type": "http.request"})
    events.reverse()
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if events:
            return events.pop()
        if request.ends == "error":
            raise OSError("the canary-of-the-connection was reset")
        if request.ends in ("whole", "never"):
            await asyncio.Event().wait()  # the client waits for its answer, or the server for more
        return {"type": "http.disconnect"}

    async def send(event: dict[str, Any]) -> None:
        sent.append(event)

    await app(scope_of(request), receive, send)
    start, *rest = sent
    return received(start, rest)


def through_asgi(app: Callable[..., Any]) -> Exchange:
    def exchange(request: RawRequest) -> RawResponse:
        return loop().run_until_complete(talk(app, request))

    return exchange


def abandon(app: Callable[..., Any], request: RawRequest) -> None:
    """Send *request*, and stop the server where the call first waits for something."""

    async def run() -> None:
        task = asyncio.create_task(talk(app, request))
        await asyncio.sleep(0)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        assert task.cancelled()

    loop().run_until_complete(run())


class Bare(ThreadIncoming):
    """A request with no server at all: the body is simply there."""

    __slots__ = ("_body", "_chunked", "_headers", "_query", "blocks", "lanes")

    def __init__(self, request: RawRequest, lanes: Lanes) -> None:
        self.lanes = lanes
        self.blocks = lanes.blocks
        self.cancelled = self.watched = False
        headers: dict[str, str] = {}
        for name, value in request.all_headers():
            key = name.lower()
            headers[key] = f"{headers[key]}, {value}" if key in headers else value
        self._headers = headers
        self._body = request.body
        self.method = request.method
        path, _, self._query = request.target.partition("?")
        self.path = with_encoded_slashes(unquote(path), path)
        self._chunked = request.chunked
        self.request_id = request_id(headers.get("x-request-id"))
        self.started = perf_counter()

    @property
    def chunked(self) -> bool:
        return self._chunked

    @property
    def headers(self) -> Mapping[str, str]:
        return self._headers

    @property
    def query(self) -> str:
        return self._query

    @property
    def scheme(self) -> str:
        return "http"

    @property
    def peer(self) -> str | None:
        return "192.0.2.7"

    @property
    def native(self) -> Any:
        return self

    def read(self, limit: int) -> bytes:
        return self._body


def answered(service: Service, incoming: ThreadIncoming) -> RawResponse:
    """The response to *incoming*, all of it."""
    response = whole(respond(service, incoming), incoming)
    streamed = isinstance(response, Streamed)
    body = b"".join(cast("Any", response).parts) if streamed else response.body
    sent = b"" if incoming.method == "HEAD" else body
    return RawResponse(response.status, tuple(response.pairs()), sent)


def through_service(service: Service) -> Exchange:
    lanes = Lanes(service.options.limits)
    return lambda request: answered(service, Bare(request, lanes))


class Door:
    """A listening socket whose clients are in this process, and have an address of their own."""

    def __init__(self) -> None:
        self.bell, self._knock = socket.socketpair()
        self._clients: deque[socket.socket] = deque()

    def connect(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        self._clients.append(theirs)
        self._knock.send(b"x")
        return ours

    def accept(self) -> tuple[socket.socket, tuple[str, int]]:
        self.bell.recv(1)
        return self._clients.popleft(), ("192.0.2.7", 50000)

    def getsockname(self) -> tuple[str, int]:
        return "shop.example", 80

    def fileno(self) -> int:
        return self.bell.fileno()

    def setblocking(self, flag: bool) -> None:
        self.bell.setblocking(flag)

    def close(self) -> None:
        self.bell.close()
        self._knock.close()


def as_sent(request: RawRequest) -> list[bytes]:
    """The bytes of a request, in the parts in which they come."""
    lines = [f"{request.method} {request.target} HTTP/{request.version}"]
    lines += [f"{name}: {value}" for name, value in request.all_headers()]
    parts = [part for part in request.parts() if part]
    if request.chunked:
        parts = [b"%x\r\n%b\r\n" % (len(part), part) for part in parts]
        if request.ends == "whole":
            parts.append(b"0\r\n\r\n")
    head = "\r\n".join([*lines, "", ""]).encode("latin-1")
    return [head + parts[0], *parts[1:]] if parts else [head]


METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "QUERY"})  # fmt: skip
CONTROLS = re.compile(r"[^\t -~\x80-\xff]")


def is_http(request: RawRequest) -> bool:
    """Whether a parser of HTTP/1 takes *request*: what it refuses never comes to an app."""
    headers = [(name.lower(), value) for name, value in request.all_headers()]
    lengths = [value for name, value in headers if name == "content-length"]
    codings = [value for name, value in headers if name == "transfer-encoding"]
    return (
        request.method in METHODS
        and request.version.startswith("1.")
        and not any(CONTROLS.search(value) for _, value in headers)
        and len(lengths) + len(codings) < 2
        and all(re.fullmatch("[0-9]{1,19}", value.strip()) for value in lengths)
        and all(value.lower().count("chunked") < 2 for value in codings)
    )


def ask(client: socket.socket, request: RawRequest) -> RawResponse:
    """The answer of a server to *request*, on a connection to it."""
    client.settimeout(60)
    for part in as_sent(request):
        client.sendall(part)
    if request.ends != "whole":
        client.shutdown(socket.SHUT_WR)
    found = http.client.HTTPResponse(client, method=request.method)
    found.begin()
    try:
        body = found.read()
    except (http.client.IncompleteRead, OSError):
        raise BrokenOff from None
    finally:
        found.close()
    headers = tuple((name.lower(), value) for name, value in found.getheaders())
    own = {"date", "transfer-encoding"}
    return RawResponse(found.status, tuple(each for each in headers if each[0] not in own), body)


def through_server(front: WsgiFront) -> Exchange:
    door = Door()
    server = Server(front, (front,), cast("Any", door), 4, Bounds(64, 30.0), Draining())
    begun: list[None] = []

    def exchange(request: RawRequest) -> RawResponse:
        if not begun:
            begun.append(None)
            server.start()
        try:
            with door.connect() as client:
                return ask(client, request)
        finally:
            ended = monotonic() + 60
            while server._connections:  # all that follows the last byte is over then, too
                assert monotonic() < ended, "the call does not come to its end"
                sleep(0.0005)

    weakref.finalize(exchange, server.stop)
    return exchange


def through_loop(front: AsgiFront) -> Exchange:
    async def asked(request: RawRequest) -> RawResponse:
        here = asyncio.get_running_loop()
        door = cast("Any", Door())
        server = LoopServer(front, (front,), door, Bounds(64, 30.0), Draining())
        server.turn_away()  # or it would watch the door, once a connection has ended
        client, theirs = socket.socketpair()
        theirs.setblocking(False)
        connection = LoopConnection(server, ("192.0.2.7", 50000))
        server.connections.add(connection)
        await here.connect_accepted_socket(lambda: connection, theirs)
        try:
            with client:
                return await here.run_in_executor(None, ask, client, request)
        finally:
            async with asyncio.timeout(60):
                while server.connections or server.running:
                    await asyncio.sleep(0)
            door.close()

    return lambda request: loop().run_until_complete(asked(request))


Transport = Literal[
    "service", "wsgi", "asgi", "falcon-wsgi", "falcon-asgi", "mount-wsgi", "mount-asgi", "served", "served-mount", "loop", "loop-mount"
]  # fmt: skip
SERVERLESS: frozenset[str] = frozenset({"service"})
WSGI: frozenset[str] = frozenset({"wsgi", "falcon-wsgi", "mount-wsgi"})
ASGI: frozenset[str] = frozenset({"asgi", "falcon-asgi", "mount-asgi"})
EARLY: frozenset[str] = frozenset({"asgi", "mount-asgi"})
"""Where the first event of a body is not awaited before it is needed."""
IN_THREADS: frozenset[str] = frozenset({"served", "served-mount"})
"""What `contract serve` runs for WSGI."""
ON_LOOP: frozenset[str] = frozenset({"loop", "loop-mount"})
"""What it runs for ASGI."""
SERVED: frozenset[str] = IN_THREADS | ON_LOOP
SERVERS: frozenset[str] = WSGI | ASGI | SERVED
UNHELD: frozenset[str] = WSGI | ASGI
"""Where nobody has held a body against its Content-Length before; its parser has, and tells of every other end in one way."""
ALL: frozenset[str] = SERVERLESS | SERVERS
FALCON: frozenset[str] = frozenset(
    {"falcon-wsgi", "falcon-asgi", "mount-wsgi", "mount-asgi", "served-mount", "loop-mount"}
)
"""Where there may be middleware."""
EVERY: tuple[Transport, ...] = get_args(Transport)
_CHOSEN = os.environ.get("CONTRACT_TRANSPORTS", " ".join(EVERY)).split()
TRANSPORTS: tuple[Transport, ...] = tuple(each for each in EVERY if each in _CHOSEN)
"""Those that are asked: CONTRACT_TRANSPORTS names some where not all of them can differ."""


def serve(
    transport: Transport,
    spec: Spec[Any],
    *,
    prefix: str = "/v1",
    middleware: Sequence[Any] = (),
    **options: Any,
) -> Exchange:
    """*spec* behind *transport*; in Falcon behind *middleware* too."""
    if transport in FALCON:
        made: Any = falcon.asgi.App if transport in ASGI | ON_LOOP else falcon.App
        mount = mount_spec(made(middleware=middleware), spec, prefix=prefix, **options)
        if transport == "served-mount":
            return through_server(mount.wsgi)
        if transport == "loop-mount":
            return through_loop(mount.asgi)
        if transport in ("falcon-wsgi", "mount-wsgi"):
            return through_wsgi(mount.app if transport == "falcon-wsgi" else mount.wsgi)
        return through_asgi(mount.app if transport == "falcon-asgi" else mount.asgi)
    service = service_of(spec, Options(prefix=prefix, **options))
    if transport == "served":
        return through_server(WsgiApp(service))
    if transport == "loop":
        return through_loop(AsgiApp(service))
    if transport == "wsgi":
        return through_wsgi(WsgiApp(service))
    return through_asgi(AsgiApp(service)) if transport == "asgi" else through_service(service)
