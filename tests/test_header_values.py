"""Words, kinds and parameters in the values of headers."""

import pytest

from contract.shape.header_values import Headers, essence, parameters_in, vary_of
from tests.tables import rows


def test_a_header_is_found_by_its_name_in_any_case() -> None:
    headers = Headers([("X-Tenant", "north"), ("host", "shop.example")])

    assert headers["x-tenant"] == headers.get("X-TENANT") == "north"
    assert headers["Host"] == "shop.example"
    assert ("X-Tenant" in headers, "x-other" in headers) == (True, False)
    assert dict(headers) == {"x-tenant": "north", "host": "shop.example"}
    assert len(headers) == 2


@pytest.mark.parametrize("value", ["text/html", " Text/HTML\t; charset=x", "text/html;"])
def test_a_kind_stands_before_the_parameters(value: str) -> None:
    assert essence(value) == "text/html"


@rows(
    "value, found",
    ("a/b", []),
    ("a/b;", []),
    ("a/b ;; x=y ;", [("x", "y")]),
    ('form-data; Name="a;b" ; filename=c', [("name", "a;b"), ("filename", "c")]),
    ('form-data; name="a\\"b\\c"', [("name", 'a\\"b\\c')]),
    ('a/b; x=""; x=1', [("x", ""), ("x", "1")]),
)
def test_parameters_are_read_in_their_order(value: str, found: list[tuple[str, str]]) -> None:
    assert parameters_in(value) == found


@rows("value", "a/b; x", "a/b; =y", "a/b; x=", 'a/b; x="y', "a/b; x=y z", "a/b;\nx=y", "a/b; x=y, c/d")  # fmt: skip
def test_parameters_that_are_not_valid_are_none(value: str) -> None:
    assert parameters_in(value) is None


def test_a_read_varies_by_each_header_once() -> None:
    found = vary_of(["Authorization", "X-Key"], ["x-key", "Accept-Language"])

    assert found == ("Authorization", "X-Key", "Accept-Language")
