"""
Forms: calls that send files, as ``multipart/form-data`` (RFC 7578).

A file is a path, bytes, or a binary stream. It is read piece by piece while it is sent, so it is
never in memory as a whole. The length of the form is known in advance if those of its files are.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from os import PathLike
from typing import IO, Final, cast, final

__all__ = ["Attached", "Attachment", "Form", "OneFile", "Progress"]

_PIECE: Final = 65_536
"""How many bytes of a file are read at a time."""


@final
@dataclass(frozen=True)
class Attachment:
    """
    A file to send, with its name or media type given instead of guessed.

    Args:
        data: A path, bytes, or a binary stream, which is read from its current position.
        name: The file name to send; by default that of the path.
        media_type: The media type; by default guessed from the name.
    """

    data: PathLike[str] | str | bytes | IO[bytes]
    name: str | None = None
    media_type: str | None = None


OneFile = PathLike[str] | bytes | IO[bytes] | Attachment
"""A file to send."""

Attached = OneFile | Sequence[OneFile] | None
"""The files of one field."""

Progress = Callable[[int, int | None], object]
"""Called with the bytes of a form sent so far, and the total, or None if it is not known."""


@final
class Form:
    """
    The body of a call that sends files.

    Args:
        body: The JSON of the input.
        files: Part name -> files; None for no file.
        progress: Called with the bytes sent so far, and those of the whole form; None if the length
            of a stream is not known.
    """

    def __init__(
        self, body: bytes, files: Mapping[str, Attached], progress: Progress | None = None
    ) -> None:
        # random, so that no file can hold it, by chance or on purpose (RFC 2046, section 5.1.1)
        boundary = os.urandom(16).hex()
        self.content_type: Final = f"multipart/form-data; boundary={boundary}"
        self._progress: Final = progress
        between = f"--{boundary}\r\n".encode()
        self._end: Final = f"--{boundary}--\r\n".encode()
        self._parts: Final[list[tuple[bytes, OneFile]]] = []
        if body:
            self._parts.append((between + _JSON, body))
        for name, given in files.items():
            for each in _each(given):
                self._parts.append((between + _head(name, each), each))
        # what stands around the files, and the files, if the size of each is known
        length: int | None = len(self._end)
        for head, file in self._parts:
            size = _size(file)
            if length is None or size is None:
                length = None
            else:
                length += len(head) + size + len(_LINE)
        self.length: Final[int | None] = length
        """In bytes; None if the length of a stream is not known."""

    @property
    def again(self) -> bool:
        """Whether it can be sent again; a stream cannot, since it has been read."""
        return not any(hasattr(_data(file), "read") for _, file in self._parts)

    def __iter__(self) -> Iterator[bytes]:
        """The form in pieces, none of them empty."""
        sent = 0
        for piece in filter(None, self._pieces()):
            yield piece
            sent += len(piece)
            if self._progress is not None:
                self._progress(sent, self.length)

    def _pieces(self) -> Iterator[bytes]:
        for head, file in self._parts:
            yield head
            yield from _read(_data(file))
            yield _LINE
        yield self._end


_LINE: Final = b"\r\n"
_JSON: Final = (
    b'Content-Disposition: form-data; name="input"\r\nContent-Type: application/json\r\n\r\n'
)


def _each(given: Attached) -> Sequence[OneFile]:
    if given is None:
        return ()
    if isinstance(given, list | tuple):
        return cast("Sequence[OneFile]", given)
    return (cast("OneFile", given),)


def _data(file: OneFile) -> PathLike[str] | str | bytes | IO[bytes]:
    return file.data if isinstance(file, Attachment) else file


def _read(data: PathLike[str] | str | bytes | IO[bytes]) -> Iterator[bytes]:
    # in one piece, since it is in memory anyway
    if isinstance(data, bytes | bytearray | memoryview):
        yield bytes(data)
    elif isinstance(data, PathLike | str):
        with open(data, "rb") as stream:  # noqa: PTH123  pathlib takes long to import
            yield from _read(stream)
    else:
        while piece := data.read(_PIECE):
            yield piece


def _size(file: OneFile) -> int | None:
    data = _data(file)
    if isinstance(data, bytes | bytearray | memoryview):
        return len(data)
    if isinstance(data, PathLike | str):
        return os.stat(data).st_size  # noqa: PTH116
    try:
        here = data.tell()
        end = data.seek(0, os.SEEK_END)
        data.seek(here)
    # its position cannot be changed, so it can only be read once
    except (AttributeError, OSError, ValueError):
        return None
    return end - here


def _head(name: str, file: OneFile) -> bytes:
    data = _data(file)
    given = file if isinstance(file, Attachment) else Attachment(data)
    filename = given.name
    if filename is None:
        path: object
        if isinstance(data, PathLike | str):
            path = data
        else:
            # a stream that open() gave has the path, or the number of its descriptor
            path = getattr(data, "name", None)
        # a part that is a file should have a name (RFC 7578, section 4.2)
        filename = "file"
        if isinstance(path, str | PathLike):
            filename = os.path.basename(cast("str", path))  # noqa: PTH119
    guessed: str | None = import_module("mimetypes").guess_type(filename)[0]
    media_type = given.media_type or guessed or "application/octet-stream"
    return (
        f'Content-Disposition: form-data; name="{_quoted(name)}"; '
        f'filename="{_quoted(filename)}"\r\n'
        f"Content-Type: {media_type}\r\n\r\n"
    ).encode()


def _quoted(text: str) -> str:
    """The *text* in quotes, escaped as browsers do it (HTML, section 4.10.22.7)."""
    return text.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")
