"""
Values: JSON that a type allows, drawn with a seed.

The examples of a field go first, then its default, then small values that keep within all limits.
What is drawn comes to an end in recursive types, and keeps small in wide ones: once there is enough
of it, what may be left out is.
"""

from __future__ import annotations

import base64
import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final, assert_never, final

import orjson

from contract.codegen.model import (
    ABSENT,
    AliasDeclaration,
    AnyType,
    ArrayType,
    BoolType,
    BytesType,
    Declaration,
    EnumDeclaration,
    Field,
    FloatType,
    IntType,
    LiteralType,
    MapType,
    NamedTupleDeclaration,
    NamedType,
    NullableType,
    NullType,
    Package,
    RecordDeclaration,
    StrType,
    TaggedType,
    TextType,
    TupleType,
    Type,
    UnionType,
)
from contract.codegen.python.walk import names_in, types_of
from contract.pred.compile import Pred, compile_pred
from contract.shape.exceptions import GenerationError, InvalidInput
from contract.testing.mock.scalars import EXAMPLE, float_of, int_of, matching_text, text_of
from contract.testing.mock.shapes import Shapes
from contract.testing.mock.texts import plain

__all__ = ["Values"]

_ENOUGH: Final = 200
"""Values after which what may be left out is."""
_TOO_MANY: Final = 50_000
_TOO_LARGE: Final = 1_000_000
"""Bytes, likewise."""
_DEEP: Final = 5
_TOO_DEEP: Final = 150
"""What is nested deeper could not be sent either."""
_TRIES: Final = 100


@final
class Values:
    """Draws values of the types of a package."""

    __slots__ = ("_heights", "_package", "_preds", "_shapes")

    def __init__(self, package: Package) -> None:
        self._package = package
        self._heights = _heights(package.declarations)
        self._shapes: Shapes | None = None
        self._preds: dict[int, tuple[Type, Pred[Any]]] = {}

    def draw(self, type_: Type, random: Random, where: str, *, told: bool = True) -> Any:
        """
        A value of *type_*.

        Args:
            type_: Of the package.
            random: Where chance comes from: equal seeds give equal values.
            where: The place of the type, for messages.
            told: Whether to believe the examples and defaults of the document, which may be wrong.

        Raises:
            GenerationError: None was found, or there is none.
        """
        return _Drawing(
            self._package.declarations, self._heights, self._same, random, told=told
        ).draw(type_, where, 0)

    def _same(self, type_: Type, item: Any) -> object:
        """What is equal for two items of a set that are equal: what they are loaded as, since ``[true, false]`` may be a set itself."""
        document = orjson.dumps(item)
        if id(type_) not in self._preds:
            self._shapes = self._shapes or Shapes(self._package)
            # the type is kept with it: as long as it is there, nothing else has its id
            self._preds[id(type_)] = (type_, compile_pred(self._shapes.of(type_)))
        try:
            return self._preds[id(type_)][1].load(document)
        except InvalidInput:
            return document  # of an example that is none; the whole value is refused later


def _heights(declarations: Mapping[str, Declaration]) -> dict[str, float]:
    """
    How deep the smallest value of each named type is nested.

    Infinitely, where it needs another of itself.
    """
    heights = dict.fromkeys(declarations, math.inf)
    users: dict[str, list[str]] = {name: [] for name in declarations}
    for name, declaration in declarations.items():
        for type_ in types_of(declaration):
            for inner in names_in(type_):
                users[inner].append(name)
    ahead = deque(declarations)
    waiting = set(declarations)
    while ahead:
        name = ahead.popleft()
        waiting.discard(name)
        height = _declared_height(declarations[name], heights)
        if height < heights[name]:
            heights[name] = height
            for user in users[name]:  # only what leads to it can have become less high
                if user not in waiting:
                    waiting.add(user)
                    ahead.append(user)
    return heights


def _declared_height(declaration: Declaration, known: Mapping[str, float]) -> float:
    match declaration:
        case RecordDeclaration(fields=fields) | NamedTupleDeclaration(fields=fields):
            return 1 + max(
                (_height(each.type, known) for each in fields if each.required), default=0
            )
        case EnumDeclaration():
            return 0
        case AliasDeclaration(type=type_):
            return _height(type_, known)
        case _:
            assert_never(declaration)


def _height(type_: Type, known: Mapping[str, float]) -> float:
    match type_:
        case NamedType(name):
            return known[name]
        case ArrayType(item, min_items=least) | MapType(_, item, least):
            return 1 + _height(item, known) if least else 0
        case TupleType(items):
            return 1 + max((_height(item, known) for item in items), default=0)
        case UnionType(members):
            return min(_height(member, known) for member in members)
        case TaggedType(_, cases):
            return min(known[record.name] for _, record in cases)
        case _:  # null, and everything without parts
            return 0


@final
class _Drawing:
    """One value that is being drawn."""

    __slots__ = ("_count", "_declarations", "_heights", "_random", "_same", "_told")

    def __init__(
        self,
        declarations: Mapping[str, Declaration],
        heights: Mapping[str, float],
        same: Callable[[Type, Any], object],
        random: Random,
        *,
        told: bool,
    ) -> None:
        self._declarations = declarations
        self._heights = heights
        self._same = same
        self._random = random
        self._told = told
        self._count = 0

    def draw(self, type_: Type, where: str, depth: int) -> Any:
        self._count += 1
        if self._count > _TOO_MANY or depth > _TOO_DEEP:
            raise GenerationError(
                where, f"the smallest value is larger than a mock makes them; {EXAMPLE}"
            )
        random = self._random
        lean = self._count > _ENOUGH or depth > _DEEP
        match type_:
            case AnyType():
                return random.choice(("amber", 7, True, None, {"key": "value"}))
            case NullType():
                return None
            case BoolType():
                return random.random() < 0.5
            case IntType(limits):
                return int_of(random, limits, where)
            case FloatType(limits):
                return float_of(random, limits)
            case StrType(low, high, patterns):
                return (
                    plain(random, low, high)
                    if not patterns
                    else matching_text(random, patterns, low, high, where)
                )
            case BytesType(low, high):
                size = low or min(8, 8 if high is None else high)
                if size > _TOO_LARGE:
                    raise GenerationError(
                        where, f"the smallest value is larger than a mock makes them; {EXAMPLE}"
                    )
                return base64.b64encode(random.randbytes(size)).decode()
            case TextType():
                return text_of(random, type_, where)
            case LiteralType(values):
                return random.choice(values)
            case ArrayType():
                return self._array(type_, where, depth, lean=lean)
            case TupleType(items):
                return [
                    self.draw(item, f"{where}[{index}]", depth + 1)
                    for index, item in enumerate(items)
                ]
            case MapType():
                return self._map(type_, where, depth, lean=lean)
            case NullableType(inner):
                return None if lean or random.random() < 0.1 else self.draw(inner, where, depth)
            case UnionType(members):
                return self.draw(self._member(members, lean=lean), where, depth)
            case TaggedType(tag, cases):
                chosen = self._member([record for _, record in cases], lean=lean)
                value = random.choice([value for value, record in cases if record == chosen])
                return self.draw(chosen, where, depth) | {tag: value}
            case NamedType(name):
                return self._named(self._declarations[name], where, depth, lean=lean)
            case _:
                assert_never(type_)

    def _member(self, members: Sequence[Any], *, lean: bool) -> Any:
        """One of *members*; where there is enough already, one that comes to an end soonest."""
        heights = [_height(member, self._heights) for member in members]
        most = (
            min(heights)
            if lean
            else max(height for height in heights if height < math.inf or height == min(heights))
        )
        return self._random.choice(
            [member for member, height in zip(members, heights, strict=True) if height <= most]
        )

    def _named(self, declaration: Declaration, where: str, depth: int, *, lean: bool) -> Any:
        match declaration:
            case RecordDeclaration(name=name, fields=fields):
                self._check_end(name, where)
                return {
                    each.wire: self._field(each, f"$.$defs.{name}", depth)
                    for each in fields
                    if self._is_there(each, lean=lean)
                }
            case NamedTupleDeclaration(name=name, fields=fields):
                self._check_end(name, where)
                return [
                    self._field(each, f"$.$defs.{name}", depth)
                    for each in fields
                    if each.required or not lean
                ]
            case EnumDeclaration(members=members):
                return self._random.choice(members)[1]
            case AliasDeclaration(type=type_):
                return self.draw(type_, where, depth + 1)
            case _:
                assert_never(declaration)

    def _check_end(self, name: str, where: str) -> None:
        if math.isinf(self._heights[name]):
            raise GenerationError(
                where,
                f"every {name} needs another one, without end; let one of its fields be null, or absent",
            )

    def _is_there(self, field: Field, *, lean: bool) -> bool:
        if field.required:
            return True
        return (
            not lean
            and self._count <= _ENOUGH
            and (bool(field.examples) or self._random.random() < 0.8)
        )

    def _field(self, field: Field, where: str, depth: int) -> Any:
        if self._told and field.examples:
            return self._random.choice(field.examples)
        if self._told and field.default is not ABSENT and self._random.random() < 0.5:
            return field.default
        return self.draw(field.type, f"{where}.{field.wire}", depth + 1)

    def _array(self, array: ArrayType, where: str, depth: int, *, lean: bool) -> list[Any]:
        count = self._how_many(array.min_items, array.max_items, array.item, lean=lean)
        unique = array.container in ("set", "frozenset")
        found: dict[object, Any] = {}
        for attempt in range(count if not unique else count + _TRIES):
            if len(found) >= count:
                break
            item = self.draw(array.item, f"{where}[]", depth + 1)
            found[self._same(array.item, item) if unique else attempt] = item
        self._enough(len(found), array.min_items, where)
        return [*found.values()]

    def _map(self, map_: MapType, where: str, depth: int, *, lean: bool) -> dict[str, Any]:
        count = self._how_many(map_.min_keys, map_.max_keys, map_.value, lean=lean)
        found: dict[str, Any] = {}
        for _ in range(count + _TRIES):
            if len(found) >= count:
                break
            key = self.draw(map_.key, f"{where}.keys()", depth + 1)
            if key not in found:
                found[key] = self.draw(map_.value, f"{where}[...]", depth + 1)
        self._enough(len(found), map_.min_keys, where)
        return found

    def _how_many(self, least: int | None, most: int | None, item: Type, *, lean: bool) -> int:
        low = least or 0
        if lean or math.isinf(_height(item, self._heights)):
            return low
        high = low + 2 if low else 3
        return self._random.randint(
            max(low, min(1, high if most is None else most)),
            high if most is None else max(low, min(high, most)),
        )

    def _enough(self, count: int, least: int | None, where: str) -> None:
        if count < (least or 0):
            raise GenerationError(where, f"no {least} different values were found; {EXAMPLE}")
