"""Results: what requests are answered with, in each revision."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from contract import Meta, Spec, route, routes, spec
from contract.call.context import Reply
from contract.call.dispatch import bind
from contract.mcp.results import Results
from contract.mcp.revisions import REVISIONS
from contract.mcp.tools import Catalogue


@route(summary="Names", tags=["x"], auth="none", mcp=True)
def names(input: None, ctx: None) -> list[str]:
    raise AssertionError("it is only listed")


API: Spec[None] = spec(routes=routes(names))
TOOLS = Catalogue(API, bind(API)).tools
PUBLIC = Results(Meta(title="Shop", version="1", mcp_instructions="Be kind."), private=False)
PRIVATE = Results(Meta(title="Shop", version="1"), private=True)
MODERN, OLD = REVISIONS["2026-07-28"], REVISIONS["2025-06-18"]
STAMP: dict[str, Any] = {
    "resultType": "complete",
    "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "Shop", "version": "1"}},
}


def given(output: bytes, *, modern: bool = False) -> Any:
    return orjson.loads(PUBLIC.output(output, TOOLS["names"], MODERN if modern else OLD))


def failed(reply: Reply) -> Any:
    return orjson.loads(PUBLIC.failure(reply, TOOLS["names"], {}, OLD))


def test_only_what_was_asked_for_is_said_in_the_handshake_era() -> None:
    assert PUBLIC.stamped(b"{}", OLD) == b"{}"
    assert PUBLIC.stamped(b'{"a":1}', OLD) == b'{"a":1}'


def test_every_result_says_what_it_is_in_the_modern_era() -> None:
    assert orjson.loads(PUBLIC.stamped(b"{}", MODERN)) == STAMP
    assert orjson.loads(PUBLIC.stamped(b'{"a":1}', MODERN)) == {**STAMP, "a": 1}


@pytest.mark.parametrize("version", REVISIONS)
def test_initialize_agrees_on_revisions_that_have_it(version: str) -> None:
    agreed = orjson.loads(PUBLIC.initialize({"protocolVersion": version}))

    assert agreed["protocolVersion"] == (version if REVISIONS[version].handshake else "2025-11-25")
    assert agreed["instructions"] == "Be kind."
    assert orjson.loads(PUBLIC.initialize({}))["protocolVersion"] == "2025-11-25"


def test_what_depends_on_the_token_is_private() -> None:
    assert orjson.loads(PUBLIC.discover(MODERN))["cacheScope"] == "public"
    assert orjson.loads(PRIVATE.discover(MODERN))["cacheScope"] == "private"
    assert "instructions" not in orjson.loads(PRIVATE.discover(MODERN))


def test_a_page_says_where_the_next_one_begins() -> None:
    two = {**TOOLS, "other": TOOLS["names"]}

    assert orjson.loads(PUBLIC.tools(two, None, 1, OLD) or b"").keys() == {"tools", "nextCursor"}
    assert orjson.loads(PUBLIC.tools(two, None, 2, OLD) or b"").keys() == {"tools"}
    assert orjson.loads(PUBLIC.tools(two, None, 1, MODERN) or b"").keys() == {
        *STAMP,
        "tools",
        "nextCursor",
        "ttlMs",
        "cacheScope",
    }
    assert PUBLIC.tools(two, "none", 1, OLD) is None


def test_an_output_is_wrapped_where_only_objects_will_do() -> None:
    assert given(b'["a"]') == {
        "content": [{"type": "text", "text": '{"result":["a"]}'}],
        "structuredContent": {"result": ["a"]},
    }
    assert given(b'["a"]', modern=True) == {
        **STAMP,
        "content": [{"type": "text", "text": '["a"]'}],
        "structuredContent": ["a"],
    }


def test_a_failure_has_no_structured_content() -> None:
    assert failed(Reply(404, "NOT_FOUND", b'{"error":"NOT_FOUND"}')) == {
        "content": [{"type": "text", "text": '{"error":"NOT_FOUND"}'}],
        "isError": True,
    }


def test_refused_arguments_are_explained() -> None:
    body = b'{"error":"VALIDATION_ERROR","data":{"issues":[{"path":["a"],"code":"unknown_key","message":"No."}]}}'

    [same, explained] = failed(Reply(400, "VALIDATION_ERROR", body))["content"]

    assert same["text"] == body.decode()
    assert explained["text"].endswith("\n- a: No.")
