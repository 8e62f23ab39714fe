"""
Pages: the items of a list that a route gives page by page.

Each item is a result like any other: an `Ok`, or the failure of the page with it, which is then the
last one. So a loop cannot miss that a list is incomplete. It could, if it got bare items and the
failure were kept elsewhere.

A method for such a route declares the type of its results and that of its items (`Paged`). A
function cannot derive the second from the first: if one type variable stands for several failures,
mypy joins them to `object`.
"""

from __future__ import annotations

from collections.abc import (
    AsyncIterable,
    AsyncIterator,
    Callable,
    Coroutine,
    Iterable,
    Iterator,
    Mapping,
)
from dataclasses import dataclass
from typing import Any, Concatenate, Final, Generic, ParamSpec, TypeVar, final, overload

from contract.client.results import CallError, DeclaredFailure, Ok
from contract.shape.issues import Issue

__all__ = ["AsyncPagedRoute", "Paged", "PagedRoute", "async_paged", "paged", "pages"]

P = ParamSpec("P")
S = TypeVar("S")
R = TypeVar("R", covariant=True)
E = TypeVar("E", covariant=True)


@final
class Paged(Generic[R, E]):
    """The result R of a page; each of its items is a result E."""

    __slots__ = ("result",)

    def __init__(self, result: R) -> None:
        self.result: Final = result


@final
class PagedRoute(Generic[P, R, E]):
    """A method for a route that gives pages; calling it gives one page."""

    __slots__ = ("_call",)

    def __init__(self, call: Callable[P, Paged[R, E]]) -> None:
        self._call = call

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """One page, or the failure instead of it."""
        return self._call(*args, **kwargs).result


@final
class AsyncPagedRoute(Generic[P, R, E]):
    """The paged method of an asynchronous client."""

    __slots__ = ("_call",)

    def __init__(self, call: Callable[P, Coroutine[Any, Any, Paged[R, E]]]) -> None:
        self._call = call

    async def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """One page, or the failure instead of it."""
        return (await self._call(*args, **kwargs)).result


@final
class paged(Generic[S, P, R, E]):  # noqa: N801  a decorator
    """A decorator for a method that returns a `Paged`, for use with `pages`."""

    def __init__(self, method: Callable[Concatenate[S, P], Paged[R, E]]) -> None:
        self._method: Final[Any] = method
        self.__doc__ = method.__doc__

    def __get__(self, instance: S, owner: object) -> PagedRoute[P, R, E]:
        return PagedRoute(self._method.__get__(instance, owner))


@final
class async_paged(Generic[S, P, R, E]):  # noqa: N801  a decorator
    """A decorator for a method of an asynchronous client that returns a `Paged`."""

    def __init__(
        self, method: Callable[Concatenate[S, P], Coroutine[Any, Any, Paged[R, E]]]
    ) -> None:
        self._method: Final[Any] = method
        self.__doc__ = method.__doc__

    def __get__(self, instance: S, owner: object) -> AsyncPagedRoute[P, R, E]:
        return AsyncPagedRoute(self._method.__get__(instance, owner))


@overload
def pages(route: PagedRoute[P, object, E], /, *args: P.args, **kwargs: P.kwargs) -> Iterable[E]: ...
@overload
def pages(
    route: AsyncPagedRoute[P, object, E], /, *args: P.args, **kwargs: P.kwargs
) -> AsyncIterable[E]: ...
def pages(route: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """
    The items of a list, page by page: for ``for``, or ``async for`` with an asynchronous client.

    ::

        for each in pages(api.list_orders, filter=OrderFilter()):
            match each:
                case Ok(order):
                    ...
                case CallError() as error:
                    ...

    Each is an ``Ok`` with an item. If a page cannot be loaded, the last one is its failure or
    ``CallError``. Each loop starts from the beginning, and loads a page only when it gets there.

    Args:
        route: A method of a client, for a route that gives pages.
        args: The arguments of the method.
        kwargs: The keyword arguments of the method; ``limit`` is that of each page.
    """
    return _Items(route, args, kwargs)


@dataclass(frozen=True, slots=True)
class _Items:
    """The items of all pages of a route."""

    route: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]

    def __iter__(self) -> Iterator[Any]:
        # a copy: another loop begins at the first page again
        kwargs = {**self.kwargs}
        while True:
            found, after = _turned(self.route(*self.args, **kwargs), kwargs.get("after"))
            yield from found
            if after is None:
                return
            kwargs["after"] = after

    async def __aiter__(self) -> AsyncIterator[Any]:
        kwargs = {**self.kwargs}
        while True:
            found, after = _turned(await self.route(*self.args, **kwargs), kwargs.get("after"))
            for each in found:
                yield each
            if after is None:
                return
            kwargs["after"] = after


def _turned(result: Any, after: object) -> tuple[list[Any], Any]:
    """The results on the page for the key *after*, and the key of the next page."""
    if isinstance(result, DeclaredFailure | CallError):
        return [result], None
    response = result.response
    found: list[Any] = [Ok(item, response=response) for item in result.value.items]
    key = result.value.next
    # a faulty service could keep a loop in one page for ever
    if key is None or key != after:
        return found, key
    endless = CallError(
        "UNKNOWN_ERROR", response.status, issues=(_AGAIN,), headers=response.headers
    )
    return [*found, endless], None


_AGAIN: Final = Issue(("next",), "repeated", "The page leads to itself.")
