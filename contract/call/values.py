"""
Values: the generators of a call's provided values, and how each of them ends.

A value belongs to the thread or the event loop that made it, and ends there, since database
connections must. They end in reverse order, once the answer is known: after a success a generator
is resumed, otherwise the reason is thrown into it.
"""

from __future__ import annotations

# of `threading`, which takes 2 ms to import and is not needed by a client
from _thread import allocate_lock, get_ident
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextvars import Context
from typing import Any, Final, Protocol, final

__all__ = [
    "ANYWHERE",
    "NO_VALUES",
    "ON_LOOP",
    "OVER",
    "After",
    "Hop",
    "Keeper",
    "Values",
    "deadline_passed",
]

ON_LOOP: Final = -1
"""The home of an asynchronous value."""
ANYWHERE: Final = 0
"""The home of a value that any thread may use and end."""

After = tuple[Context, Callable[..., object], tuple[Any, ...], Mapping[str, Any]]
"""A function to call after a success, with the context of its call and its arguments."""


class Keeper(Protocol):
    """A thread that is kept for one call, since values of the call belong to it."""

    def release(self) -> None: ...  # noqa: D102


def deadline_passed() -> TimeoutError:
    """The exception that ends the values of a call that took too long."""
    return TimeoutError("the deadline of the call has passed")


@final
class Hop:
    """
    One stay of a call in a thread: it is finished there, or given up by the one who waits.

    Whichever comes first wins, and both sides know which: so nothing is committed in a thread for a
    call that was answered with 504, or whose client has gone.
    """

    __slots__ = ("_over", "given_up")

    def __init__(self) -> None:
        self._over: Final = allocate_lock()
        """Locked by whichever comes first, and never released."""
        self.given_up: BaseException | None = None

    def give_up(self, why: BaseException) -> bool:
        """Give it up; return False if it was finished, and its result is on its way."""
        if self.given_up is not None:
            return True
        # before the lock is taken: from then on, `finish` reads it
        self.given_up = why
        if self._over.acquire(blocking=False):
            return True
        self.given_up = None
        return False

    def finish(self) -> BaseException | None:
        """Finish it; return the reason if it was given up before."""
        if self._over.acquire(blocking=False):
            return None
        return self.given_up


class Values:
    """
    The provided values of one call.

    Attributes:
        found: Provider -> its generator, the value, and the home; in the order of making.
        making: The providers whose values are being made.
        waiting: For each wait in another task: the provider, the ones that are being made for it,
            and the future.
        after: Functions to call after a success.
        over: Whether the call has ended, so that no more values can be made.
        cause: The exception to throw into the generators; None after a success.
        troubles: Providers that failed at their end, by name, with the exception.
        kept: The thread that is kept for the call, if there is one.
        awaits: Whether asynchronous values can be ended here.
    """

    # class attributes until they differ, since setting each of them costs time
    after: tuple[After, ...] = ()
    awaits: bool = True
    cause: BaseException | None = None
    kept: Keeper | None = None
    making: frozenset[object] = frozenset()
    over: bool = False
    troubles: tuple[tuple[str, BaseException], ...] = ()
    waiting: tuple[tuple[object, tuple[object, ...], Any], ...] = ()

    def __init__(self) -> None:
        self.found: Final[dict[Any, tuple[Any, Any, int]]] = {}

    def keep(self, close: Callable[[], object]) -> None:
        """Have *close* called at the end, whatever the outcome, in any thread."""

        def kept() -> Generator[None, None, None]:
            try:
                yield
            finally:
                close()

        generator = kept()
        next(generator)
        self.found[close] = generator, None, ANYWHERE

    def settle(self, cause: BaseException | None) -> None:
        """Record the outcome of the call; only the first one counts."""
        if not self.over:
            self.over = True
            self.cause = cause

    def is_at_home(self) -> bool:
        """Whether one of the values belongs to this thread."""
        here = get_ident()
        return any(home == here for _, _, home in list(self.found.values()))

    def leave_here(self) -> None:
        """End the values, last one first, up to one that does not belong to this thread."""
        here, found = get_ident(), self.found
        while found:
            provider, made = found.popitem()
            generator, _, home = made
            if home != here and home != ANYWHERE:
                found[provider] = made
                return
            trouble = _left(generator, self.cause)
            if trouble is not None:
                self._note(provider, trouble)

    def leave_thread(self) -> None:
        """
        End all the values that belong to this thread, which is about to go away.

        Values that a user's thread made after the first of them cannot end, and are reported.
        """
        here = get_ident()
        made = list(self.found.items())
        homes = [home for _, (_, _, home) in made]
        first = len(homes)
        if here in homes:
            first = homes.index(here)
        for provider, (generator, _, home) in reversed(made[first:]):
            if home == ON_LOOP:
                continue  # it ends later, on its loop
            del self.found[provider]
            if home in (here, ANYWHERE):
                trouble = _left(generator, self.cause)
            else:
                trouble = RuntimeError(f"{provider.__name__} {_FOREIGN}")
            if trouble is not None:
                self._note(provider, trouble)

    async def leave_on_loop(self, *, past: bool = False) -> None:
        """
        End the values, the last one first, up to one that belongs to another thread, or past it.
        """
        here, found = get_ident(), self.found
        for provider, (generator, _, home) in reversed(list(found.items())):
            if home not in (here, ANYWHERE, ON_LOOP):
                if past:
                    continue
                return
            if found.pop(provider, None) is None:
                continue  # a thread has just ended it
            if home == ON_LOOP:
                trouble = await _left_later(generator, self.cause)
            else:
                trouble = _left(generator, self.cause)
            if trouble is not None:
                self._note(provider, trouble)

    def drop(self) -> None:
        """Give up the last value: a user's thread made it, and nothing can end it there."""
        provider, _ = self.found.popitem()
        self._note(provider, RuntimeError(f"{provider.__name__} {_FOREIGN}"))

    def release(self) -> None:
        """Release the thread that is kept, if there is one."""
        kept, self.kept = self.kept, None
        if kept is not None:
            kept.release()

    def _note(self, provider: Any, trouble: BaseException) -> None:
        self.troubles += ((provider.__name__, trouble),)
        # outer values must not end as after a success
        self.cause = self.cause or trouble


NO_VALUES: Final[Values | None] = None
"""The values of a call before the first one; typed so that there may be some later."""

OVER: Final = Values()
"""The values of every call that ended without any; no more can be made."""
OVER.over = True

_FOREIGN: Final = (
    "was made in a thread that does not belong to the call, so it cannot end there; "
    "write `with contract.calling(...):` in that thread, around what asks for it; "
    "or, where any thread may use it, write @provide(shared=True)"
)

_TWICE: Final = "a provider yields once, and this one yielded again"


_AT_ITS_END: Final[Any] = object()


def _left(
    generator: Generator[Any, None, None], cause: BaseException | None
) -> BaseException | None:
    """End *generator*, and return what went wrong."""
    traceback = None if cause is None else cause.__traceback__
    try:
        if cause is None:
            if next(generator, _AT_ITS_END) is _AT_ITS_END:  # no exception, which would cost more
                return None
        else:
            generator.throw(cause)
    except StopIteration:
        return None
    except BaseException as raised:  # noqa: BLE001  whatever it is, the others end too
        if _is_that(raised, cause):
            return None
        return raised
    finally:
        if cause is not None:
            # the frames here would make a reference cycle with the request
            cause.__traceback__ = traceback
    return RuntimeError(_TWICE)


async def _left_later(
    generator: AsyncGenerator[Any, None], cause: BaseException | None
) -> BaseException | None:
    """End an asynchronous *generator*, and return what went wrong."""
    try:
        if cause is None:
            await anext(generator)
        else:
            await generator.athrow(cause)
    except StopAsyncIteration:
        return None
    except BaseException as raised:
        if _is_that(raised, cause):
            return None
        if isinstance(raised, GeneratorExit):  # nothing can be awaited any more
            raise
        return raised
    return RuntimeError(_TWICE)


def _is_that(raised: BaseException, cause: BaseException | None) -> bool:
    """Whether *raised* is just the *cause* that was thrown in and came out again."""
    if raised is cause:
        return True
    if isinstance(cause, StopIteration | StopAsyncIteration):
        return raised.__cause__ is cause  # a generator cannot let one of these pass
    # an event loop makes a new one of these at each step
    return type(raised) is type(cause) and not isinstance(cause, Exception)
