"""The dialect of schemas, and what is not a schema in it."""

from __future__ import annotations

from typing import Any

import pytest

from contract.document.contract_json import load_contract
from contract.document.json_schema import SchemaWriter
from contract.document.schema_names import names_of
from contract.shape.exceptions import DocumentError
from contract.shape.graph import definitions
from contract.shape.reader import shape_of
from tests.documents import changed, text, whole
from tests.growth import growth
from tests.samples import ANNOTATIONS, ONE_WAY
from tests.tables import rows
from tests.words import words


def refusal(document: Any) -> DocumentError:
    with pytest.raises(DocumentError) as caught:
        load_contract(text(document))
    return caught.value


def with_defs(**defs: Any) -> Any:
    return changed(("$defs",), whole()["$defs"] | defs)


@pytest.mark.unwatched
@rows("annotation", *ANNOTATIONS.values(), *ONE_WAY.values(), ids=[*ANNOTATIONS, *ONE_WAY])
def test_the_dialect_is_the_one_that_is_written(annotation: Any) -> None:
    """What `contract.document.json_schema` writes of every kind of type is in it."""
    shape = shape_of(annotation)
    writer = SchemaWriter(names_of(definitions(shape)))
    defs = writer.defs((shape, "input"), (shape, "output"))
    document = with_defs(
        **defs, Input0={**writer.schema(shape, "input")}, Output0={**writer.schema(shape, "output")}
    )

    load_contract(text(document))


KINDS = "null, boolean, integer, number, string, array, object"
NO_OBJECT = "this has to be an object, and is"
NO_PROPERTY = "this is not one of the properties"
NO_STRING = "this has to be a string, and is an integer"
TAG = "discriminator"
NO_INTEGERS = words("title type contentEncoding x-contract-type x-contract-name $ref")
NO_SCALAR = "this has to be null, a boolean, a number or a string"
OTHER_NAMES = "these are not the names of the properties"
OTHER_NUMBER = "there must be as many as in enum"
TWICE = "the array has this twice"
UNKNOWN = "this keyword is not known here"
BOUNDS = "x-contract-bounds"
NAMES = "x-contract-enum-names"
ORDER = "x-contract-order"
FIELD: dict[str, Any] = {"properties": {"a": {}}}


@rows(
    "schema, path, problem",
    *(({key: 1}, key, NO_STRING) for key in NO_INTEGERS),
    ({"description": None}, "description", "this has to be a string, and is null"),
    ({"format": []}, "format", "this has to be a string, and is an array"),
    ({"pattern": {}}, "pattern", "this has to be a string, and is an object"),
    ({"deprecated": 1}, "deprecated", "this has to be true or false, and is an integer"),
    ({"uniqueItems": "x"}, "uniqueItems", "this has to be true or false, and is a string"),
    ({"minLength": -1}, "minLength", "this is not from 0 to 9007199254740992"),
    ({"maxLength": True}, "maxLength", "this has to be an integer, and is true or false"),
    ({"minItems": 1.5}, "minItems", "this has to be an integer, and is a number"),
    ({"maxItems": "1"}, "maxItems", "this has to be an integer, and is a string"),
    ({"minProperties": None}, "minProperties", "this has to be an integer, and is null"),
    ({"maxProperties": []}, "maxProperties", "this has to be an integer, and is an array"),
    ({"minimum": "1"}, "minimum", "this has to be a number, and is a string"),
    ({"maximum": True}, "maximum", "this has to be a number, and is true or false"),
    ({"exclusiveMinimum": None}, "exclusiveMinimum", "this has to be a number, and is null"),
    ({"exclusiveMaximum": {}}, "exclusiveMaximum", "this has to be a number, and is an object"),
    ({"multipleOf": 0}, "multipleOf", "this has to be more than 0"),
    ({"multipleOf": "2"}, "multipleOf", "this has to be a number, and is a string"),
    ({"type": "text"}, "type", f"this is not one of {KINDS}"),
    ({"type": []}, "type", "there has to be at least one item"),
    ({"type": ["string", "string"]}, "type[1]", TWICE),
    ({"type": ["string", 1]}, "type[1]", NO_STRING),
    ({"const": []}, "const", NO_SCALAR),
    ({"enum": []}, "enum", "there has to be at least one item"),
    ({"enum": {}}, "enum", "this has to be an array, and is an object"),
    ({"enum": [1, {}]}, "enum[1]", NO_SCALAR),
    ({"enum": [True, 1, 1]}, "enum[2]", TWICE),
    ({"examples": {}}, "examples", "this has to be an array, and is an object"),
    ({"properties": []}, "properties", "this has to be an object, and is an array"),
    ({"properties": {"a b": True}}, 'properties["a b"]', f"{NO_OBJECT} true or false"),
    ({"additionalProperties": None}, "additionalProperties", f"{NO_OBJECT} null"),
    ({"propertyNames": False}, "propertyNames", f"{NO_OBJECT} true or false"),
    ({"items": []}, "items", f"{NO_OBJECT} an array"),
    ({"prefixItems": []}, "prefixItems", "there has to be at least one item"),
    ({"prefixItems": [False]}, "prefixItems[0]", f"{NO_OBJECT} true or false"),
    ({"anyOf": []}, "anyOf", "there has to be at least one item"),
    ({"oneOf": {}}, "oneOf", "this has to be an array, and is an object"),
    ({"allOf": [{}, 1]}, "allOf[1]", f"{NO_OBJECT} an integer"),
    ({"if": True}, "if", f"{NO_OBJECT} true or false"),
    ({"then": {"type": 1}}, "then.type", NO_STRING),
    ({**FIELD, "required": ["a", "b" * 9999]}, "required[1]", NO_PROPERTY),
    ({"required": ["a"]}, "required[0]", NO_PROPERTY),
    ({"required": "a"}, "required", "this has to be an array, and is a string"),
    ({**FIELD, "required": ["a", "a"]}, "required[1]", TWICE),
    ({**FIELD, ORDER: []}, ORDER, OTHER_NAMES),
    ({ORDER: ["a"]}, ORDER, OTHER_NAMES),
    ({"enum": [1], NAMES: ["A", "B"]}, NAMES, OTHER_NUMBER),
    ({NAMES: ["A"]}, NAMES, OTHER_NUMBER),
    ({BOUNDS: {"ge": None}}, f"{BOUNDS}.ge", "this has to be a number, and is null"),
    ({BOUNDS: {"near": 1}}, f"{BOUNDS}.near", "this is not one of ge, gt, le, lt, multiple_of"),
    ({TAG: {"propertyName": 1, "mapping": {}}}, f"{TAG}.propertyName", NO_STRING),
    ({TAG: {"propertyName": "a", "mapping": []}}, f"{TAG}.mapping", f"{NO_OBJECT} an array"),
    ({"$defs": {}}, "$defs", UNKNOWN),
    ({"not": {}}, "not", UNKNOWN),
    ({"$id": "https://evil.example"}, "$id", UNKNOWN),
)
def test_what_is_no_schema_is_refused_wherever_it_stands(
    schema: Any, path: str, problem: str
) -> None:
    for place, shown in (
        (("$defs", "Card"), "$.$defs.Card"),
        (("routes", "order", "input"), "$.routes.order.input"),
        (("routes", "order", "output"), "$.routes.order.output"),
        (("routes", "order", "errors", "SOLD_OUT", "data"), "$.routes.order.errors.SOLD_OUT.data"),
    ):
        error = refusal(changed(place, schema))
        assert (error.path, error.problem) == (f"{shown}.{path}", problem)
    error = refusal(
        changed(("$defs", "Card"), {"anyOf": [{"properties": {"a": {"items": schema}}}]})
    )
    assert error.path == f"$.$defs.Card.anyOf[0].properties.a.items.{path}"


ELSEWHERE = [
    *("https://evil.example/schema.json", "file:///etc/passwd", "#", "#/$defs", "#/$defs/"),
    *("#/$defs/Tree/properties/pair", "#/definitions/Tree", "#/$defs/Tr%65e", "#Tree", "Tree"),
    *("../#/$defs/Tree", "#/$defs/Tree\n"),
]


@pytest.mark.parametrize("reference", ELSEWHERE)
def test_no_other_reference_is_followed(reference: str) -> None:
    for place in (("routes", "order", "input"), ("exports", "Wood")):
        error = refusal(changed((*place, "$ref"), reference))
        assert (
            str(error)
            == f"$.{'.'.join(place)}.$ref: a reference is written #/$defs/NAME; no others are followed"
        )


def test_a_reference_leads_somewhere() -> None:
    assert (
        str(refusal(changed(("exports", "Wood", "$ref"), "#/$defs/Gone")))
        == "$.exports.Wood.$ref: there is no Gone in $defs"
    )

    mapped = refusal(
        changed(("$defs", "Payment", "discriminator", "mapping", "card"), "#/$defs/Gone")
    )
    assert str(mapped) == "$.$defs.Payment.discriminator.mapping.card: there is no Gone in $defs"


A, B, C = ({"$ref": f"#/$defs/{name}"} for name in "ABC")
ROUND = "its references lead back to themselves, with no field or item between"


@rows(
    "defs",
    {"A": A},
    {"A": B, "B": A},
    {"A": {"title": "A", **B}, "B": C, "C": A},
    {"A": {"anyOf": [{"type": "null"}, A]}},
    {"A": {"oneOf": [{"allOf": [B]}]}, "B": {"if": {}, "then": A}},
    {"A": {"if": A}},
    {"A": {"properties": {"a": A}, "anyOf": [A]}},
    {"A": B, "B": B},
)
def test_a_type_that_is_itself_is_refused(defs: dict[str, Any]) -> None:
    error = refusal(with_defs(**defs))

    assert error.problem == ROUND
    assert error.path in ("$.$defs.A", "$.$defs.B", "$.$defs.C")


@rows(
    "defs",
    {"A": {"anyOf": [{"type": "array", "items": A}, {"type": "null"}]}},
    {"A": {"properties": {"a": B}}, "B": {"anyOf": [A, C]}, "C": {"additionalProperties": B}},
    {"A": {"prefixItems": [A], "propertyNames": A}},
    {"A": B, "B": C, "C": {}},
    {"A": {"anyOf": [B, B, C]}, "B": C, "C": {"type": "null"}},
)
def test_a_type_may_hold_itself(defs: dict[str, Any]) -> None:
    load_contract(text(with_defs(**defs)))


@pytest.mark.unwatched
@pytest.mark.parametrize("closed", [True, False])
def test_a_chain_of_references_takes_about_as_long_as_its_text(closed: bool) -> None:
    def chain(count: int) -> Any:
        defs = {f"A{index}": {"$ref": f"#/$defs/A{index + 1}"} for index in range(count)}
        return with_defs(**defs, **{f"A{count}": {"$ref": "#/$defs/A0"} if closed else {}})

    def read(document: Any) -> None:
        if closed:
            assert refusal(document).problem == ROUND
        else:
            load_contract(text(document))

    assert growth(read, chain(1_000), chain(8_000)) < 24


def test_a_deep_schema_is_read() -> None:
    def nested(times: int) -> Any:
        schema: Any = {}
        for _ in range(times):
            schema = {"items": schema}
        return changed(("routes", "order", "input"), schema)

    load_contract(text(nested(197)))

    assert refusal(nested(198)).problem == "it is inside more than 200 arrays and objects"
