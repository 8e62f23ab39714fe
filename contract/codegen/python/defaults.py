"""Defaults: JSON values as the Python expressions that make them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeGuard, assert_never

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
    LiteralType,
    MapType,
    NamedTupleDeclaration,
    NamedType,
    NullableType,
    NullType,
    RecordDeclaration,
    StrType,
    TaggedType,
    TextType,
    TupleType,
    Type,
    UnionType,
)
from contract.codegen.python.annotations import Annotations, literal
from contract.codegen.python.context import Context, Scope
from contract.codegen.python.layout import Bracket, Expression, Joined, flat, quoted
from contract.codegen.python.scalars import bytes_literal, value_of
from contract.shape.record import record

__all__ = ["Value", "default_of", "needs_of"]


@record
class Value:
    """A default."""

    expression: Expression
    mutable: bool = False
    """Whether each instance has to have one of its own."""
    factory: Expression | None = None
    """What makes it when it is called without arguments."""


def default_of(field: Field, scope: Scope) -> Value | None:
    """
    What *field* is where it is left out; None where that is not told, or is no value of its type.
    """
    return _Reading(scope).default(field)


def needs_of(field: Field, context: Context) -> frozenset[str]:
    """The declarations that have to be there before the default of *field* is evaluated."""
    reading = _Reading(Scope(context))
    return frozenset() if reading.default(field) is None else frozenset(reading.named)


class _EndlessError(Exception):
    """A default holds a record whose own default holds it again: no server can have it, but a document can."""


class _Reading:
    """Reads one value; *named* are the declarations that were met."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._context = scope.context
        self.named: set[str] = set()
        self._open: set[tuple[str, str]] = set()

    def default(self, field: Field) -> Value | None:
        """The default of *field*; None where it has none, or one that is made of itself."""
        try:
            return (
                None
                if field.required or field.default is ABSENT
                else self.value(field.type, field.default)
            )
        except _EndlessError:
            return None

    def value(self, type_: Type, json: Any) -> Value | None:
        match type_:
            case AnyType():
                return self._any(json)
            case NullType():
                return Value("None") if json is None else None
            case BoolType():
                return Value(repr(json)) if isinstance(json, bool) else None
            case IntType():
                return (
                    Value(repr(int(json)))
                    if _is_number(json) and json == math.floor(json)
                    else None
                )
            case FloatType():
                return (
                    Value(repr(float(json))) if _is_number(json) and abs(json) < 2**1023 else None
                )
            case StrType():
                return Value(quoted(json)) if isinstance(json, str) else None
            case BytesType() | TextType():
                return self._text(type_, json) if isinstance(json, str) else None
            case LiteralType(values):
                return next(
                    (
                        Value(literal(each))
                        for each in values
                        if type(each) is type(json) and each == json
                    ),
                    None,
                )
            case ArrayType():
                return self._array(type_, json) if _is_array(json) else None
            case TupleType(items):
                return self._tuple(items, json) if _is_array(json) else None
            case MapType():
                return self._map(type_, json) if _is_object(json) else None
            case NullableType(inner):
                return Value("None") if json is None else self.value(inner, json)
            case UnionType(members):
                return next(
                    (value for each in members if (value := self.value(each, json)) is not None),
                    None,
                )
            case TaggedType(tag, cases):
                given = json.get(tag) if _is_object(json) else None
                return next(
                    (
                        self.value(each, json)
                        for of, each in cases
                        if type(of) is type(given) and of == given
                    ),
                    None,
                )
            case NamedType(name):
                return self._named(name, json)
            case _:
                assert_never(type_)

    def _text(self, type_: BytesType | TextType, text: str) -> Value | None:
        try:
            if isinstance(type_, BytesType):
                return Value(bytes_literal(text))
            if re.search(type_.patterns[0], text) is None:
                return None  # in a union, the text of another one
            return Value(value_of(type_.kind, text, self._context))
        except (ValueError, ArithmeticError):
            return None

    def _all(self, pairs: Iterable[tuple[Type, Any]]) -> list[Value] | None:
        found: list[Value] = []
        for type_, json in pairs:
            value = self.value(type_, json)
            if value is None:
                return None
            found.append(value)
        return found

    def _array(self, type_: ArrayType, json: list[Any]) -> Value | None:
        items = self._all((type_.item, each) for each in json)
        if items is None:
            return None
        written = tuple(each.expression for each in items)
        name = self._context.built_in(type_.container)
        match type_.container:
            case "tuple":
                return Value(Bracket("(", written, ")"), any(each.mutable for each in items))
            case "frozenset":
                inner = (Bracket("{", written, "}"),) if written else ()
                return Value(Bracket(f"{name}(", inner, ")"))
            case "list" | "set":
                made = (
                    Bracket("[", written, "]")
                    if type_.container == "list"
                    else Bracket("{", written, "}")
                )
                return self._own(
                    made if written or type_.container == "list" else Bracket(f"{name}(", (), ")"),
                    type_,
                )
            case _:
                assert_never(type_.container)

    def _tuple(self, types: tuple[Type, ...], json: list[Any]) -> Value | None:
        items = self._all(zip(types, json, strict=False)) if len(types) == len(json) else None
        return (
            None
            if items is None
            else Value(
                Bracket("(", tuple(each.expression for each in items), ")"),
                any(i.mutable for i in items),
            )
        )

    def _map(self, type_: MapType, json: Mapping[str, Any]) -> Value | None:
        keys = self._all((type_.key, key) for key in json)
        values = self._all((type_.value, value) for value in json.values())
        if keys is None or values is None:
            return None
        items = tuple(
            Joined(f"{flat(key.expression)}: ", value.expression)
            for key, value in zip(keys, values, strict=True)
        )
        return self._own(Bracket("{", items, "}"), type_)

    def _any(self, json: Any) -> Value:
        if _is_object(json):
            items = tuple(
                Joined(f"{quoted(key)}: ", self._any(value).expression)
                for key, value in json.items()
            )
            return self._own(Bracket("{", items, "}"), MapType(StrType(), AnyType()))
        if _is_array(json):
            return self._own(
                Bracket("[", tuple(self._any(each).expression for each in json), "]"),
                ArrayType(AnyType()),
            )
        return Value(quoted(json) if isinstance(json, str) else repr(json))

    def _own(self, made: Bracket, type_: Type) -> Value:
        """
        A list, a map or a set.

        The classes in what makes an empty one are in quotes, since they may come later.
        """
        empty = None if made.items else Annotations(self._scope, plain=True, early=True).of(type_)
        return Value(made, mutable=True, factory=empty)

    def _named(self, name: str, json: Any) -> Value | None:
        declaration = self._context.package.declarations[name]
        match declaration:
            case AliasDeclaration(type=type_):
                return self.value(type_, json)
            case EnumDeclaration(members=members):
                self.named.add(name)
                found = next(
                    (member for member, of in members if type(of) is type(json) and of == json),
                    None,
                )
                member = None if found is None else self._context.naming.members[name][found]
                return None if member is None else Value(f"{self._scope.type(name)}.{member}")
            case NamedTupleDeclaration():
                return self._positions(declaration, json) if _is_array(json) else None
            case RecordDeclaration():
                return self._record(declaration, json) if _is_object(json) else None
            case _:
                assert_never(declaration)

    def _default(self, name: str, field: Field) -> Value | None:
        """The default of a field of a record that is being made."""
        if field.required or field.default is ABSENT:
            return None
        place = (name, field.wire)
        if place in self._open:
            raise _EndlessError
        self._open.add(place)
        value = self.value(field.type, field.default)
        self._open.remove(place)
        return value

    def _positions(self, declaration: NamedTupleDeclaration, json: list[Any]) -> Value | None:
        self.named.add(declaration.name)
        given = declaration.fields[: len(json)]
        left = declaration.fields[len(json) :]
        items = self._all((field.type, each) for field, each in zip(given, json, strict=False))
        if (
            items is None
            or len(json) > len(declaration.fields)
            or any(self._default(declaration.name, field) is None for field in left)
        ):
            return None
        written = tuple(each.expression for each in items)
        return Value(
            Bracket(f"{self._scope.type(declaration.name)}(", written, ")"),
            any(each.mutable for each in items),
        )

    def _record(self, declaration: RecordDeclaration, json: Mapping[str, Any]) -> Value | None:
        self.named.add(declaration.name)
        names = self._context.naming.fields[declaration.name]
        if not json.keys() <= names.keys():
            return None
        written: list[Expression] = []
        mutable = False
        for field in declaration.fields:
            given = field.wire in json
            if not given or _same(json[field.wire], field.default):
                default = self._default(declaration.name, field)
                if default is not None:
                    mutable |= default.mutable
                    continue
            if given:
                value = self.value(field.type, json[field.wire])
                if value is None:
                    return None
                written.append(Joined(f"{names[field.wire]}=", value.expression))
                mutable |= value.mutable
            elif field.required:
                return None
        name = self._scope.type(declaration.name)
        return Value(Bracket(f"{name}(", tuple(written), ")"), mutable, None if written else name)


def _is_number(json: Any) -> TypeGuard[int | float]:
    return (
        isinstance(json, int | float)
        and not isinstance(json, bool)
        and (isinstance(json, int) or math.isfinite(json))
    )


def _is_array(json: Any) -> TypeGuard[list[Any]]:
    return isinstance(json, list)


def _is_object(json: Any) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(json, Mapping)


def _same(one: Any, other: Any) -> bool:
    """Whether two JSON values are one; true is not 1."""
    if _is_object(one) and _is_object(other):
        return one.keys() == other.keys() and all(
            _same(value, other[key]) for key, value in one.items()
        )
    if _is_array(one) and _is_array(other):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and bool(one == other)
