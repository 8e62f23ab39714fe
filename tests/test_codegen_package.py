"""Documents, as generators of code see them: records, routes and failures, and names for what has none."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from typing import Final

import pytest

from contract.codegen.package import package_of
from contract.document import ContractError, ContractRoute, Deprecation
from contract.document.contract_json import dump_contract, load_contract
from contract.shape import nodes
from contract.shape.exceptions import DocumentError, GenerationError
from tests.codegen_documents import Schema, closed, document, package, ref, refusal, route
from tests.documents import text, whole
from tests.paper import failure, field
from tests.tables import rows

# Records and named tuples.


def test_a_record_has_its_fields_in_order() -> None:
    second = {"description": "The second.", "examples": ["y"], "x-contract-name": "bb"}
    schema = {
        **closed(
            b={"type": "string", "default": "x", **second},
            a={"type": "null", "deprecated": True, "default": None},
            c={"type": "boolean"},
        ),
        "title": "Order",
        "description": "What is ordered.",
        "deprecated": True,
        "required": ["a"],
    }
    first = field("a", nodes.NullShape(), deprecated=True)
    middle = field("bb", nodes.StrShape(), wire="b", default="x", description="The second.")
    middle = replace(middle, examples=("y",))
    fields = (first, middle, field("c", nodes.BoolShape(), required=False))
    found = package(ref("Order"), Order=schema).definitions["Order"]

    assert (found.name, found.description, found.deprecated) == ("Order", "What is ordered.", True)
    assert found.shape == nodes.RecordShape("dataclass", nodes.NO_CLASS, fields)
    told = schema | {"x-contract-order": ["c", "a", "b"]}
    ordered = package(ref("Order"), Order=told).definitions["Order"].shape
    assert isinstance(ordered, nodes.RecordShape)
    assert [field.wire for field in ordered.fields] == ["c", "a", "b"]


def test_an_enum_has_names_for_its_values() -> None:
    schema = {"enum": ["a", 1], "x-contract-enum-names": ["A", "ONE"], "description": "Either."}

    found = package(ref("E"), E=schema).definitions["E"]
    assert (found.name, found.description) == ("E", "Either.")
    assert found.shape == nodes.EnumShape(nodes.NO_CLASS, (("A", "a"), ("ONE", 1)))


PLACE: Final[Schema] = {"type": "array", "x-contract-type": "namedtuple", "items": False}
FIELDS: Final = "an object with fields has no other rules"
PLACES: Final = "a named tuple has its positions and no more"


@rows(
    "schema, where, problem",
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
)
def test_what_is_no_record_and_no_named_tuple_is_refused(
    schema: Schema, where: str, problem: str
) -> None:
    path, found = refusal(schema)

    assert path == where
    assert found.startswith(problem)


def test_a_named_tuple_has_names_for_its_positions() -> None:
    one = {"type": "null", "x-contract-name": "first", "description": "One."}
    prefix = [one, {"type": "boolean", "default": True}]
    first = field("first", nodes.NullShape(), description="One.")
    fields = (first, field("item_1", nodes.BoolShape(), default=True))
    found = package({**PLACE, "prefixItems": prefix, "minItems": 1, "maxItems": 2})
    none = package({**PLACE, "maxItems": 0})

    assert found.operations["do"].input == nodes.RefShape(found.definitions["DoInput"])
    assert found.definitions["DoInput"].shape == nodes.NamedTupleShape(nodes.NO_CLASS, fields)
    assert none.definitions["DoInput"].shape == nodes.NamedTupleShape(nodes.NO_CLASS, ())


def test_what_stands_in_place_is_named_after_its_place() -> None:
    properties: Schema = {
        "a-b": {"type": "array", "items": closed()},
        "a_b": {"type": "array", "items": closed()},
        "m": {"type": "object", "additionalProperties": closed()},
        "n": {"anyOf": [{"type": "null"}, closed()]},
        "t": {"type": "array", "prefixItems": [closed()], "items": False, "minItems": 1},
    }
    call = route("order.v2", input=closed(**properties), output=closed())
    # what is in $defs keeps its name, whatever comes to stand beside it
    defs = {"Page": {"type": "array", "items": closed()}, "OrderV2inputm": closed()}
    found = package_of(document(call, defs=defs, exports={"Shown": closed()}))

    parts = ("", "ABItem", "ABItem_2", "MValue", "NOption1", "TItem0")
    named = ["OrderV2Output", "OrderV2inputm", "Page", "PageItem", "Shown"]
    assert [*found.definitions] == [*(f"OrderV2Input{part}" for part in parts), *named]
    assert found.exports == {"Shown": nodes.RefShape(found.definitions["Shown"])}


def test_a_description_of_a_field_is_not_one_of_its_type() -> None:
    told = {**closed(), "description": "Of the field.", "deprecated": True}
    found = package(closed(a=told)).definitions["DoInputA"]

    assert (found.description, found.deprecated) == (None, False)
    assert found.shape == nodes.RecordShape("dataclass", nodes.NO_CLASS, ())


# Routes, exports and failures.


def test_a_package_is_all_that_a_document_says() -> None:
    sold_out = ContractError(409, "Gone.", ref("SoldOut"), data_required=True)
    gone = ContractError(410, "Gone for good.")
    message = closed(message={"type": "string"})
    since = Deprecation("2024-01-01")
    more: Schema = {"description": "All.", "tags": ("x",), "auth": "bearer", "effect": "write"}
    given = document(
        route("b", errors={"SOLD_OUT": sold_out, "GONE": gone}, **more),
        route("a", errors={"SOLD_OUT": sold_out}, deprecated=since, input=closed(x={})),
        defs={"SoldOut": closed(days={"type": "integer"}), "Alias": {"type": "null"}},
        errors={"GONE": gone, "BAD_REQUEST": ContractError(400, "Wrong.", message, True)},
        exports={"E": ref("Alias")},
    )
    found = package_of(given)

    assert found.document is given
    assert found.digest == sha256(dump_contract(given)).hexdigest()
    assert [*found.definitions] == ["AInput", "Alias", "SoldOut"]
    assert found.definitions["Alias"].shape == nodes.NullShape()
    for_good = failure("GONE", 410, "Gone for good.")
    data = nodes.RefShape(found.definitions["SoldOut"])
    with_data = replace(failure("SOLD_OUT", 409, "Gone.", "SoldOut"), data=data)
    assert [*found.failures.items()] == [("GONE", for_good), ("SOLD_OUT", with_data)]
    bad_request = "BAD_REQUEST", failure("BAD_REQUEST", 400, "Wrong.")
    assert [*found.builtins.items()] == [bad_request, ("GONE", for_good)]
    assert found.exports == {"E": nodes.RefShape(found.definitions["Alias"])}
    assert [*found.operations] == ["a", "b"]
    a, b = found.operations.values()
    assert (a.input, a.route.deprecated) == (nodes.RefShape(found.definitions["AInput"]), since)
    assert (b.input, b.output, b.failures) == (None, nodes.NullShape(), ("GONE", "SOLD_OUT"))


def failing(
    code: str, data: Schema | None = None, name: str = "do", status: int = 410
) -> ContractRoute:
    return route(name, errors={code: ContractError(status, "Gone.", data)})


def test_the_data_of_a_failure_may_stand_in_place() -> None:
    found = package_of(document(failing("SOLD_OUT", closed(days={"type": "integer"}))))

    assert found.failures["SOLD_OUT"].data == nodes.RefShape(found.definitions["SoldOutData"])
    assert [*found.definitions] == ["SoldOutData"]


@pytest.mark.parametrize("other", [{}, {"properties": {"a": {}}, "additionalProperties": {}}])
def test_the_data_of_a_failure_is_a_record(other: Schema) -> None:
    defs = {"Same": ref("A"), "A": closed(a={})}
    found = package_of(document(failing("GONE", ref("Same")), defs=defs))
    assert found.failures["GONE"].data == nodes.RefShape(found.definitions["A"])

    problem = r"\.data: the data of a failure must be an object with fields"
    with pytest.raises(GenerationError, match=rf"^\$\.routes\.do\.errors\.GONE{problem}"):
        package_of(document(failing("GONE", ref("A")), defs={"A": {"type": "object", **other}}))


def test_a_code_says_the_same_everywhere() -> None:
    routes = (failing("GONE", name="a"), failing("GONE", name="b", status=409))
    problem = r"this is not what the same code says in \$\.routes\.a\.errors"

    with pytest.raises(GenerationError, match=rf"^\$\.routes\.b\.errors\.GONE: {problem}"):
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
    problem = rf"^\$\.routes\.do\.errors\.{code}: this is a code of the framework"
    with pytest.raises(GenerationError, match=problem):
        package_of(document(failing(code)))


def test_defaults_and_examples_do_not_depend_on_the_order_of_keys() -> None:
    def written(order: Schema) -> str:
        schema = closed(False, f={"default": order, "examples": [order]})
        found = package(schema).definitions["DoInput"].shape
        assert isinstance(found, nodes.RecordShape)
        return json.dumps([found.fields[0].json_default, *found.fields[0].examples])

    assert written({"a": 1, "b": {"c": [], "d": 2}}) == written({"b": {"d": 2, "c": []}, "a": 1})
