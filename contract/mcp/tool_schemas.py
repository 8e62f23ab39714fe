"""
Schemas of tools, in the form that MCP clients and the model APIs behind them accept.

Clients pass a tool's schema on to a model's API, and each API accepts another part of JSON Schema.
A portable schema is accepted by all APIs that were checked. It is less precise where necessary: a
client may think that more is allowed than really is, but never less; the server checks the rest.

- References are resolved, except those to recursive types; the root is never a reference.
- Every array has ``items`` that is a schema. ``oneOf`` becomes ``anyOf``, which means the same if
  tags tell the members apart; ``const`` becomes ``enum``; a list of types beside ``enum`` is
  removed.
- Keys that only client generators read are removed (titles of types, ``x-contract-*``,
  ``discriminator``), and so are the limits that every integer has, patterns that a ``format``
  implies, and ``if``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Final

from contract.shape.bounds import I64_MAX, I64_MIN
from contract.shape.json_text import JsonSchema, is_object
from contract.shape.scalars import ROWS
from contract.shape.schema_lens import followed, inside, schemas_in, target

__all__ = ["PROPERTY_KEY", "Types", "is_object_schema", "keys_of", "portable"]

PROPERTY_KEY: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
"""The property keys that model APIs accept; because of any other, a client loses all its tools."""

_MAX_NODES: Final = 2_000
"""
The most schemas within one whose references are resolved.

Beyond that, types that are used twice become references: if types use each other twice, each level
would double the schema.
"""

_FORMS: Final = tuple(chain.from_iterable(row.forms for row in ROWS.values()))
_FORMATS: Final = frozenset(form.format for form in _FORMS if form.format is not None)
"""The formats that are known everywhere; others are the names of machine types."""
_INSTEAD: Final = {"oneOf": "anyOf"}
_DROPPED: Final = frozenset({"title", "discriminator", "if", "then"})
_EVERY_INTEGER: Final = {"minimum": I64_MIN, "maximum": I64_MAX}


class Types:
    """
    Named types, and which of them use which.

    Args:
        defs: Name -> schema, as `contract.document.json_schema` writes them.
    """

    __slots__ = ("defs", "recursive", "uses")

    def __init__(self, defs: Mapping[str, JsonSchema]) -> None:
        graph = {name: Counter(_references(body)) for name, body in defs.items()}
        self.defs: Final = defs
        self.recursive: Final = frozenset(name for name in defs if name in _reachable(graph, name))
        """The types that contain themselves."""
        self.uses: Final = Counter[str]()
        """How many references each type gets from all the others."""
        for counted in graph.values():
            self.uses.update(counted)


def portable(schema: JsonSchema, types: Types, *, wrapped: bool = False) -> dict[str, Any]:
    """
    The *schema* without anything that a client might refuse.

    Args:
        schema: A schema from `contract.document.json_schema`.
        types: The types that its references name.
        wrapped: Whether to give the schema of an object with the value as ``result``.
    """
    # First with as few references as possible, then, if that is too large, with a reference for
    # each type that is used twice: so every type is written once, and there is no limit any more.
    try:
        inliner = _Inliner(types.defs, types.recursive)
        root = inliner.root(schema)
    except _TooLargeError:
        uses = types.uses + Counter(_references(schema))
        repeated = {name for name, count in uses.items() if count > 1}
        inliner = _Inliner(types.defs, types.recursive | repeated, limited=False)
        root = inliner.root(schema)
    if wrapped:
        root = {
            "type": "object",
            "properties": {"result": root},
            "required": ["result"],
            "additionalProperties": False,
        }
    if is_object_schema(root):
        root.setdefault("properties", {})  # some APIs require them, even if they are empty
    kept = inliner.kept()
    if kept:
        return {**root, "$defs": kept}
    return root


def is_object_schema(schema: JsonSchema) -> bool:
    """Whether a portable *schema* describes an object, without a composition at its root."""
    return schema.get("type") == "object" and "anyOf" not in schema and "allOf" not in schema


def keys_of(schema: Any) -> Iterator[str]:
    """The keys of all properties in a portable *schema*."""
    for part in schemas_in(schema):
        yield from part.get("properties", ())


class _TooLargeError(Exception):
    """There would be too many schemas."""


class _Inliner:
    """Writes one schema, and collects the types to which it still refers."""

    __slots__ = ("_by_name", "_defs", "_limited", "_needed", "_nodes")

    def __init__(
        self, defs: Mapping[str, JsonSchema], by_name: frozenset[str], *, limited: bool = True
    ) -> None:
        self._defs: Final = defs
        self._by_name: Final = by_name
        self._limited: Final = limited
        self._needed: Final[dict[str, None]] = {}
        self._nodes = 0

    def root(self, schema: JsonSchema) -> dict[str, Any]:
        written: dict[str, Any] = self._written(followed(schema, self._defs))
        return written

    def kept(self) -> dict[str, Any]:
        """The types that were referred to, and those that these refer to."""
        written: dict[str, Any] = {}
        # writing one may add others to those that are needed
        while len(written) < len(self._needed):
            for name in [name for name in self._needed if name not in written]:
                written[name] = self._written(self._defs[name])
        return dict(sorted(written.items()))

    def _written(self, schema: Any) -> Any:
        if not is_object(schema):  # true or false
            return schema
        self._nodes += 1
        if self._limited and self._nodes > _MAX_NODES:
            raise _TooLargeError
        if "$ref" not in schema:
            return self._plain(schema)
        name = target(schema)
        # a description beside a reference is that of the field, and wins over that of the type
        beside = self._plain({key: value for key, value in schema.items() if key != "$ref"})
        if name in self._by_name:
            self._needed[name] = None
            return {"$ref": schema["$ref"], **beside}
        return {**self._written(self._defs[name]), **beside}

    def _plain(self, schema: JsonSchema) -> dict[str, Any]:
        written: dict[str, Any] = {}
        for key, value in schema.items():
            is_every_integers = key in _EVERY_INTEGER and _EVERY_INTEGER[key] == value
            if key in _DROPPED or key.startswith("x-contract-") or is_every_integers:
                continue
            if key == "const":
                written["enum"] = [value]
            else:
                written[_INSTEAD.get(key, key)] = inside(key, value, self._written)
        return _tidied(written)


def _tidied(schema: dict[str, Any]) -> dict[str, Any]:
    """Change *schema* where one key depends on another, and return it."""
    # the pattern of a known format only says again what the format means
    if schema.get("format") in _FORMATS:
        schema.pop("pattern", None)
    else:
        schema.pop("format", None)
    if isinstance(schema.get("type"), list):
        del schema["type"]  # the enum implies it
    if "allOf" in schema:
        # those with an ``if`` are already empty
        schema["allOf"] = [rule for rule in schema["allOf"] if rule]
        if not schema["allOf"]:
            del schema["allOf"]
    if schema.get("items") is False:
        members: list[Any] = []
        for member in schema.get("prefixItems", ()):
            if member not in members:
                members.append(member)
        # beside prefixItems, false means that no more items follow; an API that does not know
        # prefixItems takes items as the schema of every item
        if not members:
            schema["items"] = {}
        elif len(members) == 1:
            schema["items"] = members[0]
        else:
            schema["items"] = {"anyOf": members}
    return schema


def _references(schema: JsonSchema) -> Iterator[str]:
    return (target(part) for part in schemas_in(schema) if "$ref" in part)


def _reachable(graph: Mapping[str, Counter[str]], name: str) -> set[str]:
    found: set[str] = set()
    ahead = [*graph[name]]
    while ahead:
        target = ahead.pop()
        if target not in found:
            found.add(target)
            ahead.extend(graph[target])
    return found
