"""
Records: the fields that a class declares, found before their types are read.

A class is taken apart into `Declared` fields. Each has its annotation as written, and the scope of
the class that declares it: a field inherited from another module is read with the names of that
module, and with the types bound to the type variables of its class.
"""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING as NO_DEFAULT
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, Generic, Literal, Never, Protocol, Self, get_args, get_origin

import typing_extensions
from typing_extensions import NoDefault

from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.foreign import OF_A_ROW, foreign_fields, foreign_maker, is_table
from contract.shape.nodes import MISSING
from contract.shape.scope import Binding, Scope, bind, class_scope, display, own_annotations

__all__ = [
    "ClassKind",
    "Declared",
    "class_kind",
    "declared_fields",
    "description_of",
    "extra_items",
    "has_slots",
    "is_builtin",
    "is_deprecated",
    "is_failure",
    "record_scope",
]

ClassKind = Literal["dataclass", "typeddict", "namedtuple", "enum", "foreign"]
"""The classes that can be read; a foreign one is of attrs, msgspec or pydantic."""


@dataclass(frozen=True, slots=True)
class Declared:
    """A field as its class declares it."""

    name: str
    annotation: object
    scope: Scope
    default: Any = MISSING
    default_factory: Callable[[], Any] | None = None
    init: bool = True
    init_only: bool = False
    required_key: bool = True
    """
    Whether the class of a TypedDict requires the key.

    In text, ``Required`` and ``NotRequired`` are invisible to the class.
    """
    doc: str | None = None


def class_kind(cls: type[Any]) -> ClassKind | None:
    """The kind of the class *cls*, or None if it cannot be read."""
    if dataclasses.is_dataclass(cls):
        return "dataclass"
    if typing_extensions.is_typeddict(cls):
        return "typeddict"
    if hasattr(cls, "_fields") and issubclass(cls, tuple):
        return "namedtuple"
    if issubclass(cls, Enum):
        return "enum"
    if foreign_maker(cls) is not None:
        return "foreign"
    return None


def is_failure(cls: type[Any]) -> bool:
    """
    Whether *cls* looks like a failure.

    Failures are declared above this package, so they are recognized by their class variables.
    """
    return (
        isinstance(getattr(cls, "error_code", None), str)
        and isinstance(getattr(cls, "http_status", None), int)
        and dataclasses.is_dataclass(cls)
    )


def is_builtin(cls: type[Any]) -> bool:
    """
    Whether *cls* is marked as a failure of this package, whose data is the same in every spec.

    Its module does not matter: it may move.
    """
    return cls.__dict__.get("__contract_builtin__", False) is True


def record_scope(
    cls: type[Any], bindings: Mapping[object, Binding], namespace: Mapping[str, object]
) -> Scope:
    """
    The scope of the fields of *cls*, whose type variables have these *bindings*.

    ``Self`` is a type variable of every class: it is bound to the class that is read.
    """
    own: Any = cls
    parameters: tuple[Any, ...] = getattr(cls, "__parameters__", ())
    if parameters:
        own = own[parameters]
    binding = Binding(own, class_scope(cls, bindings, namespace))
    return class_scope(cls, {**bindings, Self: binding}, namespace)


def declared_fields(cls: type[Any], kind: ClassKind, scope: Scope, where: str) -> list[Declared]:
    """
    The fields of *cls*, in order, inherited ones included; its *scope* is a `record_scope`.

    Raises:
        UnsupportedAnnotation: The class cannot be made from its fields, or not be written by
            them.
    """
    match kind:
        case "dataclass":
            _check_dataclass(cls, where)
            return list(_dataclass_fields(cls, scope, where))
        case "typeddict":
            return list(_typeddict_fields(cls, scope, where).values())
        case "foreign":
            return list(_foreign_fields(cls, scope, where))
        case _:
            return list(_namedtuple_fields(cls, scope, where))


# Dataclasses. A value is made by its class, so that defaults and __post_init__ work as everywhere.
# That needs two things: every annotated name is a field, and __init__ takes just the fields.


def _check_dataclass(cls: type[Any], where: str) -> None:
    # 1. a class below a dataclass, without @dataclass itself: its annotations are no fields
    name = display(cls)
    own = own_annotations(cls).values()
    adds_fields = any(not _is_class_variable(annotation) for annotation in own)
    if "__dataclass_fields__" not in vars(cls) and adds_fields:
        raise UnsupportedAnnotation(
            where,
            f"{name} adds fields to a dataclass but is not one itself; write @dataclass above it",
        )
    # 2. an __init__ by the author, in this class or in the nearest base that has one
    base = next(base for base in cls.__mro__ if "__init__" in vars(base))
    code: Any = getattr(vars(base)["__init__"], "__code__", None)
    # code that dataclasses compiled has no file, and names it "<string>"
    if "__dataclass_fields__" not in vars(base) or code is None or code.co_filename != "<string>":
        if is_table(cls):
            raise UnsupportedAnnotation(where, f"{name} is a table; write {OF_A_ROW}")
        raise UnsupportedAnnotation(
            where,
            f"{name} has its own __init__, which is not called for a value from the wire; "
            "write __post_init__",
        )


def _is_class_variable(annotation: object) -> bool:
    # text may name it in several ways, such as typing.ClassVar or ClassVar[int]
    if isinstance(annotation, str):
        return "ClassVar" in annotation
    return get_origin(annotation) is ClassVar or annotation is ClassVar


def _dataclass_fields(cls: type[Any], scope: Scope, where: str) -> Iterator[Declared]:
    scopes = _scopes(cls, scope, where)
    # a plain class in between adds no fields, whatever it annotates
    makers = [base for base in cls.__mro__ if "__dataclass_fields__" in vars(base)]
    written = _written(makers, scopes)
    # dataclasses.fields() would leave InitVars out
    fields: dict[str, Any] = cls.__dataclass_fields__
    for name, field in fields.items():
        kind = str(field._field_type)
        if kind == "_FIELD_CLASSVAR":
            continue
        default = MISSING if field.default is NO_DEFAULT else field.default
        factory = None if field.default_factory is NO_DEFAULT else field.default_factory
        annotation, base_scope = written[name]
        yield Declared(
            name,
            annotation,
            base_scope,
            default=default,
            default_factory=factory,
            init=field.init,
            init_only=kind == "_FIELD_INITVAR",
            doc=getattr(field, "doc", None),  # since Python 3.14
        )


def _written(
    bases: Iterable[type], scopes: Mapping[type, Scope]
) -> dict[str, tuple[object, Scope]]:
    """Each name with its annotation in the first of *bases* that has one, and the scope of that."""
    written: dict[str, tuple[object, Scope]] = {}
    for base in bases:
        for name, annotation in own_annotations(base).items():
            written.setdefault(name, (annotation, scopes[base]))
    return written


def _scopes(cls: type[Any], own: Scope, where: str) -> dict[type, Scope]:
    """The scope of *cls*, its *own*, and those of the classes that it inherits from."""
    scopes = {cls: own}
    for base, args, scope in _bases(cls, scopes):
        if base not in scopes and base not in (Generic, Protocol, object):
            scopes[base] = _base_scope(base, args, scope, where)
    return scopes


def _base_scope(base: type[Any], args: tuple[object, ...], scope: Scope, where: str) -> Scope:
    """The scope of *base*, whose type arguments are written in *scope*, that of a class below."""
    if args:
        bound = bind(base, args, scope, where)
    else:
        bound = _unbound(base, scope)
    # Self stays the class that is read, also where a base names it
    return class_scope(base, {**bound, Self: scope.bindings[Self]}, scope.namespace)


def _unbound(base: type[Any], scope: Scope) -> dict[object, Binding]:
    """
    The defaults of the type parameters of a generic base without arguments.

    A parameter without a default is refused where it is used.
    """
    bound: dict[object, Binding] = {}
    for parameter in getattr(base, "__parameters__", ()):
        default = getattr(parameter, "__default__", NoDefault)
        if default is not NoDefault:
            bound[parameter] = Binding(default, scope)
    return bound


def _bases(
    cls: type[Any], scopes: Mapping[type, Scope]
) -> Iterator[tuple[type[Any], tuple[object, ...], Scope]]:
    """The bases of *cls*, nearest first, as they were written: ``Page[int]`` is (Page, (int,))."""
    for written in vars(cls).get("__orig_bases__", cls.__bases__):
        base = get_origin(written) or written
        if isinstance(base, type):
            yield base, get_args(written), scopes[cls]
            # `_scopes` has given a base its scope by now, unless it needs none, like Generic
            if base in scopes:
                yield from _bases(base, scopes)


# TypedDicts: the class keeps no bases, and its annotations hold the inherited ones too. An
# annotation is inherited if it is the same object as that of a base, and is read in its scope.


def _typeddict_fields(cls: type[Any], scope: Scope, where: str) -> dict[str, Declared]:
    fields: dict[str, Declared] = {}
    inherited: dict[str, object] = {}
    for base, base_scope in _typeddict_bases(cls, scope, where):
        fields.update(_typeddict_fields(base, base_scope, where))
        inherited.update(own_annotations(base))
    for name, annotation in own_annotations(cls).items():
        if name not in inherited or inherited[name] is not annotation:
            fields[name] = Declared(
                name, annotation, scope, required_key=name in cls.__required_keys__
            )
    return fields


def _typeddict_bases(cls: type[Any], scope: Scope, where: str) -> Iterator[tuple[type[Any], Scope]]:
    """The TypedDicts that *cls* was declared with, and their scopes."""
    for written in vars(cls).get("__orig_bases__", ()):
        base = get_origin(written) or written
        if typing_extensions.is_typeddict(base):
            yield base, _base_scope(base, get_args(written), scope, where)


def extra_items(cls: type[Any], scope: Scope, where: str) -> tuple[object, Scope] | None:
    """
    The type of undeclared keys of *cls*, a TypedDict's own or inherited, and its scope.

    It is None if there are no such keys, which is the case unless ``extra_items`` says otherwise.

    Raises:
        UnsupportedAnnotation: The class allows such keys, but does not say their type.
    """
    # PEP 728: closed=True allows no other keys, extra_items=T allows keys with values of T
    closed = vars(cls).get("__closed__")
    if closed is False:
        raise UnsupportedAnnotation(
            where,
            f"{display(cls)} has closed=False, but keys that no field has are refused; "
            "leave it out, or write extra_items=..., the type of their values",
        )
    extra = vars(cls).get("__extra_items__", NoDefault)
    if extra is not NoDefault and "NoExtraItems" not in repr(extra):
        while get_origin(extra) is typing_extensions.ReadOnly:
            (extra,) = get_args(extra)
        # ``closed=True`` is kept as Never
        if extra in (Never, typing.Never):
            return None
        return extra, scope
    for base, base_scope in _typeddict_bases(cls, scope, where):
        found = extra_items(base, base_scope, where)
        if found is not None and not closed:
            return found
    return None


# Classes of attrs, msgspec and pydantic. `contract.shape.foreign` knows what each package says of a
# field; the annotation comes from the body of the class, unless the package has changed it.


def _foreign_fields(cls: type[Any], scope: Scope, where: str) -> Iterator[Declared]:
    scopes = _scopes(cls, scope, where)
    written = _written((base for base in cls.__mro__ if base in scopes), scopes)
    for each in foreign_fields(cls, where):
        if each.name not in written:
            raise UnsupportedAnnotation(
                f"{where}.{each.name}", f"it has no annotation; write {each.name}: int, or its type"
            )
        annotation, base_scope = written[each.name]
        if each.annotation is not MISSING:
            annotation = each.annotation
        yield Declared(
            each.name,
            annotation,
            base_scope,
            default=each.default,
            default_factory=each.default_factory,
            init=each.init,
        )


# Named tuples.


def _namedtuple_fields(cls: type[Any], scope: Scope, where: str) -> Iterator[Declared]:
    scopes = _scopes(cls, scope, where)
    writer = next(base for base in cls.__mro__ if "_fields" in vars(base))
    annotations = own_annotations(writer)
    # collections.namedtuple has fields without annotations
    if not set(annotations) >= set(cls._fields):
        raise UnsupportedAnnotation(
            where,
            f"{display(cls)} has fields without types; write class {cls.__name__}(NamedTuple)",
        )
    if cls is not writer and own_annotations(cls):
        raise UnsupportedAnnotation(
            where,
            f"{display(cls)} adds fields that a named tuple does not get; write a new NamedTuple",
        )
    for name in cls._fields:
        yield Declared(
            name, annotations[name], scopes[writer], default=cls._field_defaults.get(name, MISSING)
        )


# What a class says about itself.


def description_of(cls: type[Any]) -> str | None:
    """
    The docstring that the author wrote on *cls*, or None.

    An inherited one does not count, nor does a signature that Python wrote.
    """
    doc = vars(cls).get("__doc__")
    if not isinstance(doc, str) or not doc.strip():
        return None
    # without a docstring, a dataclass gets "Name(field: type, ...)", and a named tuple the same
    # without the types
    if doc.startswith(f"{cls.__name__}(") and doc.endswith(")") and "\n" not in doc:
        return None
    return inspect.cleandoc(doc)


def is_deprecated(cls: type[Any]) -> bool:
    """Whether *cls* itself is decorated with ``@deprecated``."""
    return vars(cls).get("__deprecated__") is not None


def has_slots(cls: type[Any]) -> bool:
    """Whether any field of *cls* is in a slot."""
    return any(vars(base).get("__slots__") for base in cls.__mro__)
