"""Messages: what headers say, and how responses carry theirs."""

from __future__ import annotations

from inspect import unwrap

import pytest

from contract.call import message
from tests.tables import rows


@rows(
    "text, length", ("0", 0), ("7", 7), ("007", 7), ("1048577", 1_048_577), ("9" * 18, 10**18 - 1)
)
def test_a_length_is_a_number(text: str, length: int) -> None:
    assert unwrap(message.length_in)(text) == message.announced_length(text) == length


@rows("text", "", " ", "-1", "+1", "1 ", " 1", "1,1", "0x1", "1_0", "1.0", "1e3", "²", "٣", "9" * 19, "1\n")  # fmt: skip
def test_what_is_no_number_is_no_length(text: str) -> None:
    with pytest.raises(ValueError, match=r"^$"):
        unwrap(message.length_in)(text)
    assert message.announced_length(text) is None


def test_no_length_is_kept_that_is_none() -> None:
    """A client may send any number of them, as long as all other headers together."""
    before = message.length_in.cache_info().currsize
    assert message.announced_length("0" * 60_000) is None

    assert message.length_in.cache_info().currsize == before


@rows(
    "value",
    *("application/json", " application/json\t", "Application/JSON"),
    *("application/json;charset=utf-8", 'application/json ; charset="UTF-8" ; x=y'),
    *("application/json;;; charset=utf8;", 'application/json; x="\\"; charset=latin-1"'),
)
def test_json_in_utf_8_is_json(value: str) -> None:
    assert message.is_json(value)


@rows(
    "value",
    *("", "json", "text/json", "application/json, application/json", "application/json\xa0"),
    *("application/json; charset=latin-1", "application/json; charset=utf-8; charset=utf-16"),
    *('application/json; charset="', 'application/json; charset=""'),
    *("application/json; charset", "application/json; =utf-8"),
    *("application/json; charset=utf-8 x", "application/json;\ncharset=utf-8"),
)
def test_anything_else_is_not(value: str) -> None:
    assert not message.is_json(value)


def test_a_huge_content_type_costs_no_more_than_its_length() -> None:
    """Quadratic matching would take minutes here."""
    for part in (";", "; ", ";a=b", ';a="b"', ';a="', "\\", " "):
        assert message.is_json("application/json" + part * 50_000) in (True, False)


def test_fixed_headers_have_every_form() -> None:
    headers = message.FixedHeaders(("content-type", "application/json"), ("x-a", "ä"))

    assert headers.pairs == (("content-type", "application/json"), ("x-a", "ä"))
    assert headers.raw == ((b"content-type", b"application/json"), (b"x-a", b"\xe4"))
    assert headers.mapping == {"content-type": "application/json", "x-a": "ä"}


@rows(
    "fixed, more",
    (message.BARE_HEADERS, {}),
    (message.JSON_HEADERS, {"content-type": "application/json"}),
    (message.EVENT_HEADERS, {"content-type": "text/event-stream", "x-accel-buffering": "no"}),
)
def test_what_is_sent_is_never_guessed_at_nor_kept(
    fixed: message.FixedHeaders, more: dict[str, str]
) -> None:
    assert dict(message.Response(200, b"", "id", fixed, ()).pairs()) == more | {
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        "x-request-id": "id",
    }


def test_json_is_one_line_to_every_reader() -> None:
    text = '"a\u0085\u2028é\u2029"'.encode()

    assert message.one_line(text) == b'"a\\u0085\\u2028\xc3\xa9\\u2029"'


@pytest.mark.parametrize("more", [(), (("retry-after", "7"), ("x-b", "ö"))])
def test_a_response_has_all_its_headers_in_either_form(more: tuple[tuple[str, str], ...]) -> None:
    response = message.Response(200, b"1", "id", message.JSON_HEADERS, more)

    assert response.pairs() == [*message.JSON_HEADERS.pairs, ("x-request-id", "id"), *more]
    assert response.raw() == [
        (name.encode(), value.encode("latin-1")) for name, value in response.pairs()
    ]


def test_a_page_is_told_once_of_each_header_that_it_may_send() -> None:
    names = ("authorization", "x-a", "authorization")

    assert message.ALLOW_CALLS == (("allow", "OPTIONS, POST"),)
    assert message.ALLOW_READS == (("allow", "GET, HEAD, OPTIONS"),)
    for found, allow, methods in (
        (message.preflight(names), message.ALLOW_CALLS, "POST"),
        (message.preflight(names, "GET", message.ALLOW_READS), message.ALLOW_READS, "GET"),
    ):
        assert found == (
            *allow,
            ("access-control-allow-methods", methods),
            ("access-control-allow-headers", "authorization, x-a"),
            ("access-control-max-age", "600"),
        )


def test_a_stream_has_no_body_of_its_own() -> None:
    parts = iter([message.event(b'{"a":1}'), message.event(b"2")])
    response = message.Streamed("id", (("vary", "Origin"),), parts)

    assert (response.status, response.body, response.parts) == (200, b"", parts)
    assert ("content-type", "text/event-stream") in response.pairs()
    assert ("x-request-id", "id") in response.pairs()
    assert ("vary", "Origin") in response.pairs()
    assert [*parts] == [b'event: message\ndata: {"a":1}\n\n', b"event: message\ndata: 2\n\n"]
