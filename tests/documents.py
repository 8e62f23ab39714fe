"""A document that says everything that a document can say, as JSON, and ways to spoil it."""

from __future__ import annotations

from typing import Any, Final

import orjson

__all__ = ["ABSENT", "Path", "changed", "text", "whole"]

Path = tuple[str | int, ...]

ABSENT: Final = object()


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def _closed(*required: str, **properties: Any) -> dict[str, Any]:
    object_ = {"type": "object", "properties": properties, "required": [*required]}
    return {**object_, "additionalProperties": False}


_TEXT: Final = {"type": "string"}
_TREE: Final = {
    "children": {"type": "array", "items": _ref("Tree"), "uniqueItems": True, "minItems": 0, "maxItems": 9},
    "pair": {"type": "array", "prefixItems": [{"type": "null"}, {}], "items": False, "x-contract-name": "of_two"},
    "weights": {"type": "object", "propertyNames": {"pattern": "^a"}, "additionalProperties": {"type": "number"}},
    "share": {"type": "number", "exclusiveMinimum": 0, "maximum": 1.5, "multipleOf": 0.5, "default": 0.5},
    "raw": {**_TEXT, "contentEncoding": "base64", "if": {"maxLength": 4}, "then": {"pattern": "=$"}},
    "strict": {"allOf": [{"pattern": "a"}, {"pattern": "b"}], "x-other": [{"$ref": 1}]},
    "maybe": {"anyOf": [_ref("Tree"), {"type": "null"}], "default": None},
}  # fmt: skip
_NUMBER: Final = {"pattern": "^[0-9]+$", "minLength": 12, "maxLength": 19}
_CENTS: Final = {"ge": "0", "multiple_of": "0.01"}
_DEFS: Final = {
    "Card": {
        **_closed(
            "kind",
            "number",
            kind={**_TEXT, "const": "card"},
            number={**_TEXT, **_NUMBER, "examples": ["424242424242"]},
            limit={**_TEXT, "x-contract-type": "decimal", "x-contract-bounds": _CENTS},
        ),
        "title": "Card",
        "description": "Paid by card.",
        "deprecated": True,
        "x-contract-order": ["kind", "number", "limit"],
    },
    "Cash": _closed("kind", kind={"const": "cash"}),
    "Payment": {
        "oneOf": [_ref("Card"), _ref("Cash")],
        "discriminator": {"propertyName": "kind", "mapping": {"card": "#/$defs/Card", "cash": "#/$defs/Cash"}},
    },
    "Kind": {**_TEXT, "enum": ["a", "b"], "x-contract-enum-names": ["A", "B"]},
    "Mixed": {"type": ["integer", "boolean"], "enum": [1, True, None, 1.5]},
    "Tree": {
        "type": "object",
        "properties": _TREE,
        "additionalProperties": True,
        "minProperties": 0,
        "maxProperties": 9,
    },
    "SoldOut": {"type": "object", "properties": {"days": {"type": "integer", "minimum": 0}}, "required": ["days"]},
}  # fmt: skip
_NOT_FOUND: Final = {
    "status": 404,
    "description": "There is none.",
    "data": {"type": "object", "properties": {}},
    "data_required": False,
}
_SOLD_OUT: Final = {
    "status": 409, "description": "Gone.", "data": _ref("SoldOut"), "data_required": True,
}  # fmt: skip
_HINTS: Final = dict.fromkeys(("readOnlyHint", "destructiveHint", "idempotentHint"), False)
_WHOLE: Final[dict[str, Any]] = {
    "contract": "1.0",
    "info": {"title": "Shop", "version": "1.0.0", "description": "A *small* shop."},
    "ui": {
        "website": {"url": "https://shop.example", "label": "shop.example"},
        "logo": {"light": "light.png", "dark": "dark.png"},
        "favicon": "light.png",
        "theme": {"accent": "#0b6e99", "fontUrls": ["/inter.css"]},
        "navbarLinks": [{"label": "Hours", "href": "/hours", "external": True}],
        "footer": {"poweredBy": False},
        "notice": {"message": "A demonstration.", "links": [{"label": "More", "href": "/more"}]},
        "sdkInstall": "pip install shop",
        "authHint": "Ask us.",
    },
    "links": {"docs": "docs", "openapi": "openapi.json", "mcp": "mcp"},
    "$defs": _DEFS,
    "errors": {"INTERNAL_ERROR": {"status": 500, "description": "The service failed."}, "NOT_FOUND": _NOT_FOUND},
    "exports": {"Wood": _ref("Tree")},
    "routes": {
        "order": {
            "path": "order",
            "method": "POST",
            "summary": "Order a product",
            "description": "All or nothing.",
            "tags": ["orders", "shop"],
            "auth": "bearer",
            "scope": "public",
            "effect": "write",
            "deprecated": {"since": "2026-01-31", "remove_on": "2027-02-28", "use": "order.v2"},
            "input": _ref("Tree"),
            "output": {"type": "null"},
            "errors": {"SOLD_OUT": _SOLD_OUT, "NOT_FOUND": _NOT_FOUND},
            "mcp": {"name": "order", "title": "Order", "annotations": {**_HINTS, "openWorldHint": True}},
        },
        "order.v2": {
            "path": "order.v2",
            "method": "POST",
            "summary": "Order a product",
            "tags": [],
            "auth": "none",
            "scope": "private",
            "effect": "read",
            "cache": {"max_age": 60, "vary": ["Accept-Language"]},
            "input": {},
            "output": {"type": "object"},
            "errors": {},
        },
    },
}  # fmt: skip


def whole() -> dict[str, Any]:
    """The document; a new one each time."""
    made: dict[str, Any] = orjson.loads(orjson.dumps(_WHOLE))
    return made


def changed(path: Path, value: Any) -> Any:
    """The document with another *value* at *path*, or with none."""
    if not path:
        return value
    document: Any = whole()
    holder = document
    for key in path[:-1]:
        holder = holder[key]
    if value is ABSENT:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return document


def text(document: Any) -> bytes:
    """The document as contract.json is written."""
    return orjson.dumps(
        document, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    )
