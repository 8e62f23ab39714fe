"""Layout and literals of TypeScript: lines that fit, and texts that stay where they are put."""

import json

import pytest

from contract.codegen.typescript.layout import (
    MAX_SAFE,
    WIDTH,
    Group,
    array,
    call,
    entry,
    is_safe,
    key_of,
    laid_out,
    members,
    number,
    one_of,
    quoted,
    value_of,
)

LONG = ["x" * 50, "y" * 50, "z" * 50]


def test_what_fits_stands_on_one_line() -> None:
    assert (
        laid_out(call("f", "a", array(["b", "c"]), members([entry("d", "e")])))
        == "f(a, [b, c], { d: e })"
    )
    assert laid_out(members([])) == "{}"
    assert laid_out(array([])) == "[]"
    assert laid_out(one_of(["a", "b"])) == "a | b"
    assert laid_out(one_of(["a"])) == "a"


def test_what_does_not_fit_has_a_line_for_each_part() -> None:
    assert laid_out(array(LONG), indent=1) == "[\n    " + ",\n    ".join(LONG) + ",\n  ]"
    assert laid_out(one_of(LONG)) == "\n  | " + "\n  | ".join(LONG)
    assert (
        laid_out(members([entry("a", array(LONG))]))
        == "{\n  a: [\n    " + ",\n    ".join(LONG) + ",\n  ],\n}"
    )


def test_the_only_part_is_hugged() -> None:
    assert laid_out(call("f", array(LONG))) == "f([\n  " + ",\n  ".join(LONG) + ",\n])"
    assert laid_out(call("f", one_of(LONG))) == "f(\n  " + "\n    | ".join(["", *LONG]) + ",\n)"


def test_the_last_comma_may_be_one_too_many() -> None:
    assert (
        laid_out(Group("A<", tuple(LONG), ">", trailing=False))
        == "A<\n  " + ",\n  ".join(LONG) + "\n>"
    )


def test_what_cannot_be_broken_is_not() -> None:
    assert laid_out("x" * 200) == "x" * 200
    assert laid_out(entry("a", "x" * 200)) == f"a: {'x' * 200}"
    assert laid_out(Group("x" * 200, (), "y")) == f"{'x' * 200}y"


@pytest.mark.parametrize(("taken", "after", "lines"), [(0, 0, 1), (1, 0, 3), (0, 1, 3)])
def test_what_stands_around_takes_room(taken: int, after: int, lines: int) -> None:
    assert len(laid_out(array(["x" * (WIDTH - 2)]), taken=taken, after=after).splitlines()) == lines


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ('a"b\\c', '"a\\"b\\\\c"'),
        ("*/ ${x} </script> <!--", '"*\\/ \\${x} <\\/script> <\\!--"'),
        (
            "\u2028\u2029\u202e\u200b\x00\x7f\x85",
            '"\\u2028\\u2029\\u202e\\u200b\\u0000\\u007f\\u0085"',
        ),
        ("röd \u00e9 e\u0301 日本 \U0001f514", '"röd é e\\u0301 日本 \U0001f514"'),
        ("\U000e0001", '"\\u{e0001}"'),
        ("\ud800", '"\\ud800"'),
    ],
)
def test_a_text_is_quoted_so_that_nothing_of_it_is_hidden(text: str, written: str) -> None:
    assert quoted(text) == written


def test_keys_are_quoted_where_they_have_to_be() -> None:
    assert [key_of(text) for text in ("a", "class", "a-b", "1", "", "__proto__")] == [
        "a",
        "class",
        '"a-b"',
        '"1"',
        '""',
        '["__proto__"]',
    ]


def test_numbers_are_safe_as_far_as_they_are_exact() -> None:
    assert is_safe(MAX_SAFE)
    assert is_safe(-MAX_SAFE)
    assert is_safe("a")
    assert is_safe(True)
    assert not is_safe(MAX_SAFE + 1)
    assert not is_safe(-MAX_SAFE - 1)
    assert [number(value) for value in (1, -1.5, 1e22, 1e-7, 2**64)] == [
        "1",
        "-1.5",
        "1e22",
        "1e-07",
        "18446744073709551616",
    ]


def test_a_value_is_written_as_json() -> None:
    value = {"a": [1, 1.5, "x", None, True], "__proto__": {}}

    written = laid_out(value_of(value))

    assert written == '{ a: [1, 1.5, "x", null, true], ["__proto__"]: {} }'
    assert (
        json.loads(written.replace("a:", '"a":').replace('["__proto__"]', '"__proto__"')) == value
    )
