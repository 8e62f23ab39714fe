"""Forms: one text for each value, and nothing that only some parsers take."""

import re
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from itertools import product
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.shape.text_forms import (
    BYTES,
    DATE,
    DATETIME,
    DATETIME_LOCAL,
    DECIMAL,
    INTEGER_KEY,
    MAX_DECIMAL_DIGITS,
    MAX_DECIMAL_EXPONENT,
    MAX_DURATION,
    SLIPS,
    TIME,
    TIME_AWARE,
    TIME_NAIVE,
    TIMEDELTA,
    UUID_,
    Form,
    decimal_fits,
    is_decimal_of_any_size,
)
from tests.growth import growth
from tests.tables import rows
from tests.words import words

ALL = [BYTES, DATE, DATETIME, DATETIME_LOCAL, DECIMAL, INTEGER_KEY]
ALL += [TIME, TIME_AWARE, TIME_NAIVE, TIMEDELTA, UUID_]
FIRST, LAST = datetime(1, 1, 1), datetime(2026, 1, 31, 23, 59, 59, tzinfo=UTC)


def at(minutes: int) -> timezone:
    return timezone(timedelta(minutes=minutes))


OFFSETS = st.integers(-23 * 60 - 59, 23 * 60 + 59).map(at)

ACCEPTED: list[tuple[Form, str, Any]] = [
    (DATETIME, "2026-01-31T23:59:59Z", LAST),
    (DATETIME, "2026-01-31T23:59:59.1+01:30", LAST.replace(microsecond=100_000, tzinfo=at(90))),
    (DATETIME, "0001-01-01T00:00:00.000001-23:59", FIRST.replace(microsecond=1, tzinfo=at(-1439))),
    (DATETIME, "9999-12-31T23:59:59.999999-00:00", datetime.max.replace(tzinfo=UTC)),
    (DATETIME, "2026-01-31T23:59:59.123456999Z", LAST.replace(microsecond=123_456)),
    (TIME, "23:59:59.9999999", time(23, 59, 59, 999_999)),
    (DATE, "0999-02-28", date(999, 2, 28)),
    (DATE, "0010-02-28", date(10, 2, 28)),
    (DATE, "0001-01-01", date(1, 1, 1)),
    (DATE, "2024-02-29", date(2024, 2, 29)),
    (DATETIME_LOCAL, "2024-02-29T10:00:00.5", datetime(2024, 2, 29, 10, 0, 0, 500_000)),
    (DATETIME_LOCAL, "0001-01-01T00:00:00", datetime(1, 1, 1)),
    (DATETIME_LOCAL, "9999-12-31T23:59:59.9999999", datetime(9999, 12, 31, 23, 59, 59, 999_999)),
    (TIME, "00:00:00", time(0)),
    (TIME, "23:59:59.5Z", time(23, 59, 59, 500_000, tzinfo=UTC)),
    (TIME_NAIVE, "12:30:00", time(12, 30)),
    (TIME_AWARE, "12:30:00-08:00", time(12, 30, tzinfo=timezone(timedelta(hours=-8)))),
    (TIMEDELTA, "PT0S", timedelta(0)),
    (TIMEDELTA, "-PT0S", timedelta(0)),
    (TIMEDELTA, "P1D", timedelta(days=1)),
    (TIMEDELTA, "PT36H", timedelta(hours=36)),
    (TIMEDELTA, "-P1DT2H3M4.5S", -timedelta(days=1, hours=2, minutes=3, seconds=4.5)),
    (TIMEDELTA, "PT1H1S", timedelta(hours=1, seconds=1)),
    (DECIMAL, "-0.10", Decimal("-0.10")),
    (DECIMAL, "1E+3", Decimal("1E+3")),
    (DECIMAL, "9" * 40, Decimal("9" * 40)),
    (DECIMAL, "1e-40", Decimal("1e-40")),
    (DECIMAL, f"{'9' * 40}.{'9' * 40}E+99", Decimal(f"{'9' * 80}E+59")),
    (DECIMAL, f"0.{'0' * 39}1e-99", Decimal("1E-139")),
    (TIMEDELTA, "P899999999DT999999999H", timedelta(days=899_999_999, hours=999_999_999)),
    (UUID_, "12345678-1234-5678-1234-567812345678", UUID(int=0x12345678123456781234567812345678)),
    (UUID_, "ABCDEFAB-1234-5678-1234-567812345678", UUID("abcdefab-1234-5678-1234-567812345678")),
    (BYTES, "", b""),
    (BYTES, "AA==", b"\0"),
    (BYTES, "AAA=", b"\0\0"),
    (BYTES, "+/+/", b"\xfb\xff\xbf"),
    (INTEGER_KEY, "0", 0),
    (INTEGER_KEY, "-18446744073709551615", -(2**64) + 1),
]

REFUSED: list[tuple[Form, str]] = [
    (form, text)
    for form, texts in {
        DATETIME_LOCAL: """
2024-01-01T10:00:00Z 2024-01-01T10:00:00+01:00 2024-01-01T24:00:00 2024-01-01T10:00 2024-01-01
0000-01-01T10:00:00
""",
        DATETIME: """
2026-01-31 2026-01-31T23:59:59 2026-01-31t23:59:59z 1577836800 2026-01-31T24:00:00Z
2026-01-31T23:59:60Z 2026-01-31T12:00Z 2026-01-31T12:00:00+0100 2026-01-31T12:00:00+25:00
2026-01-31T12:00:00+24:00 2026-01-31T12:00:00.1234567890Z 0000-01-31T12:00:00Z
2026-01-31T12:00:00.Z 2026-01-31T12:00:00,5Z 20260131T120000Z 2026-W01-1T00:00:00Z
""",
        DATE: "0000-01-01 2026-00-10 2026-13-01 2026-01-32",
        TIME: "24:00:00 12:00 12:60:00 12:00:60 12:00:00+25:00 T12:00:00 120000",
        TIME_NAIVE: "12:00:00Z",
        TIME_AWARE: "12:00:00",
        TIMEDELTA: """
P PT P1DT P1Y P1W P1M PT1.5H PT.5S PT1.S +P1D P-1D 3600 PT1.1234567S P1234567890D P900000000D
P999999999DT1H pt1s PT1S1M P1DT1D
""",
        DECIMAL: "1_000 NaN Infinity - .5 5. +1 1e 1e999 1E+999999999 1E-100",
        UUID_: """
{12345678-1234-5678-1234-567812345678} urn:uuid:12345678-1234-5678-1234-567812345678
12345678123456781234567812345678
""",
        BYTES: "A AA AAA AA= AB== AAB= AA==AA== -_-_ ====",
        INTEGER_KEY: "- -0 01 +1 1.0 1_0 111111111111111111111",
    }.items()
    for text in words(texts)
]
REFUSED += [
    (DATETIME_LOCAL, "2024-01-01 10:00:00"),
    (DATETIME_LOCAL, "2024-01-01T10:00:00\n"),
    (DATETIME, "2026-01-31 23:59:59Z"),
    (TIME, "12:00:00 Z"),
    (TIMEDELTA, ""),
    (TIMEDELTA, "1 days"),
    *((DECIMAL, text) for text in ("", " 1", "1" * 41, "0." + "1" * 41)),
    (BYTES, "A A="),
    (BYTES, "AAAA\n"),
    (INTEGER_KEY, ""),
]


@pytest.mark.parametrize(("form", "text", "value"), ACCEPTED)
def test_a_form_takes_its_text(form: Form, text: str, value: Any) -> None:
    parsed = form.parse(text)

    assert parsed == value
    assert type(parsed) is type(value)
    assert re.search(form.pattern, text)


@pytest.mark.parametrize(("form", "text"), REFUSED)
def test_a_form_takes_no_other_text(form: Form, text: str) -> None:
    with pytest.raises(ValueError, match=form.name):
        form.parse(text)

    # what stands in the JSON Schema says so too, but for the final line feed that $ lets through
    assert re.search(form.pattern.replace("$", r"\Z"), text) is None


@rows("form, text", (DATETIME, "2026-02-29T00:00:00Z"), (DATE, "2026-02-30"), (DATE, "2026-04-31"))
def test_only_calendars_go_beyond_the_pattern(form: Form, text: str) -> None:
    assert form.matches(text)
    with pytest.raises(ValueError):  # noqa: PT011  the calendar's own text
        form.parse(text)


MANY = "1" * 1_000_000


@rows("text", "1", "-0.10", "1E+999999999", "1e-1", MANY, "0." + MANY)
def test_a_decimal_may_look_like_one_at_any_size(text: str) -> None:
    assert is_decimal_of_any_size(text)


@rows("text", *("", "-", "1.", ".1", "1e", "+1", "1_000", " 1", "1\n", "٣", "NaN"), MANY + ".")
def test_other_texts_look_like_no_decimal(text: str) -> None:
    assert not is_decimal_of_any_size(text)


@pytest.mark.parametrize("form", ALL)
@pytest.mark.parametrize("around", [" {}", "{}\n", "{} ", "{}\0", "\ufeff{}"])
def test_nothing_stands_around_a_form(form: Form, around: str) -> None:
    text = next(text for taken, text, _ in ACCEPTED if taken is form and text)

    assert form.matches(around.format(text)) is None


@pytest.mark.parametrize("form", ALL)
def test_digits_are_ascii(form: Form) -> None:
    text = next(text for taken, text, _ in ACCEPTED if taken is form and re.search("[0-9A]", text))
    other = re.sub("[0-9A]", "\u0661", text, count=1)

    assert form.matches(other) is None


@pytest.mark.parametrize("form", ALL)
@pytest.mark.parametrize("unit", ["1", "A", "0-", "00:", "P1", "1.1", "=", "AAAA"])
def test_a_long_text_is_judged_in_linear_time(form: Form, unit: str) -> None:
    small, large = (unit * (size // len(unit)) + "!" for size in (25_000, 200_000))

    assert form.matches(large) is None
    assert growth(form.matches, small, large) < 24


TINY = timedelta.resolution


@rows("value", -MAX_DURATION, MAX_DURATION, TINY, -TINY, timedelta(-1, 1))
def test_the_ends_of_timedelta_go_there_and_back(value: timedelta) -> None:
    assert TIMEDELTA.parse(TIMEDELTA.write(value)) == value


@rows(
    "form, value, text",
    (TIMEDELTA, timedelta(0), "PT0S"),
    (TIMEDELTA, timedelta(days=2), "P2D"),
    (TIMEDELTA, timedelta(days=-1, seconds=1), "-PT23H59M59S"),
    (TIMEDELTA, timedelta(minutes=90), "PT1H30M"),
    (TIMEDELTA, timedelta(seconds=61, microseconds=5), "PT1M1.000005S"),
    (TIMEDELTA, timedelta(days=1, microseconds=1), "P1DT0.000001S"),
    (DECIMAL, Decimal("-12.30"), "-12.30"),
    (DECIMAL, Decimal("-123E+99"), "-123E+99"),
    (DECIMAL, Decimal(f"{'9' * 80}E+59"), f"{'9' * 40}.{'9' * 40}E+99"),
    (DECIMAL, Decimal("1E-139"), f"0.{'0' * 39}1E-99"),
)
def test_a_value_has_one_text(form: Form, value: Any, text: str) -> None:
    assert form.write(value) == text


def test_the_names_of_forms_are_those_of_json_schema() -> None:
    assert {form.name for form in ALL if form.format} == {"date-time", "date", "uuid", "time"}
    assert all(form.format in (None, form.name) for form in ALL)


HALF_MINUTE = timezone(timedelta(minutes=5, seconds=30))
LARGE = words(f"NaN -Infinity sNaN 1E+140 1E-140 {'1' * 81} {'1' * 41}E+99")


@rows(
    "form, value, problem",
    (DATETIME, datetime(2026, 1, 1), "without an offset"),
    (DATETIME, datetime(2026, 1, 1, tzinfo=HALF_MINUTE), "offset of seconds"),
    (DATETIME_LOCAL, datetime(2026, 1, 1, tzinfo=UTC), "replace"),
    (TIME, time(12, tzinfo=HALF_MINUTE), "offset of seconds"),
    (TIMEDELTA, timedelta.max, "900,000,000 days"),
    (TIMEDELTA, timedelta.min, "900,000,000 days"),
    (TIMEDELTA, timedelta(days=900_000_000), "900,000,000 days"),
    *((DECIMAL, Decimal(text), "digits") for text in LARGE),
)
def test_other_values_have_no_text(form: Form, value: Any, problem: str) -> None:
    assert form is not DECIMAL or not decimal_fits(value)
    with pytest.raises(ValueError, match=problem):
        form.write(value)


def test_a_zone_is_written_as_its_offset() -> None:
    moment = datetime(2026, 7, 1, tzinfo=ZoneInfo("Europe/Paris"))
    assert DATETIME.write(moment) == "2026-07-01T00:00:00+02:00"


VALUES: dict[Form, st.SearchStrategy[Any]] = {
    DATETIME: st.datetimes(timezones=OFFSETS),
    DATETIME_LOCAL: st.datetimes(),
    DATE: st.dates(),
    TIME_NAIVE: st.times(),
    TIME_AWARE: st.times(timezones=OFFSETS),
    TIMEDELTA: st.timedeltas(-MAX_DURATION, MAX_DURATION),
    BYTES: st.binary(max_size=50),
    UUID_: st.uuids(allow_nil=True),
}


@pytest.mark.parametrize("form", VALUES, ids=lambda form: form.name)
@given(data=st.data())
def test_every_value_goes_there_and_back(form: Form, data: st.DataObject) -> None:
    value = data.draw(VALUES[form])
    back = form.parse(form.write(value))

    assert back == value
    if isinstance(value, datetime | time):
        assert back.utcoffset() == value.utcoffset()


YEARS = [1, 4, 99, 100, 104, 400, 1900, 2000, 2023, 2024, 9900, 9996, 9999]


@pytest.mark.parametrize("year", YEARS)
def test_the_pattern_of_a_local_datetime_knows_the_calendar(year: int) -> None:
    for month, day in product(range(14), range(33)):
        text = f"{year:04}-{month:02}-{day:02}T00:00:00"
        try:
            datetime.fromisoformat(text)
        except ValueError:
            assert DATETIME_LOCAL.matches(text) is None
        else:
            assert DATETIME_LOCAL.matches(text)


@given(
    st.integers(0, 1),
    st.lists(st.integers(0, 9), min_size=1, max_size=2 * MAX_DECIMAL_DIGITS),
    st.integers(-MAX_DECIMAL_EXPONENT, MAX_DECIMAL_EXPONENT - MAX_DECIMAL_DIGITS),
)
def test_every_decimal_within_the_limits_goes_there_and_back(
    sign: int, digits: list[int], exponent: int
) -> None:
    value = Decimal((sign, tuple(digits), exponent))

    assert DECIMAL.parse(DECIMAL.write(value)).as_tuple() == value.as_tuple()


@pytest.mark.unwatched
@pytest.mark.parametrize("form", [BYTES, TIMEDELTA, TIME, UUID_])
@given(data=st.data())
def test_what_the_pattern_takes_can_be_parsed(form: Form, data: st.DataObject) -> None:
    pattern = re.compile(form.pattern.replace("9}", "3}").replace("$", r"\Z"))

    form.parse(data.draw(st.from_regex(pattern, fullmatch=True)))


MOST = st.sampled_from(["0" * MAX_DECIMAL_DIGITS, "9" * MAX_DECIMAL_DIGITS])
DIGITS = st.text("09123456789", min_size=1, max_size=MAX_DECIMAL_DIGITS) | MOST
EXPONENTS = st.integers(-99, 99) | st.sampled_from([-99, 99])


@pytest.mark.unwatched
@given(st.sampled_from(["", "-"]), DIGITS, st.none() | DIGITS, st.none() | EXPONENTS)
def test_every_decimal_of_the_pattern_is_one_and_can_be_written(
    sign: str, digits: str, fraction: str | None, exponent: int | None
) -> None:
    power = "" if exponent is None else f"E{exponent}"
    text = f"{sign}{digits}{'' if fraction is None else f'.{fraction}'}{power}"
    value = DECIMAL.parse(text)
    written = DECIMAL.write(value)

    assert value.as_tuple() == Decimal(text).as_tuple()
    assert decimal_fits(value)
    assert DECIMAL.parse(written).as_tuple() == value.as_tuple()


@given(st.integers(0, 10**90), st.integers(-150, 150))
def test_a_decimal_without_a_text_of_the_pattern_is_not_written(digits: int, exponent: int) -> None:
    value = Decimal((0, tuple(map(int, str(digits))), exponent))
    places = range(max(0, len(str(digits)) - MAX_DECIMAL_DIGITS), MAX_DECIMAL_DIGITS + 1)
    has_text = any(abs(exponent + after) <= MAX_DECIMAL_EXPONENT for after in places)

    assert decimal_fits(value) == has_text
    if not has_text:
        with pytest.raises(ValueError, match="digits on a side"):
            DECIMAL.write(value)


NO_DAY, NO_SECONDS = {"reason": "no_such_day", "days": 28}, {"reason": "no_seconds"}


@rows(
    "form, text, known",
    (DATE, "2026-02-29", NO_DAY),
    (DATE, "2024-02-30", {"reason": "no_such_day", "days": 29}),
    (DATE, "2026-04-31", {"reason": "no_such_day", "days": 30}),
    (DATE, "2026-01-32", {"reason": "no_such_day", "days": 31}),
    *((DATETIME, f"2026-02-30T10:00{end}", NO_DAY) for end in (":00Z", ":00", "Z")),
    (DATETIME, "2026-01-31T10:00:00", {"reason": "no_offset"}),
    (TIME_AWARE, "10:00:00", {"reason": "no_offset"}),
    *((DATETIME, text, NO_SECONDS) for text in ("2026-01-31T10:00Z", "2026-01-31T10:00")),
    (DATETIME_LOCAL, "2026-01-31T10:00", NO_SECONDS),
    *((TIME_AWARE, "10:00+01:00", NO_SECONDS), (TIME_NAIVE, "10:00", NO_SECONDS)),
    *((DATETIME, text, {}) for text in ("10:00Z", "0000-01-31T10:00:00", "2026-01-31 10:00:00")),
    (TIME_AWARE, "2026-01-31T10:00Z", {}),
    *((DATE, text, {}) for text in ("0000-02-30", "2026-13-01", "2026-02-30 ", "2026-02-00")),
)
def test_a_slip_in_a_text_may_be_known(form: Form, text: str, known: dict[str, Any]) -> None:
    assert SLIPS[form.name](text) == known
