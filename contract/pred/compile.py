"""
Preds: a shape, compiled to ``load``, ``check`` and ``dump``.

``load`` takes bytes and nothing else, so there is one way in; it goes through pydantic-core, and
where that refuses, through the walk, which decides and says what is wrong. ``check`` and ``dump``
are `contract.pred.dump`'s.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, TypeVar, final

from typing_extensions import TypeForm

from contract.pred.core import REFUSALS, compile_core
from contract.pred.dump.collector import COLLECTOR
from contract.pred.dump.compile import Dumper, compile_dumper
from contract.pred.dump.module import Traits
from contract.pred.dump.walk import check_values
from contract.pred.parse import LARGE_BODY, may_be_too_deep, parsed, stack_is_full
from contract.pred.report import INVALID, Report
from contract.pred.walk import Walker
from contract.shape import Rename, shape_of
from contract.shape.exceptions import InvalidInput
from contract.shape.graph import definitions, reachable
from contract.shape.issues import Issue, issue
from contract.shape.nodes import Field, NamedTupleShape, RecordShape, Shape

__all__ = ["CheapRecords", "Pred", "Unknown", "cheap_records_of", "compile_pred", "pred_of"]

T = TypeVar("T")

_READ_TWICE: Final = 16_384
"""
Bytes of a document up to which pydantic-core reads it itself.

Where it refuses one of them, that one is parsed once more for the walk.

To parse a document first and then to validate what was parsed costs a valid one up to a third more.
A refused one is then parsed only once; from here on, the second time takes more than a tenth of a
millisecond.
"""

Unknown = Literal["refuse", "ignore"]
"""
Whether keys that no field has are refused.

In an input such a key is a mistake; in the answer of a newer server it is none.
"""


@final
class Pred(Generic[T]):
    """
    A type that values are loaded, checked and dumped as.

    Everything is compiled when it is first used. ``load``, ``check`` and ``dump`` are attributes: a
    call is a call of what was compiled.
    """

    __slots__ = ("_dumper", "_home", "_load", "_unknown", "check", "dump", "load", "shape")

    shape: Shape
    """The meaning of the type."""

    load: Callable[[bytes], T]
    """
    The value of a JSON document (UTF-8).

    Raises InvalidInput where it is not a valid one, and whatever the author's own code raises:
    default factories, predicates and ``__post_init__``, where a ValueError or an AssertionError of
    the latter two counts as a refusal (in whose words: `contract.pred.report`).
    """

    dump: Callable[[T], bytes]
    """
    The JSON document of a value, which is checked; raises InvalidOutput where it does not fit.
    """

    check: Callable[[object], None]
    """Nothing for a value that ``dump`` would write; raises InvalidOutput where it does not fit."""

    def __init__(self, shape: Shape, *, unknown: Unknown = "refuse", home: str = "") -> None:
        self.shape = shape
        self._unknown: Unknown = unknown
        self._home = home
        self._load: Callable[[bytes], T] | None = None
        self._dumper: Dumper | None = None
        self.load = self._first_load
        self.dump = self._first_dump
        self.check = self._first_check

    def __repr__(self) -> str:
        return f"Pred({self.shape!r})"

    def compile(self) -> None:
        """Compile now, and not at the first call."""
        # two threads may both do so: the results are alike, and no lock is held while the author's
        # code runs
        self._load = self.load = _loader(self.shape, self._unknown, self._home)
        self._dumper = dumper = compile_dumper(self.shape)
        self.dump = dumper.dump
        self.check = dumper.check

    # These stay in the hands of whoever took the attribute before the first call, so they do not
    # compile again.

    def _first_load(self, data: bytes) -> T:
        load = self._load
        if load is None:
            load = self._load = self.load = _loader(self.shape, self._unknown, self._home)
        return load(data)

    def _first_dump(self, value: T) -> bytes:
        return self._compiled_dumper().dump(value)

    def _first_check(self, value: object) -> None:
        self._compiled_dumper().check(value)

    def _compiled_dumper(self) -> Dumper:
        dumper = self._dumper
        if dumper is None:
            dumper = self._dumper = compile_dumper(self.shape)
            self.dump = dumper.dump
            self.check = dumper.check
        return dumper


def compile_pred(shape: Shape, *, unknown: Unknown = "refuse", home: str = "") -> Pred[Any]:
    """
    The pred of *shape*.

    *unknown* is that of `pred_of`, and *home* that of `contract.pred.report.own_words`.
    """
    return Pred(shape, unknown=unknown, home=home)


def pred_of(
    annotation: TypeForm[T], *, rename: Rename | None = None, unknown: Unknown = "refuse"
) -> Pred[T]:
    """
    The pred of a type.

    Args:
        annotation: Anything that a route can carry.
        rename: How the names of fields are written on the wire.
        unknown: What ``load`` does with keys of records that no field has, at any depth; those of
            maps are never unknown.

    Raises:
        UnsupportedAnnotation: The type has no form on the wire, or a default or an example is none
            of its values.
    """
    shape = shape_of(annotation, rename=rename)
    check_values(definitions(shape), set(), "type")
    return Pred(shape, unknown=unknown)


def _loader(shape: Shape, unknown: Unknown, home: str) -> Callable[[bytes], Any]:
    walker = Walker(tolerant=unknown == "ignore")
    walk = walker.loader(shape)
    core = compile_core(shape, walker)
    validate = core.validate

    deep = Traits().deep(shape)
    cheap = cheap_records_of(shape)
    # what stands in an Any is the document's own: code of the author's could change it before the
    # walk comes to it
    validate_parsed = core.validate_parsed if core.is_native or not deep else None

    def load(data: bytes) -> Any:
        # a number as the operand of ``in`` is found ten times as fast as bytes, and most documents
        # hold neither of the two letters
        if len(data) > _READ_TWICE or (
            (b"N"[0] in data or b"I"[0] in data) and _may_hold_nan(data)
        ):
            return decide(data, first=validate_parsed)
        try:
            return validate(data)
        except REFUSALS:
            pass
        return decide(data)

    def decide(data: bytes, *, first: Callable[[Any], Any] | None = None) -> Any:
        large = len(data) > LARGE_BODY
        if large and cheap is not None and cheap.are_too_many(data):
            raise InvalidInput((issue("too_many_objects", max_objects=cheap.most(len(data))),))
        paused = large and COLLECTOR.pause()
        try:
            document = parsed(data)
            if isinstance(document, Issue):
                raise InvalidInput((document,))
            # a large document that is refused at its end must not cost twice what Python takes for
            # it
            if first is not None and (core.is_native or not large):
                try:
                    return first(document)
                except REFUSALS:
                    pass
            report = Report(hasty=large, home=home)
            value = walk(document, report)
            if value is INVALID:
                raise InvalidInput(report.issues(), truncated=report.truncated)
            return value
        finally:
            if paused:
                COLLECTOR.resume()

    def load_nested(data: bytes) -> Any:
        try:
            return decide(data, first=validate_parsed) if may_be_too_deep(data) else load(data)
        except RecursionError as error:
            if not _is_of_the_walk(error):
                raise
        raise InvalidInput((stack_is_full(data),))

    return load_nested if deep else load


def _is_of_the_walk(error: RecursionError) -> bool:
    """
    Whether Python's stack was too small for the document, and the author's code is not to blame.

    Each of 200 levels takes up to five frames, of a stack of 1000 which the server has used some
    of. More frames of ours than of others mean that the walk has filled it.
    """
    ours = theirs = 0
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename.startswith(_HERE):
            ours += 1
        else:
            theirs += 1
        step = step.tb_next
    return ours > theirs


_HERE: Final = __file__.removesuffix("compile.py")


def _may_hold_nan(data: bytes) -> bool:
    # pydantic-core's parser takes NaN and Infinity. The schema does not, but it never sees what a
    # duplicate key hides: {"a": NaN, "a": 1}
    return b"NaN" in data or b"Infinity" in data


# Records that cost their sender next to nothing.
#
# ``{}`` makes a whole record where each field has a default: a megabyte of them was 350,000 records
# of 20 fields, 200 MiB and three seconds. So the objects of a large document are counted, where
# there is such a type: real records are longer than these.

_ALWAYS: Final = 32_768
"""Objects that any document may hold."""

_STRING: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)


@dataclass(frozen=True, slots=True)
class CheapRecords:
    """The cheap records of a type."""

    opening: bytes
    """The brackets that open them: of objects, of named tuples, or of both."""
    length: int
    """Bytes of a document for each of them, above the number that every document may hold."""

    def most(self, size: int) -> int:
        """How many objects a document of *size* bytes may hold."""
        return max(_ALWAYS, size // self.length)

    def are_too_many(self, data: bytes) -> bool:
        """Whether a document holds more."""
        most = self.most(len(data))
        # a text may be full of brackets
        return self._count(data) > most and self._count(_STRING.sub(b"", data)) > most

    def _count(self, data: bytes) -> int:
        return sum(data.count(bracket) for bracket in self.opening)


def cheap_records_of(shape: Shape) -> CheapRecords | None:
    """The cheap records of *shape*, if it has any."""
    opening: set[bytes] = set()
    weights = [0]
    for definition in reachable(shape):
        of = definition.shape
        if isinstance(of, NamedTupleShape) or (
            isinstance(of, RecordShape) and of.kind != "typeddict"
        ):
            weight = _weight(of.fields)
            if weight:
                weights.append(weight)
                opening.add(b"[" if isinstance(of, NamedTupleShape) else b"{")
    return CheapRecords(b"".join(sorted(opening)), 10 + max(weights) // 2) if opening else None


def _weight(fields: Sequence[Field]) -> int:
    """The number of values that a record makes without being sent any; a factory is a call."""
    return sum(
        3 if field.default_factory is not None else 1 for field in fields if not field.required_in
    )
