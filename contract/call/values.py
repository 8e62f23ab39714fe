"""
Values: what a call has made by generators, and how each of them ends.

A value belongs to the thread or the event loop that made it, and ends there, since connections to
databases do. They end in the reverse order, once it is known what is answered: a generator goes on
where that is a success, and else gets the reason thrown in.
"""

from __future__ import annotations

# of `threading`, which takes 2 ms to import, and a client needs none of it
from _thread import get_ident
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
"""A function for after a success, the context of its call, and its arguments."""


class Keeper(Protocol):
    """A thread that is kept for one call, since values of the call belong to it."""

    def release(self) -> None: ...  # noqa: D102


def deadline_passed() -> TimeoutError:
    """The exception that ends the values of a call that took too long."""
    return TimeoutError("the deadline of the call has passed")


@final
class Hop:
    """
    One stay of a call in a thread: it is finished there, or given up by who waits for it.

    Only one of the two can come first, and both know which: so nothing is committed in a thread for
    a call that was answered with 504, or whose client has gone.
    """

    __slots__ = ("_open", "given_up")

    def __init__(self) -> None:
        self._open: Final = [None]
        self.given_up: BaseException | None = None

    def give_up(self, why: BaseException) -> bool:
        """Give it up; False where it has been finished, and its result is on its way."""
        if self.given_up is not None:
            return True
        self.given_up = why
        try:
            self._open.pop()  # this needs no lock
        except IndexError:
            self.given_up = None
            return False
        return True

    def finish(self) -> BaseException | None:
        """Finish it; else the reason for which it has been given up."""
        try:
            self._open.pop()
        except IndexError:
            return self.given_up
        return None


class Values:
    """
    The values of one call.

    Attributes:
        found: Provider -> its generator, the value, and the home; in the order of making.
        making: The providers that are just making theirs.
        waiting: Who waits for one of them in another task: the provider, those that are being made
            for the sake of which, and the future.
        after: Functions for after a success.
        over: Whether the call has come to its end, so that nothing is made any more.
        cause: The reason that generators get thrown in; None where all went well.
        troubles: The names of providers that failed at their end, and what they raised.
        kept: The thread that is kept for the call, if one is.
        awaits: Whether an asynchronous value can be ended here.
    """

    # of the class as long as nothing has been noted down, since each costs when it is set
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

    def keep(self, name: Callable[[], None], close: Callable[[], object]) -> None:
        """Have *close* called at the end, whatever the outcome, in any thread."""

        def kept() -> Generator[None, None, None]:
            try:
                yield
            finally:
                close()

        generator = kept()
        next(generator)
        self.found[name] = generator, None, ANYWHERE

    def settle(self, cause: BaseException | None) -> None:
        """Note down the outcome of the call; only the first counts."""
        if not self.over:
            self.over = True
            self.cause = cause

    def is_at_home(self) -> bool:
        """Whether one of the values belongs to this thread."""
        here = get_ident()
        return any(home == here for _, _, home in list(self.found.values()))

    def leave_here(self) -> None:
        """End the values, the last one first, up to one that does not belong to this thread."""
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
        End all the values that belong to this thread, which goes away now.

        What a thread of the user's has made after the first of them cannot end, and they must know.
        """
        here = get_ident()
        made = list(self.found.items())
        mine = [at for at, (_, (_, _, home)) in enumerate(made) if home == here]
        for provider, (generator, _, home) in reversed(made[mine[0] :] if mine else []):
            if home == ON_LOOP:
                continue
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
                continue  # a thread has just ended it, which may end those for all
            later = home == ON_LOOP
            trouble = (
                await _left_later(generator, self.cause) if later else _left(generator, self.cause)
            )
            if trouble is not None:
                self._note(provider, trouble)

    async def leave_rest_on_loop(self) -> None:
        """End what belongs here, while a thread that was given up still has the others."""
        await self.leave_on_loop(past=True)

    def drop(self) -> None:
        """Give up the last value: it was made in a thread of the user's, where nothing ends it."""
        provider, _ = self.found.popitem()
        self._note(provider, RuntimeError(f"{provider.__name__} {_FOREIGN}"))

    def release(self) -> None:
        """Let go the thread that is kept, if one is."""
        kept, self.kept = self.kept, None
        if kept is not None:
            kept.release()

    def _note(self, provider: Any, trouble: BaseException) -> None:
        self.troubles += ((provider.__name__, trouble),)
        # what is further out must not go on as if all were well
        self.cause = self.cause or trouble


NO_VALUES: Final[Values | None] = None
"""The values of a call before the first; with a type that does not say that there will be none."""

OVER: Final = Values()
"""The values of every call that has come to its end without one; nothing is made any more."""
OVER.over = True

_FOREIGN: Final = (
    "was made in a thread that is none of the call's, so it cannot end there; "
    "ask for it before you start the thread, and write @provide(shared=True)"
)

_TWICE: Final = "a provider yields once, and this one yielded again"


_AT_ITS_END: Final[Any] = object()


def _left(
    generator: Generator[Any, None, None], cause: BaseException | None
) -> BaseException | None:
    """End *generator*, and give what went wrong."""
    came_with = None if cause is None else cause.__traceback__
    try:
        if cause is None:
            if next(generator, _AT_ITS_END) is _AT_ITS_END:  # no exception, which would be dearer
                return None
        else:
            generator.throw(cause)
    except StopIteration:
        return None
    except BaseException as raised:  # noqa: BLE001  whatever it is, the others end too
        return None if _is_that(raised, cause) else raised
    finally:
        if cause is not None:
            # with the frames here it would hold itself, and the request that they are of
            cause.__traceback__ = came_with
    return RuntimeError(_TWICE)


async def _left_later(
    generator: AsyncGenerator[Any, None], cause: BaseException | None
) -> BaseException | None:
    """End an asynchronous *generator*, and give what went wrong."""
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
    """Whether *raised* is only the *cause*, which was thrown in and came out again."""
    if raised is cause:
        return True
    if isinstance(cause, StopIteration | StopAsyncIteration):
        return raised.__cause__ is cause  # no generator can let one of these pass
    # an event loop makes a new one of these at each step
    return type(raised) is type(cause) and not isinstance(cause, Exception)
