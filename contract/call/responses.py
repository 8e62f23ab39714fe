"""
The responses of a mount: to calls, with an output, a file or another reply, and with documents.

When a response is made, its call is reported to the log and to ``on_call``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from time import perf_counter
from typing import Final

from contract.call.bound import Bound
from contract.call.cached import ALLOW_CACHED, CACHED_METHODS, Cached, is_kept
from contract.call.context import OK, Outcome, Reply
from contract.call.files import AtHand, Files
from contract.call.headers_out import HeadersOut
from contract.call.incoming import Incoming, Refused
from contract.call.log import Listeners, log_exception
from contract.call.log_text import event_of
from contract.call.message import BARE_HEADERS, JSON_HEADERS, Response, Streamed, preflight
from contract.call.mount_options import Options
from contract.call.published import Shown
from contract.call.replies import failed, refused
from contract.call.stream import Items, StreamReply

__all__ = ["Responses"]

_SENT: Final = ("authorization", "content-type", "x-request-id")
"""The headers that pages of other origins may send with any call."""
_RESUMED: Final = ("last-event-id",)
_CONDITIONS: Final = ("if-none-match", "if-match")
_RANGED: Final = ("if-range", "if-unmodified-since", "range")
_EXPOSED: Final = ("x-request-id", "retry-after")
"""The headers of every response that pages of other origins may read."""
_FILE_HEADERS: Final = (
    "content-disposition",
    "content-range",
    "accept-ranges",
    "etag",
    "last-modified",
)
"""The headers by which a page can describe a file."""
_WITH_COOKIES: Final = (("access-control-allow-credentials", "true"),)
_NO_HEADERS: Final[tuple[str, ...]] = ()
"""The request headers that a file depends on, if it is not read by its URL."""
_UNFINISHED: Final = ("INTERNAL_ERROR", "DEADLINE_EXCEEDED")
"""The failures for which nobody can tell how far the resolver came with its headers."""


class Responses:
    """
    Makes the responses of a mount, with the headers that let pages of other origins read them.

    Args:
        options: The options of the mount.
        cached: Full path -> its route, if caches may keep the output of that.
        routes: The routes of the mount.

    Attributes:
        listeners: They are told of each call that is over.
    """

    def __init__(
        self, options: Options, cached: Mapping[str, Cached], routes: Collection[Bound]
    ) -> None:
        self.listeners: Final = Listeners(options.on_call, logs=options.logging)
        self._cached: Final = cached
        self._origins: Final = frozenset(options.cors_origins)
        taken = [each.credentials for each in routes if each.credentials is not None]
        self._pages: Final = frozenset(origin for each in taken for origin in each.origins)
        """
        The other origins whose pages may send a cookie.

        They may send it to every route: a client of a page sends cookies with all of its calls or
        with none, and a login, which sets the first, is public.
        """
        shown: Collection[Bound] = routes
        if options.visibility != "all":
            shown = [each for each in routes if not each.is_private]
        self._preflights: Final = _Preflights(shown, options)
        # the rest of the mount must not tell what only a private route takes
        self._private: Final = {
            f"{options.prefix}/{each.name}": _Preflights((*shown, each), options)
            for each in routes
            if each.is_private
        }

    def of_call(
        self, incoming: Incoming, bound: Bound, found: bytes | Reply, *, by_url: bool
    ) -> Response:
        """The response to a call of a route: with its output, or with any other reply."""
        given = incoming.outgoing
        if not isinstance(found, bytes):
            if isinstance(found, StreamReply):
                return self._of_stream(incoming, bound, found)
            if isinstance(found, AtHand):
                return self._of_file(incoming, bound, found, by_url=by_url)
            if found.code in _UNFINISHED:
                given = None
            return self.of_reply(incoming, bound.name, found, bound.notices, given)
        if by_url and is_kept(given):
            return self._of_cached(incoming, bound, found)
        self.report(incoming, bound.told)
        more = bound.notices + self._added(incoming, given)
        return Response(200, found, incoming.request_id, JSON_HEADERS, more)

    def _of_stream(self, incoming: Incoming, bound: Bound, found: StreamReply) -> Response:
        """The response that is sent in parts."""
        fixed = found.form.headers
        # Only a download has a form of its own; a stream has the one that the client asks for.
        if found.items.form is None:
            added = self._added(incoming, incoming.outgoing)
            more = bound.notices + tuple(pair for pair in added if pair[0] not in fixed.mapping)
        else:
            more = self._about_file(incoming, bound, found, ())
        return Streamed(incoming.request_id, more, found.parts, fixed)

    def _about_file(
        self, incoming: Incoming, bound: Bound, found: Reply, varies: tuple[str, ...]
    ) -> tuple[tuple[str, str], ...]:
        """The headers that describe a file, those that the call has set, and those for pages."""
        given = incoming.outgoing
        # what the call sets itself replaces what describes the file: two would be ambiguous
        names = () if given is None else given.names
        own = tuple(pair for pair in found.headers if pair[0] not in names)
        return own + bound.notices + self._added(incoming, given, *varies, exposed=_FILE_HEADERS)

    def _of_file(
        self, incoming: Incoming, bound: Bound, found: AtHand, *, by_url: bool
    ) -> Response:
        """The response with a file of known length, or with a part of it."""
        part = found.part
        varies, fixed = _NO_HEADERS, BARE_HEADERS
        if by_url and is_kept(incoming.outgoing):
            kept = self._cached[incoming.path]
            varies, fixed = kept.vary, kept.known
        more = self._about_file(incoming, bound, found, varies) + part.headers
        # A small file, or none of it, is a response with a body; a large one is sent in parts.
        if part.status == 304 or found.file is None:
            if found.file is not None:
                found.file.close()
            self.report(incoming, Outcome(bound.name, "http", OK, part.status))
            body = found.body[part.start : part.start + part.size]
            return Response(part.status, body, incoming.request_id, fixed, more)
        try:
            parts = incoming.items(bound, found.streamed(found.file, part.start, part.size))
        except Refused as refusal:  # there is no thread left
            found.file.close()
            return self.of_reply(incoming, bound.name, refused(refusal), bound.notices)
        # the size is known, so no server has to send it in chunks, and clients can show progress
        length = ("content-length", str(part.size))
        return Streamed(incoming.request_id, (*more, length), parts, fixed, part.status)

    def _of_cached(self, incoming: Incoming, bound: Bound, found: bytes) -> Response:
        """The response with an output that caches may keep."""
        cached = self._cached[incoming.path]
        added = self._added(incoming, incoming.outgoing, *cached.vary, exposed=("etag",))
        response = cached.response(incoming, found, bound.notices + added)
        self.report(incoming, Outcome(bound.name, "http", OK, response.status))
        return response

    def of_reply(
        self,
        incoming: Incoming,
        route: str | None,
        reply: Reply,
        notices: tuple[tuple[str, str], ...] = (),
        given: HeadersOut | None = None,
    ) -> Response:
        """The response with a *reply*, and with the headers that the call has set."""
        self.report(incoming, Outcome(route, "http", reply.code, reply.status), reply.exception)
        # 204: the answer to OPTIONS, which has no body
        fixed = BARE_HEADERS if reply.status == 204 else JSON_HEADERS
        more = reply.headers + notices + self._added(incoming, given)
        return Response(reply.status, reply.body, incoming.request_id, fixed, more)

    def _added(
        self,
        incoming: Incoming,
        given: HeadersOut | None,
        *varies: str,
        exposed: tuple[str, ...] = (),
    ) -> tuple[tuple[str, str], ...]:
        """The headers that the call has set, and those for pages, as in `_cors`."""
        if given is None:
            return self._cors(incoming, *varies, exposed=exposed)
        return given.pairs + self._cors(incoming, *varies, exposed=exposed + given.names)

    def of_document(self, incoming: Incoming, document: Shown) -> Response:
        """The response with a document, a page or a file of the mount."""
        try:
            response = document.response(incoming, self._cors(incoming, "Accept-Encoding"))
        except BaseException as exception:  # noqa: BLE001
            # it may contain defaults and examples, which are the user's objects
            told = "a document could not be written"
            log_exception(told, exception, request_id=incoming.request_id)
            return self.of_reply(incoming, None, failed("INTERNAL_ERROR", exception=exception))
        self.report(incoming, Outcome(None, "http", OK, response.status))
        return response

    def _cors(
        self, incoming: Incoming, *varies: str, exposed: tuple[str, ...] = ()
    ) -> tuple[tuple[str, str], ...]:
        """
        The headers that let a page see a response, and name the headers that it depends on.

        The page may read the *exposed* headers.
        """
        if not self._origins:
            if not varies:
                return ()
            return (("vary", ", ".join(varies)),)
        # in every answer, even to no page: a cache would otherwise give one page the answer that
        # another one may read, and the other way round (Fetch, "CORS protocol and HTTP caches")
        vary = ("vary", ", ".join((*varies, "Origin")))
        origin = incoming.origin
        if origin is None or origin not in self._origins:
            return (vary,)
        allowed = (
            vary,
            ("access-control-allow-origin", origin),
            ("access-control-expose-headers", ", ".join((*_EXPOSED, *exposed))),
        )
        if origin in self._pages:
            return allowed + _WITH_COOKIES
        return allowed

    def preflight(self, incoming: Incoming) -> tuple[tuple[str, str], ...]:
        """The headers for the preflight request of a page that may call; empty for any other."""
        if incoming.origin not in self._origins:
            return ()
        found = self._private.get(incoming.path, self._preflights)
        return found.read if incoming.path in self._cached else found.call

    def report(
        self, incoming: Incoming, outcome: Outcome, exception: BaseException | None = None
    ) -> None:
        """Tell the log and ``on_call`` about a call that is over."""
        # `tell` queues a line that is ready; a 500, or a call with an exception, becomes an event
        started, ended, request_id = incoming.started, perf_counter(), incoming.request_id
        if exception is None and outcome.status < 500:
            self.listeners.tell(outcome, started, ended, request_id)
        else:
            self.listeners.tell_of(event_of(outcome, ended - started, request_id, exception))


class _Preflights:
    """
    The headers for preflight requests, where the headers of these *routes* may be named.

    Attributes:
        call: Those for a route that is called by POST alone.
        read: Those for a route whose output caches may keep.
    """

    def __init__(self, routes: Collection[Bound], options: Options) -> None:
        outputs = {type(each.output) for each in routes}
        sent = [*_SENT]
        if Items in outputs:
            sent += _RESUMED
        for each in routes:
            if each.credentials is not None:
                sent += each.credentials.keys
        sent += options.cors_headers
        self.call: Final = preflight(sent)
        sent += _CONDITIONS
        if Files in outputs:
            sent += _RANGED
        self.read: Final = preflight(sent, CACHED_METHODS, ALLOW_CACHED)
