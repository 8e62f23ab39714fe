"""The command line as a whole: arguments, exit codes, and what goes where."""

from __future__ import annotations

import argparse
import importlib.metadata
import pickle
import shlex
import sys
import tomllib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

import contract as package
from contract.cli import main
from contract.cli.commands import parser_of_all
from contract.cli.output import Stop, bold, dim, escaped, red, table
from contract.cli.parser import parse
from tests.cli_apps import BARE
from tests.cli_inside import having
from tests.cli_servers import REPOSITORY, contract, ran
from tests.tables import rows

COMMANDS = ["new", "dev", "serve", "routes", "call", "emit", "diff", "check", "doctor", "skill", "completion"]  # fmt: skip


def test_the_version_is_the_package_s(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"contract {package.__version__}\n"


def test_help_is_data_and_needs_nothing_else() -> None:
    """Neither an app nor what serves it is imported."""
    asked = [["--help"], *([command, "--help"] for command in COMMANDS)]
    code = f"import sys; from contract.cli import main; [main(each) for each in {asked}]; print(*{{'falcon', 'httptools', 'uvloop'}} & sys.modules.keys())"
    done = ran(sys.executable, "-c", code)

    assert done.stdout.count(b"usage: contract") == len(asked)
    assert done.stdout.endswith(b"\n\n")
    assert (done.returncode, done.stderr) == (0, b"")


@rows(
    "arguments, problem",
    ("fly", "there is no command 'fly'; there are new, dev, serve, routes, "),
    ("srve", "there is no command 'srve'; did you mean serve?"),
    ("'caf\udce9\x1b'", r"there is no command 'caf\udce9\x1b'"),
    ("--quiet serve", "TARGET"),
    ("completion ksh", "invalid choice: 'ksh'"),
    ("serve", "TARGET"),
    ("serve shop:api --workers 0", "'0' is not a whole number of at least 1"),
    ("serve shop:api --workers two", "'two' is not a whole number of at least 1"),
    ("serve shop:api --port 65536", "'65536' is not a port"),
    ("serve shop:api --port -1", "--port"),
    ("serve shop:api --port http", "'http' is not a port"),
    ("serve shop:api --header-timeout 0", "'0' is not a number of seconds"),
    ("serve shop:api --header-timeout soon", "'soon' is not a number of seconds"),
    ("serve shop:api --linger nan", "'nan' is not a number of seconds"),
    ("serve shop:api --worker-lifetime 59", "at least 60"),
    ("serve shop:api --backlog 99999999999", "'99999999999' is more than 2147483647"),
    (f"serve shop:api --stop-timeout {'9' * 5000}", "is more than 2147483647"),
    ("serve shop:api --work 2", "--work"),
    ("call order --app shop.py --url http://h", "not allowed with"),
    ("docs shop:api -o a --output b", "argument -o/--output: it was given twice; give it once"),
    ("call list --app shop.py -o a -o b", "argument -o/--output: it was given twice"),
)
def test_wrong_usage_is_told_about(
    arguments: str, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(shlex.split(arguments)) == 2

    out, err = capsys.readouterr()
    usage, said = err.splitlines()
    assert out == ""
    assert usage.startswith("usage: contract ")
    assert len(usage) < 80
    assert problem in said


def test_without_a_command_there_is_help(capsys: pytest.CaptureFixture[str]) -> None:
    """It is not data, since nobody asked for it."""
    assert main(["--help"]) == 0
    wanted = capsys.readouterr().out
    assert main([]) == 2

    assert capsys.readouterr() == ("", wanted)
    assert all(f"\n    {command}" in wanted for command in COMMANDS)


def test_the_arguments_of_the_process_are_meant(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["contract", "--version"])

    assert main() == 0
    assert capsys.readouterr().out.startswith("contract ")


def test_what_is_not_said_has_a_default() -> None:
    found = parse(parser_of_all(), ["serve", "shop:api"])

    assert (found.host, found.port, found.workers) == ("127.0.0.1", 8000, 1)
    assert (found.interface, found.respawn) == ("auto", True)
    assert parse(parser_of_all(), ["dev"]).target is None


def test_numbers_are_numbers() -> None:
    line = "serve shop:api --workers 2 --port 0 --linger 1.5"
    found = parse(parser_of_all(), line.split())

    assert (found.workers, found.port, found.linger) == (2, 0, 1.5)


def missing(module: str) -> ModuleNotFoundError:
    return ModuleNotFoundError(f"No module named '{module}'", name=module)


def _command(monkeypatch: pytest.MonkeyPatch, run: Callable[[argparse.Namespace], int]) -> None:
    monkeypatch.setitem(sys.modules, "contract.cli.routes", SimpleNamespace(run=run))


@rows(
    "raised, code, text",
    (Stop(3, "there is no file x.py"), 3, "contract: there is no file x.py\n"),
    (missing("httptools"), 2, "pip install 'contract-rpc[serve]'\n"),
    (missing("watchfiles"), 2, "pip install 'contract-rpc[dev]'\n"),
    (SystemExit(1), 1, ""),
    (SystemExit(None), 0, ""),
    (KeyboardInterrupt(), 130, ""),
    (BrokenPipeError(), 141, ""),
)
def test_each_way_to_end_has_its_exit_code(
    raised: BaseException,
    code: int,
    text: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def run(_: argparse.Namespace) -> int:
        raise raised

    _command(monkeypatch, run)

    assert main(["routes"]) == code
    assert capsys.readouterr().err.endswith(text)


def test_another_missing_module_is_a_bug_and_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(_: argparse.Namespace) -> int:
        raise missing("orjson")

    _command(monkeypatch, run)

    with pytest.raises(ModuleNotFoundError, match="orjson"):
        main(["routes"])


def test_a_command_is_a_module() -> None:
    found = [import_module(f"contract.cli.{command}").run.__name__ for command in COMMANDS]
    assert found == ["run"] * len(COMMANDS)


def test_the_module_runs_like_the_command(tmp_path: Path) -> None:
    done = contract("routes", "app.py", cwd=having(tmp_path, BARE, "app.py"))

    assert (done.returncode, done.stdout.count(b"\n"), done.stderr) == (0, 2, b"")


@pytest.mark.measured
def test_importing_the_module_runs_nothing() -> None:
    """As worker processes do."""
    done = ran(sys.executable, "-c", "import contract.__main__")

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_command_is_declared() -> None:
    declared = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())

    named = declared["project"]["scripts"]["contract"]
    entry = importlib.metadata.EntryPoint("contract", named, "console_scripts")
    assert entry.load() is main


@rows(
    "terminal, environ, coloured",
    (True, {}, True),
    (False, {}, False),
    (True, {"NO_COLOR": "1"}, False),
    (True, {"NO_COLOR": ""}, True),
    (True, {"TERM": "dumb"}, False),
)
def test_colours_are_for_terminals(
    terminal: bool, environ: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environ.items():
        monkeypatch.setenv(name, value)

    expected = ["\x1b[1mx\x1b[0m", "\x1b[2mx\x1b[0m", "\x1b[31mx\x1b[0m"] if coloured else ["x"] * 3
    assert [style("x") for style in (bold, dim, red)] == expected


def test_what_others_say_cannot_steer_a_terminal() -> None:
    found = escaped("caf\u00e9 \t1\n\x1b[2J\x07\r\x7f\x9b\u202e\u2066")
    assert found == "caf\u00e9 \t1\n\\x1b[2J\\x07\\r\\x7f\\x9b\\u202e\\u2066"


def test_columns_are_as_wide_as_their_cells() -> None:
    assert table([("A", "B", "C"), ("long", "", "x")]) == "A     B  C\nlong     x"


def test_a_stop_crosses_processes() -> None:
    stop = pickle.loads(pickle.dumps(Stop(3, "no")))

    assert (stop.code, stop.message, str(stop)) == (3, "no", "no")
