from __future__ import annotations

from dataclasses import dataclass

import pytest

from contract.client import InvalidInput, InvalidOutput, RouteSchemas, Schema
from contract.shape.exceptions import UnsupportedAnnotation
from tests.client_example import Card, Cash, Order, Receipt, SoldOut, schemas

SENT = b'{"order_id":"a","price_cents":1,"paidBy":{"kind":"card","last_digits":"1234"}}'
MORE = b'{"order_id":"a","price_cents":1,"new":{"a":1},"paidBy":{"kind":"card","new":[],"last_digits":"1234"}}'
RECEIPT = Receipt(order_id="a", price_cents=1, paid_by=Card(last_digits="1234"))


def test_a_schema_loads_checks_and_dumps() -> None:
    assert schemas.Receipt.load(SENT) == RECEIPT
    assert schemas.Receipt.dump(RECEIPT) == SENT
    schemas.Receipt.check(RECEIPT)
    with pytest.raises(InvalidInput, match="price_cents: Must be at least 0"):
        schemas.Receipt.load(b'{"order_id":"a","price_cents":-1,"paidBy":{"kind":"cash"}}')
    with pytest.raises(InvalidOutput):
        schemas.Receipt.check(Cash())
    with pytest.raises(InvalidOutput):
        schemas.Receipt.dump(Receipt(order_id="a", price_cents=-1))


def test_a_schema_is_closed_and_answers_are_not() -> None:
    schema = Schema(list[Receipt])

    with pytest.raises(InvalidInput, match="new: This key is not known here"):
        schema.load(b"[" + MORE + b"]")
    assert schema.answers.load(b"[" + MORE + b"]") == [RECEIPT]
    with pytest.raises(InvalidInput, match="price_cents"):
        schema.answers.load(b'[{"order_id":"a","new":1}]')


def test_a_failure_has_a_schema() -> None:
    schema = Schema(SoldOut)

    assert schema.load(b'{"restock_days":3}') == SoldOut(restock_days=3)
    assert schema.dump(SoldOut(restock_days=3)) == b'{"restock_days":3}'
    with pytest.raises(InvalidInput, match="restock_days"):
        schema.load(b"{}")


def test_what_a_schema_is_compiled_to_is_kept() -> None:
    schema = Schema(Order)

    assert schema.pred is schema.pred
    assert schema.answers is schema.answers
    assert schema.answers is not schema.pred


def test_a_type_is_read_when_it_is_first_used() -> None:
    schema = Schema(complex)

    with pytest.raises(UnsupportedAnnotation):
        schema.load(b"1")


def test_schemas_can_be_read() -> None:
    assert repr(Schema(int)) == "Schema(<class 'int'>)"
    assert (
        repr(RouteSchemas(input=Schema(None), output=Schema(int)))
        == "RouteSchemas(input=Schema(None), output=Schema(<class 'int'>))"
    )


@dataclass(frozen=True)
class Period:
    start: int
    until: int

    def __post_init__(self) -> None:
        if self.until < self.start:
            raise InvalidInput("The end is before the start.", "until")


def test_a_schema_of_the_authors_own_type_refuses_in_the_authors_words() -> None:
    for pred in (Schema(Period).pred, Schema(Period).answers):
        with pytest.raises(InvalidInput, match=r"^until: The end is before the start\.$"):
            pred.load(b'{"start":2,"until":1}')
