"""
Signatures of webhooks: an HMAC-SHA256 over an id, a time and the raw body.

The form and the header names are those of Standard Webhooks 1.0.0, whose libraries write and check
them in all languages. A secret is ``whsec_`` followed by 24 to 64 bytes in base64. While a secret
is being replaced, a sender signs with the old and the new one, or a receiver accepts both.
"""

from __future__ import annotations

import hmac
import os
import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from time import time
from typing import Final, final

from contract.shape.quoting import described

__all__ = [
    "Secrets",
    "TOLERANCE",
    "instead_of_secret",
    "new_id",
    "not_signed",
    "signed_headers",
    "signed_now",
    "unsigned",
]

_SIGNATURE_HEADERS: Final = ("webhook-id", "webhook-timestamp", "webhook-signature")
"""The headers of a signed message, in lower case: its id, its time and the signatures."""

TOLERANCE: Final = 300
"""Seconds that a signature may be old, as in the libraries of Standard Webhooks."""

_PREFIX: Final = "whsec_"
# 192 to 512 bits: the sizes that Standard Webhooks names
_KEY_BYTES: Final = (24, 64)
_MOST: Final = 16
"""The most signatures that are checked; a sender has two while it replaces a secret."""

# an id with a full stop could take digits from the time that follows it
_ID: Final = re.compile(r"[!-+\-/-~]{1,256}")
# [0-9], as int() takes the digits of all scripts; twelve last for 30,000 years
_TIME: Final = re.compile(r"[0-9]{1,12}")


@final
class Secrets:
    """
    Secrets that nothing shows by accident: neither a repr, nor ``asdict``, nor the usual JSON.

    They are not a sequence, since ``json.dumps(..., default=list)`` would show one. Only `reveal`
    gives them.
    """

    __slots__ = ("_texts",)

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts: Final = tuple(texts)

    @classmethod
    def of(cls, given: Iterable[str] | Secrets) -> Secrets:
        """The secrets that were *given*, hidden or not."""
        if isinstance(given, Secrets):
            return given
        return cls(given)

    def reveal(self) -> tuple[str, ...]:
        """The secrets, as texts."""
        return self._texts

    def __len__(self) -> int:
        return len(self._texts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secrets) and other._texts == self._texts

    def __hash__(self) -> int:
        return hash((Secrets, self._texts))

    def __repr__(self) -> str:
        if len(self) == 1:
            return "<1 secret>"
        return f"<{len(self)} secrets>"


def instead_of_secret(secret: object) -> str | None:
    """Why *secret* cannot sign, and what to write instead; None if it can."""
    if not isinstance(secret, str):
        return (
            f"a secret must be a text, {_PREFIX} and base64, and one is a {type(secret).__name__}"
        )
    least, most = _KEY_BYTES
    try:
        size = len(_key(secret))
    except ValueError:
        # not base64; with no bytes, it is refused below with the same words
        size = 0
    if least <= size <= most:
        return None
    # a secret even so, perhaps, so it is not shown
    return (
        f"this secret is not base64 of {least} to {most} bytes after {_PREFIX}; make one: "
        '"whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()'
    )


def signed_headers(secrets: Sequence[str], message_id: str, at: int, body: bytes) -> dict[str, str]:
    """
    The headers that prove who sent *body*: its id, its time, and a signature by each secret.

    Args:
        secrets: The present one and, while it is being replaced, the one before.
        message_id: Unique to this message, and the same if the message is sent again.
        at: The time of sending, in seconds since 1970.
        body: As it is sent.

    Raises:
        ValueError: There is no secret, a secret is not valid, or the id has a forbidden character.
    """
    if not secrets:
        raise ValueError("there is no secret to sign with; give one")
    for secret in secrets:
        problem = instead_of_secret(secret)
        if problem is not None:
            raise ValueError(problem)
    if not _ID.fullmatch(message_id):
        raise ValueError(
            f"{described(message_id)} is not an id of a message; "
            "take 1 to 256 visible ASCII characters without a comma or a full stop"
        )
    found = [f"v1,{_signature(secret, message_id, str(at), body)}" for secret in secrets]
    return dict(zip(_SIGNATURE_HEADERS, (message_id, str(at), " ".join(found)), strict=True))


def signed_now(secrets: Sequence[str], body: bytes, headers: Mapping[str, str]) -> dict[str, str]:
    """
    *headers*, with those that sign a *body* that is sent now.

    Args:
        secrets: As in `signed_headers`.
        body: As it is sent.
        headers: More headers, with names in any case; if the id is among them, it is signed.

    Raises:
        ValueError: As `signed_headers`.
    """
    given = {name.lower(): value for name, value in headers.items()}
    message_id = given.get(_SIGNATURE_HEADERS[0]) or new_id()
    # what was given goes last, and so replaces what was made
    return signed_headers(secrets, message_id, int(time()), body) | given


def new_id() -> str:
    """The id of a new message, which no other has."""
    return f"msg_{os.urandom(16).hex()}"


def not_signed(
    headers: Mapping[str, str], body: bytes, secrets: Iterable[str], *, now: float, tolerance: int
) -> str | None:
    """
    The sentence for a sender whose signature is not valid; None if it is.

    Args:
        headers: With names in lower case; repeated ones joined with a comma.
        body: As it was received, before any parsing.
        secrets: A signature by any of them is enough.
        now: Seconds since 1970.
        tolerance: The most seconds between the message's time and now, either way.
    """
    problem = unsigned(headers, now=now, tolerance=tolerance)
    if problem is not None:
        return problem
    message_id, sent_at, signatures = (headers[name] for name in _SIGNATURE_HEADERS)
    # Standard Webhooks puts a space between signatures, and a version before each: "v1" is HMAC
    # with SHA-256. Others are passed over, since a sender may use them beside it.
    given: list[bytes] = []
    for part in signatures.split(" ")[:_MOST]:
        version, _, signature = part.partition(",")
        if version == "v1" and signature.isascii():
            given.append(signature.encode())
    for secret in secrets:
        expected = _signature(secret, message_id, sent_at, body).encode()
        # its time does not tell how many characters were right
        if any(hmac.compare_digest(expected, each) for each in given):
            return None
    return "webhook-signature does not fit the body, the id and the time."


def unsigned(headers: Mapping[str, str], *, now: float, tolerance: int) -> str | None:
    """
    The sentence for a sender that no secret could prove; None if a signature may be valid.

    The arguments are those of `not_signed`.
    """
    message_id, sent_at, signatures = (headers.get(name, "") for name in _SIGNATURE_HEADERS)
    if not (message_id and sent_at and signatures):
        return f"This takes a signed body: send {', '.join(_SIGNATURE_HEADERS)}."
    if not (_ID.fullmatch(message_id) and _TIME.fullmatch(sent_at)):
        return "webhook-id or webhook-timestamp has another form than Standard Webhooks say."
    if abs(now - int(sent_at)) > tolerance:
        return f"webhook-timestamp is more than {tolerance} seconds from now."
    return None


def _signature(secret: str, message_id: str, sent_at: str, body: bytes) -> str:
    # the body as bytes: it need not be text
    signed = b"%b.%b.%b" % (message_id.encode(), sent_at.encode(), body)
    return b64encode(hmac.digest(_key(secret), signed, "sha256")).decode()


def _key(secret: str) -> bytes:
    written = secret.removeprefix(_PREFIX)
    return b64decode(written + "=" * (-len(written) % 4), validate=True)  # padding may be missing
