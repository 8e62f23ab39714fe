"""Documents as OpenAPI."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from contract.document import model
from contract.document.openapi import openapi
from contract.document.openapi_components import moved
from contract.shape.json_text import JsonSchema
from tests.oracle import is_valid
from tests.tables import rows

NOTHING: JsonSchema = {"type": "object", "properties": {}, "additionalProperties": False}
MESSAGE: JsonSchema = {**NOTHING, "properties": {"message": {"type": "string"}}}
BAD_INPUT = model.ContractError(400, "Bad input.", MESSAGE, data_required=True)
UNAUTHORIZED = model.ContractError(401, "A token is missing.")
NOT_FOUND = model.ContractError(404, "It does not exist.", {"$ref": "#/$defs/NotFound"})
SOLD_OUT = model.ContractError(
    409, "Every copy is sold.", {"$ref": "#/$defs/SoldOut"}, data_required=True
)
CLOSED = model.ContractError(409, "Nobody\n  is there.")

COMMON = {
    "VALIDATION_ERROR": BAD_INPUT,
    "BAD_REQUEST": model.ContractError(400, "Unsound."),
    "UNAUTHORIZED": UNAUTHORIZED,
    "NOT_FOUND": NOT_FOUND,
}
DEFS: dict[str, JsonSchema] = {
    "Product": {"title": "Product", "type": "object", "properties": {"related": {"type": "array", "items": {"$ref": "#/$defs/Product"}}}},
    "NotFound": MESSAGE,
    "SoldOut": {"type": "object", "properties": {"days": {"type": "integer"}}, "required": ["days"], "additionalProperties": False},
}  # fmt: skip


ROUTE: dict[str, Any] = {"tags": ("things",), "auth": "none", "effect": "write", "errors": {}}
ABOUT: dict[str, Any] = {"info": model.Info("Shop", "1.2.3"), "ui": {}, "links": model.Links()}


def a_route(path: str, **given: Any) -> model.ContractRoute:
    told = {"summary": f"Do {path}", "input": NOTHING, "output": {"type": "null"}}
    return model.ContractRoute(path=path, **{**ROUTE, **told, **given})


def a_document(
    *routes: model.ContractRoute, errors: Mapping[str, model.ContractError] = COMMON, **given: Any
) -> model.Document:
    named = {route.path: route for route in routes}
    usual = {**ABOUT, "defs": DEFS, "exports": {}, "errors": errors, "routes": named}
    return model.Document(**{**usual, **given})


def written(*routes: model.ContractRoute, **given: Any) -> Any:
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
    if "$ref" not in found:
        return found
    return document["components"]["responses"][found["$ref"].rpartition("/")[2]]


def schema_of(document: Any, name: str, status: int) -> Any:
    return response(document, name, status)["content"]["application/json"]["schema"]


def body(document: Any, name: str, status: int) -> Any:
    """
    The schema of a response, with the components beside it, so that it can be asked of a document.
    """
    whole = {**schema_of(document, name, status), "$defs": document["components"]["schemas"]}
    return json.loads(json.dumps(whole).replace("#/components/schemas/", "#/$defs/"))


# The whole


def test_a_document_without_routes_is_one() -> None:
    info = {"title": "Shop", "version": "1.2.3"}
    whole = {"openapi": "3.1.0", "info": info, "servers": [{"url": "/v1"}], "paths": {}}
    assert written(defs={}) == whole


def test_the_intro_is_the_description() -> None:
    info = {"title": "Shop", "version": "1", "description": "# Hello"}

    assert written(info=model.Info("Shop", "1", "# Hello"))["info"] == info


def test_an_export_of_another_name_is_a_component_that_refers_to_its_type() -> None:
    name = min(DEFS)
    reference = {"$ref": f"#/$defs/{name}"}
    schemas = written(exports={name: reference, "Exported": reference})["components"]["schemas"]
    alias = {"title": "Exported", "allOf": [{"$ref": f"#/components/schemas/{name}"}]}

    assert schemas == written()["components"]["schemas"] | {"Exported": alias}
    assert schemas.keys() == DEFS.keys() | {"Exported"}


SHOP = "https://shop.example/v1"


@rows("server, url", ("/", "/"), ("", "/"), ("/v1", "/v1"), ("/v1/", "/v1"), (f"{SHOP}/", SHOP))
def test_paths_are_relative_to_the_server(server: str, url: str) -> None:
    document = openapi(a_document(a_route("order")), server=server)

    assert document["servers"] == [{"url": url}]
    assert [*document["paths"]] == ["/order"]


def test_nothing_depends_on_the_order_of_a_mapping() -> None:
    first = a_route("b", errors={"SOLD_OUT": SOLD_OUT, "CLOSED": CLOSED}, tags=("z", "a"))
    routes = [first, a_route("a", auth="bearer", tags=("m",))]
    one = a_document(*routes)
    turned = [replace(route, errors=backwards(route.errors)) for route in reversed(routes)]
    other = a_document(*turned, errors=backwards(one.errors), defs=backwards(one.defs))
    texts = {json.dumps(openapi(each, server="/"), sort_keys=True) for each in (one, other)}

    assert len(texts) == 1


def test_tags_are_listed_once() -> None:
    both = written(a_route("a", tags=("z", "a")), a_route("b", tags=("a",)))

    assert both["tags"] == [{"name": "a"}, {"name": "z"}]
    assert "tags" not in written(a_route("a", tags=()))


# Operations


def test_an_operation_says_what_its_route_says() -> None:
    product = {"$ref": "#/$defs/Product"}
    told = {"description": "*Order* it.", "tags": ("b", "a"), "effect": "destructive"}
    found = operation(written(a_route("shop.order", input=product, **told)), "shop.order")

    assert found["operationId"] == "shop.order"
    assert (found["summary"], found["description"]) == ("Do shop.order", "*Order* it.")
    assert (found["tags"], found["x-contract-effect"]) == (["b", "a"], "destructive")
    moved_to = {"$ref": "#/components/schemas/Product"}
    content = {"application/json": {"schema": moved_to}}
    assert found["requestBody"] == {"required": True, "content": content}
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
        cache=model.Caching(60, ("Accept-Language",)),
        input={"$ref": "#/$defs/Product"},
        deprecated=model.Deprecation(since="2026-01-31"),
    )
    errors = {
        **COMMON,
        "PAYLOAD_TOO_LARGE": model.ContractError(413, "Too large."),
        "UNSUPPORTED_MEDIA_TYPE": model.ContractError(415, "No JSON."),
    }
    document = written(route, a_route("find_get"), errors=errors)
    post, get = (document["paths"]["/find"][method] for method in ("post", "get"))

    assert get["operationId"] == "find_get2"
    told = "The input as JSON, percent-encoded; where it is long, use POST."
    query = {"name": "input", "in": "query", "description": told, "required": True}
    assert get["parameters"] == [{**query, "content": post["requestBody"]["content"]}]
    assert get["x-contract-cache"] == {"max_age": 60, "vary": ["Accept-Language"]}
    assert "requestBody" not in get
    for key in ("summary", "tags", "security", "x-contract-effect", "deprecated"):
        assert get[key] == post[key]
    assert {*post["responses"]} == {"200", "400", "404", "413", "415"}
    assert [*get["responses"]] == ["200", "304", "400", "404", "412", "414"]
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
        route = a_route("find", effect="read", cache=model.Caching(0), **given)
        get = written(route)["paths"]["/find"]["get"]
        assert get["x-contract-cache"] == {"max_age": 0}
        return [*get["responses"]["304"]["headers"]]

    assert headers() == ["X-Request-Id", "Cache-Control", "ETag"]
    assert headers(auth="bearer") == ["X-Request-Id", "Cache-Control", "ETag", "Vary"]


def test_a_document_that_knows_of_no_bad_request_says_nothing_of_long_urls() -> None:
    errors = {"VALIDATION_ERROR": BAD_INPUT}
    document = written(a_route("find", effect="read", cache=model.Caching(0)), errors=errors)

    assert [*document["paths"]["/find"]["get"]["responses"]] == ["200", "304", "400"]


def test_a_route_without_input_needs_no_body() -> None:
    content = {"application/json": {"schema": NOTHING}}
    told = {"description": "Nothing: no body, `null` or `{}`.", "required": False}
    body = operation(written(a_route("ping")), "ping")["requestBody"]
    assert body == {**told, "content": content}


OPTIONAL = {**NOTHING, "properties": {"a": {}}}


@rows(
    "schema, is_required",
    (OPTIONAL, False),
    ({**OPTIONAL, "required": ["a"]}, True),
    ({"$ref": "#/$defs/Product"}, True),
    ({}, True),
    ({"type": "object", "additionalProperties": {"type": "integer"}}, True),
    ({"type": "array", "items": {}}, True),
)
def test_a_body_is_required_unless_all_its_fields_may_be_left_out(
    schema: JsonSchema, is_required: bool
) -> None:
    body = operation(written(a_route("order", input=schema)), "order")["requestBody"]

    assert body["required"] is is_required
    assert "description" not in body


REMOVED = {"remove_on": "2027-01-01", "use": "other"}


SINCE = {"since": "2026-01-01"}


@rows("details, headers", ({}, set()), (SINCE, {"Deprecation"}), (REMOVED, {"Sunset"}))
def test_deprecated_routes_say_since_when(details: dict[str, str], headers: set[str]) -> None:
    old = a_route("old", deprecated=model.Deprecation(**details))
    document = written(old, a_route("other"))

    assert operation(document, "old")["deprecated"] is True
    assert operation(document, "old").get("x-contract-deprecation") == (details or None)
    assert response(document, "old", 200)["headers"].keys() == {"X-Request-Id", *headers}
    assert response(document, "other", 200)["headers"].keys() == {"X-Request-Id"}
    assert {"Deprecation", "Sunset"} & document["components"]["headers"].keys() == headers


# Security


CHALLENGE = {"X-Request-Id", "WWW-Authenticate"}


def test_a_token_is_asked_for_by_the_routes_that_take_one() -> None:
    routes = (a_route("order", auth="bearer"), a_route("home", auth="optional"), a_route("ping"))
    document = written(*routes)

    assert operation(document, "order")["security"] == [{"bearer": []}]
    assert operation(document, "home")["security"] == [{}, {"bearer": []}]
    assert operation(document, "ping")["security"] == []
    bearer = {"type": "http", "scheme": "bearer"}
    assert document["components"]["securitySchemes"] == {"bearer": bearer}
    for name in ("order", "home"):
        assert response(document, name, 401)["headers"].keys() == CHALLENGE
    assert "401" not in operation(document, "ping")["responses"]


def test_scopes_stand_with_the_token_and_with_their_refusal() -> None:
    forbidden = model.ContractError(403, "The caller may not.", {"$ref": "#/$defs/NotFound"})
    errors = {"FORBIDDEN": forbidden}
    scoped = a_route("refund", auth="bearer", requires=("b", "a"), errors=errors)
    document = written(a_route("order", auth="bearer"), scoped, errors=COMMON | errors)

    assert operation(document, "refund")["security"] == [{"bearer": ["b", "a"]}]
    assert operation(document, "order")["security"] == [{"bearer": []}]
    assert response(document, "refund", 403)["headers"].keys() == CHALLENGE
    assert response(document, "order", 403)["headers"].keys() == {"X-Request-Id"}
    told = document["components"]["headers"]["WWW-Authenticate"]["description"]
    assert told.endswith("Where the code is FORBIDDEN, it may name the scopes that are needed.")


def test_without_bearer_routes_nothing_is_said_of_tokens() -> None:
    components = written(a_route("ping"))["components"]

    assert "securitySchemes" not in components
    assert "Unauthorized" not in components["responses"]
    assert "UnauthorizedError" not in components["schemas"]
    assert "WWW-Authenticate" not in components["headers"]


# Errors


BOTH = {"SOLD_OUT": SOLD_OUT, "CLOSED": CLOSED}


def test_errors_are_closed_objects_that_hold_their_code() -> None:
    schemas = written(a_route("order", errors=BOTH))["components"]["schemas"]

    sold_out = {"type": "string", "const": "SOLD_OUT"}
    told = {"title": "SoldOutError", "description": "Every copy is sold.", **NOTHING}
    assert schemas["SoldOutError"] == {
        **told,
        "properties": {"error": sold_out, "data": {"$ref": "#/components/schemas/SoldOut"}},
        "required": ["error", "data"],
    }
    assert schemas["NotFoundError"]["required"] == ["error"]
    assert schemas["ClosedError"]["properties"] == {"error": sold_out | {"const": "CLOSED"}}


@pytest.mark.unwatched
def test_the_codes_of_a_status_are_told_apart() -> None:
    schema = body(written(a_route("order", errors=BOTH)), "order", 409)
    days = {"days": 3}

    assert is_valid(schema, {"error": "SOLD_OUT", "data": days})
    assert is_valid(schema, {"error": "CLOSED"})
    others: list[dict[str, Any]] = [{}, {"error": "SOLD_OUT"}, {"error": "NOT_FOUND"}]
    others += [{"error": "SOLD_OUT", "data": {}}, {"error": "CLOSED", "data": days}]
    for other in (*others, {"error": "CLOSED", "more": 1}):
        assert not is_valid(schema, other)
    mapping = {"CLOSED": "#/$defs/ClosedError", "SOLD_OUT": "#/$defs/SoldOutError"}
    assert schema["discriminator"] == {"propertyName": "error", "mapping": mapping}


@rows(
    "errors, description",
    ({"SOLD_OUT": SOLD_OUT}, "Every copy is sold."),
    ({"GONE": model.ContractError(409, "")}, "GONE"),
    (BOTH, "- `CLOSED`: Nobody is there.\n- `SOLD_OUT`: Every copy is sold."),
)
def test_a_response_describes_each_of_its_codes(
    errors: dict[str, model.ContractError], description: str
) -> None:
    document = written(a_route("order", errors=errors))

    assert response(document, "order", 409)["description"] == description
    kind = {"$ref"} if len(errors) == 1 else {"oneOf", "discriminator"}
    assert schema_of(document, "order", 409).keys() == kind
    if "GONE" in errors:
        assert document["components"]["schemas"]["GoneError"]["description"] == "GONE"


def test_responses_are_shared_by_the_routes_that_answer_alike() -> None:
    document = written(
        a_route("a", errors=BOTH),
        a_route("b", auth="bearer", errors={**BOTH, "NOT_FOUND": NOT_FOUND}),
        a_route("c", errors={"CLOSED": CLOSED, "BAD_NAME": model.ContractError(400, "No name.")}),
    )

    def shared(name: str) -> dict[str, str]:
        responses = operation(document, name)["responses"]
        del responses["200"]
        return {status: each["$ref"].rpartition("/")[2] for status, each in responses.items()}

    common = {"400": "BadRequest", "404": "NotFound", "409": "Conflict_Closed_SoldOut"}
    named = {"400": "BadRequest_BadName", "409": "Conflict_Closed"}
    assert shared("a") == common
    assert shared("b") == {**common, "401": "Unauthorized"}
    assert shared("c") == {**common, **named}
    used = {*common.values(), *named.values(), "Unauthorized"}
    assert document["components"]["responses"].keys() == used
    codes = body(document, "c", 400)["discriminator"]["mapping"]
    assert [*codes] == ["BAD_NAME", "BAD_REQUEST", "VALIDATION_ERROR"]


def test_what_a_route_says_of_a_common_code_goes_before_it() -> None:
    own = model.ContractError(410, "It was here.")
    document = written(a_route("a", errors={"NOT_FOUND": own}))

    assert "404" not in operation(document, "a")["responses"]
    assert response(document, "a", 410)["description"] == "It was here."
    assert "NotFound" not in document["components"]["responses"]


def test_two_errors_of_one_code_are_two_schemas() -> None:
    other = model.ContractError(409, "Another.", MESSAGE)
    document = written(
        a_route("a", errors={"SOLD_OUT": SOLD_OUT}), a_route("b", errors={"SOLD_OUT": other})
    )
    reply = {"error": "SOLD_OUT", "data": {"days": 1}}

    assert is_valid(body(document, "a", 409), reply)
    assert not is_valid(body(document, "b", 409), reply)
    assert {"SoldOutError", "SoldOutError2"} <= document["components"]["schemas"].keys()
    assert {"Conflict_SoldOut", "Conflict_SoldOut2"} <= document["components"]["responses"].keys()


def test_errors_are_not_called_as_types_are() -> None:
    null: JsonSchema = {"type": "null"}
    errors = {"SOLD_OUT": SOLD_OUT, "SOLD_OUT_ERROR": CLOSED}
    defs = {**DEFS, "Sold_outERROR": null, "SoldOutError2": null}
    document = written(a_route("order", errors=errors), defs=defs)

    assert schema_of(document, "order", 409)["discriminator"]["mapping"] == {
        "SOLD_OUT": "#/components/schemas/SoldOutError3",
        "SOLD_OUT_ERROR": "#/components/schemas/SoldOutError4",
    }
    assert document["components"]["schemas"]["SoldOutError2"] == null


def test_an_unregistered_status_has_a_name_too() -> None:
    document = written(a_route("a", errors={"ODD": model.ContractError(499, "Odd.")}))

    assert "Status499_Odd" in document["components"]["responses"]


def test_long_names_are_cut_and_stay_apart() -> None:
    codes = [f"{'A_LONG_CODE_' * 4}{letter}" for letter in "XYZ"]
    errors = dict.fromkeys(codes, CLOSED)
    more = {**errors, "SOLD_OUT": SOLD_OUT}
    components = written(a_route("a", errors=errors), a_route("b", errors=more))["components"]
    long = [name for name in components["responses"] if name.startswith("Conflict_")]

    assert [len(name) for name in long] == [100, 100]


@rows(
    "code, status, header",
    ("TOO_MANY_REQUESTS", 429, "Retry-After"),
    ("SERVICE_UNAVAILABLE", 503, "Retry-After"),
    ("METHOD_NOT_ALLOWED", 405, "Allow"),
    ("UNAUTHORIZED", 401, "WWW-Authenticate"),
)
def test_headers_stand_with_the_codes_that_they_go_with(
    code: str, status: int, header: str
) -> None:
    document = written(
        a_route("a", auth="bearer"), errors={code: model.ContractError(status, "It is.")}
    )
    names = ("X-Request-Id", header)

    headers = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
    assert response(document, "a", status)["headers"] == headers
    assert document["components"]["headers"].keys() == {*names}


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
    lists = {"examples": [value], "enum": [value]}
    schema: JsonSchema = {"const": value, "default": value, "x-own": value, **lists}
    untold: JsonSchema = {"discriminator": {"propertyName": "k"}}

    assert moved(schema) == schema
    assert moved(untold) == untold


ARRAY = {"type": "array", "prefixItems": [{"type": "null"}, {}]}
NONE = {"type": "array", "maxItems": 0}
MIXED: JsonSchema = {"type": ["integer", "string", "boolean"], "enum": [1, "a", 2, True]}
IMPOSSIBLE: JsonSchema = {**MIXED, "enum": [1, None]}
OPEN: JsonSchema = {"type": ["integer", "string"]}
CONSTS = (("integer", 1), ("string", "a"), ("integer", 2), ("boolean", True))
EACH: list[dict[str, Any]] = [{"type": type_, "const": value} for type_, value in CONSTS]
SHORT, SHORTER = {**ARRAY, "minItems": 1}, {**ARRAY, "maxItems": 1}
IN_OTHER_WORDS: dict[str, tuple[JsonSchema, JsonSchema]] = {
    "tuple": ({**SHORT, "items": False}, {**SHORT, "items": {}, "maxItems": 2}),
    "longest": ({**SHORTER, "items": False}, {**SHORTER, "items": {}}),
    "empty": ({**NONE, "items": False}, {**NONE, "items": {}}),
    "literals": ({**MIXED, "default": 1}, {"anyOf": EACH, "default": 1}),
    "impossible": (IMPOSSIBLE, IMPOSSIBLE),
    "open": (OPEN, OPEN),
}
SINGLE: Any = (None, True, False, 0, 1, 2, 1.5, "", "a", "b")
VALUES: Any = (*SINGLE, [], [None], [1], [None, 1], [1, 2, 3], {})


@pytest.mark.parametrize(("schema", "other"), IN_OTHER_WORDS.values(), ids=IN_OTHER_WORDS.keys())
def test_other_words_mean_the_same(schema: JsonSchema, other: JsonSchema) -> None:
    assert moved(schema) == other
    assert all(is_valid({**other}, each) == is_valid({**schema}, each) for each in VALUES)
