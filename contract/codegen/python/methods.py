"""Methods: a route of a contract as a method of a client, with its signature and its docstring."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from keyword import kwlist
from typing import Final, final

from contract.codegen.package import Operation, option_of
from contract.codegen.python.annotations import Annotations, class_of
from contract.codegen.python.context import CLIENT, Context, Scope
from contract.codegen.python.defaults import default_of
from contract.codegen.python.layout import (
    WIDTH,
    Assigned,
    Bracket,
    Expression,
    Joined,
    documentation,
    flat,
    lines,
    quoted,
    sentence,
)
from contract.codegen.python.naming import Naming
from contract.codegen.texts import Names, Style
from contract.document.model import ContractFile, ContractRoute, ways_into
from contract.shape.graph import is_open
from contract.shape.media_types import takes
from contract.shape.nodes import Definition, Field, RecordShape, RefShape, Shape
from contract.shape.record import record

__all__ = ["Method", "Named", "either_of", "file_parameters", "is_record", "option_names"]

_EFFECTS: Final = {
    "read": "Only reads, so it is tried again if no answer comes.",
    "idempotent": "Does no more when it is repeated, so it is tried again if no answer comes.",
    "write": "Is never tried again by itself.",
    "destructive": "Destroys something, and is never tried again by itself.",
}
_STREAMS: Final = "Gives its items one by one; close it by ``with``, or ``async with``."

_FILES: Final = "Gives a file ({}); save or read it, or close it by ``with``, or ``async with``."


@final
@record
class Named:
    """A route, with the names of its method and of the constant that describes it."""

    name: str
    operation: Operation
    constant: str


def either_of(scope: Scope, codes: tuple[str, ...]) -> Expression:
    """The union of the classes of *codes*; there may be none."""
    classes = [*map(scope.failure, codes)]
    if not classes:
        return scope.context.use("typing", "Never")
    return Annotations(scope, plain=True).either(*classes)


@final
class Method:
    """
    A method for a route.

    Args:
        context: The context of the module.
        named: The route.
        scope: The body of the class.
    """

    def __init__(self, context: Context, named: Named, scope: Scope) -> None:
        self._context = context
        self._named = named
        self._operation = named.operation
        self._route = named.operation.route
        self._outer = scope
        self._record, self._fields = _record_of(named.operation.input)
        self._names = _names_of(self._record, context.naming)
        self._values = {field.wire: default_of(field, scope) for field in self._fields}
        self._self = _self_beside(self._names)
        self._files = file_parameters(named.operation, context.naming)
        given = [self._self, *self._names.values(), *self._files.values()]
        self._inner = Scope(context, given)

    def lines(self, *, is_async: bool) -> list[str]:
        """The lines of the method."""
        # 1. The signature: on one line, or with a line for each parameter.
        parameters = [self._self, *self._parameters()]
        returns = self._returns(is_async=is_async)
        head = f"def {self._named.name}("
        if is_async:
            head = f"async {head}"
        whole = f"    {head}{', '.join(map(flat, parameters))}) -> {flat(returns)}:"
        if len(whole) <= WIDTH:
            signature = [whole]
        else:
            inner: list[str] = []
            for each in parameters:
                inner += lines(each, after=",", indent=8)
            signature = [
                f"    {head}",
                *inner,
                *lines(returns, before=") -> ", after=":", indent=4, whole_type=True),
            ]
        # 2. The call.
        called = f"{self._self}._call("
        if is_async:
            called = f"await {called}"
        arguments = [self._named.constant, self._argument(), *self._attached()]
        call = Bracket(called, tuple(arguments), ")")
        # 3. For a route with pages, what makes its items known to `pages`.
        decorators = self._deprecated()
        if self._route.pages:
            paged = self._context.use(CLIENT, "async_paged" if is_async else "paged")
            decorators = [f"    @{paged}", *decorators]
            call = Bracket(f"{self._context.use(CLIENT, 'Paged')}(", (call,), ")")
        return [
            *decorators,
            *signature,
            *self._docs(),
            *lines(call, before="return ", indent=8),
        ]

    def _parameters(self) -> list[Expression]:
        plain = Annotations(self._outer, plain=True)
        written = [self._file_parameter(*each) for each in self._route.files.items()]
        first: list[Expression] = []
        if self._record is not None:
            written = [*(self._parameter(field, plain) for field in self._fields), *written]
        elif self._operation.input is not None:
            first = [Joined("input: ", plain.of(self._operation.input)), "/"]
        # all are given by name, since the order of fields in a contract may change
        if written:
            return [*first, "*", *written]
        return first

    def _file_parameter(self, part: str, file: ContractFile) -> Expression:
        name, one = self._files[part], self._context.use(CLIENT, "OneFile")
        type_: Expression = one
        if file.many is not None:
            type_ = Bracket(f"{self._context.use('collections.abc', 'Sequence')}[", (one,), "]")
        if file.required:
            return Joined(f"{name}: ", type_)
        if file.many is not None:
            return Assigned(name, type_, "()")
        either = Annotations(self._outer, plain=True).either(type_, "None")
        return Assigned(name, either, "None")

    def _attached(self) -> list[Expression]:
        """The argument with the files."""
        if not self._files:
            return []
        pairs = tuple(f"{quoted(part)}: {name}" for part, name in self._files.items())
        return [Bracket("{", pairs, "}")]

    def _parameter(self, field: Field, plain: Annotations) -> Expression:
        name, value = self._names[field.wire], self._values[field.wire]
        type_ = plain.of(field.shape)
        if field.required_in:
            return Joined(f"{name}: ", type_)
        if value is not None and not value.mutable:
            return Assigned(name, type_, value.expression)
        # a default that is mutable is made in the body of the method (`_given`)
        unset = self._context.use(CLIENT, "Unset"), self._context.use(CLIENT, "UNSET")
        return Assigned(name, plain.either(type_, unset[0]), unset[1])

    def _returns(self, *, is_async: bool) -> Expression:
        value = Annotations(self._outer, plain=True).of(self._operation.output)
        if self._route.media:
            file = "AsyncFile" if is_async else "File"
            value = self._context.use(CLIENT, file)
        if self._operation.between is not None:
            items = "AsyncItems" if is_async else "Items"
            kind = self._context.use(CLIENT, items)
            between = either_of(self._outer, self._operation.between)
            value = Bracket(f"{kind}[", (value, between), "]")
        results = self._results(value)
        if not self._route.pages:
            return results
        of_items = self._results(Annotations(self._outer, plain=True).of(self._operation.item))
        return Bracket(f"{self._context.use(CLIENT, 'Paged')}[", (results, of_items), "]")

    def _results(self, value: Expression) -> Expression:
        """The outcomes of a call whose output is *value*."""
        plain = Annotations(self._outer, plain=True)
        ok = Bracket(f"{self._context.use(CLIENT, 'Ok')}[", (value,), "]")
        failures = [self._outer.failure(code) for code in self._operation.failures]
        return plain.either(ok, *failures, self._context.use(CLIENT, "CallError"))

    def _argument(self) -> Expression:
        if self._operation.input is None:
            return "None"
        if self._record is None:
            return "input"
        given = [
            Joined(f"{self._names[field.wire]}=", self._given(field)) for field in self._fields
        ]
        return Bracket(f"{class_of(self._record, self._inner)}(", tuple(given), ")")

    def _given(self, field: Field) -> Expression:
        name, value = self._names[field.wire], default_of(field, self._inner)
        if value is None or not value.mutable:
            return name
        made, unset = flat(value.expression), self._context.use(CLIENT, "UNSET")
        return f"{made} if {name} is {unset} else {name}"

    def _deprecated(self) -> list[str]:
        deprecation = self._route.deprecated
        if deprecation is None:
            return []
        parts = ["deprecated"]
        if deprecation.since:
            parts = [f"deprecated since {deprecation.since}"]
        if deprecation.remove_on:
            parts.append(f"it will be removed on {deprecation.remove_on}")
        instead = self._context.package.operations.get(deprecation.use or "")
        if instead is not None:
            parts.append(f"use {self._context.naming.path(instead.route)}")
        name = self._context.naming.path(self._route)
        text = quoted(f"{name} is {'; '.join(parts)}")
        deprecated = self._context.use("typing_extensions", "deprecated")
        return lines(Bracket(f"{deprecated}(", (text,), ")"), before="@", indent=4)

    def _docs(self) -> list[str]:
        operation, route = self._operation, self._route
        # 1. The author's words; many docstrings have one sentence, which is both.
        paragraphs = [sentence(route.summary)]
        if route.description is not None and sentence(route.description) != paragraphs[0]:
            paragraphs.append(route.description)
        # 2. The rules that a caller must know.
        rules = _token_rule(route, option_names(self._context.ways))
        rules.append(_EFFECTS[route.effect])
        if operation.between is not None:
            rules.append(_STREAMS)
        if route.media:
            rules.append(_FILES.format(" or ".join(route.media)))
        paragraphs.append(" ".join(rules))
        # 3. The parameters and the failures, as far as the document describes any.
        told = [(field.wire, field.description) for field in self._fields if field.description]
        arguments = [(self._names[wire], sentence(text)) for wire, text in told]
        for part, file in route.files.items():
            arguments.append((self._files[part], _file_limits(file)))
        sections = {
            "Args:": arguments,
            "Failures:": self._descriptions(operation.failures),
            "Between items:": self._descriptions(operation.between or ()),
        }
        shown = [(title, entries) for title, entries in sections.items() if entries]
        return documentation(*paragraphs, sections=shown, indent=8)

    def _descriptions(self, codes: tuple[str, ...]) -> list[tuple[str, str]]:
        """The classes of *codes*, with their descriptions."""
        naming, failures = self._context.naming, self._context.package.failures
        return [(naming.failures[code], failures[code].description) for code in codes]


def _file_limits(file: ContractFile) -> str:
    what = "A file" if file.many is None else "Files"
    parts = [f"{what} of at most {file.max_bytes} bytes"]
    if file.media:
        parts.append(f"of the type {' or '.join(file.media)}")
    if file.many is not None:
        parts.append(f"from {file.many[0]} to {file.many[1]} of them")
    limits = f"{', '.join(parts)}."
    if file.media and not takes(file.media, "application/octet-stream"):
        limits += " Bytes have no name that tells their type: give them as an `Attachment`."
    if file.description is None:
        return limits
    return f"{sentence(file.description)} {limits}"


def option_names(ways: Iterable[str]) -> dict[str, str]:
    """Way -> the name of its option."""
    names = Names(_OPTION)
    return {way: names.take(option_of(way)) for way in ways}


_OPTION: Final = Style(
    reserved=frozenset(
        {*kwlist, "base_url", "clock", "headers", "hooks", "max_response_bytes", "options"}
        | {"retries", "self", "timeout", "transport"}
    ),
    stem="credential",
)


def _token_rule(route: ContractRoute, options: Mapping[str, str]) -> list[str]:
    named = " or ".join(f"``{options[way]}``" for way in ways_into(route))
    if not named:
        return []
    if route.auth == "optional":
        return [f"May be called without a credential; a client with {named} sends it."]
    if not route.requires:
        return [f"Needs a client with {named}."]
    scopes = ", ".join(f"``{scope}``" for scope in route.requires)
    return [f"Needs a client with {named}, and the scopes {scopes}."]


def file_parameters(operation: Operation, naming: Naming) -> dict[str, str]:
    """Part of a form -> the parameter for its files."""
    fields = _names_of(_record_of(operation.input)[0], naming)
    reserved = frozenset({*kwlist, "input", _self_beside(fields), *fields.values()})
    names = Names(Style(reserved=reserved, stem="file"))
    return {part: names.take(file.name or part) for part, file in operation.route.files.items()}


def _names_of(record: str | None, naming: Naming) -> Mapping[str, str]:
    """The parameters for the fields of a *record*."""
    if record is None:
        return {}
    return naming.fields[record]


def _self_beside(names: Mapping[str, str]) -> str:
    """The name of the client in a method with these parameters."""
    found = "self"
    while found in names.values():
        found = f"_{found}"
    return found


def is_record(input: Shape) -> bool:
    """Whether a method takes the fields of *input* as arguments of its own."""
    return _record_of(input)[0] is not None


def _record_of(shape: Shape | None) -> tuple[str | None, tuple[Field, ...]]:
    """
    The name and the fields of the record that *shape* is, perhaps through aliases.

    A record with free keys has no name here, since parameters cannot have such keys.
    """
    seen: set[Definition] = set()
    while isinstance(shape, RefShape) and shape.definition not in seen:
        definition, shape = shape.definition, shape.definition.shape
        seen.add(definition)
        if isinstance(shape, RecordShape) and not is_open(shape):
            return definition.name, shape.fields
    return None, ()
