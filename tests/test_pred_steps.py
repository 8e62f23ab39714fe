from collections import deque
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from pydantic_core import ValidationError

from contract.pred import steps
from contract.pred.report import DEAF, INVALID, Report
from contract.pred.scalars import integer_key_loader
from contract.shape import nodes
from contract.shape.exceptions import InvalidInput
from contract.shape.issues import issue
from contract.shape.reader import shape_of
from tests.samples import ends_in
from tests.tables import rows


class Pair(NamedTuple):
    left: int
    right: list[int]


@dataclass
class Guarded:
    outcome: str

    def __post_init__(self) -> None:
        ends_in(self.outcome)


def refuse(outcome: str) -> bool:
    Guarded(outcome)
    return outcome == "good"


def bare(outcome: str) -> Guarded:
    instance = object.__new__(Guarded)
    instance.outcome = outcome
    return instance


GUARDED = nodes.RecordShape("dataclass", Guarded, ())
STEPS = [
    (steps.record_maker(GUARDED), lambda outcome: {"outcome": outcome}, "invalid_value"),
    (
        steps.tuple_maker(nodes.NamedTupleShape(Guarded, ())),
        lambda outcome: (outcome,),
        "invalid_value",
    ),
    (steps.post_init, bare, "invalid_value"),
    (steps.refiner(nodes.StrShape(), [bool, refuse]), str, "predicate"),
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

    assert steps.refiner(nodes.StrShape(), [refuse])("other", report) is INVALID
    assert [found.code for found in report.issues()] == ["predicate"]


@rows(
    "container, item, gathered",
    ("tuple", nodes.IntShape(), (1, 2)),
    ("set", nodes.IntShape(), {1, 2}),
    ("deque", nodes.IntShape(), deque([1, 2])),
    ("frozenset", nodes.DecimalShape(), frozenset({1, 2})),
)
def test_arrays_become_their_containers(container: Any, item: Any, gathered: Any) -> None:
    step: Any = steps.gather(container, item)

    assert step([1, 2], DEAF) == gathered
    assert (
        steps.gather("list", nodes.IntShape()) is steps.gather("sequence", nodes.IntShape()) is None
    )


def test_sets_refuse_equal_items_and_equal_hashes() -> None:
    unsafe: Any = steps.gather("set", nodes.DecimalShape())
    safe: Any = steps.gather("set", nodes.IntShape())
    report = Report()
    ints = [index * (2**61 - 1) for index in range(20)]

    assert unsafe(ints, report) is INVALID
    assert safe(ints, report) == set(ints)
    assert safe([1, 1], report) is INVALID
    assert [found.code for found in report.issues()] == ["equal_hashes", "not_unique"]


def field(**options: Any) -> nodes.Field:
    return nodes.Field("name", "name", nodes.IntShape(), **options)


def test_a_field_without_default_has_none() -> None:
    assert steps.default_of(field()) is None
    assert not steps.is_constant(field())
    assert field().default is nodes.MISSING


def test_constants_are_shared_and_mutable_defaults_are_not() -> None:
    constant: Any = steps.default_of(field(default=(1,)))
    mutable: Any = steps.default_of(field(default=[[1]]))

    assert steps.is_constant(field(default=(1,)))
    assert constant() is constant()
    assert not steps.is_constant(field(default=[[1]]))
    assert mutable() == [[1]]
    assert mutable()[0] is not mutable()[0]


def test_a_default_that_cannot_be_copied_is_shared() -> None:
    view = {"a": 1}.keys()
    shared: Any = steps.default_of(field(default=view))

    assert not steps.is_constant(field(default=view))
    assert shared() is view


def test_sets_of_what_is_compared_by_identity_are_told_apart_by_their_json() -> None:
    @dataclass(eq=False)
    class Apart:
        value: int

    united: Any = steps.gather("set", shape_of(Apart))
    report = Report()
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

    factories = (int, refuse_input, refuse_value)
    defaults: list[Any] = [steps.default_of(field(default_factory=each)) for each in factories]
    made, misleading, failing = defaults

    assert made() == 0
    with pytest.raises(RuntimeError, match="a default factory raised InvalidInput"):
        misleading()
    with pytest.raises(ValueError, match=r"^$"):
        failing()


def test_keys_are_read_from_their_texts() -> None:
    numbers = steps.keyed(integer_key_loader(nodes.IntShape()), safe=True)
    ids = steps.keyed(lambda text, _: UUID(text), safe=False)
    one = "00000000-0000-0000-0000-00000000000a"

    assert numbers({"1": "a", "2": "b"}, Report()) == {1: "a", 2: "b"}
    assert numbers({"1": "a", "x": "b"}, Report()) is INVALID
    assert ids({one: 1}, Report()) == {UUID(one): 1}
    assert ids({one: 1, one.upper(): 2}, Report()) is INVALID
    assert ids({str(UUID(int=index * (2**61 - 1))): 0 for index in range(17)}, Report()) is INVALID
