"""Tools: a route as MCP clients see it."""

from typing import Any

import pytest

from contract.declare.route_options import Effect, McpTool
from contract.declare.tool import Tool, is_object, tool_of
from contract.shape import nodes
from contract.shape.exceptions import RouteDeclarationError
from tests.tables import rows

RECORD = nodes.RecordShape("dataclass", object, ())
MAP = nodes.MapShape(nodes.StrShape(), nodes.IntShape())


def test_a_tool_is_called_like_its_route() -> None:
    made = Tool("ping", "Ping", True, False, True, False)
    assert tool_of("ping", "Ping", "read", McpTool()) == made
    assert tool_of("users.by-id.get", "Get", "read", McpTool()).name == "users_by-id_get"


def test_a_tool_may_be_called_otherwise() -> None:
    given = McpTool(name="ping-1", title="Ping it", open_world=True)
    tool = tool_of("a" * 100, "Ping", "write", given)

    assert (tool.name, tool.title, tool.open_world) == ("ping-1", "Ping it", True)


def test_a_name_of_64_characters_is_the_longest() -> None:
    assert tool_of("a" * 64, "x", "write", McpTool()).name == "a" * 64
    problem = r"^a{65}: 'a{65}' has more than 64 characters, .*McpTool\(name=...\)$"
    with pytest.raises(RouteDeclarationError, match=problem):
        tool_of("a" * 65, "x", "write", McpTool())


@rows(
    "effect, given, hints",
    ("read", {}, (True, False, True)),
    ("idempotent", {}, (False, False, True)),
    ("write", {}, (False, False, False)),
    ("destructive", {}, (False, True, False)),
    ("idempotent", {"destructive": True}, (False, True, True)),
    ("destructive", {"idempotent": True}, (False, True, True)),
    ("write", {"destructive": False}, (False, False, False)),
)
def test_the_hints_follow_the_effect_and_what_was_said_of_the_tool(
    effect: Effect, given: dict[str, Any], hints: tuple[bool, bool, bool]
) -> None:
    tool = tool_of("ping", "Ping", effect, McpTool(**given))

    assert (tool.read_only, tool.destructive, tool.idempotent) == hints


def defined(shape: nodes.Shape) -> nodes.RefShape:
    definition = nodes.Definition((), "T", __name__)
    definition.close(shape)
    return nodes.RefShape(definition)


@rows("shape", None, MAP, defined(RECORD), defined(MAP))
def test_records_and_maps_are_objects_and_so_is_nothing(shape: nodes.Shape | None) -> None:
    assert is_object(shape)
    assert shape is None or is_object(nodes.Refined(shape, (bool,)))


@rows(
    "shape",
    nodes.IntShape(),
    nodes.ArrayShape(defined(RECORD)),
    nodes.NullableShape(defined(RECORD)),
    defined(nodes.ArrayShape(nodes.IntShape())),
)
def test_other_shapes_are_none(shape: nodes.Shape) -> None:
    assert not is_object(shape)
