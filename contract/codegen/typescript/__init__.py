"""
TypeScript: a package as one file without dependencies.

The TypeScript beside this module is the part of the file that is the same for all documents
(`contract.codegen.typescript.runtime`). What is generated calls its functions, whose names begin
with ``$``, as no name of a document does.

What values are: moments are a ``Date`` or a text, as is asked for; decimals, days, times, durations
and UUIDs are texts, which are checked; bytes are a ``Uint8Array``; sets are arrays, since a ``Set``
would tell equal objects apart; maps are plain objects. An integer that a double cannot hold is an
error wherever it is met, and never another integer. Validators take all of this as JSON, too.

What stands where in the file: the types of the document; the class `ApiClient` and a function for
each route; validators; the functions that check, one for each type that has a name; the runtime.
Only what is used stands there at all.
"""

from __future__ import annotations

from contract.codegen.package import Package
from contract.codegen.texts import block_comment
from contract.codegen.typescript.checks import Checks
from contract.codegen.typescript.declarations import aliases, declarations, named
from contract.codegen.typescript.failures import common_checks, data_roots, failure_types
from contract.codegen.typescript.layout import WIDTH, laid_out
from contract.codegen.typescript.routes import (
    PAGES,
    client_class,
    credential_type,
    events_object,
    group_class,
    route_function,
    schemas_object,
)
from contract.codegen.typescript.runtime import needed
from contract.codegen.typescript.scope import Dates, Scope, closure, scope_of, turns
from contract.shape.nodes import Shape

__all__ = ["Dates", "typescript_client", "typescript_validators"]


def typescript_client(package: Package, *, dates: Dates = "Date") -> str:
    """
    The client of *package*.

    Args:
        package: What the document says.
        dates: What a moment is: a ``Date``, which knows milliseconds and no offset, or the text as
            it is sent.
    """
    package = package.for_clients()
    scope = scope_of(package, dates)
    operations = package.operations.values()
    roots: list[Shape] = [
        *package.exports.values(),
        *package.events.values(),
        *(each.output for each in operations),
        *data_roots(package),
    ]
    roots += [each.input for each in operations if each.input is not None]
    checks = Checks(scope, roots)
    functions = _check_functions(scope, checks)
    body = [
        *_section("Types", declarations(package.definitions.values(), scope)),
        *_section("Types under the names that they are exported by", aliases(scope)),
        *_section("Failures", [failure_types(scope)]),
        *_section(
            "The client",
            [
                *credential_type(scope),
                client_class(scope),
                *(group_class(of, scope) for _, of in package.root.all_groups()),
            ],
        ),
        *_section(
            "The routes, as functions: what is not called stays out of a bundle",
            [route_function(name, scope, checks) for name in package.operations],
        ),
        *_section("The items of a list, page by page", [PAGES] if turns(package) else []),
        *_section(
            "Checks: one function for each type that has a name", [*functions, common_checks(scope)]
        ),
        *_section("Validators", [schemas_object(scope, checks, routes=True)]),
        *_section("What the service sends by webhooks", events_object(scope, checks)),
    ]
    return _file(scope, body, client=True)


def typescript_validators(package: Package, *, dates: Dates = "Date") -> str:
    """
    The types and validators of what *package* exports, and nothing else.

    Args:
        package: What the document says.
        dates: As in `typescript_client`.
    """
    scope = scope_of(package, dates)
    roots = [*package.exports.values()]
    checks = Checks(scope, roots)
    functions = _check_functions(scope, checks)
    body = [
        *_section("Types", declarations(closure(roots), scope)),
        *_section("Types under the names that they are exported by", aliases(scope)),
        *_section("Checks: one function for each type that has a name", functions),
        *_section("Validators", [schemas_object(scope, checks, routes=False)]),
    ]
    return _file(scope, body, client=False)


def _check_functions(scope: Scope, checks: Checks) -> list[str]:
    found: list[str] = []
    for each in checks.order:
        before = f"const {scope.checks[each.name]}: $Check<{named(each, scope)}> = "
        found.append(f"{before}{laid_out(checks.declared(each), taken=len(before))};")
    return found


def _section(title: str, parts: list[str]) -> list[str]:
    return [f"// {title}.", *parts] if parts else []


def _file(scope: Scope, body: list[str], *, client: bool) -> str:
    package = scope.package
    info = package.document.info
    code = "\n\n".join(body)
    runtime = needed(code, client=client)
    head = [
        *block_comment(f"{info.title}, version {info.version}.", WIDTH - 3),
        "",
        f"Generated by contract from a document with the SHA-256 {package.digest}.",
        "Do not change it: generate it again.",
    ]
    # a linter would judge it by the rules of whoever generates it, who cannot change it
    parts = [
        "/* eslint-disable */\n/**\n"
        + "".join(f" * {line}".rstrip() + "\n" for line in head)
        + " */",
        code,
    ]
    if client:
        parts += [
            "// The runtime of the client; it is the same for all services.",
            runtime["results"],
            runtime["client"],
            runtime["pages"],
            runtime["webhooks"],
            runtime["streams"],
            runtime["downloads"],
        ]
    parts += ["// What checks are made of; it is the same for all services."]
    parts += [runtime["checks"], runtime["containers"], runtime["texts"], runtime["patterns"]]
    if runtime["sentences"]:
        parts += ["// The words for what is wrong with a value.", runtime["sentences"]]
    return "\n\n".join(filter(None, parts)) + "\n"
