"""
Terms: a schema in a few words, written like a type of TypeScript, with its limits behind it.

It is for readers, not for machines: what is very long or nested very deep is cut short, and the
contract itself has the rest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from contract.shape.json_text import JsonSchema
from contract.shape.quoting import cut

__all__ = ["fields", "literal", "term"]

_DEPTH: Final = 8
"""Levels of a type that are written in place."""

_CHOICES: Final = 40
"""Values of an enum that are written."""

_LONG: Final = 200
"""Characters of one value."""

_I64: Final = (-(2**63), 2**63 - 1)
"""The limits of every integer."""

_NAME: Final = re.compile(r"[A-Za-z_$][\w$-]{0,63}", re.ASCII)
# what begins code or a tag in Markdown, ends of lines that JSON lets stand in a string, and
# characters that turn the direction of a text
_ODD: Final = re.compile(r"[`<\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def literal(value: Any) -> str:
    """*value* in JSON, on one line, cut short where it is long."""
    text = cut(json.dumps(value, ensure_ascii=False, separators=(",", ":")), _LONG)
    return _ODD.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def term(schema: JsonSchema, depth: int = 0) -> str:
    """The type that *schema* describes."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return literal(schema["const"])
    if "enum" in schema:
        return _union(
            [literal(value) for value in schema["enum"][:_CHOICES]]
            + ["..."] * (len(schema["enum"]) > _CHOICES)
        )
    if depth > _DEPTH:
        return "..."
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            tag = schema.get("discriminator")
            told = "" if tag is None else f" ({_key(tag['propertyName'])} is required)"
            return _union(term(each, depth + 1) for each in schema[keyword]) + told
    kinds = schema.get("type", "any")
    return _union(
        _one(kind, schema, depth) for kind in ([kinds] if isinstance(kinds, str) else kinds)
    )


def fields(schema: JsonSchema) -> list[tuple[str, JsonSchema]]:
    """The properties of *schema* in the order of their declaration: key and schema of each."""
    return [(_key(name), schema["properties"][name]) for name in _ordered(schema)]


def _ordered(schema: JsonSchema) -> list[str]:
    properties: Mapping[str, Any] = schema.get("properties", {})
    order = [name for name in schema.get("x-contract-order", ()) if name in properties]
    return [*dict.fromkeys([*order, *sorted(properties)])]


def _key(name: str) -> str:
    return name if _NAME.fullmatch(name) else literal(name)


def _union(parts: Iterable[str]) -> str:
    return " | ".join(dict.fromkeys(parts))


def _one(kind: str, schema: JsonSchema, depth: int) -> str:
    match kind:
        case "object":
            return _object(schema, depth) + _count(schema, kind)
        case "array":
            return _array(schema, depth) + _count(schema, kind)
        case "string":
            return _string(schema)
        case "integer" | "number":
            return kind + _limits(schema, _BOUNDS)
        case _:
            return kind


def _object(schema: JsonSchema, depth: int) -> str:
    required = schema.get("required", ())
    members: list[str] = []
    for name in _ordered(schema):
        part = schema["properties"][name]
        default = f" = {literal(part['default'])}" if "default" in part else ""
        members.append(
            f"{_key(name)}{'' if name in required else '?'}: {term(part, depth + 1)}{default}"
        )
    more = schema.get("additionalProperties", True)
    if more is not False and (more or not members):
        members.append(f"[key]: {'any' if more is True else term(more, depth + 1)}")
    return f"{{{', '.join(members)}}}"


def _array(schema: JsonSchema, depth: int) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(term(each, depth + 1) for each in schema['prefixItems'])}]"
    item = schema.get("items", True)
    inner = "any" if isinstance(item, bool) else term(item, depth + 1)
    return f"({inner})[]" if " " in inner else f"{inner}[]"


def _string(schema: JsonSchema) -> str:
    kind = schema.get("x-contract-type", schema.get("format"))
    limits = _limits(schema.get("x-contract-bounds", {}), _TEXT_BOUNDS)
    if isinstance(kind, str):  # it says what the pattern does
        return _key(kind) + limits
    return "string" + _count(schema, "string", _such(schema) if "pattern" in schema else [])


def _such(schema: JsonSchema) -> list[str]:
    """In place of a pattern, which nobody reads, a text that matches, where there is one."""
    examples = schema.get("examples", [])
    return [f"such as {literal(examples[0])}"] if examples else ["its form is in the contract"]


_BOUNDS: Final = {
    "minimum": ">= {}",
    "exclusiveMinimum": "> {}",
    "maximum": "<= {}",
    "exclusiveMaximum": "< {}",
    "multipleOf": "multiple of {}",
}
_TEXT_BOUNDS: Final = {
    "ge": ">= {}",
    "gt": "> {}",
    "le": "<= {}",
    "lt": "< {}",
    "multiple_of": "multiple of {}",
}
_COUNTS: Final = {
    "string": ("Length", "character"),
    "array": ("Items", "item"),
    "object": ("Properties", "key"),
}


def _limits(schema: JsonSchema, words: Mapping[str, str]) -> str:
    return _behind(
        [
            text.format(_plain(schema[name]))
            for name, text in words.items()
            if name in schema and schema[name] not in _I64
        ]
    )


def _count(schema: JsonSchema, kind: str, more: Iterable[str] = ()) -> str:
    keyword, noun = _COUNTS[kind]
    least, most = schema.get(f"min{keyword}"), schema.get(f"max{keyword}")
    if least is None and most is None:
        return _behind([], more)
    if least is None or most is None:
        span = f"at most {most}" if least is None else f"at least {least}"
    else:
        span = f"{most}" if least == most else f"{least}-{most}"
    last = least if most is None else most
    return _behind([f"{span} {noun}" if last == 1 else f"{span} {noun}s"], more)


def _behind(told: list[str], more: Iterable[str] = ()) -> str:
    told = [*told, *more]
    return f" ({', '.join(told)})" if told else ""


def _plain(limit: object) -> str:
    return limit if isinstance(limit, str) and _LIMIT.fullmatch(limit) else literal(limit)


_LIMIT: Final = re.compile(r"[0-9A-Za-z:.+-]{1,64}")
