"""Source: a value as Python source, so that a finding can be copied into a test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from keyword import iskeyword
from typing import Any, Final, cast, final

from contract.shape.markers import Unset
from contract.shape.scalars import ROWS

__all__ = ["Source", "Unmade", "source_of"]

_BUILT_IN: Final = (bool, int, float, str, bytes, type(None))
_FORMED: Final = frozenset(row.python for row in ROWS.values() if row.forms)
"""Classes whose ``repr`` is Python; that of ``datetime`` includes the module."""


@final
class Unmade:
    """
    Stands for an object whose class raises when it is created.

    Attributes:
        cls: The class.
        arguments: The arguments that it refuses.
    """

    def __init__(self, cls: type[Any], arguments: Mapping[str, object]) -> None:
        self.cls: Final = cls
        self.arguments: Final = arguments


@final
class Source:
    """
    An expression, and the imports that it needs.

    Attributes:
        text: The expression.
    """

    def __init__(self, text: str, needs: Mapping[str, frozenset[str]]) -> None:
        self.text: Final = text
        self._needs: Final = needs

    def imports(self, more: Mapping[str, str] | None = None) -> list[str]:
        """The import lines for what it needs, and for *more*: name -> module."""
        needs: dict[str, set[str]] = {module: set(names) for module, names in self._needs.items()}
        for name, module in (more or {}).items():
            needs.setdefault(module, set()).add(name)
        lines: list[str] = []
        for module, names in sorted(needs.items()):
            if module not in ("__main__", "builtins"):
                # with the name "" the module itself is needed (`datetime.date(...)`)
                listed = ", ".join(sorted(names))
                if listed:
                    lines.append(f"from {module} import {listed}")
                else:
                    lines.append(f"import {module}")
        return lines


def source_of(value: object) -> Source:
    """The *value* as Python; a value without such a form is written as its ``repr``."""
    needs: dict[str, set[str]] = {}
    text = _written(value, needs)
    return Source(text, {module: frozenset(names) for module, names in needs.items()})


def _written(value: object, needs: dict[str, set[str]]) -> str:
    kind: type[Any] = type(value)
    if kind in _BUILT_IN:
        return repr(value)
    if isinstance(value, Unset):
        needs.setdefault("contract", set()).add("UNSET")
        return "UNSET"
    if isinstance(value, Enum):
        name = value.name
        cls = _named(kind, needs)
        if name.isidentifier() and not iskeyword(name):
            return f"{cls}.{name}"
        return f"{cls}[{name!r}]"  # the functional API takes any text as a name
    if kind in _FORMED:
        if kind.__module__ == "datetime":
            needs["datetime"] = {""}
        else:
            _named(kind, needs)
        return repr(value)
    if isinstance(value, Unmade):
        arguments = (f"{name}={_written(each, needs)}" for name, each in value.arguments.items())
        return f"{_named(value.cls, needs)}({', '.join(arguments)})"
    if is_dataclass(kind):
        return f"{_named(kind, needs)}({', '.join(_arguments(value, needs))})"
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        name = _named(kind, needs)
        items = (_written(each, needs) for each in cast("tuple[object, ...]", value))
        return f"{name}({', '.join(items)})"
    return _contained(value, needs)


def _contained(value: Any, needs: dict[str, set[str]]) -> str:
    match value:
        case list():
            return f"[{_items(cast('list[object]', value), needs)}]"
        case tuple():
            items = cast("tuple[object, ...]", value)
            if len(items) == 1:
                return f"({_items(items, needs)},)"
            return f"({_items(items, needs)})"
        case set() | frozenset():
            inner = _items(sorted(cast("set[object]", value), key=repr), needs)
            name = type(cast("object", value)).__name__
            if not inner:
                return f"{name}()"
            return f"{name}({{{inner}}})"
        case dict():
            entries = [
                f"{_written(key, needs)}: {_written(each, needs)}"
                for key, each in cast("dict[object, object]", value).items()
            ]
            return f"{{{', '.join(entries)}}}"
        case _:
            return repr(value)


def _items(values: Any, needs: dict[str, set[str]]) -> str:
    return ", ".join(_written(each, needs) for each in values)


def _named(cls: type[Any], needs: dict[str, set[str]]) -> str:
    """
    The name of a class; its outermost part is imported.

    A class that is local to a function needs no import.
    """
    name = cls.__qualname__.rpartition("<locals>.")[2]
    if name == cls.__qualname__:
        needs.setdefault(cls.__module__, set()).add(name.partition(".")[0])
    return name


def _arguments(value: Any, needs: dict[str, set[str]]) -> Iterator[str]:
    for field in fields(value):
        if field.init and not _is_default(field, getattr(value, field.name)):
            yield f"{field.name}={_written(getattr(value, field.name), needs)}"


def _is_default(field: Field[Any], argument: object) -> bool:
    default: object = field.default if field.default_factory is MISSING else field.default_factory()
    return type(default) is type(argument) and default == argument
