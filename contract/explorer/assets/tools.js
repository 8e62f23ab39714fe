/**
 * Tools: elements, JSON, tabs and code. The types of all functions stand in types.d.ts, which is not served.
 *
 * Every string of a contract comes to the page through `h`, as a text or as an attribute of a known name: nothing
 * writes markup.
 */

/** What *run* gives, or *otherwise* where it fails. @type {Fn.attempt} */
export const attempt = (run, otherwise) => {
	try {
		return run()
	} catch {
		return /** @type {any} */ (otherwise)
	}
}

/** *url* if it cannot run code: http, https, mailto, relative; of pictures also data. @type {Fn.safe} */
export const safe = (url, image) => {
	if (typeof url !== "string" || !/^[!-[\]-~]+$/.test(url)) return
	const scheme = /^([a-z][a-z\d+.-]*):/i.exec(url)?.[1] ?? "http"
	const picture = image && /^data:image\/(png|jpeg|webp|gif);base64,[\w+/]+=*$/.test(url)
	if (picture || (image ? /^https?$/i : /^(https?|mailto)$/i).test(scheme)) return url
}

/** An element, as `h("p.quiet", { title, onclick }, "text")`; what attributes there are, `Props` says. @type {Fn.h} */
export const h = (selector, ...rest) => {
	const children = /** @type {any[]} */ (rest)
	const [tag, ...classes] = selector.split(".")
	const made = /** @type {any} */ (document.createElement(tag))
	if (tag === "button") made.type = tag
	if (classes[0]) made.className = classes.join(" ")
	const attributes = children[0]?.constructor === Object ? children.shift() : {}
	fill(made, children) // first: what is added to a text whose direction is found out is all looked through again
	for (const [name, value] of Object.entries(attributes)) {
		if (typeof value === "function") made.addEventListener(name.slice(2), value)
		else if (name === "value") made.value = value
		else if ((value ?? false) === false || (/^(href|src)$/.test(name) && !safe(value, name === "src"))) continue
		else made.setAttribute(name, value === true ? "" : value)
	}
	return made
}

/** Put *children* where there was something else. @type {Fn.fill} */
export const fill = (parent, ...children) => {
	const shown = children.flat(9).filter((each) => each || each === 0)
	parent.replaceChildren(.../** @type {Node[]} */ (shown))
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
	link: "M6.5 9.5l3-3M7 4.5l1.5-1.5a2.8 2.8 0 0 1 4 4L11 8.5M5 7.5L3.5 9a2.8 2.8 0 0 0 4 4L9 11.5",
	close: "M4 4l8 8M12 4l-8 8",
}

/** @type {Fn.icon} */
export const icon = (name) => {
	const [svg, path] = ["svg", "path"].map((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag))
	path.setAttribute("d", ICONS[name])
	svg.setAttribute("viewBox", "0 0 16 16")
	svg.setAttribute("class", "icon")
	svg.setAttribute("aria-hidden", "true")
	svg.append(path)
	return svg
}

/** @type {Fn.child} */
export const quiet = (...text) => h("p.quiet", text)

/** @type {Fn.small} */
export const small = (label, onclick, name = label, pressed = undefined) =>
	h("button.small", { "aria-pressed": pressed === undefined ? null : `${pressed}`, "aria-label": name, onclick }, label)

/** Say something to a screen reader. @type {Fn.say} */
export const say = (text) => fill(/** @type {HTMLElement} */ (document.getElementById("live")), text)

/** Without TLS there is no other clipboard than this. @type {(text: string, button: HTMLElement) => void} */
const copyByHand = (text, button) => {
	const area = h("textarea.away", { value: text })
	button.after(area)
	area.select()
	document.execCommand("copy")
	area.remove()
	button.focus()
}

/** A button that copies what *text* gives. @type {Fn.copier} */
export const copier = (text, what, label, sign = "copy") => {
	const name = label ? null : `Copy ${what}`
	const face = (shown = sign, said = label) => fill(button, icon(shown), label && said)
	const onclick = async () => {
		await navigator.clipboard.writeText(text()).catch(() => copyByHand(text(), button))
		say(`Copied ${what}`)
		face("check", "Copied")
		setTimeout(face, 1500)
	}
	const button = h(label ? "button.button" : "button.icon-button", { "aria-label": name, title: name, onclick })
	return face()
}

/** @type {Fn.text} */
const stored = (key) => `contract ${location.pathname} ${key}`
/** @type {Fn.store} */
const store = (long) => (long ? localStorage : sessionStorage)

/** What was kept for this tab, or for long. @type {Fn.kept} */
export const kept = (key, long) => attempt(() => store(long).getItem(stored(key)), null)

/** Keep something, if the browser does. @type {Fn.keep} */
export const keep = (key, value, long) =>
	attempt(() => (value === null ? store(long).removeItem(stored(key)) : store(long).setItem(stored(key), value)))

let ids = 0
export const id = () => `e${++ids}`

/** Tabs. The one that is chosen is remembered for all of one *kind*. @type {Fn.tabs} */
export const tabs = (name, panes, kind, more, then) => {
	const panel = h("div", { role: "tabpanel", id: id() })
	const buttons = panes.map(([label], at) =>
		h("button", { role: "tab", id: id(), "aria-controls": panel.id, onclick: () => choose(at) }, label),
	)
	/** @type {Fn.go} */
	const show = (at) => {
		buttons.forEach((button, each) => {
			button.ariaSelected = `${each === at}`
			button.tabIndex = each === at ? 0 : -1
		})
		panel.setAttribute("aria-labelledby", buttons[at].id)
		fill(panel, panes[at][1]())
	}
	/** @type {Fn.go} */
	const choose = (at) => {
		show(at)
		buttons[at].focus()
		if (kind) keep(kind, panes[at][0], true)
		then?.()
	}
	const last = kind && kept(kind, true)
	show(
		Math.max(
			0,
			panes.findIndex(([label]) => label === last),
		),
	)
	/** @type {Props["onkeydown"]} */
	const onkeydown = ({ key, target }) => {
		const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
		if (step) choose((buttons.indexOf(target) + step + buttons.length) % buttons.length)
	}
	const list = h("div", { role: "tablist", "aria-label": name, onkeydown }, buttons)
	return h("div.tabs", h("div.tab-row", list, more), panel)
}

/** @type {Fn.reviver} */
const exactly = (_, value, at) => {
	const large = typeof value === "number" && !Number.isSafeInteger(value)
	return large && /^-?\d+$/.test(at?.source ?? "") ? BigInt(at?.source ?? 0) : value
}

/** JSON as it is: an integer of more than 53 bits is a bigint. @type {Fn.parse} */
export const parse = (text) => JSON.parse(text, /\d{16}/.test(text) ? exactly : undefined)

/** @type {Fn.stringify} */
export const stringify = (value) => {
	const raw = /** @type {any} */ (JSON).rawJSON ?? Number
	return JSON.stringify(value, (_, each) => (typeof each === "bigint" ? raw(`${each}`) : each))
}

/** A string, an opening or closing bracket, a comma or colon, white space. */
const PIECES = /("(?:[^"\\]|\\.)*")|([[{])|([\]}])|([,:])|\s+/g
/** Brackets around at most 60 characters and no other brackets. */
const SHORT = /([[{])\n\s*(?:([^[\]{}]{0,60}?)\n\s*)?([\]}])/g

/** JSON laid out: each token as it is, what is short on one line. @type {Fn.text} */
export const pretty = (text) => {
	let pad = "\n"
	/** @type {(token: string, ...kinds: string[]) => string} */
	const lay = (token, string, open, close, mark) => {
		if (string) return token
		if (open) return token + (pad += "  ")
		if (close) return (pad = pad.slice(0, -2)) + token
		return mark ? token + (mark === "," ? pad : " ") : ""
	}
	return text
		.replace(PIECES, lay)
		.replace(SHORT, (_, open, inside = "", close) => open + inside.replace(/\n\s+/g, " ") + close)
}

/** Keys, strings, numbers, words: `.t1` to `.t4` are their colours. */
const TOKENS = new RegExp(
	[
		/((?<!\\)"(?:[^"\\\n]|\\.)*")(?=\s*:)/,
		/((?<!\\)"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|`[^`\n]*`)/,
		/((?<![\w$./:-])-?\d[\w.+]*)/,
		/(?<![\w/.-])(from|import|with|as|const|await|new|curl|claude|contract|true|false|null|None|True|False)(?![\w.-])/,
	]
		.map((each) => each.source)
		.join("|"),
	"g",
)

/** *text* with what *make* gives for each match. @type {Fn.replaced} */
export const replaced = (text, pattern, make) => {
	let from = 0
	const parts = [...text.matchAll(pattern)].flatMap((found) => {
		const before = text.slice(from, found.index)
		from = found.index + found[0].length
		return [before, make(found)]
	})
	return [...parts, text.slice(from)]
}

/** @type {(found: RegExpExecArray) => Child} */
const coloured = (found) => h(`span.t${found.findIndex((each, at) => at && each)}`, found[0])

/** Code in colours, with a button that copies it; what is very long has none. @type {Fn.block} */
export const block = (text, what, name = what) => {
	const inside = h("code", text.length > 60_000 ? text : replaced(text, TOKENS, coloured))
	const shown = h("pre", { tabindex: 0, role: "group", "aria-label": name }, inside)
	return h(
		"div.code",
		shown,
		copier(() => text, what),
	)
}

/** A link that leaves the page; of a URL that is not safe only the text. @type {Fn.link} */
export const link = (url, label, external) =>
	safe(url) ? h("a", { href: url, rel: "noopener noreferrer", target: external && "_blank" }, label) : h("span", label)

/** *text* as a name. @type {Fn.slug} */
export const slug = (text, gap) =>
	text
		.toLowerCase()
		.split(/[^a-z\d]+/)
		.filter(Boolean)
		.join(gap)
		.slice(0, 40) || "api"

/** @type {Fn.plural} */
export const plural = (n, one, many = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`
