"""Clients: what has to be refused, where it is written."""

# mypy: disable-error-code="empty-body"
# what is declared below is checked and never run

from __future__ import annotations

from typing import assert_never

from contract.client import CallError, HttpResponse, Ok, Timeout, unwrap
from tests.client_example import ApiClient, AsyncApiClient, Card, Receipt, SoldOut, schemas

api = ApiClient("https://shop.example/v1")

api.order("p1")  # type: ignore[call-arg]
api.order()  # type: ignore[call-arg]
api.order(product_id=1)  # type: ignore[arg-type]
api.order(product_id="p1", timeout=3)  # type: ignore[call-arg]
api.ping({})  # type: ignore[call-arg]
wrong_1 = api.order(product_id="p1").value  # type: ignore[union-attr]
wrong_2 = api.order(product_id="p1").ok  # type: ignore[union-attr]
api.with_options(base_url="https://other.example")  # type: ignore[call-arg]
wrong_3 = unwrap(api.order(product_id="p1")).price  # type: ignore[attr-defined]
receipt: Receipt = api.order(product_id="p1")  # type: ignore[assignment]
api.ping().response.headers["x-total"] = "1"  # type: ignore[index]
api.ping().response.status = 201  # type: ignore[misc]
schemas.Order.dump(Card(last_digits="1234"))  # type: ignore[arg-type]
schemas.Order.load("{}")  # type: ignore[arg-type]
ApiClient("https://shop.example/v1", headers={"x": 1})  # type: ignore[dict-item]
Timeout(seconds=3)  # type: ignore[call-arg]
CallError("SOLD_OUT", 409)  # type: ignore[arg-type]


async def token() -> str: ...


ApiClient("https://shop.example/v1", headers={"authorization": token})  # type: ignore[dict-item]


def not_whole() -> int:
    result = api.order(product_id="p1")
    match result:
        case Ok(receipt):
            return receipt.price_cents
        case CallError(code="UNAUTHORIZED"):
            return 0
        case SoldOut():
            return 0
        case _:
            assert_never(result)  # type: ignore[arg-type]


def wrong_code(error: CallError) -> bool:
    return error.code == "UNAUTHORISED"  # type: ignore[comparison-overlap]


async def not_awaited() -> Receipt:
    later = AsyncApiClient("https://shop.example/v1")
    return unwrap(later.order(product_id="p1"))  # type: ignore[arg-type]


class Sending:
    async def send(self, request: object, *, timeout: float, max_bytes: int) -> HttpResponse: ...

    def close(self) -> None: ...


ApiClient("https://shop.example/v1", transport=Sending())  # type: ignore[arg-type]


class MySoldOut(SoldOut): ...  # type: ignore[misc]
