"""Packages, written down by hand: what generators would see in a document that says this."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from contract.codegen.package import FailureType, Operation, Package
from contract.document import model
from contract.shape import nodes
from contract.shape.graph import mark_recursive, rebuilt

__all__ = [
    "Package", "alias", "enum", "failure", "field", "named", "named_tuple", "operation", "package",
    "record", "resolved", "said",
]  # fmt: skip


def named(name: str) -> nodes.RefShape:
    """A use of the type that the package has by this name."""
    return nodes.RefShape(nodes.Definition((name,), name, ""))


def field(
    name: str,
    shape: nodes.Shape,
    *,
    default: Any = nodes.MISSING,
    required: bool = True,
    wire: str | None = None,
    **more: Any,
) -> nodes.Field:
    """A field, which is not required if it has a default."""
    may_lack = not required and default is nodes.MISSING
    return nodes.Field(
        name,
        name if wire is None else wire,
        shape,
        json_default=default,
        optional_key=may_lack,
        **more,
    )


def alias(name: str, shape: nodes.Shape, **more: Any) -> nodes.Definition:
    made = nodes.Definition((name,), name, "", **more)
    made.close(shape)
    return made


def record(name: str, *fields: nodes.Field, **more: Any) -> nodes.Definition:
    return alias(name, nodes.RecordShape("dataclass", nodes.NO_CLASS, fields), **more)


def named_tuple(name: str, *fields: nodes.Field, **more: Any) -> nodes.Definition:
    return alias(name, nodes.NamedTupleShape(nodes.NO_CLASS, fields), **more)


def enum(name: str, *members: tuple[str, str | int | bool], **more: Any) -> nodes.Definition:
    return alias(name, nodes.EnumShape(nodes.NO_CLASS, members), **more)


def failure(
    code: str,
    status: int = 409,
    description: str = "",
    data: str | None = None,
    *,
    required: bool = True,
) -> FailureType:
    """A failure, whose data is the type that the package has by this name."""
    held = None if data is None else named(data)
    needed = held is not None and required
    return FailureType(
        code=code, status=status, description=description, data=held, data_required=needed
    )


def operation(
    name: str,
    input: nodes.Shape | None = None,
    output: nodes.Shape = nodes.NullShape(),  # noqa: B008  frozen
    failures: Iterable[str] = (),
    between: Iterable[str] | None = None,
    **more: Any,
) -> Operation:
    """A route, whose schemas say nothing."""
    given: dict[str, Any] = {"summary": "Call it", "tags": (), "auth": "none", "effect": "read"}
    if between is not None:
        given["stream"] = model.ContractStream(_errors(between))
    route = model.ContractRoute(
        path=name, input={}, output={}, errors=_errors(failures), **(given | more)
    )
    return Operation(route, input, output)


def _errors(codes: Iterable[str]) -> dict[str, model.ContractError]:
    return {code: model.ContractError(409, "Declared") for code in codes}


def resolved(shape: nodes.Shape, known: Mapping[str, nodes.Definition]) -> Any:
    """*shape* with the types of a package for their names."""
    if isinstance(shape, nodes.RefShape):
        return nodes.RefShape(known[shape.definition.name])
    return rebuilt(shape, lambda inner: resolved(inner, known))


def said(of: object) -> str:
    """A shape or a field as a text, with the names of the types that it names: what two packages say can be compared by it."""
    return _DEFINITION.sub(r"\1", repr(of))


_DEFINITION: Final = re.compile(
    r"Definition\(key=\('(.*?)',\), .*?recursive=(?:True|False)\)", re.DOTALL
)


def package(
    *definitions: nodes.Definition,
    operations: Iterable[Operation] = (),
    failures: Iterable[FailureType] = (),
    exports: Mapping[str, nodes.Shape] | None = None,
    title: str = "Tests",
    version: str = "1.0.0",
    description: str | None = None,
) -> Package:
    """A package of these."""
    known = {
        each.name: nodes.Definition(each.key, each.name, "", each.description, each.deprecated)
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
        document=model.Document(
            info=model.Info(title, version, description),
            ui={},
            links=model.Links(),
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
