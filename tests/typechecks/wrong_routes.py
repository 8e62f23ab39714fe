"""Routes that are made or called wrongly."""

from __future__ import annotations

from typing import assert_never

from contract import (
    Cache,
    Deprecated,
    McpTool,
    NotFound,
    Route,
    Signed,
    calling,
    define_errors,
    route,
    routes,
    spec,
)
from tests.typechecks.shop import (
    Admin,
    Order,
    Receipt,
    Robot,
    SoldOut,
    User,
    admins,
    anybody,
    me,
    me_later,
    order,
)

route(summary="x")  # type: ignore[call-overload]
route(tags=["x"])  # type: ignore[call-overload]
route(summary="x", tags=["x"], auth="basic")  # type: ignore[call-overload]
route(summary="x", tags=["x"], scope="hidden")  # type: ignore[call-overload]
route(summary="x", tags=["x"], effect="delete")  # type: ignore[call-overload]
route(summary="x", tags=["x"], mcp="order")  # type: ignore[call-overload]
route(summary="x", tags=["x"], mpc=True)  # type: ignore[call-overload]
route(summary="x", tags=["x"], errors=[SoldOut])  # type: ignore[call-overload]
route(summary="x", tags=3)  # type: ignore[call-overload]
route(summary="x", tags="orders")  # type: ignore[call-overload]
route(summary="x", tags="orders", auth="none")  # type: ignore[call-overload]
route(summary="x", tags=b"orders")  # type: ignore[call-overload]
route(summary="x", tags={"orders"})  # type: ignore[call-overload]
route(summary="x", tags=(tag for tag in ("a", "b")))  # type: ignore[call-overload]
route(summary="x", tags=[1])  # type: ignore[list-item]
route(summary="x", tags=["x"], effect="read", cache=60)  # type: ignore[call-overload]
route(summary="x", tags=["x"], effect="read", cache=Cache)  # type: ignore[call-overload]
route(summary="x", tags=["x"], signed=Signed(["s"]))  # type: ignore[call-overload]
route(summary="x", tags=["x"], auth="optional", signed=Signed([]))  # type: ignore[call-overload]
route(summary="x", tags=["x"], auth="none", signed=["s"])  # type: ignore[call-overload]
route(summary="x", tags=["x"], deprecated="yes")  # type: ignore[call-overload]
route("x", ["a"])  # type: ignore[call-overload]
spec([order])  # type: ignore[call-overload]
Route(order.resolver)  # type: ignore[call-arg]
calling()  # type: ignore[call-arg]
calling("order", surface="smoke")  # type: ignore[arg-type]
McpTool("order")  # type: ignore[call-arg]
McpTool(name=5)  # type: ignore[arg-type]
McpTool(readonly=True)  # type: ignore[call-arg]
Cache()  # type: ignore[call-arg]
Cache(60)  # type: ignore[call-arg]
Cache(max_age="60")  # type: ignore[arg-type]
Cache(max_age=60, vary="Cookie")  # type: ignore[arg-type]
Signed("secret")  # type: ignore[arg-type]
Signed(lambda: "secret")  # type: ignore[arg-type, return-value]
Signed(lambda request: ["secret"])  # type: ignore[arg-type, misc]
Signed(["secret"], tolerance="5 min")  # type: ignore[arg-type]
Deprecated(since="2.0")  # type: ignore[arg-type]


@route(summary="x", tags=["x"], auth="none")  # type: ignore[arg-type]
def public_with_context(input: Order, ctx: User) -> Receipt:
    return Receipt(ctx.name)


@route(summary="x", tags=["x"], auth="none")  # type: ignore[arg-type]
def one_parameter(input: Order) -> Receipt:
    return Receipt(input.product_id)


@route(summary="x", tags=["x"])  # type: ignore[arg-type]
def three_parameters(input: Order, ctx: User, extra: int) -> Receipt:
    return Receipt(ctx.name)


@route(summary="x", tags=["x"])  # type: ignore[arg-type]
def by_keyword(input: Order, *, ctx: User) -> Receipt:
    return Receipt(ctx.name)


class Shop:
    @route(summary="x", tags=["x"])  # type: ignore[arg-type]
    def method(self, input: Order, ctx: User) -> Receipt:
        return Receipt(ctx.name)


@route  # type: ignore[call-overload]
def bare(input: Order, ctx: User) -> Receipt:
    return Receipt(ctx.name)


routes(1)  # type: ignore[arg-type]
routes(order, [me])  # type: ignore[arg-type]
order("p1")  # type: ignore[arg-type]
order()  # type: ignore[call-arg]
order(Order("p1"), User())  # type: ignore[arg-type]
order(input=Order("p1"))  # type: ignore[call-arg]
order({"product_id": "p1"})  # type: ignore[arg-type]
anybody("1", None)  # type: ignore[arg-type]
me(None)  # type: ignore[call-arg]
me(None, None)  # type: ignore[arg-type]
me(None, Robot())  # type: ignore[arg-type]
admins(1, User())  # type: ignore[arg-type]
admins("1", Admin())  # type: ignore[arg-type]
order.auth = "bearer"  # type: ignore[misc]
str(order(Order("p1")).order_id)  # type: ignore[union-attr]
str(order.sumary)  # type: ignore[attr-defined]
define_errors(SoldOut).failures = ()  # type: ignore[misc]


async def forgotten() -> str:
    return me_later(None, User())  # type: ignore[return-value]


async def awaited_twice() -> None:
    await me(None, User())  # type: ignore[misc]


def unhandled() -> int:
    result = order(Order("p1"))
    match result:
        case Receipt():
            return 0
        case SoldOut():
            return 1
        case _:
            assert_never(result)  # type: ignore[arg-type]


def wrong_member(result: Receipt | SoldOut | NotFound) -> object:
    match result:
        case SoldOut(days):
            return days.days  # type: ignore[attr-defined]
        case _:
            return 0
