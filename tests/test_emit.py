"""The documents of a spec, as bytes."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from functools import cache
from typing import Any

import pytest

import contract
from contract.call.mount_options import Options
from contract.document.contract_json import canonical
from contract.document.describe import describe
from contract.document.openapi import openapi
from examples.shop.app import shop_api
from examples.shop.store import Store
from tests.cli_servers import REPOSITORY
from tests.tables import rows
from tests.test_describe import API
from tests.test_public_api import modules_after

PROBE = """
import hashlib, sys
from contract import emit_contract, emit_openapi
from tests.test_describe import API
from tests.test_public_api import modules_after
from examples.shop.app import api
for each in (API, api):
    for visibility in ("public", "all"):
        print(hashlib.sha256(emit_contract(each, visibility=visibility)).hexdigest())
        print(hashlib.sha256(emit_openapi(each, visibility=visibility)).hexdigest())
"""


def shop() -> Any:
    return shop_api(Store("unused.sqlite3"))


@cache
def digests() -> list[str]:
    """Those that the probe prints, of this process."""
    emitted = (
        emit(each, visibility=visibility)
        for each in (API, shop())
        for visibility in ("public", "all")
        for emit in (contract.emit_contract, contract.emit_openapi)
    )
    return [hashlib.sha256(data).hexdigest() for data in emitted]


def test_every_process_emits_the_same_bytes() -> None:
    # which it would only be slowed by
    unmeasured = {
        name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")
    }
    own = {"PYTHONHASHSEED": "4711", "PYTHONPATH": str(REPOSITORY), "PYTHONDONTWRITEBYTECODE": "1"}
    program = [sys.executable, "-c", PROBE]
    printed = subprocess.check_output(program, text=True, env=unmeasured | own, cwd=REPOSITORY)

    assert printed.split() == digests()


@pytest.mark.unwatched
@pytest.mark.parametrize("visibility", ["public", "all"])
def test_what_is_emitted_is_the_document(visibility: Any) -> None:
    data = contract.emit_contract(shop(), visibility=visibility)

    assert data == contract.dump_contract(describe(shop(), visibility=visibility))
    assert contract.load_contract(data) == describe(shop(), visibility=visibility)
    assert contract.dump_contract(contract.load_contract(data)) == data


def test_keys_are_sorted_and_there_is_one_line_feed_at_the_end() -> None:
    data = contract.emit_contract(shop()).decode()

    assert data == json.dumps(json.loads(data), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


OPENAPI = {"openapi": "openapi.json"}


@rows(
    "options, links",
    ({}, OPENAPI | {"docs": "docs", "mcp": "mcp"}),
    ({"docs_path": "/a/b", "mcp_path": None}, OPENAPI | {"docs": "a/b"}),
    ({"docs_path": None, "mcp_path": "/docs"}, {"mcp": "docs"}),
    ({"docs_path": "/..a", "mcp_path": "/_mcp"}, OPENAPI | {"docs": "..a", "mcp": "_mcp"}),
)
def test_links_are_relative_to_the_document(options: dict[str, Any], links: dict[str, str]) -> None:
    assert json.loads(contract.emit_contract(API, **options))["links"] == links


NO_PATHS = ["docs", "/docs/", "//evil.example", "/a b", "/", "/docs?x", "https://evil.example"]
NO_PATHS += ["/docs\n", "", "/.", "/..", "/./x", "/a/../b"]


@pytest.mark.parametrize("option", ["docs_path", "mcp_path"])
@pytest.mark.parametrize("path", NO_PATHS)
def test_a_path_that_no_mount_may_have_is_refused(option: str, path: str) -> None:
    options: Any = {option: path}
    with pytest.raises(contract.MountError) as emitted:
        contract.emit_contract(API, **options)
    with pytest.raises(contract.MountError) as mounted:
        Options(**options)

    assert emitted.value.where == f"emit_contract({option}=)"
    assert mounted.value.where == f"mount_spec({option}=)"
    assert emitted.value.problem == mounted.value.problem.replace("docs=False", "None")


@rows("server",
    "/", "/v1", "/v1/a%20b", "http://127.0.0.1:8000", "https://shop.example/v1",
    "https://[::1]:8443/v1", "https://xn--mller-kva.example",
)  # fmt: skip
def test_a_server_is_a_path_or_a_url(server: str) -> None:
    assert json.loads(contract.emit_openapi(API, server=server))["servers"] == [{"url": server}]


SHOP = "https://shop.example"
NO_SERVERS = ["", "v1", "a b\n", "/v 1", "/v1\n", "/v1\x00", "//evil.example", "/\\evil.example"]
NO_SERVERS += ["/v1?x", "/v1#x", "javascript:alert(1)", "ftp://shop.example", "https://"]
NO_SERVERS += ["https:/shop.example", "https://me@shop.example", "https://{host}"]


@pytest.mark.parametrize("server", [*NO_SERVERS, f"{SHOP}/v 1", f"{SHOP}\n", f"{SHOP}?x", None])
def test_what_is_no_server_is_refused(server: Any) -> None:
    with pytest.raises(contract.MountError) as caught:
        contract.emit_openapi(API, server=server)

    fix = "write it like '/v1' or 'https://shop.example/v1', with no query and no fragment"
    assert str(caught.value) == f"emit_openapi(server=): {server!r} is not a URL of a mount; {fix}"


@pytest.mark.unwatched
def test_openapi_is_a_function_of_the_document() -> None:
    document = contract.load_contract(contract.emit_contract(shop()))
    for server in ("/", "/v1", SHOP + "/v1"):
        found = contract.emit_openapi(shop(), server=server)
        assert found == canonical(openapi(document, server=server))
        assert json.loads(found)["servers"] == [{"url": server}]
    assert "/sales_report" in json.loads(contract.emit_openapi(shop(), visibility="all"))["paths"]
    assert "/sales_report" not in json.loads(found)["paths"]


def test_half_a_character_cannot_be_emitted() -> None:
    @contract.route(summary="Ping", tags=["shop"], auth="none", description="\ud800")
    def ping(input: None, ctx: None) -> None: ...

    api = contract.spec(routes=contract.routes(ping), meta=contract.Meta(title="Shop"))
    problem = r"^\$\..*ping.*\.description: it cannot be written: "
    for emit in (contract.emit_contract, contract.emit_openapi):
        with pytest.raises(contract.DocumentError, match=problem):
            emit(api)


def test_emitting_needs_no_framework() -> None:
    frameworks = {"falcon", "hypothesis", "asyncio", "httptools", "uvloop"}

    assert not modules_after("contract.emit_contract; contract.load_contract") & frameworks
