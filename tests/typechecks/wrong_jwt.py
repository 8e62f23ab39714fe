"""Verifiers of JWTs that type checkers have to refuse, each on its line."""

# mypy: disable-error-code="empty-body"
# what is declared below is checked and never run

from __future__ import annotations

from dataclasses import dataclass

from contract import Spec, routes, spec
from contract.adapters.jwt import Claims, JwtVerifier
from tests.typechecks.right_jwt import User, me

URL = "https://login.example/jwks.json"


@dataclass(frozen=True)
class Partner:
    name: str


def partner_of(claims: Claims) -> Partner: ...


async def later(claims: Claims) -> User: ...


def of_text(claims: str) -> User: ...


of_partner = JwtVerifier(issuer="a", audience="b", jwks_url=URL, to=partner_of)
late = JwtVerifier(issuer="a", audience="b", jwks_url=URL, to=later)

a: Spec[User] = spec(authenticate=of_partner, routes=routes(me))  # type: ignore[arg-type]
b: Spec[User] = spec(authenticate=late, routes=routes(me))  # type: ignore[arg-type]

JwtVerifier(issuer="a", audience="b", jwks_url=URL, to=of_text)  # type: ignore[arg-type]
JwtVerifier(issuer="a", audience="b", to=partner_of)  # type: ignore[call-overload]
JwtVerifier(issuer="a", audience="b", jwks_url=URL, keys=[], to=partner_of)  # type: ignore[call-overload]
JwtVerifier(issuer="a", jwks_url=URL, to=partner_of)  # type: ignore[call-overload]
JwtVerifier(issuer=1, audience="b", jwks_url=URL, to=partner_of)  # type: ignore[call-overload]
