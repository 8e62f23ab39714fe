"""Direct calls: routes and MCP messages that are answered from what the parser gave, and their bodies."""

from __future__ import annotations

import asyncio
import io
import threading
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import Any

import falcon
import orjson
import pytest

from contract import (
    Cache,
    Call,
    Meta,
    NotFound,
    Request,
    Stream,
    after_commit,
    hook,
    mount_spec,
    route,
    routes,
    spec,
)
from contract.adapters.mount import service_of
from contract.adapters.wsgi import WsgiApp, WsgiFront
from contract.call.context import current_call, progress
from contract.call.mount_options import Limits, Options
from contract.cli import bodies, direct_calls, wsgi_server
from contract.cli.bodies import Body
from contract.cli.signals import Draining
from contract.cli.wsgi_server import Server
from tests import uploaded
from tests.cli_servers import PATIENCE, until
from tests.http_requests import bearer, length, sent, status_of
from tests.served import (
    CHUNKED,
    CLOSE,
    JSON,
    LAST,
    LONG,
    body_of,
    called,
    chunk,
    get,
    peer,
    post,
    rest_of,
    serving,
)
from tests.tables import rows

GATE = threading.Event()


@pytest.fixture(autouse=True)
def gate() -> Iterator[None]:
    """What slow hooks and resolvers wait for."""
    GATE.clear()
    HOOKED.clear()
    STEPS.clear()
    yield
    GATE.set()


HOOKED: list[Request] = []
STEPS: list[str] = []
MARK: ContextVar[str] = ContextVar("mark")
MODERN = "2026-07-28"


@route(summary="s", tags=["t"], auth="none")
def echo(input: str, ctx: None) -> str:
    return input


@route(summary="s", tags=["t"])
def mine(input: str, ctx: str) -> str:
    return input


@route(summary="s", tags=["t"], auth="none")
def marks(input: None, ctx: None) -> str:
    found = MARK.get("new")
    MARK.set("old")
    return found


@route(summary="s", tags=["t"], auth="none", effect="read", cache=Cache(max_age=60))
def kept(input: None, ctx: None) -> str:
    return "kept"


@route(summary="s", tags=["t"], auth="none")
def follows(input: None, ctx: None) -> str:
    after_commit(STEPS.append, "followed")
    return "done"


@route(summary="s", tags=["t"], auth="none", mcp=True)
async def count(input: None, ctx: None) -> str:
    try:
        for step in range(2):
            progress(step)
        if current_call().headers["mcp-protocol-version"] == MODERN:
            await asyncio.sleep(LONG)
    except asyncio.CancelledError:
        STEPS.append("cancelled")
        raise
    return "done"


@route(summary="s", tags=["t"], auth="none", effect="read")
def endless(input: None, ctx: None) -> Stream[str]:
    def items() -> Iterator[str]:
        try:
            while True:
                yield "x" * 10_000
        finally:
            STEPS.append("closed")

    return Stream(items())


def who(token: str, request: Request) -> str | None:
    HOOKED.append(request)
    if token == "slow":
        assert GATE.wait(PATIENCE)
    return None if token == "bad" else "ada"


api = spec(authenticate=who, routes=routes(echo, mine, marks, kept, follows), meta=Meta(title="x"))

Make = Callable[[], WsgiFront]


def bare(**limits: Any) -> WsgiApp:
    return WsgiApp(service_of(api, Options(max_body_bytes=100, limits=Limits(**limits))))


class Middleware:
    """Notes the paths that it is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def process_request(self, req: falcon.Request, resp: falcon.Response) -> None:
        self.asked.append(req.path)


def in_falcon(*middleware: Middleware, **options: Any) -> WsgiFront:
    return mount_spec(falcon.App(middleware=[*middleware]), api, **options).wsgi


def behind_middleware() -> WsgiFront:
    return in_falcon(Middleware())


def coming(server: Server) -> list[Body]:
    """The bodies that are on their way."""
    return [known.exchanges[0].body for known in list(server._coming)]


def has_come(server: Server, size: int) -> bool:
    return [body.received for body in coming(server)] == [size]


# What is answered, and when.


def test_a_call_is_answered_when_its_body_is_there() -> None:
    with serving(bare()) as (server, port), peer(port, post(b"/echo", JSON, length(5))) as each:
        each.send(b'"ab')
        until(lambda: [body.received for body in coming(server)] == [3])
        answer = each.ask(b'c"')

    assert (status_of(answer), body_of(answer)) == (200, b'"abc"')
    assert b"\r\ncontent-length: 5\r\n" in answer
    assert b"\r\nx-request-id: " in answer


@pytest.mark.parametrize(("path", "status"), [(b"/v1/%65cho", 200), (b"/v1%2Fecho", 404)])
def test_a_route_is_found_by_its_path_however_that_is_sent(path: bytes, status: int) -> None:
    app = WsgiApp(service_of(api, Options(prefix="/v1")))
    with serving(app) as (_, port):
        answers = [called(port, sent(path + query, b'"a"')) for query in (b"", b"?a=b")]

    assert [status_of(each) for each in answers] == [status] * 2


def test_a_route_that_can_be_kept_is_called_by_get_too() -> None:
    with serving(bare()) as (_, port):
        answers = [called(port, get(b"/kept")), called(port, sent(b"/kept", b"null"))]
        head = rest_of(port, post(b"/kept", CLOSE, method=b"HEAD"))

    assert [body_of(each) for each in answers] == [b'"kept"'] * 2
    assert (status_of(head), body_of(head)) == (200, b"")
    assert b"\r\ncontent-length: 6\r\n" in head


@rows(
    "data, size, status",
    (post(b"/mine", JSON, length(5)), 5, 401),
    (post(b"/nothing", JSON, length(5)), 5, 404),
    (post(b"/echo", JSON, length(101)), 101, 413),
    (post(b"/echo", b"Content-Type: text/plain", length(5)), 5, 415),
    (post(b"/echo", JSON, length(5), method=b"PUT"), 5, 405),
    (post(b"/echo", JSON), 0, 400),
    (post(b"/mcp", JSON, length(101)), 101, 413),
)
def test_what_needs_no_body_is_answered_without_one(data: bytes, size: int, status: int) -> None:
    """And the rest of it is read, since a client that sends before it reads would get no answer."""
    with serving(bare()) as (_, port), peer(port) as each:
        first = each.ask(data)
        second = each.ask(b"x" * size + sent(b"/echo", b'"a"'))

    assert (status_of(first), body_of(second)) == (status, b'"a"')


@pytest.mark.parametrize("make", [bare, in_falcon, behind_middleware])
def test_messages_of_mcp_clients_are_answered_when_they_are_there(make: Make) -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    with serving(make()) as (server, port), peer(port) as each:
        each.send(post(b"/mcp", JSON, length(40), b"Accept: */*", body=body[:9]))
        until(lambda: [body.received for body in coming(server)] == [9])
        answer = each.ask(body[9:])

    assert (status_of(answer), body_of(answer)) == (200, b'{"jsonrpc":"2.0","id":1,"result":{}}')


def test_a_page_that_may_not_come_is_told_so_without_its_message() -> None:
    headers = (JSON, length(40), b"Accept: */*", b"Origin: https://evil.example")
    with serving(bare()) as (_, port):
        answer = called(port, post(b"/mcp", *headers, body=b"{"))

    assert status_of(answer) == 403


def counting(version: str) -> bytes:
    """A call of the tool "count", which tells of its progress."""
    meta: dict[str, Any] = {"progressToken": 1}
    if version == MODERN:
        told = {"protocolVersion": version, "clientCapabilities": {}}
        meta |= {f"io.modelcontextprotocol/{name}": value for name, value in told.items()}
    params = {"name": "count", "arguments": {}, "_meta": meta}
    body = orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    headers = (
        b"Accept: text/event-stream, application/json",
        b"Mcp-Method: tools/call",
        b"Mcp-Name: count",
    )
    return sent(b"/mcp", body, *headers, b"Mcp-Protocol-Version: " + version.encode())


def test_progress_is_sent_as_it_is_made() -> None:
    with serving(WsgiApp(spec(routes=routes(count)))) as (_, port), peer(port) as each:
        each.send(counting("2025-06-18"))
        head = each.head()
        comment, *told, last = list(iter(each.chunk, b""))
        again = each.ask(post(b"/nothing"))

    assert b"\r\ncontent-type: text/event-stream\r\n" in head
    assert b"content-length" not in head
    assert comment == b": working\n\n"
    assert [b'"progress":%d' % number in each for number, each in enumerate(told)] == [True] * 2
    assert b'"result":{' in last
    assert status_of(again) == 404


def test_a_client_that_has_gone_is_sent_nothing_more_and_its_call_is_cancelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In revision 2026-07-28; who leaves is noticed when there is something to send."""
    monkeypatch.setattr("contract.adapters.streams.QUIET_SECONDS", 0.05)
    with serving(WsgiApp(spec(routes=routes(count)))) as (_, port), peer(port) as each:
        each.send(counting(MODERN))
        each.head()
        each.reset()
        until(lambda: STEPS)

    assert STEPS == ["cancelled"]


def test_a_stream_ends_when_its_client_has_gone() -> None:
    app = WsgiApp(spec(routes=routes(endless)))
    with serving(app) as (server, port), peer(port, sent(b"/endless", b"null")) as each:
        each.head()
        each.chunk()
        each.reset()
        until(lambda: STEPS and not server._connections)

    assert STEPS == ["closed"]


def test_a_stream_closes_its_connection_while_the_worker_drains() -> None:
    draining = Draining()
    draining.on = True
    with serving(WsgiApp(spec(routes=routes(count))), draining=draining) as (_, port):
        assert b"\r\nconnection: close\r\n" in rest_of(port, counting("2025-06-18"))


def test_what_follows_a_call_comes_after_its_answer() -> None:
    with serving(bare()) as (_, port):
        assert body_of(called(port, post(b"/follows"))) == b'"done"'
        until(lambda: STEPS)

    assert STEPS == ["followed"]


@route(summary="s", tags=["t"], auth="none", name="slow")
def slow_route(input: None, ctx: None) -> str:
    assert GATE.wait(PATIENCE)
    return "late"


@rows("path", b"/slow", b"/mine")
def test_a_call_that_is_too_slow_is_a_504(path: bytes) -> None:
    made = spec(authenticate=who, routes=routes(slow_route, mine))
    app = WsgiApp(service_of(made, Options(limits=Limits(deadline_seconds=0.05))))
    with serving(app) as (_, port):
        answer = called(port, sent(path, b"null", bearer("slow")))
        GATE.set()

    assert (status_of(answer), body_of(answer)) == (504, b'{"error":"DEADLINE_EXCEEDED"}')


# Bodies that are late, too large, or end too early.


TIMEOUT = b'{"error":"REQUEST_TIMEOUT"}'
SOON = {"read_seconds": 0.05}
"""So short that a body which is not there at once is late."""


@rows(
    "data",
    post(b"/echo", JSON, length(5), body=b'"'),
    post(b"/echo", JSON, length(5)),
    post(b"/echo", JSON, CHUNKED, body=b"1\r\n"),
    post(b"/mcp", JSON, length(5), b"Accept: */*", body=b"{"),
)
def test_a_body_that_is_late_is_a_408_which_closes_the_connection(data: bytes) -> None:
    with serving(bare(**SOON)) as (_, port), peer(port, data) as each:
        answer = each.answer()
        each.send(b"xxxx" + LAST)
        assert each.rest() == b""

    assert status_of(answer) == 408
    assert b"\r\nconnection: close\r\n" in answer
    assert b"/mcp" in data or body_of(answer) == TIMEOUT


def test_a_body_in_chunks_is_waited_for() -> None:
    """Even if they are tiny."""
    with serving(bare()) as (server, port), peer(port, post(b"/echo", JSON, CHUNKED)) as each:
        for number, part in enumerate(b'"abc"', 1):
            each.send(chunk(bytes([part])))
            until(partial(has_come, server, number))
        answer = each.ask(chunk(b""))

    assert (status_of(answer), body_of(answer)) == (200, b'"abc"')


def test_a_body_in_chunks_may_be_too_large() -> None:
    with serving(bare()) as (_, port), peer(port, post(b"/echo", JSON, CHUNKED)) as each:
        first = each.ask(chunk(b" " * 101))
        second = each.ask(chunk(b" " * 5000) + chunk(b"") + sent(b"/echo", b'"a"'))

    assert (status_of(first), body_of(second)) == (413, b'"a"')


@rows("data", post(b"/echo", JSON, CHUNKED, body=chunk(b'"abc"')), post(b"/echo", JSON, length(9)))
def test_a_body_may_be_broken_off(data: bytes) -> None:
    with serving(bare()) as (server, port), peer(port, data) as each:
        until(lambda: coming(server))
        each.socket.shutdown(1)
        answer = each.rest()

    assert (status_of(answer), b"went away" in answer) == (400, True)


# Callers who are asked for before their bodies come.


@pytest.mark.parametrize("make", [bare, in_falcon])
def test_whoever_may_not_call_is_told_so_without_a_body(make: Make) -> None:
    with serving(make()) as (_, port), peer(port) as each:
        answer = each.ask(post(b"/mine", JSON, length(5), bearer("bad"), body=b'"'))
        again = each.ask(b'abc"' + sent(b"/echo", b'"a"'))

    assert status_of(answer) == 401
    assert b'\r\nwww-authenticate: Bearer realm="x", error="invalid_token"\r\n' in answer
    assert body_of(again) == b'"a"'


def test_whoever_may_call_is_asked_once_and_the_call_goes_on_when_its_body_is_there() -> None:
    good = (JSON, bearer("good"))
    with (
        serving(bare()) as (server, port),
        peer(port, post(b"/mine", *good, length(3), body=b'"')) as slow,
        peer(port, post(b"/mine", *good, CHUNKED, body=chunk(b'"'))) as chunked,
    ):
        until(lambda: len(HOOKED) == 2 and len(coming(server)) == 2)
        answers = [slow.ask(b'a"'), chunked.ask(chunk(b'b"') + chunk(b""))]

    assert [body_of(each) for each in answers] == [b'"a"', b'"b"']
    assert len(HOOKED) == 2


def test_whoever_may_call_has_no_more_time_for_that() -> None:
    app = bare(read_seconds=0.5)
    with serving(app) as (_, port), peer(port) as each:
        answer = each.ask(post(b"/mine", JSON, bearer("good"), length(3), body=b'"'))

    assert (status_of(answer), len(HOOKED)) == (408, 1)


@hook
def open_now(call: Call[object]) -> NotFound | None:
    return NotFound() if "x-closed" in call.headers else None


def test_a_hook_that_needs_no_body_answers_without_one() -> None:
    app = WsgiApp(service_of(spec(routes=[echo.behind(open_now)])))
    half = post(b"/echo", JSON, length(3), body=b'"')
    with serving(app) as (_, port), peer(port, half) as passes:
        closed = called(port, post(b"/echo", JSON, length(3), b"X-Closed: 1", body=b'"'))
        answer = passes.ask(b'a"')

    assert (status_of(closed), body_of(closed)) == (404, b'{"error":"NOT_FOUND"}')
    assert (status_of(answer), body_of(answer)) == (200, b'"a"')


def test_a_body_that_comes_while_somebody_asks_who_calls_is_not_lost() -> None:
    head = post(b"/mine", JSON, length(3), bearer("slow"))
    with serving(bare()) as (server, port), peer(port, head) as each:
        until(lambda: HOOKED)
        each.send(b'"a"')
        until(lambda: any(known.parked for known in server._connections))
        GATE.set()
        answer = each.answer()

    assert (status_of(answer), body_of(answer), len(HOOKED)) == (200, b'"a"', 1)


# What hooks and resolvers see.


@pytest.mark.parametrize("make", [bare, in_falcon])
def test_hooks_see_what_they_see_on_wsgi(make: Make) -> None:
    with serving(make()) as (_, port):
        called(port, sent(b"/mine", b'"a"', bearer("good"), b"X-Many: 1"))
    [request] = HOOKED
    native = request.native

    assert (request.method, request.path, request.client) == ("POST", "/mine", "127.0.0.1")
    assert request.headers["x-many"] == "1"
    assert native is request.native
    environ = request.native.env if make is in_falcon else request.native
    assert (environ["REQUEST_METHOD"], environ["HTTP_X_MANY"]) == ("POST", "1")
    assert environ["wsgi.input"].read() == b""
    assert isinstance(request.native, falcon.Request if make is in_falcon else dict)


def test_a_call_sees_nothing_of_the_one_before() -> None:
    with serving(bare(), threads=1) as (_, port), peer(port) as each:
        none = [body_of(each.ask(post(b"/marks"))) for _ in range(2)]
        null = [body_of(each.ask(sent(b"/marks", b"null"))) for _ in range(2)]

    assert none == null == [b'"new"'] * 2


def test_an_app_with_middleware_is_asked_for_every_call() -> None:
    middleware = Middleware()
    app = falcon.App()
    with serving(mount_spec(app, api).wsgi) as (_, port), peer(port) as each:
        before = each.ask(sent(b"/echo", b'"a"'))
        assert middleware.asked == []
        app.add_middleware(middleware)
        after = each.ask(sent(b"/echo", b'"a"'))

    assert (body_of(before), body_of(after), middleware.asked) == (b'"a"', b'"a"', ["/echo"])


def test_no_key_is_kept_of_a_name_that_is_long() -> None:
    """Clients choose the names."""
    short, long = b"x-" + b"a" * 62, b"x-" + b"b" * 63
    ends = {"client": ("a", 1), "server": ("b", 2), "scheme": "http", "http_version": "1.1"}
    asked = {"method": "GET", "path": "/", "raw_path": b"/", "query_string": b""}
    direct_calls._short_key.cache_clear()
    scope = {**ends, **asked, "headers": [(short, b"1"), (long, b"2")]}
    environ = direct_calls.environ_of(scope)

    assert (environ["HTTP_X_" + "A" * 62], environ["HTTP_X_" + "B" * 63]) == ("1", "2")
    assert direct_calls._short_key.cache_info().currsize == 1


# Forms with files.

FORM = b"Content-Type: " + uploaded.FORM[1].encode()


@rows("ends, status", ("whole", 200), ("late", 408), ("gone", 400))
@rows("middleware", True, False)
def test_no_thread_waits_for_a_form(
    ends: str, status: int, middleware: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted = Middleware()
    limits = Limits(read_seconds=0.3 if ends == "late" else LONG)
    app = falcon.App(middleware=[noted] if middleware else [])
    front = mount_spec(app, uploaded.api, max_body_bytes=50, limits=limits).wsgi
    body = uploaded.form(uploaded.json_part(), uploaded.image(b"x" * 100_000))
    spools: list[Any] = []

    def noting(size: int) -> Any:
        spools.append(SpooledTemporaryFile(size))  # noqa: SIM115  the body closes it
        return spools[-1]

    monkeypatch.setattr(bodies, "SpooledTemporaryFile", noting)
    with serving(front) as (server, port), peer(port, post(b"/add", FORM, CHUNKED)) as each:
        each.send(chunk(body[:90_000]))
        until(lambda: [body.received for body in coming(server)] == [90_000])
        assert (noted.asked, server.turns.busy) == ([], False)
        assert coming(server)[0].held == 65_536
        if ends == "whole":
            each.send(chunk(body[90_000:]) + chunk(b""))
        elif ends == "gone":
            each.socket.shutdown(1)
        answer = each.answer()
        if ends == "whole":
            assert each.ask(post(b"/nothing")).startswith(b"HTTP/1.1 404")
        until(lambda: all(spool.closed for spool in spools))

    assert (status_of(answer), noted.asked[:1]) == (status, ["/add"] if middleware else [])
    assert len(spools) == 1


@rows("status, token", (401, "bad"), (200, "good"))
def test_a_caller_is_known_before_any_file_is_kept(status: int, token: str) -> None:
    app = WsgiApp(service_of(uploaded.api, Options()))
    body = uploaded.form(uploaded.json_part(), uploaded.image())
    head = post(b"/mine", FORM, length(len(body)), bearer(token), b"Expect: 100-continue")
    with serving(app) as (_, port), peer(port) as each:
        first = each.ask(head)
        assert status_of(first) == (100 if status == 200 else 401)
        last = each.ask(body) if status == 200 else first

    assert status_of(last) == status


class Full(SpooledTemporaryFile[bytes]):
    """A file on a disk that has no room for it."""

    def write(self, part: Any) -> int:
        if self.tell() > 10_000:
            raise OSError(28, "No space left on device")
        return super().write(part)


@pytest.mark.parametrize("middleware", [True, False])
def test_a_form_is_refused_where_the_disk_is_full(
    middleware: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(bodies, "SpooledTemporaryFile", Full)
    app = falcon.App(middleware=[Middleware()] if middleware else [])
    body = uploaded.form(uploaded.json_part(), uploaded.image(b"x" * 100_000))
    cut = [body[at : at + 1000] for at in range(0, len(body), 1000)]
    with (
        serving(mount_spec(app, uploaded.api).wsgi) as (_, port),
        peer(port, post(b"/add", FORM, CHUNKED)) as each,
    ):
        answer = each.ask(b"".join(chunk(part) for part in cut))

    assert status_of(answer) == 503
    assert b'"error":"SERVICE_UNAVAILABLE"' in answer
    assert caplog.text.count("writing a file to disk raised") == 1


# The memory.


def test_the_largest_bodies_are_refused_when_there_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wsgi_server, "MOST_HELD", 5)
    with (
        serving(bare()) as (server, port),
        peer(port, post(b"/echo", JSON, length(50), body=b'"')) as small,
        peer(port, post(b"/echo", JSON, length(50), body=b'"ab')) as middle,
        peer(port, post(b"/echo", JSON, length(50), body=b'"abcd')) as large,
    ):
        answer = large.answer()
        until(lambda: sum(body.held for body in coming(server)) == 4)
        large.send(b" " * 45 + LAST)
        after = large.rest()
        others = [small.ask(b'"' + b" " * 48), middle.ask(b'"' + b" " * 46)]

    assert (status_of(answer), after) == (503, b"")
    assert [body_of(each) for each in others] == [b'""', b'"ab"']


def test_one_body_alone_is_never_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wsgi_server, "MOST_HELD", 1)
    with serving(bare(**SOON)) as (_, port):
        answer = called(port, post(b"/echo", JSON, length(50), body=b'"abcd'))

    assert status_of(answer) == 408


def test_what_is_too_much_and_too_late_is_answered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wsgi_server, "MOST_HELD", 1)
    half = post(b"/echo", JSON, length(50), body=b'"abcd')
    with serving(bare(**SOON)) as (_, port), peer(port, half) as one, peer(port, half) as two:
        for each in (one, two):
            assert status_of(each.answer()) in (408, 503)
            each.socket.shutdown(1)
            assert each.rest() == b""


def test_a_stream_of_bytes_can_be_read() -> None:
    stream = Body().stream(lambda _: None)

    assert isinstance(stream.raw, io.RawIOBase)
    assert stream.readable()
