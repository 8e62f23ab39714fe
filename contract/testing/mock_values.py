"""
Values: JSON that a type allows, drawn with a seed.

The examples of a field come first, then its default, then small values within all limits. Drawing
ends in recursive types and stays small in wide ones: once a value is large enough, everything
optional is left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, assert_never, final

import orjson

from contract.codegen.package import Package
from contract.pred.compile import Pred, compile_pred
from contract.shape.exceptions import GenerationError, InvalidInput
from contract.shape.nodes import (
    MISSING,
    AnyShape,
    ArrayShape,
    Basic,
    Definition,
    EnumShape,
    Field,
    LiteralShape,
    MapShape,
    NamedTupleShape,
    NullableShape,
    OwnShape,
    RecordShape,
    Refined,
    RefShape,
    Shape,
    StrShape,
    TaggedUnionShape,
    TupleShape,
    UnionShape,
)
from contract.testing.heights import Heights, height_of, heights_of
from contract.testing.mock_classes import Classes
from contract.testing.samples import EXAMPLE, drawn

__all__ = ["Values"]

_ENOUGH: Final = 200
"""The number of values after which everything optional is left out."""
_TOO_MANY: Final = 50_000
"""The number of values after which a mock gives up: the type requires too much."""
_DEEP: Final = 5
"""The depth below which everything optional is left out."""
_TOO_DEEP: Final = 150
"""The deepest nesting of a value; deeper ones could not be sent."""
_TRIES: Final = 100
_TEXT: Final = StrShape()


@final
class Values:
    """Draws values of the shapes of a package."""

    __slots__ = ("_classes", "_heights", "_package", "_preds")

    def __init__(self, package: Package) -> None:
        self._package = package
        self._heights = heights_of(package.definitions.values(), 1)
        self._classes: Classes | None = None
        self._preds: dict[int, tuple[Shape, Pred[Any]]] = {}

    def draw(self, shape: Shape, random: Random, where: str, *, documented: bool = True) -> Any:
        """
        A value of *shape*.

        Args:
            shape: A shape of the package.
            random: The source of chance: equal seeds give equal values.
            where: The place of the type, for messages.
            documented: Whether to use the document's examples and defaults, which may be wrong.

        Raises:
            GenerationError: No value was found, or none exists.
        """
        return _Drawing(self._heights, self._same, random, documented=documented).draw(
            shape, where, 0
        )

    def _same(self, shape: Shape, item: Any) -> object:
        """
        The value that *item* is loaded as, by which equal items of a set are found.

        JSON does not show that: ``[true, false]`` may be a set itself.
        """
        document = orjson.dumps(item)
        if id(shape) not in self._preds:
            self._classes = self._classes or Classes(self._package)
            # the shape is kept with it, so that no other object gets its id
            self._preds[id(shape)] = (shape, compile_pred(self._classes.of(shape)))
        try:
            return self._preds[id(shape)][1].load(document)
        except InvalidInput:
            return document  # an example that is not valid; the whole value is refused later


@final
class _Drawing:
    """One value in the making."""

    __slots__ = ("_count", "_documented", "_heights", "_random", "_same")

    def __init__(
        self,
        heights: Heights,
        same: Callable[[Shape, Any], object],
        random: Random,
        *,
        documented: bool,
    ) -> None:
        self._heights = heights
        self._same = same
        self._random = random
        self._documented = documented
        self._count = 0

    def draw(self, shape: Shape, where: str, depth: int) -> Any:
        self._count += 1
        if self._count > _TOO_MANY or depth > _TOO_DEEP:
            raise GenerationError(
                where, f"the smallest value is larger than a mock makes them; {EXAMPLE}"
            )
        random = self._random
        lean = self._count > _ENOUGH or depth > _DEEP
        match shape:
            case AnyShape():
                return random.choice(("amber", 7, True, None, {"key": "value"}))
            case Basic():
                return drawn(random, shape, where)
            case OwnShape(inner, examples=examples):
                if examples:
                    return random.choice(examples)
                return drawn(random, inner, where)
            case LiteralShape(values):
                return random.choice(values)
            case ArrayShape():
                return self._array(shape, where, depth, lean=lean)
            case TupleShape(items):
                return [
                    self.draw(item, f"{where}[{index}]", depth + 1)
                    for index, item in enumerate(items)
                ]
            case MapShape():
                return self._map(shape, where, depth, lean=lean)
            case NullableShape(inner):
                # most are filled, since a null shows little of a type
                if lean or random.random() < 0.1:
                    return None
                return self.draw(inner, where, depth)
            case UnionShape(members):
                return self.draw(self._member(members, lean=lean), where, depth)
            case TaggedUnionShape(tag, _, cases):
                chosen = self._member([record for _, record in cases], lean=lean)
                value = random.choice([value for value, record in cases if record == chosen])
                return self.draw(chosen, where, depth) | {tag: value}
            case Refined() | RecordShape() | NamedTupleShape() | EnumShape():
                raise AssertionError("no document has the author's code, and these have names")
            case RefShape(definition):
                return self._named(definition, where, depth, lean=lean)
            case _:
                assert_never(shape)

    def _member(self, members: Sequence[Any], *, lean: bool) -> Any:
        """One of *members*; if the value is large enough, one that ends soonest."""
        heights = [height_of(member, self._heights, 1) for member in members]
        most = min(heights)
        if not lean:
            # any that ends; if none does, one of them says so when it is drawn
            most = max((height for height in heights if height < math.inf), default=most)
        return self._random.choice(
            [member for member, height in zip(members, heights, strict=True) if height <= most]
        )

    def _named(self, definition: Definition, where: str, depth: int, *, lean: bool) -> Any:
        name, inside = definition.name, f"$.$defs.{definition.name}"
        if math.isinf(self._heights[definition]):
            raise GenerationError(
                where,
                (
                    f"every {name} needs another one, without end; let one of its fields be null, "
                    "or absent"
                ),
            )
        match definition.shape:
            case RecordShape(_, _, fields, extra=extra):
                found = {
                    each.wire: self._field(each, inside, depth)
                    for each in fields
                    if self._is_there(each, lean=lean)
                }
                if extra is None:
                    return found
                known = {each.wire for each in fields}
                others = self._map(MapShape(_TEXT, extra), inside, depth, lean=lean)
                return found | {key: value for key, value in others.items() if key not in known}
            case NamedTupleShape(_, fields):
                return [
                    self._field(each, inside, depth)
                    for each in fields
                    if each.required_in or not lean
                ]
            case EnumShape(_, members):
                return self._random.choice(members)[1]
            case alias:
                return self.draw(alias, where, depth + 1)

    def _is_there(self, field: Field, *, lean: bool) -> bool:
        if field.required_in:
            return True
        if lean or self._count > _ENOUGH:
            return False
        # the author's examples are always shown; of the other fields, most are there
        return bool(field.examples) or self._random.random() < 0.8

    def _field(self, field: Field, where: str, depth: int) -> Any:
        if self._documented and field.examples:
            return self._random.choice(field.examples)
        if self._documented and field.json_default is not MISSING and self._random.random() < 0.5:
            return field.json_default
        return self.draw(field.shape, f"{where}.{field.wire}", depth + 1)

    def _array(self, array: ArrayShape, where: str, depth: int, *, lean: bool) -> list[Any]:
        count = self._how_many(array.min_items, array.max_items, array.item, lean=lean)
        found: dict[object, Any] = {}
        # an item of a set may have come before, so there are more tries than items
        tries = count + _TRIES if array.unique else count
        for attempt in range(tries):
            if len(found) >= count:
                break
            item = self.draw(array.item, f"{where}[]", depth + 1)
            key: object = attempt
            if array.unique:
                key = self._same(array.item, item)
            found[key] = item
        self._enough(len(found), array.min_items, where)
        return [*found.values()]

    def _map(self, map_: MapShape, where: str, depth: int, *, lean: bool) -> dict[str, Any]:
        count = self._how_many(map_.min_keys, map_.max_keys, map_.value, lean=lean)
        found: dict[str, Any] = {}
        for _ in range(count + _TRIES):
            if len(found) >= count:
                break
            key = str(self.draw(map_.key, f"{where}.keys()", depth + 1))
            if key not in found:
                found[key] = self.draw(map_.value, f"{where}[...]", depth + 1)
        self._enough(len(found), map_.min_keys, where)
        return found

    def _how_many(self, least: int | None, most: int | None, item: Shape, *, lean: bool) -> int:
        low = least or 0
        if lean or math.isinf(height_of(item, self._heights, 1)):
            return low
        # a few, and one at least if any are allowed: an empty list shows nothing of its items
        fewest = 1
        high = low + 2 if low else 3
        if most is not None:
            fewest, high = min(fewest, most), min(high, most)
        return self._random.randint(max(low, fewest), max(low, high))

    def _enough(self, count: int, least: int | None, where: str) -> None:
        if count < (least or 0):
            raise GenerationError(where, f"no {least} different values were found; {EXAMPLE}")
