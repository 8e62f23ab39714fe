"""
Context: the imports and the private names of one module while it is written, and where names hide.

In ``class Order`` with a field ``date``, type checkers take the annotation ``date`` for that field.
So an imported name gets another name in the whole module (``_date``) if anything in the document
has the same name (`Context`). And a type of the module has a second name (``_Order``) for the few
places where its own is hidden (`Scope`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal, final

from contract.codegen.package import Package
from contract.codegen.python.layout import WIDTH, Bracket, lines
from contract.codegen.python.naming import PUBLIC, Naming, Reach
from contract.codegen.texts import Names, Style
from contract.shape.graph import definitions
from contract.shape.names import is_identifier
from contract.shape.scalars import ROWS

__all__ = ["CLIENT", "Context", "Scope"]

CLIENT: Final = "contract.client"
"""The module with the runtime of clients."""


@final
class Context:
    """
    The names of one module while it is being written.

    Attributes:
        package: The package that is written.
        reach: The parts of it that are written.
        naming: Their names.
        second: Type -> its second name, for those that needed one so far.
        parameters: Parameter of generic types -> its type variable.
        ways: Name -> place of each credential that a client may have.
    """

    __slots__ = (
        "_attributes",
        "_imports",
        "_private",
        "_taken",
        "naming",
        "package",
        "parameters",
        "reach",
        "second",
        "ways",
    )

    def __init__(self, package: Package, reach: Reach, naming: Naming) -> None:
        self.package: Package = package
        self.reach: Reach = reach
        self.naming: Naming = naming
        self.second: dict[str, str] = {}
        # once: it looks at every route, and each method asks for it
        self.ways: Mapping[str, Literal["bearer", "header", "cookie"]] = package.ways
        self._imports: dict[tuple[str, str, bool], str] = {}
        self._attributes = naming.attributes
        named = {*naming.types.values(), *naming.aliases.values(), *naming.failures.values()}
        self._taken = frozenset({*PUBLIC, *named, *self._attributes})
        self._private = Names(Style(reserved=self._taken, legal=is_identifier))
        labels = {each.name for generic in naming.made.values() for each in generic.parameters}
        by_name = sorted((each.strip("<>"), each) for each in labels)
        self.parameters: dict[str, str] = {each: self.private(name) for name, each in by_name}

    def use(self, module: str, name: str) -> str:
        """Import *name* from *module*, and return its name in this module."""
        if module == CLIENT and name in PUBLIC:
            self.publish(name)
            if name not in self._attributes:
                return name
        return self._import(module, name)

    def publish(self, name: str) -> None:
        """Import the public *name* of the runtime, for users of this module."""
        self._imports[CLIENT, name, False] = name

    def _import(self, module: str, name: str) -> str:
        # the third part tells the module's own imports from public ones (`publish`): a name may
        # have both, under different names
        key = (module, name, True)
        if key not in self._imports:
            local = self.private(name) if name in self._taken else name
            self._imports[key] = local
        return self._imports[key]

    def built_in(self, name: str) -> str:
        """
        The built-in *name*, or its name after an import if the module has another *name*.
        """
        if name in self._taken:
            return self._import("builtins", name)
        return name

    def private(self, name: str) -> str:
        """A name for the module's own use; it begins with an underscore and looks like *name*."""
        return self._private.take(f"_{name}")

    def needed(self, names: Iterable[str]) -> frozenset[str]:
        """The types that are written for *names*: generic ones, and their arguments."""
        found: set[str] = set()
        ahead = [*names]
        while ahead:
            name = ahead.pop()
            made = self.naming.made.get(name)
            if made is None:
                found.add(name)
                continue
            found.add(made.definition.name)
            for argument in made.instances[name]:
                ahead += [each.name for each in definitions(argument)]
        return frozenset(found)

    def second_name(self, name: str) -> str:
        """Another name for the type *name* of the module."""
        if name not in self.second:
            self.second[name] = self.private(name)
        return self.second[name]

    def public(self) -> frozenset[str]:
        """The public names of the runtime that were used."""
        return frozenset(name for (_, name, own), _ in self._imports.items() if not own)

    def imports(self) -> list[str]:
        """The statements that import the names that were used."""
        plain: dict[str, list[str]] = {}
        renamed: dict[str, list[tuple[str, str]]] = {}
        for (module, name, _), local in self._imports.items():
            if name == local:
                plain.setdefault(module, []).append(name)
            else:
                renamed.setdefault(module, []).append((name, local))
        # two blocks, as isort and ruff sort them: the standard library, and everything else
        modules = sorted({**plain, **renamed})
        standard = [module for module in modules if module in _STANDARD]
        others = [module for module in modules if module not in _STANDARD]
        written = ["from __future__ import annotations"]
        for block in (standard, others):
            if block:
                written += ["", *_statements(block, plain, renamed)]
        return written


_STANDARD: Final = frozenset(
    {"builtins", "dataclasses", "enum", "typing", *(row.python.__module__ for row in ROWS.values())}
)


def _statements(
    modules: Iterable[str], plain: dict[str, list[str]], renamed: dict[str, list[tuple[str, str]]]
) -> list[str]:
    written: list[str] = []
    for module in modules:
        names = sorted(set(plain.get(module, ())), key=_import_order)
        if names:
            # in parentheses only if they are needed; formatters leave no others
            whole = f"from {module} import {', '.join(names)}"
            if len(whole) <= WIDTH:
                written.append(whole)
            else:
                in_brackets = Bracket("(", tuple(names), ")")
                written += lines(in_brackets, before=f"from {module} import ")
        pairs = sorted(renamed.get(module, ()), key=lambda pair: _import_order(pair[0]))
        written += [f"from {module} import {name} as {local}" for name, local in pairs]
    return written


def _import_order(name: str) -> tuple[int, str]:
    """The sort key of *name*: constants, classes, functions, as in isort and ruff."""
    if name.isupper():
        return (0, name)
    if name[:1].isupper():
        return (1, name)
    return (2, name)


@final
class Scope:
    """
    A place in the module.

    Attributes:
        context: The context of the module.
    """

    __slots__ = ("_hidden", "context")

    def __init__(self, context: Context, hidden: Iterable[str] = ()) -> None:
        self.context: Context = context
        self._hidden = frozenset(hidden)

    def type(self, name: str) -> str:
        """The name of the type *name* in this scope."""
        return self._seen(self.context.naming.types[name])

    def failure(self, code: str) -> str:
        """The name of the class of *code* in this scope."""
        return self._seen(self.context.naming.failures[code])

    def _seen(self, name: str) -> str:
        if name in self._hidden:
            return self.context.second_name(name)
        return name
