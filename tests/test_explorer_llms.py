"""llms.txt: a document in few words, in which no text of its can begin what is not its."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Annotated, Any, Final

import pytest
from annotated_types import Ge, Len, MaxLen, Timezone

from contract import emit_contract
from contract.document import Document
from contract.document.contract_json import dump_contract, load_contract
from contract.document.describe import describe
from contract.explorer import llms
from contract.explorer.llms import fields, literal, term
from contract.shape.own_texts import Email
from contract.shape.reader import shape_of
from contract.shape.schema_lens import reference
from examples.shop.app import shop_api
from examples.shop.store import Store
from tests.documents import text, whole
from tests.golden.specs import CASES
from tests.grouped import api as grouped
from tests.oracle import schema_of
from tests.samples import CITY
from tests.tables import rows

NEW_YEAR: Final = datetime(2026, 1, 1, tzinfo=UTC)


def written(document: Document, contract: str = "../contract.json", server: str = "..") -> str:
    return llms(document, contract=contract, server=server).decode()


def load(document: dict[str, Any]) -> Document:
    return load_contract(text(document))


SMALL = """\
# Shop 1.0.0

> A *small* shop.

Call a route: `POST ../ROUTE` with its input as the body, in JSON (`Content-Type: application/json`). Status 200 carries the output. Every other status carries `{"error": CODE, "data"?: {...}}`.

- Contract, in JSON Schema: ../contract.json
- OpenAPI: ../openapi.json
- MCP: ../mcp
- Token, for routes that say so (`Authorization: Bearer TOKEN`): Ask us.
- Types are written as in TypeScript; `date-time`, `date`, `time`, `timedelta`, `uuid`, `decimal`, `bytes` (base64) and the like are strings of that form. Keys that are not listed are refused.

## Routes

- `order.v2` (read, also GET order.v2?input=JSON, kept 60 s, private): Order a product
  Input: any; output: {[key]: any}

## Routes: orders

- `order` (write, needs a token, MCP tool order, deprecated, use order.v2): Order a product
  All or nothing.
  Input: Tree; output: null; errors: NOT_FOUND, SOLD_OUT

## Types

- `Card`: {kind: "card", number: string (12-19 characters, such as "424242424242"), limit?: decimal (>= 0, multiple of 0.01)}. Paid by card.
- `Kind`: "a" | "b"
- `SoldOut`: {days: integer (>= 0), [key]: any}
- `Tree`: {leaf?: string}
  - leaf: Of the *tree*.

## Errors of routes

- SOLD_OUT (409): Gone. Data: SoldOut

## Errors of any route

- INTERNAL_ERROR (500): The service failed.
- NOT_FOUND (404): There is none. Data?: {[key]: any}
"""


def test_the_whole_of_a_small_document() -> None:
    document = whole()
    defs = document["$defs"]
    tree = closed({"leaf": {"type": "string", "description": "Of the *tree*."}})
    shown = {name: defs[name] for name in ("Kind", "SoldOut", "Card")}
    document["$defs"] = shown | {"Tree": tree}

    assert written(load(document)) == SMALL


def test_what_is_not_there_is_not_told() -> None:
    document = whole()
    names = ("$defs", "errors", "exports", "routes", "ui", "links")
    empty: dict[str, Any] = {name: {} for name in names}
    document |= {**empty, "info": {"title": "A", "version": "1"}}
    lines = written(load(document)).splitlines()

    assert [line for line in lines if line.startswith("#")] == ["# A 1"]
    marked = [line[:15] for line in lines if line.startswith("-")]
    assert marked == ["- Contract, in ", "- Types are wri"]


def test_a_copy_says_where_the_service_is_if_that_is_known() -> None:
    known = written(load(whole()), "contract.json", "https://shop.example/v1/")
    unknown = written(load(whole()), "contract.json", "")

    assert "`POST https://shop.example/v1/ROUTE`" in known
    assert "- MCP: https://shop.example/v1/mcp" in known
    assert "- OpenAPI: openapi.json" in known
    assert "`POST ROUTE`" in unknown
    assert "MCP:" not in unknown


def test_marks_and_descriptions() -> None:
    document = whole()
    order = document["routes"]["order"]
    nothing = {"type": "object", "properties": {}, "additionalProperties": False}
    order |= {"deprecated": {}, "description": order["summary"], "input": nothing}
    lines = written(load(document)).splitlines()
    marks = "write, needs a token, MCP tool order, deprecated"
    at = lines.index(f"- `order` ({marks}): Order a product")

    assert lines[at + 1].startswith("  Input: none; output")


def test_a_failure_between_items_of_a_stream_is_described() -> None:
    document = whole()
    stopped = {"status": 410, "description": "Nobody sells it now."}
    document["routes"]["order"]["output"] = {"stream": {}, "errors": {"STOPPED": stopped}}
    lines = written(load(document)).splitlines()

    assert "- STOPPED (410): Nobody sells it now." in lines


def test_what_is_asked_of_a_caller() -> None:
    document = whole()
    document["routes"]["order"]["requires"] = ["<orders>", "b"]
    document["routes"]["order.v2"]["auth"] = "optional"
    text_ = written(load(document))

    assert r"- `order` (write, needs a token with the scopes \<orders> b, MCP tool" in text_
    assert "- `order.v2` (read, takes a token, also GET order.v2?input=JSON" in text_


def test_the_order_of_a_mapping_does_not_matter(tmp_path: Any) -> None:
    document = load_contract(emit_contract(shop_api(Store(str(tmp_path / "shop.sqlite3")))))
    turned: dict[str, Any] = {
        name: dict(reversed(getattr(document, name).items()))
        for name in ("defs", "errors", "routes", "exports")
    }

    assert written(replace(document, **turned)) == written(document)
    assert len(written(document)) < len(dump_contract(document)) / 3


FORGED = "# Forged"
HOSTILE = [
    FORGED,
    *(f"x{gap}{FORGED}" for gap in ("\n", "\n\n", *"\r\x0b\x0c\x85\u2028\u2029")),
    *(f"{gap}{FORGED}" for gap in ("\n", "  ", "\t", "\ufeff", "\u200b", "\u202e")),
    *("Forged\n======", "Forged\n---", "======", "- # Forged", "> # Forged", "1. # Forged"),
    *("1) # Forged", "* # Forged", "+ # Forged", "```\n# Forged", "~~~\n# Forged"),
    *("<h1>Forged</h1>", "| # Forged |\n| --- |", "[x]: javascript:alert(1)"),
]


def everywhere(hostile: str) -> Document:
    """The document with *hostile* in every place of a text."""

    def put(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: put(part, name) for name, part in value.items()}
        if isinstance(value, list):
            return [put(part, key) for part in value]
        return hostile if isinstance(value, str) and key in TEXTS else value

    document = put(whole())
    document["info"]["version"] = "1.0.0"
    document["routes"]["order"]["tags"] = [hostile]
    document["$defs"]["Kind"]["enum"] = [hostile, "b"]
    told = dict.fromkeys(("default", "description", "pattern"), hostile)
    document["$defs"]["Card"]["properties"][hostile] = {"type": "string", **told}
    document["$defs"]["Card"]["x-contract-order"] = ["kind", "number", "limit", hostile]
    loaded: Document = load_contract(json.dumps(document).encode())
    return loaded


TEXTS = frozenset({"title", "version", "description", "summary", "authHint", "label", "message"})


@pytest.mark.unwatched
@pytest.mark.parametrize("hostile", HOSTILE)
def test_no_text_begins_a_line_a_heading_or_a_tag(hostile: str) -> None:
    lines, expected = (written(everywhere(each)).splitlines() for each in (hostile, "innocent"))

    assert len(lines) == len(expected)
    for line, innocent in zip(lines, expected, strict=True):
        mark = BEGINNING.match(innocent)
        assert mark is not None
        assert line.startswith(mark[0])
        assert not BLOCK.match(line[mark.end() :])
        assert not re.search(r"(?<!\\)<(?!=? )", line)


BEGINNING = re.compile(r"(?:  )?(?:#+ |[->] )?")
"""What our own lines begin with."""

BLOCK = re.compile(r"#|>|[-+*=] ?[-+*=]|[-+*] |\d+[.)] |```|~~~|\||\[|\s")
"""What would begin a block behind it."""


@pytest.mark.parametrize(
    ("first", "escaped"),
    [("# Head", r"\# Head"), ("1. First", r"1\. First"), ("- one", r"\- one")],
)
def test_the_first_mark_of_a_text_is_escaped(first: str, escaped: str) -> None:
    document = whole()
    document["routes"]["order"]["description"] = first

    assert f"\n  {escaped}\n" in written(load(document))


def test_a_text_may_begin_with_code() -> None:
    document = whole()
    document["routes"]["order"]["description"] = "`id` names it, `~` does not."

    assert "\n  `id` names it, `~` does not.\n" in written(load(document))


I64 = {"minimum": -(2**63), "maximum": 2**63 - 1}
STRING, NULL = {"type": "string"}, {"type": "null"}
CENTS = {"ge": "0", "lt": 10, "multiple_of": "0.01"}
DECIMAL = {**STRING, "pattern": "^x", "x-contract-type": "decimal", "x-contract-bounds": CENTS}
LATE = {**STRING, "format": "date", "x-contract-bounds": {"ge": "a\nb"}}
BY_KIND = {"discriminator": {"propertyName": "kind", "mapping": {}}, "type": "object"}
ORDERED = {"b": {"default": [1]}, "a-b": {}}
ODD: dict[str, Any] = {"a\n# b": {}, "ü": {}}


def array(**more: Any) -> dict[str, Any]:
    return {"type": "array", **more}


def closed(properties: Any, rest: Any = False, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": rest, **more}


def map_of(values: Any, **more: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": values, **more}


SCHEMAS: list[tuple[dict[str, Any], str]] = [
    ({}, "any"),
    ({"$ref": "#/$defs/Order", "description": "x"}, "Order"),
    (NULL, "null"),
    ({"type": "boolean"}, "boolean"),
    ({**STRING, "const": "card"}, '"card"'),
    ({"enum": ["a", 1, None, True]}, '"a" | 1 | null | true'),
    (STRING, "string"),
    ({**STRING, "minLength": 1}, "string (at least 1 character)"),
    ({**STRING, "maxLength": 80}, "string (at most 80 characters)"),
    ({**STRING, "minLength": 1, "maxLength": 80}, "string (1-80 characters)"),
    ({**STRING, "minLength": 3, "maxLength": 3, "pattern": "^a"}, "string (3 characters, its form is in the contract)"),
    ({**STRING, "minLength": 1, "maxLength": 1}, "string (1 character)"),
    ({**STRING, "pattern": "^a", "examples": ["a`"]}, r'string (such as "a\u0060")'),
    ({**STRING, "format": "date-time", "pattern": "^x"}, "date-time"),
    (DECIMAL, "decimal (>= 0, < 10, multiple of 0.01)"),
    ({**STRING, "format": "x\n# y"}, r'"x\n# y"'),
    (LATE, r'date (>= "a\nb")'),
    ({"type": "integer", **I64, "format": "int64"}, "integer"),
    ({"type": "integer", **I64, "minimum": 1, "multipleOf": 5}, "integer (>= 1, multiple of 5)"),
    ({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1.5}, "number (> 0, < 1.5)"),
    ({"type": ["integer", "null"]}, "integer | null"),
    ({"anyOf": [STRING, NULL]}, "string | null"),
    ({"anyOf": [STRING, STRING]}, "string"),
    ({"oneOf": [reference("A"), reference("B")], **BY_KIND}, "A | B (kind is required)"),
    (array(), "any[]"),
    (array(items=STRING, uniqueItems=True), "string[] (no two equal)"),
    (array(items=STRING, minItems=1), "string[] (at least 1 item)"),
    (array(items={"type": ["string", "null"]}), "(string | null)[]"),
    (array(prefixItems=[STRING, {}], items=False), "[string, any]"),
    ({"type": "object"}, "{[key]: any}"),
    (closed({}), "{}"),
    (map_of(STRING, maxProperties=9), "{[key]: string} (at most 9 keys)"),
    (
        {
            "type": "object",
            "properties": ORDERED,
            "required": ["a-b"],
            "x-contract-order": ["b", "gone"],
        },
        "{b?: any = [1], a-b: any, [key]: any}",
    ),
    (closed(ODD), r'{"a\n# b"?: any, "ü"?: any}'),
    (closed({"a": {}}, NULL), "{a?: any, [key]: null}"),
    (map_of(NULL, propertyNames={**STRING, "enum": ["a", "b"]}), '{[key: "a" | "b"]: null}'),
    ({"type": "object", "propertyNames": True}, "{[key: any]: any}"),
    ({**STRING, "format": "date-time", "allOf": [{"pattern": "x"}, True]}, "date-time"),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "written"), SCHEMAS)
def test_a_schema_is_written_like_a_type(schema: dict[str, Any], written: str) -> None:
    assert term(schema) == written


@rows(
    "annotation, written",
    (Annotated[bytes, Len(2, 4)], "bytes (2-4 bytes)"),
    (Annotated[bytes, Len(1, 1)], "bytes (1 byte)"),
    (bytes, "bytes"),
    (Annotated[datetime, Timezone("UTC")], "date-time (with the offset +00:00)"),
    (Annotated[datetime, Timezone(CITY)], "date-time (with the offset +05:30)"),
    (
        Annotated[datetime, Timezone(timezone(-timedelta(hours=3))), Ge(NEW_YEAR)],
        "date-time (>= 2026-01-01T00:00:00+00:00, with the offset -03:00)",
    ),
    (datetime, "date-time"),
    (Annotated[set[int], MaxLen(3)], "integer[] (at most 3 items, no two equal)"),
    (Annotated[dict[int, str], MaxLen(9)], "{[key: int]: string} (at most 9 keys)"),
    (dict[str, int], "{[key]: integer}"),
    (dict[date, int], "{[key: date]: integer}"),
    (Annotated[Email, MaxLen(40)], "email (at most 40 characters)"),
)
def test_what_limits_a_type_is_told(annotation: Any, written: str) -> None:
    assert term(schema_of(shape_of(annotation), "input")) == written


def test_a_description_of_everything_is_short() -> None:
    assert term({"enum": [*range(100)]}).endswith("38 | 39 | ...")
    assert literal("a" * 1000) == '"' + "a" * 199 + "..."


def test_deep_types_are_cut_short() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(150):
        schema = {"type": "array", "items": schema}

    assert term(schema) == "..." + "[]" * 9


@pytest.mark.parametrize("odd", "\x7f\x85\u2028\u2029\u202e\u2066`\ud800\n\r\x0b\x1c")
def test_a_literal_stays_on_its_line(odd: str) -> None:
    written = literal({odd: odd})

    assert odd not in written
    assert len(written.splitlines()) == 1
    assert written.isascii()


def test_fields_stand_in_the_order_of_their_declaration() -> None:
    named = {"a": {"x": 1}, "b": {}, "c d": {}}
    schema = {"type": "object", "properties": named, "x-contract-order": ["b", "a"]}

    assert fields(schema) == [("b", {}), ("a", {"x": 1}), ('"c d"', {})]
    assert fields({"type": "string"}) == []


def test_routes_stand_under_their_group() -> None:
    text = written(describe(grouped))

    assert re.findall("(?m)^## (Routes|Group): (.+)$", text) == [
        ("Group", "close.property"),
        ("Routes", "flat"),
        ("Group", "import"),
        ("Group", "orders"),
        ("Group", "orders.items"),
        ("Group", "partners"),
    ]
    assert "deprecated, use orders.items.class" in text


def test_generic_types_are_written_with_their_arguments() -> None:
    document = CASES["generics"]()
    shown = written(document)

    assert "- `Page[Pair[Color, Page[Point]]]`: {items: Pair[Color, Page[Point]][]" in shown
    assert "output: Page[Pair[Color, Page[Point]]]" in shown
    assert "Page_" not in shown


def test_a_document_whose_types_are_made_of_each_other_has_an_end() -> None:
    document = CASES["generics"]()
    names = sorted(document.defs)
    circle = {}
    for name, after in zip(names, [*names[1:], names[0]], strict=True):
        told = {"name": "Round", "arguments": [reference(after)] * 9}
        circle[name] = {**document.defs[name], "x-contract-generic": told}
    lines = written(replace(document, defs=circle)).splitlines()

    assert [line for line in lines if line.startswith("- `Round[Round[Round[")]
    assert all(len(line) < 5_000 for line in lines)
