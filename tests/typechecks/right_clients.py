"""Clients: what the checkers infer of generated ones, and that a match over a result is whole."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import assert_never, assert_type

from contract.client import (
    AsyncTransport,
    DeclaredFailure,
    HttpRequest,
    HttpResponse,
    ResponseInfo,
    RouteSchemas,
    Schema,
    Transport,
)
from tests.client_example import (
    ApiClient,
    AsyncApiClient,
    CallError,
    Card,
    Cash,
    NotFound,
    Ok,
    Order,
    Receipt,
    SoldOut,
    schemas,
    unwrap,
)

api = ApiClient("https://shop.example/v1", headers={"authorization": "Bearer x"}, timeout=3)

assert_type(api.order(product_id="p1"), Ok[Receipt] | NotFound | SoldOut | CallError)
assert_type(api.ping(), Ok[None] | CallError)
assert_type(unwrap(api.order(product_id="p1", paid_by=Card(last_digits="1234"))), Receipt)
assert_type(unwrap(api.orders_list(since=dt.date(2026, 1, 1))), list[Receipt])
assert_type(unwrap(api.total([1, 2])), int)
assert_type(api.with_options(timeout=2, headers=lambda: {"x-trace": "1"}), ApiClient)
assert_type(schemas.Order, Schema[Order])
assert_type(schemas.order, RouteSchemas[Order, Receipt])
assert_type(schemas.order.output.load(b"{}"), Receipt)

with api as entered:
    assert_type(entered, ApiClient)


def whole(result: Ok[Receipt] | NotFound | SoldOut | CallError) -> int:
    match result:
        case Ok(receipt):
            assert_type(receipt, Receipt)
            match receipt.paid_by:
                case Card():
                    return 0
                case Cash():
                    return receipt.price_cents
                case _:
                    assert_never(receipt.paid_by)
        case SoldOut(restock_days=days):
            assert_type(days, int)
            return days
        case NotFound():
            return 0
        case CallError(code="UNAUTHORIZED"):
            return 0
        case CallError(code="NETWORK_ERROR", cause="timeout" | "refused"):
            return 0
        case CallError() as error:
            return error.status
        case _:
            assert_never(result)


def told(result: Ok[Receipt] | NotFound | SoldOut | CallError) -> str | None:
    assert_type(result.response, ResponseInfo)
    assert_type(result.response.status, int)
    assert_type(result.response.headers, Mapping[str, str])
    return result.response.request_id


def by_class(result: Ok[Receipt] | NotFound | SoldOut | CallError) -> Receipt | None:
    if isinstance(result, DeclaredFailure | CallError):
        assert_type(result, NotFound | SoldOut | CallError)
        return None
    assert_type(result, Ok[Receipt])
    return result.value


async def token() -> str:
    return "Bearer x"


async def awaited() -> None:
    async with AsyncApiClient(
        "https://shop.example/v1", headers={"authorization": token, "x-trace": lambda: "1"}
    ) as later:
        assert_type(later, AsyncApiClient)
        result = await later.order(product_id="p1")
        assert_type(result, Ok[Receipt] | NotFound | SoldOut | CallError)
        assert_type(unwrap(result), Receipt)
        assert_type(later.with_options(retries=0), AsyncApiClient)


class Sending:
    def send(self, request: HttpRequest, *, timeout: float, max_bytes: int) -> HttpResponse:
        return HttpResponse(200, {}, b"null")

    def close(self) -> None:
        return None


class SendingLater:
    async def send(self, request: HttpRequest, *, timeout: float, max_bytes: int) -> HttpResponse:
        return HttpResponse(200, {}, b"null")

    async def aclose(self) -> None:
        return None


sending: Transport = Sending()
sending_later: AsyncTransport = SendingLater()
ApiClient("http://127.0.0.1", transport=Sending())
AsyncApiClient("http://127.0.0.1", transport=SendingLater())
