"""What is told of a body that is not JSON: a text for each reason, with the line and column."""

import gc
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from contract.pred import parse
from contract.pred.parse import LARGE_BODY, parsed, stack_is_full
from contract.shape.issues import Issue
from contract.shape.sentences import SENTENCES, sentence
from tests.growth import growth

MEGABYTE = 1_048_576

# reason: bodies with line and column; both are counted from 1, and columns in characters
REASONS: dict[str, list[tuple[bytes, int, int]]] = {
    "empty": [(b"", 1, 1), (b" \r\n\t", 1, 1)],
    "byte_order_mark": [(b"\xef\xbb\xbf{}", 1, 1)],
    "encoding": [
        *(("{}".encode("utf-16"), 1, 1), ("{}".encode("utf-16-le"), 1, 1)),
        *(("{}".encode("utf-16-be"), 1, 1), ("{}".encode("utf-32-le"), 1, 1)),
        *(("1".encode("utf-32-be"), 1, 1), (b'["\xc3\xa9", "\xff"]', 1, 8), (b"\x80", 1, 1)),
        *(('{"é": é}'.encode("latin-1"), 1, 3), (b'"\xed\xa0\x80"', 1, 2)),
    ],
    "form": [
        *((b"a=1&b=2", 1, 1), (b"a%5B%5D=1", 1, 1), (b"7=1", 1, 1)),
        (b'--x7\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x7--', 1, 1),
    ],
    "too_deep": [
        *((b"[" * 201 + b"]" * 201, 1, 201), (b"[\n" + b"[" * 200 + b"]" * 201, 2, 200)),
        *((b"[" * 400, 1, 201), (b'{"a":' * 201 + b"1" + b"}" * 201, 1, 1001)),
    ],
    "too_many_digits": [(b"1" * 4301, 1, 1), (b"[1, -" + b"1" * 4301 + b"]", 1, 5)],
    "lone_surrogate": [
        *((b'"\\ud800"', 1, 2), (b'"a\\udc00"', 1, 3), (b'"\\ud800\\u0041"', 1, 2)),
        (b'"\\ud83d\\ude00\\ud800x"', 1, 14),
    ],
    "not_finite": [(b"NaN", 1, 1), (b'{"a": nan}', 1, 7), (b"[1,\n -Infinity]", 2, 2)],
    "trailing_comma": [(b'{"a":1,}', 1, 7), (b"[1,\n 2,\n]", 2, 3)],
    "quotes": [(b"{'a':1}", 1, 2), (b"[1, `a`]", 1, 5), ("[“a”]".encode(), 1, 2)],
    "comment": [
        *((b"// a\n1", 1, 1), (b'{"a": 1, /* b */ "c": 2}', 1, 10), (b"[1,\n# a\n2]", 2, 1)),
        (b"1 // a", 1, 3),
    ],
    "trailing": [
        *((b"{} {}", 1, 4), (b'{"a":1}\n\n x', 3, 2), (b"1\x00", 1, 2), (b"1]", 1, 2)),
        (b"1,2", 1, 2),
    ],
    "unfinished": [(b"[1", 1, 3), (b'{"a":\n', 2, 1), (b'"abc', 1, 5), (b"nul", 1, 4)],
    "key": [(b"{a:1}", 1, 2), (b"{,}", 1, 2)],
    "colon": [(b'{"a" 1}', 1, 6)],
    "comma": [
        *((b'{"a":1 "b":2}', 1, 8), ('{"é":"é" "b":2}'.encode(), 1, 10), (b"[1 2]", 1, 4)),
        (b"[1}", 1, 3),
    ],
    "value": [(b"[,1]", 1, 2), (b"<html>", 1, 1), (b'{"a":}', 1, 6)],
    "word": [
        *((b"True", 1, 1), (b"[1, undefined]", 1, 5), (b"[nope]", 1, 2), (b'{"a":tru}', 1, 6)),
        (b"[fals, 1]", 1, 2),
    ],
    "number": [
        *((b"+1", 1, 1), (b"[.5]", 1, 2), (b"[01]", 1, 2), (b"-a", 1, 1), (b"0x10", 1, 1)),
        *((b"[1_000]", 1, 2), (b"[1.]", 1, 2)),
    ],
    "control_character": [(b'"a\nb"', 1, 3), (b'["a\tb"]', 1, 4)],
    "escape": [(b'"a\\x"', 1, 3), (b'"\\u12g4"', 1, 2)],
}
CASES = [(body, reason, *at) for reason, told in REASONS.items() for body, *at in told]


def told(body: bytes) -> tuple[str, int, int]:
    found = parsed(body)
    assert isinstance(found, Issue)
    assert (found.path, found.code) == ((), "json_invalid")
    params: dict[str, Any] = dict(found.params)
    assert found.message == sentence("json_invalid", params)
    return params["reason"], params["line"], params["column"]


@pytest.mark.parametrize(("body", "reason", "line", "column"), CASES)
def test_bad_json_is_told_why_and_where(body: bytes, reason: str, line: int, column: int) -> None:
    assert told(body) == (reason, line, column)


WITHIN = [
    case
    for case in CASES
    if case[1] not in ("empty", "byte_order_mark", "encoding", "form", "too_deep", "trailing")
]


@pytest.mark.parametrize(("body", "reason", "line", "column"), WITHIN)
def test_among_brackets_it_is_told_alike(body: bytes, reason: str, line: int, column: int) -> None:
    """In an array, where it might be too deep; what is told is about the body as it was sent."""
    found = told(b"[" + b"[],\n" * 300 + body)

    assert (found[0], found[1]) == (reason, line + 300)


@pytest.mark.parametrize("end", [b" 1", b"]", b",", b",1", b" []"])
def test_after_many_brackets_whatever_follows_is_told(end: bytes) -> None:
    assert told(b"[\n" + b"[]," * 300 + b"1]" + end) == ("trailing", 2, 903 + (end[:1] == b" "))


def test_every_reason_is_given() -> None:
    reasons = {key.partition(".")[2] for key in SENTENCES if key.startswith("json_invalid.")}

    assert reasons - {"stack"} <= {case[1] for case in CASES}


def test_limits_are_told_with_what_they_are() -> None:
    deep, long = parsed(b"[" * 201 + b"]" * 201), parsed(b"1" * 4301)

    assert dict(deep.params)["max_depth"] == 200
    assert dict(long.params)["max_digits"] == 4300


VALUES: list[tuple[bytes, Any]] = [
    (b"1", 1),
    (b"1" * 4300, int("1" * 4300)),
    (b"[]", []),
    (b'"\\ud83d\\ude00"', "\U0001f600"),
    (b"\"NaN // 'a', ,]\"", "NaN // 'a', ,]"),
    (b"[" + b"[]," * 300 + b"1]", [*([[]] * 300), 1]),
]


@pytest.mark.parametrize(("body", "value"), VALUES)
def test_what_is_json_is_parsed(body: bytes, value: object) -> None:
    assert parsed(body) == value


def test_200_levels_are_taken() -> None:
    found = parsed(b"[" * 200 + b"]" * 200)

    for _ in range(199):
        [found] = found
    assert found == []


def test_where_the_stack_ends_the_deepest_bracket_is_told() -> None:
    inner = stack_is_full(b'{"[[[":[1,\n {"a":"\\"]"}, [[]]]}')

    assert dict(stack_is_full(b"[[[]],[]]").params)["column"] == 3
    assert dict(inner.params) == {"reason": "stack", "line": 2, "column": 16}


@pytest.mark.parametrize("problem", ["", "in other words", "in other words at line 2 column 1"])
def test_what_the_parser_says_in_other_words_is_no_json_all_the_same(
    monkeypatch: pytest.MonkeyPatch, problem: str
) -> None:
    def from_json(data: bytes, *, allow_inf_nan: bool, cache_strings: str) -> Any:
        raise ValueError(problem)

    monkeypatch.setattr(parse, "from_json", from_json)

    for body in (b"[1,\n?]", b"[1,\n" + b"[]" * 300):
        assert told(body) == ("syntax", 1 + problem.endswith("1"), 1)


LARGE: dict[str, Callable[[int], bytes]] = {
    "lines": lambda size: b"\n" * size + b"?",
    "a long line": lambda size: b'["' + b"\xc3\xa9" * (size // 2) + b'",?]',
    "digits": lambda size: b"[" + b"1" * size + b"]",
    "escapes": lambda size: b'"' + b"\\u0041" * (size // 6) + b'\\ud800"',
    "brackets": lambda size: b"[" + b"[]," * (size // 3) + b"?]",
    "brackets, and more": lambda size: b"[" + b"[]," * (size // 3) + b"1] 2",
    "letters": lambda size: b"[" + b"n" * size + b"]",
    "bytes that are none": lambda size: b'"' + b"a" * size + b'\xff"',
    "a form": lambda size: b"a" * size,
    "commas": lambda size: b"[1" + b" " * size + b",]",
}


@pytest.mark.parametrize("name", LARGE)
def test_the_place_is_found_in_time_that_grows_no_faster_than_the_body(name: str) -> None:
    make = LARGE[name]

    assert growth(parsed, make(MEGABYTE // 8), make(MEGABYTE)) < 24


@pytest.mark.unwatched
def test_the_place_where_the_stack_ends_is_found_in_such_time() -> None:
    small, large = (b"[" + b'[["a"],' * (MEGABYTE // each) for each in (56, 7))

    assert growth(stack_is_full, small, large) < 24


@pytest.fixture
def collections() -> Iterator[list[str]]:
    """The runs of the garbage collector, as they begin and end."""
    seen: list[str] = []

    def see(phase: str, info: dict[str, int]) -> None:
        seen.append(phase)

    gc.callbacks.append(see)
    yield seen
    gc.callbacks.remove(see)


@pytest.mark.unwatched
@pytest.mark.parametrize("end", [b"]", b"?]"])
def test_garbage_waits_while_a_large_body_is_parsed(collections: list[str], end: bytes) -> None:
    body = b"[" + b"[]," * LARGE_BODY + b"1" + end
    gc.collect()
    collections.clear()

    seen = [(isinstance(parsed(body), Issue), len(collections)) for _ in range(1)]

    assert seen == [(end != b"]", 0)]
    assert gc.isenabled()
