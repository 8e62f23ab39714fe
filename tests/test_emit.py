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

from contract import (
    DocumentError,
    Meta,
    MountError,
    dump_contract,
    emit_contract,
    emit_openapi,
    load_contract,
    route,
    routes,
    spec,
)
from contract.call.mount_options import Options
from contract.document.contract_json import canonical
from contract.document.describe import describe
from contract.document.openapi import openapi
from examples.shop.app import shop_api
from examples.shop.store import Store
from tests.cli_servers import REPOSITORY
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
    return [
        hashlib.sha256(data).hexdigest()
        for each in (API, shop())
        for visibility in ("public", "all")
        for data in (
            emit_contract(each, visibility=visibility),
            emit_openapi(each, visibility=visibility),
        )
    ]


def test_every_process_emits_the_same_bytes() -> None:
    # which it would only be slowed by
    unmeasured = {
        name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")
    }
    environment = {
        **unmeasured,
        "PYTHONHASHSEED": "4711",
        "PYTHONPATH": str(REPOSITORY),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", PROBE],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
        cwd=REPOSITORY,
    )

    assert done.stdout.split() == digests()


@pytest.mark.unwatched
@pytest.mark.parametrize("visibility", ["public", "all"])
def test_what_is_emitted_is_the_document(visibility: Any) -> None:
    data = emit_contract(shop(), visibility=visibility)

    assert data == dump_contract(describe(shop(), visibility=visibility))
    assert load_contract(data) == describe(shop(), visibility=visibility)
    assert dump_contract(load_contract(data)) == data


def test_keys_are_sorted_and_there_is_one_line_feed_at_the_end() -> None:
    data = emit_contract(shop()).decode()

    assert data == json.dumps(json.loads(data), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


@pytest.mark.parametrize(
    ("options", "links"),
    [
        ({}, {"docs": "docs", "mcp": "mcp", "openapi": "openapi.json"}),
        ({"docs_path": "/a/b", "mcp_path": None}, {"docs": "a/b", "openapi": "openapi.json"}),
        ({"docs_path": None, "mcp_path": "/docs"}, {"mcp": "docs"}),
        (
            {"docs_path": "/..a", "mcp_path": "/_mcp"},
            {"docs": "..a", "mcp": "_mcp", "openapi": "openapi.json"},
        ),
    ],
)
def test_links_are_relative_to_the_document(options: dict[str, Any], links: dict[str, str]) -> None:
    assert json.loads(emit_contract(API, **options))["links"] == links


@pytest.mark.parametrize("option", ["docs_path", "mcp_path"])
@pytest.mark.parametrize(
    "path",
    [
        "docs",
        "/docs/",
        "//evil.example",
        "/a b",
        "/",
        "/docs?x",
        "https://evil.example",
        "/docs\n",
        "",
        "/.",
        "/..",
        "/./x",
        "/a/../b",
    ],
)
def test_a_path_that_no_mount_may_have_is_refused(option: str, path: str) -> None:
    options: Any = {option: path}
    with pytest.raises(MountError) as emitted:
        emit_contract(API, **options)
    with pytest.raises(MountError) as mounted:
        Options(**options)

    assert emitted.value.where == f"emit_contract({option}=)"
    assert mounted.value.where == f"mount_spec({option}=)"
    assert emitted.value.problem == mounted.value.problem.replace("docs=False", "None")


@pytest.mark.parametrize(
    "server",
    [
        "/",
        "/v1",
        "/v1/a%20b",
        "http://127.0.0.1:8000",
        "https://shop.example/v1",
        "https://[::1]:8443/v1",
        "https://xn--mller-kva.example",
    ],
)
def test_a_server_is_a_path_or_a_url(server: str) -> None:
    assert json.loads(emit_openapi(API, server=server))["servers"] == [{"url": server}]


@pytest.mark.parametrize(
    "server",
    [
        "",
        "v1",
        "a b\n",
        "/v 1",
        "/v1\n",
        "/v1\x00",
        "//evil.example",
        "/\\evil.example",
        "/v1?x",
        "/v1#x",
        "javascript:alert(1)",
        "ftp://shop.example",
        "https://",
        "https:/shop.example",
        "https://me@shop.example",
        "https://shop.example/v 1",
        "https://shop.example\n",
        "https://shop.example?x",
        "https://{host}",
        None,
    ],
)
def test_what_is_no_server_is_refused(server: Any) -> None:
    with pytest.raises(MountError) as caught:
        emit_openapi(API, server=server)

    fix = "write it like '/v1' or 'https://shop.example/v1', with no query and no fragment"
    assert str(caught.value) == f"emit_openapi(server=): {server!r} is not a URL of a mount; {fix}"


@pytest.mark.unwatched
def test_openapi_is_a_function_of_the_document() -> None:
    for server in ("/", "/v1", "https://shop.example/v1"):
        assert emit_openapi(shop(), server=server) == canonical(
            openapi(load_contract(emit_contract(shop())), server=server)
        )
    assert json.loads(emit_openapi(shop(), server="/v1"))["servers"] == [{"url": "/v1"}]
    assert "/sales_report" in json.loads(emit_openapi(shop(), visibility="all"))["paths"]
    assert "/sales_report" not in json.loads(emit_openapi(shop()))["paths"]


def test_half_a_character_cannot_be_emitted() -> None:
    @route(summary="Ping", tags=["shop"], auth="none", description="\ud800")
    def ping(input: None, ctx: None) -> None: ...

    api = spec(routes=routes(ping), meta=Meta(title="Shop"))
    for emit in (emit_contract, emit_openapi):
        with pytest.raises(
            DocumentError, match=r"^\$\..*ping.*\.description: it cannot be written: "
        ):
            emit(api)


def test_emitting_needs_no_framework() -> None:
    assert not modules_after("contract.emit_contract; contract.load_contract") & {
        "falcon",
        "hypothesis",
        "asyncio",
        "granian",
        "uvicorn",
    }
