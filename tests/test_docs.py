"""
What a mount shows of itself: the table, rendered when it is asked for.

`tests.wire.test_wire_docs` has what comes of it.
"""

from __future__ import annotations

import orjson
import pytest

from contract import Meta, Spec, emit_contract, emit_openapi, route, spec
from contract.adapters.pool import Lanes
from contract.call.mount_options import Limits, Options
from contract.call.published import Moved
from contract.explorer import assets
from contract.explorer.site import docs
from tests.tables import rows
from tests.wire.exchange import Bare, RawRequest


def ping(input: None, ctx: None) -> str:
    return "pong"


def make_api(title: str = "Ping") -> Spec[None]:
    made = route(summary="Ping", tags=["t"], auth="none")(ping)
    return spec(routes={"ping": made}, meta=Meta(title=title))


API = make_api()
ASSETS = {f"docs/assets/{name}" for name in assets()}
FILES = {"contract.json", "openapi.json", "docs", "docs/", "docs/llms.txt"} | ASSETS


@pytest.mark.parametrize("prefix", ["", "/v1"])
def test_everything_has_a_path(prefix: str) -> None:
    assert set(docs(API, Options(prefix=prefix))) == {f"{prefix}/{name}" for name in FILES}


def test_without_docs_there_is_nothing() -> None:
    assert docs(API, Options(docs=False)) == {}


class Asked(Bare):
    """A request to an application that its host has put below *root*."""

    root = ""


def body(options: Options, path: str, root: str = "") -> bytes:
    asked = Asked(RawRequest(method="GET", target=path), Lanes(options.limits))
    asked.request_id = "-"
    asked.root = root
    return docs(API, options)[path].response(asked, ()).body


def servers(options: Options, root: str) -> list[str]:
    document = orjson.loads(body(options, f"{options.prefix}/openapi.json", root))
    return [server["url"] for server in document["servers"]]


def test_the_documents_are_those_that_are_emitted() -> None:
    options = Options(prefix="/v1", docs_path="/guide", mcp_path=None)
    contract = emit_contract(API, docs_path="/guide", mcp_path=None)

    assert body(options, "/v1/contract.json") == contract
    assert body(options, "/v1/openapi.json") == emit_openapi(API, server="/v1")


def test_openapi_names_the_place_where_the_host_has_put_the_application() -> None:
    assert servers(Options(prefix="/v1"), "/api") == ["/api/v1"]
    assert servers(Options(), "/api") == ["/api"]
    assert servers(Options(), "") == ["/"]
    assert servers(Options(prefix="/v1"), '/a"b') == ["/a%22b/v1"]


def test_openapi_names_the_public_url() -> None:
    options = Options(prefix="/v1", public_url="https://gw.example/shop")

    assert servers(options, "") == servers(options, "/api") == ["https://gw.example/shop/v1"]


@pytest.mark.parametrize("host", ["", 'a"b', "a/b", "a@b", "a b", "x" * 300])
def test_what_is_no_host_stands_in_no_url(host: str) -> None:
    asked = Asked(RawRequest(method="GET", headers=(("Host", host),)), Lanes(Limits()))
    asked.request_id = "-"
    asked._headers = {"host": host}
    text = docs(API, Options(prefix="/v1"))["/v1/docs/llms.txt"]

    assert b": /v1" in text.response(asked, ()).body


def test_the_text_for_agents_names_the_place_where_it_is_reached() -> None:
    options = Options(prefix="/v1")

    assert b"http://shop.example/api/v1/contract.json" in body(options, "/v1/docs/llms.txt", "/api")
    known = Options(prefix="/v1", public_url="https://gw.example/shop")
    assert b"https://gw.example/shop/v1/contract.json" in body(known, "/v1/docs/llms.txt", "/api")


@rows(
    "options, path, up",
    (Options(prefix="/v1"), "/v1/docs/", ".."),
    (Options(docs_path="/a/b"), "/a/b/", "../.."),
)
def test_the_page_finds_the_mount(options: Options, path: str, up: str) -> None:
    told = f'data-contract="{up}/contract.json" data-server="{up}"'

    assert told in body(options, path).decode()


def test_nothing_is_rendered_before_it_is_asked_for() -> None:
    found = docs(make_api("\ud800"), Options())  # which cannot be written

    moved, text = found["/docs"], found["/docs/llms.txt"]
    assert isinstance(moved, Moved)
    moved.warm_up()
    with pytest.raises(UnicodeEncodeError):
        text.warm_up()


def test_files_are_shared_by_all_mounts() -> None:
    path = f"/docs/assets/{next(iter(assets()))}"
    other = docs(make_api(), Options(prefix="/v1"))

    assert docs(API, Options())[path] is other[f"/v1{path}"]
