"""Arguments: what each command takes; nothing here imports an app, or what a command needs."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, Final, final

from contract import __version__
from contract.call.bearer import MAX_TOKEN_BYTES, is_token
from contract.cli.output import data, say
from contract.shape.urls import HEADER_WORD

__all__ = ["SHELLS", "Parser", "parse", "parser_of_all"]

SHELLS: Final = ("bash", "zsh", "fish")
"""Those that ``contract completion`` knows."""

_TARGET: Final = (
    "shop.py, shop.py:api, shop:api or package.module:api: a spec, a mount, its wsgi or asgi, or a Falcon app; "
    "the name may be left out where only one is meant"
)


_SOURCE: Final = (
    "a file, a folder with a contract.json, a URL, git:REV:PATH, or a spec such as shop:api"
)


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
        known = (
            f"did you mean {likely[0]}?" if likely else f"there are {', '.join(parser.commands)}"
        )
        parser.error(f"there is no command {name!r}; {known}")
    arguments, behind = parser.parse_known_args(given)
    unknown = [text for text in behind if not _take(arguments, text)]
    if unknown:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    if arguments.command == "call":
        _check_call(parser, arguments)
    return arguments


def _check_call(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    """See what stands where: ``URL NAME [JSON]`` is the other way to write ``NAME [JSON]``."""
    arguments.base = None
    if "://" in arguments.name:
        if arguments.url or arguments.target:
            parser.error(
                "a call goes to one place: leave out --url and --app, or the URL in front of the route"
            )
        if arguments.input is None:
            parser.error(
                f"the name of the route is missing: contract call {arguments.name} NAME [JSON]"
            )
        arguments.base, arguments.name, arguments.input, arguments.rest = (
            arguments.name,
            arguments.input,
            arguments.rest,
            None,
        )
    if arguments.rest is not None:
        parser.error(f"unrecognized arguments: {arguments.rest}")
    if arguments.base is None and arguments.url is None and (arguments.header or arguments.timeout):
        parser.error(
            "--header and --timeout are for a call over HTTP; name the URL: contract call https://shop.example/v1 NAME [JSON]"
        )


def _take(arguments: argparse.Namespace, text: str) -> bool:
    """
    Whether *text* belongs to *arguments* after all.

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
    A parser whose help is data, which argparse would drop without a word where it cannot be written.

    Attributes:
        told: What a command is for, in a line.
        commands: Name -> parser of each command.
    """

    told: str = ""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, **options)
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

    def command(name: str, usage: str, told: str) -> Parser:
        # argparse's own usage of a command with many options fills the terminal, and hides the one
        # line that says what is wrong
        parser.commands[name] = made = commands.add_parser(
            name, usage=f"contract {name} {usage}", help=told
        )
        made.told = told
        return made

    _dev(command("dev", "[OPTIONS] [TARGET]", "serve one file while you write it, with reload"))
    _serve(command("serve", "[OPTIONS] TARGET", "serve with worker processes, for production"))
    _routes(command("routes", "[--json] [TARGET]", "list the routes"))
    _call(
        command("call", "[OPTIONS] [URL] NAME [JSON]", "call a route, in this process or over HTTP")
    )
    _emit(command("emit", "[OPTIONS] [TARGET]", "write contract.json or openapi.json"))
    _generate(
        command(
            "generate",
            "[OPTIONS] SOURCE -o FILE",
            "write a client or validators, in Python or TypeScript",
        )
    )
    _mock(command("mock", "[OPTIONS] SOURCE", "serve made-up answers that a contract allows"))
    _docs(
        command(
            "docs",
            "[OPTIONS] SOURCE -o DIR",
            "write the explorer of a contract, as a folder for any static host",
        )
    )
    _diff(
        command(
            "diff",
            "[OPTIONS] OLD NEW",
            "tell what changed between two contracts, and whom it breaks",
        )
    )
    _check(
        command(
            "check",
            "[OPTIONS] [TARGET] [FILE...]",
            "see whether a spec loads, and emitted files are up to date",
        )
    )
    _fuzz(
        command(
            "fuzz",
            "[OPTIONS] [TARGET | --url URL]",
            "call every route with what it takes, and with what it just does not",
        )
    )
    _completion(
        command("completion", "SHELL", "write what makes a shell complete commands and options")
    )
    return parser


def _completion(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "bash: contract completion bash > ~/.local/share/bash-completion/completions/contract; "
        "zsh: contract completion zsh > a folder of $fpath, as _contract; "
        "fish: contract completion fish > ~/.config/fish/completions/contract.fish"
    )
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))


def _dev(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "target",
        nargs="?",
        metavar="TARGET",
        help=f"{_TARGET}; without it, the usual file names are tried",
    )
    _address(parser)
    _spec_options(parser)


def _serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="TARGET", help=_TARGET)
    _address(parser)
    _spec_options(parser)
    parser.add_argument(
        "--workers", type=_at_least(1), default=1, metavar="N", help="processes (1)"
    )
    parser.add_argument(
        "--interface",
        choices=("auto", "wsgi", "asgi"),
        default="auto",
        help="wsgi where every resolver is sync, else asgi (auto)",
    )
    parser.add_argument(
        "--log-format",
        choices=("json", "text"),
        help="of the log on standard error (json; text on a terminal)",
    )
    parser.add_argument(
        "--backlog",
        type=_at_least(128),
        default=1024,
        metavar="N",
        help="connections that may wait to be accepted (1024)",
    )
    parser.add_argument(
        "--concurrency",
        type=_at_least(1),
        metavar="N",
        help="connections that a worker serves at once (8192)",
    )
    parser.add_argument(
        "--header-timeout",
        type=_seconds(0.001),
        default=10.0,
        metavar="S",
        help="to send the headers, or to use an idle connection again (10)",
    )
    parser.add_argument(
        "--no-keep-alive",
        dest="keep_alive",
        action="store_false",
        help="close each connection after its first reply",
    )
    parser.add_argument(
        "--worker-lifetime",
        type=_at_least(60),
        metavar="S",
        help="replace a worker after this many seconds (never)",
    )
    parser.add_argument(
        "--worker-memory",
        type=_at_least(1),
        metavar="MIB",
        help="replace a worker that has grown beyond this many MiB (never)",
    )
    parser.add_argument(
        "--no-respawn",
        dest="respawn",
        action="store_false",
        help="stop when a worker dies, instead of replacing it",
    )
    parser.add_argument(
        "--linger",
        type=_seconds(0.0),
        default=0.0,
        metavar="S",
        help="after SIGTERM, go on accepting this long while the health route says 503 (0)",
    )
    parser.add_argument(
        "--stop-timeout",
        type=_at_least(1),
        default=8,
        metavar="S",
        help="calls in flight get this long to finish after SIGTERM (8)",
    )


def _routes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", nargs="?", metavar="TARGET", help=_TARGET)
    parser.add_argument("--json", action="store_true", help="JSON instead of a table")


def _call(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name",
        metavar="[URL] NAME",
        help="of the route, where there is a URL by what the contract.json there says of it, such as https://shop.example/v1 order",
    )
    parser.add_argument(
        "input",
        nargs="?",
        metavar="JSON",
        help="the input; - reads it from standard input, @FILE from a file",
    )
    parser.add_argument("rest", nargs="?", help=argparse.SUPPRESS)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--app", dest="target", metavar="TARGET", help=_TARGET)
    where.add_argument(
        "--url",
        metavar="URL",
        help="call a server instead, without asking it for a contract: http://127.0.0.1:8000",
    )
    parser.add_argument("--token", type=_token, metavar="T", help="bearer token")
    _asking(parser, "of a URL: ")
    parser.add_argument(
        "--json",
        action="store_true",
        help="one line of JSON: route, status, request_id, body; and text where it is no JSON",
    )


def _emit(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "target", nargs="?", metavar="TARGET", help=f"{_TARGET}; a mount brings its paths along"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="where to write it; without it, to standard output"
    )
    parser.add_argument(
        "--openapi", action="store_true", help="openapi.json instead of contract.json"
    )
    parser.add_argument(
        "--visibility", choices=("public", "all"), help="all shows private routes too (public)"
    )
    parser.add_argument(
        "--server",
        metavar="URL",
        help="of the mount, such as https://shop.example/v1, for openapi.json (/)",
    )
    parser.add_argument(
        "--docs-path", metavar="PATH", help="of the explorer, for contract.json (/docs)"
    )
    parser.add_argument(
        "--mcp-path",
        metavar="PATH",
        help="of MCP, for contract.json (/mcp); an empty one says that there is none",
    )


def _generate(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="SOURCE", help=_SOURCE)
    parser.add_argument(
        "-o",
        "--output",
        action="append",
        required=True,
        metavar="FILE",
        help="what to write: .py or .ts; given again, each of them or none",
    )
    parser.add_argument(
        "--validators", action="store_true", help="only validators, of the exported types"
    )
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument(
        "--check",
        action="store_true",
        help="write nothing; tell what differs, with the exit code 1",
    )
    mode.add_argument(
        "--watch",
        action="store_true",
        help="go on: write again whenever the file changes, or what is at the URL",
    )
    parser.add_argument(
        "--dates", choices=("Date", "string"), help="what dates are in TypeScript (Date)"
    )
    _asking(parser, "of a URL: ")
    parser.add_argument(
        "--visibility",
        choices=("public", "all"),
        help="of a spec: all shows private routes too (public)",
    )
    parser.add_argument(
        "--json", action="store_true", help="one line of JSON: source, digest, files"
    )


def _mock(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="SOURCE", help=_SOURCE)
    _address(parser)
    parser.add_argument(
        "--prefix", default="", metavar="PATH", help="path in front of the routes, such as /v1"
    )
    parser.add_argument(
        "--seed",
        type=_at_least(0),
        default=0,
        metavar="N",
        help="other answers, the same each time (0)",
    )
    parser.add_argument(
        "--cors-origin",
        action="append",
        default=[],
        metavar="ORIGIN",
        help="of a page that may call, such as http://localhost:5173",
    )
    _asking(parser, "of a URL: ")
    parser.add_argument(
        "--visibility",
        choices=("public", "all"),
        help="of a spec: all serves private routes too (public)",
    )


def _docs(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "The folder works at any path of any host that serves files. Pictures and fonts that the contract names by relative URLs "
        "belong beside index.html. The page carries its Content-Security-Policy in itself, but browsers take no word about frames "
        "from there: let the host send the header Content-Security-Policy: frame-ancestors 'none'."
    )
    parser.add_argument("source", metavar="SOURCE", help=_SOURCE)
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="DIR",
        help="the folder: a new one, an empty one, or one that this command has written",
    )
    parser.add_argument(
        "--server",
        metavar="URL",
        help="of the mount, which calls are sent to (none); it has to allow those of the page, by cors_origins=",
    )
    _asking(parser, "of a URL: ")
    parser.add_argument(
        "--visibility",
        choices=("public", "all"),
        help="of a spec: all shows private routes too (public)",
    )
    parser.add_argument(
        "--json", action="store_true", help="one line of JSON: source, output, files, left_out"
    )


def _asking(parser: argparse.ArgumentParser, only: str) -> None:
    parser.add_argument(
        "--header",
        action="append",
        type=_header,
        default=[],
        metavar="'K: V'",
        help=f"{only}a header to send along; may be given again",
    )
    parser.add_argument(
        "--timeout",
        type=_seconds(0.001),
        metavar="S",
        help=f"{only}seconds until it is given up (30)",
    )


def _diff(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", metavar="OLD", help=_SOURCE)
    parser.add_argument("new", metavar="NEW", help="the same")
    parser.add_argument(
        "--fail-on",
        choices=("breaking", "any", "none"),
        default="breaking",
        help="which changes give the exit code 1 (breaking)",
    )
    parser.add_argument(
        "--visibility",
        choices=("public", "all"),
        help="of a spec: all shows private routes too (public)",
    )
    parser.add_argument(
        "--json", action="store_true", help="JSON instead of text: bump, version, changes"
    )


def _check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", nargs="?", metavar="TARGET", help=_TARGET)
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="emitted files; without any, contract.json and openapi.json in this folder, if they are there",
    )
    parser.add_argument("--strict", action="store_true", help="hints give the exit code 1, too")
    parser.add_argument("--json", action="store_true", help="JSON instead of text: files, hints")
    parser.add_argument(
        "--visibility", choices=("public", "all"), help="as the files were emitted (public)"
    )
    parser.add_argument("--server", metavar="URL", help="the same, of openapi.json (/)")
    parser.add_argument("--docs-path", metavar="PATH", help="the same, of contract.json (/docs)")
    parser.add_argument("--mcp-path", metavar="PATH", help="the same, of contract.json (/mcp)")


def _fuzz(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "target",
        nargs="?",
        metavar="TARGET",
        help=f"{_TARGET}; its routes are called in this process",
    )
    parser.add_argument(
        "--url",
        metavar="URL",
        help="call a server instead, by its contract.json, such as https://shop.example/v1",
    )
    parser.add_argument(
        "--token",
        action="append",
        type=_token,
        default=[],
        metavar="T",
        help="bearer token; may be given again, for calls of several callers; without one, routes that need it are left out",
    )
    parser.add_argument(
        "--route",
        action="append",
        default=[],
        metavar="R",
        help="only this route; may be given again",
    )
    parser.add_argument(
        "--max-examples",
        type=_at_least(1),
        default=100,
        metavar="N",
        help="calls of each sort and route, at most (100)",
    )
    parser.add_argument(
        "--seed",
        type=_at_least(0),
        default=0,
        metavar="N",
        help="other calls, the same each time (0)",
    )
    _asking(parser, "of a URL: ")
    parser.add_argument(
        "--json",
        action="store_true",
        help="one line of JSON: seed, declared, seen, routes with their findings",
    )


def _address(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="H", help="address to listen on (127.0.0.1)"
    )
    parser.add_argument(
        "--port",
        type=_port,
        default=8000,
        metavar="P",
        help="port to listen on (8000); 0 takes a free one",
    )


def _spec_options(parser: argparse.ArgumentParser) -> None:
    only = "; for a spec, since a mount has its own"
    parser.add_argument(
        "--prefix", metavar="PATH", help=f"path in front of the routes, such as /v1{only}"
    )
    parser.add_argument(
        "--max-body",
        type=_at_least(1),
        metavar="BYTES",
        help=f"larger bodies are answered with 413 (1048576){only}",
    )
    parser.add_argument(
        "--health-path",
        metavar="PATH",
        help=f"of the health route (/healthz); an empty one switches it off{only}",
    )
    parser.add_argument(
        "--deadline",
        type=_seconds(0.001),
        metavar="S",
        help=f"seconds for a resolver before 504 (none){only}",
    )
    parser.add_argument(
        "--threads",
        type=_at_least(1),
        metavar="N",
        help="sync resolvers that run at once in a process (wsgi 128, asgi 40; with a deadline 40)",
    )


_MOST: Final = 2_147_483_647
"""What the kernel and the server take as a number."""

_DIGITS: Final = 20


class _at_least:  # noqa: N801  argparse names a type in its messages
    """Whole numbers from *minimum* on."""

    def __init__(self, minimum: int) -> None:
        self.minimum = minimum

    def __call__(self, text: str) -> int:
        if not (text.isascii() and text.isdigit()) or int(text[:_DIGITS]) < self.minimum:
            raise argparse.ArgumentTypeError(
                f"{text!r} is no whole number of at least {self.minimum}"
            )
        if len(text) >= _DIGITS or int(text) > _MOST:
            raise argparse.ArgumentTypeError(f"{text[:_DIGITS]!r} is more than {_MOST}")
        return int(text)


class _seconds:  # noqa: N801
    """Seconds, from *minimum* to a day."""

    def __init__(self, minimum: float) -> None:
        self.minimum = minimum

    def __call__(self, text: str) -> float:
        try:
            seconds = float(text)
        except ValueError:
            seconds = -1.0
        if not self.minimum <= seconds <= 86_400:
            raise argparse.ArgumentTypeError(
                f"{text!r} is no number of seconds from {self.minimum:g} to 86400"
            )
        return seconds


def _token(text: str) -> str:
    if not is_token(text):  # it may be most of a secret, so it is not repeated
        rule = f"letters, digits and any of -._~+/, with = at its end, at most {MAX_TOKEN_BYTES}"
        raise argparse.ArgumentTypeError(f"what was given is no bearer token; one has {rule}")
    return text


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or int(text) > 65_535:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no port; give one from 1 to 65535, or 0 for a free one"
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
"""Headers that say how a message is sent, or what it is, which is no choice."""


def _header(text: str) -> tuple[str, str]:
    # what was typed is not repeated: it may hold a secret
    found = _FIELD.fullmatch(text)
    if found is None:
        raise argparse.ArgumentTypeError("it is no header; write it like 'X-Tenant: north'")
    name = found[1].lower()
    if name in _FRAMING:
        raise argparse.ArgumentTypeError(f"{name} is not yours to choose; leave it out")
    return name, found[2]
