"""What stands as a text: told by its pattern, with limits of its own kind."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any, Final

from contract.shape import nodes, text_forms
from contract.shape.bounds import Bounds
from tests.codegen_documents import Schema, form, read, refusal
from tests.tables import rows

DECIMAL: Final = form(text_forms.DECIMAL, "decimal")
DATE: Final = form(text_forms.DATE, "date")
UTC_ALONE: Final = "(Z|[+-]00:00)$"
MOMENT: Final = form(text_forms.DATETIME, "date-time")
TIME: Final = form(text_forms.TIME, "time")
NAIVE: Final = form(text_forms.TIME_NAIVE, "time")
AWARE: Final = form(text_forms.TIME_AWARE, "time")
DURATION: Final = form(text_forms.TIMEDELTA, "timedelta")
UUID: Final = form(text_forms.UUID_, "uuid")
FIRST, THIRD = date(2024, 1, 1), date(2024, 1, 3)
IN_INDIA: Final = datetime(2024, 1, 1, tzinfo=timezone(timedelta(hours=5.5)))
NINE: Final = time(9, tzinfo=UTC)
ZERO, HALF = timedelta(0), timedelta(seconds=0.5)


@rows(
    "schema",
    {"type": "string", "format": "date"},
    {"type": "string", "format": "date", "pattern": "^2"},
    {"type": "string", "x-contract-type": "decimal", "pattern": "^[0-9]$"},
    {"type": "string", "x-contract-type": "nothing", "pattern": text_forms.DATE.pattern},
    form(text_forms.DATE, "date", minLength=3),
    form(text_forms.DATE, "date", allOf=[{"pattern": "1"}]),
    form(text_forms.DATETIME, "date-time", allOf=[{"pattern": "1"}]),
    MOMENT | {"allOf": [{"pattern": UTC_ALONE}, {"pattern": "-00:01$"}]},
    form(text_forms.INTEGER_KEY, "int"),
    {"type": "string", "x-contract-type": "bytes", "pattern": "^[a-z]$"},
    form(text_forms.BYTES, "bytes", maxLength=3),
)
def test_a_text_of_no_known_form_is_a_text(schema: Schema) -> None:
    """All that it has to be, it still has to be."""
    more = [rule["pattern"] for rule in schema.get("allOf", ())]
    patterns = tuple([schema["pattern"], *more] if "pattern" in schema else [])

    lengths = schema.get("minLength"), schema.get("maxLength")
    assert read(schema) == nodes.StrShape(*lengths, patterns)


def test_bytes_have_lengths() -> None:
    assert read(form(text_forms.BYTES, "bytes", maxLength=8)) == nodes.BytesShape(None, 6)


@rows("pattern, minutes", (UTC_ALONE, 0), ("[+]05:30$", 330), ("-01:00$", -60))
def test_a_datetime_may_have_one_offset(pattern: str, minutes: int) -> None:
    found = read(form(text_forms.DATETIME, "date-time", allOf=[{"pattern": pattern}]))

    assert found == nodes.DatetimeShape(offset=timedelta(minutes=minutes))


@rows(
    "schema, bounds, found",
    (
        DECIMAL,
        {"ge": "0.01", "multiple_of": "0.05"},
        nodes.DecimalShape(Bounds(ge=Decimal("0.01"), multiple_of=Decimal("0.05"))),
    ),
    (DECIMAL, {"ge": 1}, nodes.DecimalShape(Bounds(ge=Decimal(1)))),
    (DATE, {"gt": "2024-01-01", "lt": "2024-01-03"}, nodes.DateShape(Bounds(gt=FIRST, lt=THIRD))),
    (MOMENT, {"le": IN_INDIA.isoformat()}, nodes.DatetimeShape(Bounds(le=IN_INDIA))),
    (NAIVE, {"ge": "09:00:00"}, nodes.TimeShape(Bounds(ge=time(9)), aware=False)),
    (AWARE, {"ge": "09:00:00+00:00"}, nodes.TimeShape(Bounds(ge=NINE), aware=True)),
    (TIME, {}, nodes.TimeShape()),
    (DURATION, {"gt": "PT0S", "le": "PT0.5S"}, nodes.TimedeltaShape(Bounds(gt=ZERO, le=HALF))),
    (DURATION, {}, nodes.TimedeltaShape()),
    (UUID, {}, nodes.UuidShape()),
)
def test_what_stands_as_text_has_limits(schema: Schema, bounds: Schema, found: nodes.Shape) -> None:
    assert read({**schema, "x-contract-bounds": bounds}) == found


NO_LIMIT: Final = "this is not a limit of type "
NO_MULTIPLE: Final = "only numbers can be multiples"
NOTHING_LEFT: Final = "no value is within these limits"


@rows(
    "schema, bounds, where, problem",
    (DECIMAL, {"ge": "x"}, ".ge", NO_LIMIT + "decimal"),
    (DECIMAL, {"ge": "1e100"}, ".ge", NO_LIMIT + "decimal"),
    (DECIMAL, {"ge": "1" * 41}, ".ge", NO_LIMIT + "decimal"),
    (DECIMAL, {"ge": "1\n"}, ".ge", NO_LIMIT + "decimal"),
    (DECIMAL, {"ge": "2", "le": "1"}, "", NOTHING_LEFT),
    (DECIMAL, {"gt": "1", "le": "1.0"}, "", NOTHING_LEFT),
    (DECIMAL, {"multiple_of": "0"}, ".multiple_of", NO_MULTIPLE),
    (DATE, {"multiple_of": "2024-01-01"}, ".multiple_of", NO_MULTIPLE),
    (DATE, {"ge": "20240101"}, ".ge", NO_LIMIT + "date"),
    (DATE, {"ge": "2024-02-30"}, ".ge", NO_LIMIT + "date"),
    (MOMENT, {"ge": "2024-01-01T00:00:00"}, ".ge", NO_LIMIT + "datetime"),
    (DURATION, {"ge": "P999999999DT99H"}, ".ge", NO_LIMIT + "timedelta"),
    (TIME, {"ge": "09:00:00"}, ".ge", "a time with an offset is not compared with one without"),
    (UUID, {"ge": "x"}, "", "UUIDs have no order"),
)
def test_limits_that_no_value_could_have_are_refused(
    schema: Schema, bounds: Schema, where: str, problem: str
) -> None:
    path, found = refusal({**schema, "x-contract-bounds": bounds})

    assert path == f'["x-contract-bounds"]{where}' or path == f".x-contract-bounds{where}"
    assert found.startswith(problem)


def test_an_integer_that_is_a_key_has_limits() -> None:
    def keys(**bounds: int | str) -> Schema:
        names = form(text_forms.INTEGER_KEY, "int", **{"x-contract-bounds": bounds})
        return {"type": "object", "propertyNames": names}

    found: Any = read(keys(ge="0", lt=2**64 - 1, multiple_of=2))
    assert found.key == nodes.IntShape(0, 2**64 - 2, 2)

    nothing = f"{NOTHING_LEFT}; write limits that leave something"
    assert refusal(keys(gt=1, lt=2)) == (".propertyNames.x-contract-bounds", nothing)
    path, problem = refusal(keys(ge=-(2**63), le="-10000000000000000000"))
    assert path.endswith(".le")
    assert problem.startswith("this is not a limit of type int")
