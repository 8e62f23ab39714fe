from __future__ import annotations

from json import dumps
from typing import get_args

import pytest

from contract.client import CallErrorCode, Issue
from contract.client.framework import BY_STATUS, CODES, Refusal
from contract.declare.failures import BUILTINS, CLIENT_CODES, FRAMEWORK


def test_every_code_of_the_server_is_known() -> None:
    assert {*CODES} == {*FRAMEWORK} | {cls.error_code for cls in BUILTINS}
    assert {*get_args(CallErrorCode)} == {*CODES} | {*CLIENT_CODES}
    assert all(code == known.code for code, known in CODES.items())


def test_a_status_stands_for_a_code_that_it_is_sent_with() -> None:
    statuses = {code: each.status for code, each in FRAMEWORK.items()} | {
        cls.error_code: cls.http_status for cls in BUILTINS
    }

    assert {status for status, code in BY_STATUS.items() if statuses[code] != status} == {502, 504}


@pytest.mark.parametrize(
    ("code", "key"),
    [
        ("TOO_MANY_REQUESTS", "description"),
        ("SERVICE_UNAVAILABLE", "title"),
        ("NOT_FOUND", "title"),
        ("NOT_FOUND", "retry_after"),
    ],
)
def test_a_field_that_another_code_has_is_one_that_is_not_known(code: str, key: str) -> None:
    CODES[code].data.answers.load(dumps({key: []}).encode())


def test_issues_are_those_that_everybody_has() -> None:
    sent = b'{"issues":[{"path":["a",0],"code":"less_than","message":"Must be.","params":{"lt":1}},{"path":[],"code":"x","message":"y"}]}'
    refusal: Refusal = CODES["VALIDATION_ERROR"].data.load(sent)

    assert refusal.told() == (
        Issue(("a", 0), "less_than", "Must be.", (("lt", 1),)),
        Issue((), "x", "y"),
    )
