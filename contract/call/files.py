"""
Files on the wire: how a `Download` is sent, and the headers that describe it.

Bytes and small files are answered as a whole. A large file is opened before the reply begins, so
that a missing one is an ordinary failure. Its parts are sent like those of a stream
(`contract.call.streaming`), and so are those of an iterator. If a body cannot be completed, the
connection is cut off, since a clean end would mean that it is complete.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import time
import unicodedata
from email.utils import formatdate, parsedate_to_datetime
from pathlib import Path
from typing import Any, Final, final
from urllib.parse import quote

from contract.call.context import OK, Reply
from contract.call.incoming import Incoming
from contract.call.message import BARE_HEADERS
from contract.call.published import is_known, is_wanted, tag_of
from contract.call.stream import Form, Items, StreamReply
from contract.declare.outputs import Download, Stream
from contract.pred.compile import Pred
from contract.pred.dump.scalars import a_value
from contract.shape.exceptions import InvalidOutput
from contract.shape.header_values import essence
from contract.shape.media_types import Media
from contract.shape.record import record

__all__ = ["AtHand", "Files", "OpenFile", "Part", "disposition", "part_of", "rest_of"]

SMALL: Final = 65_536
"""Files up to this size, in bytes, are read at once: sending parts takes two threads."""
PART: Final = 262_144
"""How many bytes of a large file are read at a time."""
SETTLED: Final = 2.0
"""Seconds after which a second change of a file shows in its time, however coarse that is."""


@final
class _Raw:
    """Writes the bytes unchanged."""

    headers = BARE_HEADERS
    quiet = b""
    word, part = "download", "part"

    def item(self, data: bytes, id: str | None) -> bytes:  # noqa: A002, ARG002  as of streams
        return data

    def error(self, body: bytes) -> None:  # noqa: ARG002  there is no room for it
        return None

    def end(self) -> bytes:
        return b""


_RAW: Final[Form] = _Raw()


@final
class _Chunk:
    """Takes the place of an item's pred."""

    def dump(self, value: object) -> bytes:
        if isinstance(value, bytes):
            return value
        raise InvalidOutput((), f"expected bytes, found {a_value(value)}")


_CHUNK: Final[Any] = _Chunk()


@final
class Files:
    """
    The output of a route that gives a file; takes the place of its pred.

    Attributes:
        parts: Describes the parts of a file that is sent in parts.
    """

    __slots__ = ("_media", "parts")

    def __init__(self, media: Media) -> None:
        self._media: Final = media
        self.parts: Final = Items(_CHUNK, {}, _RAW)

    def preds(self) -> list[Pred[Any]]:
        """Empty: a file has no pred."""
        return []

    def dump(self, value: object) -> Any:
        """
        The outcome of a call whose resolver has returned *value*.

        Raises:
            InvalidOutput: It is not a download, or its media type is not declared.
            OSError: Its file cannot be read.
        """
        if type(value) is not Download:
            raise InvalidOutput((), f"expected a Download, found {a_value(value)}")
        if not self._media.takes(value.media_type):
            raise InvalidOutput(
                (), f"its media type is {value.media_type}, and {self._media!r} is declared"
            )
        headers = _headers(value)
        source = value.source
        if isinstance(source, bytes):
            return AtHand(self.parts, headers, bytes(source))
        if isinstance(source, Path):
            file = OpenFile(source)
            return AtHand(self.parts, headers, _small(file), file)
        opened = StreamReply(self.parts, Stream(source))
        opened.headers = headers
        return opened


def _small(file: OpenFile) -> bytes | None:
    """The contents of a small *file*, which is then closed; None for a large one."""
    if file.size > SMALL:
        return None
    parts = rest_of(file, 0, file.size)
    try:
        return b"".join(parts)
    finally:
        parts.close()


@final
class AtHand(Reply):
    """
    The outcome of a call that gives a file of known length, with its *body* if it is small.

    Attributes:
        size: Its size in bytes.
        file: The open file; None if the body has everything.
        tag: Its entity tag; None if it is made from the body.
        modified: The value of ``Last-Modified``; None if it is not known.
        part: The part of it to send; all of it, unless a GET asks otherwise.
    """

    __slots__ = ("_items", "file", "modified", "part", "size", "tag")

    def __init__(
        self,
        items: Items,
        headers: tuple[tuple[str, str], ...],
        body: bytes | None,
        of: OpenFile | None = None,
    ) -> None:
        super().__init__(200, OK, body or b"", headers)
        self._items: Final = items
        # a small file has been read and closed; what it tells of itself is still of use
        self.file: Final = of if body is None else None
        self.size: Final = len(self.body) if self.file is None else self.file.size
        tag: str | None = None
        modified: str | None = None
        if of is not None:
            tag, modified = of.tag, of.modified
        self.tag: Final = tag
        self.modified: Final = modified
        self.part: Part = Part(200, 0, self.size, ())

    def streamed(self, file: OpenFile, start: int, size: int) -> StreamReply:
        """The outcome whose parts are *size* bytes of the *file*, from *start*."""
        opened = StreamReply(self._items, Stream(rest_of(file, start, size)))
        # the values of the call have ended by now: a file of known length needs none of them
        opened.over = True
        return opened


@final
class OpenFile:
    """
    An open file; it is closed with the last reference to it, however the call ends.

    Raises:
        OSError: It cannot be read, or is not a file.
    """

    __slots__ = ("_file", "modified", "path", "size", "tag")

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        # checked before opening: to open a pipe would wait for its writer
        if not stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH116  a Path may be of any class
            raise OSError(f"{path} is not a file")
        self._file: Final = open(path, "rb", buffering=0)  # noqa: PTH123, SIM115
        found = os.fstat(self._file.fileno())
        self.size: Final = found.st_size
        # with its path: callers may have files of their own at one URL, of equal time and size
        made = f"{found.st_mtime_ns} {found.st_size} ".encode() + os.fsencode(path)
        # weak while the file may change again within one tick of its clock (RFC 9110, section
        # 8.8.1)
        weak = "" if time.time() - found.st_mtime > SETTLED else "W/"
        self.tag: Final = f'{weak}"{hashlib.sha256(made).hexdigest()[:32]}"'
        self.modified: Final = formatdate(found.st_mtime, usegmt=True)

    def read(self, most: int) -> bytes:
        """The next bytes."""
        return self._file.read(most)

    def seek(self, start: int) -> None:
        """Go to the offset *start*."""
        self._file.seek(start)

    def close(self) -> None:
        """Close it."""
        self._file.close()

    def __del__(self) -> None:
        """Close it, if a call ended before its body was sent."""
        if hasattr(self, "_file"):  # it has none if opening it has raised
            self._file.close()


@final
class rest_of:  # noqa: N801  it reads like a function, as `iter` does
    """
    The parts of an open *file*: *size* bytes from *start*.

    Raises:
        OSError: The file has become shorter meanwhile.
    """

    __slots__ = ("_file", "_left")

    def __init__(self, file: OpenFile, start: int, size: int) -> None:
        self._file: Final = file
        self._left = size
        file.seek(start)

    def __iter__(self) -> rest_of:
        return self

    def __next__(self) -> bytes:
        if not self._left:
            raise StopIteration
        found = self._file.read(min(self._left, PART))
        if not found:
            raise OSError(f"{self._file.path} became shorter while it was sent")
        self._left -= len(found)
        return found

    def close(self) -> None:
        """Close the file."""
        self._file.close()


# Its headers.

_SHOWN: Final = ("image/", "audio/", "video/")
"""Types that browsers display without running anything in them, except those in `_ACTIVE`."""
_ACTIVE: Final = re.compile("image/svg|.*[+]xml$")
"""Types that may contain scripts: a browser shows every XML document as a page."""
_SANDBOX: Final = (
    "content-security-policy",
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
)
"""A file that a browser opens at its own URL is not a page of the service's origin."""


def _headers(download: Download) -> tuple[tuple[str, str], ...]:
    media_type = download.media_type
    return (
        ("content-type", media_type),
        ("content-disposition", disposition(essence(media_type), download.name)),
        _SANDBOX,
    )


def disposition(media_type: str, name: str | None) -> str:
    """
    The value of Content-Disposition (RFC 6266) for a file.

    Browsers display pictures, sound, films and plain text, and save everything else: if they
    displayed an HTML or SVG document, it could act for the service.
    """
    is_media = media_type.startswith(_SHOWN) and not _ACTIVE.match(media_type)
    is_shown = is_media or media_type == "text/plain"
    kind = "inline" if is_shown else "attachment"
    safe = _safe(name or "")
    if not safe:
        return kind
    plain = _UNQUOTED.sub("_", safe)
    value = f'{kind}; filename="{plain}"'
    # section 4.3 and RFC 8187: a client that knows both uses the second
    if plain != safe:
        value += f"; filename*=UTF-8''{quote(safe, safe='')}"
    return value


_UNQUOTED: Final = re.compile(r'[^ -~]|["%\\]')
"""Characters that a quoted name cannot have, or that some readers misread (appendix D)."""
_PLACES: Final = re.compile(r'[/\\:*?"<>|]')
"""Characters that separate folders, or mean something to a shell or a file system."""
_LONGEST: Final = 150


def _safe(name: str) -> str:
    """
    The *name* of a file without what could name another place or mislead a reader.

    Control characters, marks that change the direction of text, and lone surrogates are removed; a
    name neither begins nor ends with a dot.
    """
    # categories C: controls, formats, surrogates, private use, unassigned
    visible = "".join(each for each in name if unicodedata.category(each)[0] != "C")
    whole = _PLACES.sub("_", visible).strip(". ")
    stem, dot, ending = whole.rpartition(".")
    # what is too long for an ending is the text behind a dot; a real one is kept, since systems
    # choose a program by it
    if not dot or len(ending) > 12:
        return whole[:_LONGEST].rstrip(". ")
    return f"{stem[: _LONGEST - 1 - len(ending)]}.{ending}"


# Ranges: which part of a file answers a GET (RFC 9110, sections 13 and 14). A client that wants
# another file than this is refused, one that has the file gets 304, one that has the beginning gets
# the rest, and one that asks for bytes beyond the end is refused. A request for several ranges gets
# the whole file, as the RFC allows.


@final
@record
class Part:
    """The part to send: status (200, 206, 304, 412 or 416), offset, length and headers."""

    status: int
    start: int
    size: int
    headers: tuple[tuple[str, str], ...]


def part_of(incoming: Incoming, file: AtHand) -> Part:
    """The part of a *file* that answers a GET or a HEAD."""
    tag = tag_of(file.body) if file.tag is None else file.tag
    described = [("etag", tag)]
    if file.modified is not None:
        described.append(("last-modified", file.modified))
    known = (*described, ("accept-ranges", "bytes"))
    # the order of the conditions is that of section 13.2.2; a range comes last
    if _wants_another(incoming, tag, file.modified):
        return Part(412, 0, 0, ())
    if _has_it(incoming, tag, file.modified):
        return Part(304, 0, 0, known)
    wanted = incoming.header("range")
    asked = None
    if wanted is not None and incoming.method == "GET":  # section 14.2: it applies to GET alone
        asked = _range(wanted, file.size)
    if asked is None or not _is_same(incoming.header("if-range"), tag, file.modified):
        return Part(200, 0, file.size, known)
    first, last = asked
    if first >= file.size:
        return Part(416, 0, 0, (("content-range", f"bytes */{file.size}"),))
    content_range = ("content-range", f"bytes {first}-{last}/{file.size}")
    return Part(206, first, last - first + 1, (*known, content_range))


# The name of the unit has no case (section 14.1). Numbers of 18 digits are beyond the size of any
# file; what is longer is no range to this server, which may ignore any (section 14.2).
_RANGE: Final = re.compile(
    r"[Bb][Yy][Tt][Ee][Ss]=[ \t]*(?:(\d{1,18})-(\d{0,18})|-(\d{1,18}))[ \t]*"
)


def _range(wanted: str, size: int) -> tuple[int, int] | None:
    """The first and the last byte; None if it is not a single valid range."""
    found = _RANGE.fullmatch(wanted)
    if found is None:
        return None
    start, end, tail = found.groups()
    last = size - 1
    if tail is not None:
        # the last bytes; to ask for none of them cannot be satisfied (section 14.1.2), and so it
        # begins beyond the end
        if not int(tail):
            return size, last
        return max(size - int(tail), 0), last
    first = int(start)
    if not end:
        return first, last
    if int(end) < first:
        return None
    return first, min(int(end), last)


def _wants_another(incoming: Incoming, tag: str, modified: str | None) -> bool:
    """Whether the client wants a file only if it is another than this (section 13.2.2)."""
    tags = incoming.header("if-match")
    if tags is not None:
        return not is_wanted(tags, tag)
    until = incoming.header("if-unmodified-since")
    return until is not None and modified is not None and _is_before(until, modified, other=False)


def _has_it(incoming: Incoming, tag: str, modified: str | None) -> bool:
    """Whether the client already has the file (section 13.2.2)."""
    tags = incoming.header("if-none-match")
    if tags is not None:
        return is_known(tags, tag.removeprefix("W/"))  # it compares weakly
    since = incoming.header("if-modified-since")
    return (
        since is not None and modified is not None and not _is_before(since, modified, other=True)
    )


def _is_before(date: str, modified: str, *, other: bool) -> bool:
    """Whether *date* is before *modified*; *other* if it is not a date."""
    try:
        return parsedate_to_datetime(date) < parsedate_to_datetime(modified)
    except (OverflowError, TypeError, ValueError):  # the first for an offset beyond any int
        return other


def _is_same(if_range: str | None, tag: str, modified: str | None) -> bool:
    """
    Whether the client's partial copy is of this same file (section 13.1.5).

    A weak tag guarantees nothing about single bytes, nor does a date that goes with it.
    """
    if if_range is None:
        return True
    return if_range in (tag, modified) and not tag.startswith("W/")
