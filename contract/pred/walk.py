"""
The walk: reads a parsed JSON value along its shape.

It makes every decision and says what is wrong. It is one closure per node, not a `match` at each
visit, because it must also read a megabyte of hostile JSON in a fraction of a second.

The order depends only on the document: first the fields of a record in the order of their
declaration, then undeclared keys in the order in which they were sent. The author's objects are
made from the inside out, each only when all its parts are valid.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, assert_never

from contract.pred.flooding import has_safe_hash, most_items, most_keys
from contract.pred.report import INVALID, Load, Report, type_name
from contract.pred.scalars import (
    any_loader,
    integer_key_loader,
    listed_key_loader,
    scalar_loader,
    text_loader,
)
from contract.pred.steps import (
    Default,
    default_of,
    gather,
    is_constant,
    own_maker,
    record_maker,
    refiner,
    stays_out,
    together,
    tuple_maker,
)
from contract.pred.unions import tagged_loader, union_loader
from contract.shape.graph import bottom_up
from contract.shape.json_text import kind_of
from contract.shape.nearest import finder
from contract.shape.nodes import (
    AnyShape,
    ArrayShape,
    Basic,
    Definition,
    EnumShape,
    Field,
    IntShape,
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

__all__ = ["Walker"]


class _Skip(Enum):
    SKIP = "SKIP"
    """Takes the place of a default: the key is left out."""


_Plan = tuple[str, str, Load, Default | _Skip | None]
"""
The plan of a field: its names in Python and on the wire, its loader, and its default.

The default is None if the field must be sent.
"""


@dataclass(slots=True)
class _Named:
    """The loader of a definition, None while it is being made."""

    load: Load | None = None

    def later(self, value: Any, report: Report) -> Any:
        """Load a value of a recursive type: its loader is complete by the time this runs."""
        assert self.load is not None  # noqa: S101  for the type checker
        return self.load(value, report)


@dataclass(frozen=True, slots=True)
class Walker:
    """
    Makes loaders; one for each definition, which all walkers share.

    Attributes:
        tolerant: Whether documents are answers: undeclared keys of records are ignored, and sets
            and maps have the limits of an output.
    """

    tolerant: bool = False
    _making: dict[Definition, _Named] = field(default_factory=dict[Definition, _Named])
    """Those that are not shared yet: one that is half made is for this walker alone."""

    def most(self, shape: ArrayShape | MapShape) -> int | None:
        """The most items or keys allowed."""
        if isinstance(shape, MapShape):
            return shape.max_keys if self.tolerant else most_keys(shape)
        return shape.max_items if self.tolerant else most_items(shape)

    def loader(self, shape: Shape) -> Load:
        """The loader of *shape*."""
        match shape:
            case AnyShape():
                return any_loader
            case Basic() | LiteralShape() | EnumShape():
                return scalar_loader(shape)
            case ArrayShape(item, container, low):
                return _array_loader(
                    self.loader(item), gather(container, item), low, self.most(shape)
                )
            case TupleShape(items):
                return _tuple_loader([self.loader(item) for item in items], len(items), [], None)
            case NamedTupleShape(_, fields):
                required = sum(each.required_in for each in fields)
                late: list[Default] = []
                # the class itself supplies defaults that all values may share
                if not all(each.required_in or is_constant(each) for each in fields):
                    late = _defaults_of(fields)
                return _tuple_loader(
                    [self.loader(each.shape) for each in fields], required, late, tuple_maker(shape)
                )
            case MapShape(key, value, low):
                return _map_loader(
                    self.key_loader(key),
                    self.loader(value),
                    low,
                    self.most(shape),
                    safe=has_safe_hash(key),
                )
            case NullableShape(Refined(inner, predicates)):
                return _nullable_then(self.loader(inner), refiner(inner, predicates))
            case NullableShape(inner):
                return _nullable_loader(self.loader(inner))
            case UnionShape(members):
                return union_loader([(member, self.loader(member)) for member in members])
            case TaggedUnionShape(tag, _, cases):
                return tagged_loader(
                    tag, {(type(value), value): self.loader(record) for value, record in cases}
                )
            case Refined(inner, predicates):
                return _then(self.loader(inner), refiner(inner, predicates))
            case OwnShape(StrShape() as inner):
                return _then(text_loader(inner, shape.form), own_maker(shape))
            case OwnShape(inner):
                return _then(self.loader(inner), own_maker(shape))
            case RecordShape(kind, cls, fields, extra=extra):
                plans = [self._plan(each, cls) for each in fields if each.init]
                make: Load | None = None  # a TypedDict is the dict that the loader has filled
                if kind != "typeddict":
                    make = record_maker(shape)
                load_extra: Load | None = None
                if extra is not None:
                    load_extra = self.loader(extra)
                return _record_loader(plans, make, load_extra, tolerant=self.tolerant)
            case RefShape(definition):
                return self._named_loader(definition)
            case _:
                assert_never(shape)

    def key_loader(self, shape: Shape) -> Load:
        """The loader of a key of an object, which is always a string on the wire."""
        match shape:
            case IntShape():
                return integer_key_loader(shape)
            case LiteralShape() | EnumShape():
                return listed_key_loader(shape)
            case Refined(inner, predicates):
                return _then(self.key_loader(inner), refiner(inner, predicates))
            case RefShape(definition):
                return self.key_loader(definition.shape)
            case _:
                return self.loader(shape)

    def _plan(self, field: Field, cls: type[Any]) -> _Plan:
        default: Default | _Skip | None = _Skip.SKIP
        if not stays_out(field, cls):
            default = default_of(field)
        return field.name, field.wire, self.loader(field.shape), default

    def _named_loader(self, definition: Definition) -> Load:
        key = _TOLERANT if self.tolerant else _STRICT
        shared: Load | None = definition.compiled.get(key)
        if shared is not None:
            return shared
        named = self._making.get(definition)
        if named is not None:
            return named.load or named.later
        # from the bottom up, so that a long chain of types does not fill the stack
        ahead = bottom_up(RefShape(definition), lambda each: key in each.compiled)
        self._making.update((each, _Named()) for each in ahead)
        try:
            for each in ahead:
                self._making[each].load = self.loader(each.shape)
            # shared once all of them are complete: other threads may load with them at once
            for each, made in self._making.items():
                each.compiled[key] = made.load
        finally:
            self._making.clear()
        first: Load = definition.compiled[key]
        return first


_STRICT: Final = "load"
_TOLERANT: Final = "load tolerantly"


def _defaults_of(fields: Sequence[Field]) -> list[Default]:
    """The defaults of those *fields* that have one, in order."""
    found: list[Default] = []
    for each in fields:
        default = default_of(each)
        if default is not None:
            found.append(default)
    return found


# Containers.
#
# Each of them goes on after an item that is refused, so that a caller learns of all mistakes at
# once. It keeps the count of issues from before the item; those that are added after it belong to
# the item, and get its key in front of their paths (`Report.under`). An array or a map of a large
# document stops at its first bad item (`Report.hasty`), and everything stops when no issue fits any
# more (`Report.full`). A container with a bad item makes nothing: the author's code sees only
# values that are valid.


def _then(load_inner: Load, step: Load) -> Load:
    def load(value: Any, report: Report) -> Any:
        loaded = load_inner(value, report)
        if loaded is INVALID:
            return INVALID
        return step(loaded, report)

    return load


def _nullable_then(load_inner: Load, step: Load) -> Load:
    # in one function, for values that contain themselves: each level then takes one frame less of
    # Python's stack
    def load(value: Any, report: Report) -> Any:
        if value is None:
            return None
        loaded = load_inner(value, report)
        if loaded is INVALID:
            return INVALID
        return step(loaded, report)

    return load


def _nullable_loader(load_inner: Load) -> Load:
    def load(value: Any, report: Report) -> Any:
        return None if value is None else load_inner(value, report)

    return load


def _array_loader(load_item: Load, step: Load | None, low: int | None, high: int | None) -> Load:
    def load(value: Any, report: Report) -> Any:
        if kind_of(value) is not list:
            return report.add("array_type", found=type_name(value))
        if low is not None and len(value) < low:
            return report.add("too_few_items", min_items=low, length=len(value))
        if high is not None and len(value) > high:
            return report.add("too_many_items", max_items=high, length=len(value))
        items: list[Any] = []
        count = report.count
        good = True
        for item in value:
            loaded = load_item(item, report)
            if loaded is INVALID:
                good = False
                report.under(count, len(items))
                count = report.count
                if report.hasty:
                    report.truncated = True
                    break
            items.append(loaded)  # INVALID, too: their number is the position of the next
        if not good:
            return INVALID
        return items if step is None else step(items, report)

    return load


def _tuple_loader(
    positions: Sequence[Load], required: int, late: Sequence[Default], make: Load | None
) -> Load:
    most = len(positions)

    def load(value: Any, report: Report) -> Any:
        if kind_of(value) is not list:
            return report.add("array_type", found=type_name(value))
        size = len(value)
        if size < required:
            return report.add("too_few_items", min_items=required, length=size)
        if size > most:
            return report.add("too_many_items", max_items=most, length=size)
        items: list[Any] = []
        count = report.count
        good = True
        for index, item in enumerate(value):
            loaded = positions[index](item, report)
            if loaded is INVALID:
                good = False
                report.under(count, index)
                count = report.count
                # it has few items, all of which can be looked at in a large document, too
                if report.full:
                    break
            items.append(loaded)
        if not good:
            return INVALID
        # the defaults are those of the last positions, so the first of them may have been sent
        if late:
            items += [default() for default in late[size - required :]]
        return tuple(items) if make is None else make(items, report)

    return load


def _map_loader(
    load_key: Load, load_value: Load, low: int | None, high: int | None, *, safe: bool
) -> Load:
    def load(value: Any, report: Report) -> Any:
        if kind_of(value) is not dict:
            return report.add("object_type", found=type_name(value))
        if low is not None and len(value) < low:
            return report.add("too_few_keys", min_keys=low, length=len(value))
        if high is not None and len(value) > high:
            return report.add("too_many_keys", max_keys=high, length=len(value))
        keys: list[Any] = []
        values: list[Any] = []
        count = report.count
        good = True
        for wire, item in value.items():
            loaded: Any = INVALID
            key = load_key(wire, report)
            if key is not INVALID:
                loaded = load_value(item, report)
            if loaded is INVALID:
                good = False
                report.under(count, wire)
                count = report.count
                if report.hasty:
                    report.truncated = True
                    break
            keys.append(key)
            values.append(loaded)
        if not good:
            return INVALID
        return together(keys, values, report, safe=safe)

    return load


_Others = Callable[[dict[str, Any], dict[str, Any], Report], bool]
"""
The step for the undeclared keys of an object.

It takes the object, what has been made of it so far, and the report; false if one is refused.
"""


def _refuse_others(known: Collection[str]) -> _Others:
    nearest = finder((*known,))

    def refuse(value: dict[str, Any], _: dict[str, Any], report: Report) -> bool:
        for key in value:
            if key not in known:
                # to compare names takes long, and nobody reads an issue that does not fit
                meant = None if report.full else nearest(key, value)
                if meant is None:
                    report.add("unknown_key", key)
                else:
                    report.add("unknown_key", key, meant=meant)
                if report.full:
                    break
        return False

    return refuse


def _load_others(known: Collection[str], load_extra: Load) -> _Others:
    nearest = finder((*known,))

    def load(value: dict[str, Any], fields: dict[str, Any], report: Report) -> bool:
        count = report.count
        good = True
        for key, item in value.items():
            if key in known:
                continue
            loaded = load_extra(item, report)
            if loaded is not INVALID:
                fields[key] = loaded
                continue
            # a value of another type may be that of a field whose name has a slip
            good = False
            is_odd = not report.full and report.is_mistyped(count)
            meant = nearest(key, value) if is_odd else None
            if meant is None:
                report.under(count, key)
            else:  # it is a field, or nearly one
                report.instead(count, "unknown_key", key, meant=meant)
            count = report.count
            if report.hasty:
                report.truncated = True
                break
        return good

    return load


def _record_loader(
    plans: Sequence[_Plan], make: Load | None, load_extra: Load | None, *, tolerant: bool
) -> Load:
    known = {wire: at for at, (_, wire, _, _) in enumerate(plans)}
    if load_extra is None:
        others = _refuse_others(known)
    else:
        others = _load_others(known, load_extra)
    are_ignored = tolerant and load_extra is None
    required = sum(default is None for _, _, _, default in plans)
    late: list[tuple[str, str, Default]] = []
    for name, wire, _, default in plans:
        if default is not None and default is not _Skip.SKIP:
            late.append((name, wire, default))

    def load_few(value: Any, report: Report) -> Any:
        """Load an object that has few of its fields, without a step for each of the others."""
        fields: dict[str, Any] = {}
        count = report.count
        good = True
        # in the order of their declaration, in which issues are told
        for at in sorted([known[wire] for wire in value]):
            name, wire, load_field, _ = plans[at]
            loaded = load_field(value[wire], report)
            if loaded is INVALID:
                good = False
                report.under(count, wire)
                count = report.count
                if report.full:
                    return INVALID
            fields[name] = loaded
        if not good:
            return INVALID
        for name, wire, default in late:
            if wire not in value:
                fields[name] = default()
        return fields if make is None else make(fields, report)

    def load(value: Any, report: Report) -> Any:
        if kind_of(value) is not dict:
            return report.add("object_type", found=type_name(value))
        if not required and len(value) * 2 < len(plans) and known.keys() >= value.keys():
            return load_few(value, report)
        # 1. The fields, in the order of their declaration.
        fields: dict[str, Any] = {}
        absent: list[tuple[str, Default]] = []
        sent = 0
        count = report.count
        good = True
        for name, wire, load_field, default in plans:
            if wire in value:
                sent += 1
                loaded = load_field(value[wire], report)
                if loaded is not INVALID:
                    fields[name] = loaded
                    continue
                report.under(count, wire)
            elif default is None:
                report.add("missing", wire)
            else:
                if default is not _Skip.SKIP:
                    absent.append((name, default))
                continue
            good = False
            count = report.count
            if report.full:
                return INVALID
        # 2. The undeclared keys, in the order in which they were sent.
        if sent != len(value) and not are_ignored and not others(value, fields, report):
            good = False
        if not good:
            return INVALID
        # 3. The defaults, which may be functions of the author's: only now, since all is valid.
        for name, default in absent:
            fields[name] = default()
        return fields if make is None else make(fields, report)

    return load
