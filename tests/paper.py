"""Packages, written down by hand: what generators would see in a document that says this."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from contract.codegen.package import FailureType, Operation, Package
from contract.document.model import (
    ContractError,
    ContractRoute,
    ContractStream,
    Document,
    Info,
    Links,
)
from contract.shape.graph import mark_recursive, rebuilt
from contract.shape.nodes import (
    MISSING,
    NO_CLASS,
    Definition,
    EnumShape,
    Field,
    NamedTupleShape,
    NullShape,
    RecordShape,
    RefShape,
    Shape,
)

__all__ = [
    "Package",
    "alias",
    "enum",
    "field",
    "named",
    "named_tuple",
    "operation",
    "package",
    "record",
    "resolved",
    "said",
]


def named(name: str) -> RefShape:
    """A use of the type that the package has by this name."""
    return RefShape(Definition((name,), name, ""))


def field(
    name: str,
    shape: Shape,
    *,
    default: Any = MISSING,
    required: bool = True,
    wire: str | None = None,
    **more: Any,
) -> Field:
    """A field, which is not required if it has a default."""
    may_lack = not required and default is MISSING
    return Field(
        name,
        name if wire is None else wire,
        shape,
        json_default=default,
        optional_key=may_lack,
        **more,
    )


def alias(name: str, shape: Shape, **more: Any) -> Definition:
    made = Definition((name,), name, "", **more)
    made.close(shape)
    return made


def record(name: str, *fields: Field, **more: Any) -> Definition:
    return alias(name, RecordShape("dataclass", NO_CLASS, fields), **more)


def named_tuple(name: str, *fields: Field, **more: Any) -> Definition:
    return alias(name, NamedTupleShape(NO_CLASS, fields), **more)


def enum(name: str, *members: tuple[str, str | int | bool], **more: Any) -> Definition:
    return alias(name, EnumShape(NO_CLASS, members), **more)


def operation(
    name: str,
    input: Shape | None = None,
    output: Shape = NullShape(),  # noqa: B008  frozen
    failures: Iterable[str] = (),
    between: Iterable[str] | None = None,
    **more: Any,
) -> Operation:
    """A route, whose schemas say nothing."""
    given: dict[str, Any] = {"summary": "Call it", "tags": (), "auth": "none", "effect": "read"}
    if between is not None:
        given["stream"] = ContractStream(_errors(between))
    route = ContractRoute(
        path=name, input={}, output={}, errors=_errors(failures), **(given | more)
    )
    return Operation(route, input, output)


def _errors(codes: Iterable[str]) -> dict[str, ContractError]:
    return {code: ContractError(409, "Declared") for code in codes}


def resolved(shape: Shape, known: Mapping[str, Definition]) -> Any:
    """*shape* with the types of a package for their names."""
    if isinstance(shape, RefShape):
        return RefShape(known[shape.definition.name])
    return rebuilt(shape, lambda inner: resolved(inner, known))


def said(of: object) -> str:
    """A shape or a field as a text, with the names of the types that it names: what two packages say can be compared by it."""
    return _DEFINITION.sub(r"\1", repr(of))


_DEFINITION: Final = re.compile(
    r"Definition\(key=\('(.*?)',\), .*?recursive=(?:True|False)\)", re.DOTALL
)


def package(
    *definitions: Definition,
    operations: Iterable[Operation] = (),
    failures: Iterable[FailureType] = (),
    exports: Mapping[str, Shape] | None = None,
    title: str = "Tests",
    version: str = "1.0.0",
    description: str | None = None,
) -> Package:
    """A package of these."""
    known = {
        each.name: Definition(each.key, each.name, "", each.description, each.deprecated)
        for each in sorted(definitions, key=lambda each: each.name)
    }
    for each in definitions:
        known[each.name].close(resolved(each.shape, known))
    mark_recursive(known.values())
    calls = (
        replace(
            each,
            input=None if each.input is None else resolved(each.input, known),
            output=resolved(each.output, known),
        )
        for each in sorted(operations, key=lambda each: each.route.path)
    )
    failing = (
        replace(each, data=None if each.data is None else resolved(each.data, known))
        for each in sorted(failures, key=lambda each: each.code)
    )
    return Package(
        document=Document(
            info=Info(title, version, description),
            ui={},
            links=Links(),
            defs={},
            errors={},
            exports={},
            routes={},
        ),
        digest="0" * 64,
        definitions=known,
        failures={each.code: each for each in failing},
        builtins={},
        exports={name: resolved(of, known) for name, of in sorted((exports or {}).items())},
        operations={each.route.path: each for each in calls},
    )
