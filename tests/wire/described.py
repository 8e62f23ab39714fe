"""The contract of the table's spec: what an answer on the wire may be."""

from __future__ import annotations

from functools import cache
from urllib.parse import unquote

import orjson

from contract.document import ContractError, Document
from contract.document.describe import describe
from contract.shape.json_text import JsonSchema
from tests.oracle import is_valid
from tests.wire.lanes import make_lane

__all__ = ["check_described", "document_of"]


@cache
def document_of(*, hooked: bool) -> Document:
    """The contract of the lanes with a hook before every route, or of those without. How the hook and the resolvers run is not in it."""
    return describe(make_lane("sync" if hooked else "public", "sync"), visibility="all")


@cache  # nine transports give one answer
def check_described(target: str, status: int, body: bytes, *, hooked: bool) -> None:
    """Hold an answer with a body against the contract."""
    document = document_of(hooked=hooked)
    answer = orjson.loads(body)
    route = document.routes.get(unquote(target).removeprefix("/v1/"))
    if status >= 400:
        known: dict[str, ContractError] = {
            **document.errors,
            **({} if route is None else route.errors),
        }
        error = known[answer["error"]]
        assert {*answer} <= {"error", "data"}
        assert status == error.status or (
            answer["error"] == "BAD_REQUEST" and status in (414, 431, 505)
        )
        if "data" in answer:
            assert error.data is not None
            assert _is_a(error.data, answer["data"], document)
        else:
            assert not error.data_required
    elif route is not None:
        assert _is_a(route.output, answer, document)


def _is_a(schema: JsonSchema, value: object, document: Document) -> bool:
    return is_valid({**schema, "$defs": document.defs}, value)
