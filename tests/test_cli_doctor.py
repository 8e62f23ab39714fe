"""``contract doctor``: each thing that is not as it should be, and what is."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from contract.cli import doctor, requirements
from tests.cli_apps import PAYMENTS
from tests.cli_inside import having, run
from tests.tables import rows

PROJECT = '[project]\nrequires-python = ">=3.11"\ndependencies = ["orjson>=3"]\n'
SHOP = """
from contract import Meta, route, routes, spec

@route(summary="Greet", tags=["shop"], auth="none")
def greet(input: None, ctx: None) -> str:
    return "hello"

api = spec(routes=routes(greet), meta=Meta(title="Shop"))
"""
JOURNAL = """
from contract import Cursor, Slice, route, routes, spec

@route(summary="List", tags=["journal"], auth="none", effect="read")
def days(input: Cursor[None, int], ctx: None) -> Slice[str, int]:
    return Slice([], next=None)

api = spec(routes=routes(days))
"""
ROBOTS = """
import falcon
from contract import Request, cookie, mount_spec, route, routes, spec

def user_of(sid: str, request: Request) -> str | None:
    return "ada"

@route(summary="Greet", tags=["robots"])
def greet(input: None, ctx: str) -> str:
    return "hello"

@route(summary="Look", tags=["robots"], auth="none")
def look(input: None, ctx: None) -> str:
    return "hello"

api = spec(authenticate=cookie(user_of, name="__Host-sid"), routes=routes(greet, look))
app = falcon.App()
"""
MOUNTED = f"{ROBOTS}mount = mount_spec(app, api"
KEPT = (
    PAYMENTS.replace("import Signed", "import Signed, resource")
    .replace('os.environ["PAYING"]', "settings()")
    .replace("@route", '@resource\ndef settings():\n    yield os.environ["PAYING"]\n\n@route')
    .replace("(paid)", "(paid), resources=[settings]")
)
PHOTOS = """
from dataclasses import dataclass
from contract import Upload, route, routes, spec

@dataclass
class Photo:
    image: Upload

@route(summary="Add", tags=["photos"], auth="none")
def add(input: Photo, ctx: None) -> None: ...

api = spec(routes=routes(add))
"""
ATTACHED = (
    "from contract.client import Attachment, Ok\nfrom contract.client import (\n    Form,\n)\n"
)
CLIENT = "from contract.client import (\n    UNSET,\n    AsyncApiClientBase,\n)\n"
ELSEWHERE = "mount_spec(app, api, prefix='/b', public_url='https://r.example')\n"
SECRETS = f"{JOURNAL}import falcon\nfrom contract import mount_spec\n"
SERVED = "web: contract serve shop:api"
LONG = "s" * 32
KEY = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

ASKS_99 = PROJECT.replace("orjson>=3", "orjson>=99", 1)
GROUPS = (
    '[project]\ndependencies = ["contract-rpc[serve]", "x; python_version < \'3\'"]\n'
    '[dependency-groups]\ndev = ["no-such-package", {include-group = "other"}]\n'
)
EXTRAS = {
    "Dockerfile": 'CMD ["contract", "serve", "shop:api"]',
    "people.py": "from contract.adapters.jwt import JwtVerifier\n",
    "tests/test_shop.py": "from contract.testing import check_route\n",
    ".venv/x.py": "from contract.client import Ok\n",
    "env/pyvenv.cfg": "",
    "env/x.py": "from contract.client import Ok\n",
}
KEEPING = f"{SECRETS}app = falcon.App()\nmount = mount_spec(app, api, secrets=['{LONG}'])\n"
WITH_URL = "web: contract serve r:api --public-url https://r.example"
BOTH_MOUNTS = f"{ROBOTS}mount_spec(app, api, prefix='/a')\n{ELSEWHERE}"

TWO_MISSING, THREE_EXTRAS = (
    "packages_missing! packages_missing",
    "extra_missing! extra_missing! extra_missing",
)
MULTIPART, DEV = "python-multipart", "CMD contract dev shop.py"
OPTIONAL = 'optional-dependencies.web = ["contract-rpc[dev]"]'
NO_URL = "cookies_without_public_url!"

FILES = requirements.Requirement("python-multipart", (), "", None)


def asked_by(name: str, extra: str | None = None) -> Iterator[requirements.Requirement]:
    """As it is installed, which may have been before this extra was added."""
    return iter([FILES]) if extra == "files" else requirements.asked_by(name, extra)


def case(found: str, files: dict[str, str], named: str = "", **around: str) -> tuple[Any, ...]:
    """What is found in a project of these files, with what is *named*; what has to be mended has a "!"."""
    return found, files, named, around


NO_EXTRA = "extra_missing!"
ROWS = (
    case("no_pyproject no_spec", {}),
    case("wrong_pyproject! no_spec", {"pyproject.toml": "["}),
    case("no_spec wrong_python!", {"pyproject.toml": PROJECT}, python="3.10.1"),
    case("no_spec untested_python", {"pyproject.toml": PROJECT}, python="3.14.0"),
    case("no_spec package_wrong!", {"pyproject.toml": ASKS_99}),
    case(f"no_spec {TWO_MISSING}", {"pyproject.toml": GROUPS}, absent="httptools"),
    case(f"no_pyproject no_spec {THREE_EXTRAS}", EXTRAS, absent="httptools pyjwt hypothesis"),
    *(
        case(f"no_pyproject no_spec {found}", files, absent="httpx2")
        for files, found in (
            ({"tests/test_shop.py": ATTACHED}, ""),
            ({"shop.py": f"from contract.client import Attachment\n{CLIENT}"}, NO_EXTRA),
            ({"tests/client.py": CLIENT}, "extra_missing"),
            ({"shop.py": CLIENT, "tests/client.py": CLIENT}, NO_EXTRA),
            ({"shop.py": "from contract.client import Ok, HttpxTransport\n"}, NO_EXTRA),
        )
    ),
    case("no_pyproject no_document", {"p.py": PHOTOS}, "p:api"),
    case(f"no_pyproject {NO_EXTRA} no_document", {"p.py": PHOTOS}, "p:api", absent=MULTIPART),
    *(
        case(f"no_spec {found}", {"pyproject.toml": f"[project]\n{asked}\n", "Procfile": SERVED})
        for asked, found in (
            ('dependencies = ["contract-rpc"]', "extra_unasked!"),
            ('dependencies = ["contract-rpc", "hypothesis"]', "extra_unasked!"),
            ('dependencies = ["Contract_RPC[jwt, serve]>=0.1"]', ""),
            ('dependencies = ["contract-rpc[all]"]', ""),
            ('dependencies = ["contract-rpc", "UVicorn"]', "extra_unasked!"),
            ('dependencies = ["contract-rpc", "HTTPtools", "UVicorn", "uvloop"]', ""),
            ('dependencies = ["orjson"]', ""),
            (f'dependencies = ["contract-rpc"]\n{OPTIONAL}', ""),
        )
    ),
    case("no_pyproject no_document", {"shop.py": SHOP}),
    case("no_pyproject spec_does_not_load!", {"shop.py": "import nowhere"}, "shop:api"),
    case("no_pyproject document_stale!", {"shop.py": SHOP, "contract.json": "{"}),
    case("no_pyproject document_stale!", {"shop.py": SHOP, "contract.json": "{}"}),
    case("no_pyproject no_document dev_in_production!", {"shop.py": SHOP, "Dockerfile": DEV}),
    case("no_pyproject no_document secrets_unset!", {"j.py": JOURNAL}),
    case("no_pyproject no_document secrets_short!", {"j.py": JOURNAL}, secrets=f"{LONG},short"),
    case("no_pyproject no_document", {"j.py": JOURNAL}, secrets=LONG),
    case("no_pyproject no_document", {"j.py": KEEPING}, "j:mount"),
    case(f"no_pyproject no_document {NO_URL}", {"r.py": ROBOTS}, "r:api"),
    case("no_pyproject no_document", {"r.py": ROBOTS, "Procfile": WITH_URL}, "r:api"),
    case(f"no_pyproject no_document {NO_URL}", {"r.py": f"{MOUNTED})\n"}, "r:mount"),
    case(f"no_pyproject {NO_URL}", {"r.py": BOTH_MOUNTS}, "r:app"),
    case("no_pyproject no_document webhook_without_secret!", {"p.py": PAYMENTS}, "p:api"),
    case(
        "no_pyproject no_document webhook_without_secret!", {"p.py": PAYMENTS}, "p:api", paying=" "
    ),
    case("no_pyproject no_document", {"p.py": PAYMENTS}, "p:api", paying=KEY),
    case("no_pyproject no_document webhook_secret_unknown", {"p.py": KEPT}, "p:api"),
)


def examined(
    folder: Path, *arguments: str, patch: pytest.MonkeyPatch, around: Mapping[str, str] = {}
) -> tuple[int, list[str], list[dict[str, Any]]]:
    absent = around.get("absent", "").split()
    patch.setattr(platform, "python_version", lambda: around.get("python", "3.11.7"))
    patch.setattr(
        doctor, "installed", lambda name: None if name in absent else requirements.installed(name)
    )
    patch.setattr(doctor, "asked_by", asked_by)
    for variable, key in (("CONTRACT_SECRETS", "secrets"), ("PAYING", "paying")):
        patch.delenv(variable, raising=False)
        if key in around:
            patch.setenv(variable, around[key])
    done = run("doctor --json", *arguments, cwd=folder)
    found = json.loads(done.stdout)
    return done.returncode, found["ok"], found["findings"]


@rows("kinds, files, named, around", *ROWS)
def test_each_finding_says_what_why_and_what_mends_it(
    kinds: str, files: Any, named: str, around: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    code, _, findings = examined(tmp_path, *named.split(), patch=monkeypatch, around=around)

    assert [f"{each['kind']}{'!' * each['must']}" for each in findings] == kinds.split()
    assert all(each["what"] and each["why"] and each["fix"] for each in findings)
    assert code == any(each["must"] for each in findings)


def test_a_project_is_told_to_ask_for_the_extras_that_it_uses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\ndependencies = ["contract-rpc[serve]"]')
    (tmp_path / "people.py").write_text("from contract.adapters.jwt import JwtVerifier\n")
    (tmp_path / "test_p.py").write_text("from contract.testing import check_route\n")
    (tmp_path / "shop_client.py").write_text(CLIENT)
    (tmp_path / "p.py").write_text(PHOTOS)
    _, _, findings = examined(tmp_path, "p:api", patch=monkeypatch)

    assert findings[0] == {
        "kind": "extra_unasked",
        "must": True,
        "what": "pyproject.toml does not ask for what these extras bring: jwt, files",
        "why": "people.py takes JWTs; add takes files, and cannot be served without it",
        "fix": "write contract-rpc[files,jwt,serve] among its dependencies",
    }


def test_generated_clients_are_told_from_stale_ones_and_from_those_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    run("emit shop.py --docs-path /help -o contract.json", cwd=having(tmp_path, SHOP))
    for source, names in (("shop.py", ("a.py", "a.ts")), ("contract.json", ("b.py", "b.ts"))):
        run("generate", source, *(f"-o{name}" for name in names), cwd=tmp_path)
    (tmp_path / "market.py").write_text(SHOP.replace("Shop", "Market"))
    run("generate market.py -o other.py", cwd=tmp_path)
    (tmp_path / "market.py").unlink()
    _, fine, findings = examined(tmp_path, "shop:api", patch=monkeypatch)

    assert findings == []
    made = {f"{name} is of this contract" for name in ("a.ts", "b.py")}
    expected = {"contract.json is up to date", *made}
    assert expected <= {*fine}
    assert not [sentence for sentence in fine if "other.py" in sentence]

    (tmp_path / "shop.py").write_text(SHOP.replace("-> str", "-> str | None"))
    code, _, findings = examined(tmp_path, "shop:api", patch=monkeypatch)

    assert code == 1
    assert [each["fix"] for each in findings] == [
        "contract emit shop:api -o contract.json",
        *(f"contract generate shop:api -o {name}" for name in ("a.py", "a.ts", "b.py", "b.ts")),
    ]


def test_people_read_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "python_version", lambda: "3.11.7")
    done = run("doctor shop:api", cwd=having(tmp_path, "import nowhere\n"))
    said = done.err.splitlines()

    assert (done.returncode, done.stdout, said[0]) == (1, b"", "ok   Python 3.11.7 will do")
    assert said[(first := said.index("must shop:api does not load")) + 1 : first + 7] == [
        "     why: shop:api cannot be imported",
        "          ",
        '            File "' + str(tmp_path / "shop.py") + '", line 1, in <module>',
        "              import nowhere",
        "          ModuleNotFoundError: No module named 'nowhere'",
        "     fix it: fix it, and come back",
    ]
    assert said[-1] == "contract: 1 to fix, 1 to think about"
