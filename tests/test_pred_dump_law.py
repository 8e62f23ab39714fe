"""The law of the dumper: what generated code accepts, the walk accepts, with the same JSON."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from enum import Enum, IntEnum
from types import NoneType
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict
from uuid import UUID
from zoneinfo import ZoneInfo

import orjson
from annotated_types import Ge, Len, Predicate, Timezone
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_core import TzInfo

from contract.pred.dump.compile import compile_dumper, generate
from contract.pred.dump.walk import plain
from contract.shape.exceptions import InvalidOutput, UnsupportedAnnotation
from contract.shape.markers import UNSET, Unset
from contract.shape.reader import shape_of


class Size(Enum):
    SMALL = "s"
    LARGE = "l"


class Level(IntEnum):
    ONE = 1


class Day(Enum):
    MON = 1
    TUE = "tue"
    WED = "wed"
    THU = "thu"
    FRI = "fri"


class Note(str):
    __slots__ = ()


class Items(list[Any]): ...


class Options(TypedDict):
    a: int
    b: NotRequired[str | None]


class Spot(NamedTuple):
    at: int
    when: datetime | None = None


@dataclass
class Leaf:
    name: str | Unset = UNSET
    size: Size = Size.SMALL
    kind: Literal["leaf"] = "leaf"


@dataclass(frozen=True, slots=True)
class Branch:
    left: Leaf | Branch | None
    data: Any = None
    kind: Literal["branch"] = "branch"


@dataclass
class Special(Leaf):
    secret: int = 1


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.integers() | st.floats() | st.text() | st.just(Level.ONE),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(st.text() | st.builds(Note, st.text()), inner)
        | st.builds(Items, st.lists(inner))
    ),
    max_leaves=5,
)
BRANCHES: st.SearchStrategy[Any] = st.recursive(
    st.builds(Leaf) | st.builds(Special) | st.none(),
    lambda inner: st.builds(Branch, inner, st.integers() | st.lists(st.text()) | st.just({1: 2})),
)
ZONES: list[tzinfo] = [
    UTC,
    timezone(timedelta(hours=2)),
    timezone(timedelta(seconds=2)),
    timezone(timedelta(minutes=-7)),
    TzInfo(0),
    TzInfo(-12_600),
    ZoneInfo("Europe/Berlin"),
    ZoneInfo("Africa/Monrovia"),
]
SCALARS: dict[Any, st.SearchStrategy[Any]] = {
    int: st.integers(-(2**64), 2**65) | st.just(Level.ONE),
    Annotated[int, Ge(0)]: st.integers(-3, 3),
    float: st.floats() | st.integers(),
    str: st.text() | st.builds(Note, st.text()) | st.just("\ud800"),
    Annotated[str, Len(1, 2)]: st.text(max_size=4),
    bytes: st.binary(),
    bool: st.booleans(),
    NoneType: st.none(),
    Decimal: st.decimals(),
    date: st.dates(),
    datetime: st.datetimes(timezones=st.none() | st.sampled_from(ZONES)),
    Annotated[datetime, Timezone("UTC")]: st.datetimes(timezones=st.sampled_from(ZONES)),
    Annotated[datetime, Timezone(ZONES[1])]: st.datetimes(timezones=st.sampled_from(ZONES)),
    time: st.times(timezones=st.none() | st.sampled_from(ZONES)),
    Day: st.sampled_from(Day),
    timedelta: st.timedeltas(),
    UUID: st.uuids(),
    Size: st.sampled_from(Size),
    Literal["x", 1, True]: st.sampled_from(["x", 1, True, "y", 0, False, Note("x")]),
    Any: st.recursive(
        st.none() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    ),
    Annotated[int, Predicate(lambda n: n % 2)]: st.integers(),
    Options: st.fixed_dictionaries(
        {"a": st.integers()}, optional={"b": st.none() | st.text(), "c": st.none()}
    ),
    Spot: st.builds(Spot, st.integers()),
    Leaf: st.builds(Leaf, st.text() | st.just(UNSET)) | st.builds(Special),
    Branch: BRANCHES,
    Leaf | Branch: BRANCHES,
}
JUNK = st.sampled_from(
    [
        *(None, True, 0, 1.5, "x", b"x", (), [], {}, set(), object(), Leaf(), Note("x")),
        *(Items([1]), OrderedDict(a=1), Size.SMALL),
    ]
)
Case = tuple[Any, st.SearchStrategy[Any]]


def wrapped(inner: st.SearchStrategy[Case]) -> st.SearchStrategy[Case]:
    def wrap(case: Case, kind: int, other: Case) -> Case:
        annotation, values = case
        match kind:
            case 0:
                items = st.lists(values, max_size=3)
                return list[annotation], items | st.builds(Items, items)  # type: ignore[valid-type]
            case 1:
                return tuple[annotation, other[0]], st.tuples(values, other[1])  # type: ignore[valid-type]
            case 2:
                keys = st.text() | st.builds(Note, st.text())
                return dict[str, annotation], st.dictionaries(keys, values, max_size=3)  # type: ignore[valid-type]
            case 3:
                numbers = st.integers() | st.booleans()
                return dict[int, annotation], st.dictionaries(numbers, values, max_size=3)  # type: ignore[valid-type]
            case 4:
                return annotation | None, values | st.none()
            case 5:
                return annotation | other[0], values | other[1]
            case _:
                return tuple[annotation, ...], st.lists(values, max_size=3).map(tuple)  # type: ignore[valid-type]

    return st.builds(wrap, inner, st.integers(0, 6), inner)


CASES = st.recursive(st.sampled_from(list(SCALARS.items())), wrapped, max_leaves=4)


def refused(value: object) -> bytes:
    raise LookupError


@settings(max_examples=300)
@given(CASES, st.data())
def test_generated_code_agrees_with_the_walk(case: Case, data: st.DataObject) -> None:
    annotation, values = case
    try:
        shape = shape_of(annotation)
    except UnsupportedAnnotation:
        return  # a union that cannot be told apart
    value = data.draw(values | JUNK)

    def outcome(dump: Callable[[Any], bytes]) -> bytes | None:
        try:
            return dump(value)
        except InvalidOutput:
            return None

    walked = outcome(lambda each: orjson.dumps(plain(shape, each)))
    try:
        quick: bytes | None = generate(shape, refused, "test")(value)
    except LookupError:
        quick = walked
    assert outcome(compile_dumper(shape)) == quick == walked
