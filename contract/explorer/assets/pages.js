/** Pages: what stands at each address. */

import { tryIt, urlOf } from "./form.js"
import { at, body, called, doc, failures, groups, label, own, read, sample, to, usesOf, words } from "./model.js"
import { block, copier, h, icon, link, markdown, plural, pretty, slug, stringify, tabs } from "./tools.js"

/** Whether there is something to say before the first route. */
export const hasHome = () => Boolean(doc.info.description || doc.ui.website || doc.ui.sdkInstall)

/** @type {Fn.page} */
const page = (title, lead, ...rest) => h("article", null, h("header", null, h("h1", { tabindex: -1 }, title), lead), rest)
const section = (/** @type {string} */ title, /** @type {Child[]} */ ...rest) => h("section", null, h("h2", null, title), rest)
const quiet = (/** @type {Child[]} */ ...text) => h("p", { class: "quiet" }, text)
const rows = (/** @type {Child[]} */ all, /** @type {string} */ none) => (all.length ? h("ul", { class: "rows" }, all) : h("p", { class: "empty" }, none))
/** @type {Fn.row} */
const row = ({ href, text }, note, more) => h("li", null, h("a", { href }, text), h("span", { class: "note" }, note), more)
const locked = () => h("span", { class: "quiet", title: "Needs a token" }, icon("lock"), h("span", { class: "away" }, "needs a token"))
const mark = (/** @type {Child} */ text, style = "", title = "") => h("span", { class: `mark ${style}`, title: title || null }, text)
/** @type {Record<string, string>} */
const EFFECTS = { read: "Only reads", idempotent: "Safe to repeat", write: "Writes", destructive: "Destructive" }

/** The marks of a route, as words or as signs. @type {Fn.route} */
export const marks = ({ deprecated, scope, mcp, auth, effect }, short) => [
	deprecated && (short ? h("span", { class: "away" }, "deprecated") : mark("deprecated", "warn")),
	scope === "private" && mark("private"),
	mcp && (short ? mark("MCP", "", `The tool ${mcp.name}`) : mark(["MCP tool ", h("code", null, mcp.name)])),
	short ? auth === "bearer" && locked() : [mark(auth === "bearer" ? "Bearer token" : "No token"), mark(EFFECTS[effect], effect === "destructive" ? "bad" : "")],
]

export const missing = (/** @type {string} */ what, /** @type {string} */ name) => page(`There is no such ${what}`, h("p", null, "Nothing in this contract is called ", h("code", null, name), ". It may have been renamed or taken away."), h("p", null, h("a", { href: "#/" }, "To the start")))

export const home = () => {
	const { info, ui, links } = doc
	const generate = (/** @type {string} */ file) => () => block(`contract generate ${at.contract} -o ${file}`, "the command")
	const counts = [["routes", "route", Object.keys(doc.routes)], ["types", "type", Object.keys(doc.$defs)], ["errors", "error", failures()], ["mcp", "tool", tools()]]
	return page(
		info.title,
		[quiet(`Version ${info.version}`, ui.website && [" · ", link(ui.website.url, ui.website.label, true)]), info.description && markdown(info.description)],
		h("div", { class: "counts" }, counts.map(([kind, one, all]) => all.length > 0 && h("a", { href: `#/${kind}` }, plural(all.length, String(one))))),
		ui.sdkInstall && section("Install the SDK", block(ui.sdkInstall, "the command")),
		section("Generate a client", tabs("Language", [["Python", generate(`${slug(info.title, "_")}_client.py`)], ["TypeScript", generate("api.ts")]], "code")),
		links.mcp && section("Connect an agent", panel()),
	)
}

const tools = () => Object.entries(doc.routes).filter(([, route]) => route.mcp && doc.links.mcp)

export const mcp = () => (doc.links.mcp ? page("Connect an agent", h("p", null, "The routes below are tools for agents, over MCP, the Model Context Protocol."), panel()) : missing("page", "mcp"))

const panel = () => {
	const url = urlOf(doc.links.mcp ?? "")
	const name = slug(doc.info.title, "-")
	const bearer = tools().some(([, route]) => route.auth === "bearer")
	const as = (/** @type {string} */ token) => bearer && { headers: { Authorization: `Bearer ${token}` } }
	const file = (/** @type {string} */ path, /** @type {unknown} */ config) => /** @type {() => Child} */ (() => [quiet("In ", h("code", null, path)), block(typeof config === "string" ? config : pretty(stringify(config)), path)])
	const servers = (/** @type {object} */ config) => ({ mcpServers: { [name]: config } })
	return [
		block(url, "the endpoint"),
		bearer && quiet(icon("lock"), " ", doc.ui.authHint),
		tabs("Client", [
			["Claude Code", () => block(`claude mcp add --transport http ${name} ${url}${bearer ? ' \\\n  --header "Authorization: Bearer $TOKEN"' : ""}`, "the command")],
			["Claude Desktop", file("claude_desktop_config.json", servers({ command: "npx", args: ["mcp-remote", url, ...(bearer ? ["--header", "Authorization:${AUTH}"] : [])], ...(bearer && { env: { AUTH: "Bearer TOKEN" } }) }))],
			["Cursor", file(".cursor/mcp.json", servers({ url, ...as("${env:TOKEN}") }))],
			["VS Code", file(".vscode/mcp.json", { ...(bearer && { inputs: [{ type: "promptString", id: "token", description: "Token", password: true }] }), servers: { [name]: { type: "http", url, ...as("${input:token}") } } })],
			["Windsurf", file("~/.codeium/windsurf/mcp_config.json", servers({ serverUrl: url, ...as("TOKEN") }))],
			["Codex", file("~/.codex/config.toml", `[mcp_servers.${name}]\nurl = ${JSON.stringify(url)}${bearer ? '\nbearer_token_env_var = "TOKEN"' : ""}`)],
			["JSON", file("the configuration of any other client", servers({ type: "http", url, ...as("TOKEN") }))],
		], "client"),
		rows(tools().map(([route, { mcp, effect, auth }]) => row({ ...to("routes", route), text: mcp?.name ?? "" }, mcp?.title ?? "", [h("span", { class: "quiet" }, EFFECTS[effect]), auth === "bearer" && locked()])), "No route is a tool."),
	]
}

// Types.

const linked = (/** @type {Schema} */ schema) => h("span", { class: "quiet" }, label(schema).map((part) => (typeof part === "string" ? part : h("a", { href: to("types", part.type).href }, part.type))))
const json = (/** @type {unknown} */ value) => (typeof value === "string" ? value : stringify(value))
const values = (/** @type {unknown[]} */ all) => h("p", { class: "rules" }, all.map((each) => h("code", null, json(each))))

/** What is in a type. @type {Fn.tree} */
const tree = (schema, sent) => {
	const { kind, of, fields, parts, tag, cases, values: all } = read(schema)
	const leaves = [
		...fields.map((each) => leaf(each.name, each.schema, sent ? each.required && h("span", { class: "must" }, "required") : !each.required && "optional", sent)),
		...cases.map(([value, each]) => leaf(`${tag}: ${stringify(value)}`, each, "", sent)),
		...parts.map((each, index) => kind !== "union" && kind !== "tuple" ? null : leaf(kind === "union" ? "" : String(each["x-contract-name"] ?? index), each, kind === "tuple" && index >= (of.minItems ?? 0) && "optional", sent)),
	].filter(Boolean)
	return leaves.length ? h("ul", { class: "tree" }, leaves) : kind === "choice" ? values(all) : kind === "record" ? quiet("No fields.") : quiet(linked(schema), " ", words(read(schema)).join(", "))
}

/** @type {Fn.leaf} */
const leaf = (name, schema, flag, sent) => {
	let inner = read(schema)
	const said = [...words(inner), "default" in schema && `default ${stringify(schema.default)}`, schema.examples && `such as ${schema.examples.map(json).join(", ")}`]
	const about = schema.description ?? (inner.kind === "record" ? "" : inner.of.description)
	while (/list|map/.test(inner.kind)) inner = read(inner.item)
	return h(
		"li",
		null,
		h("div", { class: "head" }, name && h("code", { class: "name" }, name), linked(schema), schema.deprecated && mark("deprecated", "warn"), h("span", { class: "quiet" }, flag)),
		about && markdown(about),
		said.some(Boolean) && h("p", { class: "rules" }, said.map((each) => each && h("span", null, each))),
		inner.values.length > 1 && values(inner.values),
		/record|tagged|tuple|union/.test(inner.kind) && folded(inner.name ? `Inside ${inner.name}` : "Inside", () => tree({ ...inner.of }, sent)),
	)
}

/** @type {Fn.folded} */
const folded = (summary, make) => {
	const details = h("details", { ontoggle: () => details.children.length > 1 || details.append(h("div", null, make())) }, h("summary", null, icon("open"), summary))
	return details
}

const typed = (/** @type {string} */ name, /** @type {Schema} */ schema, /** @type {boolean} */ sent) =>
	tabs(name, [["Fields", () => tree(schema, sent)], ["Schema", () => block(pretty(stringify(body(schema))), "the schema")], ["Example", () => block(pretty(stringify(sample(schema))), "the example")]], "view", linked(schema))

/** @type {Fn.failure} */
const failure = ([code, { status, description, data, data_required }]) => h("li", null, h("div", { class: "head" }, h("a", { class: "name", href: to("errors", code).href }, code), h("span", { class: "quiet" }, status)), markdown(description), data && folded(data_required ? "Data" : "Data, which may be absent", () => tree(data, false)))

/** @type {Fn.named} */
export const routePage = (name) => {
	const route = own(doc.routes, name)
	if (!route) return missing("route", name)
	const url = urlOf(route.path)
	const { deprecated: gone, errors, tags, description, input, output } = route
	const mine = Object.entries(errors).sort(([a], [b]) => Number(a in doc.errors) - Number(b in doc.errors))
	const others = Object.entries(doc.errors).filter(([code]) => !own(errors, code) && (route.auth === "bearer" || code !== "UNAUTHORIZED"))
	return h(
		"div",
		{ class: "columns" },
		page(
			route.summary,
			[
				h("p", { class: "path" }, h("span", { class: "quiet" }, "POST"), h("code", null, at.base ? new URL(url).pathname : `/${name}`), copier(() => url, "the URL"), copier(() => told(name, route), "this page as Markdown", "Copy as Markdown")),
				h("div", { class: "marks" }, marks(route), tags.map((tag) => h("a", { class: "mark", href: to("tags", tag).href }, tag))),
				gone && h("p", { class: "breach" }, "Deprecated", gone.since && ` since ${gone.since}`, gone.remove_on && `, gone after ${gone.remove_on}`, gone.use && ["; call ", h("a", { href: to("routes", gone.use).href }, gone.use), " instead"]),
				description && markdown(description),
				h("button", { type: "button", class: "button narrow", onclick: () => document.getElementById("try")?.scrollIntoView() }, "Try it"),
			],
			section("Input", typed("Input", input, true)),
			section("Output", typed("Output", output, false)),
			section("Errors", mine.length ? h("ul", { class: "tree" }, mine.map(failure)) : quiet("None of its own."), folded(`Any route may also answer with ${plural(others.length, "code")}`, () => h("ul", { class: "tree" }, others.map(failure)))),
		),
		tryIt(name, route),
	)
}

/** A route in Markdown, with the schemas of all its types. @param {string} name @param {Route} route */
const told = (name, { summary, description = "", auth, effect, input, output, errors }) => {
	/** @type {Record<string, Schema>} */
	const $defs = {}
	const text = stringify({ input, output, errors }).replace(/"\$ref":"[^"]*\/(\w+)"/g, function found(all, type) {
		if (!own($defs, type)) {
			$defs[type] = doc.$defs[type]
			stringify($defs[type]).replace(/"\$ref":"[^"]*\/(\w+)"/g, found)
		}
		return all
	})
	const fenced = (/** @type {string} */ text) => `\n\`\`\`json\n${pretty(text)}\n\`\`\`\n`
	return `# ${name}: ${summary}\n\n${description}\n\nPOST ${urlOf(name)}, as JSON${auth === "bearer" ? ", with the header `Authorization: Bearer TOKEN`" : ""}; effect: ${effect}. A failure answers {"error": CODE, "data"?: ...}.\n\n## Example\n${fenced(stringify(sample(input)))}\n## Schemas\n${fenced(text)}\n## Types\n${fenced(stringify($defs))}`
}

/** @type {Fn.named} */
export const typePage = (name) => {
	const schema = own(doc.$defs, name)
	if (!schema) return missing("type", name)
	return page(name, [quiet("Type"), schema.description && markdown(schema.description)], typed(name, schema, name.endsWith("Input")), section("Used by", rows(usesOf(name).map((use) => row(use, `as ${use.as}`)), "Nothing but code that imports it.")))
}

const users = (/** @type {string} */ code) => Object.entries(doc.routes).filter(([, route]) => own(route.errors, code))

/** @type {Fn.named} */
export const errorPage = (code) => {
	const [, found] = failures().find(([each]) => each === code) ?? []
	if (!found) return missing("error", code)
	const { status, description, data, data_required } = found
	return page(code, [quiet(`Error, status ${status}`), markdown(description)], section("Data", data ? [!data_required && quiet("It may be absent."), typed("Data", data, false)] : quiet("None.")), section("Declared by", rows(users(code).map(([name, route]) => row(to("routes", name), route.summary)), "No route; any may answer with it.")))
}

/** @param {string} [tag] */
export const routesPage = (tag) => {
	const all = tag ? /** @type {ReturnType<typeof groups>} */ ([["", Object.entries(doc.routes).filter(([, { tags }]) => tags.includes(tag))]]) : groups()
	const list = (/** @type {[string, Route][]} */ of) => rows(of.map(([name, route]) => row(to("routes", name), route.summary, h("span", { class: "marks" }, marks(route, true)))), "No route has this tag.")
	return page(tag ?? "Routes", tag && quiet("Tag"), all.length ? all.map(([name, of]) => (name ? section(name, list(of)) : list(of))) : rows([], "There are no routes yet. Add one with @route, list it in spec(routes=...), and it appears here."))
}

export const typesPage = () => page("Types", null, rows(Object.entries(doc.$defs).map(([name, { description = "" }]) => row(to("types", name), description.split("\n")[0], h("span", { class: "quiet" }, plural(usesOf(name).length, "use")))), "This contract names no types."))

export const errorsPage = () => page("Errors", null, [false, true].map((general) => {
	const all = failures().filter(([code]) => general === Boolean(own(doc.errors, code)))
	return all.length > 0 && section(general ? "Of any route" : "Of this service", rows(all.map(([code, { status, description }]) => row(to("errors", code), `${status}  ${description.split("\n")[0]}`, users(code).length > 0 && h("span", { class: "quiet" }, plural(users(code).length, "route")))), ""))
}))
