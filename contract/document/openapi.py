"""
OpenAPI: a contract document as OpenAPI 3.1.

It is a function of the `Document` alone, so it also works on a contract.json from anywhere. It does
not depend on the order of any mapping: a document that was written and read again gives the same
bytes.

Types are written once under ``components/schemas``, and so is the body of each error, under a name
made from its code. ``components/responses`` groups errors by status. What any route may answer is
shared. A route that declares more for a status has its own response, which is shared with the
routes that declare the same.

What OpenAPI has no field for is in these fields of an operation:

``x-contract-effect``
    What a call does: ``read``, ``idempotent``, ``write`` or ``destructive``.
``x-contract-cache``
    On the GET of a cached read: ``max_age``, in seconds, and ``vary``, the request headers that its
    output depends on, besides the credentials.
``x-contract-pages``
    On an operation that gives a list in pages: ``next`` of one page is ``after`` of the following.
``x-contract-deprecation``
    ``since``, ``remove_on`` and ``use`` of a deprecated route, as far as they are known.
``x-contract-scope``
    ``private``, on a route that public documents leave out.

And in this field of each media type of a stream:

``x-contract-item-schema``
    OpenAPI 3.2's ``itemSchema``, which 3.1 forbids: the schema of an event, or of a line.

The fields of schemas are in `contract.document.json_schema`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any, Final

from contract.document.model import (
    ContractEvent,
    ContractRoute,
    Deprecation,
    Document,
    is_read_by_url,
    ways_into,
)
from contract.document.openapi_components import (
    HEADERS,
    SCOPED_HEADERS,
    Errors,
    Names,
    asks_for_scopes,
    header_references,
    moved,
    response_of,
    stream_content,
)
from contract.shape.header_values import vary_of
from contract.shape.json_text import JsonSchema
from contract.shape.schema_lens import followed

__all__ = ["openapi"]

_SCHEME: Final = "bearer"


def openapi(document: Document, *, server: str) -> dict[str, Any]:
    """
    *document* as OpenAPI 3.1.

    Args:
        document: The document to convert.
        server: The URL of the mount, or a path such as ``/v1``. The paths of the routes are
            appended to it.
    """
    # An export whose name is not its type's is that type under a second name. It is not a bare
    # reference, which some generators take for the type itself and write twice.
    aliases: dict[str, JsonSchema] = {}
    for name, schema in document.exports.items():
        aliases[name] = {"title": name, "allOf": [schema]}
    named = {**aliases, **document.defs}
    errors = Errors(document.errors, document.routes, named)

    # 1. The operations. Routes have their own names as ids, so others must keep clear of them.
    ids = Names(document.routes)
    paths: dict[str, dict[str, Any]] = {}
    for name, route in sorted(document.routes.items()):
        operation = _operation(name, route, errors, document.defs)
        paths[f"/{route.path}"] = {"post": operation}
        if is_read_by_url(route):
            read = _read(operation, ids.give(f"{name}_get"), route, errors.of_read(name))
            paths[f"/{route.path}"]["get"] = read
    webhooks: dict[str, Any] = {}
    for name, event in sorted(document.events.items()):
        webhooks[name] = {"post": _webhook(ids.give(f"{name}_event"), event)}

    # 2. The components that the operations refer to.
    schemas = {name: moved(schema) for name, schema in named.items()} | errors.schemas
    components: dict[str, Any] = {}
    if schemas:
        components["schemas"] = dict(sorted(schemas.items()))
    if paths:
        components["responses"] = dict(sorted(errors.responses.items()))
        headers = HEADERS
        if any(map(asks_for_scopes, document.routes.values())):
            headers = {**HEADERS, **SCOPED_HEADERS}
        components["headers"] = {name: headers[name] for name in _headers_in(paths, errors)}
    schemes = _schemes(document)
    if schemes:
        components["securitySchemes"] = schemes

    # 3. The document. `paths` is in it even if it is empty, since one of these three has to be.
    written: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": _info(document),
        "servers": [{"url": server.rstrip("/") or "/"}],
    }
    tags = sorted(set(chain.from_iterable(route.tags for route in document.routes.values())))
    if tags:
        written["tags"] = [{"name": tag} for tag in tags]
    written["paths"] = paths
    if webhooks:
        written["webhooks"] = webhooks
    if components:
        written["components"] = components
    return written


def _info(document: Document) -> dict[str, Any]:
    info = {"title": document.info.title, "version": document.info.version}
    if document.info.description is not None:
        info["description"] = document.info.description
    return info


def _headers_in(paths: dict[str, Any], errors: Errors) -> list[str]:
    """
    The headers that at least one response refers to.

    Linters complain of unused components.
    """
    names: set[str] = set()
    for shared in errors.responses.values():
        names.update(shared["headers"])
    for item in paths.values():
        for operation in item.values():
            for response in operation["responses"].values():
                # a reference has none itself, and its response was read above
                names.update(response.get("headers", ()))
    return sorted(names)


def _operation(
    name: str, route: ContractRoute, errors: Errors, defs: Mapping[str, JsonSchema]
) -> dict[str, Any]:
    operation: dict[str, Any] = {"operationId": name, "summary": route.summary}
    if route.description is not None:
        operation["description"] = route.description
    operation["tags"] = [*route.tags]
    operation["security"] = _security(route)
    if route.signed is not None:
        operation["parameters"] = _SIGNATURE
    operation["requestBody"] = _input(route, defs)
    operation["responses"] = {"200": _output(route, errors), **errors.of(name)}
    if route.deprecated is not None:
        operation["deprecated"] = True
        details = _details(route.deprecated)
        if details:
            operation["x-contract-deprecation"] = details
    operation["x-contract-effect"] = route.effect
    if route.pages:
        operation["x-contract-pages"] = True
    if route.max_body_bytes is not None:
        operation["x-contract-max-body-bytes"] = route.max_body_bytes
    if route.group is not None:
        operation["x-contract-group"] = route.group
    if route.scope == "private":
        operation["x-contract-scope"] = route.scope
    return operation


_SIGNATURE_HEADERS: Final = {
    "webhook-id": "The id of the message, the same where it is sent again.",
    "webhook-timestamp": "When it is sent, in seconds since 1970.",
    "webhook-signature": (
        "The proof of who sends it: v1, a comma and a HMAC-SHA256 in base64 over the id, the "
        "timestamp and the body, joined by full stops (Standard Webhooks); several stand with "
        "a space between them."
    ),
}


_SIGNATURE: Final = [
    {
        "name": header,
        "in": "header",
        "description": description,
        "required": True,
        "schema": {"type": "string"},
    }
    for header, description in _SIGNATURE_HEADERS.items()
]
"""The headers of a signed body, as parameters."""


def _webhook(name: str, event: ContractEvent) -> dict[str, Any]:
    """The request that receivers of an event get."""
    request: dict[str, Any] = {"operationId": name, "summary": event.summary}
    if event.description is not None:
        request["description"] = event.description
    return request | {
        "parameters": _SIGNATURE,
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": moved(event.message)}},
        },
        "responses": {"2XX": {"description": "The message has come; any other status is not."}},
        # nobody logs in at the receiver: the signature says who sends
        "security": [],
    }


def _read(
    operation: dict[str, Any], name: str, route: ContractRoute, errors: Mapping[str, Any]
) -> dict[str, Any]:
    """The *operation* of a read at GET, with the input in its URL."""
    cache = route.cache
    varies = cache is not None and bool(vary_of(ways_into(route), cache.vary))
    body, output = operation["requestBody"], operation["responses"]["200"]
    parameter = {
        "name": "input",
        "in": "query",
        "description": "The input as JSON, percent-encoded; where it is long, use POST.",
        "required": body["required"],
        "content": body["content"],
    }
    # 1. The answers. A 304 has the headers for caches that the 200 would have (RFC 9110, section
    #    15.4.5).
    headers = output["headers"] | header_references("Cache-Control", "ETag")
    if varies:
        headers |= header_references("Vary")
    if route.media:
        headers |= header_references("Accept-Ranges", "Last-Modified")
    responses: dict[str, Any] = {"200": {**output, "headers": headers}}
    if route.media:
        responses["206"] = {
            **output,
            "description": "The part of the file that Range asks for.",
            "headers": headers | header_references("Content-Range"),
        }
    responses["304"] = {
        "description": "The output is the one that If-None-Match names.",
        "headers": headers,
    }
    # 2. The operation at POST, with these answers, and with the body as a parameter.
    read = {
        **operation,
        "operationId": name,
        "parameters": [parameter],
        "responses": responses | {**errors},
    }
    del read["requestBody"]
    if cache is not None:
        told: dict[str, Any] = {"max_age": cache.max_age}
        if cache.vary:
            told["vary"] = [*cache.vary]
        read["x-contract-cache"] = told
    return read


def _schemes(document: Document) -> dict[str, Any]:
    """The security schemes of *document*."""
    found: dict[str, Any] = {}
    if any(_SCHEME in ways_into(route) for route in document.routes.values()):
        found[_SCHEME] = {"type": "http", "scheme": "bearer"}
    keys = sorted(document.ways.items())
    return found | {name: {"type": "apiKey", "in": place, "name": name} for name, place in keys}


def _security(route: ContractRoute) -> list[dict[str, list[str]]]:
    """
    The ways to call *route*; a caller uses one of them.

    Required scopes are given as roles.
    """
    ways = [{name: [*route.requires]} for name in ways_into(route)]
    if route.auth == "optional":
        # an empty requirement makes the others optional (OpenAPI 3.1, section 4.8.10)
        return [{}, *ways]
    return ways


def _input(route: ContractRoute, defs: Mapping[str, JsonSchema]) -> dict[str, Any]:
    schema = route.input
    # Only the empty object of a route without input is written in place: every named type is a
    # reference.
    is_nothing = _is_closed(schema) and not schema.get("properties")
    schema = followed(schema, defs)
    is_required = not _is_closed(schema) or bool(schema.get("required"))
    json = moved(route.input)
    if route.files:
        # a form without JSON has no part for it
        part = None if is_nothing else json
        form = _form(part, route, is_required=is_required)
        return {"required": True, "content": {"multipart/form-data": form}}
    body = {"required": is_required, "content": {"application/json": {"schema": json}}}
    if is_nothing:
        return {"description": "Nothing: no body, `null` or `{}`.", **body}
    return body


def _form(json: JsonSchema | None, route: ContractRoute, *, is_required: bool) -> dict[str, Any]:
    """The media type of a form: the *json* in its own part, and each file."""
    properties: dict[str, Any] = {}
    encoding: dict[str, Any] = {}
    if json is not None:
        properties["input"] = json
        encoding["input"] = {"contentType": "application/json"}
    for name, file in route.files.items():
        description = f"At most {file.max_bytes} bytes."
        if file.description is not None:
            description = f"{file.description} {description}"
        # a schema without a type: in OpenAPI 3.1, that is raw bytes (section 4.8.14.3)
        one: dict[str, Any] = {"description": description, "x-contract-max-bytes": file.max_bytes}
        if len(file.media) == 1 and "*" not in file.media[0]:
            one["contentMediaType"] = file.media[0]
        properties[name] = one
        if file.many is not None:
            least, most = file.many
            several: dict[str, Any] = {"type": "array", "items": one}
            if least:
                several["minItems"] = least
            properties[name] = several | {"maxItems": most}
        encoding[name] = {"contentType": ", ".join(file.media) or "*/*"}
    required = [name for name, file in route.files.items() if file.required]
    if json is not None and is_required:
        required = ["input", *required]
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    schema["additionalProperties"] = False
    return {"schema": schema, "encoding": encoding}


def _is_closed(schema: JsonSchema) -> bool:
    """Whether *schema* is a record's: it has no additional properties."""
    return schema.get("type") == "object" and schema.get("additionalProperties") is False


def _output(route: ContractRoute, errors: Errors) -> dict[str, Any]:
    # Shared responses cannot have the headers of a single route, so these are here, where readers
    # look for them.
    headers: list[str] = []
    if route.deprecated is not None and route.deprecated.since is not None:
        headers.append("Deprecation")
    if route.deprecated is not None and route.deprecated.remove_on is not None:
        headers.append("Sunset")
    if route.media:
        headers.append("Content-Disposition")
    response = response_of("The output.", moved(route.output), headers)
    if route.stream is not None:
        bodies = [errors.body(code, each) for code, each in sorted(route.stream.errors.items())]
        response["description"] = "The items of the stream, and its end."
        response["content"] = stream_content(moved(route.output), bodies)
    if route.media:
        response["description"] = "The file."
        file = {"schema": {"type": "string", "format": "binary"}}
        response["content"] = dict.fromkeys(route.media, file)
    return response


def _details(deprecated: Deprecation) -> dict[str, str]:
    details = {"since": deprecated.since, "remove_on": deprecated.remove_on, "use": deprecated.use}
    return {name: value for name, value in details.items() if value is not None}
