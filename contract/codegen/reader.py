"""
The reader: a document, as generators of code see it.

What stands in place and has to have a name gets one here, after where it stands.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

import orjson

from contract.codegen.model import (
    ABSENT,
    AliasDeclaration,
    Declaration,
    EnumDeclaration,
    FailureType,
    Field,
    NamedTupleDeclaration,
    NamedType,
    Operation,
    Package,
    RecordDeclaration,
    Type,
)
from contract.codegen.names import Names, Style
from contract.codegen.scalars import size
from contract.codegen.sets import check_sets
from contract.codegen.spots import Spot, constraints
from contract.codegen.tags import order_of
from contract.codegen.types import Types, kind_of
from contract.codegen.unions import check_unions
from contract.document.model import ContractError, ContractRoute, Document
from contract.document.writer import dump_contract
from contract.shape.exceptions import GenerationError
from contract.shape.identifiers import pascal
from contract.shape.json_text import JsonSchema, Place

__all__ = ["package_of"]


def package_of(document: Document) -> Package:
    """
    What *document* means to a generator of code.

    Raises:
        GenerationError: It says something that no type means; with the place and what to write
            instead.
        DocumentError: It cannot be written.
    """
    return _Reader(document).package()


_NOTES: Final = ("description", "default", "examples", "deprecated")
_ROOT: Final = Place()
_NOT_TO_DECLARE: Final = frozenset(
    {
        "BAD_REQUEST",
        "DEADLINE_EXCEEDED",
        "INTERNAL_ERROR",
        "LENGTH_REQUIRED",
        "METHOD_NOT_ALLOWED",
        "NETWORK_ERROR",
        "PAYLOAD_TOO_LARGE",
        "REQUEST_TIMEOUT",
        "ROUTE_NOT_FOUND",
        "UNAUTHORIZED",
        "UNKNOWN_ERROR",
        "UNSUPPORTED_MEDIA_TYPE",
        "VALIDATION_ERROR",
    }
)
"""
Codes that mean the same whatever is called: those of the framework, and those that only a client
gives.
"""


class _Reader:
    """Reads one document."""

    __slots__ = ("_ahead", "_declared", "_document", "_names", "_types")

    def __init__(self, document: Document) -> None:
        self._document = document
        self._names = Names(Style(stem="Type", ignores_case=True))
        self._types = Types(document.defs, self._hoist)
        self._declared: dict[str, Declaration] = {}
        self._ahead: deque[tuple[str, Spot]] = deque()
        for name, schema in sorted(document.defs.items()):
            self._names.take(name)
            self._ahead.append((name, Spot(schema, _ROOT / "$defs" / name, name)))

    def package(self) -> Package:
        document = self._document
        digest = sha256(dump_contract(document)).hexdigest()
        exports = {
            name: self._types.read(Spot(schema, _ROOT / "exports" / name, name))
            for name, schema in sorted(document.exports.items())
        }
        operations = {
            name: self._operation(route) for name, route in sorted(document.routes.items())
        }
        failures = self._failures()
        builtins = {
            code: self._failure(
                code,
                error if error.data is None or "$ref" in error.data else _bare(error),
                _ROOT / "errors" / code,
            )
            for code, error in sorted(document.errors.items())
        }
        while self._ahead:
            name, spot = self._ahead.popleft()
            self._declared[name] = self._declaration(name, spot)
        check_unions(self._types.unions, self._declared)
        check_sets(self._types.sets, self._declared)
        return Package(
            document=document,
            digest=digest,
            declarations=dict(sorted(self._declared.items())),
            failures=failures,
            builtins=builtins,
            exports=exports,
            operations=operations,
        )

    def _hoist(self, spot: Spot) -> NamedType:
        name = self._names.take(spot.name)
        self._ahead.append((name, Spot(spot.schema, spot.place, name)))
        return NamedType(name)

    # Routes and their failures.

    def _operation(self, route: ContractRoute) -> Operation:
        place = _ROOT / "routes" / route.path
        return Operation(
            name=route.path,
            summary=route.summary,
            description=route.description,
            tags=route.tags,
            auth=route.auth,
            effect=route.effect,
            deprecated=route.deprecated,
            input=None
            if _is_nothing(route.input)
            else self._part(route.input, place / "input", f"{route.path}_input"),
            output=self._part(route.output, place / "output", f"{route.path}_output"),
            failures=tuple(sorted(route.errors)),
        )

    def _part(self, schema: JsonSchema, place: Place, name: str) -> Type:
        return self._types.read(Spot(schema, place, pascal(name)))

    def _failures(self) -> dict[str, FailureType]:
        declared: dict[str, tuple[ContractError, Place]] = {}
        for name, route in sorted(self._document.routes.items()):
            for code, error in route.errors.items():
                place = _ROOT / "routes" / name / "errors" / code
                if code in _NOT_TO_DECLARE:
                    raise GenerationError(
                        str(place),
                        "this is a code of the framework, which no route declares; call it otherwise",
                    )
                other, elsewhere = declared.setdefault(code, (error, place))
                if other != error:
                    raise GenerationError(
                        str(place),
                        f"this is not what the same code says in {elsewhere}; write the same",
                    )
        return {
            code: self._failure(code, error, place)
            for code, (error, place) in sorted(declared.items())
        }

    def _failure(self, code: str, error: ContractError, place: Place) -> FailureType:
        data: NamedType | None = None
        if error.data is not None:
            data = self._record(Spot(error.data, place / "data", pascal(f"{code}_DATA")))
        return FailureType(
            code=code,
            status=error.status,
            description=error.description,
            data=data,
            data_required=data is not None and error.data_required,
        )

    def _record(self, spot: Spot) -> NamedType:
        name, schema = self._types.resolve(spot.schema)
        if kind_of(schema) != "record":
            raise spot.refuse(
                "the data of a failure is an object with fields; write it into $defs, and a reference to it here"
            )
        return self._hoist(spot) if name is None else NamedType(name)

    # Named types.

    def _declaration(self, name: str, spot: Spot) -> Declaration:
        schema = spot.schema
        notes: dict[str, Any] = {
            "description": schema.get("description"),
            "deprecated": schema.get("deprecated", False),
        }
        match kind_of(schema):
            case "record":
                return RecordDeclaration(name=name, **notes, fields=self._fields(spot))
            case "namedtuple":
                return NamedTupleDeclaration(name=name, **notes, fields=self._positions(spot))
            case "enum":
                members = zip(schema["x-contract-enum-names"], schema["enum"], strict=True)
                return EnumDeclaration(name=name, **notes, members=tuple(members))
            case _:
                return AliasDeclaration(name=name, **notes, type=self._types.read(spot))

    def _fields(self, spot: Spot) -> tuple[Field, ...]:
        schema = spot.schema
        others = constraints(schema) - {"type", "properties", "required", "additionalProperties"}
        if others:
            raise (spot / min(others)).refuse(
                "an object with fields has no other rules; write them into its fields, or leave this out"
            )
        if schema.get("additionalProperties") is not False:
            raise spot.refuse(
                'an object has fields or free keys, and not both; write "additionalProperties": false, or a map in a field'
            )
        properties: Mapping[str, JsonSchema] = schema.get("properties", {})
        required = {*schema.get("required", ())}
        return tuple(
            self._field(spot, properties[wire], wire, wire in required, "properties", wire)
            for wire in order_of(schema)
        )

    def _positions(self, spot: Spot) -> tuple[Field, ...]:
        schema = spot.schema
        prefix = schema.get("prefixItems", [])
        others = constraints(schema) - {"type", "prefixItems", "items", "minItems", "maxItems"}
        if others:
            raise (spot / min(others)).refuse("a named tuple has no other rules; leave this out")
        low, high = size(spot, "Items")
        low = low or 0
        if schema.get("items") is not False or low > len(prefix) or high != len(prefix):
            raise spot.refuse(
                'a named tuple has its positions and no more; write "items": false, and maxItems as there are in prefixItems'
            )
        names = [item.get("x-contract-name", f"item_{index}") for index, item in enumerate(prefix)]
        return tuple(
            self._field(spot, item, names[index], index < low, "prefixItems", index)
            for index, item in enumerate(prefix)
        )

    def _field(
        self,
        outside: Spot,
        schema: JsonSchema,
        wire: str,
        required: bool,  # noqa: FBT001  one of a list
        *steps: str | int,
    ) -> Field:
        bare = {keyword: value for keyword, value in schema.items() if keyword not in _NOTES}
        return Field(
            wire=wire,
            name=schema.get("x-contract-name", wire),
            type=self._types.read(outside.inner(bare, *steps, part=wire)),
            required=required,
            default=_sorted(schema["default"]) if "default" in schema and not required else ABSENT,
            description=schema.get("description"),
            examples=tuple(_sorted([*schema.get("examples", ())])),
            deprecated=schema.get("deprecated", False),
        )


def _sorted(value: Any) -> Any:
    """A JSON value with the keys of all objects in order, so that what is made of a document does not depend on theirs."""
    return orjson.loads(orjson.dumps(value, default=dict, option=orjson.OPT_SORT_KEYS))


def _bare(error: ContractError) -> ContractError:
    return ContractError(error.status, error.description)


def _is_nothing(schema: JsonSchema) -> bool:
    """Whether this is how the input of a route without input is written."""
    return (
        constraints(schema) == {"type", "properties", "additionalProperties"}
        and kind_of(schema) == "record"
        and not schema["properties"]
    )
