"""Forms: what is answered to each, over every transport, and that nothing is left of their files."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from contract import Limits
from tests.uploaded import BOUNDARY, FORM, KEPT, PNG, form, image, json_part, make, part
from tests.wire.exchange import ASGI, JSON, SERVED, TRANSPORTS, RawRequest, Transport, serve

LARGE = PNG + b"x" * 150_000
"""More than is kept in memory, and more than comes in one piece."""
IMAGE: dict[str, Any] = {"names": ["a.png"], "types": ["image/png"], "sizes": [4]}
SEEN: dict[str, Any] = {"title": "t", **IMAGE, "begins": "\x89PNG"}
Bad = list[tuple[list[str], str]]

GOOD: dict[str, tuple[bytes, dict[str, Any]]] = {
    "small": (form(json_part(), image()), {}),
    "large": (form(json_part(), image(LARGE)), {"sizes": [150_004]}),
    "the JSON last, and of no type": (form(image(), part(b'{"title":"t"}', name="input")), {}),
    "every field": (
        form(
            json_part(b' {"title":"t"} \r\n'),
            image(),
            image(b"t", "t.png", name="thumb"),
            part(b"r", name="raw-data"),
            part(b"1", name="more", told="../1.txt"),
            part(b"2", "content-type: Text/Plain; charset=x", name="more", told="C:\\tmp\\2.txt"),
        ),
        {
            "names": ["a.png", "t.png", "file", "1.txt", "2.txt"],
            "types": ["image/png", "image/png", *["application/octet-stream"] * 2, "text/plain"],
            "sizes": [4, 1, 1, 1, 1],
        },
    ),
    "fields of a page in which nothing was chosen": (
        form(json_part(), image(), part(name="thumb", told=""), part(name="more", told="")),
        {},
    ),
    "a name that means harm": (form(json_part(), image(told='..%22/\\"../\u202e<nul>.\u00e9 . ')), {"names": ["_nul.\u00e9"]}),
    "bytes that nearly end it": (
        form(json_part(), image(PNG + f"\r\n--{BOUNDARY[:-1]}\r\n--{BOUNDARY}x".encode())),
        {"sizes": [4 + 2 + 8 + 2 + 2 + 10 - 2]},
    ),
    "a preamble of lines, and an epilogue": (b"\r\n\r\n" + form(json_part(), image()) + b"--made-up--\r\nmore", {}),
}  # fmt: skip


def unnamed() -> list[str]:
    """The open files that have no name."""
    found: list[str] = []
    for each in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # that of the folder itself
            found.append(str(each.readlink()))
    return [each for each in found if each.endswith("(deleted)")]


@pytest.fixture(scope="module", autouse=True)
def nothing_of_others() -> None:
    """Once: to collect what thousands of tests have left takes longer than any test here."""
    gc.collect()


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    KEPT.clear()
    before = unnamed()
    yield
    assert all(each.file.closed for each in KEPT)
    assert unnamed() == before


def asking(body: bytes, route: str = "add", *more: tuple[str, str], **how: Any) -> RawRequest:
    headers = tuple(dict((FORM, *more)).items())
    return RawRequest(target=f"/v1/{route}", headers=headers, body=body, **how)


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_form_is_the_input_with_its_files(transport: Transport) -> None:
    exchange = serve(transport, make())
    for name, (body, found) in GOOD.items():
        in_parts = {"part": 7 if len(body) < 2000 else 60_000}
        for how in (dict[str, Any](), in_parts, {"chunked": True}):
            response = exchange(asking(body, **how))

            assert (response.status, response.json()) == (200, SEEN | found), (name, how)


REFUSED: dict[str, tuple[bytes, Bad]] = {
    "nothing": (form(), [(["title"], "missing"), (["image"], "missing")]),
    "no file": (form(json_part()), [(["image"], "missing")]),
    "no JSON": (form(image()), [(["title"], "missing")]),
    "JSON that is none": (form(json_part(b"{"), image()), [([], "json_invalid")]),
    "JSON of another kind": (form(json_part(b"[]"), image()), [([], "object_type")]),
    "JSON that is refused": (form(json_part(b'{"title":""}'), image()), [(["title"], "too_short")]),
    "a file in the JSON": (form(json_part(b'{"title":"t","image":"image:0"}'), image()), [(["image"], "unknown_key")]),
    "null for a file": (form(json_part(b'{"title":"t","thumb":null}'), image()), [(["thumb"], "unknown_key")]),
    "repeated": (form(json_part(), image(), image()), [(["image"], "repeated_part")]),
    "repeated JSON": (form(json_part(), json_part(), image()), [(["input"], "repeated_part")]),
    "too many of a list": (form(json_part(), image(), *[part(b"1", name="more")] * 3), [(["more"], "too_many_items")]),
    "unknown, of the wrong type, and large": (
        form(
            part(LARGE, name="x" * 80),
            part(LARGE, "Content-Type: image/gif", name="image"),
            part(LARGE, "Content-Type: image/png", name="input"),
        ),
        [(["x" * 64], "unknown_key"), (["image"], "media_type"), (["input"], "media_type")],
    ),
    "no media type": (form(json_part(), part(PNG, name="image")), [(["image"], "media_type")]),
    "bytes without a name, of the wrong type": (form(json_part(), part(PNG, name="image", told="")), [(["image"], "media_type")]),
    "many unknown": (
        form(json_part(), image(), *[part(name=f"x{at}") for at in range(21)]),
        [([f"x{at}"], "unknown_key") for at in range(20)],
    ),
}  # fmt: skip
BROKEN: dict[str, bytes] = {
    "empty": b"",
    "cut off in a boundary": form(json_part(), image(), end=b"-"),
    "cut off in a file": form(json_part(), image(LARGE))[:-100],
    "cut off in a header": form(json_part(), b'Content-Disposition: form-data; name="image'),
    "another boundary": b"--other" + form(json_part(), image())[len(BOUNDARY) + 2 :],
    "a part without a name": form(json_part(), part(b"", "Content-Type: image/png")),
    "a name twice": form(part(b"", 'Content-Disposition: form-data; name="a"; name="b"')),
    "an attachment": form(part(b"", 'Content-Disposition: attachment; name="image"')),
    "a disposition that is none": form(part(b"", "Content-Disposition: form-data; name=a b")),
    "a header twice": form(part(PNG, *['Content-Disposition: form-data; name="image"'] * 2)),
    "encoded": form(part(b"iVBOR", "Content-Transfer-Encoding: base64", name="image")),
    "a large header": form(part(b"", "x: " + "x" * 5000, name="image")),
    "many headers": form(part(b"", *[f"x{at}: x" for at in range(20)], name="image")),
    "many parts": form(*[part(name="x")] * 40),
    "no header": form(b"nothing\r\n"),
}
LARGER: dict[str, tuple[str, bytes, int]] = {
    "a file": ("add", form(json_part(), image(LARGE * 2)), 200_000),
    "a small one": ("add", form(json_part(), image(b"x" * 11, name="thumb")), 10),
    "the JSON": ("later", form(json_part(b" " * 101), image()), 100),
}


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_form_is_refused_with_every_part_that_will_not_do(transport: Transport) -> None:
    exchange = serve(transport, make())
    for name, (body, bad) in REFUSED.items():
        response = exchange(asking(body))
        data = response.json()
        found = [(each["path"], each["code"]) for each in data["data"]["issues"]]

        assert (response.status, data["error"]) == (400, "VALIDATION_ERROR"), name
        assert [(path, code.removeprefix("string_")) for path, code in found] == bad, name
        assert data["data"].get("truncated", False) is (name == "many unknown")
    assert not KEPT


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_what_is_no_form_or_too_large_is_refused(transport: Transport) -> None:
    exchange = serve(transport, make())
    for name, body in BROKEN.items():
        response = exchange(asking(body))

        assert (response.status, response.json()["error"]) == (400, "BAD_REQUEST"), name
    for name, (route, body, limit) in LARGER.items():
        for chunked in (False, True):
            response = exchange(asking(body, route, chunked=chunked))
            told = {"error": "PAYLOAD_TOO_LARGE", "data": {"limit": limit}}

            assert (response.status, response.json()) == (413, told), name
    response = exchange(asking(b"", length="9000000"))
    assert (response.status, response.json()["data"]["limit"] > 5 * 2**20) == (413, False)
    assert not KEPT


QUOTED = f'boundary="{BOUNDARY}"'


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_form_and_json_are_told_apart(transport: Transport) -> None:
    exchange = serve(transport, make())
    body = form(json_part(), image())
    wanted: list[tuple[str, tuple[str, str], int]] = [
        ("add", JSON, 415),
        ("add", ("Content-Type", "multipart/form-data"), 415),
        ("add", ("Content-Type", 'multipart/form-data; boundary=""'), 415),
        ("add", ("Content-Type", "multipart/form-data; boundary=" + "x" * 71), 415),
        ("add", ("Content-Type", f"multipart/mixed; boundary={BOUNDARY}"), 415),
        ("add", ("Content-Type", f'Multipart/Form-Data; x="; boundary=y"; {QUOTED}'), 200),
        ("add", ("Content-Encoding", "gzip"), 415),
        ("short", FORM, 413),
        ("avatar", FORM, 400),
    ]
    for route, header, status in wanted:
        assert exchange(asking(body, route, header)).status == status, header
    why = exchange(asking(body, "add", JSON)).json()["data"]["message"]
    assert why.startswith("Send the body as multipart/form-data, the input as JSON in its part")
    assert exchange(asking(b"{}" + b" " * 28, "short", JSON)).status == 400
    assert exchange(asking(b"{}" + b" " * 29, "short", JSON)).status == 413
    if transport != "service":  # which has no body to read
        assert exchange(asking(b"{}" + b" " * 29, "short", JSON, chunked=True)).status == 413
    assert exchange(asking(form(image(LARGE)), "avatar")).json() == 150_004
    assert exchange(asking(form(image(), json_part(b'{"a":1}')), "avatar")).status == 400
    assert exchange(asking(form(image(), json_part(b"")), "avatar")).json() == 4
    assert exchange(asking(form(), "note")).json() == -1
    assert exchange(asking(form(part(b"12", name="scan")), "note")).json() == 2


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_files_are_closed_whatever_becomes_of_the_call(transport: Transport) -> None:
    exchange = serve(transport, make())
    for asks, status in (("answer", 200), ("fail", 409), ("raise", 500)):
        body = form(json_part(b'{"title":"t","asks":"%s"}' % asks.encode()), image(LARGE))
        good = [("Authorization", "Bearer good")]
        for route, more in (("add", ()), ("later", ()), ("mine", good)):
            assert exchange(asking(body, route, *more)).status == status
    assert len(KEPT) == 9
    ugly = form(json_part(b'{"title":"ugly"}'), image())
    assert exchange(asking(ugly, "later")).json() == {"error": "UGLY"}
    streamed = exchange(asking(form(image(b"a\nb\n")), "lines"))
    assert streamed.body.replace(b": working\n\n", b"").startswith(b'data: "a\\n"\n\ndata: "b\\n"')
    assert b"event: end" in streamed.body


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_who_may_not_call_is_told_before_any_file_is_read(transport: Transport) -> None:
    exchange = serve(transport, make())
    body = form(json_part(), image(LARGE))
    for token in ("", "Bearer bad"):
        for ends in ("whole", "disconnect"):
            more = (("Authorization", token),) if token else ()
            request = asking(body, "mine", *more, ends=ends, length=str(len(body)))

            assert exchange(request).status == 401
    if transport in ASGI | SERVED:
        # it does not stand still for a body that never comes
        silent = asking(b"", "mine", ("Authorization", "Bearer bad"), length="100", ends="never")
        if transport != "falcon-asgi":  # Falcon waits for it
            assert exchange(silent).status == 401


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_client_that_leaves_leaves_nothing(transport: Transport) -> None:
    if transport == "service":
        return  # it has the body
    exchange = serve(transport, make())
    body = form(json_part(), image(LARGE))
    for route, more in (("add", ()), ("mine", [("Authorization", "Bearer good")])):
        for ends in ("disconnect", "error"):
            request = asking(body[:-200], route, *more, ends=ends, length=str(len(body)))
            response = exchange(request)

            assert (response.status, response.json()["error"]) == (400, "BAD_REQUEST")
    assert not KEPT


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_form_is_not_read_without_end(transport: Transport) -> None:
    exchange = serve(transport, make(), limits=Limits(read_seconds=0.2))
    large = part(b"x" * 600_000, "Content-Type: image/png", name="image")
    attached = part(b"", 'Content-Disposition: attachment; name="y"')

    assert exchange(asking(b"", "avatar", length="0")).status == 400
    assert exchange(asking(form(large, attached), "avatar")).status == 400
    if transport != "service":  # it has the body
        assert exchange(asking(form(*[large] * 7), "avatar", chunked=True)).status == 413
    if transport in ASGI - {"falcon-asgi"}:  # Falcon waits for it
        stalled = asking(form(large)[:-9], "avatar", length="600200", ends="never")
        assert exchange(stalled).status == 408
    assert not KEPT
