"""
OpenAPI: a contract document in the words of OpenAPI 3.1.

It is a function of the `Document` alone, so it works as well on a contract.json that was fetched
from anywhere. Nothing of it depends on the order of a mapping: a document that was written and read
again gives the same bytes.

Types stand once under ``components/schemas``, and so does the body of each error, under a name made
of its code. ``components/responses`` groups errors by status: what any route may answer is shared,
and a route that declares more of a status has a response of its own, which is shared with the
routes that declare the same.

What OpenAPI has no field for stands in these, on an operation:

``x-contract-effect``
    What a call does: ``read``, ``idempotent``, ``write`` or ``destructive``.
``x-contract-deprecation``
    ``since``, ``remove_on`` and ``use``, as far as they are known of a deprecated route.
``x-contract-scope``
    ``private``, on a route that public documents leave out.

Those of schemas are in `contract.document.json_schema`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from contract.document.model import ContractError, ContractRoute, Deprecation, Document
from contract.shape.json_text import Json, JsonSchema
from contract.shape.schema_lens import DEFINITIONS, followed, inside, type_of

__all__ = ["moved", "openapi"]

_SCHEME: Final = "bearer"


def openapi(document: Document, *, server: str) -> dict[str, Any]:
    """
    *document* as OpenAPI 3.1.

    Args:
        document: What is described.
        server: Where the service is mounted: a URL, or a path such as ``/v1``. Those of the routes
            come after it.
    """
    # An export of another name than its type's is that type under a second name. It is no bare
    # reference, which some generators take for the type itself, and write twice.
    aliases = {
        name: {"title": name, "allOf": [schema]} for name, schema in document.exports.items()
    }
    named = {**aliases, **document.defs}
    errors = _Errors(document.errors, document.routes, named)
    paths = {
        f"/{route.path}": {"post": _operation(name, route, errors, document.defs)}
        for name, route in sorted(document.routes.items())
    }
    schemas = {**{name: moved(schema) for name, schema in named.items()}, **errors.schemas}
    components: dict[str, Any] = {}
    if schemas:
        components["schemas"] = dict(sorted(schemas.items()))
    if paths:
        components["responses"] = dict(sorted(errors.responses.items()))
        components["headers"] = {name: _HEADERS[name] for name in _headers_in(paths, errors)}
    if any(route.auth == "bearer" for route in document.routes.values()):
        components["securitySchemes"] = {_SCHEME: {"type": "http", "scheme": "bearer"}}
    tags = sorted({tag for route in document.routes.values() for tag in route.tags})
    return {
        "openapi": "3.1.0",
        "info": _info(document),
        "servers": [{"url": server.rstrip("/") or "/"}],
        **({"tags": [{"name": tag} for tag in tags]} if tags else {}),
        "paths": paths,
        **({"components": components} if components else {}),
    }


def _info(document: Document) -> dict[str, Any]:
    info = {"title": document.info.title, "version": document.info.version}
    return (
        info
        if document.info.description is None
        else {**info, "description": document.info.description}
    )


def _headers_in(paths: dict[str, Any], errors: _Errors) -> list[str]:
    """
    The headers that some response names.

    Linters ask about a component that nobody refers to.
    """
    outputs = [item["post"]["responses"]["200"] for item in paths.values()]
    return sorted(
        {name for found in [*outputs, *errors.responses.values()] for name in found["headers"]}
    )


def _operation(
    name: str, route: ContractRoute, errors: _Errors, defs: Mapping[str, JsonSchema]
) -> dict[str, Any]:
    operation: dict[str, Any] = {"operationId": name, "summary": route.summary}
    if route.description is not None:
        operation["description"] = route.description
    operation["tags"] = [*route.tags]
    operation["security"] = [{_SCHEME: []}] if route.auth == "bearer" else []
    operation["requestBody"] = _input(route, defs)
    operation["responses"] = {"200": _output(route), **errors.of(name)}
    if route.deprecated is not None:
        operation["deprecated"] = True
        details = _details(route.deprecated)
        if details:
            operation["x-contract-deprecation"] = details
    operation["x-contract-effect"] = route.effect
    if route.group is not None:
        operation["x-contract-group"] = route.group
    if route.scope == "private":
        operation["x-contract-scope"] = route.scope
    return operation


def _input(route: ContractRoute, defs: Mapping[str, JsonSchema]) -> dict[str, Any]:
    schema = route.input
    # Only the empty object of a route without input stands in place: every named type is a
    # reference.
    nothing = _is_closed(schema) and not schema.get("properties")
    schema = followed(schema, defs)
    needed = not _is_closed(schema) or bool(schema.get("required"))
    said = {"description": "Nothing: no body, `null` or `{}`."} if nothing else {}
    return {
        **said,
        "required": needed,
        "content": {"application/json": {"schema": moved(route.input)}},
    }


def _is_closed(schema: JsonSchema) -> bool:
    """Whether *schema* is that of a record."""
    return schema.get("type") == "object" and schema.get("additionalProperties") is False


def _output(route: ContractRoute) -> dict[str, Any]:
    # Shared responses cannot have the headers of one route, so these stand here, where they are
    # looked for.
    headers: list[str] = []
    if route.deprecated is not None and route.deprecated.since is not None:
        headers.append("Deprecation")
    if route.deprecated is not None and route.deprecated.remove_on is not None:
        headers.append("Sunset")
    return _response_of("The output.", moved(route.output), headers)


def _details(deprecated: Deprecation) -> dict[str, str]:
    details = {"since": deprecated.since, "remove_on": deprecated.remove_on, "use": deprecated.use}
    return {name: value for name, value in details.items() if value is not None}


# Components: headers, errors as responses and schemas, and schemas as OpenAPI refers to them.
#
# A body of an error is {"error": CODE} or {"error": CODE, "data": ...}, and each code has one
# schema for it, which holds the code as a constant. The responses of a status are told apart by
# that constant.

_HEADERS: Final[Mapping[str, Any]] = {
    "Allow": {"description": "The methods that may be used instead.", "schema": {"type": "string"}},
    "Deprecation": {
        "description": "Since when the route is deprecated: @ and a Unix time (RFC 9745).",
        "schema": {"type": "string", "pattern": "^@-?[0-9]+$"},
    },
    "Retry-After": {
        "description": "Seconds to wait before the next try; also retry_after in the data.",
        "schema": {"type": "integer", "minimum": 0},
    },
    "Sunset": {
        "description": "When the route goes away, as a date of HTTP (RFC 8594).",
        "schema": {"type": "string"},
    },
    "WWW-Authenticate": {
        "description": (
            "How to authenticate, where the code is UNAUTHORIZED: with a bearer token (RFC 6750)."
        ),
        "schema": {"type": "string"},
    },
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

_SENT_WITH: Final[Mapping[str, str]] = {
    "METHOD_NOT_ALLOWED": "Allow",
    "SERVICE_UNAVAILABLE": "Retry-After",
    "TOO_MANY_REQUESTS": "Retry-After",
    "UNAUTHORIZED": "WWW-Authenticate",
}
"""Code -> the header that goes with it."""

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

The phrases of `http` are not the same in every version of Python.
"""

_BEARER_ONLY: Final = "UNAUTHORIZED"
_RESPONSES: Final = "#/components/responses/"
_LONGEST: Final = 100


def _response_of(description: str, schema: Any, headers: Iterable[str] = ()) -> dict[str, Any]:
    """A response with a JSON body; every one names its call."""
    return {
        "description": description,
        "headers": {
            name: {"$ref": f"#/components/headers/{name}"} for name in ("X-Request-Id", *headers)
        },
        "content": {"application/json": {"schema": schema}},
    }


class _Errors:
    """
    The responses of all routes of a document, and the schemas that they need.

    Args:
        common: What any route may answer with.
        routes: All of them.
        taken: The names of types, which no error may have.

    Attributes:
        responses: ``components/responses``.
        schemas: Those of ``components/schemas`` that are bodies of errors.
    """

    def __init__(
        self,
        common: Mapping[str, ContractError],
        routes: Mapping[str, ContractRoute],
        taken: Iterable[str],
    ) -> None:
        self._common = common
        self._schema_names = _Names(taken)
        self._response_names = _Names(())
        self._named: dict[str, str] = {}
        """Errors and responses that have a name, as JSON -> name; neither is written twice."""
        self.schemas: dict[str, Any] = {}
        self.responses: dict[str, Any] = {}
        # the shared ones first, so that they get the plain names
        for auth in ("bearer", "none"):
            if any(route.auth == auth for route in routes.values()):
                self._by_status({}, auth)
        self._of_route = {
            name: self._by_status(route.errors, route.auth)
            for name, route in sorted(routes.items())
        }
        used = {
            reference["$ref"] for found in self._of_route.values() for reference in found.values()
        }
        self.responses = {
            name: found for name, found in self.responses.items() if f"{_RESPONSES}{name}" in used
        }

    def of(self, route: str) -> Mapping[str, Any]:
        """Status -> reference to a response, of all that *route* may answer but its output."""
        return self._of_route[route]

    def _by_status(self, declared: Mapping[str, ContractError], auth: str) -> dict[str, Any]:
        common = {
            code: error
            for code, error in self._common.items()
            if auth == "bearer" or code != _BEARER_ONLY
        }
        found: dict[int, dict[str, ContractError]] = {}
        for code, error in sorted({**common, **declared}.items()):
            found.setdefault(error.status, {})[code] = error
        return {
            str(status): self._response(
                status, errors, [code for code in errors if errors[code] != common.get(code)]
            )
            for status, errors in sorted(found.items())
        }

    def _response(self, status: int, errors: Mapping[str, ContractError], own: list[str]) -> Any:
        schemas = {code: self._schema(code, error) for code, error in errors.items()}
        headers = sorted({_SENT_WITH[code] for code in errors if code in _SENT_WITH})
        if len(errors) == 1:
            [(code, error)] = errors.items()
            written = _response_of(error.description or code, schemas[code], headers)
        else:
            lines = [
                f"- `{code}`: {' '.join(error.description.split())}"
                for code, error in errors.items()
            ]
            mapping = {code: schema["$ref"] for code, schema in schemas.items()}
            union = {
                "oneOf": [*schemas.values()],
                "discriminator": {"propertyName": "error", "mapping": mapping},
            }
            written = _response_of("\n".join(lines), union, headers)
        key = f"{status} {_canonical(written)}"
        if key not in self._named:
            wanted = "_".join([_phrase(status), *map(_camel, own)])
            self._named[key] = self._response_names.give(wanted)
            self.responses[self._named[key]] = written
        return {"$ref": f"{_RESPONSES}{self._named[key]}"}

    def _schema(self, code: str, error: ContractError) -> dict[str, Any]:
        properties: dict[str, Any] = {"error": {"type": "string", "const": code}}
        if error.data is not None:
            properties["data"] = moved(error.data)
        written = {
            "description": error.description or code,
            "type": "object",
            "properties": properties,
            "required": ["error", "data"]
            if error.data is not None and error.data_required
            else ["error"],
            "additionalProperties": False,
        }
        key = _canonical(written)
        if key not in self._named:
            name = self._named[key] = self._schema_names.give(
                f"{_camel(code).removesuffix('Error')}Error"
            )
            self.schemas[name] = {"title": name, **written}
        return _component(self._named[key])


class _Names:
    """
    Names of components, which differ in more than case and underscores.

    Generators make identifiers and files of them.
    """

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = {_folded(name) for name in taken}

    def give(self, wanted: str) -> str:
        if len(wanted) > _LONGEST:
            wanted = f"{wanted[: _LONGEST - 9]}_{hashlib.sha256(wanted.encode()).hexdigest()[:8]}"
        name, number = wanted, 1
        while _folded(name) in self._taken:
            number += 1
            name = f"{wanted}{number}"
        self._taken.add(_folded(name))
        return name


def _folded(name: str) -> str:
    return name.replace("_", "").lower()


def _camel(code: str) -> str:
    return "".join(word.capitalize() for word in code.split("_"))


def _phrase(status: int) -> str:
    return _PHRASES.get(status) or f"Status{status}"


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


_TO: Final = "#/components/schemas/"


def _component(name: str) -> dict[str, Any]:
    """A reference to the schema *name*."""
    return {"$ref": f"{_TO}{name}"}


def moved(schema: JsonSchema) -> dict[str, Any]:
    """
    *schema* in words that the tools of OpenAPI know.

    A reference to ``#/$defs/NAME`` becomes one to ``#/components/schemas/NAME``.
    """
    found = {key: inside(key, value, _part) for key, value in schema.items()}
    if "$ref" in found:
        found["$ref"] = _ref(found["$ref"])
    if "discriminator" in found:
        found["discriminator"] = _discriminator(found["discriminator"])
    # Two things are said in other words that mean the same, because most tools of OpenAPI take
    # items for an object, as it was up to version 3.0, and an enum for values of one type.
    if found.get("items") is False:
        length = len(found.get("prefixItems", ()))
        found |= {"items": {}, "maxItems": min(length, found.get("maxItems", length))}
    if isinstance(found.get("type"), list) and "enum" in found:
        types = [type_of(value) for value in found["enum"]]
        if {*types} == {*found["type"]}:  # else some of the values cannot be
            found["anyOf"] = [
                {"type": kind, "const": value}
                for kind, value in zip(types, found["enum"], strict=True)
            ]
            del found["type"], found["enum"]
    return found


def _part(schema: Any) -> Any:
    return schema if isinstance(schema, bool) else moved(schema)


def _discriminator(value: Json) -> Json:
    """With its mapping, which names schemas as references do."""
    return (
        {**value, "mapping": {tag: _ref(ref) for tag, ref in value["mapping"].items()}}
        if "mapping" in value
        else value
    )


def _ref(ref: str) -> str:
    return _TO + ref.removeprefix(DEFINITIONS)
