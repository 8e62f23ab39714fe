"""
Hostile: a document whose names and texts are chosen to break out of the code that is made of them.
"""

from __future__ import annotations

import json
from typing import Any, Final

from contract.codegen.typescript.runtime import names_of
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
NAMES: Final = (
    *TEXTS,
    *_WORDS.split(),
    "get user",
    "\u212a",
    "\u017f",
    "\ufb01",
    "\u00e9",
    "e\u0301",
)
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
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties][::2],
        "additionalProperties": False,
        **more,
    }


_ERRORS: Final = {"E": {"status": 499, "description": "\n\n".join(TEXTS), "data_required": False}}


def _output(item: dict[str, Any], index: int) -> dict[str, Any]:
    """Of every third route a stream."""
    return item if index % 3 else {"stream": item, "errors": _ERRORS}


def _document() -> dict[str, Any]:
    everything = "\n\n".join(TEXTS)
    defs: dict[str, Any] = {
        name: _record({"value": _TEXT}, title=name, description=everything)
        for name in sorted({*_TYPES.split(), *_GLOBALS.split(), *RESERVED, *names_of("streams")})
    }
    defs["Names"] = _record(
        {
            name: {**_TEXT, "description": name, "default": name, "examples": [name]}
            for name in NAMES
        }
    )
    defs["Values"] = {
        "type": "string",
        "enum": [*NAMES],
        "x-contract-enum-names": [*NAMES],
        "description": everything,
    }
    defs["Kinds"] = {"oneOf": [{"$ref": "#/$defs/Proto"}, {"$ref": "#/$defs/Other"}]}
    defs["Kinds"]["discriminator"] = {
        "propertyName": "__proto__",
        "mapping": {"*/": "#/$defs/Proto", "${x}": "#/$defs/Other"},
    }
    defs["Proto"] = _record({"__proto__": {"type": "string", "const": "*/"}, "a": _TEXT})
    defs["Other"] = _record({"__proto__": {"type": "string", "const": "${x}"}, "b": _TEXT})
    defs["Texts"] = _record(
        {
            "pattern": {"type": "string", "pattern": '^[^"`${}*/\\\\]+$'},
            "literal": {"type": "string", "enum": [*TEXTS]},
        }
    )
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
            "input": {"$ref": f"#/$defs/{inputs[index % len(inputs)]}"},
            "output": _output({"$ref": f"#/$defs/{inputs[-1 - index % len(inputs)]}"}, index),
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
        "exports": {name: {"$ref": f"#/$defs/{name}"} for name in defs}
        | {"getUser": {"$ref": "#/$defs/Names"}},
        "routes": routes,
    }
