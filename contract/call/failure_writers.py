"""
Failure writers: from a returned failure to its reply, for each class of failure of a mount.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, final

import orjson

from contract.call.bearer import challenge
from contract.call.context import Reply
from contract.declare.failures import Failure, Forbidden, ServiceUnavailable, TooManyRequests
from contract.pred.compile import Pred, compile_pred
from contract.shape.markers import UNSET
from contract.shape.nodes import Definition

__all__ = ["FailureWriter", "Writers"]


class FailureWriter:
    """Writes the replies for one class of failure."""

    def __init__(self, cls: type[Failure], definition: Definition) -> None:
        self.pred: Final[Pred[Any]] = compile_pred(definition.shape)
        self.head: Final = orjson.dumps({"error": cls.error_code})[:-1]

    def reply(self, failure: Failure) -> Reply:
        """The reply with a *failure*."""
        data = self.pred.dump(failure)
        body = self.head + (b"}" if data == b"{}" else b',"data":' + data + b"}")
        headers: tuple[tuple[str, str], ...] = ()
        if (
            isinstance(failure, TooManyRequests | ServiceUnavailable)
            and failure.retry_after is not UNSET
        ):
            # str() of a subclass of int may return anything
            headers = (("retry-after", str(int.__int__(failure.retry_after))),)
        return Reply(failure.http_status, failure.error_code, body, headers)


class _ScopesWriter(FailureWriter):
    """Writes the reply to a call that lacks a required scope, with its challenge."""

    def __init__(self, definition: Definition, realm: str, requires: Sequence[str]) -> None:
        super().__init__(Forbidden, definition)
        asked = challenge(realm, invalid=False, lacks=requires)
        self._headers: Final = (("www-authenticate", asked),)

    def reply(self, failure: Failure) -> Reply:
        reply = super().reply(failure)
        reply.headers = self._headers
        return reply


@final
class Writers:
    """The writers of the failures of one mount, one for each class."""

    def __init__(self, builtins: Mapping[type[Failure], Definition], realm: str) -> None:
        self._forbidden: Final = builtins[Forbidden]
        self._realm: Final = realm
        self._builtins: Final = {
            cls: FailureWriter(cls, definition) for cls, definition in builtins.items()
        }
        self._known: Final = self._builtins.copy()

    def of(
        self, failures: Mapping[type[Failure], Definition]
    ) -> Mapping[type[Failure], FailureWriter]:
        """The writers of *failures*, and of the builtins, which may always be returned."""
        found = self._builtins.copy()
        for cls, definition in failures.items():
            if cls not in self._known:
                self._known[cls] = FailureWriter(cls, definition)
            found[cls] = self._known[cls]
        return found

    def asking(self, requires: Sequence[str]) -> FailureWriter:
        """The writer of the `Forbidden` that names the required scopes."""
        return _ScopesWriter(self._forbidden, self._realm, requires)
