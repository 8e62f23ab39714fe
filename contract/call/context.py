"""
The context of a call: what a resolver can ask about its call, and report about its work.

A call is one invocation of a route, independent of HTTP and sockets.
"""

from __future__ import annotations

import itertools
import operator
import os
import re
import sys
from _thread import allocate_lock
from collections.abc import Callable, Mapping
from contextvars import ContextVar, Token
from dataclasses import dataclass, field
from inspect import isawaitable
from types import MappingProxyType, TracebackType
from typing import Any, Final, Literal, Protocol, cast, final

from contract.call.headers_out import HeadersOut
from contract.call.values import Values

__all__ = [
    "CURRENT",
    "IDS",
    "NO_CLIENT",
    "OK",
    "REPORT",
    "CallEvent",
    "CallFacts",
    "CallInfo",
    "CallSource",
    "Calling",
    "Outcome",
    "Reply",
    "Report",
    "Surface",
    "calling",
    "current_call",
    "progress",
    "request_id",
]

Surface = Literal["http", "mcp", "local"]
"""How a call came in; "local" is a call in memory, as tests make it."""

OK: Final = "OK"
"""The code of a call that succeeded, in logs and events; never on the wire."""


_NO_HEADERS: Final[Mapping[str, str]] = MappingProxyType({})


@final
@dataclass(frozen=True, slots=True)
class CallInfo:
    """
    The running call: the result of `current_call`.

    Attributes:
        request_id: The id that is sent back in ``X-Request-Id``.
        route: The name of the route in its spec.
        surface: "http", "mcp", or "local".
        headers: The headers of the request; names are in lower case.
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
    "no call is running here: the resolver was called as a plain function; "
    'in a test, write `with contract.calling("order"):` around it; '
    "a thread of your own needs contextvars.copy_context().run"
)


class CallSource(Protocol):
    """
    The facts about a running call; a `CallInfo` is made from them only when it is asked for.

    It also keeps the provided values of the call, from the first one on.
    """

    outgoing: HeadersOut | None
    """The headers that were set for its answer; None if none were set."""

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


def current_call() -> CallInfo:
    """
    The call that this code runs in.

    Raises:
        LookupError: No call is running: the resolver was called as a plain function (in a test, put
            `calling` around it), or this is a thread without the context of the call.
    """
    try:
        source = CURRENT.get()
    except LookupError:
        raise LookupError(_NO_CALL) from None
    return CallInfo(source.request_id, source.route, source.surface, source.headers, source)


@final
class _Local:
    """A call that did not come from a request."""

    __slots__ = ("cancelled", "headers", "outgoing", "request_id", "route", "surface", "values")

    def __init__(
        self, request_id: str, route: str, surface: Surface, headers: Mapping[str, str]
    ) -> None:
        self.request_id: Final = request_id
        self.route: Final = route
        self.surface: Final[Surface] = surface
        self.headers: Final = headers
        self.cancelled: Final = False
        self.values: Values | None = None
        self.outgoing: HeadersOut | None = None


@final
class Calling:
    """
    The context manager that `calling` returns.

    At its end the values of the call end, too. Asynchronous values need ``async with``.
    """

    __slots__ = ("_source", "_tokens")

    def __init__(self, source: _Local) -> None:
        self._source: Final = source
        self._tokens: Final[list[Token[CallSource]]] = []

    def __enter__(self) -> CallInfo:
        return self._begin(awaits=False)

    async def __aenter__(self) -> CallInfo:
        return self._begin(awaits=True)

    def _begin(self, *, awaits: bool) -> CallInfo:
        source = self._source
        source.outgoing = None
        source.values = Values()
        source.values.awaits = awaits
        self._tokens.append(CURRENT.set(source))
        return CallInfo(source.request_id, source.route, source.surface, source.headers, source)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        values = cast("Values", self._source.values)
        values.settle(raised)
        values.leave_here()
        while values.found:
            values.drop()
            values.leave_here()
        self._end(values, raised)
        for context, fn, args, kwargs in values.after:
            context.run(fn, *args, **kwargs)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        values = cast("Values", self._source.values)
        values.settle(raised)
        await values.leave_on_loop()
        while values.found:
            values.drop()
            await values.leave_on_loop()
        self._end(values, raised)
        for context, fn, args, kwargs in values.after:
            given: Any = context.run(fn, *args, **kwargs)
            if isawaitable(given):
                await given

    def _end(self, values: Values, raised: BaseException | None) -> None:
        """End the call, and raise the exception of a provider that failed at its end."""
        CURRENT.reset(self._tokens.pop())
        if values.cause is not None:
            values.after = ()
        for _, trouble in values.troubles:
            raise trouble from raised


def calling(
    route: str,
    *,
    headers: Mapping[str, str] = _NO_HEADERS,
    surface: Surface = "local",
    request_id: str | None = None,
) -> Calling:
    """
    Run a block as a call, for a test or a job that calls a resolver as a plain function.

    `current_call` works inside it. The call has its own provided values (`provide`), which end with
    the block: with success, or with the exception that leaves it. Asynchronous ones need ``async
    with``.

    ::

        with calling("order", headers={"X-Tenant": "north"}):
            assert order(Order("p1"), None) == Receipt("o1", 1250)

    Args:
        route: The name of the route.
        headers: The headers of the request; names may be in any case.
        surface: "http", "mcp" or "local".
        request_id: The id of the call; a new one by default.
    """
    lowered = MappingProxyType({name.lower(): value for name, value in headers.items()})
    return Calling(_Local(IDS.new() if request_id is None else request_id, route, surface, lowered))


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


Outcome = tuple[str | None, Surface, str, int]
"""The route, the surface, the code and the status; all successful calls of a route share one."""

CallFacts = tuple[
    Outcome, float, float, str, BaseException | None, tuple[str | None, str | None, str | None]
]
"""
The attributes of a `CallEvent` in raw form: most log lines are written without the event.

They are the outcome, the `time.perf_counter` times of arrival and end, the id, the exception, and
the tool, client and trace.
"""

NO_CLIENT: Final = (None, None, None)
"""The tool, the client and the trace of a call that did not come over MCP."""


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


# short enough to log, without characters that could break a line of a log or a header
_SANE_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,128}").fullmatch


_ENDS: Final = tuple(f"{number:03}" for number in range(1000))


class _Ids:
    """
    New request ids: a random prefix for each process, then a number.

    This is faster than a UUID, and makes them unique as long as calls are counted.
    """

    new: Callable[[], str]

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Start with a new prefix: a forked child must not repeat its parent's ids."""
        # every step is written in C, so no thread can interrupt it; the last three digits are ready
        # as text, since formatting a number costs as much as all the rest
        heads = map(f"{os.urandom(8).hex()}-".__add__, map(str, itertools.count(1)))
        thousands = itertools.chain.from_iterable(
            map(itertools.repeat, heads, itertools.repeat(len(_ENDS)))
        )
        self.new = map(operator.add, thousands, itertools.cycle(_ENDS)).__next__


IDS: Final = _Ids()
"""The ids of this process."""
if sys.platform != "win32":  # pragma: no branch  nothing forks there
    os.register_at_fork(after_in_child=IDS.restart)


def request_id(sent: str | None) -> str:
    """The request id of a call: the one that was *sent*, if it is valid, else a new one."""
    return IDS.new() if sent is None or not _SANE_ID(sent) else sent


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
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError(
            f"progress({name}=) is of type {type(value).__name__}; "
            "give an int or a float, such as progress(3, 10)"
        )
