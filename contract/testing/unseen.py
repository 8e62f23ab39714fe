"""Unseen: the declared failures that no call was answered with, which may never be given, or whose state nothing made."""

from __future__ import annotations

from collections.abc import Collection

from contract._entry import Entry

__all__ = ["declared_by", "told_of", "unseen"]


def declared_by(entry: Entry) -> tuple[str, ...]:
    """The codes of the failures of a route."""
    return tuple(sorted(cls.error_code for cls in entry.failures))


def unseen(declared: Collection[str], seen: Collection[str]) -> tuple[str, ...]:
    """Those of *declared* that were never *seen*."""
    return tuple(code for code in declared if code not in seen)


def told_of(declared: int, seen: int) -> str:
    """How many there were, in words."""
    return f"{seen} of {declared} declared failures seen" if declared else "no failures are declared"
