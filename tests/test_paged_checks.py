"""Pages in tests: check_route, fuzzing and draws turn them by keys that a server gave."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import pytest
from hypothesis import given

from contract import Cursor, InvalidOutput, Slice, Spec, route, routes, spec, testing
from contract.adapters.mount import service_of
from contract.call.mount_options import Options
from contract.codegen.package import package_of
from contract.document.describe import describe
from contract.testing.findings import silence
from contract.testing.fuzzed import Fuzzed, fuzzed_in, fuzzed_of
from contract.testing.fuzzing import Answer, Post, Result, fuzz_route
from tests import ledger
from tests.tables import rows

test_every_route_keeps_its_word = pytest.mark.unwatched(testing.check_spec(ledger.api))


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
    with pytest.raises(testing.Finding) as found:
        testing.check_route(listing(fails_behind_the_first))()

    assert "the second page" in str(found.value)
    assert "Cursor(filter=Filter(), after=1)" in str(found.value)


@rows(
    "numbers, effect, told",
    (wrong_behind_the_first, "write", "does not fit what it declares"),
    (lambda cursor: ([1, 2], None), "read", "items: has 2 items, and 1 were asked for"),
)
def test_a_wrong_item_and_one_too_many_are_found(numbers: Any, effect: str, told: str) -> None:
    with pytest.raises(testing.Finding, match=told):
        testing.check_route(listing(numbers, effect=effect))()


def posting(api: Spec[None]) -> Post:
    client = testing.Client(api)
    return lambda name, body: Answer(client.call(name, body=body))


def endless(cursor: Cursor[Filter, int]) -> tuple[list[int], int]:
    return [], (cursor.after or 0) + 1


@rows("numbers", endless, pytest.param(lambda cursor: ([], None), marks=pytest.mark.unwatched))
def test_of_a_list_a_few_pages_are_enough_and_of_a_single_page_there_is_no_next(
    numbers: Numbers,
) -> None:
    made = listing(numbers)
    testing.check_route(made)()
    api = spec(routes=routes(made))
    [known] = fuzzed_of(api)

    assert fuzzed(known, posting(api)).findings == ()


def test_a_call_has_the_key_itself() -> None:
    page: Any = testing.call(ledger.find, Cursor(ledger.Filter(), 5, 1), None)

    assert page == Slice([ledger.Entry(5, "")], 6)


def test_a_call_has_no_other_key() -> None:
    with pytest.raises(InvalidOutput, match="after: expected int, found str"):
        testing.call(ledger.find, Cursor(ledger.Filter(), cast("int", "5")), None)


def test_a_call_gives_no_other_key() -> None:
    with pytest.raises(testing.Finding, match="next: expected int, found str"):
        testing.call(listing(lambda cursor: ([], "1")), Cursor(Filter()), None)


GIVEN: Any = (testing.inputs(ledger.find), testing.outputs(ledger.find))


@given(*GIVEN, testing.bodies(ledger.api, "find"))
def test_no_key_is_made_up(cursor: Any, page: Any, body: bytes) -> None:
    for key in (cursor.after, page.next, json.loads(body).get("after")):
        assert key is None


@given(testing.invalid_bodies(ledger.api, "find"))
def test_near_misses_are_refused(miss: Any) -> None:
    reply = testing.Client(ledger.api).call("find", body=miss.body)

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


CLIENT = testing.Client(ledger.api)
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
            return Answer(testing.Reply(200, {"items": [], "next": None}, {}, b"{}"))
        return Answer(reply)

    [found] = fuzzed(KNOWN["inside"]["find"], post).findings

    assert found.problem.startswith("a key that it never gave is not refused: it answers 200")


def test_fuzzing_finds_workers_with_secrets_of_their_own() -> None:
    other = testing.Client(service_of(ledger.api, Options(secrets=("o" * 32,))))

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
        return Answer(testing.Reply(401, {"error": "UNAUTHORIZED"}, {}, b"{}"))

    assert fuzzed(KNOWN["inside"]["find"], post).findings == ()


def test_a_spec_of_pages_alone_needs_no_secret_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CONTRACT_SECRETS", raising=False)
    made = listing(lambda cursor: ([1], None))

    assert testing.Client(spec(routes=routes(made))).call(made, {"filter": {}}).json["items"] == [1]
