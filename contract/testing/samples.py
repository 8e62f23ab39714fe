"""
Samples: an input to start from, for a command line that one can copy.

Its author's examples go first; without them it is plausible, and valid unless a pattern, a
predicate or an odd bound says otherwise.
"""

from __future__ import annotations

from typing import Any, Final, assert_never

import orjson

from contract.pred.dump.compile import compile_dumper
from contract.shape import (
    AnyShape,
    ArrayShape,
    BoolShape,
    BytesShape,
    DateShape,
    DatetimeShape,
    DecimalShape,
    Definition,
    EnumShape,
    Field,
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

__all__ = ["sample"]

_TEXT: Final = "text"


def sample(shape: Shape) -> str:
    """A JSON document for *shape*."""
    return orjson.dumps(_sample(shape, frozenset())).decode()


def _sample(shape: Shape, inside: frozenset[Definition]) -> Any:
    """*inside* are the definitions that this is a part of: a recursion ends where it may."""
    match shape:
        case NullShape():
            return None
        case AnyShape():
            return {}
        case BoolShape():
            return True
        case IntShape(minimum, maximum, multiple_of):
            number = min(max(1, minimum), maximum)
            return number if multiple_of is None else number + -number % multiple_of
        case FloatShape(bounds):
            return float(
                next((limit for limit in (bounds.ge, bounds.le) if limit is not None), 1.0)
            )
        case StrShape(min_length, max_length):
            return (_TEXT * ((min_length or 0) // len(_TEXT) + 1))[
                : max(min_length or 0, len(_TEXT)) if max_length is None else max_length
            ]
        case BytesShape():
            return "aGVsbG8="
        case DecimalShape(bounds):
            return str(
                next((limit for limit in (bounds.ge, bounds.le) if limit is not None), "1.00")
            )
        case DatetimeShape():
            return "2026-01-31T12:00:00Z"
        case DateShape():
            return "2026-01-31"
        case TimeShape(aware=aware):
            return "12:00:00Z" if aware else "12:00:00"
        case TimedeltaShape():
            return "PT1H"
        case UuidShape():
            return "00000000-0000-4000-8000-000000000000"
        case LiteralShape(values):
            return values[0]
        case EnumShape(members=members):
            return members[0][1]
        case ArrayShape(item, min_items=least):
            return (
                []
                if not least and _recurs(item, inside)
                else [_sample(item, inside)] * max(1, least or 0)
            )
        case TupleShape(items):
            return [_sample(item, inside) for item in items]
        case MapShape(key, value):
            return (
                {}
                if _recurs(value, inside)
                else {str(_sample(key, inside)): _sample(value, inside)}
            )
        case NullableShape(inner):
            return None if _recurs(inner, inside) else _sample(inner, inside)
        case UnionShape(members):
            return _sample(
                next((member for member in members if not _recurs(member, inside)), members[0]),
                inside,
            )
        case TaggedUnionShape(tag, cases=cases):
            tag_value, case_ = next(
                (each for each in cases if not _recurs(each[1], inside)), cases[0]
            )
            return _sample(case_, inside) | {tag: tag_value}
        case Refined(inner):
            return _sample(inner, inside)
        case RefShape(definition):
            return _sample(definition.shape, inside | {definition})
        case RecordShape(fields=fields):
            return {
                field.wire: _of_field(field, inside)
                for field in fields
                if field.init and (field.required_in or field.examples)
            }
        case NamedTupleShape(fields=fields):
            return [_of_field(field, inside) for field in fields if field.required_in]
        case _:
            assert_never(shape)


def _of_field(field: Field, inside: frozenset[Definition]) -> Any:
    return (
        compile_dumper(field.shape).plain(field.examples[0])
        if field.examples
        else _sample(field.shape, inside)
    )


def _recurs(shape: Shape, inside: frozenset[Definition]) -> bool:
    """
    Tell whether *shape* leads straight back to a type that it is a part of.

    No null and no empty array on the way would end it.
    """
    match shape:
        case RefShape(definition):
            return definition in inside
        case TaggedUnionShape(cases=cases):
            return all(_recurs(case_, inside) for _, case_ in cases)
        case Refined(inner):
            return _recurs(inner, inside)
        case _:
            return False
