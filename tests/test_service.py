"""The service: options, ownership of paths, and the order of the checks, with no server at all."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import orjson
import pytest

from contract import CallEvent, Forbidden, Request, Spec, current_call, route, spec
from contract.adapters.asgi import AsgiApp
from contract.adapters.mount import service_of
from contract.adapters.pool import Lanes
from contract.adapters.wsgi import WsgiApp
from contract.adapters.wsgi_calls import WsgiIncoming, path_of
from contract.call.bound import bind
from contract.call.incoming import Refused
from contract.call.log import CALLS
from contract.call.message import JSON_HEADERS
from contract.call.mount_options import Limits, Options
from contract.call.published import Published
from contract.call.service import Service
from tests.mcp.talk import META, MODERN, written
from tests.tables import rows
from tests.wire import exchange
from tests.wire.case import call

LANES = Lanes(Limits())
steps: list[str] = []
"""What was done for a call, in its order."""


@pytest.fixture(autouse=True)
def nothing_done() -> None:
    steps.clear()


class Noted(exchange.Bare):
    """A request that notes when its body is asked for; one that is *broken* off has none."""

    def __init__(self, request: exchange.RawRequest, broken: BaseException | None = None) -> None:
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


def public(resolver: Any, **options: Any) -> Any:
    return route(summary="S", tags=["t"], auth="none", **options)(resolver)


def known(resolver: Any, **options: Any) -> Any:
    return route(summary="S", tags=["t"], **options)(resolver)


def make_spec() -> Spec[str]:
    served = [public(echo), public(echo_async), public(wait), known(me), known(me, name="me2")]
    return spec(authenticate=authenticate, routes=served)


def served_at(prefix: str, routes: dict[str, Any], hook: Any = None, **options: Any) -> Service:
    given: Any = {"authenticate": hook} if hook else {}
    return service_of(spec(**given, routes=routes), Options(prefix=prefix, **options))


def make(**options: Any) -> Service:
    return service_of(make_spec(), Options(prefix="/v1", **options))


def ask(
    service: Service, request: exchange.RawRequest, broken: BaseException | None = None
) -> exchange.RawResponse:
    return exchange.answered(service, Noted(request, broken))


def more(response: exchange.RawResponse) -> dict[str, str]:
    """The headers that not every response has."""
    usual = (*JSON_HEADERS.mapping, "x-request-id")
    return {name: value for name, value in response.headers if name not in usual}


def to(path: str, method: str = "POST", **given: Any) -> exchange.RawRequest:
    return exchange.RawRequest(method, f"/v1/{path}", **given)


def bearer(token: str, body: bytes = b"") -> exchange.RawRequest:
    return call("me", body, ("Authorization", f"Bearer {token}"))


@pytest.mark.parametrize("name", ["echo", "echo_async"])
def test_a_call_reads_its_body_and_is_answered(name: str) -> None:
    response = ask(make(), call(name, b'"x"'))

    assert (response.status, response.body, steps) == (200, b'"x"', ["read", name])


@rows(
    "request_, status, code",
    (to("nope"), 404, "ROUTE_NOT_FOUND"),
    (to("echo", "GET"), 405, "METHOD_NOT_ALLOWED"),
    *((each, 401, "UNAUTHORIZED") for each in (call("me"), bearer("a b"), bearer("a" * 4097))),
    (bearer("a, Bearer b"), 400, "BAD_REQUEST"),
    (to("echo", length="x"), 400, "BAD_REQUEST"),
    (to("echo", length="1", chunked=True), 400, "BAD_REQUEST"),
    (to("echo", headers=(("Transfer-Encoding", "gzip, chunked"),)), 400, "BAD_REQUEST"),
    (to("echo", length="1048577"), 413, "PAYLOAD_TOO_LARGE"),
    (call("echo", b'"x"', ("Content-Encoding", "br")), 415, "UNSUPPORTED_MEDIA_TYPE"),
    (to("echo", headers=(("Content-Type", "text/plain"),)), 415, "UNSUPPORTED_MEDIA_TYPE"),
    (to("echo", headers=(), length="3"), 415, "UNSUPPORTED_MEDIA_TYPE"),
)
def test_what_can_be_refused_is_refused_before_anything_is_done(
    request_: exchange.RawRequest, status: int, code: str
) -> None:
    response = ask(make(), request_)

    assert (response.status, orjson.loads(response.body)["error"], steps) == (status, code, [])


def message(
    method: str = "ping",
    *headers: tuple[str, str],
    target: str = "/v1/mcp",
    how: str = "POST",
    **params: Any,
) -> exchange.RawRequest:
    return exchange.RawRequest(how, target, (exchange.JSON, *headers), written(method, params))


def modern(tool: str, *headers: tuple[str, str]) -> exchange.RawRequest:
    """A call of a tool in a revision in which a client that leaves cancels it."""
    more = (("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/call"), ("Mcp-Name", tool))
    return message("tools/call", *more, *headers, name=tool, _meta=META)


def with_tools(**options: Any) -> Service:
    tools = {"ping": public(ping, mcp=True), "wait": public(wait, mcp=True)}
    return served_at("/v1", {**tools, "me": known(me, mcp=True)}, authenticate, **options)


def ping(input: None, ctx: None) -> str:
    return "pong"


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


@rows(
    "request_, status",
    (message(how="GET"), 405),
    (message("ping", ("Origin", "null")), 403),
    (message("ping", ("Content-Encoding", "gzip")), 415),
    (message("ping", ("Accept", "text/html")), 406),
    (to("mcp", length="1048577"), 413),
    (message(target="/v1/.well-known/oauth-protected-resource/mcp", how="GET"), 200),
)
def test_what_headers_decide_of_a_message_is_decided_before_it_is_read(
    request_: exchange.RawRequest, status: int
) -> None:
    response = ask(with_tools(authorization_servers=["https://login.example"]), request_)

    assert (response.status, steps) == (status, [])


def test_a_hook_runs_before_the_body_is_read() -> None:
    good = ask(make(), bearer("ada"))
    assert (good.status, good.body) == (200, b'"ada"')
    assert steps == ["hook of me", "read", "me"]
    steps.clear()
    bad = ask(make(), bearer("bad"))

    robot = ask(make(), bearer("robot"))

    assert bad.status == 401
    assert bad.header("www-authenticate") == 'Bearer realm="Contract API", error="invalid_token"'
    assert (robot.status, more(robot), steps) == (403, {}, ["hook of me"] * 2)


@pytest.mark.parametrize(
    "request_",
    [call("echo", b'"x"'), call("echo_async", b'"x"'), message("tools/call", name="ping")],
)
@rows(
    "exception, status, code",
    (Refused("REQUEST_TIMEOUT", (("connection", "close"),)), 408, "REQUEST_TIMEOUT"),
    (Refused("PAYLOAD_TOO_LARGE", limit=1), 413, "PAYLOAD_TOO_LARGE"),
    (OSError("canary"), 400, "BAD_REQUEST"),
    (SystemExit(3), 400, "BAD_REQUEST"),
)
def test_a_body_that_cannot_be_read_runs_nothing(
    request_: exchange.RawRequest, exception: BaseException, status: int, code: str
) -> None:
    events: list[CallEvent] = []
    response = ask(make(on_call=events.append), request_, exception)

    assert (response.status, [event.code for event in events], steps) == (status, [code], ["read"])
    assert code.encode() in response.body
    assert b"canary" not in response.body


def test_each_call_is_told_of() -> None:
    events: list[CallEvent] = []
    service = make(on_call=events.append, logging=False)
    for request, *told in (
        (call("echo", b'"x"'), "echo", "OK", 200),
        (call("echo", b"1"), "echo", "VALIDATION_ERROR", 400),
        (call("me"), "me", "UNAUTHORIZED", 401),
        (to("nope"), None, "ROUTE_NOT_FOUND", 404),
        (call("echo_async", b'"x"'), "echo_async", "OK", 200),
        (to("echo", "GET"), "echo", "METHOD_NOT_ALLOWED", 405),
        (to("contract.json", "GET"), None, "OK", 200),
    ):
        ask(service, request)
        event = events.pop()
        assert [event.route, event.code, event.status] == told
        assert (event.surface, events) == ("http", [])


# Where a call is that is cancelled: its client has gone, or the server stops.

UNFINISHED = to("echo", body=b'"x"', length="9", ends="never")


@rows(
    "request_, told",
    (call("wait"), ("http", "wait", None)),
    (UNFINISHED, ("http", "echo", None)),
    (call("me", b"", ("Authorization", "Bearer wait")), ("http", "me", None)),
    (modern("wait", ("Authorization", "Bearer good")), ("mcp", "wait", "wait")),
    (message("ping", ("Authorization", "Bearer wait")), ("mcp", None, None)),
    (modern("wait", ("Authorization", "Bearer wait")), ("mcp", "wait", "wait")),
    (to("mcp", body=b"{", length="9", ends="never"), ("mcp", None, None)),
    ids=[
        *("resolver", "body", "hook", "tool"),
        *("hook of a message", "hook of a tool", "body of a message"),
    ],
)
def test_a_cancelled_call_is_told_of_wherever_it_is(
    request_: exchange.RawRequest, told: tuple[str, str | None, str | None]
) -> None:
    async def hook(token: str, request: Request) -> str:
        if token == "wait":
            await asyncio.Event().wait()
        return token

    routes = {"echo": public(echo), "wait": public(wait, mcp=True), "me": known(me)}
    events: list[CallEvent] = []
    service = served_at("/v1", routes, hook, on_call=events.append, mcp_challenge="connect")
    exchange.abandon(AsgiApp(service), request_)

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
    service = served_at("/v1", {"wait": public(wait)}, logging=logs)
    exchange.abandon(AsgiApp(service), call("wait"))

    told = [record.message.split()[:2] for record in caplog.records]
    assert told == [["wait", "CANCELLED"]] * lines


# Where the hook and the resolver of a call run, on an event loop.


KINDS = ["sync", "inline", "async"]


@pytest.mark.parametrize("hook", KINDS)
@pytest.mark.parametrize("resolver", KINDS)
def test_what_is_async_or_says_so_runs_on_the_loop(hook: str, resolver: str) -> None:
    def let_in(token: str, request: Request) -> int:
        return threading.get_ident()

    async def let_in_async(token: str, request: Request) -> int:
        return threading.get_ident()

    def where(input: None, ctx: int) -> list[int]:
        return [ctx, threading.get_ident()]

    async def where_async(input: None, ctx: int) -> list[int]:
        return where(input, ctx)

    chosen = where_async if resolver == "async" else where
    made = known(chosen, name="where", inline=resolver == "inline")
    given: dict[str, Any] = {"authenticate": let_in_async if hook == "async" else let_in}
    served = spec(**given, authenticate_inline=hook == "inline", routes=[made])
    app = AsgiApp(service_of(served, Options(prefix="/v1")))
    response = exchange.through_asgi(app)(call("where", b"null", ("Authorization", "Bearer good")))

    stays = [found == threading.get_ident() for found in response.json()]
    assert stays == [hook != "sync", resolver != "sync"]


@rows(
    "request_, status, done",
    (bearer("ada"), 200, ["hook of me", "me"]),
    (bearer("ada", b"null"), 200, ["hook of me", "me"]),
    (bearer("bad", b"null"), 401, ["hook of me"]),
    (bearer("robot", b"null"), 403, ["hook of me"]),
    (bearer("ada", b"1"), 400, ["hook of me"]),
    (bearer("bad", b"1"), 401, ["hook of me"]),
    (call("me", b"null"), 401, []),
)
def test_a_call_in_one_thread_comes_to_what_every_other_comes_to(
    request_: exchange.RawRequest, status: int, done: list[str]
) -> None:
    here = exchange.through_service(make())(request_)
    steps.clear()
    there = exchange.through_asgi(AsgiApp(make()))(request_)

    assert (there.status, there.body, steps) == (status, here.body, done)
    length = {"content-length": str(len(there.body))}
    assert more(there) | length == more(here) | length


def test_a_call_for_which_there_is_no_thread_is_refused() -> None:
    go_on = threading.Event()

    def hold(input: None, ctx: None) -> None:
        go_on.wait(60)

    served = {"hold": public(hold), "me": known(me)}
    app = AsgiApp(served_at("/v1", served, authenticate, limits=Limits(threads=2, queue=0)))

    async def run() -> exchange.RawResponse:
        held = [asyncio.create_task(exchange.talk(app, call("hold"))) for _ in range(2)]
        await asyncio.sleep(0)
        response = await exchange.talk(app, bearer("ada", b"null"))
        go_on.set()
        await asyncio.gather(*held)
        return response

    response = exchange.loop().run_until_complete(run())
    assert (response.status, response.header("retry-after"), steps) == (503, "1", [])


@rows(
    "request_, awaited",
    *((each, True) for each in (call("echo"), call("echo", b'"x"'), to("echo", chunked=True))),
    (to("echo", headers=(("Content-Type", "text/plain"),), body=b"x"), False),
    (bearer("ada"), True),
    *((each, False) for each in (call("me"), to("echo", "GET"), to("nope"))),
    (to("mcp"), True),
    (to("mcp", "GET"), False),
    (to("echo", length="1048577"), False),
)
def test_headers_tell_whether_a_body_may_be_needed(
    request_: exchange.RawRequest, awaited: bool
) -> None:
    environ = exchange.environ_of(request_)
    service = make()

    assert service.awaits(Noted(request_)) is awaited
    assert service.awaits(WsgiIncoming(environ, path_of(environ), lambda _: None, LANES)) is awaited


def test_a_request_that_is_no_http_is_a_bad_request() -> None:
    events: list[CallEvent] = []
    incoming = Noted(exchange.RawRequest(headers=(("X-Request-Id", "abc"),)))
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

    served = served_at("", {"broken": public(broken, mcp=True)})
    assert (
        exchange.through_service(served)(exchange.RawRequest(target="/broken", headers=())).status
        == 500
    )
    assert (
        exchange.through_wsgi(WsgiApp(served))(
            exchange.RawRequest(target="/broken", headers=())
        ).status
        == 500
    )
    asked = message("tools/call", target="/mcp", name="broken")
    assert exchange.through_wsgi(WsgiApp(served))(asked).status == 200
    assert exchange.through_service(service)(to("nope")).status == 404

    calls = [record for record in caplog.records if record.name == "contract.calls"]
    told = [record.message.split()[:3] for record in calls]
    assert told == [["broken", "INTERNAL_ERROR", "500"]] * 3


def test_options_answers_and_preflights() -> None:
    service = make(cors_origins=["https://app.example"])
    request = to("echo", "OPTIONS")
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


def test_the_health_route_says_whether_the_service_takes_calls() -> None:
    service = make(health_path="/health")
    request = to("health", "GET", headers=())

    assert ask(service, request).body == b'{"ready":true}'
    assert ask(service, replace(request, method="HEAD")).status == 200
    service.stuck = lambda: True
    assert ask(service, request).status == 503
    service.stuck = lambda: False
    assert ask(service, request).status == 200
    service.drain()
    assert ask(service, request).status == 503
    assert ask(service, to("health")).status == 405
    assert ask(make(), request).status == 404


@rows(
    "options, owned, others",
    ({"prefix": "/v1"}, ["/v1/echo", "/v1/nope", "/v1/", "/v1//"], ["/v1", "/", "/v10", ""]),
    ({"health_path": "/health"}, ["/echo", "/echo/", "//echo", "/health"], ["/echo/x", "/nope"]),
    ({}, ["/docs", "/docs/", "/docs/nope", "/contract.json"], ["/docs2", "/health", "/"]),
    ({"docs": False}, ["/echo"], ["/docs", "/docs/", "/docs/nope", "/contract.json"]),
)
def test_below_a_prefix_everything_is_the_mounts_and_else_its_own_names(
    options: dict[str, Any], owned: list[str], others: list[str]
) -> None:
    service = service_of(make_spec(), Options(**options))

    assert [path for path in owned + others if service.owns(path)] == owned


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
    loads = [(pred, pred.load) for each in bound.values() for pred in each.loads()]
    dumps = [(pred, pred.dump) for each in bound.values() for pred in each.dumps()]
    only_loaded = [(pred, pred.dump) for pred, _ in loads if pred not in dict(dumps)]
    service.warm_up()

    assert loads
    assert dumps
    assert only_loaded
    assert all(pred.load != load for pred, load in loads)
    assert all(pred.dump != dump for pred, dump in dumps)
    assert all(pred.dump == dump for pred, dump in only_loaded)
    assert rendered == ["page"]
    assert ask(service, exchange.RawRequest("GET", "/page", ())).body == b"page"
    assert rendered == ["page"]


def silent(service: Service) -> exchange.RawResponse:
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


EXCEPTIONS = [ValueError("x"), SystemExit(3), KeyboardInterrupt(), StopIteration()]
EXCEPTIONS += [GeneratorExit(), RecursionError()]


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


def test_a_body_in_chunks_needs_a_type_where_it_is_not_empty() -> None:
    for body, status in ((b'"x"', 415), (b"", 400)):
        request = to("echo", headers=(), chunked=True, body=body)
        assert ask(make(), request).status == status
    assert steps == ["read", "read"]


def test_a_document_that_cannot_be_written_is_a_failure(caplog: pytest.LogCaptureFixture) -> None:
    broken = service_of(spec(routes=[route(summary="\ud800", tags=["t"], auth="none")(echo)]))
    refused = ask(broken, exchange.RawRequest("GET", "/contract.json", ()))

    assert (refused.status, orjson.loads(refused.body)) == (500, {"error": "INTERNAL_ERROR"})
    assert "a document could not be written" in caplog.text
