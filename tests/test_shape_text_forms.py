"""Forms: one text for each value, and nothing that only some parsers take."""

import re
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from itertools import product
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from contract.shape.text_forms import (
    BYTES,
    DATE,
    DATETIME,
    DATETIME_LOCAL,
    DAYS_OR_OFFSETS,
    DECIMAL,
    INTEGER_KEY,
    MAX_DECIMAL_DIGITS,
    MAX_DECIMAL_EXPONENT,
    MAX_DURATION,
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

ALL = [
    BYTES,
    DATE,
    DATETIME,
    DATETIME_LOCAL,
    DECIMAL,
    INTEGER_KEY,
    TIME,
    TIME_AWARE,
    TIME_NAIVE,
    TIMEDELTA,
    UUID_,
]
OFFSETS = st.integers(-23 * 60 - 59, 23 * 60 + 59).map(
    lambda minutes: timezone(timedelta(minutes=minutes))
)

ACCEPTED: list[tuple[Form, str, Any]] = [
    (DATETIME, "2026-01-31T23:59:59Z", datetime(2026, 1, 31, 23, 59, 59, tzinfo=UTC)),
    (
        DATETIME,
        "2026-01-31T23:59:59.1+01:30",
        datetime(2026, 1, 31, 23, 59, 59, 100_000, tzinfo=timezone(timedelta(minutes=90))),
    ),
    (
        DATETIME,
        "0001-01-01T00:00:00.000001-23:59",
        datetime(1, 1, 1, 0, 0, 0, 1, tzinfo=timezone(timedelta(minutes=-1439))),
    ),
    (
        DATETIME,
        "9999-12-31T23:59:59.999999-00:00",
        datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
    ),
    (
        DATETIME,
        "2026-01-31T23:59:59.123456999Z",
        datetime(2026, 1, 31, 23, 59, 59, 123_456, tzinfo=UTC),
    ),
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
    *(
        (DATETIME_LOCAL, text)
        for text in (
            "2024-01-01T10:00:00Z",
            "2024-01-01T10:00:00+01:00",
            "2024-01-01 10:00:00",
            "2024-01-01T24:00:00",
            "2024-01-01T10:00",
            "2024-01-01",
            "0000-01-01T10:00:00",
            "2024-01-01T10:00:00\n",
        )
    ),
    *(
        (DATETIME, text)
        for text in (
            "2026-01-31",
            "2026-01-31T23:59:59",
            "2026-01-31 23:59:59Z",
            "2026-01-31t23:59:59z",
            "1577836800",
        )
    ),
    *(
        (DATETIME, text)
        for text in (
            "2026-01-31T24:00:00Z",
            "2026-01-31T23:59:60Z",
            "2026-01-31T12:00Z",
            "2026-01-31T12:00:00+0100",
        )
    ),
    *(
        (DATETIME, text)
        for text in (
            "2026-01-31T12:00:00+25:00",
            "2026-01-31T12:00:00+24:00",
            "2026-01-31T12:00:00.1234567890Z",
            "0000-01-31T12:00:00Z",
        )
    ),
    *(
        (DATETIME, text)
        for text in (
            "2026-01-31T12:00:00.Z",
            "2026-01-31T12:00:00,5Z",
            "20260131T120000Z",
            "2026-W01-1T00:00:00Z",
        )
    ),
    *((DATE, text) for text in ("0000-01-01", "2026-00-10", "2026-13-01", "2026-01-32")),
    *(
        (TIME, text)
        for text in (
            "24:00:00",
            "12:00",
            "12:60:00",
            "12:00:60",
            "12:00:00+25:00",
            "12:00:00 Z",
            "T12:00:00",
            "120000",
        )
    ),
    (TIME_NAIVE, "12:00:00Z"),
    (TIME_AWARE, "12:00:00"),
    *(
        (TIMEDELTA, text)
        for text in (
            "",
            "P",
            "PT",
            "P1DT",
            "1 days",
            "P1Y",
            "P1W",
            "P1M",
            "PT1.5H",
            "PT.5S",
            "PT1.S",
            "+P1D",
            "P-1D",
            "3600",
        )
    ),
    *(
        (TIMEDELTA, text)
        for text in (
            "PT1.1234567S",
            "P1234567890D",
            "P900000000D",
            "P999999999DT1H",
            "pt1s",
            "PT1S1M",
            "P1DT1D",
        )
    ),
    *(
        (DECIMAL, text)
        for text in (
            "",
            "1_000",
            "NaN",
            "Infinity",
            "-",
            ".5",
            "5.",
            "+1",
            " 1",
            "1e",
            "1e999",
            "1E+999999999",
            "1" * 41,
            "0." + "1" * 41,
            "1E-100",
        )
    ),
    *(
        (UUID_, text)
        for text in (
            "{12345678-1234-5678-1234-567812345678}",
            "urn:uuid:12345678-1234-5678-1234-567812345678",
        )
    ),
    (UUID_, "12345678123456781234567812345678"),
    *(
        (BYTES, text)
        for text in (
            "A",
            "AA",
            "AAA",
            "AA=",
            "AB==",
            "AAB=",
            "AA==AA==",
            "A A=",
            "-_-_",
            "AAAA\n",
            "====",
        )
    ),
    *((INTEGER_KEY, text) for text in ("", "-", "-0", "01", "+1", "1.0", "1_0", "1" * 21)),
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

    # what stands in the JSON Schema says so too, but for the final line feed that Python's $ lets
    # through
    assert re.search(form.pattern.replace("$", r"\Z"), text) is None


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (DATETIME, "2026-02-29T00:00:00Z"),
        (DATE, "2026-02-30"),
        (DATE, "2026-04-31"),
    ],
)
def test_only_calendars_go_beyond_the_pattern(form: Form, text: str) -> None:
    assert form.matches(text)
    with pytest.raises(ValueError):  # noqa: PT011  the calendar's own text
        form.parse(text)


@pytest.mark.parametrize(
    "text", ["1", "-0.10", "1E+999999999", "1e-1", "1" * 1_000_000, "0." + "1" * 1_000_000]
)
def test_a_decimal_may_look_like_one_at_any_size(text: str) -> None:
    assert is_decimal_of_any_size(text)


@pytest.mark.parametrize(
    "text",
    ["", "-", "1.", ".1", "1e", "+1", "1_000", " 1", "1\n", "٣", "NaN", "1" * 1_000_000 + "."],
)
def test_other_texts_look_like_no_decimal(text: str) -> None:
    assert not is_decimal_of_any_size(text)


@pytest.mark.parametrize("form", ALL)
@pytest.mark.parametrize(
    ("before", "after"), [(" ", ""), ("", "\n"), ("", " "), ("", "\0"), ("\ufeff", "")]
)
def test_nothing_stands_around_a_form(form: Form, before: str, after: str) -> None:
    text = next(text for taken, text, _ in ACCEPTED if taken is form and text)

    assert form.matches(before + text + after) is None


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


@pytest.mark.parametrize(
    "value",
    [-MAX_DURATION, MAX_DURATION, timedelta.resolution, -timedelta.resolution, timedelta(-1, 1)],
)
def test_the_ends_of_timedelta_go_there_and_back(value: timedelta) -> None:
    assert TIMEDELTA.parse(TIMEDELTA.write(value)) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (timedelta(0), "PT0S"),
        (timedelta(days=2), "P2D"),
        (timedelta(days=-1, seconds=1), "-PT23H59M59S"),
        (timedelta(minutes=90), "PT1H30M"),
        (timedelta(seconds=61, microseconds=5), "PT1M1.000005S"),
        (timedelta(days=1, microseconds=1), "P1DT0.000001S"),
    ],
)
def test_a_timedelta_has_one_text(value: timedelta, text: str) -> None:
    assert TIMEDELTA.write(value) == text


def test_the_names_of_forms_are_those_of_json_schema() -> None:
    formats = {form.name: form.format for form in (DATETIME, DATE, UUID_, TIME_AWARE)}

    assert formats == {"date-time": "date-time", "date": "date", "uuid": "uuid", "time": "time"}
    assert [form.format for form in (TIME, TIME_NAIVE, TIMEDELTA, DECIMAL, BYTES, INTEGER_KEY)] == [
        None
    ] * 6


def test_a_naive_datetime_has_no_text() -> None:
    with pytest.raises(ValueError, match="without an offset"):
        DATETIME.write(datetime(2026, 1, 1))


@pytest.mark.parametrize(
    ("form", "value"),
    [
        (DATETIME, datetime(2026, 1, 1, tzinfo=timezone(timedelta(seconds=1)))),
        (TIME, time(12, tzinfo=timezone(timedelta(minutes=5, seconds=30)))),
    ],
)
def test_an_offset_of_seconds_has_no_text(form: Form, value: Any) -> None:
    with pytest.raises(ValueError, match="offset of seconds"):
        form.write(value)


def test_a_zone_is_written_as_its_offset() -> None:
    assert (
        DATETIME.write(datetime(2026, 7, 1, tzinfo=ZoneInfo("Europe/Paris")))
        == "2026-07-01T00:00:00+02:00"
    )


@pytest.mark.parametrize(
    "value",
    [
        Decimal("NaN"),
        Decimal("-Infinity"),
        Decimal("sNaN"),
        Decimal("1E+140"),
        Decimal("1E-140"),
        Decimal("1" * 81),
        Decimal("1" * 41 + "E+99"),
    ],
)
def test_a_decimal_beyond_the_limits_has_no_text(value: Decimal) -> None:
    assert not decimal_fits(value)
    with pytest.raises(ValueError, match="digits"):
        DECIMAL.write(value)


@given(st.datetimes(timezones=OFFSETS))
def test_every_datetime_goes_there_and_back(value: datetime) -> None:
    back = DATETIME.parse(DATETIME.write(value))

    assert back == value
    assert back.utcoffset() == value.utcoffset()


@given(st.datetimes())
def test_every_local_datetime_goes_there_and_back(value: datetime) -> None:
    assert DATETIME_LOCAL.parse(DATETIME_LOCAL.write(value)) == value


@pytest.mark.parametrize(
    "year", [1, 4, 99, 100, 104, 400, 1900, 2000, 2023, 2024, 9900, 9996, 9999]
)
def test_the_pattern_of_a_local_datetime_knows_the_calendar(year: int) -> None:
    for month, day in product(range(14), range(33)):
        text = f"{year:04}-{month:02}-{day:02}T00:00:00"
        try:
            datetime.fromisoformat(text)
        except ValueError:
            assert DATETIME_LOCAL.matches(text) is None
        else:
            assert DATETIME_LOCAL.matches(text)


def test_a_datetime_with_a_zone_is_no_local_one() -> None:
    with pytest.raises(ValueError, match="replace"):
        DATETIME_LOCAL.write(datetime(2026, 1, 1, tzinfo=UTC))


@given(st.dates())
def test_every_date_goes_there_and_back(value: date) -> None:
    assert DATE.parse(DATE.write(value)) == value


@given(st.times(timezones=st.none() | OFFSETS))
def test_every_time_goes_there_and_back(value: time) -> None:
    form = TIME_NAIVE if value.tzinfo is None else TIME_AWARE
    back = form.parse(TIME.write(value))

    assert back == value
    assert back.utcoffset() == value.utcoffset()


@given(st.timedeltas(-MAX_DURATION, MAX_DURATION))
@example(MAX_DURATION)
@example(-MAX_DURATION)
def test_every_timedelta_goes_there_and_back(value: timedelta) -> None:
    assert TIMEDELTA.parse(TIMEDELTA.write(value)) == value


@pytest.mark.parametrize("value", [timedelta.max, timedelta.min, timedelta(days=900_000_000)])
def test_a_duration_beyond_the_limits_has_no_text(value: timedelta) -> None:
    with pytest.raises(ValueError, match="900,000,000 days"):
        TIMEDELTA.write(value)


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


@given(st.binary(max_size=50))
def test_all_bytes_go_there_and_back(value: bytes) -> None:
    assert BYTES.parse(BYTES.write(value)) == value


@given(st.uuids(allow_nil=True))
def test_every_uuid_goes_there_and_back(value: UUID) -> None:
    assert UUID_.parse(UUID_.write(value)) == value


@pytest.mark.parametrize("form", [BYTES, TIMEDELTA, TIME, UUID_])
@given(data=st.data())
def test_what_the_pattern_takes_can_be_parsed(form: Form, data: st.DataObject) -> None:
    text = data.draw(
        st.from_regex(
            re.compile(form.pattern.replace("9}", "3}").replace("$", r"\Z")), fullmatch=True
        )
    )

    form.parse(text)


DIGITS = st.text("09123456789", min_size=1, max_size=MAX_DECIMAL_DIGITS) | st.sampled_from(
    ["0" * MAX_DECIMAL_DIGITS, "9" * MAX_DECIMAL_DIGITS]
)
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
def test_a_decimal_that_has_no_text_of_the_pattern_is_not_written(
    digits: int, exponent: int
) -> None:
    value = Decimal((0, tuple(map(int, str(digits))), exponent))
    places = range(MAX_DECIMAL_DIGITS + 1)
    has_text = any(
        abs(exponent + after) <= MAX_DECIMAL_EXPONENT
        and len(str(digits)) - after <= MAX_DECIMAL_DIGITS
        for after in places
    )

    assert decimal_fits(value) == has_text
    if not has_text:
        with pytest.raises(ValueError, match="digits on a side"):
            DECIMAL.write(value)


@pytest.mark.parametrize(
    ("form", "text", "known"),
    [
        (DATE, "2026-02-29", {"reason": "no_such_day", "days": 28}),
        (DATE, "2024-02-30", {"reason": "no_such_day", "days": 29}),
        (DATE, "2026-04-31", {"reason": "no_such_day", "days": 30}),
        (DATE, "2026-01-32", {"reason": "no_such_day", "days": 31}),
        (DATETIME, "2026-02-30T10:00:00Z", {"reason": "no_such_day", "days": 28}),
        (DATETIME, "2026-02-30T10:00:00", {"reason": "no_such_day", "days": 28}),
        (DATETIME, "2026-01-31T10:00:00", {"reason": "no_offset"}),
        (TIME_AWARE, "10:00:00", {"reason": "no_offset"}),
        (DATE, "0000-02-30", {}),
        (DATE, "2026-13-01", {}),
        (DATE, "2026-02-30 ", {}),
        (DATE, "2026-02-00", {}),
        (DATETIME, "2026-01-31 10:00:00", {}),
    ],
)
def test_a_slip_in_a_text_may_be_known(form: Form, text: str, known: dict[str, Any]) -> None:
    assert DAYS_OR_OFFSETS[form.name](text) == known
