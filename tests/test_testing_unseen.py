"""Unseen: declared failures that never came."""

from __future__ import annotations

from contract import Failure, NotFound, route, spec
from contract.testing.unseen import declared_by, told_of, unseen


class Gone(Failure, status=410):
    """Not any more."""


@route(summary="Take", tags=["t"], auth="none")
def take(input: None, ctx: None) -> int | NotFound | Gone:
    return 1


def test_what_is_declared_and_was_not_seen_is_told() -> None:
    declared = declared_by(spec(routes=[take]).entries["take"])

    assert declared == ("GONE", "NOT_FOUND")
    assert unseen(declared, {"OK", "GONE"}) == ("NOT_FOUND",)
    assert unseen(declared, {"GONE", "NOT_FOUND"}) == ("OK",)
    assert told_of(3, 1) == "1 of 3 declared answers seen"
    assert told_of(0, 0) == "no answer was asked for"
