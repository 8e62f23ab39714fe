"""Clients: what the checkers infer of generated ones, and that a match over a result is whole."""

# mypy: disable-error-code="empty-body"
# what is declared below is checked and never run

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import assert_never, assert_type

import contract.client
from contract.client import DeclaredFailure, ResponseInfo, RouteSchemas, Schema
from tests import client_example
from tests.client_example import ApiClient, CallError, NotFound, Ok, Receipt, SoldOut, unwrap

api = ApiClient("https://shop.example/v1", headers={"authorization": "Bearer x"}, timeout=3)

assert_type(api.order(product_id="p1"), Ok[Receipt] | NotFound | SoldOut | CallError)
assert_type(api.ping(), Ok[None] | CallError)
assert_type(
    unwrap(api.order(product_id="p1", paid_by=client_example.Card(last_digits="1234"))), Receipt
)
assert_type(unwrap(api.orders_list(since=dt.date(2026, 1, 1))), list[Receipt])
assert_type(unwrap(api.total([1, 2])), int)
assert_type(api.with_options(timeout=2, headers=lambda: {"x-trace": "1"}), ApiClient)
assert_type(client_example.schemas.Order, Schema[client_example.Order])
assert_type(client_example.schemas.order, RouteSchemas[client_example.Order, Receipt])
assert_type(client_example.schemas.order.output.load(b"{}"), Receipt)

with api as entered:
    assert_type(entered, ApiClient)


def whole(result: Ok[Receipt] | NotFound | SoldOut | CallError) -> int:
    match result:
        case Ok(receipt):
            assert_type(receipt, Receipt)
            match receipt.paid_by:
                case client_example.Card():
                    return 0
                case client_example.Cash():
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


async def token() -> str: ...


async def awaited() -> None:
    async with client_example.AsyncApiClient(
        "https://shop.example/v1", headers={"authorization": token, "x-trace": lambda: "1"}
    ) as later:
        assert_type(later, client_example.AsyncApiClient)
        result = await later.order(product_id="p1")
        assert_type(result, Ok[Receipt] | NotFound | SoldOut | CallError)
        assert_type(unwrap(result), Receipt)
        assert_type(later.with_options(retries=0), client_example.AsyncApiClient)


class Sending:
    def send(
        self, request: contract.client.HttpRequest, *, timeout: float, max_bytes: int
    ) -> contract.client.HttpResponse: ...

    def close(self) -> None: ...


class SendingLater:
    async def send(
        self, request: contract.client.HttpRequest, *, timeout: float, max_bytes: int
    ) -> contract.client.HttpResponse:
        raise NotImplementedError

    async def aclose(self) -> None: ...


sending: contract.client.Transport = Sending()
sending_later: contract.client.AsyncTransport = SendingLater()
ApiClient("http://127.0.0.1", transport=Sending())
client_example.AsyncApiClient("http://127.0.0.1", transport=SendingLater())
