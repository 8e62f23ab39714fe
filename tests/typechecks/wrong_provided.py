"""Values of a call that are declared or asked for wrongly."""

from __future__ import annotations

from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import contextmanager

from contract import after_commit, provide, route
from tests.typechecks.right_provided import Database, Fake, mail, session, session_later
from tests.typechecks.shop import Order, User


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
