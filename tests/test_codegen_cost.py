"""What a large contract costs: eight times as much of it takes about eight times as long to read, to write and to mock."""

from collections.abc import Callable
from functools import partial

import pytest

from contract.codegen.package import Package
from contract.codegen.python import python_client
from contract.codegen.python.naming import reach_of
from contract.codegen.typescript import typescript_client
from contract.shape.graph import recursive_aliases
from contract.shape.nodes import ArrayShape, IntShape
from contract.testing.mock import MockService
from contract.testing.mock_classes import Classes
from contract.testing.mock_spec import example
from contract.testing.mock_values import Values
from tests.growth import growth
from tests.paper import alias, failure, field, named, operation, package, record


def routes(count: int) -> Package:
    """Routes with a token, each with a record of its own."""
    records = [record(f"R{index}", field("a", IntShape())) for index in range(count)]
    calls = [
        operation(f"r{index}", named(f"R{index}"), named(f"R{index}"), auth="bearer")
        for index in range(count)
    ]
    return package(*records, operations=calls)


def records(count: int) -> Package:
    """Records, each of which needs the next one."""
    chain = [record(f"R{index}", field("a", named(f"R{index + 1}"))) for index in range(count)]
    return package(*chain, record(f"R{count}", field("a", IntShape())))


def aliases(count: int) -> Package:
    """Aliases, each of lists of the next one."""
    chain = [alias(f"A{index}", ArrayShape(named(f"A{index + 1}"))) for index in range(count)]
    return package(*chain, alias(f"A{count}", IntShape()))


def empty_lines(count: int) -> Package:
    """A record whose description begins with many empty lines."""
    described = record("A", field("a", IntShape()), description="\n" * count + "An a.")
    return package(described, operations=[operation("a", named("A"), named("A"))])


def failures(count: int) -> Package:
    """A route with failures, each of which has a record of its own."""
    codes = [f"F{index}" for index in range(count)]
    return package(
        *(record(code, field("a", IntShape())) for code in codes),
        operations=[operation("a", failures=codes)],
        failures=[failure(code, data=code) for code in codes],
    )


def circles(of: Package) -> object:
    """The aliases that hold themselves."""
    return recursive_aliases(of.definitions.values())


COSTS = {
    "python": (python_client, routes, 200),
    "typescript": (typescript_client, routes, 200),
    "the heights of values": (Values, records, 1_000),
    "recursive aliases": (circles, aliases, 1_000),
    "classes": (Classes, aliases, 150),
    "empty lines": (python_client, empty_lines, 20_000),
    "failures": (partial(reach_of, clients=True), failures, 2_000),
}


@pytest.mark.parametrize(("run", "made", "count"), COSTS.values(), ids=COSTS)
def test_eight_times_as_much_takes_about_eight_times_as_long(
    run: Callable[[Package], object], made: Callable[[int], Package], count: int
) -> None:
    assert growth(run, made(count), made(8 * count)) < 24


def sharing(count: int) -> Package:
    """Routes that share ten failures."""
    shared = [f"F{index}" for index in range(10)]
    return package(
        *(record(code, field("a", IntShape())) for code in shared),
        operations=[operation(f"r{index}", failures=shared) for index in range(count)],
        failures=[failure(code, data=code) for code in shared],
    )


def test_a_mock_compiles_a_failure_once_for_all_routes() -> None:
    assert growth(MockService, sharing(1), sharing(40)) < 5


def test_an_example_of_one_input_needs_no_types_of_other_routes() -> None:
    assert growth(partial(example, name="r0"), routes(40), routes(400)) < 3
