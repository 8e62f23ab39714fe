"""
Hooks of schemathesis: what the contract does on purpose, and an OpenAPI document cannot say.

What is drawn as valid is kept within the limits that JSON Schema has no words for: the differences
"limits of texts" and "values that Python has not" of `tests.schema_differences.EXCEPTIONS`.
The limits of decimals and moments stand in ``x-contract-bounds``, and there is no year 0000. They
are read from the document that is fuzzed, and from nothing else. The key of a page is signed by the
server that gave it, so each call asks for the first page.

A route without input is documented as the empty object, and takes ``null`` for it, too; to say so
is the only failure that is dropped.
"""

from __future__ import annotations

import json
import os
from decimal import Decimal, localcontext
from pathlib import Path
from typing import Any

# it lives beside the project's own environment
import schemathesis  # type: ignore[import-not-found]
from schemathesis.core.failures import AcceptedNegativeData  # type: ignore[import-not-found]

_DOCUMENT: Any = json.loads(Path(os.environ["OPENAPI_DOCUMENT"]).read_bytes())
_KEYS = [
    scheme["name"]
    for scheme in _DOCUMENT["components"].get("securitySchemes", {}).values()
    if scheme["type"] == "apiKey" and scheme["in"] == "header"
]
"""The headers of keys. A token goes with every call, and a call has one credential."""


def map_case(_context: Any, case: Any) -> Any:
    """*case*, valid by what the document says beside its schemas, too."""
    if case.meta.generation.mode.is_positive and case.media_type == "application/json":
        fitting = _fitting(_schema(case), case.body)
        if fitting != case.body:
            case.body = fitting
    if case.meta.generation.mode.is_positive and case.media_type == "multipart/form-data":
        case.body = _filled(_schema(case), case.body)
    for name in _KEYS:
        case.headers.pop(name, None)
    if case.meta.generation.mode.is_positive and case.method == "GET":
        given = case.query.get("input")
        if isinstance(given, str):  # the JSON of it
            case.query["input"] = json.dumps(_fitting(_schema(case), json.loads(given)))
        elif given is not None:
            case.query["input"] = _fitting(_schema(case), given)
    return case


def filter_failure(_context: Any, failure: Any, case: Any, _response: Any) -> bool:
    """Whether *failure* is one."""
    return not (
        isinstance(failure, AcceptedNegativeData)
        and case.body is None
        and not _schema(case).get("properties", True)
    )


def _schema(case: Any) -> Any:
    [body] = _DOCUMENT["paths"][case.path]["post"]["requestBody"]["content"].values()
    return body["schema"]


def _filled(schema: Any, form: Any) -> Any:
    """*form* with bytes for its files: any JSON is drawn for them, and for some of it no part is sent."""
    files = [name for name, each in schema["properties"].items() if "x-contract-max-bytes" in each]
    drawn = str(form.get("input"))
    start = b"\x89PNG\r\n\x1a\n" if sum(map(ord, drawn)) % 2 else b""
    fitting = _fitting(schema, {name: each for name, each in form.items() if name not in files})
    return fitting | {name: start + drawn.encode() for name in files if name in form}


def _fitting(schema: Any, value: Any) -> Any:
    """*value* with every text in its limits."""
    if "$ref" in schema:
        return _fitting(
            _DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]], value
        )
    if schema.get("x-contract-type") == "page-key":
        return None  # a server makes keys, and signs them
    for branch in schema.get("anyOf", []) + schema.get("oneOf", []):
        value = _fitting(branch, value)
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        return {key: _fitting(properties.get(key, {}), member) for key, member in value.items()}
    if isinstance(value, list):
        return [_fitting(schema.get("items", {}), item) for item in value]
    if isinstance(value, str) and "examples" in schema and sum(map(ord, value)) % 2:
        # what is drawn names nothing that exists; every other time, let the call get further
        return schema["examples"][0]
    if isinstance(value, str) and "x-contract-bounds" in schema:
        return (
            _decimal(schema["x-contract-bounds"], value)
            if "format" not in schema
            else _moment(schema["x-contract-bounds"], value)
        )
    return value


def _decimal(bounds: dict[str, str], value: str) -> str:
    low, high, step = (
        Decimal(bounds.get(name, default))
        for name, default in (("ge", "0"), ("le", "1E9"), ("multiple_of", "0.01"))
    )
    with localcontext(prec=400):
        steps = int(Decimal(value).copy_abs().scaleb(-max(0, Decimal(value).adjusted() - 9)) / step)
        found = low + steps * step % (high - low)
    return value if low <= Decimal(value) <= high and not Decimal(value) % step else f"{found:f}"


def _moment(bounds: dict[str, str], value: str) -> str:
    """The year alone is moved, to one that is a leap year if the year was, and in which no offset leads out of the limits."""
    low, high = (
        int(bounds.get(name, default)[:4]) for name, default in (("ge", "0001"), ("lt", "9999"))
    )
    year = int(value[:4])
    return (
        value
        if low < year < high - 1
        else f"{low // 4 * 4 + 4 + year % ((high - low) // 4 * 4 - 8):04}{value[4:]}"
    )


schemathesis.hook(map_case)
schemathesis.hook(filter_failure)
