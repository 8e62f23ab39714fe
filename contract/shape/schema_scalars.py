"""
Scalars: the schemas of values without parts, read back into shapes.

A text is read as a value of another type only if its pattern is exactly the one of that type
(`contract.shape.text_forms`): then every valid text can be read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import timedelta
from fractions import Fraction
from typing import Any, Final

from contract.shape.bounds import I64_MAX, I64_MIN, Bounds
from contract.shape.nodes import (
    BytesShape,
    DatetimeShape,
    FloatShape,
    Formed,
    FormedShape,
    IntShape,
    Listed,
    LiteralShape,
    NullableShape,
    NullShape,
    OwnShape,
    StrShape,
    TimeShape,
)
from contract.shape.patterns import check_pattern
from contract.shape.python_types import known_shape
from contract.shape.scalars import ROWS, row_of
from contract.shape.schema_lens import lengths_of_bytes
from contract.shape.schema_node import Spot, rules_of
from contract.shape.text_forms import (
    BYTES,
    DECIMAL,
    INTEGER_KEY,
    TIME,
    TIME_AWARE,
    TIME_NAIVE,
    Form,
)

__all__ = [
    "BY_FORMAT",
    "TextShape",
    "float_shape",
    "int_shape",
    "listed_shape",
    "listed_values",
    "size",
    "text_shape",
]

TextShape = StrShape | FormedShape | OwnShape | IntShape  # an int may be the key of a map
"""Shapes of values that a string may stand for."""

_U64_MAX: Final = 2**64 - 1
"""The greatest integer that can be written."""

# Numbers.


def int_shape(spot: Spot) -> IntShape:
    """
    The integers that *spot* takes.

    Raises:
        GenerationError: No integer is left.
    """
    schema = spot.schema
    # limits may be fractions: from 0.5 on, and above 0.5, the least integer is 1
    low = max(
        math.ceil(schema.get("minimum", I64_MIN)),
        math.floor(schema.get("exclusiveMinimum", I64_MIN - 1)) + 1,
        I64_MIN,
    )
    high = min(
        math.floor(schema.get("maximum", I64_MAX)),
        math.ceil(schema.get("exclusiveMaximum", _U64_MAX + 1)) - 1,
        _U64_MAX,
    )
    is_empty = low > high
    step = None
    if "multipleOf" in schema:
        # n is a multiple of p/q, in lowest terms, if it is a multiple of p; the fraction is taken
        # from the number as it is written: 0.1 is a tenth
        step = Fraction(str(schema["multipleOf"])).numerator
        # `high // step * step` is the greatest multiple; a type takes steps of 63 bits
        is_empty = is_empty or high // step * step < low or step > I64_MAX
    if is_empty:
        raise spot.refuse(
            "no integer of 64 bits is within these limits; write limits that leave something"
        )
    return IntShape(low, high, step)


def float_shape(spot: Spot) -> FloatShape:
    """
    The numbers that *spot* takes.

    Raises:
        GenerationError: No number is left.
    """
    limits: dict[str, float] = {}
    for name, keyword in _KEYWORDS.items():
        if keyword in spot.schema:
            limits[name] = _double(spot.schema[keyword])
    spot.check_order(limits)
    return FloatShape(Bounds(**limits))


_KEYWORDS: Final = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
}


def _double(number: float) -> float:
    """*number* as it is written, or the nearest double."""
    # above 2**53 not every integer is a double
    if isinstance(number, int) and abs(number) > 2**53:
        return float(number)
    return number


# Texts.


def text_shape(spot: Spot, *, is_key: bool = False) -> TextShape:
    """
    The shape of the texts that *spot* takes, perhaps as the keys of a map.

    Raises:
        GenerationError: No text is left, or no type can express their rules.
    """
    # 1. Bytes, whose lengths are written in terms of their base64.
    schema = lengths_of_bytes(spot.schema)
    if (
        schema.get("x-contract-type") == "bytes"
        and schema.get("pattern") == BYTES.pattern
        and not schema.keys() & _BEYOND_BYTES
    ):
        return BytesShape(*size(spot.inner(schema), "Bytes"))
    # 2. Collect the rules, each pattern with its place.
    schema = spot.schema
    low, high = size(spot, "Length")
    patterns: list[tuple[Spot, str]] = []
    if "pattern" in schema:
        patterns.append((spot / "pattern", schema["pattern"]))
    for index, rule in enumerate(schema.get("allOf", ())):
        if rules_of(rule) != {"pattern"}:
            raise (spot / "allOf" / index).refuse(
                "only patterns can be given together; write the rules into one schema"
            )
        patterns.append((spot / "allOf" / index / "pattern", rule["pattern"]))
    for keyword in ("if", "then"):
        if keyword in schema:
            raise (spot / keyword).refuse(
                "no type has a rule that depends on its value; leave this out"
            )
    # 3. A text form, if the patterns are exactly its own. No form has lengths beside them.
    found = tuple(dict.fromkeys(pattern for _, pattern in patterns))
    if low is None and high is None:
        formed = _formed(spot, found, is_key=is_key)
        if formed is not None:
            return formed
    # 4. Any other text; its patterns must mean the same in all languages.
    for place, pattern in patterns:
        try:
            check_pattern(pattern)
        except ValueError as error:
            raise place.refuse(
                f"the pattern {pattern[:100]!r} is not read alike everywhere: {error}"
            ) from None
    text = StrShape(low, high, found)
    return known_shape(spot.text("x-contract-type"), text) or text


_BEYOND_BYTES: Final = frozenset({"if", "then", "allOf", "minLength", "maxLength"})

_BY_KIND: Final[Mapping[str, FormedShape]] = {
    row.kind: row.shape
    for row in ROWS.values()
    if row.kind is not None and isinstance(row.shape, Formed) and row.kind != "bytes"
}
"""``x-contract-type`` -> the shape of such a text; bytes have rules of their own."""
BY_FORMAT: Final[Mapping[str, FormedShape]] = {
    row.forms[0].format: row.shape
    for row in ROWS.values()
    if row.kind is None and isinstance(row.shape, Formed) and row.forms[0].format is not None
}
"""``format`` -> the shape of such a text, if the format says it all."""


def _formed(spot: Spot, patterns: tuple[str, ...], *, is_key: bool) -> TextShape | None:
    """
    The shape of a text without lengths.

    It is None if nothing tells it from the shape of any text.
    """
    first, *others = patterns or ("",)
    kind = spot.text("x-contract-type")
    if kind == "int":
        # an integer is written as a text only where it is a key
        if is_key and first == INTEGER_KEY.pattern and not others:
            return _int_key(spot, _limits(spot, kind, INTEGER_KEY))
        return None
    shape = _BY_KIND.get(kind) or BY_FORMAT.get(spot.text("format"))
    if shape is None:
        return None
    row = row_of(shape)
    form = next((form for form in row.forms if form.pattern == first), None)
    if form is None:
        return None
    offset = None
    if others:
        # a second pattern is that of an offset, which only a datetime can demand
        if not isinstance(shape, DatetimeShape) or len(others) > 1:
            return None
        offset = _offset(others[0])
        if offset is None:
            return None
    if "bounds" not in row.takes:
        if spot.schema.get("x-contract-bounds"):
            raise (spot / "x-contract-bounds").refuse(
                f"{row.label}s have no order, so they have no limit; leave this out"
            )
        return shape
    bounds = Bounds(**_limits(spot, row.kind or row.label, form))
    match shape:
        case DatetimeShape():
            return DatetimeShape(bounds, offset)
        case TimeShape():
            return TimeShape(bounds, _AWARE[form.pattern])
        case _:
            # the shapes of all other ordered types take their bounds, and nothing more
            ordered: Any = type(shape)
            made: FormedShape = ordered(bounds)
            return made


_AWARE: Final = {TIME.pattern: None, TIME_NAIVE.pattern: False, TIME_AWARE.pattern: True}
"""Whether a time has an offset; None if it may have one."""
_FIXED_OFFSET: Final = re.compile(r"(-|\[\+\])([01][0-9]|2[0-3]):([0-5][0-9])\$")


def _offset(pattern: str) -> timedelta | None:
    """The offset that the second pattern of a datetime demands, or None."""
    if pattern == "(Z|[+-]00:00)$":
        return timedelta(0)
    found = _FIXED_OFFSET.fullmatch(pattern)
    if found is None:
        return None
    offset = timedelta(hours=int(found[2]), minutes=int(found[3]))
    if found[1] == "-":
        return -offset
    return offset


def _limits(spot: Spot, kind: str, form: Form) -> dict[str, Any]:
    """The limits in ``x-contract-bounds``, by their names in `Bounds`, as values of *form*."""
    bounds: Mapping[str, Any] = spot.schema.get("x-contract-bounds", {})
    if not bounds:
        return {}
    spot = spot / "x-contract-bounds"
    limits: dict[str, Any] = {}
    for name, bound in bounds.items():
        try:
            limits[name] = form.parse(str(bound))
            fits = form is not INTEGER_KEY or I64_MIN <= limits[name] <= _U64_MAX
        except ValueError:
            fits = False
        if not fits:
            raise (spot / name).refuse(
                f"this is not a limit of type {kind}; write it as a value of that type"
            )
        if form is TIME:
            raise (spot / name).refuse(
                "a time with an offset is not compared with one without; "
                "write the pattern of one of them"
            )
    if "multiple_of" in limits and (
        form not in (DECIMAL, INTEGER_KEY) or limits["multiple_of"] <= 0
    ):
        raise (spot / "multiple_of").refuse(
            "only numbers can be multiples, and of more than 0; leave this out"
        )
    spot.check_order(limits)
    return limits


def _int_key(spot: Spot, limits: Mapping[str, int]) -> IntShape:
    low = max(limits.get("ge", I64_MIN), limits.get("gt", I64_MIN - 1) + 1)
    # the highest int is that of int64; an upper limit may raise it to that of uint64
    if "lt" in limits:
        high = min(limits.get("le", _U64_MAX), limits["lt"] - 1)
    else:
        high = limits.get("le", I64_MAX)
    if low > high:
        raise (spot / "x-contract-bounds").refuse(
            "no value is within these limits; write limits that leave something"
        )
    return IntShape(low, high, limits.get("multiple_of"))


# Values that are listed.


def listed_key(spot: Spot) -> LiteralShape | None:
    """
    The values that *spot* lists as the keys of a map; None if they are not keys.

    Raises:
        GenerationError: As `listed_shape`, or an integer is not written in plain digits.
    """
    listed = listed_shape(spot)
    if not isinstance(listed, LiteralShape):
        return None
    texts = [text for text in listed.values if isinstance(text, str)]
    if len(texts) < len(listed.values):
        return None
    if spot.text("x-contract-type") != "int":
        return listed
    if not all(map(INTEGER_KEY.matches, texts)):
        raise spot.refuse("as a key, an integer is written in plain digits; write it so")
    return LiteralShape(tuple(map(int, texts)))


def listed_shape(spot: Spot) -> LiteralShape | NullableShape | NullShape:
    """
    The values that *spot* lists.

    Raises:
        GenerationError: It lists no values, or one that a Literal cannot have.
    """
    others = rules_of(spot.schema) - {"type", "const", "enum"}
    if others:
        raise (spot / min(others)).refuse(
            "this is beside a list of values; leave it out, and the values that it forbids"
        )
    values = listed_values(spot)
    literal = LiteralShape(tuple(value for value in values if isinstance(value, str | int)))
    if not literal.values:
        return NullShape()
    if len(literal.values) < len(values):
        return NullableShape(literal)
    return literal


def listed_values(spot: Spot, *, of_enum: bool = False) -> list[Listed | None]:
    """
    The values of `listed_shape`, as they are written; those *of_enum* may have fractions.

    Raises:
        GenerationError: As `listed_shape`.
    """
    schema = spot.schema
    # 1. The types that the values may have, in Python; compared with `type(...)`, since True is an
    #    instance of int.
    declared = schema.get("type", [*_TYPES])
    names = {declared} if isinstance(declared, str) else {*declared}
    types = {_TYPES[name] for name in names if name in _TYPES}
    if of_enum and "number" in names:
        types.add(float)
    # 2. The values. With both keywords, only the value of "const" is left of those in "enum".
    wanted = schema.get("const", _ANY)
    values: list[Any] = [wanted]
    if "enum" in schema:
        values = schema["enum"]
    # by its type too, since 1 == True
    found: dict[tuple[type, Any], Listed | None] = {}
    for value in values:
        exact = value
        if isinstance(value, float) and value.is_integer():
            # 1 and 1.0 are one value in JSON Schema (2020-12, core, section 4.2.2)
            exact = int(value)
        if (isinstance(exact, float) and not of_enum) or (
            type(exact) is int and not I64_MIN <= exact <= _U64_MAX
        ):
            raise spot.refuse(
                f"{value!r} is not a value of a literal; write a text, true, false, "
                "null or an integer of 64 bits"
            )
        if type(exact) in types and (
            wanted is _ANY
            or (wanted == exact and isinstance(wanted, bool) == isinstance(exact, bool))
        ):
            found[type(exact), exact] = exact
    if not found:
        raise spot.refuse(
            "none of these values has the type that this names; write one that has it"
        )
    return [*found.values()]


_ANY: Final = object()
_TYPES: Final[dict[str, type[Any]]] = {
    "null": type(None),
    "boolean": bool,
    "integer": int,
    "number": int,
    "string": str,
}


def size(spot: Spot, what: str) -> tuple[int | None, int | None]:
    """
    The least and the greatest number allowed of *what*: Length, Items, Properties or Bytes.

    Raises:
        GenerationError: The least is greater than the greatest.
    """
    low, high = spot.schema.get(f"min{what}"), spot.schema.get(f"max{what}")
    if low and high is not None and low > high:
        raise spot.refuse(
            f"nothing has at least {low} and at most {high} of these; "
            "write limits that leave something"
        )
    return low or None, high
