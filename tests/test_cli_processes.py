"""How many connections a worker may hold."""

from __future__ import annotations

import resource

import pytest

from contract.cli.processes import _connections

NONE = resource.RLIM_INFINITY


@pytest.mark.parametrize(
    ("soft", "hard", "raised", "connections"),
    [
        (1024, NONE, 8448, 8192),
        (1024, 1_000_000, 8448, 8192),
        (1024, 4096, 4096, 3840),
        (100, 100, 100, 1),
        (20_000, 20_000, None, 8192),
        (NONE, NONE, None, 8192),
    ],
)
def test_a_worker_holds_as_many_connections_as_it_may_open_files(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, raised: int | None, connections: int
) -> None:
    given: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: given.append(limits))

    assert _connections() == connections
    assert given == ([] if raised is None else [(raised, hard)])
