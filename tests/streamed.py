"""A route that gives a stream, in every way that its resolver and its iterator may run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, cast

from annotated_types import Ge

from contract import Failure, ServiceUnavailable, Spec, Stream, provide, route, spec

Asks = Literal[
    "items",
    "nothing",
    "refused",
    "no stream",
    "interrupted",
    "busy",
    "wrong",
    "undeclared",
    "raise",
    "raise failure",
    "bad id",
    "bad close",
    "unicode",
]
"""What becomes of a stream."""

Uses = Literal["no values", "resolver", "iterator", "both", "bad end"]
"""Who asks for a value of the call."""


class Interrupted(Failure, status=409):
    """The model was stopped."""

    after: int


class Refused(Failure, status=403):
    """Nobody may ask for that."""


@dataclass(frozen=True, slots=True)
class Ask:
    asks: Asks = "items"
    uses: Uses = "no values"
    ids: bool = False


@dataclass(frozen=True, slots=True)
class Token:
    n: Annotated[int, Ge(0)]
    text: str = ""


NOTED: list[str] = []
"""What has ended, in its order."""


def ended(values: str, raised: BaseException | None) -> None:
    NOTED.append(values if raised is None else f"{values}: {raised!r}")


@provide
def session() -> Iterator[str]:
    try:
        yield "session"
    except BaseException as raised:
        ended("rolled back", raised)
        raise
    ended("committed", None)


@provide
async def later() -> AsyncIterator[str]:
    try:
        yield "later"
    except BaseException as raised:
        ended("rolled back later", raised)
        raise
    ended("committed later", None)


@provide
def broken() -> Iterator[str]:
    yield "broken"
    raise RuntimeError("the canary-of-the-provider")


def given(input: Ask) -> Iterator[Any]:
    """The items before the end."""
    if input.asks != "nothing":
        yield Token(0)
        yield Token(1, "a\u2028b\u0085c" if input.asks == "unicode" else "")
    match input.asks:
        case "interrupted" | "bad close":
            yield Interrupted(after=2)
        case "busy":
            yield ServiceUnavailable(retry_after=1)
        case "wrong":
            yield Token(-1)
        case "undeclared":
            yield Refused()
        case "raise":
            raise ValueError("canary")
        case "raise failure":
            raise cast("Any", Interrupted(after=2))
        case _:
            pass


def use(input: Ask, who: Uses) -> None:
    if input.uses in (who, "both"):
        assert session() == "session"
    if input.uses == "bad end":
        assert broken() == "broken"


def here(input: Ask) -> Iterator[Any]:
    use(input, "iterator")
    try:
        yield from given(input)
    finally:
        NOTED.append("closed")
        if input.asks == "bad close":
            raise RuntimeError("canary-of-the-close")


async def on_loop(input: Ask) -> AsyncIterator[Any]:
    if input.uses in ("iterator", "both"):
        assert await later() == "later"
    try:
        for item in given(input):
            await asyncio.sleep(0)
            yield item
    finally:
        NOTED.append("closed")
        if input.asks == "bad close":
            raise RuntimeError("canary-of-the-close")


def answered(input: Ask, *, is_async: bool) -> Any:
    match input.asks:
        case "refused":
            return Refused()
        case "no stream":
            return [Token(1)]
        case _:
            pass
    items: Any = on_loop(input) if is_async else here(input)

    def id_of(item: Any) -> str:
        return f'{item.n}"\\' if input.asks != "bad id" else "1\n2"

    return Stream(items, id=id_of if input.ids else None)


Kind = Literal["sync", "inline", "async"]
Items = Stream[Token | Interrupted] | Refused


def make(kind: Kind, *, is_async: bool, door: str = "public", **more: Any) -> Spec[Any]:
    """A spec with the route ``chat``, whose resolver is of a *kind*."""

    def chat(input: Ask, ctx: object) -> Items:
        if kind == "sync":
            use(input, "resolver")
        elif input.uses == "resolver":
            input = Ask(input.asks, "iterator", input.ids)
        return answered(input, is_async=is_async)  # type: ignore[no-any-return]

    async def chat_later(input: Ask, ctx: object) -> Items:
        if input.uses in ("resolver", "both"):
            assert await later() == "later"
        await asyncio.sleep(0)
        return answered(input, is_async=is_async)  # type: ignore[no-any-return]

    auth: Any = "none" if door == "public" else "bearer"
    decorate: Any = route
    options = {"summary": "Chat", "tags": ["chat"], "name": "chat", "auth": auth, **more}
    resolver = chat_later if kind == "async" else chat
    made: Any = decorate(inline=kind == "inline", **options)(resolver)
    return spec(authenticate=who_later if door == "async" else who, routes=[made])


def who(token: str, request: Any) -> str | None:
    session()
    return token


async def who_later(token: str, request: Any) -> str | None:
    await asyncio.sleep(0)
    return token
