"""A service in groups, with two ways to authenticate, whose names clash with all that can be."""

from __future__ import annotations

from dataclasses import dataclass

from contract import Call, Deprecated, Meta, Request, group, hook, hooks, route, routes, spec
from contract.declare.failures import Failure

__all__ = ["api"]


class SoldOut(Failure, status=409):
    """Every copy is sold."""

    days: int


class Banned(Failure, status=403):
    """Nobody wants to see this account again."""


@dataclass(frozen=True)
class User:
    name: str


@dataclass(frozen=True)
class Partner:
    shop: str


@dataclass(frozen=True)
class Order:
    product: str
    count: int = 1


def user_of(token: str, request: Request) -> User | None:
    return User(token) if token in ("ada", "bob") else None


async def partner_of(token: str, request: Request) -> Partner | None:
    return Partner(token) if token == "acme" else None


@hook
def banned(call: Call[User]) -> Banned | None:
    return Banned() if call.ctx.name == "bob" else None


@route(summary="Create an order", tags=["orders"], mcp=True)
def create(input: Order, ctx: User) -> str | SoldOut:
    return SoldOut(3) if input.count > 9 else f"{ctx.name} {input.product}"


@route(
    summary="Close", tags=["orders"], auth="none", deprecated=Deprecated(use="orders.items.class")
)
def close(input: None, ctx: None) -> str:
    return "closed"


@route(summary="A class of items", tags=["items"], auth="none", name="class")
def class_(input: None, ctx: None) -> str:
    return "class"


@route(summary="A property of items", tags=["items"], auth="none", name="property")
def property_(input: None, ctx: None) -> str:
    return "property"


@route(summary="What JavaScript asks for", tags=["odd"], auth="none")
async def then(input: None, ctx: None) -> str:
    return "then"


@route(summary="What clients have", tags=["odd"], auth="none", name="withOptions")
def with_options(input: None, ctx: None) -> str:
    return "withOptions"


@route(summary="Stock of a partner", tags=["stock"], mcp=True, effect="read")
def stock(input: None, ctx: Partner) -> str:
    return ctx.shop


@route(summary="Flat, with a dot", tags=["flat"], auth="none", name="orders.flat", mcp=True)
def flat(input: None, ctx: None) -> str:
    return "flat"


@route(summary="Flat, as a group in a function", tags=["flat"], auth="none")
def orders_create(input: None, ctx: None) -> str:
    return "orders_create"


items = group("items", routes=routes(class_, property_), tags=["items"])
api = spec(
    authenticate=user_of,
    routes=routes(
        group("orders", routes=routes(create, close, items), hooks=hooks(banned), tags=["orders"]),
        group("partners", routes=routes(stock), authenticate=partner_of),
        group("import", routes=routes(then, with_options)),
        group("close", routes={"property": group("property", routes={"a.b": class_})}),
        flat,
        orders_create,
    ),
    meta=Meta(title="Grouped", version="1.0.0"),
)
