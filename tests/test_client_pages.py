"""Pages of generated clients: every item is a result, and no failure is lost among them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from contract.client import CallError, Ok, unwrap
from tests.client_fakes import AsyncInMemory, InMemory, Scripted, answer
from tests.ledger import api
from tests.python_clients import generated

module = generated(api)


@pytest.fixture
def ledger(module: Any) -> Any:
    return module.ApiClient("http://a.example", transport=InMemory(api))


@pytest.fixture
def later(module: Any) -> Any:
    return module.AsyncApiClient("http://a.example", transport=AsyncInMemory(api))


def test_a_loop_goes_through_all_pages(module: Any) -> None:
    transport = InMemory(api)
    ledger = module.ApiClient("http://a.example", transport=transport)
    found = [*module.pages(ledger.find, filter=module.FilterInput(word="a"), limit=3)]

    assert [unwrap(each) for each in found] == [module.Entry(id=n, word="a") for n in range(7)]
    assert len(transport.sent) == 3
    assert {each.response.status for each in found} == {200}


def test_it_is_so_later_and_in_a_group(module: Any, later: Any) -> None:
    async def walk() -> list[Any]:
        return [each async for each in module.pages(later.of.items, filter=1, limit=2)]

    assert [unwrap(each).id for each in asyncio.run(walk())] == [*range(7)]


def test_one_page_is_asked_for_as_ever(ledger: Any, later: Any) -> None:
    first = unwrap(ledger.everything())
    second = unwrap(ledger.everything(after=first.next))

    assert (first.items, second.items) == (["number 0", 1, "number 2"], [3, "number 4", 5])
    assert unwrap(asyncio.run(later.everything())) == first
    assert "List everything." in type(ledger).__dict__["everything"].__doc__


def test_a_failure_in_the_middle_is_the_last_result(module: Any, ledger: Any) -> None:
    found = [*module.pages(ledger.find, filter=module.FilterInput(fails_at=5), limit=2)]

    assert [type(each) for each in found] == [Ok] * 4 + [module.Refused]
    assert (found[-1].at, found[-1].response.status) == (5, 409)


def test_each_page_is_checked(module: Any) -> None:
    first = answer(b'{"items": [1], "next": "k"}')
    wrong = answer(b'{"items": [null], "next": null}')
    ledger = module.ApiClient("http://a.example", transport=Scripted(first, wrong))
    _, last = module.pages(ledger.everything)

    assert isinstance(last, CallError)
    assert [each.path for each in last.issues] == [("items", 0)]


def test_the_next_page_is_asked_for_when_it_is_there(module: Any) -> None:
    transport = InMemory(api)
    ledger = module.ApiClient("http://a.example", transport=transport)
    walk = module.pages(ledger.everything)
    for number, _ in enumerate(walk):
        if number == 3:
            break

    assert len(transport.sent) == 2
    assert len([*walk]) == 7  # from the start again


def test_it_begins_where_it_is_told_to(module: Any, ledger: Any) -> None:
    after = unwrap(ledger.everything()).next
    found = [unwrap(each) for each in module.pages(ledger.everything, after=after)]

    assert found == [3, "number 4", 5, "number 6"]


def test_a_page_that_leads_to_itself_ends_the_loop(module: Any) -> None:
    again = answer(b'{"items": [1], "next": "k"}', x_request_id="r1")
    ledger = module.ApiClient("http://a.example", transport=Scripted(again, again))
    found = [*module.pages(ledger.everything)]

    assert [type(each) for each in found] == [Ok, Ok, CallError]
    assert (found[-1].code, found[-1].status) == ("UNKNOWN_ERROR", 200)
    assert found[-1].response.request_id == "r1"
    assert found[-1].issues[0].path == ("next",)
