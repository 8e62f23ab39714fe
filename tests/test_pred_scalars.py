from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from math import inf, isfinite, nextafter
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from annotated_types import Ge, Gt, Le, Len, Lt, MultipleOf, Timezone
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_core import from_json

from contract.pred.dump.scalars import is_multiple
from contract.pred.report import DEAF, INVALID, Report, integral
from contract.pred.scalars import any_loader, integer_key_loader, limiter, scalar_loader
from contract.shape.bounds import Bounds
from contract.shape.markers import Pattern
from contract.shape.nodes import BytesShape, FloatShape, IntShape, RefShape
from contract.shape.reader import shape_of
from contract.shape.scalars import form_of
from contract.shape.text_forms import BYTES
from tests.effort import examples
from tests.tables import rows


class Mixed(Enum):
    TEXT = "1"
    NUMBER = 1
    NO = False


LONG = Enum("LONG", [(f"M{index}", f"m{index}") for index in range(51)])  # type: ignore[misc]
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def shape(annotation: Any) -> Any:
    found = shape_of(annotation)
    return found.definition.shape if isinstance(found, RefShape) else found


GOOD = [
    (None, None, None),
    (bool, True, True),
    (int, 5, 5),
    (int, -0.0, 0),
    (int, 1.0, 1),
    (int, 2.0**53 - 1, 2**53 - 1),
    (int, 1 - 2.0**53, 1 - 2**53),
    (Annotated[int, MultipleOf(3)], 9, 9),
    (float, 1.5, 1.5),
    (float, 5, 5.0),
    (float, 10**30, 1e30),
    (Annotated[float, MultipleOf(0.1)], 0.3, 0.3),
    (str, "é", "é"),
    (Annotated[str, Len(1, 1)], "\N{GRINNING FACE}", "\N{GRINNING FACE}"),
    (Annotated[str, Pattern("^a"), Pattern("b$")], "ab", "ab"),
    (bytes, "YWI=", b"ab"),
    (Decimal, "-1.50e1", Decimal("-15.0")),
    (Annotated[Decimal, MultipleOf(Decimal("0.01"))], "1.25", Decimal("1.25")),
    (datetime, "2026-01-01T12:00:00Z", NOON),
    (Annotated[datetime, Timezone("UTC")], "2026-01-01T12:00:00+00:00", NOON),
    (Annotated[datetime, Ge(NOON)], "2026-01-01T13:00:00+01:00", NOON),
    (date, "2026-02-28", date(2026, 2, 28)),
    (time, "12:00:00", time(12)),
    (time, "12:00:00+01:00", time(12, tzinfo=timezone(timedelta(hours=1)))),
    (Annotated[time, Timezone(None)], "12:00:00", time(12)),
    (timedelta, "-P1DT1H2M3.5S", -timedelta(days=1, hours=1, minutes=2, seconds=3.5)),
    (UUID, "00000000-0000-0000-0000-00000000000A", UUID(int=10)),
    (Literal["a", 1], "a", "a"),
    (Literal["a", 1], 1, 1),
    (Literal["a", 1], 1.0, 1),
    (Mixed, False, Mixed.NO),
    (Mixed, 1, Mixed.NUMBER),
    (Mixed, "1", Mixed.TEXT),
]

TEN = [f"m{at}" for at in range(10)]
NEW_YEAR, NOON_TEXT = date(2026, 1, 1), "2026-01-01T12:00:00Z"
WEST = timezone(-timedelta(hours=3, minutes=30))
SIZE = {"max_digits": 40, "max_exponent": 99}
NO_DAY = {"format": "date-time", "reason": "no_such_day", "days": 28}
NO_OFFSET = {"format": "time", "reason": "no_offset"}
Utc = Annotated[datetime, Timezone("UTC")]
BAD = [
    (None, False, "null_type", {"found": "boolean"}),
    (bool, 1, "boolean_type", {"found": "integer"}),
    (int, True, "integer_type", {"found": "boolean"}),
    (int, "3", "integer_type", {"found": "string"}),
    *((int, each, "integer_type", {"found": "number"}) for each in (1.5, 2.6e-42, 2.0**53)),
    (int, -(2.0**53), "integer_type", {"found": "number"}),
    (int, 2.0**54, "integer_type", {"found": "number"}),
    (int, 2**63, "less_than_equal", {"le": 2**63 - 1}),
    (int, -(2**63) - 1, "greater_than_equal", {"ge": -(2**63)}),
    (Annotated[int, MultipleOf(3)], 10, "multiple_of", {"multiple_of": 3}),
    (float, True, "number_type", {"found": "boolean"}),
    (float, "1", "number_type", {"found": "string"}),
    (float, float("inf"), "number_type", {"found": "number"}),
    (float, 10**400, "number_type", {"found": "integer"}),
    (Annotated[float, Gt(1)], 1, "greater_than", {"gt": 1.0}),
    (Annotated[float, Lt(1)], 1.0, "less_than", {"lt": 1.0}),
    (Annotated[float, MultipleOf(0.1)], 0.35, "multiple_of", {"multiple_of": 0.1}),
    (str, 1, "string_type", {"found": "integer"}),
    (Annotated[str, Len(2, 3)], "a", "string_too_short", {"min_length": 2, "length": 1}),
    (Annotated[str, Len(2, 3)], "abcd", "string_too_long", {"max_length": 3, "length": 4}),
    (Annotated[str, Pattern("^a"), Pattern("b$")], "ab\n", "pattern", {"pattern": "b$"}),
    (str, 1.0, "string_type", {"found": "integer"}),
    (bytes, 1, "string_type", {"found": "integer", "format": "byte"}),
    (bytes, "YWI", "format", {"format": "byte"}),
    (bytes, "YWJ=", "format", {"format": "byte"}),
    (Annotated[bytes, Len(1, 2)], "", "bytes_too_short", {"min_length": 1, "length": 0}),
    (Annotated[bytes, Len(1, 2)], "YWJj", "bytes_too_long", {"max_length": 2, "length": 3}),
    (Decimal, "1_000", "format", {"format": "decimal"}),
    (Decimal, "1E+999999999.", "format", {"format": "decimal"}),
    *((Decimal, each, "decimal_size", SIZE) for each in ("1E+999", "-1e-999999999", "1" * 41)),
    (Decimal, "0." + "1" * 100_000, "decimal_size", SIZE),
    (Decimal, "1E+100", "decimal_size", SIZE),
    (Annotated[Decimal, Le(Decimal("1.5"))], "2", "less_than_equal", {"le": "1.5"}),
    (datetime, "2026-01-01T12:00:00", "format", {"format": "date-time", "reason": "no_offset"}),
    (datetime, "2026-02-30T12:00:00Z", "format", NO_DAY),
    (datetime, "1577836800", "format", {"format": "date-time"}),
    (Utc, "2026-01-01T12:00:00+01:00", "timezone", {"timezone": "+00:00"}),
    (Annotated[datetime, Timezone(WEST)], NOON_TEXT, "timezone", {"timezone": "-03:30"}),
    (Annotated[datetime, Lt(NOON)], NOON_TEXT, "less_than", {"lt": "2026-01-01T12:00:00+00:00"}),
    (Annotated[date, Ge(NEW_YEAR)], "2025-12-31", "greater_than_equal", {"ge": "2026-01-01"}),
    (time, "24:00:00", "format", {"format": "time"}),
    (Annotated[time, Timezone(...)], "12:00:00", "format", NO_OFFSET),
    (Annotated[time, Gt(time(12))], "12:00:00", "greater_than", {"gt": "12:00:00"}),
    (timedelta, "1 days", "format", {"format": "duration"}),
    (Annotated[timedelta, Le(timedelta(1))], "P2D", "less_than_equal", {"le": "P1D"}),
    (UUID, "urn:uuid:00000000-0000-0000-0000-00000000000a", "format", {"format": "uuid"}),
    (Literal[1], True, "unknown_value", {"allowed": [1], "found": "boolean"}),
    (Literal[True], 1, "unknown_value", {"allowed": [True], "found": "integer"}),
    (Literal[2**53], 2.0**53, "unknown_value", {"allowed": [9007199254740992], "found": "number"}),
    (Literal["a"], ["a"], "unknown_value", {"allowed": ["a"], "found": "array"}),
    (Mixed, True, "unknown_value", {"allowed": ["1", 1, False]}),
    (LONG, "m51", "unknown_value", {"allowed": TEN, "count": 51, "meant": "m1"}),
]


@pytest.mark.parametrize(("annotation", "sent", "expected"), GOOD)
def test_good_values_are_taken(annotation: Any, sent: Any, expected: Any) -> None:
    loaded = scalar_loader(shape(annotation))(sent, Report())

    assert loaded == expected
    assert type(loaded) is type(expected)


@pytest.mark.parametrize(("annotation", "sent", "code", "params"), BAD)
def test_bad_values_are_refused_with_what_would_be_allowed(
    annotation: Any, sent: Any, code: str, params: dict[str, Any]
) -> None:
    report = Report()

    assert scalar_loader(shape(annotation))(sent, report) is INVALID
    assert [(issue.code, dict(issue.params)) for issue in report.issues()] == [(code, params)]


@rows("sent", None, True, 2**63 - 1, -(2**63), 1.5, "a", [], {}, {"a": [1, {"b": None}]})
def test_any_takes_what_can_be_written_again(sent: Any) -> None:
    assert any_loader(sent, Report()) is sent


def test_any_tells_each_number_that_cannot_be_written() -> None:
    sent = {"a": [2**63, 1, float("inf"), 1.5], "b": -(2**63) - 1, "c": "x"}
    report = Report()

    assert any_loader(sent, report) is INVALID
    assert [(issue.path, issue.code) for issue in report.issues()] == [
        (("a", 0), "less_than_equal"),
        (("a", 2), "number_type"),
        (("b",), "greater_than_equal"),
    ]


@rows("around", "[[[%s]]]", "[[%s],[]]", '[{"a":[[%s]]},{}]', '{"a":{"b":%s}}', "[[[[1,2],%s]]]")
def test_any_finds_what_cannot_be_written_however_it_is_nested(around: str) -> None:
    for number, code in (("1", None), (str(2**63), "less_than_equal"), ("1e400", "number_type")):
        report = Report()
        value = from_json(around % number)

        assert any_loader(value, report) is (value if code is None else INVALID)
        assert [issue.code for issue in report.issues()] == ([] if code is None else [code])


def test_any_stops_at_the_first_when_in_haste() -> None:
    report = Report(hasty=True)

    assert any_loader([float("nan"), float("nan")], report) is INVALID
    assert [issue.path for issue in report.issues()] == [(0,)]
    assert report.truncated


def test_an_int_as_a_key_has_one_form() -> None:
    load = integer_key_loader(IntShape(minimum=0))
    report = Report()

    assert load("12", report) == 12
    assert [load(key, report) for key in ("01", "+1", "1.0", "-1")] == [INVALID] * 4
    codes = [issue.code for issue in report.issues()]
    assert codes == ["format", "format", "format", "greater_than_equal"]


def test_floats_up_to_the_last_exact_one_are_integral() -> None:
    assert integral(2.0**53 - 1)
    assert not any(map(integral, (2.0**53, 2.0**53 + 2, 0.5, inf)))


def test_what_is_parsed_has_a_form_and_may_have_limits() -> None:
    assert form_of(BytesShape()) is BYTES
    assert limiter(BytesShape()) is None
    limit = limiter(BytesShape(min_length=2))
    assert limit is not None
    assert (limit(b"ab", DEAF), limit(b"a", DEAF)) == (b"ab", INVALID)


DIVISORS = [0.01, 0.1, 0.25, 0.07, 3.0, 2.5, 1e-7, 1.5e-22, 5e-23, 1e-300, 5e-324]
DIVISORS += [1e22, 1e300, 123456.789]
COUNTS = st.integers(-(10**17), 10**17) | st.integers(-1000, 1000)


@settings(max_examples=examples(500))
@given(st.sampled_from(DIVISORS), COUNTS, st.integers(0, 25), st.sampled_from([0.0, 1.0, -1.0]))
def test_multiples_are_those_of_the_numbers_as_they_are_written(
    divisor: float, count: int, decimals: int, apart: float
) -> None:
    load = scalar_loader(FloatShape(Bounds(multiple_of=divisor)))
    near = float(count * Decimal(repr(divisor)))

    for value in (near, count / 10**decimals, nextafter(near, apart * inf), float(count)):
        if isfinite(value):
            assert (load(value, DEAF) is not INVALID) == is_multiple(value, divisor)
