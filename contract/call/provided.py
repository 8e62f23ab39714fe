"""
Provided values: a call makes them when they are first asked for, and ends them when it ends.

`provide` makes a provider from a generator function. Calling the provider gives the value of the
running call, whether a resolver, ``authenticate``, a hook, or a function below them asks for it.
The answer matches what was committed: the output is checked and written, then the generators are
resumed, and then the reply is sent.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager
from contextvars import ContextVar, copy_context
from threading import get_ident
from typing import Any, Final, Generic, Literal, ParamSpec, Protocol, TypeVar, cast, final, overload

from contract.call.context import CURRENT, OK, CallSource, Reply
from contract.call.values import ANYWHERE, ON_LOOP, Values, deadline_passed
from contract.declare.failures import Failure
from contract.declare.resolver import simple_name
from contract.declare.resource import Using, check_generator
from contract.shape.exceptions import ContractException, DeclarationError

__all__ = ["AsyncProvided", "CallFailed", "Provided", "after_commit", "cause_of", "provide"]

T = TypeVar("T")
P = ParamSpec("P")


class CallFailed(ContractException):
    """
    The exception that is thrown into a provider if its call did not succeed.

    It is raised at the provider's ``yield``, so ``with Session.begin()`` rolls back by itself.
    Whether the provider catches it makes no difference.

    Attributes:
        failure: The failure that was returned; None if the framework refused the call.
        code: The code that is sent.
    """

    def __init__(self, failure: Failure | None, code: str = "") -> None:
        self.failure: Final = failure
        self.code: Final = code if failure is None else failure.error_code
        super().__init__(self.code)


def cause_of(found: bytes | Reply) -> BaseException | None:
    """The exception that ends the values of a call with this outcome; None for a success."""
    if isinstance(found, bytes) or found.code == OK:
        return None
    if isinstance(found.cause, Failure):
        return CallFailed(found.cause)
    if isinstance(found.cause, BaseException):
        return found.cause
    if found.code == "DEADLINE_EXCEEDED":
        return deadline_passed()
    return CallFailed(None, found.code)


class _Provider(Generic[T]):
    """The common base of both kinds of providers."""

    def __init__(self, function: Callable[[], object], place: str) -> None:
        self.__name__: str = simple_name(function)
        self.__doc__ = function.__doc__
        self.__module__ = function.__module__
        self.__qualname__ = function.__qualname__
        self._place: Final = place
        self._fakes: Final[list[T]] = []

    def __repr__(self) -> str:
        return f"<provider {self.__name__} ({self._place})>"

    def using(self, fake: T, /) -> AbstractContextManager[T]:
        """
        Give *fake* to every call of this process, for a test, and to plain calls of resolvers, too.

        ::

            with session.using(FakeSession()) as db:
                assert order(Order("p1"), None) == SoldOut(restock_days=3)
        """
        return Using(self._fakes, fake)

    def _outside(self) -> LookupError:
        name = self.__name__
        return LookupError(
            f"no call is running here, and {name} gives the value of a call: ask for it in a "
            "resolver, and not as the default of a parameter; in a test or a job, write "
            f'`with contract.calling("order"):` around it, or replace it: '
            f"`with {name}.using(fake):`; "
            "a thread of your own needs contextvars.copy_context().run"
        )

    def _over(self, source: CallSource) -> RuntimeError:
        return RuntimeError(
            f"{self.__name__} was asked for after the call of {source.route} had ended; "
            'use it before, or write `with contract.calling("order"):` around what needs a new one'
        )

    def _being_made(self) -> RuntimeError:
        return RuntimeError(
            f"{self.__name__} was asked for while it was being made, by itself or by two "
            "threads at once; ask for it once before you start them"
        )

    def _nothing(self) -> RuntimeError:
        return RuntimeError(f"{self.__name__} yielded nothing ({self._place})")


@final
class Provided(_Provider[T]):
    """A provider of values, made by `provide`; calling it gives the value of the running call."""

    def __init__(self, function: Callable[[], Iterator[T]], place: str, *, shared: bool) -> None:
        super().__init__(function, place)
        self._function: Final = function
        self._shared: Final = shared

    def __call__(self) -> T:
        """
        The value of the running call; made now if the call has none yet.

        Raises:
            LookupError: No call is running here.
            RuntimeError: The call made it in another thread, or is over.
        """
        if self._fakes:
            return self._fakes[-1]
        try:
            source = CURRENT.get()
        except LookupError:
            raise self._outside() from None
        values = source.values
        if values is None:
            values = source.values = Values()
        made = values.found.get(self)
        if made is None:
            if values.over:
                raise self._over(source)
            if self._shared:
                return self._make_shared(values)
            # Written out here, since most calls of a provider end here. The loop returns with the
            # first value; if the generator yields none, it ends, and `_nothing` is raised.
            generator = self._function()
            for value in generator:
                values.found[self] = generator, value, get_ident()
                return value
            raise self._nothing()
        # its home; ANYWHERE is 0
        if made[2] and made[2] != get_ident():
            raise RuntimeError(
                f"{self.__name__} belongs to the thread that the call has made it in, and was "
                "asked for in another; make it async, or, where any thread may use it, "
                f"write @provide(shared=True) ({self._place})"
            )
        found: T = made[1]
        return found

    def _make_shared(self, values: Values) -> T:
        # Two threads may make a shared value at once, and one of the two would never end. A lock
        # would hang if a provider asked for itself, so the second one is told instead.
        if self in values.making:
            raise self._being_made()
        values.making |= {self}
        try:
            generator = self._function()
            for value in generator:
                values.found[self] = generator, value, ANYWHERE
                return value
        finally:
            values.making -= {self}
        raise self._nothing()


@final
class AsyncProvided(_Provider[T]):
    """
    An asynchronous provider of values, made by `provide`.

    Awaiting its call gives the value of the running call.
    """

    def __init__(self, function: Callable[[], AsyncIterator[T]], place: str) -> None:
        super().__init__(function, place)
        self._function: Final = function

    async def __call__(self) -> T:
        """
        The value of the running call; made now if the call has none yet.

        Raises:
            LookupError: No call is running here.
            RuntimeError: The call is over.
        """
        if self._fakes:
            return self._fakes[-1]
        try:
            source = CURRENT.get()
        except LookupError:
            raise self._outside() from None
        values = source.values
        if values is None:
            values = source.values = Values()
        within = _WITHIN.get()
        # A task that has waited looks again: the one that made the value may have failed.
        while True:
            if self in values.found:
                return cast("T", values.found[self][1])
            if values.over:
                raise self._over(source)
            if self not in values.making:
                return await self._make(values, within)
            await self._made_elsewhere(values, within)

    async def _make(self, values: Values, within: tuple[object, ...]) -> T:
        if not values.awaits:
            raise RuntimeError(
                f"{self.__name__} is asynchronous; write `async with contract.calling(...):`"
            )
        values.making |= {self}
        _WITHIN.set((*within, self))
        try:
            generator = self._function()
            async for value in generator:
                values.found[self] = generator, value, ON_LOOP
                return value
        finally:
            _WITHIN.set(within)
            values.making -= {self}
            for wanted, _, waiter in values.waiting:
                if wanted is self and not waiter.done():
                    waiter.set_result(None)
        raise self._nothing()

    async def _made_elsewhere(self, values: Values, within: tuple[object, ...]) -> None:
        """
        Wait until another task of the call has made the value, or has failed to.

        Raises:
            RuntimeError: It waits, directly or not, for one that is being made *within*.
        """
        # it is loaded wherever a task runs; a program without tasks should not load it
        from asyncio import get_running_loop  # noqa: PLC0415

        if _waits_for(self, within, values):
            raise self._being_made()
        waiter = get_running_loop().create_future()
        values.waiting += ((self, within, waiter),)
        try:
            await waiter
        finally:
            values.waiting = tuple(each for each in values.waiting if each[2] is not waiter)


_WITHIN: Final[ContextVar[tuple[object, ...]]] = ContextVar("contract_within", default=())
"""The asynchronous providers that are being made here, the innermost last."""


def _waits_for(provider: object, within: tuple[object, ...], values: Values) -> bool:
    """Whether *provider* is in *within*, or waits for one that is."""
    if provider in within:
        return True
    for wanted, others, _ in values.waiting:
        if provider in others and _waits_for(wanted, within, values):
            return True
    return False


class _Sharing(Protocol):
    """The decorator that ``provide(shared=True)`` gives."""

    def __call__(self, fn: Callable[[], Iterator[T]], /) -> Provided[T]: ...


@overload
def provide(fn: Callable[[], AsyncIterator[T]], /) -> AsyncProvided[T]: ...
@overload
def provide(fn: Callable[[], Iterator[T]], /) -> Provided[T]: ...
@overload
def provide(*, shared: Literal[True]) -> _Sharing: ...
def provide(fn: Callable[[], Any] | None = None, /, *, shared: bool = False) -> Any:
    """
    Make a provider from a generator function; each call gets its own value.

    ::

        @provide
        def session() -> Iterator[Session]:
            with Session.begin() as db:
                yield db


        def order(input: Order, ctx: User) -> Receipt | SoldOut:
            db = session()

    The value is made when it is first asked for. The generator is resumed once the output of the
    resolver has been checked, before the reply is sent. If the call does not succeed, the reason is
    raised at its ``yield``: a `CallFailed` for a failure that was returned, the exception that was
    raised, the error in an output, a TimeoutError for a deadline, or the cancellation if the client
    has gone. If the generator raises anything else, the call is answered with 500.

    Args:
        fn: A function without parameters that yields once; an ``async def`` makes a provider that
            must be awaited.
        shared: Whether any thread may use the value and end it. Otherwise a value belongs to the
            thread that made it.

    Raises:
        DeclarationError: *fn* is not a generator function, or has a parameter.
    """
    if fn is None:
        return _sharing
    place, is_async = check_generator("@provide", fn)
    if is_async:
        return AsyncProvided(fn, place)
    return Provided(fn, place, shared=shared)


def _sharing(fn: Callable[[], Any], /) -> Any:
    place, is_async = check_generator("@provide(shared=True)", fn)
    if is_async:
        raise DeclarationError(
            f"@provide(shared=True) {simple_name(fn)}",
            f"an async value is never in two threads; write @provide ({place})",
        )
    return Provided(fn, place, shared=True)


def after_commit(fn: Callable[P, object], /, *args: P.args, **kwargs: P.kwargs) -> None:
    """
    Have *fn* called after the running call, if that succeeds.

    It is called once the reply is on its way, and its exceptions are logged. It may be a coroutine
    function. The provided values of the call have ended by then. A server that stops waits for it;
    a server that crashes loses it.

    ::

        after_commit(mail.send, user.email, "Your order is on its way.")

    Raises:
        LookupError: No call is running here.
        RuntimeError: The call is over.
    """
    try:
        source = CURRENT.get()
    except LookupError:
        raise LookupError(
            "no call is running here, and after_commit() is for the end of one; in a test, write "
            '`with contract.calling("order"):` around it'
        ) from None
    values = source.values
    if values is None:
        values = source.values = Values()
    if values.over:
        raise RuntimeError(f"after_commit() was called after the call of {source.route} had ended")
    values.after += ((copy_context(), fn, args, kwargs),)
