"""The helpdesk: both versions over one database, through the whole of a call."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from contract import Spec, calling
from contract.call.mount_options import Options
from contract.testing import AsyncClient, Reply
from examples.helpdesk import people, tickets, v1, v2
from examples.helpdesk.app import app
from examples.helpdesk.database import DEMO_TOKENS, digest, session
from examples.helpdesk.people import User

NEW = {"title": "No sound", "text": "Since this morning."}


@pytest.fixture(autouse=True)
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "helpdesk.sqlite3"
    monkeypatch.setenv("HELPDESK_DB", f"sqlite+aiosqlite:///{path}")
    return path


class Desk:
    """Calls one version as a person does."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def __call__(self, who: str | None, route: str, body: object = None) -> Reply:
        token = None if who is None else DEMO_TOKENS[who]
        return await self._client.call(route, body, token=token)


@asynccontextmanager
async def at(api: Spec[Any]) -> AsyncIterator[Desk]:
    async with AsyncClient(api) as client:
        yield Desk(client)


def rows(path: Path, query: str) -> list[Any]:
    engine = create_engine(f"sqlite:///{path}")
    try:
        with engine.connect() as connection:
            return [tuple(row) for row in connection.execute(text(query))]
    finally:
        engine.dispose()


async def test_a_ticket_from_its_opening_to_its_end() -> None:
    async with at(v2.api) as desk:
        opened = await desk("ada", "tickets.create", NEW)
        assert (opened.status, opened.headers["x-ticket"]) == (200, "1")
        assert opened.json["priority"] == "normal"
        assert [said["text"] for said in opened.json["comments"]] == ["Since this morning."]

        said = await desk("sam", "tickets.comments.add", {"id": 1, "text": "Is it muted?"})
        assert said.json["author"] == "sam"
        assigned = await desk("kim", "desk.assign", {"id": 1, "agent": "sam"})
        assert assigned.json["assigned_to"] == "sam"
        assert (await desk("sam", "desk.close", {"id": 1})).json["status"] == "closed"

        late = await desk("ada", "tickets.comments.add", {"id": 1, "text": "It was."})
        assert (late.status, late.error) == (409, "CLOSED")
        again = await desk("sam", "desk.assign", {"id": 1, "agent": "kim"})
        assert again.error == "CLOSED"
        read = await desk("ada", "tickets.get", {"id": 1})
        assert [said["author"] for said in read.json["comments"]] == ["ada", "sam"]
        counted = await desk("kim", "desk.report")
        assert counted.json == {"open": 0, "closed": 1, "unassigned": 0}


async def test_a_customer_sees_their_own_tickets_and_an_agent_all() -> None:
    async with at(v2.api) as desk:
        await desk("ada", "tickets.create", NEW)
        await desk("bob", "tickets.create", {**NEW, "priority": "low"})

        assert [each["id"] for each in (await desk("ada", "tickets.find")).json] == [1]
        assert [each["id"] for each in (await desk("sam", "tickets.find")).json] == [2, 1]
        for route, body in (
            ("tickets.get", {"id": 2}),
            ("tickets.comments.add", {"id": 2, "text": "?"}),
        ):
            assert (await desk("ada", route, body)).error == "NOT_FOUND"
        for route, body in (("desk.assign", {"id": 9, "agent": "sam"}), ("desk.close", {"id": 9})):
            assert (await desk("sam", route, body)).error == "NOT_FOUND"


async def test_the_desk_is_for_who_may_work_there() -> None:
    async with at(v2.api) as desk:
        await desk("ada", "tickets.create", NEW)

        assert (await desk(None, "desk.close", {"id": 1})).status == 401
        refused = await desk("ada", "desk.close", {"id": 1})
        assert (refused.status, refused.error) == (403, "FORBIDDEN")
        assert 'error="insufficient_scope"' in refused.headers["www-authenticate"]
        assert (await desk("sam", "desk.report")).status == 403
        urgent = await desk("ada", "tickets.create", {**NEW, "priority": "urgent"})
        assert (urgent.status, urgent.error) == (403, "FORBIDDEN")
        assert (await desk("sam", "tickets.create", {**NEW, "priority": "urgent"})).status == 200


async def test_a_failure_leaves_nothing_behind(database: Path) -> None:
    async with at(v2.api) as desk:
        await desk("ada", "tickets.create", NEW)
        nobody = await desk("sam", "desk.assign", {"id": 1, "agent": "ada"})
        assert (nobody.status, nobody.error) == (422, "NO_AGENT")

    assert rows(database, "SELECT assigned_to FROM tickets") == [(None,)]
    assert rows(database, "SELECT person, route FROM audit") == [("ada", "tickets.create")]


async def test_five_tickets_are_enough(database: Path) -> None:
    async with at(v2.api) as desk:
        for _ in range(5):
            assert (await desk("ada", "tickets.create", NEW)).status == 200
        enough = await desk("ada", "tickets.create", NEW)
        assert (enough.status, enough.json["data"]) == (409, {"open": 5})
        assert (await desk("bob", "tickets.create", NEW)).status == 200

    assert rows(database, "SELECT count(*) FROM tickets") == [(6,)]


async def test_who_is_signed_in_is_greeted_by_name() -> None:
    async with at(v2.api) as desk:
        await desk("ada", "tickets.create", NEW)
        nobody = {"open_tickets": 1, "name": None, "own_tickets": None}
        bob = {"open_tickets": 1, "name": "Bob", "own_tickets": 0}

        assert (await desk(None, "greeting")).json == nobody
        assert (await desk("bob", "greeting")).json == bob


async def test_the_first_version_stands_on_the_same_tables() -> None:
    async with at(v1.api) as desk:
        opened = await desk("ada", "tickets.create", NEW)
        assert sorted(opened.json) == ["id", "open", "opened_at", "title"]
        assert "deprecation" in opened.headers
        assert (await desk("ada", "tickets.get", {"id": 1})).json == opened.json
        assert (await desk("bob", "tickets.get", {"id": 1})).error == "NOT_FOUND"
        for _ in range(4):
            await desk("ada", "tickets.create", NEW)
        assert (await desk("ada", "tickets.create", NEW)).error == "TOO_MANY_OPEN"

    async with at(v2.api) as desk:
        assert (await desk("ada", "tickets.get", {"id": 1})).json["priority"] == "normal"


async def test_the_desk_hears_of_a_ticket_that_was_opened(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", "helpdesk"):
        async with at(v2.api) as desk:
            await desk("ada", "tickets.create", NEW)
    assert "ticket 1 was opened by ada" in caplog.text


async def test_it_is_ready_while_its_database_answers() -> None:
    async with AsyncClient(v2.api, options=Options(health_path="/healthz")) as client:
        assert (await client.get("healthz")).status == 200


async def test_a_resolver_is_tested_with_a_session_of_its_own() -> None:
    """No HTTP, no token and no database."""

    class Nothing:
        async def get(self, table: object, id_: int) -> None:
            return None

    with calling("tickets.get"), session.using(Nothing()):  # type: ignore[arg-type]
        found = await tickets.get(tickets.TicketRef(1), User("ada", "Ada"))
    assert type(found).__name__ == "NotFound"


async def test_a_token_is_kept_as_its_digest(database: Path) -> None:
    async with at(v2.api) as desk:
        await desk("ada", "tickets.create", NEW)

    kept = rows(database, "SELECT token FROM people WHERE id = 'ada'")
    assert kept == [(digest(DEMO_TOKENS["ada"]),)]


def test_both_versions_are_mounted() -> None:
    names = "greeting tickets.create tickets.get tickets.find tickets.comments.add"

    assert [type(each).__name__ for each in (app, v1.api, v2.api)] == ["App", "Spec", "Spec"]
    assert " ".join(v2.api.entries) == f"{names} desk.assign desk.close desk.report"
    assert people.greeting.name is None
