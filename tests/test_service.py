"""The service: options, ownership of paths, and the order of the checks, with no server at all."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import orjson
import pytest

from contract import CallEvent, Deprecated, MountError, Request, Spec, current_call, route, spec
from contract.adapters.wsgi import WsgiApp
from contract.call import CURRENT, READ, Flow, Outcome, Raised, Run, Value
from contract.dispatch import Bound, Refused
from contract.log import CALLS
from contract.message import Response
from contract.service import Limits, Options, Service
from tests.wire.case import call
from tests.wire.exchange import Bare, RawRequest, through_service, through_wsgi


@pytest.fixture(autouse=True)
def no_call() -> Iterator[None]:
    """What a flow leaves in the context, where no driver gives it one of its own, is taken away."""
    token = CURRENT.set(Bare(RawRequest()))
    yield
    CURRENT.reset(token)


def echo(input: str, ctx: None) -> str:
    return input


async def echo_async(input: str, ctx: None) -> str:
    raise AssertionError("never called: what comes of it is made up")


def me(input: None, ctx: str) -> str:
    return ctx


def authenticate(token: str, request: Request) -> str | None:
    return None if token == "bad" else token


def make_spec() -> Spec[str]:
    public = route(summary="S", tags=["t"], auth="none")
    bearer = route(summary="S", tags=["t"])
    return spec(
        authenticate=authenticate, routes=[public(echo), public(echo_async), bearer(me), route(summary="S", tags=["t"], name="me2")(me)]
    )


def make(**options: Any) -> Service:
    return Service(make_spec(), Options(prefix="/v1", **options))


def drive(flow: Flow[Response], *outcomes: Outcome) -> Response:
    """What *flow* comes to; each step is run where no outcome is given for it."""
    given = list(outcomes)
    try:
        step = next(flow)
        while True:
            if given:
                outcome = given.pop(0)
            else:
                assert isinstance(step, Run)
                outcome = Value(step.fn(*step.args))
            step = flow.send(outcome)
    except StopIteration as stop:
        assert not given
        found: Response = stop.value
        return found


def bearer(token: str) -> RawRequest:
    return call("me", b"", ("Authorization", f"Bearer {token}"))


def test_a_call_reads_its_body_and_is_answered() -> None:
    flow = make().respond(Bare(call("echo", b'"x"')))

    assert next(flow) is READ
    step = flow.send(Value(b'"x"'))
    assert isinstance(step, Run)
    with pytest.raises(StopIteration) as stop:
        flow.send(Value(step.fn(*step.args)))
    assert (stop.value.value.status, stop.value.value.body) == (200, b'"x"')


@pytest.mark.parametrize(
    ("request_", "status", "code"),
    [
        (RawRequest(target="/v1/nope"), 404, "ROUTE_NOT_FOUND"),
        (RawRequest(method="GET", target="/v1/echo"), 405, "METHOD_NOT_ALLOWED"),
        (call("me"), 401, "UNAUTHORIZED"),
        (bearer("a b"), 401, "UNAUTHORIZED"),
        (bearer("a, Bearer b"), 400, "BAD_REQUEST"),
        (RawRequest(target="/v1/echo", length="x"), 400, "BAD_REQUEST"),
        (RawRequest(target="/v1/echo", length="1", chunked=True), 400, "BAD_REQUEST"),
        (RawRequest(target="/v1/echo", length="1048577"), 413, "PAYLOAD_TOO_LARGE"),
        (call("echo", b'"x"', ("Content-Encoding", "br")), 415, "UNSUPPORTED_MEDIA_TYPE"),
        (RawRequest(target="/v1/echo", headers=(("Content-Type", "text/plain"),)), 415, "UNSUPPORTED_MEDIA_TYPE"),
        (RawRequest(target="/v1/echo", headers=(), length="3"), 415, "UNSUPPORTED_MEDIA_TYPE"),
    ],
)
def test_what_can_be_refused_is_refused_without_a_step(request_: RawRequest, status: int, code: str) -> None:
    flow = make().respond(Bare(request_))

    with pytest.raises(StopIteration) as stop:
        next(flow)
    assert (stop.value.value.status, orjson.loads(stop.value.value.body)["error"]) == (status, code)


def ask(method: str = "ping", *headers: tuple[str, str], target: str = "/v1/mcp", how: str = "POST", **params: Any) -> Bare:
    body = orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    return Bare(RawRequest(how, target, (("Content-Type", "application/json"), *headers), body))


def with_tools(**options: Any) -> Service:
    public = route(summary="S", tags=["t"], auth="none", mcp=True)
    served = spec(authenticate=authenticate, routes={"ping": public(ping), "me": route(summary="S", tags=["t"], mcp=True)(me)})
    return Service(served, Options(prefix="/v1", **options))


def ping(input: None, ctx: None) -> str:
    return "pong"


def tell(service: Service, incoming: Bare) -> Response:
    """The response to a message, whose body is read when it is asked for."""
    flow = service.respond(incoming)
    try:
        step = next(flow)
        while True:
            step = flow.send(Value(incoming.read(0) if step is READ else step.fn(*step.args)))  # type: ignore[union-attr]
    except StopIteration as stop:
        found: Response = stop.value
        return found


def test_a_message_is_admitted_to_the_endpoint() -> None:
    events: list[CallEvent] = []
    service = with_tools(on_call=events.append, logging=False)
    assert service.owns("/v1/mcp/")
    response = tell(service, ask("tools/call", name="ping"))

    assert (response.status, orjson.loads(response.body)["result"]["structuredContent"]) == (200, {"result": "pong"})
    assert [(event.surface, event.route, event.tool, event.code) for event in events] == [("mcp", "ping", "ping", "OK")]


def test_without_a_listener_nobody_is_told_of_a_message(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    tell(with_tools(logging=False), ask())
    assert caplog.records == []
    tell(with_tools(), ask())

    assert [record.levelname for record in caplog.records] == ["INFO"]


def test_at_the_root_a_mount_owns_the_paths_of_mcp() -> None:
    service = Service(make_spec(), Options(authorization_servers=["https://login.example"]))

    for path in ("/mcp", "/mcp/", "/.well-known/oauth-protected-resource/mcp"):
        assert service.owns(path)
    assert not service.owns("/.well-known/oauth-protected-resource")
    assert not Service(make_spec(), Options(mcp_path=None)).owns("/mcp")


@pytest.mark.parametrize(
    ("incoming", "status"),
    [
        (ask(how="GET"), 405),
        (ask("ping", ("Origin", "null")), 403),
        (ask("ping", ("Content-Encoding", "gzip")), 415),
        (ask("ping", ("Accept", "text/html")), 406),
        (Bare(RawRequest(target="/v1/mcp", length="1048577")), 413),
        (ask(target="/v1/.well-known/oauth-protected-resource/mcp", how="GET"), 200),
    ],
)
def test_what_headers_decide_of_a_message_is_decided_without_a_step(incoming: Bare, status: int) -> None:
    response = with_tools(authorization_servers=["https://login.example"]).admit(incoming)

    assert isinstance(response, Response)
    assert response.status == status


def test_a_message_that_is_no_call_is_told_of_as_none_whatever_its_method_is_called() -> None:
    events: list[CallEvent] = []
    service = with_tools(on_call=events.append, mcp_challenge="connect")
    incoming = ask("ping", ("Authorization", "Bearer good"))
    flow = service.respond(incoming)
    assert next(flow) is READ
    assert isinstance(flow.send(Value(incoming.read(0))), Run)  # the hook, while the client goes away
    service.cancelled(incoming)

    assert [(event.surface, event.route, event.tool, event.code) for event in events] == [("mcp", None, None, "CANCELLED")]


def test_a_message_that_its_client_no_longer_waits_for_is_told_of() -> None:
    events: list[CallEvent] = []
    service = with_tools(on_call=events.append)
    for incoming in (ask(), ask("tools/call", name="ping")):
        flow = service.respond(incoming)
        assert next(flow) is READ
        if b"tools/call" in incoming.read(0):
            assert isinstance(flow.send(Value(incoming.read(0))), Run)
        service.cancelled(incoming)

    assert [(event.surface, event.route, event.tool, event.code, event.status) for event in events] == [
        ("mcp", None, None, "CANCELLED", 499),
        ("mcp", "ping", "ping", "CANCELLED", 499),
    ]


def test_a_stream_says_what_a_page_may_see() -> None:
    incoming = ask("ping", ("Origin", "http://localhost:1"))
    service = with_tools()
    service.admit(incoming)
    pairs = service.streamed(incoming, iter([b""])).pairs()

    assert ("access-control-allow-origin", "http://localhost:1") in pairs
    assert ("content-type", "text/event-stream") in pairs
    assert ("x-request-id", incoming.request_id) in pairs
    assert "access-control-allow-origin" not in dict(with_tools(mcp_path=None).streamed(incoming, iter([b""])).pairs())


def test_a_hook_runs_before_the_body_is_read() -> None:
    service = make()
    good = service.respond(Bare(bearer("ada")))
    step = next(good)
    assert isinstance(step, Run)
    assert step.fn is authenticate
    assert good.send(Value("ada")) is READ
    assert drive(make().respond(Bare(bearer("ada"))), Value("eve"), Value(b"")).body == b'"eve"'
    assert drive(make().respond(Bare(call("echo_async", b'"x"'))), Value(b'"x"'), Value("y")).body == b'"y"'
    refused = drive(service.respond(Bare(bearer("bad"))))

    assert refused.status == 401
    assert dict(refused.headers)["www-authenticate"].endswith('error="invalid_token"')


@pytest.mark.parametrize("request_", [call("echo", b'"x"'), call("echo_async", b'"x"')])
@pytest.mark.parametrize(
    ("exception", "status", "code"),
    [
        (Refused("REQUEST_TIMEOUT", (("connection", "close"),)), 408, "REQUEST_TIMEOUT"),
        (Refused("PAYLOAD_TOO_LARGE", limit=1), 413, "PAYLOAD_TOO_LARGE"),
        (OSError("canary"), 400, "BAD_REQUEST"),
        (SystemExit(3), 400, "BAD_REQUEST"),
    ],
)
def test_a_body_that_cannot_be_read_runs_nothing(request_: RawRequest, exception: BaseException, status: int, code: str) -> None:
    response = drive(make().respond(Bare(request_)), Raised(exception))

    assert (response.status, orjson.loads(response.body)["error"]) == (status, code)
    assert b"canary" not in response.body


def test_a_body_in_chunks_needs_a_type_where_it_is_not_empty() -> None:
    request = RawRequest(target="/v1/echo", headers=(), chunked=True)

    assert drive(make().respond(Bare(request)), Value(b'"x"')).status == 415
    assert drive(make().respond(Bare(request)), Value(b"")).status == 400


def admitted(service: Service, request: RawRequest) -> tuple[Bare, Bound]:
    incoming = Bare(request)
    found = service.admit(incoming)
    assert isinstance(found, Bound)
    return incoming, found


def test_a_straight_route_needs_no_flow() -> None:
    service = make()
    incoming, found = admitted(service, call("echo", b'"x"'))

    assert service.straight["/v1/echo"] is found
    assert service.conclude(incoming, found, b'"x"') == b'"x"'
    assert current_call().route == "echo"
    refused = service.conclude(incoming, found, b"1")
    assert isinstance(refused, Response)
    assert refused.status == 400
    assert service.unreadable(incoming, found, ValueError()).status == 400


def test_a_call_that_goes_straight_is_told_of() -> None:
    events: list[CallEvent] = []
    service = make(on_call=events.append, logging=False)
    service.conclude(*admitted(service, call("echo", b'"x"')), b'"x"')
    service.conclude(*admitted(service, call("echo", b"1")), b"1")

    assert [(event.route, event.code, event.status) for event in events] == [("echo", "OK", 200), ("echo", "VALIDATION_ERROR", 400)]


def test_routes_whose_answers_need_more_are_not_straight() -> None:
    plain = {
        name: route(summary="S", tags=["t"], auth="none", inline=inline, deprecated=deprecated)(echo)
        for name, inline, deprecated in (
            ("a", False, False),
            ("b", True, False),
            ("c", True, True),
            ("d", True, Deprecated(since=date(2026, 1, 1))),
        )
    }
    service = Service(spec(routes=plain), Options(prefix="/v1"))

    assert set(make().straight) == {"/v1/echo"}
    assert set(service.straight) == {"/v1/a", "/v1/b", "/v1/c"}
    assert set(service.straight_inline) == {"/v1/b", "/v1/c"}
    assert not make(cors_origins=["https://app.example"]).straight


def test_a_request_that_is_no_http_is_a_bad_request() -> None:
    events: list[CallEvent] = []
    incoming = Bare(RawRequest(headers=(("X-Request-Id", "abc"),)))
    response = make(on_call=events.append).broken(incoming, 431, "Too many headers.")

    assert (response.status, orjson.loads(response.body)) == (431, {"error": "BAD_REQUEST", "data": {"message": "Too many headers."}})
    assert response.request_id == "abc"
    assert [(event.route, event.status, event.code) for event in events] == [(None, 431, "BAD_REQUEST")]


def test_a_cancelled_call_is_told_of() -> None:
    events: list[CallEvent] = []
    service = make(on_call=events.append)
    incoming, _ = admitted(service, call("echo", b'"x"'))
    service.cancelled(incoming)

    assert [(event.route, event.status, event.code) for event in events] == [("echo", 499, "CANCELLED")]


def test_a_500_is_told_where_only_warnings_are(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, logger="contract.calls")
    service = make()

    def broken(input: None, ctx: None) -> int:
        raise LookupError

    served = Service(spec(routes={"broken": route(summary="S", tags=["t"], auth="none", mcp=True)(broken)}))
    assert through_service(served)(RawRequest(target="/broken", headers=())).status == 500
    assert through_wsgi(WsgiApp(served))(RawRequest(target="/broken", headers=())).status == 500
    body = orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "broken"}})
    assert through_wsgi(WsgiApp(served))(RawRequest(target="/mcp", body=body)).status == 200
    assert through_service(service)(RawRequest(target="/v1/nope")).status == 404

    told = [record.message.split()[:3] for record in caplog.records if record.name == "contract.calls"]
    assert told == [["broken", "INTERNAL_ERROR", "500"]] * 3


def test_options_answers_and_preflights() -> None:
    service = make(cors_origins=["https://app.example"])
    mine = drive(service.respond(Bare(RawRequest(method="OPTIONS", target="/v1/echo", headers=(("Origin", "https://app.example"),)))))
    other = drive(service.respond(Bare(RawRequest(method="OPTIONS", target="/v1/echo"))))

    assert (mine.status, mine.body, dict(mine.headers)["allow"]) == (204, b"", "OPTIONS, POST")
    assert dict(mine.headers)["access-control-max-age"] == "600"
    assert "content-type" not in dict(mine.pairs())
    assert dict(other.headers) == {"allow": "OPTIONS, POST", "vary": "Origin"}


def test_answers_to_pages_say_who_may_read_them() -> None:
    service = make(cors_origins=["https://app.example"])

    def headers(origin: str) -> dict[str, str]:
        return dict(drive(service.respond(Bare(call("echo", b'"x"', ("Origin", origin)))), Value(b'"x"')).headers)

    assert headers("https://app.example") == {
        "vary": "Origin",
        "access-control-allow-origin": "https://app.example",
        "access-control-expose-headers": "x-request-id, retry-after",
    }
    assert headers("https://evil.example") == {"vary": "Origin"}


def test_a_deprecated_route_says_so_to_everybody() -> None:
    made = route(summary="S", tags=["t"], auth="none", deprecated=Deprecated(since=date(1970, 1, 2)))(echo)
    service = Service(spec(routes=[made]))
    good = drive(service.respond(Bare(RawRequest(target="/echo", body=b'"x"'))), Value(b'"x"'))
    bad = drive(service.respond(Bare(RawRequest(target="/echo", length="x"))))

    assert (good.status, good.headers) == (200, (("deprecation", "@86400"),))
    assert (bad.status, bad.headers) == (400, (("deprecation", "@86400"),))


def test_the_health_route_says_whether_the_service_takes_calls() -> None:
    service = make(health_path="/health")
    request = RawRequest(method="GET", target="/v1/health", headers=())

    assert drive(service.respond(Bare(request))).body == b'{"ready":true}'
    service.drain()
    assert drive(service.respond(Bare(request))).status == 503
    assert drive(service.respond(Bare(RawRequest(target="/v1/health")))).status == 405
    assert drive(make().respond(Bare(request))).status == 404


@pytest.mark.parametrize(
    ("path", "owned"),
    [("/v1/echo", True), ("/v1/nope", True), ("/v1/", True), ("/v1//", True), ("/v1", False), ("/", False), ("/v10", False), ("", False)],
)
def test_below_a_prefix_everything_is_the_mounts(path: str, owned: bool) -> None:
    assert make().owns(path) is owned


@pytest.mark.parametrize(
    ("path", "owned"),
    [("/echo", True), ("/health", True), ("/nope", False), ("/", False), ("/echo/", True), ("//echo", True), ("/echo/x", False)],
)
def test_without_one_its_own_names_are(path: str, owned: bool) -> None:
    assert Service(make_spec(), Options(health_path="/health")).owns(path) is owned
    assert not Service(make_spec()).owns("/health")


@pytest.mark.parametrize(
    ("path", "owned"), [("/docs", True), ("/docs/", True), ("/docs/nope", True), ("/docs2", False), ("/contract.json", True)]
)
def test_its_docs_are_its_own(path: str, owned: bool) -> None:
    assert Service(make_spec()).owns(path) is owned
    assert not Service(make_spec(), Options(docs=False)).owns(path)


def test_it_knows_what_it_shows() -> None:
    service = Service(make_spec(), Options(prefix="/v1"))

    assert service.shows("/v1/docs/")
    assert service.shows("/v1/contract.json")
    assert not service.shows("/v1/docs/nope")
    assert not service.shows("/v1/echo")


def test_warming_up_compiles_what_calls_need() -> None:
    service = make()
    service.warm_up()

    for bound in service.routes.values():
        for pred in bound.preds():
            pred.compile()  # once more does no harm
    assert drive(service.respond(Bare(call("echo", b'"x"'))), Value(b'"x"')).status == 200


def silent(service: Service) -> Response:
    return drive(service.respond(Bare(call("echo", b'"x"'))), Value(b'"x"'))


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
    assert (event.route, event.surface, event.code, event.status, event.exception) == ("echo", "http", "OK", 200, None)
    assert event.duration >= 0


def test_no_event_is_made_where_nobody_listens(handle: Callable[..., Handler], monkeypatch: pytest.MonkeyPatch) -> None:
    """An event costs as much as the rest of a small call."""
    handle()
    monkeypatch.setattr("contract.service.CallEvent", None)

    assert silent(make(logging=False)).status == 200
    CALLS.setLevel(logging.ERROR)
    assert silent(make()).status == 200


EXCEPTIONS = [ValueError("x"), SystemExit(3), KeyboardInterrupt(), StopIteration(), GeneratorExit(), RecursionError()]


@pytest.mark.parametrize("exception", EXCEPTIONS, ids=repr)
def test_a_log_that_raises_costs_no_reply(handle: Callable[..., Handler], exception: BaseException) -> None:
    events: list[CallEvent] = []
    handler = handle(exception)

    assert silent(make(on_call=events.append)).status == 200
    assert len(handler.records) == len(events) == 1


@pytest.mark.parametrize("exception", EXCEPTIONS, ids=repr)
def test_on_call_that_raises_costs_no_reply(exception: BaseException, caplog: pytest.LogCaptureFixture) -> None:
    def on_call(event: CallEvent) -> None:
        raise exception

    assert silent(make(on_call=on_call)).status == 200
    assert "on_call raised [route echo, request " in caplog.text


def test_on_call_is_told_without_any_log() -> None:
    events: list[CallEvent] = []
    silent(make(on_call=events.append, logging=False))
    drive(make(on_call=events.append, logging=False).respond(Bare(RawRequest(target="/v1/nope"))))

    assert [(event.route, event.code, event.status) for event in events] == [("echo", "OK", 200), (None, "ROUTE_NOT_FOUND", 404)]


@pytest.mark.parametrize(
    "options",
    [
        {"prefix": "v1"},
        {"prefix": "/v1/"},
        {"prefix": "/a//b"},
        {"prefix": "/a b"},
        {"prefix": "/é"},
        {"docs_path": "docs"},
        {"mcp_path": "/"},
        {"health_path": "health"},
        {"cors_origins": "https://app.example"},
        {"cors_origins": ["app.example"]},
        {"cors_origins": ["https://"]},
        {"cors_origins": ["https://app.example/x"]},
        {"max_body_bytes": 0},
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any]) -> None:
    [name] = options
    with pytest.raises(MountError, match=f"mount_spec\\({name}=\\)"):
        Options(**options)


def test_options_have_defaults_that_are_safe() -> None:
    options = Options()

    assert options.cors_origins == ()
    assert options.max_body_bytes == 1_048_576
    assert options.limits == Limits(read_seconds=10.0, deadline_seconds=None, threads=40, queue=200)


@pytest.mark.parametrize("options", [{"health_path": "/echo"}, {"docs_path": "/me/docs"}, {"mcp_path": "/me2"}])
def test_paths_of_the_mount_are_no_names_of_routes(options: dict[str, Any]) -> None:
    with pytest.raises(MountError, match="the mount needs this path itself"):
        make(**options)


def test_public_routes_do_not_look_at_credentials() -> None:
    request = call("echo", b'"x"', ("Authorization", "Bearer a, Bearer b"))

    assert drive(make().respond(Bare(request)), Value(b'"x"')).status == 200
