"""
The asynchronous client, with transports in memory.

Those with sockets are tested in test_client_httpx.py.
"""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

from contract.client import AsyncHttpxTransport, Hooks, HttpRequest, HttpResponse
from tests.client_example import AsyncApiClient, CallError, Card, Ok, Receipt, SoldOut, unwrap
from tests.client_fakes import AsyncFakeClock, AsyncScripted, answer, answers

T = TypeVar("T")

DONE = answer(b"null")
SENT = b'{"order_id":"a","price_cents":1,"paidBy":{"kind":"cash"}}'
URL = "https://shop.example/v1/"


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(coroutine)


def test_a_route_is_a_method() -> None:
    transport = AsyncScripted(answer(SENT), answer(b"[" + SENT + b"]"), DONE, answer(b"6"))

    async def calls() -> None:
        async with AsyncApiClient(URL, transport=transport) as api:
            assert await api.order(product_id="p1", paid_by=Card(last_digits="1234")) == Ok(
                Receipt(order_id="a", price_cents=1)
            )
            assert unwrap(await api.orders_list(since=dt.date(2026, 1, 1))) == [
                Receipt(order_id="a", price_cents=1)
            ]
            assert await api.ping() == Ok(None)
            assert await api.total([1, 2, 3]) == Ok(6)

    run(calls())
    assert [sent.url.rpartition("/")[2] for sent in transport.inner.sent] == [
        "order",
        "orders.list",
        "ping",
        "total",
    ]


def test_failures_are_values_and_calls_are_tried_again() -> None:
    clock = AsyncFakeClock()
    sold_out = answer(b'{"error":"SOLD_OUT","data":{"restock_days":3}}', 409)
    transport = AsyncScripted(sold_out, *answers([503]), TimeoutError(), OSError())

    async def calls() -> None:
        api = AsyncApiClient(URL, transport=transport, clock=clock)
        assert await api.order(product_id="p1") == SoldOut(restock_days=3)
        assert await api.ping() == CallError("NETWORK_ERROR", 0, cause="other")

    run(calls())
    assert clock.clock.slept == [0.125, 0.25]


def test_headers_are_values_functions_or_awaited() -> None:
    transport = AsyncScripted(DONE, DONE)

    async def token() -> str:
        await asyncio.sleep(0)
        return "Bearer x"

    async def more() -> dict[str, str]:
        return {"X-A": "2"}

    async def calls() -> None:
        api = AsyncApiClient(
            URL, headers={"Authorization": token, "x-a": lambda: "1"}, transport=transport
        )
        await api.ping()
        await api.with_options(headers=more).ping()

    run(calls())
    sent = [(each.headers["authorization"], each.headers["x-a"]) for each in transport.inner.sent]
    assert sent == [("Bearer x", "1"), ("Bearer x", "2")]


def test_a_copy_shares_the_transport_and_closing_it_does_nothing() -> None:
    transport = AsyncScripted(DONE, DONE)
    told: list[object] = []

    async def calls() -> None:
        api = AsyncApiClient(URL, transport=transport)
        async with api.with_options(
            timeout=3, retries=0, hooks=Hooks(on_request=told.append), max_response_bytes=7
        ) as copy:
            await copy.ping()
        await api.ping()
        await api.aclose()
        await api.aclose()
        for each in (api, copy, api.with_options()):
            with pytest.raises(RuntimeError, match="this client is closed"):
                await each.ping()

    run(calls())
    assert (len(told), transport.inner.limits, transport.inner.closed) == (1, [7, 16_777_216], 0)


def test_a_transport_that_the_client_made_is_closed_with_it() -> None:
    async def calls() -> None:
        async with AsyncApiClient(URL) as api:
            made = api._held.transport
            assert isinstance(made, AsyncHttpxTransport)
        with pytest.raises(RuntimeError, match="closed"):
            await made.send(HttpRequest("POST", URL, {}, b""), timeout=1, max_bytes=1)

    run(calls())


def test_a_client_shows_its_url_and_no_secrets() -> None:
    api = AsyncApiClient(URL, headers={"Authorization": "Bearer canary"}, transport=AsyncScripted())

    assert repr(api) == "AsyncApiClient('https://shop.example/v1')"


def test_options_are_checked_before_anything_is_sent() -> None:
    with pytest.raises(ValueError, match="holds credentials"):
        AsyncApiClient("https://user:secret@shop.example", transport=AsyncScripted())


class Hanging:
    def __init__(self) -> None:
        self.sent = 0
        self.is_asked = asyncio.Event()

    async def send(self, request: HttpRequest, *, timeout: float, max_bytes: int) -> HttpResponse:
        self.sent += 1
        self.is_asked.set()
        await asyncio.Event().wait()
        raise AssertionError

    async def aclose(self) -> None:
        return None


def test_a_call_that_is_cancelled_ends_and_is_not_tried_again() -> None:
    async def calls() -> int:
        transport = Hanging()
        call = asyncio.create_task(AsyncApiClient(URL, transport=transport).ping())
        await transport.is_asked.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await transport.aclose()
        return transport.sent

    assert run(calls()) == 1
