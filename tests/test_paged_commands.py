"""Pages on the command line: where the secret comes from, and how pages are turned."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from contract.cli import main
from tests.cli_servers import contract, running

TARGET = "tests.ledger:api"


@pytest.fixture(autouse=True)
def no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    # set first, so that what a command sets for itself is taken away again
    monkeypatch.setenv("CONTRACT_SECRETS", "x")
    monkeypatch.delenv("CONTRACT_SECRETS")


def called(capsys: pytest.CaptureFixture[str], cursor: dict[str, object]) -> dict[str, object]:
    assert main(["call", "--app", TARGET, "find", json.dumps(cursor)]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_a_call_can_be_followed_by_that_of_the_next_page(
    capsys: pytest.CaptureFixture[str],
) -> None:
    first = called(capsys, {"filter": {}, "limit": 3})
    second = called(capsys, {"filter": {}, "limit": 3, "after": first["next"]})

    assert second["items"] == [{"id": number, "word": ""} for number in (3, 4, 5)]


def test_a_server_without_a_secret_says_how_to_have_one(tmp_path: Path) -> None:
    done = contract("serve", TARGET, "--port", "0", cwd=tmp_path)

    assert done.returncode == 2
    assert b"set CONTRACT_SECRETS, or give secrets=(...)" in done.stderr


def test_dev_makes_one(tmp_path: Path) -> None:
    with running("dev", TARGET, cwd=tmp_path) as server:
        reply = server.post("/find", b'{"filter":{},"limit":3}')
        assert reply.status == 200
