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
        if text:
            text = dim(text)
        with suppress(OSError):  # the terminal is gone
            sys.stderr.write(f"\r\x1b[K{text}")  # to the start of the line, which is emptied
            sys.stderr.flush()


@final
class Replays:
    """Writes the commands that repeat findings."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        words = ["contract", "call"]
        if arguments.url is not None:
            words.append(arguments.url.removesuffix(f"/{NAME}"))
        self._before = shlex.join(words)
        self._app = ""
        if arguments.target is not None:
            self._app = shlex.join(["--app", arguments.target])
        # the values may be secret
        shown = [shlex.quote(f"{name}: ...") for name, _ in arguments.header]
        self._headers = " ".join(f"--header {each}" for each in shown)
        self._has_token = bool(arguments.token)
        self.stream_deadline: Final = f"--stream-deadline {arguments.stream_seconds:g}"

    def of(self, finding: Finding) -> str:
        """The shell command that repeats the call of *finding*."""
        body = finding.body or b""
        name = shlex.quote(clean(finding.route))
        before, given = self._before, _typed(body)
        if given is None:
            before, given = f"{_printed(body)} | {before}", "-"
        words = [before, name, given]
        if is_form(body):
            words.append("--form")
        if finding.by_get:
            words.append("--get")
        words.append(self._app)
        if self._has_token:  # which may be secret, so it comes from a variable of the shell
            variable = "$TOKEN"
            if finding.caller:
                variable = f"$TOKEN_{finding.caller + 1}"
            words.append(f'--token "{variable}"')
        words.append(self._headers)
        return " ".join(filter(None, words))


def _printed(body: bytes) -> str:
    """A command of a shell that writes *body*, in which there may be thousands of zeros."""
    pieces = [_command(piece) for piece in _MANY_ZEROS.split(body)]
    if len(pieces) == 1:
        return pieces[0]
    return f"{{ {'; '.join(pieces)}; }}"


_ZEROS: Final = bytes(1000)
_MANY_ZEROS: Final = re.compile(rb"(\0{1000,})")


def _command(piece: bytes) -> str:
    """A command that writes a *piece*, which is nothing but zeros, or has few of them in a row."""
    if piece.startswith(_ZEROS):
        return f"head -c {len(piece)} /dev/zero"
    return f"printf '{''.join(map(_octal, piece))}'"


def _octal(byte: int) -> str:
    """The *byte* as an escape for ``printf``."""
    char = chr(byte)
    if char.isascii() and char.isalnum():
        return char
    return f"\\{byte:03o}"  # POSIX knows no hexadecimal escapes in printf


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
    if is_plain and len(body) < _LONGEST:
        return shlex.quote(text)
    return None


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
    if len(findings) == 1:
        outcome = red("1 finding")
    elif findings:
        outcome = red(f"{len(findings)} findings")
    elif any(result.skipped is None for result in results):
        outcome = bold("nothing found")
    else:
        outcome = bold("nothing was fuzzed")
    say(f"\n{outcome}  {told_of(declared, seen)}  {dim(f'--seed {seed}')}")


def _coverage(results: Sequence[Result]) -> tuple[int, int]:
    fuzzed = [result for result in results if result.skipped is None]
    declared = sum(1 + len(result.declared) for result in fuzzed)
    return declared, declared - sum(len(result.unseen) for result in fuzzed)


def _row(result: Result) -> tuple[str, ...]:
    if result.skipped is not None:
        why = f"not fuzzed: {result.skipped}"
        if result.skipped == NO_TOKEN:
            why = f"{why} (--token, --header)"
        return (result.route, "-", "-", why, "", "-")
    answers = "  ".join(f"{code} {count}" for code, count in result.codes.items())
    unseen = " ".join(result.unseen) or "-"
    found = str(len(result.findings) or "-")
    return result.route, str(result.valid), str(result.invalid), answers, unseen, found


def as_json(results: Sequence[Result], seed: int, replays: Replays) -> str:
    """The *results* as one line of JSON."""
    declared, seen = _coverage(results)
    routes = [_facts_of_route(result, replays) for result in results]
    report = {"seed": seed, "declared": declared, "seen": seen, "routes": routes}
    return inert(orjson.dumps(report).decode())


def _facts_of_route(result: Result, replays: Replays) -> dict[str, object]:
    return {
        "route": result.route,
        "valid": result.valid,
        "invalid": result.invalid,
        "answers": result.codes,
        "unseen": result.unseen,
        "skipped": result.skipped,
        "left": result.waits.late,
        "findings": [_facts_of(finding, replays) for finding in result.findings],
    }


def _shown(body: bytes) -> str:
    """*body* as text, without the zeros of a file that is too large."""
    return _MANY_ZEROS.sub(b"...", body).decode(errors="backslashreplace")


def _facts_of(finding: Finding, replays: Replays) -> dict[str, object]:
    body: str | None = None
    if finding.body is not None:
        body = _shown(finding.body)
    return {
        "kind": type(finding).__name__,
        "problem": finding.problem,
        "body": body,
        "replay": replays.of(finding),
    }
