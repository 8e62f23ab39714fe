"""
Probe: a look at an app, in a separate process.

The process that a user starts never imports the app: it could not release what the app holds, and a
reload would not import it again. So a child imports it, reports what it contains or what is wrong,
and ends.
"""

from __future__ import annotations

import multiprocessing
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import final

from contract.call.service import Service
from contract.call.signed_body import without_secrets
from contract.cli.find import Target, take
from contract.cli.output import Stop
from contract.cli.serving import Interface, Settings, prepare, tool_of
from contract.cli.signals import held_back, unheard
from contract.declare.files import FileField, Files
from contract.declare.spec import Entry
from contract.testing.sample_contents import sample_of
from contract.testing.samples import sample

__all__ = ["Seen", "SeenRoute", "look"]


@final
@dataclass(frozen=True, slots=True)
class SeenRoute:
    """
    A route, for the start text.

    Attributes:
        asks: The header lines that carry a credential for a call; empty if it needs none.
        sample: An input in JSON; None for a route without input.
        files: The files of a call, as options of curl; None if it takes none.
        shows: The options with which curl shows or saves the output.
        is_signed: Whether its bodies must be signed, which curl cannot do.
    """

    path: str
    summary: str
    asks: tuple[str, ...]
    sample: str | None
    files: tuple[str, ...] | None = None
    shows: tuple[str, ...] = ()
    is_signed: bool = False


@final
@dataclass(frozen=True, slots=True)
class Seen:
    """
    The facts about an app.

    Attributes:
        prefixes: The prefixes of its services.
        docs: The paths of their explorers.
        mcp: The paths of their MCP endpoints, if these have tools.
        lacks: What they need and do not have, each in a sentence.
    """

    name: str
    interface: Interface
    routes: tuple[SeenRoute, ...]
    prefixes: tuple[str, ...] = ("",)
    docs: tuple[str, ...] = ()
    mcp: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()

    def warnings(self) -> list[str]:
        """A warning for each thing that they lack, which says what comes of it."""
        follows = "its messages are answered with 500, and the health route with 503"
        return [f"{each}; {follows}" for each in self.lacks]


def look(target: Target, settings: Settings) -> Seen:
    """The app that *target* names, as a child process finds it."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(
        target=_report, args=(target, settings, theirs), name="contract-probe", daemon=True
    )
    with held_back():
        child.start()
    theirs.close()  # or nobody would see on the pipe that the child has ended
    try:
        found: Seen | Stop = ours.recv()
    except EOFError:
        child.join()
        how = f"that ended the process (exit code {child.exitcode})"
        raise Stop(3, f"{target.text} cannot be imported: {how}") from None
    child.join()
    if isinstance(found, Stop):
        raise found
    return found


def _report(target: Target, settings: Settings, result: Connection) -> None:
    unheard()
    found: Seen | Stop
    try:
        found = _see(target, settings)
    except Stop as stop:
        found = stop
    with suppress(BrokenPipeError):  # the parent was stopped meanwhile
        result.send(found)


def _see(target: Target, settings: Settings) -> Seen:
    taken = take(target)
    served = prepare(taken, settings)
    routes: list[SeenRoute] = []
    lacks: list[str] = []
    for service in served.services:
        for path, bound in service.routes.items():
            routes.append(_seen(path, service.spec.entries[bound.name]))
        lacks += [told for _, told in without_secrets(service.spec) if told is not None]
    options = [service.options for service in served.services]
    explorers = tuple(f"{each.prefix}{each.docs_path}/" for each in options if each.docs)
    endpoints = tuple(path for path in map(_endpoint, served.services) if path is not None)
    return Seen(
        taken.name,
        served.interface,
        tuple(routes),
        tuple(each.prefix for each in options),
        explorers,
        endpoints,
        tuple(lacks),
    )


def _seen(path: str, entry: Entry) -> SeenRoute:
    input_: str | None = None
    if entry.input is not None:
        input_ = sample(entry.input)
    files: tuple[str, ...] | None = None
    if entry.files is not None:
        files = _brought(entry.files)
    route, is_signed = entry.route, entry.route.signed is not None
    return SeenRoute(path, route.summary, _asked(entry), input_, files, _shown(entry), is_signed)


def _brought(files: Files) -> tuple[str, ...]:
    """The files that a call must send; if it need not send any, the first one."""
    needed = [each for each in files.fields if _is_needed(each)]
    return tuple(map(_part, needed or files.fields[:1]))


def _is_needed(field: FileField) -> bool:
    """Whether a call must send it; of a list, `many` has the fewest and the most files."""
    if field.required:
        return True
    return bool(field.many and field.many[0])


def _part(field: FileField) -> str:
    part = f"{field.wire}=@FILE"
    if field.media is None:
        return part
    # curl would guess the type by the name of the file, and the route takes only some
    return f"{part};type={sample_of(field.media.types[0])[0]}"


def _shown(entry: Entry) -> tuple[str, ...]:
    if entry.stream is not None:
        return ("-N",)  # each item as it comes
    if entry.media is not None:
        return ("-OJ",)  # under the name that the route gives it
    return ()


def _asked(entry: Entry) -> tuple[str, ...]:
    if entry.route.auth == "none" or entry.authenticator is None:
        return ()
    # the first way of each kind: in reverse order, it comes last and replaces the others
    ways = {each.kind: each.name for each in reversed(entry.authenticator.ways)}
    if not ways or "bearer" in ways:
        return ("authorization: Bearer TOKEN",)
    if "header" in ways:
        return (f"{ways['header']}: KEY",)
    return (f"cookie: {ways['cookie']}=VALUE", "sec-fetch-site: none")


def _endpoint(service: Service) -> str | None:
    """The path of the MCP endpoint of *service*, if it has tools that clients may see."""
    options = service.options
    if any(tool_of(entry, options) for entry in service.spec.entries.values()):
        return f"{options.prefix}{options.mcp_path}"
    return None
