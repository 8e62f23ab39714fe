"""``contract call``: one call of a route, in this process or over HTTP."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Mapping
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import orjson

from contract.adapters.wsgi import WsgiApp
from contract.cli.find import aim, take
from contract.cli.lazy import load
from contract.cli.output import Stop, bold, data, red, say
from contract.cli.serving import Settings, services_of
from contract.cli.worker import own_lines
from contract.service import Service

__all__ = ["run"]


def run(arguments: argparse.Namespace) -> int:
    """Call, write the body of the reply, and give the exit code."""
    body = _input(arguments.input)
    headers = {"content-length": str(len(body))}
    if body:
        headers["content-type"] = "application/json"
    if arguments.token is not None:
        headers["authorization"] = f"Bearer {arguments.token}"
    if arguments.url is not None:
        status, found, reply = load("remote").post(arguments.url, arguments.name, headers, body)
    else:
        status, found, reply = _post(_service(arguments.target, arguments.name), arguments.name, headers, body)
    failed = status >= 400
    say(f"{(red if failed else bold)(str(status))} {arguments.name}  request {found.get('x-request-id', '-')}")
    if reply:
        data(_readable(reply))
    return 1 if failed else 0


def _input(text: str | None) -> bytes:
    if text is None:
        return b""
    if text == "-":
        return sys.stdin.buffer.read()
    if text.startswith("@"):
        try:
            return Path(text[1:]).read_bytes()
        except OSError as error:
            raise Stop(2, f"cannot read {text[1:]}: {error.strerror}") from None
    return text.encode()


def _service(target: str | None, name: str) -> Service:
    services = services_of(take(aim(target)), Settings())
    own_lines("text", logging.WARNING)
    if not services:
        raise Stop(3, "there is no spec mounted in that app")
    return next((service for service in services if name in service.spec.entries), services[0])


def _post(service: Service, name: str, headers: Mapping[str, str], body: bytes) -> tuple[int, Mapping[str, str], bytes]:
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": f"{service.options.prefix}/{name}".encode().decode("latin-1"),  # PEP 3333
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        **{f"HTTP_{key.upper().replace('-', '_')}": value for key, value in headers.items()},
        "CONTENT_LENGTH": headers["content-length"],
        "CONTENT_TYPE": headers.get("content-type", ""),
    }
    sent: list[Any] = []

    def start_response(status: str, pairs: list[tuple[str, str]], *_: Any) -> None:
        sent[:] = int(status.split(maxsplit=1)[0]), dict(pairs)

    reply = b"".join(WsgiApp(service)(environ, start_response))
    status, found = sent
    return status, found, reply


def _readable(reply: bytes) -> str:
    """The body as it is; for a terminal indented, where it is JSON."""
    if sys.stdout.isatty():
        with suppress(orjson.JSONDecodeError):
            return orjson.dumps(orjson.loads(reply), option=orjson.OPT_INDENT_2).decode()
    return reply.decode(errors="backslashreplace")
