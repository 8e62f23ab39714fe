"""Requirements: what a project asks for, against what is installed."""

from __future__ import annotations

import re

from contract.cli.requirements import Requirement, allows, asked_by, installed, requirement
from tests.tables import rows


@rows(
    "releases, yes, no",
    ("", "0.1 1.0.0 2026.1", ""),
    (">=1.2", "1.2 1.2.0 1.10 2 1.2rc1", "1.1.9 0.9"),
    (">1.2, <=2", "1.2.1 2.0.0", "1.2 1.2.0 2.0.1"),
    (">=4.0,<5", "4.0 4.99.1", "3.9 5 5.0.0"),
    ("==1.4", "1.4 1.4.0 1.4.0+local", "1.4.1"),
    ("===1.4", "1.4", "1.5"),
    ("==1.4.*", "1.4 1.4.9", "1.5 1"),
    ("!=1.4.*", "1.5", "1.4 1.4.2"),
    ("!=1.4", "1.4.1", "1.4.0"),
    ("~=1.4.2", "1.4.2 1.4.9", "1.4.1 1.5 2.0"),
    ("nonsense", "1.0", ""),
)
def test_releases_are_compared_as_numbers(releases: str, yes: str, no: str) -> None:
    assert [each for each in yes.split() if not allows(releases, each)] == []
    assert [each for each in no.split() if allows(releases, each)] == []


@rows(
    "text, found",
    ("orjson", Requirement("orjson", (), "", None)),
    ("a_b-c [x, y] >=1,<2", Requirement("a_b-c", ("x", "y"), ">=1,<2", None)),
    ("a(>=1)", Requirement("a", (), ">=1", None)),
    ("a @ file:///a", Requirement("a", (), "", None)),
    ('a>1; extra == "x"', Requirement("a", (), ">1", ' extra == "x"')),
    ("-e .", None),
)
def test_requirements_are_read(text: str, found: Requirement | None) -> None:
    assert requirement(text) == found


def test_a_package_says_what_it_asks_for() -> None:
    always = [each.name for each in asked_by("contract-rpc")]
    serving = [each.text for each in asked_by("contract-rpc", "serve")]

    assert {"falcon", "orjson"} <= {*always}
    assert "uvloop" not in always
    found = [re.split("[<>]", text)[0] for text in serving]
    assert found == ["httptools", "uvloop"]
    assert [*asked_by("no-such-package")] == []
    assert (installed("no-such-package"), installed("orjson") is None) == (None, False)
