"""Proxies: who is believed about where a request comes from, and what headers cannot do."""

from __future__ import annotations

from typing import Any

import falcon
import falcon.asgi
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from contract import Call, Request, api_key, hook, hooks, mount_spec, route, routes, spec
from contract.call.proxies import Caller, Proxies, instead_of_network, trusted
from tests.growth import growth
from tests.tables import rows
from tests.wire.case import call
from tests.wire.exchange import TRANSPORTS, Exchange, RawRequest, Transport, serve, through_server

PROXIES = Proxies(("10.0.0.0/8", "2001:db8:1::/48", "192.0.2.7"))
PROXY = "10.0.0.1"


def caller(peer: str | None = PROXY, **headers: str) -> Caller:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return PROXIES.caller_of(peer, sent.get)


LISTS = {"x_forwarded_for": "198.51.100.1", "x_forwarded_host": "shop.example:8443"}


@pytest.mark.parametrize(
    "peer", [None, "", "unix:", "testclient", "203.0.113.9", "11.0.0.1", "2001:db8:2::1", "10.0.0"]
)
def test_nobody_else_is_believed(peer: str | None) -> None:
    forwarded = "for=198.51.100.1;proto=https;host=shop.example"

    assert caller(peer, **LISTS, x_forwarded_proto="https", forwarded=forwarded) == Caller(peer)


@pytest.mark.parametrize("peer", [PROXY, "::ffff:10.0.0.1", "2001:db8:1::9", "192.0.2.7"])
def test_a_proxy_is_believed(peer: str) -> None:
    found = caller(peer, **LISTS, x_forwarded_proto="HTTPS")

    assert found == Caller("198.51.100.1", "https", "shop.example:8443")
    assert caller(peer) == Caller(peer)


@rows(
    "sent, client",
    *((each, "198.51.100.1") for each in ("198.51.100.1", "  198.51.100.1\t", "198.51.100.1:4711")),
    *((each, "2001:db8::1") for each in ("2001:DB8::0001", "[2001:db8::1]", "[2001:db8::1]:4711")),
    ("::ffff:198.51.100.1", "198.51.100.1"),
    ("made up, 198.51.100.1", "198.51.100.1"),
    ("198.51.100.9, 198.51.100.1, 10.9.9.9", "198.51.100.1"),
    ("198.51.100.1, 10.9.9.9, 2001:db8:1::2, 192.0.2.7", "198.51.100.1"),
    ("198.51.100.1, , 10.9.9.9,", "198.51.100.1"),
    ("10.7.7.7, 10.8.8.8", "10.7.7.7"),
    ("198.51.100.1" + ", 10.0.0.2" * 31, "198.51.100.1"),
    ("198.51.100.1" + ", 10.0.0.2" * 32, None),
    ("", PROXY),
    (" , ,", PROXY),
    ("198.51.100.1, unknown", None),
    *((each, None) for each in ("198.51.100.1, _hidden, 10.9.9.9", "198.51.100.256", "010.0.0.1")),
    *((each, None) for each in ("fe80::1%eth0", "[2001:db8::1", "[2001:db8::1]x", "[10.0.0.1.5]")),
    ("\uff1198.51.100.1", None),
)
def test_the_client_is_the_last_address_that_is_no_proxy(sent: str, client: str | None) -> None:
    assert caller(x_forwarded_for=sent).client == client


@rows(
    "sent, expected",
    ("for=198.51.100.1", Caller("198.51.100.1")),
    ("For=198.51.100.1;Proto=HTTPS;Host=shop.example", Caller("198.51.100.1", "https", "shop.example")),
    ('for="[2001:db8::1]:4711";by=10.0.0.1;host="shop.example:8443"', Caller("2001:db8::1", None, "shop.example:8443")),
    ('for="198.51.100.1:_port" ; proto=http', Caller("198.51.100.1", "http")),
    ("for=198.51.100.9;host=evil.example, for=198.51.100.1;host=shop.example", Caller("198.51.100.1", None, "shop.example")),
    ("for=198.51.100.1;proto=https;host=a.example, for=10.9.9.9;proto=http;host=b.example", Caller("198.51.100.1", "https", "a.example")),
    ("for=198.51.100.1, for=10.9.9.9;proto=https", Caller("198.51.100.1", "https")),
    ("for=198.51.100.9;proto=https;host=evil.example, for=198.51.100.1", Caller("198.51.100.1")),
    ("for=198.51.100.9;proto=https, for=198.51.100.1;proto=gopher", Caller("198.51.100.1")),
    ("proto=https;by=10.0.0.1", Caller(None, "https")),
    ("for=unknown;proto=https", Caller(None, "https")),
    ("for=_hidden", Caller(None)),
    ("for=198.51.100.1;for=198.51.100.2", Caller(None)),
    *((each, Caller(None)) for each in ("for=198.51.100.1;", "for", "for=", 'for="198.51.100.1')),
    ('for="198.51.100.1\\"', Caller(None)),
    ("for=[2001:db8::1]:4711;host=shop.example:8443", Caller("2001:db8::1", None, "shop.example:8443")),
    ("for=198.51.100.1:4711;host=a/b;proto=ftp", Caller("198.51.100.1")),
    ("for=198.51.100.1;host=a b", Caller(None)),
    ("for=198.51.100.1;(=b", Caller(None)),
    ("", Caller(PROXY)),
)  # fmt: skip
def test_forwarded_tells_it_too(sent: str, expected: Caller) -> None:
    assert caller(forwarded=sent) == expected


def test_no_more_of_a_list_is_parsed_than_may_matter() -> None:
    def parse(forwarded: str) -> None:
        for _ in range(20):
            caller(forwarded=forwarded)

    few = "for=10.0.0.2, " * 50

    assert growth(parse, few, few * 400) < 30


@pytest.mark.parametrize("name", ["x_forwarded_for", "x_forwarded_proto", "x_forwarded_host"])
def test_a_proxy_that_writes_one_kind_may_hand_on_the_other(name: str) -> None:
    sent = {"x_forwarded_for": "198.51.100.1", name: "", "forwarded": "for=203.0.113.9"}

    assert caller(**sent).client in ("198.51.100.1", PROXY)


@rows(
    "protos, scheme",
    *((each, "https") for each in ("https", "https, http", "gopher, https, http")),
    *((each, None) for each in ("https, gopher, http", "javascript:alert(1)", "")),
)
def test_the_scheme_is_that_of_the_first_proxy(protos: str, scheme: str | None) -> None:
    """Two proxies stand there; the first adds an item or does not, and neither does the second."""
    sent = caller(x_forwarded_for="198.51.100.1, 10.9.9.9", x_forwarded_proto=protos)

    assert sent == Caller("198.51.100.1", scheme)


def test_where_no_address_is_told_the_nearest_proxy_has_the_word() -> None:
    found = caller(x_forwarded_proto="https, http", x_forwarded_host="a.example, b.example")

    assert found == Caller(PROXY, "http", "b.example")


@pytest.mark.parametrize(
    "host", ["evil.example/path", "a b", "user@evil.example", '"><script>', "h" * 300, "a.example:99999"]
)  # fmt: skip
def test_a_host_that_is_none_is_not_told(host: str) -> None:
    assert caller(x_forwarded_for="198.51.100.1", x_forwarded_host=host) == Caller("198.51.100.1")


# whatever stands in a header, for which WSGI and ASGI have no more characters
TEXTS = st.text(st.characters(max_codepoint=255)) | st.text(
    st.sampled_from('0123456789abcdef.:,;="[]\\ %for_')
)


@given(TEXTS)
@example('for="')
@example('for="\\')
@example("for=10.0.0.1;x=")
def test_what_a_client_writes_in_front_changes_nothing(text: str) -> None:
    lists = caller(
        x_forwarded_for=f"{text},198.51.100.1",
        x_forwarded_proto=f"{text},https",
        x_forwarded_host=f"{text},shop.example",
    )
    forwarded = caller(forwarded=f"{text},for=198.51.100.1;proto=https;host=shop.example")

    assert lists == forwarded == Caller("198.51.100.1", "https", "shop.example")


@given(TEXTS, TEXTS, TEXTS)
def test_any_header_can_be_read(sent_for: str, proto: str, host: str) -> None:
    found = caller(x_forwarded_for=sent_for, x_forwarded_proto=proto, x_forwarded_host=host)

    assert found.scheme in (None, "http", "https")
    assert caller(forwarded=sent_for).scheme in (None, "http", "https")


def test_nobody_is_trusted_unless_somebody_is() -> None:
    assert trusted(()) is None
    assert trusted(("10.0.0.0/8",)) is not None


@pytest.mark.parametrize("network", ["10.0.0.0/8", "192.0.2.7", "::1", "2001:db8::/32"])
def test_a_network_is_taken(network: str) -> None:
    assert instead_of_network(network) is None


@rows(
    "network, told",
    ("*", "'*' is everybody"),
    ("0.0.0.0/0", "'0.0.0.0/0' is everybody"),
    ("::/0", "'::/0' is everybody"),
    ("10.0.0.1/8", "'10.0.0.1/8' is not a network; write it like '10.0.0.0/8'"),
    ("proxy.example", "'proxy.example' is not a network"),
    ("", "'' is not a network"),
    (10, "10 is not a network"),
    (None, "None is not a network"),
)
def test_what_is_no_network_is_refused(network: object, told: str) -> None:
    assert told in str(instead_of_network(network))


# In a mount.


SEEN: list[str | None] = []


def authenticate(token: str, request: Request) -> str:
    SEEN.append(request.client)
    return token


@hook
def heard(call: Call[str]) -> None:
    SEEN.append(call.client)


@route(summary="Say who calls", tags=["who"], mcp=True, hooks=hooks(heard))
def who(input: None, ctx: str) -> str:
    return ctx


API = spec(authenticate=authenticate, routes=routes(who))

FORWARDED = (("X-Forwarded-For", "198.51.100.1"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "shop.example:8443"))  # fmt: skip
TRUSTED: dict[str, Any] = {"trusted_proxies": ("192.0.2.0/24",)}
OTHERS: dict[str, Any] = {"trusted_proxies": ("192.0.3.0/24",)}


def client(exchange: Exchange, *headers: tuple[str, str]) -> str | None:
    """The client, as `authenticate` and a hook before the resolver see it."""
    SEEN.clear()
    response = exchange(call("who", b"{}", ("Authorization", "Bearer a"), *headers))
    assert (response.status, len(SEEN)) == (200, 2)
    [seen] = {*SEEN}
    return seen


def where(transport: Transport, headers: tuple[tuple[str, str], ...], **options: Any) -> object:
    """The place of the endpoint of MCP, as its clients are told."""
    exchange = serve(transport, API, authorization_servers=("https://login.example",), **options)
    asked = "/.well-known/oauth-protected-resource/v1/mcp"
    return exchange(RawRequest(method="GET", target=asked, headers=headers)).json()["resource"]


SERVED: list[Transport] = [transport for transport in TRANSPORTS if transport != "service"]


@pytest.mark.parametrize("transport", SERVED)
def test_a_hook_is_told_who_calls(transport: Transport) -> None:
    trusting = serve(transport, API, **TRUSTED)

    assert client(trusting, *FORWARDED) == "198.51.100.1"
    assert client(trusting, ("Forwarded", "for=198.51.100.1")) == "198.51.100.1"
    assert client(serve(transport, API, **OTHERS), *FORWARDED) == "192.0.2.7"
    assert client(serve(transport, API), *FORWARDED) == "192.0.2.7"


@pytest.mark.parametrize("transport", SERVED)
@rows(
    "options, url",
    (TRUSTED, "https://shop.example:8443/v1/mcp"),
    (OTHERS, "http://shop.example/v1/mcp"),
    ({}, "http://shop.example/v1/mcp"),
    ({**TRUSTED, "public_url": "https://p.example"}, "https://p.example/v1/mcp"),
)
def test_mcp_clients_are_told_where_they_are(
    transport: Transport, options: dict[str, Any], url: str
) -> None:
    assert where(transport, FORWARDED, **options) == url


def test_a_proxy_that_tells_no_scheme_leaves_the_servers() -> None:
    assert where("asgi", FORWARDED[:1], **TRUSTED) == "http://shop.example/v1/mcp"


class Middleware:
    def process_request(self, req: Any, resp: Any) -> None: ...


def test_a_header_with_underscores_is_not_taken_for_one_with_hyphens() -> None:
    """An environ has one key for both, and a proxy looks at the second kind only."""
    mount = mount_spec(falcon.App(middleware=[Middleware()]), API, prefix="/v1", **TRUSTED)
    served = through_server(mount.wsgi)

    assert client(served, *FORWARDED, ("X_Forwarded_For", "203.0.113.9")) == "198.51.100.1"
    assert client(served, ("X_Forwarded_For", "203.0.113.9")) == "192.0.2.7"
    assert client(served, ("X_Forwarded-For", "203.0.113.9")) == "192.0.2.7"


@pytest.mark.parametrize(("name", "status"), [("X-Key", 200), ("X_Key", 401), ("x_key", 401)])
def test_an_api_key_is_in_the_header_of_its_very_name(name: str, status: int) -> None:
    """A proxy that strikes out what clients send as X-Key leaves X_Key as it is."""
    keyed = spec(authenticate=api_key(authenticate, header="X-Key"), routes=routes(who))
    mount = mount_spec(falcon.App(middleware=[Middleware()]), keyed, prefix="/v1")
    served = through_server(mount.wsgi)

    assert served(call("who", b"{}", (name, "a"))).status == status
    assert served(call("who", b"{}", ("Content_Length", "9"), ("X-Key", "a"))).status == 200
