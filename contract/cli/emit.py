"""``contract emit``: the documents, as files or into a pipe."""

from __future__ import annotations

import argparse
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Final

from contract.call.mount_options import Options
from contract.call.service import Service
from contract.cli.find import Taken, aim, falcon_apps, names_of_mounts, take
from contract.cli.output import Stop, raw, say, write_file
from contract.declare.spec import AnySpec
from contract.document.emit import emit_contract, emit_openapi
from contract.shape.exceptions import DocumentError, MountError

__all__ = ["emitted", "mounted", "run"]


def run(arguments: argparse.Namespace) -> int:
    """Write contract.json or openapi.json, and return the exit code."""
    _check_usage(arguments)
    # what an app prints when it is imported, or in a default factory, is not part of the document
    with redirect_stdout(sys.stderr):
        spec, options = mounted(take(aim(arguments.target)))
        data = emitted(spec, options, arguments)
    if arguments.output in (None, "-"):
        raw(data)
    else:
        write_file(Path(arguments.output), data)
        say(f"contract: wrote {arguments.output} ({len(data)} bytes)")
    return 0


_ONLY: Final = {"server": "openapi", "docs_path": "contract", "mcp_path": "contract"}


def _check_usage(arguments: argparse.Namespace) -> None:
    emitted = "openapi" if arguments.openapi else "contract"
    for option, of in _ONLY.items():
        if getattr(arguments, option) is not None and emitted != of:
            flag = f"--{option.replace('_', '-')}"
            raise Stop(2, f"{flag} is for {of}.json, and {emitted}.json does not hold it")


def mounted(taken: Taken) -> tuple[AnySpec, Options]:
    """
    The spec to describe, and the options of its mount.

    Raises:
        Stop: It is an app without a mount, or with several.
    """
    if taken.kind == "spec":
        return taken.value, Options()
    services: list[Service] = falcon_apps().services(taken.value)
    if len(services) == 1:
        return services[0].spec, services[0].options
    if services:
        prefixes = ", ".join(sorted(service.options.prefix or "/" for service in services))
        raise Stop(3, f"{taken.name} holds several mounts ({prefixes}); {_how_to_name_one(taken)}")
    raise Stop(3, f"there is no spec mounted in {taken.name}")


def _how_to_name_one(taken: Taken) -> str:
    named = [f"{taken.module.__name__}:{name}" for name in names_of_mounts(taken.module)]
    if named:
        return f"name one: {', '.join(named)}"
    return f"give one a name, and name that: v1 = mount_spec(...), and {taken.module.__name__}:v1"


def emitted(spec: AnySpec, options: Options, arguments: argparse.Namespace) -> bytes:
    """
    The document that *arguments* (those of this command) select.

    Raises:
        Stop: A path is not valid, or there is no such document.
    """
    visibility = arguments.visibility or options.visibility
    try:
        if arguments.openapi:
            return emit_openapi(
                spec, server=arguments.server or options.prefix or "/", visibility=visibility
            )
        docs_path = options.shown_at if arguments.docs_path is None else arguments.docs_path
        mcp_path = options.mcp_path if arguments.mcp_path is None else arguments.mcp_path or None
        return emit_contract(spec, visibility=visibility, docs_path=docs_path, mcp_path=mcp_path)
    except MountError as error:
        raise Stop(2, str(error)) from None
    except DocumentError as error:
        raise Stop(1, f"this spec has no document: {error}") from None
