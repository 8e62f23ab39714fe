"""What is told of an input: texts that are stable, short, and say what to send."""

import re

import pytest

from contract.shape import issues, text_forms
from contract.shape.issues import CODES, MAX_KEY_LENGTH, MAX_PATH_LENGTH, Issue, issue, to_json
from contract.shape.sentences import SENTENCES
from tests.tables import rows
from tests.words import words

FORMS = [form for form in vars(text_forms).values() if isinstance(form, text_forms.Form)]
REASONS = [key.partition(".")[2] for key in SENTENCES if key.startswith("json_invalid.")]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_every_format_is_described_with_an_example_that_it_takes(form: text_forms.Form) -> None:
    described = SENTENCES[f"format:{form.name}"]

    assert form.sample == described.rpartition(" like ")[2]
    assert form.matches(form.sample)


CLASSES = words("email semver url path timezone ipv4 ipv4-network ipv6 ipv6-network")
"""Classes that are texts of one form on the wire."""


def test_every_description_of_a_format_is_of_one() -> None:
    assert {key for key in SENTENCES if key.startswith("format:")} == {
        f"format:{name}" for name in (*(form.name for form in FORMS), *CLASSES)
    }


def test_the_message_of_a_format_shows_what_to_send_and_its_params_only_name_it() -> None:
    found = issue("format", ("at",), format="date-time")

    assert to_json(found) == {
        "path": ["at"],
        "code": "format",
        "message": "Must be a date and time with its offset like 2026-01-31T10:00:00Z.",
        "params": {"format": "date-time"},
    }


def test_a_body_that_is_no_json_is_told_why_and_where() -> None:
    assert to_json(issue("json_invalid", reason="trailing_comma", line=2, column=7)) == {
        "path": [],
        "code": "json_invalid",
        "message": "A comma must not stand before a closing bracket (line 2, column 7).",
        "params": {"reason": "trailing_comma", "line": 2, "column": 7},
    }


def test_a_body_that_is_no_json_for_an_unknown_reason_is_told_so() -> None:
    assert issue("json_invalid", reason="syntax", line=1, column=1).message == (
        "The body is not valid JSON (line 1, column 1); send one JSON value."
    )


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_is_a_sentence_that_fits(reason: str) -> None:
    known = {"line": 99999, "column": 99999, "max_depth": 200, "max_digits": 4300}
    message = issue("json_invalid", reason=reason, **known).message

    assert len(message) < 200
    assert message[0].isupper()
    assert message.endswith(".")


@pytest.mark.parametrize("code", CODES)
def test_every_message_is_a_sentence_that_fits(code: str) -> None:
    params = {
        name: "date" if name == "format" else "x" * 300
        for name in re.findall(r"{(\w+)}", re.sub(r"\[.*?\]", "", CODES[code]))
    }
    message = issue(code, **params).message

    assert len(message) <= 200
    assert message[0].isupper()
    assert CODES[code].endswith((".", "]"))


def test_a_path_repeats_no_more_of_an_input_than_it_needs() -> None:
    found = issue("unknown_key", ("k" * 100, *range(30)))

    assert len(found.path) == MAX_PATH_LENGTH
    assert found.path[0] == "k" * MAX_KEY_LENGTH


def test_a_code_that_no_table_knows_is_its_own_message() -> None:
    assert issue("newer").message == "newer"


TABLE = {"missing": "Das fehlt.", "invalid_value": "Nein.", "unknown_value": "Eines von {allowed}."}


@rows(
    "found, message",
    (issue("missing"), "Das fehlt."),
    (issue("null_type"), "Must be null."),
    (issue("invalid_value"), "Nein."),
    (Issue((), "invalid_value", "The end is near."), "The end is near."),
    (Issue((), "newer", "A newer server's."), "A newer server's."),
    *(
        (Issue((), "unknown_value", "As it came.", params), "As it came.")
        for params in ((), (("allowed", 7),))
    ),
)
def test_another_table_says_what_it_can_say(found: Issue, message: str) -> None:
    assert issues.in_words(found, TABLE).message == message
