"""Every answer of the table is held against a contract (`tests.wire.described`): here, that it is that of the lane, and that it is held."""

from __future__ import annotations

import pytest

from contract.document.describe import describe
from tests.tables import rows
from tests.wire.described import check_described, document_of
from tests.wire.lanes import DOORS, RUNS, Door, Runs, make_lane


@rows("runs", *RUNS)
@rows("door", *DOORS)
def test_the_contract_is_that_of_every_lane(door: Door, runs: Runs) -> None:
    assert describe(make_lane(door, runs), visibility="all") == document_of(hooked=door != "public")


@rows(
    "status, body",
    (200, b'{"text":1}'),
    (400, b'{"error":"VALIDATION_ERROR"}'),
    (400, b'{"error":"VALIDATION_ERROR","data":{"issues":[{"path":[]}]}}'),
    (400, b'{"error":"INTERNAL_ERROR"}'),
    (500, b'{"error":"INTERNAL_ERROR","detail":"x"}'),
    (500, b'{"error":"INTERNAL_ERROR","data":{}}'),
)
def test_what_is_not_in_the_contract_is_found(status: int, body: bytes) -> None:
    with pytest.raises(AssertionError):
        check_described("/v1/echo", status, body, hooked=False)


def test_an_error_that_nobody_has_declared_is_found() -> None:
    with pytest.raises(KeyError, match="SOLD_OUT"):
        check_described("/v1/echo", 409, b'{"error":"SOLD_OUT"}', hooked=False)
