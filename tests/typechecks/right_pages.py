"""Pages: what the checkers infer, at the server and of a generated client."""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable
from dataclasses import dataclass
from typing import Annotated, assert_never, assert_type

from contract import Cursor, Failure, MaxLimit, PublicRoute, Route, Slice, route
from contract.client import PageKey
from tests.golden.pages.client import (
    ApiClient,
    AsyncApiClient,
    CallError,
    Entry,
    FilterInput,
    NotFound,
    Ok,
    Refused,
    pages,
)
from tests.golden.pages.client import Slice as Page
from tests.typechecks.shop import User


@dataclass(frozen=True)
class Filter:
    word: str = ""


@dataclass(frozen=True)
class Order:
    id: int


class Denied(Failure):
    """No."""


@route(summary="x", tags=["x"], auth="none")
def by_number(input: Cursor[Filter, int], ctx: None) -> Slice[Order, int] | Denied:
    assert_type(input.filter, Filter)
    assert_type(input.after, int | None)
    assert_type(input.limit, int)
    if input.after is None:
        return Denied()
    return Slice([Order(input.after)], next=input.after + 1)


@route(summary="x", tags=["x"])
async def by_text(input: Annotated[Cursor[None], MaxLimit(500)], ctx: User) -> Slice[Order]:
    assert_type(input.after, str | None)
    return Slice((Order(1), Order(2)))


assert_type(by_number, PublicRoute[Cursor[Filter, int], Slice[Order, int] | Denied])
assert_type(by_number(Cursor(Filter(), after=3)), Slice[Order, int] | Denied)
assert_type(by_number(Cursor(Filter())), Slice[Order, int] | Denied)
assert isinstance(by_text, Route)

api = ApiClient("https://ledger.example")
later = AsyncApiClient("https://ledger.example")

assert_type(api.find(filter=FilterInput()), Ok[Page[Entry]] | NotFound | Refused | CallError)
assert_type(
    pages(api.find, filter=FilterInput(), limit=3),
    Iterable[Ok[Entry] | NotFound | Refused | CallError],
)
assert_type(pages(api.find), Iterable[Ok[Entry] | NotFound | Refused | CallError])
assert_type(pages(api.everything), Iterable[Ok[str | int] | CallError])
assert_type(pages(later.everything), AsyncIterable[Ok[str | int] | CallError])


def whole() -> list[Entry]:
    found: list[Entry] = []
    for each in pages(api.find, filter=FilterInput(word="a")):
        match each:
            case Ok(entry):
                found.append(assert_type(entry, Entry))
            case Refused(at=at):
                assert_type(at, int)
            case NotFound():
                pass
            case CallError():
                pass
            case _:
                assert_never(each)
    return found


async def whole_later(after: PageKey | None) -> None:
    assert_type(
        await later.of.items(filter=3, after=after),
        Ok[Page[Entry]] | NotFound | Refused | CallError,
    )
    async for each in pages(later.of.items, filter=3, after=after):
        match each:
            case Ok(entry):
                assert_type(entry, Entry)
            case Refused() | NotFound() | CallError():
                pass
            case _:
                assert_never(each)
