"""Values and documents of types: valid, varied, bounded, and small when they shrink."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from random import Random
from typing import Annotated, Any, Literal

import pytest
from annotated_types import Ge, Gt, Interval, Le, Len, Lt, MaxLen, MinLen, MultipleOf, Timezone
from hypothesis import find, given, settings
from hypothesis import strategies as st

from contract.pred.dump.compile import compile_dumper
from contract.shape import nodes
from contract.shape.bounds import Bounds
from contract.shape.markers import UNSET, Name, Pattern
from contract.shape.reader import shape_of
from contract.shape.text_forms import MAX_DURATION
from contract.testing import documents, strategy, values
from contract.testing.near_scalars import cardinality, kinds
from contract.testing.scalars import is_multiple, written
from contract.testing.texts import judge, narrowed, texts
from contract.testing.valid_values import BUDGET, Pairs, accepts
from tests import samples
from tests.drawing import drawn
from tests.strategies import same, types
from tests.tables import rows
from tests.watched import watched
from tests.words import words


def are_valid(annotation: Any) -> None:
    check = compile_dumper(shape_of(annotation))
    for value in drawn(strategy(annotation), 15):
        check(value)


@rows(
    "annotation",
    *watched(
        {**samples.ANNOTATIONS, **samples.ONE_WAY},
        *("dict", "int multiple", "PurePath", "secret", "time", "TypedDict", "union of datetimes"),
    ),
)
def test_values_are_valid(annotation: Any) -> None:
    are_valid(annotation)


@given(types(one_way=True).flatmap(lambda each: st.tuples(st.just(each), strategy(each))))
def test_values_of_any_type_are_valid(pair: tuple[Any, Any]) -> None:
    annotation, value = pair

    compile_dumper(shape_of(annotation))(value)


# Variety: what can be, comes.


@pytest.mark.unwatched
@rows(
    "annotation, wanted",
    (samples.Defaults, [lambda value: value.nickname is UNSET, lambda value: value.nickname]),
    (samples.Defaults, [lambda value: value.nickname is None, lambda value: value.count != 1]),
    (samples.Defaults, [lambda value: value.count == 1 and value.tags]),
    (samples.Options, [lambda value: "size" not in value, lambda value: value.get("size", 0) > 1]),
    (samples.Place, [lambda value: value.name is None and value.height > 3]),
    (samples.Place, [lambda value: value.height == 0 and value.name]),
    (samples.Tree, [lambda value: value.children and value.children[0].children]),
    (samples.Tree, [lambda value: len(value.children) == 2]),
    (samples.Chain, [lambda value: value.next is None, lambda value: value.next]),
    (samples.Forest, [lambda value: any(branch.leaves for branch in value.trees.values())]),
    (Annotated[str, MaxLen(3)], [lambda value: len(value) == 3]),
    (set[samples.Color], [lambda value: len(value) == 3, lambda value: not value]),
    (Annotated[list[int], Len(0, 8)], [lambda value: len(value) == 8]),
    (bool | int | None, [lambda value: value is True, lambda value: value is None]),
    (bool | int | None, [lambda value: type(value) is int]),
    (time, [lambda value: value.tzinfo is None, lambda value: value.tzinfo is not None]),
    *((datetime, [lambda value, h=h: value.utcoffset() == timedelta(hours=h)]) for h in (0, 1)),
    (Decimal, [lambda value: abs(value) > 10**40]),
    (Decimal, [lambda value: value == value.to_integral_value()]),
    (Annotated[int, Interval(ge=0, le=2**64 - 1)], [lambda value: value >= 2**63]),
)
def test_what_can_be_comes(annotation: Any, wanted: list[Callable[[Any], object]]) -> None:
    missing = [*wanted]

    def complete(found: list[Any]) -> bool:
        missing[:] = [is_wanted for is_wanted in missing if not is_wanted(found[-1])]
        return not missing

    drawn(strategy(annotation), 300, complete)

    assert missing == []


def test_documents_come_in_every_form() -> None:
    def forms(annotation: Any) -> set[str]:
        return {repr(document) for document in drawn(documents(shape_of(annotation)), 300)}

    assert {"1", "1.0"} <= forms(Annotated[int, Interval(ge=1, le=1)])
    assert {"0.0", "0"} <= forms(Annotated[float, Interval(ge=0, le=0)])
    noon, half = datetime(2024, 1, 1, 12, tzinfo=UTC), time(12, 0, 0, 500_000)
    one, minute, before = Decimal(1), timedelta(minutes=1), timedelta(seconds=-1)
    noons = {f"'2024-01-01T12:00:00{end}'" for end in ("+00:00", "Z", "-00:00", ".0+00:00")}
    assert noons <= forms(Annotated[datetime, Ge(noon), Le(noon), Timezone("UTC")])
    assert {"'12:00:00.500000'", "'12:00:00.5'"} <= forms(Annotated[time, Ge(half), Le(half)])
    assert {"'1'", "'1.0'", "'1e0'"} <= forms(Annotated[Decimal, Ge(one), Le(one), MultipleOf(one)])
    assert {"'PT1M'", "'PT60.000000S'"} <= forms(Annotated[timedelta, Ge(minute), Le(minute)])
    assert {"'-PT1S'", "'-PT1.000000S'"} <= forms(Annotated[timedelta, Ge(before), Le(before)])


def test_keys_come_in_any_order_and_under_their_wire_names() -> None:
    @dataclass
    class Two:
        a: Annotated[int, Name("@a")]
        b: int = 1

    found = {tuple(document) for document in drawn(documents(shape_of(Two)))}

    assert found == {("@a",), ("@a", "b"), ("b", "@a")}


SECRET = {"name", "password"}


@pytest.mark.unwatched
def test_fields_of_one_direction() -> None:
    computed, stored = drawn(strategy(samples.Computed)), drawn(strategy(samples.Stored))

    assert all(value.total == value.price * value.count for value in computed)
    assert all(value.version >= 1 and value.etag == "none" for value in stored)
    for cls, keys in ((samples.Computed, {"price", "count"}), (samples.Secret, SECRET)):
        assert all(each.keys() == keys for each in drawn(documents(shape_of(cls))))


# Limits: recursion ends soon.


def depth(tree: samples.Tree) -> int:
    return 1 + max(map(depth, tree.children), default=0)


def size(tree: samples.Tree) -> int:
    return 1 + sum(map(size, tree.children))


@pytest.mark.unwatched
def test_trees_stay_small() -> None:
    trees = drawn(strategy(samples.Tree), 200)

    assert max(map(depth, trees)) == BUDGET
    assert max(map(size, trees)) < 2**BUDGET
    assert sum(map(size, trees)) > 2 * len(trees)


@dataclass
class Deep:
    """Six uses of recursive types within each other, at the least."""

    a: DeepA


@dataclass
class DeepA:
    b: tuple[DeepB, int]


@dataclass
class DeepB:
    c: Annotated[list[DeepC], MinLen(1)]


@dataclass
class DeepC:
    d: Annotated[dict[str, DeepD], MinLen(1)]


@dataclass
class DeepD:
    e: DeepE


@dataclass
class DeepE:
    again: Deep | None
    many: dict[str, Deep] = field(default_factory=dict)


def test_a_type_may_need_more_depth_than_usual() -> None:
    pairs = Pairs(only_values=True)

    assert pairs.height(shape_of(Deep)) == 6
    assert all(value.a for value in drawn(strategy(Deep), 20))


@dataclass
class Endless:
    again: Endless


def test_a_type_without_finite_values_is_refused() -> None:
    definition = nodes.Definition((Endless,), "Endless", __name__, recursive=True)
    again = nodes.Field("again", "again", nodes.RefShape(definition))
    definition.close(nodes.RecordShape("dataclass", Endless, (again,)))

    with pytest.raises(ValueError, match="without end"):
        values(nodes.RefShape(definition))


def test_a_multiple_between_two_others_is_refused() -> None:
    half = Decimal("0.5")
    bounds = Bounds(gt=half, lt=Decimal(1), multiple_of=half)

    with pytest.raises(ValueError, match=r"no multiple of 0\.5 lies within these bounds"):
        values(nodes.DecimalShape(bounds))


@rows("bounds", Bounds(gt=MAX_DURATION), Bounds(lt=-MAX_DURATION))
def test_a_duration_beyond_the_longest_is_refused(bounds: Bounds) -> None:
    with pytest.raises(ValueError, match="no duration lies within these bounds"):
        values(nodes.TimedeltaShape(bounds))


@dataclass(frozen=True)
class Initial:
    name: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "letter", self.name[0])

    letter: str = field(init=False)


def test_a_class_that_raises_has_documents_all_the_same() -> None:
    assert {"name": ""} in drawn(documents(shape_of(Initial)))
    with pytest.raises(IndexError):
        drawn(strategy(Initial))


def test_an_output_only_field_that_would_not_end_is_left_alone() -> None:
    @dataclass
    class Node:
        value: int
        parent: Any = field(init=False)

    definition = nodes.Definition((Node,), "Node", __name__, recursive=True)
    value = nodes.Field("value", "value", nodes.IntShape())
    parent = nodes.Field("parent", "parent", nodes.RefShape(definition), init=False)
    definition.close(nodes.RecordShape("dataclass", Node, (value, parent)))
    found = drawn(values(nodes.RefShape(definition)), 20)

    assert any(hasattr(node, "parent") for node in found)


# Shrinking: what fails is easily read.


@pytest.mark.unwatched
@rows(
    "annotation, wanted, smallest",
    (int, lambda value: value > 41, 42),
    (str, lambda value: len(value) > 2, "000"),
    (Annotated[str, Pattern("^[a-z]+$")], lambda value: len(value) > 1, "aa"),
    (Decimal, lambda value: value > Decimal("0.5"), Decimal(1)),
    (datetime, lambda _: True, datetime(2000, 1, 1, tzinfo=UTC)),
    (Annotated[int, MultipleOf(7)], lambda value: value > 10, 14),
    (samples.Point, lambda value: value.x + value.y > 5, samples.Point(6)),
    (samples.Tree, lambda value: value.children, samples.Tree(0, [samples.Tree(0)])),
    (set[int], lambda value: len(value) == 2, {0, 1}),
    (samples.Defaults, lambda _: True, samples.Defaults(name="")),
)
def test_values_shrink(annotation: Any, wanted: Callable[[Any], object], smallest: Any) -> None:
    many = settings(max_examples=2000, database=None)
    is_wanted: Callable[[Any], bool] = lambda value: bool(wanted(value))  # noqa: E731

    assert find(strategy(annotation), is_wanted, settings=many, random=Random(0)) == smallest


# Bounds at the ends of what there is.


EAST = timezone(timedelta(hours=3))


@rows(
    "annotation",
    Annotated[timedelta, Gt(MAX_DURATION - timedelta(seconds=1))],
    Annotated[timedelta, Lt(-MAX_DURATION + timedelta(seconds=1))],
    Annotated[timedelta, Lt(MAX_DURATION), Gt(-MAX_DURATION)],
    Annotated[date, Ge(date.max)],
    Annotated[datetime, Le(datetime(2, 1, 1, tzinfo=UTC))],
    Annotated[datetime, Ge(datetime(9999, 12, 31, 12, tzinfo=UTC))],
    Annotated[datetime, Lt(datetime(1, 1, 1, 12, tzinfo=UTC)), Timezone("UTC")],
    Annotated[time, Ge(time(23, 59, 59))],
    Annotated[time, Gt(time(23, 59, 59, tzinfo=EAST)), Lt(time(23, 59, 59, 9, tzinfo=EAST))],
    *(Annotated[Decimal, Gt(Decimal("1E+39"))], Annotated[Decimal, Lt(Decimal("-1E+39"))]),
    Annotated[Decimal, Ge(Decimal("1E-40")), Le(Decimal("1E-40"))],
    Annotated[Decimal, MultipleOf(Decimal(3)), Ge(Decimal(10)), Le(Decimal(12))],
    Annotated[Decimal, MultipleOf(Decimal(10)), Lt(Decimal("1E+90"))],
    Annotated[float, Ge(1e308)],
    Annotated[float, MultipleOf(0.25), Gt(0.5), Lt(1.0)],
    *(Annotated[list[int], Len(0, 0)], Annotated[dict[str, int], Len(0, 0)]),
    *(Annotated[list[int], Len(30, 40)], Annotated[str, MinLen(50_000)]),
    *(Annotated[str, Len(201, 202)], Annotated[bytes, Len(1_000_000, 1_000_000)]),
    Annotated[tuple[samples.Tree, ...], MinLen(5_000)],
)
def test_narrow_limits(annotation: Any) -> None:
    are_valid(annotation)


@rows(
    "value, unit, is_one",
    (0.3, 0.1, True),
    (0.35, 0.1, False),
    (Decimal("0.3"), Decimal("0.1"), True),
    (7, 2, False),
)
def test_multiples_are_as_written(value: Any, unit: Any, is_one: bool) -> None:
    assert is_multiple(value, unit) is is_one


# Patterns.


@pytest.mark.unwatched
@pytest.mark.parametrize("lengths", [(0, None), (3, None), (0, 5), (3, 5), (32, 32)])
@rows(
    "regex",
    *("^[0-9a-f]*$", r"^(?:\w+|-)*$", "^([a-z]+-)*[a-z]+$", "a|b", r"\bfoo?\b|^\/+$"),
    *(r"^[\]\-x]+\x41*\u0042*$", "^.*?[.]+$", "^(x(a|b))*$", ""),
)
def test_texts_match_their_pattern_and_lengths(regex: str, lengths: tuple[int, int | None]) -> None:
    shape = nodes.StrShape(lengths[0] or None, lengths[1], (regex,))
    broken = judge(shape)

    assert [text for text in drawn(texts(shape), 10) if broken(text)] == []


@pytest.mark.unwatched
def test_texts_may_have_several_patterns() -> None:
    found = drawn(texts(nodes.StrShape(patterns=("^[a-z]", "^[a-z0-9]*[0-9]$"))))
    assert all(text[0].islower() and text[-1].isdigit() for text in found)


def test_a_literal_of_a_member_of_an_enum_is_written_as_its_value() -> None:
    shape = shape_of(Literal[samples.Color.RED])
    assert isinstance(shape, nodes.LiteralShape)
    assert written(shape, samples.Color.RED) == ["red"]


def test_a_repeat_within_a_repeat_has_no_greatest_length() -> None:
    found = drawn(texts(nodes.StrShape(patterns=("^([a-z]+-)*[a-z]+$",))))
    assert any(part[1:] for text in found for part in text.split("-"))


@rows(
    "regex, low, high, expected",
    ("^[a-z]+$", 3, 5, ["[a-z]{3,5}"]),
    ("^[a-z]+$", 0, None, ["[a-z]{1,11}"]),
    ("^ab?c*$", 4, 6, ["a{1,1} b{0,1} c{3,5}"]),
    ("^a{2}b{3,}|^c+$", 7, 8, ["a{2,2} b{5,6} ...{0,1}", "a{2,2} b{3,4} ...{2,3}", "c{7,8}"]),
    ("^a{2,4}$", 0, None, ["a{2,4}"]),
    ("^(?:ab|c{3})+$", 5, 9, ["(){3,4}", "(){3,4}"]),
    ("a", 0, 2, ["...{0,1} a{1,1} ...{0,1}"]),
    ("^abc$", 5, None, ["a{1,1} b{1,1} c{1,1}"]),
)
def test_patterns_are_narrowed_to_lengths(
    regex: str, low: int, high: int | None, expected: list[str]
) -> None:
    found = [
        " ".join(f"{item.atom}{{{item.low},{item.high}}}" for item in items if item.width)
        for items in narrowed(regex, low, high)
    ]

    assert found == expected


def test_rules_of_a_text() -> None:
    broken = judge(nodes.StrShape(2, 3, ("^a", "b$")))

    assert (broken("ab"), broken("abab")) == ([], ["string_too_long"])
    assert broken("a") == ["string_too_short", "pattern"]
    assert (broken("xb"), broken("xx")) == (["pattern"], ["pattern", "pattern"])


# Measures.


@rows(
    "annotation, expected",
    *((None, 1), (bool, 2), (Literal["a", "b"], 2), (bool | None, 3), (samples.Color, 3)),
    (Annotated[int, Interval(ge=0, le=10), MultipleOf(5)], 3),
    *((bool | samples.Color, 3), (tuple[bool, samples.Color], 6)),
    *((str, math.inf), (samples.Tree, math.inf)),
)
def test_few_values_are_counted(annotation: Any, expected: float) -> None:
    assert cardinality(shape_of(annotation)) == expected


@pytest.mark.unwatched
@rows(
    "shape, expected",
    (nodes.AnyShape(), 7),
    (nodes.FloatShape(), 2),
    *((shape_of(annotation), None) for annotation in samples.ANNOTATIONS.values()),
)
def test_kinds_are_those_of_the_documents(shape: nodes.Shape, expected: int | None) -> None:
    names = words("null boolean integer number string array object")
    of = dict(zip((type(None), bool, int, float, str, list, dict), names, strict=True))
    found = kinds(shape)
    # 1.0 is an integer
    seen = {of[type(document)] for document in drawn(documents(shape), 15)} - {"number"}

    assert seen <= found
    assert expected is None or len(found) == expected


def test_what_a_predicate_raises_is_a_no() -> None:
    assert accepts(lambda value: value > 0, 1)
    assert not accepts(lambda value: value > 0, "1")


# The tests' own tools.


def test_sameness_is_of_types_too() -> None:
    assert same([samples.Point(1), {"a": (1, {2})}], [samples.Point(1), {"a": (1, {2})}])
    assert same(1, 1.0)
    others: list[tuple[Any, Any]] = [(True, 1), ([1], (1,)), ({"a": 1}, {"a": True}), ([1], [1, 2])]
    assert not any(same(*each) for each in others)


@pytest.mark.measured
def test_without_hypothesis_one_line_says_what_to_install() -> None:
    code = "import sys; sys.modules['hypothesis'] = None; import contract.testing; contract.testing.values"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert run.returncode == 1
    told = "contract.testing needs Hypothesis: pip install 'contract-rpc[testing]'"
    assert run.stderr.splitlines()[-1] == f"ModuleNotFoundError: {told}"
    assert "During handling" not in run.stderr
