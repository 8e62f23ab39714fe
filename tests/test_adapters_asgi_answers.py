"""ASGI answers: what is sent, in which events."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from contract import Stream, after_commit, route, routes, spec
from contract.adapters.asgi_answers import Followed, send_answer
from contract.call.message import JSON_HEADERS, Response, Streamed
from contract.testing import AsyncClient
from tests.test_adapters_asgi_calls import incoming_of
from tests.test_provided import errors
from tests.wire.exchange import RawRequest


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
async def test_a_stream_is_sent_part_by_part(broken_at: int | None) -> None:
    sent: list[Any] = []
    parts = Parts(b"a", b"b")

    async def send(event: Any) -> None:
        if len(sent) == broken_at:
            raise OSError
        sent.append(event)

    incoming = incoming_of(RawRequest())
    incoming.answered = Streamed("id", (("vary", "Origin"),), parts)
    await send_answer(None, incoming, send)
    headers = dict(sent[0].pop("headers")) if sent else {}
    more: list[Any] = [{"body": part, "more_body": True} for part in (b"a", b"b")]
    events = [{"type": "http.response.body", **body} for body in [*more, {"body": b""}]]
    assert sent == [{"type": "http.response.start", "status": 200}, *events][:broken_at]
    assert parts.closed
    if headers:
        assert headers[b"content-type"] == b"text/event-stream"
        assert (headers[b"x-request-id"], headers[b"vary"]) == (b"id", b"Origin")
        assert b"content-length" not in headers


def send_all(
    response: Response | bytes, method: str = "POST", exception: BaseException | None = None
) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []

    async def send(event: Any) -> None:
        sent.append(event)
        if exception is not None:
            raise exception

    incoming = incoming_of(RawRequest(method=method))
    incoming.request_id = "id"
    incoming.answered = response
    asyncio.run(send_answer(None, incoming, send))
    return sent


PLAIN = Response(200, b"12", "id", JSON_HEADERS, ())


def test_a_response_is_two_events() -> None:
    response = Response(200, b"12", "id", JSON_HEADERS, (("a", "b"),))

    start, body = send_all(response)
    assert (start["type"], start["status"]) == ("http.response.start", 200)
    assert start["headers"] == [*response.raw(), (b"content-length", b"2")]
    assert body == {"type": "http.response.body", "body": b"12"}
    whole, same = send_all(b"12")
    assert (whole["status"], same) == (200, body)
    assert whole["headers"] == [*PLAIN.raw(), (b"content-length", b"2")]
    start, body = send_all(response, "HEAD")
    assert (start["headers"][-1], body["body"]) == ((b"content-length", b"2"), b"")
    start, body = send_all(Response(204, b"", "id", JSON_HEADERS, ()))
    assert (b"content-length", b"0") not in start["headers"]


def test_nobody_is_told_that_a_client_has_gone() -> None:
    assert len(send_all(PLAIN, exception=BrokenPipeError())) == 1
    with pytest.raises(ValueError, match="a bug"):
        send_all(PLAIN, exception=ValueError("a bug"))


said: list[str] = []


async def noted(text: str) -> None:
    said.append(text)


def stops() -> None:
    raise StopIteration("a bug")


@route(summary="Order", tags=["t"], auth="none")
async def order(input: int, ctx: None) -> str:
    await asyncio.sleep(0)
    after_commit(said.append, "sync")
    after_commit(stops)
    after_commit(noted, "async")
    return "x" * input


@route(summary="Count", tags=["t"], auth="none")
def count(input: int, ctx: None) -> Stream[int]:
    return Stream(iter(range(input)))


api = spec(routes=routes(order, count))


async def test_functions_follow_an_answer_of_any_length(caplog: pytest.LogCaptureFixture) -> None:
    said.clear()

    reply = await AsyncClient(api).call("order", 2_000)

    assert (reply.json, reply.headers["content-length"]) == ("x" * 2_000, "2002")
    assert said == ["sync", "async"]
    assert errors(caplog) == ["stops raised, which after_commit() was given"]


async def test_items_are_sent_as_they_come() -> None:
    assert (await AsyncClient(api).call("count", 3)).items == (0, 1, 2)


@pytest.mark.parametrize("parts", [b"ab", Parts(b"a", b"b")])
async def test_parts_that_falcon_sends_are_closed_by_it(parts: Any) -> None:
    incoming = incoming_of(RawRequest())
    incoming.values = None
    followed = Followed(parts, incoming)

    assert b"".join([part async for part in followed]) == b"ab"
    await followed.close()
    assert isinstance(parts, bytes) or parts.closed
