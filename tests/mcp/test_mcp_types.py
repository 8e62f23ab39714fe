"""What is answered, read by the models that the official Python SDK has of every revision (`mcp-types`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal, TypeAlias

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from mcp_types import CallToolResult, DiscoverResult, InitializeResult, ListToolsResult, methods
from mcp_types.version import KNOWN_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from contract import Failure, McpTool, Meta, route, spec
from contract.mcp.revisions import REVISIONS
from tests.mcp.talk import MODERN, Talk


class Broken(Failure, status=409):
    """It is broken."""

    parts: list[str]


@dataclass(frozen=True)
class Leaf:
    kind: Literal["leaf"]
    text: str


@dataclass(frozen=True)
class Branch:
    kind: Literal["branch"]
    children: list[Node]


Node: TypeAlias = Leaf | Branch


class Colour(Enum):
    RED = "red"


@dataclass(frozen=True)
class Wanted:
    parts: list[str]


def _tree(_input: None, _ctx: None) -> Branch:
    """Give a tree."""
    return Branch("branch", [Leaf("leaf", "é 😀 \u2028"), Branch("branch", [])])


def _union(_input: None, _ctx: None) -> Node:
    return Leaf("leaf", "")


def _words(wanted: Wanted, _ctx: None) -> list[str] | Broken:
    return Broken(wanted.parts) if "bad" in wanted.parts else wanted.parts


def _colour(_input: None, _ctx: None) -> Colour:
    return Colour.RED


def _nothing(_input: None, _ctx: None) -> None: ...


def _raises(_input: None, _ctx: None) -> None:
    raise RuntimeError


def _lies(_input: None, _ctx: None) -> int:
    return "no number"  # type: ignore[return-value]


_RESOLVERS: tuple[Any, ...] = (_tree, _union, _words, _colour, _nothing, _raises, _lies)
_NAMED = {resolver.__name__.removeprefix("_"): resolver for resolver in _RESOLVERS}
_CALLS = (
    *((name, {}) for name in ("tree", "union", "colour", "nothing", "raises", "lies")),
    ("words", {"parts": ["good"]}),
    ("words", {"parts": ["bad"]}),
    ("words", {"parts": [1], "more": None}),
)


@pytest.fixture(scope="module")
def talk() -> Talk:
    how: Any = {"summary": "A tool", "tags": ["t"], "auth": "none", "effect": "read"}
    tools = {
        name: route(mcp=McpTool(title=f"The {name}"), **how)(resolver)
        for name, resolver in _NAMED.items()
    }
    meta = Meta(title="Types", version="1.0.0", mcp_instructions="Call them all.")
    named = spec(routes=tools, meta=meta)
    return Talk(named, page_size=3)


def read(talk: Talk, version: str, method: str, params: dict[str, Any]) -> Any:
    """The result, if it is one of *version*."""
    if version in MODERN_PROTOCOL_VERSIONS:
        result = talk.modern_result(method, params)
    else:
        result = talk.result(method, params, mcp_protocol_version=version)
    return methods.parse_server_result(method, version, result)


def listed(talk: Talk, version: str) -> Iterator[Any]:
    cursor: str | None = None
    while True:
        page = read(talk, version, "tools/list", {} if cursor is None else {"cursor": cursor})
        assert isinstance(page, ListToolsResult)
        yield from page.tools
        cursor = page.next_cursor
        if cursor is None:
            return


def test_the_revisions_are_those_that_the_sdk_knows() -> None:
    assert sorted(KNOWN_PROTOCOL_VERSIONS) == [*REVISIONS]
    assert tuple(MODERN_PROTOCOL_VERSIONS) == (MODERN,)


def test_the_models_do_refuse_something(talk: Talk) -> None:
    result = talk.result("tools/call", {"name": "nothing"}) | {"content": 1}
    with pytest.raises(ValidationError):
        methods.parse_server_result("tools/call", MODERN, result)


@pytest.mark.parametrize("version", REVISIONS)
def test_clients_are_told_who_this_is(talk: Talk, version: str) -> None:
    if REVISIONS[version].handshake:
        info = {"name": "test", "version": "1"}
        client = {"protocolVersion": version, "capabilities": {}, "clientInfo": info}
        answer = read(talk, version, "initialize", client)

        assert isinstance(answer, InitializeResult)
        assert answer.protocol_version == version
        assert answer.server_info.name == "Types"
        assert read(talk, version, "ping", {}).model_dump(exclude_none=True) == {}
    else:
        answer = read(talk, version, "server/discover", {})

        assert isinstance(answer, DiscoverResult)
        assert version in answer.supported_versions
    assert answer.instructions == "Call them all."
    assert answer.capabilities.tools is not None


@pytest.mark.parametrize("version", REVISIONS)
def test_tools_are_tools_of_every_revision(talk: Talk, version: str) -> None:
    tools = [*listed(talk, version)]

    assert [tool.name for tool in tools] == [*_NAMED]
    for tool in tools:
        assert tool.title == f"The {tool.name}"
        assert tool.annotations.read_only_hint
        Draft202012Validator.check_schema(tool.input_schema)
        Draft202012Validator.check_schema(tool.output_schema)


@pytest.mark.parametrize("version", REVISIONS)
@pytest.mark.parametrize(("name", "arguments"), _CALLS)
def test_results_are_results_of_every_revision(
    talk: Talk, version: str, name: str, arguments: dict[str, Any]
) -> None:
    schemas = {tool.name: tool.output_schema for tool in listed(talk, version)}

    result = read(talk, version, "tools/call", {"name": name, "arguments": arguments})

    assert isinstance(result, CallToolResult)
    assert result.content
    if result.is_error:
        assert result.structured_content is None
    else:
        Draft202012Validator(schemas[name]).validate(result.structured_content)
    found = bool(result.is_error)
    assert found is (name in ("raises", "lies") or arguments not in ({}, {"parts": ["good"]}))
