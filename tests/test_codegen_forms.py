"""What stands as a text: told by its pattern, with limits of its own kind."""

from __future__ import annotations

from typing import Final

import pytest

from contract.codegen.forms import BASE64, PATTERNS, TIME_PATTERNS, offset_of
from contract.codegen.model import (
    BytesType,
    Limits,
    MapType,
    StrType,
    TextType,
)
from contract.shape import forms
from tests.codegen_documents import Schema, form, read, refusal


def test_the_patterns_are_those_of_the_wire() -> None:
    """They are written here again, since what generates code knows nothing of what serves."""
    assert {
        "decimal": {forms.DECIMAL.pattern},
        "datetime": {forms.DATETIME.pattern},
        "date": {forms.DATE.pattern},
        "time": {forms.TIME.pattern, forms.TIME_AWARE.pattern, forms.TIME_NAIVE.pattern},
        "timedelta": {forms.TIMEDELTA.pattern},
        "uuid": {forms.UUID_.pattern},
        "int": {forms.INTEGER_KEY.pattern},
    } == PATTERNS
    assert {
        forms.TIME.pattern: None,
        forms.TIME_AWARE.pattern: True,
        forms.TIME_NAIVE.pattern: False,
    } == TIME_PATTERNS
    assert forms.BYTES.pattern == BASE64


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "format": "date"},
        {"type": "string", "format": "date", "pattern": "^2"},
        {"type": "string", "x-contract-type": "decimal", "pattern": "^[0-9]$"},
        {"type": "string", "x-contract-type": "nothing", "pattern": forms.DATE.pattern},
        form(forms.DATE, "date", minLength=3),
        form(forms.DATE, "date", allOf=[{"pattern": "1"}]),
        form(forms.DATETIME, "date-time", allOf=[{"pattern": "1"}]),
        form(
            forms.DATETIME,
            "date-time",
            allOf=[{"pattern": "(Z|[+-]00:00)$"}, {"pattern": "-00:01$"}],
        ),
        form(forms.INTEGER_KEY, "int"),
        {"type": "string", "x-contract-type": "bytes", "pattern": "^[a-z]$"},
        {
            "type": "string",
            "x-contract-type": "bytes",
            "pattern": forms.BYTES.pattern,
            "maxLength": 3,
        },
    ],
)
def test_a_text_of_no_known_form_is_a_text(schema: Schema) -> None:
    """All that it has to be, it still has to be."""
    more = [rule["pattern"] for rule in schema.get("allOf", ())]
    patterns = tuple([schema["pattern"], *more] if "pattern" in schema else [])

    assert read(schema) == StrType(schema.get("minLength"), schema.get("maxLength"), patterns)


def test_bytes_have_lengths() -> None:
    schema = {
        "type": "string",
        "x-contract-type": "bytes",
        "pattern": forms.BYTES.pattern,
        "maxLength": 8,
    }

    assert read(schema) == BytesType(None, 6)


@pytest.mark.parametrize(
    ("pattern", "minutes"), [("(Z|[+-]00:00)$", 0), ("[+]05:30$", 330), ("-01:00$", -60)]
)
def test_a_datetime_may_have_one_offset(pattern: str, minutes: int) -> None:
    found = read(form(forms.DATETIME, "date-time", allOf=[{"pattern": pattern}]))
    assert isinstance(found, TextType)
    offset = offset_of(found)
    assert offset is not None

    assert offset.total_seconds() == 60 * minutes
    assert offset_of(TextType("date", (forms.DATE.pattern,))) is None


@pytest.mark.parametrize(
    ("schema", "bounds", "limits"),
    [
        (
            form(forms.DECIMAL, "decimal"),
            {"ge": "0.01", "multiple_of": "0.05"},
            Limits(ge="0.01", multiple_of="0.05"),
        ),
        (form(forms.DECIMAL, "decimal"), {"ge": 1}, Limits(ge="1")),
        (
            form(forms.DATE, "date"),
            {"gt": "2024-01-01", "lt": "2024-01-03"},
            Limits(gt="2024-01-01", lt="2024-01-03"),
        ),
        (
            form(forms.DATETIME, "date-time"),
            {"le": "2024-01-01T00:00:00+05:30"},
            Limits(le="2024-01-01T00:00:00+05:30"),
        ),
        (form(forms.TIME_NAIVE, "time"), {"ge": "09:00:00"}, Limits(ge="09:00:00")),
        (form(forms.TIME_AWARE, "time"), {"ge": "09:00:00+00:00"}, Limits(ge="09:00:00+00:00")),
        (
            form(forms.TIMEDELTA, "timedelta"),
            {"gt": "PT0S", "le": "PT0.5S"},
            Limits(gt="PT0S", le="PT0.5S"),
        ),
        (form(forms.TIMEDELTA, "timedelta"), {}, Limits()),
    ],
)
def test_what_stands_as_a_text_has_limits(schema: Schema, bounds: Schema, limits: Limits) -> None:
    found = read({**schema, "x-contract-bounds": bounds})

    assert isinstance(found, TextType)
    assert found.limits == limits


NO_LIMIT: Final = "this is no limit of a "


@pytest.mark.parametrize(
    ("schema", "bounds", "where", "problem"),
    [
        (form(forms.DECIMAL, "decimal"), {"ge": "x"}, ".ge", f"{NO_LIMIT}decimal"),
        (form(forms.DECIMAL, "decimal"), {"ge": "1e41"}, ".ge", f"{NO_LIMIT}decimal"),
        (form(forms.DECIMAL, "decimal"), {"ge": f"{'1' * 39}.11"}, ".ge", f"{NO_LIMIT}decimal"),
        (form(forms.DECIMAL, "decimal"), {"ge": "1\n"}, ".ge", f"{NO_LIMIT}decimal"),
        (
            form(forms.DECIMAL, "decimal"),
            {"ge": "2", "le": "1"},
            "",
            "no value is within these limits",
        ),
        (
            form(forms.DECIMAL, "decimal"),
            {"gt": "1", "le": "1.0"},
            "",
            "no value is within these limits",
        ),
        (
            form(forms.DECIMAL, "decimal"),
            {"multiple_of": "0"},
            ".multiple_of",
            "only numbers are multiples",
        ),
        (
            form(forms.DATE, "date"),
            {"multiple_of": "2024-01-01"},
            ".multiple_of",
            "only numbers are multiples",
        ),
        (form(forms.DATE, "date"), {"ge": "20240101"}, ".ge", f"{NO_LIMIT}date"),
        (form(forms.DATE, "date"), {"ge": "2024-02-30"}, ".ge", f"{NO_LIMIT}date"),
        (
            form(forms.DATETIME, "date-time"),
            {"ge": "2024-01-01T00:00:00"},
            ".ge",
            f"{NO_LIMIT}datetime",
        ),
        (
            form(forms.TIMEDELTA, "timedelta"),
            {"ge": "P999999999DT99H"},
            ".ge",
            f"{NO_LIMIT}timedelta",
        ),
        (
            form(forms.TIME, "time"),
            {"ge": "09:00:00"},
            ".ge",
            "a time with an offset is not compared with one without",
        ),
        (form(forms.UUID_, "uuid"), {"ge": "x"}, "", "there is no order of UUIDs"),
    ],
)
def test_limits_that_no_value_could_have_are_refused(
    schema: Schema, bounds: Schema, where: str, problem: str
) -> None:
    path, found = refusal({**schema, "x-contract-bounds": bounds})

    assert path == f'["x-contract-bounds"]{where}' or path == f".x-contract-bounds{where}"
    assert found.startswith(problem)


def test_an_integer_that_is_a_key_has_limits() -> None:
    def keys(**bounds: int | str) -> Schema:
        return {
            "type": "object",
            "propertyNames": form(forms.INTEGER_KEY, "int", **{"x-contract-bounds": bounds}),
        }

    found = read(keys(ge="0", lt=2**64 - 1, multiple_of=2))
    assert isinstance(found, MapType)
    assert isinstance(found.key, TextType)
    assert found.key.limits == Limits(ge=0, lt=2**64 - 1, multiple_of=2)

    path, problem = refusal(keys(ge=-(2**63), le="-10000000000000000000"))
    assert path.endswith(".le")
    assert problem.startswith("this is no limit of a int")
