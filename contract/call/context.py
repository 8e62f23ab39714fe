"""
The context of a call: what a resolver may ask about the call it runs in, and tell of its work.

A call is one invocation of a route, before anyone speaks of HTTP or sockets.
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
"""The way that a call came in; "local" is a call in memory, as tests make it."""

OK: Final = "OK"
"""The code of a call that succeeded, in logs and events; never on the wire."""


_NO_HEADERS: Final[Mapping[str, str]] = MappingProxyType({})


@final
@dataclass(frozen=True, slots=True)
class CallInfo:
    """
    The call that is running: what `current_call` gives.

    Attributes:
        request_id: As sent back in ``X-Request-Id``.
        route: The name of the route in its spec.
        surface: "http", "mcp", or "local".
        headers: Of the request; names in lower case.
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

        A long synchronous resolver may ask between two steps; an async resolver is cancelled by
        itself. A plain WSGI server does not tell, so there this stays False.
        """
        return self._source is not None and self._source.cancelled

    @property
    def last_event_id(self) -> str | None:
        """
        The id of the last item that the client has of a stream, which it asks to go on.

        None where it sends no ``Last-Event-ID``, and begins anew.
        """
        return self.headers.get("last-event-id")

    @property
    def headers_out(self) -> HeadersOut:
        """
        The headers and cookies that the answer gets beside its own; MCP clients get none of them.

        Raises:
            LookupError: No call is running: this was made by hand.
        """
        source = self._source
        if source is None:
            raise LookupError(_NO_CALL)
        with _FIRST:  # two threads of a call may ask at once
            if source.outgoing is None:
                source.outgoing = HeadersOut()
            return source.outgoing

    def __repr__(self) -> str:
        """Without headers: they hold the token."""
        return f"CallInfo({self.route!r}, {self.surface!r}, {self.request_id!r})"


# not that of threading, which `import contract` would have to wait for
_FIRST: Final = allocate_lock()

_NO_CALL: Final = (
    "no call is running here: the resolver was called as a plain function; "
    'in a test, write `with contract.calling("order"):` around it; '
    "a thread of your own needs contextvars.copy_context().run"
)


class CallSource(Protocol):
    """
    The facts that a running call has; a `CallInfo` is made of them only where somebody asks.

    It keeps the values of the call, too, once the first of them is made.
    """

    outgoing: HeadersOut | None
    """The headers that were set for its answer; None where nobody has set any."""

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
        LookupError: There is none: the resolver was called as a plain function (a test then puts
            `calling` around it), or this is a thread that has not been given the context of the
            call.
    """
    try:
        source = CURRENT.get()
    except LookupError:
        raise LookupError(_NO_CALL) from None
    return CallInfo(source.request_id, source.route, source.surface, source.headers, source)


@final
class _Local:
    """A call that nothing came in for."""

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
    The context manager that `calling` gives.

    At its end the values of the call end, too. Asynchronous ones need an ``async with``.
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
        """Be no call any more; tell the test of a provider that failed at its end."""
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
    Let a call run, for a test or a job that calls a resolver as a plain function.

    `current_call` gives it, and it has values of its own (`provide`), which end where the block
    does: well, or with the exception that leaves it. Asynchronous ones need ``async with``.

    ::

        with calling("order", headers={"X-Tenant": "north"}):
            assert order(Order("p1"), None) == Receipt("o1", 1250)

    Args:
        route: The name of the route.
        headers: Of the request; their names may be in any case.
        surface: "http", "mcp" or "local".
        request_id: By default a new one.
    """
    lowered = MappingProxyType({name.lower(): value for name, value in headers.items()})
    return Calling(_Local(IDS.new() if request_id is None else request_id, route, surface, lowered))


@final
@dataclass(frozen=True, slots=True)
class CallEvent:
    """
    The facts of one call that is over; given to ``on_call`` and written to the log.

    Attributes:
        route: The route's name, or None where no route was found.
        surface: The way that the call came in.
        code: "OK", the error code that was sent, or "CANCELLED".
        status: The HTTP status; for a tool that was called, that of the same call over HTTP.
        duration: Seconds, from the arrival of the headers to the reply.
        request_id: As sent back in ``X-Request-Id``.
        exception: The exception behind an INTERNAL_ERROR; never sent.
        tool: The name of the tool that an MCP client called, be there one or not; else None.
        client: What an MCP client says it is, such as "inspector 1.2", or None.
        traceparent: The trace that an MCP client's call belongs to (W3C Trace Context), or None.
    """

    route: str | None
    surface: Surface
    code: str
    status: int
    duration: float
    request_id: str
    # not in the repr: its own repr may raise, or tell what a log must not hold
    exception: BaseException | None = field(default=None, repr=False)
    tool: str | None = None
    client: str | None = None
    traceparent: str | None = None


Outcome = tuple[str | None, Surface, str, int]
"""The route, the surface, the code and the status; a route has one for all that succeed."""

CallFacts = tuple[
    Outcome, float, float, str, BaseException | None, tuple[str | None, str | None, str | None]
]
"""
The attributes of a `CallEvent`, as they are at hand: most lines of a log are made without one.

They are the outcome, the times of `time.perf_counter` at which the call came and was over, its id,
its exception, and its tool, client and trace.
"""

NO_CLIENT: Final = (None, None, None)
"""The tool, the client and the trace of a call that came in no message of MCP."""


class Reply:
    """
    The outcome of a call, on any surface.

    Attributes:
        status: The HTTP status.
        code: "OK" or the error code.
        body: JSON: the bare output, or ``{"error": code, "data": ...}``.
        headers: More headers, names in lower case.
        exception: The exception behind an INTERNAL_ERROR.
        cause: The failure that was returned or the exception that was raised, where that is not
            the same; the values of the call end with it.
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


# short enough to log, and with nothing that could break a line of a log or a header
_SANE_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,128}").fullmatch


_ENDS: Final = tuple(f"{number:03}" for number in range(1000))


class _Ids:
    """
    New request ids: a random prefix for each process, then a number.

    Quicker than a UUID, and unique where calls are counted.
    """

    new: Callable[[], str]

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Begin with a new prefix: a forked child must not repeat its parent's ids."""
        # every part of this is written in C, so no thread can come between two of its steps; three
        # digits are text already, since to make text of a number costs as much as all the rest
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
    """The request id of a call: the one that was *sent*, where it is sane, else a new one."""
    return IDS.new() if sent is None or not _SANE_ID(sent) else sent


Report = Callable[[float, float | None, str | None], None]
"""Takes what `progress` was given, once it is checked; from any thread, and raises nothing."""

REPORT: Final[ContextVar[Report]] = ContextVar("contract_progress")
"""
The listener to the progress of the call that runs in this context.

The surface of a call puts it there. So a resolver tells its progress in the same way everywhere,
and where nobody has asked for it, it costs no more than a look.
"""


def progress(done: float, total: float | None = None, message: str | None = None) -> None:
    """
    Tell the caller how far the call is that this code runs in.

    MCP clients that have asked for it are told; elsewhere (over HTTP, in tests, in a plain call of
    a resolver) this does nothing. A report that does not go beyond the one before is not sent; of
    reports that come quickly, the first hundred are sent, then ten a second. A thread of your own
    is in no call, and nobody hears it, unless it was given the context of one, by
    ``contextvars.copy_context().run`` or `asyncio.to_thread`.

    ::

        for done, row in enumerate(rows, 1):
            store(row)
            progress(done, len(rows), f"{row.name} is stored")

    Args:
        done: How much is done; it grows from one to the next.
        total: How much there is to do, in the same unit, where that is known.
        message: What is going on, in words.

    Raises:
        TypeError: One of them is of another type. It is raised whether anybody listens or not, so
            that a test of the resolver finds it.
    """
    if type(done) is not int and type(done) is not float:
        _check_number("done", done)
    if total is not None:
        _check_number("total", total)
    # not everybody asks a type checker
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
