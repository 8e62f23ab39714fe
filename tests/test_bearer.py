"""Bearer tokens and challenges (RFC 6750)."""

from __future__ import annotations

import pytest

from contract.call import bearer
from contract.call.bearer import KNOWN, NoToken, authorization, bearer_token, challenge
from tests.tables import rows

LONGEST = "a" * bearer.MAX_TOKEN_BYTES


@rows(
    "header, token",
    ("Bearer abc", "abc"),
    ("bearer abc", "abc"),
    ("BEARER aBc", "aBc"),
    ("Bearer   abc", "abc"),
    ("  Bearer abc\t", "abc"),
    ("Bearer A-Z.a_z~0+9/=", "A-Z.a_z~0+9/="),
    ("Bearer abc==", "abc=="),
    ("Bearer Bearer", "Bearer"),
    (f"Bearer {LONGEST}", LONGEST),
    (f"bearer {LONGEST}", LONGEST),
)
def test_a_token_is_given_as_it_was_sent(header: str, token: str) -> None:
    assert bearer_token(header) == token


@rows(
    "header",
    *(None, "", " ", "Basic YTpi", "Bearerabc", "abc", "Digest a=b"),
    *('Digest username="x", realm="y"', "Bearer-Token abc", "BearerX abc", "Bearer_abc"),
    "Basic YTpi\xa0Bearer",
)
def test_no_credentials_and_those_of_another_scheme_are_missing(header: str | None) -> None:
    assert bearer_token(header) is NoToken.MISSING


@rows(
    "header",
    *("Bearer", "Bearer ", "Bearer a b", "Bearer a=b", "Bearer =", "Bearer\tabc", "Bearer ä"),
    *("Bearer ٣", "Bearer a\nb", "Bearer a\n", "Bearer a\x00", 'Bearer "abc"'),
    *("Bearer\xa0abc", "Bearer\nabc", 'Bearer="abc"', "Bearer/abc", "Bearer:abc"),
    f"Bearer {LONGEST}ä",
)
def test_what_is_no_token68_is_malformed(header: str) -> None:
    assert bearer_token(header) is NoToken.MALFORMED


def test_a_token_that_no_hook_gets_to_see_is_too_long() -> None:
    assert bearer_token(f"Bearer {LONGEST}a") is NoToken.TOO_LONG


@pytest.mark.parametrize("text", ["abc", "A-Z.a_z~0+9/=", LONGEST])
def test_a_token_comes_back_out_of_the_header_that_sends_it(text: str) -> None:
    assert bearer.is_token(text)
    assert bearer_token(authorization(text)) == text


def test_the_headers_of_late_are_known_and_no_more_of_them_than_a_thousand() -> None:
    assert bearer.token_to_know("bearer  t0") == "t0"
    begun: list[int] = []
    for number in range(1, 2_500):
        assert bearer.token_to_know(f"Bearer t{number}") == f"t{number}"
        if KNOWN(f"Bearer t{number - 1}") is None:
            begun.append(number)
    known = [number for number in range(2_500) if KNOWN(f"Bearer t{number}") == f"t{number}"]

    # the number before the first is known by another header; a thousand later there is no room
    *_, before, last = begun
    assert last - before == 1_000
    assert known == [*range(last, 2_500)]
    assert KNOWN("bearer  t0") is None


@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer a b", f"Bearer {LONGEST}", "Basic YTpi"]
)
def test_no_other_header_is_known(header: str | None) -> None:
    assert bearer.token_to_know(header) == bearer_token(header)
    assert KNOWN(header) is None


@pytest.mark.parametrize("text", ["", " abc", "a b", "a, Bearer b", f"{LONGEST}a"])
def test_what_no_hook_would_get_to_see_is_no_token(text: str) -> None:
    assert not bearer.is_token(text)


@rows(
    "header",
    *("Bearer a, Bearer b", "Bearer a,Bearer a", "bearer a, basic YTpi", "Basic YTpi, Bearer a"),
    *("Basic YTpi,bearer a", "Basic YTpi, Basic YTpi", "Bearer, Bearer a", ", Bearer a"),
    *(f'Digest username="x", Bearer{token}' for token in (" a", "\xa0a", '="a"')),
    "Basic, Basic",
)
def test_several_credentials_are_repeated(header: str) -> None:
    assert bearer_token(header) is NoToken.REPEATED


def test_a_huge_header_costs_no_more_than_its_length() -> None:
    """Quadratic matching would take minutes here."""
    for part in ("Bearer ", "Bearer =", "a ", ", ", ",bearer", "a=", "\t"):
        assert isinstance(bearer_token(part * 50_000), NoToken)


def test_a_challenge_names_the_realm() -> None:
    assert challenge("Shop", invalid=False) == 'Bearer realm="Shop"'
    assert challenge("Shop", invalid=True) == 'Bearer realm="Shop", error="invalid_token"'
    lacking = challenge("Shop", invalid=False, lacks=("orders:write", "b"))
    assert lacking == 'Bearer realm="Shop", error="insufficient_scope", scope="orders:write b"'


def test_a_realm_cannot_leave_its_quotes_nor_its_line() -> None:
    assert challenge('a"b\\c', invalid=False) == r'Bearer realm="a\"b\\c"'
    assert challenge("a\r\nSet-Cookie: b\x00\x7f", invalid=False) == 'Bearer realm="aSet-Cookie: b"'
    assert challenge("Café 🍵", invalid=False) == 'Bearer realm="Caf? ?"'


@rows(
    "one, other, same",
    ("a", "a", True),
    ("a", b"a", True),
    (b"a", b"b", False),
    ("a", "aa", False),
    ("", "", True),
    ("ä", "ä", True),
    ("\ud800", "\ud800", True),
)
def test_secrets_are_equal_by_their_bytes(
    one: str | bytes, other: str | bytes, *, same: bool
) -> None:
    assert bearer.same_secret(one, other) is same
