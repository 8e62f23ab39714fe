"""Opening: resources on the event loop that serves, and startups that are cancelled."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import falcon
import falcon.asgi
import pytest

from contract import MountError, mount_spec, opened, resource, route, routes, spec
from contract.adapters.asgi import AsgiApp, die, live
from contract.adapters.mount import service_of
from contract.call.service import Service
from contract.declare.resource import NotOpened
from contract.shape.exceptions import ContractException
from contract.testing import AsyncClient
from tests.tables import rows

said: list[str] = []


@pytest.fixture(autouse=True)
def _fresh() -> None:
    said.clear()


@resource
def pool() -> Iterator[str]:
    said.append("open pool")
    try:
        yield "pool"
    finally:
        said.append("leave pool")


@resource
async def queue() -> AsyncIterator[str]:
    loop = asyncio.get_running_loop()
    said.append("open queue")
    try:
        yield "queue"
    finally:
        await asyncio.sleep(0)
        assert asyncio.get_running_loop() is loop
        said.append("leave queue")


@resource
async def slow() -> AsyncIterator[None]:
    said.append("open slow")
    try:
        await asyncio.sleep(60)
        yield
    finally:
        said.append("leave slow")


class GivesUp:
    async def __aenter__(self) -> None:
        raise asyncio.CancelledError("by a library")

    async def __aexit__(self, *_: object) -> None:
        raise AssertionError("it was not open")


class Exits(GivesUp):
    async def __aenter__(self) -> None:
        raise SystemExit(3)


@route(summary="S", tags=["t"], auth="none")
async def order(input: None, ctx: None) -> str:
    return pool() + queue()


OPENED = ["open pool", "open queue"]
LEFT = ["leave queue", "leave pool"]


def service_with(*resources: Any) -> Service:
    return service_of(spec(routes=routes(order), resources=resources))


def test_a_job_has_the_resources_of_a_spec() -> None:
    api = spec(routes=routes(order), resources=[pool, queue])

    with opened(api):
        assert (pool(), queue()) == ("pool", "queue")
        with opened(api):
            said.append("again")
        assert pool() == "pool"
    assert said == [*OPENED, "again", *LEFT]
    with pytest.raises(LookupError, match=r"a job, write `with contract\.opened\(api\):` around"):
        pool()


async def test_a_job_that_awaits_has_them_on_its_own_loop() -> None:
    async with opened(spec(routes=routes(order), resources=[pool, queue])):
        assert [task.get_loop() for task in asyncio.all_tasks()] == [asyncio.get_running_loop()] * 2
        assert await order(None) == "poolqueue"
    assert said == [*OPENED, *LEFT]


def test_a_job_may_enter_what_it_has_opened_again() -> None:
    job = opened(spec(routes=routes(order), resources=[pool, queue]))

    for _ in range(2):
        said.clear()
        with job:
            with job:
                said.append("again")
            assert (pool(), queue()) == ("pool", "queue")
        assert said == [*OPENED, "again", *LEFT]


async def test_tasks_of_a_job_may_enter_it_at_the_same_time() -> None:
    job = opened(spec(routes=routes(order), resources=[pool, queue]))

    async def work(rounds: int) -> None:
        async with job:
            for _ in range(rounds):
                await asyncio.sleep(0)
            said.append(await order(None))

    await asyncio.gather(work(0), work(3))
    assert said == [*OPENED, "poolqueue", "poolqueue", *LEFT]


@resource
def unflushed() -> Iterator[None]:
    yield
    raise OSError("the disk is full")


@resource
async def unsent() -> AsyncIterator[None]:
    yield
    raise OSError("the broker is away")


def test_a_job_fails_if_a_resource_cannot_be_closed(caplog: pytest.LogCaptureFixture) -> None:
    job = opened(spec(routes=routes(order), resources=[pool, unsent, unflushed]))

    with pytest.raises(OSError, match="the disk is full"), job, job:
        said.append("work")
    assert said == ["open pool", "work", "leave pool"]
    assert caplog.text.count("leaving the resource unflushed raised") == 1
    assert caplog.text.count("leaving the resource unsent raised") == 1


async def test_a_job_that_awaits_fails_if_a_resource_cannot_be_closed() -> None:
    job = opened(spec(routes=routes(order), resources=[pool, unflushed, unsent]))

    with pytest.raises(OSError, match="the broker is away"):
        async with job:
            said.append("work")
    assert said == ["open pool", "work", "leave pool"]


async def test_what_a_job_raises_itself_comes_first(caplog: pytest.LogCaptureFixture) -> None:
    job = opened(spec(routes=routes(order), resources=[unflushed]))

    with pytest.raises(ValueError, match="the job's"), job:
        raise ValueError("the job's")
    with pytest.raises(ValueError, match="the job's"):
        async with job:
            raise ValueError("the job's")
    assert caplog.text.count("leaving the resource unflushed raised") == 2


def test_what_cannot_be_opened_closes_the_rest() -> None:
    job = opened(spec(routes=routes(order), resources=[pool, GivesUp()]))

    for _ in range(2):
        said.clear()
        why = "the resource GivesUp could not be opened"
        with pytest.raises(NotOpened, match=why) as refused, job:
            raise AssertionError
        assert said == ["open pool", "leave pool"]
        assert isinstance(refused.value, ContractException)
        assert refused.value.name == "GivesUp"
    wrong: Any = pool
    with pytest.raises(MountError, match=r"^opened\(spec=\): .* is not a Spec; "):
        opened(wrong)


def test_what_nobody_holds_any_more_stays_open_until_its_loop_ends() -> None:
    wrong: list[object] = []

    @asynccontextmanager
    async def kept() -> AsyncGenerator[None]:
        said.append("open")
        yield
        await asyncio.sleep(0)
        said.append("leave")

    async def called() -> None:
        await AsyncClient(service_with(kept())).get("docs")

    async def run() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, found: wrong.append(found))
        await called()
        gc.collect()
        await asyncio.sleep(0)
        gc.collect()
        assert said == ["open"]

    asyncio.run(run())
    assert wrong == []


async def in_a_job() -> None:
    async with opened(spec(routes=routes(order), resources=[pool, queue, slow])):
        raise AssertionError("it cannot be open")


async def in_a_lifespan() -> None:
    async with mounted(pool, queue, slow).lifespan(None):
        raise AssertionError("it cannot be open")


async def in_a_startup() -> None:
    service = service_with(pool, queue, slow)
    try:
        await live(service)
    finally:
        await die(service)


async def said_so(word: str) -> None:
    while word not in said:
        await asyncio.sleep(0)


@pytest.mark.parametrize("opens", [in_a_job, in_a_lifespan, in_a_startup])
async def test_what_is_cancelled_while_it_opens_leaves_what_it_has_opened(opens: Any) -> None:
    opening = asyncio.create_task(opens())
    await said_so("open slow")
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    assert said == [*OPENED, "open slow", "leave slow", *LEFT]
    assert asyncio.all_tasks() == {asyncio.current_task()}


def test_a_loop_that_ends_meanwhile_leaves_what_is_open(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(TimeoutError):
        asyncio.run(asyncio.wait_for(live(service_with(pool, slow)), 0.02))
    assert (said, caplog.text) == (["open pool", "open slow", "leave slow", "leave pool"], "")


def test_a_loop_that_was_closed_too_early_does_not_stand_in_the_way() -> None:
    hangs = True

    @resource
    async def hanging() -> AsyncIterator[None]:
        said.append("open")
        if hangs:
            await asyncio.Event().wait()
        yield
        said.append("leave")

    service = service_with(hanging)
    loop = asyncio.new_event_loop()
    starting = loop.create_task(live(service))
    while "open" not in said:
        loop.run_until_complete(asyncio.sleep(0))
    left_behind = asyncio.all_tasks(loop)
    hangs = False

    async def run() -> None:
        await live(service)
        await die(service)
        await die(service)

    asyncio.run(run())
    assert said == ["open", "open", "leave"]
    for each in left_behind:
        each.cancel()
    loop.run_until_complete(asyncio.gather(starting, *left_behind, return_exceptions=True))
    loop.close()


@pytest.mark.parametrize("cancelled", ["who leaves", "the resource"])
async def test_an_end_that_is_cancelled_keeps_nobody(
    cancelled: str, caplog: pytest.LogCaptureFixture
) -> None:
    @resource
    async def lasting() -> AsyncIterator[None]:
        yield
        said.append("leaving")
        await asyncio.sleep(0.01)
        said.append("left")

    service = service_with(pool, lasting)

    await live(service)
    [keeper] = asyncio.all_tasks() - {asyncio.current_task()}
    leaving = asyncio.create_task(die(service))
    await said_so("leaving")
    (leaving if cancelled == "who leaves" else keeper).cancel()
    await asyncio.wait([leaving, keeper])
    assert ("left" in said) is (cancelled == "who leaves")
    assert "leave pool" in said
    assert ("leaving the resource lasting raised" in caplog.text) is (cancelled == "who leaves")


@rows("given, problem", (GivesUp(), "RuntimeError: it was cancelled"), (Exits(), "SystemExit: 3"))
async def test_a_resource_that_ends_itself_fails_to_open(given: Any, problem: str) -> None:
    service = service_with(pool, given)

    with pytest.raises(NotOpened, match=problem):
        await asyncio.wait_for(live(service), 5)
    assert said == ["open pool", "leave pool"]


async def test_a_resource_that_exits_late_keeps_nobody(caplog: pytest.LogCaptureFixture) -> None:
    @resource
    async def exits() -> AsyncIterator[None]:
        yield
        await asyncio.sleep(0)
        raise SystemExit(3)

    service = service_with(pool, exits)

    await live(service)
    await die(service)
    assert said == ["open pool", "leave pool"]
    assert caplog.text.count("leaving the resource exits raised") == 1


def mounted(*resources: Any) -> Any:
    api = spec(routes=routes(order), resources=resources)
    return mount_spec(falcon.asgi.App(), api)


async def test_a_lifespan_opens_before_and_leaves_after() -> None:
    mount = mounted(pool, queue)

    for _ in range(2):  # as in tests, which start one app again and again
        said.clear()
        async with mount.lifespan(object()):
            assert said == OPENED
            assert pool() + queue() == "poolqueue"
        assert said == [*OPENED, *LEFT]


async def test_a_lifespan_leaves_when_the_host_fails() -> None:
    mount = mounted(pool, queue)

    with pytest.raises(OSError, match="the host's"):
        async with mount.lifespan(None):
            raise OSError("the host's")
    assert said == [*OPENED, *LEFT]


async def test_lifespans_stand_in_one_another() -> None:
    first, second = mounted(pool), AsgiApp(spec(routes=routes(order), resources=[pool, queue]))

    async with first.lifespan(None), second.lifespan(None):
        assert said == OPENED
    assert said == [*OPENED, *LEFT]


async def test_a_lifespan_without_resources_does_nothing() -> None:
    async with mounted().lifespan(None):
        assert said == []


def test_a_mount_on_wsgi_has_none() -> None:
    mount = mount_spec(falcon.App(), spec(routes=routes(order)))

    with pytest.raises(MountError, match=r"Mount\.lifespan: the app is a falcon\.App"):
        _ = mount.lifespan
