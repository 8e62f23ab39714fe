"""Limits for which JSON Schema has no keyword: how many bytes a text in base64 stands for."""

from __future__ import annotations

from typing import Any, Final

from contract.shape.json_text import JsonSchema
from contract.shape.schema_lens import mapping, sequence

__all__ = ["lengths_of_bytes"]

# Bytes are written in base64, three in four characters. `contract.document.json_schema` limits
# their number by that of the characters and, where that leaves more than one number, by the end of
# a text that is as long as can be (or as short).

_LEAST: Final = {"[^=]$": 0, "[^=]=?$": 1}
_MOST: Final = {"=$": 1, "==$": 2}


def lengths_of_bytes(schema: JsonSchema) -> JsonSchema:
    """
    Return *schema* with ``minBytes`` and ``maxBytes`` where it is the schema of bytes.

    They replace the rules that stand for them.
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
    rest = {
        key: value
        for key, value in schema.items()
        if key not in ("if", "then", "allOf", "minLength", "maxLength")
    }
    told = {
        name: value
        for name, value in (("minBytes", least), ("maxBytes", most))
        if value is not None
    }
    # only what is written in just this way is read in this way
    return (
        {**rest, **told}
        if _rules(least, most) == {key: schema[key] for key in schema if key not in rest}
        else schema
    )


def _size(value: Any) -> int | None:
    return (
        value
        if isinstance(value, int)
        and not isinstance(value, bool)
        and 0 <= value < 2**53
        and value % 4 == 0
        else None
    )


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
