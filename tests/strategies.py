"""
Strategies of types: annotations of every kind that a route can carry, drawn at random.

What is drawn is always legal: a union whose members can be told apart, limits that leave something,
items of sets that can be hashed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, make_dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from functools import cache, partial, reduce
from operator import or_
from types import new_class
from typing import Annotated, Any, Final, Literal, NamedTuple, Never, NotRequired, TypeVar
from uuid import UUID

import typing_extensions
from annotated_types import Ge, Gt, Le, Len, Lt, MultipleOf, Timezone
from hypothesis import HealthCheck
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from typing_extensions import ReadOnly, TypeAliasType

from contract.shape.markers import UNSET, LocalDatetime, Name, Pattern, Unset
from contract.testing import strategy
from tests.samples import ANNOTATIONS, CITY, ONE_WAY, Box, Color, Either, Level, Odd, Page
from tests.words import words

__all__ = ["LARGE", "SCALARS", "same", "types"]

LARGE: Final = (HealthCheck.too_slow, HealthCheck.data_too_large)
"""What Hypothesis finds fault with where types are drawn, and values of them."""


A = TypeVar("A")
B = TypeVar("B")
Rows = TypeAliasType("Rows", tuple[A, list[B]], type_params=(A, B))
Perhaps = TypeAliasType("Perhaps", A | None, type_params=(A,))  # type: ignore[valid-type, unused-ignore]


def same(one: object, other: object) -> bool:
    """
    Whether two values are equal, and of the same types all through, and decimals of the same digits.

    An int may stand for the float that equals it.
    """
    if type(one) is not type(other):
        return {type(one), type(other)} == {int, float} and one == other
    if isinstance(one, Decimal) and isinstance(other, Decimal):
        return one.as_tuple() == other.as_tuple()
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(
            same(value, other[key]) for key, value in one.items()
        )
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if is_dataclass(one) and is_dataclass(other):
        return all(same(getattr(one, each.name), getattr(other, each.name)) for each in fields(one))
    return one == other


# Scalars.


def _bounded(kind: type, middle: SearchStrategy[Any], step: Any) -> SearchStrategy[Any]:
    """*kind* with limits that leave at least what they were drawn around."""

    def limit(around: Any, below: int, above: int, *, open_below: bool, open_above: bool) -> Any:
        limits: list[Any] = []
        if below < 4:
            limits.append((Gt if open_below else Ge)(around - (below + open_below) * step))
        if above < 4:
            limits.append((Lt if open_above else Le)(around + (above + open_above) * step))
        return Annotated[kind, *limits] if limits else kind

    distance, either = st.integers(0, 4), st.booleans()
    return st.builds(limit, middle, distance, distance, open_below=either, open_above=either)


def _sized(kind: Any, longest: int = 6) -> SearchStrategy[Any]:
    lengths = st.tuples(st.integers(0, longest), st.integers(0, longest)).map(sorted)
    return lengths.map(lambda pair: Annotated[kind, Len(*pair)])


def _literals() -> SearchStrategy[Any]:
    values = st.sampled_from(["a", "b", "", "true", "1", 0, 1, -3, 2**40, True, False])
    return st.lists(values, min_size=1, max_size=4).map(lambda drawn: Literal[tuple(drawn)])


def _enums() -> SearchStrategy[Any]:
    values = st.one_of(
        st.lists(
            st.text(st.characters(codec="utf-8"), max_size=4), min_size=1, max_size=4, unique=True
        ),
        st.lists(st.integers(-5, 5), min_size=1, max_size=4, unique=True),
    )
    return st.one_of(
        st.sampled_from([Color, Level, Odd]),
        values.map(lambda drawn: Enum("Drawn", {f"M{at}": each for at, each in enumerate(drawn)})),
    )


PATTERNS: Final = words(
    r"^[a-z]+$ ^[A-Z]{2}[0-9]{3}$ a ^(red|green|blue)$ ^\d+\.\d{2}$ [^a]$ ^x?y*z+ ^$|^ok"
)

_MOMENTS: Final = st.integers(-10, 10).map(
    lambda days: datetime(2024, 1, 1, tzinfo=UTC) + timedelta(days=days)
)
_INTEGERS: Final = st.one_of(
    st.just(int),
    _bounded(int, st.integers(-100, 100), 1),
    st.builds(
        lambda low, step: Annotated[int, Ge(low), Lt(low + 3 * step), MultipleOf(step)],
        st.integers(-50, 50),
        st.integers(1, 9),
    ),
)
_FLOATS: Final = st.one_of(
    st.just(float),
    _bounded(float, st.integers(-10, 10).map(float), 0.5),
    st.sampled_from([0.1, 0.25, 3.0]).map(lambda step: Annotated[float, MultipleOf(step)]),
)
_TEXTS: Final = st.one_of(
    st.just(str),
    _sized(str),
    st.sampled_from(PATTERNS).map(lambda regex: Annotated[str, Pattern(regex)]),
)
_STRING_FORMS: Final = st.one_of(
    st.sampled_from([bytes, Decimal, datetime, date, time, timedelta, UUID]),
    _sized(bytes),
    _bounded(Decimal, st.integers(-100, 100).map(lambda cents: Decimal(cents) / 100), Decimal("0.01")),
    _bounded(datetime, _MOMENTS, timedelta(hours=1)),
    _bounded(date, st.dates(date(2000, 1, 1), date(2030, 1, 1)), timedelta(1)),
    _bounded(
        timedelta, st.integers(-10, 10).map(lambda seconds: timedelta(seconds=seconds)), timedelta(milliseconds=1)
    ),
    st.sampled_from([Timezone("UTC"), Timezone(CITY), Timezone(...)]).map(lambda zone: Annotated[datetime, zone]),
    st.sampled_from([Timezone(None), Timezone(...), Ge(time(12)), Lt(time(0, 1))]).map(
        lambda limit: Annotated[time, limit]
    ),
)  # fmt: skip

SCALARS: Final[SearchStrategy[Any]] = st.one_of(
    st.just(bool), _INTEGERS, _FLOATS, _TEXTS, _STRING_FORMS, _literals(), _enums()
)
"""Scalars, with and without constraints."""

_KEYS: Final[SearchStrategy[Any]] = st.one_of(
    st.sampled_from([str, int, UUID, date, Color]),
    st.sampled_from([Decimal, datetime, LocalDatetime, time, timedelta, bytes, Level]),
    _TEXTS,
    st.builds(lambda low: Annotated[int, Ge(low)], st.integers(-5, 5)),
    st.sampled_from([Literal["a", "b", "c"], Literal[1, -2, Level.HIGH]]),
)


# Compounds.


def _either(*members: Any) -> Any:
    return reduce(or_, members)


_NAMES: Final = ("a", "b", "name", "value", "kind_of", "class_", "id")


@dataclass(frozen=True)
class _Plan:
    """A field to be declared."""

    annotation: Any
    how: str
    wire: str | None
    value: Any


@st.composite
def _closed(draw: st.DrawFn, inner: SearchStrategy[Any]) -> Any:
    # Hypothesis looks for alternatives through map and one_of: without this it would count every
    # way to nest them
    return draw(inner)


@st.composite
def _plans(draw: st.DrawFn, inner: SearchStrategy[Any], ways: Sequence[str]) -> _Plan:
    annotation = draw(inner)
    how = draw(st.sampled_from(ways))
    wire = draw(st.sampled_from([None, None, "@", "x-"]))
    value = draw(strategy(annotation)) if how in ("default", "factory", "late") else None
    return _Plan(annotation, how, wire, value)


@st.composite
def _dataclasses(
    draw: st.DrawFn,
    inner: SearchStrategy[Any],
    *,
    one_way: bool,
    hashable: bool = False,
    tag: str | int | None = None,
) -> Any:
    ways = ["plain", "plain", "default"]
    ways += [] if hashable else ["factory", "unset"]
    ways += ["late"] if one_way else []
    plans = draw(st.dictionaries(st.sampled_from(_NAMES), _plans(inner, ways), max_size=4))
    kw_only = draw(st.booleans())
    declared: list[Any] = []
    if tag is not None:
        declared.append(
            ("kind", Literal[tag], field(default=tag) if draw(st.booleans()) else field())
        )
    for name, plan in plans.items():
        # Any leaves nothing for UNSET
        how = "plain" if plan.how == "unset" and plan.annotation is Any else plan.how
        annotation = plan.annotation | Unset if how == "unset" else plan.annotation
        if plan.wire:
            annotation = Annotated[annotation, Name(f"{plan.wire}{name}")]
        options: dict[str, Any] = {}
        match how:
            case "default" if _is_immutable(plan.value):
                options = {"default": plan.value}
            case "default" | "factory":
                options = {"default_factory": partial(_given, plan.value)}
            case "unset":
                options = {"default": UNSET}
            case "late" if _is_immutable(plan.value):
                options = {"default": plan.value, "init": False}
            case "late":
                options = {"init": False}
            case _:
                pass
        declared.append((name, annotation, field(**options)))
    if not kw_only:
        # what has a default cannot stand before what has none
        declared.sort(
            key=lambda entry: (
                entry[2].default is not MISSING or entry[2].default_factory is not MISSING
            )
        )
    options = {"frozen": hashable or draw(st.booleans()), "slots": draw(st.booleans())}
    return make_dataclass("Drawn", declared, kw_only=kw_only, **options)


def _given(value: Any) -> Any:
    return value


def _is_immutable(value: object) -> bool:
    return type(value).__hash__ is not None


def _typed_dict(drawn: Mapping[str, tuple[Any, bool]], extra: Any, *, total: bool) -> Any:
    keys = {
        name: NotRequired[of] if optional else ReadOnly[of]
        for name, (of, optional) in drawn.items()
    }
    make: Any = typing_extensions.TypedDict
    return make("Drawn", keys, total=total, extra_items=extra)


def _typed_dicts(inner: SearchStrategy[Any]) -> SearchStrategy[Any]:
    keys = st.dictionaries(
        st.sampled_from([*_NAMES, "not-a-name", ""]), st.tuples(inner, st.booleans()), max_size=4
    )
    return st.builds(_typed_dict, keys, st.just(Never) | inner, total=st.booleans())


@st.composite
def _named_tuples(draw: st.DrawFn, inner: SearchStrategy[Any]) -> Any:
    drawn = draw(st.lists(inner, min_size=1, max_size=3))
    first_default = draw(st.integers(0, len(drawn)))
    body: dict[str, Any] = {
        "__annotations__": {f"f{index}": of for index, of in enumerate(drawn)},
        "__module__": __name__,
    }
    body |= {f"f{at}": draw(strategy(of)) for at, of in enumerate(drawn) if at >= first_default}
    return new_class("Drawn", (NamedTuple,), {}, lambda namespace: namespace.update(body))


@st.composite
def _tagged(draw: st.DrawFn, inner: SearchStrategy[Any], *, one_way: bool) -> Any:
    chosen = draw(st.sampled_from(_TAGS))
    tags = draw(st.lists(st.sampled_from(chosen), min_size=2, max_size=3, unique_by=repr))
    return _either(*(draw(_dataclasses(inner, one_way=one_way, tag=tag)) for tag in tags))


_TAGS: Final[tuple[tuple[str | int, ...], ...]] = (("card", "cash", "gift", ""), (1, 2, -1, "1"), (True, False, 1))  # fmt: skip


@st.composite
def _unions(draw: st.DrawFn, inner: SearchStrategy[Any], records: SearchStrategy[Any]) -> Any:
    # one of each kind of JSON value, so they can be told apart
    members = [
        st.just(bool),
        st.one_of(_INTEGERS, _FLOATS),
        st.one_of(_TEXTS, _STRING_FORMS),
        inner.map(lambda of: list[of]),  # type: ignore[valid-type]
        st.one_of(
            records,
            _tagged(inner, one_way=False),
            inner.map(lambda of: dict[str, of]),  # type: ignore[valid-type]
        ),
    ]
    indexes = st.sampled_from(range(len(members)))
    chosen = draw(st.lists(indexes, min_size=2, max_size=4, unique=True))
    drawn = _either(*(draw(members[index]) for index in chosen))
    return drawn | None if draw(st.booleans()) else drawn


@cache
def _hashable(*, depth: int) -> SearchStrategy[Any]:
    if not depth:
        return SCALARS
    inner = _closed(_hashable(depth=depth - 1))
    return st.one_of(
        SCALARS,
        inner.map(lambda of: tuple[of, ...]),  # type: ignore[valid-type]
        inner.map(lambda of: frozenset[of]),  # type: ignore[valid-type]
        inner.map(lambda of: of | None),
        _dataclasses(inner, one_way=False, hashable=True),
    )


@cache
def types(*, depth: int = 2, one_way: bool = False) -> SearchStrategy[Any]:
    """
    Types of every kind.

    Args:
        depth: How many compounds may stand inside each other.
        one_way: Also fields that are only in the input, or only in the output, so that a value does
            not come back.
    """
    fixed = st.sampled_from([*ANNOTATIONS.values(), *(ONE_WAY.values() if one_way else ())])
    if not depth:
        return st.one_of(SCALARS, fixed)
    inner = _closed(types(depth=depth - 1, one_way=one_way))
    records = _dataclasses(inner, one_way=one_way)
    hashable = _closed(_hashable(depth=depth - 1))
    return st.one_of(
        SCALARS,
        fixed,
        records,
        inner.map(lambda of: list[of]),  # type: ignore[valid-type]
        inner.flatmap(lambda of: _sized(list[of], 3)),  # type: ignore[valid-type]
        inner.map(lambda of: tuple[of, ...]),  # type: ignore[valid-type]
        st.lists(inner, max_size=3).map(lambda drawn: tuple[tuple(drawn)]),  # type: ignore[misc]
        hashable.map(lambda of: set[of]),  # type: ignore[valid-type]
        hashable.map(lambda of: frozenset[of]),  # type: ignore[valid-type]
        st.builds(lambda key, value: dict[key, value], _KEYS, inner),  # type: ignore[valid-type]
        st.builds(lambda key, value: Mapping[key, value], _KEYS, inner),  # type: ignore[valid-type]
        inner.map(lambda of: Sequence[of]),  # type: ignore[valid-type]
        inner.map(lambda of: of if of is None else of | None),
        inner.map(lambda of: Box[of]),  # type: ignore[valid-type]
        inner.map(lambda of: Perhaps[of]),  # type: ignore[valid-type]
        st.builds(lambda one, other: Rows[one, other], inner, inner),  # type: ignore[valid-type]
        st.builds(lambda one, other: Either[one, Page[other]], inner, inner),  # type: ignore[valid-type]
        _typed_dicts(inner),
        _named_tuples(inner),
        _tagged(inner, one_way=one_way),
        _unions(inner, records),
    )
