"""
Annotations: types of the model as Python writes them.

With their constraints they say all that the contract says, so that the shape which the runtime
reads from them is the server's own; `plain` ones, in the signatures of methods, are for readers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, assert_never, final

from contract.codegen.model import (
    AnyType,
    ArrayType,
    BoolType,
    BytesType,
    Container,
    FloatType,
    IntType,
    Limits,
    LiteralType,
    MapType,
    NamedType,
    NullableType,
    NullType,
    Scalar,
    StrType,
    TaggedType,
    TextKind,
    TextType,
    TupleType,
    Type,
    UnionType,
)
from contract.codegen.python.context import CLIENT, Context, Scope
from contract.codegen.python.layout import Bracket, Choice, Expression, flat, quoted
from contract.codegen.python.scalars import fixed_offset, time_zone, value_of
from contract.shape.exceptions import GenerationError

__all__ = ["Annotations", "literal"]

_KINDS: Final[dict[TextKind, tuple[str, str]]] = {
    "decimal": ("decimal", "Decimal"),
    "datetime": ("datetime", "datetime"),
    "date": ("datetime", "date"),
    "time": ("datetime", "time"),
    "timedelta": ("datetime", "timedelta"),
    "uuid": ("uuid", "UUID"),
    "int": ("builtins", "int"),
}
_I64_MIN: Final = -(2**63)
_I64_MAX: Final = 2**63 - 1


def literal(value: Scalar) -> str:
    """*value* of a Literal or an enum."""
    return quoted(value) if isinstance(value, str) else repr(value)


@final
class Annotations:
    """
    Writes types, in one scope.

    Args:
        scope: Where they stand.
        plain: Without constraints.
        early: Where the classes that they name may not be there yet when they are evaluated: those
            stand in quotes.
        hoist: In text, where nothing may be quoted: what gives another name to a type that is
            written with quotes.
    """

    __slots__ = ("_context", "_early", "_hoist", "_plain", "_scope")

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

    def of(self, type_: Type, *more: Expression) -> Expression:
        """*type_*, with *more* metadata."""
        match type_:
            case AnyType():
                bare: Expression = self._typing("Any")
            case NullType():
                bare = "None"
            case BoolType():
                bare = self._context.built_in("bool")
            case IntType(limits):
                return self._limited(self._context.built_in("int"), self._int_limits(limits), more)
            case FloatType(limits):
                return self._limited(
                    self._context.built_in("float"), self._limits(limits, repr), more
                )
            case StrType(low, high, patterns):
                rules = [*self._lengths(low, high), *(self._pattern(each) for each in patterns)]
                return self._limited(self._context.built_in("str"), rules, more)
            case BytesType(low, high):
                return self._limited(
                    self._context.built_in("bytes"), self._lengths(low, high), more
                )
            case TextType():
                return self._text(type_, more)
            case LiteralType(values):
                bare = self._hoisted(
                    Bracket(f"{self._typing('Literal')}[", tuple(map(literal, values)), "]")
                )
            case ArrayType(item, container, low, high):
                array = self._array(container, self.of(item))
                return self._limited(array, self._lengths(low, high), more)
            case TupleType(items):
                bare = Bracket(
                    f"{self._context.built_in('tuple')}[",
                    tuple(map(self.of, items)) or ("()",),
                    "]",
                )
            case MapType(key, value, low, high):
                held = Bracket(
                    f"{self._context.built_in('dict')}[", (self.of(key), self.of(value)), "]"
                )
                return self._limited(held, self._lengths(low, high), more)
            case NullableType(inner):
                bare = self.either(self.of(inner), "None")
            case UnionType(members):
                bare = self.either(*map(self.of, members))
            case TaggedType(_, cases):
                bare = self.either(*dict.fromkeys(self._named(record) for _, record in cases))
            case NamedType():
                bare = self._named(type_)
            case _:
                assert_never(type_)
        return self._limited(bare, [], more)

    def either(self, *members: Expression) -> Expression:
        """A union; unions among its members are taken apart, and None comes last."""
        apart = [
            part
            for each in members
            for part in (each.members if isinstance(each, Choice) else (each,))
        ]
        flat_: tuple[Expression, ...] = (
            *(part for part in apart if part != "None"),
            *(["None"] if "None" in apart else []),
        )
        if len(flat_) == 1:
            return flat_[0]
        if self._early:
            return Bracket(f"{self._typing('Union')}[", flat_, "]")
        return Choice(flat_, lambda: self._typing("Union"))

    def _named(self, type_: NamedType) -> str:
        name = self._scope.type(type_.name)
        return f'"{name}"' if self._early else name

    def _array(self, container: Container, item: Expression) -> Bracket:
        return Bracket(
            f"{self._context.built_in(container)}[",
            (item, "...") if container == "tuple" else (item,),
            "]",
        )

    def _text(self, type_: TextType, more: tuple[Expression, ...]) -> Expression:
        module, name = _KINDS[type_.kind]
        bare = (
            self._context.built_in(name)
            if module == "builtins"
            else self._context.use(module, name)
        )
        if self._plain:
            return bare
        if type_.kind == "int":
            return self._limited(bare, self._int_limits(type_.limits), more)
        rules = self._limits(type_.limits, lambda text: self._value(type_.kind, text))
        zone = None
        if type_.kind == "datetime":
            zone = next(
                (
                    zone
                    for each in type_.patterns[1:]
                    if (zone := fixed_offset(each, self._context)) is not None
                ),
                None,
            )
        elif type_.kind == "time":
            zone = time_zone(type_.patterns[0])
        if zone is not None:
            rules.append(Bracket(f"{self._metadata('Timezone')}(", (zone,), ")"))
        return self._limited(bare, rules, more)

    def _value(self, kind: TextKind, limit: object) -> Expression:
        try:
            return value_of(kind, str(limit), self._context)
        except (ValueError, ArithmeticError):
            raise GenerationError("$.$defs", f"{limit!r} is no limit of a {kind}") from None

    def _limited(
        self, bare: Expression, rules: list[Expression], more: tuple[Expression, ...]
    ) -> Expression:
        if self._plain or not (rules or more):
            return bare
        annotated = Bracket(f"{self._typing('Annotated')}[", (bare, *rules, *more), "]")
        return self._hoisted(annotated) if isinstance(bare, str) else annotated

    def _hoisted(self, type_: Expression) -> Expression:
        text = flat(type_)
        return (
            self._hoist(type_)
            if self._hoist is not None and ('"' in text or "'" in text)
            else type_
        )

    def _int_limits(self, limits: Limits) -> list[Expression]:
        low = None if limits.ge == _I64_MIN else limits.ge
        high = None if limits.le == _I64_MAX else limits.le
        return self._limits(Limits(low, limits.gt, high, limits.lt, limits.multiple_of), repr)

    def _limits(self, limits: Limits, write: Callable[[object], Expression]) -> list[Expression]:
        if self._plain:
            return []
        given = (
            ("Ge", limits.ge),
            ("Gt", limits.gt),
            ("Le", limits.le),
            ("Lt", limits.lt),
            ("MultipleOf", limits.multiple_of),
        )
        return [
            Bracket(f"{self._metadata(name)}(", (write(limit),), ")")
            for name, limit in given
            if limit is not None
        ]

    def _lengths(self, low: int | None, high: int | None) -> list[Expression]:
        if self._plain:
            return []
        if low and high is not None:
            return [f"{self._metadata('Len')}({low}, {high})"]
        if low:
            return [f"{self._metadata('MinLen')}({low})"]
        return [] if high is None else [f"{self._metadata('MaxLen')}({high})"]

    def _pattern(self, regex: str) -> Expression:
        return (
            ""
            if self._plain
            else Bracket(f"{self._context.use(CLIENT, 'Pattern')}(", (quoted(regex),), ")")
        )

    def _metadata(self, name: str) -> str:
        return self._context.use("annotated_types", name)

    def _typing(self, name: str) -> str:
        return self._context.use("typing", name)
