"""
Tools: the routes that an agent may call, and the list of them.

A client cannot call a tool that it does not see: it is told that there is no such tool. A list
depends only on the document, and is rendered once, for both eras.
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

from contract.call.bound import Bound
from contract.declare.spec import AnySpec
from contract.declare.tool import Tool
from contract.declare.typed_route import Entry
from contract.document import ContractRoute, Document
from contract.document.describe import Visibility, describe
from contract.document.model import every_error
from contract.mcp.envelope import INVALID_REQUEST, Problem
from contract.mcp.items import MOST_ITEMS, schema_of_items
from contract.mcp.tool_schemas import PROPERTY_KEY, Types, is_object_schema, keys_of, portable
from contract.shape.exceptions import MountError
from contract.shape.json_text import JsonSchema
from contract.shape.quoting import sent_back
from contract.shape.record import record

__all__ = [
    "LONGEST_DESCRIPTION",
    "Catalogue",
    "ListedTool",
    "Toolset",
    "advertised",
    "check_keys",
    "page",
]

LONGEST_DESCRIPTION: Final = 2_048
"""How many characters of a tool's description clients read; they cut off the rest."""
_LONGEST_KEY: Final = 64
"""How many characters of a query's key are sent back."""


@final
@record(eq=False)
class ListedTool:
    """A tool of one mount."""

    name: str
    bound: Bound
    """The route of the tool."""
    tags: tuple[str, ...]
    input_schema: JsonSchema
    """The schema of its input for clients."""
    wraps: bool
    """Whether its output is not an object, and must be wrapped in one for some revisions."""
    as_wrapped: bytes
    """Its entry in ``tools/list``, for revisions that accept only objects."""
    as_bare: bytes
    """Its entry in ``tools/list``, for revisions that accept any output."""


Toolset = Mapping[str, ListedTool]
"""Tools by name, in the order of the list."""


class Catalogue:
    """
    The tools of one mount.

    Args:
        spec: The spec to serve.
        bound: Name -> route.
        visibility: "all" makes tools of private routes as well.

    Raises:
        MountError: A tool has a key that model APIs refuse.
    """

    def __init__(
        self, spec: AnySpec, bound: Mapping[str, Bound], visibility: Visibility = "public"
    ) -> None:
        tools: dict[str, ListedTool] = {}
        entries: dict[str, Entry] = {}
        for name, entry in spec.entries.items():
            is_shown = visibility == "all" or entry.route.scope == "public"
            if is_shown and entry.tool is not None:
                entries[name] = entry
        if entries:  # most specs have few tools, or none, and describing a route takes time
            document = describe(replace(spec, entries=entries, exports={}), visibility=visibility)
            types = Types(document.defs)
            for name, route in document.routes.items():
                tool = cast("Tool", route.mcp)
                tools[tool.name] = _listed(bound[name], route, tool, document, types)
        self.tools: Final[Toolset] = MappingProxyType(tools)

    def select(self, query: str) -> Toolset | Problem:
        """
        The tools that a client wants to see, or the problem with its query.

        An unknown key is a problem, since a typo must not open every tool. An unknown tool name is
        not a problem, and selects nothing: it may be the name of a private route, whose existence
        is a secret.

        Args:
            query: The query of the URL. ``tools=a,b`` and ``tags=x,y`` restrict the list to these;
                both together select the tools that are in both.
        """
        wanted: dict[str, set[str]] = {}
        for name, value in parse_qsl(query, keep_blank_values=True):
            if name not in ("tools", "tags"):
                return Problem(
                    INVALID_REQUEST,
                    f"The query of the URL has the unknown key {sent_back(name, _LONGEST_KEY)!r}; "
                    "write tools=NAME,NAME or tags=TAG,TAG.",
                )
            wanted.setdefault(name, set()).update(part.strip() for part in value.split(","))
        names, tags = wanted.get("tools"), wanted.get("tags")
        selected: dict[str, ListedTool] = {}
        for name, tool in self.tools.items():
            if names is not None and name not in names:
                continue
            if tags is not None and tags.isdisjoint(tool.tags):
                continue
            selected[name] = tool
        return selected


def page(
    tools: Toolset, cursor: str | None, size: int, *, wraps: bool
) -> tuple[bytes, str | None] | None:
    """
    A page of a list.

    Args:
        tools: The list.
        cursor: The cursor from the previous page.
        size: How many tools are on a page.
        wraps: Whether an output must be an object.

    Returns:
        The tools as a JSON array, and the cursor of the next page; None if *cursor* does not come
        from this list.
    """
    names = [*tools]
    start = 0
    if cursor is not None:
        last = _name_in(cursor)
        if last is None or last not in tools:
            return None
        start = names.index(last) + 1
    shown = names[start : start + size]
    if wraps:
        rendered = [tools[name].as_wrapped for name in shown]
    else:
        rendered = [tools[name].as_bare for name in shown]
    following: str | None = None
    if start + size < len(names):
        following = _cursor_of(shown[-1])
    return b"[%b]" % b",".join(rendered), following


# A cursor names the last tool of its page, not a number: so it is valid in every worker, and after
# a deployment that adds a tool. It is in base64, because a client must not read anything into it
# (2025-11-25, server/utilities/pagination).


def _cursor_of(name: str) -> str:
    return base64.urlsafe_b64encode(name.encode()).decode().rstrip("=")


def _name_in(cursor: str) -> str | None:
    missing = -len(cursor) % 4  # the padding that _cursor_of removes
    try:
        name = base64.urlsafe_b64decode(cursor + "=" * missing).decode()
    except (binascii.Error, ValueError):
        return None
    # b64decode skips characters that are not of its alphabet; a cursor of ours has none
    if _cursor_of(name) != cursor:
        return None
    return name


def advertised(
    route: ContractRoute, tool: Tool, document: Document, *, wraps: bool, types: Types | None = None
) -> dict[str, Any]:
    """
    The entry of *tool* in ``tools/list``.

    Args:
        route: The route of the tool.
        tool: The route as a tool.
        document: The document that contains both.
        wraps: Whether an output must be an object.
        types: The types of *document*, for callers that list many tools.
    """
    if types is None:
        types = Types(document.defs)
    given = route.output
    if route.stream is not None:
        given = schema_of_items(route.output)
    output = portable(given, types)
    if wraps and not is_object_schema(output):
        output = portable(given, types, wrapped=True)
    # the title is there twice: clients of 2025-03-26 know that of the annotations alone
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
    """
    The description of a tool, of at most the length that clients read.

    It contains the summary and the description, the replacement of a deprecated tool, and as many
    of its failures as fit.
    """
    # 1. The texts of the author. A docstring often begins with the summary.
    paragraphs = [route.summary]
    if route.description is not None:
        if route.description.startswith(route.summary.rstrip(".")):
            paragraphs = [route.description]
        else:
            paragraphs.append(route.description)

    # 2. How to use its result, and what to call instead.
    if route.pages:
        paragraphs.append(_GOING_ON)
    if route.stream is not None:
        paragraphs.append(_ONE_BY_ONE)
    if route.deprecated is not None:
        use = route.deprecated.use
        # the replacement is named only if it is a tool, too
        instead = None if use is None else document.routes[use].mcp
        if instead:
            paragraphs.append(f"Deprecated: call {instead.name} instead.")
        else:
            paragraphs.append("Deprecated.")

    # 3. Its failures, each in one line of the last paragraph.
    text = "\n\n".join(paragraphs)
    gap = "\n\n"
    for code, error in every_error(route).items():
        line = f"Fails with {_meaning(code, error.description)}"
        # clients would cut off the end of it, and half a sentence may mean something else
        if len(text) + len(gap) + len(line) > LONGEST_DESCRIPTION:
            break
        text += gap + line
        gap = "\n"
    return text


_GOING_ON: Final = (
    "Gives a page of a list. For the page that follows, call it again with the same `filter`, and "
    "with `next` of this answer as `after`; where `next` is null there are no more."
)


_ONE_BY_ONE: Final = (
    f"Gives a stream: its items together in `items` once it is over, at most {MOST_ITEMS} of them, "
    "and each as a notification of progress before, where that is asked for. Where `complete` is "
    "false it has not come to its end; after a failure, the items before it are there."
)


def _meaning(code: str, description: str) -> str:
    """A failure in one line: its code, and its description if that is short and says more."""
    first = " ".join(description.strip().partition("\n\n")[0].split())
    says_more = first.rstrip(".").replace(" ", "_").upper() != code  # "Not found." of NOT_FOUND
    if says_more and len(first) <= _LONGEST_MEANING:
        return f"{code}: {first}"
    return f"{code}."


_LONGEST_MEANING: Final = 200
"""The most characters of a failure's description here; the documents have all of it."""


def check_keys(route: str, schema: object) -> None:
    """
    Check that the APIs of models take every key of the input *schema* of a tool.

    Raises:
        MountError: They refuse one.
    """
    for key in keys_of(schema):
        if PROPERTY_KEY.fullmatch(key) is None:
            rule = "1 to 64 letters, digits, underscores, hyphens and dots"
            raise MountError(
                route,
                f"the key {key!r} is in the input of an MCP tool, and the APIs of models refuse "
                f"it; take {rule}, or leave out mcp=",
            )


def _listed(
    bound: Bound, route: ContractRoute, tool: Tool, document: Document, types: Types
) -> ListedTool:
    # most outputs are objects, for which both entries are one
    bare = wrapped = advertised(route, tool, document, wraps=False, types=types)
    if not is_object_schema(bare["outputSchema"]):
        wrapped = {**bare, "outputSchema": portable(route.output, types, wrapped=True)}
    check_keys(bound.name, wrapped["inputSchema"])
    return ListedTool(
        name=tool.name,
        bound=bound,
        tags=route.tags,
        input_schema=wrapped["inputSchema"],
        wraps=wrapped is not bare,
        as_wrapped=to_json(wrapped),
        as_bare=to_json(bare),
    )
