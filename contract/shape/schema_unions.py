"""
Unions in schemas: the values that they take, and how their members are told apart.

Records of a ``oneOf`` are told apart by a tag, which is found here or named by a discriminator;
members of an ``anyOf`` by their types or by their values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, combinations
from typing import Any, Final, final

from contract.shape.exceptions import GenerationError
from contract.shape.graph import alternatives
from contract.shape.json_text import JsonSchema, Place
from contract.shape.nodes import (
    AnyShape,
    Definition,
    LiteralShape,
    NullableShape,
    NullShape,
    RecordShape,
    Scalar,
    Shape,
    UnionShape,
)
from contract.shape.schema_lens import order_of
from contract.shape.schema_node import Spot, rules_of
from contract.shape.schema_scalars import listed_values
from contract.shape.unions import Apart
from contract.shape.unions import Tags as Known

__all__ = ["Tags", "Unions", "options"]

_MOST_PAIRS: Final = 200_000
"""
The most pairs of members that are compared in one document.

Unions that come from types need some thousands.
"""

_MOST_VALUES: Final = 500_000
"""The most values of tags in one document; a hostile one could have any number."""


def options(spot: Spot) -> list[Spot]:
    """The members of an ``anyOf``, including those of inner ones."""
    found: list[Spot] = []
    ahead = [spot]
    while ahead:
        part = ahead.pop()
        if "anyOf" in part.schema:
            part.check_alone("anyOf")
            members: list[Spot] = []
            for index, each in enumerate(part.schema["anyOf"]):
                members.append(part.inner(each, "anyOf", index, part=f"option_{index}"))
            # reversed, as the next is taken from the end
            ahead += reversed(members)
        else:
            found.append(part)
    return found


@final
class Unions:
    """The unions of one document whose members are told apart by their values."""

    def __init__(self) -> None:
        self._found: list[tuple[Spot, UnionShape]] = []

    def joined(self, spot: Spot, members: Iterable[Shape]) -> Shape:
        """The shape of all values that any of *members* takes; the union stands at *spot*."""
        # 1. Take inner unions apart. A dict keeps the parts in order, each once.
        parts: dict[Shape, None] = {}
        # all listed values become one literal; by their types too, since 1 == True
        values: dict[tuple[type, Any], Any] = {}
        is_nullable = False
        for member in members:
            inner: Shape = member
            if isinstance(member, NullableShape):
                is_nullable = True
                inner = member.inner
            # an inner union is flat, as it was joined before
            for each in alternatives(inner):
                if isinstance(each, LiteralShape):
                    if not values:
                        # the first literal keeps the place for all of them
                        parts[each] = None
                    values |= {(type(value), value): value for value in each.values}
                elif isinstance(each, NullShape):
                    is_nullable = True
                else:
                    parts[each] = None
        if AnyShape() in parts:
            return AnyShape()  # which includes null
        # 2. Put the parts together again.
        found: list[Shape] = []
        for part in parts:
            if isinstance(part, LiteralShape):
                found.append(LiteralShape(tuple(values.values())))
            else:
                found.append(part)
        if not found:
            return NullShape()
        union: Shape = found[0]
        if len(found) > 1:
            union = UnionShape(tuple(found))
            self._found.append((spot, union))
        if is_nullable:
            return NullableShape(union)
        return union

    def check(self) -> None:
        """
        Refuse a union if two of its members cannot be told apart.

        It is called once all named types have been read.

        Raises:
            GenerationError: There is such a union, or comparing them all would take too long.
        """
        # one for all unions, so that it counts the steps in the whole document
        apart = Apart(_tags_of)
        for spot, union in self._found:
            members = [each for each in apart.flat(union) if not isinstance(each, NullShape)]
            for one, other in combinations(members, 2):
                if not apart.distinct(one, other):
                    raise spot.refuse(
                        "two of these cannot be told apart; write one of them, or oneOf with "
                        "objects that have a field with a const to tell by"
                    )
                if apart.steps > _MOST_PAIRS:
                    raise spot.refuse(
                        "there are too many unions of too many members in this document; "
                        "write fewer"
                    )


def _tags_of(record: Definition) -> Known:
    """The fields of *record* that list their values, by which it may be told from others."""
    assert isinstance(record.shape, RecordShape)  # noqa: S101  for the type checker
    found: dict[str, tuple[str, tuple[Scalar, ...]]] = {}
    for field in record.shape.fields:
        if isinstance(field.shape, LiteralShape):
            found[field.wire] = (field.wire, field.shape.values)
    return found


@final
class Tags:
    """
    Finds the tags of the unions in one document.

    *resolve* follows a reference; it gives the last name, and the schema.
    """

    def __init__(self, resolve: Callable[[JsonSchema], tuple[str | None, JsonSchema]]) -> None:
        self._resolve = resolve
        # how many values were looked at
        self._steps = 0
        # (name of a type, property) -> its values; None if it does not list them
        self._values: dict[tuple[str, str], tuple[Scalar, ...] | None] = {}

    def of(self, spot: Spot, members: Sequence[JsonSchema]) -> tuple[str, list[tuple[Scalar, ...]]]:
        """
        The tag of the union *spot*, and the values that it has in each of *members*.

        Raises:
            GenerationError: A member is not a record, or they cannot be told apart.
        """
        bodies = [self._resolve(member) for member in members]
        for index, (_, body) in enumerate(bodies):
            if body.get("type") != "object" or not body.get("properties"):
                raise (spot / "oneOf" / index).refuse(
                    "only objects are told apart by a tag; write anyOf for what differs in its type"
                )
        named = self._named(spot)
        # a tag is in all members, so the properties of the first are all that it could be
        candidates = order_of(bodies[0][1])
        must_require = True
        if named is not None:
            candidates = [named]
            # the union itself may require its tag for all of them
            must_require = "required" not in spot.schema
        for tag in candidates:
            found = self._find(spot, tag, bodies, must_require=must_require)
            if found is not None:
                self._check(spot, tag, found, [name for name, _ in bodies])
                return tag, found
        raise spot.refuse(
            "these objects cannot be told apart; "
            "write a field with a const of its own into each, and a discriminator that names it"
        )

    def _named(self, spot: Spot) -> str | None:
        """The tag that the union itself names."""
        schema = spot.schema
        named: str | None = None
        if "discriminator" in schema:
            named = schema["discriminator"]["propertyName"]
        if rules_of(schema) != {"oneOf"}:
            # contract.document.json_schema writes it this way if a record has a default for its tag
            required = schema.get("required", [named])
            expected = {"oneOf", "type", "properties", "required"}
            if (
                rules_of(schema) != expected
                or schema["type"] != "object"
                or len(required) != 1
                or {*schema["properties"]} != {*required}
            ):
                raise spot.refuse(
                    "a union may only require its tag, beside oneOf; "
                    "write all other rules into its members"
                )
            if named is None:
                named = required[0]
            if named != required[0]:
                raise spot.refuse(
                    "the tag that is required is not the one that discriminator names"
                )
        return named

    def _find(
        self,
        spot: Spot,
        tag: str,
        bodies: Sequence[tuple[str | None, JsonSchema]],
        *,
        must_require: bool,
    ) -> list[tuple[Scalar, ...]] | None:
        """The values of *tag* in each of *bodies*, if it tells all of them apart."""
        found: list[tuple[Scalar, ...]] = []
        seen: set[tuple[type, Scalar]] = set()
        for name, body in bodies:
            values = self._literals(name, body, tag)
            self._steps += 1 + len(values or ())
            if self._steps > _MOST_VALUES:
                raise spot.refuse(
                    "there are too many tags in this document to look for this one; "
                    "write a discriminator, or fewer values"
                )
            if values is None or (must_require and tag not in body.get("required", ())):
                return None
            # two members with one value could not be told apart
            own = _exact(values)
            if not seen.isdisjoint(own):
                return None
            seen |= own
            found.append(values)
        return found

    def _literals(self, name: str | None, body: JsonSchema, tag: str) -> tuple[Scalar, ...] | None:
        """The values of the property *tag*, if it lists them; those of a named type are kept."""
        if name is None:
            return self._read(body, tag)
        if (name, tag) not in self._values:
            self._values[name, tag] = self._read(body, tag)
        return self._values[name, tag]

    def _read(self, body: JsonSchema, tag: str) -> tuple[Scalar, ...] | None:
        properties: Mapping[str, JsonSchema] = body["properties"]
        _, schema = self._resolve(properties.get(tag, {}))
        if not schema.keys() & {"const", "enum"} or rules_of(schema) - {"const", "enum", "type"}:
            return None
        try:
            values = listed_values(Spot(schema, Place(), ""))
        except GenerationError:
            # reading the record reports it, with its place
            return None
        listed = tuple(value for value in values if isinstance(value, str | int))
        if len(listed) < len(values):
            return None  # null is among them, which no tag is
        return listed

    def _check(
        self, spot: Spot, tag: str, found: Sequence[tuple[Scalar, ...]], names: Sequence[str | None]
    ) -> None:
        """Refuse a union whose claims about its members are not true of them."""
        # 1. The mapping of the discriminator: each value of the tag, and the type that has it.
        if "discriminator" in spot.schema:
            values: dict[Any, str | None] = {}
            for own, name in zip(found, names, strict=True):
                values |= dict.fromkeys(own, name)
            mapping = spot.schema["discriminator"]["mapping"]
            told = {key: self._resolve({"$ref": target})[0] for key, target in mapping.items()}
            if told != values:
                raise (spot / "discriminator").refuse(
                    "the mapping is not what the members have in their tags; write just that"
                )
        # 2. The tag that the union requires, with the values of all members.
        if "properties" in spot.schema:
            outer = spot.schema["properties"][tag]
            wanted = _exact(chain.from_iterable(found))
            if rules_of(outer) != {"enum"} or _exact(listed_values(spot.inner(outer))) != wanted:
                raise (spot / "properties").refuse(
                    "this is not what the members have in their tags; write just that"
                )


def _exact(values: Iterable[Any]) -> set[tuple[type, Any]]:
    """The *values* with their types: 1 == True, but JSON has them apart."""
    return {(type(value), value) for value in values}
