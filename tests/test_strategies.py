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
from contract.shape.markers import UNSET, Name, Pattern
from contract.shape.nodes import (
    AnyShape,
    Definition,
    Field,
    FloatShape,
    IntShape,
    RecordShape,
    RefShape,
    Shape,
    StrShape,
)
from contract.shape.reader import shape_of
from contract.shape.text_forms import MAX_DURATION
from contract.testing import documents, strategy, values
from contract.testing.near_scalars import cardinality, kinds
from contract.testing.scalars import is_multiple
from contract.testing.texts import judge, narrowed, texts
from contract.testing.valid_values import BUDGET, Pairs, accepts
from tests.drawing import drawn
from tests.samples import (
    ANNOTATIONS,
    ONE_WAY,
    Chain,
    Color,
    Computed,
    Defaults,
    Forest,
    Options,
    Place,
    Point,
    Secret,
    Stored,
    Tree,
)
from tests.strategies import same, types
from tests.watched import watched


@pytest.mark.parametrize(
    "annotation",
    watched(
        {**ANNOTATIONS, **ONE_WAY},
        "dict",
        "int multiple",
        "PurePath",
        "secret",
        "time",
        "TypedDict",
        "union of datetimes",
    ),
)
def test_values_are_valid(annotation: Any) -> None:
    check = compile_dumper(shape_of(annotation))

    for value in drawn(strategy(annotation), 15):
        check(value)


@settings(deadline=None)
@given(
    types(one_way=True).flatmap(
        lambda annotation: st.tuples(st.just(annotation), strategy(annotation))
    )
)
def test_values_of_any_type_are_valid(pair: tuple[Any, Any]) -> None:
    annotation, value = pair

    compile_dumper(shape_of(annotation))(value)


# Variety: what can be, comes.


@pytest.mark.unwatched
@pytest.mark.parametrize(
    ("annotation", "wanted"),
    [
        (
            Defaults,
            [
                lambda value: value.nickname is UNSET,
                lambda value: value.nickname is None,
                lambda value: value.nickname,
                lambda value: value.count != 1,
                lambda value: value.count == 1 and value.tags,
            ],
        ),
        (Options, [lambda value: "size" not in value, lambda value: value.get("size", 0) > 1]),
        (
            Place,
            [
                lambda value: value.name is None and value.height > 3,
                lambda value: value.height == 0 and value.name,
            ],
        ),
        (
            Tree,
            [
                lambda value: value.children and value.children[0].children,
                lambda value: len(value.children) == 2,
            ],
        ),
        (Chain, [lambda value: value.next is None, lambda value: value.next]),
        (Forest, [lambda value: any(branch.leaves for branch in value.trees.values())]),
        (Annotated[str, MaxLen(3)], [lambda value: len(value) == 3]),
        (set[Color], [lambda value: len(value) == 3, lambda value: not value]),
        (Annotated[list[int], Len(0, 8)], [lambda value: len(value) == 8]),
        (
            bool | int | None,
            [
                lambda value: value is True,
                lambda value: type(value) is int,
                lambda value: value is None,
            ],
        ),
        (time, [lambda value: value.tzinfo is None, lambda value: value.tzinfo is not None]),
        (
            datetime,
            [
                lambda value: value.utcoffset() == timedelta(hours=1),
                lambda value: value.utcoffset() == timedelta(0),
            ],
        ),
        (
            Decimal,
            [lambda value: abs(value) > 10**40, lambda value: value == value.to_integral_value()],
        ),
        (Annotated[int, Interval(ge=0, le=2**64 - 1)], [lambda value: value >= 2**63]),
    ],
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
    noon = datetime(2024, 1, 1, 12, tzinfo=UTC)
    assert {
        f"'2024-01-01T12:00:00{end}'" for end in ("+00:00", "Z", "-00:00", ".0+00:00")
    } <= forms(Annotated[datetime, Ge(noon), Le(noon), Timezone("UTC")])
    assert {"'12:00:00.500000'", "'12:00:00.5'"} <= forms(
        Annotated[time, Ge(time(12, 0, 0, 500_000)), Le(time(12, 0, 0, 500_000))]
    )
    assert {"'1'", "'1.0'", "'1e0'"} <= forms(
        Annotated[Decimal, Ge(Decimal(1)), Le(Decimal(1)), MultipleOf(Decimal(1))]
    )
    assert {"'PT1M'", "'PT60.000000S'"} <= forms(
        Annotated[timedelta, Ge(timedelta(minutes=1)), Le(timedelta(minutes=1))]
    )
    assert {"'-PT1S'", "'-PT1.000000S'"} <= forms(
        Annotated[timedelta, Ge(timedelta(seconds=-1)), Le(timedelta(seconds=-1))]
    )


def test_keys_come_in_any_order_and_under_their_wire_names() -> None:
    @dataclass
    class Two:
        a: Annotated[int, Name("@a")]
        b: int = 1

    found = {tuple(document) for document in drawn(documents(shape_of(Two)))}

    assert found == {("@a",), ("@a", "b"), ("b", "@a")}


@pytest.mark.unwatched
def test_fields_of_one_direction() -> None:
    assert all(value.total == value.price * value.count for value in drawn(strategy(Computed)))
    assert all(
        document.keys() == {"price", "count"} for document in drawn(documents(shape_of(Computed)))
    )
    assert all(value.version >= 1 and value.etag == "none" for value in drawn(strategy(Stored)))
    assert all(
        document.keys() == {"name", "password"} for document in drawn(documents(shape_of(Secret)))
    )


# Limits: recursion ends soon.


def depth(tree: Tree) -> int:
    return 1 + max(map(depth, tree.children), default=0)


def size(tree: Tree) -> int:
    return 1 + sum(map(size, tree.children))


@pytest.mark.unwatched
def test_trees_stay_small() -> None:
    trees = drawn(strategy(Tree), 200)

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
    definition = Definition((Endless,), "Endless", __name__, recursive=True)
    definition.close(
        RecordShape("dataclass", Endless, (Field("again", "again", RefShape(definition)),))
    )

    with pytest.raises(ValueError, match="without end"):
        values(RefShape(definition))


def test_a_multiple_between_two_others_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no multiple of 0\.5 lies within these bounds"):
        strategy(Annotated[Decimal, MultipleOf(Decimal("0.5")), Gt(Decimal("0.5")), Lt(Decimal(1))])


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

    definition = Definition((Node,), "Node", __name__, recursive=True)
    fields = (
        Field("value", "value", IntShape()),
        Field("parent", "parent", RefShape(definition), init=False),
    )
    definition.close(RecordShape("dataclass", Node, fields))
    found = drawn(values(RefShape(definition)), 20)

    assert any(hasattr(node, "parent") for node in found)


# Shrinking: what fails is easily read.


@pytest.mark.unwatched
@pytest.mark.parametrize(
    ("annotation", "wanted", "smallest"),
    [
        (int, lambda value: value > 41, 42),
        (str, lambda value: len(value) > 2, "000"),
        (Annotated[str, Pattern("^[a-z]+$")], lambda value: len(value) > 1, "aa"),
        (Decimal, lambda value: value > Decimal("0.5"), Decimal(1)),
        (datetime, lambda _: True, datetime(2000, 1, 1, tzinfo=UTC)),
        (Annotated[int, MultipleOf(7)], lambda value: value > 10, 14),
        (Point, lambda value: value.x + value.y > 5, Point(6)),
        (Tree, lambda value: value.children, Tree(0, [Tree(0)])),
        (set[int], lambda value: len(value) == 2, {0, 1}),
        (Defaults, lambda _: True, Defaults(name="")),
    ],
)
def test_values_shrink(annotation: Any, wanted: Callable[[Any], object], smallest: Any) -> None:
    found = find(
        strategy(annotation),
        lambda value: bool(wanted(value)),
        settings=settings(max_examples=2000, database=None),
        random=Random(0),
    )

    assert found == smallest


# Bounds at the ends of what there is.


@pytest.mark.parametrize(
    "annotation",
    [
        Annotated[timedelta, Gt(MAX_DURATION - timedelta(seconds=1))],
        Annotated[timedelta, Lt(-MAX_DURATION + timedelta(seconds=1))],
        Annotated[timedelta, Lt(MAX_DURATION), Gt(-MAX_DURATION)],
        Annotated[date, Ge(date.max)],
        Annotated[datetime, Le(datetime(2, 1, 1, tzinfo=UTC))],
        Annotated[
            time,
            Gt(time(23, 59, 59, tzinfo=timezone(timedelta(hours=3)))),
            Lt(time(23, 59, 59, 9, tzinfo=timezone(timedelta(hours=3)))),
        ],
        Annotated[Decimal, Gt(Decimal("1E+39"))],
        Annotated[Decimal, Lt(Decimal("-1E+39"))],
        Annotated[Decimal, Ge(Decimal("1E-40")), Le(Decimal("1E-40"))],
        Annotated[Decimal, MultipleOf(Decimal(3)), Ge(Decimal(10)), Le(Decimal(12))],
        Annotated[float, Ge(1e308)],
        Annotated[float, MultipleOf(0.25), Gt(0.5), Lt(1.0)],
        Annotated[list[int], Len(0, 0)],
        Annotated[dict[str, int], Len(0, 0)],
        Annotated[list[int], Len(30, 40)],
        Annotated[str, MinLen(50_000)],
        Annotated[str, Len(201, 202)],
        Annotated[bytes, Len(1_000_000, 1_000_000)],
        Annotated[tuple[Tree, ...], MinLen(5_000)],
    ],
)
def test_narrow_limits(annotation: Any) -> None:
    check = compile_dumper(shape_of(annotation))

    for value in drawn(strategy(annotation), 15):
        check(value)


@pytest.mark.parametrize(
    ("value", "unit", "is_one"),
    [(0.3, 0.1, True), (0.35, 0.1, False), (Decimal("0.3"), Decimal("0.1"), True), (7, 2, False)],
)
def test_multiples_are_as_written(value: Any, unit: Any, is_one: bool) -> None:
    assert is_multiple(value, unit) is is_one


# Patterns.


@pytest.mark.unwatched
@pytest.mark.parametrize("lengths", [(0, None), (3, None), (0, 5), (3, 5), (32, 32)])
@pytest.mark.parametrize(
    "regex",
    [
        "^[0-9a-f]*$",
        r"^(?:\w+|-)*$",
        "^([a-z]+-)*[a-z]+$",
        "a|b",
        r"\bfoo?\b|^\/+$",
        r"^[\]\-x]+\x41*\u0042*$",
        "^.*?[.]+$",
        "^(x(a|b))*$",
        "",
    ],
)
def test_texts_match_their_pattern_and_lengths(regex: str, lengths: tuple[int, int | None]) -> None:
    shape = StrShape(lengths[0] or None, lengths[1], (regex,))
    broken = judge(shape)

    assert [text for text in drawn(texts(shape), 10) if broken(text)] == []


@pytest.mark.unwatched
def test_texts_may_have_several_patterns() -> None:
    assert all(
        text[0].islower() and text[-1].isdigit()
        for text in drawn(texts(StrShape(patterns=("^[a-z]", "^[a-z0-9]*[0-9]$"))))
    )


@pytest.mark.parametrize(
    ("regex", "low", "high", "expected"),
    [
        ("^[a-z]+$", 3, 5, ["[a-z]{3,5}"]),
        ("^[a-z]+$", 0, None, ["[a-z]{1,11}"]),
        ("^ab?c*$", 4, 6, ["a{1,1} b{0,1} c{3,5}"]),
        ("^a{2}b{3,}|^c+$", 7, 8, ["a{2,2} b{5,6} ...{0,1}", "a{2,2} b{3,4} ...{2,3}", "c{7,8}"]),
        ("^a{2,4}$", 0, None, ["a{2,4}"]),
        ("^(?:ab|c{3})+$", 5, 9, ["(){3,4}", "(){3,4}"]),
        ("a", 0, 2, ["...{0,1} a{1,1} ...{0,1}"]),
        ("^abc$", 5, None, ["a{1,1} b{1,1} c{1,1}"]),
    ],
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
    broken = judge(StrShape(2, 3, ("^a", "b$")))

    assert [broken(text) for text in ("ab", "a", "abab", "xb", "xx")] == [
        [],
        ["string_too_short", "pattern"],
        ["string_too_long"],
        ["pattern"],
        ["pattern", "pattern"],
    ]


# Measures.


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (None, 1),
        (bool, 2),
        (bool | None, 3),
        (Annotated[int, Interval(ge=0, le=10), MultipleOf(5)], 3),
        (Color, 3),
        (tuple[bool, Color], 6),
        (str, math.inf),
        (bool | Color, 3),
        (Literal["a", "b"], 2),
        (Tree, math.inf),
    ],
)
def test_few_values_are_counted(annotation: Any, expected: float) -> None:
    assert cardinality(shape_of(annotation)) == expected


@pytest.mark.unwatched
@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (AnyShape(), 7),
        (FloatShape(), 2),
        *((shape_of(annotation), None) for annotation in ANNOTATIONS.values()),
    ],
)
def test_kinds_are_those_of_the_documents(shape: Shape, expected: int | None) -> None:
    of = {
        type(None): "null",
        bool: "boolean",
        int: "integer",
        float: "number",
        str: "string",
        list: "array",
        dict: "object",
    }
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
    assert same([Point(1), {"a": (1, {2})}], [Point(1), {"a": (1, {2})}])
    assert same(1, 1.0)
    assert not same(True, 1)
    assert not same([1], (1,))
    assert not same({"a": 1}, {"a": True})
    assert not same([1], [1, 2])


@pytest.mark.measured
def test_without_hypothesis_one_line_says_what_to_install() -> None:
    program = "import sys; sys.modules['hypothesis'] = None; import contract.testing; contract.testing.values"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )

    assert run.returncode == 1
    assert (
        run.stderr.splitlines()[-1]
        == "ModuleNotFoundError: contract.testing needs Hypothesis: pip install 'contract-rpc[testing]'"
    )
    assert "During handling" not in run.stderr
