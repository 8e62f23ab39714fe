"""Forms: names of files, and what becomes of a form where the disk is full."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from contract import Limits, MountError, Upload
from contract.call import form
from contract.call.bound import bind
from contract.call.form import file_name
from contract.cli import granian_calls
from contract.cli.granian_calls import Body
from contract.testing import Client
from tests.uploaded import FORM, api, image, json_part, part
from tests.uploaded import form as made


@pytest.mark.parametrize(
    ("told", "name"),
    [
        (None, "file"),
        ("", "file"),
        ("...", "file"),
        ("/etc/passwd", "passwd"),
        ("..\\..\\boot.ini", "boot.ini"),
        ("a\u202egnp.exe", "agnp.exe"),
        ("LPT1.txt", "_LPT1.txt"),
        ("x" * 200, "x" * 120),
        ("x" * 200 + ".png", "x" * 116 + ".png"),
        ("x." + "y" * 200, "x." + "y" * 118),
        ("\u061ca.png", "a.png"),
        ("con .txt", "_con.txt"),
        ("x" * 119 + " y", "x" * 119),
        ("字" * 120, "字" * 80),
        ("字" * 120 + ".png", "字" * 78 + ".png"),
        ("x" * 115 + " .y.png", "x" * 115 + ".png"),
    ],
)
def test_a_name_leads_nowhere(told: str | None, name: str) -> None:
    assert file_name(told) == name


@pytest.mark.parametrize(
    ("told", "status"),
    [
        ("application/json; charset=UTF-8", 200),
        ("text/plain; charset=us-ascii", 200),
        ("application/json; charset=utf-16", 400),
        ("text/plain; charset=iso-8859-1", 400),
        ("text/csv", 400),
    ],
)
def test_the_json_is_in_utf_8_whatever_it_is_called(told: str, status: int) -> None:
    body = made(part(b"{}", f"Content-Type: {told}", name="input"), image())
    assert Client(api).call("avatar", body=body, headers=dict([FORM])).status == status


def test_an_upload_is_made_of_bytes() -> None:
    of: Any = Upload.of
    with pytest.raises(TypeError, match="give bytes"):
        of("text")


def test_null_is_the_json_of_files_alone() -> None:
    body = made(json_part(b"null"), image())
    reply = Client(api).call("avatar", body=body, headers=dict([FORM]))
    assert reply.json == 4
    assert Client(api).call("avatar", body=made(part(name="input"))).status == 415


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


def test_contract_serve_refuses_a_form_where_its_disk_is_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(granian_calls, "SpooledTemporaryFile", Full)
    ask: Callable[[], Any] = object
    body = Body(ask, None, Limits())
    body.spools(10)
    body.keep(b"a")

    assert body.refused is not None
    assert body.refused.code == "SERVICE_UNAVAILABLE"
    body.drop()


def test_little_of_a_form_is_in_memory() -> None:
    body = Body(object, None, Limits())
    body.received = 10**9
    assert body.held == 10**9
    body.spools(10**9)
    assert body.held == 65_536
    body.drop()


def test_without_the_library_that_reads_forms_nothing_is_mounted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "python_multipart.multipart", None)

    with pytest.raises(MountError, match=r'takes files.*pip install "contract-rpc\[files\]"'):
        Client(api)


def test_whatever_a_form_needs_is_compiled_before_the_first_call() -> None:
    bound: Any = bind(api, map_error=None)

    assert any(pred is bound["add"].input.pred for pred in bound["add"].preds())
    assert len(bound["avatar"].preds()) == len(bound["avatar"].every_failure) + 2
