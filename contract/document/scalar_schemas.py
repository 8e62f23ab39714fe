"""
Scalar schemas: the schemas of values without parts.

A string for another type has exactly the pattern that the pred checks first
(`contract.shape.text_forms`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from math import ceil
from typing import Any, Final, assert_never

from contract.shape.bounds import I64_MAX, Bounds
from contract.shape.nodes import (
    Basic,
    BytesShape,
    DatetimeShape,
    EnumShape,
    FloatShape,
    Formed,
    FormedShape,
    IntShape,
    LiteralShape,
    RefShape,
    ScalarShape,
    Shape,
    StrShape,
)
from contract.shape.scalars import bounds_of, form_of, row_of
from contract.shape.text_forms import INTEGER_KEY, Form

__all__ = ["key_schema", "limited", "scalar_schema"]

_Schema = dict[str, Any]

_NAMES: Final[dict[type, str]] = {
    str: "string",
    int: "integer",
    bool: "boolean",
    float: "number",
}
_KEYWORDS: Final = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
}


def scalar_schema(shape: ScalarShape) -> _Schema:
    """The schema of *shape*."""
    match shape:
        case IntShape():
            return _int(shape)
        case FloatShape(bounds):
            limits = {_KEYWORDS[name]: limit for name, limit in _given(bounds)}
            return {"type": "number", "format": "double", **limits}
        case StrShape(low, high, patterns):
            return {"type": "string", **limited("Length", low, high), **_patterns(patterns)}
        case BytesShape():
            return _bytes(shape)
        case DatetimeShape(_, offset) if offset is not None:
            return _formed(shape) | _patterns((form_of(shape).pattern, _offset_pattern(offset)))
        case Formed():
            return _formed(shape)
        case Basic():
            return {"type": row_of(shape).json_type}
        case LiteralShape(values):
            if len(values) == 1:
                return {"type": _types(values), "const": values[0]}
            return {"type": _types(values), "enum": [*values]}
        case EnumShape(_, members):
            wires = [wire for _, wire in members]
            return {
                "type": _types(wires),
                "enum": wires,
                "x-contract-enum-names": [name for name, _ in members],
            }
        case _:
            assert_never(shape)


def key_schema(shape: Shape) -> _Schema | None:
    """The schema of an int as the key of an object; None for all other shapes."""
    match shape:
        case IntShape():
            return _text(INTEGER_KEY, "int", shape.bounds, int)
        case LiteralShape(values) if int in map(type, values):
            return _listed_key(values)
        case RefShape(definition) if isinstance(definition.shape, EnumShape):
            sent = [value for _, value in definition.shape.members]
            if int not in map(type, sent):
                return None
            return _listed_key(sent)
        case _:
            return None


def _listed_key(values: Iterable[object]) -> _Schema:
    # not a reference to the enum, since its values are numbers but keys are strings
    return {"type": "string", "enum": [*map(str, values)], "x-contract-type": "int"}


def limited(noun: str, low: int | None, high: int | None) -> _Schema:
    """``minLength`` and ``maxLength``, or those of Items or Properties, if they are given."""
    limits = {f"min{noun}": low, f"max{noun}": high}
    return {keyword: limit for keyword, limit in limits.items() if limit is not None}


def _int(shape: IntShape) -> _Schema:
    schema: _Schema = {"type": "integer", "minimum": shape.minimum, "maximum": shape.maximum}
    if shape.maximum <= I64_MAX:
        schema["format"] = "int64"
    if shape.multiple_of is not None:
        schema["multipleOf"] = shape.multiple_of
    return schema


def _given(bounds: Bounds) -> Iterable[tuple[str, Any]]:
    for name in _KEYWORDS:
        limit = getattr(bounds, name)
        if limit is not None:
            yield name, limit


def _formed(shape: FormedShape) -> _Schema:
    form = form_of(shape)
    return _text(form, row_of(shape).kind, bounds_of(shape), form.write)


def _text(form: Form, kind: str | None, bounds: Bounds, write: Callable[[Any], Any]) -> _Schema:
    schema: _Schema = {"type": "string", "pattern": form.pattern}
    if form.format is not None:
        schema["format"] = form.format
    if kind is not None:
        schema["x-contract-type"] = kind
    if bounds.any:
        schema["x-contract-bounds"] = {name: write(limit) for name, limit in _given(bounds)}
    return schema


def _patterns(patterns: Sequence[str]) -> _Schema:
    if not patterns:
        return {}
    # a schema has one `pattern`, so the others are in schemas of their own
    first, *others = patterns
    schema: _Schema = {"pattern": first}
    if others:
        schema["allOf"] = [{"pattern": other} for other in others]
    return schema


def _offset_pattern(offset: timedelta) -> str:
    minutes = int(offset.total_seconds()) // 60
    if not minutes:
        return "(Z|[+-]00:00)$"
    sign = "-" if minutes < 0 else "[+]"
    # of the absolute value, because Python rounds a negative quotient down
    hours, rest = divmod(abs(minutes), 60)
    return f"{sign}{hours:02}:{rest:02}$"


def _types(values: Iterable[str | float | bool]) -> str | list[str]:
    found = [*dict.fromkeys(_NAMES[type(value)] for value in values)]
    return found[0] if len(found) == 1 else found


# Three bytes are four characters of base64; if there are fewer than three, the last of these are =.
# So the length of the text gives the number of bytes up to two, and its end gives the rest. It is
# not written as one pattern with counts: for a megabyte, most engines could not compile it.


def _bytes(shape: BytesShape) -> _Schema:
    low, high = shape.min_length, shape.max_length
    schema = {**_formed(shape), "contentEncoding": "base64"}
    rules: list[_Schema] = []
    if low:
        shortest = 4 * ceil(low / 3)
        schema["minLength"] = shortest
        if low % 3 != 1:
            end = "[^=]$" if low % 3 == 0 else "[^=]=?$"
            rules.append({"if": {"maxLength": shortest}, "then": {"pattern": end}})
    if high is not None:
        longest = 4 * ceil(high / 3)
        schema["maxLength"] = longest
        if high % 3:
            end = "=$" if high % 3 == 2 else "==$"
            rules.append({"if": {"minLength": longest}, "then": {"pattern": end}})
    if len(rules) == 1:
        schema |= rules[0]
    elif rules:
        schema["allOf"] = rules
    return schema
