"""PEP 695: what only Python 3.12 and later can compile, so that the source of it is text here."""

import sys
from types import ModuleType
from typing import Any

import pytest

from contract.shape import nodes
from contract.shape.annotations import signature_of, union_members
from contract.shape.exceptions import UnsupportedAnnotation
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
class Concrete(Named[str, int]): ...

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

FUTURE = f"from __future__ import annotations\n{SOURCE}"


if sys.version_info >= (3, 12):  # Python 3.11 has no such syntax

    def _module(name: str, source: str) -> Any:
        module = ModuleType(name)
        sys.modules[name] = module
        exec(compile(source, f"<{name}>", "exec", dont_inherit=True), vars(module))
        return module

    def _definition(annotation: object) -> nodes.Definition:
        shape = shape_of(annotation)
        assert isinstance(shape, nodes.RefShape)
        return shape.definition

    def _shapes(annotation: object) -> dict[str, Any]:
        return {field.name: field.shape for field in _definition(annotation).shape.fields}  # type: ignore[union-attr]

    # without text, and with every annotation as text: names defined later are only possible in the
    # second

    @pytest.fixture(scope="module")
    def types() -> Any:
        return _module("shapes_pep695", FUTURE)

    def test_aliases_are_transparent(types: Any) -> None:
        assert shape_of(types.Name) == nodes.StrShape(1)
        assert shape_of(types.Pair[int]) == shape_of(tuple[int, int])
        assert shape_of(types.Two[str, int]) == shape_of(dict[str, tuple[int, int]])

    def test_recursive_aliases_are_definitions(types: Any) -> None:
        json, chain = _definition(types.Json), _definition(types.Chain[int])
        rest = nodes.NullableShape(nodes.RefShape(chain))

        assert (json.recursive, json.name) == (True, "Json")
        assert isinstance(json.shape, nodes.NullableShape)
        assert isinstance(json.shape.inner, nodes.UnionShape)
        assert chain.shape == nodes.TupleShape((nodes.IntShape(), rest))

    def test_an_alias_of_what_is_missing_is_refused(types: Any) -> None:
        problem = "the alias Lost is not resolved: name 'Missing' is not defined"
        with pytest.raises(UnsupportedAnnotation, match=problem):
            shape_of(types.Lost)

    def test_generic_classes_bind_their_own_parameters(types: Any) -> None:
        page = _definition(types.Page[int])

        assert page.name == "Page_int"
        assert _shapes(types.Page[int]) == {
            "items": shape_of(list[int]),
            "next": nodes.NullableShape(_same(types.Page[int])),
        }
        concrete = _shapes(types.Concrete)
        assert list(concrete) == ["items", "next", "key", "inner", "name"]
        assert concrete["items"] == shape_of(list[int])
        assert (concrete["key"], concrete["inner"]) == (shape_of(str), shape_of(list[str]))
        assert concrete["name"] == nodes.StrShape(1)

    def test_typed_dicts_and_named_tuples_are_generic(types: Any) -> None:
        assert _shapes(types.IntEntry) == {"value": nodes.IntShape(), "other": nodes.IntShape()}
        assert _shapes(types.Cell[str]) == {"value": nodes.StrShape()}

    def test_classes_and_aliases_refer_to_each_other(types: Any) -> None:
        expression = _definition(types.Expression)
        row = _definition(types.Row[int])

        assert isinstance(expression.shape, nodes.TaggedUnionShape)
        assert expression.recursive
        assert (row.recursive, row.name) == (True, "Row_int")

    def test_other_parameters_are_refused(types: Any) -> None:
        with pytest.raises(UnsupportedAnnotation, match="Packed is generic in Ts"):
            shape_of(types.Packed[int])

    def test_functions_have_parameters_of_their_own(types: Any) -> None:
        signature = signature_of(types.generic)
        variable = types.generic.__type_params__[0]

        annotations = [parameter.annotation for parameter in signature.parameters]
        members = union_members(signature.returns, signature.namespace, where="x")
        assert annotations == [types.Page[variable], variable]
        assert members == (variable, types.Failed)

    def test_annotations_without_text_are_read_alike() -> None:
        early = SOURCE.replace("    next: Page[T] | None\n", "")
        early = early.replace("    other: Later\n", "    other: int\n")
        types = _module("shapes_pep695_early", early)

        assert _shapes(types.Concrete)["inner"] == nodes.ArrayShape(nodes.StrShape())
        assert _definition(types.Expression).recursive
        assert _shapes(types.Row[int])["value"] == nodes.IntShape()

    class _same:  # noqa: N801
        """Equal to the reference that any reader makes for a type."""

        def __init__(self, annotation: object) -> None:
            self.name = _definition(annotation).name

        def __eq__(self, other: object) -> bool:
            return isinstance(other, nodes.RefShape) and other.definition.name == self.name

        def __hash__(self) -> int:
            return hash(self.name)
