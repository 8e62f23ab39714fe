"""Texts that anybody may have written, in comments and docstrings."""

from __future__ import annotations

import ast
import re
import unicodedata
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.codegen.texts import block_comment, docstring, line_comment, visible, wrapped

HOSTILE: Final = st.one_of(
    st.text(max_size=30),
    st.text(st.characters(categories=["Cs", "Cc", "Cf", "Zl", "Zp", "Zs"]), max_size=6),
    st.lists(
        st.sampled_from(
            [
                '"""',
                '"',
                "\\",
                "*/",
                "/*",
                "//",
                "*",
                "/",
                "@ts-ignore",
                "# type: ignore",
                "\n",
                "\r",
                "\u2028",
                "a",
                " ",
                "`${",
                "\u202e",
            ]
        )
    ).map("".join),
)


def hidden(text: str) -> set[str]:
    """The characters in *text* that cannot be seen; those that are not assigned yet may be."""
    return {
        char for char in text if unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
    }


@pytest.mark.parametrize(
    ("text", "shown"),
    [
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
    ],
)
def test_nothing_is_hidden(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_nothing_that_any_unicode_hides_is_let_pass() -> None:
    """Whatever this version of Python knows of it."""
    every = "".join(map(chr, range(0x110000)))

    assert not hidden(visible(every))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("\n \n", []),
        ("one\n\n\ntwo\r\nthree\u2028four\n", ["one", "", "", "two", "three", "four"]),
        ("one two three four", ["one two", "three four"]),
        (
            "a-word-that-is-longer-than-that and more",
            ["a-word-that-is-longer-than-that", "and more"],
        ),
        ("  - one two three", ["  - one two", "  three"]),
        ("         - one two three", ["- one two", "three"]),
        ("  shorter   x", ["  shorter", "  x"]),
        ("  sh   x", ["  sh   x"]),
        ("a           ", ["a"]),
    ],
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
    assert block_comment("@ts-nocheck\n{@link x} a@b.example *@deprecated", 80) == [
        r"\@ts-nocheck",
        r"{\@link x} a@b.example *\@deprecated",
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("type: ignore", "type : ignore"),
        ("x # TYPE: ignore", "x # TYPE : ignore"),
        ("noqa", "no qa"),
        ("NoQA: E501", "No QA: E501"),
        ("fmt: off", "fmt : off"),
        ("-*- coding: utf-7 -*-", "-*- coding : utf-7 -*-"),
        ("pragma: no cover", "pragma : no cover"),
        ("@ts-ignore", r"\@ts-ignore"),
        ("eslint-disable-next-line", "eslint -disable-next-line"),
        ("Shop 1.0: a type, as it is", "Shop 1.0: a type, as it is"),
        ("/ <reference path='x'>", "/ <reference path='x'>"),
    ],
)
def test_a_line_of_a_comment_is_no_directive(text: str, line: str) -> None:
    assert line_comment(text, 80) == [line]


@given(HOSTILE)
def test_a_line_of_a_comment_is_one_line(text: str) -> None:
    for line in line_comment(text, 40):
        assert not hidden(line)
