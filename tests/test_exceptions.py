from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from contract import NotOpened
from contract.client import CallError, CallFailed, TransportError
from contract.shape import exceptions
from contract.shape.issues import Issue
from tests.tables import rows

PLACED = (
    exceptions.DeclarationError, exceptions.UnsupportedAnnotation,
    exceptions.FailureDeclarationError, exceptions.RouteDeclarationError, exceptions.SpecError,
    exceptions.MountError, exceptions.DocumentError, exceptions.GenerationError,
)  # fmt: skip
EXCEPTIONS: list[exceptions.ContractException] = [
    *(each("a.b", "is wrong") for each in PLACED),
    exceptions.InvalidInput(
        (Issue(("a", 0), "missing", "This field is required."),), truncated=True
    ),
    exceptions.InvalidOutput(("a", 0), "expected int, got str"),
    TransportError("tls", "not trusted"),
    CallFailed(CallError("UNAUTHORIZED", 401)),
    NotOpened("pool", OSError("refused")),
]


@rows("copied", copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error)))
@pytest.mark.parametrize("error", EXCEPTIONS, ids=lambda error: type(error).__name__)
def test_an_exception_is_copied_with_all_that_it_says(
    error: exceptions.ContractException, copied: Callable[[Any], Any]
) -> None:
    error.add_note("by a caller")

    made = copied(error)

    assert type(made) is type(error)
    assert (str(made), made.args, vars(made)) == (str(error), error.args, vars(error))
