"""
TypeScript: a package as one file without dependencies.

The TypeScript beside this module is the part of the file that is the same for all documents
(`contract.codegen.typescript.runtime`). Generated code calls its functions, whose names begin with
``$``, unlike any name of a document.

Types of values: moments are a ``Date`` or a text, as requested; decimals, days, times, durations
and UUIDs are texts, which are checked; bytes are a ``Uint8Array``; sets are arrays, since a ``Set``
would keep equal objects apart; maps are plain objects. An integer that a double cannot represent is
always an error, and never becomes another integer. Validators also take all of these as JSON.

The order of the file: the types of the document; the class `ApiClient` and a function for each
route; validators; the functions that check, one for each named type; the runtime. Only what is used
is included.
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
from contract.codegen.typescript.scope import Dates, Scope, closure, scope_of
from contract.shape.nodes import Shape

__all__ = ["Dates", "typescript_client", "typescript_validators"]


def typescript_client(package: Package, *, dates: Dates = "Date") -> str:
    """
    The client of *package*.

    Args:
        package: The package of the document.
        dates: The type of a moment: a ``Date``, which has milliseconds and no offset, or the text
            that is sent.
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
    # where there is no route, failures have types, and nothing uses checks of them
    checked = roots
    if not operations:
        checked = [*package.exports.values(), *package.events.values()]
    checks = Checks(scope, checked)
    functions = _check_functions(scope, checks)
    if operations:
        functions.append(common_checks(scope))
    groups = [group_class(namespace, scope) for _, namespace in package.root.all_groups()]
    pages = [PAGES] if package.paged else []
    body = [
        *_section("Types", declarations(closure(roots), scope)),
        *_section("Types under the names that they are exported by", aliases(scope)),
        *_section("Failures", [failure_types(scope)]),
        *_section("The client", [*credential_type(scope), client_class(scope), *groups]),
        *_section(
            "The routes, as functions: what is not called stays out of a bundle",
            [route_function(name, scope, checks) for name in package.operations],
        ),
        *_section("The items of a list, page by page", pages),
        *_section("Checks: one function for each type that has a name", functions),
        *_section("Validators", [schemas_object(scope, checks, routes=True)]),
        *_section("What the service sends by webhooks", events_object(scope, checks)),
    ]
    return _file(scope, body, client=True)


def typescript_validators(package: Package, *, dates: Dates = "Date") -> str:
    """
    The types and validators of the exports of *package*, and nothing else.

    Args:
        package: The package of the document.
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
    if not parts:
        return []
    return [f"// {title}.", *parts]


def _file(scope: Scope, body: list[str], *, client: bool) -> str:
    package = scope.package
    info = package.document.info
    # the code first: it decides what is needed of the runtime
    code = "\n\n".join(body)
    runtime = needed(code, client=client)
    head = [
        *block_comment(f"{info.title}, version {info.version}.", WIDTH - 3),
        "",
        f"Generated by contract from a document with the SHA-256 {package.digest}.",
        "Do not change it: generate it again.",
    ]
    about = "".join(f" * {line}".rstrip() + "\n" for line in head)
    # a linter would apply the rules of users who cannot change the file
    parts = [f"/* eslint-disable */\n/**\n{about} */", code]
    if client:
        parts.append("// The runtime of the client; it is the same for all services.")
        parts += [runtime["results"], runtime["client"], runtime["pages"], runtime["webhooks"]]
        parts += [runtime["streams"], runtime["uploads"], runtime["downloads"]]
    parts.append("// What checks are made of; it is the same for all services.")
    parts += [runtime["checks"], runtime["containers"], runtime["texts"], runtime["patterns"]]
    if runtime["sentences"]:
        parts += ["// The words for what is wrong with a value.", runtime["sentences"]]
    return "\n\n".join(filter(None, parts)) + "\n"
