"""
Drawn: the items that a stream gives to a check, which reads a bounded number of them.

Each is looked at when it comes, since an iterator may change it afterwards.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import Any, Final, cast, final

from contract.call.stream import LINES, Items, checked_id
from contract.declare.failures import Failure
from contract.declare.stream import Stream
from contract.declare.typed_route import Entry
from contract.pred.compile import compile_pred
from contract.shape import Definition
from contract.shape.exceptions import InvalidOutput
from contract.shape.quoting import cut
from contract.testing.findings import Crashed, Finding, Undeclared, WrongOutput
from contract.testing.source import source_of

__all__ = ["FEW_ITEMS", "MOST_ITEMS", "Drawn", "Write", "checking", "writing"]

FEW_ITEMS: Final = 20
"""Items that a check reads of a stream at each call."""

MOST_ITEMS: Final = 1_000
"""Items that a single call reads."""

_SHOWN: Final = 200

Write = Callable[[Stream[Any], object], bytes]
"""
Looks at an item, and gives the line by which it is sent.

It raises `InvalidOutput` where it does not fit.
"""


@final
class Drawn:
    """
    A stream, and what has come of it.

    Args:
        stream: As the resolver returned it.
        write: Looks at its items.
        most: Those after which it is closed.

    Attributes:
        items: Those that came; the last may be a failure, or not fit.
        lines: How they are sent, as far as they fit.
        problem: What is wrong with the last.
        raised: By the iterator.
    """

    def __init__(self, stream: Stream[Any], write: Write, most: int) -> None:
        self._stream: Final = stream
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
        """The failure that has ended it."""
        last = self.items[-1] if self.items else None
        return last if isinstance(last, Failure) else None

    @property
    def body(self) -> bytes:
        """The lines by which it is sent."""
        return b"".join(self.lines) + (LINES.end() if self.failure is None else b"")

    def noted(self) -> Stream[Any]:
        """The stream for somebody else to read, of which all that comes is noted down."""
        return Stream(self._later() if self.is_async else self._now(), id=self._stream.id)

    def read(self) -> None:
        """Read it here."""
        for _ in self._now():
            pass

    async def read_later(self) -> None:
        """Read it, where it has to be awaited or not."""
        if not self.is_async:
            self.read()
            return
        async for _ in self._later():
            pass

    def _now(self) -> Iterator[Any]:
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
        except Exception as exception:  # noqa: BLE001  whatever it is, it is told
            self.problem = exception

    def _see(self, exception: BaseException) -> None:
        if not isinstance(exception, GeneratorExit):
            self.raised = exception

    def finding(self, route: str, calls: Sequence[str] = ()) -> Finding | None:
        """The finding that there is about its last item, if there is one."""
        if self.problem is None:
            return None
        given, place = self.items[-1], f"item {len(self.items)} of its stream"
        if isinstance(self.problem, InvalidOutput):
            told = f"{place} is {cut(source_of(given).text, _SHOWN)}"
            return WrongOutput(
                route, f"{told}, which does not fit what it declares: {self.problem}", calls
            )
        if isinstance(self.problem, _Unknown):
            told = f"{place} is {type(given).__name__}, which its annotation does not declare there"
            return Undeclared(route, told, calls)
        told = f"{place} cannot be written: {type(self.problem).__name__}: {self.problem}"
        return Crashed(route, told, calls, self.problem)


class _Unknown(Exception):  # noqa: N818  it is told as a finding
    """A failure that may not come between items."""


_END: Final = object()


def writing(entry: Entry, items: Items) -> Write:
    """
    Looks at the items of a route as the wire does.

    That lets failures of the framework pass, which have to be declared as well.
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
    """Looks at the items of a route without a mount, which writes nothing."""
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
