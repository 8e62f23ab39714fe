"""
Components: the parts of an OpenAPI document that its operations refer to.

They are headers, errors as responses and schemas, and schemas with OpenAPI's references. The body
of an error is {"error": CODE} or {"error": CODE, "data": ...}. Each code has one schema for it,
with the code as a constant, by which the schemas of a response are told apart.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from contract.document.model import ContractError, ContractRoute, is_read_by_url, ways_into
from contract.shape.json_text import Json, JsonSchema
from contract.shape.schema_lens import DEFINITIONS, inside, type_of

__all__ = [
    "HEADERS",
    "SCOPED_HEADERS",
    "Errors",
    "Names",
    "asks_for_scopes",
    "header_references",
    "moved",
    "response_of",
    "stream_content",
]


def _text_header(description: str) -> dict[str, Any]:
    return {"description": description, "schema": {"type": "string"}}


_CHALLENGE: Final = (
    "How to authenticate, where the code is UNAUTHORIZED: with a bearer token (RFC 6750), or with "
    "the header or the cookie that it names."
)

HEADERS: Final[Mapping[str, Any]] = {
    "Accept-Encoding": _text_header(
        "`identity`, if the body was refused for its Content-Encoding; absent otherwise."
    ),
    "Accept-Ranges": _text_header(
        "`bytes`, if parts of the file can be asked for (Range); absent otherwise."
    ),
    "Allow": _text_header("The methods that may be used instead."),
    "Cache-Control": _text_header("Who may keep the output, and for how many seconds (RFC 9111)."),
    "Content-Disposition": _text_header(
        "The name of the file, and whether it is shown or saved (RFC 6266)."
    ),
    "Content-Range": _text_header("Which bytes of the file these are (RFC 9110, section 14.4)."),
    "Deprecation": {
        "description": "Since when the route is deprecated: @ and a Unix time (RFC 9745).",
        "schema": {"type": "string", "pattern": "^@-?[0-9]+$"},
    },
    "ETag": _text_header("Names the output, for If-None-Match (RFC 9110, section 8.8.3)."),
    "Last-Modified": _text_header("When the file was changed, if that is known."),
    "Retry-After": {
        "description": "Seconds to wait before the next try; also retry_after in the data.",
        "schema": {"type": "integer", "minimum": 0},
    },
    "Sunset": _text_header("When the route goes away, as a date of HTTP (RFC 8594)."),
    "Vary": _text_header("The headers of the request that the output depends on."),
    "WWW-Authenticate": _text_header(_CHALLENGE),
    "X-Request-Id": {
        "description": (
            "Names the call in the logs of the service; that of the request, "
            "if it sent a sensible one."
        ),
        "required": True,
        "schema": {"type": "string"},
    },
}
"""Every header that a response may have."""

SCOPED_HEADERS: Final[Mapping[str, Any]] = {
    "WWW-Authenticate": _text_header(
        f"{_CHALLENGE} Where the code is FORBIDDEN, it may name the scopes that are needed."
    )
}
"""Headers whose descriptions say more if a route requires scopes."""

_SENT_WITH: Final[Mapping[str, str]] = {
    "METHOD_NOT_ALLOWED": "Allow",
    "SERVICE_UNAVAILABLE": "Retry-After",
    "TOO_MANY_REQUESTS": "Retry-After",
    "UNAUTHORIZED": "WWW-Authenticate",
    "UNSUPPORTED_MEDIA_TYPE": "Accept-Encoding",
}
"""Code -> the header that goes with it."""
_OUT_OF_RANGE: Final = 416
"""The status of an answer that says how long the file is."""

_PHRASES: Final[Mapping[int, str]] = {
    400: "BadRequest",
    401: "Unauthorized",
    402: "PaymentRequired",
    403: "Forbidden",
    404: "NotFound",
    405: "MethodNotAllowed",
    406: "NotAcceptable",
    408: "RequestTimeout",
    409: "Conflict",
    410: "Gone",
    411: "LengthRequired",
    412: "PreconditionFailed",
    413: "ContentTooLarge",
    414: "UriTooLong",
    415: "UnsupportedMediaType",
    422: "UnprocessableContent",
    423: "Locked",
    424: "FailedDependency",
    428: "PreconditionRequired",
    429: "TooManyRequests",
    451: "UnavailableForLegalReasons",
    500: "InternalServerError",
    501: "NotImplemented",
    502: "BadGateway",
    503: "ServiceUnavailable",
    504: "GatewayTimeout",
    507: "InsufficientStorage",
}
"""
Names of responses, by status (RFC 9110, section 15).

They are written here, since the phrases of `http` differ between versions of Python.
"""

_BEARER_ONLY: Final = "UNAUTHORIZED"
_BODY_ONLY: Final = frozenset({"LENGTH_REQUIRED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"})
_UNSOUND: Final = "BAD_REQUEST"
"""
This code is also sent for a URL that is too long (414), for an output that is not the one that is
wanted (412), and for a range outside of a file (416).
"""
_RESPONSES: Final = "#/components/responses/"
_SCHEMAS: Final = "#/components/schemas/"
# as long as the longest name of a route, and of a type in `contract.document.schema_names`
_LONGEST: Final = 100


def response_of(description: str, schema: Any, headers: Iterable[str] = ()) -> dict[str, Any]:
    """A response with a JSON body; every response has the header that names its call."""
    return {
        "description": description,
        "headers": header_references("X-Request-Id", *headers),
        "content": {"application/json": {"schema": schema}},
    }


def header_references(*names: str) -> dict[str, Any]:
    """Name of a header -> a reference to it."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def stream_content(item: Any, errors: list[Any]) -> dict[str, Any]:
    """
    The media types of a stream.

    Args:
        item: The schema of an item.
        errors: The schemas of the bodies that may end it; the framework's are added.
    """
    ends = {"anyOf": [*errors, _ANY_ERROR]}
    id_ = {"type": "string", "description": "Sent back in Last-Event-ID to go on after this item."}
    end = {"type": "object", "properties": {"end": {"const": True}}, "required": ["end"]}
    nothing = {"type": "object", "maxProperties": 0, "description": "Says that it goes on."}
    line = {"type": "object", "properties": {"item": item, "id": id_}, "required": ["item"]}
    return {
        "text/event-stream": {
            "schema": {"type": "string", "description": "Events (HTML, section 9.2)."},
            "x-contract-item-schema": {
                "oneOf": [
                    _event({"data": _json(item), "id": id_}, ["data"]),
                    _event({"event": {"const": "error"}, "data": _json(ends)}, ["event", "data"]),
                    _event({"event": {"const": "end"}, "data": _json({})}, ["event", "data"]),
                ]
            },
        },
        "application/jsonl": {
            "schema": {"type": "string", "description": "A JSON object in each line."},
            "x-contract-item-schema": {"oneOf": [line, ends, end, nothing]},
        },
    }


_ANY_ERROR: Final = {
    "type": "object",
    "description": "The framework's own: INTERNAL_ERROR, DEADLINE_EXCEEDED, SERVICE_UNAVAILABLE.",
    "properties": {"error": {"type": "string"}},
    "required": ["error"],
}


def _event(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _json(schema: Any) -> dict[str, Any]:
    """A string that contains JSON of the *schema*."""
    return {"type": "string", "contentMediaType": "application/json", "contentSchema": schema}


def asks_for_scopes(route: ContractRoute) -> bool:
    """
    Whether a 403 of *route* has a challenge, which names the scopes that a bearer token needs.

    Callers with only a key or a cookie find them in the body.
    """
    return bool(route.requires) and "bearer" in ways_into(route)


class Errors:
    """
    The responses of all routes of a document, and the schemas that they need.

    Args:
        common: The errors that any route may answer with.
        routes: All routes.
        taken: The names of types, which errors must not have.

    Attributes:
        responses: ``components/responses``.
        schemas: The part of ``components/schemas`` that is bodies of errors.
    """

    def __init__(
        self,
        common: Mapping[str, ContractError],
        routes: Mapping[str, ContractRoute],
        taken: Iterable[str],
    ) -> None:
        self._common = common
        self._schema_names = Names(taken)
        self._response_names = Names(())
        self._named: dict[str, str] = {}
        """Errors and responses that have a name, as JSON -> name; each is written once."""
        self.schemas: dict[str, Any] = {}
        self.responses: dict[str, Any] = {}
        # the shared ones first, so that they get the plain names
        for auth in ("bearer", "none"):
            if any((route.auth == "none") is (auth == "none") for route in routes.values()):
                self._by_status({}, auth)
        # then those at POST, so that a read at GET takes no plain name from one of them
        self._of_route: dict[str, Mapping[str, Any]] = {}
        self._of_read: dict[str, Mapping[str, Any]] = {}
        for name, route in sorted(routes.items()):
            scoped = asks_for_scopes(route)
            self._of_route[name] = self._by_status(route.errors, route.auth, scoped=scoped)
        for name, route in sorted(routes.items()):
            if is_read_by_url(route):
                unsound: tuple[int, ...] = (412, 414)
                if route.media:
                    unsound = (412, 414, _OUT_OF_RANGE)
                scoped = asks_for_scopes(route)
                self._of_read[name] = self._by_status(
                    route.errors, route.auth, unsound=unsound, scoped=scoped
                )
        # a shared response that no route has, because each declares more, is left out again
        used: set[str] = set()
        for found in (*self._of_route.values(), *self._of_read.values()):
            used.update(reference["$ref"] for reference in found.values())
        for name in [*self.responses]:
            if f"{_RESPONSES}{name}" not in used:
                del self.responses[name]

    def of(self, route: str) -> Mapping[str, Any]:
        """Status -> reference to a response, for all that *route* may answer except its output."""
        return self._of_route[route]

    def of_read(self, route: str) -> Mapping[str, Any]:
        """The responses of the cached read *route* at GET, if they differ from those at POST."""
        return self._of_read[route]

    def _by_status(
        self,
        declared: Mapping[str, ContractError],
        auth: str,
        *,
        unsound: tuple[int, ...] = (),
        scoped: bool = False,
    ) -> dict[str, Any]:
        """
        Status -> reference to a response.

        A read at GET has none about a body, but more that report that it is *unsound*.
        """
        # 1. The errors that any such route may answer with.
        never: set[str] = set()
        if unsound:
            never.update(_BODY_ONLY)
        if auth == "none":
            never.add(_BEARER_ONLY)
        common = {code: error for code, error in self._common.items() if code not in never}

        # 2. With those that this one declares, by status.
        found: dict[int, dict[str, ContractError]] = {}
        for code, error in sorted({**common, **declared}.items()):
            found.setdefault(error.status, {})[code] = error
            if code == _UNSOUND:
                for status in unsound:
                    found.setdefault(status, {})[code] = error

        # 3. A response for each status, which is named after the codes that are not common.
        sent_with = _SENT_WITH
        if scoped:
            sent_with = {**_SENT_WITH, "FORBIDDEN": "WWW-Authenticate"}
        responses: dict[str, Any] = {}
        for status, errors in sorted(found.items()):
            own = [code for code in errors if errors[code] != common.get(code)]
            responses[str(status)] = self._response(status, errors, own, sent_with)
        return responses

    def _response(
        self,
        status: int,
        errors: Mapping[str, ContractError],
        own: list[str],
        sent_with: Mapping[str, str],
    ) -> Any:
        schemas = {code: self.body(code, error) for code, error in errors.items()}
        headers = sorted({sent_with[code] for code in errors if code in sent_with})
        if status == _OUT_OF_RANGE:
            headers.append("Content-Range")
        if len(errors) == 1:
            [(code, error)] = errors.items()
            written = response_of(error.description or code, schemas[code], headers)
        else:
            # a list in Markdown, so each description is put on one line
            lines: list[str] = []
            for code, error in errors.items():
                lines.append(f"- `{code}`: {' '.join(error.description.split())}")
            mapping = {code: schema["$ref"] for code, schema in schemas.items()}
            union = {
                "oneOf": [*schemas.values()],
                "discriminator": {"propertyName": "error", "mapping": mapping},
            }
            written = response_of("\n".join(lines), union, headers)
        key = f"{status} {_canonical(written)}"
        if key not in self._named:
            phrase = _PHRASES.get(status, f"Status{status}")
            self._named[key] = self._response_names.give("_".join([phrase, *map(_camel, own)]))
            self.responses[self._named[key]] = written
        return {"$ref": f"{_RESPONSES}{self._named[key]}"}

    def body(self, code: str, error: ContractError) -> dict[str, Any]:
        """A reference to the schema of the body with *code*."""
        properties: dict[str, Any] = {"error": {"type": "string", "const": code}}
        if error.data is not None:
            properties["data"] = moved(error.data)
        required = ["error"]
        if error.data is not None and error.data_required:
            required.append("data")
        written = {
            "description": error.description or code,
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        }
        key = _canonical(written)
        if key not in self._named:
            # INTERNAL_ERROR is InternalError, and SOLD_OUT is SoldOutError
            name = self._schema_names.give(f"{_camel(code).removesuffix('Error')}Error")
            self._named[key] = name
            self.schemas[name] = {"title": name, **written}
        return {"$ref": f"{_SCHEMAS}{self._named[key]}"}


class Names:
    """
    Names of components, which must not differ only in case or underscores.

    Generators turn them into identifiers and files.
    """

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = {_folded(name) for name in taken}

    def give(self, wanted: str) -> str:
        """The *wanted* name, or one like it if that is taken."""
        # the digits keep two long names apart that only differ at their ends
        if len(wanted) > _LONGEST:
            wanted = f"{wanted[: _LONGEST - 9]}_{hashlib.sha256(wanted.encode()).hexdigest()[:8]}"
        name, number = wanted, 1
        while _folded(name) in self._taken:
            number += 1
            name = f"{wanted}{number}"
        self._taken.add(_folded(name))
        return name


def _folded(name: str) -> str:
    # to some generators, sold_out, SoldOut and soldout are one class, or one file
    return name.replace("_", "").lower()


def _camel(code: str) -> str:
    return "".join(word.capitalize() for word in code.split("_"))


def _canonical(value: Any) -> str:
    # as a key: two things that are the same JSON are written once
    return json.dumps(value, sort_keys=True)


def moved(schema: JsonSchema) -> dict[str, Any]:
    """
    *schema* in terms that OpenAPI tools understand.

    A reference to ``#/$defs/NAME`` becomes one to ``#/components/schemas/NAME``.
    """
    found = {key: inside(key, value, _part) for key, value in schema.items()}
    found.pop("x-contract-generic", None)  # OpenAPI generators do not use it
    if "$ref" in found:
        found["$ref"] = _ref(found["$ref"])
    if "discriminator" in found:
        found["discriminator"] = _discriminator(found["discriminator"])
    # Two things are written in another way that means the same, because most OpenAPI tools take
    # items for an object, as until version 3.0, and an enum for values of one type.
    if found.get("items") is False:
        length = len(found.get("prefixItems", ()))
        found |= {"items": {}, "maxItems": min(length, found.get("maxItems", length))}
    if isinstance(found.get("type"), list) and "enum" in found:
        types = [type_of(value) for value in found["enum"]]
        if {*types} == {*found["type"]}:  # else not all of the values are valid
            pairs = zip(types, found["enum"], strict=True)
            found["anyOf"] = [{"type": kind, "const": value} for kind, value in pairs]
            del found["type"], found["enum"]
    return found


def _part(schema: Any) -> Any:
    # true and false are schemas, too (JSON Schema Core, section 4.3.2)
    return schema if isinstance(schema, bool) else moved(schema)


def _discriminator(value: Json) -> Json:
    """*value* with references in its mapping, which names schemas."""
    if "mapping" not in value:
        return value
    return {**value, "mapping": {tag: _ref(ref) for tag, ref in value["mapping"].items()}}


def _ref(ref: str) -> str:
    return _SCHEMAS + ref.removeprefix(DEFINITIONS)
