"""
Resolvers: what can be known about a user's callable without calling it.

A resolver is a function, a bound method, a ``functools.partial`` or an object with ``__call__``.
Only this module inspects callables.

A wrapper (``functools.wraps``, ``functools.cache``) keeps the function inside it in
``__wrapped__``. Its annotations are those of that function, which do not say what the wrapper
itself may return.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Iterator, Mapping, Sequence
from types import CodeType, FrameType, FunctionType, MappingProxyType, MethodType, ModuleType
from typing import Any, Final, cast, final

import typing_extensions

from contract.declare.parameters import instead_of_default, instead_of_parameters
from contract.shape.annotations import LAYERS, Parameter, parameters_of
from contract.shape.exceptions import RouteDeclarationError
from contract.shape.record import record

__all__ = [
    "Origin",
    "check_resolver",
    "docstring",
    "is_async_callable",
    "is_deprecated",
    "is_wrapper",
    "local_names",
    "name_of",
    "origin_in",
    "parameter_list",
    "place_of",
    "simple_name",
    "takes",
    "underlying",
]


def underlying(function: Any) -> object:
    """The plain function inside a method, partial or wrapper, or the ``__call__`` of an object."""
    return list(_layers(function))[-1]


def is_wrapper(function: object) -> bool:
    """
    Whether the function is wrapped in another one.

    The wrapper may return values that the annotations do not name.

    The decorator ``deprecated`` does not count: its wrapper returns nothing else.
    """
    for each in _layers(function):
        if isinstance(each, _TRANSPARENT):
            continue
        if hasattr(each, "__wrapped__") and not _warns(each):
            return True
    return False


_TRANSPARENT: Final = (functools.partial, MethodType, staticmethod)
"""
Callables that return what the function in them returns.

The latter two copy its attributes.
"""


def _layers(function: Any) -> Iterator[object]:
    """
    The *function*, and each function inside it, down to the innermost.

    The walk also ends at a function that says it wraps itself.
    """
    for _ in range(LAYERS):
        yield function
        if isinstance(function, functools.partial):
            function = function.func
        elif isinstance(function, MethodType | staticmethod):
            function = function.__func__
        elif hasattr(function, "__wrapped__"):
            function = function.__wrapped__
        elif not hasattr(function, "__code__") and hasattr(type(function).__call__, "__code__"):
            function = type(function).__call__
        else:
            return


def _warns(function: object) -> bool:
    """Whether *function* is the wrapper that the decorator ``deprecated`` makes."""
    return getattr(function, "__code__", None) in _WARNING


# before Python 3.13, only typing_extensions has this decorator
_DECORATORS: Final = (
    typing_extensions.deprecated,
    getattr(warnings, "deprecated", typing_extensions.deprecated),
)
# all wrappers of one decorator share their code object, and nothing else has it; an attribute would
# be copied by functools.wraps
_WARNING: Final = frozenset(each("")(lambda: None).__code__ for each in _DECORATORS)


def place_of(function: object) -> str:
    """Module, name, file and line of a function, method or callable object, as far as known."""
    code = getattr(underlying(function), "__code__", None)
    where = ".".join(filter(None, name_of(function)))  # methods of builtin objects have no module
    if not isinstance(code, CodeType):  # such as a class, or a function that is written in C
        return where
    return f"{where}, {code.co_filename}:{code.co_firstlineno}"


def name_of(function: object) -> tuple[str, str]:
    """The module and qualified name; for a callable object, those of its class."""
    while isinstance(function, functools.partial):
        function = function.func
    named: Any = function if hasattr(function, "__qualname__") else type(function)
    return named.__module__, named.__qualname__


def simple_name(function: object) -> str:
    """
    The ``__name__`` of *function*, which its author may have set.

    For a callable object without one, the name of its class.
    """
    while isinstance(function, functools.partial):
        function = function.func
    name = getattr(function, "__name__", None)
    return name if isinstance(name, str) else type(function).__name__


def docstring(resolver: object) -> str | None:
    """The docstring of the function; for a callable object without one, of its class."""
    function = underlying(resolver)
    doc = function.__doc__
    if not doc and function is type(resolver).__call__:
        doc = type(resolver).__doc__
    if not doc or not doc.strip():
        return None
    return inspect.cleandoc(doc)


def is_async_callable(function: object) -> bool:
    """
    Whether calling *function* gives a coroutine.

    True for coroutine functions and methods, objects with an async ``__call__``, and partials of
    these.
    """
    # nearly always it is a plain function or method, which is quick to check
    plain = function.__func__ if type(function) is MethodType else function
    if type(plain) is FunctionType and not plain.__dict__:
        return plain.__code__.co_flags & inspect.CO_COROUTINE != 0
    while isinstance(function, functools.partial | staticmethod):
        if isinstance(function, functools.partial):
            function = function.func
        else:
            function = function.__func__
    return _is_coroutine_function(function) or _is_coroutine_function(type(function).__call__)


def _is_coroutine_function(function: Any) -> bool:
    # before Python 3.12, inspect takes the wrapper of an async function for a plain function
    while _warns(function):
        function = function.__wrapped__
    return inspect.iscoroutinefunction(function)


def is_deprecated(function: object) -> bool:
    """
    Whether *function* has the decorator ``deprecated`` of this or a later Python (PEP 702).

    The decorator is in ``warnings`` and in ``typing_extensions``.
    """
    while isinstance(function, functools.partial):
        function = function.func
    return isinstance(getattr(function, "__deprecated__", None), str)


@final
@record
class Origin:
    """Where a resolver or a hook was decorated."""

    place: str
    """Module, name, file and line, for messages."""
    frame: CodeType
    """The code that was running: a function, a class body or a module."""
    names: Mapping[str, object]
    """The types and modules that were local names there, for annotations."""


def origin_in(frame: FrameType) -> Origin:
    """The place of a call made in *frame*."""
    module = frame.f_globals.get("__name__", "")
    place = f"{module}, {frame.f_code.co_filename}:{frame.f_lineno}"
    return Origin(place, frame.f_code, local_names(frame))


def local_names(frame: FrameType) -> Mapping[str, object]:
    """The types and modules that are local names in *frame*; none if it is a module's frame."""
    if frame.f_locals is frame.f_globals:
        return _NO_NAMES
    # only types and modules: other locals (connections, requests) must not be kept alive
    return {name: value for name, value in frame.f_locals.items() if _is_annotating(value)}


_NO_NAMES: Final[Mapping[str, object]] = MappingProxyType({})


def _is_annotating(value: object) -> bool:
    """Whether *value* can be what an annotation names, or the module that it is in."""
    return isinstance(value, type | ModuleType) or type(value).__module__ in _TYPING


# The objects of these modules are forms such as Literal["a"], list[int] and int | None, and type
# variables.
_TYPING: Final = frozenset({"typing", "typing_extensions", "types"})


def check_resolver(resolver: object, where: str, *, wrapped: bool = False) -> None:
    """
    Check that *resolver* takes an input and a context, and nothing else.

    It may be *wrapped* if ``errors=`` names all its failures.

    Raises:
        RouteDeclarationError: It takes something else, or does not give a single value.
    """
    # 1. What it is.
    if isinstance(resolver, type) or not callable(resolver):
        raise RouteDeclarationError(
            where,
            "a resolver is a function, a bound method or a callable object; "
            "write @route(...) above one of them",
        )
    function = underlying(resolver)
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise RouteDeclarationError(
            where,
            "a resolver returns one value, and this one is a generator; return a list, "
            "or Stream(...) of what another function yields",
        )
    if not wrapped and is_wrapper(resolver):
        raise RouteDeclarationError(where, _WRAPPED)
    # 2. What it takes. Their annotations may name types that are not defined yet, so only the names
    #    and the kinds of the parameters are looked at.
    try:
        parameters = parameters_of(resolver)
    except TypeError:
        raise RouteDeclarationError(
            where, "its signature cannot be read; wrap it in a function that takes (input, ctx)"
        ) from None
    if isinstance(resolver, functools.partial):  # arguments given by name are filled
        parameters = tuple(p for p in parameters if p.name not in resolver.keywords)
    names = tuple(p.name for p in parameters)
    if len(parameters) != 2 or not all(p.positional for p in parameters):
        of = cast("object", resolver)
        # a method that was decorated in its class has no object yet
        if names[:1] == ("self",) and len(names) == 3:
            advice = f"decorate the bound method: {_bound(of)}"
        else:
            advice = instead_of_parameters(function, simple_name(of), parameters)
        raise RouteDeclarationError(
            where,
            f"it takes {parameter_list(parameters)}, "
            f"and a resolver takes exactly (input, ctx); {advice}",
        )
    for parameter in parameters:
        if parameter.has_default:
            raise RouteDeclarationError(where, instead_of_default(function, parameter))


_WRAPPED: Final = (
    "it is wrapped in another function (functools.wraps, functools.cache), "
    "and its annotation does not say what that one returns; "
    "return the failure in the resolver itself, or in a hook before it: hooks=hooks(...); "
    "or name the failures of both: errors=define_errors(...)"
)


def _bound(method: object) -> str:
    """The expression that makes a route of *method*, which was decorated in its class body."""
    owner, _, name = name_of(method)[1].rpartition("<locals>.")[2].rpartition(".")
    return f"route(...)({owner or 'Shop'}(...).{name})"


def takes(parameters: Sequence[Parameter], count: int) -> bool:
    """
    Whether a callable with these *parameters* can be called with *count* positional arguments.
    """
    kinds = {p.kind for p in parameters}
    positional = [p for p in parameters if p.positional]
    if len(positional) < count and inspect.Parameter.VAR_POSITIONAL not in kinds:
        return False
    # nobody fills these
    beyond = positional[count:]
    beyond += [p for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY]
    return all(p.has_default for p in beyond)


def parameter_list(parameters: Sequence[Parameter]) -> str:
    """The *parameters* for a message: ``(self, input, *, db=...)``."""
    parts: list[str] = []
    for parameter in parameters:
        # after *args, a parameter is keyword-only without a star of its own
        starred = any(part.startswith("*") for part in parts)
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not starred:
            parts.append("*")
        default = "=..." if parameter.has_default else ""
        parts.append(f"{_PREFIXES.get(parameter.kind, '')}{parameter.name}{default}")
    return f"({', '.join(parts)})"


_PREFIXES: Final[Mapping[object, str]] = MappingProxyType(
    {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
)
