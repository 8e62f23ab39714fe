/**
 * Tools: elements, JSON, tabs, code and Markdown. What functions take and give is in types.d.ts, which is not served.
 *
 * Every string of a contract comes to the page through `h`, as a text or as an attribute of a known name: nothing
 * writes markup.
 */

export const MAC = /Mac|iP/.test(navigator.platform)

export const attempt = (run, otherwise) => {
	try {
		return run()
	} catch {
		return /** @type {any} */ (otherwise)
	}
}

export const safe = (url, image) => {
	if (typeof url !== "string" || !/^[!-[\]-~]+$/.test(url)) return
	const scheme = /^([a-z][a-z\d+.-]*):/i.exec(url)?.[1] ?? "http"
	const picture = image && /^data:image\/(png|jpeg|webp|gif);base64,[\w+/]+=*$/.test(url)
	if (picture || (image ? /^https?$/i : /^(https?|mailto)$/i).test(scheme)) return url
}

export const h = (selector, ...rest) => {
	const children = /** @type {any[]} */ (rest)
	const [tag, ...classes] = selector.split(".")
	const space = `http://www.w3.org/${/svg|path/.test(tag) ? "2000/svg" : "1999/xhtml"}`
	const made = /** @type {any} */ (document.createElementNS(space, tag))
	if (tag === "button") made.type = tag
	if (classes[0]) made.setAttribute("class", classes.join(" "))
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

export const fill = (parent, ...children) => {
	const shown = children.flat(9).filter((each) => each || each === 0)
	parent.replaceChildren(.../** @type {Node[]} */ (shown))
	return parent
}

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

export const icon = (name) =>
	h("svg.icon", { viewBox: "0 0 16 16", "aria-hidden": "true" }, h("path", { d: ICONS[name] }))

export const quiet = (...text) => h("p.quiet", text)

export const textBox = (props) =>
	h(props.type ? "input" : "textarea", { rows: props.type ? null : 1, autocomplete: "off", ...props })

export const small = (label, onclick, name = label, pressed) =>
	h("button.small", { "aria-pressed": pressed?.toString(), "aria-label": name, onclick }, label)

export const live = h("div.away", { id: "live", role: "status" })
export const say = (text) => fill(live, text)

export const iconButton = (sign, label, onclick) =>
	h("button.icon-button", { "aria-label": label, title: label, onclick }, icon(sign))

/** Without TLS there is no other clipboard than this. */
const copyByHand = (text, button) => {
	const area = h("textarea.away", { value: text })
	button.after(area)
	area.select()
	document.execCommand("copy")
	area.remove()
	button.focus()
}

export const copier = (text, what, label, sign = "copy") => {
	const face = (shown = sign, said = label) => fill(button, icon(shown), label && said)
	const onclick = async () => {
		await navigator.clipboard.writeText(text()).catch(() => copyByHand(text(), button))
		say(`Copied ${what}`)
		face("check", "Copied")
		setTimeout(face, 1500)
	}
	const button = label ? h("button.button", { onclick }) : iconButton(sign, `Copy ${what}`, onclick)
	return face()
}

const stored = (key) => `contract ${location.pathname} ${key}`
const store = (long) => (long ? localStorage : sessionStorage)

export const kept = (key, long) => attempt(() => store(long)[stored(key)] ?? null, null)

export const keep = (key, value, long) =>
	attempt(() => (value === null ? delete store(long)[stored(key)] : (store(long)[stored(key)] = value)))

let ids = 0
export const id = () => `e${++ids}`

export const tabs = (name, panes, kind, more, then) => {
	const labels = Object.keys(panes)
	const panel = h("div", { role: "tabpanel", id: id() })
	const buttons = labels.map((label, at) =>
		h("button", { role: "tab", id: id(), "aria-controls": panel.id, onclick: () => choose(at) }, label),
	)
	const show = (at) => {
		buttons.forEach((button, index) => {
			button.ariaSelected = `${index === at}`
			button.tabIndex = index === at ? 0 : -1
		})
		panel.setAttribute("aria-labelledby", buttons[at].id)
		fill(panel, panes[labels[at]]())
	}
	const choose = (at) => {
		show(at)
		buttons[at].focus()
		if (kind) keep(kind, labels[at], true)
		then?.()
	}
	const onkeydown = ({ key, target }) => {
		const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
		if (step) choose((buttons.indexOf(target) + step + buttons.length) % buttons.length)
	}
	show(Math.max(0, labels.indexOf((kind && kept(kind, true)) ?? "")))
	const list = h("div", { role: "tablist", "aria-label": name, onkeydown }, buttons)
	return h("div.tabs", h("div.tab-row", list, more), panel)
}

export const parse = (text) => JSON.parse(text, /\d{16}/.test(text) ? exactly : undefined)

const exactly = (_, value, { source = "" } = {}) =>
	typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value

export const stringify = (value) => {
	const raw = JSON.rawJSON ?? Number
	return JSON.stringify(value, (_, each) => (typeof each === "bigint" ? raw(`${each}`) : each))
}

export const shown = (value) => (typeof value === "string" ? value : stringify(value))

/** A string, an opening or closing bracket, a comma or colon, white space. */
const PIECES = /("(?:[^"\\]|\\.)*")|([[{])|([\]}])|([,:])|\s+/g
/** Brackets around at most 60 characters and no other brackets. */
const SHORT = /([[{])\n\s*(?:([^[\]{}]{0,60}?)\n\s*)?([\]}])/g

export const pretty = (text) => {
	let pad = "\n"
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

export const anyOf = (...all) => new RegExp(all.map(({ source }) => source).join("|"), "g")

/** Keys, strings, numbers, words: `.t1` to `.t4` are their colours. */
const TOKENS = anyOf(
	/((?<!\\)"(?:[^"\\\n]|\\.)*")(?=\s*:)/,
	/((?<!\\)"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|`[^`\n]*`)/,
	/((?<![\w$./:-])-?\d[\w.+]*)/,
	/(?<![\w/.-])(from|import|with|as|const|await|new|curl|claude|contract|true|false|null|None|True|False)(?![\w.-])/,
)

const replaced = (text, pattern, make) => {
	let from = 0
	const parts = [...text.matchAll(pattern)].flatMap((found) => {
		const before = text.slice(from, found.index)
		from = found.index + found[0].length
		return [before, make(found)]
	})
	return [...parts, text.slice(from)]
}

const coloured = (found) => h(`span.t${found.findIndex((each, at) => at && each)}`, found[0])

export const block = (text, what, name = what) => {
	const inside = h("code", text.length > 60_000 ? text : replaced(text, TOKENS, coloured))
	const copy = copier(() => text, what)
	return h("div.code", h("pre", { tabindex: 0, role: "group", "aria-label": name }, inside), copy)
}

export const json = (value, what) => block(pretty(stringify(value)), what)

export const link = (href, label, external) =>
	safe(href) ? h("a", { href, rel: "noopener noreferrer", target: external && "_blank" }, label) : h("span", label)

export const slug = (text, gap) => (text.toLowerCase().match(/[a-z\d]+/g) ?? ["api"]).join(gap).slice(0, 40)

export const plural = (n, one, many = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`

// Markdown, in which descriptions are written. What is none stands there as it was written.

/** The mark of an item: what stands before it, the number, the text behind it. */
const ITEM = /^( *)(?:[-*+]|(\d{1,9})[.)])(?: +(.*)|)$/
const RULE = /^ {0,3}([-*_])(?: *\1){2,} *$/
const HEADING = /^ {0,3}(#{1,6})(?: +(.*?))?(?: #+)? *$/
const FENCE = /^ *(`{3,}|~{3,})/
const QUOTE = /^ {0,3}> ?/
const DELIMITER = /^ *\|?(?: *:?-+:? *\|)* *:?-+:? *\|? *$/

const begins = (line) => [RULE, HEADING, FENCE, QUOTE].some((each) => each.test(line)) || Boolean(ITEM.exec(line)?.[3])

export const markdown = (text) => h("div.prose", blocks(text.replace(/\t/g, "    ").split(/\r?\n/), 0))

const DEEPEST = 12

const blocks = (lines, depth) => {
	const out = []
	for (let rest = lines; rest.length;) {
		const [count, made] = rest[0].trim() ? next(rest, depth) : [1]
		out.push(made)
		rest = rest.slice(count)
	}
	return out
}

const next = (lines, depth) => {
	const [first] = lines
	if (FENCE.test(first)) return fenced(lines)
	if (RULE.test(first)) return [1, h("hr")]
	const [, level, heading = ""] = HEADING.exec(first) ?? []
	if (level) return [1, titled(level.length, heading)]
	if (depth < DEEPEST && QUOTE.test(first)) return quote(lines, depth)
	if (depth < DEEPEST && ITEM.test(first)) return list(lines, depth)
	const [, second = ""] = lines
	const isTable = first.includes("|") && DELIMITER.test(second) && cells(first).length === cells(second).length
	return isTable ? table(lines) : paragraph(lines)
}

const until = (lines, ends) => {
	const found = lines.findIndex((line, at) => at && ends(line))
	return found < 0 ? lines.length : found
}

const quote = (lines, depth) => {
	const count = until(lines, (line) => !QUOTE.test(line))
	return [count, h("blockquote", blocks(lines.slice(0, count).map((line) => line.replace(QUOTE, "")), depth + 1))]
}

/** The page has its own h1: h2 and h3 are what is left. */
const titled = (level, text) => h(level < 3 ? "h2" : "h3", { dir: "auto" }, inline(text))

const fenced = (lines) => {
	const mark = FENCE.exec(lines[0])?.[1] ?? ""
	const count = until(lines, (line) => line.trim().startsWith(mark) && !line.trim().replaceAll(mark[0], ""))
	return [count + 1, block(lines.slice(1, count).join("\n"), "code")]
}

const paragraph = (lines) => {
	const count = until(lines, (line) => !line.trim() || /^ *(=+|-+) *$/.test(line) || begins(line))
	const text = lines.slice(0, count).join("\n").replace(/^ +/gm, "").trimEnd()
	const [, under] = /^ {0,3}(=+|-{2,}) *$/.exec(lines[count] ?? "") ?? []
	return under ? [count + 1, titled(2, text)] : [count, h("p", { dir: "auto" }, inline(text))]
}

const list = (lines, depth) => {
	const [, pad, number] = ITEM.exec(lines[0]) ?? []
	const items = []
	let at = 0
	for (; at < lines.length; at++) {
		const line = lines[at]
		const found = RULE.test(line) ? null : ITEM.exec(line)
		const indent = line.length - line.trimStart().length
		if (found && indent <= pad.length + 1) {
			if (indent < pad.length || !found[2] !== !number) break
			items.push([found[3] ?? ""])
		} else if (line.trim() && indent <= pad.length && (begins(line) || !lines[at - 1].trim())) break
		else items.at(-1)?.push(line)
	}
	const made = items.map((item) => h("li", itemOf(item, depth)))
	return [at, h(number ? "ol" : "ul", { dir: "auto", start: number === "1" ? null : number }, made)]
}

const itemOf = (lines, depth) => {
	const [, tick, first] = /^\[([ xX])\] +(.*)$/.exec(lines[0]) ?? [, , lines[0]]
	const inside = lines.slice(1)
	const pad = Math.min(...inside.filter((line) => line.trim()).map((line) => line.length - line.trimStart().length))
	const dedented = inside.map((line) => line.slice(Math.min(pad, line.length)))
	const count = until(["", ...dedented], (line) => !line.trim() || begins(line)) - 1
	const text = [first, ...dedented.slice(0, count)].join("\n")
	const checked = tick !== " "
	const props = { type: "checkbox", disabled: true, checked, "aria-label": checked ? "done" : "open" }
	return [tick && h("input", props), inline(text), blocks(dedented.slice(count), depth + 1)]
}

const cells = (line) => {
	const inside = line.trim().replace(/^\||(?<!\\)\|$/g, "")
	return inside.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"))
}

const table = (lines) => {
	const count = until(lines, (line) => !line.includes("|"))
	const [head, rule, ...rows] = lines.slice(0, count).map(cells)
	const sides = rule.map((cell) => (/:$/.test(cell) ? (/^:/.test(cell) ? "middle" : "end") : ""))
	const cell = (tag, text, at) => h(tag, { class: sides[at] || null }, inline(text))
	const line = (tag, row) => h("tr", head.map((_, at) => cell(tag, row[at] ?? "", at)))
	const made = h("table", { dir: "auto" }, h("thead", line("th", head)), h("tbody", rows.map((row) => line("td", row))))
	return [count, h("div.wide", { tabindex: 0, role: "group", "aria-label": "Table" }, made)]
}

/** An escape, code, strong, em, struck, an image or a link, a URL, the end of a line. */
const INLINE = anyOf(
	/\\([!-/:-@[-`{-~])/,
	/(?<!`)(`+)(?!`)([^]*?[^`])\2(?!`)/,
	/\*\*(?! )((?:[^*\\]|\\.|\*[^*]+\*)+)\*\*/,
	/(?<!\w)__(?! )([^_]+)__(?!\w)/,
	/(?<![*\w])[*](?! )((?:[^*\\]|\\.)+)[*](?!\*)/,
	/(?<![\w_])_(?! )([^_]+)_(?!\w)/,
	/~~(?! )([^~]+)~~/,
	/(!?)\[((?:[^\][\\]|\\.|\[[^\][]*\])*)\]\(<?((?:[^\s()<>]|\([^\s()]*\))+)>?(?: +"[^"]*")?\)/,
	/<?(https?:\/\/[^\s<>()]*[\w/])>?/,
	/(?:(?<! ) {2,}|\\)\n/,
)
const LONG = 50_000

const inline = (text) => (text.length > LONG ? text : replaced(text, INLINE, piece))

const piece = ([, mark, , raw, strong, strong2, em, em2, struck, image, label, url, bare]) => {
	if (mark) return mark
	if (raw) return h("code", raw.replace(/^ (.*) $/, "$1").replace(/\n/g, " "))
	if (strong ?? strong2) return h("strong", inline(strong ?? strong2))
	if (em ?? em2) return h("em", inline(em ?? em2))
	if (struck) return h("s", inline(struck))
	if (bare) return link(bare, bare, true)
	if (!url) return h("br")
	return image ? picture(url, label) : link(url.replace(/\\(?=[!-/:-@[-`{-~])/g, ""), inline(label), true)
}

const picture = (src, alt) => {
	const near = safe(src, true) && (src.startsWith("data:") || new URL(src, location.href).origin === location.origin)
	return near ? h("img", { src, alt, loading: "lazy" }) : link(src, alt || src, true)
}
