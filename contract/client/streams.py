"""
Streams: the items that a route gives one by one.

Each item is a result like any other: an `Ok`, or the failure that ended the stream, which is then
the last one::

    match api.chat(question="..."):
        case Ok(items):
            with items:
                for each in items:
                    match each:
                        case Ok(token):
                            ...
                        case Interrupted(after=after):
                            ...
                        case CallError() as error:
                            ...
        case Refused():
            ...
        case CallError() as error:
            ...

So a loop cannot miss that a stream was not finished. It could, if it got bare items and the failure
were kept elsewhere. A type checker also tells whether a ``match`` is complete. If you prefer
exceptions, use ``unwrap(each)``. A loop that ends without a failure has seen all items: a
connection that is lost before the end is a NETWORK_ERROR ("aborted").

A call is tried again like any other, but never once its stream has begun. To continue a lost stream
after its last item, call ``api.with_options(last_event_id=items.last_event_id).chat(...)``; the
service must give its items ids.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType, TracebackType
from typing import Any, Final, Generic, Self, TypeGuard, TypeVar, cast, final

from pydantic_core import from_json, to_json

from contract.client.answers import refusal_of
from contract.client.files import AsyncFile, DownloadOperation, File, wrong_file
from contract.client.flow import cause_of, worded
from contract.client.options import Options
from contract.client.results import CallError, DeclaredFailure, Ok, ResponseInfo
from contract.client.schemas import Effect, Operation, RouteSchemas, Schema
from contract.client.transport import (
    AsyncOpenResponse,
    AsyncStreamTransport,
    AsyncTransport,
    HttpRequest,
    HttpResponse,
    OpenResponse,
    StreamTransport,
    Transport,
    TransportError,
)
from contract.shape.exceptions import InvalidInput
from contract.shape.issues import Issue

__all__ = ["AsyncItems", "AsyncOpening", "Items", "Opening", "StreamOperation", "is_streaming"]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
I = TypeVar("I")  # noqa: E741  input
F = TypeVar("F", bound=DeclaredFailure)
R = TypeVar("R")
E = TypeVar("E", bound=DeclaredFailure)
E_co = TypeVar("E_co", bound=DeclaredFailure, covariant=True)


@final
class StreamOperation(Generic[I, T, F, E]):
    """
    A route that gives a stream, as a client calls it.

    Args:
        name: As in `Operation`.
        effect: What a call changes.
        schemas: The schemas of its input and of an item.
        failures: The classes of the failures that may come instead of the stream.
        between: Those of the failures that may come between items, and end the stream.
    """

    __slots__ = ("between", "call")

    def __init__(
        self,
        name: str,
        *,
        effect: Effect,
        schemas: RouteSchemas[I, T],
        failures: tuple[type[F], ...] = (),
        between: tuple[type[E], ...] = (),
    ) -> None:
        self.call: Final[Operation[I, T, F]] = Operation(
            name, effect=effect, opens="application/jsonl", schemas=schemas, failures=failures
        )
        self.between: Final[Mapping[str, Schema[E]]] = MappingProxyType(
            {cls.error_code: Schema(cls) for cls in between}
        )

    def __repr__(self) -> str:
        return f"StreamOperation({self.call.name!r})"


Opens = StreamOperation[Any, Any, Any, Any] | DownloadOperation[Any, Any]


def is_streaming(operation: object) -> TypeGuard[Opens]:
    """Whether an *operation* gives a stream or a file."""
    return isinstance(operation, StreamOperation | DownloadOperation)


@final
class _Reading(Generic[T_co, E_co]):
    """
    The results in the lines of a stream, apart from the I/O.

    Args:
        operation: The operation that was called.
        response: The answer, without its body.
        options: The options of the call.

    Attributes:
        response: The answer.
        is_over: Whether there will be no other result.
        last_event_id: The id of the last item that had one.
    """

    __slots__ = (
        "_between",
        "_broken",
        "_item",
        "_line",
        "_lines",
        "_options",
        "_url",
        "is_over",
        "last_event_id",
        "response",
    )

    def __init__(
        self,
        operation: StreamOperation[Any, T_co, Any, E_co],
        response: ResponseInfo,
        options: Options,
    ) -> None:
        self.response: Final = response
        self.is_over: bool = False
        self.last_event_id: str | None = options.last_event_id
        self._item: Final[Schema[Any]] = operation.call.schemas.output
        self._between: Final[Mapping[str, Schema[Any]]] = operation.between
        self._options: Final = options
        self._url: Final = options.url_of(operation.call.name)
        self._lines: Final[deque[bytes]] = deque()
        # a list of tiny parts would take twenty times their size
        self._line: Final = bytearray()
        """The line that is not complete yet."""
        self._broken: CallError | None = None

    # The reader is fed: `take` gives it parts of the body, `break_off` an error, and `next` is
    # asked for results until it has none. So one reader serves both kinds of clients.

    @property
    def quiet(self) -> float:
        """Seconds in which the next part must come."""
        return self._options.timeout.quiet

    def next(self) -> Ok[T_co] | E_co | CallError | None:
        """The next result; None if there is none yet, or the stream is over."""
        result: Any = None
        while result is None and not self.is_over:
            if self._lines:
                result = self._result(self._lines.popleft())
            elif self._broken is None:
                return None
            else:
                # only after the lines that had come before the connection was lost
                self.is_over, result = True, self._broken
        return cast("Ok[T_co] | E_co | CallError | None", worded(result, self._options))

    def take(self, part: bytes) -> None:
        """Take the next *part* of the body; an empty part is its end."""
        if not part:
            self.break_off(TransportError("aborted", "the stream ended without saying so"))
            return
        # JSON in one line has line feeds only as escapes, so each one here is the end of a line
        first, *others = part.split(b"\n")
        self._extend_line(first)
        for each in others:
            if self._broken is not None:
                return  # the line was too long
            self._lines.append(bytes(self._line))
            self._line.clear()
            self._extend_line(each)

    def _extend_line(self, part: bytes) -> None:
        # a line that never ends would fill the memory
        self._line.extend(part)
        limit = self._options.max_response_bytes
        if len(self._line) > limit:
            message = f"A line is larger than {limit} bytes, which is the limit of this client."
            self._broken = self._unknown(b"", Issue((), "unreadable", message))

    def break_off(self, error: Exception) -> None:
        """
        End the stream with a network *error*, once all results that came have been given.

        Raises:
            Exception: The *error*, if it is not a network error.
        """
        self._broken = replace(
            self._unknown(None),
            code="NETWORK_ERROR",
            cause=cause_of(error),
            exception=error,
            url=self._url,
        )

    def _result(self, line: bytes) -> Any:
        """The result in a *line*, if there is one."""
        try:
            sent: Any = from_json(line, allow_inf_nan=False)
        except ValueError:
            sent = None
        match sent:
            case {"item": item, **_others}:
                return self._given(item, sent.get("id"), line)
            case {"end": True, **_others}:
                self.is_over = True
                return None
            # an empty object keeps the connection alive, while there is no item
            case {**others} if not others:
                return None
            # a failure, or something that no service sends: the last result either way
            case _:
                self.is_over = True
                answer = HttpResponse(self.response.status, self.response.headers, line)
                return refusal_of(self._between, answer, None)

    def _given(self, item: object, id_: object, line: bytes) -> Ok[Any] | CallError:
        try:
            value = self._item.answers.load(to_json(item))
        except InvalidInput as refused:
            self.is_over = True
            issues = (replace(each, path=("item", *each.path)) for each in refused.issues)
            return self._unknown(line, *issues)
        if isinstance(id_, str) and _ID.fullmatch(id_):
            self.last_event_id = id_
        return Ok(value, response=self.response)

    def _unknown(self, body: bytes | None, *issues: Issue) -> CallError:
        info = self.response
        return CallError(
            "UNKNOWN_ERROR", info.status, issues=issues, headers=info.headers, body=body
        )


_ID: Final = re.compile(r"[!-~](?:[ -~]{0,254}[!-~])?")
"""An id that a header can have: no other could be sent back."""


@final
class Items(Generic[T_co, E_co]):
    """
    The items of a stream: iterate over them with ``for``, once.

    It is closed at its end, by ``with``, or by `close`; until then it holds a connection.
    """

    __slots__ = ("_opened", "_reading")

    def __init__(self, opened: OpenResponse, reading: _Reading[T_co, E_co]) -> None:
        self._opened: Final = opened
        self._reading: Final = reading

    @property
    def last_event_id(self) -> str | None:
        """The id of the last item that came; to continue after it, pass it to ``with_options``."""
        return self._reading.last_event_id

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Ok[T_co] | E_co | CallError:
        reading = self._reading
        while True:
            found = reading.next()
            if reading.is_over:
                self._opened.close()
            if found is not None:
                return found
            if reading.is_over:
                raise StopIteration
            try:
                reading.take(self._opened.read(reading.quiet))
            except Exception as error:  # noqa: BLE001
                # network failures are told from bugs there
                reading.break_off(error)

    def close(self) -> None:
        """Close the connection, if the stream is not over."""
        self._reading.is_over = True
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
class AsyncItems(Generic[T_co, E_co]):
    """
    The items of a stream: iterate over them with ``async for``, once.

    It is closed at its end, by ``async with``, or by `aclose`; until then it holds a connection.
    """

    __slots__ = ("_opened", "_reading")

    def __init__(self, opened: AsyncOpenResponse, reading: _Reading[T_co, E_co]) -> None:
        self._opened: Final = opened
        self._reading: Final = reading

    @property
    def last_event_id(self) -> str | None:
        """The id of the last item that came; to continue after it, pass it to ``with_options``."""
        return self._reading.last_event_id

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Ok[T_co] | E_co | CallError:
        reading = self._reading
        while True:
            found = reading.next()
            if reading.is_over:
                await self._opened.aclose()
            if found is not None:
                return found
            if reading.is_over:
                raise StopAsyncIteration
            try:
                reading.take(await self._opened.read(reading.quiet))
            except Exception as error:  # noqa: BLE001
                # network failures are told from bugs there
                reading.break_off(error)

    async def aclose(self) -> None:
        """Close the connection, if the stream is not over."""
        self._reading.is_over = True
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


# A stream or a file is opened by the flow of any other call. `send` stands in for that of the
# transport: it keeps an answer that has begun, and shows the flow its status and headers. Both
# classes do the same, and differ only in what they await.


@final
class Opening:
    """
    Sends the requests of a call whose answer may be a stream or a file, and keeps that open.

    Attributes:
        opened: The open answer, once it has begun.

    Raises:
        TypeError: The *transport* cannot open one.
    """

    __slots__ = ("_transport", "opened")

    def __init__(self, transport: Transport) -> None:
        if not isinstance(transport, StreamTransport):
            raise TypeError(_NO_STREAMS.format(type(transport).__name__))
        self._transport: Final[StreamTransport] = transport
        self.opened: OpenResponse | None = None

    def send(self, request: HttpRequest, *, timeout: float, max_bytes: int) -> HttpResponse:
        """Send *request*; for a stream, return only status and headers."""
        answer = self._transport.open(request, timeout=timeout, max_bytes=max_bytes)
        if isinstance(answer, HttpResponse):
            return answer
        self.opened = answer
        return HttpResponse(answer.status, answer.headers, b"")

    def outcome(
        self, operation: Opens, result: R, options: Options
    ) -> R | Ok[Items[Any, Any]] | Ok[File] | CallError:
        """The stream or file that has begun; otherwise the *result* of the call."""
        if self.opened is None:
            return result
        response = ResponseInfo(self.opened.status, self.opened.headers)
        if isinstance(operation, DownloadOperation):
            wrong = wrong_file(operation, response, options)
            if wrong is not None:
                self.opened.close()
                return wrong
            file = File(self.opened, operation, response, options)
            return Ok(file, response=response)
        return Ok(Items(self.opened, _Reading(operation, response, options)), response=response)


@final
class AsyncOpening:
    """The `Opening` for event loops."""

    __slots__ = ("_transport", "opened")

    def __init__(self, transport: AsyncTransport) -> None:
        if not isinstance(transport, AsyncStreamTransport):
            raise TypeError(_NO_STREAMS.format(type(transport).__name__))
        self._transport: Final[AsyncStreamTransport] = transport
        self.opened: AsyncOpenResponse | None = None

    async def send(self, request: HttpRequest, *, timeout: float, max_bytes: int) -> HttpResponse:
        """Send *request*; for a stream, return only status and headers."""
        answer = await self._transport.open(request, timeout=timeout, max_bytes=max_bytes)
        if isinstance(answer, HttpResponse):
            return answer
        self.opened = answer
        return HttpResponse(answer.status, answer.headers, b"")

    async def outcome(
        self, operation: Opens, result: R, options: Options
    ) -> R | Ok[AsyncItems[Any, Any]] | Ok[AsyncFile] | CallError:
        """The stream or file that has begun; otherwise the *result* of the call."""
        if self.opened is None:
            return result
        response = ResponseInfo(self.opened.status, self.opened.headers)
        if isinstance(operation, DownloadOperation):
            wrong = wrong_file(operation, response, options)
            if wrong is not None:
                await self.opened.aclose()
                return wrong
            file = AsyncFile(self.opened, operation, response, options)
            return Ok(file, response=response)
        items = AsyncItems(self.opened, _Reading(operation, response, options))
        return Ok(items, response=response)


_NO_STREAMS: Final = "the transport {} has no method open, so it can read no streams"
