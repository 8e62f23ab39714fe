"""Options: every argument of a mount, wrong in every way that was thought of, is refused with the place and the fix."""

from __future__ import annotations

import asyncio
import functools
import math
import re
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import falcon
import falcon.asgi
import pytest

from contract import (
    GERMAN,
    CallEvent,
    Failure,
    Limits,
    MountError,
    Request,
    Spec,
    mount_spec,
    route,
    spec,
)
from contract.adapters.asgi import AsgiApp
from contract.adapters.mount import service_of
from contract.adapters.wsgi import WsgiApp
from contract.call.mount_options import Options

Anything = Any
"""Where the type checkers are right to object, and are not asked."""


def one(input: None, ctx: None) -> str:
    raise AssertionError("nothing is called here")


def named(*names: str) -> Spec[None]:
    return spec(
        routes={
            name: route(summary="S", tags=["t"], auth="none")(one) for name in names or ("one",)
        }
    )


def problem(make: Callable[..., object], *args: Anything, **options: Anything) -> str:
    """What `MountError` says of it, with its place."""
    with pytest.raises(MountError) as caught:
        make(*args, **options)
    return str(caught.value)


@pytest.mark.parametrize("app", [falcon.App(), falcon.asgi.App()], ids=["wsgi", "asgi"])
def test_app_and_spec_are_what_they_have_to_be(app: Anything) -> None:
    mount: Anything = mount_spec
    api = named()

    made = (
        "give what falcon.App() or falcon.asgi.App() made, and then the spec: mount_spec(app, api)"
    )
    assert problem(mount, api, app) == f"mount_spec(app=): a Spec is not an App; {made}"
    assert problem(mount, api, api) == f"mount_spec(app=): a Spec is not an App; {made}"
    assert (
        problem(mount, type(app), api) == f"mount_spec(app=): the class App is not an App; {made}"
    )
    assert problem(mount, "app", api) == f"mount_spec(app=): 'app' is not an App; {made}"
    assert problem(mount, None, api) == f"mount_spec(app=): None is not an App; {made}"
    assert problem(mount, WsgiApp(api), api) == f"mount_spec(app=): a WsgiApp is not an App; {made}"
    given = "write spec(routes=routes(...)), and give what comes of it"
    assert problem(mount, app, [one]) == f"mount_spec(spec=): a list is not a Spec; {given}"
    assert problem(mount, app, app) == f"mount_spec(spec=): an App is not a Spec; {given}"
    assert problem(mount, app, Spec) == f"mount_spec(spec=): the class Spec is not a Spec; {given}"
    mount = mount_spec(app, api)
    assert mount.app is app
    assert mount.service.options == Options()  # whoever says nothing gets the same by either way


def test_the_other_adapters_say_what_they_serve() -> None:
    api: Anything = named()
    make: Anything = service_of

    assert problem(WsgiApp, [one]).startswith("WsgiApp(): a list is not a Spec; write spec(")
    assert problem(AsgiApp, one).startswith("AsgiApp(): a function is not a Spec; write spec(")
    assert problem(make, [one]).startswith("service_of(spec=): a list is not a Spec; write spec(")
    assert (
        problem(make, api, {"prefix": "/v1"})
        == "service_of(options=): a dict is not an Options; write Options(...), or leave it out"
    )


def test_a_mount_in_a_wsgi_app_has_no_asgi() -> None:
    assert problem(lambda: mount_spec(falcon.App(), named()).asgi).startswith(
        "Mount.asgi: the app is a falcon.App, which speaks WSGI; "
    )
    assert problem(lambda: mount_spec(falcon.asgi.App(), named()).wsgi).startswith(
        "Mount.wsgi: the app is a falcon.asgi.App; "
    )


@pytest.mark.parametrize("name", ["prefix", "docs_path", "mcp_path", "health_path"])
@pytest.mark.parametrize(
    "path",
    [
        "v1",
        "/v1/",
        "//v1",
        "/a//b",
        "/{v}",
        "/v1?",
        "/v1#",
        "/v%31",
        "/a b",
        "/.",
        "/..",
        "/a/../b",
        "/a/./b",
        "/é",
        "/a\n",
        "/a\\b",
        "/a:b",
        "/*",
    ],
)
def test_a_path_is_written_in_one_way_only(name: str, path: str) -> None:
    told = problem(Options, **{name: path})

    assert told.startswith(f"mount_spec({name}=): {path!r} is not a path; write ")


@pytest.mark.parametrize(
    "path", ["/v1", "/api/v1", "/.well-known/health", "/a..b/c...", "/A-z_0.~"]
)
@pytest.mark.parametrize("name", ["prefix", "docs_path", "mcp_path", "health_path"])
def test_other_paths_are_taken(name: str, path: str) -> None:
    options: dict[str, Anything] = {name: path}

    assert getattr(Options(**options), name) == path


@pytest.mark.parametrize(
    ("name", "path", "told"),
    [
        (
            "prefix",
            "v1",
            "'v1' is not a path; write '/v1': a path has a slash in front, none behind, ",
        ),
        ("prefix", "/v1//x/", "'/v1//x/' is not a path; write '/v1/x': "),
        ("prefix", "/{v}/", "'/{v}/' is not a path; write it like '/v1', or \"\" for none: "),
        ("prefix", "/", "'/' has no segment; write it like '/v1', or \"\" for none"),
        ("prefix", None, "None is not a path; write it like '/v1', or \"\" for none"),
        ("prefix", b"/v1", "b'/v1' is not a path; write it like '/v1', or \"\" for none"),
        ("prefix", Path("/v1"), "a PosixPath is not a path; write it like '/v1', or \"\" for none"),
        ("docs_path", "", "'' has no segment; write it like '/v1'"),
        ("docs_path", "/", "'/' has no segment; write it like '/v1'"),
        ("docs_path", None, "None is not a path; write it like '/v1', or docs=False for none"),
        ("mcp_path", "", "'' has no segment; write it like '/v1', or None for none"),
        ("mcp_path", "//", "'//' has no segment; write it like '/v1', or None for none"),
        ("health_path", "/", "'/' has no segment; write it like '/v1', or None for none"),
        ("health_path", True, "True is not a path; write it like '/v1', or None for none"),
    ],
)
def test_the_mend_of_a_path_is_told(name: str, path: Anything, told: str) -> None:
    assert problem(Options, **{name: path}).startswith(f"mount_spec({name}=): {told}")


def test_a_long_path_is_told_in_short() -> None:
    assert len(problem(Options, prefix="/" + "x" * 10_000 + "/ ")) < 300


@pytest.mark.parametrize(
    ("options", "place", "other"),
    [
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
    ],
)
def test_paths_of_a_mount_keep_apart(options: dict[str, Anything], place: str, other: str) -> None:
    told = problem(Options, **options)

    assert told.startswith(f"mount_spec({place}=): ")
    assert told.endswith(f" collides with {other}; choose paths that do not contain each other")


@pytest.mark.parametrize(
    "options",
    [
        {"docs": False, "mcp_path": "/docs", "health_path": "/contract.json"},
        {"mcp_path": None, "health_path": "/mcp"},
        {"mcp_path": "/docs2", "health_path": "/doc"},
        {"docs_path": "/guide/pages", "mcp_path": "/guide/mcp"},
    ],
)
def test_paths_that_are_not_in_use_are_free(options: dict[str, Anything]) -> None:
    assert Options(**options).prefix == ""


@pytest.mark.parametrize(
    ("name", "options", "why"),
    [
        ("contract.json", {}, "docs"),
        ("docs", {}, "docs_path"),
        ("guide", {"docs_path": "/guide/pages"}, "docs_path"),
        ("mcp", {}, "mcp_path"),
        ("health", {"health_path": "/health"}, "health_path"),
    ],
)
def test_a_route_does_not_stand_in_the_way(
    name: str, options: dict[str, Anything], why: str
) -> None:
    advice = f"{name}: the mount needs this path itself, by {why}=; give the route another name, or change that option"

    assert problem(service_of, named("one", name), Options(**options)) == advice
    assert Options(docs=False, mcp_path=None).own_paths() == {}


@pytest.mark.parametrize("name", ["docs", "logging"])
@pytest.mark.parametrize("value", [1, 0, None, "yes", [], "no"])
def test_flags_are_true_or_false(name: str, value: Anything) -> None:
    assert problem(Options, **{name: value}).endswith(" will not do; give True or False")
    assert problem(Options, **{name: value}).startswith(f"mount_spec({name}=): ")


@pytest.mark.parametrize("value", ["private", "", None, True, ["all"], "PUBLIC"])
def test_there_are_two_visibilities(value: Anything) -> None:
    told = problem(Options, visibility=value)

    assert told.startswith("mount_spec(visibility=): ")
    assert told.endswith(' is not valid; write "public" or "all"')


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (0, "0 is not at least 1; write one that is, such as 1_048_576"),
        (-1, "-1 is not at least 1; write one that is, such as 1_048_576"),
        (True, "True is not a whole number; write one, such as 1_048_576"),
        (1e6, "1000000.0 is not a whole number; write one, such as 1_048_576"),
        ("1 MiB", "'1 MiB' is not a whole number; write one, such as 1_048_576"),
        (None, "None is not a whole number; write one, such as 1_048_576"),
    ],
)
def test_max_body_bytes_is_a_whole_number(value: Anything, told: str) -> None:
    assert problem(Options, max_body_bytes=value) == f"mount_spec(max_body_bytes=): {told}"


@pytest.mark.parametrize("name", ["read_seconds", "body_seconds", "deadline_seconds"])
@pytest.mark.parametrize(
    "value", [0, 0.0, -1, math.inf, -math.inf, math.nan, True, "10", b"1", (1,)]
)
def test_seconds_are_above_nothing_and_end(name: str, value: Anything) -> None:
    limits: Anything = Limits

    assert re.fullmatch(
        rf"Limits\({name}=\): .* is (not a number of seconds|not above 0 and finite); write .*, such as .*",
        problem(limits, **{name: value}),
    )


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("threads", [0, -1, 1.0, True, "4", None, 1_000_001]),
        ("queue", [-1, 1.0, False, None, 10**20]),
    ],
)
def test_threads_and_queue_are_whole_numbers_that_fit(name: str, values: list[Anything]) -> None:
    limits: Anything = Limits
    for value in values:
        assert re.fullmatch(
            rf"Limits\({name}=\): .* is (not a whole number|not from [01] to 1_000_000); write .*, such as .*",
            problem(limits, **{name: value}),
        )


def test_read_seconds_cannot_be_left_out() -> None:
    limits: Anything = Limits

    assert (
        problem(limits, read_seconds=None)
        == "Limits(read_seconds=): None is not a number of seconds; write one, such as 10.0"
    )


def test_the_least_limits_are_taken() -> None:
    limits = Limits(read_seconds=1, deadline_seconds=0.001, threads=1, queue=0)

    assert Options(limits=limits).limits is limits
    assert Limits() == Limits(10.0, None, 40, 200, 60.0)


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (None, "None"),
        ({"threads": 4}, "a dict"),
        (Limits, "the class Limits"),
        (4, "4"),
        (Options(), "an Options"),
    ],
)
def test_limits_are_made_by_their_class(value: Anything, what: str) -> None:
    advice = "write Limits(...), from contract import Limits, or leave it out"

    assert (
        problem(Options, limits=value) == f"mount_spec(limits=): {what} is not a Limits; {advice}"
    )


@pytest.mark.parametrize(
    "value",
    ["https://app.example", "*", b"https://app.example", None, {"https://app.example"}, True, 3],
)
@pytest.mark.parametrize("name", ["cors_origins", "mcp_origins"])
def test_origins_are_a_list(name: str, value: Anything) -> None:
    told = problem(Options, **{name: value})

    assert told.startswith(f"mount_spec({name}=): ")
    assert told.endswith(" is not a list of origins; write ['https://app.example']")


@pytest.mark.parametrize(
    ("origin", "told"),
    [
        ("*", "'*' would let every page in; name each origin, such as 'https://app.example'"),
        ("https://*.example", "'https://*.example' would let every page in; name each origin"),
        ("null", "'null' is the origin of every page that hides its own; "),
        (
            "https://app.example/",
            "'https://app.example/' is not an origin; write it like 'https://app.example': scheme (http or https), ",
        ),
        ("https://app.example/x", "'https://app.example/x' is not an origin; "),
        ("https://app.example?x", "'https://app.example?x' is not an origin; "),
        ("https://app.example#x", "'https://app.example#x' is not an origin; "),
        ("https://ada@app.example", "'https://ada@app.example' is not an origin; "),
        ("https://App.example", "'https://App.example' is not an origin; "),
        ("HTTPS://app.example", "'HTTPS://app.example' is not an origin; "),
        ("ftp://app.example", "'ftp://app.example' is not an origin; "),
        ("file://", "'file://' is not an origin; "),
        ("app.example", "'app.example' is not an origin; "),
        ("//app.example", "'//app.example' is not an origin; "),
        ("https://", "'https://' is not an origin; "),
        ("https://:8000", "'https://:8000' is not an origin; "),
        ("https://app.example:", "'https://app.example:' is not an origin; "),
        ("https://app.example:x", "'https://app.example:x' is not an origin; "),
        ("https://app.example:080", "'https://app.example:080' is not an origin; "),
        ("https://ünder.example", "'https://ünder.example' is not an origin; "),
        ("https://app.example ", "'https://app.example ' is not an origin; "),
        ("https://app.example\n", "'https://app.example\\n' is not an origin; "),
        (
            "https://a.example, https://b.example",
            "'https://a.example, https://b.example' is not an origin; ",
        ),
        ("", "'' is not an origin; "),
        (
            "https://app.example:443",
            "'https://app.example:443' would never be met, since browsers leave that port out; ",
        ),
        (
            "http://app.example:80",
            "'http://app.example:80' would never be met, since browsers leave that port out; ",
        ),
        (None, "None is not an origin; write it like 'https://app.example'"),
        (
            b"https://app.example",
            "b'https://app.example' is not an origin; write it like 'https://app.example'",
        ),
    ],
)
def test_an_origin_is_as_browsers_send_it(origin: Anything, told: str) -> None:
    assert problem(Options, cors_origins=["http://localhost:3000", origin]).startswith(
        f"mount_spec(cors_origins=): {told}"
    )
    assert problem(Options, mcp_origins=[origin]).startswith(f"mount_spec(mcp_origins=): {told}")


@pytest.mark.parametrize(
    "origin",
    [
        "https://app.example",
        "http://localhost:3000",
        "http://127.0.0.1:8000",
        "http://[::1]:8000",
        "https://a",
        "https://x.example:80",
    ],
)
def test_origins_are_kept_as_they_are_now(origin: str) -> None:
    given = [origin]
    options = Options(cors_origins=given)
    given.append("later")

    assert options.cors_origins == (origin,)


@pytest.mark.parametrize("value", ["always", None, True, "Call", ["call"]])
def test_mcp_challenges_at_the_call_or_at_once(value: Anything) -> None:
    assert problem(Options, mcp_challenge=value).startswith("mount_spec(mcp_challenge=): ")
    assert problem(Options, mcp_challenge=value).endswith(
        ' is not valid; write "call" or "connect"'
    )
    assert [Options(mcp_challenge=value).mcp_challenge for value in ("call", "connect")] == [
        "call",
        "connect",
    ]


@pytest.mark.parametrize(
    "value", ["https://login.example", b"x", None, {"https://login.example"}, 3]
)
def test_authorization_servers_are_a_list(value: Anything) -> None:
    told = problem(Options, authorization_servers=value)

    assert told.startswith("mount_spec(authorization_servers=): ")
    assert told.endswith(" is not a list of URLs; write ['https://login.example']")


NO_URLS = [
    "login.example",
    "//login.example",
    "ftp://login.example",
    "https://",
    "https://ada@login.example",
    "https://login.example?x",
    "https://login.example/#x",
    "https://login.example/a b",
    'https://login.example/"',
    "https://login.example\n",
    "https://*.example",
    "",
    None,
    b"https://login.example",
]


@pytest.mark.parametrize("url", NO_URLS)
def test_urls_are_those_of_servers(url: Anything) -> None:
    rule = "with no query and no fragment"
    told = problem(Options, authorization_servers=["https://login.example", url])
    assert told.startswith("mount_spec(authorization_servers=): ")
    assert told.endswith(
        f" is not a URL of a server; write it like 'https://login.example', {rule}"
    )
    if url is not None:
        told = problem(Options, public_url=url)
        assert told.startswith("mount_spec(public_url=): ")
        assert told.endswith(
            f" is not a URL of a server; write it like 'https://api.example', {rule}"
        )


@pytest.mark.parametrize(
    "url",
    ["http://login.example", "http://127.0.0.1.evil.example", "http://localhost.evil.example/x"],
)
def test_tokens_need_a_safe_way(url: str) -> None:
    safe = "can be read and changed on the way; tokens need https, such as"

    assert problem(Options, authorization_servers=[url]) == (
        f"mount_spec(authorization_servers=): {url!r} {safe} 'https://login.example'"
    )
    assert (
        problem(Options, public_url=url)
        == f"mount_spec(public_url=): {url!r} {safe} 'https://api.example'"
    )


@pytest.mark.parametrize(
    "url",
    [
        "https://login.example",
        "https://Login.example:8443/realms/a_b-c~d",
        "http://localhost:9000",
        "http://127.0.0.1",
        "http://[::1]:1/x",
    ],
)
def test_urls_are_kept(url: str) -> None:
    given = [url]
    options = Options(authorization_servers=given, public_url=url + "/")
    given.append("later")

    assert (options.authorization_servers, options.public_url) == ((url,), url)


def on_call(event: CallEvent) -> None: ...


EVENT = CallEvent("one", "http", "OK", 200, 0.001, "id", None)


def mapped(exception: Exception, request: Request) -> Failure | None:
    raise AssertionError("nothing is called here")


async def later(event: object, request: object = None) -> None: ...


def generator(event: object, request: object = None) -> Iterator[object]:
    yield event


async def async_generator(event: object, request: object = None) -> AsyncIterator[object]:
    yield event


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
    told = problem(Options, **{name: function})

    assert told.startswith(
        f"mount_spec({name}=): it is async, and nobody would await it; write `def` instead of `async def` ("
    )
    assert f"{__file__}:" in told


@pytest.mark.parametrize("name", ["on_call", "handle_unhandled_error"])
def test_what_is_called_is_no_generator(name: str) -> None:
    async def told() -> list[object]:
        return [event async for event in async_generator("event")]

    assert list(generator("event")) == asyncio.run(told()) == ["event"]
    assert "it is a generator, of which nothing would run; leave out `yield`" in problem(
        Options, **{name: generator}
    )
    assert "it is async, and nobody would await it" in problem(Options, **{name: async_generator})


@pytest.mark.parametrize("name", ["on_call", "handle_unhandled_error"])
@pytest.mark.parametrize("value", ["print", 3, False, [], {}])
def test_what_is_called_can_be_called(name: str, value: Anything) -> None:
    what = "(event)" if name == "on_call" else "(exception, request)"

    assert problem(Options, **{name: value}).endswith(
        f" cannot be called; give a function that takes {what}"
    )


@pytest.mark.parametrize(
    ("name", "function", "told"),
    [
        ("on_call", mapped, "it takes (exception, request), and is called with (event) ("),
        ("on_call", lambda: None, "it takes (), and is called with (event) ("),
        (
            "on_call",
            Sink.method,
            "it takes (self, event, request=...), and is called with (event) (",
        ),
        ("on_call", functools.partial(on_call, EVENT), "it takes (), and is called with (event) ("),
        (
            "handle_unhandled_error",
            on_call,
            "it takes (event), and is called with (exception, request) (",
        ),
        (
            "handle_unhandled_error",
            lambda a, b, c: None,
            "it takes (a, b, c), and is called with (exception, request) (",
        ),
        (
            "handle_unhandled_error",
            lambda a, *, request: None,
            "it takes (a, *, request), and is called with (exception, request) (",
        ),
    ],
)
def test_what_is_called_takes_what_it_is_given(name: str, function: Anything, told: str) -> None:
    found = problem(Options, **{name: function})

    assert found.startswith(f"mount_spec({name}=): {told}")
    assert f"{__file__}:" in found


def test_every_other_callable_is_taken() -> None:
    functions: list[Anything] = [
        Sink(),
        Sink().method,
        functools.partial(on_call),
        lambda *given: None,
        [].append,
        print,
        dict,
    ]
    for function in functions:
        assert Options(on_call=function).on_call is function
    for function in (
        mapped,
        Sink(),
        Sink().method,
        lambda *given: None,
        {}.get,
        lambda a, b, c=1: None,
    ):
        assert Options(handle_unhandled_error=function).handle_unhandled_error is function  # type: ignore[arg-type]


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
@pytest.mark.parametrize(
    "option",
    [
        {"prefix": "v1"},
        {"docs": 1},
        {"docs_path": ""},
        {"mcp_path": "/"},
        {"visibility": "private"},
        {"max_body_bytes": "1"},
        {"logging": None},
        {"on_call": later},
        {"handle_unhandled_error": later},
        {"cors_origins": "*"},
        {"mcp_origins": ["null"]},
        {"mcp_challenge": "never"},
        {"authorization_servers": "https://login.example"},
        {"public_url": "api.example"},
        {"trusted_proxies": ["*"]},
        {"health_path": "health"},
        {"sentences": {"mising": "Fehlt."}},
        {"limits": 4},
    ],
)
def test_an_app_is_left_alone_where_a_mount_is_refused(
    app: Anything, option: dict[str, Anything]
) -> None:
    [name] = option

    assert problem(mount_spec, app, named(), **option).startswith(f"mount_spec({name}=): ")
    assert app._sinks == []


def test_networks_of_proxies_are_kept() -> None:
    given = ["10.0.0.0/8"]
    options = Options(trusted_proxies=given)
    given.append("0.0.0.0/0")

    assert options.trusted_proxies == ("10.0.0.0/8",)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("10.0.0.0/8", "'10.0.0.0/8' is not a list of networks; write ['10.0.0.0/8']"),
        (
            ["10.0.0.0/8", "10.0.0.1/8"],
            "'10.0.0.1/8' is not a network; write it like '10.0.0.0/8' or '192.0.2.7'",
        ),
        (
            ["0.0.0.0/0"],
            "'0.0.0.0/0' is everybody, and so every caller could say who it is; name the networks of your proxies",
        ),
    ],
)
def test_networks_of_proxies_are_checked(given: Any, told: str) -> None:
    assert problem(Options, trusted_proxies=given) == f"mount_spec(trusted_proxies=): {told}"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("X-Tenant", "'X-Tenant' is not a list of header names; write ['X-Tenant']"),
        (None, "None is not a list of header names; write ['X-Tenant']"),
        (
            ["X-Tenant", "X Tenant"],
            "'X Tenant' is not a valid header name; write it like 'X-Tenant'",
        ),
        ([1], "1 is not a valid header name; write it like 'X-Tenant'"),
        (
            ["*"],
            "'*' would let pages send every header but Authorization; name each, such as 'X-Tenant'",
        ),
    ],
)
def test_headers_of_pages_are_checked(given: Any, told: str) -> None:
    assert problem(Options, cors_headers=given) == f"mount_spec(cors_headers=): {told}"


def test_headers_of_pages_are_kept_in_lower_case() -> None:
    assert Options(
        cors_origins=["https://app.example"], cors_headers=["X-Tenant"]
    ).cors_headers == ("x-tenant",)
    assert Options(mcp_origins=["https://app.example"], cors_headers=["X-Tenant"]).cors_headers == (
        "x-tenant",
    )


def test_headers_of_pages_that_may_not_call_are_refused() -> None:
    told = "no page may call yet; give cors_origins=['https://app.example'] too"

    assert problem(Options, cors_headers=["X-Tenant"]) == f"mount_spec(cors_headers=): {told}"


def test_sentences_are_a_table_of_those_that_there_are() -> None:
    assert problem(Options, sentences="de") == (
        "mount_spec(sentences=): 'de' is not a table of sentences; give one like contract.GERMAN"
    )
    for table in ({"mising": "Fehlt."}, {"missing": 1}):
        assert problem(Options, sentences=table) == (
            f"mount_spec(sentences=): {next(iter(table))!r} is not a sentence; "
            "contract.GERMAN has all that there are"
        )
    assert Options(sentences=GERMAN).sentences is GERMAN
