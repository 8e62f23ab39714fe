"""
Definitions: the named types of a document; follows references and expands unions.

It works for schemas of any depth, with cycles, of documents that were not checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, final

from contract.shape.json_text import JsonSchema
from contract.shape.record import record
from contract.shape.schema_lens import (
    DEFINITIONS,
    as_schema,
    constraints,
    enumerated,
    mapping,
    names_in,
    sequence,
)

__all__ = ["Budget", "Definitions", "Node"]

_ALONE: Final = frozenset({"$ref"})
_ANY_OF: Final = frozenset({"anyOf"})
_LISTING: Final = frozenset({"const", "enum", "type"})
_ONE_OF: Final = frozenset({"oneOf"})
_ONE_OF_WITH_TAG: Final = frozenset({"oneOf", "type", "properties", "required"})


@final
@record(eq=False)
class Node:
    """A schema with its place."""

    schema: JsonSchema
    tags: frozenset[str] = frozenset()
    """Properties that it requires as a member of a tagged union, besides its own."""


@final
class Budget:
    """How many steps a comparison may still take: a hostile document could take any number."""

    __slots__ = ("left",)

    def __init__(self, steps: int) -> None:
        self.left: int = steps

    def spend(self, steps: int = 1) -> bool:
        """Spend *steps*, and tell whether enough were left."""
        self.left -= steps
        return self.left >= 0


@final
class Definitions:
    """The named types of a document."""

    __slots__ = ("_answers", "_budget", "_tagged", "types")

    def __init__(self, types: Mapping[str, JsonSchema], budget: Budget) -> None:
        self.types: Mapping[str, JsonSchema] = types
        self._budget = budget
        self._answers: dict[str, str] = {}
        self._tagged: dict[int, tuple[JsonSchema, str | None]] = {}

    def name(self, node: Node) -> str | None:
        """The type that *node* refers to, if it is only a reference."""
        reference = node.schema.get("$ref")
        if not isinstance(reference, str) or constraints(node.schema) != _ALONE:
            return None
        name = reference.removeprefix(DEFINITIONS)
        if name == reference or name not in self.types:  # it leads out of this document, or nowhere
            return None
        return name

    def resolve(self, node: Node) -> Node:
        """
        The schema that *node* refers to in the end; a reference to nothing, or to itself, stays.
        """
        seen: set[str] = set()
        name = self.name(node)
        while name is not None and name not in seen and self._budget.spend():
            seen.add(name)
            node = Node(as_schema(self.types[name]), node.tags)
            name = self.name(node)
        return node

    def members(self, node: Node) -> list[Node] | None:
        """The members of a union that takes the values of any of them; None for everything else."""
        keywords = constraints(node.schema)
        if keywords == _ANY_OF:
            members = sequence(node.schema["anyOf"])
            return [Node(as_schema(member), node.tags) for member in members] or None
        if "oneOf" not in keywords:
            return None
        # A value of a oneOf belongs to exactly one member. That it takes the values of any of them
        # is certain only if a tag tells them apart.
        tag = self._tag(node.schema, keywords)
        if tag is None:
            return None
        members, tags = sequence(node.schema["oneOf"]), node.tags | {tag}
        return [Node(as_schema(member), tags) for member in members]

    def alternatives(self, node: Node) -> list[Node]:
        """
        The members of a union and of the unions among them; references are not followed.

        The only member of any other schema is the schema itself.
        """
        found: list[Node] = []
        ahead = [node]
        while ahead:
            each = ahead.pop()
            members = self.members(each)
            if members is None or not self._budget.spend(len(members)):
                found.append(each)
            else:
                ahead.extend(reversed(members))
        return found

    def once(self, node: Node, answer: Callable[[JsonSchema], str]) -> str:
        """
        The *answer* for the schema that *node* refers to in the end.

        It must always be the same function: each type is passed to it only once.
        """
        name = self.name(node)
        if name is None:
            return answer(node.schema)
        if name not in self._answers:
            self._answers[name] = answer(self.resolve(node).schema)
        return self._answers[name]

    def listed(self, node: Node) -> JsonSchema | None:
        """The schema of *node* in the end, if it does nothing but list one value or more."""
        schema = self.resolve(node).schema
        if node.tags or not constraints(schema) <= _LISTING or not enumerated(schema):
            return None
        if not self._budget.spend(len(sequence(schema.get("enum")))):
            return None
        return schema

    def tag_values(self, node: Node) -> Iterator[str]:
        """The tag values of a member of a tagged union."""
        if node.tags:
            properties = mapping(self.resolve(node).schema.get("properties"))
            for tag in sorted(node.tags):
                for value in enumerated(as_schema(properties.get(tag, True))) or {}:
                    yield f"{tag}={value}"

    def _tag(self, schema: JsonSchema, keywords: frozenset[str]) -> str | None:
        # called once per schema; the schema is kept, so that no other object gets its id
        if id(schema) not in self._tagged:
            self._tagged[id(schema)] = schema, self._find_tag(schema, keywords)
        return self._tagged[id(schema)][1]

    def _find_tag(self, schema: JsonSchema, keywords: frozenset[str]) -> str | None:
        members = sequence(schema["oneOf"])
        if not members or not self._budget.spend(len(members)):
            return None
        bodies = [self.resolve(Node(as_schema(member))).schema for member in members]
        if not all(body.get("type") == "object" for body in bodies):
            return None
        # without a discriminator, any property of the first member may be the tag
        given = mapping(schema.get("discriminator")).get("propertyName")
        names = [*mapping(bodies[0].get("properties"))]
        if isinstance(given, str):
            names = [given]
        if not self._budget.spend(len(names) * len(bodies)):
            return None
        return next((name for name in names if _tells(name, bodies, schema, keywords)), None)


def _tells(
    name: str, bodies: list[JsonSchema], schema: JsonSchema, keywords: frozenset[str]
) -> bool:
    """Whether *name* tells *bodies* apart and is required in all: each value belongs to one."""
    found: set[str] = set()
    for body in bodies:
        values = enumerated(as_schema(mapping(body.get("properties")).get(name, True)))
        if values is None or not found.isdisjoint(values):
            return False
        found.update(values)
    if keywords == _ONE_OF:
        return all(name in names_in(body.get("required")) for body in bodies)
    # if the tag has a default in a member, the union requires it, as contract.document.json_schema
    # writes it
    outer = mapping(schema.get("properties"))
    return (
        keywords == _ONE_OF_WITH_TAG
        and schema["type"] == "object"
        and schema["required"] == [name]
        and [*outer] == [name]
        and [*constraints(as_schema(outer[name]))] == ["enum"]
        and (enumerated(as_schema(outer[name])) or {}).keys() >= found
    )
