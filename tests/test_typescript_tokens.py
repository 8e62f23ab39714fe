"""The tokens of TypeScript, by which generated code is judged."""

from __future__ import annotations

import pytest

from tests.typescript_tokens import tokens


def of(source: str) -> str:
    """The tokens, each between its kind and a bar."""
    return " | ".join(f"{kind} {text}" for kind, text in tokens(source))


def test_texts_comments_and_code_are_told_apart() -> None:
    called = r"""word a | sign . | word b | sign ( | text "x*/\"" | sign , | text 'y' | sign )"""
    rest = """ | sign ; | comment // "z | comment /* ' */ | number 1e+5"""

    assert of('a.b("x*/\\"", \'y\'); // "z\n/* \' */ 1e+5') == called + rest


def test_templates_hold_code() -> None:
    object_ = "sign { | word b | sign : | template `c` | sign }"

    assert of("`a${ {b: `c`} }d$e` + 1") == (
        f"template `a${{ | {object_} | template }}d$e` | sign + | number 1"
    )
    assert of("`${/x/}`") == "template `${ | regex /x/ | template }`"


def test_a_slash_divides_or_begins_a_regular_expression() -> None:
    quotient = "word a | sign / | word b | sign / | word c | sign ;"

    assert of('a / b / c; x = /["/]\\//g;') == (
        f'{quotient} | word x | sign = | regex /["/]\\//g | sign ;'
    )
    assert of("/a/.test(b)").startswith("regex /a/ | ")


OPEN = ['"a', '"a\nb"', "'", "/* x", "`a", "`a${b}", "(", "{ `${ ) }` }"]


@pytest.mark.parametrize("source", [*OPEN, ")", "(]", "\u2028", "\x00", "\\"])
def test_what_does_not_end_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match=r"no token begins|stays open|closes nothing"):
        of(source)
