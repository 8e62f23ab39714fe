"""
Schema lens: questions about a schema, for all modules that read schemas.

They are about references and the types that they name, the keywords that hold other schemas, the
order of fields, the keywords that limit values, JSON types, and the lengths of bytes. Nothing here
is recursive, so a deep schema cannot overflow the stack.

The functions for references and schemas in schemas need checked documents; the others take any
schema.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from contract.shape.json_text import JsonSchema, is_object

__all__ = [
    "BY_NAME",
    "DEFINITIONS",
    "JSON_TYPES",
    "NOTES",
    "as_schema",
    "constraints",
    "enumerated",
    "followed",
    "inside",
    "key_of",
    "lengths_of_bytes",
    "mapping",
    "names_in",
    "order_of",
    "reference",
    "schemas_in",
    "sequence",
    "target",
    "text_in",
    "type_of",
    "types_of",
]

# References.

DEFINITIONS: Final = "#/$defs/"
"""The beginning of every reference; the name of a type follows."""


def reference(name: str) -> dict[str, Any]:
    """A reference to the type *name*."""
    return {"$ref": f"{DEFINITIONS}{name}"}


def target(schema: JsonSchema) -> str:
    """The name of the type that *schema*, a reference, refers to."""
    found: str = schema["$ref"]
    return found.removeprefix(DEFINITIONS)


def followed(schema: JsonSchema, types: Mapping[str, JsonSchema]) -> JsonSchema:
    """
    The schema to which *schema*'s references lead in the end.

    The document must have been checked: every reference leads to one of *types*, and none to
    itself.
    """
    while "$ref" in schema:
        schema = types[target(schema)]
    return schema


# Schemas in schemas. All other keywords hold data, in which "$ref" is an ordinary key.

_ONE: Final = frozenset(
    {"additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then"}
)
_SEVERAL: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})

BY_NAME: Final = frozenset({"$defs", "dependentSchemas", "patternProperties", "properties"})
"""Keywords whose objects hold schemas; the keys of these objects are not keywords."""


def inside(keyword: str, value: Any, change: Callable[[Any], Any]) -> Any:
    """
    *value* with *change* applied to each schema directly in it.

    Args:
        keyword: The keyword of *value*; most of them hold no schemas.
        value: Returned as it is if it contains no schemas.
        change: Takes each schema, which may be written as true or false.
    """
    if keyword in _ONE:
        return change(value)
    if keyword in _SEVERAL:
        return [change(each) for each in value]
    if keyword in BY_NAME:
        return {name: change(each) for name, each in value.items()}
    return value


def schemas_in(schema: Any) -> Iterator[JsonSchema]:
    """*schema* and all schemas in it, except those that are written as true or false."""
    ahead: list[Any] = [schema]
    while ahead:
        each = ahead.pop()
        if is_object(each):
            yield each
            parts: list[Any] = []
            for keyword, value in each.items():
                inside(keyword, value, parts.append)
            ahead += reversed(parts)


# Fields.


def order_of(schema: JsonSchema) -> list[str]:
    """The properties of *schema*, in the order in which they were declared."""
    properties = mapping(schema.get("properties"))
    ordered = [
        name
        for name in sequence(schema.get("x-contract-order"))
        if isinstance(name, str) and name in properties
    ]
    return [*dict.fromkeys([*ordered, *sorted(properties)])]


# Keywords and their values.

NOTES: Final = frozenset(
    {
        "$comment",
        "contentEncoding",
        "default",
        "deprecated",
        "description",
        "discriminator",
        "examples",
        "title",
        "x-contract-enum-names",
        "x-contract-generic",
        "x-contract-name",
        "x-contract-order",
    }
)
"""Keywords that do not limit values."""


def constraints(schema: JsonSchema) -> frozenset[str]:
    """The keywords of *schema* that limit values."""
    return frozenset(schema.keys() - NOTES)


def as_schema(value: object) -> JsonSchema:
    """A schema as an object, even if it is written as true or false."""
    if is_object(value):
        return value
    return {"enum": []} if value is False else {}


def mapping(value: object) -> Mapping[str, Any]:
    """*value*, or nothing if it is not an object."""
    return value if is_object(value) else {}


def text_in(schema: JsonSchema, keyword: str) -> str | None:
    """The value of *keyword*, if that is a text."""
    value = schema.get(keyword)
    return value if isinstance(value, str) and value else None


def sequence(value: object) -> Sequence[Any]:
    """*value*, or nothing if it is not an array."""
    return cast("Sequence[Any]", value) if isinstance(value, list | tuple) else ()


def names_in(value: object) -> frozenset[str]:
    """The texts in a list, such as ``required``."""
    return frozenset(name for name in sequence(value) if isinstance(name, str))


# Types and values of JSON.

JSON_TYPES: Final = ("null", "boolean", "integer", "number", "string", "array", "object")
"""The types that ``type`` may name; a schema without it takes all of them."""


def types_of(schema: JsonSchema) -> frozenset[str]:
    """The JSON types that *schema* takes; if it takes numbers, integers are among them."""
    declared = schema.get("type")
    if declared is None:
        declared = JSON_TYPES
    names = frozenset({declared}) if isinstance(declared, str) else names_in(declared)
    return names | {"integer"} if "number" in names else names


def enumerated(schema: JsonSchema) -> dict[str, Any] | None:
    """
    The values that *schema* lists and its types allow, each under its `key_of`.

    It is None if the schema lists no values.
    """
    if "const" in schema:
        values = [schema["const"]]
    elif "enum" in schema:
        values = [*sequence(schema["enum"])]
    else:
        return None
    types = types_of(schema)
    return {key_of(value): value for value in values if type_of(value) in types}


def key_of(value: Any) -> str:
    """A key that is equal for equal JSON values: 1 equals 1.0, but not true."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    try:
        return json.dumps(value, sort_keys=True, ensure_ascii=False)
    except (RecursionError, TypeError, ValueError):
        return f"(something at {id(value)})"  # it equals nothing but itself


def type_of(value: Any) -> str:
    """The JSON type of *value*."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "integer" if value.is_integer() else "number"
        case str():
            return "string"
        case list() | tuple():
            return "array"
        case _:
            return "object"


# Lengths of bytes, for which JSON Schema has no keyword.
#
# Bytes are written in base64: three bytes in four characters. `contract.document.json_schema`
# limits their number by the number of characters and, if that leaves more than one number of bytes,
# by the end of the longest (or shortest) text.

_LEAST: Final = {"[^=]$": 0, "[^=]=?$": 1}
_MOST: Final = {"=$": 1, "==$": 2}


def lengths_of_bytes(schema: JsonSchema) -> JsonSchema:
    """
    *schema* with ``minBytes`` and ``maxBytes``, if it is a schema of bytes.

    They replace the rules that express them.
    """
    if schema.get("x-contract-type") != "bytes":
        return schema
    rules: list[Any] = [schema, *sequence(schema.get("allOf"))]
    ends = {
        end: mapping(rule.get("then")).get("pattern")
        for rule in map(mapping, rules)
        for end in mapping(rule.get("if"))
    }
    low, high = _size(schema.get("minLength")), _size(schema.get("maxLength"))
    fewer = _LEAST.get(str(ends["maxLength"]), 2) if "maxLength" in ends else 2
    least = None if low is None else 3 * low // 4 - fewer
    fewer = _MOST.get(str(ends["minLength"]), 0) if "minLength" in ends else 0
    most = None if high is None else 3 * high // 4 - fewer
    rules_of_length = {key: value for key, value in schema.items() if key in _OF_LENGTH}
    if rules_of_length != _rules(least, most):
        return schema  # rules that are written in any other way are left as they are
    limits = {"minBytes": least, "maxBytes": most}
    return {
        **{key: value for key, value in schema.items() if key not in _OF_LENGTH},
        **{name: value for name, value in limits.items() if value is not None},
    }


_OF_LENGTH: Final = frozenset({"if", "then", "allOf", "minLength", "maxLength"})


def _size(value: Any) -> int | None:
    """*value*, a number of characters, if it is a whole number of groups of four."""
    if type(value) is int and 0 <= value < 2**53 and value % 4 == 0:
        return value
    return None


def _rules(least: int | None, most: int | None) -> dict[str, Any]:
    """The rules that limit the number of bytes."""
    found: dict[str, Any] = {}
    rules: list[dict[str, Any]] = []
    if least:
        found["minLength"] = shortest = 4 * -(-least // 3)
        if least % 3 != 1:
            rules.append(
                {
                    "if": {"maxLength": shortest},
                    "then": {"pattern": "[^=]$" if least % 3 == 0 else "[^=]=?$"},
                }
            )
    if most is not None:
        found["maxLength"] = longest = 4 * -(-most // 3)
        if most % 3:
            rules.append(
                {
                    "if": {"minLength": longest},
                    "then": {"pattern": "=$" if most % 3 == 2 else "==$"},
                }
            )
    if len(rules) == 1:
        return found | rules[0]
    return {**found, "allOf": rules} if rules else found
