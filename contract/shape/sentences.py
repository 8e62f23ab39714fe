"""
Sentences: the message of every issue, made of its code and its params alone.

A table holds them. All that report a refused input read the same one: the server, generated
clients, the explorer and ``contract call``. Another table (such as `GERMAN` in
`contract.shape.german`) has them in another language.

The key of a sentence is its code; or code and variant (``format.no_such_day``), if the table has a
sentence for the param ``reason`` or else ``found``. A sentence may contain

- ``{name}``: the param of that name, in the words that the table has for it (``found:string``), or
  as it is;
- ``{name|one|many}``: one of two words, by whether the param is 1;
- ``[...]``: a part that is left out if a param in it is not given.

Three other readers follow these rules: ``checks.ts`` in the TypeScript that is generated, and
``contract.js`` of the explorer; ``tests/vectors.json`` holds them to the same words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

import orjson

from contract.shape.text_forms import FORMS, READY_FORMS

__all__ = ["MAX_MESSAGE", "SENTENCES", "Sentences", "sentence"]

Sentences = Mapping[str, str]
"""A table of sentences; any that it lacks is given in English."""

MAX_MESSAGE: Final = 200
"""The most characters of a message."""

# A sentence says what is allowed, and what was found only as a JSON type or a length: a value of
# the input is never repeated, since it may be secret or long.

_AT: Final = "[ (line {line}, column {column})]"

SENTENCES: Final[Sentences] = MappingProxyType(
    {
        "json_invalid": f"The body is not valid JSON{_AT}; send one JSON value.",
        "json_invalid.empty": "The body is empty; send one JSON value.",
        "json_invalid.byte_order_mark": (
            "The body begins with a byte order mark; send UTF-8 without one."
        ),
        "json_invalid.encoding": f"The body must be valid UTF-8{_AT}.",
        "json_invalid.form": "This is form data; send one JSON value.",
        "json_invalid.too_deep": (
            f"Arrays and objects must not be nested deeper than {{max_depth}} levels{_AT}."
        ),
        "json_invalid.stack": (
            f"Arrays and objects are nested deeper than the server has room for{_AT}."
        ),
        "json_invalid.too_many_digits": (
            f"A number must not have more than {{max_digits}} digits before its decimal point{_AT}."
        ),
        "json_invalid.lone_surrogate": (
            f"A text must hold whole characters, and this is half of one (a lone surrogate){_AT}."
        ),
        "json_invalid.not_finite": (
            f"NaN and Infinity are not JSON; send a finite number or null{_AT}."
        ),
        "json_invalid.trailing_comma": f"A comma must not stand before a closing bracket{_AT}.",
        "json_invalid.quotes": f'Texts and keys must stand in double quotes ("){_AT}.',
        "json_invalid.comment": f"JSON has no comments: take this one out{_AT}.",
        "json_invalid.trailing": f"The JSON value ends before this; send one value{_AT}.",
        "json_invalid.unfinished": (
            f"The JSON ends too early: a value, a quote or a bracket is missing{_AT}."
        ),
        "json_invalid.key": f"A key in double quotes must stand here{_AT}.",
        "json_invalid.colon": f"A colon must stand between a key and its value{_AT}.",
        "json_invalid.comma": f"A comma or the closing bracket is missing here{_AT}.",
        "json_invalid.value": f"A value is missing here{_AT}.",
        "json_invalid.word": (
            "Only true, false and null are written without quotes, and in lower case"
            f"{_AT}; put a text in double quotes."
        ),
        "json_invalid.number": (
            "A number must be written like 0.5 or -12e3: without a plus sign, "
            f"leading zeros or another base{_AT}."
        ),
        "json_invalid.control_character": (
            "A line break in a text must be written as \\n, a tab as \\t, "
            f"and any other invisible character as \\u and its number{_AT}."
        ),
        "json_invalid.escape": (
            f"A backslash must begin one of the escapes of JSON, such as \\n or \\u00e9{_AT}."
        ),
        "missing": "This field is required[: it must be {allowed}].",
        "unknown_key": "This key is not known here.[ Did you mean {meant}?]",
        "null_type": "Must be null[, not {found}].",
        "boolean_type": "Must be true or false[, not {found}].",
        "boolean_type.string": "Must be true or false without quotes, not a string.",
        "integer_type": "Must be an integer[, not {found}].",
        "integer_type.string": "Must be an integer without quotes, not a string.",
        "integer_type.number": (
            "Must be an integer; this number has a fraction, or is too large to be exact."
        ),
        "number_type": "Must be a finite number[, not {found}].",
        "number_type.string": "Must be a number without quotes, not a string.",
        "number_type.number": "Must be a finite number; this one is too large.",
        "number_type.integer": "Must be a finite number; this one is too large.",
        "string_type": "Must be a string in double quotes[ with {format}][, not {found}].",
        "array_type": "Must be an array in square brackets[, not {found}].",
        "object_type": "Must be an object in curly brackets[, not {found}].",
        "greater_than": "Must be greater than {gt}.",
        "greater_than_equal": "Must be at least {ge}.",
        "less_than": "Must be less than {lt}.",
        "less_than_equal": "Must be at most {le}.",
        "multiple_of": "Must be a multiple of {multiple_of}.",
        "string_too_short": (
            "Must have at least {min_length} {min_length|character|characters}"
            "[; this has {length}]."
        ),
        "string_too_long": (
            "Must have at most {max_length} {max_length|character|characters}[; this has {length}]."
        ),
        "bytes_too_short": (
            "Must decode to at least {min_length} {min_length|byte|bytes}[; this is {length}]."
        ),
        "bytes_too_long": (
            "Must decode to at most {max_length} {max_length|byte|bytes}[; this is {length}]."
        ),
        "pattern": "Must match the pattern {pattern}.",
        "format": "Must be {format}.",
        "format.no_such_day": "Must be {format}; there is no such day: that month has {days} days.",
        "format.no_offset": "Must be {format}: the offset is missing at the end; Z is UTC.",
        "format.no_seconds": "Must be {format}: the seconds are missing.",
        "decimal_size": (
            "Must have at most {max_digits} digits on each side of the point "
            "and an exponent within {max_exponent}."
        ),
        "timezone": "Must have the offset {timezone} from UTC.",
        "too_few_items": (
            "Must have at least {min_items} {min_items|item|items}[; this has {length}]."
        ),
        "too_many_items": (
            "Must have at most {max_items} {max_items|item|items}[; this has {length}]."
        ),
        "too_few_keys": "Must have at least {min_keys} {min_keys|key|keys}[; this has {length}].",
        "too_many_keys": "Must have at most {max_keys} {max_keys|key|keys}[; this has {length}].",
        "not_unique": "Must not have equal items.",
        "too_many_objects": "Must not hold more than {max_objects} objects.",
        "equal_hashes": "Has too many items that cannot be told apart quickly.",
        "unknown_value": "Must be {allowed}[, not {found}].[ Did you mean {meant}?]",
        "unknown_tag": "Must be {allowed}[, not {found}].[ Did you mean {meant}?]",
        "union": "Must be {expected}[, not {found}].[ Did you mean {meant}?][ {closest}]",
        "page_key": (
            "Must be `next` of the page before, as this route gave it for the same filter; "
            "null is the first page."
        ),
        "media_type": "Must be a file whose media type is {allowed}.",
        "repeated_part": "This part of the form may come only once.",
        "predicate": "Does not fulfil a condition of this field.",
        "invalid_value": "Is not a valid value.",
        "found:null": "null",
        "found:boolean": "true or false",
        "found:integer": "an integer",
        "found:number": "a number",
        "found:string": "a string",
        "found:array": "an array",
        "found:object": "an object",
        **{f"format:{form.name}": form.described for form in FORMS},
        **{f"format:{name}": described for name, described in READY_FORMS.items()},
        "expected:or": " or ",
        "allowed:some": "one of {some}[ and {left} more]",
        "closest:here": "Closest: {sentence}",
        "closest:at": "Closest, at {place}: {sentence}",
    }
)
"""The sentences in English."""

Params = Mapping[str, Any]


def sentence(code: str, params: Params, table: Sentences = SENTENCES) -> str | None:
    """
    The sentence of an issue, at most `MAX_MESSAGE` characters long.

    It is None if neither table knows the code, or if a param that the sentence needs is missing.
    """
    # 1. the table's own sentence, even a general one, before an English one of the variant
    variant = params.get("reason") or params.get("found")
    template = _template(code, variant, table)
    if template is None:
        template = _template(code, variant, SENTENCES)
    if template is None:
        return None
    # 2. filled in, and cut short
    text = _filled(_pieces(template), params, table)
    if text is None or len(text) <= MAX_MESSAGE:
        return text
    return f"{text[: MAX_MESSAGE - 1]}…"


def _template(code: str, variant: object, table: Sentences) -> str | None:
    if variant:
        found = table.get(f"{code}.{variant}")
        if found is not None:
            return found
    return table.get(code)


# A template is cut into pieces once, and filled in each time. A piece is a text; a tuple for a
# param (its name, and its words for one and for many or None); or a list of the pieces of a part in
# brackets, which is left out if one of its params is missing. Their classes tell them apart.


_PIECE: Final = re.compile(r"\[([^\]]*)\]|\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}")


@lru_cache(512)
def _pieces(template: str) -> tuple[Any, ...]:
    """Cut a *template* into texts, params, and parts that may be left out."""
    found: list[Any] = []
    end = 0
    for match in _PIECE.finditer(template):
        part, name, one, many = match.groups()
        found.append(template[end : match.start()])
        if part is None:
            found.append((name, one, many))
        else:
            found.append([*_pieces(part)])
        end = match.end()
    return (*found, template[end:])


def _filled(pieces: Iterable[Any], params: Params, table: Sentences) -> str | None:
    """The text of *pieces*; None if a param is missing."""
    text = ""
    for piece in pieces:
        if piece.__class__ is str:
            text += piece
        elif piece.__class__ is list:
            text += _filled(piece, params, table) or ""
        else:
            name, one, many = piece
            if name not in params:
                return None
            if one is None:
                text += _word(name, params, table)
            elif params[name] == 1:
                text += one
            else:
                text += many
    return text


def _word(name: str, params: Params, table: Sentences) -> str:
    """The param of that *name*, in words."""
    value = params[name]
    if value.__class__ is str:
        known = _entry(f"{name}:{value}", table)
        if known is not None:
            return known
    shown = _SHOWN.get(name)
    if shown is None:
        return _plain(value)
    return shown(value, params, table)


def _entry(key: str, table: Sentences) -> str | None:
    return table.get(key, SENTENCES.get(key))


def _phrase(key: str, params: Params, table: Sentences) -> str:
    return _filled(_pieces(_entry(key, table) or ""), params, table) or ""


def _plain(value: Any) -> str:
    """A *value* as it is, with numbers as JavaScript writes them."""
    if not isinstance(value, float):
        return str(value)
    if not value:
        return "0"  # JavaScript shows no sign there
    exact = Decimal(repr(value)).normalize()
    if _SMALL <= abs(value) < _LARGE:
        return f"{exact:f}"
    return f"{exact:e}"


# ECMA-262, Number::toString
_SMALL: Final = 1e-6
_LARGE: Final = 1e21
"""Numbers between these are written without an exponent."""


def _json(value: Any, *_: object) -> str:
    return orjson.dumps(value).decode()


_MAX_LISTED: Final = 10
_MAX_LISTED_LENGTH: Final = 100
"""The most allowed values that a sentence names, and their characters; others are counted."""


def _allowed(values: Sequence[Any], params: Params, table: Sentences) -> str:
    # at least one is named, however long it is
    named: list[str] = []
    length = 0
    for value in values[:_MAX_LISTED]:
        text = _json(value)
        length += len(text)
        if named and length > _MAX_LISTED_LENGTH:
            break
        named.append(text)
    # an issue may carry only the first values; then its param `count` says how many there are
    count: int = params.get("count", len(values))
    if count == 1:
        return named[0]
    said: dict[str, Any] = {"some": ", ".join(named)}
    if count > len(named):
        said["left"] = count - len(named)
    return _phrase("allowed:some", said, table)


def _expected(value: object, params: Params, table: Sentences) -> str:
    # each name is a JSON type, a form, or "allowed", which stands for the values of that param
    names: list[str] = []
    for name in str(value).split(", "):
        known = _entry(f"found:{name}", table) or _entry(f"format:{name}", table)
        if name == "allowed" and "allowed" in params:
            known = _word("allowed", params, table)
        names.append(known or name)
    last = names.pop()
    if not names:
        return last
    return f"{', '.join(names)}{_entry('expected:or', table)}{last}"


def _closest(value: Mapping[str, Any], _: Params, table: Sentences) -> str:
    # what is closest to the closest is left out
    params = {name: each for name, each in value["params"].items() if name != "closest"}
    said = {"sentence": sentence(value["code"], params, table) or value["code"]}
    place = ".".join(map(str, value["path"]))
    if not place:
        return _phrase("closest:here", said, table)
    return _phrase("closest:at", {"place": place, **said}, table)


_SHOWN: Final[Mapping[str, Callable[[Any, Params, Sentences], str]]] = MappingProxyType(
    {"meant": _json, "allowed": _allowed, "expected": _expected, "closest": _closest}
)
"""Params that are shown in a way of their own."""
