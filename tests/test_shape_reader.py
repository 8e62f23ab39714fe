"""The reader: every type that a route can carry, and what is said about the others."""

import collections
import decimal
import fractions
import ipaddress
import pathlib
import re
import typing
from collections import abc
from collections.abc import Callable, Iterator
from dataclasses import dataclass, make_dataclass
from datetime import date
from enum import Enum, Flag, IntEnum, IntFlag, StrEnum
from types import GenericAlias
from typing import Annotated, Any, ClassVar, Generic, Literal, NewType, Self, TypeVar, Union, cast
from uuid import UUID

import pytest
import typing_extensions
from annotated_types import Ge, Len, Predicate
from typing_extensions import Doc, TypeAliasType, TypedDict

from contract.pred.compile import pred_of
from contract.shape import nodes
from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.graph import alternatives, children
from contract.shape.markers import Name, Unset
from contract.shape.reader import ShapeReader, shape_of
from tests.tables import rows

T = TypeVar("T")
U = typing_extensions.TypeVar("U", default=int)
P = typing.ParamSpec("P")
UserId = NewType("UserId", str)
Text = TypeAliasType("Text", str)
Pair = TypeAliasType("Pair", tuple[T, T], type_params=(T,))
Json = TypeAliasType(
    "Json",
    "Annotated[bool | int | float | str | list[Json] | dict[str, Json] | None, Doc('Any JSON value.')]",
)
Lost = TypeAliasType("Lost", "Missing")  # type: ignore[name-defined]  # noqa: F821
Bare = TypeAliasType("Bare", "Bare")  # type: ignore[misc]
Wrapped = TypeAliasType("Wrapped", "Wrapper")  # type: ignore[misc]
Wrapper = NewType("Wrapper", Wrapped)  # type: ignore[misc]
Nested = TypeAliasType("Nested", "list[Nested]")
Chain = TypeAliasType("Chain", "tuple[T, Chain[T] | None]", type_params=(T,))
Growing = TypeAliasType("Growing", "tuple[T, Growing[list[T]] | None]", type_params=(T,))  # type: ignore[misc]
Folder = TypeAliasType("Folder", "dict[str, Folder | str]")
Pile = TypeAliasType("Pile", "list[Pile | str | dict[str, Pile | int]]")
Links = TypeAliasType("Links", "tuple[int, Links | int | None]")
Open = TypeAliasType("Open", "int | list[Open | str]")
Twice = TypeAliasType("Twice", "list[Twice | list[int]]")
Itself = TypeAliasType("Itself", "Itself | None")  # type: ignore[misc]
Here = TypeAliasType("Here", "There")
There = TypeAliasType("There", "Here | int")  # type: ignore[misc]
Again = TypeAliasType("Again", "Annotated[Again, Doc('')] | int")  # type: ignore[misc]
Tree = Union[int, list["Tree"]]  # noqa: UP007  an alias by plain assignment


class Odd(Enum):
    ONE = 1
    TEXT = "1"


class Vague(Enum):
    ONE = 1.5


class Color(Enum):
    RED = "red"
    BLUE = "blue"
    AZURE = "blue"  # noqa: PIE796


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Size(StrEnum):
    S = "s"


class Permission(Flag):
    READ = 1


@dataclass
class Item:
    name: str


@dataclass(frozen=True)
class Basket:
    inner: "Basket | None"
    things: list[str]


@dataclass
class Page(Generic[T]):
    items: list[T]


@dataclass
class WithDefault(Generic[U]):
    value: U


@dataclass
class Node:
    children: "list[Node]"


@dataclass
class Endless(Generic[T]):
    more: "Endless[list[T]] | None" = None


class Point(typing.NamedTuple):
    x: int
    y: int = 0


class Movie(TypedDict):
    title: str


@rows(
    "annotation, shape",
    (type(None), nodes.NullShape()),
    (Any, nodes.AnyShape()),
    (object, nodes.AnyShape()),
    (Literal["a", "b"], nodes.LiteralShape(("a", "b"))),
    (Literal["a", None], nodes.NullableShape(nodes.LiteralShape(("a",)))),  # noqa: PYI061
    (Literal[None], nodes.NullShape()),  # noqa: PYI061
    (list[int], nodes.ArrayShape(nodes.IntShape())),
    (typing.List[int], nodes.ArrayShape(nodes.IntShape())),  # noqa: UP006
    (abc.MutableSequence[int], nodes.ArrayShape(nodes.IntShape(), abstract=abc.MutableSequence)),
    (abc.Sequence[int], nodes.ArrayShape(nodes.IntShape(), "sequence", abstract=abc.Sequence)),
    (typing.Sequence[int], nodes.ArrayShape(nodes.IntShape(), "sequence", abstract=abc.Sequence)),
    (abc.Collection[int], nodes.ArrayShape(nodes.IntShape(), "sequence", abstract=abc.Collection)),
    (Annotated[abc.Sequence[int], Len(1)], nodes.ArrayShape(nodes.IntShape(), "sequence", min_items=1, abstract=abc.Sequence)),
    (Annotated[abc.Mapping[str, int], Len(1)], nodes.MapShape(nodes.StrShape(), nodes.IntShape(), min_keys=1, abstract=abc.Mapping)),
    (set[int], nodes.ArrayShape(nodes.IntShape(), "set")),
    (abc.MutableSet[int], nodes.ArrayShape(nodes.IntShape(), "set", abstract=abc.MutableSet)),
    (frozenset[int], nodes.ArrayShape(nodes.IntShape(), "frozenset")),
    (abc.Set[int], nodes.ArrayShape(nodes.IntShape(), "frozenset", abstract=abc.Set)),
    (typing.AbstractSet[int], nodes.ArrayShape(nodes.IntShape(), "frozenset", abstract=abc.Set)),
    (tuple[int, ...], nodes.ArrayShape(nodes.IntShape(), "tuple")),
    (tuple[int, str], nodes.TupleShape((nodes.IntShape(), nodes.StrShape()))),
    (typing.Tuple[int], nodes.TupleShape((nodes.IntShape(),))),  # noqa: UP006
    (tuple[()], nodes.TupleShape(())),
    (dict[str, int], nodes.MapShape(nodes.StrShape(), nodes.IntShape())),
    (typing.Dict[str, int], nodes.MapShape(nodes.StrShape(), nodes.IntShape())),  # noqa: UP006
    (abc.Mapping[UUID, int], nodes.MapShape(nodes.UuidShape(), nodes.IntShape(), abstract=abc.Mapping)),
    (abc.MutableMapping[date, int], nodes.MapShape(nodes.DateShape(), nodes.IntShape(), abstract=abc.MutableMapping)),
    (dict[int, str], nodes.MapShape(nodes.IntShape(), nodes.StrShape())),
    (dict[Literal["a"], str], nodes.MapShape(nodes.LiteralShape(("a",)), nodes.StrShape())),
    (dict[UserId, str], nodes.MapShape(nodes.StrShape(), nodes.StrShape())),
    (int | None, nodes.NullableShape(nodes.IntShape())),
    (typing.Optional[int], nodes.NullableShape(nodes.IntShape())),  # noqa: UP045
    (Union[int, str, None], nodes.NullableShape(nodes.UnionShape((nodes.IntShape(), nodes.StrShape())))),  # noqa: UP007
    (Annotated[list[Annotated[str, Len(1)]], Len(0, 3)], nodes.ArrayShape(nodes.StrShape(min_length=1), max_items=3)),
    (UserId, nodes.StrShape()),
    (Text, nodes.StrShape()),
    (Pair[int], nodes.TupleShape((nodes.IntShape(), nodes.IntShape()))),
    (list["int"], nodes.ArrayShape(nodes.IntShape())),
    ("int", nodes.IntShape()),
    (typing.List["int | None"], nodes.ArrayShape(nodes.NullableShape(nodes.IntShape()))),  # noqa: UP006
)  # fmt: skip
def test_a_type_is_read_into_its_shape(annotation: object, shape: nodes.Shape) -> None:
    assert shape_of(annotation) == shape


def test_literals_are_told_apart_by_json_type() -> None:
    shape = shape_of(Literal[1, True, "1"])

    assert isinstance(shape, nodes.LiteralShape)
    assert [(type(value), value) for value in shape.values] == [(int, 1), (bool, True), (str, "1")]


def test_a_literal_may_have_members_of_enums() -> None:
    """On the wire they are their values; an alias of a member is that member."""
    both, one = (Color.RED, Color.BLUE), (Color.RED, "blue")
    mixed = nodes.LiteralShape(("a", 1), ("a", Level.LOW))

    named: Any = Literal[Color.RED, Color.AZURE, Color.BLUE]
    assert shape_of(named) == nodes.LiteralShape(("red", "blue"), both)
    assert shape_of(Literal[Color.RED, "blue"]) == nodes.LiteralShape(("red", "blue"), one)
    assert shape_of(Literal["a", Level.LOW] | None) == nodes.NullableShape(mixed)


def test_members_of_two_enums_of_one_name_are_told_apart() -> None:
    def make() -> Any:
        class Color(Enum):
            RED = "red"

        return Page[Literal[Color.RED]]

    reader = ShapeReader()

    assert _definition(make(), reader) is not _definition(make(), reader)


def _definition(annotation: object, reader: ShapeReader | None = None) -> Any:
    shape = (reader or ShapeReader()).read(annotation, where="x")
    assert isinstance(shape, nodes.RefShape)
    return shape.definition


@rows(
    "enum, members",
    (Color, (("RED", "red"), ("BLUE", "blue"))),
    (Level, (("LOW", 1), ("HIGH", 2))),
    (Vague, (("ONE", 1.5),)),
    (Size, (("S", "s"),)),
)
def test_an_enum_is_a_definition_without_its_aliases(
    enum: type[Enum], members: tuple[tuple[str, Any], ...]
) -> None:
    assert _definition(enum).shape == nodes.EnumShape(enum, members)


def test_one_reader_makes_one_definition_for_a_type() -> None:
    reader = ShapeReader()

    assert _definition(Item, reader) is _definition(Item, reader)
    assert _definition(Page[int], reader) is _definition(Page[int], reader)
    assert _definition(Page[int], reader) is not _definition(Page[str], reader)
    assert _definition(Item) is not _definition(Item)


def test_arguments_are_told_apart_exactly() -> None:
    reader = ShapeReader()

    assert _definition(Page[Literal[1]], reader) is not _definition(Page[Literal[True]], reader)
    assert _definition(Page[Annotated[int, Ge(1)]], reader) is not _definition(Page[int], reader)


def test_equal_names_in_two_functions_are_two_types() -> None:
    def make() -> type:
        @dataclass
        class Local:
            value: int

        return Local

    reader = ShapeReader()
    first, second = make(), make()

    assert _definition(Page[first], reader) is not _definition(Page[second], reader)  # type: ignore[valid-type]


@rows(
    "annotation, name",
    (Item, "Item"),
    (Page[Item], "Page_Item"),
    (Page[list[int]], "Page_list_int"),
    (Page[Page[int | None]], "Page_Page_int_or_None"),
    (WithDefault, "WithDefault_int"),
    (WithDefault[str], "WithDefault_str"),
    (Point, "Point"),
    (Movie, "Movie"),
    (Color, "Color"),
    (Chain[int], "Chain_int"),
)
def test_a_definition_has_a_readable_name(annotation: object, name: str) -> None:
    assert _definition(annotation).name == name


def test_a_definition_knows_its_key_and_module() -> None:
    definition = _definition(Page[int])

    assert (definition.key, definition.module) == ((Page, nodes.IntShape()), __name__)


# Recursion.


def test_a_recursive_class_refers_to_itself() -> None:
    definition = _definition(Node)

    assert definition.recursive
    assert definition.shape.fields[0].shape == nodes.ArrayShape(nodes.RefShape(definition))


def test_only_what_contains_itself_is_recursive() -> None:
    reader = ShapeReader()
    found = [_definition(each, reader).recursive for each in (Page[Node], Node, Item)]

    assert found == [False, True, False]


def test_a_recursive_alias_becomes_a_definition() -> None:
    definition = _definition(Json)
    reference = nodes.RefShape(definition)

    assert definition.recursive
    assert (definition.name, definition.description) == ("Json", "Any JSON value.")
    parts = (nodes.ArrayShape(reference), nodes.MapShape(nodes.StrShape(), reference))
    members = (nodes.BoolShape(), nodes.IntShape(), nodes.StrShape(), *parts, nodes.FloatShape())
    assert definition.shape == nodes.NullableShape(nodes.UnionShape(members))


@pytest.mark.parametrize("annotation", [Nested | None, typing.Optional[Nested]])  # noqa: UP045
def test_an_alias_beside_none_keeps_its_name(annotation: object) -> None:
    shape = shape_of(annotation)

    assert isinstance(shape, nodes.NullableShape)
    assert isinstance(shape.inner, nodes.RefShape)
    assert shape.inner.definition.name == "Nested"


def test_a_generic_alias_can_be_recursive() -> None:
    definition = _definition(Chain[int])

    assert definition.shape == nodes.TupleShape(
        (nodes.IntShape(), nodes.NullableShape(nodes.RefShape(definition)))
    )
    assert definition.key == (Chain, nodes.IntShape())


def test_an_alias_by_plain_assignment_can_be_recursive() -> None:
    shape = ShapeReader().read("Tree", where="x", namespace=globals())

    assert isinstance(shape, nodes.RefShape)
    assert shape.definition.recursive
    assert shape.definition.name == "Tree"
    assert shape.definition.shape == nodes.UnionShape((nodes.IntShape(), nodes.ArrayShape(shape)))


def test_a_recursive_alias_is_taken_apart_in_a_larger_union() -> None:
    shape = shape_of(Annotated[Nested, Doc("")] | int)

    assert isinstance(shape, nodes.UnionShape)
    assert [type(member) for member in shape.members] == [nodes.ArrayShape, nodes.IntShape]


@rows(
    "annotation, members",
    (Folder, [nodes.RefShape, nodes.StrShape]),
    (Pile, [nodes.RefShape, nodes.StrShape, nodes.MapShape]),
    (Links, [nodes.RefShape, nodes.IntShape]),
)
def test_an_alias_may_stand_in_a_union_in_itself(annotation: object, members: list[type]) -> None:
    """It is read to its end later, but that it is an array or an object is known."""
    shape = shape_of(annotation)

    assert isinstance(shape, nodes.RefShape)
    assert shape.definition.recursive
    inner = list(children(shape.definition.shape))[-1]
    assert [type(member) for member in alternatives(inner)] == members


@rows(
    "annotation, problem",
    (Open, "Open is a member of another union within itself; write Open alone there"),
    (Again, "Again is a member of another union within itself; write Again alone there"),
    (Twice, "cannot be told apart"),
)
def test_a_union_within_an_alias_has_to_be_told_apart(annotation: object, problem: str) -> None:
    with pytest.raises(UnsupportedAnnotation, match=problem):
        shape_of(annotation)


@pytest.mark.parametrize("annotation", [Itself, Here, There, Bare, Wrapped, Wrapper, Itself | int])
def test_an_alias_that_is_its_own_member_is_refused(annotation: object) -> None:
    with pytest.raises(UnsupportedAnnotation, match="is its own member; put it into a list"):
        shape_of(annotation)


@pytest.mark.parametrize("annotation", [Endless[int], Growing[int]])
def test_a_type_that_grows_without_end_is_refused(annotation: object) -> None:
    with pytest.raises(UnsupportedAnnotation, match="ever larger arguments"):
        shape_of(annotation)


# What is refused.


class Plain: ...


class Model:
    model_fields: ClassVar[dict[str, object]] = {}


class Word(str):
    __slots__ = ()


NO_KEYS: list[Any] = [Annotated[str, Len(1)] | None, Literal[1, "2"], Literal[True]]
NO_KEYS += [bool, Item, Nested]


@rows(
    "annotation, instead",
    (list, r"list\[...\]"),
    (typing.List, r"list\[...\]"),  # noqa: UP006
    (typing.Tuple, r"tuple\[int, ...\]"),  # noqa: UP006
    (tuple, r"tuple\[int, ...\]"),
    (set, r"set\[...\]"),
    (frozenset, r"frozenset\[...\]"),
    *((each, r"dict\[str, ...\]") for each in (dict, collections.OrderedDict[str, int])),
    (typing.Dict, r"dict\[str, ...\]"),  # noqa: UP006
    (abc.Sequence, r"Sequence\[...\]"),
    (typing.Mapping, r"Mapping\[str, ...\]"),
    (complex, r"tuple\[float, float\]"),
    (bytearray, "write bytes"),
    (collections.deque, r"deque\[...\] with the type of its items"),
    (
        list.__class_getitem__((int, str)),
        r"list\[int, str\] is not .*; write list\[...\] with the type",
    ),
    (dict.__class_getitem__(str), r"dict\[str\] is not .*; write dict\[str, ...\] with the type"),
    (frozenset[collections.deque[int]], "deque_int cannot be hashed"),
    (abc.Iterable, r"Iterable\[...\] with the type of its items"),
    (Annotated[abc.Iterable[int], Predicate(bool)], r"write Sequence\[...\]"),
    (Iterator[int], r"write Iterable\[...\], which takes an iterator too"),
    (abc.Generator[int], r"write Iterable\[...\], which takes a generator too"),
    (abc.Reversible[int], r"write Sequence\[...\]"),
    *((each, r"write Collection\[...\]") for each in (abc.Container[int], abc.ValuesView[int])),
    (abc.KeysView[str], r"write Set\[...\]"),
    (abc.AsyncIterator[int], "as a whole"),
    *((each, "as a Literal or an Enum") for each in (Callable[[int], str], type[int])),
    (fractions.Fraction, "write Decimal"),
    (pathlib.Path, "write PurePath, and make a Path of it"),
    (pathlib.PureWindowsPath, "write PurePath, and make a Path of it"),
    (ipaddress.IPv4Interface, "with a Pattern"),
    (re.Pattern[str], "write str"),
    (decimal.Context, "write a dataclass"),
    (Plain, "write a dataclass with the fields"),
    (Model, "write a dataclass with the same fields"),
    (GenericAlias(Item, ()), "write it without type arguments"),
    (Word, "write str, or a NewType"),
    (ValueError, "subclass of Failure"),
    *((each, "is a Flag") for each in (Permission, IntFlag("F", "A"))),
    (T, "is not bound to one here"),
    (Self, "the name of the class"),
    (typing.Never, "write None"),
    (typing.LiteralString, "write str"),
    (typing.TypeGuard[int], r"TypeGuard\[int\] is not a type that a route can carry"),
    ([int], r"\[.*int.*\] is not a type"),
    (3, "3 is not a type"),
    (Page, r"Page is generic; write Page\[...\] with types for T"),
    (typing.Protocol[T], "write a dataclass"),  # type: ignore[index]
    (Pair, r"Pair is generic; write Pair\[...\]"),
    *((each, r"`name: T | Unset = UNSET`") for each in (Unset, int | Unset, list[int | Unset])),
    (ClassVar[int], "belongs around the whole type of a field"),
    (list[typing.Required[int]], "belongs around the whole type of a field"),  # type: ignore[valid-type]
    (Annotated[int, Name("x")], "only a field has a name"),
    (list[Annotated[int, Name("x")]], "only a field has a name"),
    ("Missing", "'Missing' cannot be resolved: the name 'Missing' is not defined here"),
    ("1 +", "cannot be resolved: SyntaxError"),
    (Lost, "the name 'Missing' is not defined here"),
    (set[list[int]], "list_int cannot be hashed, so no set holds it"),
    (frozenset[Item], "Item cannot be hashed, so no set holds it; write list"),
    (frozenset[Basket], "Basket cannot be hashed, since its field things cannot, so no set"),
    (frozenset[Movie], "Movie cannot be hashed, so no set holds it; write list"),
    (set[Any], "Any cannot be hashed"),
    (dict[float, int], "float cannot be the key of an object; write str, int"),
    *((dict[each, int], "cannot be the key") for each in NO_KEYS),  # type: ignore[valid-type]
    (dict[Odd, int], "Odd cannot be the key .* whose values are all strings or all ints"),
    (Literal[b"x"], "has no form on the wire"),
    (Literal[2**64], "an int of 64 bits"),
    (Literal["\ud800"], "has no form on the wire"),
    (Literal[Color.RED, "red"], r"RED: 'red'> and 'red' are both 'red' on the wire; write one"),
    (Literal["red", Color.RED], "'red' and <Color.RED: 'red'> are both 'red' on the wire"),
    (Literal[Vague.ONE], "Literal.<Vague.ONE: 1.5>. has no form on the wire; write str, bool"),
)
def test_anything_else_is_refused_with_what_to_write(annotation: object, instead: str) -> None:
    with pytest.raises(UnsupportedAnnotation, match=instead) as refused:
        shape_of(annotation, where="get_user.input")

    assert refused.value.where.startswith("get_user.input")


@dataclass
class Deep:
    rows: list[dict[str, tuple[int, complex]]]


def test_a_refused_type_leaves_nothing_behind() -> None:
    @dataclass
    class Wrong:
        again: "Wrong | None"
        value: "Late"  # type: ignore[name-defined]  # noqa: F821

    reader = ShapeReader()
    names: dict[str, Any] = {"Wrong": Wrong}
    with pytest.raises(UnsupportedAnnotation, match="'Late'"):
        reader.read(Wrong, where="x", namespace=names)

    names["Late"] = int
    shape = reader.read(Wrong, where="x", namespace=names)
    assert isinstance(shape, nodes.RefShape)
    assert isinstance(shape.definition.shape, nodes.RecordShape)


def test_types_local_to_a_function_are_found_in_the_namespace() -> None:
    @dataclass
    class Inner:
        value: int

    @dataclass
    class Outer:
        inner: "Inner"
        more: "list[Inner]"

    outer: Any = ShapeReader().read(Outer, where="x", namespace=locals())
    first, second = outer.definition.shape.fields

    assert second.shape == nodes.ArrayShape(first.shape)


def test_a_local_type_is_nearer_than_one_of_the_module() -> None:
    @dataclass
    class Item:
        other: int

    @dataclass
    class Box:
        item: "Item"

    box: Any = ShapeReader().read(Box, where="x", namespace=locals())
    found = box.definition.shape.fields[0].shape
    assert found.definition.key == (Item,)


@dataclass
class Refusal:
    error_code: ClassVar[str] = "REFUSAL"
    http_status: ClassVar[int] = 400
    reason: str
    retry_in: int | Unset = Unset.UNSET


def test_the_data_of_a_failure_is_a_record_of_its_own_kind() -> None:
    reader = ShapeReader(rename="camel")
    definition = reader.failure(Refusal, where="x")

    assert reader.failure(Refusal, where="y") is definition
    assert isinstance(definition.shape, nodes.RecordShape)
    assert definition.shape.kind == "failure"
    found = [(field.name, field.wire, field.unset) for field in definition.shape.fields]
    assert found == [("reason", "reason", False), ("retry_in", "retryIn", True)]


def test_builtin_failures_are_never_renamed() -> None:
    body = {"__annotations__": {"retry_after": int}, "__contract_builtin__": True}
    builtin: type[Any] = dataclass(type("TooMany", (), {**body, "__doc__": "Too many."}))

    definition = ShapeReader(rename="camel").failure(builtin, where="x")
    assert [field.wire for field in definition.shape.fields] == ["retry_after"]  # type: ignore[union-attr]
    assert definition.description == "Too many."


HALF: Any = cast("Any", TypedDict)("Half", {"\ud800": int})


class Raising(type):
    def __getattr__(cls, name: str) -> Any:
        raise RuntimeError(name)


class Riddle(metaclass=Raising): ...


UNPACKED: Any = tuple[int, *tuple[str, ...]]
LARGE: Any = Literal[10**5000]


class Costly(Enum):
    ONE = 1

    @property
    def value(self) -> Any:
        raise RuntimeError("no value")


@dataclass
class Shelf:
    riddle: Annotated[str, Len("a")]


@rows(
    "annotation, where, problem",
    (Riddle, "f.input", "its own code raised RuntimeError\\('error_code'\\); fix that"),
    (Page[Deep], "f.input.rows[][...][1]", "complex is not a type"),
    (dict[complex, int], "f.input.keys()", "complex is not a type"),
    (list[Refusal], "f.input[]", "Refusal is a failure; write it into a return type"),
    (
        UNPACKED,
        "f.input",
        r"^f.input: no part of a tuple can be unpacked; write tuple\[int, list\[st",
    ),
    (Costly, "f.input", "its own code raised RuntimeError\\('no value'\\); fix that"),
    (Shelf, "f.input.riddle", "its own code raised TypeError"),
    (
        LARGE,
        "f.input",
        "Literal\\[a value of int that cannot be printed\\] has no form on the wire",
    ),
    (Literal[()], "f.input", "Literal\\[\\(\\)\\] has no values; write at least one"),
    (HALF, "f.input", "the key '\\\\ud800' holds a surrogate"),
)
def test_what_cannot_be_read_is_refused_in_place(annotation: Any, where: str, problem: str) -> None:
    with pytest.raises(UnsupportedAnnotation, match=problem) as refused:
        shape_of(annotation, where="f.input")

    assert refused.value.where == where


def nested(container: Any, levels: int) -> Any:
    annotation: Any = int
    for _ in range(levels):
        annotation = container[(str, annotation) if container is dict else annotation]
    return annotation


@pytest.mark.parametrize("container", [list, dict, tuple])
@pytest.mark.parametrize("levels", [51, 3000])
def test_types_within_types_have_an_end(container: Any, levels: int) -> None:
    pred_of(nested(container, 10)).compile()

    why = "more than 50 types are nested in each other; put a dataclass between"
    with pytest.raises(UnsupportedAnnotation, match=why) as refused:
        shape_of(nested(container, levels), where="f.input")
    assert len(refused.value.where) <= 200


def test_fifty_types_within_each_other_compile() -> None:
    pred = pred_of(nested(list, 50))

    assert pred.dump(pred.load(b"[" * 50 + b"1" + b"]" * 50)) == b"[" * 50 + b"1" + b"]" * 50


@pytest.mark.unwatched
def test_a_long_chain_of_classes_is_refused_where_the_stack_ends() -> None:
    annotation: Any = int
    for index in range(2000):
        annotation = make_dataclass(f"Link{index}", [("next", annotation)])

    with pytest.raises(UnsupportedAnnotation, match="nested too deep to be read"):
        shape_of(annotation)
