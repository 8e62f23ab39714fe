from __future__ import annotations

import json
from dataclasses import dataclass
from json import dumps
from typing import Any, Never, final, get_args

import pytest

from contract import client
from contract.client.answers import BY_STATUS, CODES, Refusal, result_of
from contract.declare.failures import BUILTINS, CLIENT_CODES, FRAMEWORK
from contract.shape.issues import issue
from tests.client_example import NotFound, Receipt, SoldOut
from tests.tables import rows

RECEIPTS = client.RouteSchemas(input=client.Schema(None), output=client.Schema(Receipt))
ORDER: client.Operation[None, Receipt, NotFound | SoldOut] = client.Operation(
    "order", effect="read", schemas=RECEIPTS, failures=(NotFound, SoldOut)
)
BARE: client.Operation[None, Receipt, Never] = client.Operation(
    "bare", effect="read", schemas=RECEIPTS
)
HEADERS = {"x-request-id": "r"}
SENT = b'{"order_id":"a","price_cents":1,"paidBy":{"kind":"cash"}}'
HTML = b"<html><body>502 Bad Gateway</body></html>"


def given(status: int, body: bytes, operation: Any = ORDER, *, truncated: bool = False) -> Any:
    return result_of(
        operation, client.HttpResponse(status, HEADERS, body, truncated=truncated), 3.0
    )


def error(code: str, **more: Any) -> bytes:
    return json.dumps({"error": code, **more}).encode()


def unknown(status: int, body: bytes, *issues: client.Issue) -> client.CallError:
    return client.CallError(
        "UNKNOWN_ERROR", status, issues=issues, retry_after=3.0, headers=HEADERS, body=body
    )


@pytest.mark.parametrize("status", [200, 201, 299])
def test_a_success_is_the_output_without_what_is_not_known(status: int) -> None:
    more = b'{"order_id":"a","price_cents":1,"paidBy":{"kind":"cash","by":1},"new":[{}]}'

    for body in (SENT, more):
        assert given(status, body) == client.Ok(Receipt(order_id="a", price_cents=1))


@rows(
    "status, body",
    (201, SENT),
    (418, error("SOLD_OUT", data={"restock_days": 3})),
    (401, error("UNAUTHORIZED")),
    (409, error("SOLD_OUT")),
    (502, HTML),
    (200, HTML),
)
def test_every_result_has_the_response(status: int, body: bytes) -> None:
    assert given(status, body).response == client.ResponseInfo(status, HEADERS)


def test_an_output_that_does_not_fit_is_an_unknown_error_with_the_issues() -> None:
    body = b'{"order_id":1,"price_cents":-1,"paidBy":{"kind":"cash"}}'

    wrong = given(200, body)
    assert (wrong.code, wrong.status) == ("UNKNOWN_ERROR", 200)
    assert (wrong.body, wrong.headers) == (body, HEADERS)
    issues = [(issue.path, issue.code) for issue in wrong.issues]
    first = ("order_id",), "string_type"
    assert issues == [first, (("price_cents",), "greater_than_equal")]


@rows("body", b"", HTML, SENT[:-1], b"null", b"[]", b"\xff", error("SOLD_OUT", data={"restock_days": 3}))  # fmt: skip
def test_a_success_with_another_body_is_an_unknown_error(body: bytes) -> None:
    wrong = given(200, body)

    assert (wrong.code, wrong.status, wrong.body) == ("UNKNOWN_ERROR", 200, body)
    assert wrong.issues


@rows(
    "status, code, sent, failure",
    (409, "SOLD_OUT", {"data": {"restock_days": 3}}, SoldOut(restock_days=3)),
    (409, "SOLD_OUT", {"data": {"restock_days": 3, "new": {"a": 1}}}, SoldOut(restock_days=3)),
    (404, "NOT_FOUND", {"data": {"message": "gone"}}, NotFound(message="gone")),
    # data that is not needed
    (404, "NOT_FOUND", {}, NotFound()),
    (404, "NOT_FOUND", {"data": {}}, NotFound()),
    # the code wins over another status
    (418, "SOLD_OUT", {"data": {"restock_days": 3}}, SoldOut(restock_days=3)),
    (503, "NOT_FOUND", {}, NotFound()),
)
def test_a_declared_failure_is_its_class(
    status: int, code: str, sent: dict[str, Any], failure: object
) -> None:
    assert given(status, error(code, **sent)) == failure


DAYS = ("data", "restock_days")


@rows(
    "sent, issue",
    ({}, issue("missing", DAYS)),
    ({"data": {}}, issue("missing", DAYS)),
    ({"data": {"restock_days": -1}}, issue("greater_than_equal", DAYS, ge=0)),
    ({"data": {"restock_days": "3"}}, issue("integer_type", DAYS, found="string")),
    ({"data": None}, issue("object_type", ("data",), found="null")),
    ({"data": []}, issue("object_type", ("data",), found="array")),
)
def test_a_declared_failure_with_wrong_data_is_an_unknown_error(
    sent: dict[str, Any], issue: client.Issue
) -> None:
    body = error("SOLD_OUT", **sent)

    assert given(409, body) == unknown(409, body, issue)


VALID: dict[str, Any] = {
    "BAD_REQUEST": {"message": "x"},
    "PAYLOAD_TOO_LARGE": {"limit": 3},
    "ROUTE_NOT_FOUND": {"route": "x"},
    "UNSUPPORTED_MEDIA_TYPE": {"message": "x"},
    "VALIDATION_ERROR": {"issues": [{"path": ["a", 0], "code": "missing", "message": "x"}]},
}
STATUSES = {code: known.status for code, known in FRAMEWORK.items()} | {
    cls.error_code: cls.http_status for cls in BUILTINS
}


@pytest.mark.parametrize("code", STATUSES)
def test_every_code_of_the_framework_and_every_builtin_is_known(code: client.CallErrorCode) -> None:
    sent = {"data": VALID[code]} if code in VALID else {}
    result = given(STATUSES[code], error(code, **sent), BARE)

    assert (result.code, result.status, result.data) == (code, STATUSES[code], VALID.get(code))
    assert (result.headers, result.retry_after, result.body) == (HEADERS, 3.0, None)


@pytest.mark.parametrize("code", STATUSES)
def test_their_data_may_have_more_than_is_known(code: client.CallErrorCode) -> None:
    data = VALID.get(code, {}) | {"new": 1}

    assert given(STATUSES[code], error(code, data=data), BARE).data == data


@rows(
    "code, sent",
    *((code, {}) for code in VALID),
    *((code, {"data": {}}) for code in VALID),
    ("NOT_FOUND", {"data": {"message": 1}}),
    ("TOO_MANY_REQUESTS", {"data": {"retry_after": -1}}),
    ("UNAUTHORIZED", {"data": "x"}),
)
def test_their_data_is_validated(code: client.CallErrorCode, sent: dict[str, Any]) -> None:
    assert given(STATUSES[code], error(code, **sent), BARE).code == "UNKNOWN_ERROR"


def test_the_issues_of_a_refused_input_are_told() -> None:
    told = client.Issue(("lines", 0), "greater_than", "Must be greater than 0.", (("gt", 0),))
    sent = {"path": ["lines", 0], "code": told.code, "message": told.message, "params": {"gt": 0}}
    data = {"issues": [sent], "truncated": True}
    result = given(400, error("VALIDATION_ERROR", data=data))

    assert (result.issues, result.data) == ((told,), data)


@pytest.mark.parametrize("status", [401, 404, 409, 503])
def test_a_code_that_nobody_declares_is_an_unknown_error(status: int) -> None:
    body = error("SOMETHING_ELSE", data={"a": 1})

    assert given(status, body) == unknown(status, body)
    assert given(status, error("SOLD_OUT", data={"restock_days": 3}), BARE).code == "UNKNOWN_ERROR"


NOT_OURS = [
    HTML, b"", b'{"error": "SOLD_OU', b"[]", b"null", b'"SOLD_OUT"',
    b'{"message":"no Route matched"}', b'{"error":{"code":404}}', b'{"error":null}',
    b'{"error":"invalid_token","error_description":"expired"}',
    b'{"error":"SOLD_OUT","data":{"restock_days":NaN}}', b"\xff\xfe",
]  # fmt: skip


@pytest.mark.parametrize("body", NOT_OURS)
@pytest.mark.parametrize("status", BY_STATUS)
def test_a_body_that_is_none_of_ours_leaves_it_to_the_status(status: int, body: bytes) -> None:
    result = given(status, body, BARE)

    assert (result.code, result.status) == (BY_STATUS[status], status)
    assert (result.data, result.issues) == (None, ())
    assert (result.headers, result.body, result.retry_after) == (HEADERS, body, 3.0)


@pytest.mark.unwatched
@pytest.mark.parametrize("body", NOT_OURS)
@pytest.mark.parametrize(
    "status", [301, 302, 304, 307, 400, 402, 403, 404, 405, 409, 418, 500, 501, 505, 599, 100, 199]
)
def test_every_other_status_is_an_unknown_error(status: int, body: bytes) -> None:
    assert given(status, body) == unknown(status, body)


@pytest.mark.parametrize("body", NOT_OURS)
@pytest.mark.parametrize("status", [403, 404, *BY_STATUS])
def test_nothing_but_a_body_of_ours_is_a_declared_failure(status: int, body: bytes) -> None:
    declaring = client.Operation[None, Receipt, Any](
        "order", effect="read", schemas=RECEIPTS, failures=DECLARED
    )
    result = given(status, body, declaring)

    assert isinstance(result, client.CallError)
    assert (result.code, result.status) == (BY_STATUS.get(status, "UNKNOWN_ERROR"), status)
    assert (result.headers, result.body, result.retry_after) == (HEADERS, body, 3.0)
    assert result == given(status, body, BARE), "what a route declares changes nothing"


def test_neither_headers_nor_body_of_a_foreign_answer_are_shown() -> None:
    foreign = result_of(
        ORDER, client.HttpResponse(404, {"set-cookie": "session=secret"}, b"secret"), None
    )

    assert "secret" not in repr(foreign)


@final
@dataclass(frozen=True, slots=True)
class Forbidden(client.DeclaredFailure, code="FORBIDDEN", status=403):
    """A builtin, as generated code has it."""

    message: str | client.Unset = client.UNSET


@final
@dataclass(frozen=True, slots=True)
class TooManyRequests(client.DeclaredFailure, code="TOO_MANY_REQUESTS", status=429):
    """A builtin, as generated code has it."""


@final
@dataclass(frozen=True, slots=True)
class ServiceUnavailable(client.DeclaredFailure, code="SERVICE_UNAVAILABLE", status=503):
    """A builtin, as generated code has it."""


DECLARED = (NotFound, Forbidden, TooManyRequests, ServiceUnavailable)


def test_a_body_that_was_cut_is_not_believed() -> None:
    sold_out = error("SOLD_OUT", data={"restock_days": 3})
    unreadable = client.Issue((), "unreadable", "The answer is too large, or cannot be read.")

    assert given(200, SENT, truncated=True) == unknown(200, SENT, unreadable)
    assert given(409, sold_out, truncated=True) == unknown(409, sold_out, unreadable)
    assert given(503, sold_out, truncated=True).code == "SERVICE_UNAVAILABLE"
    assert str(given(200, SENT, truncated=True).exception) == unreadable.message
    answer = client.HttpResponse(200, HEADERS, b"", truncated=True, problem="It is cut.")
    result: Any = result_of(ORDER, answer, None)
    assert (result.issues[0].message, str(result.exception)) == ("It is cut.",) * 2


def test_a_body_that_is_nested_too_deeply_is_not_believed() -> None:
    deep = b'{"error":"NOT_FOUND","data":' + b"[" * 5000 + b"]" * 5000 + b"}"

    assert given(500, deep) == unknown(500, deep)
    assert given(200, b"[" * 100_000).code == "UNKNOWN_ERROR"


def test_every_code_of_the_server_is_known() -> None:
    assert {*CODES} == {*FRAMEWORK} | {cls.error_code for cls in BUILTINS}
    assert {*get_args(client.CallErrorCode)} == {*CODES} | {*CLIENT_CODES}
    assert all(code == known.code for code, known in CODES.items())


def test_a_status_stands_for_a_code_that_it_is_sent_with() -> None:
    assert {*BY_STATUS} == {401, 413, 429, 502, 503, 504}
    assert {status for status, code in BY_STATUS.items() if STATUSES[code] != status} == {502, 504}
    assert BY_STATUS[502] == BY_STATUS[504] == "SERVICE_UNAVAILABLE"


@rows("named", "TOO_MANY_REQUESTS description", "SERVICE_UNAVAILABLE title", "NOT_FOUND title", "NOT_FOUND retry_after")  # fmt: skip
def test_a_field_that_another_code_has_is_one_that_is_not_known(named: str) -> None:
    code, key = named.split()
    CODES[code].data.answers.load(dumps({key: []}).encode())


def test_issues_are_those_that_everybody_has() -> None:
    sent = b"""{"issues":[
        {"path":["a",0],"code":"less_than","message":"Must be.","params":{"lt":1}},
        {"path":[],"code":"x","message":"y"}
    ]}"""
    refusal: Refusal = CODES["VALIDATION_ERROR"].data.load(sent)
    first = client.Issue(("a", 0), "less_than", "Must be.", (("lt", 1),))

    assert refusal.as_issues() == (first, client.Issue((), "x", "y"))
