"""What a client takes, as its headers say."""

from __future__ import annotations

from contract.call.accept import accepts, accepts_gzip, names
from tests.tables import rows


@rows(
    "accept",
    *(None, "", " ", "application/json", "Application/JSON", "application/json;q=0.1"),
    *("application/json; charset=utf-8", "text/html, application/json", "application/*", "*/*"),
    *("*/*;q=0, application/json", "application/*;q=0,application/json;q=0.001"),
    *("application/json;q=nonsense", "text/event-stream;q=0, */*"),
    "application/json, application/json;q=0",
)
def test_it_lets_json_through(accept: str | None) -> None:
    assert accepts(accept, "application/json")


@rows(
    "accept",
    *("text/event-stream", "text/*", "application/json;q=0", "application/json; q=0.000, */*"),
    *("application/*;q=0, */*", "*/*;q=0", "application/json-seq", ",", "json"),
)
def test_it_does_not(accept: str) -> None:
    assert not accepts(accept, "application/json")


@rows(
    "field",
    *("gzip", "GZIP", "x-gzip", "deflate, gzip;q=1.0, *;q=0.5", "*", "gzip;q=0.001"),
    "gzip, gzip;q=0",
)
def test_gzip_is_taken(field: str) -> None:
    assert accepts_gzip(field) is True


@rows(
    "field",
    *("", "gzip;q=0", "gzip; q=0.000", "*;q=0", "gzip;q=0, *", "identity", "br"),
    "gzip;level=1;q=0",
)
def test_gzip_is_not_taken(field: str) -> None:
    assert accepts_gzip(field) is False


@rows(
    "accept, named",
    ("application/jsonl", True),
    ("text/html, Application/JSONL;q=0.5", True),
    ("application/jsonl;q=0", False),
    ("*/*, application/*", False),
    ("", False),
)
def test_a_media_type_may_be_named(accept: str, named: bool) -> None:
    assert names(accept, "application/jsonl") is named
