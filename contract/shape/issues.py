"""
Issues: what is wrong with an input, as it is told on the wire.

One table of codes serves everybody who speaks of a refused input: the server, the explorer and the
near misses of the testing kit. The texts are ours and stable; a message never repeats what was
sent.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Final

from contract.shape.record import record
from contract.shape.text_forms import FORMS

__all__ = [
    "CODES",
    "FORMATS",
    "MAX_ISSUES",
    "MAX_KEY_LENGTH",
    "MAX_PATH_LENGTH",
    "REASONS",
    "Issue",
    "issue",
    "to_json",
]

MAX_ISSUES: Final = 20
"""
The most issues that are reported at once.

A client that sends more mistakes learns of the rest after mending these.
"""

MAX_PATH_LENGTH: Final = 16
"""Segments of a path that are reported: more would be an echo of the input."""

MAX_KEY_LENGTH: Final = 64
"""Characters of a key that are reported, for the same reason."""

CODES: Final = MappingProxyType(
    {
        "json_invalid": "The body is not valid JSON; send one JSON value.",
        "missing": "This field is required.",
        "unknown_key": "This key is not known here.",
        "null_type": "Must be null.",
        "boolean_type": "Must be true or false.",
        "integer_type": "Must be an integer.",
        "number_type": "Must be a finite number.",
        "string_type": "Must be a string.",
        "array_type": "Must be an array.",
        "object_type": "Must be an object.",
        "greater_than": "Must be greater than {gt}.",
        "greater_than_equal": "Must be at least {ge}.",
        "less_than": "Must be less than {lt}.",
        "less_than_equal": "Must be at most {le}.",
        "multiple_of": "Must be a multiple of {multiple_of}.",
        "string_too_short": "Must have at least {min_length} characters.",
        "string_too_long": "Must have at most {max_length} characters.",
        "bytes_too_short": "Must decode to at least {min_length} bytes.",
        "bytes_too_long": "Must decode to at most {max_length} bytes.",
        "pattern": "Must match the pattern {pattern}.",
        "format": "Must be a string in the format {format}.",
        "decimal_size": (
            "Must have at most {max_digits} digits and an exponent within {max_exponent}."
        ),
        "timezone": "Must have the offset {timezone}.",
        "too_few_items": "Must have at least {min_items} items.",
        "too_many_items": "Must have at most {max_items} items.",
        "too_few_keys": "Must have at least {min_keys} keys.",
        "too_many_keys": "Must have at most {max_keys} keys.",
        "not_unique": "Must not have equal items.",
        "too_many_objects": "Must not hold more than {max_objects} objects.",
        "equal_hashes": "Has too many items that cannot be told apart quickly.",
        "unknown_value": "Must be one of the allowed values.",
        "unknown_tag": "Must be one of the allowed values.",
        "union": "Must be one of: {expected}.",
        "predicate": "Does not fulfil a condition of this field.",
        "invalid_value": "Is not a valid value.",
    }
)
"""
Issue code -> message, with the names of its params in braces.

A format is described as in `FORMATS`, and a fault of the JSON as in `REASONS`.
"""

REASONS: Final = MappingProxyType(
    {
        "empty": "The body is empty; send one JSON value.",
        "byte_order_mark": "The body begins with a byte order mark; send UTF-8 without one.",
        "encoding": "The body must be valid UTF-8.",
        "form": "This is form data; send one JSON value.",
        "too_deep": "Arrays and objects must not be nested deeper than {max_depth} levels.",
        "stack": "Arrays and objects are nested deeper than the server has room for.",
        "too_many_digits": (
            "A number must not have more than {max_digits} digits before its decimal point."
        ),
        "lone_surrogate": (
            "A text must hold whole characters, and this is half of one (a lone surrogate)."
        ),
        "not_finite": "NaN and Infinity are not JSON; send a finite number or null.",
        "trailing_comma": "A comma must not stand before a closing bracket.",
        "quotes": 'Texts and keys must stand in double quotes (").',
        "comment": "JSON has no comments.",
        "trailing": "The JSON value ends before this; send one value.",
        "unfinished": "The JSON ends too early: a value, a quote or a bracket is missing.",
        "key": "A key in double quotes must stand here.",
        "colon": "A colon must stand between a key and its value.",
        "comma": "A comma or the closing bracket is missing here.",
        "value": "A value is missing here.",
        "word": "Only true, false and null are written without quotes, and in lower case.",
        "number": (
            "A number must be written like 0.5 or -12e3: without a plus sign, "
            "leading zeros or another base."
        ),
        "control_character": (
            "A text must not hold a control character, such as a line break, "
            "other than as an escape."
        ),
        "escape": "A backslash must begin one of the escapes of JSON, such as \\n or \\u00e9.",
    }
)
"""
Reason why a document is not accepted as JSON -> the message of a ``json_invalid``.

Its params are the ``reason``, the ``line`` and the ``column``: characters of that line, both
counted from 1.
"""

FORMATS: Final = MappingProxyType({form.name: form.described for form in FORMS})
"""Format -> how it is described to people, with an example."""


@record
class Issue:
    """One thing that is wrong with an input."""

    path: tuple[str | int, ...]
    """Wire names and indexes from the root to the place; an unknown or missing key ends it."""
    code: str
    """A key of `CODES`."""
    message: str
    """An English sentence, at most 200 characters."""
    params: tuple[tuple[str, Any], ...] = ()
    """The limits of the rule, as JSON values: ``(("ge", 1),)``."""


def issue(code: str, path: tuple[str | int, ...] = (), /, **params: Any) -> Issue:
    """The issue of *code* at *path*, with its message made from *params*."""
    short = tuple(
        part[:MAX_KEY_LENGTH] if isinstance(part, str) else part for part in path[:MAX_PATH_LENGTH]
    )
    told = params | {"format": FORMATS[params["format"]]} if code == "format" else params
    text = (
        REASONS.get(params.get("reason", ""), CODES[code])
        if code == "json_invalid"
        else CODES[code]
    )
    return Issue(short, code, text.format(**told)[:200], tuple(params.items()))


def to_json(found: Issue) -> dict[str, Any]:
    """The issue as it stands in ``data.issues``."""
    body: dict[str, Any] = {"path": list(found.path), "code": found.code, "message": found.message}
    if found.params:
        body["params"] = dict(found.params)
    return body
