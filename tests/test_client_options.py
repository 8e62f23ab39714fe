from __future__ import annotations

import math

import pytest

from contract.client import Hooks, Retries, Timeout
from contract.client.options import Held, base_url_of, changed, options_of


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://shop.example", "https://shop.example"),
        ("https://shop.example/", "https://shop.example"),
        ("https://shop.example:8443/v1/", "https://shop.example:8443/v1"),
        ("HTTP://[::1]:80/a/b", "HTTP://[::1]:80/a/b"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
    ],
)
def test_a_base_url_is_kept_without_its_last_slash(given: str, kept: str) -> None:
    assert base_url_of(given) == kept


@pytest.mark.parametrize(
    "url",
    [
        "",
        "shop.example/v1",
        "ftp://shop.example",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://",
        "https:///v1",
        "https://shop.example:0/",
        "https://shop.example:99999/",
        "https://[::1/",
        "https://shop.example/?canary=1",
        "https://shop.example/?",
        "https://shop.example/#canary",
        "https://shop.example/é",
        "https://shop.example/a b",
        "https://shop.example/a\\b",
        "https://shop.example/a\x7f",
    ],
)
def test_a_base_url_that_is_none_is_refused_without_telling_it(url: str) -> None:
    with pytest.raises(
        ValueError, match="the base URL is not that of a server, with http or https, "
    ) as refused:
        base_url_of(url)

    assert "canary" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        "https://canary:canary@shop.example",
        "https://canary@shop.example",
        "https://:canary@shop.example",
    ],
)
def test_credentials_in_a_base_url_are_refused(url: str) -> None:
    with pytest.raises(ValueError, match="holds credentials") as refused:
        base_url_of(url)

    assert "canary" not in str(refused.value)


def test_numbers_stand_for_timeouts_and_retries() -> None:
    options = options_of("https://a", None, 3, 1, None, 10)

    assert options.timeout == Timeout(call=3, attempt=None)
    assert options.retries == Retries(limit=1)
    assert (options.headers, options.hooks, options.max_response_bytes) == ((), Hooks(), 10)


def test_what_is_given_replaces_what_was_there_but_for_headers() -> None:
    hooks = Hooks(on_request=print)
    options = options_of("https://a", {"a": "1"}, 3, 1, hooks, 10)

    assert changed(options, None, None, None, None, None) == options
    other = changed(options, {"b": "2"}, Timeout(9, attempt=2), Retries(5), Hooks(), 20)
    assert other.headers == ({"a": "1"}, {"b": "2"})
    assert (other.timeout, other.retries, other.hooks, other.max_response_bytes) == (
        Timeout(9, attempt=2),
        Retries(5),
        Hooks(),
        20,
    )


@pytest.mark.parametrize("seconds", [0, -1, math.inf, math.nan])
def test_a_timeout_that_is_none_is_refused(seconds: float) -> None:
    with pytest.raises(ValueError, match="timeout call="):
        Timeout(seconds)
    with pytest.raises(ValueError, match="timeout attempt="):
        Timeout(attempt=seconds)


def test_retries_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="retries=-1 is below 0"):
        Retries(-1)
    with pytest.raises(ValueError, match=r"Retries\(base=-1\)"):
        Retries(base=-1)
    with pytest.raises(ValueError, match=r"Retries\(longest=nan\)"):
        Retries(longest=math.nan)
    with pytest.raises(ValueError, match=r"Retries\(longest_asked=inf\)"):
        Retries(longest_asked=math.inf)


def test_other_options_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="max_response_bytes=-1"):
        options_of("https://a", None, 3, 1, None, -1)
    with pytest.raises(ValueError, match="line break"):
        options_of("https://a", {"a": "b\r\nc: d"}, 3, 1, None, 10)


def test_options_do_not_show_headers() -> None:
    assert "canary" not in repr(
        options_of("https://a", {"authorization": "canary"}, 3, 1, None, 10)
    )


def test_a_transport_is_given_until_it_is_closed() -> None:
    held = Held("transport", is_ours=True)

    assert held.get() == "transport"
    held.is_closed = True
    with pytest.raises(RuntimeError, match="this client is closed"):
        held.get()
