"""
Tools: a route as MCP clients see it.

A tool needs nothing more than the route's texts for people and HTTP clients. ``McpTool`` overrides
what does not suit agents.
"""

from __future__ import annotations

from typing import final

from contract.declare.route_options import HINTS, TOOL_NAME, Effect, McpTool
from contract.shape.exceptions import RouteDeclarationError
from contract.shape.nodes import MapShape, RecordShape, Refined, RefShape, Shape
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
    The MCP tool of the route called *name*.

    Raises:
        RouteDeclarationError: The RPC name cannot be a tool's name.
    """
    # the protocol allows a dot, but half of its clients refuse it
    tool_name = mcp.name or name.replace(".", "_")
    if TOOL_NAME.fullmatch(tool_name) is None:
        problem = f"{tool_name!r} has more than 64 characters, too many for the name of an MCP tool"
        raise RouteDeclarationError(name, f"{problem}; give another: mcp=McpTool(name=...)")
    # a hint of the tool that contradicts the effect was refused with the options of the route
    hints = {hint: bool(said or getattr(mcp, hint)) for hint, said in HINTS[effect].items()}
    return Tool(name=tool_name, title=mcp.title or summary, open_world=mcp.open_world, **hints)


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
