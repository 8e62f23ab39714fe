"""
Shapes: types on paper, as the shapes that they were written of.

Every named type becomes a `Definition`. Records get dataclasses of their own, since values in sets
have to be hashed; their attributes are called after what stands on the wire, in letters that no
document chooses.
"""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from functools import partial
from typing import Any, Final, NamedTuple, assert_never, cast, final

import orjson

from contract.codegen.forms import TIME_PATTERNS, offset_of
from contract.codegen.model import (
    ABSENT,
    AliasDeclaration,
    AnyType,
    ArrayType,
    BoolType,
    BytesType,
    EnumDeclaration,
    Field,
    FloatType,
    IntType,
    Limits,
    LiteralType,
    MapType,
    NamedTupleDeclaration,
    NamedType,
    NullableType,
    NullType,
    Package,
    RecordDeclaration,
    StrType,
    TaggedType,
    TextType,
    TupleType,
    Type,
    UnionType,
)
from contract.codegen.python.walk import compared_by_identity, reach_of, recursive_aliases
from contract.pred.compile import compile_pred
from contract.shape import (
    I64_MAX,
    I64_MIN,
    MISSING,
    UNSET,
    AnyShape,
    ArrayShape,
    BoolShape,
    Bounds,
    BytesShape,
    DateShape,
    DatetimeShape,
    DecimalShape,
    Definition,
    EnumShape,
    FloatShape,
    IntShape,
    LiteralShape,
    MapShape,
    NamedTupleShape,
    NullableShape,
    NullShape,
    RecordKind,
    RecordShape,
    RefShape,
    Shape,
    StrShape,
    TaggedUnionShape,
    TimedeltaShape,
    TimeShape,
    TupleShape,
    UnionShape,
    UuidShape,
)
from contract.shape import Field as ShapeField
from contract.shape.exceptions import GenerationError, InvalidInput
from contract.shape.forms import DATE, DATETIME, TIME, TIMEDELTA
from contract.shape.graph import mark_recursive

__all__ = ["Shapes"]


@final
class Shapes:
    """
    The shapes of all types of a package.

    Raises:
        GenerationError: A position may be left out, and nothing says what that means.
    """

    __slots__ = ("_by_identity", "_defaults", "_definitions", "_package")

    def __init__(self, package: Package) -> None:
        self._package = package
        self._by_identity = compared_by_identity(package, reach_of(package, clients=True))
        # an alias that comes to an end without itself is only another way to write what it stands
        # for
        recursive = recursive_aliases(package, package.declarations)
        self._definitions: dict[str, Definition] = {
            name: Definition((name,), name, __name__)
            for name, declaration in package.declarations.items()
            if name in recursive or not isinstance(declaration, AliasDeclaration)
        }
        self._defaults: set[int] = set()
        self._close()
        self._defaults = {id(field) for field in self._with_defaults() if self._is_valid(field)}
        self._close()

    # A default is only known to be one of its type once all shapes are there. So these are made
    # twice, at first with no defaults at all.

    def _close(self) -> None:
        for name, definition in self._definitions.items():
            definition.close(self._declared(name))
        mark_recursive(self._definitions.values())

    def _with_defaults(self) -> Iterator[Field]:
        for declaration in self._package.declarations.values():
            if isinstance(declaration, RecordDeclaration | NamedTupleDeclaration):
                yield from (field for field in declaration.fields if field.default is not ABSENT)

    def _is_valid(self, field: Field) -> bool:
        try:
            _loaded(compile_pred(self.of(field.type)), orjson.dumps(field.default))
        except InvalidInput:
            return False
        return True

    def of(self, type_: Type) -> Shape:
        """The shape of *type_*, which stands somewhere in the package."""
        return self._shape(type_, "$")

    def record(self, name: str, kind: RecordKind, cls: type[Any]) -> RecordShape:
        """The record *name*, with *cls* for its class, which has its `members`."""
        return RecordShape(
            kind, cls, tuple(self._field(each, f"$.$defs.{name}") for each in self._fields(name))
        )

    def members(self, name: str) -> dict[str, Any]:
        """What stands in the body of a class for the record *name*: each field may be absent there, since its shape says whether it may."""
        attributes = [_attribute_of(each.wire) for each in self._fields(name)]
        return {
            "__annotations__": dict.fromkeys(attributes, object),
            **dict.fromkeys(attributes, UNSET),
        }

    def _fields(self, name: str) -> tuple[Field, ...]:
        return cast("RecordDeclaration", self._package.declarations[name]).fields

    def _declared(self, name: str) -> Shape:
        declaration = self._package.declarations[name]
        where = f"$.$defs.{name}"
        match declaration:
            case RecordDeclaration():
                eq = name not in self._by_identity
                made: type[Any] = dataclass(frozen=True, repr=False, eq=eq)(
                    type("Record", (), self.members(name))
                )
                return self.record(name, "dataclass", made)
            case NamedTupleDeclaration(fields=declared):
                positions = [f"item_{index}" for index in range(len(declared))]
                shapes = zip(positions, declared, strict=True)
                return NamedTupleShape(
                    _NAMED_TUPLE("Positions", [(each, object) for each in positions]),
                    tuple(self._position(attribute, each, where) for attribute, each in shapes),
                )
            case EnumDeclaration(members=members):
                listed: type[Enum] = _ENUM(
                    "Listed",
                    [(f"member_{index}", value) for index, (_, value) in enumerate(members)],
                )
                return EnumShape(listed, tuple((member.name, member.value) for member in listed))
            case AliasDeclaration(type=type_):
                return self._shape(type_, where)
            case _:
                assert_never(declaration)

    def _field(self, field: Field, where: str) -> ShapeField:
        where = f"{where}.{field.wire}"
        shape = self._shape(field.type, where)
        if field.required:
            return ShapeField(_attribute_of(field.wire), field.wire, shape)
        if id(field) not in self._defaults:
            return ShapeField(
                _attribute_of(field.wire), field.wire, shape, default=UNSET, unset=True
            )
        return ShapeField(
            _attribute_of(field.wire),
            field.wire,
            shape,
            default_factory=_made(shape, field.default),
        )

    def _position(self, attribute: str, field: Field, where: str) -> ShapeField:
        shape = self._shape(field.type, f"{where}.{field.wire}")
        if field.required:
            return ShapeField(attribute, attribute, shape)
        if field.default is ABSENT:
            problem = 'it may be left out, and nothing says what that means; write its "default", or a longer minItems'
            raise GenerationError(f"{where}.{field.wire}", problem)
        return ShapeField(
            attribute,
            attribute,
            shape,
            default=MISSING,
            default_factory=_made(shape, field.default),
        )

    # One type.

    def _shape(self, type_: Type, where: str) -> Shape:
        match type_:
            case AnyType():
                return AnyShape()
            case NullType():
                return NullShape()
            case BoolType():
                return BoolShape()
            case IntType(limits):
                return _int(limits)
            case FloatType(limits):
                return FloatShape(_bounds(limits, float))
            case StrType(low, high, patterns):
                return StrShape(low, high, patterns)
            case BytesType(low, high):
                return BytesShape(low, high)
            case TextType():
                return _text(type_)
            case LiteralType(values):
                return LiteralShape(values)
            case ArrayType(item, container, low, high):
                return ArrayShape(self._shape(item, f"{where}[]"), container, low, high)
            case TupleType(items):
                return TupleShape(
                    tuple(
                        self._shape(item, f"{where}[{index}]") for index, item in enumerate(items)
                    )
                )
            case MapType(key, value, low, high):
                return MapShape(
                    self._shape(key, f"{where}.keys()"),
                    self._shape(value, f"{where}[...]"),
                    low,
                    high,
                )
            case NullableType(inner):
                return NullableShape(self._shape(inner, where))
            case UnionType(members):
                return UnionShape(tuple(self._shape(member, where) for member in members))
            case TaggedType(tag, cases):
                return TaggedUnionShape(
                    tag,
                    _attribute_of(tag),
                    tuple((value, self._reference(case_.name)) for value, case_ in cases),
                )
            case NamedType(name):
                declaration = self._package.declarations[name]
                if isinstance(declaration, AliasDeclaration) and name not in self._definitions:
                    return self._shape(declaration.type, where)
                return self._reference(name)
            case _:
                assert_never(type_)

    def _reference(self, name: str) -> RefShape:
        return RefShape(self._definitions[name])


# as type checkers do not know them: with names that are only known now
_NAMED_TUPLE: Final[Any] = NamedTuple
_ENUM: Final[Any] = Enum


def _attribute_of(wire: str) -> str:
    """The attribute for the field *wire*: itself where it is a plain identifier, else something that no other field has."""
    plain = wire.isascii() and wire.isidentifier() and not keyword.iskeyword(wire)
    return (
        wire
        if plain and not wire.startswith(("_", _MADE)) and wire not in _OURS
        else _MADE + wire.encode().hex()
    )


_MADE: Final = "field_"
_OURS: Final = frozenset({"error_code", "http_status", "self"})
"""Attributes that every failure has already, and what dataclasses call an instance."""


def _made(shape: Shape, default: Any) -> Callable[[], Any]:
    """What makes the *default*, which stands there as JSON, anew each time."""
    return partial(_loaded, compile_pred(shape), orjson.dumps(default))


def _loaded(pred: Any, document: bytes) -> Any:
    return pred.load(document)


# Limits.


def _int(limits: Limits) -> IntShape:
    lows = [limits.ge, None if limits.gt is None else limits.gt + 1]
    highs = [limits.le, None if limits.lt is None else limits.lt - 1]
    low = max((each for each in lows if each is not None), default=I64_MIN)
    high = min((each for each in highs if each is not None), default=I64_MAX)
    return IntShape(low, high, limits.multiple_of)


def _bounds(limits: Limits, convert: Callable[[Any], Any]) -> Bounds:
    given = (limits.ge, limits.gt, limits.le, limits.lt, limits.multiple_of)
    return Bounds(*(None if limit is None else convert(limit) for limit in given))


def _text(text: TextType) -> Shape:
    match text.kind:
        case "uuid":
            return UuidShape()
        case "int":
            return _int(text.limits)
        case "decimal":
            return DecimalShape(_bounds(text.limits, Decimal))
        case "datetime":
            return DatetimeShape(_bounds(text.limits, DATETIME.parse), offset_of(text))
        case "date":
            return DateShape(_bounds(text.limits, DATE.parse))
        case "time":
            return TimeShape(_bounds(text.limits, TIME.parse), TIME_PATTERNS[text.patterns[0]])
        case "timedelta":
            return TimedeltaShape(_bounds(text.limits, TIMEDELTA.parse))
        case _:
            assert_never(text.kind)
