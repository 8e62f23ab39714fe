from __future__ import annotations

import logging
import math
from typing import Any

import pytest

from contract.client import Hooks, HttpRequest, RequestEvent, ResponseEvent, Retries, Timeout
from contract.client.options import (
    Options,
    base_url_of,
    changed_options,
    check_headers,
    gathered_headers,
    options_of,
    tell,
    user_agent,
)
from tests.client_fakes import answer
from tests.tables import rows


@rows(
    "given, kept",
    ("https://shop.example", "https://shop.example"),
    ("https://shop.example/", "https://shop.example"),
    ("https://shop.example:8443/v1/", "https://shop.example:8443/v1"),
    ("HTTP://[::1]:80/a/b", "HTTP://[::1]:80/a/b"),
    ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
)
def test_a_base_url_is_kept_without_its_last_slash(given: str, kept: str) -> None:
    assert base_url_of(given) == kept


NO_URL = "the base URL is not that of a server, with http or https, "
SHOP = "https://shop.example"


@rows(
    "problem, url",
    *((NO_URL, url) for url in ("", "shop.example/v1", "ftp://shop.example")),
    *((NO_URL, url) for url in ("file:///etc/passwd", "javascript:alert(1)")),
    *((NO_URL, url) for url in ("https://", "https:///v1", "https://[::1/")),
    *((NO_URL, f"{SHOP}:{port}/") for port in (0, 99999)),
    *((NO_URL, f"{SHOP}/{end}") for end in ("?canary=1", "?", "#canary")),
    *((NO_URL, f"{SHOP}/{path}") for path in ("é", "a b", "a\\b", "a\x7f")),
    *(
        ("contains credentials", f"https://{user}@shop.example")
        for user in ("canary:canary", "canary", ":canary")
    ),
)
def test_a_base_url_that_is_none_is_refused_without_telling_it(problem: str, url: str) -> None:
    with pytest.raises(ValueError, match=problem) as refused:
        base_url_of(url)

    assert "canary" not in str(refused.value)


def test_the_url_of_a_route_stands_below_the_base() -> None:
    assert Options("https://shop.example/v1").url_of("a.b") == "https://shop.example/v1/a.b"


def test_numbers_stand_for_timeouts_and_retries() -> None:
    options = options_of("https://a", None, 3, 1, None, 10)

    assert options.timeout == Timeout(call=3, attempt=None)
    assert options.retries == Retries(limit=1)
    assert (options.headers, options.hooks, options.max_response_bytes) == ((), Hooks(), 10)


def test_what_is_given_replaces_what_was_there_but_for_headers() -> None:
    options = options_of("https://a", {"a": "1"}, 3, 1, Hooks(on_request=print), 10)

    assert changed_options(options, None, None, None, None, None) == options
    timeout, retries = Timeout(9, attempt=2), Retries(5)
    other = changed_options(options, {"b": "2"}, timeout, retries, Hooks(), 20)
    assert other.headers == ({"a": "1"}, {"b": "2"})
    assert (other.timeout, other.retries) == (timeout, retries)
    assert (other.hooks, other.max_response_bytes) == (Hooks(), 20)


@pytest.mark.parametrize("seconds", [0, -1, math.inf, math.nan])
def test_a_timeout_that_is_none_is_refused(seconds: float) -> None:
    with pytest.raises(ValueError, match="timeout call="):
        Timeout(seconds)
    with pytest.raises(ValueError, match="timeout attempt="):
        Timeout(attempt=seconds)


@rows(
    "given, problem",
    ({"limit": -1}, "retries=-1 is below 0"),
    ({"base": -1}, r"Retries\(base=-1\)"),
    ({"longest": math.nan}, r"Retries\(longest=nan\)"),
    ({"longest_asked": math.inf}, r"Retries\(longest_asked=inf\)"),
)
def test_retries_that_make_no_sense_are_refused(given: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Retries(**given)


def test_other_options_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="max_response_bytes=-1"):
        options_of("https://a", None, 3, 1, None, -1)
    with pytest.raises(ValueError, match="line break"):
        options_of("https://a", {"a": "b\r\nc: d"}, 3, 1, None, 10)


def test_options_do_not_show_headers() -> None:
    options = options_of("https://a", {"authorization": "canary"}, 3, 1, None, 10)

    assert "canary" not in repr(options)


def all_of(*sources: object) -> dict[str, str]:
    """The headers, where everything that is asked answers at once."""
    asking = gathered_headers(sources)
    answer = None
    while True:
        try:
            ask = asking.send(answer)
        except StopIteration as end:
            found: dict[str, str] = end.value
            return found
        answer = ask()


def test_headers_are_values_or_whatever_gives_them() -> None:
    found = all_of({"Authorization": lambda: "Bearer x", "x-a": "1"}, lambda: {"X-All": "1"})

    assert found == {"authorization": "Bearer x", "x-a": "1", "x-all": "1"}


def test_later_headers_win_whatever_their_case() -> None:
    assert all_of({"X-A": "1", "x-b": "1"}, {"x-a": "2"}) == {"x-a": "2", "x-b": "1"}
    assert all_of() == {}


@pytest.mark.parametrize("name", ["", "a b", "a:", "é", "a\n", "a\0", 3])
def test_a_name_that_is_none_is_refused(name: Any) -> None:
    with pytest.raises(ValueError, match="is not a valid header name"):
        check_headers({name: "x"})


@pytest.mark.parametrize("value", ["a\r\nb: c", "a\nb", "a\0", " a", "a ", "é", "a\x7f"])
def test_a_value_that_breaks_its_line_is_refused_without_telling_it(value: str) -> None:
    with pytest.raises(ValueError, match="the value of the header x-a cannot be one") as refused:
        check_headers({"x-a": f"{value}canary{value}"})
    assert "canary" not in str(refused.value)
    with pytest.raises(ValueError, match="the value of the header x-a cannot be one"):
        all_of({"x-a": lambda: value})
    with pytest.raises(ValueError, match="the value of the header x-a cannot be one"):
        all_of(lambda: {"x-a": value})


def test_values_that_are_fine() -> None:
    check_headers({"x-a": "", "x-b": "a b\tc", "x-c": "!~", "x-d": lambda: ""})
    check_headers(lambda: {"nobody": "knows yet"})


@rows("name", "Content-Type", "accept", "Accept-Encoding", "HOST", "content-length", "transfer-encoding", "connection")  # fmt: skip
def test_what_a_request_is_made_of_is_the_clients_own(name: str) -> None:
    with pytest.raises(ValueError, match=f"the header {name} is the client's own"):
        check_headers({name: "x"})


@pytest.mark.parametrize("headers", [3, "a: b", [("a", "b")], None])
def test_headers_are_a_mapping_or_a_function(headers: object) -> None:
    with pytest.raises(TypeError, match="headers are a mapping or a function"):
        check_headers(headers)
    with pytest.raises(TypeError, match="headers are a mapping or a function"):
        all_of(lambda: headers)


@pytest.mark.parametrize("value", [3, None, b"x"])
def test_a_value_is_text(value: object) -> None:
    with pytest.raises(TypeError, match="the header x-a is not a text, but"):
        check_headers({"x-a": value})
    with pytest.raises(TypeError, match="the header x-a is not a text, but"):
        all_of({"x-a": lambda: value})


@rows(
    "title, version, agent",
    ("Shop", "1.0.0", "Shop/1.0.0 contract-python"),
    ("The Shop", "1.0.0-rc.1+b", "The-Shop/1.0.0-rc.1+b contract-python"),
    ("Café (new)\r\nx: y", "1", "Caf-new-x-y/1 contract-python"),
    ("Shop", "", "Shop contract-python"),
    ("", "1", "contract-python"),
    ("", "", "contract-python"),
    ("店", "1", "contract-python"),
    ("a" * 200, "1" * 200, f"{'a' * 100}/{'1' * 50} contract-python"),
)
def test_a_client_names_itself(title: str, version: str, agent: str) -> None:
    assert user_agent(title, version) == agent


CANARY = HttpRequest("POST", "https://a/order", {"authorization": "canary"}, b"canary")
EVENT = RequestEvent("order", 1, CANARY)


def test_a_hook_is_told() -> None:
    told: list[RequestEvent] = []

    tell(told.append, EVENT)
    tell(None, EVENT)

    assert told == [EVENT]


def test_what_a_hook_raises_is_logged_and_harmless(caplog: pytest.LogCaptureFixture) -> None:
    def hook(event: RequestEvent) -> None:
        raise ZeroDivisionError("oh")

    with caplog.at_level(logging.ERROR, "contract.client"):
        tell(hook, EVENT)

    [record] = caplog.records
    assert (record.name, record.message) == ("contract.client", "a hook raised")
    assert "ZeroDivisionError: oh" in caplog.text


def test_what_ends_the_program_is_not_kept_from_doing_so() -> None:
    def hook(event: RequestEvent) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tell(hook, EVENT)


def test_events_show_no_secrets() -> None:
    canary = answer(b"canary", cookie="canary")
    gone = ResponseEvent("order", 1, 0.5, canary, None, OSError("canary"))

    assert "canary" not in repr(EVENT) + repr(gone)
