/** Main: the shell around the pages, and the way between them. */

import { LINK } from "./call.js"
import { allTags, at, doc, groups, load, own, place, search, toolOf, tools } from "./contract.js"
import {
	errorPage,
	errorsPage,
	hasHome,
	home,
	marks,
	mcp,
	missing,
	routePage,
	routesPage,
	typePage,
	typesPage,
} from "./pages.js"
import { paint, system } from "./theme.js"
import { attempt, copier, fill, h, icon, keep, link, plural, safe, say } from "./tools.js"

const root = document.documentElement
const main = /** @type {HTMLElement} */ (document.getElementById("main"))

// The shell.

/** Close the dialog around what was clicked; a click beside a dialog is one on itself. @type {Fn.shut} */
const shut = ({ target, currentTarget }) => {
	if (target === currentTarget || currentTarget.localName !== "dialog") target.closest("dialog").close()
}
/** @type {Fn.away} */
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
	const button = h("button.icon-button", { "aria-label": "Light or dark", onclick }, icon(other()))
	return button
}

const noticed = () => {
	const { notice } = doc.ui
	if (!notice) return
	const { title, message, command, links } = notice
	const copied =
		command &&
		h(
			"span.command",
			h("code", command),
			copier(() => command, "the command"),
		)
	const text = h("p", { dir: "auto" }, title && h("strong", title, " "), message)
	return h("aside.notice", { "aria-label": "Notice" }, text, copied, links?.map(away))
}

/** @type {Fn.header} */
const header = (menu, pinned) => {
	const {
		info,
		ui: { logo },
	} = doc
	const images = logo && [
		h("img.for-light", { src: logo.light, alt: "" }),
		h("img.for-dark", { src: logo.dark ?? logo.light, alt: "" }),
	]
	const title = h("strong", { dir: "auto" }, info.title)
	const keys = h("kbd", /Mac|iP/.test(navigator.platform) ? "⌘K" : "Ctrl K")
	return h(
		"header.top",
		h("button.icon-button.narrow", { "aria-label": "Menu", onclick: menu }, icon("menu")),
		h("a.brand", { href: "#/" }, images ?? h("span.own-mark"), title, h("code.quiet", info.version)),
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
	const open = () => {
		drawer.append(side)
		drawer.showModal()
	}
	addEventListener("hashchange", close)
	matchMedia("(min-width: 60rem)").onchange = close
	/** @type {Props["onclick"]} */
	const skip = (event) => {
		event.preventDefault()
		main.focus()
	}
	fill(
		document.body,
		h("a.skip", { href: "#main", onclick: skip }, "Skip to the content"),
		noticed(),
		header(open, pinned),
		body,
		h("footer.foot", h("span.narrow.links", outside()), doc.ui.footer?.poweredBy !== false && "Powered by contract"),
		drawer,
		h("div.away", { id: "live", role: "status" }),
	)
}

/** @type {Map<string, HTMLElement>} */
const anchors = new Map()
/** @type {Fn.sideLink} */
const anchor = (href, ...label) => {
	const made = h("a", { href }, label)
	anchors.set(href, made)
	return made
}

const sidebar = () => {
	/** @type {[HTMLElement, Route][]} */
	const items = []
	/** @type {Fn.sideItem} */
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
	const pages = [
		hasHome() && ["", "Overview"],
		["routes", "Routes"],
		["types", "Types"],
		["errors", "Errors"],
		tools().length > 0 && ["mcp", "MCP"],
	]
	return h(
		"nav.sidebar",
		{ "aria-label": "Contract" },
		h(
			"ul",
			pages.map((each) => each && h("li", anchor(`#/${each[0]}`, each[1]))),
		),
		items.length > 3 && h("div.filters", { role: "group", "aria-label": "Filter routes" }, filters(items, parts, none)),
		parts,
		none,
	)
}

/** @type {Fn.filters} */
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
	const selects = Object.entries(choices).map(([name, all]) =>
		h(
			"select",
			{ "aria-label": name, onchange: sift },
			Object.entries({ "": name, ...all }).map(([value, text]) => h("option", { value }, text)),
		),
	)
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
	/** @type {Fn.go} */
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
	/** @type {Props["onkeydown"]} */
	const onkeydown = (event) => {
		const step = { ArrowDown: 1, ArrowUp: -1, Enter: 0 }[event.key]
		if (step === undefined || event.target !== input) return
		event.preventDefault()
		step ? choose(on + step) : options[on]?.click()
	}
	const top = h("div.head", icon("search"), input, h("button.small", { onclick: shut }, "Esc"))
	/** @type {HTMLDialogElement} */
	const dialog = h(
		"dialog.find",
		{ "aria-label": "Search", onclose: () => dialog.remove(), onclick: shut, onkeydown },
		top,
		list,
		count,
	)
	document.body.append(dialog)
	dialog.showModal()
	input.focus()
	look()
}

// The way.

/** @type {Record<string, [() => HTMLElement, Fn.routePage]>} */
const PAGES = {
	routes: [routesPage, routePage],
	types: [typesPage, typePage],
	errors: [errorsPage, errorPage],
	tags: [routesPage, routesPage],
	mcp: [mcp, mcp],
}
/** @type {Map<string, number>} */
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

/** The page of that name. A contract without an introduction opens with its first route. @type {Fn.pageOf} */
const pageOf = (kind, name, input) => {
	const first = groups()[0]?.[1][0][0]
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

/** @type {Fn.open} */
const open = (kind, name, input, page) => {
	shown = page
	fill(main, pageOf(kind, name, input))
	const title = main.querySelector("h1")?.textContent
	document.title = `${title === doc.info.title ? "" : `${title} · `}${doc.info.title} ${doc.info.version}`
	const first = groups()[0]?.[1][0][0]
	const current = !kind && !hasHome() && first ? place("routes", first) : page
	for (const [href, anchor] of anchors) {
		anchor.ariaCurrent = href === current ? "page" : null
		if (href === current) anchor.scrollIntoView({ block: "nearest" })
	}
}

/** Go to a part of the page: what it is folded in is opened on the way. @type {Fn.reveal} */
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

/** @type {Fn.unfold} */
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
		fill(
			main,
			h("h1", "The contract cannot be shown"),
			h("p", `${error}`),
			h("p", h("a", { href: at.contract }, at.contract)),
		)
		return
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
