"""The transports over httpx2, and clients that use them, against servers of every kind."""

from __future__ import annotations

import asyncio
import gc
import gzip
import socket
import ssl
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

from contract import client
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
    once,
    response,
    secure,
    serving,
    silent,
)
from tests.tables import rows

T = TypeVar("T")
Send = Callable[..., client.HttpResponse]

MODULE = "contract.client.httpx"


ENVIRONMENT = "http_proxy https_proxy all_proxy no_proxy ssl_cert_file ssl_cert_dir"


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the machine that runs the tests has is not theirs."""
    for name in ENVIRONMENT.split():
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
    transport: client.HttpxTransport | None = None,
    body: bytes = b'{"a":1}',
) -> client.HttpResponse:
    used = client.HttpxTransport() if transport is None else transport
    try:
        return used.send(request(url, body), timeout=timeout, max_bytes=max_bytes)
    finally:
        used.close()


def send_async(
    url: str, *, timeout: float = PATIENCE, max_bytes: int = 1000
) -> client.HttpResponse:
    async def send() -> client.HttpResponse:
        transport = client.AsyncHttpxTransport()
        try:
            return await transport.send(request(url), timeout=timeout, max_bytes=max_bytes)
        finally:
            await transport.aclose()

    return asyncio.run(send())


@pytest.fixture(params=[send_sync, send_async], ids=["sync", "async"])
def send(request: pytest.FixtureRequest) -> Send:
    given: Send = request.param
    return given


def request(url: str, body: bytes = b'{"a":1}') -> client.HttpRequest:
    return client.HttpRequest("POST", url, {"content-type": "application/json", "x-a": "1"}, body)


def answered(send: Send, handle: Handle, **more: Any) -> client.HttpResponse:
    """The answer of a server that treats a connection as *handle* does."""
    with serving(handle) as server:
        return send(server.url, **more)


def cause_of(send: Send, url: str, **more: Any) -> client.NetworkCause:
    with pytest.raises(client.TransportError) as raised:
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
    about = {b"content-type": b"application/json", b"content-length": b"7"}
    assert sent == {b"host": f"127.0.0.1:{server.port}".encode(), b"x-a": b"1", **about}


def test_repeated_headers_are_joined(send: Send) -> None:
    twice = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nx-a: 1\r\nX-A: 2\r\n\r\n"

    assert answered(send, always(twice)).headers["x-a"] == "1, 2"


def test_a_body_may_come_in_chunks(send: Send) -> None:
    chunked = b"HTTP/1.1 502 Bad Gateway\r\ntransfer-encoding: chunked\r\n\r\n5\r\n<html\r\n1\r\n>\r\n0\r\n\r\n"
    answer = answered(send, always(chunked))

    assert (answer.status, answer.body) == (502, b"<html>")


def endless(server: Server, connection: socket.socket) -> None:
    server.read(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
    while True:
        connection.sendall(b"400\r\n" + b"x" * 1024 + b"\r\n")


def test_no_more_of_a_body_is_read_than_is_wanted(send: Send) -> None:
    answer = answered(send, endless, max_bytes=2000)

    assert (answer.status, answer.body, answer.truncated) == (200, b"x" * 2000, True)


def test_a_body_that_says_that_it_is_too_large_is_not_read(send: Send) -> None:
    for size, read in ((1001, 0), (1000, 1000)):
        answer = answered(send, always(response(b"x" * size)))
        assert (answer.body, answer.truncated) == (b"x" * read, size > read)


@pytest.mark.parametrize("packing", ["gzip", "X-GZIP"])
def test_a_body_that_a_proxy_has_packed_is_unpacked(send: Send, packing: str) -> None:
    packed = response(gzip.compress(b"x" * 1000), content_encoding=packing)
    answer = answered(send, always(packed))

    assert (answer.body, answer.truncated, answer.problem) == (b"x" * 1000, False, "")
    assert answer.headers["content-encoding"] == packing


def test_no_more_of_a_packed_body_is_unpacked_than_is_wanted(send: Send) -> None:
    packed = response(gzip.compress(b"x" * 50_000_000), content_encoding="gzip")
    answer = answered(send, always(packed), max_bytes=60_000)
    problem = "The answer is larger than 60000 bytes, which is the limit of this client."

    assert (answer.body, answer.truncated) == (b"x" * 60_000, True)
    assert answer.problem == problem


@pytest.mark.parametrize(
    "damaged", [b"<html>", gzip.compress(b"x" * 1000)[:-9], gzip.compress(b"xy")[:-8] + b"12345678"]
)
def test_a_packed_body_that_is_damaged_is_not_believed(send: Send, damaged: bytes) -> None:
    answer = answered(send, always(response(damaged, content_encoding="gzip")))

    assert answer.truncated
    assert answer.problem == "The answer is packed by gzip, and cannot be unpacked."


def test_what_stands_behind_a_packed_body_is_not_read_for_ever(send: Send) -> None:
    sent: list[int] = []
    head = b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n"

    def handle(server: Server, connection: socket.socket) -> None:
        server.read(connection)
        connection.sendall(head + gzip.compress(b"{}"))
        for _ in range(1000):
            connection.sendall(b"x" * 65_536)
            sent.append(65_536)

    answer = answered(send, handle)

    assert (answer.body, answer.truncated) == (b"{}", False)
    assert sum(sent) < 20_000_000  # what fits between the two


def test_an_empty_body_is_empty_however_it_is_packed(send: Send) -> None:
    answer = answered(send, always(response(b"", "503 Busy", content_encoding="gzip")))

    assert (answer.body, answer.truncated) == (b"", False)


def test_a_body_that_is_packed_otherwise_says_so(send: Send) -> None:
    answer = answered(send, always(response(b"packed", content_encoding="br")))
    problem = "The answer is packed (content-encoding: 'br'), which was not asked for."

    assert (answer.body, answer.truncated) == (b"", True)
    assert answer.problem == problem
    plain = answered(send, always(response(b"x", content_encoding="Identity")))
    assert plain.body == b"x"


def test_whoever_calls_is_told_why_an_answer_cannot_be_read() -> None:
    packed = always(response(b"packed", content_encoding="br"))
    with serving(packed) as server, ApiClient(server.url) as api:
        result = api.ping()

    assert isinstance(result, CallError)
    assert (result.code, result.status) == ("UNKNOWN_ERROR", 200)
    assert result.headers["content-encoding"] == "br"
    told = r"^UNKNOWN_ERROR \(200\): The answer is packed \(content-encoding: 'br'\)"
    with pytest.raises(CallFailed, match=told):
        unwrap(result)


def test_redirects_are_not_followed(send: Send) -> None:
    with serving(always(response(b"", "307 Temporary Redirect", location="/elsewhere"))) as server:
        answer = send(server.url)

    assert (answer.status, answer.headers["location"]) == (307, "/elsewhere")
    assert len(server.requests) == 1


def test_nobody_listens(send: Send) -> None:
    assert cause_of(send, f"http://127.0.0.1:{closed_port()}") == "refused"


def dripping(begin: bytes, drop: bytes) -> Handle:
    def handle(server: Server, connection: socket.socket) -> None:
        server.read(connection)
        connection.sendall(begin)
        while not server.over.wait(0.02):
            connection.sendall(drop)

    return handle


OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"transfer-encoding: chunked\r\n\r\n"
SLOW_BODY = dripping(OK + b"content-length: 900\r\n\r\n", b"x")
DROPS = {
    "nothing": silent,
    "the body": SLOW_BODY,
    "headers": dripping(OK + b"x-a: ", b"x"),
    "the extension of a chunk": dripping(CHUNKED + b"1;", b"x"),
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
        transport = client.HttpxTransport(own)
        assert cause_of(send_sync, server.url, timeout=0.25, transport=transport) == "timeout"


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

    transport = client.HttpxTransport()
    with serving(handle) as server:
        assert transport.send(request(server.url), timeout=PATIENCE, max_bytes=10).body == b"1"
        with pytest.raises(client.TransportError) as raised:
            transport.send(request(server.url), timeout=0.25, max_bytes=10)
        assert (raised.value.cause, server.connections) == ("timeout", 1)
    transport.close()


def test_a_large_body_is_sent_whole() -> None:
    def counting(server: Server, connection: socket.socket) -> None:
        received = b""
        while not received.endswith(b"!"):
            received += connection.recv(65_536)
        connection.sendall(response(str(len(received.partition(b"\r\n\r\n")[2])).encode()))

    answer = answered(send_sync, counting, body=b"x" * 200_000 + b"!")
    assert answer.body == b"200001"


def test_a_server_that_does_not_read_holds_nobody() -> None:
    def deaf(server: Server, connection: socket.socket) -> None:
        server.over.wait(PATIENCE)

    with serving(deaf) as server:
        cause = cause_of(send_sync, server.url, body=b"x" * 50_000_000, timeout=0.25)
    assert cause == "timeout"


def test_other_timeouts_and_other_transports_stay_as_they_are() -> None:
    with (
        serving(always(response(b"1"))) as server,
        keep_deadlines(httpx2.Client(timeout=PATIENCE)) as own,
    ):
        assert own.post(server.url, content=b"1").content == b"1"
    made_up = httpx2.MockTransport(lambda _: httpx2.Response(200, content=b"2"))
    with keep_deadlines(httpx2.Client(transport=made_up)) as own:
        assert own.post("http://shop.example").content == b"2"


ENDINGS = {
    "at once": once(b""),
    "reset": once(b"", reset=True),
    "in the headers": once(OK + b"content-"),
    "in the body": once(OK + b'content-length: 900\r\n\r\n{"a'),
    "in the chunks": once(CHUNKED + b"5\r\nab"),
    "no http": once(b"220 mail.example ESMTP\r\n\r\n"),
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
        httpx2.Client(verify=trusting) as own,
    ):
        url = server.url.replace("http", "https")
        assert send_sync(url, transport=client.HttpxTransport(own)).body == b"1"
        assert not own.is_closed


def test_the_certificates_of_the_environment_are_trusted(
    send: Send, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(always(response(b"1")), context=secure(tmp_path)) as server:
        url = server.url.replace("http", "https")
        assert cause_of(send, url) == "tls"
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "server.pem"))
        assert send(url).body == b"1"


def test_all_clients_share_the_certificates_which_take_long_to_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[object] = []
    create = ssl.create_default_context

    def counted(**given: Any) -> ssl.SSLContext:
        read.append(given)
        return create(**given)

    secure(tmp_path)
    monkeypatch.setattr(ssl, "create_default_context", counted)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "server.pem"))
    port = closed_port()
    for _ in range(2):
        client.HttpxTransport().close()
        assert cause_of(send_async, f"http://127.0.0.1:{port}") == "refused"
    assert len(read) == 1


def test_a_client_of_ones_own_stays_open() -> None:
    async def own() -> bool:
        async with httpx2.AsyncClient() as given:
            transport = client.AsyncHttpxTransport(given)
            await transport.aclose()
            return given.is_closed

    assert asyncio.run(own()) is False


@rows(
    "error, cause",
    (httpx2.ConnectError("no such host"), "other"),
    (httpx2.ProxyError("407"), "other"),
    (httpx2.UnsupportedProtocol("x"), "other"),
    (httpx2.PoolTimeout(""), "timeout"),
    (httpx2.ReadError("x"), "aborted"),
    (ConnectionResetError(), "aborted"),
    (OSError("x"), "other"),
)
def test_what_httpx2_raises_has_a_cause(error: Exception, cause: client.NetworkCause) -> None:
    made = transport_error(error)

    assert (made.cause, made.__cause__) == (cause, error)
    assert str(made)


def chained(outer: Exception, inner: BaseException) -> Exception:
    outer.__cause__ = inner
    return outer


def test_the_cause_is_looked_for_in_what_led_to_it() -> None:
    group = BaseExceptionGroup("both", [OSError("v6"), ConnectionRefusedError("v4")])
    for inner, cause in (
        (group, "refused"),
        (ssl.SSLCertVerificationError(), "tls"),
        (ssl.SSLEOFError(), "other"),
    ):
        assert transport_error(chained(httpx2.ConnectError("x"), inner)).cause == cause

    around = httpx2.ConnectError("x")
    assert transport_error(chained(around, chained(OSError("y"), around))).cause == "other"


def test_connections_are_reused_and_cookies_are_not_kept() -> None:
    kept = always(response(set_cookie="a=1; Path=/"))
    with serving(kept) as server, ApiClient(server.url) as api:
        for each in (api, api.with_options(timeout=9), api):
            assert each.ping() == Ok(None)
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


async def call(api: AsyncApiClient) -> object:
    return await api.ping()


def test_each_event_loop_has_connections_of_its_own() -> None:
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


def hanging(server: Server, connection: socket.socket) -> None:
    """Gives nothing until the client goes."""
    server.read(connection)
    server.read(connection)


def test_clients_work_on_trio() -> None:
    async def calls(url: str) -> list[object]:
        async with AsyncApiClient(url, retries=1) as api:
            return [await api.ping(), await api.with_options(timeout=9).ping()]

    with serving(always(response(b"", "503 Busy"), response())) as server:
        assert on_trio(partial(calls, server.url)) == [Ok(None)] * 2
    assert len(server.requests) == 3
    assert server.connections == 1


def test_nothing_holds_a_client_on_trio_for_longer_than_its_timeout() -> None:
    async def timed(url: str) -> object:
        async with AsyncApiClient(url, timeout=0.1) as api:
            return await api.ping()

    with serving(hanging) as server:
        result = on_trio(partial(timed, server.url))
    assert isinstance(result, CallError)
    assert (result.code, result.cause) == ("NETWORK_ERROR", "timeout")


def test_one_client_serves_loops_of_both_kinds_and_each_ends_its_connections() -> None:
    with serving(always(response())) as server:
        api = AsyncApiClient(server.url, retries=0)
        for run in (on_trio, lambda work: ran(work())) * 2:
            assert run(partial(call, api)) == Ok(None)
            assert server.left.wait(PATIENCE), "although nobody closed the client"
            server.left.clear()
    assert server.connections == 4


def test_what_is_left_of_a_loop_that_was_closed_by_hand_is_forgotten() -> None:
    transport = client.AsyncHttpxTransport()

    async def send(url: str) -> client.HttpResponse:
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
        transport = client.AsyncHttpxTransport()
        await transport.aclose()
        with pytest.raises(RuntimeError, match="the transport is closed"):
            await transport.send(request("http://127.0.0.1:9"), timeout=PATIENCE, max_bytes=1)

    ran(calls())


def test_threads_share_a_client() -> None:
    pool = ThreadPoolExecutor(4)
    with serving(always(response())) as server, ApiClient(server.url) as api, pool:
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
    assert (result.code, result.retry_after) == ("SERVICE_UNAVAILABLE", 0.0)
    assert (result.body, len(server.requests)) == (b"<html>busy</html>", 1)


def test_failures_of_the_network_are_values() -> None:
    url = f"http://127.0.0.1:{closed_port()}"
    with ApiClient(url, headers={"authorization": "Bearer canary"}, retries=0) as api:
        result = api.ping()

    assert result == CallError("NETWORK_ERROR", 0, cause="refused")
    assert isinstance(result, CallError)
    assert isinstance(result.exception, client.TransportError)
    assert "canary" not in repr(result) + repr(result.exception) + repr(result.exception.__cause__)


def test_a_call_that_is_cancelled_ends_its_connection() -> None:
    async def calls(server: Server) -> None:
        async with AsyncApiClient(server.url) as api:
            task = asyncio.create_task(api.ping())
            assert await asyncio.to_thread(server.asked.wait, PATIENCE)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert await asyncio.to_thread(server.left.wait, PATIENCE)

    with serving(hanging) as server:
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
    with serving(always(response(b'"direct"'))) as server, httpx2.Client(trust_env=False) as own:
        assert send_sync(server.url, transport=client.HttpxTransport(own)).body == b'"direct"'
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
