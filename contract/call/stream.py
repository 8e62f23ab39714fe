"""
Streams on the wire: how items, a failure and the end are written, and which streams are open.

As ``text/event-stream`` (HTML, section 9.2) an item is an event without a name. The last event is
called ``end``, or ``error`` if the stream was not finished. As ``application/jsonl`` each line is
an object, whose first key says what it is: ``item``, ``error`` or ``end``. Items are always wrapped
there, so none can be taken for a failure. A comment, or a line ``{}``, is a keep-alive: it comes
first, so that a server sends the headers, and then whenever nothing else has come for 15 s.

A caller that can only take all items together (an MCP client) has a `Gathered`, which keeps them.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, cast, final

import orjson

from contract.call.accept import names
from contract.call.context import OK, Outcome, Reply
from contract.call.failure_writers import FailureWriter
from contract.call.incoming import Incoming
from contract.call.message import BARE_HEADERS, EVENT_HEADERS, FixedHeaders, one_line
from contract.call.values import Values
from contract.declare.failures import Failure
from contract.declare.outputs import Stream
from contract.pred.compile import Pred
from contract.pred.dump.scalars import a_value
from contract.shape.exceptions import InvalidOutput

__all__ = [
    "EVENT",
    "EVENTS",
    "LINES",
    "Ends",
    "Form",
    "Gathered",
    "Items",
    "OpenStreams",
    "StreamReply",
    "apart",
    "checked_id",
    "form_for",
]


class Form(Protocol):
    """One way to write a stream."""

    headers: FixedHeaders
    quiet: bytes
    """A keep-alive; empty if the form has none."""
    word: str
    """The name of the whole stream in a log."""
    part: str
    """The name of one item in a log."""

    def item(self, data: bytes, id: str | None) -> bytes | None:  # noqa: A002
        """
        Write an item from the JSON *data*; return None to take no more, which ends the stream.
        """
        ...

    def error(self, body: bytes) -> bytes | None:
        """
        Write the end of an unfinished stream, with the *body* of a failure.

        None if the form has no such end, so that the connection must be cut off.
        """
        ...

    def end(self) -> bytes:
        """Write the end of a finished stream."""
        ...


EVENT: Final = b"data: %b\n\n"
"""An item of an event stream that has no id, and only ASCII."""


@final
class _Events:
    headers = EVENT_HEADERS
    quiet = b": working\n\n"
    word, part = "stream", "item"

    def item(self, data: bytes, id: str | None) -> bytes:  # noqa: A002
        if not data.isascii():
            data = one_line(data)
        if id is None:
            return EVENT % data
        return b"id: " + id.encode("ascii") + b"\ndata: " + data + b"\n\n"

    def error(self, body: bytes) -> bytes:
        return b"event: error\ndata: " + one_line(body) + b"\n\n"

    def end(self) -> bytes:
        return b"event: end\ndata: {}\n\n"  # readers drop an event without data


@final
class _Lines:
    # those of events, but for their first, the content type
    headers = FixedHeaders(("content-type", "application/jsonl"), *EVENT_HEADERS.pairs[1:])
    quiet = b"{}\n"
    word, part = "stream", "item"

    def item(self, data: bytes, id: str | None) -> bytes:  # noqa: A002
        if not data.isascii():
            data = one_line(data)
        if id is None:
            return b'{"item":' + data + b"}\n"
        return b'{"item":' + data + b',"id":' + orjson.dumps(id) + b"}\n"

    def error(self, body: bytes) -> bytes:
        return one_line(body) + b"\n"

    def end(self) -> bytes:
        return b'{"end":true}\n'


_BROKEN: Final = b'{"error":"INTERNAL_ERROR"}'

EVENTS: Final[Form] = _Events()
LINES: Final[Form] = _Lines()


@final
class Gathered:
    """
    The items of one stream, for a caller that gets them together once it is over.

    It is the form of that stream, and sends nothing: a part only says that it goes on. An item
    without room is not kept, and ends the stream as if it had come to its end.

    Args:
        most_items: How many items there is room for.
        most_bytes: How many bytes of JSON there is room for.
        seconds: The seconds for the whole stream, if the mount has no limit.
        report: Called with each item's number and JSON, in the thread that asks for items.

    Attributes:
        items: The JSON of each item.
        complete: Whether there was room for all items that came.
        outcome: The failure that ended it, or None if it came to its end; known at its end.
    """

    headers: FixedHeaders = BARE_HEADERS
    quiet: bytes = b""
    word: str = "stream"
    part: str = "item"

    def __init__(
        self, most_items: int, most_bytes: int, seconds: float, report: Callable[[int, bytes], None]
    ) -> None:
        self._most_items: Final = most_items
        self._room = most_bytes
        self._report: Final = report
        self.seconds: Final = seconds
        self.items: Final[list[bytes]] = []
        self.complete: bool = True
        self.outcome: Reply | None = None
        self._body = b""

    def item(self, data: bytes, id: str | None) -> bytes | None:  # noqa: A002, ARG002
        """Keep an item; None if there is no room for it."""
        self._room -= len(data)
        if self._room < 0 or len(self.items) == self._most_items:
            self.complete = False
            return None
        self.items.append(data)
        self._report(len(self.items), data)
        return b""

    def error(self, body: bytes) -> bytes:
        """Keep the *body* of the failure that ends it."""
        self._body = body
        return b""

    def end(self) -> bytes:
        """Record that it came to its end."""
        return b""

    def tell(self, _incoming: Incoming, outcome: Outcome, exception: BaseException | None) -> None:
        """Take the facts about a finished stream, as `OpenStreams.tell` does for others."""
        if outcome.code != OK:
            self.complete = False
            # a stream that cancelled itself has no body, and is broken
            self.outcome = Reply(outcome.status, outcome.code, self._body or _BROKEN)
            self.outcome.exception = exception


def apart(incoming: Incoming) -> None:
    """
    Run a call that may give a stream as if a thread were waiting beside it.

    So its values are made in a thread that can be kept for it, and another one sends its parts.
    """
    cast("Any", incoming).blocks = False  # each adapter has such a slot
    incoming.values = Values()


def form_for(incoming: Incoming) -> Form:
    """The form that the client asks for: lines if it names them but no events."""
    accept = incoming.header("accept")
    if accept is None or not names(accept, "application/jsonl"):
        return EVENTS
    if names(accept, "text/event-stream"):
        return EVENTS
    return LINES


@final
@dataclass(slots=True, eq=False, repr=False)
class Items:
    """
    The output of a route that gives a stream; takes the place of its pred.

    Attributes:
        pred: The pred of an item.
        failures: The writers of the failures that may come between items.
        form: The form to write them in, whatever a client asks for; None to let it choose.
        streams: The open streams of the mount; set by the service.
    """

    pred: Pred[Any]
    failures: Mapping[type[Failure], FailureWriter]
    form: Form | None = None
    streams: OpenStreams = field(init=False)

    def preds(self) -> list[Pred[Any]]:
        """The preds of an item and of the failures."""
        return [self.pred, *(writer.pred for writer in self.failures.values())]

    def dump(self, value: object) -> Any:
        """
        The outcome of a call whose resolver has returned *value*.

        Raises:
            InvalidOutput: It is not a stream.
        """
        if type(value) is not Stream:
            raise InvalidOutput((), f"expected a Stream, found {a_value(value)}")
        return StreamReply(self, value)  # pyright: ignore[reportUnknownArgumentType]


@final
class StreamReply(Reply):
    """
    The outcome of a call whose items are yet to come.

    Attributes:
        items: Describes the items.
        stream: The stream that the resolver returned.
        parts: The parts of the body, once they have been asked for.
        form: The form to write them in.
        gathered: Keeps the items for a caller that takes them together; else None.
        over: Whether the values of the call have already ended.
    """

    __slots__ = ("form", "gathered", "items", "over", "parts", "stream")

    form: Form
    parts: Any

    def __init__(self, items: Items, stream: Stream[Any]) -> None:
        super().__init__(200, "OK", b"")
        self.items: Final = items
        self.stream: Final = stream
        self.gathered: Gathered | None = None
        self.over: bool = False


class Ends(Protocol):
    """An open stream, which can be told to end from any thread."""

    def end_soon(self) -> None: ...  # noqa: D102


_Tell = Callable[[Incoming, Outcome, BaseException | None], None]


@final
class OpenStreams:
    """
    The open streams of one mount.

    Args:
        tell: Takes the facts about a finished stream: its request, its outcome, its exception.
    """

    def __init__(self, tell: _Tell) -> None:
        self.tell: Final = tell
        self._open: Final[set[Ends]] = set()
        self._lock: Final = threading.Lock()
        self._ending = False

    def __len__(self) -> int:
        return len(self._open)

    def add(self, stream: Ends) -> None:
        """Add a stream that begins; it ends soon if all have been told to end."""
        # `end_soon` takes a lock of the adapter's, so it is called without this one
        with self._lock:
            self._open.add(stream)
            ending = self._ending
        if ending:
            stream.end_soon()

    def discard(self, stream: Ends) -> None:
        """Remove a stream that is over."""
        with self._lock:
            self._open.discard(stream)

    def end(self) -> None:
        """Tell all of them to end, including those that begin later."""
        with self._lock:
            self._ending = True
            found = list(self._open)
        for stream in found:
            stream.end_soon()


_ID: Final = re.compile(r"[!-~](?:[ -~]{0,254}[!-~])?")


def checked_id(given: object) -> str:
    """
    The id of an item, which comes back in a header.

    Raises:
        InvalidOutput: It is not a string, or has characters that a header cannot have.
    """
    if isinstance(given, str) and _ID.fullmatch(given):
        return str.__str__(given)
    raise InvalidOutput(
        (), "its id= gives no text of 1 to 256 printable ASCII characters without spaces around it"
    )
