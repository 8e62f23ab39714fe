"""
Tools: the routes that an agent may call, and the list of them.

A tool that is not listed to somebody cannot be called by them either: who asks for it hears that
there is none. Everything that is said of a tool is a function of the document; the list is rendered
once, for both eras.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final, cast, final
from urllib.parse import parse_qsl

from pydantic_core import to_json

from contract.call.dispatch import Bound
from contract.declare.spec import AnySpec
from contract.declare.tool import Tool
from contract.document import ContractRoute, Document
from contract.document.describe import Visibility, describe
from contract.mcp.envelope import INVALID_REQUEST, Problem
from contract.mcp.tool_schemas import PROPERTY_KEY, Types, is_object_schema, keys_of, portable
from contract.shape.exceptions import MountError
from contract.shape.json_text import JsonSchema
from contract.shape.quoting import sent_back
from contract.shape.record import record

__all__ = ["LONGEST_DESCRIPTION", "Catalogue", "ListedTool", "Toolset", "advertised", "page"]

LONGEST_DESCRIPTION: Final = 2_048
"""Characters after which clients cut the description of a tool off."""
_LONGEST_KEY: Final = 64
"""Characters of a key of a query that are sent back."""


@final
@record(eq=False)
class ListedTool:
    """A tool of one mount."""

    name: str
    bound: Bound
    """The route that it is."""
    tags: tuple[str, ...]
    input_schema: JsonSchema
    """As it is advertised."""
    wraps: bool
    """Its output is no object, so it is wrapped in one where only objects will do."""
    as_wrapped: bytes
    """What ``tools/list`` says of it, where only objects will do."""
    as_bare: bytes
    """The same, where any output will."""


Toolset = Mapping[str, ListedTool]
"""Tools by their names, in the order in which they are listed."""


class Catalogue:
    """
    The tools of one mount.

    Args:
        spec: What is served.
        bound: Its routes by name.
        visibility: "all" makes tools of private routes as well.

    Raises:
        MountError: A tool has a key that the APIs of models refuse.
    """

    def __init__(
        self, spec: AnySpec, bound: Mapping[str, Bound], visibility: Visibility = "public"
    ) -> None:
        tools: dict[str, ListedTool] = {}
        entries = {
            name: entry
            for name, entry in spec.entries.items()
            if entry.tool is not None and (visibility == "all" or entry.route.scope == "public")
        }
        if (
            entries
        ):  # what costs something is said of tools alone: most specs have few of them, or none
            document = describe(replace(spec, entries=entries, exports={}), visibility=visibility)
            types = Types(document.defs)
            for name, route in document.routes.items():
                tool = cast("Tool", route.mcp)
                tools[tool.name] = _listed(bound[name], route, tool, document, types)
        self.tools: Final[Toolset] = MappingProxyType(tools)

    def select(self, query: str) -> Toolset | Problem:
        """
        The tools that a client wants to see.

        Args:
            query: Of the URL: ``tools=a,b`` and ``tags=x,y`` narrow the list down to these, both
                together to what is in both.

        Returns:
            The tools; or what is wrong with the query, where it says something else: a slip of the
            pen must not open every tool. Names of
            no tool are no problem, and give nothing: whoever has that name as the name of a private
                route may not be told.
        """
        wanted: dict[str, set[str]] = {}
        for name, value in parse_qsl(query, keep_blank_values=True):
            if name not in ("tools", "tags"):
                known = "write tools=NAME,NAME or tags=TAG,TAG"
                return Problem(
                    INVALID_REQUEST,
                    f"The query of the URL has the unknown key {sent_back(name, _LONGEST_KEY)!r}; {known}.",
                )
            wanted.setdefault(name, set()).update(part.strip() for part in value.split(","))
        names, tags = wanted.get("tools"), wanted.get("tags")
        return {
            name: tool
            for name, tool in self.tools.items()
            if (names is None or name in names) and (tags is None or not tags.isdisjoint(tool.tags))
        }


def page(
    tools: Toolset, cursor: str | None, size: int, *, wraps: bool
) -> tuple[bytes, str | None] | None:
    """
    A page of a list.

    Args:
        tools: The list.
        cursor: What the page before gave.
        size: Tools on a page.
        wraps: Only objects will do as output.

    Returns:
        The tools as a JSON array, and the cursor of the next page; None where *cursor* is none of
        this list.
    """
    names = [*tools]
    start = 0
    if cursor is not None:
        last = _name_in(cursor)
        if last is None or last not in tools:
            return None
        start = names.index(last) + 1
    shown = names[start : start + size]
    rendered = [tools[name].as_wrapped if wraps else tools[name].as_bare for name in shown]
    following = _cursor_of(shown[-1]) if start + size < len(names) else None
    return b"[%b]" % b",".join(rendered), following


# A cursor names the last tool that was seen, so that it holds in every worker, and over a
# deployment that adds a tool.


def _cursor_of(name: str) -> str:
    return base64.urlsafe_b64encode(name.encode()).decode().rstrip("=")


def _name_in(cursor: str) -> str | None:
    try:
        name = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
    except (binascii.Error, ValueError):
        return None
    return name if _cursor_of(name) == cursor else None


def advertised(
    route: ContractRoute, tool: Tool, document: Document, *, wraps: bool, types: Types | None = None
) -> dict[str, Any]:
    """
    What ``tools/list`` says of *tool*.

    Args:
        route: The route that it is.
        tool: The route as a tool.
        document: What both are of.
        wraps: Only objects will do as output.
        types: Those of *document*, for whoever asks of many tools.
    """
    types = Types(document.defs) if types is None else types
    output = portable(route.output, types)
    if wraps and not is_object_schema(output):
        output = portable(route.output, types, wrapped=True)
    return {
        "name": tool.name,
        "title": tool.title,
        "description": _description(route, document),
        "inputSchema": portable(route.input, types),
        "outputSchema": output,
        "annotations": {
            "title": tool.title,
            "readOnlyHint": tool.read_only,
            "destructiveHint": tool.destructive,
            "idempotentHint": tool.idempotent,
            "openWorldHint": tool.open_world,
        },
    }


def _description(route: ContractRoute, document: Document) -> str:
    """Summary and description, what to call instead of a tool that is going away, and its failures, as far as clients read."""
    said = [route.summary]
    if route.description is not None:
        said = (
            [route.description]
            if route.description.startswith(route.summary.rstrip("."))
            else [route.summary, route.description]
        )
    if route.deprecated is not None:
        instead = (
            None if route.deprecated.use is None else document.routes[route.deprecated.use].mcp
        )
        said.append(
            "Deprecated." if instead is None else f"Deprecated: call {instead.name} instead."
        )
    text = "\n\n".join(said)
    gap = "\n\n"
    for code, error in route.errors.items():
        line = f"Fails with {_meaning(code, error.description)}"
        if len(text) + len(gap) + len(line) > LONGEST_DESCRIPTION:
            break
        text, gap = f"{text}{gap}{line}", "\n"
    return text


def _meaning(code: str, description: str) -> str:
    """A failure in one line: its code, and the first paragraph of its description, where that says more than the code."""
    first = " ".join(description.strip().partition("\n\n")[0].split())
    told = first.rstrip(".").replace(" ", "_").upper() != code
    return f"{code}: {first}" if told and len(first) <= _LONGEST_MEANING else f"{code}."


_LONGEST_MEANING: Final = 200
"""Characters of what is said of a failure: its own description is in the documents."""


def _listed(
    bound: Bound, route: ContractRoute, tool: Tool, document: Document, types: Types
) -> ListedTool:
    bare = wrapped = advertised(route, tool, document, wraps=False, types=types)
    if not is_object_schema(bare["outputSchema"]):
        wrapped = {**bare, "outputSchema": portable(route.output, types, wrapped=True)}
    for key in keys_of(wrapped["inputSchema"]):
        if PROPERTY_KEY.fullmatch(key) is None:
            rule = "1 to 64 letters, digits, underscores, hyphens and dots"
            problem = f"the key {key!r} is in the input of an MCP tool, and the APIs of models refuse it; take {rule}, or leave out mcp="
            raise MountError(bound.name, problem)
    return ListedTool(
        name=tool.name,
        bound=bound,
        tags=route.tags,
        input_schema=wrapped["inputSchema"],
        wraps=wrapped is not bare,
        as_wrapped=to_json(wrapped),
        as_bare=to_json(bare),
    )
