"""
Accept: the media types and codings that a client accepts (RFC 9110, sections 12.4.2 to 12.5.3).
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["accepts", "accepts_gzip", "names"]

_USUAL: Final = frozenset(
    {"application/json, text/event-stream", "text/event-stream, application/json", "*/*"}
)
"""The headers of most MCP clients; all of them accept JSON and event streams."""

_NONE: Final = re.compile(r"0(?:\.0{0,3})?")
"""A weight that refuses."""


def accepts(accept: str | None, kind: str) -> bool:
    """
    Whether the Accept header *accept* allows a response of *kind*, JSON or an event stream.

    Without the header, everything is allowed.

    Of the ranges that match *kind*, the most specific one decides: ``application/json;q=0, */*``
    accepts everything except JSON.
    """
    if accept in _USUAL or accept is None or not accept.strip():
        return True
    return _takes(accept, kind, f"{kind.partition('/')[0]}/*", "*/*")


def names(accept: str, kind: str) -> bool:
    """Whether the Accept header *accept* names *kind* itself, and accepts it."""
    return _takes(accept, kind)


def accepts_gzip(accept_encoding: str) -> bool:
    """Whether Accept-Encoding allows gzip; without the header, gzip is not used."""
    # x-gzip is an old name of gzip (RFC 9110, section 8.4.1.3)
    return _takes(accept_encoding, "gzip", "x-gzip", "*")


def _takes(header: str, *names: str) -> bool:
    """
    Whether *header* accepts the first of the *names* that it contains.

    If it contains a name several times, the first weight counts.
    """
    taken: dict[str, bool] = {}
    for part in header.lower().split(","):
        name, *parameters = (text.strip() for text in part.split(";"))
        taken.setdefault(name, not any(map(_refuses, parameters)))
    return next((taken[name] for name in names if name in taken), False)


def _refuses(parameter: str) -> bool:
    name, _, value = parameter.partition("=")
    return name.strip() == "q" and _NONE.fullmatch(value.strip()) is not None
