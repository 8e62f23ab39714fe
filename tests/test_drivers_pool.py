"""The pool: room, and who gives it back."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context

import pytest

from contract.dispatch import Refused
from contract.drivers.pool import Lanes, Pool


async def submitted(pool: Pool, work: Callable[[], object]) -> None:
    """Ask until there is room."""
    for _ in range(100_000):
        try:
            await pool.submit(copy_context(), work)
        except Refused:
            await asyncio.sleep(0)
        else:
            return
    raise AssertionError("there is no room")


def test_work_is_done_in_a_thread_and_in_its_context() -> None:
    async def main() -> None:
        pool = Pool(1, 0)
        name = await pool.submit(copy_context(), lambda: threading.current_thread().name)
        assert name.startswith("contract-resolver")
        assert await pool.submit(copy_context(), max, 1, 2) == 2

    asyncio.run(main())


def test_what_finds_no_room_is_refused_until_there_is_room_again() -> None:
    async def main() -> None:
        pool = Pool(1, 1)
        gate = threading.Event()
        waiting = [pool.submit(copy_context(), gate.wait, 10) for _ in range(2)]
        for _ in range(2):
            with pytest.raises(Refused) as refused:
                await pool.submit(copy_context(), gate.wait, 10)
            assert (refused.value.code, refused.value.headers) == ("SERVICE_UNAVAILABLE", (("retry-after", "1"),))
        gate.set()
        assert await asyncio.gather(*waiting) == [True, True]
        assert await pool.submit(copy_context(), max, 1, 2) == 2

    asyncio.run(main())


def test_what_nobody_waits_for_is_not_begun_and_gives_its_room_back() -> None:
    ran: list[str] = []

    async def main() -> None:
        pool = Pool(1, 1)
        gate = threading.Event()
        first = pool.submit(copy_context(), gate.wait, 10)
        second = pool.submit(copy_context(), ran.append, "second")
        second.cancel()
        await asyncio.sleep(0)
        third = pool.submit(copy_context(), ran.append, "third")
        with pytest.raises(Refused):
            await pool.submit(copy_context(), ran.append, "fourth")
        gate.set()
        await asyncio.gather(first, third)
        await submitted(pool, lambda: ran.append("fifth"))

    asyncio.run(main())
    assert ran == ["third", "fifth"]


def test_clients_that_come_and_go_leave_nothing_behind() -> None:
    async def main() -> None:
        pool = Pool(1, 2)
        gate = threading.Event()
        first = pool.submit(copy_context(), gate.wait, 10)
        for _ in range(50):
            pool.submit(copy_context(), max, 1, 2).cancel()
            await asyncio.sleep(0)
        gate.set()
        assert await first
        running = [pool.submit(copy_context(), max, 1, 2) for _ in range(2)]
        assert await asyncio.gather(*running) == [2, 2]
        assert pool._executor._work_queue.qsize() <= 1  # turns, of which each call has one at most

    asyncio.run(main())


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_where_no_thread_can_be_started_it_is_refused_and_never_done(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []

    def full(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    async def main() -> None:
        pool = Pool(1, 0)
        with monkeypatch.context() as patched:
            patched.setattr(threading.Thread, "start", full)
            for _ in range(3):
                with pytest.raises(Refused) as refused:
                    await pool.submit(copy_context(), ran.append, "for nobody")
                assert refused.value.code == "SERVICE_UNAVAILABLE"
        await pool.submit(copy_context(), ran.append, "again")
        await submitted(pool, lambda: ran.append("and again"))

    asyncio.run(main())

    assert ran == ["again", "and again"]


def test_what_another_thread_has_taken_is_done_though_no_more_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    gate, taken = threading.Event(), threading.Event()

    def set_and_told(event: threading.Event) -> bool:
        event.set()
        return True

    def full(_: threading.Thread) -> None:
        gate.set()
        taken.wait(10)
        raise RuntimeError("can't start new thread")

    async def main() -> None:
        pool = Pool(2, 0)
        first = pool.submit(copy_context(), gate.wait, 10)
        with monkeypatch.context() as patched:
            patched.setattr(threading.Thread, "start", full)
            second = pool.submit(copy_context(), set_and_told, taken)
        assert (await first, await second) == (True, True)

    asyncio.run(main())


def test_a_forked_child_has_threads_and_room_of_its_own() -> None:
    """Those of its parent are none of its, even where they were all busy."""

    async def fill(pool: Pool, gate: threading.Event) -> asyncio.Future[bool]:
        running = pool.submit(copy_context(), gate.wait, 10)
        with pytest.raises(Refused):
            await pool.submit(copy_context(), max, 1, 2)
        return running

    async def child(pool: Pool) -> int:
        async with asyncio.timeout(5):
            return await pool.submit(copy_context(), max, 1, 2)

    async def main() -> None:
        pool, gate = Pool(1, 0), threading.Event()
        running = await fill(pool, gate)
        process = os.fork()
        if process == 0:
            signal.alarm(10)
            found = 0
            with ThreadPoolExecutor(1) as threads, suppress(BaseException):
                found = threads.submit(asyncio.run, child(pool)).result()
            os._exit(found)
        gate.set()
        assert await running is True
        _, status = os.waitpid(process, 0)
        assert os.waitstatus_to_exitcode(status) == 2

    asyncio.run(main())


def test_what_is_done_for_nobody_is_dropped() -> None:
    async def main() -> None:
        pool = Pool(1, 0)
        begun, gate, done = threading.Event(), threading.Event(), threading.Event()

        def work() -> None:
            begun.set()
            gate.wait(10)

        running = pool.submit(copy_context(), work)
        assert begun.wait(10)
        running.cancel()
        gate.set()
        await submitted(pool, done.set)
        assert done.is_set()
        assert running.cancelled()

    asyncio.run(main())


def test_a_pool_in_which_nothing_moves_is_stuck_until_something_does(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        lanes = Lanes(1, 5)
        gate = threading.Event()
        first = lanes.hooks.submit(copy_context(), gate.wait, 10)
        waits = lanes.hooks.submit(copy_context(), gate.wait, 20)
        assert not lanes.stuck()
        with monkeypatch.context() as patched:
            patched.setattr("contract.drivers.pool.STUCK", 0.0)
            assert lanes.stuck()
            with pytest.raises(Refused, match="SERVICE_UNAVAILABLE"):
                await lanes.hooks.submit(copy_context(), max, 1, 2)
            assert await lanes.routes.submit(copy_context(), max, 1, 2) == 2
            gate.set()
            assert (await first, await waits) == (True, True)
            assert not lanes.stuck()
            assert await lanes.hooks.submit(copy_context(), max, 1, 2) == 2

    with caplog.at_level("ERROR", "contract.errors"):
        asyncio.run(main())
    assert caplog.text.count("all 1 threads for hooks have been busy for") == 1
