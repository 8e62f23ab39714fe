"""What a client prefers (RFC 7240)."""

from __future__ import annotations

import pytest

from contract.testing.mock.preferences import preferences


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("", {}),
        ("code=SOLD_OUT", {"code": "SOLD_OUT"}),
        ("Code = SOLD_OUT", {"code": "SOLD_OUT"}),
        ("respond-async, wait=100", {"respond-async": "", "wait": "100"}),
        ("respond-async, code=A; x=y, code=B", {"respond-async": "", "code": "A"}),
        ('code="A,B", foo="\\"x\\\\"; bar', {"code": "A,B", "foo": '"x\\'}),
        ('foo; some-parameter="a,b", status=409', {"foo": "", "status": "409"}),
        (", ,=, a", {"a": ""}),
        ('code="A', {"code": "", "a": ""}),
        ("a" * 2000, {"a" * 1000: ""}),
    ],
)
def test_preferences_are_read(header: str, found: dict[str, str]) -> None:
    assert preferences(header) == found


@pytest.mark.parametrize(
    "header",
    [
        " " * 1_000_000,
        '"\\' * 500_000,
        "a" + " " * 1_000_000 + "b",
        '"' * 1_000_000,
        "a=" * 500_000,
    ],
)
def test_a_hostile_header_costs_little(header: str) -> None:
    assert len(preferences(header)) < 3
