"""
Signed bodies: the input of a route that takes webhooks, read once its signature is verified.

Whether there is a secret to verify it with is checked by the health route.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import time
from typing import Any, Final, final

from contract.call.context import CURRENT
from contract.declare.spec import AnySpec
from contract.declare.webhooks import Signed, is_elsewhere, why_not
from contract.shape.record import record
from contract.shape.signatures import not_signed

__all__ = ["NotSigned", "SignedBody", "secret_checks", "without_secrets"]


class NotSigned(Exception):  # noqa: N818  it is the sender's, and told to it
    """The signature of a body is not valid; the text says why."""


@final
@record
class SignedBody:
    """
    Loads a body with a valid signature.

    Attributes:
        inner: Its ``load`` makes the input from the body.
        signed: How the body must be signed.
    """

    inner: Any
    signed: Signed

    def load(self, body: bytes) -> Any:
        """
        The input.

        Raises:
            InvalidInput: It is not a valid input.
            NotSigned: The headers of the running call do not prove who sent it.
            ValueError: The secrets are not valid, so no signature can be verified.
        """
        # before it is parsed: the signature is over these very bytes
        problem = not_signed(
            CURRENT.get().headers,
            body,
            self.signed.asked(),
            now=time(),
            tolerance=self.signed.tolerance,
        )
        if problem is not None:
            raise NotSigned(problem)
        return self.inner.load(body)


def secret_checks(spec: AnySpec) -> Iterator[Callable[[], object]]:
    """The checks of the health route for the secrets of *spec* that functions give."""
    for name, entry in spec.entries.items():
        signed = entry.route.signed
        if signed is not None and callable(signed.secrets):
            yield _SecretCheck(name, signed)


def without_secrets(spec: AnySpec) -> Iterator[tuple[str, str | None]]:
    """
    The routes of *spec* whose secrets cannot be had now, each with a sentence that says so.

    Instead of the sentence there is None if only a running service could tell.
    """
    for name, entry in spec.entries.items():
        if entry.route.signed is not None:
            try:
                entry.route.signed.asked()
            except Exception as raised:  # noqa: BLE001  the function is the author's
                if is_elsewhere(raised):
                    yield name, None
                else:
                    yield name, f"{name} has no secret to know its senders by: {why_not(raised)}"


@final
class _SecretCheck:
    """
    Asks for the secrets of a route until they are there once.

    After that a lost secret concerns the messages of this route alone, and is no reason to send the
    calls of all others elsewhere.
    """

    def __init__(self, name: str, signed: Signed) -> None:
        self.__name__: Final = f"{name}.signed"
        self._signed: Final = signed
        self._passed = False

    def __call__(self) -> None:
        """Raise the exception of `Signed.asked`, if the first message would."""
        if self._passed:
            return
        try:
            self._signed.asked()
        except Exception as raised:
            if not is_elsewhere(raised):  # only a call could tell
                raise
        self._passed = True
