"""Accepts: which media types a client takes (RFC 9110, section 12.5.1)."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["accepts"]

_USUAL: Final = frozenset({"application/json, text/event-stream", "text/event-stream, application/json", "*/*"})
"""What most clients send, and takes both of the kinds that there are."""

_NONE: Final = re.compile(r"0(?:\.0{0,3})?")


def accepts(accept: str | None, kind: str) -> bool:
    """
    Whether the Accept header *accept* lets a response be of *kind*; without one, everything goes.

    Of the ranges that *kind* is in, the one that says most decides: ``application/json;q=0, */*`` takes everything but JSON.
    """
    if accept in _USUAL or accept is None or not accept.strip():
        return True
    ranges = (kind, f"{kind.partition('/')[0]}/*", "*/*")
    best, taken = len(ranges), False
    for part in accept.lower().split(","):
        name, *parameters = (text.strip() for text in part.split(";"))
        place = ranges.index(name) if name in ranges else len(ranges)
        if place < best:
            best, taken = place, not any(_refuses(parameter) for parameter in parameters)
    return taken


def _refuses(parameter: str) -> bool:
    name, _, value = parameter.partition("=")
    return name.strip() == "q" and _NONE.fullmatch(value.strip()) is not None
