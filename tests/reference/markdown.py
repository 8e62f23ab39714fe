"""Markdown: tables and docstrings, as the pages of the reference have them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

__all__ = ["anchor", "code", "prose", "table"]


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; columns in which nothing stands are left out."""
    every = [[*row] for row in rows]
    kept = [n for n in range(len(heads)) if n == 0 or any(row[n] for row in every)]
    lines = [_line(heads[n] for n in kept), _line("---" for _ in kept)]
    lines += [_line(row[n] for n in kept) for row in every]
    return "\n".join(lines)


def _line(cells: Iterable[str]) -> str:
    shown = [" ".join(cell.split()).replace("|", "\\|") for cell in cells]
    return f"| {' | '.join(shown)} |"


def code(text: str) -> str:
    """*text* in backquotes."""
    if not text:
        return ""
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def prose(text: str) -> str:
    """Text of a docstring: its names in backquotes."""
    single = re.sub(r"``([^`]+)``", r"`\1`", text)
    return re.sub(r"(?<![\w*`])\*(\w+)\*(?![\w*`])", r"`\1`", single)


def anchor(heading: str) -> str:
    """The link to a heading of the same page, as GitHub makes it."""
    return "#" + re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-")
