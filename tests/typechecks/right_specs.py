"""Specs: what the checkers infer, whatever the routes stand in."""

from __future__ import annotations

from typing import Annotated, Any, Literal, assert_type

import falcon
import falcon.asgi
from annotated_types import Len

import contract
from contract import InvalidInput, Mount, Request, Spec, event, exports, mount_spec, routes, spec
from tests.typechecks import shop
from tests.typechecks.shop import Admin, Order, User, me, order, ping, user_of, user_of_later

assert_type(spec(routes=[order]), Spec[None])
with contract.calling("order", headers={"X-Tenant": "north"}) as info:
    assert_type(info, contract.CallInfo)
assert_type(spec(routes=[order, ping]), Spec[None])
assert_type(spec(routes=routes(order, ping)), Spec[None])
assert_type(spec(routes=routes()), Spec[None])
assert_type(spec(routes={"makeOrder": order, "ping": ping}), Spec[None])
assert_type(spec(authenticate=user_of, routes=[order, me, shop.me_later, shop.anybody]), Spec[User])
assert_type(spec(authenticate=user_of_later, routes=[order, me, shop.me_later]), Spec[User])
assert_type(spec(authenticate=user_of, routes=routes(order, me)), Spec[User])
assert_type(
    spec(authenticate=user_of, authenticate_inline=True, routes=routes(order, me)), Spec[User]
)
assert_type(spec(authenticate=user_of_later, routes=routes(order, me)), Spec[User])
assert_type(spec(authenticate=user_of, routes={"order": order, "me": me}), Spec[User])
assert_type(spec(authenticate=user_of_later, routes={"order": order, "me": me}), Spec[User])


def admin_of(token: str, request: Request) -> Admin | contract.Builtin | None:
    return Admin() if request.headers.get("x-admin") else contract.Forbidden()


class Hook:
    async def authenticate(
        self, token: str, request: Request
    ) -> User | contract.ServiceUnavailable:
        return contract.ServiceUnavailable(retry_after=3)


api = spec(authenticate=admin_of, routes=routes(me, shop.admins, order))
assert_type(api, Spec[Admin])
assert_type(spec(authenticate=Hook().authenticate, routes=routes(me, order)), Spec[User])

full = spec(
    routes=routes(order, ping),
    meta=contract.Meta(
        title="Shop",
        website=contract.Website("https://shop.example"),
        theme=contract.Theme(accent="teal", font_urls=["/a.css"]),
        navbar_links=[contract.NavbarLink("A", "/a")],
    ),
    exports=exports(
        Order=Order,
        Orders=list[Order],
        Result=shop.Receipt | None,
        Kind=Literal["a"],
        Short=Annotated[str, Len(1)],
    ),
    rename="camel",
)


def on_call(event: contract.CallEvent) -> None:
    assert_type(event.status, int)


def mapped(error: Exception, request: Request) -> contract.Failure | None:
    return shop.SoldOut(3) if isinstance(error, LookupError) else None


wsgi: falcon.App[Any, Any] = falcon.App()
asgi: falcon.asgi.App[Any, Any] = falcon.asgi.App()
assert_type(mount_spec(asgi, full), Mount)
assert_type(
    mount_spec(wsgi, spec(authenticate=user_of, routes=routes(order, me)), prefix="/v2"), Mount
)
assert_type(mount_spec(wsgi, spec(routes=[order, ping]), prefix="/v3").spec, contract.AnySpec)
assert_type(
    contract.emit_contract(spec(authenticate=user_of_later, routes=routes(order, me))), bytes
)
spec(routes=[order], exports=exports(Order=Order))
assert_type(
    mount_spec(
        wsgi,
        api,
        prefix="/v1",
        on_call=on_call,
        handle_unhandled_error=mapped,
        limits=contract.Limits(),
    ),
    Mount,
)
assert_type(contract.current_call().request_id, str)

assert_type(InvalidInput("The end is before the start."), InvalidInput)
assert_type(InvalidInput("Is sold out.", "lines", 2, "sku"), InvalidInput)
assert_type(InvalidInput(InvalidInput("Is sold out.").issues, truncated=True), InvalidInput)

shipped = event("order.shipped", Order, summary="An order has left")
counted = event("stock.counted", dict[str, int], summary="The stock is counted")
assert_type(shipped, contract.Event[Order])
sender = spec(authenticate=user_of, routes=routes(order, me), events=[shipped, counted])
assert_type(sender.emit(shipped, Order("p1"), secrets=["s"]), contract.Delivery)
assert_type(sender.emit(counted, {"p1": 1}, secrets=("s",), message_id="m"), contract.Delivery)
