"""Unions: what tells the members apart on the wire, and which members nothing does."""

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    NewType,
    NotRequired,
    Optional,
    Required,
    Union,
)
from uuid import UUID

import pytest
from annotated_types import Ge, Len, MaxLen, MinLen, Predicate
from typing_extensions import TypeAliasType, TypedDict

from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.markers import Name, Pattern
from contract.shape.nodes import (
    AnyShape,
    ArrayShape,
    BoolShape,
    BytesShape,
    DateShape,
    DatetimeShape,
    DecimalShape,
    FloatShape,
    IntShape,
    LiteralShape,
    MapShape,
    NullableShape,
    NullShape,
    RefShape,
    Shape,
    StrShape,
    TaggedUnionShape,
    TupleShape,
    UnionShape,
)
from contract.shape.reader import ShapeReader, shape_of

CardKind = TypeAliasType("CardKind", Literal["card"])
CashKind = NewType("CashKind", Literal["cash"])  # type: ignore[valid-newtype]


@dataclass
class Card:
    number: str
    kind: CardKind = "card"


@dataclass
class Cash:
    kind: Annotated[CashKind, "note"] = "cash"  # type: ignore[assignment]


@dataclass
class Transfer:
    iban: str
    kind: Literal["transfer", "sepa"]


@dataclass
class Untagged:
    number: str


@dataclass
class SecondCard:
    kind: Literal["card"]
    version: Literal[2] = 2


@dataclass
class FirstCard:
    kind: Literal["card"]
    version: Literal[1] = 1


@dataclass
class Renamed:
    kind: Annotated[Literal["renamed"], Name("type")]


@dataclass
class OutputOnly:
    kind: Literal["out"] = field(init=False, default="out")


@dataclass
class MaybeKind:
    kind: Literal["maybe", None] = None  # noqa: PYI061


@dataclass
class Yes:
    ok: Literal[True]


@dataclass
class No:
    ok: Literal[False]


class Dog(TypedDict):
    kind: Literal["dog"]


class Cat(TypedDict, total=False):
    kind: Required[Literal["cat"]]


class Fox(TypedDict):
    kind: NotRequired[Literal["fox"]]


class Hen(TypedDict, total=False):
    kind: Literal["hen"]


class Ratio(Enum):
    HALF = 0.5
    WHOLE = 1.0


class Color(Enum):
    RED = "red"


class Day(Enum):
    FIRST = "2026-01-01"


class Level(Enum):
    LOW = 1
    MAX = "max"


class Point(NamedTuple):
    x: int


@dataclass
class Leaf:
    kind: Literal["leaf"]


@dataclass
class Branch:
    kind: Literal["branch"]
    left: "Branch | Leaf"
    right: "Tree"


Tree = TypeAliasType("Tree", Branch | Leaf)
Json = TypeAliasType("Json", "None | int | list[Json]")  # noqa: RUF036
Few = TypeAliasType("Few", "Annotated[list[Few], Predicate(bool)]")
Twice = TypeAliasType("Twice", "int | list[Twice] | list[str]")
Pairs = TypeAliasType("Pairs", "int | tuple[Pairs, int] | tuple[Pairs, int, int]")


@dataclass
class Level1:
    rows: "list[Level1 | int] | list[str]"


@dataclass
class Holder:
    rows: list[int] | list[str]


@pytest.mark.parametrize(
    ("annotation", "shape"),
    [
        (int | str, UnionShape((IntShape(), StrShape()))),
        (float | int, UnionShape((IntShape(), FloatShape()))),
        (float | str | int, UnionShape((StrShape(), IntShape(), FloatShape()))),
        (bool | int, UnionShape((BoolShape(), IntShape()))),
        (str | Literal["a"], UnionShape((LiteralShape(("a",)), StrShape()))),  # noqa: PYI051
        (Literal["a"] | Literal["b", "a"], LiteralShape(("a", "b"))),  # noqa: PYI030
        (Literal[1] | int, UnionShape((LiteralShape((1,)), IntShape()))),  # noqa: PYI051
        (Annotated[int, "note"] | int | str, UnionShape((IntShape(), StrShape()))),
        (
            Annotated[bytes, MaxLen(3)] | Annotated[bytes, MinLen(9)],
            UnionShape((BytesShape(max_length=3), BytesShape(min_length=9))),
        ),
        (Literal["a"] | None, NullableShape(LiteralShape(("a",)))),
        (Union[None, None], NullShape()),  # noqa: PYI016, UP007
        (Optional[Any], AnyShape()),  # noqa: UP045
        (date | datetime, UnionShape((DateShape(), DatetimeShape()))),
        (int | Decimal, UnionShape((IntShape(), DecimalShape()))),
        (Literal["now"] | date, UnionShape((LiteralShape(("now",)), DateShape()))),
        (list[int] | int, UnionShape((ArrayShape(IntShape()), IntShape()))),
        (list[int] | list[str], UnionShape((ArrayShape(IntShape()), ArrayShape(StrShape())))),
        (
            list[int | None] | list[str],
            UnionShape((ArrayShape(NullableShape(IntShape())), ArrayShape(StrShape()))),
        ),
        (
            list[int | str] | list[bool],
            UnionShape((ArrayShape(UnionShape((IntShape(), StrShape()))), ArrayShape(BoolShape()))),
        ),
        (
            tuple[int] | tuple[int, int],
            UnionShape((TupleShape((IntShape(),)), TupleShape((IntShape(), IntShape())))),
        ),
        (
            tuple[int] | tuple[str],
            UnionShape((TupleShape((IntShape(),)), TupleShape((StrShape(),)))),
        ),
        (dict[str, int] | int, UnionShape((MapShape(StrShape(), IntShape()), IntShape()))),
        (
            Annotated[str, Len(1)] | Annotated[str, Pattern("a")],
            UnionShape((StrShape(1), StrShape(patterns=("a",)))),
        ),
        ((int | None) | (str | None), NullableShape(UnionShape((IntShape(), StrShape())))),
        (Annotated[int | str, "note"] | bool, UnionShape((IntShape(), StrShape(), BoolShape()))),
        (
            Annotated[int | None, "note"] | bool,
            NullableShape(UnionShape((IntShape(), BoolShape()))),
        ),
    ],
)
def test_a_union_is_read_where_its_members_differ(annotation: object, shape: Shape) -> None:
    assert shape_of(annotation) == shape


def _tagged(annotation: object, *, rename: Literal["camel"] | None = None) -> TaggedUnionShape:
    shape = shape_of(annotation, rename=rename)
    assert isinstance(shape, TaggedUnionShape)
    return shape


@pytest.mark.parametrize(
    ("annotation", "tag", "cases"),
    [
        (Card | Cash, "kind", [("card", "Card"), ("cash", "Cash")]),
        (
            Card | Transfer,
            "kind",
            [("card", "Card"), ("transfer", "Transfer"), ("sepa", "Transfer")],
        ),
        (
            Annotated[Card | Cash, "note"] | Transfer,
            "kind",
            [("card", "Card"), ("cash", "Cash"), ("transfer", "Transfer"), ("sepa", "Transfer")],
        ),
        (Dog | Cat, "kind", [("dog", "Dog"), ("cat", "Cat")]),
        (Yes | No, "ok", [(True, "Yes"), (False, "No")]),
        (FirstCard | SecondCard, "version", [(1, "FirstCard"), (2, "SecondCard")]),
    ],
)
def test_records_are_told_apart_by_the_first_field_that_tells(
    annotation: Any, tag: str, cases: list[tuple[object, str]]
) -> None:
    shape = _tagged(annotation)

    assert shape.tag == shape.attribute == tag
    assert [(value, record.definition.name) for value, record in shape.cases] == cases


def test_a_tag_follows_the_renaming() -> None:
    @dataclass
    class A:
        item_kind: Literal["a"]

    @dataclass
    class B:
        item_kind: Literal["b"]

    shape = _tagged(A | B, rename="camel")
    assert (shape.tag, shape.attribute) == ("itemKind", "item_kind")


def test_a_record_may_stand_beside_other_json_types() -> None:
    shape = shape_of(Card | None | Cash | str | list[int])

    assert isinstance(shape, NullableShape)
    assert isinstance(shape.inner, UnionShape)
    assert [type(member) for member in shape.inner.members] == [
        StrShape,
        ArrayShape,
        TaggedUnionShape,
    ]
    assert shape_of(Untagged | None) != shape_of(Untagged)
    one = shape_of(Untagged | str)
    assert isinstance(one, UnionShape)
    assert [type(member) for member in one.members] == [StrShape, RefShape]


def test_a_recursive_tagged_union_is_read() -> None:
    tree = shape_of(Tree)
    assert isinstance(tree, RefShape)
    shape = tree.definition.shape
    assert isinstance(shape, TaggedUnionShape)
    branch = shape.cases[0][1].definition

    assert branch.recursive
    assert not shape.cases[1][1].definition.recursive
    assert [field.shape for field in branch.shape.fields[1:]] == [shape, tree]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "annotation",
    [
        *(list[Card] | list[Cash], list[Card | Cash] | list[str]),
        # enums and named tuples are told apart by what they write
        *(int | Color, Color | list[int], Level | bool, Point | str, Level | UUID),
        *(Literal["green"] | Color, Color | date),
        # a predicate does not hide a member, and an alias that is finished is looked into
        Annotated[int, Predicate(bool)] | str,
        list[Annotated[int | str, Predicate(bool)]] | list[bool],
        Annotated[int | str, Predicate(bool)] | bool,
        *(list[Json] | list[str], list[Few] | list[str]),
    ],
)
def test_members_are_told_apart_by_what_they_write(annotation: object) -> None:
    assert isinstance(shape_of(annotation), UnionShape)


NO_TAG = "cannot be told apart; write a field"


@pytest.mark.parametrize(
    ("annotation", "problem"),
    [
        (
            str | datetime,
            "str and datetime cannot be told apart; write one of them, or give each a dataclass",
        ),
        (str | Color, "str and Color cannot be told apart"),
        (bytes | Decimal, "bytes and Decimal"),
        (str | UUID, "str and UUID"),
        (Literal["2026-01-01"] | date, "Literal_2026_01_01 and date"),
        (Day | date, "Day and date"),
        (Color | Literal["red"], "Literal_red and Color"),
        (Ratio | Literal[1], "Literal_1 and Ratio"),
        (Color | Literal[Color.RED], "Literal_red and Color"),
        (str | Literal[Color.RED], "Literal_red and str cannot be told apart"),
        (Literal["red", Color.RED], "are both 'red' on the wire"),
        (list[Literal["red"]] | list[Literal[Color.RED]], "cannot be told apart"),
        (Level | int, "Level and int"),
        (Level | float, "Level and float"),
        (list[int] | set[int], "list_int and set_int"),
        (list[int] | tuple[int, ...], "list_int and tuple_int"),
        (list[int] | Point, "list_int and Point"),
        (list[date] | list[str], "list_date and list_str"),
        (list[date | None] | list[str | None], "cannot be told apart"),
        (list[Untagged] | list[Card], "list_Untagged and list_Card"),
        (list[dict[str, int]] | list[Card], "cannot be told apart"),
        (tuple[str] | tuple[date], "tuple_str and tuple_date"),
        (list[Any] | list[int], "list_Any and list_int"),
        (dict[str, int] | dict[str, str], "dict_str_int and dict_str_str"),
        (dict[str, int] | Card, "dict_str_int and Card"),
        (dict[str, int] | Card | Cash, "dict_str_int and Card"),
        (
            Card | Untagged,
            r"Card and Untagged cannot be told apart; write a field with a Literal type .* kind: Literal\[\"card\"\]",
        ),
        (Card | Renamed, NO_TAG),
        (Card | OutputOnly, NO_TAG),
        (Card | MaybeKind, NO_TAG),
        (Dog | Fox, NO_TAG),
        (Dog | Hen, NO_TAG),
        (Card | FirstCard, "Card and FirstCard both have kind = 'card'; write another value"),
        (Any | int, "Any already takes everything that int would; write Any"),
        (Twice, "list_Twice and list_str cannot be told apart"),
        (Pairs, "tuple_Pairs_int and tuple_Pairs_int_int contain the union that they are in"),
        (Level1, "contain the union that they are in"),
    ],
)
def test_members_that_cannot_be_told_apart_are_refused(annotation: object, problem: str) -> None:
    with pytest.raises(UnsupportedAnnotation, match=problem):
        shape_of(annotation, where="pay.input")


def test_overlapping_arrays_outside_of_a_recursion_are_read() -> None:
    shape = ShapeReader().read(Holder, where="x")

    assert isinstance(shape, RefShape)
    assert isinstance(shape.definition.shape.fields[0].shape, UnionShape)  # type: ignore[union-attr]


def test_an_alias_among_others_is_taken_apart() -> None:
    shape = shape_of(Json | str)

    assert isinstance(shape, NullableShape)
    assert isinstance(shape.inner, UnionShape)
    assert [type(member) for member in shape.inner.members] == [IntShape, ArrayShape, StrShape]


def test_an_alias_with_null_is_not_made_nullable_again() -> None:
    reader = ShapeReader()
    alone = reader.read(Json, where="x")

    assert reader.read(Json | None, where="x") == alone
    assert isinstance(reader.read(Optional[Annotated[int, Ge(0)]], where="x"), NullableShape)  # noqa: UP045
