"""The keys behind a URL: fetched by a thread, which nobody waits for, and kept where that fails."""

from __future__ import annotations

import json
import logging
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from itertools import pairwise
from typing import Any

import pytest

from contract.adapters.jwks import Jwks, check_url, fetch
from contract.adapters.jwt_keys import ASYMMETRIC, Keys, keys_of_jwks
from tests.cli_servers import until
from tests.jwt_issuers import jwk, key_server
from tests.tables import rows

ALGORITHMS = frozenset(ASYMMETRIC)
ONE, TWO = jwk("P-256", "one"), jwk("P-256/two", "two")


def threads() -> list[threading.Thread]:
    return [
        each for each in threading.enumerate() if each.name == "contract-jwks" and each.is_alive()
    ]


@pytest.fixture(autouse=True)
def alone() -> None:
    """Wait for the threads of the tests before, which nobody else waits for."""
    until(lambda: not threads())


def names(keys: Keys | None) -> list[str | None]:
    return [] if keys is None else [key.kid for key in keys.all]


def kept(url: str, **more: Any) -> Jwks:
    options: dict[str, Any] = {"get": fetch, "every": 300.0, "pause": 0.0, "retry": 0.005, **more}
    return Jwks(url, ALGORITHMS, **options)


@contextmanager
def entered(**more: Any) -> Iterator[tuple[Any, Jwks]]:
    """A server of one key, and what keeps its keys."""
    with key_server(ONE) as server:
        found = kept(server.url, **more)
        found.enter()
        try:
            yield server, found
        finally:
            found.leave()


def test_the_first_to_enter_waits_for_the_keys() -> None:
    with entered() as (server, found):
        assert (names(found.current()), server.asked) == (["one"], 1)


def test_a_call_waits_for_nothing() -> None:
    with key_server(ONE) as server:
        server.gate.clear()
        found = kept(server.url)

        assert found.current() is None  # which has started the thread
        server.wait_for(1)
        assert found.current() is None
        server.gate.set()
        until(lambda: found.current() is not None)
        found.enter()
        found.leave()


def test_an_unknown_name_makes_it_look_again() -> None:
    with key_server(ONE) as server:
        found = kept(server.url)
        found.look()  # nobody has started it
        found.enter()
        server.give(ONE, TWO)
        found.look()
        until(lambda: names(found.current()) == ["one", "two"])

        found.leave()


def test_it_looks_once_in_a_while_however_often_it_is_asked() -> None:
    with entered(pause=0.2) as (server, found):
        begun = time.monotonic()
        while server.asked < 2:
            found.look()
            time.sleep(0.001)

        assert time.monotonic() - begun >= 0.15


def test_it_looks_again_by_itself() -> None:
    with entered(every=0.01) as (server, found):
        server.give(TWO)
        until(lambda: names(found.current()) == ["two"])


def test_a_failed_fetch_is_told_once_and_keeps_the_keys(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "contract.errors"), entered(every=0.01) as (server, found):
        server.give(status=500)
        server.wait_for(server.asked + 3)
        assert names(found.current()) == ["one"]
        server.give(TWO)
        until(lambda: names(found.current()) == ["two"])

    told = f"cannot fetch the keys at {server.url}: the keys that are there are kept"
    assert caplog.messages == [told]


def test_it_tries_again_at_growing_intervals(caplog: pytest.LogCaptureFixture) -> None:
    times: list[float] = []

    def get(url: str) -> bytes:
        times.append(time.monotonic())
        raise OSError("nobody is there")

    found = kept("http://localhost/", get=get, retry=0.01)
    with caplog.at_level(logging.ERROR, "contract.errors"):
        found.enter()
        until(lambda: len(times) >= 5)
        found.leave()
    gaps = [later - sooner for sooner, later in pairwise(times)]

    assert all(gap >= 0.009 * 2**n for n, gap in enumerate(gaps[:4]))
    assert "no key is there yet" in caplog.text


def test_several_may_enter_and_the_last_ends_it() -> None:
    with key_server(ONE) as server:
        found = kept(server.url)
        found.enter()
        found.enter()
        found.leave()
        (thread,) = threads()
        assert thread.is_alive()
        found.leave()
        thread.join(10)

        assert names(found.keys) == ["one"]
        assert not thread.is_alive()


def test_leaving_in_the_middle_of_a_pause_ends_it_at_once() -> None:
    with key_server(ONE) as server:
        found = kept(server.url, pause=60.0)
        found.enter()
        (thread,) = threads()
        found.leave()
        thread.join(10)

        assert not thread.is_alive()


def test_a_failure_after_the_end_is_not_told(caplog: pytest.LogCaptureFixture) -> None:
    asked, go_on = threading.Event(), threading.Event()

    def get(url: str) -> bytes:
        if found.keys is None:
            return json.dumps({"keys": [ONE]}).encode()
        asked.set()
        go_on.wait(10)
        raise OSError("nobody is there")

    found = kept("http://localhost/", get=get)
    found.enter()
    (thread,) = threads()
    found.look()
    assert asked.wait(10)
    found.leave()
    go_on.set()
    thread.join(10)

    assert caplog.messages == []


def test_leaving_without_a_thread_does_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    found = kept("http://localhost/")
    monkeypatch.setattr(threading.Thread, "start", start)
    found.enter()

    assert found.current() is None
    found.leave()


def test_a_forked_process_has_a_thread_of_its_own() -> None:
    with entered() as (_, found):
        child = os.fork()
        if child == 0:  # pragma: no cover  another process
            try:
                found.current()
                os._exit(len(threads()) - 1)
            finally:
                os._exit(99)
        _, status = os.waitpid(child, 0)

        assert os.waitstatus_to_exitcode(status) == 0


def test_keys_for_something_else_are_left_out() -> None:
    secret = {"kty": "oct", "k": "AA"}
    odd: list[Any] = [3, {}, {"kty": "new"}, jwk("P-256", "x", use="enc"), secret]
    with key_server(*odd, ONE) as server:
        found = keys_of_jwks(fetch(server.url), ALGORITHMS)

    assert names(found) == ["one"]


@rows(
    "body, problem",
    (b"nonsense", "invalid literal"),
    (b"[]", "it is not a set of keys"),
    (b'{"keys": 3}', "it is not a set of keys"),
    (b'{"keys": []}', "none of its 0 keys can be used"),
    (b'{"keys": [{}, 1]}', "none of its 2 keys can be used"),
)
def test_what_is_no_set_is_refused(body: bytes, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        keys_of_jwks(body, ALGORITHMS)


def test_the_query_of_a_url_is_sent() -> None:
    with key_server(ONE) as server:
        assert b'"one"' in fetch(f"{server.url}?p=policy")
        assert b'"one"' in fetch(server.url.removesuffix("/jwks.json"))


@pytest.mark.parametrize("status", [204, 301, 404, 500])
def test_other_statuses_are_failures(status: int) -> None:
    with key_server(ONE) as server:
        server.status = status
        server.headers["location"] = server.url

        with pytest.raises(ValueError, match=f"the server answers {status}"):
            fetch(server.url)
        assert server.asked == 1


def test_the_answer_is_bounded() -> None:
    with key_server() as server:
        server.body = b" " * (256 * 1024 + 1)

        with pytest.raises(ValueError, match="larger than 256 KiB"):
            fetch(server.url)


def test_half_an_answer_is_a_failure() -> None:
    with key_server(ONE) as server:
        server.headers["content-length"] = str(len(server.body) + 1)

        with pytest.raises(ValueError, match="the answer ends early"):
            fetch(server.url)


def test_an_answer_in_drops_is_given_up() -> None:
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def drip() -> None:
            connection, _ = listener.accept()
            with connection:
                try:
                    connection.sendall(b"HTTP/1.1 200 OK\r\nx: ")
                    while not over.wait(0.02):
                        connection.sendall(b"x")
                except OSError:
                    pass

        thread = threading.Thread(target=drip)
        thread.start()
        with pytest.raises(TimeoutError, match=r"it took longer than 0\.2 seconds"):
            fetch(f"http://127.0.0.1:{listener.getsockname()[1]}/", 0.2)
        over.set()
        thread.join()


def test_https_is_spoken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that does not speak it is a failure."""
    with key_server(ONE) as server, pytest.raises((OSError, HTTPException)):
        fetch(server.url.replace("http://", "https://"))


@rows("url", "https://login.example/jwks?p=1", "http://localhost:8080/k", "http://[::1]/k")
def test_a_url_of_https_or_of_this_machine_will_do(url: str) -> None:
    assert check_url("here", url) == url
