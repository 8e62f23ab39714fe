"""
Paging: the keys of pages as they stand on the wire, signed.

A client sees a key as a text that says nothing to it, and gives it back. So that any worker takes
it, and none has to remember it, the key is in that text, behind a signature over the name of the
route, the filter and the key itself. It is signed and not encrypted: who has it can read the key,
and nobody can make another.
"""

from __future__ import annotations

import hmac
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from functools import wraps
from hashlib import sha256
from typing import Any, Final, NamedTuple, NoReturn, TypeGuard, cast, final

import orjson

from contract.declare.spec import AnySpec
from contract.pred.compile import Pred
from contract.shape.exceptions import InvalidInput, InvalidOutput, MountError
from contract.shape.issues import issue
from contract.shape.own_texts import PageKey
from contract.shape.pages import Cursor, Slice

__all__ = [
    "SECRETS",
    "Keys",
    "PagedInput",
    "PagedOutput",
    "Pages",
    "page_of",
    "paged",
    "secrets_of",
    "signs",
    "too_short",
    "with_next",
]

SECRETS: Final = "CONTRACT_SECRETS"
"""The variable of the environment that holds the secrets, the newest first, between commas."""

SHORTEST: Final = 32
"""Characters of a secret: as many as 24 random bytes have in base64."""

_MAC: Final = sha256().digest_size
_MOST: Final = 1_024
"""Bytes of a key in JSON; `PageKey` has room for these and the signature."""
_PURPOSE: Final = b"contract page key 1\0"
"""Begins what is signed, so that no signature for anything else is one of a key."""


def signs(spec: AnySpec) -> str | None:
    """The name of a route of *spec* whose answers have to be signed, if there is one."""
    return next((name for name, each in spec.entries.items() if each.page_key is not None), None)


def secrets_of(spec: AnySpec, given: Sequence[str]) -> tuple[str, ...]:
    """
    The secrets of a mount of *spec*: those *given*, else those of the environment.

    Raises:
        MountError: They are needed and there are none, or those of the environment will not do.
    """
    name = signs(spec)
    if name is None or given:
        return tuple(given)
    found = tuple(each.strip() for each in os.environ.get(SECRETS, "").split(",") if each.strip())
    if not found:
        raise MountError(
            "mount_spec(secrets=)",
            f"{name} answers in pages, whose keys are signed, and there is no secret; "
            f"set {SECRETS}, or give secrets=(...), to what this prints: "
            "python -c 'import secrets; print(secrets.token_urlsafe(32))'",
        )
    problem = too_short(found)
    if problem is not None:
        raise MountError(SECRETS, problem)
    return found


def too_short(secrets: Sequence[str]) -> str | None:
    """The problem where one of *secrets* could be guessed; it tells nothing of the secret."""
    for index, each in enumerate(secrets):
        if len(each) < SHORTEST:
            return (
                f"the secret at {index} has {len(each)} characters, and {SHORTEST} are the least; "
                "write what secrets.token_urlsafe(32) gives"
            )
    return None


@final
class Keys:
    """
    Signs keys, and knows its own signatures again.

    Args:
        secrets: Any of them may have signed; the first signs.
    """

    __slots__ = ("_secrets",)

    def __init__(self, secrets: Sequence[str]) -> None:
        self._secrets: Final = tuple(each.encode() for each in secrets)

    def signed(self, bound_to: bytes, key: bytes) -> PageKey:
        """The *key* as it stands on the wire, *bound_to* a route and a filter."""
        return PageKey(_text(_mac(self._secrets[0], bound_to, key) + key))

    def opened(self, bound_to: bytes, text: str) -> bytes | None:
        """The key in *text*, or None where none of the secrets has signed it for this."""
        try:
            data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        except ValueError:
            return None
        # the last bits of another text may be left out of the same bytes
        if len(data) <= _MAC or _text(data) != text:
            return None
        sent, key = data[:_MAC], data[_MAC:]
        # each of them, so that the time does not tell which it was
        fits = [hmac.compare_digest(sent, _mac(each, bound_to, key)) for each in self._secrets]
        return key if any(fits) else None


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _mac(secret: bytes, bound_to: bytes, key: bytes) -> bytes:
    return hmac.digest(secret, _PURPOSE + bound_to + key, "sha256")


@final
class Pages:
    """
    The pages of one route of a mount.

    It stands between the wire, where keys are signed, and the resolver, which has its own.
    """

    __slots__ = ("_keys", "_left_out", "_name", "pred")

    def __init__(self, name: str, pred: Pred[Any], keys: Keys, left_out: object = None) -> None:
        self._name: Final = sha256(name.encode()).digest()
        self.pred: Final = pred
        """The pred of a key."""
        self._keys: Final = keys
        self._left_out: Final = left_out
        """What stands for a filter that is left out."""

    def opened(self, text: str, body: bytes) -> Any:
        """
        The key in *text*, which was sent in *body*.

        Raises:
            InvalidInput: It is none that this route gave for this filter.
        """
        key = self._keys.opened(self._bound_to(body), text)
        if key is None:
            _refuse()
        try:
            return self.pred.load(key)
        except InvalidInput:  # signed by an earlier version of the service
            _refuse()

    def signed(self, key: object, body: bytes) -> PageKey:
        """
        The *key* of the page that follows the one that *body* has asked for.

        Raises:
            InvalidOutput: It is no such key, or too long.
        """
        try:
            data = self.pred.dump(key)
        except InvalidOutput as invalid:
            raise InvalidOutput(("next", *invalid.path), invalid.problem) from None
        if len(data) > _MOST:
            raise InvalidOutput(("next",), f"has {len(data)} bytes, and {_MOST} are the most")
        return self._keys.signed(self._bound_to(body), data)

    def _bound_to(self, body: bytes) -> bytes:
        """The bytes that stand for this route and the filter in *body*."""
        asked = cast("dict[str, Any]", orjson.loads(body or b"{}"))
        told = orjson.dumps(asked.get("filter", self._left_out), option=orjson.OPT_SORT_KEYS)
        return self._name + sha256(told).digest()


def _refuse() -> NoReturn:
    raise InvalidInput((issue("page_key", ("after",)),))


@final
class PagedInput:
    """
    The loader of a cursor.

    Args:
        pred: Of the cursor, as it stands on the wire.
        pages: Those of the route.
        empty: What a missing body stands for.
    """

    __slots__ = ("_empty", "_pages", "pred")

    def __init__(self, pred: Pred[Any], pages: Pages, empty: bytes) -> None:
        self.pred: Final = pred
        self._pages: Final = pages
        self._empty: Final = empty

    def load(self, body: bytes) -> Any:
        """The cursor in *body*, with the key of the author's own."""
        cursor = self.pred.load(body or self._empty)
        if cursor.after is not None:
            cursor = replace(cursor, after=self._pages.opened(cursor.after, body))
        # the body, since the key of the next page is bound to the filter as it was sent: what was
        # loaded may hold sets, which are written in another order by another process
        object.__setattr__(cursor, _BODY, body)
        return cursor


_BODY: Final = "_contract_body"


@final
class PagedOutput:
    """The dumper of a page."""

    __slots__ = ("_pages", "pred")

    def __init__(self, pred: Pred[Any], pages: Pages) -> None:
        self.pred: Final = pred
        self._pages: Final = pages

    def preds(self) -> list[Pred[Any]]:
        """That of the page."""
        return [self.pred]

    def dump(self, value: Any) -> bytes:
        """The JSON of a page that `page_of` gave, with its key signed."""
        if not _is_page(value):
            return self.pred.dump(value)
        asked = cast("_Asked", value.next)
        key = None if asked.key is None else self._pages.signed(asked.key, asked.body)
        data = self.pred.dump(with_next(value, key))
        if len(value.items) > asked.limit:
            problem = f"has {len(value.items)} items, and {asked.limit} were asked for"
            raise InvalidOutput(("items",), problem)
        return data


@final
class _Asked(NamedTuple):
    """The key of the page that follows, and what has to be known of the call."""

    key: Any
    body: bytes
    limit: int


def page_of(result: Any, body: bytes, limit: int) -> Any:
    """The *result* of a resolver for `PagedOutput`, with the *body* and the *limit* of its call."""
    if not _is_page(result):
        return result
    return with_next(result, _Asked(result.next, body, limit))


def _is_page(value: object) -> TypeGuard[Slice[Any, Any]]:
    return isinstance(value, Slice)


def with_next(page: Slice[Any, Any], key: object) -> Slice[Any, Any]:
    """The *page*, followed by the one at *key*; that of a mock may have more fields than ours."""
    made = copy(page)
    object.__setattr__(made, "next", key)
    return made


def paged(resolver: Callable[..., Any], *, is_async: bool) -> Callable[..., Any]:
    """The *resolver* of a route with pages, with what `PagedOutput` needs in its results."""
    if is_async:

        @wraps(resolver)
        async def resolve_later(cursor: Cursor[Any, Any], ctx: Any) -> Any:
            return page_of(await resolver(cursor, ctx), getattr(cursor, _BODY), cursor.limit)

        return resolve_later

    @wraps(resolver)
    def resolve(cursor: Cursor[Any, Any], ctx: Any) -> Any:
        return page_of(resolver(cursor, ctx), getattr(cursor, _BODY), cursor.limit)

    return resolve
