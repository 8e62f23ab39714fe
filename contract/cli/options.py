"""Options: the arguments of each command, and those of ``mount_spec`` among them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, final

from contract.cli.parser import at_least, header, port, seconds, token

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

_SECONDS: Final = seconds(0.001)
"""Reads a limit of time."""

_PARAMETERS: Final = {
    "--no-call-log": "logging",
    "--trusted-proxy": "trusted_proxies",
    "--cors-origin": "cors_origins",
    "--cors-header": "cors_headers",
    "--mcp-origin": "mcp_origins",
    "--authorization-server": "authorization_servers",
    "--max-body": "max_body_bytes",
    "--deadline": "deadline_seconds",
    "--read-timeout": "read_seconds",
    "--body-timeout": "body_seconds",
    "--item-deadline": "item_seconds",
    "--stream-deadline": "stream_seconds",
}
"""A flag -> the parameter of a mount that it sets, where that has another name."""


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
    name = "of the package and of its new folder; it may have a path in front"
    parser.add_argument("name", metavar="NAME", help=name)


def dev(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract dev`` takes."""
    _target(parser, _TARGET_OR_NOT)
    _address(parser)
    _mount(parser)


def serve(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract serve`` takes."""
    parser.add_argument("target", metavar="TARGET", help=_TARGET)
    _address(parser)
    _mount(parser)
    _value(parser, "--workers N", "processes (1)", at_least(1), 1)
    _choice(
        parser,
        "--interface",
        ("auto", "wsgi", "asgi"),
        "wsgi where every resolver is sync, else asgi (auto)",
        "auto",
    )
    log_format = "of the log on standard error (json; text on a terminal)"
    _choice(parser, "--log-format", ("json", "text"), log_format)
    backlog = "connections that may wait to be accepted (1024)"
    _value(parser, "--backlog N", backlog, at_least(128), 1024)
    concurrency = "connections that a worker serves at once (8192)"
    _value(parser, "--concurrency N", concurrency, at_least(1))
    idle = "to send the headers, or to use an idle connection again (10)"
    _value(parser, "--header-timeout S", idle, _SECONDS, 10.0)
    _off(parser, "--no-keep-alive", "close each connection after its first reply")
    worker_lifetime = "replace a worker after this many seconds (never)"
    _value(parser, "--worker-lifetime S", worker_lifetime, at_least(60))
    grown = "replace a worker that has grown beyond this many MiB (never)"
    _value(parser, "--worker-memory MIB", grown, at_least(1))
    _off(parser, "--no-respawn", "stop when a worker dies, instead of replacing it")
    linger = "after SIGTERM, go on accepting this long while the health route says 503 (0)"
    _value(parser, "--linger S", linger, seconds(0.0), 0.0)
    finish = "calls in flight get this long to finish after SIGTERM (8)"
    _value(parser, "--stop-timeout S", finish, at_least(1), 8)


def routes(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract routes`` takes."""
    _target(parser, _TARGET_OR_NOT)
    _flag(parser, "--json", "JSON instead of a table")


def call(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract call`` takes."""
    parser.add_argument(
        "name",
        metavar="[URL] NAME",
        help="of the route, where there is a URL by what the contract.json there says of it, "
        "such as https://shop.example/v1 order; v1/order, where an app has several mounts with one",
    )
    source = "the input; - reads it from standard input, @FILE from a file"
    parser.add_argument("input", nargs="?", metavar="JSON", help=source)
    parser.add_argument("rest", nargs="?", help=argparse.SUPPRESS)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--app", dest="target", metavar="TARGET", help=_TARGET_OR_NOT)
    url = "call a server instead, without asking it for a contract: http://127.0.0.1:8000"
    _value(where, "--url URL", url)
    _value(parser, "--token T", "bearer token", token)
    form = parser.add_mutually_exclusive_group()
    _values(form, "--file NAME=PATH", "a file that the call brings", default=[])
    _flag(form, "--form", "the input is a whole form as it is sent, and not the JSON in it")
    _flag(parser, "--get", "call a read that caches keep by GET, as they do")
    _value(parser, "-o --output FILE", "save the file that the route gives", action=_Once)
    _request(parser, _CREDENTIAL)
    line = "one line of JSON: route, status, request_id, body; and text where it is not JSON"
    _flag(parser, "--json", line)


def emit(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract emit`` takes."""
    _target(parser, f"{_TARGET_OR_NOT}; a mount brings its paths along")
    output = "where to write it; without it, to standard output"
    _values(parser, "-o --output FILE", output)
    _flag(parser, "--openapi", "openapi.json instead of contract.json")
    _visibility(parser, "all shows private routes too")
    server = "of the mount, such as https://shop.example/v1, for openapi.json (/)"
    _value(parser, "--server URL", server)
    _value(parser, "--docs-path PATH", "of the explorer, for contract.json (/docs)")
    mcp_path = "of MCP, for contract.json (/mcp); an empty one says that there is none"
    _value(parser, "--mcp-path PATH", mcp_path)


def generate(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract generate`` takes."""
    parser.add_argument("source", metavar="SOURCE", help=_SOURCE)
    output = "what to write: .py or .ts; given again, each of them or none"
    _value(parser, "-o --output FILE", output, action="append", required=True)
    _flag(parser, "--validators", "only validators, of the exported types")
    mode = parser.add_mutually_exclusive_group()
    _flag(mode, "--check", "write nothing; tell what differs, with the exit code 1")
    _flag(mode, "--watch", "go on: write again whenever the file changes, or what is at the URL")
    _choice(parser, "--dates", ("Date", "string"), "what dates are in TypeScript (Date)")
    _request(parser)
    _visibility(parser)
    _flag(parser, "--json", "one line of JSON: source, digest, files")


def mock(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract mock`` takes."""
    parser.add_argument("source", metavar="SOURCE", help=_SOURCE)
    _address(parser)
    _value(parser, "--prefix PATH", "path in front of the routes, such as /v1", default="")
    _value(parser, "--seed N", "other answers, the same each time (0)", at_least(0), 0)
    page = "of a page that may call, such as http://localhost:5173"
    _value(parser, "--cors-origin ORIGIN", page, default=[], action="append")
    _request(parser)
    _visibility(parser, "of a spec: all serves private routes too")


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
    output = "the folder: a new one, an empty one, or one that this command has written"
    _value(parser, "-o --output DIR", output, required=True, action=_Once)
    server = "of the mount, which calls are sent to (none)"
    allow = "it has to allow those of the page, by cors_origins="
    _value(parser, "--server URL", f"{server}; {allow}")
    _request(parser)
    _visibility(parser)
    _flag(parser, "--json", "one line of JSON: source, output, files, left_out")


def diff(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract diff`` takes."""
    parser.add_argument("old", metavar="OLD", help=_SOURCE)
    parser.add_argument("new", metavar="NEW", help="the same")
    _choice(
        parser,
        "--fail-on",
        ("breaking", "any", "none"),
        "which changes give the exit code 1 (breaking)",
        "breaking",
    )
    _visibility(parser)
    _flag(parser, "--json", "JSON instead of text: bump, version, changes")


def check(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract check`` takes."""
    _target(parser, _TARGET_OR_NOT)
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="emitted files; without any, contract.json and openapi.json in this folder, "
        "if they are there",
    )
    _flag(parser, "--strict", "hints give the exit code 1, too")
    _flag(parser, "--json", "JSON instead of text: files, hints")
    _visibility(parser, "as the files were emitted")
    _value(parser, "--server URL", "the same, of openapi.json (/)")
    _value(parser, "--docs-path PATH", "the same, of contract.json (/docs)")
    _value(parser, "--mcp-path PATH", "the same, of contract.json (/mcp)")


def doctor(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract doctor`` takes."""
    _target(parser, f"{_TARGET_OR_NOT}; what lies in this folder is looked at, too")
    _flag(parser, "--json", "JSON instead of text: ok, findings")


def fuzz(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract fuzz`` takes."""
    _target(parser, f"{_TARGET_OR_NOT}; its routes are called in this process")
    url = "call a server instead, by its contract.json, such as https://shop.example/v1"
    _value(parser, "--url URL", url)
    callers = (
        "bearer token; may be given again, for calls of several callers; "
        "without one, routes that need it are left out"
    )
    _value(parser, "--token T", callers, token, [], action="append")
    _values(parser, "--route R", "only this route", default=[])
    _values(parser, "--skip-route R", "not this route", default=[])
    _value(
        parser, "--max-examples N", "calls of each sort and route, at most (100)", at_least(1), 100
    )
    _value(parser, "--seed N", "other calls, the same each time (0)", at_least(0), 0)
    stream = "seconds for a stream, after which it is left, and what has come is checked (2)"
    _value(parser, "--stream-deadline S", stream, _SECONDS, 2.0)
    _request(parser, _CREDENTIAL)
    _flag(parser, "--json", "one line of JSON: seed, declared, seen, routes with their findings")


def skill(parser: argparse.ArgumentParser) -> None:
    """Add what ``contract skill`` takes."""
    parser.description = (
        "For Claude Code: contract skill > .claude/skills/contract/SKILL.md; "
        "for others: name `contract skill` in AGENTS.md."
    )
    _flag(parser, "--pages", "llms.txt instead: the pages of the documentation")


# Options that several commands have.


def _target(parser: argparse.ArgumentParser, description: str) -> None:
    parser.add_argument("target", nargs="?", metavar="TARGET", help=description)


def _address(parser: argparse.ArgumentParser) -> None:
    _value(parser, "--host H", "address to listen on (127.0.0.1)", default="127.0.0.1")
    _value(parser, "--port P", "port to listen on (8000); 0 takes a free one", port, 8000)


def _request(
    parser: argparse.ArgumentParser, header_help: str = "of a URL: a header to send along"
) -> None:
    _values(parser, "--header 'K: V'", header_help, header, [])
    _value(parser, "--timeout S", "of a URL: seconds until it is given up (30)", _SECONDS)


def _visibility(
    parser: _Adds, description: str = "of a spec: all shows private routes too"
) -> None:
    _choice(parser, "--visibility", ("public", "all"), f"{description} (public)")


def _mount(parser: argparse.ArgumentParser) -> None:
    """Add the options for a spec that has no mount."""
    threads = "sync resolvers that run at once in a process"
    _value(parser, "--threads N", f"{threads} (wsgi 64, asgi 40; with a deadline 40)", at_least(1))
    mount = parser.add_argument_group(
        "options of a mount",
        "for a spec, since a mount has its own. on_call, handle_unhandled_error and sentences are "
        "given in Python: mount the spec with them, and serve the mount; secrets stand in the "
        "environment: CONTRACT_SECRETS",
    )
    _paths_of_mount(mount)
    _callers_of_mount(mount)
    _limits_of_mount(mount)


def _paths_of_mount(mount: _Adds) -> None:
    _value(mount, "--prefix PATH", "path in front of the routes, such as /v1")
    _off(mount, "--no-docs", "serve no documents", default=None)
    _value(mount, "--docs-path PATH", "of the explorer (/docs)")
    _value(mount, "--mcp-path PATH", "of MCP (/mcp); an empty one switches it off")
    health_path = "of the health route (/healthz); an empty one switches it off"
    _value(mount, "--health-path PATH", health_path)
    _visibility(mount, "all shows private routes in the documents too")
    public_url = "where clients reach the server, such as https://api.example"
    _value(mount, "--public-url URL", public_url)
    _off(mount, "--no-call-log", "write no line for each call", default=None)


def _callers_of_mount(mount: _Adds) -> None:
    proxy = "of a proxy that is believed about who calls, such as 10.0.0.0/8"
    _values(mount, "--trusted-proxy NETWORK", proxy)
    page = "of a page that may call, such as https://app.example"
    _values(mount, "--cors-origin ORIGIN", page)
    _values(mount, "--cors-header NAME", "a header that such a page may send, such as X-Tenant")
    _values(mount, "--mcp-origin ORIGIN", "of a page that may use MCP")
    challenge = "when MCP clients are asked for a token (call)"
    _choice(mount, "--mcp-challenge", ("call", "connect"), challenge)
    issuer = "of who issues the tokens, such as https://login.example"
    _values(mount, "--authorization-server URL", issuer)


def _limits_of_mount(mount: _Adds) -> None:
    max_body = "larger bodies are answered with 413 (1048576)"
    _value(mount, "--max-body BYTES", max_body, at_least(1))
    _value(mount, "--deadline S", "seconds for a resolver before 504 (none)", _SECONDS)
    read = "seconds without progress of a body before 408 (10)"
    _value(mount, "--read-timeout S", read, _SECONDS)
    body = "seconds for the whole of a body before 408 (60)"
    _value(mount, "--body-timeout S", body, _SECONDS)
    _value(mount, "--queue N", "calls that may wait for a thread before 503 (200)", at_least(0))
    item = "seconds until the next item of a stream, which ends then (none)"
    _value(mount, "--item-deadline S", item, _SECONDS)
    stream = "seconds for the whole of a stream, which ends then (none)"
    _value(mount, "--stream-deadline S", stream, _SECONDS)
    threads = "threads that streams may hold at once before 503 (40)"
    _value(mount, "--stream-threads N", threads, at_least(1))


# Each kind of option.


class _Adds(Protocol):
    """A parser, or a group of its options."""

    def add_argument(self, *names: str, **settings: Any) -> argparse.Action: ...


def _value(
    to: _Adds,
    option: str,
    description: str,
    read: Callable[[str], object] = str,
    default: object = None,
    **settings: Any,
) -> None:
    """Add an *option* with a value, written like ``-o --output FILE``."""
    words = option.split(" ")
    names = [word for word in words if word.startswith("-")]
    to.add_argument(
        *names,
        metavar=" ".join(words[len(names) :]),
        help=description,
        type=read,
        default=default,
        dest=_PARAMETERS.get(names[-1]),
        **settings,
    )


def _values(
    to: _Adds,
    option: str,
    description: str,
    read: Callable[[str], object] = str,
    default: object = None,
) -> None:
    _value(to, option, f"{description}; may be given again", read, default, action="append")


def _choice(
    to: _Adds, flag: str, choices: Sequence[str], description: str, default: str | None = None
) -> None:
    to.add_argument(flag, choices=choices, help=description, default=default)


def _flag(to: _Adds, flag: str, description: str) -> None:
    to.add_argument(flag, action="store_true", help=description)


def _off(to: _Adds, flag: str, description: str, *, default: bool | None = True) -> None:
    """Add a flag that switches something off, such as ``--no-docs``."""
    name = _PARAMETERS.get(flag) or flag.removeprefix("--no-").replace("-", "_")
    to.add_argument(flag, dest=name, action="store_false", default=default, help=description)


@final
class _Once(argparse.Action):
    """
    Stores the place of an output.

    If two were given, argparse would drop the first, so something that was asked for would be
    missing.
    Other options may be given twice, as programs that add their own to some defaults do.
    """

    _last: argparse.Namespace | None = None
    """The namespace of the last value; it is another one each time that arguments are read."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,  # noqa: ARG002
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,  # noqa: ARG002
    ) -> None:
        if namespace is self._last:
            raise argparse.ArgumentError(self, "it was given twice; give it once")
        self._last = namespace
        setattr(namespace, self.dest, values)
