"""
Schemas of a contract document, with their references moved to where OpenAPI keeps named types.
"""

from __future__ import annotations

from typing import Any, Final

from contract.shape.json_text import Json, JsonSchema

__all__ = ["component", "moved"]

_FROM: Final = "#/$defs/"
_TO: Final = "#/components/schemas/"

# Where a schema holds other schemas; all else in it is data, in which "$ref" would be a key like
# others.
_ONE: Final = frozenset(
    {"additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then"}
)
_MANY: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_NAMED: Final = frozenset({"patternProperties", "properties"})

_TYPES: Final[dict[type, str]] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
}


def component(name: str) -> dict[str, Any]:
    """A reference to the schema *name*."""
    return {"$ref": f"{_TO}{name}"}


def moved(schema: JsonSchema) -> dict[str, Any]:
    """
    *schema* in words that the tools of OpenAPI know.

    A reference to ``#/$defs/NAME`` becomes one to ``#/components/schemas/NAME``.
    """
    found = {key: _moved(key, value) for key, value in schema.items()}
    # Two things are said in other words that mean the same, because most tools of OpenAPI take
    # items for an object, as it was up to version 3.0, and an enum for values of one type.
    if found.get("items") is False:
        length = len(found.get("prefixItems", ()))
        found |= {"items": {}, "maxItems": min(length, found.get("maxItems", length))}
    if isinstance(found.get("type"), list) and "enum" in found:
        types = [_TYPES[type(value)] for value in found["enum"]]
        if {*types} == {*found["type"]}:  # else some of the values cannot be
            found["anyOf"] = [
                {"type": kind, "const": value}
                for kind, value in zip(types, found["enum"], strict=True)
            ]
            del found["type"], found["enum"]
    return found


def _moved(key: str, value: Any) -> Any:
    if key == "$ref":
        return _ref(value)
    if key in _ONE:
        return value if isinstance(value, bool) else moved(value)
    if key in _MANY:
        return [moved(each) for each in value]
    if key in _NAMED:
        return {name: moved(each) for name, each in value.items()}
    return _discriminator(value) if key == "discriminator" else value


def _discriminator(value: Json) -> Json:
    """With its mapping, which names schemas as references do."""
    return (
        {**value, "mapping": {tag: _ref(ref) for tag, ref in value["mapping"].items()}}
        if "mapping" in value
        else value
    )


def _ref(ref: str) -> str:
    return _TO + ref.removeprefix(_FROM)
