"""
Credentials: what a call shows to be let in, where that is not the bearer token alone.

Each stands in a header, and the functions behind them see only those of the right form. Nobody can
say which of two was meant, so a call has one. A cookie comes with whatever a page has a browser
send, so the page has to be of this origin, or of one that is named.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, final

from contract.call.bearer import MAX_TOKEN_BYTES, NoToken, bearer_token, challenge
from contract.call.message import Incoming, host_of
from contract.declare.ways import Credential, Shown, cookies_in

__all__ = ["Credentials", "take_token"]

# a comma is in none, since adapters join repeated headers with one
_KEY: Final = re.compile(r"[!-+\--~]+")
_COOKIE: Final = re.compile(r"[!#-+\--:<-\[\]-~]+|\"[!#-+\--:<-\[\]-~]*\"")
"""The value of a cookie (RFC 6265, section 4.1.1)."""
_OWN_SITE: Final = ("same-origin", "none")
"""Values of Sec-Fetch-Site: a page of this origin, or the user himself."""
_PORTS: Final = {"http": ":80", "https": ":443"}
_SCHEMES: Final = {"header": "ApiKey", "cookie": "Cookie"}


@final
class Credentials:
    """
    The credentials that a route takes.

    Args:
        taken: All of them.
        realm: The title of the spec.

    Attributes:
        headers: The headers that may hold one, in lower case.
        keys: Those of them that hold an API key and nothing else.
        origins: The origins of pages that may send a cookie from elsewhere.
        takes_token: Whether a bearer token is one of them.
        over_mcp: Those of them that are not cookies: MCP clients are not pages of this origin.
        asked: What a call is told that has none.
        challenge: The value of ``WWW-Authenticate`` then. RFC 9110 (section 11.6.1) asks for one
            with every 401; a key and a cookie have no registered scheme, so theirs says only what
            is missing, and a browser shows no dialog for it.
    """

    def __init__(self, taken: Sequence[Credential], realm: str) -> None:
        self._taken: Final = taken
        self.headers: Final = tuple(each.header for each in taken)
        self.keys: Final = tuple(each.header for each in taken if each.kind == "header")
        self.origins: Final = tuple(origin for each in taken for origin in each.origins)
        self.takes_token: Final = any(each.kind == "bearer" for each in taken)
        self.asked: Final = f"Send {_listed(taken)}."
        told = challenge(realm, invalid=False)
        if not self.takes_token:
            first = taken[0]
            told = f'{_SCHEMES[first.kind]}{told.removeprefix("Bearer")}, name="{first.name}"'
        self.challenge: Final = told
        keys = [each for each in taken if each.kind != "cookie"]
        self.over_mcp: Final = Credentials(keys, realm) if keys and len(keys) < len(taken) else self

    def are_in(self, incoming: Incoming) -> bool:
        """Whether *incoming* has a header that may hold one."""
        return any(incoming.header(name) is not None for name in self.headers)

    def sent(self, incoming: Incoming, own: str | None) -> Shown | NoToken:
        """
        The credential in *incoming*, or why there is none.

        Args:
            incoming: A call.
            own: The origin of the public URL, where that is known.
        """
        found = [
            (each, sent)
            for each in self._taken
            if (sent := _sent(each, incoming)) is not NoToken.MISSING
        ]
        if not found:
            return NoToken.MISSING
        if len(found) > 1:
            return NoToken.REPEATED
        [(credential, value)] = found
        if credential.kind == "cookie" and not _may_come(credential, incoming, own):
            return NoToken.FOREIGN
        return value if isinstance(value, NoToken) else Shown.of(credential, value)


def take_token(credentials: Credentials | None) -> bool:
    """
    Whether a bearer token is among the *credentials* of a route, None being that and nothing else.

    A 403 has a challenge there: RFC 9110 (section 11.6.1) allows one wherever other credentials may
    help, and RFC 6750 (section 3.1) says which scopes these need. A key and a cookie have no scheme
    of which a client could ask for more, so where they are all that there is, the body says it.
    """
    return credentials is None or credentials.takes_token


def _sent(credential: Credential, incoming: Incoming) -> str | NoToken:
    if credential.kind == "bearer":
        return bearer_token(incoming.authorization())
    header = incoming.header(credential.header)
    if credential.kind == "cookie":
        values = cookies_in(header, credential.name)
        if len(values) > 1:
            return NoToken.REPEATED
        return _checked(values[0], _COOKIE) if values else NoToken.MISSING
    if header is None:
        return NoToken.MISSING
    return NoToken.REPEATED if "," in header else _checked(header, _KEY)


def _checked(value: str, form: re.Pattern[str]) -> str | NoToken:
    if len(value) > MAX_TOKEN_BYTES:
        return NoToken.TOO_LONG
    return value if form.fullmatch(value) else NoToken.MALFORMED


def _may_come(credential: Credential, incoming: Incoming, own: str | None) -> bool:
    """Whether a cookie may be taken from the page that has had it sent."""
    origin = incoming.origin
    if origin is None:
        return incoming.header("sec-fetch-site") in _OWN_SITE
    # where the own origin is known, another Host is somebody else's page, whatever it says
    return origin in credential.origins or origin == (own or _origin_of(incoming))


def _origin_of(incoming: Incoming) -> str | None:
    """The origin that a page of the same host has, as browsers write it (RFC 6454, 6.2)."""
    found = host_of(incoming)
    if found is None:
        return None
    scheme, host = found
    return f"{scheme}://{host.lower().removesuffix(_PORTS[scheme])}"


def _listed(taken: Sequence[Credential]) -> str:
    told = [_TOLD[each.kind].format(each.name) for each in taken]
    return " or ".join(told)


_TOLD: Final = {
    "bearer": "a bearer token in the header Authorization",
    "header": "a key in the header {}",
    "cookie": "the cookie {}",
}
