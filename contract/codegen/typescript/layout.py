"""
Layout: expressions and types as text, on one line where they fit, and else one part on a line.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, assert_never, final

from contract.shape.record import record

__all__ = ["WIDTH", "Group", "Node", "array", "call", "entry", "laid_out", "members", "one_of"]

WIDTH: Final = 120
"""Characters of a line, where it can be broken."""

_INDENT: Final = "  "


@final
@record
class Group:
    """Parts between two ends."""

    opening: str
    parts: tuple[Node, ...]
    closing: str
    space: str = ""
    """Inside of both ends, where all stands on one line."""
    separator: str = ","
    trailing: bool = True
    """Whether there is a separator behind the last part, too, where each has a line of its own."""
    head: str = ""
    """Before each part, where each has a line of its own; then there are no separators."""


@final
@record
class Entry:
    """A part with something before it."""

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
    return Group("{", found, "}", " ") if found else "{}"


def entry(key: str, part: Node) -> Node:
    """A member of an object."""
    return Entry(f"{key}: ", part)


def one_of(parts: Iterable[str]) -> Node:
    """A union of types, of which there is at least one."""
    first, *others = parts
    return Group("", (first, *others), "", separator=" |", head="| ") if others else first


def laid_out(node: Node, *, indent: int = 0, taken: int = 0, after: int = 1) -> str:
    """
    The text of *node*.

    Args:
        node: What to lay out.
        indent: How deep the line is in which it begins.
        taken: Characters that stand in this line before it, beside the indent.
        after: Characters that stand behind it.
    """
    flat = _flat(node)
    if len(_INDENT) * indent + taken + len(flat) + after <= WIDTH:
        return flat
    match node:
        case Entry(before, part):
            return before + laid_out(part, indent=indent, taken=taken + len(before), after=after)
        case Group(opening, parts, closing, _, separator, trailing, head) if parts:
            only = parts[0]
            if not head and len(parts) == 1 and isinstance(only, Group) and not only.head:
                return (
                    opening
                    + laid_out(
                        only, indent=indent, taken=taken + len(opening), after=after + len(closing)
                    )
                    + closing
                )
            inner = f"\n{_INDENT * (indent + 1)}"
            between = ("" if head else separator) + inner
            lines = between.join(
                head + laid_out(part, indent=indent + 1, taken=len(head)) for part in parts
            )
            end = separator if trailing and not head else ""
            return (
                opening
                + inner
                + lines
                + end
                + (f"\n{_INDENT * indent}{closing}" if closing else "")
            )
        case _:
            return flat


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
