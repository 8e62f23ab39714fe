"""
Records: the fields of dataclasses, TypedDicts and named tuples, each read where it was written.
"""

import dataclasses
import math
import sys
import typing
from collections import namedtuple
from dataclasses import InitVar, dataclass, field
from datetime import date
from enum import Enum
from types import ModuleType
from typing import Annotated, Any, ClassVar, Final, Generic, NamedTuple, NotRequired, Self

import pytest
import typing_extensions
from annotated_types import Ge
from typing_extensions import ReadOnly, TypedDict, deprecated

from contract.shape import nodes
from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.graph import definitions
from contract.shape.markers import UNSET, Name, Unset
from contract.shape.names import Rename, label
from contract.shape.reader import shape_of
from tests.tables import rows

T = typing.TypeVar("T")
K = typing.TypeVar("K")
D = typing_extensions.TypeVar("D", default=str)
P = typing.ParamSpec("P")


def _definition(annotation: object, *, rename: Rename | None = None) -> nodes.Definition:
    shape = shape_of(annotation, where="x", rename=rename)
    assert isinstance(shape, nodes.RefShape)
    return shape.definition


def _fields(annotation: object, *, rename: Rename | None = None) -> dict[str, nodes.Field]:
    shape = _definition(annotation, rename=rename).shape
    assert isinstance(shape, nodes.RecordShape | nodes.NamedTupleShape)
    return {field.name: field for field in shape.fields}


def _shapes(annotation: object) -> dict[str, nodes.Shape]:
    return {name: field.shape for name, field in _fields(annotation).items()}


def _module(name: str, source: str) -> ModuleType:
    """A module of its own, with its own names."""
    module = ModuleType(name)
    sys.modules[name] = module
    exec(compile(source, f"<{name}>", "exec"), vars(module))
    return module


# Dataclasses.


@dataclass
class Everything:
    """What a dataclass can hold."""

    kind: ClassVar[str] = "everything"
    name: str
    _secret: int
    count: int = 3
    tags: list[str] = field(default_factory=list)
    scale: InitVar[float] = 1.0
    total: int = field(init=False)
    final: Final[int] = 1
    note: str | Unset = UNSET

    def __post_init__(self, scale: float) -> None: ...


def test_the_fields_of_a_dataclass() -> None:
    shape = _definition(Everything).shape
    fields = _fields(Everything)

    assert isinstance(shape, nodes.RecordShape)
    assert (shape.kind, shape.type) == ("dataclass", Everything)
    assert (shape.has_post_init, shape.has_slots) == (True, False)
    name, secret, count, tags, scale, total, _, note = fields.values()
    assert list(fields) == ["name", "_secret", "count", "tags", "scale", "total", "final", "note"]
    assert (name, secret.wire) == (nodes.Field("name", "name", nodes.StrShape()), "_secret")
    assert (count.default, count.required_in, total.init) == (3, False, False)
    assert (tags.default, tags.default_factory) == (nodes.MISSING, list)
    assert (scale.init_only, scale.default) == (True, 1.0)
    assert (note.unset, note.required_out, note.shape) == (True, False, nodes.StrShape())


@dataclass(slots=True, frozen=True)
class Slotted:
    date: date
    value: int = 0


def test_slots_are_seen_and_no_field_hides_a_type() -> None:
    shape = _definition(Slotted).shape

    assert isinstance(shape, nodes.RecordShape)
    assert shape.has_slots
    assert shape.fields[0].shape == nodes.DateShape()


@dataclass(kw_only=True)
class Base:
    first: int = 1
    second: int


@dataclass
class Derived(Base):
    third: str = ""
    first: str = "x"  # type: ignore[assignment]


def test_fields_are_inherited_in_order_and_overridden_in_place() -> None:
    fields = _fields(Derived)

    assert list(fields) == ["first", "second", "third"]
    assert (fields["first"].shape, fields["first"].default) == (nodes.StrShape(), "x")


class Mixin:
    helper: int


@dataclass
class WithMixin(Mixin):
    value: int


class Methods(WithMixin):
    count: ClassVar[int] = 0

    def double(self) -> None: ...


def test_only_dataclasses_give_fields() -> None:
    assert (list(_fields(WithMixin)), list(_fields(Methods))) == (["value"], ["value"])
    assert _definition(Methods).name == "Methods"


@dataclass
class Page(Generic[T]):
    items: list[T]
    first: "T | None"


@dataclass
class Pair(Page[list[K]], Generic[K, T]):
    value: T
    key: K


@dataclass
class Numbers(Pair[int, str]): ...


@dataclass
class Lost(Page): ...  # type: ignore[type-arg]


@dataclass
class Defaulted(Generic[D]):
    value: D


@dataclass
class OfDefault(Defaulted): ...


class HasValue(typing.Protocol[T]):
    value: T


@dataclass
class Implements(HasValue[int]):
    value: int


def test_type_variables_are_replaced_through_inheritance() -> None:
    read = {"items": list[list[int]], "first": list[int] | None, "value": str, "key": int}

    assert _shapes(Numbers) == {name: shape_of(each) for name, each in read.items()}
    assert _shapes(Pair[str, int])["items"] == shape_of(list[list[str]])
    assert _shapes(OfDefault)["value"] == nodes.StrShape()
    assert _shapes(Implements)["value"] == nodes.IntShape()


@dataclass
class Calls(Generic[P]):
    count: int


PARENT = """
from __future__ import annotations
from dataclasses import dataclass
from decimal import Decimal as Money
from typing import TYPE_CHECKING, Generic, TypeVar
if TYPE_CHECKING:
    from nowhere import Absent
T = TypeVar("T")
@dataclass
class Priced(Generic[T]):
    class Currency(str): ...
    price: Later
    extra: T
    def list(self) -> None: ...
    numbers: list[int]
@dataclass
class Broken:
    value: Absent
Later = Money
"""
CHILD = """
from __future__ import annotations
from dataclasses import dataclass
import shapes_parent
@dataclass
class Product(shapes_parent.Priced["Unit"]):
    unit: Unit
@dataclass
class Unit:
    symbol: str
    parent: Unit | None = None
Money = Later = str
"""


def test_a_field_is_read_in_the_module_that_wrote_it() -> None:
    parent, child = _module("shapes_parent", PARENT), _module("shapes_child", CHILD)
    fields = _fields(child.Product)

    assert str(fields["price"].shape).startswith("DecimalShape")
    assert fields["extra"].shape == fields["unit"].shape
    assert fields["numbers"].shape == nodes.ArrayShape(nodes.IntShape())
    problem = r"x.value: 'Absent' cannot be resolved.*outside of `if TYPE_CHECKING:`"
    with pytest.raises(UnsupportedAnnotation, match=problem):
        shape_of(parent.Broken, where="x")


NESTED = """
from __future__ import annotations
from dataclasses import dataclass
@dataclass
class Outer:
    @dataclass
    class Inner:
        value: int
    inner: Inner
"""


def test_a_class_in_the_body_of_a_class_is_found() -> None:
    outer = _module("shapes_nested", NESTED)

    assert isinstance(_fields(outer.Outer)["inner"].shape, nodes.RefShape)


def test_made_dataclasses_are_read() -> None:
    made = dataclasses.make_dataclass("Made", [("value", "int"), ("rest", list[str])])
    assert _shapes(made) == {"value": shape_of(int), "rest": shape_of(list[str])}


class Undecorated(Base):
    more: int


@dataclass(init=False)
class OwnInit:
    value: int

    def __init__(self) -> None: ...


@dataclass(init=False)
class NoInit:
    value: int


class InheritedInit(Base):
    def __init__(self) -> None: ...


class NativeInit(Base):
    __init__ = object.__init__


# TypedDicts.


class Book(TypedDict):
    title: str
    year: NotRequired[Annotated[int, Ge(0)]]
    isbn: ReadOnly[str]


class Partial(TypedDict, total=False):
    title: str
    pages: typing.Required[int]


class Novel(Book, Partial):  # type: ignore[misc]
    author: "str"


class Entry(TypedDict, Generic[T]):
    value: T
    other: "list[T]"


class IntEntry(Entry[int]):
    name: str


class Bare(Entry): ...  # type: ignore[type-arg]


Functional = TypedDict("Functional", {"not-a-name": int, "later": "list[Book]"})


def test_the_keys_of_a_typed_dict() -> None:
    shape = _definition(Book, rename="camel").shape
    fields = _fields(Book)

    assert isinstance(shape, nodes.RecordShape)
    assert (shape.kind, shape.type, shape.has_slots) == ("typeddict", Book, False)
    required = [(of.optional_key, of.required_in, of.required_out) for of in fields.values()]
    assert list(fields) == ["title", "year", "isbn"]
    assert required == [(False, True, True), (True, False, False), (False, True, True)]
    assert fields["year"].shape == nodes.IntShape(0)
    partial = _fields(Partial)
    assert (partial["title"].optional_key, partial["pages"].optional_key) == (True, False)


def test_typed_dicts_inherit() -> None:
    assert set(_fields(Novel)) == {"title", "year", "isbn", "pages", "author"}
    read = {"value": shape_of(int), "other": shape_of(list[int]), "name": shape_of(str)}
    assert _shapes(IntEntry) == read
    assert _fields(Entry[str])["other"].shape == nodes.ArrayShape(nodes.StrShape())
    assert list(_fields(Functional)) == ["not-a-name", "later"]


def test_the_keys_of_a_typed_dict_are_not_renamed() -> None:
    class Row(TypedDict):
        row_id: int

    @dataclass
    class Record:
        row_id: int

    assert _fields(Row, rename="camel")["row_id"].wire == "row_id"
    assert _fields(Record, rename="camel")["row_id"].wire == "rowId"


FUTURE = """
from __future__ import annotations
from typing import TypedDict
from typing_extensions import NotRequired, Required
class Lazy(TypedDict, total=False):
    a: Required[int]
    b: str
class Strict(Lazy):
    c: NotRequired[int]
    d: Sibling
class Sibling(TypedDict):
    e: int
"""


def test_keys_are_required_as_written_also_in_text() -> None:
    module = _module("shapes_future", FUTURE)

    optional = [name for name, each in _fields(module.Strict).items() if each.optional_key]
    assert optional == ["b", "c"]


class Open(TypedDict, extra_items=ReadOnly[Annotated[int, Ge(0)]]):  # type: ignore[call-arg]
    known: int


class Inherited(Open):
    more: int


class Shut(Open, closed=True):
    more: int


class OfAll(TypedDict, Generic[T], extra_items="list[T | OfAll[T]]"):  # type: ignore[call-arg]
    known: T


class OfTexts(OfAll[str]):
    more: int


class Closed(TypedDict, closed=True):
    known: int


class Nothing(TypedDict, extra_items=typing.Never):  # type: ignore[call-arg]
    known: int


class OfNull(TypedDict, extra_items=None):  # type: ignore[call-arg]
    known: int


class Careless(TypedDict, closed=False):
    known: int


class Renamed(TypedDict, extra_items=int):  # type: ignore[call-arg]
    id: Annotated[int, Name("@id")]


def test_keys_that_no_field_has_are_as_extra_items_says() -> None:
    """It is inherited, as fields are, and may use type variables and the class itself."""
    text = _extra(OfTexts)

    assert _extra(Closed) is _extra(Nothing) is _extra(Shut) is None
    assert _extra(OfNull) == nodes.NullShape()
    assert _extra(Open) == _extra(Inherited) == nodes.IntShape(minimum=0)
    assert isinstance(text, nodes.ArrayShape)
    assert isinstance(text.item, nodes.UnionShape)
    assert [label(each) for each in text.item.members] == ["str", "OfAll_str"]


def _extra(annotation: object) -> nodes.Shape | None:
    shape = _definition(annotation).shape
    assert isinstance(shape, nodes.RecordShape)
    return shape.extra


# Self.


@dataclass
class Link:
    next: Self | None
    value: int = 0


@dataclass
class Named(Link):
    name: str = ""


@dataclass
class Node(Generic[T]):
    value: T
    children: list[Self] = field(default_factory=list)


class Loop(TypedDict):
    inner: NotRequired[Self]  # type: ignore[misc]


class Line(NamedTuple):
    rest: "Self | None" = None  # type: ignore[misc]


@rows(
    "annotation, name",
    (Link, "next"),
    (Named, "next"),
    (Node[int], "children"),
    (Loop, "inner"),
    (Line, "rest"),
)
def test_self_is_the_class_that_is_read(annotation: object, name: str) -> None:
    """In an inherited field, too, it is the class that inherits; of a generic one, with arguments."""
    definition = _definition(annotation)

    (found,) = definitions(_fields(annotation)[name].shape)
    assert found.key == definition.key


# Named tuples.


class Point(NamedTuple):
    x: int
    y: "int" = 0


class Cell(NamedTuple, Generic[T]):
    value: T
    row: int


class IntCell(Cell[int]): ...


class Wider(Point):
    z: int


Untyped = namedtuple("Untyped", "a b")  # noqa: PYI024


def test_the_items_of_a_named_tuple() -> None:
    shape = _definition(Point, rename="camel").shape

    x = nodes.Field("x", "x", nodes.IntShape())
    y = nodes.Field("y", "y", nodes.IntShape(), default=0)
    assert shape == nodes.NamedTupleShape(Point, (x, y))
    assert _shapes(Cell[str])["value"] == nodes.StrShape()
    assert _shapes(IntCell)["value"] == nodes.IntShape()


# What a class says about itself.


class Colour(Enum):
    """A colour."""

    RED = 1


class Undocumented(Enum):
    A = 1


@dataclass
class Documented:
    """
    First line.

        Indented.
    """

    value: int


@dataclass
class Inheriting(Documented): ...


@dataclass
class Blank:
    """ """  # noqa: D419

    value: int


class Row(TypedDict):
    """A row."""

    value: int


@deprecated("use Documented", category=None)
@dataclass
class Old:
    value: int


@dataclass
class Younger(Old): ...  # type: ignore[deprecated]


@rows(
    "cls, description",
    (Documented, "First line.\n\n    Indented."),
    *((each, None) for each in (Inheriting, Page[int], Blank)),
    (Row, "A row."),
    (Book, None),
    (Point, None),
    (Colour, "A colour."),
    (Undocumented, None),
)
def test_a_description_is_what_the_author_wrote(cls: Any, description: str | None) -> None:
    assert _definition(cls).description == description


def test_a_deprecation_stands_on_the_class_itself() -> None:
    assert _definition(Old).deprecated  # type: ignore[deprecated]
    assert not _definition(Younger).deprecated
    assert isinstance(_definition(Colour).shape, nodes.EnumShape)


class Empty(Enum): ...


class Odd(Enum):
    PAIR = (1, 2)


class Huge(Enum):
    BIG = 2**64


class Fraction(float, Enum):
    HALF = math.nan


class Torn(Enum):
    HALF = "\ud800"


class Vague(float, Enum):
    """Its value stands for the integers around it, too, and no client could send it."""

    MANY = float(2**53)


NO_FORM = (
    r"has no form on the wire; write str, bool, a finite float \(if it is whole, below 2\*\*53\)"
)


@rows(
    "annotation, problem",
    # dataclasses that are not made from their fields, or of types that are unknown
    (Undecorated, "Undecorated adds fields to a dataclass but is not one itself; write @dataclass"),
    (OwnInit, "OwnInit has its own __init__.*write __post_init__"),
    (NoInit, "NoInit has its own __init__"),
    (InheritedInit, "InheritedInit has its own __init__"),
    (NativeInit, "NativeInit has its own __init__"),
    (Lost, r"x.items\[\]: T is not a type that a route can carry.*is not bound to one here"),
    (Calls[[int]], "Calls is generic in ~P; write a TypeVar"),
    # TypedDicts
    (Bare, "is not bound to one here"),
    (Careless, "Careless has closed=False, but keys that no field has are refused; leave it out"),
    (Renamed, "id is '@id' on the wire, where another key may be called 'id', because of extra_i"),
    # named tuples
    (Untyped, r"Untyped has fields without types; write class Untyped\(NamedTuple\)"),
    (Wider, "Wider adds fields that a named tuple does not get"),
    # enums
    (Empty, "Empty has no members"),
    (Odd, f"Odd.PAIR {NO_FORM}"),
    (Huge, f"Huge.BIG {NO_FORM}"),
    (Fraction, f"Fraction.HALF {NO_FORM}"),
    (Torn, f"Torn.HALF {NO_FORM}"),
    (Vague, f"Vague.MANY {NO_FORM}"),
)
def test_a_class_that_cannot_be_sent_is_refused(annotation: Any, problem: str) -> None:
    with pytest.raises(UnsupportedAnnotation, match=problem):
        shape_of(annotation, where="x")
