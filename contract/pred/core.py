"""
Core: a shape as a schema of pydantic-core, the fast way to a value.

It is only asked for a value. If it refuses, for whatever reason, the walk (`contract.pred.walk`)
reads the document and decides. So the schema may be stricter than the shape (it takes no ``1.0``
for an int), but never looser. Its errors contain copies of the input, and are dropped:

- Every schema is strict by itself, because a config does not apply inside dataclasses. Dataclasses,
  enums and tuples are not strict: for a parsed document they would demand instances, and a parser
  never makes the other values that they take without it.
- A missing field has a default that raises. An error for each of a hundred missing fields would
  copy the whole input a hundred times, and a megabyte would cost gigabytes. For the same reason
  arrays and maps stop at their first error.
- A loader of the walk does what pydantic-core does not do exactly, and unions, for which
  pydantic-core would collect the errors of every alternative.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum, EnumType
from inspect import getattr_static
from types import MemberDescriptorType
from typing import Any, Final, Literal, assert_never, cast

from pydantic_core import (
    CoreSchema,
    PydanticOmit,
    PydanticUseDefault,
    SchemaValidator,
    ValidationError,
    core_schema,
)

from contract.pred.flooding import has_safe_hash
from contract.pred.report import DEAF, INVALID, Load
from contract.pred.scalars import limiter
from contract.pred.steps import (
    default_of,
    gather,
    is_constant,
    keyed,
    post_init,
    record_maker,
    refiner,
    stays_out,
    tuple_maker,
)
from contract.pred.walk import Walker
from contract.shape.graph import bottom_up
from contract.shape.nodes import (
    AnyShape,
    ArrayShape,
    BoolShape,
    Definition,
    EnumShape,
    Field,
    FloatShape,
    Formed,
    FormedShape,
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
    Shape,
    StrShape,
    TaggedUnionShape,
    TupleShape,
    UnionShape,
)
from contract.shape.patterns import rust_pattern
from contract.shape.scalars import form_of
from contract.shape.text_forms import TIMEDELTA, UUID_, Form

__all__ = ["REFUSALS", "Core", "compile_core"]


class _Refused(Exception):  # noqa: N818  a signal
    """A refused value; unlike a ValueError it ends the validation at once."""


REFUSALS: Final = (ValidationError, ArithmeticError, _Refused)
"""
The exceptions by which the validator refuses a document.

An ArithmeticError comes from the code that makes decimals and durations. If it comes from the
author's code, the walk raises it again.
"""

_PARSERS: Final[Mapping[Form, CoreSchema]] = {
    UUID_: core_schema.uuid_schema(),
    TIMEDELTA: core_schema.timedelta_schema(),
}
"""
pydantic-core's own parsers, used after the patterns: alone they would accept other forms too.

The parser of durations refuses some of more than 4,000,000,000 seconds, which are left to the walk.
Those of dates and times are not used: they are slower than Python's, and make time zones of their
own class.
"""

_SMALL: Final = 32
"""
The most nodes of a schema that is repeated wherever it is used.

Larger schemas are used by reference, which costs a look-up each time; so are those of recursive
types. Either way a schema is made once for all types that lead to it: 50 types that lead to each
other would otherwise cost 2,500 schemas.
"""


@dataclass(frozen=True, slots=True)
class Core:
    """A shape compiled by pydantic-core."""

    validate: Callable[[bytes], Any]
    """
    A JSON document -> its value.

    It raises one of `REFUSALS` if it refuses the document, and whatever the author's code raises.
    """
    validate_parsed: Callable[[Any], Any]
    """A parsed document -> its value; it raises as ``validate`` does."""
    is_native: bool
    """Whether it never calls Python, so that it takes almost no time."""


def compile_core(shape: Shape, walker: Walker) -> Core:
    """The fast way to values of *shape*; *walker* makes the loaders of what is left to the walk."""
    if isinstance(shape, RefShape) and not shape.definition.recursive:
        shape = shape.definition.shape  # without a look-up
    # 1. The part of each definition, from the bottom up: a long chain must not fill the stack.
    for each in bottom_up(shape, lambda each: _key(walker) in each.compiled):
        _part_of(each, walker)
    # 2. The schema of the shape itself.
    root = _Compiler(walker)
    schema = root.schema(shape)
    is_native = root.is_native
    # 3. The definitions that it has references to, and those that these have references to.
    parts: dict[Definition, CoreSchema] = {}
    ahead = [*root.leads_to]
    while ahead:
        definition = ahead.pop()
        if definition not in parts:
            part = _part_of(definition, walker)
            parts[definition] = cast("CoreSchema", {**part.schema, "ref": _ref(definition)})
            ahead += part.leads_to
            is_native = is_native and part.is_native
    if parts:
        schema = core_schema.definitions_schema(schema, [*parts.values()])
    validator = SchemaValidator(schema)
    return Core(validator.validate_json, validator.validate_python, is_native)


@dataclass(frozen=True, slots=True)
class _Part:
    """The schema of a definition, which the validators of all types that lead to it share."""

    schema: CoreSchema
    size: int
    """The number of its nodes; those of references do not count."""
    leads_to: tuple[Definition, ...]
    """The definitions that it has references to."""
    is_native: bool


def _key(walker: Walker) -> str:
    """The key of the parts in what is kept of each definition."""
    return "core tolerantly" if walker.tolerant else "core"


def _part_of(definition: Definition, walker: Walker) -> _Part:
    """The part of *definition*; those that it leads to are made before it, by `compile_core`."""
    part: _Part | None = definition.compiled.get(_key(walker))
    if part is None:
        compiler = _Compiler(walker)
        schema = compiler.schema(definition.shape)
        part = definition.compiled[_key(walker)] = _Part(
            schema, compiler.size, tuple(compiler.leads_to), compiler.is_native
        )
    return part


@dataclass(slots=True)
class _Compiler:
    walker: Walker
    leads_to: dict[Definition, None] = field(default_factory=dict[Definition, None])
    """The definitions that the schema has references to."""
    size: int = 0
    is_native: bool = True

    def schema(self, shape: Shape) -> CoreSchema:
        self.size += 1
        match shape:
            case NullShape():
                return core_schema.none_schema()
            case BoolShape():
                return core_schema.bool_schema(strict=True)
            case IntShape(low, high, step):
                return core_schema.int_schema(ge=low, le=high, multiple_of=step, strict=True)
            case FloatShape(bounds):
                if bounds.multiple_of is not None:
                    return self._walked(shape)  # pydantic-core has a tolerance
                return core_schema.float_schema(
                    ge=bounds.ge,
                    gt=bounds.gt,
                    le=bounds.le,
                    lt=bounds.lt,
                    allow_inf_nan=False,
                    strict=True,
                )
            case StrShape(low, high, patterns):
                if len(patterns) > 1:  # a schema of a text has one
                    return self._walked(shape)
                pattern = rust_pattern(patterns[0]) if patterns else None
                return core_schema.str_schema(
                    min_length=low,
                    max_length=high,
                    pattern=pattern,
                    regex_engine="rust-regex",
                    strict=True,
                )
            case LiteralShape(values, members):
                # other values include those of other types that are equal in Python
                if not _all_text(values):
                    return self._walked(shape)
                texts = core_schema.literal_schema([*values])
                if not members:
                    return texts
                chosen = dict(zip(values, members, strict=True))
                return core_schema.no_info_after_validator_function(chosen.__getitem__, texts)
            case EnumShape(cls, members):
                sent = dict(members).values()
                if not _all_text(sent) or not _knows_its_values_alone(cls, sent):
                    return self._walked(shape)
                return core_schema.enum_schema(cls, [cls[name] for name, _ in members])
            case AnyShape() | UnionShape():
                return self._walked(shape)
            case Formed():
                return self._formed(shape)
            case ArrayShape():
                return self._array(shape)
            case TupleShape(items):
                positions: list[CoreSchema] = [
                    core_schema.with_default_schema(self.schema(item), default_factory=_missing)
                    for item in items
                ]
                return core_schema.tuple_schema(positions)
            case NamedTupleShape(_, fields):
                return self._then(
                    core_schema.tuple_schema([self._field(each) for each in fields]),
                    tuple_maker(shape),
                )
            case MapShape():
                return self._map(shape)
            case NullableShape(inner):
                return core_schema.nullable_schema(self.schema(inner))
            case TaggedUnionShape(tag, _, cases):
                if not _all_text(value for value, _ in cases):
                    return self._walked(shape)
                return core_schema.tagged_union_schema(
                    {value: self.schema(record) for value, record in cases}, tag, strict=True
                )
            case Refined(inner, predicates):
                return self._then(self.schema(inner), refiner(inner, predicates))
            case OwnShape(inner, cls, load):
                # the author's function is called from C, and the walk tells a refusal from a bug in
                # it
                self.is_native = False
                made = core_schema.no_info_after_validator_function(load, self.schema(inner))
                return core_schema.chain_schema([made, core_schema.is_instance_schema(cls)])
            case RecordShape():
                return self._record(shape)
            case RefShape(definition):
                return self._reference(definition)
            case _:
                assert_never(shape)

    def _formed(self, shape: FormedShape) -> CoreSchema:
        form = form_of(shape)
        text = core_schema.str_schema(pattern=form.pattern, regex_engine="rust-regex", strict=True)
        if form in _PARSERS:
            schema: CoreSchema = core_schema.chain_schema([text, _PARSERS[form]])
        else:
            schema = core_schema.no_info_after_validator_function(form.convert, text)
        limit = limiter(shape)
        return schema if limit is None else self._then(schema, limit)

    def _walked(self, shape: Shape) -> CoreSchema:
        self.is_native = False
        load = _callback(self.walker.loader(shape))
        return core_schema.no_info_plain_validator_function(load)

    def _then(self, schema: CoreSchema, step: Load) -> CoreSchema:
        self.is_native = False
        return core_schema.no_info_after_validator_function(_callback(step), schema)

    def _map(self, shape: MapShape) -> CoreSchema:
        # pydantic-core counts the keys of a map once it has read them all; as texts they are safe
        # until then
        key = shape.key if isinstance(shape.key, StrShape) else StrShape()
        keys = self.schema(key)
        schema = core_schema.dict_schema(
            keys,
            self.schema(shape.value),
            min_length=shape.min_keys,
            max_length=self.walker.most(shape),
            fail_fast=True,
            strict=True,
        )
        if isinstance(shape.key, StrShape):
            return schema
        return self._then(
            schema, keyed(self.walker.key_loader(shape.key), safe=has_safe_hash(shape.key))
        )

    def _reference(self, definition: Definition) -> CoreSchema:
        if not definition.recursive:
            part = _part_of(definition, self.walker)
            if part.size <= _SMALL:
                # the copy counts as a part of this schema, so copies of copies stay small
                self.size += part.size
                self.leads_to.update(dict.fromkeys(part.leads_to))
                self.is_native = self.is_native and part.is_native
                return part.schema
        self.leads_to[definition] = None
        return core_schema.definition_reference_schema(_ref(definition))

    def _array(self, shape: ArrayShape) -> CoreSchema:
        item, low, high = self.schema(shape.item), shape.min_items, self.walker.most(shape)
        if shape.container == "tuple":
            return core_schema.tuple_schema(
                [item], variadic_item_index=0, min_length=low, max_length=high, fail_fast=True
            )
        schema = core_schema.list_schema(
            item, min_length=low, max_length=high, fail_fast=True, strict=True
        )
        step = gather(shape.container, shape.item)
        return schema if step is None else self._then(schema, step)

    def _record(self, shape: RecordShape) -> CoreSchema:
        fields = [each for each in shape.fields if each.init]
        name = shape.type.__name__
        # 1. What becomes of undeclared keys; only records of a TypedDict may take them.
        extra: Literal["allow", "forbid", "ignore"] = "forbid"
        others: CoreSchema | None = None
        if shape.extra is not None:
            extra, others = "allow", self.schema(shape.extra)
        elif self.walker.tolerant:
            extra = "ignore"
        # 2. A dict of the fields, of which the class makes an instance, if it is not a TypedDict.
        if shape.kind == "typeddict" or not _is_plain(shape):
            keys: dict[str, core_schema.TypedDictField] = {}
            for each in fields:
                inner = self.schema(each.shape)
                if not stays_out(each, shape.type):
                    inner = self._with_default(each, inner)
                keys[each.name] = core_schema.typed_dict_field(
                    inner, required=False, validation_alias=each.wire
                )
            schema: CoreSchema = core_schema.typed_dict_schema(
                keys, cls_name=name, extras_schema=others, extra_behavior=extra, strict=True
            )
            if shape.kind == "typeddict":
                return schema
            return self._then(schema, record_maker(shape))
        # 3. A plain dataclass, whose attributes pydantic-core sets itself.
        arguments = core_schema.dataclass_args_schema(
            name,
            [
                core_schema.dataclass_field(
                    each.name, self._field(each), kw_only=True, validation_alias=each.wire
                )
                for each in fields
            ],
            extra_behavior=extra,
        )
        names = [each.name for each in fields]
        schema = core_schema.dataclass_schema(
            shape.type, arguments, names, cls_name=name, slots=_in_slots(shape)
        )
        return self._then(schema, post_init) if shape.has_post_init else schema

    def _field(self, field: Field) -> CoreSchema:
        return self._with_default(field, self.schema(field.shape))

    def _with_default(self, field: Field, schema: CoreSchema) -> CoreSchema:
        if is_constant(field):
            return core_schema.with_default_schema(schema, default=field.default)
        default = default_of(field)
        self.is_native = self.is_native and default is None
        return core_schema.with_default_schema(schema, default_factory=default or _missing)


def _ref(definition: Definition) -> str:
    return f"{definition.name}:{id(definition)}"


def _missing() -> Any:
    raise _Refused


def _callback(load: Load) -> Callable[[Any], Any]:
    """*load*, as pydantic-core calls it."""

    def call(value: Any) -> Any:
        try:
            loaded = load(value, DEAF)
        except (ValueError, AssertionError, PydanticOmit, PydanticUseDefault) as error:
            # pydantic-core would turn these into something else; the walk meets them too, and lets
            # them pass
            raise _Refused from error
        if loaded is INVALID:
            raise _Refused
        return loaded

    return call


def _all_text(values: Any) -> bool:
    return all(type(value) is str for value in values)


def _knows_its_values_alone(cls: type[Enum], values: Collection[Any]) -> bool:
    """
    Whether ``cls(value)`` refuses every other value without running the author's code.

    pydantic-core calls it with each value that is not a member's. What ``_missing_`` makes of such
    a value is in no document.
    """
    return (
        type(cls).__call__ is EnumType.__call__
        and getattr(cls._missing_, "__func__", None) is _NOTHING_MISSING
        # there may be more values from Python 3.13 on: _add_value_alias_
        and cls._value2member_map_.keys() == {*values}
    )


_NOTHING_MISSING: Final[object] = vars(Enum)["_missing_"].__func__


def _is_plain(shape: RecordShape) -> bool:
    """
    Whether making an instance only means setting its fields.

    pydantic-core does nothing else, apart from calling ``__post_init__``.
    """
    cls: Any = shape.type
    if not hasattr(cls, "__dataclass_params__"):
        return False  # the author's package makes its instances
    frozen = cls.__dataclass_params__.frozen
    return (
        all(
            each.init and not each.init_only and not _is_computed(cls, each.name)
            for each in shape.fields
        )
        and type(cls).__call__ is type.__call__
        and cls.__new__ is object.__new__
        and (frozen or cls.__setattr__ is object.__setattr__)
    )


def _is_computed(cls: type[Any], name: str) -> bool:
    """Whether the field's attribute is a property, or another descriptor of the author's."""
    attribute: object = getattr_static(cls, name, None)
    is_slot = isinstance(attribute, MemberDescriptorType)
    return hasattr(type(attribute), "__set__") and not is_slot


def _in_slots(shape: RecordShape) -> bool:
    # a field of a base class may be in a slot even if the class itself has none; and a slot hides
    # what is in __dict__
    if not shape.type.__dictoffset__:
        return True
    return any(
        isinstance(getattr_static(shape.type, each.name, None), MemberDescriptorType)
        for each in shape.fields
    )
