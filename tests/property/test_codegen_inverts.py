"""
The law of reading types back: whatever `contract.document.json_schema` writes of a type, the type that is read of it says the same.

It is shown by writing the type that was read as a schema again, without looking at anything else; both are equal to the word,
the notes on fields and types included.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, assert_never

import pytest
from hypothesis import HealthCheck, given, settings

from contract.codegen.package import package_of
from contract.document import ContractRoute, Document, Info, Links
from contract.document.contract_json import dump_contract, load_contract
from contract.document.json_schema import SchemaWriter
from contract.document.scalar_schemas import key_schema, scalar_schema
from contract.document.schema_names import names_of
from contract.shape.graph import definitions, rebuilt
from contract.shape.nodes import (
    MISSING,
    AnyShape,
    ArrayShape,
    BoolShape,
    BytesShape,
    DateShape,
    DatetimeShape,
    DecimalShape,
    Definition,
    EnumShape,
    Field,
    FloatShape,
    IntShape,
    LiteralShape,
    LocalDatetimeShape,
    MapShape,
    NamedTupleShape,
    NullableShape,
    NullShape,
    OwnShape,
    RecordShape,
    Refined,
    RefShape,
    Scalar,
    Shape,
    StrShape,
    TaggedUnionShape,
    TimedeltaShape,
    TimeShape,
    TupleShape,
    UnionShape,
    UuidShape,
)
from contract.shape.reader import shape_of
from tests.effort import examples
from tests.paper import said
from tests.samples import ANNOTATIONS, ONE_WAY, PICKY
from tests.strategies import types

_NUMBERS: Final = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
}


def named(definition: Definition) -> dict[str, Any]:
    """The schema of a type that has a name, written by what was read of it alone."""
    notes: dict[str, Any] = {"title": definition.name}
    if definition.description is not None:
        notes["description"] = definition.description
    if definition.deprecated:
        notes["deprecated"] = True
    return {**notes, **schema_of(definition.shape)}


def schema_of_field(field: Field) -> dict[str, Any]:
    schema = schema_of(field.shape)
    if field.name != field.wire:
        schema["x-contract-name"] = field.name
    if field.description is not None:
        schema["description"] = field.description
    if field.json_default is not MISSING:
        schema["default"] = field.json_default
    if field.examples:
        schema["examples"] = [*field.examples]
    return schema


def schema_of(of: Shape) -> dict[str, Any]:
    match of:
        case AnyShape():
            return {}
        case (
            NullShape()
            | BoolShape()
            | IntShape()
            | StrShape()
            | BytesShape()
            | LiteralShape()
            | EnumShape()
        ):
            return scalar_schema(of)
        case (
            DecimalShape()
            | DatetimeShape()
            | LocalDatetimeShape()
            | DateShape()
            | TimeShape()
            | TimedeltaShape()
            | UuidShape()
        ):
            return scalar_schema(of)
        case FloatShape(bounds):
            limits = {
                keyword: limit
                for name, keyword in _NUMBERS.items()
                if (limit := getattr(bounds, name)) is not None
            }
            return {"type": "number", "format": "double", **limits}
        case ArrayShape(item, container, low, high):
            told = {} if container == "list" else {"x-contract-type": container}
            unique = {"uniqueItems": True} if of.unique else {}
            return {
                "type": "array",
                "items": schema_of(item),
                **sizes("Items", low, high),
                **unique,
                **told,
            }
        case TupleShape(items):
            return {
                **positions([schema_of(item) for item in items], len(items)),
                "x-contract-type": "tuple",
            }
        case MapShape(key, value, low, high):
            names = key_schema(key) or schema_of(key)
            keys = {} if key == StrShape() else {"propertyNames": names}
            return {
                "type": "object",
                "additionalProperties": schema_of(value),
                **keys,
                **sizes("Properties", low, high),
            }
        case NullableShape(UnionShape(members)):
            return {"anyOf": [*map(schema_of, members), {"type": "null"}]}
        case NullableShape(inner):
            return {"anyOf": [schema_of(inner), {"type": "null"}]}
        case UnionShape(members):
            return {"anyOf": [*map(schema_of, members)]}
        case TaggedUnionShape(tag, _, cases):
            return tagged(tag, cases)
        case RefShape(definition):
            return {"$ref": f"#/$defs/{definition.name}"}
        case RecordShape(_, _, fields, extra=extra):
            order = [field.wire for field in fields]
            required = {"required": [field.wire for field in fields if field.required_in]}
            return {
                "type": "object",
                "properties": {field.wire: schema_of_field(field) for field in fields},
                **(required if required["required"] else {}),
                "additionalProperties": False if extra is None else schema_of(extra),
                **({"x-contract-order": order} if order != sorted(order) else {}),
            }
        case NamedTupleShape(_, fields):
            items_ = [{**schema_of_field(field), "x-contract-name": field.name} for field in fields]
            return {
                **positions(items_, sum(field.required_in for field in fields)),
                "x-contract-type": "namedtuple",
            }
        case OwnShape(inner, kind=kind):
            return schema_of(inner) | {"x-contract-type": kind}
        case Refined():
            raise AssertionError("no document says this")
        case _:
            assert_never(of)


def tagged(tag: str, cases: tuple[tuple[Scalar, RefShape], ...]) -> dict[str, Any]:
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


def requires(record: Definition, tag: str) -> bool:
    assert isinstance(record.shape, RecordShape)
    return any(field.wire == tag and field.required_in for field in record.shape.fields)


def positions(items: list[dict[str, Any]], required: int) -> dict[str, Any]:
    prefix = {"prefixItems": items} if items else {}
    return {"type": "array", **prefix, "items": False, "minItems": required, "maxItems": len(items)}


def sizes(what: str, low: int | None, high: int | None) -> dict[str, int]:
    return {
        f"{end}{what}": limit for end, limit in (("min", low), ("max", high)) if limit is not None
    }


def document_of(annotation: Any) -> Document:
    """A document with a route that takes and gives values of *annotation*."""
    shape = shape_of(annotation)
    writer = SchemaWriter(names_of(definitions(shape)))
    route = ContractRoute(
        path="do",
        summary="Do it",
        tags=(),
        auth="none",
        effect="read",
        input=writer.schema(shape, "input"),
        output=writer.schema(shape, "output"),
        errors={},
    )
    defs = writer.defs((shape, "input"), (shape, "output"))
    return Document(
        info=Info("Law", "1"),
        ui={},
        links=Links(),
        defs=defs,
        errors={},
        exports={},
        routes={"do": route},
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


def filled(shape: Shape, held: Mapping[Definition, Shape]) -> Shape:
    """*shape* with arguments in place of its parameters."""
    if isinstance(shape, RefShape):
        return held.get(shape.definition, shape)
    return rebuilt(shape, lambda part: filled(part, held))


def everything(document: Document) -> list[str]:
    package = package_of(document)
    route = package.operations["do"]
    return [
        said(each)
        for each in (
            route.input,
            route.output,
            *((each, each.shape) for each in package.definitions.values()),
        )
    ]


EVERY: Final = {**ANNOTATIONS, **ONE_WAY, **PICKY}


@pytest.mark.parametrize("annotation", EVERY.values(), ids=EVERY.keys())
def test_what_is_written_is_read_back(annotation: Any) -> None:
    document = document_of(annotation)

    hold(document)
    assert everything(load_contract(dump_contract(document))) == everything(document)


@settings(
    max_examples=examples(200),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(types(one_way=True))
def test_what_is_written_of_any_type_is_read_back(annotation: Any) -> None:
    document = document_of(annotation)

    hold(document)
    assert everything(load_contract(dump_contract(document))) == everything(document)
