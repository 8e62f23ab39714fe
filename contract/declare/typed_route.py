"""
Typed routes: the annotations of a route, read for one spec.

The annotation of the input is its shape. The annotation of the return value is a union: its
failures are the declared errors, and the rest is the output. The annotation of the context is only
compared with the result of ``authenticate``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Mapping
from types import MappingProxyType, NoneType
from typing import Any, Final, Union, final

from contract.declare.authenticator import Authenticator, given_by
from contract.declare.compared import (
    accepts,
    definitions_of,
    failures_in,
    is_a,
    is_failure,
    members_of,
    resolved,
)
from contract.declare.failures import Failure, Forbidden, is_builtin
from contract.declare.files import Files, check_no_files, read_files
from contract.declare.outputs import Streaming, items_of, media_of, one_success
from contract.declare.paged import check_no_pages, read_pages
from contract.declare.permissions import without_scopes
from contract.declare.resolver import is_wrapper
from contract.declare.route import Route
from contract.declare.tool import Tool, is_object, tool_of
from contract.declare.typed_hook import TypedHook, check_input, joined_failures
from contract.shape.annotations import Parameter, Signature, signature_of, union_members
from contract.shape.exceptions import (
    DeclarationError,
    RouteDeclarationError,
    SpecError,
    UnsupportedAnnotation,
)
from contract.shape.media_types import Media
from contract.shape.nodes import Definition, NullShape, RefShape, Shape
from contract.shape.reader import ShapeReader
from contract.shape.record import record
from contract.shape.scope import display

__all__ = ["Entry", "read_entry"]


@final
@record(eq=False)
class Entry:
    """A route in a spec, with its annotations read."""

    name: str
    """The RPC name."""
    route: Route[Any, Any, Any]
    """The route as the user made it."""
    input: Shape | None
    """
    The shape of the input; None for a route without one (``input: None``).

    It is the JSON part: uploads are in *files*.
    """
    output: Shape
    """
    The shape of a successful result; for a stream, that of an item.

    For a file it has no meaning; see `media`.
    """
    failures: Mapping[type[Failure], Definition]
    """
    The failures that may be the answer to a call.

    First those that the return annotation declares, then those that ``errors=`` adds, then those of
    hooks, each in its order. Builtins that an annotation names are included.
    """
    where: str
    """Module, function, file and line, for messages."""
    tool: Tool | None = None
    """The route as MCP clients see it; None if it is not a tool."""
    hooks: tuple[TypedHook, ...] = ()
    """The hooks that run before its resolver, in their order."""
    hooked: frozenset[type[Failure]] = frozenset()
    """The failures that only its hooks may return, since the resolver does not declare them."""
    authenticator: Authenticator | None = None
    """The authenticator that makes its context; None for a public route."""
    group: str | None = None
    """The full name of the group that it is in."""
    outer_tags: tuple[str, ...] = ()
    """The tags of the groups around it."""
    requires: tuple[str, ...] = ()
    """The scopes that its callers need."""
    stream: Streaming | None = None
    """The failures of its stream; None if it has one output."""
    page_key: Shape | None = None
    """The shape of the keys of its pages; None if it does not give pages."""
    media: Media | None = None
    """The media types of the file that it gives; None if it does not give one."""
    files: Files | None = None
    """The files that a call sends; None if it does not take any."""

    @property
    def given(self) -> Shape | None:
        """The shape of the input as the resolver gets it, with its files."""
        return self.input if self.files is None else self.files.whole

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags of the groups around it, then its own, without duplicates."""
        return tuple(dict.fromkeys((*self.outer_tags, *self.route.tags)))

    @property
    def read_by_url(self) -> bool:
        """
        Whether it is also called by GET: caches may keep its output, or it is a file.

        A URL holds neither files nor the headers that sign a body.
        """
        fits = self.files is None and self.route.signed is None
        is_file = self.media is not None and self.route.effect == "read"
        return self.route.cache is not None or (is_file and fits)

    @property
    def every_failure(self) -> Mapping[type[Failure], Definition]:
        """The failures that may be the answer to a call, before a stream or in it."""
        if self.stream is None:
            return self.failures
        return {**self.failures, **self.stream.failures}

    @property
    def own_failures(self) -> Mapping[type[Failure], Definition]:
        """The failures that the resolver itself may return."""
        if not self.hooked:
            return self.failures
        return {cls: each for cls, each in self.failures.items() if cls not in self.hooked}


def read_entry(
    route: Route[Any, Any, Any],
    name: str,
    reader: ShapeReader,
    authenticator: Authenticator | None,
    names: Mapping[str, object],
    hooks: tuple[TypedHook, ...] = (),
    *,
    group: str | None = None,
    outer_tags: tuple[str, ...] = (),
    outer_scopes: tuple[str, ...] = (),
) -> Entry:
    """
    Read the *route* into an entry; one that is not public needs an *authenticator*.

    Its annotations may use the *names* that were local where it was decorated or the spec is made.

    Raises:
        DeclarationError: With the route, the place in it, the function, the file and the line.
    """
    origin = route.origin
    if route.auth == "none":
        authenticator = None
    signature = signature_of(route.resolver, names)
    # check_resolver lets two parameters through, neither of which may have a default; those that a
    # functools.partial fills by name count as having one
    given, context = (parameter for parameter in signature.parameters if not parameter.has_default)
    try:
        # 1. The input, and the files that come beside it.
        where = f"{name}.{given.name}"
        ways = {"mcp": route.mcp, "cache": route.cache, "signed": route.signed}
        files, shape = read_files(_read_input(given, signature, where, reader), where, **ways)

        # 2. The output: one value, a stream of items, or a file.
        failures, output, stream, media = _read_return(signature, f"{name}.return", reader)
        in_stream: Mapping[type[Failure], Definition] = {}
        if stream is not None:
            in_stream = stream.failures
            check_no_pages(output, f"{name}.return")
        check_no_files(output, f"{name}.return")
        page_key = read_pages(shape, output, name)
        _check_output_options(route, name, stream, media, page_key)
        failures |= _read_errors(route, name, {**failures, **in_stream}, signature, reader)

        # 3. The caller: the context, and what it must hold.
        _check_context(route, context, signature, f"{name}.{context.name}", authenticator)
        requires = _read_scopes(route, outer_scopes, f"{name}.{context.name}", authenticator)
        tool = _read_tool(route, name, given, shape)
        if tool is not None and authenticator is not None:
            _check_tool_ways(authenticator, name)
        check_input(hooks, given.annotation, signature, name)

        # 4. Everything that may be answered instead of the output.
        answered = dict(failures)
        if requires:
            # the framework checks the scopes, and answers FORBIDDEN without the resolver
            answered.setdefault(Forbidden, reader.failure(Forbidden, where=name))
        every = joined_failures(answered, hooks, name)
        for cls, definition in {**every, **in_stream}.items():
            check_no_pages(RefShape(definition), f"{name}.{cls.__name__}")
            check_no_files(RefShape(definition), f"{name}.{cls.__name__}")
    except DeclarationError as error:
        hint = ""
        # the cause is often that the two parameters are in the wrong order
        if given.name in _CONTEXTS or context.name == "input":
            hint = "; the input comes first: (input, ctx)"
        raise type(error)(error.where, f"{error.problem}{hint} ({origin.place})") from None
    hooked = frozenset(every).difference(failures)
    return Entry(
        name,
        route,
        shape,
        output,
        MappingProxyType(every),
        origin.place,
        tool,
        hooks,
        hooked,
        authenticator,
        group,
        outer_tags,
        requires,
        stream,
        page_key,
        media,
        files,
    )


_CONTEXTS: Final = frozenset({"ctx", "context"})
"""Usual names of the second parameter; a first parameter has such a name only by mistake."""


def _read_input(
    parameter: Parameter, signature: Signature, where: str, reader: ShapeReader
) -> Shape | None:
    annotation = resolved(parameter.annotation, where, "say what the route takes, or None")
    if annotation is None or annotation is NoneType:
        return None
    return reader.read(annotation, where=where, namespace=signature.namespace)


def _read_return(
    signature: Signature, where: str, reader: ShapeReader
) -> tuple[dict[type[Failure], Definition], Shape, Streaming | None, Media | None]:
    annotation = resolved(
        signature.returns, where, "say what the route gives: its output and its failures, or None"
    )
    members: tuple[Any, ...] = union_members(annotation, signature.namespace, where=where)
    declared = failures_in(members, where)
    outputs = [member for member in members if not is_failure(member)]
    # an async resolver is annotated with what it gives in the end, so this is a mistake there, too
    for output in outputs:
        if is_a(output, Awaitable):
            raise UnsupportedAnnotation(
                where,
                f"{display(output)} is an awaitable; "
                "make the resolver `async def`, and say what it gives in the end",
            )
    if not outputs:
        raise RouteDeclarationError(
            where, "there are only failures; say what it gives when all goes well, or None"
        )
    # without failures, the reader gets the annotation as it was written, with the names of its
    # aliases
    output = annotation
    if declared:
        output = Union[tuple(outputs)]  # noqa: UP007  of a tuple
    failures = definitions_of(declared, signature, where, reader)
    # a file: it is no JSON, so its shape means nothing
    media = media_of(outputs, signature.namespace, where)
    if media is not None:
        return failures, NullShape(), None, media
    # one value, or a stream of items
    stream = one_success(outputs, where)
    if stream is None:
        found = reader.read(output, where=where, namespace=signature.namespace)
        return failures, found, None, None
    items, between = items_of(stream, signature.namespace, where, declared)
    output = Union[items]  # noqa: UP007  of a tuple
    item = reader.read(output, where=f"{where}.item", namespace=signature.namespace)
    in_stream = definitions_of(between, signature, where, reader)
    return failures, item, Streaming(MappingProxyType(in_stream)), None


def _check_output_options(
    route: Route[Any, Any, Any],
    name: str,
    stream: Streaming | None,
    media: Media | None,
    page_key: Shape | None,
) -> None:
    """Check that no option of the *route* requires another form of output."""
    if stream is not None and route.cache is not None:
        raise RouteDeclarationError(
            f"{name}.return", "nobody may keep a stream; leave out cache=, or give a list"
        )
    if media is not None and route.mcp is not False:
        raise RouteDeclarationError(
            f"{name}.return",
            "the result of an MCP tool is JSON, not a file; leave out mcp=",
        )
    if page_key is not None and route.signed is not None:
        raise RouteDeclarationError(
            name, "a webhook cannot ask for pages; leave out signed=, or the cursor"
        )


def _read_errors(
    route: Route[Any, Any, Any],
    name: str,
    failures: Mapping[type[Failure], Definition],
    signature: Signature,
    reader: ShapeReader,
) -> dict[type[Failure], Definition]:
    """
    The failures that only ``errors=`` names, not the annotation.

    They are those of a wrapper around the resolver.
    """
    if route.errors is None:
        return {}
    where, named = f"{name} errors=", route.errors.failures
    # define_errors takes no builtins, so they cannot be missing
    missing = {cls for cls in failures if not is_builtin(cls)}.difference(named)
    added = [cls for cls in named if cls not in failures]
    if missing:
        raise RouteDeclarationError(
            where,
            f"the return annotation declares {_names(missing)}, and errors= does not name it; "
            "name it there, or leave errors= out",
        )
    if added and not is_wrapper(route.resolver):
        raise RouteDeclarationError(
            where,
            f"errors= names {_names(added)}, and the return annotation does not declare it; "
            "write it there, or take it out of errors=",
        )
    return {
        cls: reader.failure(cls, where=f"{where} {cls.__name__}", namespace=signature.namespace)
        for cls in added
    }


def _names(failures: Iterable[type[Failure]]) -> str:
    return ", ".join(sorted(cls.__name__ for cls in failures))


def _check_context(
    route: Route[Any, Any, Any],
    parameter: Parameter,
    signature: Signature,
    where: str,
    authenticator: Authenticator | None,
) -> None:
    gives = given_by(authenticator, route.auth)
    accepted = members_of(parameter.annotation, signature, where)
    if accepted is None or gives is None:
        return
    # Each kind of context that a call may have must be taken. The message depends on how it comes
    # to be there: nothing makes one, the token is missing, or authenticate gives it.
    for given in gives:
        if not any(accepts(member, given) for member in accepted):
            taken = " | ".join(map(display, accepted))
            if route.auth == "none":
                raise RouteDeclarationError(
                    where,
                    f'it takes {taken}, and with auth="none" there is no context; write ctx: None',
                )
            if given is NoneType:
                raise SpecError(
                    where,
                    f'it takes {taken}, and with auth="optional" the context is None where there '
                    f"is no token; write {parameter.name}: {taken} | None",
                )
            given_types = " | ".join(map(display, gives))
            fix = f"write {parameter.name}: {given_types}, or give {taken} from authenticate"
            raise SpecError(
                where, f"it takes {taken}, and authenticate gives {display(given)}; {fix}"
            )


def _check_tool_ways(authenticator: Authenticator, name: str) -> None:
    """Check that MCP clients, which have no cookies, have a way in."""
    if authenticator.ways and all(each.kind == "cookie" for each in authenticator.ways):
        raise RouteDeclarationError(
            f"{name}.mcp",
            "a cookie lets no MCP client in; add a way in: ways(cookie(...), bearer(...))",
        )


def _read_scopes(
    route: Route[Any, Any, Any],
    outer: tuple[str, ...],
    where: str,
    authenticator: Authenticator | None,
) -> tuple[str, ...]:
    """The scopes that callers of *route* need: those of the groups around it, then its own."""
    requires = tuple(dict.fromkeys((*outer, *route.requires)))
    if not requires:
        return requires
    # only a group can require them here: requires() itself makes a route a bearer route
    if route.auth != "bearer":
        who = "nobody has a" if route.auth == "none" else "callers may have no"
        raise SpecError(
            where,
            f"a group around it requires {', '.join(requires)}, "
            f'and with auth="{route.auth}" {who} context with scopes; put it into another group',
        )
    for given in given_by(authenticator) or ():
        wrong = without_scopes(given)
        if wrong is not None:
            raise SpecError(
                where,
                f"it requires {', '.join(requires)}, and authenticate gives "
                f"{display(given)}, which {wrong}; give it `scopes: frozenset[str]`",
            )
    return requires


def _read_tool(
    route: Route[Any, Any, Any], name: str, parameter: Parameter, shape: Shape | None
) -> Tool | None:
    if route.mcp is False:
        return None
    if not is_object(shape):
        problem = (
            "the arguments of an MCP tool are one object, "
            f"and {display(parameter.annotation)} is not always one"
        )
        raise RouteDeclarationError(
            f"{name}.{parameter.name}",
            f"{problem}; make it a field of a dataclass, or leave out mcp=",
        )
    return tool_of(name, route.summary, route.effect, route.mcp)
