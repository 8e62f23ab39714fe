/**
 * Tools: elements, texts, tabs and code.
 *
 * Every string of a contract comes to the page through `h`, as a text or as an attribute of a known name. Nothing writes markup.
 */

const NAMES = /^(class|id|href|src|alt|title|role|type|for|value|placeholder|tabindex|rel|target|hidden|checked|selected|rows|spellcheck|autocomplete|inputmode|(aria|data)-[a-z]+)$/

/** *url* if it cannot run code: http, https, mailto, relative; of pictures also data. @param {unknown} url @param {boolean} [image] */
export function safe(url, image) {
	if (typeof url !== "string" || !/^[!-[\]-~]+$/.test(url)) return
	if (image && /^data:image\/(png|jpeg|webp|gif);base64,[\w+/]+=*$/.test(url)) return url
	const scheme = /^([a-z][a-z\d+.-]*):/i.exec(url)?.[1] ?? "http"
	return (image ? /^https?$/i : /^(https?|mailto)$/i).test(scheme) ? url : undefined
}

/**
 * An element; *props* are attributes, and listeners such as `onclick`.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Props | null} [props] @param {...Child} children
 */
export function h(tag, props, ...children) {
	const made = document.createElement(tag)
	for (const [name, value] of Object.entries(props ?? {})) {
		if (typeof value === "function") made.addEventListener(name.slice(2), /** @type {EventListener} */ (value))
		else if (!NAMES.test(name)) throw new TypeError(name)
		else if (value !== undefined && value !== null && value !== false && (!/^(href|src)$/.test(name) || safe(value, name === "src"))) made.setAttribute(name, value === true ? "" : String(value))
	}
	return fill(made, children)
}

/** Put *children* where there was something else. @template {HTMLElement} P @param {P} parent @param {...Child} children */
export function fill(parent, ...children) {
	parent.replaceChildren(.../** @type {Node[]} */ (children.flat(/** @type {1} */ (9)).filter((each) => each !== null && each !== undefined && each !== false)))
	return parent
}

/** @type {Record<string, string>} */
const ICONS = {
	search: "M11 11l3.5 3.5M12.5 7.25a5.25 5.25 0 1 1-10.5 0a5.25 5.25 0 0 1 10.5 0",
	light: "M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1M11 8a3 3 0 1 1-6 0a3 3 0 0 1 6 0",
	dark: "M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7",
	lock: "M5 7V5a3 3 0 0 1 6 0v2M3.5 7h9v6.5h-9z",
	copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
	check: "M3 8.5l3.2 3.2L13 5",
	menu: "M2 4.5h12M2 8h12M2 11.5h12",
	out: "M6 3.5h6.5V10M12.5 3.5L4 12",
	open: "M6 4l4 4-4 4",
}

/** @param {string} name */
export function icon(name) {
	const [svg, path] = ["svg", "path"].map((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag))
	path.setAttribute("d", ICONS[name])
	for (const [key, value] of [["viewBox", "0 0 16 16"], ["class", "icon"], ["aria-hidden", "true"]]) svg.setAttribute(key, value)
	svg.append(path)
	return svg
}

/** Say something to a screen reader. @param {string} text */
export const say = (text) => fill(/** @type {HTMLElement} */ (document.getElementById("live")), text)

/** A button that copies what *text* gives. @param {() => string} text @param {string} what @param {string} [label] */
export function copier(text, what, label) {
	const button = h("button", { type: "button", class: label ? "button" : "icon-button", "aria-label": label ? null : `Copy ${what}`, title: label ? null : `Copy ${what}`, onclick: copy })
	const face = (name = "copy", said = label) => fill(button, icon(name), label && said)
	async function copy() {
		try {
			await navigator.clipboard.writeText(text())
		} catch {
			// without TLS there is no other clipboard than this
			const area = h("textarea", { class: "away" })
			area.value = text()
			button.after(area)
			area.select()
			document.execCommand("copy")
			area.remove()
			button.focus()
		}
		say(`Copied ${what}`)
		face("check", "Copied")
		setTimeout(face, 1500)
	}
	return face()
}

const PREFIX = `contract ${location.pathname} `
const store = (/** @type {unknown} */ long) => (long ? localStorage : sessionStorage)

/** What was kept for this tab, or for long. @param {string} key @param {unknown} [long] */
export function kept(key, long) {
	try {
		return store(long).getItem(PREFIX + key)
	} catch {
		return null
	}
}

/** Keep something, if the browser does. @param {string} key @param {string | null} value @param {unknown} [long] */
export function keep(key, value, long) {
	try {
		value === null ? store(long).removeItem(PREFIX + key) : store(long).setItem(PREFIX + key, value)
	} catch {
		// full, or switched off
	}
}

let ids = 0
export const id = () => `e${++ids}`

/**
 * Tabs. The one that is chosen is remembered for all of one *kind*.
 * @param {string} name @param {Pane[]} panes @param {string} [kind] @param {Child} [more] @param {() => void} [then]
 */
export function tabs(name, panes, kind, more, then) {
	const panel = h("div", { role: "tabpanel", id: id() })
	const buttons = panes.map(([label], at) => h("button", { type: "button", role: "tab", id: id(), "aria-controls": panel.id, onclick: () => show(at, true) }, label))
	/** @param {number} at @param {boolean} [asked] */
	function show(at, asked) {
		buttons.forEach((button, each) => {
			button.setAttribute("aria-selected", String(each === at))
			button.tabIndex = each === at ? 0 : -1
		})
		panel.setAttribute("aria-labelledby", buttons[at].id)
		fill(panel, panes[at][1]())
		if (!asked) return
		buttons[at].focus()
		if (kind) keep(kind, panes[at][0], true)
		then?.()
	}
	const steer = (/** @type {KeyboardEvent} */ event) => {
		const to = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
		if (to) show((buttons.findIndex((each) => each === event.target) + to + buttons.length) % buttons.length, true)
	}
	const last = kind && kept(kind, true)
	show(Math.max(0, panes.findIndex(([label]) => label === last)))
	return h("div", { class: "tabs" }, h("div", { class: "tab-row" }, h("div", { role: "tablist", "aria-label": name, onkeydown: steer }, buttons), more), panel)
}

/** JSON as it is: an integer of more than 53 bits is a bigint. @param {string} text @returns {any} */
export const parse = (text) =>
	/\d{16}/.test(text)
		? /** @type {any} */ (JSON).parse(text, (/** @type {string} */ _, /** @type {unknown} */ value, /** @type {any} */ at) => (typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(at?.source) ? BigInt(at.source) : value))
		: JSON.parse(text)

/** @param {unknown} value @returns {string} */
export const stringify = (value) => JSON.stringify(value, (_, each) => (typeof each === "bigint" ? (/** @type {any} */ (JSON).rawJSON?.(String(each)) ?? Number(each)) : each))

/** JSON laid out: each token as it is, what is short on one line. @param {string} text */
export function pretty(text) {
	const tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s"[\]{}:,]+/g) ?? []
	let out = ""
	let pad = "\n"
	for (let at = 0; at < tokens.length; at++) {
		let token = tokens[at]
		if (/^[{[]$/.test(token)) {
			let end = at + 1
			for (let size = 0; size < 48 && end < tokens.length && !/^[[\]{}]$/.test(tokens[end]); end++) size += tokens[end].length + 1
			if (/^[\]}]$/.test(tokens[end])) {
				for (; at < end; token += tokens[at]) if (/^[,:]$/.test(tokens[at++])) token += " "
				out += token
			} else out += token + (pad += "  ")
		} else if (/^[\]}]$/.test(token)) out += (pad = pad.slice(0, -2)) + token
		else out += token + (token === "," ? pad : token === ":" ? " " : "")
	}
	return out
}

/** Code in colours; what is very long has none. @param {string} text @param {string} name */
export function code(text, name) {
	/** @type {Child[]} */
	const parts = []
	let from = 0
	if (text.length < 60_000)
		for (const found of text.matchAll(/("(?:[^"\\\n]|\\.)*")(?=\s*:)|("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|`[^`\n]*`)|((?<![\w$./:-])-?\d[\w.+]*)|(?<![\w/.-])(from|import|with|as|const|await|new|curl|claude|contract|true|false|null|None|True|False)(?![\w.-])/g)) {
			parts.push(text.slice(from, found.index), h("span", { class: `t${found.findIndex((each, at) => at && each)}` }, found[0]))
			from = found.index + found[0].length
		}
	return h("pre", { tabindex: 0, role: "group", "aria-label": name }, h("code", null, parts, text.slice(from)))
}

/** Code with a button that copies it. @param {string} text @param {string} what */
export const block = (text, what) => h("div", { class: "code" }, code(text, what), copier(() => text, what))

/** Descriptions: the part of Markdown that they use. @param {string} text */
export function markdown(text) {
	/** @type {Child[]} */
	const out = []
	const bullet = /^\s*(?:[-*+]|\d+[.)])\s+/
	text.split(/^```.*\n([^]*?)\n?^```.*$/m).forEach((part, at) => {
		if (at % 2) out.push(block(part, "code"))
		else
			for (const chunk of part.trim().split(/\n\s*\n|(?<=^#.*)\n/m)) {
				const heading = /^(#+)\s+(.*)/.exec(chunk)
				if (heading) out.push(h(heading[1].length < 3 ? "h2" : "h3", null, inline(heading[2])))
				else if (bullet.test(chunk)) out.push(h(/^\s*\d/.test(chunk) ? "ol" : "ul", null, chunk.split(/\n(?=\s*(?:[-*+]|\d+[.)])\s)/).map((item) => h("li", null, inline(item.replace(bullet, ""))))))
				else if (chunk.startsWith(">")) out.push(h("blockquote", null, inline(chunk.replace(/^> ?/gm, ""))))
				else if (chunk) out.push(h("p", null, inline(chunk)))
			}
	})
	return h("div", { class: "prose" }, out)
}

/** @param {string} text @returns {Child} */
function inline(text) {
	/** @type {Child[]} */
	const out = []
	let from = 0
	for (const found of text.matchAll(/`+([^`]+)`+|\*\*([^*]+)\*\*|(?<![*\w])[*_]([^*_\n]+)[*_](?![*\w])|\[([^\]]+)\]\(([^)\s]+)\)|<?(https?:\/\/[^\s<>()]*[\w/])>?/g)) {
		const [all, raw, strong, em, label, url, bare] = found
		out.push(text.slice(from, found.index), raw ? h("code", null, raw) : strong ? h("strong", null, inline(strong)) : em ? h("em", null, inline(em)) : link(url ?? bare, label ?? bare, true))
		from = found.index + all.length
	}
	return [out, text.slice(from)]
}

/** A link that leaves the page; of a URL that is not safe only the text. @param {string} url @param {Child} label @param {boolean} [external] */
export const link = (url, label, external) => (safe(url) ? h("a", { href: url, rel: "noopener noreferrer", target: external && "_blank" }, label) : h("span", null, label))

/** *text* as a name. @param {string} text @param {string} gap */
export const slug = (text, gap) => text.toLowerCase().split(/[^a-z\d]+/).filter(Boolean).join(gap).slice(0, 40) || "api"

/** @param {number} n @param {string} one @param {string} [many] */
export const plural = (n, one, many = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`
