"""What the wire says is what the document says: every answer of the table, held against the contract of its spec."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import cache
from typing import Any
from urllib.parse import unquote

import pytest

from contract import Spec
from contract.document import ContractError, Document
from contract.document.describe import describe
from contract.shape.json_text import JsonSchema
from tests.oracle import is_valid
from tests.wire import rows_content, site
from tests.wire.case import Case
from tests.wire.exchange import TRANSPORTS, Exchange, Transport, serve
from tests.wire.test_wire_table import ROWS, through


@pytest.fixture(scope="module", autouse=True)
def silence() -> Iterator[None]:
    logger = logging.getLogger("contract")
    logger.setLevel(logging.CRITICAL)
    yield
    logger.setLevel(logging.NOTSET)


@cache
def api() -> Spec[Any]:
    return site.make_site(async_hook=False)


@cache
def document() -> Document:
    return describe(api(), visibility="all")


@cache
def exchange_of(transport: Transport) -> Exchange:
    return serve(transport, api(), max_body_bytes=rows_content.LIMIT)


def is_a(schema: JsonSchema, value: Any) -> bool:
    return is_valid({**schema, "$defs": document().defs}, value)


@pytest.mark.filterwarnings("ignore:coroutine '_never' was never awaited:RuntimeWarning")
@pytest.mark.parametrize(
    ("transport", "case"),
    through(TRANSPORTS, [case for case in ROWS if case.request.method != "HEAD"]),
)
def test_each_answer_is_in_the_contract(transport: Transport, case: Case) -> None:
    response = exchange_of(transport)(case.request)
    route = document().routes.get(unquote(case.request.target).removeprefix("/v1/"))

    if response.status == 200 and route is not None:
        assert is_a(route.output, response.json())
    elif response.status >= 400:
        answer = response.json()
        known: dict[str, ContractError] = {
            **document().errors,
            **({} if route is None else route.errors),
        }
        error = known[answer["error"]]
        assert {*answer} <= {"error", "data"}
        assert response.status == error.status or (
            answer["error"] == "BAD_REQUEST" and response.status in (414, 431, 505)
        )
        if "data" in answer:
            assert error.data is not None
            assert is_a(error.data, answer["data"])
        else:
            assert not error.data_required
