"""
Mount arguments: the options of ``mount_spec`` on a command line.

An option has the name of its parameter; in the singular if it may be repeated.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from contract.cli.parser import AtLeast, Seconds

__all__ = ["spec_arguments"]

_Add = Callable[..., argparse.Action]
"""``add_argument`` of a parser, or of a group in its help."""


def spec_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options for a spec that has no mount."""
    parser.add_argument(
        "--threads",
        type=AtLeast(1),
        metavar="N",
        help="sync resolvers that run at once in a process (wsgi 128, asgi 40; with a deadline 40)",
    )
    mount = parser.add_argument_group(
        "options of a mount",
        "for a spec, since a mount has its own. on_call, handle_unhandled_error and sentences are "
        "given in Python: mount the spec with them, and serve the mount; secrets stand in the "
        "environment: CONTRACT_SECRETS",
    )
    _path_options(mount.add_argument)
    _access_options(mount.add_argument)
    _limit_options(mount.add_argument)


def _path_options(add: _Add) -> None:
    add("--prefix", metavar="PATH", help="path in front of the routes, such as /v1")
    add("--no-docs", dest="docs", action="store_const", const=False, help="serve no documents")
    add("--docs-path", metavar="PATH", help="of the explorer (/docs)")
    add("--mcp-path", metavar="PATH", help="of MCP (/mcp); an empty one switches it off")
    add(
        "--health-path",
        metavar="PATH",
        help="of the health route (/healthz); an empty one switches it off",
    )
    add(
        "--visibility",
        choices=("public", "all"),
        help="all shows private routes in the documents too (public)",
    )
    add(
        "--public-url",
        metavar="URL",
        help="where clients reach the server, such as https://api.example",
    )
    add(
        "--no-call-log",
        dest="logging",
        action="store_const",
        const=False,
        help="write no line for each call",
    )


def _access_options(add: _Add) -> None:
    again = "; may be given again"
    add(
        "--trusted-proxy",
        dest="trusted_proxies",
        action="append",
        metavar="NETWORK",
        help=f"of a proxy that is believed about who calls, such as 10.0.0.0/8{again}",
    )
    add(
        "--cors-origin",
        dest="cors_origins",
        action="append",
        metavar="ORIGIN",
        help=f"of a page that may call, such as https://app.example{again}",
    )
    add(
        "--cors-header",
        dest="cors_headers",
        action="append",
        metavar="NAME",
        help=f"a header that such a page may send, such as X-Tenant{again}",
    )
    add(
        "--mcp-origin",
        dest="mcp_origins",
        action="append",
        metavar="ORIGIN",
        help=f"of a page that may use MCP{again}",
    )
    add(
        "--mcp-challenge",
        choices=("call", "connect"),
        help="when MCP clients are asked for a token (call)",
    )
    add(
        "--authorization-server",
        dest="authorization_servers",
        action="append",
        metavar="URL",
        help=f"of who issues the tokens, such as https://login.example{again}",
    )


def _limit_options(add: _Add) -> None:
    add(
        "--max-body",
        dest="max_body_bytes",
        type=AtLeast(1),
        metavar="BYTES",
        help="larger bodies are answered with 413 (1048576)",
    )
    add(
        "--deadline",
        dest="deadline_seconds",
        type=Seconds(0.001),
        metavar="S",
        help="seconds for a resolver before 504 (none)",
    )
    add(
        "--read-timeout",
        dest="read_seconds",
        type=Seconds(0.001),
        metavar="S",
        help="seconds without progress of a body before 408 (10)",
    )
    add(
        "--body-timeout",
        dest="body_seconds",
        type=Seconds(0.001),
        metavar="S",
        help="seconds for the whole of a body before 408 (60)",
    )
    add(
        "--queue",
        type=AtLeast(0),
        metavar="N",
        help="calls that may wait for a thread before 503 (200)",
    )
    add(
        "--item-deadline",
        dest="item_seconds",
        type=Seconds(0.001),
        metavar="S",
        help="seconds until the next item of a stream, which ends then (none)",
    )
    add(
        "--stream-deadline",
        dest="stream_seconds",
        type=Seconds(0.001),
        metavar="S",
        help="seconds for the whole of a stream, which ends then (none)",
    )
    add(
        "--stream-threads",
        type=AtLeast(1),
        metavar="N",
        help="threads that streams may hold at once before 503 (40)",
    )
