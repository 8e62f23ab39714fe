"""A contract of which every name and every text was chosen to break what is generated from it."""

from __future__ import annotations

from typing import Any, Final

from contract.document.contract_json import load_contract
from contract.document.model import Document
from tests.documents import text

__all__ = ["CODES", "FIELDS", "ROUTES", "TEXTS", "TYPES", "hostile"]

FIELDS: Final = (
    *(" ", "1st", "a b", "a-b", "a_b", "a.b", "A_B", "class", "def", "None", "await", "match", "type", "self", "cls", "lambda"),
    *("__init__", "__class__", "__slots__", "__dict__", "__post_init__", "__mangled", "_private", "_", "__"),
    *("constructor", "__proto__", "prototype", "toString", "valueOf", "hasOwnProperty", "then", "toJSON", "ok", "code", "value", "data"),
    *("str", "int", "list", "dict", "object", "date", "datetime", "Decimal", "UUID", "field", "Annotated", "Literal", "Any", "Ok", "UNSET"),
    *("quote\"s", "it's", "back\\slash", "new\nline", "car\rriage", "tab\t", "nul\x00", "*/", "/*", "//", "#", "${x}", "`", "</script>"),
    *("\u202egnp", "zero\u200bwidth", "line\u2028end", "é", "e\u0301", "ﬁ", "fi", "日本", "\u0430", "😀", "x" * 300),
    *("default", "enum", "export", "function", "delete", "new", "this", "arguments", "eval", "undefined", "input", "options", "client"),
)  # fmt: skip
"""
Names of properties: any text at all, but for the empty one, which no field in Python can have on
the wire.
"""

TYPES: Final = (
    *(
        "String",
        "Number",
        "Object",
        "Array",
        "Date",
        "Promise",
        "Record",
        "Result",
        "Response",
        "Error",
        "Uint8Array",
        "Map",
        "Symbol",
    ),
    *(
        "ApiClient",
        "AsyncApiClient",
        "CallError",
        "Ok",
        "Unset",
        "UNSET",
        "schemas",
        "Schema",
        "unwrap",
        "Operation",
        "Decimal",
        "Enum",
    ),
    *(
        "Any",
        "str",
        "int",
        "list",
        "dict",
        "None",
        "True",
        "class",
        "await",
        "type",
        "interface",
        "any",
        "never",
        "unknown",
        "dataclass",
    ),
    *(
        "constructor",
        "prototype",
        "user",
        "USER",
        "globalThis",
        "undefined",
        "NaN",
        "Infinity",
        "eval",
        "arguments",
        "let",
        "yield",
    ),
)
"""Names of types: letters, digits and underscores."""

ROUTES: Final = (
    *(
        "getUser",
        "get_user",
        "get.user",
        "get-user",
        "GETUSER",
        "class",
        "import",
        "delete",
        "constructor",
        "then",
        "toString",
        "prototype",
    ),
    *(
        "close",
        "aclose",
        "with_options",
        "withOptions",
        "schemas",
        "unwrap",
        "ApiClient",
        "call",
        "print",
        "list",
        "str",
        "await",
        "x-",
    ),
    *(
        "options",
        "base_url",
        "baseUrl",
        "client",
        "input",
        "self",
        "fetch",
        "globalThis",
        "Object",
        "Promise",
        "async.",
        "a..b",
        "a_2",
    ),
)
"""Names of routes: letters, digits, underscores, points and hyphens."""

CODES: Final = (
    "OK",
    "CALL_ERROR",
    "UNSET",
    "CONSTRUCTOR",
    "API_CLIENT",
    "STRING",
    "CLASS_",
    "TIMEOUT",
    "JSON",
    "A_B",
    "A__B",
    "ERROR",
)
"""Codes of failures."""

TEXTS: Final = (
    'It ends """ here \\""" and \\N{DASH} \\u0041 \\x \\',
    "*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>",
    "@ts-nocheck\n@ts-ignore\n# type: ignore\n# noqa\n// eslint-disable",
    "\n\nimport os\r\nos.abort()\u2028\u2029\x00\x1b[31m",
    "\u202e gnitirw \u200b\u2066 desrever \u00ad\ufeff",
    "-*- coding: utf-7 -*-",
    "a" * 150 + " " + "b" * 150,
    '"',
    "\\",
    "{@link javascript:alert(1)} @deprecated @internal",
    "%s %(x)s {x} {0.__class__}",
)
"""Texts for people."""


def hostile() -> Document:
    """The contract, through the reader of contracts: all of it is legal there."""
    return load_contract(text(_document()))


def _document() -> dict[str, Any]:
    data = {"$ref": "#/$defs/Everything"}
    errors = {
        code: {"status": 409, "description": _text(index), **_data(index)}
        for index, code in enumerate(CODES)
    }
    defs = {name: _type(index, name) for index, name in enumerate(TYPES)}
    defs |= {
        "Everything": {"description": _text(0), "deprecated": True, **_record(*FIELDS)},
        "Renamed": _renamed(),
        "Names": {
            "type": "string",
            "description": _text(1),
            "enum": [*FIELDS],
            "x-contract-enum-names": [*FIELDS],
        },
        "Values": {
            "enum": [*FIELDS, 0, 1, -(2**63), 2**64 - 1, True],
            "type": ["string", "integer", "boolean"],
        },
        "Same": {
            "type": "string",
            "enum": ["a", "b", "c", "d"],
            "x-contract-enum-names": ["a_b", "a-b", "a b", "A_B"],
        },
        "Tuple": _named_tuple(),
        "Left": _member("left*/"),
        "Right": _member('ri"""ght'),
        "Either": {"oneOf": [{"$ref": "#/$defs/Left"}, {"$ref": "#/$defs/Right"}]},
        "Loop": {
            "anyOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#/$defs/Loop"}}],
            "description": _text(2),
        },
        "InPlace": {
            "type": "object",
            "properties": {name: _record(name) for name in FIELDS[::9]},
            "additionalProperties": False,
            "x-contract-order": [*FIELDS[::9]],
        },
        "Data": _record(
            "error_code", "http_status", "code", "status", "data", "error", "issues", "ok", "value"
        ),
    }
    return {
        "contract": "1.0",
        "info": {"title": _text(0), "version": _text(1), "description": _text(3)},
        "ui": {"sdkInstall": _text(2)},
        "links": {},
        "$defs": defs,
        "errors": {
            "NOT_FOUND": {
                "status": 404,
                "description": _text(5),
                "data": data,
                "data_required": True,
            },
            **errors,
        },
        "exports": {
            name: {"$ref": f"#/$defs/{_other(index)}"}
            for index, name in enumerate((*TYPES, *("get_user", "toString", "exec")))
        },
        "routes": {name: _route(index, name, errors) for index, name in enumerate(ROUTES)},
    }


def _text(index: int) -> str:
    return TEXTS[index % len(TEXTS)]


def _other(index: int) -> str:
    return (*TYPES, "Right", "Names", "Values", "Either", "Loop", "Tuple", "InPlace")[
        (index * 7) % (len(TYPES) + 7)
    ]


def _data(index: int) -> dict[str, Any]:
    return (
        {
            "data": {"$ref": f"#/$defs/{('Data', 'Left')[index % 2]}"},
            "data_required": index % 3 == 0,
        }
        if index % 4
        else {}
    )


def _type(index: int, name: str) -> dict[str, Any]:
    kinds: list[dict[str, Any]] = [
        _record(name, "next", "type"),
        {"type": "string", "enum": [name, "*/"], "x-contract-enum-names": [name, "mro"]},
        {"type": "array", "items": {"$ref": f"#/$defs/{TYPES[(index + 1) % len(TYPES)]}"}},
        {"type": ["string", "integer"], "enum": [name, 1]},
    ]
    return {"title": name, "description": _text(index), **kinds[index % len(kinds)]}


def _record(*names: str) -> dict[str, Any]:
    """A record with fields of *names*, which are described by texts, and have the names of others for their values."""
    kinds: list[dict[str, Any]] = [
        {"type": "string", "default": '"""', "examples": [_text(0)]},
        {
            "type": "array",
            "items": {"type": "string", "pattern": "^[\"'`\\\\]*/$"},
            "default": ["\\", "\n", "${x}"],
        },
        {"type": "string", "const": "*/"},
        {
            "type": "object",
            "additionalProperties": {},
            "default": {"__proto__": {"constructor": 1}, "toString": None},
        },
        {"anyOf": [{"type": "string"}, {"type": "null"}], "default": "\u202e\\"},
        {"$ref": "#/$defs/Names", "default": FIELDS[-1]},
        {
            "type": "object",
            "propertyNames": {"$ref": "#/$defs/Names"},
            "additionalProperties": {"type": "null"},
        },
        {"type": "integer", "minimum": -(2**63), "maximum": 2**63 - 1, "default": -(2**63)},
        {},
    ]
    properties = {
        name: {**kinds[index % len(kinds)], "description": _text(index)}
        for index, name in enumerate(names)
    }
    return {
        "type": "object",
        "properties": properties,
        "required": [name for index, name in enumerate(names) if index % 5 == 0],
        "additionalProperties": False,
        "x-contract-order": [*names],
    }


def _renamed() -> dict[str, Any]:
    """A record whose fields are called otherwise in Python, two of them the same."""
    properties = {
        f"{index}": {"type": "null", "x-contract-name": name}
        for index, name in enumerate((*FIELDS, "a_b", "class_"))
    }
    return {
        "type": "object",
        "properties": properties,
        "required": ["0", "3"],
        "additionalProperties": False,
    }


def _named_tuple() -> dict[str, Any]:
    names = [*dict.fromkeys((*FIELDS, "count", "index", "_asdict", "_replace"))]
    items = [
        {"type": "null", "x-contract-name": name, "description": _text(index), "default": None}
        for index, name in enumerate(names)
    ]
    return {
        "type": "array",
        "prefixItems": items,
        "items": False,
        "minItems": 3,
        "maxItems": len(items),
        "x-contract-type": "namedtuple",
    }


def _member(tag: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            "__proto__": {"const": tag, "type": "string"},
            "then": {"type": "string", "const": '"""'},
        },
        "required": ["__proto__", "then"],
        "additionalProperties": False,
        "description": _text(1),
    }


def _route(index: int, name: str, errors: dict[str, Any]) -> dict[str, Any]:
    inputs: list[dict[str, Any]] = [
        {"$ref": f"#/$defs/{'Renamed' if index else 'Everything'}"}
        if index < 12
        else {"$ref": "#/$defs/Data"},
        {"type": "object", "properties": {}, "additionalProperties": False},
        {"type": "string", "description": _text(0)},
        {"$ref": "#/$defs/Either"},
        _record("self", "input", "options", "client", "timeout", "signal", "body"),
        {"$ref": f"#/$defs/{_other(index)}"},
    ]
    tool = {
        "readOnlyHint": False,
        "destructiveHint": False,
        "idempotentHint": False,
        "openWorldHint": True,
    }
    return {
        "path": name,
        "method": "POST",
        "summary": _text(index),
        "description": _text(index + 1),
        "tags": [_text(index)],
        "auth": ("none", "bearer")[index % 2],
        "scope": "public",
        "effect": ("read", "idempotent", "write", "destructive")[index % 4],
        **({"deprecated": {"use": ROUTES[index - 1]}} if index % 5 == 1 else {}),
        "input": inputs[index % len(inputs)],
        "output": {"$ref": f"#/$defs/{_other(index + 3)}"},
        "errors": {code: error for code, error in errors.items() if (len(code) + index) % 7 == 0},
        "mcp": {"name": f"tool_{index}", "title": _text(index), "annotations": tool},
    }
