/** Pages: what stands at each address. */

import { tryIt } from "./call.js"
import { brief, generate, pythonModule } from "./code.js"
import {
	about, at, body, doc, failures, general, groups, label, members, own, place, read, routes, rules, to, toolOf,
	tools, urlOf, usesOf, words,
} from "./contract.js"
import { block, copier, h, icon, json, link, markdown, plural, quiet, slug, stringify, tabs } from "./tools.js"
import { sample } from "./values.js"

/** Whether there is something to say before the first route. */
export const hasHome = () => Boolean(doc.info.description || doc.ui.website || doc.ui.sdkInstall)

const page = (title, lead, ...rest) =>
	h("article", h("header", h("h1", { tabindex: -1, dir: "auto" }, title), lead), rest)

const anchor = (name, where) => h("a.anchor", { href: where, "aria-label": `Link to ${name}` })
const section = (title, where, ...rest) =>
	h("section", { id: where?.slice(1) }, h("div.titled", h("h2", title), where && anchor(title, where)), rest)
const rows = (all, none) => (all.length ? h("ul.rows", all) : h("p.empty", none))
const row = ({ href, text }, note, ...more) =>
	h("li", h("a", { href }, text), h("span.note", { dir: "auto" }, note), more)
const locked = () => h("span.quiet", { title: "Needs a token" }, icon("lock"), h("span.away", "needs a token"))
const mark = (text, style = "", title = null) => h("span", { class: `mark ${style}`, title }, text)
const EFFECTS = { read: "Only reads", idempotent: "Safe to repeat", write: "Writes", destructive: "Destructive" }

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

export const missing = (what, name) => {
	const why = [h("code", name), ". It may have been renamed or taken away."]
	const start = h("p", h("a", { href: "#/" }, "To the start"))
	return page(`There is no such ${what}`, h("p", "Nothing in this contract is called ", why), start)
}

export const home = () => {
	const { info, ui } = doc
	const command = (file) => () => block(generate(file), "the command")
	const all = { routes: routes(), types: Object.keys(doc.$defs), errors: failures(), mcp: tools() }
	const counts = Object.entries(all).map(([kind, { length }]) => {
		const one = kind === "mcp" ? "tool" : kind.slice(0, -1)
		return length > 0 && h("a", { href: `#/${kind}` }, plural(length, one))
	})
	const clients = { Python: command(`${pythonModule()}.py`), TypeScript: command("api.ts") }
	return page(
		info.title,
		[
			quiet(`Version ${info.version}`, ui.website && [" · ", link(ui.website.url, ui.website.label, true)]),
			info.description && markdown(info.description),
		],
		h("div.counts", counts),
		ui.sdkInstall && section("Install the SDK", null, block(ui.sdkInstall, "the command")),
		section("Generate a client", null, tabs("Language", clients, "code")),
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
	const all = tools().map(([name, { mcp, effect, auth }]) => {
		const to = { href: place("routes", name), text: mcp?.name ?? "" }
		return row(to, mcp?.title, h("span.quiet", EFFECTS[effect]), auth === "bearer" && locked())
	})
	return [
		block(url, "the endpoint"),
		bearer && quiet(icon("lock"), " ", doc.ui.authHint),
		tabs("Client", clients(url, bearer), "client"),
		h("ul.rows", all),
	]
}

const clients = (url, bearer) => {
	const name = slug(doc.info.title, "-")
	const as = (token) => bearer && { headers: { Authorization: `Bearer ${token}` } }
	const file = (path, config) => () => [
		quiet("In ", h("code", path)),
		typeof config === "string" ? block(config, path) : json(config, path),
	]
	const server = (path, config) => file(path, { mcpServers: { [name]: config } })
	const header = bearer ? ' \\\n  --header "Authorization: Bearer $TOKEN"' : ""
	const args = ["mcp-remote", url, ...(bearer ? ["--header", "Authorization:${AUTH}"] : [])]
	const env = bearer && { env: { AUTH: "Bearer TOKEN" } }
	const asked = bearer && { inputs: [{ type: "promptString", id: "token", description: "Token", password: true }] }
	const toml = `[mcp_servers.${name}]\nurl = ${JSON.stringify(url)}${bearer ? '\nbearer_token_env_var = "TOKEN"' : ""}`
	const vscode = { ...asked, servers: { [name]: { type: "http", url, ...as("${input:token}") } } }
	return {
		"Claude Code": () => block(`claude mcp add --transport http ${name} ${url}${header}`, "the command"),
		"Claude Desktop": server("claude_desktop_config.json", { command: "npx", args, ...env }),
		Cursor: server(".cursor/mcp.json", { url, ...as("${env:TOKEN}") }),
		"VS Code": file(".vscode/mcp.json", vscode),
		Windsurf: server("~/.codeium/windsurf/mcp_config.json", { serverUrl: url, ...as("TOKEN") }),
		Codex: file("~/.codex/config.toml", toml),
		JSON: server("the configuration of any other client", { type: "http", url, ...as("TOKEN") }),
	}
}

// Types.

const linked = (schema) => {
	const piece = (each) => (typeof each === "string" ? each : h("a", { href: place("types", each.type) }, each.type))
	return h("span.quiet", label(schema).map(piece))
}
const shown = (value) => (typeof value === "string" ? value : stringify(value))
const choices = (all) => h("p.rules", all.map((each) => h("code", shown(each))))

/** What is in a type, at an address; *sent* is an input, of which is said what is required. */
const tree = (schema, sent, where) => {
	const shape = read(schema)
	const { kind } = shape
	const leaves = members(shape).map(({ name, schema: each, required, at }) => {
		const must = kind === "record" && sent
		const flag = must ? required && h("span.must", "required") : !required && "optional"
		return leaf(name, each, flag, sent, [...where, at])
	})
	if (leaves.length) return h("ul.tree", leaves)
	if (kind === "choice") return choices(shape.values)
	return quiet(kind === "record" ? "No fields." : [linked(schema), " ", words(shape).join(", ")])
}

const leaf = (name, schema, flag, sent, where) => {
	const outer = read(schema)
	const said = [
		...rules(outer),
		"default" in schema && `default ${stringify(schema.default)}`,
		schema.examples && `such as ${schema.examples.map(shown).join(", ")}`,
	].filter(Boolean)
	let inner = outer
	while (/list|map/.test(inner.kind)) inner = read(inner.item)
	const told = about(schema)
	const href = place(...where)
	const marked = schema.deprecated && mark("deprecated", "warn")
	return h(
		"li",
		{ id: href.slice(1) },
		h("div.head", name && h("a.name.at", { href }, name), linked(schema), marked, h("span.quiet", flag)),
		told && markdown(told),
		said.length > 0 && h("p.rules", said.map((each) => h("span", each))),
		inner.values.length > 1 && choices(inner.values),
		/record|tagged|tuple|union/.test(inner.kind) &&
			folded(inner.name ? `Inside ${inner.name}` : "Inside", () => tree({ ...inner.of }, sent, where)),
	)
}

const folded = (summary, make) => {
	const ontoggle = () => details.children.length > 1 || details.append(h("div", make()))
	const details = h("details", { ontoggle }, h("summary", icon("open"), summary))
	return details
}

/** A type, at an address; of one that leads into it, the fields are shown. */
const typed = (name, schema, sent, where) => {
	const deep = decodeURIComponent(location.hash).startsWith(`${decodeURIComponent(place(...where))}/`)
	const panes = {
		Fields: () => tree(schema, sent, where),
		Schema: () => json(body(schema), "the schema"),
		Example: () => json(sample(schema), "the example"),
	}
	return tabs(name, panes, deep ? "" : "view", linked(schema))
}

const failureList = (all, where) => {
	const one = ([code, { status, description, data, data_required }]) => {
		const href = place(...where, code)
		const name = h("a.name", { href: place("errors", code) }, code)
		const inside = () => tree(data ?? {}, false, [...where, code])
		return h(
			"li",
			{ id: href.slice(1) },
			h("div.head", name, h("span.quiet", status), anchor(code, href)),
			markdown(description),
			data && folded(data_required ? "Data" : "Data, which may be absent", inside),
		)
	}
	return h("ul.tree", all.map(one))
}

export const routePage = (name, given) => {
	const route = own(doc.routes, name)
	if (!route) return missing("route", name)
	const { errors, description, input, output, summary } = route
	const where = (part) => ["routes", name, part]
	const part = (title, at, ...rest) => section(title, place(...where(at)), ...rest)
	const mine = Object.entries(errors).sort(([a], [b]) => Number(a in doc.errors) - Number(b in doc.errors))
	const others = general(route)
	const toTry = h("button.button.narrow", { onclick: () => document.getElementById("try")?.scrollIntoView() }, "Try it")
	return h(
		"div.columns",
		page(
			summary,
			[routeHead(name, route), description && markdown(description), toTry],
			part("Input", "input", typed("Input", input, true, where("input"))),
			part("Output", "output", typed("Output", output, false, where("output"))),
			part(
				"Errors",
				"errors",
				mine.length ? failureList(mine, where("errors")) : quiet("None of its own."),
				folded(`Any route may also answer with ${plural(others.length, "code")}`, () =>
					failureList(others, where("errors")),
				),
			),
		),
		tryIt(name, route, given),
	)
}

const routeHead = (name, route) => {
	const { deprecated: gone, tags, path } = route
	const url = urlOf(path)
	const since = gone?.since ? ` since ${gone.since}` : ""
	const until = gone?.remove_on ? `, gone after ${gone.remove_on}` : ""
	const use = gone?.use && ["; call ", h("a", { href: place("routes", gone.use) }, gone.use), " instead"]
	return [
		h(
			"p.path",
			h("span.quiet", "POST"),
			h("code", at.base ? new URL(url).pathname : `/${name}`),
			copier(() => url, "the URL"),
			copier(() => brief(name, route), "this page as Markdown", "Copy as Markdown"),
		),
		h("div.marks", marks(route), tags.map((tag) => h("a.mark", { href: place("tags", tag) }, tag))),
		gone && h("p.breach", `Deprecated${since}${until}`, use),
	]
}

export const typePage = (name) => {
	const schema = own(doc.$defs, name)
	if (!schema) return missing("type", name)
	const users = usesOf(name).map((use) => row(use, `as ${use.as}`))
	return page(
		name,
		[quiet("Type"), schema.description && markdown(schema.description)],
		typed(name, schema, name.endsWith("Input"), ["types", name, "fields"]),
		section("Used by", place("types", name, "uses"), rows(users, "Nothing but code that imports it.")),
	)
}

const users = (code) => routes().filter(([, route]) => own(route.errors, code))

export const errorPage = (code) => {
	const [, found] = failures().find(([each]) => each === code) ?? []
	if (!found) return missing("error", code)
	const { status, description, data, data_required } = found
	const where = ["errors", code, "data"]
	const by = users(code).map(([name, route]) => row(to("routes", name), route.summary))
	const carried = data && [!data_required && quiet("It may be absent."), typed("Data", data, false, where)]
	return page(
		code,
		[quiet(`Error, status ${status}`), markdown(description)],
		section("Data", place(...where), carried ?? quiet("None.")),
		section("Declared by", place("errors", code, "routes"), rows(by, "No route; any may answer with it.")),
	)
}

// Lists.

export const routesPage = (tag) => {
	const list = (of) =>
		of.map(([name, route]) => row(to("routes", name), route.summary, h("span.marks", marks(route, true))))
	if (tag) {
		const found = routes().filter(([, { tags }]) => tags.includes(tag))
		return page(tag, quiet("Tag"), rows(list(found), "No route has this tag."))
	}
	const all = groups().map(([name, of]) => {
		const made = h("ul.rows", list(of))
		return name ? section(name, null, made) : made
	})
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
	const one = ([code, { status, description }]) => {
		const { length } = users(code)
		const used = length > 0 && h("span.quiet", plural(length, "route"))
		return row(to("errors", code), `${status}  ${description.split("\n")[0]}`, used)
	}
	const [any, mine] = [true, false].map((general) =>
		failures().filter(([code]) => Boolean(own(doc.errors, code)) === general),
	)
	const part = (title, of) => of.length > 0 && section(title, null, h("ul.rows", of.map(one)))
	return page("Errors", null, part("Of this service", mine), part("Of any route", any))
}
