"""Tools: what the tools of a spec cost an agent, and what its clients will stumble over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, final

import orjson

from contract.cli.lint import Hint, invisible
from contract.document import Document
from contract.mcp.tool_schemas import Types
from contract.mcp.tools import LONGEST_DESCRIPTION, advertised
from contract.shape.record import record

__all__ = ["Priced", "priced", "tool_hints"]

_BYTES_PER_TOKEN: Final = 4
"""Of JSON in English, with the tokenizers of the common models: from 3.5 to 4.5."""
_LONG_TEXT: Final = LONGEST_DESCRIPTION
"""Of instructions, too."""
_MANY_TOKENS: Final = 2_000
"""Of one tool: what a hundred of them would cost fills the context of most models."""
_MANY_TOOLS: Final = 40
"""From here on clients show a model some of the tools only, or models choose wrongly."""


@final
@record
class Priced:
    """A tool as a client gets to see it."""

    tool: str
    route: str
    tokens: int
    """
    What it costs a model to know of it, roughly: its name, its description and the schema of its
    input, which every client shows it.
    """
    listed_tokens: int
    """
    The same of all that ``tools/list`` says of it: the schema of its output and its annotations,
    too, which few clients show a model.
    """
    listed: dict[str, Any]
    """What ``tools/list`` says of it."""


def priced(document: Document) -> list[Priced]:
    """Every tool of *document*, the dearest first."""
    found: list[Priced] = []
    types = Types(document.defs)
    for name, route in document.routes.items():
        if route.mcp is not None:
            listed = advertised(route, route.mcp, document, wraps=True, types=types)
            shown = {key: listed[key] for key in _SHOWN}
            found.append(Priced(route.mcp.name, name, _tokens(shown), _tokens(listed), listed))
    return sorted(found, key=lambda each: (-each.tokens, each.tool))


_SHOWN: Final = ("name", "description", "inputSchema")
"""What the APIs of models take of a tool."""


def _tokens(value: dict[str, Any]) -> int:
    return -(-len(orjson.dumps(value)) // _BYTES_PER_TOKEN)


def tool_hints(tools: Sequence[Priced], instructions: str | None) -> Iterator[Hint]:
    """What clients cut off, or refuse, and what wears models out."""
    for each in tools:
        path = f"routes.{each.route}"
        length = len(each.listed["description"])
        if length > _LONG_TEXT:
            text = f"the description has {length} characters, and clients cut it off after {_LONG_TEXT}; put what matters first, or say less"
            yield Hint("tool_description_long", path, text)
        if each.tokens > _MANY_TOKENS:
            text = f"the tool costs every conversation about {each.tokens} tokens; take smaller types, or fewer descriptions in them"
            yield Hint("tool_expensive", path, text)
        if "$defs" in each.listed["inputSchema"]:
            text = (
                "the input holds itself, or has thousands of parts, which needs a $ref, and some clients refuse that;"
                " take a list of parts that name their parents, or smaller types"
            )
            yield Hint("tool_recursive", path, text)
    if len(tools) > _MANY_TOOLS:
        text = f"there are {len(tools)} tools, and models choose well among {_MANY_TOOLS} at most; let clients ask for some: /mcp?tags=..."
        yield Hint("many_tools", "routes", text)
    yield from invisible("meta.mcp_instructions", instructions)
    if instructions is not None and len(instructions) > _LONG_TEXT:
        text = f"mcp_instructions has {len(instructions)} characters, and clients cut it off after {_LONG_TEXT}; put what matters first"
        yield Hint("instructions_long", "meta", text)
