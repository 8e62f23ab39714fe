"""Downloads on paper: contract.json, OpenAPI, what is said of changes, llms.txt, and `routes`."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import pytest

import contract
from contract.adapters.mount import service_of
from contract.call.mount_options import Options
from contract.cli.routes import facts
from contract.codegen.package import package_of
from contract.document.diff import diff
from contract.document.model import Caching
from contract.explorer.llms import llms
from contract.testing import Client
from contract.testing.mock import MockService
from tests.diffs import ROUTE, shop
from tests.tables import rows

Picture = Annotated[contract.Download, contract.Media("image/png", "image/jpeg")]


class NoPicture(contract.Failure, status=404):
    """There is none."""


@contract.route(summary="Picture", tags=["t"], auth="none", effect="read")
def picture(input: str, ctx: None) -> Picture | NoPicture:
    raise AssertionError("nobody calls it")


@contract.route(
    summary="Picture", tags=["t"], auth="none", effect="read", cache=contract.Cache(max_age=60)
)
def kept(input: str, ctx: None) -> Picture:
    raise AssertionError("nobody calls it")


@contract.route(summary="Picture", tags=["t"], auth="none")
def drawn(input: str, ctx: None) -> Picture:
    raise AssertionError("nobody calls it")


API = contract.spec(routes=contract.routes(picture, kept, drawn))
TYPES = ["image/png", "image/jpeg"]


def test_contract_json_names_the_media_types_and_is_read_back() -> None:
    written = contract.emit_contract(API)
    document = contract.load_contract(written)

    assert json.loads(written)["routes"]["picture"]["output"] == {"download": TYPES}
    assert document.routes["picture"].media == tuple(TYPES)
    assert contract.dump_contract(document) == written


@rows(
    "members, problem",
    ({"output": {"download": []}}, "a file must have at least one media type"),
    ({"output": {"download": ["png"]}}, "routes.picture.output.download[0]"),
    ({"mcp": {}}, "a route that gives a file cannot have this"),
)
def test_a_document_that_says_something_else_of_a_file_is_refused(
    members: dict[str, Any], problem: str
) -> None:
    found = json.loads(contract.emit_contract(API))
    found["routes"]["picture"] |= members

    with pytest.raises(contract.DocumentError, match=re.escape(problem)):
        contract.load_contract(json.dumps(found).encode())


def test_openapi_has_the_file_as_it_is_sent() -> None:
    found = json.loads(contract.emit_openapi(API))
    file = {"schema": {"type": "string", "format": "binary"}}
    post, read = (found["paths"]["/picture"][method] for method in ("post", "get"))

    assert post["responses"]["200"]["content"] == dict.fromkeys(TYPES, file)
    assert set(read["responses"]) > {"200", "206", "304", "404", "412", "416"}
    assert "Content-Range" in read["responses"]["206"]["headers"]
    named = set(re.findall('#/components/headers/([^"]+)', json.dumps(found)))
    assert named == set(found["components"]["headers"]) > {"Content-Disposition", "Content-Range"}
    assert "x-contract-cache" not in read
    assert found["paths"]["/kept"]["get"]["x-contract-cache"] == {"max_age": 60}
    assert "get" not in found["paths"]["/drawn"]


FILE = replace(ROUTE, effect="read", media=("image/png",))
CACHED = replace(FILE, cache=Caching(60))


EVERYWHERE = {"cache-control", "content-length", "content-security-policy", "content-type", "x-content-type-options"}  # fmt: skip
"""Headers of answers that no caller has to know."""


def test_openapi_names_the_headers_of_each_answer(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"abc")

    @contract.route(summary="Picture", tags=["t"], auth="none", effect="read")
    def shown(input: None, ctx: None) -> Picture:
        return contract.Download(path, media_type="image/png")

    api = contract.spec(routes=contract.routes(shown))
    client, paper = Client(api), json.loads(contract.emit_openapi(api))
    sent: list[dict[str, str]] = [{}, {"range": "bytes=0-1"}, {"range": "bytes=9-"}]
    sent += [{"if-none-match": "*"}, {"if-match": '"x"'}]
    replies = [("get", client.get("shown", headers=headers)) for headers in sent]
    packed = {"content-type": "application/json", "content-encoding": "gzip"}
    replies.append(("post", client.call("shown", body=b"{}", headers=packed)))

    assert [reply.status for _, reply in replies] == [200, 206, 416, 304, 412, 415]
    for method, reply in replies:
        response = paper["paths"]["/shown"][method]["responses"][str(reply.status)]
        name = response.get("$ref", "").rpartition("/")[2]
        shared = paper["components"]["responses"].get(name, response)
        named = {each.lower() for each in shared["headers"]}
        assert reply.headers.keys() - EVERYWHERE <= named, reply.status
        if reply.status in (412, 416):  # its code has several statuses
            assert str(reply.status) in shared["description"]


@dataclass(frozen=True)
class Sketch:
    image: contract.Upload


@contract.route(summary="Picture", tags=["t"], auth="none", effect="read")
def framed(input: Sketch, ctx: None) -> Picture:
    raise AssertionError("nobody calls it")


SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


@contract.route(
    summary="Picture", tags=["t"], auth="none", effect="read", signed=contract.Signed([SECRET])
)
def ordered(input: str, ctx: None) -> Picture:
    raise AssertionError("nobody calls it")


def test_a_file_is_not_read_by_url_if_its_input_does_not_fit_into_one() -> None:
    api = contract.spec(routes=contract.routes(framed, ordered))
    document = contract.load_contract(contract.emit_contract(api))

    for service in (service_of(api), MockService(package_of(document))):
        client = Client(service)
        for name in ("framed", "ordered"):
            refused = client.get(name)
            assert (refused.status, refused.headers["allow"]) == (405, "OPTIONS, POST")
    paths = json.loads(contract.emit_openapi(api))["paths"]
    assert [[*paths[f"/{name}"]] for name in ("framed", "ordered")] == [["post"], ["post"]]
    assert b"also GET" not in llms(document, contract="", server="")


@rows(
    "old, new, found",
    (ROUTE, replace(ROUTE, media=("image/png",)), ["breaking download_changed"]),
    (replace(ROUTE, media=("image/png",)), ROUTE, ["breaking download_changed"]),
    (FILE, replace(FILE, media=("image/png", "text/csv")), ["breaking media_type_added"]),
    (replace(FILE, media=("image/*",)), FILE, ["compatible media_type_removed"]),
    (FILE, replace(FILE, media=("image/*",)), ["breaking media_type_added"]),
    (FILE, CACHED, ["docs cache_changed", "docs cache_changed"]),
    (CACHED, FILE, ["docs cache_changed", "docs cache_changed"]),
    (FILE, replace(FILE, effect="idempotent"), ["breaking cache_removed", "breaking effect_strengthened"]),
    (replace(FILE, effect="idempotent"), FILE, ["compatible cache_added", "compatible effect_weakened"]),
    (FILE, FILE, []),
)  # fmt: skip
def test_a_change_of_the_file_is_told_by_what_its_readers_get(
    old: Any, new: Any, found: list[str]
) -> None:
    changes = diff(shop(order=old), shop(order=new))

    assert sorted(f"{each.level} {each.kind}" for each in changes) == found


def test_llms_txt_and_the_list_of_routes_say_that_it_is_a_file() -> None:
    text = llms(
        contract.load_contract(contract.emit_contract(API)), contract="/contract.json", server="/v1"
    ).decode()
    service = service_of(API, Options())

    assert "- `picture` (read, also GET picture?input=JSON): Picture" in text
    assert "- `kept` (read, also GET kept?input=JSON, kept 60 s): Picture" in text
    assert "- `drawn` (write): Picture" in text
    assert "Input: string; output: a file (image/png, image/jpeg); errors: NO_PICTURE" in text
    assert facts("/picture", "picture", service)["output"] == "Download[image/png, image/jpeg]"
    assert facts("/kept", "kept", service)["cached"]
