"""Packages for the tests of mocks: of a type, and of types as a document has them."""

from __future__ import annotations

from typing import Any

from contract import route, spec
from contract.codegen.package import Package, package_of
from contract.declare.spec import Spec
from contract.document.contract_json import load_contract
from contract.document.emit import emit_contract


def echo_of(annotation: Any) -> Spec[None]:
    """A spec with one route, ``echo``, which takes and gives a type."""

    def echo(input: Any, ctx: None) -> Any:
        raise NotImplementedError

    echo.__annotations__ = {"input": annotation, "ctx": None, "return": annotation}
    return spec(routes={"echo": route(summary="Echo", tags=["tests"], auth="none")(echo)})


def package(api: Spec[Any]) -> Package:
    """What *api* is on paper, as generators see it."""
    return package_of(
        load_contract(emit_contract(api, visibility="all", docs_path=None, mcp_path=None))
    )
