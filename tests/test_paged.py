"""Paged: routes that are asked for pages, and what they are refused for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from contract import (
    Call,
    Cursor,
    DeclarationError,
    Failure,
    Slice,
    Stream,
    event,
    exports,
    hook,
    hooks,
    route,
    routes,
    spec,
)
from contract.shape.nodes import IntShape, NullableShape, StrShape


@dataclass(frozen=True, slots=True)
class Filter:
    word: str = ""


@dataclass(frozen=True, slots=True)
class Order:
    id: int


@dataclass(frozen=True, slots=True)
class Held:
    page: Slice[Order, int]


@dataclass(frozen=True, slots=True)
class Tree:
    of: list[Tree]
    page: Slice[Order] | None = None


class Refused(Failure):
    page: Slice[Order, int]


def by_number(input: Cursor[Filter, int], ctx: None) -> Slice[Order, int]: ...  # type: ignore[empty-body]
def by_text(input: Cursor[Filter], ctx: None) -> Slice[Order]: ...  # type: ignore[empty-body]
def by_both(  # type: ignore[empty-body]
    input: Cursor[None, int | None], ctx: None
) -> Slice[Order, int | None]: ...
def no_slice(input: Cursor[Filter, int], ctx: None) -> list[Order]: ...  # type: ignore[empty-body]
def no_cursor(input: Filter, ctx: None) -> Slice[Order, int]: ...  # type: ignore[empty-body]
def no_input(input: None, ctx: None) -> Slice[Order]: ...  # type: ignore[empty-body]
def other_key(input: Cursor[Filter, int], ctx: None) -> Slice[Order]: ...  # type: ignore[empty-body]
def held(input: Filter, ctx: None) -> Held: ...  # type: ignore[empty-body]
def listed(input: Filter, ctx: None) -> list[Slice[Order]]: ...  # type: ignore[empty-body]
def in_tree(input: Filter, ctx: None) -> Tree: ...  # type: ignore[empty-body]
def within(input: Cursor[Held, int], ctx: None) -> Slice[Order, int]: ...  # type: ignore[empty-body]
def of_pages(  # type: ignore[empty-body]
    input: Cursor[Filter, int], ctx: None
) -> Slice[Slice[Order, int], int]: ...
def streamed(  # type: ignore[empty-body]
    input: Cursor[Filter, int], ctx: None
) -> Stream[Slice[Order, int]]: ...
def streamed_orders(  # type: ignore[empty-body]
    input: Cursor[Filter, int], ctx: None
) -> Stream[Order]: ...
def failing_stream(  # type: ignore[empty-body]
    input: Filter, ctx: None
) -> Stream[Order | Refused]: ...
def taken(input: Slice[Order], ctx: None) -> None: ...
def given(input: None, ctx: None) -> Cursor[Filter]: ...  # type: ignore[empty-body]
def failing(input: None, ctx: None) -> Refused | None: ...


def declared(resolver: Callable[[Any, None], Any]) -> Any:
    made = route(summary="List", tags=["orders"], auth="none")(resolver)
    return spec(routes=routes(made)).entries[resolver.__name__]


@pytest.mark.parametrize(
    ("resolver", "key"),
    [(by_number, IntShape()), (by_text, StrShape()), (by_both, NullableShape(IntShape()))],
)
def test_a_route_of_pages_knows_the_type_of_their_keys(resolver: Any, key: object) -> None:
    assert declared(resolver).page_key == key


def test_no_other_route_has_any() -> None:
    @route(summary="Say nothing", tags=["t"], auth="none")
    def nothing(input: None, ctx: None) -> list[Order]:
        return []

    assert spec(routes=routes(nothing)).entries["nothing"].page_key is None


@pytest.mark.parametrize(
    ("resolver", "told"),
    [
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
    ],
)
def test_a_page_that_nobody_could_go_on_from_is_refused(resolver: Any, told: str) -> None:
    with pytest.raises(DeclarationError, match=told):
        declared(resolver)


def test_no_page_stands_in_a_failure_of_a_hook() -> None:
    @hook
    def refuses(call: Call[object]) -> Refused | None:
        return None

    @route(summary="Say nothing", tags=["t"], auth="none", hooks=hooks(refuses))
    def nothing(input: None, ctx: None) -> None:
        return None

    with pytest.raises(DeclarationError, match="a Slice is inside another type"):
        spec(routes=routes(nothing))


@pytest.mark.parametrize(
    "options",
    [
        {"events": [event("page.made", Slice[Order, int], summary="A page is made")]},
        {"exports": exports(Page=Slice[Order, int])},
    ],
)
def test_no_page_is_an_event_or_exported(options: dict[str, Any]) -> None:
    with pytest.raises(DeclarationError, match="a Slice is inside another type"):
        spec(routes=routes(), **options)
