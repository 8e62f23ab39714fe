"""Specs and mounts that are put together wrongly."""

from __future__ import annotations

from typing import Any, Literal

import falcon

from contract import (
    CallEvent,
    InvalidInput,
    Logo,
    Meta,
    NavbarLink,
    Notice,
    Request,
    Theme,
    emit_contract,
    emit_openapi,
    event,
    exports,
    mount_spec,
    pred_of,
    routes,
    spec,
)
from contract.testing import AsyncClient, Client, check_route, check_spec
from tests.typechecks.shop import (
    Order,
    Receipt,
    Robot,
    SoldOut,
    User,
    admins,
    me,
    order,
    ping,
    robots,
    user_of,
    user_of_later,
)


def plain(input: Order, ctx: None) -> Receipt:
    return Receipt(input.product_id)


def hook_with_one(token: str) -> User | None:
    return User()


def hook_with_bytes(token: bytes, request: Request) -> User | None:
    return User()


def hook_with_failure(token: str, request: Request) -> User | SoldOut:
    return SoldOut(3)


async def hook_with_failure_later(token: str, request: Request) -> User | SoldOut:
    return SoldOut(3)


spec(routes=[me])  # type: ignore[list-item]
spec(routes=routes(me))  # type: ignore[arg-type]
spec(routes={"me": me})  # type: ignore[dict-item]
spec(routes=[order, plain])  # type: ignore[list-item]
spec(routes=routes(order, plain))  # type: ignore[arg-type]
spec(routes=[order, 3])  # type: ignore[list-item]
spec(routes=order)  # type: ignore[call-overload]
spec(routes={1: order})  # type: ignore[dict-item]
spec()  # type: ignore[call-overload]
spec(authenticate=user_of)  # type: ignore[call-overload]
spec(authenticate=user_of, routes=[order, robots])  # type: ignore[arg-type]
spec(authenticate=user_of_later, routes=[order, robots])  # type: ignore[list-item]
spec(authenticate=user_of, routes=routes(order, robots))  # type: ignore[arg-type]
spec(authenticate=user_of_later, routes=routes(order, robots))  # type: ignore[arg-type]
spec(authenticate=user_of, routes=routes(me, admins))  # type: ignore[arg-type]
spec(authenticate=user_of_later, routes={"me": me, "robots": robots})  # type: ignore[dict-item]
spec(authenticate=user_of_later, routes=routes(order, plain, me))  # type: ignore[arg-type]
spec(authenticate=hook_with_one, routes=routes(order, me))  # type: ignore[arg-type]
spec(authenticate=hook_with_bytes, routes=routes(order, me))  # type: ignore[arg-type]
spec(authenticate=hook_with_failure, routes=routes(order, me))  # type: ignore[arg-type]
spec(authenticate=hook_with_failure_later, routes=routes(order, me))  # type: ignore[arg-type]
spec(authenticate="secret", routes=routes(order, me))  # type: ignore[call-overload]
spec(authenticate=user_of, authenticate_inline="yes", routes=routes(order, me))  # type: ignore[call-overload]
spec(routes=[order], authenticate_inline=True)  # type: ignore[call-overload]
spec(routes=[order], meta="Shop")  # type: ignore[call-overload]
spec(routes=[order], meta={"title": "Shop"})  # type: ignore[call-overload]
spec(routes=[order], rename="kebab")  # type: ignore[call-overload]
spec(routes=[order], exports=[Order])  # type: ignore[call-overload]
spec(routes=[order], exports={"Order": Order})  # type: ignore[call-overload]
spec(routes=[order], exports={"Order": Order, "Kind": Literal["a"]})  # type: ignore[call-overload]
spec(routes=[order], exports=exports(Order=3))  # type: ignore[arg-type]
spec(routes=[order], exports=exports(Order=Order("p1")))  # type: ignore[arg-type]
exports(Order)  # type: ignore[call-arg]
spec(routes=[order], title="Shop")  # type: ignore[call-overload]
routes(order, ping)[0](Robot())  # type: ignore[operator]
Meta("Shop")  # type: ignore[call-arg]
Meta(titel="Shop")  # type: ignore[call-arg]
Meta(logo="logo.svg")  # type: ignore[arg-type]
Meta(navbar_links=[NavbarLink("A")])  # type: ignore[call-arg]
Meta(theme=Theme(accent=3))  # type: ignore[arg-type]
Meta(notice=Notice(title="A"))  # type: ignore[call-arg]
Logo(dark="a.svg")  # type: ignore[call-arg]
pred_of(Order).dump(Receipt("a"))  # type: ignore[arg-type]
pred_of(Order).load("{}")  # type: ignore[arg-type]

api = spec(routes=[order])
app: falcon.App[Any, Any] = falcon.App()


def wrong_event(event: str) -> None:
    pass


def wrong_mapper(error: Exception, request: Request) -> str:
    return str(error)


def right_event(event: CallEvent) -> None:
    event.code = "OK"  # type: ignore[misc]


mount_spec(app)  # type: ignore[call-arg]
mount_spec(api, app)  # type: ignore[arg-type]
mount_spec(app, [order])  # type: ignore[arg-type]
mount_spec(app, spec(routes=[me]))  # type: ignore[list-item]
mount_spec(app, spec(routes=routes(order, me)))  # type: ignore[arg-type]
mount_spec(app, spec(authenticate=user_of, routes=routes(order, robots)))  # type: ignore[arg-type]
mount_spec(app, spec(authenticate=user_of_later, routes=routes(order, robots)))  # type: ignore[arg-type]
mount_spec(app, spec(authenticate=user_of, routes=routes(me, admins)), prefix="/v1")  # type: ignore[arg-type]
emit_contract(spec(authenticate=user_of, routes=routes(order, robots)))  # type: ignore[arg-type]
emit_openapi(spec(authenticate=user_of, routes=routes(order, robots)))  # type: ignore[arg-type]
Client(spec(authenticate=user_of, routes=routes(order, robots)))  # type: ignore[arg-type]
AsyncClient(spec(authenticate=user_of, routes=routes(order, robots)))  # type: ignore[arg-type]
check_route("me", api=spec(authenticate=user_of, routes=routes(order, robots)))  # type: ignore[arg-type]
check_spec(spec(authenticate=user_of, routes=routes(order, robots)))  # type: ignore[arg-type]
mount_spec(app, api, "/v1")  # type: ignore[call-arg]
mount_spec(app, api, prefix=None)  # type: ignore[arg-type]
mount_spec(app, api, visibility="private")  # type: ignore[arg-type]
mount_spec(app, api, on_call=wrong_event)  # type: ignore[arg-type]
mount_spec(app, api, handle_unhandled_error=wrong_mapper)  # type: ignore[arg-type]
mount_spec(app, api, max_body=1)  # type: ignore[call-arg]
api.entries["order"] = api.entries["order"]  # type: ignore[index]
api.meta = Meta()  # type: ignore[misc]
InvalidInput()  # type: ignore[call-overload]
InvalidInput("Is sold out.", ["lines"])  # type: ignore[call-overload]
InvalidInput("Is sold out.", path="lines")  # type: ignore[call-overload]

shipped = event("order.shipped", Order, summary="An order has left")
event("order.shipped", Order)  # type: ignore[call-arg]
event("order.shipped", summary="S")  # type: ignore[call-arg]
event("order.shipped", Order("p1"), summary="S")  # type: ignore[arg-type]
spec(routes=[order], events=[Order])  # type: ignore[list-item]
spec(routes=[order], events=shipped)  # type: ignore[call-overload]
api.emit(shipped, Receipt("x"), secrets=["s"])  # type: ignore[misc]
api.emit(shipped, Order("p1"), secrets="s")  # type: ignore[arg-type]
api.emit(shipped, Order("p1"))  # type: ignore[call-arg]
api.emit("order.shipped", Order("p1"), secrets=["s"])  # type: ignore[arg-type]
