"""Declarations: shapes as TypeScript types, and the declarations of named types."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
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
    typed,
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


def type_of(shape: Shape, scope: Scope) -> str:
    """The type of a value of *shape*, on one line."""
    return " | ".join(_alternatives(shape, scope))


def type_node(shape: Shape, scope: Scope) -> Node:
    """The type of *shape* in TypeScript, ready for layout."""
    return one_of(_alternatives(shape, scope))


# A shape is a list of alternatives, the members of a union; most shapes have one. So a union in a
# union, or null beside one, is flat, and no member stands in it twice.


def _literal_members(values: Iterable[Listed]) -> list[str]:
    """The types of *values*, without those that a JavaScript number cannot represent."""
    return [literal(value) for value in values if is_safe(value)] or ["never"]


def note_on(shape: Shape, scope: Scope) -> str | None:
    """A note on rules that the type does not show: it only says ``string`` or ``[]``."""
    match shape:
        case NullableShape(inner):
            return note_on(inner, scope)
        case DatetimeShape() if scope.dates == "Date":
            return None
        case ArrayShape(container="set" | "frozenset"):
            return "No item stands in it twice."
        case OwnShape(examples=(example, *_)):
            return f'Such as "{example}".'
        case Basic():
            return row_of(shape).note
        case _:
            return None


def _alternatives(shape: Shape, scope: Scope) -> list[str]:
    match shape:
        case AnyShape():
            return ["JsonValue"]
        case DatetimeShape() if scope.dates == "Date":
            return ["Date"]
        case OwnShape():
            return [f"Branded<{quoted(shape.kind or '')}>"]
        case Basic():
            return [row_of(shape).typescript]
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
            return _cases(shape, scope)
        case Refined() | RecordShape() | NamedTupleShape() | EnumShape():
            raise AssertionError("no document has the author's code, and these have names")
        case RefShape(definition):
            return [named(definition, scope)]
        case _:
            assert_never(shape)


def _single(shape: Shape, scope: Scope) -> str:
    """The type of *shape* as the item of an array, where a union needs parentheses."""
    found = _alternatives(shape, scope)
    if len(found) == 1:
        return found[0]
    return f"({' | '.join(found)})"


def _united(found: Iterable[str]) -> list[str]:
    return [*dict.fromkeys(found)]


def _key(key: Shape, scope: Scope) -> str:
    """The key of a map: if it is one of few, the name of an optional member."""
    match resolved(key):
        case LiteralShape() | EnumShape():
            return f"[key in {type_of(key, scope)}]?"
        case _:
            return "[key: string]"


def _cases(shape: TaggedUnionShape, scope: Scope) -> list[str]:
    # several tags may belong to one record
    tags: dict[Definition, list[Scalar]] = {}
    for tag, record in shape.cases:
        tags.setdefault(record.definition, []).append(tag)
    return [_case(shape.tag, record, values, scope) for record, values in tags.items()]


def _case(tag: str, record: Definition, values: list[Scalar], scope: Scope) -> str:
    """
    A record as a member of a union, where its tag is required even if it has a default.
    """
    name, shape = named(record, scope), record.shape
    assert isinstance(shape, RecordShape)  # noqa: S101  all members of a tagged union are records
    if all(field.required_in for field in shape.fields if field.wire == tag):
        return name
    return f"({name} & {{ {key_of(tag)}: {' | '.join(_literal_members(values))} }})"


_MAX_SHOWN: Final = 80
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
    # by name, since several types are made from one generic type
    written: dict[str, Definition] = {}
    for definition in known:
        if definition.name in scope.made:
            definition = scope.made[definition.name].definition
        written[definition.name] = definition
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
    for export, shape in scope.package.aliases.items():
        name, written = scope.aliases[export], named(shape.definition, scope)
        found.append(f"export type {name} = {written};")
        if isinstance(shape.definition.shape, EnumShape):
            found.append(f"export const {name}: typeof {written} = {written};")
    return found


def comment(
    paragraphs: Iterable[str], *tags: str, deprecated: bool = False, indent: int = 0
) -> str:
    """A documentation comment and a line feed, or an empty text if there is nothing to say."""
    margin = "  " * indent
    width = WIDTH - len(margin) - len(" * ")
    # 1. The paragraphs, and all tags as one block.
    blocks = [block_comment(paragraph, width) for paragraph in paragraphs]
    blocks.append([*tags])
    if deprecated:
        blocks[-1].append("@deprecated")
    # 2. Their lines, with an empty one between two blocks.
    lines: list[str] = []
    for block in filter(None, blocks):
        if lines:
            lines.append("")
        lines += block
    if not lines:
        return ""
    # 3. On one line, if that is all.
    if len(lines) == 1 and len(lines[0]) + len(margin) + len("/**  */") <= WIDTH:
        return f"{margin}/** {lines[0]} */\n"
    body = "".join(f"{margin} * {line}".rstrip() + "\n" for line in lines)
    return f"{margin}/**\n{body}{margin} */\n"


def _lines(name: str, found: Shape, scope: Scope) -> Iterator[str]:
    match found:
        case RecordShape(_, _, fields, extra=extra):
            if not fields:
                # {} is the type of every value but null and undefined
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
            yield typed(f"export type {name} =", allowed)
            yield ""
            # an enum of TypeScript would be another type than its values; a constant with the same
            # name lets users write Color.Red
            constants: dict[str, Listed] = {}
            for key, value in values:
                if is_safe(value):
                    constants.setdefault(key, value)
            before = f"export const {name} = "
            parts = (entry(key_of(key), literal(value)) for key, value in constants.items())
            yield f"{before}{laid_out(members(parts), taken=len(before), after=10)} as const;"
        case shape:
            yield typed(f"export type {name} =", type_node(shape, scope))


def _others(fields: Sequence[Field], extra: Shape, scope: Scope) -> str:
    """
    The undeclared keys.

    TypeScript demands that their type includes the types of all fields; a validator is exact.
    """
    types = _alternatives(extra, scope)
    for field in fields:
        types += _alternatives(field.shape, scope)
    if not all(field.required_in for field in fields):
        types.append("undefined")
    return typed("[key: string]:", one_of(_united(types)), indent=1)


def _property(field: Field, scope: Scope) -> str:
    tags: list[str] = []
    default = _default(field)
    if default is not None:
        tags.append(f"@default {default}")
    paragraphs = _paragraphs(field.description, note_on(field.shape, scope))
    about = comment(paragraphs, *tags, deprecated=field.deprecated, indent=1)
    key = key_of(field.wire)
    if field.wire == "__proto__":
        # in a type, unlike in an object, it is a name like any other
        key = '"__proto__"'
    optional = "" if field.required_in else "?"
    return about + typed(f"{key}{optional}:", type_node(field.shape, scope), indent=1) + "\n"


def _default(field: Field) -> str | None:
    if field.json_default is MISSING:
        return None
    # in ASCII, so that nothing invisible gets into a comment, and nothing ends it
    written = json.dumps(field.json_default, ensure_ascii=True).replace("*/", "*\\/")
    return written if len(written) <= _MAX_SHOWN else None


def _positions(fields: tuple[Field, ...], scope: Scope) -> Iterator[str]:
    # all positions have labels or none, and labels are distinct identifiers
    names = {field.name for field in fields if is_plain(field.name)} - NO_LABELS
    labelled = len(names) == len(fields)
    for field in fields:
        type_ = type_of(field.shape, scope)
        optional = "" if field.required_in else "?"
        if labelled:
            yield f"{field.name}{optional}: {type_}"
        elif field.required_in:
            yield type_
        else:
            yield f"({type_})?"


def _paragraphs(description: str | None, note: str | None) -> list[str]:
    return [text for text in (description, note) if text]
