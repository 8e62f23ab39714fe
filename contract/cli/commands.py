"""Commands: the name, the usage and the help of each, for ``contract --help``."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from contract import __version__
from contract.cli import options
from contract.cli.parser import Parser, parse

__all__ = ["arguments_of", "parser_of_all"]


def arguments_of(argv: Sequence[str] | None) -> argparse.Namespace:
    """The arguments of one of them, as `contract.cli.parser.parse` reads them."""
    return parse(parser_of_all(), argv)


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
