"""A service that gives streams beside a plain route, and one of them in a group."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Literal

from annotated_types import Ge

from contract import Failure, Meta, NotFound, Stream, current_call, group, route, routes, spec

__all__ = ["api"]

Ending = Literal["end", "interrupted", "wrong", "quiet", "endless"]
"""What becomes of a talk."""


class Interrupted(Failure, status=409):
    """The talk was stopped."""

    after: Annotated[int, Ge(0)]


class Refused(Failure, status=403):
    """Nobody may ask for that."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question."""

    text: str
    ending: Ending = "end"


@dataclass(frozen=True, slots=True)
class Token:
    """A part of an answer."""

    n: Annotated[int, Ge(0)]
    text: str
    at: datetime = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def note(text: str) -> None:
    sys.stderr.write(f"noted {text}\n")
    sys.stderr.flush()


async def tokens(ask: Ask, begin: int) -> AsyncIterator[Token | Interrupted]:
    try:
        for n, text in enumerate(ask.text.split(" ")):
            if n >= begin:
                yield Token(n, text)
        match ask.ending:
            case "interrupted":
                yield Interrupted(after=begin)
            case "wrong":
                yield Token(-1, "")
            case "quiet":
                await asyncio.sleep(3600)
            case "endless":
                for n in range(1_000_000):
                    await asyncio.sleep(0.02)
                    yield Token(n, "more")
            case _:
                pass
    finally:
        note(f"{ask.ending} is closed")


def number_of(item: Token | Interrupted) -> str:
    assert isinstance(item, Token)
    return str(item.n)


@route(summary="Answer a question, word by word", tags=["talk"], auth="none", effect="read")
async def chat(input: Ask, ctx: None) -> Stream[Token | Interrupted] | Refused | NotFound:
    if input.text == "secret":
        return Refused()
    if input.text == "nothing":
        return NotFound(message="There is nothing.")
    last = current_call().last_event_id
    begin = 0 if last is None else int(last) + 1
    return Stream(tokens(input, begin), id=number_of)


def numbers(to: int) -> Iterator[int]:
    yield from range(to)


@route(summary="Count", tags=["talk"], auth="none")
def count(input: int, ctx: None) -> Stream[int]:
    return Stream(numbers(input))


@route(summary="Listen to a room", tags=["talk"], auth="none")
def listen(input: None, ctx: None) -> Stream[str | None]:
    return Stream(iter(["hello", None]))


@route(summary="Say that you are there", tags=["talk"], auth="none")
def ping(input: None, ctx: None) -> str:
    return "here"


api = spec(
    routes=routes(chat, count, ping, group("rooms", routes=routes(listen))),
    meta=Meta(title="Talks", version="1.0.0"),
)
