from collections import deque
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from pydantic_core import SchemaValidator, ValidationError, core_schema

from contract.pred.report import DEAF, INVALID, Report
from contract.pred.scalars import integer_key_loader
from contract.pred.steps import (
    default_of,
    gather,
    is_constant,
    keyed,
    post_init,
    record_maker,
    refiner,
    tuple_maker,
)
from contract.shape.exceptions import InvalidInput
from contract.shape.issues import issue
from contract.shape.nodes import (
    MISSING,
    DecimalShape,
    Field,
    IntShape,
    NamedTupleShape,
    RecordShape,
    StrShape,
)
from contract.shape.reader import shape_of


class Pair(NamedTuple):
    left: int
    right: list[int]


def foreign() -> Any:
    """What an author's own use of pydantic raises."""
    return SchemaValidator(core_schema.int_schema()).validate_python("x")


@dataclass
class Guarded:
    outcome: str

    def __post_init__(self) -> None:
        match self.outcome:
            case "value":
                raise ValueError(self.outcome)
            case "assertion":
                raise AssertionError(self.outcome)
            case "foreign":
                foreign()
            case "bug":
                raise KeyError(self.outcome)
            case _:
                pass


def refuse(outcome: str) -> bool:
    Guarded(outcome)
    return outcome == "good"


def bare(outcome: str) -> Guarded:
    instance = object.__new__(Guarded)
    instance.outcome = outcome
    return instance


STEPS = [
    (
        record_maker(RecordShape("dataclass", Guarded, ())),
        lambda outcome: {"outcome": outcome},
        "invalid_value",
    ),
    (tuple_maker(NamedTupleShape(Guarded, ())), lambda outcome: (outcome,), "invalid_value"),
    (post_init, bare, "invalid_value"),
    (refiner(StrShape(), [bool, refuse]), str, "predicate"),
]


@pytest.mark.parametrize(("step", "given", "code"), STEPS)
def test_what_the_author_refuses_is_refused(step: Any, given: Any, code: str) -> None:
    """Whatever else the author raises is raised."""
    for outcome in ("value", "assertion"):
        report = Report()

        assert step(given(outcome), report) is INVALID
        assert [found.code for found in report.issues()] == [code]
    with pytest.raises(KeyError):
        step(given("bug"), Report())
    with pytest.raises(ValidationError):
        step(given("foreign"), Report())
    assert step(given("good"), Report()) in (Guarded("good"), "good")


def test_a_falsy_answer_of_a_predicate_refuses() -> None:
    report = Report()

    assert refiner(StrShape(), [refuse])("other", report) is INVALID
    assert [found.code for found in report.issues()] == ["predicate"]


@pytest.mark.parametrize(
    ("container", "item", "gathered"),
    [
        ("tuple", IntShape(), (1, 2)),
        ("set", IntShape(), {1, 2}),
        ("deque", IntShape(), deque([1, 2])),
        ("frozenset", DecimalShape(), frozenset({1, 2})),
    ],
)
def test_arrays_become_their_containers(container: Any, item: Any, gathered: Any) -> None:
    step = gather(container, item)
    assert step is not None

    assert step([1, 2], DEAF) == gathered
    assert gather("list", IntShape()) is gather("sequence", IntShape()) is None


def test_sets_refuse_equal_items_and_equal_hashes() -> None:
    unsafe, safe, report = gather("set", DecimalShape()), gather("set", IntShape()), Report()
    assert unsafe is not None
    assert safe is not None
    ints = [index * (2**61 - 1) for index in range(20)]

    assert unsafe(ints, report) is INVALID
    assert safe(ints, report) == set(ints)
    assert safe([1, 1], report) is INVALID
    assert [found.code for found in report.issues()] == ["equal_hashes", "not_unique"]


def field(**options: Any) -> Field:
    return Field("name", "name", IntShape(), **options)


def test_a_field_without_default_has_none() -> None:
    assert default_of(field()) is None
    assert not is_constant(field())
    assert field().default is MISSING


def test_constants_are_shared_and_mutable_defaults_are_not() -> None:
    constant, mutable = default_of(field(default=(1,))), default_of(field(default=[[1]]))
    assert constant is not None
    assert mutable is not None

    assert is_constant(field(default=(1,)))
    assert constant() is constant()
    assert not is_constant(field(default=[[1]]))
    assert mutable() == [[1]]
    assert mutable()[0] is not mutable()[0]


def test_a_default_that_cannot_be_copied_is_shared() -> None:
    view = {"a": 1}.keys()
    shared = default_of(field(default=view))
    assert shared is not None

    assert not is_constant(field(default=view))
    assert shared() is view


def test_sets_of_what_is_compared_by_identity_are_told_apart_by_their_json() -> None:
    @dataclass(eq=False)
    class Apart:
        value: int

    united, report = gather("set", shape_of(Apart)), Report()
    assert united is not None
    one, same, other = Apart(1), Apart(1), Apart(2)
    odd: list[Any] = [Apart("x"), Apart("x")]  # type: ignore[arg-type]

    assert united([one, other], report) == {one, other}
    assert united(odd, report) == {*odd}  # they have no JSON, which is told when they are written
    assert united([one, same], report) is INVALID
    assert [found.code for found in report.issues()] == ["not_unique"]


def test_what_a_factory_raises_does_not_pass_for_a_refusal() -> None:
    def refuse_input() -> int:
        raise InvalidInput((issue("missing"),))

    def refuse_value() -> int:
        raise ValueError

    made, misleading, failing = (
        default_of(field(default_factory=each)) for each in (int, refuse_input, refuse_value)
    )
    assert made is not None
    assert misleading is not None
    assert failing is not None

    assert made() == 0
    with pytest.raises(RuntimeError, match="a default factory raised InvalidInput"):
        misleading()
    with pytest.raises(ValueError, match=r"^$"):
        failing()


def test_keys_are_read_from_their_texts() -> None:
    numbers = keyed(integer_key_loader(IntShape()), safe=True)
    ids = keyed(lambda text, _: UUID(text), safe=False)
    one = "00000000-0000-0000-0000-00000000000a"

    assert numbers({"1": "a", "2": "b"}, Report()) == {1: "a", 2: "b"}
    assert numbers({"1": "a", "x": "b"}, Report()) is INVALID
    assert ids({one: 1}, Report()) == {UUID(one): 1}
    assert ids({one: 1, one.upper(): 2}, Report()) is INVALID
    assert ids({str(UUID(int=index * (2**61 - 1))): 0 for index in range(17)}, Report()) is INVALID
