"""The service: options, ownership of paths, and the order of the checks, with no server at all."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import orjson
import pytest

from contract import (
    CallEvent,
    Deprecated,
    Forbidden,
    NotFound,
    Request,
    Spec,
    current_call,
    route,
    spec,
)
from contract.adapters.asgi import AsgiApp
from contract.adapters.mount import service_of
from contract.adapters.pool import Lanes
from contract.adapters.wsgi import WsgiApp
from contract.adapters.wsgi_calls import WsgiIncoming, path_of
from contract.call.bearer import TOO_LONG
from contract.call.bound import bind
from contract.call.incoming import Refused
from contract.call.log import CALLS
from contract.call.message import JSON_HEADERS
from contract.call.mount_options import Limits, Options
from contract.call.published import Published
from contract.call.service import Service
from tests.wire.case import call
from tests.wire.exchange import (
    Bare,
    RawRequest,
    RawResponse,
    abandon,
    answered,
    environ_of,
    loop,
    talk,
    through_asgi,
    through_service,
    through_wsgi,
)

LANES = Lanes(Limits())
steps: list[str] = []
"""What was done for a call, in its order."""


@pytest.fixture(autouse=True)
def nothing_done() -> None:
    steps.clear()


class Noted(Bare):
    """A request that notes when its body is asked for; one that is *broken* off has none."""

    def __init__(self, request: RawRequest, broken: BaseException | None = None) -> None:
        super().__init__(request, LANES)
        self.broken = broken

    def read(self, limit: int) -> bytes:
        steps.append("read")
        if self.broken is not None:
            raise self.broken
        return super().read(limit)


def echo(input: str, ctx: None) -> str:
    steps.append(current_call().route)
    return input


async def echo_async(input: str, ctx: None) -> str:
    steps.append(current_call().route)
    return input


async def wait(input: None, ctx: object) -> None:
    await asyncio.Event().wait()


def me(input: None, ctx: str) -> str:
    steps.append(current_call().route)
    return ctx


def authenticate(token: str, request: Request) -> str | Forbidden | None:
    steps.append(f"hook of {current_call().route}")
    return {"bad": None, "robot": Forbidden()}.get(token, token)


def make_spec() -> Spec[str]:
    public = route(summary="S", tags=["t"], auth="none")
    bearer = route(summary="S", tags=["t"])
    return spec(
        authenticate=authenticate,
        routes=[
            public(echo),
            public(echo_async),
            public(wait),
            bearer(me),
            route(summary="S", tags=["t"], name="me2")(me),
        ],
    )


def make(**options: Any) -> Service:
    return service_of(make_spec(), Options(prefix="/v1", **options))


def ask(service: Service, request: RawRequest, broken: BaseException | None = None) -> RawResponse:
    return answered(service, Noted(request, broken))


def more(response: RawResponse) -> dict[str, str]:
    """The headers that not every response has."""
    return {
        name: value
        for name, value in response.headers
        if name not in (*JSON_HEADERS.mapping, "x-request-id")
    }


def bearer(token: str, body: bytes = b"") -> RawRequest:
    return call("me", body, ("Authorization", f"Bearer {token}"))


@pytest.mark.parametrize("name", ["echo", "echo_async"])
def test_a_call_reads_its_body_and_is_answered(name: str) -> None:
    response = ask(make(), call(name, b'"x"'))

    assert (response.status, response.body) == (200, b'"x"')
    assert steps == ["read", name]


@pytest.mark.parametrize(
    ("request_", "status", "code"),
    [
        (RawRequest(target="/v1/nope"), 404, "ROUTE_NOT_FOUND"),
        (RawRequest(method="GET", target="/v1/echo"), 405, "METHOD_NOT_ALLOWED"),
        (call("me"), 401, "UNAUTHORIZED"),
        (bearer("a b"), 401, "UNAUTHORIZED"),
        (bearer("a" * 4097), 401, "UNAUTHORIZED"),
        (bearer("a, Bearer b"), 400, "BAD_REQUEST"),
        (RawRequest(target="/v1/echo", length="x"), 400, "BAD_REQUEST"),
        (RawRequest(target="/v1/echo", length="1", chunked=True), 400, "BAD_REQUEST"),
        (RawRequest(target="/v1/echo", length="1048577"), 413, "PAYLOAD_TOO_LARGE"),
        (call("echo", b'"x"', ("Content-Encoding", "br")), 415, "UNSUPPORTED_MEDIA_TYPE"),
        (
            RawRequest(target="/v1/echo", headers=(("Content-Type", "text/plain"),)),
            415,
            "UNSUPPORTED_MEDIA_TYPE",
        ),
        (RawRequest(target="/v1/echo", headers=(), length="3"), 415, "UNSUPPORTED_MEDIA_TYPE"),
    ],
)
def test_what_can_be_refused_is_refused_before_anything_is_done(
    request_: RawRequest, status: int, code: str
) -> None:
    response = ask(make(), request_)

    assert (response.status, orjson.loads(response.body)["error"], steps) == (status, code, [])


def message(
    method: str = "ping",
    *headers: tuple[str, str],
    target: str = "/v1/mcp",
    how: str = "POST",
    **params: Any,
) -> RawRequest:
    body = orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    return RawRequest(how, target, (("Content-Type", "application/json"), *headers), body)


MODERN = "2026-07-28"


def modern(tool: str, *headers: tuple[str, str]) -> RawRequest:
    """A call of a tool in a revision in which a client that leaves cancels it."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    more = (
        ("MCP-Protocol-Version", MODERN),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", tool),
        *headers,
    )
    return message("tools/call", *more, name=tool, _meta=meta)


def with_tools(**options: Any) -> Service:
    public = route(summary="S", tags=["t"], auth="none", mcp=True)
    served: dict[str, Any] = {
        "ping": public(ping),
        "wait": public(wait),
        "me": route(summary="S", tags=["t"], mcp=True)(me),
    }
    return service_of(
        spec(authenticate=authenticate, routes=served), Options(prefix="/v1", **options)
    )


def ping(input: None, ctx: None) -> str:
    return "pong"


def test_a_message_is_answered_by_the_endpoint() -> None:
    events: list[CallEvent] = []
    service = with_tools(on_call=events.append, logging=False)
    assert service.owns("/v1/mcp/")
    response = ask(service, message("tools/call", name="ping"))
    [event] = events

    assert response.status == 200
    assert orjson.loads(response.body)["result"]["structuredContent"] == {"result": "pong"}
    assert (event.surface, event.route, event.tool, event.code) == ("mcp", "ping", "ping", "OK")


def test_without_a_listener_nobody_is_told_of_a_message(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    ask(with_tools(logging=False), message())
    assert caplog.records == []
    ask(with_tools(), message())

    assert [record.levelname for record in caplog.records] == ["INFO"]


def test_at_the_root_a_mount_owns_the_paths_of_mcp() -> None:
    service = service_of(make_spec(), Options(authorization_servers=["https://login.example"]))

    for path in ("/mcp", "/mcp/", "/.well-known/oauth-protected-resource/mcp"):
        assert service.owns(path)
    assert not service.owns("/.well-known/oauth-protected-resource")
    assert not service_of(make_spec(), Options(mcp_path=None)).owns("/mcp")


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (message(how="GET"), 405),
        (message("ping", ("Origin", "null")), 403),
        (message("ping", ("Content-Encoding", "gzip")), 415),
        (message("ping", ("Accept", "text/html")), 406),
        (RawRequest(target="/v1/mcp", length="1048577"), 413),
        (message(target="/v1/.well-known/oauth-protected-resource/mcp", how="GET"), 200),
    ],
)
def test_what_headers_decide_of_a_message_is_decided_before_it_is_read(
    request_: RawRequest, status: int
) -> None:
    response = ask(with_tools(authorization_servers=["https://login.example"]), request_)

    assert (response.status, steps) == (status, [])


def test_a_stream_says_what_a_page_may_see() -> None:
    accept = ("Accept", "application/json, text/event-stream")
    origin, meta = ("Origin", "http://localhost:1"), {"progressToken": 1}
    events: list[CallEvent] = []
    response = ask(
        with_tools(on_call=events.append),
        message("tools/call", accept, origin, name="ping", _meta=meta),
    )

    assert response.header("access-control-allow-origin") == "http://localhost:1"
    assert response.header("content-type") == "text/event-stream"
    last = orjson.loads(response.body.split(b"data: ")[-1])
    assert last["result"]["structuredContent"] == {"result": "pong"}
    assert [(event.code, event.request_id) for event in events] == [
        ("OK", response.header("x-request-id"))
    ]


def test_a_hook_runs_before_the_body_is_read() -> None:
    good = ask(make(), bearer("ada"))
    assert (good.status, good.body) == (200, b'"ada"')
    assert steps == ["hook of me", "read", "me"]
    steps.clear()
    bad = ask(make(), bearer("bad"))

    robot = ask(make(), bearer("robot"))

    assert bad.status == 401
    assert bad.header("www-authenticate") == 'Bearer realm="Contract API", error="invalid_token"'
    assert (robot.status, more(robot)) == (403, {})
    assert steps == ["hook of me"] * 2


@pytest.mark.parametrize(
    ("authorization", "challenge"),
    [
        ((), ""),
        (("Bearer a b",), ', error="invalid_token"'),
        ((f"Bearer {'a' * 4097}",), f', error="invalid_token", error_description="{TOO_LONG}"'),
    ],
)
def test_who_is_refused_is_told_what_is_asked_for(
    authorization: tuple[str, ...], challenge: str
) -> None:
    request = call("me", b"", *(("Authorization", each) for each in authorization))

    found = ask(make(), request).header("www-authenticate")
    assert found == f'Bearer realm="Contract API"{challenge}'


@pytest.mark.parametrize(
    "request_",
    [call("echo", b'"x"'), call("echo_async", b'"x"'), message("tools/call", name="ping")],
)
@pytest.mark.parametrize(
    ("exception", "status", "code"),
    [
        (Refused("REQUEST_TIMEOUT", (("connection", "close"),)), 408, "REQUEST_TIMEOUT"),
        (Refused("PAYLOAD_TOO_LARGE", limit=1), 413, "PAYLOAD_TOO_LARGE"),
        (OSError("canary"), 400, "BAD_REQUEST"),
        (SystemExit(3), 400, "BAD_REQUEST"),
    ],
)
def test_a_body_that_cannot_be_read_runs_nothing(
    request_: RawRequest, exception: BaseException, status: int, code: str
) -> None:
    events: list[CallEvent] = []
    response = ask(make(on_call=events.append), request_, exception)

    assert (response.status, [event.code for event in events], steps) == (status, [code], ["read"])
    assert code.encode() in response.body
    assert b"canary" not in response.body


def test_a_body_in_chunks_needs_a_type_where_it_is_not_empty() -> None:
    for body, status in ((b'"x"', 415), (b"", 400)):
        request = RawRequest(target="/v1/echo", headers=(), chunked=True, body=body)
        assert ask(make(), request).status == status
    assert steps == ["read", "read"]


def test_each_call_is_told_of() -> None:
    events: list[CallEvent] = []
    service = make(on_call=events.append, logging=False)
    for request in (
        call("echo", b'"x"'),
        call("echo", b"1"),
        call("me"),
        RawRequest(target="/v1/nope"),
        call("echo_async", b'"x"'),
    ):
        ask(service, request)
    ask(service, RawRequest("GET", "/v1/echo"))
    ask(service, RawRequest("GET", "/v1/contract.json"))

    assert [(event.route, event.surface, event.code, event.status) for event in events] == [
        ("echo", "http", "OK", 200),
        ("echo", "http", "VALIDATION_ERROR", 400),
        ("me", "http", "UNAUTHORIZED", 401),
        (None, "http", "ROUTE_NOT_FOUND", 404),
        ("echo_async", "http", "OK", 200),
        ("echo", "http", "METHOD_NOT_ALLOWED", 405),
        (None, "http", "OK", 200),
    ]


# Where a call is that is cancelled: its client has gone, or the server stops.

UNFINISHED = RawRequest(target="/v1/echo", body=b'"x"', length="9", ends="never")


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        (call("wait"), ("http", "wait", None)),
        (UNFINISHED, ("http", "echo", None)),
        (call("me", b"", ("Authorization", "Bearer wait")), ("http", "me", None)),
        (modern("wait", ("Authorization", "Bearer good")), ("mcp", "wait", "wait")),
        (message("ping", ("Authorization", "Bearer wait")), ("mcp", None, None)),
        (modern("wait", ("Authorization", "Bearer wait")), ("mcp", "wait", "wait")),
        (RawRequest(target="/v1/mcp", body=b"{", length="9", ends="never"), ("mcp", None, None)),
    ],
    ids=[
        "resolver",
        "body",
        "hook",
        "tool",
        "hook of a message",
        "hook of a tool",
        "body of a message",
    ],
)
def test_a_cancelled_call_is_told_of_wherever_it_is(
    request_: RawRequest, told: tuple[str, str | None, str | None]
) -> None:
    async def hook(token: str, request: Request) -> str:
        if token == "wait":
            await asyncio.Event().wait()
        return token

    public = {
        name: route(summary="S", tags=["t"], auth="none", mcp=name == "wait")(fn)
        for name, fn in (("echo", echo), ("wait", wait))
    }
    served: dict[str, Any] = {**public, "me": route(summary="S", tags=["t"])(me)}
    events: list[CallEvent] = []
    options = Options(prefix="/v1", on_call=events.append, mcp_challenge="connect")
    abandon(AsgiApp(service_of(spec(authenticate=hook, routes=served), options)), request_)

    [event] = events
    assert (event.surface, event.route, event.tool) == told
    assert (event.code, event.status, event.exception) == ("CANCELLED", 499, None)


@pytest.mark.parametrize(
    ("logs", "level", "lines"),
    [(True, logging.INFO, 1), (True, logging.WARNING, 0), (False, logging.INFO, 0)],
)
def test_a_cancelled_call_is_logged_only_where_calls_are(
    logs: bool, level: int, lines: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(level, logger="contract.calls")
    served = {"wait": route(summary="S", tags=["t"], auth="none")(wait)}
    abandon(
        AsgiApp(service_of(spec(routes=served), Options(prefix="/v1", logging=logs))), call("wait")
    )

    assert [record.message.split()[:2] for record in caplog.records] == [
        ["wait", "CANCELLED"]
    ] * lines


# Where the hook and the resolver of a call run, on an event loop.


def threads_of(
    request: RawRequest, *, is_async: bool = False, inline: bool = False, **how: Any
) -> tuple[int, int, int]:
    """The threads of the loop, of a synchronous hook, and of a resolver."""
    found: list[int] = []

    def hook(token: str, request: Request) -> str:
        found.append(threading.get_ident())
        return token

    async def hook_async(token: str, request: Request) -> str:
        return hook(token, request)

    def long(input: str, ctx: str) -> int:
        found.append(threading.get_ident())
        return len(input)

    async def long_async(input: str, ctx: str) -> int:
        return long(input, ctx)

    chosen: Any = hook_async if how.pop("hook_is_async", False) else hook
    made = route(summary="S", tags=["t"], name="long", inline=inline)(
        long_async if is_async else long
    )
    served = spec(
        authenticate=chosen, authenticate_inline=how.pop("hook_inline", False), routes=[made]
    )
    response = through_asgi(AsgiApp(service_of(served, Options(prefix="/v1", **how))))(request)

    assert response.status == 200
    hook_thread, resolver_thread = found
    return threading.get_ident(), hook_thread, resolver_thread


def long_call(size: int = 1, *headers: tuple[str, str], **how: Any) -> RawRequest:
    return call(
        "long", b'"%b"' % (b"x" * (size - 2)), ("Authorization", "Bearer good"), *headers, **how
    )


@pytest.mark.parametrize(
    ("request_", "how", "shared"),
    [
        (long_call(4), {}, True),
        (long_call(65_536), {}, True),
        (long_call(65_537), {}, False),
        (long_call(4, part=2), {}, False),  # it is not there in one
        (long_call(4, chunked=True), {}, False),
        (long_call(4, ("Content-Encoding", "identity")), {}, False),
        (long_call(4), {"limits": Limits(threads=1)}, False),
        (long_call(4), {"limits": Limits(deadline_seconds=60.0)}, False),  # each has its own
    ],
)
def test_what_is_synchronous_runs_in_threads_and_in_one_where_the_body_is_there(
    request_: RawRequest, how: dict[str, Any], shared: bool
) -> None:
    loop, hook, resolver = threads_of(request_, **how)

    assert loop not in (hook, resolver)
    assert (hook == resolver) is shared


@pytest.mark.parametrize(
    ("how", "hook_stays", "resolver_stays"),
    [
        ({"hook_inline": True}, True, False),
        ({"hook_inline": True, "inline": True}, True, True),
        ({"hook_inline": True, "is_async": True}, True, True),
        ({"inline": True}, False, True),
        ({"is_async": True}, False, True),
        ({"hook_is_async": True}, True, False),
        ({"hook_is_async": True, "is_async": True}, True, True),
    ],
)
def test_what_is_async_or_says_so_runs_on_the_loop(
    how: dict[str, Any], hook_stays: bool, resolver_stays: bool
) -> None:
    loop, hook, resolver = threads_of(long_call(4), **how)

    assert ((hook == loop), (resolver == loop)) == (hook_stays, resolver_stays)


@pytest.mark.parametrize(
    ("request_", "status", "done"),
    [
        (bearer("ada"), 200, ["hook of me", "me"]),
        (bearer("ada", b"null"), 200, ["hook of me", "me"]),
        (bearer("bad", b"null"), 401, ["hook of me"]),
        (bearer("robot", b"null"), 403, ["hook of me"]),
        (bearer("ada", b"1"), 400, ["hook of me"]),
        (bearer("bad", b"1"), 401, ["hook of me"]),
        (call("me", b"null"), 401, []),
    ],
)
def test_a_call_in_one_thread_comes_to_what_every_other_comes_to(
    request_: RawRequest, status: int, done: list[str]
) -> None:
    here = through_service(make())(request_)
    steps.clear()
    there = through_asgi(AsgiApp(make()))(request_)

    assert (there.status, there.body, steps) == (status, here.body, done)
    assert {name: value for name, value in more(there).items() if name != "content-length"} == more(
        here
    )


def test_a_call_for_which_there_is_no_thread_is_refused() -> None:
    go_on = threading.Event()

    def hold(input: None, ctx: None) -> None:
        go_on.wait(60)

    served: dict[str, Any] = {
        "hold": route(summary="S", tags=["t"], auth="none")(hold),
        "me": route(summary="S", tags=["t"])(me),
    }
    app = AsgiApp(
        service_of(
            spec(authenticate=authenticate, routes=served),
            Options(prefix="/v1", limits=Limits(threads=2, queue=0)),
        )
    )

    async def run() -> RawResponse:
        held = [asyncio.create_task(talk(app, call("hold"))) for _ in range(2)]
        await asyncio.sleep(0)
        response = await talk(app, bearer("ada", b"null"))
        go_on.set()
        await asyncio.gather(*held)
        return response

    response = loop().run_until_complete(run())
    assert (response.status, response.header("retry-after"), steps) == (503, "1", [])


@pytest.mark.parametrize(
    ("request_", "awaited"),
    [
        (call("echo"), True),
        (call("echo", b'"x"'), True),
        (RawRequest(target="/v1/echo", chunked=True), True),
        (
            RawRequest(target="/v1/echo", headers=(("Content-Type", "text/plain"),), body=b"x"),
            False,
        ),
        (bearer("ada"), True),
        (call("me"), False),
        (RawRequest("GET", "/v1/echo"), False),
        (RawRequest(target="/v1/nope"), False),
        (RawRequest(target="/v1/mcp"), True),
        (RawRequest("GET", "/v1/mcp"), False),
        (RawRequest(target="/v1/echo", length="1048577"), False),
    ],
)
def test_headers_tell_whether_a_body_may_be_needed(request_: RawRequest, awaited: bool) -> None:
    environ = environ_of(request_)
    service = make()

    assert service.awaits(Noted(request_)) is awaited
    assert service.awaits(WsgiIncoming(environ, path_of(environ), lambda _: None, LANES)) is awaited


def test_a_request_that_is_no_http_is_a_bad_request() -> None:
    events: list[CallEvent] = []
    incoming = Noted(RawRequest(headers=(("X-Request-Id", "abc"),)))
    response = make(on_call=events.append).broken(incoming, 431, "Too many headers.")
    [event] = events

    assert (response.status, response.request_id) == (431, "abc")
    told = {"error": "BAD_REQUEST", "data": {"message": "Too many headers."}}
    assert orjson.loads(response.body) == told
    assert (event.route, event.status, event.code) == (None, 431, "BAD_REQUEST")


def test_a_500_is_told_where_only_warnings_are(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, logger="contract.calls")
    service = make()

    def broken(input: None, ctx: None) -> int:
        raise LookupError

    served = service_of(
        spec(routes={"broken": route(summary="S", tags=["t"], auth="none", mcp=True)(broken)})
    )
    assert through_service(served)(RawRequest(target="/broken", headers=())).status == 500
    assert through_wsgi(WsgiApp(served))(RawRequest(target="/broken", headers=())).status == 500
    body = orjson.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "broken"}}
    )
    assert through_wsgi(WsgiApp(served))(RawRequest(target="/mcp", body=body)).status == 200
    assert through_service(service)(RawRequest(target="/v1/nope")).status == 404

    told = [
        record.message.split()[:3] for record in caplog.records if record.name == "contract.calls"
    ]
    assert told == [["broken", "INTERNAL_ERROR", "500"]] * 3


def test_options_answers_and_preflights() -> None:
    service = make(cors_origins=["https://app.example"])
    request = RawRequest(method="OPTIONS", target="/v1/echo")
    mine = ask(service, replace(request, headers=(("Origin", "https://app.example"),)))
    other = ask(service, request)

    assert (mine.status, mine.body, mine.header("allow")) == (204, b"", "OPTIONS, POST")
    assert mine.header("access-control-max-age") == "600"
    assert mine.header("content-type") is None
    assert more(other) == {"allow": "OPTIONS, POST", "vary": "Origin"}


def test_answers_to_pages_say_who_may_read_them() -> None:
    service = make(cors_origins=["https://app.example"])

    def headers(origin: str) -> dict[str, str]:
        return more(ask(service, call("echo", b'"x"', ("Origin", origin))))

    assert headers("https://app.example") == {
        "vary": "Origin",
        "access-control-allow-origin": "https://app.example",
        "access-control-expose-headers": "x-request-id, retry-after",
    }
    assert headers("https://evil.example") == {"vary": "Origin"}


def test_a_call_sets_headers_of_its_answer() -> None:
    def outcome(input: str, ctx: None) -> str | NotFound:
        if input != "untouched":
            current_call().headers_out.set("X-Total", "1")
            current_call().headers_out.set_cookie("session", "a", http_only=False)
        if input == "broken":
            raise RuntimeError(input)
        return NotFound() if input == "none" else input

    made = route(summary="S", tags=["t"], auth="none")(outcome)
    service = service_of(spec(routes=[made]))
    for_pages = service_of(spec(routes=[made]), Options(cors_origins=["https://app.example"]))
    page, json_ = ("Origin", "https://app.example"), ("Content-Type", "application/json")
    sent = {"x-total": "1", "set-cookie": "session=a; Path=/; Secure; SameSite=Lax"}

    def headers(served: Service, body: bytes) -> tuple[int, dict[str, str]]:
        request = RawRequest(target="/outcome", headers=(json_, page), body=body)
        response = ask(served, request)
        return response.status, more(response)

    assert headers(service, b'"good"') == (200, sent)
    assert headers(service, b'"none"') == (404, sent)
    assert headers(service, b'"broken"') == (500, {})
    assert headers(service, b'"untouched"') == (200, {})
    _, shown = headers(for_pages, b'"good"')
    assert shown.items() >= sent.items()
    assert shown["access-control-expose-headers"] == "x-request-id, retry-after, x-total"


def test_a_deprecated_route_says_so_to_everybody() -> None:
    made = route(
        summary="S", tags=["t"], auth="none", deprecated=Deprecated(since=date(1970, 1, 2))
    )(echo)
    service = service_of(spec(routes=[made]))
    good = ask(service, RawRequest(target="/echo", body=b'"x"'))
    bad = ask(service, RawRequest(target="/echo", length="x"))
    no_call = ask(service, RawRequest("GET", "/echo"))

    assert (good.status, more(good)) == (200, {"deprecation": "@86400"})
    assert (bad.status, more(bad)) == (400, {"deprecation": "@86400"})
    assert (no_call.status, more(no_call)) == (405, {"allow": "OPTIONS, POST"})


def test_the_health_route_says_whether_the_service_takes_calls() -> None:
    service = make(health_path="/health")
    request = RawRequest(method="GET", target="/v1/health", headers=())

    assert ask(service, request).body == b'{"ready":true}'
    assert ask(service, replace(request, method="HEAD")).status == 200
    service.stuck = lambda: True
    assert ask(service, request).status == 503
    service.stuck = lambda: False
    assert ask(service, request).status == 200
    service.drain()
    assert ask(service, request).status == 503
    assert ask(service, RawRequest(target="/v1/health")).status == 405
    assert ask(make(), request).status == 404


@pytest.mark.parametrize(
    ("options", "owned", "others"),
    [
        ({"prefix": "/v1"}, ["/v1/echo", "/v1/nope", "/v1/", "/v1//"], ["/v1", "/", "/v10", ""]),
        (
            {"health_path": "/health"},
            ["/echo", "/echo/", "//echo", "/health"],
            ["/echo/x", "/nope"],
        ),
        ({}, ["/docs", "/docs/", "/docs/nope", "/contract.json"], ["/docs2", "/health", "/"]),
        ({"docs": False}, ["/echo"], ["/docs", "/docs/", "/docs/nope", "/contract.json"]),
    ],
)
def test_below_a_prefix_everything_is_the_mounts_and_else_its_own_names(
    options: dict[str, Any], owned: list[str], others: list[str]
) -> None:
    service = service_of(make_spec(), Options(**options))

    assert [path for path in owned + others if service.owns(path)] == owned


def test_a_document_is_shown_to_who_gets_it(caplog: pytest.LogCaptureFixture) -> None:
    def path(how: str, target: str = "/v1/contract.json") -> RawResponse:
        return ask(make(), RawRequest(how, target, ()))

    shown = path("GET")
    assert (shown.status, shown.header("vary")) == (200, "Accept-Encoding")
    assert orjson.loads(shown.body)["info"]["title"] == "Contract API"
    options = path("OPTIONS")
    assert (options.status, options.body) == (204, b"")
    assert more(options) == {"allow": "GET, HEAD, OPTIONS"}
    assert (path("POST").status, more(path("POST"))) == (405, {"allow": "GET, HEAD, OPTIONS"})
    broken = service_of(spec(routes=[route(summary="\ud800", tags=["t"], auth="none")(echo)]))
    refused = ask(broken, RawRequest("GET", "/contract.json", ()))

    assert (refused.status, orjson.loads(refused.body)) == (500, {"error": "INTERNAL_ERROR"})
    assert "a document could not be written" in caplog.text


def test_it_knows_what_is_called_and_what_it_shows() -> None:
    service = with_tools()

    assert service.paths == {"/v1/ping", "/v1/wait", "/v1/me", "/v1/mcp", "/v1/mcp/"}
    assert "/v1/docs" not in service.paths
    shown = ["/v1/docs/", "/v1/contract.json", "/v1/docs/nope", "/v1/ping"]
    assert [*map(service.shows, shown)] == [True, True, False, False]


def test_warming_up_compiles_what_calls_need_and_renders_what_is_shown() -> None:
    rendered: list[str] = []

    def render() -> bytes:
        rendered.append("page")
        return b"page"

    api = make_spec()
    bound = bind(api, map_error=None)
    service = Service(api, Options(), bound, {"/page": Published(render, "text/plain")}, None)
    preds = [pred for each in bound.values() for pred in each.preds()]
    before = [pred.load for pred in preds]
    service.warm_up()

    assert preds
    assert all(pred.load != load for pred, load in zip(preds, before, strict=True))
    assert rendered == ["page"]
    assert ask(service, RawRequest("GET", "/page", ())).body == b"page"
    assert rendered == ["page"]


def silent(service: Service) -> RawResponse:
    return ask(service, call("echo", b'"x"'))


class Handler(logging.Handler):
    """Keeps what it gets, or raises."""

    def __init__(self, exception: BaseException | None = None) -> None:
        super().__init__()
        self.exception = exception
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)
        if self.exception is not None:
            raise self.exception


@pytest.fixture
def handle() -> Any:
    added: list[logging.Handler] = []

    def add(exception: BaseException | None = None) -> Handler:
        handler = Handler(exception)
        CALLS.addHandler(handler)
        CALLS.setLevel(logging.INFO)
        added.append(handler)
        return handler

    yield add
    for handler in added:
        CALLS.removeHandler(handler)
    CALLS.setLevel(logging.NOTSET)


def test_each_call_is_logged_unless_logging_is_off(handle: Callable[..., Handler]) -> None:
    handler = handle()
    silent(make())
    silent(make(logging=False))

    [record] = handler.records
    event: CallEvent = record.call  # type: ignore[attr-defined]
    assert (event.route, event.surface, event.code, event.status) == ("echo", "http", "OK", 200)
    assert event.exception is None
    assert event.duration >= 0


def test_no_event_is_made_where_nobody_listens(
    handle: Callable[..., Handler], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An event costs as much as the rest of a small call."""
    handle()
    monkeypatch.setattr("contract.call.log_text.CallEvent", None)

    assert silent(make(logging=False)).status == 200
    CALLS.setLevel(logging.ERROR)
    assert silent(make()).status == 200


EXCEPTIONS = [
    ValueError("x"),
    SystemExit(3),
    KeyboardInterrupt(),
    StopIteration(),
    GeneratorExit(),
    RecursionError(),
]


@pytest.mark.parametrize("exception", EXCEPTIONS, ids=repr)
def test_a_log_that_raises_costs_no_reply(
    handle: Callable[..., Handler], exception: BaseException
) -> None:
    events: list[CallEvent] = []
    handler = handle(exception)

    assert silent(make()).status == 200
    assert silent(make(on_call=events.append)).status == 200
    assert (len(handler.records), len(events)) == (2, 1)


@pytest.mark.parametrize("exception", EXCEPTIONS, ids=repr)
def test_on_call_that_raises_costs_no_reply(
    exception: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    def on_call(event: CallEvent) -> None:
        raise exception

    assert silent(make(on_call=on_call)).status == 200
    assert "on_call raised [route echo, request " in caplog.text


def test_public_routes_do_not_look_at_credentials() -> None:
    request = call("echo", b'"x"', ("Authorization", "Bearer a, Bearer b"))

    assert ask(make(), request).status == 200
