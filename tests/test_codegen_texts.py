"""Texts that anybody may have written, in comments and docstrings, and as names."""

from __future__ import annotations

import ast
import re
import unicodedata
from itertools import permutations
from keyword import iskeyword
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.codegen.texts import Names, Style, block_comment, docstring, visible, wrapped
from contract.shape.names import MAX_LENGTH, identifier, is_identifier, is_plain, pascal
from tests.tables import rows

MARKS: Final = '""" " \\ */ /* // * / @ts-ignore `${ a \u202e'
ODD_MARKS: Final = ["# type: ignore", "\n", "\r", "\u2028", " "]
HOSTILE: Final = st.one_of(
    st.text(max_size=30),
    st.text(st.characters(categories=["Cs", "Cc", "Cf", "Zl", "Zp", "Zs"]), max_size=6),
    st.lists(st.sampled_from([*MARKS.split(), *ODD_MARKS])).map("".join),
)


def hidden(text: str) -> set[str]:
    """The characters in *text* that cannot be seen; those that are not assigned yet may be."""
    kinds = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
    return {char for char in text if unicodedata.category(char) in kinds}


@rows(
    "text, shown",
    ("plain", "plain"),
    ("größe 漢字 😀", "größe 漢字 😀"),
    ("a\tb\u00a0c\u3000d", "a b c d"),
    ("a\u202eb", "a\\u202eb"),
    ("\u200b\u200d\ufeff", "\\u200b\\u200d\\ufeff"),
    ("\x00\x1b\x7f", "\\u0000\\u001b\\u007f"),
    ("\ud800", "\\ud800"),
    ("\u2028\u2029", "\\u2028\\u2029"),
    ("\u3164\u2800", "\\u3164\\u2800"),
    ("\U000e0041", "\\U000e0041"),
    ("\ufdd0\U0001ffff", "\\ufdd0\\U0001ffff"),
    ("\ue000", "\\ue000"),
)
def test_nothing_is_hidden(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.unwatched
def test_nothing_that_any_unicode_hides_is_let_pass() -> None:
    """Whatever this version of Python knows of it."""
    every = "".join(map(chr, range(0x110000)))

    assert not hidden(visible(every))


@rows(
    "text, lines",
    ("", []),
    ("\n \n", []),
    ("one\n\n\ntwo\r\nthree\u2028four\n", ["one", "", "", "two", "three", "four"]),
    ("one two three four", ["one two", "three four"]),
    ("longer-than-that and more", ["longer-than-that", "and more"]),
    ("  - one two three", ["  - one two", "  three"]),
    ("         - one two three", ["- one two", "three"]),
    ("  shorter   x", ["  shorter", "  x"]),
    ("  sh   x", ["  sh   x"]),
    ("a           ", ["a"]),
)
def test_lines_are_broken_between_words(text: str, lines: list[str]) -> None:
    assert wrapped(text, 11) == lines


@given(HOSTILE, st.integers(10, 80))
def test_a_docstring_is_one_string(text: str, width: int) -> None:
    """It says what is visible of the text, and no escape in it is more than it looks."""
    lines = docstring(text, width)
    found = ast.literal_eval('"""' + "\n".join(lines) + '"""')

    assert found == "\n".join(wrapped(text, width))
    if lines:
        assert ast.literal_eval('"""' + lines[-1] + '"""') == wrapped(text, width)[-1]


@given(HOSTILE, st.integers(10, 80))
def test_a_block_comment_does_not_end(text: str, width: int) -> None:
    comment = "\n".join(f" * {line}" for line in block_comment(text, width))

    assert "*/" not in comment
    assert "/*" not in comment
    assert re.search(r"(?m)^[\s*]*@", comment) is None
    assert hidden(comment) <= {"\n"}


def test_a_tag_in_a_comment_is_text() -> None:
    found = block_comment("@ts-nocheck\n{@link x} a@b.example *@deprecated", 80)
    assert found == [r"\@ts-nocheck", r"{\@link x} a@b.example *\@deprecated"]


ODD_NAMES: Final = "_ __init__ __proto__ class a_b a-b A_B 1 a_b_2 a_b_ class_ ﬁ é"
NAMED: Final = st.one_of(
    st.text(max_size=8),
    st.text(st.characters(categories=["Cs", "Cc", "Cf", "Lo", "Mn"]), max_size=4),
    st.sampled_from(["", "a b", "x" * 200, *ODD_NAMES.split()]),
    st.text("ab_-", max_size=3),
)
RESERVED: Final = frozenset({"class", "None", "self"})
PYTHON: Final = Style(
    reserved=RESERVED, legal=lambda text: is_identifier(text) and not text.startswith("_")
)


@rows(
    "text, plain, python",
    ("name", True, True),
    ("_x1", True, True),
    ("größe", False, True),
    ("ﬁeld", False, False),  # Python reads it as field
    ("", False, False),
    ("1a", False, False),
    ("a-b", False, False),
    ("a\n", False, False),
    ("a\u200d", False, False),  # an identifier since Python 3.13
    ("\U0001e900", False, False),  # a letter since Unicode 9
    ("имя_1", False, True),
    ("x" * MAX_LENGTH, True, True),
    ("x" * (MAX_LENGTH + 1), False, False),
)
def test_what_may_stand_as_it_is(text: str, plain: bool, python: bool) -> None:
    assert is_plain(text) == plain
    assert is_identifier(text) == python


@rows(
    "text, name",
    ("user-address", "user_address"),
    ("@id", "id"),
    ("__init__", "init"),
    ("a--b", "a_b"),
    ("café", "cafe"),
    ("ﬁ", "fi"),
    ("имя", "u438_u43c_u44f"),
    ("1st", "name_1st"),
    ("", "name"),
    ("$%", "name"),
    ("\ud800", "ud800"),
    ('"; import os #', "import_os"),
    ("x" * 200, f"{'x' * 91}_aa20c23e"),
)
def test_identifiers_look_like_their_texts(text: str, name: str) -> None:
    assert identifier(text) == name


@rows(
    "text, name",
    ("SOLD_OUT", "SoldOut"),
    ("sold.out", "SoldOut"),
    ("getUser", "GetUser"),
    ("order_v2", "OrderV2"),
    ("HTTPStatus", "HTTPStatus"),
    ("A1", "A1"),
    ("2nd", "Type2nd"),
    ("", "Type"),
)
def test_types_have_names_in_capitals(text: str, name: str) -> None:
    assert pascal(text) == name


@given(NAMED)
def test_every_text_has_an_identifier(text: str) -> None:
    assert is_plain(identifier(text))
    assert is_plain(pascal(text))


def test_a_name_that_is_taken_is_numbered() -> None:
    names = Names(PYTHON)
    texts = "a a a_2 a class class class_2 __a 1"
    taken = "a a_2 a_2_2 a_3 class_ class_2 class_2_2 a_4 name_1"

    assert " ".join(names.take(text) for text in texts.split()) == taken


def test_names_may_have_to_differ_in_more_than_case() -> None:
    names = Names(Style(ignores_case=True, reserved=frozenset({"List"})))
    users = {"USER": "USER", "User": "User_2", "user": "user_3"}

    assert names.take_all(["User", "user", "USER", "list"]) == users | {"list": "list_2"}
    assert Names(Style()).take_all(["User", "user"]) == {"User": "User", "user": "user"}


def test_a_language_may_take_less_than_an_identifier() -> None:
    style = Style(legal=lambda text: is_plain(text) and text.startswith("f"), stem="field")
    names = {"from": "from", "1": "field_1", "x": "field_x"}

    assert Names(style).take_all(["x", "from", "1"]) == names


def test_names_do_not_depend_on_the_order() -> None:
    """What stands as it is comes first, so that nothing takes its name."""
    expected = {"a_b": "a_b", "class_2": "class_2", "class": "class_"}
    expected |= {"@a_b": "a_b_2", "@class": "class_3", "a-b": "a_b_3"}

    for order in permutations(expected):
        assert Names(PYTHON).take_all(order) == expected


@given(st.lists(NAMED, max_size=12), st.booleans())
def test_names_differ_and_are_legal(texts: list[str], ignores_case: bool) -> None:
    style = Style(reserved=PYTHON.reserved, legal=PYTHON.legal, ignores_case=ignores_case)
    names = Names(style).take_all(texts)

    assert names == Names(style).take_all(reversed(texts))
    assert names.keys() == {*texts}
    assert len({name.lower() if ignores_case else name for name in names.values()}) == len(names)
    for text, name in names.items():
        assert name.isidentifier()
        assert not iskeyword(name) or iskeyword(text)
        assert name not in style.reserved
        assert not name.startswith("_")


def test_many_equal_texts_take_no_longer_than_others() -> None:
    """The number that was given last is known."""
    names = Names(Style())

    assert len({names.take("@" * (index % 7)) for index in range(20_000)}) == 20_000
