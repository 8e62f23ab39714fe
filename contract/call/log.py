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
from collections.abc import Callable, Mapping
from functools import partial
from io import StringIO
from math import floor
from typing import Final, TextIO, cast, final

from contract.call.context import CallEvent, Outcome
from contract.call.lines import Lines, has_descriptor
from contract.call.log_text import (
    CLOCK,
    SHORT,
    LogFormat,
    call_line,
    dropped_line,
    duration,
    durations,
    event_of,
    line_of,
    record_of,
    said,
)
from contract.shape.record import record

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
_PACKAGE: Final = logging.getLogger("contract")
"""The parent of both, where `configure_logging` puts its handler."""
_ENABLED: Final[Mapping[int, bool]] = getattr(CALLS, "_cache", {})
"""
Level -> whether `CALLS` logs it; the logger forgets it when a level is changed.

It is `logging`'s own: to ask ``isEnabledFor`` for each call takes a tenth of its line.
"""


class CallHandler(logging.Handler):
    """
    Writes calls and exceptions as single lines.

    A separate thread writes them in batches, so that no call waits for the log's reader; exceptions
    and 500s are written at once. If lines come faster than they are read, up to ten thousand wait,
    and a line says how many were dropped. A stream in memory is written directly.

    Args:
        stream: Where to write; standard error by default. No write ends within a line.
        format: "json" (one object a line, control characters escaped) or "text".
    """

    # as logging calls it
    def __init__(self, stream: TextIO | None = None, *, format: LogFormat = "json") -> None:  # noqa: A002
        super().__init__()
        self.stream: Final = sys.stderr if stream is None else stream
        self.format_name: Final = format
        lost = partial(dropped_line, form=format)
        self.lines: Final = Lines(self.stream, lost) if has_descriptor(self.stream) else None
        """The queue of lines; None for a stream in memory, which never blocks."""

    def write_call(self, event: CallEvent) -> None:
        """Write the line of a call, without a record."""
        line = call_line(event, self.format_name)
        if self.lines is None or event.status >= 500:
            self._write(line)
        else:
            self.lines.put(line)

    def flush(self) -> None:
        """
        Wait until all logged lines are written, at most for a second.

        This also happens at the end of a process.
        """
        if self.lines is not None:
            self.lines.flush()

    def emit(self, record: logging.LogRecord) -> None:
        """Write any other record: exceptions, and those of other loggers."""
        try:
            call = getattr(record, "call", None)
            if isinstance(call, CallEvent):
                self.write_call(call)
            else:
                self._write(line_of(record, self.format_name))
        except Exception:  # noqa: BLE001  what logging's own handlers do
            self.handleError(record)

    def _write(self, line: str) -> None:
        if self.lines is not None:
            self.lines.put_now(line)
            return
        self.stream.write(line)
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
        self._durations: Final = durations() if logs else []
        self.are_there: Final = logs or on_call is not None

    def tell(self, outcome: Outcome, started: float, ended: float, request_id: str) -> None:
        """
        Tell the listeners about a call over HTTP that has not failed in the service.

        Args:
            outcome: What became of it, with a status below 500.
            started: When it came, as `time.perf_counter` tells.
            ended: When it was over.
            request_id: The id that is sent back.
        """
        if self._logs:
            # The usual case is checked and written here: a function for each question would cost as
            # much as the line, and so would a thread that makes it later, when its facts are no
            # longer in the processor's cache. The case is that `configure_logging` has been called,
            # and nothing has been changed since. Whatever is asked below could drop the line, or
            # hand it to somebody else.
            sole = _SOLE.now
            if (
                _PACKAGE.handlers == sole.handlers
                and _ENABLED.get(logging.INFO)
                and CALLS.propagate
                and not (CALLS.handlers or CALLS.filters or CALLS.disabled or _PACKAGE.propagate)
                and not sole.handler.filters
                and sole.handler.level <= logging.INFO
            ):
                head, until = CLOCK.now
                if ended >= until:
                    head = CLOCK.next()
                took = floor((ended - started) * 1_000_000 + 0.5)  # int() takes twice as long
                if took < SHORT:
                    shown = self._durations[took]
                else:
                    shown = duration(took)
                sole.lines.put(f'{head}{outcome.said or said(outcome)}{shown}{request_id}"}}\n')
            elif CALLS.isEnabledFor(logging.INFO):
                _SOLE.look()
                _hand_on(event_of(outcome, ended - started, request_id))
        if self._on_call is not None:
            self._ask(event_of(outcome, ended - started, request_id))

    def tell_of(self, event: CallEvent) -> None:
        """Tell the listeners about any call."""
        if self._logs:
            _hand_on(event)
        if self._on_call is not None:
            self._ask(event)

    def _ask(self, event: CallEvent) -> None:
        """Call the function of the user."""
        try:
            cast("Callable[[CallEvent], None]", self._on_call)(event)
        except BaseException as exception:  # noqa: BLE001
            log_exception("on_call raised", exception, event.route, event.request_id)


@final
@record
class _Found:
    """
    The handler of all lines, as it stands where `configure_logging` puts it, with no other there.

    To compare two lists of handlers is the quickest way to see that nothing has been changed.
    """

    handlers: list[logging.Handler]
    handler: CallHandler
    lines: Lines


@final
class _Sole:
    """
    Finds that handler.

    Attributes:
        now: What was found last. It is one attribute, since threads share it.
    """

    __slots__ = ("now",)

    def __init__(self) -> None:
        # A handler that is in no list, so `tell` need not ask whether one has been found.
        nobody = CallHandler(StringIO())
        self.now: _Found = _Found([nobody], nobody, Lines(nobody.stream, str))

    def look(self) -> None:
        """See whether there is such a handler now."""
        # a copy, which tells later whether the list has been changed
        handlers = _PACKAGE.handlers.copy()
        if len(handlers) != 1:
            return
        handler = handlers[0]
        if type(handler) is CallHandler and handler.lines and handler.format_name == "json":
            self.now = _Found(handlers, handler, handler.lines)


_SOLE: Final = _Sole()


def _hand_on(event: CallEvent) -> None:
    """
    Pass a call to each handler of ``contract.calls``, as a logger does with its records.

    Exceptions of a handler never leave this function.
    """
    level = logging.WARNING if event.status >= 500 else logging.INFO
    try:
        if CALLS.isEnabledFor(level):
            _hand_to_each(event, level)
    except BaseException:  # noqa: BLE001, S110
        # a broken handler of the user; there is nowhere to report it
        pass


def _hand_to_each(event: CallEvent, level: int) -> None:
    # As `logging.Logger.callHandlers` does, except that a `CallHandler` needs no record, and that
    # one is made only for the first handler that does.
    record: logging.LogRecord | None = None
    logger: logging.Logger | None = CALLS
    found = False
    while logger is not None and not CALLS.filters:
        for handler in logger.handlers:
            found = True
            if level < handler.level:
                continue
            if type(handler) is CallHandler and not handler.filters:
                handler.write_call(event)
                continue
            if record is None:
                record = record_of(event, CALLS, level)
            handler.handle(record)
        logger = logger.parent if logger.propagate else None
    if not found:
        # it applies the logger's own filters, and has a handler of last resort
        CALLS.handle(record_of(event, CALLS, level))


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
        if of:
            message = f"{message} [{', '.join(of)}]"
        info = None
        if exception is not None:
            info = (type(exception), exception, exception.__traceback__)
        extra = {"route": route, "request_id": request_id}
        ERRORS.error("%s", message, exc_info=info, extra=extra)
    except BaseException:  # noqa: BLE001, S110
        # a broken log must not affect a reply, and there is nowhere to report it
        pass
