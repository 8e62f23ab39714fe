"""Answers in parts: what `contract call` does with a stream, or a file, that a route gives."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Final, TextIO, final

import orjson

from contract.call.message import BrokenOff
from contract.cli.output import Stop, bold, data, escaped, inert, is_terminal, red, say
from contract.testing.received import Item, Receiving, is_stream

__all__ = ["Shown", "facts"]


@final
class Shown:
    """
    Shows the reply to one call if it comes part by part: a stream or a file.

    A stream is written with one line for each item as it comes.

    Args:
        path: Where to save a file; None for standard output.
        as_json: Whether each line is an object; the last one describes the reply.
        out: Standard output, which is redirected while the app runs.

    Attributes:
        code: The exit code; None if there was no stream and no file.
        saved: Whether it was a file that is saved now.
    """

    def __init__(self, name: str, path: str | None, *, as_json: bool, out: TextIO | None) -> None:
        self._name: Final = name
        self._path: Final = path
        self._as_json: Final = as_json
        self._out: Final = out
        self.code: int | None = None
        self.saved: bool = False

    def takes(self, status: int, headers: Mapping[str, str]) -> bool:
        """Whether a reply with these is a stream or a file."""
        return status == 200 and (is_stream(headers.get("content-type")) or _is_file(headers))

    def show(self, headers: Mapping[str, str], parts: Iterable[bytes]) -> None:
        """
        Write the *parts* of a body, and how they ended.

        If the reader of a stream has seen enough and closed the pipe, the call ends with success.

        Raises:
            Stop: They were cut off, must not go to a terminal, or cannot be written.
            ValueError: It is not a stream of this package.
        """
        if _is_file(headers):
            self._save(headers, parts)
        else:
            self._show_items(headers, parts)

    def _show_items(self, headers: Mapping[str, str], parts: Iterable[bytes]) -> None:
        self.code = 0  # already, since the reader may close the pipe in the middle
        if not self._as_json:
            say(self._head(headers))
        reading = Receiving(headers.get("content-type"))
        for part in parts:
            for item in reading.take(part):
                if not data(self._line(item), self._out):
                    return
        if reading.last is None:
            raise Stop(3, f"the stream of {self._name} was broken off")
        # the last item is {} after success, or else the failure that ended the stream
        failure = reading.last
        if failure == b"{}":
            failure = b""
        self._end(headers, failure)

    def _line(self, item: Item) -> str:
        if self._as_json:
            found = {"item": item.value}
            if item.id is not None:
                found["id"] = item.id
            return inert(orjson.dumps(found).decode())
        text = item.data.decode(errors="backslashreplace")
        if is_terminal(self._out):
            return escaped(text)
        return text

    def _end(self, headers: Mapping[str, str], failure: bytes) -> None:
        self.code = 1 if failure else 0
        if self._as_json:
            data(facts(self._name, 200, headers, failure), self._out)
        elif failure:
            text = escaped(failure.decode(errors="backslashreplace"))
            say(f"{red('ended by a failure')}  {text}")

    def _save(self, headers: Mapping[str, str], parts: Iterable[bytes]) -> None:
        # 1. Refuse to write it where it does not belong: a terminal would obey its bytes.
        kind = escaped(headers.get("content-type", ""))
        if self._path is None and (self._as_json or is_terminal(self._out)):
            where = "on a terminal"
            if self._as_json:
                where = "beside a line of JSON"
            raise Stop(
                2, f"{self._name} gives a file ({kind}), not shown {where}; save it: -o FILE"
            )
        # 2. Write it, and tell of it.
        try:
            size = self._written(_whole(headers, parts))
        except BrokenOff:
            raise Stop(3, f"the file of {self._name} was broken off") from None
        self.code = 0
        self.saved = self._path is not None
        if self._as_json:
            data(facts(self._name, 200, headers, b""), self._out)
            return
        to = ""
        if self._path is not None:
            to = f", saved as {self._path}"
        say(f"{self._head(headers)}  {kind}, {size} bytes{to}")

    def _head(self, headers: Mapping[str, str]) -> str:
        return f"{bold('200')} {self._name}  request {escaped(headers.get('x-request-id', '-'))}"

    def _written(self, parts: Iterable[bytes]) -> int:
        if self._path is None:
            if self._out is None:
                raise Stop(2, "cannot write to standard output: it is closed")
            return _copied(parts, self._out.buffer)
        # into another file first, so that a file that was broken off never has the name
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


def _is_file(headers: Mapping[str, str]) -> bool:
    return "content-disposition" in headers


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


def facts(name: str, status: int, headers: Mapping[str, str], reply: bytes) -> str:
    """The facts about a reply for a program, as one line of JSON."""
    route = os.fsencode(name).decode(errors="backslashreplace")
    described: dict[str, Any] = {
        "route": route,
        "status": status,
        "request_id": headers.get("x-request-id"),
        "body": None,
    }
    try:
        if reply:
            described["body"] = orjson.loads(reply)
    except orjson.JSONDecodeError:  # sent by something in front of the server
        described["text"] = reply.decode(errors="backslashreplace")
    return inert(orjson.dumps(described).decode())
