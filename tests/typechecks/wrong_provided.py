"""Values of a call that are declared or asked for wrongly."""

from __future__ import annotations

from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import contextmanager

from contract import after_commit, provide, resource, route, spec
from tests.typechecks.right_provided import (
    Database,
    Fake,
    client_of,
    mail,
    pool,
    pool_later,
    session,
    session_later,
)
from tests.typechecks.shop import Order, User, order


@provide  # type: ignore[arg-type]
def nothing() -> None:
    pass


@provide  # type: ignore[arg-type]
def returned() -> Database:
    return Database()


@provide  # type: ignore[arg-type]
def with_one(name: str) -> Iterator[Database]:
    yield Database()


@contextmanager
def managed() -> Generator[Database]:
    yield Database()


@provide(shared=True)  # type: ignore[arg-type]
async def shared_later() -> AsyncIterator[Database]:
    yield Database()


provide(managed)  # type: ignore[arg-type]
session().put("x")  # type: ignore[attr-defined]
number: int = session()  # type: ignore[assignment]
session_later().get("x")  # type: ignore[attr-defined]
session.using(Fake())  # type: ignore[arg-type]
session.using(session)  # type: ignore[arg-type]
session("x")  # type: ignore[call-arg]
after_commit(mail, 3, text="x")  # type: ignore[arg-type]
after_commit(mail, "x")  # type: ignore[call-arg]
after_commit("x")  # type: ignore[arg-type]


@route(summary="Order", tags=["x"])
def order_of(input: Order, ctx: User) -> str:
    return session_later().get(input.product_id) or ""  # type: ignore[attr-defined]


@route(summary="Order", tags=["x"])
async def order_later(input: Order, ctx: User) -> str:
    return session_later().get(input.product_id) or ""  # type: ignore[attr-defined]


@resource  # type: ignore[arg-type]
def opens_nothing() -> None:
    pass


@resource  # type: ignore[arg-type]
def pool_of(size: int) -> Iterator[Database]:
    yield Database()


resource(managed)  # type: ignore[arg-type]
pool().put("x")  # type: ignore[attr-defined]
pool_later().put("x")  # type: ignore[attr-defined]
pool.using(Fake())  # type: ignore[arg-type]
spec(routes=[order], resources=[Database])  # type: ignore[list-item]
spec(routes=[order], resources=[client_of])  # type: ignore[list-item]
spec(routes=[order], resources=pool)  # type: ignore[call-overload]
spec(routes=[order], resources=[3])  # type: ignore[list-item]
spec(routes=[order], ready=[3])  # type: ignore[list-item]
spec(routes=[order], ready=[mail])  # type: ignore[list-item]
