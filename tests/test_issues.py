"""What is told of an input: texts that are stable, short, and say what to send."""

from __future__ import annotations

import re

import pytest

from contract.issues import CODES, FORMATS, MAX_KEY_LENGTH, MAX_PATH_LENGTH, issue, to_json
from contract.shape import forms

FORMS = [form for form in vars(forms).values() if isinstance(form, forms.Form)]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_every_format_is_described_with_an_example_that_it_takes(form: forms.Form) -> None:
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


def test_a_body_that_is_no_json_is_told_so_be_it_empty_or_not() -> None:
    assert to_json(issue("json_invalid")) == {
        "path": [],
        "code": "json_invalid",
        "message": "The body is empty or not valid JSON; send one JSON value.",
    }


@pytest.mark.parametrize("code", CODES)
def test_every_message_is_a_sentence_that_fits(code: str) -> None:
    params = {name: "date" if name == "format" else "x" * 300 for name in re.findall(r"{(\w+)}", CODES[code])}
    message = issue(code, **params).message

    assert len(message) <= 200
    assert message[0].isupper()
    assert CODES[code].endswith(".")


def test_a_path_repeats_no_more_of_an_input_than_it_needs() -> None:
    found = issue("unknown_key", ("k" * 100, *range(30)))

    assert len(found.path) == MAX_PATH_LENGTH
    assert found.path[0] == "k" * MAX_KEY_LENGTH
