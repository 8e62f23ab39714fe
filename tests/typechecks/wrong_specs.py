"""Specs and mounts that are put together wrongly."""

# mypy: disable-error-code="empty-body"
# what is declared below is checked and never run

from __future__ import annotations

from typing import Any, Literal

import falcon

import contract
from contract import InvalidInput, Request, event, exports, mount_spec, pred_of, routes, spec
from contract.testing import AsyncClient, Client, check_route, check_spec
from tests.typechecks import shop


def plain(input: shop.Order, ctx: None) -> shop.Receipt: ...


def hook_with_one(token: str) -> shop.User | None: ...


def hook_with_bytes(token: bytes, request: Request) -> shop.User | None: ...


def hook_with_failure(token: str, request: Request) -> shop.User | shop.SoldOut: ...


async def hook_with_failure_later(token: str, request: Request) -> shop.User | shop.SoldOut: ...


spec(routes=[shop.me])  # type: ignore[list-item]
spec(routes=routes(shop.me))  # type: ignore[arg-type]
spec(routes={"me": shop.me})  # type: ignore[dict-item]
spec(routes=[shop.order, plain])  # type: ignore[list-item]
spec(routes=routes(shop.order, plain))  # type: ignore[arg-type]
spec(routes=[shop.order, 3])  # type: ignore[list-item]
spec(routes=shop.order)  # type: ignore[call-overload]
spec(routes={1: shop.order})  # type: ignore[dict-item]
spec()  # type: ignore[call-overload]
spec(authenticate=shop.user_of)  # type: ignore[call-overload]
spec(authenticate=shop.user_of, routes=[shop.order, shop.robots])  # type: ignore[arg-type]
spec(authenticate=shop.user_of_later, routes=[shop.order, shop.robots])  # type: ignore[list-item]
spec(authenticate=shop.user_of, routes=routes(shop.order, shop.robots))  # type: ignore[arg-type]
spec(authenticate=shop.user_of_later, routes=routes(shop.order, shop.robots))  # type: ignore[arg-type]
spec(authenticate=shop.user_of, routes=routes(shop.me, shop.admins))  # type: ignore[arg-type]
spec(authenticate=shop.user_of_later, routes={"me": shop.me, "robots": shop.robots})  # type: ignore[dict-item]
spec(authenticate=shop.user_of_later, routes=routes(shop.order, plain, shop.me))  # type: ignore[arg-type]
spec(authenticate=hook_with_one, routes=routes(shop.order, shop.me))  # type: ignore[arg-type]
spec(authenticate=hook_with_bytes, routes=routes(shop.order, shop.me))  # type: ignore[arg-type]
spec(authenticate=hook_with_failure, routes=routes(shop.order, shop.me))  # type: ignore[arg-type]
spec(authenticate=hook_with_failure_later, routes=routes(shop.order, shop.me))  # type: ignore[arg-type]
spec(authenticate="secret", routes=routes(shop.order, shop.me))  # type: ignore[call-overload]
spec(authenticate=shop.user_of, authenticate_inline="yes", routes=routes(shop.order, shop.me))  # type: ignore[call-overload]
spec(routes=[shop.order], authenticate_inline=True)  # type: ignore[call-overload]
spec(routes=[shop.order], meta="Shop")  # type: ignore[call-overload]
spec(routes=[shop.order], meta={"title": "Shop"})  # type: ignore[call-overload]
spec(routes=[shop.order], rename="kebab")  # type: ignore[call-overload]
spec(routes=[shop.order], exports=[shop.Order])  # type: ignore[call-overload]
spec(routes=[shop.order], exports={"Order": shop.Order})  # type: ignore[call-overload]
spec(routes=[shop.order], exports={"Order": shop.Order, "Kind": Literal["a"]})  # type: ignore[call-overload]
spec(routes=[shop.order], exports=exports(Order=3))  # type: ignore[arg-type]
spec(routes=[shop.order], exports=exports(Order=shop.Order("p1")))  # type: ignore[arg-type]
exports(shop.Order)  # type: ignore[call-arg]
spec(routes=[shop.order], title="Shop")  # type: ignore[call-overload]
routes(shop.order, shop.ping)[0](shop.Robot())  # type: ignore[operator]
contract.Meta("Shop")  # type: ignore[call-arg]
contract.Meta(titel="Shop")  # type: ignore[call-arg]
contract.Meta(logo="logo.svg")  # type: ignore[arg-type]
contract.Meta(navbar_links=[contract.NavbarLink("A")])  # type: ignore[call-arg]
contract.Meta(theme=contract.Theme(accent=3))  # type: ignore[arg-type]
contract.Meta(notice=contract.Notice(title="A"))  # type: ignore[call-arg]
contract.Logo(dark="a.svg")  # type: ignore[call-arg]
pred_of(shop.Order).dump(shop.Receipt("a"))  # type: ignore[arg-type]
pred_of(shop.Order).load("{}")  # type: ignore[arg-type]

api = spec(routes=[shop.order])
app: falcon.App[Any, Any] = falcon.App()


def wrong_event(event: str) -> None: ...


def wrong_mapper(error: Exception, request: Request) -> str: ...


def right_event(event: contract.CallEvent) -> None:
    event.code = "OK"  # type: ignore[misc]


mount_spec(app)  # type: ignore[call-arg]
mount_spec(api, app)  # type: ignore[arg-type]
mount_spec(app, [shop.order])  # type: ignore[arg-type]
mount_spec(app, spec(routes=[shop.me]))  # type: ignore[list-item]
mount_spec(app, spec(routes=routes(shop.order, shop.me)))  # type: ignore[arg-type]
mount_spec(app, spec(authenticate=shop.user_of, routes=routes(shop.order, shop.robots)))  # type: ignore[arg-type]
mount_spec(app, spec(authenticate=shop.user_of_later, routes=routes(shop.order, shop.robots)))  # type: ignore[arg-type]
mount_spec(app, spec(authenticate=shop.user_of, routes=routes(shop.me, shop.admins)), prefix="/v1")  # type: ignore[arg-type]
contract.emit_contract(spec(authenticate=shop.user_of, routes=routes(shop.order, shop.robots)))  # type: ignore[arg-type]
contract.emit_openapi(spec(authenticate=shop.user_of, routes=routes(shop.order, shop.robots)))  # type: ignore[arg-type]
Client(spec(authenticate=shop.user_of, routes=routes(shop.order, shop.robots)))  # type: ignore[arg-type]
AsyncClient(spec(authenticate=shop.user_of, routes=routes(shop.order, shop.robots)))  # type: ignore[arg-type]
check_route("me", api=spec(authenticate=shop.user_of, routes=routes(shop.order, shop.robots)))  # type: ignore[arg-type]
check_spec(spec(authenticate=shop.user_of, routes=routes(shop.order, shop.robots)))  # type: ignore[arg-type]
mount_spec(app, api, "/v1")  # type: ignore[call-arg]
mount_spec(app, api, prefix=None)  # type: ignore[arg-type]
mount_spec(app, api, visibility="private")  # type: ignore[arg-type]
mount_spec(app, api, on_call=wrong_event)  # type: ignore[arg-type]
mount_spec(app, api, handle_unhandled_error=wrong_mapper)  # type: ignore[arg-type]
mount_spec(app, api, max_body=1)  # type: ignore[call-arg]
api.entries["order"] = api.entries["order"]  # type: ignore[index]
api.meta = contract.Meta()  # type: ignore[misc]
InvalidInput()  # type: ignore[call-overload]
InvalidInput("Is sold out.", ["lines"])  # type: ignore[call-overload]
InvalidInput("Is sold out.", path="lines")  # type: ignore[call-overload]

shipped = event("order.shipped", shop.Order, summary="An order has left")
event("order.shipped", shop.Order)  # type: ignore[call-arg]
event("order.shipped", summary="S")  # type: ignore[call-arg]
event("order.shipped", shop.Order("p1"), summary="S")  # type: ignore[arg-type]
spec(routes=[shop.order], events=[shop.Order])  # type: ignore[list-item]
spec(routes=[shop.order], events=shipped)  # type: ignore[call-overload]
api.emit(shipped, shop.Receipt("x"), secrets=["s"])  # type: ignore[misc]
api.emit(shipped, shop.Order("p1"), secrets="s")  # type: ignore[arg-type]
api.emit(shipped, shop.Order("p1"))  # type: ignore[call-arg]
api.emit("order.shipped", shop.Order("p1"), secrets=["s"])  # type: ignore[arg-type]
