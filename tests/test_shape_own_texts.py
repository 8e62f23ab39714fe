"""Texts with a type of their own."""

from __future__ import annotations

import copy
import json
import logging
import pickle
from dataclasses import dataclass, field
from typing import Annotated, Any

import pytest
from annotated_types import Ge, Len

from contract import Email, InvalidInput, InvalidOutput, Pattern, SecretStr, SemVer, Url, pred_of
from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.nodes import OwnShape, StrShape
from contract.shape.reader import shape_of
from tests.oracle import schema_of
from tests.words import words


def taken(cls: type[Any], text: str) -> bool:
    try:
        return bool(pred_of(cls).load(json.dumps(text).encode()) == cls(text))
    except InvalidInput:
        return False


EMAILS = words("a@b.de ada.love+lace@sub.example.org o'neil@example.co x_y-z@xn--bcher-kva.example")
NO_EMAILS = words("""
a a@b @b.de a@ a@@b.de .a@b.de a..b@b.de a.@b.de "a"@b.de a@-b.de a@b-.de a@b..de a@b.de. ä@b.de
""")


NO_EMAILS += ["", "a b@b.de", "a@b.de\n", f"a@{'b' * 64}.de", f"{'a' * 250}@b.de"]
URLS = words("""
http://a https://example.org https://example.org:8443/a//b;c?d=e/?&f#g?h https://example.org?q
https://192.0.2.1/ https://[2001:db8::1]:80/ https://example.org:65535/ https://example.org:59999
https://example.org/%20%C3%BC
""")
NO_URLS = words("""
example.org //example.org /a ftp://example.org javascript:alert(1) https:// https:///a
https://ada:secret@example.org https://example.org/<a> https://example.org/%2
https://bücher.example https://example.org:123456 https://example.org:99999
https://example.org:65536 https://[2001:db8::1]:70000/ https://example.org:006553
https://example.org#a#b
""")
NO_URLS += ["", "https://example.org/a b", "https://example.org\n", " https://example.org"]
# Those of semver.org, in the rows of its two regular expressions.
VERSIONS = words("""
0.0.4 1.2.3 10.20.30 1.1.2-prerelease+meta 1.1.2+meta 1.1.2+meta-valid 1.0.0-alpha 1.0.0-beta
1.0.0-alpha.beta 1.0.0-alpha.beta.1 1.0.0-alpha.1 1.0.0-alpha0.valid 1.0.0-alpha.0valid
1.0.0-alpha-a.b-c-somethinglong+build.1-aef.1-its-okay 1.0.0-rc.1+build.1 2.0.0-rc.1+build.123
1.2.3-beta 10.2.3-DEV-SNAPSHOT 1.2.3-SNAPSHOT-123 1.0.0 2.0.0 1.1.7 2.0.0+build.1848
2.0.1-alpha.1227 1.0.0-alpha+beta 1.2.3----RC-SNAPSHOT.12.9.1--.12+788
1.2.3----R-S.12.9.1--.12+meta 1.2.3----RC-SNAPSHOT.12.9.1--.12 1.0.0+0.build.1-rc.10000aaa-kk-0.1
99999999999999999999999.999999999999999999.99999999999999999 1.0.0-0A.is.legal
""")
NO_VERSIONS = words("""
1 1.2 1.2.3-0123 1.2.3-0123.0123 1.1.2+.123 +invalid -invalid -invalid+invalid -invalid.01 alpha
alpha.beta alpha.beta.1 alpha.1 alpha+beta alpha_beta alpha. alpha.. beta 1.0.0-alpha_beta -alpha.
1.0.0-alpha.. 1.0.0-alpha..1 1.0.0-alpha...1 01.1.1 1.01.1 1.1.01 1.2.3.DEV 1.2-SNAPSHOT
1.2.31.2.3----RC-SNAPSHOT.12.09.1--..12+788 1.2-RC-SNAPSHOT -1.0.3-gamma+b7718 +justmeta
9.8.7+meta+meta 9.8.7-whatever+meta+meta v1.0.0 1.0.0- 1.0.0+ 1.0.\u0660
""")


NO_VERSIONS += ["", "1.0.0\n", f"1.0.{'9' * 253}"]


def each(texts: dict[type[Any], list[str]]) -> pytest.MarkDecorator:
    rows = [(cls, text) for cls, rows in texts.items() for text in rows]
    return pytest.mark.parametrize(("cls", "text"), rows)


@each({Email: EMAILS, Url: URLS, SemVer: VERSIONS})
def test_a_text_of_the_form_is_taken(cls: type[Any], text: str) -> None:
    assert taken(cls, text)


@pytest.mark.unwatched
@each({Email: NO_EMAILS, Url: NO_URLS, SemVer: NO_VERSIONS})
def test_no_other_text_is(cls: type[Any], text: str) -> None:
    assert not taken(cls, text)


def test_semantic_versions_are_in_order() -> None:
    # semantic versioning 2.0.0, section 11
    texts = [
        *("1.0.0-1", "1.0.0-2", "1.0.0-10", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta"),
        *("1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.9.0", "1.10.0"),
    ]
    versions = [SemVer(text) for text in texts]
    pairs = [(a, b) for at, a in enumerate(versions) for b in versions[at + 1 :]]

    assert sorted({*versions}) == versions
    assert all(a < b and a <= b and b > a and b >= a for a, b in pairs)
    assert not any(b < a or b <= a or a > b or a >= b for a, b in pairs)


def test_builds_of_a_version_have_one_rank_and_differ() -> None:
    one, other = SemVer("1.0.0+1"), SemVer("1.0.0+2")

    assert one != other
    assert one <= other <= one
    assert SemVer("1.9.0") < "1.10.0"
    with pytest.raises(ValueError, match="invalid literal"):
        assert SemVer("1.0.0") < "next"


@pytest.mark.parametrize("cls", [Email, Url])
def test_a_branded_text_is_a_text(cls: Any) -> None:
    text = "https://example.org/a" if cls is Url else "ada@example.org"
    loaded = pred_of(cls).load(json.dumps(text).encode())

    assert type(loaded) is cls
    assert (loaded, pred_of(cls).dump(loaded)) == (text, json.dumps(text).encode())
    with pytest.raises(InvalidOutput, match=f"expected {cls.__name__}, found str"):
        pred_of(cls).dump(text)
    with pytest.raises(InvalidOutput, match="its dump does not fit: expected a match"):
        pred_of(cls).dump(cls("?"))


def test_own_texts_take_the_constraints_of_texts() -> None:
    shape: Any = shape_of(Annotated[SecretStr, Len(2, 4), Pattern("a")])
    short: Any = shape_of(Annotated[Email, Len(1, 8)])

    assert (type(shape), shape.inner) == (OwnShape, StrShape(2, 4, ("a",)))
    assert type(short) is OwnShape
    assert short.inner == StrShape(1, 8, shape_of(Email).inner.patterns)  # type: ignore[union-attr]
    assert short.examples == ()
    with pytest.raises(UnsupportedAnnotation, match="SecretStr takes no Ge, Gt, Le, Lt"):
        shape_of(Annotated[SecretStr, Ge(1)])


# Secrets.

TEXT = "correct horse"
SECRET = SecretStr(TEXT)


@dataclass
class Login:
    password: Annotated[SecretStr, Len(4, 40)] = SECRET
    name: str = "ada"


@dataclass
class Account:
    login: Login = field(default_factory=Login)


def test_a_secret_is_in_no_repr() -> None:
    secret = SecretStr(TEXT)

    for shown in (repr(secret), str(secret), f"{secret}", f"{secret!r:>20}", repr(Login())):
        assert TEXT not in shown
        assert "***" in shown
    assert (secret.reveal(), len(secret)) == (TEXT, len(TEXT))


def test_a_secret_is_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    logging.getLogger("app").warning("login %s %r", SecretStr(TEXT), {"password": SecretStr(TEXT)})

    assert TEXT not in caplog.text


def test_secrets_are_compared_and_copied() -> None:
    secret = SecretStr(TEXT)

    assert secret == SecretStr(TEXT)
    assert secret != SecretStr("other")
    assert secret != TEXT
    assert {secret, SecretStr(TEXT)} == {secret}
    assert copy.deepcopy(secret) == pickle.loads(pickle.dumps(secret)) == secret


def test_a_secret_is_sent_where_it_is_declared() -> None:
    assert pred_of(SecretStr).load(b'"x"') == SecretStr("x")
    assert pred_of(SecretStr).dump(SecretStr("x")) == b'"x"'
    for cls in (Any, str):
        with pytest.raises(InvalidOutput) as info:
            pred_of(cls).dump(SecretStr(TEXT))
        assert TEXT not in str(info.value)


def test_a_refused_secret_is_in_no_issue() -> None:
    with pytest.raises(InvalidInput) as info:
        pred_of(Login).load(b'{"password": "abc"}')

    assert [issue.code for issue in info.value.issues] == ["string_too_short"]
    assert "abc" not in str(info.value)


@pytest.mark.parametrize("cls", [Login, Account])
def test_a_secret_is_no_default_in_documents(cls: type[Any]) -> None:
    schema = json.dumps(schema_of(shape_of(cls), "input"))

    assert TEXT not in schema
    assert "password" in schema
    assert pred_of(cls).load(b"{}") == cls()
