from __future__ import annotations

import copy
import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Never
from uuid import UUID

import pytest
from annotated_types import Ge, Len

from contract import client
from contract.client.schemas import body_of
from contract.shape.exceptions import UnsupportedAnnotation
from tests.client_example import Card, Cash, NotFound, Order, Receipt, SoldOut, schemas
from tests.tables import rows

SENT = b'{"order_id":"a","price_cents":1,"paidBy":{"kind":"card","last_digits":"1234"}}'
MORE = b'{"order_id":"a","price_cents":1,"new":{"a":1},"paidBy":{"kind":"card","new":[],"last_digits":"1234"}}'
RECEIPT = Receipt(order_id="a", price_cents=1, paid_by=Card(last_digits="1234"))


def test_a_schema_loads_checks_and_dumps() -> None:
    assert schemas.Receipt.load(SENT) == RECEIPT
    assert schemas.Receipt.dump(RECEIPT) == SENT
    schemas.Receipt.check(RECEIPT)
    with pytest.raises(client.InvalidInput, match="price_cents: Must be at least 0"):
        schemas.Receipt.load(b'{"order_id":"a","price_cents":-1,"paidBy":{"kind":"cash"}}')
    with pytest.raises(client.InvalidOutput):
        schemas.Receipt.check(Cash())
    with pytest.raises(client.InvalidOutput):
        schemas.Receipt.dump(Receipt(order_id="a", price_cents=-1))


def test_a_schema_is_closed_and_answers_are_not() -> None:
    schema = client.Schema(list[Receipt])

    with pytest.raises(client.InvalidInput, match="new: This key is not known here"):
        schema.load(b"[" + MORE + b"]")
    assert schema.answers.load(b"[" + MORE + b"]") == [RECEIPT]
    with pytest.raises(client.InvalidInput, match="price_cents"):
        schema.answers.load(b'[{"order_id":"a","new":1}]')


def test_a_failure_has_a_schema() -> None:
    schema = client.Schema(SoldOut)

    assert schema.load(b'{"restock_days":3}') == SoldOut(restock_days=3)
    assert schema.dump(SoldOut(restock_days=3)) == b'{"restock_days":3}'
    with pytest.raises(client.InvalidInput, match="restock_days"):
        schema.load(b"{}")


def test_what_a_schema_is_compiled_to_is_kept() -> None:
    schema = client.Schema(Order)

    assert schema.pred is schema.pred
    assert schema.answers is schema.answers
    assert schema.answers is not schema.pred


def test_a_type_is_read_when_it_is_first_used() -> None:
    schema = client.Schema(complex)

    with pytest.raises(UnsupportedAnnotation):
        schema.load(b"1")


def test_schemas_can_be_read() -> None:
    none, number = client.Schema(None), client.Schema(int)

    assert repr(number) == "Schema(<class 'int'>)"
    told = "RouteSchemas(input=Schema(None), output=Schema(<class 'int'>))"
    assert repr(client.RouteSchemas(input=none, output=number)) == told


@dataclass(frozen=True)
class Period:
    start: int
    until: int

    def __post_init__(self) -> None:
        if self.until < self.start:
            raise client.InvalidInput("The end is before the start.", "until")


def test_a_schema_of_the_authors_own_type_refuses_in_the_authors_words() -> None:
    for pred in (client.Schema(Period).pred, client.Schema(Period).answers):
        with pytest.raises(client.InvalidInput, match=r"^until: The end is before the start\.$"):
            pred.load(b'{"start":2,"until":1}')


NOTHING = client.RouteSchemas(input=client.Schema(None), output=client.Schema(None))


def test_an_operation_knows_its_failures_by_their_codes() -> None:
    both = (NotFound, SoldOut)
    operation = client.Operation[None, None, Any](
        "a.b-c_1", effect="read", schemas=NOTHING, failures=both
    )

    assert [*operation.failures] == ["NOT_FOUND", "SOLD_OUT"]
    assert (operation.name, operation.effect, operation.schemas) == ("a.b-c_1", "read", NOTHING)
    assert repr(operation) == "Operation('a.b-c_1')"


@rows("name", "", "..", ".a", "a/b", "a?b", "a#b", "a b", "a%2fb", "1a", "é", "a\n")
def test_a_name_that_would_change_the_url_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is not a valid route name"):
        client.Operation(name, effect="read", schemas=NOTHING)


class Colour(Enum):
    RED = "red"


ID = UUID(int=1)


@dataclass(frozen=True)
class Everything:
    count: Annotated[int, Ge(1), client.Name("Count")] = 1
    price: Decimal = Decimal("1.50")
    at: datetime = datetime(2026, 1, 1, tzinfo=UTC)
    day: date = date(2026, 1, 1)
    hour: time = time(10, tzinfo=UTC)
    lasting: timedelta = timedelta(1)
    id: UUID = ID
    blob: bytes = b"x"
    colour: Colour = Colour.RED
    tags: frozenset[str] = frozenset({"a"})
    pair: tuple[int, str] = (1, "a")
    items: list[Inner] = field(default_factory=list)
    by_day: Mapping[date, int] = field(default_factory=dict)
    by_number: Mapping[int, int] = field(default_factory=dict)
    note: str | client.Unset = client.UNSET
    other: Any = None


@dataclass(frozen=True)
class Inner:
    name: Annotated[str, Len(1, 3)]


def sent(value: object, annotation: Any = Everything) -> Any:
    schemas = client.RouteSchemas(input=client.Schema(annotation), output=client.Schema(None))
    return body_of(client.Operation[Any, None, Never]("a", effect="read", schemas=schemas), value)


def issues(value: object, annotation: Any = Everything) -> list[tuple[tuple[str | int, ...], str]]:
    refused = sent(value, annotation)
    assert isinstance(refused, client.CallError)
    assert (refused.code, refused.status) == ("VALIDATION_ERROR", 0)
    data: Any = refused.data
    assert [(tuple(each["path"]), each["code"]) for each in data["issues"]] == [
        (each.path, each.code) for each in refused.issues
    ]
    return [(each.path, each.code) for each in refused.issues]


def test_an_input_is_written() -> None:
    assert sent(Everything()).startswith(b'{"Count":1,"price":"1.50",')
    assert b"note" not in sent(Everything())
    assert sent([1, 2], list[int]) == b"[1,2]"
    assert sent(None, int | None) == b"null"


def test_no_input_is_the_empty_object() -> None:
    assert sent(None, None) == b"{}"


def test_everything_that_is_wrong_is_told_with_the_names_of_the_wire() -> None:
    wrong = Everything(
        count=0,
        items=[Inner("a"), Inner(""), Inner("abcd")],
        by_day={date(2026, 1, 1): "x"},  # type: ignore[dict-item]
    )

    assert issues(wrong) == [
        (("Count",), "greater_than_equal"),
        (("items", 1, "name"), "string_too_short"),
        (("items", 2, "name"), "string_too_long"),
        (("by_day", "2026-01-01"), "integer_type"),
    ]


def test_what_is_right_beside_it_is_not_told() -> None:
    wrong = Everything(count=0, by_number={3: 4}, note="x", other={"a": [Decimal(1), None]})

    assert issues(wrong) == [(("Count",), "greater_than_equal")]


@rows(
    "wrong, path, code",
    (Everything(at=datetime(2026, 1, 1)), ("at",), "format"),
    (Everything(price=Decimal("NaN")), ("price",), "format"),
    (Everything(lasting="1 day"), ("lasting",), "format"),  # type: ignore[arg-type]
    (Everything(colour="blue"), ("colour",), "unknown_value"),  # type: ignore[arg-type]
    (Everything(tags={"a", 1}), ("tags", 0), "string_type"),  # type: ignore[arg-type]
    (Everything(count=None), ("Count",), "integer_type"),  # type: ignore[arg-type]
    (Everything(by_number={"x": 1}), ("by_number", "x"), "format"),  # type: ignore[dict-item]
)
def test_values_of_other_types_are_told_as_a_server_would(
    wrong: Everything, path: tuple[str | int, ...], code: str
) -> None:
    [(found, told)] = issues(wrong)

    assert (found[:1], told) == (path[:1], code)


def test_many_issues_are_cut() -> None:
    refused = sent([0] * 50, list[Annotated[int, Ge(1)]])

    assert len(refused.issues) == 20
    assert refused.data["truncated"] is True


class Odd:
    pass


def loop() -> list[Any]:
    made: list[Any] = []
    made.append(made)
    return made


@rows(
    "value, annotation",
    (Odd(), int),
    ({"a": Odd()}, Everything),
    (loop(), list[Any]),
    (float("nan"), float),
    ("red", Colour),
    ((1, 2), list[int]),
    ("\ud800", str),
)
def test_what_cannot_even_be_read_is_told_as_it_was_found(value: object, annotation: Any) -> None:
    refused = sent(value, annotation)

    assert isinstance(refused, client.CallError)
    assert [issue.code for issue in refused.issues] == ["invalid_value"]
    assert refused.issues[0].message


def test_a_refusal_can_be_copied_and_pickled() -> None:
    refused = sent(Everything(count=0))

    for made in (copy.deepcopy(refused), pickle.loads(pickle.dumps(refused))):
        assert made == refused
        assert type(made.exception) is client.InvalidOutput
        assert str(made.exception) == str(refused.exception)
