"""ASGI: scopes, events and what is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator
from typing import Any

import pytest

from contract.dispatch import Refused
from contract.drivers.asgi import HTTP_VERSIONS, AsgiIncoming, ScopeHeaders, read_body, send_response
from contract.message import JSON_HEADERS, Response, Streamed, announced_length
from contract.options import Limits
from tests.wire.exchange import RawRequest, scope_of


def incoming_of(request: RawRequest, **scope: Any) -> AsgiIncoming:
    made = scope_of(request) | scope
    return AsgiIncoming(made, made["path"], lambda scope: f"native {scope['method']}")


def test_a_scope_becomes_a_request() -> None:
    headers = (
        ("Content-Type", "application/json"),
        ("Content-Encoding", "identity"),
        ("Authorization", "Bearer a"),
        ("Origin", "https://app.example"),
        ("X-Request-Id", "id"),
        ("X-Many", "a"),
        ("X-Many", "b"),
    )
    incoming = incoming_of(RawRequest(headers=headers, body=b"abc"))

    assert (incoming.method, incoming.path) == ("POST", "/v1/echo")
    assert (incoming.content_type, incoming.content_length, incoming.content_encoding) == ("application/json", "3", "identity")
    assert (incoming.authorization, incoming.origin, incoming.sent_id) == ("Bearer a", "https://app.example", "id")
    assert not incoming.chunked
    assert (incoming.client, incoming.native, incoming.surface) == ("192.0.2.7", "native POST", "http")
    assert dict(incoming.headers) == {name.lower(): value for name, value in headers} | {
        "host": "shop.example", "content-length": "3", "x-many": "a, b",
    }  # fmt: skip
    assert len(incoming.headers) == 8
    assert incoming.request().headers["x-many"] == "a, b"


def test_what_mcp_asks_for() -> None:
    incoming = incoming_of(RawRequest(target="/v1/mcp?tags=a%20b", headers=(("Accept", "a"), ("Accept", "b"))))

    assert (incoming.accept, incoming.query, incoming.scheme) == ("a,b", "tags=a%20b", "http")
    bare = AsgiIncoming({"method": "POST", "headers": []}, "/", lambda _: None)
    assert (bare.accept, bare.query, bare.scheme) == (None, "", "http")


class Parts:
    """The parts of a response, which may be closed."""

    def __init__(self, *parts: bytes) -> None:
        self.parts = [*parts]
        self.closed = False

    def __aiter__(self) -> Parts:
        return self

    async def __anext__(self) -> bytes:
        if not self.parts:
            raise StopAsyncIteration
        return self.parts.pop(0)

    async def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize("broken_at", [None, 0, 1])
def test_a_stream_is_sent_part_by_part(broken_at: int | None) -> None:
    sent: list[Any] = []
    parts = Parts(b"a", b"b")

    async def send(event: Any) -> None:
        if len(sent) == broken_at:
            raise OSError
        sent.append(event)

    asyncio.run(send_response(Streamed("id", (("vary", "Origin"),), parts), "POST", send))
    start = {"type": "http.response.start", "status": 200}
    assert [{name: value for name, value in event.items() if name != "headers"} for event in sent] == [
        start,
        {"type": "http.response.body", "body": b"a", "more_body": True},
        {"type": "http.response.body", "body": b"b", "more_body": True},
        {"type": "http.response.body", "body": b""},
    ][:broken_at]
    assert parts.closed
    if sent:
        headers = dict(sent[0]["headers"])
        assert (headers[b"content-type"], headers[b"x-request-id"], headers[b"vary"]) == (b"text/event-stream", b"id", b"Origin")
        assert b"content-length" not in headers


def test_repeated_headers_are_joined() -> None:
    incoming = incoming_of(
        RawRequest(headers=(("Authorization", "Bearer a"), ("Authorization", "Bearer b"), ("Content-Length", "1"), ("Content-Length", "2")))
    )

    assert incoming.authorization == "Bearer a,Bearer b"
    assert incoming.content_length == "1,2"


def test_headers_may_be_given_once_only() -> None:
    """The specification says Iterable."""
    incoming = incoming_of(RawRequest(), headers=iter([(b"origin", b"https://app.example"), (b"x-a", b"\xe4")]))

    assert incoming.origin == "https://app.example"
    assert dict(incoming.headers) == {"origin": "https://app.example", "x-a": "ä"}


@pytest.mark.parametrize(
    ("request_", "chunked"),
    [
        (RawRequest(), False),
        (RawRequest(chunked=True), True),
        (RawRequest(version="2"), True),
        (RawRequest(version="3"), True),
        (RawRequest(version="2", length="3"), False),
        (RawRequest(version="1.0"), False),
    ],
)
def test_a_body_without_a_length_is_known(request_: RawRequest, chunked: bool) -> None:
    assert incoming_of(request_).chunked is chunked


@pytest.mark.parametrize(("version", "closes"), [("1.0", True), ("1.1", True), ("2", False), ("3", False)])
def test_only_http_1_closes_by_a_header(version: str, closes: bool) -> None:
    assert incoming_of(RawRequest(), http_version=version).closing == ((("connection", "close"),) if closes else ())


def test_a_peer_need_not_be_known() -> None:
    assert incoming_of(RawRequest(), client=None).client is None
    scope = scope_of(RawRequest())
    del scope["client"], scope["http_version"]
    assert AsgiIncoming(scope, "/", dict).client is None
    assert AsgiIncoming(scope, "/", dict).closing


def test_headers_are_looked_up_in_lower_case() -> None:
    headers = ScopeHeaders(scope_of(RawRequest()))

    assert headers["content-type"] == "application/json"
    assert "Content-Type" not in headers


def test_versions_are_what_frameworks_call_them() -> None:
    assert HTTP_VERSIONS == {"1": "1.0", "1.0": "1.0", "1.1": "1.1", "2": "2", "3": "3"}


def events(*given: dict[str, Any]) -> Callable[[], Awaitable[Any]]:
    rest = list(given)

    async def receive() -> Any:
        return rest.pop(0)

    return receive


def part(body: bytes | bytearray | memoryview, *, more: bool = True) -> dict[str, Any]:
    return {"type": "http.request", "body": body, "more_body": more}


GONE = {"type": "http.disconnect"}


async def read(
    request: RawRequest, receive: Callable[[], Awaitable[Any]], *, limit: int = 10, patience: float = 5, total: float = 60
) -> bytes:
    incoming = incoming_of(request)
    incoming.length = announced_length(incoming.content_length or "0") or 0  # as the service notes it down
    return await read_body(incoming, receive, limit, Limits(read_seconds=patience, body_seconds=total))


@pytest.mark.parametrize(
    ("request_", "given", "body"),
    [
        (RawRequest(length="3"), [part(b"abc", more=False)], b"abc"),
        (RawRequest(length="3"), [part(b"a"), part(b"bc", more=False)], b"abc"),
        (RawRequest(length="3"), [part(b""), part(b"abc"), {"type": "http.request"}], b"abc"),
        (RawRequest(chunked=True), [{"type": "http.request"}], b""),
        (RawRequest(chunked=True), [part(b"0123456789", more=False)], b"0123456789"),
        (RawRequest(chunked=True), [part(b"01234"), part(b""), part(b"56789"), part(b"", more=False)], b"0123456789"),
        (RawRequest(length="3"), [part(memoryview(b"abc"), more=False)], b"abc"),
        (RawRequest(length="3"), [part(bytearray(b"abc"), more=False)], b"abc"),
        (RawRequest(chunked=True), [part(memoryview(b"ab")), part(bytearray(b"c"), more=False)], b"abc"),
        (RawRequest(length="0"), [], b""),
        (RawRequest(), [], b""),
    ],
)
def test_a_body_is_put_together(request_: RawRequest, given: list[dict[str, Any]], body: bytes) -> None:
    found = asyncio.run(read(request_, events(*given)))

    assert found == body
    assert type(found) is bytes


@pytest.mark.parametrize(
    ("request_", "given", "code"),
    [
        (RawRequest(chunked=True), [part(b"0123456789a")], "PAYLOAD_TOO_LARGE"),
        (RawRequest(chunked=True), [part(b"0123456789"), part(b"a")], "PAYLOAD_TOO_LARGE"),
        (RawRequest(length="3"), [part(b"abcd")], "BAD_REQUEST"),
        (RawRequest(length="3"), [part(b"abcd", more=False)], "BAD_REQUEST"),
        (RawRequest(length="3"), [part(b"ab"), part(b"", more=False)], "BAD_REQUEST"),
        (RawRequest(length="3"), [GONE], "BAD_REQUEST"),
        (RawRequest(length="3"), [part(b"abc"), GONE], "BAD_REQUEST"),
        (RawRequest(chunked=True), [part(b"abc"), GONE], "BAD_REQUEST"),
        (RawRequest(length="3"), [], "BAD_REQUEST"),
    ],
)
def test_a_body_that_is_not_what_it_should_be_is_refused(request_: RawRequest, given: list[dict[str, Any]], code: str) -> None:
    with pytest.raises(Refused) as refused:
        asyncio.run(read(request_, events(*given)))
    assert refused.value.code == code


async def never() -> Any:
    await asyncio.Event().wait()


@pytest.mark.parametrize(("version", "headers"), [("1.1", (("connection", "close"),)), ("2", ())])
def test_patience_ends(version: str, headers: Any) -> None:
    with pytest.raises(Refused) as refused:
        asyncio.run(read(RawRequest(length="3", version=version), never, patience=0.01))
    assert (refused.value.code, refused.value.headers) == ("REQUEST_TIMEOUT", headers)


def test_each_part_has_its_own_patience() -> None:
    async def main() -> int:
        given = [part(b"a" * 1000), part(b"b" * 1000), part(b"c" * 1000, more=False)]

        async def receive() -> Any:
            await asyncio.sleep(0.02)
            return given.pop(0)

        return len(await read(RawRequest(length="3000"), receive, limit=3000, patience=0.05))

    assert asyncio.run(main()) == 3000


def dripping() -> Callable[[], Awaitable[Any]]:
    """A client that sends a byte whenever one is waited for, and never the last."""

    async def receive() -> Any:
        await asyncio.sleep(0.001)
        return part(b" ")

    return receive


def test_a_body_in_drops_is_too_slow_however_many_there_are() -> None:
    """Each event begins anew what may pass without progress; the least rate goes on."""
    with pytest.raises(Refused, match="REQUEST_TIMEOUT"):
        asyncio.run(read(RawRequest(length="1000000"), dripping(), limit=1_000_000, patience=0.05))


def test_a_body_that_never_ends_is_too_slow_however_quick_its_parts_are() -> None:
    async def receive() -> Any:
        await asyncio.sleep(0.001)
        return part(b" " * 1000)

    with pytest.raises(Refused, match="REQUEST_TIMEOUT"):
        asyncio.run(read(RawRequest(length="1000000000"), receive, limit=10**9, patience=5, total=0.05))


class Fulfilled:
    """An awaitable like those of servers that are not written in Python: an iterator, and nothing else."""

    def __init__(self, future: asyncio.Future[Any]) -> None:
        self.future = future

    def __await__(self) -> Generator[Any, Any, Any]:
        return self  # type: ignore[return-value]

    def __iter__(self) -> Fulfilled:
        return self

    def __next__(self) -> Any:
        if self.future.done():
            raise StopIteration(self.future.result())
        self.future._asyncio_future_blocking = True
        return self.future


def test_awaitables_that_are_no_coroutines_work() -> None:
    async def main() -> bytes:
        future = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().call_later(0.01, future.set_result, part(b"abc", more=False))
        return await read(RawRequest(length="3"), lambda: Fulfilled(future))

    assert asyncio.run(main()) == b"abc"


def test_awaitables_that_are_no_coroutines_time_out() -> None:
    async def main() -> None:
        future = asyncio.get_running_loop().create_future()
        with pytest.raises(Refused, match="REQUEST_TIMEOUT"):
            await read(RawRequest(length="3"), lambda: Fulfilled(future), patience=0.01)

    asyncio.run(main())


def test_a_receive_that_waits_several_times_is_awaited_to_its_end() -> None:
    async def receive() -> Any:
        for _ in range(3):
            await asyncio.sleep(0)
        return part(b"abc", more=False)

    assert asyncio.run(read(RawRequest(length="3"), receive)) == b"abc"


def test_a_receive_is_closed_when_its_task_is_cancelled() -> None:
    seen: list[str] = []

    async def receive() -> Any:
        try:
            await asyncio.Event().wait()
        finally:
            seen.append("closed")

    async def main() -> None:
        task = asyncio.create_task(read(RawRequest(length="3"), receive))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert seen == ["closed"]


def send_all(response: Response, method: str = "POST", exception: BaseException | None = None) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []

    async def send(event: Any) -> None:
        sent.append(event)
        if exception is not None:
            raise exception

    asyncio.run(send_response(response, method, send))
    return sent


def test_a_response_is_two_events() -> None:
    response = Response(200, b"12", "id", JSON_HEADERS, (("a", "b"),))

    start, body = send_all(response)
    assert (start["type"], start["status"]) == ("http.response.start", 200)
    assert start["headers"] == [*response.raw(), (b"content-length", b"2")]
    assert body == {"type": "http.response.body", "body": b"12"}
    start, body = send_all(response, "HEAD")
    assert start["headers"][-1] == (b"content-length", b"2")
    assert body["body"] == b""
    start, body = send_all(Response(204, b"", "id", JSON_HEADERS, ()))
    assert (b"content-length", b"0") not in start["headers"]


def test_nobody_is_told_that_a_client_has_gone() -> None:
    assert len(send_all(Response(200, b"12", "id", JSON_HEADERS, ()), exception=BrokenPipeError())) == 1
    with pytest.raises(ValueError, match="a bug"):
        send_all(Response(200, b"12", "id", JSON_HEADERS, ()), exception=ValueError("a bug"))
