"""
A verifier of JWTs: an ``authenticate`` for access tokens from another issuer.

It checks who signed a token, who it is for and whether it is still valid (RFC 7519, RFC 8725), and
passes its claims on. It never waits, so it may run on an event loop itself.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import Any, Final, Generic, TypeAlias, TypeVar, cast, final, overload

from contract.adapters.jwks import Jwks, check_url, fetch
from contract.adapters.jwt_keys import (
    ASYMMETRIC,
    Given,
    Keys,
    check_algorithms,
    claims_of,
    header_of,
    read_keys,
)
from contract.declare.failures import Builtin, ServiceUnavailable
from contract.declare.hook import Request
from contract.declare.resolver import parameter_list, place_of, takes
from contract.shape.annotations import parameters_of
from contract.shape.exceptions import SpecError
from contract.shape.quoting import shown

__all__ = ["Claims", "Given", "JwtVerifier"]

C = TypeVar("C")

_LOG: Final = logging.getLogger("contract.jwt")
"""At DEBUG it logs why tokens are refused, but never their contents."""


@final
class Claims(dict[str, Any]):
    """
    The claims of a verified token.

    Reading a claim that is missing refuses the token, just as a wrong one does; read an optional
    claim by ``claims.get("scope")``.
    """

    def __missing__(self, name: str) -> Any:
        raise _RefusedError(f"it has no claim {name}")


class _RefusedError(Exception):
    """A token is refused; the reason is safe for a log."""


Texts: TypeAlias = str | Sequence[str]
"""One string, or several."""


@final
class JwtVerifier(Generic[C]):
    """
    An ``authenticate`` for JWTs, such as those of an OAuth authorization server.

    ::

        verifier = JwtVerifier(
            issuer="https://login.example",
            audience="https://shop.example",
            jwks_url="https://login.example/.well-known/jwks.json",
            to=lambda claims: User(claims["sub"]),
        )
        api = spec(
            authenticate=verifier,
            authenticate_inline=True,
            routes=routes(order),
            resources=[verifier],
            ready=[verifier.ready],
        )

    A token is refused with 401 if its signature, issuer, audience, type or times are wrong, or if
    it names an unknown key. In the latter case a thread checks for new keys, at most once in 10
    seconds, and no call waits for it. Until the keys have been fetched, calls are answered with
    ServiceUnavailable, since their tokens may be valid.

    Args:
        issuer: The issuer of the tokens: their ``iss``.
        audience: The recipient of the tokens, usually the URL of this API: one of their ``aud``
            (RFC 8707).
        to: From the claims to the context. If it returns None, the token is refused; if it returns
            a builtin failure, that is the answer.
        jwks_url: The URL of the issuer's keys. A thread fetches them, and again every 5 minutes; if
            that fails, the old ones stay.
        keys: Instead of the URL, the keys themselves: public keys as PEM or JWK, or a secret for
            HMAC.
        algorithms: The accepted algorithms; by default, all common ones with public keys. Secrets
            need ``["HS256"]``, ``["HS384"]`` or ``["HS512"]``.
        leeway: How many seconds the clocks of this machine and the issuer may differ.
        typ: The required type in a token's header, such as ``"at+jwt"`` (RFC 9068), so that no
            other token of the issuer passes for an access token.
        refresh_seconds: Seconds from one fetch of the keys to the next.
        fetch: Replaces the function that fetches the URL, in the thread: to use a proxy, or
            certificates of your own.

    Raises:
        SpecError: A key, an algorithm or the URL cannot be used.
    """

    @overload
    def __init__(
        self,
        *,
        issuer: Texts,
        audience: Texts,
        to: Callable[[Claims], C | Builtin | None],
        jwks_url: str,
        algorithms: Sequence[str] = ...,
        leeway: float = ...,
        typ: str | None = ...,
        refresh_seconds: float = ...,
        fetch: Callable[[str], bytes] = ...,
    ) -> None: ...
    @overload
    def __init__(
        self,
        *,
        issuer: Texts,
        audience: Texts,
        to: Callable[[Claims], C | Builtin | None],
        keys: Sequence[Given],
        algorithms: Sequence[str] = ...,
        leeway: float = ...,
        typ: str | None = ...,
    ) -> None: ...
    def __init__(
        self,
        *,
        issuer: Texts,
        audience: Texts,
        to: Callable[[Claims], C | Builtin | None],
        jwks_url: str | None = None,
        keys: Sequence[Given] | None = None,
        algorithms: Sequence[str] = ASYMMETRIC,
        leeway: float = 10.0,
        typ: str | None = None,
        refresh_seconds: float = 300.0,
        fetch: Callable[[str], bytes] = fetch,
    ) -> None:
        taken = check_algorithms(f"{_HERE}(algorithms=)", algorithms)
        self._jwks: Final = _jwks_of(jwks_url, keys, taken, fetch, refresh_seconds)
        self._keys: Final = None if keys is None else read_keys(f"{_HERE}(keys=)", keys, taken)
        self._to: Final[Callable[[Claims], C | Builtin | None]] = _checked_to(to)
        if typ is not None:
            typ = _media_type(_text("typ", typ))
        self._typ: Final = typ
        self._checks: Final[dict[str, Any]] = {
            "issuer": _texts("issuer", issuer),
            "audience": _texts("audience", audience),
            "leeway": _between("leeway", leeway, 0.0, 300.0),
        }

    def __repr__(self) -> str:
        return f"<JwtVerifier of {', '.join(self._checks['issuer'])}>"

    # every authenticate gets the request; only the token is needed here
    def __call__(self, token: str, request: Request, /) -> C | Builtin | None:  # noqa: ARG002
        """The context for *token*; None if it is refused; never waits."""
        keys = self._known()
        if keys is None:
            return ServiceUnavailable(message=_NO_KEYS, retry_after=_SOON)
        try:
            return self._to(self._verified(token, keys))
        except _RefusedError as refusal:
            # one of our texts, or the name of an exception: never the token's contents
            _LOG.debug("a token is refused: %s", refusal.args[0])
            return None

    def ready(self) -> bool:
        """Whether there are keys, for ``spec(ready=[verifier.ready])``; never waits."""
        return self._known() is not None

    def __enter__(self) -> JwtVerifier[C]:
        """Fetch the keys, for ``spec(resources=[verifier])``; a failed fetch is repeated later."""
        if self._jwks is not None:
            self._jwks.enter()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop fetching them."""
        if self._jwks is not None:
            self._jwks.leave()

    def _known(self) -> Keys | None:
        return self._keys if self._jwks is None else self._jwks.current()

    def _verified(self, token: str, keys: Keys) -> Claims:
        try:
            return Claims(self._claims(token, keys))
        except _RefusedError:
            raise
        except Exception as error:  # noqa: BLE001  whatever a stranger's token does to a library
            raise _RefusedError(type(error).__name__) from None

    def _claims(self, token: str, keys: Keys) -> dict[str, Any]:
        """The claims of *token*; raises whatever is wrong with it."""
        # 1. The header, which nobody has verified yet: it only says which keys are worth a try.
        header = header_of(token)
        if self._typ is not None and _media_type(header["typ"]) != self._typ:
            raise _RefusedError("it is of another type")
        # 2. The signature; the claims are checked with the key that has made it.
        kid, algorithm = header.get("kid"), str(header["alg"])
        candidates = keys.candidates(kid, algorithm)
        for key in candidates:
            claims = claims_of(token, key, algorithm, self._checks)
            if claims is not None:
                return claims
        # 3. The issuer may have new keys. If the key that the token names is known, a newer set
        #    would not help.
        if self._jwks is not None and (kid is None or all(key.kid != kid for key in candidates)):
            self._jwks.look()
        raise _RefusedError("no key that is known has signed it")


_HERE: Final = "JwtVerifier"
_NO_KEYS: Final = "The keys that tokens are checked with are not there yet."
_SOON: Final = 2
"""Seconds after which a caller may try again."""


def _jwks_of(
    url: object, keys: object, algorithms: frozenset[str], get: Callable[[str], bytes], every: float
) -> Jwks | None:
    # both, or neither
    if (url is None) is (keys is None):
        raise SpecError(_HERE, "give jwks_url=, or keys=; one of them, and not both")
    if url is None:
        return None
    where = f"{_HERE}(jwks_url=)"
    if any(each.startswith("HS") for each in algorithms):
        raise SpecError(where, "a secret is not to be fetched; give it by keys=[secret]")
    seconds = _between("refresh_seconds", every, 10.0, 86_400.0)
    return Jwks(check_url(where, url), algorithms, get, seconds)


def _checked_to(to: Any) -> Any:
    where = f"{_HERE}(to=)"
    if not callable(to):
        raise SpecError(where, f"{shown(to)} is not a function; give one that takes the claims")
    try:
        parameters = parameters_of(to)
    except TypeError:  # a class, or written in C
        return to
    if not takes(parameters, 1):
        taken = parameter_list(parameters)
        raise SpecError(where, f"it takes {taken}, and is called with (claims) ({place_of(to)})")
    return to


def _text(option: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise SpecError(
            f"{_HERE}({option}=)", f"{shown(value)} is not a text; write it as the tokens have it"
        )
    return value


def _texts(option: str, given: object) -> tuple[str, ...]:
    listed: Iterable[object] = [given]
    if isinstance(given, Iterable) and not isinstance(given, str):
        listed = cast("Iterable[object]", given)
    found = tuple(_text(option, each) for each in listed)
    if not found:
        raise SpecError(
            f"{_HERE}({option}=)",
            "it is empty, so no token could be valid; write it as the tokens have it",
        )
    return found


def _between(option: str, given: object, least: float, most: float) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not least <= given <= most:
        raise SpecError(
            f"{_HERE}({option}=)",
            f"{shown(given)} is not a number from {least:g} to {most:g}; write one of them",
        )
    return float(given)


def _media_type(text: str) -> str:
    """The *text* for comparing types: without case and usual prefix (RFC 7515, section 4.1.9)."""
    return text.lower().removeprefix("application/")
