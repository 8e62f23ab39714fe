"""Schemas of shapes: what stands in them, on both sides."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from itertools import count
from time import time as clock
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict, TypeVar
from uuid import UUID, uuid4

import pytest
import typing_extensions
from annotated_types import Ge, Gt, Le, Len, Lt, MaxLen, MinLen, MultipleOf, Predicate, Timezone
from typing_extensions import Doc, TypeAliasType, deprecated

from contract.declare.failures import Failure
from contract.document.json_schema import SchemaWriter
from contract.document.model import Side
from contract.document.schema_names import names_of
from contract.shape import text_forms
from contract.shape.graph import definitions
from contract.shape.markers import UNSET, Example, Name, Pattern, Unset
from contract.shape.nodes import BytesShape
from contract.shape.reader import ShapeReader, shape_of
from tests.oracle import check_schema, is_valid, schema_of
from tests.samples import ANNOTATIONS, ONE_WAY, Color, Page
from tests.seeds import printed_by
from tests.tables import rows

T = TypeVar("T")

NULL = {"type": "null"}
INT = {"type": "integer", "minimum": -(2**63), "maximum": 2**63 - 1, "format": "int64"}
FLOAT = {"type": "number", "format": "double"}
STR = {"type": "string"}
BOOL = {"type": "boolean"}
OF_BOOL = {"type": "object", "additionalProperties": BOOL}
CITY = timezone(timedelta(hours=5, minutes=30))


UINT64 = {"type": "integer", "minimum": 0, "maximum": 2**64 - 1}
NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)
DIME = Decimal("0.10")


def formed(form: text_forms.Form, kind: str | None = None, **bounds: Any) -> dict[str, Any]:
    """A text that stands for something else."""
    told = {"x-contract-type": kind, "x-contract-bounds": bounds}
    return {**STR, "pattern": form.pattern, **{key: of for key, of in told.items() if of}}


def array(items: Any, kind: str | None = None, **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **({"x-contract-type": kind} if kind else {}), **more}


def writer_of(*shapes: Any) -> SchemaWriter:
    return SchemaWriter(names_of(each for shape in shapes for each in definitions(shape)))


def schema(annotation: Any, side: Side = "input") -> Any:
    shape = shape_of(annotation)
    return writer_of(shape).schema(shape, side)


def defs(annotation: Any, *sides: Side) -> Any:
    shape = shape_of(annotation)
    return writer_of(shape).defs(*((shape, side) for side in sides))


def ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def closed(properties: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False, **more}


@pytest.mark.unwatched
@rows("annotation", *ANNOTATIONS.values(), *ONE_WAY.values(), ids=[*ANNOTATIONS, *ONE_WAY])
@pytest.mark.parametrize("side", ["input", "output"])
def test_every_schema_is_one(annotation: Any, side: Side) -> None:
    """It passes the metaschema, and each of its arrays says what is in it."""
    check_schema(schema_of(shape_of(annotation), side))


@pytest.mark.parametrize("name", ["date", "date-time", "time", "uri", "uri-reference", "uuid"])
def test_each_format_is_asserted(name: str) -> None:
    """Where the package that knows a format is missing, jsonschema lets every text of it pass."""
    assert not is_valid({"format": name}, "\\")


# Scalars, arrays, maps and unions.


class Single(Enum):
    """The only one."""

    ONLY = "only"


@rows(
    "annotation, expected",
    (Any, {}),
    (None, {"type": "null"}),
    (bool, BOOL),
    (int, INT),
    (Annotated[int, Gt(0), Lt(10), MultipleOf(3)], {**INT, "minimum": 1, "maximum": 9, "multipleOf": 3}),
    (Annotated[int, Ge(0), Le(2**64 - 1)], UINT64),
    (float, FLOAT),
    (Annotated[float, Ge(0), Lt(1)], {**FLOAT, "minimum": 0.0, "exclusiveMaximum": 1.0}),
    (Annotated[float, Gt(0), Le(1), MultipleOf(0.5)], {**FLOAT, "exclusiveMinimum": 0.0, "maximum": 1.0, "multipleOf": 0.5}),
    (str, STR),
    (Annotated[str, Len(1, 3)], {**STR, "minLength": 1, "maxLength": 3}),
    (Annotated[str, Pattern("^a")], {**STR, "pattern": "^a"}),
    (Annotated[str, Pattern("^a"), Pattern("b"), Pattern("c$")], {**STR, "pattern": "^a", "allOf": [{"pattern": "b"}, {"pattern": "c$"}]}),
    (Decimal, formed(text_forms.DECIMAL, "decimal")),
    (Annotated[Decimal, Ge(DIME), MultipleOf(Decimal("0.05"))], formed(text_forms.DECIMAL, "decimal", ge="0.10", multiple_of="0.05")),
    (datetime, {**formed(text_forms.DATETIME), "format": "date-time"}),
    (Annotated[datetime, Lt(NEW_YEAR)], {**formed(text_forms.DATETIME, lt="2026-01-01T00:00:00+00:00"), "format": "date-time"}),
    (date, {**formed(text_forms.DATE), "format": "date"}),
    (Annotated[date, Gt(NEW_YEAR.date())], {**formed(text_forms.DATE, gt="2026-01-01"), "format": "date"}),
    (time, formed(text_forms.TIME, "time")),
    (Annotated[time, Timezone(None)], formed(text_forms.TIME_NAIVE, "time")),
    (Annotated[time, Timezone(...)], {**formed(text_forms.TIME_AWARE, "time"), "format": "time"}),
    (timedelta, formed(text_forms.TIMEDELTA, "timedelta")),
    (Annotated[timedelta, Le(timedelta(hours=1))], formed(text_forms.TIMEDELTA, "timedelta", le="PT1H")),
    (UUID, {**formed(text_forms.UUID_), "format": "uuid"}),
    (bytes, {**formed(text_forms.BYTES, "bytes"), "contentEncoding": "base64"}),
    (Literal["a"], {"type": "string", "const": "a"}),
    (Literal[True], {"type": "boolean", "const": True}),
    (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
    (Literal[1, "1", True], {"type": ["integer", "string", "boolean"], "enum": [1, "1", True]}),
    (Annotated[int, Predicate(bool)], INT),
    (list[bool], array(BOOL)),
    (list[Any], array({})),
    (Sequence[bool], array(BOOL)),
    (Annotated[list[bool], Len(1, 2)], array(BOOL, minItems=1, maxItems=2)),
    (tuple[bool, ...], array(BOOL, "tuple")),
    (set[bool], array(BOOL, "set", uniqueItems=True)),
    (frozenset[bool], array(BOOL, "frozenset", uniqueItems=True)),
    (tuple[bool, str], array(False, "tuple", prefixItems=[BOOL, STR], minItems=2, maxItems=2)),
    (tuple[()], array(False, "tuple", minItems=0, maxItems=0)),
    (dict[str, bool], OF_BOOL),
    (Mapping[str, Any], {"type": "object", "additionalProperties": {}}),
    (
        Annotated[dict[Annotated[str, Len(2, 2)], bool], Len(1, 2)],
        {
            **OF_BOOL,
            "propertyNames": {**STR, "minLength": 2, "maxLength": 2},
            "minProperties": 1,
            "maxProperties": 2,
        },
    ),
    (Annotated[dict[int, bool], MaxLen(9)], {**OF_BOOL, "maxProperties": 9, "propertyNames": formed(text_forms.INTEGER_KEY, "int")}),
    (
        dict[Annotated[int, Ge(0), Le(9), MultipleOf(3)], bool],
        {**OF_BOOL, "propertyNames": formed(text_forms.INTEGER_KEY, "int", ge=0, le=9, multiple_of=3)},
    ),
    (dict[Single, bool], {**OF_BOOL, "propertyNames": {"$ref": "#/$defs/Single"}}),
    (bool | None, {"anyOf": [BOOL, {"type": "null"}]}),
    (bool | str | None, {"anyOf": [BOOL, STR, {"type": "null"}]}),
    (Single | None, {"anyOf": [{"$ref": "#/$defs/Single"}, {"type": "null"}]}),
    (bool | str, {"anyOf": [BOOL, STR]}),
)  # fmt: skip
def test_scalars_and_compounds(annotation: Any, expected: dict[str, Any]) -> None:
    assert schema(annotation, "input") == expected
    assert schema(annotation, "output") == expected


@rows(
    "zone, taken, refused",
    (UTC, ["Z", "+00:00", "-00:00"], ["+01:00", "+00:01"]),
    (CITY, ["+05:30"], ["Z", "-05:30"]),
    (timezone(timedelta(hours=-3, minutes=-30)), ["-03:30"], ["+03:30", "Z"]),
)
def test_an_offset_is_a_second_pattern(
    zone: timezone, taken: list[str], refused: list[str]
) -> None:
    whole = schema_of(shape_of(Annotated[datetime, Timezone(zone)]), "input")
    found = [each for each in taken + refused if is_valid(whole, f"2026-01-01T00:00:00{each}")]

    assert found == taken


@pytest.mark.parametrize("low", [None, 0, 1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("high", [None, 0, 1, 2, 3, 4, 5, 6])
def test_lengths_of_bytes_are_exact(low: int | None, high: int | None) -> None:
    """The schema counts bytes, although it only sees base64."""
    whole = schema_of(BytesShape(low, high), "input")
    taken = [size for size in range(10) if is_valid(whole, text_forms.BYTES.write(bytes(size)))]

    assert taken == [*range(low or 0, 10 if high is None else high + 1)]


def test_true_is_not_one() -> None:
    whole = schema_of(shape_of(Literal[1, "true"]), "input")
    valid = [value for value in (1, 1.0, "true", True, "1") if is_valid(whole, value)]

    assert valid == [1, 1.0, "true"]


class Odd(Enum):
    YES = True
    TWO = 2
    TEXT = "1"


def test_enums_are_named_and_name_their_members() -> None:
    assert schema(Odd) == ref("Odd")
    odd = {"type": ["boolean", "integer", "string"], "enum": [True, 2, "1"]}
    single = {"description": "The only one.", "type": "string", "enum": ["only"]}
    assert defs(tuple[Odd, Single], "input") == {
        "Odd": {"title": "Odd", **odd, "x-contract-enum-names": ["YES", "TWO", "TEXT"]},
        "Single": {"title": "Single", **single, "x-contract-enum-names": ["ONLY"]},
    }


class Place(NamedTuple):
    """Somewhere."""

    x: int
    y: Annotated[int, Doc("Northwards.")] = 0


def test_a_named_tuple_may_be_shorter_in_the_input() -> None:
    x = {**INT, "x-contract-name": "x"}
    y = {**INT, "description": "Northwards.", "x-contract-name": "y"}

    def place(title: str, least: int, *items: Any) -> dict[str, Any]:
        told = {"title": title, "description": "Somewhere."}
        lengths = {"minItems": least, "maxItems": 2}
        return {**told, **array(False, "namedtuple", prefixItems=[*items], **lengths)}

    sent = place("PlaceInput", 1, x, {**y, "default": 0})
    found = defs(Place, "input", "output")
    assert found == {"Place": place("Place", 2, x, y), "PlaceInput": sent}


# Records.


@dataclass
class Order:
    """What somebody wants."""

    product_id: Annotated[str, Name("productId"), Doc("Of the catalogue.")]
    quantity: int = 1
    note: str | Unset = UNSET
    gift: bool | Unset | None = UNSET


def test_a_dataclass_is_a_closed_object() -> None:
    fields = {
        "productId": {**STR, "description": "Of the catalogue.", "x-contract-name": "product_id"},
        "quantity": INT,
        "note": STR,
        "gift": {"anyOf": [BOOL, NULL]},
    }
    told = {"description": "What somebody wants.", "x-contract-order": [*fields]}
    required = ["productId", "quantity"]
    sent = {**fields, "quantity": {**INT, "default": 1}}

    assert defs(Order, "input", "output") == {
        "Order": closed(fields, **told, title="Order", required=required),
        "OrderInput": closed(sent, **told, title="OrderInput", required=required[:1]),
    }


class Patch(TypedDict):
    name: str
    size: NotRequired[int]


def test_a_typed_dict_is_the_same_on_both_sides() -> None:
    patch = closed({"name": STR, "size": INT}, title="Patch", required=["name"])

    assert defs(Patch, "input", "output") == {"Patch": patch}


@dataclass
class Nothing:
    pass


def test_an_empty_record_takes_the_empty_object_alone() -> None:
    assert defs(Nothing, "output") == {"Nothing": closed({}, title="Nothing")}


class Flags(typing_extensions.TypedDict, extra_items=bool):  # type: ignore[call-arg]
    """Whatever their names are."""


def test_an_open_record_without_fields_is_a_map() -> None:
    """It has no `properties`, which would be empty."""
    [(name, written)] = defs(Flags, "input").items()

    assert (name, written) == (
        "Flags",
        {"title": "Flags", "description": "Whatever their names are.", **OF_BOOL},
    )


@dataclass
class Inside:
    value: int


@dataclass
class Account:
    name: str
    password: InitVar[Inside]
    id: UUID = field(init=False)
    state: Single = field(init=False, default=Single.ONLY)


@rows(
    "side, types, fields",
    ("input", ["AccountInput", "Inside"], ["name", "password"]),
    ("output", ["Account", "Single"], ["name", "id", "state"]),
)
def test_a_field_of_one_side_is_on_that_side_alone(
    side: Side, types: list[str], fields: list[str]
) -> None:
    found = defs(Account, side)
    account = found[types[0]]

    assert [*found] == types
    assert [*account["properties"]] == account["required"] == fields
    assert not any("default" in of for of in account["properties"].values())


@dataclass
class Root:
    branches: list[Branch]
    place: tuple[Inside, bool]


@dataclass
class Branch:
    root: Root | None
    leaf: Leaf


@dataclass
class Leaf:
    green: bool = True


def test_a_type_differs_where_what_it_leads_to_does() -> None:
    """Round a circle, too; what is the same on both sides stays one."""
    names = "Branch BranchInput Inside Leaf LeafInput Root RootInput"
    branch = {"root": {"anyOf": [ref("RootInput"), NULL]}, "leaf": ref("LeafInput")}

    assert " ".join(defs(Root, "input", "output")) == names
    assert defs(Root, "input")["BranchInput"]["properties"] == branch
    assert defs(Root, "output")["Branch"]["properties"]["leaf"] == ref("Leaf")


@dataclass
@deprecated("use Order")
class Old:
    a: int


def test_what_is_deprecated_says_so() -> None:
    found = defs(Page[Old], "output")  # type: ignore[deprecated]  # which is what is looked at

    assert found["Old"]["deprecated"] is True
    assert "deprecated" not in found["Page_Old"]


def test_generics_have_readable_names() -> None:
    assert [*defs(Page[Page[Inside]], "output")] == ["Inside", "Page_Inside", "Page_Page_Inside"]


Json = TypeAliasType("Json", "Annotated[bool | list[Json] | None, Doc('Anything.')]")


def test_a_recursive_alias_is_a_definition() -> None:
    members = [BOOL, array(ref("Json")), NULL]

    assert schema(Json) == ref("Json")
    assert defs(Json, "input", "output") == {
        "Json": {"title": "Json", "description": "Anything.", "anyOf": members}
    }


class SoldOut(Failure, status=409):
    """Every copy is sold."""

    restock_days: Annotated[int, Ge(0)]


def test_the_data_of_a_failure_is_a_record() -> None:
    definition = ShapeReader().failure(SoldOut, where="order")
    found = SchemaWriter(names_of([definition])).schema(definition.shape, "output")

    days = {"restock_days": {**INT, "minimum": 0}}
    assert found == closed(days, required=["restock_days"])


# Tagged unions.


@dataclass
class Card:
    number: str
    kind: Literal["card"] = "card"


@dataclass
class Cash:
    kind: Literal["cash", "coins"]


@dataclass
class One:
    type_: Annotated[Literal[1], Name("type")]


@dataclass
class Two:
    type_: Annotated[Literal[2], Name("type")]


def test_a_tag_is_required_on_both_sides() -> None:
    """Also one with a default, which the record alone may be sent without."""

    def union(card: str) -> dict[str, Any]:
        mapping = {"card": f"#/$defs/{card}", "cash": "#/$defs/Cash", "coins": "#/$defs/Cash"}
        discriminator = {"propertyName": "kind", "mapping": mapping}
        return {"oneOf": [ref(card), ref("Cash")], "discriminator": discriminator}

    tags = {"kind": {"enum": ["card", "cash", "coins"]}}
    told: dict[str, Any] = {"type": "object", "properties": tags, "required": ["kind"]}
    assert schema(Card | Cash, "input") == union("CardInput") | told
    assert schema(Card | Cash, "output") == union("Card")
    assert is_valid(schema_of(shape_of(Card), "input"), {"number": "1"})
    assert not is_valid(schema_of(shape_of(Card | Cash), "input"), {"number": "1"})


def test_a_tag_that_is_no_text_has_no_discriminator() -> None:
    """OpenAPI has only texts there."""
    assert schema(One | Two, "input") == {"oneOf": [ref("One"), ref("Two")]}


def test_a_nullable_tagged_union_keeps_its_one_of() -> None:
    assert schema(One | Two | None) == {"anyOf": [{"oneOf": [ref("One"), ref("Two")]}, NULL]}


# The whole.


def test_defs_are_sorted_and_hold_each_type_once() -> None:
    shapes = [shape_of(each) for each in (Root, Order, Card | Cash)]
    writer = writer_of(*shapes)

    def found(writer: SchemaWriter, shapes: list[Any]) -> dict[str, Any]:
        return {**writer.defs(*((each, "input") for each in shapes), (order, "output"))}

    order = shapes[1]
    once = found(writer, shapes)
    assert [*once] == sorted(once)
    assert once == found(writer_of(*shapes), shapes[::-1]) == found(writer, shapes)
    assert [body["title"] for body in once.values()] == [*once]


def test_a_field_alone_leads_to_what_a_record_holds() -> None:
    """A record that stands in place has no name, and what it holds is found all the same."""
    [definition] = definitions(shape_of(Account))

    assert [*SchemaWriter(names_of([definition])).defs((definition.shape, "output"))] == ["Single"]


def properties(annotation: Any, side: Side) -> dict[str, Any]:
    found = defs(annotation, side)
    name = annotation.__name__
    mine: dict[str, Any] = (found.get(f"{name}Input") or found[name])["properties"]
    return mine


@dataclass(frozen=True)
class Point:
    x: Annotated[int, Name("@x")]
    y: int = 0


@dataclass
class Entry:
    at: date
    tags: list[str] = field(default_factory=list)


@dataclass
class Stored:
    name: str
    id: str = field(init=False, default="none")
    secret: InitVar[str] = ""


@dataclass
class Options:
    size: int = 10
    tags: list[str] = field(default_factory=list)
    color: Color = Color.RED


@dataclass
class Clocked:
    at: float = field(default_factory=clock)


@dataclass
class Finished:
    size: int = 0

    def __post_init__(self) -> None:
        self.size = next(_NUMBERS)


@dataclass
class Defaults:
    text: str = "a"
    null: str | None = None
    price: Decimal = Decimal("1.50")
    since: date = date(2026, 1, 1)
    color: Color = Color.RED
    point: Point = Point(1)
    pair: tuple[int, Color] = (1, Color.RED)
    tags: list[str] = field(default_factory=list)
    words: frozenset[str] = frozenset({"b", "c", "a"})
    counts: dict[int, int] = field(default_factory=dict[int, int])
    moments: list[datetime] = field(default_factory=list)
    options: Options = field(default_factory=Options)


def test_defaults_are_as_on_the_wire() -> None:
    found = properties(Defaults, "input")

    assert {name: of["default"] for name, of in found.items()} == {
        "text": "a",
        "null": None,
        "price": "1.50",
        "since": "2026-01-01",
        "color": "red",
        "point": {"@x": 1, "y": 0},
        "pair": [1, "red"],
        "tags": [],
        "words": ["a", "b", "c"],
        "counts": {},
        "moments": [],
        "options": {"size": 10, "tags": [], "color": "red"},
    }
    assert all("default" not in of for of in properties(Defaults, "output").values())


_NUMBERS = count()


@dataclass
class Untold:
    unset: int | Unset = UNSET
    invalid: int = "one"  # type: ignore[assignment]  # which nobody checks before it is dumped
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    id: UUID = field(default_factory=uuid4)
    next: int = field(default_factory=lambda: next(_NUMBERS))
    words: list[str] = field(default_factory=lambda: ["a"])
    clocked: Clocked = field(default_factory=Clocked)
    finished: Finished = field(default_factory=Finished)
    wrong: list[str] = field(default_factory=int)  # type: ignore[arg-type]
    short: Annotated[list[str], MinLen(1)] = field(default_factory=list)
    stored: Stored = field(default_factory=lambda: Stored("a"))
    kept: list[Stored] = field(default_factory=lambda: [Stored("a")])
    first: Stored | None = None


def test_what_cannot_be_said_is_left_out() -> None:
    """Above all what may not be the same on every start (`contract.shape.defaults` tells), and what an input could not hold."""
    before = repr(_NUMBERS)

    assert [name for name, of in properties(Untold, "input").items() if "default" in of] == []
    assert repr(_NUMBERS) == before


@dataclass
class Examples:
    name: Annotated[str, Example("p1"), Example("p2")]
    since: Annotated[date, Example(date(2026, 1, 1))]
    number: Annotated[int, Ge(0), Example(1), Example(-1), Example("1")]
    stored: Annotated[list[Stored], Example([Stored("a")])]
    none: Annotated[int, Example("none")]


def test_examples_are_as_on_the_wire() -> None:
    """Those that are not valid are left out."""
    found = properties(Examples, "output")

    assert {name: of.get("examples") for name, of in found.items()} == {
        "name": ["p1", "p2"],
        "since": ["2026-01-01"],
        "number": [1],
        "stored": [[{"name": "a", "id": "none"}]],
        "none": None,
    }


def test_an_example_is_valid_on_its_side() -> None:
    """What is written of a value with fields of one side could not be sent back."""
    assert "examples" in properties(Examples, "input")["name"]
    assert "examples" not in properties(Examples, "input")["stored"]


@pytest.mark.unwatched
@pytest.mark.parametrize("annotation", [*ANNOTATIONS.values(), Defaults, Untold, Examples])
@pytest.mark.parametrize("side", ["input", "output"])
def test_defaults_and_examples_are_valid(annotation: Any, side: Side) -> None:
    whole = schema_of(shape_of(annotation), side)
    for body in whole["$defs"].values():
        for of in body.get("properties", {}).values():
            told = [*of.get("examples", []), *([of["default"]] if "default" in of else [])]
            assert all(is_valid({**of, "$defs": whole["$defs"]}, value) for value in told)


_PROGRAM = """
import json
import time
from dataclasses import dataclass, field
from enum import Enum
from typing import Any
from contract.document.json_schema import SchemaWriter
from contract.document.schema_names import names_of
from contract.shape.reader import shape_of
from contract.shape.graph import definitions

class Color(Enum):
    RED = "red"
    BLUE = "blue"
    GREEN = "green"

    @property
    def now(self) -> str:
        return str(time.time_ns())

@dataclass
class Nested:
    words: frozenset[str] = frozenset({"a", "b", "c", "d"})
    colors: frozenset[Color] = frozenset(Color)

@dataclass
class Tags:
    words: list[str] = field(default_factory=lambda: [*{"a", "b", "c", "d"}])
    shown: str = field(default_factory=lambda: f"{ {'a', 'b', 'c'} }")
    parts: tuple[str, ...] = field(default_factory=lambda: (*{"a", "b", "c"},))
    whatever: Any = field(default_factory=lambda: [*frozenset(("a", "b", "c"))])
    now: str = field(default_factory=lambda: Color.RED.now)
    mixed: frozenset[str | int] = frozenset({"a", 1, "b", 2})
    nested: Nested = field(default_factory=Nested)

shape = shape_of(Tags)
print(json.dumps(SchemaWriter(names_of(definitions(shape))).defs((shape, "input"))))
"""


def test_defaults_are_the_same_in_every_process() -> None:
    [printed] = {*printed_by(_PROGRAM)}

    found = json.loads(printed)["TagsInput"]["properties"]
    assert {name: of["default"] for name, of in found.items() if "default" in of} == {
        "mixed": ["a", "b", 1, 2],
        "nested": {"words": ["a", "b", "c", "d"], "colors": ["blue", "green", "red"]},
    }
