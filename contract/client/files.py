"""
Files: the output of a route that gives a file, and how to read it.

A file arrives part by part, and is never held in memory as a whole unless you ask for it::

    match api.picture(desk="d1"):
        case Ok(file):
            with file:
                file.save("desk.png")
        case NoPicture():
            ...
        case CallError() as error:
            ...

A file that is cut off raises `CallFailed`, so half a file is never taken for the whole.
"""

from __future__ import annotations

import os
import re
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Generic, Self, TypeVar, final
from urllib.parse import unquote

from contract.client.answers import NO_FILE
from contract.client.flow import cause_of, worded
from contract.client.options import Options
from contract.client.results import CallError, CallFailed, DeclaredFailure, ResponseInfo
from contract.client.schemas import Effect, Operation, RouteSchemas
from contract.client.transport import AsyncOpenResponse, OpenResponse, TransportError
from contract.shape.issues import Issue
from contract.shape.media_types import takes

__all__ = ["AsyncFile", "DownloadOperation", "File", "wrong_file"]

I = TypeVar("I")  # noqa: E741  input
F = TypeVar("F", bound=DeclaredFailure)


@final
class DownloadOperation(Generic[I, F]):
    """
    A route that gives a file, as a client calls it.

    Args:
        name: As in `Operation`.
        effect: What a call changes.
        media: The media types, or ranges of them, that the file may have.
        schemas: The schema of its input; the one of an output is not used.
        failures: The classes of the failures that may come instead of the file.
    """

    __slots__ = ("call", "media")

    def __init__(
        self,
        name: str,
        *,
        effect: Effect,
        media: tuple[str, ...],
        schemas: RouteSchemas[I, None],
        failures: tuple[type[F], ...] = (),
    ) -> None:
        self.media: Final = media
        accept = ", ".join((*media, "application/json"))
        self.call: Final[Operation[I, None, F]] = Operation(
            name, effect=effect, opens=accept, schemas=schemas, failures=failures
        )

    def __repr__(self) -> str:
        return f"DownloadOperation({self.call.name!r})"


def wrong_file(
    operation: DownloadOperation[I, F], response: ResponseInfo, options: Options
) -> CallError | None:
    """The failure for an answer that is not one of the declared media types; None if it is one."""
    if takes(operation.media, response.headers.get("content-type", "")):
        return None
    error = CallError("UNKNOWN_ERROR", response.status, issues=(NO_FILE,), headers=response.headers)
    return worded(error, options)


class _Facts:
    """The facts about a file from the headers of its answer, and how much of it has been read."""

    __slots__ = ("_is_closed", "_options", "_read", "_url", "response")

    def __init__(
        self, operation: DownloadOperation[Any, Any], response: ResponseInfo, options: Options
    ) -> None:
        self.response: Final = response
        """The answer."""
        self._options: Final = options
        self._url: Final = options.url_of(operation.call.name)
        self._read = 0
        self._is_closed = False

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.media_type!r}, size={self.size})"

    @property
    def media_type(self) -> str:
        """The media type as sent, with its parameters."""
        return self.response.headers.get("content-type", "")

    @property
    def size(self) -> int | None:
        """The size in bytes; None if it is not known before the end."""
        length = self.response.headers.get("content-length", "")
        return int(length) if _DIGITS.fullmatch(length) else None

    @property
    def name(self) -> str | None:
        """The suggested name, without anything that could name another folder."""
        return _name(self.response.headers.get("content-disposition", ""))

    @property
    def quiet(self) -> float:
        """Seconds in which the next part must come."""
        return self._options.timeout.quiet

    def check_unread(self) -> None:
        """
        Check that the whole file is still to come.

        Raises:
            RuntimeError: It is closed; or some of it has been read, so the rest would be taken for
                the whole.
        """
        if self._read or self._is_closed:
            raise RuntimeError(
                "the file was read or closed already; it can be read once, "
                "so keep what read() returns, or call the route again"
            )

    def took(self, part: bytes) -> None:
        """
        Count a *part* of the file; an empty part is its end.

        Raises:
            TransportError: It ends before all of it came.
        """
        self._read += len(part)
        # not every transport notices that a body ended early; without a size, nobody can
        if not part and self.size is not None and self._read < self.size:
            raise TransportError("aborted", "the file ended too early")

    def broken(self, error: Exception) -> CallFailed:
        """
        The exception for a file that was cut off by a network *error*.

        Raises:
            Exception: The *error*, if it is not a network error.
        """
        return CallFailed(
            CallError(
                "NETWORK_ERROR",
                self.response.status,
                cause=cause_of(error),
                headers=self.response.headers,
                exception=error,
                url=self._url,
            )
        )

    def check_size(self, size: int, limit: int | None) -> None:
        """
        Check that the *size* read is within the *limit*, by default that of the client.

        Raises:
            CallFailed: It is above that.
        """
        if limit is None:
            limit = self._options.max_response_bytes
        if size > limit:
            status, headers = self.response.status, self.response.headers
            message = f"The file is larger than {limit} bytes; save it, or read it part by part."
            issues = (Issue((), "unreadable", message),)
            raise CallFailed(CallError("UNKNOWN_ERROR", status, issues=issues, headers=headers))

    def place(self, path: str | os.PathLike[str]) -> Path:
        """The path to save it at; in a folder, its own name is added."""
        place = Path(path)
        if place.is_dir():
            return place / (self.name or "download")
        return place


# every number of 18 digits fits into 64 bits; int() refuses texts of thousands of digits
_DIGITS: Final = re.compile(r"[0-9]{1,18}")
# the two forms of a name (RFC 6266, section 4.1): encoded (RFC 8187), and as a token or in quotes
_EXTENDED: Final = re.compile(r";[ \t]*filename\*[ \t]*=[ \t]*utf-8'[^']*'([^;\s]+)", re.IGNORECASE)
_QUOTED: Final = re.compile(
    r';[ \t]*filename[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))', re.IGNORECASE
)


def _name(disposition: str) -> str | None:
    # the encoded form first: the other one is for clients that do not know it (RFC 6266, section
    # 4.3)
    extended = _EXTENDED.search(disposition)
    if extended is not None:
        text = unquote(extended[1])
    else:
        found = _QUOTED.search(disposition)
        if found is None:
            return None
        quoted, plain = found.groups()
        if plain is not None:
            text = plain
        else:
            text = re.sub(r"\\(.)", r"\1", quoted)
    # do not trust a server: keep only the last part, without characters that file systems refuse
    # (a colon ends the name of a drive, or begins that of a stream, on Windows)
    last = re.split(r"[/\\:]", text)[-1]
    # without dots at its ends, a name is neither a folder ("..") nor hidden; Windows drops dots and
    # blanks at the end
    name = "".join(each for each in last if each.isprintable()).strip(". ")
    # errors="ignore": the cut may go through a character
    return name.encode()[:_MOST_BYTES].decode(errors="ignore") or None


_MOST_BYTES: Final = 200
"""The most bytes of a name; file systems allow 255."""


@contextmanager
def _saving(path: Path) -> Generator[BinaryIO]:
    """A temporary file beside *path*, renamed to *path* once it is complete."""
    # a name of its own: the server may have chosen the path, so that another file would be lost
    part = path.with_name(f".{os.urandom(8).hex()}.part")
    file = part.open("xb")
    try:
        with file:
            yield file
        part.replace(path)
    # also for an interrupt (KeyboardInterrupt), and for a task that is cancelled
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


@final
class File(_Facts):
    """
    A file: iterate over its parts with ``for``, once; or use `save` or `read`.

    It is closed at its end, by ``with``, or by `close`; until then it holds a connection.
    """

    __slots__ = ("_opened",)

    def __init__(
        self,
        opened: OpenResponse,
        operation: DownloadOperation[Any, Any],
        response: ResponseInfo,
        options: Options,
    ) -> None:
        super().__init__(operation, response, options)
        self._opened: Final = opened

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> bytes:
        """
        The next part.

        Raises:
            CallFailed: The file was cut off.
        """
        try:
            part = self._opened.read(self.quiet)
            self.took(part)
        except Exception as error:
            self.close()
            raise self.broken(error) from error
        if not part:
            self.close()
            raise StopIteration
        return part

    def read(self, max_bytes: int | None = None) -> bytes:
        """
        The whole file, up to so many bytes; by default the client's limit for any answer.

        Raises:
            CallFailed: It is larger, or was cut off.
            RuntimeError: It was closed, or read before, or a part of it was.
        """
        self.check_unread()
        content = bytearray()
        with self:
            for part in self:
                content += part
                self.check_size(len(content), max_bytes)
        return bytes(content)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """
        Write it to *path*, or into that folder under its own name; return the path.

        The file appears there only when it is complete.

        Raises:
            CallFailed: It was cut off.
            OSError: It cannot be written.
            RuntimeError: It was closed, or read before, or a part of it was.
        """
        self.check_unread()
        place = self.place(path)
        with self, _saving(place) as file:
            for part in self:
                file.write(part)
        return place

    def close(self) -> None:
        """Close the connection, if the file has not ended."""
        self._is_closed = True
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


@final
class AsyncFile(_Facts):
    """
    A file: iterate over its parts with ``async for``, once; or use `save` or `read`.

    It is closed at its end, by ``async with``, or by `aclose`; until then it holds a connection.
    """

    __slots__ = ("_opened",)

    def __init__(
        self,
        opened: AsyncOpenResponse,
        operation: DownloadOperation[Any, Any],
        response: ResponseInfo,
        options: Options,
    ) -> None:
        super().__init__(operation, response, options)
        self._opened: Final = opened

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        """
        The next part.

        Raises:
            CallFailed: The file was cut off.
        """
        try:
            part = await self._opened.read(self.quiet)
            self.took(part)
        except Exception as error:
            await self.aclose()
            raise self.broken(error) from error
        if not part:
            await self.aclose()
            raise StopAsyncIteration
        return part

    async def read(self, max_bytes: int | None = None) -> bytes:
        """
        The whole file, up to so many bytes; by default the client's limit for any answer.

        Raises:
            CallFailed: It is larger, or was cut off.
            RuntimeError: It was closed, or read before, or a part of it was.
        """
        self.check_unread()
        content = bytearray()
        async with self:
            async for part in self:
                content += part
                self.check_size(len(content), max_bytes)
        return bytes(content)

    async def save(self, path: str | os.PathLike[str]) -> Path:
        """
        Write it to *path*, or into that folder under its own name; return the path.

        The file appears there only when it is complete.

        Raises:
            CallFailed: It was cut off.
            OSError: It cannot be written.
            RuntimeError: It was closed, or read before, or a part of it was.
        """
        self.check_unread()
        place = self.place(path)
        async with self:
            with _saving(place) as file:
                async for part in self:
                    file.write(part)
        return place

    async def aclose(self) -> None:
        """Close the connection, if the file has not ended."""
        self._is_closed = True
        await self._opened.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()
