"""Documents as OpenAPI."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from contract.document.model import (
    Caching,
    ContractError,
    ContractRoute,
    Deprecation,
    Document,
    Info,
    Links,
)
from contract.document.openapi import openapi
from contract.document.openapi_components import moved
from contract.shape.json_text import JsonSchema
from tests.oracle import is_valid

NOTHING: JsonSchema = {"type": "object", "properties": {}, "additionalProperties": False}
MESSAGE: JsonSchema = {
    "type": "object",
    "properties": {"message": {"type": "string"}},
    "additionalProperties": False,
}
BAD_INPUT = ContractError(400, "Bad input.", MESSAGE, data_required=True)
UNAUTHORIZED = ContractError(401, "A token is missing.")
NOT_FOUND = ContractError(404, "It does not exist.", {"$ref": "#/$defs/NotFound"})
SOLD_OUT = ContractError(
    409, "Every copy is sold.", {"$ref": "#/$defs/SoldOut"}, data_required=True
)
CLOSED = ContractError(409, "Nobody\n  is there.")

COMMON = {
    "VALIDATION_ERROR": BAD_INPUT,
    "BAD_REQUEST": ContractError(400, "Unsound."),
    "UNAUTHORIZED": UNAUTHORIZED,
    "NOT_FOUND": NOT_FOUND,
}
DEFS: dict[str, JsonSchema] = {
    "Product": {
        "title": "Product",
        "type": "object",
        "properties": {"related": {"type": "array", "items": {"$ref": "#/$defs/Product"}}},
    },
    "NotFound": MESSAGE,
    "SoldOut": {
        "type": "object",
        "properties": {"days": {"type": "integer"}},
        "required": ["days"],
        "additionalProperties": False,
    },
}


def a_route(path: str, **given: Any) -> ContractRoute:
    usual = {
        "summary": f"Do {path}",
        "tags": ("things",),
        "auth": "none",
        "effect": "write",
        "input": NOTHING,
        "output": {"type": "null"},
    }
    return ContractRoute(path=path, **{**usual, "errors": {}, **given})


def a_document(
    *routes: ContractRoute, errors: Mapping[str, ContractError] = COMMON, **given: Any
) -> Document:
    usual = {"info": Info("Shop", "1.2.3"), "ui": {}, "links": Links(), "defs": DEFS, "exports": {}}
    return Document(
        **{**usual, "errors": errors, "routes": {route.path: route for route in routes}, **given}
    )


def written(*routes: ContractRoute, **given: Any) -> Any:
    """The OpenAPI of a document, which is one by others' reckoning, and all of whose references lead to something."""
    document = openapi(a_document(*routes, **given), server="/v1")
    OpenAPIV31SpecValidator(document).validate()
    for ref in references(document):
        _, *steps = ref.split("/")
        found: Any = document
        for step in steps:
            found = found[step]
    return document


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, member in value.items():
            if key == "$ref":
                yield member
            elif key == "mapping":
                yield from member.values()
            else:
                yield from references(member)
    elif isinstance(value, list):
        for item in value:
            yield from references(item)


def backwards(mapping: Mapping[str, Any]) -> dict[str, Any]:
    return {key: mapping[key] for key in reversed([*mapping])}


def operation(document: Any, name: str) -> Any:
    return document["paths"][f"/{name}"]["post"]


def response(document: Any, name: str, status: int) -> Any:
    found = operation(document, name)["responses"][str(status)]
    return (
        document["components"]["responses"][found["$ref"].rpartition("/")[2]]
        if "$ref" in found
        else found
    )


def body(document: Any, name: str, status: int) -> Any:
    """
    The schema of a response, with the components beside it, so that it can be asked of a document.
    """
    schema = response(document, name, status)["content"]["application/json"]["schema"]
    text = json.dumps({**schema, "$defs": document["components"]["schemas"]})
    return json.loads(text.replace("#/components/schemas/", "#/$defs/"))


# The whole


def test_a_document_without_routes_is_one() -> None:
    assert written(defs={}) == {
        "openapi": "3.1.0",
        "info": {"title": "Shop", "version": "1.2.3"},
        "servers": [{"url": "/v1"}],
        "paths": {},
    }


def test_the_intro_is_the_description() -> None:
    assert written(info=Info("Shop", "1", "# Hello"))["info"] == {
        "title": "Shop",
        "version": "1",
        "description": "# Hello",
    }


def test_an_export_of_another_name_is_a_component_that_refers_to_its_type() -> None:
    name = min(DEFS)
    reference = {"$ref": f"#/$defs/{name}"}
    schemas = written(exports={name: reference, "Exported": reference})["components"]["schemas"]
    alias = {"title": "Exported", "allOf": [{"$ref": f"#/components/schemas/{name}"}]}

    assert schemas == written()["components"]["schemas"] | {"Exported": alias}
    assert schemas.keys() == DEFS.keys() | {"Exported"}


@pytest.mark.parametrize(
    ("server", "url"),
    [
        ("/", "/"),
        ("", "/"),
        ("/v1", "/v1"),
        ("/v1/", "/v1"),
        ("https://shop.example/v1/", "https://shop.example/v1"),
    ],
)
def test_paths_are_relative_to_the_server(server: str, url: str) -> None:
    document = openapi(a_document(a_route("order")), server=server)

    assert document["servers"] == [{"url": url}]
    assert [*document["paths"]] == ["/order"]


def test_nothing_depends_on_the_order_of_a_mapping() -> None:
    routes = [
        a_route("b", errors={"SOLD_OUT": SOLD_OUT, "CLOSED": CLOSED}, tags=("z", "a")),
        a_route("a", auth="bearer", tags=("m",)),
    ]
    one = openapi(a_document(*routes), server="/")
    document = a_document(
        *reversed([replace(route, errors=backwards(route.errors)) for route in routes])
    )
    other = openapi(
        replace(document, errors=backwards(document.errors), defs=backwards(document.defs)),
        server="/",
    )

    assert json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def test_tags_are_listed_once() -> None:
    assert written(a_route("a", tags=("z", "a")), a_route("b", tags=("a",)))["tags"] == [
        {"name": "a"},
        {"name": "z"},
    ]
    assert "tags" not in written(a_route("a", tags=()))


# Operations


def test_an_operation_says_what_its_route_says() -> None:
    route = a_route(
        "shop.order",
        description="*Order* it.",
        tags=("b", "a"),
        effect="destructive",
        input={"$ref": "#/$defs/Product"},
    )
    found = operation(written(route), "shop.order")

    assert found["operationId"] == "shop.order"
    assert (found["summary"], found["description"], found["tags"]) == (
        "Do shop.order",
        "*Order* it.",
        ["b", "a"],
    )
    assert found["x-contract-effect"] == "destructive"
    assert found["requestBody"] == {
        "required": True,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Product"}}},
    }
    absent = {"deprecated", "x-contract-deprecation", "x-contract-scope"}
    assert found.keys().isdisjoint(absent)
    paths = written(a_route("order"), a_route("b", scope="private"))["paths"]
    assert [[*item] for item in paths.values()] == [["post"], ["post"]]
    assert "description" not in paths["/order"]["post"]
    assert paths["/b"]["post"]["x-contract-scope"] == "private"


def test_a_cached_read_has_a_get_beside_its_post() -> None:
    route = a_route(
        "find",
        effect="read",
        cache=Caching(60, ("Accept-Language",)),
        input={"$ref": "#/$defs/Product"},
        deprecated=Deprecation(since="2026-01-31"),
    )
    errors = {
        **COMMON,
        "PAYLOAD_TOO_LARGE": ContractError(413, "Too large."),
        "UNSUPPORTED_MEDIA_TYPE": ContractError(415, "No JSON."),
    }
    document = written(route, a_route("find_get"), errors=errors)
    post, get = (document["paths"]["/find"][method] for method in ("post", "get"))

    assert get["operationId"] == "find_get2"
    assert get["parameters"] == [
        {
            "name": "input",
            "in": "query",
            "description": "The input as JSON, percent-encoded; where it is long, use POST.",
            "required": True,
            "content": post["requestBody"]["content"],
        }
    ]
    assert get["x-contract-cache"] == {"max_age": 60, "vary": ["Accept-Language"]}
    assert "requestBody" not in get
    for key in ("summary", "tags", "security", "x-contract-effect", "deprecated"):
        assert get[key] == post[key]
    assert {*post["responses"]} == {"200", "400", "404", "413", "415"}
    assert [*get["responses"]] == ["200", "304", "400", "404", "414"]
    for status in ("400", "404"):
        assert get["responses"][status] == post["responses"][status]
    assert get["responses"]["200"]["content"] == post["responses"]["200"]["content"]
    names = ["X-Request-Id", "Deprecation", "Cache-Control", "ETag", "Vary"]
    for status in ("200", "304"):
        assert [*get["responses"][status]["headers"]] == names
    assert "content" not in get["responses"]["304"]
    too_long = document["components"]["responses"]["UriTooLong"]
    schema = too_long["content"]["application/json"]["schema"]
    assert schema == {"$ref": "#/components/schemas/BadRequestError"}


def test_a_public_read_that_depends_on_no_header_names_none() -> None:
    def headers(**given: Any) -> list[str]:
        route = a_route("find", effect="read", cache=Caching(0), **given)
        get = written(route)["paths"]["/find"]["get"]
        assert get["x-contract-cache"] == {"max_age": 0}
        return [*get["responses"]["304"]["headers"]]

    assert headers() == ["X-Request-Id", "Cache-Control", "ETag"]
    assert headers(auth="bearer") == ["X-Request-Id", "Cache-Control", "ETag", "Vary"]


def test_a_document_that_knows_of_no_bad_request_says_nothing_of_long_urls() -> None:
    errors = {"VALIDATION_ERROR": BAD_INPUT}
    document = written(a_route("find", effect="read", cache=Caching(0)), errors=errors)

    assert [*document["paths"]["/find"]["get"]["responses"]] == ["200", "304", "400"]


def test_a_route_without_input_needs_no_body() -> None:
    assert operation(written(a_route("ping")), "ping")["requestBody"] == {
        "description": "Nothing: no body, `null` or `{}`.",
        "required": False,
        "content": {"application/json": {"schema": NOTHING}},
    }


OPTIONAL = {"type": "object", "properties": {"a": {}}, "additionalProperties": False}


@pytest.mark.parametrize(
    ("schema", "is_required"),
    [
        (OPTIONAL, False),
        ({**OPTIONAL, "required": ["a"]}, True),
        ({"$ref": "#/$defs/Product"}, True),
        ({}, True),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, True),
        ({"type": "array", "items": {}}, True),
    ],
)
def test_a_body_is_required_unless_all_its_fields_may_be_left_out(
    schema: JsonSchema, is_required: bool
) -> None:
    body = operation(written(a_route("order", input=schema)), "order")["requestBody"]

    assert body["required"] is is_required
    assert "description" not in body


@pytest.mark.parametrize(
    ("deprecation", "details", "headers"),
    [
        (Deprecation(), None, set()),
        (Deprecation(since="2026-01-01"), {"since": "2026-01-01"}, {"Deprecation"}),
        (
            Deprecation(remove_on="2027-01-01", use="other"),
            {"remove_on": "2027-01-01", "use": "other"},
            {"Sunset"},
        ),
    ],
)
def test_deprecated_routes_say_since_when(
    deprecation: Deprecation, details: object, headers: set[str]
) -> None:
    document = written(a_route("old", deprecated=deprecation), a_route("other"))

    assert operation(document, "old")["deprecated"] is True
    assert operation(document, "old").get("x-contract-deprecation") == details
    assert response(document, "old", 200)["headers"].keys() == {"X-Request-Id", *headers}
    assert response(document, "other", 200)["headers"].keys() == {"X-Request-Id"}
    assert {"Deprecation", "Sunset"} & document["components"]["headers"].keys() == headers


# Security


def test_a_token_is_asked_for_by_the_routes_that_take_one() -> None:
    document = written(
        a_route("order", auth="bearer"), a_route("home", auth="optional"), a_route("ping")
    )
    challenge = {"X-Request-Id", "WWW-Authenticate"}

    assert operation(document, "order")["security"] == [{"bearer": []}]
    assert operation(document, "home")["security"] == [{}, {"bearer": []}]
    assert operation(document, "ping")["security"] == []
    assert document["components"]["securitySchemes"] == {
        "bearer": {"type": "http", "scheme": "bearer"}
    }
    for name in ("order", "home"):
        assert response(document, name, 401)["headers"].keys() == challenge
    assert "401" not in operation(document, "ping")["responses"]


def test_scopes_stand_with_the_token_and_with_their_refusal() -> None:
    forbidden = ContractError(403, "The caller may not.", {"$ref": "#/$defs/NotFound"})
    errors = {**COMMON, "FORBIDDEN": forbidden}
    document = written(
        a_route("order", auth="bearer"),
        a_route("refund", auth="bearer", requires=("b", "a"), errors={"FORBIDDEN": forbidden}),
        errors=errors,
    )

    assert operation(document, "refund")["security"] == [{"bearer": ["b", "a"]}]
    assert operation(document, "order")["security"] == [{"bearer": []}]
    assert response(document, "refund", 403)["headers"].keys() == {
        "X-Request-Id",
        "WWW-Authenticate",
    }
    assert response(document, "order", 403)["headers"].keys() == {"X-Request-Id"}
    header = document["components"]["headers"]["WWW-Authenticate"]
    assert header["description"].endswith(
        "Where the code is FORBIDDEN, it may name the scopes that are needed."
    )


def test_without_bearer_routes_nothing_is_said_of_tokens() -> None:
    components = written(a_route("ping"))["components"]

    assert "securitySchemes" not in components
    assert "Unauthorized" not in components["responses"]
    assert "UnauthorizedError" not in components["schemas"]
    assert "WWW-Authenticate" not in components["headers"]


# Errors


def test_errors_are_closed_objects_that_hold_their_code() -> None:
    schemas = written(a_route("order", errors={"SOLD_OUT": SOLD_OUT, "CLOSED": CLOSED}))[
        "components"
    ]["schemas"]

    assert schemas["SoldOutError"] == {
        "title": "SoldOutError",
        "description": "Every copy is sold.",
        "type": "object",
        "properties": {
            "error": {"type": "string", "const": "SOLD_OUT"},
            "data": {"$ref": "#/components/schemas/SoldOut"},
        },
        "required": ["error", "data"],
        "additionalProperties": False,
    }
    assert schemas["NotFoundError"]["required"] == ["error"]
    assert schemas["ClosedError"]["properties"] == {"error": {"type": "string", "const": "CLOSED"}}


@pytest.mark.unwatched
@pytest.mark.parametrize(
    ("reply", "documented"),
    [
        ({"error": "SOLD_OUT", "data": {"days": 3}}, True),
        ({"error": "CLOSED"}, True),
        ({"error": "SOLD_OUT"}, False),
        ({"error": "SOLD_OUT", "data": {}}, False),
        ({"error": "CLOSED", "data": {"days": 3}}, False),
        ({"error": "NOT_FOUND"}, False),
        ({"error": "CLOSED", "more": 1}, False),
        ({}, False),
    ],
)
def test_the_codes_of_a_status_are_told_apart(reply: object, documented: bool) -> None:
    document = written(a_route("order", errors={"SOLD_OUT": SOLD_OUT, "CLOSED": CLOSED}))
    schema = body(document, "order", 409)

    assert is_valid(schema, reply) is documented
    assert schema["discriminator"] == {
        "propertyName": "error",
        "mapping": {"CLOSED": "#/$defs/ClosedError", "SOLD_OUT": "#/$defs/SoldOutError"},
    }


@pytest.mark.parametrize(
    ("errors", "status", "description"),
    [
        ({"SOLD_OUT": SOLD_OUT}, 409, "Every copy is sold."),
        ({"GONE": ContractError(410, "")}, 410, "GONE"),
        (
            {"SOLD_OUT": SOLD_OUT, "CLOSED": CLOSED},
            409,
            "- `CLOSED`: Nobody is there.\n- `SOLD_OUT`: Every copy is sold.",
        ),
    ],
)
def test_a_response_describes_each_of_its_codes(
    errors: dict[str, ContractError], status: int, description: str
) -> None:
    document = written(a_route("order", errors=errors))
    found = response(document, "order", status)
    schema = found["content"]["application/json"]["schema"]

    assert found["description"] == description
    assert schema.keys() == ({"$ref"} if len(errors) == 1 else {"oneOf", "discriminator"})
    if "GONE" in errors:
        assert document["components"]["schemas"]["GoneError"]["description"] == "GONE"


def test_responses_are_shared_by_the_routes_that_answer_alike() -> None:
    both = {"SOLD_OUT": SOLD_OUT, "CLOSED": CLOSED}
    bad_name = ContractError(400, "No name.")
    document = written(
        a_route("a", errors=both),
        a_route("b", auth="bearer", errors={**both, "NOT_FOUND": NOT_FOUND}),
        a_route("c", errors={"CLOSED": CLOSED, "BAD_NAME": bad_name}),
    )
    shared = {
        name: {status: each["$ref"].rpartition("/")[2] for status, each in found.items()}
        for name in "abc"
        if (found := {**operation(document, name)["responses"]}).pop("200")
    }

    common = {"400": "BadRequest", "404": "NotFound", "409": "Conflict_Closed_SoldOut"}
    assert shared["a"] == common
    assert shared["b"] == {**common, "401": "Unauthorized"}
    assert shared["c"] == {**common, "400": "BadRequest_BadName", "409": "Conflict_Closed"}
    assert {*document["components"]["responses"]} == {
        name for each in shared.values() for name in each.values()
    }
    codes = body(document, "c", 400)["discriminator"]["mapping"]
    assert [*codes] == ["BAD_NAME", "BAD_REQUEST", "VALIDATION_ERROR"]


def test_what_a_route_says_of_a_common_code_goes_before_it() -> None:
    own = ContractError(410, "It was here.")
    document = written(a_route("a", errors={"NOT_FOUND": own}))

    assert "404" not in operation(document, "a")["responses"]
    assert response(document, "a", 410)["description"] == "It was here."
    assert "NotFound" not in document["components"]["responses"]


def test_two_errors_of_one_code_are_two_schemas() -> None:
    other = ContractError(409, "Another.", MESSAGE)
    document = written(
        a_route("a", errors={"SOLD_OUT": SOLD_OUT}), a_route("b", errors={"SOLD_OUT": other})
    )

    assert is_valid(body(document, "a", 409), {"error": "SOLD_OUT", "data": {"days": 1}})
    assert not is_valid(body(document, "b", 409), {"error": "SOLD_OUT", "data": {"days": 1}})
    assert {"SoldOutError", "SoldOutError2"} <= document["components"]["schemas"].keys()
    assert {"Conflict_SoldOut", "Conflict_SoldOut2"} <= document["components"]["responses"].keys()


def test_errors_are_not_called_as_types_are() -> None:
    defs = {**DEFS, "Sold_outERROR": {"type": "null"}, "SoldOutError2": {"type": "null"}}
    document = written(
        a_route("order", errors={"SOLD_OUT": SOLD_OUT, "SOLD_OUT_ERROR": CLOSED}), defs=defs
    )
    schema = response(document, "order", 409)["content"]["application/json"]["schema"]

    assert schema["discriminator"]["mapping"] == {
        "SOLD_OUT": "#/components/schemas/SoldOutError3",
        "SOLD_OUT_ERROR": "#/components/schemas/SoldOutError4",
    }
    assert document["components"]["schemas"]["SoldOutError2"] == {"type": "null"}


def test_an_unregistered_status_has_a_name_too() -> None:
    document = written(a_route("a", errors={"ODD": ContractError(499, "Odd.")}))

    assert "Status499_Odd" in document["components"]["responses"]


def test_long_names_are_cut_and_stay_apart() -> None:
    codes = [f"{'A_LONG_CODE_' * 4}{letter}" for letter in "XYZ"]
    errors = dict.fromkeys(codes, CLOSED)
    names = written(
        a_route("a", errors=errors), a_route("b", errors={**errors, "SOLD_OUT": SOLD_OUT})
    )["components"]["responses"]
    long = [name for name in names if name.startswith("Conflict_")]

    assert len(long) == 2
    assert {len(name) for name in long} == {100}


@pytest.mark.parametrize(
    ("code", "status", "header"),
    [
        ("TOO_MANY_REQUESTS", 429, "Retry-After"),
        ("SERVICE_UNAVAILABLE", 503, "Retry-After"),
        ("METHOD_NOT_ALLOWED", 405, "Allow"),
        ("UNAUTHORIZED", 401, "WWW-Authenticate"),
    ],
)
def test_headers_stand_with_the_codes_that_they_go_with(
    code: str, status: int, header: str
) -> None:
    document = written(a_route("a", auth="bearer"), errors={code: ContractError(status, "It is.")})

    assert response(document, "a", status)["headers"] == {
        name: {"$ref": f"#/components/headers/{name}"} for name in ("X-Request-Id", header)
    }
    assert document["components"]["headers"].keys() == {"X-Request-Id", header}


# Schemas


def test_references_are_moved_where_a_schema_holds_others() -> None:
    schema: JsonSchema = {
        "properties": {"deep": {"anyOf": [{"oneOf": [REF]}, {"allOf": [REF]}]}, "$ref": REF},
        **dict.fromkeys(["additionalProperties", "propertyNames", "items", "if", "then"], REF),
        "prefixItems": [REF],
        "discriminator": {"propertyName": "k", "mapping": {"t": "#/$defs/T"}},
    }

    assert json.dumps(moved(schema)) == json.dumps(schema).replace("$defs", "components/schemas")


REF: JsonSchema = {"$ref": "#/$defs/T"}


def test_data_is_left_as_it_is() -> None:
    value = {"$ref": "#/$defs/T", "items": False, "type": ["a"], "enum": []}
    schema: JsonSchema = {
        "const": value,
        "default": value,
        "examples": [value],
        "enum": [value],
        "x-own": value,
    }

    assert moved(schema) == schema
    assert moved({"discriminator": {"propertyName": "k"}}) == {
        "discriminator": {"propertyName": "k"}
    }


ARRAY = {"type": "array", "prefixItems": [{"type": "null"}, {}]}
MIXED: JsonSchema = {"type": ["integer", "string", "boolean"], "enum": [1, "a", 2, True]}
IN_OTHER_WORDS: dict[str, tuple[JsonSchema, JsonSchema]] = {
    "tuple": (
        {**ARRAY, "items": False, "minItems": 1},
        {**ARRAY, "items": {}, "minItems": 1, "maxItems": 2},
    ),
    "longest": (
        {**ARRAY, "items": False, "maxItems": 1},
        {**ARRAY, "items": {}, "maxItems": 1},
    ),
    "empty": (
        {"type": "array", "items": False, "maxItems": 0},
        {"type": "array", "items": {}, "maxItems": 0},
    ),
    "literals": (
        {**MIXED, "default": 1},
        {
            "anyOf": [
                {"type": "integer", "const": 1},
                {"type": "string", "const": "a"},
                {"type": "integer", "const": 2},
                {"type": "boolean", "const": True},
            ],
            "default": 1,
        },
    ),
    "impossible": ({**MIXED, "enum": [1, None]}, {**MIXED, "enum": [1, None]}),
    "open": ({"type": ["integer", "string"]}, {"type": ["integer", "string"]}),
}
VALUES: Any = (
    None,
    True,
    False,
    0,
    1,
    2,
    1.5,
    "",
    "a",
    "b",
    [],
    [None],
    [1],
    [None, 1],
    [1, 2, 3],
    {},
)


@pytest.mark.parametrize(("schema", "other"), IN_OTHER_WORDS.values(), ids=IN_OTHER_WORDS.keys())
def test_other_words_mean_the_same(schema: JsonSchema, other: JsonSchema) -> None:
    assert moved(schema) == other
    assert [is_valid({**other}, value) for value in VALUES] == [
        is_valid({**schema}, value) for value in VALUES
    ]
