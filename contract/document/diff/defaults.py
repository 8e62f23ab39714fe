"""
Defaults: whether the default of a field still means what it meant.

A default is written with those of the fields in it. So the default of ``options`` is another JSON
value as soon as ``Options`` gets a field with a default; but what is left out means what it meant.
"""

from __future__ import annotations

from itertools import chain, repeat
from typing import Any, Final

from contract.document.diff.definitions import Budget, Definitions, Node
from contract.shape.json_text import JsonSchema, is_array, is_object
from contract.shape.schema_lens import (
    as_schema,
    enumerated,
    key_of,
    mapping,
    sequence,
    type_of,
    types_of,
)

__all__ = ["means_the_same"]


def means_the_same(old: Any, new: Any, node: Node, types: Definitions, budget: Budget) -> bool:
    """
    Whether the value *old* is *new*, once the fields that it lacks have their defaults.

    Args:
        old: The old default.
        new: The new one, a value of *node*.
        node: The new schema.
        types: The new types.
        budget: If too little is left of it, the two count as different.
    """
    # a list instead of recursion: a hostile document may be nested deeper than Python's stack
    ahead = [(old, new, node)]
    while ahead and budget.spend():
        was, now, node = ahead.pop()
        schema = _schema_of(now, node, types, budget)
        if is_object(was) and is_object(now) and was.keys() <= now.keys():
            properties, others = mapping(schema.get("properties")), schema.get(_OTHERS, True)
            fields = {name: as_schema(properties.get(name, others)) for name in now}
            # a field that only the new default has must have its own default there
            if any(not _is_default(now[name], fields[name]) for name in now.keys() - was.keys()):
                return False
            ahead += [(was[name], now[name], Node(fields[name])) for name in was]
        elif is_array(was) and is_array(now) and len(was) == len(now):
            # the first items have schemas of their own, and all others have one
            items = chain(sequence(schema.get("prefixItems")), repeat(schema.get("items", True)))
            for before, after, item in zip(was, now, items, strict=False):
                ahead.append((before, after, Node(as_schema(item))))
        elif key_of(was) != key_of(now):
            return False
    return budget.left >= 0


_OTHERS: Final = "additionalProperties"


def _is_default(value: Any, schema: JsonSchema) -> bool:
    return "default" in schema and key_of(schema["default"]) == key_of(value)


def _schema_of(value: Any, node: Node, types: Definitions, budget: Budget) -> JsonSchema:
    """The schema among those of *node* that takes *value*; of several, that of anything."""
    found: list[JsonSchema] = []
    seen: set[int] = set()
    ahead = [node]
    while ahead and budget.spend():
        whole = types.resolve(ahead.pop())
        members = types.members(whole)
        if members is None and _may_take(whole.schema, value):
            found.append(whole.schema)
        elif members is not None and id(whole.schema) not in seen:
            seen.add(id(whole.schema))
            ahead += members
    if len(found) == 1:
        return found[0]
    return {}


def _may_take(schema: JsonSchema, value: Any) -> bool:
    """Whether *schema* may take *value*, by its type, the names of its fields, and its tags."""
    if type_of(value) not in types_of(schema):
        return False
    properties, given = mapping(schema.get("properties")), mapping(value)
    if schema.get(_OTHERS) is False and not given.keys() <= properties.keys():
        return False
    for name in given.keys() & properties.keys():
        values = enumerated(as_schema(properties[name]))
        if values and key_of(given[name]) not in values:
            return False
    return True
