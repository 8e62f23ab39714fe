"""Names: of fields on the wire, and of types in the documents."""

from typing import Annotated, Any, Literal, NamedTuple

import pytest
from annotated_types import Predicate

from contract.shape.names import camel, label
from contract.shape.nodes import Definition, RefShape
from contract.shape.reader import shape_of
from tests.samples import Card, Cash, Color
from tests.tables import rows


@rows(
    "name, wire",
    ("product_id", "productId"),
    ("id", "id"),
    ("a_b_c", "aBC"),
    ("line_1", "line1"),
    ("already_Camel", "alreadyCamel"),
    ("camelCase", "camelCase"),
    ("HTTP_url", "HTTPUrl"),
    ("double__underscore", "doubleUnderscore"),
    ("_private_name", "_privateName"),
    ("__dunder_name__", "__dunderName__"),
    ("from_", "from_"),
    ("_", "_"),
    ("", ""),
    ("größe_in_mm", "größeInMm"),
)
def test_names_in_camel_case(name: str, wire: str) -> None:
    assert camel(name) == wire


class Point(NamedTuple):
    x: int


@rows(
    "annotation, text",
    (Any, "Any"),
    (list[int], "list_int"),
    (tuple[int, ...], "tuple_int"),
    (tuple[int, str], "tuple_int_str"),
    (dict[str, int], "dict_str_int"),
    (int | None, "int_or_None"),
    (int | str, "int_or_str"),
    (Card | Cash, "Card_or_Cash"),
    (Annotated[int, Predicate(bool)], "int"),
    (Literal["a-b", 1, True], "Literal_a_b_1_True"),
    (Card, "Card"),
    (Color, "Color"),
    (Point, "Point"),
)
def test_a_shape_has_a_readable_name(annotation: Any, text: str) -> None:
    assert label(shape_of(annotation)) == text


@pytest.mark.parametrize("named", [Card, Color, Point])
def test_what_stands_behind_a_definition_is_called_like_its_class(named: Any) -> None:
    shape: Any = shape_of(named)

    assert label(shape.definition.shape) == named.__name__


def test_a_reference_is_called_like_its_definition() -> None:
    assert label(RefShape(Definition(("x",), "Page_int", "m"))) == "Page_int"
