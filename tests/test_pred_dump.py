"""Dumpers: what is written, what is refused and where, in generated code as in the walk."""

from __future__ import annotations

import ctypes
import gc
import json
import sys
import typing
from collections import OrderedDict, UserDict, defaultdict
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import InitVar, dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal, localcontext
from enum import Enum
from functools import partial
from types import FunctionType
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, NotRequired, TypedDict, TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

import orjson
import pytest
from annotated_types import Ge, Gt, Len, MultipleOf, Predicate, Timezone
from pydantic_core import TzInfo

from contract.pred.dump import writer
from contract.pred.dump.compile import compile_dumper, generate
from contract.pred.dump.module import NAMESPACE, OPTIONS
from contract.pred.dump.walk import MAX_DEPTH, plain
from contract.shape import nodes
from contract.shape.exceptions import InvalidOutput
from contract.shape.markers import UNSET, Name, Pattern, Unset
from contract.shape.own_texts import Email
from contract.shape.reader import ShapeReader, shape_of
from tests import test_pred_dump_scalars as scalars
from tests.growth import growth
from tests.samples import Closed, Color, Opened, Sign
from tests.tables import rows
from tests.test_pred_dump_scalars import INFINITE, NAIVE, Liar, Rank, Word, forged, formless, never

T = TypeVar("T")


class Planet(Enum):
    """More members than are looked at one by one."""

    MERCURY = "mercury"
    VENUS = "venus"
    EARTH = "earth"
    MARS = "mars"
    SATURN = "saturn"


class Text(str):
    __slots__ = ()


class Alone(str):
    """A text that is equal to itself alone."""

    __slots__ = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__


class AlwaysEqual(str):
    """A text that claims to be every other."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash("name")


def test_the_text_that_lies_does_so() -> None:
    assert AlwaysEqual("a") == "b"


@dataclass
class Point:
    x: int
    y: float


@dataclass
class Named(Point):
    secret: str = "s3cret"


@dataclass(frozen=True, slots=True)
class Slotted:
    name: str
    tags: list[str] = field(default_factory=list)
    _private: int = 1
    until: datetime | None = None


@dataclass
class Patch:
    id: Annotated[str, Name("@id")]
    nickname: str | Unset | None = UNSET
    color: Color | Unset = UNSET
    rank: Rank = Rank.LOW
    setup: InitVar[int] = 0
    total: int = field(init=False, default=7)

    def __post_init__(self, setup: int) -> None:
        self.total += setup


@dataclass
class Node:
    value: Any
    kids: list[Node] = field(default_factory=list)
    by_name: dict[str, Node] | None = None


@dataclass
class Card:
    number: Annotated[str, Len(4, 4), Pattern("^[0-9]+$")]
    kind: Literal["card"] = "card"


@dataclass
class Cash:
    paid: Annotated[Decimal, Gt(Decimal(0))]
    kind: Literal["cash", "coins"] = "cash"


@dataclass
class Gold(Card):
    limit: int = 1_000_000


@dataclass
class Box(typing.Generic[T]):
    kind: T
    more: int = 0


AOrB = Box[Literal["a"]] | Box[Literal["b"]]


class Keys(TypedDict):
    name: str
    size: NotRequired[int]
    tags: NotRequired[list[str]]


class Cat(TypedDict):
    kind: Literal["cat"]
    lives: int


class Dog(TypedDict):
    kind: Literal["dog"]
    good: bool


CAT: dict[str, object] = {"kind": "cat", "lives": 9}
DOG: dict[str, object] = {"kind": "dog", "good": True}


class Empty(TypedDict): ...


class Pair(NamedTuple):
    left: int
    right: Decimal = Decimal(0)


class Odd(NamedTuple):
    """Overrides what readers of tuples use."""

    one: int


Odd.__len__ = never  # type: ignore[method-assign]
Odd.__iter__ = never  # type: ignore[method-assign]


@dataclass
class Nothing: ...


@dataclass(frozen=True, eq=False)
class Lonely:
    """Equal to none, so a set can hold two that are equal in JSON."""

    value: int


@dataclass(frozen=True, eq=False)
class Apart:
    numbers: list[float]
    on: bool | int = True
    by_name: dict[str, int] = field(default_factory=dict)


AB = {"a": 1, "b": 2}
BARE: dict[str, object] = {"numbers": [], "on": True, "by_name": {}}
MOMENT = datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC)
BERLIN = datetime(2026, 7, 2, 3, 4, 5, tzinfo=ZoneInfo("Europe/Berlin"))


class Here(tzinfo):
    """A zone of the author's."""

    def utcoffset(self, moment: datetime | None) -> timedelta:
        return timedelta(hours=2)

    def tzname(self, moment: datetime | None) -> str:
        return "here"

    def dst(self, moment: datetime | None) -> None:
        return None


def moment_at(zone: tzinfo) -> datetime:
    return datetime(5, 1, 2, 3, 4, 5, tzinfo=zone)


def at(**offset: int) -> datetime:
    return moment_at(timezone(timedelta(**offset)))


ONE = Decimal(1)
ID = UUID("12345678-1234-5678-1234-567812345678")
AboveOne = Annotated[int, Predicate(lambda n: n > 1)]
IN_BERLIN = "2026-07-02T03:04:05+02:00"
Utc = Annotated[datetime, Timezone("UTC")]
Late = Annotated[datetime, Gt(datetime(2000, 1, 1, tzinfo=UTC))]


def at_offset(**offset: int) -> Any:
    return Annotated[datetime, Timezone(timezone(timedelta(**offset)))]


def named_list(*items: object) -> list[object]:
    class Items(list[object]):
        __iter__ = never

    return Items(items)


FULL = Patch("p1", None, Color.RED, Rank.HIGH, 3)
CHILDLESS = Node(3, None, {"a": 4})  # type: ignore[arg-type, dict-item]


def patched(**attributes: object) -> Patch:
    patch = Patch("p1")
    vars(patch).update(attributes)
    return patch


WRITTEN: list[tuple[Any, object, object]] = [
    # scalars and their subclasses
    *scalars.FITTING,
    (int, 2**63 - 1, 2**63 - 1),
    (Decimal, Decimal("-0.10"), "-0.10"),
    (Decimal, Decimal("1E+3"), "1E+3"),
    (Decimal, Decimal("1" * 40), "1" * 40),
    (Decimal, Decimal("-" + "1" * 40), "-" + "1" * 40),
    (Annotated[Decimal, Gt(Decimal(1)), MultipleOf(Decimal("0.5"))], Decimal("1.5"), "1.5"),
    (datetime, MOMENT, MOMENT.isoformat()),
    (datetime, BERLIN, IN_BERLIN),
    (datetime, at(hours=-3, minutes=-30), "0005-01-02T03:04:05-03:30"),
    (datetime, at(hours=14), "0005-01-02T03:04:05+14:00"),
    (datetime, at(hours=23, minutes=59), "0005-01-02T03:04:05+23:59"),
    (datetime, at(minutes=-7), "0005-01-02T03:04:05-00:07"),
    (datetime, at(), "0005-01-02T03:04:05+00:00"),
    (datetime, moment_at(TzInfo(3600)), "0005-01-02T03:04:05+01:00"),
    (datetime, moment_at(Here()), "0005-01-02T03:04:05+02:00"),
    (Utc, at(), "0005-01-02T03:04:05+00:00"),
    (Utc, BERLIN.replace(tzinfo=ZoneInfo("UTC")), "2026-07-02T03:04:05+00:00"),
    (at_offset(minutes=7), at(minutes=7), "0005-01-02T03:04:05+00:07"),
    (Late, BERLIN, IN_BERLIN),
    (at_offset(hours=2), BERLIN, IN_BERLIN),
    (time, time(1, 2, tzinfo=UTC), "01:02:00+00:00"),
    (time, time(1, 2, 3, 4), "01:02:03.000004"),
    (time, time(1, 2, 3, 10_000), "01:02:03.010000"),
    (datetime, at(hours=2).replace(microsecond=10_000), "0005-01-02T03:04:05.010000+02:00"),
    (Annotated[time, Gt(time(1))], time(1, 2), "01:02:00"),
    (Planet, Planet.SATURN, "saturn"),
    (list[Planet], [Planet.VENUS], ["venus"]),
    (timedelta, timedelta(seconds=-1), "-PT1S"),
    (Literal["a", 1, True], 1, 1),
    (Literal["a", 1, True], True, True),
    (Annotated[float, MultipleOf(0.1), Ge(0)], 0.3, 0.3),
    # containers
    (list[str], ["a", "b"], ["a", "b"]),
    (list[str], [Text("a")], ["a"]),
    (list[str], named_list("a", "b"), ["a", "b"]),
    (list[datetime], [MOMENT, BERLIN], [MOMENT.isoformat(), IN_BERLIN]),
    (list[Color | None], [Color.RED, None], ["red", None]),
    (list[Decimal], [Decimal(1)], ["1"]),
    (tuple[int, ...], (1, 2), [1, 2]),
    (tuple[int, str], (1, "a"), [1, "a"]),
    (tuple[int, Decimal], (1, Decimal(2)), [1, "2"]),
    (tuple[()], (), []),
    (tuple[int, Decimal], Pair(1, Decimal(2)), [1, "2"]),
    (set[str], {"b", "a", "c"}, ["a", "b", "c"]),
    (set[int], {10, 9, 1}, [1, 10, 9]),
    (set[Apart], {Apart([], 1), Apart([])}, [BARE | {"on": 1}, BARE | {"on": True}]),
    (set[str], frozenset({"a"}), ["a"]),
    (AbstractSet[str], frozenset({"a"}), ["a"]),
    (frozenset[UUID], frozenset({ID}), [str(ID)]),
    (frozenset[datetime], frozenset({MOMENT}), [MOMENT.isoformat()]),
    (dict[str, int], {"a": 1}, {"a": 1}),
    (dict[str, int], OrderedDict(a=1), {"a": 1}),
    (dict[str, int], defaultdict(int, a=1), {"a": 1}),
    (dict[str, int], {Word.YES: 1}, {"yes": 1}),
    (dict[int, int], {-1: 1}, {"-1": 1}),
    (dict[UUID, Decimal], {ID: Decimal(1)}, {str(ID): "1"}),
    (dict[date, str], {date(2026, 1, 2): "x"}, {"2026-01-02": "x"}),
    (dict[Color, str], {Color.RED: "x"}, {"red": "x"}),
    (dict[Literal["a"], str], {"a": "x"}, {"a": "x"}),
    (Annotated[dict[str, Decimal], Len(1, 2)], {"a": Decimal(1)}, {"a": "1"}),
    (Annotated[list[int], Len(1, 2)], [1], [1]),
    # any JSON
    (Any, {"a": [1, 1.5, "x", None, True, {}]}, {"a": [1, 1.5, "x", None, True, {}]}),
    (Any, {"a": {"b": [], "c": {}, "d": [[]]}}, {"a": {"b": [], "c": {}, "d": [[]]}}),
    (Any, OrderedDict(a=[Rank.LOW, Word.YES, named_list()]), {"a": [1, "yes", []]}),
    # records
    (Point, Point(1, 2.5), {"x": 1, "y": 2.5}),
    (Point, Point(1, 2), {"x": 1, "y": 2}),
    (Point, Named(1, 2.5), {"x": 1, "y": 2.5}),
    (list[Point], [Named(1, 2.5)], [{"x": 1, "y": 2.5}]),
    (Slotted, Slotted("a", ["b"]), {"name": "a", "tags": ["b"], "_private": 1, "until": None}),
    (Patch, Patch("p1"), {"@id": "p1", "rank": 1, "total": 7}),
    (Patch, FULL, {"@id": "p1", "nickname": None, "color": "red", "rank": 2, "total": 10}),
    (Nothing, Nothing(), {}),
    (Box[Literal["a"]], Box("a"), {"kind": "a", "more": 0}),
    (Keys, {"name": "a"}, {"name": "a"}),
    (Keys, {"tags": ["x"], "name": "a", "size": 1}, {"name": "a", "size": 1, "tags": ["x"]}),
    (Keys, OrderedDict(name="a"), {"name": "a"}),
    (Keys, {Text("name"): "a"}, {"name": "a"}),
    (Empty, {}, {}),
    (Cat, CAT, CAT),
    (Pair, Pair(1), [1, "0"]),
    (Odd, Odd(1), [1]),
    (Node, Node({"a": 1}, [Node(1)], {"b": Node(None)}), None),
    # unions
    (int | str | None, 1, 1),
    (int | str | None, "a", "a"),
    (int | str | None, None, None),
    (int | str | None, Word.YES, "yes"),
    (int | float, 1.5, 1.5),
    (int | float, 1, 1),
    (Annotated[int, Ge(0)] | float, -1, -1),
    (list[int] | dict[str, int], [1], [1]),
    (list[int] | dict[str, int], {"a": 1}, {"a": 1}),
    (dict[str, int] | str, OrderedDict(a=1), {"a": 1}),
    (list[int] | list[str], ["a"], ["a"]),
    (date | datetime, MOMENT, MOMENT.isoformat()),
    (date | datetime, date(2026, 1, 2), "2026-01-02"),
    (Card | Cash, Card("1234"), {"number": "1234", "kind": "card"}),
    (Card | Cash, Cash(Decimal(5), "coins"), {"paid": "5", "kind": "coins"}),
    (Card | Cash | None, None, None),
    (Card | Cash, Gold("1234"), {"number": "1234", "kind": "card"}),
    (Card | Cash | str, "x", "x"),
    (list[Cat | Dog], [DOG, CAT], [DOG, CAT]),
    (Cat | Dog, OrderedDict(DOG), DOG),
    (Opened | Closed, {"sign": Sign.MINUS}, {"sign": "-"}),
    (AOrB, Box("b"), {"kind": "b", "more": 0}),
    # predicates
    (AboveOne, 2, 2),
    (Annotated[list[str], Predicate(bool)], ["a"], ["a"]),
    (Annotated[list[Decimal], Predicate(bool)], [Decimal(1)], ["1"]),
    (Annotated[datetime, Predicate(lambda moment: moment.tzinfo is not UTC)], BERLIN, IN_BERLIN),
]


@rows("annotation, value, written", *WRITTEN, ids=map(str, range(len(WRITTEN))))
def test_a_value_is_written_by_its_type(annotation: Any, value: object, written: object) -> None:
    shape = shape_of(annotation)
    result = json.loads(compile_dumper(shape)(value))

    assert result == plain(shape, value)
    if annotation is not Node:  # what it holds is compared with the walk alone
        assert result == written


def fast(shape: nodes.Shape) -> Callable[[object], bytes]:
    """The generated code alone."""

    def refused(value: object) -> bytes:
        raise LookupError("left to the walk")

    return generate(shape, refused, "test")


@rows(
    "annotation, value",
    (list[Point], [Named(1, 2.5), Point(1, 1)]),
    (Patch, FULL),
    (Patch, patched(id=Text("p1"), nickname=Word.YES)),
    (Slotted, Slotted("a", ["b"], 1, BERLIN)),
    (Node, Node({"a": [1, None, 1.5, True]}, [Node("x")], {"b": Node([])})),
    (Keys, {"name": Text("a"), "size": Rank.LOW}),
    (list[datetime], [BERLIN]),
    (list[Decimal], [ONE]),
    (dict[int, str], {1: Text("a")}),
    (dict[str, list[dict[str, Pair]]], {"a": [{"b": Pair(1)}]}),
    (set[str], {Text("a")}),
    (Card | Cash | None, Cash(Decimal(5))),
    (Cat | Dog, DOG),
    (int | float, 1),
    (list[int | str | None], [1, "a", None]),
    (list[int] | list[str], ["a"]),
    (Annotated[int, Ge(0)] | float, -1),
    (list[AboveOne], [2]),
    (tuple[tuple[int, str], ...], ((1, "a"),)),
    (list[list[list[list[list[list[list[list[list[int]]]]]]]]], [[[[[[[[[1]]]]]]]]]),
    (list[list[list[list[list[list[list[list[list[Any]]]]]]]]], [[[[[[[[[None]]]]]]]]]),
    (list[list[list[list[list[list[list[list[list[Decimal]]]]]]]]], [[[[[[[[[ONE]]]]]]]]]),
)
def test_common_values_do_not_need_the_walk(annotation: Any, value: object) -> None:
    shape = shape_of(annotation)

    assert json.loads(fast(shape)(value)) == plain(shape, value)


@rows(
    "annotation, value",
    *((datetime, each) for each in (MOMENT, BERLIN, at(hours=-3, minutes=-30))),
    (datetime, moment_at(TzInfo(3600))),
    (Late, BERLIN),
    (Utc, at()),
    (at_offset(hours=2), BERLIN),
    (date, date(5, 1, 2)),
    (UUID, ID),
    (Decimal, Decimal("-1.50")),
    (Annotated[Decimal, Gt(Decimal(1))], Decimal("1.5")),
    (Color, Color.RED),
    (Planet, Planet.MARS),
)
def test_common_scalars_are_not_read_along_their_shape(
    annotation: Any, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That takes ten times as long, and an answer can have thousands of them."""
    shape = shape_of(annotation)
    monkeypatch.setattr(writer, "scalar", explode)

    assert json.loads(fast(shape)(value)) == plain(shape, value)


def test_a_decimal_is_limited_whatever_its_exponent_looks_like() -> None:
    dump = compile_dumper(shape_of(Decimal))

    with localcontext() as context:
        context.capitals = 0

        assert dump(Decimal("1E+3")) == b'"1e+3"'
        assert dump(Decimal("1E+99")) == b'"1e+99"'
        with pytest.raises(InvalidOutput):
            dump(Decimal("1E+100"))


def explode(*args: Any) -> Any:
    raise ZeroDivisionError


class Broken:
    """Raises whatever it is asked."""

    __getattribute__ = __eq__ = __hash__ = __bool__ = explode
    __len__ = __iter__ = __str__ = __repr__ = explode


class Failing(tzinfo):
    utcoffset = tzname = dst = explode


@dataclass
class Computed:
    """Asks for more than it has."""

    name: str

    __getattribute__ = explode


class Renamed(Point):
    x = property(explode, lambda self, value: None)


def without(instance: object, name: str) -> object:
    object.__delattr__(instance, name)
    return instance


def cycle() -> list[object]:
    items: list[object] = []
    items += [items, items]
    return items


def node_cycle() -> Node:
    node = Node(1)
    node.kids += [node, node]
    return node


def nested(levels: int, around: Callable[[Any], Any] = lambda value: [value]) -> Any:
    value: Any = None
    for _ in range(levels):
        value = around(value)
    return value


def uuid_of_asyncpg() -> type[Any]:
    """
    A class made as asyncpg makes its UUID: `UUID` replaces its base once it exists.

    So it passes for a UUID and has another layout in memory.
    """

    class Base:
        __slots__ = ()

    class Made(Base):
        __slots__ = ()
        int = ID.int

    mro = Made.__mro__
    pointers = ctypes.c_ssize_t * len(mro)  # the items of a tuple stand at its end
    items = pointers.from_address(id(mro) + tuple.__basicsize__)
    assert items[1] == id(Base)
    items[1] = id(UUID)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(UUID))
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(Made))
    return Made


def test_a_uuid_of_asyncpg_is_a_uuid() -> None:
    value = uuid_of_asyncpg()()

    assert isinstance(value, UUID)
    assert compile_dumper(shape_of(UUID))(value) == b'"%s"' % str(ID).encode()


@dataclass
class Reading:
    name: str
    value: float | None = None
    at: list[datetime] = field(default_factory=list)


SURROGATE = "expected text, found a lone surrogate in it"
EQUAL_KEYS = "has keys that are equal in JSON"
NO_TAG = "expected the tag of one of the records"
UNFULFILLED = "does not fulfil its predicate"
RAISED = f"{UNFULFILLED}, which raised"
DEEP = "has more than 200 levels, or contains itself"
EQUAL = "has items that are equal in JSON"
NO_JSON = "expected a JSON value (None, bool, int, float, str, list, dict), found "
TOO_LARGE = f"expected an int between {-(2**63)} and {2**63 - 1}"
FORMLESS = formless("decimal")
ROUNDED = formless("date-time")
REFUSED: list[tuple[Any, Any, tuple[str | int, ...], str]] = [
    # 36: values that do not fit
    *((annotation, value, (), problem) for annotation, value, problem in scalars.MISFITS),
    (int, True, (), "expected int, found bool"),
    (int, 1.0, (), "expected int, found float"),
    (int, 2**64, (), TOO_LARGE),
    (list[int], [1, 2**63], (1,), TOO_LARGE),
    (Annotated[int, Ge(1)], 0, (), f"expected an int between 1 and {2**63 - 1}"),
    (float, float("nan"), (), INFINITE),
    (Point, Point(1, float("inf")), ("y",), INFINITE),
    (list[float], [0.5, float("-inf")], (1,), INFINITE),
    (Any, [1, {"a": float("nan")}], (1, 0), INFINITE),
    (Any, [2**63], (0,), TOO_LARGE),
    (str, "a\ud800", (), SURROGATE),
    (list[Point | None], [None, "x" * 10], (1,), "expected Point, found str"),
    (dict[str, str], {"a": "b", "\udfff": "c"}, (1,), "its key: " + SURROGATE),
    (Any, {"\udfff": "c"}, (0,), "its key: " + SURROGATE),
    (Annotated[str, Pattern("^a$")], "a\n", (), "expected a match of the pattern '^a$'"),
    (None, 0, (), "expected None, found int"),
    (bool, 0, (), "expected bool, found int"),
    (bool, None, (), "expected bool, found NoneType"),
    (Literal["a", 1], True, (), "expected Literal['a', 1], found bool"),
    (Color, "red", (), "expected Color, found str"),
    (Email, "ada@example.org", (), "expected Email, found str: write Email(...)"),
    (Email, 7, (), "expected Email, found int"),
    (list[int | Email], ["a@b.org"], (0,), "expected int | Email, found str: write Email(...)"),
    (date, MOMENT, (), "expected date, found datetime"),
    (datetime, datetime(2026, 1, 1), (), NAIVE),
    (datetime, at(hours=1, microseconds=1), (), ROUNDED),
    (datetime, datetime(1960, 1, 1, tzinfo=ZoneInfo("Africa/Monrovia")), (), ROUNDED),
    (at_offset(hours=1), at(hours=2), (), "expected a datetime with the offset 1:00:00"),
    (Reading, Reading("a", None, [MOMENT, datetime(2026, 1, 1)]), ("at", 1), NAIVE),
    (Utc, BERLIN, (), "expected a datetime with the offset 0:00:00"),
    (Decimal, Decimal("NaN"), (), FORMLESS),
    (Decimal, Decimal("-Infinity"), (), FORMLESS),
    (Decimal, Decimal("sNaN"), (), FORMLESS),
    (Decimal, Decimal("1" * 81), (), FORMLESS),
    (Annotated[Decimal, Gt(Decimal(1))], Decimal("NaN"), (), FORMLESS),
    (Annotated[Decimal, Gt(Decimal(1))], Decimal(1), (), "expected more than 1"),
    (Planet, Color.RED, (), "expected Planet, found Color"),
    (Color, Planet.MARS, (), "expected Color, found Planet"),
    (int, -(2**63) - 1, (), TOO_LARGE),
    (Any, -(2**63) - 1, (), TOO_LARGE),
    (Any, [{"a": -(2**63) - 1}], (0, 0), TOO_LARGE),
    (list[Decimal], [Decimal("1E+999999999")], (0,), FORMLESS),
    (UUID, forged("abc"), (), "cannot be read as uuid: TypeError"),
    (UUID, forged(2**128), (), "cannot be read as uuid: ValueError"),
    (list[UUID], [ID, object.__new__(UUID)], (1,), "cannot be read as uuid: AttributeError"),
    # containers
    (list[int], (1,), (), "expected list, found tuple"),
    (list[int], iter([1]), (), "expected list, found list_iterator"),
    (list[int], range(3), (), "expected list, found range"),
    (list[int], (number for number in range(0)), (), "expected list, found generator"),
    (Sequence[int], [1, "a"], (1,), "expected int, found str"),
    (tuple[int, ...], [1], (), "expected tuple, found list"),
    (tuple[int, str], (1,), (), "expected 2 items, found 1"),
    (tuple[int, str], (1, "a", 2), (), "expected 2 items, found 3"),
    (tuple[int, str], (1, 2), (1,), "expected str, found int"),
    (tuple[int, Decimal], [1], (), "expected tuple, found list"),
    (tuple[()], (1,), (), "expected 0 items, found 1"),
    (set[int], [1], (), "expected set, found list"),
    (set[str], {1}, (0,), "expected str, found int"),
    (set[Lonely], {Lonely(1), Lonely(1)}, (), EQUAL),
    (set[Apart], {Apart([1]), Apart([1.0])}, (), EQUAL),
    (list[set[Apart]], [{Apart([], 1, AB), Apart([], 1, dict(reversed(AB.items())))}], (0,), EQUAL),
    (set[str], {Alone("a"), Alone("a")}, (), EQUAL),
    (Annotated[list[int], Len(1, 2)], [], (), "expected at least 1 items"),
    (Annotated[list[Decimal], Len(1, 2)], [Decimal(1)] * 3, (), "expected at most 2 items"),
    (Annotated[dict[str, int], Len(1, 2)], {}, (), "expected at least 1 keys"),
    (dict[str, int], [("a", 1)], (), "expected dict, found list"),
    (dict[str, int], UserDict(a=1), (), "expected dict, found UserDict"),
    (dict[str, int], {"a": 1, "b": "c"}, (1,), "expected int, found str"),
    (dict[str, int], {1: 1}, (0,), "its key: expected str, found int"),
    (dict[str, int], {AlwaysEqual("a"): 1, "a": 2} | {Text("b"): 1}, (), EQUAL_KEYS),
    (dict[int, int], {True: 1}, (0,), "its key: expected int, found bool"),
    (dict[int, Decimal], {1: ONE, "2": ONE}, (1,), "its key: expected int, found str"),
    (dict[UUID, int], {str(ID): 1}, (0,), "its key: expected UUID, found str"),
    (dict[Literal["a"], int], {"b": 1}, (0,), "its key: expected Literal['a'], found str"),
    # any JSON
    (Any, object(), (), NO_JSON + "object"),
    (Any, {1, 2}, (), NO_JSON + "set"),
    (Any, [(1,)], (0,), NO_JSON + "tuple"),
    (Any, {"a": {"b": b"c"}}, (0, 0), NO_JSON + "bytes"),
    (Any, {"a": {1: 2}}, (0, 0), "its key: expected str, found int"),
    (Any, [Point(1, 2)], (0,), NO_JSON + "Point"),
    (Any, [Color.RED], (0,), NO_JSON + "Color"),
    (Any, MOMENT, (), NO_JSON + "datetime"),
    # records
    (Point, None, (), "expected Point, found NoneType"),
    (Point, {"x": 1, "y": 2.5}, (), "expected Point, found dict"),
    (Point, Point, (), "expected Point, found type"),
    (Point, Point(1, "a"), ("y",), "expected float, found str"),  # type: ignore[arg-type]
    (list[Slotted], [Slotted("a"), without(Slotted("a"), "until")], (1, "until"), "is not set"),
    (Slotted, object.__new__(Slotted), ("name",), "is not set"),
    (Point, without(Point(1, 2.5), "y"), ("y",), "is not set"),
    (Slotted, Slotted("a", ["b", 1]), ("tags", 1), "expected str, found int"),  # type: ignore[list-item]
    (Patch, patched(rank=UNSET), ("rank",), "expected Rank, found Unset"),
    (Patch, patched(nickname=1), ("nickname",), "expected str, found int"),
    (Keys, {}, ("name",), "is missing"),
    (Keys, {"size": 1}, ("name",), "is missing"),
    (Keys, {"name": "a", "size": None}, ("size",), "expected int, found NoneType"),
    (Keys, {"name": "a", "other": 1}, (), "has keys that Keys does not declare: 1"),
    (Cat, {"kind": "cat", "lives": 9, "x": 1, "y": 2}, (), "has keys that Cat does not declare: 2"),
    (Keys, {1: "a"}, (0,), "its key: expected str, found int"),
    (Keys, {AlwaysEqual("other"): "a"}, ("name",), "is missing"),
    (Keys, [("name", "a")], (), "expected dict, found list"),
    (Pair, (1, Decimal(0)), (), "expected Pair, found tuple"),
    (Pair, Pair(1, 2), ("right",), "expected Decimal, found int"),  # type: ignore[arg-type]
    (Pair, tuple.__new__(Pair, (1,)), (), "expected 2 items, found 1"),
    (Pair, tuple.__new__(Pair, (1, Decimal(0), "x")), (), "expected 2 items, found 3"),
    (Node, Node(1, [Node(2), CHILDLESS]), ("kids", 1, "kids"), "expected list, found NoneType"),
    (Node, Node(1, [], {"x": Node(1), "a": 4}), ("by_name", 1), "expected Node, found int"),  # type: ignore[dict-item]
    # unions
    (int | str | None, 1.5, (), "expected int | str, found float"),
    (int | str, True, (), "expected int | str, found bool"),
    (date | int, MOMENT, (), "expected date | int, found datetime"),
    (Annotated[int, Ge(0)] | str, -1, (), f"expected an int between 0 and {2**63 - 1}"),
    (list[int] | list[str], [1, "a"], (1,), "expected int, found str"),
    (list[int] | str, ["a"], (0,), "expected int, found str"),
    (Card | Cash, Point(1, 2), (), "expected Card | Cash, found Point"),
    (Card | Cash, {"number": "1234", "kind": "card"}, (), "expected Card | Cash, found dict"),
    (Card | Cash, Card("12a4"), ("number",), "expected a match of the pattern '^[0-9]+$'"),
    (Card | Cash, Card("1234", "cash"), ("kind",), "expected Literal['card'], found str"),  # type: ignore[arg-type]
    (Cat | Dog, {"kind": "cow"}, ("kind",), NO_TAG),
    (Cat | Dog, {"lives": 9}, ("kind",), NO_TAG),
    (Cat | Dog, {"kind": "cat", "lives": "9"}, ("lives",), "expected int, found str"),
    (Cat | Dog, {1: "cat"}, (0,), "its key: expected str, found int"),
    (Cat | Dog, Cat, (), "expected dict, found _TypedDictMeta"),
    (AOrB, Box("c"), ("kind",), NO_TAG),
    (AOrB, object.__new__(Box), ("kind",), "is not set"),
    # 36: cycles and depth
    (Any, cycle(), (0,) * 200, DEEP),
    (Node, node_cycle(), ("kids", 0) * 100, DEEP),
    (Any, nested(201), (0,) * 200, DEEP),
    (Any, [{"a": nested(199)}], (0,) * 200, DEEP),
    (Any, nested(201, lambda value: {"a": value}), (0,) * 200, DEEP),
    (Any, nested(500), (0,) * 200, DEEP),
    (Node, Node(nested(200)), ("value", *[0] * 199), DEEP),
    # 39: code of the author's that raises or lies
    (int, Broken(), (), "expected int, found Broken"),
    (Any, [Broken()], (0,), NO_JSON + "Broken"),
    (Point, Broken(), (), "expected Point, found Broken"),
    (Point, Point(Broken(), 1.5), ("x",), "expected int, found Broken"),  # type: ignore[arg-type]
    (int | str, Broken(), (), "expected int | str, found Broken"),
    (Literal["a"], Broken(), (), "expected Literal['a'], found Broken"),
    (Card | Cash, Broken(), (), "expected Card | Cash, found Broken"),
    (Keys, {"name": Broken()}, ("name",), "expected str, found Broken"),
    (Cat | Dog, {"kind": Broken()}, ("kind",), NO_TAG),
    (int, Liar(int), (), "expected int, found Liar"),
    (Point, Liar(Point), (), "expected Point, found Liar"),
    (list[int], Liar(list), (), "expected list, found Liar"),
    (Any, Liar(dict), (), NO_JSON + "Liar"),
    (Computed, Computed("a"), ("name",), "cannot be read: the attribute raised"),
    (Point, Renamed(1, 2), ("x",), "cannot be read: the attribute raised"),
    (datetime, moment_at(Failing()), (), "cannot be read as datetime: ZeroDivisionError"),
    (list[time], [time(1, tzinfo=Failing())], (0,), "cannot be read as time: ZeroDivisionError"),
    (Annotated[int, Predicate(explode)], 1, (), RAISED),
    (list[AboveOne], [2, 1], (1,), UNFULFILLED),
    (Annotated[int, Predicate(lambda n: typing.cast("bool", Broken()))], 1, (), RAISED),
]


@rows("annotation, value, path, problem", *REFUSED, ids=map(str, range(len(REFUSED))))
def test_a_value_that_does_not_fit_is_refused_at_its_place(
    annotation: Any, value: object, path: tuple[str | int, ...], problem: str
) -> None:
    shape = shape_of(annotation)

    for refuse in (compile_dumper(shape), partial(plain, shape)):
        with pytest.raises(InvalidOutput) as refused:
            refuse(value)
        assert (refused.value.path, refused.value.problem) == (path, problem)


# 33, 34: only what is declared is written, and all of it.


def test_undeclared_attributes_stay_at_home() -> None:
    point = Named(1, 2.5)
    point.extra = "s3cret"  # type: ignore[attr-defined]
    vars(point)["\ud800"] = object()

    for annotation in (Point, Point | None):
        assert compile_dumper(shape_of(annotation))(point) == b'{"x":1,"y":2.5}'


def test_nothing_is_constructed_or_changed() -> None:
    made: list[object] = []

    @dataclass
    class Counted:
        inner: list[str]

        def __post_init__(self) -> None:
            made.append(self)

    value = Counted([Text("a")])
    for dump in (compile_dumper(shape_of(Counted)), partial(plain, shape_of(Counted))):
        dump(value)

    assert made == [value]
    assert type(value.inner[0]) is Text


def test_plain_shares_nothing_with_the_value() -> None:
    value = {"a": ["b"]}
    shape = shape_of(dict[str, list[str]])
    copy = plain(shape, value)
    assert isinstance(copy, dict)
    copy.clear()

    assert value == {"a": ["b"]}


def test_failures_give_their_data() -> None:
    @dataclass(frozen=True)
    class SoldOut:
        error_code: ClassVar[str] = "SOLD_OUT"
        http_status: ClassVar[int] = 409
        restock_days: int

    @dataclass(frozen=True)
    class Gone:
        error_code: ClassVar[str] = "GONE"
        http_status: ClassVar[int] = 410

    def data(value: object) -> bytes:
        return compile_dumper(nodes.RefShape(ShapeReader().failure(type(value), where="x")))(value)

    assert (data(SoldOut(3)), data(Gone())) == (b'{"restock_days":3}', b"{}")


NAMES = ["n0", "n1", "g0", "v", "'", '"', "\\", "\n", "__class__", "__proto__", "class"]
NAMES += ["x'] + v['", "\u2028", "\0", "é", "\ufb01", ""]


def test_no_name_reaches_the_compiler() -> None:
    fields = [
        nodes.Field(name, f"{name}!", nodes.IntShape(), optional_key=at % 2 == 1)
        for at, name in enumerate(NAMES)
    ]
    record = nodes.RecordShape("typeddict", dict, tuple(fields))
    value = {name: at for at, name in enumerate(NAMES)}

    assert json.loads(fast(record)(value)) == {f"{name}!": at for name, at in value.items()}


def test_no_attribute_reaches_the_compiler() -> None:
    cls = type("Any\n'name", (), {})
    instance = cls()
    vars(instance).update({name: at for at, name in enumerate(NAMES)})
    names = [name for name in NAMES if name != "__class__"]
    fields = tuple(nodes.Field(name, name, nodes.IntShape()) for name in names)
    record = nodes.RecordShape("dataclass", cls, fields)

    assert json.loads(fast(record)(instance)) == plain(record, instance)
    assert json.loads(fast(record)(instance)) == {name: NAMES.index(name) for name in names}


def test_the_order_of_fields_is_the_declared_one() -> None:
    shape, value = shape_of(Patch), Patch("p1", "n", Color.RED)

    written = b'{"@id":"p1","nickname":"n","color":"red","rank":1,"total":7}'
    assert compile_dumper(shape)(value) == orjson.dumps(plain(shape, value)) == written


def test_sets_are_written_in_one_order_in_every_process() -> None:
    shape = shape_of(set[str | int])

    value = {"b", "a", 10, 9}
    assert compile_dumper(shape)(value) == orjson.dumps(plain(shape, value)) == b'["a","b",10,9]'


# 36: depth.


def test_the_deepest_value_is_written() -> None:
    assert json.loads(compile_dumper(shape_of(Any))(nested(MAX_DEPTH))) == nested(MAX_DEPTH)


@pytest.mark.parametrize("levels", range(95, 101))
def test_recursive_records_reach_the_same_depth_both_ways(levels: int) -> None:
    shape = shape_of(Node)
    node = Node([])
    for _ in range(levels):
        node = Node(None, [node])

    if levels * 2 + 2 <= MAX_DEPTH:
        assert json.loads(compile_dumper(shape)(node)) == plain(shape, node)
    else:
        with pytest.raises(InvalidOutput, match="more than 200 levels"):
            compile_dumper(shape)(node)


def test_a_type_deeper_than_the_limit_is_left_to_the_walk() -> None:
    shape: nodes.Shape = nodes.IntShape()
    for _ in range(MAX_DEPTH + 1):
        shape = nodes.ArrayShape(shape)

    assert compile_dumper(shape)([[]]) == b"[[]]"
    with pytest.raises(InvalidOutput):
        compile_dumper(shape)(nested(MAX_DEPTH + 1))


def test_a_nearly_full_stack_refuses_the_value() -> None:
    dumper = compile_dumper(shape_of(Any))
    value = [nested(150), Rank.LOW]  # which is left to the walk
    refusals: list[InvalidOutput] = []

    def descend(room: int) -> None:
        if room:
            descend(room - 1)
            return
        try:
            dumper(value)
        except InvalidOutput as refused:
            refusals.append(refused)

    depth = 0
    frame = sys._getframe()
    while frame.f_back:
        frame, depth = frame.f_back, depth + 1
    descend(sys.getrecursionlimit() - depth - 60)

    assert [refused.problem for refused in refusals] == ["cannot be read: RecursionError"]
    assert isinstance(refusals[0].__cause__, RecursionError)


# 36, 39: coroutines, exceptions, interrupts.


def test_a_coroutine_that_nobody_awaited_is_refused() -> None:
    async def resolver() -> int:
        return 1

    forgotten = resolver()
    with pytest.raises(InvalidOutput, match="expected int, found coroutine"):
        compile_dumper(shape_of(int))(forgotten)

    with pytest.raises(StopIteration):
        forgotten.send(None)


def test_what_a_predicate_raised_is_the_cause_and_an_interrupt_passes_through() -> None:
    def interrupt(value: object) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(InvalidOutput) as refused:
        compile_dumper(shape_of(Annotated[int, Predicate(explode)]))(1)
    assert isinstance(refused.value.__cause__, ZeroDivisionError)
    with pytest.raises(KeyboardInterrupt):
        compile_dumper(shape_of(Annotated[int, Predicate(interrupt)]))(1)


def test_no_message_tells_the_value() -> None:
    canary = "c4n4ry"
    values: list[tuple[Any, object]] = [
        (int, canary),
        (Annotated[str, Len(1, 2)], canary),
        (Annotated[str, Pattern("^x")], canary),
        (str, f"{canary}\ud800"),
        (dict[str, int], {canary: canary}),
        (dict[int, int], {canary: 1}),
        (Keys, {"name": "a", canary: 1}),
        (Literal["a"], canary),
        (Color, canary),
        (Cat | Dog, {"kind": canary}),
        (Any, {canary: {canary: object()}}),
    ]
    for annotation, value in values:
        with pytest.raises(InvalidOutput) as refused:
            compile_dumper(shape_of(annotation))(value)
        assert canary not in str(refused.value)
        assert refused.value.__cause__ is None


# Shapes that the reader does not make today.


MAP = nodes.MapShape(nodes.StrShape(), nodes.IntShape())
A_FIELD = (nodes.Field("a", "a", nodes.IntShape(), unset=True),)


@rows(
    "shape, value, written",
    (nodes.UnionShape((MAP, nodes.AnyShape())), {"a": "b"}, b'{"a":"b"}'),
    (nodes.UnionShape((MAP, nodes.AnyShape())), "a", b'"a"'),
    *((nodes.RecordShape("typeddict", dict, A_FIELD), each, b"{}") for each in ({}, {"a": UNSET})),
    (nodes.RecordShape("typeddict", dict, A_FIELD), {"a": 1}, b'{"a":1}'),
)
def test_any_stands_in_a_union_and_unset_for_an_absent_key(
    shape: nodes.Shape, value: object, written: bytes
) -> None:
    assert compile_dumper(shape)(value) == written


def test_a_named_type_can_be_a_scalar() -> None:
    alias = nodes.Definition(("Ids",), "Ids", __name__)
    alias.close(nodes.IntShape())
    dumper = compile_dumper(nodes.ArrayShape(nodes.RefShape(alias)))

    assert dumper([1, 2]) == b"[1,2]"
    with pytest.raises(InvalidOutput, match=r"\[1\]: expected int, found str"):
        dumper([1, "a"])


def test_dumping_leaves_no_garbage() -> None:
    dumper = compile_dumper(shape_of(list[Point]))
    value = [Named(1, 2.5)] * 10
    dumper(value)
    gc.collect()
    gc.disable()  # nothing but the last line collects
    try:
        for _ in range(1000):
            dumper(value)

        # What earlier tests let go of may be found late, but a cycle a dump would be a thousand.
        assert gc.collect() < 1000
    finally:
        gc.enable()


def test_the_traps_work() -> None:
    assert isinstance(Liar(int), int)
    with pytest.raises(AssertionError):
        len(Odd(1))
    with pytest.raises(LookupError):
        fast(shape_of(int))("1")


@dataclass
class Basket:
    items: list[int]
    names: dict[str, list[str]]
    anything: Any
    count: int


class Changing(Basket):
    """Its last attribute changes those before it, as another thread could."""

    @property
    def count(self) -> int:
        self.items.append(2**70)
        self.names["a"].append("\ud800")
        self.names["b"] = []
        return 1

    @count.setter
    def count(self, value: int) -> None: ...


def test_what_was_checked_is_what_is_written() -> None:
    dump = compile_dumper(shape_of(Basket))

    written = dump(Changing([1], {"a": ["x"]}, [{"a": 1}], 1))

    assert written == b'{"items":[1],"names":{"a":["x"]},"anything":[{"a":1}],"count":1}'


@rows(
    "annotation, value",
    (list[int], [1]),
    (Sequence[int], [1]),
    (dict[str, int], {"a": 1}),
    (list[list[int]], [[1]]),
    (dict[str, list[int]], {"a": [1]}),
    (tuple[list[int], ...], ([1],)),
    (tuple[list[int], int], ([1], 1)),
    (list[int] | None, [1]),
    (int | list[int], [1]),
    (Annotated[list[int], Predicate(bool)], [1]),
    (Any, [[1]]),
    (list[Any], [{"a": [1]}]),
)
def test_nothing_that_can_change_is_handed_over(annotation: Any, value: Any) -> None:
    """Orjson is asked last, and by then holds no container that anybody else has."""
    given: list[Any] = []

    def dumps(found: Any, *_: object) -> bytes:
        given.append(found)
        return b""

    names = {**NAMESPACE, "dumps": dumps}
    entry = generate(shape_of(annotation), lambda _: b"refused", "x")
    replaced = FunctionType(entry.__code__, {**entry.__globals__, **names})

    assert (replaced(value), json.dumps(given[0])) == (b"", json.dumps(value))
    assert not any(one is other for one in containers(given[0]) for other in containers(value))


def containers(value: Any) -> list[Any]:
    """All lists and dicts in *value*."""
    items = [*value.values()] if isinstance(value, dict) else value
    if not isinstance(items, list | tuple):
        return []
    inner = [found for item in items for found in containers(item)]
    return inner if isinstance(value, tuple) else [value, *inner]


def test_orjson_is_told_to_write_nothing_of_its_own() -> None:
    for value in (Lonely(1), type("Text", (str,), {})("x")):
        with pytest.raises(TypeError):
            orjson.dumps(value, None, OPTIONS)


def test_tuples_within_tuples_are_checked_in_several_functions() -> None:
    annotation: Any = int
    value: Any = 1
    wrong: Any = "1"
    for _ in range(40):
        annotation, value, wrong = tuple[annotation, ...], (value,), (wrong,)
    dumper = compile_dumper(shape_of(annotation))

    assert dumper(value) == orjson.dumps(value)
    with pytest.raises(InvalidOutput):
        dumper(wrong)


@pytest.mark.unwatched
def test_eight_times_as_many_fields_take_about_eight_times_as_long() -> None:
    """A document of others may have any number of them."""
    make: Any = TypedDict

    def made(count: int) -> Any:
        fields = {f"a{index}": int for index in range(count)}
        return shape_of(make("Wide", {**fields, "last": NotRequired[int]}))

    assert growth(compile_dumper, made(400), made(3_200)) < 24
