"""Checks: expressions that make a function that checks a value of a type (``checks.ts``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
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
"""Whether a time has an offset -> the argument of ``$time``."""


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
        # Types inside the items of a set: two of these are equal if a field that one of them lacks
        # has its default in the other. So their checks must know defaults, and no others do.
        self._compared = frozenset(closure(_compared_items(found, self.order)))
        self._written: set[Definition] = set()

    def declared(self, definition: Definition) -> Node:
        """The check of a named type; those before it in `order` have been made."""
        node = self._check(definition.shape, compared=definition in self._compared)
        self._written.add(definition)
        return node

    def of(self, shape: Shape) -> Node:
        """The check of *shape*; all types that it names have been written, or are being written."""
        return self._check(shape, compared=False)

    # A check is a call of a function of the runtime (`checks.ts`), whose arguments are the checks
    # of the parts, and then the limits. Limits that say nothing are left out, and so are arguments
    # at the end that would be the defaults of the function: each type of a document has a check,
    # and all of them are sent to browsers.

    def _check(self, shape: Shape, *, compared: bool) -> Node:
        match shape:
            case AnyShape():
                return "$any"
            case IntShape():
                return call("$integer", *_integer_limits(shape))
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
                name = "$momentText"
                if self._scope.dates == "Date":
                    name = "$momentDate"
                offset: list[Node] = []
                if fixed is not None:
                    # in minutes, as ECMAScript counts offsets
                    offset.append(str(int(fixed.total_seconds()) // 60))
                return call(name, *_and(_form_limits(shape), *offset))
            case Formed():
                return call(row_of(shape).check, *_form_limits(shape))
            case NullShape() | BoolShape():
                return row_of(shape).check
            case LiteralShape(values):
                return _literal(values)
            case ArrayShape(item, _, low, high):
                unique: list[Node] = []
                if shape.unique:
                    unique.append("true")
                return call("$array", self.of(item), *_and(_size(low, high), *unique))
            case TupleShape(items):
                return call("$tuple", array(map(self.of, items)))
            case MapShape(key, value, low, high):
                keys: list[Node] = []
                if key != StrShape():
                    keys.append(self._key(key))
                return call("$map", self.of(value), *_and(_size(low, high), *keys))
            case NullableShape(inner):
                return call("$nullable", self.of(inner))
            case UnionShape(found):
                return self._union(found)
            case TaggedUnionShape(tag, _, cases):
                pairs = (array([literal(value), self.of(record)]) for value, record in cases)
                return call("$tagged", quoted(tag), array(pairs))
            case OwnShape(StrShape(low, high, patterns)) if shape.form is not None:
                size = _size(low, high) or ["{}"]
                return call("$formed", quoted(shape.form), *size, *map(quoted, patterns))
            case OwnShape(inner):
                return self.of(inner)
            case Refined():
                raise AssertionError("no document has the author's code")
            case RefShape(definition):
                check = self._scope.checks[definition.name]
                # a constant of JavaScript has no value before its own line: where types lead to
                # each other in a circle, one of them has to wait for another
                if definition not in self._written:
                    return call("$lazy", f"() => {check}")
                return check
            case RecordShape(_, _, fields, extra=extra):
                known: list[Node] = []
                for field in fields:
                    written = self._field(field, compared=compared)
                    known.append(entry(key_of(field.wire), written))
                others: list[Node] = []
                if extra is not None:
                    others.append(call("$others", self.of(extra)))
                return call("$record", members(known), *others)
            case NamedTupleShape(_, fields):
                positions = [self.of(field.shape) for field in fields]
                least: list[Node] = []
                required = sum(field.required_in for field in fields)
                if required < len(fields):
                    least.append(str(required))
                return call("$tuple", array(positions), *least)
            case EnumShape(_, values):
                return _literal(value for _, value in values)
            case _:
                assert_never(shape)

    def _union(self, found: tuple[Shape, ...]) -> Node:
        # The runtime finds the member by the JSON type of the value. If several may fit, and any
        # lists its values, the issue names these and whatever else fits ($choice). Only for that
        # do members need names.
        names = dict.fromkeys(name for member in found for name in expected(member))
        is_choice = any(map(listed, found)) and _share_types(found)
        function = "$choice" if is_choice else "$union"
        pairs = [array(self._member(member, by_name=is_choice)) for member in found]
        return call(function, quoted(", ".join(names)), *pairs)

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


def _compared_items(roots: Iterable[Shape], named: Iterable[Definition]) -> Iterator[Shape]:
    """The items of all sets in the *roots* and in the *named* types."""
    reached = [*roots]
    for definition in named:
        reached += parts(definition)
    for root in reached:
        for each in nested(root):
            if isinstance(each, ArrayShape) and each.unique:
                yield each.item


def _share_types(members: Iterable[Shape]) -> bool:
    """Whether values of one JSON type may belong to several *members*."""
    types: list[str] = []
    for member in members:
        # JavaScript has one type for integers and other numbers
        types += [name.replace("integer", "number") for name in {*json_types(member)}]
    return len({*types}) < len(types)


def _literal(values: Iterable[Listed]) -> Node:
    listed = [*values]
    # An integer that a double cannot represent is never equal to what comes. The count of all
    # values is given, so that an issue can say that there are others than those that it lists.
    safe = [literal(value) for value in listed if is_safe(value)]
    if len(safe) == len(listed):
        return call("$literal", *safe)
    return call("$exact", str(len(listed)), *safe)


def _size(low: int | None, high: int | None) -> list[Node]:
    return _limits({"min": low, "max": high}, str)


def _and(limits: list[Node], *more: Node) -> list[Node]:
    """The argument with *limits*, which is left out if it is empty and no *more* arguments come."""
    if not more:
        return limits
    return [*(limits or ["{}"]), *more]


def _given(bounds: Bounds) -> dict[str, Any]:
    return {
        "ge": bounds.ge,
        "gt": bounds.gt,
        "le": bounds.le,
        "lt": bounds.lt,
        "multipleOf": bounds.multiple_of,
    }


def _integer_limits(shape: IntShape) -> list[Node]:
    # The runtime refuses every integer that a double cannot represent. A limit beyond these says
    # nothing, and could not be written as a number of JavaScript either.
    given: dict[str, Any] = {}
    if shape.minimum > -MAX_SAFE:
        given["ge"] = shape.minimum
    if shape.maximum < MAX_SAFE:
        given["le"] = shape.maximum
    return _limits(given | {"multipleOf": shape.multiple_of}, number)


def _limits(given: Mapping[str, Any], write: Callable[[Any], str]) -> list[Node]:
    """The argument with the limits that are *given*, if there are any, in a list."""
    parts = [entry(name, write(limit)) for name, limit in given.items() if limit is not None]
    if not parts:
        return []
    return [members(parts)]


def _form_limits(shape: FormedShape) -> list[Node]:
    return _limits(_given(bounds_of(shape)), _text_of(form_of(shape)))


def _text_of(form: Form) -> Callable[[Any], str]:
    return lambda limit: quoted(form.write(limit))
