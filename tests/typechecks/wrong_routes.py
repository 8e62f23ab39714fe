"""Routes that are made or called wrongly."""

# mypy: disable-error-code="empty-body"
# what is declared below is checked and never run

from __future__ import annotations

from typing import assert_never

import contract
from contract import Cache, Deprecated, McpTool, Route, Signed, calling, route, routes, spec
from tests.typechecks import shop

route(summary="x")  # type: ignore[call-overload]
route(tags=["x"])  # type: ignore[call-overload]
route(summary="x", tags=["x"], auth="basic")  # type: ignore[call-overload]
route(summary="x", tags=["x"], scope="hidden")  # type: ignore[call-overload]
route(summary="x", tags=["x"], effect="delete")  # type: ignore[call-overload]
route(summary="x", tags=["x"], mcp="order")  # type: ignore[call-overload]
route(summary="x", tags=["x"], mpc=True)  # type: ignore[call-overload]
route(summary="x", tags=["x"], errors=[shop.SoldOut])  # type: ignore[call-overload]
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
spec([shop.order])  # type: ignore[call-overload]
Route(shop.order.resolver)  # type: ignore[call-arg]
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
def public_with_context(input: shop.Order, ctx: shop.User) -> shop.Receipt: ...


@route(summary="x", tags=["x"], auth="none")  # type: ignore[arg-type]
def one_parameter(input: shop.Order) -> shop.Receipt: ...


@route(summary="x", tags=["x"])  # type: ignore[arg-type]
def three_parameters(input: shop.Order, ctx: shop.User, extra: int) -> shop.Receipt: ...


@route(summary="x", tags=["x"])  # type: ignore[arg-type]
def by_keyword(input: shop.Order, *, ctx: shop.User) -> shop.Receipt: ...


class Shop:
    @route(summary="x", tags=["x"])  # type: ignore[arg-type]
    def method(self, input: shop.Order, ctx: shop.User) -> shop.Receipt: ...


@route  # type: ignore[call-overload]
def bare(input: shop.Order, ctx: shop.User) -> shop.Receipt: ...


routes(1)  # type: ignore[arg-type]
routes(shop.order, [shop.me])  # type: ignore[arg-type]
shop.order("p1")  # type: ignore[arg-type]
shop.order()  # type: ignore[call-arg]
shop.order(shop.Order("p1"), shop.User())  # type: ignore[arg-type]
shop.order(input=shop.Order("p1"))  # type: ignore[call-arg]
shop.order({"product_id": "p1"})  # type: ignore[arg-type]
shop.anybody("1", None)  # type: ignore[arg-type]
shop.me(None)  # type: ignore[call-arg]
shop.me(None, None)  # type: ignore[arg-type]
shop.me(None, shop.Robot())  # type: ignore[arg-type]
shop.admins(1, shop.User())  # type: ignore[arg-type]
shop.admins("1", shop.Admin())  # type: ignore[arg-type]
shop.order.auth = "bearer"  # type: ignore[misc]
str(shop.order(shop.Order("p1")).order_id)  # type: ignore[union-attr]
str(shop.order.sumary)  # type: ignore[attr-defined]
contract.define_errors(shop.SoldOut).failures = ()  # type: ignore[misc]


async def forgotten() -> str:
    return shop.me_later(None, shop.User())  # type: ignore[return-value]


async def awaited_twice() -> None:
    await shop.me(None, shop.User())  # type: ignore[misc]


def unhandled() -> int:
    result = shop.order(shop.Order("p1"))
    match result:
        case shop.Receipt():
            return 0
        case shop.SoldOut():
            return 1
        case _:
            assert_never(result)  # type: ignore[arg-type]


def wrong_member(result: shop.Receipt | shop.SoldOut | contract.NotFound) -> object:
    match result:
        case shop.SoldOut(days):
            return days.days  # type: ignore[attr-defined]
        case _:
            return 0
