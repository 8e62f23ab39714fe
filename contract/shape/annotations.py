"""
Annotations: the parameters and the return type of a callable.

``parameters_of`` looks at names only and evaluates nothing: decorators call it.
``signature_of`` evaluates each annotation alone, once every module has been loaded, so one bad
annotation does not spoil the others.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

# the enum has no public name
from inspect import _ParameterKind as ParameterKind  # pyright: ignore[reportPrivateUsage]
from types import FunctionType, MappingProxyType, MethodType
from typing import Annotated, Any, Final, ForwardRef, cast, get_args, get_origin

from contract.shape.fields import is_union, members
from contract.shape.nodes import MISSING, Missing
from contract.shape.quoting import shown
from contract.shape.scope import (
    Scope,
    Unresolvable,
    closed,
    module_scope,
    own_annotations,
    resolve,
    root_scope,
)

__all__ = [
    "LAYERS",
    "Parameter",
    "Signature",
    "Unresolved",
    "parameters_of",
    "signature_of",
    "union_members",
]

_NOTHING: Final[Mapping[str, object]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Unresolved:
    """An annotation that cannot be evaluated."""

    text: str
    """The annotation as it was written."""
    reason: str
    """Why it cannot be evaluated, and what to write instead."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """
    A parameter that a caller can still fill.

    ``self`` does not count, nor does a parameter that ``partial`` has bound by position.
    """

    name: str
    kind: ParameterKind
    has_default: bool
    annotation: object | Unresolved | Missing = MISSING
    """Evaluated by ``signature_of``; MISSING if the parameter has no annotation."""

    @property
    def positional(self) -> bool:
        """Whether a positional argument can fill it."""
        return self.kind in (ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters and the return type of a callable, each evaluated alone."""

    parameters: tuple[Parameter, ...]
    returns: object | Unresolved | Missing
    namespace: Mapping[str, object]
    """The names that the annotations may use: ``ShapeReader.read`` takes it."""


def parameters_of(function: Callable[..., object]) -> tuple[Parameter, ...]:
    """
    The parameters of a callable, without their annotations.

    The callable may be a function, a bound method, a callable object or a ``functools.partial``.

    Raises:
        TypeError: *function* is none of these, or has no signature.
    """
    return _taken_apart(function)[1]


def signature_of(
    function: Callable[..., object], namespace: Mapping[str, object] | None = None
) -> Signature:
    """
    The evaluated signature of a callable.

    Args:
        function: As for ``parameters_of``.
        namespace: More names, besides those of the function's module: types that are local to the
            function in which it was made.

    Raises:
        TypeError: *function* has no signature.
    """
    plain, parameters = _taken_apart(function)
    names = namespace if namespace is not None else _NOTHING
    near: dict[str, object] = {}
    if "<locals>" in plain.__qualname__:
        # the function was made among the caller's names, so they come before the module's
        near.update(names)
    near.update({each.__name__: each for each in getattr(plain, "__type_params__", ())})
    scope = module_scope(plain.__module__, names, near=near)
    written = own_annotations(plain)

    def evaluated(name: str) -> object:
        return _evaluated(written.get(name, MISSING), scope)

    filled = tuple(replace(each, annotation=evaluated(each.name)) for each in parameters)
    return Signature(filled, evaluated("return"), scope.names)


def union_members(
    annotation: object, namespace: Mapping[str, object] | None = None, *, where: str
) -> tuple[object, ...]:
    """
    The members of a union, in order and each once; aliases within it are resolved.

    The arguments of such an alias replace its type variables.

    The only member of any other annotation is the annotation itself. ``Annotated`` without a union
    in it is left as it is.

    Raises:
        UnsupportedAnnotation: A member is text that cannot be evaluated, or an alias is its own
            member.
    """
    scope = root_scope(namespace)
    found: list[object] = []
    for member, of in _split(annotation, scope, where):
        alone = closed(member, of, where)
        if not any(alone is other or alone == other for other in found):
            found.append(alone)
    return tuple(found)


def _split(annotation: object, scope: Scope, where: str) -> list[tuple[object, Scope]]:
    annotation, scope = resolve(annotation, scope, where)
    if get_origin(annotation) is Annotated:
        inner: object = get_args(annotation)[0]
        if is_union(resolve(inner, scope, where)[0]):
            return _split(inner, scope, where)
    return members(annotation, scope, where, expand=True)


def _evaluated(annotation: object, scope: Scope) -> object:
    # text may evaluate to text: `"Item"` in a module where all annotations are text
    while isinstance(annotation, str | ForwardRef):
        text = annotation if isinstance(annotation, str) else annotation.__forward_arg__
        # the problem is kept, not raised: the caller knows which parameter it is of, and the other
        # annotations are still read
        try:
            annotation = scope.evaluate(text)
        except Unresolvable as problem:
            return Unresolved(text, str(problem))
    return annotation


LAYERS: Final = 100
"""The most wrappers around one function; a ``__wrapped__`` may lead back to its owner."""


# A callable is taken apart from the outside in: `partial`, methods and decorators are removed layer
# by layer, down to the function with the annotations. On the way back, each layer removes from its
# parameters those that it binds.


def _taken_apart(function: Any, layer: int = 0) -> tuple[FunctionType, tuple[Parameter, ...]]:
    """The function with the annotations, and the parameters that are not bound yet."""
    layer += 1
    if layer > LAYERS:
        raise TypeError(f"it is wrapped in more than {LAYERS} functions, or in itself")
    if isinstance(function, FunctionType):
        # not inspect.unwrap: it forgets the arguments that are bound on the way
        inner: object = getattr(function, "__wrapped__", None)
        if inner is not None:
            return _taken_apart(inner, layer)
        return function, _parameters(function)
    if isinstance(function, MethodType):
        plain, parameters = _taken_apart(function.__func__, layer)
        return plain, _bound(parameters, 1)
    if isinstance(function, functools.partial):
        plain, parameters = _taken_apart(function.func, layer)
        return plain, _by_keyword(_bound(parameters, len(function.args)), function.keywords)
    if hasattr(function, "__wrapped__"):
        return _taken_apart(function.__wrapped__, layer)
    call: object = None
    if not isinstance(function, type):
        # looked up on the class, which has the code: an object may have an attribute of that name
        call = getattr(cast("Any", type(function)), "__call__", None)  # noqa: B004
    if not isinstance(call, FunctionType):
        raise TypeError(
            f"{shown(function)} is not a function, method or object with a __call__ in Python"
        )
    plain, parameters = _taken_apart(call, layer)
    return plain, _bound(parameters, 1)


def _parameters(function: FunctionType) -> tuple[Parameter, ...]:
    # by hand, because inspect.signature evaluates annotations from Python 3.14 on
    code = function.__code__
    count, defaults = code.co_argcount, len(function.__defaults__ or ())
    # co_varnames has positional parameters first, then those by keyword, *args and **kwargs; a
    # signature has *args before those by keyword
    names = iter(code.co_varnames)
    found: list[Parameter] = []
    for index in range(count):
        kind = ParameterKind.POSITIONAL_OR_KEYWORD
        if index < code.co_posonlyargcount:
            kind = ParameterKind.POSITIONAL_ONLY
        found.append(Parameter(next(names), kind, has_default=index >= count - defaults))
    keywords = [next(names) for _ in range(code.co_kwonlyargcount)]
    if code.co_flags & inspect.CO_VARARGS:
        found.append(Parameter(next(names), ParameterKind.VAR_POSITIONAL, has_default=False))
    with_defaults = function.__kwdefaults__ or ()
    for name in keywords:
        has_default = name in with_defaults
        found.append(Parameter(name, ParameterKind.KEYWORD_ONLY, has_default=has_default))
    if code.co_flags & inspect.CO_VARKEYWORDS:
        found.append(Parameter(next(names), ParameterKind.VAR_KEYWORD, has_default=False))
    return tuple(found)


def _bound(parameters: tuple[Parameter, ...], count: int) -> tuple[Parameter, ...]:
    """*parameters* without the first *count*, which are bound; ``*args`` takes any number."""
    while count and parameters and parameters[0].positional:
        parameters, count = parameters[1:], count - 1
    if count and not any(each.kind is ParameterKind.VAR_POSITIONAL for each in parameters):
        raise TypeError("more arguments are bound than there are parameters")
    return parameters


def _by_keyword(
    parameters: tuple[Parameter, ...], keywords: Mapping[str, object]
) -> tuple[Parameter, ...]:
    """*parameters* when some are bound by name: from the first of these on, by name alone."""
    found: list[Parameter] = []
    named = False
    for each in parameters:
        named = named or (
            each.name in keywords and each.kind is ParameterKind.POSITIONAL_OR_KEYWORD
        )
        if named and each.kind is ParameterKind.VAR_POSITIONAL:
            continue  # no position reaches it any more
        kind = each.kind
        if named and each.positional:
            kind = ParameterKind.KEYWORD_ONLY
        # a bound parameter stays, and a caller may still give another value for it
        has_default = each.has_default or each.name in keywords
        found.append(replace(each, kind=kind, has_default=has_default))
    return tuple(found)
