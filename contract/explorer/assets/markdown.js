/** Markdown: what descriptions are written in, as elements. What is no Markdown stands there as it was written. */

import { block, h, link, replaced, safe } from "./tools.js"

/** The mark of an item: what stands before it, the number, the text behind it. */
const ITEM = /^( *)(?:[-*+]|(\d{1,9})[.)])(?: +(.*)|)$/
const RULE = /^ {0,3}([-*_])(?: *\1){2,} *$/
const HEADING = /^ {0,3}(#{1,6})(?: +(.*?))?(?: #+)? *$/
const FENCE = /^ *(`{3,}|~{3,})/
const QUOTE = /^ {0,3}> ?/
const DELIMITER = /^ *\|?(?: *:?-+:? *\|)* *:?-+:? *\|? *$/

/** What ends a paragraph, although no empty line stands before it. @type {Fn.test} */
const begins = (line) => [RULE, HEADING, FENCE, QUOTE].some((each) => each.test(line)) || Boolean(ITEM.exec(line)?.[3])

/** @type {Fn.markdown} */
export const markdown = (text) => h("div.prose", blocks(text.replace(/\t/g, "    ").split(/\r?\n/), 0))

/** How deep lists and quotes may stand in each other. */
const DEEP = 12

/** @type {Fn.blocks} */
const blocks = (lines, depth) => {
	/** @type {Child[]} */
	const out = []
	for (let at = 0; at < lines.length;) {
		const [count, made] = lines[at].trim() ? next(lines.slice(at), depth) : [1]
		at += count
		if (made) out.push(made)
	}
	return out
}

/** The block that *lines* begin with, after the count of its lines. @type {Fn.oneBlock} */
const next = (lines, depth) => {
	const [first] = lines
	if (FENCE.test(first)) return fenced(lines)
	if (RULE.test(first)) return [1, h("hr")]
	const [, level, heading = ""] = HEADING.exec(first) ?? []
	if (level) return [1, titled(level.length, heading)]
	if (depth < DEEP && QUOTE.test(first)) {
		const count = until(lines, (line) => !QUOTE.test(line))
		return [
			count,
			h(
				"blockquote",
				blocks(
					lines.slice(0, count).map((line) => line.replace(QUOTE, "")),
					depth + 1,
				),
			),
		]
	}
	if (depth < DEEP && ITEM.test(first)) return list(lines, depth)
	if (first.includes("|") && DELIMITER.test(lines[1] ?? "") && cells(first).length === cells(lines[1]).length)
		return table(lines)
	return paragraph(lines)
}

/** How many *lines* come before the first that *ends* what they begin. @type {Fn.until} */
const until = (lines, ends) => {
	const found = lines.findIndex((line, at) => at && ends(line))
	return found < 0 ? lines.length : found
}

/** The page has its own h1: h2 and h3 are what is left. @type {(level: number, text: string) => Child} */
const titled = (level, text) => h(level < 3 ? "h2" : "h3", { dir: "auto" }, inline(text))

/** @type {Fn.someBlock} */
const fenced = (lines) => {
	const mark = FENCE.exec(lines[0])?.[1] ?? ""
	const count = until(lines, (line) => line.trim().startsWith(mark) && !line.trim().replaceAll(mark[0], ""))
	return [count + 1, block(lines.slice(1, count).join("\n"), "code")]
}

/** Up to what begins something else; a line of = or - below makes it a heading. @type {Fn.someBlock} */
const paragraph = (lines) => {
	const count = until(lines, (line) => !line.trim() || /^ *(=+|-+) *$/.test(line) || begins(line))
	const text = lines
		.slice(0, count)
		.map((line) => line.trimStart())
		.join("\n")
		.trimEnd()
	const [, under] = /^ {0,3}(=+|-{2,}) *$/.exec(lines[count] ?? "") ?? []
	return under ? [count + 1, titled(2, text)] : [count, h("p", { dir: "auto" }, inline(text))]
}

/** Items are marked as the first is; what is indented further belongs to the item before. @type {Fn.oneBlock} */
const list = (lines, depth) => {
	const [, pad, number] = ITEM.exec(lines[0]) ?? []
	/** @type {string[][]} */
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
	return [at, h(number ? "ol" : "ul", { dir: "auto", start: number && number !== "1" ? number : null }, made)]
}

/** What is in an item: a box to tick, its text, and blocks where there are any. @type {Fn.itemOf} */
const itemOf = (lines, depth) => {
	const [, tick, first] = /^\[([ xX])\] +(.*)$/.exec(lines[0]) ?? [, , lines[0]]
	const inside = lines.slice(1)
	const pad = Math.min(...inside.filter((line) => line.trim()).map((line) => line.length - line.trimStart().length))
	const dedented = inside.map((line) => line.slice(Math.min(pad, line.length)))
	const count = until(["", ...dedented], (line) => !line.trim() || begins(line)) - 1
	const text = [first, ...dedented.slice(0, count)].join("\n")
	const box =
		tick &&
		h("input", {
			type: "checkbox",
			disabled: true,
			checked: tick !== " ",
			"aria-label": tick === " " ? "open" : "done",
		})
	return [box, inline(text), blocks(dedented.slice(count), depth + 1)]
}

/** @type {(line: string) => string[]} */
const cells = (line) =>
	line
		.trim()
		.replace(/^\||(?<!\\)\|$/g, "")
		.split(/(?<!\\)\|/)
		.map((cell) => cell.trim().replaceAll("\\|", "|"))

/** @type {Fn.someBlock} */
const table = (lines) => {
	const count = until(lines, (line) => !line.includes("|"))
	const [head, rule, ...rows] = lines.slice(0, count).map(cells)
	const sides = rule.map((cell) => (/:$/.test(cell) ? (/^:/.test(cell) ? "middle" : "end") : ""))
	/** @type {(tag: "th" | "td", row: string[]) => Child} */
	const line = (tag, row) =>
		h(
			"tr",
			head.map((_, at) => h(tag, { class: sides[at] || null }, inline(row[at] ?? ""))),
		)
	const body = h(
		"tbody",
		rows.map((row) => line("td", row)),
	)
	return [
		count,
		h(
			"div.wide",
			{ tabindex: 0, role: "group", "aria-label": "Table" },
			h("table", { dir: "auto" }, h("thead", line("th", head)), body),
		),
	]
}

/** An escape, code, strong, em, struck, an image or a link, a URL, the end of a line. */
const INLINE = new RegExp(
	[
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
	]
		.map((each) => each.source)
		.join("|"),
	"g",
)
/** A text of more characters than this is shown as it is. */
const LONG = 50_000

/** @type {Fn.inline} */
const inline = (text) =>
	text.length > LONG
		? text
		: replaced(text, INLINE, ([, mark, , raw, strong, strong2, em, em2, struck, image, label, url, bare]) => {
				if (mark) return mark
				if (raw) return h("code", raw.replace(/^ (.*) $/, "$1").replace(/\n/g, " "))
				if (strong ?? strong2) return h("strong", inline(strong ?? strong2))
				if (em ?? em2) return h("em", inline(em ?? em2))
				if (struck) return h("s", inline(struck))
				if (url)
					return image ? picture(url, label) : link(url.replace(/\\(?=[!-/:-@[-`{-~])/g, ""), inline(label), true)
				return bare ? link(bare, bare, true) : h("br")
			})

/** A picture from here, or in the text; of others, which the policy does not let in, a link. @type {Fn.picture} */
const picture = (src, alt) => {
	const near = safe(src, true) && (src.startsWith("data:") || new URL(src, location.href).origin === location.origin)
	return near ? h("img", { src, alt, loading: "lazy" }) : link(src, alt || src, true)
}
