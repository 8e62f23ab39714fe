"""``contract completion``."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from contract.cli.commands import parser_of_all
from contract.cli.options import SHELLS
from tests.cli_inside import run
from tests.cli_servers import ran
from tests.tables import rows


def script(shell: str, folder: Path) -> str:
    done = run("completion", shell, cwd=folder)

    assert (done.returncode, done.stderr) == (0, b"")
    return done.out


@rows(
    "typed, offered",
    (["s"], ["serve", "skill"]),
    (["--v"], ["--version"]),
    (["serve", "--int"], ["--interface"]),
    (["serve", "--interface", ""], ["auto", "wsgi", "asgi"]),
    (["serve", "--port", ""], []),
    (["completion", ""], ["bash", "zsh", "fish"]),
    (["call", "serve", "--u"], ["--url"]),
    (["fly", ""], []),
    (["diff", "old"], []),
)
def test_bash_completes(typed: list[str], offered: list[str], tmp_path: Path) -> None:
    """Where nothing is offered, bash offers files."""
    words = shlex.join(["contract", *typed])
    ask = f"COMP_WORDS=({words}); COMP_CWORD={len(typed)}; _contract; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = ran("bash", "-c", f"{script('bash', tmp_path)}\n{ask}")

    assert (done.stdout.decode().split(), done.stderr) == (offered, b"")


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_and_option_is_known(shell: str, tmp_path: Path) -> None:
    found = script(shell, tmp_path)

    for name, parser in parser_of_all().commands.items():
        assert name in found
        options = [option for option in parser.format_help().split() if option.startswith("--")]
        assert all(
            (f"-l {option[2:]}" if shell == "fish" else option) in found
            for option in map(_bare, options)
        )


def _bare(option: str) -> str:
    return "".join(char for char in option if char.isalpha() or char == "-").rstrip("-")


def test_what_an_option_is_one_of_is_offered(tmp_path: Path) -> None:
    assert ":interface:(auto wsgi asgi)'" in script("zsh", tmp_path)
    assert "-l interface -x -a 'auto wsgi asgi'" in script("fish", tmp_path)
