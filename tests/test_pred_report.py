"""Reports: what is wrong, in which words, and whose words callers get to read."""

from __future__ import annotations

import ipaddress
from contextlib import suppress  # noqa: F401  some code below has it
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import indent
from types import ModuleType
from typing import Annotated, Any, Final, Generic, Literal, NamedTuple, Self, TypedDict, TypeVar

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
from contract.shape.signatures import signed_headers  # noqa: F401
from tests.tables import rows


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
    assert [issue.path for issue in report.issues()] == [(str(at),) for at in range(MAX_ISSUES)]


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

    assert (DEAF.issues(), DEAF.full, DEAF.hasty) == ((), True, True)


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
    report, allowed = Report(), [f"value-number-{at:03}-of-this-enum" for at in range(50)]
    for index in range(MAX_ISSUES):
        report.add("unknown_value", index, allowed=allowed)

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
CONDITION = "Does not fulfil a condition of this field."
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


def raised() -> None:
    raise ValueError(LATE)


OWN: Final = {
    "raised": "raise ValueError(LATE)",
    "asserted": "raise AssertionError(LATE)",
    "raised as an invalid input": "raise InvalidInput(LATE)",
    "raised in a call": "raised()",
    "raised from": "try: int('secret')\nexcept ValueError as error: raise ValueError(LATE) from error",
    "raised in its place": "try: int('secret')\nexcept ValueError: raise ValueError(LATE) from None",
    "passed on": "try: raised()\nexcept ValueError: raise\nfinally: len('cleared up')",
    "raised in a block": "with suppress(KeyError): raised()",
    "raised in a comprehension": "assert [too_late(each) for each in range(1)]",
    "raised in a lambda": "judge = lambda: raised()\njudge()",
}
"""Code of the author's whose words are told."""

FOREIGN: Final = {
    "called": "int('secret')",
    "called in a comprehension": "assert [int(each) for each in ['secret']]",
    "called to raise": "raise ValueError(int('secret'))",
    "called in a block": "with suppress(KeyError): int('secret')",
    "called and passed on": "try: int('secret')\nexcept ValueError: raise",
    "called and cleared up": "try: int('secret')\nfinally: len('cleared up')",
    "called and raised again": "try: int('secret')\nexcept ValueError as error: raise error",
    "called and raised elsewhere": "try: int('secret')\nexcept ValueError as error: again(error)",
    "called and passed on elsewhere": "try: int('secret')\nexcept ValueError: at_once()",
    "a library": "from_a_library()",
    "a library, passed on": "try: from_a_library()\nexcept ValueError: raise",
    "a library, raised again": "try: from_a_library()\nexcept ValueError as error: raise error",
    "sent into a generator": "sent_into_a_generator()",
    "asked of a pred": "pred_of(int).load(b'\"secret\"')",
    "raised by this package": "signed_headers([], 'an id', 0, b'')",
    "a class of its own": "raise OwnError('secret')",
    "a class below": "raise UnicodeDecodeError('secret', b'', 0, 1, 'secret')",
    "no words": "raise ValueError",
    "blanks": "raise ValueError(' ')",
    "a value": "raise ValueError({'secret': 1})",
    "two values": "raise ValueError('secret', 'secret')",
}
"""Code of the author's that raises what others say."""


def judge(of: str) -> None:
    """Run the code of this name, in a function of this module's."""
    names: dict[str, Any] = {}
    code = f"def judged():\n{indent((OWN | FOREIGN)[of], '    ')}"
    exec(compile(code, __file__, "exec"), globals(), names)
    names["judged"]()


@dataclass
class Judged:
    of: str

    def __post_init__(self) -> None:
        if self.of != "good":
            judge(self.of)


class Pair(NamedTuple):
    start: int
    end: int = 0


def issues(
    annotation: Any, document: bytes, *, rename: Literal["camel"] | None = None
) -> list[tuple[tuple[str | int, ...], str, str]]:
    with pytest.raises(InvalidInput) as refused:
        pred_of(annotation, rename=rename).load(document)

    return [(each.path, each.code, each.message) for each in refused.value.issues]


@pytest.mark.parametrize("of", [*OWN, *FOREIGN])
def test_what_the_author_raises_is_told_in_the_authors_words(of: str) -> None:
    """Everything else keeps the general sentence."""
    document = orjson.dumps([{"of": "good"}, {"of": of}])
    words = LATE if of in OWN else GENERAL

    assert issues(list[Judged], document) == [((1,), "invalid_value", words)]


@pytest.mark.parametrize("blanks", [0, 100_000])
def test_large_documents_are_told_in_the_same_words(blanks: int) -> None:
    document = orjson.dumps([{"of": "raised"}]) + b" " * blanks

    assert issues(list[Judged], document) == [((0,), "invalid_value", LATE)]


def test_an_assertion_of_the_authors_is_told() -> None:
    # compiled here, since pytest writes the assertions of its own modules anew
    module: dict[str, Any] = {"__name__": "rules"}
    rule = "def check(start):\n    assert start > 0, 'The start is above nothing.'\n    return True"
    exec(compile(rule, "rules.py", "exec"), module)

    found = issues(Annotated[int, Predicate(module["check"])], b"0")
    assert found == [((), "predicate", "The start is above nothing.")]


def judged(value: object) -> bool:
    if value == 1:
        raise InvalidInput("One is taken.")
    if value == 2:
        int("secret")
    return value != 3


def test_predicates_have_words_too() -> None:
    told = issues(list[Annotated[int, Predicate(judged)]], b"[0,1,2,3]")

    words = ["One is taken.", CONDITION, CONDITION]
    assert told == [((at,), "predicate", each) for at, each in enumerate(words, start=1)]


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
    cases: list[tuple[Any, bytes, tuple[str | int, ...], str]] = [
        (Period, before, ("until",), LATE),
        (Period, b'{"startDay":0,"until":1}', ("startDay",), "Days are counted from 1."),
        (dict[str, list[Period]], b'{"a":[%b]}' % before, ("a", 0, "until"), LATE),
    ]

    for annotation, document, path, words in cases:
        assert issues(annotation, document, rename="camel") == [(path, "invalid_value", words)]


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


@rows(
    "annotation, path, told",
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
    (dict[int, Period], [7, "start_day"], ["7", "startDay"]),
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
)
def test_a_path_in_python_becomes_one_on_the_wire(
    annotation: Any, path: list[object], told: list[str | int]
) -> None:
    assert wire_path(shape_of(annotation, rename="camel"), path) == told


@dataclass
class Saying:
    words: str

    def __post_init__(self) -> None:
        raise ValueError(SAID[self.words][0])


SAID = {
    "long": ("ä" * 300, "ä" * 200),
    "control": ("\x00\x1b[2J\r\n\u202e", "\x00\x1b[2J\r\n\u202e"),
    "half": ("a\ud800b", "a\ufffdb"),
    "whole": ("\ud83d\ude00", "\U0001f600"),
}
"""What the author says, and what is told of it."""


@pytest.mark.parametrize("words", SAID)
def test_words_are_cut_and_can_be_written(words: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        pred_of(Saying).load(orjson.dumps({"words": words}))

    written = orjson.dumps([to_json(each) for each in refused.value.issues])
    assert orjson.loads(written)[0]["message"] == SAID[words][1]
    assert not any(byte < 32 for byte in written)


@dataclass
class Listing:
    items: list[int]

    def __post_init__(self) -> None:
        own = Issue((), "of_the_author", "Not like this.")
        raise InvalidInput((issue("missing", ("items", 0)), own))


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


def test_an_installed_package_speaks_only_where_it_is_the_services_own(tmp_path: Path) -> None:
    file = tmp_path / "site-packages" / "shop" / "rules.py"
    module = ModuleType("shop.rules")
    rule = "def check(value):\n    raise ValueError('Not today.')"
    exec(compile(rule, str(file), "exec"), module.__dict__)
    shape = shape_of(Annotated[int, Predicate(module.check)])
    told: dict[str, str] = {}

    for home in ("", "other", "shop"):
        with pytest.raises(InvalidInput) as refused:
            compile_pred(shape, home=home).load(b"1")
        told[home] = refused.value.issues[0].message

    assert told == {"": CONDITION, "other": CONDITION, "shop": "Not today."}


def test_an_invalid_input_of_the_authors_says_where_it_is() -> None:
    error = InvalidInput("Is sold out.", "lines", 2, "sku")

    assert str(error) == "lines[2].sku: Is sold out."
    assert error.issues == (Issue(("lines", 2, "sku"), "invalid_value", "Is sold out."),)
    assert not error.truncated
