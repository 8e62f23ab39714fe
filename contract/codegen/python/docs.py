"""Docs: docstrings, from texts that anybody may have written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from contract.codegen.python.layout import WIDTH
from contract.codegen.texts import docstring

__all__ = ["Section", "documentation", "sentence"]

Section = tuple[str, Sequence[tuple[str, str]]]
"""A title (``Args:``), and below it names with what is said of them."""


def documentation(
    *paragraphs: str | None, sections: Iterable[Section] = (), indent: int = 0
) -> list[str]:
    """
    A docstring of *paragraphs* and *sections*, between which there are empty lines.

    On one line where it fits there.
    """
    width = WIDTH - indent
    parts = [
        written for each in paragraphs if each is not None and (written := docstring(each, width))
    ]
    for title, entries in sections:
        parts.append(
            [title, *(line for name, text in entries for line in _entry(name, text, width))]
        )
    body = [line for number, part in enumerate(parts) for line in ([""] * bool(number) + part)]
    if not body:
        return []
    margin = " " * indent
    if (
        len(body) == 1
        and len(body[0]) <= width - 6
        and body[0][0] not in '" '
        and body[0][-1] not in '"\\'
    ):
        return [f'{margin}"""{body[0]}"""']
    return [f'{margin}"""', *(f"{margin}{line}" if line else "" for line in body), f'{margin}"""']


def sentence(text: str) -> str:
    """*text* with a full stop, if it ends without one."""
    text = text.strip()
    return text if not text or text[-1] in ".!?:" else f"{text}."


def _entry(name: str, text: str, width: int) -> list[str]:
    first, *others = docstring(f"{name}: {text}", width - 8)
    return [f"    {first}", *(f"        {line}" if line else "" for line in others)]
