"""Loop calls: what an ASGI app and a service may do on a worker's event loop, and what clients get of it."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Callable
from contextvars import ContextVar
from functools import partial
from typing import Any

import falcon.asgi
import pytest

from contract import (
    Cache,
    Limits,
    Request,
    Stream,
    after_commit,
    current_call,
    mount_spec,
    route,
    routes,
    spec,
)
from contract.adapters.asgi import AsgiApp, AsgiFront
from contract.adapters.asgi_calls import begin
from contract.adapters.mount import service_of
from contract.call.mount_options import Options
from contract.cli import loop_calls
from contract.cli.asgi_server import Server
from contract.cli.bounds import STALLED
from contract.cli.loop_connections import LoopConnection
from contract.cli.signals import Draining
from tests.http_requests import (
    CHUNKED,
    CLOSE,
    INVALID,
    JSON,
    LAST,
    LENGTH,
    bearer,
    body_of,
    chunk,
    get,
    length,
    post,
    sent,
    status_of,
)
from tests.served_on_loop import GATE, App, called, echo, peer, rest_of, serving, until
from tests.tables import rows

GET = get(b"/", CLOSE)
OLD = b"GET / HTTP/1.0\r\nHost: x\r\n\r\n"
HEAD = post(b"/", CLOSE, method=b"HEAD")
FAILED = b'{"error":"INTERNAL_ERROR"}'

Headers = tuple[tuple[bytes, bytes], ...]


def start(*headers: tuple[bytes, bytes], status: int = 200) -> dict[str, Any]:
    return {"type": "http.response.start", "status": status, "headers": [*headers]}


def part(body: bytes) -> dict[str, Any]:
    """A part of an answer, after which more comes."""
    return {"type": "http.response.body", "body": body, "more_body": True}


def last(body: bytes = b"") -> dict[str, Any]:
    return {"type": "http.response.body", "body": body}


def saying(*events: dict[str, Any]) -> App:
    """An app that sends these *events*."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        for event in events:
            await send(event)

    return only_http(app)


def only_http(app: App) -> App:
    """The *app*, which knows nothing of its worker's life."""

    async def asked(scope: Any, receive: Any, send: Any) -> None:
        assert scope["type"] == "http"
        await app(scope, receive, send)

    return asked


SIZE = 20_000_000
"""Far more than the kernel keeps for a client that takes nothing."""
LARGE = saying(start((b"content-length", b"%d" % SIZE)), last(b"x" * SIZE))


async def answer_of(app: App, data: bytes = GET) -> tuple[bytes, bytes]:
    """The head, in lower case, and the body of what *app* answers to a request that closes."""
    async with serving(app) as (_, port):
        answer = await rest_of(port, data)
    head, _, body = answer.partition(b"\r\n\r\n")
    return head.lower() + b"\r\n", body


def length_in(head: bytes) -> list[bytes]:
    return [line[16:] for line in head.split(b"\r\n") if line.startswith(b"content-length: ")]


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was logged of exceptions."""
    return [record.message for record in caplog.records if record.name == "contract.errors"]


# What an app is given.


async def test_apps_get_a_whole_scope() -> None:
    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope)
        await echo(scope, receive, send)

    async with serving(only_http(app)) as (_, port), peer(port) as each:
        await each.ask(post(b"/gr%C3%BCn%2Fn?a=%20b", b"X-Many: 1", b"x-many: 2"))
        own = each.writer.get_extra_info("sockname")

    assert seen == [
        {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": "/gr\u00fcn/n",
            "raw_path": b"/gr%C3%BCn%2Fn",
            "query_string": b"a=%20b",
            "root_path": "",
            "headers": [(b"host", b"x"), (b"x-many", b"1"), (b"x-many", b"2")],
            "client": own,
            "server": ("127.0.0.1", port),
            "state": {},
        }
    ]


@rows("target, path", (b"http://x/a", "/a"), (b"http://x?a=b", "/"))
async def test_a_target_may_name_its_host(target: bytes, path: str) -> None:
    """RFC 9112, section 3.2.2; the host that counts is in the header."""
    seen: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["path"])
        await echo(scope, receive, send)

    async with serving(only_http(app)) as (_, port):
        answer = await rest_of(port, post(target, CLOSE))

    assert (status_of(answer), seen) == (200, [path])


# What it answers.


@rows(
    "events, data, told, sent",
    ((start(), last(b"body")), GET, [], chunk(b"body") + chunk(b"")),
    ((start(), part(b"bo"), last(b"dy")), GET, [], chunk(b"bo") + chunk(b"dy") + chunk(b"")),
    ((start(), part(b""), part(b"body"), last()), GET, [], chunk(b"body") + chunk(b"")),
    ((start(), last()), GET, [], chunk(b"")),
    ((start(), last(b"body")), OLD, [], b"body"),
    ((start(), part(b"bo"), last(b"dy")), OLD, [], b"body"),
    ((start(), part(b"bo"), last(b"dy")), HEAD, [], b""),
    ((start((b"Content-Length", b"4")), last(b"body")), GET, [b"4"], b"body"),
    ((start((b"Content-Length", b"9")), last(b"body")), GET, [b"4"], b"body"),
    ((start((b"content-length", b"2")), last(b"body")), GET, [b"4"], b"body"),
    ((start((b"content-length", b"9")), last()), HEAD, [b"9"], b""),
    ((start((b"content-length", b"4")), last(b"body")), HEAD, [b"4"], b""),
    ((start((b"content-length", b"4")), part(b"bo"), last(b"dy")), HEAD, [b"4"], b""),
    ((start((b"content-length", b"4")), part(b"bo"), last(b"dy")), GET, [b"4"], b"body"),
    ((start((b"content-length", b"4")), part(b"bo"), last(b"dy")), OLD, [b"4"], b"body"),
    ((start((b"content-length", b"4")), part(b"bo"), last(b"dyandmore")), GET, [b"4"], b"body"),
    ((start((b"content-length", b"4")), part(b"body"), last(b"more")), GET, [b"4"], b"body"),
    ((start((b"content-length", b"4")), part(b"bo"), last()), GET, [b"4"], b"bo"),
)
async def test_an_answer_has_a_length_or_chunks(
    events: Any, data: bytes, told: list[bytes], sent: bytes
) -> None:
    head, body = await answer_of(saying(*events), data)

    assert (length_in(head), body) == (told, sent)
    assert (b"\r\ntransfer-encoding: chunked\r\n" in head) is (sent[-5:] == chunk(b""))


async def test_a_large_answer_is_sent_as_it_is() -> None:
    body = b"x" * 1_000_000
    head, found = await answer_of(saying(start((b"content-length", b"1000000")), last(body)))

    assert length_in(head) == [b"1000000"]
    assert found == body


@rows("events", (last(b"body"),), (part(b"bo"), last(b"dy")))
@rows("headers, told", ((), []), (((b"Content-Length", b"4"),), [b"4"]))
@rows("status", 204, 304)
async def test_an_answer_that_has_no_body_is_sent_without_one(
    status: int, headers: Headers, told: list[bytes], events: Any
) -> None:
    """A 204 has no length either (RFC 9110, section 8.6); that of a 304 is that of the 200."""
    app = saying(start(*headers, status=status), *events)
    async with serving(app) as (_, port), peer(port, get(b"/") + LAST) as each:
        heads = [(await each.head()).lower() for _ in range(2)]
        rest = await each.rest()

    assert rest == b""
    for head in heads:
        assert status_of(head) == status
        assert length_in(head) == (told if status == 304 else [])
        assert b"transfer-encoding" not in head


@rows(
    "events",
    (start(), part(b"a"), last(b"b")),
    (start((b"content-length", b"2")), part(b"a"), last(b"b")),
    (start((b"content-length", b"2")), last(b"ab")),
)
async def test_the_connection_of_a_whole_answer_is_kept(events: Any) -> None:
    async with serving(saying(*events)) as (server, port), peer(port) as each:
        found = [body_of(await each.ask(get(b"/"))) for _ in range(3)]
        assert len(server.connections) == 1

    assert found == [b"ab"] * 3


@rows(
    "events, data",
    ((start((b"content-length", b"4")), part(b"bo"), last()), get(b"/")),
    ((start(), last(b"x")), b"GET / HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n"),
    ((start((b"Connection", b"Close")), last(b"x")), get(b"/")),
)
async def test_the_connection_of_an_answer_that_does_not_end_is_closed(
    events: Any, data: bytes
) -> None:
    async with serving(saying(*events)) as (server, port):
        answer = await rest_of(port, data + post(b"/next"))
        await until(lambda: not server.connections)

    assert answer.count(b"HTTP/1.1") == 1


async def test_headers_that_are_the_servers_own_are_dropped() -> None:
    own = ((b"Keep-Alive", b"timeout=9"), (b"Upgrade", b"h2c"), (b"Transfer-Encoding", b"gzip"))
    head, _ = await answer_of(saying(start(*own, (b"TE", b"a"), (b"Date", b"then")), last()))

    assert b"\r\nte: a\r\n" in head
    assert [line for line in head.split(b"\r\n") if line.startswith(b"date:")] == [b"date: then"]
    for name in (b"keep-alive", b"upgrade", b"gzip"):
        assert name not in head


async def test_a_status_that_nobody_knows_is_passed_on() -> None:
    head, _ = await answer_of(saying(start(status=599), last()))

    assert head.startswith(b"http/1.1 599 unknown\r\n")


@rows("headers", (), ((b"content-length", b"1"),))
@rows("events", (last(b"x"),), (part(b"x"), last()))
@rows(
    "header",
    *((b"X-Line", b"a" + end + b"X-More: b") for end in (b"\r\n", b"\n", b"\r", b"\0")),
    (b"X-Line\r\nX-More", b"b"),
)
async def test_a_header_that_would_end_its_line_is_a_500(
    header: tuple[bytes, bytes], events: Any, headers: Headers, caplog: pytest.LogCaptureFixture
) -> None:
    app = saying(start(*headers, header), *events)
    async with serving(app) as (_, port), peer(port, get(b"/") + LAST) as each:
        answers = [await each.answer(), await each.answer()]

        assert await each.rest() == b""
    for answer in answers:
        assert (status_of(answer), body_of(answer)) == (500, FAILED)
        assert b"x-more" not in answer.lower()
    assert logged(caplog) == ["the app raised: GET /", "the app raised: POST /last"]


@rows("status, headers", (204, ((b"X-Line", b"a\nb"),)), (200, ((b"content-length", b"+1"),)))
async def test_a_wrong_answer_in_parts_is_a_500_with_a_body(status: int, headers: Headers) -> None:
    app = saying(start(*headers, status=status), part(b"x"), last())
    async with serving(app) as (_, port):
        answer = await called(port, GET)

    assert (status_of(answer), body_of(answer)) == (500, FAILED)


async def test_a_status_that_is_no_answers_is_a_500() -> None:
    _, body = await answer_of(saying(start(status=103), last()))

    assert body == FAILED


# What it does wrong.


def raising(error: BaseException, *events: dict[str, Any]) -> App:
    """An app that sends these *events*, and raises the *error*."""
    say = saying(*events)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await say(scope, receive, send)
        raise error

    return app


BEGUN = (start(), part(b"bo"))
SIZED = (start((b"content-length", b"4")), part(b"bo"))


@rows("events", (), (start((b"content-length", b"4")),))
@rows("error", ValueError("oh"), SystemExit(3), asyncio.CancelledError(), None)
async def test_an_app_that_gives_no_answer_is_answered_for(
    error: BaseException | None, events: Any, caplog: pytest.LogCaptureFixture
) -> None:
    app = saying(*events) if error is None else raising(error, *events)
    async with serving(app) as (_, port), peer(port) as each:
        answers = [await each.ask(get(b"/x", b"X-Request-Id: mine")) for _ in range(2)]

    for answer in answers:
        assert (status_of(answer), body_of(answer)) == (500, FAILED)
        assert b"\r\nx-request-id: mine\r\n" in answer
    what = "the app gave no whole answer" if error is None else "the app raised"
    assert logged(caplog) == [f"{what}: GET /x"] * 2


@rows("begun, sent", (BEGUN, chunk(b"bo")), (SIZED, b"bo"), ((start(),), b""))
@rows("error", ValueError("oh"), None)
async def test_an_answer_that_is_broken_off_does_not_end(
    error: BaseException | None, begun: Any, sent: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    app = saying(*begun) if error is None else raising(error, *begun)
    async with serving(app) as (server, port):
        head, _, body = (await rest_of(port, get(b"/") + LAST)).partition(b"\r\n\r\n")
        await until(lambda: not (server.connections or server.running))

    assert sent.startswith(body), "what a client has not read when it is cut off may be lost"
    assert head.count(b"HTTP/1.1 ") == (1 if head else 0)
    assert len(logged(caplog)) == 1


async def test_what_an_app_raises_after_its_answer_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    app = raising(ValueError("oh"), start((b"content-length", b"4")), last(b"body"))
    async with serving(app) as (_, port), peer(port) as each:
        answers = [await each.ask(get(b"/")) for _ in range(2)]

    assert [body_of(answer) for answer in answers] == [b"body"] * 2
    assert logged(caplog) == ["the app raised: GET /"] * 2


@rows(
    "events, wrong",
    ((last(),), 0),
    ((start((b"content-length", b"0")), start()), 1),
    ((start((b"content-length", b"0")), last(), last()), 2),
    ((start((b"content-length", b"0")), last(), start()), 2),
    ((start(), start()), 1),
    ((start(), last(), last()), 2),
    (({"type": "http.response.trailers"},), 0),
    ((start(), {"type": "http.response.pathsend"}), 1),
)
async def test_an_event_that_cannot_come_now_is_an_error_of_the_app(
    events: Any, wrong: int
) -> None:
    found: list[int] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        for number, event in enumerate(events):
            if number != wrong:
                await send(event)
                continue
            with pytest.raises(RuntimeError, match=repr(event["type"])):
                await send(event)
            found.append(number)

    async with serving(only_http(app)) as (server, port):
        await rest_of(port, GET)
        await until(lambda: not server.running)

    assert found == [wrong]


async def test_an_app_may_answer_anew_after_a_wrong_head() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        headers = ((b"content-length", b"1"), (b"x-line", b"a\nb"))
        with pytest.raises(ValueError, match="line break"):
            await saying(start(*headers), last(b"x"))(scope, receive, send)
        await saying(start((b"content-length", b"5")), last(b"sorry"))(scope, receive, send)

    head, body = await answer_of(only_http(app))

    assert (length_in(head), body) == ([b"5"], b"sorry")


# What it receives.


def hearing(count: int, heard: list[Any], *events: dict[str, Any]) -> App:
    """An app that notes the next *count* events, and answers with these *events*."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        heard.extend([await receive() for _ in range(count)])
        await saying(*events)(scope, receive, send)

    return only_http(app)


GONE = {"type": "http.disconnect"}


def came(body: bytes, more: bool = False) -> dict[str, Any]:
    return {"type": "http.request", "body": body, "more_body": more}


@rows(
    "data, expected",
    (get(b"/", CLOSE), came(b"")),
    (post(b"/", CLOSE, LENGTH, body=b"body"), came(b"body")),
    (post(b"/", CLOSE, CHUNKED, body=chunk(b"bo") + chunk(b"dy") + chunk(b"")), came(b"body")),
)
async def test_a_body_that_has_come_is_one_event(data: bytes, expected: Any) -> None:
    heard: list[Any] = []
    await answer_of(hearing(1, heard, start(), last()), data)

    assert heard == [expected]


@rows(
    "head, parts",
    (post(b"/", LENGTH), (b"bo", b"dy")),
    (post(b"/", CHUNKED), (chunk(b"bo"), chunk(b"dy"), chunk(b""))),
)
async def test_a_body_comes_in_parts(head: bytes, parts: tuple[bytes, ...]) -> None:
    heard: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        while not heard or heard[-1]["more_body"]:
            heard.append(await receive())
        await saying(start(), last())(scope, receive, send)

    async with serving(only_http(app)) as (server, port), peer(port, head) as each:
        await until(lambda: server.running)
        for number, piece in enumerate(parts):
            await each.send(piece)
            await until(partial(has_heard, heard, number))
        await each.answer()

    expected = [came(b"bo", True), came(b"dy", True), came(b"")]
    assert heard == (expected if len(parts) == 3 else [came(b"bo", True), came(b"dy")])


def has_heard(heard: list[Any], number: int) -> bool:
    return len(heard) > number


async def test_no_more_of_a_body_is_taken_than_is_asked_for() -> None:
    size = 20_000_000
    got: list[int] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await GATE.go_on.wait()
        more = True
        while more:
            event = await receive()
            got.append(len(event["body"]))
            more = event["more_body"]
        await saying(start(), last())(scope, receive, send)

    head = post(b"/", length(size))
    async with serving(only_http(app)) as (server, port), peer(port, head) as each:
        sending = asyncio.create_task(each.send(b"x" * size))
        await until(lambda: any(known._is_paused for known in server.connections))
        [known] = server.connections
        kept = known.exchanges[0].body.kept
        GATE.go_on.set()
        answer = await each.answer()
        await sending

    assert 65_536 < kept < 1_000_000
    assert (status_of(answer), sum(got)) == (200, size)
    assert max(got) < 1_000_000


async def test_who_has_the_body_waits_until_the_client_goes() -> None:
    heard: list[Any] = []
    async with serving(hearing(3, heard)) as (server, port):
        async with peer(port, post(b"/")):
            await until(lambda: server.running)
            assert heard == []
        await until(lambda: not (server.running or server.connections))

    assert heard == [came(b""), GONE, GONE]


async def test_who_has_answered_hears_that_it_is_over() -> None:
    """Though the client is still there, and its next request has come."""
    heard: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        waiting = asyncio.ensure_future(receive())
        heard.append(await waiting)
        waiting = asyncio.ensure_future(receive())
        await asyncio.sleep(0)
        assert not waiting.done()
        await saying(start(), last())(scope, receive, send)
        heard.extend([await waiting, await receive()])

    async with serving(only_http(app)) as (_, port), peer(port) as each:
        for _ in range(2):
            assert status_of(await each.ask(post(b"/"))) == 200

    assert heard == [came(b""), GONE, GONE] * 2


async def test_two_may_receive_at_once() -> None:
    """Each event is for one of them."""
    both: list[asyncio.Future[Any]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        both.extend(asyncio.ensure_future(receive()) for _ in range(2))
        await asyncio.wait(both)
        await saying(start(), last())(scope, receive, send)

    async with serving(only_http(app)) as (_, port), peer(port, post(b"/", LENGTH)) as each:
        await until(lambda: both)
        await each.send(b"bo")
        await until(lambda: any(receiver.done() for receiver in both))
        first = [receiver.done() for receiver in both]
        answer = await each.ask(b"dy")

    assert (status_of(answer), sorted(first)) == (200, [False, True])
    assert [receiver.result() for receiver in both] == [came(b"bo", True), came(b"dy")]


async def test_who_does_not_read_a_body_sends_no_100() -> None:
    head = post(b"/", LENGTH, b"Expect: 100-continue")
    async with serving(saying(start((b"content-length", b"0")), last())) as (_, port):
        answer = await rest_of(port, head)

    assert (status_of(answer), answer.count(b"HTTP/1.1")) == (200, 1)


# Bodies that do not end.


async def gives_up(scope: Any, receive: Any, send: Any) -> None:
    """An app that raises once the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
    raise OSError("the client has gone")


BROKEN_OFF = (
    b'{"error":"BAD_REQUEST","data":{"message":"The client went away before the end of the body."}}'
)


@rows("app", only_http(gives_up), hearing(2, []))
async def test_an_app_that_gives_up_is_answered_for(
    app: App, caplog: pytest.LogCaptureFixture
) -> None:
    half = post(b"/", LENGTH, body=b"bo")
    async with serving(app) as (server, port), peer(port, half) as each:
        await until(lambda: server.running)
        each.say_no_more()
        answer = await each.rest()
        await until(lambda: not server.connections)

    assert (status_of(answer), body_of(answer)) == (400, BROKEN_OFF)
    assert b"\r\nconnection: close\r\n" in answer
    assert logged(caplog) == []


async def test_an_app_may_answer_to_half_a_body() -> None:
    app = hearing(2, [], start((b"content-length", b"2")), last(b"ok"))
    async with serving(app) as (server, port), peer(port, post(b"/", LENGTH, body=b"bo")) as each:
        await until(lambda: server.running)
        each.say_no_more()
        answer = await each.rest()
        await until(lambda: not server.connections)

    assert (status_of(answer), body_of(answer)) == (200, b"ok")


async def test_a_client_that_says_no_more_gets_its_answers() -> None:
    together = post(b"/late") + post(b"/blind") + post(b"/", LENGTH, body=b"bo")
    async with serving(echo) as (server, port), peer(port, together) as each:
        await until(lambda: server.running)
        [known] = server.connections
        each.say_no_more()
        await until(lambda: known.has_ended)
        GATE.go_on.set()
        answers = [await each.answer() for _ in range(3)]
        rest = await each.rest()
        await until(lambda: not server.connections)

    assert [status_of(answer) for answer in answers] == [200, 200, 400]
    assert [b"\r\nconnection: close\r\n" in answer for answer in answers] == [False, False, True]
    assert rest == b""


async def test_a_client_that_says_no_more_while_it_takes_an_answer_gets_the_next_one() -> None:
    together = post(b"/large") + post(b"/next")

    async def app(scope: Any, receive: Any, send: Any) -> None:
        size = SIZE if scope["path"] == "/large" else 2
        head = start((b"content-length", b"%d" % size))
        await saying(head, last(b"x" * size))(scope, receive, send)

    async with serving(only_http(app)) as (server, port), peer(port, together) as each:
        await full(server)
        [known] = server.connections
        each.say_no_more()
        await until(lambda: known.has_ended)
        sizes = [len(body_of(await each.answer())) for _ in range(2)]

        assert (sizes, await each.rest()) == ([SIZE, 2], b"")


async def test_a_client_that_says_no_more_before_its_answer_has_gone() -> None:
    heard: list[Any] = []
    async with serving(hearing(2, heard)) as (server, port), peer(port, post(b"/")) as each:
        await until(lambda: server.running)
        each.say_no_more()

        assert await each.rest() == b""
    assert heard == [came(b""), GONE]


@rows("data, status", (b"zz\r\n", 400), (b"4\r\nbody", 400))
async def test_a_wrong_chunk_is_told_to_an_app_that_gives_up(data: bytes, status: int) -> None:
    async with serving(only_http(gives_up)) as (_, port), peer(port, post(b"/", CHUNKED)) as each:
        await each.send(data + b"zz\r\n")
        answer = await each.rest()

    assert (status_of(answer), body_of(answer)) == (status, INVALID)


async def test_the_answer_to_a_wrong_body_that_has_begun_is_broken_off() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await saying(*BEGUN)(scope, receive, send)
        await gives_up(scope, receive, send)

    async with serving(only_http(app)) as (server, port), peer(port, post(b"/", CHUNKED)) as each:
        await each.head()
        await each.chunk()
        await each.send(b"zz\r\n")

        assert await each.rest() == b""
        await until(lambda: not server.connections)


# Clients that read slowly, or not at all.


def pouring(sent: list[int], done: list[bool]) -> App:
    """An app with an answer that does not end by itself."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        try:
            await send(start())
            while True:
                sent.append(1)
                await send(part(b"x" * 65_536))
                await asyncio.sleep(0)
                if scope["path"] == "/hears" and await is_over(receive):
                    break
        finally:
            done.append(True)

    return only_http(app)


async def is_over(receive: Any) -> bool:
    """Whether an event says so, at once."""
    waiting = asyncio.ensure_future(receive())
    await asyncio.sleep(0)
    if not waiting.done():
        waiting.cancel()
        return False
    return bool(waiting.result()["type"] == "http.disconnect")


async def full(server: Server) -> LoopConnection:
    """The only connection, once its client has no room for more."""
    await until(lambda: any(known._is_full for known in server.connections))
    [known] = server.connections
    return known


async def test_a_client_that_goes_in_the_middle_of_a_stream_ends_it() -> None:
    sent: list[int] = []
    done: list[bool] = []
    app = pouring(sent, done)
    async with serving(app) as (server, port), peer(port, post(b"/hears")) as each:
        await full(server)
        each.reset()
        await until(lambda: done and not (server.connections or server.running))

    assert len(sent) < 1000


async def test_a_stream_goes_on_when_its_client_reads_on() -> None:
    size, count = 65_536, 200

    async def app(scope: Any, receive: Any, send: Any) -> None:
        head = start((b"content-length", b"%d" % (size * count)))
        await saying(head, *[part(b"x" * size)] * count, last())(scope, receive, send)

    async with serving(only_http(app)) as (server, port), peer(port, post(b"/")) as each:
        known = await full(server)
        [call] = server.running
        first = body_of(await each.answer())
        await until(lambda: not server.running)
        assert (known.answering, call.task) == (None, None)
        again = body_of(await each.ask(LAST))

    assert [len(first), len(again)] == [size * count] * 2


async def test_who_pipelines_and_reads_nothing_does_not_fill_the_memory() -> None:
    begun: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        begun.append(scope["path"])
        await LARGE(scope, receive, send)

    async with serving(only_http(app)) as (server, port):
        async with peer(port, post(b"/one") + post(b"/two")) as each:
            known = await full(server)
            await until(lambda: not server.running)
            await each.send(post(b"/three"))
            flooding = asyncio.create_task(each.send(b"x" * SIZE))
            await until(lambda: known._is_paused)
            before = list(begun)
            flooding.cancel()
            for _ in range(2):
                assert len(body_of(await each.answer())) == SIZE
        await until(lambda: not server.connections)

    assert (before, begun[:2]) == (["/one"], ["/one", "/two"])


async def test_a_refusal_waits_for_the_answer_before_it() -> None:
    """And our side ends only then."""
    async with serving(LARGE) as (server, port), peer(port, post(b"/one")) as each:
        await full(server)
        await until(lambda: not server.running)
        await each.send(b"wrong\r\n\r\n")
        [known] = server.connections
        await until(lambda: known.is_deaf)
        assert not known.is_hung_up
        first, second = await each.answer(), await each.answer()
        await each.rest()

    assert (len(body_of(first)), status_of(second)) == (SIZE, 400)


async def test_a_connection_whose_time_is_up_is_closed_once_all_is_sent() -> None:
    """Even if a refusal is the last of that."""
    async with serving(LARGE) as (server, port), peer(port, post(b"/one")) as each:
        known = await full(server)
        await until(lambda: not server.running)
        await each.send(b"wrong\r\n\r\n")
        await until(lambda: known.is_deaf)
        known.close()
        first, second = await each.answer(), await each.answer()
        await each.rest()
        await until(lambda: not server.connections)

    assert (len(body_of(first)), status_of(second)) == (SIZE, 400)


@rows(
    "events",
    (start(), last(b"x")),
    (start((b"content-length", b"1")), last(b"x")),
    (start((b"content-length", b"1")), part(b"x"), last()),
    (last(b"x"), {"type": "http.response.trailers"}),
)
async def test_what_is_sent_to_a_client_that_has_gone_is_dropped(
    events: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """Even what could not come now (HTTP specification, 2.3)."""
    sent: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await receive()
        for event in events:
            await send(event)
            sent.append(event["type"])

    async with serving(only_http(app)) as (server, port):
        async with peer(port, post(b"/")):
            await until(lambda: server.running)
        await until(lambda: not server.running)

    assert sent == [event["type"] for event in events]
    assert logged(caplog) == []


# Services that have nothing in front of them.

STEPS: list[str] = []
TASKS: list[asyncio.Task[None]] = []
MARK: ContextVar[str] = ContextVar("mark")


@pytest.fixture(autouse=True)
def steps() -> None:
    """Nothing has happened yet."""
    STEPS.clear()


@route(summary="s", tags=["t"], auth="none", name="echo")
async def echoes(input: str, ctx: None) -> str:
    STEPS.append("called")
    return input


@route(summary="s", tags=["t"])
async def mine(input: str, ctx: str) -> str:
    return ctx + input


@route(summary="s", tags=["t"], auth="none")
async def slow(input: None, ctx: None) -> str:
    await GATE.go_on.wait()
    return "late"


@route(summary="s", tags=["t"], auth="none")
def threaded(input: str, ctx: None) -> str:
    return input


@route(summary="s", tags=["t"], auth="none")
async def raises(input: None, ctx: None) -> str:
    raise ValueError("oh")


@route(summary="s", tags=["t"], auth="none")
async def marks(input: None, ctx: None) -> str:
    found = MARK.get("new")
    MARK.set("old")
    return found


@route(summary="s", tags=["t"], auth="none", effect="read", cache=Cache(max_age=60))
async def kept(input: None, ctx: None) -> str:
    return "kept"


async def say(text: str) -> None:
    await GATE.go_on.wait()
    STEPS.append(text)


@route(summary="s", tags=["t"], auth="none")
async def follows(input: None, ctx: None) -> str:
    current_call().headers_out.set("X-Told", "yes")
    after_commit(say, "followed")
    return "done"


@route(summary="s", tags=["t"], auth="none")
async def simply_follows(input: None, ctx: None) -> str:
    after_commit(say, "followed")
    return "done"


@route(summary="s", tags=["t"], auth="none", effect="read")
async def few(input: None, ctx: None) -> Stream[str]:
    async def items() -> AsyncIterator[str]:
        for item in ("a", "b"):
            yield item

    after_commit(say, "followed")
    return Stream(items())


@route(summary="s", tags=["t"], auth="none", effect="read")
async def endless(input: None, ctx: None) -> Stream[str]:
    async def items() -> AsyncIterator[str]:
        try:
            while True:
                yield "x" * 10_000
                await asyncio.sleep(0)
        finally:
            STEPS.append("closed")

    return Stream(items())


async def look() -> None:
    await GATE.go_on.wait()
    try:
        current_call()
    except LookupError:
        STEPS.append("no call")


@route(summary="s", tags=["t"], auth="none")
async def leaves(input: None, ctx: None) -> None:
    TASKS.append(asyncio.create_task(look()))


@route(summary="s", tags=["t"], auth="none")
async def large(input: int, ctx: None) -> str:
    return "x" * input


async def who(token: str, request: Request) -> str | None:
    return None if token == "bad" else "ada"


ROUTES = (
    echoes,
    mine,
    slow,
    threaded,
    raises,
    marks,
    kept,
    follows,
    simply_follows,
    few,
    endless,
    large,
    leaves,
)
api = spec(authenticate=who, routes=routes(*ROUTES))

Make = Callable[[], AsgiFront]


def bare(**limits: Any) -> AsgiApp:
    return AsgiApp(service_of(api, Options(max_body_bytes=100, limits=Limits(**limits))))


class Middleware:
    """Notes the paths that it is asked for."""

    async def process_request(self, req: Any, resp: Any) -> None:
        STEPS.append(f"asked for {req.path}")


def in_falcon(*middleware: Middleware) -> AsgiFront:
    app: Any = falcon.asgi.App(middleware=[*middleware])
    return mount_spec(app, api, max_body_bytes=100).asgi


def behind_middleware() -> AsgiFront:
    return in_falcon(Middleware())


WAYS: tuple[Make, ...] = (bare, in_falcon, behind_middleware)


@pytest.mark.parametrize("make", WAYS)
async def test_calls_are_answered_on_one_connection(make: Make) -> None:
    async with serving(make()) as (_, port), peer(port) as each:
        answers = [
            await each.ask(sent(b"/echo", b'"a"', b"X-Request-Id: mine")),
            await each.ask(sent(b"/threaded", b'"b"')),
            await each.ask(sent(b"/mine", b'"c"', bearer("good"))),
        ]

    assert [status_of(answer) for answer in answers] == [200] * 3
    assert [body_of(answer) for answer in answers] == [b'"a"', b'"b"', b'"adac"']
    assert b"\r\nx-request-id: mine\r\n" in answers[0]
    assert (STEPS[0] == "asked for /echo") is (make is behind_middleware)


@rows(
    "data, size, status, body",
    (sent(b"/echo", b"1"), 0, 400, b"string_type"),
    (sent(b"/raises", b"null"), 0, 500, FAILED),
    (post(b"/mine", JSON, length(5)), 5, 401, b'"error":"UNAUTHORIZED"'),
    (sent(b"/mine", b'"a"', bearer("bad")), 0, 401, b'"error":"UNAUTHORIZED"'),
    (post(b"/echo", JSON, length(101)), 101, 413, b'"error":"PAYLOAD_TOO_LARGE"'),
    (post(b"/echo", JSON, CHUNKED, body=chunk(b" " * 101) + chunk(b"")), 0, 413, b"PAYLOAD"),
    (post(b"/echo", b"Content-Type: text/plain", length(5)), 5, 415, b'"error"'),
    (post(b"/echo", JSON, length(5), method=b"PUT"), 5, 405, b'"error"'),
    (get(b"/echo"), 0, 405, b'"error"'),
)
@pytest.mark.parametrize("make", WAYS)
async def test_failures_leave_the_connection_as_it_is(
    make: Make, data: bytes, size: int, status: int, body: bytes
) -> None:
    """And the rest of a body is read, since a client that sends before it reads gets no answer."""
    async with serving(make()) as (_, port), peer(port) as each:
        first = await each.ask(data)
        second = await each.ask(b"x" * size + sent(b"/echo", b'"a"'))

    assert status_of(first) == status
    assert body in first
    assert body_of(second) == b'"a"'


@rows(
    "data",
    (post(b"/echo", JSON, length(5)), b'"a', b'bc"'),
    (post(b"/echo", JSON, length(5), b"Expect: 100-continue"), b'"abc"'),
    (post(b"/echo", JSON, CHUNKED), chunk(b'"a'), chunk(b'bc"'), chunk(b"")),
    (post(b"/echo", JSON, CHUNKED, body=chunk(b'"abc"') + chunk(b"")),),
)
@pytest.mark.parametrize("make", WAYS)
async def test_a_call_is_answered_when_its_body_is_there(
    make: Make, data: tuple[bytes, ...]
) -> None:
    head, *parts = data
    async with serving(make()) as (server, port), peer(port, head) as each:
        for piece in parts:
            await until(lambda: server.running)
            if b"Expect" in head:
                assert (await each.head()).startswith(b"HTTP/1.1 100 ")
            await each.send(piece)
        answer = await each.answer()
        again = await each.ask(sent(b"/echo", b'"a"'))

    assert (status_of(answer), body_of(answer)) == (200, b'"abc"')
    assert body_of(again) == b'"a"'


async def test_a_large_answer_of_a_service_is_sent_as_it_is() -> None:
    async with serving(bare()) as (_, port), peer(port) as each:
        answers = [await each.ask(sent(b"/large", b"1000000")) for _ in range(2)]

    assert [len(body_of(answer)) for answer in answers] == [1_000_002] * 2


async def test_a_call_whose_connection_is_given_up_ends(caplog: pytest.LogCaptureFixture) -> None:
    async with serving(bare()) as (server, port), peer(port, post(b"/echo", JSON, length(5))):
        await until(lambda: server.running)
        await asyncio.sleep(0)
        [known] = server.connections
        assert known.answering is not None
        known.answering.wake()
        known.abort()
        await until(lambda: not (server.connections or server.running))

    assert (STEPS, logged(caplog)) == ([], [])


@rows("data, message", (b"", BROKEN_OFF), (b"zz\r\n", INVALID))
@pytest.mark.parametrize("make", WAYS)
async def test_a_body_that_does_not_end_is_refused(
    make: Make, data: bytes, message: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    head = post(b"/echo", JSON, CHUNKED, body=chunk(b'"'))
    async with serving(make()) as (server, port), peer(port, head) as each:
        await until(lambda: server.running)
        await each.send(data)
        each.say_no_more()
        answer = await each.rest()
        await until(lambda: not server.connections)

    assert (status_of(answer), "called" in STEPS) == (400, False)
    assert make is behind_middleware or body_of(answer) == message
    assert logged(caplog) == []


async def test_a_body_that_is_late_is_a_408_which_closes_the_connection() -> None:
    half = post(b"/echo", JSON, length(5), body=b'"')
    async with serving(bare(read_seconds=0.02)) as (_, port), peer(port, half) as each:
        answer = await each.answer()
        await each.send(b"xxxx" + LAST)

        assert (status_of(answer), await each.rest()) == (408, b"")
    assert b"\r\nconnection: close\r\n" in answer


@pytest.mark.parametrize("make", WAYS)
async def test_a_route_that_can_be_kept_is_called_by_get_too(make: Make) -> None:
    async with serving(make()) as (_, port), peer(port) as each:
        answers = [await each.ask(get(b"/kept")), await each.ask(sent(b"/kept", b"null"))]
        head = await rest_of(port, post(b"/kept", CLOSE, method=b"HEAD"))

    assert [body_of(answer) for answer in answers] == [b'"kept"'] * 2
    assert b"\r\ncache-control: " in answers[0].lower()
    assert (status_of(head), body_of(head)) == (200, b"")
    assert b"\r\ncontent-length: 6\r\n" in head


@pytest.mark.parametrize("make", WAYS)
async def test_a_stream_is_sent_and_its_connection_is_kept(make: Make) -> None:
    async with serving(make()) as (server, port), peer(port) as each:
        GATE.go_on.set()
        streams = [await each.ask(sent(b"/few", b"null")) for _ in range(2)]
        await until(lambda: not server.running)

    for stream in streams:
        assert b"\r\ntransfer-encoding: chunked\r\n" in stream
        assert b'"a"' in body_of(stream)
        assert b'"b"' in body_of(stream)
    assert STEPS.count("followed") == 2


@pytest.mark.parametrize("make", WAYS)
async def test_a_stream_whose_client_goes_is_closed(make: Make) -> None:
    async with serving(make()) as (server, port), peer(port, sent(b"/endless", b"null")) as each:
        await full(server)
        each.reset()
        await until(lambda: "closed" in STEPS and not (server.connections or server.running))


@pytest.mark.parametrize("make", WAYS)
async def test_a_stream_whose_client_says_no_more_is_broken_off(make: Make) -> None:
    """Its end would say that it is whole."""
    async with serving(make()) as (server, port), peer(port, sent(b"/endless", b"null")) as each:
        await full(server)
        each.say_no_more()
        rest = await each.rest()
        await until(lambda: "closed" in STEPS and not (server.connections or server.running))

    assert not rest.endswith(chunk(b""))


async def test_a_stream_closes_its_connection_while_the_worker_drains() -> None:
    draining = Draining()
    draining.on = True
    async with serving(bare(), draining=draining) as (_, port):
        GATE.go_on.set()
        answer = await rest_of(port, sent(b"/few", b"null"))

    assert b"\r\nconnection: close\r\n" in answer
    assert answer.endswith(chunk(b""))


@rows("path, header", (b"/follows", True), (b"/simply_follows", False))
async def test_what_follows_a_call_holds_neither_its_answer_nor_the_next_call(
    path: bytes, header: bool
) -> None:
    async with serving(bare()) as (server, port), peer(port) as each:
        first = await each.ask(sent(path, b"null"))
        second = await each.ask(sent(b"/echo", b'"a"'))
        before = list(STEPS)
        GATE.go_on.set()
        await until(lambda: not server.running)

    assert [body_of(first), body_of(second)] == [b'"done"', b'"a"']
    assert (b"\r\nx-told: yes\r\n" in first) is header
    assert (before, STEPS) == (["called"], ["called", "followed"])


async def test_what_goes_wrong_inside_is_a_500_and_the_connection_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(service: Any, incoming: Any) -> Any:
        if incoming.header("x-oh") is not None:
            raise LookupError("oh")
        return begin(service, incoming)

    monkeypatch.setattr(loop_calls, "begin", failing)
    async with serving(bare()) as (server, port), peer(port) as each:
        first = await each.ask(sent(b"/echo", b'"a"', b"X-Oh: 1"))
        second = await each.ask(sent(b"/echo", b'"a"'))
        await until(lambda: not server.running)

    assert (status_of(first), body_of(first)) == (500, FAILED)
    assert (status_of(second), body_of(second)) == (200, b'"a"')
    assert logged(caplog) == ["a request could not be answered: POST /echo"]


@rows("ends", "reset", "say_no_more")
async def test_a_call_whose_client_goes_is_cancelled(ends: str) -> None:
    """Nobody gets its answer."""
    async with serving(bare()) as (server, port), peer(port, sent(b"/slow", b"null")) as each:
        await until(lambda: server.running)
        getattr(each, ends)()
        await until(lambda: not (server.running or server.connections))

        assert not GATE.go_on.is_set()


async def test_a_call_that_ends_when_its_client_has_gone_is_not_answered() -> None:
    """It ends before anybody looks whether the client is there."""
    async with serving(bare()) as (server, port), peer(port, sent(b"/slow", b"null")) as each:
        await until(lambda: server.running)
        [known] = server.connections
        each.reset()
        await until(lambda: known.gone)
        GATE.go_on.set()
        await until(lambda: not (server.running or server.connections))


@pytest.mark.parametrize("make", WAYS)
async def test_a_call_sees_nothing_of_the_one_before(make: Make) -> None:
    async with serving(make()) as (_, port), peer(port) as each:
        found = [body_of(await each.ask(sent(b"/marks", b"null"))) for _ in range(3)]

    assert found == [b'"new"'] * 3


async def test_what_no_route_has_needs_no_body_either() -> None:
    async with serving(bare()) as (_, port), peer(port) as each:
        first = await each.ask(post(b"/nothing", JSON, length(5)))
        second = await each.ask(b"xxxxx" + sent(b"/echo", b'"a"'))

    assert (status_of(first), body_of(second)) == (404, b'"a"')


async def test_a_path_is_found_however_it_is_sent_and_the_rest_is_the_apps() -> None:
    middleware_free = in_falcon()
    async with serving(middleware_free) as (_, port), peer(port) as each:
        encoded = await each.ask(sent(b"/%65cho?a=b", b'"a"'))
        unknown = await each.ask(get(b"/nothing"))
        document = await each.ask(get(b"/contract.json"))

    assert [status_of(answer) for answer in (encoded, unknown, document)] == [200, 404, 200]


async def test_the_app_is_not_asked_for_calls() -> None:
    """However their path is sent; it is asked for all that is none."""
    nothing = saying(start((b"content-length", b"0"), status=418), last())
    calls = (sent(b"/echo?a=b", b'"a"'), sent(b"/%65cho", b'"a"'), get(b"/kept"))
    others = (get(b"/echo"), post(b"/echo", method=b"OPTIONS"), post(b"/nothing"))
    async with serving(nothing, in_falcon()) as (_, port), peer(port) as each:
        found = [status_of(await each.ask(data)) for data in (*calls, *others)]

    assert found == [200, 200, 200, 418, 418, 418]


async def test_a_task_that_outlives_its_call_sees_none() -> None:
    async with serving(bare()) as (server, port), peer(port) as each:
        await each.ask(sent(b"/leaves", b"null"))
        await until(lambda: not server.running)
        GATE.go_on.set()
        await until(lambda: STEPS)

    assert STEPS == ["no call"]


async def test_nothing_is_kept_of_a_body_that_comes_after_the_answer() -> None:
    head = post(b"/echo", b"Content-Type: text/plain", length(1_000_000))
    async with serving(bare()) as (server, port), peer(port) as each:
        first = await each.ask(head)
        [known] = server.connections
        assert known._receiving is not None
        body = known._receiving.body
        second = await each.ask(b"x" * 1_000_000 + sent(b"/echo", b'"a"'))

    assert (status_of(first), body_of(second)) == (413, b'"a"')
    assert body.kept == 0


async def test_messages_of_mcp_clients_are_answered() -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    async with serving(bare()) as (_, port):
        answer = await called(port, sent(b"/mcp", body, b"Accept: */*"))

    assert (status_of(answer), body_of(answer)) == (200, b'{"jsonrpc":"2.0","id":1,"result":{}}')


async def test_logging_is_quiet_where_nothing_is_wrong(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        async with serving(bare()) as (_, port), peer(port) as each:
            await each.ask(sent(b"/echo", b'"a"'))

    assert caplog.records == []


# Two requests, and two tasks, at once.


def marking(found: list[str]) -> Any:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        found.append(MARK.get("new"))
        MARK.set("old")
        await saying(start((b"content-length", b"0")), last())(scope, receive, send)

    return only_http(app)


async def test_a_request_that_was_pipelined_sees_nothing_of_the_one_before() -> None:
    found: list[str] = []
    async with serving(marking(found)) as (_, port):
        await rest_of(port, post(b"/") * 2 + LAST)

    assert found == ["new"] * 3


async def test_a_call_that_was_pipelined_sees_nothing_of_the_one_before() -> None:
    async with serving(bare()) as (_, port):
        data = sent(b"/marks", b"null")
        async with peer(port, data * 3) as each:
            found = [body_of(await each.answer()) for _ in range(3)]

    assert found == [b'"new"'] * 3


async def test_a_request_after_a_large_body_sees_nothing_of_the_one_before() -> None:
    """To read on registers a callback, in the context of who calls that (on asyncio's own loop)."""
    found: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        found.append(MARK.get("new"))
        MARK.set("old")
        await GATE.go_on.wait()
        while (await receive())["more_body"]:
            pass
        await saying(start((b"content-length", b"0")), last())(scope, receive, send)

    head = post(b"/", b"Content-Length: 1000000")
    async with serving(only_http(app)) as (server, port), peer(port, head) as each:
        sending = asyncio.create_task(each.send(b"x" * 1_000_000))
        await until(lambda: any(known._is_paused for known in server.connections))
        GATE.go_on.set()
        await each.answer()
        await sending
        await each.ask(post(b"/"))

    assert found == ["new"] * 2


async def test_no_100_comes_in_the_middle_of_an_answer() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await saying(*BEGUN)(scope, receive, send)
        body = await receive()
        await send(last(body["body"]))

    head = post(b"/", LENGTH, b"Expect: 100-continue")
    async with serving(only_http(app)) as (_, port), peer(port, head) as each:
        answer = await each.head()
        assert status_of(answer) == 200
        await each.send(b"body")
        assert await each.rest() == chunk(b"bo") + chunk(b"body") + chunk(b"")


async def test_an_app_may_answer_in_parts_after_a_wrong_head() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        with pytest.raises(ValueError, match="line break"):
            await send(start((b"x-line", b"a\nb")))
        head = start((b"content-length", b"5"))
        await saying(head, part(b"sor"), last(b"ry"))(scope, receive, send)

    async with serving(only_http(app)) as (_, port):
        answer = await rest_of(port, get(b"/", CLOSE))

    assert (length_in(answer), body_of(answer)) == ([b"5"], b"sorry")


async def test_no_request_is_begun_once_its_connection_is_closed() -> None:
    begun: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        begun.append(scope["path"])
        await LARGE(scope, receive, send)

    async with serving(only_http(app)) as (server, port):
        async with peer(port, post(b"/one") + post(b"/two")) as each:
            known = await full(server)
            await until(lambda: not server.running)
            known.close()  # its time is up, or the worker ends
            await each.rest()
        await until(lambda: not (server.connections or server.running))

    assert begun == ["/one"]


async def test_who_reads_nothing_is_given_up_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """`close` waits for what is still to be sent, forever."""
    monkeypatch.setattr("contract.cli.exchanges.STALLED", 0.05)
    async with serving(LARGE, seconds=0.02) as (server, port), peer(port, post(b"/")):
        await full(server)
        await until(lambda: not server.connections)


def has_taken(known: LoopConnection, left: int) -> bool:
    """Whether a client has taken something of what was *left*."""
    return known.gone or not left or known._transport.get_write_buffer_size() < left


async def test_who_reads_slowly_gets_all_of_an_answer() -> None:
    """However often its time passes, as long as it takes something in that."""
    async with serving(LARGE) as (server, port), peer(port, post(b"/")) as each:
        known = await full(server)
        await until(lambda: not server.running)
        found, now = len(await each.head()), 0.0
        while found < SIZE:
            left = known._transport.get_write_buffer_size()
            assert not known.is_stalled(now)
            found += len(await each.reader.readexactly(min(2_000_000, SIZE - found)))
            await until(partial(has_taken, known, left))
            now += STALLED + 1
        known.close()

        assert len(await each.rest()) < 2000


async def test_who_waits_for_the_client_to_go_hears_it_in_spite_of_another_request() -> None:
    heard: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        heard.append("waits")
        heard.append((await receive())["type"])

    async with serving(only_http(app)) as (server, port):
        async with peer(port, post(b"/one")) as each:
            await until(lambda: heard)
            await asyncio.sleep(0)
            await each.send(post(b"/two"))
            await until(lambda: any(len(known.exchanges) == 2 for known in server.connections))
        await until(lambda: not server.running)

    assert heard == ["waits", "http.disconnect"]


async def test_what_a_task_sends_after_the_end_is_dropped() -> None:
    """It waits for room, and must not be taken for a part of the next answer."""
    late: list[asyncio.Task[None]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send(start())
        if scope["path"] == "/last":
            await send(last(b"next"))
            return

        async def stray() -> None:
            await send(part(b"stray"))

        while not is_full():
            await send(part(b"x" * 65_536))
        late.append(asyncio.ensure_future(send(last())))
        await asyncio.sleep(0)
        late.append(asyncio.create_task(stray()))
        await asyncio.wait(late)

    def is_full() -> bool:
        return any(known._is_full for known in servers[0].connections)

    servers: list[Server] = []
    async with serving(only_http(app)) as (server, port):
        servers.append(server)
        async with peer(port, post(b"/") + LAST) as each:
            await until(lambda: len(late) == 2)
            first = await each.answer()
            second = await each.rest()

    assert b"stray" not in first
    assert second.startswith(b"HTTP/1.1 200 ")
    assert body_of(second) == chunk(b"next") + chunk(b"")


async def test_a_task_of_the_app_that_waits_for_room_ends_with_the_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("contract.cli.exchanges.STALLED", 0.05)
    tasks: list[asyncio.Task[None]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send(start())

        async def pour() -> None:
            while not GATE.go_on.is_set():
                await send(part(b"x" * 65_536))

        tasks.append(asyncio.create_task(pour()))
        await GATE.go_on.wait()
        raise ValueError("oh")

    async with serving(only_http(app), seconds=0.2) as (server, port), peer(port, post(b"/")):
        await full(server)
        GATE.go_on.set()
        await until(lambda: not (server.running or server.connections) and tasks[0].done())

    assert tasks[0].exception() is None


async def test_a_call_and_its_connection_may_end_in_one_turn_of_the_loop() -> None:
    """What is behind it is not begun, and there is nothing to hang up."""
    begun: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        begun.append(scope["path"])
        await echo(scope, receive, send)

    together = post(b"/slow", CLOSE) + post(b"/two")
    async with serving(only_http(app)) as (server, port), peer(port, together) as each:
        await until(lambda: begun)
        [known] = server.connections
        GATE.go_on.set()
        known.close()  # as when the client says no more
        await each.rest()
        await until(lambda: not (server.connections or server.running))

    assert begun == ["/slow"]


async def test_who_waits_for_the_client_to_go_does_not_fill_the_memory() -> None:
    """The next request is to be sent again, if it is large."""
    heard: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        heard.append(await receive())
        if scope["path"] == "/one":
            waiting = asyncio.ensure_future(receive())
            await GATE.go_on.wait()
            await asyncio.sleep(0)
            assert not waiting.done()
        await saying(start(), last())(scope, receive, send)

    size = 20_000_000
    together = post(b"/one") + post(b"/two", length(size))
    async with serving(only_http(app)) as (server, port), peer(port, together) as each:
        await until(lambda: heard)
        [known] = server.connections
        await each.send(b"x" * size)
        assert [exchange.scope["path"] for exchange in known.exchanges] == ["/one"]
        GATE.go_on.set()
        first = await each.answer()

        assert await each.rest() == b""
    assert status_of(first) == 200
    assert b"\r\nconnection: close\r\n" in first
    assert len(heard) == 1


async def test_the_client_is_heard_to_go_though_much_had_come_before_that_was_asked() -> None:
    """Nothing was read any more then."""
    heard: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await GATE.go_on.wait()
        heard.append((await receive())["type"])

    async with serving(only_http(app)) as (server, port):
        async with peer(port, post(b"/one")) as each:
            await until(lambda: server.running)
            [known] = server.connections
            await each.send(post(b"/two", length(1_000_000)) + b"x" * 200_000)
            await until(lambda: known._is_paused)
            GATE.go_on.set()
            await until(lambda: known.is_deaf)
            assert heard == []
        await until(lambda: not server.running)

    assert heard == ["http.disconnect"]


async def test_an_app_whose_body_is_no_bytes_is_told_so() -> None:
    text: Any = "text"
    whole = (start((b"content-length", b"4")), last(text))
    async with serving(saying(*whole)) as (_, port):
        answer = await called(port, GET)

    assert (status_of(answer), body_of(answer)) == (500, FAILED)


async def test_a_call_that_cancels_itself_has_no_answer(caplog: pytest.LogCaptureFixture) -> None:
    @route(summary="s", tags=["t"], auth="none")
    async def cancels(input: None, ctx: None) -> str:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(0)
        raise NotImplementedError

    async with serving(AsgiApp(spec(routes=routes(cancels)))) as (server, port):
        assert await rest_of(port, post(b"/cancels")) == b""
        await until(lambda: not server.running)

    assert [record.name for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_a_client_that_takes_nothing_does_not_hold_the_end_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("contract.cli.asgi_server.STALLED_AT_END", 0.05)
    async with serving(LARGE) as (server, port), peer(port, post(b"/")):
        await full(server)
        signal.raise_signal(signal.SIGTERM)
        await until(lambda: not server.connections)


async def test_a_connection_that_the_loop_does_not_take_takes_no_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def fails(*_: Any) -> None:
        monkeypatch.undo()
        raise OSError(22, "Invalid argument")

    async with serving(most=1) as (_, port):
        monkeypatch.setattr(asyncio.get_running_loop(), "connect_accepted_socket", fails)
        assert await rest_of(port, b"") == b""

        assert status_of(await called(port, LAST)) == 200


async def test_a_request_is_answered_though_the_apps_router_raises_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The server asks it whether the service may answer at once."""

    @route(summary="s", tags=["t"], auth="none")
    async def ping(input: None, ctx: None) -> str:
        return "pong"

    def raises(_: str) -> bool:
        raise KeyError("converter")

    app = AsgiApp(spec(routes=routes(ping)))
    monkeypatch.setattr(app, "answers", raises)
    async with serving(app) as (server, port):
        answer = await called(port, post(b"/ping"))
        await until(lambda: not server.running)

    assert body_of(answer) == b'"pong"'


async def test_what_comes_behind_an_answer_that_is_taken_slowly_is_answered() -> None:
    """It waits for room; that is not the time of its client."""
    size = 20_000_000

    async def app(scope: Any, receive: Any, send: Any) -> None:
        body = b"x" * size if scope["path"] == "/one" else b"two"
        await saying(start((b"content-length", b"%d" % len(body))), last(body))(
            scope, receive, send
        )

    together = post(b"/one") + post(b"/two", CLOSE)
    async with (
        serving(only_http(app), seconds=0.05) as (server, port),
        peer(port, together) as each,
    ):
        await full(server)
        await asyncio.sleep(0.1)
        answers = [body_of(await each.answer()), body_of(await each.answer())]

    assert [len(answers[0]), answers[1]] == [size, b"two"]


async def test_a_view_of_wide_items_is_sent_byte_by_byte() -> None:
    view: Any = memoryview(bytes(range(16))).cast("Q")
    async with serving(saying(start(), part(view), last())) as (_, port):
        answer = await rest_of(port, GET)

    assert body_of(answer) == chunk(bytes(range(16))) + chunk(b"")


async def test_a_call_that_is_cancelled_after_its_answer_does_not_end_the_next_one() -> None:
    tasks: list[asyncio.Task[Any]] = []

    @route(summary="s", tags=["t"], auth="none")
    async def follows(input: None, ctx: None) -> str:
        task = asyncio.current_task()
        assert task is not None
        tasks.append(task)

        async def cancel() -> None:
            task.cancel()
            await asyncio.sleep(0)

        after_commit(cancel)
        return "done"

    async with serving(AsgiApp(spec(routes=routes(follows)))) as (server, port):
        answers = await rest_of(port, post(b"/follows") + post(b"/follows", CLOSE))
        await until(lambda: not server.running)

    assert answers.count(b'"done"') == len(tasks) == 2


async def test_what_an_app_raises_where_a_body_is_broken_off_is_told_to_those_who_ask(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        raise ZeroDivisionError("canary")

    caplog.set_level(logging.INFO, "contract.serve")
    half = post(b"/a%0Ab", LENGTH, body=b"b")
    async with serving(only_http(app)) as (_, port), peer(port, half) as each:
        each.writer.write_eof()
        answer = await each.answer()

    assert status_of(answer) == 400
    [told] = [each for each in caplog.records if each.exc_info]
    assert told.levelno == logging.INFO
    assert told.getMessage() == "the app raised, whose body was broken off: POST /a%0Ab"


async def test_a_head_has_its_answer_when_its_call_is_over() -> None:
    """With the head it has all of it, and may go."""
    begun: list[bool] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        [known] = servers[0].connections
        await send(start())
        begun.append(known.exchanges[0].begun)
        await send(last())

    servers: list[Server] = []
    async with serving(only_http(app)) as (server, port):
        servers.append(server)
        answers = [
            await rest_of(port, post(b"/", CLOSE, method=each)) for each in (b"HEAD", b"GET")
        ]

    assert begun == [False, True]
    assert b"content-length" not in answers[0]
    assert (body_of(answers[0]), body_of(answers[1])) == (b"", chunk(b""))


async def test_the_last_byte_is_sent_when_its_call_is_over() -> None:
    """Who has all that was announced may go, and that is no cancellation."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await saying(start((b"content-length", b"4")), part(b"bo"), part(b"dy"))(
            scope, receive, send
        )
        await GATE.go_on.wait()
        await send(last())

    async with serving(only_http(app)) as (_, port), peer(port, GET) as each:
        await each.head()
        first = await each.reader.readexactly(2)
        GATE.go_on.set()

        assert (first, await each.rest()) == (b"bo", b"dy")
