"""Connections of synchronous workers: what clients may send, in what order, and how long they may take."""

from __future__ import annotations

import gc
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import orjson
import pytest

from contract import emit_contract, route, routes, spec
from contract.adapters.mount import service_of
from contract.adapters.wsgi import WsgiApp
from contract.call.mount_options import Options
from contract.cli import bodies, exchanges
from contract.cli.app_calls import AppCall
from contract.cli.direct_calls import Call
from contract.cli.signals import Draining
from contract.cli.socket_connections import SocketConnection
from tests.cli_servers import PATIENCE, until
from tests.http_requests import (
    CHUNKED,
    CLOSE,
    HOSTS,
    INVALID,
    JSON,
    LARGE_HEADERS,
    LAST,
    LENGTH,
    MISNAMED,
    MUCH_AROUND_A_BODY,
    NO_HEADERS,
    NO_HOSTS,
    NO_REQUESTS,
    ONLY_REFUSED,
    UNADDRESSED,
    UNSUPPORTED,
    VERSIONS,
    WRONG_BODIES,
    body_of,
    chunk,
    named,
    post,
)
from tests.oracle import is_valid
from tests.served import called, peer, rest_of, serving
from tests.tables import rows

GATE = threading.Event()


@pytest.fixture(autouse=True)
def gate() -> Iterator[None]:
    """What /slow and /own/late wait for."""
    GATE.clear()
    yield
    GATE.set()


@route(summary="Ping", tags=["x"], auth="none")
def ping(input: None, ctx: None) -> None:
    return None


OWN = WsgiApp(service_of(spec(routes=routes(ping)), Options(prefix="/own")))
"""Nothing of it is called: for paths below /own, an app is called without a body."""


def echo(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """Answers with the body; below /own without it, and where the path says so, when the test does."""
    path = environ["PATH_INFO"]
    body = b"" if path.startswith("/own") else environ["wsgi.input"].read()
    if path in ("/slow", "/own/late"):
        assert GATE.wait(PATIENCE)
    seen = [("X-Seen", value) for name, value in environ.items() if name == "HTTP_X_TRAILER"]
    start_response("200 OK", [("X-Version", environ["SERVER_PROTOCOL"][5:]), *seen])
    return [body]


def echoing(**options: Any) -> Any:
    return serving(echo, OWN, **options)


# What is not a request.


@rows(
    "data",
    *NO_REQUESTS,
    *(post(path, header) for path in (b"/own/blind", b"/own/ping") for header in NO_HEADERS),
)
def test_what_is_not_a_request_is_refused_and_ends_its_connection(data: bytes) -> None:
    with echoing() as (_, port):
        answer = rest_of(port, data + LAST)

    assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert answer.endswith(b"\r\n\r\n" + INVALID)
    assert answer.count(b"HTTP/1.1") == 1
    assert b"\r\nconnection: close\r\n" in answer
    assert b"\r\nx-content-type-options: nosniff\r\n" in answer
    assert b"\r\nx-request-id: " in answer


@rows("data", *WRONG_BODIES)
def test_a_wrong_body_is_refused_and_ends_its_connection(data: bytes) -> None:
    with echoing() as (_, port):
        answer = rest_of(port, data + LAST)

    assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert answer.endswith(b"\r\n\r\n" + INVALID)
    assert answer.count(b"HTTP/1.1") == 1
    assert b"\r\nconnection: close\r\n" in answer


@pytest.mark.parametrize("path", [b"/", b"/own/ping", b"/own/contract.json", b"/own/blind"])
@rows("hosts, version, is_wrong", *HOSTS)
def test_a_request_names_one_host(
    hosts: tuple[bytes, ...], version: bytes, is_wrong: bool, path: bytes
) -> None:
    """RFC 9112, section 3.2."""
    with echoing() as (_, port):
        answer = rest_of(port, named(path, version, *hosts))

    assert answer.endswith(UNADDRESSED) is is_wrong
    assert answer.startswith(b"HTTP/1.1 400 ") is is_wrong
    assert b"\r\nconnection: close\r\n" in answer


@rows("host", *NO_HOSTS)
@rows("version", b"1.0", b"1.1")
def test_a_request_names_a_host_that_may_be_one(host: bytes, version: bytes) -> None:
    """RFC 9112, section 3.2."""
    with echoing() as (_, port):
        answer = rest_of(port, named(b"/", version, host))

    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.endswith(MISNAMED)


@rows("host", b"a,b", b"[::1]:8000", b"a_b.example:80", b"a%20b")
def test_a_host_may_have_many_forms(host: bytes) -> None:
    with echoing() as (_, port):
        answer = rest_of(port, named(b"/", b"1.1", host))

    assert answer.startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("space", [b" ", b"\t", b" \t "])
def test_a_header_ends_before_the_space_that_follows_it(space: bytes) -> None:
    """RFC 9110, section 5.5."""
    call = post(b"/own/ping", JSON, b"X-Request-Id: mine" + space, LENGTH + space)
    expects = post(b"/", LENGTH, b"Expect: 100-continue" + space)
    with echoing() as (_, port), peer(port, call + b"null" + expects) as each:
        answers = [each.answer(), each.answer()]

    assert answers[0].startswith(b"HTTP/1.1 200 ")
    assert b"\r\nx-request-id: mine\r\n" in answers[0]
    assert answers[1] == b"HTTP/1.1 100 Continue\r\n\r\n"


@pytest.mark.parametrize("path", [b"/", b"/own/ping"])
@rows("ending", *VERSIONS)
def test_a_request_of_another_version_is_refused(ending: bytes, path: bytes) -> None:
    line = b"GET " + path + ending + b"\r\n"
    with echoing() as (_, port):
        answer = rest_of(port, line + b"Host: x\r\nConnection: keep-alive\r\n\r\n" + LAST)

    assert answer.startswith(b"HTTP/1.1 505 ")
    assert answer.endswith(b"\r\n\r\n" + UNSUPPORTED)
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b"\r\nconnection: close\r\n" in answer


def test_an_old_connection_is_not_kept() -> None:
    head = b"POST / HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n"
    with echoing() as (_, port):
        answer = rest_of(port, head)

    assert answer.startswith(b"HTTP/1.1 200")
    assert b"\r\nX-Version: 1.0\r\n" in answer
    assert b"\r\nconnection: close\r\n" in answer


@rows("data", *LARGE_HEADERS)
def test_large_headers_are_refused(data: bytes) -> None:
    with echoing() as (_, port), peer(port) as each:
        with suppress(ConnectionError):
            each.send(data)
        answer = each.rest()

    assert answer.startswith(b"HTTP/1.1 431 Request Header Fields Too Large\r\n")
    assert b"\r\nconnection: close\r\n" in answer


@rows("chunks", *MUCH_AROUND_A_BODY)
def test_much_around_a_body_is_refused(chunks: bytes) -> None:
    with echoing() as (_, port), peer(port, post(b"/", CHUNKED)) as each:
        with suppress(ConnectionError):
            each.send(chunks)
        answer = each.rest()

    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.endswith(b'"The headers are too many or too long."}}')
    assert b"\r\nconnection: close\r\n" in answer


def test_headers_may_be_large_and_a_body_may_come_with_them() -> None:
    body = b"x" * 100_000
    in_one = post(b"/", CLOSE, b"Content-Length: 100000", body=body)
    one_chunk = post(b"/", CLOSE, CHUNKED, body=b"186a0;x=y\r\n" + body + b"\r\n0\r\n\r\n")
    with echoing() as (_, port):
        many = rest_of(port, post(b"/", CLOSE, *[b"X-Many: 1"] * 97))
        large = rest_of(port, post(b"/", CLOSE, b"X-Large: " + b"x" * 60_000))
        with_body, in_chunks = rest_of(port, in_one), rest_of(port, one_chunk)

    assert [each[:12] for each in (many, large, with_body)] == [b"HTTP/1.1 200"] * 3
    assert with_body.endswith(b"\r\n\r\n" + body)
    assert in_chunks.endswith(b"\r\n\r\n" + body)


def test_what_follows_a_body_is_no_header() -> None:
    chunks = b"4\r\nbody\r\n0\r\nX-Trailer: a\r\n\r\n"
    with echoing() as (_, port):
        answers = rest_of(port, post(b"/", CHUNKED, body=chunks) + LAST)

    assert answers.count(b"HTTP/1.1 200") == 2
    assert b"X-Seen" not in answers


@rows("target, path", (b"http://x/own/ping", b"/own/ping"), (b"http://x?a=b", b"/"))
def test_a_target_may_name_its_host(target: bytes, path: bytes) -> None:
    """RFC 9112, section 3.2.2; the host that counts is in the header."""
    seen: list[str] = []

    def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        seen.append(f"{environ['PATH_INFO']}?{environ['QUERY_STRING']}")
        return echo(environ, start_response)

    with serving(app, OWN) as (_, port):
        answer = rest_of(port, post(target, CLOSE))

    assert answer.startswith(b"HTTP/1.1 200")
    assert seen == ([] if path == b"/own/ping" else ["/?a=b"])


# Answers in order.


def test_requests_that_come_together_are_answered_in_their_order() -> None:
    asked = [post(b"/", LENGTH, body=b"%04d" % number) for number in range(20)]
    with echoing() as (_, port), peer(port, b"".join(asked)) as each:
        answers = b"".join([each.answer() for _ in asked])
        answers += each.ask(LAST)
        answers += each.rest()

    found = [part[:4] for part in answers.split(b"\r\n\r\n")[1:-1]]
    assert found == [b"%04d" % number for number in range(20)]


def test_of_very_many_requests_together_only_some_are_read() -> None:
    with echoing() as (_, port):
        answers = rest_of(port, post(b"/") * 500)

    assert 1 < answers.count(b"HTTP/1.1 200") < 100
    assert answers.count(b"\r\nconnection: close\r\n") == 1


def test_nothing_comes_between_a_request_and_its_answer() -> None:
    """What follows it is wrong, and the connection is closed after the answer."""
    with echoing() as (_, port), peer(port, post(b"/slow") + b"\0wrong\r\n\r\n") as each:
        each.send(b"and more")
        GATE.set()
        answers = each.rest()

    assert answers.startswith(b"HTTP/1.1 200")
    assert answers.count(b"HTTP/1.1") == 1


def test_a_wrong_body_gets_no_answer_that_would_be_taken_for_another() -> None:
    """Its request has its answer, or waits for that to another one."""
    with echoing() as (_, port):
        with peer(port, post(b"/own/blind", CHUNKED)) as answered:
            answered.answer()
            answered.send(b"zz\r\n")
            nothing = answered.rest()
        with peer(port, post(b"/slow") + post(b"/next", CHUNKED, body=b"zz\r\n")) as each:
            GATE.set()
            answers = [each.answer()[:12], each.answer()[:12]]
            after = each.rest()

    assert (nothing, answers, after) == (b"", [b"HTTP/1.1 200", b"HTTP/1.1 400"], b"")


def test_an_upgrade_is_not_taken() -> None:
    upgrade = (b"Connection: Upgrade, HTTP2-Settings", b"HTTP2-Settings: AAM")
    with echoing() as (_, port):
        h2 = rest_of(port, post(b"/", b"Upgrade: h2c", *upgrade, LENGTH, body=b"body") + LAST)
        websocket = rest_of(port, post(b"/", b"Upgrade: websocket", *upgrade) + LAST)
        many = rest_of(port, post(b"/", b"Upgrade: h2c", *upgrade) * 50 + LAST)

    assert h2.count(b"HTTP/1.1 200") == 2
    assert b"\r\n\r\nbodyHTTP/1.1" in h2
    assert websocket.count(b"HTTP/1.1 200") == 2
    assert many.count(b"HTTP/1.1 200") == 51


@pytest.mark.parametrize("expects", [b"Expect: 100-continue", b"expect: 100-Continue"])
def test_who_waits_for_100_gets_it_and_may_use_the_connection_again(expects: bytes) -> None:
    with echoing() as (_, port), peer(port, post(b"/", LENGTH, expects)) as each:
        first = each.answer()
        second = each.ask(b"body")
        third = each.ask(LAST)

    assert first == b"HTTP/1.1 100 Continue\r\n\r\n"
    assert second.startswith(b"HTTP/1.1 200")
    assert second.endswith(b"body")
    assert third.startswith(b"HTTP/1.1 200")


def test_who_is_answered_instead_of_a_100_may_not_use_the_connection_again() -> None:
    """Nobody knows whether the body comes."""
    with echoing() as (_, port):
        answer = rest_of(port, post(b"/own/blind", LENGTH, b"Expect: 100-continue"))

    assert answer.startswith(b"HTTP/1.1 200")
    assert b"\r\nconnection: close\r\n" in answer


def test_no_100_comes_in_the_middle_of_an_answer() -> None:
    def app(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
        start_response("200 OK", [])
        yield b"bo"
        yield environ["wsgi.input"].read()

    with (
        serving(app, OWN) as (_, port),
        peer(port, post(b"/own/blind", LENGTH, b"Expect: 100-continue")) as each,
    ):
        each.head()
        each.send(b"body")

        assert each.rest() == chunk(b"bo") + chunk(b"body") + chunk(b"")


def test_an_old_client_is_sent_no_100() -> None:
    """RFC 9110, section 10.1.1."""
    head = b"POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n"
    with echoing() as (_, port):
        answer = rest_of(port, head + b"body")

    assert answer.startswith(b"HTTP/1.1 200")


def test_answers_have_a_date_and_name_no_server() -> None:
    with echoing() as (_, port):
        answer = rest_of(port, LAST).lower()

    assert answer.count(b"\r\ndate: ") == 1
    assert b"server" not in answer


def test_the_date_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    with echoing() as (_, port):
        monkeypatch.setattr(exchanges, "time", lambda: 0.0)
        answers = until(lambda: b" 1970 00:00:00 GMT" in called(port, LAST))

    assert answers


# Time.


@rows(
    "data",
    b"",
    b"POST / HTTP/1.1\r\nX-Slow: ",
    post(b"/") + b"POST / HTTP/1.1\r\nX-Slow: ",
    post(b"/own/blind", b"Content-Length: 9999"),
    post(b"/own/blind", CLOSE, b"Content-Length: 9999"),
    b"wrong\r\n\r\n",
)
def test_a_connection_that_brings_no_request_is_closed(data: bytes) -> None:
    """Though a byte comes now and then."""
    with echoing(seconds=0.2) as (server, port), peer(port, data) as each:
        until(lambda: server._connections)

        def is_closed() -> bool:
            with suppress(ConnectionError):
                each.send(b"x" if data else b"")
            return not server._connections

        until(is_closed, pause=0.01)
        assert each.rest().count(b"HTTP/1.1") < 2


def test_the_time_of_a_call_is_not_that_of_its_client() -> None:
    with echoing(seconds=0.05) as (server, port), peer(port, post(b"/slow")) as each:
        until(lambda: any(known.busy for known in server._connections))
        with peer(port) as idle:
            assert idle.rest() == b"", "the time of another one has come to its end meanwhile"
        GATE.set()

        assert each.answer().startswith(b"HTTP/1.1 200")


def test_what_is_left_of_a_body_may_come_and_another_request_after_it() -> None:
    with echoing() as (_, port), peer(port, post(b"/own/blind", LENGTH, body=b"b")) as each:
        first = each.answer()
        each.send(b"ody" + LAST)
        second = each.rest()

    assert [answer[:12] for answer in (first, second)] == [b"HTTP/1.1 200"] * 2


@rows(
    "line, draining",
    (CLOSE, False),
    (b"Accept: */*", True),
    (b"Expect: 100-continue", False),
)
def test_who_still_sends_a_body_when_its_answer_closes_the_connection_can_read_that(
    line: bytes, draining: bool
) -> None:
    """Proxies such as nginx ask for a connection that closes, and send all of the body first."""
    body = b"x" * 4_000_000
    head = post(b"/own/blind", line, b"Content-Length: %d" % len(body))
    ending = Draining()
    ending.on = draining
    with echoing(draining=ending) as (server, port):
        with peer(port, head) as each:
            until(lambda: any(known.is_deaf for known in server._connections))
            each.send(body)
            answer = each.file.read()
        until(lambda: not server._connections)

    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b"\r\nconnection: close\r\n" in answer


def test_a_body_for_which_there_was_no_room_is_taken_after_the_answer() -> None:
    body = b"x" * 4_000_000
    head = post(b"/own/late", CLOSE, b"Content-Length: %d" % len(body))
    with echoing() as (server, port), peer(port, head) as each:
        sending = threading.Thread(target=each.send, args=(body,), daemon=True)
        sending.start()
        until(lambda: any(known.parked for known in server._connections))
        GATE.set()
        answer = each.rest()
        sending.join(PATIENCE)

    assert answer.startswith(b"HTTP/1.1 200 ")
    assert not sending.is_alive()


def test_nothing_that_comes_behind_the_last_answer_is_read() -> None:
    head = post(b"/own/blind", CLOSE, b"Content-Length: 9999")
    with echoing() as (server, port), peer(port, head) as each:
        first = each.answer()
        each.send(b"x" * 9999 + LAST)

        assert (first[:12], each.rest()) == (b"HTTP/1.1 200", b"")
        each.close()
        until(lambda: not server._connections)


def test_a_request_behind_the_last_answer_is_not_begun() -> None:
    asked: list[str] = []

    def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        asked.append(environ["PATH_INFO"])
        return echo(environ, start_response)

    together = post(b"/own/late", b"Connection: close", LENGTH, body=b"body") + post(b"/own/blind")
    with serving(app, OWN) as (_, port), peer(port, together) as each:
        until(lambda: asked)
        GATE.set()
        answers = each.rest()

    assert (answers.count(b"HTTP/1.1 200 "), asked) == (1, ["/own/late"])


def test_a_client_that_says_no_more_gets_its_answer() -> None:
    with echoing() as (server, port), peer(port, post(b"/slow", LENGTH, body=b"body")) as each:
        each.socket.shutdown(socket.SHUT_WR)
        until(lambda: any(known.parked for known in server._connections))
        GATE.set()
        answer = each.rest()

    assert answer.endswith(b"\r\n\r\nbody")


def test_a_body_that_ends_too_early_is_refused() -> None:
    with echoing() as (server, port), peer(port, post(b"/", LENGTH, body=b"bo")) as each:
        each.socket.shutdown(socket.SHUT_WR)
        answer = each.rest()
        until(lambda: not server._connections)

    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"\r\nconnection: close\r\n" in answer
    assert b"went away" in answer


def test_a_client_that_breaks_its_connection_off_is_forgotten() -> None:
    with echoing() as (server, port):
        for data in (b"", post(b"/", LENGTH, body=b"bo"), post(b"/slow")):
            with peer(port, data) as each:
                until(lambda: server._connections)
                each.reset()
            GATE.set()
            until(lambda: not server._connections)

        assert rest_of(port, LAST).startswith(b"HTTP/1.1 200 ")


# What is sent.


def large(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """An answer for which no socket has room."""
    start_response("200 OK", [])
    return [b"x" * 20_000_000]


def test_an_answer_that_a_client_reads_slowly_holds_no_thread() -> None:
    with serving(large, threads=1) as (server, port), peer(port, post(b"/") + LAST) as slow:
        until(lambda: any(known.unsent for known in server._connections))
        for _ in range(3):
            assert len(called(port, LAST)) > 20_000_000
        first, second = slow.answer(), slow.rest()

    assert [len(body_of(each)) for each in (first, second)] == [20_000_000] * 2


def test_a_client_that_goes_away_in_the_middle_of_an_answer_is_forgotten() -> None:
    with serving(large) as (server, port), peer(port, post(b"/") + LAST) as each:
        until(lambda: any(known.unsent for known in server._connections))
        each.reset()
        until(lambda: not server._connections)


# The memory.


def alive(*kinds: type) -> set[int]:
    """The ids of all objects of these *kinds*."""
    return {id(each) for each in gc.get_objects() if type(each) in kinds}


WHOLE = (post(b"/"), post(b"/own/ping", JSON, LENGTH, body=b"null"), post(b"/stream"))


@rows(
    "data, is_whole",
    *((data, True) for data in WHOLE),
    (post(b"/own/blind", LENGTH), False),
    (post(b"/own/blind", CLOSE, LENGTH), False),
    (post(b"/", CHUNKED, body=b"zz\r\n"), False),
)
def test_nothing_is_left_of_a_request_nor_of_a_connection(data: bytes, is_whole: bool) -> None:
    """Nor do its objects hold each other: the collector of garbage does not have to run."""

    def app(environ: dict[str, Any], start_response: Any) -> Any:
        body = echo(environ, start_response)
        return body if environ["PATH_INFO"] != "/stream" else iter(body)

    requests: Any = (exchanges.Exchange, bodies.Body, AppCall, Call)
    with serving(app, OWN) as (server, port), peer(port) as other:
        other.ask(ended := post(b"/"))
        gc.collect()
        before = alive(*requests, SocketConnection)  # this one, and what other tests have left
        gc.disable()
        try:
            with peer(port, data) as each:
                each.answer()
                if is_whole:  # what comes next takes the place of what a thread had last
                    until(lambda: other.ask(ended) and not alive(*requests) - before)
            until(lambda: len(server._connections) == 1)
            until(lambda: other.ask(ended) and not alive(*requests) - before)
            until(lambda: other.ask(ended) and not alive(SocketConnection) - before)
        finally:
            gc.enable()


@rows("data, status", *ONLY_REFUSED)
def test_an_answer_that_no_app_gives_is_one_of_the_contract(data: bytes, status: int) -> None:
    """Its data are required there, so generated clients take none without them for it."""
    with echoing() as (_, port):
        head, body = rest_of(port, data + LAST).split(b"\r\n\r\n")

    told = orjson.loads(emit_contract(spec(routes=[ping])))["errors"]["BAD_REQUEST"]
    answer = orjson.loads(body)
    assert head.startswith(b"HTTP/1.1 %d " % status)
    assert (answer["error"], told["data_required"]) == ("BAD_REQUEST", True)
    assert is_valid(told["data"], answer["data"])
