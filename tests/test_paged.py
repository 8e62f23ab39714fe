"""Paged: routes that are asked for pages, and what they are refused for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

import contract
from contract.shape.nodes import IntShape, NullableShape, StrShape
from tests.tables import rows


@dataclass(frozen=True, slots=True)
class Filter:
    word: str = ""


@dataclass(frozen=True, slots=True)
class Order:
    id: int


@dataclass(frozen=True, slots=True)
class Held:
    page: contract.Slice[Order, int]


@dataclass(frozen=True, slots=True)
class Tree:
    of: list[Tree]
    page: contract.Slice[Order] | None = None


class Refused(contract.Failure):
    page: contract.Slice[Order, int]


def by_number(input: contract.Cursor[Filter, int], ctx: None) -> contract.Slice[Order, int]: ...  # type: ignore[empty-body]
def by_text(input: contract.Cursor[Filter], ctx: None) -> contract.Slice[Order]: ...  # type: ignore[empty-body]
def by_both(  # type: ignore[empty-body]
    input: contract.Cursor[None, int | None], ctx: None
) -> contract.Slice[Order, int | None]: ...
def no_slice(input: contract.Cursor[Filter, int], ctx: None) -> list[Order]: ...  # type: ignore[empty-body]
def no_cursor(input: Filter, ctx: None) -> contract.Slice[Order, int]: ...  # type: ignore[empty-body]
def no_input(input: None, ctx: None) -> contract.Slice[Order]: ...  # type: ignore[empty-body]
def other_key(input: contract.Cursor[Filter, int], ctx: None) -> contract.Slice[Order]: ...  # type: ignore[empty-body]
def held(input: Filter, ctx: None) -> Held: ...  # type: ignore[empty-body]
def listed(input: Filter, ctx: None) -> list[contract.Slice[Order]]: ...  # type: ignore[empty-body]
def in_tree(input: Filter, ctx: None) -> Tree: ...  # type: ignore[empty-body]
def within(input: contract.Cursor[Held, int], ctx: None) -> contract.Slice[Order, int]: ...  # type: ignore[empty-body]
def of_pages(  # type: ignore[empty-body]
    input: contract.Cursor[Filter, int], ctx: None
) -> contract.Slice[contract.Slice[Order, int], int]: ...
def streamed(  # type: ignore[empty-body]
    input: contract.Cursor[Filter, int], ctx: None
) -> contract.Stream[contract.Slice[Order, int]]: ...
def streamed_orders(  # type: ignore[empty-body]
    input: contract.Cursor[Filter, int], ctx: None
) -> contract.Stream[Order]: ...
def failing_stream(  # type: ignore[empty-body]
    input: Filter, ctx: None
) -> contract.Stream[Order | Refused]: ...
def taken(input: contract.Slice[Order], ctx: None) -> None: ...
def given(input: None, ctx: None) -> contract.Cursor[Filter]: ...  # type: ignore[empty-body]
def failing(input: None, ctx: None) -> Refused | None: ...


def declared(resolver: Callable[[Any, None], Any]) -> Any:
    made = contract.route(summary="List", tags=["orders"], auth="none")(resolver)
    return contract.spec(routes=contract.routes(made)).entries[resolver.__name__]


@pytest.mark.parametrize(
    ("resolver", "key"),
    [(by_number, IntShape()), (by_text, StrShape()), (by_both, NullableShape(IntShape()))],
)
def test_a_route_of_pages_knows_the_type_of_their_keys(resolver: Any, key: object) -> None:
    assert declared(resolver).page_key == key


def test_no_other_route_has_any() -> None:
    @contract.route(summary="Say nothing", tags=["t"], auth="none")
    def nothing(input: None, ctx: None) -> list[Order]:
        return []

    assert contract.spec(routes=contract.routes(nothing)).entries["nothing"].page_key is None


@rows(
    "resolver, told",
    (no_slice, r"no_slice.input: it takes a cursor, .* return Slice\[Item, int\]"),
    (no_cursor, r"no_cursor.return: it gives a page, .* input: Cursor\[Filter, int\]"),
    (no_input, r"no_input.return: it gives a page, .* input: Cursor\[Filter, str\]"),
    (other_key, "other_key.return: .* of the type str, and the cursor takes int"),
    (held, "held.return: a Slice is inside another type"),
    (listed, "listed.return: a Slice is inside another type"),
    (in_tree, "in_tree.return: a Slice is inside another type"),
    (within, "within.input: a Slice is inside another type"),
    (of_pages, "of_pages.return: a Slice is inside another type"),
    (streamed, "streamed.return: a Slice is inside another type"),
    (streamed_orders, "streamed_orders.input: it takes a cursor, but returns no page"),
    (failing_stream, "failing_stream.Refused: a Slice is inside another type"),
    (taken, "taken.input: a Slice is inside another type"),
    (given, "given.return: a Cursor is inside another type"),
    (failing, "failing.Refused: a Slice is inside another type"),
)
def test_a_page_that_nobody_could_go_on_from_is_refused(resolver: Any, told: str) -> None:
    with pytest.raises(contract.DeclarationError, match=told):
        declared(resolver)


def test_no_page_stands_in_a_failure_of_a_hook() -> None:
    @contract.hook
    def refuses(call: contract.Call[object]) -> Refused | None:
        return None

    @contract.route(summary="Say nothing", tags=["t"], auth="none", hooks=contract.hooks(refuses))
    def nothing(input: None, ctx: None) -> None:
        return None

    with pytest.raises(contract.DeclarationError, match="a Slice is inside another type"):
        contract.spec(routes=contract.routes(nothing))


@rows(
    "options",
    {"events": [contract.event("page.made", contract.Slice[Order, int], summary="A page is made")]},
    {"exports": contract.exports(Page=contract.Slice[Order, int])},
)
def test_no_page_is_an_event_or_exported(options: dict[str, Any]) -> None:
    with pytest.raises(contract.DeclarationError, match="a Slice is inside another type"):
        contract.spec(routes=contract.routes(), **options)
