"""Defaults: JSON values as the Python expressions that make them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeGuard, assert_never

from contract.codegen.python.annotations import Annotations, class_of, literal
from contract.codegen.python.context import Context, Scope
from contract.codegen.python.layout import Bracket, Expression, Joined, flat, quoted
from contract.codegen.python.scalars import bytes_literal, own_name, value_of
from contract.shape.graph import is_open
from contract.shape.nodes import (
    MISSING,
    AnyShape,
    ArrayShape,
    BoolShape,
    BytesShape,
    Definition,
    EnumShape,
    Field,
    FloatShape,
    Formed,
    FormedShape,
    IntShape,
    LiteralShape,
    MapShape,
    NamedTupleShape,
    NullableShape,
    NullShape,
    OwnShape,
    RecordShape,
    Refined,
    RefShape,
    Shape,
    StrShape,
    TaggedUnionShape,
    TupleShape,
    UnionShape,
)
from contract.shape.record import record
from contract.shape.scalars import form_of
from contract.shape.text_forms import INTEGER_KEY

__all__ = ["Value", "default_of", "needs_of"]


@record
class Value:
    """A default."""

    expression: Expression
    mutable: bool = False
    """Whether each instance needs its own copy."""
    factory: Expression | None = None
    """A callable that makes the value when it is called without arguments."""


def default_of(field: Field, scope: Scope) -> Value | None:
    """
    The value of *field* if it is left out.

    It is None if the document gives no default, or one that is not a value of the type.
    """
    return _Reading(scope).default(field)


def needs_of(field: Field, context: Context) -> frozenset[str]:
    """The types that must be defined before the default of *field* is evaluated."""
    reading = _Reading(Scope(context))
    if reading.default(field) is None:
        return frozenset()
    return context.needed(reading.named)


class _EndlessError(Exception):
    """
    A default contains a record whose own default contains it again.

    No server can have such a default, but a document can.
    """


# A document gives a default as JSON, and the generated class needs the Python value that a server
# would have made of it. So each shape reads its JSON as a pred does, but gives an expression and
# not a value. None means that the JSON is not a value of the type: in a union, another member may
# take it, and a field whose default nobody can make is generated without one.


class _Reading:
    """Reads one value; *named* are the types that were visited."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._context = scope.context
        self.named: set[str] = set()
        self._open: set[tuple[str, str]] = set()

    def default(self, field: Field) -> Value | None:
        """The default of *field*; None if it has none, or one that contains itself."""
        if _has_none(field):
            return None
        try:
            return self.value(field.shape, field.json_default)
        except _EndlessError:
            return None

    def value(self, shape: Shape, json: Any) -> Value | None:
        match shape:
            case AnyShape():
                return self._any(json)
            case NullShape() if json is None:
                return Value("None")
            case BoolShape() if isinstance(json, bool):
                return Value(repr(json))
            # JSON has one kind of numbers: 1.0 is a default of an int, and 1 one of a float
            case IntShape() if _is_number(json) and json == math.floor(json):
                return Value(repr(int(json)))
            # float() refuses integers that are larger
            case FloatShape() if _is_number(json) and abs(json) < 2**1023:
                return Value(repr(float(json)))
            case StrShape() if isinstance(json, str):
                return Value(quoted(json))
            case Formed() if isinstance(json, str):
                return self._formed(shape, json)
            case OwnShape() if isinstance(json, str):
                return self._own_text(shape, json)
            case LiteralShape(values):
                for each in values:
                    # in Python, true is equal to 1
                    if type(each) is type(json) and each == json:
                        return Value(literal(each))
                return None
            case ArrayShape() if _is_array(json):
                return self._array(shape, json)
            case TupleShape(items) if _is_array(json):
                return self._tuple(items, json)
            case MapShape() if _is_object(json):
                return self._map(shape, json)
            case NullableShape() if json is None:
                return Value("None")
            case NullableShape(inner):
                return self.value(inner, json)
            case UnionShape(members):
                for member in members:
                    value = self.value(member, json)
                    if value is not None:
                        return value
                return None
            case TaggedUnionShape(name, _, cases):
                given = json.get(name) if _is_object(json) else None
                for tag, member in cases:
                    if type(tag) is type(given) and tag == given:
                        return self.value(member, json)
                return None
            case Refined() | RecordShape() | NamedTupleShape() | EnumShape():
                raise AssertionError("no document has the author's code, and these have names")
            case RefShape(definition):
                return self._named(definition, json)
            # the JSON is of another type
            case (
                NullShape()
                | BoolShape()
                | IntShape()
                | FloatShape()
                | StrShape()
                | Formed()
                | OwnShape()
                | ArrayShape()
                | TupleShape()
                | MapShape()
            ):
                return None
            case _:
                assert_never(shape)

    def _formed(self, shape: FormedShape, text: str) -> Value | None:
        try:
            if isinstance(shape, BytesShape):
                return Value(bytes_literal(text))
            return Value(value_of(form_of(shape).parse(text), self._context))
        except ValueError:
            return None  # in a union, it is a text of another member

    def _own_text(self, shape: OwnShape, text: str) -> Value | None:
        try:
            shape.load(text)
        except ValueError:
            return None
        name = own_name(shape, self._context)
        return Value(Bracket(f"{name}(", (quoted(text),), ")"))

    def _all(self, pairs: Iterable[tuple[Shape, Any]]) -> list[Value] | None:
        """The values of all *pairs*; None if one has none."""
        found: list[Value] = []
        for shape, json in pairs:
            value = self.value(shape, json)
            if value is None:
                return None
            found.append(value)
        return found

    def _array(self, shape: ArrayShape, json: list[Any]) -> Value | None:
        items = self._all((shape.item, each) for each in json)
        if items is None:
            return None
        written = tuple(each.expression for each in items)
        name = self._context.built_in(shape.container)
        match shape.container:
            case "tuple":
                return _positional("(", items)
            case "frozenset":
                inner: tuple[Expression, ...] = ()
                if written:
                    inner = (Bracket("{", written, "}"),)
                return Value(Bracket(f"{name}(", inner, ")"))
            case "set" if written:
                return self._own(Bracket("{", written, "}"), shape)
            case "set":  # {} is a dict
                return self._own(Bracket(f"{name}(", (), ")"), shape)
            case "list" | "sequence" | "deque":
                return self._own(Bracket("[", written, "]"), shape)
            case _:
                assert_never(shape.container)

    def _tuple(self, shapes: tuple[Shape, ...], json: list[Any]) -> Value | None:
        if len(shapes) != len(json):
            return None
        items = self._all(zip(shapes, json, strict=True))
        if items is None:
            return None
        return _positional("(", items)

    def _map(self, shape: MapShape, json: Mapping[str, Any]) -> Value | None:
        keys = self._all((shape.key, _key(shape.key, key)) for key in json)
        values = self._all((shape.value, value) for value in json.values())
        if keys is None or values is None:
            return None
        items = tuple(
            Joined(f"{flat(key.expression)}: ", value.expression)
            for key, value in zip(keys, values, strict=True)
        )
        return self._own(Bracket("{", items, "}"), shape)

    def _any(self, json: Any) -> Value:
        if _is_object(json):
            made = _dict(json, map(self._any, json.values()))
            return self._own(made, MapShape(StrShape(), AnyShape()))
        if _is_array(json):
            items = tuple(self._any(each).expression for each in json)
            return self._own(Bracket("[", items, "]"), ArrayShape(AnyShape()))
        if isinstance(json, str):
            return Value(quoted(json))
        return Value(repr(json))

    def _own(self, made: Bracket, shape: Shape) -> Value:
        """
        A list, a map or a set.

        Classes in the expression of an empty one are quoted, since they may be defined later.
        """
        factory: Expression | None = None
        if not made.items:
            # ``list[Order]`` makes an empty list that type checkers know the items of
            factory = Annotations(self._scope, plain=True, early=True).of(shape)
        return Value(made, mutable=True, factory=factory)

    def _named(self, definition: Definition, json: Any) -> Value | None:
        match definition.shape:
            case EnumShape(_, members):
                self.named.add(definition.name)
                names = self._context.naming.members[definition.name]
                for member, value in members:
                    if type(value) is type(json) and value == json:
                        return Value(f"{self._scope.type(definition.name)}.{names[member]}")
                return None
            case NamedTupleShape(_, fields) if _is_array(json):
                return self._positions(definition.name, fields, json)
            case RecordShape(_, _, fields) if is_open(definition.shape) and _is_object(json):
                return self._keys(definition.name, fields, json)
            case RecordShape(_, _, fields) if _is_object(json):
                return self._record(definition.name, fields, json)
            case NamedTupleShape() | RecordShape():
                return None
            case alias:
                return self.value(alias, json)

    def _default(self, name: str, field: Field) -> Value | None:
        """The default of a field of a record that is being made."""
        if _has_none(field):
            return None
        place = (name, field.wire)
        if place in self._open:
            raise _EndlessError
        self._open.add(place)
        value = self.value(field.shape, field.json_default)
        self._open.remove(place)
        return value

    def _positions(self, name: str, fields: tuple[Field, ...], json: list[Any]) -> Value | None:
        self.named.add(name)
        given = fields[: len(json)]
        left = fields[len(json) :]
        items = self._all((field.shape, each) for field, each in zip(given, json, strict=False))
        if items is None or len(json) > len(fields):
            return None
        # the class fills in what the JSON leaves out
        if any(self._default(name, field) is None for field in left):
            return None
        return _positional(f"{class_of(name, self._scope)}(", items)

    def _record(
        self, name: str, fields: tuple[Field, ...], json: Mapping[str, Any]
    ) -> Value | None:
        self.named.add(name)
        names = self._context.naming.fields[name]
        if not json.keys() <= names.keys():
            return None
        written: list[Expression] = []
        mutable = False
        for field in fields:
            given = field.wire in json
            # 1. A field that has its own default is left out, like one that is missing.
            if not given or _same(json[field.wire], field.json_default):
                default = self._default(name, field)
                if default is not None:
                    mutable |= default.mutable
                    continue
            # 2. Any other value is written; a missing one is fine where the field may be unset.
            if given:
                value = self.value(field.shape, json[field.wire])
                if value is None:
                    return None
                written.append(Joined(f"{names[field.wire]}=", value.expression))
                mutable |= value.mutable
            elif field.required_in:
                return None
        made = class_of(name, self._scope)
        # a class that is called without arguments is a factory itself
        factory = None if written else made
        return Value(Bracket(f"{made}(", tuple(written), ")"), mutable, factory)

    def _keys(self, name: str, fields: Sequence[Field], json: Mapping[str, Any]) -> Value | None:
        """
        The value of a TypedDict.

        It is None if there are undeclared keys: not all type checkers accept those yet.
        """
        self.named.add(name)
        known = {field.wire: field for field in fields}
        if not {field.wire for field in fields if field.required_in} <= json.keys() <= {*known}:
            return None
        values = self._all((known[key].shape, value) for key, value in json.items())
        if values is None:
            return None
        made = Bracket(f"{class_of(name, self._scope)}(", (_dict(json, values),), ")")
        return Value(made, mutable=True)


def _has_none(field: Field) -> bool:
    """Whether the document gives no default for *field*."""
    return field.required_in or field.json_default is MISSING


def _positional(head: str, items: Sequence[Value]) -> Value:
    made = Bracket(head, tuple(each.expression for each in items), ")")
    return Value(made, any(each.mutable for each in items))


def _dict(keys: Iterable[str], values: Iterable[Value]) -> Bracket:
    pairs = zip(keys, values, strict=True)
    items = (Joined(f"{quoted(key)}: ", value.expression) for key, value in pairs)
    return Bracket("{", tuple(items), "}")


def _key(shape: Shape, key: str) -> Any:
    """*key* of an object as a value of *shape*, or None if it is not one."""
    is_int = isinstance(shape, IntShape)
    if isinstance(shape, LiteralShape):
        is_int = int in map(type, shape.values)
    if not is_int:
        return key
    if INTEGER_KEY.matches(key):
        return int(key)
    return None


def _is_number(json: Any) -> TypeGuard[int | float]:
    return type(json) is int or (isinstance(json, float) and math.isfinite(json))


def _is_array(json: Any) -> TypeGuard[list[Any]]:
    return isinstance(json, list)


def _is_object(json: Any) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(json, Mapping)


def _same(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal; true is not 1."""
    if _is_object(one) and _is_object(other):
        return one.keys() == other.keys() and all(
            _same(value, other[key]) for key, value in one.items()
        )
    if _is_array(one) and _is_array(other):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and bool(one == other)
