"""The law: a document that breaks one rule is refused, for that rule and in that place."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.pred.compile import Pred, compile_pred
from contract.shape.exceptions import InvalidInput
from contract.shape.issues import CODES
from contract.shape.reader import shape_of
from contract.testing import NearMiss, near_misses
from tests.effort import examples
from tests.samples import EVERY
from tests.strategies import LARGE, types


def refusals(pred: Pred[Any], miss: NearMiss) -> list[tuple[tuple[str | int, ...], str]]:
    with pytest.raises(InvalidInput) as caught:
        pred.load(json.dumps(miss.document).encode())
    return [(issue.path, issue.code) for issue in caught.value.issues]


@pytest.mark.parametrize("annotation", EVERY.values(), ids=EVERY.keys())
def test_near_misses_are_refused(annotation: Any) -> None:
    shape = shape_of(annotation)
    pred = compile_pred(shape)

    @settings(max_examples=examples(40))
    @given(near_misses(shape))
    def law(miss: NearMiss) -> None:
        assert miss.code in CODES
        assert refusals(pred, miss) == [(miss.path, miss.code)]

    law()


@settings(suppress_health_check=LARGE)
@given(st.data())
def test_near_misses_of_any_type_are_refused(data: st.DataObject) -> None:
    annotation = data.draw(types(one_way=True), label="type")
    shape = shape_of(annotation)
    pred = compile_pred(shape)

    for miss in data.draw(st.lists(near_misses(shape), min_size=1, max_size=3), label="misses"):
        assert refusals(pred, miss) == [(miss.path, miss.code)]
