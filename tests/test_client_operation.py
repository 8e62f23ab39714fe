from __future__ import annotations

import pytest

from contract.client import Operation, RouteSchemas, Schema
from tests.client_example import NotFound, SoldOut

NOTHING = RouteSchemas(input=Schema(None), output=Schema(None))


def test_an_operation_knows_its_failures_by_their_codes() -> None:
    operation: Operation[None, None, NotFound | SoldOut] = Operation(
        "a.b-c_1", effect="read", schemas=NOTHING, failures=(NotFound, SoldOut)
    )

    assert [*operation.failures] == ["NOT_FOUND", "SOLD_OUT"]
    assert (operation.name, operation.effect, operation.schemas) == ("a.b-c_1", "read", NOTHING)
    assert repr(operation) == "Operation('a.b-c_1')"


@pytest.mark.parametrize(
    "name", ["", "..", ".a", "a/b", "a?b", "a#b", "a b", "a%2fb", "1a", "é", "a\n"]
)
def test_a_name_that_would_change_the_url_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is no name of a route"):
        Operation(name, effect="read", schemas=NOTHING)
