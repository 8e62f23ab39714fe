"""
Recorded calls: a resolver called as a function, and one whose calls over the wire are recorded.

Both see what a stream gives, too, as `Drawn`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final, final

from contract.adapters.background import BACKGROUND
from contract.call.calling import calling
from contract.call.provided import CallFailed
from contract.declare.failures import Failure
from contract.declare.typed_route import Entry
from contract.testing.drawn import FEW_ITEMS, Drawn, Write, drawn_of

__all__ = ["Recorder", "called"]


def called(entry: Entry, input: Any, ctx: Any, write: Write, most: int) -> Any:
    """
    Call the resolver of *entry*, sync or async, as a call, and return its result.

    A stream is read first, up to its item number *most*, and returned as `Drawn`. The provided
    values of the call end with it: they roll back if it is a failure.
    """
    result: Any = None

    def drawn(given: Any) -> Any:
        nonlocal result
        result = drawn_of(entry, given, write, most)
        return result

    resolver = entry.route.resolver
    # `_ending` raises it inside the call, whose values then roll back
    with suppress(CallFailed):
        if entry.route.is_async:
            BACKGROUND.call(_called_later, entry.name, partial(resolver, input, ctx), drawn)
        else:
            with calling(entry.name):
                _read(drawn(resolver(input, ctx)))
    return result


def _read(result: Any) -> None:
    if isinstance(result, Drawn):
        if result.is_async:
            BACKGROUND.call(result.read_later)
        else:
            result.read()
    _ending(result)


async def _called_later(
    name: str, resolver: Callable[[], Any], drawn: Callable[[Any], Any]
) -> None:
    async with calling(name):
        result = drawn(await resolver())
        if isinstance(result, Drawn):
            await result.read_later()
        _ending(result)


def _ending(result: Any) -> None:
    """Roll back the call's provided values if *result* is a failure, or a stream ended by one."""
    failure = result.failure if isinstance(result, Drawn) else result
    if isinstance(failure, Failure):
        raise CallFailed(failure)


@final
class Recorder:
    """A resolver that wraps the real one and records its last call."""

    def __init__(self, entry: Entry) -> None:
        self._resolver: Final = entry.route.resolver
        self._is_async: Final = entry.route.is_async
        self._entry: Final = entry
        self.write: Write | None = None
        """Checks the items of its stream, if it gives one."""
        self.begin(None)

    def begin(self, ctx: Any) -> None:
        """Forget the last call; the next one gets *ctx*."""
        self.ctx = ctx
        self.called: bool = False
        self.result: Any = None
        self.raised: BaseException | None = None

    @property
    def failed(self) -> BaseException | None:
        """The exception that the last call raised, in its resolver or its stream."""
        return self.result.raised if isinstance(self.result, Drawn) else self.raised

    def _noted(self, result: Any) -> Any:
        # the wire reads a stream; what it reads is recorded on the way
        self.result = found = drawn_of(self._entry, result, self.write, FEW_ITEMS)
        return found.noted() if isinstance(found, Drawn) else found

    def authenticate(self, _token: str, _request: Any) -> Any:
        """The context of the call, for the hooks before the resolver."""
        return self.ctx

    def __call__(self, input: Any, _ctx: Any) -> Any:
        """Call the real resolver with the context of the call."""
        self.called = True
        if self._is_async:
            return self._awaited(input)
        return self._now(input)

    def _now(self, input: Any) -> Any:
        try:
            result = self._resolver(input, self.ctx)
        except BaseException as exception:
            self.raised = exception
            raise
        return self._noted(result)

    async def _awaited(self, input: Any) -> Any:
        try:
            result = await self._resolver(input, self.ctx)
        except BaseException as exception:
            self.raised = exception
            raise
        return self._noted(result)
