"""
Near misses: documents that break exactly one rule.

Each comes with the place and the code of the issue that must be reported.

A near miss of a compound is one of its own (a missing key, an item too many), or a near miss of a
part, put in place of that part in a valid document.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from contract.pred.report import DEAF, INVALID
from contract.pred.walk import Walker
from contract.shape.issues import MAX_KEY_LENGTH, MAX_PATH_LENGTH
from contract.shape.nodes import (
    ArrayShape,
    Definition,
    Formed,
    LiteralShape,
    MapShape,
    NamedTupleShape,
    NullableShape,
    OwnShape,
    RecordShape,
    Refined,
    RefShape,
    Shape,
    TaggedUnionShape,
    TupleShape,
    UnionShape,
)
from contract.shape.scalars import JsonType
from contract.testing.ends import LONGEST, Broken
from contract.testing.near_scalars import (
    KINDS,
    cardinality,
    kinds,
    near_keys,
    near_scalars,
    wrong_kinds,
)
from contract.testing.overrides import NO_OVERRIDES, Overridden, Pair
from contract.testing.scalars import Scalar, written
from contract.testing.valid_values import BUDGET, Pairs, accepts, key_text

__all__ = ["NearMiss", "near_misses"]


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A JSON document that is refused for one reason."""

    document: Any
    """The document, as ``json.loads`` gives it."""
    path: tuple[str | int, ...]
    """Where the rule is broken, as the issue reports it."""
    code: str
    """The rule that is broken: a key of ``contract.shape.issues.CODES``."""


def near_misses(shape: Shape, *, given: Overridden = NO_OVERRIDES) -> SearchStrategy[NearMiss]:
    """
    Documents that do not fit *shape*, for one reason each.

    Args:
        shape: Any shape.
        given: The user's own values, for the valid parts around the wrong one.

    Raises:
        ValueError: *shape* has no finite value.
    """
    pairs = Pairs(given=given)
    pairs.of(shape)  # raises if it has no finite value
    return st.one_of(_NearMisses(pairs).of(shape, max(BUDGET, pairs.height(shape)))).map(_reported)


def _reported(miss: NearMiss) -> NearMiss:
    # an issue (contract.shape.issues) shows only the beginning of a long path, and of a long key
    path: list[str | int] = []
    for part in miss.path[:MAX_PATH_LENGTH]:
        if isinstance(part, str):
            path.append(part[:MAX_KEY_LENGTH])
        else:
            path.append(part)
    return NearMiss(miss.document, tuple(path), miss.code)


_Misses = list[SearchStrategy[NearMiss]]
_MANY_UNIQUE: Final = 50
"""The greatest number of items that is tried if all items must differ."""


class _NearMisses:
    def __init__(self, pairs: Pairs) -> None:
        self.pairs = pairs
        self._made: dict[tuple[Definition, float, bool, str | None], _Misses] = {}

    def of(
        self, shape: Shape, budget: float, *, right_kind: bool = False, tag: str | None = None
    ) -> _Misses:
        """
        Near misses of *shape*, one strategy for each kind.

        Args:
            shape: Any shape.
            budget: As in `Pairs.of`.
            right_kind: Only values of a JSON kind that *shape* accepts.
            tag: The wire name of a field to leave alone.
        """
        if self.pairs.height(shape) > budget:
            return []  # nothing valid is small enough to hold a broken part
        match shape:
            case RefShape(definition):
                key = (definition, budget, right_kind, tag)
                if key not in self._made:
                    found = self.of(
                        definition.shape,
                        budget - definition.recursive,
                        right_kind=right_kind,
                        tag=tag,
                    )
                    if definition.recursive:
                        # one strategy for everything below a recursive type, or their number would
                        # grow like the places in a tree
                        found = [st.one_of(found)]
                    self._made[key] = found
                return self._made[key]
            case NullableShape(inner):
                # what breaks a rule of the inner shape may be null, which is valid here
                return [
                    miss.filter(lambda miss: miss.document is not None)
                    for miss in self.of(inner, budget, right_kind=right_kind)
                ]
            case Refined(inner):
                otherwise = self.of(inner, budget, right_kind=right_kind)
                return self._or_refused(inner, _by_a_predicate(shape), otherwise, budget)
            case OwnShape(inner):
                otherwise = _whole(near_scalars(inner, right_kind=right_kind, form=shape.form))
                return self._or_refused(inner, _by_its_class(shape), otherwise, budget)
            case UnionShape():
                return self._union(shape, budget, right_kind=right_kind)
            case TaggedUnionShape():
                return self._tagged(shape, budget) + _other_kinds("object", right_kind)
            case ArrayShape():
                return self._array(shape, budget) + _other_kinds("array", right_kind)
            case TupleShape(items):
                found = self._positions(items, len(items), budget)
                return found + _other_kinds("array", right_kind)
            case NamedTupleShape(fields=fields):
                required = sum(field.required_in for field in fields)
                found = self._positions([field.shape for field in fields], required, budget)
                return found + _other_kinds("array", right_kind)
            case MapShape():
                return self._map(shape, budget) + _other_kinds("object", right_kind)
            case RecordShape():
                return self._record(shape, budget, tag) + _other_kinds("object", right_kind)
            case _:
                return _whole(near_scalars(shape, right_kind=right_kind))

    def _documents(
        self, shape: Shape, budget: float, *, tag: str | None = None
    ) -> SearchStrategy[Any]:
        return self.pairs.of(shape, budget, tag=tag).map(lambda pair: pair.document)

    def _or_refused(
        self,
        inner: Shape,
        code_of: Callable[[Pair], str | None],
        otherwise: _Misses,
        budget: float,
    ) -> _Misses:
        """
        The near misses *otherwise*, and values of *inner* that the author's code refuses.

        Nobody knows whether it refuses anything. Some values are tried; if it accepts them all,
        something else is broken.
        """

        def first_refused(pairs: list[Pair]) -> NearMiss | None:
            for pair in pairs:
                code = code_of(pair)
                if code is not None:
                    return NearMiss(pair.document, (), code)
            return None

        tried = st.lists(self.pairs.of(inner, budget), min_size=1, max_size=20).map(first_refused)
        refused = st.tuples(tried, st.one_of(otherwise)).map(lambda misses: misses[0] or misses[1])
        return [*otherwise, refused]

    def _union(self, shape: UnionShape, budget: float, *, right_kind: bool) -> _Misses:
        # A value is a near miss of a member only if no other member could be meant. Values that
        # could mean several members are not tried.
        taken = [kinds(member) for member in shape.members]
        of_any = frozenset[JsonType]().union(*taken)
        nobodys = [value for kind, value in KINDS.items() if kind not in of_any]
        several = [
            member
            for member, fitting in zip(shape.members, taken, strict=True)
            if "string" in fitting
        ]
        # the text in KINDS has none of the string forms, so nobody says which form it misses
        if len(several) > 1 and all(isinstance(member, Formed) for member in several):
            nobodys.append(KINDS["string"])
        found: _Misses = []
        if nobodys and not right_kind:
            found.append(st.sampled_from(nobodys).map(lambda value: NearMiss(value, (), "union")))
        for index, member in enumerate(shape.members):
            of_others = frozenset[JsonType]().union(*taken[:index], *taken[index + 1 :])
            if taken[index].isdisjoint(of_others):
                found += self.of(member, budget, right_kind=True)
        return found

    def _tagged(self, shape: TaggedUnionShape, budget: float) -> _Misses:
        known = [value for value, _ in shape.cases]
        documents = self._documents(shape, budget)
        unknown = [value for value, _ in wrong_kinds(LiteralShape(tuple(known)))]
        # several tags may stand for one record
        records = {ref.definition: ref for _, ref in shape.cases}.values()
        inside: _Misses = []
        for ref in records:
            inside += self.of(ref, budget, right_kind=True, tag=shape.tag)
        return [
            documents.map(
                lambda document: NearMiss(_without(document, shape.tag), (shape.tag,), "missing")
            ),
            st.tuples(documents, st.sampled_from(unknown)).map(
                lambda drawn: NearMiss(
                    {**drawn[0], shape.tag: drawn[1]}, (shape.tag,), "unknown_tag"
                )
            ),
            *inside,
        ]

    def _array(self, shape: ArrayShape, budget: float) -> _Misses:
        found: _Misses = []
        least, most = shape.min_items or 0, shape.max_items
        if self.pairs.height(shape.item) > budget:
            return found
        item = self.pairs.of(shape.item, budget)

        def of_size(size: int, code: str) -> SearchStrategy[NearMiss]:
            if shape.unique:
                several = st.lists(
                    item, min_size=size, max_size=size, unique_by=lambda pair: pair.value
                )
                return several.map(
                    lambda pairs: NearMiss([pair.document for pair in pairs], (), code)
                )
            return item.map(lambda pair: NearMiss([pair.document] * size, (), code))

        if least:
            found.append(of_size(least - 1, "too_few_items"))
        greatest: float = LONGEST
        if shape.unique:
            greatest = min(_MANY_UNIQUE, cardinality(shape.item))
        if most is not None and most < greatest:
            found.append(of_size(most + 1, "too_many_items"))
        if most == 0:
            return found  # there is no place for a wrong item
        documents = self._documents(shape, budget)
        if shape.unique and (most is None or most > 1):
            found.append(self._equal_items(shape, budget))
        return [
            *found,
            *(_inside_array(documents, miss, most) for miss in self.of(shape.item, budget)),
        ]

    def _equal_items(self, shape: ArrayShape, budget: float) -> SearchStrategy[NearMiss]:
        item, most = shape.item, shape.max_items

        def double(drawn: tuple[Pair, Pair]) -> NearMiss:
            first, whole = drawn
            again = first.document
            if isinstance(item, Scalar):
                # equal in Python, and if possible written in another form
                again = written(item, first.value)[-1]
            others = [each for each in whole.document if each != first.document]
            room = len(others) if most is None else most - 2
            return NearMiss([first.document, *others[:room], again], (), "not_unique")

        return st.tuples(self.pairs.of(item, budget), self.pairs.of(shape, budget)).map(double)

    def _positions(self, items: Sequence[Shape], required: int, budget: float) -> _Misses:
        found: _Misses = []
        # a recursive type may be too deep from some position on, if that one may be left out
        too_deep = (index for index, item in enumerate(items) if self.pairs.height(item) > budget)
        possible = next(too_deep, len(items))
        parts = [
            self.pairs.of(item, budget).map(lambda pair: pair.document) for item in items[:possible]
        ]
        if required:
            found.append(
                st.tuples(*parts[: required - 1]).map(
                    lambda drawn: NearMiss([*drawn], (), "too_few_items")
                )
            )
        if possible == len(items):
            found.append(
                st.tuples(*parts, st.just(None)).map(
                    lambda drawn: NearMiss([*drawn], (), "too_many_items")
                )
            )
        for index, item in enumerate(items[:possible]):
            documents = st.tuples(*parts[: max(index + 1, required)])
            found += [
                _inside(documents.map(list), st.just(index), miss) for miss in self.of(item, budget)
            ]
        return found

    def _map(self, shape: MapShape, budget: float) -> _Misses:
        found: _Misses = []
        if self.pairs.height(shape.value) > budget:
            return found
        key, value = self.pairs.of(shape.key).map(key_text), self.pairs.of(shape.value, budget)
        least, most = shape.min_keys or 0, shape.max_keys

        def of_size(size: int, code: str) -> SearchStrategy[NearMiss]:
            entries = st.lists(
                st.tuples(self.pairs.of(shape.key), value),
                min_size=size,
                max_size=size,
                unique_by=lambda entry: entry[0].value,
            )
            return entries.map(
                lambda pairs: NearMiss(
                    {key_text(key): value.document for key, value in pairs}, (), code
                )
            )

        if least:
            found.append(of_size(least - 1, "too_few_keys"))
        if most is not None and most < min(_MANY_UNIQUE, cardinality(shape.key)):
            found.append(of_size(most + 1, "too_many_keys"))
        if most == 0:
            return found
        documents = self._documents(shape, budget)

        def spare(document: dict[str, Any]) -> dict[str, Any]:
            # room for one more entry
            room = len(document) if most is None else most - 1
            return dict([*document.items()][:room])

        def put(drawn: tuple[dict[str, Any], str, NearMiss]) -> NearMiss:
            document, key, miss = drawn
            if key not in document:  # else it takes the place of a value
                document = spare(document)
            return _placed(document, key, miss)

        def put_key(drawn: tuple[dict[str, Any], Broken, Pair]) -> NearMiss:
            document, (key, code), given = drawn
            return NearMiss({**spare(document), key: given.document}, (key,), code)

        inside = [st.tuples(documents, key, miss).map(put) for miss in self.of(shape.value, budget)]
        wrong_keys = [
            st.tuples(documents, sort, value).map(put_key) for sort in near_keys(shape.key)
        ]
        return [*found, *inside, *wrong_keys]

    def _record(self, shape: RecordShape, budget: float, tag: str | None) -> _Misses:
        documents = self._documents(shape, budget, tag=tag)
        fields = [field for field in shape.fields if field.init and field.wire != tag]
        known = {field.wire for field in shape.fields if field.init}
        # keys that a caller could mistake for a field: one with a letter too many, the name in
        # Python instead of that on the wire, and a field that callers may not set
        unknown = {
            "unknown",
            "",
            *(f"{field.wire}_" for field in fields),
            *(field.wire for field in shape.fields),
            *(field.name for field in fields),
        }
        if shape.extra is not None:
            found = self._others(documents, known, shape.extra, budget)
        else:
            keys = st.sampled_from(sorted(unknown - known))
            found = [
                st.tuples(documents, keys, st.sampled_from([None, 1])).map(
                    lambda drawn: NearMiss(
                        {**drawn[0], drawn[1]: drawn[2]}, (drawn[1],), "unknown_key"
                    )
                )
            ]
        for field in fields:
            if field.required_in:
                found.append(
                    documents.map(
                        lambda document, wire=field.wire: NearMiss(  # type: ignore[misc]
                            _without(document, wire), (wire,), "missing"
                        )
                    )
                )
            found += [
                _inside(documents, st.just(field.wire), miss)
                for miss in self.of(field.shape, budget)
            ]
        return found

    def _others(
        self,
        documents: SearchStrategy[Any],
        known: Collection[str],
        extra: Shape,
        budget: float,
    ) -> _Misses:
        # under keys that nobody takes for a misspelt field
        longest = max(map(len, known), default=0)
        keys = sorted({"", "§", "§".rjust(longest + 1, "§")}.difference(known))
        return [_inside(documents, st.sampled_from(keys), miss) for miss in self.of(extra, budget)]


def _whole(sorts: Iterable[SearchStrategy[Broken]]) -> _Misses:
    """Near misses of a value without parts."""
    return [sort.map(lambda broken: NearMiss(broken[0], (), broken[1])) for sort in sorts]


def _other_kinds(own: JsonType, right_kind: bool) -> _Misses:  # noqa: FBT001  passed on
    if right_kind:
        return []
    others = [value for kind, value in KINDS.items() if kind != own]
    return [st.sampled_from(others).map(lambda value: NearMiss(value, (), f"{own}_type"))]


def _by_a_predicate(shape: Refined) -> Callable[[Pair], str | None]:
    def code_of(pair: Pair) -> str | None:
        refusing = [each for each in shape.predicates if not accepts(each, pair.value)]
        return "predicate" if len(refusing) == 1 else None

    return code_of


def _by_its_class(shape: OwnShape) -> Callable[[Pair], str | None]:
    load = Walker().loader(shape)
    code = "invalid_value" if shape.form is None else "format"

    def code_of(pair: Pair) -> str | None:
        if load(pair.document, DEAF) is INVALID:
            return code
        return None

    return code_of


def _without(document: dict[str, Any], key: str) -> dict[str, Any]:
    return {other: value for other, value in document.items() if other != key}


def _placed(document: Any, part: str | int, miss: NearMiss) -> NearMiss:
    """The valid *document* with *miss* in place of one of its parts."""
    if isinstance(part, int):
        whole: Any = [*document[:part], miss.document, *document[part + 1 :]]
    else:
        whole = {**document, part: miss.document}
    return NearMiss(whole, (part, *miss.path), miss.code)


def _inside(
    documents: SearchStrategy[Any], part: SearchStrategy[str | int], miss: SearchStrategy[NearMiss]
) -> SearchStrategy[NearMiss]:
    return st.tuples(documents, part, miss).map(lambda drawn: _placed(*drawn))


def _inside_array(
    documents: SearchStrategy[list[Any]], miss: SearchStrategy[NearMiss], most: int | None
) -> SearchStrategy[NearMiss]:
    def put(drawn: tuple[list[Any], int, NearMiss]) -> NearMiss:
        document, position, miss = drawn
        end = len(document)
        if most is not None:
            # an item that is put after the others must not be one too many
            end = min(end, most - 1)
        return _placed(document, min(position, end), miss)

    return st.tuples(documents, st.integers(0, 3), miss).map(put)
