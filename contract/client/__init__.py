"""
The runtime of generated Python clients.

Generated code (``contract generate -o api.py``) imports only this package. Its building blocks, and
everything that users write beside it, are here: results (`Ok`, `CallError`, `unwrap`), options
(`Timeout`, `Retries`, `Hooks`) and transports. Only the transports that come with it need
``httpx2``: ``pip install 'contract-rpc[client]'``.

A generated client must be quick to import, also without httpx2. So the modules that use the
network, and those that are rarely needed, are loaded by name (``import_module``) on first use.
"""

from typing import TYPE_CHECKING

from contract.client.clients import (
    ApiClientBase,
    ApiGroupBase,
    AsyncApiClientBase,
    AsyncApiGroupBase,
    AsyncClientOptions,
    ClientOptions,
)
from contract.client.clock import AsyncClock, AsyncSystemClock, Clock, SystemClock
from contract.client.files import AsyncFile, DownloadOperation, File
from contract.client.forms import Attachment, Form, OneFile, Progress
from contract.client.options import (
    AsyncHeaders,
    AsyncHeaderValue,
    Headers,
    HeaderValue,
    Hooks,
    RequestEvent,
    ResponseEvent,
    Retries,
    RetryEvent,
    Timeout,
)
from contract.client.pages import AsyncPagedRoute, Paged, PagedRoute, async_paged, paged, pages
from contract.client.results import (
    CallError,
    CallErrorCode,
    CallFailed,
    DeclaredFailure,
    Json,
    NetworkCause,
    Ok,
    ResponseInfo,
    unwrap,
)
from contract.client.schemas import Effect, Operation, RouteSchemas, Schema
from contract.client.streams import AsyncItems, Items, StreamOperation
from contract.client.transport import (
    AsyncOpenResponse,
    AsyncStreamTransport,
    AsyncTransport,
    HttpRequest,
    HttpResponse,
    OpenResponse,
    StreamTransport,
    Transport,
    TransportError,
    is_stream,
)
from contract.client.webhooks import Events, NotSigned
from contract.shape.exceptions import InvalidInput, InvalidOutput
from contract.shape.issues import Issue, in_words
from contract.shape.markers import UNSET, Name, Pattern, Unset
from contract.shape.own_texts import Email, PageKey, SecretStr, SemVer, Url

__all__ = [
    "ApiClientBase",
    "ApiGroupBase",
    "AsyncApiClientBase",
    "AsyncApiGroupBase",
    "AsyncClientOptions",
    "AsyncClock",
    "AsyncFile",
    "AsyncHeaderValue",
    "AsyncHeaders",
    "AsyncHttpxTransport",
    "AsyncItems",
    "AsyncOpenResponse",
    "AsyncPagedRoute",
    "AsyncStreamTransport",
    "AsyncSystemClock",
    "AsyncTransport",
    "Attachment",
    "CallError",
    "CallErrorCode",
    "CallFailed",
    "ClientOptions",
    "Clock",
    "DeclaredFailure",
    "DownloadOperation",
    "Effect",
    "Email",
    "Events",
    "File",
    "Form",
    "HeaderValue",
    "Headers",
    "Hooks",
    "HttpRequest",
    "HttpResponse",
    "HttpxTransport",
    "InvalidInput",
    "InvalidOutput",
    "Issue",
    "Items",
    "Json",
    "Name",
    "NetworkCause",
    "NotSigned",
    "Ok",
    "OneFile",
    "OpenResponse",
    "Operation",
    "PageKey",
    "Paged",
    "PagedRoute",
    "Pattern",
    "Progress",
    "RequestEvent",
    "ResponseEvent",
    "ResponseInfo",
    "Retries",
    "RetryEvent",
    "RouteSchemas",
    "Schema",
    "SecretStr",
    "SemVer",
    "StreamOperation",
    "StreamTransport",
    "SystemClock",
    "Timeout",
    "Transport",
    "TransportError",
    "UNSET",
    "Unset",
    "Url",
    "async_paged",
    "in_words",
    "is_stream",
    "paged",
    "pages",
    "unwrap",
]

if TYPE_CHECKING:
    from contract.client.httpx import AsyncHttpxTransport, HttpxTransport
else:
    # a visible __getattr__ would hide typos from type checkers
    from importlib import import_module

    _LAZY = {
        "AsyncHttpxTransport": "contract.client.httpx",
        "HttpxTransport": "contract.client.httpx",
    }

    def __getattr__(name):
        """Import a transport, which needs httpx2, on first use."""
        module = _LAZY.get(name)
        if module is None:
            raise AttributeError(f"module 'contract.client' has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(module), name)
        return value

    def __dir__():
        return sorted({*globals(), *__all__})
