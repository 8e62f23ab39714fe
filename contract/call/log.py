"""
Logs: one line for each call, through the standard ``logging`` module.

There are two loggers: ``contract.calls`` (INFO for replies, WARNING for 500s) and
``contract.errors`` (exceptions, with their traceback). A `CallHandler` writes finished lines
itself, without a ``LogRecord``, which would cost more than the line. Every other handler gets an
ordinary record whose ``call`` is the `CallEvent`.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from functools import partial
from typing import Final, TextIO, final

from contract.call.context import CallEvent, CallFacts
from contract.call.lines import Lines, has_descriptor
from contract.call.log_text import (
    LogFormat,
    dropped_line,
    event_of,
    facts_of,
    line_of,
    lines_of,
    record_of,
)

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
        text, lost = partial(lines_of, form=format), partial(dropped_line, form=format)
        self.lines: Final = Lines(self.stream, text, lost) if has_descriptor(self.stream) else None
        """The queue of lines; None for a stream in memory, which never blocks."""

    def write_call(self, facts: CallFacts) -> None:
        """Write the line of a call, without a record."""
        if self.lines is None:
            self._write(lines_of([facts], self.format_name)[:-1])
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

    def emit(self, record: logging.LogRecord) -> None:
        """Write any other record: exceptions, and those of other loggers."""
        try:
            call = getattr(record, "call", None)
            if isinstance(call, CallEvent):
                self.write_call(facts_of(call))
            else:
                self._write(line_of(record, self.format_name))
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
            event = event_of(facts)
            try:
                self._on_call(event)
            except BaseException as exception:  # noqa: BLE001
                log_exception("on_call raised", exception, event.route, event.request_id)


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
                record = record_of(event_of(facts), CALLS, level)
            handler.handle(record)
        logger = logger.parent if logger.propagate else None
    if not found:
        # it applies the logger's own filters, and has a handler of last resort
        CALLS.handle(record_of(event_of(facts), CALLS, level))


def log_exception(
    message: str,
    exception: BaseException | None,
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
