"""
Drawn: a limited number of items of a stream, or parts of a file, read for a check.

Each is checked when it comes, since an iterator may change it afterwards.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast, final

from contract.call.stream import LINES, Items, checked_id
from contract.declare.failures import Failure
from contract.declare.outputs import Download, Stream
from contract.declare.typed_route import Entry
from contract.pred.compile import compile_pred
from contract.pred.dump.scalars import a_value
from contract.shape.exceptions import InvalidOutput
from contract.shape.nodes import Definition
from contract.shape.quoting import cut
from contract.testing.findings import Crashed, Finding, Undeclared, WrongOutput
from contract.testing.source import source_of

__all__ = ["FEW_ITEMS", "MOST_ITEMS", "Drawn", "Write", "checking", "drawn_of", "writing"]

FEW_ITEMS: Final = 20
"""How many items of a stream a check reads in each call."""

MOST_ITEMS: Final = 1_000
"""How many items a single call reads."""

_MOST_PARTS: Final = 10_000
"""How many parts of a file are read."""

_SHOWN: Final = 200

Write = Callable[[Stream[Any], object], bytes]
"""
Checks an item, and gives the line in which it is sent.

It raises `InvalidOutput` if the item does not fit.
"""


@final
class Drawn:
    """
    A stream, with the items that have come.

    Args:
        stream: The stream that the resolver returned; for a file, its parts.
        write: Checks its items.
        most: Close the stream after this many items.
        file: The file that the resolver returned; None for a stream.

    Attributes:
        items: The items that came; the last may be a failure, or not fit.
        lines: The lines in which they are sent, as far as they fit.
        problem: What is wrong with the last item.
        mistyped: The message for a file whose media type is not declared.
        raised: The exception of the iterator.
    """

    def __init__(
        self, stream: Stream[Any], write: Write, most: int, file: Download | None = None
    ) -> None:
        self._stream: Final = stream
        self.file: Final = file
        self.mistyped: str | None = None
        self._write: Final = write
        self._most: Final = most
        self.items: Final[list[Any]] = []
        self.lines: Final[list[bytes]] = []
        self.problem: Exception | None = None
        self.raised: BaseException | None = None

    @property
    def is_async(self) -> bool:
        """Whether its items have to be awaited."""
        return self._stream.is_async

    @property
    def failure(self) -> Failure | None:
        """The failure that ended it."""
        if self.items and isinstance(self.items[-1], Failure):
            return self.items[-1]
        return None

    @property
    def body(self) -> bytes:
        """The lines in which it is sent."""
        whole = b"".join(self.lines)
        if self.failure is None and self.file is None:
            whole += LINES.end()
        return whole

    def noted(self) -> Stream[Any] | Download:
        """The stream or file for another reader; whatever comes is recorded here."""
        items: Any
        if self.is_async:
            items = self._later()
        else:
            items = self._now()
        if self.file is None:
            return Stream(items, id=self._stream.id)
        return Download(items, media_type=self.file.media_type, name=self.file.name)

    def read(self) -> None:
        """Read it here, synchronously."""
        for _ in self._now():
            pass

    async def read_later(self) -> None:
        """Read it, whether it is async or not."""
        if not self.is_async:
            self.read()
            return
        async for _ in self._later():
            pass

    def _now(self) -> Iterator[Any]:
        # The inner `try` closes the iterator as a server does; the outer one also sees what it
        # raises while it is closed. `_later` is the same for an async iterator.
        items: Any = self._stream.items
        try:
            try:
                while self._goes_on() and (item := next(items, _END)) is not _END:
                    self._note(item)
                    yield item
            finally:
                if hasattr(items, "close"):
                    items.close()
        except BaseException as exception:
            self._see(exception)
            raise

    async def _later(self) -> AsyncIterator[Any]:
        items: Any = self._stream.items
        try:
            try:
                while self._goes_on() and (item := await anext(items, _END)) is not _END:
                    self._note(item)
                    yield item
            finally:
                if hasattr(items, "aclose"):
                    await items.aclose()
        except BaseException as exception:
            self._see(exception)
            raise

    def _goes_on(self) -> bool:
        ended = self.problem is not None or self.failure is not None
        return not ended and len(self.items) < self._most

    def _note(self, item: object) -> None:
        self.items.append(item)
        try:
            self.lines.append(self._write(self._stream, item))
        except Exception as exception:  # noqa: BLE001  whatever it is, it is reported
            self.problem = exception

    def _see(self, exception: BaseException) -> None:
        # the reader may stop early, as the wire does when its client hangs up
        if not isinstance(exception, GeneratorExit):
            self.raised = exception

    def finding(self, route: str, calls: Sequence[str] = ()) -> Finding | None:
        """The finding about its last item, if there is one."""
        if self.mistyped is not None:
            return WrongOutput(route, self.mistyped, calls)
        if self.problem is None:
            return None
        item = self.items[-1]
        number = len(self.items)
        place = f"item {number} of its stream"
        if self.file is not None:
            place = f"part {number} of its file"
        if isinstance(self.problem, InvalidOutput):
            shown = f"{place} is {cut(source_of(item).text, _SHOWN)}"
            problem = f"{shown}, which does not fit what it declares: {self.problem}"
            return WrongOutput(route, problem, calls)
        if isinstance(self.problem, _Unknown):
            shown = f"{place} is {type(item).__name__}"
            return Undeclared(route, f"{shown}, which its annotation does not declare there", calls)
        problem = f"{place} cannot be written: {type(self.problem).__name__}: {self.problem}"
        return Crashed(route, problem, calls, self.problem)


def drawn_of(entry: Entry, given: object, write: Write | None, most: int) -> Any:
    """The result of a resolver, as `Drawn` if it is a stream or a file."""
    if entry.media is not None and isinstance(given, Download):
        found = Drawn(Stream(_parts(given)), _chunk, _MOST_PARTS, given)
        if not entry.media.takes(given.media_type):
            found.mistyped = f"its file is {given.media_type}, and it declares {entry.media!r}"
        return found
    if write is not None and entry.stream is not None and isinstance(given, Stream):
        return Drawn(given, write, most)  # pyright: ignore[reportUnknownArgumentType]
    return given


def _parts(file: Download) -> Any:
    if isinstance(file.source, bytes):
        return iter([file.source])
    if isinstance(file.source, Path):
        return _read(file.source)
    return file.source


def _read(path: Path) -> Iterator[bytes]:
    with path.open("rb") as opened:
        while part := opened.read(65_536):
            yield part


def _chunk(_: Stream[Any], part: object) -> bytes:
    if isinstance(part, bytes):
        return part
    raise InvalidOutput((), f"expected bytes, found {a_value(part)}")


class _Unknown(Exception):  # noqa: N818  it becomes a finding
    """A failure that may not come between items."""


_END: Final = object()


def writing(entry: Entry, items: Items) -> Write:
    """
    Checks the items of a route as the wire does.

    It accepts failures of the framework, which must be declared all the same.
    """
    between = _between(entry)

    def write(stream: Stream[Any], item: object) -> bytes:
        if isinstance(item, Failure):
            if type(item) not in between:
                raise _Unknown
            return LINES.error(items.failures[type(item)].reply(item).body) or b""
        data = items.pred.dump(item)
        id_ = None if stream.id is None else checked_id(stream.id(item))
        return cast("bytes", LINES.item(data, id_))

    return write


def checking(entry: Entry) -> Write:
    """Checks the items of a route without a mount; it writes nothing."""
    between = _between(entry)
    output = compile_pred(entry.output)

    def write(stream: Stream[Any], item: object) -> bytes:
        if isinstance(item, Failure):
            declared = between.get(type(item))
            if declared is None:
                raise _Unknown
            compile_pred(declared.shape).check(item)
        else:
            output.check(item)
            if stream.id is not None:
                checked_id(stream.id(item))
        return b""

    return write


def _between(entry: Entry) -> Mapping[type[Failure], Definition]:
    """The failures that may come between the items of a route."""
    return {} if entry.stream is None else entry.stream.failures
