"""The client against the service that it was made for, over a real socket: both have to mean the same by the same types."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Literal

import pytest
from annotated_types import Ge, Len

from contract import (
    UNSET,
    Failure,
    Forbidden,
    Name,
    NotFound,
    Request,
    Unset,
    current_call,
    route,
    spec,
)
from contract.adapters.mount import service_of
from contract.adapters.wsgi import WsgiApp
from contract.call.mount_options import Options
from tests import client_example as sdk
from tests.client_example import ApiClient, AsyncApiClient, CallError, Ok, unwrap
from tests.client_servers import mounted


class SoldOut(Failure, status=409):
    restock_days: Annotated[int, Ge(0)]


@dataclass(frozen=True)
class Card:
    last_digits: Annotated[str, Len(4, 4)]
    kind: Literal["card"] = "card"


@dataclass(frozen=True)
class Cash:
    kind: Literal["cash"] = "cash"


@dataclass(frozen=True)
class Order:
    product_id: Annotated[str, Len(1, 40)]
    quantity: Annotated[int, Ge(1)] = 1
    paid_by: Card | Cash = field(default_factory=Cash)
    note: str | Unset = UNSET


@dataclass(frozen=True)
class Filter:
    since: Annotated[dt.date, Name("from")]
    limit: int = 10


@dataclass(frozen=True)
class Receipt:
    order_id: str
    price_cents: Annotated[int, Ge(0)]
    added_later: list[Card]
    paid_by: Annotated[Card | Cash, Name("paidBy")] = field(default_factory=Cash)


@route(summary="Order", tags=["shop"], auth="none")
def order(input: Order, ctx: None) -> Receipt | SoldOut | NotFound:
    if input.product_id == "gone":
        return NotFound(message="there is no such product")
    if input.product_id == "none":
        return SoldOut(restock_days=3)
    if input.product_id == "crash":
        raise ZeroDivisionError
    return Receipt(
        f"{input.product_id}{'' if input.note is UNSET else input.note}",
        input.quantity,
        [Card("1111")],
        input.paid_by,
    )


@route(summary="List", tags=["shop"], effect="read")
def list_orders(input: Filter, ctx: str) -> list[Receipt] | Forbidden:
    if ctx == "guest":
        return Forbidden(message="not yours")
    return [Receipt(str(input.since), input.limit, [])]


@route(summary="Ping", tags=["shop"], auth="none", effect="read")
def ping(input: None, ctx: None) -> None:
    assert current_call().headers["user-agent"].startswith("The-Shop/1.0.0 contract-python")


@route(summary="Add up", tags=["shop"], auth="none", effect="idempotent")
def total(input: list[int], ctx: None) -> int | NotFound:
    return sum(input)


def authenticate(token: str, request: Request) -> str | None:
    return token if token in ("guest", "owner") else None


API = spec(
    authenticate=authenticate,
    routes={"order": order, "orders.list": list_orders, "ping": ping, "total": total},
)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with mounted(WsgiApp(service_of(API, Options(prefix="/v1", max_body_bytes=1000)))) as root:
        yield f"{root}/v1"


def test_calls_arrive_and_come_back(url: str) -> None:
    with ApiClient(url) as api:
        assert unwrap(
            api.order(product_id="p1", quantity=3, note="!", paid_by=sdk.Card(last_digits="1234"))
        ) == sdk.Receipt(order_id="p1!", price_cents=3, paid_by=sdk.Card(last_digits="1234"))
        assert unwrap(api.order(product_id="p1")) == sdk.Receipt(
            order_id="p1", price_cents=1, paid_by=sdk.Cash()
        )
        assert api.ping() == Ok(None)
        assert api.total([1, 2, 3]) == Ok(6)


def test_declared_failures_come_back(url: str) -> None:
    with ApiClient(url) as api:
        assert api.order(product_id="gone") == sdk.NotFound(message="there is no such product")
        assert api.order(product_id="none") == sdk.SoldOut(restock_days=3)


def test_tokens_are_told_apart(url: str) -> None:
    tokens = iter(["owner", "guest"])
    since = dt.date(2026, 1, 1)
    with ApiClient(url) as api:
        known = api.with_options(headers={"Authorization": lambda: f"Bearer {next(tokens)}"})
        assert unwrap(known.orders_list(since=since, limit=3)) == [
            sdk.Receipt(order_id="2026-01-01", price_cents=3)
        ]

        forbidden = known.orders_list(since=since)
        assert isinstance(forbidden, CallError)
        assert (forbidden.code, forbidden.status, forbidden.data) == (
            "FORBIDDEN",
            403,
            {"message": "not yours"},
        )

        unauthorized = api.orders_list(since=since)
        assert isinstance(unauthorized, CallError)
        assert (unauthorized.code, unauthorized.status) == ("UNAUTHORIZED", 401)
        assert unauthorized.headers["www-authenticate"].startswith("Bearer ")


def test_what_the_server_refuses_the_client_does_not_send(url: str) -> None:
    with ApiClient(url) as api:
        local = api.order(product_id="", quantity=0)

    assert isinstance(local, CallError)
    assert (local.code, local.status) == ("VALIDATION_ERROR", 0)
    assert [issue.path for issue in local.issues] == [("product_id",), ("quantity",)]


def test_errors_of_the_framework_come_back(url: str) -> None:
    with ApiClient(url) as api, ApiClient(f"{url}/nowhere") as lost:
        crashed = api.order(product_id="crash")
        large = api.order(product_id="p1", note="x" * 1000)
        nowhere = lost.ping()

    assert isinstance(crashed, CallError)
    assert (crashed.code, crashed.status, crashed.body) == ("INTERNAL_ERROR", 500, None)
    assert crashed.headers["x-request-id"]
    assert isinstance(large, CallError)
    assert (large.code, large.status, large.data) == ("PAYLOAD_TOO_LARGE", 413, {"limit": 1000})
    assert isinstance(nowhere, CallError)
    assert (nowhere.code, nowhere.status) == ("ROUTE_NOT_FOUND", 404)


def test_tasks_call_as_well(url: str) -> None:
    async def calls() -> None:
        async def token() -> str:
            return "Bearer owner"

        async with AsyncApiClient(url, headers={"Authorization": token}) as api:
            assert unwrap(await api.order(product_id="p1")) == sdk.Receipt(
                order_id="p1", price_cents=1
            )
            assert await api.order(product_id="none") == sdk.SoldOut(restock_days=3)
            assert len(unwrap(await api.orders_list(since=dt.date(2026, 1, 1)))) == 1
            assert await asyncio.gather(*[api.total([each]) for each in range(10)]) == [
                Ok(each) for each in range(10)
            ]

    asyncio.run(calls())
