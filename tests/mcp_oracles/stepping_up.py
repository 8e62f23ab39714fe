"""
The official Python client, as run.py beside this file asks it, with a token that has not the scopes of a tool.

It tells what it is answered, and which scopes it asks its user for by itself.

::

    python stepping_up.py URL
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

# all of these live beside the project's own environment
import httpx2
import mcp  # type: ignore[import-not-found]
from mcp.client.auth import OAuthClientProvider  # type: ignore[import-not-found]
from mcp.client.streamable_http import streamable_http_client  # type: ignore[import-not-found]
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata  # type: ignore[import-not-found]

LOGIN: Final = "https://login.example"
METADATA: Final = {
    "issuer": LOGIN, "authorization_endpoint": f"{LOGIN}/authorize",
    "token_endpoint": f"{LOGIN}/token", "registration_endpoint": f"{LOGIN}/register",
    "response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"],
}  # fmt: skip


class Login(httpx2.AsyncBaseTransport):
    """The way to a server, and to a login server that grants whatever it is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._state = ""
        self._others = httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.url.host != "login.example":
            return await self._others.handle_async_request(request)
        if request.url.path == "/register":
            return httpx2.Response(
                201, json={**json.loads(await request.aread()), "client_id": "x"}
            )
        if request.url.path == "/token":
            granted = {"access_token": self.asked[-1].encode().hex(), "scope": self.asked[-1]}
            return httpx2.Response(200, json={**granted, "token_type": "Bearer"})
        return httpx2.Response(200, json=METADATA)

    async def redirect(self, url: str) -> None:
        query = parse_qs(urlsplit(url).query)
        self.asked.append(query["scope"][0])
        self._state = query["state"][0]

    async def callback(self) -> Any:
        return AuthorizationCodeResult(code="code", state=self._state)


class Kept:
    """Tokens in memory."""

    tokens: Any = None
    info: Any = None

    async def get_tokens(self) -> Any:
        return self.tokens

    async def set_tokens(self, tokens: Any) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> Any:
        return self.info

    async def set_client_info(self, info: Any) -> None:
        self.info = info


async def main(url: str) -> dict[str, Any]:
    login = Login()
    itself = OAuthClientMetadata(
        redirect_uris=["http://localhost:1/callback"], client_name="oracle"
    )
    auth: Any = OAuthClientProvider(url, itself, Kept(), login.redirect, login.callback)
    async with (
        httpx2.AsyncClient(auth=auth, transport=login, timeout=30) as http,
        mcp.Client(streamable_http_client(url, http_client=http)) as client,
    ):
        listed = [tool.name for tool in (await client.list_tools()).tools]
        called = [(await client.call_tool(name, {})).structured_content for name in listed]
    return {"listed": listed, "called": called, "asked": login.asked}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(*sys.argv[1:]))))
