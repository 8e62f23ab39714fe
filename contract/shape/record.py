"""
Records: frozen dataclasses with slots that take a fifth of the time to make.

``@dataclass(frozen=True, slots=True)`` compiles six functions for each class, and this package has
150 of them. Here only ``__init__`` is compiled, by ``exec`` as in ``dataclasses``; the rest is
shared. The result is a real dataclass: ``fields``, ``replace``, ``asdict``, ``match``, pickling and
copying all work.

Why not the plain decorator: every command and every worker begins with ``import contract``, which
may take no longer than ``import falcon``. It takes 0.97 of its CPU time with records, and 1.06 to
1.1 with plain dataclasses (Python 3.11, medians of 15). Classes that this import does not make, but
a command later, are plain dataclasses.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from typing import Any, NoReturn, TypeVar, overload

from typing_extensions import dataclass_transform

__all__ = ["record"]

T = TypeVar("T")


@overload
def record(cls: type[T], /) -> type[T]: ...
@overload
def record(*, kw_only: bool = False, eq: bool = True) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
def record(
    cls: type[T] | None = None, /, *, kw_only: bool = False, eq: bool = True
) -> type[T] | Callable[[type[T]], type[T]]:
    """
    Make a class a frozen dataclass with slots; it inherits from no other dataclass.

    Without *eq* it is compared by identity.
    """

    def make(cls: type[T]) -> type[T]:
        made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True, kw_only=kw_only)(
            cls
        )
        fields = dataclasses.fields(made)  # type: ignore[arg-type]  # it is a dataclass by now
        own = vars(made)
        methods: dict[str, Any] = {
            "__init__": _init(made, fields),
            "__getstate__": _getstate,
            "__setstate__": _setstate,
            "__setattr__": _setattr,
            "__delattr__": _delattr,
        }
        if "__repr__" not in own:
            methods["__repr__"] = _repr
        if eq and "__eq__" not in own:
            compared = tuple(field.name for field in fields if field.compare)
            methods["__eq__"], methods["__hash__"] = _comparison(compared)
        for name, method in methods.items():
            setattr(made, name, method)
        return made

    # None for ``@record(...)``, whose result is called with the class
    if cls is None:
        return make
    return make(cls)


# Only ``__init__`` depends on the fields so much that it is written as text: a loop over the fields
# at each call would be slow. The other methods read the fields, or values of them, when called.


def _init(cls: type[Any], fields: tuple[dataclasses.Field[Any], ...]) -> Callable[..., None]:
    names: dict[str, Any] = {"put": object.__setattr__}
    parameters: list[str] = []
    body: list[str] = []
    # the sort is stable, so fields keep their order, with those after "*" behind the others
    for field in sorted(fields, key=lambda field: bool(field.kw_only)):
        if field.kw_only and "*" not in parameters:
            parameters.append("*")
        value = field.name
        if field.default is not dataclasses.MISSING:
            # by a name, since a default may have no text that evaluates to it
            names[f"default_{field.name}"] = field.default
            parameters.append(f"{field.name}=default_{field.name}")
        elif field.default_factory is not dataclasses.MISSING:
            names[f"make_{field.name}"] = field.default_factory
            names["missing"] = dataclasses.MISSING
            parameters.append(f"{field.name}=missing")
            value = f"make_{field.name}() if {field.name} is missing else {field.name}"
        else:
            parameters.append(field.name)
        # past the class's own __setattr__, which refuses
        body.append(f" put(self, {field.name!r}, {value})\n")
    if hasattr(cls, "__post_init__"):
        body.append(" self.__post_init__()\n")
    text = f"def __init__(self, {', '.join(parameters)}):\n{''.join(body) or ' pass'}"
    # every name in this text is that of a field of our own classes, so no foreign text is run
    exec(text, names)  # noqa: S102
    init: Callable[..., None] = names["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__annotations__ = {field.name: field.type for field in fields}
    return init


def _fields(self: object) -> tuple[dataclasses.Field[Any], ...]:
    return dataclasses.fields(self)  # type: ignore[arg-type]  # it is a dataclass


@recursive_repr("...")
def _repr(self: object) -> str:
    shown = [f"{each.name}={getattr(self, each.name)!r}" for each in _fields(self) if each.repr]
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _comparison(
    names: tuple[str, ...],
) -> tuple[Callable[[object, object], bool], Callable[[object], int]]:
    # attrgetter needs a name; without one, all instances of a class are equal
    values: Callable[[object], object] = attrgetter(*names) if names else lambda _: ()

    def __eq__(self: object, other: object) -> bool:  # noqa: N807
        if type(other) is not type(self):
            return NotImplemented
        return values(self) == values(other)

    def __hash__(self: object) -> int:  # noqa: N807
        return hash((type(self), values(self)))

    return __eq__, __hash__


def _setattr(self: object, name: str, value: object) -> NoReturn:  # noqa: ARG001
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(self: object, name: str) -> NoReturn:  # noqa: ARG001
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _getstate(self: object) -> list[object]:
    return [getattr(self, each.name) for each in _fields(self)]


def _setstate(self: object, state: list[object]) -> None:
    for each, value in zip(_fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)
