"""Resources of a process: opened in order before its first call, left in reverse at its end."""

from __future__ import annotations

import asyncio
import atexit
import gc
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import falcon
import falcon.asgi
import falcon.testing
import pytest

from contract import (
    Limits,
    Resource,
    Spec,
    SpecError,
    mount_spec,
    provide,
    resource,
    route,
    routes,
    spec,
)
from contract.adapters import opening
from contract.adapters.asgi import AsgiApp, die, live
from contract.adapters.mount import service_of
from contract.adapters.wsgi import WsgiApp
from contract.call.mount_options import Options
from contract.cli.output import Stop
from contract.cli.serving import Served
from contract.cli.worker import open_resources
from contract.testing import AsyncClient, Client, Reply
from tests.cli_servers import contract, running

said: list[str] = []


@pytest.fixture(autouse=True)
def _fresh() -> None:
    said.clear()


@resource
def pool() -> Iterator[list[str]]:
    said.append("open pool")
    yield ["pool"]
    said.append("leave pool")


@resource
async def queue() -> AsyncIterator[list[str]]:
    await asyncio.sleep(0)
    task = asyncio.current_task()
    said.append(f"open queue over {pool()[0]}")
    try:
        yield ["queue"]
    finally:
        assert asyncio.current_task() is task
        said.append("leave queue")


class Plain:
    def __enter__(self) -> None:
        said.append("open plain")

    def __exit__(self, *_: object) -> None:
        said.append("leave plain")


class Later:
    async def __aenter__(self) -> None:
        said.append("open later")

    async def __aexit__(self, *_: object) -> None:
        said.append("leave later")


@route(summary="S", tags=["t"], auth="none")
def order(input: None, ctx: None) -> str:
    said.append("call")
    return "".join(pool() + queue())


def api_of(*resources: Any, ready: Any = ()) -> Spec[Any]:
    return spec(routes=routes(order), resources=resources, ready=ready)


EACH = (pool, Plain(), queue, Later())
OPENED = ["open pool", "open plain", "open queue over pool", "open later"]
LEFT = ["leave later", "leave queue", "leave plain", "leave pool"]


def test_a_client_opens_them_in_order_and_leaves_them_in_reverse() -> None:
    api = api_of(*EACH)
    assert said == []

    async def run() -> None:
        async with AsyncClient(api) as client:
            assert said == OPENED
            assert (await client.call(order)).json == "poolqueue"

    for _ in range(2):
        said.clear()
        with Client(api) as client:
            assert said == OPENED
            assert client.call(order).json == "poolqueue"
        assert said == [*OPENED, "call", *LEFT]
        said.clear()
        asyncio.run(run())
        assert said == [*OPENED, "call", *LEFT]
    with Client(spec(routes=routes(order))), pytest.raises(LookupError):
        pool()


Ends = list[Callable[[], None]]


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> Ends:
    """What the end of the process calls."""
    found: Ends = []
    monkeypatch.setattr(atexit, "register", found.append)
    monkeypatch.setattr(atexit, "unregister", found.remove)
    return found


def test_the_first_request_opens_them_and_the_end_of_the_process_leaves_them(ends: Ends) -> None:
    client = Client(api_of(*EACH))
    with ThreadPoolExecutor(5) as threads:
        replies = [*threads.map(client.call, [order] * 5)]

    assert [reply.json for reply in replies] == ["poolqueue"] * 5
    assert said == [*OPENED, *["call"] * 5]
    [end] = ends
    end()
    assert said[9:] == LEFT
    assert ends == []


def test_a_loop_without_a_lifespan_opens_them_at_its_first_request() -> None:
    client = AsyncClient(api_of(*EACH))

    async def run() -> None:
        found = await asyncio.gather(*(client.call(order) for _ in range(5)))
        assert [reply.json for reply in found] == ["poolqueue"] * 5

    asyncio.run(run())
    assert said[:9] == [*OPENED, *["call"] * 5]
    assert sorted(said[9:]) == ["leave later", "leave queue"]  # with their loop
    said.clear()
    asyncio.run(run())
    assert said[:11] == ["leave plain", "leave pool", *OPENED, *["call"] * 5]
    said.clear()
    assert client.service.opening is not None
    asyncio.run(client.service.opening.leave_on_loop())
    assert said == ["leave plain", "leave pool"]


def lifespan(app: Any, *kinds: str) -> list[Any]:
    sent: list[Any] = []
    events = [{"type": f"lifespan.{kind}"} for kind in kinds]

    async def receive() -> Any:
        said.append(events[0]["type"])
        return events.pop(0)

    async def send(event: Any) -> None:
        said.append(event["type"])
        sent.append(event)

    async def run() -> None:
        with suppress(IndexError):
            await app({"type": "lifespan", "asgi": {"version": "3.0"}}, receive, send)

    asyncio.run(run())
    return sent


def falcon_asgi(api: Spec[Any]) -> Any:
    app = falcon.asgi.App()
    mount_spec(app, api)
    return app


def falcon_front(api: Spec[Any]) -> Any:
    return mount_spec(falcon.asgi.App(), api).asgi


LIVES = pytest.mark.parametrize("make", [AsgiApp, falcon_asgi, falcon_front])


@LIVES
def test_a_server_with_a_lifespan_opens_and_leaves_them(make: Callable[[Spec[Any]], Any]) -> None:
    lifespan(make(api_of(*EACH)), "startup", "shutdown")

    assert said[:12] == [
        *("lifespan.startup", *OPENED, "lifespan.startup.complete"),
        *("lifespan.shutdown", *LEFT, "lifespan.shutdown.complete"),
    ]
    said.clear()
    lifespan(make(api_of()), "startup", "shutdown")
    assert not set(said) & {*OPENED, *LEFT}


class Broken(Plain):
    def __enter__(self) -> None:
        raise OSError("no database")


class BrokenLater(Later):
    async def __aenter__(self) -> None:
        raise OSError("no database")


@asynccontextmanager
async def uncalled() -> AsyncIterator[None]:
    yield


BROKEN = "could not be opened: OSError: no database"


@LIVES
def test_a_server_does_not_start_without_them(make: Callable[[Spec[Any]], Any]) -> None:
    [failed] = lifespan(make(api_of(pool, BrokenLater())), "startup")

    assert failed["type"] == "lifespan.startup.failed"
    assert BROKEN in failed["message"]
    assert said[:3] == ["lifespan.startup", "open pool", "leave pool"]


@pytest.mark.parametrize("kind", [Broken, BrokenLater])
def test_without_them_every_request_is_a_503(kind: Any, caplog: pytest.LogCaptureFixture) -> None:
    api = api_of(pool, kind())
    client, later = Client(api), AsyncClient(api)

    async def run() -> Reply:
        return await later.call(order)

    for reply in (client.call(order), client.get("docs"), asyncio.run(run())):
        assert (reply.status, reply.error) == (503, "SERVICE_UNAVAILABLE")
    assert said == ["open pool", "leave pool"] * 3
    assert caplog.text.count(BROKEN) == 3


def test_what_fails_to_open_is_tried_again() -> None:
    tries = iter([True, False])

    @resource
    def flaky() -> Iterator[None]:
        if next(tries):
            raise OSError("not yet")
        yield

    client = Client(api_of(flaky, pool, queue))

    assert [client.call(order).status for _ in range(2)] == [503, 200]
    client.__exit__()


def test_what_fails_at_the_end_keeps_nobody(caplog: pytest.LogCaptureFixture) -> None:
    @resource
    def bad_end() -> Iterator[None]:
        yield
        raise OSError("canary")

    @resource
    async def bad_end_later() -> AsyncIterator[None]:
        yield
        raise OSError("canary")

    with Client(api_of(pool, bad_end, bad_end_later)):
        pass

    assert said == ["open pool", "leave pool"]
    for name in ("bad_end", "bad_end_later"):
        assert caplog.text.count(f"leaving the resource {name} raised") == 1


def test_services_share_a_resource() -> None:
    with Client(api_of(pool, queue)) as first, Client(api_of(pool, queue)) as second:
        assert first.call(order).json == second.call(order).json == "poolqueue"
    assert said == [*OPENED[::2], "call", "call", *LEFT[1::2]]


def test_a_falcon_app_opens_them_for_itself_too() -> None:
    class Own:
        def on_get(self, req: Any, resp: Any) -> None:
            resp.media = pool()

    app = falcon.App()
    app.add_route("/own", Own())
    mount = mount_spec(app, api_of(pool))
    client = falcon.testing.TestClient(mount.wsgi)

    assert [client.simulate_get("/own").json for _ in "12"] == [["pool"]] * 2
    assert said == ["open pool"]
    mount.service.opening.leave_here()  # type: ignore[union-attr]


def test_a_resource_may_be_replaced() -> None:
    with pool.using(["fake"]) as fake:
        assert pool() is fake
    where = (
        r"^pool is not open: a spec with resources=\[pool\] opens it where it is served; in a job, "
    )
    job = r"write `with contract\.opened\(api\):` around it; in a test, "
    fake_it = (
        r"write `with Client\(api\):` around it, or replace it: `with pool\.using\(fake\):` \("
    )
    with pytest.raises(LookupError, match=where + job + fake_it):
        pool()
    assert isinstance(pool, Resource)
    assert (pool.__name__, pool.is_async, queue.is_async) == ("pool", False, True)
    assert repr(pool).startswith("<resource pool (")


def test_what_is_replaced_is_not_opened(ends: Ends) -> None:
    api = api_of(*EACH)
    opened = ["open plain", "open queue over fake", "open later"]
    with pool.using(["fake"]):
        with Client(api) as client:
            assert [client.call(order).json for _ in range(2)] == ["fakequeue"] * 2
        assert said == [*opened, "call", "call", *LEFT[:-1]]
        said.clear()
        client = Client(api)  # as of a module, whose tests follow one another
        assert client.call(order).json == "fakequeue"
    assert client.call(order).json == "poolqueue"
    assert said == [*opened, "call", "open pool", "call"]
    [end] = ends
    end()

    async def run() -> None:
        with pool.using(["fake"]), queue.using(["other"]):
            async with AsyncClient(api) as client:
                assert (await client.call(order)).json == "fakeother"

    said.clear()
    asyncio.run(run())
    assert said == ["open plain", "open later", "call", "leave later", "leave plain"]


def test_a_value_of_a_call_may_stand_on_a_resource() -> None:
    @provide
    def connection() -> Iterator[str]:
        yield pool()[0]

    @route(summary="S", tags=["t"], auth="none")
    def asks(input: None, ctx: None) -> str:
        return connection()

    with Client(spec(routes=routes(asks), resources=[pool])) as client:
        assert client.call(asks).json == "pool"


def test_other_resources_are_refused_where_they_are_declared() -> None:
    def one(wide: int) -> Iterator[int]:
        yield wide

    cases: list[tuple[Any, Any, str]] = [
        ("x", (), r"resources=\): 'x' is not a list of these"),
        ([pool, Plain], (), r"resources=\)\[1\]: .*Plain.* is neither a @resource nor a"),
        ([uncalled], (), r"resources=\)\[0\]: .* is neither"),
        ((), one, r"ready=\): .* is not a list of these; write ready="),
    ]
    for resources, ready, why in cases:
        with pytest.raises(SpecError, match=rf"^spec\({why}"):
            spec(routes=routes(order), resources=resources, ready=ready)


# Whether it is ready.


def ping() -> None:
    said.append("ping")


async def ping_later() -> bool:
    said.append("ping later")
    return True


def no() -> bool:
    return False


def raises() -> None:
    raise OSError("canary")


async def raises_later() -> None:
    raise OSError("canary")


async def hangs() -> None:
    try:
        await asyncio.Event().wait()
    finally:
        said.append("cancelled")


def health(api: Spec[Any], **options: Any) -> list[int]:
    made = Options(health_path="/healthz", **options)

    async def run() -> int:
        return (await AsyncClient(api, options=made).get("healthz")).status

    return [Client(api, options=made).get("healthz").status, asyncio.run(run())]


def test_checks_stand_behind_the_health_route(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(opening, "READY_SECONDS", 60.0)

    assert health(api_of(ready=[ping, ping_later])) == [200, 200]
    assert sorted(said) == ["ping", "ping", "ping later", "ping later"]
    for wrong, seconds in ((no, 60.0), (raises, 60.0), (raises_later, 60.0), (hangs, 0.05)):
        monkeypatch.setattr(opening, "READY_SECONDS", seconds)
        caplog.clear()
        assert health(api_of(ready=[ping, wrong])) == [503, 503]
        assert caplog.text.count(f"not ready: the check {wrong.__name__} did not go well") == 2
        assert caplog.text.count("ValueError: it gave False") == (2 if wrong is no else 0)
    while said.count("cancelled") < 2:  # on WSGI the loop goes on
        threading.Event().wait(0.001)
    assert health(api_of(ready=[hangs]), limits=Limits(deadline_seconds=0.01)) == [503, 503]
    while said.count("cancelled") < 4:
        threading.Event().wait(0.001)
    gc.collect()
    assert "Task was destroyed" not in caplog.text


def test_what_is_not_ready_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    answers = iter([False, False, True, False])
    client = Client(api_of(ready=[lambda: next(answers)]), options=Options(health_path="/healthz"))

    assert [client.get("healthz").status for _ in range(4)] == [503, 503, 200, 503]
    assert caplog.text.count("not ready: the check") == 2
    assert client.get("docs/").status == 200


# `contract serve`.


def test_a_worker_opens_every_service() -> None:
    made = [service_of(each) for each in (api_of(pool), api_of(Plain()), api_of())]
    open_resources(Served("wsgi", WsgiApp(made[0]), tuple(made)))
    assert said == ["open pool", "open plain"]
    for service in made[:2]:
        assert service.opening is not None
        service.opening.leave_here()

    with pytest.raises(Stop, match="the resource Broken could not be opened: OSError: no data"):
        open_resources(Served("wsgi", WsgiApp(made[0]), (service_of(api_of(Broken())),)))


def test_they_are_opened_once() -> None:
    service = service_of(api_of(pool, queue))
    opened, left = OPENED[::2], LEFT[1::2]

    async def run() -> None:
        await live(service)
        await live(service)
        await die(service)

    for _ in range(2):
        said.clear()
        asyncio.run(run())
        assert said == [*opened, *left]
    assert service.opening is not None
    said.clear()
    for _ in range(2):  # a second thread may have waited for the first
        service.opening.here()
    assert said == opened
    service.opening.leave_here()
    assert said == [*opened, *left]


APP = """
import asyncio
from collections.abc import AsyncIterator, Iterator
from contract import resource, route, routes, spec
@resource
def pool() -> Iterator[str]:
    print("open pool", flush=True)
    {first}
    yield "pool"
    print("leave pool", flush=True)

@resource
async def queue() -> AsyncIterator[str]:
    print("open queue", flush=True)
    yield "queue"
    await asyncio.sleep(0)
    print("leave queue", flush=True)

@route(summary="S", tags=["t"], auth="none")
{how}def order(input: None, ctx: None) -> str:
    return pool() + queue()

api = spec(routes=routes(order), resources=[pool, queue])
"""


@pytest.mark.parametrize("how", ["", "async "], ids=["wsgi", "asgi"])
def test_a_worker_opens_them_before_it_is_ready_and_leaves_them_at_its_end(
    tmp_path: Path, how: str
) -> None:
    (tmp_path / "shop.py").write_text(APP.format(first="", how=how))

    with running("serve", "shop.py", cwd=tmp_path) as server:
        assert server.post("/order").body == b'"poolqueue"'
        assert server.stop() == 0
        lines = [line for line in server.text().splitlines() if line.endswith(("pool", "queue"))]
    assert lines == ["open pool", "open queue", "leave queue", "leave pool"]


@pytest.mark.measured
@pytest.mark.parametrize("how", ["", "async "], ids=["wsgi", "asgi"])
def test_a_worker_that_cannot_open_them_ends_with_a_line_that_says_which(
    tmp_path: Path, how: str
) -> None:
    app = APP.format(first='raise OSError("no database")', how=how)
    (tmp_path / "shop.py").write_text(app)

    ended = contract("serve", "shop.py", "--port", "0", cwd=tmp_path)

    assert ended.returncode != 0
    lines = [line for line in ended.stderr.decode().splitlines() if "no database" in line]
    assert len(lines) == 1
    assert "the resource pool could not be opened: OSError: no database" in lines[0]


def test_commands_that_serve_nothing_open_nothing(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(APP.format(first="", how=""))

    generate = "generate shop.py --python client.py"
    for line in (
        "emit shop.py --output contract.json",
        "check shop.py",
        generate,
        "routes shop.py",
    ):
        assert b"open" not in contract(line, cwd=tmp_path).stdout
