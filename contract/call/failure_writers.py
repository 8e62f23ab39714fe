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


@final
class FailureWriter:
    """Writes the replies for one class of failure, each with the given headers."""

    def __init__(
        self,
        cls: type[Failure],
        definition: Definition,
        headers: tuple[tuple[str, str], ...] = (),
    ) -> None:
        self.pred: Final[Pred[Any]] = compile_pred(definition.shape)
        self.head: Final = orjson.dumps({"error": cls.error_code})[:-1]
        self._headers: Final = headers

    def reply(self, failure: Failure) -> Reply:
        """The reply with a *failure*."""
        data = self.pred.dump(failure)
        # written as bytes, since the data is JSON already; a failure without fields has no data
        if data == b"{}":
            body = self.head + b"}"
        else:
            body = self.head + b',"data":' + data + b"}"
        headers = self._headers
        if (
            isinstance(failure, TooManyRequests | ServiceUnavailable)
            and failure.retry_after is not UNSET
        ):
            # str() of a subclass of int may return anything
            headers = (("retry-after", str(int.__int__(failure.retry_after))),)
        reply = Reply(failure.http_status, failure.error_code, body, headers)
        reply.cause = failure
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
        """The writer of the `Forbidden` whose challenge names the required scopes."""
        asked = challenge(self._realm, invalid=False, lacks=requires)
        return FailureWriter(Forbidden, self._forbidden, (("www-authenticate", asked),))
