"""
Bearer tokens: how the Authorization header carries them, and how a reply asks for them (RFC 6750).

Only that header is read. The RFC also allows a token in a query or a body; those end up in logs and
histories, so they are ignored. The ``authenticate`` function of a spec decides what a token is
worth, and sees only tokens of the right form.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from hashlib import sha256
from hmac import compare_digest
from typing import Final, final

__all__ = [
    "KNOWN",
    "MAX_TOKEN_BYTES",
    "TOO_LONG",
    "NoToken",
    "authorization",
    "bearer_token",
    "challenge",
    "is_token",
    "same_secret",
    "token_to_know",
]

MAX_TOKEN_BYTES: Final = 4096
"""
The longest token that ``authenticate`` sees; a signed one with a dozen claims has about 1,000.
"""
TOO_LONG: Final = f"The bearer token is longer than {MAX_TOKEN_BYTES} characters."
"""
The message for a client with such a token.

The token may well be valid, and nothing else says why it is refused.
"""


@final
class NoToken(Enum):
    """Why a header has no usable token, and what is answered."""

    MISSING = "missing"
    """No credentials, or those of another scheme: 401 without an error (RFC 6750, section 3.1)."""
    MALFORMED = "malformed"
    """Not a token68: 401, and a challenge with ``invalid_token``."""
    TOO_LONG = "too long"
    """The token is too long: 401, and a challenge that says so."""
    REPEATED = "repeated"
    """Several credentials: 400, because nobody can tell which one was meant."""
    FOREIGN = "foreign"
    """A cookie on a request that another origin's page made: 403."""


# token68 of RFC 9110, section 11.2; it has no commas, and adapters join repeated headers with one
_BEARER: Final = re.compile(r"bearer +([a-z0-9._~+/-]+=*)", re.ASCII | re.IGNORECASE)
# the other patterns are for headers that are refused, and are compiled when one comes; a scheme
# ends at the first character that a name cannot have (RFC 9110, section 5.6.2): so "Bearer=a" is a
# malformed one, not another scheme, which would count as no credentials if a token is optional
_SCHEME: Final = r"bearer(?![!#$%&'*+.^_`|~0-9a-z-])"
_IS_BEARER: Final = rf"(?ai){_SCHEME}"
_SECOND: Final = rf"(?ai),[ \t]*{_SCHEME}"
# "Basic YTpi, ..." has ended with its token68; in "Digest a="b", c="d"" commas separate parameters
_ENDED: Final = r"(?ai)[^ \t,]*(?:[ \t]+[a-z0-9._~+/-]+=*)?[ \t]*,"


def bearer_token(header: str | None) -> str | NoToken:
    """
    The token in an Authorization *header*, or why there is none.

    The scheme is compared without case; the token is returned as it was sent.
    """
    if header is None:
        return NoToken.MISSING
    header = header.strip(" \t")
    found = _BEARER.fullmatch(header)
    if found is not None:
        token = found[1]
        if len(token) > MAX_TOKEN_BYTES:
            return NoToken.TOO_LONG
        return token
    if re.match(_IS_BEARER, header):
        return NoToken.REPEATED if "," in header else NoToken.MALFORMED
    if re.search(_SECOND, header) or re.match(_ENDED, header):
        return NoToken.REPEATED
    return NoToken.MISSING


_MOST_KNOWN: Final = 1_000
_LONGEST_KNOWN: Final = 2_048
_known: Final[dict[str | None, str]] = {}
KNOWN: Final = _known.get
"""
Authorization header -> the token in it, for a thousand headers of late.

Clients send the same token with each call. To look at its characters again would take as long as
calling the function that says what it is worth.
"""


def token_to_know(header: str | None) -> str | NoToken:
    """Find what `bearer_token` does; the token is `KNOWN` from then on."""
    token = bearer_token(header)
    if isinstance(token, str) and len(token) <= _LONGEST_KNOWN:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        _known[authorization(token)] = token
    return token


def authorization(token: str) -> str:
    """The value of ``Authorization`` that sends *token*."""
    return f"Bearer {token}"


def is_token(text: str) -> bool:
    """Whether *text* is a token of the right form and length."""
    return bearer_token(authorization(text)) == text


def challenge(
    realm: str, *, invalid: bool, why: str | None = None, lacks: Sequence[str] | None = None
) -> str:
    """
    The value of ``WWW-Authenticate``.

    Args:
        realm: The title of the spec. Characters that a header cannot carry are left out or become
            question marks.
        invalid: Whether a token was sent.
        why: The reason in words, if there is more to say than that the token is not valid.
        lacks: The required scopes, if the token is valid but lacks some of them; empty if nobody
            knows which would be enough.
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
    Whether two secrets are equal; the time that it takes reveals nothing about them.

    It does not reveal where they differ, nor, since their digests are compared, their length.

    ::

        def authenticate(token: str, request: Request) -> User | None:
            return ADMIN if same_secret(token, ADMIN_TOKEN) else None
    """
    return compare_digest(_digest(one), _digest(other))


def _digest(secret: str | bytes) -> bytes:
    if isinstance(secret, str):
        # a token with a lone surrogate is a wrong one, and no reason to raise
        secret = secret.encode("utf-8", "surrogatepass")
    return sha256(secret).digest()
