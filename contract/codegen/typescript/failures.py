"""Failures: all codes that a call may end with, and the data of each."""

from __future__ import annotations

from typing import Final

from contract.codegen.package import FailureType, Package
from contract.codegen.typescript.declarations import comment, named
from contract.codegen.typescript.layout import Node, call, entry, laid_out, members, one_of, quoted
from contract.codegen.typescript.scope import Scope
from contract.shape.nodes import RefShape

__all__ = ["COMMON", "common_checks", "data_roots", "failure_check", "failure_types"]

_TEXT: Final = call("$string")
_NOTHING: Final = "$optional($nothing)"
_MESSAGE: Final = call("$record", members([entry("message", _TEXT)]))
_ISSUE: Final = call(
    "$record",
    members(
        [
            entry("message", _TEXT),
            entry(
                "path",
                call(
                    "$array",
                    call(
                        "$union",
                        '"string, integer"',
                        '["string", $string()]',
                        '["integer", $integer()]',
                    ),
                ),
            ),
            entry("code", _TEXT),
            entry("params", call("$optional", "$params")),
        ]
    ),
)

COMMON: Final[dict[str, tuple[str, str, Node | None]]] = {
    "BAD_REQUEST": ("", "{ message: string }", _MESSAGE),
    "DEADLINE_EXCEEDED": ("", "undefined", _NOTHING),
    "FORBIDDEN": ("", "undefined", _NOTHING),
    "INTERNAL_ERROR": ("", "undefined", _NOTHING),
    "LENGTH_REQUIRED": ("", "undefined", _NOTHING),
    "METHOD_NOT_ALLOWED": ("", "undefined", _NOTHING),
    "NETWORK_ERROR": (
        (
            "No answer came back: why, and what was thrown, "
            "which is not enumerable and stands in no copy."
        ),
        "{ cause: NetworkCause; error?: unknown }",
        None,
    ),
    "NOT_FOUND": ("", "undefined", _NOTHING),
    "PAYLOAD_TOO_LARGE": (
        "Its limit, if it said so.",
        "{ limit: number } | undefined",
        call("$record", members([entry("limit", call("$integer", "{ ge: 0 }"))])),
    ),
    "REQUEST_TIMEOUT": ("", "undefined", _NOTHING),
    "ROUTE_NOT_FOUND": (
        "",
        "{ route: string }",
        call("$record", members([entry("route", _TEXT)])),
    ),
    "SERVICE_UNAVAILABLE": ("", "undefined", _NOTHING),
    "TOO_MANY_REQUESTS": ("", "undefined", _NOTHING),
    "UNAUTHORIZED": ("", "undefined", _NOTHING),
    "UNKNOWN_ERROR": (
        (
            "An answer that the contract does not know, and what is wrong with it; "
            "its text is the `body` of the failure."
        ),
        "{ issues: readonly ValidationIssue[] }",
        None,
    ),
    "UNSUPPORTED_MEDIA_TYPE": ("", "{ message: string }", _MESSAGE),
    "VALIDATION_ERROR": (
        "With the status 0 it was never sent.",
        "{ issues: readonly ValidationIssue[]; truncated?: true }",
        call(
            "$record",
            members(
                [
                    entry("issues", call("$array", _ISSUE)),
                    entry("truncated", call("$optional", call("$literal", "true"))),
                ]
            ),
        ),
    ),
}
"""
Code -> its description, the type of its data, and the check of that data.

These are the codes that any call may end with; the document gives their meaning. The check is None
if no server sends the code.
"""


def data_roots(package: Package) -> list[RefShape]:
    """The types of the data of all failures."""
    failures = [
        *package.failures.values(),
        *(package.builtins[code] for code in sorted(COMMON) if code in package.builtins),
    ]
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
        added, data, _ = COMMON.get(code, ("", "undefined", None))
        told = "" if failure is None else f"{failure.status}: {failure.description}"
        if failure is not None and (code in package.failures or failure.data is not None):
            added, data = "", _data_of(failure, scope)
        words = " ".join(filter(None, (told, added)))
        lines.append(comment([words] if words else [], indent=1) + f"  {code}: {data};")
    lines.append("}")
    before = "export type CallErrorCode ="
    union = laid_out(one_of(map(quoted, sorted(COMMON))), taken=len(before) + 1)
    codes = f"{before} {union};".replace("= \n", "=\n")
    lines += ["", "/** The codes of failures that no route has to declare. */", codes]
    return "\n".join(lines)


def failure_check(failure: FailureType, scope: Scope) -> str:
    """The check of a failure's data."""
    if failure.data is None:
        return "$optional($nothing)"
    check = scope.checks[failure.data.definition.name]
    return check if failure.data_required else f"$optional({check})"


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
    return named(failure.data.definition, scope) + ("" if failure.data_required else " | undefined")
