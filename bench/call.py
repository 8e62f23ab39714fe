"""
One call in-process, against tuned raw Falcon, raw Falcon and FastAPI: ``python -m bench.call``.

CPU time, contenders interleaved, the best of several rounds; everything of ours is on, as a user gets it.
"""

from __future__ import annotations

import asyncio
import io
import logging
import time
from collections.abc import Callable
from typing import Any

import falcon
import falcon.asgi
import orjson
from fastapi import FastAPI

from bench import work
from contract import mount_spec
from contract.adapters.asgi import AsgiApp
from contract.adapters.wsgi import WsgiApp
from contract.service import Options, Service

BODIES = {"small": work.SMALL_BODY, "fresh": work.FRESH_BODY}
ROUNDS = 25


def environ(name: str, body: bytes) -> dict[str, Any]:
    return {
        "REQUEST_METHOD": "POST", "PATH_INFO": f"/v1/{name}", "SCRIPT_NAME": "", "QUERY_STRING": "", "SERVER_NAME": "x",
        "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1", "REMOTE_ADDR": "127.0.0.1", "wsgi.input": io.BytesIO(body),
        "wsgi.errors": None, "wsgi.url_scheme": "http", "CONTENT_LENGTH": str(len(body)), "CONTENT_TYPE": "application/json",
        "HTTP_HOST": "x", "HTTP_ACCEPT": "*/*", "HTTP_USER_AGENT": "bench",
    }  # fmt: skip


def scope(name: str, body: bytes) -> dict[str, Any]:
    headers = [
        (b"host", b"x"),
        (b"accept", b"*/*"),
        (b"user-agent", b"bench"),
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
    ]
    return {
        "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": f"/v1/{name}", "raw_path": f"/v1/{name}".encode(), "query_string": b"", "root_path": "", "headers": headers,
        "client": ("127.0.0.1", 1), "server": ("x", 80), "state": {},
    }  # fmt: skip


def plain_small(data: Any) -> Any:
    return {"id": data["id"], "name": "n", "price": 3}


def plain_fresh(data: Any) -> Any:
    return work.Found(work.make_items(data["page"]), 50)


class TunedRouter:
    def __init__(self) -> None:
        self.routes: dict[str, Any] = {}

    def add_route(self, template: str, resource: object, **_: Any) -> None:
        methods = falcon.routing.map_http_methods(resource)
        self.routes[template] = (resource, methods, {}, template)

    def find(self, uri: str, req: Any = None) -> Any:
        return self.routes.get(uri)


def raw_falcon(*, tuned: bool, is_async: bool) -> Any:
    router: dict[str, Any] = {"router": TunedRouter()} if tuned else {}
    app: Any = falcon.asgi.App(**router) if is_async else falcon.App(**router)

    def resource(resolver: Callable[[Any], Any]) -> Any:
        class Sync:
            def on_post(self, req: Any, resp: Any) -> None:
                body = req.env["wsgi.input"].read(int(req.env["CONTENT_LENGTH"])) if tuned else req.bounded_stream.read()
                resp.content_type = "application/json"
                resp.data = orjson.dumps(resolver(orjson.loads(body)))

        class Async:
            async def on_post(self, req: Any, resp: Any) -> None:
                body = await req.stream.read()
                resp.content_type = "application/json"
                resp.data = orjson.dumps(resolver(orjson.loads(body)))

        return Async() if is_async else Sync()

    app.add_route("/v1/small", resource(plain_small))
    app.add_route("/v1/fresh", resource(plain_fresh))
    return app


def fastapi_app() -> Any:
    app = FastAPI()

    @app.post("/v1/small")
    async def small(input: work.SmallIn) -> work.SmallOut:
        return work.SmallOut(input.id, "n", 3)

    @app.post("/v1/fresh")
    async def fresh(input: work.Filter) -> work.Found:
        return work.Found(work.make_items(input.page), 50)

    return app


def mounted(app: Any, **options: Any) -> Any:
    return mount_spec(app, work.api(), prefix="/v1", **options)


def sync_contenders() -> dict[str, Any]:
    return {
        "tuned raw falcon": raw_falcon(tuned=True, is_async=False),
        "raw falcon": raw_falcon(tuned=False, is_async=False),
        "contract on falcon": mounted(falcon.App()).app,
        "contract, Mount.wsgi": mounted(falcon.App()).wsgi,
        "contract, bare wsgi": WsgiApp(Service(work.api(), Options(prefix="/v1"))),
    }


def async_contenders() -> dict[str, Any]:
    return {
        "tuned raw falcon": raw_falcon(tuned=True, is_async=True),
        "raw falcon": raw_falcon(tuned=False, is_async=True),
        "contract on falcon": mounted(falcon.asgi.App()).app,
        "contract, Mount.asgi": mounted(falcon.asgi.App()).asgi,
        "contract, bare asgi": AsgiApp(Service(work.api(), Options(prefix="/v1"))),
        "fastapi": fastapi_app(),
    }


def time_sync(app: Any, name: str, count: int) -> float:
    environs = [environ(name, BODIES[name]) for _ in range(count)]
    seen: list[str] = []
    app(environ(name, BODIES[name]), lambda status, *_: seen.append(status))
    if seen != ["200 OK"]:
        raise RuntimeError(seen)

    def start_response(*_: Any) -> None:
        pass

    begin = time.process_time()
    for each in environs:
        app(each, start_response)
    return (time.process_time() - begin) / count


async def time_async(app: Any, name: str, count: int) -> float:
    body = BODIES[name]
    scopes = [scope(name, body) for _ in range(count + 1)]
    event = {"type": "http.request", "body": body, "more_body": False}

    async def receive() -> Any:
        return event

    sent: list[Any] = []

    async def first(message: Any) -> None:
        sent.append(message)

    async def send(message: Any) -> None:
        pass

    await app(scopes.pop(), receive, first)
    if sent[0]["status"] != 200:
        raise RuntimeError(sent)
    begin = time.process_time()
    for each in scopes:
        await app(each, receive, send)
    return (time.process_time() - begin) / count


def table(title: str, best: dict[str, float]) -> None:
    base = best["tuned raw falcon"]
    print(f"\n{title}")
    for name, seconds in best.items():
        print(f"  {name:<24}{seconds * 1e6:8.2f} us   {seconds / base:5.2f} x tuned raw   {seconds / best['raw falcon']:5.2f} x raw")


def main() -> None:
    logging.getLogger("contract").setLevel(logging.ERROR)
    loop = asyncio.new_event_loop()
    for name, count in (("small", 1000), ("fresh", 100)):
        for title, contenders in (("WSGI", sync_contenders()), ("ASGI", async_contenders())):
            best = dict.fromkeys(contenders, 1e9)
            for _ in range(ROUNDS):
                for contender, app in contenders.items():
                    work_done = time_sync(app, name, count) if title == "WSGI" else loop.run_until_complete(time_async(app, name, count))
                    best[contender] = min(best[contender], work_done)
            table(f"{title}, {name.upper()}", best)
    loop.close()


if __name__ == "__main__":
    main()
