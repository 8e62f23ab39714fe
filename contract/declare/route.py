"""
Routes: a resolver, and the options that its author gives it.

``route`` checks a resolver's signature when it decorates it. The annotations are read when a spec
is made, because a name in an annotation may be defined later in the module.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import FrozenInstanceError, dataclass
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    Literal,
    Protocol,
    Self,
    TypedDict,
    TypeVar,
    Unpack,
    cast,
    overload,
)

from contract.declare.cache import Cache, check_cache
from contract.declare.failures import Errors
from contract.declare.hook import Hook, check_hooks
from contract.declare.permissions import HasScopes, Requires
from contract.declare.resolver import (
    Origin,
    check_resolver,
    docstring,
    is_async_callable,
    is_deprecated,
    local_names,
    name_of,
    place_of,
    simple_name,
)
from contract.declare.route_options import Auth, Deprecated, Effect, McpTool, Scope, checked
from contract.declare.webhooks import Signed, check_signed
from contract.shape.exceptions import RouteDeclarationError, SpecError
from contract.shape.markers import Texts
from contract.shape.quoting import shown

__all__ = ["Member", "PublicRoute", "Route", "Routes", "not_a_route", "route", "routes"]

I = TypeVar("I", contravariant=True)  # noqa: E741  the input
R = TypeVar("R", covariant=True)
C = TypeVar("C", contravariant=True)
H = TypeVar("H")
S = TypeVar("S", bound=HasScopes)
T = TypeVar("T")

Routes = Sequence[T] | Mapping[str, T]
"""Routes that are named after their functions, or by the keys of a mapping."""


class Member(Generic[C]):
    """A route, or a group of them, that takes a context of the type C."""

    __slots__ = ()


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Route(Member[C], Generic[I, R, C]):
    """
    A resolver that can be called over the wire; made by `route`.

    Calling the route calls the resolver, without validation and without HTTP: ``order(Order("p1"),
    ctx)``. Await the result if the resolver is async.
    """

    resolver: Callable[[I, C], R]
    """The user's function."""
    is_async: bool
    """Whether the resolver is async; settled when it is decorated."""
    summary: str
    """The summary, one line."""
    tags: tuple[str, ...]
    """The tags under which documents show the route."""
    description: str | None
    """The description as given; else the resolver's docstring."""
    auth: Auth
    """Who may call the route."""
    requires: tuple[str, ...]
    """The scopes that callers need, besides those that the groups require."""
    scope: Scope
    """Which documents show the route."""
    mcp: Literal[False] | McpTool
    """How the route looks as an MCP tool; False if it is not a tool."""
    errors: Errors | None
    """The domain failures in ``errors=``; they may be more than the annotation declares."""
    name: str | None
    """
    The RPC name as given to ``route``.

    Without a name, a spec takes ``__name__``. The keys of a mapping override both.
    """
    effect: Effect
    """Whether a call changes anything, and how."""
    cache: Cache | None
    """How long the output of a read may be kept, which is then also served at GET; else None."""
    signed: Signed | None
    """The secrets of the webhook's sender; None if the route does not take webhooks."""
    inline: bool
    """Whether a sync resolver runs on the event loop itself (ASGI), because it never waits."""
    max_body_bytes: int | None
    """The most bytes of the body, or of its JSON part; None for the limit of the mount."""
    deprecated: Literal[False] | Deprecated
    """The notice that the route should not be called any more."""
    hooks: tuple[Hook[Any], ...]
    """The hooks from ``hooks=`` and `behind`, in the order in which they run."""
    origin: Origin
    """Where the resolver was decorated."""

    if TYPE_CHECKING:
        __name__: str
        __qualname__: str
        __wrapped__: Callable[[I, C], R]

        def __init__(
            self, resolver: Callable[[I, C], R], origin: Origin, options: Mapping[str, object]
        ) -> None: ...

    else:  # for those without a type checker: say how a route is made

        def __init__(self, resolver=None, origin=None, options=None, **_):
            if not isinstance(origin, Origin):
                raise RouteDeclarationError(
                    f"{type(self).__name__}()",
                    "routes are made by route; write @route(summary=..., tags=[...])",
                )
            module, qualname = name_of(resolver)
            # into `vars`, because assignment is refused: the class is frozen
            vars(self).update(
                options,
                resolver=resolver,
                is_async=is_async_callable(resolver),
                origin=origin,
                __wrapped__=resolver,
                __name__=simple_name(resolver),
                __qualname__=qualname,
                __module__=module,
                __doc__=docstring(resolver),
            )

    @property
    def handler(self) -> Callable[[I, C], R]:
        """The resolver, under its other name."""
        return self.resolver

    def __call__(self, input: I, ctx: C, /) -> R:
        """Call the resolver, and return its output or a failure."""
        return self.resolver(input, ctx)

    def behind(self, *hooks: Hook[C]) -> Self:
        """
        A copy of this route with more *hooks*, which run after those that it has.

        A hook may take a wider context here than the resolver does, such as ``Call[User | None]``.
        Type checkers refuse such a hook alone in ``route(hooks=[...])``.

        Raises:
            RouteDeclarationError: One of them is not a hook.
        """
        # without __init__, because all that it would work out is copied
        made = object.__new__(type(self))
        more = check_hooks(f"{self.__qualname__}.behind()", hooks)
        vars(made).update(vars(self), hooks=self.hooks + more)
        return made

    def __repr__(self) -> str:
        kind = "public" if self.auth == "none" else self.auth
        way = " (async)" if self.is_async else ""
        return f"<{kind} route {self.__module__}.{self.__qualname__}{way}>"

    def __reduce__(self) -> str:
        """The name that pickle finds the route by, as it would its function."""
        return self.__qualname__


@dataclass(frozen=True, init=False, repr=False, eq=False)
class PublicRoute(Route[I, R, object]):
    """A route with ``auth="none"``: its context is None."""

    if TYPE_CHECKING:

        def behind(self, *hooks: Hook[None]) -> Self: ...  # noqa: D102

    # any context may be given to a Route, and none to this
    def __call__(self, input: I, ctx: None = None, /) -> R:  # type: ignore[override]
        """Call the resolver, and return its output or a failure."""
        return self.resolver(input, ctx)


if not TYPE_CHECKING:  # pragma: no branch  type checkers know frozen dataclasses

    def _refuse_to_change(self, name, _):
        # the decorator sets it, before it goes around the function that it is given
        if name == "__deprecated__":
            advice = "write it below @route(...), or deprecated=True in it"
            raise RouteDeclarationError(
                self.__qualname__,
                f"@deprecated is above @route(...); {advice} ({self.origin.place})",
            )
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    Route.__setattr__ = PublicRoute.__setattr__ = _refuse_to_change


class _Public(Protocol):
    def __call__(self, resolver: Callable[[I, None], R], /) -> PublicRoute[I, R]: ...


class _Bearer(Protocol):
    def __call__(self, resolver: Callable[[I, C], R], /) -> Route[I, R, C]: ...


class _BearerOf(Protocol[H]):
    """As ``_Bearer``, where hooks say what the context is."""

    def __call__(self, resolver: Callable[[I, H], R], /) -> Route[I, R, H]: ...


class _Optional(Protocol):
    def __call__(self, resolver: Callable[[I, C | None], R], /) -> Route[I, R, C | None]: ...


class _OptionalOf(Protocol[H]):
    def __call__(self, resolver: Callable[[I, H | None], R], /) -> Route[I, R, H | None]: ...


class _Scoped(Protocol):
    def __call__(self, resolver: Callable[[I, S], R], /) -> Route[I, R, S]: ...


class _ScopedOf(Protocol[S]):
    def __call__(self, resolver: Callable[[I, S], R], /) -> Route[I, R, S]: ...


# The overloads of `route` come in pairs, one pair for each way to say who may call. In the first of
# a pair, the hooks take any context, and the annotation of the resolver says what the context is.
# In the second, the hooks say it, and the resolver must take the same. Public routes need no pair:
# their context is None.


class RouteOptions(TypedDict, total=False):
    """The options whose types depend on no other; the first overload of `route` has defaults."""

    description: str | None
    scope: Scope
    mcp: bool | McpTool
    errors: Errors | None
    name: str | None
    effect: Effect
    cache: Cache | None
    inline: bool
    max_body_bytes: int | None
    deprecated: bool | Deprecated


@overload
def route(
    *,
    summary: str,
    tags: Texts,
    description: str | None = None,
    auth: Literal["none"],
    scope: Scope = "public",
    mcp: bool | McpTool = False,
    errors: Errors | None = None,
    name: str | None = None,
    effect: Effect = "write",
    cache: Cache | None = None,
    signed: Signed | None = None,
    inline: bool = False,
    max_body_bytes: int | None = None,
    deprecated: bool | Deprecated = False,
    hooks: Sequence[Hook[None]] = (),
) -> _Public: ...
@overload
def route(
    *,
    summary: str,
    tags: Texts,
    auth: Literal["optional"],
    hooks: Sequence[Hook[object]] = (),
    **options: Unpack[RouteOptions],
) -> _Optional: ...
@overload
def route(
    *,
    summary: str,
    tags: Texts,
    auth: Literal["optional"],
    hooks: Sequence[Hook[H | None]],
    **options: Unpack[RouteOptions],
) -> _OptionalOf[H]: ...
@overload
def route(
    *,
    summary: str,
    tags: Texts,
    auth: Requires,
    hooks: Sequence[Hook[object]] = (),
    **options: Unpack[RouteOptions],
) -> _Scoped: ...
@overload
def route(
    *,
    summary: str,
    tags: Texts,
    auth: Requires,
    hooks: Sequence[Hook[S]],
    **options: Unpack[RouteOptions],
) -> _ScopedOf[S]: ...
@overload
def route(
    *,
    summary: str,
    tags: Texts,
    auth: Literal["bearer"] = "bearer",
    hooks: Sequence[Hook[object]] = (),
    **options: Unpack[RouteOptions],
) -> _Bearer: ...
@overload
def route(
    *,
    summary: str,
    tags: Texts,
    auth: Literal["bearer"] = "bearer",
    hooks: Sequence[Hook[H]],
    **options: Unpack[RouteOptions],
) -> _BearerOf[H]: ...
def route(
    *bare: object,
    summary: str = "",
    tags: Texts = (),
    description: str | None = None,
    auth: Auth | Requires = "bearer",
    scope: Scope = "public",
    mcp: bool | McpTool = False,
    errors: Errors | None = None,
    name: str | None = None,
    effect: Effect | None = None,
    cache: Cache | None = None,
    signed: Signed | None = None,
    inline: bool = False,
    max_body_bytes: int | None = None,
    deprecated: bool | Deprecated | None = None,
    hooks: Sequence[Hook[Any]] = (),
) -> Any:
    """
    Make a resolver a route.

    ::

        @route(summary="Order a product", tags=["orders"], auth="none")
        def order(input: Order, ctx: None) -> Receipt | SoldOut | NotFound: ...

    A resolver takes exactly the input and the context, sync or async: a function, a bound method or
    a callable object.

    Args:
        bare: Not used; it is here so that ``@route`` without parentheses gets a helpful message.
        summary: One line, for every document.
        tags: The subjects of the route: at least one, each of one line.
        description: More, in Markdown; by default the resolver's docstring.
        auth: "bearer": the context is the result of the spec's ``authenticate``. "none": it is
            None. "optional": it is None if there is no token. ``requires("orders:write")``: as
            "bearer", and the ``scopes`` of the context must contain that one.
        scope: A "private" route is served, but left out of every document.
        mcp: Whether it is an MCP tool: True, or ``McpTool(...)``, which also says how it looks.
        errors: Its domain failures from `define_errors`, which must be those of the return
            annotation. If a decorator wraps the resolver (``functools.wraps``), they are required,
            and may be more than those.
        name: The RPC name; by default the function's name.
        effect: What a call changes; it says whether clients may retry, and gives the MCP hints.
        cache: How long the output may be kept; the route is then also served at GET, with its input
            in the URL. It requires ``effect="read"``.
        signed: ``Signed(secrets)``: the route receives webhooks, and a body without a valid
            signature is refused before the input is read. It requires ``auth="none"``.
        inline: Run a sync resolver on the event loop itself, because it never waits.
        max_body_bytes: The most bytes of its body, if it differs from the mount's limit; if it
            takes files, the most bytes of the JSON beside them.
        deprecated: Whether it should not be called any more; ``Deprecated(...)`` also says since
            when, until when, and what to call instead. True by default if the resolver has the
            decorator ``deprecated`` of ``warnings`` or ``typing_extensions``.
        hooks: The hooks that run before the resolver, in their order; write ``hooks=hooks(limited,
            audit)``. Those of the spec run before them.

    Raises:
        RouteDeclarationError: The options contradict each other, or the resolver does not take an
            input and a context.
    """
    if bare:
        first = bare[0]
        advice = "write @route(summary=..., tags=[...])"
        if callable(first):
            _, given = name_of(first)
        else:
            given = shown(first)
        if isinstance(first, str):
            advice += "; a route is called by the name of its function"
        raise RouteDeclarationError(
            "@route", f"it is given {given}, and takes options by name; {advice}"
        )
    options_given = {
        "summary": summary,
        "tags": tags,
        "description": description,
        "auth": auth,
        "scope": scope,
        "mcp": mcp,
        "errors": errors,
        "name": name,
        "effect": effect,
        "inline": inline,
        "max_body_bytes": max_body_bytes,
        "deprecated": deprecated,
    }

    def decorate(resolver: Callable[[Any, Any], Any]) -> Route[Any, Any, Any]:
        # a message names a function as its author sees it, without the functions around it
        where, place = name_of(resolver)[1].rpartition("<locals>.")[2], place_of(resolver)
        try:
            # 1. The resolver, whose annotations only the spec will read.
            if isinstance(resolver, Route):
                raise RouteDeclarationError(
                    where, "this is a route already; decorate its resolver instead"
                )
            check_resolver(resolver, where, wrapped=errors is not None)
            # 2. The options, first each by itself.
            is_async, marked = is_async_callable(resolver), is_deprecated(resolver)
            options = checked(
                where, options_given, is_async=is_async, doc=docstring(resolver), marked=marked
            )
            # 3. Options that must fit others: cache= depends on effect=; signed= on auth=, mcp= and
            #    cache=.
            options["cache"] = caching = check_cache(
                where, cache, cast("Effect", options["effect"])
            )
            options["signed"] = check_signed(
                where, signed, auth=auth, mcp=options["mcp"], cache=caching
            )
            options["hooks"] = check_hooks(f"{where} hooks=", hooks)
        except RouteDeclarationError as error:
            raise RouteDeclarationError(error.where, f"{error.problem} ({place})") from None
        # annotations may name types that are local to the caller
        frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
        origin = Origin(place, frame.f_code, local_names(frame))
        if auth == "none":
            return PublicRoute(resolver, origin, options)
        return Route(resolver, origin, options)

    return decorate


def routes(*members: Member[C]) -> list[Member[C]]:
    """
    The routes and groups of a spec or a group, as a list.

    A type checker makes ``list[object]`` of a bare list of different routes, and then says nothing
    useful about a mistake in it; here it points to the argument.

    Raises:
        SpecError: One of *members* is neither.
    """
    for index, each in enumerate(cast("tuple[object, ...]", members)):
        if not isinstance(each, Member):
            raise not_a_route(f"routes()[{index}]", each)
    return list(members)


def not_a_route(where: str, value: object) -> SpecError:
    """The exception for a *value* that is not a route, although one was expected."""
    if isinstance(getattr(value, "__wrapped__", None), Route):
        problem = "is another decorator around a route; write @route(...) above it"
    elif callable(value):
        problem = "is not a route; decorate it: @route(summary=..., tags=[...])"
    else:
        problem = "is not a route; write the function below @route(...) itself"
    place = ""
    if callable(value):
        place = f" ({place_of(value)})"
    return SpecError(where, f"{getattr(value, '__qualname__', shown(value))} {problem}{place}")
