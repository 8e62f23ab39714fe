"""Failures: all codes that a call may end with, and the data of each."""

from __future__ import annotations

from typing import Final

from contract.codegen.package import FailureType, Package
from contract.codegen.typescript.declarations import comment, named
from contract.codegen.typescript.layout import (
    Node,
    call,
    entry,
    laid_out,
    members,
    one_of,
    quoted,
    typed,
)
from contract.codegen.typescript.scope import Scope
from contract.shape.nodes import RefShape

__all__ = ["COMMON", "common_checks", "data_roots", "failure_check", "failure_types"]

_TEXT: Final = call("$string")


def _record(**checks: Node) -> Node:
    return call("$record", members(entry(name, check) for name, check in checks.items()))


_KEY: Final = call(
    "$union", '"string, integer"', '["string", $string()]', '["integer", $integer()]'
)
_ISSUE: Final = _record(
    message=_TEXT, path=call("$array", _KEY), code=_TEXT, params=call("$optional", "$params")
)
_TRUNCATED: Final = call("$optional", call("$literal", "true"))

COMMON: Final[dict[str, tuple[str, str, Node | None]]] = {
    **dict.fromkeys(
        (
            "DEADLINE_EXCEEDED",
            "FORBIDDEN",
            "INTERNAL_ERROR",
            "LENGTH_REQUIRED",
            "METHOD_NOT_ALLOWED",
            "NOT_FOUND",
            "REQUEST_TIMEOUT",
            "SERVICE_UNAVAILABLE",
            "TOO_MANY_REQUESTS",
            "UNAUTHORIZED",
        ),
        ("", "undefined", "$optional($nothing)"),
    ),
    **dict.fromkeys(
        ("BAD_REQUEST", "UNSUPPORTED_MEDIA_TYPE"),
        ("", "{ message: string }", _record(message=_TEXT)),
    ),
    "NETWORK_ERROR": (
        (
            "No answer came back: why, where the call went (without its input) and what was "
            "thrown; these two are not enumerable and stand in no copy."
        ),
        "{ cause: NetworkCause; url?: string; error?: unknown }",
        None,
    ),
    "PAYLOAD_TOO_LARGE": (
        "Its limit, if it said so.",
        "{ limit: number } | undefined",
        _record(limit=call("$integer", "{ ge: 0 }")),
    ),
    "ROUTE_NOT_FOUND": ("", "{ route: string }", _record(route=_TEXT)),
    "UNKNOWN_ERROR": (
        (
            "An answer that the contract does not know, and what is wrong with it; "
            "its text is the `body` of the failure."
        ),
        "{ issues: readonly ValidationIssue[] }",
        None,
    ),
    "VALIDATION_ERROR": (
        "With the status 0 it was never sent.",
        "{ issues: readonly ValidationIssue[]; truncated?: true }",
        _record(issues=call("$array", _ISSUE), truncated=_TRUNCATED),
    ),
}
"""
Code -> its description, the type of its data, and the check of that data.

These are the codes that any call may end with; the document gives their meaning. The check is None
if no server sends the code.
"""


def data_roots(package: Package) -> list[RefShape]:
    """The types of the data of all failures."""
    common = [package.builtins[code] for code in sorted(COMMON) if code in package.builtins]
    failures = [*package.failures.values(), *common]
    return [failure.data for failure in failures if failure.data is not None]


def _codes_of(package: Package) -> list[str]:
    """All codes, sorted."""
    return sorted({*COMMON, *package.failures})


def failure_types(scope: Scope) -> str:
    """The types of failures."""
    package = scope.package
    lines = [
        "/** Every code that a call may come to, and the data that comes with it. */",
        "export interface FailureData {",
    ]
    for code in _codes_of(package):
        failure = package.failures.get(code) or package.builtins.get(code)
        note, data, _ = COMMON.get(code, ("", "undefined", None))
        sentences: list[str] = []
        if failure is not None:
            sentences.append(f"{failure.status}: {failure.description}")
            # what the document says of the data counts; of the framework's own codes it says
            # nothing (`Package.builtins`)
            if code in package.failures or failure.data is not None:
                note, data = "", _data_of(failure, scope)
        if note:
            sentences.append(note)
        # a paragraph without text would be an empty comment
        about = comment(filter(None, [" ".join(sentences)]), indent=1)
        lines.append(f"{about}  {code}: {data};")
    codes = typed("export type CallErrorCode =", one_of(map(quoted, sorted(COMMON))))
    lines += ["}", "", "/** The codes of failures that no route has to declare. */", codes]
    return "\n".join(lines)


def failure_check(failure: FailureType, scope: Scope) -> str:
    """The check of a failure's data."""
    # an object that comes all the same counts as no data
    if failure.data is None:
        return "$optional($nothing)"
    check = scope.checks[failure.data.definition.name]
    if failure.data_required:
        return check
    return f"$optional({check})"


def common_checks(scope: Scope) -> str:
    """The checks of the codes that routes need not declare."""
    parts: list[Node] = []
    for code, (_, _, check) in sorted(COMMON.items()):
        failure = scope.package.builtins.get(code)
        if failure is not None and failure.data is not None:
            parts.append(entry(code, failure_check(failure, scope)))
        elif check is not None:
            parts.append(entry(code, check))
    before = "const $CODES: $Codes = "
    about = "/** What comes with the codes that any call may come to. */"
    return f"{about}\n{before}{laid_out(members(parts), taken=len(before))};"


def _data_of(failure: FailureType, scope: Scope) -> str:
    if failure.data is None:
        return "undefined"
    type_ = named(failure.data.definition, scope)
    if failure.data_required:
        return type_
    return f"{type_} | undefined"
