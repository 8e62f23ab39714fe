"""
Ranges: which part of a file a GET is answered with (RFC 9110, sections 13 and 14).

A client that has the file is told so, one that has the beginning gets the rest, and one that asks
for what is not there is refused. Several ranges in one request are not taken, which the RFC allows:
the answer is then the whole file.
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
    """What is sent of a file: 200, 206, 304 or 416, from where, how much, and what headers say."""

    status: int
    start: int
    size: int
    headers: tuple[tuple[str, str], ...]


def part_of(incoming: Incoming, file: AtHand) -> Part:
    """The part of a *file* that is sent to a GET or a HEAD."""
    tag = tag_of(file.body) if file.tag is None else file.tag
    changed = () if file.modified is None else (("last-modified", file.modified),)
    known = (("etag", tag), *changed, ("accept-ranges", "bytes"))
    if _has_it(incoming, tag, file.modified):
        return Part(304, 0, 0, known)
    # section 14.2: a range means something at GET alone
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
    """The first byte and the last one; None where it is not a single range, and means nothing."""
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
    """Whether the client has the file already (section 13.2.2)."""
    tags = incoming.header("if-none-match")
    if tags is not None:
        return is_known(tags, tag.removeprefix("W/"))  # it compares weakly
    since = incoming.header("if-modified-since")
    return since is not None and modified is not None and not _is_before(since, modified)


def _is_before(one: str, other: str) -> bool:
    """Whether *one* is an earlier date than the *other*; also where it is not a date."""
    try:
        return parsedate_to_datetime(one) < parsedate_to_datetime(other)
    except (OverflowError, TypeError, ValueError):  # the first, of an offset that no int takes
        return True


def _is_same(if_range: str | None, tag: str, modified: str | None) -> bool:
    """
    Whether what a client has the beginning of is still this (section 13.1.5).

    A weak tag says nothing of single bytes, nor does a time that goes with it.
    """
    if if_range is None:
        return True
    return if_range in (tag, modified) and not tag.startswith("W/")
