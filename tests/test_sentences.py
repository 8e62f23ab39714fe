"""Sentences: the words for an issue, out of its code and its params alone."""

from typing import Any

from contract.shape.sentences import MAX_MESSAGE, sentence
from tests.tables import rows

TOO_SHORT = "Must have at least 2 characters; this has 1."
NO_DAY = "Must be a date like 2026-01-31; there is no such day: that month has 28 days."
TEN = "Must be one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and"
LONG = "x" * 60
NO_TEXT = "Must be a string in double quotes with a date like 2026-01-31, not an integer."
MEANT = 'Must be one of "a", 1, true. Did you mean "a"?'
ONE_OF_THREE = "Must be an integer, a date like 2026-01-31 or a string, not true or false."
ARRAY, LESS = "Must be an array. Closest", "Must be less than"
WHATEVER = "Must be whatever or a string. Closest: Must be null."


def closest(code: str, *path: int, **params: Any) -> dict[str, Any]:
    return {"closest": {"path": [*path], "code": code, "params": params}}


WITHIN = closest("union", expected="null", **closest("x"))


@rows(
    "code, params, told",
    ("integer_type", {}, "Must be an integer."),
    ("integer_type", {"found": "array"}, "Must be an integer, not an array."),
    ("integer_type", {"found": "string"}, "Must be an integer without quotes, not a string."),
    ("string_type", {"found": "integer", "format": "date"}, NO_TEXT),
    ("string_too_short", {"min_length": 1}, "Must have at least 1 character."),
    ("string_too_short", {"min_length": 2, "length": 1}, TOO_SHORT),
    ("format", {"format": "date", "reason": "no_such_day", "days": 28}, NO_DAY),
    ("unknown_value", {"allowed": ["a"]}, 'Must be "a".'),
    ("unknown_value", {"allowed": ["a", 1, True], "meant": "a"}, MEANT),
    ("unknown_value", {"allowed": [*range(12)], "found": "string"}, f"{TEN} 2 more, not a string."),
    ("unknown_value", {"allowed": [*range(10)], "count": 60}, f"{TEN} 50 more."),
    ("unknown_value", {"allowed": [LONG, "y" * 60]}, f'Must be one of "{LONG}" and 1 more.'),
    ("missing", {"allowed": ["a", "b"]}, 'This field is required: it must be one of "a", "b".'),
    ("union", {"expected": "integer"}, "Must be an integer."),
    ("union", {"expected": "integer, date, string", "found": "boolean"}, ONE_OF_THREE),
    ("union", {"expected": "array"} | closest("less_than", 1, lt=3), f"{ARRAY}, at 1: {LESS} 3."),
    ("union", {"expected": "whatever, string"} | WITHIN, WHATEVER),
    ("union", {"expected": "array"} | closest("newer"), f"{ARRAY}: newer"),
    ("less_than", {"lt": 100.0}, "Must be less than 100."),
    ("less_than", {"lt": -0.0}, "Must be less than 0."),
    ("less_than", {"lt": 0.1}, "Must be less than 0.1."),
    ("less_than", {"lt": 1e-6}, "Must be less than 0.000001."),
    ("less_than", {"lt": 1.5e-7}, "Must be less than 1.5e-7."),
    ("less_than", {"lt": 1e20}, "Must be less than 100000000000000000000."),
    ("less_than", {"lt": 1e21}, "Must be less than 1e+21."),
    ("less_than", {}, None),
    ("newer", {}, None),
)
def test_a_sentence_is_made_of_a_code_and_its_params(
    code: str, params: dict[str, Any], told: str | None
) -> None:
    """Numbers are written as JavaScript writes them, since it writes some of the sentences."""
    assert sentence(code, params) == told


def test_a_long_sentence_is_cut() -> None:
    told = str(sentence("pattern", {"pattern": "a" * 300}))

    assert len(told) == MAX_MESSAGE
    assert told.endswith("a…")


TABLE = {
    "missing": "Dieses Feld fehlt.",
    "integer_type": "Muss eine ganze Zahl sein[, nicht {found}].",
    "found:array": "eine Liste",
    "string_too_short": "Braucht {min_length} Zeichen.",
}


@rows(
    "code, params, told",
    ("missing", {}, "Dieses Feld fehlt."),
    ("integer_type", {"found": "array"}, "Muss eine ganze Zahl sein, nicht eine Liste."),
    ("integer_type", {"found": "string"}, "Muss eine ganze Zahl sein, nicht a string."),
    ("null_type", {"found": "array"}, "Must be null, not eine Liste."),
)
def test_another_table_goes_before(code: str, params: dict[str, Any], told: str) -> None:
    """What it lacks is said in English."""
    assert sentence(code, params, TABLE) == told
