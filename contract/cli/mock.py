"""``contract mock``: made-up answers that a contract allows, over real HTTP."""

from __future__ import annotations

import argparse
import shlex
from functools import partial
from pathlib import Path
from typing import Final

from contract.adapters.wsgi import WsgiApp
from contract.cli.find import Target
from contract.cli.output import Stop, bold, clean, dim, say
from contract.cli.serve import serve
from contract.cli.serving import Served, Settings
from contract.cli.sockets import bind, url_of
from contract.cli.sources import asked_as, data_at, document_in
from contract.cli.supervision import Knobs
from contract.cli.worker import Plan
from contract.codegen.package import package_of
from contract.document.model import every_error
from contract.shape.exceptions import GenerationError, MountError
from contract.testing.mock import MockService, example

__all__ = ["mocked", "run", "served", "welcome"]

_SHOWN: Final = 10
"""How many routes the start text lists."""


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C, and return the exit code."""
    document = data_at(
        arguments.source, visibility=arguments.visibility, access=asked_as(arguments)
    )
    options = (
        arguments.source,
        document,
        arguments.seed,
        arguments.prefix,
        tuple(arguments.cors_origins),
    )
    service = mocked(*options)  # problems with the document are reported before anything listens
    listening = bind(arguments.host, arguments.port)
    say(welcome(arguments.source, service, url_of(listening)))
    target = Target(clean(arguments.source), "", Path(), None, None)
    serve(
        Plan(target, Settings(), "wsgi", "text", make=partial(served, *options)),
        listening,
        Knobs(stop_timeout=2),
    )
    return 0


def served(
    source: str, document: bytes, seed: int, prefix: str, cors_origins: tuple[str, ...]
) -> Served:
    """The app of a worker, which makes its own mock; see `mocked`."""
    service = mocked(source, document, seed, prefix, cors_origins)
    app = WsgiApp(service)
    return Served("wsgi", app, (service,), (app,))


def mocked(
    source: str, document: bytes, seed: int, prefix: str, cors_origins: tuple[str, ...]
) -> MockService:
    """The mock of the *document* from *source*."""
    try:
        return MockService(
            package_of(document_in(source, document)),
            seed=seed,
            prefix=prefix,
            cors_origins=cors_origins,
        )
    except GenerationError as error:
        raise Stop(3, f"{source} cannot be mocked: {clean(str(error))}") from None
    except MountError as error:
        option = _FLAGS.get(error.where, error.where)
        raise Stop(2, clean(f"{option}: {error.problem}")) from None


_FLAGS: Final = {"mount_spec(prefix=)": "--prefix", "mount_spec(cors_origins=)": "--cors-origin"}
"""An argument that a `MountError` names -> the option for it."""


def welcome(source: str, service: MockService, url: str) -> str:
    """The text at the start: the routes, and how to get a failure."""
    routes = service.package.document.routes
    base = url + service.options.prefix
    lines = [
        f"{bold('contract mock')}  {clean(source)}  {dim('answers are made up; Ctrl-C stops')}",
        "",
    ]
    for name, route in [*routes.items()][:_SHOWN]:
        text = clean("  ".join([route.summary, *every_error(route)]))
        lines.append(f"  POST {bold(f'{base}/{name}')}  {dim(text)}")
    if len(routes) > _SHOWN:
        lines.append(f"  ... and {len(routes) - _SHOWN} more: {base}/contract.json")
    # the first one that can fail, since the command shows how to get a failure; else the first one
    failing = [name for name, route in routes.items() if every_error(route)]
    chosen = next(iter([*failing, *routes]), None)
    if chosen is not None:
        lines += ["", f"  {clean(shlex.join(_call(service, base, chosen)))}"]
    return "\n".join([*lines, ""])


def _call(service: MockService, base: str, name: str) -> list[str]:
    """A command that calls a route, and gets one of its failures."""
    route = service.package.document.routes[name]
    try:
        input_ = example(service.package, name)
    except GenerationError:  # it is only an example
        input_ = b"{}"
    words = ["contract", "call", base, name]
    if input_ is not None:
        words.append(input_.decode())
    # a mock takes any credential, but it asks for one, as the service will
    if route.ways and "bearer" not in route.ways:
        first = route.ways[0]
        if service.package.document.ways[first] == "header":
            words += ["--header", f"{first}: any"]
        else:
            words += ["--header", f"Cookie: {first}=any", "--header", "Sec-Fetch-Site: none"]
    elif route.auth == "bearer":
        words += ["--token", "any"]
    codes = every_error(route)
    if codes:
        words += ["--header", f"Prefer: code={min(codes)}"]
    return words
