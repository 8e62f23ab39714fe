"""Declarations: the named types of a package, as TypeScript declares them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Final

from contract.codegen.texts import block_comment
from contract.codegen.typescript.layout import WIDTH, entry, laid_out, members, one_of
from contract.codegen.typescript.literals import is_safe, key_of, quoted
from contract.codegen.typescript.reserved import NO_LABELS
from contract.codegen.typescript.scope import Scope
from contract.codegen.typescript.types import literal_members, note_on, type_node, type_of
from contract.shape.graph import is_alias
from contract.shape.identifiers import is_plain
from contract.shape.nodes import (
    MISSING,
    Definition,
    EnumShape,
    Field,
    NamedTupleShape,
    RecordShape,
    Scalar,
    Shape,
)

__all__ = ["aliases", "comment", "declared"]

_MAX_TOLD: Final = 80
"""Characters of a default that are told; a longer one is left to the contract."""


def declared(definition: Definition, scope: Scope) -> str:
    """The declaration of a named type."""
    note = note_on(definition.shape, scope) if is_alias(definition) else None
    about = comment(_paragraphs(definition.description, note), deprecated=definition.deprecated)
    return about + "\n".join(_lines(scope.types[definition.name], definition.shape, scope))


def aliases(scope: Scope) -> list[str]:
    """The second names that types have as exports."""
    found: list[str] = []
    for export, of in scope.package.aliases.items():
        name, written = scope.aliases[export], scope.types[of.definition.name]
        found.append(f"export type {name} = {written};")
        if isinstance(of.definition.shape, EnumShape):
            found.append(f"export const {name}: typeof {written} = {written};")
    return found


def comment(
    paragraphs: Iterable[str], *tags: str, deprecated: bool = False, indent: int = 0
) -> str:
    """A documentation comment and a line feed, or an empty text where there is nothing to say."""
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
        case RecordShape(_, _, fields):
            if not fields:
                yield f"export type {name} = {{ [key: string]: never }};"
                return
            yield f"export interface {name} {{"
            yield "".join(_property(field, scope) for field in fields).rstrip("\n")
            yield "}"
        case NamedTupleShape(_, fields):
            yield f"export type {name} = [{', '.join(_positions(fields, scope))}];"
        case EnumShape(_, values):
            allowed = one_of(literal_members(value for _, value in values))
            before = f"export type {name} ="
            yield f"{before} {laid_out(allowed, taken=len(before) + 1)};".replace("= \n", "=\n")
            yield ""
            named: dict[str, Scalar] = {}
            for key, value in values:
                if is_safe(value):
                    named.setdefault(key, value)
            before = f"export const {name} = "
            parts = (entry(key_of(key), _value(value)) for key, value in named.items())
            yield f"{before}{laid_out(members(parts), taken=len(before), after=10)} as const;"
        case of:
            before = f"export type {name} ="
            yield f"{before} {laid_out(type_node(of, scope), taken=len(before) + 1)};".replace(
                "= \n", "=\n"
            )


def _value(value: Scalar) -> str:
    return quoted(value) if isinstance(value, str) else str(value).lower()


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
    # labels stand on all or on none, and are identifiers that differ
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
