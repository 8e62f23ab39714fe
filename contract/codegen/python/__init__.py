"""
Python: clients and validators in Python, each in one file, on top of ``contract.client``.

A file is written from the inside out. `naming` decides all names, and `context` collects the
imports; `annotations` and `defaults` write types and values, `declarations`, `methods` and
`clients` the classes. The file is assembled here, once its imports are known.
"""

from __future__ import annotations

from typing import Final

from contract.codegen.package import Package
from contract.codegen.python.clients import client_classes, events, operations, schemas
from contract.codegen.python.context import Context
from contract.codegen.python.declarations import aliases, failures, types
from contract.codegen.python.layout import WIDTH, Bracket, documentation, lines, quoted
from contract.codegen.python.naming import PUBLIC, naming_of, reach_of

__all__ = ["python_client", "python_validators"]


def python_client(package: Package, *, source: str = "contract.json") -> str:
    """
    A client of the service that *package* describes, as one file on top of ``contract.client``.

    It has the types and the failures of all routes, validators, and two clients, one of them
    asynchronous.

    Args:
        package: The service.
        source: Where the document came from, for those who generate the file again.
    """
    return _module(package.for_clients(), source, with_clients=True)


def python_validators(package: Package, *, source: str = "contract.json") -> str:
    """
    Validators for the types that *package* exports, and these types, as one file.

    The file is on top of ``contract.client``.
    """
    return _module(package, source, with_clients=False)


def _module(package: Package, source: str, *, with_clients: bool) -> str:
    reach = reach_of(package, clients=with_clients)
    context = Context(package, reach, naming_of(package, reach, clients=with_clients))
    named = [*types(context), *failures(context)]
    blocks = [*aliases(context), schemas(context)]
    # 1. All code is written before the imports, which it decides.
    if with_clients:
        for name in PUBLIC:
            if name not in (*_MADE, "events"):
                context.publish(name)
        if package.paged:
            context.publish("pages")
        routes, constants = operations(context)
        sent = events(context)
        blocks += [each for each in (sent, constants) if each]
        blocks += client_classes(context, routes)
    # 2. Second names; one may be needed long after its class was written.
    defined = [[*lines_, *_second(context, name)] for name, lines_ in named]
    # 3. The names that users may import.
    naming = context.naming
    public = {*naming.types.values(), *naming.aliases.values(), *naming.failures.values()}
    public |= {"schemas", *context.public()}
    if with_clients:
        public.update(_MADE)
        if package.events:
            public.add("events")
    exported = Bracket("[", tuple(map(quoted, sorted(public))), "]")
    # 4. The file.
    written = [*_head(package, source, with_clients=with_clients), "", *context.imports(), ""]
    written += lines(exported, before="__all__ = ")
    for block in (*defined, *blocks):
        written += ["", "", *block]
    return "\n".join([*written, ""])


_MADE: Final = ("ApiClient", "AsyncApiClient", "schemas")
"""The public names that the module defines itself."""


def _second(context: Context, name: str) -> list[str]:
    second = context.second.get(name)
    if second is None:
        return []
    written = [f"{second} = {name}"]
    if len(written[0]) > WIDTH:
        written = [f"{second} = (", f"    {name}", ")"]
    return ["", "", *written]


def _head(package: Package, source: str, *, with_clients: bool) -> list[str]:
    info = package.document.info
    content = "a client" if with_clients else "validators of its types"
    output = "client.py" if with_clients else "validators.py --validators"
    return documentation(
        f"{info.title} {info.version}: {content}.",
        next(iter((info.description or "").strip().splitlines()), None),
        (
            f"Generated from the contract with the SHA-256 digest {package.digest}. "
            "Do not change this file; generate it again::"
        ),
        f"    contract generate {source} -o {output}",
    )
