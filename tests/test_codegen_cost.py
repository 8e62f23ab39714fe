"""What a large contract costs: eight times as much of it takes about eight times as long to read, to write and to mock."""

from collections.abc import Callable

import pytest

from contract.codegen.model import AliasDeclaration, ArrayType, IntType, NamedType, Package
from contract.codegen.python import python_client
from contract.codegen.python.walk import recursive_aliases
from contract.codegen.typescript import typescript_client
from contract.testing.mock.shapes import Shapes
from contract.testing.mock.values import Values
from tests.growth import growth
from tests.hostile_package import field, operation, package, record


def routes(count: int) -> Package:
    """Routes, each with a record of its own."""
    records = [record(f"R{index}", field("a", IntType())) for index in range(count)]
    calls = [
        operation(f"r{index}", NamedType(f"R{index}"), NamedType(f"R{index}"))
        for index in range(count)
    ]
    return package(*records, operations=calls)


def records(count: int) -> Package:
    """Records, each of which needs the next one."""
    chain = [record(f"R{index}", field("a", NamedType(f"R{index + 1}"))) for index in range(count)]
    return package(*chain, record(f"R{count}", field("a", IntType())))


def aliases(count: int) -> Package:
    """Aliases, each of lists of the next one."""
    chain = [
        AliasDeclaration(name=f"A{index}", type=ArrayType(NamedType(f"A{index + 1}")))
        for index in range(count)
    ]
    return package(*chain, AliasDeclaration(name=f"A{count}", type=IntType()))


def circles(of: Package) -> object:
    """The aliases that hold themselves."""
    return recursive_aliases(of, of.declarations)


@pytest.mark.parametrize(
    ("run", "made", "count"),
    [
        (python_client, routes, 200),
        (typescript_client, routes, 200),
        (Values, records, 1_000),
        (circles, aliases, 1_000),
        (Shapes, aliases, 150),
    ],
    ids=["python", "typescript", "the heights of values", "recursive aliases", "shapes"],
)
def test_eight_times_as_much_takes_about_eight_times_as_long(
    run: Callable[[Package], object], made: Callable[[int], Package], count: int
) -> None:
    assert growth(run, made(count), made(8 * count)) < 24
