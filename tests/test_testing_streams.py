"""Streams in tests: what the clients in memory read of them, and what the checks find."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import count
from queue import SimpleQueue
from typing import Any, Literal

import pytest

from contract import Spec, Stream, route, spec
from contract.testing import AsyncClient, Client, Reply
from contract.testing.received import Item, Receiving
from tests.streamed import Asks, make

LINES = {"accept": "application/jsonl"}

Asking = Literal["wsgi", "asgi"]
BOTH = pytest.mark.parametrize("asking", ["wsgi", "asgi"])


def asked(asking: Asking, api: Spec[Any], *given: Any, **more: Any) -> Reply:
    """The reply of the route ``chat`` to a client in memory."""
    if asking == "wsgi":
        return Client(api).call("chat", *given, **more)
    return asyncio.run(AsyncClient(api).call("chat", *given, **more))


@BOTH
@pytest.mark.parametrize("headers", [{}, LINES])
@pytest.mark.parametrize(
    ("asks", "items", "error"),
    [
        ("items", 2, None),
        ("nothing", 0, None),
        ("interrupted", 2, "INTERRUPTED"),
        ("wrong", 2, "INTERNAL_ERROR"),
        ("raise", 2, "INTERNAL_ERROR"),
    ],
)
def test_a_client_gives_the_items_of_a_stream_and_its_end(
    asking: Asking, headers: dict[str, str], asks: Asks, items: int, error: str | None
) -> None:
    api = make("sync", is_async=asking == "asgi")
    reply = asked(asking, api, {"asks": asks}, headers=headers)

    assert reply.status == 200
    assert reply.items == tuple({"n": n, "text": ""} for n in range(items))
    assert reply.ids == (None,) * items
    assert reply.error == error
    assert (reply.json == {}) is (error is None)
    assert (reply.exception is not None) is (error == "INTERNAL_ERROR")


@BOTH
@pytest.mark.parametrize("headers", [{}, LINES])
def test_it_gives_their_ids(asking: Asking, headers: dict[str, str]) -> None:
    api = make("async", is_async=True)
    reply = asked(asking, api, {"asks": "unicode", "ids": True}, headers=headers)

    assert reply.ids == ('0"\\', '1"\\')
    assert reply.items is not None
    assert reply.items[1]["text"] == "a\u2028b\u0085c"


def test_what_is_answered_before_it_is_an_ordinary_reply() -> None:
    reply = Client(make("sync", is_async=False)).call("chat", {"asks": "refused"})

    assert (reply.status, reply.error, reply.items) == (403, "REFUSED", None)


ENDED: SimpleQueue[str] = SimpleQueue()


@route(summary="Chat", tags=["t"], auth="none", name="chat")
def endless(input: None, ctx: None) -> Stream[int]:
    def items() -> Iterator[int]:
        try:
            yield from count()
        finally:
            ENDED.put("sync")

    return Stream(items())


@route(summary="Chat", tags=["t"], auth="none", name="chat")
async def endless_later(input: None, ctx: None) -> Stream[int]:
    async def items() -> AsyncIterator[int]:
        try:
            for each in count():
                yield each
                await asyncio.sleep(0)
        finally:
            ENDED.put("async")

    return Stream(items())


@BOTH
@pytest.mark.parametrize(("way", "chat"), [("sync", endless), ("async", endless_later)])
def test_a_client_may_leave_a_stream_that_has_no_end(asking: Asking, way: str, chat: Any) -> None:
    reply = asked(asking, spec(routes=[chat]), max_items=3)

    assert reply.items == (0, 1, 2)
    assert (reply.json, reply.error) == (None, None)
    assert ENDED.get(timeout=10) == way


def test_a_stream_is_read_whatever_parts_it_comes_in() -> None:
    body = b': working\n\nid: 7\ndata: {"a":1}\n\ndata: 2\n\nevent: end\ndata: {}\n\n'
    reading = Receiving("text/event-stream")
    found = [item for at in range(len(body)) for item in reading.take(body[at : at + 1])]

    assert found == [Item(b'{"a":1}', "7"), Item(b"2")]
    assert [item.value for item in found] == [{"a": 1}, 2]
    assert reading.last == b"{}"
