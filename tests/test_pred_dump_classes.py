"""Which Python classes belong to a shape: those of every container that type checkers take."""

from __future__ import annotations

import json
from array import array
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, deque
from collections.abc import (
    Collection,
    Iterable,
    Iterator,
    Mapping,
    MutableMapping,
    MutableSequence,
    MutableSet,
    Sequence,
)
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from types import MappingProxyType, NoneType
from typing import Annotated, Any, Literal, NamedTuple, TypedDict
from uuid import UUID

import pytest
from annotated_types import Len, Predicate

from contract.pred.dump.classes import python_types
from contract.pred.dump.compile import compile_dumper, generate
from contract.pred.dump.walk import plain
from contract.shape.exceptions import InvalidOutput
from contract.shape.nodes import AnyShape
from contract.shape.reader import shape_of
from tests.samples import Color
from tests.tables import rows


class Pair(NamedTuple):
    one: int


class Keys(TypedDict):
    one: int


@dataclass
class A:
    kind: Literal["a"]


@dataclass
class B:
    kind: Literal["b"]


@rows(
    "annotation, classes",
    (None, [NoneType]),
    *((cls, [cls]) for cls in (bool, int, str, bytes, Decimal, datetime, date, time)),
    *((cls, [cls]) for cls in (timedelta, UUID, Color, Pair, A)),
    (float, [float, int]),
    (Literal["a", 1, "b", True], [str, int, bool]),
    (list[int], [list]),
    (set[int], [set, frozenset]),
    (tuple[int, str], [tuple]),
    (dict[str, int], [dict]),
    (Keys, [dict]),
    (A | B, [A, B]),
    (A | None, [NoneType, A]),
    (int | str, [int, str]),
    (Annotated[int, Predicate(bool)], [int]),
)
def test_every_shape_has_its_classes(annotation: Any, classes: list[type]) -> None:
    assert list(python_types(shape_of(annotation))) == classes


def test_any_has_those_of_json() -> None:
    assert python_types(AnyShape()) == (NoneType, bool, int, float, str, list, dict)


class Own(Sequence[int]):
    """A sequence whose items are made when they are asked for."""

    def __len__(self) -> int:
        return 2

    def __getitem__(self, index: Any) -> Any:
        return [1, 2][index]


class OwnMap(Mapping[str, int]):
    def __getitem__(self, key: str) -> int:
        return 1

    def __iter__(self) -> Iterator[str]:
        return iter(["a"])

    def __len__(self) -> int:
        return 1


class Twice(OwnMap):
    """Says that it has two entries of one key."""

    def items(self) -> Any:
        return [("a", 1), ("a", 2)]


class Wordy(OwnMap):
    def items(self) -> Any:
        return ["one", "two"]


class Broken(Own):
    def __iter__(self) -> Iterator[int]:
        raise ZeroDivisionError


class Lying(list[int]):
    """A list: what it says of its items is not asked."""

    def __iter__(self) -> Iterator[int]:
        raise AssertionError


class Claims:
    """An object that says it is a deque."""

    __class__: Any = property(lambda _: deque)


@dataclass
class Holds:
    items: Sequence[int] = field(default_factory=deque)
    names: Mapping[str, Sequence[str]] = field(default_factory=lambda: MappingProxyType({}))


ORDERED = OrderedDict(a=1, b=2)

WRITTEN: list[tuple[Any, Any, Any]] = [
    (Sequence[int], deque([1, 2]), [1, 2]),
    (Sequence[int], range(3), [0, 1, 2]),
    (Sequence[int], array("i", [1, 2]), [1, 2]),
    (Sequence[int], UserList([1]), [1]),
    (Sequence[int], Own(), [1, 2]),
    *((Sequence[int], each, [1]) for each in (Lying([1]), [1], (1,))),
    (Sequence[Decimal], deque([Decimal(1)]), ["1"]),
    (Sequence[Sequence[int]], deque([range(2), [5]]), [[0, 1], [5]]),
    (Sequence[int] | None, deque([1]), [1]),
    (Sequence[int] | str, deque([1]), [1]),
    (A | Sequence[int], deque([1]), [1]),
    (Sequence[int] | Mapping[str, int], MappingProxyType({"a": 1}), {"a": 1}),
    (Collection[str] | Mapping[str, int], MappingProxyType({"a": 1}), {"a": 1}),
    (Annotated[Sequence[int], Len(1, 2)], range(2), [0, 1]),
    (Annotated[Sequence[int], Predicate(lambda items: type(items) is range)], range(2), [0, 1]),
    (Iterable[int], {1: "a", 2: "b"}.keys(), [1, 2]),
    (Iterable[int], Own(), [1, 2]),
    (MutableSequence[int], deque([1]), [1]),
    (MutableSequence[int], UserList([1]), [1]),
    (Collection[int], deque([1]), [1]),
    (Collection[int], {7}, [7]),
    (Collection[int], {7: "x"}.keys(), [7]),
    (Collection[str], {7: "x"}.values(), ["x"]),
    (AbstractSet[str], {"b": 1, "a": 2}.keys(), ["a", "b"]),
    (AbstractSet[tuple[str, int]], {"a": 1}.items(), [["a", 1]]),
    (AbstractSet[int], {1}, [1]),
    (MutableSet[int], {1}, [1]),
    (Mapping[str, int], MappingProxyType({"a": 1}), {"a": 1}),
    (Mapping[str, int], MappingProxyType(ORDERED), {"a": 1, "b": 2}),
    (Mapping[str, int], ChainMap({"a": 1}, {"a": 2, "b": 3}), {"a": 1, "b": 3}),
    (Mapping[str, int], UserDict(a=1), {"a": 1}),
    (Mapping[str, int], Counter("aab"), {"a": 2, "b": 1}),
    (Mapping[str, int], OwnMap(), {"a": 1}),
    (Mapping[int, Decimal], MappingProxyType({1: Decimal(1)}), {"1": "1"}),
    (Mapping[str, int] | None, MappingProxyType({"a": 1}), {"a": 1}),
    (Mapping[str, int] | int, MappingProxyType({"a": 1}), {"a": 1}),
    (MutableMapping[str, int], ChainMap({"a": 1}), {"a": 1}),
    (
        Holds,
        Holds(range(2), MappingProxyType({"a": deque(["b"])})),
        {"items": [0, 1], "names": {"a": ["b"]}},
    ),
    (Holds, Holds(), {"items": [], "names": {}}),
]


@pytest.mark.parametrize(("annotation", "value", "expected"), WRITTEN, ids=repr)
def test_what_type_checkers_take_is_written(annotation: Any, value: Any, expected: Any) -> None:
    shape = shape_of(annotation)

    assert json.loads(compile_dumper(shape)(value)) == expected
    assert sorted(json.dumps(plain(shape, value))) == sorted(json.dumps(expected))


LENGTH = "expected at most 2 items"
REFUSED: list[tuple[Any, Any, tuple[str | int, ...], str]] = [
    (Sequence[int], {1}, (), "expected sequence, found set"),
    (Sequence[int], {1: 2}, (), "expected sequence, found dict"),
    (Sequence[int], {1: 2}.keys(), (), "expected sequence, found dict_keys"),
    (Sequence[int], iter([1]), (), "expected sequence, found list_iterator"),
    (Sequence[str], "abc", (), "expected sequence, found str"),
    (Sequence[int], b"abc", (), "expected sequence, found bytes"),
    (Sequence[int], memoryview(b"abc"), (), "expected sequence, found memoryview"),
    (MutableSequence[int], bytearray(b"abc"), (), "expected list, found bytearray"),
    (MutableSequence[int], range(3), (), "expected list, found range"),
    (Collection[str], "abc", (), "expected sequence, found str"),
    (Collection[str], {"a": 1}, (), "expected sequence, found dict"),
    (Iterable[str], "abc", (), "expected sequence, found str"),
    (Iterable[str], {"a": 1}, (), "expected sequence, found dict"),
    (Iterable[int], 1, (), "expected sequence, found int"),
    (AbstractSet[int], [1], (), "expected frozenset, found list"),
    (MutableSet[str], {"a": 1}.keys(), (), "expected set, found dict_keys"),
    (set[str], {"a": 1}.keys(), (), "expected set, found dict_keys"),
    (list[int], deque([1]), (), "expected list, found deque"),
    (deque[int], [1], (), "expected deque, found list"),
    (dict[str, int], MappingProxyType({"a": 1}), (), "expected dict, found mappingproxy"),
    (MutableMapping[str, int], MappingProxyType({"a": 1}), (), "expected dict, found mappingproxy"),
    (Sequence[int] | str, {1}, (), "expected list | tuple | str, found set"),
    (Sequence[int], Claims(), (), "expected sequence, found Claims"),
    (Sequence[int], deque(["a"]), (0,), "expected int, found str"),
    (Annotated[Sequence[int], Len(1, 2)], range(3), (), LENGTH),
    (Annotated[Mapping[str, int], Len(1, 2)], MappingProxyType({}), (), "expected at least 1 keys"),
    (Mapping[str, int], MappingProxyType({1: 1}), (0,), "its key: expected str, found int"),
    (Mapping[str, int], Twice(), (), "has keys that are equal in JSON"),
    (Mapping[str, int], Wordy(), (), "cannot be read: ValueError"),
    (list[Sequence[int]], [Broken()], (0,), "cannot be read: ZeroDivisionError"),
]


@pytest.mark.parametrize(("annotation", "value", "path", "problem"), REFUSED, ids=repr)
def test_what_type_checkers_refuse_and_texts_are_not(
    annotation: Any, value: Any, path: tuple[str | int, ...], problem: str
) -> None:
    shape = shape_of(annotation)
    for refuse in (compile_dumper(shape), lambda value: plain(shape, value)):
        with pytest.raises(InvalidOutput) as refused:
            refuse(value)

        assert (refused.value.path, refused.value.problem) == (path, problem)


def test_what_an_abstract_class_takes_does_not_need_the_walk() -> None:
    """The generated code reads it on the spot, and the rest of the value at full speed."""

    @dataclass
    class Seen:
        items: Sequence[int]
        names: Mapping[str, int]

    entry = generate(shape_of(Seen), lambda _: b"walked", "x")

    assert entry(Seen(deque([1]), MappingProxyType({"a": 1}))) == b'{"items":[1],"names":{"a":1}}'
    assert entry(Seen({1}, {})) == b"walked"  # type: ignore[arg-type]


# An iterator has no items any more once it is read.


class Word(str):
    """A text that the generated code leaves to the walk."""

    __slots__ = ()


@dataclass
class Chapters:
    words: Iterable[str]
    last: list[str]


@dataclass
class Book:
    parts: list[Chapters]


READ = {"words": ["a"], "last": ["b"]}


@rows(
    "annotation, value, expected",
    (Iterable[int], (number for number in [1, 2]), [1, 2]),
    (Iterable[int] | str, iter([1]), [1]),
    (Annotated[Iterable[int], Len(1, 2)], iter([1, 2]), [1, 2]),
    (list[Iterable[str]], [iter([Word("a")]), [Word("b")]], [["a"], ["b"]]),
    (Chapters, Chapters(iter(["a"]), [Word("b")]), READ),
    (Book, Book([Chapters(iter(["a"]), [Word("b")])]), {"parts": [READ]}),
    ids=repr,
)
def test_an_iterator_is_read_once(annotation: Any, value: Any, expected: Any) -> None:
    assert json.loads(compile_dumper(shape_of(annotation))(value)) == expected


def fails() -> Iterator[int]:
    yield 1
    raise ZeroDivisionError


@rows(
    "annotation, value, problem",
    (Annotated[Iterable[int], Len(1, 2)], iter([]), "expected at least 1 items"),
    (Iterable[int], fails(), "cannot be read: ZeroDivisionError"),
)
def test_what_is_wrong_in_an_iterator_is_told(annotation: Any, value: Any, problem: str) -> None:
    with pytest.raises(InvalidOutput) as refused:
        compile_dumper(shape_of(annotation))(value)

    assert refused.value.problem == problem
