"""
Typed RPC that cannot lie.

One annotated function is the endpoint, the contract, the documentation and the client.

::

    @route(summary="Order a product", tags=["orders"], auth="none")
    def order(input: Order, ctx: None) -> Receipt | SoldOut | NotFound: ...


    api = spec(routes=routes(order), meta=Meta(title="Shop", version="1.0.0"))
"""

from typing import TYPE_CHECKING

from contract.call.calling import Calling, calling
from contract.call.context import CallEvent, CallInfo, Surface, current_call, progress
from contract.call.headers_out import HeadersOut
from contract.declare.cache import Cache
from contract.declare.failures import (
    Builtin,
    Errors,
    Failure,
    Forbidden,
    NotFound,
    ServiceUnavailable,
    TooManyRequests,
    define_errors,
)
from contract.declare.group import Group, group
from contract.declare.hook import Call, Hook, Request, hook, hooks
from contract.declare.meta import Footer, Logo, Meta, NavbarLink, Notice, NoticeLink, Theme, Website
from contract.declare.outputs import Download, Stream
from contract.declare.permissions import HasScopes, requires
from contract.declare.resource import NotOpened, Resource, Resources, resource
from contract.declare.route import Member, PublicRoute, Route, Routes, route, routes
from contract.declare.route_options import Auth, Deprecated, Effect, McpTool, Scope
from contract.declare.spec import AnySpec, Entry, Exports, Spec, exports, spec
from contract.declare.ways import Way, api_key, bearer, cookie, ways
from contract.declare.webhooks import Delivery, Event, Signed, event
from contract.shape.exceptions import (
    ContractException,
    DeclarationError,
    DocumentError,
    FailureDeclarationError,
    InvalidInput,
    InvalidOutput,
    MountError,
    RouteDeclarationError,
    SpecError,
    UnsupportedAnnotation,
)
from contract.shape.german import GERMAN
from contract.shape.issues import Issue
from contract.shape.markers import UNSET, Example, LocalDatetime, Name, Pattern, Unset
from contract.shape.media_types import Media
from contract.shape.names import Rename
from contract.shape.own_texts import Email, PageKey, SecretStr, SemVer, Url
from contract.shape.pages import Cursor, MaxLimit, Slice
from contract.shape.upload import MaxBytes, Upload
from contract.shape.wire import Wire, wire_str

__version__ = "0.1.0"
"""The version of this package."""

__all__ = [
    "AnySpec",
    "AsyncProvided",
    "Auth",
    "Builtin",
    "Cache",
    "Call",
    "CallEvent",
    "CallFailed",
    "CallHandler",
    "CallInfo",
    "Calling",
    "ContractException",
    "Cursor",
    "DeclarationError",
    "Delivery",
    "Deprecated",
    "Document",
    "DocumentError",
    "Download",
    "Effect",
    "Email",
    "Entry",
    "ErrorMapper",
    "Errors",
    "Event",
    "Example",
    "Exports",
    "Failure",
    "FailureDeclarationError",
    "Footer",
    "Forbidden",
    "GERMAN",
    "Group",
    "HasScopes",
    "HeadersOut",
    "Hook",
    "InvalidInput",
    "InvalidOutput",
    "Issue",
    "Limits",
    "LocalDatetime",
    "LogFormat",
    "Logo",
    "MaxBytes",
    "MaxLimit",
    "McpTool",
    "Media",
    "Member",
    "Meta",
    "Mount",
    "MountError",
    "Name",
    "NavbarLink",
    "NotFound",
    "NotOpened",
    "Notice",
    "NoticeLink",
    "Opened",
    "PageKey",
    "Pattern",
    "Pred",
    "Provided",
    "PublicRoute",
    "Rename",
    "Request",
    "Resource",
    "Resources",
    "Route",
    "RouteDeclarationError",
    "Routes",
    "Scope",
    "SecretStr",
    "SemVer",
    "ServiceUnavailable",
    "Signed",
    "Slice",
    "Spec",
    "SpecError",
    "Stream",
    "Surface",
    "Theme",
    "TooManyRequests",
    "UNSET",
    "Unset",
    "UnsupportedAnnotation",
    "Upload",
    "Url",
    "Way",
    "Website",
    "Wire",
    "__version__",
    "after_commit",
    "api_key",
    "bearer",
    "calling",
    "configure_logging",
    "cookie",
    "current_call",
    "define_errors",
    "dump_contract",
    "emit_contract",
    "emit_openapi",
    "event",
    "exports",
    "group",
    "hook",
    "hooks",
    "load_contract",
    "mount_spec",
    "opened",
    "pred_of",
    "progress",
    "provide",
    "requires",
    "resource",
    "route",
    "routes",
    "same_secret",
    "spec",
    "ways",
    "wire_str",
]

if TYPE_CHECKING:
    from contract.adapters.falcon import Mount, mount_spec
    from contract.adapters.opening import Opened, opened
    from contract.call.bearer import same_secret
    from contract.call.bound import ErrorMapper
    from contract.call.log import CallHandler, LogFormat, configure_logging
    from contract.call.mount_options import Limits
    from contract.call.provided import AsyncProvided, CallFailed, Provided, after_commit, provide
    from contract.document import Document
    from contract.document.contract_json import dump_contract, load_contract
    from contract.document.emit import emit_contract, emit_openapi
    from contract.pred.compile import Pred, pred_of
else:
    # a visible __getattr__ would hide typos from type checkers
    import importlib

    _LAZY = {
        "AsyncProvided": "contract.call.provided",
        "CallFailed": "contract.call.provided",
        "CallHandler": "contract.call.log",
        "Document": "contract.document",
        "ErrorMapper": "contract.call.bound",
        "Limits": "contract.call.mount_options",
        "LogFormat": "contract.call.log",
        "Mount": "contract.adapters.falcon",
        "Opened": "contract.adapters.opening",
        "Pred": "contract.pred.compile",
        "Provided": "contract.call.provided",
        "after_commit": "contract.call.provided",
        "configure_logging": "contract.call.log",
        "dump_contract": "contract.document.contract_json",
        "emit_contract": "contract.document.emit",
        "emit_openapi": "contract.document.emit",
        "load_contract": "contract.document.contract_json",
        "mount_spec": "contract.adapters.falcon",
        "opened": "contract.adapters.opening",
        "pred_of": "contract.pred.compile",
        "provide": "contract.call.provided",
        "same_secret": "contract.call.bearer",
    }

    def __getattr__(name):
        """Import a name that only a running service needs, on first use."""
        module = _LAZY.get(name)
        if module is None:
            raise AttributeError(f"module 'contract' has no attribute {name!r}")
        value = globals()[name] = getattr(importlib.import_module(module), name)
        return value

    def __dir__():
        return sorted({*globals(), *__all__})
