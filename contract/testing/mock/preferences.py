"""
Preferences: which answer a client asks for (RFC 7240).

``Prefer: code=SOLD_OUT`` asks for a failure by its code, ``Prefer: status=409`` for whatever has
that status. That one was met is said in ``Preference-Applied``. The RFC has a server ignore what it
cannot meet; of these two that would be a success where a test of a client counts on a failure, so
it is refused with 400 and the codes that there are.
"""

from __future__ import annotations

import re
from typing import Final

from contract.shape.urls import HEADER_WORD

__all__ = ["preferences"]

_LONGEST: Final = 1000
"""Characters of a header that are looked at."""
_QUOTED: Final = r'"(?:[^"\\]|\\.)*"'
_PART: Final = re.compile(rf'(?:[^",]|{_QUOTED})+')
_PREFERENCE: Final = re.compile(rf"({HEADER_WORD})(?:[ \t]*=[ \t]*({HEADER_WORD}|{_QUOTED}))?")


def preferences(header: str) -> dict[str, str]:
    """
    The preferences in *header*, with names in lower case.

    Where two have one name, the first counts (section 2).
    """
    found: dict[str, str] = {}
    for part in _PART.findall(header[:_LONGEST]):
        each = _PREFERENCE.match(part.strip(" \t"))
        if each is not None:
            value = each[2] or ""
            found.setdefault(
                each[1].lower(),
                re.sub(r"\\(.)", r"\1", value[1:-1]) if value.startswith('"') else value,
            )
    return found
