"""Checks: routes that keep their contract pass, and of those with a planted bug the smallest call is reported."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from itertools import count, cycle
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from annotated_types import Ge, Len
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky, Unsatisfiable

from contract import Cache, Call, Pattern, PublicRoute, current_call, hook, route, routes, spec
from contract.call.log import ERRORS
from contract.call.mount_options import Options
from contract.declare.failures import Failure, NotFound, ServiceUnavailable
from contract.testing import Finding, check_route, findings, use_profile
from tests.tables import rows

QUICK = settings(max_examples=60, derandomize=True, database=None, deadline=None)
AT_ONCE = settings(QUICK, max_examples=5)


class SoldOut(Failure, status=409):
    """Every copy is sold."""

    days: Annotated[int, Ge(0)]


class Gone(Failure, status=410):
    """Not any more."""


@dataclass(frozen=True)
class Order:
    product: Annotated[str, Len(1, 40)]
    quantity: Annotated[int, Ge(1)] = 1


@dataclass(frozen=True)
class Receipt:
    cents: Annotated[int, Ge(0)]


@dataclass(frozen=True)
class User:
    name: str


Resolver = Callable[[Order, None], Any]


def found(of: Any, /, **options: Any) -> Finding:
    """What a check of a route finds, or a check that is made already."""
    test = check_route(of, **({"settings": AT_ONCE} | options))
    with pytest.raises(Finding) as caught:
        test()
    return caught.value


# Routes with planted bugs. The table in docs/how-to/property-tests.md names each of them.


@route(summary="Wrong output in a corner", tags=["bugs"], auth="none")
def discount(input: Order, ctx: None) -> Receipt | SoldOut:
    return Receipt(1000 - input.quantity)


@route(summary="Wrong data of a failure", tags=["bugs"], auth="none")
def restock(input: Order, ctx: None) -> Receipt | SoldOut:
    return SoldOut(days=7 - len(input.product))


@route(summary="Undeclared failure", tags=["bugs"], auth="none")
def retire(input: Order, ctx: None) -> Receipt | SoldOut:
    return Gone() if len(input.product) > 3 else Receipt(1)  # type: ignore[return-value]


@route(summary="Undeclared builtin", tags=["bugs"], auth="none")
def lookup(input: Order, ctx: None) -> Receipt:
    return NotFound() if input.product.isdigit() else Receipt(1)  # type: ignore[return-value]


@route(summary="Exception at a boundary", tags=["bugs"], auth="none")
async def average(input: Order, ctx: None) -> Receipt:
    return Receipt(100 // (input.quantity - 1))


@route(summary="Overflow at the end of a range", tags=["bugs"], auth="none")
def total(input: Order, ctx: None) -> Receipt:
    return Receipt(input.quantity + 1)


@dataclass(frozen=True)
class Page:
    number: Annotated[str, Pattern("^[0-9]*$")]


@route(summary="A text that is not a number", tags=["bugs"], auth="none")
def paged(input: Page, ctx: None) -> int:
    return int(input.number[:9])


@dataclass(frozen=True)
class Person:
    name: str

    def __post_init__(self) -> None:
        assert self.name[0] != " ", "it begins with a space"


@route(summary="A mistake in the class of the input", tags=["bugs"], auth="none")
def greet(input: Person, ctx: None) -> str:
    return input.name


@route(summary="A text that begins as one in the code does", tags=["bugs"], auth="none")
def reserved(input: Order, ctx: None) -> Receipt:
    return Receipt(int(input.product[3:]) if input.product.startswith("VIP") else 100)


@dataclass(frozen=True)
class Day:
    day: date


@route(summary="The end of all time", tags=["bugs"], auth="none")
def after(input: Day, ctx: None) -> date:
    return input.day + timedelta(days=1)


@route(summary="The day that most years have not", tags=["bugs"], auth="none")
def renewed(input: Day, ctx: None) -> date:
    return input.day.replace(year=max(input.day.year - 1, 1))


@dataclass(frozen=True)
class Year:
    number: Annotated[str, Len(4, 4)]


@route(summary="Digits that are not a number", tags=["bugs"], auth="none")
def yearly(input: Year, ctx: None) -> int:
    return int(input.number) if input.number.isdigit() else 1


CALLS = count()


@route(summary="State that leaks into the answer", tags=["bugs"], auth="none", effect="read")
def counted(input: Order, ctx: None) -> Receipt:
    return Receipt(next(CALLS))


RATE = [10]


@route(
    summary="State that leaks from one call to the next", tags=["bugs"], auth="none", effect="read"
)
def rated(input: Order, ctx: None) -> Receipt:
    if input.quantity > 10:
        RATE[0] = 9
    return Receipt(RATE[0])


@route(summary="The wrong caller", tags=["bugs"])
def mine(input: Order, ctx: User) -> str | None:
    return ctx.name if ctx.name == "ada" else 1  # type: ignore[return-value]


BUGS: list[tuple[Any, type[Finding]]] = [
    (discount, findings.WrongOutput), (restock, findings.WrongOutput),
    (retire, findings.Undeclared), (lookup, findings.Undeclared), (average, findings.Crashed),
    (paged, findings.Crashed), (greet, findings.Crashed), (total, findings.WrongOutput),
    (reserved, findings.Crashed), (after, findings.Crashed), (renewed, findings.Crashed),
    (yearly, findings.Crashed), (counted, findings.Disagrees),
]  # fmt: skip


def table() -> dict[str, tuple[list[str], list[str]]]:
    """The table of planted bugs in the page on property tests: route -> what of its problem is told, and the calls that show it."""
    text = (Path(__file__).parents[1] / "docs/how-to/property-tests.md").read_text()
    rows = re.findall(r"(?m)^\| [^|]+ \| `([^`|]+)` \| ((?:`[^`|]+`(?:, then )?)+) \|$", text)
    found = {}
    for problem, shown in rows:
        calls = re.findall("`([^`]+)`", shown)
        name = calls[0].removeprefix("asyncio.run(").partition("(")[0]
        found[name] = problem.split("..."), calls
    return found


TABLE = table()


def told_in_the_table(finding: Finding) -> bool:
    """Whether the page says what was found. Its calls are the last ones, before the one over the wire."""
    parts, calls = TABLE[finding.route]
    shown = [re.escape(call).replace(re.escape("..."), ".+") for call in calls]
    return all(part.strip() in finding.problem for part in parts) and all(
        map(re.fullmatch, shown, finding.calls[-1 - len(calls) : -1])
    )


def test_the_table_names_every_planted_bug() -> None:
    assert [*TABLE] == [*(bugged.__name__ for bugged, _ in BUGS), "rated", "mine"]


@rows(
    "bugged, kind",
    *[
        # each is found in the same way, so coverage looks at two
        pytest.param(*bug, id=bug[0].__name__, marks=() if bug[0] in (restock, average) else pytest.mark.unwatched)
        for bug in BUGS
    ],
)  # fmt: skip
def test_a_planted_bug_is_found_and_shrunk(bugged: Any, kind: type[Finding]) -> None:
    finding = found(bugged, settings=settings(QUICK, max_examples=200))

    assert type(finding) is kind
    assert told_in_the_table(finding), finding
    assert finding.calls[-1].startswith(f"Client(api).call({bugged.__name__!r}, {{")
    assert any(line.startswith(f"from {__name__} import ") for line in finding.calls[:2])
    assert str(finding).startswith(f"{bugged.__name__}: ")
    assert isinstance(finding.__cause__, Exception) == (
        kind is findings.Crashed
    )  # what raised is the cause


def test_state_that_leaks_is_found_with_the_two_calls_where_it_is_brought_back() -> None:
    def back() -> None:
        RATE[0] = 10

    product = {"product": st.just("0")}
    finding = found(rated, settings=QUICK, reset=back, overrides=product)
    parts, calls = TABLE["rated"]

    assert type(finding) is findings.Disagrees
    assert [call for call in finding.calls if call.startswith("rated")] == [*calls, calls[0]]
    assert all(part.strip() in finding.problem for part in parts)
    advice = "after another call; it should only read (or else give repeatable=False)"
    assert advice in finding.problem


def test_what_goes_wrong_only_once_is_reported_all_the_same() -> None:
    calls = count()

    @route(summary="Fail once", tags=["t"], auth="none")
    def once(input: Order, ctx: None) -> Receipt:
        return Receipt(-1 if next(calls) == 3 else 1)

    finding = found(once, settings=QUICK)

    assert type(finding) is findings.Unstable
    kept = "so something is kept from one call to the next (give reset=)"
    assert f"the same call went well another time, {kept}" in finding.problem


def test_what_goes_wrong_from_some_call_on_is_reported_with_the_calls_before_it() -> None:
    calls = count()

    @route(summary="Worn", tags=["t"], auth="none")
    def worn(input: None, ctx: None) -> int:
        if next(calls) > 2:
            raise RuntimeError("worn")
        return 1

    finding = found(worn, settings=QUICK)

    assert finding.problem == "it raised RuntimeError: worn"
    assert [call for call in finding.calls if call.startswith("worn")] == ["worn(None)"] * 4


def moody(*turns: bool, raising: Exception) -> Any:
    """A route whose input raises *raising* where it is not its turn, again and again."""
    turn = cycle(turns)

    @dataclass(frozen=True)
    class Moody:
        name: str

        def __post_init__(self) -> None:
            if not next(turn):
                raise raising

    @route(summary="Moody", tags=["t"], auth="none")
    def mood(input: Moody, ctx: None) -> None: ...

    return mood


def test_an_exception_in_the_class_of_the_input_is_found() -> None:
    finding = found(moody(True, False, raising=RuntimeError("made twice")))

    assert type(finding) is findings.Crashed
    assert finding.problem == "it raised RuntimeError: made twice"
    assert finding.calls == ("mood(Moody(name=''))", "Client(api).call('mood', {'name': ''})")


def test_an_input_that_is_refused_now_and_then_is_found() -> None:
    finding = found(moody(True, False, False, raising=ValueError("not today")))

    assert type(finding) is findings.Refused
    assert 'a valid input is refused: it answers 400 {"error":"VALIDATION_ERROR"' in finding.problem


@pytest.mark.unwatched
def test_a_near_miss_that_is_not_refused_is_found() -> None:
    """Here it is not even looked at: twice the number is more than the mount takes."""

    @route(summary="Number", tags=["t"], auth="none")
    def number(input: int, ctx: None) -> None: ...

    finding = found(number, settings=QUICK, options=Options(max_body_bytes=22))

    assert type(finding) is findings.NotRefused
    assert finding.problem.startswith("a wrong body (")
    wanted = "is to be refused with VALIDATION_ERROR with json_invalid at [], and it answers 413"
    assert wanted in finding.problem
    assert finding.calls[0].startswith("Client(api).call('number', body=b")


# Routes that are right.


@route(summary="Order", tags=["right"], auth="none")
def order(input: Order, ctx: None) -> Receipt | SoldOut | NotFound:
    assert current_call().surface == "http"
    if input.product == "0":
        return NotFound()
    return SoldOut(days=input.quantity) if input.quantity % 2 else Receipt(1)


@route(summary="Pick", tags=["right"], auth="none", effect="read", name="pick.one")
async def pick(input: Order, ctx: None) -> Receipt | SoldOut:
    assert current_call().route == "pick.one"
    return Receipt(len(input.product)) if input.quantity > 5 else SoldOut(days=1)


@route(summary="Ping", tags=["right"], auth="none", effect="read")
def ping(input: None, ctx: None) -> Literal["pong"]:
    return "pong"


@route(summary="Name", tags=["right"], effect="read")
def name(input: Order, ctx: User) -> str:
    return ctx.name


@pytest.mark.unwatched
@rows("right", order, pick, ping)
def test_a_route_that_keeps_its_contract_passes(right: PublicRoute[Any, Any]) -> None:
    check_route(right, settings=QUICK)()


def test_a_test_has_the_name_of_its_route() -> None:
    assert check_route(order).__name__ == "test_order"
    assert check_route(order).__doc__ == "order keeps its contract."


def test_a_context_is_a_value_a_factory_or_a_strategy() -> None:
    drawn: set[str] = set()

    @route(summary="Name", tags=["t"])
    def seen(input: None, ctx: User) -> None:
        drawn.add(ctx.name)

    numbers = count()

    def made() -> User:
        return User(f"made {next(numbers)}")

    check_route(seen, ctx=User("value"), settings=AT_ONCE)()
    check_route(seen, ctx=made, settings=AT_ONCE)()
    check_route(seen, ctx=partial(User, "partial"), settings=AT_ONCE)()
    check_route(seen, ctx=st.builds(User, st.sampled_from(["a", "b"])), settings=QUICK)()

    assert {"value", "made 0", "made 1", "partial", "a", "b"} <= drawn


def test_the_smallest_context_is_reported() -> None:
    users = st.builds(User, st.sampled_from(["ada", "bob"]))
    finding = found(mine, ctx=users, settings=QUICK)

    assert told_in_the_table(finding)
    assert finding.calls == (
        f"from {__name__} import Order, User, mine",
        "mine(Order(product='0'), User(name='bob'))",
        "Client(api).call('mine', {'product': '0'}, token=...)",
    )


def test_a_route_of_an_object_is_reported_by_its_name() -> None:
    class Shop:
        def sell(self, input: Order, ctx: None) -> Receipt:
            return Receipt(-1)

    sell = route(summary="Sell", tags=["t"], auth="none")(Shop().sell)

    assert found(sell).calls == ("Client(api).call('sell', {'product': '0'})",)


def test_a_spec_renames_the_fields() -> None:
    @dataclass(frozen=True)
    class Named:
        product_id: Literal["p1"]

    @route(summary="Named", tags=["t"], auth="none")
    def named(input: Named, ctx: None) -> int:
        return len(input.product_id)

    api = spec(routes=routes(named), rename="camel")
    check_route("named", api=api, settings=AT_ONCE)()
    check_route(named, api=api, settings=AT_ONCE, overrides={"product_id": st.just("p1")})()


def test_an_input_is_made_of_what_is_given() -> None:
    finding = found(retire, overrides={"product": st.just("abcd")})

    assert finding.calls[-1] == "Client(api).call('retire', {'product': 'abcd'})"


def test_an_exception_that_the_mount_maps_is_none() -> None:
    @route(summary="Busy", tags=["t"], auth="none", effect="read")
    def busy(input: Order, ctx: None) -> None:
        raise TimeoutError

    mapped = Options(handle_unhandled_error=lambda exception, request: ServiceUnavailable())

    check_route(busy, settings=AT_ONCE, options=mapped, repeatable=False)()
    assert found(busy).problem == "it raised TimeoutError"
    assert type(found(busy, options=mapped)) is findings.Crashed


def test_a_function_that_raises_after_the_wire_did_not_is_found() -> None:
    turn = count()

    @route(summary="Second", tags=["t"], auth="none", effect="read")
    async def second(input: None, ctx: None) -> None:
        if next(turn) % 2:
            raise RuntimeError("again?")

    assert found(second).problem == "it raised RuntimeError: again?"


def test_an_answer_that_is_not_what_the_resolver_gave_is_found() -> None:
    shared: list[int] = []

    @route(summary="Shifty", tags=["t"], auth="none")
    def shifty(input: None, ctx: None) -> list[int]:
        return shared

    finding = found(shifty, options=Options(on_call=lambda event: shared.append(1)))

    assert type(finding) is findings.Disagrees
    assert re.match(r"the resolver answers 200 \[1.*, and the wire answers 200 \[", finding.problem)


def test_a_read_that_gives_another_answer_at_get_is_found() -> None:
    @route(summary="Two", tags=["t"], auth="none", effect="read", cache=Cache(max_age=1))
    def two(input: Order, ctx: None) -> str:
        # a call as a function has no headers either
        posted = "content-type" in current_call().headers
        return "x" if posted or current_call().surface == "local" else "get"

    finding = found(two)

    assert type(finding) is findings.Disagrees
    assert finding.problem == (
        'it answers 200 "x" by POST, and answers 200 "get" by GET, called right after that; '
        "it should only read (or else give repeatable=False)"
    )
    assert finding.calls[-1] == "Client(api).get('two', {'product': '0'})"


def test_a_read_that_keeps_its_contract_at_get_passes() -> None:
    turn = count()

    @hook
    def limited(call: Call[None]) -> Gone | None:
        return Gone() if next(turn) % 3 == 2 else None

    cached = route(
        summary="T", tags=["t"], auth="none", effect="read", cache=Cache(max_age=1), hooks=[limited]
    )

    @cached
    def turned_away_now_and_then(input: Order, ctx: None) -> str:
        return input.product

    @cached
    def long(input: Annotated[str, Len(9000, 9010)], ctx: None) -> int:
        return len(input)

    check_route(turned_away_now_and_then, settings=AT_ONCE)()
    check_route(long, settings=AT_ONCE)()


def test_a_near_miss_that_is_refused_for_more_than_its_reason_is_found() -> None:
    strict = [False]
    resets = count()

    @dataclass(frozen=True)
    class Moody:
        name: str

        def __post_init__(self) -> None:
            if strict[0]:
                raise ValueError("not today")

    @dataclass(frozen=True)
    class Both:
        moody: Moody
        number: int

    @route(summary="Both", tags=["t"], auth="none")
    def both(input: Both, ctx: None) -> None: ...

    def reset() -> None:
        strict[0] = next(resets) > 60  # after what is valid

    def calm(event: object) -> None:
        strict[0] = False

    thirty, options = settings(QUICK, max_examples=30), Options(on_call=calm)
    finding = found(both, settings=thirty, reset=reset, options=options)

    assert type(finding) in (findings.NotRefused, findings.Unstable)
    assert "invalid_value" in finding.problem


def test_a_law_that_is_flaky_by_itself_says_so() -> None:
    def law() -> None:
        raise Flaky("of the strategy")

    with pytest.raises(Flaky, match="of the strategy"):
        findings.found_by(law, [], "order")


def test_a_type_that_allows_nothing_is_told() -> None:
    @route(summary="Never", tags=["t"], auth="none")
    def never(input: Annotated[str, Pattern("^a+$"), Pattern("^b+$")], ctx: None) -> None:
        raise AssertionError

    message = "never: no input was found that its patterns, lengths and predicates allow; there may be none, else give overrides="
    with pytest.raises(Unsatisfiable, match=re.escape(message)):
        check_route(never, settings=AT_ONCE)()


def test_ctrl_c_ends_a_check() -> None:
    @route(summary="Wait", tags=["t"], auth="none")
    def waits(input: int, ctx: None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check_route(waits, settings=AT_ONCE)()


def test_a_problem_is_one_line_that_a_terminal_can_show() -> None:
    @route(summary="Colour", tags=["t"], auth="none")
    def coloured(input: None, ctx: None) -> None:
        raise RuntimeError("\x1b[31mred\nand\u202eback")

    assert found(coloured).problem == r"it raised RuntimeError: \x1b[31mred\nand\u202eback"


def test_a_check_that_ends_leaves_the_silence_to_another() -> None:
    with findings.silence():
        with findings.silence():
            pass
        inside = ERRORS.disabled

    assert (inside, ERRORS.disabled) == (True, False)


def test_a_route_that_tells_the_time_is_not_repeatable() -> None:
    @route(summary="Now", tags=["t"], auth="none", effect="read")
    def now(input: None, ctx: None) -> int:
        return time.perf_counter_ns()

    check_route(now, settings=AT_ONCE, repeatable=False)()
    assert type(found(now)) is findings.Disagrees


@pytest.fixture
def profiles() -> Iterator[None]:
    """The profile is afterwards what it was before."""
    before = settings.default
    yield
    settings.register_profile("before", before)
    settings.load_profile("before")


@pytest.mark.usefixtures("profiles")
def test_settings_are_those_of_the_profile() -> None:
    seen = count()

    @route(summary="Seen", tags=["t"], auth="none")
    def seen_by(input: int, ctx: None) -> None:
        next(seen)

    settings.register_profile("of this test", max_examples=7, database=None, derandomize=True)
    settings.load_profile("of this test")
    check_route(seen_by)()

    assert next(seen) > 7


check: Any = check_route
"""Without its types, which refuse what is refused here."""


REFUSALS: list[tuple[Callable[[], Any], str]] = [
    (lambda: check("order"), "check_route('order') names a route; say of which spec: api="),
    (lambda: check(name), "check_route(name): it is a bearer route, whose resolver needs a cont"),
    (lambda: check("x", api=spec(routes=routes(order))), "the spec has no route 'x'; there is ord"),
]


@rows("call, message", *REFUSALS)
def test_what_cannot_be_checked_is_told_at_once(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        call()


@pytest.mark.usefixtures("profiles")
def test_profiles_are_registered_and_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    def used(*name: Any) -> tuple[str, Any]:
        return use_profile(*name), settings.default

    monkeypatch.delenv("CI", raising=False)
    profile, loaded = used()
    assert (profile, loaded.max_examples, loaded.derandomize) == ("dev", 50, False)
    monkeypatch.setenv("CI", "true")
    profile, loaded = used()
    assert (profile, loaded.max_examples, loaded.derandomize) == ("ci", 200, True)
    assert used("")[0] == "ci"  # of a variable that is set and empty
    settings.load_profile("ci")
    profile, loaded = used("dev")
    assert profile == "dev"
    assert loaded.database is not None  # although what was loaded before keeps nothing
