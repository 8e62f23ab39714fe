"""
Preds: a shape, compiled to ``load``, ``check`` and ``dump``.

``load`` takes only bytes, so there is one way in. pydantic-core reads them; if it refuses, the walk
reads them again, decides, and says what is wrong. ``check`` and ``dump`` are in
`contract.pred.dump`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, TypeVar, cast, final

from typing_extensions import TypeForm

from contract.pred.core import REFUSALS, compile_core
from contract.pred.dump.collector import COLLECTOR
from contract.pred.dump.compile import compile_dumper
from contract.pred.dump.module import Traits
from contract.pred.dump.walk import check_values
from contract.pred.parse import LARGE_BODY, may_be_too_deep, parsed, stack_is_full
from contract.pred.report import INVALID, Report
from contract.pred.walk import Walker
from contract.shape.exceptions import InvalidInput
from contract.shape.graph import definitions, reachable
from contract.shape.issues import Issue, issue
from contract.shape.names import Rename
from contract.shape.nodes import Field, NamedTupleShape, RecordShape, Shape
from contract.shape.reader import shape_of

__all__ = ["CheapRecords", "Pred", "Unknown", "cheap_records_of", "compile_pred", "pred_of"]

T = TypeVar("T")

_READ_TWICE: Final = 16_384
"""
The size in bytes up to which pydantic-core parses a document itself.

If it refuses such a document, the document is parsed once more for the walk. Parsing first and then
validating the parsed value costs up to a third more for a valid document, but a refused one is then
parsed only once. Above this size, the second parsing takes more than a tenth of a millisecond.
"""

Unknown = Literal["refuse", "ignore"]
"""
Whether undeclared keys are refused.

In an input such a key is a mistake; in the answer of a newer server it is not.
"""


@final
class Pred(Generic[T]):
    """
    A compiled type: it loads, checks and dumps values.

    Everything is compiled when it is first used. ``load`` and ``dump`` are attributes, so a call
    goes straight to the compiled function.
    """

    __slots__ = ("_dump", "_home", "_load", "_unknown", "dump", "load", "shape")

    shape: Shape
    """The meaning of the type."""

    load: Callable[[bytes], T]
    """
    Gives the value of a JSON document in UTF-8.

    Raises InvalidInput if the document is not valid. It also raises whatever the author's own code
    raises: default factories, predicates and ``__post_init__``. A ValueError or an AssertionError
    of the latter two counts as a refusal (in whose words: `contract.pred.report`).
    """

    dump: Callable[[T], bytes]
    """Gives the JSON document of a value, or raises InvalidOutput if it does not fit."""

    def __init__(self, shape: Shape, *, unknown: Unknown = "refuse", home: str = "") -> None:
        self.shape = shape
        self._unknown: Unknown = unknown
        self._home = home
        self._load: Callable[[bytes], T] | None = None
        self._dump: Callable[[T], bytes] | None = None
        self.load = self._first_load
        self.dump = self._first_dump

    def __repr__(self) -> str:
        return f"Pred({self.shape!r})"

    def check(self, value: object) -> None:
        """
        Check a value without writing it.

        Raises:
            InvalidOutput: ``dump`` would refuse it.
        """
        self.dump(cast("Any", value))

    def compile(self, *, load: bool = True, dump: bool = True) -> None:
        """Compile ``load`` and ``dump``, or one of them, now and not at the first call."""
        # two threads may both compile: the results are equal, and no lock is held while the
        # author's code runs
        if load:
            self._load = self.load = _loader(self.shape, self._unknown, self._home)
        if dump:
            self._dump = self.dump = compile_dumper(self.shape)

    # Callers that took such an attribute before the first call keep it, so it must not compile
    # again.

    def _first_load(self, data: bytes) -> T:
        if self._load is None:
            self.compile(dump=False)
        return cast("Callable[[bytes], T]", self._load)(data)

    def _first_dump(self, value: T) -> bytes:
        if self._dump is None:
            self.compile(load=False)
        return cast("Callable[[T], bytes]", self._dump)(value)


def compile_pred(shape: Shape, *, unknown: Unknown = "refuse", home: str = "") -> Pred[Any]:
    """
    The pred of *shape*.

    *unknown* is as in `pred_of`, and *home* as in `contract.pred.report.own_words`.
    """
    return Pred(shape, unknown=unknown, home=home)


def pred_of(
    annotation: TypeForm[T], *, rename: Rename | None = None, unknown: Unknown = "refuse"
) -> Pred[T]:
    """
    The pred of a type.

    Args:
        annotation: Any type that a route can carry.
        rename: How the names of fields are written on the wire.
        unknown: What ``load`` does with undeclared keys of records, at any depth. Keys of maps are
            never undeclared.

    Raises:
        UnsupportedAnnotation: The type has no form on the wire, or a default or an example is not a
            value of the type.
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
    validate_parsed: Callable[[Any], Any] | None = core.validate_parsed
    # an Any keeps the value of the document: the author's code could change it before the walk
    # reads it
    if deep and not core.is_native:
        validate_parsed = None

    # The ways into a value. `load` is for most documents: pydantic-core parses and validates them
    # at once. `decide` parses first, and asks the walk, unless the core takes the parsed value.
    # `load_nested` is for types whose values may be too deep for Python's stack.

    def load(data: bytes) -> Any:
        # finding a number with ``in`` is ten times as fast as finding bytes, and most documents
        # contain neither of the two letters
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
        # 1. The limits that need no parser.
        large = len(data) > LARGE_BODY
        if large and cheap is not None and cheap.are_too_many(data):
            raise InvalidInput((issue("too_many_objects", max_objects=cheap.most(len(data))),))
        paused = large and COLLECTOR.pause()
        try:
            # 2. The parser.
            document = parsed(data)
            if isinstance(document, Issue):
                raise InvalidInput((document,))
            # 3. The core, if it has not refused the document before. A large document that is
            #    refused at its end must not cost twice the work.
            if first is not None and (core.is_native or not large):
                try:
                    return first(document)
                except REFUSALS:
                    pass
            # 4. The walk, which has the last word.
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
            if may_be_too_deep(data):
                return decide(data, first=validate_parsed)
            return load(data)
        except RecursionError as error:
            if not _is_of_the_walk(error):
                raise
        raise InvalidInput((stack_is_full(data),))

    # the others have a height that their shape bounds, so they pay nothing for this
    return load_nested if deep else load


def _is_of_the_walk(error: RecursionError) -> bool:
    """
    Whether Python's stack was too small for the document, so the author's code is not to blame.

    Each of 200 levels takes up to five frames of a stack of 1000, some of which the server uses. If
    most frames are ours, the walk has filled the stack.
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
    # pydantic-core's parser accepts NaN and Infinity. The schema does not, but it never sees a
    # value hidden by a duplicate key: {"a": NaN, "a": 1}
    return b"NaN" in data or b"Infinity" in data


# Records that cost their sender almost nothing.
#
# ``{}`` makes a whole record if each field has a default: a megabyte of them made 350,000 records
# of 20 fields, and took 200 MiB and three seconds. So if a type has such records, the objects of a
# large document are counted: real records are longer than these.

_ALWAYS: Final = 32_768
"""The number of objects that any document may contain."""

_STRING: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)


@dataclass(frozen=True, slots=True)
class CheapRecords:
    """The cheap records of a type."""

    opening: bytes
    """Their opening brackets: of objects, of named tuples, or of both."""
    length: int
    """Bytes of a document per record, above the number that every document may contain."""

    def most(self, size: int) -> int:
        """How many objects a document of *size* bytes may contain."""
        return max(_ALWAYS, size // self.length)

    def are_too_many(self, data: bytes) -> bool:
        """Whether a document contains too many objects."""
        most = self.most(len(data))
        # a text may contain many brackets
        return self._count(data) > most and self._count(_STRING.sub(b"", data)) > most

    def _count(self, data: bytes) -> int:
        return sum(data.count(bracket) for bracket in self.opening)


def cheap_records_of(shape: Shape) -> CheapRecords | None:
    """The cheap records of *shape*, if it has any."""
    opening: set[bytes] = set()
    heaviest = 0
    for definition in reachable(shape):
        of = definition.shape
        if isinstance(of, NamedTupleShape):
            bracket = b"["
        elif isinstance(of, RecordShape) and of.kind != "typeddict":
            bracket = b"{"
        else:
            # of a TypedDict, say, where a key that was not sent makes no value
            continue
        weight = _weight(of.fields)
        if weight:
            heaviest = max(heaviest, weight)
            opening.add(bracket)
    if not opening:
        return None
    return CheapRecords(b"".join(sorted(opening)), 10 + heaviest // 2)


def _weight(fields: Sequence[Field]) -> int:
    """How many values a record makes that were not sent; a factory counts as a call."""
    weight = 0
    for field in fields:
        if field.required_in:
            continue
        if field.default_factory is None:
            weight += 1
        else:
            weight += 3
    return weight
