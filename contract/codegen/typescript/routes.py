"""Routes: the client, as a class and as functions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from contract.codegen.package import Namespace, Operation, option_of
from contract.codegen.texts import Names, Style
from contract.codegen.typescript.checks import Checks
from contract.codegen.typescript.declarations import comment, type_node, type_of
from contract.codegen.typescript.failures import failure_check
from contract.codegen.typescript.layout import (
    Group,
    Node,
    call,
    entry,
    key_of,
    laid_out,
    members,
    one_of,
    quoted,
)
from contract.codegen.typescript.scope import Scope
from contract.document.model import ways_into
from contract.shape.graph import takes_nothing
from contract.shape.names import camel
from contract.shape.nodes import Shape

__all__ = [
    "PAGES",
    "client_class",
    "credential_type",
    "group_class",
    "route_function",
    "events_object",
    "schemas_object",
]

_REPEATABLE: Final = ("read", "idempotent")


def client_class(scope: Scope) -> str:
    """The class with a method for each route."""
    package = scope.package
    info = package.document.info
    taken = _options(scope)
    made = _made(scope)
    lines = [
        comment(
            [
                f"{info.title}, version {info.version}.",
                *([info.description] if info.description else []),
            ]
        )
        + "export class ApiClient implements AnyClient {",
        '  readonly $settings: AnyClient["$settings"];',
        "",
        "  /** @throws TypeError - The base URL is none that routes can be below of. */",
        f"  constructor(options: {taken} | AnyClient) {{",
        f'    this.$settings = ("$settings" in options ? options : {made}).$settings;',
        "  }",
        "",
        "  /** The same client with other options; headers are added to those that it has. */",
        "  withOptions(options: Partial<ClientOptions>): ApiClient {",
        "    return new ApiClient($with(this, options));",
        "  }",
    ]
    return "\n".join([*lines, *_members(package.root, scope), "}"])


def credential_type(scope: Scope) -> list[str]:
    """The type of the credentials that a client may have, one at a time, and their places."""
    ways = scope.package.ways
    if not ways:
        return []
    names = _option_names(ways)
    kinds = {"bearer": "HeaderValue", "header": "HeaderValue", "cookie": "boolean"}
    told = {
        "bearer": "A bearer token.",
        "header": "The key in the header {}.",
        "cookie": "Whether the browser sends the cookie {}.",
    }
    each = [
        [
            f"/** {told[place].format(way)} */",
            f"readonly {names[way]}?: {kinds[place]} | undefined;",
            *(f"readonly {names[other]}?: undefined;" for other in ways if other != way),
        ]
        for way, place in ways.items()
    ]
    union = "\n".join(
        "\n".join(["  | {", *(f"      {member}" for member in members_), "    }"])
        for members_ in each
    )
    if len(each) == 1:
        union = "\n".join(["  {", *(f"    {member}" for member in each[0]), "  }"])
    places = [
        f"  {key_of(names[way])}: [{quoted(place)}, "
        f"{quoted('authorization' if place == 'bearer' else way)}],"
        for way, place in ways.items()
    ]
    return [
        (
            "/** How a client says who calls: by one of these, or by none. */\n"
            f"type $Credential =\n{union};"
        ),
        "\n".join(["const $WAYS: $Ways = {", *places, "};"]),
    ]


def _option_names(ways: Iterable[str]) -> dict[str, str]:
    """Way -> the name of its option."""
    names = Names(Style(reserved=_OPTIONS, stem="credential"))
    return {way: names.take(camel(option_of(way))) for way in ways}


def _options(scope: Scope) -> str:
    return "(ClientOptions & $Credential)" if scope.package.ways else "ClientOptions"


def _made(scope: Scope) -> str:
    return "$credited(options, $WAYS)" if scope.package.ways else "createClient(options)"


_OPTIONS: Final = frozenset(
    {"baseUrl", "fetch", "headers", "hooks", "maxResponseBytes", "retries", "signal", "sleep"}
    | {"timeout", "$settings"}
)
"""The options that every client has."""


def group_class(of: Namespace, scope: Scope) -> str:
    """The class of a group, with a method for each of its routes."""
    lines = [
        comment([f"The routes of the group {of.group}."])
        + f"class {scope.classes[f'{of.group}']} implements AnyClient {{",
        '  readonly $settings: AnyClient["$settings"];',
        "",
        "  constructor(client: AnyClient) {",
        "    this.$settings = client.$settings;",
        "  }",
    ]
    return "\n".join([*lines, *_members(of, scope), "}"])


def _members(of: Namespace, scope: Scope) -> list[str]:
    """The properties for the groups in *of*, and the methods for its routes."""
    lines: list[str] = []
    for each in of.groups.values():
        group = f"{each.group}"
        made = scope.classes[group]
        lines += [
            "",
            f"  /** The routes of the group {group}. */",
            f"  get {scope.groups[group]}(): {made} {{",
            f"    return new {made}(this);",
            "  }",
        ]
    for name in of.routes.values():
        operation = scope.package.operations[name]
        given = ["input"] if operation.input is not None or operation.files else []
        if operation.pages:
            lines += ["", *_paged_method(name, operation, scope)]
            continue
        head = _signature(scope.methods[name], operation, scope, indent=1)
        lines += [
            "",
            f"{_about(operation, scope)}{head} {{",
            f"    return {scope.functions[name]}({', '.join(['this', *given, 'options'])});",
            "  }",
        ]
    return lines


def _paged_method(name: str, operation: Operation, scope: Scope) -> list[str]:
    """
    The method for a route that gives pages.

    It is a property, so that it can be passed to ``pages`` without the client.
    """
    takes = ", ".join([*_input(operation, scope), "options?: CallOptions"])
    head = f"readonly {scope.methods[name]}: ({takes}) => "
    gives = laid_out(_gives(operation, scope), indent=1, taken=len(head), after=2)
    head = f"  {head}{gives} ="
    return [
        f"{_about(operation, scope)}{head}",
        f"    (input, options) => {scope.functions[name]}(this, input, options);",
    ]


PAGES: Final = """\
/** An item of a list, as a result like any other; or the failure in place of the page with it. */
export type PageItem<Page> = Page extends {
  readonly ok: true;
  readonly value: { readonly items: readonly (infer Item)[] };
}
  ? Ok<Item>
  : Page;

/**
 * The items of a list, page by page: `for await (const r of pages(api.orders, { filter }))`.
 *
 * Each is a result: a success with an item, or the failure in place of a page, which is the last.
 * The arguments are those of the route; `limit` is that of each page.
 */
export function pages<Args extends readonly unknown[], Page extends $PageOf>(
  route: (...args: Args) => Promise<Page>,
  ...args: Args
): AsyncGenerator<PageItem<Page>, void, undefined> {
  const [input, options] = args as unknown as readonly [$CursorOf?, CallOptions?];
  return $turned(route as never, input, options) as AsyncGenerator<PageItem<Page>, void, undefined>;
}"""
"""The function that iterates over the pages of any route."""


def route_function(name: str, scope: Scope, checks: Checks) -> str:
    """The function that calls a route."""
    operation = scope.package.operations[name]
    route: list[Node] = [entry("name", quoted(name))]
    if operation.effect in _REPEATABLE:
        route.append(entry("repeatable", "true"))
    if operation.input is not None:
        route.append(entry("input", checks.of(operation.input)))
    route.append(entry("output", checks.of(operation.output)))
    if operation.failures:
        route.append(entry("failures", _codes(operation.failures, scope)))
    about = comment([_sentence(operation.summary)], *_deprecation(operation, scope))
    head = _signature(
        f"export function {scope.functions[name]}", operation, scope, "client: AnyClient"
    )
    sent = "undefined"
    if operation.input is not None:
        sent = "input ?? {}" if takes_nothing(operation.input) else "input"
    declared = entry("  const route", Group("$Route = ", (members(route),), ""))
    client = "client" if operation.cache is None else "$reading(client)"
    apart = ""
    if operation.files:
        parts = laid_out(_list(map(quoted, operation.files)), indent=1, taken=40)
        names = "[files]" if operation.input is None else "[files, rest]"
        apart = f"  const {names} = $apart(input, {parts});\n"
        client, sent = "$forming(client, files)", sent if operation.input is None else "rest"
    called = f"  return $call({client}, route, {sent}, options);"
    if operation.stream is not None:
        between = laid_out(_codes(operation.stream, scope), indent=1, taken=18)
        called = f"  const between = {between};\n"
        called += f"  return $stream({client}, route, between, {sent}, options);"
    if operation.media:
        media = laid_out(Group("[", tuple(map(quoted, operation.media)), "]"), indent=1, taken=16)
        called = f"  const media = {media};\n"
        called += f"  return $download({client}, route, media, {sent}, options);"
    return f"{about}{head} {{\n{laid_out(declared, indent=1)};\n{apart}{called}\n}}"


def _codes(codes: Iterable[str], scope: Scope) -> Node:
    """Code -> the check of its data."""
    failures = scope.package.failures
    return members([entry(code, failure_check(failures[code], scope)) for code in codes])


def schemas_object(scope: Scope, checks: Checks, *, routes: bool) -> str:
    """The validators of the exports, and of the inputs and outputs of all routes."""
    package = scope.package
    # written out, so that declarations can be made from this file alone (isolatedDeclarations)
    types: list[Node] = []
    values: list[Node] = []
    for name, of in package.exports.items():
        types.append(entry(f"readonly {key_of(name)}", _validator_type(of, scope)))
        values.append(entry(key_of(name), _validator(of, checks)))
    for name, operation in package.operations.items() if routes else ():
        sides = {} if operation.input is None else {"input": operation.input}
        sides |= {} if operation.media else {"output": operation.output}
        if not sides:
            continue
        key = key_of(scope.schemas[name])
        types.append(
            entry(
                f"readonly {key}",
                _interface(
                    entry(f"readonly {side}", _validator_type(of, scope))
                    for side, of in sides.items()
                ),
            )
        )
        values.append(
            entry(key, members(entry(side, _validator(of, checks)) for side, of in sides.items()))
        )
    before = "export const schemas"
    if types:
        before += f": {laid_out(_interface(types), taken=len(before) + 2, after=4)}"
    before += " = "
    written = laid_out(members(values), taken=len(before.rpartition("\n")[2]))
    what = (
        "of the exported types, and of the input and output of every route"
        if routes
        else "of the exported types"
    )
    return f"/** Validators {what}. */\n{before}{written};"


def events_object(scope: Scope, checks: Checks) -> list[str]:
    """The receiver of the events that the service sends, if there are any."""
    found = scope.package.events
    if not found:
        return []
    kinds = " | ".join(laid_out(type_node(of, scope)) for of in found.values())
    values = members([entry(key_of(name), checks.of(of)) for name, of in found.items()])
    before = f"export const events: Events<{kinds}> = $events("
    return [f"{before}{laid_out(values, taken=len(before), after=2)});"]


def _validator(of: Shape, checks: Checks) -> Node:
    return call("$validator", checks.of(of))


def _validator_type(of: Shape, scope: Scope) -> Node:
    return Group("Validator<", (type_node(of, scope),), ">", trailing=False)


def _interface(parts: Iterable[Node]) -> Node:
    return Group("{", (*parts,), "}", " ", separator=";")


def _signature(name: str, operation: Operation, scope: Scope, *first: str, indent: int = 0) -> str:
    margin = "  " * indent
    takes = [*first, *_input(operation, scope, indent), _options_type(operation)]
    gives = _gives(operation, scope)
    flat = f"{margin}{name}({', '.join(takes)}): "
    result = laid_out(gives, indent=indent, taken=len(flat) - len(margin), after=2)
    if "\n" in result or "\n" in flat:
        flat = (
            f"{margin}{name}(\n"
            + "".join(f"{margin}  {each},\n" for each in takes)
            + f"{margin}): "
        )
        result = laid_out(gives, indent=indent, taken=3, after=2)
    return flat + result


def _options_type(operation: Operation) -> str:
    return "options?: CallOptions" if operation.stream is None else "options?: StreamOptions"


def _gives(operation: Operation, scope: Scope) -> Node:
    value = "Download" if operation.media else type_node(operation.output, scope)
    if operation.stream is not None:
        value = _with_codes("Items", value, operation.stream)
    return _with_codes("CallPromise", value, operation.failures)


def _with_codes(name: str, value: Node, codes: tuple[str, ...]) -> Node:
    """The type *name* of a *value* and of the *codes* that may come instead."""
    union = [one_of(map(quoted, codes))] if codes else []
    return Group(f"{name}<", (value, *union), ">", trailing=False)


def _list(parts: Iterable[str]) -> Node:
    return Group("[", (*parts,), "]")


def _files(operation: Operation, indent: int) -> str:
    """The type of the files of a call, as fields beside those of the input."""
    fields: list[Node] = []
    for part, file in operation.files.items():
        of = "Upload" if file.many is None else "readonly Upload[]"
        name = f"readonly {key_of(part)}"
        fields.append(f"{name}: {of}" if file.required else f"{name}?: {of} | undefined")
    return laid_out(_interface(fields), indent=indent + 1, taken=40)


def _input(operation: Operation, scope: Scope, indent: int = 0) -> list[str]:
    if operation.files:
        of, given = _files(operation, indent), operation.input
        needed = any(each.required for each in operation.files.values())
        needed = needed or (given is not None and not takes_nothing(given))
        of = of if given is None else f"{type_of(given, scope)} & {of}"
        return [f"input{'' if needed else '?'}: {of}"]
    if operation.input is None:
        return []
    return [
        f"input{'?' if takes_nothing(operation.input) else ''}: {type_of(operation.input, scope)}"
    ]


def _about(operation: Operation, scope: Scope) -> str:
    told = [
        _sentence(operation.summary),
        *([operation.description] if operation.description else []),
    ]
    if operation.auth != "none":
        told.append(_needs(operation, scope))
    return comment(told, *_deprecation(operation, scope), indent=1)


def _needs(operation: Operation, scope: Scope) -> str:
    """The sentence on the credentials that a call needs."""
    names = _option_names(scope.package.ways)
    told = f"a client with {' or '.join(names[way] for way in ways_into(operation))}"
    if operation.auth == "optional":
        return f"May be called without a credential; {told} sends it."
    scopes = f", and the scopes {' '.join(operation.requires)}" if operation.requires else ""
    return f"Needs {told}{scopes}."


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _deprecation(operation: Operation, scope: Scope) -> list[str]:
    deprecated = operation.deprecated
    if deprecated is None:
        return []
    use = scope.package.operations.get(deprecated.use or "")
    instead = None if use is None else scope.path(use)
    parts = [
        *([f"Since {deprecated.since}."] if deprecated.since else []),
        *([f"It will be removed on {deprecated.remove_on}."] if deprecated.remove_on else []),
        *([f"Call {instead} instead."] if instead else []),
    ]
    return [" ".join(["@deprecated", *parts])]
