"""Forms: names of files, and what becomes of a form where the disk is full."""

from __future__ import annotations

import gc
import logging
import sys
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import Annotated, Any
from weakref import ref

import pytest
from annotated_types import Len

from contract import Limits, MountError, Upload, emit_contract, load_contract, route, spec
from contract.call import form
from contract.call.bound import bind
from contract.call.form import boundary_in, file_name
from contract.call.incoming import Refused
from contract.cli.bodies import Body
from contract.codegen.package import package_of
from contract.shape.upload import UPLOADED
from contract.testing import Client
from contract.testing.mock import MockService
from tests.tables import rows
from tests.uploaded import FORM, PNG, api, image, json_part, part
from tests.uploaded import form as made


@rows(
    "told, name",
    (None, "file"),
    ("", "file"),
    ("...", "file"),
    ("/etc/passwd", "passwd"),
    ("..\\..\\boot.ini", "boot.ini"),
    ("a\u202egnp.exe", "agnp.exe"),
    ("LPT1.txt", "_LPT1.txt"),
    ("com¹.txt", "_com¹.txt"),
    ("CONIN$", "_CONIN$"),
    ("con .tar.gz", "_con .tar.gz"),
    ("conout$.txt", "_conout$.txt"),
    ("contract.txt", "contract.txt"),
    ("x" * 200, "x" * 120),
    ("x" * 200 + ".png", "x" * 116 + ".png"),
    ("x." + "y" * 200, "x." + "y" * 118),
    ("\u061ca.png", "a.png"),
    ("con .txt", "_con.txt"),
    ("x" * 119 + " y", "x" * 119),
    ("字" * 120, "字" * 80),
    ("字" * 80 + "x", "字" * 80),
    ("x" * 200 + "." + "y" * 10, "x" * 109 + "." + "y" * 10),
    ("x" * 115 + "." + "y" * 11, "x" * 115 + "." + "y" * 4),
    ("字" * 120 + ".png", "字" * 78 + ".png"),
    ("x" * 115 + " .y.png", "x" * 115 + ".png"),
)
def test_a_name_leads_nowhere(told: str | None, name: str) -> None:
    assert file_name(told) == name


@rows(
    "told, status",
    ("application/json; charset=UTF-8", 200),
    ("Application/JSON ; charset=utf-8", 200),
    ("application/octet-stream", 200),
    ("text/plain; charset=us-ascii", 200),
    ("application/json; charset=utf-16", 400),
    ("text/plain; charset=iso-8859-1", 400),
    ("text/csv", 400),
)
def test_the_json_is_in_utf_8_whatever_it_is_called(told: str, status: int) -> None:
    body = made(part(b"{}", f"Content-Type: {told}", name="input"), image())
    assert Client(api).call("avatar", body=body, headers=dict([FORM])).status == status


@rows(
    "told, boundary",
    ("multipart/form-data; boundary=x", b"x"),
    ("\tMultipart/Form-Data ;a=b; Boundary=x ", b"x"),
    (f"multipart/form-data; boundary={'x' * 70}", b"x" * 70),
    ('multipart/form-data; boundary=" x"', b" x"),
    ('multipart/form-data; boundary="a\\"b%22c"', b'a"b%22c'),
    ("multipart/form-data; boundary=a%22b;", b"a%22b"),
    (f"multipart/form-data; boundary={'x' * 71}", None),
    ('multipart/form-data; boundary=""', None),
    ('multipart/form-data; boundary="x "', None),
    ('multipart/form-data; boundary="é"', None),
    ("multipart/form-data; boundary=x; boundary=x", None),
    ("multipart/form-data; boundary=x y", None),
    ("multipart/form-data; boundary", None),
    ("multipart/form-data", None),
    ("multipart/mixed; boundary=x", None),
    ("", None),
)
def test_a_boundary_is_one_to_seventy_characters(told: str, boundary: bytes | None) -> None:
    assert boundary_in(told) == boundary


def add(*parts: bytes) -> Any:
    """The answer to a form with these parts."""
    return Client(api).call("add", body=made(*parts), headers=dict([FORM]))


def image_with(*headers: str) -> bytes:
    return part(PNG, "Content-Type: image/png", *headers, name="image")


ENCODING = "Content-Transfer-Encoding"


@rows(
    "parts, told",
    ([image_with(*[f"x{at}: y" for at in range(14)])], ""),
    ([image_with(*[f"x{at}: y" for at in range(15)])], "form with named parts"),
    ([image_with("x: " + "y" * 4093)], ""),
    ([image_with("x: " + "y" * 4094)], "form with named parts"),
    ([image_with("x: y").replace(b"x: y", b"x: \xff")], ""),
    *(([image_with(f"{ENCODING}: {each}")], "") for each in ("7bit", "8BIT\t", "binary")),
    ([image_with(f"{ENCODING}: base64")], "form with named parts"),
    ([part(PNG, "Content-Disposition: form-data; filename=a")], "form with named parts"),
    ([image(), *[part(name="x")] * 21], '"truncated":true'),
    ([image(), *[part(name="x")] * 24], "unknown_key"),
    ([image(), *[part(name="x")] * 25], "more than 26 parts"),
    ([part(b"12", name="thumb")], "missing"),
    ([image(), part(b"1" * 10, name="thumb")], ""),
    ([image(), part(b"1" * 11, name="thumb")], "10"),
    ([image(), *[part(b"1", name="more")] * 2], ""),
    ([image(b"")], ""),
    ([image(b"", told="")], "missing"),
    ([image(b"", told=""), image()], ""),
    ([part(b"", name="image", told=""), image()], ""),
    ([part(b"", "Content-Type: image/gif", name="image", told="a.gif")], "media_type"),
)
def test_a_form_has_its_limits(parts: list[bytes], told: str) -> None:
    reply = add(json_part(), *parts)

    assert (reply.status == 200) is (not told), reply.body
    assert told in reply.body.decode()


def test_as_many_issues_as_are_told_are_all() -> None:
    data = add(json_part(), image(), *[part(name="x")] * 20).json["data"]

    assert (len(data["issues"]), data.get("truncated", False)) == (20, False)


@pytest.mark.parametrize(("more", "status"), [(0, 200), (1, 413)])
def test_the_json_has_the_limit_of_the_route(more: int, status: int) -> None:
    body = made(json_part(b'{"title":"t"}' + b" " * (87 + more)), image())
    assert Client(api).call("later", body=body, headers=dict([FORM])).status == status


def test_a_mock_loads_the_json_alone_and_looks_for_the_files_that_must_come() -> None:
    client = Client(MockService(package_of(load_contract(emit_contract(api)))))

    def issues(route: str, *parts: bytes) -> list[tuple[Any, str]]:
        reply = client.call(route, body=made(*parts), headers=dict([FORM]))
        told = [] if reply.status == 200 else reply.json["data"]["issues"]
        return [(*each["path"], each["code"]) for each in told]

    assert issues("add", json_part(), image()) == []
    assert issues("add", json_part()) == [("image", "missing")]
    assert issues("add", json_part(b'{"title":""}'), image()) == [("title", "string_too_short")]
    assert issues("add", image()) == [("title", "missing")]
    assert issues("note") == issues("note", part(b"1", name="scan")) == []


def test_a_mock_says_how_many_files_are_missing() -> None:
    @dataclass(frozen=True)
    class Album:
        images: Annotated[list[Upload], Len(2, 3)]

    @route(summary="Add", tags=["t"], auth="none")
    def album(input: Album, ctx: None) -> int:
        return len(input.images)

    real = spec(routes=[album])
    package = package_of(load_contract(emit_contract(real)))
    one = {"images": [PNG]}

    [told] = Client(MockService(package)).call("album", files=one).json["data"]["issues"]
    assert told["code"] == "too_few_items"
    assert [told] == Client(real).call("album", files=one).json["data"]["issues"]


def test_a_form_that_is_cut_off_is_told_so() -> None:
    reply = Client(api).call("add", body=made(image(), end=b"-"), headers=dict([FORM]))

    assert "before the last boundary" in reply.json["data"]["message"]


@rows(
    "parts, words",
    ([part(PNG, "Content-Type: image/gif", name="image")], ["image/png", "image/jpeg"]),
    ([image(), *[part(b"1", name="more")] * 3], ["2"]),
    ([image(), part(b"{}", "Content-Type: a/b", name="input")], ["application/json"]),
)
def test_an_issue_says_what_would_do(parts: list[bytes], words: list[str]) -> None:
    *_, found = add(*parts).json["data"]["issues"]

    assert all(word in found["message"] for word in words), found


@rows(
    "told, taken",
    ("Image/PNG; a=b", "image/png"),
    ("image/\u202egnp", "application/octet-stream"),
    ("text/<b>", "application/octet-stream"),
    ("text", "application/octet-stream"),
    ("a/" + "b" * 128, "application/octet-stream"),
)
def test_the_media_type_of_an_upload_is_one_that_may_be_sent_on(told: str, taken: str) -> None:
    raw = part(b"1", f"Content-Type: {told}", name="raw-data")
    assert add(json_part(), image(), raw).json["types"] == ["image/png", taken]


def test_an_upload_is_made_of_bytes() -> None:
    of: Any = Upload.of
    with pytest.raises(TypeError, match="give bytes"):
        of("text")


def test_null_is_the_json_of_files_alone() -> None:
    body = made(json_part(b"null"), image())
    reply = Client(api).call("avatar", body=body, headers=dict([FORM]))
    assert reply.json == 4
    assert Client(api).call("avatar", body=made(part(name="input"))).status == 415


def begun() -> tuple[Any, Any]:
    """What reads the forms of a route, and one that nothing has been read of."""
    reads: Any = bind(api)["add"].input
    reads.max_json = 100
    return reads, reads.begin(b"made-up")


def test_a_text_stands_for_a_file_while_its_form_is_loaded() -> None:
    reads, form = begun()
    form.feed(made(json_part(), image()))
    form.finish()
    assert reads.load(form).image.read() == PNG
    form.close_files()

    assert UPLOADED.get(None) is None


def test_a_form_and_its_files_are_gone_once_it_is_closed() -> None:
    _, form = begun()
    form.feed(made(json_part(), image(), part(name="more")))
    [file], held = form.files["image"], ref(form)
    form.close_files()

    assert file.file.closed
    gc.disable()
    try:
        del form
        assert held() is None
    finally:
        gc.enable()


def test_a_form_tells_how_much_of_it_is_in_memory() -> None:
    held: list[int] = []
    for size in (65_536, 65_537):
        _, form = begun()
        form.feed(made(json_part(b"[1]"), image(b"x" * size)))
        held.append(form.held)
        form.close_files()

    assert held == [3 + 65_536, 3], "a large file is on disk"


def test_a_file_that_is_too_large_takes_no_more_room(monkeypatch: pytest.MonkeyPatch) -> None:
    spools: list[Any] = []

    def noted(most: int) -> Any:
        spools.append(SpooledTemporaryFile(most))  # noqa: SIM115  the form closes it
        return spools[-1]

    monkeypatch.setattr(form, "SpooledTemporaryFile", noted)
    _, begins = begun()
    begins.feed(made(json_part(), image(b"x" * 200_100))[:-20])

    assert spools[0].closed


def test_a_body_is_bounded_before_it_is_read() -> None:
    reads, _ = begun()

    assert reads.max_bytes == 200_000 + 10 + 3 * 2**20 + 100 + 26 * 16_384


def test_no_log_is_told_of_bytes_that_are_no_form(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[logging.LogRecord] = []
    handler = logging.Handler()
    monkeypatch.setattr(handler, "emit", told.append)
    monkeypatch.setattr(logging.getLogger(), "handlers", [handler])
    _, begins = begun()
    with pytest.raises(Refused) as raised:
        begins.feed(b"--other")

    assert raised.value.code == "BAD_REQUEST"
    assert not told


class Full:
    """A file on a disk that is full."""

    def __init__(self, *_: object) -> None: ...

    def write(self, _: bytes) -> None:
        raise OSError(28, "No space left on device")

    def close(self) -> None: ...


def test_a_full_disk_is_no_fault_of_the_caller(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(form, "SpooledTemporaryFile", Full)
    body = made(json_part(), image())
    reply = Client(api).call("add", body=body, headers=dict([FORM]))

    assert (reply.status, reply.error) == (503, "SERVICE_UNAVAILABLE")
    assert "writing a file to disk raised" in caplog.text


def test_little_of_a_form_is_in_memory() -> None:
    body = Body()
    body.received = 10**9
    assert body.held == 10**9
    body.spools(10**9)
    assert body.held == 65_536
    body.drop()


def test_the_larger_a_form_may_be_the_longer_it_may_take() -> None:
    limits = Limits(read_seconds=1e6, body_seconds=1e3)
    times: dict[int, float] = {}
    for size in (0, 2**20, 3 * 2**20):
        body = Body()
        if size:
            body.spools(size)
        body.wait(limits)
        body.feed(b"a" * 100)
        times[size] = body.due - body.began
        body.drop()

    rounded = {size: round(time, -3) for size, time in times.items()}
    assert rounded == {0: 1e3, 2**20: 2e3, 3 * 2**20: 4e3}


def test_without_the_library_for_forms_nothing_is_mounted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "python_multipart.multipart", None)

    why = r'^mount_spec\(spec=\).*takes files.*pip install "contract-rpc\[files\]"'
    with pytest.raises(MountError, match=why):
        Client(api)


def test_whatever_a_form_needs_is_compiled_before_the_first_call() -> None:
    bound: Any = bind(api, map_error=None)

    assert bound["add"].loads() == [bound["add"].input.pred]
    assert len(bound["avatar"].loads()) == 1


def test_a_mock_compiles_nothing_for_a_form_whose_files_it_does_not_load() -> None:
    mock = MockService(package_of(load_contract(emit_contract(api))))

    assert mock.routes["/avatar"].loads() == []
