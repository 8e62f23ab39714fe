"""Layout and literals of TypeScript: lines that fit, and texts that stay where they are put."""

import pytest

from contract.codegen.typescript import layout

LONG = ["x" * 50, "y" * 50, "z" * 50]


LINES = ",\n  ".join(LONG)
DEEPER = ",\n    ".join(LONG)
CHOICE = "\n    | ".join(["", *LONG])
LAID_OUT = {
    # what fits stands on one line
    "f(a, [b, c], { d: e })": layout.call(
        "f", "a", layout.array(["b", "c"]), layout.members([layout.entry("d", "e")])
    ),
    "{}": layout.members([]),
    "[]": layout.array([]),
    "a | b": layout.one_of(["a", "b"]),
    "a": layout.one_of(["a"]),
    # what does not fit has a line for each part
    f"[\n  {LINES},\n]": layout.array(LONG),
    "\n  | ".join(["", *LONG]): layout.one_of(LONG),
    f"{{\n  a: [\n    {DEEPER},\n  ],\n}}": layout.members([layout.entry("a", layout.array(LONG))]),
    # the only part is hugged
    f"f([\n  {LINES},\n])": layout.call("f", layout.array(LONG)),
    f"f(\n  {CHOICE},\n)": layout.call("f", layout.one_of(LONG)),
    # the last comma may be one too many
    f"A<\n  {LINES}\n>": layout.Group("A<", tuple(LONG), ">", trailing=False),
    # what cannot be broken is not
    "x" * 200: "x" * 200,
    f"a: {'x' * 200}": layout.entry("a", "x" * 200),
    f"{'x' * 200}y": layout.Group("x" * 200, (), "y"),
}


@pytest.mark.parametrize(("text", "part"), LAID_OUT.items())
def test_what_fits_stands_on_one_line_and_what_does_not_is_broken(
    text: str, part: layout.Node
) -> None:
    assert layout.laid_out(part) == text


def test_what_is_broken_is_indented_as_what_stands_around_it() -> None:
    assert layout.laid_out(layout.array(LONG), indent=1) == f"[\n    {DEEPER},\n  ]"


@pytest.mark.parametrize(("taken", "after", "lines"), [(0, 0, 1), (1, 0, 3), (0, 1, 3)])
def test_what_stands_around_takes_room(taken: int, after: int, lines: int) -> None:
    assert (
        len(
            layout.laid_out(
                layout.array(["x" * (layout.WIDTH - 2)]), taken=taken, after=after
            ).splitlines()
        )
        == lines
    )


QUOTED = [
    ('a"b\\c', '"a\\"b\\\\c"'),
    ("*/ ${x} </script> <!--", '"*\\/ \\${x} <\\/script> <\\!--"'),
    ("\u2028\u2029\u202e\u200b\x00\x7f\x85", '"\\u2028\\u2029\\u202e\\u200b\\u0000\\u007f\\u0085"'),
    ("röd \u00e9 e\u0301 日本 \U0001f514", '"röd é e\\u0301 日本 \U0001f514"'),
    ("\U000e0001", '"\\u{e0001}"'),
    ("\ud800", '"\\ud800"'),
]


@pytest.mark.parametrize(("text", "written"), QUOTED)
def test_a_text_is_quoted_so_that_nothing_of_it_is_hidden(text: str, written: str) -> None:
    assert layout.quoted(text) == written


def test_keys_are_quoted_where_they_have_to_be() -> None:
    keys = " ".join(layout.key_of(text) for text in ("a", "class", "a-b", "1", "", "__proto__"))

    assert keys == 'a class "a-b" "1" "" ["__proto__"]'


def test_numbers_are_safe_as_far_as_they_are_exact() -> None:
    assert all(layout.is_safe(each) for each in (layout.MAX_SAFE, -layout.MAX_SAFE, "a", True))
    assert not layout.is_safe(layout.MAX_SAFE + 1)
    assert not layout.is_safe(-layout.MAX_SAFE - 1)
    written = " ".join(layout.number(value) for value in (1, -1.5, 1e22, 1e-7, 2**64))
    assert written == "1 -1.5 1e22 1e-07 18446744073709551616"


def test_a_value_is_written_as_json() -> None:
    written = layout.laid_out(layout.value_of({"a": [1, 1.5, "x", None, True], "__proto__": {}}))

    assert written == '{ a: [1, 1.5, "x", null, true], ["__proto__"]: {} }'
