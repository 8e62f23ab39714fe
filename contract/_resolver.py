"""
Resolvers: what can be known of a user's callable without calling it.

A resolver is a function, a bound method, a ``functools.partial`` or an object with ``__call__``; all of them are asked here,
and nobody else looks into a callable.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping, Sequence
from types import CodeType, FrameType, MappingProxyType, MethodType, ModuleType
from typing import Any, Final, cast

from contract.exceptions import RouteDeclarationError
from contract.shape.annotations import Parameter, parameters_of

__all__ = [
    "check_resolver",
    "docstring",
    "is_async_callable",
    "is_deprecated",
    "local_names",
    "name_of",
    "place_of",
    "shown",
    "takes",
    "underlying",
]


def underlying(function: Any) -> object:
    """What was written down: the function in a method, a partial or a wrapper, or the ``__call__`` of an object."""
    while True:
        if isinstance(function, functools.partial):
            function = function.func
        elif isinstance(function, MethodType | staticmethod):
            function = function.__func__
        elif hasattr(function, "__wrapped__"):
            function = function.__wrapped__
        elif not hasattr(function, "__code__") and hasattr(type(function).__call__, "__code__"):
            function = type(function).__call__
        else:
            return cast("object", function)


def place_of(function: object) -> str:
    """Module, name, file and line of a function, method or callable object, as far as it has them."""
    code = getattr(underlying(function), "__code__", None)
    where = ".".join(filter(None, name_of(function)))  # methods of builtin objects have no module
    return f"{where}, {code.co_filename}:{code.co_firstlineno}" if isinstance(code, CodeType) else where


def name_of(function: object) -> tuple[str, str]:
    """Module and qualified name; a callable object is called like its class."""
    while isinstance(function, functools.partial):
        function = function.func
    named: Any = function if hasattr(function, "__qualname__") else type(function)
    return named.__module__, named.__qualname__


def docstring(resolver: object) -> str | None:
    """The docstring of the function, else, for a callable object, of its class."""
    function = underlying(resolver)
    doc = function.__doc__
    if not doc and function is type(resolver).__call__:
        doc = type(resolver).__doc__
    return inspect.cleandoc(doc) if doc and doc.strip() else None


def is_async_callable(function: object) -> bool:
    """Whether calling *function* gives a coroutine: coroutine functions, methods, objects with an async ``__call__``, partials of them."""
    while isinstance(function, functools.partial | staticmethod):
        function = function.func if isinstance(function, functools.partial) else function.__func__
    return _is_coroutine_function(function) or _is_coroutine_function(type(function).__call__)


def _is_coroutine_function(function: object) -> bool:
    # the wrapper that @deprecated makes is a plain function, and before Python 3.12 inspect does not know it for more
    return inspect.iscoroutinefunction(underlying(function) if is_deprecated(function) else function)


def is_deprecated(function: object) -> bool:
    """Whether *function* carries the decorator ``deprecated`` of ``warnings`` or ``typing_extensions`` (PEP 702)."""
    while isinstance(function, functools.partial):
        function = function.func
    return isinstance(getattr(function, "__deprecated__", None), str)


def local_names(frame: FrameType) -> Mapping[str, object]:
    """The types and modules that are local names in *frame*, where it is not that of a module."""
    if frame.f_locals is frame.f_globals:
        return _NO_NAMES
    # only types: what else is local there (connections, requests) is not to be kept alive
    return {
        name: value for name, value in frame.f_locals.items() if isinstance(value, type | ModuleType) or type(value).__module__ in _TYPING
    }


_NO_NAMES: Final[Mapping[str, object]] = MappingProxyType({})
_TYPING: Final = frozenset({"typing", "typing_extensions", "types"})


def check_resolver(resolver: object, where: str) -> None:
    """
    See whether *resolver* takes an input and a context, and nothing else.

    Raises:
        RouteDeclarationError: It does not, or it gives no single value.
    """
    if isinstance(resolver, type) or not callable(resolver):
        raise RouteDeclarationError(where, "a resolver is a function, a bound method or a callable object")
    function = underlying(resolver)
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise RouteDeclarationError(where, "a resolver returns one value, and this one is a generator; return a list")
    try:
        parameters = parameters_of(resolver)
    except TypeError:
        raise RouteDeclarationError(where, "its signature cannot be read; wrap it in a function that takes (input, ctx)") from None
    if isinstance(resolver, functools.partial):  # what was given by name is filled
        parameters = tuple(p for p in parameters if p.name not in resolver.keywords)
    names = tuple(p.name for p in parameters)
    if len(parameters) != 2 or not all(p.positional for p in parameters):
        hint = f"; decorate the bound method: {_bound(cast('object', resolver))}" if names[:1] == ("self",) and len(names) == 3 else ""
        raise RouteDeclarationError(where, f"it takes {shown(parameters)}, and a resolver takes exactly (input, ctx){hint}")
    for parameter in parameters:
        if parameter.has_default:
            raise RouteDeclarationError(where, f"{parameter.name} has a default, which would never be used; leave it out")


def _bound(method: object) -> str:
    """How to write a route of *method*, which was decorated in the body of its class."""
    owner, _, name = name_of(method)[1].rpartition("<locals>.")[2].rpartition(".")
    return f"route(...)({owner or 'Shop'}(...).{name})"


def takes(parameters: Sequence[Parameter], count: int) -> bool:
    """Whether *count* arguments by position are what a callable with these *parameters* needs."""
    positional = [p for p in parameters if p.positional]
    if len(positional) < count and not any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in parameters):
        return False
    needed = [p for p in positional[count:] if not p.has_default]
    return not needed and all(p.has_default for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY)


def shown(parameters: Sequence[Parameter]) -> str:
    """The *parameters* for a message: ``(self, input, *, db=...)``."""
    parts: list[str] = []
    for parameter in parameters:
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not any(part.startswith("*") for part in parts):
            parts.append("*")
        parts.append(_PREFIXES.get(parameter.kind, "") + parameter.name + ("=..." if parameter.has_default else ""))
    return f"({', '.join(parts)})"


_PREFIXES: Final[Mapping[object, str]] = MappingProxyType({inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"})
