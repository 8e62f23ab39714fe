"""
PEP 695: ``type`` statements, generic classes and functions with their own type parameters.

The source is text, since Python 3.11 cannot compile it; the tests below exist where it can.
"""

import sys
from types import ModuleType
from typing import Any

import pytest

from contract.shape.annotations import signature_of, union_members
from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.nodes import (
    ArrayShape,
    Definition,
    IntShape,
    MapShape,
    NullableShape,
    RefShape,
    StrShape,
    TaggedUnionShape,
    TupleShape,
    UnionShape,
)
from contract.shape.reader import shape_of

SOURCE = """
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple, TypedDict
from annotated_types import Ge, Len
from typing_extensions import Doc

type Name = Annotated[str, Len(1), Doc("A name.")]
type Json = None | bool | int | float | str | list[Json] | dict[str, Json]
type Pair[T] = tuple[T, T]
type Chain[T] = tuple[T, Chain[T] | None]
type Two[K, V] = dict[K, Pair[V]]
type Lost = Missing
type Expression = Number | Sum
type Rows[T: int] = list[Row[T]]

@dataclass
class Row[T]:
    value: T
    rows: Rows[T]

@dataclass
class Page[T]:
    items: list[T]
    next: Page[T] | None

@dataclass
class Named[K, V](Page[V]):
    type Inner = list[K]
    key: K
    inner: Inner
    name: Name = "x"

@dataclass
class Concrete(Named[str, int]):
    pass

class Entry[T](TypedDict):
    value: T

class IntEntry(Entry[int]):
    other: Later

class Cell[T](NamedTuple):
    value: T

@dataclass
class Number:
    kind: Literal["number"]
    value: int

@dataclass
class Sum:
    kind: Literal["sum"]
    terms: list[Expression]
    first: Expression | None = None

@dataclass
class Packed[*Ts]:
    value: int

class Failed: pass
type Result[T] = T | Failed

def generic[T](input: Page[T], ctx: "T") -> Result[T]: ...

Later = int
"""

FUTURE = SOURCE.replace(
    "from dataclasses", "from __future__ import annotations\nfrom dataclasses", 1
)


if sys.version_info >= (3, 12):  # Python 3.11 has no such syntax

    def _module(name: str, source: str) -> Any:
        module = ModuleType(name)
        sys.modules[name] = module
        exec(compile(source, f"<{name}>", "exec", dont_inherit=True), vars(module))
        return module

    def _definition(annotation: object) -> Definition:
        shape = shape_of(annotation)
        assert isinstance(shape, RefShape)
        return shape.definition

    def _shapes(annotation: object) -> dict[str, Any]:
        return {field.name: field.shape for field in _definition(annotation).shape.fields}  # type: ignore[union-attr]

    # without text, and with every annotation as text: names defined later are only possible in the
    # second

    @pytest.fixture(scope="module")
    def types() -> Any:
        return _module("shapes_pep695", FUTURE)

    def test_aliases_are_transparent(types: Any) -> None:
        assert shape_of(types.Name) == StrShape(1)
        assert shape_of(types.Pair[int]) == TupleShape((IntShape(), IntShape()))
        assert shape_of(types.Two[str, int]) == MapShape(
            StrShape(), TupleShape((IntShape(), IntShape()))
        )

    def test_recursive_aliases_are_definitions(types: Any) -> None:
        json = _definition(types.Json)
        chain = _definition(types.Chain[int])

        assert json.recursive
        assert json.name == "Json"
        assert isinstance(json.shape, NullableShape)
        assert isinstance(json.shape.inner, UnionShape)
        assert chain.shape == TupleShape((IntShape(), NullableShape(RefShape(chain))))

    def test_an_alias_of_what_is_missing_is_refused(types: Any) -> None:
        with pytest.raises(
            UnsupportedAnnotation,
            match="the alias Lost is not resolved: name 'Missing' is not defined",
        ):
            shape_of(types.Lost)

    def test_generic_classes_bind_their_own_parameters(types: Any) -> None:
        page = _definition(types.Page[int])

        assert page.name == "Page_int"
        assert _shapes(types.Page[int]) == {
            "items": ArrayShape(IntShape()),
            "next": NullableShape(_same(types.Page[int])),
        }
        assert list(_shapes(types.Concrete)) == ["items", "next", "key", "inner", "name"]
        concrete = _shapes(types.Concrete)
        assert (concrete["items"], concrete["key"], concrete["inner"], concrete["name"]) == (
            ArrayShape(IntShape()),
            StrShape(),
            ArrayShape(StrShape()),
            StrShape(1),
        )

    def test_typed_dicts_and_named_tuples_are_generic(types: Any) -> None:
        assert _shapes(types.IntEntry) == {"value": IntShape(), "other": IntShape()}
        assert _shapes(types.Cell[str]) == {"value": StrShape()}

    def test_classes_and_aliases_refer_to_each_other(types: Any) -> None:
        expression = _definition(types.Expression)
        row = _definition(types.Row[int])

        assert isinstance(expression.shape, TaggedUnionShape)
        assert expression.recursive
        assert row.recursive
        assert row.name == "Row_int"

    def test_other_parameters_are_refused(types: Any) -> None:
        with pytest.raises(UnsupportedAnnotation, match="Packed is generic in Ts"):
            shape_of(types.Packed[int])

    def test_functions_have_parameters_of_their_own(types: Any) -> None:
        signature = signature_of(types.generic)
        variable = types.generic.__type_params__[0]

        assert [parameter.annotation for parameter in signature.parameters] == [
            types.Page[variable],
            variable,
        ]
        assert union_members(signature.returns, signature.namespace, where="x") == (
            variable,
            types.Failed,
        )

    def test_annotations_without_text_are_read_alike() -> None:
        early = SOURCE.replace("    next: Page[T] | None\n", "").replace(
            "    other: Later\n", "    other: int\n"
        )
        types = _module("shapes_pep695_early", early)

        assert _shapes(types.Concrete)["inner"] == ArrayShape(StrShape())
        assert _definition(types.Expression).recursive
        assert _shapes(types.Row[int])["value"] == IntShape()

    class _same:  # noqa: N801
        """Equal to the reference that any reader makes for a type."""

        def __init__(self, annotation: object) -> None:
            self.name = _definition(annotation).name

        def __eq__(self, other: object) -> bool:
            return isinstance(other, RefShape) and other.definition.name == self.name

        def __hash__(self) -> int:
            return hash(self.name)
