"""A file from one version to the next."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from contract.cli.follow import versions
from contract.cli.output import Stop
from tests.cli_servers import PATIENCE


def stop(version: bytes | Stop) -> str:
    assert isinstance(version, Stop)
    return version.message


def test_a_file_is_told_whenever_it_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "contract.json"
    path.write_bytes(b"1")
    found = versions(path)

    assert next(found) == b"1"
    path.write_bytes(b"2")  # before anybody watches
    assert next(found) == b"2"
    path.unlink()
    assert stop(next(found)) == f"cannot read {path}: No such file or directory"
    (tmp_path / "new").write_bytes(b"3")
    (tmp_path / "new").replace(path)
    assert next(found) == b"3"


def test_what_lies_beside_it_is_not_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "contract.json"
    path.write_bytes(b"0")
    found = versions(path)
    assert next(found) == b"0"
    over = threading.Event()

    def write() -> None:
        number = 0
        while not over.wait(0.02):
            number += 1
            (tmp_path / "other.json").write_bytes(b"%d" % number)
            if number % 10 == 0:
                path.write_bytes(b"0" if number < 50 else b"1")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert next(found) == b"1"
    finally:
        over.set()
        writer.join(PATIENCE)


def test_a_folder_that_is_not_there_cannot_be_watched(tmp_path: Path) -> None:
    found = versions(tmp_path / "absent" / "contract.json")

    assert stop(next(found)).startswith("cannot read ")
    with pytest.raises(Stop, match=r"there is no folder .*absent to watch"):
        next(found)
