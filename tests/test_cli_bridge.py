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

from contract import (
    Call,
    Meta,
    NotFound,
    Request,
    current_call,
    hook,
    mount_spec,
    progress,
    route,
    routes,
    spec,
)
from contract.adapters.mount import service_of
from contract.adapters.pool import Lanes
from contract.adapters.wsgi import WsgiApp, WsgiFront
from contract.call.message import BrokenOff
from contract.call.mount_options import Limits, Options
from contract.cli import bridge, granian_bodies, granian_calls
from contract.cli.bridge import Bridge
from contract.cli.signals import Draining
from contract.cli.turns import Turns
from tests import uploaded


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


GONE = {"type": "http.disconnect"}


class Client:
    """A request, and what is sent for it; stands for granian's watcher and its protocol."""

    def __init__(
        self,
        path: str,
        *events: dict[str, Any],
        method: str = "POST",
        full: bool = False,
        raw: bytes | None = None,
        **headers: str,
    ) -> None:
        given = {"host": "shop.example", "content-type": "application/json", **headers}
        self.events = [*events]
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


def slow() -> Bridge:
    made = spec(authenticate=hangs, routes=routes(slow_route, slow_hook))
    app = WsgiApp(service_of(made, Options(limits=Limits(deadline_seconds=0.05))))
    return Bridge(app, (app,), 2)


def bare(**limits: Any) -> Bridge:
    app = WsgiApp(service_of(api, Options(max_body_bytes=100, limits=Limits(**limits))))
    return Bridge(app, (app,), 2)


def in_falcon() -> Bridge:
    mount = mount_spec(falcon.App(), api)
    return Bridge(mount.wsgi, (mount.wsgi,), 2)


def behind_middleware() -> Bridge:
    class Middleware:
        def process_request(self, req: falcon.Request, resp: falcon.Response) -> None: ...

    mount = mount_spec(falcon.App(middleware=[Middleware()]), api)
    return Bridge(mount.wsgi, (mount.wsgi,), 2)


served = bare


def through(taken: Bridge, client: Client) -> Client:
    taken.take(client)
    return client


def of(app: Any, client: Client) -> Client:
    return through(Bridge(app, (), 2), client)


def test_a_call_is_answered_when_its_body_is_there() -> None:
    client = through(served(), Client("/echo", part(b'"ab'), part(b'c"'), content_length="5"))

    assert (client.status, client.body, client.header(b"content-length")) == (200, b'"abc"', b"5")
    assert len(client.asked) == 2, "the event that says that there is no more is not waited for"


@pytest.mark.parametrize(
    ("client", "unread"),
    [
        (Client("/echo", part(b'"a"'), content_length="3"), False),
        (Client("/echo", part(b" " * 101), transfer_encoding="chunked"), True),
        (Client("/echo", content_length="101"), True),
        (Client("/mine", transfer_encoding="chunked"), True),
        (Client("/mine"), False),
        (Client("/nothing", content_length="5"), True),
        (Client("/nothing"), False),
    ],
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
    through(served(), client)

    assert seen == [unread]


@pytest.mark.parametrize(("raw", "status"), [("/v1/%65cho", 200), ("/v1%2Fecho", 404)])
def test_a_route_is_found_by_its_path_however_that_is_sent(raw: str, status: int) -> None:
    app = WsgiApp(service_of(api, Options(prefix="/v1")))
    client = Client("/v1/echo", part(b'"a"'), raw=raw.encode(), content_length="3")

    assert through(Bridge(app, (app,), 2), client).status == status


def test_a_body_in_chunks_ends_where_the_server_says() -> None:
    client = through(
        served(),
        Client("/echo", part(b'"abc"'), part(b"", more=False), transfer_encoding="chunked"),
    )
    broken = through(served(), Client("/echo", part(b'"abc"'), GONE, transfer_encoding="chunked"))
    large = through(served(), Client("/echo", part(b" " * 101), transfer_encoding="chunked"))

    assert (client.status, client.body) == (200, b'"abc"')
    assert (broken.status, b"went away" in broken.body) == (400, True)
    assert large.status == 413


@pytest.mark.parametrize(
    ("client", "status"),
    [
        (Client("/mine", content_length="5"), 401),
        (Client("/nothing", content_length="5"), 404),
        (Client("/echo", content_length="101"), 413),
        (Client("/echo", content_length="5", content_type="text/plain"), 415),
        (Client("/echo", content_length="x"), 400),
        (Client("/echo", content_length="5", method="PUT"), 405),
        (Client("/echo", content_length=""), 400),
        (Client("/mcp", content_length="101"), 413),
        (Client("/mcp", content_length="x"), 400),
    ],
)
def test_what_needs_no_body_is_answered_without_one(client: Client, status: int) -> None:
    through(served(), client)

    assert (client.status, client.asked) == (status, [])


def test_what_may_need_its_body_waits_for_it() -> None:
    client = through(
        served(), Client("/mine", part(b'"a"'), content_length="3", authorization="Bearer good")
    )

    assert (client.status, client.body) == (200, b'"a"')


@pytest.mark.parametrize("make", [bare, in_falcon, behind_middleware])
def test_messages_of_mcp_clients_are_answered_when_they_are_there(
    make: Callable[..., Bridge],
) -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    client = through(make(), Client("/mcp", part(body[:9]), content_length="40", accept="*/*"))
    assert (client.sent, len(client.asked)) == ([], 2)
    client.asked[-1].come(part(body[9:]))

    assert (client.status, client.body) == (200, b'{"jsonrpc":"2.0","id":1,"result":{}}')


def test_a_page_that_may_not_come_is_told_so_without_its_message() -> None:
    taken = served()
    client = through(
        taken,
        Client(
            "/mcp", part(b"{"), content_length="40", accept="*/*", origin="https://evil.example"
        ),
    )
    late(taken, soon())

    assert (client.status, client.asked[-1].cancelled) == (403, True)


def streaming(
    draining: Draining | None = None, *, full: bool = False, version: str = "2025-06-18"
) -> tuple[Bridge, Client]:
    """A call of the tool "count", which tells of its progress."""
    app = WsgiApp(spec(routes=routes(count)))
    meta: dict[str, Any] = {"progressToken": 1}
    if version == MODERN:
        meta |= {
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {},
        }
    params = {"name": "count", "arguments": {}, "_meta": meta}
    body = orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    client = Client("/mcp", part(body), full=full, content_length=str(len(body)), accept="text/event-stream, application/json",
        mcp_protocol_version=version, mcp_method="tools/call", mcp_name="count")  # fmt: skip
    return Bridge(app, (app,), 2, draining), client


@pytest.mark.parametrize("full", [False, True])
def test_progress_is_sent_as_it_is_made(full: bool) -> None:
    taken, client = streaming(full=full)
    through(taken, client)

    assert (client.status, client.header(b"content-type"), client.header(b"content-length")) == (
        200,
        b"text/event-stream",
        None,
    )
    comment, *told, last, end = [event["body"] for event in client.sent[1:]]
    assert (comment, end) == (b": working\n\n", b"")
    assert [b'"progress":%d' % number in each for number, each in enumerate(told)] == [True] * 2
    assert b'"result":{' in last
    assert [event.get("more_body", False) for event in client.sent] == [
        False,
        True,
        True,
        True,
        True,
        False,
    ]


def test_a_client_that_has_gone_is_sent_nothing_more_and_its_call_is_cancelled() -> None:
    """In revision 2026-07-28; who leaves is noticed when there is something to send."""
    STEPS.clear()
    taken, client = streaming(version=MODERN)
    client.events.append(GONE)
    through(taken, client)

    assert ([event["type"] for event in client.sent], STEPS) == (
        ["http.response.start"],
        ["cancelled"],
    )


def test_a_stream_closes_its_connection_while_the_worker_drains() -> None:
    draining = Draining()
    draining.on = True
    taken, client = streaming(draining)

    assert through(taken, client).header(b"connection") == b"close"


@pytest.mark.parametrize("path", ["/slow", "/slow_hook"])
def test_a_call_that_is_too_slow_is_a_504(path: str) -> None:
    GATE.clear()
    client = through(
        slow(), Client(path, part(b"null"), content_length="4", authorization="Bearer slow")
    )
    GATE.set()

    assert (client.status, client.body) == (504, b'{"error":"DEADLINE_EXCEEDED"}')


def late(taken: Bridge, when: float = 1e12) -> None:
    """Look at the bodies that are on their way, as if it were later."""
    taken.hurry(when)
    for thread in threading.enumerate():
        if thread.name == "contract-late":
            thread.join(10)


def test_a_body_that_is_late_is_a_408_which_closes_the_connection() -> None:
    taken = served()
    client = through(taken, Client("/echo", part(b'"'), content_length="5"))
    foreign = Client("/other", part(b'"'), content_length="5")
    other = Bridge(echoing, (), 1)
    other.take(foreign)
    taken.hurry(0)
    assert client.sent == foreign.sent == []
    late(taken)
    late(other)
    client.asked[-1].come(part(b"abc", more=False))

    for each in (client, foreign):
        assert (each.status, each.body, each.header(b"connection")) == (
            408,
            b'{"error":"REQUEST_TIMEOUT"}',
            b"close",
        )
    assert client.asked[-1].cancelled


def test_a_body_in_chunks_is_waited_for_by_nobody() -> None:
    client = through(served(), Client("/echo", part(b'"a'), transfer_encoding="chunked"))
    assert (client.sent, len(client.asked)) == ([], 2)
    client.asked[-1].come(part(b'b"'))
    client.asked[-1].come(part(b"", more=False))

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
def test_whoever_may_not_call_is_told_so_without_a_body(make: Callable[..., Bridge]) -> None:
    taken = make()
    client = through(
        taken, Client("/mine", part(b'"'), content_length="5", authorization="Bearer bad")
    )
    taken.hurry(0)
    assert client.sent == []
    late(taken, soon())

    assert (client.status, client.header(b"www-authenticate")) == (
        401,
        b'Bearer realm="x", error="invalid_token"',
    )
    assert client.asked[-1].cancelled


def test_whoever_may_call_is_asked_once_and_the_call_goes_on_when_its_body_is_there() -> None:
    HOOKED.clear()
    taken = served()
    slow = through(
        taken, Client("/mine", part(b'"'), content_length="3", authorization="Bearer good")
    )
    chunked = through(
        taken, Client("/mine", part(b'"'), transfer_encoding="chunked", authorization="Bearer good")
    )
    never = through(
        taken, Client("/mine", part(b'"'), content_length="3", authorization="Bearer good")
    )
    for _ in range(2):
        late(taken, soon())
    assert slow.sent == chunked.sent == []
    slow.asked[-1].come(part(b'a"'))
    chunked.asked[-1].come(part(b'b"', more=False))
    late(taken)

    assert (slow.status, slow.body, chunked.body) == (200, b'"a"', b'"b"')
    assert (never.status, never.header(b"connection")) == (408, b"close")
    assert len(HOOKED) == 3


@hook
def open_now(call: Call[object]) -> NotFound | None:
    return NotFound() if "x-closed" in call.headers else None


def test_a_hook_that_needs_no_body_answers_without_one() -> None:
    app = WsgiApp(service_of(spec(routes=[echo.behind(open_now)])))
    taken = Bridge(app, (app,), 2)
    closed = through(taken, Client("/echo", part(b'"'), content_length="3", x_closed="1"))
    passes = through(taken, Client("/echo", part(b'"'), content_length="3"))
    assert closed.sent == []
    late(taken, soon())
    passes.asked[-1].come(part(b'a"'))

    assert (closed.status, closed.body) == (404, b'{"error":"NOT_FOUND"}')
    assert (passes.status, passes.body) == (200, b'"a"')


def test_a_body_that_comes_while_somebody_asks_who_calls_is_not_lost() -> None:
    taken = served()
    client = Client("/mine", content_length="3", authorization="Bearer comes")
    COMES["comes"] = lambda: client.asked[-1].come(part(b'"a"'))
    through(taken, client)
    late(taken, soon())

    assert (client.status, client.body) == (200, b'"a"')


def plain() -> Client:
    return through(served(), Client("/echo", part(b'"a"'), content_length="3"))


def slow_bearer() -> Client:
    taken = served()
    client = through(
        taken, Client("/mine", part(b'"'), content_length="3", authorization="Bearer good")
    )
    late(taken, soon())
    client.asked[-1].come(part(b'a"'))
    return client


def late_message() -> Client:
    taken = served()
    client = through(taken, Client("/mcp", part(b"{"), content_length="40", accept="*/*"))
    late(taken, soon())
    late(taken)
    return client


def stream() -> Client:
    return through(*streaming())


def refused_form() -> Client:
    """A connection with a part of a body that nobody reads stays open as long as its request."""
    app = WsgiApp(service_of(uploaded.api, Options()))
    headers: Any = {"content-type": uploaded.FORM[1], "content-length": "40"}
    client = Client("/add", part(b"--"), **headers)
    taken = Bridge(app, (app,), 2)
    through(taken, client)
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
def test_hooks_see_what_they_see_on_wsgi(make: Callable[..., Bridge]) -> None:
    HOOKED.clear()
    through(
        make(),
        Client("/mine", part(b'"a"'), content_length="3", authorization="Bearer good", x_many="1"),
    )
    [request] = HOOKED
    native = request.native

    assert (request.method, request.path, request.client, request.headers["x-many"]) == (
        "POST",
        "/mine",
        "192.0.2.7",
        "1",
    )
    assert native is request.native
    environ = native.env if make is in_falcon else native
    assert (environ["REQUEST_METHOD"], environ["HTTP_X_MANY"], environ["wsgi.input"].read()) == (
        "POST",
        "1",
        b"",
    )
    assert isinstance(native, falcon.Request if make is in_falcon else dict)


def test_a_call_sees_nothing_of_the_one_before() -> None:
    taken = served()
    bodies = [
        through(taken, Client("/marks", content_type="", content_length="")).body for _ in range(2)
    ]
    bodies += [
        through(taken, Client("/marks", part(b"null"), content_length="4")).body for _ in range(2)
    ]

    assert bodies == [b'"new"'] * 4


def test_an_app_with_middleware_is_asked_for_every_call() -> None:
    asked: list[str] = []

    class Middleware:
        def process_request(self, req: falcon.Request, resp: falcon.Response) -> None:
            asked.append(req.path)

    app = falcon.App()
    mount = mount_spec(app, api)
    taken = Bridge(mount.wsgi, (mount.wsgi,), 2)
    before = through(taken, Client("/echo", part(b'"a"'), content_length="3"))
    assert asked == []
    app.add_middleware(Middleware())
    after = through(taken, Client("/echo", part(b'"a"'), content_length="3"))

    assert (before.body, after.body, asked) == (b'"a"', b'"a"', ["/echo"])


@pytest.mark.parametrize(
    ("rest", "status"), [([part(b"", more=False)], 200), ([], 408), ([GONE], 400)]
)
def test_no_thread_waits_for_a_form_behind_middleware(
    rest: list[dict[str, Any]], status: int
) -> None:
    asked: list[str] = []

    class Middleware:
        def process_request(self, req: falcon.Request, resp: falcon.Response) -> None:
            asked.append(req.path)

    app = falcon.App(middleware=[Middleware()])
    limits = Limits(read_seconds=0.05)  # so short that this test fails at once, where one does
    mount = mount_spec(app, uploaded.api, max_body_bytes=50, limits=limits)
    taken = Bridge(mount.wsgi, (mount.wsgi,), 2)
    body = uploaded.form(uploaded.json_part(), uploaded.image(b"x" * 100_000))
    headers: Any = {"content-type": uploaded.FORM[1], "transfer-encoding": "chunked"}
    client = through(taken, Client("/add", part(body[:90_000]), **headers))
    assert (asked, client.sent) == ([], [])

    spool = next(iter(taken._coming)).body.spool
    client.asked[-1].come(part(body[90_000:]))
    for event in rest:
        client.asked[-1].come(event)
    late(taken)

    assert (client.status, asked, spool and spool.closed) == (status, ["/add"], True)


def test_replies_close_their_connections_while_the_worker_drains() -> None:
    draining = Draining()
    app = WsgiApp(service_of(api, Options(max_body_bytes=100)))
    taken, other = Bridge(app, (app,), 2, draining), Bridge(echoing, (), 2, draining)

    def closes() -> list[bytes | None]:
        clients = [
            through(taken, Client("/echo", part(b'"a"'), content_length="3")),
            through(taken, Client("/echo", content_length="101")),
            through(taken, Client("/docs/", method="GET", content_type="")),
            through(other, Client("/", part(b"abc"), content_length="3")),
            through(other, Client("/", part(b"abc"), GONE, content_length="5")),
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
    front = Broken(service_of(api), Lanes(Limits()))
    client = through(Bridge(front, (front,), 2), Client("/echo", part(b'"a"'), content_length="3"))

    assert (client.status, client.body) == (500, b'{"error":"INTERNAL_ERROR"}')
    assert "a request could not be taken" in caplog.text


def test_bodies_that_are_too_much_together_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "MOST_HELD", 3)
    taken = served()
    small = through(taken, Client("/echo", part(b'"'), content_length="50"))
    large = through(taken, Client("/echo", part(b'"abcd'), content_length="50"))
    late(taken, 0)
    assert (large.status, small.sent) == (503, [])
    late(taken)


def test_what_is_too_much_and_too_late_is_answered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "MOST_HELD", 3)
    taken = served()
    client = through(taken, Client("/echo", part(b'"abcd'), content_length="50"))
    late(taken)

    assert (client.status, len(client.sent)) == (408, 2)


def test_the_clock_ends_the_wait_for_a_body() -> None:
    taken = served(read_seconds=0.05)
    taken.start()
    while not taken.turns.asleep:
        threading.Event().wait(0.001)
    through(taken, Client("/echo", part(b'"a"'), content_length="3"))
    client = through(taken, Client("/echo", part(b'"'), content_length="5"))
    while client.status is None:
        threading.Event().wait(0.01)

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

    assert environ["HTTP_X_" + "A" * 62] == "1"
    assert environ["HTTP_X_" + "B" * 63] == "2"
    assert granian_calls._short_key.cache_info().currsize == 1


def test_apps_of_others_get_a_whole_environ() -> None:
    seen: dict[str, Any] = {}

    def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        seen.update(environ)
        return echoing(environ, start_response)

    client = Client(
        "/gr\u00fcn", part(b"abc"), raw=b"/gr%C3%BCn", content_length="3", cookie="a=1", x_many="1"
    )
    client.scope["headers"] += [(b"cookie", b"b=2"), (b"x-many", b"2")]  # type: ignore[operator]
    of(app, client)

    assert (client.status, client.body) == (200, b"abc")
    assert (seen["PATH_INFO"], seen["RAW_URI"], seen["QUERY_STRING"]) == (
        "/gr\u00c3\u00bcn",
        "/gr%C3%BCn?a=b",
        "a=b",
    )
    assert (seen["HTTP_COOKIE"], seen["HTTP_X_MANY"], seen["CONTENT_LENGTH"]) == (
        "a=1;b=2",
        "1,2",
        "3",
    )
    assert (seen["SERVER_NAME"], seen["SERVER_PORT"], seen["REMOTE_ADDR"], seen["SCRIPT_NAME"]) == (
        "127.0.0.1",
        "80",
        "192.0.2.7",
        "",
    )
    assert (seen["SERVER_PROTOCOL"], seen["wsgi.url_scheme"], seen["wsgi.version"]) == (
        "HTTP/1.1",
        "http",
        (1, 0),
    )
    assert "PATH" not in seen


def test_a_large_body_is_read_while_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "_AHEAD", 3)
    got: list[bytes] = []

    def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        got.extend(environ["wsgi.input"])
        start_response("200 OK", [])
        return []

    client = of(
        app,
        Client(
            "/up",
            part(b"a\nb"),
            part(b"c\n"),
            part(b"d"),
            part(b"", more=False),
            transfer_encoding="chunked",
        ),
    )

    assert (client.status, got) == (200, [b"a\n", b"bc\n", b"d"])


@pytest.mark.parametrize("events", [[part(b"abc"), GONE], [part(b"abc")]])
def test_a_large_body_that_does_not_end_is_no_end(
    monkeypatch: pytest.MonkeyPatch, events: list[dict[str, Any]]
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


@pytest.mark.parametrize("full", [False, True])
def test_parts_are_sent_as_they_are_made(full: bool) -> None:
    parts = Parts(b"", b"a", b"", b"b")

    def app(environ: dict[str, Any], start_response: Any) -> Parts:
        write = start_response("200 OK", [])
        write(b"written ")
        return parts

    client = of(app, Client("/", full=full, method="GET", content_type=""))

    assert [event.get("body") for event in client.sent] == [None, b"written ", b"a", b"b", b""]
    assert ([event.get("more_body") for event in client.sent], parts.closed) == (
        [None, True, True, True, None],
        1,
    )


def test_a_body_of_no_parts_is_sent_too() -> None:
    def app(environ: dict[str, Any], start_response: Any) -> Parts:
        start_response("200 OK", [])
        return Parts(b"")

    assert [
        event.get("body") for event in of(app, Client("/", method="GET", content_type="")).sent
    ] == [None, b""]


def test_nothing_more_is_made_for_a_client_that_has_gone() -> None:
    parts = Parts(*[b"x"] * 100)

    def app(environ: dict[str, Any], start_response: Any) -> Parts:
        start_response("200 OK", [])
        return parts

    client = of(app, Client("/", part(b"", more=False), GONE, method="GET", content_type=""))

    assert (client.body, parts.closed) == (b"", 1)


@pytest.mark.parametrize("body", [[], [b"written"]])
def test_what_is_written_before_the_body_comes_first(body: list[bytes]) -> None:
    def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        start_response("200 OK", [])(b"first ")
        return body

    assert of(app, Client("/", method="GET", content_type="")).body == b"first " + b"".join(body)


def raises(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    raise SystemExit


def starts_not(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    return [b"x"]


def breaks_off(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
    start_response("200 OK", [])
    yield b"x"
    raise BrokenOff("a file has become shorter")


def test_a_body_that_is_broken_off_does_not_end() -> None:
    client = Client("/", method="GET", content_type="")
    told: list[BaseException] = []
    vars(client)["err"] = told.append

    of(breaks_off, client)

    assert [str(each) for each in told] == ["a file has become shorter"]
    assert client.sent[-1]["more_body"]


@pytest.mark.parametrize("app", [raises, starts_not])
def test_an_app_that_fails_is_answered_for(app: Any, caplog: pytest.LogCaptureFixture) -> None:
    client = of(app, Client("/", method="GET", content_type=""))

    assert (client.status, client.body) == (500, b'{"error":"INTERNAL_ERROR"}')
    assert "the app raised: GET /" in caplog.text


def test_an_app_may_change_its_mind_until_something_is_sent(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def changes(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
        start_response("200 OK", [])
        if environ["REQUEST_METHOD"] == "PUT":
            yield b"begun"
        try:
            raise ValueError("late")
        except ValueError as error:
            start_response("500 Oh", [], (type(error), error, error.__traceback__))
        yield b"sorry"

    early = of(changes, Client("/", method="GET", content_type=""))
    begun = of(changes, Client("/", method="PUT", content_type=""))

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
    waiting = Client("/", method="GET", content_type="")
    threads = [
        threading.Thread(
            target=taken.take, args=(Client("/", method="GET", content_type=""),), daemon=True
        )
    ]
    threads[0].start()
    assert begun.wait(10)
    threads.append(threading.Thread(target=taken.take, args=(waiting,), daemon=True))
    threads[1].start()
    while waiting.status is None:
        threading.Event().wait(0.01)
    after = Client("/", method="GET", content_type="")
    taken.take(after)
    while after.status is None:
        threading.Event().wait(0.01)
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
    for _ in range(2_000):
        if turns.full is None:
            break
        threading.Event().wait(0.001)

    assert turns.full is None
    assert "have been busy" not in caplog.text


def test_a_stream_of_bytes_can_be_read() -> None:
    assert isinstance(
        granian_bodies.Unread(granian_bodies.Body(lambda: None, None, Limits()), b"x"), io.RawIOBase
    )
