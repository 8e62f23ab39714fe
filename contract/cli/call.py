"""``contract call``: one call of a route, in this process or over HTTP."""

from __future__ import annotations

import argparse
import logging
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from io import BytesIO
from pathlib import Path
from typing import Any, Final, TextIO, cast
from urllib.parse import quote

import orjson

from contract.adapters.wsgi import WsgiApp
from contract.call.service import Service
from contract.cli.answer_parts import Shown, facts
from contract.cli.find import aim, take
from contract.cli.http import Access, access_of, call_headers, send
from contract.cli.output import Stop, bold, data, dim, escaped, is_terminal, red, say
from contract.cli.serving import Settings, listed, services_of
from contract.cli.sources import NAME, document_at
from contract.cli.worker import own_lines
from contract.client.forms import Form, OneFile
from contract.declare.resource import NotOpened
from contract.declare.webhooks import Signed, why_not
from contract.document.model import ContractRoute, ways_into
from contract.shape.signatures import signed_now
from contract.testing.replies import route_hint

__all__ = ["run"]


def run(arguments: argparse.Namespace) -> int:
    """Call the route, write the body of the reply, and return the exit code."""
    items = Shown(arguments.name, arguments.output, as_json=arguments.json, out=sys.stdout)
    code = _called(arguments, items)
    if code == 0 and arguments.output is not None and not items.saved:
        name, path = escaped(arguments.name), escaped(arguments.output)
        raise Stop(2, f"{name} gives no file, so nothing is saved; write > {path} for its answer")
    return code


def _called(arguments: argparse.Namespace, items: Shown) -> int:
    # 1. Find the place: `base` is a URL whose contract is read first, `url` is only called. Without
    #    either, the app is called in this process.
    body, content_type = _input(arguments.input), "application/json"
    access = access_of(arguments)
    url: str | None = arguments.url
    if arguments.base is not None:
        url = arguments.base.removesuffix(f"/{NAME}")
    headers = call_headers(access, arguments.token, here=url is None)
    parts: Iterable[str] = ()
    meant = ""
    if arguments.base is not None:
        parts = _look_up(arguments.base, arguments.name, access, headers).files

    if arguments.file:
        form = Form(body, _files(arguments.file))
        body, content_type = b"".join(form), form.content_type
    elif arguments.form:
        content_type = _form_type(body)
    headers["content-length"] = str(len(body))
    if body:
        headers["content-type"] = content_type

    credentials: dict[str, str] = {}
    if url is not None:
        status, received, reply = send(
            url, arguments.name, headers, body, access.seconds, items, by_get=arguments.get
        )
    else:
        with redirect_stdout(sys.stderr):  # what the app prints is not part of the reply
            service, name = _service(arguments.target, arguments.name)
            signed = _signed(service, name, body, headers)
            status, received, reply = _send_here(
                service, name, signed, body, items, by_get=arguments.get
            )
            credentials = _credentials_here(service, name)
            parts = _parts_here(service, name)
            meant = _meant_here(service, name)
    if items.code is not None:  # a stream or a file, which has been shown
        return items.code
    # 2. Tell of the answer: the body goes to standard output, and all that is for people beside it.
    failed = not 200 <= status < 300
    code = 1 if failed else 0
    if arguments.json:
        data(facts(arguments.name, status, received, reply))
        return code
    paint = red if failed else bold
    request_id = escaped(received.get("x-request-id", "-"))
    say(f"{paint(str(status))} {escaped(arguments.name)}  request {request_id}")
    _hint(arguments.name, credentials, headers)
    if meant:
        say(dim(f"no route has this name; {meant}"))
    if status == 415 and parts:
        files = " ".join(f"--file {escaped(part)}=PATH" for part in sorted(parts))
        say(dim(f"{arguments.name} takes files: {files}"))
    if reply:
        data(_readable(reply))
    return code


def _look_up(base: str, name: str, access: Access, headers: Mapping[str, str]) -> ContractRoute:
    """Check in the contract at *base* that *name* can be called, and return its route."""
    document = document_at(base, access=access)
    route = document.routes.get(name)
    if route is None:
        raise Stop(
            2,
            f"the contract of {base} has no route {escaped(repr(name))}; "
            f"{escaped(route_hint(name, document.routes))} (--url calls without a contract)",
        )
    if route.signed is not None:
        raise Stop(
            2,
            f"{name} takes webhooks, whose senders sign each body with a secret; "
            "call it in its own process, without a URL, and it is signed",
        )
    if route.auth != "optional":
        ways = [_credential(way, document.ways.get(way)) for way in ways_into(route)]
        _hint(name, dict(ways), headers)
    return route


def _parts_here(service: Service, name: str) -> list[str]:
    """The parts that hold the files of the route, if it takes any."""
    entry = service.spec.entries.get(name)
    if entry is None or entry.files is None:
        return []
    return [each.wire for each in entry.files.fields]


def _meant_here(service: Service, name: str) -> str:
    """A hint for a *name* that no route has; empty if one has it."""
    known = service.spec.entries
    if name in known:
        return ""
    return escaped(route_hint(name, known))


def _credentials_here(service: Service, name: str) -> dict[str, str]:
    """Header -> how to give it on the command line; empty if the route needs none."""
    entry = service.spec.entries.get(name)
    if entry is None or entry.authenticator is None or entry.route.auth == "optional":
        return {}
    ways = [_credential(way.name, way.kind) for way in entry.authenticator.ways]
    return dict(ways or [_credential("bearer", "bearer")])


def _credential(way: str, kind: str | None) -> tuple[str, str]:
    """The header for a way in, and how to give it on the command line."""
    match kind:
        case "header":
            return way.lower(), f"a key: --header '{way}: K'"
        case "cookie":
            return "cookie", f"a cookie: --header 'Cookie: {way}=V'"
        case _:
            return "authorization", "a bearer token: --token T"


def _hint(name: str, credentials: Mapping[str, str], headers: Mapping[str, str]) -> None:
    """Say how to give a credential, if a route needs one and no header may contain one."""
    if credentials and not headers.keys() & credentials.keys():
        say(dim(f"{name} needs {' or '.join(credentials.values())}"))


def _input(text: str | None) -> bytes:
    if text is None:
        return b""
    if text == "-":
        if cast("TextIO | None", sys.stdin) is None:
            raise Stop(2, "cannot read standard input: it is closed")
        return sys.stdin.buffer.read()
    if text.startswith("@"):
        try:
            return Path(text[1:]).read_bytes()
        except OSError as error:
            raise Stop(2, f"cannot read {text[1:]}: {error.strerror}") from None
    # as it was typed; anything but UTF-8 is refused like any other invalid input
    return os.fsencode(text)


def _files(given: list[str]) -> dict[str, list[OneFile]]:
    """Part name -> the files that were given."""
    files: dict[str, list[OneFile]] = {}
    for text in given:
        name, equals, path = text.partition("=")
        if not equals:
            raise Stop(2, f"--file {escaped(text)} is not a NAME=PATH, such as image=photo.png")
        if not Path(path).is_file():
            raise Stop(2, f"cannot read {escaped(path)}: there is no such file")
        files.setdefault(name, []).append(Path(path))
    return files


def _form_type(body: bytes) -> str:
    """The Content-Type of a form, whose first line is a boundary (RFC 2046, section 5.1.1)."""
    found = re.match(rb"--([\w'()+,./:=? -]{1,70})\r\n", body)
    if found is None:
        raise Stop(2, "--form is for a form, which begins with its boundary: --BOUNDARY")
    return f'multipart/form-data; boundary="{found[1].decode()}"'


def _service(target: str | None, name: str) -> tuple[Service, str]:
    """The service that has the route, and the name of the route without the prefix of a mount."""
    services = services_of(take(aim(target)), Settings())
    own_lines("text", logging.WARNING)
    if not services:
        raise Stop(3, "there is no spec mounted in that app")
    for service in services:
        bound = service.routes.get(f"/{name}")
        if bound is not None:  # as `contract routes` lists it
            return service, bound.name
    having = [service for service in services if name in service.spec.entries]
    if len(having) > 1:
        names = ", ".join(sorted(listed(service, name) for service in having))
        raise Stop(2, f"several mounts have a route {name}; name one: {names}")
    return (having or services)[0], name


def _signed(
    service: Service, name: str, body: bytes, headers: Mapping[str, str]
) -> Mapping[str, str]:
    """The *headers*; for a webhook, those of its signature are added."""
    entry = service.spec.entries.get(name)
    if entry is None or entry.route.signed is None:
        return headers
    secrets = _secrets(service, name, entry.route.signed)
    try:
        return signed_now(secrets, body, headers)
    except ValueError as wrong:  # the webhook-id of --header
        raise Stop(2, str(wrong)) from None


def _secrets(service: Service, name: str, signed: Signed) -> Sequence[str]:
    try:
        if service.opening is not None:  # the secrets may come from a resource
            service.opening.here()
        return signed.asked()
    except NotOpened as wrong:
        raise Stop(3, str(wrong)) from None
    except Exception as raised:  # noqa: BLE001  the function is the author's
        raise Stop(3, f"{name} cannot be signed, for want of a secret: {why_not(raised)}") from None


def _send_here(
    service: Service,
    name: str,
    headers: Mapping[str, str],
    body: bytes,
    items: Shown,
    *,
    by_get: bool,
) -> tuple[int, Mapping[str, str], bytes]:
    # 1. Make the request, as a WSGI server would (PEP 3333).
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": os.fsencode(f"{service.options.prefix}/{name}").decode("latin-1"),  # PEP 3333
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        **{f"HTTP_{key.upper().replace('-', '_')}": value for key, value in headers.items()},
        "CONTENT_LENGTH": headers["content-length"],
        "CONTENT_TYPE": headers.get("content-type", ""),
    }
    if by_get:  # the input goes into the URL, and nothing is left that describes a body
        kept = {key: value for key, value in environ.items() if not key.endswith(_OF_A_BODY)}
        environ = {
            **kept,
            "REQUEST_METHOD": "GET",
            "QUERY_STRING": f"input={quote(body)}",
            "wsgi.input": BytesIO(),
        }
    # 2. Call. What comes part by part is shown as it comes, everything else at once.
    response: list[Any] = []

    def start_response(status: str, pairs: list[tuple[str, str]], *_: Any) -> None:
        response[:] = int(status.split(maxsplit=1)[0]), dict(pairs)

    parts = WsgiApp(service)(environ, start_response)
    status, received = response
    if not items.takes(status, received):
        return status, received, b"".join(parts)
    try:
        items.show(received, parts)
    finally:
        if not isinstance(parts, list):  # a stream runs until it is closed
            cast("Any", parts).close()
    return status, received, b""


_OF_A_BODY: Final = ("CONTENT_LENGTH", "CONTENT_TYPE")


def _readable(reply: bytes) -> str:
    """
    The body of a reply, for display.

    A terminal gets indented JSON, without control characters.
    """
    text = reply.decode(errors="backslashreplace")
    if not is_terminal(sys.stdout):
        return text
    with suppress(orjson.JSONDecodeError):
        text = orjson.dumps(orjson.loads(reply), option=orjson.OPT_INDENT_2).decode()
    return escaped(text)
