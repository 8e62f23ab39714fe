"""The server of synchronous apps: how many calls run at once, what waits behind them, and how it stops."""

from __future__ import annotations

import errno
import logging
import selectors
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from contract import Request, provide, route, routes, spec
from contract.adapters.mount import service_of
from contract.adapters.pool import Lanes
from contract.adapters.wsgi import WsgiApp, WsgiFront
from contract.call.mount_options import Limits, Options
from contract.cli import wsgi_server
from contract.cli.signals import Draining
from contract.cli.wsgi_server import Server
from tests.cli_servers import PATIENCE, running, until
from tests.served import (
    CLOSE,
    JSON,
    LAST,
    LENGTH,
    LONG,
    Peer,
    body_of,
    called,
    get,
    peer,
    post,
    rest_of,
    serving,
    stopping,
)

GATE = threading.Event()


@pytest.fixture(autouse=True)
def gate() -> Iterator[None]:
    """What calls of /slow wait for."""
    GATE.clear()
    yield
    GATE.set()


def echo(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """Answers with the path and the body; at /slow when the test says so."""
    body = environ["wsgi.input"].read()
    if environ["PATH_INFO"] == "/slow":
        assert GATE.wait(PATIENCE)
    start_response("200 OK", [])
    return [environ["PATH_INFO"].encode(), body]


def busy(server: Server) -> int:
    """How many requests have a thread, or wait for one."""
    return sum(known.busy for known in server._connections)


def is_quiet(each: Peer) -> bool:
    """Whether nothing has come for a client."""
    each.socket.setblocking(False)
    try:
        return not each.socket.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return True
    finally:
        each.socket.settimeout(PATIENCE)


# Threads.


def test_a_call_that_waits_stops_nobody_else() -> None:
    with serving(echo) as (server, port), peer(port, post(b"/slow")) as slow:
        until(lambda: busy(server))
        others = [body_of(called(port, post(b"/%d" % number))) for number in range(20)]
        assert is_quiet(slow)
        GATE.set()

        assert body_of(slow.answer()) == b"/slow"

    assert others == [b"/%d" % number for number in range(20)]


def test_a_call_that_computes_stops_nobody_else() -> None:
    def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        while environ["PATH_INFO"] == "/computes" and not GATE.is_set():
            pass
        return echo(environ, start_response)

    with serving(app) as (server, port), peer(port, post(b"/computes")) as computes:
        until(lambda: busy(server))
        assert body_of(called(port, post(b"/other"))) == b"/other"
        GATE.set()

        assert body_of(computes.answer()) == b"/computes"


def test_what_comes_behind_a_call_that_waits_is_answered_in_its_order() -> None:
    """Nobody looks at the connection meanwhile; what has come is read afterwards."""
    with serving(echo) as (server, port), peer(port, post(b"/slow") + post(b"/one")) as each:
        until(lambda: busy(server))
        each.send(post(b"/two", LENGTH, body=b"body"))
        until(lambda: any(known.parked for known in server._connections))
        each.send(LAST)
        assert is_quiet(each)
        GATE.set()
        answers = [body_of(each.answer()) for _ in range(4)]

    assert answers == [b"/slow", b"/one", b"/twobody", b"/last"]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_as_many_calls_as_there_are_threads_wait_side_by_side(threads: int) -> None:
    """And no more of them; those that have no thread are answered when there is one."""
    together = threading.Barrier(threads)
    most, now = [0], [0]

    def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        now[0] += 1
        most[0] = max(most[0], now[0])
        together.wait(PATIENCE)
        now[0] -= 1
        return echo(environ, start_response)

    with serving(app, threads=threads) as (_, port), ExitStack() as stack:
        data = post(b"/", CLOSE)
        peers = [stack.enter_context(peer(port, data)) for _ in range(threads * 3)]
        answers = [each.rest()[:12] for each in peers]

    assert answers == [b"HTTP/1.1 200"] * threads * 3
    assert most[0] <= threads


def test_what_waits_behind_calls_that_do_not_end_is_told_so(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The threads answer again as soon as one of them can."""
    monkeypatch.setattr(wsgi_server, "_STUCK", 0.05)
    with serving(echo, threads=2) as (server, port), ExitStack() as stack:
        stuck = [stack.enter_context(peer(port, post(b"/slow"))) for _ in range(2)]
        until(lambda: busy(server) == 2)
        waiting = stack.enter_context(peer(port, post(b"/a") + LAST))
        answers = [waiting.answer(), waiting.rest()]
        sent = stack.enter_context(peer(port, post(b"/b", LENGTH, body=b"bo")))
        sent.send(b"dy")
        answers += [sent.answer(), called(port, post(b"/c"))]
        GATE.set()
        assert [body_of(each.answer()) for each in stuck] == [b"/slow"] * 2
        assert body_of(called(port, post(b"/c"))) == b"/c"
        assert body_of(sent.ask(post(b"/d"))) == b"/d"

    for each in answers:
        assert each.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
        assert b"\r\nretry-after: 1\r\n" in each
    assert caplog.text.count("all 2 threads have been busy for 0.05 s") == 1


def test_the_rest_of_the_body_of_a_stuck_call_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wsgi_server, "_STUCK", 0.05)

    @route(summary="s", tags=["t"])
    def mine(input: str, ctx: str) -> str:
        raise NotImplementedError

    def who(token: str, request: Request) -> str:
        assert GATE.wait(PATIENCE)
        return "nobody"

    app = WsgiApp(spec(authenticate=who, routes=routes(mine)))
    head = post(b"/mine", JSON, b"Content-Length: 5000", b"Authorization: Bearer a")
    with serving(app, threads=1) as (_, port), peer(port, head), peer(port, head) as waiting:
        refused = waiting.answer()
        waiting.send(b" " * 5000)
        again = waiting.ask(post(b"/nothing"))
        GATE.set()

    assert (refused[:12], again[:12]) == (b"HTTP/1.1 503",) * 2


def test_the_values_of_a_call_that_is_refused_since_others_are_stuck_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wsgi_server, "_STUCK", 0.05)
    monkeypatch.setattr(wsgi_server, "_PROMPT", 0.0)
    steps: list[str] = []

    @provide(shared=True)
    def session() -> Iterator[str]:
        steps.append("begun")
        try:
            yield "session"
        finally:
            steps.append("ended")

    @route(summary="s", tags=["t"])
    def mine(input: str, ctx: str) -> str:
        raise NotImplementedError

    @route(summary="s", tags=["t"], auth="none")
    def slow(input: None, ctx: None) -> str:
        assert GATE.wait(PATIENCE)
        return "slow"

    def who(token: str, request: Request) -> str:
        return session()

    app = WsgiApp(spec(authenticate=who, routes=routes(mine, slow)))
    head = post(b"/mine", JSON, LENGTH, b"Authorization: Bearer a")
    with serving(app, threads=1) as (server, port), peer(port, head) as mind:
        until(lambda: steps == ["begun"] and not server.turns.busy)
        with peer(port, post(b"/slow")) as stuck:
            until(lambda: busy(server))
            answer = mind.ask(b"null")
            assert steps == ["begun", "ended"]
            GATE.set()
            stuck.answer()

    assert answer.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")


def test_a_stuck_call_is_told_of_again_after_one_has_ended(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wsgi_server, "_STUCK", 0.05)
    with serving(echo, threads=1) as (server, port):
        for _ in range(2):
            with peer(port, post(b"/slow")) as stuck:
                until(lambda: busy(server))
                assert called(port, LAST).startswith(b"HTTP/1.1 503")
                GATE.set()
                stuck.answer()
            GATE.clear()
            until(lambda: called(port, LAST).startswith(b"HTTP/1.1 200") and not server._told)

    assert caplog.text.count("all 1 threads have been busy") == 2


class Together(selectors.DefaultSelector):
    """Once it is told so, it waits for a new connection and for another one, and tells of these in this order."""

    waits = False

    def select(self, timeout: float | None = None) -> Any:
        found = super().select(timeout)
        if not Together.waits:
            return found
        while {True, False} != {key.data is None for key, _ in found}:
            found = super().select(0.01)
        Together.waits = False
        return sorted(found, key=lambda each: each[0].data is not None)


class Slow(socket.socket):
    """A listening socket that accepts when it is told to."""

    waits: Callable[[], object] = bool

    def accept(self) -> tuple[socket.socket, Any]:
        self.waits()
        return super().accept()


def test_a_request_is_not_answered_again_while_its_answer_waits_for_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """More had come, of which the leader hears only after the answer has been given back."""
    monkeypatch.setattr(selectors, "DefaultSelector", Together)
    asked: list[str] = []
    listening = Slow(fileno=socket.create_server(("127.0.0.1", 0)).detach())
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16_384)

    def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        asked.append(environ["PATH_INFO"])
        start_response("200 OK", [])
        if environ["PATH_INFO"] != "/slow":
            return [b""]
        assert GATE.wait(PATIENCE)
        return [b"x" * 1_000_000]

    with serving(app, listening=listening) as (server, port), peer(port, post(b"/slow")) as slow:

        def wait() -> None:
            listening.waits = bool
            GATE.set()
            until(lambda: server._returned)

        until(lambda: busy(server) and server.turns.granted == 2)
        listening.waits = wait
        Together.waits = True
        slow.send(LAST)
        with peer(port, LAST) as other:
            other.rest()
        answers = [slow.answer(), slow.rest()]

    assert sorted(asked) == ["/last", "/last", "/slow"]
    assert [len(body_of(each)) for each in answers] == [1_000_000, 0]


def test_calls_that_have_come_to_an_end_are_not_stuck(caplog: pytest.LogCaptureFixture) -> None:
    """They may do so between two looks of the clock, which then sees no turn taken."""
    with serving(echo, threads=1) as (server, port):
        server.turns.full = 0.0
        until(lambda: server.turns.full is None, pause=0.001)
        assert called(port, LAST).startswith(b"HTTP/1.1 200")

    assert "have been busy" not in caplog.text


def test_the_clock_sleeps_when_nobody_calls_and_wakes_up_for_a_call_that_waits() -> None:
    with serving(echo) as (server, port), peer(port) as slow:
        until(lambda: server.turns.asleep)
        slow.send(post(b"/slow"))
        assert body_of(called(port, post(b"/other"))) == b"/other"
        GATE.set()

        assert body_of(slow.answer()) == b"/slow"


class Bell(threading.Event):
    """The clock's bell, at which something else happens first when it is about to sleep."""

    first: Callable[[], object] = bool

    def clear(self) -> None:
        self.first()
        super().clear()

    def wait(self, timeout: float | None = None) -> bool:
        return super().wait(LONG)


def test_the_clock_does_not_fall_asleep_beside_a_call_that_has_just_begun() -> None:
    with serving(echo) as (server, port), peer(port) as slow:

        def first() -> None:
            bell.first = bool
            slow.send(post(b"/slow"))
            until(lambda: busy(server))

        bell, old = Bell(), server.turns.bell
        bell.first = first
        server.turns.bell = bell  # type: ignore[misc]
        old.set()
        until(lambda: bell.first is bool)
        assert body_of(called(port, post(b"/other"))) == b"/other"
        GATE.set()

        assert body_of(slow.answer()) == b"/slow"


def test_what_is_due_is_done_although_each_call_passes_the_lead_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As it does while several turns are free."""
    monkeypatch.setattr(wsgi_server, "_LOOK", 0.0)
    counted = {"_look": 0, "_tend": 0}

    def counting(name: str) -> None:
        real = getattr(Server, name)

        def call(*arguments: Any) -> Any:
            counted[name] += 1
            return real(*arguments)

        monkeypatch.setattr(Server, name, call)

    with serving(echo, threads=4) as (server, port), peer(port) as each:
        server.turns.granted += 3
        server.turns._free.extend([None] * 3)
        server.turns._grown = monotonic()
        for name in counted:
            counting(name)
        for _ in range(50):
            each.ask(post(b"/quick"))

    assert counted["_tend"] >= counted["_look"] - 1


# Connections.


def test_no_more_connections_are_served_than_allowed() -> None:
    with serving(echo, connections=2) as (server, port), peer(port) as one, peer(port) as two:
        for each in (one, two):
            each.ask(post(b"/"))
        with peer(port, LAST) as third:
            until(lambda: not server._is_open)
            for each in (one, two):
                each.ask(post(b"/"))
            assert (len(server._connections), is_quiet(third)) == (2, True)
            one.close()
            answer = third.rest()
        two.ask(post(b"/"))

    assert answer.startswith(b"HTTP/1.1 200")


def test_a_worker_that_was_replaced_accepts_nothing_more() -> None:
    with serving(echo, connections=2) as (server, port), peer(port) as kept, peer(port) as other:
        for each in (kept, other):
            each.ask(post(b"/"))
        server.turn_away()
        until(lambda: not server._is_open)
        with peer(port, LAST) as late:
            other.close()  # there is room for another one, but not here
            until(lambda: len(server._connections) == 1)
            assert kept.ask(post(b"/")).startswith(b"HTTP/1.1 200")
            assert is_quiet(late)
            assert kept.ask(LAST).startswith(b"HTTP/1.1 200")
            stopping(server).join(PATIENCE)
            assert late.rest() == b""


def test_a_connection_on_its_way_to_a_worker_that_was_replaced_is_not_accepted() -> None:
    """It came when the worker was told so, and had not yet closed its door."""
    with serving(echo) as (server, port):
        server._away = True
        with peer(port, LAST) as late:
            until(lambda: not server._is_open)
            assert is_quiet(late)
            assert not server._connections


class Scarce(socket.socket):
    """A listening socket for whose connections there is no descriptor, or no client any more."""

    def __init__(self, *errors: OSError) -> None:
        super().__init__(fileno=socket.create_server(("127.0.0.1", 0)).detach())
        self.errors = list(errors)

    def accept(self) -> tuple[socket.socket, Any]:
        if self.errors:
            raise self.errors.pop(0)
        return super().accept()


def test_a_connection_that_is_not_accepted_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    scarce = OSError(errno.EMFILE, "Too many open files")
    listening = Scarce(scarce, BlockingIOError(), ConnectionAbortedError())
    monkeypatch.setattr(wsgi_server, "PAUSE", 0.01)
    with (
        caplog.at_level(logging.ERROR, "contract.errors"),
        serving(echo, listening=listening) as (_, port),
    ):
        answer = rest_of(port, LAST)

    assert answer.startswith(b"HTTP/1.1 200")
    assert [record.message for record in caplog.records] == ["a connection could not be accepted"]


def test_while_no_connection_can_be_accepted_those_that_end_open_no_door(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    listening = Scarce()
    monkeypatch.setattr(wsgi_server, "PAUSE", LONG)
    with serving(echo, listening=listening) as (server, port), peer(port) as kept:
        kept.ask(post(b"/"))
        listening.errors.append(OSError(errno.EMFILE, "Too many open files"))
        with peer(port, LAST) as late:
            until(lambda: server._opens_at)
            assert kept.ask(LAST).startswith(b"HTTP/1.1 200")
            assert kept.rest() == b""
            until(lambda: not server._connections)
            assert (server._is_open, is_quiet(late)) == (False, True)


# Requests that cannot be taken.


class Broken(WsgiFront):
    """A front whose app has a router that raises."""

    def answers(self, path: str) -> bool:
        raise LookupError(path)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        raise NotImplementedError

    def native(self, environ: Mapping[str, Any]) -> Any:
        raise NotImplementedError


@route(summary="s", tags=["t"], auth="none")
def ping(input: None, ctx: None) -> None:
    return None


def test_a_request_that_cannot_be_taken_is_answered_for(caplog: pytest.LogCaptureFixture) -> None:
    """And the rest of its body is read."""
    front = Broken(service_of(spec(routes=routes(ping))), Lanes(Limits()))
    with serving(front) as (_, port), peer(port) as each:
        answers = [
            each.ask(post(b"/ping", JSON, LENGTH, body=b"null")),
            each.ask(post(b"/ping", JSON, b"Content-Length: 5000")),
        ]
        answers.append(each.ask(b"x" * 5000 + post(b"/ping")))

    for answer in answers:
        assert answer.startswith(b"HTTP/1.1 500 ")
        assert body_of(answer) == b'{"error":"INTERNAL_ERROR"}'
    assert "a request could not be taken" in caplog.text


# The end.


def test_while_the_worker_drains_each_answer_closes_its_connection() -> None:
    draining = Draining()
    app = WsgiApp(service_of(spec(routes=routes(ping)), Options(prefix="/own")))

    def other(environ: dict[str, Any], start_response: Any) -> Any:
        if environ["PATH_INFO"] == "/parts":
            return iter(echo(environ, start_response))
        if environ["PATH_INFO"].startswith("/own"):
            return app(environ, start_response)
        return echo(environ, start_response)

    def closes(port: int) -> set[bool]:
        found: set[bool] = set()
        for data in (
            post(b"/own/ping", JSON, LENGTH, body=b"null"),
            post(b"/own/ping", JSON, LENGTH, body=b"nuts"),
            post(b"/own/nothing", JSON),
            get(b"/own/docs/"),
            post(b"/other", LENGTH, body=b"body"),
            post(b"/parts"),
        ):
            with peer(port, data) as each:
                answer = each.answer()
                found.add(b"\r\nconnection: close\r\n" in answer)
                if draining.on:
                    assert each.rest() == b""
        return found

    with serving(other, app, draining=draining) as (_, port):
        before = closes(port)
        draining.on = True

        assert (before, closes(port)) == ({False}, {True})


def test_calls_are_finished_and_connections_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of connections whose request has not been read, too, and those whose bodies are on their way."""
    monkeypatch.setattr(wsgi_server, "NEW", LONG)  # however busy the machine is
    with (
        serving(echo, threads=1) as (server, port),
        peer(port, post(b"/slow")) as waits,
        peer(port, post(b"/two", LENGTH, body=b"bo")) as half,
        peer(port) as new,
        peer(port) as idle,
    ):
        until(lambda: busy(server) and server._coming)
        idle.send(post(b"/"))
        until(lambda: len(server._connections) == 4 and busy(server) == 2)
        stopped = stopping(server)
        new.send(post(b"/"))
        until(lambda: busy(server) == 3)
        half.send(b"dy")
        GATE.set()
        answers = [each.rest() for each in (waits, half, new, idle)]
        stopped.join(PATIENCE)
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port))

    assert not stopped.is_alive()
    for answer in answers:
        assert answer.startswith(b"HTTP/1.1 200")
        assert b"\r\nconnection: close\r\n" in answer
    assert answers[1].endswith(b"\r\n\r\n/twobody")


@pytest.mark.parametrize("data", [b"", post(b"/"), b"POST / HT"])
def test_a_connection_without_a_request_does_not_hold_the_end_up(data: bytes) -> None:
    with serving(echo) as (server, port), peer(port, data) as each:
        if data.endswith(b"\r\n\r\n"):
            each.answer()
        until(lambda: server._connections)
        stopped = stopping(server)

        assert each.rest() == b""
        stopped.join(PATIENCE)
        assert not stopped.is_alive()


def test_the_end_does_not_wait_for_the_rest_of_a_body_for_long() -> None:
    app = WsgiApp(spec(routes=routes(ping)))
    for line in (CLOSE, b"Accept: */*"):
        with (
            serving(app) as (server, port),
            peer(port, post(b"/nothing", line, b"Content-Length: 9999")) as each,
        ):
            each.answer()
            stopped = stopping(server)

            assert each.rest() == b""
            stopped.join(PATIENCE)
            assert not stopped.is_alive()


ARENAS = """
import os

from contract import route, routes, spec


@route(summary="s", tags=["t"], auth="none")
def arenas(input: None, ctx: None) -> str | None:
    return os.environ.get("MALLOC_ARENA_MAX")


api = spec(routes=routes(arenas))
"""


@pytest.mark.measured
@pytest.mark.parametrize("given", ["", "7"])
def test_a_worker_has_few_arenas_of_memory_unless_somebody_says_how_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    (tmp_path / "shop.py").write_text(ARENAS)
    monkeypatch.delenv("MALLOC_ARENA_MAX", raising=False)
    if given:
        monkeypatch.setenv("MALLOC_ARENA_MAX", given)
    with running("serve", "shop:api", cwd=tmp_path) as server:
        assert server.post("/arenas", b"null").body == b'"%b"' % (given.encode() or b"2")
        assert server.stop() == 0
