"""Records that cost nothing to send are counted, and only those."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypedDict

import pytest

from contract.pred.cheap import Cheap, cheap_of
from contract.pred.compile import pred_of
from contract.shape import shape_of
from contract.shape.exceptions import InvalidInput


@dataclass
class Query:
    text: str = ""
    page: int = 1
    tags: list[str] = field(default_factory=list)


@dataclass
class Whole:
    text: str


class Pair(NamedTuple):
    left: int
    right: int = 0


class Total(NamedTuple):
    left: int


class Options(TypedDict, total=False):
    text: str


def test_only_types_with_defaults_are_counted() -> None:
    assert [cheap_of(shape_of(each)) for each in (int, Whole, list[Options], list[Total])] == [
        None
    ] * 4
    assert cheap_of(shape_of(list[Query])) == Cheap(b"{", 12)
    assert cheap_of(shape_of(dict[str, Pair])) == Cheap(b"[", 10)
    assert cheap_of(shape_of(tuple[Query, Pair])) == Cheap(b"[{", 12)


def test_a_document_may_hold_so_many_for_its_size() -> None:
    cheap = Cheap(b"{", 10)

    assert (cheap.most(0), cheap.most(327_690), cheap.most(1_048_576)) == (32_768, 32_769, 104_857)
    assert not cheap.are_too_many(b"{}" * 32_768)
    assert cheap.are_too_many(b"{}" * 32_769)
    assert not cheap.are_too_many(b"[]" * 32_769)


@pytest.mark.parametrize(
    "text",
    [
        b'"' + b"{" * 40_000 + b'"',
        b'"\\"' + b"{" * 40_000 + b'\\\\"',
        b'"' + b"\\" * 2 + b"{" * 40_000,
    ],
)
def test_brackets_within_texts_are_no_objects(text: bytes) -> None:
    assert not Cheap(b"{", 10).are_too_many(b"[{}," + text + b",{}]")


def test_cheap_records_are_refused_before_they_are_made() -> None:
    made: list[None] = []

    def count() -> int:
        made.append(None)
        return 0

    @dataclass
    class Counted:
        at: int = field(default_factory=count)

    def document(count: int, last: bytes = b"{}") -> bytes:
        return b"[" + b"{}," * (count - 1) + last + b"]"

    load = pred_of(list[Counted]).load
    assert len(load(document(32_768))) == len(made) == 32_768
    made.clear()
    for last in (b"{}", b"1"):
        with pytest.raises(InvalidInput) as refused:
            load(document(32_770, last))

        assert [(issue.code, issue.params) for issue in refused.value.issues] == [
            ("too_many_objects", (("max_objects", 32_768),))
        ]
    assert made == []


def test_other_types_may_have_any_number() -> None:
    annotations: list[Any] = [list[Options], list[dict[str, int]]]
    for annotation in annotations:
        assert len(pred_of(annotation).load(b"[" + b"{}," * 40_000 + b"{}]")) == 40_001
