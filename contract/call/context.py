"""
The context of a call: what a resolver can ask about its call, and report about its work.

A call is one invocation of a route, independent of HTTP and sockets.
"""

from __future__ import annotations

from _thread import allocate_lock
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, final

from contract.call.headers_out import HeadersOut
from contract.call.values import Values

__all__ = [
    "CURRENT",
    "NO_CLIENT",
    "OK",
    "REPORT",
    "CallEvent",
    "CallInfo",
    "CallSource",
    "Client",
    "Outcome",
    "Reply",
    "Report",
    "Surface",
    "current_call",
    "progress",
    "running",
]

Surface = Literal["http", "mcp", "local"]
"""How a call came in; "local" is a call in memory, as tests make it."""

OK: Final = "OK"
"""The code of a call that succeeded, in logs and events; never on the wire."""


@final
@dataclass(frozen=True, slots=True)
class CallInfo:
    """
    The running call: the result of `current_call`.

    Attributes:
        request_id: The id that is sent back in ``X-Request-Id``.
        route: The name of the route in its spec.
        surface: "http", "mcp", or "local".
        headers: The headers of the request; names are in lower case, a lookup takes any case.
    """

    request_id: str
    route: str
    surface: Surface
    headers: Mapping[str, str]
    _source: CallSource | None = field(default=None, repr=False, compare=False)

    @property
    def cancelled(self) -> bool:
        """
        Whether the client has gone, so that nobody waits for the answer.

        A long synchronous resolver may check it between two steps; an async resolver is cancelled
        anyway. Plain WSGI servers do not tell, so there it stays False.
        """
        return self._source is not None and self._source.cancelled

    @property
    def last_event_id(self) -> str | None:
        """
        The id of the last stream item that the client received, for a stream to continue after it.

        None if the client sends no ``Last-Event-ID``, and starts from the beginning.
        """
        return self.headers.get("last-event-id")

    @property
    def headers_out(self) -> HeadersOut:
        """
        More headers and cookies for the answer; MCP clients do not get them.

        Raises:
            LookupError: No call is running: this object was made by hand.
        """
        source = self._source
        if source is None:
            raise LookupError(_NO_CALL)
        with _FIRST:  # two threads of a call may ask at once
            if source.outgoing is None:
                source.outgoing = HeadersOut()
            return source.outgoing

    def __repr__(self) -> str:
        """Leave out the headers, which hold the token."""
        return f"CallInfo({self.route!r}, {self.surface!r}, {self.request_id!r})"


# not the lock of threading, which `import contract` would have to load
_FIRST: Final = allocate_lock()

_NO_CALL: Final = (
    "no call is running here: it is over, or the resolver was called as a plain function; "
    'in a test, write `with contract.calling("order"):` around it; '
    "a thread of your own needs contextvars.copy_context().run"
)


class CallSource(Protocol):
    """
    The facts about a running call; a `CallInfo` is made from them only when it is asked for.

    It also keeps the provided values of the call, from the first one on.
    """

    @property
    def outgoing(self) -> HeadersOut | None:
        """The headers that were set for its answer; None if none were set."""

    @outgoing.setter
    def outgoing(self, headers: HeadersOut | None) -> None: ...
    @property
    def over(self) -> bool: ...  # noqa: D102
    @property
    def values(self) -> Values | None: ...  # noqa: D102
    @values.setter
    def values(self, values: Values | None) -> None: ...
    @property
    def request_id(self) -> str: ...  # noqa: D102
    @property
    def route(self) -> str: ...  # noqa: D102
    @property
    def surface(self) -> Surface: ...  # noqa: D102
    @property
    def headers(self) -> Mapping[str, str]: ...  # noqa: D102
    @property
    def cancelled(self) -> bool: ...  # noqa: D102


CURRENT: Final[ContextVar[CallSource]] = ContextVar("contract_current_call")
"""The call that runs in this context."""


def running() -> CallSource | None:
    """The call that runs in this context, unless it is over."""
    source = CURRENT.get(None)
    if source is None or source.over:
        return None
    return source


def current_call() -> CallInfo:
    """
    The call that this code runs in.

    Raises:
        LookupError: No call is running: it is over, the resolver was called as a plain function (in
            a test, put `calling` around it), or this is a thread without the context of the call.
    """
    source = running()
    if source is None:
        raise LookupError(_NO_CALL)
    return CallInfo(source.request_id, source.route, source.surface, source.headers, source)


@final
@dataclass(frozen=True, slots=True)
class CallEvent:
    """
    The facts about one finished call; passed to ``on_call`` and written to the log.

    Attributes:
        route: The route's name, or None if no route was found.
        surface: How the call came in.
        code: "OK", the error code that was sent, or "CANCELLED".
        status: The HTTP status; for an MCP tool, the status that the call would have over HTTP.
        duration: Seconds from the arrival of the headers to the reply.
        request_id: The id that is sent back in ``X-Request-Id``.
        exception: The exception behind an INTERNAL_ERROR; it is never sent.
        tool: The tool name that an MCP client called, even if there is no such tool; else None.
        client: The name and version of an MCP client, such as "inspector 1.2", or None.
        traceparent: The trace that an MCP client's call belongs to (W3C Trace Context), or None.
    """

    route: str | None
    surface: Surface
    code: str
    status: int
    duration: float
    request_id: str
    # not in the repr: its own repr may raise, or show what a log must not contain
    exception: BaseException | None = field(default=None, repr=False)
    tool: str | None = None
    client: str | None = None
    traceparent: str | None = None


@final
class Outcome:
    """
    The outcome of a call, for its log line; all successful calls of a route share one.

    Attributes:
        route: The route's name, or None if no route was found.
        surface: How the call came in.
        code: "OK", the error code that was sent, or "CANCELLED".
        status: The HTTP status.
        said: All of that in JSON, once a line has said it; `contract.call.log_text` makes it.
    """

    __slots__ = ("code", "route", "said", "status", "surface")

    def __init__(self, route: str | None, surface: Surface, code: str, status: int) -> None:
        self.route: Final = route
        self.surface: Final = surface
        self.code: Final = code
        self.status: Final = status
        self.said: str = ""


Client = tuple[str | None, str | None, str | None]
"""The tool, the client and the trace of a call that came over MCP."""

NO_CLIENT: Final[Client] = (None, None, None)
"""Those of a call that did not come over MCP."""


class Reply:
    """
    The outcome of a call, on any surface.

    Attributes:
        status: The HTTP status.
        code: "OK" or the error code.
        body: JSON: the bare output, or ``{"error": code, "data": ...}``.
        headers: More headers; names are in lower case.
        exception: The exception behind an INTERNAL_ERROR.
        cause: The returned failure or the raised exception, if it differs from *exception*; the
            values of the call end with it.
    """

    __slots__ = ("body", "cause", "code", "exception", "headers", "status")

    def __init__(
        self,
        status: int,
        code: str,
        body: bytes,
        headers: tuple[tuple[str, str], ...] = (),
        exception: BaseException | None = None,
    ) -> None:
        self.status: int = status
        self.code: str = code
        self.body: bytes = body
        self.headers: tuple[tuple[str, str], ...] = headers
        self.exception: BaseException | None = exception
        self.cause: object = exception


Report = Callable[[float, float | None, str | None], None]
"""Takes the checked arguments of `progress`, in any thread; must not raise."""

REPORT: Final[ContextVar[Report]] = ContextVar("contract_progress")
"""
The listener for the progress of the call in this context.

The surface of a call sets it. So a resolver reports its progress everywhere in the same way, and if
nobody listens, a report costs only a lookup.
"""


def progress(done: float, total: float | None = None, message: str | None = None) -> None:
    """
    Report the progress of the running call to its caller.

    MCP clients that asked for progress get it; otherwise (over HTTP, in tests, in a plain call of a
    resolver) this does nothing. A report that is not beyond the previous one is not sent. If
    reports come quickly, the first hundred are sent, then ten a second. A thread of your own is not
    part of the call, and its reports are lost, unless you run it in the call's context, by
    ``contextvars.copy_context().run`` or `asyncio.to_thread`.

    ::

        for done, row in enumerate(rows, 1):
            store(row)
            progress(done, len(rows), f"{row.name} is stored")

    Args:
        done: How much is done; it must grow with each report.
        total: How much there is to do, in the same unit, if that is known.
        message: A description of the current step.

    Raises:
        TypeError: An argument has the wrong type. It is raised even if nobody listens, so that a
            test of the resolver finds it.
    """
    # the usual types are looked at here, which saves a call in loops that report often
    if type(done) is not int and type(done) is not float:
        _check_number("done", done)
    if total is not None:
        _check_number("total", total)
    # not everybody runs a type checker
    if message is not None and not isinstance(message, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(
            f"progress(message=) is of type {type(message).__name__}; "
            "give a text, such as f'{name} is stored'"
        )
    report = REPORT.get(None)
    if report is not None:
        report(done, total, message)


def _check_number(name: str, value: object) -> None:
    # to Python, a boolean is an int
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError(
            f"progress({name}=) is of type {type(value).__name__}; "
            "give an int or a float, such as progress(3, 10)"
        )
