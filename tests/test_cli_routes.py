"""``contract routes``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli_apps import ASYNC_SHOP, MOUNTED, TWO_MOUNTS
from tests.cli_inside import run


def test_the_table_says_what_each_route_is(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(ASYNC_SHOP)
    done = run("routes", "shop.py", cwd=tmp_path)
    rows = done.stdout.decode().splitlines()

    assert (done.returncode, done.stderr) == (0, b"")
    assert rows[0].split() == ["ROUTE", "AUTH", "SCOPE", "EFFECT", "MCP", "KIND", "INPUT", "->", "OUTPUT", "|", "ERRORS"]
    assert rows[1].split() == [
        "order",
        "none",
        "public",
        "write",
        "yes",
        "sync",
        "Order",
        "->",
        "Receipt",
        "|",
        "SOLD_OUT",
        "|",
        "NOT_FOUND",
    ]
    assert rows[2].split() == ["nap", "none", "public", "read", "no", "async", "float", "->", "str"]
    assert rows[-1].split() == ["me", "bearer", "private", "write", "no", "sync", "nothing", "->", "str"]


def test_what_the_app_prints_is_no_data(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("print('hello')\n" + ASYNC_SHOP)
    done = run("routes", "--json", cwd=tmp_path)

    assert json.loads(done.stdout)[0]["name"] == "order"
    assert done.stderr == b"hello\n"


def test_json_has_all_of_it(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(ASYNC_SHOP)
    found = json.loads(run("routes", "shop:api", "--json", cwd=tmp_path).stdout)

    assert found[0] == {
        "name": "order",
        "path": "/order",
        "summary": "Order a product",
        "tags": ["orders"],
        "auth": "none",
        "scope": "public",
        "effect": "write",
        "mcp": "order",
        "async": False,
        "deprecated": False,
        "input": "Order",
        "output": "Receipt",
        "errors": ["SOLD_OUT", "NOT_FOUND"],
    }
    assert [route["input"] for route in found[-3:]] == [None, "str", None]


@pytest.mark.parametrize(("source", "paths"), [(MOUNTED, ["/v1/ping"]), (TWO_MOUNTS, ["/v2/ping", "/v1/ping"])])
def test_the_routes_of_mounts_have_their_prefix(tmp_path: Path, source: str, paths: list[str]) -> None:
    (tmp_path / "shop.py").write_text(source)
    found = json.loads(run("routes", "--json", cwd=tmp_path).stdout)

    assert [route["path"] for route in found] == paths


def test_what_cannot_be_imported_has_its_exit_code(tmp_path: Path) -> None:
    done = run("routes", "absent.py", cwd=tmp_path)

    assert (done.returncode, done.stdout, done.stderr) == (3, b"", b"contract: there is no file absent.py\n")
