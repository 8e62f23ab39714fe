"""What no task does, and no kernel tells: the server of synchronous apps answers it, and goes on."""

from __future__ import annotations

import errno
import selectors
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Annotated, Any

import pytest

import contract
from contract import Media, route, routes, spec
from contract.adapters.wsgi import WsgiApp
from contract.call.message import BARE_HEADERS, Streamed
from contract.cli import direct_calls, wsgi_server
from contract.cli.exchanges import Facts
from contract.cli.signals import Draining
from contract.cli.socket_connections import SocketConnection
from contract.cli.turns import Turns
from contract.cli.wsgi_server import Server
from tests import uploaded
from tests.cli_servers import PATIENCE, until
from tests.served import JSON, LAST, LENGTH, body_of, called, peer, post, rest_of, serving
from tests.tables import rows


@route(summary="s", tags=["t"], auth="none")
def ping(input: None, ctx: None) -> str:
    return "pong"


@route(summary="s", tags=["t"], auth="none")
def large(input: None, ctx: None) -> str:
    return "x" * 100_000


@route(summary="s", tags=["t"])
def mine(input: str, ctx: str) -> str:
    return ctx


PING = post(b"/ping", JSON, LENGTH, body=b"null")
FAILED = b'{"error":"INTERNAL_ERROR"}'


def who(token: str, request: contract.Request) -> str:
    return token


api = spec(authenticate=who, routes=routes(ping, large, mine))


class Once:
    """Raises when it is called for the first time, and does what it replaces from then on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> None:
        self.done = False
        real = getattr(owner, name)

        def call(*arguments: Any) -> Any:
            if self.done:
                return real(*arguments)
            self.done = True
            raise MemoryError("canary")

        monkeypatch.setattr(owner, name, call)


@rows("name", "respond", "respond_or_pause")
def test_a_task_that_raises_is_answered_with_a_500(
    name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    half = post(b"/mine", JSON, b"Content-Length: 9", b"Authorization: Bearer ada", body=b'"')
    Once(monkeypatch, direct_calls, name)
    with serving(WsgiApp(api)) as (_, port):
        answer = called(port, PING if name == "respond" else half)
        again = called(port, PING)

    assert answer.startswith(b"HTTP/1.1 500 ")
    assert (body_of(answer), body_of(again)) == (FAILED, b'"pong"')
    assert "a request could not be answered" in caplog.text


def breaks(*_: Any) -> Streamed:
    def parts() -> Iterator[bytes]:
        yield b"begun"
        raise MemoryError("canary")

    return Streamed("id", (), parts(), fixed=BARE_HEADERS)


def test_a_task_that_raises_in_the_middle_of_an_answer_breaks_that_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(direct_calls, "respond", breaks)
    with serving(WsgiApp(api)) as (_, port):
        answer = rest_of(port, PING)

    assert body_of(answer) == b"5\r\nbegun\r\n"


def test_a_file_whose_iterator_raises_is_broken_off() -> None:
    @route(summary="s", tags=["t"], auth="none")
    def picture(input: None, ctx: None) -> Annotated[contract.Download, Media("image/png")]:
        def parts() -> Iterator[bytes]:
            yield b"begun"
            raise LookupError("canary")

        return contract.Download(parts(), media_type="image/png")

    with serving(WsgiApp(spec(routes=routes(picture)))) as (_, port):
        answer = rest_of(port, post(b"/picture", JSON, LENGTH, body=b"null"))

    assert body_of(answer) == b"5\r\nbegun\r\n"


@rows(
    "owner, name, told",
    (SocketConnection, "read", "a connection could not be served"),
    (Server, "_end_exchange", "a connection could not be served"),
    (Server, "_tend", "connections could not be served"),
)
def test_the_lead_is_not_lost(
    owner: Any,
    name: str,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with serving(WsgiApp(api)) as (_, port):
        once = Once(monkeypatch, owner, name)
        with peer(port, PING):
            until(lambda: once.done)
        answer = called(port, PING)

    assert body_of(answer) == b'"pong"'
    assert told in caplog.text


def test_a_look_at_running_calls_that_raises_is_not_the_last(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    let_go = threading.Event()

    @route(summary="s", tags=["t"], auth="none")
    def waits(input: None, ctx: None) -> str:
        assert let_go.wait(PATIENCE)
        return "waited"

    app = WsgiApp(spec(routes=routes(ping, waits)))
    with serving(app) as (_, port):
        once = Once(monkeypatch, Turns, "look")
        with peer(port, post(b"/waits", JSON, LENGTH, body=b"null")) as slow:
            until(lambda: once.done)
            other = called(port, PING)
            let_go.set()
            first = slow.answer()

    assert (body_of(first), body_of(other)) == (b'"waited"', b'"pong"')
    assert "running calls could not be looked at" in caplog.text


def test_a_request_that_waits_for_a_turn_and_cannot_be_refused_gets_a_500(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wsgi_server, "_STUCK", 0.05)
    let_go = threading.Event()

    def waits(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        assert let_go.wait(PATIENCE)
        start_response("200 OK", [])
        return []

    with serving(waits, threads=1) as (server, port), peer(port, post(b"/waits")) as slow:
        until(lambda: server.turns.full)
        Once(monkeypatch, SocketConnection, "refuse")
        answer = called(port, PING)
        let_go.set()
        slow.answer()

    assert body_of(answer) == FAILED


class Unwatched(selectors.DefaultSelector):
    """The kernel has no memory to watch one more socket, a few times."""

    refusals: Iterator[bool] = iter(())

    def register(self, *arguments: Any) -> Any:
        if next(self.refusals, False):
            raise OSError(errno.ENOSPC, "no space")
        return super().register(*arguments)


@rows("refusals", (False, False, True), (False, True), (False, True, False, True))
def test_a_socket_that_cannot_be_watched_takes_no_room(
    refusals: tuple[bool, ...], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The first one is the pipe that wakes the leader, the second one listens."""
    monkeypatch.setattr(selectors, "DefaultSelector", Unwatched)
    monkeypatch.setattr(Unwatched, "refusals", iter(refusals))
    monkeypatch.setattr(wsgi_server, "PAUSE", 0.05)
    with serving(WsgiApp(api), connections=1) as (server, port):
        with suppress(ConnectionError, AssertionError):
            called(port, PING)
        until(lambda: not server._connections)
        answer = called(port, PING)

    assert body_of(answer) == b'"pong"'
    assert "a connection could not be accepted" in caplog.text


def test_a_large_answer_of_a_route_is_whole() -> None:
    with serving(WsgiApp(api)) as (_, port):
        answer = called(port, post(b"/large", JSON, LENGTH, body=b"null"))

    assert body_of(answer) == b'"%b"' % (b"x" * 100_000)


def in_parts(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterator[bytes]:
    start_response("200 OK", [])
    for _ in range(8):
        yield b"x" * 4_000_000


def test_an_answer_in_parts_waits_for_a_client_that_reads_slowly() -> None:
    """The thread that waits for it is not the one that reads other connections."""
    with serving(in_parts) as (server, port), peer(port, LAST) as slow:
        until(lambda: any(known.busy and known.exchanges[0].begun for known in server._connections))
        quick = rest_of(port, LAST)
        answer = slow.answer()

    assert len(body_of(answer)) == 32_000_000
    assert len(quick) > 32_000_000


def fill(accepted: socket.socket) -> int:
    """Send until there is no room; how many bytes that took."""
    filled = 0
    while True:
        try:
            filled += accepted.send(bytes(65_536))
        except BlockingIOError:
            return filled


def unsent(connection: SocketConnection) -> int:
    return len(connection.unsent)


def test_what_finds_no_room_is_sent_later() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.setblocking(False)
        filled = fill(theirs)
        connection = SocketConnection(theirs, ("a", 1), Facts(("b", 2), {}, Draining()))
        ours.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        connection.read()
        connection.answer(200, [], b"x" * 100_000)
        connection.flush()
        kept = unsent(connection)
        got = b""
        while len(got) < filled + kept:
            got += ours.recv(1_000_000)
            connection.flush()
        connection.close()

    assert kept > 100_000
    assert got[filled:].startswith(b"HTTP/1.1 200 OK\r\n")
    assert got.endswith(b"x" * 100_000)


def test_a_form_without_a_body_is_refused() -> None:
    form = b"Content-Type: multipart/form-data; boundary=x"
    with serving(WsgiApp(uploaded.api)) as (_, port):
        answer = called(port, post(b"/add", form, b"Content-Length: 0"))

    assert answer.startswith(b"HTTP/1.1 400 ")


def test_what_came_of_a_connection_that_was_closed_a_moment_ago_is_nothing() -> None:
    """The kernel tells of several connections at once, and one may be closed before its turn."""
    with serving(WsgiApp(api)) as (server, port):
        with peer(port, PING) as each:
            each.answer()
            [known] = server._connections
        until(lambda: not server._connections)

        assert server._handle(known, known, 1)
