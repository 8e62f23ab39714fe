"""Files that are replaced as a whole."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from contract.cli.files import write_file, write_files
from contract.cli.output import Stop


def test_a_new_file_is_made(tmp_path: Path) -> None:
    write_file(tmp_path / "new", b"data")

    assert (tmp_path / "new").read_bytes() == b"data"
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


def test_a_file_is_replaced_in_one_step(tmp_path: Path) -> None:
    """Whoever has the old one open goes on reading that."""
    path = tmp_path / "old"
    path.write_bytes(b"old")
    with path.open("rb") as before:
        write_file(path, b"new")
        assert before.read() == b"old"

    assert path.read_bytes() == b"new"


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"old")
    (tmp_path / "link").symlink_to("old")
    write_file(tmp_path / "link", b"new")

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "old").read_bytes() == b"new"


def test_a_device_is_written_to_and_not_replaced() -> None:
    write_file(Path(os.devnull), b"data")

    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_what_cannot_be_written_is_said_and_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "folder", tmp_path / "absent" / "file", tmp_path / ("a" * 300)):
        with pytest.raises(Stop, match=r"^cannot write ") as caught:
            write_file(path, b"data")
        assert caught.value.code == 2

    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_the_old_file_is_kept_where_the_new_one_cannot_be_finished(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(TypeError):
        write_file(path, "no bytes")  # type: ignore[arg-type]

    assert path.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_a_file_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_bytes(b"old")
    path.chmod(0o4750)
    write_file(path, b"new")

    assert stat.S_IMODE(path.stat().st_mode) == 0o750, "but those that a new author must not have"


def test_files_are_written_together(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    write_files({tmp_path / "a": b"1", tmp_path / "b": b"2"})

    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"1", "b": b"2"}


def test_one_file_that_cannot_be_written_keeps_all_of_them(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(Stop, match=r"^cannot write .*file: No such file or directory$") as caught:
        write_files({tmp_path / "a": b"1", tmp_path / "absent" / "file": b"2"})

    assert caught.value.code == 2
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"old"}


def test_a_folder_in_the_last_moment_takes_no_file_along(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    with pytest.raises(Stop, match=r"^cannot write .*b: Is a directory$"):
        write_files({tmp_path / "b": b"2"})

    assert [path.name for path in tmp_path.iterdir()] == ["b"]
