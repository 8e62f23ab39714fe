"""
Texts: what a model reads of a call that was refused.

A model mends its own call when it is told everything at once: where, what is expected there, what
came, and what would do. The value itself is never repeated: the model knows it, and others may read
along.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import orjson

from contract.shape.json_text import kind_of

__all__ = ["invalid_arguments"]

_MISSING: Final = object()
_UNKNOWN: Final[Mapping[str, Any]] = MappingProxyType({})
_SIMPLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_MAX_LENGTH: Final = 6_000
"""
Characters of all lines: a model has to read them, and a path may be as long as who calls likes.
"""
_MAX_KNOWN: Final = 40
"""Keys that are listed where one is not known."""


def invalid_arguments(
    tool: str, data: Mapping[str, Any], arguments: Any, schema: Mapping[str, Any]
) -> str:
    """
    What is wrong with *arguments*.

    Args:
        tool: The name of the tool.
        data: Of a VALIDATION_ERROR.
        arguments: What came.
        schema: The schema of the tool's input.
    """
    lines = [
        f"The arguments of {tool} are not valid, and nothing was done. Mend all of this, and call it again:"
    ]
    room = _MAX_LENGTH
    for issue in data["issues"]:
        line = f"- {_line(issue, arguments, schema)}"
        room -= len(line)
        if room < 0:
            break
        lines.append(line)
    if room < 0 or data.get("truncated"):
        lines.append("There is more that is wrong than is listed here.")
    return "\n".join(lines)


def _line(issue: Mapping[str, Any], arguments: Any, schema: Mapping[str, Any]) -> str:
    path: Sequence[str | int] = issue["path"]
    code: str = issue["code"]
    said = [f"{_place(path)}: {issue['message']}"]
    if code == "missing":
        expected = _expected(_schema_at(path, schema, arguments))
        said += [f"Expected: {expected}."] if expected else []
    elif code == "unknown_key":
        known = [*_schema_at(path[:-1], schema, arguments).get("properties", ())]
        if known:
            named = [*known[:_MAX_KNOWN], "..."] if len(known) > _MAX_KNOWN else known
            said.append(f"Known keys: {', '.join(named)}.")
    else:
        came = _at(path, arguments)
        if came is not _MISSING:
            said.append(f"{_described(came, code)} came.")
        allowed: list[Any] | None = issue.get("params", {}).get("allowed")
        if allowed:
            said.append(f"Allowed: {_listed(allowed)}.")
    return " ".join(said)


def _place(path: Sequence[str | int]) -> str:
    """A path as programs write it: ``lines[0].quantity``."""
    parts = [
        f".{part}" if isinstance(part, str) and _SIMPLE.fullmatch(part) else f"[{_json(part)}]"
        for part in path
    ]
    return "".join(parts).removeprefix(".") or "(the arguments)"


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()


def _listed(values: Sequence[Any]) -> str:
    return ", ".join(map(_json, values))


def _at(path: Sequence[str | int], value: Any) -> Any:
    """What stands at *path*, or that it cannot be told."""
    for part in path:
        kind = kind_of(value)
        if (kind is dict and part in value) or (
            kind is list and isinstance(part, int) and 0 <= part < len(value)
        ):
            value = value[part]
        else:
            return _MISSING
    return value


def _described(value: Any, code: str) -> str:
    """The JSON type of *value*, with its size where that is what is wrong."""
    name, counted, sized = _KINDS[kind_of(value)]
    return f"{name} of {len(value)} {counted}" if code in sized else name


_KINDS: Final[Mapping[type[Any], tuple[str, str, tuple[str, ...]]]] = {
    type(None): ("null", "", ()),
    bool: ("A boolean", "", ()),
    int: ("An integer", "", ()),
    float: ("A number", "", ()),
    str: ("A string", "characters", ("string_too_short", "string_too_long")),
    list: ("An array", "items", ("too_few_items", "too_many_items")),
    dict: ("An object", "keys", ("too_few_keys", "too_many_keys")),
}
"""
The parser's types: what they are called, what is in them, and the issues that are about how many.
"""


def _schema_at(
    path: Sequence[str | int], schema: Mapping[str, Any], value: Any
) -> Mapping[str, Any]:
    """The schema of what stands at *path* in *value*; an empty one where it cannot be told."""
    defs: Mapping[str, Any] = schema.get("$defs", {})
    found = _resolved(schema, defs, value)
    for part in path:
        inner: Any = None
        if isinstance(part, str):
            properties: Mapping[str, Any] = found.get("properties", {})
            inner = properties.get(part, found.get("additionalProperties"))
        elif "prefixItems" not in found:
            inner = found.get("items")
        value = _at((part,), value)
        found = _resolved(inner, defs, value) if kind_of(inner) is dict else _UNKNOWN
    return found


def _resolved(schema: Mapping[str, Any], defs: Mapping[str, Any], value: Any) -> Mapping[str, Any]:
    """The schema behind references, behind what may be null as well, and of a union the member that *value* is meant to be."""
    while True:
        members = [member for member in schema.get("anyOf", ()) if member != {"type": "null"}]
        if "$ref" in schema:
            schema = defs[schema["$ref"].removeprefix("#/$defs/")]
            continue
        if len(members) > 1:
            tags = schema.get("properties", {})  # beside the members: what tells them apart
            members = [
                member for member in members if _may_be(value, _resolved(member, defs, value), tags)
            ]
        if len(members) != 1:
            return schema
        schema = members[0]


def _may_be(value: Any, member: Mapping[str, Any], tags: Collection[str]) -> bool:
    """
    Whether *value* is meant to be that *member* of a union: by its type, and by the *tags* in it.
    """
    kind = kind_of(value)
    if member.get("type") not in _TYPES.get(kind, ()):
        return False
    fields: Mapping[str, Any] = member.get("properties", {})
    return kind is not dict or all(
        tag in value and value[tag] in fields.get(tag, {}).get("enum", ()) for tag in tags
    )


_TYPES: Final[Mapping[type[Any], tuple[str, ...]]] = {
    bool: ("boolean",),
    int: ("integer", "number"),
    float: ("number",),
    str: ("string",),
    list: ("array",),
    dict: ("object",),
}
"""The parser's types -> what a schema calls them; null is told apart before."""


def _expected(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return f"one of {_listed(schema['enum'])}"
    kind = schema.get("type", "")
    article = "an" if kind[:1] in ("a", "i", "o") else "a"
    text = f"{article} {kind}" if kind else ""
    return f"{text} in the format {schema['format']}" if "format" in schema else text
