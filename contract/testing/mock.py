"""
Mocks: a service with made-up answers, from a document alone.

The document's types become shapes again, and the shapes a spec like any other. The code that checks
inputs and outputs and speaks HTTP is the code of the real service, so a mock can say nothing that
the real service could not. It also gives the answer that a client prefers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import time
from typing import Any, Final, cast, final

import orjson

from contract.call.bearer import NoToken, challenge
from contract.call.bound import Bound, bind
from contract.call.context import CURRENT, CallEvent, Reply
from contract.call.credentials import take_token
from contract.call.incoming import Incoming, whole
from contract.call.message import Response, Streamed
from contract.call.mount_options import Options
from contract.call.published import Published
from contract.call.replies import failed
from contract.call.service import Service
from contract.call.signed_body import NotSigned, SignedBody
from contract.codegen.package import Package
from contract.declare.failures import FRAMEWORK
from contract.document import ContractError, Document
from contract.document.contract_json import canonical, dump_contract
from contract.document.openapi import openapi
from contract.shape.issues import issue, to_json
from contract.shape.quoting import sent_back
from contract.shape.signatures import TOLERANCE, unsigned
from contract.testing.mock_spec import Forced, example, forced, known_codes, mock_spec, unmet

__all__ = ["MockService", "example", "mock_spec"]


@final
class MockService(Service):
    """
    A service with made-up answers, from a document alone.

    It serves that document as it is, without an explorer. An answer that ``Prefer`` asks for is
    given after the checks that the real service makes first. A code of the framework's own is given
    at once, and so is the 400 for an answer that does not exist.

    Attributes:
        package: The document that is served.

    Args:
        package: The document, as it was read.
        seed: Another seed gives other answers.
        prefix: The path in front of the routes.
        cors_origins: The origins of pages that may call, and may send cookies.
        on_call: Called with each call.

    Raises:
        GenerationError: Something cannot be made up, or cannot be served.
        MountError: *prefix* or an origin is not valid, or a route has the name of a document.
    """

    def __init__(
        self,
        package: Package,
        *,
        seed: int = 0,
        prefix: str = "",
        cors_origins: tuple[str, ...] = (),
        on_call: Callable[[CallEvent], None] | None = None,
    ) -> None:
        self.package: Final = package
        self._seed: Final = seed
        # no route begins like that, so none is refused for the sake of an explorer that does not
        # exist
        options = Options(
            prefix=prefix,
            docs_path="/-docs",
            mcp_path=None,
            cors_origins=cors_origins,
            health_path="/-health",
            on_call=on_call,
        )
        spec = mock_spec(package, seed=seed, origins=cors_origins)
        bound = bind(spec, secrets=(_SECRET,))
        for each in bound.values():
            if isinstance(each.input, SignedBody):
                each.input = cast("Any", _AnySignature(each.input.inner))
        super().__init__(spec, options, bound, _pages(package.document, prefix), None)

    def anew(self, options: Options) -> MockService:
        """Make it again, with those of the *options* that a mock has."""
        return MockService(
            self.package,
            seed=self._seed,
            prefix=options.prefix,
            cors_origins=tuple(options.cors_origins),
            on_call=options.on_call,
        )

    async def answer(self, incoming: Incoming) -> None:
        """Answer like the real service; and report if a preference was applied."""
        # 1. Only a call of a route may prefer an answer.
        bound = self.routes.get(incoming.path)
        called = incoming.method == "POST" or self.reads(incoming.method, incoming.path)
        if bound is None or not called:
            await super().answer(incoming)
            return

        # 2. Which answer the client prefers, if any. A code that may only come between the items of
        #    a stream may be preferred, too.
        header = incoming.headers.get("prefer")
        route = self.package.document.routes[bound.name]
        between: Mapping[str, ContractError] = {}
        if route.stream is not None:
            between = route.stream.errors
        declared = {code: error.status for code, error in {**between, **route.errors}.items()}
        known = known_codes(declared, is_public=route.auth == "none")
        wanted = forced(header, known)
        problem = None if header is None else unmet(header, known)
        # 3. An answer that does not exist, and a code of the framework's own, need no call.
        reply: Reply | None = None
        if problem is not None:
            reply = failed("BAD_REQUEST", message=sent_back(problem, _LONGEST))
        elif wanted is not None and wanted.code in FRAMEWORK:
            headers = self._headers(wanted.code, bound, incoming)
            data = _DATA.get(wanted.code, {})
            if wanted.code == "PAYLOAD_TOO_LARGE":
                data = {"limit": bound.own_limit or self.options.max_body_bytes}
            reply = failed(wanted.code, headers, **data)

        # 4. For all others, the service answers as usual, and the resolver makes up what is
        #    preferred (`contract.testing.mock_spec`).
        if reply is None:
            await super().answer(incoming)
            response = whole(incoming.answered, incoming)
        else:
            response = self.responses.of_reply(incoming, bound.name, reply, bound.notices)
        # 5. Tell the client that its preference was applied. For a stream that is not known yet.
        #    For anything else, the response tells, since a check before the resolver may have
        #    answered.
        if wanted is not None and isinstance(response, Streamed) and wanted.code in between:
            headers = (*response.headers, ("preference-applied", wanted.applied))
            request_id, fixed = response.request_id, response.fixed
            incoming.answered = Streamed(request_id, headers, response.parts, fixed)
            return
        if wanted is None or not _is_met(response, wanted):
            incoming.answered = response
            return
        applied = ("preference-applied", wanted.applied)
        requires = self.package.operations[bound.name].route.requires
        asked: tuple[tuple[str, str], ...] = ()
        if requires and wanted.code == "FORBIDDEN" and take_token(bound.credentials):
            title = self.spec.meta.title
            asked = (("www-authenticate", challenge(title, invalid=False, lacks=requires)),)
        incoming.answered = Response(
            response.status,
            response.body,
            response.request_id,
            response.fixed,
            (*response.headers, *asked, applied),
        )

    def _not_a_call(self, incoming: Incoming, bound: Bound | None) -> Reply:
        reply = super()._not_a_call(incoming, bound)
        # pages must be allowed to send the header that asks for failures
        headers: list[tuple[str, str]] = []
        for name, value in reply.headers:
            if name == "access-control-allow-headers":
                headers.append((name, f"{value}, prefer"))
            else:
                headers.append((name, value))
        reply.headers = tuple(headers)
        return reply

    def _headers(self, code: str, bound: Bound, incoming: Incoming) -> tuple[tuple[str, str], ...]:
        if code == "UNAUTHORIZED":
            return self.challenges[bound.credentials].refuse(NoToken.MISSING, incoming).headers
        if code == "METHOD_NOT_ALLOWED":
            return self.allows(incoming.path)
        return ()


@final
class _AnySignature:
    """Loads a body whose headers say that it is signed; a mock has no secret to check it with."""

    def __init__(self, inner: Any) -> None:
        self._inner: Final = inner

    def load(self, body: bytes) -> Any:
        """
        The input.

        Raises:
            InvalidInput: It is not a valid input.
            NotSigned: No signature with these headers could be valid.
        """
        problem = unsigned(CURRENT.get().headers, now=time(), tolerance=TOLERANCE)
        if problem is not None:
            raise NotSigned(problem)
        return self._inner.load(body)


def _pages(document: Document, prefix: str) -> Mapping[str, Published]:
    return {
        f"{prefix}/contract.json": Published(lambda: dump_contract(document), "application/json"),
        f"{prefix}/openapi.json": Published(
            lambda: canonical(openapi(document, server=prefix or "/")), "application/json"
        ),
    }


def _is_met(response: Response, wanted: Forced) -> bool:
    return response.status == wanted.status and orjson.loads(response.body)["error"] == wanted.code


_SECRET: Final = "signs keys of pages that a mock made up"  # noqa: S105  it is not a secret
_LONGEST: Final = 2000
"""The most characters of a message: the header may contain anything."""

_MESSAGE: Final = {"message": "This was asked for."}
_DATA: Final[Mapping[str, Mapping[str, Any]]] = {
    "VALIDATION_ERROR": {
        "issues": [to_json(issue("json_invalid", reason="empty", line=1, column=1))]
    },
    "BAD_REQUEST": _MESSAGE,
    "METHOD_NOT_ALLOWED": _MESSAGE,
    "ROUTE_NOT_FOUND": {"route": "unknown"},
    "UNSUPPORTED_MEDIA_TYPE": _MESSAGE,
}
"""Code -> the data of the framework's own codes; that of a body too large has its route's limit."""
