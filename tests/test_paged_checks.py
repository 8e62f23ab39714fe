"""Pages in tests: check_route, fuzzing and draws turn them by keys that a server gave."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import pytest
from hypothesis import given

from contract import Cursor, InvalidOutput, Slice, Spec, route, routes, spec
from contract.adapters.mount import service_of
from contract.call.mount_options import Options
from contract.codegen.package import package_of
from contract.document.describe import describe
from contract.testing import (
    Client,
    Finding,
    Reply,
    bodies,
    call,
    check_route,
    check_spec,
    inputs,
    invalid_bodies,
    outputs,
)
from contract.testing.findings import silence
from contract.testing.fuzzed import Fuzzed, fuzzed_in, fuzzed_of
from contract.testing.fuzzing import Answer, Post, Result, fuzz_route
from tests import ledger

test_every_route_keeps_its_word = pytest.mark.unwatched(check_spec(ledger.api))


@dataclass(frozen=True, slots=True)
class Filter:
    word: str = ""


Numbers = Callable[[Cursor[Filter, int]], tuple[list[Any], Any]]


def listing(numbers: Numbers, *, effect: Any = "read") -> Any:
    """A route whose pages have *numbers* for items."""

    @route(summary="List", tags=["t"], auth="none", effect=effect)
    def listed(input: Cursor[Filter, int], ctx: None) -> Slice[int, int]:
        found, end = numbers(input)
        return Slice(found, end)

    return listed


def fails_behind_the_first(cursor: Cursor[Filter, int]) -> tuple[list[int], int | None]:
    if cursor.after is not None:
        raise LookupError("the second page")
    return [], 1


def wrong_behind_the_first(cursor: Cursor[Filter, int]) -> tuple[list[Any], int | None]:
    return (["a"], None) if cursor.after == 1 else ([], 1)


def test_a_mistake_on_the_second_page_is_found_and_told_as_calls() -> None:
    with pytest.raises(Finding) as found:
        check_route(listing(fails_behind_the_first))()

    assert "the second page" in str(found.value)
    assert "Cursor(filter=Filter(), after=1)" in str(found.value)


def test_a_wrong_item_on_the_second_page_is_found() -> None:
    with pytest.raises(Finding, match="does not fit what it declares"):
        check_route(listing(wrong_behind_the_first, effect="write"))()


def test_more_items_than_were_asked_for_are_found() -> None:
    with pytest.raises(Finding, match="items: has 2 items, and 1 were asked for"):
        check_route(listing(lambda cursor: ([1, 2], None)))()


def posting(api: Spec[None]) -> Post:
    client = Client(api)
    return lambda name, body: Answer(client.call(name, body=body))


def endless(cursor: Cursor[Filter, int]) -> tuple[list[int], int]:
    return [], (cursor.after or 0) + 1


def test_a_few_pages_of_a_list_without_an_end_are_enough() -> None:
    made = listing(endless)
    check_route(made)()
    api = spec(routes=routes(made))
    [known] = fuzzed_of(api)

    assert fuzzed(known, posting(api)).findings == ()


@pytest.mark.unwatched
def test_a_single_page_is_not_turned() -> None:
    made = listing(lambda cursor: ([], None))
    check_route(made)()
    api = spec(routes=routes(made))
    [known] = fuzzed_of(api)

    assert fuzzed(known, posting(api)).findings == ()


def test_a_call_has_the_key_itself() -> None:
    page: Any = call(ledger.find, Cursor(ledger.Filter(), 5, 1), None)

    assert page == Slice([ledger.Entry(5, "")], 6)


def test_a_call_has_no_other_key() -> None:
    with pytest.raises(InvalidOutput, match="after: expected int, found str"):
        call(ledger.find, Cursor(ledger.Filter(), cast("int", "5")), None)


def test_a_call_gives_no_other_key() -> None:
    with pytest.raises(Finding, match="next: expected int, found str"):
        call(listing(lambda cursor: ([], "1")), Cursor(Filter()), None)


@given(inputs(ledger.find), outputs(ledger.find), bodies(ledger.api, "find"))
def test_no_key_is_made_up(cursor: Any, page: Any, body: bytes) -> None:
    assert cursor.after is None
    assert page.next is None
    assert json.loads(body).get("after") is None


@given(invalid_bodies(ledger.api, "find"))
def test_near_misses_are_refused(miss: Any) -> None:
    reply = Client(ledger.api).call("find", body=miss.body)

    assert reply.error == "VALIDATION_ERROR"


def fuzzed(route: Fuzzed, post: Any) -> Result:
    with silence():
        return fuzz_route(route, [post], max_examples=30, seeded=1, told=lambda _: None)


def after_in(body: bytes) -> str | None:
    """The key in a body, if it is JSON at all."""
    try:
        after = json.loads(body).get("after")
    except (AttributeError, ValueError):
        return None
    return after if isinstance(after, str) else None


CLIENT = Client(ledger.api)
KNOWN = {
    "inside": {each.name: each for each in fuzzed_of(ledger.api)},
    "outside": {each.name: each for each in fuzzed_in(package_of(describe(ledger.api)))},
}


@pytest.mark.unwatched
@pytest.mark.parametrize("known", KNOWN)
@pytest.mark.parametrize("name", ["find", "everything", "of.items", "pages"])
def test_fuzzing_turns_pages(known: str, name: str) -> None:
    keys: set[str | None] = set()

    def post(name: str, body: bytes) -> Answer:
        keys.add(after_in(body))
        return Answer(CLIENT.call(name, body=body))

    result = fuzzed(KNOWN[known][name], post)

    assert result.findings == ()
    assert len(keys) > 2 or name == "pages"


def test_fuzzing_finds_keys_that_are_not_signed() -> None:
    def post(name: str, body: bytes) -> Answer:
        reply = CLIENT.call(name, body=body)
        after = after_in(body)
        if after and reply.error == "VALIDATION_ERROR" and b"page_key" in reply.body:
            return Answer(Reply(200, {"items": [], "next": None}, {}, b"{}"))
        return Answer(reply)

    [found] = fuzzed(KNOWN["inside"]["find"], post).findings

    assert found.problem.startswith("a key that it never gave is not refused: it answers 200")


def test_fuzzing_finds_workers_with_secrets_of_their_own() -> None:
    other = Client(service_of(ledger.api, Options(secrets=("o" * 32,))))

    def post(name: str, body: bytes) -> Answer:
        after = after_in(body)
        return Answer((CLIENT if after is None else other).call(name, body=body))

    [found] = fuzzed(KNOWN["inside"]["find"], post).findings

    assert found.problem.startswith("a valid input is refused")


def test_a_token_that_ends_between_two_pages_is_no_finding() -> None:
    def post(name: str, body: bytes) -> Answer:
        after = after_in(body)
        if after is None:
            return Answer(CLIENT.call(name, body=body))
        return Answer(Reply(401, {"error": "UNAUTHORIZED"}, {}, b"{}"))

    assert fuzzed(KNOWN["inside"]["find"], post).findings == ()


def test_a_spec_of_pages_alone_needs_no_secret_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CONTRACT_SECRETS", raising=False)
    made = listing(lambda cursor: ([1], None))

    assert Client(spec(routes=routes(made))).call(made, {"filter": {}}).json["items"] == [1]
