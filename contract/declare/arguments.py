"""Arguments: how a message names a value that will not do."""

from __future__ import annotations

from typing import Final

from contract.pred.dump.scalars import a_value

__all__ = ["described", "quoted"]


def quoted(value: str | float | bytes | None) -> str:
    """*value* for a message, cut where it is long."""
    text = repr(value)
    return text if len(text) <= _LONG else f"{text[: _LONG - 3]}..."


_LONG: Final = 100
"""Characters of a value in a message."""


def described(value: object) -> str:
    """*value* for a message: itself where it says what it is, else its type."""
    if value is None or isinstance(value, str | int | float | bytes):
        return quoted(value)
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return a_value(value)
