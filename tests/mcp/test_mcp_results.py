"""Results: what requests are answered with, and what a model reads of a call that was refused."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Any, Literal

import orjson
from annotated_types import Ge, Len

from contract import InvalidInput, Name, Spec, route, routes, spec
from contract.mcp.results import invalid_arguments
from contract.shape.issues import issue, to_json
from tests.mcp.talk import Talk, called
from tests.tables import rows


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Line:
    quantity: Annotated[int, Ge(1)]
    colour: Colour = Colour.RED
    next: Line | None = None


@dataclass(frozen=True)
class Order:
    lines: Annotated[list[Line], Len(1, 3)]
    code: Annotated[str, Len(2, 4)]
    note: str | None = None
    extra: dict[str, Line] = field(default_factory=dict)
    tags: Annotated[dict[str, int], Len(0, 1)] = field(default_factory=dict)
    pair: tuple[int, Line] | None = None
    size: Annotated[float, Name("the-size")] = 1.0
    flag: bool = False
    which: Literal["a", 1] = "a"
    either: int | list[str] = 0
    day: Annotated[str, Len(1)] = "x"


@dataclass(frozen=True)
class ByMail:
    address: str
    kind: Literal["mail"] = "mail"


@dataclass(frozen=True)
class ByPush:
    device: int
    after: Line | None = None
    kind: Literal["push", "pull"] = "push"


@dataclass(frozen=True)
class Branch:
    parts: list[Branch | Leaf]
    kind: Literal["branch"] = "branch"


@dataclass(frozen=True)
class Leaf:
    weight: Annotated[float, Ge(0)]
    kind: Literal["leaf"] = "leaf"


@dataclass(frozen=True)
class Notice:
    how: ByMail | ByPush
    more: list[ByMail | ByPush] | None = None
    mixed: bool | ByMail | list[ByPush] | str = ""
    tree: Branch | Leaf | None = None
    number: int | list[Leaf] | None = None


@dataclass(frozen=True)
class Wide:
    f00: int
    many: dict[str, int] = field(default_factory=dict)


@route(summary="Order", tags=["x"], auth="none", mcp=True)
def order(input: Order, ctx: None) -> None:
    raise AssertionError("it must not run")


@route(summary="Count", tags=["x"], auth="none", mcp=True)
def count(input: dict[str, int], ctx: None) -> None:
    raise AssertionError("it must not run")


@route(summary="Notify", tags=["x"], auth="none", mcp=True)
def notify(input: Notice, ctx: None) -> None:
    raise AssertionError("it must not run")


ORDERS: Spec[None] = spec(routes=routes(order, count, notify))
TALK = Talk(ORDERS)
GOOD = {"lines": [{"quantity": 1}], "code": "ab"}
CANARY = "canary-of-the-value"


def lines_for(arguments: Any, name: str = "order") -> list[str]:
    result = TALK.result("tools/call", called(name, arguments))
    assert result["isError"] is True
    first, second = result["content"]
    assert orjson.loads(first["text"])["error"] == "VALIDATION_ERROR"
    assert CANARY not in first["text"] + second["text"]
    lines: list[str] = second["text"].split("\n")
    refused = f"The arguments of {name} are not valid, and nothing was done."
    assert lines[0] == f"{refused} Fix all of this, and call it again:"
    return lines[1:]


REQUIRED = "This field is required."
KNOWN = "lines, code, note, extra, tags, pair, the-size, flag, which, either, day."


@rows(
    "given, line",
    ({"extra": {"a b": {}}}, f'extra["a b"].quantity: {REQUIRED} Expected: an integer.'),
    ({"pair": [1, {}]}, f"pair[1].quantity: {REQUIRED}"),
    ({"cod": CANARY}, f"cod: This key is not known here. Known keys: {KNOWN}"),
    ({"pair": [1, {"quantity": 1, "x": CANARY}]}, "pair[1].x: This key is not known here."),
    ({"which": CANARY}, 'which: Must be one of "a", 1.'),
    ({"code": CANARY}, f"code: Must have at most 4 characters; this has {len(CANARY)}."),
    ({"code": "a"}, "code: Must have at least 2 characters; this has 1."),
    ({"lines": []}, "lines: Must have at least 1 item; this has 0."),
    ({"tags": {"a": 1, "b": 2}}, "tags: Must have at most 1 key; this has 2."),
    ({"the-size": CANARY}, '["the-size"]: Must be a number without quotes, not a string.'),
    ({"either": CANARY}, "either: Must be an integer or an array, not a string."),
)
def test_a_line_says_where_and_what_was_expected_and_what_came(given: Any, line: str) -> None:
    assert lines_for(GOOD | given) == [f"- {line}"]


@rows(
    "given, said",
    ({}, f"quantity: {REQUIRED} Expected: an integer."),
    ({"quantity": 1, "next": {"quantity": 1, "next": {}}}, f"next.next.quantity: {REQUIRED} Expected: an integer."),
    ({"quantity": 0}, "quantity: Must be at least 1."),
    ({"quantity": CANARY}, "quantity: Must be an integer without quotes, not a string."),
    ({"quantity": 1.5}, "quantity: Must be an integer; this number has a fraction, or is too large to be exact."),
    ({"quantity": True}, "quantity: Must be an integer, not true or false."),
    ({"quantity": None}, "quantity: Must be an integer, not null."),
    ({"quantity": [1]}, "quantity: Must be an integer, not an array."),
    ({"quantity": {}}, "quantity: Must be an integer, not an object."),
    ({"quantity": 1, "colour": CANARY}, 'colour: Must be one of "red", "blue".'),
)  # fmt: skip
def test_so_does_a_line_about_an_item(given: Any, said: str) -> None:
    assert lines_for(GOOD | {"lines": [given]}) == [f"- lines[0].{said}"]


def test_a_line_says_that_a_field_is_missing() -> None:
    lines, code = {"lines": GOOD["lines"]}, {"code": GOOD["code"]}

    assert lines_for(lines) == [f"- code: {REQUIRED} Expected: a string."]
    assert lines_for(code) == [f"- lines: {REQUIRED} Expected: an array."]


BRANCH: dict[str, Any] = {"kind": "branch"}
MAIL = {"kind": "mail", "address": "a"}
KINDS = '"mail", "push", "pull".'
UNKNOWN = "This key is not known here."


@rows(
    "arguments, lines",
    (
        {"how": {"kind": "mail", "addres": CANARY}},
        [
            f"how.address: {REQUIRED} Expected: a string.",
            f'how.addres: {UNKNOWN} Did you mean "address"? Known keys: address, kind.',
        ],
    ),
    ({"how": {"kind": "pull"}}, [f"how.device: {REQUIRED} Expected: an integer."]),
    ({"how": {}}, [f"how.kind: This field is required: it must be one of {KINDS}"]),
    ({"how": {"kind": CANARY, "x": 1}}, [f"how.kind: Must be one of {KINDS}"]),
    (
        {"how": {"kind": "push", "device": 1, "after": {"quantit": 1}}},
        [
            f"how.after.quantity: {REQUIRED} Expected: an integer.",
            f'how.after.quantit: {UNKNOWN} Did you mean "quantity"? Known keys: quantity, colour, next.',
        ],
    ),
    ({"more": [MAIL, {"kind": "push"}]}, [f"more[1].device: {REQUIRED} Expected: an integer."]),
    ({"mixed": {**MAIL, "x": 1}}, [f"mixed.x: {UNKNOWN} Known keys: address, kind."]),
    ({"mixed": [{"kind": "push"}]}, [f"mixed[0].device: {REQUIRED} Expected: an integer."]),
    (
        {"tree": BRANCH | {"parts": [BRANCH | {"parts": [{"kind": "leaf", "wait": 1}]}]}},
        [
            f"tree.parts[0].parts[0].weight: {REQUIRED} Expected: a number.",
            f"tree.parts[0].parts[0].wait: {UNKNOWN} Known keys: weight, kind.",
        ],
    ),
    ({"number": [{"kind": "leaf"}]}, [f"number[0].weight: {REQUIRED} Expected: a number."]),
    ({"how": CANARY}, ["how: Must be an object in curly brackets, not a string."]),
)
def test_in_a_union_a_line_is_about_the_member_that_was_meant(
    arguments: Any, lines: list[str]
) -> None:
    assert lines_for({"how": MAIL} | arguments, "notify") == [f"- {line}" for line in lines]


def test_everything_is_told_at_once() -> None:
    lines = lines_for({"lines": [{"quantity": 0}, {"quantity": "x"}], "flag": 1, "zzz": 2})

    found = [line.split(":")[0] for line in lines]
    assert found == ["- lines[0].quantity", "- lines[1].quantity", "- code", "- flag", "- zzz"]


def test_more_than_is_told_is_said_to_be_there() -> None:
    lines = lines_for({str(number): CANARY for number in range(30)}, "count")

    assert len(lines) == 21
    assert lines[0] == '- ["0"]: Must be an integer without quotes, not a string.'
    assert lines[-1] == "There is more that is wrong than is listed here."


def line_of(path: list[str | int], code: str, arguments: Any, schema: dict[str, Any]) -> str:
    data = {"issues": [{"path": path, "code": code, "message": issue(code).message}]}
    return invalid_arguments("t", data, arguments, schema).split("\n")[1]


def test_a_place_that_cannot_be_found_is_told_without_what_came() -> None:
    """Paths on the wire are cut short."""
    assert line_of(["a", "b"], "integer_type", {"a": 1}, {}) == "- a.b: Must be an integer."
    assert line_of(["a", 3], "integer_type", {"a": [1]}, {}) == "- a[3]: Must be an integer."
    assert line_of(["a", "b"], "integer_type", {"a": [1]}, {}) == "- a.b: Must be an integer."
    assert line_of([], "invalid_value", {}, {}) == "- (the arguments): Is not a valid value."


def test_a_place_that_an_author_made_up_is_told_as_it_is() -> None:
    line = line_of(["lines", -5], "invalid_value", {"lines": []}, {"type": "object"})

    assert line.startswith("- lines[-5]: ")


@dataclass(frozen=True)
class Period:
    start: int
    until: Annotated[int, Name("end")]

    def __post_init__(self) -> None:
        if self.until < self.start:
            raise InvalidInput("The end is before the start.", "until")


@route(summary="Book", tags=["x"], auth="none", mcp=True)
def book(input: Period, ctx: None) -> None: ...


def test_a_model_reads_the_authors_own_words_at_the_place_that_they_name() -> None:
    talk = Talk(spec(routes=routes(book)))
    result = talk.result("tools/call", called("book", {"start": 2, "end": 1}))
    said, explained = (content["text"] for content in result["content"])
    message = "The end is before the start."
    issue = {"path": ["end"], "code": "invalid_value", "message": message, "params": {}}
    assert orjson.loads(said)["data"]["issues"] == [issue]
    assert "- end: The end is before the start." in explained


def test_what_is_expected_is_left_out_where_it_depends() -> None:
    either = {"properties": {"a": {"anyOf": [{"type": "string"}, {"type": "integer"}]}}}

    assert line_of(["a"], "missing", {}, either) == "- a: This field is required."
    assert line_of(["a", "b"], "missing", {"a": {}}, either) == "- a.b: This field is required."


def test_an_expected_value_is_told_with_its_format_or_its_choices() -> None:
    fields: dict[str, tuple[Any, str]] = {
        "day": ({"type": "string", "format": "date"}, "a string in the format date."),
        "kind": ({"enum": ["a", 1]}, 'one of "a", 1.'),
        "n": ({"type": "number"}, "a number."),
    }
    schema = {"properties": {name: kind for name, (kind, _) in fields.items()}}

    for name, (_, expected) in fields.items():
        assert line_of([name], "missing", {}, schema).endswith(f"Expected: {expected}")


def test_a_list_of_known_keys_ends_somewhere() -> None:
    known: Any = {"properties": {f"k{number}": {} for number in range(50)}}
    line = line_of(["x"], "unknown_key", {}, known)

    assert line.endswith("k38, k39, ....")


def test_a_text_ends_where_nobody_would_read_on() -> None:
    schema = Talk(spec(routes=routes(count))).endpoint.tools["count"].input_schema
    issues = [
        {"path": [f"{number:02}" * 32], "code": "wrong_type", "message": "x" * 400}
        for number in range(20)
    ]

    text = invalid_arguments("count", {"issues": issues}, {}, schema)
    assert len(text) < 6_200
    assert text.count("\n- ") == 12
    assert text.endswith("There is more that is wrong than is listed here.")


def test_allowed_values_are_all_told_where_the_sentence_counts_some() -> None:
    """A model reads on where people would not."""
    found = to_json(issue("unknown_value", ("size",), allowed=[*range(12)]))
    line = invalid_arguments("t", {"issues": [found]}, {}, {}).split("\n")[1]

    assert line == (
        "- size: Must be one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more. "
        "Allowed: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11."
    )
