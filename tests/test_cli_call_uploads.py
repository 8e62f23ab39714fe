"""``contract call`` with files, in this process and over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from contract.cli import main
from tests.cli_servers import running
from tests.tables import rows


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.png").write_bytes(b"\x89PNG")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the routes are served."""
    folder = tmp_path_factory.mktemp("served")
    with running("serve tests.uploaded:api --workers 1", cwd=folder) as server:
        yield f"http://127.0.0.1:{server.port}"


def test_a_call_brings_files(folder: Path, url: str, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["add", '{"title":"t"}', "--file", "image=a.png", "--file", "more=a.png"]
    given += ["--file", f"more={folder / 'a.png'}"]
    for place in (["--app", "tests.uploaded:api"], ["--url", url]):
        assert main(["call", *given, *place]) == 0
        assert orjson.loads(capsys.readouterr().out)["names"] == ["a.png"] * 3


def test_which_files_a_route_takes_is_told_where_none_are_given(
    folder: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = ("image", "more", "raw-data", "thumb")
    told = "add takes files: " + " ".join(f"--file {part}=PATH" for part in parts)
    for given in (["add", "{}", "--app", "tests.uploaded:api"], [url, "add", "{}"]):
        assert main(["call", *given]) == 1
        assert told in capsys.readouterr().err
    assert main(["call", "add", "{}", "--url", url]) == 1
    assert "takes files" not in capsys.readouterr().err


@rows(
    "given, told",
    (["--file", "a.png"], "is not a NAME=PATH, such as image=photo.png"),
    (["--file", "image=none"], "no such file"),
    (["{}", "--form"], "which begins with its boundary: --BOUNDARY"),
)
def test_files_that_are_none_are_told(
    folder: Path, given: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["call", "add", "--app", "tests.uploaded:api", *given]) == 2
    assert told in capsys.readouterr().err
