"""
The law: what is dumped, loads as what it was.

test_pred_and_schema_agree holds it for each kind of type, this for those that are drawn.
"""

from hypothesis import given, settings
from hypothesis import strategies as st

from contract.pred.compile import compile_pred
from contract.shape.reader import shape_of
from contract.testing import values
from tests.strategies import LARGE, same, types


@settings(suppress_health_check=LARGE)
@given(st.data())
def test_load_undoes_dump_for_any_type(data: st.DataObject) -> None:
    annotation = data.draw(types(), label="type")
    shape = shape_of(annotation)
    pred = compile_pred(shape)

    for value in data.draw(st.lists(values(shape), min_size=1, max_size=3), label="values"):
        assert same(pred.load(pred.dump(value)), value)
