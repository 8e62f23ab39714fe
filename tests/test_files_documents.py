"""Files, on paper: contract.json, OpenAPI, diff and llms.txt."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

import pytest
from openapi_spec_validator import validate
from typing_extensions import deprecated

from contract import Upload, dump_contract, emit_contract, emit_openapi, load_contract, route, spec
from contract.document.diff import diff
from contract.document.model import ContractFile, Document
from contract.document.openapi import openapi
from contract.explorer.llms import llms
from contract.shape.exceptions import DocumentError
from tests.tables import rows
from tests.uploaded import make

EMITTED: dict[str, Any] = json.loads(emit_contract(make()))
READ = load_contract(emit_contract(make()))


def test_contract_json_tells_the_files_beside_the_json() -> None:
    routes = EMITTED["routes"]

    assert routes["add"]["files"] == {
        "image": {"max_bytes": 200_000, "media": ["image/png", "image/jpeg"], "required": True},
        "more": {"max_bytes": 1_048_576, "max_files": 2, "min_files": 0, "required": False},
        "raw-data": {"max_bytes": 1_048_576, "name": "raw", "required": False},
        "thumb": {"max_bytes": 10, "required": False},
    }
    assert [*EMITTED["$defs"]["NewPhotoInput"]["properties"]] == ["asks", "title"]
    assert routes["avatar"]["input"]["properties"] == {}
    assert (routes["short"]["max_body_bytes"], "files" in routes["short"]) == (30, False)
    assert dump_contract(READ) == emit_contract(make())


@deprecated("Send a Picture.")
@dataclass
class Scan:
    """A picture of a page."""

    page: int
    image: Upload


def test_a_deprecated_class_is_told_to_be_so_without_its_files() -> None:
    @route(summary="Add", tags=["scans"], auth="none")
    def add(input: Scan, ctx: None) -> None:  # type: ignore[deprecated]
        raise NotImplementedError

    told = json.loads(emit_contract(spec(routes=[add])))["$defs"]["Scan"]

    assert (told["description"], told["deprecated"]) == ("A picture of a page.", True)


@rows(
    "changes, told",
    ({"files": {"input": {"max_bytes": 1, "required": True}}}, "holds the JSON"),
    ({"files": {"a": {"max_bytes": 0, "required": True}}}, "max_bytes"),
    ({"files": {"a": {"max_bytes": 1, "required": True, "media": ["png"]}}}, "media"),
    ({"files": {"a": {"max_bytes": 1, "required": True, "max_files": 3}}}, "min_files"),
    ({"files": {"a": {"max_bytes": 1, "required": True, "name": "a b"}}}, "name"),
    ({"cache": {"max_age": 1}, "effect": "read"}, "a call with files cannot have this"),
    ({"max_body_bytes": 0}, "max_body_bytes"),
)
def test_files_that_nobody_could_send_are_refused(changes: dict[str, Any], told: str) -> None:
    add = {**EMITTED["routes"]["add"], **changes}

    with pytest.raises(DocumentError, match=told):
        load_contract(json.dumps({**EMITTED, "routes": {"add": add}}).encode())


def test_openapi_has_a_form_with_its_encoding() -> None:
    document = json.loads(emit_openapi(make()))
    validate(document)
    body = document["paths"]["/add"]["post"]["requestBody"]
    form = body["content"]["multipart/form-data"]
    alone = document["paths"]["/avatar"]["post"]["requestBody"]["content"]["multipart/form-data"]

    assert body["required"] is True
    assert [*form["schema"]["properties"]] == ["image", "input", "more", "raw-data", "thumb"]
    assert form["schema"]["required"] == ["input", "image"]
    assert form["schema"]["properties"]["input"] == {"$ref": "#/components/schemas/NewPhotoInput"}
    assert form["schema"]["properties"]["more"]["maxItems"] == 2
    assert form["encoding"]["input"] == {"contentType": "application/json"}
    assert form["encoding"]["image"] == {"contentType": "image/png, image/jpeg"}
    assert form["encoding"]["thumb"] == {"contentType": "*/*"}
    assert (alone["schema"]["required"], [*alone["encoding"]]) == (["image"], ["image"])
    assert document["paths"]["/short"]["post"]["x-contract-max-body-bytes"] == 30


def test_openapi_tells_the_only_media_type_of_a_file_and_the_fewest_of_a_list() -> None:
    png = ContractFile(
        description="A picture.", max_bytes=1, media=("image/png",), required=True, many=(1, 3)
    )
    add = replace(READ.routes["add"], files={"image": png})
    written = openapi(replace(READ, routes={"add": add}), server="/v1")
    form = written["paths"]["/add"]["post"]["requestBody"]["content"]["multipart/form-data"]

    told = {"description": "A picture. At most 1 bytes.", "x-contract-max-bytes": 1}
    image = form["schema"]["properties"]["image"]
    items = {**told, "contentMediaType": "image/png"}
    assert image == {"type": "array", "minItems": 1, "maxItems": 3, "items": items}


def test_llms_tells_how_to_send_them() -> None:
    told = llms(READ, contract="contract.json", server="/v1").decode()

    assert (
        "NewPhotoInput, as JSON in the part input of a multipart/form-data, with image: a file "
        "(image/png | image/jpeg, at most 200000 bytes); more?: a file (any media type, at most "
        "1048576 bytes, 0-2 of them)"
    ) in told
    assert "at most 30 bytes of JSON" in told


def test_a_body_that_is_no_form_is_told_that_it_must_be_one() -> None:
    assert "multipart/form-data" in READ.errors["UNSUPPORTED_MEDIA_TYPE"].description


def with_file(**changes: Any) -> Document:
    files = {**READ.routes["add"].files}
    files["image"] = replace(files["image"], **changes)
    return replace(READ, routes={"add": replace(READ.routes["add"], files=files)})


def without_files(*names: str) -> Document:
    add = READ.routes["add"]
    files = {name: each for name, each in add.files.items() if name not in names}
    return replace(READ, routes={"add": replace(add, files=files)})


ADD = with_file()
PLAIN = without_files(*READ.routes["add"].files)
CAPPED, CAPPED_LATER, USUAL, ROOMY = (
    replace(ADD, routes={"add": replace(ADD.routes["add"], max_body_bytes=most)})
    for most in (10, 20, 1_048_576, 10_000_000)
)


@rows(
    "old, new, there, back",
    (ADD, without_files("image"), "file_removed breaking", "file_required breaking"),
    (ADD, without_files("thumb"), "file_removed breaking", "file_added compatible"),
    (ADD, with_file(required=False), "file_optional compatible", "file_required breaking"),
    (ADD, with_file(max_bytes=1), "bytes_lowered breaking", "bytes_raised compatible"),
    (ADD, CAPPED, "bytes_lowered breaking", "bytes_raised compatible"),
    (CAPPED_LATER, CAPPED, "bytes_lowered breaking", "bytes_raised compatible"),
    # a mount takes less, if it does not say otherwise
    (ROOMY, ADD, "bytes_lowered breaking", "bytes_raised compatible"),
    (USUAL, ADD, "bytes_raised compatible", "bytes_raised compatible"),
    (ADD, with_file(media=("image/png",)), "media_removed breaking", "media_added compatible"),
    (ADD, with_file(media=("image/*",)), "media_added compatible", "media_removed breaking"),
    (ADD, with_file(media=()), "media_added compatible", "media_removed breaking"),
    (ADD, with_file(media=("image/jpeg", "image/png")), "", ""),
    (ADD, with_file(many=(0, 3)), "files_listed source", "files_narrowed breaking"),
    (ADD, with_file(many=(1, 3)), "files_listed source", "files_narrowed breaking"),
    (with_file(many=(0, 1)), ADD, "files_listed source", "files_listed source"),
    (with_file(many=(0, 3)), with_file(many=(0, 4)), "files_widened compatible", "files_narrowed breaking"),
    (ADD, with_file(name="photo"), "file_renamed source", "file_renamed source"),
    (ADD, with_file(description="A"), "description_changed docs", "description_changed docs"),
)  # fmt: skip
def test_a_change_of_files_is_told_by_whom_it_breaks(
    old: Document, new: Document, there: str, back: str
) -> None:
    for one, other, told in ((old, new, there), (new, old, back)):
        assert " ".join(f"{each.kind} {each.level}" for each in diff(one, other)) == told


def test_a_limit_above_the_usual_one_raises_it_unless_the_mount_took_more() -> None:
    [raised] = diff(ADD, ROOMY)

    assert raised.text == "takes at most 10000000 bytes, was 1048576 unless its mount took more"


def test_a_body_that_becomes_a_form_breaks_who_sends_json() -> None:
    for one, other in ((PLAIN, ADD), (ADD, PLAIN)):
        [form, *_] = diff(one, other)

        assert (form.kind, form.level) == ("body_form_changed", "breaking")
