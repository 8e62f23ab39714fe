/** Main: the pages, the shell around them, the way between them, and the colours. */

import { brief, generate, LINK, pythonModule, tryIt } from "./call.js"
import {
	about, allTags, at, body, doc, failures, general, groups, isIn, label, load, members, own, place, read, routes,
	rules, sample, search, titled, to, toolOf, tools, urlOf, usesOf, waysOf, words,
} from "./contract.js"
import {
	attempt, block, copier, fill, h, icon, iconButton, json, keep, kept, link, live, MAC, markdown, plural, quiet, safe,
	say, shown, slug, small, stringify, tabs, textBox,
} from "./tools.js"

const hasHome = () => Boolean(doc.info.description || doc.ui.website || doc.ui.sdkInstall)

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
const TOKENS = { none: "No token", optional: "Token or none", bearer: "Bearer token" }
const EFFECTS = { read: "Only reads", idempotent: "Safe to repeat", write: "Writes", destructive: "Destructive" }

const asked = (route) => {
	const taken = waysOf(route).map((way) => (isIn(way) ? way : TOKENS.bearer))
	return [...taken, ...(route.auth === "bearer" ? [] : [taken.length ? "none" : TOKENS.none])].join(" or ")
}

const marks = (route, short) => {
	const { deprecated, scope, auth, requires = [], effect, gets, pages } = route
	const tool = toolOf(route)
	const named = tool && (short ? mark("MCP", "", `The tool ${tool.name}`) : mark(["MCP tool ", h("code", tool.name)]))
	const plain = [
		mark(route.signed ? "Signed webhook" : asked(route)),
		requires.map((each) => mark(["scope ", h("code", each)])),
		route.between && mark("Stream"),
		route.media && mark("File"),
		mark(EFFECTS[effect], effect === "destructive" ? "bad" : ""),
		pages && mark("In pages"),
		gets !== undefined && mark(["Also ", h("code", "GET ?input="), gets]),
	]
	return [
		deprecated && (short ? h("span.away", "deprecated") : mark("deprecated", "warn")),
		scope === "private" && mark("private"),
		named,
		short ? auth === "bearer" && locked() : plain,
	]
}

const missing = (what, name) => {
	const why = [h("code", name), ". It may have been renamed or taken away."]
	const start = h("p", h("a", { href: "#/" }, "To the start"))
	return page(`There is no such ${what}`, h("p", "Nothing in this contract is called ", why), start)
}

const home = () => {
	const { info, ui } = doc
	const command = (file) => () => block(generate(file), "the command")
	const all = { routes: routes(), types: Object.keys(doc.$defs), errors: failures(), mcp: tools() }
	const counts = Object.entries(all).map(([kind, { length }]) => {
		return length > 0 && h("a", { href: `#/${kind}` }, plural(length, kind === "mcp" ? "tool" : kind.slice(0, -1)))
	})
	const { length: events } = Object.keys(doc.events ?? {})
	if (events) counts.push(h("a", { href: "#/routes" }, plural(events, "event")))
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

const mcp = () => {
	const lead = h("p", "The routes below are tools for agents, over MCP, the Model Context Protocol.")
	return tools().length ? page("Connect an agent", lead, panel()) : missing("page", "mcp")
}

const panel = () => {
	const url = urlOf(doc.links.mcp ?? "")
	const ways = tools().flatMap(([, route]) => waysOf(route))
	const way = ways.find((each) => !isIn(each)) ?? ways.find((each) => isIn(each) === "header")
	const all = tools().map(([name, { mcp, effect, auth }]) => {
		const to = { href: place("routes", name), text: mcp?.name ?? "" }
		return row(to, mcp?.title, h("span.quiet", EFFECTS[effect], " ", auth === "bearer" && locked()))
	})
	return [
		block(url, "the endpoint"),
		way && doc.ui.authHint && quiet(icon("lock"), " ", doc.ui.authHint),
		tabs("Client", clients(url, way), "client"),
		h("ul.rows", all),
	]
}

const clients = (url, way) => {
	const field = (isIn(way) && way) || "Authorization"
	const scheme = isIn(way) ? "" : "Bearer "
	const name = slug(doc.info.title, "-")
	const as = (token) => way !== undefined && { headers: { [field]: scheme + token } }
	const file = (path, config) => () => [
		quiet("In ", h("code", path)),
		typeof config === "string" ? block(config, path) : json(config, path),
	]
	const server = (path, config) => file(path, { mcpServers: { [name]: config } })
	const header = way ? ` \\\n  --header "${field}: ${scheme}$TOKEN"` : ""
	const args = ["mcp-remote", url, ...(way ? ["--header", `${field}:\${AUTH}`] : [])]
	const env = way && { env: { AUTH: `${scheme}TOKEN` } }
	const asked = way && { inputs: [{ type: "promptString", id: "token", description: "Token", password: true }] }
	const secret = scheme ? 'bearer_token_env_var = "TOKEN"' : `env_http_headers = { "${field}" = "TOKEN" }`
	const toml = `[mcp_servers.${name}]\nurl = ${JSON.stringify(url)}${way ? `\n${secret}` : ""}`
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
	const typeLink = (name) => h("a", { href: place("types", name) }, titled(name))
	const piece = (each) => (typeof each === "string" ? each : typeLink(each.type))
	return h("span.quiet", label(schema).map(piece))
}
const choices = (all) => h("p.rules", all.map((each) => h("code", shown(each))))

const tree = (schema, sent, where, more = []) => {
	const shape = read(schema)
	const { kind } = shape
	const leaves = [...members(shape), ...more].map(({ name, schema: each, required, at }) => {
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
			folded(inner.name ? `Inside ${titled(inner.name)}` : "Inside", () => tree({ ...inner.of }, sent, where)),
	)
}

const folded = (summary, make) => {
	const ontoggle = () => details.children.length > 1 || details.append(h("div", make()))
	const details = h("details", { ontoggle }, h("summary", icon("open"), summary))
	return details
}

const typed = (name, schema, sent, where, more) => {
	const deep = decodeURIComponent(location.hash).startsWith(`${decodeURIComponent(place(...where))}/`)
	const panes = {
		Fields: () => tree(schema, sent, where, more),
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

const routePage = (name, given) => {
	const route = own(doc.routes, name)
	if (!route) return missing("route", name)
	const { between, errors, description, input, media, output, summary } = route
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
			part("Input", "input", typed("Input", input, true, where("input"), route.brought)),
			part(
				between ? "Output, item by item" : "Output",
				"output",
				media ? quiet(`A file: ${media.join(" or ")}.`) : typed("Output", output, false, where("output")),
			),
			between && part("Errors between items", "between", failureList(Object.entries(between), where("between"))),
			part(
				"Errors",
				"errors",
				mine.length ? failureList(mine, where("errors")) : quiet("None of its own."),
				folded(`Any route may also answer with ${plural(others.length, "code")}`, () =>
					failureList(others, where("errors")),
				),
			),
		),
		route.signed ? quiet("Its senders sign each body with a secret, which no page has.") : tryIt(name, route, given),
	)
}

const routeHead = (name, route) => {
	const { deprecated: gone, tags, path } = route
	const url = urlOf(path)
	const { since, remove_on, use } = gone ?? {}
	const instead = use && ["; call ", h("a", { href: place("routes", use) }, use), " instead"]
	return [
		h(
			"p.path",
			h("span.quiet", "POST"),
			h("code", at.base ? new URL(url).pathname : `/${name}`),
			copier(() => url, "the URL"),
			copier(() => brief(name, route), "this page as Markdown", "Copy as Markdown"),
		),
		h("div.marks", marks(route), tags.map((tag) => h("a.mark", { href: place("tags", tag) }, tag))),
		gone && h("p.breach", "Deprecated", since && ` since ${since}`, remove_on && `, gone after ${remove_on}`, instead),
	]
}

const typePage = (name) => {
	const schema = own(doc.$defs, name)
	if (!schema) return missing("type", name)
	const users = usesOf(name).map((use) => row(use, `as ${use.as}`))
	return page(
		titled(name),
		[quiet("Type"), schema.description && markdown(schema.description)],
		typed(name, schema, name.endsWith("Input"), ["types", name, "fields"]),
		section("Used by", place("types", name, "uses"), rows(users, "Nothing but code that imports it.")),
	)
}

const users = (code) => routes().filter(([, { errors, between }]) => own(errors, code) || own(between ?? {}, code))

const errorPage = (code) => {
	const found = own(Object.fromEntries(failures()), code)
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

const routesPage = (tag) => {
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
	const sent = Object.entries(doc.events ?? {}).map(([name, { summary, message }]) =>
		row(to("types", message.$ref.slice(8)), summary, h("code", name)),
	)
	if (sent.length > 0) all.push(section("Events, sent by webhooks", null, h("ul.rows", sent)))
	const none = "There are no routes yet. Add one with @route, list it in spec(routes=...), and it appears here."
	return page("Routes", null, all.length ? all : rows([], none))
}

const typesPage = () => {
	const all = Object.entries(doc.$defs).map(([name, { description = "" }]) =>
		row(to("types", name), description.split("\n")[0], h("span.quiet", plural(usesOf(name).length, "use"))),
	)
	return page("Types", null, rows(all, "This contract names no types."))
}

const errorsPage = () => {
	const one = ([code, { status, description }]) => {
		const { length } = users(code)
		const used = length > 0 && h("span.quiet", plural(length, "route"))
		return row(to("errors", code), `${status}  ${description.split("\n")[0]}`, used)
	}
	const part = (title, general) => {
		const found = failures().filter(([code]) => Boolean(own(doc.errors, code)) === general)
		return found.length > 0 && section(title, null, h("ul.rows", found.map(one)))
	}
	return page("Errors", null, part("Of this service", false), part("Of any route", true))
}

const root = document.documentElement
const main = /** @type {HTMLElement} */ (document.getElementById("main"))

// The colours. Given ones stay, others are derived; text has contrast enough (WCAG 2.2, section 1.4.3).

const canvas = /** @type {CanvasRenderingContext2D} */ (h("canvas").getContext("2d", { willReadFrequently: true }))
const BLACK = [0, 0, 0]
const WHITE = [255, 255, 255]
const ACCENT = "#3d5fd0"
const INKS = {
	good: "#1d8049", warn: "#a36a00", bad: "#d03a30", t1: "#3f6ea3", t2: "#1e8057", t3: "#a8601c", t4: "#8650bd"
}

const colour = (text) => {
	for (const each of ["#fff", text]) {
		canvas.fillStyle = each
		canvas.fillRect(0, 0, 1, 1)
	}
	return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
}
const light = (colour) => {
	const linear = colour.map((part) => (part < 11 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4))
	return 0.05 + linear[0] * 0.2126 + linear[1] * 0.7152 + linear[2] * 0.0722
}
const contrast = (one, two) => Math.max(light(one), light(two)) / Math.min(light(one), light(two))
const mix = (from, to, part) => from.map((each, index) => Math.round(each + (to[index] - each) * part))
const end = (ground) => (contrast(ground, BLACK) > contrast(ground, WHITE) ? BLACK : WHITE)

const readable = (wanted, grounds, least = 4.6) => {
	for (let part = 0; part < 1; part += 0.05) {
		const found = mix(wanted, end(grounds[0]), part)
		if (grounds.every((ground) => contrast(found, ground) >= least)) return found
	}
	return end(grounds[0])
}

const rule = (where, base, accent) => {
	const ink = end(base)
	const soft = mix(base, colour(accent), 0.1)
	const fill = readable(colour(accent), [base], 1.6)
	const inks = Object.entries({ ...INKS, accent }).map(([name, text]) => [name, readable(colour(text), [base, soft])])
	const all = {
		base,
		soft,
		fill,
		"on-fill": contrast(fill, WHITE) > 4.5 ? WHITE : end(fill),
		line: mix(base, ink, 0.13),
		edge: readable(mix(base, ink, 0.4), [base], 3.1),
		text: readable(mix(base, ink, 0.9), [base, soft]),
		muted: readable(mix(base, ink, 0.62), [base, soft]),
		...Object.fromEntries(inks),
	}
	const colours = Object.entries(all).map(([name, rgb]) => `--${name}:rgb(${rgb.join(" ")})`).join(";")
	return `${where}{color-scheme:${ink === WHITE ? "dark" : "light"};${colours}}`
}

const sheet = new CSSStyleSheet()
document.adoptedStyleSheets = [sheet]
const system = matchMedia("(prefers-color-scheme: dark)")
root.style.colorScheme = kept("mode", true) ?? "" // until there is more to go by

const paint = () => {
	const { accent = ACCENT, background, surface } = doc.ui.theme ?? {}
	const pinned = background ?? surface
	const asked = kept("mode", true) ?? (system.matches && "dark")
	const dark = pinned ? end(colour(pinned)) === WHITE : asked === "dark"
	const below = surface && mix(colour(surface), dark ? BLACK : WHITE, dark ? 0.25 : 0.6)
	const ground = background ? colour(background) : below || colour(dark ? "#111317" : "#fff")
	const raised = surface ? colour(surface) : mix(ground, end(ground), dark ? 0.045 : 0.025)
	sheet.replaceSync(rule(":root", ground, accent) + rule(".card, .code, dialog, .notice, .prose code", raised, accent))
	root.style.colorScheme = ""
	root.dataset.mode = dark ? "dark" : "light"
	return Boolean(pinned)
}

// The shell.

/** A click beside a dialog is one on itself. */
const shut = ({ target, currentTarget }) => {
	if (target === currentTarget || currentTarget.localName !== "dialog") target.closest("dialog").close()
}
const away = ({ href, label, external }) => link(href, [label, external && [" ", icon("out")]], external)

const outside = () => {
	const { openapi } = doc.links
	return [
		...(doc.ui.navbarLinks ?? []).map(away),
		link(at.contract, "contract.json"),
		openapi && link(new URL(openapi, at.contract).href, "openapi.json"),
		link("./llms.txt", "llms.txt"),
	]
}

const loadLooks = () => {
	const { theme, favicon } = doc.ui
	const family = theme?.fontFamily ?? ""
	for (const url of theme?.fontUrls?.filter((each) => safe(each)) ?? []) {
		const source = `url("${url.replaceAll('"', "%22")}")`
		if (!/\.(woff2?|[ot]tf)\b/.test(url)) document.head.append(h("link", { rel: "stylesheet", href: url }))
		else document.fonts.add(new FontFace(family.split(",")[0].replace(/["']/g, ""), source))
	}
	if (family) root.style.setProperty("--sans", family)
	if (favicon && safe(favicon, true)) document.querySelector("link[rel=icon]")?.setAttribute("href", favicon)
}

const modeButton = () => {
	const other = () => (root.dataset.mode === "dark" ? "light" : "dark")
	const onclick = () => {
		keep("mode", other(), true)
		paint()
		fill(button, icon(other()))
	}
	const button = iconButton(other(), "Light or dark", onclick)
	return button
}

const noticed = () => {
	const { notice } = doc.ui
	if (!notice) return
	const { title, message, command, links } = notice
	return h(
		"aside.notice",
		{ "aria-label": "Notice" },
		h("p", { dir: "auto" }, title && h("strong", title, " "), message),
		command && h("span.command", h("code", command), copier(() => command, "the command")),
		links?.map(away),
	)
}

const header = (menu, pinned) => {
	const { logo } = doc.ui
	const { title, version } = doc.info
	const image = (mode, src) => h(`img.for-${mode}`, { src, alt: "" })
	const images = logo && [image("light", logo.light), image("dark", logo.dark ?? logo.light)]
	const name = h("strong", { dir: "auto" }, title)
	return h(
		"header.top",
		h("span.narrow", iconButton("menu", "Menu", menu)),
		h("a.brand", { href: "#/" }, images ?? h("span.own-mark"), name, h("code.quiet", version)),
		h("button.search", { onclick: find }, icon("search"), h("span", "Search"), h("kbd", MAC ? "⌘K" : "Ctrl K")),
		h("nav.links", { "aria-label": "Links" }, outside()),
		!pinned && modeButton(),
	)
}

const shell = () => {
	const pinned = paint()
	system.onchange = paint
	loadLooks()
	const side = sidebar()
	const body = h("div.body", side, main)
	const drawer = h("dialog.drawer", { "aria-label": "Menu", onclose: () => body.prepend(side), onclick: shut })
	const close = () => drawer.close()
	const openDrawer = () => {
		drawer.append(side)
		drawer.showModal()
	}
	addEventListener("hashchange", close)
	matchMedia("(min-width: 60rem)").onchange = close
	const skip = (event) => {
		event.preventDefault()
		main.focus()
	}
	fill(
		document.body,
		h("a.skip", { href: "#main", onclick: skip }, "Skip to the content"),
		noticed(),
		header(openDrawer, pinned),
		body,
		h("footer.foot", h("span.narrow.links", outside()), doc.ui.footer?.poweredBy !== false && "Powered by contract"),
		drawer,
		live,
	)
}

const anchors = new Map()
const sideLink = (href, ...label) => {
	const made = h("a", { href }, label)
	anchors.set(href, made)
	return made
}

const sidebar = () => {
	const items = []
	const item = ([name, route]) => {
		const made = sideLink(place("routes", name), h("span", name), marks(route, true))
		const entry = h("li", { class: route.deprecated && "old", title: route.summary }, made)
		items.push([entry, route])
		return entry
	}
	const parts = groups().map(([tag, all], _, { length }) =>
		h("section", h("h2", tag || (length > 1 ? "Others" : "Routes")), h("ul", all.map(item))),
	)
	const none = h("p.quiet", { hidden: true }, "No route has all of these.")
	const pages = {
		"": hasHome() && "Overview",
		routes: "Routes",
		types: "Types",
		errors: "Errors",
		mcp: tools().length > 0 && "MCP",
	}
	const links = Object.entries(pages).map(([kind, title]) => title && h("li", sideLink(`#/${kind}`, title)))
	const props = { role: "group", "aria-label": "Filter routes" }
	const filter = items.length > 3 && h("div.filters", props, filters(items, parts, none))
	return h("nav.sidebar", { "aria-label": "Contract" }, h("ul", links), filter, parts, none)
}

const filters = (items, parts, none) => {
	const sift = () => {
		const { Auth, MCP, Tag } = Object.fromEntries(selects.map((each) => [each.ariaLabel, each.value]))
		for (const [item, route] of items) {
			const isOther = MCP && !toolOf(route) !== (MCP === "no")
			item.hidden = Boolean((Auth && route.auth !== Auth) || isOther || (Tag && !route.tags.includes(Tag)))
		}
		for (const part of parts) part.hidden = !part.querySelector("li:not([hidden])")
		const { length } = items.filter(([item]) => !item.hidden)
		none.hidden = length > 0
		say(plural(length, "route"))
	}
	const all = {
		Auth: TOKENS,
		...(tools().length && { MCP: { yes: "Tools", no: "No tools" } }),
		Tag: Object.fromEntries(allTags().map((tag) => [tag, tag])),
	}
	const selects = Object.entries(all).map(([name, choices]) => {
		const options = Object.entries({ "": name, ...choices }).map(([value, text]) => h("option", { value }, text))
		return h("select", { "aria-label": name, onchange: sift }, options)
	})
	return selects
}

// Find.

const SHOWN = 40

const find = () => {
	if (document.querySelector("dialog[open]")) return
	let on = 0
	let options = []
	const list = h("div", { role: "listbox", id: "found", "aria-label": "Results" })
	const count = h("p.quiet", { role: "status" })
	const choose = (next) => {
		on = (next + options.length) % options.length || 0
		options.forEach((option, index) => (option.ariaSelected = `${index === on}`))
		input.setAttribute("aria-activedescendant", options[on]?.id ?? "")
		options[on]?.scrollIntoView({ block: "nearest" })
	}
	const look = () => {
		const all = search(input.value)
		options = all.slice(0, SHOWN).map(({ kind, href, title, note }, index) => {
			const props = { role: "option", id: `o${index}`, tabindex: -1, href, onclick: shut }
			return h("a", props, h("span.mark", kind), h("code.name", title), h("span.note", { dir: "auto" }, note))
		})
		fill(list, options)
		const some = `${plural(all.length, "match", "matches")}${all.length > SHOWN ? `, of which the best ${SHOWN}` : ""}`
		fill(count, all.length ? some : `Nothing in this contract has “${input.value}”.`)
		choose(0)
	}
	const input = textBox({
		type: "text",
		role: "combobox",
		placeholder: "Routes, types, fields, errors, tags",
		"aria-label": "Search",
		"aria-controls": "found",
		"aria-expanded": "true",
		spellcheck: "false",
		oninput: look,
	})
	const onkeydown = (event) => {
		const step = { ArrowDown: 1, ArrowUp: -1, Enter: 0 }[event.key]
		if (step === undefined || event.target !== input) return
		event.preventDefault()
		step ? choose(on + step) : options[on]?.click()
	}
	const top = h("div.head", icon("search"), input, small("Esc", () => dialog.close()))
	const props = { "aria-label": "Search", onclose: () => dialog.remove(), onclick: shut, onkeydown }
	const dialog = h("dialog.find", props, top, list, count)
	document.body.append(dialog)
	dialog.showModal()
	input.focus()
	look()
}

// The way.

const PAGES = {
	"": [home, home],
	routes: [routesPage, routePage],
	types: [typesPage, typePage],
	errors: [errorsPage, errorPage],
	tags: [routesPage, routesPage],
	mcp: [mcp, mcp],
}
const heights = new Map()
let here = ""
let showing = ""
let clicked = false

const address = () => {
	const [path, query = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s)
	const all = path.split("/").map((part) => attempt(() => decodeURIComponent(part), part))
	if (!own(PAGES, all[0]) && own(doc.routes, all[0])) all.unshift("routes") // a link that somebody wrote by hand
	const [kind = "", name = "", ...parts] = all
	const input = location.href.length > LINK ? null : new URLSearchParams(query).get("input")
	return { kind, name, parts, input }
}

const pageOf = (kind, name, input) => {
	const [list, one] = own(PAGES, kind) ?? []
	if (!list || !one) return missing("page", kind)
	return name ? one(name, input) : list()
}

const go = () => {
	const { kind, name, parts, input } = address()
	const again = here
	here = location.hash || "#/"
	const page = name ? place(kind, name) : `#/${kind}`
	if (page !== showing || input || !parts.length) open(kind, name, input, page)
	if (input) history.replaceState(null, "", page) // what is changed from here on is kept as a draft
	scrollTo(0, clicked || parts.length ? 0 : (heights.get(here) ?? 0))
	if (!reveal([kind, name], parts) && again) main.querySelector("h1")?.focus({ preventScroll: true })
	clicked = false
}

const open = (kind, name, input, page) => {
	showing = page
	const [of, one = ""] = kind || hasHome() ? [kind, name] : ["routes", groups()[0]?.[1][0][0]]
	fill(main, pageOf(of, one, input))
	const title = main.querySelector("h1")?.textContent
	document.title = `${title === doc.info.title ? "" : `${title} · `}${doc.info.title} ${doc.info.version}`
	const current = one ? place(of, one) : page
	for (const [href, anchor] of anchors) {
		anchor.ariaCurrent = href === current ? "page" : null
		if (href === current) anchor.scrollIntoView({ block: "nearest" })
	}
}

const reveal = (path, parts) => {
	let found = null
	for (let end = 1; end <= parts.length; end++) {
		const id = place(...path, ...parts.slice(0, end)).slice(1)
		if (!document.getElementById(id)) unfold(found ?? main)
		found = document.getElementById(id) ?? found
	}
	document.querySelector(".found")?.classList.remove("found")
	if (!found) return false
	for (let each = found.parentElement; each; each = each.parentElement)
		if (each instanceof HTMLDetailsElement) each.open = true
	found.tabIndex = -1
	found.classList.add("found")
	found.scrollIntoView()
	found.focus({ preventScroll: true })
	return true
}

const unfold = (within) => {
	// this event makes what is inside
	for (const each of within.querySelectorAll("details")) each.dispatchEvent(new Event("toggle"))
}

const start = async () => {
	const { contract = "", server } = root.dataset
	at.contract = new URL(contract, location.href).href
	at.base = server ? new URL(server.replace(/\/?$/, "/"), location.href).href : ""
	try {
		const answer = await fetch(at.contract, { cache: "no-cache" })
		if (!answer.ok) throw new Error(`The server answered ${answer.status}.`)
		load(await answer.text())
	} catch (error) {
		const there = h("a", { href: at.contract }, at.contract)
		return fill(main, h("h1", "The contract cannot be shown"), h("p", `${error}`), h("p", there))
	}
	shell()
	history.scrollRestoration = "manual"
	addEventListener("scroll", () => heights.set(here, scrollY), { passive: true })
	addEventListener("click", ({ target }) => (clicked = target instanceof Element && Boolean(target.closest("a"))), true)
	addEventListener("hashchange", go)
	addEventListener("keydown", (event) => {
		const typing = event.target instanceof Element && event.target.closest("input, textarea, select")
		if (!(event.key === "k" && (event.ctrlKey || event.metaKey)) && (event.key !== "/" || typing)) return
		event.preventDefault()
		find()
	})
	go()
}

start()
