"""
The law: what a mount of public visibility shows says nothing of a private route.

Whatever a private route alone has is called by one word: its name, group, tags, types, fields,
failures, scopes, credentials and texts. That word stands in no document, page, client, list of
tools or refusal, and neither do the private routes that public ones name.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any, Final

from falcon.testing import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st

import contract
from contract.adapters.mount import service_of
from contract.adapters.wsgi import WsgiApp
from contract.call.mount_options import Options
from contract.codegen.package import package_of
from contract.codegen.python import python_client
from contract.codegen.typescript import typescript_client
from contract.document.describe import describe
from tests.effort import examples

WORD: Final = "vault"
PAGES: Final = ("contract.json", "openapi.json", "docs/", "docs/llms.txt")
NEAR: Final = ("vaul", "vaultt", "vaults.vaul", "vaults", "shared.vaul", "vaults_vaul")


@dataclass(frozen=True, slots=True)
class User:
    name: str
    scopes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Vault:
    """A vault."""

    vault_id: int = 1


@dataclass(frozen=True, slots=True)
class VaultFile:
    vault_file: contract.Upload


class VaultLocked(contract.Failure, status=423):
    """The vault is locked."""

    vault_until: int


class Away(contract.Failure, status=409):
    """Public routes fail with this, too."""


@contract.hook
def vault_hook(call: contract.Call[object]) -> VaultLocked | None:
    return None


def user_of(token: str, request: contract.Request) -> User | None:
    return {"a": User("ada"), "v": User("vera", frozenset({"vault:open"}))}.get(token)


KINDS: Final[dict[str, tuple[Any, Any]]] = {
    "json": (Vault, Vault | VaultLocked | Away),
    "nothing": (None, None),
    "stream": (Vault, contract.Stream[Vault | VaultLocked]),
    "page": (contract.Cursor[Vault, int], contract.Slice[Vault, int]),
    "file": (Vault, Annotated[contract.Download, contract.Media("image/x-vault")]),
    "upload": (VaultFile, Vault),
}


@st.composite
def private_routes(draw: st.DrawFn) -> contract.Route[Any, Any, Any]:
    kind = draw(st.sampled_from([*KINDS]))
    taken, given_ = KINDS[kind]
    options: dict[str, Any] = {
        "auth": draw(st.sampled_from(["bearer", contract.requires("vault:open")])),
        "hooks": contract.hooks(vault_hook) if draw(st.booleans()) else (),
        "deprecated": draw(st.sampled_from([False, True, contract.Deprecated(use="vault")])),
        "mcp": kind not in ("file", "upload") and draw(st.booleans()),
    }
    if kind in ("json", "page", "file") and draw(st.booleans()):
        options |= {"effect": "read", "cache": contract.Cache(max_age=9, vary=["X-Vault"])}

    def vault(input: Any, ctx: Any) -> Any:
        """Open the vault."""

    vault.__annotations__ = {"input": taken, "ctx": User, "return": given_}
    made: contract.Route[Any, Any, Any] = contract.route(
        summary="Vault", tags=["vaults"], scope="private", **options
    )(vault)
    return made


@st.composite
def specs(draw: st.DrawFn) -> contract.AnySpec:
    """Public routes, and private ones at the top, beside public ones, and in a group of their own."""

    @contract.route(
        summary="Look", tags=["t"], mcp=True, deprecated=contract.Deprecated(use="vault")
    )
    def look(input: User, ctx: User) -> str | Away:
        return ctx.name

    @contract.route(summary="Ask", tags=["t"], auth="none")
    def ask(input: int, ctx: None) -> int:
        return input

    keyed = contract.api_key(user_of, header="X-Vault-Key") if draw(st.booleans()) else user_of
    vaults = contract.group(
        "vaults", routes=[draw(private_routes())], authenticate=keyed, tags=["vault"]
    )
    shared = contract.group("shared", routes=[look, draw(private_routes())], tags=["shared"])
    plain = contract.route(summary="Vault", tags=["vault"], scope="private")(_vault)
    return contract.spec(
        authenticate=user_of,
        routes=contract.routes(look, ask, plain, vaults, shared),
        rename=draw(st.sampled_from([None, "camel"])),
        meta=contract.Meta(title="Bank"),
    )


def _vault(input: Vault, ctx: User) -> Vault | VaultLocked:
    return input


_vault.__name__ = "vault"


def said_by(client: TestClient) -> dict[str, str]:
    """What anybody can see of a mount, by the way to it; the word that was asked with left out."""
    told = {page: client.simulate_get(f"/{page}").text for page in PAGES}
    told["metadata"] = client.simulate_get("/.well-known/oauth-protected-resource/mcp").text
    for name in NEAR:
        for token in ("", "v"):
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            call = client.simulate_post(f"/{name}", json={}, headers=headers)
            assert call.status_code == 404, name
            told[f"{name} {token}"] = (call.text + str(call.headers)).replace(f'"{name}"', "")
            params: dict[str, Any] = {"name": name, "arguments": {}}
            for method in ("tools/list", "tools/call"):
                message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
                answer = client.simulate_post("/mcp", json=message, headers=headers)
                told[f"{method} {name} {token}"] = answer.text.replace(f"tool: {name}", "")
    return told


@settings(max_examples=examples(15), deadline=None)
@given(specs())
def test_what_is_public_says_nothing_of_private_routes(api: contract.AnySpec) -> None:
    options = Options(
        authorization_servers=("https://login.example",), secrets=("0" * 32,), visibility="public"
    )
    told = said_by(TestClient(WsgiApp(service_of(api, options))))
    package = package_of(describe(api))
    told |= {"python": python_client(package), "typescript": typescript_client(package)}

    assert [place for place, text in told.items() if WORD in text.lower()] == []
    assert sorted(json.loads(told["contract.json"])["routes"]) == ["ask", "look", "shared.look"]
