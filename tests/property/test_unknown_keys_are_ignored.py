"""
The law: a tolerant pred makes of a document with keys that nobody knows what a strict one makes of it without them.

The strict one refuses every such document, the fast way and the walk agree on them, and keys of maps are never unknown.
"""

from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic_core import from_json

from contract.pred.compile import compile_pred
from contract.pred.core import REFUSALS, compile_core
from contract.pred.report import Report
from contract.pred.walk import Walker
from contract.shape.exceptions import InvalidInput
from contract.shape.nodes import (
    ArrayShape,
    MapShape,
    NamedTupleShape,
    NullableShape,
    RecordShape,
    Refined,
    RefShape,
    Shape,
    TaggedUnionShape,
    TupleShape,
    UnionShape,
)
from contract.shape.reader import shape_of
from contract.testing import documents
from tests.effort import examples
from tests.samples import ANNOTATIONS
from tests.strategies import same, types

JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["a", "b", "kind"]), inner, max_size=2)
    ),
    max_leaves=4,
)
KEYS = st.sampled_from(["new", "a", "b", "id", "Name", "kind", "", "ü", "__proto__"])


@st.composite
def littered(draw: st.DrawFn, shape: Shape, document: Any) -> tuple[Any, int]:
    """*document* with other keys in its records, and how many."""
    match shape:
        case RefShape(definition):
            return draw(littered(definition.shape, document))
        case NullableShape(inner) | Refined(inner):
            return (None, 0) if document is None else draw(littered(inner, document))
        case ArrayShape(item):
            return draw(together([item] * len(document), document))
        case TupleShape(items):
            return draw(together([*items], document))
        case NamedTupleShape(_, fields):
            return draw(together([each.shape for each in fields][: len(document)], document))
        case MapShape(_, value):
            values, added = draw(together([value] * len(document), [*document.values()]))
            return dict(zip(document, values, strict=True)), added
        case TaggedUnionShape(tag, _, cases):
            return draw(
                littered(
                    next(record for value, record in cases if same(value, document[tag])), document
                )
            )
        case UnionShape(members):
            member = next((each for each in members if type(document) in kinds(each)), None)
            return (document, 0) if member is None else draw(littered(member, document))
        case RecordShape(_, _, fields, extra=extra) if extra is not None:
            known = {each.wire: each.shape for each in fields}
            shapes = [known.get(key, extra) for key in document]
            values, added = draw(together(shapes, [*document.values()]))
            return dict(zip(document, values, strict=True)), added
        case RecordShape(_, _, fields):
            known = {each.wire: each.shape for each in fields if each.init}
            values, added = draw(together([known[key] for key in document], [*document.values()]))
            sent = dict(zip(document, values, strict=True))
            more = {
                key: value
                for key, value in draw(st.dictionaries(KEYS, JUNK, max_size=2)).items()
                if key not in known
            }
            mixed = draw(st.permutations([*sent.items(), *more.items()]))
            return dict(mixed), added + len(more)
        case _:
            return document, 0


@st.composite
def together(draw: st.DrawFn, shapes: list[Shape], values: list[Any]) -> tuple[list[Any], int]:
    pairs = [draw(littered(shape, value)) for shape, value in zip(shapes, values, strict=True)]
    return [value for value, _ in pairs], sum(added for _, added in pairs)


def kinds(shape: Shape) -> tuple[type, ...]:
    """
    The JSON types of *shape* that may hold records.

    No other member of its union takes one of these.
    """
    match shape:
        case RefShape(definition):
            return kinds(definition.shape)
        case NullableShape(inner) | Refined(inner):
            return kinds(inner)
        case RecordShape() | MapShape() | TaggedUnionShape():
            return (dict,)
        case ArrayShape() | TupleShape() | NamedTupleShape():
            return (list,)
        case _:
            return ()


class Law:
    """A type, with all that reads it; made once for all of its documents."""

    def __init__(self, shape: Shape) -> None:
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

    @settings(max_examples=examples(8), suppress_health_check=[HealthCheck.too_slow])
    @given(st.data())
    def hold(data: st.DataObject) -> None:
        law.check(data)

    hold()


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
def test_unknown_keys_are_ignored_for_any_type(data: st.DataObject) -> None:
    Law(shape_of(data.draw(types(), label="type"))).check(data)
