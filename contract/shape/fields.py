"""
Fields: what an annotation says besides its type.

The type of a field may be wrapped in qualifiers (``Required``, ``InitVar`` ...) and ``Annotated``,
and may be a union with ``Unset``. All that belongs to the field and not to the type. It is removed
here, layer by layer; `contract.shape.reader` reads what is left.
"""

from __future__ import annotations

import typing
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import InitVar, dataclass
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NewType,
    Self,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
)

import typing_extensions
from typing_extensions import Doc

from contract.shape.constraints import unpack
from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.markers import UNSET, Example, Name, Unset
from contract.shape.names import camel
from contract.shape.nodes import Field, LiteralShape
from contract.shape.python_types import is_text, literal_shape
from contract.shape.quoting import shown
from contract.shape.records import ClassKind, Declared
from contract.shape.scope import Scope, bind, display, is_alias, module_scope, resolve
from contract.shape.unions import Tags
from contract.shape.wire import is_wire

__all__ = [
    "FieldType",
    "Notes",
    "Peeled",
    "alias_value",
    "check_wires",
    "field_type",
    "is_qualifier",
    "is_union",
    "members",
    "peel",
    "tags_of",
    "through",
]

_QUALIFIERS: Final[dict[Any, str]] = {
    typing.ClassVar: "ClassVar",
    typing.Final: "Final",
    typing_extensions.Required: "Required",
    typing_extensions.NotRequired: "NotRequired",
    typing_extensions.ReadOnly: "ReadOnly",
}

_DEEPEST: Final = 50
"""The longest chain of aliases; after it one is taken to be its own member."""


@dataclass(frozen=True, slots=True)
class Peeled:
    """A field's annotation, taken apart: its type, its qualifiers and its metadata."""

    annotation: object
    scope: Scope
    metadata: tuple[object, ...]
    """The metadata of ``Annotated``, innermost first; groups are taken apart."""
    qualifiers: frozenset[str]
    written: tuple[object, Scope]
    """
    The type as it was written.

    It may be text, which is then the name of an alias.
    """


@dataclass(frozen=True, slots=True)
class Notes:
    """The notes for readers in the metadata of a field."""

    wire: str | None
    description: str | None
    examples: tuple[Any, ...]

    def name_of(self, field: str, *, renames: bool) -> str:
        """The name of *field* on the wire; *renames* says whether it is in camel case there."""
        if self.wire is not None:  # it may be empty: any text can be the key of an object
            return self.wire
        if renames:
            return camel(field)
        return field


@dataclass(frozen=True, slots=True)
class FieldType:
    """The type of a field, and what else its annotation says."""

    written: tuple[object, Scope]
    """The type as it was written."""
    parts: list[tuple[object, Scope]] | None
    """The members of the type but `Unset`, or None if the type is read as it was written."""
    metadata: tuple[object, ...]
    notes: Notes
    unset: bool
    """Whether the field may be absent because `Unset` is a member."""
    optional_key: bool
    """Whether the key of a TypedDict may be absent."""


def is_qualifier(annotation: object) -> bool:
    """Whether *annotation* is one that only a field can have, such as ``Required``."""
    return (
        isinstance(annotation, InitVar)
        or annotation in (*_QUALIFIERS, InitVar)
        or get_origin(annotation) in _QUALIFIERS
    )


def is_union(annotation: object) -> bool:
    """Whether *annotation* is ``X | Y``, ``Optional`` or ``Union``."""
    return get_origin(annotation) in (Union, UnionType)


def peel(annotation: object, scope: Scope, where: str) -> Peeled:
    """*annotation* without qualifiers and metadata."""
    metadata: tuple[object, ...] = ()
    qualifiers: set[str] = set()
    while True:
        written = (annotation, scope)
        annotation, scope = resolve(annotation, scope, where)
        origin = get_origin(annotation)
        if isinstance(annotation, InitVar):
            # an instance, not a generic alias: `InitVar[int]` has no origin
            qualifiers.add("InitVar")
            annotation = cast("object", annotation.type)
        elif origin is Annotated:
            inner, *outer = get_args(annotation)
            apart = [*unpack(outer)]
            wires = [item for item in apart if is_wire(item)]
            metadata = (*(item for item in apart if not is_wire(item)), *metadata)
            if wires:  # not notes on the type: they say what it is
                marked: Any = Annotated
                own = marked[(inner, *wires)]
                return Peeled(own, scope, metadata, frozenset(qualifiers), (own, scope))
            annotation = inner
        elif origin in _QUALIFIERS:
            qualifiers.add(_QUALIFIERS[origin])
            (annotation,) = get_args(annotation)
        else:
            return Peeled(annotation, scope, metadata, frozenset(qualifiers), written)


def through(annotation: object, scope: Scope, where: str) -> tuple[object, Scope] | None:
    """
    The meaning of an alias, a ``NewType`` or a type variable, in the scope of its author.

    It is None for everything else.
    """
    if is_alias(annotation):
        return alias_value(annotation, scope, where)
    if isinstance(annotation, NewType):
        return annotation.__supertype__, module_scope(annotation.__module__ or "", scope.namespace)
    if (isinstance(annotation, TypeVar) or annotation is Self) and annotation in scope.bindings:
        binding = scope.bindings[annotation]
        return binding.annotation, binding.scope
    return None


def behind(annotation: object, scope: Scope, where: str) -> Iterator[Peeled]:
    """The meaning of *annotation*, the meaning of that, and so on to a real type."""
    for _ in range(_DEEPEST):  # `type A = B` with `B = NewType("B", A)` never ends
        stands_for = through(annotation, scope, where)
        if stands_for is None:
            return
        peeled = peel(*stands_for, where)
        yield peeled
        annotation, scope = peeled.annotation, peeled.scope


def alias_value(annotation: Any, scope: Scope, where: str) -> tuple[object, Scope]:
    """
    The value of ``type X[...] = ...``.

    Raises:
        UnsupportedAnnotation: The value cannot be evaluated, or is generic and has no arguments.
    """
    alias = get_origin(annotation) or annotation
    # an alias in the body of a generic class may use the parameters of that class
    bindings = {**scope.bindings, **bind(alias, get_args(annotation), scope, where)}
    near = {parameter.__name__: parameter for parameter in alias.__type_params__}
    inner = module_scope(alias.__module__ or "", scope.namespace, bindings=bindings, near=near)
    try:
        return alias.__value__, inner
    except Exception as error:  # pragma: no cover
        # evaluated on first use, from Python 3.12 on; tested there
        raise UnsupportedAnnotation(
            where,
            f"the alias {display(alias)} is not resolved: {error}; define or import what it names",
        ) from error


def members(
    annotation: object, scope: Scope, where: str, *, expand: bool = False, depth: int = 0
) -> list[tuple[object, Scope]]:
    """
    The members of a union; aliases within it are resolved.

    The only member of any other annotation is the annotation itself.

    In a union of one alias and None, the alias is kept, so that its name is kept; *expand*
    resolves it nevertheless.
    """
    if depth > _DEEPEST:
        raise UnsupportedAnnotation(
            where,
            f"{display(annotation)} is its own member; put it into a list, a dict or a dataclass",
        )
    written = (annotation, scope)
    annotation, scope = resolve(annotation, scope, where)
    if not is_union(annotation):
        # PEP 484 has no NewType of a union, so only aliases and type variables are followed
        stands_for = None
        if not isinstance(annotation, NewType):
            stands_for = through(annotation, scope, where)
        if stands_for is None:
            return [written]
        found = members(*stands_for, where, expand=expand, depth=depth + 1)
        if len(found) > 1 or expand:
            return found
        return [written]
    args = get_args(annotation)
    alone = sum(arg not in (None, NoneType, Unset) for arg in args) == 1
    flat: list[tuple[object, Scope]] = []
    for arg in args:
        inner = members(arg, scope, where, expand=expand, depth=depth + 1)
        # an Unset in an alias belongs to the field, so that alias is taken apart
        if alone and not expand and all(member is not Unset for member, _ in inner):
            flat.append((arg, scope))
        else:
            flat += inner
    return flat


def notes(metadata: Iterable[object], annotation: object, scope: Scope, where: str) -> Notes:
    """
    The notes on a field in its *metadata*.

    A note that it lacks is taken from the aliases and NewTypes of the field's type.

    Raises:
        UnsupportedAnnotation: A name cannot be written in JSON.
    """
    wire, description, examples = _notes_in(metadata, where)
    for inner in behind(annotation, scope, where):
        _, inner_description, inner_examples = _notes_in(inner.metadata, where)
        description = description or inner_description
        examples = examples or inner_examples
    return Notes(wire, description, examples)


def field_type(declared: Declared, kind: ClassKind, where: str) -> FieldType:
    """
    The type of a field, without its qualifiers and metadata.

    Raises:
        UnsupportedAnnotation: Such a field cannot be sent.
    """
    # 1. The qualifiers and the metadata around the whole type.
    peeled = peel(declared.annotation, declared.scope, where)
    _check_qualifiers(peeled.qualifiers, declared, kind, where)
    annotation, scope, metadata = peeled.annotation, peeled.scope, peeled.metadata

    # 2. Unset, which is a state of the field and not a value of its type.
    written = members(annotation, scope, where)
    left = _without_unset(written, declared, kind, where)
    unset = len(left) < len(written)
    # read as it was written if it can be, so that a recursive alias keeps its name
    parts: list[tuple[object, Scope]] | None = left if unset else None

    # 3. The metadata of the only type beside None and Unset: in
    #    `Annotated[str, Name("@id")] | Unset` they are the field's.
    real = [(part, of) for part, of in left if part not in (None, NoneType)]
    if len(real) == 1:
        only, only_scope = real[0]
        annotation, scope = only, only_scope
        if get_origin(only) is Annotated:
            inner = peel(only, only_scope, where)
            annotation, scope = inner.annotation, inner.scope
            metadata = (*inner.metadata, *metadata)
            bare = (annotation, scope)
            parts = []
            for part, of in left:
                if part is only:
                    parts.append(bare)
                else:
                    parts.append((part, of))

    # 4. What the metadata say to readers, and the key.
    found = notes(metadata, annotation, scope, where)
    optional_key = _is_optional_key(declared, peeled.qualifiers)
    return FieldType(peeled.written, parts, metadata, found, unset, optional_key)


def _without_unset(
    parts: list[tuple[object, Scope]], declared: Declared, kind: ClassKind, where: str
) -> list[tuple[object, Scope]]:
    """The *parts* of the type of a field but `Unset`, which is refused where nothing is absent."""
    left = [(part, of) for part, of in parts if part is not Unset]
    if len(left) == len(parts):
        if declared.default is UNSET:
            raise UnsupportedAnnotation(
                where,
                "the default is UNSET but the type does not have it; write `T | Unset = UNSET`",
            )
        return parts
    _check_unset(declared, kind, where)
    if not left:
        raise UnsupportedAnnotation(where, "Unset alone is not a type; write `T | Unset = UNSET`")
    return left


def _is_optional_key(declared: Declared, qualifiers: frozenset[str]) -> bool:
    # the qualifiers come first: the class does not see those that are written in text
    return "Required" not in qualifiers and (
        "NotRequired" in qualifiers or not declared.required_key
    )


def tags_of(fields: Iterable[Declared], owner: str, *, renames: bool) -> Tags:
    """
    The *fields* of a record, called *owner* in messages, that could tell it from other records.

    They are found without reading the record, which may be in progress.
    """
    tags: dict[str, tuple[str, tuple[str | int | bool, ...]]] = {}
    for declared in fields:
        where = f"{owner}.{declared.name}"
        peeled = peel(declared.annotation, declared.scope, where)
        optional = _is_optional_key(declared, peeled.qualifiers)
        # a tag is in every input and in every output, so these cannot be one
        if not declared.init or declared.init_only or optional:
            continue
        found = notes(peeled.metadata, peeled.annotation, peeled.scope, where)
        annotation = peeled.annotation
        for inner in behind(annotation, peeled.scope, where):
            annotation = inner.annotation
        if get_origin(annotation) is not Literal:
            continue
        literal = literal_shape(get_args(annotation), where)
        if isinstance(literal, LiteralShape):
            wire = found.name_of(declared.name, renames=renames)
            tags[declared.name] = wire, literal.values
    return tags


def _notes_in(
    metadata: Iterable[object], where: str
) -> tuple[str | None, str | None, tuple[Any, ...]]:
    wire = description = None
    examples: list[Any] = []
    for item in metadata:
        if isinstance(item, Name):
            wire = _checked(item.wire, where)
        elif isinstance(item, Doc):
            description = item.documentation
        elif isinstance(item, Example):
            examples.append(item.value)
        elif isinstance(item, type) and issubclass(item, Name | Doc | Example):
            raise UnsupportedAnnotation(
                where, f"{item.__name__} is a class; write {item.__name__}(...)"
            )
    return wire, description, tuple(examples)


def _checked(wire: object, where: str) -> str:
    if not isinstance(wire, str):
        raise UnsupportedAnnotation(where, f"Name({shown(wire)}) is not a name; write text")
    try:
        wire.encode()
    except UnicodeEncodeError as error:
        raise UnsupportedAnnotation(
            where, f"Name({wire!a}) holds a surrogate, which UTF-8 cannot carry; leave it out"
        ) from error
    return wire


# What is refused in a field.

# Beside these, InitVar is allowed where dataclasses found it: in text they find it, like ClassVar,
# only outermost, and by a name of the class's module.
_ALLOWED: Final[Mapping[ClassKind, tuple[str, ...]]] = {
    "dataclass": ("Final",),
    "typeddict": ("Required", "NotRequired", "ReadOnly"),
}


def _check_qualifiers(
    qualifiers: frozenset[str], declared: Declared, kind: ClassKind, where: str
) -> None:
    """Refuse a qualifier that this kind of class does not have, or that its maker ignores."""
    allowed: set[str] = {*_ALLOWED.get(kind, ())}
    if declared.init_only:
        allowed.add("InitVar")
    wrong = sorted(qualifiers - allowed)
    if wrong:
        problem = f"{wrong[0]} has no meaning here; leave it out"
        if kind == "dataclass" and wrong[0] in ("ClassVar", "InitVar"):
            problem = (
                f"{wrong[0]} has no meaning here, since dataclasses does not see it; "
                f"write {wrong[0]}[...] around the whole type, by a name of the module"
            )
        raise UnsupportedAnnotation(where, problem)


def _check_unset(declared: Declared, kind: ClassKind, where: str) -> None:
    """Refuse Unset on a field that cannot be absent."""
    if kind == "typeddict":
        raise UnsupportedAnnotation(
            where, "a key of a TypedDict cannot be Unset; write NotRequired[...]"
        )
    if kind == "namedtuple":
        raise UnsupportedAnnotation(
            where, "an item of a named tuple cannot be absent; write T | None, or a dataclass"
        )
    if declared.default is not UNSET:
        raise UnsupportedAnnotation(
            where, "a field that may be Unset has UNSET as its default; write `= UNSET`"
        )


def check_wires(fields: tuple[Field, ...], where: str, *, is_open: bool) -> None:
    """Refuse fields of a record with one name on the wire, or with one that cannot be sent."""
    seen: dict[str, str] = {}
    for field in fields:
        if is_open and field.wire != field.name:
            raise UnsupportedAnnotation(
                where,
                f"{field.name} is {field.wire!r} on the wire, where another key may be called "
                f"{field.name!r}, because of extra_items; leave Name(...) out",
            )
        if not is_text(field.wire):
            raise UnsupportedAnnotation(
                where,
                f"the key {field.wire!a} holds a surrogate, which UTF-8 cannot carry; leave it out",
            )
        other = seen.setdefault(field.wire, field.name)
        if other != field.name:
            raise UnsupportedAnnotation(
                where,
                f"{other} and {field.name} are both {field.wire!r} on the wire; "
                "write Name(...) on one",
            )
