"""Logs: lines, records, and handlers that fail."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
import time
import traceback
import weakref
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TextIO

import pytest

from contract import CallEvent, calling, route, spec
from contract.adapters.mount import service_of
from contract.call import log, log_text
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
from contract.call.log_text import dropped_line, event_of
from tests.tables import rows
from tests.wire.exchange import RawRequest, through_service

Event = tuple[str | None, Surface, str, int, float, str, Any, str | None, str | None, str | None]
"""The attributes of a `CallEvent`, in their order."""

GOOD: Event = ("order", "http", "OK", 200, 0.0012344, "id-1", None, None, None, None)
BAD: Event = (None, "mcp", "INTERNAL_ERROR", 500, 2.0, "id-2", ValueError("x"), None, None, None)


def log_call(event: Event) -> None:
    """Tell of a call as the service does, whoever is to write its line."""
    route, surface, code, status, duration, request_id, exception, *client = event
    said = (event[7], event[8], event[9]) if any(client) else NO_CLIENT
    outcome, listeners = Outcome(route, surface, code, status), Listeners(None, logs=True)
    if status < 500 and said is NO_CLIENT:
        listeners.tell(outcome, 0.0, duration, request_id)
    else:
        listeners.tell_of(event_of(outcome, duration, request_id, exception, said))


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


def logged(kind: Any = "json") -> StringIO:
    """What is written of the calls of a test from now on."""
    stream = StringIO()
    configure_logging(stream=stream, format=kind)
    return stream


def lines(stream: StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@rows(
    "event, told, text",
    (
        GOOD,
        '"level":"info","route":"order","surface":"http","code":"OK","status":200,"duration_ms":1.234,"request_id":"id-1"',
        "info    order OK 200 1.234ms http id-1",
    ),
    (
        BAD,
        '"level":"warning","route":null,"surface":"mcp","code":"INTERNAL_ERROR","status":500,"duration_ms":2000.0,"request_id":"id-2"',
        "warning - INTERNAL_ERROR 500 2000.0ms mcp id-2",
    ),
    (
        ("order", "mcp", "OK", 200, 0.001, "id-3", None, "order", "inspector\n1.2", TRACE),
        f'"level":"info","route":"order","surface":"mcp","code":"OK","status":200,"duration_ms":1.0,"request_id":"id-3","tool":"order","client":"inspector\\n1.2","traceparent":"{TRACE}"',
        f"info    order OK 200 1.0ms mcp id-3 tool=order client=inspector\\n1.2 traceparent={TRACE}",
    ),
    # half of a surrogate pair has no bytes in UTF-8
    (
        ("order", "mcp", "OK", 200, 0.1, "id", None, "\ud83d", None, None),
        '"level":"info","route":"order","surface":"mcp","code":"OK","status":200,"duration_ms":100.0,"request_id":"id","tool":"\\ud83d"',
        "info    order OK 200 100.0ms mcp id tool=\\ud83d",
    ),
    ids=["good", "bad", "mcp", "surrogate"],
)
def test_a_call_is_one_line(event: Event, told: str, text: str) -> None:
    streams = logged(), logged("text")
    log_call(event)

    assert streams[0].getvalue().partition('Z",')[2] == f"{told}}}\n"
    assert streams[1].getvalue().partition("Z ")[2] == f"{text}\n"


def test_the_time_is_that_of_the_call() -> None:
    stream = logged()
    record = logging.LogRecord("contract", logging.INFO, "", 0, "m", (), None)
    record.created = 1_700_000_000.0625
    for _ in range(2):
        logging.getLogger("contract").handle(record)

    assert {line["time"] for line in lines(stream)} == {"2023-11-14T22:13:20.062Z"}


@rows("kind", "json", "text")
def test_no_text_can_forge_a_line(kind: Any) -> None:
    stream = logged(kind)
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
    told, shown = logged(), logged("text")
    try:
        raise KeyError("why")
    except KeyError as error:
        trace = traceback.format_exc()
        log_exception("it broke", error, route="order", request_id="id")
    log_exception("nothing was raised", None, route=None, request_id="id")
    log_exception("every thread is busy", None)

    first, second, third = lines(told)
    assert first["message"] == "it broke [route order, request id]"
    assert (first["level"], first["route"], first["request_id"]) == ("error", "order", "id")
    assert first["exception"] == trace
    assert second["message"] == "nothing was raised [request id]"
    assert not {"exception", "route"} & {*second}
    assert third["message"] == "every thread is busy"
    head, *indented, last, _ = shown.getvalue().splitlines()
    assert head.endswith("error   it broke [route order, request id]")
    assert indented == [f"    {line}" for line in trace.splitlines()]
    assert last.endswith("error   nothing was raised [request id]")


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


@contextmanager
def piped(kind: Any = "json") -> Generator[tuple[int, CallHandler]]:
    """A pipe that the calls of a test are written to."""
    with pipe() as (reading, stream):
        yield reading, configure_logging(stream=stream, format=kind)


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
    with piped() as (reading, handler):
        # the writer stands still with as many as there may be, and as many wait
        for _ in range(2 * MOST + 1_000):
            log_call(GOOD)
        log_call(BAD)
        text = read_until(reading, lambda text: "were dropped" in text and "INTERNAL_ERROR" in text)
        handler.flush()

    told = next(json.loads(line) for line in text.splitlines() if "were dropped" in line)
    assert [*told] == ["time", "level", "message"]
    assert told["level"] == "warning"
    assert int(told["message"].split()[0]) > 0
    assert len(text.splitlines()) > 398


def test_people_are_told_of_dropped_lines_in_columns() -> None:
    time, level, *message = dropped_line(3, "text").split()

    assert time.endswith("Z")
    assert (level, message[:6]) == ("warning", ["3", "lines", "of", "this", "log", "were"])


def test_a_line_that_waits_keeps_nothing_of_its_call() -> None:
    """The frames of an exception hold all that its call had, such as the body."""

    class WrongError(Exception):
        pass

    with piped():
        for _ in range(2 * MOST):
            log_call(GOOD)
        raised = WrongError()
        seen = weakref.ref(raised)
        log_call((*BAD[:6], raised, None, None, None))
        del raised
        kept = seen()

    assert kept is None


@rows("kind", "json", "text")
def test_what_is_wrong_is_written_when_it_is_logged(kind: Any) -> None:
    with piped(kind) as (reading, _):
        log_exception("it broke", KeyError("why"), route="order", request_id="id")
        log_call(BAD)

        assert "it broke" in read_until(
            reading, lambda text: text.count(" 500 ") + text.count('"status":500') == 1
        )


def test_lines_come_in_the_order_in_which_they_were_logged() -> None:
    with piped("text") as (reading, handler):
        for _ in range(3):
            log_call(GOOD)
            log_exception("it broke", None, route="order", request_id="id")
        handler.flush()
        text = read_until(reading, lambda text: text.count("\n") == 6)

    assert ["order OK" in line for line in text.splitlines()] == [True, False] * 3


def written(*calls: Event) -> list[dict[str, Any]]:
    """The lines of *calls*, many of which are written at once."""
    with piped() as (reading, _):
        for facts in calls:
            log_call(facts)
        text = read_until(reading, lambda text: text.count("\n") == len(calls))
    return [json.loads(line) for line in text.splitlines()]


def http(status: int) -> Event:
    return (None, "http", "BAD_REQUEST", status, 0.001, f"id-{status}", None, None, None, None)


BROKEN: tuple[Event, ...] = http(400), http(431), http(505)


@rows(
    "calls",
    (*BROKEN * 50, GOOD, *BROKEN),
    # each differs from the one before it in one thing alone
    (
        ("order", "http", "OK", 200, 0.001, "id", None, None, None, None),
        ("order", "http", "OK", 304, 0.001, "id", None, None, None, None),
        ("order", "local", "OK", 304, 0.001, "id", None, None, None, None),
        ("order", "local", "CANCELLED", 304, 0.001, "id", None, None, None, None),
        ("ping", "local", "CANCELLED", 304, 0.001, "id", None, None, None, None),
    ),
    ids=["statuses", "near"],
)
def test_each_line_has_the_facts_of_its_own_call(calls: tuple[Event, ...]) -> None:
    names = ("route", "surface", "code", "status", "duration_ms", "request_id")
    found = written(*calls)
    for line in found:
        del line["time"]

    assert found == [
        {
            "level": "warning" if facts[3] >= 500 else "info",
            **dict(zip(names, (*facts[:4], round(facts[4] * 1000, 3), facts[5]), strict=True)),
        }
        for facts in calls
    ]


def test_the_time_of_day_is_asked_for_once_a_millisecond(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks, at = 0.0, 0.0
    asked: list[float] = []

    def time_of_day() -> float:
        asked.append(at)
        return at

    monkeypatch.setattr(log_text, "time", SimpleNamespace(**{**vars(time), "time": time_of_day}))
    monkeypatch.setattr(log_text, "perf_counter", lambda: ticks)
    monkeypatch.setattr(log, "CLOCK", clock := log_text.Clock())
    listeners, outcome = Listeners(None, logs=True), Outcome("order", "http", "OK", 200)
    with piped() as (reading, handler):
        handler.setLevel(logging.INFO)  # which changes nothing
        log_call(GOOD)  # from now on the handler is known
        at = 1_000.0625
        listeners.tell(outcome, ticks, ticks, "id")
        assert clock.now[1] == pytest.approx(0.0005)  # the rest of the millisecond
        ticks, at = 0.0003, 1_000.0628
        listeners.tell(outcome, ticks, ticks, "id")
        ticks, at = clock.now[1], 1_000.0631  # just at the end of the millisecond
        listeners.tell(outcome, ticks, ticks, "id")
        text = read_until(reading, lambda text: text.count("\n") == 4)

    told = [json.loads(line)["time"] for line in text.splitlines()]
    seconds = ["00:00.000", *("16:40.062", "16:40.062", "16:40.063")]
    assert told == [f"1970-01-01T00:{each}Z" for each in seconds]
    assert asked == [0.0, 1_000.0625, 1_000.0631]


def test_every_duration_is_told_to_the_microsecond() -> None:
    """Whatever took about as long before."""
    durations = [
        number * 5e-7 + less for number in (*range(1, 4_200, 7), 4_000) for less in (0, -1e-9)
    ]
    calls: list[Event] = [
        ("order", "http", "OK", 200, took, "id", None, None, None, None) for took in durations
    ]
    told = [line["duration_ms"] / 1000 for line in written(*calls)]

    assert max(abs(one - took) for one, took in zip(told, durations, strict=True)) < 5.005e-7


CHANGES: dict[str, Callable[[CallHandler, pytest.MonkeyPatch], object]] = {
    "level": lambda _, __: CALLS.setLevel(logging.ERROR),
    "package's level": lambda _, __: logging.getLogger("contract").setLevel(logging.ERROR),
    "handler's level": lambda handler, _: handler.setLevel(logging.ERROR),
    "handler's filter": lambda handler, _: handler.addFilter(lambda _: False),
    "filter": lambda _, __: CALLS.addFilter(lambda _: False),
    "no handler": lambda handler, _: logging.getLogger("contract").removeHandler(handler),
    "another handler": lambda _, patch: patch.setattr(
        logging.getLogger("contract"), "handlers", [Keeping()]
    ),
    "no propagation": lambda _, patch: patch.setattr(CALLS, "propagate", False),
    "all disabled": lambda _, __: logging.disable(logging.CRITICAL),
    "disabled": lambda _, patch: patch.setattr(CALLS, "disabled", True),
}


@rows("change", *CHANGES.values(), ids=CHANGES)
def test_the_next_call_sees_a_change(
    change: Callable[[CallHandler, pytest.MonkeyPatch], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though the one handler has been found before, and is not looked for again."""
    with piped() as (reading, handler):
        for _ in range(3):
            log_call(GOOD)
        try:
            change(handler, monkeypatch)
            log_call(GOOD)
        finally:
            logging.disable(logging.NOTSET)
        assert handler.lines is not None
        handler.lines.put_now("the end\n")
        text = read_until(reading, lambda text: text.endswith("the end\n"))

    assert text.count("order") == 3


@rows("added_to", "contract.calls", "contract")
def test_the_next_call_is_for_a_new_handler_too(added_to: str) -> None:
    keeping, logger = Keeping(), logging.getLogger(added_to)
    with piped() as (reading, _):
        for _ in range(3):
            log_call(GOOD)
        logger.addHandler(keeping)
        log_call(GOOD)
        logger.removeHandler(keeping)
        log_call(GOOD)
        read_until(reading, lambda text: text.count("\n") == 5)

    assert len(keeping.records) == 1


def test_a_handler_beside_others_writes_its_line() -> None:
    keeping = Keeping()
    CALLS.addHandler(keeping)
    [line] = written(GOOD)

    assert (line["status"], len(keeping.records)) == (200, 1)


@pytest.mark.measured
@pytest.mark.parametrize("forgotten", ["", "logging.config.dictConfig(PLAIN)"])
def test_the_end_of_a_process_writes_what_waits(forgotten: str) -> None:
    """Also where `logging` has forgotten its handlers, as it does when an app configures it."""
    code = f"""
import logging.config
from contract.call.context import Outcome
from contract.call.log import Listeners, configure_logging
configure_logging()
PLAIN = dict(version=1, disable_existing_loggers=False)
{forgotten}
Listeners(None, logs=True).tell(Outcome("a", "http", "OK", 200), 0.0, 0.1, "id")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=60)

    assert b'"request_id":"id"' in done.stderr


def test_a_stream_that_is_closed_loses_its_lines_and_nothing_else() -> None:
    with pipe() as (_, stream):
        handler = configure_logging(stream=stream)
    log_call(BAD)
    handler.flush()


NAMED: Event = ("order", "mcp", "OK", 200, 0.1, "id-3", None, "order", "Café 漢 1", None)


@rows("encoding, coffee", ("ascii", r"caf\u00e9"), ("latin-1", "café"))
@rows("kind", "json", "text")
def test_a_text_that_the_stream_cannot_hold_is_escaped(
    tmp_path: Path, encoding: str, coffee: str, kind: Any
) -> None:
    """``open("calls.log", "w")`` where the locale is C: whoever calls itself so would take the lines of others with it."""
    path = tmp_path / "calls.log"
    with path.open("w", encoding=encoding) as stream:
        handler = configure_logging(stream=stream, format=kind)
        log_call(GOOD)
        log_call(NAMED)
        logging.getLogger("contract.shop").info("café \U0001f40d")
        log_call(GOOD)
        handler.flush()

    lines = path.read_text(encoding).splitlines()
    assert ["id-1" in line for line in lines] == [True, False, False, True]
    assert r"\u6f22 1" in lines[1]
    assert lines[2].rstrip('"}').endswith(rf"{coffee} \ud83d\udc0d")


def logger_of(*handlers: logging.Handler) -> logging.Logger:
    """A logger of the app's own."""
    logger = logging.Logger("shop")  # noqa: LOG001  pytest listens to those that are registered
    for handler in handlers:
        logger.addHandler(handler)
    return logger


def in_both(streams: tuple[StringIO, StringIO]) -> logging.Logger:
    """A logger that writes JSON to one stream, and text to the other."""
    formats = CallHandler(streams[0], format="json"), CallHandler(streams[1], format="text")
    return logger_of(*formats)


def test_a_record_that_cannot_be_made_is_reported_as_logging_does_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    stream = StringIO()
    logger_of(CallHandler(stream)).warning("hello %d", "you")

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
    assert (record.pathname, record.lineno) == ("", 0)
    # time and level are put there by the formatter of the user
    assert record.getMessage() == "order OK 200 1.234ms http id-1"


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


def test_a_line_is_written_without_a_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would cost more than the line."""
    monkeypatch.setattr(logging, "_logRecordFactory", None)
    stream = logged()
    log_call(GOOD)
    log_call(BAD)

    assert [line["status"] for line in lines(stream)] == [200, 500]


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


@rows("of", "handler", "logger")
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


@rows(
    "exception",
    *(ValueError("x"), SystemExit(3), KeyboardInterrupt(), StopIteration(), GeneratorExit()),
)
def test_a_handler_that_raises_costs_nobody_a_reply(exception: BaseException) -> None:
    for logger in (CALLS, ERRORS):
        logger.setLevel(logging.INFO)
        logger.addHandler(Raising(exception))

    log_call(GOOD)
    log_exception("it broke", ValueError(), route="order", request_id="id")


def test_a_line_is_handed_on_at_once_though_its_stream_keeps_some_back() -> None:
    stream = TextIOWrapper(kept := BytesIO())
    handler = configure_logging(stream=stream)
    log_call(GOOD)
    handler.flush()

    assert kept.getvalue().endswith(b'"request_id":"id-1"}\n')


@rows("on_call, logs", (None, False), (None, True), (print, False), (print, True))
def test_who_neither_logs_nor_asks_has_no_listeners(on_call: Any, logs: bool) -> None:
    assert Listeners(on_call, logs=logs).are_there is (logs or on_call is not None)


def test_who_asks_is_told_of_each_call_and_harms_none() -> None:
    stream, told = logged(), list[CallEvent]()

    def on_call(event: CallEvent) -> None:
        told.append(event)
        raise SystemExit(3)

    for logs in (False, True):
        listeners, outcome = Listeners(on_call, logs=logs), Outcome("order", "http", "OK", 200)
        listeners.tell(outcome, 1.0, 1.5, "id-1")
        listeners.tell_of(event_of(outcome, 0.5, "id-2"))

    events = [CallEvent("order", "http", "OK", 200, 0.5, f"id-{number}") for number in (1, 2)]
    assert told == events * 2
    of = [(line.get("message"), line["route"], line["request_id"]) for line in lines(stream)]
    raised = [(f"on_call raised [route order, request id-{n}]", "order", f"id-{n}") for n in (1, 2)]
    calls = [(None, "order", f"id-{n}") for n in (1, 2)]
    assert of == [*raised, calls[0], raised[0], calls[1], raised[1]]


def test_lines_go_to_standard_error_where_nothing_is_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    handler = configure_logging(level=logging.WARNING)
    make_calls()
    assert (handler.stream, CallHandler().stream) == (sys.stderr, sys.stderr)

    told = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line.get("status") for line in told] == [None, 500]
    assert "KeyError: 'why'" in told[0]["exception"]
    assert handler.format_name == "json"


def test_a_line_of_the_app_has_what_it_says_besides() -> None:
    streams = StringIO(), StringIO()
    logger = in_both(streams)
    plain = {"request_id": "r1", "order": 17, "gift": True, "voucher": None}
    more = {
        "price": Decimal("12.50"),
        "far": 2**70,
        "note": "two\nlines",
        "time": "is told already",
    }
    logger.warning("sold", extra={**plain, **more})

    (told,) = lines(streams[0])
    assert told.pop("time") != "is told already"
    said = {"level": "warning", "logger": "shop", "message": "sold", **plain}
    assert told == {**said, "price": "12.50", "far": str(2**70), "note": "two\nlines"}
    text = "shop: sold request_id=r1 order=17 gift=True voucher=None price=12.50"
    assert streams[1].getvalue().endswith(f"{text} far={2**70} note=two\\nlines\n")


def test_a_line_of_the_app_has_the_call_that_it_was_written_in() -> None:
    streams = StringIO(), StringIO()
    logger = in_both(streams)

    logger.warning("before")
    with calling(route="sell", request_id="r1"):
        logger.warning("sold")
        logger.warning("passed on", extra={"request_id": "of another", "order": 17})

    told = lines(streams[0])
    for line in told:
        del line["time"], line["level"], line["logger"]
    assert told == [
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
    logger = in_both(streams)
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


@rows(
    "value, told, text",
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
    ids=[
        *("float", "text", "digits", "mute", "class", "far"),
        *("near", "nan", "inf", "marks", "long", "cut"),
    ],
)
def test_no_value_costs_a_line_or_its_traceback(value: object, told: object, text: str) -> None:
    assert lines_with({"a": value}) == ({"a": told}, f"a={text}")


@rows(
    "value, told",
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
    (["x" * 9_996], ["x" * 9_996]),
    (["x" * 9_997], "['" + "x" * 9_997 + "'..."),
    ids=[
        *("list", "dict", "empty", "words", "date", "repr", "marks"),
        *("far", "surrogate", "key", "mute", "loop", "longest", "too long"),
    ],
)
def test_lists_and_dicts_are_json_where_they_can_be(value: object, told: object) -> None:
    assert lines_with({"a": value})[0] == {"a": told}


def test_what_another_handler_leaves_in_a_record_is_not_said() -> None:
    other, stream = logging.StreamHandler(StringIO()), StringIO()
    other.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    logger_of(other, CallHandler(stream)).warning("sold", extra={"order": 17})

    assert [*lines(stream)[0]] == ["time", "level", "logger", "message", "order"]


def test_no_name_costs_a_line_or_stands_in_it_twice() -> None:
    other_names: dict[Any, object] = {7: "number", Mute(): "mute"}
    own = dict.fromkeys(("time", "level", "logger", "exception"), "another")
    told, text = lines_with({"a\ud800": 1, **own, **other_names})

    assert told == {"a\\ud800": 1, "7": "number", "<Mute: str() raised>": "mute"}
    assert text == "a\\ud800=1 7=number <Mute: str() raised>=mute"


@rows("name", "shop.orders", "_shop", "contracts", "contract", "contract.serve")
def test_a_line_of_somebody_else_says_whose_it_is(name: str) -> None:
    """Those of this package are told by what they say."""
    record = logging.LogRecord(name, logging.INFO, "", 0, "sold %s", ("out",), None)
    streams = StringIO(), StringIO()
    in_both(streams).handle(record)
    is_the_apps = name in {"shop.orders", "_shop", "contracts"}
    logger = f'"logger":"{name}",' if is_the_apps else ""
    said = f"{name}: sold out" if is_the_apps else "sold out"

    assert streams[0].getvalue().endswith(f'"level":"info",{logger}"message":"sold out"}}\n')
    assert streams[1].getvalue().endswith(f"info    {said}\n")
