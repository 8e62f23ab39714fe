"""Tools: a route as MCP clients see it."""

from __future__ import annotations

from typing import Any

import pytest

from contract.declare.route_options import Effect, McpTool
from contract.declare.tool import Tool, is_object, tool_of
from contract.shape.exceptions import RouteDeclarationError
from contract.shape.nodes import (
    ArrayShape,
    Definition,
    IntShape,
    MapShape,
    NullableShape,
    RecordShape,
    Refined,
    RefShape,
    Shape,
    StrShape,
)

RECORD = RecordShape("dataclass", object, ())


def test_a_tool_is_called_like_its_route() -> None:
    assert tool_of("ping", "Ping", "read", McpTool()) == Tool(
        "ping", "Ping", True, False, True, False
    )
    assert tool_of("users.by-id.get", "Get", "read", McpTool()).name == "users_by-id_get"


def test_a_tool_may_be_called_otherwise() -> None:
    tool = tool_of(
        "a" * 100, "Ping", "write", McpTool(name="ping-1", title="Ping it", open_world=True)
    )

    assert (tool.name, tool.title, tool.open_world) == ("ping-1", "Ping it", True)


def test_a_name_of_64_characters_is_the_longest() -> None:
    assert tool_of("a" * 64, "x", "write", McpTool()).name == "a" * 64
    with pytest.raises(
        RouteDeclarationError,
        match=r"^a{65}: 'a{65}' has more than 64 characters, .*McpTool\(name=...\)$",
    ):
        tool_of("a" * 65, "x", "write", McpTool())


@pytest.mark.parametrize(
    ("effect", "given", "hints"),
    [
        ("read", {}, (True, False, True)),
        ("idempotent", {}, (False, False, True)),
        ("write", {}, (False, False, False)),
        ("destructive", {}, (False, True, False)),
        ("idempotent", {"destructive": True}, (False, True, True)),
        ("destructive", {"idempotent": True}, (False, True, True)),
        ("write", {"destructive": False}, (False, False, False)),
    ],
)
def test_the_hints_follow_the_effect_and_what_was_said_of_the_tool(
    effect: Effect, given: dict[str, Any], hints: tuple[bool, bool, bool]
) -> None:
    tool = tool_of("ping", "Ping", effect, McpTool(**given))

    assert (tool.read_only, tool.destructive, tool.idempotent) == hints


def defined(shape: Shape) -> RefShape:
    definition = Definition((), "T", __name__)
    definition.close(shape)
    return RefShape(definition)


@pytest.mark.parametrize(
    "shape",
    [
        None,
        MapShape(StrShape(), IntShape()),
        defined(RECORD),
        defined(MapShape(StrShape(), IntShape())),
    ],
)
def test_records_and_maps_are_objects_and_so_is_nothing(shape: Shape | None) -> None:
    assert is_object(shape)
    assert shape is None or is_object(Refined(shape, (bool,)))


@pytest.mark.parametrize(
    "shape",
    [
        IntShape(),
        ArrayShape(defined(RECORD)),
        NullableShape(defined(RECORD)),
        defined(ArrayShape(IntShape())),
    ],
)
def test_other_shapes_are_none(shape: Shape) -> None:
    assert not is_object(shape)
