"""
Valid values, each with a JSON document that loads as it: a pair.

Both come from one walk over the shape. A value alone cannot tell which arguments it was made from
(``__post_init__`` may change them, an ``InitVar`` is gone), and a document alone cannot tell which
of its items are equal in Python.

A budget limits recursion: each use of a recursive type costs one. If the rest is too small, only
values that end soon enough are drawn: an empty list, a null, a default, another member of a union.
So each recursive type has a few strategies, one for each remaining budget, and none refers to
itself.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from enum import Enum
from itertools import chain
from operator import attrgetter
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from contract.declare.files import read_marks
from contract.pred.report import DEAF, INVALID
from contract.pred.steps import default_of
from contract.pred.walk import Walker
from contract.shape.graph import definitions as directly_below
from contract.shape.graph import reachable
from contract.shape.markers import UNSET
from contract.shape.media_types import Media
from contract.shape.nodes import (
    ArrayShape,
    DecimalShape,
    Definition,
    Field,
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
from contract.shape.pages import is_page_key, maker_of
from contract.shape.text_forms import DECIMAL
from contract.shape.upload import Upload
from contract.testing.ends import edges_of
from contract.testing.heights import height_of, heights_of
from contract.testing.overrides import NO_OVERRIDES, Overridden, Pair, paired, pairs_given
from contract.testing.sample_contents import sample_of
from contract.testing.scalars import Scalar, scalar_values, written
from contract.testing.source import Unmade
from contract.testing.texts import LONG, repeated
from contract.testing.words import NO_AFFIXES, Affixes, with_affixes

__all__ = ["BUDGET", "Pair", "Pairs", "accepts", "key_text"]

BUDGET: Final = 4
"""How many uses of recursive types may be nested, if a type can end so soon."""

_MANY: Final = 5
"""Items above the least number, if the type sets no limit nearby."""

_FEW: Final = 2
"""
Items above the least number if they lead to recursive types.

With five each, a tree of four levels would have hundreds of nodes.
"""


class _LeftOut:
    """A field that is not in the document."""


_LEFT_OUT: Final = _LeftOut()


class Pairs:
    """
    The strategies of one tree of shapes, made once for each definition and remaining budget.

    Attributes:
        only_values: Whether documents are not needed. Then they keep the form that is dumped, which
            is faster.
        given: The shapes and fields that have the user's own values.
        edges: Draw only values at the limits of what is allowed, and leave nothing out.
        affixes: The beginnings and ends of texts.
    """

    def __init__(
        self,
        *,
        only_values: bool = False,
        given: Overridden = NO_OVERRIDES,
        edges: bool = False,
        affixes: Affixes = NO_AFFIXES,
    ) -> None:
        self.only_values = only_values
        self.edges = edges
        self.affixes = affixes
        self.given = given
        self._heights: dict[Definition, float] = {}
        self._made: dict[tuple[Hashable, ...], SearchStrategy[Pair]] = {}

    def of(
        self, shape: Shape, budget: float | None = None, *, tag: str | None = None
    ) -> SearchStrategy[Pair]:
        """
        Pairs of *shape*.

        Args:
            shape: Any shape.
            budget: How many uses of recursive types may be nested; None for the usual number.
            tag: A wire name that is never left out of the document, for a record in a tagged union.

        Raises:
            ValueError: no value of *shape* is finite, or it has no values at all.
        """
        given = self.given.of(shape)
        if given is not None:
            return pairs_given(shape, given, only_values=self.only_values)
        if budget is None:
            height = self.height(shape)
            if height == math.inf:
                raise ValueError("every value of this type would contain another one without end")
            budget = max(BUDGET, height)
        match shape:
            case RefShape(definition):
                key = (definition, budget, tag)
                if key not in self._made:
                    self._made[key] = self.of(
                        definition.shape, budget - definition.recursive, tag=tag
                    )
                return self._made[key]
            case NullableShape(inner):
                null = st.just(Pair(None, None))
                # the server gives the keys of pages, in earlier ones
                if is_page_key(inner) or self.height(inner) > budget:
                    return null
                return st.one_of(null, self.of(inner, budget))
            case UnionShape(members):
                return st.one_of(
                    [self.of(member, budget) for member in members if self.height(member) <= budget]
                )
            case TaggedUnionShape(tag=wire, cases=cases):
                records = {ref.definition: ref for _, ref in cases}.values()
                return st.one_of(
                    [
                        self.of(ref, budget, tag=wire)
                        for ref in records
                        if self.height(ref) <= budget
                    ]
                )
            case Refined(inner, predicates):
                return self.of(inner, budget).filter(
                    lambda pair: all(accepts(predicate, pair.value) for predicate in predicates)
                )
            case OwnShape():
                return self._own(shape)
            case ArrayShape():
                return self._array(shape, budget)
            case TupleShape(items):
                return st.tuples(*(self.of(item, budget) for item in items)).map(
                    lambda pairs: Pair(
                        tuple(pair.value for pair in pairs), [pair.document for pair in pairs]
                    )
                )
            case MapShape():
                return self._map(shape, budget)
            case RecordShape():
                return self._record(shape, budget, tag)
            case NamedTupleShape():
                return self._named_tuple(shape, budget)
            case _:
                return self._scalar(shape)

    def height(self, shape: Shape) -> float:
        """
        How many uses of recursive types are nested in the smallest value of *shape*.

        Infinite if it never ends.
        """
        if any(definition not in self._heights for definition in directly_below(shape)):
            self._heights.update(heights_of(reachable(shape), 0))
        return height_of(shape, self._heights, 0)

    def _few_or_many(self, least: int, most: int | None, *inner: Shape) -> int:
        below = chain.from_iterable(map(reachable, inner))
        recursive = any(definition.recursive for definition in below)
        usual = least + (_FEW if recursive else _MANY)
        if most is None:
            return usual
        # a limit nearby is reached now and then
        nearby = usual if recursive else usual + _MANY
        return min(most, nearby)

    def _own(self, shape: OwnShape) -> SearchStrategy[Pair]:
        """Draw values that the documents allow and that the author's own code accepts."""
        if shape.type is Upload:
            drawn = uploads(*read_marks(shape.marks, "upload"))
            return drawn.map(lambda file: Pair(file, file))
        load = Walker().loader(shape)
        drawn = self._values(shape.inner)
        pairs = drawn.map(lambda wire: Pair(load(wire, DEAF), wire))
        if not shape.examples:
            return pairs.filter(lambda pair: pair.value is not INVALID)
        # few texts may be accepted by the code (a time zone), or easy to draw
        examples = st.sampled_from([Pair(load(wire, DEAF), wire) for wire in shape.examples])
        taken = st.tuples(pairs, examples).map(_first_valid)
        return st.one_of(examples, taken)

    def _scalar(self, shape: Scalar) -> SearchStrategy[Pair]:
        values = self._values(shape)
        if self.only_values:
            return values.map(lambda value: Pair(value, None))
        # form 0, the one that is dumped, is drawn as often as all others together; the others
        # shrink to it
        return st.tuples(values, st.one_of(st.just(0), st.integers(0, 3))).map(
            lambda drawn: _in_form(shape, *drawn)
        )

    def _values(self, shape: Scalar) -> SearchStrategy[Any]:
        if self.edges:
            return edges_of(shape)
        if isinstance(shape, StrShape) and self.affixes is not NO_AFFIXES:
            return with_affixes(shape, self.affixes)
        return scalar_values(shape)

    def _array(self, shape: ArrayShape, budget: float) -> SearchStrategy[Pair]:
        least = shape.min_items or 0
        most = self._few_or_many(least, shape.max_items, shape.item)
        make = _CONTAINERS.get(shape.container, list)
        if self.height(shape.item) > budget or not most:
            return st.builds(lambda: Pair(make(()), []))
        item = self.of(shape.item, budget)
        unique = attrgetter("value") if shape.unique else None
        if least > LONG and unique is None:
            pairs = repeated(st.lists(item, min_size=1, max_size=_FEW), least, most)
        else:
            pairs = st.lists(item, min_size=least, max_size=most, unique_by=unique)
        return pairs.map(
            lambda pairs: Pair(
                make(pair.value for pair in pairs), [pair.document for pair in pairs]
            )
        )

    def _map(self, shape: MapShape, budget: float) -> SearchStrategy[Pair]:
        least = shape.min_keys or 0
        most = self._few_or_many(least, shape.max_keys, shape.value)
        if self.height(shape.value) > budget or not most:
            return st.builds(lambda: Pair({}, {}))
        entries = st.tuples(self.of(shape.key), self.of(shape.value, budget))
        return st.lists(
            entries, min_size=least, max_size=most, unique_by=lambda entry: entry[0].value
        ).map(
            lambda found: Pair(
                {key.value: value.value for key, value in found},
                {key_text(key): value.document for key, value in found},
            )
        )

    def _record(self, shape: RecordShape, budget: float, tag: str | None) -> SearchStrategy[Pair]:
        # A class with `__post_init__` may set its other fields itself. Only those that it leaves
        # without a value get one that is drawn.
        fields = [field for field in shape.fields if field.init]
        late = [field for field in shape.fields if not field.init and not _has_default(field)]
        make_record = maker_of(shape)
        arguments = [
            self._argument(shape.type, field, budget, required=field.wire == tag)
            for field in fields
        ]
        late_values: list[SearchStrategy[Any]] = []
        for field in late:
            if self.height(field.shape) <= budget:
                late_values.append(self.of(field.shape, budget))
            else:
                late_values.append(st.just(_LEFT_OUT))

        def make(drawn: tuple[Any, ...]) -> Pair | None:
            count = len(fields)
            is_turned, late_pairs, others = drawn[count], drawn[count + 1 : -1], drawn[-1]
            given = [
                (field, pair)
                for field, pair in zip(fields, drawn[:count], strict=True)
                if pair is not _LEFT_OUT
            ]
            made = {field.name: pair.value for field, pair in given}
            try:
                value = make_record(**made, **{key: pair.value for key, pair in others})
            except (ValueError, AssertionError):
                return None  # __post_init__ refuses these arguments
            except Exception:
                if self.only_values:
                    raise
                # a mistake in __post_init__, which the document will reveal on the wire
                value = Unmade(shape.type, made)
            for field, pair in zip(late, late_pairs, strict=True):
                is_set = isinstance(value, Unmade) or hasattr(value, field.name)
                if pair is not _LEFT_OUT and not is_set:
                    object.__setattr__(value, field.name, pair.value)
            entries = [(field.wire, pair.document) for field, pair in given]
            entries += [(key, pair.document) for key, pair in others]
            if is_turned:
                entries.reverse()
            return Pair(value, dict(entries))

        # keys may come in any order
        turned = st.just(value=False) if self.only_values else st.booleans()
        made = st.tuples(*arguments, turned, *late_values, self._others(shape, budget)).map(make)
        if shape.has_post_init:
            made = made.filter(lambda pair: pair is not None)
        return made  # type: ignore[return-value]  # none is None any more

    def _others(self, shape: RecordShape, budget: float) -> SearchStrategy[list[tuple[str, Pair]]]:
        """Entries under keys that are not fields."""
        if shape.extra is None or self.height(shape.extra) > budget:
            return st.just([])
        known = {field.wire for field in shape.fields}
        keys = scalar_values(StrShape()).filter(lambda key: key not in known)
        entries = st.tuples(keys, self.of(shape.extra, budget))
        most = self._few_or_many(0, None, shape.extra)
        return st.lists(entries, max_size=most, unique_by=lambda entry: entry[0])

    def _named_tuple(self, shape: NamedTupleShape, budget: float) -> SearchStrategy[Pair]:
        required = sum(not _has_default(field) for field in shape.fields)
        possible = required + sum(
            self.height(field.shape) <= budget for field in shape.fields[required:]
        )
        # a position with the user's own values is never left out, nor is one before it
        wanted = 0
        for count, field in enumerate(shape.fields, 1):
            if (shape.type, field.name) in self.given.fields:
                wanted = count

        def make(pairs: tuple[Pair, ...]) -> Pair:
            given = [pair.value for pair in pairs]
            value = shape.type(*given, *_left_out(shape, len(pairs)))
            return Pair(value, [pair.document for pair in pairs])

        tuples: list[SearchStrategy[Pair]] = []
        for count in range(max(required, wanted), max(possible, wanted) + 1):
            items = [self._item(shape.type, field, budget) for field in shape.fields[:count]]
            tuples.append(st.tuples(*items).map(make))
        return st.one_of(tuples)

    def _item(self, cls: type[Any], field: Field, budget: float) -> SearchStrategy[Pair]:
        given = self._given_field(cls, field)
        if given is not None:
            return given
        return self.of(field.shape, budget)

    def _given_field(self, cls: type[Any], field: Field) -> SearchStrategy[Any] | None:
        """
        The user's strategy for a field, or None.

        It gives `_LEFT_OUT` if the field is left out.
        """
        given = self.given.fields.get((cls, field.name))
        if given is None:
            return None
        pair = paired(field.shape, given.label, only_values=self.only_values)

        def pair_of(value: Any) -> Any:
            if field.unset and value is UNSET:
                return _LEFT_OUT
            return pair(value)

        return given.strategy.map(pair_of)

    def _argument(
        self, cls: type[Any], field: Field, budget: float, *, required: bool
    ) -> SearchStrategy[Any]:
        given = self._given_field(cls, field)
        if given is not None:
            return given
        fits = self.height(field.shape) <= budget
        if required or field.required_in or (self.edges and fits):
            return self.of(field.shape, budget)
        left_out: SearchStrategy[Any] = st.just(_LEFT_OUT)
        if not fits:
            return left_out
        return st.one_of(left_out, self.of(field.shape, budget))


def accepts(predicate: Callable[[Any], object], value: Any) -> bool:
    """Whether *predicate* is true for *value*; False if it raises."""
    try:
        return bool(predicate(value))
    except Exception:  # noqa: BLE001  the author's own code
        return False


def key_text(key: Pair) -> str:
    """The JSON key for *key*."""
    if isinstance(key.document, str):
        return key.document
    # an int, whose document may be 1.0, or a member of an enum of ints
    value = key.value.value if isinstance(key.value, Enum) else key.value
    return str(value)


_CONTAINERS: Final[dict[str, Callable[[Iterable[Any]], Any]]] = {
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "deque": deque,
}
"""Container of an array -> its class; every other one is a list."""


def _first_valid(both: tuple[Pair, Pair]) -> Pair:
    """The first of two pairs, unless the author's code refuses it."""
    drawn, example = both
    if drawn.value is INVALID:
        return example
    return drawn


def _in_form(shape: Scalar, value: Any, form: int) -> Pair:
    documents = written(shape, value)
    document = documents[form % len(documents)]
    if isinstance(shape, DecimalShape):
        # 1.5 and 1.50 are equal, but a resolver that gives back its input answers with the digits
        # that were sent
        value = DECIMAL.parse(document)
    return Pair(value, document)


def _left_out(shape: NamedTupleShape, count: int) -> Iterator[Any]:
    """The values of positions behind the first *count*; a class made of a document has none."""
    for field in shape.fields[count:]:
        make = default_of(field)
        assert make is not None  # noqa: S101  only positions with defaults are left out
        yield make()


def _has_default(field: Field) -> bool:
    return not (field.required_in or field.optional_key)


def uploads(most: int, media: Media | None) -> SearchStrategy[Upload]:
    """Files of these types with *most* bytes at most, all of them small."""
    types = ("application/octet-stream",) if media is None else media.types
    names = st.sampled_from(["file", "a picture.png", "\u00e9.txt"])
    kinds = st.sampled_from([each.replace("*", "x-made-up") for each in types])
    drawn = st.tuples(kinds, st.binary(max_size=min(most, _FILE)))
    # a resolver that looks into a picture takes few bytes that are drawn
    samples = [sample for sample in map(sample_of, types) if len(sample[1]) <= most]
    return st.builds(_upload_of, names, st.one_of(drawn, *map(st.just, samples)))


def _upload_of(name: str, drawn: tuple[str, bytes]) -> Upload:
    return Upload.of(drawn[1], name=name, media_type=drawn[0])


_FILE: Final = 64
"""The most bytes of a made-up file."""
