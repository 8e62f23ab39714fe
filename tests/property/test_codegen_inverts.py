"""
The law of reading types back: whatever `contract.document.json_schema` writes of a type, the type that is read of it says the same.

It is shown by writing the type that was read as a schema again, without looking at anything else; both are equal to the word,
the notes on fields and types included.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, assert_never

import pytest
from hypothesis import given, settings

from contract.codegen.package import package_of
from contract.document import Document
from contract.document.contract_json import dump_contract, load_contract
from contract.document.json_schema import SchemaWriter
from contract.document.scalar_schemas import key_schema, scalar_schema
from contract.document.schema_names import names_of
from contract.shape import nodes
from contract.shape.graph import definitions, rebuilt
from contract.shape.reader import shape_of
from tests.codegen_documents import document as made
from tests.codegen_documents import route
from tests.effort import examples
from tests.paper import said
from tests.samples import EVERY
from tests.strategies import LARGE, types

_NUMBERS: Final = {
    "ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
}  # fmt: skip


def named(definition: nodes.Definition) -> dict[str, Any]:
    """The schema of a type that has a name, written by what was read of it alone."""
    notes: dict[str, Any] = {"title": definition.name}
    if definition.description is not None:
        notes["description"] = definition.description
    if definition.deprecated:
        notes["deprecated"] = True
    return {**notes, **schema_of(definition.shape)}


def schema_of_field(field: nodes.Field) -> dict[str, Any]:
    schema = schema_of(field.shape)
    if field.name != field.wire:
        schema["x-contract-name"] = field.name
    if field.description is not None:
        schema["description"] = field.description
    if field.json_default is not nodes.MISSING:
        schema["default"] = field.json_default
    if field.examples:
        schema["examples"] = [*field.examples]
    return schema


def schema_of(of: nodes.Shape) -> dict[str, Any]:
    match of:
        case nodes.AnyShape():
            return {}
        case nodes.FloatShape(bounds):
            limits = {
                keyword: limit
                for name, keyword in _NUMBERS.items()
                if (limit := getattr(bounds, name)) is not None
            }
            return {"type": "number", "format": "double", **limits}
        case nodes.Basic() | nodes.LiteralShape() | nodes.EnumShape():
            return scalar_schema(of)
        case nodes.ArrayShape(item, container, low, high):
            told = {} if container == "list" else {"x-contract-type": container}
            unique = {"uniqueItems": True} if of.unique else {}
            rules: dict[str, Any] = {**sizes("Items", low, high), **unique, **told}
            return {"type": "array", "items": schema_of(item), **rules}
        case nodes.TupleShape(items):
            return positions([*map(schema_of, items)], len(items), "tuple")
        case nodes.MapShape(key, value, low, high):
            names = key_schema(key) or schema_of(key)
            keys = {} if key == nodes.StrShape() else {"propertyNames": names}
            rules = {**keys, **sizes("Properties", low, high)}
            return {"type": "object", "additionalProperties": schema_of(value), **rules}
        case nodes.NullableShape(nodes.UnionShape(members)):
            return {"anyOf": [*map(schema_of, members), {"type": "null"}]}
        case nodes.NullableShape(inner):
            return {"anyOf": [schema_of(inner), {"type": "null"}]}
        case nodes.UnionShape(members):
            return {"anyOf": [*map(schema_of, members)]}
        case nodes.TaggedUnionShape(tag, _, cases):
            return tagged(tag, cases)
        case nodes.RefShape(definition):
            return {"$ref": f"#/$defs/{definition.name}"}
        case nodes.RecordShape(_, _, fields, extra=extra):
            order = [field.wire for field in fields]
            required = {"required": [field.wire for field in fields if field.required_in]}
            return {
                "type": "object",
                "properties": {field.wire: schema_of_field(field) for field in fields},
                **(required if required["required"] else {}),
                "additionalProperties": False if extra is None else schema_of(extra),
                **({"x-contract-order": order} if order != sorted(order) else {}),
            }
        case nodes.NamedTupleShape(_, fields):
            items_ = [{**schema_of_field(field), "x-contract-name": field.name} for field in fields]
            return positions(items_, sum(field.required_in for field in fields), "namedtuple")
        case nodes.OwnShape(inner, kind=kind):
            return schema_of(inner) | {"x-contract-type": kind}
        case nodes.Refined():
            raise AssertionError("no document says this")
        case _:
            assert_never(of)


def tagged(tag: str, cases: tuple[tuple[nodes.Scalar, nodes.RefShape], ...]) -> dict[str, Any]:
    tags = [value for value, _ in cases]
    records = {record.definition: schema_of(record) for _, record in cases}
    schema: dict[str, Any] = {"oneOf": [*records.values()]}
    if all(isinstance(value, str) for value in tags):
        schema["discriminator"] = {
            "propertyName": tag,
            "mapping": {value: schema_of(record)["$ref"] for value, record in cases},
        }
    if not all(requires(record, tag) for record in records):
        schema |= {"type": "object", "properties": {tag: {"enum": tags}}, "required": [tag]}
    return schema


def requires(record: nodes.Definition, tag: str) -> bool:
    assert isinstance(record.shape, nodes.RecordShape)
    return any(field.wire == tag and field.required_in for field in record.shape.fields)


def positions(items: list[dict[str, Any]], required: int, kind: str) -> dict[str, Any]:
    prefix = {"prefixItems": items} if items else {}
    lengths = {"minItems": required, "maxItems": len(items)}
    return {"type": "array", **prefix, "items": False, **lengths, "x-contract-type": kind}


def sizes(what: str, low: int | None, high: int | None) -> dict[str, int]:
    return {f"{end}{what}": each for end, each in (("min", low), ("max", high)) if each is not None}


def document_of(annotation: Any) -> Document:
    """A document with a route that takes and gives values of *annotation*."""
    shape = shape_of(annotation)
    writer = SchemaWriter(names_of(definitions(shape)))
    given, told = writer.schema(shape, "input"), writer.schema(shape, "output")
    return made(
        route(input=given, output=told), defs=writer.defs((shape, "input"), (shape, "output"))
    )


def hold(document: Document) -> None:
    package = package_of(document)
    route = document.routes["do"]
    operation = package.operations["do"]

    assert operation.input is not None
    assert schema_of(operation.input) == route.input
    assert schema_of(operation.output) == route.output
    assert [*package.definitions] == sorted(document.defs)
    for name, definition in package.definitions.items():
        told = {key: of for key, of in document.defs[name].items() if key != "x-contract-generic"}
        assert named(definition) == told
    for generic in package.generics.values():
        for name, arguments in generic.instances.items():
            told = {"name": generic.definition.name, "arguments": [*map(schema_of, arguments)]}
            assert document.defs[name]["x-contract-generic"] == told
            held = dict(zip(generic.parameters, arguments, strict=True))
            whole = filled(generic.definition.shape, held)
            assert said(whole) == said(package.definitions[name].shape)


def filled(shape: nodes.Shape, held: Mapping[nodes.Definition, nodes.Shape]) -> nodes.Shape:
    """*shape* with arguments in place of its parameters."""
    if isinstance(shape, nodes.RefShape):
        return held.get(shape.definition, shape)
    return rebuilt(shape, lambda part: filled(part, held))


def everything(document: Document) -> list[str]:
    package = package_of(document)
    route = package.operations["do"]
    named = ((each, each.shape) for each in package.definitions.values())
    return [said(each) for each in (route.input, route.output, *named)]


@pytest.mark.parametrize("annotation", EVERY.values(), ids=EVERY.keys())
def test_what_is_written_is_read_back(annotation: Any) -> None:
    document = document_of(annotation)

    hold(document)
    assert everything(load_contract(dump_contract(document))) == everything(document)


@settings(max_examples=examples(200), suppress_health_check=LARGE)
@given(types(one_way=True))
def test_what_is_written_of_any_type_is_read_back(annotation: Any) -> None:
    document = document_of(annotation)

    hold(document)
    assert everything(load_contract(dump_contract(document))) == everything(document)
