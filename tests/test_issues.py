"""What is told of an input: texts that are stable, short, and say what to send."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from contract.codegen.typescript import checks
from contract.shape import text_forms
from contract.shape.issues import (
    CODES,
    FORMATS,
    MAX_KEY_LENGTH,
    MAX_PATH_LENGTH,
    REASONS,
    issue,
    to_json,
)

FORMS = [form for form in vars(text_forms).values() if isinstance(form, text_forms.Form)]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_every_format_is_described_with_an_example_that_it_takes(form: text_forms.Form) -> None:
    described = FORMATS[form.name]

    assert described.startswith(form.name)
    assert form.matches(described.rpartition("such as ")[2])


def test_every_description_of_a_format_is_of_one() -> None:
    assert set(FORMATS) == {form.name for form in FORMS}


def test_the_message_of_a_format_shows_what_to_send_and_its_params_only_name_it() -> None:
    found = issue("format", ("at",), format="date-time")

    assert to_json(found) == {
        "path": ["at"],
        "code": "format",
        "message": "Must be a string in the format date-time with an offset, such as 2026-01-01T10:00:00Z.",
        "params": {"format": "date-time"},
    }


def test_a_body_that_is_no_json_is_told_why_and_where() -> None:
    assert to_json(issue("json_invalid", reason="trailing_comma", line=2, column=7)) == {
        "path": [],
        "code": "json_invalid",
        "message": "A comma must not stand before a closing bracket.",
        "params": {"reason": "trailing_comma", "line": 2, "column": 7},
    }


def test_a_body_that_is_no_json_for_an_unknown_reason_is_told_so() -> None:
    assert issue("json_invalid", reason="syntax", line=1, column=1).message == CODES["json_invalid"]


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_is_a_sentence_that_fits(reason: str) -> None:
    message = issue("json_invalid", reason=reason, max_depth=200, max_digits=4300).message

    assert len(message) < 200
    assert message[0].isupper()
    assert message.endswith(".")


def test_generated_typescript_has_the_same_texts() -> None:
    written = (
        (Path(checks.__file__).with_name("checks.ts"))
        .read_text("utf-8")
        .replace("${$MAX_DEPTH}", "{max_depth}")
    )

    assert REASONS["lone_surrogate"] in written
    assert REASONS["too_deep"] in written


@pytest.mark.parametrize("code", CODES)
def test_every_message_is_a_sentence_that_fits(code: str) -> None:
    params = {
        name: "date" if name == "format" else "x" * 300
        for name in re.findall(r"{(\w+)}", CODES[code])
    }
    message = issue(code, **params).message

    assert len(message) <= 200
    assert message[0].isupper()
    assert CODES[code].endswith(".")


def test_a_path_repeats_no_more_of_an_input_than_it_needs() -> None:
    found = issue("unknown_key", ("k" * 100, *range(30)))

    assert len(found.path) == MAX_PATH_LENGTH
    assert found.path[0] == "k" * MAX_KEY_LENGTH
