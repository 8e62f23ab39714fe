"""
Routes: a resolver, and what its author says about it.

``route`` looks at a resolver's signature when it is decorated, and at its annotations when a spec is made of it,
because a name in an annotation may be defined later in the module.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import CodeType, MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, Protocol, TypeVar, cast, final, get_args, overload

from contract._record import record
from contract._resolver import check_resolver, docstring, is_async_callable, local_names, name_of, place_of
from contract.errors import Errors
from contract.exceptions import RouteDeclarationError

__all__ = [
    "NAME",
    "Auth",
    "Deprecated",
    "Effect",
    "McpTool",
    "Origin",
    "PublicRoute",
    "Route",
    "Scope",
    "check_name",
    "route",
    "routes",
]

I = TypeVar("I", contravariant=True)  # noqa: E741  the input
R = TypeVar("R", covariant=True)
C = TypeVar("C", contravariant=True)

Auth = Literal["none", "bearer"]
"""Who may call a route: anybody, or who has a bearer token that ``authenticate`` takes."""
Scope = Literal["public", "private"]
"""Which documents show a route; private ones are served all the same."""
Effect = Literal["read", "idempotent", "write", "destructive"]
"""What a call does: nothing; the same as two calls; something; something that cannot be undone."""

NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
"""The names of routes."""

_TOOL_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


@final
@record(kw_only=True)
class McpTool:
    """
    How a route looks as an MCP tool, where what the route says does not suit agents.

    Attributes:
        name: The tool's name: at most 64 letters, digits, underscores and hyphens; else the route's.
        title: For people; else the route's summary.
        read_only: Overrides what `effect` says; a contradiction is refused.
        destructive: The same.
        idempotent: The same.
        open_world: The tool deals with things outside of this service.
    """

    name: str | None = None
    title: str | None = None
    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool = False


@final
@record(kw_only=True)
class Deprecated:
    """
    That a route should not be called any more.

    Attributes:
        since: The day from which on; sent in the Deprecation header (RFC 9745).
        remove_on: The day on which it goes away; sent in the Sunset header (RFC 8594).
        use: The name of the route to call instead.
    """

    since: date | None = None
    remove_on: date | None = None
    use: str | None = None


@final
@record
class Origin:
    """Where a resolver was decorated."""

    place: str
    """Module, name, file and line, for messages."""
    frame: CodeType
    """What was running then: a function, a class body or a module."""
    names: Mapping[str, object]
    """Types and modules that were local names there; annotations may speak of them."""


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Route(Generic[I, R, C]):
    """
    A resolver that can be called over the wire; made by `route`.

    Calling it calls the resolver, with no validation and no HTTP: ``order(Order("p1"), ctx)``, and ``await`` it where it is async.
    """

    resolver: Callable[[I, C], R]
    """The user's function."""
    is_async: bool
    """Whether the resolver gives an awaitable; fixed when it is decorated."""
    summary: str
    """One line."""
    tags: tuple[str, ...]
    """What it belongs to."""
    description: str | None
    """As given, else the resolver's docstring."""
    auth: Auth
    """Who may call it."""
    scope: Scope
    """Which documents show it."""
    mcp: Literal[False] | McpTool
    """How it looks as an MCP tool, or False for a route that is none."""
    errors: Errors | None
    """Its domain failures, where they were given a second time."""
    name: str | None
    """The RPC name as given to ``route``; else a spec takes ``__name__``, and the keys of a mapping go before both."""
    effect: Effect
    """What a call does."""
    effect_given: bool
    """Whether *effect* was written down, or is the default."""
    inline: bool
    """Whether a sync resolver runs on the event loop itself (ASGI): for those that never wait for anything."""
    deprecated: Literal[False] | Deprecated
    """Whether it should not be called any more."""
    origin: Origin
    """Where it was decorated."""

    if TYPE_CHECKING:
        __name__: str
        __qualname__: str
        __wrapped__: Callable[[I, C], R]

    def __init__(self, resolver: Callable[[I, C], R], origin: Origin, options: Mapping[str, object]) -> None:
        module, qualname = name_of(resolver)
        vars(self).update(
            options,
            resolver=resolver,
            is_async=is_async_callable(resolver),
            origin=origin,
            __wrapped__=resolver,
            __name__=qualname.rpartition(".")[2],
            __qualname__=qualname,
            __module__=module,
            __doc__=docstring(resolver),
        )

    @property
    def handler(self) -> Callable[[I, C], R]:
        """The resolver, under its other name."""
        return self.resolver

    def __call__(self, input: I, ctx: C, /) -> R:
        """What the resolver gives."""
        return self.resolver(input, ctx)

    def __repr__(self) -> str:
        return f"<{self.auth} route {self.__module__}.{self.__qualname__}{' (async)' if self.is_async else ''}>"

    def __reduce__(self) -> str:
        """Pickled by name, as its function would be."""
        return self.__qualname__


@dataclass(frozen=True, init=False, repr=False, eq=False)
class PublicRoute(Route[I, R, object]):
    """A route with ``auth="none"``: its context is None."""

    def __call__(self, input: I, ctx: None = None, /) -> R:  # type: ignore[override]  # any context may be given to a Route, and none to this
        """What the resolver gives."""
        return self.resolver(input, ctx)


class _Public(Protocol):
    def __call__(self, resolver: Callable[[I, None], R], /) -> PublicRoute[I, R]: ...


class _Bearer(Protocol):
    def __call__(self, resolver: Callable[[I, C], R], /) -> Route[I, R, C]: ...


@overload
def route(
    *,
    summary: str,
    tags: Sequence[str],
    description: str | None = None,
    auth: Literal["none"],
    scope: Scope = "public",
    mcp: bool | McpTool = False,
    errors: Errors | None = None,
    name: str | None = None,
    effect: Effect = "write",
    inline: bool = False,
    deprecated: bool | Deprecated = False,
) -> _Public: ...
@overload
def route(
    *,
    summary: str,
    tags: Sequence[str],
    description: str | None = None,
    auth: Literal["bearer"] = "bearer",
    scope: Scope = "public",
    mcp: bool | McpTool = False,
    errors: Errors | None = None,
    name: str | None = None,
    effect: Effect = "write",
    inline: bool = False,
    deprecated: bool | Deprecated = False,
) -> _Bearer: ...
def route(
    *,
    summary: str,
    tags: Sequence[str],
    description: str | None = None,
    auth: Auth = "bearer",
    scope: Scope = "public",
    mcp: bool | McpTool = False,
    errors: Errors | None = None,
    name: str | None = None,
    effect: Effect | None = None,
    inline: bool = False,
    deprecated: bool | Deprecated = False,
) -> Any:
    """
    Make a resolver a route.

    ::

        @route(summary="Order a product", tags=["orders"], auth="none")
        def order(input: Order, ctx: None) -> Receipt | SoldOut | NotFound: ...

    A resolver takes exactly the input and the context, sync or async: a function, a bound method or a callable object.

    Args:
        summary: One line, for every document.
        tags: What it belongs to.
        description: More, in Markdown; by default the resolver's docstring.
        auth: "bearer": the context is what the spec's ``authenticate`` gives; "none": it is None.
        scope: A "private" route is served, and left out of every document.
        mcp: Whether it is an MCP tool, and how it looks as one.
        errors: Its domain failures once more, from `define_errors`; they have to be those of the return annotation.
        name: The RPC name, where it cannot be the function's.
        effect: What a call does; it says whether clients may retry, and gives the MCP hints.
        inline: Run a sync resolver on the event loop itself.
        deprecated: Whether it should not be called any more, and since when, until when, and what to call instead.

    Raises:
        RouteDeclarationError: The options contradict each other, or the resolver has another signature.
    """

    def decorate(resolver: Callable[[Any, Any], Any]) -> Route[Any, Any, Any]:
        where, place = name_of(resolver)[1].rpartition("<locals>.")[2], place_of(resolver)
        try:
            if isinstance(resolver, Route):
                raise RouteDeclarationError(where, "this is a route already; decorate its resolver instead")
            check_resolver(resolver, where)
            # the annotations say what may be given, and nobody has to use a type checker
            given: dict[str, object] = {
                "summary": _text(where, "summary", summary),
                "tags": _tags(where, tags),
                "description": docstring(resolver) if description is None else _text(where, "description", description),
                "auth": _one_of(where, "auth", auth, Auth),
                "scope": _one_of(where, "scope", scope, Scope),
                "effect": _one_of(where, "effect", effect or "write", Effect),
                "effect_given": effect is not None,
                "mcp": _tool(where, mcp, effect),
                "errors": _errors(where, errors),
                "name": None if name is None else check_name(where, name),
                "inline": _flag(where, "inline", inline),
                "deprecated": _deprecated(where, deprecated),
            }
        except RouteDeclarationError as error:
            raise RouteDeclarationError(error.where, f"{error.problem} ({place})") from None
        frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]  annotations may name types that are local to the caller
        origin = Origin(place, frame.f_code, local_names(frame))
        return PublicRoute(resolver, origin, given) if auth == "none" else Route(resolver, origin, given)

    return decorate


def routes(*group: Route[Any, Any, C]) -> list[Route[Any, Any, C]]:
    """
    The routes of a spec, as a list.

    A type checker makes ``list[object]`` of a bare list of different routes, and then says nothing useful about a mistake in it;
    here it points to the argument.
    """
    return list(group)


def check_name(where: str, name: object) -> str:
    """
    The *name* of a route.

    Raises:
        RouteDeclarationError: It cannot stand in a path.
    """
    if isinstance(name, str) and NAME.fullmatch(name):
        return name
    raise RouteDeclarationError(where, f"{name!r} is no name of a route; take a letter, then letters, digits, and any of _ . -")


def _text(where: str, option: str, value: object) -> str:
    if isinstance(value, str) and value.strip():
        return value
    raise RouteDeclarationError(where, f"{option} is {value!r}; give a text that says something")


def _tags(where: str, tags: object) -> tuple[str, ...]:
    if isinstance(tags, str) or not isinstance(tags, Iterable):
        raise RouteDeclarationError(where, f"tags is {tags!r}; give a list: tags=[{str(tags)!r}]")
    found = tuple(_text(where, "a tag", tag) for tag in cast("Iterable[object]", tags))
    if len(set(found)) != len(found):
        raise RouteDeclarationError(where, f"tags names one twice: {list(found)}")
    return found


def _one_of(where: str, option: str, value: object, allowed: object) -> object:
    choices = get_args(allowed)
    if value in choices:
        return value
    raise RouteDeclarationError(where, f"{option} is {value!r}; give one of {', '.join(map(repr, choices))}")


def _flag(where: str, option: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise RouteDeclarationError(where, f"{option} is {value!r}; give True or False")


def _errors(where: str, errors: object) -> Errors | None:
    if errors is None or isinstance(errors, Errors):
        return errors
    raise RouteDeclarationError(where, f"errors is {errors!r}; give what define_errors(...) gives")


def _deprecated(where: str, given: object) -> Literal[False] | Deprecated:
    if isinstance(given, Deprecated):
        for day in ("since", "remove_on"):
            if not isinstance(getattr(given, day), date | None):
                raise RouteDeclarationError(where, f"Deprecated.{day} is {getattr(given, day)!r}; give a date")
        if given.since is not None and given.remove_on is not None and given.remove_on < given.since:
            raise RouteDeclarationError(where, "Deprecated.remove_on is before since; a route is deprecated first, and removed later")
        if given.use is not None:
            check_name(where, given.use)
        return given
    return _flag(where, "deprecated", given) and Deprecated()


# What each effect says about a call; where it says None, a tool may say either.
_HINTS: Final[Mapping[str, Mapping[str, bool | None]]] = MappingProxyType(
    {
        "read": {"read_only": True, "destructive": False, "idempotent": True},
        "idempotent": {"read_only": False, "destructive": None, "idempotent": True},
        "write": {"read_only": False, "destructive": False, "idempotent": False},
        "destructive": {"read_only": False, "destructive": True, "idempotent": None},
    }
)


def _tool(where: str, mcp: object, effect: str | None) -> Literal[False] | McpTool:
    if not isinstance(mcp, McpTool):
        return _flag(where, "mcp", mcp) and McpTool()
    if mcp.name is not None and _TOOL_NAME.fullmatch(mcp.name) is None:
        raise RouteDeclarationError(where, f"{mcp.name!r} is no name of a tool; take 1 to 64 letters, digits, underscores and hyphens")
    if mcp.title is not None:
        _text(where, "McpTool.title", mcp.title)
    for hint in ("read_only", "destructive", "idempotent", "open_world"):
        if getattr(mcp, hint) is not None:
            _flag(where, f"McpTool.{hint}", getattr(mcp, hint))
    if mcp.read_only and mcp.destructive:
        raise RouteDeclarationError(where, "McpTool says both read_only and destructive; choose one")
    for hint, said in _HINTS.get(effect or "", _NO_HINTS).items():
        overridden: bool | None = getattr(mcp, hint)
        if said is not None and overridden is not None and overridden is not said:
            raise RouteDeclarationError(
                where, f'effect="{effect}" and McpTool({hint}={overridden}) contradict each other; leave one of them out'
            )
    return mcp


_NO_HINTS: Final[Mapping[str, bool | None]] = MappingProxyType({})
