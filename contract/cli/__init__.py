"""
The command line: ``contract dev``, ``contract serve`` and the rest of ``contract --help``.

Data goes to standard output, everything for people to standard error.
Exit codes: 0 all is well, 1 something was found (a failure reply, a server that broke down), 2
wrong usage or a failed write, 3 a failed import or fetch.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from contract.cli.output import Stop, keep_streams, say

__all__ = ["main"]

_SECRETS: Final = "CONTRACT_SECRETS"
"""As in `contract.call.paging`, which would take long to import."""
_NO_SECRET: Final = "of a command that serves nobody and so no secret"  # noqa: S105  it says so
_SERVING: Final = frozenset({"dev", "serve"})
"""The commands that serve: `dev` makes a secret for page keys, `serve` is given one."""

_EXTRAS = {
    "httptools": "serve",
    "hypothesis": "testing",
    "uvloop": "serve",
    "watchfiles": "dev",
}
"""A package that a command may lack -> the extra that installs it."""


def main(argv: Sequence[str] | None = None) -> int:
    """
    Run a command and return its exit code.

    Args:
        argv: Without the program's name; by default the arguments of the process.
    """
    keep_streams()
    try:
        # only here: each worker imports this package, and argparse would take a MiB in it
        arguments = import_module("contract.cli.commands").arguments_of(argv)
        if arguments.command not in _SERVING:
            arguments.secrets = os.environ.get(_SECRETS)  # `doctor` checks them
            os.environ.setdefault(_SECRETS, _NO_SECRET)
        # each command is a module that is imported only when it runs: ``contract --help`` must be
        # quick, and what a command needs (httptools, Hypothesis) may not be installed
        command = import_module(f"contract.cli.{arguments.command}")
        code: int = command.run(arguments)
        return code
    except Stop as stop:
        say(f"contract: {stop.message}")
        return stop.code
    except ModuleNotFoundError as missing:
        name = (missing.name or "").partition(".")[0]
        extra = _EXTRAS.get(name)
        if extra is None:
            raise
        say(f"contract: this command needs {name}: pip install 'contract-rpc[{extra}]'")
        return 2
    except SystemExit as leaving:
        # argparse, after help or a usage error that it has printed; a server, whose log has the
        # reason
        if isinstance(leaving.code, int):
            return leaving.code
        return 0
    except KeyboardInterrupt:
        return 130  # the exit code of a shell for SIGINT
    except BrokenPipeError:
        # a pipe of the app: for our own output, `contract.cli.output` ends quietly if its reader
        # has gone
        return 141  # the exit code of a shell for SIGPIPE
