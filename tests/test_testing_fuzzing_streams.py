"""Fuzzing of routes that give streams: each item is looked at, and how they end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from contract import Failure, NotFound, Stream, route, spec
from contract.pred.compile import compile_pred
from contract.testing import Client, Reply
from contract.testing.fuzzed import fuzzed_of
from contract.testing.fuzzing import Answer, Post, Result
from tests.fuzzed import fuzz


class Odd(Failure, status=409):
    """The number is odd."""

    n: int


def numbers(items: Callable[[int], Iterator[Any]]) -> Any:
    """A spec with a stream of what *items* gives for a number."""

    def chat(input: int, ctx: None) -> Stream[int | Odd] | NotFound:
        return NotFound() if input < 0 else Stream(items(input))

    return spec(routes=[route(summary="Chat", tags=["t"], auth="none")(chat)])


def well(n: int) -> Iterator[Any]:
    yield from range(n % 3)
    if n % 2:
        yield Odd(n=n)


def wrong(n: int) -> Iterator[Any]:
    yield "two"


def fuzzed(api: Any, post: Post | None = None, **known: Any) -> Result:
    [route] = fuzzed_of(api)
    client = Client(api)

    def posted(name: str, body: bytes) -> Answer:
        reply = client.call(name, body=body, max_items=20)
        return Answer(reply, left=reply.items is not None and reply.json is None)

    return fuzz(replace(route, **known), post or posted, most=20)


def test_a_stream_may_end_well_or_as_it_declares() -> None:
    result = fuzzed(numbers(well))

    assert result.findings == ()
    assert result.declared == ("NOT_FOUND", "ODD")
    assert result.unseen == ()


def test_one_without_an_end_is_left() -> None:
    assert fuzzed(numbers(lambda _: count())).findings == ()


def test_what_ends_a_stream_by_a_bug_is_found() -> None:
    [finding] = fuzzed(numbers(wrong)).findings
    assert finding.problem.startswith("its stream ends with INTERNAL_ERROR: ")


@pytest.mark.unwatched
def test_items_of_a_server_are_looked_at() -> None:
    """Where they are known from a document alone, nothing has checked them before."""
    text = compile_pred(fuzzed_of(numbers(well))[0].sides.output)
    api = numbers(lambda n: iter([n]))
    client = Client(api)

    def problems(change: Callable[[Reply], Reply], **known: Any) -> list[str]:
        def post(name: str, body: bytes) -> Answer:
            reply = client.call(name, body=body)
            return Answer(reply if reply.status != 200 else change(reply))

        found = fuzzed(api, post, output=text, **known).findings
        return [finding.problem for finding in found]

    assert problems(lambda reply: reply) == []
    [wrong] = problems(lambda reply: replace(reply, items=("two",)))
    assert wrong.startswith("item 1 of its stream is not one that it declares: ")
    [broken] = problems(lambda reply: replace(reply, json=None))
    assert broken == "its stream is broken off after item 1"
    [whole] = problems(lambda reply: replace(reply, items=None, body=b"7"))
    assert whole == "it answers 200 7, which is not a stream"
    [undeclared] = problems(lambda reply: replace(reply, json={"error": "EVEN"}))
    assert undeclared.endswith(", which is not declared")


@pytest.mark.parametrize("data", [{"n": 1}, {"n": "one"}])
def test_the_data_of_a_failure_between_items_are_looked_at(data: dict[str, object]) -> None:
    api = numbers(well)
    [known] = fuzzed_of(api)
    stream = next(iter(api.entries.values())).stream
    client = Client(api)

    def post(name: str, body: bytes) -> Answer:
        reply = client.call(name, body=body)
        return Answer(replace(reply, json={"error": "ODD", "data": data}) if reply.items else reply)

    odd = compile_pred(stream.failures[Odd].shape)
    result = fuzzed(api, post, failures={"ODD": odd}, statuses={"ODD": 409, "NOT_FOUND": 404})
    assert known.answers == ("NOT_FOUND", "ODD")
    assert [finding.problem[:40] for finding in result.findings] == (
        [] if data["n"] == 1 else ["it answers ODD with data that do not fit"]
    )
