"""
JSON Schema: shapes as schemas, in the dialect 2020-12.

The schema of an input accepts what the pred accepts, except for what `tests/schema_differences.py`
lists; the schema of an output accepts all that is dumped. Named types are written once, in
``$defs``: ``T`` is the output form, and ``TInput`` the input form if it differs.

What generated clients need to know, but JSON Schema has no keyword for, is in these keywords:

``x-contract-type``
    The meaning of a string or an array if neither ``type`` nor ``format`` tells: ``bytes``,
    ``decimal``, ``time``, ``timedelta``, ``int`` (the key of a map), ``set``, ``frozenset``,
    ``tuple``, ``namedtuple``; and the *kind* of those of `contract.shape.python_types` and
    `contract.shape.own_texts`.
``x-contract-name``
    The name of a field in Python, if it differs from that on the wire; always given for the
    positions of a named tuple.
``x-contract-order``
    The properties of an object in the order of their declaration, if that is not alphabetical.
``x-contract-enum-names``
    The names of an enum's members, in the order of ``enum``.
``x-contract-generic``
    The ``name`` of the generic type that a type is made from, and its ``arguments``.
``x-contract-bounds``
    ``ge``, ``gt``, ``le``, ``lt`` and ``multiple_of`` of a value that is written as a text, written
    like that value.

``discriminator`` is OpenAPI's (specification 3.1, section 4.8.25), on unions whose tags are texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, assert_never

from contract.document.checked_json import DEFINITION
from contract.document.model import Side
from contract.document.scalar_schemas import key_schema, limited, scalar_schema
from contract.pred.dump.classes import Json
from contract.pred.dump.scalars import SCALARS
from contract.pred.dump.walk import plain
from contract.pred.flooding import is_capped, most_items, most_keys
from contract.shape.defaults import known_default
from contract.shape.exceptions import InvalidOutput
from contract.shape.graph import alternatives, definitions, nested
from contract.shape.json_text import JsonSchema
from contract.shape.nodes import (
    MISSING,
    AnyShape,
    ArrayShape,
    Container,
    Definition,
    Field,
    MapShape,
    Missing,
    NamedTupleShape,
    NullableShape,
    OwnShape,
    RecordShape,
    Refined,
    RefShape,
    Shape,
    TaggedUnionShape,
    TupleShape,
    UnionShape,
)
from contract.shape.own_texts import SecretStr
from contract.shape.schema_lens import reference

__all__ = [
    "Facts",
    "SchemaWriter",
    "closure",
    "own_name",
]

_Schema = dict[str, Any]


class SchemaWriter:
    """
    Writes the schemas of one spec.

    The schemas that it returns may be shared between calls, and must not be changed.

    Args:
        names: The component name of every named type that a shape leads to, as from `names_of`.
    """

    __slots__ = ("_bodies", "_facts", "_generics", "_names")

    def __init__(self, names: Mapping[Definition, str]) -> None:
        self._names = names
        self._facts = Facts(names)
        self._generics = _generics(names)
        self._bodies: dict[tuple[Definition, Side], JsonSchema] = {}

    @property
    def taken(self) -> frozenset[str]:
        """The names of all named types, in both forms."""
        received = frozenset(self._name(definition, "input") for definition in self._names)
        return received.union(self._name(definition, "output") for definition in self._names)

    def defs(self, *roots: tuple[Shape, Side]) -> dict[str, JsonSchema]:
        """The schemas of all named types to which *roots* lead on their sides, sorted by name."""
        found: dict[str, JsonSchema] = {}
        ahead = [*roots]
        while ahead:
            shape, side = ahead.pop()
            for definition in _on_side(shape, side):
                name = self._name(definition, side)
                if name not in found:
                    found[name] = self._body(definition, side)
                    ahead.append((definition.shape, side))
        return dict(sorted(found.items()))

    def _name(self, definition: Definition, side: Side) -> str:
        name = self._names[definition]
        if side == "input" and definition in self._facts.differing:
            return f"{name}Input"
        return name

    def _body(self, definition: Definition, side: Side) -> JsonSchema:
        # a type whose forms do not differ has one body
        form: Side = side if definition in self._facts.differing else "output"
        key = (definition, form)
        if key not in self._bodies:
            body: _Schema = {"title": self._name(definition, side)}
            if definition.description:
                body["description"] = definition.description
            if definition.deprecated:
                body["deprecated"] = True
            body |= self.schema(definition.shape, side)
            self._bodies[key] = body | self._generic(definition, side)
        return self._bodies[key]

    def _generic(self, definition: Definition, side: Side) -> _Schema:
        arguments = definition.key[1:]
        named = set(chain.from_iterable(map(definitions, arguments)))
        contained = {*_on_side(definition.shape, side)}
        # a type that no field uses on this side may be missing from the document
        if definition not in self._generics or not named <= contained:
            return {}
        name = self._generics[definition]
        others_differ = not self._facts.differing.isdisjoint(contained - named)
        if side == "input" and (_settles(definition.shape) or others_differ):
            name = f"{name}Input"  # if all arguments were the same, it would be another type
        written = [self.schema(argument, side) for argument in arguments]
        return {"x-contract-generic": {"name": name, "arguments": written}}

    def schema(self, shape: Shape, side: Side) -> _Schema:
        """
        The schema of *shape* as it is received or sent.

        Named types are references, ``{"$ref": "#/$defs/NAME"}``, where NAME ends in ``Input`` for
        the input form of a type whose two forms differ.
        """
        if isinstance(shape, SCALARS):
            return scalar_schema(shape)
        match shape:
            case AnyShape():
                return {}
            case ArrayShape(item, container, low, high):
                # in the input, a set always has a limit if callers could forge its items' hashes
                if side == "input":
                    high = most_items(shape)
                array: _Schema = {"type": "array", "items": self.schema(item, side)}
                return array | limited("Items", low, high) | _container(container)
            case TupleShape(items):
                positions = [self.schema(item, side) for item in items]
                return {**_positions(positions, len(items)), "x-contract-type": "tuple"}
            case NamedTupleShape(_, fields):
                required = len(fields)
                if side == "input":
                    required = sum(field.required_in for field in fields)
                positions = [self._position(field, side) for field in fields]
                return {**_positions(positions, required), "x-contract-type": "namedtuple"}
            case MapShape(key, value, low, high):
                if side == "input":
                    high = most_keys(shape)
                names = key_schema(key) or self.schema(key, side)
                free: _Schema = {
                    "type": "object",
                    "additionalProperties": self.schema(value, side),
                }
                if names != {"type": "string"}:
                    free["propertyNames"] = names
                return free | limited("Properties", low, high)
            case NullableShape(inner):
                schema = self.schema(inner, side)
                # null is one more member of a union, not a union around it
                members = [schema]
                if schema.keys() == {"anyOf"}:
                    members = schema["anyOf"]
                return {"anyOf": [*members, {"type": "null"}]}
            case UnionShape(members):
                return {"anyOf": [self.schema(member, side) for member in members]}
            case TaggedUnionShape():
                return self._tagged(shape, side)
            case Refined(inner):
                return self.schema(inner, side)
            case OwnShape(inner, kind=kind):
                own = scalar_schema(inner)
                return own if kind is None else {**own, "x-contract-type": kind}
            case RecordShape(_, _, fields, extra=extra):
                on_side = [field for field in fields if _is_on(field, side)]
                if extra is None:
                    return self._record(on_side, side)
                # an object without fields is a map
                schema = {"type": "object"}
                if on_side:
                    schema = self._record(on_side, side)
                return schema | {"additionalProperties": self.schema(extra, side)}
            case RefShape(definition):
                return reference(self._name(definition, side))
            case _:
                assert_never(shape)

    def _record(self, fields: Iterable[Field], side: Side) -> _Schema:
        fields = [*fields]
        schema: _Schema = {
            "type": "object",
            "properties": {field.wire: self._property(field, side) for field in fields},
        }
        required = [field.wire for field in fields if field.required_out]
        if side == "input":
            required = [field.wire for field in fields if field.required_in]
        if required:
            schema["required"] = required
        schema["additionalProperties"] = False
        order = [field.wire for field in fields]
        if order != sorted(order):
            schema["x-contract-order"] = order
        return schema

    def _property(self, field: Field, side: Side) -> _Schema:
        if field.wire == field.name:
            return self._field(field, side)
        return self._position(field, side)

    def _position(self, field: Field, side: Side) -> _Schema:
        """The schema of a field with its name, which the place does not tell."""
        return {**self._field(field, side), "x-contract-name": field.name}

    def _field(self, field: Field, side: Side) -> _Schema:
        schema = self.schema(field.shape, side)
        if field.description:
            schema["description"] = field.description
        # a default is for those who leave a field out, so an output has none
        if side == "input":
            default = _default_of(field, self._facts)
            if default is not MISSING:
                schema["default"] = default
        examples = _examples_of(field, self._facts, side)
        if examples:
            schema["examples"] = examples
        return schema

    def _tagged(self, shape: TaggedUnionShape, side: Side) -> _Schema:
        records = {record.definition: self.schema(record, side) for _, record in shape.cases}
        schema: _Schema = {"oneOf": [*records.values()]}
        tags = [tag for tag, _ in shape.cases]
        if all(isinstance(tag, str) for tag in tags):
            # OpenAPI 3.1, section 4.8.25: the names of a mapping are texts
            schema["discriminator"] = {
                "propertyName": shape.tag,
                "mapping": {tag: records[record.definition]["$ref"] for tag, record in shape.cases},
            }
        if side == "input" and any(
            _may_lack(record.definition, shape.attribute) for _, record in shape.cases
        ):
            # a record may be written without a tag that has a default, but not if the tag must tell
            # it from others
            schema |= {
                "type": "object",
                "properties": {shape.tag: {"enum": tags}},
                "required": [shape.tag],
            }
        return schema


def _generics(found: Iterable[Definition]) -> dict[Definition, str]:
    """
    Each type made from a generic one -> the name of the generic type.

    Two generic types of one name are left out, since their name does not tell them apart.
    """
    made = {each: own_name(each).lstrip("_") for each in found if each.key[1:]}
    owners: dict[str, set[object]] = {}
    for each, name in made.items():
        owners.setdefault(name.lower(), set()).add(each.key[0])
    alone = {each: name for each, name in made.items() if len(owners[name.lower()]) == 1}
    # the name of a class may have letters that the name of a type in a document cannot have
    return {each: name for each, name in alone.items() if DEFINITION.fullmatch(f"{name}Input")}


def own_name(definition: Definition) -> str:
    """The name of the type without its arguments."""
    key: Any = definition.key[0]
    # the key of an exported type without a name is the name of its export
    name: str = key if isinstance(key, str) else key.__name__
    return name


def _container(container: Container) -> _Schema:
    match container:
        case "list" | "sequence" | "deque":
            return {}
        case "tuple":
            return {"x-contract-type": "tuple"}
        case "set" | "frozenset":
            return {"uniqueItems": True, "x-contract-type": container}
        case _:
            assert_never(container)


def _positions(items: list[_Schema], required: int) -> _Schema:
    schema: _Schema = {"type": "array"}
    if items:  # an empty list is not valid in a schema
        schema["prefixItems"] = items
    return schema | {"items": False, "minItems": required, "maxItems": len(items)}


def _may_lack(definition: Definition, attribute: str) -> bool:
    record = definition.shape
    assert isinstance(record, RecordShape)  # noqa: S101  all members of a tagged union are records
    return any(field.name == attribute and not field.required_in for field in record.fields)


def _default_of(field: Field, facts: Facts) -> Json | Missing:
    """
    The value of *field* in an input that lacks it.

    It is MISSING if the field has no default, or one that cannot be told.
    """
    if facts.is_one_way(field.shape) or facts.is_secret(field.shape):
        return MISSING  # its written form is not a valid input, or must stay secret
    value = known_default(field)
    return MISSING if value is MISSING else _written(field, value)


def _holds_secret(shape: Shape) -> bool:
    """Whether a text that documents must not show is a part of *shape* itself."""
    return any(isinstance(part, OwnShape) and part.type is SecretStr for part in nested(shape))


def _examples_of(field: Field, facts: Facts, side: Side) -> list[Json]:
    """The examples of *field* that are valid, or else those of its own type."""
    if not field.examples:
        own = alternatives(field.shape)
        if len(own) != 1 or not isinstance(own[0], OwnShape):
            return []
        return [*own[0].examples]
    if side == "input" and facts.is_one_way(field.shape):
        return []
    written = (_written(field, example) for example in field.examples)
    return [example for example in written if example is not MISSING]


def _written(field: Field, value: Any) -> Json | Missing:
    try:
        return plain(field.shape, value)
    except InvalidOutput:  # an example only informs readers, so a bad one is left out
        return MISSING


# Input and output: the types whose two forms differ.
#
# A type differs if one of its own fields does, or if it contains a type that differs. So the
# question is answered for all types at once, from those that settle it to those that contain them.


class Facts:
    """
    Facts about the types of a spec.

    Attributes:
        differing: Types whose input form is not their output form.
        one_way: Types with a field that only one of the two sides has, so a dumped value cannot be
            loaded.
        secret: Types whose values may contain a text that documents must not show.
    """

    __slots__ = ("differing", "one_way", "secret")

    def __init__(self, found: Iterable[Definition]) -> None:
        found = [*found]
        holders: dict[Definition, list[Definition]] = {}
        for definition in found:
            for target in definitions(definition.shape):
                holders.setdefault(target, []).append(definition)

        def leading_to(settles: Callable[[Shape], bool]) -> frozenset[Definition]:
            # from the types that settle it outwards to those that hold them: no recursion, so types
            # that hold each other are no trouble
            ahead = [definition for definition in found if settles(definition.shape)]
            leading = set(ahead)
            while ahead:
                for holder in holders.get(ahead.pop(), ()):
                    if holder not in leading:
                        leading.add(holder)
                        ahead.append(holder)
            return frozenset(leading)

        self.differing: frozenset[Definition] = leading_to(_settles)
        self.one_way: frozenset[Definition] = leading_to(
            lambda shape: any(not field.init or field.init_only for field in _fields(shape))
        )
        self.secret: frozenset[Definition] = leading_to(_holds_secret)

    def is_one_way(self, shape: Shape) -> bool:
        """Whether a value of *shape* may contain a field that only one side has."""
        return any(definition in self.one_way for definition in definitions(shape))

    def is_secret(self, shape: Shape) -> bool:
        """Whether a value of *shape* may contain a text that documents must not show."""
        return _holds_secret(shape) or not self.secret.isdisjoint(definitions(shape))


def closure(roots: Iterable[Definition]) -> list[Definition]:
    """*roots* and all definitions that they lead to, each once."""
    found: dict[Definition, None] = {}
    ahead = [*roots]
    while ahead:
        definition = ahead.pop()
        if definition not in found:
            found[definition] = None
            ahead.extend(definitions(definition.shape))
    return [*found]


def _is_on(field: Field, side: Side) -> bool:
    """Whether *side* has *field*."""
    # an output also has fields that the author computes (init=False), and no InitVar
    return field.init if side == "input" else not field.init_only


def _on_side(shape: Shape, side: Side) -> Iterator[Definition]:
    """The definitions that *shape* refers to on *side*; those that they refer to are left out."""
    if not _fields(shape):
        yield from definitions(shape)
        return
    for field in _fields(shape):
        if _is_on(field, side):
            yield from definitions(field.shape)
    if isinstance(shape, RecordShape) and shape.extra is not None:
        yield from definitions(shape.extra)


def _fields(shape: Shape) -> tuple[Field, ...]:
    return shape.fields if isinstance(shape, RecordShape | NamedTupleShape) else ()


def _settles(shape: Shape) -> bool:
    """Whether *shape* itself makes the two sides differ."""
    return is_capped(shape) or any(map(_differs, _fields(shape)))


def _differs(field: Field) -> bool:
    return not field.init or field.init_only or field.required_in != field.required_out
