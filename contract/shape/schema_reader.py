"""
The reader of schemas: from a schema back to the shape that it was written from.

The schemas are those of `contract.document.json_schema`. Schemas that others wrote are read if they
say the same in other words. What no type can express is refused, with its place and what to write
instead. The records, named tuples and enums of a document have no classes.

Nothing here is recursive: a generator reads one schema, yields the schemas in it, and is sent their
shapes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Any, Final, Literal, cast, final

import orjson

from contract.shape.graph import is_hashable, mark_recursive, written_sizes
from contract.shape.json_text import JsonSchema, Place
from contract.shape.nodes import (
    MISSING,
    NO_CLASS,
    AnyShape,
    ArrayShape,
    BoolShape,
    Container,
    Definition,
    EnumShape,
    Field,
    MapShape,
    NamedTupleShape,
    NullShape,
    RecordShape,
    RefShape,
    Shape,
    TaggedUnionShape,
    TupleShape,
)
from contract.shape.schema_lens import order_of, target
from contract.shape.schema_node import Spot, rules_of
from contract.shape.schema_scalars import (
    float_shape,
    int_shape,
    listed_key,
    listed_shape,
    listed_values,
    size,
    text_shape,
)
from contract.shape.schema_unions import Tags, Unions, options

__all__ = ["SchemaReader", "kind_of"]

_Reading = Generator[Spot, Shape, Shape]
"""A schema that is being read: it yields those in it, and is sent their shapes."""

_MOST_NESTED: Final = 50
"""
The most arrays and maps within each other, without a named type between them.

Readers and compilers of types are recursive in these.
"""
_MOST_WRITTEN: Final = 20_000
"""
The most types that a name may stand for, with those that the names in it stand for.

A name of a union or a tuple is only a short way to write it, so what is compiled of it has all of
them. Names that stand for two uses of the next one double them, and thirty are enough to fill the
memory.
"""
_NOTES: Final = ("description", "default", "examples", "deprecated")


def kind_of(schema: JsonSchema) -> Literal["record", "namedtuple", "enum"] | None:
    """The kind of named type that *schema* declares, or None if it declares no such type."""
    if not schema.keys().isdisjoint(("$ref", "anyOf", "oneOf")):
        return None
    if schema.get("type") == "object" and (
        schema.get("properties") or schema.get("additionalProperties") is False
    ):
        return "record"
    if schema.get("x-contract-type") == "namedtuple" and schema.get("type") == "array":
        return "namedtuple"
    if _is_enum(schema):
        return "enum"
    return None


def _is_enum(schema: JsonSchema) -> bool:
    names, values = schema.get("x-contract-enum-names"), schema.get("enum")
    if (
        names is None
        or not values
        or len(names) != len(values)
        or any(not isinstance(value, str | int | float) for value in values)
    ):
        return False
    spot = Spot(schema, Place(), "")
    # values that are equal in Python would be one member with two names
    return len({*values}) == len(values) and listed_values(spot, of_enum=True) == values


@final
class SchemaReader:
    """
    Reads the schemas of one document.

    Attributes:
        definitions: Name -> named type. Those in ``$defs`` are there from the beginning, those that
            are declared in place once they are read. Their shapes are there after `close`.

    Args:
        schemas: Name -> schema, as in ``$defs``.
        name: Makes a unique name for a type that is declared in place, from one that describes the
            place.
    """

    def __init__(self, schemas: Mapping[str, JsonSchema], name: Callable[[str], str]) -> None:
        self._schemas = schemas
        self._name = name
        # the answers of `_resolve`
        self._resolved: dict[str, tuple[str | None, JsonSchema]] = {}
        self._tags = Tags(self._resolve)
        self._unions = Unions()
        # the sets, whose items are checked by `close`
        self._sets: list[tuple[Spot, ArrayShape]] = []
        # named types whose shapes are still to be read
        self._ahead: deque[tuple[Definition, Spot]] = deque()
        self.definitions: dict[str, Definition] = {}
        # in order, so that the order of the keys of a document changes nothing
        for each, schema in sorted(schemas.items()):
            self._declare(each, Spot(schema, Place() / "$defs" / each, each))

    def read(self, spot: Spot) -> Shape:
        """
        The shape of *spot*.

        Raises:
            GenerationError: No type can express it, or something in it.
        """
        # each generator on the stack waits for the shape of the one above it
        stack = [self._shape(spot)]
        # what the topmost is sent: the shape that it asked for, or None to start it
        result: Any = None
        while stack:
            try:
                inner = stack[-1].send(result)
            except StopIteration as done:
                stack.pop()
                result = done.value
            else:
                stack.append(self._shape(inner))
                result = None
        found: Shape = result
        return found

    def record(self, spot: Spot) -> RefShape | None:
        """
        The record that *spot* describes or refers to.

        It is None if that is not a record, or is one with free keys.
        """
        name, schema = self._resolve(spot.schema)
        if kind_of(schema) != "record" or schema.get("additionalProperties", False) is not False:
            return None
        return self._reference_to(name, spot)

    def close(self) -> None:
        """
        Read the shapes of all names, once everything else has been read.

        Raises:
            GenerationError: No type can express one of them, or it stands for too many others; or
                the members of a union cannot be told apart, or the items of a set cannot be hashed.
        """
        # 1. Read the named types. Those that they declare in place come at the end of the queue.
        spots: dict[Definition, Spot] = {}
        while self._ahead:
            definition, spot = self._ahead.popleft()
            definition.close(self._declared(spot))
            spots[definition] = spot
        # 2. Check what needs the complete graph.
        mark_recursive(self.definitions.values())
        for definition, size_written in written_sizes(spots).items():
            if size_written > _MOST_WRITTEN:
                raise spots[definition].refuse(
                    f"it stands for more than {_MOST_WRITTEN} types, those of the names in it "
                    "included; put some of them into objects with a name"
                )
        self._unions.check()
        # one set of known definitions for all, as the loop ends at the first that has no hash
        known: set[Definition] = set()
        for spot, array in self._sets:
            if not is_hashable(array.item, known):
                raise spot.refuse(
                    "a set cannot hold lists, maps, sets or any values; leave out uniqueItems, "
                    'or let the items be "x-contract-type": "tuple" or "frozenset"'
                )

    def _resolve(self, schema: JsonSchema) -> tuple[str | None, JsonSchema]:
        """
        The schema to which *schema* refers in the end, and its name.

        A schema that is not a reference refers to itself.
        """
        names: list[str] = []
        found: tuple[str | None, JsonSchema] = None, schema
        while rules_of(found[1]) == {"$ref"}:
            name = target(found[1])
            if name not in self._schemas:
                break
            found = self._resolved.get(name, (name, self._schemas[name]))
            if name in self._resolved:
                break
            # the next search along this path ends at once; a circle, which readers of documents
            # refuse, ends too
            self._resolved[name] = found
            names.append(name)
        self._resolved.update(dict.fromkeys(names, found))
        return found

    def _declare(self, name: str, spot: Spot) -> RefShape:
        schema = spot.schema
        made = Definition(
            (name,), name, "", schema.get("description"), deprecated=schema.get("deprecated", False)
        )
        self.definitions[name] = made
        self._ahead.append((made, Spot(schema, spot.place, name)))
        return RefShape(made)

    def _hoist(self, spot: Spot) -> RefShape:
        """Declare a type that stands in place, under a name made of its place."""
        return self._declare(self._name(spot.name), spot)

    def _reference_to(self, name: str | None, spot: Spot) -> RefShape:
        """The named type *name*; the one that stands in place at *spot* if it has no name."""
        if name is None:
            return self._hoist(spot)
        return RefShape(self.definitions[name])

    # Named types.

    def _declared(self, spot: Spot) -> Shape:
        schema = spot.schema
        match kind_of(schema):
            case "record":
                return self._record(spot)
            case "namedtuple":
                return NamedTupleShape(NO_CLASS, tuple(self._positions(spot)))
            case "enum":
                return EnumShape(
                    NO_CLASS,
                    tuple(zip(schema["x-contract-enum-names"], schema["enum"], strict=True)),
                )
            case _:
                # a name for a union, an array or a scalar
                return self.read(spot)

    def _record(self, spot: Spot) -> RecordShape:
        fields = tuple(self._fields(spot))
        values = spot.schema["additionalProperties"]
        if values is False:
            return RecordShape("dataclass", NO_CLASS, fields)
        for field in fields:
            place = spot / "properties" / field.wire
            if field.json_default is not MISSING:
                raise (place / "default").refuse(
                    "a field beside free keys cannot have a default; leave this out"
                )
            if field.name != field.wire:
                raise (place / "x-contract-name").refuse(
                    "beside free keys, another key may have this name; leave this out"
                )
        of_values: JsonSchema = {} if values is True else values
        inner = spot.inner(of_values, "additionalProperties", part="value")
        return RecordShape("typeddict", NO_CLASS, fields, extra=self.read(inner))

    def _fields(self, spot: Spot) -> Iterator[Field]:
        schema = spot.schema
        others = rules_of(schema) - {"type", "properties", "required", "additionalProperties"}
        if others:
            # `min`, here and below: a set has no order, and the message should not differ each time
            raise (spot / min(others)).refuse(
                "an object with fields has no other rules; write them into its fields, "
                "or leave this out"
            )
        if "additionalProperties" not in schema:
            raise spot.refuse(
                'this does not say which other keys may be there; write "additionalProperties": '
                "false, or the schema of their values"
            )
        required = {*schema.get("required", ())}
        for wire in order_of(schema):
            field = schema["properties"][wire]
            yield self._field(spot, field, wire, "properties", wire, required=wire in required)

    def _positions(self, spot: Spot) -> Iterator[Field]:
        schema = spot.schema
        prefix = schema.get("prefixItems", [])
        others = rules_of(schema) - {"type", "prefixItems", "items", "minItems", "maxItems"}
        if others:
            raise (spot / min(others)).refuse("a named tuple has no other rules; leave this out")
        low, high = size(spot, "Items")
        low = low or 0
        if schema.get("items") is not False or low > len(prefix) or high != len(prefix):
            raise spot.refuse(
                'a named tuple has its positions and no more; write "items": false, '
                "and maxItems as there are in prefixItems"
            )
        for index, item in enumerate(prefix):
            wire = item.get("x-contract-name", f"item_{index}")
            yield self._field(spot, item, wire, "prefixItems", index, required=index < low)

    def _field(
        self, outside: Spot, schema: JsonSchema, wire: str, *steps: str | int, required: bool
    ) -> Field:
        # the notes are the field's, not its type's
        bare = {keyword: value for keyword, value in schema.items() if keyword not in _NOTES}
        # what every caller must send anyway needs no default
        has_default = "default" in schema and not required
        json_default = MISSING
        if has_default:
            json_default = _sorted(schema["default"])
        return Field(
            name=schema.get("x-contract-name", wire),
            wire=wire,
            shape=self.read(outside.inner(bare, *steps, part=wire)),
            optional_key=not required and not has_default,
            description=schema.get("description"),
            examples=tuple(_sorted([*schema.get("examples", ())])),
            json_default=json_default,
            deprecated=schema.get("deprecated", False),
        )

    # One schema. References, unions, named types and lists of values come before the types: they
    # may have a "type" too, but it is not what makes them what they are.

    def _shape(self, spot: Spot) -> _Reading:
        schema = spot.schema
        if spot.depth > _MOST_NESTED:
            raise spot.refuse(
                f"more than {_MOST_NESTED} arrays and maps are nested in each other; "
                "put an object between them, in $defs"
            )
        if "$ref" in schema:
            return self._reference(spot)
        if "oneOf" in schema:
            return (yield from self._one_of(spot))
        if "anyOf" in schema:
            return (yield from self._union(spot, options(spot)))
        if kind_of(schema) is not None:
            return self._hoist(spot)
        if "const" in schema or "enum" in schema:
            return listed_shape(spot)
        kind = schema.get("type")
        if isinstance(kind, list):
            # each type gets all keywords; those for other types have no meaning beside it
            several = cast("list[str]", kind)
            parts: list[Spot] = []
            for name in several:
                part = name if len(several) > 1 else ""
                parts.append(spot.inner({**schema, "type": name}, part=part))
            return (yield from self._union(spot, parts))
        match kind:
            case None:
                if rules_of(schema):
                    raise spot.refuse(
                        "the type is missing, so other keywords do not limit most values; "
                        'write "type"'
                    )
                return AnyShape()
            case "null":
                spot.check_rules()
                return NullShape()
            case "boolean":
                spot.check_rules()
                return BoolShape()
            case "integer":
                spot.check_rules()
                return int_shape(spot)
            case "number":
                spot.check_rules()
                return float_shape(spot)
            case "string":
                spot.check_rules("allOf", "if", "then")
                return text_shape(spot)
            case "array":
                spot.check_rules()
                return (yield from self._array(spot))
            case _:
                spot.check_rules()
                return (yield from self._map(spot))

    def _reference(self, spot: Spot) -> RefShape:
        name = target(spot.schema)
        if name not in self._schemas:
            raise (spot / "$ref").refuse("there is no such type in $defs")
        spot.check_alone("$ref")
        return RefShape(self.definitions[name])

    def _array(self, spot: Spot) -> _Reading:
        schema = spot.schema
        low, high = size(spot, "Items")
        if "prefixItems" in schema or schema.get("items") is False:
            return (yield from self._tuple(spot, low or 0, high))
        items = schema.get("items", True)
        item: Shape = AnyShape()
        if items is not True:
            item = yield spot.inner(items, "items", part="item", deeper=True)
        named = schema.get("x-contract-type")
        container: Container = "list"
        if schema.get("uniqueItems"):
            container = "frozenset" if named == "frozenset" else "set"
        elif named == "tuple":
            container = "tuple"
        array = ArrayShape(item, container, low, high)
        if array.unique:
            self._sets.append((spot, array))
        return array

    def _tuple(self, spot: Spot, low: int, high: int | None) -> _Reading:
        prefix = spot.schema.get("prefixItems", [])
        if spot.schema.get("items") is not False and high != len(prefix):
            raise spot.refuse(
                'this does not say what follows the first items; write "items": false, '
                "or one schema of all items"
            )
        if low != len(prefix) or (high is not None and high < low):
            raise spot.refuse(
                "every position of a tuple must be there; "
                "write minItems and maxItems as many as there are in prefixItems"
            )
        if spot.schema.get("uniqueItems"):
            raise (spot / "uniqueItems").refuse(
                "a tuple of different items is not a type; leave this out"
            )
        items: list[Shape] = []
        for index, item in enumerate(prefix):
            items.append(
                (yield spot.inner(item, "prefixItems", index, part=f"item_{index}", deeper=True))
            )
        return TupleShape(tuple(items))

    def _map(self, spot: Spot) -> _Reading:
        schema = spot.schema
        low, high = size(spot, "Properties")
        if schema.get("required"):
            raise (spot / "required").refuse(
                "this requires what no schema describes; write it into properties"
            )
        key = self._key(spot)
        values = schema.get("additionalProperties", True)
        value: Shape = AnyShape()
        if values is not True:
            value = yield spot.inner(values, "additionalProperties", part="value", deeper=True)
        return MapShape(key, value, low, high)

    def _key(self, outside: Spot) -> Shape:
        schema = outside.schema.get("propertyNames", {})
        spot = outside.inner(schema, "propertyNames", part="key")
        name, schema = self._resolve(schema)
        if kind_of(schema) == "enum":
            named = self._reference_to(name, spot)
            if all(isinstance(value, str) for value in schema["enum"]):
                return named
        elif (
            name is None
            and schema.get("type", "string") == "string"
            and schema.keys().isdisjoint(("oneOf", "anyOf"))
        ):
            # the keys of a JSON object are texts, so their schema may leave the type out
            key: Shape | None
            if "const" in schema or "enum" in schema:
                key = listed_key(spot)
            else:
                key = text_shape(spot, is_key=True)
            if key is not None:
                return key
        raise spot.refuse(
            "keys must be texts, with or without a form, integers or an enum; "
            "write one of these, in place if it is not an enum"
        )

    # Unions.

    def _union(self, spot: Spot, parts: list[Spot]) -> _Reading:
        members: list[Shape] = []
        for part in parts:
            members += [(yield part)]
        return self._unions.joined(spot, members)

    def _one_of(self, spot: Spot) -> _Reading:
        members: list[Spot] = []
        for index, each in enumerate(spot.schema["oneOf"]):
            members.append(spot.inner(each, "oneOf", index, part=f"option_{index}"))
        if len(members) == 1 and rules_of(spot.schema) == {"oneOf"}:
            return (yield members[0])
        tag, values = self._tags.of(spot, [member.schema for member in members])
        cases: list[tuple[Any, RefShape]] = []
        for member, own in zip(members, values, strict=True):
            name, _ = self._resolve(member.schema)
            record = self._reference_to(name, member)
            cases += [(value, record) for value in own]
        return TaggedUnionShape(tag, tag, tuple(cases))


def _sorted(value: Any) -> Any:
    """
    A JSON value with the keys of all objects in order.

    So the order of the keys of a document changes nothing that is made of it.
    """
    return orjson.loads(orjson.dumps(value, default=dict, option=orjson.OPT_SORT_KEYS))
