from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, fields, replace

import pytest

from contract.client import CallError, CallFailed, Issue, Ok, ResponseInfo, unwrap
from contract.client.results import answered_by
from tests.client_example import NotFound, SoldOut

REFUSED = OSError("refused")


def test_a_result_is_told_apart_by_its_class_and_has_no_ok() -> None:
    results = [Ok(3), SoldOut(restock_days=3), CallError("UNAUTHORIZED", 401)]

    assert [type(result) for result in results] == [Ok, SoldOut, CallError]
    assert not any(hasattr(result, "ok") for result in results)
    for result, name in zip(results, ("value", "restock_days", "code"), strict=True):
        with pytest.raises(FrozenInstanceError):
            setattr(result, name, 4)


def test_a_failure_has_its_code_and_its_status() -> None:
    assert (SoldOut.error_code, SoldOut.http_status) == ("SOLD_OUT", 409)
    assert (NotFound().error_code, NotFound().http_status) == ("NOT_FOUND", 404)
    assert [field.name for field in fields(SoldOut)] == ["restock_days"]


ANSWERED = ResponseInfo(299, {"x-request-id": "id-1", "set-cookie": "canary"})
NONE = ResponseInfo(0, {})


def test_a_result_has_the_response_that_it_came_with() -> None:
    failure = SoldOut(restock_days=3)
    results: list[Ok[int] | SoldOut | CallError] = [
        Ok(3, response=ANSWERED),
        answered_by(failure, ANSWERED),
        CallError("UNAUTHORIZED", 299, headers=ANSWERED.headers),
    ]
    by_hand = (Ok(3), SoldOut(restock_days=3), CallError("NETWORK_ERROR", 0))

    assert results[1] is failure
    assert [result.response for result in results] == [ANSWERED] * 3
    assert [result.response.request_id for result in results] == ["id-1"] * 3
    assert "canary" not in repr(results) + repr(ANSWERED)
    assert [result.response for result in by_hand] == [NONE] * 3
    assert NONE.request_id is None


def test_a_response_makes_no_other_result() -> None:
    failure = answered_by(SoldOut(restock_days=3), ANSWERED)

    assert Ok(3, response=ANSWERED) == Ok(3)
    assert hash(Ok(3, response=ANSWERED)) == hash(Ok(3))
    assert Ok.__match_args__ == ("value",)
    assert (failure, hash(failure)) == (SoldOut(restock_days=3), hash(SoldOut(restock_days=3)))
    assert [field.name for field in fields(failure)] == ["restock_days"]
    assert pickle.loads(pickle.dumps(Ok(3, response=ANSWERED))).response == ANSWERED
    assert pickle.loads(pickle.dumps(failure)).response == NONE
    assert replace(failure).response == NONE


def test_unwrap_gives_the_value_or_raises_the_failure() -> None:
    failure = answered_by(SoldOut(restock_days=3), ANSWERED)

    assert unwrap(Ok(None)) is None
    assert unwrap(Ok([1])) == [1]
    with pytest.raises(CallFailed, match=r"^SOLD_OUT \(409\)$") as raised:
        unwrap(failure)
    assert (raised.value.result, raised.value.response) == (failure, ANSWERED)
    assert (raised.value.code, raised.value.status) == ("SOLD_OUT", 409)
    assert raised.value.__cause__ is None


MISSING = Issue((), "missing", "This field is required.")
ISSUES = (Issue(("lines", 0), "integer_type", "Must be an integer."), MISSING)


TOLD = {
    "UNAUTHORIZED (401)": CallError("UNAUTHORIZED", 401),
    "NETWORK_ERROR: refused": CallError("NETWORK_ERROR", 0, cause="refused", exception=REFUSED),
    "NETWORK_ERROR (200): aborted at https://shop.example/v1/chat": CallError(
        "NETWORK_ERROR", 200, cause="aborted", url="https://shop.example/v1/chat"
    ),
    "UNKNOWN_ERROR (200): lines.0: Must be an integer.": CallError(
        "UNKNOWN_ERROR", 200, issues=ISSUES[:1]
    ),
    "VALIDATION_ERROR: This field is required.": CallError(
        "VALIDATION_ERROR", 0, issues=ISSUES[1:]
    ),
    "VALIDATION_ERROR (400): lines.0: Must be an integer. (and 1 more)": CallError(
        "VALIDATION_ERROR", 400, issues=ISSUES
    ),
}


@pytest.mark.parametrize(("text", "error"), TOLD.items())
def test_the_exception_says_what_happened(text: str, error: CallError) -> None:
    with pytest.raises(CallFailed) as raised:
        unwrap(error)

    failed = raised.value
    assert str(failed) == text
    assert failed.result is error
    assert (failed.code, failed.status) == (error.code, error.status)
    assert failed.__cause__ is error.exception


def test_the_exception_says_in_one_short_line_what_a_server_says() -> None:
    text = "Café.\r\n2026-01-01 INFO forged \x1b[2J\x9b\u2028\u202e" + "x" * 1_000_000
    hostile = Issue(("a\nb", *["x" * 1000] * 1000), "forged", text)

    told = str(CallFailed(CallError("VALIDATION_ERROR", 400, issues=(hostile,))))

    assert told.startswith(r"VALIDATION_ERROR (400): a\nb.xxx")
    assert r": Café.\r\n2026-01-01 INFO forged \x1b[2J\x9b\u2028\u202exxx" in told
    assert told.isprintable()
    assert len(told) < 500


def test_a_failure_that_was_raised_can_be_pickled() -> None:
    error = CallFailed(
        CallError("UNKNOWN_ERROR", 200, issues=ISSUES, headers={"a": "b"}, body=b"x")
    )

    copied = pickle.loads(pickle.dumps(error))
    assert copied.result == error.result
    assert str(copied) == str(error)


def test_the_repr_of_an_error_shows_neither_headers_nor_body() -> None:
    secret = {"set-cookie": "canary"}
    error = CallError(
        "UNKNOWN_ERROR", 500, headers=secret, body=b"canary", exception=OSError("canary")
    )

    for shown in (repr(error), repr(CallFailed(error)), str(CallFailed(error))):
        assert "canary" not in shown


def test_errors_compare_by_everything_but_the_exception_and_the_url() -> None:
    error = CallError("UNKNOWN_ERROR", 500, headers={"a": "b"}, body=b"x", data={"a": 1})

    assert error == replace(error, exception=REFUSED, url="https://shop.example/v1/chat")
    assert error != replace(error, body=b"y")
    assert error != replace(error, headers={})
    assert len({error, replace(error, exception=REFUSED)}) == 1
