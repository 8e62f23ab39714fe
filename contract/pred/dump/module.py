"""Module: the names of one dumper's generated code, while it is written."""

from __future__ import annotations

from collections.abc import Mapping
from types import CodeType
from typing import Any, Final

from contract.pred.dump.traits import Traits
from contract.shape.nodes import Definition, RefShape, Shape

__all__ = ["Module", "stamped"]


class Module:
    """What functions of generated code share."""

    def __init__(self) -> None:
        self.traits: Final[Traits] = Traits()
        self.names: dict[str, object] = {}
        """The namespace: what the generated code calls by names of ours."""
        self.stamps: dict[str, str] = {}
        """Our name -> the author's, see `stamped`."""
        self.waiting: list[tuple[str, Shape]] = []
        """Functions that are called and not yet written."""
        self._functions = 0
        self._stamp_of: dict[str, str] = {}
        self._function_of: dict[Definition, str] = {}
        self._used: set[Definition] = set()

    def bind(self, value: object) -> str:
        """A name for *value* in the namespace."""
        name = f"g{len(self.names)}"
        self.names[name] = value
        return name

    def stamp(self, text: str) -> str:
        """A name that stands for *text*, whatever that is, where the source has an attribute or a string."""
        if text not in self._stamp_of:
            name = self._stamp_of[text] = f"n{len(self.stamps)}"
            self.stamps[name] = text
        return self._stamp_of[text]

    def is_first_use(self, definition: Definition) -> bool:
        """Whether nobody has asked this of *definition* before: only its first use is written in place."""
        if definition in self._used:
            return False
        self._used.add(definition)
        return True

    def function(self, shape: Shape) -> str:
        """The name of the function for *shape*: one for all uses of a definition."""
        if not isinstance(shape, RefShape):
            return self._later(shape)
        definition = shape.definition
        if definition not in self._function_of:
            self._function_of[definition] = self._later(definition.shape)
        return self._function_of[definition]

    def _later(self, shape: Shape) -> str:
        self._functions += 1
        name = f"f{self._functions}"
        self.waiting.append((name, shape))
        return name


def stamped(code: CodeType, stamps: Mapping[str, str]) -> CodeType:
    """*code* with the author's names, in attributes and strings, in place of ours."""
    return code.replace(
        co_names=tuple(stamps.get(name, name) for name in code.co_names),
        co_consts=tuple(_stamped_constant(constant, stamps) for constant in code.co_consts),
    )


def _stamped_constant(constant: Any, stamps: Mapping[str, str]) -> Any:
    if isinstance(constant, CodeType):
        return stamped(constant, stamps)
    if isinstance(constant, tuple):  # the keys of a dict display
        # constants are any
        return tuple(_stamped_constant(each, stamps) for each in constant)  # pyright: ignore[reportUnknownVariableType]
    return stamps.get(constant, constant)
