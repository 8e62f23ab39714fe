"""Lint: hints about what a document leaves unsaid, and about what its tools cost an agent."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Final, cast, final

import orjson

from contract.document import Document
from contract.document.writer import dump_contract
from contract.mcp.tool_schemas import Types
from contract.mcp.tools import LONGEST_DESCRIPTION, advertised
from contract.shape.record import record

__all__ = ["Hint", "Priced", "hints", "priced", "tool_hints"]


@final
@dataclass(frozen=True, slots=True)
class Hint:
    """
    Something that could be better, and fails nothing.

    Attributes:
        kind: A stable code.
        path: Where in the document.
        text: What, and what to do.
    """

    kind: str
    path: str
    text: str


def hints(document: Document) -> Iterator[Hint]:
    """Hints about what each route leaves unsaid, and about characters that nobody sees."""
    yield from _gaps(document)
    yield from _invisible("", orjson.loads(dump_contract(document)))


def _gaps(document: Document) -> Iterator[Hint]:
    owners: dict[str, str] = {}
    for name, route in sorted(document.routes.items()):
        path = f"routes.{name}"
        tool = route.mcp
        if not route.description:
            mend = "the resolver's docstring would be one"
            if tool is None:
                text = f"there is no description; {mend}"
                yield Hint("route_without_description", path, text)
            else:
                problem = "agents know the tool by its summary alone"
                text = f"there is no description, so {problem}; {mend}"
                yield Hint("tool_without_description", path, text)
        if not route.tags:
            text = "there are no tags, so the route stands apart from all others in the explorer"
            yield Hint("route_without_tags", path, text)
        if tool is not None:
            if tool.name in owners:
                text = f"{tool.name} is the tool of {owners[tool.name]}, too"
                yield Hint("tool_name_taken", f"{path}.mcp.name", text)
            owners.setdefault(tool.name, name)


# Models read characters that people do not see in a review: tags spell out instructions, and bidi
# controls show text in another order than it is read in. They are shown and not refused, since some
# languages need one now and then.

_UNSEEN: Final = (
    r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # controls, but for tabs and ends of lines
    # those that Unicode calls ignorable by default: joiners, bidi controls, fillers, selectors of
    # variants, tags
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    r"\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    r"\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_INVISIBLE: Final = re.compile(f"[{_UNSEEN}]")
_NEEDED: Final = re.compile(
    rf"(?<=[^{_UNSEEN}])\ufe0f(?![{_UNSEEN}])"  # as an emoji
    # one joiner, in an emoji or in a word
    rf"|(?<=[^\x00-\x7f{_UNSEEN}])\ufe0f?[\u200c\u200d](?=[^\x00-\x7f{_UNSEEN}])"
)
_SHOWN: Final = 3
"""Characters that are named in one hint."""


def _invisible(path: str, value: Any) -> Iterator[Hint]:
    """
    The characters in the JSON *value* that nobody sees, text by text.

    Args:
        path: Of the value.
        value: Any, keys of objects included.
    """
    if isinstance(value, str):
        found = dict.fromkeys(_INVISIBLE.findall(_NEEDED.sub("", value)))  # each once, in order
        if found:
            named = ", ".join(map(_named, [*found][:_SHOWN]))
            more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
            text = (
                f"there are characters that nobody sees, and models read: {named}{more}; "
                "take them out"
            )
            yield Hint("invisible_characters", path, text)
    elif isinstance(value, list):
        for index, item in enumerate(cast("list[object]", value)):
            yield from _invisible(f"{path}[{index}]", item)
    elif isinstance(value, dict):
        for key, item in cast("dict[str, Any]", value).items():
            inner = f"{path}.{key}" if path else key
            yield from _invisible(inner, key)
            yield from _invisible(inner, item)


def _named(character: str) -> str:
    return f"U+{ord(character):04X} {unicodedata.name(character, '')}".strip()


# Tools: what they cost an agent, and what its clients will stumble over.

_BYTES_PER_TOKEN: Final = 4
"""Bytes of JSON in English for a token: 3.5 to 4.5 with the tokenizers of the common models."""
_LONG_TEXT: Final = LONGEST_DESCRIPTION
"""Characters of a description, or of instructions, after which clients cut it off."""
_MANY_TOKENS: Final = 2_000
"""Tokens above which a tool is called expensive: a hundred such tools fill most contexts."""
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
    The tokens that it costs a model to know the tool, roughly.

    They are those of its name, its description and the schema of its input, which every client
    shows a model.
    """
    listed_tokens: int
    """
    The tokens of all that ``tools/list`` says of it.

    It says the schema of the output and annotations, too, which few clients show a model.
    """
    listed: dict[str, Any]
    """The tool, as ``tools/list`` says it."""


def priced(document: Document) -> list[Priced]:
    """Every tool of *document*, the dearest first."""
    found: list[Priced] = []
    types = Types(document.defs)
    for name, route in document.routes.items():
        if route.mcp is not None:
            listed = advertised(route, route.mcp, document, wraps=True, types=types)
            shown = {key: listed[key] for key in _SEEN_BY_MODELS}
            found.append(Priced(route.mcp.name, name, _tokens(shown), _tokens(listed), listed))
    return sorted(found, key=lambda each: (-each.tokens, each.tool))


_SEEN_BY_MODELS: Final = ("name", "description", "inputSchema")
"""The keys of a tool that the APIs of models take."""


def _tokens(value: dict[str, Any]) -> int:
    return ceil(len(orjson.dumps(value)) / _BYTES_PER_TOKEN)


def tool_hints(tools: Sequence[Priced], instructions: str | None) -> Iterator[Hint]:
    """Hints about what clients cut off or refuse, and about what wears models out."""
    for each in tools:
        path = f"routes.{each.route}"
        length = len(each.listed["description"])
        if length > _LONG_TEXT:
            text = (
                f"the description has {length} characters, and clients cut it off "
                f"after {_LONG_TEXT}; put what matters first, or say less"
            )
            yield Hint("tool_description_long", path, text)
        if each.tokens > _MANY_TOKENS:
            text = (
                f"the tool costs every conversation about {each.tokens} tokens; "
                "take smaller types, or fewer descriptions in them"
            )
            yield Hint("tool_expensive", path, text)
        if "$defs" in each.listed["inputSchema"]:
            text = (
                "the input holds itself, or has thousands of parts, which needs a $ref, "
                "and some clients refuse that; "
                "take a list of parts that name their parents, or smaller types"
            )
            yield Hint("tool_recursive", path, text)
    if len(tools) > _MANY_TOOLS:
        text = (
            f"there are {len(tools)} tools, and models choose well among {_MANY_TOOLS} at most; "
            "let clients ask for some: /mcp?tags=..."
        )
        yield Hint("many_tools", "routes", text)
    yield from _invisible("meta.mcp_instructions", instructions)
    if instructions is not None and len(instructions) > _LONG_TEXT:
        text = (
            f"mcp_instructions has {len(instructions)} characters, "
            f"and clients cut it off after {_LONG_TEXT}; put what matters first"
        )
        yield Hint("instructions_long", "meta", text)
