"""Output: what people read goes to standard error, data to standard output; colours only where somebody looks at them."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Sequence
from typing import final

__all__ = ["Stop", "bold", "data", "dim", "escaped", "red", "say", "table"]


@final
class Stop(Exception):  # noqa: N818  a signal to `main`
    """
    End the command, with a message for people.

    Attributes:
        code: The exit code.
        message: One line, or several where a traceback is part of it.
    """

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __reduce__(self) -> tuple[type[Stop], tuple[int, str]]:
        """It crosses processes: what an app's import raised is found out in a child."""
        return (Stop, (self.code, self.message))


def say(text: str) -> None:
    """Tell people."""
    print(text, file=sys.stderr, flush=True)


def data(text: str) -> None:
    """Write data."""
    print(text, flush=True)


def escaped(text: str) -> str:
    """*text* of somebody else's, for a terminal: with its control characters, but for ends of lines and tabs, written as escapes."""
    return "".join(
        char if char in "\n\t" or unicodedata.category(char) != "Cc" else char.encode("unicode_escape").decode() for char in text
    )


def bold(text: str) -> str:
    """Text for standard error that stands out."""
    return _coloured(text, "1")


def dim(text: str) -> str:
    """Text for standard error that stands back."""
    return _coloured(text, "2")


def red(text: str) -> str:
    """Text for standard error that warns."""
    return _coloured(text, "31")


def _coloured(text: str, code: str) -> str:
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not sys.stderr.isatty():  # https://no-color.org
        return text
    return f"\x1b[{code}m{text}\x1b[0m"


def table(rows: Sequence[Sequence[str]]) -> str:
    """Columns, as wide as they have to be; the last one is not padded."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)
