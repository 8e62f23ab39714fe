"""An issuer of tokens for the tests: keys, tokens signed with them, and a server of its key set."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa, x25519
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from jwt.algorithms import get_default_algorithms

ISSUER = "https://login.example"
AUDIENCE = "https://shop.example"
Private = Any


@cache
def private(kind: str) -> Private:
    """A key of a kind, such as ``"P-256"`` or ``"RSA"``; one for each, since they are dear."""
    name, _, _ = kind.partition("/")
    makers: dict[str, Callable[[], Private]] = {
        "RSA": lambda: rsa.generate_private_key(65537, 2048),
        "RSA-1024": lambda: rsa.generate_private_key(65537, 1024),
        "P-256": lambda: ec.generate_private_key(ec.SECP256R1()),
        "P-384": lambda: ec.generate_private_key(ec.SECP384R1()),
        "P-521": lambda: ec.generate_private_key(ec.SECP521R1()),
        "secp256k1": lambda: ec.generate_private_key(ec.SECP256K1()),
        "P-224": lambda: ec.generate_private_key(ec.SECP224R1()),
        "Ed25519": ed25519.Ed25519PrivateKey.generate,
        "Ed448": ed448.Ed448PrivateKey.generate,
        "X25519": x25519.X25519PrivateKey.generate,
    }
    return makers[name]()


def pem(kind: str) -> str:
    """The public key of a kind."""
    raw: bytes = (
        private(kind).public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    )
    return raw.decode()


def private_pem(kind: str) -> str:
    raw: bytes = private(kind).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return raw.decode()


FIRST = {
    "RSA": "RS256", "P-256": "ES256", "P-384": "ES384", "P-521": "ES512", "secp256k1": "ES256K",
}  # fmt: skip


def jwk(kind: str, kid: str | None = None, **more: object) -> dict[str, Any]:
    """The public key of a kind as a JWK."""
    algorithm: Any = get_default_algorithms()[FIRST.get(kind.partition("/")[0], "EdDSA")]
    made: dict[str, Any] = algorithm.to_jwk(private(kind).public_key(), as_dict=True)
    named = {} if kid is None else {"kid": kid}
    return {**{key: made[key] for key in made if key != "key_ops"}, **named, **more}


DAY: Final = 24 * 60 * 60
"""Longer than tests take: some sign a token while they are collected, and show it much later."""


def token(
    kind: str = "P-256",
    algorithm: str = "ES256",
    *,
    kid: str | None = None,
    header: dict[str, Any] | None = None,
    without: str | None = None,
    **claims: object,
) -> str:
    """A token as the issuer signs it, with other claims where they are given."""
    now = int(time.time())
    payload = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "iat": now, "exp": now + DAY, **claims}
    payload.pop(without or "", None)
    named = {} if kid is None else {"kid": kid}
    return jwt.encode(payload, private(kind), algorithm, headers={**named, **(header or {})})


class KeyServer:
    """Answers with a set of keys, or however it is told to."""

    def __init__(self) -> None:
        self.body: bytes = b""
        self.status = 200
        self.headers: dict[str, str] = {}
        self.asked = 0
        self.came = threading.Condition()
        self.gate = threading.Event()
        self.gate.set()
        self.url = ""

    def give(self, *keys: dict[str, Any], status: int = 200) -> None:
        """Answer with these keys from now on."""
        self.body, self.status = json.dumps({"keys": keys}).encode(), status

    def wait_for(self, count: int) -> None:
        """Wait until it has been asked so often."""
        with self.came:
            assert self.came.wait_for(lambda: self.asked >= count, 10)


@contextmanager
def key_server(*keys: dict[str, Any]) -> Iterator[KeyServer]:
    state = KeyServer()
    state.give(*keys)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            with state.came:
                state.asked += 1
                state.came.notify_all()
            state.gate.wait(10)
            self.send_response(state.status)
            for name, value in {"content-length": str(len(state.body)), **state.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(state.body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        state.url = f"http://127.0.0.1:{server.server_address[1]}/jwks.json"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield state
        finally:
            state.gate.set()
            server.shutdown()
            thread.join()
