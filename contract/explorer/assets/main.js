/** Main: the shell around the pages, and the way between them. */

import { allTags, at, doc, groups, load, own, routes, search, to } from "./model.js"
import { errorPage, errorsPage, hasHome, home, marks, mcp, missing, routePage, routesPage, typePage, typesPage } from "./pages.js"
import { attempt, copier, fill, h, icon, keep, kept, link, plural, safe, say } from "./tools.js"

const root = document.documentElement
const main = /** @type {HTMLElement} */ (document.getElementById("main"))
const system = matchMedia("(prefers-color-scheme: dark)")

// Colours: what is given stays, the rest is derived; what is to be read has contrast enough (WCAG 2.2, section 1.4.3).

const canvas = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d", { willReadFrequently: true }))
const BLACK = [0, 0, 0]
const WHITE = [255, 255, 255]
const INKS = { accent: "#3d5fd0", good: "#1d8049", warn: "#a36a00", bad: "#d03a30", t1: "#3f6ea3", t2: "#1e8057", t3: "#a8601c", t4: "#8650bd" }

/** @type {Fn.colour} */
const colour = (text) => {
	for (const each of ["#fff", text]) {
		canvas.fillStyle = each
		canvas.fillRect(0, 0, 1, 1)
	}
	return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
}
/** @type {Fn.light} */
const light = (colour) => colour.reduce((sum, part, index) => sum + (part < 11 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4) * [0.2126, 0.7152, 0.0722][index], 0.05)
/** @type {Fn.contrast} */
const contrast = (one, two) => Math.max(light(one), light(two)) / Math.min(light(one), light(two))
/** @type {Fn.mix} */
const mix = (from, to, part) => from.map((each, index) => Math.round(each + (to[index] - each) * part))
/** @type {Fn.end} */
const end = (ground) => (contrast(ground, BLACK) > contrast(ground, WHITE) ? BLACK : WHITE)

/** What is nearest to *wanted* and can be read on all of *grounds*. @type {Fn.readable} */
const readable = (wanted, grounds, least = 4.6) => {
	for (let part = 0; part < 1; part += 0.05) {
		const found = mix(wanted, end(grounds[0]), part)
		if (grounds.every((ground) => contrast(found, ground) >= least)) return found
	}
	return end(grounds[0])
}

root.style.colorScheme = kept("mode", true) ?? "" // until there is more to go by
const sheet = new CSSStyleSheet()
document.adoptedStyleSheets = [sheet]

const paint = () => {
	const { accent = INKS.accent, background, surface } = doc.ui.theme ?? {}
	const pinned = background ?? surface
	const dark = pinned ? end(colour(pinned)) === WHITE : (kept("mode", true) ?? (system.matches && "dark")) === "dark"
	const ground = background ? colour(background) : surface ? mix(colour(surface), dark ? BLACK : WHITE, dark ? 0.25 : 0.6) : colour(dark ? "#111317" : "#fff")
	/** @type {Fn.paints} */
	const rule = (where, base) => {
		const ink = end(base)
		const tint = colour(accent)
		const soft = mix(base, tint, 0.1)
		const fill = readable(tint, [base], 1.6)
		const inks = Object.entries({ ...INKS, accent }).map(([name, text]) => [name, readable(colour(text), [base, soft])])
		const all = { base, soft, line: mix(base, ink, 0.13), edge: readable(mix(base, ink, 0.4), [base], 3.1), fill, "on-fill": contrast(fill, WHITE) > 4.5 ? WHITE : end(fill), text: readable(mix(base, ink, 0.9), [base, soft]), muted: readable(mix(base, ink, 0.62), [base, soft]), ...Object.fromEntries(inks) }
		return `${where}{color-scheme:${ink === WHITE ? "dark" : "light"};${Object.entries(all).map(([name, rgb]) => `--${name}:rgb(${rgb.join(" ")})`).join(";")}}`
	}
	sheet.replaceSync(rule(":root", ground) + rule(".card, .code, dialog, .notice, .prose code", surface ? colour(surface) : mix(ground, end(ground), dark ? 0.045 : 0.025)))
	root.style.colorScheme = ""
	root.dataset.mode = dark ? "dark" : "light"
	return pinned
}

// The shell.

/** Close the dialog that something stands in; the dialog itself is clicked where the click is beside it. @type {Fn.shut} */
const shut = ({ target, currentTarget }) => (target === currentTarget || currentTarget.localName !== "dialog") && target.closest("dialog").close()
/** @type {Fn.away} */
const away = ({ href, label, external }) => link(href, [label, external && [" ", icon("out")]], external)

const shell = () => {
	const { info, ui, links } = doc
	const { logo, notice, theme, favicon } = ui
	const pinned = paint()
	system.onchange = paint
	const other = () => (root.dataset.mode === "dark" ? "light" : "dark")
	const mode = h("button.icon-button", { "aria-label": "Light or dark", onclick: () => {
		keep("mode", other(), true)
		paint()
		fill(mode, icon(other()))
	} }, icon(other()))
	for (const url of theme?.fontUrls?.filter((each) => safe(each)) ?? [])
		if (!/\.(woff2?|[ot]tf)\b/.test(url)) document.head.append(h("link", { rel: "stylesheet", href: url }))
		else document.fonts.add(new FontFace(theme?.fontFamily?.split(",")[0].replace(/["']/g, "") ?? "", `url("${url.replaceAll(`"`, "%22")}")`))
	if (theme?.fontFamily) root.style.setProperty("--sans", theme.fontFamily)
	if (favicon && safe(favicon, true)) document.querySelector("link[rel=icon]")?.setAttribute("href", favicon)
	const outside = () => [...(ui.navbarLinks ?? []).map(away), link(at.contract, "contract.json"), links.openapi && link(new URL(links.openapi, at.contract).href, "openapi.json")]
	const side = sidebar()
	const body = h("div.body", side, main)
	const drawer = h("dialog.drawer", { "aria-label": "Menu", onclose: () => body.prepend(side), onclick: shut })
	const close = () => drawer.close()
	addEventListener("hashchange", close)
	matchMedia("(min-width: 60rem)").onchange = close
	fill(
		document.body,
		h("a.skip", { href: "#main", onclick: (event) => {
			event.preventDefault()
			main.focus()
		} }, "Skip to the content"),
		notice && h("aside.notice", { "aria-label": "Notice" }, h("p", notice.title && h("strong", notice.title, " "), notice.message), notice.command && h("span.command", h("code", notice.command), copier(() => notice.command ?? "", "the command")), notice.links?.map(away)),
		h(
			"header.top",
			h("button.icon-button.narrow", { "aria-label": "Menu", onclick: () => {
				drawer.append(side)
				drawer.showModal()
			} }, icon("menu")),
			h("a.brand", { href: "#/" }, logo ? [h("img.for-light", { src: logo.light, alt: "" }), h("img.for-dark", { src: logo.dark ?? logo.light, alt: "" })] : h("span.own-mark"), h("strong", info.title), h("code.quiet", info.version)),
			h("button.search", { onclick: find }, icon("search"), h("span", "Search"), h("kbd", /Mac|iP/.test(navigator.platform) ? "⌘K" : "Ctrl K")),
			h("nav.links", { "aria-label": "Links" }, outside()),
			!pinned && mode,
		),
		body,
		h("footer.foot", h("span.narrow.links", outside()), ui.footer?.poweredBy !== false && "Powered by contract"),
		drawer,
		h("div.away", { id: "live", role: "status" }),
	)
}

/** @type {Map<string, HTMLElement>} */
const anchors = new Map()
/** @type {Fn.anchor} */
const anchor = (href, ...label) => {
	const made = h("a", { href }, label)
	anchors.set(href, made)
	return made
}

const sidebar = () => {
	/** @type {[HTMLElement, Route][]} */
	const items = []
	const parts = groups().map(([tag, all], _, { length }) => h("section", h("h2", tag || (length > 1 ? "Others" : "Routes")), h("ul", all.map(([name, route]) => {
		const item = h("li", { class: route.deprecated && "old", title: route.summary }, anchor(to("routes", name).href, h("span", name), marks(route, true)))
		items.push([item, route])
		return item
	}))))
	const none = h("p.quiet", { hidden: true }, "No route has all of these.")
	const sift = () => {
		const [auth, mcp, tag] = filters.map(({ value }) => value)
		for (const [item, route] of items) item.hidden = Boolean((auth && route.auth !== auth) || (mcp && !route.mcp !== (mcp === "no")) || (tag && !route.tags.includes(tag)))
		for (const part of parts) part.hidden = !part.querySelector("li:not([hidden])")
		const count = items.filter(([item]) => !item.hidden).length
		none.hidden = count > 0
		say(plural(count, "route"))
	}
	const choices = { Auth: { none: "No token", bearer: "Token" }, MCP: { yes: "Tools", no: "No tools" }, Tag: Object.fromEntries(allTags().map((tag) => [tag, tag])) }
	const filters = Object.entries(choices).map(([name, all]) => h("select", { "aria-label": name, onchange: sift }, Object.entries({ "": name, ...all }).map(([value, text]) => h("option", { value }, text))))
	return h(
		"nav.sidebar",
		{ "aria-label": "Contract" },
		h("ul", [hasHome() && ["", "Overview"], ["routes", "Routes"], ["types", "Types"], ["errors", "Errors"], doc.links.mcp && ["mcp", "MCP"]].map((each) => each && h("li", anchor(`#/${each[0]}`, each[1])))),
		items.length > 3 && h("div.filters", { role: "group", "aria-label": "Filter routes" }, filters),
		parts,
		none,
	)
}

// Find.

const find = () => {
	if (document.querySelector("dialog[open]")) return
	let on = 0
	/** @type {HTMLElement[]} */
	let options = []
	const list = h("div", { role: "listbox", id: "found", "aria-label": "Results" })
	const count = h("p.quiet", { role: "status" })
	/** @type {Fn.go} */
	const go = (next) => {
		on = (next + options.length) % options.length || 0
		options.forEach((option, index) => (option.ariaSelected = `${index === on}`))
		input.setAttribute("aria-activedescendant", options[on]?.id ?? "")
		options[on]?.scrollIntoView({ block: "nearest" })
	}
	const look = () => {
		const all = search(input.value)
		options = all.slice(0, 40).map(({ kind, href, title, note }, index) => h("a", { role: "option", id: `o${index}`, tabindex: -1, href, onclick: shut }, h("span.mark", kind), h("code.name", title), h("span.note", note)))
		fill(list, options)
		fill(count, all.length ? `${plural(all.length, "match", "matches")}${all.length > 40 ? ", of which the best 40" : ""}` : `Nothing in this contract has “${input.value}”.`)
		go(0)
	}
	const input = h("input", { type: "text", role: "combobox", placeholder: "Routes, types, fields, errors, tags", "aria-label": "Search", "aria-controls": "found", "aria-expanded": "true", autocomplete: "off", spellcheck: "false", oninput: look })
	/** @type {HTMLDialogElement} */
	const dialog = h("dialog.find", { "aria-label": "Search", onclose: () => dialog.remove(), onclick: shut, onkeydown: (event) => {
		const step = { ArrowDown: 1, ArrowUp: -1, Enter: 0 }[event.key]
		if (step === undefined || event.target !== input) return
		event.preventDefault()
		step ? go(on + step) : options[on]?.click()
	} }, h("div.head", icon("search"), input, h("button.small", { onclick: shut }, "Esc")), list, count)
	document.body.append(dialog)
	dialog.showModal()
	input.focus()
	look()
}

// The way.

/** @type {Record<string, [() => HTMLElement, Fn.named]>} */
const PAGES = { routes: [routesPage, routePage], types: [typesPage, typePage], errors: [errorsPage, errorPage], tags: [routesPage, routesPage], mcp: [mcp, mcp] }
/** @type {Map<string, number>} */
const heights = new Map()
let here = ""
let asked = false

const go = () => {
	const [, kind = "", rest = ""] = /^#\/([^/]+)\/?(.*)/.exec(location.hash) ?? []
	const first = groups()[0]?.[1][0][0]
	const [list, one] = own(PAGES, kind) ?? []
	const name = attempt(() => decodeURIComponent(rest), rest)
	const page = kind ? (list && one ? (name ? one(name) : list()) : missing("page", kind)) : hasHome() ? home() : first ? routePage(first) : routesPage()
	const again = here
	here = location.hash || "#/"
	fill(main, page)
	const heading = page.querySelector("h1")
	const title = heading?.textContent
	document.title = `${title === doc.info.title ? "" : `${title} · `}${doc.info.title} ${doc.info.version}`
	const shown = !kind && !hasHome() && first ? to("routes", first).href : here
	for (const [href, anchor] of anchors) {
		anchor.ariaCurrent = href === shown ? "page" : null
		if (href === shown) anchor.scrollIntoView({ block: "nearest" })
	}
	scrollTo(0, asked ? 0 : (heights.get(here) ?? 0))
	if (again) heading?.focus({ preventScroll: true })
	asked = false
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
		fill(main, h("h1", "The contract cannot be shown"), h("p", `${error}`), h("p", h("a", { href: at.contract }, at.contract)))
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
