"""The bridge: requests as granian brings them, and what a WSGI app makes of them."""

from __future__ import annotations

import asyncio
import gc
import io
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from time import monotonic
from typing import Any

import falcon
import orjson
import pytest

from contract import Call, Meta, NotFound, Request, hook, mount_spec, route, routes, spec
from contract.adapters.mount import service_of
from contract.adapters.pool import Lanes
from contract.adapters.wsgi import WsgiApp, WsgiFront
from contract.call.context import current_call, progress
from contract.call.message import BrokenOff
from contract.call.mount_options import Limits, Options
from contract.cli import bridge, granian_bodies, granian_calls
from contract.cli.bridge import Bridge
from contract.cli.signals import Draining
from contract.cli.turns import Turns
from tests import uploaded
from tests.cli_servers import until
from tests.tables import rows


class Found:
    """What granian gives for an event: it is there at once, or when `come` says so."""

    def __init__(self) -> None:
        self.event: dict[str, Any] | None = None
        self.then: Callable[[Any], None] | None = None
        self.cancelled = False

    def result(self) -> Any:
        return self.event

    def add_done_callback(self, then: Callable[[Any], None]) -> None:
        self.then = then
        if self.event is not None:
            then(self)

    def cancel(self) -> None:
        self.cancelled = True

    def come(self, event: dict[str, Any]) -> None:
        self.event = event
        if self.then is not None:
            self.then(self)


def part(body: bytes, *, more: bool = True) -> dict[str, Any]:
    return {"type": "http.request", "body": body, "more_body": more}


LAST = part(b"", more=False)
GONE = {"type": "http.disconnect"}


class Client:
    """A request, and what is sent for it; stands for granian's watcher and its protocol."""

    def __init__(
        self,
        path: str,
        *events: bytes | dict[str, Any],
        method: str = "POST",
        full: bool = False,
        raw: bytes | None = None,
        **headers: str,
    ) -> None:
        given = {"host": "shop.example", "content-type": "application/json", **headers}
        self.events = [part(event) if isinstance(event, bytes) else event for event in events]
        self.answered: list[bool] = []
        self.asked: list[Found] = []
        self.sent: list[dict[str, Any]] = []
        self.full = full
        self.proto = self
        self.scope = {
            "type": "http", "http_version": "1.1", "method": method, "path": path, "raw_path": raw or path.encode(),
            "query_string": b"" if path == "/mcp" else b"a=b",
            "scheme": "http", "server": ("127.0.0.1", "80"), "client": ("192.0.2.7", "4711"),
            "headers": [(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in given.items() if value],
        }  # fmt: skip

    def receive(self) -> Found:
        found = Found()
        self.answered.append(bool(self.sent))
        self.asked.append(found)
        if self.events:
            found.event = self.events.pop(0)
        return found

    def send(self, event: dict[str, Any]) -> Any:
        self.sent.append(event)
        if not self.full:
            return None
        found = Found()
        found.event = GONE
        return found

    @property
    def status(self) -> int | None:
        return self.sent[0]["status"] if self.sent else None

    @property
    def body(self) -> bytes:
        return b"".join(event.get("body", b"") for event in self.sent)

    def header(self, name: bytes) -> bytes | None:
        return dict(self.sent[0]["headers"]).get(name)


@route(summary="s", tags=["t"], auth="none")
def echo(input: str, ctx: None) -> str:
    return input


@route(summary="s", tags=["t"])
def mine(input: str, ctx: str) -> str:
    return input


MARK: ContextVar[str] = ContextVar("mark")


@route(summary="s", tags=["t"], auth="none")
def marks(input: None, ctx: None) -> str:
    found = MARK.get("new")
    MARK.set("old")
    return found


HOOKED: list[Request] = []
COMES: dict[str, Callable[[], None]] = {}

Make = Callable[[], Bridge]


def who(token: str, request: Request) -> str | None:
    HOOKED.append(request)
    COMES.get(token, lambda: None)()
    return None if token == "bad" else "ada"


api = spec(authenticate=who, routes=routes(echo, mine, marks), meta=Meta(title="x"))


MODERN = "2026-07-28"
STEPS: list[str] = []


@route(summary="s", tags=["t"], auth="none", mcp=True)
async def count(input: None, ctx: None) -> str:
    try:
        for step in range(2):
            progress(step)
        if current_call().headers["mcp-protocol-version"] == MODERN:
            await asyncio.sleep(60)
    except asyncio.CancelledError:
        STEPS.append("cancelled")
        raise
    return "done"


GATE = threading.Event()


@route(summary="s", tags=["t"], auth="none", name="slow")
def slow_route(input: None, ctx: None) -> str:
    GATE.wait(10)
    return "late"


@route(summary="s", tags=["t"])
def slow_hook(input: None, ctx: str) -> str:
    raise NotImplementedError


def hangs(token: str, request: Request) -> str:
    GATE.wait(10)
    return token


def over(app: WsgiFront, draining: Draining | None = None) -> Bridge:
    return Bridge(app, (app,), 2, draining)


def slow() -> Bridge:
    made = spec(authenticate=hangs, routes=routes(slow_route, slow_hook))
    return over(WsgiApp(service_of(made, Options(limits=Limits(deadline_seconds=0.05)))))


def bare(draining: Draining | None = None, **limits: Any) -> Bridge:
    app = WsgiApp(service_of(api, Options(max_body_bytes=100, limits=Limits(**limits))))
    return over(app, draining)


class Middleware:
    """Notes the paths that it is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def process_request(self, req: falcon.Request, resp: falcon.Response) -> None:
        self.asked.append(req.path)


def in_falcon(*middleware: Middleware) -> Bridge:
    return over(mount_spec(falcon.App(middleware=[*middleware]), api).wsgi)


def behind_middleware() -> Bridge:
    return in_falcon(Middleware())


def through(taken: Bridge, client: Client) -> Client:
    taken.take(client)
    return client


def post(taken: Bridge, path: str, *events: bytes | dict[str, Any], **headers: Any) -> Client:
    return through(taken, Client(path, *events, **headers))


def get(*events: dict[str, Any], method: str = "GET", full: bool = False) -> Client:
    return Client("/", *events, method=method, full=full, content_type="")


def of(app: Any, client: Client) -> Client:
    return through(Bridge(app, (), 2), client)


def test_a_call_is_answered_when_its_body_is_there() -> None:
    client = post(bare(), "/echo", b'"ab', b'c"', content_length="5")

    assert (client.status, client.body, client.header(b"content-length")) == (200, b'"abc"', b"5")
    assert len(client.asked) == 2, "the event that says that there is no more is not waited for"


@rows(
    "client, unread",
    (Client("/echo", b'"a"', content_length="3"), False),
    (Client("/echo", b" " * 101, transfer_encoding="chunked"), True),
    (Client("/echo", content_length="101"), True),
    (Client("/mine", transfer_encoding="chunked"), True),
    (Client("/mine"), False),
    (Client("/nothing", content_length="5"), True),
    (Client("/nothing"), False),
)
def test_a_thread_knows_where_a_body_is_left_over(
    client: Client, unread: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []
    run = Turns.run

    def noted(turns: Turns, job: Callable[[Any], None], about: Any) -> None:
        run(turns, job, about)
        seen.append(about.unread)

    monkeypatch.setattr(Turns, "run", noted)
    through(bare(), client)

    assert seen == [unread]


@pytest.mark.parametrize(("raw", "status"), [("/v1/%65cho", 200), ("/v1%2Fecho", 404)])
def test_a_route_is_found_by_its_path_however_that_is_sent(raw: str, status: int) -> None:
    app = WsgiApp(service_of(api, Options(prefix="/v1")))
    client = Client("/v1/echo", b'"a"', raw=raw.encode(), content_length="3")

    assert through(over(app), client).status == status


def test_a_body_in_chunks_may_be_broken_off() -> None:
    client = post(bare(), "/echo", b'"abc"', GONE, transfer_encoding="chunked")

    assert (client.status, b"went away" in client.body) == (400, True)


@rows(
    "client, status",
    (Client("/mine", content_length="5"), 401),
    (Client("/nothing", content_length="5"), 404),
    (Client("/echo", content_length="101"), 413),
    (Client("/echo", content_length="5", content_type="text/plain"), 415),
    (Client("/echo", content_length="x"), 400),
    (Client("/echo", content_length="5", method="PUT"), 405),
    (Client("/echo", content_length=""), 400),
    (Client("/mcp", content_length="101"), 413),
    (Client("/mcp", content_length="x"), 400),
)
def test_what_needs_no_body_is_answered_without_one(client: Client, status: int) -> None:
    through(bare(), client)

    assert client.status == status
    assert all(client.answered), "the body is asked for when the answer has been sent"


@pytest.mark.parametrize("make", [bare, in_falcon, behind_middleware])
def test_messages_of_mcp_clients_are_answered_when_they_are_there(make: Make) -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    client = post(make(), "/mcp", body[:9], content_length="40", accept="*/*")
    assert (client.sent, len(client.asked)) == ([], 2)
    client.asked[-1].come(part(body[9:]))

    assert (client.status, client.body) == (200, b'{"jsonrpc":"2.0","id":1,"result":{}}')


def test_a_page_that_may_not_come_is_told_so_without_its_message() -> None:
    taken = bare()
    evil = {"accept": "*/*", "origin": "https://evil.example"}
    client = post(taken, "/mcp", b"{", content_length="40", **evil)
    late(taken, soon())

    assert (client.status, client.asked[1].cancelled) == (403, True)


def streaming(
    draining: Draining | None = None, *, full: bool = False, version: str = "2025-06-18"
) -> tuple[Bridge, Client]:
    """A call of the tool "count", which tells of its progress."""
    app = WsgiApp(spec(routes=routes(count)))
    meta: dict[str, Any] = {"progressToken": 1}
    if version == MODERN:
        told = {"protocolVersion": version, "clientCapabilities": {}}
        meta |= {f"io.modelcontextprotocol/{name}": value for name, value in told.items()}
    params = {"name": "count", "arguments": {}, "_meta": meta}
    body = orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    client = Client("/mcp", body, full=full, content_length=str(len(body)), accept="text/event-stream, application/json",
        mcp_protocol_version=version, mcp_method="tools/call", mcp_name="count")  # fmt: skip
    return over(app, draining), client


@pytest.mark.parametrize("full", [False, True])
def test_progress_is_sent_as_it_is_made(full: bool) -> None:
    client = through(*streaming(full=full))

    assert (client.status, client.header(b"content-type")) == (200, b"text/event-stream")
    assert client.header(b"content-length") is None
    comment, *told, last, end = [event["body"] for event in client.sent[1:]]
    assert (comment, end) == (b": working\n\n", b"")
    assert [b'"progress":%d' % number in each for number, each in enumerate(told)] == [True] * 2
    assert b'"result":{' in last
    more = [event.get("more_body", False) for event in client.sent]
    assert more == [False, True, True, True, True, False]


def test_a_client_that_has_gone_is_sent_nothing_more_and_its_call_is_cancelled() -> None:
    """In revision 2026-07-28; who leaves is noticed when there is something to send."""
    STEPS.clear()
    taken, client = streaming(version=MODERN)
    client.events.append(GONE)
    through(taken, client)

    assert [event["type"] for event in client.sent] == ["http.response.start"]
    assert STEPS == ["cancelled"]


def test_a_stream_closes_its_connection_while_the_worker_drains() -> None:
    draining = Draining()
    draining.on = True
    taken, client = streaming(draining)

    assert through(taken, client).header(b"connection") == b"close"


@pytest.mark.parametrize("path", ["/slow", "/slow_hook"])
def test_a_call_that_is_too_slow_is_a_504(path: str) -> None:
    GATE.clear()
    client = post(slow(), path, b"null", content_length="4", authorization="Bearer slow")
    GATE.set()

    assert (client.status, client.body) == (504, b'{"error":"DEADLINE_EXCEEDED"}')


def late(taken: Bridge, when: float = 1e12) -> None:
    """Look at the bodies that are on their way, as if it were later."""
    taken.hurry(when)
    for thread in threading.enumerate():
        if thread.name == "contract-late":
            thread.join(10)


def test_a_body_that_is_late_is_a_408_which_closes_the_connection() -> None:
    taken = bare()
    client = post(taken, "/echo", b'"', content_length="5")
    foreign = Client("/other", b'"', content_length="5")
    other = Bridge(echoing, (), 1)
    other.take(foreign)
    taken.hurry(0)
    assert client.sent == foreign.sent == []
    late(taken)
    late(other)
    client.asked[-1].come(part(b"abc", more=False))

    for each in (client, foreign):
        assert (each.status, each.body) == (408, b'{"error":"REQUEST_TIMEOUT"}')
        assert each.header(b"connection") == b"close"
    assert client.asked[-1].cancelled


def test_a_body_in_chunks_is_waited_for_by_nobody() -> None:
    client = post(bare(), "/echo", b'"a', transfer_encoding="chunked")
    assert (client.sent, len(client.asked)) == ([], 2)
    client.asked[-1].come(part(b'b"'))
    client.asked[-1].come(LAST)

    assert (client.status, client.body) == (200, b'"ab"')


def test_a_body_in_tiny_parts_is_kept_as_bytes() -> None:
    body = granian_bodies.Body(lambda: None, None, Limits())
    for each in b"abc":
        body.keep(bytes([each]))

    assert body.release() == b"abc"


def soon() -> float:
    """Later than a body that is not there at once, and before it is too late."""
    return monotonic() + 1


@pytest.mark.parametrize("make", [bare, in_falcon])
def test_whoever_may_not_call_is_told_so_without_a_body(make: Make) -> None:
    taken = make()
    client = post(taken, "/mine", b'"', content_length="5", authorization="Bearer bad")
    taken.hurry(0)
    assert client.sent == []
    late(taken, soon())

    assert client.status == 401
    assert client.header(b"www-authenticate") == b'Bearer realm="x", error="invalid_token"'
    assert client.asked[1].cancelled


def test_whoever_may_call_is_asked_once_and_the_call_goes_on_when_its_body_is_there() -> None:
    HOOKED.clear()
    taken = bare()
    good = {"authorization": "Bearer good"}
    slow = post(taken, "/mine", b'"', content_length="3", **good)
    chunked = post(taken, "/mine", b'"', transfer_encoding="chunked", **good)
    never = post(taken, "/mine", b'"', content_length="3", **good)
    for _ in range(2):
        late(taken, soon())
    assert slow.sent == chunked.sent == []
    slow.asked[-1].come(part(b'a"'))
    chunked.asked[-1].come(part(b'b"', more=False))
    late(taken)

    assert (slow.status, slow.body, chunked.body) == (200, b'"a"', b'"b"')
    assert (never.status, never.header(b"connection"), len(HOOKED)) == (408, b"close", 3)


@hook
def open_now(call: Call[object]) -> NotFound | None:
    return NotFound() if "x-closed" in call.headers else None


def test_a_hook_that_needs_no_body_answers_without_one() -> None:
    taken = over(WsgiApp(service_of(spec(routes=[echo.behind(open_now)]))))
    closed = post(taken, "/echo", b'"', content_length="3", x_closed="1")
    passes = post(taken, "/echo", b'"', content_length="3")
    assert closed.sent == []
    late(taken, soon())
    passes.asked[-1].come(part(b'a"'))

    assert (closed.status, closed.body) == (404, b'{"error":"NOT_FOUND"}')
    assert (passes.status, passes.body) == (200, b'"a"')


def test_a_body_that_comes_while_somebody_asks_who_calls_is_not_lost() -> None:
    taken = bare()
    client = Client("/mine", content_length="3", authorization="Bearer comes")
    COMES["comes"] = lambda: client.asked[-1].come(part(b'"a"'))
    through(taken, client)
    late(taken, soon())

    assert (client.status, client.body) == (200, b'"a"')


def plain() -> Client:
    return post(bare(), "/echo", b'"a"', content_length="3")


def slow_bearer() -> Client:
    taken = bare()
    client = post(taken, "/mine", b'"', content_length="3", authorization="Bearer good")
    late(taken, soon())
    client.asked[-1].come(part(b'a"'))
    return client


def late_message() -> Client:
    taken = bare()
    client = post(taken, "/mcp", b"{", content_length="40", accept="*/*")
    late(taken, soon())
    late(taken)
    return client


def stream() -> Client:
    return through(*streaming())


def refused_form() -> Client:
    """A connection with a part of a body that nobody reads stays open as long as its request."""
    taken = over(WsgiApp(service_of(uploaded.api, Options())))
    headers: Any = {"content-type": uploaded.FORM[1], "content-length": "40"}
    client = post(taken, "/add", b"--", **headers)
    late(taken)
    assert client.status == 408
    return client


@pytest.mark.parametrize("ask", [plain, slow_bearer, late_message, refused_form, stream])
def test_nothing_is_kept_of_a_request_that_has_been_answered(ask: Callable[[], Client]) -> None:
    """Nor do its objects hold each other: what the server gives for it would be collected with none of them."""
    gc.disable()
    try:
        client = ask()
        assert client.sent
        seen = weakref.ref(client)
        del client.proto
        for found in client.asked:
            found.then = None
        HOOKED.clear()
        del client

        assert seen() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("make", [bare, in_falcon])
def test_hooks_see_what_they_see_on_wsgi(make: Make) -> None:
    HOOKED.clear()
    post(make(), "/mine", b'"a"', content_length="3", authorization="Bearer good", x_many="1")
    [request] = HOOKED
    native = request.native

    assert (request.method, request.path, request.client) == ("POST", "/mine", "192.0.2.7")
    assert request.headers["x-many"] == "1"
    assert native is request.native
    environ = request.native.env if make is in_falcon else request.native
    assert (environ["REQUEST_METHOD"], environ["HTTP_X_MANY"]) == ("POST", "1")
    assert environ["wsgi.input"].read() == b""
    assert isinstance(request.native, falcon.Request if make is in_falcon else dict)


def test_a_call_sees_nothing_of_the_one_before() -> None:
    taken = bare()
    none = [post(taken, "/marks", content_type="", content_length="").body for _ in range(2)]
    null = [post(taken, "/marks", b"null", content_length="4").body for _ in range(2)]

    assert none == null == [b'"new"'] * 2


def test_an_app_with_middleware_is_asked_for_every_call() -> None:
    middleware = Middleware()
    app = falcon.App()
    taken = over(mount_spec(app, api).wsgi)
    before = post(taken, "/echo", b'"a"', content_length="3")
    assert middleware.asked == []
    app.add_middleware(middleware)
    after = post(taken, "/echo", b'"a"', content_length="3")

    assert (before.body, after.body, middleware.asked) == (b'"a"', b'"a"', ["/echo"])


@pytest.mark.parametrize(("rest", "status"), [([LAST], 200), ([], 408), ([GONE], 400)])
def test_no_thread_waits_for_a_form_behind_middleware(
    rest: list[dict[str, Any]], status: int
) -> None:
    middleware = Middleware()
    limits = Limits(read_seconds=0.05)  # so short that this test fails at once, where one does
    app = falcon.App(middleware=[middleware])
    taken = over(mount_spec(app, uploaded.api, max_body_bytes=50, limits=limits).wsgi)
    body = uploaded.form(uploaded.json_part(), uploaded.image(b"x" * 100_000))
    headers: Any = {"content-type": uploaded.FORM[1], "transfer-encoding": "chunked"}
    client = post(taken, "/add", body[:90_000], **headers)
    assert (middleware.asked, client.sent) == ([], [])

    spool = next(iter(taken._coming)).body.spool
    for event in (part(body[90_000:]), *rest):
        client.asked[-1].come(event)
    late(taken)

    assert (client.status, middleware.asked) == (status, ["/add"])
    assert spool is not None
    assert spool.closed


def test_replies_close_their_connections_while_the_worker_drains() -> None:
    draining = Draining()
    taken, other = bare(draining), Bridge(echoing, (), 2, draining)

    def closes() -> list[bytes | None]:
        clients = [
            post(taken, "/echo", b'"a"', content_length="3"),
            post(taken, "/echo", content_length="101"),
            post(taken, "/docs/", method="GET", content_type=""),
            post(other, "/", b"abc", content_length="3"),
            post(other, "/", b"abc", GONE, content_length="5"),
        ]
        return [client.header(b"connection") for client in clients]

    before = closes()
    draining.on = True

    assert (before, closes()) == ([None] * 5, [b"close"] * 5)


class Broken(WsgiFront):
    """A front whose app has a router that raises."""

    def answers(self, path: str) -> bool:
        raise LookupError(path)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        raise NotImplementedError

    def native(self, environ: Mapping[str, Any]) -> Any:
        raise NotImplementedError


def test_a_request_that_cannot_be_taken_is_answered_for(caplog: pytest.LogCaptureFixture) -> None:
    """And the rest of its body is read."""
    taken = over(Broken(service_of(api), Lanes(Limits())))
    clients = (
        post(taken, "/echo", b'"a"', content_length="3"),
        post(taken, "/echo", b" ", content_length="5000"),
    )

    for client in clients:
        assert (client.status, client.body) == (500, b'{"error":"INTERNAL_ERROR"}')
    assert "a request could not be taken" in caplog.text
    assert reads_on(clients[1])


def test_what_is_too_much_and_too_late_is_answered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "MOST_HELD", 3)
    taken = bare()
    client = post(taken, "/echo", b'"abcd', content_length="50")
    late(taken)

    assert (client.status, len(client.sent)) == (408, 2)


def test_the_clock_ends_the_wait_for_a_body() -> None:
    taken = bare(read_seconds=0.05)
    taken.start()
    until(lambda: taken.turns.asleep, pause=0.001)
    post(taken, "/echo", b'"a"', content_length="3")
    client = post(taken, "/echo", b'"', content_length="5")
    until(lambda: client.status)

    assert client.status == 408


def echoing(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    start_response("200 OK", [("X-Path", environ["PATH_INFO"])])
    return [environ["wsgi.input"].read()]


def test_no_key_is_kept_of_a_name_that_is_long() -> None:
    """Clients choose the names."""
    scope = Client("/").scope
    short, long = b"x-" + b"a" * 62, b"x-" + b"b" * 63
    granian_calls._short_key.cache_clear()
    environ = granian_calls.environ_of({**scope, "headers": [(short, b"1"), (long, b"2")]})

    assert (environ["HTTP_X_" + "A" * 62], environ["HTTP_X_" + "B" * 63]) == ("1", "2")
    assert granian_calls._short_key.cache_info().currsize == 1


def test_apps_of_others_get_a_whole_environ() -> None:
    seen: dict[str, Any] = {}

    def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        seen.update(environ)
        return echoing(environ, start_response)

    headers: Any = {"content_length": "3", "cookie": "a=1", "x_many": "1"}
    client = Client("/gr\u00fcn", b"abc", raw=b"/gr%C3%BCn", **headers)
    client.scope["headers"] += [(b"cookie", b"b=2"), (b"x-many", b"2")]  # type: ignore[operator]
    of(app, client)

    assert (client.status, client.body) == (200, b"abc")
    expected = {
        "PATH_INFO": "/gr\u00c3\u00bcn", "RAW_URI": "/gr%C3%BCn?a=b", "SCRIPT_NAME": "", "QUERY_STRING": "a=b",
        "HTTP_COOKIE": "a=1;b=2", "HTTP_X_MANY": "1,2", "CONTENT_LENGTH": "3",
        "SERVER_NAME": "127.0.0.1", "SERVER_PORT": "80", "REMOTE_ADDR": "192.0.2.7",
        "SERVER_PROTOCOL": "HTTP/1.1", "wsgi.url_scheme": "http", "wsgi.version": (1, 0),
    }  # fmt: skip
    assert {name: seen[name] for name in expected} == expected
    assert "PATH" not in seen


def test_a_large_body_is_read_while_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "_AHEAD", 3)
    got: list[bytes] = []

    def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        got.extend(environ["wsgi.input"])
        start_response("200 OK", [])
        return []

    client = of(app, Client("/up", b"a\nb", b"c\n", b"d", LAST, transfer_encoding="chunked"))

    assert (client.status, got) == (200, [b"a\n", b"bc\n", b"d"])


@pytest.mark.parametrize("events", [[b"abc", GONE], [b"abc"]])
def test_a_large_body_that_does_not_end_is_no_end(
    monkeypatch: pytest.MonkeyPatch, events: list[Any]
) -> None:
    monkeypatch.setattr(bridge, "_AHEAD", 3)
    monkeypatch.setattr(granian_bodies, "monotonic", iter(range(0, 10_000, 100)).__next__)
    client = of(echoing, Client("/up", *events, content_length="9"))

    assert (client.status, client.body) == (500, b'{"error":"INTERNAL_ERROR"}')


class Parts:
    def __init__(self, *parts: bytes) -> None:
        self.parts = iter(parts)
        self.closed = 0

    def __iter__(self) -> Iterator[bytes]:
        return self.parts

    def close(self) -> None:
        self.closed += 1


def giving(body: Any, *written: bytes) -> Callable[..., Any]:
    """An app that gives this *body*, after what it has *written*."""

    def app(environ: dict[str, Any], start_response: Any) -> Any:
        write = start_response("200 OK", [])
        for each in written:
            write(each)
        return body

    return app


@pytest.mark.parametrize("full", [False, True])
def test_parts_are_sent_as_they_are_made(full: bool) -> None:
    parts = Parts(b"", b"a", b"", b"b")

    client = of(giving(parts, b"written "), get(full=full))

    assert [event.get("body") for event in client.sent] == [None, b"written ", b"a", b"b", b""]
    more = [event.get("more_body") for event in client.sent]
    assert (more, parts.closed) == ([None, True, True, True, None], 1)


def passes_on(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
    """An app that sends the body back while it reads it."""
    start_response("200 OK", [])
    while read := environ["wsgi.input"].read(3):
        yield read


def test_an_app_may_answer_while_it_reads_the_whole_body(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "_AHEAD", 3)
    events: list[Any] = [b"abc", b"def", b"ghi", b"jkl", LAST, GONE]
    client = of(passes_on, Client("/up", *events, transfer_encoding="chunked"))

    assert (client.status, client.body) == (200, b"abcdefghijkl")


def test_a_body_whose_answer_comes_in_parts_has_one_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "_AHEAD", 3)
    client = of(giving(Parts(b"a", b"b")), Client("/up", b"abc", content_length="5000"))

    assert client.body == b"ab"
    assert len(client.asked) == 2, "once before the app is called, and once when it has answered"


def test_a_body_of_no_parts_is_sent_too() -> None:
    sent = of(giving(Parts(b"")), get()).sent

    assert [event.get("body") for event in sent] == [None, b""]


def test_nothing_more_is_made_for_a_client_that_has_gone() -> None:
    parts = Parts(*[b"x"] * 100)
    assert (of(giving(parts), get(LAST, GONE)).body, parts.closed) == (b"", 1)


@pytest.mark.parametrize("body", [[], [b"written"]])
def test_what_is_written_before_the_body_comes_first(body: list[bytes]) -> None:
    assert of(giving(body, b"first "), get()).body == b"first " + b"".join(body)


def raises(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    raise SystemExit


def starts_not(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    return [b"x"]


def breaks_off(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
    start_response("200 OK", [])
    yield b"x"
    raise BrokenOff("a file has become shorter")


def test_a_body_that_is_broken_off_does_not_end() -> None:
    client = get()
    told: list[BaseException] = []
    vars(client)["err"] = told.append

    of(breaks_off, client)

    assert [str(each) for each in told] == ["a file has become shorter"]
    assert client.sent[-1]["more_body"]


@pytest.mark.parametrize("app", [raises, starts_not])
def test_an_app_that_fails_is_answered_for(app: Any, caplog: pytest.LogCaptureFixture) -> None:
    client = of(app, get())

    assert (client.status, client.body) == (500, b'{"error":"INTERNAL_ERROR"}')
    assert "the app raised: GET /" in caplog.text


def test_an_app_may_change_its_mind_until_a_part_is_sent(caplog: pytest.LogCaptureFixture) -> None:
    def changes(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
        start_response("200 OK", [])
        if environ["REQUEST_METHOD"] == "PUT":
            yield b"begun"
        try:
            raise ValueError("late")
        except ValueError as error:
            start_response("500 Oh", [], (type(error), error, error.__traceback__))
        yield b"sorry"

    early = of(changes, get())
    begun = of(changes, get(method="PUT"))

    assert (early.status, early.body) == (500, b"sorry")
    assert (begun.status, begun.body) == (200, b"begun")
    assert "late" in caplog.text


def test_what_waits_behind_calls_that_do_not_end_is_told_so(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the clock, which looks; no call can begin, and none has ended for long."""
    monkeypatch.setattr(bridge, "_STUCK", 0.05)
    gate, begun = threading.Event(), threading.Event()

    def hangs(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        begun.set()
        gate.wait(10)
        start_response("200 OK", [])
        return []

    taken = Bridge(hangs, (), 1)
    taken.start()
    waiting, after = get(), get()
    threads = [
        threading.Thread(target=taken.take, args=(client,), daemon=True)
        for client in (get(), waiting)
    ]
    threads[0].start()
    assert begun.wait(10)
    threads[1].start()
    until(lambda: waiting.status)
    taken.take(after)
    until(lambda: after.status)
    gate.set()
    for thread in threads:
        thread.join(10)

    assert (waiting.status, waiting.header(b"retry-after")) == (503, b"1")
    assert caplog.text.count("all 1 threads have been busy") == 1


def test_calls_that_have_come_to_an_end_are_not_stuck(caplog: pytest.LogCaptureFixture) -> None:
    """They may do so between two looks of the clock, which then sees no turn taken."""
    taken = Bridge(echoing, (), 1)
    turns: Any = taken.turns
    turns.full = monotonic() - 60
    taken.start()
    until(lambda: turns.full is None, pause=0.001)

    assert "have been busy" not in caplog.text


def test_a_stream_of_bytes_can_be_read() -> None:
    body = granian_bodies.Body(lambda: None, None, Limits())

    assert isinstance(granian_bodies.Unread(body, b"x"), io.RawIOBase)


@pytest.mark.parametrize("path", ["/nothing", "/mine"])
def test_the_rest_of_a_refused_body_is_read_to_its_end(path: str) -> None:
    """A client that sends before it reads would get no answer, and nginx would say 502 for it."""
    client = through(bare(), Client(path, part(b"a"), part(b"b"), content_length="5000"))
    assert (client.body[:9], len(client.asked)) == (b'{"error":', 3)
    client.asked[-1].come(part(b"c"))
    client.asked[-1].come(part(b"d", more=False))

    assert len(client.asked) == 4


def test_the_rest_of_a_body_is_read_whoever_refuses_it() -> None:
    large = through(bare(), Client("/echo", part(b" " * 101), transfer_encoding="chunked"))
    bad: Any = {"content_length": "5", "authorization": "Bearer bad"}
    slow = Client("/mine", part(b'"'), **bad)
    taken = bare()
    taken.take(slow)
    late(taken, soon())
    form: Any = {"content-type": uploaded.FORM[1], "content-length": "40"}
    app = WsgiApp(service_of(uploaded.api, Options()))
    checked = through(Bridge(app, (app,), 2), Client("/mine", authorization="Bearer bad", **form))
    foreign = of(refusing, Client("/other", part(b" " * 2_000_000), content_length="3000000"))

    assert [each.status for each in (large, slow, checked, foreign)] == [413, 401, 401, 403]
    for each in (large, slow, checked, foreign):
        assert reads_on(each)


def reads_on(client: Client) -> bool:
    """Whether the rest of the body is asked for once the answer is sent, and then part by part."""
    before = len(client.asked)
    assert client.answered[-1]
    client.asked[-1].come(part(b" "))
    return len(client.asked) == before + 1


@pytest.mark.parametrize("path", ["/echo", "/nothing"])
def test_the_rest_of_a_body_is_read_of_a_request_that_names_two_hosts(path: str) -> None:
    client = Client(path, part(b" "), content_length="5000")
    client.scope["headers"] += [(b"host", b"other.example")]  # type: ignore[operator]
    through(bare(), client)

    assert client.status == 400
    assert reads_on(client)


def test_the_rest_of_a_body_that_is_too_much_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "MOST_HELD", 3)
    taken = bare()
    small = post(taken, "/echo", b'"', content_length="50")
    client = post(taken, "/echo", b'"abcd', content_length="50")
    late(taken, 0)

    assert (client.status, small.sent) == (503, [])
    assert reads_on(client)


def test_the_rest_is_read_of_a_call_that_waits_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether its body was never asked for, or its next part is on its way."""
    monkeypatch.setattr(bridge, "_STUCK", 0.05)
    gate, begun = threading.Event(), threading.Event()

    def hangs(token: str, request: Request) -> str:
        begun.set()
        gate.wait(10)
        return token

    made = spec(authenticate=hangs, routes=routes(mine))
    app = WsgiApp(service_of(made, Options(max_body_bytes=100)))
    taken = Bridge(app, (app,), 1)
    first, asked = (
        Client("/mine", b'"', content_length="9", authorization="Bearer x") for _ in range(2)
    )
    never = Client("/nothing", content_length="5000")
    taken.take(asked)
    taken.take(first)
    taken.hurry(soon())
    assert begun.wait(10)
    turns: Any = taken.turns
    turns.full = 0.0  # so that no thread rests
    taken.take(never)
    taken.start()
    until(lambda: never.asked and any(len(each.asked) > 1 for each in (first, asked)))
    gate.set()

    waited = first if asked.status is None else asked
    assert (waited.status, never.status) == (503, 503)
    assert waited.asked[-2].cancelled
    assert reads_on(waited)
    assert reads_on(never)


def refusing(_environ: Any, start_response: Any) -> list[bytes]:
    start_response("403 Forbidden", [])
    return [b"no"]


class Bell(threading.Event):
    """Notes how long the clock means to sleep."""

    rung: list[float | None]

    def wait(self, timeout: float | None = None) -> bool:
        self.rung.append(timeout)
        return super().wait(timeout)


def test_the_clock_sleeps_no_longer_while_a_rest_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client may go on for as long as it is told, and not for a second more."""
    Bell.rung = []
    with monkeypatch.context() as patched:
        patched.setattr(threading, "Event", Bell)
        taken = Bridge(WsgiApp(service_of(api, Options())), (), 2, None, 0.3)
    taken.start()
    until(lambda: taken.turns.asleep, pause=0.001)
    before = len(Bell.rung)
    client = Client("/nothing", content_length="50", host="")
    taken.take(client)
    until(lambda: client.asked[-1].cancelled, pause=0.001)
    assert (client.status, Bell.rung[before:][0]) == (400, 0.2)


def test_thousands_of_parts_that_are_there_are_read_one_after_the_other() -> None:
    client = Client("/nothing", *[part(b"a") for _ in range(5000)], content_length="5001")
    through(bare(), client)

    assert (client.status, len(client.asked)) == (404, 5001)


def test_who_goes_on_with_a_refused_body_for_too_long_is_not_read() -> None:
    taken = bare()
    client, gone = (Client("/nothing", content_length="50") for _ in range(2))
    taken.take(client)
    taken.take(gone)
    gone.asked[-1].come(GONE)
    taken.hurry(monotonic() + 9)
    assert not client.asked[-1].cancelled
    taken.hurry(monotonic() + 11)
    client.asked[-1].come(part(b"too late"))

    assert [each.asked[-1].cancelled for each in (client, gone)] == [True, False]
    assert [len(each.asked) for each in (client, gone)] == [1, 1]


def test_a_part_that_comes_as_its_body_is_given_up_is_left_alone() -> None:
    """The clock finds nothing to cancel, since another thread has just taken what came."""
    left = granian_bodies.Leftovers(-1)
    client = Client("/nothing", content_length="50")
    left.read(client.receive)
    [found] = client.asked

    def meanwhile() -> dict[str, Any]:
        left.hurry(monotonic())
        return part(b"", more=False)

    found.result = meanwhile  # type: ignore[method-assign]
    found.come(part(b""))

    assert not found.cancelled


def test_a_body_that_is_given_up_between_two_parts_is_read_no_further() -> None:
    """The clock finds no request to cancel: one part was taken, and the next is not asked for yet."""
    taken, asking = (Client("/nothing", content_length="50") for _ in range(2))
    left = granian_bodies.Leftovers(-1)
    left.read(taken.receive)
    [found] = taken.asked

    def meanwhile() -> dict[str, Any]:
        left.hurry(monotonic())
        return part(b"")

    found.result = meanwhile  # type: ignore[method-assign]
    found.come(part(b""))

    def receive() -> Any:
        left.hurry(monotonic())
        return asking.receive()

    left.read(receive)

    assert (len(taken.asked), [each.cancelled for each in asking.asked]) == (1, [True])


@pytest.mark.parametrize("path", ["/echo", "/contract.json", "/nothing"])
@rows(
    "hosts, version, is_wrong",
    (("shop.example",), "1.1", False),
    (("shop.example", "shop.example"), "1.1", True),
    (("shop.example", "other.example"), "1.1", True),
    (("shop.example", "other.example"), "1", True),
    ((), "1.1", True),
    ((), "1", False),
    (("",), "1.1", True),
    (("",), "1", False),
)
def test_a_request_names_one_host(
    hosts: tuple[str, ...], version: str, is_wrong: bool, path: str
) -> None:
    """RFC 9112, section 3.2."""
    client = Client(path, part(b'"ab"', more=False), host="", content_length="4")
    client.scope["http_version"] = version
    named = [(b"host", host.encode()) for host in hosts]
    client.scope["headers"] += [*named, (b"x-more", b"1"), (b"x-more", b"2")]  # type: ignore[operator]
    through(bare(), client)

    assert (b"Send the header Host" in client.body) is is_wrong
    assert (client.status == 400 and client.header(b"connection") == b"close") is is_wrong
