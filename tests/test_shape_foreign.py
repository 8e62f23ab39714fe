"""Foreign classes: those of attrs, msgspec and pydantic, with the packages themselves."""

from __future__ import annotations

import json
from typing import Annotated, Any, ClassVar, Generic, TypeVar

import attr
import attrs
import msgspec
import pydantic
import pytest
from annotated_types import Ge
from sqlalchemy.orm import DeclarativeBase, Mapped, MappedAsDataclass, mapped_column

from contract.pred.compile import compile_pred
from contract.pred.report import Report
from contract.pred.walk import Walker
from contract.shape.exceptions import InvalidInput, UnsupportedAnnotation
from contract.shape.foreign import foreign_maker
from contract.shape.graph import is_hashable
from contract.shape.nodes import Field, IntShape, RecordShape, StrShape
from contract.shape.reader import shape_of
from tests.tables import rows

T = TypeVar("T")


@attrs.define
class Plain:
    """A point."""

    x: Annotated[int, Ge(0)]
    y: str = "a"
    tags: list[str] = attrs.field(factory=list)
    at: int = attrs.field(default=3, kw_only=True)
    seen: int = attrs.field(default=0, init=False)


@attrs.define(frozen=True)
class Frozen(Generic[T]):
    value: T
    more: Frozen[T] | None = None

    def __attrs_post_init__(self) -> None:
        if self.value == 13:
            raise ValueError("13 is not taken")


@attrs.define
class Below(Plain):
    z: bool = False


class Silent(Plain):
    """It adds nothing."""


class Struct(msgspec.Struct):
    x: Annotated[int, Ge(0)]
    y: str = "a"
    tags: list[str] = []


class Late(Struct, kw_only=True):
    z: bool
    w: int = msgspec.field(default_factory=int)


class Kept(msgspec.Struct, frozen=True):
    x: int


class Generics(msgspec.Struct, Generic[T]):
    value: T


class Model(pydantic.BaseModel):
    """A model."""

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid", title="M")

    x: int = pydantic.Field(ge=0, le=9, strict=True)
    y: Annotated[str, pydantic.Field(pattern="^a", description="Why.", examples=["ab"])] = "a"
    tags: list[str] = pydantic.Field(default_factory=list)
    more: Model | None = None


class After(pydantic.BaseModel):
    x: int
    tags: list[str] = []

    def model_post_init(self, _context: object) -> None:
        if self.x == 13:
            raise ValueError("13 is not taken")


def _fields(annotation: object) -> dict[str, Field]:
    shape: Any = shape_of(annotation, where="f")
    assert isinstance(shape.definition.shape, RecordShape)
    return {field.name: field for field in shape.definition.shape.fields}


def test_a_class_of_attrs_is_a_record() -> None:
    fields = _fields(Plain)

    assert fields["x"].shape == IntShape(0)
    assert [name for name, field in fields.items() if field.required_in] == ["x"]
    assert fields["tags"].default_factory is list
    assert fields["at"].default == 3
    assert not fields["seen"].init
    assert (list(_fields(Below)), list(_fields(Silent))) == ([*fields, "z"], [*fields])


def test_a_struct_of_msgspec_is_a_record() -> None:
    fields = _fields(Late)

    assert list(fields) in (["z", "x", "y", "tags", "w"], ["x", "y", "tags", "z", "w"])
    assert {name for name, field in fields.items() if field.required_in} == {"x", "z"}
    assert fields["tags"].default_factory is list
    assert fields["y"].default == "a"
    assert _fields(Generics[int])["value"].shape == IntShape()


def test_a_model_of_pydantic_is_a_record() -> None:
    fields = _fields(Model)

    assert fields["x"].shape == IntShape(0, 9)
    assert fields["y"].shape == StrShape(patterns=("^a",))
    assert (fields["y"].description, fields["y"].examples) == ("Why.", ("ab",))
    assert fields["tags"].default_factory is list
    assert fields["more"].default is None


@rows(
    "annotation, document, value",
    (Plain, b'{"x":1,"y":"b","tags":["c"],"at":3}', Plain(1, "b", ["c"])),
    (Below, b'{"x":1,"z":true}', Below(1, z=True)),
    (Frozen[int], b'{"value":1,"more":{"value":2}}', Frozen(1, Frozen(2))),
    (Struct, b'{"x":1}', Struct(1)),
    (Late, b'{"x":1,"z":true}', Late(1, z=True)),
    (Generics[list[int]], b'{"value":[1]}', Generics([1])),
    (Model, b'{"x":1,"more":{"x":2}}', Model(x=1, more=Model(x=2))),
    (After, b'{"x":1}', After(x=1)),
)
def test_its_own_class_is_called_and_what_it_makes_is_written(
    annotation: Any, document: bytes, value: object
) -> None:
    pred = compile_pred(shape_of(annotation))

    loaded: object = pred.load(document)
    assert loaded == value
    assert type(loaded) is type(value)
    assert pred.dump(loaded) == pred.dump(value)
    assert b'"x":1' in pred.dump(value) or b'"value":' in pred.dump(value)


def test_defaults_are_not_shared() -> None:
    for annotation in (Plain, Struct, Model, After):
        pred: Any = compile_pred(shape_of(annotation))
        pred.load(b'{"x":1}').tags.append("a")

        assert pred.load(b'{"x":1}').tags == []


class Patch(pydantic.BaseModel):
    x: int = 0
    y: str | None = None
    tags: list[str] = []
    more: list[int] = pydantic.Field(default_factory=list)


@pytest.mark.parametrize("sent", [{}, {"y": None}, {"x": 1, "tags": []}, {"more": [1]}])
@pytest.mark.parametrize("load", ["core", "walk"])
def test_a_model_knows_which_fields_were_sent(sent: dict[str, Any], load: str) -> None:
    """A partial update writes what `exclude_unset` leaves, and nothing else."""
    shape = shape_of(Patch)
    body = json.dumps(sent).encode()

    patch: Any = (
        compile_pred(shape).load(body) if load == "core" else Walker().loader(shape)(sent, Report())
    )
    assert patch.model_dump(exclude_unset=True) == sent


@pytest.mark.parametrize("annotation", [Plain, Struct, Model])
@pytest.mark.parametrize("document", [b'{"x":-1}', b'{"x":"1"}', b'{"x":1,"q":1}', b"{}"])
def test_what_it_does_not_declare_is_refused(annotation: Any, document: bytes) -> None:
    with pytest.raises(InvalidInput):
        compile_pred(shape_of(annotation)).load(document)


def test_a_rule_of_the_author_s_refuses() -> None:
    annotations: dict[Any, bytes] = {Frozen[int]: b'{"value":13}', After: b'{"x":13}'}
    for annotation, document in annotations.items():
        with pytest.raises(InvalidInput) as refused:
            compile_pred(shape_of(annotation)).load(document)
        assert refused.value.issues[0].code == "invalid_value"


class Calls(pydantic.BaseModel):
    x: int

    def model_post_init(self, _context: object) -> None:
        After.model_validate({"x": "no"})


@attrs.define
class Asks:
    x: int

    def __attrs_post_init__(self) -> None:
        After.model_validate({"x": "no"})


@pytest.mark.parametrize("annotation", [Calls, Asks])
def test_what_pydantic_refuses_within_is_no_refusal_of_the_input(annotation: Any) -> None:
    """It is a mistake of the author's, whose code made a model of something else."""
    with pytest.raises(pydantic.ValidationError):
        compile_pred(shape_of(annotation)).load(b'{"x":1}')


CLASSES = [Plain, Frozen[int], Frozen[list[int]], Struct, Kept, Model, After]


@pytest.mark.parametrize("annotation", CLASSES)
def test_which_of_them_can_stand_in_a_set(annotation: object) -> None:
    assert is_hashable(shape_of(annotation)) == (annotation in (Frozen[int], Kept))


# What is refused.


@attrs.define
class Checked:
    x: int = attrs.field(validator=attrs.validators.ge(0))


@attrs.define
class Converted:
    x: int = attrs.field(converter=int)


@attrs.define
class Private:
    _x: int


@attrs.define
class OfSelf:
    x: int = attrs.Factory(lambda self: 1, takes_self=True)


@attrs.define(init=False)
class OwnInit:
    x: int

    def __init__(self) -> None:
        self.x = 1


class Adds(Plain):
    z: int


@attr.s
class Untyped:
    x = attr.ib(default=1)  # type: ignore[var-annotated]


class Arrays(msgspec.Struct, array_like=True):
    x: int


class Tagged(msgspec.Struct, tag="t"):
    x: int


class Called(msgspec.Struct):
    x: int = msgspec.field(name="other")


class Meta(msgspec.Struct):
    x: Annotated[int, msgspec.Meta(ge=1)]


class Validated(pydantic.BaseModel):
    x: int

    @pydantic.field_validator("x")
    @classmethod
    def good(cls, x: int) -> int:
        return x


class Computed(pydantic.BaseModel):
    @pydantic.computed_field  # type: ignore[prop-decorator]
    @property
    def x(self) -> int:
        return 1


class Aliased(pydantic.BaseModel):
    x: int = pydantic.Field(alias="other")


class Chosen(pydantic.BaseModel):
    x: int = pydantic.Field(validation_alias=pydantic.AliasChoices("a", "b"))


class Excluded(pydantic.BaseModel):
    x: int = pydantic.Field(exclude=True)


class Open(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow")


class Lower(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(str_to_lower=True)


class Root(pydantic.RootModel[int]): ...


class Given(pydantic.BaseModel):
    x: int

    def __init__(self) -> None:
        super().__init__(x=1)


class OfData(pydantic.BaseModel):
    x: int = 1
    y: int = pydantic.Field(default_factory=lambda data: int(data["x"]))


class Before(pydantic.BaseModel):
    x: Annotated[int, pydantic.BeforeValidator(int)]


class Pages(pydantic.BaseModel, Generic[T]):
    items: list[T]


@rows(
    "annotation, problem",
    (Checked, r"f\.x: it has a validator, .*; write Annotated\[...\] with a constraint"),
    (Converted, r"f\.x: it has a converter, .*; write its type alone"),
    (Private, r"f\._x: __init__ calls it x; call the field x"),
    (OfSelf, r"f\.x: its default depends on other fields; give it in __attrs_post_init__"),
    (OwnInit, r"f: OwnInit has its own __init__, .*; write __attrs_post_init__"),
    (Adds, r"f: Adds adds fields to a class of attrs .*; write @attrs.define above it"),
    (Untyped, r"f\.x: it has no annotation; write x: int, or its type"),
    (Arrays, "f: Arrays is array_like; write a NamedTuple, or leave that out"),
    (Tagged, r"f: Tagged has a tag that is not a field; .* a field type: Literal\['t'\]"),
    (Called, r"f\.x: msgspec calls it 'other'; .* write Annotated\[..., Name\('other'\)\]"),
    (Meta, r"f\.x: Meta\(...\) is msgspec's and limits nothing here; write Annotated\[int"),
    (Validated, r"f: Validated.good is one of its field_validators, .*; write Annotated"),
    (Computed, "f: Computed.x is one of its computed_fields"),
    (Aliased, r"f\.x: it has alias='other'; .* Name\('other'\)"),
    (Chosen, r"f\.x: it has validation_alias=AliasChoices.* Name\('...'\)"),
    (Excluded, r"f\.x: it is excluded from what is sent; leave that out, or the field"),
    (Open, r"f: Open has extra='allow' in its model_config, .*; leave it out"),
    (Lower, "f: Lower has str_to_lower=True in its model_config"),
    (Root, "f: Root is a RootModel; write the type that it holds"),
    (Given, "f: Given has its own __init__, .*; write model_post_init"),
    (OfData, r"f\.y: its default depends on other fields; give it in model_post_init"),
    (Before, r"f\.x: BeforeValidator\(...\) is pydantic's and limits nothing here"),
    (Pages[int], r"f: Pages\[int\] is a generic model; write a model without type arguments"),
)
def test_what_does_more_than_hold_a_value_is_refused(annotation: object, problem: str) -> None:
    with pytest.raises(UnsupportedAnnotation, match=problem):
        shape_of(annotation, where="f")


class Base(DeclarativeBase): ...


class Plainly(Base):
    __tablename__ = "plainly"

    id: Mapped[int] = mapped_column(primary_key=True)
    status: Mapped[str]


class Mapping(MappedAsDataclass, DeclarativeBase): ...


class AsDataclass(Mapping):
    __tablename__ = "as_dataclass"

    id: Mapped[int] = mapped_column(primary_key=True)


class SQLModel(pydantic.BaseModel):
    """As the one of the package of this name, which sets it for its models."""

    __module__ = "sqlmodel.main"

    def __init__(self, **data: Any) -> None:
        super().__init__(**data)


class Hero(SQLModel):
    name: str


class HeroTable(SQLModel):
    __mapper__: ClassVar[object] = None

    name: str


ROW = "write a dataclass with the fields that are to be sent, and make one of each row"


@rows(
    "annotation, problem",
    (Plainly, f"f: Plainly is not a type that a route can carry; {ROW}"),
    (AsDataclass, f"f: AsDataclass is a table; {ROW}"),
    (HeroTable, f"f: HeroTable is a table; {ROW}"),
    (Hero, "f: Hero is a model of SQLModel; write BaseModel of pydantic in its place"),
)
def test_a_class_of_a_database_is_refused_as_such(annotation: object, problem: str) -> None:
    with pytest.raises(UnsupportedAnnotation) as refused:
        shape_of(annotation, where="f")

    assert str(refused.value) == problem


def test_no_other_class_is_foreign() -> None:
    assert foreign_maker(int) is None
