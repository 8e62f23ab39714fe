"""
Hooks: functions that run before a resolver, and the call and the request that they see.

A hook returns a failure, which ends the call, or None, and the call goes on. Its return annotation
declares the failures that it may return, as that of a resolver does. They join the errors of every
route that the hook runs before.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, Protocol, cast, final, overload

from typing_extensions import TypeVar

from contract.declare.failures import Failure
from contract.declare.resolver import (
    Origin,
    docstring,
    is_async_callable,
    is_wrapper,
    local_names,
    name_of,
    parameter_list,
    place_of,
    simple_name,
    takes,
    underlying,
)
from contract.shape.annotations import parameters_of
from contract.shape.exceptions import RouteDeclarationError
from contract.shape.header_values import Headers
from contract.shape.quoting import shown
from contract.shape.record import record

__all__ = ["Call", "CallFacts", "Hook", "LiveCall", "Request", "check_hooks", "hook", "hooks"]

C = TypeVar("C")
C_co = TypeVar("C_co", covariant=True)
C_contra = TypeVar("C_contra", contravariant=True)
F = TypeVar("F", bound="Failure | None")
G_co = TypeVar("G_co", covariant=True, default=object)
In_co = TypeVar("In_co", covariant=True, default=None)


_NO_HEADERS: Final[Mapping[str, str]] = MappingProxyType({})


@final
@dataclass(frozen=True, slots=True)
class Request:
    """
    One HTTP request as hooks see it, whatever the adapter.

    Attributes:
        method: In capital letters.
        path: Decoded, including the mount's prefix.
        headers: Names are in lower case; repeated headers are joined with ", ". A lookup in those
            that a server has read takes any case.
        client: The address of the client, if the server tells it. Behind a proxy it is that of the
            proxy, unless ``trusted_proxies`` of the mount names the proxy's network.
        native: The framework's own request: a ``falcon.Request``, a WSGI environ or an ASGI scope.
    """

    method: str = "POST"
    path: str = "/"
    headers: Mapping[str, str] = field(default_factory=lambda: _NO_HEADERS)
    client: str | None = None
    native: Any = None

    def __repr__(self) -> str:
        """Leave out the headers, which hold the token."""
        return f"Request({self.method} {self.path!r})"


class CallFacts(Protocol):
    """The facts of a running call that few hooks ask for."""

    @property
    def request_id(self) -> str: ...  # noqa: D102
    @property
    def headers(self) -> Mapping[str, str]: ...  # noqa: D102
    @property
    def client(self) -> str | None: ...  # noqa: D102


@final
@record
class _Facts:
    """The facts of a call made by a test."""

    request_id: str
    headers: Mapping[str, str]
    client: str | None


@final
class Call(Generic[C_co, In_co]):
    """
    A call, as hooks see it.

    ``Call[User]`` is a call with a context of the type ``User``. A hook that takes ``Call[User,
    Order]`` also asks for the input, and runs once that is read. ``Call[object]`` takes any
    context.

    A test makes a call itself: ``limited(Call(User("ada"), route="order"))``.

    Args:
        ctx: The context: the result of ``authenticate``, None for public routes.
        input: The input, if the hook asks for it.
        route: The name of the route in its spec.
        request_id: The id that is sent back in ``X-Request-Id``.
        headers: The headers of the request; names may be in any case.
        client: The address of the client, as in `Request`.
    """

    __slots__ = ("_ctx", "_facts", "_input", "_route")

    def __init__(
        self,
        ctx: C_co,
        # the default of the type variable: the input of a hook that does not ask for it
        input: In_co = cast("In_co", None),  # noqa: B008
        *,
        route: str = "",
        request_id: str = "",
        headers: Mapping[str, str] = _NO_HEADERS,
        client: str | None = None,
    ) -> None:
        self._ctx = ctx
        self._input = input
        self._route = route
        self._facts: CallFacts = _Facts(request_id, Headers(headers.items()), client)

    @property
    def ctx(self) -> C_co:
        """The context: the result of ``authenticate``, None for public routes."""
        return self._ctx

    @property
    def input(self) -> In_co:
        """The input of the route, if the hook asks for it; else None."""
        return self._input

    @property
    def route(self) -> str:
        """The name of the route in its spec."""
        return self._route

    @property
    def request_id(self) -> str:
        """The id of the request, which is sent back in ``X-Request-Id``."""
        return self._facts.request_id

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers of the request; names are in lower case, a lookup takes any case."""
        return self._facts.headers

    @property
    def client(self) -> str | None:
        """The address of the client, as in `Request`."""
        return self._facts.client

    def __repr__(self) -> str:
        """Leave out headers, context and input, which may be secret."""
        return f"Call({self._route!r}, {self.request_id!r})"


# Call is final for users; only the service makes this subclass.
class LiveCall(Call[Any, Any]):  # type: ignore[misc]
    """
    A call of a service; it reads its facts from the request when they are first used.

    Few hooks use more than the context and the input.
    """

    __slots__ = ()

    def __init__(self, ctx: Any, input: Any, route: str, facts: CallFacts) -> None:
        self._ctx = ctx
        self._input = input
        self._route = route
        self._facts = facts


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Hook(Generic[C_contra, G_co]):
    """
    A function that runs before a resolver; made by `hook`.

    C is the context of the routes that it may run before. Calling the hook calls the function, as a
    test does: ``limited(Call(User("ada")))``.
    """

    function: Callable[[Call[C_contra, Any]], G_co]
    """The user's function."""
    is_async: bool
    """Whether the function is async; settled when it is decorated."""
    inline: bool
    """Whether a sync function runs on the event loop itself (ASGI), because it never waits."""
    origin: Origin
    """Where it was decorated."""

    if TYPE_CHECKING:
        __name__: str
        __qualname__: str
        __wrapped__: Callable[[Call[C_contra, Any]], G_co]

        def __init__(
            self, function: Callable[[Call[C_contra, Any]], G_co], origin: Origin, *, inline: bool
        ) -> None: ...

    else:  # for those without a type checker: say how a hook is made

        def __init__(self, function=None, origin=None, *, inline=False):
            if not isinstance(origin, Origin):
                raise RouteDeclarationError(
                    "Hook()", "hooks are made by hook; write @hook above the function"
                )
            module, qualname = name_of(function)
            # into `vars`, because assignment is refused: the class is frozen
            vars(self).update(
                function=function,
                is_async=is_async_callable(function),
                inline=inline,
                origin=origin,
                __wrapped__=function,
                __name__=simple_name(function),
                __qualname__=qualname,
                __module__=module,
                __doc__=docstring(function),
            )

    def __call__(self, call: Call[C_contra, Any], /) -> G_co:
        """Call the function, and return its failure or None."""
        return self.function(call)

    def __repr__(self) -> str:
        way = " (async)" if self.is_async else ""
        return f"<hook {self.__module__}.{self.__qualname__}{way}>"

    def __reduce__(self) -> str:
        """The name that pickle finds the hook by, as it would its function."""
        return self.__qualname__


class _Inline(Protocol):
    def __call__(self, function: Callable[[Call[C, Any]], F], /) -> Hook[C, F]: ...


@overload
def hook(
    function: Callable[[Call[C, Any]], Coroutine[Any, Any, F]], /
) -> Hook[C, Coroutine[Any, Any, F]]: ...
@overload
def hook(function: Callable[[Call[C, Any]], F], /) -> Hook[C, F]: ...
@overload
def hook(*, inline: Literal[True]) -> _Inline: ...
def hook(function: Any = None, /, *, inline: bool = False) -> Any:
    """
    Make a function a hook, which runs before the resolver of each route that names it.

    ::

        @hook
        def limited(call: Call[User]) -> TooManyRequests | None: ...


        @route(summary="Order a product", tags=["orders"], hooks=hooks(limited))
        def order(input: Order, ctx: User) -> Receipt | SoldOut: ...

    The function takes the call, and returns a failure, which ends the call, or None. It may be sync
    or async: a function, a bound method or a callable object. Its return annotation declares its
    failures, which join the errors of the route.

    Args:
        function: The function; leave it out in ``@hook(inline=True)``.
        inline: Run a sync function on the event loop itself, if there is one. Use it for a hook
            that never waits.

    Raises:
        RouteDeclarationError: It is not a function that takes one call.
    """
    # annotations may name types that are local to the caller
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]

    def decorate(function: Any) -> Hook[Any, Any]:
        where, place = name_of(function)[1].rpartition("<locals>.")[2], place_of(function)
        try:
            _check(function, where, inline=inline)
        except RouteDeclarationError as error:
            raise RouteDeclarationError(error.where, f"{error.problem} ({place})") from None
        return Hook(function, Origin(place, frame.f_code, local_names(frame)), inline=inline)

    if function is None:  # @hook(inline=True)
        return decorate
    return decorate(function)


def _check(function: Any, where: str, *, inline: object) -> None:
    """Refuse anything that does not take one call and return one failure or None."""
    # 1. What it is.
    if isinstance(function, Hook):
        raise RouteDeclarationError(where, "this is a hook already; decorate its function instead")
    if isinstance(function, type) or not callable(function):
        raise RouteDeclarationError(
            where,
            "a hook is a function, a bound method or a callable object; "
            "write @hook above one of them",
        )
    # calling a generator function runs nothing of it, so it would let every call pass
    plain = underlying(function)
    if inspect.isgeneratorfunction(plain) or inspect.isasyncgenfunction(plain):
        raise RouteDeclarationError(
            where,
            "a hook returns one failure or None, and this one is a generator; "
            "write return, not yield",
        )
    if is_wrapper(function):
        raise RouteDeclarationError(where, _WRAPPED)
    # 2. What it takes; the types are compared when a spec is made.
    try:
        parameters = parameters_of(function)
    except TypeError:
        raise RouteDeclarationError(
            where, "its signature cannot be read; wrap it in a function that takes (call)"
        ) from None
    if not takes(parameters, 1):
        raise RouteDeclarationError(
            where,
            f"it takes {parameter_list(parameters)}, and a hook takes exactly (call); "
            "write call: Call[User], or Call[User, Order] where it asks for the input",
        )
    # 3. Where it runs.
    if inline not in (False, True):
        raise RouteDeclarationError(where, f"inline is {shown(inline)}; write True or leave it out")
    if inline and is_async_callable(function):
        raise RouteDeclarationError(
            where,
            "inline=True is for sync hooks, and an async one runs on the event loop anyway; "
            "leave it out",
        )


_WRAPPED: Final = (
    "it is wrapped in another function (functools.wraps, functools.cache), "
    "and its annotation does not say what that one returns; "
    "write one hook that returns the failures of both"
)


def hooks(*each: Hook[C]) -> list[Hook[C]]:
    """
    The hooks of a route as a list, in the order in which they run.

    A type checker infers a wider type for a bare list of different hooks.

    Raises:
        RouteDeclarationError: One of them is not a hook.
    """
    return list(check_hooks("hooks()", each))


def check_hooks(where: str, given: object) -> tuple[Hook[Any, Any], ...]:
    """
    Check and return the hooks that were given to a route or a spec.

    Raises:
        RouteDeclarationError: It is not a sequence of hooks.
    """
    if not isinstance(given, Sequence):
        raise RouteDeclarationError(
            where, f"{shown(given)} is not a list of hooks; write hooks(limited, audit)"
        )
    found = cast("Sequence[object]", given)
    for index, one in enumerate(found):
        if not isinstance(one, Hook):
            how = "; decorate it with @hook" if callable(one) else ""
            named = getattr(one, "__qualname__", shown(one))
            raise RouteDeclarationError(f"{where}[{index}]", f"{named} is not a hook{how}")
    return cast("tuple[Hook[Any, Any], ...]", tuple(found))
