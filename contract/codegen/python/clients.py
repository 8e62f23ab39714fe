"""Clients: the routes of a contract as methods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from contract.codegen.package import Namespace, Operation
from contract.codegen.python.annotations import Annotations
from contract.codegen.python.context import CLIENT, Context, Scope
from contract.codegen.python.layout import (
    Assigned,
    Bracket,
    Expression,
    Joined,
    documentation,
    lines,
    quoted,
)
from contract.codegen.python.methods import Method, Named, either_of, option_names
from contract.shape.names import pascal

__all__ = ["client_classes", "events", "operations", "schemas"]


def schemas(context: Context) -> list[str]:
    """The class and the object ``schemas``."""
    naming, package = context.naming, context.package
    annotations = Annotations(Scope(context, ["self"]))
    final_ = context.use("typing", "Final")
    schema = ""
    if naming.exports or naming.routes:  # an import that nothing uses would be a fault to linters
        schema = context.use(CLIENT, "Schema")
    body: list[str] = []
    for name, shape in package.exports.items():
        written = annotations.of(shape)
        type_ = Bracket(f"{final_}[", (Bracket(f"{schema}[", (written,), "]"),), "]")
        value = Bracket(f"{schema}(", (annotations.as_value(written),), ")")
        body += lines(Assigned(f"self.{naming.exports[name]}", type_, value), indent=8)
    operations: Mapping[str, Operation] = {}
    if naming.routes:
        operations = package.operations
    for name, operation in operations.items():
        sides = {
            "input": _input(operation, annotations),
            "output": annotations.of(operation.output),
        }
        route = context.use(CLIENT, "RouteSchemas")
        type_ = Bracket(f"{final_}[", (Bracket(f"{route}[", tuple(sides.values()), "]"),), "]")
        arguments: list[Expression] = []
        for side, written in sides.items():
            made = Bracket(f"{schema}(", (annotations.as_value(written),), ")")
            arguments.append(Joined(f"{side}=", made))
        value = Bracket(f"{route}(", tuple(arguments), ")")
        body += lines(Assigned(f"self.{naming.routes[name]}", type_, value), indent=8)
    private = context.private("Schemas")
    of_routes = ", and of the input and the output of every route" if naming.routes else ""
    docs = documentation(f"Validators: of every exported type{of_routes}.", indent=4)
    init: list[str] = []
    if body:
        init = ["", "    def __init__(self) -> None:", *body]
    return [
        f"@{context.use('typing', 'final')}",
        f"class {private}:",
        *docs,
        *init,
        "",
        "",
        f"schemas: {final_} = {private}()",
        *documentation(
            "Validators, with ``load``, ``check`` and ``dump``: the same as the server's."
        ),
    ]


def events(context: Context) -> list[str]:
    """The class and the object ``events``, if the service sends any."""
    found = context.package.events
    if not found:
        return []
    annotations = Annotations(Scope(context))
    schema, kind = context.use(CLIENT, "Schema"), context.use(CLIENT, "Events")
    written = {name: annotations.of(shape) for name, shape in found.items()}
    messages: list[Expression] = []
    for name, type_ in written.items():
        made = Bracket(f"{schema}(", (type_,), ")")
        messages.append(Joined(f"{quoted(name)}: ", made))
    events = Bracket(f"{kind}[", (annotations.either(*written.values()),), "]")
    annotation = Bracket(f"{context.use('typing', 'Final')}[", (events,), "]")
    value = Bracket(f"{kind}(", (Bracket("{", tuple(messages), "}"),), ")")
    return [
        *lines(Assigned("events", annotation, value)),
        *documentation("What the service sends by webhooks; ``receive`` checks and reads it."),
    ]


def _input(operation: Operation, annotations: Annotations) -> Expression:
    if operation.input is None:
        return "None"
    return annotations.of(operation.input)


def operations(context: Context) -> tuple[dict[str, Named], list[str]]:
    """Route -> its names, and the lines of the constants."""
    naming = context.naming
    plain = Annotations(Scope(context), plain=True)
    scope = Scope(context)
    routes: dict[str, Named] = {}
    written: list[str] = []
    for name, operation in context.package.operations.items():
        route = operation.route
        named = Named(naming.methods[name], operation, context.private(naming.flat[name].upper()))
        routes[name] = named
        # the type of the constant, from which type checkers know what a call gives
        kind = context.use(CLIENT, _kind(operation))
        codes = {"failures": operation.failures, "between": operation.between}
        parameters = [_input(operation, plain)]
        if not route.media:
            parameters.append(plain.of(operation.output))
        parameters += [either_of(scope, found) for found in codes.values() if found is not None]
        type_ = Bracket(f"{kind}[", tuple(parameters), "]")

        arguments: list[Expression] = [
            quoted(name),
            f"effect={quoted(route.effect)}",
        ]
        if route.media:
            media = tuple(map(quoted, route.media))
            arguments.append(Joined("media=", Bracket("(", media, ")")))
        elif route.cache is not None:
            arguments.append("cached=True")
        arguments.append(f"schemas=schemas.{naming.routes[name]}")
        for argument, found in codes.items():
            classes = tuple(map(scope.failure, found or ()))
            if classes:
                arguments.append(Joined(f"{argument}=", Bracket("(", classes, ")")))
        annotation = Bracket(f"{context.use('typing', 'Final')}[", (type_,), "]")
        value = Bracket(f"{kind}(", tuple(arguments), ")")
        written += lines(Assigned(named.constant, annotation, value))
    return routes, written


def _kind(operation: Operation) -> str:
    """The class of the runtime that describes this kind of route."""
    if operation.route.media:
        return "DownloadOperation"
    if operation.between is not None:
        return "StreamOperation"
    return "Operation"


def client_classes(context: Context, routes: Mapping[str, Named]) -> list[list[str]]:
    """The classes of the two clients, and of the groups in each, as the lines of each class."""
    synchronous = _Classes(context, routes, is_async=False)
    asynchronous = _Classes(context, routes, is_async=True)
    return [
        *synchronous.groups(),
        synchronous.client(),
        *asynchronous.groups(),
        asynchronous.client(),
    ]


class _Classes:
    """The classes of one client."""

    def __init__(self, context: Context, routes: Mapping[str, Named], *, is_async: bool) -> None:
        self._context = context
        self._routes = routes
        self._is_async = is_async
        self._prefix = "Async" if is_async else ""
        self._root = context.package.root
        self._names = {
            name: context.private(f"{self._prefix}{pascal(name)}Group")
            for name, _ in self._root.all_groups()
        }
        """Group -> its class."""

    def client(self) -> list[str]:
        info = self._context.package.document.info
        base = self._context.use(CLIENT, f"{self._prefix}ApiClientBase")
        loops = ", for asyncio or Trio" if self._is_async else ""
        return [
            f"class {self._prefix}ApiClient({base}):",
            *documentation(f"A client of {' '.join(info.title.split())}{loops}.", indent=4),
            "",
            f"    _title = {quoted(info.title)}",
            f"    _version = {quoted(info.version)}",
            *self._init(base),
            *self._members(self._root),
        ]

    def _init(self, base: str) -> list[str]:
        """The lines of the constructor that takes the credentials, if there are any."""
        ways = self._context.ways
        if not ways:
            return []
        value = self._context.use(CLIENT, f"{self._prefix}HeaderValue")
        options = self._context.use(CLIENT, f"{self._prefix}ClientOptions")
        unpack = self._context.use("typing", "Unpack")
        known = option_names(ways)
        given = [f"bearer={known[way]}" for way, place in ways.items() if place == "bearer"]
        for place in ("header", "cookie"):
            found = [way for way in ways if ways[way] == place]
            pairs = ", ".join(f"{quoted(way)}: {known[way]}" for way in found)
            if pairs:
                given.append(f"{place}s={{{pairs}}}")
        arguments = [(known[way], _CREDENTIALS[place].format(way)) for way, place in ways.items()]
        summary = "Make a client with the credential, or without."
        if len(ways) > 1:
            summary = "Make a client with one of the credentials, or with none."
        args = ("Args:", [*arguments, ("options", "As those of every client.")])
        docs = documentation(summary, sections=[args], indent=8)
        return [
            "",
            "    def __init__(",
            "        self,",
            f"        base_url: {self._context.built_in('str')},",
            "        *,",
            *(f"        {known[way]}: {value} | None = None," for way in ways),
            f"        **options: {unpack}[{options}],",
            "    ) -> None:",
            *docs,
            # a contract may use the name super, which only works under its own name
            f"        {base}.__init__(self, base_url, **options)",
            *lines(Bracket("self._send_with(", tuple(given), ")"), indent=8),
        ]

    def groups(self) -> list[list[str]]:
        """A class for each group; its routes are called through the client that it belongs to."""
        written: list[list[str]] = []
        for name, namespace in self._root.all_groups():
            base = self._context.use(CLIENT, f"{self._prefix}ApiGroupBase")
            docs = documentation(f"The routes of the group ``{name}``.", indent=4)
            written.append(
                [f"class {self._names[name]}({base}):", *docs, *self._members(namespace)]
            )
        return written

    def _members(self, namespace: Namespace) -> list[str]:
        naming = self._context.naming
        names = [f"{each.group}" for each in namespace.groups.values()]
        groups = {name: naming.groups[name] for name in names}
        methods = [naming.methods[route] for route in namespace.routes.values()]
        # in the body of a class, its members hide types of the module that have the same names
        scope = Scope(self._context, [*groups.values(), *methods])
        written: list[str] = []
        for group, attribute in groups.items():
            docs = documentation(f"The routes of the group ``{group}``.", indent=8)
            written += [
                "",
                f"    @{self._context.built_in('property')}",
                f"    def {attribute}(self) -> {self._names[group]}:",
                *docs,
                f"        return {self._names[group]}(self._call)",
            ]
        for route in namespace.routes.values():
            method = Method(self._context, self._routes[route], scope)
            written += ["", *method.lines(is_async=self._is_async)]
        return written


_CREDENTIALS: Final = {
    "bearer": "A bearer token, or a function that gives it.",
    "header": "The key in the header ``{}``, or a function that gives it.",
    "cookie": "The value of the cookie ``{}``, or a function that gives it.",
}
"""Place of a credential -> the description of its argument."""
