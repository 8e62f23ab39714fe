"""
The law: what a route takes and gives is valid under the schemas of its tool.

These say less than the schemas of the route, since clients refuse some of what those say; they must
not say anything else.
"""

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.mcp.tool_schemas import Types, portable
from contract.pred.compile import compile_pred
from contract.shape.reader import shape_of
from contract.testing import documents
from contract.testing.strategies import values
from tests.effort import examples
from tests.oracle import check_schema, is_valid, schema_of
from tests.samples import ANNOTATIONS
from tests.strategies import types


def tool_schema(schema: dict[str, Any], *, wrapped: bool = False) -> dict[str, Any]:
    root = {key: value for key, value in schema.items() if key != "$defs"}
    made = portable(root, Types(schema["$defs"]), wrapped=wrapped)
    found: dict[str, Any] = json.loads(json.dumps(made))
    check_schema(found)
    assert "$ref" not in found
    return found


class Checked:
    """A type, with the schemas that its tool would have."""

    def __init__(self, annotation: Any) -> None:
        self.shape = shape_of(annotation)
        self.pred = compile_pred(self.shape)
        self.taken = tool_schema(schema_of(self.shape, "input"))
        given_back = schema_of(self.shape, "output")
        self.documents, self.values = documents(self.shape), values(self.shape)
        self.bare, self.wrapped = tool_schema(given_back), tool_schema(given_back, wrapped=True)

    def check(self, data: st.DataObject) -> None:
        assert is_valid(self.taken, data.draw(self.documents))
        given_back = json.loads(self.pred.dump(data.draw(self.values)))
        assert is_valid(self.bare, given_back)
        assert is_valid(self.wrapped, {"result": given_back})


@cache
def checked(name: str) -> Checked:
    return Checked(ANNOTATIONS[name])


@pytest.mark.parametrize("name", ANNOTATIONS)
@settings(max_examples=examples(16))
@given(data=st.data())
def test_of_each_kind_of_type(name: str, data: st.DataObject) -> None:
    checked(name).check(data)


@given(data=st.data())
def test_of_types_put_together(data: st.DataObject) -> None:
    Checked(data.draw(types())).check(data)
