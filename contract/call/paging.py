"""
Paging: the keys of pages as they are on the wire, signed.

To a client a key is an opaque string, which it sends back. Any worker must accept it, and none has
to remember it. So the string contains the key itself, after a signature over the name of the route,
the filter with its defaults, and the key. It is signed, not encrypted: clients can read the key,
but cannot make another.
"""

from __future__ import annotations

import hmac
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from functools import wraps
from hashlib import sha256
from typing import Any, Final, NamedTuple, TypeGuard, cast, final

import orjson

from contract.declare.spec import AnySpec
from contract.pred.compile import Pred
from contract.pred.dump.walk import plain
from contract.shape.defaults import known_default
from contract.shape.exceptions import InvalidInput, InvalidOutput, MountError
from contract.shape.graph import reachable
from contract.shape.issues import issue
from contract.shape.nodes import (
    MISSING,
    ArrayShape,
    Field,
    MapShape,
    NullableShape,
    RecordShape,
    Refined,
    RefShape,
    Shape,
    TaggedUnionShape,
)
from contract.shape.own_texts import PageKey
from contract.shape.pages import Cursor, Slice, filter_of
from contract.shape.record import record

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
"""The environment variable with the secrets, newest first, separated by commas."""

SHORTEST: Final = 32
"""The fewest characters of a secret: those of 24 random bytes in base64."""

_MAC: Final = sha256().digest_size
_MOST: Final = 1_024
"""The most bytes of a key in JSON; `PageKey` has room for these and the signature."""
_PURPOSE: Final = b"contract page key 1\0"
"""The start of what is signed, so that no other signature is valid for a key."""


def signs(spec: AnySpec) -> str | None:
    """The name of a route of *spec* whose answers must be signed, if there is one."""
    return next((name for name, each in spec.entries.items() if each.page_key is not None), None)


def secrets_of(spec: AnySpec, given: Sequence[str]) -> tuple[str, ...]:
    """
    The secrets of a mount of *spec*: those *given*, else those of the environment.

    Raises:
        MountError: They are needed but missing, or those of the environment are not valid.
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
    """The problem if one of *secrets* could be guessed; it reveals nothing of the secret."""
    for index, each in enumerate(secrets):
        if len(each) < SHORTEST:
            return (
                f"the secret at {index} has {len(each)} characters, and {SHORTEST} are the least; "
                "write what secrets.token_urlsafe(32) gives"
            )
    return None


@final
class Keys:
    """Signs keys with the first of the *secrets*, and accepts signatures by any of them."""

    __slots__ = ("_secrets",)

    def __init__(self, secrets: Sequence[str]) -> None:
        self._secrets: Final = tuple(each.encode() for each in secrets)

    def signed(self, bound_to: bytes, key: bytes) -> PageKey:
        """The *key* for the wire, *bound_to* a route and a filter."""
        return PageKey(_text(_mac(self._secrets[0], bound_to, key) + key))

    def opened(self, bound_to: bytes, text: str) -> bytes | None:
        """The key in *text*; None if none of the secrets has signed it for this."""
        try:
            # `_text` leaves out the padding, with which the length is a multiple of four
            data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        except ValueError:
            return None
        # in base64, different last characters may decode to the same bytes
        if len(data) <= _MAC or _text(data) != text:
            return None
        sent, key = data[:_MAC], data[_MAC:]
        # try each of them, so that the time does not tell which one matched
        fits = [hmac.compare_digest(sent, _mac(each, bound_to, key)) for each in self._secrets]
        return key if any(fits) else None


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _mac(secret: bytes, bound_to: bytes, key: bytes) -> bytes:
    return hmac.digest(secret, _PURPOSE + bound_to + key, "sha256")


@final
class Pages:
    """Translates between signed keys on the wire and the own keys of one route's resolver."""

    __slots__ = ("_filter", "_keys", "_name", "pred")

    def __init__(self, name: str, pred: Pred[Any], keys: Keys, cursor: Shape) -> None:
        self._name: Final = sha256(name.encode()).digest()
        self.pred: Final = pred
        """The pred of a key."""
        self._keys: Final = keys
        self._filter: Final = filter_of(cursor)

    def opened(self, text: str, body: bytes) -> Any:
        """
        The key in *text*, which was sent in *body*.

        Raises:
            InvalidInput: This route did not give that key for this filter.
        """
        key = self._keys.opened(self._bound_to(body), text)
        if key is not None:
            with suppress(InvalidInput):  # signed by an earlier version of the service
                return self.pred.load(key)
        raise InvalidInput((issue("page_key", ("after",)),))

    def signed(self, key: object, body: bytes) -> PageKey:
        """
        The *key* of the page after the one that *body* asked for.

        Raises:
            InvalidOutput: It is not a valid key, or is too long.
        """
        try:
            data = self.pred.dump(key)
        except InvalidOutput as invalid:
            raise InvalidOutput(("next", *invalid.path), invalid.problem) from None
        # a longer one would be refused when the client sends it back
        if len(data) > _MOST:
            raise InvalidOutput(("next",), f"has {len(data)} bytes, and {_MOST} are the most")
        return self._keys.signed(self._bound_to(body), data)

    def _bound_to(self, body: bytes) -> bytes:
        """Bytes that identify this route and the filter in *body*, which is a valid input."""
        cursor = cast("dict[str, Any]", orjson.loads(body or b"{}"))
        given = {key: each for key, each in cursor.items() if key == self._filter.wire}
        return self._name + sha256(_in_one_form(_filled((self._filter,), given))).digest()


def _settled(shape: Shape, value: Any) -> Any:
    """
    The JSON *value* of *shape* as any client could have sent it.

    It has the defaults that are known, its sets are in one order, and equal numbers are written in
    one way. The loaded value is not asked: a default may be the present time, and the author's code
    may have changed it.
    """
    match shape:
        case RefShape(definition):
            return _settled(definition.shape, value)
        case Refined(inner):
            return _settled(inner, value)
        case NullableShape(inner):
            if value is None:
                return None
            return _settled(inner, value)
        case ArrayShape(item):
            items = [_settled(item, each) for each in value]
            if shape.unique:  # a set has no order, so a client may send any
                items.sort(key=_in_one_form)
            return items
        case MapShape(_, item):
            return {key: _settled(item, each) for key, each in value.items()}
        case TaggedUnionShape(tag, _, cases):
            # to Python, True and 1 are the same key; to JSON, they are two tags
            records = {(type(each) is bool, each): record for each, record in cases}
            return _settled(records[type(value[tag]) is bool, value[tag]], value)
        case RecordShape(fields=fields):
            return _filled(fields, value)
        case _:
            return _in_equal_numbers(value)


def _in_equal_numbers(value: Any) -> Any:
    """The JSON *value* with 1 in the place of 1.0, as far as integers of 64 bits go."""
    kind = cast("type[object]", type(value))
    if kind is list:
        return [_in_equal_numbers(each) for each in value]
    if kind is dict:
        return {key: _in_equal_numbers(each) for key, each in value.items()}
    if kind is float and value.is_integer() and abs(value) < 2**63:
        return int(value)
    return value


def _filled(fields: Sequence[Field], given: Mapping[str, Any]) -> dict[str, Any]:
    """*given*, with the known defaults of those of the *fields* that it leaves out."""
    whole = dict(given)
    for field in fields:
        if not field.init:
            whole.pop(field.wire, None)  # only defaults have it
            continue
        value = whole.get(field.wire, MISSING)
        if value is MISSING:
            value = _default_of(field)
        if value is not MISSING:
            whole[field.wire] = _settled(field.shape, value)
    return whole


def _default_of(field: Field) -> Any:
    """The JSON that means the same as leaving *field* out; MISSING if none is known."""
    if field.json_default is not MISSING:
        return field.json_default  # a mock knows no other
    default = known_default(field)
    if default is MISSING:
        return MISSING
    shape = field.shape
    if isinstance(shape, RefShape):
        shape = shape.definition.shape
    # a record whose fields all have defaults: `_settled` fills them in
    if isinstance(shape, RecordShape) and field.default_factory is shape.type:
        return {}
    # an instance does not tell what its InitVars were
    if _has_init_only(field.shape):
        return MISSING
    return plain(field.shape, default)


def _has_init_only(shape: Shape) -> bool:
    for each in reachable(shape):
        found = each.shape
        if isinstance(found, RecordShape) and any(field.init_only for field in found.fields):
            return True
    return False


def _in_one_form(value: Any) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


@final
@record
class PagedInput:
    """The loader of a cursor."""

    pred: Pred[Any]
    pages: Pages
    empty: bytes
    """The value of a missing body."""

    def load(self, body: bytes) -> Any:
        """The cursor in *body*, with the author's own key."""
        cursor = self.pred.load(body or self.empty)
        if cursor.after is not None:
            cursor = replace(cursor, after=self.pages.opened(cursor.after, body))
        # the body is kept, since the next key is bound to the filter in it
        object.__setattr__(cursor, _BODY, body)
        return cursor


_BODY: Final = "_contract_body"


@final
@record
class PagedOutput:
    """The dumper of a page."""

    pred: Pred[Any]
    pages: Pages

    def preds(self) -> list[Pred[Any]]:
        """The pred of the page."""
        return [self.pred]

    def dump(self, value: Any) -> bytes:
        """The JSON of a page from `page_of`, with its key signed."""
        if not _is_page(value):
            return self.pred.dump(value)
        asked = cast("_Asked", value.next)
        key = None
        if asked.key is not None:
            key = self.pages.signed(asked.key, asked.body)
        data = self.pred.dump(with_next(value, key))
        if len(value.items) > asked.limit:
            problem = f"has {len(value.items)} items, and {asked.limit} were asked for"
            raise InvalidOutput(("items",), problem)
        return data


@final
class _Asked(NamedTuple):
    """The key of the next page, and the facts about the call."""

    key: Any
    body: bytes
    limit: int


# A dumper gets the result alone, and the key of the next page is bound to the body of the call,
# which the loader has read. So the loader leaves the body with the cursor, and the resolver's
# wrapper puts it, with the author's key, in the place of ``next``.


def page_of(result: Any, body: bytes, limit: int) -> Any:
    """The *result* of a resolver for `PagedOutput`, with the *body* and the *limit* of its call."""
    if not _is_page(result):
        return result
    return with_next(result, _Asked(result.next, body, limit))


def _is_page(value: object) -> TypeGuard[Slice[Any, Any]]:
    return isinstance(value, Slice)


def with_next(page: Slice[Any, Any], key: object) -> Slice[Any, Any]:
    """The *page* with the *key* of the next one; a mock's page may have more fields."""
    made = copy(page)
    object.__setattr__(made, "next", key)
    return made


def paged(resolver: Callable[..., Any], *, is_async: bool) -> Callable[..., Any]:
    """The *resolver* of a route with pages, changed to give what `PagedOutput` needs."""
    if is_async:

        @wraps(resolver)
        async def resolve_later(cursor: Cursor[Any, Any], ctx: Any) -> Any:
            return page_of(await resolver(cursor, ctx), getattr(cursor, _BODY), cursor.limit)

        return resolve_later

    @wraps(resolver)
    def resolve(cursor: Cursor[Any, Any], ctx: Any) -> Any:
        return page_of(resolver(cursor, ctx), getattr(cursor, _BODY), cursor.limit)

    return resolve
