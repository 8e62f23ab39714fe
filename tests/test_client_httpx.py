"""The transports over httpx2, and clients that use them, against servers of every kind."""

from __future__ import annotations

import asyncio
import gc
import gzip
import socket
import ssl
import struct
import sys
import time
import weakref
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import httpx2
import pytest
import trio

from contract.client import (
    AsyncHttpxTransport,
    HttpRequest,
    HttpResponse,
    HttpxTransport,
    NetworkCause,
    TransportError,
)
from contract.client.httpx import transport_error
from contract.client.httpx_deadlines import keep_deadlines
from tests.client_example import ApiClient, AsyncApiClient, CallError, CallFailed, Ok, unwrap
from tests.client_servers import (
    CERTIFICATE,
    PATIENCE,
    Handle,
    Server,
    always,
    closed_port,
    response,
    secure,
    serving,
)

T = TypeVar("T")
Send = Callable[..., HttpResponse]

MODULE = "contract.client.httpx"


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the machine that runs the tests has is not theirs."""
    for name in (
        "http_proxy",
        "https_proxy",
        "all_proxy",
        "no_proxy",
        "ssl_cert_file",
        "ssl_cert_dir",
    ):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def ran(work: Coroutine[Any, Any, T]) -> T:
    """What came of *work*, in a thread: where a loop ended connections, coverage loses its place on CPython 3.11."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, work).result()


def send_sync(
    url: str,
    *,
    timeout: float = PATIENCE,
    max_bytes: int = 1000,
    transport: HttpxTransport | None = None,
) -> HttpResponse:
    used = HttpxTransport() if transport is None else transport
    try:
        return used.send(request(url), timeout=timeout, max_bytes=max_bytes)
    finally:
        used.close()


def send_async(url: str, *, timeout: float = PATIENCE, max_bytes: int = 1000) -> HttpResponse:
    async def send() -> HttpResponse:
        transport = AsyncHttpxTransport()
        try:
            return await transport.send(request(url), timeout=timeout, max_bytes=max_bytes)
        finally:
            await transport.aclose()

    return asyncio.run(send())


@pytest.fixture(params=[send_sync, send_async], ids=["sync", "async"])
def send(request: pytest.FixtureRequest) -> Send:
    given: Send = request.param
    return given


def request(url: str) -> HttpRequest:
    return HttpRequest("POST", url, {"content-type": "application/json", "x-a": "1"}, b'{"a":1}')


def cause_of(send: Send, url: str, **more: Any) -> NetworkCause:
    with pytest.raises(TransportError) as raised:
        send(url, **more)
    assert raised.value.__cause__ is not None
    return raised.value.cause


def test_a_request_is_sent_as_it_is(send: Send) -> None:
    with serving(always(response(b"[1]", x_a="1", X_B="2"))) as server:
        answer = send(f"{server.url}/a/b")

    assert (answer.status, answer.body, answer.truncated) == (200, b"[1]", False)
    assert answer.headers == {"content-length": "3", "x-a": "1", "x-b": "2"}
    lines = server.requests[0].split(b"\r\n")
    assert lines[0] == b"POST /a/b HTTP/1.1"
    sent = {line.partition(b": ")[0].lower(): line.partition(b": ")[2] for line in lines[1:]}
    assert sent == {
        b"host": f"127.0.0.1:{server.port}".encode(),
        b"content-type": b"application/json",
        b"x-a": b"1",
        b"content-length": b"7",
    }


def test_repeated_headers_are_joined(send: Send) -> None:
    with serving(
        always(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nx-a: 1\r\nX-A: 2\r\n\r\n")
    ) as server:
        assert send(server.url).headers["x-a"] == "1, 2"


def test_a_body_may_come_in_chunks(send: Send) -> None:
    chunked = b"HTTP/1.1 502 Bad Gateway\r\ntransfer-encoding: chunked\r\n\r\n5\r\n<html\r\n1\r\n>\r\n0\r\n\r\n"
    with serving(always(chunked)) as server:
        answer = send(server.url)

    assert (answer.status, answer.body) == (502, b"<html>")


def endless(server: Server, connection: socket.socket) -> None:
    server.read(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
    while True:
        connection.sendall(b"400\r\n" + b"x" * 1024 + b"\r\n")


def test_no_more_of_a_body_is_read_than_is_wanted(send: Send) -> None:
    with serving(endless) as server:
        answer = send(server.url, max_bytes=2000)

    assert (answer.status, answer.body, answer.truncated) == (200, b"x" * 2000, True)


def test_a_body_that_says_that_it_is_too_large_is_not_read(send: Send) -> None:
    with serving(always(response(b"x" * 1001))) as server:
        answer = send(server.url)
    assert (answer.body, answer.truncated) == (b"", True)

    with serving(always(response(b"x" * 1000))) as server:
        answer = send(server.url)
    assert (len(answer.body), answer.truncated) == (1000, False)


@pytest.mark.parametrize("packing", ["gzip", "X-GZIP"])
def test_a_body_that_a_proxy_has_packed_is_unpacked(send: Send, packing: str) -> None:
    with serving(always(response(gzip.compress(b"x" * 1000), content_encoding=packing))) as server:
        answer = send(server.url)

    assert (answer.body, answer.truncated, answer.problem) == (b"x" * 1000, False, "")
    assert answer.headers["content-encoding"] == packing


def test_no_more_of_a_packed_body_is_unpacked_than_is_wanted(send: Send) -> None:
    with serving(
        always(response(gzip.compress(b"x" * 50_000_000), content_encoding="gzip"))
    ) as server:
        answer = send(server.url, max_bytes=60_000)

    assert (answer.body, answer.truncated) == (b"x" * 60_000, True)
    assert (
        answer.problem
        == "The answer is larger than 60000 bytes, which is the limit of this client."
    )


@pytest.mark.parametrize(
    "damaged", [b"<html>", gzip.compress(b"x" * 1000)[:-9], gzip.compress(b"xy")[:-8] + b"12345678"]
)
def test_a_packed_body_that_is_damaged_is_not_believed(send: Send, damaged: bytes) -> None:
    with serving(always(response(damaged, content_encoding="gzip"))) as server:
        answer = send(server.url)

    assert (answer.truncated, answer.problem) == (
        True,
        "The answer is packed by gzip, and cannot be unpacked.",
    )


def test_what_stands_behind_a_packed_body_is_not_read_for_ever(send: Send) -> None:
    sent: list[int] = []

    def handle(server: Server, connection: socket.socket) -> None:
        server.read(connection)
        connection.sendall(
            b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n" + gzip.compress(b"{}")
        )
        for _ in range(1000):
            connection.sendall(b"x" * 65_536)
            sent.append(65_536)

    with serving(handle) as server:
        answer = send(server.url)

    assert (answer.body, answer.truncated) == (b"{}", False)
    assert sum(sent) < 20_000_000  # what fits between the two


def test_an_empty_body_is_empty_however_it_is_packed(send: Send) -> None:
    with serving(always(response(b"", "503 Busy", content_encoding="gzip"))) as server:
        answer = send(server.url)

    assert (answer.body, answer.truncated) == (b"", False)


def test_a_body_that_is_packed_otherwise_says_so(send: Send) -> None:
    with serving(always(response(b"packed", content_encoding="br"))) as server:
        answer = send(server.url)
    assert (answer.body, answer.truncated) == (b"", True)
    assert (
        answer.problem == "The answer is packed (content-encoding: 'br'), which was not asked for."
    )

    with serving(always(response(b"x", content_encoding="Identity"))) as server:
        assert send(server.url).body == b"x"


def test_whoever_calls_is_told_why_an_answer_cannot_be_read() -> None:
    with (
        serving(always(response(b"packed", content_encoding="br"))) as server,
        ApiClient(server.url) as api,
    ):
        result = api.ping()

    assert isinstance(result, CallError)
    assert (result.code, result.status, result.headers["content-encoding"]) == (
        "UNKNOWN_ERROR",
        200,
        "br",
    )
    with pytest.raises(
        CallFailed, match=r"^UNKNOWN_ERROR \(200\): The answer is packed \(content-encoding: 'br'\)"
    ):
        unwrap(result)


def test_redirects_are_not_followed(send: Send) -> None:
    with serving(always(response(b"", "307 Temporary Redirect", location="/elsewhere"))) as server:
        answer = send(server.url)

    assert (answer.status, answer.headers["location"], len(server.requests)) == (
        307,
        "/elsewhere",
        1,
    )


def test_nobody_listens(send: Send) -> None:
    assert cause_of(send, f"http://127.0.0.1:{closed_port()}") == "refused"


def silent(server: Server, connection: socket.socket) -> None:
    server.read(connection)
    server.over.wait(PATIENCE)


def dripping(begin: bytes, drop: bytes) -> Handle:
    def handle(server: Server, connection: socket.socket) -> None:
        server.read(connection)
        connection.sendall(begin)
        while not server.over.wait(0.02):
            connection.sendall(drop)

    return handle


SLOW_BODY = dripping(b"HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n", b"x")


DROPS = {
    "nothing": silent,
    "the body": SLOW_BODY,
    "headers": dripping(b"HTTP/1.1 200 OK\r\nx-a: ", b"x"),
    "the extension of a chunk": dripping(
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;", b"x"
    ),
    "early hints": dripping(b"", b"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"),
}


@pytest.mark.unwatched
@pytest.mark.parametrize("handle", DROPS.values(), ids=DROPS)
def test_an_answer_that_takes_too_long_holds_nobody(send: Send, handle: Handle) -> None:
    with serving(handle) as server:
        started = time.monotonic()
        assert cause_of(send, server.url, timeout=0.25) == "timeout"
        assert time.monotonic() - started < 3


def test_a_body_in_drops_holds_no_client_of_ones_own() -> None:
    with serving(SLOW_BODY) as server, httpx2.Client() as own:
        assert (
            cause_of(send_sync, server.url, timeout=0.25, transport=HttpxTransport(own))
            == "timeout"
        )


def hurried(server: Server, connection: socket.socket) -> None:
    server.read(connection)
    while True:
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n" * 100)


def test_an_answer_that_only_ever_begins(send: Send) -> None:
    with serving(hurried) as server:
        assert cause_of(send, server.url, timeout=0.25) == "timeout"


def test_a_deadline_is_kept_over_connections_that_were_there_already() -> None:
    def handle(server: Server, connection: socket.socket) -> None:
        server.read(connection)
        connection.sendall(response(b"1"))
        DROPS["headers"](server, connection)

    transport = HttpxTransport()
    with serving(handle) as server:
        assert transport.send(request(server.url), timeout=PATIENCE, max_bytes=10).body == b"1"
        with pytest.raises(TransportError) as raised:
            transport.send(request(server.url), timeout=0.25, max_bytes=10)
        assert (raised.value.cause, server.connections) == ("timeout", 1)
    transport.close()


def test_a_large_body_is_sent_whole() -> None:
    def counting(server: Server, connection: socket.socket) -> None:
        received = b""
        while not received.endswith(b"!"):
            received += connection.recv(65_536)
        connection.sendall(response(str(len(received.partition(b"\r\n\r\n")[2])).encode()))

    with serving(counting) as server:
        assert sent(server.url, b"x" * 200_000 + b"!", timeout=PATIENCE).body == b"200001"


def test_a_server_that_does_not_read_holds_nobody() -> None:
    def deaf(server: Server, connection: socket.socket) -> None:
        server.over.wait(PATIENCE)

    with serving(deaf) as server, pytest.raises(TransportError) as raised:
        sent(server.url, b"x" * 50_000_000, timeout=0.25)
    assert raised.value.cause == "timeout"


def sent(url: str, body: bytes, *, timeout: float) -> HttpResponse:
    transport = HttpxTransport()
    try:
        return transport.send(HttpRequest("POST", url, {}, body), timeout=timeout, max_bytes=100)
    finally:
        transport.close()


def test_other_timeouts_and_other_transports_stay_as_they_are() -> None:
    with (
        serving(always(response(b"1"))) as server,
        keep_deadlines(httpx2.Client(timeout=PATIENCE)) as client,
    ):
        assert client.post(server.url, content=b"1").content == b"1"
    made_up = httpx2.MockTransport(lambda _: httpx2.Response(200, content=b"2"))
    with keep_deadlines(httpx2.Client(transport=made_up)) as client:
        assert client.post("http://shop.example").content == b"2"


def ending(data: bytes, *, reset: bool = False) -> Handle:
    def handle(server: Server, connection: socket.socket) -> None:
        server.read(connection)
        connection.sendall(data)
        if reset:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    return handle


ENDINGS = {
    "at once": ending(b""),
    "reset": ending(b"", reset=True),
    "in the headers": ending(b"HTTP/1.1 200 OK\r\ncontent-"),
    "in the body": ending(b'HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{"a'),
    "in the chunks": ending(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab"),
    "no http": ending(b"220 mail.example ESMTP\r\n\r\n"),
}


@pytest.mark.parametrize("handle", ENDINGS.values(), ids=ENDINGS)
def test_a_connection_that_ends_half_way(send: Send, handle: Handle) -> None:
    with serving(handle) as server:
        assert cause_of(send, server.url) == "aborted"


def test_a_server_that_speaks_no_tls(send: Send) -> None:
    def plain(server: Server, connection: socket.socket) -> None:
        connection.recv(65_536)
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n")
        server.over.wait(PATIENCE)

    with serving(plain) as server:
        assert cause_of(send, server.url.replace("http", "https")) == "tls"


def test_a_certificate_that_nobody_trusts(send: Send, tmp_path: Path) -> None:
    with serving(always(response()), context=secure(tmp_path)) as server:
        assert cause_of(send, server.url.replace("http", "https")) == "tls"


def test_a_client_of_ones_own_may_trust_it(tmp_path: Path) -> None:
    trusting = ssl.create_default_context(cadata=CERTIFICATE)
    with (
        serving(always(response(b"1")), context=secure(tmp_path)) as server,
        httpx2.Client(verify=trusting) as client,
    ):
        url = server.url.replace("http", "https")
        assert send_sync(url, transport=HttpxTransport(client)).body == b"1"
        assert not client.is_closed


def test_a_client_of_ones_own_stays_open() -> None:
    async def own() -> bool:
        async with httpx2.AsyncClient() as client:
            transport = AsyncHttpxTransport(client)
            await transport.aclose()
            return client.is_closed

    assert asyncio.run(own()) is False


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (httpx2.ConnectError("no such host"), "other"),
        (httpx2.ProxyError("407"), "other"),
        (httpx2.UnsupportedProtocol("x"), "other"),
        (httpx2.PoolTimeout(""), "timeout"),
        (httpx2.ReadError("x"), "aborted"),
        (ConnectionResetError(), "aborted"),
        (OSError("x"), "other"),
    ],
)
def test_what_httpx2_raises_has_a_cause(error: Exception, cause: NetworkCause) -> None:
    made = transport_error(error)

    assert (made.cause, made.__cause__) == (cause, error)
    assert str(made)


def chained(outer: Exception, inner: BaseException) -> Exception:
    outer.__cause__ = inner
    return outer


def test_the_cause_is_looked_for_in_what_led_to_it() -> None:
    group = BaseExceptionGroup("both", [OSError("v6"), ConnectionRefusedError("v4")])

    assert transport_error(chained(httpx2.ConnectError("x"), group)).cause == "refused"
    assert (
        transport_error(chained(httpx2.ConnectError("x"), ssl.SSLCertVerificationError())).cause
        == "tls"
    )
    assert transport_error(chained(httpx2.ConnectError("x"), ssl.SSLEOFError())).cause == "other"

    around = httpx2.ConnectError("x")
    assert transport_error(chained(around, chained(OSError("y"), around))).cause == "other"


def test_connections_are_reused_and_cookies_are_not_kept() -> None:
    with (
        serving(always(response(set_cookie="a=1; Path=/"))) as server,
        ApiClient(server.url) as api,
    ):
        for client in (api, api.with_options(timeout=9), api):
            assert client.ping() == Ok(None)
        with api.with_options(retries=0) as copy:
            assert copy.ping() == Ok(None)
        assert api.ping() == Ok(None)

    assert (server.connections, len(server.requests)) == (1, 5)
    assert not any(b"cookie" in head.lower() for head in server.requests)


def test_connections_end_with_the_client() -> None:
    with serving(always(response())) as server:
        with ApiClient(server.url) as api:
            api.ping()
        assert server.left.wait(PATIENCE)


def test_tasks_share_connections_and_end_them_with_the_client() -> None:
    async def calls(url: str) -> None:
        async with AsyncApiClient(url) as api:
            assert await api.ping() == Ok(None)
            assert await api.with_options(timeout=9).ping() == Ok(None)
            assert await asyncio.gather(*[api.ping() for _ in range(20)]) == [Ok(None)] * 20

    with serving(always(response())) as server:
        ran(calls(server.url))
        assert server.left.wait(PATIENCE)
    assert server.connections <= 20
    assert len(server.requests) == 22


def test_each_event_loop_has_connections_of_its_own() -> None:
    async def call(api: AsyncApiClient) -> object:
        return await api.ping()

    async def last(api: AsyncApiClient) -> object:
        other = await asyncio.to_thread(asyncio.run, call(api))  # while this loop runs
        async with api:
            return other, await api.ping()

    with serving(always(response())) as server:
        api = AsyncApiClient(server.url, retries=0)
        assert [ran(call(api)) for _ in range(3)] == [Ok(None)] * 3
        assert ran(last(api)) == (Ok(None), Ok(None))
    assert server.connections == 5


def test_a_client_is_closed_in_another_event_loop() -> None:
    async def call(api: AsyncApiClient) -> object:
        return await api.ping()

    with serving(always(response())) as server:
        api = AsyncApiClient(server.url)
        assert ran(call(api)) == Ok(None)
        ran(api.aclose())
        with pytest.raises(RuntimeError, match="closed"):
            ran(call(api))


def on_trio(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """What came of *work*, in a thread, as with `ran`."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(trio.run, work).result()


def test_clients_work_on_trio() -> None:
    async def calls(url: str) -> list[object]:
        async with AsyncApiClient(url, retries=1) as api:
            return [await api.ping(), await api.with_options(timeout=9).ping()]

    with serving(always(response(b"", "503 Busy"), response())) as server:
        assert on_trio(partial(calls, server.url)) == [Ok(None)] * 2
    assert len(server.requests) == 3
    assert server.connections == 1


def test_nothing_holds_a_client_on_trio_for_longer_than_its_timeout() -> None:
    async def call(url: str) -> object:
        async with AsyncApiClient(url, timeout=0.1) as api:
            return await api.ping()

    def silent(server: Server, connection: socket.socket) -> None:
        server.read(connection)
        server.read(connection)

    with serving(silent) as server:
        result = on_trio(partial(call, server.url))
    assert isinstance(result, CallError)
    assert (result.code, result.cause) == ("NETWORK_ERROR", "timeout")


def test_one_client_serves_loops_of_both_kinds_and_each_ends_its_connections() -> None:
    async def call(api: AsyncApiClient) -> object:
        return await api.ping()

    with serving(always(response())) as server:
        api = AsyncApiClient(server.url, retries=0)
        for _ in range(2):
            assert on_trio(partial(call, api)) == Ok(None)
            assert server.left.wait(PATIENCE), "although nobody closed the client"
            server.left.clear()
            assert ran(call(api)) == Ok(None)
            assert server.left.wait(PATIENCE)
            server.left.clear()
    assert server.connections == 4


def test_what_is_left_of_a_loop_that_was_closed_by_hand_is_forgotten() -> None:
    transport = AsyncHttpxTransport()

    async def send(url: str) -> HttpResponse:
        return await transport.send(request(url), timeout=PATIENCE, max_bytes=1000)

    with serving(always(response(b"1", connection="close"))) as server:
        loop = asyncio.new_event_loop()
        assert loop.run_until_complete(send(server.url)).body == b"1"
        loop.close()  # without a word to the generators that were begun in it
        left = weakref.ref(loop)
        del loop
        assert ran(send(server.url)).body == b"1"
        gc.collect()
        assert left() is None


def test_a_closed_transport_sends_nothing() -> None:
    async def calls() -> None:
        transport = AsyncHttpxTransport()
        await transport.aclose()
        with pytest.raises(RuntimeError, match="the transport is closed"):
            await transport.send(request("http://127.0.0.1:9"), timeout=PATIENCE, max_bytes=1)

    ran(calls())


def test_threads_share_a_client() -> None:
    with (
        serving(always(response())) as server,
        ApiClient(server.url) as api,
        ThreadPoolExecutor(4) as pool,
    ):
        assert [*pool.map(lambda _: api.ping(), range(40))] == [Ok(None)] * 40

    assert server.connections <= 8


def test_a_call_is_tried_again_over_a_network() -> None:
    busy = response(b"<html>busy</html>", "503 Service Unavailable", retry_after="0")
    with serving(always(busy, busy, response())) as server, ApiClient(server.url) as api:
        assert api.ping() == Ok(None)
    assert len(server.requests) == 3

    with serving(always(busy)) as server, ApiClient(server.url) as api:
        result = api.order(product_id="p1")
    assert isinstance(result, CallError)
    assert (result.code, result.body, result.retry_after, len(server.requests)) == (
        "SERVICE_UNAVAILABLE",
        b"<html>busy</html>",
        0.0,
        1,
    )


def test_failures_of_the_network_are_values() -> None:
    url = f"http://127.0.0.1:{closed_port()}"
    with ApiClient(url, headers={"authorization": "Bearer canary"}, retries=0) as api:
        result = api.ping()

    assert result == CallError("NETWORK_ERROR", 0, cause="refused")
    assert isinstance(result, CallError)
    assert isinstance(result.exception, TransportError)
    assert "canary" not in repr(result) + repr(result.exception) + repr(result.exception.__cause__)


def test_a_call_that_is_cancelled_ends_its_connection() -> None:
    async def calls(server: Server) -> None:
        async with AsyncApiClient(server.url) as api:
            call = asyncio.create_task(api.ping())
            assert await asyncio.to_thread(server.asked.wait, PATIENCE)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            assert await asyncio.to_thread(server.left.wait, PATIENCE)

    def handle(server: Server, connection: socket.socket) -> None:
        server.read(connection)
        server.read(connection)

    with serving(handle) as server:
        ran(calls(server))
    assert len(server.requests) == 1


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    with serving(always(response(b'"proxied"'))) as server:
        monkeypatch.setenv("HTTP_PROXY", server.url)
        yield server


def test_the_proxies_of_the_environment_are_used(send: Send, proxy: Server) -> None:
    assert send("http://shop.example/v1/ping").body == b'"proxied"'
    assert proxy.requests[0].startswith(b"POST http://shop.example/v1/ping HTTP/1.1\r\n")


def test_the_environment_may_say_where_not_to(
    send: Send, proxy: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving(always(response(b'"direct"'))) as server:
        assert send(server.url).body == b'"direct"'
    assert proxy.requests == []


def test_a_client_of_ones_own_need_not_ask_the_environment(proxy: Server) -> None:
    with serving(always(response(b'"direct"'))) as server, httpx2.Client(trust_env=False) as client:
        assert send_sync(server.url, transport=HttpxTransport(client)).body == b'"direct"'
    assert proxy.requests == []


@pytest.mark.parametrize("missing", ["anyio", "httpcore2", "httpx2"])
def test_without_httpx2_it_is_said_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.delitem(sys.modules, MODULE)
    monkeypatch.delitem(sys.modules, f"{MODULE}_deadlines")
    monkeypatch.setitem(sys.modules, missing, None)

    with pytest.raises(ImportError, match=r"pip install 'contract-rpc\[client\]'"):
        import_module(MODULE)


def test_a_broken_httpx2_is_not_called_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, MODULE)
    monkeypatch.delitem(sys.modules, "httpx2")
    monkeypatch.setitem(sys.modules, "httpx2._client", None)

    with pytest.raises(ModuleNotFoundError, match=r"httpx2\._client"):
        import_module(MODULE)
