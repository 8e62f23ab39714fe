"""Pages: what has to be refused, where it is written."""

from __future__ import annotations

from typing import assert_never

from contract import Cursor, Slice, route
from tests.golden.pages import client
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

api = client.ApiClient("https://ledger.example")
later = client.AsyncApiClient("https://ledger.example")

api.find(filter=client.FilterInput(), after="abc")  # type: ignore[arg-type]
client.pages(api.pages)  # type: ignore[call-overload]
client.pages(api.of.items)  # type: ignore[call-overload]
client.pages(api.find, filter=3)  # type: ignore[call-overload]
client.pages(api.find, filter=client.FilterInput(), most=3)  # type: ignore[call-overload]

for _ in client.pages(later.everything):  # type: ignore[attr-defined]
    pass

for item in client.pages(api.find, filter=client.FilterInput()):
    wrong_2 = item.id  # type: ignore[union-attr]


def not_whole() -> list[client.Entry]:
    found: list[client.Entry] = []
    for each in client.pages(api.find, filter=client.FilterInput()):
        match each:
            case client.Ok(entry):
                found.append(entry)
            case client.NotFound() | client.CallError():
                pass
            case _:
                assert_never(each)  # type: ignore[arg-type]
    return found


def other_items() -> list[str]:
    found: list[str] = []
    for each in client.pages(api.find, filter=client.FilterInput()):
        match each:
            case client.Ok(entry):
                found.append(entry)  # type: ignore[arg-type]
            case client.Refused() | client.NotFound() | client.CallError():
                pass
    return found
