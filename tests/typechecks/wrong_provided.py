"""Values of a call that are declared or asked for wrongly."""

# mypy: disable-error-code="empty-body"
# what is declared below is checked and never run

from __future__ import annotations

from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import contextmanager

from contract import after_commit, provide, resource, route, spec
from tests.typechecks import right_provided
from tests.typechecks.shop import Order, User, order


@provide  # type: ignore[arg-type]
def nothing() -> None: ...


@provide  # type: ignore[arg-type]
def returned() -> right_provided.Database: ...


@provide  # type: ignore[arg-type]
def with_one(name: str) -> Iterator[right_provided.Database]:
    yield right_provided.Database()


@contextmanager
def managed() -> Generator[right_provided.Database]:
    yield right_provided.Database()


@provide(shared=True)  # type: ignore[arg-type]
async def shared_later() -> AsyncIterator[right_provided.Database]:
    yield right_provided.Database()


provide(managed)  # type: ignore[arg-type]
right_provided.session().put("x")  # type: ignore[attr-defined]
number: int = right_provided.session()  # type: ignore[assignment]
right_provided.session_later().get("x")  # type: ignore[attr-defined]
right_provided.session.using(right_provided.Fake())  # type: ignore[arg-type]
right_provided.session.using(right_provided.session)  # type: ignore[arg-type]
right_provided.session("x")  # type: ignore[call-arg]
after_commit(right_provided.mail, 3, text="x")  # type: ignore[arg-type]
after_commit(right_provided.mail, "x")  # type: ignore[call-arg]
after_commit("x")  # type: ignore[arg-type]


@route(summary="Order", tags=["x"])
def order_of(input: Order, ctx: User) -> str:
    return right_provided.session_later().get(input.product_id) or ""  # type: ignore[attr-defined]


@route(summary="Order", tags=["x"])
async def order_later(input: Order, ctx: User) -> str:
    return right_provided.session_later().get(input.product_id) or ""  # type: ignore[attr-defined]


@resource  # type: ignore[arg-type]
def opens_nothing() -> None: ...


@resource  # type: ignore[arg-type]
def pool_of(size: int) -> Iterator[right_provided.Database]:
    yield right_provided.Database()


resource(managed)  # type: ignore[arg-type]
right_provided.pool().put("x")  # type: ignore[attr-defined]
right_provided.pool_later().put("x")  # type: ignore[attr-defined]
right_provided.pool.using(right_provided.Fake())  # type: ignore[arg-type]
spec(routes=[order], resources=[right_provided.Database])  # type: ignore[list-item]
spec(routes=[order], resources=[right_provided.client_of])  # type: ignore[list-item]
spec(routes=[order], resources=right_provided.pool)  # type: ignore[call-overload]
spec(routes=[order], resources=[3])  # type: ignore[list-item]
spec(routes=[order], ready=[3])  # type: ignore[list-item]
spec(routes=[order], ready=[right_provided.mail])  # type: ignore[list-item]
