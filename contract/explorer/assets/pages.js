/** Pages: what stands at each address. */

import { tryIt, urlOf } from "./form.js"
import { at, body, doc, failures, groups, label, own, read, routes, sample, to, usesOf, words } from "./model.js"
import { block, copier, h, icon, link, markdown, plural, pretty, quiet, slug, stringify, tabs } from "./tools.js"

/** Whether there is something to say before the first route. */
export const hasHome = () => Boolean(doc.info.description || doc.ui.website || doc.ui.sdkInstall)

/** @type {Fn.page} */
const page = (title, lead, ...rest) => h("article", h("header", h("h1", { tabindex: -1 }, title), lead), rest)
/** @type {Fn.section} */
const section = (title, ...rest) => h("section", h("h2", title), rest)
/** @type {Fn.rows} */
const rows = (all, none) => (all.length ? h("ul.rows", all) : h("p.empty", none))
/** @type {Fn.row} */
const row = ({ href, text }, note, ...more) => h("li", h("a", { href }, text), h("span.note", note), more)
const locked = () => h("span.quiet", { title: "Needs a token" }, icon("lock"), h("span.away", "needs a token"))
/** @type {Fn.mark} */
const mark = (text, style = "", title = null) => h("span", { class: `mark ${style}`, title }, text)
/** @type {Record<string, string>} */
const EFFECTS = { read: "Only reads", idempotent: "Safe to repeat", write: "Writes", destructive: "Destructive" }

/** The marks of a route, as words or as signs. @type {Fn.marks} */
export const marks = ({ deprecated, scope, mcp, auth, effect }, short) => [
	deprecated && (short ? h("span.away", "deprecated") : mark("deprecated", "warn")),
	scope === "private" && mark("private"),
	mcp && (short ? mark("MCP", "", `The tool ${mcp.name}`) : mark(["MCP tool ", h("code", mcp.name)])),
	short ? auth === "bearer" && locked() : [mark(auth === "bearer" ? "Bearer token" : "No token"), mark(EFFECTS[effect], effect === "destructive" ? "bad" : "")],
]

/** @type {Fn.missing} */
export const missing = (what, name) => page(`There is no such ${what}`, h("p", "Nothing in this contract is called ", h("code", name), ". It may have been renamed or taken away."), h("p", h("a", { href: "#/" }, "To the start")))

export const home = () => {
	const { info, ui, links } = doc
	/** @type {Fn.generate} */
	const generate = (file) => () => block(`contract generate ${at.contract} -o ${file}`, "the command")
	const counts = Object.entries({ route: ["routes", routes()], type: ["types", Object.keys(doc.$defs)], error: ["errors", failures()], tool: ["mcp", tools()] })
	return page(
		info.title,
		[quiet(`Version ${info.version}`, ui.website && [" · ", link(ui.website.url, ui.website.label, true)]), info.description && markdown(info.description)],
		h("div.counts", counts.map(([one, [kind, all]]) => all.length > 0 && h("a", { href: `#/${kind}` }, plural(all.length, one)))),
		ui.sdkInstall && section("Install the SDK", block(ui.sdkInstall, "the command")),
		section("Generate a client", tabs("Language", [["Python", generate(`${slug(info.title, "_")}_client.py`)], ["TypeScript", generate("api.ts")]], "code")),
		links.mcp && section("Connect an agent", panel()),
	)
}

const tools = () => routes().filter(([, route]) => route.mcp && doc.links.mcp)

export const mcp = () => (doc.links.mcp ? page("Connect an agent", h("p", "The routes below are tools for agents, over MCP, the Model Context Protocol."), panel()) : missing("page", "mcp"))

const panel = () => {
	const url = urlOf(doc.links.mcp ?? "")
	const name = slug(doc.info.title, "-")
	const bearer = tools().some(([, route]) => route.auth === "bearer")
	/** @type {Fn.as} */
	const as = (token) => bearer && { headers: { Authorization: `Bearer ${token}` } }
	/** @type {Fn.file} */
	const file = (path, config) => () => [quiet("In ", h("code", path)), block(typeof config === "string" ? config : pretty(stringify(config)), path)]
	/** @type {Fn.file} */
	const server = (path, config) => file(path, { mcpServers: { [name]: config } })
	return [
		block(url, "the endpoint"),
		bearer && quiet(icon("lock"), " ", doc.ui.authHint),
		tabs("Client", [
			["Claude Code", () => block(`claude mcp add --transport http ${name} ${url}${bearer ? ' \\\n  --header "Authorization: Bearer $TOKEN"' : ""}`, "the command")],
			["Claude Desktop", server("claude_desktop_config.json", { command: "npx", args: ["mcp-remote", url, ...(bearer ? ["--header", "Authorization:${AUTH}"] : [])], ...(bearer && { env: { AUTH: "Bearer TOKEN" } }) })],
			["Cursor", server(".cursor/mcp.json", { url, ...as("${env:TOKEN}") })],
			["VS Code", file(".vscode/mcp.json", { ...(bearer && { inputs: [{ type: "promptString", id: "token", description: "Token", password: true }] }), servers: { [name]: { type: "http", url, ...as("${input:token}") } } })],
			["Windsurf", server("~/.codeium/windsurf/mcp_config.json", { serverUrl: url, ...as("TOKEN") })],
			["Codex", file("~/.codex/config.toml", `[mcp_servers.${name}]\nurl = ${JSON.stringify(url)}${bearer ? '\nbearer_token_env_var = "TOKEN"' : ""}`)],
			["JSON", server("the configuration of any other client", { type: "http", url, ...as("TOKEN") })],
		], "client"),
		rows(tools().map(([route, { mcp, effect, auth }]) => row({ ...to("routes", route), text: mcp?.name ?? "" }, mcp?.title, h("span.quiet", EFFECTS[effect]), auth === "bearer" && locked())), "No route is a tool."),
	]
}

// Types.

/** @type {Fn.linked} */
const linked = (schema) => h("span.quiet", label(schema).map((part) => (typeof part === "string" ? part : h("a", { href: to("types", part.type).href }, part.type))))
/** @type {Fn.json} */
const json = (value) => (typeof value === "string" ? value : stringify(value))
/** @type {Fn.values} */
const values = (all) => h("p.rules", all.map((each) => h("code", json(each))))

/** What is in a type. @type {Fn.tree} */
const tree = (schema, sent) => {
	const shape = read(schema)
	const { kind, of, fields, parts, tag, cases } = shape
	const leaves = [
		...fields.map((each) => leaf(each.name, each.schema, sent ? each.required && h("span.must", "required") : !each.required && "optional", sent)),
		...cases.map(([value, each]) => leaf(`${tag}: ${stringify(value)}`, each, "", sent)),
		...parts.map((each, index) => (kind === "union" ? leaf("", each, "", sent) : leaf(`${each["x-contract-name"] ?? index}`, each, index >= (of.minItems ?? 0) && "optional", sent))),
	]
	return leaves.length ? h("ul.tree", leaves) : kind === "choice" ? values(shape.values) : quiet(kind === "record" ? "No fields." : [linked(schema), " ", words(shape).join(", ")])
}

/** @type {Fn.leaf} */
const leaf = (name, schema, flag, sent) => {
	let inner = read(schema)
	const said = [...words(inner), "default" in schema && `default ${stringify(schema.default)}`, schema.examples && `such as ${schema.examples.map(json).join(", ")}`].filter(Boolean)
	const about = schema.description ?? (inner.kind === "record" ? "" : inner.of.description)
	while (/list|map/.test(inner.kind)) inner = read(inner.item)
	return h(
		"li",
		h("div.head", name && h("code.name", name), linked(schema), schema.deprecated && mark("deprecated", "warn"), h("span.quiet", flag)),
		about && markdown(about),
		said.length > 0 && h("p.rules", said.map((each) => h("span", each))),
		inner.values.length > 1 && values(inner.values),
		/record|tagged|tuple|union/.test(inner.kind) && folded(inner.name ? `Inside ${inner.name}` : "Inside", () => tree({ ...inner.of }, sent)),
	)
}

/** @type {Fn.folded} */
const folded = (summary, make) => {
	/** @type {HTMLElement} */
	const details = h("details", { ontoggle: () => details.children.length > 1 || details.append(h("div", make())) }, h("summary", icon("open"), summary))
	return details
}

/** @type {Fn.typed} */
const typed = (name, schema, sent) => tabs(name, [["Fields", () => tree(schema, sent)], ["Schema", () => block(pretty(stringify(body(schema))), "the schema")], ["Example", () => block(pretty(stringify(sample(schema))), "the example")]], "view", linked(schema))

/** @type {Fn.failure} */
const failure = ([code, { status, description, data, data_required }]) => h("li", h("div.head", h("a.name", { href: to("errors", code).href }, code), h("span.quiet", status)), markdown(description), data && folded(data_required ? "Data" : "Data, which may be absent", () => tree(data, false)))

/** @type {Fn.named} */
export const routePage = (name) => {
	const route = own(doc.routes, name)
	if (!route) return missing("route", name)
	const url = urlOf(route.path)
	const { deprecated: gone, errors, tags, description, input, output } = route
	const mine = Object.entries(errors).sort(([a], [b]) => Number(a in doc.errors) - Number(b in doc.errors))
	const others = Object.entries(doc.errors).filter(([code]) => !own(errors, code) && (route.auth === "bearer" || code !== "UNAUTHORIZED"))
	return h(
		"div.columns",
		page(
			route.summary,
			[
				h("p.path", h("span.quiet", "POST"), h("code", at.base ? new URL(url).pathname : `/${name}`), copier(() => url, "the URL"), copier(() => told(name, route), "this page as Markdown", "Copy as Markdown")),
				h("div.marks", marks(route), tags.map((tag) => h("a.mark", { href: to("tags", tag).href }, tag))),
				gone && h("p.breach", "Deprecated", gone.since && ` since ${gone.since}`, gone.remove_on && `, gone after ${gone.remove_on}`, gone.use && ["; call ", h("a", { href: to("routes", gone.use).href }, gone.use), " instead"]),
				description && markdown(description),
				h("button.button.narrow", { onclick: () => document.getElementById("try")?.scrollIntoView() }, "Try it"),
			],
			section("Input", typed("Input", input, true)),
			section("Output", typed("Output", output, false)),
			section("Errors", mine.length ? h("ul.tree", mine.map(failure)) : quiet("None of its own."), folded(`Any route may also answer with ${plural(others.length, "code")}`, () => h("ul.tree", others.map(failure)))),
		),
		tryIt(name, route),
	)
}

/** A route in Markdown, with the schemas of all its types. @type {Fn.told} */
const told = (name, { summary, description = "", auth, effect, input, output, errors }) => {
	/** @type {Record<string, Schema>} */
	const $defs = {}
	/** @type {Fn.fenced} */
	const fenced = (title, value) => `\n## ${title}\n\n\`\`\`json\n${pretty(stringify(value))}\n\`\`\`\n`
	/** @type {Fn.say} */
	const follow = (text) => {
		for (const [, type] of text.matchAll(/"\$ref":"[^"]*\/(\w+)"/g)) if (!own($defs, type)) follow(stringify(($defs[type] = doc.$defs[type])))
	}
	follow(stringify({ input, output, errors }))
	return `# ${name}: ${summary}\n\n${description}\n\nPOST ${urlOf(name)}, as JSON${auth === "bearer" ? ", with the header `Authorization: Bearer TOKEN`" : ""}; effect: ${effect}. A failure answers {"error": CODE, "data"?: ...}.\n${fenced("Example", sample(input))}${fenced("Schemas", { input, output, errors })}${fenced("Types", $defs)}`
}

/** @type {Fn.named} */
export const typePage = (name) => {
	const schema = own(doc.$defs, name)
	if (!schema) return missing("type", name)
	return page(name, [quiet("Type"), schema.description && markdown(schema.description)], typed(name, schema, name.endsWith("Input")), section("Used by", rows(usesOf(name).map((use) => row(use, `as ${use.as}`)), "Nothing but code that imports it.")))
}

/** @type {Fn.users} */
const users = (code) => routes().filter(([, route]) => own(route.errors, code))

/** @type {Fn.named} */
export const errorPage = (code) => {
	const [, found] = failures().find(([each]) => each === code) ?? []
	if (!found) return missing("error", code)
	const { status, description, data, data_required } = found
	return page(code, [quiet(`Error, status ${status}`), markdown(description)], section("Data", data ? [!data_required && quiet("It may be absent."), typed("Data", data, false)] : quiet("None.")), section("Declared by", rows(users(code).map(([name, route]) => row(to("routes", name), route.summary)), "No route; any may answer with it.")))
}

/** @type {Fn.routesPage} */
export const routesPage = (tag) => {
	/** @type {Fn.list} */
	const list = (of) => rows(of.map(([name, route]) => row(to("routes", name), route.summary, h("span.marks", marks(route, true)))), "No route has this tag.")
	const all = groups()
	return page(tag ?? "Routes", tag && quiet("Tag"), tag ? list(routes().filter(([, { tags }]) => tags.includes(tag))) : all.length ? all.map(([name, of]) => (name ? section(name, list(of)) : list(of))) : rows([], "There are no routes yet. Add one with @route, list it in spec(routes=...), and it appears here."))
}

export const typesPage = () => page("Types", null, rows(Object.entries(doc.$defs).map(([name, { description = "" }]) => row(to("types", name), description.split("\n")[0], h("span.quiet", plural(usesOf(name).length, "use")))), "This contract names no types."))

export const errorsPage = () => page("Errors", null, ["Of this service", "Of any route"].map((title, general) => {
	const all = failures().filter(([code]) => Boolean(general) === Boolean(own(doc.errors, code)))
	return all.length > 0 && section(title, rows(all.map(([code, { status, description }]) => row(to("errors", code), `${status}  ${description.split("\n")[0]}`, users(code).length > 0 && h("span.quiet", plural(users(code).length, "route")))), ""))
}))
