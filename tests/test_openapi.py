"""Documents as OpenAPI."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
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
    schemas = written(
        exports={name: {"$ref": f"#/$defs/{name}"}, "Exported": {"$ref": f"#/$defs/{name}"}}
    )["components"]["schemas"]

    assert schemas["Exported"] == {
        "title": "Exported",
        "allOf": [{"$ref": f"#/components/schemas/{name}"}],
    }
    assert schemas[name] == written()["components"]["schemas"][name]


def test_types_without_routes_are_components() -> None:
    assert written()["components"]["schemas"].keys() == DEFS.keys()


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
    assert found.keys().isdisjoint({"deprecated", "x-contract-deprecation", "x-contract-scope"})


def test_what_is_not_known_is_left_out() -> None:
    assert "description" not in operation(written(a_route("order")), "order")


def test_operations_are_posts_alone() -> None:
    assert [item.keys() for item in written(a_route("a"), a_route("b"))["paths"].values()] == [
        {"post"},
        {"post"},
    ]


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


def test_a_route_whose_fields_may_all_be_left_out_needs_no_body() -> None:
    schema = {"type": "object", "properties": {"a": {}}, "additionalProperties": False}

    assert not operation(written(a_route("list", input=schema)), "list")["requestBody"]["required"]


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/Product"},
        {},
        {"type": "object", "additionalProperties": {"type": "integer"}},
        {
            "type": "object",
            "properties": {"a": {}},
            "required": ["a"],
            "additionalProperties": False,
        },
        {"type": "array", "items": {}},
    ],
)
def test_every_other_input_needs_one(schema: JsonSchema) -> None:
    body = operation(written(a_route("order", input=schema)), "order")["requestBody"]

    assert body["required"]
    assert "description" not in body


def test_private_routes_say_so() -> None:
    assert (
        operation(written(a_route("report", scope="private")), "report")["x-contract-scope"]
        == "private"
    )


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


def test_bearer_routes_need_a_token_and_others_none() -> None:
    document = written(a_route("order", auth="bearer"), a_route("ping"))

    assert operation(document, "order")["security"] == [{"bearer": []}]
    assert operation(document, "ping")["security"] == []
    assert document["components"]["securitySchemes"] == {
        "bearer": {"type": "http", "scheme": "bearer"}
    }
    assert "401" in operation(document, "order")["responses"]
    assert "401" not in operation(document, "ping")["responses"]
    assert response(document, "order", 401)["headers"].keys() == {
        "X-Request-Id",
        "WWW-Authenticate",
    }


def test_a_token_that_may_be_left_out_is_one_of_two_ways() -> None:
    document = written(a_route("home", auth="optional"), a_route("ping"))

    assert operation(document, "home")["security"] == [{}, {"bearer": []}]
    assert document["components"]["securitySchemes"].keys() == {"bearer"}
    assert "401" in operation(document, "home")["responses"]
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


def test_a_status_of_one_code_needs_no_union() -> None:
    found = response(written(a_route("order", errors={"SOLD_OUT": SOLD_OUT})), "order", 409)

    assert found["content"]["application/json"]["schema"] == {
        "$ref": "#/components/schemas/SoldOutError"
    }
    assert found["description"] == "Every copy is sold."


def test_a_status_of_several_codes_describes_each_in_a_line() -> None:
    found = response(
        written(a_route("order", errors={"SOLD_OUT": SOLD_OUT, "CLOSED": CLOSED})), "order", 409
    )

    assert found["description"] == "- `CLOSED`: Nobody is there.\n- `SOLD_OUT`: Every copy is sold."


def test_an_error_without_description_is_described_by_its_code() -> None:
    document = written(a_route("order", errors={"GONE": ContractError(410, "")}))

    assert response(document, "order", 410)["description"] == "GONE"
    assert document["components"]["schemas"]["GoneError"]["description"] == "GONE"


def test_what_any_route_may_answer_is_shared() -> None:
    document = written(
        a_route("a"),
        a_route("b", auth="bearer", errors={"NOT_FOUND": NOT_FOUND, "SOLD_OUT": SOLD_OUT}),
        a_route("c"),
    )

    assert (
        operation(document, "a")["responses"]["404"] == operation(document, "b")["responses"]["404"]
    )
    assert operation(document, "a")["responses"]["400"] == {
        "$ref": "#/components/responses/BadRequest"
    }
    assert [*document["components"]["responses"]] == [
        "BadRequest",
        "Conflict_SoldOut",
        "NotFound",
        "Unauthorized",
    ]


def test_what_routes_declare_alike_is_shared() -> None:
    both = {"SOLD_OUT": SOLD_OUT, "CLOSED": CLOSED}
    document = written(
        a_route("a", errors=both),
        a_route("b", errors=both),
        a_route("c", errors={"CLOSED": CLOSED}),
    )

    assert operation(document, "a")["responses"]["409"] == {
        "$ref": "#/components/responses/Conflict_Closed_SoldOut"
    }
    assert (
        operation(document, "a")["responses"]["409"] == operation(document, "b")["responses"]["409"]
    )
    assert operation(document, "c")["responses"]["409"] == {
        "$ref": "#/components/responses/Conflict_Closed"
    }


def test_a_declared_code_joins_the_common_ones_of_its_status() -> None:
    document = written(
        a_route("a", errors={"BAD_NAME": ContractError(400, "No name.")}), a_route("b")
    )
    codes = body(document, "a", 400)["discriminator"]["mapping"]

    assert [*codes] == ["BAD_NAME", "BAD_REQUEST", "VALIDATION_ERROR"]
    assert operation(document, "a")["responses"]["400"] == {
        "$ref": "#/components/responses/BadRequest_BadName"
    }
    assert operation(document, "b")["responses"]["400"] == {
        "$ref": "#/components/responses/BadRequest"
    }


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
    mapping = response(document, "order", 409)["content"]["application/json"]["schema"][
        "discriminator"
    ]["mapping"]

    assert mapping == {
        "SOLD_OUT": "#/components/schemas/SoldOutError3",
        "SOLD_OUT_ERROR": "#/components/schemas/SoldOutError4",
    }
    assert document["components"]["schemas"]["SoldOutError2"] == {"type": "null"}


def test_an_unregistered_status_has_a_name_too() -> None:
    assert (
        "Status499_Odd"
        in written(a_route("a", errors={"ODD": ContractError(499, "Odd.")}))["components"][
            "responses"
        ]
    )


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
    ref, there = {"$ref": "#/$defs/T"}, {"$ref": "#/components/schemas/T"}
    schema: JsonSchema = {
        "properties": {
            "a": ref,
            "$ref": ref,
            "deep": {"anyOf": [{"oneOf": [ref]}, {"allOf": [ref]}]},
        },
        "additionalProperties": ref,
        "propertyNames": ref,
        "items": ref,
        "prefixItems": [ref],
        "if": ref,
        "then": ref,
        "discriminator": {"propertyName": "k", "mapping": {"t": "#/$defs/T"}},
    }

    assert moved(schema) == {
        "properties": {
            "a": there,
            "$ref": there,
            "deep": {"anyOf": [{"oneOf": [there]}, {"allOf": [there]}]},
        },
        "additionalProperties": there,
        "propertyNames": there,
        "items": there,
        "prefixItems": [there],
        "if": there,
        "then": there,
        "discriminator": {"propertyName": "k", "mapping": {"t": "#/components/schemas/T"}},
    }


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


@dataclass(frozen=True)
class Said:
    """A schema, and the same in words that tools of OpenAPI know."""

    before: JsonSchema
    after: JsonSchema


IN_OTHER_WORDS = {
    "tuple": Said(
        {"type": "array", "prefixItems": [{"type": "null"}, {}], "items": False, "minItems": 1},
        {
            "type": "array",
            "prefixItems": [{"type": "null"}, {}],
            "items": {},
            "minItems": 1,
            "maxItems": 2,
        },
    ),
    "longest": Said(
        {"type": "array", "prefixItems": [{}, {}], "items": False, "maxItems": 1},
        {"type": "array", "prefixItems": [{}, {}], "items": {}, "maxItems": 1},
    ),
    "empty": Said(
        {"type": "array", "items": False, "maxItems": 0},
        {"type": "array", "items": {}, "maxItems": 0},
    ),
    "literals": Said(
        {"type": ["integer", "string", "boolean"], "enum": [1, "a", 2, True], "default": 1},
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
    "impossible": Said(
        {"type": ["integer", "string"], "enum": [1, None]},
        {"type": ["integer", "string"], "enum": [1, None]},
    ),
    "open": Said({"type": ["integer", "string"]}, {"type": ["integer", "string"]}),
}
VALUES: list[Any] = [
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
    [None, 1, 2],
    {},
]


@pytest.mark.parametrize("said", IN_OTHER_WORDS.values(), ids=IN_OTHER_WORDS.keys())
def test_other_words_mean_the_same(said: Said) -> None:
    assert moved(said.before) == said.after
    assert [is_valid(dict(said.after), value) for value in VALUES] == [
        is_valid(dict(said.before), value) for value in VALUES
    ]
