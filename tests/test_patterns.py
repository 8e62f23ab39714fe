"""Patterns: what is read alike by Python, Rust and ECMAScript; the rest is refused with advice."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.shape.patterns import check_pattern, matcher, rust_pattern
from tests.growth import growth
from tests.tables import rows
from tests.words import words

ECMASCRIPT_SPACE = "\t\n\v\f\r \xa0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


@rows(
    "regex, found, not_found",
    ("", ["", "x"], []),
    ("b", ["abc"], ["", "B"]),
    ("^a|b$", ["ax", "xb"], ["xax"]),
    ("^[a-z]+$", ["abc"], ["abc\n", "\nabc", "aBc", ""]),
    (r"^\d{2,3}$", ["12", "123"], ["1", "1234", "\u0661\u0662"]),
    (r"^\D$", ["x", "\u0661"], ["1"]),
    (r"^\w+$", ["aZ_9"], ["é", "a-b"]),
    (r"^\W$", ["é", "-"], ["_"]),
    (r"^\s$", list(ECMASCRIPT_SPACE), ["\x1c", "\x85", "\u200b", "x"]),
    (r"^\S$", ["\x85", "x"], list(ECMASCRIPT_SPACE)),
    ("^.$", ["x", "\x85", "\U0001f600", "\v"], ["\n", "\r", "\u2028", "\u2029", "xy"]),
    (r"\bfoo\b", ["a foo.", "éfoo"], ["afoo", "foo_"]),
    (r"o\Bo", ["foo"], ["o o"]),
    (r"^[\d\-x]+$", ["1-x"], ["y"]),
    (r"^[^\D1]$", ["2"], ["1", "x"]),
    (r"^[\W\d]$", ["é", "5", "-"], ["a"]),
    (r"^[-a]$", ["-", "a"], ["b"]),
    (r"^[a-]$", ["-", "a"], ["b"]),
    (r"^[\]\[^.$&~|]$", list("][^.$&~|"), ["a", "\\"]),
    (r"^[\b]$", ["\b"], ["b"]),
    (r"^[^a]$", ["\n", "b"], ["a"]),
    (r"^[\x41-\u0043]$", ["A", "C"], ["D"]),
    (r"^\t\n\r\f\v\/\.\{\}$", ["\t\n\r\f\v/.{}"], [""]),
    (r"^(?:ab)?(c|d)*$", ["abcd", ""], ["abe"]),
    ("^a+?b*?c??d{2}?$", ["add", "abcdd"], ["ad"]),
    (r"^a{2,}#~&-@ é$", ["aaa#~&-@ é"], ["a#~&-@ é"]),
    ("^\U0001f600{2}$", ["\U0001f600\U0001f600"], ["\U0001f600"]),
    (r"^(^a)*$", ["a", ""], ["aa"]),
)
def test_a_pattern_is_read_as_ecmascript_reads_it(
    regex: str, found: list[str], not_found: list[str]
) -> None:
    matches = matcher(regex)

    assert [text for text in found if not matches(text)] == []
    assert [text for text in not_found if matches(text)] == []


REFUSED: dict[str, list[str]] = {
    "looks around": ["(?=a)", "(?!a)", "(?<=a)b", "(?<!a)b"],
    r"\(\?:\.\.\.\)": ["(?<year>a)", "(?P<year>a)", "(?i)a", "(?i:a)", "(?>a)", "(?#a)"],
    "back-reference": [r"(a)\1", r"\k<a>"],
    r"write the text twice, or \\x00": [r"\0"],
    r"write \^": [r"\Aa"],
    r"write \$": [r"a\Z", r"a\z"],
    "Python does not know": [r"\p{L}", r"\P{L}"],
    r"\\xHH": [r"\cA", r"\x4"],
    "not read alike": [r"\h", r"\Qa\E", r"[\B]"],
    "needs no backslash": [r"\-", r"\é", r"\@"],
    r"\\uHHHH": [r"\u{1F600}"],
    "surrogate": [r"\ud83d\ude00", "\ud800", "[\ud800]"],
    "possessive": ["a*+", "a{2}+"],
    "nothing that": ["a**", "a{2}{3}", "*a", "^*", r"\b+", "(|*a)", "(+a)"],
    r"write \\{": ["a{,3}", "{"],
    "smaller number first": ["a{3,2}"],
    r"write \\}": ["a}"],
    r"write \\\]": ["a]", "[]", "[^]", "[]a]"],
    r"write \\\)": ["a)"],
    r"write \\\(": ["(a"],
    r"there is a \[ without its \]; write \\\[": ["[a"],
    r"there is a \[ without its \]": ["[a-"],
    r"it ends with a backslash; write \\\\ for": ["a\\"],
    r"write \\\[": ["[[:alpha:]]", "[a[b]]"],
    "operator": ["[a&&b]", "[a~~b]", "[a||b]", "[--a]"],
    r"write \\-": ["[a-c-e]", r"[\d-z]", r"[a-\d]", "[z-a]"],
    "too large": ["((a{1000}){1000}){100}", "(" * 300 + ")" * 300],
}
"""Advice -> the patterns that it is given on."""


@rows("regex, advice", *((regex, advice) for advice, each in REFUSED.items() for regex in each))
def test_what_is_not_read_alike_is_refused_with_advice(regex: str, advice: str) -> None:
    with pytest.raises(ValueError, match=advice):
        check_pattern(regex)


def test_groups_of_any_depth_are_no_recursion() -> None:
    assert rust_pattern("(" * 5000 + ")" * 5000) == "(?:" * 5000 + ")" * 5000


def test_a_pattern_costs_linear_time() -> None:
    matches = matcher("^(a+)+$")

    assert not matches("a" * 100_000 + "!")
    assert growth(matches, "a" * 50_000 + "!", "a" * 400_000 + "!") < 24


def test_only_text_can_match() -> None:
    matches: Any = matcher("1")

    assert not any(matches(value) for value in (1, b"1", None))
    assert not matches("1\ud800")


CLASSES = ["[ab]", "[^a]", r"[\d_-]", r"[\]a-c]", r"[^\w]", "."]
ATOMS = st.sampled_from([*words(r"a b 1 _ - \d \D \w \W \. \/ \x41 \u0062"), " ", *CLASSES])
TIMES = st.sampled_from(["", "*", "+", "?", "{2}", "{1,}", "{0,2}", "*?"])
REPEATED = st.tuples(ATOMS, TIMES).map("".join)


def _group(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    sequence = st.lists(inner, max_size=3).map("".join)
    choice = st.lists(inner, min_size=2, max_size=3).map("|".join)
    return st.tuples(st.sampled_from(["(", "(?:"]), sequence | choice, st.just(")?")).map("".join)


PIECES = st.recursive(REPEATED, _group, max_leaves=6)
BODIES = st.lists(PIECES, max_size=4).map("".join)
STARTS, ENDS = st.sampled_from(["", "^", r"\b"]), st.sampled_from(["", "$", r"\B"])
PATTERNS = st.tuples(STARTS, BODIES, ENDS).map("".join)


# Python before 3.14 has no \B in an empty text
@given(PATTERNS, st.text("abAB1_ -./]\n", min_size=1, max_size=8))
def test_rust_and_python_agree_on_ascii(regex: str, text: str) -> None:
    spelled = regex.replace("$", r"\Z").replace(".", r"[^\n\r]").replace(r"\[^\n\r]", r"\.")
    by_python = re.search(spelled, text, re.ASCII)

    assert matcher(regex)(text) == (by_python is not None)


@given(st.text(r"ab01{},()[]^$.*+?|\-dwsbBxu&~<:=!", max_size=12))
def test_whatever_is_accepted_is_accepted_by_python(regex: str) -> None:
    try:
        check_pattern(regex)
    except ValueError:
        return

    re.compile(regex)  # warnings are errors here, so it means the same in later versions too
