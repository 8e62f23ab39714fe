from abc import ABC
from collections.abc import Sequence
from dataclasses import InitVar, dataclass, field, make_dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, EnumType, StrEnum
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, Self, TypedDict
from uuid import UUID

import pytest
from annotated_types import Ge, Len, Lt, MultipleOf, Predicate
from pydantic_core import ValidationError, from_json

from contract.pred.compile import pred_of
from contract.pred.core import REFUSALS, Core, compile_core
from contract.pred.walk import Walker
from contract.shape.exceptions import InvalidInput
from contract.shape.markers import UNSET, Name, Pattern, Unset
from contract.shape.nodes import IntShape, MapShape, RecordShape, Refined, StrShape
from contract.shape.reader import ShapeReader, shape_of
from tests.samples import Color, Level, Page, ends_in

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Loose(StrEnum):
    RED = "red"

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        return cls.RED if str(value).lower() == "red" else None


class Failing(Enum):
    RED = "red"

    @classmethod
    def _missing_(cls, value: object) -> Self:
        raise KeyError(value)


class Static(Enum):
    RED = "red"

    @staticmethod
    def _missing_(value: object) -> Any:
        return Static.RED


class Converting(EnumType):
    def __call__(cls, value: Any, *more: Any, **options: Any) -> Any:
        return super().__call__(value.lower(), *more, **options)


class Converted(Enum, metaclass=Converting):
    RED = "red"


class Aliased(Enum):
    RED = "red"


# as Enum._add_value_alias_ does it, from Python 3.13 on
Aliased._value2member_map_["crimson"] = Aliased.RED


class Point(NamedTuple):
    x: int
    y: int = 7
    tags: list[str] = []  # noqa: RUF012  what it must not do, it may do here


class Patch(TypedDict):
    name: Annotated[str, Name("@name")]
    size: NotRequired[int]


@dataclass(frozen=True, slots=True)
class Line:
    sku: Annotated[str, Len(1)]
    quantity: Annotated[int, Ge(1), Name("qty")] = 1
    notes: list[str] = field(default_factory=list)
    note: str | Unset = UNSET


@dataclass
class Tree:
    value: int
    children: "list[Tree]" = field(default_factory=list)
    parent: "Tree | None" = None


@dataclass
class Cat:
    kind: Literal["cat"] = "cat"


@dataclass
class Dog:
    kind: Literal["dog"] = "dog"


@dataclass
class First:
    version: Literal[1]


@dataclass
class Second:
    version: Literal[2]


@dataclass
class Checked:
    outcome: str

    def __post_init__(self) -> None:
        ends_in(self.outcome)
        self.outcome = self.outcome.upper()


# What pydantic-core would not make as the class itself does.


@dataclass
class Counted:
    start: InitVar[int]
    total: int = field(init=False, default=0)

    def __post_init__(self, start: int) -> None:
        self.total = start + 1


@dataclass
class Stamped:
    value: int

    def __new__(cls, value: int) -> Self:
        instance = super().__new__(cls)
        instance.stamp = value + 1  # type: ignore[attr-defined]
        return instance


@dataclass
class Watched:
    value: int

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value * 2)


class Doubling(type):
    def __call__(cls, value: int) -> Any:
        return super().__call__(value * 2)


@dataclass
class Doubled(metaclass=Doubling):
    value: int


class Descriptor:
    def __set__(self, instance: Any, value: Any) -> None:
        instance.__dict__["kept"] = value * 2

    def __get__(self, instance: Any, owner: Any) -> Any:
        return 0 if instance is None else instance.__dict__["kept"]


@dataclass
class Described:
    value: Any = Descriptor()


@dataclass(slots=True)
class InSlots:
    low: int


@dataclass
class Mixed(InSlots, ABC):
    high: int = 1


Wide = make_dataclass("Wide", [(f"field_{index}", int) for index in range(40)])
Twice = make_dataclass("Twice", [("left", Wide), ("right", Wide)])
Narrow = make_dataclass("Narrow", [("left", Tree), ("line", Line), ("other", Line)])
NARROW = Narrow(Tree(1), Line("a"), Line("b"))


def core(annotation: Any) -> Core:
    return compile_core(shape_of(annotation), Walker())


GOOD: list[tuple[Any, bytes, Any]] = [
    (None, b"null", None),
    (bool, b"true", True),
    (Annotated[int, MultipleOf(2)], b"4", 4),
    (Annotated[float, Ge(1), Lt(2)], b"1", 1.0),
    (Annotated[float, MultipleOf(0.1)], b"0.3", 0.3),
    (Annotated[str, Len(1, 2), Pattern("^a$")], b'"a"', "a"),
    (Annotated[str, Pattern("^a"), Pattern("b$")], b'"ab"', "ab"),
    (Literal["a", "b"], b'"b"', "b"),
    (Literal["a", 1], b"1", 1),
    (Color, b'"red"', Color.RED),
    (Level, b"1", Level.LOW),
    (Loose, b'"red"', Loose.RED),
    (Failing, b'"red"', Failing.RED),
    (Converted, b'"red"', Converted.RED),
    (Aliased, b'"red"', Aliased.RED),
    (Any, b'{"a":[1]}', {"a": [1]}),
    (int | str, b'"a"', "a"),
    (bytes, b'"YQ=="', b"a"),
    (Decimal, b'"1.5"', Decimal("1.5")),
    (Decimal, b'"-0.10e5"', Decimal("-0.10e5")),
    (Annotated[Decimal, Ge(1)], b'"1.5"', Decimal("1.5")),
    (datetime, b'"2026-01-01T00:00:00Z"', datetime(2026, 1, 1, tzinfo=UTC)),
    (Annotated[datetime, Ge(EPOCH)], b'"1970-01-01T00:00:00Z"', EPOCH),
    (date, b'"2026-01-31"', date(2026, 1, 31)),
    (time, b'"12:30:00.5"', time(12, 30, 0, 500_000)),
    (timedelta, b'"-PT1S"', timedelta(seconds=-1)),
    (UUID, b'"0000000A-0000-0000-0000-000000000001"', UUID(int=(10 << 96) + 1)),
    (list[int], b"[1]", [1]),
    (Sequence[int], b"[1]", [1]),
    (tuple[int, ...], b"[1,2]", (1, 2)),
    (set[int], b"[1,2]", {1, 2}),
    (frozenset[Decimal], b'["1"]', frozenset({Decimal(1)})),
    (tuple[int, str], b'[1,"a"]', (1, "a")),
    (tuple[()], b"[]", ()),
    (Point, b"[1]", Point(1, 7, [])),
    (Point, b'[1,2,["a"]]', Point(1, 2, ["a"])),
    (dict[str, int], b'{"a":1}', {"a": 1}),
    (dict[int, int], b'{"1":1}', {1: 1}),
    (dict[date, int], b'{"2026-01-01":1}', {date(2026, 1, 1): 1}),
    (dict[UUID, int], b'{"00000000-0000-0000-0000-000000000001":1}', {UUID(int=1): 1}),
    (dict[Color, int], b'{"red":1}', {Color.RED: 1}),
    (dict[Literal["a"], int], b'{"a":1}', {"a": 1}),
    (int | None, b"null", None),
    (int | None, b"1", 1),
    (Annotated[int, Predicate(bool)] | None, b"1", 1),
    (list[Line | None], b'[null,{"sku":"a"}]', [None, Line("a")]),
    (Cat | Dog, b'{"kind":"dog"}', Dog()),
    (First | Second, b'{"version":2}', Second(2)),
    (Annotated[int, Predicate(bool)], b"1", 1),
    (Patch, b'{"@name":"a"}', {"name": "a"}),
    (Patch, b'{"size":1,"@name":"a"}', {"name": "a", "size": 1}),
    (Line, b'{"sku":"a"}', Line("a")),
    (Line, b'{"sku":"a","qty":2,"notes":["b"],"note":"c"}', Line("a", 2, ["b"], "c")),
    (Tree, b'{"value":1,"children":[{"value":2}]}', Tree(1, [Tree(2)])),
    (Page[Line], b'{"items":[{"sku":"a"}]}', Page([Line("a")])),
    (Counted, b'{"start":1}', Counted(1)),
    (Watched, b'{"value":2}', Watched(2)),
    (Mixed, b'{"low":1,"high":2}', Mixed(1, 2)),
    (Narrow, b'{"left":{"value":1},"line":{"sku":"a"},"other":{"sku":"b"}}', NARROW),
]

REFUSED: dict[Any, list[bytes]] = {
    bool: [b"1"],
    int: [b"true", b"9223372036854775808", b"1 1"],
    float: [b"true", b"NaN", b"1e400"],
    Annotated[float, MultipleOf(0.1)]: [b"0.35"],
    str: [b"1"],
    Literal["a", 1]: [b"true"],
    Color: [b'"RED"'],
    Loose: [b'"RED"'],
    Failing: [b'"RED"', b"null"],
    Static: [b'"RED"'],
    Converted: [b'"RED"'],
    Aliased: [b'"crimson"'],
    list[Loose]: [b'["red","Red"]'],
    dict[Loose, int]: [b'{"RED":1}'],
    Level: [b"true"],
    Any: [b"[NaN]"],
    int | str: [b"[]"],
    bytes: [b'"YQ"'],
    Annotated[bytes, Len(2)]: [b'"YQ=="'],
    Decimal: [b"1", b'"1_0"', b'"1e100"'],
    Annotated[Decimal, Ge(1)]: [b'"0.5"'],
    datetime: [b"0", b'"1577836800"', b'"2026-02-30T00:00:00Z"', b'"2026-01-01T00:00:00Z\\n"'],
    Annotated[datetime, Ge(EPOCH)]: [b'"1969-12-31T23:59:59Z"'],
    date: [b'"2026-W01-1"', b'"2026-01-01T00:00:00Z"'],
    time: [b'"12:30"'],
    timedelta: [b'"1 days"', b'"P9999999999D"', b'"-P999999999DT1S"'],
    UUID: [b'"00000000000000000000000000000001"', b'"{00000000-0000-0000-0000-000000000001}"'],
    list[int]: [b'["1"]', b"{}"],
    set[int]: [b"[1,1]"],
    tuple[int, str]: [b"[1]", b'[1,"a",2]'],
    Point: [b"[]"],
    dict[int, int]: [b'{"01":1}'],
    Cat | Dog: [b"{}"],
    First | Second: [b'{"version":true}'],
    Annotated[int, Predicate(bool)]: [b"0"],
    Patch: [b"{}", b'{"name":"a"}'],
    Line: [b"{}", b'{"sku":"a","x":1}', b'{"sku":"a","quantity":1}'],
    Tree: [b'{"value":1,"children":[{"value":"2"}]}'],
    Counted: [b"{}"],
}
BAD = [(annotation, each) for annotation, documents in REFUSED.items() for each in documents]


@pytest.mark.parametrize(("annotation", "document", "expected"), GOOD)
def test_good_documents_become_values(annotation: Any, document: bytes, expected: Any) -> None:
    compiled = core(annotation)

    for loaded in (compiled.validate(document), compiled.validate_parsed(from_json(document))):
        assert loaded == expected
        assert type(loaded) is type(expected)
        assert repr(loaded) == repr(expected)


@pytest.mark.parametrize(("annotation", "document"), BAD)
def test_bad_documents_are_refused(annotation: Any, document: bytes) -> None:
    compiled = core(annotation)

    with pytest.raises(REFUSALS):
        compiled.validate(document)
    if document != b"1 1":  # which cannot be parsed
        with pytest.raises(REFUSALS):
            compiled.validate_parsed(from_json(document))


def test_only_what_needs_no_python_is_native() -> None:
    assert core(list[Cat]).is_native
    assert not core(Page[Tree]).is_native  # a default factory is Python's
    assert core(dict[str, Cat | Dog | None]).is_native
    assert core(list[Color]).is_native
    assert not core(Loose).is_native
    assert core(list[datetime]).is_native  # C does what pydantic-core does not
    assert not core(list[Annotated[datetime, Ge(EPOCH)]]).is_native
    assert not core(Checked).is_native


def test_durations_that_only_the_walk_can_make_are_left_to_it() -> None:
    pred = pred_of(list[timedelta])

    with pytest.raises(REFUSALS):
        core(list[timedelta]).validate(b'["PT999999999H"]')
    assert pred.load(b'["PT999999999H"]') == [timedelta(hours=999_999_999)]
    with pytest.raises(InvalidInput):
        pred.load(b'["-P999999999DT1S"]')


def test_keys_may_be_narrowed() -> None:
    validate = compile_core(MapShape(Refined(IntShape(), (bool,)), StrShape()), Walker()).validate

    assert validate(b'{"1":"a"}') == {1: "a"}
    with pytest.raises(REFUSALS):
        validate(b'{"0":"a"}')


def test_instances_are_made_as_their_classes_make_them() -> None:
    assert core(Stamped).validate(b'{"value":1}').stamp == 2
    assert core(Watched).validate(b'{"value":1}').value == 2
    assert core(Doubled).validate(b'{"value":1}').value == 2
    assert core(Described).validate(b'{"value":1}').value == 2
    assert core(Checked).validate(b'{"outcome":"good"}').outcome == "GOOD"
    assert core(Counted).validate(b'{"start":1}').total == 2


def test_fields_in_slots_and_in_dicts_are_both_set() -> None:
    loaded = core(Mixed).validate(b'{"low":1}')

    assert (loaded.low, loaded.high) == (1, 1)


def test_defaults_are_fresh_for_each_value() -> None:
    line, point = core(Line).validate, core(Point).validate

    assert line(b'{"sku":"a"}').notes is not line(b'{"sku":"a"}').notes
    assert point(b"[1]").tags is not point(b"[1]").tags


def test_large_types_that_are_used_twice_are_shared() -> None:
    wide = b"{" + b",".join(b'"field_%d":%d' % (index, index) for index in range(40)) + b"}"

    loaded = core(Twice).validate(b'{"left":%b,"right":%b}' % (wide, wide))

    assert loaded == Twice(Wide(*range(40)), Wide(*range(40)))


@dataclass
class Author:
    books: "list[Book]"
    first: "Printed | None" = None


@dataclass
class Book:
    author: Author | None = None
    printed: "Printed | None" = None


@dataclass
class Printed:
    at: date


def test_a_schema_is_made_once_for_all_types_that_lead_to_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[str] = []

    def noted(shape: RecordShape) -> bool:
        made.append(shape.type.__name__)
        return True

    monkeypatch.setattr("contract.pred.core._is_plain", noted)
    reader = ShapeReader()
    author, book = (
        compile_core(reader.read(each, where="test"), Walker()) for each in (Author, Book)
    )

    assert author.validate(b'{"books":[{"author":{"books":[]}}]}') == Author([Book(Author([]))])
    assert book.validate(b'{"author":{"books":[{}]}}') == Book(Author([Book()]))
    assert sorted(made) == ["Author", "Book", "Printed"]


@pytest.mark.parametrize("outcome", ["value", "foreign", "omit", "default"])
def test_what_pydantic_core_would_act_upon_is_a_refusal(outcome: str) -> None:
    with pytest.raises(REFUSALS):
        core(list[Checked]).validate(b'[{"outcome":"%b"}]' % outcome.encode())


def test_whatever_else_the_author_raises_is_raised() -> None:
    with pytest.raises(KeyError):
        core(list[Checked]).validate(b'[{"outcome":"bug"}]')


def test_refusals_are_no_value_errors_of_the_authors() -> None:
    assert ValidationError in REFUSALS
    assert ValueError not in REFUSALS
