"""Names of types in the documents: distinct, stable, and a matter of the types alone."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, make_dataclass
from typing import Annotated, Any, Generic, Literal, TypeVar

from annotated_types import Ge
from typing_extensions import Doc

from contract.document.json_schema import SchemaWriter
from contract.document.schema_names import names_of
from contract.shape.nodes import Definition, RefShape
from contract.shape.reader import ShapeReader
from tests.seeds import printed_by
from tests.tables import rows

T = TypeVar("T")


def made(name: str, module: str = "shop", *, place: str = "", doc: Any = None, **of: Any) -> Any:
    declared = [(key, each) if isinstance(each, type) else (key, *each) for key, each in of.items()]
    cls = make_dataclass(name, declared)
    cls.__module__ = module
    cls.__qualname__ = place or name
    cls.__doc__ = doc
    return cls


def definitions_of(*annotations: Any) -> list[Definition]:
    read: Any = ShapeReader().read
    return [read(each, where=f"route{at}").definition for at, each in enumerate(annotations)]


def names(*annotations: Any) -> list[str]:
    """The names of *annotations*, which do not depend on their order, nor on the reader."""
    found = definitions_of(*annotations)
    given = names_of(found)
    backwards = definitions_of(*reversed(annotations))
    again = names_of(reversed(backwards))
    assert [again[each] for each in reversed(backwards)] == [given[each] for each in found]
    assert all(re.fullmatch("[A-Za-z][A-Za-z0-9_]{0,94}", name) for name in given.values())
    return [given[each] for each in found]


@dataclass
class Page(Generic[T]):
    items: list[T]


@dataclass
class Pair(Generic[T]):
    one: T


def page(of: Any) -> Any:
    return Page[of]


def pair(of: Any) -> Any:
    return Pair[of]


def test_a_type_that_is_alone_has_its_own_name() -> None:
    product = made("Product", a=int)

    assert names(product, page(product)) == ["Product", "Page_Product"]


def test_what_a_type_leads_to_is_named_too() -> None:
    inner = made("Inner", a=int)
    given = names_of(definitions_of(made("Outer", inner=inner)))

    assert [*given.values()] == ["Inner", "Outer"]


def test_types_of_one_name_are_called_by_their_modules() -> None:
    found = names(made("Product", "shop.models", a=int), made("Product", "stock", a=str))

    assert found == ["shop_models_Product", "stock_Product"]


def test_types_of_one_name_are_told_apart_in_generics() -> None:
    """The generic type itself needs no module for it."""
    one, other = made("Product", "shop", a=int), made("Product", "stock", a=str)

    assert names(page(one), page(other)) == ["Page_shop_Product", "Page_stock_Product"]
    products = ["shop_Product", "stock_Product"]
    found = names(page(pair(one)), page(pair(other)), one, other)
    assert found == [*(f"Page_Pair_{each}" for each in products), *products]


def test_types_of_one_module_are_called_by_their_place_in_it() -> None:
    one = made("Item", place="Order.Item", a=int)
    other = made("Item", place="make.<locals>.Item", a=str)

    assert names(one, other) == ["shop_Order_Item", "shop_make_Item"]


def test_types_of_one_place_are_told_apart_by_what_is_in_them() -> None:
    """A function may make a class at each call; a name is the type's, whoever else is there."""
    kinds = [made("Item", place="make.<locals>.Item", a=of) for of in (int, str, bool)]
    found = names(*kinds)

    assert all(re.fullmatch("shop_make_Item_[0-9a-f]{8}", name) for name in found)
    assert (len({*found}), names(kinds[2], kinds[0])) == (3, [found[2], found[0]])


@rows(
    "one, other",
    (made("Item", a=int, doc="One."), made("Item", a=int, doc="Other.")),
    (made("Item", a=int), made("Item", a=(int, field(default=1)))),
    (made("Item", a=int, b=int), made("Item", b=int, a=int)),
    (made("Item", a=(Annotated[int, Ge(0)],)), made("Item", a=int)),
    (made("Item", a=(Annotated[int, Doc("A.")],)), made("Item", a=int)),
)
def test_any_difference_on_paper_tells_types_apart(one: Any, other: Any) -> None:
    assert len({*names(one, other)}) == 2


def test_types_of_one_place_are_told_apart_by_what_they_lead_to() -> None:
    one, other = (made("Box", of=made("Item", a=of)) for of in (int, str))
    found = names(one, other)

    assert all(re.fullmatch("shop_Box_[0-9a-f]{8}", name) for name in found)
    assert len({*found}) == 2


def test_types_that_are_alike_on_paper_are_one() -> None:
    """Nobody could tell which of two names belongs to which of them."""
    one, other = (made("Box", of=made("Item", a=int)) for _ in range(2))
    found = definitions_of(one, other, page(one), page(other))
    given = names_of(found)

    assert [given[each] for each in found] == ["Box", "Box", "Page_Box", "Page_Box"]
    written = SchemaWriter(given).defs(*((RefShape(each), "output") for each in found))
    assert [*written] == ["Box", "Item", "Page_Box"]


def test_recursive_types_that_are_alike_are_one() -> None:
    def tree() -> Any:
        @dataclass
        class Tree:
            branches: list[Tree]

        return ShapeReader().read(Tree, where="tree", namespace={"Tree": Tree})

    assert {*names_of([tree().definition, tree().definition]).values()} == {"Tree"}


def test_names_differ_in_more_than_case() -> None:
    found = names(made("Product", a=int), made("product", b=int))

    assert re.fullmatch("shop_Product_[0-9a-f]{8}", found[0])
    assert re.fullmatch("shop_product_[0-9a-f]{8}", found[1])
    assert found[0].lower() != found[1].lower()


def test_arguments_differ_in_more_than_case() -> None:
    found = names(Page[Literal["a"]], Page[Literal["A"]])

    assert len({name.lower() for name in found}) == 2


def test_arguments_of_one_name_are_told_apart() -> None:
    assert len({*names(Page[int], Page[Annotated[int, Ge(0)]])}) == 2


def test_no_name_is_that_of_an_input_form() -> None:
    """Only the type whose input form would take the name is called otherwise."""
    product = made("Product", a=(int, field(default=1)))

    assert names(product, made("ProductInput", a=int)) == ["shop_Product", "ProductInput"]
    assert names(product, made("productinput", a=int)) == ["shop_Product", "productinput"]
    assert names(made("Product", a=int), made("ProductInput", a=int)) == ["Product", "ProductInput"]


def test_a_name_that_another_one_moves_to_is_taken() -> None:
    one, other = made("Product", "shop", a=int), made("Product", "stock", a=str)
    found = names(one, other, made("shop_Product", "other", a=bool))

    assert found == ["shop_Product", "stock_Product", "other_shop_Product"]


@rows(
    "name, expected",
    *(("_Private", "Private"), ("Größe", "Gro_udfe"), ("商品", "u5546_u54c1")),
    *(("_1", "T1"), ("Été", "Ete")),
)
def test_names_are_of_ascii_letters(name: str, expected: str) -> None:
    assert names(made(name, a=int)) == [expected]


def test_names_that_lose_the_same_are_told_apart() -> None:
    assert len({*names(made("Été", a=int), made("Ete", b=int))}) == 2


def test_long_names_are_cut() -> None:
    nested: Any = made("Product", a=int)
    deeper: list[Any] = [nested := page(nested) for _ in range(30)]
    found = names(*deeper)

    assert (found[0], len({*found}), max(map(len, found))) == ("Page_Product", 30, 95)


_PROGRAM = """
import json
from dataclasses import field
from tests.test_schema_names import Page, definitions_of, made
from contract.document.json_schema import SchemaWriter
from contract.document.schema_names import names_of
from contract.shape.nodes import RefShape

kinds = [made("Item", place="make.<locals>.Item", a=of) for of in (int, str, set[str])]
others = [made("Product", "shop", a=(frozenset[str], field(default=frozenset({"b", "a", "c"})))), made("Product", "stock", a=str)]
found = definitions_of(*kinds, *others, *(Page[each] for each in kinds + others))
names = names_of(found)
print(json.dumps(SchemaWriter(names).defs(*((RefShape(each), side) for each in found for side in ("input", "output")))))
"""


def test_schemas_are_the_same_in_every_process() -> None:
    [printed] = {*printed_by(_PROGRAM)}

    assert len(json.loads(printed)) == 12
