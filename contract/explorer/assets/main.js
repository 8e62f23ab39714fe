/** Main: the colours, the shell around the pages, and the way between them. */

import { LINK } from "./call.js"
import { allTags, at, doc, groups, load, own, place, search, toolOf, tools } from "./contract.js"
import {
	errorPage, errorsPage, hasHome, home, marks, mcp, missing, routePage, routesPage, typePage, typesPage,
} from "./pages.js"
import {
	attempt, copier, fill, h, icon, iconButton, keep, kept, link, MAC, plural, safe, say, small,
} from "./tools.js"

const root = document.documentElement
const main = /** @type {HTMLElement} */ (document.getElementById("main"))

// The colours. Given ones stay, others are derived; text has contrast enough (WCAG 2.2, section 1.4.3).

const canvas = /** @type {CanvasRenderingContext2D} */ (
	document.createElement("canvas").getContext("2d", { willReadFrequently: true })
)
const BLACK = [0, 0, 0]
const WHITE = [255, 255, 255]
const ACCENT = "#3d5fd0"
/** Of what is good or bad, and of code. */
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

/** Paint the page, and say whether the theme leaves no choice between light and dark. */
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

/** Close the dialog around what was clicked; a click beside a dialog is one on itself. */
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
	const copy = copier(() => command ?? "", "the command")
	const copied = command && h("span.command", h("code", command), copy)
	const text = h("p", { dir: "auto" }, title && h("strong", title, " "), message)
	return h("aside.notice", { "aria-label": "Notice" }, text, copied, links?.map(away))
}

const header = (menu, pinned) => {
	const { logo } = doc.ui
	const { title, version } = doc.info
	const images = logo && [
		h("img.for-light", { src: logo.light, alt: "" }),
		h("img.for-dark", { src: logo.dark ?? logo.light, alt: "" }),
	]
	const name = h("strong", { dir: "auto" }, title)
	const keys = h("kbd", MAC ? "⌘K" : "Ctrl K")
	return h(
		"header.top",
		h("span.narrow", iconButton("menu", "Menu", menu)),
		h("a.brand", { href: "#/" }, images ?? h("span.own-mark"), name, h("code.quiet", version)),
		h("button.search", { onclick: find }, icon("search"), h("span", "Search"), keys),
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
		h("div.away", { id: "live", role: "status" }),
	)
}

const anchors = new Map()
const anchor = (href, ...label) => {
	const made = h("a", { href }, label)
	anchors.set(href, made)
	return made
}

const sidebar = () => {
	/** @type {[HTMLElement, Route][]} */
	const items = []
	const item = ([name, route]) => {
		const made = anchor(place("routes", name), h("span", name), marks(route, true))
		const shown = h("li", { class: route.deprecated && "old", title: route.summary }, made)
		items.push([shown, route])
		return shown
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
	const links = Object.entries(pages).map(([kind, title]) => title && h("li", anchor(`#/${kind}`, title)))
	const filtering = { role: "group", "aria-label": "Filter routes" }
	return h(
		"nav.sidebar",
		{ "aria-label": "Contract" },
		h("ul", links),
		items.length > 3 && h("div.filters", filtering, filters(items, parts, none)),
		parts,
		none,
	)
}

const filters = (items, parts, none) => {
	const sift = () => {
		/** @type {Record<string, string>} */
		const { Auth, MCP, Tag } = Object.fromEntries(selects.map((each) => [each.ariaLabel, each.value]))
		for (const [item, route] of items) {
			const isOther = MCP && !toolOf(route) !== (MCP === "no")
			item.hidden = Boolean((Auth && route.auth !== Auth) || isOther || (Tag && !route.tags.includes(Tag)))
		}
		for (const part of parts) part.hidden = !part.querySelector("li:not([hidden])")
		const count = items.filter(([item]) => !item.hidden).length
		none.hidden = count > 0
		say(plural(count, "route"))
	}
	const choices = {
		Auth: { none: "No token", bearer: "Token" },
		...(tools().length && { MCP: { yes: "Tools", no: "No tools" } }),
		Tag: Object.fromEntries(allTags().map((tag) => [tag, tag])),
	}
	const selects = Object.entries(choices).map(([name, all]) => {
		const options = Object.entries({ "": name, ...all }).map(([value, text]) => h("option", { value }, text))
		return h("select", { "aria-label": name, onchange: sift }, options)
	})
	return selects
}

// Find.

/** As many results are shown as somebody may look at. */
const SHOWN = 40

const find = () => {
	if (document.querySelector("dialog[open]")) return
	let on = 0
	/** @type {HTMLElement[]} */
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
	const input = h("input", {
		type: "text",
		role: "combobox",
		placeholder: "Routes, types, fields, errors, tags",
		"aria-label": "Search",
		"aria-controls": "found",
		"aria-expanded": "true",
		autocomplete: "off",
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
	/** @type {HTMLDialogElement} */
	const dialog = h("dialog.find", props, top, list, count)
	document.body.append(dialog)
	dialog.showModal()
	input.focus()
	look()
}

// The way.

const PAGES = {
	routes: [routesPage, routePage],
	types: [typesPage, typePage],
	errors: [errorsPage, errorPage],
	tags: [routesPage, routesPage],
	mcp: [mcp, mcp],
}
const heights = new Map()
let here = ""
let shown = ""
let asked = false

/** What an address names: a page, parts of it one in the other, an input to fill in. */
const address = () => {
	const [path, query = ""] = location.hash.slice(2).split(/\?(.*)/s)
	const [kind = "", name = "", ...parts] = path.split("/").map((part) => attempt(() => decodeURIComponent(part), part))
	const input = location.href.length > LINK ? null : new URLSearchParams(query).get("input")
	return { kind, name, parts, input }
}

const firstRoute = () => groups()[0]?.[1][0][0]

const pageOf = (kind, name, input) => {
	const first = firstRoute()
	const [list, one] = own(PAGES, kind) ?? []
	if (kind) return list && one ? (name ? one(name, input) : list()) : missing("page", kind)
	if (hasHome()) return home()
	return first ? routePage(first, input) : routesPage()
}

const go = () => {
	const { kind, name, parts, input } = address()
	const again = here
	here = location.hash || "#/"
	const page = name ? place(kind, name) : `#/${kind}`
	if (page !== shown || input || !parts.length) open(kind, name, input, page)
	if (input) history.replaceState(null, "", page) // what is changed from here on is kept as a draft
	scrollTo(0, asked || parts.length ? 0 : (heights.get(here) ?? 0))
	if (!reveal([kind, name], parts) && again) main.querySelector("h1")?.focus({ preventScroll: true })
	asked = false
}

const open = (kind, name, input, page) => {
	shown = page
	fill(main, pageOf(kind, name, input))
	const title = main.querySelector("h1")?.textContent
	document.title = `${title === doc.info.title ? "" : `${title} · `}${doc.info.title} ${doc.info.version}`
	const first = firstRoute()
	const current = !kind && !hasHome() && first ? place("routes", first) : page
	for (const [href, anchor] of anchors) {
		anchor.ariaCurrent = href === current ? "page" : null
		if (href === current) anchor.scrollIntoView({ block: "nearest" })
	}
}

/** Go to a part of the page: what it is folded in is opened on the way. */
const reveal = (path, parts) => {
	/** @type {HTMLElement | null} */
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
	addEventListener("click", ({ target }) => (asked = target instanceof Element && Boolean(target.closest("a"))), true)
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
