"""Lint: what a document leaves unsaid, to people and to agents."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, cast, final

import orjson

from contract.document import Document
from contract.document.writer import dump_contract

__all__ = ["Hint", "hints", "invisible"]


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
    """What could be said better, route by route, and what nobody sees in it."""
    yield from _gaps(document)
    yield from invisible("", orjson.loads(dump_contract(document)))


def _gaps(document: Document) -> Iterator[Hint]:
    owners: dict[str, str] = {}
    for name, route in sorted(document.routes.items()):
        path = f"routes.{name}"
        tool = route.mcp
        if not route.description:
            if tool is None:
                yield Hint(
                    "route_without_description",
                    path,
                    "there is no description; the resolver's docstring would be one",
                )
            else:
                text = "there is no description, so agents know the tool by its summary alone; the resolver's docstring would be one"
                yield Hint("tool_without_description", path, text)
        if not route.tags:
            yield Hint(
                "route_without_tags",
                path,
                "there are no tags, so the route stands apart from all others in the explorer",
            )
        if tool is not None:
            if tool.name in owners:
                yield Hint(
                    "tool_name_taken",
                    f"{path}.mcp.name",
                    f"{tool.name} is the tool of {owners[tool.name]}, too",
                )
            owners.setdefault(tool.name, name)


# Models read characters that people do not see in a review: tags spell out instructions, and bidi
# controls show text in another order than it is read in. They are shown and not refused, since some
# languages need one now and then.

_UNSEEN: Final = (
    r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # controls, but for tabs and ends of lines
    # those that Unicode calls ignorable by default: joiners, bidi controls, fillers, selectors of
    # variants, tags
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
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


def invisible(path: str, value: Any) -> Iterator[Hint]:
    """
    The characters in the JSON *value* that nobody sees, text by text.

    Args:
        path: Of the value.
        value: Any, keys of objects included.
    """
    if isinstance(value, str):
        found = dict.fromkeys(_INVISIBLE.findall(_NEEDED.sub("", value)))
        if found:
            named = ", ".join(map(_named, [*found][:_SHOWN]))
            more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
            text = f"there are characters that nobody sees, and models read: {named}{more}; take them out"
            yield Hint("invisible_characters", path, text)
    elif isinstance(value, list):
        for index, item in enumerate(cast("list[object]", value)):
            yield from invisible(f"{path}[{index}]", item)
    elif isinstance(value, dict):
        for key, item in cast("dict[str, Any]", value).items():
            inner = f"{path}.{key}" if path else key
            yield from invisible(inner, key)
            yield from invisible(inner, item)


def _named(character: str) -> str:
    return f"U+{ord(character):04X} {unicodedata.name(character, '')}".strip()
