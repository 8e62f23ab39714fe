"""
Generics: finds the types of a document that are one generic type with different arguments.

A document has a type for each use (``Page_Order``, ``Page_Product``), and says which generic type
it is made from (``x-contract-generic``), but not which parts of ``Page`` are its argument. So all
types made from one generic type are compared part by part: a part that is the argument in each of
them is a parameter, and everything else must be the same. If something is not, or if the generic
type could not be told from another one, the types keep their own names. The output is then longer,
but correct.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, final

from contract.shape.graph import children, definitions, rebuilt
from contract.shape.json_text import JsonSchema, Place
from contract.shape.nodes import (
    MISSING,
    AnyShape,
    ArrayShape,
    Definition,
    Field,
    MapShape,
    NullableShape,
    RecordShape,
    RefShape,
    Shape,
    TaggedUnionShape,
)
from contract.shape.record import record
from contract.shape.schema_lens import schemas_in
from contract.shape.schema_node import Spot
from contract.shape.schema_reader import SchemaReader, kind_of

__all__ = ["Generic", "Made", "generics_of", "made_in"]


@final
@record
class Generic:
    """A generic type."""

    definition: Definition
    """Its name and its fields, in which a reference to a parameter is the parameter."""
    parameters: tuple[Definition, ...]
    """Named ``<T>``, or ``<T1>``, ``<T2>`` ..., like no type here; in all generic types alike."""
    instances: Mapping[str, tuple[Shape, ...]]
    """Name of a type that is made from it -> the arguments."""


Made = tuple[str, tuple[Shape, ...]]
"""The name of a generic type, and the arguments."""


def made_in(schemas: Mapping[str, JsonSchema], reader: SchemaReader) -> dict[str, Made]:
    """
    Name of a type -> the generic type and the arguments that the document names for it.

    Args:
        schemas: Name -> schema.
        reader: Reads the schemas; it is not closed yet.
    """
    found: dict[str, Made] = {}
    for name, schema in sorted(schemas.items()):
        generic: Mapping[str, Any] = schema.get("x-contract-generic", {})
        given: list[JsonSchema] = [*generic.get("arguments", ())]
        # a type that is declared in place differs from place to place
        if generic and not any(map(_declares_types, given)):
            place = Place() / "$defs" / name / "x-contract-generic" / "arguments"
            arguments: list[Shape] = []
            for index, each in enumerate(given):
                arguments.append(reader.read(Spot(each, place / index, name)))
            found[name] = generic["name"], tuple(arguments)
    return found


def _declares_types(schema: JsonSchema) -> bool:
    """Whether *schema* declares a type in place, itself or inside."""
    return any(kind_of(part) for part in schemas_in(schema))


def generics_of(
    types: Mapping[str, Definition], made: Mapping[str, Made], taken: Iterable[str]
) -> dict[str, Generic]:
    """
    Name -> generic type, sorted.

    Args:
        types: Name -> type, all of them complete.
        made: Name of a type -> the generic type and the arguments.
        taken: Names that generic types must not have, besides those of the types.
    """
    names = {each.lower() for each in (*types, *taken)}
    together: dict[str, dict[str, tuple[Shape, ...]]] = {}
    for name, (generic, arguments) in made.items():
        together.setdefault(generic, {})[name] = arguments
    parameters: dict[str, Definition] = {}
    found: dict[str, Generic] = {}
    for generic, instances in sorted(together.items()):
        known = _parameters(len(next(iter(instances.values()))), parameters)
        body = _body([types[name] for name in instances], [*instances.values()], known)
        if body is not None and generic.lower() not in names:
            first = types[next(iter(instances))]
            definition = Definition(
                (generic,), generic, "", first.description, deprecated=first.deprecated
            )
            definition.close(body)
            found[generic] = Generic(definition, known, instances)
    return found


def _parameters(count: int, known: dict[str, Definition]) -> tuple[Definition, ...]:
    labels = [f"<T{number}>" for number in range(1, count + 1)]
    if count == 1:
        labels = ["<T>"]
    for label in labels:
        if label not in known:
            known[label] = Definition((label,), label, "")
            known[label].close(AnyShape())
    return tuple(known[label] for label in labels)


class _OtherwiseError(Exception):
    """The types are not one generic type."""


def _body(
    types: Sequence[Definition],
    arguments: Sequence[tuple[Shape, ...]],
    parameters: tuple[Definition, ...],
) -> RecordShape | None:
    """
    The fields of the generic type that all *types* are made from; None if there is none.

    Args:
        types: The types.
        arguments: The arguments of each.
        parameters: One for each argument.
    """
    # 1. Reasons that rule a generic type out at once. It has one docstring for all types.
    if any(len(each) != len(parameters) for each in arguments):
        return None
    if any(each.recursive for each in types):
        return None
    if len({(each.description, each.deprecated) for each in types}) > 1:
        return None
    # 2. Parameter -> its argument in each type.
    columns = map(list, zip(*arguments, strict=True))
    given = dict(zip(parameters, columns, strict=True))
    for bound in given.values():
        # nobody knows whether an int is the argument or just an int
        if _is_alike(bound) and not any(definitions(bound[0])):
            return None
    # 3. The fields, part by part.
    try:
        body = _Walk(given).body([each.shape for each in types])
    except _OtherwiseError:
        return None
    # 4. Each parameter has to stand in a field.
    if not {*parameters} <= {*definitions(body)}:
        return None
    return body


class _Walk:
    """Compares types part by part."""

    def __init__(self, given: Mapping[Definition, Sequence[Shape]]) -> None:
        self._given = {each: [*map(_key, bound)] for each, bound in given.items()}

    def body(self, shapes: Sequence[Shape]) -> RecordShape:
        found = self._inside(shapes)
        if not isinstance(found, RecordShape) or found.extra is not None:
            raise _OtherwiseError
        if any(self._is_open(field.shape) and not _is_plain(field) for field in found.fields):
            raise _OtherwiseError
        return found

    def _part(self, shapes: Sequence[Shape]) -> Shape:
        keys = [*map(_key, shapes)]
        for parameter, given in self._given.items():
            if keys == given:
                return RefShape(parameter)
        return self._inside(shapes)

    def _inside(self, shapes: Sequence[Shape]) -> Shape:
        first = shapes[0]
        # alike on the outside, with something neutral in the place of each part; then the parts
        if not _is_alike([rebuilt(each, lambda _: AnyShape()) for each in shapes]):
            raise _OtherwiseError
        parts = iter([self._part(each) for each in zip(*map(children, shapes), strict=True)])
        found = rebuilt(first, lambda _: next(parts))
        match found:
            case TaggedUnionShape() if self._is_open(found):
                raise _OtherwiseError  # a parameter has no tag
            case MapShape(key) if self._is_open(key):
                raise _OtherwiseError  # not every type can be that of keys
            case _:
                return found

    def _is_open(self, shape: Shape) -> bool:
        return not self._given.keys().isdisjoint(definitions(shape))


def _is_plain(field: Field) -> bool:
    """Whether the default of *field*, if any, is valid whatever type a parameter is bound to."""
    match field.json_default:
        case None:
            return isinstance(field.shape, NullableShape)
        case []:
            return isinstance(field.shape, ArrayShape)
        case default:
            return default is MISSING


def _is_alike(shapes: Sequence[Shape]) -> bool:
    return len({*map(_key, shapes)}) == 1


def _key(shape: Shape) -> tuple[object, ...]:
    """A key that tells *shape* from all others of a document; ``==`` takes true for 1."""
    return (repr(shape), *map(id, definitions(shape)))
