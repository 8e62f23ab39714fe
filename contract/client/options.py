"""
Options: the settings of a client, for all calls or for a few (``with_options``).

A timeout limits the whole call: every try and the waits between them. So ``timeout=30`` means that
there is a result after 30 seconds, however many tries there were. `Timeout.attempt` limits each
try. Without it, a try that hangs uses up all the time, and there is no other.

Headers are mappings, or functions that a client calls before each try. The flow calls them; here
their results are combined (`gathered_headers`). A header that could break out of its line is
refused, with a message that does not show its value.

`Hooks` are functions that are called with what a client does, for logs and metrics. They are called
in order, in the thread or the task of the call, and must be quick; async clients do not await them.
If one raises, the exception is logged (logger ``contract.client``) and has no other effect
(`tell`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping
from dataclasses import field, replace
from importlib import import_module
from typing import Any, Final, TypeVar, cast, final

from contract.client.forms import Progress
from contract.client.results import NetworkCause
from contract.client.transport import HttpRequest, HttpResponse
from contract.shape.header_values import HEADER_WORD
from contract.shape.record import record
from contract.shape.sentences import Sentences
from contract.shape.urls import has_credentials, is_server_url

__all__ = [
    "DEFAULT_MAX_BYTES",
    "DEFAULT_RETRIES",
    "DEFAULT_TIMEOUT",
    "Ask",
    "AsyncHeaderValue",
    "AsyncHeaders",
    "HeaderValue",
    "Headers",
    "Hooks",
    "Options",
    "RequestEvent",
    "ResponseEvent",
    "Retries",
    "RetryEvent",
    "Timeout",
    "base_url_of",
    "changed_options",
    "credential_headers",
    "check_headers",
    "gathered_headers",
    "options_of",
    "tell",
    "user_agent",
]

E = TypeVar("E")


@final
@record
class RequestEvent:
    """A request is about to be sent."""

    route: str
    attempt: int
    """The number of the try, 1 for the first."""
    request: HttpRequest
    """The request with all its headers; do not log those."""


@final
@record
class ResponseEvent:
    """An answer came, or none will come."""

    route: str
    attempt: int
    """The number of the try, 1 for the first."""
    seconds: float
    """Seconds since the request went out."""
    response: HttpResponse | None
    """The response; None if none came."""
    cause: NetworkCause | None
    """The reason why none came."""
    exception: BaseException | None = field(default=None, repr=False)
    """The exception that the transport raised."""


@final
@record
class RetryEvent:
    """The call will be tried again."""

    route: str
    attempt: int
    """The number of the try to come: 2 for the first of these."""
    delay: float
    """Seconds until the next try."""
    status: int
    """The status of the failed answer; 0 if there was none."""
    cause: NetworkCause | None
    """The reason why there was none."""


@final
@record
class Hooks:
    """The functions that are called during a call."""

    on_request: Callable[[RequestEvent], object] | None = None
    on_response: Callable[[ResponseEvent], object] | None = None
    on_retry: Callable[[RetryEvent], object] | None = None


def tell(hook: Callable[[E], object] | None, event: E) -> None:
    """Call *hook*, if there is one, and log any exception that it raises."""
    if hook is None:
        return
    try:
        hook(event)
    except Exception:  # noqa: BLE001  whatever it is, the call goes on
        import_module("logging").getLogger("contract.client").exception("a hook raised")


HeaderValue = str | Callable[[], str]
"""
A header, or a function that gives it.

The function is called before each try, so that a token may be renewed.
"""

Headers = Mapping[str, HeaderValue] | Callable[[], Mapping[str, str]]
"""Header name -> value or function; or a function that gives all headers."""

AsyncHeaderValue = str | Callable[[], str | Awaitable[str]]
"""A header, or a function that gives it and may be async."""

AsyncHeaders = (
    Mapping[str, AsyncHeaderValue] | Callable[[], Mapping[str, str] | Awaitable[Mapping[str, str]]]
)
"""Header name -> value or function; or a function that gives all; the functions may be async."""


def credential_headers(
    bearer: AsyncHeaderValue | None,
    headers: Mapping[str, AsyncHeaderValue | None],
    cookies: Mapping[str, AsyncHeaderValue | None],
) -> dict[str, AsyncHeaderValue]:
    """
    The headers that carry a credential, by name.

    Args:
        bearer: A token.
        headers: The credentials that are headers, by name.
        cookies: The credentials that are cookies. A server accepts one from its own pages, or with
            a header that no page can set.

    Raises:
        ValueError: There is more than one credential; servers refuse that.
    """
    found: dict[str, AsyncHeaderValue] = {}
    if bearer is not None:
        found["authorization"] = _behind("Bearer ", bearer)
    found |= {name: value for name, value in headers.items() if value is not None}
    for name, value in cookies.items():
        if value is not None:
            found |= {"cookie": _behind(f"{name}=", value), "sec-fetch-site": "none"}
    given = [bearer, *headers.values(), *cookies.values()]
    if sum(value is not None for value in given) > 1:
        raise ValueError("a client sends one credential; give only one")
    return found


def _behind(words: str, value: AsyncHeaderValue) -> AsyncHeaderValue:
    """A *value* with the prefix *words*."""
    if not callable(value):
        return words + value

    def asked() -> str | Awaitable[str]:
        # only what it gives shows whether it is async: a partial or an object may be async as well
        found = value()
        if isinstance(found, str):
            return words + found
        return later(found)

    async def later(found: Awaitable[str]) -> str:
        return words + await found

    return asked


DEFAULT_TIMEOUT: Final = 30.0
"""Seconds for a call."""
DEFAULT_QUIET: Final = 45.0
"""
Seconds in which more of a stream or a file must come: three times the pause of our streams.
"""
DEFAULT_RETRIES: Final = 2
"""Tries after the first one."""
DEFAULT_MAX_BYTES: Final = 16 * 1024 * 1024
"""The most bytes of an answer's body."""


@final
@record
class Timeout:
    """How long a call may take, in seconds."""

    call: float = DEFAULT_TIMEOUT
    """Seconds until there is a result: all tries, and the waits between them."""
    attempt: float | None = None
    """Seconds until a try is given up; None for the time of the whole call."""
    quiet: float = DEFAULT_QUIET
    """
    Seconds in which more of a stream or a file must come, before it is given up.

    Neither has another limit once it has begun. A server that has no new item for a stream sends a
    keep-alive every 15 seconds; for a file there is no such thing.
    """

    def __post_init__(self) -> None:
        limits = {"call": self.call, "attempt": self.attempt, "quiet": self.quiet}
        for name, seconds in limits.items():
            # nan is refused as well: no comparison with it is true
            if seconds is not None and not (0 < seconds < math.inf):
                raise ValueError(
                    f"the timeout {name}={seconds!r} is not a number of seconds above 0"
                )


@final
@record
class Retries:
    """
    How often a call is tried again, and how long to wait before.

    Only calls that read or that may be repeated (the ``effect`` of their routes) are tried again:
    after no answer, or after 429, 502, 503 and 504. The wait is a random part of a time that
    doubles with each try. If the server asks for longer (Retry-After), the wait is that long; if it
    asks for too long, there is no other try.
    """

    limit: int = DEFAULT_RETRIES
    """How many tries may follow the first one."""
    base: float = 0.25
    """The most seconds of the first wait."""
    longest: float = 8.0
    """The most seconds of any wait, unless the server asks for more."""
    longest_asked: float = 30.0
    """The most seconds that a server may ask for."""

    def __post_init__(self) -> None:
        if self.limit < 0:
            raise ValueError(f"retries={self.limit!r} is below 0")
        for name in ("base", "longest", "longest_asked"):
            seconds = getattr(self, name)
            if not (0 <= seconds < math.inf):
                raise ValueError(f"Retries({name}={seconds!r}) is not a number of seconds")


@final
@record
class Options:
    """All options of a client; the ``repr`` omits the headers, which hold tokens."""

    base_url: str
    """The URL of the mount, without a slash at its end."""
    headers: tuple[Any, ...] = field(default=(), repr=False)
    """`Headers` or `AsyncHeaders`; later ones override earlier ones."""
    timeout: Timeout = field(default_factory=Timeout)
    retries: Retries = field(default_factory=Retries)
    hooks: Hooks = field(default_factory=Hooks)
    max_response_bytes: int = DEFAULT_MAX_BYTES
    sentences: Sentences | None = None
    """The texts of issues; None for English."""
    last_event_id: str | None = None
    """The id of the last item of a stream that the caller received."""
    progress: Progress | None = field(default=None, repr=False)
    """Called with how much of the files of a call has been sent."""

    def url_of(self, route: str) -> str:
        """The URL of a *route*, without its input."""
        return f"{self.base_url}/{route}"


def base_url_of(url: str) -> str:
    """
    The *url* without a slash at its end.

    Raises:
        ValueError: It cannot be the base of routes. The message does not show it, since it may
            contain a password.
    """
    if has_credentials(url):
        raise ValueError("the base URL contains credentials; give them as headers")
    if not is_server_url(url):
        rule = "http or https, a host, and neither a query nor a fragment"
        raise ValueError(
            f"the base URL is not that of a server, with {rule}; "
            "write it like https://shop.example/v1"
        )
    return url.rstrip("/")


def options_of(
    base_url: str,
    headers: object,
    timeout: float | Timeout,
    retries: int | Retries,
    hooks: Hooks | None,
    max_response_bytes: int,
    sentences: Sentences | None = None,
) -> Options:
    """
    The options of a new client.

    Raises:
        ValueError: One of them is not valid.
    """
    first = Options(base_url_of(base_url))
    return changed_options(first, headers, timeout, retries, hooks, max_response_bytes, sentences)


def changed_options(
    options: Options,
    headers: object,
    timeout: float | Timeout | None,
    retries: int | Retries | None,
    hooks: Hooks | None,
    max_response_bytes: int | None,
    sentences: Sentences | None = None,
    last_event_id: str | None = None,
    progress: Progress | None = None,
) -> Options:
    """
    Replace those of the *options* that are not None here; headers are added to the existing ones.

    Raises:
        ValueError: One of them is not valid.
    """
    if headers is not None:
        check_headers(headers)
    if last_event_id is not None:
        check_headers({"last-event-id": last_event_id})
    if max_response_bytes is not None and max_response_bytes < 0:
        raise ValueError(f"max_response_bytes={max_response_bytes!r} is below 0")
    sources: tuple[object, ...] | None = None
    if headers is not None:
        sources = (*options.headers, headers)
    # a number of seconds is the limit of the whole call
    if not isinstance(timeout, Timeout | None):
        timeout = Timeout(timeout)
    if not isinstance(retries, Retries | None):
        retries = Retries(retries)
    changes: dict[str, Any] = {
        "headers": sources,
        "timeout": timeout,
        "retries": retries,
        "hooks": hooks,
        "max_response_bytes": max_response_bytes,
        "sentences": sentences,
        "last_event_id": last_event_id,
        "progress": progress,
    }
    given = {name: value for name, value in changes.items() if value is not None}
    return replace(options, **given)


# blanks and tabs may stand inside a value, but not at its ends; new headers should have no
# characters above ASCII (RFC 9110, section 5.5)
_VALUE: Final = re.compile(r"[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?")
_OURS: Final = frozenset(
    {
        "accept",
        "accept-encoding",
        "connection",
        "content-length",
        "content-type",
        "host",
        "te",
        "transfer-encoding",
        "upgrade",
    }
)
"""Headers that the client sets itself; callers cannot change them."""
# what is not a character of a token (RFC 9110, section 5.6.2)
_NO_TOKEN: Final = re.compile(r"[^A-Za-z0-9!#$%&'*+.^_`|~-]+")

Ask = Callable[[], Any]
"""A function to call for headers; its result may have to be awaited."""


def check_headers(headers: object) -> None:
    """
    Refuse headers that can never be sent, as early as possible.

    Raises:
        ValueError: A name or a value is not valid in a header, or is not for clients to set.
        TypeError: A value is neither a string nor callable.
    """
    if callable(headers):
        return
    if not isinstance(headers, Mapping):
        raise TypeError(
            f"headers are a mapping or a function that gives one, not {type(headers).__name__}"
        )
    for name, value in cast("Mapping[object, object]", headers).items():
        if not callable(value):
            _checked(name, value)


def gathered_headers(sources: Iterable[Any]) -> Generator[Ask, Any, dict[str, str]]:
    """
    The headers of *sources*, names in lower case.

    It yields each function to call, and is sent the result.
    """
    found: dict[str, str] = {}
    for source in sources:
        if callable(source):
            # a mapping was checked when the client was made; that of a function is new each time
            source = yield source
            check_headers(source)
        for name, value in cast("Mapping[object, object]", source).items():
            if callable(value):
                value = yield value
            key, text = _checked(name, value)
            found[key] = text
    return found


def user_agent(title: str, version: str) -> str:
    """
    The User-Agent of a client, with only the characters that are valid in one.

    (RFC 9110, section 10.1.5)
    """
    product = _NO_TOKEN.sub("-", title).strip("-")[:100]
    number = _NO_TOKEN.sub("-", version).strip("-")[:50]
    if product and number:
        return f"{product}/{number} contract-python"
    if product:
        return f"{product} contract-python"
    return "contract-python"


def _checked(name: object, value: object) -> tuple[str, str]:
    if not isinstance(name, str) or re.fullmatch(HEADER_WORD, name) is None:
        raise ValueError(f"{name!r} is not a valid header name")
    key = name.lower()
    if key in _OURS:
        raise ValueError(f"the header {name} is the client's own to set")
    if not isinstance(value, str):
        raise TypeError(f"the header {name} is not a text, but {type(value).__name__}")
    # an empty value is valid; the message leaves the value out, since it may be a token
    if _VALUE.fullmatch(value) is None and value:
        raise ValueError(
            f"the value of the header {name} cannot be one: "
            "it has a line break or another character that headers do not take"
        )
    return key, value
