"""Reports: what is wrong, in which words, and whose words callers get to read."""

from __future__ import annotations

import ipaddress
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Generic, Literal, NamedTuple, Self, TypedDict, TypeVar

import orjson
import pytest
from annotated_types import Predicate
from orjson import dumps

from contract import Name
from contract.pred.compile import compile_pred, pred_of
from contract.pred.report import DEAF, INVALID, Attempt, Report, own_words, wire_path
from contract.shape.exceptions import InvalidInput
from contract.shape.issues import MAX_ISSUES, Issue, issue, to_json
from contract.shape.reader import shape_of
from contract.shape.signatures import signed_headers
from tests.words import words


def test_what_is_added_is_told_in_order_with_its_path() -> None:
    report = Report()
    assert report.add("missing", "name") is INVALID
    report.under(0, 3)
    count = report.count
    report.add("integer_type")
    report.under(count, "price")
    report.under(0, "lines")

    first, second = report.issues()

    assert (first.path, first.code) == (("lines", 3, "name"), "missing")
    assert (second.path, second.code) == (("lines", "price"), "integer_type")
    assert not report.truncated


def test_a_full_report_says_so_and_keeps_the_first() -> None:
    report = Report()
    for index in range(MAX_ISSUES):
        report.add("unknown_key", str(index))
    before = report.full

    report.add("unknown_key", "one too many")

    assert (before, report.full, report.hasty, report.truncated) == (False, True, True, True)
    assert [issue.path for issue in report.issues()] == [
        (str(index),) for index in range(MAX_ISSUES)
    ]


def test_an_author_may_say_more_than_a_report_keeps() -> None:
    report = Report()
    try:
        raise InvalidInput(tuple(Issue((at,), "invalid_value", "No.") for at in range(25)))
    except InvalidInput as error:
        report.refuse("invalid_value", error, shape_of(list[int]))

    assert report.full
    assert len(report.issues()) == MAX_ISSUES


def test_a_deaf_report_keeps_nothing() -> None:
    assert DEAF.add("missing", "name") is INVALID
    DEAF.under(0, "key")

    assert DEAF.issues() == ()
    assert DEAF.full
    assert DEAF.hasty


def test_an_attempt_keeps_the_first_complaint_until_it_is_taken() -> None:
    attempt = Attempt()
    assert attempt.add("missing", "name") is INVALID
    assert attempt.add("missing", "age") is INVALID
    assert attempt.refuse("invalid_value", ValueError(), shape_of(int)) is INVALID
    attempt.under(0, "person")

    assert attempt.taken() == (["name", "person"], "missing", {})

    attempt.add("less_than_equal", le=5)
    assert attempt.taken() == ([], "less_than_equal", {"le": 5})


def test_an_attempt_hears_where_the_author_refuses() -> None:
    attempt = Attempt()
    try:
        raise InvalidInput(LATE, "end")
    except InvalidInput as error:
        attempt.refuse("invalid_value", error, shape_of(dict[str, int]))
    own = attempt.taken()
    attempt.refuse("invalid_value", ValueError("of a library"), shape_of(int))

    assert own == (["end"], "invalid_value", {})
    assert attempt.taken() == ([], "invalid_value", {})


def test_what_is_told_stays_below_16_kib() -> None:
    report = Report()
    for index in range(MAX_ISSUES):
        report.add(
            "unknown_value",
            index,
            allowed=[f"value-number-{at:03}-of-this-enum" for at in range(50)],
        )

    told = report.issues()

    assert 1 < len(told) < MAX_ISSUES
    assert len(dumps([to_json(issue) for issue in told])) < 14_100
    assert report.truncated


def test_params_that_are_long_stay_out() -> None:
    report = Report()
    report.add("pattern", "name", pattern="a" * 10_000)
    report.add("less_than_equal", "age", le=5)

    first, second = report.issues()

    assert (first.path, first.params, len(first.message)) == (("name",), (), 200)
    assert second.params == (("le", 5),)
    assert not report.truncated


T = TypeVar("T")

GENERAL = "Is not a valid value."
LATE = "The end is before the start."


class OwnError(ValueError):
    """A ValueError of the author's, which is not exactly one."""


def again(error: Exception) -> None:
    raise error


def at_once() -> None:
    raise  # noqa: PLE0704


def from_a_library() -> None:
    ipaddress.ip_address("secret")


def sent_into_a_generator() -> None:
    def wait() -> Any:
        yield

    waiting = wait()
    next(waiting)
    waiting.throw(ValueError("secret"))


def too_late(start: int) -> bool:
    raise ValueError(LATE)


def raised_value() -> None:
    raise ValueError(LATE)


def raised_assertion() -> None:
    raise AssertionError(LATE)


def raised_input() -> None:
    raise InvalidInput(LATE)


def raised_in_a_call() -> None:
    raised_value()


def raised_from() -> None:
    try:
        int("secret")
    except ValueError as error:
        raise ValueError(LATE) from error


def raised_in_its_place() -> None:
    try:
        int("secret")
    except ValueError:
        raise ValueError(LATE) from None


def raised_and_passed_on() -> None:
    try:
        raised_value()
    except ValueError:
        raise
    finally:
        len("cleared up")


def raised_in_a_block() -> None:
    with suppress(KeyError):
        raised_value()


def raised_in_a_comprehension() -> None:
    assert [too_late(each) for each in range(1)]


def raised_in_a_lambda() -> None:
    judge: Callable[[], None] = lambda: raised_value()  # noqa: E731, PLW0108  a frame of its own
    judge()


OWN = words(
    """
raised_value raised_assertion raised_input raised_in_a_call raised_from raised_in_its_place
raised_and_passed_on raised_in_a_block raised_in_a_comprehension raised_in_a_lambda
"""
)


def called() -> None:
    int("secret")


def called_in_a_comprehension() -> None:
    assert [int(each) for each in ["secret"]]


def called_to_raise() -> None:
    raise ValueError(int("secret"))


def called_in_a_block() -> None:
    with suppress(KeyError):
        int("secret")


def called_and_passed_on() -> None:
    try:
        int("secret")
    except ValueError:
        raise


def called_and_cleared_up() -> None:
    try:
        int("secret")
    finally:
        len("cleared up")


def called_and_raised_again() -> None:
    try:
        int("secret")
    except ValueError as error:
        raise error


def called_and_raised_elsewhere() -> None:
    try:
        int("secret")
    except ValueError as error:
        again(error)


def called_and_passed_on_elsewhere() -> None:
    try:
        int("secret")
    except ValueError:
        at_once()


def library_and_passed_on() -> None:
    try:
        from_a_library()
    except ValueError:
        raise


def library_and_raised_again() -> None:
    try:
        from_a_library()
    except ValueError as error:
        raise error


def asked_of_a_pred() -> None:
    pred_of(int).load(b'"secret"')


def raised_by_this_package() -> None:
    signed_headers([], "an id", 0, b"")


def raised_of_its_own() -> None:
    raise OwnError("secret")


def raised_as_unicode_error() -> None:
    raise UnicodeDecodeError("secret", b"", 0, 1, "secret")


def raised_without_words() -> None:
    raise ValueError


def raised_with_blanks() -> None:
    raise ValueError(" ")


def raised_with_a_value() -> None:
    raise ValueError({"secret": 1})


def raised_with_two() -> None:
    raise ValueError("secret", "secret")


FOREIGN = words(
    """
called called_in_a_comprehension called_to_raise called_in_a_block called_and_passed_on
called_and_cleared_up called_and_raised_again called_and_raised_elsewhere
called_and_passed_on_elsewhere from_a_library library_and_passed_on library_and_raised_again
sent_into_a_generator asked_of_a_pred raised_by_this_package raised_of_its_own raised_as_unicode_error
raised_without_words raised_with_blanks raised_with_a_value raised_with_two
"""
)


@dataclass
class Judged:
    of: str

    def __post_init__(self) -> None:
        if self.of != "good":
            getattr(sys.modules[__name__], self.of)()


class Pair(NamedTuple):
    start: int
    end: int = 0


def issues(
    annotation: Any, document: bytes, *, rename: Literal["camel"] | None = None
) -> list[tuple[tuple[str | int, ...], str, str]]:
    with pytest.raises(InvalidInput) as refused:
        pred_of(annotation, rename=rename).load(document)

    return [(each.path, each.code, each.message) for each in refused.value.issues]


@pytest.mark.parametrize(
    ("judge", "words"),
    [*((judge, LATE) for judge in OWN), *((judge, GENERAL) for judge in FOREIGN)],
)
def test_what_the_author_raises_is_told_in_the_authors_words(judge: str, words: str) -> None:
    """Everything else keeps the general sentence."""
    document = orjson.dumps([{"of": "good"}, {"of": judge}])

    assert issues(list[Judged], document) == [((1,), "invalid_value", words)]


@pytest.mark.parametrize("blanks", [0, 100_000])
def test_large_documents_are_told_in_the_same_words(blanks: int) -> None:
    document = orjson.dumps([{"of": "raised_value"}]) + b" " * blanks

    assert issues(list[Judged], document) == [((0,), "invalid_value", LATE)]


def test_an_assertion_of_the_authors_is_told() -> None:
    # compiled here, since pytest writes the assertions of its own modules anew
    module: dict[str, Any] = {"__name__": "rules"}
    exec(
        compile(
            "def check(start):\n    assert start > 0, 'The start is above nothing.'\n    return True",
            "rules.py",
            "exec",
        ),
        module,
    )

    assert issues(Annotated[int, Predicate(module["check"])], b"0") == [
        ((), "predicate", "The start is above nothing.")
    ]


def judged(value: object) -> bool:
    if value == 1:
        raise InvalidInput("One is taken.")
    if value == 2:
        int("secret")
    return value != 3


def test_predicates_have_words_too() -> None:
    told = issues(list[Annotated[int, Predicate(judged)]], b"[0,1,2,3]")

    assert told == [
        ((1,), "predicate", "One is taken."),
        ((2,), "predicate", "Does not fulfil a condition of this field."),
        ((3,), "predicate", "Does not fulfil a condition of this field."),
    ]


class Ordered(Pair):
    def __new__(cls, start: int, end: int = 0) -> Self:
        if start > end:
            raise InvalidInput(LATE, "end")
        return super().__new__(cls, start, end)


def test_named_tuples_have_words_too() -> None:
    assert issues(list[Ordered], b"[[1,2],[2,1]]") == [((1, 1), "invalid_value", LATE)]


@dataclass
class Period:
    start_day: int
    end_day: Annotated[int, Name("until")]

    def __post_init__(self) -> None:
        if self.end_day < self.start_day:
            raise InvalidInput(LATE, "end_day")
        if self.start_day == 0:
            raise InvalidInput("Days are counted from 1.", "start_day")


def test_the_path_of_an_invalid_input_is_that_of_the_wire() -> None:
    before = b'{"startDay":2,"until":1}'

    assert issues(Period, before, rename="camel") == [(("until",), "invalid_value", LATE)]
    assert issues(Period, b'{"startDay":0,"until":1}', rename="camel") == [
        (("startDay",), "invalid_value", "Days are counted from 1.")
    ]
    assert issues(dict[str, list[Period]], b'{"a":[%b]}' % before, rename="camel") == [
        (("a", 0, "until"), "invalid_value", LATE)
    ]


@dataclass
class Card:
    number_sent: str
    kind: Literal["card"] = "card"


@dataclass
class Cash:
    amount_given: Annotated[int, Name("amount")]
    kind: Literal["cash"] = "cash"


class Note(TypedDict):
    long_text: str


@dataclass
class Box(Generic[T]):
    held_value: T


@dataclass
class Tree:
    node_name: str = ""
    child_nodes: list[Tree] = field(default_factory=list["Tree"])


@pytest.mark.parametrize(
    ("annotation", "path", "told"),
    [
        (Period, ["end_day"], ["until"]),
        (Period, ["until"], ["until"]),
        (Period, ["start_day", "more_of_it"], ["startDay", "more_of_it"]),
        (Period, [], []),
        (Period | None, ["start_day"], ["startDay"]),
        (Note, ["long_text"], ["long_text"]),
        (Note, [0], [0]),
        (list[Period], [3, "start_day"], [3, "startDay"]),
        (list[Period], ["start_day"], ["start_day"]),
        (tuple[int, Period], [1, "start_day"], [1, "startDay"]),
        (tuple[int, Period], [2, "start_day"], [2, "start_day"]),
        (tuple[int, Period], [-1, "start_day"], [-1, "start_day"]),
        (tuple[int, Period], ["start_day"], ["start_day"]),
        (dict[str, Period], ["some_key", "start_day"], ["some_key", "startDay"]),
        (Pair, ["end"], [1]),
        (Pair, [1], [1]),
        (Pair, ["nowhere"], ["nowhere"]),
        (Card | Cash, ["amount_given"], ["amount"]),
        (Card | Cash, ["nowhere"], ["nowhere"]),
        (int | list[Period], [0, "start_day"], [0, "startDay"]),
        (Box[Period], ["held_value", "start_day"], ["heldValue", "startDay"]),
        (Tree, ["child_nodes", 0, "node_name"], ["childNodes", 0, "nodeName"]),
        (Annotated[Period, Predicate(bool)], ["start_day"], ["startDay"]),
        (Any, ["some_key", 0], ["some_key", 0]),
        (Any, ["a\ud800b", "\ud83d\ude00"], ["a\ufffdb", "\U0001f600"]),
        (Any, ["a", 1.5, "b"], ["a"]),
        (Any, ["a", 2**63, "b"], ["a"]),
    ],
)
def test_a_path_in_python_becomes_one_on_the_wire(
    annotation: Any, path: list[object], told: list[str | int]
) -> None:
    assert wire_path(shape_of(annotation, rename="camel"), path) == told


@dataclass
class Saying:
    words: str

    def __post_init__(self) -> None:
        raise ValueError(
            {
                "long": "ä" * 300,
                "control": "\x00\x1b[2J\r\n\u202e",
                "half": "a\ud800b",
                "whole": "\ud83d\ude00",
            }[self.words]
        )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("long", "ä" * 200),
        ("control", "\x00\x1b[2J\r\n\u202e"),
        ("half", "a\ufffdb"),
        ("whole", "\U0001f600"),
    ],
)
def test_words_are_cut_and_can_be_written(words: str, told: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        pred_of(Saying).load(orjson.dumps({"words": words}))

    written = orjson.dumps([to_json(each) for each in refused.value.issues])
    assert orjson.loads(written)[0]["message"] == told
    assert not any(byte < 32 for byte in written)


@dataclass
class Listing:
    items: list[int]

    def __post_init__(self) -> None:
        raise InvalidInput(
            (issue("missing", ("items", 0)), Issue((), "of_the_author", "Not like this."))
        )


def test_what_nobody_raised_says_nothing() -> None:
    assert own_words(ValueError("a text"), "") == []


def test_several_issues_are_told_at_their_places() -> None:
    assert issues(list[Listing], b'[{"items":[]}]') == [
        ((0, "items", 0), "invalid_value", "This field is required."),
        ((0,), "invalid_value", "Not like this."),
    ]


def test_no_words_are_asked_for_once_the_report_is_full() -> None:
    with pytest.raises(InvalidInput) as refused:
        pred_of(list[Saying]).load(orjson.dumps([{"words": "whole"}] * (MAX_ISSUES + 5)))

    assert len(refused.value.issues) == MAX_ISSUES
    assert refused.value.truncated


def test_an_installed_package_speaks_for_itself_only_where_it_is_the_services_own(
    tmp_path: Path,
) -> None:
    file = tmp_path / "site-packages" / "shop" / "rules.py"
    module = ModuleType("shop.rules")
    exec(
        compile("def check(value):\n    raise ValueError('Not today.')", str(file), "exec"),
        module.__dict__,
    )
    shape = shape_of(Annotated[int, Predicate(module.check)])
    told: dict[str, str] = {}

    for home in ("", "other", "shop"):
        with pytest.raises(InvalidInput) as refused:
            compile_pred(shape, home=home).load(b"1")
        told[home] = refused.value.issues[0].message

    general = "Does not fulfil a condition of this field."
    assert told == {"": general, "other": general, "shop": "Not today."}


def test_an_invalid_input_of_the_authors_says_where_it_is() -> None:
    error = InvalidInput("Is sold out.", "lines", 2, "sku")

    assert str(error) == "lines[2].sku: Is sold out."
    assert [to_json(each) for each in error.issues] == [
        {
            "path": ["lines", 2, "sku"],
            "code": "invalid_value",
            "message": "Is sold out.",
            "params": {},
        }
    ]
    assert not error.truncated
