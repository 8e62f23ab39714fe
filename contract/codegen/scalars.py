"""Scalars: the schemas of values without parts, read back into types."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Final

from contract.codegen.forms import BASE64, text_type
from contract.codegen.model import (
    BytesType,
    FloatType,
    IntType,
    Limits,
    LiteralType,
    NullableType,
    NullType,
    Scalar,
    StrType,
    TextType,
)
from contract.codegen.spots import Spot, constraints
from contract.document.limits import lengths_of_bytes
from contract.shape.patterns import check_pattern

__all__ = ["float_type", "int_type", "listed_type", "listed_values", "size", "string_type"]

_LEAST: Final = -(2**63)
_MOST: Final = 2**63 - 1
"""Where every integer ends, unless its schema says that it ends elsewhere."""
_MOST_UNSIGNED: Final = 2**64 - 1
"""No greater integer can be written."""


def int_type(spot: Spot) -> IntType:
    """
    The integers that *spot* takes.

    Raises:
        GenerationError: There are none.
    """
    schema = spot.schema
    low = max(
        math.ceil(schema.get("minimum", _LEAST)),
        math.floor(schema.get("exclusiveMinimum", _LEAST - 1)) + 1,
        _LEAST,
    )
    high = min(
        math.floor(schema.get("maximum", _MOST)),
        math.ceil(schema.get("exclusiveMaximum", _MOST_UNSIGNED + 1)) - 1,
        _MOST_UNSIGNED,
    )
    # n is a multiple of p/q, in its lowest terms, where it is one of p
    step = _fraction(schema["multipleOf"]).numerator if "multipleOf" in schema else None
    if low > high or (step is not None and (high // step * step < low or step > _MOST)):
        raise spot.refuse(
            "no integer of 64 bits is within these limits; write limits that leave something"
        )
    return IntType(
        Limits(
            ge=None if low == _LEAST else low, le=None if high == _MOST else high, multiple_of=step
        )
    )


def float_type(spot: Spot) -> FloatType:
    """
    The numbers that *spot* takes.

    Raises:
        GenerationError: There are none.
    """
    keywords = {
        "ge": "minimum",
        "gt": "exclusiveMinimum",
        "le": "maximum",
        "lt": "exclusiveMaximum",
        "multiple_of": "multipleOf",
    }
    limits = {
        name: _double(spot.schema[keyword])
        for name, keyword in keywords.items()
        if keyword in spot.schema
    }
    spot.check_order(limits)
    return FloatType(Limits(**limits))


def string_type(spot: Spot, *, is_key: bool = False) -> StrType | BytesType | TextType:
    """
    The texts that *spot* takes, and what they stand for.

    Args:
        spot: Where they are described.
        is_key: Whether they are the keys of a map.

    Raises:
        GenerationError: There are none, or they are described by rules for which no type has room.
    """
    schema = lengths_of_bytes(spot.schema)
    if (
        schema.get("x-contract-type") == "bytes"
        and schema.get("pattern") == BASE64
        and not schema.keys() & _BEYOND_BYTES
    ):
        return BytesType(*size(spot.inner(schema), "Bytes"))
    schema = spot.schema
    low, high = size(spot, "Length")
    patterns = [(spot / "pattern", schema["pattern"])] if "pattern" in schema else []
    for index, rule in enumerate(schema.get("allOf", ())):
        if constraints(rule) != {"pattern"}:
            raise (spot / "allOf" / index).refuse(
                "only patterns can be given together; write the rules into one schema"
            )
        patterns.append((spot / "allOf" / index / "pattern", rule["pattern"]))
    if "if" in schema or "then" in schema:
        raise (spot / ("if" if "if" in schema else "then")).refuse(
            "no type has a rule that depends on its value; leave this out"
        )
    found = tuple(dict.fromkeys(pattern for _, pattern in patterns))
    text = text_type(spot, found, is_key=is_key) if low is None and high is None else None
    if text is not None:
        return text
    for place, pattern in patterns:
        _check_pattern(place, pattern)
    return StrType(low, high, found)


def _check_pattern(spot: Spot, pattern: str) -> None:
    try:
        check_pattern(pattern)
    except ValueError as error:
        raise spot.refuse(
            f"the pattern {pattern[:100]!r} is not read alike everywhere: {error}"
        ) from None


_BEYOND_BYTES: Final = frozenset({"if", "then", "allOf", "minLength", "maxLength"})


def listed_type(spot: Spot) -> LiteralType | NullableType | NullType:
    """
    The values that *spot* lists.

    Raises:
        GenerationError: It lists none, or one that no literal can be.
    """
    others = constraints(spot.schema) - {"type", "const", "enum"}
    if others:
        raise (spot / min(others)).refuse(
            "this stands beside a list of values; leave out those that it forbids, and this"
        )
    values = listed_values(spot)
    literals = tuple(value for value in values if value is not None)
    if not literals:
        return NullType()
    return (
        NullableType(LiteralType(literals))
        if len(literals) < len(values)
        else LiteralType(literals)
    )


def listed_values(spot: Spot) -> list[Scalar | None]:
    """
    The same as `listed_type`, as they stand there.

    Raises:
        GenerationError: The same.
    """
    schema = spot.schema
    told = schema.get("type", [*_TYPES])
    names = {told} if isinstance(told, str) else {*told}
    types = {_TYPES[name] for name in names if name in _TYPES}
    values: list[Any] = schema["enum"] if "enum" in schema else [schema["const"]]
    wanted = schema.get("const", _ANY)
    found: dict[tuple[type, Any], Scalar | None] = {}
    for value in values:
        exact: Any = int(value) if isinstance(value, float) and value.is_integer() else value
        if isinstance(exact, float) or (
            type(exact) is int and not _LEAST <= exact <= _MOST_UNSIGNED
        ):
            raise spot.refuse(
                f"{value!r} is no value of a literal; a text, true, false, null or an integer of 64 bits is"
            )
        if type(exact) in types and (
            wanted is _ANY
            or (wanted == exact and isinstance(wanted, bool) == isinstance(exact, bool))
        ):
            found[type(exact), exact] = exact
    if not found:
        raise spot.refuse("none of these values has the type that is told; write one that has it")
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
    How many there may be.

    Args:
        spot: What has a limit.
        what: Length, Items, Properties or Bytes.

    Raises:
        GenerationError: At least more than at most.
    """
    low, high = spot.schema.get(f"min{what}"), spot.schema.get(f"max{what}")
    if low and high is not None and low > high:
        raise spot.refuse(
            f"nothing has at least {low} and at most {high} of these; write limits that leave something"
        )
    return low or None, high


def _fraction(number: float) -> Fraction:
    return Fraction(str(number))  # as it is written: 0.1 is a tenth


def _double(number: float) -> float:
    """*number*, or the nearest that a double can hold."""
    return float(number) if isinstance(number, int) and abs(number) > 2**53 else number
