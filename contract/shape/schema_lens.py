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
            # reversed, as the next is taken from the end
            ahead += reversed(parts)


# Fields.


def order_of(schema: JsonSchema) -> list[str]:
    """The properties of *schema*, in the order in which they were declared."""
    properties = mapping(schema.get("properties"))
    told = sequence(schema.get("x-contract-order"))
    ordered = [name for name in told if isinstance(name, str) and name in properties]
    # those that it does not name follow, sorted: the keys of a JSON object have no order
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
    if value is False:
        # no value is one of none, so this too takes nothing
        return {"enum": []}
    return {}


def mapping(value: object) -> Mapping[str, Any]:
    """*value*, or nothing if it is not an object."""
    if is_object(value):
        return value
    return {}


def text_in(schema: JsonSchema, keyword: str) -> str | None:
    """The value of *keyword*, if that is a text."""
    value = schema.get(keyword)
    if isinstance(value, str) and value:
        return value
    return None


def sequence(value: object) -> Sequence[Any]:
    """*value*, or nothing if it is not an array."""
    if isinstance(value, list | tuple):
        return cast("Sequence[Any]", value)
    return ()


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
    if "number" in names:
        return names | {"integer"}
    return names


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
    # only the value itself: within arrays and objects, 1 and 1.0 keep different texts
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
            # before int, of which it is a subclass
            return "boolean"
        case int():
            return "integer"
        case float():
            if value.is_integer():
                return "integer"
            return "number"
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
# by the end of the longest (or shortest) text. "==" at the end means that two bytes are missing
# from the last group of three, and "=" that one is.
#
# To read such rules back, the number of bytes is computed from them, and the rules for that number
# are written anew. Only if these are the same rules was the number right.

_LEAST: Final = {"[^=]$": 0, "[^=]=?$": 1}
"""The end that the shortest texts must have -> how many bytes may be missing from three."""
_MOST: Final = {"=$": 1, "==$": 2}
"""The end that the longest texts must have -> how many bytes must be missing from three."""


def lengths_of_bytes(schema: JsonSchema) -> JsonSchema:
    """
    *schema* with ``minBytes`` and ``maxBytes``, if it is a schema of bytes.

    They replace the rules that express them.
    """
    if schema.get("x-contract-type") != "bytes":
        return schema
    # 1. Find the ends: a rule about texts with at most so many characters is about the shortest.
    ends: dict[str, str] = {}
    for rule in map(mapping, (schema, *sequence(schema.get("allOf")))):
        for end in mapping(rule.get("if")):
            ends[end] = str(mapping(rule.get("then")).get("pattern"))
    # 2. Compute the numbers of bytes.
    limits: dict[str, int] = {}
    low = _size(schema.get("minLength"))
    if low is not None:
        limits["minBytes"] = 3 * low // 4 - _LEAST.get(ends.get("maxLength", ""), 2)
    high = _size(schema.get("maxLength"))
    if high is not None:
        limits["maxBytes"] = 3 * high // 4 - _MOST.get(ends.get("minLength", ""), 0)
    # 3. Compare the rules. Any others are left as they are.
    written: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for keyword, value in schema.items():
        if keyword in _OF_LENGTH:
            written[keyword] = value
        else:
            others[keyword] = value
    if written != _rules(limits.get("minBytes"), limits.get("maxBytes")):
        return schema
    return {**others, **limits}


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
    # `-(-number // 3)` is a third of it, rounded up
    if least:
        found["minLength"] = shortest = 4 * -(-least // 3)
        # of the shortest texts, those with fewer bytes have more "=" at the end; if *least* leaves
        # one byte for the last group, there is no text of this length with fewer
        if least % 3 != 1:
            end = "[^=]$" if least % 3 == 0 else "[^=]=?$"
            rules.append({"if": {"maxLength": shortest}, "then": {"pattern": end}})
    if most is not None:
        found["maxLength"] = longest = 4 * -(-most // 3)
        # if *most* fills the last group, no text of this length has more
        if most % 3:
            end = "=$" if most % 3 == 2 else "==$"
            rules.append({"if": {"minLength": longest}, "then": {"pattern": end}})
    # JSON Schema has one "if" per schema, so two rules need a schema each
    if len(rules) == 1:
        return found | rules[0]
    if rules:
        found["allOf"] = rules
    return found
