"""Values of a call: what the checkers infer."""

# mypy: disable-error-code="empty-body"
# what is declared below is checked and never run

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import AbstractContextManager, asynccontextmanager
from typing import Protocol, assert_type

import contract
from contract import Resource, Spec, calling, resource, route, routes, spec
from contract.testing import AsyncClient, Client
from tests.typechecks.shop import Order, Receipt, SoldOut, User, me, order, ping, user_of


class Database:
    def get(self, key: str) -> str | None: ...


class Gets(Protocol):
    def get(self, key: str) -> str | None: ...


class Fake:
    def get(self, key: str) -> None: ...


@contract.provide
def session() -> Iterator[Database]:
    yield Database()


@contract.provide
async def session_later() -> AsyncIterator[Database]:
    yield Database()


@contract.provide(shared=True)
def cache() -> Iterator[dict[str, int]]:
    yield {}


@contract.provide
def anything_that_gets() -> Iterator[Gets]:
    yield Database()


assert_type(session, contract.Provided[Database])
assert_type(session_later, contract.AsyncProvided[Database])
assert_type(cache, contract.Provided[dict[str, int]])
assert_type(session(), Database)
assert_type(session.using(Database()), AbstractContextManager[Database])

with anything_that_gets.using(Fake()) as fake:
    assert_type(fake, Gets)
with session_later.using(Database()), calling("order"):
    pass


def mail(to: str, *, text: str) -> int: ...


async def mail_later(to: str) -> None: ...


@route(summary="Order", tags=["x"])
def order_of(input: Order, ctx: User) -> Receipt | SoldOut:
    assert_type(session().get("x"), str | None)
    contract.after_commit(mail, "x", text="y")
    contract.after_commit(mail_later, to="x")
    return Receipt("x")


async def asks() -> None:
    assert_type(await session_later(), Database)
    async with calling("order"):
        await session_later()


@resource
def pool() -> Iterator[Database]:
    yield Database()


@resource
async def pool_later() -> AsyncIterator[Database]:
    yield Database()


@asynccontextmanager
async def client_of() -> AsyncGenerator[Database]:
    yield Database()


def is_up() -> bool: ...


async def is_up_later() -> None:
    await session_later()


assert_type(pool, Resource[Database])
assert_type(pool_later, Resource[Database])
assert_type(pool(), Database)
assert_type(pool_later(), Database)
assert_type(pool.using(Database()), AbstractContextManager[Database])
api: Spec[None] = spec(routes=[order], resources=[pool, pool_later, client_of()])
assert_type(
    spec(authenticate=user_of, routes=routes(me, ping), resources=[pool], ready=[is_up]), Spec[User]
)
spec(routes=[order], ready=[is_up, is_up_later], resources=(client_of(),))

with Client(api) as client:
    assert_type(client, Client)


async def enters() -> None:
    async with AsyncClient(api) as client_later:
        assert_type(client_later, AsyncClient)
