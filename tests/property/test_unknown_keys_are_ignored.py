"""
The law: a tolerant pred makes of a document with keys that nobody knows what a strict one makes of it without them.

The strict one refuses every such document, the fast way and the walk agree on them, and keys of maps are never unknown.
"""

from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_core import from_json

from contract.pred.compile import compile_pred
from contract.pred.core import REFUSALS, compile_core
from contract.pred.report import Report
from contract.pred.walk import Walker
from contract.shape import nodes
from contract.shape.exceptions import InvalidInput
from contract.shape.reader import shape_of
from contract.testing import documents
from tests.effort import examples
from tests.samples import ANNOTATIONS
from tests.strategies import LARGE, same, types

NAMES = st.sampled_from(["a", "b", "kind"])
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=2),
    max_leaves=4,
)
KEYS = st.sampled_from(["new", "a", "b", "id", "Name", "kind", "", "ü", "__proto__"])


@st.composite
def littered(draw: st.DrawFn, shape: nodes.Shape, document: Any) -> tuple[Any, int]:
    """*document* with other keys in its records, and how many."""
    match shape:
        case nodes.RefShape(definition):
            return draw(littered(definition.shape, document))
        case nodes.NullableShape(inner) | nodes.Refined(inner):
            return (None, 0) if document is None else draw(littered(inner, document))
        case nodes.ArrayShape(item):
            return draw(joined([item] * len(document), document))
        case nodes.TupleShape(items):
            return draw(joined([*items], document))
        case nodes.NamedTupleShape(_, fields):
            return draw(joined([each.shape for each in fields][: len(document)], document))
        case nodes.MapShape(_, value):
            values, added = draw(joined([value] * len(document), [*document.values()]))
            return dict(zip(document, values, strict=True)), added
        case nodes.TaggedUnionShape(tag, _, cases):
            record = next(record for value, record in cases if same(value, document[tag]))
            return draw(littered(record, document))
        case nodes.UnionShape(members):
            member = next((each for each in members if type(document) in kinds(each)), None)
            return (document, 0) if member is None else draw(littered(member, document))
        case nodes.RecordShape(_, _, fields, extra=extra) if extra is not None:
            known = {each.wire: each.shape for each in fields}
            shapes = [known.get(key, extra) for key in document]
            values, added = draw(joined(shapes, [*document.values()]))
            return dict(zip(document, values, strict=True)), added
        case nodes.RecordShape(_, _, fields):
            known = {each.wire: each.shape for each in fields if each.init}
            values, added = draw(joined([known[key] for key in document], [*document.values()]))
            sent = dict(zip(document, values, strict=True))
            junk = draw(st.dictionaries(KEYS, JUNK, max_size=2))
            more = {key: value for key, value in junk.items() if key not in known}
            mixed = draw(st.permutations([*sent.items(), *more.items()]))
            return dict(mixed), added + len(more)
        case _:
            return document, 0


@st.composite
def joined(draw: st.DrawFn, shapes: list[nodes.Shape], values: list[Any]) -> tuple[list[Any], int]:
    pairs = [draw(littered(shape, value)) for shape, value in zip(shapes, values, strict=True)]
    return [value for value, _ in pairs], sum(added for _, added in pairs)


def kinds(shape: nodes.Shape) -> tuple[type, ...]:
    """The JSON types of *shape* that may hold records: no other member of its union takes one."""
    match shape:
        case nodes.RefShape(definition):
            return kinds(definition.shape)
        case nodes.NullableShape(inner) | nodes.Refined(inner):
            return kinds(inner)
        case nodes.RecordShape() | nodes.MapShape() | nodes.TaggedUnionShape():
            return (dict,)
        case nodes.ArrayShape() | nodes.TupleShape() | nodes.NamedTupleShape():
            return (list,)
        case _:
            return ()


class Law:
    """A type, with all that reads it; made once for all of its documents."""

    def __init__(self, shape: nodes.Shape) -> None:
        walker = Walker(tolerant=True)
        self._shape = shape
        self._documents = documents(shape)
        self._strict = compile_pred(shape)
        self._tolerant = compile_pred(shape, unknown="ignore")
        self._walk = walker.loader(shape)
        self._core = compile_core(shape, walker)

    def check(self, data: st.DataObject) -> None:
        document = data.draw(self._documents, label="document")
        value = self._strict.load(orjson.dumps(document))
        littering, added = data.draw(littered(self._shape, document), label="littered")
        written = orjson.dumps(littering)

        assert same(self._tolerant.load(orjson.dumps(document)), value)
        assert same(self._tolerant.load(written), value)
        assert same(self._walk(from_json(written), Report()), value)
        try:
            fast = self._core.validate(written)
        except REFUSALS:
            pass  # it may: 1.0 for an int
        else:
            assert same(fast, value)
        if added:
            with pytest.raises(InvalidInput, match="This key is not known here"):
                self._strict.load(written)
        else:
            assert same(self._strict.load(written), value)


@pytest.mark.parametrize("annotation", ANNOTATIONS.values(), ids=ANNOTATIONS.keys())
def test_unknown_keys_are_ignored(annotation: Any) -> None:
    law = Law(shape_of(annotation))

    @settings(max_examples=examples(8))
    @given(st.data())
    def hold(data: st.DataObject) -> None:
        law.check(data)

    hold()


@settings(suppress_health_check=LARGE)
@given(st.data())
def test_unknown_keys_are_ignored_for_any_type(data: st.DataObject) -> None:
    Law(shape_of(data.draw(types(), label="type"))).check(data)
