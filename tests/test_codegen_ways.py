"""Generated clients of services with several ways in: an option for each credential."""

from __future__ import annotations

import asyncio
import inspect
import re
from dataclasses import replace
from typing import Any

import pytest

from contract import api_key, bearer, exports, route, routes, spec, ways
from contract.client.options import credential_headers
from contract.codegen.package import option_of, package_of
from contract.codegen.python import python_client
from contract.codegen.typescript import typescript_client
from contract.codegen.typescript.routes import option_names
from contract.codegen.typescript.runtime import needed
from contract.document.describe import describe
from tests.client_fakes import AsyncInMemory, InMemory
from tests.python_clients import generated, module_of
from tests.tables import rows
from tests.three_ways import api, keyed, paged

client = generated(api)


URL = "http://shop.example"


@rows(
    "options, who",
    ({"token": "user"}, "who ada"),
    ({"token": lambda: "user"}, "who ada"),
    ({"x_key": "robot"}, "who r2"),
    ({"x_key": lambda: "robot"}, "who r2"),
    ({"sid": "page"}, "who page"),
    ({"sid": lambda: "page", "headers": {"X-Other": "a"}}, "who page"),
)
def test_each_credential_is_an_option(client: Any, options: dict[str, Any], who: str) -> None:
    found = client.ApiClient(URL, transport=InMemory(api), **options).who()
    awaited = client.AsyncApiClient(URL, transport=AsyncInMemory(api), **options).who()

    assert (found.value, asyncio.run(awaited).value) == (who, who)


def test_a_credential_may_be_awaited(client: Any) -> None:
    async def later() -> str:
        return "page"

    api_client = client.AsyncApiClient(URL, transport=AsyncInMemory(api), sid=later)

    assert asyncio.run(api_client.who()).value == "who page"


def go(input: None, ctx: str) -> str:
    return ctx


def whoever(token: str, request: Any) -> str:
    return token


def test_a_bearer_token_alone_is_an_option_too_and_a_header_as_before() -> None:
    """And it may be taken by a service whose names are those of Python itself."""
    named = route(summary="Go", tags=["t"], name="super")(go)
    made = spec(authenticate=whoever, routes=routes(named), exports=exports(super=int, token=int))
    by_header = {"headers": {"Authorization": "Bearer a"}}
    options: list[dict[str, Any]] = [{"token": "a"}, {"token": lambda: "a"}, by_header, {}]
    with module_of(python_client(package_of(describe(made)))) as module:
        *found, none = (
            module.ApiClient(URL, transport=InMemory(made), **each).super() for each in options
        )

    assert [each.value for each in found] == ["a", "a", "a"]
    assert none.code == "UNAUTHORIZED"


def test_the_client_in_typescript_has_the_option_too() -> None:
    package = package_of(describe(api))
    ping = package.operations["ping"]
    asking = replace(ping, route=replace(ping.route, auth="bearer"))
    alone = replace(package, operations={"ping": asking})
    without = replace(package, operations={"ping": ping})

    assert "readonly token?: HeaderValue | undefined;\n  };" in typescript_client(alone)
    assert "$credited(options, $WAYS)" in typescript_client(alone)
    assert "readonly token?" not in typescript_client(without)
    assert "token" not in python_client(without)


def test_a_client_may_have_none(client: Any) -> None:
    found = client.ApiClient(URL, transport=InMemory(api), timeout=3)

    assert found.who().code == "UNAUTHORIZED"
    assert found.ping().value is None


def test_a_client_has_no_two(client: Any) -> None:
    with pytest.raises(ValueError, match="a client sends one credential"):
        client.ApiClient(URL, transport=InMemory(api), token="a", x_key="b")


def test_a_credential_that_is_no_header_is_refused_without_telling_it(client: Any) -> None:
    with pytest.raises(ValueError, match="cannot be one") as refused:
        client.ApiClient(URL, transport=InMemory(api), x_key="canary\nb")

    assert "canary" not in str(refused.value)


@pytest.mark.parametrize(("served", "option"), [(keyed, "x_key"), (paged, "sid")])
def test_only_the_ways_that_there_are_have_options(served: Any, option: str) -> None:
    with module_of(python_client(package_of(describe(served)))) as module:
        names = [*inspect.signature(module.ApiClient).parameters]

    assert names == ["base_url", option, "options"]


def test_a_method_says_what_it_needs() -> None:
    package = package_of(describe(api))

    assert "Needs a client with ``token`` or ``x_key`` or ``sid``." in python_client(package)
    assert "Needs a client with token or xKey or sid." in typescript_client(package)


def test_a_method_says_the_option_of_its_client() -> None:
    """Though it is not the name of the credential: another one has that, or every client has."""
    into = ways(bearer(whoever), api_key(whoever, header="Token"), api_key(whoever, header="Timeout"))  # fmt: skip
    made = spec(authenticate=into, routes=[route(summary="Go", tags=["t"])(go)])
    text = python_client(package_of(describe(made)))

    assert "Needs a client with ``token`` or ``token_2`` or ``timeout_``." in text
    assert 'headers={"Timeout": timeout_, "Token": token_2}' in text


@rows("way, option", ("X-Key", "x_key"), ("bearer", "token"), ("__Host-sid", "host_sid"), ("a.b", "a_b"))  # fmt: skip
def test_the_name_of_an_option_looks_like_the_credential(way: str, option: str) -> None:
    assert option_of(way) == option


def test_a_name_that_a_client_has_itself_is_changed() -> None:
    timeout = api_key(whoever, header="Timeout")
    made = spec(authenticate=timeout, routes=routes(route(summary="Go", tags=["t"])(go)))
    package = package_of(describe(made))
    with module_of(python_client(package)) as module:
        found = module.ApiClient(URL, transport=InMemory(made), timeout_="k", timeout=3)

        assert found.go().value == "k"
    assert "readonly timeout_?: HeaderValue | undefined;" in typescript_client(package)


def test_no_credential_in_typescript_has_the_name_of_an_option_of_every_client() -> None:
    every = needed("", client=True)["results"]
    found = re.findall(r"export interface (?:Call|Client)Options .*?\n\}", every, re.DOTALL)
    options = re.findall(r"(?m)^  readonly (\w+)\??:", "".join(found))

    assert {"baseUrl", "timeout"} <= {*options}
    assert not {*options} & {*option_names(options).values()}


def test_no_credential_is_no_header() -> None:
    assert credential_headers(None, {"X-Key": None}, {"sid": None}) == {}
