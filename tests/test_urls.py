"""One rule for URLs and their parts, wherever one is given (those in pages: `tests.test_meta`)."""

from __future__ import annotations

from typing import Any

import pytest

from contract import Logo, MountError, emit_contract, emit_openapi, route, routes, spec
from contract.adapters.mount import service_of
from contract.call.mount_options import Options
from contract.cli.http import fetch, send
from contract.cli.output import Stop
from contract.client.options import base_url_of
from contract.explorer import policy
from contract.shape.exceptions import DeclarationError
from contract.shape.urls import has_credentials, host_in, instead_of_url, is_host, is_local
from tests.tables import rows
from tests.words import words


@route(summary="Ping", tags=["shop"], auth="none")
def ping(input: None, ctx: None) -> None: ...


API = spec(routes=routes(ping))


NO_HOSTS = words("""
- -.- . .. .example -a.example a- a:0 a: a:080 a:65536 a:99999 [:::1] [1.2.3.4] [::1
[fe80::1%25eth0] [] a%62c a* ünder.example
""")
HOSTS = words("localhost a a_b a.example. a-b.example:65535 127.0.0.1:1 [::1] [2001:db8::1]:8443")


@rows("host", *NO_HOSTS, "a" * 300)
def test_a_host_that_is_none_is_refused_everywhere(host: str) -> None:
    for url in (f"https://{host}", f"https://{host}/v1"):
        with pytest.raises(MountError, match="public_url"):
            Options(public_url=url)
        with pytest.raises(MountError, match="authorization_servers"):
            Options(authorization_servers=[url])
        with pytest.raises(MountError, match="server="):
            emit_openapi(API, server=url)
        with pytest.raises(ValueError, match="base URL"):
            base_url_of(url)
        with pytest.raises(DeclarationError, match="Logo"):
            Logo(light=url)
        for stopped in (lambda: fetch(url, limit=1), lambda: send(url, "ping", {}, b"")):  # noqa: B023
            with pytest.raises(Stop) as caught:
                stopped()
            assert caught.value.code == 2
        assert "https:" not in policy({"favicon": url})
    with pytest.raises(MountError, match="cors_origins"):
        Options(cors_origins=[f"https://{host}"])


@rows("host", *HOSTS)
def test_a_host_is_taken_everywhere(host: str) -> None:
    url = f"https://{host}"

    assert is_host(host)
    assert host_in(f"{url}/v1") == ("https", host)
    mounts: Any = {name: [url] for name in ("authorization_servers", "cors_origins", "mcp_origins")}
    assert Options(public_url=url, **mounts).public_url == url
    assert base_url_of(url) == Logo(light=url).light == url
    assert emit_openapi(API, server=url)
    assert policy({"favicon": url}).count(url) == (0 if "[" in host else 1)


@rows("path", "/a b", "/a\\b", "/a\n", "/é", '/"', "/<", "/{id}", "/?q", "/#f")
def test_what_stands_behind_a_host_is_one_path(path: str) -> None:
    url = f"https://shop.example{path}"
    with pytest.raises(MountError):
        Options(public_url=url)
    with pytest.raises(MountError):
        emit_openapi(API, server=url)
    with pytest.raises(ValueError, match="base URL"):
        base_url_of(url)
    with pytest.raises(Stop) as stopped:
        send(url, "ping", {}, b"")

    assert stopped.value.code == 2


@rows(
    "option, path",
    *(("docs_path", path) for path in ("/mcp", "/contract.json", "/mcp/docs", "/ping")),
    *(("mcp_path", path) for path in ("/docs", "/openapi.json/x", "/ping", "/ping/mcp")),
)
def test_a_document_names_no_paths_that_a_mount_refuses(option: str, path: str) -> None:
    paths: Any = {option: path}
    with pytest.raises(MountError) as mounted:
        service_of(API, Options(**paths))
    with pytest.raises(MountError) as emitted:
        emit_contract(API, **paths)

    assert str(emitted.value) == str(mounted.value).replace("mount_spec(", "emit_contract(")


@rows("origin", "http://localhost", "http://localhost:6274", "https://127.0.0.1:1", "http://[::1]")
def test_origins_of_this_machine(origin: str) -> None:
    assert is_local(origin)
    assert Options(public_url=f"{origin}/x").public_url == f"{origin}/x"


@rows(
    "origin",
    *words(
        "http://localhost.evil.example http://127.0.0.1.evil.example http://[::2] localhost null"
    ),
)
def test_other_origins_are_of_elsewhere(origin: str) -> None:
    assert not is_local(origin)


def test_who_is_in_front_of_a_host_is_not_repeated() -> None:
    assert has_credentials("https://ada:word@shop.example")
    assert has_credentials("//ada@shop.example")
    assert not has_credentials("https://shop.example/@ada")
    assert host_in("https://ada:word@shop.example/a") == ("https", "shop.example")
    assert host_in("a/b") == ("", "")


@rows("url", "https://a.example/b?c#d", "logo.svg", "/a", "//cdn.example/a", "a/b:c")
def test_what_does_no_harm_is_left_alone(url: str) -> None:
    assert instead_of_url(url) is None


ENCODE = "encode other characters with %"


@rows(
    "url, advice",
    *(
        (url, f"give http, https, a relative URL; {ENCODE}")
        for url in ("javascript:alert(1)", "a b")
    ),
    (3, f"give a string: http, https, a relative URL; {ENCODE}"),
    *((url, "it names no host; write https://host/path") for url in ("https:a", "http://[::1")),
)
def test_what_may_do_harm_has_something_to_write_instead(url: object, advice: str) -> None:
    assert instead_of_url(url) == advice


def test_pictures_and_mail_are_for_some_places() -> None:
    picture, mail = "data:image/png;base64,AAAA", "mailto:a@shop.example"

    assert instead_of_url(picture, image=True) is instead_of_url(mail, mail=True) is None
    assert "mailto" in str(instead_of_url("x:y", mail=True))
    assert "data:image" in str(instead_of_url("x:y", image=True))
    assert instead_of_url(picture) is not None
    assert instead_of_url(mail) is not None
