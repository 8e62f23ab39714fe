"""Declarations: shapes as TypeScript types, and the declarations of named types."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Final, assert_never

from contract.codegen.texts import block_comment
from contract.codegen.typescript.layout import (
    WIDTH,
    Node,
    entry,
    is_safe,
    key_of,
    laid_out,
    literal,
    members,
    one_of,
    quoted,
)
from contract.codegen.typescript.scope import NO_LABELS, Scope, resolved
from contract.shape.graph import is_alias
from contract.shape.names import is_plain
from contract.shape.nodes import (
    MISSING,
    AnyShape,
    ArrayShape,
    Basic,
    DatetimeShape,
    Definition,
    EnumShape,
    Field,
    Listed,
    LiteralShape,
    MapShape,
    NamedTupleShape,
    NullableShape,
    OwnShape,
    RecordShape,
    Refined,
    RefShape,
    Scalar,
    Shape,
    TaggedUnionShape,
    TupleShape,
    UnionShape,
)
from contract.shape.scalars import row_of

__all__ = [
    "aliases",
    "comment",
    "declarations",
    "declared",
    "named",
    "note_on",
    "type_node",
    "type_of",
]


def type_of(of: Shape, scope: Scope) -> str:
    """The type of a value of *of*, on one line."""
    return " | ".join(_alternatives(of, scope))


def type_node(of: Shape, scope: Scope) -> Node:
    """The type of *of* in TypeScript, ready for layout."""
    return one_of(_alternatives(of, scope))


def _literal_members(values: Iterable[Listed]) -> list[str]:
    """The types of *values*, without those that a JavaScript number cannot represent."""
    return [literal(value) for value in values if is_safe(value)] or ["never"]


def note_on(of: Shape, scope: Scope) -> str | None:
    """A note on rules that the type does not show: it only says ``string`` or ``[]``."""
    match of:
        case NullableShape(inner):
            return note_on(inner, scope)
        case DatetimeShape() if scope.dates == "Date":
            return None
        case ArrayShape(container="set" | "frozenset"):
            return "No item stands in it twice."
        case OwnShape(examples=(example, *_)):
            return f'Such as "{example}".'
        case _:
            return row_of(of).note if isinstance(of, Basic) else None


def _alternatives(of: Shape, scope: Scope) -> list[str]:
    match of:
        case AnyShape():
            return ["JsonValue"]
        case DatetimeShape() if scope.dates == "Date":
            return ["Date"]
        case OwnShape():
            return [f"Branded<{quoted(of.kind or '')}>"]
        case Basic():
            return [row_of(of).typescript]
        case LiteralShape(values):
            return _literal_members(values)
        case ArrayShape(item):
            return [f"{_single(item, scope)}[]"]
        case TupleShape(items):
            return [f"[{', '.join(type_of(item, scope) for item in items)}]"]
        case MapShape(key, value):
            return [f"{{ {_key(key, scope)}: {type_of(value, scope)} }}"]
        case NullableShape(inner):
            return _united([*_alternatives(inner, scope), "null"])
        case UnionShape(members):
            return _united(found for member in members for found in _alternatives(member, scope))
        case TaggedUnionShape():
            return _cases(of, scope)
        case Refined() | RecordShape() | NamedTupleShape() | EnumShape():
            raise AssertionError("no document has the author's code, and these have names")
        case RefShape(definition):
            return [named(definition, scope)]
        case _:
            assert_never(of)


def _single(of: Shape, scope: Scope) -> str:
    found = _alternatives(of, scope)
    return found[0] if len(found) == 1 else f"({' | '.join(found)})"


def _united(found: Iterable[str]) -> list[str]:
    return [*dict.fromkeys(found)]


def _key(key: Shape, scope: Scope) -> str:
    """The key of a map: if it is one of few, the name of an optional member."""
    match resolved(key):
        case LiteralShape() | EnumShape():
            return f"[key in {type_of(key, scope)}]?"
        case _:
            return "[key: string]"


def _cases(of: TaggedUnionShape, scope: Scope) -> list[str]:
    tags: dict[Definition, list[Scalar]] = {}
    for tag, record in of.cases:
        tags.setdefault(record.definition, []).append(tag)
    return [_case(of.tag, record, values, scope) for record, values in tags.items()]


def _case(tag: str, record: Definition, values: list[Scalar], scope: Scope) -> str:
    """
    A record as a member of a union, where its tag is required even if it has a default.
    """
    name, shape = named(record, scope), record.shape
    assert isinstance(shape, RecordShape)  # noqa: S101  all members of a tagged union are records
    if all(field.required_in for field in shape.fields if field.wire == tag):
        return name
    return f"({name} & {{ {key_of(tag)}: {' | '.join(_literal_members(values))} }})"


_MAX_TOLD: Final = 80
"""The most characters of a default that are shown; a longer one is only in the contract."""


def named(definition: Definition, scope: Scope) -> str:
    """How a type is named in use: ``Order``, or ``Page<Order>``."""
    generic = scope.made.get(definition.name)
    if generic is None:
        return scope.types[definition.name]
    arguments = generic.instances[definition.name]
    return f"{scope.types[generic.definition.name]}<{_listed(arguments, scope)}>"


def _listed(shapes: Iterable[Shape], scope: Scope) -> str:
    return ", ".join(type_of(each, scope) for each in shapes)


def declarations(known: Iterable[Definition], scope: Scope) -> list[str]:
    """The declarations of *known* types and of the generic types that they are made from."""
    made = scope.made
    written = {
        each.name: each
        for found in known
        for each in [made[found.name].definition if found.name in made else found]
    }
    return [declared(each, scope) for _, each in sorted(written.items())]


def declared(definition: Definition, scope: Scope) -> str:
    """The declaration of a named type."""
    note = note_on(definition.shape, scope) if is_alias(definition) else None
    about = comment(_paragraphs(definition.description, note), deprecated=definition.deprecated)
    name = scope.types[definition.name]
    if definition.name in scope.package.generics:
        parameters = scope.package.generics[definition.name].parameters
        name += f"<{', '.join(scope.types[each.name] for each in parameters)}>"
    return about + "\n".join(_lines(name, definition.shape, scope))


def aliases(scope: Scope) -> list[str]:
    """The second names that exports give to types."""
    found: list[str] = []
    for export, of in scope.package.aliases.items():
        name, written = scope.aliases[export], named(of.definition, scope)
        found.append(f"export type {name} = {written};")
        if isinstance(of.definition.shape, EnumShape):
            found.append(f"export const {name}: typeof {written} = {written};")
    return found


def comment(
    paragraphs: Iterable[str], *tags: str, deprecated: bool = False, indent: int = 0
) -> str:
    """A documentation comment and a line feed, or an empty text if there is nothing to say."""
    margin = "  " * indent
    width = WIDTH - len(margin) - 3
    lines: list[str] = []
    for paragraph in paragraphs:
        lines += (
            ["", *block_comment(paragraph, width)] if lines else block_comment(paragraph, width)
        )
    marks = [*tags, *(["@deprecated"] if deprecated else [])]
    if marks:
        lines += ["", *marks] if lines else marks
    if not lines:
        return ""
    if len(lines) == 1 and len(lines[0]) + len(margin) + 7 <= WIDTH:
        return f"{margin}/** {lines[0]} */\n"
    return (
        f"{margin}/**\n"
        + "".join(f"{margin} * {line}".rstrip() + "\n" for line in lines)
        + f"{margin} */\n"
    )


def _lines(name: str, found: Shape, scope: Scope) -> Iterator[str]:
    match found:
        case RecordShape(_, _, fields, extra=extra):
            if not fields:
                yield f"export type {name} = {{ [key: string]: never }};"
                return
            yield f"export interface {name} {{"
            yield "".join(_property(field, scope) for field in fields).rstrip("\n")
            if extra is not None:
                yield _others(fields, extra, scope)
            yield "}"
        case NamedTupleShape(_, fields):
            yield f"export type {name} = [{', '.join(_positions(fields, scope))}];"
        case EnumShape(_, values):
            allowed = one_of(_literal_members(value for _, value in values))
            before = f"export type {name} ="
            yield f"{before} {laid_out(allowed, taken=len(before) + 1)};".replace("= \n", "=\n")
            yield ""
            named: dict[str, Listed] = {}
            for key, value in values:
                if is_safe(value):
                    named.setdefault(key, value)
            before = f"export const {name} = "
            parts = (entry(key_of(key), literal(value)) for key, value in named.items())
            yield f"{before}{laid_out(members(parts), taken=len(before), after=10)} as const;"
        case of:
            before = f"export type {name} ="
            yield f"{before} {laid_out(type_node(of, scope), taken=len(before) + 1)};".replace(
                "= \n", "=\n"
            )


def _others(fields: Iterable[Field], extra: Shape, scope: Scope) -> str:
    """
    The undeclared keys.

    TypeScript demands that their type includes the types of all fields; a validator is exact.
    """
    fields = [*fields]
    of = [
        found
        for shape in (extra, *(each.shape for each in fields))
        for found in _alternatives(shape, scope)
    ]
    absent = [] if all(field.required_in for field in fields) else ["undefined"]
    before = "[key: string]:"
    told = laid_out(one_of(_united([*of, *absent])), indent=1, taken=len(before) + 1)
    return f"  {before} {told};".replace(": \n", ":\n")


def _property(field: Field, scope: Scope) -> str:
    tags = [f"@default {told}"] if (told := _default(field)) else []
    about = comment(
        _paragraphs(field.description, note_on(field.shape, scope)),
        *tags,
        deprecated=field.deprecated,
        indent=1,
    )
    key = '"__proto__"' if field.wire == "__proto__" else key_of(field.wire)
    before = f"{key}{'' if field.required_in else '?'}:"
    of = laid_out(type_node(field.shape, scope), indent=1, taken=len(before) + 1)
    return f"{about}  {before} {of};\n".replace(": \n", ":\n")


def _default(field: Field) -> str | None:
    if field.json_default is MISSING:
        return None
    written = json.dumps(field.json_default, ensure_ascii=True).replace("*/", "*\\/")
    return written if len(written) <= _MAX_TOLD else None


def _positions(fields: tuple[Field, ...], scope: Scope) -> Iterator[str]:
    # all positions have labels or none, and labels are distinct identifiers
    labelled = all(
        is_plain(field.name) and field.name not in NO_LABELS for field in fields
    ) and len({field.name for field in fields}) == len(fields)
    for field in fields:
        of = type_of(field.shape, scope)
        if labelled:
            yield f"{field.name}{'' if field.required_in else '?'}: {of}"
        else:
            yield of if field.required_in else f"({of})?"


def _paragraphs(description: str | None, note: str | None) -> list[str]:
    return [told for told in (description, note) if told]
