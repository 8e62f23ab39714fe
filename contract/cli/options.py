"""Options: the arguments of each command."""

from __future__ import annotations

import argparse
from typing import Final

from contract.cli.mount_arguments import spec_arguments
from contract.cli.parser import AtLeast, Seconds, header, port, token

__all__ = [
    "SHELLS",
    "call",
    "check",
    "completion",
    "dev",
    "diff",
    "docs",
    "doctor",
    "emit",
    "fuzz",
    "generate",
    "mock",
    "new",
    "routes",
    "serve",
    "skill",
]

SHELLS: Final = ("bash", "zsh", "fish")
"""The shells that ``contract completion`` supports."""

_TARGET: Final = (
    "shop.py, shop.py:api, shop:api or package.module:api: "
    "a spec, a mount, its wsgi or asgi, or a Falcon app; "
    "the name may be left out where only one is meant"
)

_TARGET_OR_NOT: Final = f"{_TARGET}; without it, the only file in this folder that makes a spec"

_SOURCE: Final = (
    "a file, a folder with a contract.json, a URL, git:REV:PATH, or a spec such as shop:api"
)


_CREDENTIAL: Final = "a header to send along: an API key as 'X-Key: K', a cookie as 'Cookie: sid=V'"


def completion(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract completion`` takes."""
    parser.description = (
        "bash: contract completion bash > ~/.local/share/bash-completion/completions/contract; "
        "zsh: contract completion zsh > a folder of $fpath, as _contract; "
        "fish: contract completion fish > ~/.config/fish/completions/contract.fish"
    )
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))


def new(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract new`` takes."""
    parser.add_argument(
        "name",
        metavar="NAME",
        help="of the package and of its new folder; it may have a path in front",
    )


def dev(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract dev`` takes."""
    parser.add_argument("target", nargs="?", metavar="TARGET", help=_TARGET_OR_NOT)
    _address_options(parser)
    spec_arguments(parser)


def serve(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract serve`` takes."""
    parser.add_argument("target", metavar="TARGET", help=_TARGET)
    _address_options(parser)
    spec_arguments(parser)
    parser.add_argument("--workers", type=AtLeast(1), default=1, metavar="N", help="processes (1)")
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
        type=AtLeast(128),
        default=1024,
        metavar="N",
        help="connections that may wait to be accepted (1024)",
    )
    parser.add_argument(
        "--concurrency",
        type=AtLeast(1),
        metavar="N",
        help="connections that a worker serves at once (8192)",
    )
    parser.add_argument(
        "--header-timeout",
        type=Seconds(0.001),
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
        type=AtLeast(60),
        metavar="S",
        help="replace a worker after this many seconds (never)",
    )
    parser.add_argument(
        "--worker-memory",
        type=AtLeast(1),
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
        type=Seconds(0.0),
        default=0.0,
        metavar="S",
        help="after SIGTERM, go on accepting this long while the health route says 503 (0)",
    )
    parser.add_argument(
        "--stop-timeout",
        type=AtLeast(1),
        default=8,
        metavar="S",
        help="calls in flight get this long to finish after SIGTERM (8)",
    )


def routes(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract routes`` takes."""
    parser.add_argument("target", nargs="?", metavar="TARGET", help=_TARGET_OR_NOT)
    _json_option(parser, "JSON instead of a table")


def call(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract call`` takes."""
    parser.add_argument(
        "name",
        metavar="[URL] NAME",
        help="of the route, where there is a URL by what the contract.json there says of it, "
        "such as https://shop.example/v1 order",
    )
    parser.add_argument(
        "input",
        nargs="?",
        metavar="JSON",
        help="the input; - reads it from standard input, @FILE from a file",
    )
    parser.add_argument("rest", nargs="?", help=argparse.SUPPRESS)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--app", dest="target", metavar="TARGET", help=_TARGET_OR_NOT)
    where.add_argument(
        "--url",
        metavar="URL",
        help="call a server instead, without asking it for a contract: http://127.0.0.1:8000",
    )
    parser.add_argument("--token", type=token, metavar="T", help="bearer token")
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--file",
        action="append",
        default=[],
        metavar="NAME=PATH",
        help="a file that the call brings; may be given again",
    )
    form.add_argument(
        "--form",
        action="store_true",
        help="the input is a whole form as it is sent, and not the JSON in it",
    )
    parser.add_argument(
        "--get", action="store_true", help="call a read that caches keep by GET, as they do"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="save the file that the route gives")
    _request_options(parser, _CREDENTIAL)
    _json_option(
        parser, "one line of JSON: route, status, request_id, body; and text where it is not JSON"
    )


def emit(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract emit`` takes."""
    parser.add_argument(
        "target",
        nargs="?",
        metavar="TARGET",
        help=f"{_TARGET_OR_NOT}; a mount brings its paths along",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="where to write it; without it, to standard output"
    )
    parser.add_argument(
        "--openapi", action="store_true", help="openapi.json instead of contract.json"
    )
    _visibility_option(parser, "all shows private routes too")
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


def generate(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract generate`` takes."""
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
    _request_options(parser)
    _visibility_option(parser)
    _json_option(parser, "one line of JSON: source, digest, files")


def mock(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract mock`` takes."""
    parser.add_argument("source", metavar="SOURCE", help=_SOURCE)
    _address_options(parser)
    parser.add_argument(
        "--prefix", default="", metavar="PATH", help="path in front of the routes, such as /v1"
    )
    parser.add_argument(
        "--seed",
        type=AtLeast(0),
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
    _request_options(parser)
    _visibility_option(parser, "of a spec: all serves private routes too")


def docs(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract docs`` takes."""
    parser.epilog = (
        "The folder works at any path of any host that serves files. "
        "Pictures and fonts that the contract names by relative URLs belong beside index.html. "
        "The page carries its Content-Security-Policy in itself, "
        "but browsers take no word about frames from there: "
        "let the host send the header Content-Security-Policy: frame-ancestors 'none'."
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
        help="of the mount, which calls are sent to (none); "
        "it has to allow those of the page, by cors_origins=",
    )
    _request_options(parser)
    _visibility_option(parser)
    _json_option(parser, "one line of JSON: source, output, files, left_out")


def _request_options(
    parser: argparse.ArgumentParser, header_help: str = "of a URL: a header to send along"
) -> None:
    parser.add_argument(
        "--header",
        action="append",
        type=header,
        default=[],
        metavar="'K: V'",
        help=f"{header_help}; may be given again",
    )
    parser.add_argument(
        "--timeout",
        type=Seconds(0.001),
        metavar="S",
        help="of a URL: seconds until it is given up (30)",
    )


def diff(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract diff`` takes."""
    parser.add_argument("old", metavar="OLD", help=_SOURCE)
    parser.add_argument("new", metavar="NEW", help="the same")
    parser.add_argument(
        "--fail-on",
        choices=("breaking", "any", "none"),
        default="breaking",
        help="which changes give the exit code 1 (breaking)",
    )
    _visibility_option(parser)
    _json_option(parser, "JSON instead of text: bump, version, changes")


def check(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract check`` takes."""
    parser.add_argument("target", nargs="?", metavar="TARGET", help=_TARGET_OR_NOT)
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="emitted files; without any, contract.json and openapi.json in this folder, "
        "if they are there",
    )
    parser.add_argument("--strict", action="store_true", help="hints give the exit code 1, too")
    _json_option(parser, "JSON instead of text: files, hints")
    _visibility_option(parser, "as the files were emitted")
    parser.add_argument("--server", metavar="URL", help="the same, of openapi.json (/)")
    parser.add_argument("--docs-path", metavar="PATH", help="the same, of contract.json (/docs)")
    parser.add_argument("--mcp-path", metavar="PATH", help="the same, of contract.json (/mcp)")


def doctor(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract doctor`` takes."""
    parser.add_argument(
        "target",
        nargs="?",
        metavar="TARGET",
        help=f"{_TARGET_OR_NOT}; what lies in this folder is looked at, too",
    )
    _json_option(parser, "JSON instead of text: ok, findings")


def fuzz(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract fuzz`` takes."""
    parser.add_argument(
        "target",
        nargs="?",
        metavar="TARGET",
        help=f"{_TARGET_OR_NOT}; its routes are called in this process",
    )
    parser.add_argument(
        "--url",
        metavar="URL",
        help="call a server instead, by its contract.json, such as https://shop.example/v1",
    )
    parser.add_argument(
        "--token",
        action="append",
        type=token,
        default=[],
        metavar="T",
        help="bearer token; may be given again, for calls of several callers; "
        "without one, routes that need it are left out",
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
        type=AtLeast(1),
        default=100,
        metavar="N",
        help="calls of each sort and route, at most (100)",
    )
    parser.add_argument(
        "--seed",
        type=AtLeast(0),
        default=0,
        metavar="N",
        help="other calls, the same each time (0)",
    )
    _request_options(parser, _CREDENTIAL)
    _json_option(parser, "one line of JSON: seed, declared, seen, routes with their findings")


def skill(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract skill`` takes."""
    parser.description = (
        "For Claude Code: contract skill > .claude/skills/contract/SKILL.md; "
        "for others: name `contract skill` in AGENTS.md."
    )
    parser.add_argument(
        "--pages", action="store_true", help="llms.txt instead: the pages of the documentation"
    )


def _address_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="H", help="address to listen on (127.0.0.1)"
    )
    parser.add_argument(
        "--port",
        type=port,
        default=8000,
        metavar="P",
        help="port to listen on (8000); 0 takes a free one",
    )


def _visibility_option(
    parser: argparse.ArgumentParser, told: str = "of a spec: all shows private routes too"
) -> None:
    parser.add_argument("--visibility", choices=("public", "all"), help=f"{told} (public)")


def _json_option(parser: argparse.ArgumentParser, told: str) -> None:
    parser.add_argument("--json", action="store_true", help=told)
