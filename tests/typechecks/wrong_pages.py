"""Pages: what has to be refused, where it is written."""

from __future__ import annotations

from typing import assert_never

from contract import Cursor, Slice, route
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
from tests.typechecks.right_pages import Denied, Filter, Order, by_number


@route(summary="x", tags=["x"], auth="none")
def wrong_items(input: Cursor[Filter, int], ctx: None) -> Slice[Order, int]:
    return Slice(["an order"])  # type: ignore[list-item]


@route(summary="x", tags=["x"], auth="none")
def wrong_key(input: Cursor[Filter, int], ctx: None) -> Slice[Order, int]:
    return Slice([], next="7")  # type: ignore[arg-type]


@route(summary="x", tags=["x"], auth="none")
def wrong_default_key(input: Cursor[Filter], ctx: None) -> Slice[Order]:
    return Slice([], next=7)  # type: ignore[arg-type]


@route(summary="x", tags=["x"], auth="none")
def no_page(input: Cursor[Filter, int], ctx: None) -> Slice[Order, int]:
    return [Order(1)]  # type: ignore[return-value]


@route(summary="x", tags=["x"], auth="none")
def undeclared(input: Cursor[Filter, int], ctx: None) -> Slice[Order, int]:
    return Denied()  # type: ignore[return-value]


@route(summary="x", tags=["x"], auth="none")
def key_of_another_type(input: Cursor[Filter, int], ctx: None) -> Slice[Order, int]:
    return Slice([], next=input.after.upper())  # type: ignore[union-attr]


by_number(Cursor(Filter(), after="3"))  # type: ignore[arg-type]
by_number(Cursor("a", after=3))  # type: ignore[arg-type]
by_number(Filter())  # type: ignore[arg-type]
by_number(Cursor(after=3))  # type: ignore[call-arg]
wrong_1 = by_number(Cursor(Filter())).items  # type: ignore[union-attr]

api = ApiClient("https://ledger.example")
later = AsyncApiClient("https://ledger.example")

api.find(filter=FilterInput(), after="abc")  # type: ignore[arg-type]
pages(api.pages)  # type: ignore[call-overload]
pages(api.of.items)  # type: ignore[call-overload]
pages(api.find, filter=3)  # type: ignore[call-overload]
pages(api.find, filter=FilterInput(), most=3)  # type: ignore[call-overload]

for _ in pages(later.everything):  # type: ignore[attr-defined]
    pass

for item in pages(api.find, filter=FilterInput()):
    wrong_2 = item.id  # type: ignore[union-attr]


def not_whole() -> list[Entry]:
    found: list[Entry] = []
    for each in pages(api.find, filter=FilterInput()):
        match each:
            case Ok(entry):
                found.append(entry)
            case NotFound() | CallError():
                pass
            case _:
                assert_never(each)  # type: ignore[arg-type]
    return found


def other_items() -> list[str]:
    found: list[str] = []
    for each in pages(api.find, filter=FilterInput()):
        match each:
            case Ok(entry):
                found.append(entry)  # type: ignore[arg-type]
            case Refused() | NotFound() | CallError():
                pass
    return found
