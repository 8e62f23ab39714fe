"""
The clients, with transports in memory: the synchronous one, and the other waited for at each call.

Those with sockets are tested in test_client_httpx.py.
"""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable
from functools import partial
from inspect import isawaitable
from typing import Any, Self

import pytest

from contract.client import Hooks, HttpRequest, Retries, Timeout
from tests import client_example as shop
from tests import client_fakes as fakes
from tests.tables import rows

DONE = fakes.answer(b"null")
SENT = b'{"order_id":"a","price_cents":1,"paidBy":{"kind":"cash"}}'
URL = "https://shop.example/v1/"


def waited(work: Callable[..., Any], *given: Any, **named: Any) -> Any:
    async def ended() -> Any:
        result = work(*given, **named)
        return await result if isawaitable(result) else result

    result = asyncio.run(ended())
    return Waiting(result) if isinstance(result, shop.AsyncApiClient) else result


class Waiting:
    """An asynchronous client that is waited for, under the names of the synchronous one."""

    def __init__(self, client: shop.AsyncApiClient) -> None:
        self.client = client

    def __getattr__(self, name: str) -> Any:
        return partial(waited, getattr(self.client, "aclose" if name == "close" else name))

    def __repr__(self) -> str:
        return repr(self.client).removeprefix("Async")

    def __enter__(self) -> Self:
        return type(self)(waited(self.client.__aenter__).client)

    def __exit__(self, *raised: object) -> None:
        waited(self.client.__aexit__, *raised)


Make = Callable[..., tuple[Any, fakes.Scripted, fakes.FakeClock]]


@pytest.fixture(params=["sync", "async"])
def make(request: pytest.FixtureRequest) -> Make:
    """A client with the answers that it will get; its transport and its clock."""

    def made(
        *given: fakes.Answer, url: str = URL, **options: Any
    ) -> tuple[Any, fakes.Scripted, fakes.FakeClock]:
        clock = fakes.FakeClock()
        if request.param == "sync":
            transport = fakes.Scripted(*given)
            sync = shop.ApiClient(url, transport=transport, clock=clock, **options)
            return sync, transport, clock
        other = fakes.AsyncScripted(*given)
        client = shop.AsyncApiClient(
            url, transport=other, clock=fakes.AsyncFakeClock(clock), **options
        )
        return Waiting(client), other.inner, clock

    return made


def test_a_route_is_a_method(make: Make) -> None:
    api, transport, _ = make(
        fakes.answer(SENT), fakes.answer(b"[" + SENT + b"]"), DONE, fakes.answer(b"6")
    )
    receipt = shop.Receipt(order_id="a", price_cents=1)

    assert api.order(product_id="p1", paid_by=shop.Card(last_digits="1234")) == shop.Ok(receipt)
    assert shop.unwrap(api.orders_list(since=dt.date(2026, 1, 1))) == [receipt]
    assert api.ping() == shop.Ok(None)
    assert api.total([1, 2, 3]) == shop.Ok(6)
    paid = b'{"product_id":"p1","quantity":1,"paid_by":{"kind":"card","last_digits":"1234"}}'
    assert [(sent.url, sent.body) for sent in transport.sent] == [
        ("https://shop.example/v1/order", paid),
        ("https://shop.example/v1/orders.list", b'{"from":"2026-01-01","limit":10}'),
        ("https://shop.example/v1/ping", b"{}"),
        ("https://shop.example/v1/total", b"[1,2,3]"),
    ]
    assert transport.sent[0].headers["user-agent"] == "The-Shop/1.0.0 contract-python"


def test_failures_are_values(make: Make) -> None:
    sold_out = fakes.answer(b'{"error":"SOLD_OUT","data":{"restock_days":3}}', 409)
    api, _, _ = make(sold_out, fakes.answer(b'{"error":"NOT_FOUND"}', 404), TimeoutError())

    assert api.order(product_id="p1") == shop.SoldOut(restock_days=3)
    assert api.order(product_id="p1") == shop.NotFound()
    assert api.order(product_id="p1") == shop.CallError("NETWORK_ERROR", 0, cause="timeout")


def test_calls_are_tried_again_by_the_clock_that_was_given(make: Make) -> None:
    api, _, clock = make(*fakes.answers([503]), TimeoutError(), DONE)
    clock.chance = 1.0

    assert api.ping() == shop.Ok(None)
    assert clock.slept == [0.25, 0.5]


def test_headers_are_values_or_functions(make: Make) -> None:
    api, transport, _ = make(DONE, DONE, headers={"Authorization": lambda: "Bearer x", "x-a": "1"})

    api.ping()
    api.with_options(headers=lambda: {"X-A": "2"}).ping()
    found = [(sent.headers["authorization"], sent.headers["x-a"]) for sent in transport.sent]
    assert found == [("Bearer x", "1"), ("Bearer x", "2")]


def test_functions_that_give_headers_may_be_awaited() -> None:
    async def token() -> str:
        await asyncio.sleep(0)
        return "Bearer x"

    async def more() -> dict[str, str]:
        return {"X-A": "2"}

    transport = fakes.AsyncScripted(DONE)
    api = shop.AsyncApiClient(
        URL, headers={"Authorization": token, "x-a": "1"}, transport=transport
    )
    asyncio.run(api.with_options(headers=more).ping())

    [sent] = transport.inner.sent
    assert (sent.headers["authorization"], sent.headers["x-a"]) == ("Bearer x", "2")


def test_what_a_header_function_raises_goes_to_the_caller() -> None:
    def token() -> str:
        raise StopIteration("no token")

    with pytest.raises(StopIteration, match="no token"):
        shop.ApiClient(URL, headers={"Authorization": token}, transport=fakes.Scripted()).ping()


def test_a_copy_has_options_of_its_own(make: Make) -> None:
    told: list[object] = []
    api, transport, _ = make(DONE, DONE, DONE, timeout=3)
    hooks, timeout = Hooks(on_request=told.append), Timeout(9, attempt=2)
    copy = api.with_options(timeout=timeout, retries=Retries(0), hooks=hooks, max_response_bytes=7)

    assert isinstance(copy, type(api))
    assert copy.ping() == shop.Ok(None)
    assert api.ping() == shop.Ok(None)
    assert copy.with_options(timeout=1).ping() == shop.Ok(None)
    assert (transport.timeouts, transport.limits) == ([2, 3, 1], [7, 16_777_216, 7])
    assert len(told) == 2


def test_a_copy_keeps_what_a_subclass_keeps() -> None:
    class Mine(shop.ApiClient):
        shop = "a"

    api = Mine(URL, transport=fakes.Scripted(DONE))
    api.shop = "b"
    assert api.with_options().shop == "b"


def test_closing_a_copy_does_nothing(make: Make) -> None:
    api, _, _ = make(DONE)

    with api.with_options(timeout=2):
        pass
    assert api.ping() == shop.Ok(None)


def test_a_closed_client_and_its_copies_are_not_used_any_more(make: Make) -> None:
    given, transport, _ = make()
    with given as api:
        copy = api.with_options(timeout=2)
    api.close()

    for each in (api, copy, api.with_options()):
        with pytest.raises(RuntimeError, match="this client is closed"):
            each.ping()
    assert transport.closed == 0, "whoever made it closes it"


@pytest.mark.parametrize("kind", [shop.ApiClient, shop.AsyncApiClient])
def test_a_transport_that_the_client_made_is_closed_with_it(kind: Any) -> None:
    client = kind(URL)
    made = client._shared.transport
    waited(client.close if kind is shop.ApiClient else client.aclose)

    with pytest.raises(RuntimeError, match="closed"):
        waited(made.send, HttpRequest("POST", URL, {}, b""), timeout=1, max_bytes=1)


def test_a_client_shows_its_url_and_no_secrets(make: Make) -> None:
    api, _, _ = make(headers={"Authorization": "Bearer canary"})

    assert repr(api) == repr(api.with_options()) == "ApiClient('https://shop.example/v1')"
    assert repr(shop.AsyncApiClient(URL)) == "AsyncApiClient('https://shop.example/v1')"


@rows(
    "options, problem",
    ({"url": "https://user:secret@shop.example"}, "contains credentials"),
    ({"timeout": 0}, "timeout call=0"),
    ({"headers": {"Content-Type": "text/plain"}}, "the client's own"),
)
def test_options_are_checked_before_anything_is_sent(
    make: Make, options: dict[str, Any], problem: str
) -> None:
    with pytest.raises(ValueError, match=problem):
        make(**options)
    with pytest.raises(ValueError, match="retries=-1"):
        make()[0].with_options(retries=-1)
