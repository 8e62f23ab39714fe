"""Options: every argument of a mount, wrong in every way that was thought of, is refused with the place and the fix."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import falcon
import falcon.asgi
import pytest

import contract
from contract.adapters.asgi import AsgiApp
from contract.adapters.mount import service_of
from contract.adapters.wsgi import WsgiApp
from contract.call.mount_options import Options
from contract.shape.quoting import described
from tests.tables import rows

Anything = Any
"""Where the type checkers are right to object, and are not asked."""
LIMITS: Anything = contract.Limits


def one(input: None, ctx: None) -> str:
    raise AssertionError("nothing is called here")


def named(*names: str) -> contract.Spec[None]:
    made = contract.route(summary="S", tags=["t"], auth="none")(one)
    return contract.spec(routes=dict.fromkeys(names or ("one",), made))


def problem(make: Callable[..., object], *args: Anything, **options: Anything) -> str:
    """What `MountError` says of it, with its place."""
    with pytest.raises(contract.MountError) as caught:
        make(*args, **options)
    return str(caught.value)


def told(name: str, value: Anything) -> str:
    """What is said of one option."""
    said = problem(Options, **{name: value})
    place = f"mount_spec({name}=): "
    assert said.startswith(place)
    return said.removeprefix(place)


@pytest.mark.parametrize("app", [falcon.App(), falcon.asgi.App()], ids=["wsgi", "asgi"])
def test_app_and_spec_are_what_they_have_to_be(app: Anything) -> None:
    mount: Anything = contract.mount_spec
    api = named()

    made = (
        "is not an App; give what falcon.App() or falcon.asgi.App() made, and then the spec: "
        "mount_spec(app, api); an app of another framework takes the mount's asgi or wsgi"
    )
    wrong: Anything
    for wrong in (api, type(app), "app", None, WsgiApp(api)):
        assert problem(mount, wrong, api) == f"mount_spec(app=): {described(wrong)} {made}"
    given = "is not a Spec; write spec(routes=routes(...)), and give what comes of it"
    for wrong in ([one], app, contract.Spec):
        assert problem(mount, app, wrong) == f"mount_spec(spec=): {described(wrong)} {given}"
    mount = contract.mount_spec(app, api)
    assert mount.app is app
    assert mount.service.options == Options()  # whoever says nothing gets the same by either way


def test_the_other_adapters_say_what_they_serve() -> None:
    api: Anything = named()
    make: Anything = service_of

    assert problem(WsgiApp, [one]).startswith("WsgiApp(): a list is not a Spec; write spec(")
    assert problem(AsgiApp, one).startswith("AsgiApp(): a function is not a Spec; write spec(")
    assert problem(make, [one]).startswith("service_of(spec=): a list is not a Spec; write spec(")
    why = "service_of(options=): a dict is not an Options; write Options(...), or leave it out"
    assert problem(make, api, {"prefix": "/v1"}) == why


PATHS = "v1 /v1/ //v1 /a//b /{v} /v1? /v1# /v%31 /. /.. /a/../b /a/./b /é /a\\b /a:b /*"


@pytest.mark.parametrize("name", ["prefix", "docs_path", "mcp_path", "health_path"])
@pytest.mark.parametrize("path", [*PATHS.split(), "/a b", "/a\n"])
def test_a_path_is_written_in_one_way_only(name: str, path: str) -> None:
    assert told(name, path).startswith(f"{path!r} is not a path; write ")


@rows("path", "/v1", "/api/v1", "/.well-known/health", "/a..b/c...", "/A-z_0.~")
@pytest.mark.parametrize("name", ["prefix", "docs_path", "mcp_path", "health_path"])
def test_other_paths_are_taken(name: str, path: str) -> None:
    options: dict[str, Anything] = {name: path}

    assert getattr(Options(**options), name) == path


@rows(
    "name, path, message",
    ("prefix", "v1", "is not a path; write '/v1': a path has a slash in front, none behind, "),
    ("prefix", "/v1//x/", "is not a path; write '/v1/x': "),
    ("prefix", "/{v}/", "is not a path; write it like '/v1', or \"\" for none: "),
    ("prefix", "/", "has no segment; write it like '/v1', or \"\" for none"),
    ("prefix", None, "is not a path; write it like '/v1', or \"\" for none"),
    ("prefix", b"/v1", "is not a path; write it like '/v1', or \"\" for none"),
    ("prefix", Path("/v1"), "is not a path; write it like '/v1', or \"\" for none"),
    ("docs_path", "", "has no segment; write it like '/v1'"),
    ("docs_path", "/", "has no segment; write it like '/v1'"),
    ("docs_path", None, "is not a path; write it like '/v1', or docs=False for none"),
    ("mcp_path", "", "has no segment; write it like '/v1', or None for none"),
    ("mcp_path", "//", "has no segment; write it like '/v1', or None for none"),
    ("health_path", "/", "has no segment; write it like '/v1', or None for none"),
    ("health_path", True, "is not a path; write it like '/v1', or None for none"),
)
def test_the_mend_of_a_path_is_told(name: str, path: Anything, message: str) -> None:
    assert told(name, path).startswith(f"{described(path)} {message}")


def test_a_long_path_is_told_in_short() -> None:
    assert len(problem(Options, prefix="/" + "x" * 10_000 + "/ ")) < 300


@rows(
    "options, place, other",
    ({"docs_path": "/contract.json"}, "docs_path", "the document '/contract.json'"),
    ({"docs_path": "/openapi.json"}, "docs_path", "the document '/openapi.json'"),
    ({"docs_path": "/openapi.json/docs"}, "docs_path", "the document '/openapi.json'"),
    ({"mcp_path": "/contract.json"}, "mcp_path", "the document '/contract.json'"),
    ({"health_path": "/openapi.json"}, "health_path", "the document '/openapi.json'"),
    ({"mcp_path": "/docs"}, "mcp_path", "docs_path= '/docs'"),
    ({"mcp_path": "/docs/mcp"}, "mcp_path", "docs_path= '/docs'"),
    ({"docs_path": "/mcp/docs"}, "mcp_path", "docs_path= '/mcp/docs'"),
    ({"health_path": "/docs"}, "health_path", "docs_path= '/docs'"),
    ({"health_path": "/mcp"}, "health_path", "mcp_path= '/mcp'"),
    ({"health_path": "/mcp/health", "docs": False}, "health_path", "mcp_path= '/mcp'"),
)
def test_paths_of_a_mount_keep_apart(options: dict[str, Anything], place: str, other: str) -> None:
    said = problem(Options, **options)

    assert said.startswith(f"mount_spec({place}=): ")
    assert said.endswith(f" collides with {other}; choose paths that do not contain each other")


@rows(
    "options",
    {"docs": False, "mcp_path": "/docs", "health_path": "/contract.json"},
    {"mcp_path": None, "health_path": "/mcp"},
    {"mcp_path": "/docs2", "health_path": "/doc"},
    {"docs_path": "/guide/pages", "mcp_path": "/guide/mcp"},
)
def test_paths_that_are_not_in_use_are_free(options: dict[str, Anything]) -> None:
    assert Options(**options).prefix == ""


@rows(
    "name, options, why",
    ("contract.json", {}, "docs"),
    ("docs", {}, "docs_path"),
    ("guide", {"docs_path": "/guide/pages"}, "docs_path"),
    ("mcp", {}, "mcp_path"),
    ("health", {"health_path": "/health"}, "health_path"),
)
def test_a_route_does_not_stand_in_the_way(
    name: str, options: dict[str, Anything], why: str
) -> None:
    advice = f"{name}: the mount needs this path itself, by {why}=; give the route another name, or change that option"

    assert problem(service_of, named("one", name), Options(**options)) == advice
    assert Options(docs=False, mcp_path=None).own_paths() == {}


LOGIN, APP = "https://login.example", "https://app.example"
UNCALLABLE = "cannot be called; give a function that takes "
INVALID, NO_NUMBER = "is not valid; write ", "is not a whole number; write one, such as "


@rows(
    "name, values, message",
    ("docs", [1, 0, None, "yes", []], "will not do; give True or False"),
    ("logging", [1, 0, None, "no"], "will not do; give True or False"),
    ("visibility", ["private", "", None, True, ["all"], "PUBLIC"], f'{INVALID}"public" or "all"'),
    ("mcp_challenge", ["always", None, True, "Call", ["call"]], f'{INVALID}"call" or "connect"'),
    ("max_body_bytes", [0, -1], "is not at least 1; write one that is, such as 1_048_576"),
    ("max_body_bytes", [True, 1e6, "1 MiB", None], f"{NO_NUMBER}1_048_576"),
    ("cors_origins", [APP, "*", None, {APP}], f"is not a list of origins; write ['{APP}']"),
    ("mcp_origins", [APP, b"x", True, 3], f"is not a list of origins; write ['{APP}']"),
    ("authorization_servers", [LOGIN, b"x", None, {LOGIN}, 3], f"is not a list of URLs; write ['{LOGIN}']"),
    ("trusted_proxies", ["10.0.0.0/8"], "is not a list of networks; write ['10.0.0.0/8']"),
    ("cors_headers", ["X-Tenant", None], "is not a list of header names; write ['X-Tenant']"),
    (
        "limits",
        [None, {"threads": 4}, contract.Limits, 4, Options()],
        "is not a Limits; write Limits(...), from contract import Limits, or leave it out",
    ),
    ("on_call", ["print", 3, False, [], {}], f"{UNCALLABLE}(event)"),
    ("handle_unhandled_error", ["print", 3], f"{UNCALLABLE}(exception, request)"),
    ("sentences", ["de"], "is not a table of sentences; give one like contract.GERMAN"),
)  # fmt: skip
def test_another_value_is_refused_with_the_option_and_the_mend(
    name: str, values: list[Anything], message: str
) -> None:
    for value in values:
        assert told(name, value) == f"{described(value)} {message}"


@rows(
    "name, item, message",
    ("trusted_proxies", "10.0.0.1/8", "is not a network; write it like '10.0.0.0/8' or '192.0"),
    ("trusted_proxies", "0.0.0.0/0", "is everybody, and so every caller could say who it is"),
    ("cors_headers", "X Tenant", "is not a valid header name; write it like 'X-Tenant'"),
    ("cors_headers", 1, "is not a valid header name; write it like 'X-Tenant'"),
    ("cors_headers", "*", "would let pages send every header but Authorization; name each"),
)
def test_each_item_of_a_list_is_checked(name: str, item: object, message: str) -> None:
    assert told(name, [item]).startswith(f"{described(item)} {message}")


@rows("name", "read_seconds", "body_seconds", "deadline_seconds", "item_seconds", "stream_seconds")
@rows("value", 0, 0.0, -1, math.inf, -math.inf, math.nan, True, "10", b"1", (1,))
def test_seconds_are_above_nothing_and_end(name: str, value: Anything) -> None:
    assert re.fullmatch(
        rf"Limits\({name}=\): .* is (not a number of seconds|not above 0 and finite); write .*, such as .*",
        problem(LIMITS, **{name: value}),
    )


@rows(
    "name, values",
    ("threads", [0, -1, 1.0, True, "4", None, 1_000_001]),
    ("queue", [-1, 1.0, False, None, 10**20]),
    ("stream_threads", [0, None, 1_000_001]),
)
def test_threads_and_queue_are_whole_numbers_that_fit(name: str, values: list[Anything]) -> None:
    for value in values:
        assert re.fullmatch(
            rf"Limits\({name}=\): .* is (not a whole number|not from [01] to 1_000_000); write .*, such as .*",
            problem(LIMITS, **{name: value}),
        )


def test_the_least_limits_are_taken() -> None:
    limits = contract.Limits(read_seconds=1, deadline_seconds=0.001, threads=1, queue=0)

    assert Options(limits=limits).limits is limits
    assert contract.Limits() == contract.Limits(10.0, None, 40, 200, 60.0)


HIDDEN = "would let every page in; name each origin, such as 'https://app.example'"
NO_ORIGIN = "is not an origin; write it like 'https://app.example': scheme (http or https), "
UNMET = "would never be met, since browsers leave that port out; "
NO_ORIGINS = (
    "https://app.example/ https://app.example/x https://app.example?x https://app.example#x "
    "https://ada@app.example https://App.example HTTPS://app.example ftp://app.example file:// "
    "app.example //app.example https:// https://:8000 https://app.example: https://app.example:x "
    "https://app.example:080 https://ünder.example"
)


@rows(
    "origin, message",
    ("*", HIDDEN),
    ("https://*.example", HIDDEN),
    ("null", "is the origin of every page that hides its own; "),
    *((origin, NO_ORIGIN) for origin in NO_ORIGINS.split()),
    *((f"{APP}{more}", NO_ORIGIN) for more in (" ", "\n", ", https://b.example")),
    ("", NO_ORIGIN),
    ("https://app.example:443", UNMET),
    ("http://app.example:80", UNMET),
    (None, "is not an origin; write it like 'https://app.example'"),
    (b"https://app.example", "is not an origin; write it like 'https://app.example'"),
)
def test_an_origin_is_as_browsers_send_it(origin: Anything, message: str) -> None:
    for name in ("cors_origins", "mcp_origins"):
        for before in ([], ["http://localhost:3000"]):
            assert told(name, [*before, origin]).startswith(f"{described(origin)} {message}")


ORIGINS = "https://app.example http://localhost:3000 http://127.0.0.1:8000 http://[::1]:8000 https://a https://x.example:80"


@rows("name, item", *(("cors_origins", each) for each in ORIGINS.split()), ("trusted_proxies", "10.0.0.0/8"))  # fmt: skip
def test_a_list_is_kept_as_it_is_now(name: str, item: str) -> None:
    given = [item]
    options: dict[str, Anything] = {name: given}
    made = Options(**options)
    given.append("later")

    assert getattr(made, name) == (item,)


NO_URLS = (
    "login.example //login.example ftp://login.example https:// https://ada@login.example "
    'https://login.example?x https://login.example/#x https://login.example/" https://*.example'
)


@rows("url", *NO_URLS.split(), f"{LOGIN}/a b", f"{LOGIN}\n", "", None, LOGIN.encode())
def test_urls_are_those_of_servers(url: Anything) -> None:
    for name, value, example in (
        ("authorization_servers", [LOGIN, url], LOGIN),
        ("public_url", url, "https://api.example"),
    ):
        if value is not None:  # no public URL is given
            why = f"write it like {example!r}, with no query and no fragment"
            assert told(name, value) == f"{described(url)} is not a URL of a server; {why}"


@rows("url", "http://login.example", "http://127.0.0.1.evil.example", "http://localhost.evil.example/x")  # fmt: skip
def test_tokens_need_a_safe_way(url: str) -> None:
    safe = f"{url!r} can be read and changed on the way; tokens need https, such as"

    assert told("authorization_servers", [url]) == f"{safe} '{LOGIN}'"
    assert told("public_url", url) == f"{safe} 'https://api.example'"


URLS = "https://login.example https://Login.example:8443/realms/a_b-c~d http://localhost:9000 http://127.0.0.1 http://[::1]:1/x"


@rows("url", *URLS.split())
def test_urls_are_kept(url: str) -> None:
    given = [url]
    options = Options(authorization_servers=given, public_url=url + "/")
    given.append("later")

    assert (options.authorization_servers, options.public_url) == ((url,), url)


def on_call(event: contract.CallEvent) -> None: ...


EVENT = contract.CallEvent("one", "http", "OK", 200, 0.001, "id", None)


def mapped(exception: Exception, request: contract.Request) -> contract.Failure | None:
    raise AssertionError("nothing is called here")


async def later(event: object, request: object = None) -> None: ...


class Sink:
    """An object of the user's."""

    def __call__(self, event: object, request: object = None) -> None: ...

    def method(self, event: object, request: object = None) -> None: ...

    async def later(self, event: object, request: object = None) -> None: ...


class AsyncSink:
    async def __call__(self, event: object, request: object = None) -> None: ...


@pytest.mark.parametrize("name", ["on_call", "handle_unhandled_error"])
@pytest.mark.parametrize("function", [later, functools.partial(later), Sink().later, AsyncSink()])
def test_what_is_called_is_not_async(name: str, function: Anything) -> None:
    why = "it is async, and nobody would await it; write `def` instead of `async def` ("
    assert told(name, function).startswith(why)
    assert f"{__file__}:" in told(name, function)


@pytest.mark.parametrize("name", ["on_call", "handle_unhandled_error"])
def test_what_is_called_is_no_generator(name: str) -> None:
    def generator(event: object, request: object = None) -> Iterator[object]:
        yield event

    async def async_generator(event: object, request: object = None) -> AsyncIterator[object]:
        yield event

    why = "it is a generator, of which nothing would run; leave out `yield`"
    assert why in told(name, generator)
    assert "it is async, and nobody would await it" in told(name, async_generator)


@rows(
    "name, function, taken",
    ("on_call", mapped, "(exception, request)"),
    ("on_call", lambda: None, "()"),
    ("on_call", Sink.method, "(self, event, request=...)"),
    ("on_call", functools.partial(on_call, EVENT), "()"),
    ("handle_unhandled_error", on_call, "(event)"),
    ("handle_unhandled_error", lambda a, b, c: None, "(a, b, c)"),
    ("handle_unhandled_error", lambda a, *, request: None, "(a, *, request)"),
)
def test_what_is_called_takes_what_it_is_given(name: str, function: Anything, taken: str) -> None:
    given = "(event)" if name == "on_call" else "(exception, request)"
    found = told(name, function)

    assert found.startswith(f"it takes {taken}, and is called with {given} (")
    assert f"{__file__}:" in found


def test_every_other_callable_is_taken() -> None:
    both: list[Anything] = [Sink(), Sink().method, lambda *given: None]
    for function in (*both, functools.partial(on_call), [].append, print, dict):
        assert Options(on_call=function).on_call is function
    for function in (*both, mapped, {}.get, lambda a, b, c=1: None):
        assert Options(handle_unhandled_error=function).handle_unhandled_error is function


def test_options_do_not_change() -> None:
    options: Anything = Options()

    with pytest.raises(AttributeError):
        options.prefix = "v1"
    with pytest.raises(AttributeError):
        options.limits.threads = 0
    assert options == Options()
    assert (options.cors_origins, options.max_body_bytes) == ((), 1_048_576)
    assert len({options, Options(cors_origins=[])}) == 1


@pytest.mark.parametrize("app", [falcon.App(), falcon.asgi.App()], ids=["wsgi", "asgi"])
@rows("option",
    {"prefix": "v1"}, {"docs": 1}, {"docs_path": ""}, {"mcp_path": "/"}, {"visibility": "private"},
    {"max_body_bytes": "1"}, {"logging": None}, {"on_call": later},
    {"handle_unhandled_error": later}, {"cors_origins": "*"}, {"mcp_origins": ["null"]},
    {"mcp_challenge": "never"}, {"authorization_servers": "https://login.example"},
    {"public_url": "api.example"}, {"trusted_proxies": ["*"]}, {"health_path": "health"},
    {"sentences": {"mising": "Fehlt."}}, {"limits": 4},
)  # fmt: skip
def test_an_app_is_left_alone_where_a_mount_is_refused(
    app: Anything, option: dict[str, Anything]
) -> None:
    [name] = option

    assert problem(contract.mount_spec, app, named(), **option).startswith(f"mount_spec({name}=): ")
    assert app._sinks == []


@pytest.mark.parametrize("pages", ["cors_origins", "mcp_origins"])
def test_headers_of_pages_are_kept_in_lower_case(pages: str) -> None:
    options: dict[str, Anything] = {pages: [APP], "cors_headers": ["X-Tenant"]}
    assert Options(**options).cors_headers == ("x-tenant",)

    why = "no page may call yet; give cors_origins=['https://app.example'] too"
    assert told("cors_headers", ["X-Tenant"]) == why


def test_sentences_are_those_that_there_are() -> None:
    for table in ({"mising": "Fehlt."}, {"missing": 1}):
        [name] = table
        why = "contract.GERMAN has all that there are"
        assert told("sentences", table) == f"{name!r} is not a sentence; {why}"
    assert Options(sentences=contract.GERMAN).sentences is contract.GERMAN
