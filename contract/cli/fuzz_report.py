"""The report of ``contract fuzz``: during the calls, and at the end."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, final

import orjson

from contract.cli.output import bold, clean, data, dim, escaped, inert, red, say, table
from contract.cli.sources import NAME
from contract.shape.quoting import cut
from contract.testing.findings import Finding, told_of
from contract.testing.fuzzing import NO_TOKEN, Result
from contract.testing.made_forms import is_form

__all__ = ["Progress", "Replays", "as_json", "tell"]


@final
class Progress:
    """A progress line on a terminal; elsewhere nothing."""

    def __init__(self, routes: int) -> None:
        self._routes = routes
        self._done = 0
        self._shown = sys.stderr.isatty()

    def begin(self, name: str) -> Callable[[int], None]:
        """Start a route; call the result after each of its calls."""
        self._done += 1
        done = self._done

        def show(calls: int) -> None:
            if self._shown and calls % 10 == 0:
                self._write(f"{done}/{self._routes} {clean(name)}  {calls} calls")

        return show

    def end(self) -> None:
        """Remove the line."""
        if self._shown:
            self._write("")

    def _write(self, text: str) -> None:
        with suppress(OSError):  # the terminal is gone
            sys.stderr.write(f"\r\x1b[K{dim(text) if text else ''}")
            sys.stderr.flush()


@final
class Replays:
    """Writes the commands that repeat findings."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        place = [arguments.url.removesuffix(f"/{NAME}")] if arguments.url is not None else []
        app = ["--app", arguments.target] if arguments.target is not None else []
        self._before = shlex.join(["contract", "call", *place])
        self._app = shlex.join(app)
        # the values may be secret
        self._headers = " ".join(
            f"--header {shlex.quote(f'{name}: ...')}" for name, _ in arguments.header
        )
        self._has_token = bool(arguments.token)
        self.stream_deadline: Final = f"--stream-deadline {arguments.stream_seconds:g}"

    def of(self, finding: Finding) -> str:
        """The shell command that repeats the call of *finding*."""
        body = b"" if finding.body is None else finding.body
        name = shlex.quote(clean(finding.route))
        number = f"_{finding.caller + 1}" if finding.caller else ""
        token = f'--token "$TOKEN{number}"' if self._has_token else ""
        before, given = self._before, _typed(body)
        if given is None:
            before, given = f"{_printed(body)} | {before}", "-"
        method = "--get" if finding.by_get else ""
        form = "--form" if is_form(body) else ""
        parts = before, name, given, form, method, self._app, token, self._headers
        return " ".join(filter(None, parts))


def _printed(body: bytes) -> str:
    """A command of a shell that writes *body*, in which there may be thousands of zeros."""
    pieces = [
        f"head -c {len(piece)} /dev/zero" if piece.startswith(_ZEROS) else _printf(piece)
        for piece in _MANY_ZEROS.split(body)
    ]
    return pieces[0] if len(pieces) == 1 else f"{{ {'; '.join(pieces)}; }}"


_ZEROS: Final = bytes(1000)
_MANY_ZEROS: Final = re.compile(rb"(\0{1000,})")


def _printf(piece: bytes) -> str:
    return f"printf '{''.join(map(_octal, piece))}'"


def _octal(byte: int) -> str:
    """The *byte* as an escape for ``printf``."""
    char = chr(byte)
    return char if char.isascii() and char.isalnum() else f"\\{byte:03o}"


def _typed(body: bytes) -> str | None:
    """The *body* as an argument, if a terminal can show it and a shell accepts it."""
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
"""The most bytes of one argument, with a margin (Linux: 128 KiB)."""


_COLUMNS: Final = ("ROUTE", "VALID", "INVALID", "ANSWERS", "NEVER SEEN", "FINDINGS")
_MOST: Final = 400
"""The most characters of a problem."""


def tell(results: Sequence[Result], seed: int, replays: Replays) -> None:
    """Write a table of the routes to standard output, and the findings for people."""
    rows = [_COLUMNS, *(_row(result) for result in results)]
    data(escaped(table(rows)))
    findings = [finding for result in results for finding in result.findings]
    for finding in findings:
        say(f"\n{red(clean(finding.route))}: {clean(cut(finding.problem, _MOST))}")
        say(f"    {replays.of(finding)}")
    for result in results:
        if result.waits.late:
            say(f"\n{clean(result.waits.told(result.route, replays.stream_deadline))}")
    declared, seen = _coverage(results)
    if findings:
        outcome = red("1 finding" if len(findings) == 1 else f"{len(findings)} findings")
    else:
        was_fuzzed = any(result.skipped is None for result in results)
        outcome = bold("nothing found" if was_fuzzed else "nothing was fuzzed")
    say(f"\n{outcome}  {told_of(declared, seen)}  {dim(f'--seed {seed}')}")


def _coverage(results: Sequence[Result]) -> tuple[int, int]:
    fuzzed = [result for result in results if result.skipped is None]
    declared = sum(1 + len(result.declared) for result in fuzzed)
    return declared, declared - sum(len(result.unseen) for result in fuzzed)


def _row(result: Result) -> tuple[str, ...]:
    if result.skipped is not None:
        hint = " (--token, --header)" if result.skipped == NO_TOKEN else ""
        return (result.route, "-", "-", f"not fuzzed: {result.skipped}{hint}", "", "-")
    answers = "  ".join(f"{code} {count}" for code, count in result.codes.items())
    unseen = " ".join(result.unseen) or "-"
    found = str(len(result.findings) or "-")
    return result.route, str(result.valid), str(result.invalid), answers, unseen, found


def as_json(results: Sequence[Result], seed: int, replays: Replays) -> str:
    """The *results* as one line of JSON."""
    declared, seen = _coverage(results)
    routes = [
        {
            "route": result.route,
            "valid": result.valid,
            "invalid": result.invalid,
            "answers": result.codes,
            "unseen": result.unseen,
            "skipped": result.skipped,
            "left": result.waits.late,
            "findings": [_facts_of(finding, replays) for finding in result.findings],
        }
        for result in results
    ]
    report = {"seed": seed, "declared": declared, "seen": seen, "routes": routes}
    return inert(orjson.dumps(report).decode())


def _shown(body: bytes) -> str:
    """*body* as text, without the zeros of a file that is too large."""
    return _MANY_ZEROS.sub(b"...", body).decode(errors="backslashreplace")


def _facts_of(finding: Finding, replays: Replays) -> dict[str, object]:
    body = finding.body
    return {
        "kind": type(finding).__name__,
        "problem": finding.problem,
        "body": None if body is None else _shown(body),
        "replay": replays.of(finding),
    }
