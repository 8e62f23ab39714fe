"""The tokens of TypeScript, by which generated code is judged."""

from __future__ import annotations

import pytest

from tests.typescript_tokens import tokens


def of(source: str) -> list[str]:
    return [f"{kind} {text}" for kind, text in tokens(source)]


def test_texts_comments_and_code_are_told_apart() -> None:
    assert of('a.b("x*/\\"", \'y\'); // "z\n/* \' */ 1e+5') == [
        "word a",
        "sign .",
        "word b",
        "sign (",
        'text "x*/\\""',
        "sign ,",
        "text 'y'",
        "sign )",
        "sign ;",
        'comment // "z',
        "comment /* ' */",
        "number 1e+5",
    ]


def test_templates_hold_code() -> None:
    assert of("`a${ {b: `c`} }d$e` + 1") == [
        "template `a${",
        "sign {",
        "word b",
        "sign :",
        "template `c`",
        "sign }",
        "template }d$e`",
        "sign +",
        "number 1",
    ]
    assert of("`${/x/}`") == ["template `${", "regex /x/", "template }`"]


def test_a_slash_divides_or_begins_a_regular_expression() -> None:
    assert of('a / b / c; x = /["/]\\//g;') == [
        *[
            "word a",
            "sign /",
            "word b",
            "sign /",
            "word c",
            "sign ;",
            "word x",
            "sign =",
            'regex /["/]\\//g',
            "sign ;",
        ]
    ]
    assert of("/a/.test(b)")[0] == "regex /a/"


@pytest.mark.parametrize(
    "source",
    [
        '"a',
        '"a\nb"',
        "'",
        "/* x",
        "`a",
        "`a${b}",
        "(",
        ")",
        "(]",
        "{ `${ ) }` }",
        "\u2028",
        "\x00",
        "\\",
    ],
)
def test_what_does_not_end_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match=r"no token begins|stays open|closes nothing"):
        of(source)
