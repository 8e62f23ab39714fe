"""
Bearer tokens: how the Authorization header brings them, and how a reply asks for them (RFC 6750).

Only that header is read. The RFC also allows a token in a query or a body; those end up in logs and
histories, so they are ignored. The ``authenticate`` hook of a spec says what a token is worth, and
sees only tokens of the right form.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from hashlib import sha256
from hmac import compare_digest
from typing import Final, final

__all__ = [
    "AS_MOSTLY_SENT",
    "MAX_TOKEN_BYTES",
    "TOO_LONG",
    "NoToken",
    "authorization",
    "bearer_token",
    "challenge",
    "is_token",
    "same_secret",
]

MAX_TOKEN_BYTES: Final = 4096
"""The longest token that a hook gets to see; a signed one with a dozen claims has about 1,000."""
TOO_LONG: Final = f"The bearer token is longer than {MAX_TOKEN_BYTES} characters."
"""
The reason that a client with such a token is told.

The token may be a good one as far as they know, and nothing else says why it is refused.
"""


@final
class NoToken(Enum):
    """Why a header gave no token, and what is answered."""

    MISSING = "missing"
    """No credentials, or those of another scheme: 401 without an error (RFC 6750, section 3.1)."""
    MALFORMED = "malformed"
    """Not a token68: 401, and a challenge with ``invalid_token``."""
    TOO_LONG = "too long"
    """A token that is too long for the hook: 401, and a challenge that says so."""
    REPEATED = "repeated"
    """Several credentials: 400, because nobody can say which of them was meant."""
    FOREIGN = "foreign"
    """A cookie that the page of another origin has a browser send: 403."""


# token68 of RFC 9110, section 11.2; a comma is in none, and adapters join repeated headers with one
_BEARER: Final = re.compile(r"bearer +([a-z0-9._~+/-]+=*)", re.ASCII | re.IGNORECASE)
AS_MOSTLY_SENT: Final = re.compile(
    rf"Bearer [A-Za-z0-9._~+/-]{{1,{MAX_TOKEN_BYTES - 2}}}={{0,2}}"
).fullmatch
"""Whether a header is what nearly all clients send: the scheme, a space, and a token."""
# the others are for headers that are refused, and are compiled when one comes
# a scheme ends where a character of names does (RFC 9110, section 5.6.2): "Bearer=a" is one, too,
# and no other scheme, since those are as good as no credentials where a token may be left out
_SCHEME: Final = r"bearer(?![!#$%&'*+.^_`|~0-9a-z-])"
_IS_BEARER: Final = rf"(?ai){_SCHEME}"
_SECOND: Final = rf"(?ai),[ \t]*{_SCHEME}"
# "Basic YTpi, ..." has ended with its token68; in "Digest a="b", c="d"" the commas part parameters
_ENDED: Final = r"(?ai)[^ \t,]*(?:[ \t]+[a-z0-9._~+/-]+=*)?[ \t]*,"


def bearer_token(header: str | None) -> str | NoToken:
    """
    The token in an Authorization *header*, or why there is none.

    The scheme compares without case; the token is given as it was sent.
    """
    if header is None:
        return NoToken.MISSING
    header = header.strip(" \t")
    found = _BEARER.fullmatch(header)
    if found is not None:
        token = found[1]
        return token if len(token) <= MAX_TOKEN_BYTES else NoToken.TOO_LONG
    if re.match(_IS_BEARER, header):
        return NoToken.REPEATED if "," in header else NoToken.MALFORMED
    if re.search(_SECOND, header) or re.match(_ENDED, header):
        return NoToken.REPEATED
    return NoToken.MISSING


def authorization(token: str) -> str:
    """The value of ``Authorization`` that sends *token*."""
    return f"Bearer {token}"


def is_token(text: str) -> bool:
    """Whether *text* is a token that a hook would get to see."""
    return bearer_token(authorization(text)) == text


def challenge(
    realm: str, *, invalid: bool, why: str | None = None, lacks: Sequence[str] | None = None
) -> str:
    """
    The value of ``WWW-Authenticate``.

    Args:
        realm: The title of the spec; what a header cannot carry is left out or becomes a question
            mark.
        invalid: A token was sent.
        why: It is not valid, for people, where there is more to say than that.
        lacks: The scopes that are needed, where the token is valid and has not all of them; empty
            where it is not enough and nobody says which would be.
    """
    printable = "".join(character for character in realm if character.isprintable())
    plain = printable.encode("ascii", "replace").decode("ascii")
    quoted = plain.replace("\\", r"\\").replace('"', r"\"")
    parameters = [f'realm="{quoted}"']
    if invalid:
        parameters.append('error="invalid_token"')
    if why is not None:
        parameters.append(f'error_description="{why}"')
    if lacks is not None:
        parameters.append('error="insufficient_scope"')
    if lacks:
        parameters.append(f'scope="{" ".join(lacks)}"')
    return f"Bearer {', '.join(parameters)}"


def same_secret(one: str | bytes, other: str | bytes) -> bool:
    """
    Whether two secrets are equal, compared in a time that tells nothing about either.

    Not where they differ, and, since their digests are compared, not how long they are.

    ::

        def authenticate(token: str, request: Request) -> User | None:
            return ADMIN if same_secret(token, ADMIN_TOKEN) else None
    """
    return compare_digest(_digest(one), _digest(other))


def _digest(secret: str | bytes) -> bytes:
    raw = secret if isinstance(secret, bytes) else secret.encode("utf-8", "surrogatepass")
    return sha256(raw).digest()
