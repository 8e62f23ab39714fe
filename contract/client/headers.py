"""
Headers: those of a request, gathered from all that a client was told.

Sources are given as they are (`Headers`), and what has to be asked is asked by whoever drives the
flow: this is where the values come together. A header that could break out of its line is refused,
with a message that does not hold its value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Mapping
from typing import Any, Final, cast

from contract.shape.urls import HEADER_WORD

__all__ = ["Ask", "check_headers", "gathered", "user_agent"]

_VALUE: Final = re.compile(r"[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?")
_OURS: Final = frozenset(
    {
        "accept",
        "accept-encoding",
        "connection",
        "content-length",
        "content-type",
        "host",
        "te",
        "transfer-encoding",
        "upgrade",
    }
)
"""What a request of ours is made of; nobody else has a say in it."""
_NO_TOKEN: Final = re.compile(r"[^A-Za-z0-9!#$%&'*+.^_`|~-]+")

Ask = Callable[[], Any]
"""Something to call for headers, which may be awaited."""


def check_headers(headers: object) -> None:
    """
    Refuse headers that could never be sent, as early as they are known.

    Raises:
        ValueError: A name or a value cannot be that of a header, or is not for clients to set.
        TypeError: A value is neither text nor callable.
    """
    if callable(headers):
        return
    if not isinstance(headers, Mapping):
        raise TypeError(
            f"headers are a mapping or a function that gives one, not {type(headers).__name__}"
        )
    for name, value in cast("Mapping[object, object]", headers).items():
        if not callable(value):
            _checked(name, value)


def gathered(sources: Iterable[Any]) -> Generator[Ask, Any, dict[str, str]]:
    """
    The headers of *sources*, names in lower case.

    Yields what has to be asked, and is sent the answer.
    """
    found: dict[str, str] = {}
    for source in sources:
        if callable(source):
            source = yield source
            check_headers(source)
        for name, value in cast("Mapping[object, object]", source).items():
            if callable(value):
                value = yield value
            key, text = _checked(name, value)
            found[key] = text
    return found


def user_agent(title: str, version: str) -> str:
    """The name of a client, of which only what may stand in a User-Agent is kept (RFC 9110, section 10.1.5)."""
    product = _NO_TOKEN.sub("-", title).strip("-")[:100]
    number = _NO_TOKEN.sub("-", version).strip("-")[:50]
    if not product:
        return "contract-python"
    return f"{product}/{number} contract-python" if number else f"{product} contract-python"


def _checked(name: object, value: object) -> tuple[str, str]:
    if not isinstance(name, str) or re.fullmatch(HEADER_WORD, name) is None:
        raise ValueError(f"{name!r} is no name of a header")
    key = name.lower()
    if key in _OURS:
        raise ValueError(f"the header {name} is the client's own to set")
    if not isinstance(value, str):
        raise TypeError(f"the header {name} is no text, but {type(value).__name__}")
    if _VALUE.fullmatch(value) is None and value:
        raise ValueError(
            f"the value of the header {name} cannot be one: it has a line break or another character that headers do not take"
        )
    return key, value
