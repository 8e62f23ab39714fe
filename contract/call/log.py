"""
Logs: one line for each call, through the standard ``logging`` module.

There are two loggers: ``contract.calls`` (INFO for replies, WARNING for 500s) and
``contract.errors`` (exceptions, with their traceback). A `CallHandler` writes finished lines
itself, without a ``LogRecord``, which would cost more than the line. Every other handler gets an
ordinary record whose ``call`` is the `CallEvent`.
"""

from __future__ import annotations

import json
import logging
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from math import floor
from time import perf_counter
from typing import Any, Final, Literal, TextIO, final

import orjson

from contract.call.context import NO_CLIENT, CallEvent, CallFacts, Outcome, Surface
from contract.call.lines import Lines, has_descriptor
from contract.shape.quoting import cut

__all__ = [
    "CALLS",
    "ERRORS",
    "CallHandler",
    "Listeners",
    "LogFormat",
    "configure_logging",
    "log_exception",
]

CALLS: Final = logging.getLogger("contract.calls")
ERRORS: Final = logging.getLogger("contract.errors")

LogFormat = Literal["json", "text"]
"""One JSON object a line, or columns for people."""


class CallHandler(logging.Handler):
    """
    Writes calls and exceptions as single lines.

    A separate thread writes them in batches, so that no call waits for the log's reader; exceptions
    and 500s are written at once. If lines come faster than they are read, up to ten thousand wait,
    and a line says how many were dropped. A stream in memory is written directly.

    Args:
        stream: Where to write; standard error by default. Each line is one write.
        format: "json" (one object a line, control characters escaped) or "text".
    """

    # as logging calls it
    def __init__(self, stream: TextIO | None = None, *, format: LogFormat = "json") -> None:  # noqa: A002
        super().__init__()
        self.stream: Final = sys.stderr if stream is None else stream
        self.format_name: Final = format
        self.lines: Final = (
            Lines(self.stream, self._text_of, self._lost) if has_descriptor(self.stream) else None
        )
        """The queue of lines; None for a stream in memory, which never blocks."""

    def write_call(self, facts: CallFacts) -> None:
        """Write the line of a call, without a record."""
        if self.lines is None:
            self._write(self._text_of([facts])[:-1])
        elif facts[0][3] < 500:
            self.lines.put(facts)
        else:
            # without the exception, whose frames hold the body: many lines may have to wait
            outcome, started, ended, request_id, _, client = facts
            self.lines.put_now((outcome, started, ended, request_id, None, client))

    def flush(self) -> None:
        """
        Wait until all logged lines are written, at most for a second.

        ``logging.shutdown`` calls this at the end of a process.
        """
        if self.lines is not None:
            self.lines.flush()

    def _text_of(self, items: list[str | CallFacts]) -> str:
        """The lines for *items*; each is a finished line, or the facts of a call."""
        if self.format_name == "json":
            return _lines_of(items)
        return "".join(
            f"{item if isinstance(item, str) else _text(_said_of(item, _offset()))}\n"
            for item in items
        )

    def _lost(self, count: int) -> str:
        said = f"{count} lines of this log were dropped: they came faster than they are read"
        facts = {"time": _clock(time.time()), "level": "warning", "message": said}
        return (_json(facts) if self.format_name == "json" else _text(facts)) + "\n"

    def emit(self, record: logging.LogRecord) -> None:
        """Write any other record: exceptions, and those of other loggers."""
        try:
            call = getattr(record, "call", None)
            if isinstance(call, CallEvent):
                self.write_call(_facts_of(call))
                return
            facts: dict[str, Any] = {
                "time": _clock(record.created),
                "level": record.levelname.lower(),
            }
            is_the_apps_own = not f"{record.name}.".startswith(("contract.", "_"))
            if is_the_apps_own:  # granian's loggers begin with an underscore
                facts["logger"] = record.name
            facts["message"] = record.getMessage()
            more: dict[str, object] = {}
            if is_the_apps_own:
                more = _given(record, facts)
            else:
                for name in ("route", "request_id"):
                    value = getattr(record, name, None)
                    if isinstance(value, str):
                        facts[name] = value
            if record.exc_info:
                facts["exception"] = "".join(traceback.format_exception(*record.exc_info))
            if self.format_name == "json":
                told = {name: _escaped(fact) for name, fact in facts.items()}
                self._write(_json(told | {name: _plain(fact) for name, fact in more.items()}))
            else:
                said = [_text(facts), *(f"{name}={_worded(fact)}" for name, fact in more.items())]
                lines = [" ".join(said), *facts.get("exception", "").rstrip().split("\n")]
                self._write("\n    ".join(_printable(line) for line in lines if line))
        except Exception:  # noqa: BLE001  what logging's own handlers do
            self.handleError(record)

    def _write(self, line: str) -> None:
        if self.lines is not None:
            self.lines.put_now(line)
            return
        self.stream.write(line + "\n")
        self.stream.flush()


def configure_logging(
    *,
    format: LogFormat = "json",  # noqa: A002
    stream: TextIO | None = None,
    level: int = logging.INFO,
) -> CallHandler:
    """
    Send everything that this package logs to *stream*.

    For programs that do not configure logging themselves.
    """
    handler = CallHandler(stream, format=format)
    logger = logging.getLogger("contract")
    logger.addHandler(handler)
    logger.setLevel(level)
    logger.propagate = False
    return handler


@final
class Listeners:
    """
    The listeners to the calls of one mount: the log, and a function of the user.

    An exception in either never affects a reply.

    Args:
        on_call: The user's function.
        logs: Whether calls are logged.

    Attributes:
        are_there: Whether there is any listener.
    """

    def __init__(self, on_call: Callable[[CallEvent], None] | None, *, logs: bool) -> None:
        self._logs: Final = logs
        self._on_call: Final = on_call
        self.are_there: Final = logs or on_call is not None

    def tell(self, facts: CallFacts) -> None:
        """Tell the listeners about a call."""
        if self._logs:
            # the usual case of `configure_logging`, checked at once: a function for each question
            # would cost as much as the line
            logger = CALLS.parent or CALLS
            if (
                facts[0][3] < 500
                and len(logger.handlers) == 1
                and type(handler := logger.handlers[0]) is CallHandler
                and handler.lines is not None
                and handler.level <= logging.INFO
                and CALLS.propagate
                and not (CALLS.handlers or CALLS.filters or handler.filters or logger.propagate)
                and CALLS.isEnabledFor(logging.INFO)
            ):
                handler.lines.put(facts)
            else:
                _log_everywhere(facts)
        if self._on_call is not None:
            event = _event_of(facts)
            try:
                self._on_call(event)
            except BaseException as exception:  # noqa: BLE001
                log_exception(
                    "on_call raised", exception, route=event.route, request_id=event.request_id
                )


def _log_everywhere(facts: CallFacts) -> None:
    """
    Write the line of a call to all handlers of ``contract.calls``.

    Exceptions of a handler never leave this function.
    """
    level = logging.WARNING if facts[0][3] >= 500 else logging.INFO
    try:
        if CALLS.isEnabledFor(level):
            _hand_on(facts, level)
    except BaseException:  # noqa: BLE001, S110
        # a broken handler of the user; there is nowhere to report it
        pass


def _hand_on(facts: CallFacts, level: int) -> None:
    """Pass a call to each handler, as a logger does with its records."""
    record: logging.LogRecord | None = None
    logger: logging.Logger | None = CALLS
    found = False
    while logger is not None and not CALLS.filters:
        for handler in logger.handlers:
            found = True
            if level < handler.level:
                continue
            if type(handler) is CallHandler and not handler.filters:
                handler.write_call(facts)
                continue
            if record is None:
                record = _record(_event_of(facts), level)
            handler.handle(record)
        logger = logger.parent if logger.propagate else None
    if not found:
        # it applies the logger's own filters, and has a handler of last resort
        CALLS.handle(_record(_event_of(facts), level))


def log_exception(
    message: str,
    exception: BaseException | None,
    *,
    route: str | None = None,
    request_id: str | None = None,
) -> None:
    """
    Write an exception with its traceback, and with the call that it happened in, if any.

    Exceptions of a handler never leave this function.
    """
    try:
        named = {"route": route, "request": request_id}
        of = [f"{name} {value}" for name, value in named.items() if value is not None]
        told = f"{message} [{', '.join(of)}]" if of else message
        info = None if exception is None else (type(exception), exception, exception.__traceback__)
        ERRORS.error("%s", told, exc_info=info, extra={"route": route, "request_id": request_id})
    except BaseException:  # noqa: BLE001, S110
        # a broken log must not affect a reply, and there is nowhere to report it
        pass


def _record(event: CallEvent, level: int) -> logging.LogRecord:
    facts = _facts(event, time.time())
    # the user's own formatter adds these
    del facts["time"], facts["level"]
    extra = {"call": event, **facts}
    return CALLS.makeRecord(CALLS.name, level, "", 0, _told(facts), (), None, extra=extra)


def _facts_of(event: CallEvent) -> CallFacts:
    outcome: Outcome = (event.route, event.surface, event.code, event.status)
    now = perf_counter()
    client = (event.tool, event.client, event.traceparent)
    return (outcome, now - event.duration, now, event.request_id, event.exception, client)


def _event_of(facts: CallFacts) -> CallEvent:
    outcome, started, ended, request_id, exception, client = facts
    return CallEvent(*outcome, ended - started, request_id, exception, *client)


def _offset() -> float:
    """The offset in seconds from the clock that times calls to the wall clock."""
    return time.time() - perf_counter()


def _said_of(facts: CallFacts, offset: float) -> dict[str, Any]:
    return _facts(_event_of(facts), facts[2] + offset)


def _lines_of(items: list[Any]) -> str:
    """
    The lines of calls in JSON, mixed with finished lines.

    Each is the line that `_json` and `_facts` would make. It is built from what it shares with the
    line before it, and from numbers that are ready as text: formatting a float costs as much as all
    the rest.
    """
    lines: list[str] = []
    add = lines.append
    last: object = None
    head = clock = ""
    since = until = 0.0
    offset = _offset()
    small = _small_times()
    for item in items:
        if type(item) is str:
            add(f"{item}\n")
            continue
        outcome, started, ended, request_id, _, client = item
        if client is not NO_CLIENT:
            # the client names itself, perhaps with characters that JSON escapes; all else is plain
            # ASCII
            add(f"{_json(_said_of(item, offset))}\n")
            continue
        at = ended + offset
        if not since <= at < until:
            since = int(at * 1000) / 1000
            clock, until, last = _clock(at), since + 0.001, None
        if outcome is not last:
            last, head = outcome, f'{{"time":"{clock}",{_said(*outcome)}'
        # not int(), which costs as much as three lines of this function
        microseconds: int = floor((ended - started) * 1_000_000 + 0.5)
        took = small[microseconds] if microseconds < _SMALL else _took(microseconds)
        add(f'{head}{took}{request_id}"}}\n')
    return "".join(lines)


_SMALL: Final = 2_000
"""In microseconds; most calls take less."""


@cache
def _small_times() -> list[str]:
    """Microseconds below `_SMALL` -> the text between the outcome and the id."""
    return [_took(microseconds) for microseconds in range(_SMALL)]


def _took(microseconds: int) -> str:
    return f'{microseconds / 1000},"request_id":"'


@lru_cache  # for routes and codes
def _said(route: str | None, surface: Surface, code: str, status: int) -> str:
    level = "warning" if status >= 500 else "info"
    said = _json(
        {"level": level, "route": route, "surface": surface, "code": code, "status": status}
    )
    return f'{said[1:-1]},"duration_ms":'


def _facts(event: CallEvent, at: float) -> dict[str, Any]:
    facts = {
        "time": _clock(at),
        "level": "warning" if event.status >= 500 else "info",
        "route": event.route,
        "surface": event.surface,
        "code": event.code,
        "status": event.status,
        "duration_ms": round(event.duration * 1000, 3),
        "request_id": event.request_id,
    }
    if event.surface == "mcp":
        said = {"tool": event.tool, "client": event.client, "traceparent": event.traceparent}
        facts |= {name: value for name, value in said.items() if value is not None}
    return facts


@lru_cache(maxsize=2)  # thousands of calls share a second
def _second(whole: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole))


def _clock(seconds: float) -> str:
    return f"{_second(int(seconds))}.{int(seconds % 1 * 1000):03}Z"


def _json(facts: dict[str, Any]) -> str:
    return orjson.dumps(facts).decode()


def _text(facts: dict[str, Any]) -> str:
    if "code" in facts:
        said = _told(facts)
    else:
        said = f"{facts['logger']}: {facts['message']}" if "logger" in facts else facts["message"]
    return f"{facts['time']} {facts['level']:<7} {said}"


def _told(facts: dict[str, Any]) -> str:
    outcome = f"{facts['code']} {facts['status']} {facts['duration_ms']}ms"
    told = f"{facts['route'] or '-'} {outcome} {facts['surface']} {facts['request_id']}"
    for name in ("tool", "client", "traceparent"):
        if name in facts:
            told += f" {name}={_printable(facts[name])}"
    return told


_OF_EVERY_RECORD: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}

_LONGEST: Final = 10_000
"""In characters; what is given besides a message is cut here."""

_AS_WORDS: Final = (
    orjson.OPT_PASSTHROUGH_DATACLASS  # whose repr may leave a field out
    | orjson.OPT_PASSTHROUGH_SUBCLASS
)


def _given(record: logging.LogRecord, told: Mapping[str, object]) -> dict[str, object]:
    """What a record was given as ``extra=``, but for names that the line has already."""
    taken = {*_OF_EVERY_RECORD, *told, "exception"}
    given = {_escaped(_worded(name)): value for name, value in vars(record).items()}
    return {name: value for name, value in given.items() if name not in taken}


def _plain(fact: object) -> object:
    """
    A fact as JSON has it, whatever it is: a bad one must not cost the line.

    It is a number, true, false, null, a list or an object, or a text without control characters.
    """
    if type(fact) is int and abs(fact) < 2**63:
        return fact
    if fact is None or type(fact) in (bool, float):
        return fact
    if type(fact) in (list, tuple, dict):
        with suppress(TypeError):  # a key that is no text, a number too big, a list within itself
            text = orjson.dumps(fact, default=_worded, option=_AS_WORDS).decode()
            if len(text) <= _LONGEST:
                # orjson leaves some control characters as they are
                plain = text if text.isprintable() else json.dumps(orjson.loads(text))
                return orjson.Fragment(plain)
    return _escaped(_worded(fact))


def _worded(fact: object) -> str:
    """What ``str()`` gives, cut short; it may raise, as for an int of 5,000 digits."""
    try:
        # a __str__ may give a text of a subclass, with methods of its own
        return cut(str.__str__(str(fact)), _LONGEST)
    except Exception:  # noqa: BLE001  a __str__ of the author's
        return f"<{type(fact).__name__}: str() raised>"


def _escaped(text: str) -> str:
    return "\n".join(map(_printable, text.split("\n")))


def _printable(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in line)
