"""Optional tokens and permissions: what the checkers infer, and which hooks may stand before."""

# mypy: disable-error-code="empty-body"
# what is declared below is checked and never run

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple, assert_type

import contract
from contract import Group, HasScopes, NotFound, Route, Spec, group, requires, route, routes, spec
from tests.typechecks.right_hooks import audit, maybe
from tests.typechecks.shop import Blocked, Order, Receipt, User, me, order, user_of


@dataclass(frozen=True)
class Member(User):
    scopes: frozenset[str] = frozenset()


class Clerk:
    @property
    def scopes(self) -> list[str]: ...


class Key(NamedTuple):
    scopes: tuple[str, ...]


def member_of(token: str, request: contract.Request) -> Member | None: ...


def clerk_of(token: str, request: contract.Request) -> Clerk | None: ...


def key_of(token: str, request: contract.Request) -> Key | None: ...


@contract.hook
def of_member(call: contract.Call[Member]) -> Blocked | None:
    return None if call.ctx.scopes else Blocked()


@contract.hook
def with_scopes(call: contract.Call[HasScopes]) -> NotFound | None:
    assert_type(call.ctx.scopes, Collection[str])
    return None


@contract.hook
def maybe_member(call: contract.Call[Member | None]) -> NotFound | None: ...


@route(summary="Home", tags=["x"], auth="optional")
def home(input: None, ctx: User | None) -> str: ...


@route(summary="Home, later", tags=["x"], auth="optional", hooks=[maybe])
async def home_later(input: None, ctx: User | None) -> str: ...


@route(summary="Audited home", tags=["x"], auth="optional", hooks=contract.hooks(audit))
def home_audited(input: Order, ctx: User | None) -> Receipt: ...


WRITE = requires("orders:write", "orders:read")


@route(summary="Refund", tags=["x"], auth=WRITE)
def refund(input: Order, ctx: Member) -> Receipt | NotFound: ...


@route(summary="Cancel", tags=["x"], auth=requires("orders:write"), hooks=[of_member])
async def cancel(input: Order, ctx: Member) -> Receipt: ...


@route(summary="Audit", tags=["x"], auth=requires("orders:write"), hooks=contract.hooks(audit))
def audited(input: Order, ctx: Member) -> Receipt: ...


@route(summary="Count", tags=["x"], auth=requires("orders:write"))
def count(input: None, ctx: Clerk) -> int: ...


@route(summary="Sign", tags=["x"], auth=requires("orders:write"))
def sign(input: None, ctx: HasScopes) -> int: ...


assert_type(home, Route[None, str, User | None])
assert_type(home_audited, Route[Order, Receipt, User | None])
assert_type(home(None, None), str)
assert_type(home(None, User()), str)
assert_type(home.behind(maybe, audit), Route[None, str, User | None])
assert_type(refund, Route[Order, Receipt | NotFound, Member])
assert_type(audited, Route[Order, Receipt, Member])
assert_type(refund(Order("p1"), Member()), Receipt | NotFound)

spec(authenticate=user_of, routes=routes(home, home_later, home_audited, me, order))
spec(authenticate=member_of, routes=routes(home, refund, cancel, audited, sign, me, order))
spec(authenticate=clerk_of, routes=routes(count, sign), hooks=[audit, with_scopes])
spec(authenticate=key_of, routes=routes(sign))
refunds = group("refunds", routes=routes(refund, cancel, me), auth=requires("orders:read"))
assert_type(refunds, Group[Member])
spec(authenticate=member_of, routes=routes(refunds, group("of_clerks", authenticate=clerk_of, auth=WRITE, routes=routes(count)), home))  # fmt: skip
api: Spec[Member] = spec(authenticate=member_of, routes=routes(home, refund, me))
