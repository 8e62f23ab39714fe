"""
Envelopes: JSON-RPC 2.0 as MCP has it, read from bytes and written to them.

An id is a string or an integer, and params are an object. A message that cannot be read is a
`Problem`; if its id could not be read, it is answered without one. `contract.mcp.revisions` decides
whether a body may be a batch.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Any, Final, cast, final

import orjson
from pydantic_core import to_json

from contract.pred.parse import parsed
from contract.shape.issues import Issue
from contract.shape.json_text import kind_of

__all__ = [
    "HEADER_MISMATCH",
    "INTERNAL_ERROR",
    "INVALID_PARAMS",
    "INVALID_REQUEST",
    "METHOD_NOT_FOUND",
    "PARSE_ERROR",
    "STATUSES",
    "UNAUTHORIZED",
    "UNSUPPORTED_VERSION",
    "Kind",
    "Message",
    "Problem",
    "read",
    "write_arguments",
    "write_error",
    "write_result",
]

# The first five are those of JSON-RPC 2.0 (section 5.1).

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
UNAUTHORIZED: Final = -32001
"""
The code with 401 and 403, as most servers send it.

The specification leaves credentials to HTTP and gives them no code. Since 2026-07-28 a new server
should use no code from -32019 to -32000 (basic/index, "Error Codes"); this one keeps the code that
clients know.
"""
HEADER_MISMATCH: Final = -32020
UNSUPPORTED_VERSION: Final = -32022

STATUSES: Final[Mapping[int, int]] = MappingProxyType(
    {
        PARSE_ERROR: 400,
        INVALID_REQUEST: 400,
        HEADER_MISMATCH: 400,
        UNSUPPORTED_VERSION: 400,
        METHOD_NOT_FOUND: 200,
        INVALID_PARAMS: 200,
    }
)
"""JSON-RPC code -> HTTP status, in most revisions."""

_MAX_ID_LENGTH: Final = 256
"""The most characters of an id, since it is sent back."""
_TOO_GREAT: Final = 10**_MAX_ID_LENGTH
"""
The least number that is too large for an id: it has more digits than an id may have characters.
"""

_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


@final
class Kind(Enum):
    """The three kinds of messages."""

    REQUEST = "request"
    NOTIFICATION = "notification"
    RESPONSE = "response"


@final
class Message:
    """
    A message that could be read.

    Attributes:
        kind: Request, notification or response.
        id: The id of a request as JSON; else None.
        method: The method; empty for a response.
        params: The params; empty if there are none.
        meta: ``params._meta``; empty if there is none, or if it is not an object.
    """

    __slots__ = ("id", "kind", "meta", "method", "params")

    def __init__(
        self,
        kind: Kind,
        id: bytes | None,  # noqa: A002  as JSON-RPC calls it
        method: str,
        params: Mapping[str, Any],
    ) -> None:
        self.kind: Final = kind
        self.id: Final = id
        self.method: Final = method
        self.params: Final = params
        meta: object = params.get("_meta", _NOTHING)
        if not isinstance(meta, dict):
            meta = _NOTHING
        self.meta: Final = cast("Mapping[str, Any]", meta)


@final
class Problem:
    """
    The reason why a message is refused.

    Attributes:
        code: The code of JSON-RPC.
        message: The reason in words.
        data: More, for programs.
        id: The id of the request as JSON, if there is no `Message` that has it.
    """

    __slots__ = ("code", "data", "id", "message")

    def __init__(
        self,
        code: int,
        message: str,
        data: Mapping[str, Any] | None = None,
        id: bytes | None = None,  # noqa: A002
    ) -> None:
        self.code: Final = code
        self.message: Final = message
        self.data: Final = data
        self.id: Final = id


_MOST_MESSAGES: Final = 20
"""
The most messages of a batch.

For rate limits a batch is one request; a client with more messages can send another batch.
"""


def read(body: bytes) -> Message | Problem | list[Message | Problem]:
    """The message in *body*, or its problem; for a batch, a list of these."""
    found: Any = parsed(body)
    # a second attempt, only for bodies that were refused, since the search costs time
    if isinstance(found, Issue) and _LONG.search(body) is not None:
        found = parsed(_TEXT_OR_LONG.sub(_shortened, body))
    if isinstance(found, Issue):
        return Problem(PARSE_ERROR, found.message, dict(found.params))
    if kind_of(found) is not list:
        return _message(found)
    if 0 < len(found) <= _MOST_MESSAGES:
        return [_message(each) for each in found]
    return Problem(
        INVALID_REQUEST, f"A batch has at least one message, and at most {_MOST_MESSAGES}."
    )


def _message(message: Any) -> Message | Problem:
    if kind_of(message) is not dict:
        return Problem(INVALID_REQUEST, "A message is a JSON object.")
    # the id comes first, so that every other problem is answered with it
    given = "id" in message
    id_: bytes | None = None
    if given:
        id_ = _id(message["id"])
    if message.get("jsonrpc") != "2.0":
        return Problem(INVALID_REQUEST, 'A message has "jsonrpc": "2.0".', id=id_)
    if given and id_ is None:
        return Problem(
            INVALID_REQUEST,
            f"An id is a text of at most {_MAX_ID_LENGTH} characters, "
            "or a whole number of no more digits.",
        )
    method: Any = message.get("method")
    if kind_of(method) is not str:
        # only requests and notifications have a method; JSON null counts as none
        if method is None and ("result" in message or "error" in message):
            return Message(Kind.RESPONSE, None, "", _NOTHING)
        return Problem(INVALID_REQUEST, "The method is a text.", id=id_)
    params: Any = message.get("params")
    # JSON-RPC allows an array as well, and MCP does not
    if params is None:
        params = _NOTHING
    elif kind_of(params) is not dict:
        return Problem(INVALID_REQUEST, "The params are an object.", id=id_)
    kind = Kind.REQUEST if given else Kind.NOTIFICATION
    return Message(kind, id_, method, params)


# The parser limits integers to 4,300 digits, but JSON does not. A longer number in a message is cut
# to 4,300 digits: that is still too large for every type, so it is refused at its place, in an
# answer with the id of the request.

_MAX_DIGITS: Final = 4300
# the lookbehind keeps the search linear: no match is tried inside a number
_LONG: Final = re.compile(rb"(?<![0-9.])[0-9]{%d}" % (_MAX_DIGITS + 1))
# an unterminated string is matched as a whole, or every quote in it would restart the search
_TEXT_OR_LONG: Final = re.compile(
    rb'(?s)"(?:[^"\\]++|\\.)*+"?|%b[0-9]*+(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+' % _LONG.pattern
)


def _shortened(found: re.Match[bytes]) -> bytes:
    whole = found[0]
    if whole.startswith(b'"'):
        return whole
    # the first digit stays: JSON allows nothing after a leading zero, and that must stay an error
    return whole[:1].ljust(_MAX_DIGITS, b"9")


def _id(given: Any) -> bytes | None:
    kind = kind_of(given)  # not isinstance, which takes True for an int
    if kind is int and abs(given) < _TOO_GREAT:
        return b"%d" % given
    if kind is str and len(given) <= _MAX_ID_LENGTH:
        return to_json(given)
    return None  # also for null, which JSON-RPC allows and MCP does not


def write_arguments(arguments: Mapping[str, Any]) -> bytes:
    """
    The arguments of a call as a JSON body, which is loaded like any other.

    A number too large for a float was read as an infinity, which JSON cannot express; it becomes a
    number that is too large again.
    """
    written = _quickly(arguments)
    if written is not None:
        return written
    body = to_json(arguments)
    if b"Infinity" not in body:
        return body
    return _TOKEN.sub(_spelled, body)


def _quickly(arguments: Mapping[str, Any]) -> bytes | None:
    """The arguments as orjson writes them, at a third of the cost; None if they may be wrong."""
    try:
        written = orjson.dumps(arguments)
    except TypeError:  # an integer beyond 64 bits
        return None
    # orjson writes an infinity as null; most arguments have no null at all, not even in a text
    if b"null" in written:
        return None
    return written


_TOKEN: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"|Infinity')
"""
A string, or the word for an infinity outside of a string.

It is possessive: with backtracking, the engine would keep a hundred bytes for each character.
"""


def _spelled(found: re.Match[bytes]) -> bytes:
    if found[0] == b"Infinity":
        return b"1e999"  # beyond the largest float, 1.8e308
    return found[0]


def write_result(id: bytes, result: bytes) -> bytes:  # noqa: A002
    """The response to request *id* with the JSON object *result*."""
    return b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (id, result)


def write_error(id: bytes | None, problem: Problem) -> bytes:  # noqa: A002
    """The response with a *problem*; without an *id* if that could not be read."""
    error: dict[str, Any] = {"code": problem.code, "message": problem.message}
    if problem.data is not None:
        error["data"] = problem.data
    written = b'{"jsonrpc":"2.0",'
    if id is not None:
        written += b'"id":%b,' % id
    return written + b'"error":%b}' % to_json(error)
