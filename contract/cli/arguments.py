"""Arguments: what each command takes; nothing here imports an app, or what a command needs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Final

from contract import __version__

__all__ = ["parse"]

_TARGET: Final = "shop.py, shop.py:api, shop:api or package.module:api; the name may be left out where there is only one spec"


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """
    The arguments of a command; ``command`` is its name.

    Raises:
        SystemExit: They are wrong, which has been told, or help was asked for.
    """
    return _parser().parse_args(argv)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="contract", description="Serve, list and call the routes of a spec.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"contract {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    _dev(commands.add_parser("dev", help="serve one file while you write it, with reload", allow_abbrev=False))
    _serve(commands.add_parser("serve", help="serve with worker processes, for production", allow_abbrev=False))
    _routes(commands.add_parser("routes", help="list the routes", allow_abbrev=False))
    _call(commands.add_parser("call", help="call a route, in this process or over HTTP", allow_abbrev=False))
    return parser


def _dev(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", nargs="?", metavar="TARGET", help=f"{_TARGET}; without it, the usual file names are tried")
    _address(parser)
    _spec_options(parser)


def _serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="TARGET", help=_TARGET)
    _address(parser)
    _spec_options(parser)
    parser.add_argument("--workers", type=_at_least(1), default=1, metavar="N", help="processes (1)")
    parser.add_argument(
        "--interface", choices=("auto", "wsgi", "asgi"), default="auto", help="wsgi where every resolver is sync, else asgi (auto)"
    )
    parser.add_argument("--log-format", choices=("json", "text"), help="of the log on standard error (json; text on a terminal)")
    parser.add_argument("--backlog", type=_at_least(128), default=1024, metavar="N", help="connections that may wait to be accepted (1024)")
    parser.add_argument(
        "--concurrency", type=_at_least(1), metavar="N", help="connections that a worker serves at once (backlog / workers)"
    )
    parser.add_argument(
        "--header-timeout",
        type=_seconds(0.001),
        default=10.0,
        metavar="S",
        help="to send the headers, or to use an idle connection again (10)",
    )
    parser.add_argument("--no-keep-alive", dest="keep_alive", action="store_false", help="close each connection after its first reply")
    parser.add_argument("--worker-lifetime", type=_at_least(60), metavar="S", help="replace a worker after this many seconds (never)")
    parser.add_argument(
        "--worker-memory", type=_at_least(1), metavar="MIB", help="replace a worker that has grown beyond this many MiB (never)"
    )
    parser.add_argument("--no-respawn", dest="respawn", action="store_false", help="stop when a worker dies, instead of replacing it")
    parser.add_argument(
        "--linger",
        type=_seconds(0.0),
        default=0.0,
        metavar="S",
        help="after SIGTERM, go on accepting this long while the health route says 503 (0)",
    )
    parser.add_argument(
        "--stop-timeout", type=_at_least(1), default=8, metavar="S", help="calls in flight get this long to finish after SIGTERM (8)"
    )


def _routes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", nargs="?", metavar="TARGET", help=_TARGET)
    parser.add_argument("--json", action="store_true", help="JSON instead of a table")


def _call(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="of the route")
    parser.add_argument("input", nargs="?", metavar="JSON", help="the input; - reads it from standard input, @FILE from a file")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--app", dest="target", metavar="TARGET", help=_TARGET)
    where.add_argument("--url", metavar="URL", help="call a server instead, such as http://127.0.0.1:8000")
    parser.add_argument("--token", metavar="T", help="bearer token")


def _address(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", metavar="H", help="address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=_port, default=8000, metavar="P", help="port to listen on (8000); 0 takes a free one")


def _spec_options(parser: argparse.ArgumentParser) -> None:
    only = "; for a spec, since a mount has its own"
    parser.add_argument("--prefix", metavar="PATH", help=f"path in front of the routes, such as /v1{only}")
    parser.add_argument("--max-body", type=_at_least(1), metavar="BYTES", help=f"larger bodies are answered with 413 (1048576){only}")
    parser.add_argument("--health-path", metavar="PATH", help=f"of the health route (/healthz); an empty one switches it off{only}")
    parser.add_argument("--deadline", type=_seconds(0.001), metavar="S", help=f"seconds for a call before 504 (none){only}")
    parser.add_argument("--threads", type=_at_least(1), metavar="N", help="sync resolvers that run at once in a process (wsgi 16, asgi 40)")


class _at_least:  # noqa: N801  argparse names a type in its messages
    """Whole numbers from *minimum* on."""

    def __init__(self, minimum: int) -> None:
        self.minimum = minimum

    def __call__(self, text: str) -> int:
        if not (text.isascii() and text.isdigit()) or int(text) < self.minimum:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number of at least {self.minimum}")
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
            raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds from {self.minimum:g} to 86400")
        return seconds


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; give one from 1 to 65535, or 0 for a free one")
    return int(text)
