"""
Pages: the items of a list that a route gives page by page.

Each item is a result like any other: an `Ok`, or the failure that the page with it came to, which
is then the last one. So a loop cannot overlook that a list is not whole, as it could if it were
given the items themselves and the failure stood elsewhere.

A method for such a route says what its results are and what those of its items are (`Paged`). No
function could find out the latter from the former: mypy joins the failures of a union to `object`
where one type variable stands for them.
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
    """The result R of a page, of whose items each is a result E."""

    __slots__ = ("result",)

    def __init__(self, result: R) -> None:
        self.result: Final = result


@final
class PagedRoute(Generic[P, R, E]):
    """A method for a route that gives pages; called, it gives one of them."""

    __slots__ = ("_call",)

    def __init__(self, call: Callable[P, Paged[R, E]]) -> None:
        self._call = call

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """One page, or the failure in its place."""
        return self._call(*args, **kwargs).result


@final
class AsyncPagedRoute(Generic[P, R, E]):
    """The paged method of an asynchronous client."""

    __slots__ = ("_call",)

    def __init__(self, call: Callable[P, Coroutine[Any, Any, Paged[R, E]]]) -> None:
        self._call = call

    async def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """One page, or the failure in its place."""
        return (await self._call(*args, **kwargs)).result


@final
class paged(Generic[S, P, R, E]):  # noqa: N801  a decorator
    """Makes a method that gives a `Paged` one for `pages`."""

    def __init__(self, method: Callable[Concatenate[S, P], Paged[R, E]]) -> None:
        self._method: Final[Any] = method
        self.__doc__ = method.__doc__

    def __get__(self, instance: S, owner: object) -> PagedRoute[P, R, E]:
        return PagedRoute(self._method.__get__(instance, owner))


@final
class async_paged(Generic[S, P, R, E]):  # noqa: N801  a decorator
    """Makes a method of an asynchronous client one that answers in pages."""

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
    The items of a list, page by page, for ``for``, or ``async for`` with an asynchronous client.

    ::

        for each in pages(api.list_orders, filter=OrderFilter()):
            match each:
                case Ok(order):
                    ...
                case CallError() as error:
                    ...

    Each is an ``Ok`` with an item. Where a page cannot be had, the last one is the failure or the
    ``CallError`` that it came to. Each loop begins again, and asks for a page when it is there.

    Args:
        route: A method of a client, for a route that gives pages.
        args: Those of the method.
        kwargs: Those of the method; ``limit`` is that of each page.
    """
    return _Items(route, args, kwargs)


@dataclass(frozen=True, slots=True)
class _Items:
    """The items on all pages that a route gives."""

    route: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]

    def __iter__(self) -> Iterator[Any]:
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
    """The results on a page that was asked for with *after*, and the key of the next."""
    if isinstance(result, DeclaredFailure | CallError):
        return [result], None
    response = result.response
    found: list[Any] = [Ok(item, response=response) for item in result.value.items]
    key = result.value.next
    if key is None or key != after:
        return found, key
    endless = CallError(
        "UNKNOWN_ERROR", response.status, issues=(_AGAIN,), headers=response.headers
    )
    return [*found, endless], None


_AGAIN: Final = Issue(("next",), "repeated", "The page leads to itself.")
