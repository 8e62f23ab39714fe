"""Cases: the routes of a spec, each a case of pytest's."""

from __future__ import annotations

import io
import re
import runpy
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any, NewType

import pytest
from annotated_types import Ge
from hypothesis import settings
from hypothesis import strategies as st

from contract import Request, group, route, routes, spec
from contract.testing import Finding, check_spec, checks
from contract.testing.checks import _Unseen
from tests.cli_inside import having, inside
from tests.tables import rows

QUICK = settings(max_examples=5, derandomize=True, database=None, deadline=None)
UserId = NewType("UserId", str)
OtherId = NewType("OtherId", str)


@dataclass(frozen=True)
class Ref:
    id: UserId


@route(summary="Know", tags=["t"], effect="read")
def know(input: Ref, ctx: str) -> str:
    return f"{input.id} {ctx}"


@route(summary="Ping", tags=["t"], auth="none")
def ping(input: None, ctx: None) -> Annotated[int, Ge(0)]:
    return -1


api = spec(routes=routes(know, ping), authenticate=lambda token, request: token)

test_right = check_spec(
    api, ctx="ada", settings=QUICK, without=["ping"], overrides={UserId: st.just("u1")}
)


def test_every_route_is_a_case(request: pytest.FixtureRequest) -> None:
    test: Any = check_spec(api, ctx="ada", settings=QUICK)

    assert [mark.args for mark in test.pytestmark] == [("route", ["know", "ping"])]
    test("know", request)
    with pytest.raises(Finding, match="ping: it returned -1, which does not fit"):
        test("ping", request)


def test_an_override_may_be_for_some_of_the_routes(request: pytest.FixtureRequest) -> None:
    seen: set[str] = set()

    @route(summary="See", tags=["t"], auth="none")
    def see(input: Ref, ctx: None) -> None:
        seen.add(input.id)

    test = check_spec(
        spec(routes=routes(see, ping)), settings=QUICK, overrides={UserId: st.just("u1")}
    )
    test("see", request)

    assert seen == {"u1"}


@rows(
    "arguments, message",
    ({}, r"\(know\): it is a bearer route, whose resolver needs a context; give ctx="),
    ({"ctx": "a", "without": ["no", "a"]}, r"\(without=\): the spec has no route a, no"),
    ({"ctx": "a", "overrides": {OtherId: st.none()}}, r"\(\) overrides: nothing in any route is written as OtherId"),
)  # fmt: skip
def test_what_cannot_be_checked_is_told_at_once(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"check_spec{message}"):
        check_spec(api, **arguments)


def test_without_pytest_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pytest", None)
    found = runpy.run_path(str(checks.__file__))

    with pytest.raises(ImportError, match="check_spec needs pytest: pip install pytest"):
        found["check_spec"](api)


FORGETFUL = """
from __future__ import annotations
from dataclasses import dataclass
from hypothesis import settings
from contract import Failure, NotFound, route, routes, spec
from contract.testing import check_spec

KEPT: list[str] = []

class Full(Failure, status=409):
    \"""There is no room.\"""

@dataclass(frozen=True)
class Item:
    id: str

@route(summary="Keep", tags=["t"], auth="none")
def keep(input: Item, ctx: None) -> int | Full | NotFound:
    if len(KEPT) > 5:
        return Full()
    KEPT.append(input.id)
    return 1

@route(summary="Look", tags=["t"], auth="none", effect="read")
def look(input: None, ctx: None) -> list[str]:
    return KEPT[1:] if len(KEPT) < LIMIT else 1 // 0

@route(summary="Fine", tags=["t"], auth="none")
def fine(input: int, ctx: None) -> int:
    return input

api = spec(routes=routes(ROUTES))
test_api = check_spec(api, settings=settings(max_examples=10, derandomize=True, database=None), reset=RESET)
"""


PLAINLY = [
    f"-pno:{name}"
    for name in ("cacheprovider", "faulthandler", "unraisableexception", "threadexception")
]


def report_of(folder: Path, routes: str, limit: int, *options: str, reset: str = "None") -> str:
    """What pytest says of them, in this process; a plugin that reports to the process alone is left out."""
    values = {"ROUTES": routes, "LIMIT": str(limit), "RESET": reset}
    text = re.sub("|".join(values), lambda found: values[found[0]], FORGETFUL)
    out = io.StringIO()
    with inside(having(folder, text, "test_kept.py")), redirect_stdout(out):
        pytest.main([*PLAINLY, "test_kept.py", *options])
    return out.getvalue()


def calls_in(report: str, name: str) -> list[str]:
    """The lines of a report that show what to call."""
    shown = report[report.index(f"Crashed: {name}: ") :].splitlines()[1:]
    lines = (line.removeprefix("E").strip() for line in shown)
    return [line for line in takewhile(lambda line: not line.startswith("Client"), lines) if line]


def test_failures_that_were_never_seen_are_told_at_the_end(tmp_path: Path) -> None:
    report = report_of(tmp_path, "keep, fine", 99)
    title = "=+ declared answers that were never seen =+"
    unseen = r"test_kept.py::test_api\[keep\]: NOT_FOUND"

    assert re.search(f"{title}\n{unseen}\n3 of 4 declared answers", report)


@rows("limit", 1, 4)
def test_calls_that_made_the_state_are_reported_and_show_it_again(
    tmp_path: Path, limit: int
) -> None:
    report = report_of(tmp_path, "keep, look", limit, "--tb=short")
    lines = calls_in(report, "look")

    with inside(tmp_path) as patch:
        patch.syspath_prepend(tmp_path)
        with pytest.raises(ZeroDivisionError):
            exec("\n".join(lines), {})
    if limit == 1:
        assert lines[-2:] == ["keep(Item(id=''))", "look(None)"]
    else:
        assert sum(line.startswith("keep(") for line in lines) >= limit


def test_with_a_reset_no_call_needs_another(tmp_path: Path) -> None:
    report = report_of(tmp_path, "look, keep", 1, reset="KEPT.clear")

    assert "2 passed" in report
    assert "test_api[keep]: FULL NOT_FOUND\n2 of 4" in report


NEVER_OK = "where no call is ever OK, no output is checked: say with overrides= which ids there are"


NEVER_SEEN = [
    "declared answers that were never seen", "never: OK", NEVER_OK, "2 of 3 declared answers seen",
]  # fmt: skip
ALWAYS_OK: dict[str, Any] = {"always": (("GONE",), {"OK", "GONE"})}
SOMETIMES: dict[str, Any] = {"never": (("GONE",), {"GONE"}), "always": ((), {"OK"})}


@rows("routes, lines", (SOMETIMES, NEVER_SEEN), (ALWAYS_OK, []))
def test_a_route_that_never_came_to_its_output_is_told_with_what_helps(
    routes: Any, lines: list[str]
) -> None:
    found: list[str] = []
    seen = _Unseen()
    seen.routes = routes
    seen.pytest_terminal_summary(SimpleNamespace(section=found.append, line=found.append))

    assert found == lines


def test_a_case_alone_calls_no_other_route(tmp_path: Path) -> None:
    report = report_of(tmp_path, "keep, look", 1, "-k", "look")

    assert "1 passed" in report
    assert "never seen" not in report


@route(summary="Name", tags=["t"])
def name(input: None, ctx: str) -> str:
    return ctx


@route(summary="Stock", tags=["t"])
def stock(input: None, ctx: int) -> int:
    return ctx


def number_of(token: str, request: Request) -> int | None:
    raise NotImplementedError


partners = group("partners", routes=routes(stock), authenticate=number_of)
outer = group("outer", routes=routes(partners, group("plain", routes=routes(name))))
GROUPED = spec(routes=routes(name, partners, outer), authenticate=lambda token, request: token)

CONTEXTS = {"partners": 7, "outer": "bob", "outer.partners": 8}
test_groups_have_contexts_of_their_own = check_spec(
    GROUPED, ctx="ada", contexts=CONTEXTS, settings=QUICK
)


@rows("name", "name", "partner", "partners.stock")
def test_a_context_of_no_group_is_refused(name: str) -> None:
    check_spec(GROUPED, ctx="ada", contexts=CONTEXTS)  # which are of groups alone
    with pytest.raises(ValueError, match=rf"\(contexts=\): the spec has no group {name}$"):
        check_spec(GROUPED, contexts={name: 7})
