"""A service that is asked for lists page by page, alone, in a group, and of all kinds of items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from contract import Cursor, Failure, MaxLimit, Meta, NotFound, Slice, group, route, routes, spec

__all__ = ["Entry", "Filter", "Refused", "api", "everything", "find", "items"]

LAST = 7


class Refused(Failure, status=409):
    """The list ends before its end."""

    at: int


@dataclass(frozen=True, slots=True)
class Filter:
    word: str = ""
    fails_at: int | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    id: int
    word: str


def page(cursor: Cursor[Any, int]) -> tuple[range, int | None]:
    """The numbers on a page, and the first one on the next."""
    first = cursor.after or 0
    end = min(first + cursor.limit, LAST)
    return range(first, end), end if end < LAST else None


@route(summary="Find entries", tags=["ledger"], auth="none", effect="read", mcp=True)
def find(input: Cursor[Filter, int], ctx: None) -> Slice[Entry, int] | Refused | NotFound:
    numbers, end = page(input)
    fails_at = input.filter.fails_at
    if fails_at is not None and fails_at in numbers:
        return Refused(fails_at)
    return Slice([Entry(each, input.filter.word) for each in numbers], end)


@route(summary="List everything", tags=["ledger"], auth="none", effect="read")
def everything(
    input: Annotated[Cursor[None, int], MaxLimit(3)], ctx: None
) -> Slice[str | int, int]:
    numbers, end = page(input)
    return Slice([each if each % 2 else f"number {each}" for each in numbers], end)


@route(summary="List the items of an entry", tags=["ledger"], auth="none", effect="read")
async def items(input: Cursor[int, int], ctx: None) -> Slice[Entry, int] | Refused | NotFound:
    numbers, end = page(input)
    return Slice([Entry(each, "item") for each in numbers], end)


@route(summary="Count the pages", tags=["ledger"], auth="none", effect="read", name="pages")
def count_pages(input: None, ctx: None) -> int:
    return LAST


api = spec(
    routes=routes(find, everything, count_pages, group("of", routes=routes(items))),
    meta=Meta(title="Ledger", version="1.0.0"),
)
