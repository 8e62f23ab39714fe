"""Pages, on paper: contract.json, OpenAPI, diff, llms.txt, tools and mocks."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from contract import dump_contract, emit_contract, emit_openapi, load_contract
from contract.codegen.package import package_of
from contract.document.describe import describe
from contract.document.diff import diff
from contract.explorer.llms import llms
from contract.shape.exceptions import DocumentError, GenerationError
from contract.testing import Client
from contract.testing.mock import MockService, example
from tests.diffs import ROUTE, kinds, shop
from tests.ledger import api
from tests.tables import rows

EMITTED: dict[str, Any] = json.loads(emit_contract(api))


def changed(**members: Any) -> bytes:
    return json.dumps({**EMITTED, **members}).encode()


def test_contract_json_says_which_routes_give_pages() -> None:
    found = {name: route.get("pages") for name, route in EMITTED["routes"].items()}

    assert found == {"everything": True, "find": True, "of.items": True, "pages": None}
    assert dump_contract(load_contract(emit_contract(api))) == emit_contract(api)


def test_a_key_is_a_text_of_a_kind_of_its_own() -> None:
    text = {"type": "string", "maxLength": 1_408, "pattern": "^[A-Za-z0-9_-]+$"}
    key = {"anyOf": [{**text, "x-contract-type": "page-key"}, {"type": "null"}]}
    given, gives = (EMITTED["$defs"][name] for name in ("Cursor_FilterInput", "Slice_Entry"))

    assert key.items() <= given["properties"]["after"].items()
    assert key.items() <= gives["properties"]["next"].items()
    assert gives["required"] == ["items", "next"]
    assert "required" not in given
    assert given["properties"]["filter"]["default"] == {"word": "", "fails_at": None}


def test_the_limit_is_that_of_the_route() -> None:
    for name, wanted in (("Cursor_FilterInput", (1, 100, 50)), ("Cursor_NoneInput", (1, 3, 3))):
        limit = EMITTED["$defs"][name]["properties"]["limit"]
        assert (limit["minimum"], limit["maximum"], limit["default"]) == wanted


def without(name: str, key: str) -> dict[str, Any]:
    """The types, of which one lacks a field."""
    of = EMITTED["$defs"][name]
    rest = {each: schema for each, schema in of["properties"].items() if each != key}
    lists = {
        member: [each for each in of[member] if each != key]
        for member in ("required", "x-contract-order")
        if member in of
    }
    return {**EMITTED["$defs"], name: {**of, "properties": rest, **lists}}


def with_field(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    of = EMITTED["$defs"]["Slice_Entry"]
    properties = {**of["properties"], name: schema}
    return {**EMITTED["$defs"], "Slice_Entry": {**of, "properties": properties}}


def with_items(schema: dict[str, Any]) -> dict[str, Any]:
    return with_field("items", schema)


def with_next(member: dict[str, Any]) -> dict[str, Any]:
    return with_field("next", {"anyOf": [{"type": "null"}, member]})


PAGES = EMITTED["routes"]["pages"]


@rows(
    "document, place, told",
    (changed(**{"$defs": without("Cursor_FilterInput", "after")}), "find", "no `after`"),
    (changed(**{"$defs": without("Cursor_FilterInput", "limit")}), "find", "no `limit`"),
    (changed(**{"$defs": without("Slice_Entry", "next")}), "find", "no `next`"),
    (changed(**{"$defs": with_next({"type": ["string", "null"]})}), "find", "no `next`"),
    (changed(**{"$defs": without("Slice_Entry", "items")}), "find", "no list of `items`"),
    (changed(**{"$defs": with_items({"type": "string"})}), "find", "no list of `items`"),
    (changed(routes={"pages": {**PAGES, "pages": True}}), "pages", "no `limit`"),
    (changed(routes={"pages": {**PAGES, "pages": 1}}), "pages", "true or false"),
)
def test_pages_that_nobody_could_turn_are_refused(document: bytes, place: str, told: str) -> None:
    with pytest.raises(DocumentError, match=told) as raised:
        load_contract(document)

    assert raised.value.path == f"$.routes.{place}.pages"


ONE_ITEM = {"items": False, "minItems": 1, "maxItems": 1}
NOT_PAGES: list[dict[str, Any]] = [
    {**EMITTED["$defs"], "Slice_Entry": {**EMITTED["$defs"]["Slice_Entry"], "type": "null"}},
    with_items({"type": "array", "prefixItems": [{"type": "string"}], **ONE_ITEM}),
]


@pytest.mark.parametrize("types", NOT_PAGES)
def test_no_code_is_made_of_pages_without_a_list(types: dict[str, Any]) -> None:
    document = load_contract(changed(**{"$defs": types}))

    with pytest.raises(GenerationError, match="has no list of items") as raised:
        package_of(document)

    assert raised.value.path == "$.routes.find.output"


def test_openapi_marks_the_routes() -> None:
    paths = json.loads(emit_openapi(api))["paths"]

    marked = {path: at["post"].get("x-contract-pages") for path, at in paths.items()}
    assert marked == {"/everything": True, "/find": True, "/of.items": True, "/pages": None}


@rows(
    "old, new, found",
    (True, False, ["breaking: pages_removed"]),
    (False, True, ["compatible: pages_added"]),
    (True, True, []),
)
def test_whom_it_breaks_is_told(old: bool, new: bool, found: list[str]) -> None:
    before, after = (shop(order=replace(ROUTE, pages=pages)) for pages in (old, new))

    assert kinds(diff(before, after)) == found


def test_agents_are_told_how_to_go_on() -> None:
    text = llms(describe(api), contract="contract.json", server="http://a.example").decode()
    [tool] = Client(api).tools()

    told = "read, in pages: send `next` as `after`, with the same filter, until it is null"
    assert f"- `find` ({told}" in text
    assert "with `next` of this answer as `after`" in tool["description"]
    assert tool["inputSchema"]["properties"]["after"]["description"].startswith("`next` of the")


@pytest.mark.parametrize("name", ["everything", "find", "of.items"])
def test_an_example_asks_for_the_first_page(name: str) -> None:
    """The key of another page is signed, so none can be made up."""
    package = package_of(load_contract(emit_contract(api)))

    body = example(package, name)
    assert body is not None
    assert json.loads(body)["after"] is None
    assert Client(MockService(package)).call(name, body=body).status == 200


def test_a_mock_makes_a_few_pages_up_that_end() -> None:
    mock = Client(MockService(package_of(load_contract(emit_contract(api)))))
    keys: list[str | None] = [None]
    found: list[Any] = []
    for _ in range(3):
        page = mock.call("find", {"filter": {}, "limit": 2, "after": keys[-1]}).json
        keys.append(page["next"])
        found.append(page["items"])

    assert [key is None for key in keys] == [True, False, False, True]
    assert all(len(each) <= 2 for each in found)
    assert found[0] != found[1] != found[2]
    again = mock.call("find", {"filter": {}, "limit": 2, "after": keys[1]})
    assert again.json["items"] == found[1]
    assert mock.call("find", {"filter": {}, "after": f"{keys[1]}A"}).error == "VALIDATION_ERROR"
    forced = mock.call("find", {"filter": {}}, headers={"Prefer": "code=REFUSED"})
    assert (forced.status, forced.error) == (409, "REFUSED")
