"""
Files on the wire: what becomes of a `Download`, and the headers that say what it is.

Bytes, and files that are small, are answered whole. A large file is opened before the reply begins,
so that one that is missing is an ordinary failure; its parts are sent as those of a stream are
(`contract.call.streaming`), and so is what an iterator gives. A body that cannot come to its end is
broken off, since a clean end would say that all of it is there.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import time
import unicodedata
from email.utils import formatdate
from pathlib import Path
from typing import Any, Final, final
from urllib.parse import quote

from contract.call.context import OK, Reply
from contract.call.message import BARE_HEADERS
from contract.call.stream import Form, Items, Opened
from contract.declare.download import Download
from contract.declare.media import Media
from contract.declare.stream import Stream
from contract.pred.compile import Pred
from contract.pred.dump.scalars import a_value
from contract.shape.exceptions import InvalidOutput
from contract.shape.media_types import essence

__all__ = ["AtHand", "Files", "OpenFile", "disposition", "rest_of"]

SMALL: Final = 65_536
"""Bytes of a file that are read at once: to send them in parts takes two threads."""
PART: Final = 262_144
"""Bytes of a large file that are read at a time."""
SETTLED: Final = 2.0
"""Seconds after which a second change of a file shows in its time, however coarse that is."""


@final
class _Raw:
    """The bytes as they are."""

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
    """Stands where other streams have the pred of an item."""

    def dump(self, value: object) -> bytes:
        if isinstance(value, bytes):
            return value
        raise InvalidOutput((), f"expected bytes, found {a_value(value)}")


_CHUNK: Final[Any] = _Chunk()


@final
class Files:
    """
    The output of a route that gives a file, where others have a pred.

    Args:
        media: The media types that the file may have.

    Attributes:
        parts: What is known of the parts of a file that is sent in parts.
    """

    __slots__ = ("_media", "parts")

    def __init__(self, media: Media) -> None:
        self._media: Final = media
        self.parts: Final = Items(_CHUNK, {}, _RAW)

    def preds(self) -> list[Pred[Any]]:
        """There are none."""
        return []

    def dump(self, value: object) -> Any:
        """
        The outcome of a call whose resolver has returned *value*.

        Raises:
            InvalidOutput: It is not a download, or of a media type that is not declared.
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
        opened = Opened(self.parts, Stream(source))
        opened.headers = headers
        return opened


def _small(file: OpenFile) -> bytes | None:
    """All of a *file* that is small, which is closed then; None for another."""
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
    The outcome of a call that gives a file whose length is known.

    Args:
        items: What is known of parts of the route's files.
        headers: Those that say what it is.
        body: All of it, where it is small.
        of: The file that it is, if it is one.

    Attributes:
        size: Its bytes.
        file: The file, open; None where all of it is in the body.
        tag: Its entity tag; None where it is to be made of the body.
        modified: When it was changed, as in ``Last-Modified``; None where nobody knows.
    """

    __slots__ = ("_items", "file", "modified", "size", "tag")

    def __init__(
        self,
        items: Items,
        headers: tuple[tuple[str, str], ...],
        body: bytes | None,
        of: OpenFile | None = None,
    ) -> None:
        super().__init__(200, OK, body or b"", headers)
        self._items: Final = items
        self.file: Final = of if body is None else None
        self.size: Final = of.size if body is None and of is not None else len(self.body)
        self.tag: Final = None if of is None else of.tag
        self.modified: Final = None if of is None else of.modified

    def opened(self, file: OpenFile, start: int, size: int) -> Opened:
        """The outcome whose parts are *size* bytes of the *file*, from *start*."""
        opened = Opened(self._items, Stream(rest_of(file, start, size)))
        opened.over = True
        return opened


@final
class OpenFile:
    """
    A file that is open; it is closed with the last reference to it, whatever becomes of the call.

    Raises:
        OSError: It cannot be read, or is not a file.
    """

    __slots__ = ("_file", "modified", "path", "size", "tag")

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        # before it is opened: to open a pipe would wait for whoever writes to it
        if not stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH116  a Path may be of any class
            raise OSError(f"{path} is not a file")
        self._file: Final = open(path, "rb", buffering=0)  # noqa: PTH123, SIM115
        found = os.fstat(self._file.fileno())
        self.size: Final = found.st_size
        made = f"{found.st_mtime_ns} {found.st_size}".encode()
        # weak while it may change again within one tick of its clock (RFC 9110, section 8.8.1)
        weak = "" if time.time() - found.st_mtime > SETTLED else "W/"
        self.tag: Final = f'{weak}"{hashlib.sha256(made).hexdigest()[:32]}"'
        self.modified: Final = formatdate(found.st_mtime, usegmt=True)

    def read(self, most: int) -> bytes:
        """The next bytes."""
        return self._file.read(most)

    def seek(self, start: int) -> None:
        """Go to a place in it."""
        self._file.seek(start)

    def close(self) -> None:
        """Close it."""
        self._file.close()

    def __del__(self) -> None:
        """Close it, where a call ended before its body was sent."""
        if hasattr(self, "_file"):
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


# What it is.

_SHOWN: Final = ("image/", "audio/", "video/")
"""Types that a browser shows without running anything of them, but those of `_ACTIVE`."""
_ACTIVE: Final = re.compile("image/svg|.*[+]xml$")
"""Types that may hold scripts: a browser shows every document of XML as a page."""
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

    Browsers show pictures, sound, films and plain text, and save everything else: a document of
    HTML or SVG that they showed could speak for the service.
    """
    is_shown = media_type.startswith(_SHOWN) and not _ACTIVE.match(media_type)
    kind = "inline" if is_shown or media_type == "text/plain" else "attachment"
    safe = "" if name is None else _safe(name)
    if not safe:
        return kind
    plain = _UNQUOTED.sub("_", safe)
    told = f'{kind}; filename="{plain}"'
    # section 4.3 and RFC 8187: who knows both takes the second
    return told if plain == safe else f"{told}; filename*=UTF-8''{quote(safe, safe='')}"


_UNQUOTED: Final = re.compile(r'[^ -~]|["%\\]')
"""What a quoted name may not hold, or what some readers take for something else (appendix D)."""
_PLACES: Final = re.compile(r'[/\\:*?"<>|]')
"""What stands between folders, or means something to a shell or a file system."""
_LONGEST: Final = 150


def _safe(name: str) -> str:
    """
    The *name* of a file without what could name another place or mislead who reads it.

    Controls, marks that turn text around and halves of surrogates go; a name does not begin with
    a dot, nor end with one.
    """
    # categories C: controls, formats, surrogates, private use, not assigned
    kept = "".join(each for each in name if unicodedata.category(each)[0] != "C")
    whole = _PLACES.sub("_", kept).strip(". ")
    if len(whole) <= _LONGEST:
        return whole
    stem, dot, ending = whole.rpartition(".")
    if not dot or len(ending) > 12:
        return whole[:_LONGEST].rstrip(". ")
    return f"{stem[: _LONGEST - 1 - len(ending)]}.{ending}"
