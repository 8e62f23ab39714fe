"""
What is told of a body that is not JSON: one text for each reason, with the line and the column.
"""

from __future__ import annotations

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

# body, reason, line, column; both are counted from 1, and columns in characters
CASES: list[tuple[bytes, str, int, int]] = [
    (b"", "empty", 1, 1),
    (b" \r\n\t", "empty", 1, 1),
    (b"\xef\xbb\xbf{}", "byte_order_mark", 1, 1),
    ("{}".encode("utf-16"), "encoding", 1, 1),
    ("{}".encode("utf-16-le"), "encoding", 1, 1),
    ("{}".encode("utf-16-be"), "encoding", 1, 1),
    ("{}".encode("utf-32-le"), "encoding", 1, 1),
    ("1".encode("utf-32-be"), "encoding", 1, 1),
    (b'["\xc3\xa9", "\xff"]', "encoding", 1, 8),
    (b"\x80", "encoding", 1, 1),
    ('{"é": é}'.encode("latin-1"), "encoding", 1, 3),
    (b'"\xed\xa0\x80"', "encoding", 1, 2),
    (b"a=1&b=2", "form", 1, 1),
    (b"a%5B%5D=1", "form", 1, 1),
    (b"7=1", "form", 1, 1),
    (b'--x7\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x7--', "form", 1, 1),
    (b"[" * 201 + b"]" * 201, "too_deep", 1, 201),
    (b"[\n" + b"[" * 200 + b"]" * 201, "too_deep", 2, 200),
    (b"[" * 400, "too_deep", 1, 201),
    (b'{"a":' * 201 + b"1" + b"}" * 201, "too_deep", 1, 1001),
    (b"1" * 4301, "too_many_digits", 1, 1),
    (b"[1, -" + b"1" * 4301 + b"]", "too_many_digits", 1, 5),
    (b'"\\ud800"', "lone_surrogate", 1, 2),
    (b'"a\\udc00"', "lone_surrogate", 1, 3),
    (b'"\\ud800\\u0041"', "lone_surrogate", 1, 2),
    (b'"\\ud83d\\ude00\\ud800x"', "lone_surrogate", 1, 14),
    (b"NaN", "not_finite", 1, 1),
    (b'{"a": nan}', "not_finite", 1, 7),
    (b"[1,\n -Infinity]", "not_finite", 2, 2),
    (b'{"a":1,}', "trailing_comma", 1, 7),
    (b"[1,\n 2,\n]", "trailing_comma", 2, 3),
    (b"{'a':1}", "quotes", 1, 2),
    (b"[1, `a`]", "quotes", 1, 5),
    ("[“a”]".encode(), "quotes", 1, 2),
    (b"// a\n1", "comment", 1, 1),
    (b'{"a": 1, /* b */ "c": 2}', "comment", 1, 10),
    (b"[1,\n# a\n2]", "comment", 2, 1),
    (b"1 // a", "comment", 1, 3),
    (b"{} {}", "trailing", 1, 4),
    (b'{"a":1}\n\n x', "trailing", 3, 2),
    (b"1\x00", "trailing", 1, 2),
    (b"1]", "trailing", 1, 2),
    (b"1,2", "trailing", 1, 2),
    (b"[1", "unfinished", 1, 3),
    (b'{"a":\n', "unfinished", 2, 1),
    (b'"abc', "unfinished", 1, 5),
    (b"nul", "unfinished", 1, 4),
    (b"{a:1}", "key", 1, 2),
    (b"{,}", "key", 1, 2),
    (b'{"a" 1}', "colon", 1, 6),
    (b'{"a":1 "b":2}', "comma", 1, 8),
    ('{"é":"é" "b":2}'.encode(), "comma", 1, 10),
    (b"[1 2]", "comma", 1, 4),
    (b"[1}", "comma", 1, 3),
    (b"[,1]", "value", 1, 2),
    (b"<html>", "value", 1, 1),
    (b'{"a":}', "value", 1, 6),
    (b"True", "word", 1, 1),
    (b"[1, undefined]", "word", 1, 5),
    (b"[nope]", "word", 1, 2),
    (b'{"a":tru}', "word", 1, 6),
    (b"[fals, 1]", "word", 1, 2),
    (b"+1", "number", 1, 1),
    (b"[.5]", "number", 1, 2),
    (b"[01]", "number", 1, 2),
    (b"-a", "number", 1, 1),
    (b"0x10", "number", 1, 1),
    (b"[1_000]", "number", 1, 2),
    (b"[1.]", "number", 1, 2),
    (b'"a\nb"', "control_character", 1, 3),
    (b'["a\tb"]', "control_character", 1, 4),
    (b'"a\\x"', "escape", 1, 3),
    (b'"\\u12g4"', "escape", 1, 2),
]


def told(body: bytes) -> tuple[str, int, int]:
    found = parsed(body)
    assert isinstance(found, Issue)
    assert (found.path, found.code) == ((), "json_invalid")
    params: dict[str, Any] = dict(found.params)
    assert found.message == sentence("json_invalid", params)
    return params["reason"], params["line"], params["column"]


@pytest.mark.parametrize(("body", "reason", "line", "column"), CASES)
def test_what_is_no_json_is_told_why_and_where(
    body: bytes, reason: str, line: int, column: int
) -> None:
    assert told(body) == (reason, line, column)


WITHIN = [
    case
    for case in CASES
    if case[1] not in ("empty", "byte_order_mark", "encoding", "form", "too_deep", "trailing")
]


@pytest.mark.parametrize(("body", "reason", "line", "column"), WITHIN)
def test_among_many_brackets_it_is_told_alike(
    body: bytes, reason: str, line: int, column: int
) -> None:
    """
    What might be too deep is parsed with an array around it.

    What is told is about the body as it was sent.
    """
    found = told(b"[" + b"[],\n" * 300 + body)

    assert found[0] == reason
    assert found[1] == line + 300


@pytest.mark.parametrize("end", [b" 1", b"]", b",", b",1", b" []"])
def test_after_many_brackets_whatever_follows_is_told(end: bytes) -> None:
    assert told(b"[\n" + b"[]," * 300 + b"1]" + end) == ("trailing", 2, 903 + (end[:1] == b" "))


@pytest.mark.parametrize(
    "reason", [key.partition(".")[2] for key in SENTENCES if key.startswith("json_invalid.")]
)
def test_every_reason_is_given(reason: str) -> None:
    assert reason == "stack" or reason in {case[1] for case in CASES}


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
    assert dict(stack_is_full(b"[[[]],[]]").params)["column"] == 3
    assert dict(stack_is_full(b'{"[[[":[1,\n {"a":"\\"]"}, [[]]]}').params) == {
        "reason": "stack",
        "line": 2,
        "column": 16,
    }


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
    assert (
        growth(
            stack_is_full, b"[" + b'[["a"],' * (MEGABYTE // 56), b"[" + b'[["a"],' * (MEGABYTE // 7)
        )
        < 24
    )


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
def test_the_garbage_collector_waits_while_a_large_body_is_parsed(
    collections: list[str], end: bytes
) -> None:
    body = b"[" + b"[]," * LARGE_BODY + b"1" + end
    gc.collect()
    collections.clear()

    seen = [(isinstance(parsed(body), Issue), len(collections)) for _ in range(1)]

    assert seen == [(end != b"]", 0)]
    assert gc.isenabled()
