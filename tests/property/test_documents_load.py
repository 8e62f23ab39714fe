"""The law: every valid document loads, as the value that it was made for."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.pred.compile import compile_pred
from contract.shape.reader import shape_of
from contract.testing import documents
from contract.testing.valid_values import Pair, Pairs
from tests.effort import examples
from tests.samples import ANNOTATIONS, ONE_WAY
from tests.strategies import LARGE, same, types


@pytest.mark.parametrize("annotation", ANNOTATIONS.values(), ids=ANNOTATIONS.keys())
def test_documents_load_as_their_value(annotation: Any) -> None:
    shape = shape_of(annotation)
    pred = compile_pred(shape)

    @settings(max_examples=examples(25))
    @given(Pairs().of(shape))
    def law(pair: Pair) -> None:
        assert same(pred.load(json.dumps(pair.document, ensure_ascii=False).encode()), pair.value)

    law()


@pytest.mark.parametrize("annotation", ONE_WAY.values(), ids=ONE_WAY.keys())
def test_documents_with_only_an_input_side_load(annotation: Any) -> None:
    shape = shape_of(annotation)
    pred = compile_pred(shape)

    @settings(max_examples=examples(25))
    @given(documents(shape))
    def law(document: Any) -> None:
        pred.load(json.dumps(document).encode())

    law()


@settings(suppress_health_check=LARGE)
@given(st.data())
def test_documents_of_any_type_load(data: st.DataObject) -> None:
    annotation = data.draw(types(one_way=True), label="type")
    shape = shape_of(annotation)
    pred = compile_pred(shape)

    for document in data.draw(st.lists(documents(shape), min_size=1, max_size=3), label="each"):
        pred.load(json.dumps(document).encode())
