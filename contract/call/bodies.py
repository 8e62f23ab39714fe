"""
Bodies: what the headers say about a body, and reading it, or what refuses it.

A route and an MCP message have a limit; a call that brings files also has a form.
"""

from __future__ import annotations

from typing import Any, Final, cast

from contract.call.form import DISK_FULL, Form, FormInput, boundary_in
from contract.call.incoming import Incoming, Refused
from contract.call.log import log_exception
from contract.call.message import announced_length, is_json
from contract.call.replies import failed, refused
from contract.call.values import Values

__all__ = ["body_of", "check_headers"]

_MEDIA_TYPE: Final = "Send the body as application/json in UTF-8."
_FORM_TYPE: Final = (
    "Send the body as multipart/form-data, the input as JSON in its part input, and each file in "
    "a part of its own."
)


def check_headers(incoming: Incoming, limit: int, form: FormInput | None) -> None:
    """
    Set the announced length of a body, of at most *limit* bytes, or as many as the *form* may have.

    Raises:
        Refused: The headers alone rule it out: 400, 413 or 415.
    """
    announced = incoming.header("content-length")
    length = 0 if announced is None else announced_length(announced)
    if length is None or (announced is not None and incoming.chunked):
        # a proxy may have ended the body elsewhere: what follows may be a request of others
        raise Refused(
            "BAD_REQUEST",
            incoming.closing,
            message="Content-Length is not one number, or is sent with Transfer-Encoding.",
        )
    coding = incoming.header("transfer-encoding")
    if coding is not None and coding.strip(" \t").lower() != "chunked":
        # a server takes chunks apart, and nothing else (RFC 9112, section 6.1)
        told = "Send the body with no other Transfer-Encoding than chunked."
        raise Refused("BAD_REQUEST", incoming.closing, message=told)
    if form is not None:
        limit = form.max_bytes
    if length > limit:
        raise Refused("PAYLOAD_TOO_LARGE", limit=limit)
    incoming.length = length
    encoding = incoming.header("content-encoding")
    if encoding is not None and encoding.strip().lower() not in ("", "identity"):
        identity = (("accept-encoding", "identity"),)
        told = "Send the body without a Content-Encoding."
        raise Refused("UNSUPPORTED_MEDIA_TYPE", identity, message=told)
    kind = incoming.header("content-type")
    if form is not None:
        if kind is None or boundary_in(kind) is None:
            raise Refused("UNSUPPORTED_MEDIA_TYPE", message=_FORM_TYPE)
        return
    # an empty body needs no type; only reading shows whether a chunked body is empty
    needs_type = kind is None and length > 0
    if needs_type or (kind is not None and not is_json(kind)):
        raise Refused("UNSUPPORTED_MEDIA_TYPE", message=_MEDIA_TYPE)


async def body_of(incoming: Incoming, limit: int, form: FormInput | None) -> Any:
    """The body, as bytes or as a `Form`; or the reply that refuses it."""
    try:
        check_headers(incoming, limit, form)
        if form is not None:
            return await _formed(incoming, form)
        read = incoming.read(limit)
        body = read if isinstance(read, bytes) else await read
        if body and incoming.header("content-type") is None:
            raise Refused("UNSUPPORTED_MEDIA_TYPE", message=_MEDIA_TYPE)
    except Refused as refusal:
        if refusal.code == "SERVICE_UNAVAILABLE" and refusal.__cause__ is not None:
            _log(DISK_FULL, refusal.__cause__, incoming)
        return refused(refusal)
    except BaseException as exception:
        if incoming.ends(exception):
            raise
        # the server, or a middleware around `receive` or `wsgi.input`
        _log("reading the body raised", exception, incoming)
        return failed("BAD_REQUEST", message="The body could not be read.")
    return body


def _log(message: str, exception: BaseException, incoming: Incoming) -> None:
    log_exception(message, exception, incoming.route or None, incoming.request_id)


async def _formed(incoming: Incoming, form_input: FormInput) -> Form:
    """The form in *incoming*; its files are closed when the values of the call end."""
    kind = incoming.header("content-type")
    form = form_input.begin(cast("bytes", boundary_in(cast("str", kind))))
    values = incoming.values
    if values is None:
        values = incoming.values = Values()
    values.keep(form.close_files)
    await incoming.pour(form, form_input.max_bytes)
    form.finish()
    return form
