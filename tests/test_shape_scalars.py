"""The table of scalars: each row is enough for all that is made of a type."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import make_dataclass
from itertools import combinations
from random import Random
from typing import Annotated, Any

import pytest
from annotated_types import Ge
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.cli.routes import title
from contract.codegen.package import package_of
from contract.codegen.python import python_client
from contract.codegen.typescript.runtime import needed
from contract.document.diff.limits import limits
from contract.document.scalar_schemas import scalar_schema
from contract.pred.compile import compile_pred
from contract.shape.exceptions import InvalidInput, InvalidOutput, UnsupportedAnnotation
from contract.shape.graph import expected
from contract.shape.names import label
from contract.shape.nodes import Basic, Formed, TimeShape, UnionShape
from contract.shape.reader import shape_of
from contract.shape.scalars import ROWS, Row, bounds_of, row_of
from contract.shape.sentences import SENTENCES
from contract.testing import near_misses
from contract.testing.sample_contents import matching
from contract.testing.samples import drawn, sample
from contract.testing.source import source_of
from contract.testing.strategies import written_as
from contract.testing.valid_values import Pairs
from tests.codegen_documents import read
from tests.python_clients import differences, document_of, module_of
from tests.tables import rows


def each(rows: Iterable[Row]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("row", [pytest.param(row, id=row.label) for row in rows])


EVERY = each(ROWS.values())
FORMED = each(row for row in ROWS.values() if row.forms)
ORDERED = each(row for row in ROWS.values() if "bounds" in row.takes)


def loaded(row: Row) -> Any:
    """The value of its first sample."""
    return compile_pred(row.shape).load(json.dumps(row.samples[0]).encode())


def written(row: Row) -> Any:
    """Its annotation."""
    return row.python if row.marker is None else Annotated[row.python, row.marker]


def limited(row: Row) -> Any:
    """Its annotation with that value as a limit."""
    return Annotated[written(row), Ge(loaded(row))]


@EVERY
def test_the_class_means_the_shape(row: Row) -> None:
    assert shape_of(written(row)) == row.shape
    assert row_of(row.shape) is row
    assert label(row.shape) == title(row.shape).replace("null", "None") == row.label
    assert isinstance(row.shape, Formed) == bool(row.forms)


@EVERY
def test_samples_are_of_the_class_and_come_back(row: Row) -> None:
    pred = compile_pred(row.shape)

    for each in row.samples:
        value = pred.load(json.dumps(each).encode())
        assert type(value) is row.python
        assert pred.load(pred.dump(value)) == value
    assert json.loads(sample(row.shape)) == row.samples[0]


@EVERY
def test_the_schema_says_the_shape(row: Row) -> None:
    schema = scalar_schema(row.shape)

    assert (schema["type"], read(schema)) == (row.json_type, row.shape)


@EVERY
def test_what_is_made_up_is_valid(row: Row) -> None:
    load = compile_pred(row.shape).load

    for seed in range(20):
        assert type(load(json.dumps(drawn(Random(seed), row.shape, "x")).encode())) is row.python


@pytest.mark.unwatched
@EVERY
@settings(max_examples=20, database=None, derandomize=True, deadline=None)
@given(data=st.data())
def test_the_drawn_are_valid_and_near_misses_are_refused(row: Row, data: st.DataObject) -> None:
    pred = compile_pred(row.shape)
    pair = data.draw(Pairs().of(row.shape))
    miss = data.draw(near_misses(row.shape))

    assert pred.load(written_as(pair.document)) == pair.value
    with pytest.raises(InvalidInput) as refused:
        pred.load(written_as(miss.document))
    assert [issue.code for issue in refused.value.issues] == [miss.code]


@EVERY
def test_a_value_is_written_as_python(row: Row) -> None:
    value = loaded(row)
    source = source_of(value)
    names: dict[str, Any] = {}
    exec("\n".join(source.imports()), names)

    assert eval(source.text, names) == value


@EVERY
def test_typescript_has_its_check(row: Row) -> None:
    declared = "".join(needed(row.check, client=False).values())

    assert re.search(rf"^(const|function) {re.escape(row.check)}\b", declared, re.MULTILINE)


@FORMED
def test_its_forms_are_described(row: Row) -> None:
    for form in row.forms:
        assert SENTENCES[f"format:{form.name}"] == form.described
        assert form.parse(form.sample) is not None
    assert [*expected(row.shape)] == [row.forms[0].name]


@FORMED
def test_other_values_are_refused_by_name(row: Row) -> None:
    pred = compile_pred(row.shape)

    with pytest.raises(InvalidOutput, match=f"expected {row.label}, found object"):
        pred.dump(object())
    with pytest.raises(InvalidInput) as refused:
        pred.load(b'" "')
    (issue,) = refused.value.issues
    assert (issue.code, issue.params) == ("format", (("format", row.forms[0].name),))


@pytest.mark.unwatched
@rows(
    "one, other",
    *(
        pytest.param(*both, id=" and ".join(row.label for row in both))
        for both in combinations([row for row in ROWS.values() if row.forms], 2)
    ),
)
def test_two_forms_share_no_text_unless_a_row_says_so(one: Row, other: Row) -> None:
    overlap = one.label in other.overlaps or other.label in one.overlaps
    forms = one.forms[0], other.forms[0]
    shared = [
        text
        for form in forms
        for seed in range(100)
        if (text := matching(Random(seed), (form.pattern,), None, None)) is not None
        and all(each.matches(text) for each in forms)
    ]

    assert bool(shared) == overlap
    if overlap:
        with pytest.raises(UnsupportedAnnotation, match="cannot be told apart"):
            shape_of(written(one) | written(other))
    else:
        assert shape_of(written(one) | written(other)) == UnionShape((one.shape, other.shape))


@ORDERED
def test_a_limit_is_kept_and_said(row: Row) -> None:
    shape = shape_of(limited(row))
    pred, value = compile_pred(shape), loaded(row)

    assert isinstance(shape, Basic)
    assert (bounds_of(shape).ge, pred.load(pred.dump(value))) == (value, value)
    assert sample(shape) == sample(row.shape)
    if not isinstance(shape, TimeShape):  # with the offset that it has, the pattern is another one
        assert read(scalar_schema(shape)) == shape
    found = limits(scalar_schema(row.shape), scalar_schema(shape))
    assert [finding.code for finding in found] == ["limit_narrowed"]


@EVERY
def test_a_row_says_whether_it_is_a_key(row: Row) -> None:
    map_of: Any = dict
    if not row.is_key:
        with pytest.raises(UnsupportedAnnotation, match="cannot be the key of an object"):
            shape_of(map_of[written(row), int])
        return
    pred = compile_pred(shape_of(map_of[written(row), int]))
    value = {loaded(row): 1}

    assert pred.load(pred.dump(value)) == value


def test_a_generated_client_has_the_classes() -> None:
    fields = make_dataclass("Fields", [(row.label.lower(), written(row)) for row in ROWS.values()])
    document = document_of(fields)

    with module_of(python_client(package_of(document))) as module:
        assert differences(document, module) == []
        found: Any = shape_of(module.Fields)

    assert [field.shape for field in found.definition.shape.fields] == [
        row.shape for row in ROWS.values()
    ]
