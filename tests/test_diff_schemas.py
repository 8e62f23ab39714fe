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
WHOLE: Final = {"minimum": -(2**63), "maximum": 2**63 - 1}
INT64: Final[dict[str, Any]] = {"type": "integer", "format": "int64", **WHOLE}
INTEGER: Final[dict[str, Any]] = {"type": "integer"}
NUMBER: Final[dict[str, Any]] = {"type": "number", "format": "double"}
NULL: Final[dict[str, Any]] = {"type": "null"}


def tuple_of(*items: Any, least: int | None = None) -> dict[str, Any]:
    lengths = {"minItems": len(items) if least is None else least, "maxItems": len(items)}
    prefix = {"prefixItems": [*items]} if items else {}
    return {"type": "array", **prefix, "items": False, **lengths, "x-contract-type": "tuple"}


def list_of(item: Any, **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": item, **more}


def one_of(*values: Any, names: str = "") -> dict[str, Any]:
    told = {"x-contract-enum-names": [*names]} if names else {}
    return {"type": "string", "enum": [*values], **told}


def text(**more: Any) -> dict[str, Any]:
    return TEXT | more


def integer(**more: Any) -> dict[str, Any]:
    return INTEGER | more


def number(**more: Any) -> dict[str, Any]:
    return {"type": "number", **more}


def double(**more: Any) -> dict[str, Any]:
    return NUMBER | more


def map_of(values: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": values}


def called(name: str, schema: Any) -> dict[str, Any]:
    """A field that has another name in code than on the wire."""
    return {**schema, "x-contract-name": name}


def any_of(*members: Any) -> dict[str, Any]:
    return {"anyOf": [*members]}


def data(least: int | None = None, most: int | None = None) -> dict[str, Any]:
    return scalar_schema(BytesShape(least, most))


def formed(
    kind: str | None = None, form: str | None = None, pattern: str = "^x$", **bounds: Any
) -> dict[str, Any]:
    told = {"x-contract-type": kind, "format": form, "x-contract-bounds": bounds or None}
    known = {key: value for key, value in told.items() if value is not None}
    return {"type": "string", "pattern": pattern, **known}


def decimal(**bounds: Any) -> dict[str, Any]:
    return formed("decimal", **bounds)


def lasting(**bounds: Any) -> dict[str, Any]:
    return formed("timedelta", **bounds)


def of(annotation: Any) -> dict[str, Any]:
    """The schema of a type without parts."""
    schema = schema_of(shape_of(annotation), "input")
    return {key: value for key, value in schema.items() if key != "$defs"}


SET: Final = list_of(TEXT, uniqueItems=True, **{"x-contract-type": "set"})
A_OR_ONE: Final[dict[str, Any]] = {"enum": ["a", 1]}
TEXT_OR_NULL: Final[dict[str, Any]] = {"type": ["string", "null"]}
NOTES: Final[dict[str, Any]] = {"description": "d", "examples": ["x"], "deprecated": True}
OPEN: Final[dict[str, Any]] = {"type": "object"}
IF: Final[dict[str, Any]] = {"if": {"minLength": 1}, "then": {"maxLength": 2}}
ONE_OR_TWO: Final = integer(enum=[1, 2])
A_OR_BC: Final = one_of("a", "bc")
DATE: Final = formed(form="date")

CASES: Final[dict[str, tuple[Any, Any, str]]] = {
    "a field that is required": (record("a", a=TEXT), record("a", "b", a=TEXT, b=TEXT), "<field_required_added >field_added"),
    "a field that is optional": (record("a", a=TEXT), record("a", a=TEXT, b=TEXT), "=field_added"),
    "a field less": (record("a", "b", a=TEXT, b=TEXT), record("a", a=TEXT), "!field_removed"),
    "an optional field less": (record("a", a=TEXT, b=TEXT), record("a", a=TEXT), "!field_removed"),
    "a field becomes required": (record(a=TEXT), record("a", a=TEXT), "-field_required"),
    "a field becomes optional": (record("a", a=TEXT), record(a=TEXT), "+field_optional"),
    "a field that cannot be there becomes required": (record(a=TEXT), record("b", a=TEXT), "-field_required"),
    "a field that cannot be there becomes optional": (record("b", a=TEXT), record(a=TEXT), "+field_optional"),
    "a field of an open object is declared": (OPEN, {**OPEN, "properties": {"a": TEXT}}, "-type_narrowed ~representation_changed"),
    "a field of an open object is undeclared": ({**OPEN, "properties": {"a": TEXT}}, OPEN, "~representation_changed +type_widened"),
    "a record becomes a map": (
        list_of(record(a=TEXT)),  # a body itself could be left out
        list_of(map_of(TEXT)),
        "~representation_changed +extra_fields_allowed",
    ),
    "a map becomes a record": (map_of(TEXT), record(a=TEXT), "-extra_fields_refused ~representation_changed"),
    "the values of a map": (map_of(TEXT), map_of(INTEGER), "!type_changed"),
    "the keys of a map": (OPEN, {**OPEN, "propertyNames": {"pattern": "^a"}}, "-pattern_added"),
    "the keys of a map, as texts": (OPEN, {**OPEN, "propertyNames": text(pattern="^a")}, "-pattern_added"),
    "the size of a map": ({**OPEN, "minProperties": 1}, {**OPEN, "maxProperties": 9}, "-limit_narrowed +limit_widened"),
    "a default is another": (record(a=text(default="x")), record(a=text(default="y")), "<default_changed"),
    "what was left out becomes null": (record(a=TEXT), record(a=text(default=None)), "<default_added"),
    "what was null is left out": (record(a=text(default=None)), record(a=TEXT), "<default_removed"),
    "a default comes with being optional": (record("a", a=TEXT), record(a=text(default="x")), "+field_optional"),
    "a default comes with being declared": ({**OPEN, "properties": {}}, {**OPEN, "properties": {"a": {"default": "x"}}}, "~representation_changed"),
    "a default goes with being optional": (record(a=text(default="x")), record("a", a=TEXT), "-field_required"),
    "true is not one": (record(a={"default": 1}), record(a={"default": True}), "<default_changed"),
    "a name in code": (record(a=TEXT), record(a=called("a_", TEXT)), "~field_renamed_in_code"),
    "names in code that are swapped": (
        record(x=called("a", TEXT), y=called("b", TEXT)),
        record(x=called("b", TEXT), y=called("a", TEXT)),
        "*field_moved_in_code *field_moved_in_code",
    ),
    "another order of fields": (
        record(a=TEXT, b=TEXT),
        {**record(a=TEXT, b=TEXT, c=TEXT), "x-contract-order": ["b", "a", "c"]},
        "=field_added ?fields_reordered",
    ),
    "a new field does not reorder the others": (
        record(a=TEXT, b=TEXT),
        {**record(a=TEXT, b=TEXT, c=TEXT), "x-contract-order": ["c", "a", "b"]},
        "=field_added",
    ),
    "notes": (record(a=TEXT), record(a=text(**NOTES)), ".deprecated ?description_changed ?examples_changed"),
    "notes less": (record(a=text(**NOTES)), record(a=TEXT), ".undeprecated ?description_changed ?examples_changed"),
    "int becomes float": (INT64, NUMBER, "+type_widened"),
    "float becomes int": (NUMBER, INT64, "-type_narrowed"),
    "another type": (TEXT, INT64, "!type_changed"),
    "another type that shares some": ({"type": ["string", "integer"]}, TEXT_OR_NULL, "!type_changed"),
    "more types": (TEXT, TEXT_OR_NULL, "+type_widened"),
    "fewer types": (TEXT_OR_NULL, TEXT, "-type_narrowed"),
    "anything becomes a text": ({}, TEXT, "-type_narrowed"),
    "a text becomes anything": (TEXT, {}, "+type_widened"),
    "anything becomes a date": ({}, DATE, "-type_narrowed ~representation_changed"),
    "an enum becomes anything": (one_of("a", names="A"), {}, "~representation_changed +type_widened"),
    "nothing becomes a text": (list_of(False), list_of(TEXT), "+type_widened"),
    "a text becomes nothing": (list_of(TEXT), list_of(False), "-type_narrowed"),
    "nothing stays nothing": (list_of(False), list_of({"enum": []}), ""),
    "anything stays anything": (list_of(True), list_of({}), ""),
    "null more": (TEXT, any_of(TEXT, NULL), "+null_added"),
    "null less": (any_of(TEXT, NULL), TEXT, "-null_removed"),
    "a value more": (one_of("a"), one_of("a", "b"), "+enum_value_added"),
    "a value less": (one_of("a", "b"), one_of("a"), "-enum_value_removed"),
    "a constant is a list of one": (text(const="a"), one_of("a"), ""),
    "one is one point nought": ({"const": 1}, {"const": 1.0}, ""),
    "one is not true": ({"const": 1}, {"const": True}, "!type_changed"),
    "a constant becomes a text": (text(const="a"), TEXT, "+enum_opened"),
    "a text becomes a constant": (TEXT, text(const="a"), "-enum_closed"),
    "values of two types become a text": (A_OR_ONE, TEXT, "-type_narrowed +enum_opened"),
    "a text becomes values of two types": (TEXT, A_OR_ONE, "-enum_closed +type_widened"),
    "values of which none fits the type": ({"type": "string", "enum": [1]}, TEXT, "+type_widened"),
    "numbers become every integer": (ONE_OR_TWO, INT64, "+enum_opened"),
    "every integer becomes numbers": (INT64, ONE_OR_TWO, "-enum_closed"),
    "truth becomes true": ({"type": "boolean"}, {"type": "boolean", "enum": [True]}, "-enum_closed"),
    "numbers become some that are no less": (ONE_OR_TWO, integer(minimum=1, maximum=2, multipleOf=1), "+enum_opened"),
    "numbers become greater ones": (ONE_OR_TWO, integer(exclusiveMinimum=1), "-limit_narrowed +enum_opened"),
    "numbers become smaller ones": (ONE_OR_TWO, integer(exclusiveMaximum=2), "-limit_narrowed +enum_opened"),
    "numbers become even ones": (ONE_OR_TWO, integer(multipleOf=2), "-limit_narrowed +enum_opened"),
    "numbers become multiples of nothing": (ONE_OR_TWO, integer(multipleOf=0), "-limit_narrowed +enum_opened"),
    "values become a text of their lengths": (A_OR_BC, text(minLength=1, maxLength=2), "+enum_opened"),
    "values become a text of other lengths": (A_OR_BC, text(maxLength=1), "-limit_narrowed +enum_opened"),
    "many values become a text": (one_of(*"abcdefghijkl"), TEXT, "+enum_opened"),
    "values of every type": (
        {"const": [1.5]},
        {"enum": [None, True, 1.5, [1.5], {}]},
        "+enum_value_added +enum_value_added +enum_value_added +enum_value_added",
    ),
    "a member of an enum less": (one_of("a", "b", names="AB"), one_of("a", names="A"), "-enum_value_removed ~enum_member_removed"),
    "an enum becomes a text": (one_of("a", names="A"), TEXT, "+enum_opened ~representation_changed"),
    "a text becomes an enum": (TEXT, one_of("a", names="A"), "-enum_closed ~representation_changed"),
    "a text gets a format that code does not know": (TEXT, text(format="uri"), "-form_narrowed"),
    "a member of an enum is renamed": (one_of("a", "b", names="AB"), one_of("a", "b", names="AC"), "~enum_member_renamed"),
    "members of an enum are swapped": (one_of("a", "b", names="AB"), one_of("a", "b", names="BA"), "*enum_member_moved *enum_member_moved"),
    "a minimum is raised": (integer(minimum=1), integer(minimum=2), "-limit_narrowed"),
    "a minimum is lowered": (integer(minimum=2), integer(minimum=1), "+limit_widened"),
    "a minimum is left out of": (number(minimum=1), number(exclusiveMinimum=1), "-limit_narrowed"),
    "a minimum is let in": (number(exclusiveMinimum=1), number(minimum=1), "+limit_widened"),
    "of two limits the stricter counts": ({"minimum": 3, "exclusiveMinimum": 1}, {"minimum": 3}, ""),
    "of two limits the stricter counts again": ({"minimum": 1, "exclusiveMinimum": 3}, {"exclusiveMinimum": 3}, ""),
    "a maximum more": (INTEGER, integer(exclusiveMaximum=2), "-limit_narrowed"),
    "a maximum less": (integer(maximum=2), INTEGER, "+limit_widened"),
    "an integer becomes a number with the same limits": (INT64, double(minimum=-(2**63), maximum=2**63 - 1), "+type_widened"),
    "an integer becomes a number with closer limits": (INT64, double(minimum=-(2**63), maximum=9), "-limit_narrowed +type_widened"),
    "an integer becomes a number with wider limits": (INT64, double(minimum=-(2**64), maximum=2**63 - 1), "+limit_widened +type_widened"),
    "a limit that is none": ({"minimum": True}, {"minimum": float("nan")}, ""),
    "a multiple of a multiple": (integer(multipleOf=2), integer(multipleOf=4), "-limit_narrowed"),
    "a part of a multiple": (number(multipleOf=0.3), number(multipleOf=0.1), "+limit_widened"),
    "another multiple": (integer(multipleOf=2), integer(multipleOf=3), "!limit_changed"),
    "the same multiple in another way": (integer(multipleOf=2), integer(multipleOf=2.0), ""),
    "a multiple more": (INTEGER, integer(multipleOf=3), "-limit_narrowed"),
    "a multiple less": (integer(multipleOf=3), INTEGER, "+limit_widened"),
    "multiples that are none": ({"multipleOf": "x"}, {"multipleOf": 0}, "!limit_changed"),
    "a multiple beyond measure": ({"multipleOf": 10**5000}, {"multipleOf": 1}, "!limit_changed"),
    "a multiple that is not finite": ({"multipleOf": float("inf")}, {"multipleOf": 1}, "!limit_changed"),
    "a length": (text(minLength=1, maxLength=3), text(minLength=2, maxLength=4), "-limit_narrowed +limit_widened"),
    "no length is nought": (text(minLength=0), TEXT, ""),
    "a number of items": (list_of(TEXT), list_of(TEXT, minItems=1), "-limit_narrowed"),
    "an item": (list_of(TEXT), list_of(text(minLength=1)), "-limit_narrowed"),
    "a list becomes a set": (list_of(TEXT), SET, "-repetition_refused ~representation_changed"),
    "a set becomes a list": (SET, list_of(TEXT), "~representation_changed +repetition_allowed"),
    "a position that is required": (tuple_of(TEXT), tuple_of(TEXT, INTEGER), "!item_required_added"),
    "a position that is optional": (tuple_of(TEXT), tuple_of(TEXT, INTEGER, least=1), "+item_added"),
    "a position that is optional makes another optional": (tuple_of(TEXT), tuple_of(TEXT, INTEGER, least=0), "+limit_widened +item_added"),
    "a position less": (tuple_of(TEXT, INTEGER), tuple_of(TEXT), "!item_removed"),
    "a position becomes optional": (tuple_of(TEXT), tuple_of(TEXT, least=0), "+limit_widened"),
    "a position is another": (tuple_of(TEXT), tuple_of(INTEGER), "!type_changed"),
    "a position is called another": (tuple_of(called("a", TEXT)), tuple_of(called("b", TEXT)), "~field_renamed_in_code"),
    "positions that are swapped": (
        tuple_of(called("lat", NUMBER), called("lon", NUMBER)),
        tuple_of(called("lon", NUMBER), called("lat", NUMBER)),
        "*item_moved *item_moved",
    ),
    "a position is put in front": (
        tuple_of(called("b", TEXT)),
        tuple_of(called("a", TEXT), called("b", TEXT), least=0),
        "+limit_widened *item_moved +item_added",
    ),
    "the default of a position": (
        tuple_of(text(default="a"), text(default="a"), least=1),
        tuple_of(text(default="b"), text(default="b"), least=1),
        "<default_changed",
    ),
    "a tuple of none": (tuple_of(), tuple_of(TEXT), "!item_required_added"),
    "a list becomes a tuple": (list_of(TEXT), tuple_of(TEXT), "-limit_narrowed -limit_narrowed -type_narrowed ~representation_changed"),
    "bytes": (data(1, 3), data(1, 6), "+limit_widened"),
    "bytes without limits": (data(), data(2, 5), "-limit_narrowed -limit_narrowed"),
    "bytes of all lengths": (data(3, 4), data(4, 5), "-limit_narrowed +limit_widened"),
    "bytes of all other lengths": (data(5, 6), data(3, 8), "+limit_widened +limit_widened"),
    "bytes that are limited as texts": ({**data(), "minLength": 5}, {**data(), "minLength": 6}, "-limit_narrowed"),
    "bytes with other rules": (
        {**data(2), "if": {"maxLength": 4}, "then": {"pattern": "a"}},
        data(2),
        "-limit_narrowed +limit_widened +rule_removed",
    ),
    "a pattern more": (TEXT, text(pattern="a"), "-pattern_added"),
    "a pattern less": (text(pattern="a"), TEXT, "+pattern_removed"),
    "another pattern": (text(pattern="a"), text(pattern="b"), "!pattern_changed"),
    "a second pattern": (text(pattern="a"), text(pattern="a", allOf=[{"pattern": "b"}]), "-pattern_added"),
    "the same patterns in another way": (text(allOf=[{"pattern": "a"}]), text(pattern="a"), ""),
    "a text becomes a date": (TEXT, DATE, "-form_narrowed ~representation_changed"),
    "a date becomes a text": (DATE, TEXT, "+form_widened ~representation_changed"),
    "a date becomes a number": (DATE, INTEGER, "!type_changed"),
    "a date becomes a moment": (DATE, formed(form="date-time", pattern="^y$"), "!form_changed"),
    "a date becomes another format of the same pattern": (DATE, formed(form="time"), "!form_changed"),
    "a pattern becomes a format": (text(pattern="a"), text(format="date"), "!form_changed"),
    "a time of another form": (formed("time"), formed("time", pattern="^y$"), "!form_changed"),
    "a time with a format": (formed("time"), formed("time", "time"), "-form_narrowed"),
    "a decimal stands for something else": (formed("decimal"), formed("timedelta"), "~representation_changed"),
    "a format without a name": (text(format=1), TEXT, ""),
    "a decimal": (decimal(ge="0.01", lt="5"), decimal(gt="0.01", lt="6"), "-limit_narrowed +limit_widened"),
    "the same decimal in another way": (decimal(ge="0.01"), decimal(ge="0.010"), ""),
    "a decimal that is none": (decimal(ge="x"), decimal(ge="y"), "!limit_changed"),
    "a decimal that is not finite": (decimal(ge="nan"), decimal(ge="1"), "!limit_changed"),
    "a decimal of many zeros": (decimal(multiple_of="1E+999999999"), decimal(multiple_of="1"), "!limit_changed"),
    "multiples of a decimal": (decimal(multiple_of="0.01"), decimal(multiple_of="0.05"), "-limit_narrowed"),
    "multiples of an integer that is a key": (formed("int", multiple_of=2), formed("int", multiple_of=4), "-limit_narrowed"),
    "multiples of a duration": (lasting(multiple_of="PT1M"), lasting(multiple_of="PT1S"), "+limit_widened"),
    "a duration": (lasting(ge="-P1DT1H"), lasting(ge="PT1H1M1.5S"), "-limit_narrowed"),
    "a duration that is none": (lasting(multiple_of="P1Y"), lasting(multiple_of="PT1S"), "!limit_changed"),
    "a moment": (
        formed(None, "date-time", ge="2024-01-01T00:00:00+00:00"),
        formed(None, "date-time", ge="2024-01-01T00:00:00+01:00"),
        "+limit_widened",
    ),
    "a date": (formed(None, "date", le="2024-01-01"), formed(None, "date"), "+limit_widened"),
    "a time with and without an offset": (formed("time", ge="10:00:00"), formed("time", ge="10:00:00+00:00"), "!limit_changed"),
    "an integer as a key": (formed("int", ge=1), formed("int", ge=2), "-limit_narrowed"),
    "bounds of two kinds": (decimal(ge="1"), formed("int", ge="2"), "!limit_changed ~representation_changed"),
    "bounds of no kind": (
        {**TEXT, "x-contract-bounds": {"ge": "1", "multiple_of": "1"}},
        {**TEXT, "x-contract-bounds": {"ge": "2", "multiple_of": "2"}},
        "!limit_changed !limit_changed",
    ),
    "a member more": (any_of(TEXT, INTEGER), any_of(TEXT, INTEGER, list_of(TEXT)), "+member_added"),
    "a member less": (any_of(TEXT, INTEGER, list_of(TEXT)), any_of(TEXT, INTEGER), "-member_removed"),
    "a member is another": (any_of(TEXT, INTEGER), any_of(TEXT, list_of(TEXT)), "!type_changed"),
    "a member becomes null": (any_of(TEXT, INTEGER), any_of(TEXT, NULL), "-member_removed +null_added"),
    "a member becomes a float": (any_of(INTEGER, TEXT), any_of(TEXT, {"type": "number"}), "+type_widened"),
    "members in another order": (any_of(list_of(TEXT), list_of(INTEGER)), any_of(list_of(INTEGER), list_of(TEXT)), ""),
    "a union of one": (any_of(TEXT), TEXT, ""),
    "a union of none": (any_of(), any_of(), ""),
    "a union within a union": (any_of(any_of(TEXT, INTEGER), NULL), any_of(TEXT, INTEGER, NULL), ""),
    "a union that nothing tells apart": ({"oneOf": [TEXT, INTEGER]}, {"oneOf": [TEXT, {"type": "number"}]}, "!rule_changed"),
    "the same union that nothing tells apart": ({"oneOf": [TEXT, INTEGER]}, {"oneOf": [text(description="d"), INTEGER]}, ""),
    "a rule more": (TEXT, {**TEXT, "not": {"const": "a"}}, "-rule_added"),
    "a rule less": (TEXT | IF, TEXT, "+rule_removed"),
    "another rule": ({"not": TEXT}, {"not": INTEGER}, "!rule_changed"),
    "another rule that has more": ({"not": TEXT}, {"not": text(minLength=1)}, "!rule_changed"),
    "a rule of more": ({"allOf": [{"not": TEXT}]}, {"allOf": [{"not": TEXT}, {"not": NULL}]}, "!rule_changed"),
    "a text becomes an address of e-mail": (TEXT, of(Email), "-form_narrowed -limit_narrowed ~representation_changed"),
    "an address of e-mail becomes a text": (of(Email), TEXT, "~representation_changed +form_widened +limit_widened"),
    "an address of e-mail is limited": (of(Email), of(Annotated[Email, Len(5, 30)]), "-limit_narrowed -limit_narrowed"),
    "an address of e-mail gets a pattern": (of(Email), of(Annotated[Email, Pattern("org$")]), "-form_narrowed"),
    "an address of e-mail becomes a URL": (of(Email), of(Url), "!form_changed +limit_widened"),
    "an address of another version": (of(IPv4Address), of(IPv6Address), "!form_changed"),
    "an address becomes a network": (of(IPv4Address), of(IPv4Network), "!form_changed"),
    "a network of another version": (of(IPv4Network), of(IPv6Network), "!form_changed"),
    "a path becomes a time zone": (of(PurePath), of(ZoneInfo), "!form_changed -limit_narrowed"),
    "a version becomes a text": (of(SemVer), TEXT, "~representation_changed +form_widened +limit_widened"),
    "a text becomes a secret": (TEXT, of(SecretStr), "~representation_changed"),
    "a rule that nobody knows": ({"contains": TEXT}, {}, "+type_widened ~representation_changed"),
    "another note": ({**TEXT, "x-a": 1}, {**TEXT, "x-a": 2}, "?note_changed"),
}  # fmt: skip
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


BOTH: Final = {"type": "boolean", "enum": [True, False]}
RANGE: Final = {"type": "integer", "minimum": 1, "maximum": 2, "format": "int64"}
DIGITS: Final = {"type": "integer", "enum": [1, 2]}
LETTERS: Final = {"type": "string", "enum": ["a", "b"]}
NAMED: Final = {**LETTERS, "x-contract-enum-names": ["A", "B"]}
ALONE: Final[dict[str, Any]] = {**LETTERS, "enum": ["z"], "x-contract-enum-names": ["Z"]}
DEFS: Final = {"Box": record(), "Letter": NAMED, "Last": ALONE}


def listing(*values: Any) -> dict[str, Any]:
    return {"enum": [*values]}


LETTER: Final = {"$ref": "#/$defs/Letter"}
LAST: Final = {"$ref": "#/$defs/Last"}
LISTED: Final[dict[str, tuple[Any, Any, str]]] = {
    "both booleans are listed": ({"type": "boolean"}, BOTH, ""),
    "both booleans are no longer listed": (BOTH, {"type": "boolean"}, ""),
    "both booleans are listed beside null": (any_of({"type": "boolean"}, NULL), any_of(BOTH, NULL), ""),
    "both booleans get names": ({"type": "boolean"}, {**BOTH, "x-contract-enum-names": ["YES", "NO"]}, "~representation_changed"),
    "all integers of a range are listed": (RANGE, DIGITS, "~representation_changed"),
    "all integers of a range are no longer listed": (DIGITS, RANGE, "~representation_changed"),
    "all integers of a range are listed beside null": (any_of(RANGE, NULL), any_of(DIGITS, NULL), "~representation_changed"),
    "all integers of a range get names": (RANGE, {**DIGITS, "x-contract-enum-names": ["ONE", "TWO"]}, "~representation_changed"),
    "some integers of a range are listed": ({**RANGE, "maximum": 3}, DIGITS, "-enum_closed"),
    "a range is shifted from what was listed": (DIGITS, {**RANGE, "minimum": 0, "maximum": 1}, "-limit_narrowed -limit_narrowed +enum_opened"),
    "the multiples in a range are listed": ({**RANGE, "multipleOf": 2}, {"type": "integer", "enum": [2]}, "-enum_closed"),
    "one boolean is listed": ({"type": "boolean"}, listing(True), "-enum_closed"),
    "values get names": (LETTERS, LETTER, "~representation_changed"),
    "values lose their names": (LETTER, LETTERS, "~representation_changed"),
    "one list becomes two": (listing("a", "b"), any_of(listing("a"), listing("b")), ""),
    "two lists become one": (any_of(listing("b"), listing("a")), listing("a", "b"), ""),
    "a list of two types becomes two lists": (listing(1, "a", True, False), any_of(listing("a"), {"type": "boolean"}, listing(1)), ""),
    "a list of two types becomes two types": (
        listing(1, "a"),
        any_of({"type": "integer"}, {"type": "string"}),
        "+enum_opened +enum_opened",
    ),
    "an enum takes another one in": (
        any_of(LETTER, LAST),
        {**LETTERS, "enum": ["a", "b", "z"], "x-contract-enum-names": ["A", "B", "Z"]},
        "",
    ),
    "an enum takes another one in, under another name": (
        any_of(LETTER, LAST),
        {**LETTERS, "enum": ["a", "b", "z"], "x-contract-enum-names": ["A", "B", "LAST"]},
        "~enum_member_renamed",
    ),
    "a value moves from a list into the enum beside it": (
        any_of(LETTER, listing("c"), {"type": "integer"}),
        any_of(listing("c", "b", "a"), {"type": "integer"}),
        "~representation_changed",
    ),
    "one of the enums is gone": (any_of(LETTER, LAST, NULL), any_of(LETTER, NULL), "-enum_value_removed ~enum_member_removed"),
    "one more enum": (any_of(LETTER, NULL), any_of(LETTER, LAST, NULL), "+enum_value_added"),
    "a list beside a type of its own name": (
        any_of({"$ref": "#/$defs/Box"}, LETTER),
        any_of({"$ref": "#/$defs/Box"}, listing("b"), listing("a")),
        "~representation_changed",
    ),
    "a pattern is no list": (
        any_of(LETTERS, {"type": "integer"}),
        any_of({**LETTERS, "pattern": "^a"}, {"type": "integer"}),
        "-pattern_added",
    ),
}  # fmt: skip
"""What lists its values, old and new, and what is said of it, in the marks of `told`."""


@pytest.mark.parametrize("side", ["input", "output"])
@pytest.mark.parametrize(("old", "new", "marks"), LISTED.values(), ids=LISTED)
def test_listed_values_are_compared_and_not_the_lists(
    side: Side, old: Any, new: Any, marks: str
) -> None:
    assert kinds(changes(side, old, new, DEFS)) == told(marks, side)
