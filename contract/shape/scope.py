"""
Scopes: where the names of an annotation are looked up.

An annotation may be text (``from __future__ import annotations``, a forward reference), and the
same text means different things in different modules. So an annotation always travels with its
scope: the module that wrote it, the names of its class, the bindings of its type variables and,
last, the names that the caller can see (types that are local to a function).

`bind` makes the bindings: the types that the parameters of a generic class or alias stand for.
"""

from __future__ import annotations

import builtins
import sys
import typing
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    ForwardRef,
    Literal,
    NewType,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
)

import typing_extensions
from typing_extensions import Format, NoDefault

from contract.shape.exceptions import DeclarationError, UnsupportedAnnotation
from contract.shape.quoting import shown, with_article

__all__ = [
    "Binding",
    "Scope",
    "Unresolvable",
    "bind",
    "class_scope",
    "closed",
    "display",
    "is_alias",
    "is_below",
    "module_scope",
    "own_annotations",
    "resolve",
    "root_scope",
]

_NATIVE_ALIAS: Any = getattr(typing, "TypeAliasType", typing_extensions.TypeAliasType)
_ALIAS_TYPES: Final[tuple[type, ...]] = (_NATIVE_ALIAS, typing_extensions.TypeAliasType)
"""The types of ``type X = ...``; the backport has a class of its own."""

_NOTHING: Final[Mapping[Any, Any]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Binding:
    """The type bound to a type variable, and the scope in which it was written."""

    annotation: object
    scope: Scope


@dataclass(frozen=True, slots=True)
class Scope:
    """Where the names of one annotation are looked up."""

    names: Mapping[str, object]
    """All names, nearest first."""
    globals: dict[str, Any]
    """The names of the module, which a lambda in the annotation sees."""
    module: str
    bindings: Mapping[object, Binding]
    """Type variable -> the type bound to it."""
    namespace: Mapping[str, object]
    """The caller's names; looked up last."""

    def evaluate(self, text: str) -> object:
        """
        The annotation that *text* describes.

        Raises:
            Unresolvable: A name is not defined, or the text is not an expression.
        """
        if text in self.names:
            # most annotations are one name, and compiling takes most of the time of reading
            return self.names[text]
        try:
            # the author's own annotation
            code = compile(text.strip(), "<annotation>", "eval")
            return eval(code, self.globals, self.names)  # noqa: S307
        except NameError as error:
            raise Unresolvable(
                f"the name {error.name!r} is not defined here when the program runs; define or "
                "import it at the top of the module, outside of `if TYPE_CHECKING:`"
            ) from error
        except DeclarationError as error:
            # such as that of `Media()`, which says itself what to write
            raise Unresolvable(error.problem) from error
        except Exception as error:  # an expression may raise anything
            raise Unresolvable(
                f"{type(error).__name__}: {error}; write an expression of types alone"
            ) from error


class Unresolvable(Exception):  # noqa: N818  it never leaves this package
    """An annotation in text that cannot be evaluated; the message says why, and what to write."""


def root_scope(namespace: Mapping[str, object] | None) -> Scope:
    """The scope of an annotation that was given as an object: only the caller's names."""
    names: Mapping[str, object] = namespace if namespace is not None else _NOTHING
    return Scope(_chain(vars(builtins), names), {}, "", _NOTHING, names)


def module_scope(
    module: str,
    namespace: Mapping[str, object],
    *,
    bindings: Mapping[object, Binding] = _NOTHING,
    near: Mapping[str, object] = _NOTHING,
) -> Scope:
    """
    The scope of an annotation that is written in *module*.

    The names of *near* come before those of the module.
    """
    names: dict[str, Any] = {}
    found = sys.modules.get(module)
    # a module that was made by hand, or is gone again, has no entry
    if found is not None:
        names = vars(found)
    return Scope(_chain(near, names, vars(builtins), namespace), names, module, bindings, namespace)


def class_scope(
    cls: type[Any], bindings: Mapping[object, Binding], namespace: Mapping[str, object]
) -> Scope:
    """
    The scope of the annotations in the body of *cls*.

    The names of its type parameters and of the classes and aliases in its body come first. Those of
    fields do not count: in ``date: date = ...`` the annotation means the module's ``date``,
    although the class has an attribute of that name by now.
    """
    near: dict[str, object] = {each.__name__: each for each in getattr(cls, "__type_params__", ())}
    fields = own_annotations(cls)
    body: Mapping[str, Any] = vars(cls)
    # methods, properties and slots have a `__get__`; classes and aliases have none
    near |= {
        name: value
        for name, value in body.items()
        if name not in fields and not hasattr(cast("Any", type(value)), "__get__")
    }
    if namespace.get(cls.__name__) is cls and "<locals>" in cls.__qualname__:
        # the class was made among the caller's names, so they come before the module's
        near = {**namespace, **near}
    # a class refers to itself even if its module has another object of that name
    near.setdefault(cls.__name__, cls)
    return module_scope(cls.__module__, namespace, bindings=bindings, near=near)


def own_annotations(cls: Callable[..., object]) -> Mapping[str, object]:
    """The annotations in the body of a class or the head of a function, as written."""
    # from Python 3.14 on, a name that is not defined would raise otherwise
    return typing_extensions.get_annotations(cls, format=Format.FORWARDREF)


def resolve(annotation: object, scope: Scope, where: str) -> tuple[object, Scope]:
    """*annotation* without text at its top, and the scope of what is left."""
    while isinstance(annotation, str | ForwardRef):
        if isinstance(annotation, ForwardRef):
            # TypedDict makes references of its texts, and writes its module into them
            module = annotation.__forward_module__
            if module is not None and module != scope.module:
                scope = module_scope(str(module), scope.namespace, bindings=scope.bindings)
            annotation = annotation.__forward_arg__
        try:
            annotation = scope.evaluate(annotation)
        except Unresolvable as problem:
            raise UnsupportedAnnotation(
                where, f"{shown(annotation)} cannot be resolved: {problem}"
            ) from problem
    return annotation, scope


def closed(annotation: object, scope: Scope, where: str) -> object:
    """
    *annotation* with the types that its type variables are bound to, so it needs no *scope*.

    A type variable that is not bound stays. Text below the top is still looked up by the caller.
    """
    annotation, scope = resolve(annotation, scope, where)
    if isinstance(annotation, TypeVar) and annotation in scope.bindings:
        binding = scope.bindings[annotation]
        return closed(binding.annotation, binding.scope, where)
    generic: Any = annotation
    variables: tuple[object, ...] = getattr(generic, "__parameters__", ())
    # a generic class without arguments has variables, too, which its own reader binds
    if not (variables and scope.bindings and get_args(generic)):
        return annotation
    return cast("object", generic[tuple(closed(each, scope, where) for each in variables)])


def is_alias(annotation: object) -> bool:
    """Whether *annotation* is a ``type X = ...``, subscripted or not."""
    return isinstance(annotation, _ALIAS_TYPES) or isinstance(get_origin(annotation), _ALIAS_TYPES)


def display(annotation: object) -> str:
    """*annotation* as its author would write it."""
    if annotation is None or annotation is type(None):
        return "None"
    if isinstance(annotation, TypeVar) or is_alias(annotation):
        # a TypeVar shows its variance before its name: ~T, +T_co, -T_contra
        return str(annotation).lstrip("~+-")
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return display(args[0])
    if origin in (Union, UnionType):
        return " | ".join(map(display, args))
    if isinstance(annotation, type) and not args:
        return annotation.__qualname__.rpartition("<locals>.")[2]
    return str(annotation).replace("typing.", "").replace("collections.abc.", "")


def _chain(*names: Mapping[str, object]) -> Mapping[str, object]:
    chained: Any = names  # ChainMap asks for mutable mappings, but would only change the first
    return ChainMap(*chained)


def bind(generic: Any, args: tuple[object, ...], scope: Scope, where: str) -> dict[object, Binding]:
    """
    Bind the type parameters of *generic* to *args*, which were written in *scope*.

    *generic* is a class or an alias.

    Raises:
        UnsupportedAnnotation: A parameter has neither an argument nor a default.
    """
    # 1. Find the parameters. Each of them must stand for one type.
    parameters: tuple[Any, ...] = getattr(generic, "__parameters__", ())
    if not parameters:
        parameters = getattr(generic, "__type_params__", ())
    for parameter in parameters:
        if not isinstance(parameter, TypeVar):
            raise UnsupportedAnnotation(
                where,
                f"{display(generic)} is generic in {parameter!r}; write a TypeVar, "
                "which stands for one type",
            )
    # 2. Bind those that have an argument, in the scope in which that was written.
    bindings: dict[object, Binding] = {}
    for parameter, arg in zip(parameters, args, strict=False):
        bindings[parameter] = Binding(arg, scope)
        _check_bound(generic, parameter, bindings[parameter], where)
    # 3. Bind the others to their defaults.
    for parameter in parameters[len(args) :]:
        default = getattr(parameter, "__default__", NoDefault)
        if default is NoDefault:
            names = ", ".join(each.__name__ for each in parameters)
            raise UnsupportedAnnotation(
                where,
                f"{display(generic)} is generic; "
                f"write {display(generic)}[...] with types for {names}",
            )
        bindings[parameter] = Binding(default, scope)
    return bindings


def _check_bound(generic: Any, parameter: Any, binding: Binding, where: str) -> None:
    """Refuse an argument outside the bound of the type variable, as far as classes tell."""
    # a variable without a bound has None there
    bounds = parameter.__constraints__ or (parameter.__bound__,)
    # a bound may be text, which means what it means in the module of the generic type
    scope = module_scope(str(generic.__module__), binding.scope.namespace)
    allowed: list[type[Any]] = []
    for bound in bounds:
        allowed += _classes(bound, scope, where)
    for given in _classes(binding.annotation, binding.scope, where):
        if given is not object and not any(is_below(given, each) for each in allowed):
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
        if isinstance(cls, type) and cls is not Any:
            yield cls
        else:
            yield object


def is_below(cls: type[Any], base: type[Any]) -> bool:
    """Whether type checkers take a *cls* for a *base*; for them an int is a float too."""
    try:
        return issubclass(cls, base) or (cls is int and base in (float, complex))
    except TypeError:  # a Protocol that cannot be checked at runtime
        return True
