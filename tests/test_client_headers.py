from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from contract.client.headers import check_headers, gathered, user_agent


def all_of(*sources: object) -> dict[str, str]:
    """The headers, where everything that is asked answers at once."""
    asking = gathered(sources)
    answer = None
    while True:
        try:
            ask = asking.send(answer)
        except StopIteration as end:
            found: dict[str, str] = end.value
            return found
        answer = ask()


def test_headers_are_values_or_whatever_gives_them() -> None:
    def token() -> str:
        return "Bearer x"

    def everything() -> Mapping[str, str]:
        return {"X-All": "1"}

    assert all_of({"Authorization": token, "x-a": "1"}, everything) == {
        "authorization": "Bearer x",
        "x-a": "1",
        "x-all": "1",
    }


def test_later_headers_win_whatever_their_case() -> None:
    assert all_of({"X-A": "1", "x-b": "1"}, {"x-a": "2"}) == {"x-a": "2", "x-b": "1"}
    assert all_of() == {}


@pytest.mark.parametrize("name", ["", "a b", "a:", "é", "a\n", "a\0", 3])
def test_a_name_that_is_none_is_refused(name: Any) -> None:
    with pytest.raises(ValueError, match="is no name of a header"):
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


@pytest.mark.parametrize(
    "name",
    [
        "Content-Type",
        "accept",
        "Accept-Encoding",
        "HOST",
        "content-length",
        "transfer-encoding",
        "connection",
    ],
)
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
    with pytest.raises(TypeError, match="the header x-a is no text, but"):
        check_headers({"x-a": value})
    with pytest.raises(TypeError, match="the header x-a is no text, but"):
        all_of({"x-a": lambda: value})


@pytest.mark.parametrize(
    ("title", "version", "agent"),
    [
        ("Shop", "1.0.0", "Shop/1.0.0 contract-python"),
        ("The Shop", "1.0.0-rc.1+b", "The-Shop/1.0.0-rc.1+b contract-python"),
        ("Café (new)\r\nx: y", "1", "Caf-new-x-y/1 contract-python"),
        ("Shop", "", "Shop contract-python"),
        ("", "1", "contract-python"),
        ("", "", "contract-python"),
        ("店", "1", "contract-python"),
        ("a" * 200, "1" * 200, f"{'a' * 100}/{'1' * 50} contract-python"),
    ],
)
def test_a_client_names_itself(title: str, version: str, agent: str) -> None:
    assert user_agent(title, version) == agent
