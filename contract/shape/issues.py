"""
Issues: what is wrong with an input, as callers are told.

One table of codes serves the server, the explorer and the near misses of the testing kit. The
sentences are in `contract.shape.sentences`. Neither they nor the params ever repeat what was sent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

import orjson

from contract.shape.record import record
from contract.shape.sentences import SENTENCES, Sentences, sentence

__all__ = [
    "CODES",
    "MAX_ISSUES",
    "MAX_KEY_LENGTH",
    "MAX_PATH_LENGTH",
    "Issue",
    "in_words",
    "issue",
    "short_path",
    "to_json",
    "weighed",
]

MAX_ISSUES: Final = 20
"""
The most issues that are reported at once.

A client that sends more mistakes learns of the rest after fixing these.
"""

MAX_PATH_LENGTH: Final = 16
"""The most segments of a path that are reported: more would echo the input."""

MAX_KEY_LENGTH: Final = 64
"""The most characters of a key that are reported: more would echo the input."""

CODES: Final = MappingProxyType(
    {key: text for key, text in SENTENCES.items() if not re.search("[.:]", key)}
)
"""Issue code -> its sentence in English, as `contract.shape.sentences` writes them."""

_MAX_CHARACTER: Final = 6
"""The most bytes of a character in JSON: a control character takes six."""

_MAX_PART: Final = MAX_KEY_LENGTH * _MAX_CHARACTER + len('"",')
"""The most bytes of a part of a path."""

_AROUND: Final = 100
"""Bytes of an issue without its path, message and params: the keys, and the code."""

_AUTHORS: Final = frozenset({"predicate", "invalid_value"})
"""Codes whose message may be the author's own."""


@record
class Issue:
    """One thing that is wrong with an input."""

    path: tuple[str | int, ...]
    """Wire names and indexes from the root to the place; an unknown or missing key ends it."""
    code: str
    """A key of `CODES`."""
    message: str
    """An English sentence of at most 200 characters."""
    params: tuple[tuple[str, Any], ...] = ()
    """The limits of the rule, as JSON values: ``(("ge", 1),)``."""


def issue(code: str, path: tuple[str | int, ...] = (), /, **params: Any) -> Issue:
    """The issue of *code* at *path*, with its message made from *params*."""
    return weighed(code, path, params)[0]


def weighed(
    code: str, path: Sequence[str | int], params: Mapping[str, Any], words: str | None = None
) -> tuple[Issue, int]:
    """
    The issue of *code* at *path*, and how many bytes it takes at most as JSON.

    Its message is the author's *words*, or is made from *params*.
    """
    written = orjson.dumps(params)
    if words is None:
        message, size = _message(code, written)
    else:
        message, size = words, len(words) * _MAX_CHARACTER
    place = tuple(short_path(path))
    found = Issue(place, code, message, (*params.items(),))
    return found, _AROUND + len(written) + size + len(place) * _MAX_PART


def short_path(path: Sequence[str | int]) -> list[str | int]:
    """The part of *path* that is reported: more would repeat the input."""
    short: list[str | int] = []
    for part in path[:MAX_PATH_LENGTH]:
        if isinstance(part, str):
            short.append(part[:MAX_KEY_LENGTH])
        else:
            short.append(part)
    return short


@lru_cache(512)
def _message(code: str, params: bytes) -> tuple[str, int]:
    """The message of an issue, and its length in bytes as JSON."""
    # by their text: a cache takes 1 and True for one key, and takes no lists as keys
    message = sentence(code, orjson.loads(params)) or code
    return message, len(orjson.dumps(message))


def in_words(found: Issue, table: Sentences) -> Issue:
    """
    The issue, with its message in the words of *table*.

    It stays as it is if the author wrote the message, or if the code comes from a newer server.
    """
    params = dict(found.params)
    if found.code in _AUTHORS and found.message != CODES[found.code]:
        return found
    try:
        message = sentence(found.code, params, table)
    except (AttributeError, LookupError, TypeError, ValueError):
        return found  # none of our servers sends such params
    if message is None:
        return found
    return replace(found, message=message)


def to_json(found: Issue) -> dict[str, Any]:
    """The issue as it is written in ``data.issues``."""
    return {
        "path": list(found.path),
        "code": found.code,
        "message": found.message,
        "params": dict(found.params),
    }
