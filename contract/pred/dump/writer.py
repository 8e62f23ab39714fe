"""Writer: the lines of one generated function (the strategy: `contract.pred.dump.compile`)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, assert_never

from contract.pred.dump.classes import CONTAINERS, in_order_by_value, items_of, map_of, python_types
from contract.pred.dump.module import NAMES_OF_CLASSES, Module, by_class, is_native, zones
from contract.pred.dump.scalars import is_multiple, scalar
from contract.pred.dump.walk import key_text, plain_at
from contract.shape.bounds import I64_MAX, I64_MIN, Bounds
from contract.shape.graph import is_compared_by_identity
from contract.shape.nodes import (
    AnyShape,
    ArrayShape,
    Basic,
    BoolShape,
    DatetimeShape,
    DecimalShape,
    Definition,
    EnumShape,
    FloatShape,
    Formed,
    IntShape,
    LiteralShape,
    MapShape,
    NamedTupleShape,
    NullableShape,
    NullShape,
    OwnShape,
    RecordShape,
    Refined,
    RefShape,
    ScalarShape,
    Shape,
    StrShape,
    TaggedUnionShape,
    TupleShape,
    UnionShape,
    UuidShape,
)
from contract.shape.patterns import matcher
from contract.shape.scalars import bounds_of, row_of
from contract.shape.text_forms import MAX_DECIMAL_DIGITS

__all__ = ["Writer"]

_MAX_INDENT: Final = 6
"""The most nested blocks in one function; Python's compiler allows 20 loops."""

_MAX_LEVEL: Final = 16
"""
The most arrays and objects within each other in one function.

Python's compiler allows 200 brackets within each other, and the writer is recursive in them.
"""

_FEW_MEMBERS: Final = 4
"""The most members of an enum that are found faster one by one than in a dict."""


class Writer:
    """
    A writer of one function of *module*.

    *depth* is how its source begins the expression of its own depth: ``d + `` or nothing.
    """

    def __init__(self, module: Module, depth: str, *, indent: int) -> None:
        self.module = module
        self.lines: list[str] = []
        self._depth = depth
        self._level = 0
        self._indent = indent
        self._variables = 0

    def check(self, condition: str) -> None:
        """Write the refusal of values that do not fulfil *condition*."""
        self._line(f"if not ({condition}): raise Misfit")

    def built(self, shape: Shape, v: str) -> str:
        """
        Write the check of the variable *v*, and the lines that build its JSON.

        Returns:
            The expression that orjson must write. The variable may have been assigned to.
        """
        match shape:
            case RefShape(definition):
                if self._is_called(definition):
                    return self._call(shape, v)
                return self.built(definition.shape, v)
            case NullableShape(inner):
                with self._block(f"if {v} is not None:"):
                    self._into(inner, v)
                return v
            case Refined(inner, predicates):
                # the predicates are given the value itself, and not what is written of it
                w = self._fresh()
                self._line(f"{w} = {v}")
                self._into(inner, w)
                self._predicates(predicates, v)
                return w
            case UnionShape(members):
                self._union(members, v, self._into)
                return v
            case TaggedUnionShape():
                self._tagged(shape, v)
                return v
            case AnyShape():
                copied = f"copied({v}, {self._depth}{self._level})"
                return f"({v} if {v} is None or type({v}) is str else {copied})"
            case ArrayShape() | TupleShape() | MapShape() if self._is_full:
                return self._call(shape, v)
            # orjson takes these as they are; all other containers are copied before the check
            case ArrayShape() | TupleShape() if is_native(shape):
                self.checked(shape, v)
                return v
            case ArrayShape(item):
                self._check_class(shape, v, items_of)
                self._line(f"{v} = [*{v}]")
                if not shape.unique and is_native(item):
                    self._checked_items(shape, v)
                    return v
                return self._array(shape, v)
            case TupleShape(items):
                self.check(f"type({v}) is tuple")
                return self._positions(items, v)
            case NamedTupleShape(cls, fields):
                self.check(f"type({v}) is {self._class(cls)}")
                return self._positions([field.shape for field in fields], f"positions({v}, EVERY)")
            case MapShape():
                return self._map(shape, v)
            case RecordShape():
                return self._record(shape, v)
            case EnumShape():
                return self._enum(shape, v)
            case LiteralShape() if shape.python:
                return f"{self._converter(shape)}({v})"
            case OwnShape():
                return self._own(shape, v)
            case NullShape() | BoolShape():
                self.checked(shape, v)
                return v
            case DecimalShape():
                self._decimal(shape, v)
                return v
            case Formed() if row_of(shape).orjson == "never":
                return f"{self._converter(shape)}({v})"
            case Basic() | LiteralShape():
                self._line(
                    f"if not ({self._condition(shape, v)}): {v} = {self._converter(shape)}({v})"
                )
                return v
            case _:
                assert_never(shape)

    def checked(self, shape: Shape, v: str) -> None:
        """Write the check of the variable *v*, of a native shape; *v* is not assigned to."""
        match shape:
            case RefShape(definition):
                self.checked(definition.shape, v)
            case NullableShape(inner):
                with self._block(f"if {v} is not None:"):
                    self.checked(inner, v)
            case Refined(inner, predicates):
                self.checked(inner, v)
                self._predicates(predicates, v)
            case UnionShape(members):
                self._union(members, v, self.checked)
            case ArrayShape() | TupleShape() if self._is_full:
                self._line(self._call(shape, v))
            case ArrayShape():
                self._check_class(shape, v, items_of)
                self._checked_items(shape, v)
            case TupleShape(items):
                self.check(f"type({v}) is tuple")
                parts = self._unpacked(len(items), v)
                with self._inside():
                    for item, part in zip(items, parts, strict=True):
                        self.checked(item, part)
            case Basic() | LiteralShape():
                self.check(self._condition(shape, v))
            case _:  # pragma: no cover
                # only native shapes get here, and the cases above are all of them: `is_native`
                raise AssertionError(shape)

    # Containers.

    def _array(self, shape: ArrayShape, v: str) -> str:
        self._check_length(v, shape.min_items, shape.max_items)
        out, i = self._fresh(), self._fresh()
        start = len(self.lines)
        with self._block(f"for {i} in {v}:"), self._inside():
            item = self.built(shape.item, i)
            # items that need no lines of their own are built in a comprehension, which is faster
            if len(self.lines) == start + 1:
                del self.lines[start]
                out = f"[{item} for {i} in {v}]"
            else:
                self._line(f"{out}.append({item})")
                self.lines.insert(start, f"{' ' * (self._indent - 1)}{out} = []")
        if not shape.unique:
            return out
        if is_compared_by_identity(shape.item):
            return f"{self.module.bind(in_order_by_value)}({out})"
        return f"in_order({out})"

    def _check_class(
        self, shape: ArrayShape | MapShape, v: str, read: Callable[[Any, Any], object]
    ) -> None:
        """Refuse a value of another class, or *read* it if the annotation takes many classes."""
        classes: tuple[type[Any], ...] = (dict,)
        if isinstance(shape, ArrayShape):
            classes = CONTAINERS[shape.container]
        condition = " or ".join(f"type({v}) is {self._class(cls)}" for cls in classes)
        # a class of collections.abc: what is not built-in is read into a list or a dict first
        if shape.abstract is None:
            self.check(condition)
        else:
            self._line(f"if not ({condition}): {v} = {self.module.bind(partial(read, shape))}({v})")

    def _check_length(self, v: str, least: int | None, most: int | None) -> None:
        if least is not None or most is not None:
            self.check(_length(v, least, most).removeprefix(" and "))

    def _checked_items(self, shape: ArrayShape, v: str) -> None:
        self._check_length(v, shape.min_items, shape.max_items)
        i = self._fresh()
        with self._block(f"for {i} in {v}:"), self._inside():
            self.checked(shape.item, i)

    def _map(self, shape: MapShape, v: str) -> str:
        self._check_class(shape, v, map_of)
        self._line(f"{v} = {v}.copy()")
        self._check_length(v, shape.min_keys, shape.max_keys)
        as_it_is = isinstance(shape.key, StrShape | LiteralShape) and is_native(shape.key)
        out, k, i = self._fresh(), self._fresh(), self._fresh()
        if as_it_is and is_native(shape.value):
            with self._block(f"for {k}, {i} in {v}.items():"), self._inside():
                self.checked(shape.key, k)
                self.checked(shape.value, i)
            return v
        self._line(f"{out} = {{}}")
        with self._block(f"for {k}, {i} in {v}.items():"), self._inside():
            if as_it_is:
                self.checked(shape.key, k)
                key = k
            else:
                key = f"{self.module.bind(partial(key_text, shape.key))}({k})"
            item = self.built(shape.value, i)
            self._line(f"{out}[{key}] = {item}")
        # keys that differ in Python may have one text
        self.check(f"len({out}) == len({v})")
        return out

    def _positions(self, shapes: Sequence[Shape], whole: str) -> str:
        parts = self._unpacked(len(shapes), whole)
        with self._inside():
            built = [self.built(shape, part) for shape, part in zip(shapes, parts, strict=True)]
        return f"[{', '.join(built)}]"

    def _unpacked(self, count: int, whole: str) -> list[str]:
        parts = [self._fresh() for _ in range(count)]
        self._line(f"[{', '.join(parts)}] = {whole}")  # another length raises
        return parts

    def _record(self, shape: RecordShape, v: str) -> str:
        # 1. The class, or the class of each key.
        fields = [field for field in shape.fields if not field.init_only]
        keyed = shape.kind == "typeddict"
        if keyed:
            self.check(f"type({v}) is dict")
            # it is read twice, and another thread must not change it in between
            if shape.extra is not None:
                self._line(f"{v} = {v}.copy()")
            k = self._fresh()
            # a key of another class may define equality differently
            self._line(f"for {k} in {v}:")
            self._line(f" if type({k}) is not str: raise Misfit")
        else:
            cls = self._class(shape.type)
            # of a subclass, too, only the declared attributes are read
            self.check(f"type({v}) is {cls} or is_a({v}, {cls})")
        # 2. The fields. Those up to the first that may be absent are entries of the display that
        #    opens the object. The others are added to it, in the order of their declaration. The
        #    keys of a TypedDict are counted: if it has more, one of them is not declared.
        out, count = self._fresh(), self._fresh()
        absent = "MISSING" if keyed else "UNSET"
        optional = [at for at, field in enumerate(fields) if not field.required_out]
        if keyed and optional:
            self._line(f"{count} = {len(fields) - len(optional)}")
        entries: list[str] = []
        for at, field in enumerate(fields):
            part = self._fresh()
            name, wire = self.module.stamp(field.name), self.module.stamp(field.wire)
            if field.required_out:
                if keyed:
                    self._line(f"{part} = {v}['{name}']")
                else:
                    self._line(f"{part} = {v}.{name}")
                with self._inside():
                    entry = self.built(field.shape, part)
                if optional and at > optional[0]:
                    self._line(f"{out}['{wire}'] = {entry}")
                else:
                    entries.append(f"'{wire}': {entry}")
                continue
            if at == optional[0]:
                self._line(f"{out} = {{{', '.join(entries)}}}")
            if keyed:
                self._line(f"{part} = {v}.get('{name}', MISSING)")
            else:
                self._line(f"{part} = {v}.{name}")
            with self._block(f"if {part} is not {absent}:"), self._inside():
                self._line(f"{out}['{wire}'] = {self.built(field.shape, part)}")
                if keyed:
                    self._line(f"{count} += 1")
        # 3. The undeclared keys, which are either written or refused.
        display = f"{{{', '.join(entries)}}}"
        if shape.extra is not None:
            if not optional:
                self._line(f"{out} = {display}")
            self._others(shape, shape.extra, v, out)
            return out
        if not optional:
            if keyed:
                self.check(f"len({v}) == {len(fields)}")
            return display
        if keyed:
            self.check(f"len({v}) == {count}")
        return out

    def _others(self, shape: RecordShape, extra: Shape, v: str, out: str) -> None:
        """Write the lines that put the undeclared keys of *v* into *out*."""
        known = self.module.bind(frozenset(field.name for field in shape.fields))
        k, i = self._fresh(), self._fresh()
        with self._block(f"for {k}, {i} in {v}.items():"), self._inside():  # noqa: SIM117
            with self._block(f"if {k} not in {known}:"):
                self._line(f"{out}[{k}] = {self.built(extra, i)}")

    # Unions.

    def _union(self, members: Sequence[Shape], v: str, write: Callable[[Shape, str], None]) -> None:
        kind = self._fresh()
        self._line(f"{kind} = type({v})")
        word = "if"
        for classes, fitting in by_class(members):
            condition = " or ".join(f"{kind} is {self._class(cls)}" for cls in classes)
            with self._block(f"{word} {condition}:"):
                if len(fitting) == 1:
                    write(fitting[0], v)
                else:
                    walked = self.module.bind(partial(plain_at, UnionShape(tuple(fitting))))
                    self._line(f"{v} = {walked}({v}, {self._depth}{self._level})")
            word = "elif"
        self._line("else: raise Misfit")

    def _tagged(self, shape: TaggedUnionShape, v: str) -> None:
        records: dict[type[Any], dict[RefShape, list[str | int | bool]]] = {}
        for tag, record in shape.cases:
            (cls,) = python_types(record)
            records.setdefault(cls, {}).setdefault(record, []).append(tag)
        kind = self._fresh()
        self._line(f"{kind} = type({v})")
        word = "if"
        for cls, tags in records.items():
            with self._block(f"{word} {kind} is {self._class(cls)}:"):
                if len(tags) == 1:
                    self._into(next(iter(tags)), v)
                else:
                    attribute = self.module.stamp(shape.attribute)
                    read = f"{v}.{attribute}"
                    if cls is dict:
                        read = f"{v}['{attribute}']"
                    self._by_tag(tags, read, v)
            word = "elif"
        self._line("else: raise Misfit")

    def _by_tag(self, tags: Mapping[RefShape, list[str | int | bool]], read: str, v: str) -> None:
        found = self._fresh()
        self._line(f"{found} = {read}")
        word = "if"
        for record, values in tags.items():
            with self._block(f"{word} {self._condition(LiteralShape(tuple(values)), found)}:"):
                self._into(record, v)
            word = "elif"
        self._line("else: raise Misfit")

    # Scalars.

    def _condition(self, shape: ScalarShape, v: str) -> str:
        """
        The condition that native values fulfil: their exact type, and all limits.

        A datetime that orjson writes as we do counts as native.
        """
        match shape:
            case NullShape():
                return f"{v} is None"
            case BoolShape():
                return f"type({v}) is bool"
            case IntShape(low, high, multiple_of):
                divides = "" if multiple_of is None else f" and {v} % {multiple_of:d} == 0"
                # no comparison with the least int of 64 bits: orjson refuses lower ones
                least = "" if low == I64_MIN else f"{low:d} <= "
                return f"type({v}) is int and {least}{v} <= {high:d}{divides}"
            case FloatShape(bounds):
                # an int is a float, as for type checkers
                number = (
                    f"type({v}) is float and isfinite({v})"
                    f" or type({v}) is int and {I64_MIN} <= {v} <= {I64_MAX}"
                )
                if not bounds.any:
                    return number
                return f"({number}){self._within(bounds, v)}"
            case StrShape(low, high, patterns):
                matches = ""
                for pattern in patterns:
                    matches += f" and {self.module.bind(matcher(pattern))}({v})"
                return f"type({v}) is str{_length(v, low, high)}{matches}"
            case DatetimeShape(bounds, offset):
                # UTC is the usual zone, and needs no look at its offset, unless the shape has
                # another one: an offset of zero is false
                zone = self._fresh()
                is_utc = f"({zone} := {v}.tzinfo) is UTC"
                first = f"not {is_utc} and" if offset else f"{is_utc} or"
                # offsets of whole minutes: orjson rounds others
                fits = "in OFFSETS" if offset is None else f"== {self.module.bind(offset)}"
                zoned = f"type({zone}) in {self.module.bind(zones())} and {v}.utcoffset() {fits}"
                return f"type({v}) is datetime and ({first} {zoned}){self._within(bounds, v)}"
            case UuidShape():
                return f"type({v}) is UUID and type({v}.int) is int and 0 <= {v}.int < {2**128}"
            case Formed():
                cls = self._class(row_of(shape).python)
                return f"type({v}) is {cls}{self._within(bounds_of(shape), v)}"
            case LiteralShape(values):
                return " or ".join(self._one_of(cls, values, v) for cls in python_types(shape))
            case _:  # pragma: no cover
                # only native shapes get here, and the cases above are all of them: `is_native`
                raise AssertionError(shape)

    def _enum(self, shape: EnumShape, v: str) -> str:
        if len(shape.members) > _FEW_MEMBERS:
            self.check(f"type({v}) is {self._class(shape.type)}")
            return f"{self.module.bind(dict(shape.members))}[{v}._name_]"
        bind = self.module.bind
        members = shape.type.__members__
        choices = ""
        for name, wire in shape.members:
            choices += f"{bind(wire)} if {v} is {bind(members[name])} else "
        return f"({choices}{self._converter(shape)}({v}))"

    def _own(self, shape: OwnShape, v: str) -> str:
        cls = self._class(shape.type)
        self.check(f"type({v}) is {cls} or is_a({v}, {cls})")
        w = self._fresh()
        self._line(f"{w} = {self.module.bind(shape.dump)}({v})")
        self._into(shape.inner, w)
        return w

    def _decimal(self, shape: DecimalShape, v: str) -> None:
        """
        Write the lines that turn a Decimal into its text.

        A short one without an exponent is within all limits.
        """
        text = self._fresh()
        self._line(
            f"if type({v}) is Decimal and {v}.is_finite()"
            f" and len({text} := str({v})) <= {MAX_DECIMAL_DIGITS}"
            f" and 'E' not in {text} and 'e' not in {text}"
            f"{self._within(shape.bounds, v)}: {v} = {text}"
        )
        self._line(f"else: {v} = {self._converter(shape)}({v})")

    def _one_of(self, cls: type[Any], values: Sequence[str | int | bool], v: str) -> str:
        allowed = frozenset(value for value in values if type(value) is cls)
        return f"type({v}) is {cls.__name__} and {v} in {self.module.bind(allowed)}"

    def _within(self, bounds: Bounds, v: str) -> str:
        limits = ((bounds.ge, ">="), (bounds.gt, ">"), (bounds.le, "<="), (bounds.lt, "<"))
        text = ""
        for limit, sign in limits:
            if limit is not None:
                text += f" and {v} {sign} {self.module.bind(limit)}"
        if bounds.multiple_of is not None:
            text += (
                f" and {self.module.bind(is_multiple)}({v}, {self.module.bind(bounds.multiple_of)})"
            )
        return text

    def _converter(self, shape: ScalarShape) -> str:
        return self.module.bind(partial(scalar, shape))

    # Lines.

    def _predicates(self, predicates: Sequence[Callable[[Any], object]], v: str) -> None:
        for predicate in predicates:
            self.check(f"{self.module.bind(predicate)}({v})")

    def _into(self, shape: Shape, v: str) -> None:
        """Write the lines that build *v*, into the same variable."""
        expression = self.built(shape, v)
        if expression != v:
            self._line(f"{v} = {expression}")

    def _is_called(self, definition: Definition) -> bool:
        """Whether *definition* is a separate function, not part of this one."""
        if definition.recursive:
            return True
        if not isinstance(definition.shape, RecordShape | NamedTupleShape):
            return False
        return self._is_full or not self.module.is_first_use(definition)

    @property
    def _is_full(self) -> bool:
        """Whether arrays and objects within this one must be written by functions of their own."""
        return self._indent >= _MAX_INDENT or self._level >= _MAX_LEVEL

    def _call(self, shape: Shape, v: str) -> str:
        depth = ""
        if self.module.traits.deep(shape):
            depth = f", {self._depth}{self._level}"
        return f"{self.module.function(shape)}({v}{depth})"

    def _class(self, cls: type[Any]) -> str:
        return NAMES_OF_CLASSES.get(cls) or self.module.bind(cls)

    def _fresh(self) -> str:
        self._variables += 1
        return f"v{self._variables}"

    def _line(self, text: str) -> None:
        self.lines.append(" " * self._indent + text)

    @contextmanager
    def _block(self, head: str) -> Generator[None]:
        self._line(head)
        self._indent += 1
        yield
        self._indent -= 1

    @contextmanager
    def _inside(self) -> Generator[None]:
        self._level += 1
        yield
        self._level -= 1


def _length(v: str, least: int | None, most: int | None) -> str:
    if least is None and most is None:
        return ""
    low = "" if least is None else f"{least:d} <= "
    high = "" if most is None else f" <= {most:d}"
    return f" and {low}len({v}){high}"
