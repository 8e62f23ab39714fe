"""Hooks that are made wrongly, or stand where they cannot."""

# mypy: disable-error-code="empty-body"
# what is declared below is checked and never run

from __future__ import annotations

from contract import Call, Failure, Hook, NotFound, hook, hooks, route, routes, spec
from tests.typechecks import shop
from tests.typechecks.right_hooks import audit, banned, big, limited, maybe, one, public


@hook
def of_robot(call: Call[shop.Robot]) -> NotFound | None: ...


def plain(call: Call[shop.User]) -> NotFound | None: ...


def resolve(input: shop.Order, ctx: shop.User) -> shop.Receipt: ...


@hook  # type: ignore[arg-type]
def gives_text(call: Call[shop.User]) -> str: ...


@hook  # type: ignore[type-var]
async def gives_number(call: Call[shop.User]) -> int: ...


@hook  # type: ignore[arg-type]
def gives_text_too(call: Call[shop.User]) -> shop.Blocked | str: ...


@hook  # type: ignore[arg-type]
def two_parameters(call: Call[shop.User], more: int) -> NotFound | None: ...


@hook  # type: ignore[arg-type]
def no_parameter() -> NotFound | None: ...


@hook  # type: ignore[arg-type]
def by_keyword(*, call: Call[shop.User]) -> NotFound | None: ...


@hook
def undeclared(call: Call[shop.User]) -> NotFound | None:
    return shop.Blocked()  # type: ignore[return-value]


@hook
def without_input(call: Call[shop.User]) -> NotFound | None:
    return NotFound() if call.input.quantity else None  # type: ignore[attr-defined]


@hook
def without_context(call: Call[object]) -> NotFound | None:
    return NotFound() if call.ctx.name else None  # type: ignore[attr-defined]


@hook(inline=True)  # type: ignore[type-var]
async def inline_later(call: Call[shop.User]) -> NotFound | None: ...


@route(summary="x", tags=["x"], hooks=[of_robot])  # type: ignore[arg-type]
def of_user(input: shop.Order, ctx: shop.User) -> shop.Receipt: ...


@route(summary="x", tags=["x"], hooks=hooks(audit, of_robot))  # type: ignore[arg-type]
def of_user_too(input: shop.Order, ctx: shop.User) -> shop.Receipt: ...


route(summary="x", tags=["x"], auth="none", hooks=[limited])  # type: ignore[call-overload]
route(summary="x", tags=["x"], auth="none", hooks=hooks(audit, limited))  # type: ignore[call-overload]
route(summary="x", tags=["x"], hooks=[plain])  # type: ignore[list-item]
route(summary="x", tags=["x"], hooks=hooks(plain))  # type: ignore[arg-type]
route(summary="x", tags=["x"], hooks=limited)  # type: ignore[call-overload]
route(summary="x", tags=["x"], hooks=[shop.user_of])  # type: ignore[list-item]
spec(authenticate=shop.user_of, routes=routes(one, shop.me), hooks=[of_robot])  # type: ignore[arg-type]
spec(authenticate=shop.user_of_later, routes=routes(one, shop.me), hooks=[of_robot])  # type: ignore[misc]
spec(authenticate=shop.user_of, routes=routes(one, shop.me), hooks=hooks(plain))  # type: ignore[arg-type]
spec(routes=routes(public, shop.order), hooks=[limited])  # type: ignore[list-item]
spec(authenticate=shop.user_of, routes=[route(summary="x", tags=["x"], hooks=hooks(limited, of_robot))(resolve)])  # type: ignore[arg-type]  # fmt: skip
one.behind(of_robot)  # type: ignore[arg-type]
one.behind(maybe, of_robot)  # type: ignore[arg-type]
one.behind(plain)  # type: ignore[arg-type]
public.behind(limited)  # type: ignore[arg-type]
limited(Call(shop.Robot()))  # type: ignore[arg-type]
limited(shop.User())  # type: ignore[arg-type]
limited()  # type: ignore[call-arg]
str(big(Call(shop.User(), shop.Order("p1"))).message)  # type: ignore[union-attr]
Hook(plain)  # type: ignore[call-arg]
Call()  # type: ignore[call-arg]
limited.inline = True  # type: ignore[misc]
Call(shop.User()).ctx = shop.User()  # type: ignore[misc]


async def forgotten() -> Failure | None:
    return banned(Call(shop.User()))  # type: ignore[return-value]
