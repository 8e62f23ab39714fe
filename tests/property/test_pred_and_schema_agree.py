"""
The law: a pred takes exactly the documents that are valid under the schema of its input, and dumps such as are valid under its output's.

What `tests.schema_differences.EXCEPTIONS` lists is taken out twice. Rules that no schema can state (predicates, limits of what stands
as a text, the reach of ``Any``) are taken off the shape, and the pred of what is left has to agree. What then still differs is excused
issue by issue, by the value that it is about: everything else has to be refused by both.
"""

import json
from dataclasses import replace
from typing import Any, Final

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from contract.document.json_schema import closure
from contract.pred.compile import Pred, compile_pred
from contract.shape import nodes
from contract.shape.bounds import Bounds
from contract.shape.exceptions import InvalidInput, InvalidOutput
from contract.shape.graph import definitions, rebuilt
from contract.shape.issues import Issue
from contract.shape.reader import shape_of
from contract.shape.text_forms import INTEGER_KEY
from contract.testing import documents, near_misses
from contract.testing.strategies import values
from tests.effort import examples
from tests.oracle import check_schema, is_valid, schema_of
from tests.samples import EVERY, ONE_WAY, Stored
from tests.strategies import LARGE, same, types
from tests.words import words

# The shape without the rules that no schema can state.

_UNLIMITED: Final = nodes.IntShape(-(10**400), 10**400)


class Relaxing:
    """Takes rules off shapes; a definition is done once, so that recursion ends."""

    def __init__(self) -> None:
        self._done: dict[nodes.Definition, nodes.Definition] = {}
        json_value = nodes.Definition((), "Json", "", recursive=True)
        inner = nodes.RefShape(json_value)
        parts = (nodes.ArrayShape(inner), nodes.MapShape(nodes.StrShape(), inner))
        members = (nodes.BoolShape(), _UNLIMITED, nodes.FloatShape(), nodes.StrShape(), *parts)
        json_value.close(nodes.NullableShape(nodes.UnionShape(members)))
        self._any = inner

    def of(self, shape: nodes.Shape) -> nodes.Shape:
        match shape:
            case nodes.RefShape(definition):
                return nodes.RefShape(self._definition(definition))
            case nodes.Refined(inner) | nodes.OwnShape(inner):
                return self.of(inner)
            case nodes.AnyShape():
                return self._any
            case nodes.DecimalShape() | nodes.DatetimeShape() | nodes.LocalDatetimeShape():
                return replace(shape, bounds=Bounds())
            case nodes.DateShape() | nodes.TimeShape() | nodes.TimedeltaShape():
                return replace(shape, bounds=Bounds())
            case nodes.MapShape(key, value):
                return replace(shape, key=self._key(key), value=self.of(value))
            case _:
                return rebuilt(shape, self.of)

    def _key(self, key: nodes.Shape) -> nodes.Shape:
        key = self.of(key)
        if isinstance(key, nodes.IntShape):
            return nodes.StrShape(patterns=(INTEGER_KEY.pattern,))
        return key

    def _definition(self, definition: nodes.Definition) -> nodes.Definition:
        if definition not in self._done:
            copy = self._done[definition] = nodes.Definition(
                definition.key, definition.name, definition.module, recursive=definition.recursive
            )
            copy.close(self.of(definition.shape))
        return self._done[definition]


# What is excused of the rest: None where both have to refuse, else whether the schema takes it, or
# may do as it likes.

_MAY, _TAKES = "may", "takes"
_LIMITS: Final = words("multiple_of greater_than greater_than_equal less_than less_than_equal")


def excuse(issue: Issue, document: Any) -> str | None:
    match issue.code:
        case "invalid_value" | "equal_hashes":
            return _TAKES
        case "not_unique":
            found = at(issue, document)
            texts = [json.dumps(item, sort_keys=True) for item in found]
            return _MAY if isinstance(found, dict) or len({*texts}) == len(texts) else None
        case "integer_type" | "unknown_key" | "unknown_value" | "unknown_tag" if is_inexact(
            at(issue, document)
        ):
            return _MAY
        case code if code == "union" or (code in _LIMITS and is_of_a_float(issue)):
            # an integer as a float, beside an int in a union, is told of as a float
            found = at(issue, document)
            return _MAY if is_rounded(found) or is_inexact(found) else None
        case _:
            return None


def at(issue: Issue, document: Any) -> Any:
    for part in issue.path:
        if isinstance(document, dict) and part not in document:
            return part  # the key of a map, cut short, or missing
        document = document[part]
    return document


def is_inexact(value: Any) -> bool:
    return isinstance(value, float) and value.is_integer() and abs(value) >= 2**53


def is_rounded(value: Any) -> bool:
    """Whether a float cannot hold the integer *value*."""
    return type(value) is int and int(float(value)) != value


def is_of_a_float(issue: Issue) -> bool:
    return any(isinstance(limit, float) for _, limit in issue.params)


def rounded(document: Any) -> Any:
    """*document* with the integers that floats would hold for its own."""
    match document:
        case dict():
            return {key: rounded(value) for key, value in document.items()}
        case list():
            return [rounded(value) for value in document]
        case _:
            return int(float(document)) if is_rounded(document) else document


def refused_by(pred: Pred[Any], data: bytes) -> tuple[Issue, ...] | None:
    try:
        pred.load(data)
    except InvalidInput as refused:
        return refused.issues
    return None


def is_late(definition: nodes.Definition) -> bool:
    """Whether the type has a field that a load leaves unset."""
    shape = definition.shape
    fields = shape.fields if isinstance(shape, nodes.RecordShape) else ()
    return any(
        not field.init and field.default is nodes.MISSING and field.default_factory is None
        for field in fields
    )


class Law:
    """What both say of the documents of one shape."""

    def __init__(self, annotation: Any) -> None:
        self.shape = shape_of(annotation)
        self.pred = compile_pred(self.shape)
        self.relaxed = compile_pred(Relaxing().of(self.shape))
        self.input = schema_of(self.shape, "input")
        self.output = schema_of(self.shape, "output")
        self.has_late = any(map(is_late, closure(definitions(self.shape))))
        check_schema(self.input)
        check_schema(self.output)

    def hold(self, document: Any) -> None:
        data = json.dumps(document).encode()
        document = json.loads(data)
        taken = is_valid(self.input, document)
        if refused_by(self.pred, data) is None:
            event("taken by both")
            assert taken or is_valid(self.input, rounded(document))
            self.hold_for_loaded(self.pred.load(data))
            return
        issues = refused_by(self.relaxed, data)
        if issues is None:
            event("taken but for a rule that no schema states")
            assert taken
            return
        excuses = [excuse(issue, document) for issue in issues]
        if None in excuses:
            event("refused by both")
            assert not taken, issues
        elif _MAY not in excuses:
            event(f"excused: {issues[0].code}")
            assert taken, issues

    def hold_for_loaded(self, value: Any) -> None:
        try:
            self.hold_for(value)
        except InvalidOutput as unfinished:
            # a field that is in the output alone, and that the author fills in after the load, is
            # not there yet
            if not self.has_late or unfinished.problem != "is not set":
                raise

    def hold_for(self, value: Any) -> None:
        assert is_valid(self.output, json.loads(self.pred.dump(value)))


# Documents that are wrong in any way.

_WORDS: Final = words("""
a abc 1 01 -0 1.50 1e5 1E+99 1E+999 YQ== YWJj YWJjZA== YR== 2026-02-28 2026-02-30
2026-02-30T10:00:00Z 2026-02-28T10:00:00Z 2026-02-28T10:00:00+05:30 2026-02-28t10:00:00z
2026-02-28T23:59:60Z 0000-01-01T00:00:00Z 0000-01-01 10:00:00 10:00:00Z 24:00:00 PT1S -P1D P1Y
P999999999DT99H 00000000-0000-0000-0000-00000000000a 00000000-0000-0000-0000-00000000000A
0000000000000000000000000000000a red card auto \u0661
""")
_TEXTS: Final = ("", "a\n", "\u0661.\u0661\u0661", *_WORDS)
_WHOLE: Final = (0, 1, -1, 2, 7, 2**53 + 1, 2**63 - 1, 2**63, -(2**63) - 1)
_NUMBERS: Final = (*_WHOLE, 0.5, 0.3, 1.0, -0.0, float(2**60), 1e300)
_ANY_TEXT: Final = st.sampled_from(_TEXTS) | st.text(st.characters(codec="utf-8"), max_size=5)
_SCALARS: Final = st.none() | st.booleans() | st.sampled_from(_NUMBERS) | _ANY_TEXT
_KEYS: Final = st.sampled_from([*_TEXTS, "x", "kind"])
_JUNK: Final[st.SearchStrategy[Any]] = st.one_of(
    _SCALARS, st.lists(_SCALARS, max_size=3), st.dictionaries(_KEYS, _SCALARS, max_size=3)
)


@st.composite
def bent(draw: st.DrawFn, document: Any) -> Any:
    """*document* with something changed, somewhere."""
    how = draw(st.integers(0, 5))
    match document:
        case dict() if document and how:
            key = draw(st.sampled_from(sorted(document)))
            if how == 1:
                return {other: value for other, value in document.items() if other != key}
            if how == 2:
                return {**document, draw(_KEYS): draw(st.sampled_from([*document.values()]))}
            return {**document, key: draw(bent(document[key]))}
        case list() if document and how:
            index = draw(st.integers(0, len(document) - 1))
            if how == 1:
                return document[:index] + document[index + 1 :]
            if how == 2:
                return [*document, document[index]]
            return [*document[:index], draw(bent(document[index])), *document[index + 1 :]]
        case str() if how > 3:
            start = document[: draw(st.integers(0, len(document)))]
            return start + draw(st.sampled_from(["\n", "0", "a", "Z"])) + document[1:]
        case _:
            return draw(_JUNK)


def attempts(shape: nodes.Shape) -> st.SearchStrategy[Any]:
    valid, misses = documents(shape), near_misses(shape).map(lambda miss: miss.document)
    return st.one_of(valid, misses, valid.flatmap(bent), _JUNK)


@pytest.mark.parametrize("annotation", EVERY.values(), ids=EVERY.keys())
def test_pred_and_schema_agree(annotation: Any) -> None:
    law = Law(annotation)

    @settings(max_examples=examples(60))
    @given(attempts(law.shape))
    def agree(document: Any) -> None:
        law.hold(document)

    agree()


def test_what_is_not_filled_in_is_not_dumped() -> None:
    """So the schema of the output may require what a load leaves unset."""
    law = Law(Stored)
    value = law.pred.load(b'{"name": "a"}')
    assert law.has_late
    with pytest.raises(InvalidOutput, match="version: is not set"):
        law.hold_for(value)

    value.version = 1
    law.hold_for(value)


@pytest.mark.parametrize("annotation", EVERY.values(), ids=EVERY.keys())
def test_what_is_dumped_is_valid_and_loads_as_what_it_was(annotation: Any) -> None:
    law = Law(annotation)
    loads = all(annotation is not each for each in ONE_WAY.values())

    @settings(max_examples=examples(25))
    @given(values(law.shape))
    def valid(value: Any) -> None:
        law.hold_for(value)
        assert not loads or same(law.pred.load(law.pred.dump(value)), value)

    valid()


@settings(max_examples=examples(150), suppress_health_check=LARGE)
@given(st.data())
def test_pred_and_schema_of_any_type_agree(data: st.DataObject) -> None:
    law = Law(data.draw(types(one_way=True), label="type"))

    for document in data.draw(st.lists(attempts(law.shape), min_size=1, max_size=5), label="each"):
        law.hold(document)
    law.hold_for(data.draw(values(law.shape), label="value"))
