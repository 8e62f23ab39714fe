"""
Steps: what happens to a value once all its parts are valid.

They run the author's code, in which a ValueError or an AssertionError refuses the value; its words
are handled by `contract.pred.report`. A ValidationError of pydantic is a ValueError too, but it
comes from something else that the author validates: it is a bug like any other.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import deepcopy
from typing import Any, Final, assert_never

from pydantic_core import ValidationError

from contract.pred.dump.classes import are_unique
from contract.pred.dump.scalars import a_value, class_name
from contract.pred.dump.walk import plain
from contract.pred.flooding import has_safe_hash, too_many_equal
from contract.pred.report import INVALID, Load, Report
from contract.shape.exceptions import InvalidInput, InvalidOutput
from contract.shape.foreign import knows_what_was_set, raised_within
from contract.shape.graph import is_compared_by_identity
from contract.shape.nodes import (
    MISSING,
    Container,
    Field,
    NamedTupleShape,
    OwnShape,
    RecordShape,
    Shape,
)
from contract.shape.pages import maker_of

__all__ = [
    "Default",
    "default_of",
    "gather",
    "is_constant",
    "keyed",
    "own_maker",
    "post_init",
    "record_maker",
    "refiner",
    "stays_out",
    "together",
    "tuple_maker",
]

Default = Callable[[], Any]
"""Makes the value of a field that was not sent."""


def default_of(field: Field) -> Default | None:
    """Makes the value of *field* if none was sent; None for a field that must be sent."""
    factory = field.default_factory
    if factory is not None:
        return factory if factory in _BUILT_IN else _own(factory)
    default = field.default
    if default is MISSING:
        return None
    if is_constant(field) or not _can_be_copied(default):
        return lambda: default
    # a list, say: no value may change the default of the next
    return lambda: deepcopy(default)


def stays_out(field: Field, cls: type[Any]) -> bool:
    """
    Whether *field* is not passed to *cls* if none was sent: the class supplies its default.

    A model of pydantic must supply all of them: `model_fields_set` and `exclude_unset` tell what
    was passed, and a partial update writes that alone.
    """
    supplied = not field.required_in and knows_what_was_set(cls)
    return field.optional_key or is_constant(field) or supplied


def is_constant(field: Field) -> bool:
    """
    Whether *field* has a default that all values may share.

    A list as the default of a named tuple is not one.
    """
    try:
        hash(field.default)
    except Exception:  # noqa: BLE001  a __hash__ of the author's
        return False
    return field.default is not MISSING


def _can_be_copied(default: object) -> bool:
    # a MappingProxyType cannot be hashed, nor can the keys of a dict; all values share them, as in
    # Python
    try:
        deepcopy(default)
    except Exception:  # noqa: BLE001  code of the author's
        return False
    return True


_BUILT_IN: Final = (list, dict, set)
"""Factories that never raise."""


def _own(factory: Callable[[], Any]) -> Callable[[], Any]:
    # an exception of a factory is not the input's fault; only one that would pass for a refusal
    # must be converted
    def make() -> Any:
        try:
            return factory()
        except InvalidInput as error:
            raise RuntimeError(f"a default factory raised {type(error).__name__}") from error

    return make


def record_maker(shape: RecordShape) -> Load:
    """The step from the fields of a record to an instance of its class."""
    cls = maker_of(shape)

    def make(fields: dict[str, Any], report: Report) -> Any:
        try:
            return cls(**fields)
        except ValidationError as error:
            # a model of pydantic packs what the author's own validators raise into one of these
            refusal = raised_within(shape.type, error)
            if refusal is None:
                raise
            return report.refuse("invalid_value", refusal, shape)
        except (ValueError, AssertionError) as error:
            return report.refuse("invalid_value", error, shape)

    return make


def tuple_maker(shape: NamedTupleShape) -> Load:
    """The step from the positions of a named tuple to an instance of its class."""
    cls: Callable[..., Any] = shape.type

    def make(items: Sequence[Any], report: Report) -> Any:
        try:
            return cls(*items)
        except ValidationError:
            raise
        except (ValueError, AssertionError) as error:
            return report.refuse("invalid_value", error, shape)

    return make


def own_maker(shape: OwnShape) -> Load:
    """The step from the form on the wire to a value of the author's class."""
    load, cls = shape.load, shape.type

    def make(wire: Any, report: Report) -> Any:
        try:
            value = load(wire)
        except ValidationError:
            raise
        except (ValueError, AssertionError) as error:
            if shape.form is not None:
                return report.add("format", format=shape.form)
            return report.refuse("invalid_value", error, shape)
        if not isinstance(value, cls):
            raise TypeError(f"the load of {class_name(cls)} gave {a_value(value)}")
        return value

    return make


def post_init(instance: Any, report: Report) -> Any:
    """
    The step that runs the ``__post_init__`` of a dataclass that is otherwise complete.

    Only the schema of pydantic-core uses it, which keeps no words of the author's.
    """
    try:
        instance.__post_init__()
    except ValidationError:
        raise
    except (ValueError, AssertionError):
        return report.add("invalid_value")
    return instance


def refiner(inner: Shape, predicates: Sequence[Callable[[Any], object]]) -> Load:
    """The step that calls *predicates* with a value of *inner*."""

    def refine(value: Any, report: Report) -> Any:
        try:
            for predicate in predicates:
                if not predicate(value):
                    return report.add("predicate")
        except ValidationError:
            raise
        except (ValueError, AssertionError) as error:
            return report.refuse("predicate", error, inner)
        return value

    return refine


def gather(container: Container, item: Shape) -> Load | None:
    """The step from a list of values of *item* to *container*; None if it stays a list."""
    match container:
        case "list" | "sequence":
            return None
        case "tuple":
            return lambda items, _: tuple(items)
        case "deque":
            return lambda items, _: deque(items)
        case "set":
            return _unique(set, item)
        case "frozenset":
            return _unique(frozenset, item)
        case _:
            assert_never(container)


def _unique(make: Callable[[Sequence[Any]], Any], item: Shape) -> Load:
    safe, by_identity = has_safe_hash(item), is_compared_by_identity(item)

    def load(items: Sequence[Any], report: Report) -> Any:
        if not safe and too_many_equal(items):
            return report.add("equal_hashes")
        gathered = make(items)
        # values that are compared by identity are told apart as when they are written
        is_set = len(gathered) == len(items)
        if by_identity:
            is_set = are_unique(_written(item, each) for each in items)
        if not is_set:
            return report.add("not_unique")
        return gathered

    return load


def _written(shape: Shape, value: Any) -> Any:
    try:
        return plain(shape, value)
    except InvalidOutput:
        # the author's code has changed it; writing it reports that
        return object()


def keyed(load_key: Load, *, safe: bool) -> Load:
    """The step from a map with text keys to one with the values of the keys."""

    def load(texts: Mapping[str, Any], report: Report) -> Any:
        keys: list[Any] = []
        for text in texts:
            key = load_key(text, report)
            if key is INVALID:
                return INVALID
            keys.append(key)
        return together(keys, texts.values(), report, safe=safe)

    return load


def together(keys: Sequence[Any], values: Collection[Any], report: Report, *, safe: bool) -> Any:
    """The map of *keys* to *values*, unless two keys are equal, or too many hashes are."""
    if not safe and too_many_equal(keys):
        return report.add("equal_hashes")
    made = dict(zip(keys, values, strict=True))
    # texts that differ may be one key: "1.0" and "1.00" as Decimals
    if len(made) != len(keys):
        return report.add("not_unique")
    return made
