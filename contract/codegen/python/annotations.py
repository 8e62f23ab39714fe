"""
Annotations: shapes in Python's syntax.

With their constraints they contain the whole contract, so the runtime reads the server's own shape
from them. `plain` ones, in the signatures of methods, are for readers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never, final

from contract.codegen.python.context import CLIENT, Context, Scope
from contract.codegen.python.layout import Bracket, Choice, Expression, flat, quoted
from contract.codegen.python.scalars import own_name, timezone_of, value_of
from contract.shape.bounds import Bounds
from contract.shape.nodes import (
    AnyShape,
    ArrayShape,
    BoolShape,
    BytesShape,
    Container,
    EnumShape,
    FloatShape,
    Formed,
    FormedShape,
    IntShape,
    Listed,
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
from contract.shape.python_types import ready_text
from contract.shape.scalars import bounds_of, row_of

__all__ = ["Annotations", "class_of", "literal"]


def literal(value: Listed) -> str:
    """*value*, of a Literal or an enum, as an expression."""
    if isinstance(value, str):
        return quoted(value)
    return repr(value)


def class_of(name: str, scope: Scope) -> str:
    """The class of the type *name*, in a form that can be called."""
    definition = scope.context.package.definitions[name]
    return flat(Annotations(scope, plain=True).of(RefShape(definition)))


@final
class Annotations:
    """
    Writes types, in one scope.

    Args:
        scope: Where they are written.
        plain: Whether to leave constraints out.
        early: Whether classes that they name may be undefined when they are evaluated: those names
            are quoted.
        hoist: In text, where nothing can be quoted: gives another name to a type that would be
            written with quotes.
    """

    __slots__ = ("_annotated", "_context", "_early", "_hoist", "_plain", "_scope")

    def __init__(
        self,
        scope: Scope,
        *,
        plain: bool = False,
        early: bool = False,
        hoist: Callable[[Expression], str] | None = None,
    ) -> None:
        self._scope = scope
        self._context: Context = scope.context
        self._plain = plain
        self._early = early
        self._hoist = hoist
        # "Annotated[", under the name that it has in the module, once it was used
        self._annotated = ""

    def of(self, shape: Shape, *more: Expression) -> Expression:
        """The type of *shape*, with *more* metadata."""
        match shape:
            case AnyShape():
                bare: Expression = self._typing("Any")
            case NullShape():
                bare = "None"
            case BoolShape():
                bare = self._context.built_in("bool")
            case IntShape() | FloatShape():
                name = self._context.built_in(row_of(shape).label)
                return self._limited(name, self._limits(bounds_of(shape), repr), more)
            case StrShape(low, high, patterns):
                rules = [*self._lengths(low, high), *(self._pattern(each) for each in patterns)]
                return self._limited(self._context.built_in("str"), rules, more)
            case BytesShape(low, high):
                name = self._context.built_in("bytes")
                return self._limited(name, self._lengths(low, high), more)
            case Formed():
                return self._formed(shape, more)
            case OwnShape():
                return self._own(shape, more)
            case LiteralShape(values):
                listed = Bracket(f"{self._typing('Literal')}[", tuple(map(literal, values)), "]")
                bare = self._hoisted(listed)
            case ArrayShape(item, container, low, high):
                array = self._array(container, self.of(item))
                return self._limited(array, self._lengths(low, high), more)
            case TupleShape(items):
                members = tuple(map(self.of, items)) or ("()",)
                bare = Bracket(f"{self._context.built_in('tuple')}[", members, "]")
            case MapShape(key, value, low, high):
                name = self._context.built_in("dict")
                bare = Bracket(f"{name}[", (self.of(key), self.of(value)), "]")
                return self._limited(bare, self._lengths(low, high), more)
            case NullableShape(inner):
                bare = self.either(self.of(inner), "None")
            case UnionShape(alternatives):
                bare = self.either(*map(self.of, alternatives))
            case TaggedUnionShape(_, _, cases):
                bare = self.either(*dict.fromkeys(self._named(record) for _, record in cases))
            case Refined() | RecordShape() | NamedTupleShape() | EnumShape():
                raise AssertionError("no document has the author's code, and these have names")
            case RefShape():
                bare = self._named(shape)
            case _:
                assert_never(shape)
        return self._limited(bare, [], more)

    def either(self, *members: Expression) -> Expression:
        """A union; unions among its members are taken apart, and None comes last."""
        apart: list[Expression] = []
        for each in members:
            if isinstance(each, Choice):
                apart += each.members
            else:
                apart.append(each)
        parts = [part for part in apart if part != "None"]
        if len(parts) < len(apart):
            parts.append("None")
        if len(parts) == 1:
            return parts[0]
        # "A" | None, with a text instead of a class, fails when it is evaluated
        if self._early:
            return Bracket(f"{self._typing('Union')}[", tuple(parts), "]")
        return Choice(tuple(parts), lambda: self._typing("Union"))

    def as_value(self, type_: Expression) -> Expression:
        """
        *type_*, which was written here, for use as a value.

        There pyright does not accept ``|`` between an ``Annotated`` and another type.
        """
        if not isinstance(type_, Choice):
            return type_
        for each in type_.members:
            if isinstance(each, Bracket) and each.head == self._annotated:
                return Bracket(f"{self._typing('Union')}[", type_.members, "]")
        return type_

    def _named(self, shape: RefShape) -> Expression:
        name = shape.definition.name
        if name in self._context.parameters:
            return self._context.parameters[name]
        made = self._context.naming.made.get(name)
        if made is None:
            written = self._scope.type(name)
            if self._early:
                return f'"{written}"'
            return written
        # as one text: the names inside Page[Order] may be undefined, too
        inside = Annotations(self._scope, plain=self._plain, hoist=self._hoist)
        generic = self._scope.type(made.definition.name)
        type_ = Bracket(f"{generic}[", tuple(map(inside.of, made.instances[name])), "]")
        if self._early:
            return quoted(flat(type_))
        return type_

    def _array(self, container: Container, item: Expression) -> Bracket:
        items: tuple[Expression, ...] = (item,)
        if container == "tuple":
            items = (item, "...")
        return Bracket(f"{self._context.built_in(container)}[", items, "]")

    def _formed(self, shape: FormedShape, more: tuple[Expression, ...]) -> Expression:
        cls = row_of(shape).python
        bare = self._context.use(cls.__module__, cls.__name__)
        if self._plain:
            return bare
        rules = self._limits(bounds_of(shape), lambda limit: value_of(limit, self._context))
        zone = timezone_of(shape, self._context)
        if zone is not None:
            rules.append(Bracket(f"{self._metadata('Timezone')}(", (zone,), ")"))
        return self._limited(bare, rules, more)

    def _own(self, shape: OwnShape, more: tuple[Expression, ...]) -> Expression:
        # the class stands for rules of its own; only those that the document adds are written
        whole, inner = ready_text(shape), shape.inner
        assert isinstance(inner, StrShape)  # noqa: S101  documents know no others
        rules: list[Expression] = []
        if (inner.min_length, inner.max_length) != (whole.min_length, whole.max_length):
            rules += self._lengths(inner.min_length, inner.max_length)
        rules += map(self._pattern, inner.patterns[len(whole.patterns) :])
        return self._limited(own_name(shape, self._context), rules, more)

    def _limited(
        self, bare: Expression, rules: list[Expression], more: tuple[Expression, ...]
    ) -> Expression:
        if self._plain or not (rules or more):
            return bare
        self._annotated = f"{self._typing('Annotated')}["
        annotated = Bracket(self._annotated, (bare, *rules, *more), "]")
        if isinstance(bare, str):
            return self._hoisted(annotated)
        return annotated

    def _hoisted(self, type_: Expression) -> Expression:
        """The *type_*, or another name for it if it has quotes and stands in a text."""
        text = flat(type_)
        if self._hoist is None or not ('"' in text or "'" in text):
            return type_
        return self._hoist(type_)

    def _limits(self, bounds: Bounds, write: Callable[[Any], Expression]) -> list[Expression]:
        if self._plain:
            return []
        limits = {"Ge": bounds.ge, "Gt": bounds.gt, "Le": bounds.le, "Lt": bounds.lt}
        limits["MultipleOf"] = bounds.multiple_of
        rules: list[Expression] = []
        for name, limit in limits.items():
            if limit is not None:
                rules.append(Bracket(f"{self._metadata(name)}(", (write(limit),), ")"))
        return rules

    def _lengths(self, low: int | None, high: int | None) -> list[Expression]:
        if self._plain:
            return []
        if low and high is not None:
            return [f"{self._metadata('Len')}({low}, {high})"]
        if low:
            return [f"{self._metadata('MinLen')}({low})"]
        if high is not None:
            return [f"{self._metadata('MaxLen')}({high})"]
        return []

    def _pattern(self, regex: str) -> Expression:
        if self._plain:
            return ""
        return Bracket(f"{self._context.use(CLIENT, 'Pattern')}(", (quoted(regex),), ")")

    def _metadata(self, name: str) -> str:
        return self._context.use("annotated_types", name)

    def _typing(self, name: str) -> str:
        return self._context.use("typing", name)
