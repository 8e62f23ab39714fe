"""Unions: what tells the members apart on the wire, and which members nothing does."""

import typing
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, NamedTuple, NewType, NotRequired, Optional, Union
from uuid import UUID

import pytest
from annotated_types import Ge, Len, MaxLen, MinLen, Predicate
from typing_extensions import TypeAliasType, TypedDict

from contract.shape import nodes
from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.markers import Name, Pattern
from contract.shape.names import Rename
from contract.shape.reader import ShapeReader, shape_of
from tests.tables import rows

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
    kind: typing.Required[Literal["cat"]]


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


def union(*members: Any) -> nodes.UnionShape:
    """The union of these types, in this order."""
    return nodes.UnionShape(tuple(map(shape_of, members)))


SHORT_OR_LONG = (Annotated[bytes, MaxLen(3)], Annotated[bytes, MinLen(9)])
SOME_OR_A = (Annotated[str, Len(1)], Annotated[str, Pattern("a")])
A_OR_B = nodes.LiteralShape(("a", "b"))


@rows(
    "annotation, shape",
    (int | str, union(int, str)),
    (float | int, union(int, float)),
    (float | str | int, union(str, int, float)),
    (bool | int, union(bool, int)),
    (str | Literal["a"], union(Literal["a"], str)),  # noqa: PYI051
    (Literal["a"] | Literal["b", "a"], A_OR_B),  # noqa: PYI030
    (Literal[1] | int, union(Literal[1], int)),  # noqa: PYI051
    (Annotated[int, "note"] | int | str, union(int, str)),
    (SHORT_OR_LONG[0] | SHORT_OR_LONG[1], union(*SHORT_OR_LONG)),
    (Literal["a"] | None, nodes.NullableShape(nodes.LiteralShape(("a",)))),
    (Union[None, None], nodes.NullShape()),  # noqa: PYI016, UP007
    (Optional[Any], nodes.AnyShape()),  # noqa: UP045
    (date | datetime, union(date, datetime)),
    (int | Decimal, union(int, Decimal)),
    (Literal["now"] | date, union(Literal["now"], date)),
    (list[int] | int, union(list[int], int)),
    (list[int] | list[str], union(list[int], list[str])),
    (list[int | None] | list[str], union(list[int | None], list[str])),
    (list[int | str] | list[bool], union(list[int | str], list[bool])),
    (tuple[int] | tuple[int, int], union(tuple[int], tuple[int, int])),
    (tuple[int] | tuple[str], union(tuple[int], tuple[str])),
    (dict[str, int] | int, union(dict[str, int], int)),
    (SOME_OR_A[0] | SOME_OR_A[1], union(*SOME_OR_A)),
    ((int | None) | (str | None), nodes.NullableShape(union(int, str))),
    (Annotated[int | str, "note"] | bool, union(int, str, bool)),
    (Annotated[int | None, "note"] | bool, nodes.NullableShape(union(int, bool))),
)
def test_a_union_is_read_where_its_members_differ(annotation: object, shape: object) -> None:
    assert shape_of(annotation) == shape


def _tagged(annotation: object, *, rename: Rename | None = None) -> nodes.TaggedUnionShape:
    shape = shape_of(annotation, rename=rename)
    assert isinstance(shape, nodes.TaggedUnionShape)
    return shape


SENT = [("transfer", "Transfer"), ("sepa", "Transfer")]
NOTED = Annotated[Card | Cash, "note"]


@rows(
    "annotation, tag, cases",
    (Card | Cash, "kind", [("card", "Card"), ("cash", "Cash")]),
    (Card | Transfer, "kind", [("card", "Card"), *SENT]),
    (NOTED | Transfer, "kind", [("card", "Card"), ("cash", "Cash"), *SENT]),
    (Dog | Cat, "kind", [("dog", "Dog"), ("cat", "Cat")]),
    (Yes | No, "ok", [(True, "Yes"), (False, "No")]),
    (FirstCard | SecondCard, "version", [(1, "FirstCard"), (2, "SecondCard")]),
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

    assert isinstance(shape, nodes.NullableShape)
    assert isinstance(shape.inner, nodes.UnionShape)
    kinds = [nodes.StrShape, nodes.ArrayShape, nodes.TaggedUnionShape]
    assert [type(member) for member in shape.inner.members] == kinds
    assert shape_of(Untagged | None) != shape_of(Untagged)
    one = shape_of(Untagged | str)
    assert isinstance(one, nodes.UnionShape)
    assert [type(member) for member in one.members] == [nodes.StrShape, nodes.RefShape]


def test_a_recursive_tagged_union_is_read() -> None:
    tree = shape_of(Tree)
    assert isinstance(tree, nodes.RefShape)
    shape = tree.definition.shape
    assert isinstance(shape, nodes.TaggedUnionShape)
    branch = shape.cases[0][1].definition

    assert branch.recursive
    assert not shape.cases[1][1].definition.recursive
    assert [field.shape for field in branch.shape.fields[1:]] == [shape, tree]  # type: ignore[union-attr]


@rows(
    "annotation",
    *(list[Card] | list[Cash], list[Card | Cash] | list[str]),
    # enums and named tuples are told apart by what they write
    *(int | Color, Color | list[int], Level | bool, Point | str, Level | UUID),
    *(Literal["green"] | Color, Color | date),
    # a predicate does not hide a member, and an alias that is finished is looked into
    Annotated[int, Predicate(bool)] | str,
    list[Annotated[int | str, Predicate(bool)]] | list[bool],
    Annotated[int | str, Predicate(bool)] | bool,
    *(list[Json] | list[str], list[Few] | list[str]),
)
def test_members_are_told_apart_by_what_they_write(annotation: object) -> None:
    assert isinstance(shape_of(annotation), nodes.UnionShape)


NO_TAG = "cannot be told apart; write a field"


@rows(
    "annotation, problem",
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
    *((each, NO_TAG) for each in (Card | Renamed, Card | OutputOnly, Card | MaybeKind, Dog | Fox)),
    (Dog | Hen, NO_TAG),
    (Card | FirstCard, "Card and FirstCard both have kind = 'card'; write another value"),
    (Any | int, "Any already takes everything that int would; write Any"),
    (Twice, "list_Twice and list_str cannot be told apart"),
    (Pairs, "tuple_Pairs_int and tuple_Pairs_int_int contain the union that they are in"),
    (Level1, "contain the union that they are in"),
)
def test_members_that_cannot_be_told_apart_are_refused(annotation: object, problem: str) -> None:
    with pytest.raises(UnsupportedAnnotation, match=problem):
        shape_of(annotation, where="pay.input")


def test_overlapping_arrays_outside_of_a_recursion_are_read() -> None:
    shape = ShapeReader().read(Holder, where="x")

    assert isinstance(shape, nodes.RefShape)
    assert isinstance(shape.definition.shape.fields[0].shape, nodes.UnionShape)  # type: ignore[union-attr]


def test_an_alias_among_others_is_taken_apart() -> None:
    shape = shape_of(Json | str)

    assert isinstance(shape, nodes.NullableShape)
    assert isinstance(shape.inner, nodes.UnionShape)
    kinds = [nodes.IntShape, nodes.ArrayShape, nodes.StrShape]
    assert [type(member) for member in shape.inner.members] == kinds


def test_an_alias_with_null_is_not_made_nullable_again() -> None:
    reader = ShapeReader()
    alone = reader.read(Json, where="x")

    assert reader.read(Json | None, where="x") == alone
    assert isinstance(reader.read(Optional[Annotated[int, Ge(0)]], where="x"), nodes.NullableShape)  # noqa: UP045
