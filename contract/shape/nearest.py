"""
Nearest: which of the declared names somebody meant who wrote another one.

A name is near where it is the same but for its case and its separators (``productId`` and
``product_id``), where one slip makes the one of the other (two letters in one place at most), or
where one is a part of the other and much shorter (``email`` and ``email_address``). To look costs
no more than to read the names once, and a text that is long is not looked at: it is not a slip of a
declared name.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from string import ascii_lowercase, ascii_uppercase
from typing import Any, Final

__all__ = ["Finder", "finder"]

_MAX_LENGTH: Final = 64
"""Characters of a name that is looked at."""

_MAX_NAMES: Final = 50
"""Names that are looked at."""

_PLAIN: Final = str.maketrans(ascii_uppercase, ascii_lowercase, "_-. ")


Finder = Callable[[str, Container[Any]], str | None]
"""
What was written -> the name that is meant, if one is near.

It is none of the names in the container, since those were written too.
"""


def finder(names: Sequence[Any]) -> Finder:
    """The function that finds those of *names* that are meant; other values are passed over."""
    known: list[tuple[str, str, int]] = []
    same: dict[str, list[str]] = {}

    def find(sent: str, taken: Container[Any] = ()) -> str | None:
        plain = _plain(sent)
        if not plain:
            return None
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
        # most names are passed over by their length, and by their first and last letter
        for name, other, length in known:
            if -_SLIP <= length - size <= _SLIP:
                if (
                    (other[0] == begin or other[-1] == end)
                    and name not in taken
                    and _is_slip(plain, other)
                ):
                    return name
            elif part is None and size >= _PART <= length and name not in taken:
                part = name if other in plain or plain in other else None
        return part

    return find


def _known(names: Sequence[Any]) -> Iterable[tuple[str, str, int]]:
    """Each of *names* that may be meant, with the letters that it is compared by, and how many."""
    for name in names[:_MAX_NAMES]:
        plain = _plain(name) if isinstance(name, str) else ""
        if plain:
            yield name, plain, len(plain)


def _plain(name: str) -> str:
    if len(name) > _MAX_LENGTH or not name.isascii():
        return ""
    return name.translate(_PLAIN)


_SLIP: Final = 2
"""Letters that one slip changes, at most; and letters that have to be right."""

_PART: Final = 3
"""Letters of a part that tells something."""


def _is_slip(one: str, other: str) -> bool:
    """Whether the two differ in one place, by two letters at most, and share as many."""
    if len(one) > len(other):
        one, other = other, one
    least = len(one)
    start = 0
    while start < least and one[start] == other[start]:
        start += 1
    # all letters but those that one slip changes have to be right behind it
    end = max(len(other) - start - _SLIP, 0)
    if end > least - start or (end and one[-end:] != other[-end:]):
        return False
    while end < least - start and one[-1 - end] == other[-1 - end]:
        end += 1
    return start + end >= _SLIP
