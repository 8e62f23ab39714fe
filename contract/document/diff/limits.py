"""Limits: compares those of numbers, texts, arrays, maps, bytes, and values written as texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, Final, final

from contract.document.diff.changes import Finding, Relation, quoted
from contract.shape.json_text import JsonSchema
from contract.shape.record import record
from contract.shape.scalars import ROWS
from contract.shape.schema_lens import enumerated, mapping, text_in, types_of
from contract.shape.text_forms import INTEGER_KEY, Form

__all__ = ["LIMITS", "Limits", "all_keep", "limits"]

_SIZES: Final = {"Length": "characters", "Items": "items", "Properties": "entries"}
_BYTES: Final = "Bytes"
_INT64: Final = (-(2**63), 2**63 - 1)

LIMITS: Final = frozenset(
    {
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "x-contract-bounds",
    }
    | {f"min{keyword}" for keyword in (*_SIZES, _BYTES)}
    | {f"max{keyword}" for keyword in (*_SIZES, _BYTES)}
)
"""The keywords that are compared here; `lengths_of_bytes` writes the last pair."""


@final
@record
class _Edge:
    """A limit."""

    value: Any
    is_outside: bool
    """Whether the limit itself is not allowed."""
    shown: Any
    """The limit as it is written in the document."""


Limits = tuple[_Edge | None, _Edge | None]
"""The lower and the upper limit."""


def limits(old: JsonSchema, new: JsonSchema, *, items: bool = True) -> Iterator[Finding]:
    """
    The limits that differ.

    Args:
        old: A schema to which `lengths_of_bytes` has been applied.
        new: Another such schema.
        items: Whether to compare the numbers of items.
    """
    yield from _edges("value", _numbers(old, new), _numbers(new, old))
    yield from _multiples(old.get("multipleOf"), new.get("multipleOf"), _written_number)
    for keyword, unit in {**_SIZES, _BYTES: "bytes"}.items():
        if items or keyword != "Items":
            yield from _edges(f"number of {unit}", _sizes(old, keyword), _sizes(new, keyword))
    yield from _bounds(old, new)


def all_keep(old: JsonSchema, new: JsonSchema) -> bool:
    """Whether only one of two schemas lists values, all of which keep the limits of the other."""
    was, now = enumerated(old), enumerated(new)
    if was is not None and now is None:
        return all(_keeps(value, new) for value in was.values())
    return was is None and now is not None and all(_keeps(value, old) for value in now.values())


def _keeps(value: Any, schema: JsonSchema) -> bool:
    """Whether a listed *value* keeps the limits of *schema*; False if that is hard to say."""
    if isinstance(value, str):
        small = "x-contract-bounds" not in schema and not any(_sizes(schema, _BYTES))
        return small and _is_within(len(value), _sizes(schema, "Length"))
    number = _number(value)
    if number is None:
        return value is None or isinstance(value, bool)
    exact, step = _fraction(number), _written_number(schema.get("multipleOf"))
    if "multipleOf" in schema and (exact is None or not step or exact % step != 0):
        return False
    return _is_within(number, _ends(schema))


def _is_within(number: float, edges: Limits) -> bool:
    low, high = edges
    if low is not None and (number < low.value or (low.is_outside and number == low.value)):
        return False
    if high is None or number < high.value:
        return True
    return number == high.value and not high.is_outside


def _edges(quantity: str, old: Limits, new: Limits) -> Iterator[Finding]:
    for end, was, now in (("lower", old[0], new[0]), ("upper", old[1], new[1])):
        relation = _relation(was, now, is_lower=end == "lower")
        if relation != "same":
            before, after = _comparison(was, end), _comparison(now, end)
            text = f"the {end} limit of the {quantity} is {after}, was {before}"
            yield Finding(_CODES[relation], relation, text, before, after)


_CODES: Final[dict[Relation, str]] = {
    "narrower": "limit_narrowed",
    "wider": "limit_widened",
    "unclear": "limit_changed",
}


def _relation(old: _Edge | None, new: _Edge | None, *, is_lower: bool) -> Relation:
    if old is None:
        return "same" if new is None else "narrower"
    if new is None:
        return "wider"
    try:
        if old.value == new.value and old.is_outside == new.is_outside:
            return "same"
        if old.value == new.value:
            return "narrower" if new.is_outside else "wider"
        # a lower limit gets narrower as it rises, and an upper one as it falls
        is_higher = old.value < new.value
        return "narrower" if is_higher == is_lower else "wider"
    except TypeError:
        # they are of different kinds, such as a time with an offset and one without
        return "unclear"


def _comparison(edge: _Edge | None, end: str) -> str:
    if edge is None:
        return "none"
    sign = ">" if end == "lower" else "<"
    equal = "" if edge.is_outside else "="
    return f"{sign}{equal} {quoted(edge.shown)}"


# Numbers.


def _number(value: Any) -> float | None:
    # NaN is not a limit
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and value == value
    return value if is_number else None


def _numbers(schema: JsonSchema, other: JsonSchema) -> Limits:
    low, high = _ends(schema)
    if "number" in types_of(other) - types_of(schema):
        # if the other schema has no limit, the range of int64 belongs to the type, whose change is
        # reported by itself
        least, most = _ends(other)
        if least is None and low is not None and low.value == _INT64[0]:
            low = None
        if most is None and high is not None and high.value == _INT64[1]:
            high = None
    return low, high


def _ends(schema: JsonSchema) -> Limits:
    low = _stricter(_number(schema.get("minimum")), _number(schema.get("exclusiveMinimum")), max)
    high = _stricter(_number(schema.get("maximum")), _number(schema.get("exclusiveMaximum")), min)
    return low, high


def _stricter(
    inside: float | None, outside: float | None, choose: Callable[[Any, Any], Any]
) -> _Edge | None:
    if outside is not None and (inside is None or choose(outside, inside) == outside):
        return _Edge(outside, True, outside)  # noqa: FBT003  a record
    return None if inside is None else _Edge(inside, False, inside)  # noqa: FBT003  the same


def _sizes(schema: JsonSchema, keyword: str) -> Limits:
    low, high = _number(schema.get(f"min{keyword}")), _number(schema.get(f"max{keyword}"))
    least = most = None
    if low:  # at least 0 is no limit
        least = _Edge(low, False, low)  # noqa: FBT003
    if high is not None:
        most = _Edge(high, False, high)  # noqa: FBT003
    return least, most


def _multiples(old: Any, new: Any, read: Callable[[Any], Fraction | None]) -> Iterator[Finding]:
    if old is new or (type(old) is type(new) and old == new):
        return
    was, now = read(old), read(new)
    relation: Relation
    if old is None or new is None:
        relation = "narrower" if old is None else "wider"
    elif not was or not now:  # one is unreadable, or 0
        relation = "unclear"
    elif now == was:
        relation = "same"
    elif (now / was).denominator == 1:  # the multiples of 6 are multiples of 3
        relation = "narrower"
    elif (was / now).denominator == 1:
        relation = "wider"
    else:
        relation = "unclear"
    if relation != "same":
        text = f"the value is {_multiple(new)}, was {_multiple(old)}"
        yield Finding(_CODES[relation], relation, text, old, new)


def _multiple(step: Any) -> str:
    if step is None:
        return "any"
    return f"a multiple of {quoted(step)}"


def _written_number(value: Any) -> Fraction | None:
    number = _number(value)
    return None if number is None else _fraction(number)


def _fraction(value: Any) -> Fraction | None:
    try:
        text = str(value)  # compared as it is written: 0.3 is a multiple of 0.1
        number = Decimal(text)
    except (InvalidOperation, ValueError):  # not a number, or an integer of too many digits
        return None
    # an exact fraction of 1e999999999 would take all memory; a double ends near 1e308
    is_small = number.is_finite() and -400 < number.adjusted() < 400 and len(text) < 1000
    if not is_small:
        return None
    return Fraction(number)


# Values written as texts, which keywords of JSON Schema cannot limit.


def _bounds(old: JsonSchema, new: JsonSchema) -> Iterator[Finding]:
    was, now = mapping(old.get("x-contract-bounds")), mapping(new.get("x-contract-bounds"))
    if was == now:
        return
    kinds: set[str | None] = set()
    for schema in (old, new):
        if "x-contract-bounds" in schema:
            kinds.add(text_in(schema, "x-contract-type") or text_in(schema, "format"))
    # values of two kinds cannot be compared, so they all stay text
    kind = kinds.pop() if len(kinds) == 1 else None
    read = _FORMS[kind].parse if kind in _FORMS else _Unread
    yield from _edges("value", _read_edges(was, read), _read_edges(now, read))
    steps = was.get("multiple_of"), now.get("multiple_of")
    yield from _multiples(*steps, lambda step: _ratio(read, step))


def _forms() -> Iterator[tuple[str | None, Form]]:
    yield "int", INTEGER_KEY
    for row in ROWS.values():
        # numbers have bounds, too, and no form
        if "bounds" in row.takes and row.forms:
            form = row.forms[0]
            yield row.kind or form.format, form


_FORMS: Final[Mapping[str | None, Form]] = dict(_forms())
"""``x-contract-type``, or else ``format`` -> the form of such a text."""


def _read_edges(bounds: Any, read: Callable[[str], Any]) -> Limits:
    def edge(inside: str, outside: str) -> _Edge | None:
        for name in (inside, outside):
            if name in bounds:
                return _Edge(_safely(read, bounds[name]), name == outside, bounds[name])
        return None

    return edge("ge", "gt"), edge("le", "lt")


def _safely(read: Callable[[str], Any], value: Any) -> Any:
    try:
        return read(str(value))
    except (ValueError, ArithmeticError):
        return _Unread(str(value))


def _ratio(read: Callable[[str], Any], step: Any) -> Fraction | None:
    found = _safely(read, step)
    if isinstance(found, timedelta):
        return Fraction(found // timedelta(microseconds=1))
    if not isinstance(found, Decimal | int):  # there is no step, or it could not be read
        return None
    return _fraction(found)


@final
@record
class _Unread:
    """
    A text that cannot be compared: it equals only itself, and is never less or greater.
    """

    text: str
