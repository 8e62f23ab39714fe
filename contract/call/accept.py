"""
Accept: which media types and codings a client takes (RFC 9110, sections 12.4.2, 12.5.1 and 12.5.3).
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["accepts", "accepts_gzip", "names"]

_USUAL: Final = frozenset(
    {"application/json, text/event-stream", "text/event-stream, application/json", "*/*"}
)
"""The headers of most MCP clients; JSON and event streams are both in each."""

_NONE: Final = re.compile(r"0(?:\.0{0,3})?")
"""A weight that refuses."""


def accepts(accept: str | None, kind: str) -> bool:
    """
    Whether the Accept header *accept* lets a response be of *kind*, JSON or an event stream.

    Without one, everything goes.

    Of the ranges that *kind* is in, the one that says most decides: ``application/json;q=0, */*``
    takes everything but JSON.
    """
    if accept in _USUAL or accept is None or not accept.strip():
        return True
    return _takes(accept, kind, f"{kind.partition('/')[0]}/*", "*/*")


def names(accept: str, kind: str) -> bool:
    """Whether the Accept header *accept* names *kind* itself, and takes it."""
    return _takes(accept, kind)


def accepts_gzip(accept_encoding: str) -> bool:
    """Whether Accept-Encoding allows gzip; an absent one does not ask for it."""
    return _takes(accept_encoding, "gzip", "x-gzip", "*")


def _takes(header: str, *names: str) -> bool:
    """
    Whether *header* takes the first of the *names* that it has.

    Where it has a name several times, the first weight counts.
    """
    taken: dict[str, bool] = {}
    for part in header.lower().split(","):
        name, *parameters = (text.strip() for text in part.split(";"))
        taken.setdefault(name, not any(map(_refuses, parameters)))
    return next((taken[name] for name in names if name in taken), False)


def _refuses(parameter: str) -> bool:
    name, _, value = parameter.partition("=")
    return name.strip() == "q" and _NONE.fullmatch(value.strip()) is not None
