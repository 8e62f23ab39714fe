"""The law: whatever a server answers, a call has a result of its route, which tells of nothing that was not sent."""

import json
from typing import Any

from hypothesis import event, given, settings
from hypothesis import strategies as st

from contract.client import HttpResponse, Retries
from contract.client.answers import BY_STATUS, CODES
from tests.client_example import ApiClient, CallError, NotFound, Ok, SoldOut
from tests.client_fakes import Scripted
from tests.effort import examples


def encoded(value: Any) -> bytes:
    return json.dumps(value).encode()


def sold_out(days: int) -> bytes:
    return encoded({"error": "SOLD_OUT", "data": {"restock_days": days, "more": days}})


KEYS = st.sampled_from(["message", "limit", "issues", "restock_days"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=2),
    max_leaves=5,
)
CODE = st.sampled_from([*CODES, "SOLD_OUT", "NETWORK_ERROR", "UNKNOWN_ERROR", "OTHER", ""])
RECEIPT = st.fixed_dictionaries(
    {"order_id": st.text(max_size=3), "price_cents": st.integers(-1, 5)},
    optional={"paidBy": JSON, "more": JSON},
)
BODIES = st.one_of(
    st.binary(max_size=30),
    st.sampled_from([b"", b"<html>", b'{"error"', b"\xff", b"NaN", b"[" * 3000]),
    JSON.map(encoded),
    RECEIPT.map(encoded),
    st.integers(-1, 5).map(sold_out),
    st.fixed_dictionaries({"error": CODE}, optional={"data": JSON, "more": JSON}).map(encoded),
)
STATUSES = st.sampled_from([*BY_STATUS, 200, 204, 302, 400, 409, 418, 500]) | st.integers(100, 999)
HEADERS = st.dictionaries(
    st.sampled_from(["retry-after", "content-type"]),
    st.text(max_size=5) | st.just("Tue, 14 Nov 2023 22:13:30 GMT"),
)


def parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


@settings(max_examples=examples(500))
@given(STATUSES, BODIES, HEADERS, st.booleans())
def test_any_answer_has_a_meaning(status: int, body: bytes, headers: Any, truncated: bool) -> None:
    answer = HttpResponse(status, headers, body, truncated=truncated)
    api = ApiClient("https://a", transport=Scripted(answer), retries=Retries(0))
    result = api.order(product_id="p1")
    sent = parsed(body)

    event(result.code if isinstance(result, CallError) else type(result).__name__)
    match result:
        case Ok(receipt):
            assert receipt.order_id == sent["order_id"]
            assert receipt.price_cents == sent["price_cents"]
            assert 200 <= status < 300
        case SoldOut(restock_days=days):
            assert (sent["error"], sent["data"]["restock_days"]) == ("SOLD_OUT", days)
        case NotFound():
            assert status == 404 or sent["error"] == "NOT_FOUND"
        case CallError(code="UNKNOWN_ERROR"):
            assert (result.status, result.body, result.data) == (status, body, None)
        case CallError():
            assert result.status == status
            assert result.code == BY_STATUS.get(status) or sent["error"] == result.code
            assert result.data is None or result.data == sent["data"]
