"""
The synchronous client, with transports in memory.

Those with sockets are tested in test_client_httpx.py.
"""

from __future__ import annotations

import datetime as dt
from concurrent.futures import ThreadPoolExecutor

import pytest

from contract.client import Hooks, HttpRequest, HttpxTransport, Retries, Timeout
from tests.client_example import ApiClient, CallError, Card, NotFound, Ok, Receipt, SoldOut, unwrap
from tests.client_fakes import FakeClock, Scripted, answer, answers

DONE = answer(b"null")
SENT = b'{"order_id":"a","price_cents":1,"paidBy":{"kind":"cash"}}'
URL = "https://shop.example/v1/"


def test_a_route_is_a_method() -> None:
    transport = Scripted(answer(SENT), answer(b"[" + SENT + b"]"), DONE, answer(b"6"))
    api = ApiClient(URL, transport=transport)

    assert api.order(product_id="p1", paid_by=Card(last_digits="1234")) == Ok(
        Receipt(order_id="a", price_cents=1)
    )
    assert unwrap(api.orders_list(since=dt.date(2026, 1, 1))) == [
        Receipt(order_id="a", price_cents=1)
    ]
    assert api.ping() == Ok(None)
    assert api.total([1, 2, 3]) == Ok(6)
    assert [(sent.url, sent.body) for sent in transport.sent] == [
        (
            "https://shop.example/v1/order",
            b'{"product_id":"p1","quantity":1,"paid_by":{"kind":"card","last_digits":"1234"}}',
        ),
        ("https://shop.example/v1/orders.list", b'{"from":"2026-01-01","limit":10}'),
        ("https://shop.example/v1/ping", b"{}"),
        ("https://shop.example/v1/total", b"[1,2,3]"),
    ]
    assert transport.sent[0].headers["user-agent"] == "The-Shop/1.0.0 contract-python"


def test_failures_are_values() -> None:
    sold_out = answer(b'{"error":"SOLD_OUT","data":{"restock_days":3}}', 409)
    transport = Scripted(sold_out, answer(b'{"error":"NOT_FOUND"}', 404), TimeoutError())
    api = ApiClient(URL, transport=transport)

    assert api.order(product_id="p1") == SoldOut(restock_days=3)
    assert api.order(product_id="p1") == NotFound()
    assert api.order(product_id="p1") == CallError("NETWORK_ERROR", 0, cause="timeout")


def test_calls_are_tried_again_by_the_clock_that_was_given() -> None:
    clock = FakeClock(chance=1.0)
    transport = Scripted(*answers([503, 503]), DONE)

    assert ApiClient(URL, transport=transport, clock=clock).ping() == Ok(None)
    assert clock.slept == [0.25, 0.5]


def test_headers_are_values_or_functions() -> None:
    transport = Scripted(DONE, DONE)
    api = ApiClient(
        URL, headers={"Authorization": lambda: "Bearer x", "x-a": "1"}, transport=transport
    )

    api.ping()
    api.with_options(headers=lambda: {"X-A": "2"}).ping()
    assert [(sent.headers["authorization"], sent.headers["x-a"]) for sent in transport.sent] == [
        ("Bearer x", "1"),
        ("Bearer x", "2"),
    ]


def test_what_a_header_function_raises_goes_to_the_caller() -> None:
    def token() -> str:
        raise StopIteration("no token")

    with pytest.raises(StopIteration, match="no token"):
        ApiClient(URL, headers={"Authorization": token}, transport=Scripted()).ping()


def test_a_copy_has_options_of_its_own() -> None:
    transport = Scripted(DONE, DONE, DONE)
    told: list[object] = []
    api = ApiClient(URL, timeout=3, transport=transport, clock=FakeClock())
    copy = api.with_options(
        timeout=Timeout(9, attempt=2),
        retries=Retries(0),
        hooks=Hooks(on_request=told.append),
        max_response_bytes=7,
    )

    assert isinstance(copy, ApiClient)
    assert copy.ping() == Ok(None)
    assert api.ping() == Ok(None)
    assert copy.with_options(timeout=1).ping() == Ok(None)
    assert (transport.timeouts, transport.limits) == ([2, 3, 1], [7, 16_777_216, 7])
    assert len(told) == 2


def test_a_copy_keeps_what_a_subclass_keeps() -> None:
    class Mine(ApiClient):
        shop = "a"

    api = Mine(URL, transport=Scripted(DONE))
    api.shop = "b"
    assert api.with_options().shop == "b"


def test_closing_a_copy_does_nothing() -> None:
    transport = Scripted(DONE)
    api = ApiClient(URL, transport=transport)

    with api.with_options(timeout=2):
        pass
    assert api.ping() == Ok(None)


def test_a_closed_client_and_its_copies_are_not_used_any_more() -> None:
    transport = Scripted()
    with ApiClient(URL, transport=transport) as api:
        copy = api.with_options(timeout=2)
    api.close()

    for each in (api, copy, api.with_options()):
        with pytest.raises(RuntimeError, match="this client is closed"):
            each.ping()
    assert transport.closed == 0, "whoever made it closes it"


def test_a_transport_that_the_client_made_is_closed_with_it() -> None:
    with ApiClient(URL) as api:
        made = api._held.transport
        assert isinstance(made, HttpxTransport)

    with pytest.raises(RuntimeError, match="closed"):
        made.send(HttpRequest("POST", URL, {}, b""), timeout=1, max_bytes=1)


def test_a_client_shows_its_url_and_no_secrets() -> None:
    api = ApiClient(URL, headers={"Authorization": "Bearer canary"}, transport=Scripted())

    assert repr(api) == "ApiClient('https://shop.example/v1')"
    assert "canary" not in repr(api.with_options())


def test_options_are_checked_before_anything_is_sent() -> None:
    with pytest.raises(ValueError, match="holds credentials"):
        ApiClient("https://user:secret@shop.example", transport=Scripted())
    with pytest.raises(ValueError, match="timeout call=0"):
        ApiClient(URL, timeout=0, transport=Scripted())
    with pytest.raises(ValueError, match="retries=-1"):
        ApiClient(URL, transport=Scripted()).with_options(retries=-1)
    with pytest.raises(ValueError, match="the client's own"):
        ApiClient(URL, headers={"Content-Type": "text/plain"}, transport=Scripted())


def test_threads_share_a_client() -> None:
    api = ApiClient(URL, transport=Scripted(*[DONE] * 200))

    with ThreadPoolExecutor(8) as pool:
        results = [*pool.map(lambda _: api.ping(), range(200))]
    assert results == [Ok(None)] * 200
