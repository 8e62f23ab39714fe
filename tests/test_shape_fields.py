"""Fields: names, notes, Unset, and qualifiers in the wrong place."""

import typing
from dataclasses import InitVar, dataclass
from typing import Annotated, Any, Generic, Literal, NewType, Optional, Required, TypeVar, Union

import pytest
from annotated_types import Ge, Len
from typing_extensions import Doc, TypeAliasType, TypedDict

from contract.shape import nodes
from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.markers import UNSET, Example, Name, Unset
from contract.shape.names import Rename
from contract.shape.reader import shape_of
from tests.tables import rows

T = TypeVar("T")
Email = TypeAliasType("Email", Annotated[str, Len(3), Doc("An address."), Example("a@b")])
ShortEmail = TypeAliasType("ShortEmail", Annotated[Email, Len(0, 9)])
Patch = TypeAliasType("Patch", T | Unset, type_params=(T,))
UserId = NewType("UserId", Annotated[int, Ge(1), Doc("A user.")])
Wrapped = TypeAliasType("Wrapped", "Wrapper")  # type: ignore[misc]
Wrapper = NewType("Wrapper", Wrapped)  # type: ignore[misc]
Later = TypeAliasType("Later", "NotDefined")  # type: ignore[name-defined]  # noqa: F821
Json = TypeAliasType("Json", "int | list[Json]")


def _field(cls: object, name: str = "value", *, rename: Rename | None = None) -> nodes.Field:
    shape = shape_of(cls, where="x", rename=rename)
    assert isinstance(shape, nodes.RefShape)
    return next(field for field in shape.definition.shape.fields if field.name == name)  # type: ignore[union-attr]


def _of(annotation: Any, default: Any = ...) -> type:
    """A dataclass with one field *value*."""
    body: dict[str, Any] = {"__annotations__": {"value": annotation}}
    if default is not ...:
        body["value"] = default
    return dataclass(type("Holder", (), body))


@rows(
    "annotation, read",
    (str | Unset, str),
    (str | None | Unset, str | None),
    (Union[int, str, Unset], int | str),  # noqa: UP007
    (Annotated[str | Unset, Len(1)], Annotated[str, Len(1)]),
    (Annotated[str | Unset | None, Len(1)], Annotated[str | None, Len(1)]),
    (Annotated[str, Len(1)] | Unset, Annotated[str, Len(1)]),
    (Annotated[str, Len(1)] | None | Unset, Annotated[str | None, Len(1)]),
    (Annotated[str | None, Len(1)] | Unset, Annotated[str | None, Len(1)]),
    (None | Unset, None),
    (Patch[int], int),
    (Patch[int] | None, int | None),
    ("str | Unset", str),
)
def test_a_field_may_be_unset(annotation: object, read: object) -> None:
    field = _field(_of(annotation, UNSET))

    assert field.shape == shape_of(read)
    assert field.unset
    assert field.default is UNSET
    assert not field.required_in


def test_an_alias_beside_unset_keeps_its_name() -> None:
    field = _field(_of(Json | Unset, UNSET))

    assert isinstance(field.shape, nodes.RefShape)
    assert field.unset


class Row(TypedDict):
    value: str | Unset


class Cell(typing.NamedTuple):
    value: str | Unset = UNSET


class NamedCell(typing.NamedTuple):
    value: Annotated[int, Name("v")]


class FinalKey(TypedDict):
    value: InitVar[int]


@dataclass
class Clash:
    first: Annotated[int, Name("value")]
    value: int


@dataclass
class CamelClash:
    item_id: int
    itemId: int  # noqa: N815


@rows(
    "cls, problem",
    (_of(str | Unset), r"a field that may be Unset has UNSET as its default; write `= UNSET`"),
    (_of(str | Unset, None), "write `= UNSET`"),
    (_of(Unset, UNSET), "Unset alone is not a type"),
    (
        _of(str, UNSET),
        r"the default is UNSET but the type does not have it; write `T \| Unset = UNSET`",
    ),
    (_of(list[str | Unset], ()), "Unset is not a type of its own"),
    (Row, r"a key of a TypedDict cannot be Unset; write NotRequired\[...\]"),
    (Cell, "an item of a named tuple cannot be absent"),
    (NamedCell, "a named tuple is an array"),
    (FinalKey, "InitVar has no meaning here; leave it out"),
    (_of(Annotated[InitVar[int], Name("n")]), "since dataclasses does not see it; write InitVar"),
    (_of(Required[int]), "Required has no meaning here"),
    (_of(Annotated[int, Name(3)]), "is not a name; write text"),  # type: ignore[arg-type]
    (_of(Annotated[int, Name("\ud800")]), "holds a surrogate"),
    (_of(Annotated[int, Name]), r"Name is a class; write Name\(...\)"),
    (_of(Annotated[int, Doc]), r"Doc is a class; write Doc\(...\)"),
    (_of(Annotated[int, Example]), r"Example is a class; write Example\(...\)"),
    (_of(Annotated[int, Name("a")] | str), "only a field has a name"),
    (_of(Wrapped), "Wrapped is its own member"),
    (_of(Later), "the name 'NotDefined' is not defined here"),
    (Clash, "first and value are both 'value' on the wire; write Name"),
)
def test_what_has_no_meaning_in_a_field_is_refused(cls: type, problem: str) -> None:
    with pytest.raises(UnsupportedAnnotation, match=problem) as refused:
        shape_of(cls, where="x")

    assert refused.value.where.startswith("x")


def test_names_that_meet_by_renaming_are_refused() -> None:
    with pytest.raises(UnsupportedAnnotation, match="item_id and itemId are both 'itemId'"):
        shape_of(CamelClash, rename="camel")


@rows(
    "annotation, default",
    (Annotated[str, Name("@id")], ...),
    (Annotated[str | None, Name("@id")], ...),
    (Annotated[str, Name("@id")] | None, ...),
    (Annotated[str, Name("@id")] | Unset, UNSET),
    (Annotated[Annotated[str, Name("old")], Name("@id")], ...),
    (Annotated["str", Name("@id")], ...),
)
def test_a_name_overrides_the_renaming(annotation: object, default: object) -> None:
    assert _field(_of(annotation, default), rename="camel").wire == "@id"


@rows(
    "annotation, description, examples",
    (Annotated[str, Doc("One."), Example("a"), Example("b")], "One.", ("a", "b")),
    (Annotated[Annotated[str, Doc("One.")], Doc("Two.")], "Two.", ()),
    (Annotated[str, Doc("One.")] | None, "One.", ()),
    (Email, "An address.", ("a@b",)),
    (Optional[Email], "An address.", ("a@b",)),  # noqa: UP045
    (ShortEmail, "An address.", ("a@b",)),
    (Annotated[Email, Doc("Mine.")], "Mine.", ("a@b",)),
    (UserId, "A user.", ()),
    (str, None, ()),
    (int | str, None, ()),
)
def test_a_field_is_described(annotation: object, description: Any, examples: Any) -> None:
    field = _field(_of(annotation))

    assert (field.description, field.examples) == (description, examples)


def test_the_constraints_of_aliases_and_new_types_hold() -> None:
    assert _field(_of(ShortEmail)).shape == nodes.StrShape(3, 9)
    assert _field(_of(UserId)).shape == nodes.IntShape(1)
    assert _field(_of(list[UserId])).shape == nodes.ArrayShape(nodes.IntShape(1))


@dataclass
class Box(Generic[T]):
    value: T
    kind: Literal["box"] = "box"


def test_a_type_variable_may_stand_for_an_annotated_type() -> None:
    assert _field(Box[Annotated[int, Ge(1), Doc("One.")]]).shape == nodes.IntShape(1)
    assert _field(Box[Annotated[int, Ge(1), Doc("One.")]]).description == "One."


@dataclass
class Qualified:
    scale: InitVar[Annotated[int, Ge(1)]]
    count: typing.ClassVar[int] = 0


def test_an_init_var_is_read_like_a_field() -> None:
    field = _field(Qualified, "scale")

    assert field.init_only
    assert field.shape == nodes.IntShape(1)


@dataclass
class Bare:
    some_text: Annotated[Literal["a"], Name("")]


@dataclass
class Other:
    some_text: Annotated[Literal["b"], Name("")]


def test_the_name_on_the_wire_may_be_empty_as_keys_of_objects_may() -> None:
    assert _field(Bare, "some_text").wire == ""
    either: Any = shape_of(Bare | Other)
    assert (type(either), either.tag) == (nodes.TaggedUnionShape, "")


class Maybe(TypedDict, total=False):
    value: Required[Annotated[int, Ge(1), Name("v"), Doc("One.")]]
    other: Annotated[typing.NotRequired[int], Doc("Two.")]


def test_qualifiers_and_metadata_may_stand_in_any_order() -> None:
    value, other = _field(Maybe), _field(Maybe, "other")

    assert (value.wire, value.optional_key, value.description) == ("v", False, "One.")
    assert value.shape == nodes.IntShape(1)
    assert (other.wire, other.optional_key, other.description) == ("other", True, "Two.")
