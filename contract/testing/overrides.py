"""
Overrides: the user's own values in place of generated ones.

A type is known by how it is written: ``ProductId`` and ``CategoryId`` may both be plain strings and
are still two types. A shape does not remember that. So the annotations are read again, and each use
of a type with an override becomes a separate shape.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import InitVar, replace
from typing import Annotated, Any, Final, NamedTuple, TypeVar, cast, final, get_args, get_origin

from hypothesis.strategies import SearchStrategy
from typing_extensions import Doc

from contract.pred.compile import compile_pred
from contract.pred.dump.compile import compile_dumper
from contract.shape.exceptions import InvalidInput, InvalidOutput
from contract.shape.fields import is_qualifier, members
from contract.shape.graph import nested, reachable
from contract.shape.markers import Example, Name, Unset
from contract.shape.names import Rename
from contract.shape.nodes import (
    ArrayShape,
    EnumShape,
    Field,
    NamedTupleShape,
    NullableShape,
    OwnShape,
    RecordShape,
    RefShape,
    Shape,
)
from contract.shape.reader import ShapeReader
from contract.shape.record import record
from contract.shape.records import Declared
from contract.shape.scope import Scope, display, resolve
from contract.shape.upload import UPLOADED, Upload

__all__ = [
    "NO_OVERRIDES",
    "Given",
    "Marking",
    "Overridden",
    "OverrideKey",
    "Overrides",
    "Pair",
    "check_overrides",
    "overridden",
    "paired",
    "pairs_given",
]

OverrideKey = Any
"""
The place that an override is for.

It is a type as written in annotations, ``(Order, "quantity")`` for a field of that type, or
``"quantity"`` for a field of the input itself.
"""

Overrides = Mapping[OverrideKey, SearchStrategy[Any]]
"""Target -> the user's own values for it."""

_Listed = TypeVar("_Listed", bound=Shape)


class Pair(NamedTuple):
    """A valid value, and a document that loads as that value."""

    value: Any
    document: Any


@final
@record
class Given:
    """A strategy of the user, and its name in messages."""

    strategy: SearchStrategy[Any]
    label: str


@final
@record
class Overridden:
    """Which shapes and fields of a tree have the user's values."""

    shapes: Mapping[int, tuple[Shape, Given]]
    """By the identity of a shape; the shape is kept alive."""
    classes: Mapping[type, Given]
    fields: Mapping[tuple[type, str], Given]

    def of(self, shape: Shape) -> Given | None:
        """The user's strategy for *shape*, or None."""
        found = self.shapes.get(id(shape))
        if found is not None:
            return found[1]
        cls = _class_of(shape)
        if cls is None:
            return None
        return self.classes.get(cls)


NO_OVERRIDES: Final = Overridden({}, {}, {})


@final
class Marking(ShapeReader):
    """A reader that makes a separate shape for each use of a type with an override."""

    __slots__ = ("_keys", "_marked")

    def __init__(self, overrides: Overrides, *, rename: Rename | None = None) -> None:
        super().__init__(rename=rename)
        self._keys = [key for key in overrides if not isinstance(key, str | tuple)]
        self._marked: dict[int, tuple[Shape, OverrideKey]] = {}

    @property
    def marked(self) -> Mapping[int, tuple[Shape, OverrideKey]]:
        """Identity of a marked shape -> the shape and the key as it was written."""
        return self._marked

    def _read(self, annotation: object, scope: Scope, where: str) -> Shape:
        shape = super()._read(annotation, scope, where)
        key = self._key_of(resolve(annotation, scope, where)[0])
        if key is None:
            return shape
        return self._mark(shape, key[0])

    def _field(
        self,
        declared: Declared,
        renames: bool,  # noqa: FBT001
        kind: Any,
        where: str,
    ) -> Field:
        field = super()._field(declared, renames, kind, where)
        annotation: object = declared.annotation
        scope = declared.scope
        # 1. Go inwards, from what is written to what it stands for, until a type has an override.
        #    What is taken off (``InitVar``, ``Required``, descriptions) does not change the type.
        while True:
            annotation, scope = resolve(annotation, scope, where)
            key = self._key_of(annotation)
            if key is not None:
                return replace(field, shape=self._mark(field.shape, key[0]))
            if isinstance(annotation, InitVar):
                annotation = cast("object", annotation.type)
            elif is_qualifier(annotation) or (
                get_origin(annotation) is Annotated and _tells_only(get_args(annotation)[1:])
            ):
                annotation = get_args(annotation)[0]
            else:
                break
        # 2. Metadata on the only type of a field moves to the field: `ProductId | None` was taken
        #    apart.
        alone = [
            part
            for part, _ in members(annotation, scope, where)
            if part not in (None, type(None), Unset)
        ]
        if len(alone) != 1 or id(field.shape) in self._marked:
            return field
        key = self._key_of(resolve(alone[0], scope, where)[0])
        if key is None:
            return field
        shape = field.shape
        if isinstance(shape, NullableShape):
            return replace(field, shape=replace(shape, inner=self._mark(shape.inner, key[0])))
        return replace(field, shape=self._mark(shape, key[0]))

    def _key_of(self, annotation: object) -> tuple[OverrideKey] | None:
        # in a tuple, since a key may be None itself
        return next(((key,) for key in self._keys if _is_written_as(annotation, key)), None)

    def _mark(self, shape: _Listed, key: OverrideKey) -> _Listed:
        # the shape may be shared with other uses of the same type, which have no override
        marked = copy(shape)
        self._marked[id(marked)] = (marked, key)
        return marked


def check_overrides(where: str, overrides: Overrides) -> None:
    """
    Check that *overrides* are keys and strategies.

    Raises:
        TypeError: They are not.
    """
    for key, strategy in cast("Mapping[object, object]", overrides).items():
        if isinstance(key, tuple) and not _is_field_of(cast("tuple[object, ...]", key)):
            raise TypeError(f'{where} overrides: {key!r} is not a field; write (Order, "quantity")')
        if not isinstance(strategy, SearchStrategy):
            fix = f"write st.just({strategy!r}), or another strategy of hypothesis.strategies"
            raise TypeError(
                f"{where} overrides: {label(key)} gets {strategy!r}, which is not a strategy; {fix}"
            )


def overridden(
    where: str,
    overrides: Overrides,
    marked: Mapping[int, tuple[Shape, OverrideKey]],
    shapes: Sequence[Shape],
) -> Overridden:
    """
    Find the shapes in *shapes* that *overrides* are for.

    Args:
        where: The place, for messages.
        overrides: The overrides of the user, checked.
        marked: The shapes that the reader of *shapes* has marked.
        shapes: The types to draw from.

    Raises:
        ValueError: A key matches nothing in them.
    """
    nodes = {id(node): node for shape in shapes for node in _nodes(shape)}
    records = {cls: node for node in nodes.values() if (cls := _class_of(node)) is not None}
    by_shape: dict[int, tuple[Shape, Given]] = {}
    classes: dict[type, Given] = {}
    fields: dict[tuple[type, str], Given] = {}
    for key, strategy in overrides.items():
        given = Given(strategy, label(key))
        found = False
        if isinstance(key, str):
            for cls in _classes_at_top(shapes):
                if key in _field_names(records[cls]):
                    fields[cls, key] = given
                    found = True
        elif isinstance(key, tuple):
            cls, name = cast("tuple[type, str]", key)
            if cls in records and name in _field_names(records[cls]):
                fields[cls, name] = given
                found = True
        else:
            uses = {
                place: (shape, given)
                for place, (shape, of) in marked.items()
                if of is key and place in nodes
            }
            by_shape |= uses
            if isinstance(key, type) and key in records:
                classes[key] = given
            found = bool(uses) or key in classes
        if not found:
            raise ValueError(
                f"{where} overrides: nothing in it is {_nothing(key)}; {_known(records)}"
            )
    return Overridden(by_shape, classes, fields)


def pairs_given(shape: Shape, given: Given, *, only_values: bool) -> SearchStrategy[Pair]:
    """
    The *given* values of *shape*, with their documents.

    A value that does not fit raises a ValueError when it is drawn.
    """
    return given.strategy.map(paired(shape, given.label, only_values=only_values))


def paired(shape: Shape, name: str, *, only_values: bool) -> Callable[[Any], Pair]:
    """
    A function that pairs a user's value of *shape* with its document.

    *name* says in messages what the value is for.
    """
    dump = compile_dumper(shape)
    pred = compile_pred(shape)

    def pair(value: Any) -> Pair:
        try:
            dump(value)
        except InvalidOutput as invalid:
            raise ValueError(
                f"the override for {name} gave {value!r}, which does not fit: {invalid}"
            ) from None
        if only_values:
            return Pair(value, None)
        # what fits as an output need not be what an input becomes, so it is loaded, too
        document = dump(value)
        files: dict[str, Upload] = {}
        whole = _with_files(shape, value, json.loads(document), files)
        claimed = UPLOADED.set(files)
        try:
            pred.load(document)
        except InvalidInput as invalid:
            raise ValueError(
                f"the override for {name} gave {value!r}, which no input becomes: {invalid}"
            ) from None
        finally:
            UPLOADED.reset(claimed)
        return Pair(value, whole)

    return pair


def _with_files(shape: Shape, value: Any, document: Any, files: dict[str, Upload]) -> Any:
    """
    The *document* of a *value*, with its files in place of the texts that stand for them.

    They are added to *files*, under these texts. Files are fields of an input, or lists in one.
    """
    if isinstance(value, Upload):
        files[document] = value
        return value
    inner = _behind(shape)
    if isinstance(inner, NullableShape):
        return _with_files(inner.inner, value, document, files)
    if isinstance(inner, ArrayShape) and isinstance(value, Sequence):
        pairs = zip(cast("Sequence[object]", value), document, strict=True)
        return [_with_files(inner.item, each, written, files) for each, written in pairs]
    if isinstance(inner, RecordShape) and not isinstance(value, Mapping):
        found = dict(document)
        for each in inner.fields:
            if each.wire in document:
                part = getattr(value, each.name)
                found[each.wire] = _with_files(each.shape, part, document[each.wire], files)
        return found
    return document


def label(key: Any) -> str:
    """The name of a key in messages."""
    if isinstance(key, tuple):
        cls, name = cast("tuple[type, str]", key)
        return f"{cls.__name__}.{name}"
    if get_origin(key) is Annotated:
        return f"Annotated[{display(get_args(key)[0])}, ...]"
    if isinstance(key, str):
        return repr(key)
    return str(getattr(key, "__name__", None) or display(key))


def _is_written_as(annotation: object, key: object) -> bool:
    """
    Tell whether *annotation* is the type *key*.

    Extra descriptions or examples around it make no difference.
    """
    if key is annotation:
        return True
    if get_origin(key) is Annotated and get_origin(annotation) is Annotated:
        wanted, found = get_args(key), get_args(annotation)
        return found[: len(wanted)] == wanted and _tells_only(found[len(wanted) :])
    return type(key) is type(annotation) and key == annotation


def _tells_only(metadata: Sequence[object]) -> bool:
    """Whether *metadata* has no effect on what is valid."""
    return all(isinstance(each, Doc | Example | Name) for each in metadata)


def _is_field_of(key: tuple[object, ...]) -> bool:
    return len(key) == 2 and isinstance(key[0], type) and isinstance(key[1], str)


def _class_of(shape: Shape) -> type | None:
    match shape:
        case RefShape(definition):
            return _class_of(definition.shape)
        case RecordShape() | NamedTupleShape() | EnumShape() | OwnShape():
            return shape.type
        case _:
            return None


def _behind(shape: Shape) -> Shape:
    """The shape that a reference stands for; any other *shape* unchanged."""
    if isinstance(shape, RefShape):
        return shape.definition.shape
    return shape


def _field_names(shape: Shape) -> list[str]:
    inner = _behind(shape)
    if isinstance(inner, RecordShape | NamedTupleShape):
        return [field.name for field in inner.fields if field.init]
    return []


def _classes_at_top(shapes: Sequence[Shape]) -> Iterator[type]:
    for shape in shapes:
        cls = _class_of(shape)
        if cls is not None:
            yield cls


def _nodes(shape: Shape) -> Iterator[Shape]:
    for top in (shape, *(definition.shape for definition in reachable(shape))):
        yield from nested(top)


def _nothing(key: Any) -> str:
    if isinstance(key, str):
        return f"the field {key!r}"
    if isinstance(key, tuple):
        return f"the field {label(key)}"
    return f"written as {label(key)}"


def _known(records: Mapping[type, Shape]) -> str:
    names: list[str] = []
    for cls, shape in records.items():
        fields = _field_names(shape)
        if fields:
            names.append(f"{cls.__name__}({', '.join(fields)})")
        else:  # an enum, a type of the author's own, or a record without fields
            names.append(cls.__name__)
    if not names:
        return "there are no fields"
    return f"there is {', '.join(sorted(names)[:_NAMED])}"


_NAMED: Final = 6
"""How many types a message names."""
