"""
Groups: routes of one part of a service, which a spec or another group takes as one member.

A group has a name, which is a prefix for the names of its routes (``orders.create``). It may have
tags, hooks and its own ``authenticate``, whose context need not be that of the spec.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from itertools import chain
from types import FrameType
from typing import Any, TypeVar, cast, final, overload

from contract.declare.authenticator import check_inline
from contract.declare.failures import Builtin
from contract.declare.hook import Hook, Request, check_hooks
from contract.declare.permissions import Requires
from contract.declare.resolver import Origin, local_names, origin_in
from contract.declare.route import Member, Route, Routes, not_a_route
from contract.declare.route_options import LONGEST_NAME, check_name, check_tags
from contract.shape.exceptions import RouteDeclarationError, SpecError
from contract.shape.markers import Texts
from contract.shape.quoting import shown
from contract.shape.record import record

__all__ = ["Group", "Placed", "group", "named_members", "names_at", "placed"]

C = TypeVar("C", contravariant=True)
T = TypeVar("T")


@final
@record(eq=False)
class Group(Member[C]):
    """
    Routes under one name, made by `group`.

    C is the context that its routes get from the spec or group around it: ``object`` if the group
    has its own ``authenticate``.
    """

    name: str
    """Its name, the prefix of its members' names."""
    members: tuple[tuple[str, Member[Any]], ...]
    """Its routes and groups, each with its name inside the group."""
    tags: tuple[str, ...]
    """The tags of all its routes, before their own."""
    hooks: tuple[Hook[Any], ...]
    """The hooks that run before those of its routes."""
    requires: tuple[str, ...]
    """The scopes that callers of its routes need, besides those that each route requires."""
    authenticate: Callable[[str, Request], Any] | None
    """Makes the context of its bearer routes; None for the one of the spec or group around it."""
    authenticate_inline: bool
    """Whether *authenticate* runs on the event loop itself, if there is one."""
    origin: Origin
    """Where it was made."""

    def at(self, option: str) -> str:
        """The place of an *option* of ``group(...)``, for messages."""
        return _at(self.name, option)

    def __repr__(self) -> str:
        return f"<group {self.name!r} of {len(self.members)}>"


@overload
def group(
    name: str,
    *,
    routes: Routes[Member[T]],
    tags: Texts = (),
    auth: Requires | None = None,
    hooks: Sequence[Hook[T]] = (),
    authenticate: Callable[[str, Request], Awaitable[T | Builtin | None]],
    authenticate_inline: bool = ...,
) -> Group[object]: ...
@overload
def group(
    name: str,
    *,
    routes: Routes[Member[T]],
    tags: Texts = (),
    auth: Requires | None = None,
    hooks: Sequence[Hook[T]] = (),
    authenticate: Callable[[str, Request], T | Builtin | None],
    authenticate_inline: bool = ...,
) -> Group[object]: ...
@overload
def group(
    name: str,
    *,
    routes: Routes[Member[T]],
    tags: Texts = (),
    auth: Requires | None = None,
    hooks: Sequence[Hook[T]] = (),
) -> Group[T]: ...
def group(
    name: str,
    *,
    routes: Routes[Any],
    tags: Texts = (),
    auth: Requires | None = None,
    hooks: Sequence[Hook[Any]] = (),
    authenticate: Callable[[str, Request], Any] | None = None,
    authenticate_inline: bool = False,
) -> Group[Any]:
    """
    Put routes of one part of a service under one name.

    ::

        orders = group("orders", routes=routes(create, cancel), hooks=hooks(limited))
        api = spec(authenticate=user_of, routes=routes(orders, ping))

    They are called ``orders.create`` and ``orders.cancel``, on the wire and in the documents, and
    ``api.orders.create(...)`` in clients. A group may contain groups.

    Args:
        name: A letter, then letters, digits, and any of ``_`` and ``-``.
        routes: As for `spec`: results of `route` and `group`.
        tags: Tags of all its routes, before their own.
        auth: ``requires("orders:write")``: scopes that callers of all its routes need, besides
            those that a route requires itself.
        hooks: Hooks that run before the resolver of every route in the group that has their
            context: after those of the spec, and before those of the route.
        authenticate: As for `spec`, for the bearer routes of this group alone. They get its context
            instead of the spec's.
        authenticate_inline: As for `spec`.

    Raises:
        DeclarationError: With the place, and what to write instead.
    """
    # annotations may name types that are local to the caller
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    origin = origin_in(frame)
    try:
        check_group_name("group()", name)
        check_inline(_at(name, "authenticate_inline"), authenticate, authenticate_inline)
        made: Group[Any] = Group(
            name=name,
            members=tuple(named_members(_at(name, "routes"), routes)),
            tags=_tags(_at(name, "tags"), tags),
            requires=_scopes(_at(name, "auth"), auth),
            hooks=check_hooks(_at(name, "hooks"), hooks),
            authenticate=authenticate,
            authenticate_inline=authenticate_inline,
            origin=origin,
        )
    except (RouteDeclarationError, SpecError) as error:
        # the checks know only what they were given; here it is known where the group is made
        raise type(error)(error.where, f"{error.problem} ({origin.place})") from None
    return made


def _at(name: str, option: str) -> str:
    return f"group({name!r}, {option}=)"


def _tags(where: str, tags: object) -> tuple[str, ...]:
    # a route must have a tag, and a group need not
    if tags in ((), []):
        return ()
    return check_tags(where, tags)


def _scopes(where: str, auth: object) -> tuple[str, ...]:
    if auth is None:
        return ()
    if isinstance(auth, Requires):
        return auth.scopes
    raise RouteDeclarationError(
        where, f'{shown(auth)} is not what requires() gives; write auth=requires("orders:write")'
    )


def check_group_name(where: str, name: object) -> str:
    """
    The *name* of a group.

    Raises:
        RouteDeclarationError: It cannot be the prefix of a route's name.
    """
    if isinstance(name, str) and "." in name:
        raise RouteDeclarationError(
            where,
            f"{shown(name)} is not a valid group name, since a dot separates a group from "
            "what is in it; put one group into another",
        )
    return check_name(where, name, "group")


def named_members(where: str, routes: object) -> Iterator[tuple[str, Member[Any]]]:
    """
    Each route and group of *routes*, with its name.

    Raises:
        SpecError: It holds something else.
        RouteDeclarationError: A name cannot be part of a path.
    """
    if isinstance(routes, Mapping):
        for name, member in cast("Mapping[object, Member[Any]]", routes).items():
            yield _own_name(name, member, f"{where}[{name!r}]"), member
    elif isinstance(routes, Sequence) and not isinstance(routes, str):
        for index, member in enumerate(cast("Sequence[Member[Any]]", routes)):
            yield _own_name(None, member, f"{where}[{index}]"), member
    else:
        raise SpecError(
            where,
            f"{shown(routes)} holds no routes; "
            "write routes(order, ping), or a mapping from names to routes",
        )


def _own_name(key: object, value: object, place: str) -> str:
    if isinstance(value, Group):
        if key is None:
            return value.name
        return check_group_name(place, key)
    if not isinstance(value, Route):
        raise not_a_route(place, value)
    if key is not None:
        return check_name(place, key)
    # a name= was checked by route(); the name of a function may hold any letter of any script
    return value.name or check_name(f"{place} ({value.origin.place})", value.__name__)


@final
@record(eq=False)
class Placed:
    """A route or a group, with the groups around it."""

    name: str
    """Its full name: ``orders.create``."""
    member: Member[Any]
    """The route or the group."""
    groups: tuple[Group[Any], ...] = ()
    """The groups around it, the outermost first."""

    @property
    def group(self) -> str | None:
        """The full name of the group that it is in."""
        # each group adds one part and no dot; the name of a route may have dots of its own
        own = self.name.split(".", len(self.groups))[:-1]
        return ".".join(own) or None

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags of the groups around it."""
        return tuple(chain.from_iterable(each.tags for each in self.groups))

    @property
    def requires(self) -> tuple[str, ...]:
        """The scopes that the groups around it require."""
        return tuple(chain.from_iterable(each.requires for each in self.groups))


def placed(
    members: Sequence[tuple[str, Member[Any]]],
    prefix: str = "",
    groups: tuple[Group[Any], ...] = (),
) -> Iterator[Placed]:
    """
    The *members* and everything in them, in their order.

    Raises:
        SpecError: A full name is too long.
    """
    for own, member in members:
        name = prefix + own
        if len(name) > LONGEST_NAME:
            place = cast("Route[Any, Any, Any] | Group[Any]", member).origin.place
            raise SpecError(
                name,
                f"with the names of its groups this has more than {LONGEST_NAME} characters; "
                f"give one of them a shorter name ({place})",
            )
        yield Placed(name, member, groups)
        if isinstance(member, Group):
            yield from placed(member.members, f"{name}.", (*groups, member))


def names_at(
    origin: Origin, groups: Sequence[Group[Any]], frame: FrameType
) -> Mapping[str, object]:
    """
    The local names that the annotations of something made at *origin* may use.

    If the *groups* around it, or the spec in *frame*, are made in the same place, names that were
    defined there later are included.
    """
    found: dict[str, object] = {**origin.names}
    # the outer group is made after the inner one, so its names are the later ones
    for each in reversed(groups):
        if each.origin.frame is origin.frame:
            found |= each.origin.names
    if origin.frame is frame.f_code:
        found |= local_names(frame)
    return found
