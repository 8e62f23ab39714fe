"""
Ranges: which part of a file answers a GET (RFC 9110, sections 13 and 14).

A client that has the file gets 304, one that has the beginning gets the rest, and one that asks for
bytes beyond the end is refused. A request for several ranges gets the whole file, as the RFC
allows.
"""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime
from typing import Final, final

from contract.call.files import AtHand
from contract.call.message import Incoming
from contract.call.published import is_known, tag_of
from contract.shape.record import record

__all__ = ["Part", "part_of"]


@final
@record
class Part:
    """The part of a file to send: status (200, 206, 304 or 416), offset, length and headers."""

    status: int
    start: int
    size: int
    headers: tuple[tuple[str, str], ...]


def part_of(incoming: Incoming, file: AtHand) -> Part:
    """The part of a *file* that answers a GET or a HEAD."""
    tag = tag_of(file.body) if file.tag is None else file.tag
    changed = () if file.modified is None else (("last-modified", file.modified),)
    known = (("etag", tag), *changed, ("accept-ranges", "bytes"))
    if _has_it(incoming, tag, file.modified):
        return Part(304, 0, 0, known)
    # section 14.2: a range applies to GET alone
    wanted = incoming.header("range") if incoming.method == "GET" else None
    asked = None if wanted is None else _range(wanted, file.size)
    if asked is None or not _is_same(incoming.header("if-range"), tag, file.modified):
        return Part(200, 0, file.size, known)
    first, last = asked
    if first >= file.size:
        return Part(416, 0, 0, (("content-range", f"bytes */{file.size}"),))
    told = ("content-range", f"bytes {first}-{last}/{file.size}")
    return Part(206, first, last - first + 1, (*known, told))


_RANGE: Final = re.compile(
    r"[Bb][Yy][Tt][Ee][Ss]=[ \t]*(?:(\d{1,18})-(\d{0,18})|-(\d{1,18}))[ \t]*"
)


def _range(wanted: str, size: int) -> tuple[int, int] | None:
    """The first and the last byte; None if it is not a single valid range."""
    found = _RANGE.fullmatch(wanted)
    if found is None:
        return None
    start, end, tail = found.groups()
    if tail is not None:
        return (max(size - int(tail), 0) if int(tail) else size), size - 1
    first = int(start)
    if end and int(end) < first:
        return None
    return first, min(int(end), size - 1) if end else size - 1


def _has_it(incoming: Incoming, tag: str, modified: str | None) -> bool:
    """Whether the client already has the file (section 13.2.2)."""
    tags = incoming.header("if-none-match")
    if tags is not None:
        return is_known(tags, tag.removeprefix("W/"))  # it compares weakly
    since = incoming.header("if-modified-since")
    return since is not None and modified is not None and not _is_before(since, modified)


def _is_before(one: str, other: str) -> bool:
    """Whether the date *one* is before *other*; also if it is not a date."""
    try:
        return parsedate_to_datetime(one) < parsedate_to_datetime(other)
    except (OverflowError, TypeError, ValueError):  # the first for an offset beyond any int
        return True


def _is_same(if_range: str | None, tag: str, modified: str | None) -> bool:
    """
    Whether the client's partial copy is of this same file (section 13.1.5).

    A weak tag guarantees nothing about single bytes, nor does a date that goes with it.
    """
    if if_range is None:
        return True
    return if_range in (tag, modified) and not tag.startswith("W/")
