"""Findings: the calls that came before, as Python, and declared failures that never came."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from hypothesis import settings as Settings  # noqa: N812  it is a class

from contract import Failure, Forbidden, NotFound, hook, requires, route, spec
from contract.declare.hook import Call, Request
from contract.testing import check_route
from contract.testing.findings import Finding, History, declared_by, joined, told_of, unseen
from tests.tables import rows


class Gone(Failure, status=410):
    """Not any more."""


@route(summary="Take", tags=["t"], auth="none")
def take(input: None, ctx: None) -> int | NotFound | Gone:
    return 1


@route(summary="Fail", tags=["t"], auth="none")
def fail(input: None, ctx: None) -> None:
    raise LookupError("canary")


def test_what_is_declared_and_was_not_seen_is_told() -> None:
    declared = declared_by(spec(routes=[take]).entries["take"])

    assert declared == ("GONE", "NOT_FOUND")
    assert unseen(declared, {"OK", "GONE"}) == ("NOT_FOUND",)
    assert unseen(declared, {"GONE", "NOT_FOUND"}) == ("OK",)
    assert told_of(3, 1) == "1 of 3 declared answers seen"
    assert told_of(0, 0) == "no answer was asked for"


@dataclass(frozen=True)
class User:
    scopes: frozenset[str]


@hook
def banned(call: Call[User]) -> Forbidden | None:
    return None


@route(summary="Take", tags=["t"], auth=requires("stock"))
def guarded(input: None, ctx: User) -> int | NotFound:
    return 1


@route(summary="Take", tags=["t"], auth=requires("stock"))
def forbidding(input: None, ctx: User) -> int | Forbidden:
    return 1


@rows(
    "taken, hooks, declared",
    (guarded, [], ("NOT_FOUND",)),
    (guarded, [banned], ("FORBIDDEN", "NOT_FOUND")),
    (forbidding, [], ("FORBIDDEN",)),
)
def test_what_scopes_forbid_is_no_answer_of_the_authors(
    taken: Any, hooks: Any, declared: tuple[str, ...]
) -> None:
    def authenticate(token: str, request: Request) -> User:
        return User(frozenset())

    api = spec(routes=[taken], hooks=hooks, authenticate=authenticate)
    [entry] = api.entries.values()
    assert declared_by(entry) == declared


# History: the calls that came before, as Python.


IMPORTS = "import asyncio"


def lines(name: str) -> list[str]:
    return [IMPORTS, f"from shop import {name}", f"{name}()", f"Client(api).call('{name}', {{}})"]


def history_of(*calls: str, reads: str = "") -> History:
    history = History()
    for name in calls:
        history.add(name, partial(lines, name), only_reads=name in reads)
    return history


def test_a_call_that_went_well_before_needs_the_state_of_others() -> None:
    history = history_of("a", "b", "a")
    history.went_well(0)

    assert (len(history), history.needs_state(2), history.needs_state(3)) == (3, True, False)
    imports = [IMPORTS, "from shop import a", "from shop import b"]
    assert history.before(2) == [*imports, "a()", "b()"]


def test_what_went_wrong_in_the_first_look_may_need_what_changed_something() -> None:
    history = History()
    history.looking.append(None)
    for name in ("a", "b", "c"):
        history.add(name, partial(lines, name), only_reads=name == "a")
    history.went_wrong(2)
    history.looking.clear()
    history.add("c", partial(lines, "c"), only_reads=False)
    history.went_wrong(3)

    assert history.looked(3) == [IMPORTS, "from shop import b", "b()"]
    assert history.looked(4) == []


def test_calls_that_nobody_reads_are_counted() -> None:
    calls = ["import a", *["b()"] * 1_019, "d()"]
    finding = Finding("take", "it is wrong", calls)
    hint = (
        "    # 1,000 more came before, and it may need what they changed; "
        "give reset= (finding.calls has all of them)"
    )

    assert finding.calls == (*calls,)
    assert str(finding).splitlines() == [
        "take: it is wrong",
        "",
        "    import a",
        hint,
        *["    b()"] * 19,
        "    d()",
    ]
    assert "more came" not in str(Finding("take", "it is wrong", calls[-20:]))


def test_the_way_to_an_exception_is_left_out() -> None:
    """What of this package called the resolver is nothing that its author can change."""
    api = spec(routes=[fail])
    with pytest.raises(Finding) as found:
        check_route(fail, api=api, settings=Settings(max_examples=1, database=None))()

    cause = found.value.__cause__
    assert cause is not None
    assert cause.__traceback__ is not None
    assert cause.__traceback__.tb_frame.f_code.co_name == "fail"
    never_raised = ValueError()
    assert Finding("take", "it is wrong", (), never_raised).__cause__ is never_raised


def test_imports_stand_at_first_and_once() -> None:
    found = joined(["import a", "b()"], ["import a", "from c import d", "d()"])

    assert found == ["import a", "from c import d", "b()", "d()"]
