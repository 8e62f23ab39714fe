"""Records: dataclasses to everybody, and quicker to make."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import pytest

from contract.shape.record import record

T = TypeVar("T")


@record
class Point(Generic[T]):
    """A place."""

    x: T
    y: int = 0
    tags: list[str] = field(default_factory=list, compare=False)
    secret: str = field(default="s", repr=False)

    @property
    def both(self) -> tuple[T, int]:
        return self.x, self.y


@record(kw_only=True)
class Options:
    name: str = "n"
    size: int


@record(eq=False)
class Node:
    children: list[Node]


@record
class Empty:
    """Nothing."""


@record
class Doubled:
    value: int
    twice: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "twice", self.value * 2)

    def __repr__(self) -> str:
        return "doubled"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Doubled)

    def __hash__(self) -> int:
        return 1


def test_a_record_is_a_dataclass() -> None:
    point = Point(1, tags=["a"])

    assert dataclasses.is_dataclass(point)
    assert [each.name for each in dataclasses.fields(point)] == ["x", "y", "tags", "secret"]
    assert dataclasses.asdict(point) == {"x": 1, "y": 0, "tags": ["a"], "secret": "s"}
    assert (dataclasses.replace(point, y=2), point.both) == (Point(1, 2), (1, 0))
    assert Point.__match_args__[:2] == ("x", "y")


def test_a_record_behaves_like_the_dataclass_that_it_stands_for() -> None:
    @dataclass(frozen=True, slots=True)
    class Plain:
        """A place."""

        x: int
        y: int = 0
        tags: list[str] = field(default_factory=list, compare=False)
        secret: str = field(default="s", repr=False)

    plain, point = Plain(1, 2), Point(1, 2)

    assert repr(point) == repr(plain).rpartition("<locals>.")[2].replace("Plain", "Point")
    assert Plain.__match_args__ == Point.__match_args__  # type: ignore[attr-defined, unused-ignore]
    assert Plain.__slots__ == Point.__slots__  # type: ignore[attr-defined]
    assert list(inspect.signature(Plain).parameters) == list(inspect.signature(Point).parameters)
    assert Point.__doc__ == Plain.__doc__
    assert Point.__init__.__qualname__ == "Point.__init__"


def test_factories_make_a_new_value_each_time() -> None:
    assert Point(1).tags is not Point(1).tags


def test_records_are_compared_by_class_and_compared_fields() -> None:
    assert Point(1, tags=["a"]) == Point(1, tags=["b"])
    assert hash(Point(1, tags=["a"])) == hash(Point(1, tags=["b"]))
    assert Point(1) != Point(2)
    others: list[object] = [Empty(), (1, 0), None]
    assert Point(1) not in others
    assert (Empty(), len({Empty(), Empty()})) == (Empty(), 1)
    assert Options(size=1) == Options(name="n", size=1)


def test_records_may_be_compared_by_identity() -> None:
    assert len({Node([]), Node([])}) == 2
    assert Node([]) != Node([])


def test_keyword_only_fields_are_given_by_name() -> None:
    wrong: Any = Options
    with pytest.raises(TypeError, match="positional"):
        wrong("n", 1)


def test_a_record_cannot_be_changed() -> None:
    changed: Any = Point(1)
    for name in ("x", "z"):
        why = f"cannot assign to field '{name}'"
        with pytest.raises(dataclasses.FrozenInstanceError, match=why):
            setattr(changed, name, 2)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'x'"):
        del changed.x


def test_a_record_can_be_copied_and_pickled() -> None:
    point = Point(1, 2, ["a"])

    copied = copy.deepcopy(point)
    assert pickle.loads(pickle.dumps(point)) == copied == point
    assert copied.tags is not point.tags


def test_what_the_author_wrote_is_kept() -> None:
    made = Doubled(2)

    assert (made.twice, repr(made), hash(made)) == (4, "doubled", 1)
    assert made == Doubled(3)


def test_a_record_that_holds_itself_can_be_shown() -> None:
    node = Node([])
    node.children.append(node)

    assert repr(node) == "Node(children=[...])"
