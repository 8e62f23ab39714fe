"""
Parsing: the JSON value in the bytes of a body, or what is wrong with them, with line and column.

The parser says where it stopped. Its reasons are in its own words, which differ between releases,
so the reason is found again by looking at that place once, whatever the size of the document.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from pydantic_core import from_json

from contract.pred.dump.collector import COLLECTOR
from contract.pred.dump.walk import MAX_DEPTH
from contract.shape.issues import Issue, issue

__all__ = ["LARGE_BODY", "may_be_too_deep", "parsed", "stack_is_full"]


LARGE_BODY: Final = 65_536
"""
The size in bytes above which a document costs more than a call.

For a larger document less is explained, and the garbage collector is paused.
"""


def parsed(data: bytes) -> Any:
    """The JSON value in *data*, or an `Issue` if it has none, or one of more than 200 levels."""
    paused = len(data) > LARGE_BODY and COLLECTOR.pause()
    try:
        return _parsed(data)
    finally:
        if paused:
            COLLECTOR.resume()


def may_be_too_deep(data: bytes) -> bool:
    """Whether a document has enough brackets for more than 200 levels."""
    return data.count(b"[") + data.count(b"{") > MAX_DEPTH


def stack_is_full(data: bytes) -> Issue:
    """The issue of a document that is too deep for Python's stack, at its deepest place."""
    # each match is a text, whose brackets do not count, or a run of brackets of one direction
    depth = deepest = at = 0
    for found in _BRACKETS.finditer(data):
        if found[0][:1] in b"[{":
            depth += len(found[0])
            if depth > deepest:
                deepest, at = depth, found.end() - 1
        elif found[0][:1] != b'"':
            depth -= len(found[0])
    return _issue_at(data, "stack", at)


_BRACKETS: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[\[{]++|[\]}]++', re.DOTALL)


def _parsed(data: bytes) -> Any:
    # the parser's exception must not escape, since it quotes the document
    if may_be_too_deep(data):
        # the parser stops one level above its limit; an array around the document makes that the
        # place looked for
        try:
            around: list[Any] = from_json(b"[%b]" % data, allow_inf_nan=False, cache_strings="keys")
        except ValueError as error:
            found = _found(data, f"{error}", shift=1)
            if found is not None and found[0] == "recursion limit exceeded":
                return _issue_at(data, "too_deep", found[1])
        else:
            if len(around) == 1:
                return around[0]
    try:
        return from_json(data, allow_inf_nan=False, cache_strings="keys")
    except ValueError as error:
        return _explained(data, f"{error}")


def _explained(data: bytes, problem: str) -> Issue:
    """Why *data* is not JSON; the parser's reason is *problem*."""
    if not data.strip(b" \t\r\n"):
        return _issue_at(data, "empty", 0)
    for reason, opening in _OPENINGS:
        if opening.match(data):
            return _issue_at(data, reason, 0)
    reason, at = "syntax", 0
    found = _found(data, problem)
    if found is not None:
        reason, at = _reason(data, *found)
    return _issue_at(data, reason, at)


_OPENINGS: Final = (
    ("byte_order_mark", re.compile(rb"\xef\xbb\xbf")),
    (
        "encoding",
        re.compile(
            rb"\xff\xfe|\xfe\xff|\x00[^\x00]\x00|[^\x00]\x00[^\x00]\x00|.?\x00\x00\x00", re.DOTALL
        ),
    ),
    ("form", re.compile(rb"""[^\s"'{}=&:,/]{1,256}=|--[^\r\n]{1,70}\r?\n[Cc]ontent-""")),
)
"""The first bytes of bodies that are not JSON at all: another encoding, or another format."""


def _reason(data: bytes, problem: str, at: int) -> tuple[str, int]:
    """Why there is no JSON at byte *at*, where the parser says *problem*; and where that begins."""
    # 1. Problems that tell their own reason.
    if problem.startswith("EOF"):
        return "unfinished", len(data)
    if problem.startswith("control character"):
        return "control_character", at
    if "hex escape" in problem:
        return "lone_surrogate", _half(data, data.rfind(b"\\u", 0, at + 1))
    match problem:
        case "invalid escape":
            return "escape", data.rfind(b"\\", 0, at + 1)
        case "trailing comma":
            return "trailing_comma", data.rfind(b",", 0, at)
        case "number out of range":
            return "too_many_digits", _start(data, at, _OF_NUMBERS)
        case _:
            pass
    # 2. Bytes that are no UTF-8, whatever the parser calls them.
    if problem == "invalid unicode code point" or data[at] > 127:
        try:  # older releases of pydantic-core give the position of the next byte
            data.decode()
        except UnicodeDecodeError as error:
            return "encoding", error.start
    # 3. What is there instead of JSON: the parser names only what it expected.
    for reason, sign in _SIGNS:
        if sign.match(data, at):
            return reason, at
    match problem:
        case "key must be a string":
            return "key", at
        case "expected `:`":
            return "colon", at
        case "invalid number" | "expected value" | "expected ident":
            return _no_value(data, at)
        case _ if _GLUED.match(data, max(at - 1, 0)):
            return "number", _start(data, at, _OF_NUMBERS)
        case "expected `,` or `]`" | "expected `,` or `}`":
            return "comma", at
        case "trailing characters":
            return "trailing", at
        case _:
            return "syntax", at


_SIGNS: Final = (
    ("comment", re.compile(rb"//|/\*|#")),
    ("quotes", re.compile(rb"['`]|\xe2\x80[\x98-\x9f]")),
)


def _no_value(data: bytes, at: int) -> tuple[str, int]:
    """Why no value begins at *at*, or shortly before."""
    word = _start(data, at, _LETTERS)
    if _NOT_FINITE.match(data, word):
        if data[:word].endswith((b"-", b"+")):
            word -= 1  # the sign belongs to it
        return "not_finite", word
    number = _start(data, at, _OF_NUMBERS)
    if number < at or data[at : at + 1] in b"+.":
        return "number", number
    if word < at or data[at : at + 1].isalpha():
        return "word", word
    return "value", at


_LETTERS: Final = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_OF_NUMBERS: Final = b"0123456789+-.eE"
_NOT_FINITE: Final = re.compile(rb"(?:nan|inf|infinity)(?![A-Za-z0-9_])", re.IGNORECASE)
_GLUED: Final = re.compile(rb"[0-9.][A-Za-z0-9_.]")
"""A number with a wrong continuation: ``0x10``, ``1_000``."""


def _start(data: bytes, at: int, signs: bytes) -> int:
    """The start of the run of *signs* that ends before *at*."""
    return len(data[:at].rstrip(signs))


def _half(data: bytes, at: int) -> int:
    """The start of half a character: the escape at *at*, or the first half before it."""
    return at - 6 if _FIRST_HALF.match(data, at - 6) else at


_FIRST_HALF: Final = re.compile(rb"\\u[dD][89abAB]")


def _found(data: bytes, problem: str, shift: int = 0) -> tuple[str, int] | None:
    """
    The problem that the parser names, and the byte where it stopped.

    The first *shift* bytes do not belong to the document.
    """
    stopped = _STOPPED.fullmatch(problem)
    if stopped is None:
        return None
    line, column = int(stopped[2]), int(stopped[3])
    at = _line(data, line) + column - 1
    if line == 1:
        at -= shift
    # at a bracket that was put around the document, the parser stops outside of it
    return stopped[1], min(max(at, 0), len(data))


_STOPPED: Final = re.compile(r"(.*) at line ([0-9]+) column ([0-9]+)", re.DOTALL)


def _line(data: bytes, line: int) -> int:
    """
    The start of *line*.

    It is found by bisection, since a loop over a million lines would take longer than all else.
    """
    ends = line - 1
    if not ends:
        return 0
    low, high = 0, len(data)
    while high - low > 1:
        middle = (low + high) // 2
        found = data.count(b"\n", low, middle)
        if found < ends:
            ends -= found
            low = middle
        else:
            high = middle
    return high


def _issue_at(data: bytes, reason: str, at: int) -> Issue:
    """The issue that the body is no JSON for this *reason*, at byte *at*."""
    before = data[:at]
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
    return issue(
        "json_invalid",
        reason=reason,
        line=before.count(b"\n") + 1,
        column=column,
        **_LIMITS.get(reason, {}),
    )


_LIMITS: Final[Mapping[str, Mapping[str, int]]] = {
    "too_deep": {"max_depth": MAX_DEPTH},
    "too_many_digits": {"max_digits": 4300},
}
"""Reason -> the further params of the issue, besides its place."""
