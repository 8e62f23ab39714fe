"""ASGI: a request in a scope and its events (ASGI HTTP specification, 2.3 and later), answered on an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Generator,
    Iterable,
    Iterator,
    Mapping,
    MutableMapping,
)
from contextlib import suppress
from functools import lru_cache
from time import perf_counter
from types import MappingProxyType, coroutine
from typing import Any, Final, TypeVar, cast, final

from contract.adapters.loops import Watch, in_thread, timed
from contract.adapters.pace import Pace
from contract.adapters.pool import Lanes
from contract.adapters.streams import Stream
from contract.call.context import CURRENT, IDS, request_id
from contract.call.dispatch import Refused
from contract.call.message import (
    JSON_HEADERS,
    PLAIN_TYPES,
    Answered,
    Incoming,
    Lane,
    Response,
    Streamed,
    announced_length,
    with_encoded_slashes,
)
from contract.call.mount_options import Limits
from contract.call.service import Service

__all__ = [
    "HTTP_VERSIONS",
    "AsgiIncoming",
    "Event",
    "Receive",
    "Scope",
    "ScopeHeaders",
    "ScopeIncoming",
    "Send",
    "Waiting",
    "path_of",
    "poll",
    "read_body",
    "respond",
    "send_response",
]

HTTP_VERSIONS: Final[Mapping[str, str]] = MappingProxyType(
    {"1": "1.0", "1.0": "1.0", "1.1": "1.1", "2": "2", "3": "3"}
)
"""The versions that are spoken, and what frameworks call them; others are answered with 505."""

T = TypeVar("T")

Scope = MutableMapping[str, Any]
"""What a server says of a connection."""
Event = MutableMapping[str, Any]
"""Part of a request."""
Receive = Callable[[], Awaitable[Event]]
"""Gives the next event from the client."""
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
"""Takes the next event to the client."""


@final
class ScopeHeaders(Mapping[str, str]):
    """The headers in a scope; repeated ones joined with ", "."""

    __slots__ = ("_found",)

    def __init__(self, scope: Scope) -> None:
        found: dict[str, str] = {}
        for raw_name, raw_value in scope["headers"]:
            name = raw_name.decode("latin-1").lower()
            value = raw_value.decode("latin-1")
            found[name] = f"{found[name]}, {value}" if name in found else value
        self._found: Final = found

    def __getitem__(self, name: str) -> str:
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


def path_of(scope: Scope) -> str:
    """
    The path of a request, below where the application stands.

    What the specification calls ``path`` begins with ``root_path`` (HTTP specification, 2.4), which
    a server is told (``--root-path``) or a framework adds (``Mount("/rpc", app)``); servers of
    before leave it out.
    """
    path: str = scope["path"]
    raw: bytes | None = scope.get("raw_path")
    if raw is not None and b"%2" in raw:
        path = with_encoded_slashes(path, raw.decode("latin-1"))
    root: str | None = scope.get("root_path")
    if root and path.startswith(root):
        below = path[len(root) :]
        if not below or below[0] == "/":
            return below or "/"
    return path


_OK: Final = JSON_HEADERS.raw
_PLAIN: Final = frozenset(kind.encode() for kind in PLAIN_TYPES)


@lru_cache(1024)
def _announced(length: bytes) -> int | None:
    return announced_length(length.decode("latin-1"))


def _joined(headers: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """Each header once; repeated ones joined with a comma."""
    found: dict[bytes, bytes] = {}
    for name, value in headers:
        found[name] = b"%b,%b" % (found[name], value) if name in found else value
    return found


class ScopeIncoming(Incoming):
    """A request in a scope."""

    __slots__ = ("_found", "_native", "_scope", "lanes")

    def __init__(
        self, scope: Scope, path: str, native: Callable[[Scope], Any], lanes: Lanes
    ) -> None:
        self._scope = scope
        self._native = native
        self.lanes: Lanes = lanes
        self.method: str = scope["method"]
        self.path: str = path
        self.cancelled = self.watched = False
        headers: Iterable[tuple[bytes, bytes]] = scope["headers"]
        if not isinstance(
            headers, list
        ):  # any iterable is allowed, even one that can be read once; hooks may want to read it again
            headers = scope["headers"] = list(headers)
        found = dict(headers)
        self._found = found if len(found) == len(headers) else _joined(headers)
        sent = self._found.get(b"x-request-id")
        self.request_id: str = IDS.new() if sent is None else request_id(sent.decode("latin-1"))
        self.started: float = perf_counter()

    def _text(self, name: bytes) -> str | None:
        value = self._found.get(name)
        return None if value is None else value.decode("latin-1")

    @property
    def plain_length(self) -> int | None:
        """
        The length of a body in the form that nearly all come in: JSON, not encoded, not in chunks.

        None for every other.
        """
        found = self._found
        if (
            found.get(b"content-type") not in _PLAIN
            or b"content-encoding" in found
            or b"transfer-encoding" in found
        ):
            return None
        return _announced(found.get(b"content-length", b""))

    @property
    def content_type(self) -> str | None:
        """As it was sent."""
        return self._text(b"content-type")

    @property
    def content_length(self) -> str | None:
        """As it was sent; repeated ones joined with a comma."""
        return self._text(b"content-length")

    @property
    def content_encoding(self) -> str | None:
        """As it was sent."""
        return self._text(b"content-encoding")

    @property
    def accept(self) -> str | None:
        """Repeated headers are joined with a comma."""
        return self._text(b"accept")

    @property
    def origin(self) -> str | None:
        """Of the page that calls, where a browser does."""
        return self._text(b"origin")

    @property
    def chunked(self) -> bool:
        """HTTP/2 has no Transfer-Encoding: a body whose length is not announced comes in events all the same."""
        found = self._found
        return b"transfer-encoding" in found or (
            b"content-length" not in found and self._scope.get("http_version") in ("2", "3")
        )

    @property
    def authorization(self) -> str | None:
        """Repeated headers are joined with a comma."""
        value = self._found.get(b"authorization")
        return None if value is None else value.decode("latin-1")

    def header(self, name: str) -> str | None:
        """
        One of the headers; its *name* is in lower case. Repeated ones are joined with a comma.
        """
        return self._text(name.encode("latin-1"))

    @property
    def headers(self) -> Mapping[str, str]:
        """All headers, names in lower case."""
        return ScopeHeaders(self._scope)

    @property
    def query(self) -> str:
        """As it was sent."""
        query: bytes = self._scope.get("query_string", b"")
        return query.decode("latin-1")

    @property
    def scheme(self) -> str:
        """As the server has it, which may stand behind a proxy."""
        scheme: str = self._scope.get("scheme", "http")
        return scheme

    @property
    def root(self) -> str:
        """What the server or the framework around says."""
        root: str = self._scope.get("root_path", "")
        return root.rstrip("/")

    @property
    def client(self) -> str | None:
        """The address of the peer."""
        client = self._scope.get("client")
        return None if client is None else str(client[0])

    @property
    def native(self) -> Any:
        """The framework's request, or the scope."""
        return self._native(self._scope)

    @property
    def version(self) -> str:
        """Of HTTP, as the server has it."""
        version: str = self._scope.get("http_version", "1.1")
        return version

    @property
    def closing(self) -> tuple[tuple[str, str], ...]:
        """What tells the server to close the connection: only HTTP/1 knows such a header."""
        return (
            (("connection", "close"),)
            if self._scope.get("http_version", "1.1").startswith("1")
            else ()
        )


@final
class AsgiIncoming(ScopeIncoming):
    """
    A request on an event loop.

    Args:
        scope: Of the request.
        path: Of the request, below the application.
        native: Makes what hooks get as `Request.native`.
        lanes: Threads for what must not run on the loop.
        receive: The server's.
    """

    __slots__ = ("_closed", "_hooking", "_receive", "blocks", "first")

    def __init__(
        self,
        scope: Scope,
        path: str,
        native: Callable[[Scope], Any],
        lanes: Lanes,
        receive: Receive,
    ) -> None:
        # super() would cost as much as three of the lines below
        ScopeIncoming.__init__(self, scope, path, native, lanes)
        self._receive = receive
        self.blocks: bool = False
        self._closed = self._hooking = False
        self.first: Event | Waiting | Refused | None = None
        """The first event, where it has been asked for early, and is not the whole body."""

    def receive(self) -> Awaitable[Event]:
        """The next event from the client."""
        return self._receive()

    def read(self, limit: int) -> bytes | Awaitable[bytes]:
        """The body; most small ones are there already."""
        announced = self.length
        if not announced and not self.chunked:
            return b""
        event = poll(self, self._receive) if self.first is None else self.first
        self.first = None
        if isinstance(event, Refused):
            raise event
        if (
            not isinstance(event, Waiting)
            and event["type"] == "http.request"
            and not event.get("more_body")
        ):
            body: object = event.get("body")
            if type(body) is bytes and len(body) == announced:
                return body
        return read_body(self, self._receive, limit, self.lanes.limits, event)

    def read_early(self, limit: int) -> bytes | None:
        """The body, where it is there and a thread for the whole call may be had."""
        announced = self.plain_length
        if announced is None or announced > limit or self.lanes.crowded:
            return None
        if not announced:
            return b""
        self.length = announced
        try:
            self.first = first = poll(self, self._receive)
            found = self.read(announced)
        except Refused as refused:
            self.first = refused
            return None
        if isinstance(found, bytes):
            return found
        cast("Coroutine[Any, Any, bytes]", found).close()  # it has not begun
        self.first = first
        return None

    async def leave_body(self) -> None:
        """
        Take back the question for the first event, where nobody needs the answer any more.

        It has to end in the task that it began in: frameworks wrap ``receive`` in code that insists
        on it (``BaseHTTPMiddleware`` of Starlette).
        """
        first, self.first = self.first, None
        if isinstance(first, Waiting):
            with suppress(Refused):
                await first.event(self, 0)

    def awaited(self, fn: Callable[..., Awaitable[T]], *args: object) -> Awaitable[T]:
        """
        Await the async function in the server's task; where it has a deadline, in one of its own.

        A resolver that cancels the task that it runs in (``asyncio.current_task().cancel()``) is
        taken for one whose client has gone: that task is the server's, and asyncio does not keep
        who has cancelled it. There is no reply then, and the call is told of as cancelled.
        """
        deadline = self.lanes.limits.deadline_seconds
        return fn(*args) if deadline is None else timed(deadline, fn, args)

    def offload(self, lane: Lane, fn: Callable[..., T], *args: object) -> Awaitable[T]:
        """
        Call the synchronous function in one of the threads.

        The thread goes on where the wait ends early.
        """
        return in_thread(self, lane, fn, args)

    def authenticated(self) -> None:
        """A thread has come past the hook of this call."""
        if self._hooking:
            self._hooking = False
            self.lanes.asking.pop()

    def asking(self) -> None:
        """A thread for resolvers is about to run the hook of this call."""
        self._hooking = True
        self.lanes.asking.append(None)

    def close(self) -> None:
        """The task goes away, as at the end of a loop: nobody waits for a reply."""
        self._closed = True

    def ends(self, exception: BaseException) -> bool:
        """
        Whether the task itself was cancelled or goes away; a resolver may raise the same by itself.
        """
        if self._closed:
            return True
        if not isinstance(exception, asyncio.CancelledError):
            return False
        task = asyncio.current_task()
        return task is not None and task.cancelling() > 0

    def stream(
        self,
        call: Callable[[Callable[[bytes], None]], Coroutine[Any, Any, Response]],
        cancelled: Callable[[], None],
    ) -> AsyncIterator[bytes]:
        """The events of a response, whose call goes on in a task of its own."""
        return Stream(self, call, cancelled)


@coroutine
def respond(service: Service, incoming: AsgiIncoming) -> Generator[Any, Any, Answered]:
    """
    The response of *service*, answered in the server's task and in its context, which is the request's own.

    A call that waits for something is watched: once its client has gone it is cancelled, told of, and has a response for nobody.
    """
    if incoming.version not in HTTP_VERSIONS:
        return service.broken(incoming, 505, "This HTTP version is not spoken here.")
    outer = CURRENT.get(None)
    call = service.answer(incoming)
    try:
        waiting = call.send(None)
    except StopIteration as done:  # it has waited for nothing
        response: Answered = done.value
        if outer is not None:
            CURRENT.set(outer)  # a resolver has called a route through the application, and goes on
        if incoming.first is not None:
            yield from incoming.leave_body().__await__()
        return response
    watch = Watch(incoming)
    try:
        while True:
            watch.wait()
            try:
                sent = yield waiting
            except GeneratorExit:
                incoming.close()
                call.close()
                raise
            except BaseException as exception:  # noqa: BLE001
                # a cancellation, on its way to the resolver
                waiting = call.throw(exception)
            else:
                waiting = call.send(sent)
    except StopIteration as done:
        response = done.value
    except asyncio.CancelledError:
        service.cancelled(incoming)
        if not (incoming.cancelled and watch.alone):
            if incoming.first is not None:
                yield from incoming.leave_body().__await__()
            raise
        response = Response(499, b"", incoming.request_id, JSON_HEADERS, ())
    finally:
        watch.end()
    if outer is not None:
        CURRENT.set(outer)
    if incoming.first is not None:
        yield from incoming.leave_body().__await__()
    return response


async def read_body(
    incoming: ScopeIncoming, receive: Receive, limit: int, limits: Limits, event: Event | Waiting
) -> bytes:
    """
    The body.

    Args:
        incoming: Whose body.
        receive: The server's.
        limit: Bytes.
        limits: How long it may take.
        event: The first, or the wait for it.

    Raises:
        Refused: It is too large, of another length than announced, broken off, or too slow.
    """
    announced = incoming.length
    parts = bytearray()  # a list of tiny parts would take forty times their size
    pace: Pace | None = None
    while True:
        if isinstance(event, Waiting):
            pace = pace or Pace(limits)
            event = await event.event(incoming, pace.left(len(parts)))
        if event["type"] != "http.request":
            raise Refused("BAD_REQUEST", message="The client went away before the end of the body.")
        # the specification says bytes, and servers also send what can be taken for them
        body = bytes(event.get("body", b""))
        more = event.get("more_body", False)
        size = len(parts) + len(body)
        if not announced:  # in chunks
            if size > limit:
                raise Refused("PAYLOAD_TOO_LARGE", limit=limit)
        elif size > announced or (size < announced and not more):
            raise Refused("BAD_REQUEST", message="The body is not as long as its Content-Length.")
        if not more:
            return bytes(parts + body) if parts else body
        parts += body
        event = poll(incoming, receive)


async def send_response(response: Answered, incoming: ScopeIncoming, send: Send) -> None:
    """
    Send all of *response*.

    Raises nothing where the client has gone: servers say so with an OSError (ASGI HTTP
    specification, 2.4), and nobody is left to be told.
    """
    if isinstance(response, bytes):
        status, body = 200, response
        headers = [
            *_OK,
            (b"x-request-id", incoming.request_id.encode("ascii")),
            (b"content-length", b"%d" % len(body)),
        ]
    else:
        headers = response.raw()
        if isinstance(response, Streamed):
            await _send_parts(response, headers, send)
            return
        status, body = response.status, response.body
        if status not in (204, 304):
            headers.append((b"content-length", b"%d" % len(body)))
        if incoming.method == "HEAD":
            body = b""
    try:
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})
    except OSError:
        pass


async def _send_parts(response: Streamed, headers: list[tuple[bytes, bytes]], send: Send) -> None:
    parts: Any = response.parts
    try:
        await send({"type": "http.response.start", "status": response.status, "headers": headers})
        async for part in parts:
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
    except OSError:
        pass
    finally:
        await parts.close()


def poll(incoming: ScopeIncoming, receive: Receive) -> Event | Waiting:
    """
    The next event, or the wait for it.

    A body that has arrived already needs no waiting, and then no timer either: a timer costs more
    than the rest of a small call.
    """
    try:
        steps = receive().__await__()
        return Waiting(steps, next(steps))
    except StopIteration as done:
        event: Event = done.value
        return event
    except Exception as error:
        raise _unreadable(incoming, error) from error


@final
class Waiting:
    """An event that has been asked for, and is not there yet."""

    __slots__ = ("_steps", "_until")

    def __init__(self, steps: Generator[Any, Any, Any], until: Any) -> None:
        self._steps: Final = steps
        self._until: Final = until

    async def event(self, incoming: ScopeIncoming, patience: float) -> Event:
        """The event, which has *patience* seconds to come."""
        try:
            async with asyncio.timeout(patience):
                event: Event = await _go_on(self._steps, self._until)
        except Exception as error:
            raise _unreadable(incoming, error) from error
        return event


def _unreadable(incoming: ScopeIncoming, error: Exception) -> Refused:
    if isinstance(error, TimeoutError):
        return Refused("REQUEST_TIMEOUT", incoming.closing)
    return Refused("BAD_REQUEST", message="The body could not be read.")


@coroutine
def _go_on(steps: Generator[Any, Any, Any], waiting: Any) -> Generator[Any, Any, Any]:
    """
    The rest of an awaitable of the server's that has been stepped once, and waits for *waiting*.
    """
    try:
        while True:
            try:
                yield waiting
            except BaseException as exception:
                if not hasattr(
                    steps, "throw"
                ):  # granian's awaitables can be iterated, and nothing else
                    raise
                waiting = steps.throw(exception)  # it may have something to wait for before it ends
            else:
                waiting = next(steps)
    except StopIteration as done:
        return done.value
