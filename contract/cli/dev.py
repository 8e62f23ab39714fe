"""``contract dev``: serve one file while you write it."""

from __future__ import annotations

import argparse
import os
from contextlib import suppress
from pathlib import Path
from secrets import token_urlsafe
from shlex import quote
from typing import Final

from watchfiles import PythonFilter, watch

import contract
from contract.call.paging import SECRETS
from contract.cli.find import Target, aim
from contract.cli.output import Stop, bold, clean, dim, red, say
from contract.cli.probe import Seen, SeenRoute, look
from contract.cli.serve import opened
from contract.cli.serving import Settings, settings_of
from contract.cli.signals import heed
from contract.cli.sockets import bind, url_of
from contract.cli.supervision import Knobs
from contract.cli.watching import Reloader, watched
from contract.cli.worker import Plan

__all__ = ["run"]

_SHOWN: Final = 10
"""How many routes the start text lists."""


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C, and return the exit code."""
    # set here for the workers, which inherit it: keys of pages stay valid while this process runs
    os.environ.setdefault(SECRETS, token_urlsafe(32))
    target = aim(arguments.target)
    settings = settings_of(arguments)
    if (target.root / f"{contract.__name__}.py").exists():
        shadow = f"contract: {target.root / 'contract.py'} shadows the package `contract`"
        say(red(f"{shadow} wherever Python is run in that folder; rename it"))
    listening = bind(arguments.host, arguments.port)
    seen = _look_until_it_imports(target, settings)
    say(welcome(target, seen, url_of(listening)))
    plan = Plan(target, settings, seen.interface, "text", stays=True)
    knobs = Knobs(stop_timeout=2)
    reloader = Reloader(opened(plan, listening, knobs), listening, knobs.stop_timeout)
    heed(reloader.stop, reloader.reload)
    with watched(target.root, reloader.reload):
        reloader.run()
    return 0


def welcome(target: Target, seen: Seen, url: str) -> str:
    """The text at the start: the routes, and how to call one."""
    how = dim("reloads when a file is saved; Ctrl-C stops")
    lines = [f"{bold('contract dev')}  {target.text}  {how}", ""]
    for prefix, below in _by_mount(seen).items():
        most = max(1, _SHOWN // len(seen.prefixes))  # a large mount hides no other
        lines += [
            f"  POST {bold(url + route.path)}  {dim(route.summary)}" for route in below[:most]
        ]
        if len(below) > most:
            more = f"{len(below) - most} more"
            if len(seen.prefixes) > 1:
                more = f"{more} below {prefix or '/'}"
            lines.append(f"  ... and {more}: contract routes {target.text}")
    lines += [f"  docs {bold(url + path)}" for path in seen.docs]
    lines += [f"  MCP  {bold(url + path)}" for path in seen.mcp]
    if seen.lacks:
        lines.append("")
        lines += [f"  {red(clean(each))}" for each in seen.warnings()]
    # a route that can be called as it is, if there is one
    chosen = min(seen.routes, key=lambda route: (route.is_signed, bool(route.asks)), default=None)
    if chosen is not None:
        if chosen.is_signed:
            how = _signed(chosen, target)
        else:
            how = _curl(chosen, url)
        lines += ["", f"  {how}"]
    return "\n".join([*lines, ""])


def _signed(route: SeenRoute, target: Target) -> str:
    """The command that calls a webhook *route*, with a signature by its own secret."""
    words = ["contract", "call", route.path.rpartition("/")[2]]
    if route.sample is not None:
        words.append(_quoted(route.sample))
    return " ".join([*words, "--app", quote(target.text)])


def _curl(route: SeenRoute, url: str) -> str:
    """The command that calls *route*."""
    words = ["curl", *route.shows]
    if route.files is None:  # with -F, curl makes a POST by itself
        words += ["-X", "POST"]
    words.append(url + route.path)
    for line in route.asks:
        words += ["-H", _quoted(line)]
    if route.files is not None:
        # unlike -F, it takes a text as it is, whatever it begins with or has in it
        if route.sample is not None:
            words += ["--form-string", _quoted(f"input={route.sample}")]
        for part in route.files:
            words += ["-F", _quoted(part)]
    elif route.sample is not None:
        words += ["-H", "'content-type: application/json'", "-d", _quoted(route.sample)]
    return " ".join(words)


def _by_mount(seen: Seen) -> dict[str, list[SeenRoute]]:
    """The routes of each prefix."""
    found: dict[str, list[SeenRoute]] = {prefix: [] for prefix in sorted(seen.prefixes)}
    for route in seen.routes:
        # in nested mounts, the inner one has the route
        prefixes = [prefix for prefix in found if route.path.startswith(f"{prefix}/")]
        found[max(prefixes, key=len)].append(route)
    return found


def _quoted(text: str) -> str:
    # a shell takes everything between single quotes as it is, but a single quote
    return "'" + text.replace("'", "'\\''") + "'"


def _look_until_it_imports(target: Target, settings: Settings) -> Seen:
    while True:
        before = _times(target.root)  # first: a file may be saved during the look
        try:
            return look(target, settings)
        except Stop as stop:
            if stop.code != 3:  # wrong usage, which no change of a file mends
                raise
            say(f"contract: {red(stop.message)}\n\n{dim('waiting for a change')}")
        watching = watch(
            target.root, watch_filter=PythonFilter(), rust_timeout=500, yield_on_timeout=True
        )
        # it may have changed before the watch began
        any(changes or _times(target.root) != before for changes in watching)


def _times(root: Path) -> dict[Path, int]:
    found: dict[Path, int] = {}
    for path in root.glob("*.py"):
        with suppress(OSError):  # it is gone, or is a broken link, such as the locks of Emacs
            found[path] = path.stat().st_mtime_ns
    return found
