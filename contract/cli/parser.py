"""Parser: the arguments of a command; nothing here imports an app, or what a command needs."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final, final

from contract import __version__
from contract.cli import options
from contract.cli.output import data, say

__all__ = ["Parser", "parse", "parser_of_all"]


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """
    The arguments of a command; ``command`` is its name.

    Raises:
        SystemExit: They are wrong, which has been told, or help was asked for.
    """
    parser = parser_of_all()
    given = sys.argv[1:] if argv is None else [*argv]
    if not given:
        parser.print_help(sys.stderr)  # it is not what was asked for, so it is no data
        parser.exit(2)
    name = given[0]
    if not name.startswith("-") and name not in parser.commands:
        likely = get_close_matches(name, parser.commands, 1)
        known = f"there are {', '.join(parser.commands)}"
        if likely:
            known = f"did you mean {likely[0]}?"
        parser.error(f"there is no command {name!r}; {known}")
    arguments, behind = parser.parse_known_args(given)
    unknown = [text for text in behind if not _take(arguments, text)]
    if unknown:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    if arguments.command == "call":
        _check_call(parser, arguments)
    return arguments


def _check_call(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    """
    Sort out ``URL NAME [JSON]``, the other form of ``NAME [JSON]``, and refuse what does not fit.
    """
    arguments.base = None
    if "://" in arguments.name:
        if arguments.url or arguments.target:
            parser.error(
                "a call goes to one place: leave out --url and --app, "
                "or the URL in front of the route"
            )
        if arguments.input is None:
            parser.error(
                f"the name of the route is missing: contract call {arguments.name} NAME [JSON]"
            )
        # argparse has taken the URL for the name, and so on
        arguments.base, arguments.name = arguments.name, arguments.input
        arguments.input, arguments.rest = arguments.rest, None
    if arguments.rest is not None:
        parser.error(f"unrecognized arguments: {arguments.rest}")
    if arguments.base is None and arguments.url is None and (arguments.header or arguments.timeout):
        parser.error(
            "--header and --timeout are for a call over HTTP; "
            "name the URL: contract call https://shop.example/v1 NAME [JSON]"
        )


def _take(arguments: argparse.Namespace, text: str) -> bool:
    """
    Whether *text*, which argparse did not place, belongs to *arguments*, and is put there.

    Once an option stands between what has no name, argparse gives up what may be left out, and
    knows nothing to do with the rest; its own way of parsing both intermixed does not go with
    commands.
    """
    if _OPTION.match(text):
        return False
    if arguments.command == "check":
        arguments.files = [*arguments.files, text]
        return True
    if arguments.command == "call":
        free = next((name for name in ("input", "rest") if getattr(arguments, name) is None), None)
        if free is not None:
            setattr(arguments, free, text)
        return free is not None
    return False


_OPTION: Final = re.compile(r"-(?![0-9.]|\Z)")
"""An option: neither a number, nor what stands for standard input."""


@final
class Parser(argparse.ArgumentParser):
    """
    A parser that writes help as data.

    argparse would drop help without a word where it cannot be written.

    Attributes:
        told: What a command is for, in a line.
        commands: Name -> parser of each command.
    """

    told: str = ""

    def __init__(self, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, **settings)
        self.commands: dict[str, Parser] = {}

    def _print_message(self, message: str, file: object = None) -> None:
        (data if file is sys.stdout else say)(message.removesuffix("\n"))


def parser_of_all() -> Parser:
    """The parser of every command."""
    parser = Parser(
        prog="contract", description="Serve, list, call and describe the routes of a spec."
    )
    parser.add_argument("--version", action="version", version=f"contract {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (usage, told, add_options) in _COMMANDS.items():
        # argparse's own usage of a command with many options fills the terminal, and hides the one
        # line that says what is wrong
        usage = f"contract {name} {usage}"
        parser.commands[name] = command = commands.add_parser(name, usage=usage, help=told)
        command.told = told
        add_options(command)
    return parser


_COMMANDS: Final[Mapping[str, tuple[str, str, Callable[[Parser], None]]]] = {
    "dev": (
        "[OPTIONS] [TARGET]",
        "serve one file while you write it, with reload",
        options.dev,
    ),
    "serve": (
        "[OPTIONS] TARGET",
        "serve with worker processes, for production",
        options.serve,
    ),
    "routes": (
        "[--json] [TARGET]",
        "list the routes",
        options.routes,
    ),
    "call": (
        "[OPTIONS] [URL] NAME [JSON]",
        "call a route, in this process or over HTTP",
        options.call,
    ),
    "emit": (
        "[OPTIONS] [TARGET]",
        "write contract.json or openapi.json",
        options.emit,
    ),
    "generate": (
        "[OPTIONS] SOURCE -o FILE",
        "write a client or validators, in Python or TypeScript",
        options.generate,
    ),
    "mock": (
        "[OPTIONS] SOURCE",
        "serve made-up answers that a contract allows",
        options.mock,
    ),
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
    "fuzz": (
        "[OPTIONS] [TARGET | --url URL]",
        "call every route with what it takes, and with what it just does not",
        options.fuzz,
    ),
    "completion": (
        "SHELL",
        "write what makes a shell complete commands and options",
        options.completion,
    ),
}
"""Name of a command -> its usage, its line of help, and the function that adds its options."""
