"""
The law of reading types back: whatever `contract.document.json_schema` writes of a type, the type that is read of it says the same.

It is shown by writing the type that was read as a schema again, without looking at anything else; both are equal to the word,
the notes on fields and types included.
"""

from __future__ import annotations

from typing import Any, Final, assert_never

import pytest
from hypothesis import HealthCheck, given, settings

from contract.codegen.forms import BASE64
from contract.codegen.model import (
    ABSENT,
    AliasDeclaration,
    AnyType,
    ArrayType,
    BoolType,
    BytesType,
    Declaration,
    EnumDeclaration,
    Field,
    FloatType,
    IntType,
    Limits,
    LiteralType,
    MapType,
    NamedTupleDeclaration,
    NamedType,
    NullableType,
    NullType,
    Package,
    RecordDeclaration,
    Scalar,
    StrType,
    TaggedType,
    TextType,
    TupleType,
    Type,
    UnionType,
)
from contract.codegen.reader import package_of
from contract.document import ContractRoute, Document, Info, Links
from contract.document.json_schema import SchemaWriter
from contract.document.reader import load_contract
from contract.document.scalar_schemas import scalar_schema
from contract.document.schema_names import names_of
from contract.document.writer import dump_contract
from contract.shape import shape_of
from contract.shape.graph import definitions
from contract.shape.nodes import BytesShape
from tests.effort import examples
from tests.samples import ANNOTATIONS, ONE_WAY
from tests.strategies import types

_JSON_TYPES: Final[dict[type, str]] = {str: "string", int: "integer", bool: "boolean"}
_NUMBERS: Final = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
}
_BOUNDS: Final = ("ge", "gt", "le", "lt", "multiple_of")
_FORMATS: Final = {"datetime": "date-time", "date": "date", "uuid": "uuid"}


class Writing:
    """Writes the types of a package as schemas."""

    def __init__(self, package: Package) -> None:
        self.package = package

    def declaration(self, declared: Declaration) -> dict[str, Any]:
        notes: dict[str, Any] = {"title": declared.name}
        if declared.description is not None:
            notes["description"] = declared.description
        if declared.deprecated:
            notes["deprecated"] = True
        match declared:
            case RecordDeclaration(fields=fields):
                order = [field.wire for field in fields]
                required = {"required": [field.wire for field in fields if field.required]}
                ordered = {"x-contract-order": order} if order != sorted(order) else {}
                return {
                    **notes,
                    "type": "object",
                    "properties": {field.wire: self.field(field) for field in fields},
                    **(required if required["required"] else {}),
                    "additionalProperties": False,
                    **ordered,
                }
            case NamedTupleDeclaration(fields=fields):
                items = [{**self.field(field), "x-contract-name": field.name} for field in fields]
                return {
                    **notes,
                    **positions(items, sum(field.required for field in fields)),
                    "x-contract-type": "namedtuple",
                }
            case EnumDeclaration(members=members):
                values = [value for _, value in members]
                return {
                    **notes,
                    "type": json_types(values),
                    "enum": values,
                    "x-contract-enum-names": [name for name, _ in members],
                }
            case AliasDeclaration(type=of):
                return {**notes, **self.schema(of)}
            case _:
                assert_never(declared)

    def field(self, field: Field) -> dict[str, Any]:
        schema = self.schema(field.type)
        if field.name != field.wire:
            schema["x-contract-name"] = field.name
        if field.description is not None:
            schema["description"] = field.description
        if field.default is not ABSENT:
            schema["default"] = field.default
        if field.examples:
            schema["examples"] = [*field.examples]
        return schema

    def schema(self, of: Type) -> dict[str, Any]:
        match of:
            case AnyType():
                return {}
            case NullType():
                return {"type": "null"}
            case BoolType():
                return {"type": "boolean"}
            case IntType(limits):
                low = -(2**63) if limits.ge is None else limits.ge
                high = 2**63 - 1 if limits.le is None else limits.le
                whole = {"type": "integer", "minimum": low, "maximum": high}
                whole |= {} if limits.multiple_of is None else {"multipleOf": limits.multiple_of}
                return whole | ({"format": "int64"} if high < 2**63 else {})
            case FloatType(limits):
                return {
                    "type": "number",
                    "format": "double",
                    **{_NUMBERS[name]: limit for name, limit in given_in(limits).items()},
                }
            case StrType(low, high, patterns):
                return {"type": "string", **sizes("Length", low, high), **matching(patterns)}
            case BytesType(low, high):
                return {**scalar_schema(BytesShape(low, high)), "pattern": BASE64}
            case TextType(kind, patterns, limits):
                form = {"format": _FORMATS[kind]} if kind in _FORMATS else {"x-contract-type": kind}
                if kind == "time" and patterns[0].endswith(":[0-5][0-9])$"):
                    form["format"] = "time"
                bounds = given_in(limits)
                return {
                    "type": "string",
                    **matching(patterns),
                    **form,
                    **({"x-contract-bounds": bounds} if bounds else {}),
                }
            case LiteralType(values):
                listed = {"const": values[0]} if len(values) == 1 else {"enum": [*values]}
                return {"type": json_types([*values]), **listed}
            case ArrayType(item, container, low, high):
                told = {} if container == "list" else {"x-contract-type": container}
                unique = {"uniqueItems": True} if container in ("set", "frozenset") else {}
                return {
                    "type": "array",
                    "items": self.schema(item),
                    **sizes("Items", low, high),
                    **unique,
                    **told,
                }
            case TupleType(items):
                return {
                    **positions([self.schema(item) for item in items], len(items)),
                    "x-contract-type": "tuple",
                }
            case MapType(key, value, low, high):
                names = self.schema(key)
                keys = {} if key == StrType() else {"propertyNames": names}
                return {
                    "type": "object",
                    "additionalProperties": self.schema(value),
                    **keys,
                    **sizes("Properties", low, high),
                }
            case NullableType(UnionType(members)):
                return {"anyOf": [*map(self.schema, members), {"type": "null"}]}
            case NullableType(inner):
                return {"anyOf": [self.schema(inner), {"type": "null"}]}
            case UnionType(members):
                return {"anyOf": [*map(self.schema, members)]}
            case TaggedType(tag, cases):
                return self.tagged(tag, cases)
            case NamedType(name):
                return {"$ref": f"#/$defs/{name}"}
            case _:
                assert_never(of)

    def tagged(self, tag: str, cases: tuple[tuple[Scalar, NamedType], ...]) -> dict[str, Any]:
        tags = [value for value, _ in cases]
        records = dict.fromkeys(record for _, record in cases)
        schema: dict[str, Any] = {"oneOf": [*map(self.schema, records)]}
        if all(isinstance(value, str) for value in tags):
            schema["discriminator"] = {
                "propertyName": tag,
                "mapping": {value: self.schema(record)["$ref"] for value, record in cases},
            }
        if not all(self.requires(record, tag) for record in records):
            schema |= {"type": "object", "properties": {tag: {"enum": tags}}, "required": [tag]}
        return schema

    def requires(self, record: NamedType, tag: str) -> bool:
        declared = self.package.declarations[record.name]
        assert isinstance(declared, RecordDeclaration)
        return any(field.wire == tag and field.required for field in declared.fields)


def positions(items: list[dict[str, Any]], required: int) -> dict[str, Any]:
    prefix = {"prefixItems": items} if items else {}
    return {"type": "array", **prefix, "items": False, "minItems": required, "maxItems": len(items)}


def matching(patterns: tuple[str, ...]) -> dict[str, Any]:
    if not patterns:
        return {}
    first, *others = patterns
    return {
        "pattern": first,
        **({"allOf": [{"pattern": pattern} for pattern in others]} if others else {}),
    }


def sizes(what: str, low: int | None, high: int | None) -> dict[str, int]:
    return {
        f"{end}{what}": limit for end, limit in (("min", low), ("max", high)) if limit is not None
    }


def given_in(limits: Limits) -> dict[str, Any]:
    return {name: limit for name in _BOUNDS if (limit := getattr(limits, name)) is not None}


def json_types(values: list[Scalar]) -> str | list[str]:
    found = [*dict.fromkeys(_JSON_TYPES[type(value)] for value in values)]
    return found[0] if len(found) == 1 else found


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
    writing = Writing(package)
    route = document.routes["do"]
    operation = package.operations["do"]

    assert operation.input is not None
    assert writing.schema(operation.input) == route.input
    assert writing.schema(operation.output) == route.output
    assert [*package.declarations] == sorted(document.defs)
    for name, declared in package.declarations.items():
        assert writing.declaration(declared) == document.defs[name]


EVERY: Final = {**ANNOTATIONS, **ONE_WAY}


@pytest.mark.parametrize("annotation", EVERY.values(), ids=EVERY.keys())
def test_what_is_written_is_read_back(annotation: Any) -> None:
    document = document_of(annotation)

    hold(document)
    assert package_of(load_contract(dump_contract(document))) == package_of(document)


@settings(
    max_examples=examples(200),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(types(one_way=True))
def test_what_is_written_of_any_type_is_read_back(annotation: Any) -> None:
    document = document_of(annotation)

    hold(document)
    assert (
        package_of(load_contract(dump_contract(document))).declarations
        == package_of(document).declarations
    )
