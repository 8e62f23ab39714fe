"""Literals: values and names of a document, as TypeScript reads them."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any, Final

from contract.codegen.texts import visible
from contract.codegen.typescript.layout import Node, array, entry, members
from contract.shape.json_text import is_array, is_object

__all__ = ["MAX_SAFE", "is_safe", "key_of", "number", "quoted", "value_of"]

MAX_SAFE: Final = 2**53 - 1
"""The largest integer that no other one shares its double with."""

_PLAIN_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ENDS: Final = (("*/", "*\\/"), ("${", "\\${"), ("</", "<\\/"), ("<!--", "<\\!--"))
"""
Texts that end something elsewhere, each with a spelling that does not.

Both spellings mean one text, wherever it may be put.
"""


def quoted(text: str) -> str:
    """*text* between quotes; of what it looks like nothing is hidden."""
    plain = json.dumps(text, ensure_ascii=False)
    if not (plain.isascii() and plain.isprintable()):
        plain = "".join(map(_shown, plain))
    for end, instead in _ENDS:
        plain = plain.replace(end, instead)
    return plain


def key_of(text: str) -> str:
    """*text* as the name of a member; it is no other one's in an object that is made, either."""
    if text == "__proto__":
        return '["__proto__"]'
    return text if _PLAIN_KEY.fullmatch(text) else quoted(text)


def is_safe(value: object) -> bool:
    """
    Whether a number of JavaScript can be *value* exactly; true of everything that is no integer.
    """
    return not isinstance(value, int) or abs(value) <= MAX_SAFE


def number(value: float) -> str:
    """A number."""
    return json.dumps(value).replace("e+", "e")


def value_of(value: Any) -> Node:
    """A JSON value."""
    if isinstance(value, str):
        return quoted(value)
    if is_object(value):
        return members(entry(key_of(key), value_of(member)) for key, member in value.items())
    if is_array(value):
        return array(map(value_of, value))
    return json.dumps(value)


def _shown(char: str) -> str:
    if char.isascii() or (visible(char) == char and unicodedata.category(char)[0] != "M"):
        return char if char != "\x7f" else "\\u007f"
    code = ord(char)
    if code < 0x10000:
        return f"\\u{code:04x}"
    return f"\\u{{{code:x}}}"
