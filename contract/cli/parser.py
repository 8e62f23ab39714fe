"""
Parser: how the arguments of a command are read, and the messages for wrong ones.

This module imports neither an app nor anything that only one command needs.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any, Final, final

from contract.call.bearer import MAX_TOKEN_BYTES, is_token
from contract.cli.output import data, say
from contract.shape.header_values import HEADER_WORD

__all__ = ["Parser", "at_least", "header", "parse", "port", "seconds", "token"]


def parse(parser: Parser, argv: Sequence[str] | None) -> argparse.Namespace:
    """
    The arguments of a command; ``command`` is its name, ``commands`` are all parsers.

    Raises:
        SystemExit: They are wrong, and a message was printed, or help was asked for.
    """
    if argv is None:
        argv = sys.argv[1:]
    given = [*argv]
    if not given:
        parser.print_help(sys.stderr)  # it was not asked for, so it is not data
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
    arguments.commands = parser.commands
    return arguments


def _check_call(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    """Read ``URL NAME [JSON]``, the other form of ``NAME [JSON]``, and refuse what does not fit."""
    # 1. Refuse an app where the route belongs: other commands take an app there.
    arguments.base = None
    if _APP.fullmatch(arguments.name) and not (arguments.url or arguments.target):
        words = [word for word in (arguments.input, arguments.rest) if word is not None]
        meant = shlex.join([*(words or ["NAME"]), "--app", arguments.name])
        parser.error(
            f"{arguments.name} names an app, where the name of a route belongs; "
            f"write: contract call {meant}"
        )
    # 2. Move what stands behind a URL to where it belongs.
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
        # argparse took the URL for the name, and so on
        arguments.base, arguments.name = arguments.name, arguments.input
        arguments.input, arguments.rest = arguments.rest, None
    # 3. Refuse what is left over.
    if arguments.rest is not None:
        parser.error(f"unrecognized arguments: {arguments.rest}")
    if arguments.base is None and arguments.url is None and arguments.timeout:
        parser.error(
            "--timeout is for a call over HTTP; "
            "name the URL: contract call https://shop.example/v1 NAME [JSON]"
        )


def _take(arguments: argparse.Namespace, text: str) -> bool:
    """
    Whether *text*, which argparse did not place, belongs to *arguments*; if so, it is put there.

    After an option, argparse no longer fills optional positional arguments, and does not place the
    rest. Its own way to mix both does not work with commands.
    """
    if _OPTION.match(text):
        return False
    if arguments.command == "check":
        arguments.files = [*arguments.files, text]
        return True
    if arguments.command == "call":
        for name in ("input", "rest"):
            if getattr(arguments, name) is None:
                setattr(arguments, name, text)
                return True
    return False


_APP: Final = re.compile(r"(?!.*://).*(?:\.py|:.*)", re.DOTALL)
"""A file or a value in a module, as other commands take it; a route has hardly ever such a name."""

_OPTION: Final = re.compile(r"-(?![0-9.]|\Z)")
"""An option, not a negative number or the ``-`` for standard input."""


@final
class Parser(argparse.ArgumentParser):
    """
    A parser that writes help as data.

    argparse would drop help silently if it cannot be written.

    Attributes:
        summary: The description of a command, in a line.
        commands: Name -> parser of each command.
    """

    summary: str = ""

    def __init__(self, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, **settings)
        self.commands: dict[str, Parser] = {}

    # argparse calls this for help, and for the usage before an error
    def _print_message(self, message: str, file: object = None) -> None:
        text = message.removesuffix("\n")
        if file is sys.stdout:
            data(text)
        else:
            say(text)


# The types of single arguments.


_MOST: Final = 2_147_483_647
"""The largest number that the kernel and the server accept: a signed one of 32 bits."""

_DIGITS: Final = 20
"""The most digits that are read: Python takes long for millions of them, or refuses."""


def at_least(minimum: int) -> Callable[[str], int]:
    """Make a reader of integers from *minimum* up."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit()) or int(text[:_DIGITS]) < minimum:
            problem = f"{text!r} is not a whole number of at least {minimum}"
            raise argparse.ArgumentTypeError(problem)
        if len(text) >= _DIGITS or int(text) > _MOST:
            raise argparse.ArgumentTypeError(f"{text[:_DIGITS]!r} is more than {_MOST}")
        return int(text)

    return read


def seconds(minimum: float) -> Callable[[str], float]:
    """Make a reader of seconds, from *minimum* to a day."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = -1.0
        if not minimum <= number <= 86_400:
            problem = f"{text!r} is not a number of seconds from {minimum:g} to 86400"
            raise argparse.ArgumentTypeError(problem)
        return number

    return read


def token(text: str) -> str:
    """Read a bearer token (RFC 6750, section 2.1)."""
    if not is_token(text):  # it may contain most of a secret, so it is not repeated
        rule = f"letters, digits and any of -._~+/, with = at its end, at most {MAX_TOKEN_BYTES}"
        raise argparse.ArgumentTypeError(f"what was given is not a bearer token; one has {rule}")
    return text


def port(text: str) -> int:
    """Read a port; 0 means a free one."""
    if not (text.isascii() and text.isdigit()) or int(text) > 65_535:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a port; give one from 1 to 65535, or 0 for a free one"
        )
    return int(text)


_FIELD: Final = re.compile(rf"({HEADER_WORD}):[ \t]*([!-~](?:[ -~\t]*[!-~])?)[ \t]*")
"""A header (RFC 9110, section 5), in ASCII."""

_FRAMING: Final = frozenset(
    {
        "accept-encoding",
        "connection",
        "content-length",
        "content-type",
        "expect",
        "host",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
"""Headers that describe the message itself, which users cannot choose."""


def header(text: str) -> tuple[str, str]:
    """Read the name, in lower case, and the value of a header."""
    # the text is not repeated: it may contain a secret
    found = _FIELD.fullmatch(text)
    if found is None:
        raise argparse.ArgumentTypeError("it is not a header; write it like 'X-Tenant: north'")
    name = found[1].lower()
    if name in _FRAMING:
        raise argparse.ArgumentTypeError(f"{name} is not yours to choose; leave it out")
    return name, found[2]
