"""Hooks: what the checkers infer, and where they may stand."""

# mypy: disable-error-code="empty-body"
# what is declared below is checked and never run

from __future__ import annotations

from typing import assert_type

import contract
from contract import Call, Hook, PublicRoute, Route, Spec, hook, hooks, route, routes, spec
from tests.typechecks import shop


@hook
def limited(call: Call[shop.User]) -> contract.TooManyRequests | None:
    assert_type(call.ctx, shop.User)
    assert_type(call.input, None)
    return None if call.ctx.name else contract.TooManyRequests()


@hook
async def banned(call: Call[shop.User]) -> shop.Blocked | None:
    return shop.Blocked() if call.headers.get("x-banned") else None


@hook
def big(call: Call[shop.User, shop.Order]) -> shop.Blocked | contract.NotFound | None:
    assert_type(call.input, shop.Order)
    return None if call.input.quantity < 9 else shop.Blocked()


@hook
def audit(call: Call[object]) -> None:
    assert_type((call.route, call.request_id, call.client), tuple[str, str, str | None])


@hook(inline=True)
def quick(call: Call[shop.User]) -> shop.Blocked | None: ...


@hook
def maybe(call: Call[shop.User | None]) -> contract.NotFound | None:
    return contract.NotFound() if call.ctx is None else None


@hook
def nobody(call: Call[None]) -> contract.NotFound | None: ...


class Guard:
    def __init__(self, names: set[str]) -> None:
        self.names = names

    def known(self, call: Call[shop.User]) -> shop.Blocked | None:
        return None if call.ctx.name in self.names else shop.Blocked()

    async def __call__(self, call: Call[shop.User]) -> shop.Blocked | None:
        return self.known(call)


guard = Guard({"ada"})
known = hook(guard.known)
called = hook(guard)

assert_type(limited, Hook[shop.User, contract.TooManyRequests | None])
assert_type(quick, Hook[shop.User, shop.Blocked | None])
assert_type(known, Hook[shop.User, shop.Blocked | None])
of_user: Hook[shop.User] = limited
of_admin: Hook[shop.Admin] = limited
of_all: list[Hook[shop.User]] = hooks(limited, audit, maybe, called)

# a test calls a hook
assert_type(limited(Call(shop.User())), contract.TooManyRequests | None)
assert_type(limited(Call(shop.Admin(), headers={"a": "b"})), contract.TooManyRequests | None)
assert_type(
    big(Call(shop.User(), shop.Order("p1"), route="order")), shop.Blocked | contract.NotFound | None
)


async def awaited() -> None:
    assert_type(await banned(Call(shop.User())), shop.Blocked | None)


@route(summary="One", tags=["x"], hooks=[limited])
def one(input: shop.Order, ctx: shop.User) -> shop.Receipt: ...


@route(summary="Several", tags=["x"], hooks=hooks(audit, limited, banned, big, quick, known))
def several(input: shop.Order, ctx: shop.User) -> shop.Receipt: ...


@route(summary="Audited", tags=["x"], hooks=[audit])
async def audited(input: shop.Order, ctx: shop.User) -> shop.Receipt: ...


@route(summary="Public", tags=["x"], auth="none", hooks=hooks(audit, nobody, maybe))
def public(input: shop.Order, ctx: None) -> shop.Receipt: ...


assert_type(one, Route[shop.Order, shop.Receipt, shop.User])
assert_type(several, Route[shop.Order, shop.Receipt, shop.User])
assert_type(public, PublicRoute[shop.Order, shop.Receipt])
assert_type(one.behind(maybe, audit), Route[shop.Order, shop.Receipt, shop.User])
assert_type(public.behind(maybe, nobody), PublicRoute[shop.Order, shop.Receipt])
assert_type(one(shop.Order("p1"), shop.User()), shop.Receipt)

spec(authenticate=shop.user_of, routes=routes(one, shop.order, shop.me), hooks=[audit, limited])
spec(authenticate=shop.user_of_later, routes=routes(one, shop.order), hooks=[audit, limited, maybe])
spec(authenticate=shop.user_of, routes=[one.behind(maybe), public], hooks=hooks(audit, limited))
spec(routes=routes(public, shop.order), hooks=[audit, nobody])
api: Spec[shop.User] = spec(
    authenticate=shop.user_of, routes=routes(one, several, audited), hooks=[big]
)
