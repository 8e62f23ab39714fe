"""The law: the types of a generated client are those of the contract, word for word, so its validators are the server's."""

import ast
from typing import Any

import pytest
from hypothesis import assume, given, settings

from contract.codegen.package import package_of
from contract.codegen.python import python_client
from contract.document import Document
from tests.effort import examples
from tests.python_clients import differences, document_of, module_of
from tests.samples import EVERY
from tests.strategies import LARGE, types


def check(document: Document) -> None:
    source = python_client(package_of(document))
    ast.parse(source)
    with module_of(source) as module:
        assert differences(document, module) == []


@pytest.mark.parametrize("annotation", EVERY.values(), ids=EVERY.keys())
def test_types_come_back(annotation: Any) -> None:
    check(document_of(annotation))


@settings(max_examples=examples(60), suppress_health_check=LARGE)
@given(types(one_way=True), types())
def test_any_types_come_back(taken: Any, given: Any) -> None:
    document = document_of(taken, given)
    # no field of a dataclass is called that
    assume(not any("" in each.get("properties", ()) for each in document.defs.values()))
    check(document)
