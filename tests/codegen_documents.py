"""Small documents, and what a generator of code sees in them."""

from __future__ import annotations

from typing import Any, Final

import pytest

from contract.codegen.package import Package, package_of
from contract.document import ContractRoute, Document, Info, Links
from contract.shape import text_forms
from contract.shape.exceptions import GenerationError
from contract.shape.nodes import Shape

__all__ = [
    "CARD", "CASH", "NOTHING", "Schema", "closed", "document", "form", "package", "read", "ref",
    "refusal", "route",
]  # fmt: skip

Schema = dict[str, Any]

NOTHING: Final[Schema] = {"type": "object", "properties": {}, "additionalProperties": False}


def closed(required: bool = True, /, **properties: Schema) -> Schema:
    told = {"required": [*properties]} if required and properties else {}
    return {"type": "object", "properties": properties, **told, "additionalProperties": False}


def ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def route(name: str = "do", **given: Any) -> ContractRoute:
    known: dict[str, Any] = {
        "summary": "Do it",
        "tags": (),
        "auth": "none",
        "effect": "read",
        "errors": {},
    }
    return ContractRoute(
        **{"path": name, "input": NOTHING, "output": {"type": "null"}, **known, **given}
    )


def document(*routes: ContractRoute, defs: Schema | None = None, **given: Any) -> Document:
    named = {"errors": {}, "exports": {}, **given}
    return Document(
        info=Info("Test", "1"),
        ui={},
        links=Links(),
        defs=defs or {},
        **named,
        routes={each.path: each for each in routes},
    )


def read(schema: Schema, **defs: Schema) -> Shape:
    """The shape of the input of a route."""
    found = package(schema, **defs).operations["do"].input
    assert found is not None
    return found


def package(schema: Schema, **defs: Schema) -> Package:
    return package_of(document(route(input=schema), defs=defs))


def refusal(schema: Schema, **defs: Schema) -> tuple[str, str]:
    """Where below the input of the route it is refused, and why."""
    with pytest.raises(GenerationError) as caught:
        package(schema, **defs)
    return caught.value.path.removeprefix("$.routes.do.input"), caught.value.problem


def form(of: text_forms.Form, told: str = "", **more: Any) -> Schema:
    named = {"format": told} if told in ("date-time", "date", "uuid") else {"x-contract-type": told}
    return {"type": "string", "pattern": of.pattern, **named, **more}


CARD: Final = closed(kind={"const": "card"}, number={"type": "string"})
CASH: Final = closed(kind={"enum": ["cash", "coins"]})
"""Two records that are told apart by their kind."""
