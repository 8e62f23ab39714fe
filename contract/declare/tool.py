"""
Tools: a route as MCP clients see it.

A tool needs nothing more than the route's texts for people and HTTP clients. ``McpTool`` overrides
what does not suit agents.
"""

from __future__ import annotations

from typing import final

from contract.declare.route_options import HINTS, TOOL_NAME, Effect, McpTool
from contract.shape import MapShape, RecordShape, Refined, RefShape, Shape
from contract.shape.exceptions import RouteDeclarationError
from contract.shape.record import record

__all__ = ["Tool", "is_object", "tool_of"]


@final
@record
class Tool:
    """A route as an MCP tool."""

    name: str
    title: str
    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool


def tool_of(name: str, summary: str, effect: Effect, mcp: McpTool) -> Tool:
    """
    The MCP tool of a route.

    Args:
        name: The RPC name.
        summary: The route's summary.
        effect: What a call changes.
        mcp: The options of the tool.

    Raises:
        RouteDeclarationError: The RPC name cannot be a tool's name.
    """
    # the protocol allows a dot, but half of its clients refuse it
    called = mcp.name or name.replace(".", "_")
    if TOOL_NAME.fullmatch(called) is None:
        problem = f"{called!r} has more than 64 characters, too many for the name of an MCP tool"
        raise RouteDeclarationError(name, f"{problem}; give another: mcp=McpTool(name=...)")
    said = HINTS[effect]
    return Tool(
        name=called,
        title=mcp.title or summary,
        read_only=_hint(mcp.read_only, said["read_only"]),
        destructive=_hint(mcp.destructive, said["destructive"]),
        idempotent=_hint(mcp.idempotent, said["idempotent"]),
        open_world=mcp.open_world,
    )


def is_object(shape: Shape | None) -> bool:
    """
    Whether an input of *shape* can be the arguments of a tool.

    None means a route without input.

    A union of records is an object, too, but its schema needs a composition at its root, which
    clients refuse.
    """
    match shape:
        case None | RecordShape() | MapShape():
            return True
        case RefShape(definition):
            return is_object(definition.shape)
        case Refined(inner):
            return is_object(inner)
        case _:
            return False


# the first of the two that is known
def _hint(overridden: bool | None, said: bool | None) -> bool:  # noqa: FBT001
    return bool(said if overridden is None else overridden)
