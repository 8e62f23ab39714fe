"""
Issues: what is wrong with an input, as it is told on the wire.

One table of codes serves everybody who speaks of a refused input: the server, the explorer and the
near misses of the testing kit. The sentences are `contract.shape.sentences`'; neither they nor the
params ever repeat what was sent.
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

A client that sends more mistakes learns of the rest after mending these.
"""

MAX_PATH_LENGTH: Final = 16
"""Segments of a path that are reported: more would be an echo of the input."""

MAX_KEY_LENGTH: Final = 64
"""Characters of a key that are reported, for the same reason."""

CODES: Final = MappingProxyType(
    {key: told for key, told in SENTENCES.items() if not re.search("[.:]", key)}
)
"""Issue code -> its sentence in English, as `contract.shape.sentences` writes them."""

_MAX_CHARACTER: Final = 6
"""Bytes of a character in JSON, which is a control character at worst."""

_MAX_PART: Final = MAX_KEY_LENGTH * _MAX_CHARACTER + len('"",')
"""Bytes of a part of a path."""

_AROUND: Final = 100
"""Bytes of an issue beside its path, message and params: the keys, and the code."""

_AUTHORS: Final = frozenset({"predicate", "invalid_value"})
"""Codes of which the message may be the author's own."""


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
    return weighed(code, path, params)[0]


def weighed(
    code: str, path: Sequence[str | int], params: Mapping[str, Any], words: str | None = None
) -> tuple[Issue, int]:
    """
    The issue of *code* at *path*, and how many bytes it takes at most as JSON.

    Its message is the author's *words*, or made from *params*.
    """
    written = orjson.dumps(params)
    if words is None:
        message, size = _message(code, written)
    else:
        message, size = words, len(words) * _MAX_CHARACTER
    place = (*short_path(path),) if path else ()
    found = Issue(place, code, message, (*params.items(),))
    return found, _AROUND + len(written) + size + len(place) * _MAX_PART


def short_path(path: Sequence[str | int]) -> list[str | int]:
    """As much of *path* as is told: more would repeat the input."""
    return [
        part[:MAX_KEY_LENGTH] if isinstance(part, str) else part for part in path[:MAX_PATH_LENGTH]
    ]


@lru_cache(512)
def _message(code: str, params: bytes) -> tuple[str, int]:
    """The message of an issue, and its bytes in JSON."""
    # by their text, since 1 and True are one key of a cache, and lists are none
    message = sentence(code, orjson.loads(params)) or code
    return message, len(orjson.dumps(message))


def in_words(found: Issue, table: Sentences) -> Issue:
    """
    The issue, with its message in the words of *table*.

    It stays as it is where the author has words for it, and where the code is of a newer server.
    """
    params = dict(found.params)
    if found.code in _AUTHORS and found.message != CODES[found.code]:
        return found
    try:
        told = sentence(found.code, params, table)
    except (AttributeError, KeyError, LookupError, TypeError, ValueError):
        return found  # no server of ours has sent such params
    return found if told is None else replace(found, message=told)


def to_json(found: Issue) -> dict[str, Any]:
    """The issue as it stands in ``data.issues``."""
    return {
        "path": list(found.path),
        "code": found.code,
        "message": found.message,
        "params": dict(found.params),
    }
