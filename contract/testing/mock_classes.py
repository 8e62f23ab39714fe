"""
Classes: made for the records, named tuples and enums of a document, whose shapes have none.

Each record gets its own dataclass, since values in sets must be hashable. Its attributes are named
after the fields on the wire, in characters that no document can choose.
Files of a document are read here, too.
"""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any, Final, NamedTuple, final

import orjson

from contract.codegen.package import Package
from contract.declare.files import FileField, Files
from contract.document.model import ContractRoute
from contract.pred.compile import compile_pred
from contract.shape.exceptions import GenerationError, InvalidInput
from contract.shape.graph import compared_by_identity, is_open, mark_recursive, rebuilt
from contract.shape.markers import UNSET
from contract.shape.media_types import Media
from contract.shape.nodes import (
    MISSING,
    Definition,
    EnumShape,
    Field,
    NamedTupleShape,
    RecordKind,
    RecordShape,
    RefShape,
    Shape,
    TaggedUnionShape,
)

__all__ = ["Classes", "files_of"]


@final
class Classes:
    """
    The shapes of a package, with classes.

    Raises:
        GenerationError: A position may be left out, but nothing says what that means.
    """

    __slots__ = ("_by_identity", "_defaults", "_made")

    def __init__(self, package: Package) -> None:
        known = package.definitions.values()
        operations = package.operations.values()
        given = (each.input for each in operations if each.input is not None)
        shapes = (
            *package.exports.values(),
            *(each.output for each in operations),
            *given,
            *(each.shape for each in known),
        )
        self._by_identity = compared_by_identity(shapes)
        self._made = {each: Definition(each.key, each.name, __name__) for each in known}
        self._defaults: set[int] = set()
        self._close(self._made)
        mark_recursive(self._made.values())
        valid: set[int] = set()
        defaulted: list[Definition] = []
        for each in self._made:
            fields = [*_with_defaults(each)]
            valid.update(id(field) for field in fields if self._is_valid(field))
            if fields:
                defaulted.append(each)
        self._defaults = valid  # not before: each is checked by types without any defaults
        self._close(defaulted)
        for made in self._made.values():
            made.compiled.clear()  # by `_is_valid`, of a type without its defaults

    # Whether a default has the right type is known only once all shapes are there. So those with
    # defaults are made twice, the first time without.

    def _close(self, known: Iterable[Definition]) -> None:
        for definition in known:
            self._made[definition].close(self._declared(definition))

    def _is_valid(self, field: Field) -> bool:
        try:
            _loaded(compile_pred(self.of(field.shape)), orjson.dumps(field.json_default))
        except InvalidInput:
            return False
        return True

    def of(self, shape: Shape) -> Shape:
        """*shape* of the package, with classes for all that it leads to."""
        match shape:
            case RefShape(definition):
                return RefShape(self._made[definition])
            case TaggedUnionShape(tag, _, cases):
                # an open record is a dict, whose tag is a key and not an attribute
                keyed = any(is_open(record.definition.shape) for _, record in cases)
                attribute = tag if keyed else _attribute_of(tag)
                return TaggedUnionShape(
                    tag,
                    attribute,
                    tuple((value, RefShape(self._made[of.definition])) for value, of in cases),
                )
            case _:
                return rebuilt(shape, self.of)

    def record(self, record: RecordShape, kind: RecordKind, cls: type[Any]) -> RecordShape:
        """*record* of the package, with the class *cls*, which has its `members`."""
        return RecordShape(kind, cls, tuple(map(self._field, record.fields)))

    def members(self, record: RecordShape) -> dict[str, Any]:
        """
        The body of a class for *record*.

        In the class every field may be absent, since the shape says which may be left out.
        """
        attributes = [_attribute_of(each.wire) for each in record.fields]
        return {
            "__annotations__": dict.fromkeys(attributes, object),
            **dict.fromkeys(attributes, UNSET),
        }

    def _declared(self, definition: Definition) -> Shape:
        match definition.shape:
            case RecordShape(_, _, fields, extra=extra) if extra is not None:
                keys = tuple(
                    Field(each.wire, each.wire, self.of(each.shape), optional_key=each.optional_key)
                    for each in fields
                )
                return RecordShape("typeddict", dict, keys, extra=self.of(extra))
            case RecordShape() as record:
                eq = definition not in self._by_identity
                made: type[Any] = dataclass(frozen=True, repr=False, eq=eq)(
                    type("Record", (), self.members(record))
                )
                return self.record(record, "dataclass", made)
            case NamedTupleShape(_, fields):
                positions = [f"item_{index}" for index in range(len(fields))]
                return NamedTupleShape(
                    _NAMED_TUPLE("Positions", [(each, object) for each in positions]),
                    tuple(
                        self._position(attribute, each, definition.name)
                        for attribute, each in zip(positions, fields, strict=True)
                    ),
                )
            case EnumShape(_, members):
                listed: type[Enum] = _ENUM(
                    "Listed",
                    [(f"member_{index}", value) for index, (_, value) in enumerate(members)],
                )
                return EnumShape(listed, tuple((member.name, member.value) for member in listed))
            case alias:
                return self.of(alias)

    def _field(self, field: Field) -> Field:
        attribute, shape = _attribute_of(field.wire), self.of(field.shape)
        if field.required_in:
            return Field(attribute, field.wire, shape)
        if id(field) not in self._defaults:
            return Field(attribute, field.wire, shape, default=UNSET, unset=True)
        made = _made(shape, field.json_default)
        return Field(
            attribute,
            field.wire,
            shape,
            default_factory=made,
            json_default=field.json_default,  # a key of a page is bound to a filter with defaults
        )

    def _position(self, attribute: str, field: Field, name: str) -> Field:
        shape = self.of(field.shape)
        if field.required_in:
            return Field(attribute, attribute, shape)
        if field.json_default is MISSING:
            problem = (
                'it may be left out, and nothing says what that means; write its "default", '
                "or a longer minItems"
            )
            raise GenerationError(f"$.$defs.{name}.{field.wire}", problem)
        return Field(attribute, attribute, shape, default_factory=_made(shape, field.json_default))


# such as type checkers cannot know: the names are only known at runtime
_NAMED_TUPLE: Final[Any] = NamedTuple
_ENUM: Final[Any] = Enum


def _with_defaults(definition: Definition) -> Iterator[Field]:
    if isinstance(definition.shape, RecordShape | NamedTupleShape):
        yield from (field for field in definition.shape.fields if field.json_default is not MISSING)


def _attribute_of(wire: str) -> str:
    """
    The attribute for the field *wire*.

    It is *wire* itself if that is a plain identifier, and otherwise a name that no other field has.
    """
    plain = wire.isascii() and wire.isidentifier() and not keyword.iskeyword(wire)
    if plain and not wire.startswith(("_", _MADE)) and wire not in _OURS:
        return wire
    return _MADE + wire.encode().hex()


_MADE: Final = "field_"
_OURS: Final = frozenset({"error_code", "http_status", "self"})
"""Attributes that every failure already has, and the name of an instance in dataclasses."""


def _made(shape: Shape, default: Any) -> Callable[[], Any]:
    """A function that makes *default*, given as JSON, anew each time."""
    return partial(_loaded, compile_pred(shape), orjson.dumps(default))


def _loaded(pred: Any, document: bytes) -> Any:
    return pred.load(document)


def files_of(route: ContractRoute) -> Files | None:
    """The files of a call; None where it brings none."""
    if not route.files:
        return None
    fields: list[FileField] = []
    for part, file in route.files.items():
        media = Media(*file.media) if file.media else None
        fields.append(
            FileField(part, part, file.max_bytes, media, required=file.required, many=file.many)
        )
    return Files(tuple(fields), None)
