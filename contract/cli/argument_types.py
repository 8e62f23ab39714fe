"""Argument types: how the text of an argument is read, and what is said where it cannot be."""

from __future__ import annotations

import argparse
import re
from typing import Final, final

from contract.call.bearer import MAX_TOKEN_BYTES, is_token
from contract.shape.urls import HEADER_WORD

__all__ = ["AtLeast", "Seconds", "header", "port", "token"]

_MOST: Final = 2_147_483_647
"""The largest number that the kernel and the server take: a signed one of 32 bits."""

_DIGITS: Final = 20
"""Digits that are read at most: Python takes long to read millions of them, or refuses to."""


@final
class AtLeast:
    """Whole numbers from *minimum* on."""

    def __init__(self, minimum: int) -> None:
        self.minimum = minimum

    def __call__(self, text: str) -> int:
        """Read *text*."""
        if not (text.isascii() and text.isdigit()) or int(text[:_DIGITS]) < self.minimum:
            raise argparse.ArgumentTypeError(
                f"{text!r} is no whole number of at least {self.minimum}"
            )
        if len(text) >= _DIGITS or int(text) > _MOST:
            raise argparse.ArgumentTypeError(f"{text[:_DIGITS]!r} is more than {_MOST}")
        return int(text)


@final
class Seconds:
    """Seconds, from *minimum* to a day."""

    def __init__(self, minimum: float) -> None:
        self.minimum = minimum

    def __call__(self, text: str) -> float:
        """Read *text*."""
        try:
            seconds = float(text)
        except ValueError:
            seconds = -1.0
        if not self.minimum <= seconds <= 86_400:
            raise argparse.ArgumentTypeError(
                f"{text!r} is no number of seconds from {self.minimum:g} to 86400"
            )
        return seconds


def token(text: str) -> str:
    """Read a bearer token (RFC 6750, section 2.1)."""
    if not is_token(text):  # it may be most of a secret, so it is not repeated
        rule = f"letters, digits and any of -._~+/, with = at its end, at most {MAX_TOKEN_BYTES}"
        raise argparse.ArgumentTypeError(f"what was given is no bearer token; one has {rule}")
    return text


def port(text: str) -> int:
    """Read a port; 0 means a free one."""
    if not (text.isascii() and text.isdigit()) or int(text) > 65_535:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no port; give one from 1 to 65535, or 0 for a free one"
        )
    return int(text)


_FIELD: Final = re.compile(rf"({HEADER_WORD}):[ \t]*([!-~](?:[ -~\t]*[!-~])?)[ \t]*")
"""A header (RFC 9110, section 5), in ASCII."""

_FRAMING: Final = frozenset(
    {
        "accept-encoding",
        "connection",
        "content-length",
        "content-type",
        "expect",
        "host",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
"""Headers that say how a message is sent, or what it is, which is no choice."""


def header(text: str) -> tuple[str, str]:
    """Read the name, in lower case, and the value of a header."""
    # what was typed is not repeated: it may hold a secret
    found = _FIELD.fullmatch(text)
    if found is None:
        raise argparse.ArgumentTypeError("it is no header; write it like 'X-Tenant: north'")
    name = found[1].lower()
    if name in _FRAMING:
        raise argparse.ArgumentTypeError(f"{name} is not yours to choose; leave it out")
    return name, found[2]
