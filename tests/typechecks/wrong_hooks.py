"""Hooks that are made wrongly, or stand where they cannot."""

from __future__ import annotations

from contract import Call, Failure, Hook, NotFound, hook, hooks, route, routes, spec
from tests.typechecks.right_hooks import audit, banned, big, limited, maybe, one, public
from tests.typechecks.shop import (
    Blocked,
    Order,
    Receipt,
    Robot,
    User,
    me,
    order,
    user_of,
    user_of_later,
)


@hook
def of_robot(call: Call[Robot]) -> NotFound | None:
    return None


def plain(call: Call[User]) -> NotFound | None:
    return None


def resolve(input: Order, ctx: User) -> Receipt:
    return Receipt(ctx.name)


@hook  # type: ignore[arg-type]
def gives_text(call: Call[User]) -> str:
    return call.ctx.name


@hook  # type: ignore[type-var]
async def gives_number(call: Call[User]) -> int:
    return 1


@hook  # type: ignore[arg-type]
def gives_text_too(call: Call[User]) -> Blocked | str:
    return call.ctx.name


@hook  # type: ignore[arg-type]
def two_parameters(call: Call[User], more: int) -> NotFound | None:
    return None


@hook  # type: ignore[arg-type]
def no_parameter() -> NotFound | None:
    return None


@hook  # type: ignore[arg-type]
def by_keyword(*, call: Call[User]) -> NotFound | None:
    return None


@hook
def undeclared(call: Call[User]) -> NotFound | None:
    return Blocked()  # type: ignore[return-value]


@hook
def without_input(call: Call[User]) -> NotFound | None:
    return NotFound() if call.input.quantity else None  # type: ignore[attr-defined]


@hook
def without_context(call: Call[object]) -> NotFound | None:
    return NotFound() if call.ctx.name else None  # type: ignore[attr-defined]


@hook(inline=True)  # type: ignore[type-var]
async def inline_later(call: Call[User]) -> NotFound | None:
    return None


@route(summary="x", tags=["x"], hooks=[of_robot])  # type: ignore[arg-type]
def of_user(input: Order, ctx: User) -> Receipt:
    return Receipt(ctx.name)


@route(summary="x", tags=["x"], hooks=hooks(audit, of_robot))  # type: ignore[arg-type]
def of_user_too(input: Order, ctx: User) -> Receipt:
    return Receipt(ctx.name)


route(summary="x", tags=["x"], auth="none", hooks=[limited])  # type: ignore[call-overload]
route(summary="x", tags=["x"], auth="none", hooks=hooks(audit, limited))  # type: ignore[call-overload]
route(summary="x", tags=["x"], hooks=[plain])  # type: ignore[list-item]
route(summary="x", tags=["x"], hooks=hooks(plain))  # type: ignore[arg-type]
route(summary="x", tags=["x"], hooks=limited)  # type: ignore[call-overload]
route(summary="x", tags=["x"], hooks=[user_of])  # type: ignore[list-item]
spec(authenticate=user_of, routes=routes(one, me), hooks=[of_robot])  # type: ignore[arg-type]
spec(authenticate=user_of_later, routes=routes(one, me), hooks=[of_robot])  # type: ignore[misc]
spec(authenticate=user_of, routes=routes(one, me), hooks=hooks(plain))  # type: ignore[arg-type]
spec(routes=routes(public, order), hooks=[limited])  # type: ignore[list-item]
spec(authenticate=user_of, routes=[route(summary="x", tags=["x"], hooks=hooks(limited, of_robot))(resolve)])  # type: ignore[arg-type]  # fmt: skip
one.behind(of_robot)  # type: ignore[arg-type]
one.behind(maybe, of_robot)  # type: ignore[arg-type]
one.behind(plain)  # type: ignore[arg-type]
public.behind(limited)  # type: ignore[arg-type]
limited(Call(Robot()))  # type: ignore[arg-type]
limited(User())  # type: ignore[arg-type]
limited()  # type: ignore[call-arg]
str(big(Call(User(), Order("p1"))).message)  # type: ignore[union-attr]
Hook(plain)  # type: ignore[call-arg]
Call()  # type: ignore[call-arg]
limited.inline = True  # type: ignore[misc]
Call(User()).ctx = User()  # type: ignore[misc]


async def forgotten() -> Failure | None:
    return banned(Call(User()))  # type: ignore[return-value]
