"""
Messages: one HTTP request and one response, without sockets.

An adapter makes an `Incoming` from what its server gives it, and sends the `Response`; both are as
raw as they can be, since they are made for every call. What a request's headers say about its body
is decided here, once for all adapters.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterable,
    Iterator,
    Mapping,
)
from functools import lru_cache
from typing import Any, Final, Literal, TypeVar, final
from urllib.parse import quote, unquote

from contract.call.context import Surface
from contract.call.headers_out import HeadersOut
from contract.call.proxies import Proxies
from contract.call.values import Hop, Values
from contract.declare.hook import Request
from contract.shape.urls import HEADER_WORD, is_host

__all__ = [
    "ALLOW_CALLS",
    "ALLOW_READS",
    "BARE_HEADERS",
    "DONE",
    "EVENT_HEADERS",
    "JSON_HEADERS",
    "PLAIN_TYPES",
    "Answered",
    "BrokenOff",
    "FixedHeaders",
    "Incoming",
    "Lane",
    "Response",
    "Streamed",
    "announced_length",
    "event",
    "host_of",
    "is_json",
    "one_line",
    "origin_of",
    "preflight",
    "whole",
    "with_encoded_slashes",
]


T = TypeVar("T")


class Incoming(ABC):
    """
    A request, as an adapter hands it to the service; adapters subclass it.

    The adapter fills in the attributes up to ``started``; the service notes down the others while
    it works. Headers are read when they are asked for, which is mostly never; one that is missing
    is None.
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

    method: str
    path: str
    """Decoded; below `root`, with the mount's prefix."""
    blocks: bool
    """
    Whether synchronous code may run where the call runs.

    Not on an event loop, nor where somebody has to wait for its deadline.
    """
    awaits_here: bool = False
    """Whether async functions are awaited as they are; else `awaited` is asked to."""
    request_id: str
    """The id that was sent, where it is sane, else a new one (`contract.call.context`)."""
    started: float
    """`time.perf_counter` at arrival."""
    route: str
    outgoing: HeadersOut | None
    """The headers that the call has set for its answer; mostly None."""
    length: int
    """The announced length of the body; 0 where none was announced."""
    cancelled: bool
    """Whether the client is known to have gone; the adapter sets it when it learns of that."""
    watched: bool
    """Whether the call is cancelled once its client has gone; the body has been read then."""
    values: Values | None
    """The values of the call, where it has any; the service sets this before anything else."""
    hop: Hop
    """The stay in a thread that is going on or was the last; set where a call makes one."""
    answered: Answered
    """The answer, once it is known."""

    @property
    def surface(self) -> Surface:
        """HTTP, whatever the adapter."""
        return "http"

    @property
    @abstractmethod
    def chunked(self) -> bool:
        """Whether the body comes in chunks, without its length being known."""

    @property
    def origin(self) -> str | None:
        """The origin of the page that calls, where a browser does."""
        return self.header("origin")

    @property
    @abstractmethod
    def headers(self) -> Mapping[str, str]:
        """All headers, names in lower case, repeated ones joined with ", "."""

    @property
    @abstractmethod
    def query(self) -> str:
        """The query of the URL, as it was sent, without its question mark; mostly empty."""

    @property
    @abstractmethod
    def scheme(self) -> str:
        """Either "http" or "https", as far as the server can tell."""

    @property
    def root(self) -> str:
        """
        The path below which the application stands on its host; mostly empty.

        ASGI calls it ``root_path``, WSGI ``SCRIPT_NAME``.
        """
        return ""

    @property
    @abstractmethod
    def peer(self) -> str | None:
        """The address at the other end of the connection, where the server tells it."""

    @property
    def proxies(self) -> Proxies | None:
        """The proxies that are believed about where a request comes from; None for nobody."""
        return None

    @property
    def client(self) -> str | None:
        """The address of the client: of the peer, or of whom trusted proxies have taken it from."""
        proxies = self.proxies
        return self.peer if proxies is None else proxies.told(self.peer, self.header).client

    @property
    @abstractmethod
    def native(self) -> Any:
        """The framework's own request."""

    def header(self, name: str) -> str | None:
        """One of the headers; its *name* is in lower case."""
        return self.headers.get(name)

    def request(self) -> Request:
        """The request that hooks are given."""
        request = _new(_LiveRequest)
        _keep(request, self)
        return request

    # These two are methods, since Python takes twice as long for a property.

    def authorization(self) -> str | None:
        """Repeated headers are joined with a comma."""
        return self.header("authorization")

    def plain_length(self) -> int | None:
        """
        The length of a body in the form that nearly all come in: JSON, not encoded, not in chunks.

        None for every other.
        """
        return None

    # From here on: what a call needs of the place where it runs, be that a thread of a WSGI server,
    # an event loop, or memory.

    @abstractmethod
    def read(self, limit: int) -> bytes | Awaitable[bytes]:
        """
        The body, of at most *limit* bytes; awaitable where it is not there yet.

        Raises:
            Refused: It is too large, of another length than announced, broken off, or too slow;
                also when it is awaited.
        """

    async def pour(self, feed: Callable[[bytes], None], limit: int) -> None:
        """
        Hand the body to *feed* in pieces, of at most *limit* bytes together.

        Raises:
            Refused: As `read` does.
        """
        read = self.read(limit)
        feed(read if isinstance(read, bytes) else await read)

    def plain_body(self, limit: int) -> bytes | None:  # noqa: ARG002  by others
        """
        A body in the form that nearly all come in, where all of it is there.

        None for every other, and where anything is wrong with it: `read` then says what, and does
        not lose what this has read.
        """
        return None

    def read_early(self, limit: int) -> bytes | None:  # noqa: ARG002  by others
        """Like `plain_body`, where a thread may take the whole call, else None."""
        return None

    @abstractmethod
    def awaited(self, fn: Callable[..., Awaitable[T]], *args: object) -> Awaitable[T]:
        """
        Await the async function, until its deadline.

        Raises:
            Refused: The deadline has passed.
        """

    @abstractmethod
    def offload(self, lane: Lane, fn: Callable[..., T], *args: object) -> Awaitable[T]:
        """
        Call in a thread, until its deadline, a synchronous function that must not run here.

        Args:
            lane: Which threads take it.
            fn: Must raise nothing.
            args: Of *fn*.

        Raises:
            Refused: There is no room for it, or the deadline has passed.
        """

    def authenticated(self) -> None:
        """A thread that was given a whole call ("calls") has come past its hook."""
        return

    def ends(self, exception: BaseException) -> bool:  # noqa: ARG002  by others
        """
        Whether *exception*, raised while something was awaited, ends the call itself.

        There is nobody left to answer then.
        """
        return False

    @abstractmethod
    def items(self, bound: Any, opened: Any) -> Iterator[bytes] | AsyncIterator[bytes]:
        """
        The parts of a response to a route that gives a stream (`contract.call.streaming`).

        Args:
            bound: The route.
            opened: Its outcome.

        Raises:
            Refused: There is no room for it.
        """

    @abstractmethod
    def stream(
        self,
        call: Callable[[Callable[[bytes], None]], Coroutine[Any, Any, Response]],
        cancelled: Callable[[], None],
    ) -> Iterator[bytes] | AsyncIterator[bytes]:
        """
        The events of a response whose parts are sent while a call goes on.

        Args:
            call: Gives the response whose body is the last part; it is given what takes the JSON of
                a part, in any thread.
            cancelled: Is told where the call is cancelled.
        """


Lane = Literal["hooks", "routes", "calls", "values", "streams", "items"]
"""
The work that takes a thread.

That is a hook, a resolver, both in one, the end of values made there, a resolver that gives a
stream, or the next of its items. They are told apart since hooks that hang must not take the
threads of routes that need no hook, nor streams those of routes that give none.
"""


# Request is final for the users who are given one.
class _LiveRequest(Request):  # type: ignore[misc]
    """
    A request whose attributes are read from what came in when somebody looks at them.

    Few hooks look at more than a token.
    """

    __slots__ = ("_headers", "_incoming", "_native")

    _headers: Mapping[str, str]
    _incoming: Incoming
    _native: Any

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """A plain request: `dataclasses.replace` calls this with the attributes of one."""
        return Request(*args, **kwargs)

    def __eq__(self, other: object) -> bool:
        """Equal attribute by attribute, as plain requests are."""
        return isinstance(other, Request) and self._plain() == (
            other._plain() if isinstance(other, _LiveRequest) else other
        )

    __hash__ = Request.__hash__

    def _plain(self) -> Request:
        return Request(self.method, self.path, self.headers, self.client, self.native)

    @property
    def method(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self._incoming.method

    @property
    def path(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self._incoming.path

    @property
    def headers(self) -> Mapping[str, str]:  # pyright: ignore[reportIncompatibleVariableOverride]
        try:
            return self._headers
        except AttributeError:
            found = self._incoming.headers
            object.__setattr__(self, "_headers", found)
            return found

    @property
    def client(self) -> str | None:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self._incoming.client

    @property
    def native(self) -> Any:
        try:
            return self._native
        except AttributeError:
            found = self._incoming.native
            object.__setattr__(self, "_native", found)
            return found


_new: Final = object.__new__
# object.__setattr__ would look the name up, and cost twice as much
_keep: Final = vars(_LiveRequest)["_incoming"].__set__


@final
class FixedHeaders:
    """Headers that many responses share, in every form that an adapter needs."""

    def __init__(self, *pairs: tuple[str, str]) -> None:
        self.pairs: Final = pairs
        self.raw: Final = tuple(
            (name.encode("ascii"), value.encode("latin-1")) for name, value in pairs
        )
        self.mapping: Final = dict(pairs)


PLAIN_TYPES: Final = frozenset(
    {
        "application/json",
        "application/json;charset=utf-8",
        "application/json;charset=UTF-8",
        "application/json; charset=utf-8",
        "application/json; charset=UTF-8",
    }
)
"""The values of Content-Type that nearly all clients send."""

BARE_HEADERS: Final = FixedHeaders(
    ("x-content-type-options", "nosniff"), ("cache-control", "no-store")
)
"""The headers of a response that has no body, or gives its own content type."""

JSON_HEADERS: Final = FixedHeaders(("content-type", "application/json"), *BARE_HEADERS.pairs)
"""The headers of every RPC response."""


class Response:
    """
    A response; it is complete before its first byte is sent, unless it is `Streamed`.

    Attributes:
        status: The HTTP status.
        body: All of it; for HEAD the body that a GET would get, of which the adapter sends the
            length alone.
        request_id: For ``X-Request-Id``.
        fixed: Headers shared by many responses.
        headers: More of them; names in lower case.
    """

    __slots__ = ("body", "fixed", "headers", "request_id", "status")

    def __init__(
        self,
        status: int,
        body: bytes,
        request_id: str,
        fixed: FixedHeaders,
        headers: tuple[tuple[str, str], ...],
    ) -> None:
        self.status: Final[int] = status
        self.body: Final[bytes] = body
        self.request_id: Final[str] = request_id
        self.fixed: Final[FixedHeaders] = fixed
        self.headers: Final[tuple[tuple[str, str], ...]] = headers

    def pairs(self) -> list[tuple[str, str]]:
        """Every header but Content-Length, which the adapter adds where there may be one."""
        return [*self.fixed.pairs, ("x-request-id", self.request_id), *self.headers]

    def raw(self) -> list[tuple[bytes, bytes]]:
        """Every header but Content-Length in bytes, as ASGI has them."""
        pairs = [*self.fixed.raw, (b"x-request-id", self.request_id.encode("ascii"))]
        if self.headers:
            pairs += [
                (name.encode("ascii"), value.encode("latin-1")) for name, value in self.headers
            ]
        return pairs


Answered = bytes | Response
"""
The answer to a request; bytes are the output of a call, with the headers of every success.

Most calls of most services come to bytes, and an object for each would cost as much as the check of
its output.
"""


DONE: Final = object()
"""The sign that a call which was stepped has come to its end, and waits for nothing."""


def whole(answered: Answered, incoming: Incoming) -> Response:
    """The response that *answered* stands for."""
    if isinstance(answered, bytes):
        return Response(200, answered, incoming.request_id, JSON_HEADERS, ())
    return answered


EVENT_HEADERS: Final = FixedHeaders(
    ("content-type", "text/event-stream"),
    *BARE_HEADERS.pairs,
    ("x-accel-buffering", "no"),  # nginx would keep the events until there are enough of them
)


@final
class Streamed(Response):
    """
    A response whose body is sent in parts: an event stream, unless its headers say otherwise.

    Attributes:
        parts: The parts of the body; async where it is sent on an event loop. The sender closes
            it, sent to its end or not.
    """

    __slots__ = ("parts",)

    def __init__(
        self,
        request_id: str,
        headers: tuple[tuple[str, str], ...],
        parts: Iterator[bytes] | AsyncIterator[bytes],
        fixed: FixedHeaders = EVENT_HEADERS,
        status: int = 200,
    ) -> None:
        super().__init__(status, b"", request_id, fixed, headers)
        self.parts: Final = parts


class BrokenOff(Exception):  # noqa: N818  it is told as it is
    """
    A body cannot come to its end, and nothing in it could say so.

    Whoever asks for its parts lets this go to the server, which ends the connection instead of the
    body; the log has been told why.
    """


def event(data: bytes) -> bytes:
    """One event that holds *data*, JSON without line feeds (HTML, section 9.2)."""
    return b"event: message\ndata: " + data + b"\n\n"


_BREAKS: Final = re.compile(rb"\xc2\x85|\xe2\x80[\xa8\xa9]")
"""U+0085, U+2028 and U+2029, which stand in JSON as they are."""


def one_line(data: bytes) -> bytes:
    """
    The JSON *data* in one line, whatever a client takes for the end of a line.

    Only CR and LF end a line; yet the reader of many clients in Python (httpx-sse before 0.4.2)
    splits as ``str.splitlines`` does. It then finds half a message, and waits for the other half
    for ever.
    """
    return _BREAKS.sub(_escaped, data)


def _escaped(found: re.Match[bytes]) -> bytes:
    return b"\\u%04x" % ord(found[0].decode())


@lru_cache(1024)  # a service gets bodies of a few lengths again and again
def announced_length(text: str) -> int | None:
    """
    The value of a Content-Length, or None where it is not one (RFC 9110, section 8.6).

    A list of equal values, which the RFC lets a recipient accept, is refused like any other list.
    """
    # isdigit() takes digits of every script; 18 digits are below 2**63
    return int(text) if text.isdigit() and text.isascii() and len(text) < 19 else None


_PARAMETER: Final = re.compile(
    rf'[ \t]*;[ \t]*(?:({HEADER_WORD})=(?:"((?:[^"\\]|\\.)*)"|({HEADER_WORD}))[ \t]*)?'
)


def is_json(content_type: str) -> bool:
    """
    Whether a Content-Type is ``application/json`` in UTF-8.

    RFC 8259 (section 11) gives it no charset; clients send one all the same, as RFC 9110 (section
    8.3) lets them.
    """
    if content_type in PLAIN_TYPES:
        return True
    kind, semicolon, rest = content_type.partition(";")
    if kind.strip(" \t").lower() != "application/json":
        return False
    position, parameters = 0, semicolon + rest
    while position < len(parameters):
        found = _PARAMETER.match(parameters, position)
        if found is None:
            return False
        name, quoted, plain = found.groups()
        if (
            name is not None
            and name.lower() == "charset"
            and (plain or quoted).lower() not in ("utf-8", "utf8")
        ):
            return False
        position = found.end()
    return True


ALLOW_CALLS: Final = (("allow", "OPTIONS, POST"),)
"""The methods of what is called."""
ALLOW_READS: Final = (("allow", "GET, HEAD, OPTIONS"),)
"""The methods of what is read."""


def preflight(
    names: Iterable[str],
    methods: str = "POST",
    allow: tuple[tuple[str, str], ...] = ALLOW_CALLS,
) -> tuple[tuple[str, str], ...]:
    """
    The headers for a page that asks whether it may call (Fetch, section 3.2.3).

    Args:
        names: The headers that the page may send, in lower case.
        methods: Those that it may use.
        allow: The methods of the path.
    """
    return (
        *allow,
        ("access-control-allow-methods", methods),
        ("access-control-allow-headers", ", ".join(dict.fromkeys(names))),
        ("access-control-max-age", "600"),
    )


_ENCODED_SLASH: Final = re.compile("%2f", re.IGNORECASE)


def with_encoded_slashes(path: str, raw: str) -> str:
    """
    The decoded *path*, in which a slash that was sent as ``%2F`` stays ``%2F``.

    Such a slash is data of a segment and ends none: ``/v1%2Forder`` is no route, whatever a server
    decodes (RFC 3986, section 2.2).

    Args:
        path: Decoded by the server.
        raw: As it was sent.
    """
    parts = _ENCODED_SLASH.split(raw.partition("?")[0])
    if len(parts) == 1:
        return path
    return "%2F".join(unquote(part, errors="replace") for part in parts)


def origin_of(incoming: Incoming) -> str | None:
    """
    The URL at which the client says that it reaches the application: ``scheme://host/root``.

    None where Host is not the name of a host.
    """
    found = host_of(incoming)
    return None if found is None else f"{found[0]}://{found[1]}{quote(incoming.root)}"


def host_of(incoming: Incoming) -> tuple[str, str] | None:
    """
    The scheme and the host by which the client says that it reaches the application.

    Trusted proxies know better than the last connection. None where Host is not the name of a host.
    """
    scheme, host, proxies = incoming.scheme, incoming.headers.get("host", ""), incoming.proxies
    if proxies is not None:
        told = proxies.told(incoming.peer, incoming.header)
        scheme, host = told.scheme or scheme, told.host or host
    return (scheme, host) if is_host(host) else None
