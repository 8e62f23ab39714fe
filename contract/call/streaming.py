"""
Streaming: sending a stream from its first item to its end, on any server.

The resolver has returned by then; a failure that it returned instead is an ordinary reply. Each
item is requested, checked and written as soon as there is room for it. A failure among the items
ends the stream, and so does an item that does not fit. The generator is closed and the values of
the call end before the last event is written, so a stream that says ``end`` has ended with success.
"""

from __future__ import annotations

from _thread import allocate_lock
from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol, final

from contract.call.bound import Bound
from contract.call.context import OK, Outcome, Reply
from contract.call.ending import ended, lost
from contract.call.incoming import Incoming
from contract.call.log import log_exception
from contract.call.replies import broken, crashed, failed, given_words, raised, returned_words
from contract.call.stream import (
    EVENT,
    EVENTS,
    Form,
    Gathered,
    Items,
    StreamReply,
    checked_id,
    form_for,
)
from contract.declare.failures import Failure
from contract.shape.exceptions import InvalidOutput

__all__ = ["Channel", "Flow", "whole"]


class Channel(Protocol):
    """Passes the parts of a stream to their sender, and has the items requested."""

    async def put(self, part: bytes) -> None:
        """
        Take a *part*, once there is room for it; raises a cancellation if nobody sends any more.
        """
        ...

    def break_off(self) -> None:
        """Have the connection cut off after the last part: the stream is incomplete."""
        ...

    def each(self) -> Awaitable[None]:
        """Put every item, in the thread or loop where its iterator may run."""
        ...

    def check(self) -> None:
        """
        Raise a cancellation if there was one, in spite of which the iterator may have ended.

        The stream is not cut off after this: its values are about to end with success.
        """
        ...

    def cut_off(self) -> str | None:
        """
        The code that ends the stream early, if that is why its items have ended.

        It takes back the cancellation that ended them.
        """
        ...


@final
class Flow:
    """
    One stream: its iterator, and its outcome.

    Attributes:
        leaving: Whether the iterator is to be closed.
        found: The reply that ends it; None if the iterator has come to its end.
        gathered: Keeps the items, if they are not sent one by one.
        number: How many items have been requested, including a wrong one.
    """

    def __init__(self, bound: Bound, opened: StreamReply, incoming: Incoming) -> None:
        items: Items = opened.items
        self.gathered: Final[Gathered | None] = opened.gathered
        self.form: Final[Form] = self.gathered or items.form or form_for(incoming)
        opened.form = self.form
        self._bound: Final = bound
        self._frame: Final = self.form.item
        self._id: Final = opened.stream.id
        self._is_plain: Final = self.form is EVENTS and self._id is None
        self._inside: Final = allocate_lock()
        """Locked while a thread is in the iterator."""
        self._incoming: Final = incoming
        self.leaving: bool = incoming.method == "HEAD"
        self._pred: Final = items.pred
        self._writers: Final = items.failures
        self.found: Reply | None = None
        self.is_async: Final = opened.stream.is_async
        self.items: Final[Any] = opened.stream.items
        self.number: int = 0
        self.over: Final = opened.over
        self._is_logged = False
        self.streams: Final = items.streams
        self._tell_of: Final = self.streams.tell if self.gathered is None else self.gathered.tell

    # One item.

    def write(self, item: object) -> bytes | None:
        """The part for an *item*; None if it ends the stream, and `found` then says how."""
        self.number += 1
        try:
            if isinstance(item, Failure):
                self.found = self._failed(item)
                return None
            data = self._pred.dump(item)
            if self._is_plain and data.isascii():  # most are; a function would cost a fifth of this
                return EVENT % data
            named: str | None = None
            if self._id is not None:
                named = checked_id(self._id(item))
            return self._frame(data, named)
        except BaseException as exception:  # noqa: BLE001  objects of the user's are looked into
            self.found = self._misfit(exception)
            return None

    def _failed(self, failure: Failure) -> Reply:
        writer = self._writers.get(type(failure))
        if writer is None:
            declared = returned_words(self._bound.resolver)
            problem = f"is {given_words(failure)}, and the resolver declares {declared}"
            return self._broken(problem, InvalidOutput((), problem))
        return writer.reply(failure)

    def _misfit(self, exception: BaseException) -> Reply:
        if isinstance(exception, InvalidOutput):
            return self._broken(f"does not fit its declared type: {exception}", exception)
        return crashed(self._bound, exception, f"writing {self._place()} raised", self._incoming)

    def _broken(self, problem: str, cause: InvalidOutput) -> Reply:
        message = f"{self._place()} {problem} ({self._bound.where})"
        return broken(self._bound, message, self._incoming, cause)

    def _place(self) -> str:
        return f"{self.form.part} {self.number} of the {self.form.word}"

    def fail(self, exception: BaseException) -> None:
        """Record that the iterator raised, or must not go on."""
        who = f"the iterator of the {self.form.word}, after {self.number} {self.form.part}s,"
        self.found = raised(self._bound, exception, self._incoming, who, self._writers)

    # The iterator in threads: only one may be in it, and the last one to leave closes it.

    def next_here(self) -> list[bytes]:
        """The next part; empty at the end; never raises."""
        if not self._inside.acquire(blocking=False):
            return []
        if self.leaving:  # before this thread came
            self._leave()
            return []
        part: bytes | None = None
        try:
            item = next(self.items)
        except StopIteration:
            pass
        except BaseException as exception:  # noqa: BLE001  whatever it is, the stream ends with it
            self.fail(exception)
        else:
            part = self.write(item)
        if part is None:
            self.leaving = True
        self._leave()
        return [] if part is None else [part]

    def close_here(self) -> None:
        """Close the iterator as soon as no thread is in it; never raises."""
        self.leaving = True
        if self._inside.acquire(blocking=False):
            self._close()

    def leave(self) -> bool:
        """
        Have the iterator closed by the thread that is in it, when it returns.

        If no thread is in it, return True: the caller must close it.
        """
        self.leaving = True
        return not self._inside.locked()

    def _leave(self) -> None:
        # Whoever sets `leaving` while this thread is in the iterator leaves the closing to it. So
        # this thread checks `leaving` once more when it has released the lock: one of the two finds
        # the lock free, and only one takes it.
        self._inside.release()
        if self.leaving and self._inside.acquire(blocking=False):
            self._close()

    def _close(self) -> None:
        close: Callable[[], object] | None = getattr(self.items, "close", None)
        if close is not None:
            try:
                close()
            except BaseException as exception:  # noqa: BLE001  the stream is over
                self._tell_of_close(exception)

    # The iterator on an event loop, where one task requests all items.

    async def each(self, put: Callable[[bytes], Awaitable[None] | None]) -> None:
        """
        Pass every item of an async iterator to *put*, and close it.

        What *put* returns is awaited before the next item is requested.
        """
        try:
            if self.leaving:
                return
            async for item in self.items:
                part = self.write(item)
                if part is None:
                    return
                room = put(part)
                if room is not None:
                    await room
        finally:
            await self._close_later()

    async def _close_later(self) -> None:
        close: Callable[[], Awaitable[object]] | None = getattr(self.items, "aclose", None)
        if close is not None:
            try:
                await close()
            except Exception as exception:  # noqa: BLE001  the stream is over
                self._tell_of_close(exception)

    def _tell_of_close(self, exception: BaseException) -> None:
        message = f"closing the iterator of a {self.form.word} raised"
        log_exception(message, exception, self._bound.name, self._incoming.request_id)
        if self.found is None:
            self.found = failed("INTERNAL_ERROR", exception=exception)

    # The whole stream.

    async def last(self) -> bytes | None:
        """
        The last part, once the values of the call have ended with the outcome.

        None if the connection must be cut off.
        """
        found = b"" if self.found is None else self.found
        if not self.over:
            found = await ended(self._bound, found, self._incoming)
        if isinstance(found, Reply):
            self.found = found
            return self.form.error(found.body)
        return self.form.end()

    def tell(self) -> None:
        """Tell the log and ``on_call`` that it is over."""
        found = self.found
        if found is None:
            self._tell(OK, 200)
        else:
            self._tell(found.code, found.status, found.exception)

    def tell_cut(self, code: str) -> None:
        """Tell them that it ended with a *code*, while its iterator goes on."""
        self._tell(code, failed(code).status)

    def tell_cancelled(self) -> None:
        """Tell them that the client went before its end."""
        self._tell("CANCELLED", 499)

    def _tell(self, code: str, status: int, exception: BaseException | None = None) -> None:
        if not self._is_logged:
            self._is_logged = True
            outcome = Outcome(self._bound.name, "http", code, status)
            self._tell_of(self._incoming, outcome, exception)


async def whole(stream: Flow, channel: Channel, incoming: Incoming) -> None:
    """
    Send a stream from its first item to its end; raises only cancellations.

    If it is cancelled, the values of its call end, unless they have ended.
    """
    try:
        try:
            await channel.each()
            channel.check()
        except BaseException as exception:
            code = channel.cut_off()
            if code is not None:
                stream.found = failed(code)
            elif incoming.ends(exception):
                raise
            else:
                stream.fail(exception)
        last = await stream.last()
        stream.tell()
        if last is None:
            channel.break_off()
        elif last:
            await channel.put(last)
    except BaseException as exception:
        if not stream.over:
            await lost(incoming, exception)
        raise
