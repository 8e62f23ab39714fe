"""
Calling: a block of code as a call of its own, for tests and jobs that call resolvers as functions.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import Token
from inspect import isawaitable
from types import MappingProxyType, TracebackType
from typing import Any, Final, cast, final

from contract.call.context import CURRENT, CallInfo, CallSource, Surface, running
from contract.call.headers_out import HeadersOut
from contract.call.process import IDS
from contract.call.values import Values
from contract.shape.header_values import Headers

__all__ = ["Calling", "calling"]

_NO_HEADERS: Final[Mapping[str, str]] = MappingProxyType({})


@final
class _Local:
    """A call that did not come from a request."""

    __slots__ = (
        "cancelled",
        "headers",
        "outgoing",
        "over",
        "request_id",
        "route",
        "surface",
        "values",
    )

    def __init__(
        self, request_id: str, route: str, surface: Surface, headers: Mapping[str, str]
    ) -> None:
        self.request_id: Final = request_id
        self.route: Final = route
        self.surface: Final[Surface] = surface
        self.headers: Final = headers
        self.cancelled: Final = False
        self.over: Final = False  # the context is left when the call ends
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
        # `leave_here` stops at a value that a thread of the user's made, which nothing can end
        # here: that is given up, and those before it are ended.
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
        # the functions are for after a success, which a provider may have spoiled at its end
        if values.cause is not None:
            values.after = ()
        if values.troubles:
            _, first = values.troubles[0]
            raise first from raised


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
        request_id: The id of the call; by default that of the call around it, or a new one.
    """
    if request_id is None:
        # so the log lines of a call and of what it calls are found together
        outer = running()
        request_id = IDS.new() if outer is None else outer.request_id
    return Calling(_Local(request_id, route, surface, Headers(headers.items())))
