"""Calls: a resolver is called, and what it gives is looked at."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from annotated_types import Ge

from contract import Failure, InvalidOutput, NotFound, current_call, route
from contract.testing import Finding, call
from tests.tables import rows


class SoldOut(Failure, status=409):
    """Gone."""

    days: Annotated[int, Ge(0)]


@dataclass(frozen=True)
class Order:
    quantity: Annotated[int, Ge(1)]


@route(summary="Order", tags=["t"], auth="none")
def order(input: Order, ctx: None) -> Annotated[int, Ge(0)] | SoldOut:
    if input.quantity == 4:
        return NotFound()  # type: ignore[return-value]
    return SoldOut(days=5 - input.quantity) if input.quantity > 3 else 2 - input.quantity


@route(summary="Me", tags=["t"])
async def me(input: None, ctx: str) -> str:
    await asyncio.sleep(0)
    if ctx == "nobody":
        raise LookupError(ctx)
    return f"{ctx} by {current_call().route}"


def test_a_call_gives_what_the_resolver_gives() -> None:
    assert call(order, Order(1)) == 1
    assert call(order, Order(5)) == SoldOut(days=0)
    assert call(me, None, "ada") == "ada by me"


def test_items_that_are_made_one_by_one_are_there_after_the_check() -> None:
    @route(summary="Count", tags=["tests"], auth="none")
    def count(input: None, ctx: None) -> Iterable[int]:
        return (number for number in (1, 2))

    assert call(count, None, None) == [1, 2]


def test_what_is_raised_is_raised() -> None:
    with pytest.raises(LookupError, match="nobody"):
        call(me, None, "nobody")


@rows(
    "quantity, problem",
    (3, "order: it returned -1, which does not fit what it declares"),
    (4, "order: it returned NotFound, which its annotation does not declare"),
    (6, r"order: it returned SoldOut\(days=-1\), which does not fit what it declares: days"),
)
def test_what_is_not_declared_is_found(quantity: int, problem: str) -> None:
    with pytest.raises(Finding, match=problem):
        call(order, Order(quantity))


def test_an_input_that_is_none_is_refused() -> None:
    wrong: Any = Order(0)

    with pytest.raises(InvalidOutput, match="quantity: expected an int between 1 and"):
        call(order, wrong)
