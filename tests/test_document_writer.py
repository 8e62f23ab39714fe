"""contract.json as it is written."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest

from contract.document import Document, Info, Links
from contract.document.reader import load_contract
from contract.document.writer import canonical, dump_contract
from contract.shape.exceptions import DocumentError
from contract.shape.json_text import MAX_BYTES
from tests.documents import text, whole

EMPTY = Document(
    info=Info("T", "1"), ui={}, links=Links(), defs={}, errors={}, exports={}, routes={}
)


def test_what_was_read_is_written_again() -> None:
    data = text(whole())

    assert dump_contract(load_contract(data)) == data


def test_what_was_written_is_read_again() -> None:
    document = load_contract(text(whole()))

    assert load_contract(dump_contract(document)) == document


def test_it_is_sorted_and_readable() -> None:
    assert dump_contract(EMPTY) == (
        b'{\n  "$defs": {},\n  "contract": "1.0",\n  "errors": {},\n  "exports": {},\n  "info": {\n    "title": "T",\n    "version": "1"\n'
        b'  },\n  "links": {},\n  "routes": {},\n  "ui": {}\n}\n'
    )


def test_mappings_of_every_kind_are_written() -> None:
    document = replace(EMPTY, defs=MappingProxyType({"A": MappingProxyType({"type": "null"})}))

    assert load_contract(dump_contract(document)) == document


@pytest.mark.parametrize(
    ("default", "where", "problem"),
    [
        (
            object(),
            "$.$defs.A.default",
            "it cannot be written: Type is not JSON serializable: object",
        ),
        ([1, "\ud800"], "$.$defs.A.default[1]", "it cannot be written: "),
        ([{"a": 1}, {"\ud800": 1}], "$.$defs.A.default[1]", "it cannot be written: "),
        ({"a": 2**64}, "$.$defs.A.default.a", "it cannot be written: "),
        (float("nan"), "$.$defs.A.default", "JSON has neither infinite numbers nor NaN"),
    ],
)
def test_what_json_has_not_is_refused(default: Any, where: str, problem: str) -> None:
    with pytest.raises(DocumentError) as caught:
        dump_contract(replace(EMPTY, defs={"A": {"default": default}}))

    assert caught.value.path == where
    assert caught.value.problem.startswith(problem)


def test_what_no_reader_would_take_is_not_written() -> None:
    deep: Any = []
    for _ in range(250):
        deep = [deep]
    with pytest.raises(DocumentError, match="within more than 200"):
        dump_contract(replace(EMPTY, defs={"A": {"default": deep}}))
    with pytest.raises(DocumentError, match=f"and a reader takes at most {MAX_BYTES}"):
        dump_contract(replace(EMPTY, ui={"authHint": "a" * MAX_BYTES}))


def test_canonical_is_for_any_object() -> None:
    assert canonical({"b": [1, {"d": None, "c": "é"}], "a": {}}) == (
        '{\n  "a": {},\n  "b": [\n    1,\n    {\n      "c": "é",\n      "d": null\n    }\n  ]\n}\n'.encode()
    )
