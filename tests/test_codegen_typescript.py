"""TypeScript: files of clients and of validators, as far as no compiler is needed to look at them (`tests.typescript` has two)."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import contract.codegen.typescript
from contract.codegen.package import package_of
from contract.codegen.typescript import typescript_client, typescript_validators
from contract.codegen.typescript.failures import COMMON
from contract.codegen.typescript.runtime import needed, private_names, public_names
from contract.codegen.typescript.scope import GLOBALS, NO_METHODS, RESERVED, scope_of
from contract.declare.failures import BUILTINS
from contract.document.describe import describe
from contract.document.model import ContractError, Deprecation
from contract.shape.exceptions import GenerationError
from contract.shape.nodes import IntShape, RefShape, StrShape
from examples.shop.app import api as shop
from tests import ledger, talks
from tests.codegen_documents import document, route
from tests.hostile_package import HOSTILE
from tests.paper import enum, failure, field, named, operation, package, record

SHOP = package_of(describe(shop))
HERE = Path(contract.codegen.typescript.__file__).parent
RUNTIME = {path.name: path.read_text() for path in sorted(HERE.glob("*.ts"))}


def part(text: str, begins: str, ends: str = "}") -> str:
    """A declaration, from the line that begins with *begins*."""
    lines = text.splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith(begins))
    last = next(at for at, line in enumerate(lines) if at >= first and line == ends)
    return "\n".join(lines[first : last + 1])


def test_a_file_says_where_it_comes_from_and_is_always_the_same() -> None:
    text = typescript_client(SHOP)

    assert text.startswith("/* eslint-disable */\n/**\n * Shop, version 1.0.0.\n *\n")
    assert f"SHA-256 {SHOP.digest}." in text
    assert text == typescript_client(package_of(describe(shop)))
    assert text.endswith("}\n")
    assert "\t" not in text
    assert not re.search(" $|\n\n\n", text, re.MULTILINE)


def test_no_line_is_longer_than_it_has_to_be() -> None:
    texts = [typescript_client(SHOP), typescript_validators(SHOP)]

    assert [line for text in texts for line in text.splitlines() if len(line) > 140] == []


def test_moments_are_dates_or_texts() -> None:
    assert "  placed_at: Date;" in typescript_client(SHOP)
    assert "$momentText" in typescript_client(SHOP, dates="string")
    assert ": Date" not in typescript_client(SHOP, dates="string").partition("// The runtime")[0]


def test_validators_are_those_of_the_exports() -> None:
    records = (record("A", field("b", named("B"))), record("B"), record("C"))
    text = typescript_validators(package(*records, exports={"A": named("A"), "n": IntShape()}))

    types = "{ readonly A: Validator<A>; readonly n: Validator<number> }"
    values = "{\n  A: $validator($A),\n  n: $validator($integer()),\n}"
    assert f"export const schemas: {types} = {values};" in text
    assert "export interface A {" in text
    assert "export type B = " in text
    assert "C" not in re.findall(r"(?:interface|type) (\w+)", text)
    assert "ApiClient" not in text
    assert "fetch" not in text


def test_nothing_but_what_is_used_stands_in_a_file() -> None:
    empty = typescript_validators(package())

    assert "export const schemas = {};" in empty
    declared = re.findall(r"(?m)^(?:export )?(?:function|const|class) ([$\w]+)", empty)
    assert set(declared) == {"schemas"}
    assert not re.search(r"\$decimal|JsonValue", typescript_client(package()))


def test_types_that_no_client_sends_or_gets_stand_in_no_file() -> None:
    """The body of a webhook that comes in is one of these: its sender signs it."""
    records = [record(name, field("id", IntShape())) for name in ("Payment", "Order")]
    paid = operation("paid", input=named("Payment"), signed=True)
    order = operation("order", input=named("Order"))
    text = typescript_client(package(*records, operations=[paid, order]))

    assert "interface Order {" in text
    assert "Payment" not in text


def test_a_route_is_a_method_and_a_function() -> None:
    codes = ["GONE", "HALF", "LOST"]
    more: dict[str, Any] = {"effect": "write", "auth": "bearer", "description": "More of it."}
    ends = Deprecation("2026-01-01", "2027-01-01", "do.it")
    found = package(
        record("In", field("id", StrShape())),
        record("Maybe", field("id", StrShape(), required=False)),
        operations=[
            operation("do.it", named("In"), StrShape(), codes, **more),
            operation("all", named("Maybe"), summary="All of them?"),
            operation("none", effect="idempotent", deprecated=ends),
            operation("old", IntShape(), deprecated=Deprecation(use="private")),
        ],
        failures=[
            failure("GONE", 410, "It is gone.", "In"),
            failure("HALF", 410, "Half of it.", "Maybe", required=False),
            failure("LOST", 410, "It is lost."),
        ],
    )
    text = typescript_client(found)

    type_ = 'CallPromise<string, "GONE" | "HALF" | "LOST">'
    assert part(text, "  do_it(", "  }").splitlines() == [
        f"  do_it(input: In, options?: CallOptions): {type_} {{",
        "    return do_it(this, input, options);",
        "  }",
    ]
    assert "   * Call it.\n   *\n   * More of it.\n   *\n   * Needs a client with token.\n" in text
    assert "/** All of them? */\n" in text
    assert part(text, "export function do_it").splitlines() == [
        "export function do_it(",
        "  client: AnyClient,",
        "  input: In,",
        "  options?: CallOptions,",
        f"): {type_} {{",
        "  const route: $Route = {",
        '    name: "do.it",',
        "    input: $In,",
        "    output: $string(),",
        "    failures: { GONE: $In, HALF: $optional($Maybe), LOST: $optional($nothing) },",
        "  };",
        "  return $call(client, route, input, options);",
        "}",
    ]
    assert "  all(input?: Maybe, options?: CallOptions): CallPromise<null> {" in text
    body = part(text, "export function all")
    assert "  return $call(client, route, input ?? {}, options);" in body
    first = part(text, "export function none").splitlines()[1]
    assert first == '  const route: $Route = { name: "none", repeatable: true, output: $null };'
    told = "Since 2026-01-01. It will be removed on 2027-01-01. Call do_it instead."
    assert f" * @deprecated {told}\n" in text
    assert " * @deprecated\n" in text
    assert "  GONE: In;\n  /** 410: Half of it. */\n  HALF: Maybe | undefined;\n" in text
    assert "  /** 410: It is lost. */\n  LOST: undefined;\n" in text


def test_methods_say_what_they_ask_of_a_caller() -> None:
    routes = [operation("free", auth="none"), operation("home", auth="optional")]
    routes.append(operation("refund", auth="bearer", requires=("a*/b", "c")))
    text = typescript_client(package(operations=routes))

    assert "May be called without a credential; a client with token sends it." in text
    assert r"Needs a client with token, and the scopes a*\/b c." in text
    assert text.count("a client with token") == 2


def test_the_meaning_and_the_data_of_a_builtin_are_those_of_the_document() -> None:
    pausing = record("Pause", field("seconds", IntShape(), required=False))
    known = package(pausing, operations=[operation("wait")])
    pause = RefShape(known.definitions["Pause"])
    builtins = [
        failure("PAYLOAD_TOO_LARGE", 413, "It is large."),
        replace(failure("TOO_MANY_REQUESTS", 429, "Wait."), data=pause),
        failure("NOT_FOUND", 404, "Not there."),
    ]
    text = typescript_client(replace(known, builtins={each.code: each for each in builtins}))

    assert "  /** 413: It is large. Its limit, if it said so. */\n  PAYLOAD_TOO_LARGE:" in text
    assert "{\n  BAD_REQUEST: {" in text  # of this the document says nothing
    assert "  /** 429: Wait. */\n  TOO_MANY_REQUESTS: Pause | undefined;\n" in text
    assert "  TOO_MANY_REQUESTS: $optional($Pause),\n" in text
    assert "  NOT_FOUND: undefined;\n" in text
    assert "  NOT_FOUND: $optional($nothing),\n" in text

    nobody_calls = typescript_client(replace(known, operations={}))

    assert "  NOT_FOUND: undefined;\n" in nobody_calls
    assert "$CODES" not in nobody_calls


@pytest.mark.parametrize("code", COMMON)
def test_of_common_codes_routes_declare_the_builtins_alone(code: str) -> None:
    declaring = document(route(errors={code: ContractError(499, "Mine.")}))

    if code in {cls.error_code for cls in BUILTINS}:
        assert f'CallPromise<null, "{code}">' in typescript_client(package_of(declaring))
    else:
        told = re.escape(f"$.routes.do.errors.{code}: this is a code of the framework")
        with pytest.raises(GenerationError, match=told):
            package_of(declaring)


def test_names_that_mean_something_are_not_given() -> None:
    names = ["Date", "Ok", "string", "ApiClient", "Run", "text", "Mine"]
    operations = map(operation, ("fetch", "then", "input", "mine", "get.it"))
    found = package(*map(record, names), operations=operations)

    scope = scope_of(found, "Date")

    assert " ".join(scope.types[name] for name in names) == (
        "Date_ Ok_ string_ ApiClient_ Run text Mine"
    )
    assert [scope.checks[name] for name in ("Run", "text", "Mine")] == ["$Run_", "$text_", "$Mine"]
    methods = {each: each for each in ("fetch", "input", "mine")}
    assert scope.methods == methods | {"then": "then_", "get.it": "get_it"}
    assert scope.functions == {**scope.methods, "fetch": "fetch_", "input": "input_"}


def test_what_a_file_may_export_some_day_is_not_given_either() -> None:
    """Or a type would get another name with the first event, stream or file, and two would meet in a file before that."""
    types = ["Items", "Events", "Received", "Webhook", "Upload", "Download", "StreamOptions"]
    scope = scope_of(
        package(*map(record, types), operations=map(operation, ("pages", "events"))), "Date"
    )

    assert [scope.types[name] for name in types] == [f"{name}_" for name in types]
    assert scope.functions == {"pages": "pages_", "events": "events_"}


def test_a_route_that_is_called_as_an_export_has_its_validators_beside() -> None:
    exports = {"order": IntShape(), "other": IntShape()}
    found = package(exports=exports, operations=map(operation, ("order", "more")))

    assert scope_of(found, "Date").schemas == {"order": "order_", "more": "more"}
    assert "  order_: { output: $validator($null) },\n" in typescript_client(found)


def test_an_exported_type_has_the_name_of_its_export_as_well() -> None:
    aliases = {"Filter": "In", "FilterInput": "InInput", "Sort": "Kind", "sort": "Kind"}
    exports = aliases | {"In": "In", "InInput": "In", "Date": "In"}
    found = package(
        record("In"),
        record("InInput"),
        enum("Kind", ("A", "a")),
        exports={name: named(of) for name, of in exports.items()},
        operations=[operation("sort")],
    )

    for text in (typescript_client(found), typescript_validators(found)):
        others = dict(re.findall(r"(?m)^export type (\w+) = (\w+);$", text))
        assert others == aliases | {"Date_": "In"}
        assert "export const Sort: typeof Kind = Kind;" in text
        both = "Filter: Validator<In>;\n  readonly FilterInput: Validator<InInput>;\n"
        assert f"  readonly {both}" in text
    assert "export function sort_(" in typescript_client(found)


def test_a_hostile_package_is_written() -> None:
    text = typescript_client(HOSTILE)

    assert not [char for char in text if char != "\n" and not char.isprintable()]
    assert "*/ //" not in text
    assert not re.search(r"(?m)^\s*(?:\*|//).*@ts-", text)


# The runtime.


def test_a_global_is_reserved_because_it_is_used() -> None:
    """That all that are used are reserved, the compilers say of a document with every name that there is (`tests.typescript`)."""
    runtime = "\n".join(RUNTIME.values())
    unused = {name for name in GLOBALS if not re.search(rf"\b{name}\b", runtime)}

    assert unused == {"Boolean", "Function", "NaN", "exports"}
    assert GLOBALS < RESERVED


def test_a_piece_of_the_runtime_brings_what_it_needs() -> None:
    found = needed("$decimal()", client=False)

    assert found["client"] == ""
    assert "function $decimalUnits(" in found["texts"]
    assert "function $decimalParts(" in found["texts"]
    assert "$duration" not in found["texts"]
    assert "function $fail(" in found["checks"]
    assert "class CallFailed " in needed("", client=True)["client"]


def test_what_stands_in_texts_and_comments_is_no_use_of_the_runtime() -> None:
    code = """
        "// not a comment"; $any; '/*'; $date();
        /* $decimal */ // $duration
        "\\"$bytes"; $uuid()
    """
    found = "\n".join(needed(code, client=False).values())
    names = r"(?m)^function [$](any|date|uuid|decimal|duration|bytes)\b"

    assert re.findall(names, found) == ["any", "uuid", "date"]


def test_names_of_the_runtime() -> None:
    assert {"CallPromise", "Validator", "createClient"} <= public_names()
    assert {"record", "text", "CODES", "Run"} <= private_names()
    assert not any(name.startswith("$") for name in public_names() | private_names())
    assert "then" in NO_METHODS


def test_a_file_without_streams_has_nothing_of_them() -> None:
    of_streams = package_of(describe(talks.api))
    with_them = typescript_client(of_streams)
    assert "export interface Items<" in with_them
    assert "export interface StreamOptions " in with_them
    without = typescript_client(package_of(describe(ledger.api)))
    for text in (without, typescript_validators(of_streams)):
        assert not re.search(r"\$stream|StreamOptions|interface Items<|jsonl", text)
