"""Streams: what the checkers infer, and what a resolver may return."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import assert_type

from contract import Failure, PublicRoute, Stream, current_call, route, routes, spec
from tests.typechecks.shop import Order


class Interrupted(Failure, status=409):
    after: int


class Refused(Failure, status=403): ...


@dataclass(frozen=True, slots=True)
class Token:
    n: int


def tokens(input: Order) -> Iterator[Token]:
    yield Token(len(input.product_id))


def some(input: Order) -> Iterator[Token | Interrupted]:
    yield Token(len(input.product_id))
    yield Interrupted(after=1)


async def later(input: Order) -> AsyncIterator[Token | Interrupted]:
    yield Token(len(input.product_id))


@route(summary="Chat", tags=["chat"], auth="none")
def chat(input: Order, ctx: None) -> Stream[Token | Interrupted] | Refused:
    if current_call().last_event_id is not None:
        return Refused()
    return Stream(tokens(input), id=lambda token: str(token.n))


@route(summary="Chat", tags=["chat"], auth="none")
async def chat_later(input: Order, ctx: None) -> Stream[Token | Interrupted] | Refused:
    stream = Stream(later(input))
    assert_type(stream, Stream[Token | Interrupted])
    return stream


@route(summary="Chat", tags=["chat"], auth="none")
def chat_with_failures(input: Order, ctx: None) -> Stream[Token | Interrupted]:
    return Stream(some(input), id=lambda token: str(token.n))


assert_type(chat, PublicRoute[Order, Stream[Token | Interrupted] | Refused])
spec(routes=routes(chat, chat_later, chat_with_failures))
