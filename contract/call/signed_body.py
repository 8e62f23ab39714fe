"""
Signed bodies: the input of a route that takes webhooks, read once its signature is verified.
"""

from __future__ import annotations

from time import time
from typing import Any, Final, final

from contract.call.context import CURRENT
from contract.declare.signed import Signed
from contract.shape.signatures import not_signed

__all__ = ["NotSigned", "SignedBody"]


class NotSigned(Exception):  # noqa: N818  it is the sender's, and told to it
    """The signature of a body is not valid; the text says why."""


@final
class SignedBody:
    """
    Loads a body with a valid signature.

    Attributes:
        inner: Its ``load`` makes the input from the body.
    """

    def __init__(self, inner: Any, signed: Signed) -> None:
        self.inner: Final = inner
        self._signed: Final = signed

    def load(self, body: bytes) -> Any:
        """
        The input.

        Raises:
            InvalidInput: It is not a valid input.
            NotSigned: The headers of the running call do not prove who sent it.
            ValueError: The secrets are not valid, so no signature can be verified.
        """
        problem = not_signed(
            CURRENT.get().headers,
            body,
            self._signed.asked(),
            now=time(),
            tolerance=self._signed.tolerance,
        )
        if problem is not None:
            raise NotSigned(problem)
        return self.inner.load(body)
