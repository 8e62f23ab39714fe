"""Hooks: what the checkers infer, and where they may stand."""

from __future__ import annotations

from typing import assert_type

from contract import (
    Call,
    Hook,
    NotFound,
    PublicRoute,
    Route,
    Spec,
    TooManyRequests,
    hook,
    hooks,
    route,
    routes,
    spec,
)
from tests.typechecks.shop import (
    Admin,
    Blocked,
    Order,
    Receipt,
    User,
    me,
    order,
    user_of,
    user_of_later,
)


@hook
def limited(call: Call[User]) -> TooManyRequests | None:
    assert_type(call.ctx, User)
    assert_type(call.input, None)
    return None if call.ctx.name else TooManyRequests()


@hook
async def banned(call: Call[User]) -> Blocked | None:
    return Blocked() if call.headers.get("x-banned") else None


@hook
def big(call: Call[User, Order]) -> Blocked | NotFound | None:
    assert_type(call.input, Order)
    return None if call.input.quantity < 9 else Blocked()


@hook
def audit(call: Call[object]) -> None:
    assert_type((call.route, call.request_id, call.client), tuple[str, str, str | None])


@hook(inline=True)
def quick(call: Call[User]) -> Blocked | None:
    return None


@hook
def maybe(call: Call[User | None]) -> NotFound | None:
    return NotFound() if call.ctx is None else None


@hook
def nobody(call: Call[None]) -> NotFound | None:
    return None


class Guard:
    def __init__(self, names: set[str]) -> None:
        self.names = names

    def known(self, call: Call[User]) -> Blocked | None:
        return None if call.ctx.name in self.names else Blocked()

    async def __call__(self, call: Call[User]) -> Blocked | None:
        return self.known(call)


guard = Guard({"ada"})
known = hook(guard.known)
called = hook(guard)

assert_type(limited, Hook[User, TooManyRequests | None])
assert_type(quick, Hook[User, Blocked | None])
assert_type(known, Hook[User, Blocked | None])
of_user: Hook[User] = limited
of_admin: Hook[Admin] = limited
of_all: list[Hook[User]] = hooks(limited, audit, maybe, called)

# a test calls a hook
assert_type(limited(Call(User())), TooManyRequests | None)
assert_type(limited(Call(Admin(), headers={"a": "b"})), TooManyRequests | None)
assert_type(big(Call(User(), Order("p1"), route="order")), Blocked | NotFound | None)


async def awaited() -> None:
    assert_type(await banned(Call(User())), Blocked | None)


@route(summary="One", tags=["x"], hooks=[limited])
def one(input: Order, ctx: User) -> Receipt:
    return Receipt(ctx.name)


@route(summary="Several", tags=["x"], hooks=hooks(audit, limited, banned, big, quick, known))
def several(input: Order, ctx: User) -> Receipt:
    return Receipt(ctx.name)


@route(summary="Audited", tags=["x"], hooks=[audit])
async def audited(input: Order, ctx: User) -> Receipt:
    return Receipt(ctx.name)


@route(summary="Public", tags=["x"], auth="none", hooks=hooks(audit, nobody, maybe))
def public(input: Order, ctx: None) -> Receipt:
    return Receipt(input.product_id)


assert_type(one, Route[Order, Receipt, User])
assert_type(several, Route[Order, Receipt, User])
assert_type(public, PublicRoute[Order, Receipt])
assert_type(one.behind(maybe, audit), Route[Order, Receipt, User])
assert_type(public.behind(maybe, nobody), PublicRoute[Order, Receipt])
assert_type(one(Order("p1"), User()), Receipt)

spec(authenticate=user_of, routes=routes(one, order, me), hooks=[audit, limited])
spec(authenticate=user_of_later, routes=routes(one, order), hooks=[audit, limited, maybe])
spec(authenticate=user_of, routes=[one.behind(maybe), public], hooks=hooks(audit, limited))
spec(routes=routes(public, order), hooks=[audit, nobody])
api: Spec[User] = spec(authenticate=user_of, routes=routes(one, several, audited), hooks=[big])
