"""Saved files: what `contract call` does with a file that a route gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final, TextIO, final

from contract.call.message import BrokenOff
from contract.cli.item_lines import ItemLines, facts
from contract.cli.output import Stop, bold, data, escaped, is_terminal, say

__all__ = ["Shown"]


@final
class Shown:
    """
    Shows a reply that comes part by part: a stream or a file.

    Args:
        name: The name of the route.
        items: Shows the reply if it is a stream.
        path: Where to save a file; None for standard output.
        as_json: Whether a line of JSON describes the reply.
        out: Standard output, which is redirected while the app runs.
    """

    def __init__(
        self, name: str, items: ItemLines, path: str | None, *, as_json: bool, out: TextIO | None
    ) -> None:
        self._name: Final = name
        self._items: Final = items
        self._path: Final = path
        self._as_json: Final = as_json
        self._out: Final = out
        self._code: int | None = None

    @property
    def code(self) -> int | None:
        """The exit code; None if there was no stream and no file."""
        return self._items.code if self._code is None else self._code

    def takes(self, status: int, headers: Mapping[str, str]) -> bool:
        """Whether a reply with these is a stream or a file."""
        return self._items.takes(status, headers) or _is_file(status, headers)

    def show(self, headers: Mapping[str, str], parts: Iterable[bytes]) -> None:
        """
        Write the *parts* of a body.

        Raises:
            Stop: They were cut off, must not go to a terminal, or cannot be written.
        """
        if not _is_file(200, headers):
            self._items.show(headers, parts)
            return
        kind = escaped(headers.get("content-type", ""))
        if self._path is None and (self._as_json or is_terminal(self._out)):
            where = "beside a line of JSON" if self._as_json else "on a terminal"
            raise Stop(
                2, f"{self._name} gives a file ({kind}), not shown {where}; save it: -o FILE"
            )
        try:
            size = self._written(_whole(headers, parts))
        except BrokenOff:
            raise Stop(3, f"the file of {self._name} was broken off") from None
        self._code = 0
        if self._as_json:
            data(facts(self._name, 200, headers, b""), self._out)
            return
        to = "" if self._path is None else f", saved as {self._path}"
        request_id = escaped(headers.get("x-request-id", "-"))
        say(f"{bold('200')} {self._name}  request {request_id}  {kind}, {size} bytes{to}")

    def _written(self, parts: Iterable[bytes]) -> int:
        if self._path is None:
            if self._out is None:
                raise Stop(2, "cannot write to standard output: it is closed")
            return _copied(parts, self._out.buffer)
        path = Path(self._path)
        part = path.with_name(f"{path.name}.part")
        try:
            with part.open("wb") as file:
                size = _copied(parts, file)
            part.replace(path)
        except OSError as error:
            raise Stop(2, f"cannot write {self._path}: {error.strerror}") from None
        finally:
            with suppress(OSError):
                part.unlink()
        return size


def _whole(headers: Mapping[str, str], parts: Iterable[bytes]) -> Iterator[bytes]:
    """The *parts* of a body, after a check that they are as long as its headers say."""
    announced, size = headers.get("content-length"), 0
    for part in parts:
        size += len(part)
        yield part
    if announced is not None and announced != str(size):
        raise BrokenOff


def _copied(parts: Iterable[bytes], to: BinaryIO) -> int:
    size = 0
    for part in parts:
        size += to.write(part)
    to.flush()
    return size


def _is_file(status: int, headers: Mapping[str, str]) -> bool:
    return status == 200 and "content-disposition" in headers
