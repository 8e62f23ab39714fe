"""Known defaults: what inputs have where they lack a field, told where no code of an author has to be asked."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from itertools import count
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

import pytest

from contract.shape.defaults import known_default
from contract.shape.markers import UNSET
from contract.shape.nodes import MISSING, AnyShape, Field
from tests.tables import rows

T = TypeVar("T")

_RUN = count()


def run() -> int:
    """What no default may do before there is an input."""
    return next(_RUN)


def known(factory: Callable[[], Any], *, init: bool = True) -> Any:
    return known_default(Field("a", "a", AnyShape(), default_factory=factory, init=init))


class Color(Enum):
    RED = "red"

    @property
    def now(self) -> int:
        return run()


class Plain(NamedTuple):
    size: int = 0


@dataclass
class Options:
    size: int = 10
    tags: list[str] = field(default_factory=list[str])
    color: Color = Color.RED
    limit: ClassVar[int] = 3

    def doubled(self) -> int:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Frozen:
    size: int = 10
    counts: dict[str, int] = field(default_factory=dict[str, int], init=False)


@dataclass(kw_only=True)
class Inner(Options):
    options: Options = field(default_factory=Options)
    frozen: Frozen = field(default_factory=Frozen)


@dataclass
class Page(Generic[T]):
    items: list[T] = field(default_factory=list[T])


def test_a_plain_default_is_known() -> None:
    assert known_default(Field("a", "a", AnyShape(), default=[1])) == [1]
    assert known_default(Field("a", "a", AnyShape(), default=None)) is None


def test_no_default_is_none() -> None:
    assert known_default(Field("a", "a", AnyShape())) is MISSING
    assert known_default(Field("a", "a", AnyShape(), default=UNSET, unset=True)) is MISSING


@pytest.mark.parametrize("make", [list, dict, set, frozenset, tuple, str, bytes, int, float, bool])
def test_what_is_built_in_makes_what_is_empty(make: Callable[[], Any]) -> None:
    assert known(make) == make()
    assert type(known(make)) is make


def test_a_built_in_type_may_have_arguments() -> None:
    assert (known(list[str]), known(dict[str, int])) == ([], {})


@pytest.mark.parametrize("factory", [Options, Frozen, Inner, Page])
def test_a_plain_dataclass_of_known_defaults_is_known(factory: Callable[[], Any]) -> None:
    assert known(factory) == factory()


def test_every_time_is_another_value() -> None:
    """What is done with one reaches no other."""
    known(list).append(1)

    assert known(list) == []


def test_what_no_input_has_is_no_default() -> None:
    assert known(list, init=False) is MISSING


class Meta(type):
    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return (run(), super().__call__(*args, **kwargs))


class MadeNew:
    def __new__(cls) -> Self:
        run()
        return super().__new__(cls)


class Property:
    def __get__(self, instance: object, owner: object) -> int:
        return run() if instance is not None else 0


class Setting:
    def __set__(self, instance: object, value: object) -> None:
        run()


def runs(*_: object) -> int:
    return run()


def ends(*_: object) -> None:
    run()


def made(*bases: type[Any], of: type[Any] = type, **body: Any) -> Any:
    """A dataclass whose size is 0, but for its *bases*, its metaclass and what stands in its body."""
    return dataclass(of("Made", bases, {"__annotations__": {"size": int}, "size": 0, **body}))


def test_a_class_that_is_made_so_is_known_but_for_what_its_author_adds() -> None:
    plain = made()

    assert known(plain) == plain()


OfMeta = made(of=Meta)
Abstract = made(ABC)
New = made(MadeNew)
OwnInit = made(__init__=ends)
OwnSet = made(__setattr__=ends)
Finished = made(__post_init__=ends)
Reading = made(__getattribute__=runs)
Looking = made(size=field(init=False), __getattr__=runs)
Dropped = made(__del__=ends)
Read = made(size=field(default=Property(), init=False))
Written = made(size=Setting())
BuiltIn = made(dict)


class Derived(Options):
    """Not decorated itself, so nobody knows what its author has in mind."""


@dataclass
class Clocked:
    at: int = field(default_factory=run)


@dataclass
class Within:
    inner: Clocked = field(default_factory=Clocked)


@dataclass
class Unsent:
    at: int = field(default_factory=run, init=False)


@dataclass
class Needing:
    size: int


@dataclass
class Slotless:
    __slots__ = ()
    size: list[int] = field(default_factory=list[int])


@rows(
    "factory",
    *(run, lambda: ["a"], lambda: [*{"a", "b", "c", "d"}], lambda: Color.RED.now),
    *(partial(int, "1"), Plain, Color, Page[int], Derived, OfMeta, Abstract, New, OwnInit),
    *(OwnSet, Finished, Reading, Looking, Dropped, Read, Written, BuiltIn, Clocked, Within),
    *(Unsent, Needing, Slotless),
)
def test_nothing_else_is_asked(factory: Callable[[], Any]) -> None:
    """Neither what may differ on another start, nor what runs an author's code, nor what fails."""
    before = repr(_RUN)

    assert known(factory) is MISSING
    assert repr(_RUN) == before


def test_the_ways_to_run_code_are_ways() -> None:
    """Each of the classes that are not asked does run its author's code."""
    makers: list[Callable[[], Any]] = [OfMeta, New, OwnInit, OwnSet, Finished, Written, Clocked]
    makers += [Within, Unsent, Dropped]
    readers: list[Callable[[], Any]] = [Reading, Looking, Read]
    for make in makers:
        before = repr(_RUN)
        value = make()
        del value
        assert repr(_RUN) != before
    for make in readers:
        value = make()
        before = repr(_RUN)
        assert isinstance(value.size, int)
        assert repr(_RUN) != before
