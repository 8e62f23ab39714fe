"""
The text of log lines: what a line says of a call, and of any other record.

A line is one JSON object, or columns for people. Whatever a record was given, it cannot break the
line, start another one or send control characters to a terminal.
"""

from __future__ import annotations

import json
import logging
import time
import traceback
from collections.abc import Mapping
from contextlib import suppress
from functools import cache, lru_cache
from math import floor
from time import perf_counter
from typing import Any, Final, Literal

import orjson

from contract.call.context import NO_CLIENT, CallEvent, CallFacts, Outcome, Surface, running
from contract.shape.quoting import cut

__all__ = [
    "LogFormat",
    "dropped_line",
    "event_of",
    "facts_of",
    "line_of",
    "lines_of",
    "record_of",
]

LogFormat = Literal["json", "text"]
"""One JSON object a line, or columns for people."""


def lines_of(items: list[str | CallFacts], form: LogFormat) -> str:
    """The lines for *items*; each is a finished line, or the facts of a call."""
    if form == "json":
        return _json_lines(items)
    return "".join(
        f"{item if isinstance(item, str) else _text(_said_of(item, _offset()))}\n" for item in items
    )


def line_of(record: logging.LogRecord, form: LogFormat) -> str:
    """
    The line for a record that is not of a call, without its end.

    Lines of a traceback follow it, indented, if it is for people.
    """
    facts: dict[str, Any] = {"time": _clock(record.created), "level": record.levelname.lower()}
    is_the_apps_own = not f"{record.name}.".startswith(("contract.", "_"))
    if is_the_apps_own:  # granian's loggers begin with an underscore
        facts["logger"] = record.name
    facts["message"] = record.getMessage()
    more: dict[str, object] = {}
    if is_the_apps_own:
        more = _call_here() | _given(record, facts)
    else:
        for name in ("route", "request_id"):
            value = getattr(record, name, None)
            if isinstance(value, str):
                facts[name] = value
    if record.exc_info:
        facts["exception"] = "".join(traceback.format_exception(*record.exc_info))
    if form == "json":
        escaped = {name: _escaped(fact) for name, fact in facts.items()}
        return _json(escaped | {name: _plain(fact) for name, fact in more.items()})
    said = [_text(facts), *(f"{name}={_worded(fact)}" for name, fact in more.items())]
    lines = [" ".join(said), *facts.get("exception", "").rstrip().split("\n")]
    return "\n    ".join(_printable(line) for line in lines if line)


def dropped_line(count: int, form: LogFormat) -> str:
    """The line which says that *count* lines before it were dropped."""
    message = f"{count} lines of this log were dropped: they came faster than they are read"
    facts = {"time": _clock(time.time()), "level": "warning", "message": message}
    return (_json(facts) if form == "json" else _text(facts)) + "\n"


def record_of(event: CallEvent, logger: logging.Logger, level: int) -> logging.LogRecord:
    """The record of a call for handlers of the user's own, with its facts as attributes."""
    facts = _named(event, time.time())
    # the user's own formatter adds these
    del facts["time"], facts["level"]
    extra = {"call": event, **facts}
    return logger.makeRecord(logger.name, level, "", 0, _outcome(facts), (), None, extra=extra)


def facts_of(event: CallEvent) -> CallFacts:
    """The facts of a call whose event another handler has passed on."""
    outcome: Outcome = (event.route, event.surface, event.code, event.status)
    now = perf_counter()
    client = (event.tool, event.client, event.traceparent)
    return (outcome, now - event.duration, now, event.request_id, event.exception, client)


def event_of(facts: CallFacts) -> CallEvent:
    """The event that a user's function is given for *facts*."""
    outcome, started, ended, request_id, exception, client = facts
    return CallEvent(*outcome, ended - started, request_id, exception, *client)


def _offset() -> float:
    """The offset in seconds from the clock that times calls to the wall clock."""
    return time.time() - perf_counter()


def _said_of(facts: CallFacts, offset: float) -> dict[str, Any]:
    return _named(event_of(facts), facts[2] + offset)


def _json_lines(items: list[Any]) -> str:
    """
    The lines of calls in JSON, mixed with finished lines.

    Each is the line that `_json` and `_named` would make. It is built from what it shares with the
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


def _named(event: CallEvent, at: float) -> dict[str, Any]:
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
        said = _outcome(facts)
    else:
        said = f"{facts['logger']}: {facts['message']}" if "logger" in facts else facts["message"]
    return f"{facts['time']} {facts['level']:<7} {said}"


def _outcome(facts: dict[str, Any]) -> str:
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


def _call_here() -> dict[str, object]:
    """The call that the app's own code runs in, if any, by which its lines are found again."""
    call = running()
    return {} if call is None else {"route": call.route, "request_id": call.request_id}


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
