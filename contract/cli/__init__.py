"""
The command line: ``contract dev``, ``contract serve`` and the rest of ``contract --help``.

Data goes to standard output, everything for people to standard error.
Exit codes: 0 all is well, 1 something was found (a failure reply, a server that broke down), 2
wrong usage or a failed write, 3 a failed import or fetch.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Final

from contract import __version__
from contract.cli import options
from contract.cli.output import Stop, keep_streams, say
from contract.cli.parser import Parser, parse

__all__ = ["main", "parser_of_all"]

_SECRETS: Final = "CONTRACT_SECRETS"
"""As in `contract.call.paging`, which would take long to import."""
_NO_SECRET: Final = "of a command that serves nobody and so no secret"  # noqa: S105  it says so
_SERVING: Final = frozenset({"dev", "serve"})
"""The commands that serve: `dev` makes a secret for page keys, `serve` is given one."""

_EXTRAS = {
    "granian": "serve",
    "httptools": "serve",
    "hypothesis": "testing",
    "uvicorn": "serve",
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
        arguments = parse(parser_of_all(), argv)
        if arguments.command not in _SERVING:
            arguments.secrets = os.environ.get(_SECRETS)  # `doctor` checks them
            os.environ.setdefault(_SECRETS, _NO_SECRET)
        # each command is a module that is imported only when it runs: ``contract --help`` must be
        # quick, and what a command needs (granian, Hypothesis) may not be installed
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
        # argparse, after help or a usage error that it has printed; granian, whose log has the
        # reason
        return leaving.code if isinstance(leaving.code, int) else 0
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # a pipe of the app: for our own output, `contract.cli.output` ends quietly if its reader
        # has gone
        return 141  # the exit code of a shell for SIGPIPE


def parser_of_all() -> Parser:
    """The parser of every command."""
    parser = Parser(
        prog="contract", description="Serve, list, call and describe the routes of a spec."
    )
    parser.add_argument("--version", action="version", version=f"contract {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (usage, summary, add_options) in _COMMANDS.items():
        # argparse's own usage of a command with many options fills the terminal, and hides the one
        # line that says what is wrong
        usage = f"contract {name} {usage}"
        parser.commands[name] = command = commands.add_parser(name, usage=usage, help=summary)
        command.summary = summary
        add_options(command)
    return parser


_COMMANDS: Final[Mapping[str, tuple[str, str, Callable[[Parser], None]]]] = {
    "new": ("NAME", "make a project, with tests, Makefile, CI and Dockerfile", options.new),
    "dev": ("[OPTIONS] [TARGET]", "serve one file while you write it, with reload", options.dev),
    "serve": ("[OPTIONS] TARGET", "serve with worker processes, for production", options.serve),
    "routes": ("[--json] [TARGET]", "list the routes", options.routes),
    "call": (
        "[OPTIONS] [URL] NAME [JSON]",
        "call a route, in this process or over HTTP",
        options.call,
    ),
    "emit": ("[OPTIONS] [TARGET]", "write contract.json or openapi.json", options.emit),
    "generate": (
        "[OPTIONS] SOURCE -o FILE",
        "write a client or validators, in Python or TypeScript",
        options.generate,
    ),
    "mock": ("[OPTIONS] SOURCE", "serve made-up answers that a contract allows", options.mock),
    "docs": (
        "[OPTIONS] SOURCE -o DIR",
        "write the explorer of a contract, as a folder for any static host",
        options.docs,
    ),
    "diff": (
        "[OPTIONS] OLD NEW",
        "tell what changed between two contracts, and whom it breaks",
        options.diff,
    ),
    "check": (
        "[OPTIONS] [TARGET] [FILE...]",
        "see whether a spec loads, and emitted files are up to date",
        options.check,
    ),
    "doctor": (
        "[--json] [TARGET]",
        "say what is missing or old, and what is not safe in production",
        options.doctor,
    ),
    "fuzz": (
        "[OPTIONS] [TARGET | --url URL]",
        "call every route with what it takes, and with what it just does not",
        options.fuzz,
    ),
    "skill": (
        "[--pages]",
        "write how services are written with contract, for agents that write code",
        options.skill,
    ),
    "completion": (
        "SHELL",
        "write what makes a shell complete commands and options",
        options.completion,
    ),
}
"""Name of a command -> its usage, its line of help, and the function that adds its options."""
