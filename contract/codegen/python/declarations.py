"""Declarations: the named types of a contract as Python classes and aliases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from contract.codegen.package import FailureType
from contract.codegen.python.annotations import Annotations, literal
from contract.codegen.python.context import CLIENT, Context, Scope
from contract.codegen.python.defaults import Value, default_of, needs_of
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
from contract.codegen.python.naming import every_shape, is_attribute
from contract.shape.graph import compared_by_identity, definitions, recursive_aliases
from contract.shape.nodes import (
    Definition,
    EnumShape,
    Field,
    Listed,
    NamedTupleShape,
    RecordShape,
    Shape,
)

__all__ = ["Block", "aliases", "failures", "types"]


Block = tuple[str, list[str]]
"""A class or an alias, as lines."""


def types(context: Context) -> list[Block]:
    """
    The types.

    Recursive aliases come first, since type checkers want them before their uses. All others follow
    in alphabetical order, except that what a class needs when it is made comes before it.
    """
    # 1. The types that are written; several may be made from one generic type.
    identical = compared_by_identity(every_shape(context.package, context.reach))
    by_identity = {_written(each.name, context).name for each in identical}
    written = [_written(name, context) for name in context.reach.types]
    found = {each.name: each for each in written}
    known = [found[name] for name in sorted(found)]
    # 2. Their order.
    recursive = recursive_aliases(known)
    others = {each.name: each for each in known if each not in recursive}
    needs = {name: sorted(_needs(each, context)) for name, each in others.items()}
    ordered = _in_order(others, needs.__getitem__)
    # 3. Their declarations. Each knows which types stand above it: a default that needs any other
    #    is made when an instance is.
    placed = frozenset[str]()
    names = context.naming.types
    blocks = _variables(context)
    blocks += [(names[each.name], _recursive(each, context)) for each in known if each in recursive]
    for name in ordered:
        lines_ = _declaration(others[name], context, placed, identity=name in by_identity)
        blocks.append((names[name], lines_))
        placed |= {name}
    return blocks


def _written(name: str, context: Context) -> Definition:
    """The type that is written for *name*: itself, or the generic type that it is made from."""
    made = context.naming.made.get(name)
    if made is not None:
        return made.definition
    return context.package.definitions[name]


def _variables(context: Context) -> list[Block]:
    """The type variables, if there are any."""
    names = [*context.parameters.values()]
    if not names:
        return []
    variable = context.use("typing", "TypeVar")
    return [(names[0], [f"{each} = {variable}({quoted(each)})" for each in names])]


def failures(context: Context) -> list[Block]:
    """The failures that routes declare, sorted by their names."""
    names = context.naming.failures
    return [
        (names[code], _failure(context.package.failures[code], context))
        for code in sorted(names, key=names.__getitem__)
    ]


def aliases(context: Context) -> list[list[str]]:
    """The second names that exports give to types, as a block of lines, if there are any."""
    annotations = Annotations(Scope(context))
    block: list[str] = []
    second = context.package.made_inputs | context.package.aliases
    for export, name in sorted(context.naming.aliases.items()):
        alias = context.use("typing", "TypeAlias")
        block += lines(Assigned(name, alias, annotations.of(second[export])))
    if not block:
        return []
    return [block]


def _needs(definition: Definition, context: Context) -> frozenset[str]:
    """The types that must stand above *definition*, since its class or its value needs them."""
    match definition.shape:
        case RecordShape(_, _, fields) | NamedTupleShape(_, fields):
            return frozenset[str]().union(*(needs_of(field, context) for field in fields))
        case EnumShape():
            return frozenset()
        case alias:
            return context.needed(each.name for each in definitions(alias))


def _in_order(names: Iterable[str], needs: Callable[[str], Iterable[str]]) -> tuple[str, ...]:
    """*names*, each after those that it *needs*; in a circle, the first one visited comes last."""
    wanted = [*names]
    waiting = {*wanted}
    placed: dict[str, None] = {}
    for start in wanted:
        path = [start]
        while path:
            name = path[-1]
            waiting.discard(name)
            missing = next((each for each in needs(name) if each in waiting), None)
            if missing is None:
                path.pop()
                placed[name] = None
            else:
                path.append(missing)
    return tuple(placed)


def _declaration(
    definition: Definition, context: Context, placed: frozenset[str], *, identity: bool
) -> list[str]:
    name = context.naming.types[definition.name]
    docs = _docs(definition)
    match definition.shape:
        case EnumShape(_, members):
            names = context.naming.members[definition.name]
            body = [f"    {names[member]} = {literal(value)}" for member, value in members]
            base = "IntEnum" if _is_of_ints(members, names.values()) else "Enum"
            return [f"class {name}({context.use('enum', base)}):", *_body(docs, body)]
        case NamedTupleShape(_, fields):
            return [
                f"class {name}({context.use('typing', 'NamedTuple')}):",
                *_body(docs, _positions(definition.name, fields, context)),
            ]
        case RecordShape(_, _, fields, extra=extra) if extra is not None:
            return _typed_dict(definition, fields, extra, context)
        case RecordShape(_, _, fields):
            generic = _of_parameters(definition, context)
            return [
                _dataclass(context, identity=identity, slots=not generic),
                f"class {name}{generic}:",
                *_body(docs, _fields(definition.name, fields, context, placed)),
            ]
        case shape:
            alias = context.use("typing", "TypeAlias")
            return [
                *lines(Assigned(name, alias, Annotations(Scope(context)).of(shape))),
                *documentation(*docs),
            ]


def _of_parameters(definition: Definition, context: Context) -> str:
    """The base of a generic class, in parentheses."""
    found = context.package.generics.get(definition.name)
    if found is None:
        return ""
    names = ", ".join(context.parameters[each.name] for each in found.parameters)
    return f"({context.use('typing', 'Generic')}[{names}])"


def _is_of_ints(members: Iterable[tuple[str, Listed]], names: Iterable[str]) -> bool:
    """
    Whether it may be an IntEnum, as it usually is on the server.

    None of its members may have the name of an attribute of int.
    """
    return all(type(value) is int for _, value in members) and not any(
        hasattr(int, name) for name in names
    )


def _docs(definition: Definition) -> list[str | None]:
    """The paragraphs of a type's docstring; None for none."""
    deprecated = "Deprecated." if definition.deprecated else None
    return [definition.description, deprecated]


def _body(docs: Iterable[str | None], inner: list[str]) -> list[str]:
    written = documentation(*docs, indent=4)
    if not inner:
        # a docstring is a body, too
        return written or ["    pass"]
    if not written:
        return inner
    return [*written, "", *inner]


def _scope(name: str, context: Context) -> Scope:
    return Scope(context, context.naming.fields[name].values())


# Records.


def _dataclass(context: Context, *, identity: bool = False, slots: bool = True) -> str:
    # up to Python 3.12, Page[Order](...) fails if Page is frozen and has slots
    # keyword-only: the order of fields in a contract may change without notice
    options = ["frozen=True"]
    if slots:
        options.append("slots=True")
    options.append("kw_only=True")
    # as on the server: a record in a set, whose fields have no hash, is compared by identity
    if identity:
        options.append("eq=False")
    return f"@{context.use('dataclasses', 'dataclass')}({', '.join(options)})"


def _fields(
    record: str, fields: Iterable[Field], context: Context, placed: frozenset[str]
) -> list[str]:
    scope = _scope(record, context)
    names = context.naming.fields[record]
    written: list[str] = []
    for field in fields:
        value = default_of(field, scope)
        name = names[field.wire]
        metadata: list[Expression] = []
        if name != field.wire:
            rename = context.use(CLIENT, "Name")
            metadata.append(Bracket(f"{rename}(", (quoted(field.wire),), ")"))
        annotation, default = _field(field, value, scope, metadata)
        # Types may need each other for their defaults.
        if value is not None and not needs_of(field, context) <= placed:
            default = _made_later(value, context)
        written += _stated(name, annotation, default)
        written += documentation(*_paragraphs(field), indent=4)
    return written


def _stated(name: str, annotation: Expression, default: Expression | None) -> list[str]:
    stated: Expression = Joined(f"{name}: ", annotation)
    if default is not None:
        stated = Assigned(name, annotation, default)
    return lines(stated, indent=4, whole_type=True)


def _field(
    field: Field, value: Value | None, scope: Scope, metadata: Sequence[Expression]
) -> tuple[Expression, Expression | None]:
    context = scope.context
    annotations = Annotations(scope)
    if field.required_in:
        return annotations.of(field.shape, *metadata), None
    if value is not None:
        return annotations.of(field.shape, *metadata), _made(value, context)
    unset, default = context.use(CLIENT, "Unset"), context.use(CLIENT, "UNSET")
    type_ = annotations.either(annotations.of(field.shape), unset)
    if metadata:
        type_ = Bracket(f"{context.use('typing', 'Annotated')}[", (type_, *metadata), "]")
    return type_, default


def _made(value: Value, context: Context) -> Expression:
    if not value.mutable:
        return value.expression
    if value.factory is None:
        return _made_later(value, context)
    return _field_with(Joined("default_factory=", value.factory), context)


def _made_later(value: Value, context: Context) -> Expression:
    return _field_with(Joined("default_factory=lambda: ", value.expression), context)


def _field_with(option: Joined, context: Context) -> Expression:
    return Bracket(f"{context.use('dataclasses', 'field')}(", (option,), ")")


def _paragraphs(field: Field) -> list[str | None]:
    """The paragraphs of a field's docstring; None for none."""
    sentences: list[str] = []
    if field.description:
        sentences.append(sentence(field.description))
    # objects and arrays would be long, and are not spelt so in Python
    shown = [f"``{each}``" for each in field.examples if isinstance(each, str | int | float)]
    if shown:
        sentences.append(f"For example {', '.join(shown)}.")
    deprecated = "Deprecated." if field.deprecated else None
    return [" ".join(sentences) or None, deprecated]


# Records with free keys: TypedDicts, whose class declares them as ``extra_items`` (PEP 728), which
# mypy does not know yet.


def _typed_dict(
    definition: Definition, fields: Sequence[Field], extra: Shape, context: Context
) -> list[str]:
    name = context.naming.types[definition.name]
    base = context.use("typing_extensions", "TypedDict")
    before: list[str] = []
    body: list[str] = []
    if all(is_attribute(field.wire) for field in fields):
        for field in fields:
            annotation = _key(field, Annotations(_scope(definition.name, context)), context)
            body += lines(Joined(f"{field.wire}: ", annotation), indent=4, whole_type=True)
            body += documentation(*_paragraphs(field), indent=4)
    else:  # the body of a class cannot have such names
        early = Annotations(Scope(context), early=True)
        keys = [Joined(f"{quoted(each.wire)}: ", _key(each, early, context)) for each in fields]
        private = context.private(f"{name}Keys")
        made = Bracket(f"{base}(", (quoted(private), Bracket("{", tuple(keys), "}")), ")")
        before = [*lines(made, before=f"{private} = "), "", ""]
        base = private
    others = Joined("extra_items=", Annotations(Scope(context), early=True).of(extra))
    head = lines(Bracket(f"{name}(", (base, others), "):"), before="class ")
    head[0] += "  # type: ignore[call-arg, unused-ignore]"
    return [*before, *head, *_body(_docs(definition), body)]


def _key(field: Field, annotations: Annotations, context: Context) -> Expression:
    type_ = annotations.of(field.shape)
    if field.required_in:
        return type_
    return Bracket(f"{context.use('typing', 'NotRequired')}[", (type_,), "]")


# Named tuples: only positions at the end can be left out.


def _positions(name: str, fields: Sequence[Field], context: Context) -> list[str]:
    scope = _scope(name, context)
    names = context.naming.fields[name]
    values = [default_of(field, scope) for field in fields]
    # a default before a position that has none would be a mistake in Python
    last_needed = max((index for index, value in enumerate(values) if value is None), default=-1)
    written: list[str] = []
    for index, (field, value) in enumerate(zip(fields, values, strict=True)):
        default: Expression | None = None
        if value is not None and index > last_needed:
            default = value.expression
        written += _stated(names[field.wire], Annotations(scope).of(field.shape), default)
        written += documentation(*_paragraphs(field), indent=4)
    return written


# Failures.


def _failure(failure: FailureType, context: Context) -> list[str]:
    name = context.naming.failures[failure.code]
    head = [f"@{context.use('typing', 'final')}"]
    body: list[str] = []
    if failure.data is not None and isinstance(failure.data.definition.shape, RecordShape):
        data, placed = failure.data.definition, frozenset(context.reach.types)
        body = _fields(data.name, failure.data.definition.shape.fields, context, placed)
    bases = (
        context.use(CLIENT, "DeclaredFailure"),
        f"code={quoted(failure.code)}",
        f"status={failure.status}",
    )
    head.append(_dataclass(context))
    head += lines(Bracket(f"{name}(", bases, "):"), before="class ")
    return [*head, *_body([failure.description], body)]


# Recursive aliases: their value is written as text, which is evaluated when it is needed.


def _recursive(alias: Definition, context: Context) -> list[str]:
    name = context.naming.types[alias.name]
    before: list[str] = []

    def hoist(type_: Expression) -> str:
        part = context.private(f"{name}Part")
        before.extend(lines(Assigned(part, context.use("typing", "TypeAlias"), type_)))
        return part

    value = Annotations(Scope(context), hoist=hoist).of(alias.shape)
    head = f"{name} = {context.use('typing_extensions', 'TypeAliasType')}({quoted(name)}, "
    whole = f'{head}"{flat(value)}")'
    if len(whole) <= WIDTH:
        return [*before, whole, *documentation(*_docs(alias))]
    call, _, _ = head.partition(quoted(name))
    text = lines(value, before='"""', after='""",', indent=4)
    return [*before, call, f"    {quoted(name)},", *text, ")", *documentation(*_docs(alias))]
