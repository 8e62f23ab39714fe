"""Findings: the calls that came before, as Python, and declared failures that never came."""

from __future__ import annotations

from functools import partial

from contract import Failure, NotFound, route, spec
from contract.testing.findings import History, declared_by, joined, told_of, unseen


class Gone(Failure, status=410):
    """Not any more."""


@route(summary="Take", tags=["t"], auth="none")
def take(input: None, ctx: None) -> int | NotFound | Gone:
    return 1


def test_what_is_declared_and_was_not_seen_is_told() -> None:
    declared = declared_by(spec(routes=[take]).entries["take"])

    assert declared == ("GONE", "NOT_FOUND")
    assert unseen(declared, {"OK", "GONE"}) == ("NOT_FOUND",)
    assert unseen(declared, {"GONE", "NOT_FOUND"}) == ("OK",)
    assert told_of(3, 1) == "1 of 3 declared answers seen"
    assert told_of(0, 0) == "no answer was asked for"


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


def test_calls_that_nobody_reads_come_with_what_does_without_them() -> None:
    hint = "# 21 calls came before, and it may need what they changed; give reset="

    assert joined(["import a", *["b()"] * 21], ["d()"]) == ["import a", hint, *["b()"] * 21, "d()"]
    assert joined(["b()"] * 20, ["d()"]) == [*["b()"] * 20, "d()"]


def test_imports_stand_at_first_and_once() -> None:
    found = joined(["import a", "b()"], ["import a", "from c import d", "d()"])

    assert found == ["import a", "from c import d", "b()", "d()"]
