"""
Type arguments: the types bound to the parameters of a generic class or alias, within their bounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import UnionType
from typing import Annotated, Any, Literal, NewType, TypeVar, Union, get_args, get_origin

from typing_extensions import NoDefault

from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.quoting import with_article
from contract.shape.scope import Binding, Scope, display, module_scope, resolve

__all__ = ["bind"]


def bind(generic: Any, args: tuple[object, ...], scope: Scope, where: str) -> dict[object, Binding]:
    """
    Bind the type parameters of *generic* to *args*, which were written in *scope*.

    *generic* is a class or an alias.

    Raises:
        UnsupportedAnnotation: A parameter has neither an argument nor a default.
    """
    parameters: tuple[Any, ...] = getattr(generic, "__parameters__", ()) or getattr(
        generic, "__type_params__", ()
    )
    for parameter in parameters:
        if not isinstance(parameter, TypeVar):
            raise UnsupportedAnnotation(
                where,
                (
                    f"{display(generic)} is generic in {parameter!r}; write a TypeVar, "
                    "which stands for one type"
                ),
            )
    bindings = {
        parameter: Binding(arg, scope) for parameter, arg in zip(parameters, args, strict=False)
    }
    for parameter, binding in bindings.items():
        _check_bound(generic, parameter, binding, where)
    for parameter in parameters[len(args) :]:
        default = getattr(parameter, "__default__", NoDefault)
        if default is NoDefault:
            names = ", ".join(each.__name__ for each in parameters)
            raise UnsupportedAnnotation(
                where,
                (
                    f"{display(generic)} is generic; "
                    f"write {display(generic)}[...] with types for {names}"
                ),
            )
        bindings[parameter] = Binding(default, scope)
    return bindings


def _check_bound(generic: Any, parameter: Any, binding: Binding, where: str) -> None:
    """Refuse an argument outside the bound of the type variable, as far as classes tell."""
    bounds = parameter.__constraints__ or (parameter.__bound__,)
    scope = module_scope(str(generic.__module__), binding.scope.namespace)
    allowed = [cls for each in bounds for cls in _classes(each, scope, where)]
    for given in _classes(binding.annotation, binding.scope, where):
        # an int counts as a float, as for type checkers
        if given is not object and not any(
            _is_below(given, each) or (each, given) == (float, int) for each in allowed
        ):
            names = " or ".join(map(display, allowed))
            raise UnsupportedAnnotation(
                where,
                f"{display(given)} is not {with_article(names)}, for which {parameter.__name__} of "
                f"{display(generic)} stands; write one of those",
            )


def _classes(annotation: object, scope: Scope, where: str) -> Iterator[type[Any]]:
    """The classes of the values of *annotation*; object if that cannot be told."""
    annotation, scope = resolve(annotation, scope, where)
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        yield from _classes(args[0], scope, where)
    elif origin in (Union, UnionType):
        for each in args:
            yield from _classes(each, scope, where)
    elif isinstance(annotation, NewType):
        yield from _classes(annotation.__supertype__, scope, where)
    elif origin is Literal:
        yield from map(type, args)
    else:
        cls = origin or annotation
        yield cls if isinstance(cls, type) and cls is not Any else object


def _is_below(cls: type[Any], base: type[Any]) -> bool:
    try:
        return issubclass(cls, base)
    except TypeError:  # a Protocol that cannot be checked at runtime
        return True
