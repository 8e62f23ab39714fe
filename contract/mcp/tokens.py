"""
Tokens: who must have one, and how a client is told to get one, or one with more scopes.

If HTTP refuses a client (401, 403), it gets a valid token, and only its user is involved; then it
sends its message again (2025-11-25, basic/authorization, "Scope Challenge Handling"). So a missing
scope is reported in that way, too, and not as the result of a call.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, cast, final

from contract.call.bearer import TOO_LONG, NoToken, bearer_token, challenge
from contract.call.bound import Bound
from contract.call.context import Reply
from contract.call.credentials import take_token
from contract.call.dispatch import authenticate
from contract.call.ending import ended
from contract.call.incoming import Incoming
from contract.call.mount_options import Options
from contract.call.replies import Challenges, crashed
from contract.declare.permissions import lacking
from contract.declare.spec import AnySpec
from contract.mcp.answers import Answer, refusal
from contract.mcp.envelope import Message
from contract.mcp.tools import ListedTool, Toolset

__all__ = ["FAILED", "Contexts", "Tokens", "lacks_scopes", "scopes_of", "with_parameter"]

Contexts = Mapping[int, Any]
"""The id of each authenticator -> the context that it made from the token."""
FAILED: Final = "The token could not be checked."


@final
class Tokens:
    """
    The tokens of one endpoint.

    Args:
        spec: The spec to serve.
        bound: Name -> route, ready to be called.
        options: The options of the mount.
        tools: All tools that a client may see.

    Attributes:
        private: Whether the list of tools depends on the token.
    """

    def __init__(
        self, spec: AnySpec, bound: Mapping[str, Bound], options: Options, tools: Toolset
    ) -> None:
        gate: tuple[Bound, ...] = ()
        if options.mcp_challenge == "connect":
            gate = _doors(filter(_has_token, bound.values()))
        self._gate: Final = gate
        """If every request needs a token: one route for each authenticator that may accept it."""
        listed = [tool.bound for tool in tools.values()]
        doors = _doors(listed)
        # with one authenticator and no scopes, all callers see the same list
        if len(doors) == 1 and not any(each.requires for each in listed):
            doors = ()
        self._doors: Final = doors
        """If the list of tools depends on the token: likewise."""
        self.private: Final = bool(self._gate or self._doors)
        self._realm: Final = spec.meta.title
        self._challenges: Final = Challenges(self._realm)
        asked = challenge(self._realm, invalid=False, lacks=())
        self._forbidden: Final = (("www-authenticate", asked),)

    def guards(
        self, incoming: Incoming, message: Message, tool: ListedTool | None
    ) -> tuple[Bound, ...]:
        """
        The routes whose token *message* needs; one of them must accept it.

        There are several if it calls no tool, and groups of routes have their own authenticators.
        """
        if tool is not None and tool.bound.auth:
            return (tool.bound,)
        lists = message.method == "tools/list" and message.id is not None
        if not self._gate and lists:
            # a client without a token is told everything that it could get one for; a message
            # without a credential is not checked, since a missing optional token means the context
            # None
            return tuple(door for door in self._doors if _shows_one(door, incoming))
        # if there is a gate, it stands before every message
        return self._gate

    async def authenticate(
        self, incoming: Incoming, bound: Bound, message: Message, tool: ListedTool | None
    ) -> tuple[Any, Answer | None]:
        """The context of the call, or the answer that refuses it."""
        # an authenticator that is a plain function takes a bearer token alone
        taken, asks = None, self._challenges
        if bound.credentials is not None:
            taken = bound.credentials.over_mcp
            asks = Challenges(self._realm, taken)
        token = _sent(bound, incoming)
        if isinstance(token, NoToken):
            if token is NoToken.MISSING and bound.optional and not self._gate:
                return None, None
            refused = self._hinting(asks.refuse(token, incoming), tool)
            if taken is None:
                why = _ASKED.get(token, "")
            else:
                why = taken.asked
            return None, refusal(refused, why, message.id)
        reply = await authenticate(bound, token, incoming)
        if type(reply) is not Reply:
            return reply, None
        if incoming.values is not None:
            reply = cast("Reply", await ended(bound, reply, incoming))
        if reply.code == "FORBIDDEN" and take_token(taken):
            reply.headers += self._forbidden
        said = _SAID if taken is None else _SAID_OF_ANY
        why = said.get(reply.code, FAILED)
        refused = self._hinting(asks.challenged(reply, incoming), tool)
        return None, refusal(refused, why, message.id)

    def _hinting(self, reply: Reply, tool: ListedTool | None) -> Reply:
        """The 401 *reply*, with the scopes that a token for *tool* needs, if there are any."""
        if reply.code == "UNAUTHORIZED" and tool is not None and tool.bound.requires:
            scopes = " ".join(tool.bound.requires)
            reply.headers = with_parameter(reply.headers, f', scope="{scopes}"')
        return reply

    def usable(self, tools: Toolset, contexts: Contexts, incoming: Incoming) -> Toolset | Reply:
        """The *tools* that a caller with *contexts* may use, or the reply if a context raises."""
        found: dict[str, ListedTool] = {}
        for name, tool in tools.items():
            try:
                if self._may_use(tool.bound, contexts, incoming):
                    found[name] = tool
            except Exception as exception:  # noqa: BLE001  the scopes are the user's
                why = "asking the context for its scopes raised"
                return crashed(tool.bound, exception, why, incoming)
        return found

    def _may_use(self, bound: Bound, contexts: Contexts, incoming: Incoming) -> bool:
        if bound.authenticator is None:
            return True
        ctx = contexts.get(id(bound.authenticator))
        # no credential of this authenticator, or one that it refused
        if ctx is None:
            return bound.optional and not self._gate and not _shows_one(bound, incoming)
        return not (bound.requires and lacking(bound.requires, ctx))


def _shows_one(bound: Bound, incoming: Incoming) -> bool:
    """Whether a message has a credential for a route, valid or not."""
    return _sent(bound, incoming) is not NoToken.MISSING


def _sent(bound: Bound, incoming: Incoming) -> str | NoToken:
    """The credential for a route in a message, or why there is none."""
    if bound.credentials is None:
        return bearer_token(incoming.authorization())
    return bound.credentials.over_mcp.sent(incoming, None)


def _has_token(bound: Bound) -> bool:
    """Whether a route accepts more than cookies, which MCP clients cannot use."""
    taken = bound.credentials
    return taken is None or taken.takes_token or bool(taken.keys)


def _doors(routes: Iterable[Bound]) -> tuple[Bound, ...]:
    """One of *routes* for each authenticator that accepts tokens."""
    return tuple({id(each.authenticator): each for each in routes if each.auth}.values())


def with_parameter(
    headers: tuple[tuple[str, str], ...], parameter: str
) -> tuple[tuple[str, str], ...]:
    """The *headers* of a reply, with one more *parameter* in its challenge for a bearer token."""
    # a challenge for a key or a cookie has another scheme, and no such parameters
    written: list[tuple[str, str]] = []
    for name, value in headers:
        if value.startswith("Bearer"):
            written.append((name, value + parameter))
        else:
            written.append((name, value))
    return tuple(written)


def lacks_scopes(reply: Reply, tool: ListedTool) -> bool:
    """Whether *reply* refuses a call of *tool* because the context lacks a scope."""
    return reply.cause is not None and reply.cause is tool.bound.forbidden


def scopes_of(tools: Toolset) -> tuple[str, ...]:
    """Every scope that one of *tools* requires, sorted."""
    scopes: set[str] = set()
    for tool in tools.values():
        scopes.update(tool.bound.requires)
    return tuple(sorted(scopes))


_ASKED: Final = {
    NoToken.MISSING: "A bearer token is needed.",
    NoToken.MALFORMED: "The bearer token is not valid.",
    NoToken.TOO_LONG: TOO_LONG,
}
_SAID: Final = {
    "UNAUTHORIZED": "The bearer token is not valid.",
    "FORBIDDEN": "The bearer token is not enough for this.",
}
_SAID_OF_ANY: Final = {
    "UNAUTHORIZED": "The credential is not valid.",
    "FORBIDDEN": "The credential is not enough for this.",
}
