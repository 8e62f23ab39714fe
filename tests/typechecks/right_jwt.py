"""Verifiers of JWTs that type checkers have to accept."""

# mypy: disable-error-code="empty-body"
# what is declared below is checked and never run

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_type

from contract import Forbidden, Spec, route, routes, spec
from contract.adapters.jwt import Claims, JwtVerifier


@dataclass(frozen=True)
class User:
    name: str


@route(summary="Me", tags=["users"])
def me(input: None, ctx: User) -> str: ...


def user_of(claims: Claims) -> User | Forbidden | None:
    return Forbidden() if claims.get("banned") else User(claims["sub"])


fetching = JwtVerifier(
    issuer="https://login.example",
    audience=["https://a.example", "https://b.example"],
    jwks_url="https://login.example/jwks.json",
    to=user_of,
)
holding = JwtVerifier(
    issuer="https://login.example",
    audience="https://a.example",
    keys=["-----BEGIN PUBLIC KEY-----", b"...", {"kty": "RSA"}],
    to=lambda claims: User(claims["sub"]),
)

assert_type(fetching, JwtVerifier[User])
assert_type(holding, JwtVerifier[User])

api = spec(
    authenticate=fetching,
    authenticate_inline=True,
    routes=routes(me),
    resources=[fetching],
    ready=[fetching.ready],
)
assert_type(api, Spec[User])
