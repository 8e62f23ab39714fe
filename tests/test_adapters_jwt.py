"""The verifier of JWTs: which tokens it lets in, which it refuses, and with what."""

from __future__ import annotations

import base64
import json
import logging
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jwt as pyjwt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract import Forbidden, Request, ServiceUnavailable, route, routes, spec
from contract.adapters.jwt import Claims, JwtVerifier
from contract.shape.exceptions import SpecError
from contract.testing import Client
from tests import jwt_issuers
from tests.jwt_issuers import AUDIENCE, DAY, ISSUER, jwk, key_server, pem, private, token
from tests.tables import rows

SECRET = "0123456789abcdef0123456789abcdef"
REQUEST = Request()


@dataclass(frozen=True, slots=True)
class User:
    name: str


def user_of(claims: Claims) -> User | None:
    return User(claims["sub"])


def rsa_of(bits: int) -> dict[str, str]:
    """A public key of this size, which nobody has the other half of."""
    modulus = ((1 << bits) - 1).to_bytes((bits + 7) // 8, "big")
    return {"kty": "RSA", "e": "AQAB", "n": base64.urlsafe_b64encode(modulus).decode().rstrip("=")}


def verifier(**options: Any) -> JwtVerifier[User]:
    given: dict[str, Any] = {"issuer": ISSUER, "audience": AUDIENCE, "keys": [pem("P-256")]}
    return JwtVerifier(**given | {"to": user_of} | options)


@rows(
    "kind, algorithm",
    ("RSA", "RS256"),
    ("RSA", "PS512"),
    ("P-256", "ES256"),
    ("P-384", "ES384"),
    ("P-521", "ES512"),
    ("Ed25519", "EdDSA"),
)
def test_a_signed_token_gives_the_context(kind: str, algorithm: str) -> None:
    for key in (pem(kind), pem(kind).encode(), jwk(kind), jwk(kind, "one")):
        assert verifier(keys=[key])(token(kind, algorithm), REQUEST) == User("ada")


@pytest.mark.parametrize(("kind", "algorithm"), [("secp256k1", "ES256K"), ("Ed448", "EdDSA")])
def test_what_is_rarer_is_taken_where_it_is_named(kind: str, algorithm: str) -> None:
    of = verifier(keys=[pem(kind), jwk(kind)], algorithms=[algorithm])

    assert of(token(kind, algorithm), REQUEST) == User("ada")


def unsigned(header: object, payload: object = None) -> str:
    def part(value: object) -> str:
        raw = value if isinstance(value, bytes) else json.dumps(value).encode()
        return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()

    claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "exp": 9_999_999_999}
    return f"{part(header)}.{part(claims if payload is None else payload)}."


def mixed_up() -> str:
    """A token that is signed by HMAC with the public key, which everybody has."""
    import hashlib
    import hmac

    body = unsigned({"alg": "HS256", "typ": "JWT"}).rstrip(".")
    mac = hmac.new(pem("P-256").encode(), body.encode(), hashlib.sha256).digest()
    return f"{body}.{base64.urlsafe_b64encode(mac).rstrip(b'=').decode()}"


NOW = int(time.time())
WRONG: dict[str, tuple[str, str]] = {
    "no token": ("nonsense", "DecodeError"),
    "empty": ("..", "DecodeError"),
    "no object": (unsigned([]), "DecodeError"),
    "none": (unsigned({"alg": "none"}), "no key that is known has signed it"),
    "None": (unsigned({"alg": "None"}), "no key that is known has signed it"),
    "no alg": (unsigned({}), "KeyError"),
    "a list of alg": (unsigned({"alg": ["ES256"]}), "no key that is known has signed it"),
    "a number as kid": (unsigned({"alg": "ES256", "kid": 1}), "InvalidTokenError"),
    "crit": (token(header={"crit": ["x"], "x": 1}), "InvalidTokenError"),
    "deep": (unsigned(b"[" * 2000), "DecodeError"),
    "a secret that is public": (mixed_up(), "no key that is known has signed it"),
    "another key": (token("P-256/other"), "no key that is known has signed it"),
    "another algorithm": (token("RSA", "RS256"), "no key that is known has signed it"),
    "another issuer": (token(iss="https://evil.example"), "InvalidIssuerError"),
    "no issuer": (token(without="iss"), "MissingRequiredClaimError"),
    "another audience": (token(aud=["https://other.example"]), "InvalidAudienceError"),
    "no audience": (token(without="aud"), "MissingRequiredClaimError"),
    "a number as audience": (token(aud=7), "InvalidAudienceError"),
    "over": (token(exp=NOW - 60), "ExpiredSignatureError"),
    "never over": (token(without="exp"), "MissingRequiredClaimError"),
    "over at infinity": (token(exp=float("inf")), "DecodeError"),
    "not yet": (token(nbf=NOW + 3600), "ImmatureSignatureError"),
    "issued later": (token(iat=NOW + 3600), "ImmatureSignatureError"),
    "no sub": (token(without="sub"), "it has no claim sub"),
    "a number as sub": (pyjwt.encode({}, private("P-256"), "ES256"), "MissingRequiredClaimError"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_token_is_refused_and_the_log_knows_why(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    sent, why = WRONG[name]
    with caplog.at_level(logging.DEBUG, "contract.jwt"):
        assert verifier()(sent, REQUEST) is None

    assert [record.getMessage() for record in caplog.records] == [f"a token is refused: {why}"]


def test_a_signature_is_looked_at_bit_by_bit() -> None:
    head, body, signature = token().split(".")
    other = token(sub="eve").split(".")[1]

    assert verifier()(f"{head}.{other}.{signature}", REQUEST) is None
    assert verifier()(f"{head}.{body}.{signature[:-4]}AAAA", REQUEST) is None


@pytest.mark.unwatched
@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=200))
def test_no_text_makes_it_raise(text: str) -> None:
    of = verifier()

    assert of(text, REQUEST) is None
    assert of(f"{text}.{text}.{text}", REQUEST) is None
    assert of(unsigned({"alg": text, "kid": text, "typ": text}), REQUEST) is None


@pytest.mark.unwatched
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    )
)
def test_no_signed_claims_make_it_raise(value: Any) -> None:
    of, claims = verifier(), {"iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "exp": NOW + DAY}
    for name in ("iss", "aud", "exp", "nbf", "iat", "sub", "jti"):
        payload = json.dumps({**claims, name: value}).encode()
        of(pyjwt.api_jws.encode(payload, private("P-256"), "ES256"), REQUEST)


def test_several_issuers_and_audiences_may_be_named() -> None:
    of = verifier(issuer=["https://a.example", ISSUER], audience=("https://b.example", AUDIENCE))

    assert of(token(aud=["https://c.example", AUDIENCE]), REQUEST) == User("ada")
    assert of(token(iss="https://d.example"), REQUEST) is None
    assert repr(of) == "<JwtVerifier of https://a.example, https://login.example>"


def test_the_clocks_may_differ_by_the_leeway() -> None:
    now = int(time.time())
    late = token(exp=now - 60, iat=now - 600)

    assert verifier(leeway=300)(late, REQUEST) == User("ada")
    assert verifier(leeway=0)(late, REQUEST) is None


@pytest.mark.parametrize("typ", ["at+jwt", "AT+JWT", "application/at+jwt"])
def test_the_type_of_the_token_is_asked_for(typ: str) -> None:
    of = verifier(typ="at+jwt")

    assert of(token(header={"typ": typ}), REQUEST) == User("ada")
    assert of(token(), REQUEST) is None
    assert of(token(header={"typ": 3}), REQUEST) is None
    assert of(unsigned({"alg": "ES256"}), REQUEST) is None


def test_secrets_are_for_hmac_alone() -> None:
    of = verifier(keys=[SECRET], algorithms=["HS256"])
    claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "exp": NOW + DAY}

    assert of(pyjwt.encode(claims, SECRET, "HS256"), REQUEST) == User("ada")
    assert of(pyjwt.encode(claims, SECRET[::-1], "HS256"), REQUEST) is None
    assert of(token(), REQUEST) is None
    assert SECRET not in repr(vars(of._keys))


def test_a_key_is_found_by_its_name() -> None:
    of = verifier(keys=[jwk("P-256", "one"), jwk("P-256/two", "two"), pem("P-256/three")])

    assert of(token(kid="one"), REQUEST) == User("ada")
    assert of(token("P-256/two", kid="two"), REQUEST) == User("ada")
    assert of(token("P-256/two", kid="one"), REQUEST) is None
    assert of(token("P-256/two"), REQUEST) == User("ada")  # it names none: each is tried
    assert of(token("P-256/three", kid="three"), REQUEST) == User("ada")  # PEM has no names


def test_few_keys_are_tried_for_a_token_that_names_none() -> None:
    several = verifier(keys=[jwk("P-256", str(n)) for n in range(5)])

    assert several(token(kid="4"), REQUEST) == User("ada")
    assert several(token(), REQUEST) is None


def test_the_algorithm_in_a_key_binds_it() -> None:
    of = verifier(keys=[jwk("RSA", alg="PS256")])

    assert of(token("RSA", "PS256"), REQUEST) == User("ada")
    assert of(token("RSA", "RS256"), REQUEST) is None


def test_the_context_may_be_refused() -> None:
    def to(claims: Claims) -> User | Forbidden | None:
        if claims.get("banned"):
            return Forbidden(message="You are banned.")
        return None if claims["sub"] == "eve" else User(claims["sub"])

    of = verifier(to=to)

    assert of(token(), REQUEST) == User("ada")
    assert of(token(sub="eve"), REQUEST) is None
    assert of(token(banned=True), REQUEST) == Forbidden(message="You are banned.")


def test_a_mistake_in_the_function_is_not_taken_for_a_wrong_token() -> None:
    def to(claims: Claims) -> User:
        return User({}[claims["sub"]])

    with pytest.raises(KeyError, match="ada"):
        verifier(to=to)(token(), REQUEST)


URL = "https://login.example/jwks.json"


def test_an_rsa_key_is_no_longer_than_openssl_checks_signatures_with() -> None:
    assert verifier(keys=[rsa_of(16_384)])(token("RSA", "RS256"), REQUEST) is None


PRIVATE = jwt_issuers.private_pem("P-256")
WRONG_OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"keys": None}, r"JwtVerifier: give jwks_url=, or keys=; one of them"),
    ({"jwks_url": URL}, r"JwtVerifier: give jwks_url=, or keys=; one of them"),
    ({"keys": pem("P-256")}, r"\(keys=\): it takes several; write keys=\[key\]"),
    ({"keys": {"keys": []}}, r"it takes several; write keys=\[key\], or keys=jwks\[\"keys\"\]"),
    ({"keys": 3}, "it takes several"),
    ({"keys": []}, "it is empty, so no token could be valid"),
    ({"keys": [pem("P-256")] * 5}, "5 keys have no name, and at most 4 are tried"),
    ({"keys": ["a-secret"]}, r"\(keys=\)\[0\]: it cannot be read; give a public key"),
    ({"keys": [pem("RSA-1024")]}, "it is for none of ES256, .*, or too short for them"),
    ({"keys": [rsa_of(16_385)]}, "it has 16385 bits, and 16384 are the most"),
    *(({"keys": [pem(kind)]}, "it is for none of") for kind in ("P-224", "secp256k1", "X25519")),
    ({"keys": [jwk("P-256", 3)]}, "its kid is not a text"),  # type: ignore[arg-type]
    ({"keys": [jwk("P-256", use="enc")]}, "it is not for signatures"),
    ({"keys": [jwk("P-256", key_ops=["sign"])]}, "it is not for signatures"),
    ({"keys": [jwk("P-256", d="AA")]}, "'EC' with what signs is not a public key"),
    ({"keys": [{"kty": "oct", "k": "c2VjcmV0"}]}, "'oct' with what signs is not a public key"),
    *(({"keys": [key]}, "it cannot be read") for key in (None, PRIVATE, {"kty": "RSA"}, {})),
    ({"keys": [jwk("P-256", alg="RS256")]}, "it is for none of"),
    ({"keys": [jwk("P-256", alg=[])]}, "it cannot be read"),
    ({"keys": [SECRET[:31]], "algorithms": ["HS256"]}, "it is for none of HS256, or too short"),
    ({"keys": [pem("P-256")], "algorithms": ["HS256"]}, "a public key or empty, and no secret"),
    ({"keys": [""], "algorithms": ["HS256"]}, "a public key or empty, and no secret"),
    ({"keys": [None], "algorithms": ["HS256"]}, "it cannot be read"),
    ({"algorithms": ["none"]}, r"\(algorithms=\): 'none' is not one; write one of RS256"),
    ({"algorithms": "ES256"}, r"it is empty; write algorithms=\[\"ES256\"\]"),
    ({"algorithms": []}, "it is empty"),
    ({"algorithms": ["ES256", "HS256"]}, "HS256 takes a secret and ES256 a public key"),
    ({"keys": None, "jwks_url": URL, "algorithms": ["HS256"]}, "a secret is not to be fetched"),
    ({"keys": None, "jwks_url": 3}, r"\(jwks_url=\): 3 is not a URL to fetch keys from"),
    ({"keys": None, "jwks_url": "http://login.example/k"}, "is not safe from whoever stands"),
    ({"keys": None, "jwks_url": "https://me:pw@login.example/k"}, "a URL with credentials is no"),
    ({"keys": None, "jwks_url": URL, "refresh_seconds": 1}, "1 is not a number from 10 to 86400"),
    ({"leeway": 301}, r"\(leeway=\): 301 is not a number from 0 to 300"),
    ({"leeway": "5"}, "'5' is not a number"),
    ({"leeway": True}, "True is not a number"),
    ({"leeway": float("nan")}, "nan is not a number"),
    ({"issuer": ""}, r"\(issuer=\): '' is not a text"),
    ({"issuer": None}, "None is not a text"),
    ({"issuer": []}, r"\(issuer=\): it is empty"),
    ({"audience": [3]}, r"\(audience=\): 3 is not a text"),
    ({"typ": ""}, r"\(typ=\): '' is not a text"),
    ({"to": None}, r"\(to=\): None is not a function; give one that takes the claims"),
    ({"to": lambda: None}, r"it takes \(\), and is called with \(claims\) \(test_adapters_jwt"),
]


@pytest.mark.parametrize(("options", "problem"), WRONG_OPTIONS)
def test_what_cannot_work_is_refused_when_it_is_made(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(SpecError, match=problem) as refused:
        verifier(**options)

    assert "pw@" not in str(refused.value)
    assert SECRET[:31] not in str(refused.value)


def test_a_class_will_do_to_make_the_context() -> None:
    assert verifier(to=dict)(token(), REQUEST)["iss"] == ISSUER  # type: ignore[index]


def me(input: None, ctx: User) -> str:
    return ctx.name


def test_a_spec_with_it_answers_401_and_503() -> None:
    with key_server(jwk("P-256", "one")) as server:
        of = verifier(keys=None, jwks_url=server.url)
        how: Any = {"authenticate_inline": True, "resources": [of], "ready": [of.ready]}
        mine = route(summary="Me", tags=["users"])(me)
        with Client(spec(authenticate=of, routes=routes(mine), **how)) as client:
            good = client.call("me", token=token(kid="one"))
            bad = client.call("me", token=token("P-256/other", kid="one"))

    assert (good.status, good.body) == (200, b'"ada"')
    assert (bad.status, bad.body) == (401, b'{"error":"UNAUTHORIZED"}')


def test_while_there_are_no_keys_it_cannot_say() -> None:
    with key_server() as server:
        of = verifier(keys=None, jwks_url=server.url)
        with of:
            found = of(token(), REQUEST)

            assert isinstance(found, ServiceUnavailable)
            assert found.retry_after == 2
            assert of.ready() is False


def test_a_key_that_nobody_knows_is_looked_for_and_its_tokens_are_refused_until_then() -> None:
    with key_server(jwk("P-256", "one")) as server:
        of = verifier(keys=None, jwks_url=server.url)
        with of:
            server.give(jwk("P-256", "one"), jwk("P-256/two", "two"))
            assert of._jwks is not None
            keeper = of._jwks._keeper
            assert keeper is not None

            assert of(token("P-256/other", kid="one"), REQUEST) is None
            assert not keeper.asked.is_set()
            assert of(token("P-256/two", kid="two"), REQUEST) is None
            assert keeper.asked.is_set()
            of._jwks.fetch()
            assert of(token("P-256/two", kid="two"), REQUEST) == User("ada")


MISSING = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name == 'jwt':
            raise ModuleNotFoundError(f"No module named {LACKS!r}", name=LACKS)
sys.meta_path.insert(0, Missing())
try:
    import contract.adapters.jwt
except ImportError as error:
    print(error)
"""


@pytest.mark.measured
@rows(
    "lacks, told",
    ("jwt", "a JwtVerifier needs PyJWT and cryptography: pip install 'contract-rpc[jwt]'"),
    ("elsewhere", "No module named 'elsewhere'"),
)
def test_where_the_library_is_missing_it_says_what_to_install(lacks: str, told: str) -> None:
    command = [sys.executable, "-P", "-c", MISSING.replace("LACKS", repr(lacks))]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)

    assert found.stdout.strip() == told


def test_keys_that_are_given_are_there_at_once() -> None:
    of = verifier()

    assert of.ready() is True
    with of as entered:
        assert entered is of
