"""``contract call`` of a route that gives a file: saved, piped, and never written on a terminal."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.cli_inside import Done, having, inside, run
from tests.client_servers import always, once, response, serving

APP = """
from collections.abc import Iterator
from typing import Annotated

from contract import Download, Media, Stream, route, spec


@route(summary="Picture", tags=["t"], auth="none", effect="read")
def picture(input: int, ctx: None) -> Annotated[Download, Media("image/png")]:
    def broken() -> Iterator[bytes]:
        yield b"\\x89PNG"
        raise LookupError("the disk is gone")

    return Download(broken() if input else b"\\x89PNG", media_type="image/png", name="a.png")


@route(summary="Name", tags=["t"], auth="none", effect="read")
def name(input: None, ctx: None) -> str:
    return "a"


@route(summary="Names", tags=["t"], auth="none")
def names(input: None, ctx: None) -> Stream[str]:
    return Stream(iter(["a"]))


api = spec(routes=[picture, name, names])
"""
FILE = {"content_type": "image/png", "content_disposition": "inline", "x_request_id": "r1"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return having(tmp_path, APP, "desk.py")


def here(folder: Path, input: str, *flags: str, terminal: bool = False) -> Done:
    """What becomes of a file of this process."""
    where = ("call", "picture", input, "--app", "desk.py")
    return run(*where, *flags, cwd=folder, terminal=terminal)


def there(folder: Path, *flags: str, data: bytes | None = None) -> Done:
    """What becomes of a file that a server sends."""
    handle = always(response(b"\x89PNG", **FILE)) if data is None else once(data)
    with serving(handle) as server:
        return run("call picture 0 --url", server.url, *flags, cwd=folder)


def test_a_file_is_piped_or_saved(folder: Path) -> None:
    for done in (here(folder, "0"), there(folder), there(folder, "--get")):
        assert (done.returncode, done.stdout) == (0, b"\x89PNG")
        assert b"200 picture  request " in done.stderr
        assert done.stderr.endswith(b"  image/png, 4 bytes\n")
    for number, done in enumerate(
        (here(folder, "0", "--get", "-o", "0.png"), there(folder, "-o", "1.png"))
    ):
        assert (done.returncode, done.stdout) == (0, b"")
        assert f"4 bytes, saved as {number}.png".encode() in done.stderr
        assert (folder / f"{number}.png").read_bytes() == b"\x89PNG"
    done = here(folder, "0", "--json", "-o", "2.png")
    assert (done.returncode, json.loads(done.stdout)["status"]) == (0, 200)


def test_a_terminal_gets_no_file(folder: Path) -> None:
    for done in (here(folder, "0", terminal=True), here(folder, "0", "--json")):
        assert (done.returncode, done.stdout) == (2, b"")
        assert b"picture gives a file (image/png), not shown " in done.stderr
        assert done.stderr.endswith(b"; save it: -o FILE\n")


@pytest.mark.parametrize("name", ["name", "names"])
def test_what_is_no_file_is_not_saved_in_silence(folder: Path, name: str) -> None:
    done = run("call", name, "--app", "desk.py", "-o", "a.json", cwd=folder)
    said = f"{name} gives no file, so nothing is saved; write > a.json for its answer\n"
    assert (done.returncode, done.stdout) == (2, b'"a"\n')
    assert done.stderr.endswith(said.encode())
    assert not (folder / "a.json").exists()


def test_a_file_that_is_broken_off_is_not_saved(folder: Path) -> None:
    short = response(b"\x89PNG", content_length="9", **FILE)
    for done in (here(folder, "1", "-o", "a.png"), there(folder, "-o", "a.png", data=short)):
        assert (done.returncode, b"the file of picture was broken off" in done.stderr) == (3, True)
    done = here(folder, "0", "-o", "nowhere/a.png")
    assert (done.returncode, b"cannot write nowhere/a.png" in done.stderr) == (2, True)
    assert [path.name for path in folder.iterdir()] == ["desk.py"]


def test_nothing_is_written_where_standard_output_is_closed(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from contract.cli import main

    with inside(folder) as patch:
        patch.setattr(sys, "stdout", None)
        assert main(["call", "picture", "0", "--app", "desk.py"]) == 2
    assert "it is closed" in capfd.readouterr().err
