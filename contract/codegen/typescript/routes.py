"""Routes: the client, as a class and as functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from contract.codegen.package import Namespace, Operation, option_of
from contract.codegen.texts import Names, Style
from contract.codegen.typescript.checks import Checks
from contract.codegen.typescript.declarations import comment, type_node, type_of
from contract.codegen.typescript.failures import failure_check
from contract.codegen.typescript.layout import (
    Group,
    Node,
    array,
    call,
    entry,
    key_of,
    laid_out,
    members,
    one_of,
    quoted,
)
from contract.codegen.typescript.scope import Scope
from contract.document.model import ContractFile, ContractRoute, ways_into
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
    "option_names",
    "schemas_object",
]

_REPEATABLE: Final = ("read", "idempotent")


def client_class(scope: Scope) -> str:
    """The class with a method for each route."""
    info = scope.package.document.info
    paragraphs = [f"{info.title}, version {info.version}."]
    if info.description:
        paragraphs.append(info.description)
    options, client = "ClientOptions", "createClient(options)"
    if scope.ways:
        options, client = "(ClientOptions & $Credential)", "$credited(options, $WAYS)"
    lines = [
        comment(paragraphs) + "export class ApiClient implements AnyClient {",
        '  readonly $settings: AnyClient["$settings"];',
        "",
        "  /** @throws TypeError - The base URL is none that routes can be below of. */",
        f"  constructor(options: {options} | AnyClient) {{",
        f'    this.$settings = ("$settings" in options ? options : {client}).$settings;',
        "  }",
        "",
        "  /** The same client with other options; headers are added to those that it has. */",
        "  withOptions(options: Partial<ClientOptions>): ApiClient {",
        "    return new ApiClient($with(this, options));",
        "  }",
    ]
    return "\n".join([*lines, *_members(scope.package.root, scope), "}"])


def credential_type(scope: Scope) -> list[str]:
    """The type of the credentials that a client may have, one at a time, and their places."""
    ways = scope.ways
    if not ways:
        return []
    names = option_names(ways)
    bar, margin = "  ", "  "
    if len(ways) > 1:
        # the members of a union stand deeper than a type on its own
        bar, margin = "  | ", "    "
    union: list[str] = []
    places: list[str] = []
    for way, place in ways.items():
        description, type_ = _CREDENTIALS[place]
        # Each member names all options, and allows one of them: without the others, TypeScript
        # would take an object that has two.
        others = [f"{margin}  readonly {names[each]}?: undefined;" for each in ways if each != way]
        union += [
            f"{bar}{{",
            f"{margin}  /** {description.format(way)} */",
            f"{margin}  readonly {names[way]}?: {type_} | undefined;",
            *others,
            f"{margin}}}",
        ]
        header = "authorization" if place == "bearer" else way
        places.append(f"  {key_of(names[way])}: [{quoted(place)}, {quoted(header)}],")
    about = "/** How a client says who calls: by one of these, or by none. */"
    credential = "\n".join([about, "type $Credential =", *union])
    return [f"{credential};", "\n".join(["const $WAYS: $Ways = {", *places, "};"])]


_CREDENTIALS: Final = {
    "bearer": ("A bearer token.", "HeaderValue"),
    "header": ("The key in the header {}.", "HeaderValue"),
    "cookie": ("Whether the browser sends the cookie {}.", "boolean"),
}
"""Place of a credential -> the description and the type of its option."""


def option_names(ways: Iterable[str]) -> dict[str, str]:
    """Way -> the name of its option."""
    names = Names(Style(reserved=_OPTIONS, stem="credential"))
    return {way: names.take(camel(option_of(way))) for way in ways}


_OPTIONS: Final = frozenset(
    {"baseUrl", "fetch", "headers", "hooks", "maxResponseBytes", "quiet", "retries", "sentences"}
    | {"signal", "sleep", "timeout", "$settings"}
)
"""The options that every client has."""


def group_class(namespace: Namespace, scope: Scope) -> str:
    """The class of a group, with a method for each of its routes."""
    lines = [
        comment([f"The routes of the group {namespace.group}."])
        + f"class {scope.classes[f'{namespace.group}']} implements AnyClient {{",
        '  readonly $settings: AnyClient["$settings"];',
        "",
        "  constructor(client: AnyClient) {",
        "    this.$settings = client.$settings;",
        "  }",
    ]
    return "\n".join([*lines, *_members(namespace, scope), "}"])


def _members(namespace: Namespace, scope: Scope) -> list[str]:
    """The properties for the groups in *namespace*, and the methods for its routes."""
    lines: list[str] = []
    for each in namespace.groups.values():
        group = f"{each.group}"
        made = scope.classes[group]
        lines += [
            "",
            f"  /** The routes of the group {group}. */",
            f"  get {scope.groups[group]}(): {made} {{",
            f"    return new {made}(this);",
            "  }",
        ]
    for name in namespace.routes.values():
        operation = scope.package.operations[name]
        if operation.route.pages:
            lines += ["", *_paged_method(name, operation, scope)]
            continue
        given = ["this", "options"]
        if operation.input is not None or operation.route.files:
            given.insert(1, "input")
        head = _signature(scope.methods[name], operation, scope, indent=1)
        lines += [
            "",
            f"{_about(operation.route, scope)}{head} {{",
            f"    return {scope.functions[name]}({', '.join(given)});",
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
        f"{_about(operation.route, scope)}{head}",
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
    route = operation.route
    # 1. The description of the route, for the runtime.
    described: list[Node] = [entry("name", quoted(name))]
    if route.effect in _REPEATABLE:
        described.append(entry("repeatable", "true"))
    if operation.input is not None:
        described.append(entry("input", checks.of(operation.input)))
    described.append(entry("output", checks.of(operation.output)))
    if operation.failures:
        described.append(entry("failures", _codes(operation.failures, scope)))
    declared = entry("  const route", Group("$Route = ", (members(described),), ""))
    # 2. The signature.
    about = comment([_sentence(route.summary)], *_deprecation(route, scope))
    head = _signature(
        f"export function {scope.functions[name]}", operation, scope, "client: AnyClient"
    )
    # 3. The input that is sent: none, an empty one if the caller may leave it out, or the caller's.
    if operation.input is None:
        sent = "undefined"
    elif takes_nothing(operation.input):
        sent = "input ?? {}"
    else:
        sent = "input"
    # 4. Files stand in the caller's input, and are taken out of it.
    client = "client" if route.cache is None else "$reading(client)"
    apart = ""
    if route.files:
        client = "$forming(client, files)"
        names = "[files]"
        if operation.input is not None:
            names, sent = "[files, rest]", "rest"
        parts = laid_out(array(map(quoted, route.files)), indent=1, taken=40)
        apart = f"  const {names} = $apart(input, {parts});\n"
    # 5. The call, by the function of the runtime for its kind of output.
    function, special = "$call", ""
    if operation.between is not None:
        between = laid_out(_codes(operation.between, scope), indent=1, taken=18)
        apart += f"  const between = {between};\n"
        function, special = "$stream", "between, "
    if route.media:
        media = laid_out(array(map(quoted, route.media)), indent=1, taken=16)
        apart += f"  const media = {media};\n"
        function, special = "$download", "media, "
    called = f"  return {function}({client}, route, {special}{sent}, options);"
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
    for name, shape in package.exports.items():
        types.append(entry(f"readonly {key_of(name)}", _validator_type(shape, scope)))
        values.append(entry(key_of(name), _validator(shape, checks)))
    operations: Mapping[str, Operation] = {}
    if routes:
        operations = package.operations
    for name, operation in operations.items():
        side_types: list[Node] = []
        sides: list[Node] = []
        for side, shape in _sides(operation).items():
            side_types.append(entry(f"readonly {side}", _validator_type(shape, scope)))
            sides.append(entry(side, _validator(shape, checks)))
        if not sides:
            continue
        key = key_of(scope.schemas[name])
        types.append(entry(f"readonly {key}", _interface(side_types)))
        values.append(entry(key, members(sides)))
    before = "export const schemas"
    if types:
        before += f": {laid_out(_interface(types), taken=len(before) + 2, after=4)}"
    before += " = "
    written = laid_out(members(values), taken=len(before.rpartition("\n")[2]))
    of_routes = ", and of the input and output of every route" if routes else ""
    return f"/** Validators of the exported types{of_routes}. */\n{before}{written};"


def _sides(operation: Operation) -> dict[str, Shape]:
    """The shapes of the input and of the output of a route; a file has none."""
    sides: dict[str, Shape] = {}
    if operation.input is not None:
        sides["input"] = operation.input
    if not operation.route.media:
        sides["output"] = operation.output
    return sides


def events_object(scope: Scope, checks: Checks) -> list[str]:
    """The receiver of the events that the service sends, if there are any."""
    found = scope.package.events
    if not found:
        return []
    kinds = " | ".join(laid_out(type_node(shape, scope)) for shape in found.values())
    values = members([entry(key_of(name), checks.of(shape)) for name, shape in found.items()])
    before = f"export const events: Events<{kinds}> = $events("
    return [f"{before}{laid_out(values, taken=len(before), after=2)});"]


def _validator(shape: Shape, checks: Checks) -> Node:
    return call("$validator", checks.of(shape))


def _validator_type(shape: Shape, scope: Scope) -> Node:
    return Group("Validator<", (type_node(shape, scope),), ">", trailing=False)


def _interface(parts: Iterable[Node]) -> Node:
    return Group("{", (*parts,), "}", " ", separator=";")


def _signature(name: str, operation: Operation, scope: Scope, *first: str, indent: int = 0) -> str:
    margin = "  " * indent
    takes = [*first, *_input(operation, scope, indent), _options_type(operation)]
    gives = _gives(operation, scope)
    # on one line, or with a line for each parameter; the type of the result is laid out after it
    flat = f"{margin}{name}({', '.join(takes)}): "
    result = laid_out(gives, indent=indent, taken=len(flat) - len(margin), after=2)
    if "\n" in result or "\n" in flat:
        parameters = "".join(f"{margin}  {each},\n" for each in takes)
        flat = f"{margin}{name}(\n{parameters}{margin}): "
        result = laid_out(gives, indent=indent, taken=3, after=2)
    return flat + result


def _options_type(operation: Operation) -> str:
    if operation.between is None:
        return "options?: CallOptions"
    return "options?: StreamOptions"


def _gives(operation: Operation, scope: Scope) -> Node:
    value: Node = "Download"
    if not operation.route.media:
        value = type_node(operation.output, scope)
    if operation.between is not None:
        value = _with_codes("Items", value, operation.between)
    return _with_codes("CallPromise", value, operation.failures)


def _with_codes(name: str, value: Node, codes: tuple[str, ...]) -> Node:
    """The type *name* of a *value* and of the *codes* that may come instead."""
    arguments = [value]
    if codes:
        arguments.append(one_of(map(quoted, codes)))
    return Group(f"{name}<", tuple(arguments), ">", trailing=False)


def _files(files: Mapping[str, ContractFile], indent: int) -> str:
    """The type of the files of a call, as fields beside those of the input."""
    fields: list[Node] = []
    for part, file in files.items():
        type_ = "Upload" if file.many is None else "readonly Upload[]"
        name = f"readonly {key_of(part)}"
        if file.required:
            fields.append(f"{name}: {type_}")
        else:
            fields.append(f"{name}?: {type_} | undefined")
    return laid_out(_interface(fields), indent=indent + 1, taken=40)


def _input(operation: Operation, scope: Scope, indent: int = 0) -> list[str]:
    types: list[str] = []
    if operation.input is not None:
        types.append(type_of(operation.input, scope))
    if operation.route.files:
        types.append(_files(operation.route.files, indent))
    if not types:
        return []
    # the caller may leave it out if nothing in it is required
    name = "input?"
    if operation.input is not None and not takes_nothing(operation.input):
        name = "input"
    if any(each.required for each in operation.route.files.values()):
        name = "input"
    return [f"{name}: {' & '.join(types)}"]


def _about(route: ContractRoute, scope: Scope) -> str:
    paragraphs = [_sentence(route.summary)]
    if route.description:
        paragraphs.append(route.description)
    if route.auth != "none":
        paragraphs.append(_needs(route, scope))
    return comment(paragraphs, *_deprecation(route, scope), indent=1)


def _needs(route: ContractRoute, scope: Scope) -> str:
    """The sentence on the credentials that a call needs."""
    names = option_names(scope.ways)
    client = f"a client with {' or '.join(names[way] for way in ways_into(route))}"
    if route.auth == "optional":
        return f"May be called without a credential; {client} sends it."
    if not route.requires:
        return f"Needs {client}."
    return f"Needs {client}, and the scopes {' '.join(route.requires)}."


def _sentence(text: str) -> str:
    """*text* with a full stop, unless it ends with a mark."""
    if text.endswith((".", "!", "?")):
        return text
    return f"{text}."


def _deprecation(route: ContractRoute, scope: Scope) -> list[str]:
    deprecated = route.deprecated
    if deprecated is None:
        return []
    sentences = ["@deprecated"]
    if deprecated.since:
        sentences.append(f"Since {deprecated.since}.")
    if deprecated.remove_on:
        sentences.append(f"It will be removed on {deprecated.remove_on}.")
    instead = scope.package.operations.get(deprecated.use or "")
    if instead is not None:
        sentences.append(f"Call {scope.path(instead.route)} instead.")
    return [" ".join(sentences)]
