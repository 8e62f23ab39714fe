"""Types of one's own: read, refused, loaded and written."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Annotated, Any, Generic, Literal, Protocol, Self, TypeVar

import pytest
from annotated_types import Ge, Len, Predicate
from hypothesis import given, settings
from pydantic_core import ValidationError
from pydantic_core.core_schema import int_schema
from typing_extensions import Doc

from contract import InvalidInput, InvalidOutput, Issue, Name, Wire, pred_of, wire_str
from contract.cli.routes import title
from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.graph import is_compared_by_identity, is_hashable
from contract.shape.names import label
from contract.shape.nodes import IntShape, OwnShape, StrShape
from contract.shape.reader import shape_of
from contract.testing import documents, near_misses, strategy
from contract.testing.overrides import Marking, overridden
from contract.testing.samples import sample
from contract.testing.valid_values import Pairs
from tests.oracle import schema_of
from tests.samples import Amount, Cents, Invoice, Isbn, Price, cents, known, price
from tests.tables import rows

T = TypeVar("T")


class Plain:
    """Compared by its identity."""

    def __init__(self, text: str) -> None:
        self.text = text

    @classmethod
    def read(cls, text: str) -> Self:
        return cls(text)


def text_of(value: Plain) -> str:
    return value.text


plain: Wire[Plain] = Wire[Plain](as_=str, load=Plain.read, dump=text_of, max_length=5)


class Unhashable(Plain):
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unhashable) and other.text == self.text

    __hash__ = None  # type: ignore[assignment]


unhashable = Wire[Unhashable](as_=str, load=Unhashable, dump=text_of)


def wired(load: Any, dump: Any = text_of, as_: Any = str, **rest: Any) -> Any:
    """`Plain`, with these functions; what a type checker would refuse is tried here, too."""
    return Annotated[Plain, Wire[Plain](as_=as_, load=load, dump=dump, **rest)]


def refused(annotation: Any) -> str:
    """What is said of *annotation*, which is refused."""
    with pytest.raises(UnsupportedAnnotation, match=r"^here: ") as info:
        shape_of(annotation, where="here")
    return str(info.value).removeprefix("here: ")


# What is read.


def test_a_wire_makes_a_shape() -> None:
    text = StrShape(patterns=(r"^(0|[1-9][0-9]{0,9})\.[0-9]{2} (EUR|USD)$",))
    assert shape_of(Amount) == OwnShape(text, Price, Price.parse, str, ("12.50 EUR",))


def test_a_wire_may_stand_for_an_integer_with_limits() -> None:
    shape: Any = shape_of(Annotated[Cents, cents])

    assert (type(shape), shape.inner) == (OwnShape, IntShape(0, 1_000))


def test_a_decorated_class_is_its_own_annotation() -> None:
    text, functions = "^97[89]-[0-9]{10}$", (Isbn.__from_wire__, Isbn.__to_wire__)
    made = OwnShape(StrShape(patterns=(text,)), Isbn, *functions, ("978-0000000002",))
    assert shape_of(Isbn) == made


@wire_str(min_length=1)
class Id(Generic[T]):
    def __init__(self, text: str) -> None:
        self.text = text

    @classmethod
    def __from_wire__(cls, text: str, /) -> Self:
        return cls(text)

    def __to_wire__(self) -> str:
        return self.text


def test_a_decorated_class_may_be_generic() -> None:
    assert shape_of(Id[Price]) == shape_of(Id)


def test_a_generic_class_of_others_may_be_told() -> None:
    written = Wire[re.Pattern[str]](as_=str, load=re.compile, dump=lambda each: each.pattern)
    pred = pred_of(Annotated[re.Pattern[str], written])

    assert pred.load(b'"a+"') == re.compile("a+")
    assert pred.dump(re.compile("a+")) == b'"a+"'


@dataclass
class Noted:
    first: Annotated[Price, Doc("A price."), price, Name("@first")]
    second: Annotated[Annotated[Price, price], Doc("Another.")] | None
    third: "Annotated[Price, price]"  # noqa: UP037  as text


def test_notes_may_stand_around_a_wire() -> None:
    schema = schema_of(shape_of(Noted), "input")
    fields = schema["$defs"]["Noted"]["properties"]

    assert fields["@first"]["description"] == "A price."
    assert fields["second"]["description"] == "Another."
    assert fields["@first"]["examples"] == fields["second"]["examples"] == ["12.50 EUR"]
    assert fields["third"]["pattern"] == fields["@first"]["pattern"]


def test_an_example_of_the_field_stands_before_those_of_its_type() -> None:
    schema = schema_of(shape_of(Invoice), "output")
    assert schema["$defs"]["Invoice"]["properties"]["total"]["examples"] == ["12.50 EUR"]


def test_predicates_ask_for_the_value() -> None:
    cheap = Annotated[Price, price, Predicate(lambda each: each.cents < 100)]
    pred = pred_of(cheap)

    assert pred.load(b'"0.99 EUR"') == Price(99, "EUR")
    with pytest.raises(InvalidInput, match="condition of this field"):
        pred.load(b'"1.00 EUR"')


# What is refused of a declaration.


nameless: Any = Wire(as_=str, load=Price.parse, dump=str)
quoted: Any = Wire["Price"](as_=str, load=Price.parse, dump=str)
literal: Any = Wire[Literal["a"]](as_=str, load=str, dump=str)  # type: ignore[arg-type]
LITERAL = "Literal['a'] is not a class; write one: Wire[Money](...) beside Money"
A_CLASS = "Wire is a class; write Wire[Price](as_=str, load=..., dump=...)"
NO_CLASS = "Wire(...) does not say which class it is of; write Wire[Price](...)"


@rows(
    "annotation, problem",
    (Annotated[Price, nameless], NO_CLASS),
    (Annotated[Price, quoted], NO_CLASS),
    (Annotated[Price, Wire], A_CLASS),
    (Annotated[Price, Wire[Price]], A_CLASS),
    *(
        (Annotated[cls, price], f"Wire[Price](...) is beside {name}; write it beside Price alone")
        for cls, name in ((Price | None, "Price | None"), (Isbn, "Isbn"))
    ),
    (Annotated[Price, price, known], "2 Wire(...) are beside Price; write one"),
    (Annotated[Literal["a"], literal], LITERAL),
)
def test_a_wire_stands_beside_its_class_alone(annotation: Any, problem: str) -> None:
    assert refused(annotation) == problem


def test_a_wire_in_a_field_is_refused_alike() -> None:
    @dataclass
    class Order:
        price: Annotated[Price, Wire]

    with pytest.raises(UnsupportedAnnotation, match=r"^here\.price: Wire is a class"):
        shape_of(Order, where="here")


@rows(
    "as_, options",
    (float, {}),
    (bool, {}),
    (str, {"ge": 1}),
    (int, {"pattern": "a"}),
    (int, {"max_length": 3}),
)
def test_a_form_that_is_none_is_refused(as_: type, options: dict[str, Any]) -> None:
    assert "write as_=str with pattern=" in refused(wired(Plain, as_=as_, **options))


def test_limits_are_checked_like_constraints() -> None:
    assert refused(wired(Plain, pattern="(?=a)")).startswith("Wire[Plain]: Pattern('(?=a)'): ")
    long, large = {"min_length": 3, "max_length": 2}, {"as_": int, "ge": 3, "le": 2}
    assert "a length of at least 3 and of at most 2" in refused(wired(Plain, **long))
    assert "at least 3 and at most 2" in refused(wired(Plain, int, **large))


@pytest.mark.parametrize("limit", [Len(1, 2), Ge(1)])
def test_constraints_beside_a_wire_are_refused(limit: Any) -> None:
    assert "Price takes no " in refused(Annotated[Price, price, limit])


def two(text: str, more: str) -> Plain:
    return Plain(text + more)


def named(text: str, *, more: str) -> Plain:
    return Plain(text + more)


def nothing() -> Plain:
    return Plain("")


def lost(text: str) -> None:
    raise AssertionError(text)


def maybe(text: str) -> Plain | None:
    return Plain(text) if text else None


def of_bytes(data: bytes) -> Plain:
    return Plain(str(data))


def anything(value: Any) -> Any:
    return Plain(value)


def many(texts: Sequence[str], *rest: int) -> "Plain":  # noqa: UP037  as text
    return Plain(str(texts) + str(rest))


def unresolved(text: "Nobody") -> "Nobody":  # type: ignore[name-defined]  # noqa: F821, UP037
    return Plain(text)


def told(text: Annotated[str, "notes"]) -> Annotated[Plain, "notes"]:
    return Plain(text)


class Named(Protocol):
    name: str


def of_protocol(text: Named) -> Plain:
    return Plain(text.name)


def hinted(text: T) -> T:
    return text


async def later(text: str) -> Plain:
    return Plain(text)


def numbered(value: Plain) -> int:
    return len(value.text)


def of_price(value: Price) -> str:
    return str(value)


@rows(
    "annotation, problem",
    (wired(two), "load does not take one argument"),
    (wired(named), "load does not take one argument"),
    (wired(nothing), "load does not take one argument"),
    (wired(None), "load is None, which cannot be called"),
    (wired(later), "load is async"),
    (wired(maybe), "load may give None; give Plain alone"),
    (wired(lost), "load may give None; give Plain alone"),
    (wired(of_bytes), "load takes bytes, and is given str; take that"),
    (wired(Plain, numbered), "dump may give int; give str alone"),
    (wired(Plain, of_price), "dump takes Price, and is given Plain; take that"),
)
def test_functions_are_held_against_the_form(annotation: Any, problem: str) -> None:
    assert refused(annotation).startswith(f"Wire[Plain]: {problem}")


VAGUE = [Plain, Plain.read, anything, many, unresolved, told, of_protocol, hinted]


@pytest.mark.parametrize("load", [*VAGUE, partial(two, more="")])
def test_functions_may_say_little_of_themselves(load: Any) -> None:
    assert isinstance(shape_of(wired(load)), OwnShape)


def test_a_function_of_floats_takes_integers() -> None:
    def of_float(number: float) -> Cents:
        return Cents(int(number))

    def number_of(value: Cents) -> int:
        return value.number

    wire = Wire[Cents](as_=int, load=of_float, dump=number_of)
    assert isinstance(shape_of(Annotated[Cents, wire]), OwnShape)


def refusing(text: str) -> Plain:
    raise ValueError(text)


def wrong(text: str) -> Any:
    return text


def loud(value: Plain) -> str:
    return value.text.upper()


@rows(
    "annotation, problem",
    (wired(Plain, pattern="^b", examples=["a"]), "'a' is not what as_="),
    (wired(Plain, min_length=2, examples=["a"]), "'a' is not what as_="),
    (wired(Plain, max_length=0, examples=["a"]), "'a' is not what as_="),
    (wired(Plain, examples=[1]), "1 is not what as_="),
    (wired(refusing, examples=["a"]), "load refuses its example 'a' (ValueError('a'))"),
    (wired(wrong, examples=["a"]), "load makes 'a' of its example 'a', which is not a Plain"),
    (wired(Plain, loud, examples=["a"]), "its example 'a' comes back as 'A'"),
)
def test_examples_come_through_both_functions(annotation: Any, problem: str) -> None:
    assert problem in refused(annotation)


def test_examples_of_integers_are_within_the_limits() -> None:
    wire = Wire[Cents](as_=int, load=Cents, dump=lambda each: each.number, ge=2, examples=[1])
    assert "1 is not what as_=" in refused(Annotated[Cents, wire])


class Below(Isbn): ...


@wire_str()
class Half:  # type: ignore[type-var]
    @classmethod
    def __from_wire__(cls, text: str, /) -> Self:
        raise ValueError(text)


def test_a_decorated_class_has_both_methods_and_those_below_are_decorated_too() -> None:
    text = "a base class of Below is a text on the wire; decorate Below with @wire_str(...) too"
    assert refused(Below) == text
    text = "@wire_str of Half: __to_wire__ is None, which cannot be called; write a function"
    assert refused(Half) == text


def test_what_shares_texts_cannot_be_told_apart() -> None:
    assert refused(Isbn | str).startswith("Isbn and str cannot be told apart")
    assert refused(Isbn | Amount).startswith("Isbn and Price cannot be told apart")


def test_sets_and_keys_need_a_hash() -> None:
    own = Annotated[Unhashable, unhashable]
    assert is_hashable(shape_of(Isbn))
    assert not is_hashable(shape_of(own))
    assert refused(set[own]).startswith("Unhashable cannot be hashed")
    assert "cannot be the key" in refused(dict[own, int])
    assert "cannot be the key" in refused(dict[Annotated[Cents, cents], int])


# Loading.


def issues(annotation: Any, document: bytes) -> tuple[Issue, ...]:
    with pytest.raises(InvalidInput) as info:
        pred_of(annotation).load(document)
    return info.value.issues


def test_the_author_may_refuse_in_words() -> None:
    picky = Annotated[Price, known]

    assert issues(list[picky], b'["1.00 EUR", "1.00 XXX", "0.01 EUR"]') == (
        Issue((1,), "invalid_value", "There is no currency XXX."),
        Issue((2,), "invalid_value", "There are no odd prices."),
    )


def in_words_of_invalid_input(text: str) -> Plain:
    raise InvalidInput((Issue((), "invalid_value", f"Not {text[:1]}."),))


def in_words_of_python(text: str) -> Plain:
    return Plain(str(int(text)))


@rows(
    "load, words",
    (in_words_of_python, "Is not a valid value."),
    (in_words_of_invalid_input, "Not s."),
)
def test_an_invalid_input_of_the_authors_is_shown_and_words_of_others_are_not(
    load: Any, words: str
) -> None:
    assert issues(wired(load), b'"secret"') == (Issue((), "invalid_value", words),)


def as_decimal(text: str) -> Plain:
    return Plain(str(Decimal(text)))


def validated(text: str) -> Plain:
    from pydantic_core import SchemaValidator

    return Plain(str(SchemaValidator(int_schema(strict=True)).validate_python(text)))


def keyed(text: str) -> Plain:
    raise KeyError(text)


@rows("load, error", (as_decimal, ArithmeticError), (keyed, KeyError), (validated, ValidationError))
def test_every_other_exception_is_a_mistake(load: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        pred_of(wired(load)).load(b'"a"')


def test_a_load_that_gives_another_class_is_a_mistake() -> None:
    with pytest.raises(TypeError, match=r"^the load of Plain gave a str$"):
        pred_of(wired(wrong)).load(b'"a"')


def test_the_pattern_is_asked_before_the_author() -> None:
    found = issues(wired(keyed, pattern="^b"), b'"a"')
    assert [issue.code for issue in found] == ["pattern"]


# Writing.


def test_a_value_of_another_class_is_refused() -> None:
    with pytest.raises(InvalidOutput, match=r"^total: expected Price, found str"):
        pred_of(Invoice).dump(Invoice("1.00 EUR", None, 1, []))  # type: ignore[arg-type]


def test_a_value_of_a_class_below_is_written() -> None:
    class Cheap(Price): ...

    assert pred_of(Amount).dump(Cheap(100, "EUR")) == b'"1.00 EUR"'


def quiet(value: Plain) -> str:
    raise ValueError(value.text)


@rows(
    "dump, problem",
    (loud, r"its dump does not fit: expected a match of the pattern '\^a'"),
    (quiet, "its dump raised ValueError"),
    (lambda value: value, "its dump does not fit: expected str, found Plain"),
)
def test_what_dump_gives_is_checked(dump: Any, problem: str) -> None:
    pred = pred_of(wired(Plain, dump, pattern="^a"))

    with pytest.raises(InvalidOutput, match=problem):
        pred.dump(Plain("abc"))


def test_an_int_is_checked_before_it_leaves() -> None:
    pred = pred_of(Annotated[Cents, cents])

    assert pred.dump(Cents(1_000)) == b"1000"
    with pytest.raises(InvalidOutput, match="does not fit: expected an int between 0 and 1000"):
        pred.dump(Cents(1_001))
    with pytest.raises(InvalidOutput, match="does not fit: expected int, found bool"):
        pred.dump(Cents(True))


def test_a_set_compared_by_identity_is_compared_as_it_is_written() -> None:
    several = shape_of(set[Annotated[Plain, plain]])
    pred = pred_of(set[Annotated[Plain, plain]])

    assert is_compared_by_identity(several)
    assert len(pred.load(b'["a", "b"]')) == 2
    assert json.loads(pred.dump({Plain("b"), Plain("a")})) == ["a", "b"]
    with pytest.raises(InvalidInput, match="equal items"):
        pred.load(b'["a", "a"]')
    with pytest.raises(InvalidOutput, match="equal in JSON"):
        pred.dump({Plain("a"), Plain("a")})


# The other projections.


def test_paper_knows_the_text_alone() -> None:
    assert schema_of(shape_of(Amount), "output") == {
        "$defs": {},
        "type": "string",
        "pattern": r"^(0|[1-9][0-9]{0,9})\.[0-9]{2} (EUR|USD)$",
    }


def test_an_own_type_has_a_name() -> None:
    shape = shape_of(list[Amount])
    assert (label(shape), title(shape)) == ("list_Price", "list[Price]")


def test_a_sample_is_an_example_or_one_of_the_text() -> None:
    assert sample(shape_of(Amount)) == '"12.50 EUR"'
    assert sample(shape_of(Annotated[Plain, plain])) == '"text"'


@given(strategy(Annotated[Price, known]), documents(shape_of(Annotated[Price, known])))
def test_drawn_values_are_those_that_the_author_takes(value: Any, document: Any) -> None:
    assert (value.currency, value.cents % 2) == ("EUR", 0)
    assert pred_of(Annotated[Price, known]).load(json.dumps(document).encode()).currency == "EUR"


def test_ends_are_drawn_of_the_wire() -> None:
    @given(Pairs(edges=True).of(shape_of(Annotated[Cents, cents])))
    def at_the_ends(pair: Any) -> None:
        assert pair.value.number in (0, 1_000)
        assert pair.document == pair.value.number

    at_the_ends()


def test_near_misses_are_of_the_wire_or_of_the_author() -> None:
    codes: set[str] = set()

    @settings(max_examples=50)
    @given(near_misses(shape_of(Annotated[Price, known])))
    def collect(miss: Any) -> None:
        codes.add(miss.code)

    collect()
    assert codes == {"string_type", "pattern", "invalid_value"}


def test_overrides_know_the_class() -> None:
    reader = Marking({Price: strategy(Amount)})
    shape = reader.read(Invoice, where="type")
    found = overridden("strategy", {Price: strategy(Amount)}, reader.marked, [shape])

    assert [*found.classes] == [Price]
