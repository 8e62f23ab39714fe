"""Streams in tests: what the clients in memory read of them, and what the checks find."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import count
from queue import SimpleQueue
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import settings as Settings  # noqa: N812  it is a class

from contract import Failure, NotFound, Spec, Stream, current_call, route, spec, testing
from contract.adapters import item_streams, thread_items
from contract.testing import AsyncClient, Client, Finding, Reply, call, check_spec, outputs
from contract.testing.findings import Undeclared, WrongOutput, declared_by
from contract.testing.received import Item, Receiving
from tests.streamed import NOTED, Ask, Asks, Interrupted, Refused, Token, Uses, make
from tests.tables import rows

LINES = {"accept": "application/jsonl"}

Asking = Literal["wsgi", "asgi"]
BOTH = pytest.mark.parametrize("asking", ["wsgi", "asgi"])


def asked(asking: Asking, api: Spec[Any], *given: Any, **more: Any) -> Reply:
    """The reply of the route ``chat`` to a client in memory."""
    if asking == "wsgi":
        return Client(api).call("chat", *given, **more)
    return asyncio.run(AsyncClient(api).call("chat", *given, **more))


@pytest.mark.unwatched
@BOTH
@rows("headers", {}, LINES)
@rows(
    "asks, items, error",
    ("items", 2, None), ("nothing", 0, None), ("interrupted", 2, "INTERRUPTED"),
    ("wrong", 2, "INTERNAL_ERROR"), ("raise", 2, "INTERNAL_ERROR"),
)  # fmt: skip
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
@rows("headers", {}, LINES)
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
@rows("way, chat", ("sync", endless), ("async", endless_later))
def test_a_client_may_leave_a_stream_that_has_no_end(asking: Asking, way: str, chat: Any) -> None:
    reply = asked(asking, spec(routes=[chat]), max_items=3)

    assert reply.items == (0, 1, 2)
    assert (reply.json, reply.error) == (None, None)
    assert ENDED.get(timeout=10) == way


@BOTH
def test_who_waits_for_so_many_items_does_not_wait_for_ever(
    asking: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (item_streams, thread_items):
        monkeypatch.setattr(module, "QUIET_SECONDS", 1.0)

    @route(summary="Chat", tags=["t"], auth="none")
    async def chat(input: None, ctx: None) -> Stream[int]:
        async def items() -> AsyncIterator[int]:
            yield 1
            await asyncio.Event().wait()

        return Stream(items())

    reply = asked(asking, spec(routes=[chat]), max_items=2)
    assert (reply.items, reply.json) == ((1,), None)


def test_a_stream_is_read_whatever_parts_it_comes_in() -> None:
    body = b': working\n\nid: 7\ndata: {"a":1}\n\ndata: 2\n\nevent: end\ndata: {}\n\n'
    reading = Receiving("text/event-stream")
    found = [item for at in range(len(body)) for item in reading.take(body[at : at + 1])]

    assert found == [Item(b'{"a":1}', "7"), Item(b"2")]
    assert [item.value for item in found] == [{"a": 1}, 2]
    assert reading.last == b"{}"


# Checks of one call.

WAYS = pytest.mark.parametrize(
    ("kind", "is_async"), [("sync", False), ("sync", True), ("async", False), ("async", True)]
)


def chat_of(kind: Any, *, is_async: bool) -> Any:
    return make(kind, is_async=is_async).entries["chat"].route


def read(given: Any) -> list[Any]:
    assert isinstance(given, Stream)
    items: Any = given.items
    return list(items)


@WAYS
def test_a_call_gives_the_items_that_have_come(kind: Any, is_async: bool) -> None:
    chat = chat_of(kind, is_async=is_async)
    NOTED.clear()

    assert read(call(chat, Ask(ids=True), None)) == [Token(0), Token(1)]
    assert NOTED == ["closed"]
    assert read(call(chat, Ask("interrupted"), None))[2:] == [Interrupted(after=2)]
    assert call(chat, Ask("refused"), None) == Refused()


@rows(
    "kind, is_async, uses, noted",
    ("sync", False, "both", "session"),
    ("async", False, "resolver", "later"),
    ("async", True, "both", "later"),
)
def test_the_values_of_a_call_live_until_its_items_have_come(
    kind: Any, is_async: bool, uses: Uses, noted: str
) -> None:
    chat = chat_of(kind, is_async=is_async)
    end = " later" if noted == "later" else ""
    NOTED.clear()
    call(chat, Ask(uses=uses), None)
    assert ["closed", f"committed{end}"] == NOTED

    NOTED.clear()
    call(chat, Ask("interrupted", uses=uses), None)
    assert NOTED[0] == "closed"
    assert NOTED[1].startswith(f"rolled back{end}: CallFailed")


@rows(
    "asks, ids, finding, problem",
    ("wrong", False, WrongOutput, "item 3 of its stream is Token(n=-1), which does not fit"),
    ("undeclared", False, Undeclared, "item 3 of its stream is Refused, which its annotation"),
    ("bad id", True, WrongOutput, "its id= gives no text of 1 to 256"),
    ("no stream", False, WrongOutput, "which is not a Stream"),
)
@WAYS
def test_each_item_is_looked_at(
    kind: Any, is_async: bool, asks: Asks, ids: bool, finding: type[Finding], problem: str
) -> None:
    with pytest.raises(finding) as found:
        call(chat_of(kind, is_async=is_async), Ask(asks, ids=ids), None)
    assert problem in str(found.value)


@WAYS
def test_what_the_iterator_raises_is_raised(kind: Any, is_async: bool) -> None:
    with pytest.raises(ValueError, match="canary"):
        call(chat_of(kind, is_async=is_async), Ask("raise"), None)


def test_a_call_reads_no_more_than_a_thousand_items() -> None:
    assert read(call(endless, None)) == [*range(1000)]
    assert ENDED.get(timeout=10) == "sync"


def test_outputs_are_streams() -> None:
    @given(outputs(endless))
    def law(stream: Any) -> None:
        assert all(type(item) is int for item in read(stream))

    law()


# Checks of a route.


def checked(chat: Any, **options: Any) -> str:
    """What a check of the route says of it."""
    settings = Settings(max_examples=15, database=None, derandomize=True)
    try:
        testing.check_route(chat, settings=settings, **options)()
    except Finding as finding:
        return f"{type(finding).__name__}: {finding.problem}"
    return "well"


class Odd(Failure, status=409):
    """The number is odd."""

    n: int


def numbers(items: Any, annotation: Any = Stream[int | Odd] | NotFound, **options: Any) -> Any:
    """A route with a stream of what *items* gives for a number."""

    def chat(input: int, ctx: None) -> Any:
        if input > 100:
            return NotFound()
        return Stream(items(input), id=options.get("id"))

    chat.__annotations__["return"] = annotation
    effect = options.get("effect", "write")
    return route(summary="Chat", tags=["t"], auth="none", effect=effect)(chat)


def well(n: int) -> Iterator[Any]:
    yield from range(n % 5)
    if n % 2:
        yield Odd(n=n)


async def well_later(n: int) -> AsyncIterator[Any]:
    for item in well(n):
        yield item


def wrong(n: int) -> Iterator[Any]:
    yield n
    yield "two"


def undeclared(n: int) -> Iterator[Any]:
    yield n
    yield NotFound()


def raising(n: int) -> Iterator[Any]:
    yield n
    raise RuntimeError("canary")


def closing(n: int) -> Iterator[Any]:
    try:
        yield n
    finally:
        raise RuntimeError("canary")


TURNS = count()


def turning(n: int) -> Iterator[Any]:
    yield next(TURNS)


def over_the_wire(n: int) -> Iterator[Any]:
    yield 1 if current_call().surface == "http" else 2


def no_id(n: int) -> str:
    raise LookupError("canary")


class NoGenerator:
    """An iterator that has nothing to close."""

    def __init__(self, n: int) -> None:
        self._left = n % 3

    def __next__(self) -> int:
        if self._left <= 0:
            raise StopIteration
        self._left -= 1
        return self._left


class NoAsyncGenerator:
    """Its items have to be awaited."""

    def __init__(self, n: int) -> None:
        self._items = NoGenerator(n)

    def __aiter__(self) -> NoAsyncGenerator:
        return self

    async def __anext__(self) -> int:
        try:
            return next(self._items)
        except StopIteration:
            raise StopAsyncIteration from None


@rows(
    "chat, problem",
    *((numbers(items), "well") for items in (well, well_later, count)),
    *((numbers(items, effect="read"), "well") for items in (well, well_later)),
    *((numbers(items, effect="read"), "well") for items in (NoGenerator, NoAsyncGenerator)),
    (numbers(well, id=str), "well"),
    (numbers(wrong), "WrongOutput: item 2 of its stream is 'two', which does not fit"),
    (numbers(undeclared), "Undeclared: item 2 of its stream is NotFound, which its annot"),
    (numbers(raising), "Crashed: it raised RuntimeError: canary"),
    (numbers(closing), "Crashed: it raised RuntimeError: canary"),
    (numbers(well, id=no_id), "Crashed: item 1 of its stream cannot be written: LookupError:"),
    (numbers(turning, effect="read"), "Disagrees: it answers 200 {"),
    (numbers(over_the_wire, effect="read"), "Disagrees: it answers 200 {"),
)
def test_the_laws_hold_for_each_item(chat: Any, problem: str) -> None:
    assert checked(chat).startswith(problem)


def test_what_is_no_stream_is_a_wrong_output() -> None:
    @route(summary="Chat", tags=["t"], auth="none")
    def chat(input: None, ctx: None) -> Stream[int]:
        return [1]  # type: ignore[return-value]

    assert checked(chat).startswith("WrongOutput: it returned [1], which does not fit what it decl")


def test_a_failure_between_items_counts_as_seen() -> None:
    api = spec(routes=[numbers(well)])
    test = check_spec(api, settings=Settings(max_examples=30, derandomize=True))

    [mark] = test.pytestmark  # type: ignore[attr-defined]
    assert mark.args == ("route", ["chat"])
    assert declared_by(api.entries["chat"]) == ("NOT_FOUND", "ODD")
