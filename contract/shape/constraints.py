"""
Constraints: what is written beside a type in ``Annotated``, applied to its shape.

We know the constraints of ``annotated-types`` and our own ``Pattern``. Unknown metadata belongs to
somebody else and is ignored (PEP 593). Unknown *constraints* are refused, since they would limit
nothing here and look as if they did. A constraint that does not fit its type, or that no value can
fulfil, is refused too.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any, Final, NoReturn, cast

import annotated_types as at

from contract.shape.bounds import I64_MAX, I64_MIN, Bounds, as_written, whole_limits
from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.graph import is_read_once
from contract.shape.markers import Pattern
from contract.shape.names import label
from contract.shape.nodes import (
    ArrayShape,
    Basic,
    BasicShape,
    BytesShape,
    DatetimeShape,
    FloatShape,
    IntShape,
    LocalDatetimeShape,
    MapShape,
    NullableShape,
    OwnShape,
    Refined,
    Shape,
    StrShape,
    TimeShape,
    TupleShape,
    UnionShape,
)
from contract.shape.own_texts import SecretStr
from contract.shape.pages import MaxLimit, limited
from contract.shape.patterns import check_pattern
from contract.shape.python_types import narrowed
from contract.shape.quoting import shown
from contract.shape.refusals import refuse_foreign, refuse_limits
from contract.shape.scalars import (
    Constraint,
    bad_bound,
    bounds_of,
    datetime_limit,
    integral,
    row_of,
    time_limit,
)
from contract.shape.text_forms import MAX_DURATION
from contract.shape.upload import MaxBytes, marked, upload_in

__all__ = ["constrain", "unpack"]

U64_MAX: Final = 2**64 - 1
"""The widest integer that orjson writes."""

_ALWAYS_FINITE: Final = (math.isfinite, at.Not(math.isnan), at.Not(math.isinf))
_NEVER_FINITE: Final = (math.isnan, math.isinf, at.Not(math.isfinite))


def unpack(metadata: Iterable[object]) -> Iterator[object]:
    """*metadata* with its groups (``Interval``, ``Len``, the author's) taken apart."""
    for item in metadata:
        if not isinstance(item, type) and getattr(
            item, "__is_annotated_types_grouped_metadata__", False
        ):
            yield from unpack(cast("Iterable[object]", item))
        else:
            yield item


@dataclass(slots=True)
class _Wanted:
    """The constraints of one ``Annotated``, sorted."""

    ge: list[Any] = field(default_factory=list[Any])
    gt: list[Any] = field(default_factory=list[Any])
    le: list[Any] = field(default_factory=list[Any])
    lt: list[Any] = field(default_factory=list[Any])
    multiple_of: list[Any] = field(default_factory=list[Any])
    min_length: int | None = None
    max_length: int | None = None
    patterns: list[str] = field(default_factory=list[str])
    zones: list[Any] = field(default_factory=list[Any])
    predicates: list[Callable[[Any], object]] = field(default_factory=list[Callable[[Any], object]])

    @property
    def kinds(self) -> set[Constraint]:
        """The groups of these constraints; the type must take all of them."""
        groups: tuple[tuple[Constraint, object], ...] = (
            ("bounds", self.ge or self.gt or self.le or self.lt),
            ("MultipleOf", self.multiple_of),
            ("length", self.min_length is not None or self.max_length is not None),
            ("Pattern", self.patterns),
            ("Timezone", self.zones),
        )
        return {name for name, used in groups if used}


def constrain(shape: Shape, metadata: Iterable[object], where: str) -> Shape:
    """
    *shape*, narrowed by the constraints in *metadata*.

    On ``T | None`` they narrow T; on another union every member must take them.

    Raises:
        UnsupportedAnnotation: A constraint does not fit the shape, or contradicts another.
    """
    metadata = [*metadata]
    if upload_in(shape) is not None:
        return marked(shape, unpack(metadata))
    for item in metadata:
        if isinstance(item, MaxLimit):
            shape = limited(shape, item, where)
        elif isinstance(item, MaxBytes):
            raise UnsupportedAnnotation(
                where,
                f"MaxBytes({item.size}) is for an Upload; for a length write Len(0, {item.size})",
            )
    wanted = _sorted_out(metadata, shape, where)
    if not wanted.kinds and not wanted.predicates:
        return shape
    return _constrain(shape, wanted, where)


# Constraints are first sorted into a `_Wanted`, and then applied to the shape from the outside in:
# through null, predicates and unions, down to the type that takes them. What the shape has already
# (from an alias, or an inner `Annotated`) counts as well, and the narrower of two limits stays.


def _constrain(shape: Shape, wanted: _Wanted, where: str) -> Shape:
    if isinstance(shape, NullableShape):
        return NullableShape(_constrain(shape.inner, wanted, where))
    predicates = wanted.predicates
    if predicates and is_read_once(shape):
        raise UnsupportedAnnotation(
            where,
            "a Predicate would read an Iterable to its end; write Sequence[...] or Collection[...]",
        )
    if isinstance(shape, Refined):
        predicates = [*shape.predicates, *predicates]
        shape = shape.inner
    if isinstance(shape, UnionShape):
        # every member takes the limits; a predicate takes the value, whichever member it is of
        if wanted.kinds:
            plain = replace(wanted, predicates=[])
            shape = UnionShape(tuple(_constrain(member, plain, where) for member in shape.members))
    else:
        shape = _narrow(shape, wanted, where)
        if isinstance(shape, FloatShape | IntShape):
            if any(predicate in _NEVER_FINITE for predicate in predicates):
                raise UnsupportedAnnotation(
                    where,
                    "NaN and the infinities have no form on the wire; leave this predicate out",
                )
            predicates = [predicate for predicate in predicates if predicate not in _ALWAYS_FINITE]
    if predicates:
        return Refined(shape, tuple(predicates))
    return shape


def _sorted_out(metadata: Iterable[object], shape: Shape, where: str) -> _Wanted:
    """The constraints in *metadata*; what is left of them is refused, unless it limits nothing."""
    wanted = _Wanted()
    for item in unpack(metadata):
        refuse_foreign(item, shape, where)
        match item:
            case at.Ge(bound):
                wanted.ge.append(bound)
            case at.Gt(bound):
                wanted.gt.append(bound)
            case at.Le(bound):
                wanted.le.append(bound)
            case at.Lt(bound):
                wanted.lt.append(bound)
            case at.MultipleOf(step):
                wanted.multiple_of.append(step)
            case at.MinLen(length):
                _check_length(length, where)
                wanted.min_length = max(wanted.min_length or 0, length)
            case at.MaxLen(length):
                _check_length(length, where)
                if wanted.max_length is None or length < wanted.max_length:
                    wanted.max_length = length
            case at.Timezone(zone):
                wanted.zones.append(zone)
            case at.Predicate(function):
                if not callable(cast("object", function)):
                    raise UnsupportedAnnotation(
                        where, f"Predicate({shown(function)}) cannot be called; write a function"
                    )
                wanted.predicates.append(function)
            case MaxLimit():
                pass  # `constrain` has applied it
            case at.Unit():
                pass  # it says what a number means, not which numbers are valid
            # the constraints of annotated-types above are subclasses of it, so it comes last
            case at.BaseMetadata():
                raise UnsupportedAnnotation(
                    where,
                    f"{shown(item)} is a constraint that is not known here; write Predicate(...)",
                )
            case Pattern(regex):
                if not isinstance(cast("object", regex), str):
                    raise UnsupportedAnnotation(
                        where,
                        f"Pattern({shown(regex)}) holds no text; write the expression as a str",
                    )
                try:
                    check_pattern(regex)
                except ValueError as error:
                    raise UnsupportedAnnotation(
                        where, f"Pattern({shown(regex)}): {error}"
                    ) from error
                wanted.patterns.append(regex)
            case type() if issubclass(item, at.BaseMetadata | Pattern) or item in (
                at.Len,
                at.Interval,
            ):
                raise UnsupportedAnnotation(
                    where,
                    f"{item.__name__} is the class of a constraint; write {item.__name__}(...)",
                )
            case _:
                refuse_limits(item, shape, where)
    return wanted


def _check_length(length: object, where: str) -> None:
    # not isinstance: True is an int too
    if type(length) is not int or not 0 <= length <= I64_MAX:
        raise UnsupportedAnnotation(
            where, f"{shown(length)} is not a length; write an int from 0 to 2**63 - 1"
        )


_LENGTH: Final[frozenset[Constraint]] = frozenset({"length"})


def _takes(shape: Shape) -> frozenset[Constraint]:
    """The constraints that narrow *shape*."""
    if isinstance(shape, Basic):
        return row_of(shape).takes
    # beside a class that is no text itself, such as a Money, Len could mean anything
    if isinstance(shape, OwnShape) and issubclass(shape.type, str | SecretStr):
        return row_of(shape.inner).takes
    if isinstance(shape, ArrayShape | MapShape):
        return _LENGTH
    return frozenset()


_SPELLED: Final[dict[str, str]] = {"bounds": "Ge, Gt, Le, Lt", "length": "MinLen, MaxLen, Len"}


def _narrow(shape: Shape, wanted: _Wanted, where: str) -> Shape:
    takes = _takes(shape)
    misfits = wanted.kinds - takes
    if misfits:
        names = ", ".join(_SPELLED.get(kind, kind) for kind in sorted(misfits))
        raise UnsupportedAnnotation(
            where, f"{label(shape)} takes no {names}; {_advice(shape, takes, misfits)}"
        )
    if not wanted.kinds:
        return shape
    match shape:
        case IntShape():
            return _int(shape, wanted, where)
        case DatetimeShape() | LocalDatetimeShape():
            return _datetime(shape, wanted, where)
        case TimeShape():
            return _time(shape, wanted, where)
        case StrShape(low, high, patterns):
            low, high = _lengths(low, high, wanted, where)
            return StrShape(low, high, tuple(dict.fromkeys([*patterns, *wanted.patterns])))
        case BytesShape(low, high):
            return BytesShape(*_lengths(low, high, wanted, where))
        case ArrayShape(item, container, low, high):
            return ArrayShape(item, container, *_lengths(low, high, wanted, where), shape.abstract)
        case MapShape(key, value, low, high):
            return MapShape(key, value, *_lengths(low, high, wanted, where), shape.abstract)
        case OwnShape():
            inner = cast("StrShape", _narrow(shape.inner, wanted, where))
            return narrowed(shape, inner)
        case Basic():
            return _ordered(shape, wanted, where)
        case _:  # pragma: no cover  no other shape takes constraints
            raise AssertionError(shape)


def _advice(shape: Shape, takes: frozenset[Constraint], misfits: set[Constraint]) -> str:
    """Advice: what to write instead of a constraint that was meant for another type."""
    if isinstance(shape, TupleShape):
        return "its length is fixed; leave it out"
    if isinstance(shape, StrShape) and misfits == {"bounds"}:
        return "for the length of a text write Len(1, 40)"
    if "length" in takes and misfits == {"bounds"}:
        return "for a length write Len(1, 40)"
    if "MultipleOf" in takes and misfits == {"length"}:
        return "for the size of a number write Ge(1), Le(40)"
    return "put it on the type that it limits, or write a Predicate"


def _ordered(shape: BasicShape, wanted: _Wanted, where: str) -> Shape:
    """*shape*, whose only field is its bounds."""
    limit = row_of(shape).limit
    assert limit is not None  # noqa: S101  a shape that takes bounds has a limit
    narrowed: Any = type(shape)
    made: Shape = narrowed(_bounds(bounds_of(shape), wanted, limit, where))
    return made


def _lengths(
    low: int | None, high: int | None, wanted: _Wanted, where: str
) -> tuple[int | None, int | None]:
    lowest = max(low or 0, wanted.min_length or 0) or None
    highest = min(
        (length for length in (high, wanted.max_length) if length is not None), default=None
    )
    if lowest is not None and highest is not None and lowest > highest:
        _contradiction(where, f"a length of at least {lowest} and of at most {highest}")
    return lowest, highest


def _contradiction(where: str, both: str) -> NoReturn:
    raise UnsupportedAnnotation(where, f"no value has {both}; write limits that leave something")


# Integers: every limit becomes one of two inclusive integers.


def _int(shape: IntShape, wanted: _Wanted, where: str) -> IntShape:
    lows = [integral(bound, where, math.ceil) for bound in wanted.ge]
    lows += [integral(bound, where, math.floor) + 1 for bound in wanted.gt]
    highs = [integral(bound, where, math.floor) for bound in wanted.le]
    highs += [integral(bound, where, math.ceil) - 1 for bound in wanted.lt]
    # a limit of the author's replaces the limit that every int has: so an int can be wider than
    # 64 bits signed
    if shape.minimum != I64_MIN:
        lows.append(shape.minimum)
    if shape.maximum != I64_MAX:
        highs.append(shape.maximum)
    low, high = max(lows, default=I64_MIN), min(highs, default=I64_MAX)
    if low < I64_MIN:
        bad_bound(where, low, "at least -2**63: no lower int can be written")
    if high > U64_MAX:
        bad_bound(where, high, "at most 2**64 - 1: no higher int can be written")
    if low > high:
        _contradiction(where, f"at least {low} and at most {high}")
    steps: list[int] = []
    if shape.multiple_of is not None:
        steps.append(shape.multiple_of)
    for step in wanted.multiple_of:
        if type(step) is not int or not 0 < step <= I64_MAX:
            bad_bound(where, step, "MultipleOf(...) of a positive int of at most 63 bits")
        steps.append(step)
    if not steps:
        return IntShape(low, high)
    # a multiple of each of several ints is one of their least common multiple
    together = math.lcm(*steps)
    if together > I64_MAX:
        raise UnsupportedAnnotation(
            where,
            f"only multiples of {together} are multiples of all, which has more than 63 bits; "
            "write one of them",
        )
    if high // together * together < low:
        _contradiction(where, f"a multiple of {together} between {low} and {high}")
    return IntShape(low, high, together)


# The other ordered types keep their limits as written, the tightest of each kind.


def _bounds(
    known: Bounds, wanted: _Wanted, convert: Callable[[Any, str], Any], where: str
) -> Bounds:
    ge = _tightest(max, known.ge, wanted.ge, convert, where)
    gt = _tightest(max, known.gt, wanted.gt, convert, where)
    le = _tightest(min, known.le, wanted.le, convert, where)
    lt = _tightest(min, known.lt, wanted.lt, convert, where)
    for low, above in ((ge, "at least"), (gt, "more than")):
        for high, below in ((le, "at most"), (lt, "less than")):
            if low is None or high is None or low < high:
                continue
            if low > high or (above, below) != ("at least", "at most"):
                _contradiction(where, f"{above} {low} and {below} {high}")
    steps: set[Any] = set()
    if known.multiple_of is not None:
        steps.add(known.multiple_of)
    for step in wanted.multiple_of:
        converted = convert(step, where)
        if converted <= 0:
            bad_bound(where, step, "MultipleOf(...) of a positive number")
        steps.add(converted)
    if len(steps) > 1:
        raise UnsupportedAnnotation(where, "only integers take several MultipleOf; write one")
    bounds = Bounds(ge, gt, le, lt, next(iter(steps), None))
    _check_ends(bounds, where)
    _check_between(bounds, where)
    return bounds


_ENDS: Final[dict[type, tuple[Any, Any]]] = {
    float: (-sys.float_info.max, sys.float_info.max),
    date: (date.min, date.max),
    datetime: (datetime.min, datetime.max),  # noqa: DTZ901  an offset moves them
    time: (time.min, time.max),
    timedelta: (-MAX_DURATION, MAX_DURATION),
}
"""Type -> its first and its last value."""


def _check_ends(bounds: Bounds, where: str) -> None:
    """Check that no limit leaves out the last value of its type, too."""
    for limit, end, words in ((bounds.gt, 1, "more than"), (bounds.lt, 0, "less than")):
        ends = _ENDS.get(cast("type[object]", type(limit)))
        # with an offset, a moment is never equal to one of these
        if ends is not None and limit == ends[end]:
            _contradiction(where, f"{words} {limit}")


def _check_between(bounds: Bounds, where: str) -> None:
    """Check that there is a value between the limits, the lower of which is below the higher."""
    low = max((each for each in (bounds.ge, bounds.gt) if each is not None), default=None)
    high = min((each for each in (bounds.le, bounds.lt) if each is not None), default=None)
    if low is None or high is None:
        return
    if bounds.multiple_of is None:
        # an inclusive limit is itself a value between the two
        if (low, high) == (bounds.gt, bounds.lt) and _next(low) == high:
            _contradiction(where, f"more than {low} and less than {high}")
        return
    # in fractions, as a quotient of floats is rounded: 0.3 / 0.1 is less than 3
    step = as_written(bounds.multiple_of)
    first, last = whole_limits(bounds, lambda limit: as_written(limit) / step)
    if first is not None and last is not None and first > last:
        _contradiction(where, f"a multiple of {bounds.multiple_of} between {low} and {high}")


def _next(value: Any) -> Any:
    """The least value of its type above *value*, or *value* where there is always one between."""
    match value:
        case float():
            return math.nextafter(value, math.inf)
        case date() | timedelta():  # a datetime is a date
            return value + value.resolution
        case time():
            return (datetime.combine(date.min, value) + value.resolution).timetz()
        case _:  # a Decimal
            return value


def _tightest(
    choose: Callable[[list[Any]], Any],
    known: Any,
    wanted: list[Any],
    convert: Callable[[Any, str], Any],
    where: str,
) -> Any:
    bounds = [convert(bound, where) for bound in wanted]
    if known is not None:
        bounds.append(known)
    if not bounds:
        return None
    return choose(bounds)


def _datetime(shape: DatetimeShape | LocalDatetimeShape, wanted: _Wanted, where: str) -> Shape:
    local = {zone is None for zone in wanted.zones}
    is_local = isinstance(shape, LocalDatetimeShape)
    # `datetime` alone becomes a local one by its zone, but not once it has limits or an offset
    if is_local or shape != DatetimeShape():
        local.add(is_local)
    if len(local) > 1:
        _contradiction(where, "an offset and none")
    if isinstance(shape, LocalDatetimeShape) or True in local:
        return _ordered(LocalDatetimeShape(shape.bounds), wanted, where)
    return DatetimeShape(
        _bounds(shape.bounds, wanted, datetime_limit, where),
        _offset(shape.offset, wanted.zones, where),
    )


def _offset(known: timedelta | None, zones: list[Any], where: str) -> timedelta | None:
    # the ellipsis asks for an offset, and leaves open which
    offsets = {_fixed_offset(zone, where) for zone in zones if zone is not ...}
    if known is not None:
        offsets.add(known)
    if len(offsets) > 1:
        _contradiction(where, "two offsets")
    return next(iter(offsets), None)


def _fixed_offset(zone: object, where: str) -> timedelta:
    if zone == "UTC":
        return timedelta(0)
    offset = None
    if isinstance(zone, tzinfo):
        # without a moment, a zone with summer time has no offset
        offset = zone.utcoffset(None)
    if offset is None or offset.total_seconds() % 60:
        advice = (
            'write Timezone(...) with the ellipsis, Timezone("UTC") or a fixed offset: '
            "Timezone(timezone(timedelta(hours=1)))"
        )
        raise UnsupportedAnnotation(
            where,
            f"Timezone({shown(zone)}) is not a fixed offset of whole minutes, "
            f"and the wire carries offsets, not zones; {advice}",
        )
    return offset


def _time(shape: TimeShape, wanted: _Wanted, where: str) -> TimeShape:
    aware = {zone is not None for zone in wanted.zones}
    if any(zone is not None and zone is not ... for zone in wanted.zones):
        raise UnsupportedAnnotation(
            where,
            "a time cannot have a certain zone; write Timezone(...) with the ellipsis, "
            "or Timezone(None)",
        )
    # a time without an offset cannot be compared with one that has an offset, so a limit settles
    # which of the two is meant
    for bound in (*wanted.ge, *wanted.gt, *wanted.le, *wanted.lt):
        aware.add(time_limit(bound, where).utcoffset() is not None)
    if shape.aware is not None:
        aware.add(shape.aware)
    if len(aware) > 1:
        _contradiction(where, "an offset and none")
    return TimeShape(_bounds(shape.bounds, wanted, time_limit, where), next(iter(aware), None))
