"""
Incoming: one HTTP request, without sockets, as an adapter hands it to the service.

It is as raw as possible, since one is made for every call.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping
from operator import attrgetter
from typing import Any, Final, Literal, Protocol, TypeVar
from urllib.parse import quote, unquote

from contract.call.context import Surface
from contract.call.headers_out import HeadersOut
from contract.call.message import JSON_HEADERS, Answered, Response
from contract.call.proxies import Proxies
from contract.call.values import Hop, Values
from contract.declare.hook import Request
from contract.shape.urls import is_host

__all__ = [
    "CLOSING",
    "Incoming",
    "Lane",
    "Refused",
    "Sink",
    "host_of",
    "origin_of",
    "whole",
    "with_encoded_slashes",
]

T = TypeVar("T")

CLOSING: Final = (("connection", "close"),)
"""The header that tells a server of HTTP/1 to close the connection after its response."""


class Sink(Protocol):
    """
    Takes a body in pieces, by ``feed``.

    ``held`` says how many bytes of it are in memory.
    """

    @property
    def held(self) -> int: ...  # noqa: D102
    def feed(self, data: bytes) -> None: ...  # noqa: D102


class Incoming(ABC):
    """
    A request, as an adapter hands it to the service; adapters subclass it.

    The adapter sets the attributes up to ``started``; the service sets the others while it works.
    Headers are read on demand, which is rare; a missing one is None.
    """

    __slots__ = (
        "answered",
        "cancelled",
        "hop",
        "length",
        "method",
        "outgoing",
        "path",
        "request_id",
        "route",
        "started",
        "values",
        "watched",
    )

    surface: Surface = "http"
    """HTTP, whatever the adapter."""
    method: str
    path: str
    """The decoded path below `root`, with the mount's prefix."""
    blocks: bool
    """
    Whether synchronous code may run where the call runs.

    Not on an event loop, nor if its deadline needs a waiting thread.
    """
    awaits_here: bool = False
    """Whether async functions can be awaited directly; otherwise `awaited` does it."""
    request_id: str
    """The id that was sent, if it is valid, else a new one (`contract.call.process`)."""
    started: float
    """The value of `time.perf_counter` on arrival."""
    route: str
    outgoing: HeadersOut | None
    """The headers that the call has set for its answer; mostly None."""
    length: int
    """The announced length of the body; 0 if none was announced."""
    cancelled: bool
    """Whether the client is known to have gone; the adapter sets it when it finds out."""
    watched: bool
    """Whether the call is cancelled when its client goes; by then the body has been read."""
    values: Values | None
    """The provided values of the call, if any; the service sets this before anything else."""
    hop: Hop
    """The current or last stay of the call in a thread; set only if there is one."""
    answered: Answered
    """The answer, once it is known."""
    over: bool = False
    """
    Whether the call has ended, with all that follows it.

    Set on an event loop: a server may let the next request of a connection see the context of this
    one. A thread answers in a context of the call alone. After the answer, a task that the resolver
    has started itself sees no call; a resolver that goes on after its deadline, or after its client
    has gone, still sees its own.
    """

    @property
    @abstractmethod
    def chunked(self) -> bool:
        """Whether the body comes in chunks, without a known length."""

    @property
    def origin(self) -> str | None:
        """The origin of the page that calls, if a browser sends it."""
        return self.header("origin")

    @property
    @abstractmethod
    def headers(self) -> Mapping[str, str]:
        """All headers; names are found in any case, repeated ones are joined with ", "."""

    @property
    @abstractmethod
    def query(self) -> str:
        """The query of the URL as it was sent, without its question mark; mostly empty."""

    @property
    @abstractmethod
    def scheme(self) -> str:
        """Either "http" or "https", as far as the server knows."""

    @property
    def root(self) -> str:
        """
        The path of the application on its host; mostly empty.

        ASGI calls it ``root_path``, WSGI ``SCRIPT_NAME``.
        """
        return ""

    @property
    @abstractmethod
    def peer(self) -> str | None:
        """The address at the other end of the connection, if the server tells it."""

    @property
    def proxies(self) -> Proxies | None:
        """The proxies that are trusted to say where a request comes from; None to trust none."""
        return None

    @property
    def client(self) -> str | None:
        """The address of the client: the peer, or the one that trusted proxies report."""
        proxies = self.proxies
        if proxies is None:
            return self.peer
        return proxies.caller_of(self.peer, self.header).client

    @property
    @abstractmethod
    def native(self) -> Any:
        """The framework's own request."""

    def header(self, name: str) -> str | None:
        """The value of one header; *name* is in lower case."""
        return self.headers.get(name)

    def request(self) -> Request:
        """The request for hooks."""
        request: Request = _LiveRequest()
        _read_from(request, self)
        return request

    # These two are methods, since a property takes Python twice as long.

    def authorization(self) -> str | None:
        """The Authorization header; repeated headers are joined with a comma."""
        return self.header("authorization")

    def plain_length(self) -> int | None:
        """
        The length of a body in the usual form: JSON, not encoded, not in chunks.

        None for any other body.
        """
        return None

    # From here on: what a call needs from the place where it runs, whether that is a thread of a
    # WSGI server, an event loop, or memory.

    @abstractmethod
    def read(self, limit: int) -> bytes | Awaitable[bytes]:
        """
        The body, of at most *limit* bytes; awaitable if it has not come yet.

        Raises:
            Refused: It is too large, not as long as announced, cut off, or too slow; also raised
                when it is awaited.
        """

    async def pour(self, sink: Sink, limit: int) -> None:
        """
        Pass the body to *sink* in pieces, of at most *limit* bytes together.

        Raises:
            Refused: As in `read`.
        """
        body = self.read(limit)
        if not isinstance(body, bytes):
            body = await body
        sink.feed(body)

    @property
    def closing(self) -> tuple[tuple[str, str], ...]:
        """The header that tells the server to close the connection; empty if an app has none."""
        return ()

    def plain_body(self, limit: int) -> bytes | None:  # noqa: ARG002  by others
        """
        A body in the usual form, if all of it has come.

        None for any other, and if anything is wrong with it: `read` then says what, and still has
        the bytes that this has read.
        """
        return None

    def read_early(self, limit: int) -> bytes | None:  # noqa: ARG002  by others
        """A body as `plain_body` gives it, if a thread may run the whole call; else None."""
        return None

    @abstractmethod
    def awaited(self, fn: Callable[..., Awaitable[T]], *args: object) -> Awaitable[T]:
        """
        Await the async function until its deadline.

        Raises:
            Refused: The deadline has passed.
        """

    @abstractmethod
    def offload(self, lane: Lane, fn: Callable[..., T], *args: object) -> Awaitable[T]:
        """
        Call a synchronous function that must not run here in a thread, until its deadline.

        It never raises itself.

        Raises:
            Refused: No thread is free for it, or the deadline has passed.
        """

    def authenticated(self) -> None:
        """Record that a thread that runs a whole call ("calls") has passed authentication."""
        return

    def ends(self, exception: BaseException) -> bool:  # noqa: ARG002  by others
        """
        Whether *exception*, raised while something was awaited, ends the call itself.

        Then nobody is left to answer.
        """
        return False

    @abstractmethod
    def items(self, bound: Any, opened: Any) -> Iterator[bytes] | AsyncIterator[bytes]:
        """
        The parts of a response to a route that gives a stream (`contract.call.streaming`).

        Raises:
            Refused: No thread is free for it.
        """

    @abstractmethod
    def stream(
        self,
        call: Callable[[Callable[[bytes], None]], Coroutine[Any, Any, Response]],
        cancelled: Callable[[], None],
    ) -> Iterator[bytes] | AsyncIterator[bytes]:
        """
        The events of a response whose parts are sent while a call is running.

        Args:
            call: Gives the response whose body is the last part. It gets a function that takes the
                JSON of a part, in any thread.
            cancelled: Called if the call is cancelled.
        """


Lane = Literal["hooks", "routes", "calls", "values", "streams", "items"]
"""
The kinds of work that take a thread.

They are, in order, a hook, a resolver, both at once, the end of values made in a thread, a resolver
that gives a stream, and its next item. They are kept apart since hooks that hang must not take the
threads of routes without hooks, nor streams those of routes without streams.
"""


class Refused(Exception):  # noqa: N818  a signal from the place where a call runs
    """
    The call cannot go on: the pool is full, the body is too large, the deadline has passed ...

    Attributes:
        code: A framework code, or SERVICE_UNAVAILABLE.
        headers: Headers of the reply.
        data: The data of the error.
    """

    def __init__(self, code: str, headers: tuple[tuple[str, str], ...] = (), **data: Any) -> None:
        super().__init__(code)
        self.code: Final = code
        self.headers: Final = headers
        self.data: Final = data


def _read(name: str) -> Any:
    """An attribute of the message."""
    return property(attrgetter(f"_incoming.{name}"))


# Request is final for users; only the service makes this subclass.
class _LiveRequest(Request):  # type: ignore[misc]
    """
    A request that reads its attributes from the message when they are first used.

    Few hooks use more than a token.
    """

    __slots__ = ("_incoming",)

    _incoming: Incoming

    # that of a record would set every attribute
    __init__ = object.__init__  # pyright: ignore[reportAssignmentType]

    method = _read("method")
    path = _read("path")
    client = _read("client")

    def __getattr__(self, name: str) -> Any:
        """Read what takes longer to make, and is therefore made once."""
        if name not in ("headers", "native"):
            raise AttributeError(f"a Request has no attribute {name!r}")
        value = getattr(self._incoming, name)
        object.__setattr__(self, name, value)
        return value

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The class of plain requests: they are equal, and `dataclasses.replace` makes one."""
        return Request


_read_from: Final[Callable[[Request, Incoming], None]] = vars(_LiveRequest)["_incoming"].__set__
"""Sets the message that a request reads; ``object.__setattr__`` would cost three times as much."""


def whole(answered: Answered, incoming: Incoming) -> Response:
    """The response that *answered* stands for."""
    if isinstance(answered, bytes):
        return Response(200, answered, incoming.request_id, JSON_HEADERS, ())
    return answered


_ENCODED_SLASH: Final = re.compile("%2f", re.IGNORECASE)


def with_encoded_slashes(path: str, raw: str) -> str:
    """
    The decoded *path*, in which a slash that was sent as ``%2F`` stays ``%2F``.

    Such a slash is data within a segment, not a separator: ``/v1%2Forder`` is not a route, whatever
    a server decodes (RFC 3986, section 2.2). *raw* is the path as it was sent.
    """
    parts = _ENCODED_SLASH.split(raw.partition("?")[0])
    if len(parts) == 1:
        return path
    return "%2F".join(unquote(part, errors="replace") for part in parts)


def origin_of(incoming: Incoming) -> str | None:
    """
    The URL by which the client reaches the application: ``scheme://host/root``.

    None if Host is not a valid host.
    """
    found = host_of(incoming)
    if found is None:
        return None
    scheme, host = found
    return f"{scheme}://{host}{quote(incoming.root)}"


def host_of(incoming: Incoming) -> tuple[str, str] | None:
    """
    The scheme and the host by which the client reaches the application.

    Trusted proxies override the last connection. None if Host is not a valid host.
    """
    scheme = incoming.scheme
    host = incoming.headers.get("host", "")
    proxies = incoming.proxies
    if proxies is not None:
        caller = proxies.caller_of(incoming.peer, incoming.header)
        scheme = caller.scheme or scheme
        host = caller.host or host
    # a client may write anything there, and this becomes part of URLs that are shown
    if not is_host(host):
        return None
    return scheme, host
