"""
Headers: found by their names, and read: words, a kind with its parameters, and Vary.

Three headers have other grammars. Forwarded has no kind, and addresses without quotes
(`contract.call.proxies`). Of Accept only the weights count, whatever else it says
(`contract.call.accept`). Content-Disposition is read by clients wherever a name is found in it,
since a proxy may have written it anew (`contract.client.files`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, final

__all__ = ["HEADER_WORD", "Headers", "essence", "parameters_in", "vary_of"]

HEADER_WORD: Final = r"[A-Za-z0-9!#$%&'*+.^_`|~-]+"
"""A header name, or an unquoted word in the value of a header (RFC 9110, section 5.6.2)."""

# a semicolon with nothing after it is allowed: parameters = *( OWS ";" OWS [ parameter ] )
_PARAMETER: Final = re.compile(
    rf'[ \t]*;[ \t]*(?:({HEADER_WORD})=(?:"((?:[^"\\]|\\.)*)"|({HEADER_WORD}))[ \t]*)?'
)


@final
class Headers(Mapping[str, str]):
    """
    Headers by their names in lower case.

    A lookup takes a name in any case, as header names have none (RFC 9110, section 5.1).
    """

    __slots__ = ("_found",)

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._found: Final = {name.lower(): value for name, value in pairs}

    def __getitem__(self, name: str) -> str:
        return self._found[name.lower()]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


def essence(value: str) -> str:
    """The kind in *value*, such as a media type, in lower case and without its parameters."""
    return value.partition(";")[0].strip(" \t").lower()


def parameters_in(value: str) -> list[tuple[str, str]] | None:
    """
    The parameters in *value*, their names in lower case (RFC 9110, section 5.6.6).

    A text in quotes keeps its backslashes: programs disagree on which of them are escapes.

    None if they are not valid.
    """
    _, semicolon, rest = value.partition(";")
    found: list[tuple[str, str]] = []
    position, text = 0, semicolon + rest
    while position < len(text):
        match = _PARAMETER.match(text, position)
        if match is None:
            return None
        name, quoted, word = match.groups()
        if name is not None:
            # an unquoted word is never empty, and a quoted text may be
            found.append((name.lower(), word or quoted))
        position = match.end()
    return found


def vary_of(credentials: Iterable[str], named: Iterable[str]) -> tuple[str, ...]:
    """
    The request headers on which the answers of a read depend, each once: caches tell them apart.

    Args:
        credentials: The headers in which callers may identify themselves. All of them count,
            whichever a call was sent with: a cache must not give the output of one caller to
            another who uses another header.
        named: The headers that the route's author names.
    """
    # header names have no case; the first spelling stays
    found: dict[str, str] = {}
    for name in (*credentials, *named):
        found.setdefault(name.lower(), name)
    return tuple(found.values())
