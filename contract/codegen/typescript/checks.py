"""Checks: expressions that make a function that checks a value of a type (``checks.ts``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, assert_never

from contract.codegen.typescript.layout import (
    MAX_SAFE,
    Node,
    array,
    call,
    entry,
    is_safe,
    key_of,
    literal,
    members,
    number,
    quoted,
    value_of,
)
from contract.codegen.typescript.scope import Scope, closure
from contract.shape.bounds import Bounds
from contract.shape.graph import expected, json_types, listed, nested, parts
from contract.shape.nodes import (
    MISSING,
    AnyShape,
    ArrayShape,
    BoolShape,
    BytesShape,
    DatetimeShape,
    Definition,
    EnumShape,
    Field,
    FloatShape,
    Formed,
    FormedShape,
    IntShape,
    Listed,
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
    TimeShape,
    TupleShape,
    UnionShape,
)
from contract.shape.scalars import bounds_of, form_of, row_of
from contract.shape.text_forms import INTEGER_KEY, Form

__all__ = ["Checks"]

_OFFSETS: Final = {True: "offset", False: "no offset", None: "any"}


class Checks:
    """
    Writes checks.

    Args:
        scope: The names of everything.
        roots: The types to check, with all that they lead to.
    """

    __slots__ = ("_compared", "_scope", "_written", "order")

    order: list[Definition]
    """
    The named types that need a check, each after those that it needs, except for circles.
    """

    def __init__(self, scope: Scope, roots: Iterable[Shape]) -> None:
        found = [*roots]
        self._scope = scope
        self.order = closure(found)
        reached = [*found, *(part for each in self.order for part in parts(each))]
        items = [
            each.item
            for root in reached
            for each in nested(root)
            if isinstance(each, ArrayShape) and each.unique
        ]
        self._compared = frozenset(closure(items))
        self._written: set[Definition] = set()

    def declared(self, definition: Definition) -> Node:
        """The check of a named type; those before it in `order` have been made."""
        node = self._check(definition.shape, compared=definition in self._compared)
        self._written.add(definition)
        return node

    def of(self, shape: Shape) -> Node:
        """The check of *shape*; all types that it names have been written, or are being written."""
        return self._check(shape, compared=False)

    def _check(self, shape: Shape, *, compared: bool) -> Node:
        match shape:
            case AnyShape():
                return "$any"
            case IntShape(low, high):
                # only limits that are narrower than what a double can represent
                safe = {
                    "ge": None if low <= -MAX_SAFE else low,
                    "le": None if high >= MAX_SAFE else high,
                }
                return call("$integer", *_limits(safe | {"multipleOf": shape.multiple_of}, number))
            case FloatShape(bounds):
                return call("$number", *_limits(_given(bounds), number))
            case StrShape(low, high, patterns):
                name = "$matching" if patterns else "$string"
                return call(name, *_and(_size(low, high), *map(quoted, patterns)))
            case BytesShape(low, high):
                return call("$bytes", *_size(low, high))
            case TimeShape(_, aware):
                return call("$time", quoted(_OFFSETS[aware]), *_form_limits(shape))
            case DatetimeShape(_, fixed):
                offset = [] if fixed is None else [str(int(fixed.total_seconds()) // 60)]
                name = "$momentDate" if self._scope.dates == "Date" else "$momentText"
                return call(name, *_and(_form_limits(shape), *offset))
            case Formed():
                return call(row_of(shape).check, *_form_limits(shape))
            case NullShape() | BoolShape():
                return row_of(shape).check
            case LiteralShape(values):
                return _literal(values)
            case ArrayShape(item, _, low, high):
                unique = ["true"] if shape.unique else []
                return call("$array", self.of(item), *_and(_size(low, high), *unique))
            case TupleShape(items):
                return call("$tuple", array(map(self.of, items)))
            case MapShape(key, value, low, high):
                keys = [] if key == StrShape() else [self._key(key)]
                return call("$map", self.of(value), *_and(_size(low, high), *keys))
            case NullableShape(inner):
                return call("$nullable", self.of(inner))
            case UnionShape(found):
                names = dict.fromkeys(name for member in found for name in expected(member))
                is_choice = any(map(listed, found)) and _share_types(found)
                pairs = (array(self._member(member, by_name=is_choice)) for member in found)
                return call("$choice" if is_choice else "$union", quoted(", ".join(names)), *pairs)
            case TaggedUnionShape(tag, _, cases):
                pairs = (array([literal(value), self.of(record)]) for value, record in cases)
                return call("$tagged", quoted(tag), array(pairs))
            case OwnShape(StrShape(low, high, patterns)) if shape.form is not None:
                return call(
                    "$formed",
                    quoted(shape.form),
                    *(_size(low, high) or ["{}"]),
                    *map(quoted, patterns),
                )
            case OwnShape(inner):
                return self.of(inner)
            case Refined():
                raise AssertionError("no document has the author's code")
            case RefShape(definition):
                check = self._scope.checks[definition.name]
                return check if definition in self._written else call("$lazy", f"() => {check}")
            case RecordShape(_, _, fields, extra=extra):
                known = members(
                    entry(key_of(field.wire), self._field(field, compared=compared))
                    for field in fields
                )
                others = [] if extra is None else [call("$others", self.of(extra))]
                return call("$record", known, *others)
            case NamedTupleShape(_, fields):
                required = sum(field.required_in for field in fields)
                least = [] if required == len(fields) else [str(required)]
                return call("$tuple", array(self.of(field.shape) for field in fields), *least)
            case EnumShape(_, values):
                return _literal(value for _, value in values)
            case _:
                assert_never(shape)

    def _member(self, member: Shape, *, by_name: bool) -> list[Node]:
        """A member of a union: its JSON types, its check, and its name if that differs."""
        found: list[Node] = [quoted(" ".join(dict.fromkeys(json_types(member)))), self.of(member)]
        if by_name and isinstance(member, Formed | OwnShape):
            found.append(quoted(", ".join(expected(member))))
        return found

    def _field(self, field: Field, *, compared: bool) -> Node:
        check = self.of(field.shape)
        if field.required_in:
            return check
        if compared and field.json_default is not MISSING:
            return call("$optional", check, value_of(field.json_default))
        return call("$optional", check)

    def _key(self, key: Shape) -> Node:
        if isinstance(key, IntShape):
            return call("$integerKey", *_limits(_given(key.bounds), _text_of(INTEGER_KEY)))
        if isinstance(key, LiteralShape):
            return call("$literal", *(quoted(str(value)) for value in key.values))
        return self.of(key)


def _share_types(members: Iterable[Shape]) -> bool:
    """Whether values of one JSON type may belong to several *members*."""
    types = [name for member in members for name in {*json_types(member)}]
    return len({"number" if name == "integer" else name for name in types}) < len(types)


def _literal(values: Iterable[Listed]) -> Node:
    listed = [*values]
    safe = [literal(value) for value in listed if is_safe(value)]
    if len(safe) == len(listed):
        return call("$literal", *safe)
    return call("$exact", str(len(listed)), *safe)


def _size(low: int | None, high: int | None) -> list[Node]:
    return _limits({"min": low, "max": high}, str)


def _and(limits: list[Node], *more: Node) -> list[Node]:
    """The argument with *limits*, which is left out if it is empty and no *more* arguments come."""
    return [*(limits or ["{}"]), *more] if more else limits


def _given(bounds: Bounds) -> dict[str, Any]:
    return {
        "ge": bounds.ge,
        "gt": bounds.gt,
        "le": bounds.le,
        "lt": bounds.lt,
        "multipleOf": bounds.multiple_of,
    }


def _limits(given: Mapping[str, Any], write: Callable[[Any], str]) -> list[Node]:
    parts = [entry(name, write(limit)) for name, limit in given.items() if limit is not None]
    return [members(parts)] if parts else []


def _form_limits(shape: FormedShape) -> list[Node]:
    return _limits(_given(bounds_of(shape)), _text_of(form_of(shape)))


def _text_of(form: Form) -> Callable[[Any], str]:
    return lambda limit: quoted(form.write(limit))
