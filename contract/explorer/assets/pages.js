/** Pages: what stands at each address. */

import { tryIt } from "./call.js"
import { brief, generate, pythonModule } from "./code.js"
import { at, doc, failures, general, groups, own, place, routes, to, toolOf, tools, urlOf, usesOf } from "./contract.js"
import { markdown } from "./markdown.js"
import { about, body, expressions, label, read, words } from "./schema.js"
import { block, copier, h, icon, link, plural, pretty, quiet, slug, stringify, tabs } from "./tools.js"
import { sample } from "./values.js"

/** Whether there is something to say before the first route. */
export const hasHome = () => Boolean(doc.info.description || doc.ui.website || doc.ui.sdkInstall)

/** @type {Fn.page} */
const page = (title, lead, ...rest) =>
	h("article", h("header", h("h1", { tabindex: -1, dir: "auto" }, title), lead), rest)

/** A link to a part of the page, which has its address as an id. @type {Fn.anchor} */
const anchor = (name, where) => h("a.anchor", { href: where, "aria-label": `Link to ${name}` })
/** A section; one that has an address can be linked to. @type {Fn.section} */
const section = (title, where, ...rest) =>
	h("section", { id: where?.slice(1) }, h("div.titled", h("h2", title), where && anchor(title, where)), rest)
/** @type {Fn.rows} */
const rows = (all, none) => (all.length ? h("ul.rows", all) : h("p.empty", none))
/** @type {Fn.row} */
const row = ({ href, text }, note, ...more) =>
	h("li", h("a", { href }, text), h("span.note", { dir: "auto" }, note), more)
const locked = () => h("span.quiet", { title: "Needs a token" }, icon("lock"), h("span.away", "needs a token"))
/** @type {Fn.mark} */
const mark = (text, style = "", title = null) => h("span", { class: `mark ${style}`, title }, text)
/** @type {Record<string, string>} */
const EFFECTS = { read: "Only reads", idempotent: "Safe to repeat", write: "Writes", destructive: "Destructive" }

/** The marks of a route, as words or as signs. @type {Fn.marks} */
export const marks = (route, short) => {
	const { deprecated, scope, auth, effect } = route
	const tool = toolOf(route)
	const named = tool && (short ? mark("MCP", "", `The tool ${tool.name}`) : mark(["MCP tool ", h("code", tool.name)]))
	const plain = [
		mark(auth === "bearer" ? "Bearer token" : "No token"),
		mark(EFFECTS[effect], effect === "destructive" ? "bad" : ""),
	]
	return [
		deprecated && (short ? h("span.away", "deprecated") : mark("deprecated", "warn")),
		scope === "private" && mark("private"),
		named,
		short ? auth === "bearer" && locked() : plain,
	]
}

/** @type {Fn.missing} */
export const missing = (what, name) => {
	const why = h(
		"p",
		"Nothing in this contract is called ",
		h("code", name),
		". It may have been renamed or taken away.",
	)
	return page(`There is no such ${what}`, why, h("p", h("a", { href: "#/" }, "To the start")))
}

export const home = () => {
	const { info, ui } = doc
	/** @type {Fn.pane} */
	const command = (file) => () => block(generate(file), "the command")
	const all = {
		route: ["routes", routes()],
		type: ["types", Object.keys(doc.$defs)],
		error: ["errors", failures()],
		tool: ["mcp", tools()],
	}
	const counts = Object.entries(all).map(
		([one, [kind, { length }]]) => length > 0 && h("a", { href: `#/${kind}` }, plural(length, one)),
	)
	const clients = tabs(
		"Language",
		[
			["Python", command(`${pythonModule()}.py`)],
			["TypeScript", command("api.ts")],
		],
		"code",
	)
	return page(
		info.title,
		[
			quiet(`Version ${info.version}`, ui.website && [" · ", link(ui.website.url, ui.website.label, true)]),
			info.description && markdown(info.description),
		],
		h("div.counts", counts),
		ui.sdkInstall && section("Install the SDK", null, block(ui.sdkInstall, "the command")),
		section("Generate a client", null, clients),
		tools().length > 0 && section("Connect an agent", null, panel()),
	)
}

export const mcp = () => {
	const lead = h("p", "The routes below are tools for agents, over MCP, the Model Context Protocol.")
	return tools().length ? page("Connect an agent", lead, panel()) : missing("page", "mcp")
}

const panel = () => {
	const url = urlOf(doc.links.mcp ?? "")
	const bearer = tools().some(([, route]) => route.auth === "bearer")
	const all = tools().map(([route, { mcp, effect, auth }]) =>
		row(
			{ ...to("routes", route), text: mcp?.name ?? "" },
			mcp?.title,
			h("span.quiet", EFFECTS[effect]),
			auth === "bearer" && locked(),
		),
	)
	return [
		block(url, "the endpoint"),
		bearer && quiet(icon("lock"), " ", doc.ui.authHint),
		tabs("Client", clients(url, bearer), "client"),
		rows(all, "No route is a tool."),
	]
}

/** How each client of agents is told of the service. @type {Fn.clients} */
const clients = (url, bearer) => {
	const name = slug(doc.info.title, "-")
	/** @type {Fn.as} */
	const as = (token) => bearer && { headers: { Authorization: `Bearer ${token}` } }
	/** @type {Fn.file} */
	const file = (path, config) => () => [
		quiet("In ", h("code", path)),
		block(typeof config === "string" ? config : pretty(stringify(config)), path),
	]
	/** @type {Fn.file} */
	const server = (path, config) => file(path, { mcpServers: { [name]: config } })
	const header = bearer ? ' \\\n  --header "Authorization: Bearer $TOKEN"' : ""
	const args = ["mcp-remote", url, ...(bearer ? ["--header", "Authorization:${AUTH}"] : [])]
	const asked = { inputs: [{ type: "promptString", id: "token", description: "Token", password: true }] }
	const toml = `[mcp_servers.${name}]\nurl = ${JSON.stringify(url)}${bearer ? '\nbearer_token_env_var = "TOKEN"' : ""}`
	return [
		["Claude Code", () => block(`claude mcp add --transport http ${name} ${url}${header}`, "the command")],
		[
			"Claude Desktop",
			server("claude_desktop_config.json", { command: "npx", args, ...(bearer && { env: { AUTH: "Bearer TOKEN" } }) }),
		],
		["Cursor", server(".cursor/mcp.json", { url, ...as("${env:TOKEN}") })],
		[
			"VS Code",
			file(".vscode/mcp.json", {
				...(bearer && asked),
				servers: { [name]: { type: "http", url, ...as("${input:token}") } },
			}),
		],
		["Windsurf", server("~/.codeium/windsurf/mcp_config.json", { serverUrl: url, ...as("TOKEN") })],
		["Codex", file("~/.codex/config.toml", toml)],
		["JSON", server("the configuration of any other client", { type: "http", url, ...as("TOKEN") })],
	]
}

// Types.

/** @type {Fn.linked} */
const linked = (schema) => {
	const parts = label(schema)
	return h(
		"span.quiet",
		parts.map((part) => (typeof part === "string" ? part : h("a", { href: place("types", part.type) }, part.type))),
	)
}
/** @type {Fn.json} */
const json = (value) => (typeof value === "string" ? value : stringify(value))
/** @type {Fn.values} */
const values = (all) =>
	h(
		"p.rules",
		all.map((each) => h("code", json(each))),
	)

/** What is in a type, at an address; *sent* is an input, of which is said what is required. @type {Fn.tree} */
const tree = (schema, sent, where) => {
	const shape = read(schema)
	const { kind, of, fields, parts, tag, cases } = shape
	/** @type {Fn.flag} */
	const flag = (required) => (sent ? required && h("span.must", "required") : !required && "optional")
	const least = of.minItems ?? 0
	const leaves = [
		...fields.map((each) => leaf(each.name, each.schema, flag(each.required), sent, [...where, each.name])),
		...cases.map(([value, each]) => leaf(`${tag}: ${stringify(value)}`, each, "", sent, [...where, `${value}`])),
		...parts.map((each, index) => {
			const name = kind === "union" ? "" : `${each["x-contract-name"] ?? index}`
			return leaf(name, each, name && index >= least && "optional", sent, [...where, `${index}`])
		}),
	]
	if (leaves.length) return h("ul.tree", leaves)
	if (kind === "choice") return values(shape.values)
	return quiet(kind === "record" ? "No fields." : [linked(schema), " ", words(shape).join(", ")])
}

/** @type {Fn.leaf} */
const leaf = (name, schema, flag, sent, where) => {
	const outer = read(schema)
	const said = [
		...words(outer),
		...expressions(outer).map((each) => `matches ${each}`),
		"default" in schema && `default ${stringify(schema.default)}`,
		schema.examples && `such as ${schema.examples.map(json).join(", ")}`,
	].filter(Boolean)
	let inner = outer
	while (/list|map/.test(inner.kind)) inner = read(inner.item)
	const told = about(schema)
	const href = place(...where)
	return h(
		"li",
		{ id: href.slice(1) },
		h(
			"div.head",
			name && h("a.name.at", { href }, name),
			linked(schema),
			schema.deprecated && mark("deprecated", "warn"),
			h("span.quiet", flag),
		),
		told && markdown(told),
		said.length > 0 &&
			h(
				"p.rules",
				said.map((each) => h("span", each)),
			),
		inner.values.length > 1 && values(inner.values),
		/record|tagged|tuple|union/.test(inner.kind) &&
			folded(inner.name ? `Inside ${inner.name}` : "Inside", () => tree({ ...inner.of }, sent, where)),
	)
}

/** What is made once it is opened. @type {Fn.folded} */
const folded = (summary, make) => {
	/** @type {HTMLElement} */
	const details = h(
		"details",
		{ ontoggle: () => details.children.length > 1 || details.append(h("div", make())) },
		h("summary", icon("open"), summary),
	)
	return details
}

/** A type, at an address; of one that leads into it, the fields are shown. @type {Fn.typed} */
const typed = (name, schema, sent, where) => {
	const deep = decodeURIComponent(location.hash).startsWith(`${decodeURIComponent(place(...where))}/`)
	/** @type {Pane[]} */
	const panes = [
		["Fields", () => tree(schema, sent, where)],
		["Schema", () => block(pretty(stringify(body(schema))), "the schema")],
		["Example", () => block(pretty(stringify(sample(schema))), "the example")],
	]
	return tabs(name, panes, deep ? "" : "view", linked(schema))
}

/** @type {Fn.failure} */
const failure = (code, { status, description, data, data_required }, where) => {
	const href = place(...where, code)
	const title = h(
		"div.head",
		h("a.name", { href: place("errors", code) }, code),
		h("span.quiet", status),
		anchor(code, href),
	)
	const summary = data_required ? "Data" : "Data, which may be absent"
	return h(
		"li",
		{ id: href.slice(1) },
		title,
		markdown(description),
		data && folded(summary, () => tree(data, false, [...where, code])),
	)
}

/** @type {Fn.routePage} */
export const routePage = (name, given) => {
	const route = own(doc.routes, name)
	if (!route) return missing("route", name)
	const { errors, description, input, output } = route
	/** @type {Fn.parts} */
	const where = (...parts) => ["routes", name, ...parts]
	/** @type {Fn.failureList} */
	const list = (all) =>
		h(
			"ul.tree",
			all.map(([code, each]) => failure(code, each, where("errors"))),
		)
	const mine = Object.entries(errors).sort(([a], [b]) => Number(a in doc.errors) - Number(b in doc.errors))
	const others = general(route)
	const toTry = h("button.button.narrow", { onclick: () => document.getElementById("try")?.scrollIntoView() }, "Try it")
	return h(
		"div.columns",
		page(
			route.summary,
			[routeHead(name, route), description && markdown(description), toTry],
			section("Input", place(...where("input")), typed("Input", input, true, where("input"))),
			section("Output", place(...where("output")), typed("Output", output, false, where("output"))),
			section(
				"Errors",
				place(...where("errors")),
				mine.length ? list(mine) : quiet("None of its own."),
				folded(`Any route may also answer with ${plural(others.length, "code")}`, () => list(others)),
			),
		),
		tryIt(name, route, given),
	)
}

/** @type {Fn.routeHead} */
const routeHead = (name, route) => {
	const { deprecated: gone, tags, path } = route
	const url = urlOf(path)
	const use = gone?.use && ["; call ", h("a", { href: place("routes", gone.use) }, gone.use), " instead"]
	return [
		h(
			"p.path",
			h("span.quiet", "POST"),
			h("code", at.base ? new URL(url).pathname : `/${name}`),
			copier(() => url, "the URL"),
			copier(() => brief(name, route), "this page as Markdown", "Copy as Markdown"),
		),
		h(
			"div.marks",
			marks(route),
			tags.map((tag) => h("a.mark", { href: place("tags", tag) }, tag)),
		),
		gone &&
			h(
				"p.breach",
				"Deprecated",
				gone.since && ` since ${gone.since}`,
				gone.remove_on && `, gone after ${gone.remove_on}`,
				use,
			),
	]
}

/** @type {Fn.named} */
export const typePage = (name) => {
	const schema = own(doc.$defs, name)
	if (!schema) return missing("type", name)
	const users = rows(
		usesOf(name).map((use) => row(use, `as ${use.as}`)),
		"Nothing but code that imports it.",
	)
	return page(
		name,
		[quiet("Type"), schema.description && markdown(schema.description)],
		typed(name, schema, name.endsWith("Input"), ["types", name, "fields"]),
		section("Used by", place("types", name, "uses"), users),
	)
}

/** @type {Fn.users} */
const users = (code) => routes().filter(([, route]) => own(route.errors, code))

/** @type {Fn.named} */
export const errorPage = (code) => {
	const [, found] = failures().find(([each]) => each === code) ?? []
	if (!found) return missing("error", code)
	const { status, description, data, data_required } = found
	const where = ["errors", code, "data"]
	const by = users(code).map(([name, route]) => row(to("routes", name), route.summary))
	return page(
		code,
		[quiet(`Error, status ${status}`), markdown(description)],
		section(
			"Data",
			place(...where),
			data ? [!data_required && quiet("It may be absent."), typed("Data", data, false, where)] : quiet("None."),
		),
		section("Declared by", place("errors", code, "routes"), rows(by, "No route; any may answer with it.")),
	)
}

/** @type {Fn.routesPage} */
export const routesPage = (tag) => {
	/** @type {Fn.list} */
	const list = (of) => {
		const all = of.map(([name, route]) => row(to("routes", name), route.summary, h("span.marks", marks(route, true))))
		return rows(all, "No route has this tag.")
	}
	if (tag) return page(tag, quiet("Tag"), list(routes().filter(([, { tags }]) => tags.includes(tag))))
	const all = groups().map(([name, of]) => (name ? section(name, null, list(of)) : list(of)))
	const none = "There are no routes yet. Add one with @route, list it in spec(routes=...), and it appears here."
	return page("Routes", null, all.length ? all : rows([], none))
}

export const typesPage = () => {
	const all = Object.entries(doc.$defs).map(([name, { description = "" }]) =>
		row(to("types", name), description.split("\n")[0], h("span.quiet", plural(usesOf(name).length, "use"))),
	)
	return page("Types", null, rows(all, "This contract names no types."))
}

export const errorsPage = () => {
	/** @type {Fn.errorRow} */
	const one = ([code, { status, description }]) => {
		const { length } = users(code)
		return row(
			to("errors", code),
			`${status}  ${description.split("\n")[0]}`,
			length > 0 && h("span.quiet", plural(length, "route")),
		)
	}
	const parts = ["Of this service", "Of any route"].map((title, general) => {
		const all = failures().filter(([code]) => Boolean(general) === Boolean(own(doc.errors, code)))
		return all.length > 0 && section(title, null, rows(all.map(one), ""))
	})
	return page("Errors", null, parts)
}
