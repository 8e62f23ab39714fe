"""
Schemas of every kind, and what is said of each difference between two of them, received and sent.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from pathlib import PurePath
from typing import Annotated, Any, Final
from zoneinfo import ZoneInfo

import pytest
from annotated_types import Len

from contract import Email, Pattern, SecretStr, SemVer, Url
from contract.document.model import Side
from contract.document.scalar_schemas import scalar_schema
from contract.shape.nodes import BytesShape
from contract.shape.reader import shape_of
from tests.diffs import changes, kinds, record, told
from tests.oracle import schema_of

TEXT: Final[dict[str, Any]] = {"type": "string"}
INT64: Final[dict[str, Any]] = {
    "type": "integer",
    "format": "int64",
    "minimum": -(2**63),
    "maximum": 2**63 - 1,
}
INTEGER: Final[dict[str, Any]] = {"type": "integer"}
NUMBER: Final[dict[str, Any]] = {"type": "number", "format": "double"}
NULL: Final[dict[str, Any]] = {"type": "null"}


def tuple_of(*items: Any, least: int | None = None) -> dict[str, Any]:
    lengths = {"minItems": len(items) if least is None else least, "maxItems": len(items)}
    return {
        "type": "array",
        **({"prefixItems": [*items]} if items else {}),
        "items": False,
        **lengths,
        "x-contract-type": "tuple",
    }


def list_of(item: Any, **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": item, **more}


def one_of(*values: Any, **more: Any) -> dict[str, Any]:
    return {"type": "string", "enum": [*values], **more}


def any_of(*members: Any) -> dict[str, Any]:
    return {"anyOf": [*members]}


def data(least: int | None = None, most: int | None = None) -> dict[str, Any]:
    return scalar_schema(BytesShape(least, most))


def formed(
    kind: str | None = None, form: str | None = None, pattern: str = "^x$", **bounds: Any
) -> dict[str, Any]:
    told = {"x-contract-type": kind, "format": form, "x-contract-bounds": bounds or None}
    return {
        "type": "string",
        "pattern": pattern,
        **{key: value for key, value in told.items() if value is not None},
    }


def of(annotation: Any) -> dict[str, Any]:
    """The schema of a type without parts."""
    schema = schema_of(shape_of(annotation), "input")
    return {key: value for key, value in schema.items() if key != "$defs"}


CASES: Final[dict[str, tuple[Any, Any, str]]] = {
    "a field that is required": (
        record("a", a=TEXT),
        record("a", "b", a=TEXT, b=TEXT),
        "<field_required_added >field_added",
    ),
    "a field that is optional": (record("a", a=TEXT), record("a", a=TEXT, b=TEXT), "=field_added"),
    "a field less": (record("a", "b", a=TEXT, b=TEXT), record("a", a=TEXT), "!field_removed"),
    "an optional field less": (record("a", a=TEXT, b=TEXT), record("a", a=TEXT), "!field_removed"),
    "a field becomes required": (record(a=TEXT), record("a", a=TEXT), "-field_required"),
    "a field becomes optional": (record("a", a=TEXT), record(a=TEXT), "+field_optional"),
    "a field that cannot be there becomes required": (
        record(a=TEXT),
        record("b", a=TEXT),
        "-field_required",
    ),
    "a field that cannot be there becomes optional": (
        record("b", a=TEXT),
        record(a=TEXT),
        "+field_optional",
    ),
    "a field of an open object is declared": (
        {"type": "object"},
        {"type": "object", "properties": {"a": TEXT}},
        "-type_narrowed",
    ),
    "a field of an open object is undeclared": (
        {"type": "object", "properties": {"a": TEXT}},
        {"type": "object"},
        "+type_widened",
    ),
    "a record becomes a map": (
        list_of(record(a=TEXT)),  # a body itself could be left out
        list_of({"type": "object", "additionalProperties": TEXT}),
        "+extra_fields_allowed",
    ),
    "a map becomes a record": (
        {"type": "object", "additionalProperties": TEXT},
        record(a=TEXT),
        "-extra_fields_refused",
    ),
    "the values of a map": (
        {"type": "object", "additionalProperties": TEXT},
        {"type": "object", "additionalProperties": INTEGER},
        "!type_changed",
    ),
    "the keys of a map": (
        {"type": "object"},
        {"type": "object", "propertyNames": {"pattern": "^a"}},
        "-pattern_added",
    ),
    "the size of a map": (
        {"type": "object", "minProperties": 1},
        {"type": "object", "maxProperties": 9},
        "-limit_narrowed +limit_widened",
    ),
    "a default is another": (
        record(a={**TEXT, "default": "x"}),
        record(a={**TEXT, "default": "y"}),
        "<default_changed",
    ),
    "what was left out becomes null": (
        record(a=TEXT),
        record(a={**TEXT, "default": None}),
        "<default_added",
    ),
    "what was null is left out": (
        record(a={**TEXT, "default": None}),
        record(a=TEXT),
        "<default_removed",
    ),
    "a default comes with being optional": (
        record("a", a=TEXT),
        record(a={**TEXT, "default": "x"}),
        "+field_optional",
    ),
    "a default comes with being declared": (
        {"type": "object", "properties": {}},
        {"type": "object", "properties": {"a": {"default": "x"}}},
        "",
    ),
    "a default goes with being optional": (
        record(a={**TEXT, "default": "x"}),
        record("a", a=TEXT),
        "-field_required",
    ),
    "true is not one": (record(a={"default": 1}), record(a={"default": True}), "<default_changed"),
    "a name in code": (
        record(a=TEXT),
        record(a={**TEXT, "x-contract-name": "a_"}),
        "~field_renamed_in_code",
    ),
    "names in code that are swapped": (
        record(x={**TEXT, "x-contract-name": "a"}, y={**TEXT, "x-contract-name": "b"}),
        record(x={**TEXT, "x-contract-name": "b"}, y={**TEXT, "x-contract-name": "a"}),
        "*field_moved_in_code *field_moved_in_code",
    ),
    "another order of fields": (
        record(a=TEXT, b=TEXT),
        {**record(a=TEXT, b=TEXT, c=TEXT), "x-contract-order": ["b", "a", "c"]},
        "~fields_reordered =field_added",
    ),
    "a new field does not reorder the others": (
        record(a=TEXT, b=TEXT),
        {**record(a=TEXT, b=TEXT, c=TEXT), "x-contract-order": ["c", "a", "b"]},
        "=field_added",
    ),
    "notes": (
        record(a=TEXT),
        record(a={**TEXT, "description": "d", "examples": ["x"], "deprecated": True}),
        ".deprecated ?description_changed ?examples_changed",
    ),
    "notes less": (
        record(a={**TEXT, "description": "d", "examples": ["x"], "deprecated": True}),
        record(a=TEXT),
        ".undeprecated ?description_changed ?examples_changed",
    ),
    "int becomes float": (INT64, NUMBER, "+type_widened"),
    "float becomes int": (NUMBER, INT64, "-type_narrowed"),
    "another type": (TEXT, INT64, "!type_changed"),
    "another type that shares some": (
        {"type": ["string", "integer"]},
        {"type": ["string", "null"]},
        "!type_changed",
    ),
    "more types": (TEXT, {"type": ["string", "null"]}, "+type_widened"),
    "fewer types": ({"type": ["string", "null"]}, TEXT, "-type_narrowed"),
    "anything becomes a text": ({}, TEXT, "-type_narrowed"),
    "a text becomes anything": (TEXT, {}, "+type_widened"),
    "nothing becomes a text": (list_of(False), list_of(TEXT), "+type_widened"),
    "a text becomes nothing": (list_of(TEXT), list_of(False), "-type_narrowed"),
    "nothing stays nothing": (list_of(False), list_of({"enum": []}), ""),
    "anything stays anything": (list_of(True), list_of({}), ""),
    "null more": (TEXT, any_of(TEXT, NULL), "+null_added"),
    "null less": (any_of(TEXT, NULL), TEXT, "-null_removed"),
    "a value more": (one_of("a"), one_of("a", "b"), "+enum_value_added"),
    "a value less": (one_of("a", "b"), one_of("a"), "-enum_value_removed"),
    "a constant is a list of one": ({"type": "string", "const": "a"}, one_of("a"), ""),
    "one is one point nought": ({"const": 1}, {"const": 1.0}, ""),
    "one is not true": ({"const": 1}, {"const": True}, "!type_changed"),
    "a constant becomes a text": ({"type": "string", "const": "a"}, TEXT, "+enum_opened"),
    "a text becomes a constant": (TEXT, {"type": "string", "const": "a"}, "-enum_closed"),
    "values of two types become a text": ({"enum": ["a", 1]}, TEXT, "-type_narrowed +enum_opened"),
    "a text becomes values of two types": (TEXT, {"enum": ["a", 1]}, "-enum_closed +type_widened"),
    "values of which none fits the type": ({"type": "string", "enum": [1]}, TEXT, "+type_widened"),
    "numbers become every integer": ({"type": "integer", "enum": [1, 2]}, INT64, "+enum_opened"),
    "every integer becomes numbers": (INT64, {"type": "integer", "enum": [1, 2]}, "-enum_closed"),
    "truth becomes true": (
        {"type": "boolean"},
        {"type": "boolean", "enum": [True]},
        "-enum_closed",
    ),
    "numbers become some that are no less": (
        {"type": "integer", "enum": [1, 2]},
        {"type": "integer", "minimum": 1, "maximum": 2, "multipleOf": 1},
        "+enum_opened",
    ),
    "numbers become greater ones": (
        {"type": "integer", "enum": [1, 2]},
        {"type": "integer", "exclusiveMinimum": 1},
        "-limit_narrowed +enum_opened",
    ),
    "numbers become smaller ones": (
        {"type": "integer", "enum": [1, 2]},
        {"type": "integer", "exclusiveMaximum": 2},
        "-limit_narrowed +enum_opened",
    ),
    "numbers become even ones": (
        {"type": "integer", "enum": [1, 2]},
        {"type": "integer", "multipleOf": 2},
        "-limit_narrowed +enum_opened",
    ),
    "numbers become multiples of nothing": (
        {"type": "integer", "enum": [1, 2]},
        {"type": "integer", "multipleOf": 0},
        "-limit_narrowed +enum_opened",
    ),
    "values become a text of their lengths": (
        one_of("a", "bc"),
        {**TEXT, "minLength": 1, "maxLength": 2},
        "+enum_opened",
    ),
    "values become a text of other lengths": (
        one_of("a", "bc"),
        {**TEXT, "maxLength": 1},
        "-limit_narrowed +enum_opened",
    ),
    "many values become a text": (one_of(*"abcdefghijkl"), TEXT, "+enum_opened"),
    "values of every type": (
        {"const": [1.5]},
        {"enum": [None, True, 1.5, [1.5], {}]},
        "+enum_value_added +enum_value_added +enum_value_added +enum_value_added",
    ),
    "a member of an enum is renamed": (
        one_of("a", "b", **{"x-contract-enum-names": ["A", "B"]}),
        one_of("a", "b", **{"x-contract-enum-names": ["A", "C"]}),
        "~enum_member_renamed",
    ),
    "members of an enum are swapped": (
        one_of("a", "b", **{"x-contract-enum-names": ["A", "B"]}),
        one_of("a", "b", **{"x-contract-enum-names": ["B", "A"]}),
        "*enum_member_moved *enum_member_moved",
    ),
    "a minimum is raised": (
        {**INTEGER, "minimum": 1},
        {**INTEGER, "minimum": 2},
        "-limit_narrowed",
    ),
    "a minimum is lowered": (
        {**INTEGER, "minimum": 2},
        {**INTEGER, "minimum": 1},
        "+limit_widened",
    ),
    "a minimum is left out of": (
        {"type": "number", "minimum": 1},
        {"type": "number", "exclusiveMinimum": 1},
        "-limit_narrowed",
    ),
    "a minimum is let in": (
        {"type": "number", "exclusiveMinimum": 1},
        {"type": "number", "minimum": 1},
        "+limit_widened",
    ),
    "of two limits the stricter counts": (
        {"minimum": 3, "exclusiveMinimum": 1},
        {"minimum": 3},
        "",
    ),
    "of two limits the stricter counts again": (
        {"minimum": 1, "exclusiveMinimum": 3},
        {"exclusiveMinimum": 3},
        "",
    ),
    "a maximum more": (INTEGER, {**INTEGER, "exclusiveMaximum": 2}, "-limit_narrowed"),
    "a maximum less": ({**INTEGER, "maximum": 2}, INTEGER, "+limit_widened"),
    "an integer becomes a number with the same limits": (
        INT64,
        {**NUMBER, "minimum": -(2**63), "maximum": 2**63 - 1},
        "+type_widened",
    ),
    "an integer becomes a number with closer limits": (
        INT64,
        {**NUMBER, "minimum": -(2**63), "maximum": 9},
        "-limit_narrowed +type_widened",
    ),
    "an integer becomes a number with wider limits": (
        INT64,
        {**NUMBER, "minimum": -(2**64), "maximum": 2**63 - 1},
        "+limit_widened +type_widened",
    ),
    "a limit that is none": ({"minimum": True}, {"minimum": float("nan")}, ""),
    "a multiple of a multiple": (
        {**INTEGER, "multipleOf": 2},
        {**INTEGER, "multipleOf": 4},
        "-limit_narrowed",
    ),
    "a part of a multiple": (
        {"type": "number", "multipleOf": 0.3},
        {"type": "number", "multipleOf": 0.1},
        "+limit_widened",
    ),
    "another multiple": (
        {**INTEGER, "multipleOf": 2},
        {**INTEGER, "multipleOf": 3},
        "!limit_changed",
    ),
    "the same multiple in another way": (
        {**INTEGER, "multipleOf": 2},
        {**INTEGER, "multipleOf": 2.0},
        "",
    ),
    "a multiple more": (INTEGER, {**INTEGER, "multipleOf": 3}, "-limit_narrowed"),
    "a multiple less": ({**INTEGER, "multipleOf": 3}, INTEGER, "+limit_widened"),
    "multiples that are none": ({"multipleOf": "x"}, {"multipleOf": 0}, "!limit_changed"),
    "a multiple beyond measure": ({"multipleOf": 10**5000}, {"multipleOf": 1}, "!limit_changed"),
    "a multiple that is not finite": (
        {"multipleOf": float("inf")},
        {"multipleOf": 1},
        "!limit_changed",
    ),
    "a length": (
        {**TEXT, "minLength": 1, "maxLength": 3},
        {**TEXT, "minLength": 2, "maxLength": 4},
        "-limit_narrowed +limit_widened",
    ),
    "no length is nought": ({**TEXT, "minLength": 0}, TEXT, ""),
    "a number of items": (list_of(TEXT), list_of(TEXT, minItems=1), "-limit_narrowed"),
    "an item": (list_of(TEXT), list_of({**TEXT, "minLength": 1}), "-limit_narrowed"),
    "a list becomes a set": (
        list_of(TEXT),
        list_of(TEXT, uniqueItems=True, **{"x-contract-type": "set"}),
        "-repetition_refused ~representation_changed",
    ),
    "a set becomes a list": (
        list_of(TEXT, uniqueItems=True, **{"x-contract-type": "set"}),
        list_of(TEXT),
        "~representation_changed +repetition_allowed",
    ),
    "a position that is required": (
        tuple_of(TEXT),
        tuple_of(TEXT, INTEGER),
        "!item_required_added",
    ),
    "a position that is optional": (
        tuple_of(TEXT),
        tuple_of(TEXT, INTEGER, least=1),
        "+item_added",
    ),
    "a position that is optional makes another optional": (
        tuple_of(TEXT),
        tuple_of(TEXT, INTEGER, least=0),
        "+limit_widened +item_added",
    ),
    "a position less": (tuple_of(TEXT, INTEGER), tuple_of(TEXT), "!item_removed"),
    "a position becomes optional": (tuple_of(TEXT), tuple_of(TEXT, least=0), "+limit_widened"),
    "a position is another": (tuple_of(TEXT), tuple_of(INTEGER), "!type_changed"),
    "a position is called another": (
        tuple_of({**TEXT, "x-contract-name": "a"}),
        tuple_of({**TEXT, "x-contract-name": "b"}),
        "~field_renamed_in_code",
    ),
    "positions that are swapped": (
        tuple_of({**NUMBER, "x-contract-name": "lat"}, {**NUMBER, "x-contract-name": "lon"}),
        tuple_of({**NUMBER, "x-contract-name": "lon"}, {**NUMBER, "x-contract-name": "lat"}),
        "*item_moved *item_moved",
    ),
    "a position is put in front": (
        tuple_of({**TEXT, "x-contract-name": "b"}),
        tuple_of({**TEXT, "x-contract-name": "a"}, {**TEXT, "x-contract-name": "b"}, least=0),
        "+limit_widened *item_moved +item_added",
    ),
    "the default of a position": (
        tuple_of({**TEXT, "default": "a"}, {**TEXT, "default": "a"}, least=1),
        tuple_of({**TEXT, "default": "b"}, {**TEXT, "default": "b"}, least=1),
        "<default_changed",
    ),
    "a tuple of none": (tuple_of(), tuple_of(TEXT), "!item_required_added"),
    "a list becomes a tuple": (
        list_of(TEXT),
        tuple_of(TEXT),
        "-limit_narrowed -limit_narrowed -type_narrowed ~representation_changed",
    ),
    "bytes": (data(1, 3), data(1, 6), "+limit_widened"),
    "bytes without limits": (data(), data(2, 5), "-limit_narrowed -limit_narrowed"),
    "bytes of all lengths": (data(3, 4), data(4, 5), "-limit_narrowed +limit_widened"),
    "bytes of all other lengths": (data(5, 6), data(3, 8), "+limit_widened +limit_widened"),
    "bytes that are limited as texts": (
        {**data(), "minLength": 5},
        {**data(), "minLength": 6},
        "-limit_narrowed",
    ),
    "bytes with other rules": (
        {**data(2), "if": {"maxLength": 4}, "then": {"pattern": "a"}},
        data(2),
        "-limit_narrowed +limit_widened +rule_removed",
    ),
    "a pattern more": (TEXT, {**TEXT, "pattern": "a"}, "-pattern_added"),
    "a pattern less": ({**TEXT, "pattern": "a"}, TEXT, "+pattern_removed"),
    "another pattern": ({**TEXT, "pattern": "a"}, {**TEXT, "pattern": "b"}, "!pattern_changed"),
    "a second pattern": (
        {**TEXT, "pattern": "a"},
        {**TEXT, "pattern": "a", "allOf": [{"pattern": "b"}]},
        "-pattern_added",
    ),
    "the same patterns in another way": (
        {**TEXT, "allOf": [{"pattern": "a"}]},
        {**TEXT, "pattern": "a"},
        "",
    ),
    "a text becomes a date": (TEXT, formed(form="date"), "-form_narrowed"),
    "a date becomes a text": (formed(form="date"), TEXT, "+form_widened"),
    "a date becomes a number": (formed(form="date"), INTEGER, "!type_changed"),
    "a date becomes a moment": (
        formed(form="date"),
        formed(form="date-time", pattern="^y$"),
        "!form_changed",
    ),
    "a date becomes another format of the same pattern": (
        formed(form="date"),
        formed(form="time"),
        "!form_changed",
    ),
    "a pattern becomes a format": (
        {**TEXT, "pattern": "a"},
        {**TEXT, "format": "date"},
        "!form_changed",
    ),
    "a time of another form": (formed("time"), formed("time", pattern="^y$"), "!form_changed"),
    "a time with a format": (formed("time"), formed("time", "time"), "-form_narrowed"),
    "a decimal stands for something else": (
        formed("decimal"),
        formed("timedelta"),
        "~representation_changed",
    ),
    "a format without a name": ({**TEXT, "format": 1}, TEXT, ""),
    "a decimal": (
        formed("decimal", ge="0.01", lt="5"),
        formed("decimal", gt="0.01", lt="6"),
        "-limit_narrowed +limit_widened",
    ),
    "the same decimal in another way": (
        formed("decimal", ge="0.01"),
        formed("decimal", ge="0.010"),
        "",
    ),
    "a decimal that is none": (
        formed("decimal", ge="x"),
        formed("decimal", ge="y"),
        "!limit_changed",
    ),
    "a decimal that is not finite": (
        formed("decimal", ge="nan"),
        formed("decimal", ge="1"),
        "!limit_changed",
    ),
    "a decimal of many zeros": (
        formed("decimal", multiple_of="1E+999999999"),
        formed("decimal", multiple_of="1"),
        "!limit_changed",
    ),
    "multiples of a decimal": (
        formed("decimal", multiple_of="0.01"),
        formed("decimal", multiple_of="0.05"),
        "-limit_narrowed",
    ),
    "multiples of an integer that is a key": (
        formed("int", multiple_of=2),
        formed("int", multiple_of=4),
        "-limit_narrowed",
    ),
    "multiples of a duration": (
        formed("timedelta", multiple_of="PT1M"),
        formed("timedelta", multiple_of="PT1S"),
        "+limit_widened",
    ),
    "a duration": (
        formed("timedelta", ge="-P1DT1H"),
        formed("timedelta", ge="PT1H1M1.5S"),
        "-limit_narrowed",
    ),
    "a duration that is none": (
        formed("timedelta", multiple_of="P1Y"),
        formed("timedelta", multiple_of="PT1S"),
        "!limit_changed",
    ),
    "a moment": (
        formed(None, "date-time", ge="2024-01-01T00:00:00+00:00"),
        formed(None, "date-time", ge="2024-01-01T00:00:00+01:00"),
        "+limit_widened",
    ),
    "a date": (formed(None, "date", le="2024-01-01"), formed(None, "date"), "+limit_widened"),
    "a time with and without an offset": (
        formed("time", ge="10:00:00"),
        formed("time", ge="10:00:00+00:00"),
        "!limit_changed",
    ),
    "an integer as a key": (formed("int", ge=1), formed("int", ge=2), "-limit_narrowed"),
    "bounds of two kinds": (
        formed("decimal", ge="1"),
        formed("int", ge="2"),
        "!limit_changed ~representation_changed",
    ),
    "bounds of no kind": (
        {**TEXT, "x-contract-bounds": {"ge": "1", "multiple_of": "1"}},
        {**TEXT, "x-contract-bounds": {"ge": "2", "multiple_of": "2"}},
        "!limit_changed !limit_changed",
    ),
    "a member more": (any_of(TEXT, INTEGER), any_of(TEXT, INTEGER, list_of(TEXT)), "+member_added"),
    "a member less": (
        any_of(TEXT, INTEGER, list_of(TEXT)),
        any_of(TEXT, INTEGER),
        "-member_removed",
    ),
    "a member is another": (any_of(TEXT, INTEGER), any_of(TEXT, list_of(TEXT)), "!type_changed"),
    "a member becomes null": (
        any_of(TEXT, INTEGER),
        any_of(TEXT, NULL),
        "-member_removed +null_added",
    ),
    "a member becomes a float": (
        any_of(INTEGER, TEXT),
        any_of(TEXT, {"type": "number"}),
        "+type_widened",
    ),
    "members in another order": (
        any_of(list_of(TEXT), list_of(INTEGER)),
        any_of(list_of(INTEGER), list_of(TEXT)),
        "",
    ),
    "a union of one": (any_of(TEXT), TEXT, ""),
    "a union of none": (any_of(), any_of(), ""),
    "a union within a union": (
        any_of(any_of(TEXT, INTEGER), NULL),
        any_of(TEXT, INTEGER, NULL),
        "",
    ),
    "a union that nothing tells apart": (
        {"oneOf": [TEXT, INTEGER]},
        {"oneOf": [TEXT, {"type": "number"}]},
        "!rule_changed",
    ),
    "the same union that nothing tells apart": (
        {"oneOf": [TEXT, INTEGER]},
        {"oneOf": [{**TEXT, "description": "d"}, INTEGER]},
        "",
    ),
    "a rule more": (TEXT, {**TEXT, "not": {"const": "a"}}, "-rule_added"),
    "a rule less": (
        {**TEXT, "if": {"minLength": 1}, "then": {"maxLength": 2}},
        TEXT,
        "+rule_removed",
    ),
    "another rule": ({"not": TEXT}, {"not": INTEGER}, "!rule_changed"),
    "another rule that has more": (
        {"not": TEXT},
        {"not": {**TEXT, "minLength": 1}},
        "!rule_changed",
    ),
    "a rule of more": (
        {"allOf": [{"not": TEXT}]},
        {"allOf": [{"not": TEXT}, {"not": NULL}]},
        "!rule_changed",
    ),
    "a text becomes an address of e-mail": (TEXT, of(Email), "-form_narrowed -limit_narrowed"),
    "an address of e-mail becomes a text": (of(Email), TEXT, "+form_widened +limit_widened"),
    "an address of e-mail is limited": (
        of(Email),
        of(Annotated[Email, Len(5, 30)]),
        "-limit_narrowed -limit_narrowed",
    ),
    "an address of e-mail gets a pattern": (
        of(Email),
        of(Annotated[Email, Pattern("org$")]),
        "-form_narrowed",
    ),
    "an address of e-mail becomes a URL": (of(Email), of(Url), "!form_changed +limit_widened"),
    "an address of another version": (of(IPv4Address), of(IPv6Address), "!form_changed"),
    "an address becomes a network": (of(IPv4Address), of(IPv4Network), "!form_changed"),
    "a network of another version": (of(IPv4Network), of(IPv6Network), "!form_changed"),
    "a path becomes a time zone": (of(PurePath), of(ZoneInfo), "!form_changed -limit_narrowed"),
    "a version becomes a text": (of(SemVer), TEXT, "+form_widened +limit_widened"),
    "a text becomes a secret": (TEXT, of(SecretStr), "~representation_changed"),
    "a rule that nobody knows": ({"contains": TEXT}, {}, "+type_widened"),
    "another note": ({**TEXT, "x-a": 1}, {**TEXT, "x-a": 2}, "?note_changed"),
}
"""Old, new, and what is said of them as an input and as an output, in the marks of `told`."""


@pytest.mark.parametrize("side", ["input", "output"])
@pytest.mark.parametrize(("old", "new", "marks"), CASES.values(), ids=CASES)
def test_a_difference_is_told_for_what_it_is(side: Side, old: Any, new: Any, marks: str) -> None:
    assert kinds(changes(side, old, new)) == told(marks, side)


@pytest.mark.unwatched
@pytest.mark.parametrize("side", ["input", "output"])
@pytest.mark.parametrize(("old", "new"), [case[:2] for case in CASES.values()], ids=CASES)
def test_nothing_differs_from_itself(side: Side, old: Any, new: Any) -> None:
    assert changes(side, old, old) == ()
    assert changes(side, new, new) == ()
