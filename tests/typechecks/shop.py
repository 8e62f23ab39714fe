"""What the other files speak of; all of it is right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge

from contract import Failure, NotFound, Request, route


class SoldOut(Failure, status=409):
    """Every copy is sold."""

    restock_days: Annotated[int, Ge(0)]


class Blocked(Failure, status=403, code="BLOCKED_BY_US"): ...


@dataclass(frozen=True)
class Order:
    product_id: str
    quantity: int = 1


@dataclass(frozen=True)
class Receipt:
    order_id: str


class User:
    name: str = ""


class Admin(User): ...


class Robot: ...


@route(summary="Order", tags=["orders"], auth="none")
def order(input: Order, ctx: None) -> Receipt | SoldOut | NotFound:
    return Receipt(input.product_id) if input.quantity < 9 else SoldOut(restock_days=3)


@route(summary="Ping", tags=["x"], auth="none")
async def ping(input: None, ctx: None) -> None: ...


@route(summary="Me", tags=["x"])
def me(input: None, ctx: User) -> str | Blocked:
    return ctx.name or Blocked()


@route(summary="Me, later", tags=["x"], auth="bearer")
async def me_later(input: None, ctx: User) -> str:
    return ctx.name


@route(summary="Anybody", tags=["x"])
def anybody(input: int, ctx: object) -> int:
    return input


@route(summary="Admins", tags=["x"])
def admins(input: int, ctx: Admin) -> int:
    return input


@route(summary="Robots", tags=["x"])
def robots(input: int, ctx: Robot) -> int:
    return input


def user_of(token: str, request: Request) -> User | None:
    return User() if token else None


async def user_of_later(token: str, request: Request) -> User | NotFound | None:
    return User() if token else NotFound(message="x")
