"""Changes: one difference between two documents, and what all of them ask of the version."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal, final

from contract.shape.record import record

__all__ = ["LEVELS", "Bump", "Change", "Level", "bump"]

Level = Literal["breaking", "source", "compatible", "docs"]
"""
Whom a change concerns.

``breaking``: a client that did nothing wrong may fail. ``source``: nothing on the wire, but
generated code has another name or another order, so what is written against it has to be edited
when it is generated again. ``compatible``: every client goes on working. ``docs``: what is said to
people.
"""

Bump = Literal["major", "minor", "patch", "none"]
"""The part of a version that a change raises (Semantic Versioning 2.0.0)."""

LEVELS: Final[tuple[Level, ...]] = ("breaking", "source", "compatible", "docs")
"""The gravest first."""

_BUMPS: Final[dict[Level, Bump]] = {
    "breaking": "major",
    "source": "minor",
    "compatible": "minor",
    "docs": "patch",
}


@final
@record(kw_only=True)
class Change:
    """One difference."""

    kind: str
    """A stable code, such as ``input_field_required_added``."""
    level: Level
    path: str
    """
    Where: ``routes.order.auth``; below a schema along the data,
    ``routes.order.input.lines[*].quantity``, ``$defs.Order.lines``, ``[*]`` for all items, ``.*``
    for all values of a map and ``{key}`` for its keys.
    """
    text: str
    """The change in words: the old, the new, and why it breaks."""
    route: str | None = None
    """The route, where it is one's own."""
    type: str | None = None
    """The named type, where it stands in one: its name in the new document."""
    routes: tuple[str, ...] = ()
    """The routes that a change in a type reaches, sorted."""
    old: Any = None
    """JSON; None where there was nothing, or nothing short."""
    new: Any = None
    """JSON; None where there is nothing now, or nothing short."""


def bump(changes: Iterable[Change]) -> Bump:
    """
    The part of the version that *changes* ask to raise.

    A change of the version itself asks for none.
    """
    found = {change.level for change in changes if change.kind != "version_changed"}
    gravest: Level | None = next((level for level in LEVELS if level in found), None)
    return "none" if gravest is None else _BUMPS[gravest]
