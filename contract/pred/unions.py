"""Unions: which member a JSON value belongs to, by its JSON type or by its tag."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, assert_never

from contract.pred.report import DEAF, INVALID, Load, Report
from contract.pred.scalars import form_of, integral
from contract.shape.json_text import kind_of
from contract.shape.nodes import (
    AnyShape,
    ArrayShape,
    BoolShape,
    BytesShape,
    DateShape,
    DatetimeShape,
    DecimalShape,
    EnumShape,
    FloatShape,
    IntShape,
    LiteralShape,
    MapShape,
    NamedTupleShape,
    NullableShape,
    NullShape,
    RecordShape,
    Refined,
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

__all__ = ["tagged_loader", "union_loader"]

_PYTHON: Final[dict[str, tuple[type, ...]]] = {
    "null": (type(None),),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "string": (str,),
    "array": (list,),
    "object": (dict,),
}
"""JSON type -> the types that the parser makes of it."""


def union_loader(members: Sequence[tuple[Shape, Load]]) -> Load:
    """The loader of a union whose members share no JSON value."""
    by_type: dict[type, list[Load]] = {}
    integers: list[Load] = []
    names: dict[str, None] = {}
    for shape, load_member in members:
        types = frozenset(_json_types(shape))
        for kind in {kind for name in types for kind in _PYTHON[name]}:
            by_type.setdefault(kind, []).append(load_member)
        if "integer" in types:
            integers.append(load_member)
        names.update(dict.fromkeys(_names(shape)))
    expected = ", ".join(names)

    def load(value: Any, report: Report) -> Any:
        kind = kind_of(value)
        fitting = by_type.get(kind, ())
        if kind is float and integral(value):
            # last, so that 1.0 stays a float where there is a member for it
            fitting = [*fitting, *integers]
        if len(fitting) == 1:
            return fitting[0](value, report)
        for load_member in fitting:
            loaded = load_member(value, DEAF)
            if loaded is not INVALID:
                return loaded
        return report.add("union", expected=expected)

    return load


def tagged_loader(tag: str, cases: Mapping[tuple[type, Any], Load]) -> Load:
    """The loader of a union of records that name themselves in *tag*."""
    allowed = [value for _, value in cases]

    def load(value: Any, report: Report) -> Any:
        if kind_of(value) is not dict:
            return report.add("object_type")
        if tag not in value:
            return report.add("missing", tag)
        sent: Any = value[tag]
        kind = kind_of(sent)
        if kind is float and integral(sent):
            kind, sent = int, int(sent)
        load_case = cases.get((kind, sent)) if kind is str or kind is int or kind is bool else None
        if load_case is None:
            return report.add("unknown_tag", tag, allowed=allowed)
        return load_case(value, report)

    return load


def _json_types(shape: Shape) -> Iterable[str]:
    match shape:
        case AnyShape():
            return _PYTHON
        case NullShape():
            return ("null",)
        case BoolShape():
            return ("boolean",)
        case IntShape():
            return ("integer",)
        case FloatShape():
            return ("number",)
        case LiteralShape(values):
            return _types_of(values)
        case EnumShape(_, values):
            return _types_of(value for _, value in values)
        case ArrayShape() | TupleShape() | NamedTupleShape():
            return ("array",)
        case MapShape() | RecordShape() | TaggedUnionShape():
            return ("object",)
        case StrShape() | BytesShape() | DecimalShape() | UuidShape():
            return ("string",)
        case DatetimeShape() | DateShape() | TimeShape() | TimedeltaShape():
            return ("string",)
        case NullableShape(inner):
            return ("null", *_json_types(inner))
        case UnionShape(members):
            return (name for member in members for name in _json_types(member))
        case Refined(inner):
            return _json_types(inner)
        case RefShape(definition):
            return _json_types(definition.shape)
        case _:
            assert_never(shape)


def _types_of(values: Iterable[str | int | bool]) -> Iterable[str]:
    names = {str: "string", int: "integer", bool: "boolean"}
    return (names[type(value)] for value in values)


def _names(shape: Shape) -> Iterable[str]:
    """
    The names of expected values, for a message: a string's form if it has one, else a JSON type.
    """
    match shape:
        case (
            BytesShape()
            | DecimalShape()
            | DatetimeShape()
            | DateShape()
            | TimeShape()
            | TimedeltaShape()
            | UuidShape()
        ):
            return (form_of(shape).name,)
        case Refined(inner):
            return _names(inner)
        case _:
            return dict.fromkeys(_json_types(shape))
