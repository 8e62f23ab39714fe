"""
Credentials: the API keys and cookies of a call, for routes that take more than a bearer token.

Each is in a header, and the functions that check them see only those of the right form. A call has
one token or key, since nobody could tell which of two was meant. A cookie beside it means nothing:
a browser sends that by itself, whatever the page chose. It also does so when another site's page
makes a request, so for a cookie the page must be of this origin, or of one that is named.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, final

from contract.call.bearer import MAX_TOKEN_BYTES, NoToken, bearer_token, challenge
from contract.call.incoming import Incoming, host_of
from contract.declare.ways import Credential, Shown, cookies_in

__all__ = ["Credentials", "take_token"]

# it has no comma, since adapters join repeated headers with one
_KEY: Final = re.compile(r"[!-+\--~]+")
_COOKIE: Final = re.compile(r"[!#-+\--:<-\[\]-~]+|\"[!#-+\--:<-\[\]-~]*\"")
"""The value of a cookie (RFC 6265, section 4.1.1)."""
_OWN_SITE: Final = ("same-origin", "none")
"""Values of Sec-Fetch-Site: a page of this origin, or the users themselves."""
_PORTS: Final = {"http": ":80", "https": ":443"}
_SCHEMES: Final = {"header": "ApiKey", "cookie": "Cookie"}


@final
class Credentials:
    """
    The credentials that a route takes; *realm* is the title of the spec.

    Attributes:
        headers: The headers that may hold one, in lower case.
        keys: Those of the headers that hold an API key and nothing else.
        origins: The origins of other pages that may send a cookie.
        takes_token: Whether a bearer token is one of the credentials.
        over_mcp: The credentials except cookies: MCP clients are not pages of this origin.
        asked: The message for a call that has none.
        challenge: The value of ``WWW-Authenticate`` then. RFC 9110 (section 11.6.1) requires one
            with every 401. A key and a cookie have no registered scheme, so theirs only says what
            is missing, and a browser shows no dialog for it.
    """

    def __init__(self, taken: Sequence[Credential], realm: str) -> None:
        self._taken: Final = taken
        self.headers: Final = tuple(each.header for each in taken)
        self.keys: Final = tuple(each.header for each in taken if each.kind == "header")
        self.origins: Final = tuple(origin for each in taken for origin in each.origins)
        self.takes_token: Final = any(each.kind == "bearer" for each in taken)
        places = [_PLACES[each.kind].format(each.name) for each in taken]
        self.asked: Final = f"Send {' or '.join(places)}."
        text = challenge(realm, invalid=False)
        if not self.takes_token:
            first = taken[0]
            text = f'{_SCHEMES[first.kind]}{text.removeprefix("Bearer")}, name="{first.name}"'
        self.challenge: Final = text
        keys = [each for each in taken if each.kind != "cookie"]
        over_mcp = self
        if keys and len(keys) < len(taken):
            over_mcp = Credentials(keys, realm)
        self.over_mcp: Final = over_mcp

    def are_in(self, incoming: Incoming) -> bool:
        """Whether *incoming* has a header that may hold a credential."""
        return any(incoming.header(name) is not None for name in self.headers)

    def sent(self, incoming: Incoming, own: str | None) -> Shown | NoToken:
        """
        The credential in *incoming*, or why there is none.

        *own* is the origin of the public URL, if that is known.
        """
        found: list[tuple[Credential, str | NoToken]] = []
        for each in self._taken:
            value = _sent(each, incoming)
            if value is not NoToken.MISSING:
                found.append((each, value))
        if len(found) > 1:
            # a browser adds cookies by itself, to calls that a page makes with a token, too
            found = [each for each in found if each[0].kind != "cookie"] or found
        if not found:
            return NoToken.MISSING
        if len(found) > 1:
            return NoToken.REPEATED
        [(credential, value)] = found
        if credential.kind == "cookie" and not _may_come(credential, incoming, own):
            return NoToken.FOREIGN
        if isinstance(value, NoToken):
            return value
        return Shown.of(credential, value)


def take_token(credentials: Credentials | None) -> bool:
    """
    Whether a bearer token is among the *credentials* of a route; None means a bearer token only.

    If so, a 403 has a challenge: RFC 9110 (section 11.6.1) allows one if other credentials may
    help, and RFC 6750 (section 3.1) puts the required scopes into it. A key and a cookie have no
    scheme by which a client could ask for more, so with these alone only the body says it.
    """
    return credentials is None or credentials.takes_token


def _sent(credential: Credential, incoming: Incoming) -> str | NoToken:
    if credential.kind == "bearer":
        return bearer_token(incoming.authorization())
    header = incoming.header(credential.header)
    if credential.kind == "cookie":
        values = cookies_in(header, credential.name)
        if not values:
            return NoToken.MISSING
        # a page of a sibling domain can set a second one of this name (RFC 6265, section 8.6)
        if len(values) > 1:
            return NoToken.REPEATED
        return _checked(values[0], _COOKIE)
    if header is None:
        return NoToken.MISSING
    # adapters join repeated headers with a comma, which no key has
    if "," in header:
        return NoToken.REPEATED
    return _checked(header, _KEY)


def _checked(value: str, form: re.Pattern[str]) -> str | NoToken:
    if len(value) > MAX_TOKEN_BYTES:
        return NoToken.TOO_LONG
    return value if form.fullmatch(value) else NoToken.MALFORMED


def _may_come(credential: Credential, incoming: Incoming, own: str | None) -> bool:
    """Whether a cookie is accepted, given the page that made the request."""
    origin = incoming.origin
    # browsers send no Origin with a GET to the page's own origin, but they say whose page it is
    if origin is None:
        return incoming.header("sec-fetch-site") in _OWN_SITE
    # if the own origin is known, a page with another Host is a foreign one, whatever it says
    return origin in credential.origins or origin == (own or _origin_of(incoming))


def _origin_of(incoming: Incoming) -> str | None:
    """The origin of a page of the same host, as browsers write it (RFC 6454, 6.2)."""
    found = host_of(incoming)
    if found is None:
        return None
    scheme, host = found
    return f"{scheme}://{host.lower().removesuffix(_PORTS[scheme])}"


_PLACES: Final = {
    "bearer": "a bearer token in the header Authorization",
    "header": "a key in the header {}",
    "cookie": "the cookie {}",
}
