"""Nodes: small values, and definitions that are themselves."""

from contract.shape.nodes import ArrayShape, Container, Definition, Field, IntShape, StrShape
from tests.tables import rows


@rows("container, unique", ("list", False), ("set", True), ("frozenset", True), ("tuple", False))
def test_sets_are_arrays_without_equal_items(container: Container, unique: bool) -> None:
    assert ArrayShape(IntShape(), container).unique is unique


@rows(
    "field, required_in, required_out",
    (Field("a", "a", StrShape()), True, True),
    (Field("a", "a", StrShape(), default=None), False, True),
    (Field("a", "a", StrShape(), default_factory=str), False, True),
    (Field("a", "a", StrShape(), default=None, unset=True), False, False),
    (Field("a", "a", StrShape(), optional_key=True), False, False),
)
def test_what_a_field_must_have(field: Field, required_in: bool, required_out: bool) -> None:
    assert (field.required_in, field.required_out) == (required_in, required_out)


def test_a_definition_is_itself() -> None:
    definition, other = Definition(("a",), "A", "m"), Definition(("a",), "A", "m")

    assert definition != other
    definition.close(IntShape())
    assert [definition.closed, other.closed] == [True, False]
    assert definition.shape == IntShape()
