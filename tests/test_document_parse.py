"""Texts that are refused before anybody asks what they say."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any

import pytest

from contract.shape.exceptions import DocumentError
from contract.shape.json_text import MAX_BYTES, MAX_DEPTH, Place, check_json, parse
from tests.growth import growth
from tests.tables import rows


def refused(data: bytes) -> DocumentError:
    with pytest.raises(DocumentError) as caught:
        parse(data)
    return caught.value


@rows("value", b"{}", b"[]", b'"a"', b"1", b"null", b' {"a": {"a": [1, {"a": "\\"a\\":"}]}} ')
def test_json_is_read(value: bytes) -> None:
    parse(value)


@rows("data",
    b"", b"{", b"{} {}", b"{'a': 1}", b"[NaN]", b"[1e400]", b'"\xff"', b'"\\ud800"',
    b"\xef\xbb\xbf{}", '{"a": 1}'.encode("utf-16"), b"[" * 10_000, b"[" * 10_000 + b"]" * 10_000,
    b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
)  # fmt: skip
def test_what_is_no_json_is_refused(data: bytes) -> None:
    error = refused(data)

    assert error.path == "$"
    assert error.problem.startswith("it is not JSON in UTF-8: ")


def test_a_text_of_50_megabytes_is_not_looked_at() -> None:
    data = b" " * 50_000_000
    tracemalloc.start()
    error = refused(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert str(error) == f"$: it has 50000000 bytes; at most {MAX_BYTES} are read"
    assert peak < len(data) / 10  # a look takes a copy; what other threads do is counted, too


def test_levels_are_counted() -> None:
    deepest = b'{"a":' * MAX_DEPTH + b"1" + b"}" * MAX_DEPTH
    parse(deepest)
    parse(b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1))
    error = refused(b'{"a b":[' + deepest + b"]}")

    assert error.problem == "it is inside more than 200 arrays and objects"
    assert error.path == '$["a b"][0]' + ".a" * 10 + "..." + ".a" * 12


@rows(
    "data, path",
    (b'{"a": 1, "b": 2, "a": 3}', "$.a"),
    (b'{"a": [{"x": 1}, {"x": 1, "\\u0078": 1}]}', "$.a[1].x"),
    (b'{"$defs": {"A": {}, "A": {}}}', "$.$defs.A"),
    (b'{"a": {"b": "\\": \\"c\\":", "b" \t\n: 1' + b"0" * 5000 + b"e-9999}}", "$.a.b"),
    (b'{"a": {"x": 1, "x": 1}, "a": 1}', "$.a"),
)
def test_a_key_that_stands_twice_is_refused(data: bytes, path: str) -> None:
    error = refused(data)

    assert (error.path, error.problem) == (path, "one object has this key twice")


@pytest.mark.unwatched
@rows(
    "made",
    lambda size: b"[" + b"[]," * (size // 3) + b"[]]",
    lambda size: b"{" + b'"":{},' * (size // 6) + b'"":{}}',
    lambda size: b'["' + b"\\\\" * (size // 2) + b'"]',
    lambda size: b"[" + b"9" * size + b"]",
    ids=["arrays", "the same key", "backslashes", "one number"],
)
def test_eight_times_as_much_takes_about_eight_times_as_long(made: Callable[[int], bytes]) -> None:
    def read(data: bytes) -> None:
        with suppress(DocumentError):
            parse(data)

    assert growth(read, made(100_000), made(800_000)) < 24


@pytest.mark.parametrize("number", [float("inf"), float("-inf"), float("nan")])
def test_what_is_no_number_in_json_is_refused(number: float) -> None:
    with pytest.raises(DocumentError) as caught:
        check_json({"a": [1, number]})

    assert str(caught.value) == "$.a[1]: JSON has neither infinite numbers nor NaN"


def test_keys_are_counted_in_mappings_of_every_kind() -> None:
    value: Mapping[str, Any] = MappingProxyType({"a": {"b": [{"c": "d"}, 1.5]}, "e": None})

    assert check_json(value) == 4


@rows(
    "key, shown",
    ("order", ".order"),
    ("$defs", ".$defs"),
    ("x-contract-order", ".x-contract-order"),
    ("", '[""]'),
    ("get.order", '["get.order"]'),
    ('"]\n', '["\\"]\\n"]'),
    ("\x1b[31mé", '["\\u001b[31m\\u00e9"]'),
    ("a" * 65, f'["{"a" * 64}..."]'),
    (3, "[3]"),
)
def test_a_place_is_a_json_path(key: str | int, shown: str) -> None:
    assert str(Place() / "a" / key) == f"$.a{shown}"
