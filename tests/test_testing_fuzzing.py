"""Fuzzing: routes that are known from outside, and what is found of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import count
from typing import Annotated, Any
from urllib.parse import quote

import pytest
from annotated_types import Ge, Len, Lt, MultipleOf, Predicate
from hypothesis.errors import Unsatisfiable

from contract import Cache, Failure, NotFound, Pattern, emit_contract, requires, route, routes, spec
from contract.codegen.package import package_of
from contract.document.contract_json import load_contract
from contract.testing import Client, Reply
from contract.testing.findings import (
    Crashed,
    Disagrees,
    Finding,
    NotRefused,
    Refused,
    Undeclared,
    Unstable,
    WrongOutput,
)
from contract.testing.fuzzed import Fuzzed, fuzzed_in, fuzzed_of
from contract.testing.fuzzing import Answer, Post
from tests.fuzzed import asking, fuzz, inside_and_outside
from tests.tables import rows


class SoldOut(Failure, status=409):
    """Gone."""

    days: Annotated[int, Ge(0)]


class Gone(Failure, status=410):
    """Never declared where it is given."""


@dataclass(frozen=True)
class Order:
    product: Annotated[str, Len(1, 9)]
    quantity: Annotated[int, Ge(1)] = 1


@route(summary="Order", tags=["t"], auth="none")
def order(input: Order, ctx: None) -> int | SoldOut | NotFound:
    return SoldOut(days=input.quantity) if input.quantity > 3 else 100


@route(summary="Ping", tags=["t"], auth="none")
def ping(input: None, ctx: None) -> None: ...


@route(summary="Me", tags=["t"])
def me(input: None, ctx: str) -> str:
    return ctx


def even(number: int) -> bool:
    return number % 2 == 0


@route(summary="Even", tags=["t"], auth="none")
def evens(input: Annotated[int, Predicate(even)], ctx: None) -> int:
    return input // 2


api = spec(routes=routes(order, ping, me, evens), authenticate=lambda token, request: token)
INSIDE, OUTSIDE = inside_and_outside(api)
CLIENT = Client(api)


served = asking(CLIENT)


def answering(status: int, body: Any, cause: str | None = None) -> Post:
    """A server that refuses what is wrong, and answers everything else in one way."""

    def post(name: str, body_: bytes) -> Answer:
        found = served(name, body_)
        return found if found.reply.error == "VALIDATION_ERROR" else made(status, body, cause)

    return post


def made(status: int, body: Any, cause: str | None = None) -> Answer:
    if isinstance(body, bytes):
        return Answer(Reply(status, None, {}, body), cause)
    return Answer(Reply(status, body, {}, json.dumps(body).encode()), cause)


@route(summary="Kept", tags=["t"], auth="none", effect="read", cache=Cache(max_age=1))
def kept(input: Order, ctx: None) -> int | NotFound:
    return NotFound() if input.quantity == 2 else input.quantity


def test_a_read_is_called_by_get_too() -> None:
    client = Client(spec(routes=[kept]))
    inside, outside = (side["kept"] for side in inside_and_outside(spec(routes=[kept])))
    counted = [0]

    post = asking(client)

    def get(name: str, body: bytes) -> Answer:
        counted[0] += 1
        return Answer(client.get(f"{name}?input={quote(body)}"))

    def other(name: str, body: bytes) -> Answer:
        found = get(name, body).reply
        wrong = found.status == 200 and found.json > 2
        return Answer(replace(found, json=0, body=b"0") if wrong else found)

    def too_long(name: str, body: bytes) -> Answer:
        return Answer(replace(get(name, body).reply, status=414))

    def findings(fuzzed: Fuzzed, posted: Post, gotten: Post, most: int = 15) -> tuple[Finding, ...]:
        return fuzz(fuzzed, posted, gets=[gotten], most=most).findings

    for fuzzed in (inside, outside):
        counted[0] = 0
        assert findings(fuzzed, post, get) == ()
        assert counted[0] > 10
        assert findings(fuzzed, post, too_long) == ()
        [finding] = findings(fuzzed, post, other, most=30)
        assert type(finding) is Disagrees
        assert finding.problem == "it answers 200 0 by GET, and 200 3 by POST"
        assert finding.body == b'{"product":"0","quantity":3}'
    assert not findings(replace(inside, cached=False), post, other)

    ticking = count()

    def tick(name: str, body: bytes) -> Answer:
        found = post(name, body).reply
        return Answer(replace(found, json=next(ticking)) if found.status == 200 else found)

    assert findings(inside, tick, other) == ()


@rows("known", INSIDE, OUTSIDE)
@rows("name", "order", "ping", "evens")
def test_a_route_that_keeps_its_contract_has_no_findings(
    known: dict[str, Fuzzed], name: str
) -> None:
    result = fuzz(known[name], served)

    assert result.findings == ()
    assert min(result.valid, result.invalid) > 0
    assert result.skipped is None


@pytest.mark.unwatched
def test_answers_are_counted_and_each_call_is_told() -> None:
    counts: list[int] = []
    result = fuzz(INSIDE["order"], served, told=counts.append)

    assert set(result.codes) == {"OK", "SOLD_OUT"}
    assert sum(result.codes.values()) == result.valid
    assert (result.declared, result.unseen) == (("NOT_FOUND", "SOLD_OUT"), ("NOT_FOUND",))
    assert counts == list(range(1, result.valid + result.invalid + 1))


@pytest.mark.unwatched
def test_the_same_seed_gives_the_same_calls() -> None:
    def bodies(seed: int) -> list[bytes]:
        sent: list[bytes] = []

        def post(name: str, body: bytes) -> Answer:
            sent.append(body)
            return served(name, body)

        fuzz(INSIDE["order"], post, seeded=seed)
        return sent

    assert bodies(1) == bodies(1) != bodies(2)


def test_a_route_that_nobody_may_call_is_left_out() -> None:
    result = fuzz(INSIDE["me"], served)

    assert result.skipped == "the credential is refused, or there is none"
    assert (result.valid, result.invalid, result.findings) == (0, 0, ())


@dataclass(frozen=True)
class Member:
    scopes: frozenset[str]


@route(summary="Refund", tags=["t"], auth=requires("orders:write", "b"))
def refund(input: Order, ctx: Member) -> int:
    return input.quantity


MEMBERS = spec(
    routes=routes(refund),
    authenticate=lambda token, request: Member(frozenset({"b", f"orders:{token}"})),
)


def called_by(token: str) -> Post:
    return asking(Client(MEMBERS, token=token))


@rows("known", *inside_and_outside(MEMBERS))
def test_who_has_not_the_scopes_that_a_route_requires_is_left_out(known: dict[str, Fuzzed]) -> None:
    few = fuzz(known["refund"], called_by("read"))
    both = fuzz(known["refund"], called_by("read"), called_by("write"))

    assert few.skipped == "it requires the scopes orders:write b, which no token has"
    assert (few.valid, few.refused) == (0, ())
    assert (both.skipped, both.findings, both.unseen) == (None, (), ())
    assert both.codes == {"FORBIDDEN": 1, "OK": both.valid}


def test_each_call_is_one_callers() -> None:
    called: set[str] = set()

    def caller(token: str) -> Post:
        client = Client(api, token=token)

        def post(name: str, body: bytes) -> Answer:
            reply = client.call(name, body=body)
            called.add(token)
            return made(502, b"oh") if token == "b" and reply.status == 200 else Answer(reply)

        return post

    result = fuzz(INSIDE["me"], served, caller("a"), caller("b"))

    assert called == {"a", "b"}
    assert (result.refused, result.skipped) == ((0,), None)
    assert {finding.caller for finding in result.findings} == {2}


QUOTED = "with what is not an output: (value): Must be an integer without quotes, not a string."
EMPTY = "with what is not an output: (value): The body is empty; send one JSON value."
NO_DAYS = "it answers SOLD_OUT with data that do not fit it: days: This field is required."
OTHER_STATUS = 'it answers 500 {"error": "NOT_FOUND"}, and NOT_FOUND has the status 404'
REFUSED = 'a valid input is refused: it answers 400 {"error": "VALIDATION_ERROR"}'


@rows(
    "status, body, kind, problem",
    (200, "x", WrongOutput, QUOTED),
    (200, b"", WrongOutput, EMPTY),
    (409, {"error": "SOLD_OUT"}, WrongOutput, NO_DAYS),
    (502, b"<html>", WrongOutput, " 502 <html>, which is not an answer of the contract's"),
    (502, b"x" * 300, WrongOutput, f" 502 {'x' * 200}..., which is not an answer of the"),
    (410, {"error": "GONE"}, Undeclared, ' 410 {"error": "GONE"}, which is not declared'),
    (415, {"error": "UNSUPPORTED_MEDIA_TYPE"}, Undeclared, '"}, to a request that is sound'),
    (500, {"error": "INTERNAL_ERROR"}, Crashed, "it answers 500: why"),
    (500, {"error": "NOT_FOUND"}, WrongOutput, OTHER_STATUS),
    (400, {"error": "VALIDATION_ERROR"}, Refused, REFUSED),
)
def test_an_answer_that_breaks_the_contract_is_found(
    status: int, body: Any, kind: type[Exception], problem: str
) -> None:
    result = fuzz(OUTSIDE["order"], answering(status, body, "why"), most=5)

    assert {type(finding) for finding in result.findings} == {kind}
    assert problem in result.findings[0].problem
    assert result.findings[0].body == b'{"product":"0"}'


def test_without_a_cause_the_log_is_named() -> None:
    [finding] = fuzz(OUTSIDE["ping"], answering(500, {"error": "INTERNAL_ERROR"})).findings

    assert finding.problem == "it answers 500: its log says why"


@pytest.mark.unwatched
@rows("status, code", (401, "UNAUTHORIZED"), (413, "PAYLOAD_TOO_LARGE"), (403, "FORBIDDEN"))
def test_what_is_the_callers_is_no_finding(status: int, code: str) -> None:
    assert fuzz(OUTSIDE["order"], answering(status, {"error": code})).findings == ()


def test_issues_of_any_other_form_are_none() -> None:
    issues = [{"path": [[1]], "code": {}}]
    answer = made(400, {"error": "VALIDATION_ERROR", "data": {"issues": issues}})
    findings = fuzz(OUTSIDE["order"], lambda name, body: answer).findings

    assert {type(finding) for finding in findings} == {Refused, NotRefused}


Five = Annotated[Decimal, Ge(5), Lt(10), MultipleOf(5)]
NOTHING: list[Any] = [
    Annotated[int, Predicate(lambda number: number is None)],
    Annotated[str, Pattern("^a+$"), Pattern("^b+$")],
]


@rows("nothing", *NOTHING)
def test_a_route_whose_type_allows_nothing_is_left_out(nothing: Any) -> None:
    def never(input: Any, ctx: None) -> None:
        raise AssertionError

    never.__annotations__ |= {"input": nothing, "return": None}
    (known,) = fuzzed_of(spec(routes=[route(summary="Never", tags=["t"], auth="none")(never)]))
    result = fuzz(known, lambda name, body: Answer(Reply(400, None, {}, b"")))

    assert result.skipped == "no input was found that its type allows"
    assert result.valid == 0


def test_a_route_whose_document_allows_nothing_is_left_out() -> None:
    """A document that somebody has changed may have limits that no annotation may have."""

    @route(summary="Never", tags=["t"], auth="none")
    def never(input: Five, ctx: None) -> None: ...

    none = emit_contract(spec(routes=[never])).replace(b'"ge": "5"', b'"ge": "6"')
    (known,) = fuzzed_in(package_of(load_contract(none)))

    found = fuzz(known, lambda name, body: Answer(Reply(400, None, {}, b"")))
    assert found.skipped == "no input was found that its type allows"


@rows("known", INSIDE, OUTSIDE)
def test_a_near_miss_that_passes_is_found(known: dict[str, Fuzzed]) -> None:
    def post(name: str, body: bytes) -> Answer:
        found = served(name, body)
        passes = body != b"]" and found.reply.status == 400
        return Answer(Reply(200, 1, {}, b"1"), "request 7") if passes else found

    (finding,) = fuzz(known["order"], post).findings

    assert type(finding) is NotRefused
    assert finding.problem.startswith("a wrong body (")
    assert finding.problem.endswith(": it answers 200 1 (request 7)")
    assert finding.body is not None
    assert served("order", finding.body).reply.status == 400


def by_quantity(choose: Callable[[int, bytes], Answer | None]) -> Post:
    """A server whose answer depends on the quantity that is ordered; what *choose* leaves is right."""

    def post(name: str, body: bytes) -> Answer:
        found = served(name, body)
        if not body.startswith(b'{"') or found.reply.status == 400:
            return found
        return choose(int(json.loads(body).get("quantity", 1)), body) or found

    return post


GONE, BROKEN = made(410, {"error": "GONE"}), made(502, b"oh")


@pytest.mark.unwatched
def test_two_sorts_of_bugs_are_two_findings() -> None:
    def choose(quantity: int, body: bytes) -> Answer | None:
        if quantity > 4:
            return GONE
        return BROKEN if quantity > 2 else None

    findings = fuzz(INSIDE["order"], by_quantity(choose)).findings

    assert {(type(finding).__name__, finding.body) for finding in findings} >= {
        ("WrongOutput", b'{"product":"0","quantity":3}'),
        ("Undeclared", b'{"product":"0","quantity":5}'),
    }


def test_one_bug_is_one_finding_whatever_its_exception_quotes() -> None:
    """The first line says what it is; SQLAlchemy puts the statement and its parameters below."""

    def post(name: str, body: bytes) -> Answer:
        cause = f"the resolver raised DataError: out of range\n[parameters: {body!r}]"
        return answering(500, {"error": "INTERNAL_ERROR"}, cause)(name, body)

    findings = fuzz(INSIDE["order"], post).findings

    assert [type(finding).__name__ for finding in findings] == ["Crashed"]


def test_a_bug_that_does_not_happen_again_is_found_beside_another() -> None:
    met: list[bytes] = []

    def choose(quantity: int, body: bytes) -> Answer | None:
        if quantity > 4:
            return GONE
        if quantity <= 2 or met:
            return None
        met.append(body)
        return BROKEN

    findings = fuzz(INSIDE["order"], by_quantity(choose), most=100).findings
    always, once = sorted(findings, key=repr)

    assert (type(always), type(once)) == (Undeclared, Unstable)
    assert "the same call went well another time" in once.problem
    assert once.body == met[0]


def test_what_is_no_finding_is_raised() -> None:
    def post(name: str, body: bytes) -> Answer:
        if body != b"]":
            raise ConnectionError
        return served(name, body)

    with pytest.raises(ConnectionError):
        fuzz(INSIDE["order"], post)


def test_what_is_no_finding_is_raised_beside_one() -> None:
    def choose(quantity: int, body: bytes) -> Answer | None:
        if quantity > 4:
            raise ConnectionError
        return BROKEN if quantity else None

    with pytest.raises(BaseExceptionGroup) as caught:
        fuzz(INSIDE["order"], by_quantity(choose))

    assert caught.group_contains(ConnectionError)
    assert not caught.group_contains(Unsatisfiable)
