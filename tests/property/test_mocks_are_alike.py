"""
The law of mocks: a mock judges like the service whose document it was made of, and makes up what could have come from there.

Both take and refuse the same inputs, and say the same of them.
"""

import json
from random import Random
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.pred.compile import Pred, compile_pred
from contract.shape.exceptions import InvalidInput
from contract.shape.nodes import Shape
from contract.testing import documents, near_misses
from contract.testing.mock_spec import mock_spec
from contract.testing.mock_values import Values
from tests.effort import examples
from tests.mocks import echo_of, package
from tests.samples import ANNOTATIONS, PICKY
from tests.strategies import LARGE, types

_LEFT_OUT = {"int predicate", "dataclass with a condition", "None"}
"""What no document can say, and what is not an input."""

ALL = {
    name: annotation
    for name, annotation in {**ANNOTATIONS, **PICKY}.items()
    if name not in _LEFT_OUT and not name.endswith("that is refused")
}


def outcome(pred: Pred[Any], document: bytes) -> object:
    """The JSON of what *pred* reads, or what it says instead."""
    try:
        return orjson.loads(pred.dump(pred.load(document)))
    except InvalidInput as invalid:
        return [(issue.path, issue.code, issue.params) for issue in invalid.issues]


def both(annotation: Any) -> tuple[Shape, Shape]:
    api = echo_of(annotation)
    mock = mock_spec(package(api))
    real, made = api.entries["echo"].input, mock.entries["echo"].input
    assert real is not None
    assert made is not None
    return real, made


@pytest.mark.parametrize("annotation", ALL.values(), ids=ALL.keys())
def test_a_mock_is_like_the_real_service(annotation: Any) -> None:
    shape, on_paper = both(annotation)
    real, made = compile_pred(shape), compile_pred(on_paper)
    wrong = near_misses(shape).map(lambda miss: miss.document)

    @settings(max_examples=examples(20))
    @given(st.one_of(documents(shape), documents(on_paper), wrong))
    def law(document: object) -> None:
        data = json.dumps(document).encode()
        assert outcome(made, data) == outcome(real, data)

    law()


@settings(max_examples=examples(25), suppress_health_check=LARGE)
@given(st.data())
def test_what_a_mock_makes_up_is_valid(data: st.DataObject) -> None:
    annotation = data.draw(types(), label="type")
    api = echo_of(annotation)
    paper = package(api)
    real = compile_pred(api.entries["echo"].output)
    made = mock_spec(paper).entries["echo"]
    values = Values(paper)

    for seed in range(3):
        drawn = values.draw(paper.operations["echo"].output, Random(seed), "echo")
        document = orjson.dumps(drawn)
        assert outcome(compile_pred(made.output), document) == outcome(real, document)
        assert real.dump(real.load(document))
