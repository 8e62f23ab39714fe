"""
Unseen: the declared answers that no call got.

They are failures whose state nothing made, or the output, which was not tested then.
"""

from __future__ import annotations

from collections.abc import Collection

from contract.call.context import OK
from contract.declare.typed_route import Entry

__all__ = ["declared_by", "told_of", "unseen"]


def declared_by(entry: Entry) -> tuple[str, ...]:
    """The codes of the failures of a route."""
    return tuple(sorted(cls.error_code for cls in entry.failures))


def unseen(declared: Collection[str], seen: Collection[str]) -> tuple[str, ...]:
    """The output (OK) and those of the *declared* failures that were never *seen*."""
    return tuple(code for code in (OK, *declared) if code not in seen)


def told_of(declared: int, seen: int) -> str:
    """How many answers there were, in words."""
    return f"{seen} of {declared} declared answers seen" if declared else "no answer was asked for"
