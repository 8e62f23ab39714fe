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
from time import perf_counter
from typing import Any, Final, Literal, final

import orjson

from contract.call.context import NO_CLIENT, CallEvent, Client, Outcome, Surface, running
from contract.shape.quoting import cut

__all__ = [
    "CLOCK",
    "SHORT",
    "LogFormat",
    "call_line",
    "dropped_line",
    "duration",
    "durations",
    "event_of",
    "line_of",
    "record_of",
    "said",
]

LogFormat = Literal["json", "text"]
"""One JSON object a line, or columns for people."""


def call_line(event: CallEvent, form: LogFormat) -> str:
    """The line of a call, with its end."""
    facts = _named(event, time.time())
    if form == "text":
        return _text(facts) + "\n"
    try:
        return _json(facts) + "\n"
    except orjson.JSONEncodeError:  # half of a surrogate pair, which a client calls itself
        return json.dumps(facts, separators=(",", ":")) + "\n"


def line_of(record: logging.LogRecord, form: LogFormat) -> str:
    """
    The line for a record that is not of a call, with its end.

    Lines of a traceback follow it, indented, if it is for people.
    """
    facts: dict[str, Any] = {"time": _clock(record.created), "level": record.levelname.lower()}
    is_the_apps_own = not f"{record.name}.".startswith("contract.")
    if is_the_apps_own:
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
        return _json(escaped | {name: _plain(fact) for name, fact in more.items()}) + "\n"
    said = [_text(facts), *(f"{name}={_worded(fact)}" for name, fact in more.items())]
    lines = [" ".join(said), *facts.get("exception", "").rstrip().split("\n")]
    return "\n    ".join(_printable(line) for line in lines if line) + "\n"


def dropped_line(count: int, form: LogFormat) -> str:
    """The line which says that *count* lines before it were dropped."""
    message = f"{count} lines of this log were dropped: they came faster than they are read"
    facts = {"time": _clock(time.time()), "level": "warning", "message": message}
    if form == "text":
        return _text(facts) + "\n"
    return _json(facts) + "\n"


def record_of(event: CallEvent, logger: logging.Logger, level: int) -> logging.LogRecord:
    """The record of a call for handlers of the user's own, with its facts as attributes."""
    facts = _named(event, time.time())
    # the user's own formatter adds these
    del facts["time"], facts["level"]
    extra = {"call": event, **facts}
    return logger.makeRecord(logger.name, level, "", 0, _outcome(facts), (), None, extra=extra)


def event_of(
    outcome: Outcome,
    duration: float,
    request_id: str,
    exception: BaseException | None = None,
    client: Client = NO_CLIENT,
) -> CallEvent:
    """The event of a call that took *duration* seconds."""
    of = (outcome.route, outcome.surface, outcome.code, outcome.status)
    return CallEvent(*of, duration, request_id, exception, *client)


# From here on: the pieces of the JSON line of most calls, ready as text. `call_line` makes the same
# line in four times as long: to format a float alone costs as much as all of the rest.


@final
class Clock:
    """
    The time of day as the beginning of a JSON line; it is made once for each millisecond.

    Attributes:
        now: The text, and the `time.perf_counter` from which on there has to be another one. It is
            one attribute, since threads share it.
    """

    __slots__ = ("now",)

    def __init__(self) -> None:
        self.now: tuple[str, float] = ("", 0.0)

    def next(self) -> str:
        """Make the text for this millisecond, and return it."""
        ticks, at = perf_counter(), time.time()
        text = f'{{"time":"{_clock(at)}",'
        # calls have the time of `perf_counter` at hand, so that says when this millisecond is over
        self.now = (text, ticks + 0.001 - at % 0.001)
        return text


CLOCK: Final = Clock()


def said(outcome: Outcome) -> str:
    """The part of a JSON line that all calls with this *outcome* share; it is kept there."""
    outcome.said = _said(outcome.route, outcome.surface, outcome.code, outcome.status)
    return outcome.said


@lru_cache  # for routes and codes
def _said(route: str | None, surface: Surface, code: str, status: int) -> str:
    facts = {"level": "info", "route": route, "surface": surface, "code": code, "status": status}
    return f'{_json(facts)[1:-1]},"duration_ms":'


SHORT: Final = 2_000
"""In microseconds; most calls take less."""


def duration(microseconds: int) -> str:
    """The text between the outcome and the id."""
    return f'{microseconds / 1000},"request_id":"'


@cache
def durations() -> list[str]:
    """Microseconds below `SHORT` -> their `duration`."""
    return [duration(microseconds) for microseconds in range(SHORT)]


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
    elif "logger" in facts:
        said = f"{facts['logger']}: {facts['message']}"
    else:
        said = facts["message"]
    return f"{facts['time']} {facts['level']:<7} {said}"


def _outcome(facts: dict[str, Any]) -> str:
    outcome = f"{facts['code']} {facts['status']} {facts['duration_ms']}ms"
    told = f"{facts['route'] or '-'} {outcome} {facts['surface']} {facts['request_id']}"
    for name in ("tool", "client", "traceparent"):
        if name in facts:
            told += f" {name}={_printable(facts[name])}"
    return told


_OF_EVERY_RECORD: Final = frozenset(vars(logging.makeLogRecord({}))) | {"asctime"}

_LONGEST: Final = 10_000
"""In characters; what is given besides a message is cut here."""

_AS_WORDS: Final = (
    orjson.OPT_PASSTHROUGH_DATACLASS  # whose repr may leave a field out
    | orjson.OPT_PASSTHROUGH_SUBCLASS
)


def _call_here() -> dict[str, object]:
    """The call that the app's own code runs in, if any, by which its lines are found again."""
    call = running()
    if call is None:
        return {}
    return {"route": call.route, "request_id": call.request_id}


def _given(record: logging.LogRecord, told: Mapping[str, object]) -> dict[str, object]:
    """The ``extra=`` of a record, without the names that its line has already."""
    taken = {*_OF_EVERY_RECORD, *told, "exception"}
    given = {_escaped(_worded(name)): value for name, value in vars(record).items()}
    return {name: value for name, value in given.items() if name not in taken}


def _plain(fact: object) -> object:
    """
    A fact as JSON has it, whatever it is: a bad one must not cost the line.

    It is a number, true, false, null, a list or an object, or a text without control characters.
    """
    # JSON readers commonly take integers of 64 bits with a sign; larger ones are written as texts
    if type(fact) is int and abs(fact) < 2**63:
        return fact
    if fact is None or type(fact) in (bool, float):
        return fact
    if type(fact) in (list, tuple, dict):
        with suppress(TypeError):  # a key that is no text, a number too big, a list within itself
            text = orjson.dumps(fact, default=_worded, option=_AS_WORDS).decode()
            if len(text) <= _LONGEST:
                # orjson leaves some control characters as they are
                if not text.isprintable():
                    text = json.dumps(orjson.loads(text))
                return orjson.Fragment(text)
    return _escaped(_worded(fact))


def _worded(fact: object) -> str:
    """*fact* as ``str()`` writes it, cut short; that may raise, as for an int of 5,000 digits."""
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
    return "".join(map(_visible, line))


def _visible(char: str) -> str:
    """The character, or its escape in Python."""
    if char.isprintable():
        return char
    return repr(char)[1:-1]
