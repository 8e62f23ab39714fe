"""Output: where it goes, and what becomes of a command when it does not get there."""

from __future__ import annotations

import io
import json
import logging
import os
import shlex
import stat
import sys
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from contract.cli import main
from contract.cli.output import Stop, data, keep_streams, raw, say, write_copies, write_files
from tests.cli_apps import BARE
from tests.cli_inside import having, inside, run, stopping
from tests.cli_servers import ran
from tests.tables import rows


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A contract, and a later one without its route."""
    assert run("emit app.py -o old.json", cwd=having(tmp_path, BARE, "app.py")).returncode == 0
    document = json.loads((tmp_path / "old.json").read_bytes())
    (tmp_path / "new.json").write_text(json.dumps({**document, "routes": {}}))
    return tmp_path


def written_to(out: int, arguments: str, folder: Path, *, both: bool = False) -> tuple[int, str]:
    """The exit code of a command whose standard output is *out*, and what it says. Closing the stream fails if anything is left in it."""
    err = io.StringIO()
    with inside(folder) as patch, os.fdopen(os.dup(out), "w") as stream:
        patch.setattr(logging.getLogger(), "handlers", [])
        patch.setattr(sys, "stdout", stream)
        patch.setattr(sys, "stderr", stream if both else err)
        code = main(shlex.split(arguments))
    return code, err.getvalue()


@contextmanager
def pipe_without_a_reader() -> Generator[int]:
    read, write = os.pipe()
    os.close(read)
    try:
        yield write
    finally:
        os.close(write)


@contextmanager
def full_disk() -> Generator[int]:
    with Path("/dev/full").open("wb") as full:
        yield full.fileno()


@rows(
    "arguments, code",
    ("diff old.json new.json", 1),
    ("diff old.json new.json --json", 1),
    ("generate old.json -o api.py --check", 1),
    ("generate old.json -o api.py --check --json", 1),
    ("check app.py absent.json --json", 1),
    ("call nothing --app app.py", 1),
    ("call nothing --app app.py --json", 1),
    ("fuzz app.py --max-examples 1", 0),
    ("routes app.py", 0),
    ("emit app.py", 0),
    ("docs old.json -o site --json", 0),
    ("completion bash", 0),
    ("--help", 0),
    ("--version", 0),
    ("diff --help", 0),
)
def test_a_reader_who_has_gone_changes_no_exit_code(
    folder: Path, arguments: str, code: int
) -> None:
    """``contract diff a b | head`` still says whether anything was found, to ``set -o pipefail``."""
    with pipe_without_a_reader() as out:
        found, said = written_to(out, arguments, folder)

    assert found == code
    assert "cannot write" not in said


@rows(
    "arguments, code",
    ("diff old.json new.json", 1),
    ("generate old.json -o api.py --check", 1),
    ("fly", 2),
)
def test_a_reader_of_both_streams_may_go(folder: Path, arguments: str, code: int) -> None:
    with pipe_without_a_reader() as out:
        assert written_to(out, arguments, folder, both=True) == (code, "")


def test_the_interpreter_has_nothing_to_add(folder: Path) -> None:
    """It writes at its end what is left in its streams, and has an exit code of its own where it cannot."""
    command = f"{sys.executable} -P -m contract diff old.json new.json"
    in_bash = partial(ran, "bash", "-c", cwd=folder, PYTHONUNBUFFERED="")
    piped = in_bash(f"{command} | true; exit ${{PIPESTATUS[0]}}")
    full = in_bash(f"{command} > /dev/full")

    assert (piped.returncode, piped.stderr, full.returncode) == (1, b"", 2)
    assert full.stderr == b"contract: cannot write to standard output: No space left on device\n"


@rows(
    "arguments",
    *("diff old.json new.json", "routes app.py", "emit app.py", "emit app.py -o /dev/full"),
    *("--help", "--version"),
)
def test_a_full_disk_is_told_in_one_line(folder: Path, arguments: str) -> None:
    with full_disk() as out:
        code, said = written_to(out, arguments, folder)

    assert code == 2
    assert said.startswith("contract: cannot write ")
    assert said.endswith(": No space left on device\n")
    assert said.count("\n") == 1


def test_nobody_has_to_read_what_is_told(folder: Path) -> None:
    with full_disk() as out:
        code, _ = written_to(out, "emit app.py -o again.json", folder, both=True)

    assert (code, (folder / "again.json").read_bytes()) == (0, (folder / "old.json").read_bytes())


@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
def test_a_terminal_in_ascii_is_told_all_of_it(folder: Path, errors: str) -> None:
    """``PYTHONIOENCODING=ascii``, and ``LC_ALL=C`` where Python does not help itself."""
    text = "caf\u00e9 \U0001f40d"
    saying = BARE.replace('"pong"', repr(text)).replace("Say pong", text)
    (folder / "app.py").write_text(saying, encoding="utf-8")

    def told(arguments: str) -> bytes:
        out, err = io.BytesIO(), io.BytesIO()
        with inside(folder) as patch:
            patch.setattr(logging.getLogger(), "handlers", [])
            patch.setattr(sys, "stdout", io.TextIOWrapper(out, "ascii", errors))
            patch.setattr(sys, "stderr", io.TextIOWrapper(err, "ascii", "backslashreplace"))
            main(shlex.split(arguments))
            return out.getvalue()

    assert json.loads(told("routes app.py --json"))[0]["summary"] == text
    assert json.loads(told("call ping --app app.py")) == text
    assert rb'the summary is "caf\u00e9 \ud83d\udc0d"' in told("diff old.json app.py")
    assert rb"caf\u00e9 \ud83d\udc0d" in told("generate app.py -o api.py --check")


def test_data_and_words_go_their_own_ways(capsys: pytest.CaptureFixture[str]) -> None:
    data("data")
    say("words")

    assert capsys.readouterr() == ("data\n", "words\n")


def test_half_a_character_is_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    data("\ud83d caf\u00e9")

    assert capsys.readouterr().out == "\\ud83d caf\u00e9\n"


class Broken(io.TextIOWrapper):
    """A stream with no file behind it."""

    def __init__(self, error: OSError) -> None:
        super().__init__(io.BytesIO(), "utf-8")
        self.error: OSError | None = error

    def flush(self) -> None:
        if self.error is not None:
            raise self.error


def test_streams_need_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    gone, broken = Broken(BrokenPipeError()), Broken(OSError(5, "Input/output error"))
    monkeypatch.setattr(sys, "stdout", gone)
    data("data")
    monkeypatch.setattr(sys, "stdout", broken)
    told = r"\Acannot write to standard output: Input/output error\Z"
    with pytest.raises(Stop, match=told) as raised:
        data("data")
    monkeypatch.setattr(sys, "stderr", broken)
    say("words")
    gone.error = broken.error = None  # streams are flushed once more when they are collected

    assert raised.value.code == 2


@rows(
    "arguments, code",
    ("diff old.json new.json", 2),
    ("call ping --app app.py", 2),
    ("emit app.py -o again.json", 0),
)
def test_closed_streams_end_no_command_in_a_traceback(
    folder: Path, arguments: str, code: int
) -> None:
    """What should go to one of them goes nowhere else, neither to the other one nor to a file that was opened in its place."""
    line = f"{sys.executable} -P -m contract {arguments}"
    out, err, both = (
        ran("bash", "-c", f"{line} {closed}", cwd=folder)
        for closed in (">&-", "2>&-", "<&- >&- 2>&-")
    )

    assert (out.returncode, both.returncode) == (code, code)
    assert b"Traceback" not in out.stderr
    assert (b"cannot write to standard output: it is closed" in out.stderr) == (code == 2)
    assert b"contract:" not in err.stdout
    assert err.returncode == (1 if arguments.startswith("diff") else 0)


def test_a_closed_standard_input_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with inside(folder) as patch:
        patch.setattr(logging.getLogger(), "handlers", [])
        patch.setattr(sys, "stdin", None)
        code = main(["call", "ping", "-", "--app", "app.py"])

    assert code == 2
    assert capsys.readouterr().err == "contract: cannot read standard input: it is closed\n"


def test_what_is_closed_gets_a_place_that_is_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[int] = []

    def fstat(descriptor: int) -> None:
        if descriptor == 2:
            raise OSError(9, "Bad file descriptor")

    def inheritable(descriptor: int, inherited: bool) -> None:
        assert inherited
        kept.append(descriptor)
        os.close(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fstat", fstat)
        patch.setattr(os, "set_inheritable", inheritable)
        patch.setattr(sys, "stderr", None)
        keep_streams()
        stream = sys.stderr
    assert (len(kept), stream.name) == (1, os.devnull)
    stream.close()


def test_standard_output_may_be_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)

    with pytest.raises(Stop, match="standard output: it is closed"):
        data("data")
    with pytest.raises(Stop, match="standard output: it is closed"):
        raw(b"data")


# Files that are replaced as a whole.


def test_a_new_file_is_made(tmp_path: Path) -> None:
    write_copies([tmp_path / "new"], b"data")

    assert (tmp_path / "new").read_bytes() == b"data"
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


def test_a_file_is_replaced_in_one_step(tmp_path: Path) -> None:
    """Whoever has the old one open goes on reading that."""
    path = tmp_path / "old"
    path.write_bytes(b"old")
    with path.open("rb") as before:
        write_copies([path], b"new")
        assert before.read() == b"old"

    assert path.read_bytes() == b"new"


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"old")
    (tmp_path / "link").symlink_to("old")
    write_copies([tmp_path / "link"], b"new")

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "old").read_bytes() == b"new"


def test_a_device_is_written_to_and_not_replaced() -> None:
    write_copies([Path(os.devnull)], b"data")

    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_what_cannot_be_written_is_said_and_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "folder", tmp_path / "absent" / "file", tmp_path / ("a" * 300)):
        with stopping(r"^cannot write "):
            write_copies([path], b"data")

    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_the_old_file_is_kept_where_the_new_one_cannot_be_finished(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(TypeError):
        write_copies([path], "no bytes")  # type: ignore[arg-type]

    assert path.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_a_file_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_bytes(b"old")
    path.chmod(0o4750)
    write_copies([path], b"new")

    assert stat.S_IMODE(path.stat().st_mode) == 0o750, "but those that a new author must not have"


def test_files_are_written_together(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    write_files({tmp_path / "a": b"1", tmp_path / "b": b"2"})

    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"1", "b": b"2"}


def test_one_file_that_cannot_be_written_keeps_all_of_them(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    with stopping(r"^cannot write .*file: No such file or directory$"):
        write_files({tmp_path / "a": b"1", tmp_path / "absent" / "file": b"2"})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"old"}


def test_a_folder_in_the_last_moment_takes_no_file_along(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    with pytest.raises(Stop, match=r"^cannot write .*b: Is a directory$"):
        write_files({tmp_path / "b": b"2"})

    assert [path.name for path in tmp_path.iterdir()] == ["b"]
