"""Published documents: entity tags, conditions and codings."""

from __future__ import annotations

import gzip

import pytest

from contract import Limits
from contract.adapters.pool import Lanes
from contract.call.published import Located, Moved, Published, is_known, is_wanted
from tests.tables import rows
from tests.wire.exchange import Bare, RawRequest

BODY = b'{"x": 1}\n' * 50


def asked(**headers: str) -> Bare:
    sent = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    incoming = Bare(RawRequest("GET", "/contract.json", sent), Lanes(Limits()))
    incoming.request_id = "id"
    return incoming


def pairs(document: Published | Moved, *more: tuple[str, str], **headers: str) -> dict[str, str]:
    """The headers of the answer to a request with these *headers*."""
    return dict(document.response(asked(**headers), more).pairs())


def test_a_document_is_rendered_once() -> None:
    rendered: list[int] = []

    def render() -> bytes:
        rendered.append(1)
        return BODY

    document = Published(render, "application/json")
    assert not rendered
    document.warm_up()
    responses = [document.response(asked(), ()) for _ in range(3)]

    assert rendered == [1]
    assert {response.body for response in responses} == {BODY}
    assert pairs(document).items() >= {
        ("content-type", "application/json"),
        ("cache-control", "no-cache"),
        ("x-content-type-options", "nosniff"),
        ("x-request-id", "id"),
    }


def test_what_could_not_be_rendered_is_tried_again() -> None:
    answers: list[bytes | ValueError] = [ValueError("not yet"), BODY]

    def render() -> bytes:
        answer = answers.pop(0)
        if isinstance(answer, ValueError):
            raise answer
        return answer

    document = Published(render, "application/json")
    with pytest.raises(ValueError, match="not yet"):
        document.response(asked(), ())
    assert document.response(asked(), ()).body == BODY


def test_the_tag_is_strong_and_speaks_of_the_bytes() -> None:
    def tag(body: bytes, coding: str = "") -> str:
        return pairs(Published(lambda: body, "application/json"), accept_encoding=coding)["etag"]

    assert tag(b"1") == tag(b"1")
    assert len({tag(body, coding) for body in (b"1", b"2") for coding in ("", "gzip")}) == 4
    assert tag(b"1").startswith('"')


def test_gzip_is_sent_where_it_is_taken() -> None:
    document = Published(lambda: BODY, "application/json")
    packed = document.response(asked(accept_encoding="br, gzip"), (("vary", "Accept-Encoding"),))

    assert gzip.decompress(packed.body) == BODY
    assert len(packed.body) < len(BODY)
    pairs = dict(packed.pairs())
    assert (pairs["content-encoding"], pairs["vary"]) == ("gzip", "Accept-Encoding")


@pytest.mark.parametrize("coding", ["identity", "gzip"])
def test_a_client_that_has_it_gets_no_body(coding: str) -> None:
    document = Published(lambda: BODY, "application/json")
    tag = pairs(document, accept_encoding=coding)["etag"]
    asks = {"accept_encoding": coding, "if_none_match": f'"x", W/{tag}'}
    response = document.response(asked(**asks), (("vary", "Accept-Encoding"),))

    assert (response.status, response.body) == (304, b"")
    found = dict(response.pairs())
    assert found.items() >= {
        ("etag", tag),
        ("vary", "Accept-Encoding"),
        ("cache-control", "no-cache"),
    }
    assert not {"content-type", "content-encoding"} & set(found)


def test_headers_of_its_own_belong_to_what_is_known() -> None:
    def answers(policy: str) -> tuple[dict[str, str], dict[str, str]]:
        own = (("x-policy", policy),)
        document = Published(lambda: BODY, "text/html", caching="public", headers=own)
        first = pairs(document)
        return first, pairs(document, if_none_match=first["etag"])

    first, again = answers("a")
    assert first.items() >= {("x-policy", "a"), ("cache-control", "public")}
    assert first["x-content-type-options"] == "nosniff"
    assert again == {name: value for name, value in first.items() if name != "content-type"}
    assert answers("b")[0]["etag"] != first["etag"]


def test_what_has_moved_says_where() -> None:
    moved = Moved("docs/")
    moved.warm_up()
    response = moved.response(asked(), ())
    found = pairs(moved, ("vary", "Origin"))

    assert (response.status, response.body) == (308, b"")
    assert found.items() >= {
        ("location", "docs/"),
        ("cache-control", "no-cache"),
        ("vary", "Origin"),
    }


@rows(
    "field, known",
    ("", False),
    *((each, True) for each in ("*", " * ", '"abc"', 'W/"abc"', '"x", "abc"', '"x","abc","y"')),
    *((each, False) for each in ('"x, "', "abc", '"ABC"', '"abc')),
)
def test_if_none_match(field: str, known: bool) -> None:
    assert is_known(field, '"abc"') is known


@rows(
    "field, wanted, weak_too",
    *((each, False, False) for each in ("", '"x"', 'W/"abc"', "abc", '"ABC"', '"abc')),
    *((each, True, False) for each in ('"abc"', 'W/"x", "abc"', '"x","abc","y"')),
    *((each, True, True) for each in ("*", " * ")),
)
def test_if_match(field: str, wanted: bool, weak_too: bool) -> None:
    assert is_wanted(field, '"abc"') is wanted
    assert is_wanted(field, 'W/"abc"') is weak_too


def located(*places: str) -> tuple[list[tuple[bytes, str]], list[str]]:
    """The bodies and tags of one document, for requests that tell of these *places*, and those that it was rendered for."""
    rendered: list[str] = []

    def render(place: str) -> bytes:
        rendered.append(place)
        return f"{place}/v1/go".encode()

    told = iter(places)
    document = Located(render, "text/plain", lambda _: next(told))
    document.warm_up()
    responses = [document.response(asked(), ()) for _ in places]
    return [(response.body, dict(response.pairs())["etag"]) for response in responses], rendered


def test_a_document_says_where_each_request_found_it() -> None:
    (one, two, again), rendered = located(
        "http://one.example", "http://two.example:80", "http://two.example:80"
    )

    assert (one[0], two[0]) == (b"http://one.example/v1/go", b"http://two.example:80/v1/go")
    assert two == again
    assert one[1] != two[1]
    assert rendered == ["", "http://one.example", "http://two.example:80"]
