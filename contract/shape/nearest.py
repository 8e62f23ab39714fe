"""
Nearest: which of the declared names was meant by somebody who wrote another one.

A name is near if it differs only in case and separators (``productId`` and ``product_id``), if one
slip turns one into the other (at most two letters in one place), or if one is part of the other and
much shorter (``email`` and ``email_address``). A search costs no more than reading the names once.
A long text is not looked up: it is not a slip of a declared name.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from string import ascii_lowercase, ascii_uppercase
from typing import Any, Final

__all__ = ["Finder", "finder"]

_MAX_LENGTH: Final = 64
"""The most characters of a name that is looked up."""

_MAX_NAMES: Final = 50
"""The most names that are compared."""

_PLAIN: Final = str.maketrans(ascii_uppercase, ascii_lowercase, "_-. ")


Finder = Callable[[str, Container[Any]], str | None]
"""
A name as it was written -> the name that is meant, if one is near.

Names in the container do not count, since they were written too.
"""


def finder(names: Sequence[Any]) -> Finder:
    """The function that finds the one of *names* that is meant; only texts are compared."""
    known: list[tuple[str, str, int]] = []
    same: dict[str, list[str]] = {}

    def find(sent: str, taken: Container[Any] = ()) -> str | None:
        plain = _plain(sent)
        if not plain:
            return None
        # made at the first mistake: most callers make none
        if not known:
            for name, other, length in _known(names):
                known.append((name, other, length))
                same.setdefault(other, []).append(name)
        for name in same.get(plain, ()):
            if name not in taken:
                return name
        size = len(plain)
        begin, end = plain[0], plain[-1]
        part = None
        # most names are ruled out by their length, or by their first and last letter
        for name, other, length in known:
            if -_SLIP <= length - size <= _SLIP:
                if (
                    (other[0] == begin or other[-1] == end)
                    and name not in taken
                    and _is_slip(plain, other)
                ):
                    return name
            elif (
                part is None
                and size >= _PART <= length
                and name not in taken
                and (other in plain or plain in other)
            ):
                part = name  # and the search goes on, since a slip is a better match
        return part

    return find


def _known(names: Sequence[Any]) -> Iterable[tuple[str, str, int]]:
    """Each of *names* that may be meant, with the letters it is compared by, and their number."""
    for name in names[:_MAX_NAMES]:
        if isinstance(name, str):
            plain = _plain(name)
            if plain:
                yield name, plain, len(plain)


def _plain(name: str) -> str:
    if len(name) > _MAX_LENGTH or not name.isascii():
        return ""
    return name.translate(_PLAIN)


_SLIP: Final = 2
"""The most letters that one slip changes; and the letters around it that must be right."""

_PART: Final = 3
"""The fewest letters of a part that count as a match."""


def _is_slip(one: str, other: str) -> bool:
    """Whether the two differ in one place, by at most two letters, and share as many."""
    if len(one) > len(other):
        one, other = other, one
    least = len(one)
    start = 0
    while start < least and one[start] == other[start]:
        start += 1
    # all letters behind the slip must be right
    end = max(len(other) - start - _SLIP, 0)
    if end > least - start or (end and one[-end:] != other[-end:]):
        return False
    while end < least - start and one[-1 - end] == other[-1 - end]:
        end += 1
    return start + end >= _SLIP
