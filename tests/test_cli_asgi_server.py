"""The server of async apps: what clients may send it, how long they may take, and how it stops."""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import signal
import socket
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson
import pytest

from contract import emit_contract, route, spec
from contract.cli.asgi_server import Server
from contract.cli.bounds import Bounds
from contract.cli.signals import Draining
from tests.cli_apps import ASYNC_SHOP
from tests.cli_inside import having
from tests.cli_servers import PATIENCE, running
from tests.http_requests import (
    CHUNKED,
    CLOSE,
    HOSTS,
    INVALID,
    LARGE_HEADERS,
    LAST,
    LENGTH,
    MISNAMED,
    MUCH_AROUND_A_BODY,
    NO_HOSTS,
    NO_REQUESTS,
    ONLY_REFUSED,
    UNADDRESSED,
    UNSUPPORTED,
    VERSIONS,
    WRONG_BODIES,
    named,
    post,
)
from tests.oracle import is_valid
from tests.served_on_loop import GATE, LONG, echo, peer, rest_of, serving, until
from tests.tables import rows

# What is not a request.


@rows("data", *NO_REQUESTS, *WRONG_BODIES)
async def test_what_is_not_a_request_is_refused_and_ends_its_connection(data: bytes) -> None:
    async with serving() as (_, port):
        answer = await rest_of(port, data + LAST)

    assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert answer.endswith(b"\r\n\r\n" + INVALID)
    assert answer.count(b"HTTP/1.1") == 1
    assert b"\r\nconnection: close\r\n" in answer
    assert b"\r\nx-content-type-options: nosniff\r\n" in answer
    assert b"\r\nx-request-id: " in answer


@rows("hosts, version, is_wrong", *HOSTS)
async def test_a_request_names_one_host(
    hosts: tuple[bytes, ...], version: bytes, is_wrong: bool
) -> None:
    """RFC 9112, section 3.2."""
    async with serving() as (_, port):
        answer = await rest_of(port, named(b"/", version, *hosts))

    assert answer.endswith(UNADDRESSED) is is_wrong
    assert answer.startswith(b"HTTP/1.1 400 ") is is_wrong
    assert b"\r\nconnection: close\r\n" in answer


async def test_a_refused_head_has_no_body() -> None:
    """RFC 9110, section 9.3.2."""
    async with serving() as (_, port):
        answer = await rest_of(port, b"HEAD / HTTP/1.1\r\n\r\n")

    assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert answer.endswith(b"\r\n\r\n")


@rows("host", *NO_HOSTS)
async def test_a_request_names_a_host_that_may_be_one(host: bytes) -> None:
    async with serving() as (_, port):
        answer = await rest_of(port, named(b"/", b"1.1", host))

    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.endswith(MISNAMED)


@rows("ending", *VERSIONS)
async def test_a_request_of_another_version_is_refused(ending: bytes) -> None:
    line = b"GET /" + ending + b"\r\n"
    async with serving() as (_, port):
        answer = await rest_of(port, line + b"Host: x\r\nConnection: keep-alive\r\n\r\n" + LAST)

    assert answer.startswith(b"HTTP/1.1 505 ")
    assert answer.endswith(b"\r\n\r\n" + UNSUPPORTED)
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b"\r\nconnection: close\r\n" in answer


async def test_an_old_connection_is_not_kept() -> None:
    head = b"POST / HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n"
    async with serving() as (_, port):
        answer = await rest_of(port, head)

    assert answer.startswith(b"HTTP/1.1 200")
    assert b"\r\nx-version: 1.0\r\n" in answer
    assert b"\r\nconnection: close\r\n" in answer


@rows("data", *LARGE_HEADERS)
async def test_large_headers_are_refused(data: bytes) -> None:
    async with serving() as (_, port), peer(port) as each:
        with suppress(ConnectionError):
            await each.send(data)
        answer = await each.rest()

    assert answer.startswith(b"HTTP/1.1 431 Request Header Fields Too Large\r\n")
    assert b"\r\nconnection: close\r\n" in answer


@rows("chunks", *MUCH_AROUND_A_BODY)
async def test_much_around_a_body_is_refused(chunks: bytes) -> None:
    async with serving() as (_, port), peer(port, post(b"/", CHUNKED)) as each:
        with suppress(ConnectionError):
            await each.send(chunks)
        answer = await each.rest()

    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.endswith(b'"The headers are too many or too long."}}')
    assert b"\r\nconnection: close\r\n" in answer


async def test_headers_may_be_large_and_a_body_may_come_with_them() -> None:
    body = b"x" * 100_000
    in_one = post(b"/", CLOSE, b"Content-Length: 100000", body=body)
    one_chunk = post(b"/", CLOSE, CHUNKED, body=b"186a0;x=y\r\n" + body + b"\r\n0\r\n\r\n")
    async with serving() as (_, port):
        many = await rest_of(port, post(b"/", CLOSE, *[b"X-Many: 1"] * 97))
        large = await rest_of(port, post(b"/", CLOSE, b"X-Large: " + b"x" * 60_000))
        with_body, in_chunks = await rest_of(port, in_one), await rest_of(port, one_chunk)

    assert [each[:12] for each in (many, large, with_body)] == [b"HTTP/1.1 200"] * 3
    assert with_body.endswith(b"\r\n\r\n" + body)
    assert in_chunks.endswith(b"\r\n\r\n" + body)


async def test_what_follows_a_body_is_no_header() -> None:
    chunks = b"4\r\nbody\r\n0\r\nX-Trailer: a\r\n\r\n"
    async with serving() as (_, port):
        answers = await rest_of(port, post(b"/", CHUNKED, body=chunks) + LAST)

    assert answers.count(b"HTTP/1.1 200") == 2
    assert b"x-seen" not in answers


# Answers in order.


async def test_requests_that_come_together_are_answered_in_their_order() -> None:
    asked = [post(b"/", LENGTH, body=b"%04d" % number) for number in range(20)]
    async with serving() as (_, port), peer(port, b"".join(asked)) as each:
        answers = b"".join([await each.answer() for _ in asked])
        await each.send(LAST)
        answers += await each.rest()

    found = [part[:4] for part in answers.split(b"\r\n\r\n")[1:-1]]
    assert found == [b"%04d" % number for number in range(20)]


async def test_of_very_many_requests_together_only_some_are_read() -> None:
    async with serving() as (_, port):
        answers = await rest_of(port, post(b"/") * 500)

    assert 1 < answers.count(b"HTTP/1.1 200") < 100
    assert answers.count(b"\r\nconnection: close\r\n") == 1


async def test_nothing_comes_between_a_request_and_its_answer() -> None:
    """What follows it is wrong, and the connection is closed after the answer."""
    async with serving() as (_, port), peer(port, post(b"/slow") + b"\0wrong\r\n\r\n") as each:
        await each.send(b"and more")
        GATE.go_on.set()
        answers = await each.rest()

    assert answers.startswith(b"HTTP/1.1 200")
    assert answers.count(b"HTTP/1.1") == 1


async def test_a_wrong_body_gets_no_answer_that_would_be_taken_for_another() -> None:
    """Its request has its answer, or waits for that to another one."""
    async with serving() as (_, port):
        async with peer(port, post(b"/blind", CHUNKED)) as answered:
            await answered.answer()
            await answered.send(b"zz\r\n")
            nothing = await answered.rest()
        together = post(b"/slow") + post(b"/next", CHUNKED, body=b"zz\r\n")
        async with peer(port, together) as each:
            GATE.go_on.set()
            answers = [(await each.answer())[:12], (await each.answer())[:12]]
            after = await each.rest()

    assert (nothing, answers, after) == (b"", [b"HTTP/1.1 200", b"HTTP/1.1 400"], b"")


async def test_the_calls_of_a_client_that_has_gone_are_told() -> None:
    """All of those that were sent together, and not only the last."""
    told: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            raise NotImplementedError
        await receive()
        event = await receive()
        told.append(f"{scope['path']} {event['type']}")

    async with serving(app) as (server, port):
        async with peer(port, post(b"/one") + post(b"/two")):
            await until(lambda: server.running)
        await until(lambda: not (server.connections or server.running))

    assert told == ["/one http.disconnect"]


async def test_an_upgrade_is_not_taken() -> None:
    upgrade = (b"Connection: Upgrade, HTTP2-Settings", b"HTTP2-Settings: AAM")
    async with serving() as (_, port):
        h2 = await rest_of(port, post(b"/", b"Upgrade: h2c", *upgrade, LENGTH, body=b"body") + LAST)
        websocket = await rest_of(port, post(b"/", b"Upgrade: websocket", *upgrade) + LAST)

    assert h2.count(b"HTTP/1.1 200") == 2
    assert b"\r\n\r\nbodyHTTP/1.1" in h2
    assert websocket.count(b"HTTP/1.1 200") == 2


async def test_who_waits_for_100_gets_it_and_may_use_the_connection_again() -> None:
    head = post(b"/", LENGTH, b"Expect: 100-continue")
    async with serving() as (_, port), peer(port, head) as each:
        first = await each.answer()
        second = await each.ask(b"body")
        third = await each.ask(post(b"/"))

    assert first == b"HTTP/1.1 100 Continue\r\n\r\n"
    assert second.endswith(b"\r\n\r\nbody")
    assert third.startswith(b"HTTP/1.1 200")


async def test_who_is_answered_instead_of_a_100_may_not_use_the_connection_again() -> None:
    """An app that refuses the headers has not read the body, which may come or not."""
    async with serving() as (_, port):
        answer = await rest_of(port, post(b"/blind", LENGTH, b"Expect: 100-continue"))

    assert answer.startswith(b"HTTP/1.1 200")
    assert b"\r\nconnection: close\r\n" in answer


async def test_answers_have_a_date_and_name_no_server() -> None:
    async with serving() as (_, port):
        answer = (await rest_of(port, LAST)).lower()

    assert b"\r\ndate: " in answer
    assert b"server" not in answer


# Time.


@rows(
    "data",
    b"",
    b"POST / HTTP/1.1\r\nX-Slow: ",
    post(b"/") + b"POST / HTTP/1.1\r\nX-Slow: ",
    post(b"/blind", b"Content-Length: 9999"),
    post(b"/blind", CLOSE, b"Content-Length: 9999"),
    b"wrong\r\n\r\n",
)
async def test_a_connection_that_brings_no_request_is_closed(data: bytes) -> None:
    """Though a byte comes now and then."""
    async with serving(seconds=0.2) as (_, port), peer(port, data) as each:
        reading = asyncio.create_task(each.rest())
        while not reading.done():
            with suppress(ConnectionError):
                await each.send(b"x" if data else b"")
            await asyncio.wait({reading}, timeout=0.01)

        assert reading.result().count(b"HTTP/1.1") < 2


async def test_the_time_of_a_call_is_not_that_of_its_client() -> None:
    """While a call runs, no timer does."""
    async with serving() as (server, port), peer(port, post(b"/slow")) as each:
        await until(lambda: server.running)
        [connection] = server.connections
        during = connection.until
        GATE.go_on.set()
        await each.answer()
        after = connection.until

    assert during is None
    assert after is not None


async def test_what_is_left_of_a_body_may_come_and_another_request_after_it() -> None:
    async with serving() as (_, port), peer(port, post(b"/blind", LENGTH, body=b"b")) as each:
        first = await each.answer()
        await each.send(b"ody" + LAST)
        second = await each.rest()

    assert [answer[:12] for answer in (first, second)] == [b"HTTP/1.1 200"] * 2


@rows(
    "line, draining",
    (CLOSE, False),
    (b"Accept: */*", True),
    (b"Expect: 100-continue", False),
)
async def test_who_still_sends_a_body_when_its_answer_closes_the_connection_can_read_that(
    line: bytes, draining: bool
) -> None:
    """Proxies such as nginx ask for a connection that closes, and send all of the body first."""
    body = b"x" * 4_000_000
    head = post(b"/blind", line, b"Content-Length: %d" % len(body))
    ending = Draining()
    ending.on = draining
    async with serving(draining=ending) as (server, port):
        async with peer(port, head) as each:
            await until(lambda: answered(server))
            await each.send(body)
            answer = await each.reader.read()
        await until(lambda: not server.connections)

    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b"\r\nconnection: close\r\n" in answer


async def test_a_body_for_which_there_was_no_room_is_taken_after_the_answer() -> None:
    body = b"x" * 4_000_000
    head = post(b"/late", CLOSE, b"Content-Length: %d" % len(body))
    async with serving() as (server, port), peer(port, head) as each:
        sending = asyncio.create_task(each.send(body))
        await until(lambda: any(connection._is_paused for connection in server.connections))
        GATE.go_on.set()
        answer = await each.rest()
        await asyncio.wait_for(sending, PATIENCE)

    assert answer.startswith(b"HTTP/1.1 200 ")


async def test_nothing_that_comes_behind_the_last_answer_is_read() -> None:
    head = post(b"/blind", CLOSE, b"Content-Length: 9999")
    async with serving() as (server, port), peer(port, head) as each:
        first = await each.answer()
        await each.send(b"x" * 9999 + LAST)

        assert (first[:12], await each.rest()) == (b"HTTP/1.1 200", b"")
        each.writer.close()
        await until(lambda: not server.connections)


async def test_a_connection_that_has_ended_leaves_nothing_behind() -> None:
    heads = [post(b"/"), post(b"/blind", LENGTH), post(b"/blind", CLOSE, LENGTH)]
    async with serving() as (server, port):
        await rest_of(port, post(b"/", CLOSE))
        gc.collect()
        gc.disable()
        try:
            for head in heads:
                async with peer(port, head) as each:
                    await each.answer()
                    [known] = server.connections
                    left = weakref.ref(known.exchanges)
                    del known
                await until(lambda: not server.connections)
                for _ in range(50):  # the loop lets go of what it has called
                    await asyncio.sleep(0)

                assert left() is None
        finally:
            gc.enable()


async def test_a_request_behind_the_last_answer_is_not_begun() -> None:
    asked: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        asked.append(scope["path"] if scope["type"] == "http" else "")
        await echo(scope, receive, send)

    together = post(b"/slow", CLOSE) + post(b"/blind", LENGTH)
    async with serving(app) as (_, port), peer(port, together) as each:
        await until(lambda: asked[1:])
        GATE.go_on.set()
        answers = await each.rest()

    assert (answers.count(b"HTTP/1.1 200 "), asked[1:]) == (1, ["/slow"])


async def test_the_end_does_not_wait_for_the_rest_of_a_body_for_long() -> None:
    head = post(b"/blind", b"Content-Length: 9999")
    async with serving(seconds=0.2) as (server, port), peer(port, head) as each:
        await each.answer()
        signal.raise_signal(signal.SIGTERM)

        assert await each.rest() == b""
        await until(lambda: not server.connections)


def answered(server: Server) -> bool:
    """Whether a request has been answered."""
    return any(each.is_hung_up for each in server.connections)


async def test_who_reads_slowly_is_not_sent_more_than_that() -> None:
    sent: list[int] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            raise NotImplementedError
        await send({"type": "http.response.start", "status": 200})
        for number in range(1000):
            sent.append(number)
            await send({"type": "http.response.body", "body": b"x" * 65_536, "more_body": True})

    async with serving(app) as (server, port), peer(port, LAST) as each:
        count = -1
        while count != len(sent):
            count = len(sent)
            await asyncio.sleep(0.1)
        few = len(sent)
        each.writer.transport.abort()
        await until(lambda: not server.connections)

    assert few < 1000


# Connections.


async def test_no_more_connections_are_served_than_allowed() -> None:
    async with serving(most=2) as (server, port), peer(port) as one, peer(port) as two:
        await one.ask(post(b"/"))
        await two.ask(post(b"/"))
        async with peer(port, LAST) as third:
            waits = asyncio.create_task(third.rest())
            await asyncio.wait({waits}, timeout=0.1)
            held = len(server.connections), waits.done()
            one.writer.close()
            answer = await waits

    assert held == (2, False)
    assert answer.startswith(b"HTTP/1.1 200")


async def test_a_worker_that_was_replaced_accepts_nothing_more() -> None:
    async with serving() as (server, port), peer(port) as kept:
        await kept.ask(post(b"/"))
        server.turn_away()
        async with peer(port, LAST) as late:
            waits = asyncio.create_task(late.rest())
            await asyncio.wait({waits}, timeout=0.1)
            still = waits.done()
            await kept.send(LAST)
            assert (await kept.rest()).startswith(b"HTTP/1.1 200")
            signal.raise_signal(signal.SIGTERM)
            await waits

    assert not still


class Scarce(socket.socket):
    """A listening socket for whose connections there is no descriptor, or no client any more."""

    def __init__(self, listening: socket.socket, *errors: OSError) -> None:
        super().__init__(fileno=listening.detach())
        self.errors = list(errors)

    def accept(self) -> tuple[socket.socket, Any]:
        if self.errors:
            raise self.errors.pop(0)
        return super().accept()


async def test_a_connection_that_is_not_accepted_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    scarce = OSError(errno.EMFILE, "Too many open files")
    errors = (scarce, BlockingIOError(), ConnectionAbortedError())
    create = socket.create_server
    monkeypatch.setattr(socket, "create_server", lambda where: Scarce(create(where), *errors))
    monkeypatch.setattr("contract.cli.asgi_server.PAUSE", 0.01)
    with caplog.at_level(logging.ERROR, "contract.errors"):
        async with serving() as (_, port):
            answer = await rest_of(port, LAST)

    assert answer.startswith(b"HTTP/1.1 200")
    assert [record.message for record in caplog.records] == ["a connection could not be accepted"]


# The end.


async def test_while_the_worker_drains_each_answer_closes_its_connection() -> None:
    draining = Draining()
    async with serving(draining=draining) as (_, port), peer(port, post(b"/")) as each:
        before = await each.answer()
        draining.on = True
        await each.send(post(b"/"))
        after = await each.rest()

    assert b"connection" not in before
    assert b"\r\nconnection: close\r\n" in after


async def test_calls_are_finished_and_connections_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of connections whose request has not been read, too."""
    monkeypatch.setattr("contract.cli.asgi_server.NEW", LONG)  # however busy the machine is
    lived: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "lifespan":
            return await echo(scope, receive, send)
        while True:
            event = await receive()
            lived.append(event["type"])
            await send({"type": f"{event['type']}.complete"})
            if event["type"] == "lifespan.shutdown":
                return None

    async with serving(app) as (server, port):
        async with peer(port, post(b"/slow")) as busy, peer(port) as new, peer(port) as idle:
            await idle.ask(post(b"/"))
            await until(lambda: len(server.connections) == 3)
            signal.raise_signal(signal.SIGTERM)
            await new.send(post(b"/"))
            first = await new.rest()
            idle_rest = await idle.rest()
            GATE.go_on.set()
            second = await busy.rest()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", port)

    assert (idle_rest, [answer[:12] for answer in (first, second)]) == (b"", [b"HTTP/1.1 200"] * 2)
    assert b"\r\nconnection: close\r\n" in second
    assert lived == ["lifespan.startup", "lifespan.shutdown"]


async def test_a_connection_without_a_request_does_not_hold_the_end_up() -> None:
    async with serving() as (server, port), peer(port) as each:
        await until(lambda: server.connections)
        signal.raise_signal(signal.SIGTERM)

        assert await each.rest() == b""


def test_an_app_that_does_not_start_up_ends_its_worker(caplog: pytest.LogCaptureFixture) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "lifespan.startup.failed", "message": "no database"})

    async def serve(listening: socket.socket, bounds: Bounds) -> None:
        await Server(app, (), listening, bounds, Draining()).serve(lambda: None)

    with socket.create_server(("127.0.0.1", 0)) as listening, pytest.raises(SystemExit) as ended:
        asyncio.run(serve(listening, Bounds(1, LONG)))

    assert (ended.value.code, "no database" in caplog.text) == (1, True)


@pytest.mark.measured
def test_a_worker_serves_on_such_a_server(tmp_path: Path) -> None:
    with running("serve", "shop:api", cwd=having(tmp_path, ASYNC_SHOP)) as server:
        assert server.post("/order", b'{"product_id": "p1"}').status == 200
        assert server.stop() == 0
        assert "uvicorn" not in server.text()


JAMMED = """
import asyncio
import threading
from contract import route, spec


def fail(thread: threading.Thread) -> None:
    raise RuntimeError("can't start new thread")


@route(summary="Hop", tags=["tests"], auth="none")
async def hop(input: None, ctx: None) -> str:
    thread = await asyncio.to_thread(threading.current_thread)
    threading.Thread.start = fail
    return thread.name


api = spec(routes=[hop])
"""
"""A loop with threads of the app's, which is to end when the system allows no more of them."""


@pytest.mark.measured
def test_a_worker_ends_as_usual_though_no_thread_can_start(tmp_path: Path) -> None:
    with running("serve", "shop:api", cwd=having(tmp_path, JAMMED)) as server:
        assert server.post("/hop").status == 200
        assert server.stop() == 0
        assert "Traceback" not in server.text()
        assert "the event loop could not be closed: can't start new thread" in server.text()


@rows("data, status", *ONLY_REFUSED)
async def test_an_answer_that_no_app_gives_is_one_of_the_contract(data: bytes, status: int) -> None:
    """Its data are required there, so generated clients take none without them for it."""
    async with serving() as (_, port):
        head, body = (await rest_of(port, data + LAST)).split(b"\r\n\r\n")

    told = orjson.loads(emit_contract(spec(routes=[ping])))["errors"]["BAD_REQUEST"]
    answer = orjson.loads(body)
    assert head.startswith(b"HTTP/1.1 %d " % status)
    assert (answer["error"], told["data_required"]) == ("BAD_REQUEST", True)
    assert is_valid(told["data"], answer["data"])


@route(summary="Ping", tags=["x"], auth="none")
def ping(input: None, ctx: None) -> None:
    return None
