"""Hostile: a document whose names and texts are chosen to break out of the code that is made of them."""

from __future__ import annotations

import json
from typing import Any, Final

from contract.codegen.typescript.scope import RESERVED
from contract.document.contract_json import load_contract
from contract.document.model import Document

__all__ = ["NAMES", "TEXTS", "hostile"]

TEXTS: Final = (
    "*/ globalThis.hacked = 1; /*",
    "`${globalThis.hacked = 1}`",
    '"; globalThis.hacked = 1; "',
    "'; globalThis.hacked = 1; '",
    "\n globalThis.hacked = 1; \n",
    "\r\u2028\u2029\x85\x0b\x0c globalThis.hacked = 1",
    "\\u002a/ \\",
    "</script><script>globalThis.hacked = 1</script><!-- -->",
    "@ts-ignore @deprecated @ts-expect-error",
    "\u202e\u2066 \u200b\ufeff\u00ad\u0000",
    "// eslint-disable \n# noqa",
    "\ud83d\ude00 e\u0301 \u0430\u0435",
    "",
    " ",
)
_WORDS: Final = """
    constructor __proto__ prototype toString hasOwnProperty then class function new delete get set static await async yield this null true
    undefined arguments eval readonly input options client route getUser get_user GetUser get-user 0 1a -1 1e3 a.b a[0] $settings $record
    #private ok code K s fi
"""
_ODD: Final = ("get user", "\u212a", "\u017f", "\ufb01", "\u00e9", "e\u0301")
NAMES: Final = (*TEXTS, *_WORDS.split(), *_ODD)
"""Of fields, of members, and as values."""

_ROUTES: Final = """
    constructor toString then valueOf toJSON withOptions class function delete new default await eval arguments fetch options input client
    route getUser get_user get.user get-user get.user_ GetUser hasOwnProperty prototype name
"""
_TYPES: Final = """
    Record string number any never object Run Check Success text record map is class interface Headers Error Json Schema order Order Order_
    Function T Dollar Kind
"""
_GLOBALS: Final = """
    AggregateError Array ArrayBuffer ArrayBufferLike ArrayBufferView ArrayLike AsyncGenerator AsyncIterable Atomics BigInt64Array
    Blob BodyInit Boolean CryptoKey DOMException DataView Document Element Event EventTarget Extract File FinalizationRegistry
    Float64Array FormData Generator HeadersInit InstanceType Int8Array Intl Iterable Iterator JSON Location Map Math MessageEvent
    Node NodeJS NonNullable Omit Parameters Partial PerformanceEntry Pick Promise PromiseLike PropertyDescriptor PropertyKey Proxy
    RangeError ReadableStream Readonly ReadonlyArray ReadonlyMap Record Reflect RegExp RegExpExecArray RegExpMatchArray Request
    RequestInfo RequestInit Required Response ReturnType Set SharedArrayBuffer String Symbol SyntaxError TextDecoder TextEncoder
    ThisType TypeError URL URLSearchParams Uint8Array Uppercase WeakMap WeakRef Window atob btoa clearTimeout console crypto
    document eval fetch global isNaN location name navigator origin parent parseInt performance process queueMicrotask require
    self setTimeout status structuredClone top undefined window
"""
"""Names that mean something around the code; of types and routes alike."""

_TEXT: Final = {"type": "string"}


def hostile() -> Document:
    """The document, as it is read from a file."""
    return load_contract(json.dumps(_document()).encode())


def _record(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    record = {"type": "object", "properties": properties, "required": [*properties][::2]}
    return {**record, "additionalProperties": False, **more}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


_ERRORS: Final = {"E": {"status": 499, "description": "\n\n".join(TEXTS), "data_required": False}}


def _output(item: dict[str, Any], index: int) -> dict[str, Any]:
    """Of every third route a stream."""
    return item if index % 3 else {"stream": item, "errors": _ERRORS}


def _document() -> dict[str, Any]:
    everything = "\n\n".join(TEXTS)
    told = {name: {"description": name, "default": name, "examples": [name]} for name in NAMES}
    mapping = {"*/": "#/$defs/Proto", "${x}": "#/$defs/Other"}
    types = sorted({*_TYPES.split(), *_GLOBALS.split(), *RESERVED})
    defs: dict[str, Any] = {
        name: _record({"value": _TEXT}, title=name, description=everything) for name in types
    }
    defs["Names"] = _record({name: {**_TEXT, **each} for name, each in told.items()})
    defs["Values"] = {
        **_TEXT,
        "enum": [*NAMES],
        "x-contract-enum-names": [*NAMES],
        "description": everything,
    }
    defs["Kinds"] = {
        "oneOf": [_ref("Proto"), _ref("Other")],
        "discriminator": {"propertyName": "__proto__", "mapping": mapping},
    }
    defs["Proto"] = _record({"__proto__": {**_TEXT, "const": "*/"}, "a": _TEXT})
    defs["Other"] = _record({"__proto__": {**_TEXT, "const": "${x}"}, "b": _TEXT})
    pattern = {**_TEXT, "pattern": '^[^"`${}*/\\\\]+$'}
    defs["Texts"] = _record({"pattern": pattern, "literal": {**_TEXT, "enum": [*TEXTS]}})
    inputs = [*defs]
    routes = {
        name: {
            "path": name,
            "method": "POST",
            "summary": everything,
            "description": everything,
            "tags": [],
            "auth": "bearer",
            "scope": "public",
            "effect": "read",
            "input": _ref(inputs[index % len(inputs)]),
            "output": _output(_ref(inputs[-1 - index % len(inputs)]), index),
            "errors": _ERRORS,
        }
        for index, name in enumerate(
            dict.fromkeys((*_ROUTES.split(), *_GLOBALS.split(), *sorted(RESERVED)))
        )
    }
    return {
        "contract": "1.0",
        "info": {"title": everything, "version": everything, "description": everything},
        "ui": {"title": "x"},
        "links": {},
        "$defs": defs,
        "errors": {},
        "exports": {name: _ref(name) for name in defs} | {"getUser": _ref("Names")},
        "routes": routes,
    }
