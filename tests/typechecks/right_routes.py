"""Routes: what the checkers infer."""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine
from enum import StrEnum
from typing import Any, Generic, Literal, TypeVar, assert_never, assert_type

import contract
from contract import UNSET, Cache, Deprecated, McpTool, NotFound, Signed, define_errors
from tests.typechecks.shop import (
    Blocked,
    Order,
    Receipt,
    SoldOut,
    User,
    anybody,
    me,
    me_later,
    order,
    ping,
)

T = TypeVar("T")

assert_type(order, contract.PublicRoute[Order, Receipt | SoldOut | NotFound])
assert_type(me, contract.Route[None, str | Blocked, User])
assert_type(anybody, contract.Route[int, int, object])

assert_type(order(Order("p1")), Receipt | SoldOut | NotFound)
assert_type(order(Order("p1"), None), Receipt | SoldOut | NotFound)
assert_type(order.resolver(Order("p1"), None), Receipt | SoldOut | NotFound)
assert_type(order.handler(Order("p1"), None), Receipt | SoldOut | NotFound)
assert_type(me(None, User()), str | Blocked)

# what calling an async route gives is called Coroutine by one checker and CoroutineType by the
# other
async_public: contract.PublicRoute[None, Coroutine[Any, Any, None]] = ping
async_bearer: contract.Route[None, Coroutine[Any, Any, str], User] = me_later

# a public route takes any context
general: contract.Route[Order, Receipt | SoldOut | NotFound, User] = order
assert_type(contract.routes(order, me), list[contract.Member[User]])


kept = contract.route(
    summary="x", tags=["x"], effect="read", cache=Cache(max_age=60, vary=["Accept-Language"])
)(me.resolver)
assert_type(kept, contract.Route[None, str | Blocked, User])
assert_type(kept.cache, Cache | None)
contract.route(
    summary="x", tags=["x"], auth="none", effect="read", cache=Cache(max_age=0, vary=("A",))
)
contract.route(summary="x", tags=["x"], auth="none", signed=Signed(["s"]))
contract.route(summary="x", tags=["x"], auth="none", signed=Signed(lambda: ("s",), tolerance=60))


async def awaited() -> None:
    assert_type(await me_later(None, User()), str)
    await ping(None)
    assert_type(await public(shop.order_later)(Order("p1")), Receipt)


class Shop(Generic[T]):
    def __init__(self, made: T) -> None:
        self.made = made

    def order(self, input: Order, ctx: User) -> T | SoldOut:
        return self.made

    async def order_later(self, input: Order, ctx: None) -> T:
        return self.made

    def __call__(self, input: Order, ctx: User) -> T:
        return self.made


shop = Shop(Receipt("a"))
bearer = contract.route(summary="Order", tags=["x"], errors=define_errors(SoldOut))
public = contract.route(
    summary="Order",
    tags=("a", "b"),
    description="More",
    auth="none",
    scope="private",
    mcp=McpTool(name="order", open_world=True),
    name="orders.make",
    effect="idempotent",
    inline=True,
    deprecated=Deprecated(use="order"),
)
assert_type(bearer(shop.order), contract.Route[Order, Receipt | SoldOut, User])
assert_type(bearer(shop), contract.Route[Order, Receipt, User])

function: Callable[[Order, None], Receipt | SoldOut | NotFound] = order


def handled(result: Receipt | SoldOut | NotFound) -> int | None:
    match result:
        case Receipt():
            return 0
        case SoldOut(days):
            assert_type(days, int)
            return days
        case NotFound(message=text):
            return None if text is UNSET else len(text)
        case _:
            assert_never(result)


class Tag(StrEnum):
    ORDERS = "orders"


tagged: list[Literal["orders", "stock"]] = ["orders", "stock"]
contract.route(summary="x", tags=("orders",))
contract.route(summary="x", tags=[Tag.ORDERS], auth="none")
contract.route(summary="x", tags=list(Tag))
contract.route(summary="x", tags=tagged)

R = TypeVar("R")


def unless_blocked(resolver: Callable[[Order, User], R]) -> Callable[[Order, User], R | Blocked]:
    @functools.wraps(resolver)
    def wrapper(input: Order, ctx: User) -> R | Blocked:
        return resolver(input, ctx)

    return wrapper


@contract.route(summary="x", tags=["x"], errors=define_errors(SoldOut, Blocked))
@unless_blocked
def wrapped(input: Order, ctx: User) -> Receipt | SoldOut:
    return SoldOut(3)


assert_type(wrapped, contract.Route[Order, Receipt | SoldOut | Blocked, User])
