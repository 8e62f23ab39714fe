"""Hashes: a set holds a record whose hash leaves out what cannot be hashed, and no other one."""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field
from typing import Any

import attrs
import msgspec
import pydantic
import pytest

from contract.pred.compile import Pred, pred_of
from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.hashes import hashed_fields
from contract.shape.reader import shape_of


@dataclass(frozen=True)
class NotHashed:
    x: int
    notes: list[str] = field(hash=False)


@dataclass(frozen=True, slots=True)
class NotCompared:
    x: int
    notes: list[str] = field(compare=False)


@dataclass(frozen=True)
class OnlyAtFirst:
    x: int
    notes: InitVar[list[str]]


@dataclass(frozen=True)
class OwnHash:
    x: int
    notes: list[str]

    def __hash__(self) -> int:
        return self.x


@dataclass(eq=False)
class ByIdentity:
    x: int
    notes: list[str]


@dataclass(frozen=True)
class Hashed:
    x: int
    notes: list[str] = field(compare=False, hash=True)


@dataclass(frozen=True)
class Second:
    x: list[str] = field(hash=False)
    notes: list[str]


class Inherits(Second):
    """Its hash is that of its base."""


@dataclass
class Mutable:
    x: int


@attrs.frozen
class AttrsNotCompared:
    x: int
    notes: list[str] = attrs.field(eq=False)


@attrs.define
class AttrsOwnHash:
    x: int
    notes: list[str]

    def __hash__(self) -> int:
        return self.x


@attrs.define(eq=False)
class AttrsByIdentity:
    x: int
    notes: list[str]


@attrs.frozen
class AttrsHashed:
    x: int
    notes: list[str] = attrs.field(eq=False, hash=True)


class Struct(msgspec.Struct, frozen=True):
    x: int
    notes: list[str]


class OpenStruct(msgspec.Struct):
    x: int


class Model(pydantic.BaseModel, frozen=True):
    x: int
    notes: list[str]


IN_SETS: list[Any] = [NotHashed, NotCompared, OwnHash, AttrsNotCompared, AttrsOwnHash]
NOT_IN_SETS: list[Any] = [Hashed, Second, Inherits, AttrsHashed, Struct, Model]


@pytest.mark.parametrize("record", [*IN_SETS, ByIdentity, AttrsByIdentity])
def test_what_is_left_out_of_the_hash_does_not_matter_to_a_set(record: Any) -> None:
    annotation: Any = frozenset[record]
    pred: Pred[Any] = pred_of(annotation)
    one, other = b'{"x":1,"notes":["a"]}', b'{"x":2,"notes":["b"]}'

    made: Any = pred.load(b"[%b,%b]" % (one, other))

    assert len(made) == 2
    assert sorted(pred.dump(made)[1:-1].replace(b"},{", b"}\n{").splitlines()) == [one, other]


def test_what_is_only_given_to_make_a_record_is_not_in_its_hash() -> None:
    pred = pred_of(frozenset[OnlyAtFirst])

    assert pred.load(b'[{"x":1,"notes":["a"]}]') == {OnlyAtFirst(1, [])}


@pytest.mark.parametrize("record", NOT_IN_SETS)
def test_the_field_that_is_named_is_one_of_the_hash(record: Any) -> None:
    with pytest.raises(UnsupportedAnnotation, match="since its field notes cannot, so no set"):
        shape_of(frozenset[record])


@pytest.mark.parametrize("record", [Mutable, OpenStruct])
def test_a_class_without_a_hash_is_no_item_of_a_set(record: Any) -> None:
    assert hashed_fields(record, ["x"]) is None
    with pytest.raises(UnsupportedAnnotation, match="cannot be hashed, so no set holds it"):
        shape_of(frozenset[record])
