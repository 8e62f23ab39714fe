"""
Specs: the frozen registry of routes, in memory.

``spec`` finds everything that can be wrong with a declaration. It reads the annotations of all
routes, and says what does not fit, and where, before anything is served.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import field
from datetime import datetime
from itertools import chain
from time import time
from types import FrameType, MappingProxyType
from typing import Any, Final, Generic, TypeVar, cast, final, overload

from typing_extensions import TypeForm

from contract.declare.authenticator import Authenticator, given_by, read_authenticator
from contract.declare.failures import BUILTINS, Builtin, Failure, same_code
from contract.declare.files import check_no_files
from contract.declare.group import Group, Placed, named_members, names_at, placed
from contract.declare.guards import check_guards
from contract.declare.hook import Hook, Request, check_hooks
from contract.declare.meta import Meta
from contract.declare.paged import check_no_pages
from contract.declare.resolver import Origin, local_names
from contract.declare.resource import Manager, Resource, Resources, check_ready, check_resources
from contract.declare.route import Member, Route, Routes
from contract.declare.typed_hook import HookReader
from contract.declare.typed_route import Entry, read_entry
from contract.declare.ways import Credential
from contract.declare.webhooks import Delivery, Event, TypedEvent, read_events
from contract.pred.dump.walk import check_values
from contract.shape.exceptions import SpecError
from contract.shape.graph import definitions
from contract.shape.markers import Texts
from contract.shape.names import Rename
from contract.shape.nodes import Definition, Shape
from contract.shape.quoting import shown
from contract.shape.reader import ShapeReader
from contract.shape.record import record

__all__ = ["AnySpec", "Entry", "Exports", "Routes", "Spec", "exports", "spec"]

C = TypeVar("C")
T = TypeVar("T")


@record(eq=False)
class AnySpec:
    """
    Routes that are served together, whatever their context is.

    Functions that do not depend on the context take this type.

    A parameter of the type ``Spec[Any]`` would not do: in ``mount_spec(app, spec(...))`` a type
    checker would then accept any context inside ``spec(...)``, too.
    """

    entries: Mapping[str, Entry]
    """Name -> route, in the order in which the routes were given."""
    authenticator: Authenticator | None
    """The authenticator of the spec's bearer routes; each entry names the one that it uses."""
    meta: Meta
    """The title, texts and looks of the documents."""
    exports: Mapping[str, Shape]
    """More types to generate client code for, whether a route uses them or not."""
    rename: Rename | None
    """The rule for the names of dataclass fields on the wire."""
    builtins: Mapping[type[Failure], Definition]
    """The data of the builtin failures, which every route may return."""
    reader: ShapeReader = field(repr=False)
    """Reads the annotations; it keeps one definition for each type."""
    events: Mapping[str, TypedEvent] = field(default_factory=dict[str, TypedEvent], repr=False)
    """Name -> event that this service sends."""
    resources: tuple[Resource[Any] | Manager, ...] = field(default=(), repr=False)
    """The resources that a process opens before its first call, in this order."""
    ready: tuple[Callable[[], object], ...] = field(default=(), repr=False)
    """The checks that must pass before a process is ready."""

    def emit(
        self,
        event: Event[T],
        data: T,
        /,
        *,
        secrets: Texts,
        message_id: str | None = None,
        occurred_at: datetime | None = None,
    ) -> Delivery:
        """
        Sign the message for an *event*; sending it, and sending it again, is up to you.

        ::

            delivery = api.emit(shipped, Shipped("o1"), secrets=[hook.secret])
            httpx.post(hook.url, content=delivery.body, headers=delivery.headers)

        Args:
            event: One of the events of this spec.
            data: The data of the event.
            secrets: The receiver's secrets: the current one, and the previous one while it is being
                replaced. Each is ``whsec_`` and 24 to 64 bytes in base64.
            message_id: The id of this message, which each try of it has; a new one by default.
            occurred_at: When the event occurred, which each try says; now by default. The time of
                the signature is always now.

        Raises:
            SpecError: The event belongs to another spec.
            InvalidOutput: The data does not have the type that the event declares.
            ValueError: There is no secret, or one is not valid.
        """
        found = self.events.get(event.name)
        if found is None or found.event is not event:
            raise SpecError(
                f"emit({event.name})",
                f"it is not an event of this spec; write spec(events=[...]) ({event.origin.place})",
            )
        return found.deliver(data, [*secrets], message_id, occurred_at, time())

    def __repr__(self) -> str:
        return f"<spec {self.meta.title!r} {self.meta.version}: {len(self.entries)} routes>"


@final
class Spec(AnySpec, Generic[C]):
    """
    Routes that are served together.

    Made by `spec`. C is the context of its bearer routes; None if it has no such routes.
    """

    __slots__ = ()


@final
@record
class Exports:
    """The handle that `exports` gives."""

    types: Mapping[str, object]
    """Name -> type, as given."""


def exports(**types: TypeForm[Any]) -> Exports:
    """
    More types to generate client code for, by name, whether a route uses them or not.

    ::

        api = spec(routes=routes(order), exports=exports(Filter=Filter, Kind=Literal["a", "b"]))

    Args:
        types: Anything that a route can carry.
    """
    return Exports(MappingProxyType(types))


@overload
def spec(
    *,
    routes: Routes[Member[object]],
    meta: Meta = ...,
    exports: Exports = ...,
    events: Sequence[Event[Any]] = (),
    rename: Rename | None = None,
    hooks: Sequence[Hook[None]] = (),
    resources: Resources = (),
    ready: Sequence[Callable[[], object]] = (),
) -> Spec[None]: ...
@overload
def spec(
    *,
    authenticate: Callable[[str, Request], Awaitable[C | Builtin | None]],
    authenticate_inline: bool = ...,
    routes: Routes[Member[C]],
    meta: Meta = ...,
    exports: Exports = ...,
    events: Sequence[Event[Any]] = (),
    rename: Rename | None = None,
    hooks: Sequence[Hook[C]] = (),
    resources: Resources = (),
    ready: Sequence[Callable[[], object]] = (),
) -> Spec[C]: ...
@overload
def spec(
    *,
    authenticate: Callable[[str, Request], C | Builtin | None],
    authenticate_inline: bool = ...,
    routes: Routes[Member[C]],
    meta: Meta = ...,
    exports: Exports = ...,
    events: Sequence[Event[Any]] = (),
    rename: Rename | None = None,
    hooks: Sequence[Hook[C]] = (),
    resources: Resources = (),
    ready: Sequence[Callable[[], object]] = (),
) -> Spec[C]: ...
def spec(
    *bare: object,
    authenticate: Callable[[str, Request], Any] | None = None,
    authenticate_inline: bool = False,
    routes: Routes[Any] | None = None,
    meta: Meta = Meta(),  # noqa: B008  frozen
    exports: Exports = Exports(MappingProxyType({})),  # noqa: B008  frozen
    events: Sequence[Event[Any]] = (),
    rename: Rename | None = None,
    hooks: Sequence[Hook[Any]] = (),
    resources: Resources = (),
    ready: Sequence[Callable[[], object]] = (),
) -> Spec[Any]:
    """
    Put routes together.

    ::

        api = spec(
            authenticate=user_of,
            routes=routes(order, ping),
            meta=Meta(title="Shop", version="1.0.0"),
        )

    Args:
        bare: Not used; it is here so that ``spec(order)`` gets a helpful message.
        authenticate: Gives the context of bearer routes, from the token and the request. If it
            returns None, the answer is 401; if it returns a builtin failure, that failure is the
            answer.
        authenticate_inline: Run a sync *authenticate* on the event loop itself, if there is one.
            Use it for a function that never waits, such as a look into a dict or at a signature: a
            hop to a thread costs more than the rest of a small call.
        routes: The results of `route` and `group`: a sequence (write ``routes(order, ping)``), or a
            mapping from names.
        meta: ``Meta(...)``: the title, texts and looks of the documents.
        exports: More types to generate client code for, by name: ``exports(Filter=Filter)``. If a
            type is received in another form than it is sent in, ``Filter`` is the form that is
            sent, and ``FilterInput`` the one that is received.
        events: The webhooks that this service sends: results of `event`.
        rename: "camel" renames every field of a dataclass on the wire, unless it has a ``Name``.
        hooks: The hooks that run before the resolver of every route that has their context, and
            before the route's own hooks. A hook that takes ``Call[object]`` also runs before public
            routes.
        resources: What a process opens before its first call and closes when it ends: results of
            `resource`, or context managers, sync or async.
        ready: Functions, sync or async, that the health route of a mount calls. If one of them
            raises, gives False or takes longer than a second, that route answers 503.

    Raises:
        DeclarationError: With the route and the place in it, and what to write instead.
    """
    # 1. Check the options that depend on no other.
    if bare:
        named = ", ".join(str(getattr(each, "__name__", "...")) for each in bare)
        raise SpecError(
            "spec()", f"it takes its arguments by name; write spec(routes=routes({named}))"
        )
    if not isinstance(cast("object", meta), Meta):
        raise SpecError("spec(meta=)", f"{shown(meta)} is not a Meta; write meta=Meta(title=...)")
    if rename not in (None, "camel"):
        raise SpecError(
            "spec(rename=)",
            f'{shown(rename)} is not a way to rename fields; give "camel" or leave it out',
        )
    opened, checks = check_resources(resources), check_ready(ready)

    # 2. Read the annotations of everything that has a context. One reader serves the whole spec, so
    #    that a type that two routes name is one definition.
    reader = ShapeReader(rename=rename)
    # annotations may name types that are local to the caller
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    authenticator = read_authenticator(
        "spec({}=)", authenticate, local_names(frame), inline=authenticate_inline
    )
    outer = check_hooks("spec(hooks=)", hooks)
    entries = _Reading(reader, authenticator, outer, frame).entries(routes)

    # 3. Check what only all routes together can break: names that must mean one thing.
    _check_codes(entries)
    _check_replacements(entries)
    _check_tools(entries)
    _check_ways(entries)

    # 4. Read the types that no route has to use, then look at the values inside of all types.
    shapes = _read_exports(exports, reader, local_names(frame))
    sent = read_events(events, reader)
    messages = {f"event({name!r})": each.shape for name, each in sent.items()}
    exported = {f"spec(exports=)[{name!r}]": shape for name, shape in shapes.items()}
    _check_values(entries, exported | messages)
    return Spec(
        entries=MappingProxyType(entries),
        authenticator=authenticator,
        meta=meta,
        exports=shapes,
        rename=rename,
        builtins=MappingProxyType(
            {cls: reader.failure(cls, where=cls.__name__) for cls in BUILTINS}
        ),
        reader=reader,
        events=MappingProxyType(sent),
        resources=opened,
        ready=checks,
    )


_EXPORT: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,94}")
"""
Names of types. Documents allow 100 characters, and the name of an input form ends in ``Input``.
"""


@final
class _Reading:
    """Reads the routes and the groups of one spec."""

    def __init__(
        self,
        reader: ShapeReader,
        authenticator: Authenticator | None,
        hooks: tuple[Hook[Any], ...],
        frame: FrameType,
    ) -> None:
        self._reader: Final = reader
        self._before: Final = HookReader(reader).before
        self._authenticator: Final = authenticator
        self._hooks: Final = hooks
        self._frame: Final = frame
        self._groups: Final[dict[str, Group[Any]]] = {}
        self._own: Final[dict[int, Authenticator | None]] = {}
        """Group -> its own authenticator, for groups that have one."""

    def entries(self, routes: object) -> dict[str, Entry]:
        """The entries of *routes*, by name, in their order."""
        found: dict[str, Entry] = {}
        around: dict[str, tuple[Group[Any], ...]] = {}
        for place in placed([*named_members("spec(routes=)", routes)]):
            if isinstance(place.member, Group):
                self._take(place.name, place.member)
                continue
            route = cast("Route[Any, Any, Any]", place.member)
            if place.name in found:
                raise SpecError(
                    place.name,
                    "two routes have this name; give one of them name=... "
                    f"({found[place.name].where} and {route.origin.place})",
                )
            found[place.name] = self._entry(place, route)
            around[place.name] = place.groups
        _check_groups(self._groups, found)
        check_guards(found, around, self._groups)
        _check_hooks("spec(hooks=)", self._hooks, [*found.values()])
        # a group that is listed at two places has two names here, and is checked once
        for group in {id(each): each for each in self._groups.values()}.values():
            within = [found[name] for name, groups in around.items() if group in groups]
            _check_hooks(group.at("hooks"), group.hooks, within)
        return found

    def _take(self, name: str, group: Group[Any]) -> None:
        other = self._groups.setdefault(name, group)
        if other is not group:
            raise SpecError(
                name,
                "two groups have this name; give one of them another "
                f"({other.origin.place} and {group.origin.place})",
            )

    def _entry(self, place: Placed, route: Route[Any, Any, Any]) -> Entry:
        authenticator, depth = self._in_force(place.groups)
        if route.auth == "none":
            authenticator = None  # whoever authenticates the other routes there
        elif authenticator is None:
            needs = "needs" if route.auth == "bearer" else "takes"
            maker = "group(authenticate=...) or spec" if place.groups else "spec"
            raise SpecError(
                place.name,
                f"it {needs} a token; give {maker}(authenticate=...), "
                f'or write auth="none" ({route.origin.place})',
            )

        def names(origin: Origin) -> Mapping[str, object]:
            return names_at(origin, place.groups, self._frame)

        # The hooks of the spec, then those of each group around the route. Those above the group
        # that authenticates were written for another context.
        levels = [self._hooks, *(each.hooks for each in place.groups)]
        standing = self._before(
            route,
            place.name,
            given_by(authenticator, route.auth),
            names,
            wide=[*chain.from_iterable(levels[:depth])],
            outer=[*chain.from_iterable(levels[depth:])],
        )
        return read_entry(
            route,
            place.name,
            self._reader,
            authenticator,
            names(route.origin),
            standing,
            group=place.group,
            outer_tags=place.tags,
            outer_scopes=place.requires,
        )

    def _in_force(self, groups: Sequence[Group[Any]]) -> tuple[Authenticator | None, int]:
        """Return the authenticator for *groups*, and how many groups are outside of it."""
        # from the innermost group outwards: the first that authenticates decides
        for depth, group in reversed([*enumerate(groups, 1)]):
            if group.authenticate is not None:
                return self._read(group, groups[:depth]), depth
        return self._authenticator, 0

    def _read(self, group: Group[Any], groups: Sequence[Group[Any]]) -> Authenticator | None:
        # Once for each group, not for each route: check_guards takes two authenticators for two
        # sets of callers.
        if id(group) not in self._own:
            self._own[id(group)] = read_authenticator(
                group.at("{}"),
                group.authenticate,
                names_at(group.origin, groups, self._frame),
                inline=group.authenticate_inline,
            )
        return self._own[id(group)]


def _check_groups(groups: Mapping[str, Group[Any]], entries: Mapping[str, Entry]) -> None:
    """Check that no group has the name of a route, since clients have one member for each name."""
    for name, group in groups.items():
        if name in entries:
            raise SpecError(
                name,
                "a group and a route have this name; give one of them another "
                f"({group.origin.place} and {entries[name].where})",
            )


def _check_hooks(where: str, outer: Sequence[Hook[Any]], entries: Sequence[Entry]) -> None:
    """
    Check that each hook of a spec or a group runs before some route, or it would guard nothing.
    """
    if not entries:
        return
    standing: set[int] = set()
    for entry in entries:
        standing.update(id(typed.hook) for typed in entry.hooks)
    for hook in outer:
        if id(hook) not in standing:
            raise SpecError(
                where,
                f"{hook.__name__} runs before no route, since none has the context that it "
                f"takes; write Call[object] for a hook of every route ({hook.origin.place})",
            )


def _check_codes(entries: Mapping[str, Entry]) -> None:
    """Check that each code belongs to one class, since the documents list each code once."""
    codes: dict[str, tuple[type[Failure], str]] = {}
    for name, entry in entries.items():
        for cls in entry.every_failure:
            other, first = codes.setdefault(cls.error_code, (cls, name))
            if other is not cls:
                raise SpecError(f"{first} and {name}", f"{same_code(other, cls)} ({entry.where})")


def _check_replacements(entries: Mapping[str, Entry]) -> None:
    for name, entry in entries.items():
        notice = entry.route.deprecated
        if notice is False or notice.use is None:
            continue
        if notice.use not in entries or notice.use == name:
            raise SpecError(
                name,
                f"Deprecated(use={notice.use!r}) names no other route of this spec; "
                f"write the name of one, or leave use= out ({entry.where})",
            )


def _check_ways(entries: Mapping[str, Entry]) -> None:
    """
    Check that no two ways in have the same name, since documents and clients know them by name.
    """
    found: dict[str, tuple[Credential, Entry]] = {}
    for entry in entries.values():
        if entry.authenticator is None:
            continue
        for each in entry.authenticator.ways:
            # the names of headers are told apart without their case (RFC 9110, section 5.1)
            other, first = found.setdefault(each.name.lower(), (each, entry))
            if (other.kind, other.name) != (each.kind, each.name):
                raise SpecError(
                    f"{first.name} and {entry.name}",
                    f"the {other.kind} {other.name} and the {each.kind} {each.name} would be one "
                    "way in to documents and clients; give one of them another name",
                )


def _check_tools(entries: Mapping[str, Entry]) -> None:
    tools: dict[str, Entry] = {}
    for name, entry in entries.items():
        if entry.tool is not None:
            first = tools.setdefault(entry.tool.name, entry)
            if first is not entry:
                problem = (
                    f"both are the MCP tool {entry.tool.name!r}; "
                    "give one of them another name: mcp=McpTool(name=...)"
                )
                raise SpecError(
                    f"{first.name} and {name}", f"{problem} ({first.where} and {entry.where})"
                )


def _read_exports(
    exports: object, reader: ShapeReader, names: Mapping[str, object]
) -> Mapping[str, Shape]:
    if not isinstance(exports, Exports):
        raise SpecError("spec(exports=)", _no_exports(exports))
    shapes: dict[str, Shape] = {}
    for name, annotation in exports.types.items():
        where = f"spec(exports=)[{name!r}]"
        if not _EXPORT.fullmatch(name):
            raise SpecError(
                where,
                "it is not a valid type name; "
                "take a letter, then letters, digits and underscores, at most 95",
            )
        shapes[name] = reader.read(annotation, where=where, namespace=names)
        check_no_pages(shapes[name], where)
        check_no_files(shapes[name], where)
    return MappingProxyType(shapes)


def _no_exports(given: object) -> str:
    how = "write exports=exports({}), with exports from contract"
    if not isinstance(given, Mapping):
        return f"{shown(given)} is not a mapping from names to types; {how.format('Filter=Filter')}"
    # only what can be written as a keyword goes into the example
    names = [name for name in cast("Mapping[object, object]", given) if isinstance(name, str)]
    options = ", ".join(f"{name}=..." for name in names if name.isidentifier())
    return f"it takes no mapping, whose types no type checker could read; {how.format(options)}"


def _check_values(entries: Mapping[str, Entry], others: Mapping[str, Shape]) -> None:
    """
    Check that defaults and examples are values of their types.

    The documents show them, and nothing else validates a default.
    """
    seen: set[Definition] = set()
    for name, entry in entries.items():
        ahead = list(entry.every_failure.values())
        if entry.input is not None:
            ahead.extend(definitions(entry.input))
        ahead.extend(definitions(entry.output))
        check_values(ahead, seen, name, f" ({entry.where})")
    for name, shape in others.items():
        check_values(definitions(shape), seen, name)
