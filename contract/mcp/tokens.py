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

__all__ = ["FAILED", "Contexts", "Tokens", "lacks_scopes", "scopes_of"]

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
        needed = options.mcp_challenge == "connect"
        self._gate: Final = _doors(filter(_has_token, bound.values())) if needed else ()
        """If every request needs a token: one route for each authenticator that may accept it."""
        listed = [tool.bound for tool in tools.values()]
        doors = _doors(listed)
        depends = len(doors) > 1 or any(each.requires for each in listed)
        self._doors: Final = doors if depends else ()
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
        return self._gate

    async def authenticate(
        self, incoming: Incoming, bound: Bound, message: Message, tool: ListedTool | None
    ) -> tuple[Any, Answer | None]:
        """The context of the call, or the answer that refuses it."""
        taken = None if bound.credentials is None else bound.credentials.over_mcp
        asks = self._challenges if taken is None else Challenges(self._realm, taken)
        token = _sent(bound, incoming)
        if isinstance(token, NoToken):
            if token is NoToken.MISSING and bound.optional and not self._gate:
                return None, None
            refused = self._hinting(asks.refuse(token, incoming), tool)
            why = _ASKED.get(token, "") if taken is None else taken.asked
            return None, refusal(refused, why, message.id)
        reply = await authenticate(bound, token, incoming)
        if type(reply) is not Reply:
            return reply, None
        if incoming.values is not None:
            reply = cast("Reply", await ended(bound, reply, incoming))
        if reply.code == "FORBIDDEN" and take_token(taken):
            reply.headers += self._forbidden
        why = (_SAID if taken is None else _SAID_OF_ANY).get(reply.code, FAILED)
        refused = self._hinting(asks.challenged(reply, incoming), tool)
        return None, refusal(refused, why, message.id)

    def _hinting(self, reply: Reply, tool: ListedTool | None) -> Reply:
        """The 401 *reply*, with the scopes that a token for *tool* needs, if there are any."""
        if reply.code == "UNAUTHORIZED" and tool is not None and tool.bound.requires:
            scopes = f', scope="{" ".join(tool.bound.requires)}"'
            reply.headers = tuple(
                (name, value + scopes if value.startswith("Bearer") else value)
                for name, value in reply.headers
            )
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


def lacks_scopes(reply: Reply, tool: ListedTool) -> bool:
    """Whether *reply* refuses a call of *tool* because the context lacks a scope."""
    return reply.cause is not None and reply.cause is tool.bound.forbidden


def scopes_of(tools: Toolset) -> tuple[str, ...]:
    """Every scope that one of *tools* requires, sorted."""
    return tuple(sorted({scope for tool in tools.values() for scope in tool.bound.requires}))


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
