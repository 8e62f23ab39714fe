"""Fuzz report: what ``contract fuzz`` tells of its calls, as they go on and at the end."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, final

import orjson

from contract.cli.diff import clean
from contract.cli.output import bold, data, dim, escaped, red, say, table
from contract.cli.sources import NAME
from contract.shape.quoting import cut
from contract.testing.findings import Finding
from contract.testing.fuzzing import NO_TOKEN, Result
from contract.testing.unseen import told_of

__all__ = ["Progress", "Replays", "as_json", "tell"]


@final
class Progress:
    """One line on a terminal that says where we are; elsewhere nothing."""

    def __init__(self, routes: int) -> None:
        self._routes = routes
        self._done = 0
        self._shown = sys.stderr.isatty()

    def begin(self, name: str) -> Callable[[int], None]:
        """Begin with a route; the result is told of each call."""
        self._done += 1
        done = self._done

        def told(calls: int) -> None:
            if self._shown and calls % 10 == 0:
                self._write(f"{done}/{self._routes} {clean(name)}  {calls} calls")

        return told

    def end(self) -> None:
        """Take the line away."""
        if self._shown:
            self._write("")

    def _write(self, text: str) -> None:
        with suppress(OSError):  # a terminal that has gone
            sys.stderr.write(f"\r\x1b[K{dim(text) if text else ''}")
            sys.stderr.flush()


@final
class Replays:
    """The command that sends again what was found."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        place = [arguments.url.removesuffix(f"/{NAME}")] if arguments.url is not None else []
        app = ["--app", arguments.target] if arguments.target is not None else []
        self._before = shlex.join(["contract", "call", *place])
        self._app = shlex.join(app)
        # they may be secrets
        self._headers = " ".join(
            f"--header {shlex.quote(f'{name}: ...')}" for name, _ in arguments.header
        )
        self._has_token = bool(arguments.token)

    def of(self, finding: Finding) -> str:
        """The command for a shell that makes the call of *finding*."""
        body = b"" if finding.body is None else finding.body
        name = shlex.quote(clean(finding.route))
        number = f"_{finding.caller + 1}" if finding.caller else ""
        token = f'--token "$TOKEN{number}"' if self._has_token else ""
        before, given = self._before, _typed(body)
        if given is None:
            octal = "".join(map(_octal, body))
            before, given = f"printf '{octal}' | {before}", "-"
        parts = before, name, given, self._app, token, self._headers
        return " ".join(filter(None, parts))


def _octal(byte: int) -> str:
    """*byte* in the format of ``printf``."""
    char = chr(byte)
    return char if char.isascii() and char.isalnum() else f"\\{byte:03o}"


def _typed(body: bytes) -> str | None:
    """*body* as an argument, where a terminal can show it and a shell take it."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return None
    if not text:
        return ""
    # ``contract call`` reads standard input for -, and a file for @FILE
    is_plain = text.isprintable() and not text.startswith(("-", "@"))
    return shlex.quote(text) if is_plain and len(body) < _LONGEST else None


_LONGEST: Final = 100_000
"""Bytes that one argument of a command may have, nearly (Linux: 128 KiB)."""


_COLUMNS: Final = ("ROUTE", "VALID", "INVALID", "ANSWERS", "NEVER SEEN", "FINDINGS")
_MOST: Final = 400
"""Characters of a problem."""


def tell(results: Sequence[Result], seed: int, replays: Replays) -> None:
    """Write a table of the routes as data, and the findings for people."""
    rows = [_COLUMNS, *(_row(result) for result in results)]
    data(escaped(table(rows)))
    findings = [finding for result in results for finding in result.findings]
    for finding in findings:
        say(f"\n{red(clean(finding.route))}: {clean(cut(finding.problem, _MOST))}")
        say(f"    {replays.of(finding)}")
    declared, seen = _coverage(results)
    if findings:
        told = red("1 finding" if len(findings) == 1 else f"{len(findings)} findings")
    else:
        was_fuzzed = any(result.skipped is None for result in results)
        told = bold("nothing found" if was_fuzzed else "nothing was fuzzed")
    say(f"\n{told}  {told_of(declared, seen)}  {dim(f'--seed {seed}')}")


def _coverage(results: Sequence[Result]) -> tuple[int, int]:
    fuzzed = [result for result in results if result.skipped is None]
    declared = sum(1 + len(result.declared) for result in fuzzed)
    return declared, declared - sum(len(result.unseen) for result in fuzzed)


def _row(result: Result) -> tuple[str, ...]:
    if result.skipped is not None:
        hint = " (--token)" if result.skipped == NO_TOKEN else ""
        return (result.route, "-", "-", f"not fuzzed: {result.skipped}{hint}", "", "-")
    answers = "  ".join(f"{code} {count}" for code, count in result.codes.items())
    unseen = " ".join(result.unseen) or "-"
    found = str(len(result.findings) or "-")
    return result.route, str(result.valid), str(result.invalid), answers, unseen, found


def as_json(results: Sequence[Result], seed: int, replays: Replays) -> str:
    """*results*, as one line of JSON."""
    declared, seen = _coverage(results)
    routes = [
        {
            "route": result.route,
            "valid": result.valid,
            "invalid": result.invalid,
            "answers": result.codes,
            "unseen": result.unseen,
            "skipped": result.skipped,
            "findings": [_facts_of(finding, replays) for finding in result.findings],
        }
        for result in results
    ]
    told = {"seed": seed, "declared": declared, "seen": seen, "routes": routes}
    return orjson.dumps(told).decode()


def _facts_of(finding: Finding, replays: Replays) -> dict[str, object]:
    body = finding.body
    return {
        "kind": type(finding).__name__,
        "problem": finding.problem,
        "body": None if body is None else body.decode(errors="backslashreplace"),
        "replay": replays.of(finding),
    }
