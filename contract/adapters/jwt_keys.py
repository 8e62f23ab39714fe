"""
Keys for verifying the signatures of tokens: read once, each bound to its algorithms.

A key accepts only the algorithms of its own kind, so a token cannot have a public key used as a
secret (RFC 8725, section 2.1). There is no algorithm ``none``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, Final, TypeAlias, cast, final

import orjson

from contract.shape.exceptions import SpecError
from contract.shape.quoting import described, shown
from contract.shape.record import record

try:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
    from cryptography.hazmat.primitives.asymmetric.ed448 import Ed448PublicKey
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key
    from jwt import PyJWK, PyJWT, get_unverified_header
    from jwt.algorithms import HMACAlgorithm
    from jwt.exceptions import InvalidKeyError, InvalidSignatureError, PyJWTError
except ModuleNotFoundError as _missing:
    if _missing.name not in ("cryptography", "jwt"):
        raise
    raise ImportError(
        "a JwtVerifier needs PyJWT and cryptography: pip install 'contract-rpc[jwt]'"
    ) from None

__all__ = [
    "ASYMMETRIC",
    "Given",
    "Key",
    "Keys",
    "check_algorithms",
    "claims_of",
    "header_of",
    "keys_of_jwks",
    "read_keys",
]

Given: TypeAlias = str | bytes | Mapping[str, Any]
"""A public key as PEM or as a JWK; for HMAC, a secret."""

_RSA: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512")
_CURVES: Final = {
    "secp256r1": "ES256",
    "secp256k1": "ES256K",
    "secp384r1": "ES384",
    "secp521r1": "ES512",
}
_SECRETS: Final = {"HS256": 32, "HS384": 48, "HS512": 64}
"""The fewest bytes of a secret: as many as its hash has (RFC 7518, section 3.2)."""

ASYMMETRIC: Final = (*_RSA, "ES256", "ES384", "ES512", "EdDSA")
"""The algorithms that are accepted by default: those of public keys."""

_KINDS: Final = {"RSA": "RS256", "OKP": "EdDSA"}
"""Kind of JWK -> an algorithm that reads it; those of EC depend on the curve."""
_RSA_BITS: Final = 2048
"""The fewest bits of an RSA key (RFC 7518, section 3.3)."""
_MOST_RSA_BITS: Final = 16_384
"""The most bits of an RSA key; OpenSSL checks no larger ones, and each check would be too slow."""
_MOST: Final = 100
"""The most keys of one set; issuers have two to ten."""
_TRIED: Final = 4
"""How many keys are tried for a token that does not name one: each try is a signature check."""


@final
@record
class Key:
    """A key, and the tokens that it applies to."""

    kid: str | None
    """Its name; None if it has none."""
    algorithms: frozenset[str]
    """The accepted algorithms that it can be used with."""
    value: Any = field(repr=False)


@final
class Keys:
    """The keys of one issuer, to be looked up for a token."""

    def __init__(self, keys: Iterable[Key]) -> None:
        self.all: Final = tuple(keys)

    def candidates(self, kid: object, algorithm: object) -> list[Key]:
        """
        The keys that may have signed a token: few, or none if it must be refused.

        Args:
            kid: The name in its header; None if there is none.
            algorithm: The algorithm in its header.
        """
        fit = [key for key in self.all if algorithm in key.algorithms]
        if kid is not None:
            # a key from a PEM file has no name, whatever its issuer calls it
            fit = [key for key in fit if key.kid == kid] or [key for key in fit if key.kid is None]
        # to try the first of too many would accept some tokens of the issuer, and refuse others
        if len(fit) > _TRIED:
            return []
        return fit


def header_of(token: str) -> dict[str, Any]:
    """
    The header of *token*, which is not verified.

    Raises:
        PyJWTError: There is none, or it needs something that is not supported.
    """
    return get_unverified_header(token)


def claims_of(
    token: str, key: Key, algorithm: str, checks: Mapping[str, Any]
) -> dict[str, Any] | None:
    """
    The claims of *token*; None if *key* has not signed it.

    *checks* are the ``issuer``, ``audience`` and ``leeway`` for PyJWT.

    Raises:
        PyJWTError: It is signed, but not valid.
    """
    try:
        return _DECODER.decode(token, key.value, [algorithm], **checks)
    except InvalidSignatureError:
        return None


_DECODER: Final = PyJWT({"require": ["exp"], "enforce_minimum_key_length": True})


def check_algorithms(where: str, given: Sequence[str]) -> frozenset[str]:
    """
    The algorithms that are accepted.

    Raises:
        SpecError: One is unknown, or those of secrets and of public keys are mixed.
    """
    found: tuple[str, ...] = ()
    # a text is a sequence as well, of its letters
    if not isinstance(cast("object", given), str | bytes):
        found = tuple(given)
    known = (*ASYMMETRIC, "ES256K", *_SECRETS)
    for each in found:
        if each not in known:
            raise SpecError(where, f"{shown(each)} is not one; write one of {', '.join(known)}")
    if not found:
        raise SpecError(where, 'it is empty; write algorithms=["ES256"]')
    secret = [each for each in found if each in _SECRETS]
    if secret and len(secret) < len(found):
        raise SpecError(
            where,
            f"{secret[0]} takes a secret and {next(each for each in found if each not in secret)} "
            "a public key; make a JwtVerifier for each, since one must not pass for the other",
        )
    return frozenset(found)


def read_keys(where: str, given: object, algorithms: frozenset[str]) -> Keys:
    """
    The keys given in the program or its configuration.

    Raises:
        SpecError: One of them cannot be used; the message does not show it.
    """
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise SpecError(where, 'it takes several; write keys=[key], or keys=jwks["keys"]')
    found: list[Key] = []
    for index, each in enumerate(cast("Iterable[object]", given)):
        try:
            found.append(_read(each, algorithms))
        except (ValueError, TypeError, UnsupportedAlgorithm, PyJWTError) as error:
            # the text of a library's exception may show the key
            problem = "it cannot be read"
            if isinstance(error, _UnusableKeyError):
                problem = str(error)
            raise SpecError(f"{where}[{index}]", f"{problem}; {_HOW}") from None
    if not found:
        raise SpecError(where, "it is empty, so no token could be valid; write keys=[key]")
    unnamed = sum(key.kid is None for key in found)
    if unnamed > _TRIED:
        raise SpecError(
            where,
            f"{unnamed} keys have no name, and at most {_TRIED} are tried; give JWKs, with kid",
        )
    return Keys(found)


_HOW: Final = (
    "give a public key (PEM, or a JWK as a mapping), "
    'or a secret for algorithms=["HS256"] that is as long as its hash'
)


class _UnusableKeyError(ValueError):
    """A key that can be read but not used; its text says why, without showing the key."""


def keys_of_jwks(body: bytes, algorithms: frozenset[str]) -> Keys:
    """
    The keys of a set that was fetched (RFC 7517); keys for other uses are left out.

    Raises:
        ValueError: It is not such a set, or has no usable key.
    """
    read: object = orjson.loads(body)
    listed: object = None
    if isinstance(read, dict):
        listed = cast("dict[str, object]", read).get("keys")
    if not isinstance(listed, list):
        raise ValueError("it is not a set of keys: an object with a list under 'keys'")
    given = cast("list[object]", listed)
    found: list[Key] = []
    for each in given[:_MOST]:
        try:
            if isinstance(each, dict):
                found.append(_read(cast("dict[str, object]", each), algorithms))
        # keys that are not understood SHOULD be ignored (RFC 7517, section 5)
        except (ValueError, TypeError, UnsupportedAlgorithm, PyJWTError):
            continue
    if not found:
        raise ValueError(f"none of its {len(given)} keys can be used")
    return Keys(found)


def _read(given: object, algorithms: frozenset[str]) -> Key:
    """The key in *given*; raises whatever the libraries raise."""
    kid = None
    if isinstance(given, Mapping):
        kid, value, fits = _of_jwk(cast("Mapping[str, Any]", given))
    elif algorithms <= _SECRETS.keys():
        value = _secret(given)
        fits = frozenset(name for name, size in _SECRETS.items() if len(value) >= size)
    else:
        # anything else is refused by the library, with a TypeError
        raw = given.encode() if isinstance(given, str) else given
        value = load_pem_public_key(cast("bytes", raw))
        fits = _algorithms_of(value)
    fits &= algorithms
    if not fits:
        raise _UnusableKeyError(
            f"it is for none of {', '.join(sorted(algorithms))}, or too short for them"
        )
    return Key(kid, fits, value)


def _of_jwk(jwk: Mapping[str, Any]) -> tuple[str | None, Any, frozenset[str]]:
    """The name, the key and the algorithms of a JWK with a public key."""
    # 1. The members about itself (RFC 7517, section 4).
    kid = jwk.get("kid")
    if not (kid is None or isinstance(kid, str)):
        raise _UnusableKeyError("its kid is not a text")
    operations: Any = jwk.get("key_ops", ["verify"])
    if jwk.get("use", "sig") != "sig" or "verify" not in operations:
        raise _UnusableKeyError("it is not for signatures")
    if jwk.get("kty") == "oct" or "d" in jwk:
        raise _UnusableKeyError(f"{described(jwk.get('kty'))} with what signs is not a public key")
    # 2. The key. PyJWT binds it to one algorithm, but its numbers are valid for several.
    kind = _KINDS.get(cast("str", jwk.get("kty")))
    value = PyJWK({name: each for name, each in jwk.items() if name != "alg"}, kind).key
    # 3. Its algorithms; if it names one, no other (RFC 8725, section 3.1).
    fits = _algorithms_of(value)
    named = jwk.get("alg")
    if named is not None:
        fits &= {named}
    return kid, value, fits


def _algorithms_of(key: object) -> frozenset[str]:
    """The algorithms of a public key; empty if it is too short, or of another kind."""
    match key:
        case RSAPublicKey() if key.key_size > _MOST_RSA_BITS:
            raise _UnusableKeyError(
                f"it has {key.key_size} bits, and {_MOST_RSA_BITS} are the most"
            )
        case RSAPublicKey() if key.key_size >= _RSA_BITS:
            return frozenset(_RSA)
        case EllipticCurvePublicKey():
            return frozenset(filter(None, [_CURVES.get(key.curve.name)]))
        case Ed25519PublicKey() | Ed448PublicKey():
            return frozenset(["EdDSA"])
        case _:
            return frozenset()


def _secret(given: object) -> bytes:
    """The bytes of a secret, which must not be a public key that anybody may know."""
    try:
        return HMACAlgorithm(HMACAlgorithm.SHA256).prepare_key(cast("bytes", given))
    except InvalidKeyError:
        raise _UnusableKeyError("it is a public key or empty, and no secret") from None
