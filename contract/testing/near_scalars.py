"""
Near scalars: JSON values that break one rule of a scalar's shape, with the code of that rule.

Candidates are proposed and then judged: one that breaks two rules, or no rule, is dropped.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta, timezone
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from contract.shape import text_forms
from contract.shape.graph import as_json_has_it, json_types
from contract.shape.nodes import (
    AnyShape,
    Basic,
    BoolShape,
    DatetimeShape,
    EnumShape,
    Formed,
    IntShape,
    Listed,
    LiteralShape,
    NullableShape,
    NullShape,
    OwnShape,
    RefShape,
    Shape,
    StrShape,
    TupleShape,
    UnionShape,
)
from contract.shape.scalars import JsonType, form_of, row_of
from contract.testing.ends import LONGEST, Broken, outside
from contract.testing.scalars import Scalar, scalar_values
from contract.testing.texts import judge

__all__ = ["KINDS", "cardinality", "kinds", "near_keys", "near_scalars", "wrong_kinds"]

KINDS: Final[dict[JsonType, Any]] = {
    "null": None,
    "boolean": True,
    "integer": 1,
    "number": 1.5,
    "string": "?",
    "array": [],
    "object": {},
}
"""Type -> its simplest value, which no string form accepts; a "number" has a fraction."""

_CLOCKS: Final = (
    "24:00:00",
    "10:00",
    "10:60:00",
    "10:00:60",
    "10:00:00.1234567890",
    "T10:00:00",
    "10:00:00+24:00",
    "36000",
)
_WRONG_TEXTS: Final[dict[str, tuple[str, ...]]] = {
    "date-time": (
        "",
        "2024-01-01",
        "2024-01-01T10:00:00",
        "2024-01-01 10:00:00Z",
        "2024-13-01T10:00:00Z",
        "2024-02-30T10:00:00Z",
        "2024-01-01T24:00:00Z",
        "2024-01-01T10:00Z",
        "2024-01-01T10:00:00.1234567890Z",
        "0000-01-01T10:00:00Z",
        "2024-01-01T10:00:00+01:00:30",
        "2024-01-01T10:00:00z",
        "2024-01-01T10:00:00Z\n",
        "1704067200",
    ),
    "date-time-local": (
        "",
        "2024-01-01",
        "2024-01-01T10:00:00Z",
        "2024-01-01T10:00:00+01:00",
        "2024-01-01 10:00:00",
        "2024-02-30T10:00:00",
        "2024-01-01T24:00:00",
        "2024-01-01T10:00",
        "0000-01-01T10:00:00",
    ),
    "date": (
        "",
        "2024-02-30",
        "2024-13-01",
        "2024-1-1",
        "20240101",
        "2024-01-01T00:00:00Z",
        "2024-01-01\n",
        "0000-01-01",
        "1704067200",
    ),
    "time": (
        *_CLOCKS,
        "10:00:00",
    ),
    "partial-time": (
        *_CLOCKS,
        "10:00:00Z",
        "10:00:00+01:00",
    ),
    "duration": (
        "",
        "P",
        "PT",
        "P1W",
        "P1Y",
        "1 day",
        "P1DT",
        "PT1.1234567S",
        "PT1H\n",
        "P9999999999D",
        "86400",
    ),
    "decimal": (
        "",
        "?",
        "1,5",
        "1_000",
        ".5",
        "1.",
        "+1",
        " 1",
        "1\n",
        "NaN",
        "Infinity",
        "0x1",
        "٣",
        "1" * 41 + ".",
    ),
    "uuid": (
        "",
        "0" * 32,
        "00000000-0000-0000-0000-00000000000",
        "{00000000-0000-0000-0000-000000000000}",
        "urn:uuid:00000000-0000-0000-0000-000000000000",
        "g0000000-0000-0000-0000-000000000000",
    ),
    "byte": ("?", "AA", "AA=", "AB==", "AA==\n", "A A=", "AA-_"),
}
"""
Name of a form -> texts that almost match it.

A form that is not listed is covered by the attempts for every form.
"""
# an exponent that is too large, or 41 digits on one side of the point, where 40 are allowed
_OVERSIZED: Final = (
    "1E+100",
    "-1e-100",
    "1" * 41 + ".1",
    "0." + "1" * 41,
    "1E+999",
    "1e-999999999",
    "1" * 41,
)


def kinds(shape: Shape) -> frozenset[JsonType]:
    """The kinds of JSON values that *shape* accepts."""
    found: set[JsonType] = {*json_types(shape)}
    if "number" in found:
        found.add("integer")
    return frozenset(found)


def cardinality(shape: Shape) -> float:
    """
    A lower bound for the number of values of *shape*.

    Infinite unless they are few and easily counted.
    """
    match shape:
        case NullShape():
            return 1
        case BoolShape():
            return 2
        case IntShape(minimum, maximum, multiple_of):
            return maximum // (multiple_of or 1) - -(-minimum // (multiple_of or 1)) + 1
        case LiteralShape(values):
            return len(values)
        case EnumShape(_, members):
            return len(members)
        case NullableShape(inner):
            return cardinality(inner) + 1
        case RefShape(definition) if not definition.recursive:
            return cardinality(definition.shape)
        case UnionShape(members):
            # true and 1 are equal in Python, so the sum would be too large
            return max(map(cardinality, members))
        case TupleShape(items):
            return math.prod(map(cardinality, items))
        case _:
            return math.inf


def near_scalars(
    shape: Scalar, *, right_kind: bool = False, form: str | None = None
) -> list[SearchStrategy[Broken]]:
    """
    Strategies for values that almost fit *shape*, one for each kind of rule.

    With *right_kind*, only JSON kinds that it accepts; with *form*, its first pattern is that of a
    form.
    """
    own: list[type] = [type(KINDS[kind]) for kind in kinds(shape)]
    found: list[SearchStrategy[Broken]] = []
    for misses in _sorts(shape):
        fitting = [miss for miss in misses if not right_kind or type(miss[0]) in own]
        if fitting:
            found.append(st.sampled_from(fitting))
    if isinstance(shape, DatetimeShape) and shape.offset is not None:
        # an hour later, or earlier where that might be no offset any more: it is less than a day
        hours = 1 if shape.offset < timedelta(hours=12) else -1
        zone = timezone(shape.offset + timedelta(hours=hours))
        moved = scalar_values(shape).map(lambda value: value.astimezone(zone).isoformat())
        found.append(moved.map(lambda text: (text, "timezone")))
    otherwise: Broken | None = None
    if not right_kind:
        otherwise = (None, "string_type")
    return found + _texts(shape, otherwise, form)


def near_keys(shape: Shape, form: str | None = None) -> list[SearchStrategy[Broken]]:
    """
    Strategies for keys that almost fit *shape*; with *form*, its first pattern is that of a form.
    """
    match shape:
        case RefShape(definition):
            return near_keys(definition.shape)
        case OwnShape(inner):
            return near_keys(inner, shape.form)
        case IntShape(minimum, maximum):
            wrong = [(text, "format") for text in ("", "?", "01", "-0", "+1", "1.0", "1e0", " 1")]
            below = (str(minimum - 1), "greater_than_equal")
            above = (str(maximum + 1), "less_than_equal")
            return [st.sampled_from([*wrong, below, above])]
        case LiteralShape(values):
            return _near_listed(values)
        case EnumShape(_, members):
            return _near_listed([wire for _, wire in members])
        case Basic():
            found: list[SearchStrategy[Broken]] = []
            for sort in _sorts(shape):
                texts = [broken for broken in sort if isinstance(broken[0], str)]
                if texts:
                    found.append(st.sampled_from(texts))
            return found + _texts(shape, None, form)
        case _:  # pragma: no cover  no other shape is a key
            return []


def _near_listed(values: Iterable[object]) -> list[SearchStrategy[Broken]]:
    texts = [value for value in _unknown([*map(str, values)]) if isinstance(value, str)]
    return [st.sampled_from([(text, "unknown_value") for text in texts])]


def _sorts(shape: Scalar) -> list[list[Broken]]:
    return [list(wrong_kinds(shape)), list(_wrong_texts(shape)), list(outside(shape))]


def wrong_kinds(shape: Scalar) -> Iterator[Broken]:
    """Simple JSON values of every kind that *shape* does not have."""
    match shape:
        case AnyShape():
            return
        case LiteralShape(values):
            yield from ((value, "unknown_value") for value in _unknown(values))
        case EnumShape(_, members):
            wires = [wire for _, wire in members]
            yield from ((value, "unknown_value") for value in _unknown(wires))
        case _:
            own = kinds(shape)
            yield from (
                (value, f"{row_of(shape).json_type}_type")
                for kind, value in KINDS.items()
                if kind not in own
            )


def _unknown(values: Sequence[Listed]) -> Iterator[Any]:
    # with their types: true is equal to 1 in Python
    known = {(type(value), value) for value in map(as_json_has_it, values)}
    near: list[Any] = [str(value) for value in values] + [
        f"{value}_" for value in values if isinstance(value, str)
    ]
    near += [value + 1 for value in values if type(value) is int]
    for value in (*KINDS.values(), False, 0, *near):
        if isinstance(value, list | dict) or (type(value), value) not in known:
            yield value


def _wrong_texts(shape: Scalar) -> Iterator[Broken]:
    if not isinstance(shape, Formed):
        return
    form, sample = form_of(shape), row_of(shape).samples[0]
    bent = ("", "?", f"{sample}\n", f" {sample}")
    for text in dict.fromkeys((*bent, *_WRONG_TEXTS.get(form.name, ()))):
        try:
            form.parse(text)
        except ValueError:
            yield text, "format"
    if form is text_forms.DECIMAL:
        yield from ((text, "decimal_size") for text in _OVERSIZED)


_SAMPLES: Final = ("a", "A", "0", "-", "?", " ", "\n", "é", "\U0001f600")


def _texts(
    shape: Scalar, otherwise: Broken | None, form: str | None
) -> list[SearchStrategy[Broken]]:
    # A pattern may match everything, which cannot be decided. So if nothing is found that it
    # refuses, *otherwise* is broken instead.
    if not isinstance(shape, StrShape) or not (
        shape.patterns or shape.min_length or shape.max_length is not None
    ):
        return []
    low, high = shape.min_length or 0, shape.max_length
    if high is not None and high >= LONGEST:
        high = None
    sizes = {low, low + 1, max(low - 1, 0)}
    if high is not None:
        sizes |= {high, high + 1}
    broken = judge(shape, form)

    def misses(candidates: Iterable[str]) -> list[Broken]:
        found: list[Broken] = []
        for text in candidates:
            codes = broken(text)
            if len(codes) == 1:
                found.append((text, codes[0]))
        return found

    def bend(text: str) -> Broken | None:
        longer = ""
        if high is not None:
            # a character that is already in the text may well be allowed again
            longer = text + text[-1:] * (high + 1 - len(text))
        # engines differ about a final line feed, so it comes first
        bent = misses((f"{text}\n", longer, text[: max(low - 1, 0)], text[1:], f"?{text}"))
        if not bent:
            return None
        return bent[0]

    simple = misses(dict.fromkeys(sample * size for sample in _SAMPLES for size in sorted(sizes)))
    bends = scalar_values(shape).map(bend)
    if simple:
        return [st.sampled_from(simple), bends.map(lambda found: found or simple[0])]
    if otherwise:
        return [bends.map(lambda found: found or otherwise)]
    return []
