"""App calls: what a WSGI app is given, what it may answer, and what is made of that."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from contract import route, routes, spec
from contract.adapters.mount import service_of
from contract.adapters.wsgi import WsgiApp
from contract.call.incoming import Refused
from contract.call.message import BrokenOff
from contract.call.mount_options import Limits, Options
from contract.cli import exchanges, tasks
from tests.cli_servers import PATIENCE, until
from tests.served import (
    CHUNKED,
    CLOSE,
    LAST,
    LENGTH,
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

GET = get(b"/", CLOSE)
OLD = b"GET / HTTP/1.0\r\nHost: x\r\n\r\n"
HEAD = post(b"/", CLOSE, method=b"HEAD")
FAILED = b'{"error":"INTERNAL_ERROR"}'


class Parts:
    """A body that is not a list, and notes how often it is closed."""

    def __init__(self, *parts: bytes) -> None:
        self.parts = iter(parts)
        self.closed = 0

    def __iter__(self) -> Iterator[bytes]:
        return self.parts

    def close(self) -> None:
        self.closed += 1


class Closed(list[bytes]):
    """A list that has to be closed, too."""

    closed = 0

    def close(self) -> None:
        self.closed += 1


def giving(
    body: Any, *headers: tuple[str, str], status: str = "200 OK", written: Iterable[bytes] = ()
) -> Callable[..., Any]:
    """An app that gives this *body*, after what it has *written*."""

    def app(environ: dict[str, Any], start_response: Any) -> Any:
        write = start_response(status, list(headers))
        for each in written:
            write(each)
        return body

    return app


def answer_of(app: Callable[..., Any], data: bytes = GET) -> tuple[bytes, bytes]:
    """The head, in lower case, and the body of what *app* answers to a request that closes."""
    with serving(app) as (_, port):
        answer = rest_of(port, data)
    head, _, body = answer.partition(b"\r\n\r\n")
    return head.lower() + b"\r\n", body


# What it is given.


def test_apps_get_a_whole_environ() -> None:
    seen: dict[str, Any] = {}

    def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        seen.update(environ)
        start_response("200 OK", [])
        return [environ["wsgi.input"].read()]

    headers = (b"Cookie: a=1", b"Cookie: b=2", b"X-Many: 1", b"x-many: 2", b"X_Many: 3")
    with serving(app) as (_, port), peer(port) as each:
        data = post(b"/gr%C3%BCn%FF?a=b", *headers, b"Content-Type: a/b", LENGTH, body=b"body")
        assert body_of(each.ask(data)) == b"body"
        own = each.socket.getsockname()[1]
        each.ask(get(b"/"))

    expected = {
        "REQUEST_METHOD": "POST", "PATH_INFO": "/gr\u00c3\u00bcn\u00ff", "RAW_URI": "/gr%C3%BCn%FF?a=b",
        "SCRIPT_NAME": "", "QUERY_STRING": "a=b", "HTTP_COOKIE": "a=1;b=2", "HTTP_X_MANY": "1,2", "HTTP_HOST": "x",
        "CONTENT_LENGTH": "4", "CONTENT_TYPE": "a/b", "SERVER_NAME": "127.0.0.1", "SERVER_PORT": str(port),
        "REMOTE_ADDR": "127.0.0.1", "REMOTE_PORT": str(own), "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.url_scheme": "http", "wsgi.version": (1, 0), "wsgi.input_terminated": True,
    }  # fmt: skip
    asked = {"REQUEST_METHOD": "GET", "PATH_INFO": "/", "RAW_URI": "/", "QUERY_STRING": ""}
    assert {name: seen[name] for name in expected} == expected | asked
    assert "PATH" not in seen


# Its headers.


@rows("body", [b"x"], (b"x",), [], ())
@rows(
    "header",
    *(("X-Line", f"a{end}X-More: b") for end in ("\r\n", "\n", "\r", "\0")),
    ("X-Line\r\nX-More", "b"),
    ("X-Line", "\u20ac"),
)
def test_a_header_that_would_end_its_line_is_a_500(
    header: tuple[str, str], body: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(giving(body, header)) as (_, port), peer(port, get(b"/") + LAST) as each:
        answers = [each.answer(), each.answer()]

    for answer in answers:
        assert answer.startswith(b"HTTP/1.1 500 ")
        assert body_of(answer) == FAILED
        assert b"x-more" not in answer.lower()
    assert "the app raised: GET /" in caplog.text


def test_a_wrong_header_of_an_answer_without_a_body_is_a_500_with_one() -> None:
    head, body = answer_of(giving((), ("X-Line", "a\nb"), status="204 No Content"))

    assert head.startswith(b"http/1.1 500 ")
    assert body == FAILED


@rows("status", "x", "", "2\u00b2")
def test_a_status_that_is_no_number_is_a_500(status: str) -> None:
    assert answer_of(giving([b"x"], status=status))[1] == FAILED


@pytest.mark.parametrize("body", [[b"body"], (b"bo", b"dy")])
def test_headers_that_are_the_servers_own_are_dropped(body: Any) -> None:
    own = [("Keep-Alive", "timeout=9"), ("Upgrade", "h2c"), ("Proxy-Connection", "x"), ("TE", "a")]
    app = giving(body, *own, ("Transfer-Encoding", "gzip"), ("Connection", "keep-alive"))
    with serving(app) as (_, port), peer(port, get(b"/") + LAST) as each:
        head = each.answer().lower()
        assert each.answer().startswith(b"HTTP/1.1 200 "), "the connection is kept"

    assert b"te: a\r\n" in head
    for name in (b"keep-alive", b"upgrade", b"proxy-connection", b"gzip", b"\r\nconnection:"):
        assert name not in head


def test_an_app_may_have_its_connection_closed() -> None:
    with serving(giving([b"x"], ("Connection", "Close"))) as (_, port):
        answer = rest_of(port, get(b"/"))

    assert answer.count(b"\r\nconnection: close\r\n") == 1


def test_an_app_may_have_a_date_of_its_own() -> None:
    head, _ = answer_of(giving([b"x"], ("Date", "then")))

    assert [line for line in head.split(b"\r\n") if line.startswith(b"date:")] == [b"date: then"]


def test_a_status_that_nobody_knows_is_passed_on() -> None:
    assert answer_of(giving([b"x"], status="599 Oh"))[0].startswith(b"http/1.1 599 unknown\r\n")


# Its body, and the length of that.


def length_in(head: bytes) -> list[bytes]:
    return [line[16:] for line in head.split(b"\r\n") if line.startswith(b"content-length: ")]


@rows(
    "body, headers, data, told, sent",
    ([b"bo", b"dy"], (), GET, [b"4"], b"body"),
    ([b"body"], (("Content-Length", "9"),), GET, [b"4"], b"body"),
    ([], (), GET, [b"0"], b""),
    ([b"body"], (), HEAD, [b"4"], b""),
    ([], (), HEAD, [], b""),
    ([], (("Content-Length", "9"),), HEAD, [b"9"], b""),
    ((), (("Content-Length", "9"),), HEAD, [b"9"], b""),
    ((b"body",), (), HEAD, [], b""),
    ((b"body", b"body"), (("Content-Length", "4"),), HEAD, [b"4"], b""),
    ((b"bo", b"dy"), (("Content-Length", "4"),), GET, [b"4"], b"body"),
    ((b"bo", b"dyandmore"), (("Content-Length", "4"),), GET, [b"4"], b"body"),
    ((b"body", b"more"), (("Content-Length", "4"),), GET, [b"4"], b"body"),
    ((b"bo",), (("Content-Length", "4"),), GET, [b"4"], b"bo"),
    ((b"bo", b"dy"), (), OLD, [], b"body"),
    ((b"bo", b"dy"), (("Content-Length", "4"),), OLD, [b"4"], b"body"),
    ((), (), OLD, [], b""),
)
def test_a_length_is_that_of_the_body(
    body: Any, headers: Any, data: bytes, told: list[bytes], sent: bytes
) -> None:
    head, found = answer_of(giving(body, *headers), data)

    assert (length_in(head), found) == (told, sent)
    assert b"transfer-encoding" not in head


@pytest.mark.parametrize("status", ["204 No Content", "304 Not Modified"])
@pytest.mark.parametrize("body", [[b"body"], (b"bo", b"dy")])
def test_an_answer_that_has_no_body_is_sent_without_one(body: Any, status: str) -> None:
    app = giving(body, ("ETag", "a"), status=status)
    with serving(app) as (_, port), peer(port, get(b"/") + LAST) as each:
        heads = [each.head().lower(), each.head().lower()]
        rest = each.rest()

    assert rest == b""
    for head in heads:
        assert head.startswith(b"http/1.1 " + status.encode()[:3])
        assert b"\r\netag: a\r\n" in head
        assert b"content-length" not in head
        assert b"transfer-encoding" not in head


@pytest.mark.parametrize("body", [[b"body"], (b"bo", b"dy")])
def test_an_answer_without_content_has_no_length_even_if_the_app_says_so(body: Any) -> None:
    """RFC 9110, section 8.6; that of a 304 is the length of what has not been modified."""
    length = ("Content-Length", "4")

    assert length_in(answer_of(giving(body, length, status="204 No Content"))[0]) == []
    assert length_in(answer_of(giving(body, length, status="304 Not Modified"))[0]) == [b"4"]


@rows(
    "parts, written, sent",
    ((b"", b"a", b"", b"b"), (), (b"a", b"b")),
    ((b"", b"a", b"b"), (b"wri", b"tten "), (b"written ", b"a", b"b")),
    ((b"a", b"b"), (b"wri", b"tten "), (b"written a", b"b")),
    ((b"",), (b"written",), (b"written",)),
    ((), (b"written",), (b"written",)),
    ((b"",), (), ()),
    ((), (), ()),
)
def test_parts_are_sent_as_they_are_made(
    parts: tuple[bytes, ...], written: tuple[bytes, ...], sent: tuple[bytes, ...]
) -> None:
    """None of them is empty, since an empty chunk is the last one."""
    body = Parts(*parts)
    head, found = answer_of(giving(body, written=written))

    assert b"\r\ntransfer-encoding: chunked\r\n" in head
    assert found == b"".join(chunk(each) for each in (*sent, b""))
    assert body.closed == 1


@rows("written, sent", ((), b"body"), ((b"wri", b"tten "), chunk(b"written body") + chunk(b"")))
def test_a_list_is_sent_whole_and_closed(written: tuple[bytes, ...], sent: bytes) -> None:
    body = Closed([b"body"])

    assert answer_of(giving(body, written=written))[1] == sent
    assert body.closed == 1


def test_a_part_is_sent_before_the_next_one_is_made() -> None:
    go_on = threading.Event()

    def body() -> Iterator[bytes]:
        yield b"first"
        assert go_on.wait(PATIENCE)
        yield b"second"

    with serving(giving(body())) as (_, port), peer(port, GET) as each:
        each.head()
        first = each.chunk()
        go_on.set()

        assert (first, each.chunk(), each.chunk()) == (b"first", b"second", b"")


def test_the_connection_of_an_answer_in_parts_is_kept() -> None:
    bodies = iter([Parts(b"a"), Parts(b"b")])

    def app(environ: dict[str, Any], start_response: Any) -> Any:
        start_response("200 OK", [])
        return next(bodies)

    with serving(app) as (_, port), peer(port) as each:
        assert [body_of(each.ask(get(b"/"))) for _ in range(2)] == [b"a", b"b"]


# Errors.


def raises(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    raise SystemExit


def starts_not(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    return [b"x"]


def starts_no_parts(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
    yield b"x"


def raises_early(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
    start_response("200 OK", [("X-Mine", "a")])
    yield from ()
    raise LookupError


@pytest.mark.parametrize("app", [raises, starts_not, starts_no_parts, raises_early])
def test_an_app_that_fails_is_answered_for(app: Any, caplog: pytest.LogCaptureFixture) -> None:
    with serving(app) as (_, port), peer(port) as each:
        answers = [each.ask(get(b"/x")) for _ in range(2)]

    for answer in answers:
        assert answer.startswith(b"HTTP/1.1 500 ")
        assert body_of(answer) == FAILED
    assert "the app raised: GET /x" in caplog.text


@rows("data, sent", (GET, b"1\r\nx\r\n"), (OLD, b"x"))
@pytest.mark.parametrize("error", [BrokenOff("a file has become shorter"), ValueError("late")])
def test_a_body_that_is_broken_off_does_not_end(
    error: BaseException, data: bytes, sent: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    closed: list[bool] = []

    def app(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
        start_response("200 OK", [])
        try:
            yield b"x"
            raise error
        finally:
            closed.append(True)

    assert answer_of(app, data)[1] == sent
    assert closed == [True]
    assert ("late" in caplog.text) is isinstance(error, ValueError)


def test_an_app_may_change_its_mind_until_a_part_is_sent(caplog: pytest.LogCaptureFixture) -> None:
    def changes(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
        start_response("200 OK", [("X-First", "a")])
        if environ["REQUEST_METHOD"] == "PUT":
            yield b"begun"
        try:
            raise ValueError("late")
        except ValueError as error:
            start_response("500 Oh", [], (type(error), error, error.__traceback__))
        yield b"sorry"

    early, early_body = answer_of(changes)
    begun, begun_body = answer_of(changes, post(b"/", CLOSE, method=b"PUT"))

    assert early.startswith(b"http/1.1 500 internal server error\r\n")
    assert b"x-first" not in early
    assert early_body == chunk(b"sorry") + chunk(b"")
    assert (begun.startswith(b"http/1.1 200 "), begun_body) == (True, chunk(b"begun"))
    assert "late" in caplog.text


# Clients that read slowly, or not at all.


class Endless:
    """A body that does not end, and notes how much of it was asked for."""

    def __init__(self) -> None:
        self.count = 0
        self.closed = False

    def __iter__(self) -> Iterator[bytes]:
        for _ in range(1000):
            self.count += 1
            yield b"x" * 65_536

    def close(self) -> None:
        self.closed = True


def choosing(endless: Endless) -> Callable[..., Any]:
    def app(environ: dict[str, Any], start_response: Any) -> Any:
        start_response("200 OK", [])
        return endless if environ["PATH_INFO"] == "/endless" else [b""]

    return app


def test_who_reads_slowly_is_not_sent_more_than_that_and_has_a_thread_until_it_goes() -> None:
    endless = Endless()
    with serving(choosing(endless)) as (server, port), peer(port, post(b"/endless")) as slow:
        until(lambda: endless.count)
        for _ in range(20):
            called(port, LAST)
        until(lambda: len(server._connections) == 1)
        assert [known.busy for known in server._connections] == [True]
        slow.reset()
        until(lambda: not server._connections)

    assert endless.count < 1000
    assert endless.closed


def test_who_takes_nothing_of_a_stream_for_long_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(exchanges, "STALLED", 0.05)
    endless = Endless()
    with serving(choosing(endless)) as (server, port), peer(port, post(b"/endless")):
        until(lambda: endless.closed and not server._connections)

    assert endless.count < 1000


def test_who_takes_nothing_of_a_whole_answer_for_long_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(exchanges, "STALLED", 0.05)
    with serving(giving([bytes(20_000_000)])) as (server, port), peer(port, get(b"/")):
        until(lambda: any(known.unsent for known in server._connections))
        until(lambda: not server._connections)


@pytest.mark.parametrize("parts", [1, 1000], ids=["whole", "stream"])
def test_who_takes_nothing_does_not_hold_up_the_end(
    monkeypatch: pytest.MonkeyPatch, parts: int
) -> None:
    monkeypatch.setattr("contract.cli.wsgi_server.STALLED_AT_END", 0.05)
    body = (bytes(20_000_000 // parts) for _ in range(parts))
    app = giving(body, ("Content-Length", "20000000"))
    with serving(app) as (server, port), peer(port, get(b"/")):
        until(lambda: any(known.unsent for known in server._connections))
        server.stop()

        assert not server._connections


@pytest.mark.parametrize("leaves", ["reset", "close"])
def test_nothing_more_is_made_for_a_client_that_has_gone(leaves: str) -> None:
    go_on, gone = threading.Event(), threading.Event()

    def body() -> Iterator[bytes]:
        try:
            for number in range(1000):
                made.append(number)
                yield b"x"
                assert go_on.wait(PATIENCE)
        finally:
            gone.set()

    made: list[int] = []
    with serving(giving(body())) as (server, port), peer(port, get(b"/")) as each:
        each.head()
        each.chunk()
        getattr(each, leaves)()
        until(lambda: any(known.parked for known in server._connections))
        go_on.set()
        assert gone.wait(PATIENCE)

    assert made == [0, 1]


# The stream that it reads.


def echoing(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    start_response("200 OK", [("X-Path", environ["PATH_INFO"])])
    return [environ["wsgi.input"].read()]


def passes_on(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
    """An app that sends the body back while it reads it."""
    start_response("200 OK", [])
    while read := environ["wsgi.input"].read(3):
        yield read


def test_a_large_body_is_read_while_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "_AHEAD", 3)
    got: list[bytes] = []

    def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        got.extend(environ["wsgi.input"])
        start_response("200 OK", [])
        return []

    with serving(app) as (_, port), peer(port, post(b"/", CHUNKED, CLOSE)) as each:
        each.send(chunk(b"a\nb\n"))
        until(lambda: got == [b"a\n", b"b\n"])
        each.send(chunk(b"c"))
        each.send(chunk(b"\n") + chunk(b"d") + chunk(b""))
        answer = each.rest()

    assert (answer[:12], got) == (b"HTTP/1.1 200", [b"a\n", b"b\n", b"c\n", b"d"])


def test_an_app_may_answer_while_it_reads_the_whole_body(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "_AHEAD", 3)
    with serving(passes_on) as (_, port), peer(port, post(b"/", CHUNKED)) as each:
        each.send(chunk(b"abc"))
        each.head()
        got = [each.chunk()]
        for part in (b"def", b"ghi"):
            each.send(chunk(part))
            got.append(each.chunk())
        each.send(chunk(b""))
        got.append(each.chunk())
        again = each.ask(post(b"/", LENGTH, body=b"body"))

    assert got == [b"abc", b"def", b"ghi", b""]
    assert body_of(again) == b"body"


def test_who_waits_for_a_100_is_sent_it_when_the_app_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a body that has not come before the app is called."""
    own = WsgiApp(service_of(spec(routes=routes(ping)), Options(prefix="/own")))
    head = post(b"/own/x", LENGTH, b"Expect: 100-continue")
    with serving(echoing, own) as (_, port), peer(port, head) as each:
        assert each.answer() == b"HTTP/1.1 100 Continue\r\n\r\n"
        assert body_of(each.ask(b"body")) == b"body"


@route(summary="s", tags=["t"], auth="none")
def ping(input: None, ctx: None) -> None:
    return None


def test_the_rest_of_a_body_that_an_app_has_not_read_is_no_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tasks, "_AHEAD", 3)
    with serving(giving(Parts(b"a", b"b"))) as (_, port), peer(port) as each:
        first = each.ask(post(b"/", b"Content-Length: 5000", body=b"abc"))
        second = each.ask(b"x" * 4997 + get(b"/"))

    assert [body_of(answer) for answer in (first, second)] == [b"ab", b""]


def refusals(found: list[str]) -> Callable[..., Any]:
    def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        try:
            environ["wsgi.input"].read()
        except Refused as refused:
            found.append(refused.code)
            raise
        raise NotImplementedError

    return app


def test_a_large_body_whose_client_goes_away_is_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "_AHEAD", 3)
    found: list[str] = []
    with serving(refusals(found)) as (server, port):
        with peer(port, post(b"/", b"Content-Length: 9", body=b"abc")):
            until(lambda: any(known.busy for known in server._connections))
        until(lambda: not server._connections)

    assert found == ["BAD_REQUEST"]


@rows("after", b"", b"d")
def test_a_large_body_that_stalls_is_no_end(monkeypatch: pytest.MonkeyPatch, after: bytes) -> None:
    monkeypatch.setattr(tasks, "_AHEAD", 3)
    own = WsgiApp(
        service_of(
            spec(routes=routes(ping)), Options(prefix="/own", limits=Limits(read_seconds=0.05))
        )
    )
    found: list[str] = []
    head = post(b"/", b"Content-Length: 9", body=b"abc")
    with serving(refusals(found), own) as (_, port), peer(port, head) as each:
        each.send(after)
        answer = each.answer()

    assert found == ["REQUEST_TIMEOUT"]
    assert body_of(answer) == b'{"error":"REQUEST_TIMEOUT"}'


def test_a_large_body_that_is_wrong_is_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "_AHEAD", 3)
    found: list[str] = []
    with serving(refusals(found)) as (server, port), peer(port, post(b"/", CHUNKED)) as each:
        each.send(chunk(b"abc"))
        until(lambda: any(known.busy for known in server._connections))
        each.send(b"zz\r\n")
        answer = each.rest()

    assert found == ["BAD_REQUEST"]
    assert b"not valid HTTP" in body_of(answer)


def test_a_body_that_comes_too_slowly_is_not_waited_for_by_the_app() -> None:
    own = WsgiApp(
        service_of(
            spec(routes=routes(ping)), Options(prefix="/own", limits=Limits(read_seconds=0.05))
        )
    )
    with serving(echoing, own) as (_, port), peer(port, post(b"/", LENGTH, body=b"bo")) as each:
        answer = each.answer()

    assert answer.startswith(b"HTTP/1.1 408 ")
    assert body_of(answer) == b'{"error":"REQUEST_TIMEOUT"}'
    assert b"\r\nconnection: close\r\n" in answer
