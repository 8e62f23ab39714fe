"""Checks: expressions that make the function which checks a value of a type (``checks.ts``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, assert_never

from contract.codegen.forms import TIME_PATTERNS, offset_of
from contract.codegen.model import (
    ABSENT,
    AliasDeclaration,
    AnyType,
    ArrayType,
    BoolType,
    BytesType,
    Declaration,
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
    RecordDeclaration,
    Scalar,
    StrType,
    TaggedType,
    TextType,
    TupleType,
    Type,
    UnionType,
)
from contract.codegen.typescript.layout import Node, array, call, entry, members
from contract.codegen.typescript.literals import MAX_SAFE, is_safe, key_of, number, quoted, value_of
from contract.codegen.typescript.scope import Scope, closure, inner_types, literal_types

__all__ = ["Checks"]

_FORMS: Final = {
    "decimal": "$decimal",
    "date": "$date",
    "timedelta": "$duration",
    "int": "$integerKey",
}
_OFFSETS: Final = {True: "offset", False: "no offset", None: "any"}
_DESCRIBED: Final = {"datetime": "date-time", "timedelta": "duration", "int": "integer"}


class Checks:
    """
    Writes checks.

    Args:
        scope: The names of everything.
        roots: The types that are checked, with all that they lead to.
    """

    __slots__ = ("_compared", "_scope", "_written", "order")

    order: list[str]
    """
    The declarations that need a check, each behind those that it needs, but where one needs itself.
    """

    def __init__(self, scope: Scope, roots: Iterable[Type]) -> None:
        found = [*roots]
        self._scope = scope
        self.order = closure(scope.package, found)
        reached: list[Type | Declaration] = [*found, *map(scope.declaration, self.order)]
        items = [
            each.item
            for root in reached
            for each in _all_in(root)
            if isinstance(each, ArrayType) and _is_set(each)
        ]
        self._compared = frozenset(closure(scope.package, items))
        self._written: set[str] = set()

    def declared(self, name: str) -> Node:
        """The check of a declaration; those before it in `order` have been asked for."""
        node = self._declaration(self._scope.declaration(name), compared=name in self._compared)
        self._written.add(name)
        return node

    def of(self, of: Type) -> Node:
        """
        The check of *of*, where all declarations that it names have been written, or are being.
        """
        match of:
            case AnyType():
                return "$any"
            case NullType():
                return "$null"
            case BoolType():
                return "$boolean"
            case IntType(limits):
                return call("$integer", *_limits(limits, safe=True))
            case FloatType(limits):
                return call("$number", *_limits(limits, safe=False))
            case StrType(low, high, patterns):
                size = _size(low, high)
                return (
                    call("$matching", *(size or ["{}"]), *map(quoted, patterns))
                    if patterns
                    else call("$string", *size)
                )
            case BytesType(low, high):
                return call("$bytes", *_size(low, high))
            case TextType():
                return self._text(of, is_key=False)
            case LiteralType(values):
                return _literal(values)
            case ArrayType(item, _, low, high):
                size = _size(low, high)
                return call(
                    "$array", self.of(item), *([*(size or ["{}"]), "true"] if _is_set(of) else size)
                )
            case TupleType(items):
                return call("$tuple", array(map(self.of, items)))
            case MapType(key, value, low, high):
                size = _size(low, high)
                keys = [] if key == StrType() else [self._key(key)]
                return call("$map", self.of(value), *(size or ["{}"] if keys else size), *keys)
            case NullableType(inner):
                return call("$nullable", self.of(inner))
            case UnionType(found):
                expected = ", ".join(
                    dict.fromkeys(name for member in found for name in self._expected(member))
                )
                pairs = (
                    array(
                        [quoted(" ".join(dict.fromkeys(self._json_types(member)))), self.of(member)]
                    )
                    for member in found
                )
                return call("$union", quoted(expected), *pairs)
            case TaggedType(tag, cases):
                return call(
                    "$tagged",
                    quoted(tag),
                    array(array([_scalar(value), self.of(record)]) for value, record in cases),
                )
            case NamedType(name):
                check = self._scope.checks[name]
                return check if name in self._written else call("$lazy", f"() => {check}")
            case _:
                assert_never(of)

    def _declaration(self, of: Declaration, *, compared: bool) -> Node:
        match of:
            case RecordDeclaration(fields=fields):
                return call(
                    "$record",
                    members(
                        entry(key_of(field.wire), self._field(field, compared=compared))
                        for field in fields
                    ),
                )
            case NamedTupleDeclaration(fields=fields):
                required = sum(field.required for field in fields)
                return call(
                    "$tuple",
                    array(self.of(field.type) for field in fields),
                    *([] if required == len(fields) else [str(required)]),
                )
            case EnumDeclaration(members=found):
                return _literal(value for _, value in found)
            case AliasDeclaration(type=inner):
                return self.of(inner)
            case _:
                assert_never(of)

    def _field(self, field: Field, *, compared: bool) -> Node:
        check = self.of(field.type)
        if field.required:
            return check
        return call(
            "$optional",
            check,
            *([value_of(field.default)] if compared and field.default is not ABSENT else []),
        )

    def _key(self, key: Type) -> Node:
        return self._text(key, is_key=True) if isinstance(key, TextType) else self.of(key)

    def _text(self, of: TextType, *, is_key: bool) -> Node:
        limits = _limits(of.limits, safe=False, quote=True)
        if of.kind == "uuid":
            return call("$uuid")
        if of.kind == "time":
            return call("$time", quoted(_OFFSETS[TIME_PATTERNS.get(of.patterns[0])]), *limits)
        if of.kind == "datetime":
            fixed = offset_of(of)
            offset = [] if fixed is None else [str(int(fixed.total_seconds()) // 60)]
            name = "$momentText" if is_key or self._scope.dates == "string" else "$momentDate"
            return call(name, *(limits or ["{}"] if offset else limits), *offset)
        return call(_FORMS[of.kind], *limits)

    def _json_types(self, of: Type | Declaration) -> Iterator[str]:
        match of:
            case AnyType():
                yield from ("null", "boolean", "integer", "number", "string", "array", "object")
            case NullType():
                yield "null"
            case BoolType():
                yield "boolean"
            case IntType():
                yield "integer"
            case FloatType():
                yield "number"
            case StrType() | BytesType() | TextType():
                yield "string"
            case LiteralType(values):
                yield from literal_types(values)
            case EnumDeclaration(members=values):
                yield from literal_types(value for _, value in values)
            case ArrayType() | TupleType() | NamedTupleDeclaration():
                yield "array"
            case MapType() | TaggedType() | RecordDeclaration():
                yield "object"
            case NullableType(inner):
                yield "null"
                yield from self._json_types(inner)
            case UnionType(inside):
                for member in inside:
                    yield from self._json_types(member)
            case NamedType(name):
                yield from self._json_types(self._scope.declaration(name))
            case AliasDeclaration(type=inner):
                yield from self._json_types(inner)
            case _:
                assert_never(of)

    def _expected(self, of: Type) -> Iterator[str]:
        """What is expected, for a message: the form of a text that has one, else the JSON types."""
        match of:
            case BytesType():
                yield "byte"
            case TextType("time", patterns):
                yield "partial-time" if TIME_PATTERNS.get(patterns[0]) is False else "time"
            case TextType(kind):
                yield _DESCRIBED.get(kind, kind)
            case _:
                yield from self._json_types(of)


def _all_in(of: Type | Declaration) -> Iterator[Type | Declaration]:
    ahead = [of]
    while ahead:
        found = ahead.pop()
        yield found
        ahead.extend(inner_types(found))


def _is_set(of: ArrayType) -> bool:
    return of.container in ("set", "frozenset")


def _scalar(value: Scalar) -> str:
    return quoted(value) if isinstance(value, str) else str(value).lower()


def _literal(values: Iterable[Scalar]) -> Node:
    return call("$literal", *(_scalar(value) for value in values if is_safe(value)))


def _size(low: int | None, high: int | None) -> list[Node]:
    given = [
        entry(name, str(limit))
        for name, limit in (("min", low), ("max", high))
        if limit is not None
    ]
    return [members(given)] if given else []


def _limits(limits: Limits, *, safe: bool, quote: bool = False) -> list[Node]:
    """The limits, if there are any; of integers that are safe anyway only those that say more."""
    given = {
        "ge": limits.ge,
        "gt": limits.gt,
        "le": limits.le,
        "lt": limits.lt,
        "multipleOf": limits.multiple_of,
    }
    if safe:
        low, high = limits.ge, limits.le
        given |= {
            "ge": None if low is None or low <= -MAX_SAFE else low,
            "le": None if high is None or high >= MAX_SAFE else high,
        }
    write = _text_limit if quote else number
    parts = [entry(name, write(limit)) for name, limit in given.items() if limit is not None]
    return [members(parts)] if parts else []


def _text_limit(limit: Any) -> str:
    return quoted(str(limit))
