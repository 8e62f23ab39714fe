"""
The reader: from an annotation to its shape.

A reader serves one spec: it makes one `Definition` for each named type with its arguments, however
often that is used. A definition is in the table while it is still being read, so a type may contain
itself. Checks that need the complete tree (can the values in a set be hashed?) are noted, and made
after the outermost read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from types import NoneType
from typing import Annotated, Any, Final, ForwardRef, Literal, Self, TypeVar, get_args, get_origin

from typing_extensions import Doc

from contract.shape.constraints import constrain, unpack
from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.fields import (
    alias_value,
    check_wires,
    field_type,
    is_qualifier,
    is_union,
    members,
    peel,
    tags_of,
    through,
)
from contract.shape.foreign import has_late_step
from contract.shape.graph import alternatives, fingerprint, mark_recursive
from contract.shape.markers import Name, Unset
from contract.shape.names import Rename, label
from contract.shape.nodes import (
    ArrayShape,
    Definition,
    Field,
    MapShape,
    NamedTupleShape,
    NullShape,
    RecordKind,
    RecordShape,
    RefShape,
    Shape,
    TupleShape,
)
from contract.shape.own_types import own_beside, own_class
from contract.shape.pages import settled, shown_arguments
from contract.shape.python_types import (
    CONTAINERS,
    MAPS,
    SCALARS,
    abstract,
    enum_shape,
    literal_shape,
    outline_of,
)
from contract.shape.records import (
    ClassKind,
    Declared,
    class_kind,
    declared_fields,
    description_of,
    extra_items,
    has_slots,
    is_builtin,
    is_deprecated,
    is_failure,
    record_scope,
)
from contract.shape.refusals import (
    check_bounded,
    check_hashable,
    check_key,
    is_of_a_call,
    refuse,
    refuse_foreign,
    unreadable,
)
from contract.shape.scope import Scope, bind, display, is_alias, resolve, root_scope
from contract.shape.unions import Tags, alias_shape, merge
from contract.shape.wire import is_wire

__all__ = ["ShapeReader", "shape_of"]

_S = TypeVar("_S", bound=Shape)

_MOST_OPEN: Final = 8
"""The most instances of one generic type within each other; more would grow without end."""

_MOST_NESTED: Final = 50
"""
The most lists, dicts and tuples within each other, without a class between them.

Readers and compilers of types are recursive in these.
"""


def shape_of(annotation: object, *, where: str = "type", rename: Rename | None = None) -> Shape:
    """
    The shape of *annotation*, read on its own.

    Raises:
        UnsupportedAnnotation: It has no form on the wire; the message says where and what to write
            instead.
    """
    return ShapeReader(rename=rename).read(annotation, where=where)


class ShapeReader:
    """Reads the annotations of one spec."""

    def __init__(self, *, rename: Rename | None = None) -> None:
        self._rename = rename
        self._table: dict[tuple[Any, ...], Definition] = {}
        self._tags: dict[Definition, Callable[[], Tags]] = {}
        # The rest belongs to the outermost read in progress.
        # the definitions that are being read, outermost first
        self._open: list[Definition] = []
        # the aliases that occur in their own values
        self._used: set[Definition] = set()
        # alias -> how many lists, dicts and tuples are around it
        self._depths: dict[Definition, int] = {}
        # the definitions that this read made, and their keys in the table
        self._fresh: dict[Definition, tuple[Any, ...]] = {}
        # what can only be checked on the complete tree
        self._checks: list[Callable[[], None]] = []
        # how many lists, dicts and tuples are around the annotation, up to a class
        self._nested = 0

    def read(
        self, annotation: object, *, where: str, namespace: Mapping[str, object] | None = None
    ) -> Shape:
        """
        The shape of *annotation*.

        Args:
            annotation: A type, or text that names one.
            where: The place, for messages: ``"get_user.input"``.
            namespace: Names that the annotation may use besides those of the module that wrote it.

        Raises:
            UnsupportedAnnotation: It has no form on the wire.
        """
        with unreadable(where):
            return self._outermost(lambda: self._read(annotation, root_scope(namespace), where))

    def failure(
        self, cls: type[Any], *, where: str, namespace: Mapping[str, object] | None = None
    ) -> Definition:
        """
        The data of the failure *cls*: the fields of its class.

        Raises:
            UnsupportedAnnotation: A field has no form on the wire.
        """
        with unreadable(where):
            shape = self._outermost(
                lambda: self._named(cls, (), root_scope(namespace), where, kind="failure")
            )
        return shape.definition

    def _outermost(self, read: Callable[[], _S]) -> _S:
        try:
            shape = read()
            # only now is every fresh definition closed, so its graph can be walked
            mark_recursive(self._fresh)
            for check in self._checks:
                check()
        except BaseException:
            # half of them are unfinished, and the others may refer to those
            for key in self._fresh.values():
                self._table.pop(key, None)
            raise
        finally:
            self._open.clear()
            self._used.clear()
            self._depths.clear()
            self._fresh.clear()
            self._checks.clear()
            self._nested = 0
        return shape

    # One annotation. Each branch of `_read` takes one form of annotation. Their order matters:
    # what has arguments looks like a generic type, so all that is something else comes before.

    def _read(self, annotation: object, scope: Scope, where: str) -> Shape:
        # 1. Text: from here on, names are looked up where the text was written.
        if isinstance(annotation, str | ForwardRef):
            text = annotation if isinstance(annotation, str) else annotation.__forward_arg__
            annotation, scope = resolve(annotation, scope, where)
            if (
                text.isidentifier()
                and get_origin(annotation) is not None
                and not is_alias(annotation)
            ):
                # `Json = list["Json"] | None`: an alias made by assignment, whose name is in the
                # text. It has no parameters of its own, but may use type variables that are bound
                # around it, so it means another type under other bindings. Every class binds Self,
                # which would make another type of it in each class.
                bound = [
                    repr(binding.annotation)
                    for parameter, binding in scope.bindings.items()
                    if parameter is not Self
                ]
                key = (text, scope.module, *bound)
                return self._alias(key, (text,), scope.module, annotation, scope, where)
        # 2. None and classes without arguments.
        if annotation is None:
            return NullShape()
        if isinstance(annotation, type):
            return self._class(annotation, scope, where)
        # 3. What stands for other types: metadata, unions, literals, aliases, type variables.
        origin, args = get_origin(annotation), get_args(annotation)
        if origin is Annotated:
            return self._annotated(annotation, scope, where)
        if is_union(annotation):
            self._check_aliases(args, scope, where)
            return self._union(members(annotation, scope, where), where)
        if origin is Literal:
            return literal_shape(args, where)
        if is_alias(annotation):
            shapes = tuple(self._read(arg, scope, where) for arg in args)
            alias: Any = origin or annotation
            value, inner = alias_value(annotation, scope, where)
            alias_key = (alias, *map(fingerprint, shapes))
            module = alias.__module__ or ""
            return self._alias(alias_key, (alias, *shapes), module, value, inner, where)
        stands_for = through(annotation, scope, where)
        if stands_for is not None:
            return self._read(*stands_for, where)
        if is_qualifier(annotation):
            raise UnsupportedAnnotation(
                where,
                f"{display(annotation)} belongs around the whole type of a field; write it there",
            )
        # 4. A generic type with its arguments. Only a read that ends well takes one off the count:
        #    after any exception, `_outermost` resets it.
        self._nested += 1
        if self._nested > _MOST_NESTED:
            raise UnsupportedAnnotation(
                # each level has made the place longer
                where[:200],
                f"more than {_MOST_NESTED} types are nested in each other; "
                "put a dataclass between them",
            )
        shape = self._generic(annotation, origin, args, scope, where)
        self._nested -= 1
        return shape

    def _class(self, cls: type[Any], scope: Scope, where: str) -> Shape:
        scalar = SCALARS.get(cls)
        if scalar is not None:
            return scalar
        if cls is Unset:
            raise UnsupportedAnnotation(
                where,
                "Unset is not a type of its own; "
                "write a field `name: T | Unset = UNSET` of a dataclass",
            )
        if is_failure(cls):
            raise UnsupportedAnnotation(
                where,
                f"{display(cls)} is a failure; write it into a return type, or a dataclass here",
            )
        own = own_class(cls, where)
        if own is not None:
            return own
        kind = class_kind(cls)
        if kind is None or is_of_a_call(cls):
            refuse(cls, where)
        return self._named(cls, (), scope, where, kind=kind)

    def _annotated(self, annotation: object, scope: Scope, where: str) -> Shape:
        inner, *metadata = get_args(annotation)
        apart = [*unpack(metadata)]
        if any(isinstance(item, Name) for item in apart):
            raise UnsupportedAnnotation(
                where, "only a field has a name on the wire; write Name(...) outermost on a field"
            )
        # a Wire replaces the form that the type would have, so the type is only looked up
        wires = [item for item in apart if is_wire(item)]
        if not wires:
            return constrain(self._read(inner, scope, where), metadata, where)
        own = own_beside(resolve(inner, scope, where)[0], wires, where)
        return constrain(own, [item for item in apart if not is_wire(item)], where)

    def _generic(
        self, annotation: object, origin: Any, args: tuple[Any, ...], scope: Scope, where: str
    ) -> Shape:
        # `tuple[()]` has no arguments, and yet says what is in it: nothing
        if origin is None or not (args or annotation == tuple[()]):
            refuse(annotation, where, origin=origin)
        if _has_wrong_number(origin, args):
            refuse(annotation, where, origin=origin)
        if origin is tuple:
            if len(args) == 2 and args[1] is ...:
                return ArrayShape(self._read(args[0], scope, f"{where}[]"), "tuple")
            if any(getattr(arg, "__unpacked__", False) for arg in args):
                raise UnsupportedAnnotation(
                    where, "no part of a tuple can be unpacked; write tuple[int, list[str]]"
                )
            items = [self._read(arg, scope, f"{where}[{index}]") for index, arg in enumerate(args)]
            return TupleShape(tuple(items))
        if origin in CONTAINERS:
            array = ArrayShape(
                self._read(args[0], scope, f"{where}[]"),
                CONTAINERS[origin],
                abstract=abstract(origin),
            )
            if array.unique:
                # later: the class of the items may still be open, with its fields unknown
                self._checks.append(lambda: check_hashable(array, where))
            return array
        if origin in MAPS:
            key = self._read(args[0], scope, f"{where}.keys()")
            self._checks.append(lambda: check_key(key, where))
            return MapShape(
                key, self._read(args[1], scope, f"{where}[...]"), abstract=abstract(origin)
            )
        kind: ClassKind | None = None
        if isinstance(origin, type):
            own = own_class(origin, where)
            if own is not None:
                return own
            kind = class_kind(origin)
        if kind is None or kind == "enum":
            refuse(annotation, where, origin=origin)
        return self._named(origin, args, scope, where, kind=kind)

    def _union(self, parts: list[tuple[object, Scope]], where: str) -> Shape:
        read = [self._read(part, scope, where) for part, scope in parts]
        shape = merge(read, where, lambda definition: self._tags[definition]())
        arrays = [each for each in alternatives(shape) if isinstance(each, ArrayShape | TupleShape)]
        # only a definition can contain itself
        if len(arrays) > 1 and self._open:
            owner = self._open[-1]
            self._checks.append(lambda: check_bounded(arrays, owner, where))
        return shape

    def _check_aliases(self, parts: tuple[object, ...], scope: Scope, where: str) -> None:
        """
        Refuse a union, in a list or the like, with an alias of the union around it.

        Its members would be read within each other without end.
        """
        if sum(part is not NoneType for part in parts) < 2:
            return
        for part in parts:
            alias, _ = resolve(part, scope, where)
            if not is_alias(alias):
                continue
            known = self._table.get((alias,))
            # an alias of a list or a map has an outline: it is one member here, and not taken apart
            if known in self._open and known.outline is None and self._nested > self._depths[known]:
                alias_shape(known, where)

    # Named types.

    def _alias(
        self,
        key: tuple[Any, ...],
        named: tuple[Any, ...],
        module: str,
        value: object,
        scope: Scope,
        where: str,
    ) -> Shape:
        """
        The shape of an alias.

        An alias that contains itself becomes a definition; any other is replaced by its value.
        """
        if key in self._table:
            self._used.add(self._table[key])
            return RefShape(self._table[key])
        definition = self._enter(key, named, module, where)
        definition.outline = outline_of(peel(value, scope, where).annotation)
        self._depths[definition] = self._nested
        shape = self._read(value, scope, where)
        self._open.pop()
        if definition not in self._used:
            # it does not contain itself, so its name says nothing that its value does not
            del self._table[key], self._fresh[definition]
            return shape
        if any(member == RefShape(definition) for member in alternatives(shape)):
            raise UnsupportedAnnotation(
                where,
                f"{definition.name} is its own member; put it into a list, a dict or a dataclass",
            )
        for item in peel(value, scope, where).metadata:
            if isinstance(item, Doc):
                # the outermost is the last, and counts
                definition.description = item.documentation
        definition.close(shape)
        return RefShape(definition)

    def _named(
        self,
        cls: type[Any],
        args: tuple[object, ...],
        scope: Scope,
        where: str,
        *,
        kind: ClassKind | Literal["failure"],
    ) -> RefShape:
        # 1. Read the arguments: with them, the class is known already or gets a definition.
        bindings = bind(cls, args, scope, where)
        shapes = tuple(
            self._read(binding.annotation, binding.scope, where) for binding in bindings.values()
        )
        key = (cls, kind, *map(fingerprint, shapes))
        if key in self._table:
            return RefShape(self._table[key])
        definition = self._enter(key, (cls, *shown_arguments(cls, shapes)), cls.__module__, where)
        definition.arguments = shapes
        definition.description = description_of(cls)
        definition.deprecated = is_deprecated(cls)
        if kind == "enum":
            definition.close(enum_shape(cls, where))
        else:
            # 2. Find the declared fields. A failure is read as the dataclass that it is; one of
            #    attrs, msgspec or pydantic is declared in its own way, but has a dataclass's rules.
            read_as: ClassKind = "dataclass" if kind == "failure" else kind
            layout: ClassKind = read_as
            if kind == "foreign":
                layout = "dataclass"
            own = record_scope(cls, bindings, scope.namespace)
            declared = declared_fields(cls, read_as, own, where)
            renames = self._rename == "camel" and layout == "dataclass" and not is_builtin(cls)
            # found without reading the record, which may be a member of a union in its own fields
            self._tags[definition] = cache(
                partial(tags_of, declared, definition.name, renames=renames)
            )
            # 3. Read the fields. In a class, lists, dicts and tuples are counted from 0 again.
            nested, self._nested = self._nested, 0
            read: list[Field] = []
            for each in declared:
                place = f"{where}.{each.name}"
                with unreadable(place):
                    read.append(self._field(each, renames, layout, place))
            extra: Shape | None = None
            if kind == "typeddict":
                others = extra_items(cls, own, where)
                if others is not None:
                    extra = self._read(*others, f"{where}[...]")
            self._nested = nested
            # 4. Close the definition.
            fields = settled(cls, tuple(read))
            if kind == "namedtuple":
                definition.close(NamedTupleShape(cls, fields))
            else:
                check_wires(fields, where, is_open=extra is not None)
                kept_as: RecordKind = "dataclass" if kind == "foreign" else kind
                record = RecordShape(
                    kept_as,
                    cls,
                    fields,
                    has_post_init=has_late_step(cls),
                    has_slots=has_slots(cls),
                    extra=extra,
                )
                definition.close(record)
        self._open.pop()
        return RefShape(definition)

    def _enter(
        self, key: tuple[Any, ...], named: tuple[Any, ...], module: str, where: str
    ) -> Definition:
        first, *shapes = named
        # each time with other arguments: with the same, the definition is in the table
        if sum(definition.key[0] is first for definition in self._open) > _MOST_OPEN:
            raise UnsupportedAnnotation(
                where,
                f"{display(first)} contains itself with ever larger arguments; "
                "write its own type variable",
            )
        # an alias by assignment has only the text by which it is called
        name = first if isinstance(first, str) else first.__name__
        definition = Definition(named, "_".join([name, *map(label, shapes)]), module)
        self._table[key] = definition
        self._fresh[definition] = key
        self._open.append(definition)
        return definition

    # Fields.

    def _field(
        self,
        declared: Declared,
        renames: bool,  # noqa: FBT001
        kind: ClassKind,
        where: str,
    ) -> Field:
        found = field_type(declared, kind, where)
        notes = found.notes
        if found.parts is None:
            shape = self._read(*found.written, where)
        else:
            shape = self._union(found.parts, where)
        if notes.wire is not None and kind == "namedtuple":
            raise UnsupportedAnnotation(
                where,
                "a named tuple is an array, whose items have no names on the wire; "
                "leave Name(...) out",
            )
        refuse_foreign(declared.default, shape, where)
        return Field(
            name=declared.name,
            wire=notes.name_of(declared.name, renames=renames),
            shape=constrain(shape, found.metadata, where),
            default=declared.default,
            default_factory=declared.default_factory,
            init=declared.init,
            init_only=declared.init_only,
            unset=found.unset,
            optional_key=kind == "typeddict" and found.optional_key,
            description=notes.description or declared.doc,
            examples=notes.examples,
        )


def _has_wrong_number(origin: Any, args: tuple[Any, ...]) -> bool:
    """Whether a list or a dict has too many or too few arguments; Python takes any number."""
    if origin in CONTAINERS:
        return len(args) != 1
    return origin in MAPS and len(args) != 2
