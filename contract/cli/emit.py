"""``contract emit``: the documents, as files or into a pipe."""

from __future__ import annotations

import argparse
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Final, Literal

from contract.call.mount_options import Options
from contract.call.service import Service
from contract.cli.find import Taken, aim, falcon_apps, names_of_mounts, take
from contract.cli.output import Stop, places_of, raw, say, write_copies
from contract.declare.spec import AnySpec
from contract.document.emit import emit_contract, emit_openapi
from contract.shape.exceptions import DocumentError, MountError

__all__ = ["Visibility", "emitted", "mounted", "run"]

Visibility = Literal["public", "all"]
"""Which routes a document shows."""


def run(arguments: argparse.Namespace) -> int:
    """Write contract.json or openapi.json, and return the exit code."""
    _check_usage(arguments)
    # what an app prints when it is imported, or in a default factory, is not part of the document
    with redirect_stdout(sys.stderr):
        spec, options = mounted(take(aim(arguments.target)))
        data = emitted(
            spec,
            options,
            openapi=arguments.openapi,
            visibility=arguments.visibility,
            server=arguments.server,
            docs_path=arguments.docs_path,
            mcp_path=arguments.mcp_path,
        )
    outputs: list[str] = arguments.output or ["-"]
    names = [name for name in outputs if name != "-"]
    write_copies(map(Path, names), data)
    for name in names:
        say(f"contract: wrote {name} ({len(data)} bytes)")
    if "-" in outputs:
        raw(data)
    return 0


_ONLY: Final = {"server": "openapi", "docs_path": "contract", "mcp_path": "contract"}


def _check_usage(arguments: argparse.Namespace) -> None:
    places_of((name, Path(name)) for name in arguments.output or ())
    wanted, other, mend = "contract", "openapi", "add --openapi"
    if arguments.openapi:
        wanted, other, mend = "openapi", "contract", "leave out --openapi"
    for name in arguments.output or ():
        if Path(name).name == f"{other}.json":
            raise Stop(
                2, f"{name} would hold {wanted}.json; {mend}, or name the file {wanted}.json"
            )
    for option, document in _ONLY.items():
        if getattr(arguments, option) is not None and wanted != document:
            flag = f"--{option.replace('_', '-')}"
            raise Stop(2, f"{flag} is for {document}.json, and {wanted}.json does not hold it")


def mounted(taken: Taken) -> tuple[AnySpec, Options]:
    """The spec to describe, and the options of its mount."""
    if taken.kind == "spec":
        return taken.value, Options()
    services: list[Service] = falcon_apps().services(taken.value)
    if len(services) == 1:
        return services[0].spec, services[0].options
    if not services:
        raise Stop(3, f"there is no spec mounted in {taken.name}")
    prefixes = ", ".join(sorted(service.options.prefix or "/" for service in services))
    module = taken.module.__name__
    names = ", ".join(f"{module}:{name}" for name in names_of_mounts(taken.module))
    fix = f"give one a name, and name that: v1 = mount_spec(...), and {module}:v1"
    if names:
        fix = f"name one: {names}"
    raise Stop(3, f"{taken.name} holds several mounts ({prefixes}); {fix}")


def emitted(
    spec: AnySpec,
    options: Options,
    *,
    openapi: bool = False,
    visibility: Visibility | None = None,
    server: str | None = None,
    docs_path: str | None = None,
    mcp_path: str | None = None,
) -> bytes:
    """
    The document that these options of the command select; what is None, the mount's *options* say.
    """
    visibility = visibility or options.visibility
    if docs_path is None:
        docs_path = options.shown_at
    if mcp_path is None:
        mcp_path = options.mcp_path
    elif not mcp_path:  # an empty one says that there is none
        mcp_path = None
    try:
        if openapi:
            server = server or options.prefix or "/"
            return emit_openapi(spec, server=server, visibility=visibility)
        return emit_contract(spec, visibility=visibility, docs_path=docs_path, mcp_path=mcp_path)
    except MountError as error:
        raise Stop(2, str(error)) from None
    except DocumentError as error:
        raise Stop(1, f"this spec has no document: {error}") from None
