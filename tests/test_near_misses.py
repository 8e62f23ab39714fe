"""Near misses: each breaks one rule, and every rule of a type is broken by some."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, make_dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from ipaddress import IPv4Address
from typing import Annotated, Any, Literal, NamedTuple
from uuid import UUID

import pytest
from annotated_types import Ge, Gt, Interval, Le, Len, Lt, MaxLen, MultipleOf, Predicate, Timezone

from contract.shape.issues import CODES, MAX_KEY_LENGTH
from contract.shape.markers import Name, Pattern
from contract.shape.nodes import BoolShape, Definition, Field, NamedTupleShape, RefShape
from contract.shape.reader import shape_of
from contract.testing import NearMiss, near_misses
from contract.testing.valid_values import BUDGET
from tests import samples
from tests.drawing import drawn

CITY = timezone(timedelta(hours=13))


def misses_of(
    annotation: Any, count: int, enough: Callable[[list[NearMiss]], bool]
) -> list[NearMiss]:
    return drawn(near_misses(shape_of(annotation)), count, enough)


@dataclass
class Record:
    a: Annotated[int, Name("@a")]
    b: str = ""
    c: int = field(default=0, init=False)


def positive(value: Any) -> bool:
    return value is None or value > 0


def everything(value: Any) -> bool:
    return True


NEW_YEAR = datetime(2024, 1, 1, tzinfo=UTC)
LIMITS = {"greater_than_equal", "less_than_equal"}
INT = {*LIMITS, "integer_type"}
"""Every int has limits."""
FLOAT = {"number_type", "greater_than_equal"}
TEXT = {"string_type", "string_too_short", "string_too_long"}
FORM = {"string_type", "format"}
BOOLEANS = {"array_type", "too_few_items", "not_unique", "boolean_type"}
MAP = {"object_type", "boolean_type"}
DECIMAL = {*FORM, "decimal_size"}
RECORD = {"object_type", "missing", "unknown_key"}
ARRAY = {"array_type", "too_few_items", "too_many_items"}


RULES: list[tuple[Any, set[str]]] = [
    (None, {"null_type"}),
    (bool, {"boolean_type"}),
    (Any, LIMITS),
    (Annotated[int, MultipleOf(3)], {*INT, "multiple_of"}),
    (Annotated[float, Ge(0), Lt(1)], {*FLOAT, "less_than"}),
    (Annotated[float, Gt(0), Le(1)], {"number_type", "greater_than", "less_than_equal"}),
    (Annotated[float, MultipleOf(0.1), Ge(0.5)], {*FLOAT, "multiple_of"}),
    (Annotated[float, Ge(-1.7976931348623157e308)], {"number_type"}),
    (Annotated[float, Le(1.7976931348623157e308), MultipleOf(3.0)], {"number_type", "multiple_of"}),
    (str, {"string_type"}),
    (Annotated[str, Len(2, 3)], TEXT),
    (Annotated[str, MaxLen(10**9)], {"string_type"}),
    (Annotated[str, Pattern("^[a-z]+$"), Len(2, 3)], {*TEXT, "pattern"}),
    (Annotated[str, Pattern("")], {"string_type"}),
    (Annotated[bytes, Len(1, 2)], {*FORM, "bytes_too_short", "bytes_too_long"}),
    (Annotated[bytes, MaxLen(10**9)], FORM),
    (Decimal, DECIMAL),
    (Annotated[Decimal, Gt(Decimal(0)), Lt(Decimal(1))], {*DECIMAL, "greater_than", "less_than"}),
    (Annotated[Decimal, Le(Decimal("1E-40"))], {*DECIMAL, "less_than_equal"}),
    (Annotated[Decimal, Le(Decimal("0." + "1" * 30))], {*DECIMAL, "less_than_equal"}),
    (Annotated[Decimal, MultipleOf(Decimal("0.5"))], {*DECIMAL, "multiple_of"}),
    (Annotated[Decimal, MultipleOf(Decimal("0.3")), Le(Decimal("1E+90"))], {*DECIMAL, "multiple_of"}),
    (Annotated[Decimal, Ge(Decimal("-" + "9" * 40 + "E+99"))], DECIMAL),
    (datetime, FORM),
    (Annotated[datetime, Ge(NEW_YEAR), Lt(NEW_YEAR + timedelta(1))], {*FORM, "greater_than_equal", "less_than"}),
    (Annotated[datetime, Timezone(CITY), Gt(NEW_YEAR)], {*FORM, "timezone", "greater_than"}),
    (Annotated[datetime, Timezone("UTC")], {*FORM, "timezone"}),
    (Annotated[date, Ge(date.min), Le(date(2024, 1, 1))], {*FORM, "less_than_equal"}),
    (Annotated[time, Timezone(None)], FORM),
    (Annotated[time, Timezone(...)], FORM),
    (Annotated[time, Ge(time(0)), Lt(time(12))], {*FORM, "less_than"}),
    (Annotated[timedelta, Gt(timedelta(0))], {*FORM, "greater_than"}),
    (Annotated[timedelta, Lt(timedelta(days=899_999_999))], {*FORM, "less_than"}),
    (UUID, FORM),
    (IPv4Address, FORM),
    (samples.Isbn, {"string_type", "pattern"}),
    (Literal["a", 1], {"unknown_value"}),
    (samples.Color, {"unknown_value"}),
    (samples.Level, {"unknown_value"}),
    (Annotated[list[bool], Len(1, 2)], {*ARRAY, "boolean_type"}),
    (Annotated[list[bool], Len(0, 0)], {"array_type", "too_many_items"}),
    (Annotated[list[bool], MaxLen(10**9)], {"array_type", "boolean_type"}),
    (Annotated[set[bool], Len(1, 2)], BOOLEANS),
    (Annotated[set[int], MaxLen(1)], {*INT, "array_type", "too_many_items"}),
    (set[tuple[bool]], {*ARRAY, "boolean_type", "not_unique"}),
    (tuple[()], {"array_type", "too_many_items"}),
    (tuple[bool, str], {*ARRAY, "boolean_type", "string_type"}),
    (samples.Place, {*INT, *ARRAY, "number_type", "string_type"}),
    (Annotated[dict[str, bool], Len(1, 2)], {*MAP, "too_few_keys", "too_many_keys"}),
    (Annotated[dict[str, bool], MaxLen(0)], {"object_type", "too_many_keys"}),
    (dict[Annotated[int, Interval(ge=1, le=3)], bool], {*MAP, "format", *LIMITS}),
    (dict[date, bool], {*MAP, "format"}),
    (dict[UUID, bool], {*MAP, "format"}),
    (dict[IPv4Address, bool], {*MAP, "format"}),
    (dict[Literal["a"], bool], {*MAP, "unknown_value"}),
    (dict[samples.Color, bool], {*MAP, "unknown_value"}),
    (dict[Annotated[str, Pattern("^a$")], bool], {*MAP, "pattern"}),
    (dict[Annotated[str, Pattern("")], bool], MAP),
    (int | None, INT),
    (int | str, {"union", *LIMITS}),
    (samples.Json | float, {"union", *LIMITS}),
    (datetime | date, {"union"}),
    (Annotated[int | str, Predicate(everything)] | list[bool], {"union", *LIMITS, "boolean_type"}),
    (list[bool] | samples.Point | None, {*INT, "union", "boolean_type", "missing", "unknown_key"}),
    (samples.Payment, {*INT, *RECORD, "unknown_tag", "string_type", "pattern"}),
    (Annotated[int, Predicate(samples.is_even)], {*INT, "predicate"}),
    (Annotated[bool, Predicate(everything)], {"boolean_type"}),
    (Annotated[Any, Predicate(positive)], {*LIMITS, "predicate"}),
    (Record, {*INT, *RECORD, "string_type"}),
    (samples.Secret, {*RECORD, "string_type", "string_too_short"}),
    (samples.Stored, {*RECORD, "string_type"}),
    (samples.Movie, {*INT, "object_type", "missing", "string_type"}),
    (samples.Tree, {*INT, *RECORD, "array_type"}),
    (samples.Chain, {*RECORD, "string_type"}),
    (samples.Branch, {*RECORD, "array_type", "too_many_items"}),
    (samples.Both | samples.Leaf, {*RECORD, "unknown_tag", "boolean_type"}),
]  # fmt: skip


@pytest.mark.parametrize(("annotation", "codes"), RULES)
def test_every_rule_is_broken(annotation: Any, codes: set[str]) -> None:
    def complete(found: list[NearMiss]) -> bool:  # some rules are broken more rarely than others
        return len(found) >= 30 and {miss.code for miss in found} >= codes

    assert {miss.code for miss in misses_of(annotation, 600, complete)} == codes
    assert codes <= CODES.keys()


LOW, HIGH = "greater_than_equal", "less_than_equal"
NEAREST: list[tuple[Any, list[tuple[Any, str]]]] = [
    (Annotated[int, Interval(ge=1, le=9)], [(0, LOW), (10, HIGH)]),
    (Annotated[int, Interval(ge=1, le=8), MultipleOf(3)], [(0, LOW), (9, HIGH)]),
    (Annotated[float, Gt(0.5)], [(0.5, "greater_than"), (0.49999999999999994, "greater_than")]),
    (Annotated[Decimal, Le(Decimal("0.5"))], [("0.51", HIGH)]),
    (Annotated[datetime, Ge(NEW_YEAR)], [("2023-12-31T23:59:59.999999+00:00", LOW)]),
    (Annotated[date, Le(date(2024, 1, 1))], [("2024-01-02", HIGH)]),
    (Annotated[time, Lt(time(12))], [("12:00:00", "less_than")]),
    (Annotated[timedelta, Gt(timedelta(1))], [("P1D", "greater_than")]),
    (Annotated[str, Len(1, 2)], [("", "string_too_short"), ("aaa", "string_too_long")]),
    (Annotated[str, Pattern("^[a-z]{2}$")], [("aa\n", "pattern"), ("A", "pattern")]),
    (Annotated[bytes, MaxLen(2)], [("AAAA", "bytes_too_long"), ("AA", "format")]),
    (Literal[1], [(each, "unknown_value") for each in (True, "1", 2)]),
    (Literal["a"], [("a_", "unknown_value"), ([], "unknown_value")]),
    (set[Literal["a"]], [(["a", "a"], "not_unique")]),
    (set[Annotated[int, Interval(ge=1, le=1)]], [([1, 1.0], "not_unique")]),
    (tuple[None, None], [([None], "too_few_items"), ([None] * 3, "too_many_items")]),
]
NEAREST_PARTS: list[tuple[Any, list[tuple[Any, str | int, str]]]] = [
    (Annotated[dict[Literal["a", "b"], None], Len(2, 2)], [({"a": 1, "b": None}, "a", "null_type")]),
    (tuple[None, None], [([None, 1], 1, "null_type")]),
    (dict[Literal["a"], None], [({"a": 1}, "a", "null_type"), ({"a_": None}, "a_", "unknown_value")]),
    (dict[Annotated[int, Ge(0)], None], [({"01": None}, "01", "format"), ({"-1": None}, "-1", LOW)]),
    (dict[samples.Isbn, None], [({"": None}, "", "pattern")]),
    (Record, [({}, "@a", "missing")]),
    (samples.Leaf, [({"op": "leaf"}, "value", "missing"), ({"value": False}, "op", "missing")]),
]  # fmt: skip
WHOLE = [
    (annotation, [NearMiss(value, (), code) for value, code in misses])
    for annotation, misses in [*NEAREST, (Record, [(None, "object_type")])]
]
PARTS = [
    (annotation, [NearMiss(value, (key,), code) for value, key, code in misses])
    for annotation, misses in NEAREST_PARTS
]


@pytest.mark.unwatched
@pytest.mark.parametrize(("annotation", "misses"), [*WHOLE, *PARTS])
def test_the_nearest_come(annotation: Any, misses: list[NearMiss]) -> None:
    def missing(found: list[NearMiss]) -> list[NearMiss]:
        return [miss for miss in misses if miss not in found]

    assert missing(misses_of(annotation, 2000, lambda found: not missing(found))) == []


@pytest.mark.unwatched
def test_unknown_keys_are_those_that_could_be_mistaken() -> None:
    mistaken = {"a", "c", "@a_", "b_", "unknown", ""}

    def keys(found: list[NearMiss]) -> set[str | int]:
        return {miss.path[0] for miss in found if miss.code == "unknown_key"}

    assert keys(misses_of(Record, 600, lambda found: keys(found) >= mistaken)) == mistaken


def test_other_keys_of_an_open_record_are_those_that_could_not_be_mistaken() -> None:
    wanted = {"title", "year", "", "§", "§§§§§§"}

    def keys(found: list[NearMiss]) -> set[str | int]:
        return {key for miss in found for key in miss.path}

    assert keys(misses_of(samples.Movie, 600, lambda found: keys(found) >= wanted)) == wanted


def test_paths_are_as_reported() -> None:
    long = make_dataclass("Long", [("value", Annotated[bool, Name("x" * 100)])])
    place = (0, "x" * MAX_KEY_LENGTH)

    def cut(found: list[NearMiss]) -> bool:
        return any(miss.code == "boolean_type" and miss.path == place for miss in found)

    assert cut(misses_of(list[long], 600, cut))  # type: ignore[valid-type]


def test_a_position_that_would_not_end_is_left_out() -> None:
    class Link(NamedTuple):
        last: bool
        next: Any = None

    definition = Definition((Link,), "Link", __name__, recursive=True)
    last = Field("last", "last", BoolShape())
    fields = (last, Field("next", "next", RefShape(definition), default=None))
    definition.close(NamedTupleShape(Link, fields))
    found = drawn(near_misses(RefShape(definition)), 200)

    wanted = {"array_type", "boolean_type", "too_few_items", "too_many_items"}
    assert {miss.code for miss in found} == wanted
    assert max(len(miss.path) for miss in found) == BUDGET


@pytest.mark.unwatched
def test_near_misses_are_found_at_every_depth() -> None:
    depths = {0, 1, 3, 5}

    def deep(found: list[NearMiss]) -> bool:
        return {len(miss.path) for miss in found} >= depths

    assert deep(misses_of(samples.Tree, 400, deep))
