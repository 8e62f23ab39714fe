"""How a message shows what somebody else wrote, and that any wrong value is refused, shown so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from contract import Failure, Limits, Meta, Theme, define_errors, route, routes, spec
from contract.call.mount_options import Options
from contract.declare.route_options import Deprecated, McpTool
from contract.shape.exceptions import DeclarationError
from contract.shape.quoting import cut, described, one_line, sent_back, shown
from tests.tables import rows
from tests.words import words


class Broken:
    """Its own code raises when it is printed."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")


class Wordy:
    def __repr__(self) -> str:
        return "w" * 10_000


def declared(**options: Any) -> None:
    options = {"summary": "Ping", "tags": ["shop"], "auth": "none", **options}

    def ping(input: None, ctx: None) -> None: ...

    route(**options)(ping)


def option(of: Callable[..., object], name: str) -> Callable[[Any], object]:
    return lambda value: of(**{name: value})


OPTIONS: dict[str, Callable[..., object]] = {"route": declared, "Options": Options}
NAMES = {
    "route": words("summary tags auth scope mcp name errors inline deprecated effect"),
    "Options": words("""
prefix docs_path docs visibility max_body_bytes on_call cors_origins mcp_challenge public_url
"""),
}
DECLARATIONS: dict[str, Callable[[Any], object]] = {
    **{
        f"{of}({name}=)": option(OPTIONS[of], name) for of, names in NAMES.items() for name in names
    },
    "tags=[]": lambda value: declared(tags=[value]),
    "McpTool": lambda value: declared(mcp=McpTool(title=value)),
    "Deprecated": lambda value: declared(deprecated=Deprecated(since=value)),
    "routes": routes,
    "spec(routes=)": lambda value: spec(routes=value),
    "spec(meta=)": lambda value: spec(routes=[], meta=value),
    "spec(rename=)": lambda value: spec(routes=[], rename=value),
    "spec(exports=)": lambda value: spec(routes=[], exports=value),
    "Meta": lambda value: Meta(title=value),
    "Theme": lambda value: Theme(accent=value),
    "status": lambda value: type("Odd", (Failure,), {}, status=value),
    "code": lambda value: type("Odd", (Failure,), {}, code=value),
    "define_errors": define_errors,
    "Limits": lambda value: Limits(threads=value),
}


@pytest.mark.parametrize(
    "value", [-(10**5000), Broken(), Wordy(), "x\n" * 5000], ids=lambda value: type(value).__name__
)
@pytest.mark.parametrize("declare", DECLARATIONS.values(), ids=DECLARATIONS)
def test_a_wrong_value_is_refused_in_short_whatever_it_is(
    declare: Callable[[Any], object], value: Any
) -> None:
    with pytest.raises(DeclarationError) as refused:
        declare(value)

    assert len(str(refused.value)) < 600


def test_texts_are_cut_short() -> None:
    assert (cut("abc", 3), cut("abcd", 3)) == ("abc", "abc...")
    assert one_line("a\nb\x1b" + "c" * 10, 5) == "a\\nb\\x1bc"
    assert one_line("aé", 5) == "aé"


def test_a_value_is_shown_or_described() -> None:
    assert shown(Broken()) == "a value of Broken that cannot be printed"
    assert shown("a" * 200) == "'" + "a" * 119 + "..."
    values: tuple[object, ...] = (None, 1, "a", int, [], OSError())
    shown_as = ["None", "1", "'a'", "the class int", "a list", "an OSError"]
    assert [described(value) for value in values] == shown_as


@rows(
    "text, told",
    *(("order", "order"), ("", ""), ("x" * 100, "x" * 64), ("\ud800a", "?a")),
    ("é\U0001f600\n", "é\U0001f600\n"),
)
def test_a_path_is_shortened_to_what_json_can_carry(text: str, told: str) -> None:
    assert sent_back(text, 64) == told


def test_what_has_no_text_of_its_own_is_shown_by_its_name() -> None:
    class Plain: ...

    assert shown(Plain()) == f"{Plain.__qualname__}(...)"
    assert shown(Plain) == Plain.__qualname__
    assert shown(test_texts_are_cut_short) == "test_texts_are_cut_short"
