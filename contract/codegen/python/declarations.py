"""Declarations: the named types of a contract as Python classes and aliases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from contract.codegen.model import (
    AliasDeclaration,
    Declaration,
    EnumDeclaration,
    FailureType,
    Field,
    NamedTupleDeclaration,
    RecordDeclaration,
)
from contract.codegen.python.annotations import Annotations, literal
from contract.codegen.python.context import CLIENT, Context, Scope
from contract.codegen.python.defaults import Value, default_of, needs_of
from contract.codegen.python.docs import documentation, sentence
from contract.codegen.python.layout import (
    WIDTH,
    Assigned,
    Bracket,
    Expression,
    Joined,
    flat,
    lines,
    quoted,
)
from contract.codegen.python.walk import compared_by_identity, in_order, names_in, recursive_aliases

__all__ = ["Block", "aliases", "failures", "types"]


Block = tuple[str, list[str]]
"""A class or an alias, and its lines."""


def types(context: Context) -> list[Block]:
    """
    The types.

    Recursive aliases come first, since type checkers want them before what uses them; then all
    others in the order of the alphabet, but that what is evaluated when a class is made stands
    before it.
    """
    declarations = context.package.declarations
    recursive = recursive_aliases(context.package, context.reach.types)
    others = [name for name in context.reach.types if name not in recursive]
    by_identity = compared_by_identity(context.package, context.reach)
    needs = {name: sorted(_needs(declarations[name], context)) for name in others}
    ordered = in_order(others, needs.__getitem__)
    placed = frozenset[str]()
    names = context.naming.types
    blocks = [(names[name], _recursive(declarations[name], context)) for name in sorted(recursive)]
    for name in ordered:
        blocks.append(
            (
                names[name],
                _declaration(declarations[name], context, placed, identity=name in by_identity),
            )
        )
        placed |= {name}
    return blocks


def failures(context: Context) -> list[Block]:
    """The failures that routes declare, sorted by their names."""
    names = context.naming.failures
    return [
        (names[code], _failure(context.package.failures[code], context))
        for code in sorted(names, key=names.__getitem__)
    ]


def aliases(context: Context) -> list[list[str]]:
    """The second names that types have as exports, as a block of lines, if there are any."""
    annotations = Annotations(Scope(context))
    block: list[str] = []
    for export, of in context.package.aliases.items():
        block += lines(
            Assigned(
                context.naming.aliases[export],
                context.use("typing", "TypeAlias"),
                annotations.of(of),
            )
        )
    return [block] if block else []


def _needs(declaration: Declaration, context: Context) -> frozenset[str]:
    match declaration:
        case AliasDeclaration(type=type_):
            return frozenset(names_in(type_))
        case RecordDeclaration(fields=fields) | NamedTupleDeclaration(fields=fields):
            return frozenset[str]().union(*(needs_of(field, context) for field in fields))
        case EnumDeclaration():
            return frozenset()
        case _:
            assert_never(declaration)


def _declaration(
    declaration: Declaration, context: Context, placed: frozenset[str], *, identity: bool
) -> list[str]:
    name = context.naming.types[declaration.name]
    docs = _docs(declaration)
    match declaration:
        case AliasDeclaration(type=type_):
            alias = context.use("typing", "TypeAlias")
            written = [
                *lines(Assigned(name, alias, Annotations(Scope(context)).of(type_))),
                *documentation(*docs),
            ]
        case EnumDeclaration():
            members = context.naming.members[declaration.name]
            body = [
                f"    {members[member]} = {literal(value)}" for member, value in declaration.members
            ]
            base = "IntEnum" if _is_of_ints(declaration, members.values()) else "Enum"
            written = [f"class {name}({context.use('enum', base)}):", *_body(docs, body)]
        case NamedTupleDeclaration():
            written = [
                f"class {name}({context.use('typing', 'NamedTuple')}):",
                *_body(docs, _positions(declaration, context)),
            ]
        case RecordDeclaration():
            written = [
                _dataclass(context, identity=identity),
                f"class {name}:",
                *_body(docs, _fields(declaration, context, placed)),
            ]
        case _:
            assert_never(declaration)
    return written


def _is_of_ints(declaration: EnumDeclaration, names: Iterable[str]) -> bool:
    """
    Whether it may be an IntEnum, as it mostly is at the server.

    No member of one is called as what every int has.
    """
    return all(type(value) is int for _, value in declaration.members) and not any(
        hasattr(int, name) for name in names
    )


def _docs(declaration: Declaration) -> list[str | None]:
    return [declaration.description, "Deprecated." if declaration.deprecated else None]


def _body(docs: Iterable[str | None], inner: list[str]) -> list[str]:
    written = documentation(*docs, indent=4)
    if not inner:
        return written or ["    pass"]
    return [*written, "", *inner] if written else inner


def _scope(declaration: RecordDeclaration | NamedTupleDeclaration, context: Context) -> Scope:
    return Scope(context, context.naming.fields[declaration.name].values())


# Records.


def _dataclass(context: Context, *, identity: bool = False) -> str:
    # by keyword alone: the order of fields in a contract may change, and nobody is told
    options = ["frozen=True", "slots=True", "kw_only=True", *(["eq=False"] if identity else [])]
    return f"@{context.use('dataclasses', 'dataclass')}({', '.join(options)})"


def _fields(declaration: RecordDeclaration, context: Context, placed: frozenset[str]) -> list[str]:
    scope = _scope(declaration, context)
    names = context.naming.fields[declaration.name]
    written: list[str] = []
    for field in declaration.fields:
        value = default_of(field, scope)
        name = names[field.wire]
        renamed = (
            [Bracket(f"{context.use(CLIENT, 'Name')}(", (quoted(field.wire),), ")")]
            if name != field.wire
            else []
        )
        annotation, default = _field(field, value, scope, renamed)
        if (
            value is not None and not needs_of(field, context) <= placed
        ):  # types whose defaults need each other
            default = _made_later(value, context)
        written += _stated(name, annotation, default)
        written += documentation(*_told(field), indent=4)
    return written


def _stated(name: str, annotation: Expression, default: Expression | None) -> list[str]:
    return lines(
        Joined(f"{name}: ", annotation) if default is None else Assigned(name, annotation, default),
        indent=4,
        whole_type=True,
    )


def _field(
    field: Field, value: Value | None, scope: Scope, metadata: Sequence[Expression]
) -> tuple[Expression, Expression | None]:
    context = scope.context
    annotations = Annotations(scope)
    if field.required:
        return annotations.of(field.type, *metadata), None
    if value is None:
        unset, default = context.use(CLIENT, "Unset"), context.use(CLIENT, "UNSET")
        either = annotations.either(annotations.of(field.type), unset)
        return (
            Bracket(f"{context.use('typing', 'Annotated')}[", (either, *metadata), "]")
            if metadata
            else either
        ), default
    return annotations.of(field.type, *metadata), _made(value, context)


def _made(value: Value, context: Context) -> Expression:
    if not value.mutable:
        return value.expression
    if value.factory is None:
        return _made_later(value, context)
    return Bracket(
        f"{context.use('dataclasses', 'field')}(", (Joined("default_factory=", value.factory),), ")"
    )


def _made_later(value: Value, context: Context) -> Expression:
    return Bracket(
        f"{context.use('dataclasses', 'field')}(",
        (Joined("default_factory=lambda: ", value.expression),),
        ")",
    )


def _told(field: Field) -> list[str | None]:
    shown = [example for example in field.examples if isinstance(example, str | int | float)]
    examples = [f"For example {', '.join(f'``{each}``' for each in shown)}."] if shown else []
    description = [sentence(field.description)] if field.description else []
    deprecated = "Deprecated." if field.deprecated else None
    return [" ".join([*description, *examples]) or None, deprecated]


# Named tuples: no position can be left out but those at the end.


def _positions(declaration: NamedTupleDeclaration, context: Context) -> list[str]:
    scope = _scope(declaration, context)
    names = context.naming.fields[declaration.name]
    values = [default_of(field, scope) for field in declaration.fields]
    last_needed = max((index for index, value in enumerate(values) if value is None), default=-1)
    written: list[str] = []
    for index, (field, value) in enumerate(zip(declaration.fields, values, strict=True)):
        default = None if value is None or index <= last_needed else value.expression
        written += _stated(names[field.wire], Annotations(scope).of(field.type), default)
        written += documentation(*_told(field), indent=4)
    return written


# Failures.


def _failure(failure: FailureType, context: Context) -> list[str]:
    name = context.naming.failures[failure.code]
    head = [f"@{context.use('typing', 'final')}"]
    data = None if failure.data is None else context.package.declarations[failure.data.name]
    body: list[str] = []
    if isinstance(data, RecordDeclaration):
        body = _fields(data, context, frozenset(context.reach.types))
    bases = (
        context.use(CLIENT, "DeclaredFailure"),
        f"code={quoted(failure.code)}",
        f"status={failure.status}",
    )
    head.append(_dataclass(context))
    head += lines(Bracket(f"{name}(", bases, "):"), before="class ")
    return [*head, *_body([failure.description], body)]


# Recursive aliases: their value stands in text, which is evaluated when it is needed.


def _recursive(declaration: Declaration, context: Context) -> list[str]:
    # nothing else is recursive by itself
    assert isinstance(declaration, AliasDeclaration)  # noqa: S101
    name = context.naming.types[declaration.name]
    before: list[str] = []

    def hoist(type_: Expression) -> str:
        part = context.private(f"{name}Part")
        before.extend(lines(Assigned(part, context.use("typing", "TypeAlias"), type_)))
        return part

    value = Annotations(Scope(context), hoist=hoist).of(declaration.type)
    head = f"{name} = {context.use('typing_extensions', 'TypeAliasType')}({quoted(name)}, "
    whole = f'{head}"{flat(value)}")'
    if len(whole) <= WIDTH:
        return [*before, whole, *documentation(*_docs(declaration))]
    call, _, _ = head.partition(quoted(name))
    text = lines(value, before='"""', after='""",', indent=4)
    return [*before, call, f"    {quoted(name)},", *text, ")", *documentation(*_docs(declaration))]
