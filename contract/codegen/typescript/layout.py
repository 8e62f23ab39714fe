"""
Layout: values, names and types as text, on one line if they fit, and else one part per line.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from typing import Any, Final, assert_never, final

from contract.codegen.texts import visible
from contract.shape.json_text import is_array, is_object
from contract.shape.nodes import Listed
from contract.shape.record import record

__all__ = [
    "MAX_SAFE",
    "WIDTH",
    "Group",
    "Node",
    "array",
    "call",
    "entry",
    "is_safe",
    "key_of",
    "laid_out",
    "literal",
    "members",
    "number",
    "one_of",
    "quoted",
    "typed",
    "value_of",
]

WIDTH: Final = 120
"""The most characters of a line that can be broken."""

_INDENT: Final = "  "


@final
@record
class Group:
    """Parts between an opening and a closing text."""

    opening: str
    parts: tuple[Node, ...]
    closing: str
    space: str = ""
    """Written inside both ends, if everything is on one line."""
    separator: str = ","
    trailing: bool = True
    """Whether the last part, too, is followed by a separator, if each has its own line."""
    head: str = ""
    """Written before each part, if each has its own line; then there are no separators."""


@final
@record
class Entry:
    """A part with a text before it."""

    before: str
    part: Node


Node = str | Group | Entry
"""Anything that can be laid out."""


def call(name: str, *arguments: Node) -> Node:
    """A call of *name*."""
    return Group(f"{name}(", arguments, ")")


def array(items: Iterable[Node]) -> Node:
    """An array."""
    return Group("[", (*items,), "]")


def members(parts: Iterable[Node]) -> Node:
    """An object."""
    found = (*parts,)
    if not found:
        return "{}"
    return Group("{", found, "}", " ")


def entry(key: str, part: Node) -> Node:
    """A member of an object."""
    return Entry(f"{key}: ", part)


def one_of(parts: Iterable[str]) -> Node:
    """A union of types, of which there is at least one."""
    first, *others = parts
    if not others:
        return first
    return Group("", (first, *others), "", separator=" |", head="| ")


# A node is written on one line if it fits there. If not, its outermost group is broken, one part
# per line, and each part is laid out in the same way.


def laid_out(node: Node, *, indent: int = 0, taken: int = 0, after: int = 1) -> str:
    """
    The text of *node*.

    Args:
        node: What to lay out.
        indent: The depth of the line in which it begins.
        taken: The number of characters in this line before it, besides the indent.
        after: The number of characters after it.
    """
    flat = _flat(node)
    if len(_INDENT) * indent + taken + len(flat) + after <= WIDTH:
        return flat
    match node:
        case Entry(before, part):
            return before + laid_out(part, indent=indent, taken=taken + len(before), after=after)
        case Group(opening, parts, closing, _, separator, trailing, head) if parts:
            # 1. A group that is the only part of another hugs its brackets: f({ and not f(\n  {.
            only = parts[0]
            if not head and len(parts) == 1 and isinstance(only, Group) and not only.head:
                taken, after = taken + len(opening), after + len(closing)
                return opening + laid_out(only, indent=indent, taken=taken, after=after) + closing
            # 2. All others have one part per line.
            if head:
                separator = ""
            line = f"\n{_INDENT * (indent + 1)}"
            each_on_its_own = [
                head + laid_out(part, indent=indent + 1, taken=len(head)) for part in parts
            ]
            text = opening + line + f"{separator}{line}".join(each_on_its_own)
            if trailing:
                text += separator
            # 3. A union has no closing bracket that would need a line.
            if closing:
                text += f"\n{_INDENT * indent}{closing}"
            return text
        case _:
            return flat


def typed(before: str, type_: Node, *, indent: int = 0) -> str:
    """A line that gives a name a type, such as ``type Name =``, with the type in its own lines."""
    text = laid_out(type_, indent=indent, taken=len(before) + 1)
    # a union that is broken begins on the next line
    if not text.startswith("\n"):
        text = f" {text}"
    return f"{_INDENT * indent}{before}{text};"


def _flat(node: Node) -> str:
    match node:
        case str():
            return node
        case Entry(before, part):
            return before + _flat(part)
        case Group(opening, parts, closing, space, separator):
            return opening + space + f"{separator} ".join(map(_flat, parts)) + space + closing
        case _:
            assert_never(node)


MAX_SAFE: Final = 2**53 - 1
"""The largest integer whose double represents no other integer."""

_PLAIN_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ENDS: Final = (("*/", "*\\/"), ("${", "\\${"), ("</", "<\\/"), ("<!--", "<\\!--"))
"""
Texts that could end the code around them, each with a safe spelling.

Both spellings mean the same text everywhere.
"""


def quoted(text: str) -> str:
    """*text* between quotes, with all misleading characters escaped."""
    # a string of JSON is one of JavaScript, too (since ECMAScript 2019)
    plain = json.dumps(text, ensure_ascii=False)
    if not (plain.isascii() and plain.isprintable()):
        plain = "".join(map(_shown, plain))
    for end, instead in _ENDS:
        plain = plain.replace(end, instead)
    return plain


def literal(value: Listed) -> str:
    """*value* of a Literal or an enum."""
    if isinstance(value, str):
        return quoted(value)
    # in lower case for the sake of True and False; integers have no letters
    return str(value).lower()


def key_of(text: str) -> str:
    """*text* as the name of a member; it always makes an ordinary member of an object."""
    # { "__proto__": x } sets the prototype of an object; a computed key does not (ECMA-262, section
    # B.3.1)
    if text == "__proto__":
        return '["__proto__"]'
    if _PLAIN_KEY.fullmatch(text):
        return text
    return quoted(text)


def is_safe(value: object) -> bool:
    """
    Whether a JavaScript number can represent *value* exactly; true for all that is not an integer.
    """
    return not isinstance(value, int) or abs(value) <= MAX_SAFE


def number(value: float) -> str:
    """A number."""
    # formatters write 1e21, and not 1e+21
    return json.dumps(value).replace("e+", "e")


def value_of(value: Any) -> Node:
    """A JSON value."""
    if isinstance(value, str):
        return quoted(value)
    if is_object(value):
        return members(entry(key_of(key), value_of(member)) for key, member in value.items())
    if is_array(value):
        return array(map(value_of, value))
    return json.dumps(value)


def _shown(char: str) -> str:
    """A *char* of a string of JSON as it may stand in code."""
    # JSON escapes all other controls in ASCII
    if char == "\x7f":
        return "\\u007f"
    # a mark (category M) changes how the character before it looks, which may be the quote
    if char.isascii() or (visible(char) == char and unicodedata.category(char)[0] != "M"):
        return char
    code = ord(char)
    if code < 0x10000:
        return f"\\u{code:04x}"
    return f"\\u{{{code:x}}}"
