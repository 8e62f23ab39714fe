"""A document as a spec whose resolvers make their answers up."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

import pytest
from annotated_types import Ge, Len, Predicate

from contract import Deprecated, Failure, Meta, NotFound, calling, route, routes, spec
from contract.codegen.package import package_of
from contract.declare.spec import Spec
from contract.document.contract_json import load_contract
from contract.document.emit import emit_contract
from contract.pred.compile import compile_pred
from contract.shape.exceptions import GenerationError
from contract.testing.mock_spec import example, forced, known_codes, mock_spec, preferences
from tests.mocks import echo_of, package
from tests.tables import rows


class SoldOut(Failure, status=409):
    """Every copy is sold."""

    restock_days: Annotated[int, Ge(0)]
    tags: list[str] | None = None


class Closed(Failure, status=409):
    """It is Sunday."""


@dataclass(frozen=True)
class Order:
    product_id: Annotated[str, Len(1, 40)]
    tags: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Receipt:
    order_id: str
    price_cents: Annotated[int, Ge(0)]


OLD = Deprecated(since=date(2026, 1, 31), remove_on=date(2027, 1, 1))


@route(summary="Order", tags=["orders"], deprecated=OLD)
def order(input: Order, ctx: str) -> Receipt | SoldOut | Closed | NotFound:
    raise NotImplementedError


@route(summary="Ping", tags=["orders"], auth="none", deprecated=True)
def ping(input: None, ctx: None) -> list[str]:
    raise NotImplementedError


def who(token: str, request: object) -> str:
    return token


ORDER = {"product_id": "p1"}
API: Spec[str] = spec(authenticate=who, routes=routes(order, ping), meta=Meta(title="Shop"))


def answer(mock: Spec[Any], name: str, input_: object = None, prefer: str | None = None) -> Any:
    entry = mock.entries[name]
    pred = None if entry.input is None else compile_pred(entry.input)
    value = None if pred is None else pred.load(json.dumps(input_).encode())
    headers = {} if prefer is None else {"Prefer": prefer}
    with calling(name, headers=headers):
        found = entry.route.resolver(value, None)
    if isinstance(found, Failure):
        declared: Any = entry.failures.get(type(found), mock.builtins.get(type(found)))
        return found.error_code, json.loads(compile_pred(declared.shape).dump(found))
    return json.loads(compile_pred(entry.output).dump(found))


def test_equal_calls_get_equal_answers_and_others_others() -> None:
    one, again, other = (mock_spec(package(API), seed=seed) for seed in (0, 0, 1))
    first = answer(one, "order", {"product_id": "p1", "tags": ["b", "a"]})

    assert first.keys() == {"order_id", "price_cents"}
    assert first == answer(again, "order", {"tags": ["a", "b"], "product_id": "p1"})
    assert first != answer(one, "order", {"product_id": "p2"})
    assert first != answer(other, "order", {"product_id": "p1", "tags": ["b", "a"]})
    assert answer(one, "ping") == answer(again, "ping")


@pytest.mark.unwatched
@rows(
    "prefer, code, data",
    ("code=SOLD_OUT", "SOLD_OUT", {"restock_days", "tags"}),
    ("code=CLOSED", "CLOSED", set[str]()),
    ("status=409", "CLOSED", set[str]()),
    ("code=NOT_FOUND", "NOT_FOUND", {"message", "description"}),
    ("code=FORBIDDEN", "FORBIDDEN", {"message", "description"}),
    ("status=429", "TOO_MANY_REQUESTS", {"title", "message", "retry_after"}),
)
def test_failures_are_made_up_too(prefer: str, code: str, data: set[str]) -> None:
    found = answer(mock_spec(package(API)), "order", ORDER, prefer)

    assert found[0] == code
    assert found[1].keys() <= data


@rows("prefer", "code=NOTHING", "status=200", "status=499", "return=minimal", "")
def test_what_cannot_be_preferred_changes_nothing(prefer: str) -> None:
    mock = mock_spec(package(API))

    assert answer(mock, "order", ORDER, prefer) == answer(mock, "order", ORDER)


def test_a_declared_failure_goes_before_others_of_its_status() -> None:
    known = known_codes({"GONE": 404}, is_public=True)
    found = forced("status=404", known)

    assert found is not None
    assert (found.code, found.status, found.applied) == ("GONE", 404, "status=404")
    assert forced("status=404", known) == forced("Status=404", known)
    assert forced("code=INTERNAL_ERROR", known) is not None
    assert forced(None, known) is None


def test_what_a_document_says_of_routes_is_kept() -> None:
    mock = mock_spec(package(API))
    ordering, pinging = mock.entries["order"].route, mock.entries["ping"].route
    deprecated = Deprecated(since=date(2026, 1, 31), remove_on=date(2027, 1, 1))

    assert (ordering.auth, ordering.deprecated) == ("bearer", deprecated)
    assert (pinging.auth, pinging.deprecated) == ("none", Deprecated())
    assert mock.authenticator is not None  # any token will do
    assert mock.authenticator.function("whatever", object()) is True  # type: ignore[arg-type]


def test_inputs_are_made_up_for_those_who_call() -> None:
    made = example(package(API), "order")

    assert made is not None
    assert json.loads(made).keys() <= {"product_id", "tags"}
    assert example(package(API), "ping") is None


# What cannot be mocked.


def changed(change: Mapping[str, Any]) -> Any:
    """The package of a document with other values at some places."""
    document = json.loads(emit_contract(API))
    for place, value in change.items():
        *steps, last = place.split("/")
        at = document
        for step in steps:
            at = at[step]
        at[last] = value
    return package_of(load_contract(json.dumps(document).encode()))


ERRORS = "routes/order/errors"
ORDER_ID = "$defs/Receipt/properties/order_id"


UNMOCKED: list[tuple[dict[str, Any], str]] = [
    ({f"{ORDER_ID}/minLength": 20_000}, "no valid value was found: order_id: "),
    ({f"{ORDER_ID}/pattern": "^a{3}$", f"{ORDER_ID}/minLength": 4}, "give the field an example"),
]


@pytest.mark.parametrize(("change", "problem"), UNMOCKED)
def test_what_cannot_be_mocked_is_told_with_its_place(
    change: Mapping[str, Any], problem: str
) -> None:
    with pytest.raises(GenerationError) as caught:
        mock_spec(changed(change))

    assert caught.value.path.startswith("$.")
    assert problem in caught.value.problem


def test_codes_that_no_author_is_given_are_mocked_all_the_same() -> None:
    error = {"status": 410, "description": "x", "data_required": False}
    mock = mock_spec(changed({f"{ERRORS}/OK": error}))

    assert answer(mock, "order", ORDER, "code=OK") == ("OK", {})


def test_what_another_server_calls_not_found_is_mocked_as_it_has_it() -> None:
    here = mock_spec(
        changed(dict.fromkeys([f"{ERRORS}/NOT_FOUND/status", "errors/NOT_FOUND/status"], 410))
    )
    fields: dict[str, Any] = {"required": ["other"], "x-contract-order": ["other"]}
    fields["properties"] = {"other": {"type": "string"}}
    other = mock_spec(changed({f"$defs/NotFound/{key}": value for key, value in fields.items()}))

    assert answer(here, "order", ORDER, "status=410")[0] == "NOT_FOUND"
    assert answer(other, "order", ORDER, "code=NOT_FOUND")[1].keys() == {"other"}
    assert answer(other, "ping", None, "code=NOT_FOUND")[1].keys() == {"other"}


def test_a_catalogue_may_lack_the_builtins() -> None:
    document = json.loads(emit_contract(API))
    del document["errors"]["FORBIDDEN"]
    mock = mock_spec(package_of(load_contract(json.dumps(document).encode())))

    assert answer(mock, "order", ORDER, "code=FORBIDDEN") == ("FORBIDDEN", {})


def test_wrong_examples_are_not_believed() -> None:
    place = "$defs/Receipt/properties/price_cents"
    mock = mock_spec(changed({f"{place}/minimum": 5, f"{place}/examples": [1]}))

    assert answer(mock, "order", ORDER)["price_cents"] >= 5


def test_a_document_without_a_line_for_a_title_is_mocked_all_the_same() -> None:
    assert mock_spec(changed({"info/title": "two\nlines "})).meta.title == "two lines"


def test_a_predicate_is_not_known() -> None:
    mock = mock_spec(package(echo_of(Annotated[int, Predicate(lambda number: number == -1)])))

    assert isinstance(answer(mock, "echo", 5), int)


# What a client prefers (RFC 7240).


@rows(
    "header, found",
    ("", {}),
    ("code=SOLD_OUT", {"code": "SOLD_OUT"}),
    ("Code = SOLD_OUT", {"code": "SOLD_OUT"}),
    ("respond-async, wait=100", {"respond-async": "", "wait": "100"}),
    ("respond-async, code=A; x=y, code=B", {"respond-async": "", "code": "A"}),
    ('code="A,B", foo="\\"x\\\\"; bar', {"code": "A,B", "foo": '"x\\'}),
    ('foo; some-parameter="a,b", status=409', {"foo": "", "status": "409"}),
    (", ,=, a", {"a": ""}),
    ('code="A', {"code": "", "a": ""}),
    ("a" * 2000, {"a" * 1000: ""}),
)
def test_preferences_are_read(header: str, found: dict[str, str]) -> None:
    assert preferences(header) == found


@rows("header", " " * 1_000_000, '"\\' * 500_000, "a" + " " * 1_000_000 + "b", '"' * 1_000_000, "a=" * 500_000)  # fmt: skip
def test_a_hostile_header_costs_little(header: str) -> None:
    assert len(preferences(header)) < 3
