"""Documents, as generators of code see them: records, routes and failures, and names for what has none."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Final

import pytest

from contract.codegen.package import FailureType, package_of
from contract.document import ContractError, Deprecation
from contract.document.contract_json import dump_contract, load_contract
from contract.shape.exceptions import DocumentError, GenerationError
from contract.shape.nodes import (
    NO_CLASS,
    BoolShape,
    EnumShape,
    NamedTupleShape,
    NullShape,
    RecordShape,
    RefShape,
    StrShape,
)
from tests.codegen_documents import Schema, closed, document, package, ref, refusal, route
from tests.documents import text, whole
from tests.paper import field

# Records and named tuples.


def test_a_record_has_its_fields_in_order() -> None:
    schema = {
        "type": "object",
        "title": "Order",
        "description": "What is ordered.",
        "deprecated": True,
        "properties": {
            "b": {
                "type": "string",
                "default": "x",
                "description": "The second.",
                "examples": ["y"],
                "x-contract-name": "bb",
            },
            "a": {"type": "null", "deprecated": True, "default": None},
            "c": {"type": "boolean"},
        },
        "required": ["a"],
        "additionalProperties": False,
    }
    fields = (
        field("a", NullShape(), deprecated=True),
        field("bb", StrShape(), wire="b", default="x", description="The second.", examples=("y",)),
        field("c", BoolShape(), required=False),
    )
    found = package(ref("Order"), Order=schema).definitions["Order"]

    assert (found.name, found.description, found.deprecated) == ("Order", "What is ordered.", True)
    assert found.shape == RecordShape("dataclass", NO_CLASS, fields)
    ordered = (
        package(ref("Order"), Order=schema | {"x-contract-order": ["c", "a", "b"]})
        .definitions["Order"]
        .shape
    )
    assert isinstance(ordered, RecordShape)
    assert [field.wire for field in ordered.fields] == ["c", "a", "b"]


def test_an_enum_has_names_for_its_values() -> None:
    schema = {"enum": ["a", 1], "x-contract-enum-names": ["A", "ONE"], "description": "Either."}

    found = package(ref("E"), E=schema).definitions["E"]
    assert (found.name, found.description) == ("E", "Either.")
    assert found.shape == EnumShape(NO_CLASS, (("A", "a"), ("ONE", 1)))


PLACE: Final[Schema] = {"type": "array", "x-contract-type": "namedtuple", "items": False}
FIELDS: Final = "an object with fields has no other rules"
PLACES: Final = "a named tuple has its positions and no more"


@pytest.mark.parametrize(
    ("schema", "where", "problem"),
    [
        ({**closed(a={}), "minProperties": 1}, ".minProperties", FIELDS),
        ({**closed(a={}), "propertyNames": {}}, ".propertyNames", FIELDS),
        ({**closed(), "allOf": [{}]}, ".allOf", FIELDS),
        ({"type": "object", "properties": {"a": {}}}, "", "this does not say which other keys may"),
        (
            {**closed(), "properties": {"a": {"default": 1}}, "additionalProperties": True},
            ".properties.a.default",
            "a field beside free keys cannot have a default",
        ),
        (
            {**closed(a={"x-contract-name": "b"}), "additionalProperties": {}},
            ".properties.a.x-contract-name",
            "beside free keys, another key may have this name",
        ),
        ({**PLACE, "uniqueItems": True}, ".uniqueItems", "a named tuple has no other rules"),
        ({**PLACE}, "", PLACES),
        ({**PLACE, "items": {}, "maxItems": 0}, "", PLACES),
        ({**PLACE, "minItems": 1, "maxItems": 1}, "", PLACES),
        ({**PLACE, "prefixItems": [{}], "minItems": 3}, "", PLACES),
    ],
)
def test_what_is_no_record_and_no_named_tuple_is_refused(
    schema: Schema, where: str, problem: str
) -> None:
    path, found = refusal(schema)

    assert path == where
    assert found.startswith(problem)


def test_a_named_tuple_has_names_for_its_positions() -> None:
    prefix = [
        {"type": "null", "x-contract-name": "first", "description": "One."},
        {"type": "boolean", "default": True},
    ]
    found = package({**PLACE, "prefixItems": prefix, "minItems": 1, "maxItems": 2})

    assert found.operations["do"].input == RefShape(found.definitions["DoInput"])
    assert found.definitions["DoInput"].shape == NamedTupleShape(
        NO_CLASS,
        (
            field("first", NullShape(), description="One."),
            field("item_1", BoolShape(), default=True),
        ),
    )
    assert package({**PLACE, "maxItems": 0}).definitions["DoInput"].shape == NamedTupleShape(
        NO_CLASS, ()
    )


def test_what_stands_in_place_is_named_after_its_place() -> None:
    properties: Schema = {
        "a-b": {"type": "array", "items": closed()},
        "a_b": {"type": "array", "items": closed()},
        "m": {"type": "object", "additionalProperties": closed()},
        "n": {"anyOf": [{"type": "null"}, closed()]},
        "t": {"type": "array", "prefixItems": [closed()], "items": False, "minItems": 1},
    }
    inner = closed(**properties)
    # what is in $defs keeps its name, whatever comes to stand beside it
    found = package_of(
        document(
            route("order.v2", input=inner, output=closed()),
            defs={"Page": {"type": "array", "items": closed()}, "OrderV2inputm": closed()},
            exports={"Shown": closed()},
        )
    )

    assert [*found.definitions] == sorted(
        [
            "OrderV2Input",
            "OrderV2InputABItem",
            "OrderV2InputABItem_2",
            "OrderV2InputMValue",
            "OrderV2InputNOption1",
            "OrderV2InputTItem0",
            "OrderV2Output",
            "OrderV2inputm",
            "Page",
            "PageItem",
            "Shown",
        ]
    )
    assert found.exports == {"Shown": RefShape(found.definitions["Shown"])}


def test_a_description_of_a_field_is_not_one_of_its_type() -> None:
    found = package(
        closed(a={**closed(), "description": "Of the field.", "deprecated": True})
    ).definitions

    assert (found["DoInputA"].description, found["DoInputA"].deprecated) == (None, False)
    assert found["DoInputA"].shape == RecordShape("dataclass", NO_CLASS, ())


# Routes, exports and failures.


def test_a_package_is_all_that_a_document_says() -> None:
    data = closed(days={"type": "integer"})
    sold_out = ContractError(409, "Gone.", ref("SoldOut"), data_required=True)
    gone, framework = (
        ContractError(410, "Gone for good."),
        ContractError(400, "Wrong.", closed(message={"type": "string"}), data_required=True),
    )
    routes = (
        route(
            "b",
            errors={"SOLD_OUT": sold_out, "GONE": gone},
            description="All.",
            tags=("x",),
            auth="bearer",
            effect="write",
        ),
        route(
            "a",
            errors={"SOLD_OUT": sold_out},
            deprecated=Deprecation("2024-01-01"),
            input=closed(x={}),
        ),
    )
    given = document(
        *routes,
        defs={"SoldOut": data, "Alias": {"type": "null"}},
        errors={"GONE": gone, "BAD_REQUEST": framework},
        exports={"E": ref("Alias")},
    )
    found = package_of(given)

    assert found.document is given
    assert found.digest == sha256(dump_contract(given)).hexdigest()
    assert [*found.definitions] == ["AInput", "Alias", "SoldOut"]
    assert found.definitions["Alias"].shape == NullShape()
    data_of = RefShape(found.definitions["SoldOut"])
    assert [*found.failures.items()] == [
        ("GONE", FailureType(code="GONE", status=410, description="Gone for good.")),
        (
            "SOLD_OUT",
            FailureType(
                code="SOLD_OUT", status=409, description="Gone.", data=data_of, data_required=True
            ),
        ),
    ]
    assert [*found.builtins.items()] == [
        ("BAD_REQUEST", FailureType(code="BAD_REQUEST", status=400, description="Wrong.")),
        ("GONE", FailureType(code="GONE", status=410, description="Gone for good.")),
    ]
    assert found.exports == {"E": RefShape(found.definitions["Alias"])}
    assert [*found.operations] == ["a", "b"]
    assert found.operations["a"].input == RefShape(found.definitions["AInput"])
    assert found.operations["a"].route.deprecated == Deprecation("2024-01-01")
    assert found.operations["b"].input is None
    assert found.operations["b"].output == NullShape()
    assert found.operations["b"].failures == ("GONE", "SOLD_OUT")


def test_the_data_of_a_failure_may_stand_in_place() -> None:
    failing = route(
        errors={"SOLD_OUT": ContractError(409, "Gone.", closed(days={"type": "integer"}))}
    )
    found = package_of(document(failing))

    assert found.failures["SOLD_OUT"].data == RefShape(found.definitions["SoldOutData"])
    assert [*found.definitions] == ["SoldOutData"]


@pytest.mark.parametrize("other", [{}, {"properties": {"a": {}}, "additionalProperties": {}}])
def test_the_data_of_a_failure_is_a_record(other: Schema) -> None:
    named = package_of(
        document(
            route(errors={"GONE": ContractError(410, "Gone.", ref("Same"))}),
            defs={"Same": ref("A"), "A": closed(a={})},
        )
    )
    assert named.failures["GONE"].data == RefShape(named.definitions["A"])

    with pytest.raises(
        GenerationError,
        match=r"^\$\.routes\.do\.errors\.GONE\.data: the data of a failure must be an object with fields",
    ):
        package_of(
            document(
                route(errors={"GONE": ContractError(410, "Gone.", ref("A"))}),
                defs={"A": {"type": "object", **other}},
            )
        )


def test_a_code_says_the_same_everywhere() -> None:
    routes = (
        route("a", errors={"GONE": ContractError(410, "Gone.")}),
        route("b", errors={"GONE": ContractError(409, "Gone.")}),
    )

    with pytest.raises(
        GenerationError,
        match=r"^\$\.routes\.b\.errors\.GONE: this is not what the same code says in \$\.routes\.a\.errors",
    ):
        package_of(document(*routes))


def test_only_what_can_be_written_has_a_digest() -> None:
    with pytest.raises(DocumentError, match="cannot be written"):
        package({"const": "\ud800"})


def test_a_document_of_everything_says_what_it_has_no_type_for() -> None:
    """The sample of all keywords holds some that no type has, and each is told with its place."""
    with pytest.raises(GenerationError) as caught:
        package_of(load_contract(text(whole())))

    assert caught.value.path == "$.routes.order.errors.NOT_FOUND.data"
    assert str(caught.value) == f"{caught.value.path}: {caught.value.problem}"


@pytest.mark.parametrize("code", ["VALIDATION_ERROR", "UNAUTHORIZED", "NETWORK_ERROR"])
def test_no_route_declares_a_code_of_the_framework(code: str) -> None:
    with pytest.raises(
        GenerationError, match=rf"^\$\.routes\.do\.errors\.{code}: this is a code of the framework"
    ):
        package_of(document(route(errors={code: ContractError(499, "Mine.")})))


def test_defaults_and_examples_do_not_depend_on_the_order_of_keys() -> None:
    orders: list[Schema] = [{"a": 1, "b": {"c": [], "d": 2}}, {"b": {"d": 2, "c": []}, "a": 1}]
    written = []
    for order in orders:
        found = (
            package(closed(False, f={"default": order, "examples": [order]}))
            .definitions["DoInput"]
            .shape
        )
        assert isinstance(found, RecordShape)
        written.append(json.dumps([found.fields[0].json_default, *found.fields[0].examples]))

    assert written[0] == written[1]
