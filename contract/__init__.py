"""
Typed RPC that cannot lie: one annotated function is the endpoint, the contract, the documentation and the client.

::

    @route(summary="Order a product", tags=["orders"], auth="none")
    def order(input: Order, ctx: None) -> Receipt | SoldOut | NotFound: ...


    api = spec(routes=routes(order), meta=Meta(title="Shop", version="1.0.0"))
"""

from typing import TYPE_CHECKING

from contract._meta import Footer, Logo, Meta, NavbarLink, Notice, NoticeLink, Theme, Website
from contract._progress import progress
from contract._route import PublicRoute, Route, route, routes
from contract._route_options import Auth, Deprecated, Effect, McpTool, Scope
from contract._spec import AnySpec, Entry, Exports, Routes, Spec, exports, spec
from contract.call import CallEvent, CallInfo, Request, Surface, calling, current_call
from contract.errors import (
    Builtin,
    Errors,
    Failure,
    Forbidden,
    NotFound,
    ServiceUnavailable,
    TooManyRequests,
    define_errors,
)
from contract.exceptions import (
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
from contract.issues import Issue
from contract.shape.markers import UNSET, Example, Name, Pattern, Unset
from contract.shape.names import Rename

__version__ = "0.1.0"

__all__ = [
    "AnySpec",
    "Auth",
    "Builtin",
    "CallEvent",
    "CallHandler",
    "CallInfo",
    "ContractException",
    "DeclarationError",
    "Deprecated",
    "Document",
    "DocumentError",
    "Effect",
    "Entry",
    "ErrorMapper",
    "Errors",
    "Example",
    "Exports",
    "Failure",
    "FailureDeclarationError",
    "Footer",
    "Forbidden",
    "InvalidInput",
    "InvalidOutput",
    "Issue",
    "Limits",
    "LogFormat",
    "Logo",
    "McpTool",
    "Meta",
    "Mount",
    "MountError",
    "Name",
    "NavbarLink",
    "NotFound",
    "Notice",
    "NoticeLink",
    "Pattern",
    "Pred",
    "PublicRoute",
    "Rename",
    "Request",
    "Route",
    "RouteDeclarationError",
    "Routes",
    "Scope",
    "ServiceUnavailable",
    "Spec",
    "SpecError",
    "Surface",
    "Theme",
    "TooManyRequests",
    "UNSET",
    "Unset",
    "UnsupportedAnnotation",
    "Website",
    "__version__",
    "calling",
    "configure_logging",
    "current_call",
    "define_errors",
    "dump_contract",
    "emit_contract",
    "emit_openapi",
    "exports",
    "load_contract",
    "mount_spec",
    "pred_of",
    "progress",
    "route",
    "routes",
    "same_secret",
    "spec",
]

if TYPE_CHECKING:
    from contract.adapters.falcon import Mount, mount_spec
    from contract.auth import same_secret
    from contract.dispatch import ErrorMapper
    from contract.document import Document
    from contract.document.reader import load_contract
    from contract.document.writer import dump_contract
    from contract.emit import emit_contract, emit_openapi
    from contract.log import CallHandler, LogFormat, configure_logging
    from contract.options import Limits
    from contract.pred import Pred, pred_of
else:
    # a visible __getattr__ would hide typos from type checkers
    import importlib

    _LAZY = {
        "CallHandler": "contract.log",
        "Document": "contract.document",
        "ErrorMapper": "contract.dispatch",
        "Limits": "contract.options",
        "LogFormat": "contract.log",
        "Mount": "contract.adapters.falcon",
        "Pred": "contract.pred",
        "configure_logging": "contract.log",
        "dump_contract": "contract.document.writer",
        "emit_contract": "contract.emit",
        "emit_openapi": "contract.emit",
        "load_contract": "contract.document.reader",
        "mount_spec": "contract.adapters.falcon",
        "pred_of": "contract.pred",
        "same_secret": "contract.auth",
    }

    def __getattr__(name):
        """What only a running service needs is imported by whoever asks for it."""
        module = _LAZY.get(name)
        if module is None:
            raise AttributeError(f"module 'contract' has no attribute {name!r}")
        value = globals()[name] = getattr(importlib.import_module(module), name)
        return value

    def __dir__():
        return sorted({*globals(), *__all__})
