"""Files in the testing kit: inputs that are drawn, the laws of a route, mocks and fuzzing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from hypothesis import given, settings

from contract import MaxBytes, Media, Upload, emit_contract, load_contract, route, routes, spec
from contract.client import Attachment
from contract.codegen.package import package_of
from contract.testing import Client, bodies, call, check_route, inputs, invalid_bodies
from contract.testing.findings import Finding
from contract.testing.mock import MockService
from tests.uploaded import PNG, Avatar, NewPhoto, Seen, api, make


@route(summary="x", tags=["x"], auth="none", effect="read")
def add(input: NewPhoto, ctx: None) -> int:
    assert input.image.media_type in ("image/png", "image/jpeg")
    return len(input.image.read()) + len(input.more)


@route(summary="x", tags=["x"], auth="none")
def size(input: Avatar, ctx: None) -> int:
    return len(input.image.read())


@route(summary="x", tags=["x"], auth="none")
def touchy(input: Avatar, ctx: None) -> int:
    if b"\x00" in input.image.read():
        raise RuntimeError("no zeros, please")
    return 1


test_routes_with_files_keep_their_contract = check_route(add)
test_routes_with_files_alone_do = check_route(size)


def test_what_breaks_it_is_told_with_its_file() -> None:
    with pytest.raises(Finding, match=r"Client\(api\).call\('touchy', \{\}, files=\{'image': "):
        check_route(touchy, settings=settings(max_examples=50, database=None, derandomize=True))()


@given(inputs(add))
def test_inputs_have_their_files(input: NewPhoto) -> None:
    assert input.image.size == len(input.image.read())
    assert call(size, Avatar(Upload.of(b"abc"))) == 3


@pytest.mark.parametrize("what", [bodies, invalid_bodies])
def test_bodies_that_are_forms_are_not_drawn(what: Any) -> None:
    with pytest.raises(ValueError, match=r"its bodies are forms with files; draw inputs\(add\)"):
        what(api, "add")


def test_a_mock_takes_files_and_makes_an_answer_up() -> None:
    package = package_of(load_contract(emit_contract(make())))
    client = Client(MockService(package))
    png = Attachment(PNG, "a.png")

    reply = client.call("add", {"title": "t"}, files={"image": png})
    assert (reply.status, {*reply.json}) == (200, {*Seen.__annotations__})
    assert client.call("avatar", files={"image": PNG}).status == 200
    assert client.call("add", {"title": ""}, files={"image": png}).error == "VALIDATION_ERROR"
    assert client.call("add", {"title": "t"}).json["data"]["issues"][0]["path"] == ["image"]
    assert client.call("add", {"title": "t"}, files={"image": PNG}).error == "VALIDATION_ERROR"


def test_a_file_is_given_to_the_test_client_in_every_form() -> None:
    client = Client(api)
    upload = Upload.of(PNG, name="a.png", media_type="image/png")
    assert repr(upload) == "Upload('a.png', image/png, 4 bytes)"
    for _ in range(2):  # it is read from its beginning
        assert client.call("add", {"title": "t"}, files={"image": [upload]}).json["sizes"] == [4]
    with pytest.raises(TypeError, match="one body"):
        client.call("add", body=b"{}", files={"image": upload})


@dataclass(frozen=True)
class Scans:
    pages: Annotated[Upload, MaxBytes(10), Media("image/*")]


@route(summary="x", tags=["x"], auth="none")
def scan(input: Scans, ctx: None) -> str:
    return input.pages.media_type


def test_a_range_of_media_types_is_drawn_from() -> None:
    check_route(scan)()
    client = Client(spec(routes=routes(scan)))

    picture, text = (Attachment(b"", name) for name in ("a.gif", "a.txt"))
    assert client.call("scan", files={"pages": picture}).json == "image/gif"
    assert client.call("scan", files={"pages": text}).error == "VALIDATION_ERROR"
