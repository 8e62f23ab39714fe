"""
Types: a schema, read back into the type that it was written of.

It is the inverse of `contract.document.json_schema`. Schemas that others wrote are read as far as
they say what those say in other words; what no type means is refused, with its place and what to
write instead.

Nothing here calls itself: one schema is read by a generator, which yields the schemas in it and is
sent their types.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any, Final, Literal, cast, final

from contract.codegen.model import (
    AnyType,
    ArrayType,
    BoolType,
    Container,
    LiteralType,
    MapType,
    NamedType,
    NullableType,
    NullType,
    StrType,
    TaggedType,
    TextType,
    TupleType,
    Type,
    UnionType,
)
from contract.codegen.scalars import (
    float_type,
    int_type,
    listed_type,
    listed_values,
    size,
    string_type,
)
from contract.codegen.spots import Spot, constraints
from contract.codegen.tags import Tags
from contract.shape.json_text import JsonSchema, Place

__all__ = ["Reading", "Types", "kind_of"]

Reading = Generator[Spot, Type, Type]
"""A schema that is being read: it yields those in it, and is sent what they mean."""

_MOST_NESTED: Final = 50
"""
Arrays and maps within each other, without a named type between them; what reads and compiles types
calls itself for each.
"""

_IN_PLACE: Final = frozenset({"$ref", "anyOf", "oneOf", "allOf", "if", "then", "const", "enum"})
_DEFINITIONS: Final = "#/$defs/"


def kind_of(schema: JsonSchema) -> Literal["record", "namedtuple", "enum"] | None:
    """What *schema* declares, if it is of what has a name of its own."""
    if not schema.keys().isdisjoint(("$ref", "anyOf", "oneOf")):
        return None
    if schema.get("type") == "object" and (
        schema.get("properties") or schema.get("additionalProperties") is False
    ):
        return "record"
    if schema.get("x-contract-type") == "namedtuple" and schema.get("type") == "array":
        return "namedtuple"
    return "enum" if _is_enum(schema) else None


def _is_enum(schema: JsonSchema) -> bool:
    names, values = schema.get("x-contract-enum-names"), schema.get("enum")
    if (
        names is None
        or not values
        or len(names) != len(values)
        or any(not isinstance(value, str | int) for value in values)
    ):
        return False
    # what is equal in Python would be one member with two names
    return len({*values}) == len(values) and listed_values(Spot(schema, Place(), "")) == values


@final
class Types:
    """
    Reads the schemas of one document.

    Args:
        definitions: Its named types.
        hoist: Gives the type of a schema in place that has to have a name.
    """

    __slots__ = ("_definitions", "_hoist", "_resolved", "_tags", "sets", "unions")

    def __init__(
        self, definitions: Mapping[str, JsonSchema], hoist: Callable[[Spot], NamedType]
    ) -> None:
        self._definitions = definitions
        self._hoist = hoist
        self._resolved: dict[str, tuple[str | None, JsonSchema]] = {}
        self._tags = Tags(self.resolve)
        self.unions: list[tuple[Spot, UnionType]] = []
        """All that were read, and where."""
        self.sets: list[tuple[Spot, ArrayType]] = []
        """The same of sets."""

    def read(self, spot: Spot) -> Type:
        """
        The type of *spot*.

        Raises:
            GenerationError: It has none, or something in it.
        """
        return self.run(self._type(spot))

    def run(self, reading: Reading) -> Type:
        """What *reading* comes to, with all that it waits for."""
        stack = [reading]
        result: Any = None
        while stack:
            try:
                spot = stack[-1].send(result)
            except StopIteration as done:
                stack.pop()
                result = done.value
            else:
                stack.append(self._type(spot))
                result = None
        found: Type = result
        return found

    def resolve(self, schema: JsonSchema) -> tuple[str | None, JsonSchema]:
        """
        What *schema* refers to in the end, and by which name.

        One that is no reference refers to itself.
        """
        names: list[str] = []
        found: tuple[str | None, JsonSchema] = None, schema
        while constraints(found[1]) == {"$ref"}:
            name: str = found[1]["$ref"].removeprefix(_DEFINITIONS)
            if name not in self._definitions:
                break
            found = self._resolved.get(name, (name, self._definitions[name]))
            if name in self._resolved:
                break
            # whoever comes here again is at the end at once; a circle, which no reader of documents
            # lets pass, comes to an end, too
            self._resolved[name] = found
            names.append(name)
        self._resolved.update(dict.fromkeys(names, found))
        return found

    def named(self, spot: Spot) -> NamedType:
        """
        The use of a type that *spot* is, which is a reference.

        Raises:
            GenerationError: There is no such type, or the reference is not all that it says.
        """
        name = spot.schema["$ref"].removeprefix(_DEFINITIONS)
        if name not in self._definitions:
            raise (spot / "$ref").refuse("there is no such type in $defs")
        _only(spot, {"$ref"})
        return NamedType(name)

    # One schema.

    def _type(self, spot: Spot) -> Reading:
        schema = spot.schema
        if spot.depth > _MOST_NESTED:
            raise spot.refuse(
                f"more than {_MOST_NESTED} arrays and maps stand within each other; put an object between them, in $defs"
            )
        if "$ref" in schema:
            return self.named(spot)
        if "oneOf" in schema:
            return (yield from self._one_of(spot))
        if "anyOf" in schema:
            return (yield from self._any_of(spot))
        if kind_of(schema) is not None:
            return self._hoist(spot)
        if "const" in schema or "enum" in schema:
            return listed_type(spot)
        told = schema.get("type")
        if isinstance(told, list):
            several = [*cast("list[str]", told)]
            parts = [
                spot.inner({**schema, "type": name}, part=name if len(several) > 1 else "")
                for name in several
            ]
            return (yield from self._union(spot, parts))
        match told:
            case None:
                if constraints(schema):
                    raise spot.refuse(
                        'no type is told, so other keywords leave most values out of account; write "type"'
                    )
                return AnyType()
            case "null" | "boolean":
                _not_in_place(spot)
                return NullType() if told == "null" else BoolType()
            case "integer" | "number":
                _not_in_place(spot)
                return int_type(spot) if told == "integer" else float_type(spot)
            case "string":
                _not_in_place(spot, "allOf", "if", "then")
                return string_type(spot)
            case "array":
                _not_in_place(spot)
                return (yield from self._array(spot))
            case _:
                _not_in_place(spot)
                return (yield from self._map(spot))

    def _array(self, spot: Spot) -> Reading:
        schema = spot.schema
        low, high = size(spot, "Items")
        if "prefixItems" in schema or schema.get("items") is False:
            return (yield from self._tuple(spot, low or 0, high))
        items = schema.get("items", True)
        item: Type = (
            AnyType()
            if items is True
            else (yield spot.inner(items, "items", part="item", deeper=True))
        )
        told = schema.get("x-contract-type")
        container: Container = "list"
        if schema.get("uniqueItems"):
            container = "frozenset" if told == "frozenset" else "set"
        elif told == "tuple":
            container = "tuple"
        array = ArrayType(item, container, low, high)
        if schema.get("uniqueItems"):
            self.sets.append((spot, array))
        return array

    def _tuple(self, spot: Spot, low: int, high: int | None) -> Reading:
        prefix = spot.schema.get("prefixItems", [])
        if spot.schema.get("items") is not False and high != len(prefix):
            raise spot.refuse(
                'what follows the first items has to be told; write "items": false, or one schema of all items'
            )
        if low != len(prefix) or (high is not None and high < low):
            raise spot.refuse(
                "every position of a tuple has to be there; write minItems and maxItems as many as there are in prefixItems"
            )
        if spot.schema.get("uniqueItems"):
            raise (spot / "uniqueItems").refuse(
                "a tuple of different items is no type; leave this out"
            )
        items: list[Type] = []
        for index, item in enumerate(prefix):
            items.append(
                (yield spot.inner(item, "prefixItems", index, part=f"item_{index}", deeper=True))
            )
        return TupleType(tuple(items))

    def _map(self, spot: Spot) -> Reading:
        schema = spot.schema
        low, high = size(spot, "Properties")
        if schema.get("required"):
            raise (spot / "required").refuse(
                "this requires what no schema describes; write it into properties"
            )
        key = self._key(spot)
        values = schema.get("additionalProperties", True)
        value: Type = (
            AnyType()
            if values is True
            else (yield spot.inner(values, "additionalProperties", part="value", deeper=True))
        )
        return MapType(key, value, low, high)

    def _key(self, outside: Spot) -> Type:
        schema = outside.schema.get("propertyNames", {})
        spot = outside.inner(schema, "propertyNames", part="key")
        name, schema = self.resolve(schema)
        if kind_of(schema) == "enum":
            named = self._hoist(spot) if name is None else NamedType(name)
            if all(isinstance(value, str) for value in schema["enum"]):
                return named
        elif (
            name is None
            and schema.get("type", "string") == "string"
            and schema.keys().isdisjoint(("oneOf", "anyOf"))
        ):
            key = (
                listed_type(spot)
                if "const" in schema or "enum" in schema
                else string_type(spot, is_key=True)
            )
            if isinstance(key, StrType):
                return key
            if isinstance(key, TextType) and key.kind in ("int", "uuid", "date"):
                return key
            if isinstance(key, LiteralType) and all(isinstance(value, str) for value in key.values):
                return key
        raise spot.refuse(
            "keys are texts, integers, dates, UUIDs or an enum of texts; write one of these, in place if it is no enum"
        )

    # Unions.

    def _any_of(self, spot: Spot) -> Reading:
        _only(spot, {"anyOf"})
        parts: list[Spot] = []
        ahead = [spot]
        while ahead:
            part = ahead.pop()
            if "anyOf" in part.schema:
                _only(part, {"anyOf"})
                members = part.schema["anyOf"]
                ahead += [
                    part.inner(each, "anyOf", index, part=f"option_{index}")
                    for index, each in enumerate(members)
                ][::-1]
            else:
                parts.append(part)
        return (yield from self._union(spot, parts))

    def _union(self, spot: Spot, parts: list[Spot]) -> Reading:
        members: dict[Type, None] = {}
        values: dict[tuple[type, Any], Any] = {}
        is_nullable = False
        for part in parts:
            member = yield part
            if isinstance(member, NullableType):
                is_nullable, member = True, member.inner
            for each in member.members if isinstance(member, UnionType) else (member,):
                if isinstance(each, LiteralType):
                    if not values:
                        members[each] = None
                    values |= {(type(value), value): value for value in each.values}
                elif isinstance(each, NullType):
                    is_nullable = True
                else:
                    members[each] = None
        if AnyType() in members:
            return AnyType()  # null is among any values
        found = [
            LiteralType(tuple(values.values())) if isinstance(member, LiteralType) else member
            for member in members
        ]
        if not found:
            return NullType()
        union: Type = found[0]
        if len(found) > 1:
            union = UnionType(tuple(found))
            self.unions.append((spot, union))
        return NullableType(union) if is_nullable else union

    def _one_of(self, spot: Spot) -> Reading:
        members = [
            spot.inner(each, "oneOf", index, part=f"option_{index}")
            for index, each in enumerate(spot.schema["oneOf"])
        ]
        if len(members) == 1 and constraints(spot.schema) == {"oneOf"}:
            return (yield members[0])
        tag, values = self._tags.of(spot, [member.schema for member in members])
        cases: list[tuple[Any, NamedType]] = []
        for member, own in zip(members, values, strict=True):
            name, _ = self.resolve(member.schema)
            record = self._hoist(member) if name is None else NamedType(name)
            cases += [(value, record) for value in own]
        return TaggedType(tag, tuple(cases))


def _only(spot: Spot, keywords: set[str]) -> None:
    """Refuse keywords that say what is taken, but for *keywords*."""
    others = constraints(spot.schema) - keywords
    if others:
        told, other = min(keywords), min(others)
        raise (spot / other).refuse(
            f"no type has a rule like this beside {told}; write it into what {told} leads to"
        )


def _not_in_place(spot: Spot, *allowed: str) -> None:
    """Refuse rules for the same value; keywords for values of other types mean nothing here."""
    others = constraints(spot.schema) & _IN_PLACE - {*allowed}
    if others:
        raise (spot / min(others)).refuse(
            f'no type has a rule like this beside "type"; write what {min(others)} says into the schema'
        )
