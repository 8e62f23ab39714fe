"""Logs: lines, records, and handlers that fail."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any, TextIO

import pytest

from contract import CallEvent, calling, route, spec
from contract.adapters.mount import service_of
from contract.call import lines as _lines
from contract.call.context import NO_CLIENT, Outcome, Surface
from contract.call.lines import MOST
from contract.call.log import (
    CALLS,
    ERRORS,
    CallHandler,
    Listeners,
    configure_logging,
    log_exception,
)
from tests.wire.exchange import RawRequest, through_service

Event = tuple[str | None, Surface, str, int, float, str, Any, str | None, str | None, str | None]
"""The attributes of a `CallEvent`, in their order."""

GOOD: Event = ("order", "http", "OK", 200, 0.0012344, "id-1", None, None, None, None)
BAD: Event = (None, "mcp", "INTERNAL_ERROR", 500, 2.0, "id-2", ValueError("x"), None, None, None)

OUTCOMES: dict[Any, Outcome] = {}


def log_call(event: Event) -> None:
    """Tell of a call as the service does, whoever is to write its line."""
    route, surface, code, status, duration, request_id, exception, *client = event
    outcome: Outcome = (route, surface, code, status)
    outcome = OUTCOMES.setdefault(outcome, outcome)
    said = (event[7], event[8], event[9]) if any(client) else NO_CLIENT
    Listeners(None, logs=True).tell((outcome, 0.0, duration, request_id, exception, said))


@pytest.fixture(autouse=True)
def loggers() -> Iterator[logging.Logger]:
    """Loggers as they are in a new process."""
    logger = logging.getLogger("contract")
    before = [
        (each, each.handlers[:], each.filters[:], each.level, each.propagate)
        for each in (logger, CALLS, ERRORS)
    ]
    yield logger
    for each, handlers, filters, level, propagate in before:
        each.handlers[:] = handlers
        each.filters[:] = filters
        each.setLevel(level)
        each.propagate = propagate


def lines(stream: StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_call_is_one_line_of_json() -> None:
    stream = StringIO()
    configure_logging(stream=stream).flush()
    log_call(GOOD)
    log_call(BAD)

    first, second = lines(stream)
    assert first.pop("time").endswith("Z")
    assert first == {
        "level": "info", "route": "order", "surface": "http", "code": "OK", "status": 200, "duration_ms": 1.234, "request_id": "id-1",
    }  # fmt: skip
    assert (second["level"], second["route"], second["surface"], second["duration_ms"]) == (
        "warning",
        None,
        "mcp",
        2000.0,
    )
    assert "x" not in stream.getvalue().replace("x-", "")


TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_what_an_mcp_client_says_of_itself_is_in_the_line() -> None:
    stream, client = StringIO(), ("order", "inspector\n1.2", TRACE)
    facts: Event = ("order", "mcp", "OK", 200, 0.001, "id-3", None, *client)
    configure_logging(stream=stream)
    log_call(facts)
    [line] = lines(stream)
    logging.getLogger("contract").handlers.clear()
    configure_logging(stream=stream, format="text")
    log_call(facts)
    text = stream.getvalue().splitlines()[1].partition(" ")[2]

    assert (line["tool"], line["client"], line["traceparent"]) == client
    assert text == (
        f"info    order OK 200 1.0ms mcp id-3 tool=order client=inspector\\n1.2 traceparent={TRACE}"
    )


def test_a_call_is_one_line_of_text() -> None:
    stream = StringIO()
    configure_logging(stream=stream, format="text")
    log_call(GOOD)
    log_call(BAD)

    first, second = stream.getvalue().splitlines()
    assert first.partition(" ")[2] == "info    order OK 200 1.234ms http id-1"
    assert second.partition(" ")[2] == "warning - INTERNAL_ERROR 500 2000.0ms mcp id-2"


def test_the_time_is_that_of_the_call() -> None:
    stream = StringIO()
    configure_logging(stream=stream)
    record = logging.makeLogRecord(
        {
            "name": "contract",
            "msg": "m",
            "created": 1_700_000_000.0625,
            "levelno": 20,
            "levelname": "INFO",
        }
    )
    for _ in range(2):
        logging.getLogger("contract").handle(record)

    assert {line["time"] for line in lines(stream)} == {"2023-11-14T22:13:20.062Z"}


@pytest.mark.parametrize("kind", ["json", "text"])
def test_no_text_can_forge_a_line(kind: Any) -> None:
    stream = StringIO()
    configure_logging(stream=stream, format=kind)
    forged = "2026-01-01T00:00:00.000Z info order OK 200"
    try:
        raise ValueError(f"x\n{forged}\r{forged}\x1b[31m\u2028{forged}\x85{forged}\ud800\x7f")
    except ValueError as error:
        log_exception(f"a\n{forged}\x00", error, route="order", request_id="id")

    written = stream.getvalue()
    assert not any(line.startswith(forged) for line in written.splitlines())
    assert not any(char in written for char in "\r\x1b\x00\u2028\x85\ud800\x7f")
    assert "ValueError" in written


def test_an_exception_comes_with_its_traceback() -> None:
    stream = StringIO()
    configure_logging(stream=stream)
    try:
        raise KeyError("why")
    except KeyError as error:
        log_exception("it broke", error, route="order", request_id="id")
    log_exception("nothing was raised", None, route=None, request_id="id")
    log_exception("every thread is busy", None, route=None, request_id=None)

    first, second, third = lines(stream)
    assert first["message"] == "it broke [route order, request id]"
    assert (first["level"], first["route"], first["request_id"]) == ("error", "order", "id")
    assert "KeyError: 'why'" in first["exception"]
    assert second["message"] == "nothing was raised [request id]"
    assert not {"exception", "route"} & {*second}
    assert third["message"] == "every thread is busy"


@contextmanager
def pipe() -> Generator[tuple[int, TextIO]]:
    """A pipe that nobody reads, unless a test does."""
    reading, writing = os.pipe()
    rest = threading.Thread(target=_read_all, args=(reading,), daemon=True)
    with os.fdopen(writing, "w", encoding="utf-8") as stream:
        try:
            yield reading, stream
        finally:
            rest.start()  # whoever waits for room in it goes on, and then it can be closed
    rest.join()
    os.close(reading)


def _read_all(reading: int) -> None:
    while os.read(reading, 1 << 20):
        pass


def read_until(reading: int, found: Callable[[str], bool]) -> str:
    """What comes of a pipe until there is what is looked for."""
    text = ""
    while not found(text):
        text += os.read(reading, 1 << 20).decode()
    return text


def test_a_log_that_nobody_reads_stops_nobody() -> None:
    """
    A pipe takes some hundred lines, and the queue ten thousand.

    What does not fit is counted, and the count is told.
    """
    with pipe() as (reading, stream):
        handler = configure_logging(stream=stream)
        # the writer stands still with as many as there may be, and as many wait
        for _ in range(2 * MOST + 1_000):
            log_call(GOOD)
        log_call(BAD)
        text = read_until(reading, lambda text: "were dropped" in text and "INTERNAL_ERROR" in text)
        handler.flush()

    told = next(line for line in text.splitlines() if "were dropped" in line)
    assert (json.loads(told)["level"], int(json.loads(told)["message"].split()[0]) > 0) == (
        "warning",
        True,
    )
    assert len(text.splitlines()) > 398


def test_a_line_that_waits_keeps_nothing_of_its_call() -> None:
    """The frames of an exception hold all that its call had, such as the body."""

    class WrongError(Exception):
        pass

    with pipe() as (_, stream):
        configure_logging(stream=stream)
        for _ in range(2 * MOST):
            log_call(GOOD)
        raised = WrongError()
        seen = weakref.ref(raised)
        log_call((*BAD[:6], raised, None, None, None))
        del raised
        kept = seen()

    assert kept is None


@pytest.mark.parametrize("kind", ["json", "text"])
def test_what_is_wrong_is_written_when_it_is_logged(kind: Any) -> None:
    with pipe() as (reading, stream):
        configure_logging(stream=stream, format=kind)
        log_exception("it broke", KeyError("why"), route="order", request_id="id")
        log_call(BAD)

        assert "it broke" in read_until(
            reading, lambda text: text.count(" 500 ") + text.count('"status":500') == 1
        )


def test_lines_come_in_the_order_in_which_they_were_logged() -> None:
    with pipe() as (reading, stream):
        handler = configure_logging(stream=stream, format="text")
        for _ in range(3):
            log_call(GOOD)
            log_exception("it broke", None, route="order", request_id="id")
        handler.flush()
        text = read_until(reading, lambda text: text.count("\n") == 6)

    assert ["order OK" in line for line in text.splitlines()] == [True, False] * 3


def written(*calls: Event) -> list[dict[str, Any]]:
    """The lines of *calls*, many of which are written at once."""
    with pipe() as (reading, stream):
        configure_logging(stream=stream)
        for facts in calls:
            log_call(facts)
        text = read_until(reading, lambda text: text.count("\n") == len(calls))
    return [json.loads(line) for line in text.splitlines()]


def test_each_line_has_the_facts_of_its_own_call() -> None:
    broken: tuple[Event, ...] = tuple(
        (None, "http", "BAD_REQUEST", status, 0.001, f"id-{status}", None, None, None, None)
        for status in (400, 431, 505)
    )
    lines = written(*broken * 50, GOOD, *broken)

    assert [line["status"] for line in lines] == [400, 431, 505] * 50 + [200, 400, 431, 505]
    assert all(line["request_id"] in (f"id-{line['status']}", "id-1") for line in lines)
    assert all((line["level"] == "warning") is (line["status"] == 505) for line in lines)


def test_a_line_differs_from_the_one_before_it_in_one_thing_alone() -> None:
    calls: list[Event] = [
        ("order", "http", "OK", 200, 0.001, "id", None, None, None, None),
        ("order", "http", "OK", 304, 0.001, "id", None, None, None, None),
        ("order", "local", "OK", 304, 0.001, "id", None, None, None, None),
        ("order", "local", "CANCELLED", 304, 0.001, "id", None, None, None, None),
        ("ping", "local", "CANCELLED", 304, 0.001, "id", None, None, None, None),
    ]
    names = ("route", "surface", "code", "status")

    assert [tuple(line[name] for name in names) for line in written(*calls)] == [
        facts[:4] for facts in calls
    ]


def test_every_duration_is_told_to_the_microsecond() -> None:
    """Whatever took about as long before."""
    durations = [number * 5e-7 for number in range(4_200)]
    calls: list[Event] = [
        ("order", "http", "OK", 200, took, "id", None, None, None, None) for took in durations
    ]
    lines = written(*calls)

    assert (
        max(
            abs(line["duration_ms"] / 1000 - took)
            for line, took in zip(lines, durations, strict=True)
        )
        < 5.1e-7
    )


def test_a_handler_beside_others_writes_its_line() -> None:
    keeping = Keeping()
    CALLS.addHandler(keeping)
    [line] = written(GOOD)

    assert (line["status"], len(keeping.records)) == (200, 1)


def test_lines_of_calls_are_written_though_nobody_asks() -> None:
    with pipe() as (reading, stream):
        handler = configure_logging(stream=stream)
        for count in (1, 2, 3):
            log_call(GOOD)
            read_until(reading, lambda text: text.count("\n") == 1)
            if count == 2:
                handler.flush()


@pytest.mark.skipif(not hasattr(signal, "sigwait"), reason="no thread waits for signals there")
def test_a_signal_is_for_those_that_wait_for_it() -> None:
    """The writer takes none: one that is held back everywhere else would go to it, and whoever waits for it would never hear."""
    code = """
import os, signal
from contract import configure_logging
from contract.call.log import log_exception
configure_logging()
log_exception("here", None, route=None, request_id="-")
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
os.kill(os.getpid(), signal.SIGINT)
print(signal.sigtimedwait({signal.SIGINT}, 20).si_signo == signal.SIGINT)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=60)

    assert done.stdout == b"True\n"


def test_the_end_of_a_process_writes_what_waits() -> None:
    code = "from contract.call.log import *; configure_logging(); Listeners(None, logs=True).tell((('a', 'http', 'OK', 200), 0.0, 0.1, 'id', None, (None, None, None)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=60)

    assert b'"request_id":"id"' in done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks there")
def test_a_forked_child_writes_its_own_lines() -> None:
    with pipe() as (reading, stream):
        handler = configure_logging(stream=stream)
        log_call(GOOD)
        handler.flush()
        child = os.fork()
        if not child:  # pragma: no cover  a child tells nothing of what it covered
            log_call(("order", "http", "OK", 200, 0.1, "of the child", None, None, None, None))
            handler.flush()
            os._exit(0)
        os.waitpid(child, 0)

        assert "of the child" in read_until(reading, lambda text: text.count("\n") == 2)


def test_a_stream_that_is_closed_loses_its_lines_and_nothing_else() -> None:
    with pipe() as (_, stream):
        handler = configure_logging(stream=stream)
    log_call(BAD)
    handler.flush()


@pytest.mark.parametrize("kind", ["json", "text"])
def test_what_a_stream_cannot_encode_is_escaped(kind: Any) -> None:
    """``open("calls.log", "w")`` where the locale is C: nothing else of what is written with it may be lost."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as reader:
        with os.fdopen(writing, "w", encoding="ascii") as stream:
            handler = configure_logging(stream=stream, format=kind)
            log_call(GOOD)
            logging.getLogger("contract.shop").info("caf\u00e9 \U0001f40d")
            handler.flush()
        first, second = reader.read().decode("ascii").splitlines()

    assert "order" in first
    assert second.rstrip('"}').endswith(r"caf\u00e9 \ud83d\udc0d")


def test_a_line_that_cannot_be_made_ends_no_log() -> None:
    with pipe() as (reading, stream):
        handler = configure_logging(stream=stream)
        log_call(("order", "mcp", "OK", 200, 0.1, "id", None, "\ud83d", None, None))
        log_call(BAD)

        text = read_until(reading, lambda text: "INTERNAL_ERROR" in text)
        handler.flush()

    assert text.splitlines()[0].startswith("a line of this log could not be made: ")


NAMED: Event = ("order", "mcp", "OK", 200, 0.1, "id-3", None, "order", "Café 漢 1", None)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize("kind", ["json", "text"])
def test_a_text_that_the_stream_cannot_hold_is_escaped(
    tmp_path: Path, encoding: str, kind: Any
) -> None:
    """Else whoever calls itself so would take the lines of others with it."""
    path = tmp_path / "calls.log"
    with path.open("w", encoding=encoding) as stream:
        handler = configure_logging(stream=stream, format=kind)
        log_call(GOOD)
        log_call(NAMED)
        log_call(GOOD)
        handler.flush()

    lines = path.read_text(encoding).splitlines()
    assert ["id-1" in line for line in lines] == [True, False, True]
    assert r"\u6f22 1" in lines[1]


def test_a_stream_that_raises_whatever_it_likes_is_written_to_again() -> None:
    with pipe() as (reading, stream):

        class Odd:
            def __init__(self) -> None:
                self.raised = False

            def fileno(self) -> int:
                return stream.fileno()

            def write(self, text: str) -> int:
                if not self.raised:
                    self.raised = True
                    raise AttributeError("write")
                return stream.write(text)

            def flush(self) -> None:
                stream.flush()

        odd: Any = Odd()
        configure_logging(stream=odd)
        log_call(BAD)
        log_call(BAD)

        assert "id-2" in read_until(reading, lambda text: text.count("\n") == 1)


def test_text_of_an_exception_is_indented() -> None:
    stream = StringIO()
    configure_logging(stream=stream, format="text")
    log_exception("it broke", KeyError("why"), route="order", request_id="id")
    log_exception("nothing was raised", None, route="order", request_id="id")

    first, *indented, last = stream.getvalue().splitlines()
    assert first.endswith("error   it broke [route order, request id]")
    assert indented == ["    KeyError: 'why'"]
    assert last.endswith("error   nothing was raised [route order, request id]")


def test_other_loggers_may_use_the_handler() -> None:
    stream = StringIO()
    logger = logging.Logger("other")  # noqa: LOG001  pytest listens to those that are registered
    logger.addHandler(CallHandler(stream))
    logger.warning("hello %s", "you")

    assert lines(stream)[0]["message"] == "hello you"


def test_a_record_that_cannot_be_made_is_reported_as_logging_does_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    stream = StringIO()
    logger = logging.Logger("other")  # noqa: LOG001  pytest listens to those that are registered
    logger.addHandler(CallHandler(stream))
    logger.warning("hello %d", "you")

    assert stream.getvalue() == ""
    assert "Logging error" in capsys.readouterr().err


class Keeping(logging.Handler):
    """An ordinary handler."""

    def __init__(self, level: int = logging.NOTSET) -> None:
        super().__init__(level)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


def test_ordinary_handlers_get_an_ordinary_record() -> None:
    handler = Keeping()
    CALLS.addHandler(handler)
    CALLS.setLevel(logging.INFO)
    log_call(GOOD)

    [record] = handler.records
    assert record.name == "contract.calls"
    assert record.levelno == logging.INFO
    assert record.call == CallEvent(*GOOD)  # type: ignore[attr-defined]
    assert (record.route, record.status, record.request_id) == ("order", 200, "id-1")  # type: ignore[attr-defined]
    assert record.getMessage() == "order OK 200 1.234ms http id-1", (
        "time and level are put there by the formatter of the user"
    )


def test_every_handler_on_the_way_up_gets_it(loggers: logging.Logger) -> None:
    first, second, third = Keeping(), Keeping(), Keeping(logging.WARNING)
    stream = StringIO()
    CALLS.addHandler(first)
    CALLS.setLevel(logging.INFO)
    loggers.addHandler(second)
    loggers.addHandler(third)
    loggers.addHandler(CallHandler(stream))
    loggers.propagate = False
    log_call(GOOD)
    log_call(BAD)

    assert [len(each.records) for each in (first, second, third)] == [2, 2, 1]
    assert first.records[0] is second.records[0]
    assert len(lines(stream)) == 2


def work(input: bool, ctx: None) -> None:
    if input:
        raise KeyError("why")


def make_calls() -> None:
    """Call a route that works, and then breaks."""
    exchange = through_service(
        service_of(spec(routes=[route(summary="S", tags=["t"], auth="none")(work)]))
    )
    for body in (b"false", b"true"):
        exchange(RawRequest(target="/work", body=body))


def test_levels_are_the_users_switch() -> None:
    handler = Keeping()
    CALLS.addHandler(handler)
    for level in (logging.INFO, logging.WARNING, logging.ERROR):
        CALLS.setLevel(level)
        make_calls()

    assert [record.status for record in handler.records] == [200, 500, 500]  # type: ignore[attr-defined]


@pytest.mark.parametrize("of", ["handler", "logger"])
def test_filters_are_asked(of: str) -> None:
    stream = StringIO()
    handler = CallHandler(stream)
    CALLS.addHandler(handler)
    CALLS.setLevel(logging.INFO)
    filtered: logging.Filterer = handler if of == "handler" else CALLS
    filtered.addFilter(lambda record: record.status != 200)  # type: ignore[attr-defined]
    log_call(GOOD)
    log_call(BAD)

    assert [line["status"] for line in lines(stream)] == [500]


def test_a_handler_of_a_subclass_gets_a_record() -> None:
    class Louder(CallHandler):
        def emit(self, record: logging.LogRecord) -> None:
            self.stream.write("! ")
            super().emit(record)

    stream = StringIO()
    CALLS.addHandler(Louder(stream))
    CALLS.setLevel(logging.INFO)
    log_call(GOOD)

    assert stream.getvalue().startswith('! {"time":')


def test_the_handler_of_last_resort_gets_what_is_serious(
    loggers: logging.Logger, capsys: pytest.CaptureFixture[str]
) -> None:
    loggers.propagate = False
    CALLS.setLevel(logging.INFO)
    log_call(GOOD)
    log_call(BAD)

    assert capsys.readouterr().err.count("\n") == 1


class Raising(logging.Handler):
    """A handler that fails."""

    def __init__(self, exception: BaseException) -> None:
        super().__init__()
        self.exception = exception

    def emit(self, record: logging.LogRecord) -> None:
        raise self.exception


@pytest.mark.parametrize(
    "exception",
    [ValueError("x"), SystemExit(3), KeyboardInterrupt(), StopIteration(), GeneratorExit()],
)
def test_a_handler_that_raises_costs_no_exception_its_reply(exception: BaseException) -> None:
    ERRORS.addHandler(Raising(exception))

    log_exception("it broke", ValueError(), route="order", request_id="id")


def test_lines_go_to_standard_error_where_nothing_is_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    handler = configure_logging(level=logging.WARNING)
    make_calls()

    told = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line.get("status") for line in told] == [None, 500]
    assert "KeyError: 'why'" in told[0]["exception"]
    assert handler.format_name == "json"


def test_a_line_of_the_app_has_what_it_says_besides() -> None:
    streams = StringIO(), StringIO()
    logger = logging.Logger("shop")  # noqa: LOG001  pytest listens to those that are registered
    logger.addHandler(CallHandler(streams[0], format="json"))
    logger.addHandler(CallHandler(streams[1], format="text"))
    logger.warning(
        "sold",
        extra={
            "request_id": "r1",
            "order": 17,
            "gift": True,
            "voucher": None,
            "price": Decimal("12.50"),
            "far": 2**70,
            "note": "two\nlines",
            "time": "is told already",
        },
    )

    (told,) = lines(streams[0])
    del told["time"]
    assert told == {
        "level": "warning",
        "logger": "shop",
        "message": "sold",
        "request_id": "r1",
        "order": 17,
        "gift": True,
        "voucher": None,
        "price": "12.50",
        "far": str(2**70),
        "note": "two\nlines",
    }
    assert (
        streams[1]
        .getvalue()
        .endswith(
            "shop: sold request_id=r1 order=17 gift=True voucher=None price=12.50 "
            f"far={2**70} note=two\\nlines\n"
        )
    )


def test_a_line_of_the_app_has_the_call_that_it_was_written_in() -> None:
    streams = StringIO(), StringIO()
    logger = logging.Logger("shop")  # noqa: LOG001  pytest listens to those that are registered
    logger.addHandler(CallHandler(streams[0], format="json"))
    logger.addHandler(CallHandler(streams[1], format="text"))

    logger.warning("before")
    with calling(route="sell", request_id="r1"):
        logger.warning("sold")
        logger.warning("passed on", extra={"request_id": "of another", "order": 17})

    assert [
        {name: fact for name, fact in line.items() if name not in {"time", "level", "logger"}}
        for line in lines(streams[0])
    ] == [
        {"message": "before"},
        {"message": "sold", "route": "sell", "request_id": "r1"},
        {"message": "passed on", "route": "sell", "request_id": "of another", "order": 17},
    ]
    assert "shop: sold route=sell request_id=r1\n" in streams[1].getvalue()


class Price(float):
    """A number that says more than a number."""

    def __str__(self) -> str:
        return f"{float(self)} Euro"


class Word(str):
    """A text whose methods are not those of texts."""

    __slots__ = ()

    def __str__(self) -> str:
        return self

    def split(self, *_args: object, **_options: object) -> list[str]:
        raise ValueError


class Mute:
    """What cannot be written."""

    def __str__(self) -> str:
        raise ValueError("secret")

    __repr__ = __str__


@dataclass
class Account:
    name: str
    password: str = field(repr=False)


LOOP: list[object] = []
LOOP.append(LOOP)


def lines_with(extra: dict[str, object]) -> tuple[dict[str, Any], str]:
    """What the line of an exception says besides, as JSON, and the line for people."""
    streams = StringIO(), StringIO()
    logger = logging.Logger("shop")  # noqa: LOG001  pytest listens to those that are registered
    logger.addHandler(CallHandler(streams[0], format="json"))
    logger.addHandler(CallHandler(streams[1], format="text"))
    try:
        raise KeyError("why")
    except KeyError:
        logger.exception("it broke", extra=extra)

    (told,) = lines(streams[0])
    text = streams[1].getvalue()
    assert told.pop("message") == "it broke"
    assert "KeyError: 'why'" in told.pop("exception")
    assert "KeyError: 'why'" in text
    assert all(line.isprintable() for line in streams[0].getvalue().splitlines())
    del told["time"], told["level"], told["logger"]
    return told, text.splitlines()[0].partition("it broke ")[2]


@pytest.mark.parametrize(
    ("value", "told", "text"),
    [
        (Price(2.5), "2.5 Euro", "2.5 Euro"),
        (Word("a\nb"), "a\nb", "a\\nb"),
        (10**5000, "<int: str() raised>", "<int: str() raised>"),
        (Mute(), "<Mute: str() raised>", "<Mute: str() raised>"),
        (type("A\nB", (Mute,), {})(), "<A\nB: str() raised>", "<A\\nB: str() raised>"),
        (2**63, str(2**63), str(2**63)),
        (-(2**63) + 1, -(2**63) + 1, str(-(2**63) + 1)),
        (float("nan"), None, "nan"),
        (float("-inf"), None, "-inf"),
        ("\ud800\x1b", "\\ud800\\x1b", "\\ud800\\x1b"),
        ("é" * 10_000, "é" * 10_000, "é" * 10_000),
        ("x" * 10_001, "x" * 10_000 + "...", "x" * 10_000 + "..."),
    ],
    ids=[
        *("float", "text", "digits", "mute", "class", "far"),
        *("near", "nan", "inf", "marks", "long", "cut"),
    ],
)
def test_no_value_costs_a_line_or_its_traceback(value: object, told: object, text: str) -> None:
    assert lines_with({"a": value}) == ({"a": told}, f"a={text}")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ([1, 2.5, True, None, "two\nlines"], [1, 2.5, True, None, "two\nlines"]),
        ({"items": ({"id": 1},)}, {"items": [{"id": 1}]}),
        ([], []),
        ([Decimal("12.50"), Mute(), Price(1)], ["12.50", "<Mute: str() raised>", "1.0 Euro"]),
        ([date(2026, 1, 2)], ["2026-01-02"]),
        ([Account("Eve", "secret")], ["Account(name='Eve')"]),
        (["é\x7f\u202e"], ["é\x7f\u202e"]),
        ([2**70], f"[{2**70}]"),
        (["\ud800"], "['\\ud800']"),
        ({1: 2}, "{1: 2}"),
        ({1: Mute()}, "<dict: str() raised>"),
        (LOOP, "[[...]]"),
        (["x" * 10_000], "['" + "x" * 9_998 + "..."),
    ],
    ids=[
        *("list", "dict", "empty", "words", "date", "repr", "marks"),
        *("far", "surrogate", "key", "mute", "loop", "long"),
    ],
)
def test_lists_and_dicts_are_json_where_they_can_be(value: object, told: object) -> None:
    assert lines_with({"a": value})[0] == {"a": told}


def test_no_name_costs_a_line_or_stands_in_it_twice() -> None:
    other_names: dict[Any, object] = {7: "number", Mute(): "mute"}
    own = dict.fromkeys(("time", "level", "logger", "exception"), "another")
    told, text = lines_with({"a\ud800": 1, **own, **other_names})

    assert told == {"a\\ud800": 1, "7": "number", "<Mute: str() raised>": "mute"}
    assert text == "a\\ud800=1 7=number <Mute: str() raised>=mute"


@pytest.mark.parametrize("name", ["shop.orders", "contract", "contract.serve", "_granian"])
def test_a_line_of_somebody_else_says_whose_it_is(name: str) -> None:
    """Those of this package, and of the server in it, are told by what they say."""
    record = logging.LogRecord(name, logging.INFO, "", 0, "sold", (), None)
    streams = StringIO(), StringIO()
    CallHandler(streams[0], format="json").emit(record)
    CallHandler(streams[1], format="text").emit(record)
    is_the_apps = name == "shop.orders"
    logger = f'"logger":"{name}",' if is_the_apps else ""
    said = f"{name}: sold" if is_the_apps else "sold"

    assert streams[0].getvalue().endswith(f'"level":"info",{logger}"message":"sold"}}\n')
    assert streams[1].getvalue().endswith(f"info    {said}\n")


def test_an_urgent_line_is_not_waited_for_where_the_writer_stands_still(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, go_on = threading.Event(), threading.Event()

    class Stuck(StringIO):
        def write(self, text: str) -> int:
            begun.set()
            assert go_on.wait(60)
            return super().write(text)

    stream = Stuck()
    lines = _lines.Lines(stream, "".join, str)
    lines.put("first\n")
    assert begun.wait(60)
    monkeypatch.setattr(_lines, "_BRIEF", -1.0)  # it has been standing still for longer than that
    lines.put_now("urgent\n")

    assert stream.getvalue() == ""
    go_on.set()
    lines.flush(60)
    assert stream.getvalue() == "first\nurgent\n"


def test_a_line_that_is_just_being_made_is_waited_for() -> None:
    """The process could end in between, and its last line would be lost."""
    making, go_on = threading.Event(), threading.Event()

    def slowly(items: list[str]) -> str:
        making.set()
        go_on.wait(60)
        return "".join(items)

    stream = StringIO()
    lines = _lines.Lines(stream, slowly, str)
    lines.put("stopped")
    assert making.wait(60)
    seen: list[str] = []

    def end() -> None:
        lines.flush(60)
        seen.append(stream.getvalue())

    ending = threading.Thread(target=end)
    ending.start()
    ending.join(0.1)  # it would be over at once
    go_on.set()
    ending.join(60)

    assert seen == ["stopped"]
