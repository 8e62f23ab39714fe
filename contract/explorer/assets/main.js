/** Main: the shell around the pages, and the way between them. */

import { at, doc, groups, load, own, search, to } from "./model.js"
import { errorPage, errorsPage, hasHome, home, marks, mcp, missing, routePage, routesPage, typePage, typesPage } from "./pages.js"
import { copier, fill, h, icon, keep, kept, link, plural, safe, say } from "./tools.js"

const root = document.documentElement
const main = /** @type {HTMLElement} */ (document.getElementById("main"))
const system = matchMedia("(prefers-color-scheme: dark)")
const mac = /Mac|iP/.test(navigator.platform)

// Colours: what is given stays, the rest is derived; what is to be read has contrast enough (WCAG 2.2, section 1.4.3).

const canvas = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d", { willReadFrequently: true }))
const BLACK = [0, 0, 0]
const WHITE = [255, 255, 255]
const INKS = { accent: "#3d5fd0", good: "#1d8049", warn: "#a36a00", bad: "#d03a30", t1: "#3f6ea3", t2: "#1e8057", t3: "#a8601c", t4: "#8650bd" }

/** @param {string} text */
const colour = (text) => {
	for (const each of ["#fff", text]) {
		canvas.fillStyle = each
		canvas.fillRect(0, 0, 1, 1)
	}
	return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
}
const light = (/** @type {Rgb} */ colour) => colour.reduce((sum, part, index) => sum + (part < 11 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4) * [0.2126, 0.7152, 0.0722][index], 0.05)
/** @type {Fn.contrast} */
const contrast = (one, two) => Math.max(light(one), light(two)) / Math.min(light(one), light(two))
/** @type {Fn.mix} */
const mix = (from, to, part) => from.map((each, index) => Math.round(each + (to[index] - each) * part))
const end = (/** @type {Rgb} */ ground) => (contrast(ground, BLACK) > contrast(ground, WHITE) ? BLACK : WHITE)

/** What is nearest to *wanted* and can be read on all of *grounds*. @type {Fn.readable} */
const readable = (wanted, grounds, least) => {
	for (let part = 0; part < 1; part += 0.05) {
		const found = mix(wanted, end(grounds[0]), part)
		if (grounds.every((ground) => contrast(found, ground) >= least)) return found
	}
	return end(grounds[0])
}

root.style.colorScheme = kept("mode", true) ?? "" // until there is more to go by
const sheet = new CSSStyleSheet()
document.adoptedStyleSheets = [sheet]

function paint() {
	const { accent, background, surface } = doc.ui.theme ?? {}
	const pinned = background ?? surface
	const chosen = kept("mode", true)
	const dark = pinned ? end(colour(pinned)) === WHITE : chosen ? chosen === "dark" : system.matches
	const ground = background ? colour(background) : surface ? mix(colour(surface), dark ? BLACK : WHITE, dark ? 0.25 : 0.6) : colour(dark ? "#111317" : "#fff")
	const raised = surface ? colour(surface) : mix(ground, end(ground), dark ? 0.045 : 0.025)
	sheet.replaceSync([[":root", ground], [".card, .code, dialog, .notice, .prose code", raised]].map(([where, base]) => {
		const on = /** @type {Rgb} */ (base)
		const ink = end(on)
		const tint = colour(accent ?? INKS.accent)
		const soft = mix(on, tint, 0.1)
		const fill = readable(tint, [on], 1.6)
		const all = { base: on, soft, line: mix(on, ink, 0.13), edge: readable(mix(on, ink, 0.4), [on], 3.1), fill, "on-fill": contrast(fill, WHITE) > 4.5 ? WHITE : end(fill), text: readable(mix(on, ink, 0.9), [on, soft], 4.6), muted: readable(mix(on, ink, 0.62), [on, soft], 4.6) }
		for (const [name, text] of Object.entries({ ...INKS, accent: accent ?? INKS.accent })) Object.assign(all, { [name]: readable(colour(text), [on, soft], 4.6) })
		return `${where}{color-scheme:${ink === WHITE ? "dark" : "light"};${Object.entries(all).map(([name, rgb]) => `--${name}:rgb(${rgb.join(" ")})`).join(";")}}`
	}).join(""))
	root.style.colorScheme = ""
	root.dataset.mode = dark ? "dark" : "light"
	return pinned
}

// The shell.

/** Close a dialog by a click beside it. @param {{ target: any }} event */
const shut = ({ target }) => /** @type {HTMLDialogElement} */ (target.closest("dialog")).close()

function shell() {
	const { info, ui, links } = doc
	const { logo, notice, theme, favicon } = ui
	const pinned = paint()
	system.onchange = paint
	const face = () => (fill(mode, icon(root.dataset.mode === "dark" ? "light" : "dark")))
	const mode = h("button", { type: "button", class: "icon-button", "aria-label": "Light or dark", onclick: () => {
		keep("mode", root.dataset.mode === "dark" ? "light" : "dark", true)
		paint()
		face()
	} })
	face()
	for (const url of theme?.fontUrls?.filter((each) => safe(each)) ?? [])
		if (!/\.(woff2?|[ot]tf)\b/.test(url)) document.head.append(h("link", { rel: "stylesheet", href: url }))
		else document.fonts.add(new FontFace(theme?.fontFamily?.split(",")[0].replace(/["']/g, "") ?? "", `url("${url.replaceAll(`"`, "%22")}")`))
	if (theme?.fontFamily) root.style.setProperty("--sans", theme.fontFamily)
	if (favicon && safe(favicon, true)) document.querySelector("link[rel=icon]")?.setAttribute("href", favicon)
	const outside = () => [...(ui.navbarLinks ?? []).map(away), link(at.contract, "contract.json"), links.openapi && link(new URL(links.openapi, at.contract).href, "openapi.json")]
	const side = sidebar()
	const body = h("div", { class: "body" }, side, main)
	const drawer = h("dialog", { class: "drawer", "aria-label": "Menu", onclose: () => body.prepend(side), onclick: shut })
	addEventListener("hashchange", () => drawer.close())
	matchMedia("(min-width: 60rem)").onchange = () => drawer.close()
	fill(
		document.body,
		h("a", { class: "skip", href: "#main", onclick: (event) => {
			event.preventDefault()
			main.focus()
		} }, "Skip to the content"),
		notice && h("aside", { class: "notice", "aria-label": "Notice" }, h("p", null, notice.title && h("strong", null, notice.title, " "), notice.message), notice.command && h("span", { class: "command" }, h("code", null, notice.command), copier(() => notice.command ?? "", "the command")), notice.links?.map(away)),
		h(
			"header",
			{ class: "top" },
			h("button", { type: "button", class: "icon-button narrow", "aria-label": "Menu", onclick: () => {
				drawer.append(side)
				drawer.showModal()
			} }, icon("menu")),
			h("a", { class: "brand", href: "#/" }, logo ? [h("img", { class: "for-light", src: logo.light, alt: "" }), h("img", { class: "for-dark", src: logo.dark ?? logo.light, alt: "" })] : h("span", { class: "own-mark" }), h("strong", null, info.title), h("code", { class: "quiet" }, info.version)),
			h("button", { type: "button", class: "search", onclick: find }, icon("search"), h("span", null, "Search"), h("kbd", null, mac ? "⌘K" : "Ctrl K")),
			h("nav", { class: "links", "aria-label": "Links" }, outside()),
			!pinned && mode,
		),
		body,
		h("footer", { class: "foot" }, h("span", { class: "narrow links" }, outside()), ui.footer?.poweredBy !== false && "Powered by contract"),
		drawer,
		h("div", { id: "live", role: "status", class: "away" }),
	)
}

const away = (/** @type {PageLink} */ { href, label, external }) => link(href, [label, external && [" ", icon("out")]], external)

/** @type {Map<string, HTMLElement>} */
const anchors = new Map()
const anchor = (/** @type {string} */ href, /** @type {Child[]} */ ...label) => {
	const made = h("a", { href }, label)
	anchors.set(href, made)
	return made
}

function sidebar() {
	const routes = Object.values(doc.routes)
	/** @type {[HTMLElement, Route][]} */
	const items = []
	const parts = groups().map(([tag, all], _, { length }) =>
		h("section", null, h("h2", null, tag || (length > 1 ? "Others" : "Routes")), h("ul", null, all.map(([name, route]) => {
			const item = h("li", { class: route.deprecated && "old", title: route.summary }, anchor(to("routes", name).href, h("span", null, name), marks(route, true)))
			items.push([item, route])
			return item
		}))),
	)
	const none = h("p", { class: "quiet", hidden: true }, "No route has all of these.")
	/** @type {HTMLSelectElement[]} */
	const filters = []
	const sift = () => {
		const [auth, mcp, tag] = filters.map(({ value }) => value)
		for (const [item, route] of items) item.hidden = Boolean((auth && route.auth !== auth) || (mcp && !route.mcp !== (mcp === "no")) || (tag && !route.tags.includes(tag)))
		for (const part of parts) part.hidden = !part.querySelector("li:not([hidden])")
		const count = items.filter(([item]) => !item.hidden).length
		none.hidden = count > 0
		say(plural(count, "route"))
	}
	const filter = (/** @type {string} */ name, /** @type {[string, string][]} */ options) => {
		const made = h("select", { "aria-label": name, onchange: sift }, h("option", { value: "" }, name), options.map(([value, text]) => h("option", { value }, text)))
		filters.push(made)
		return made
	}
	return h(
		"nav",
		{ class: "sidebar", "aria-label": "Contract" },
		h("ul", null, [hasHome() && ["#/", "Overview"], ["#/routes", "Routes"], ["#/types", "Types"], ["#/errors", "Errors"], doc.links.mcp && ["#/mcp", "MCP"]].map((each) => each && h("li", null, anchor(each[0], each[1])))),
		routes.length > 3 && h("div", { class: "filters", role: "group", "aria-label": "Filter routes" }, filter("Auth", [["none", "No token"], ["bearer", "Token"]]), filter("MCP", [["yes", "Tools"], ["no", "No tools"]]), filter("Tag", [...new Set(routes.flatMap(({ tags }) => tags))].sort().map((tag) => [tag, tag]))),
		parts,
		none,
	)
}

// Find.

function find() {
	if (document.querySelector("dialog[open]")) return
	let on = 0
	/** @type {HTMLElement[]} */
	let options = []
	const list = h("div", { role: "listbox", id: "found", "aria-label": "Results" })
	const count = h("p", { class: "quiet", role: "status" })
	const input = h("input", { type: "text", role: "combobox", placeholder: "Routes, types, fields, errors, tags", "aria-label": "Search", "aria-controls": "found", "aria-expanded": "true", autocomplete: "off", spellcheck: "false", oninput: () => look() })
	const go = (/** @type {number} */ next) => {
		on = (next + options.length) % options.length || 0
		options.forEach((option, index) => option.setAttribute("aria-selected", String(index === on)))
		input.setAttribute("aria-activedescendant", options[on]?.id ?? "")
		options[on]?.scrollIntoView({ block: "nearest" })
	}
	const look = () => {
		const all = search(input.value)
		options = all.slice(0, 40).map(({ kind, href, title, note }, index) => h("a", { role: "option", id: `o${index}`, tabindex: -1, href, onclick: shut }, h("span", { class: "mark" }, kind), h("code", { class: "name" }, title), h("span", { class: "note" }, note)))
		fill(list, options)
		fill(count, all.length ? `${plural(all.length, "match", "matches")}${all.length > 40 ? ", of which the best 40" : ""}` : `Nothing in this contract has “${input.value}”.`)
		go(0)
	}
	const dialog = h("dialog", { class: "find", "aria-label": "Search", onclose: () => dialog.remove(), onclick: shut, onkeydown: (event) => {
		const step = { ArrowDown: 1, ArrowUp: -1, Enter: 0 }[/** @type {string} */ (event.key)]
		if (step === undefined || event.target !== input) return
		event.preventDefault()
		step ? go(on + step) : options[on]?.click()
	} }, h("div", { class: "head" }, icon("search"), input, h("button", { type: "button", class: "small", onclick: shut }, "Esc")), list, count)
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

function go() {
	const [, kind = "", rest = ""] = /^#\/([^/]+)\/?(.*)/.exec(location.hash) ?? []
	const first = groups()[0]?.[1][0][0]
	const [list, one] = own(PAGES, kind) ?? []
	let name = rest
	try {
		name = decodeURIComponent(rest)
	} catch {
		// no name of ours
	}
	const lone = !kind && !hasHome() && first
	const page = kind ? (list && one ? (name ? one(name) : list()) : missing("page", kind)) : hasHome() ? home() : first ? routePage(first) : routesPage()
	const again = here
	here = location.hash || "#/"
	fill(main, page)
	const title = page.querySelector("h1")
	document.title = `${[title?.textContent].filter((each) => each !== doc.info.title).map((each) => `${each} · `)}${doc.info.title} ${doc.info.version}`
	for (const [href, anchor] of anchors) {
		const on = href === (lone ? to("routes", lone).href : here)
		on ? anchor.setAttribute("aria-current", "page") : anchor.removeAttribute("aria-current")
		if (on) anchor.scrollIntoView({ block: "nearest" })
	}
	scrollTo(0, asked ? 0 : (heights.get(here) ?? 0))
	if (again) title?.focus({ preventScroll: true })
	asked = false
}

async function start() {
	const { contract = "", server } = root.dataset
	at.contract = new URL(contract, location.href).href
	at.base = server ? new URL(server.replace(/\/?$/, "/"), location.href).href : ""
	try {
		const answer = await fetch(at.contract, { cache: "no-cache" })
		if (!answer.ok) throw new Error(`The server answered ${answer.status}.`)
		load(await answer.text())
	} catch (error) {
		fill(main, h("h1", null, "The contract cannot be shown"), h("p", null, String(error)), h("p", null, h("a", { href: at.contract }, at.contract)))
		return
	}
	shell()
	history.scrollRestoration = "manual"
	addEventListener("scroll", () => heights.set(here, scrollY), { passive: true })
	addEventListener("click", ({ target }) => (asked = target instanceof Element && Boolean(target.closest("a"))), true)
	addEventListener("hashchange", go)
	addEventListener("keydown", (event) => {
		const typing = event.target instanceof Element && event.target.closest("input, textarea, select")
		if ((event.key === "k" && (event.ctrlKey || event.metaKey)) || (event.key === "/" && !typing)) {
			event.preventDefault()
			find()
		}
	})
	go()
}

start()
