/** Sentences: an issue in words, and the name that was meant; contract/shape/sentences.py says how they are read. */

import { own } from "./contract.js"
import { attempt, stringify } from "./tools.js"

/** The server's own, in the language of the page, came along with it. */
export const { sentences: SENTENCES, samples: SAMPLES, ready: READY, general: GENERAL } =
	JSON.parse(document.documentElement.dataset.issues ?? "")

/** As many characters as the server tells. */
const LONG = 200

export const sentence = (code, params) => {
	const template = own(SENTENCES, `${code}.${params.reason ?? params.found}`) ?? own(SENTENCES, code)
	const told = template && filled(template, params)
	const letters = [...(told ?? "")]
	return letters.length > LONG ? `${letters.slice(0, LONG - 1).join("")}…` : told
}

/** What authors say of their own rules stays as it is, and what this page has no words for. */
export const worded = ({ path, code, message, params = {} }) => {
	const authors = /^(predicate|invalid_value)$/.test(code) && !GENERAL.includes(message)
	return { path, code, message: (!authors && attempt(() => sentence(code, params))) || message, params }
}

const filled = (template, params) => {
	let whole = true
	const told = template.replace(/\[([^\]]*)\]|\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, part, name, one, many) => {
		if (part !== undefined) return filled(part, params) ?? ""
		const value = own(params, name)
		whole &&= value !== undefined
		if (value === undefined) return ""
		if (one === undefined) return own(SENTENCES, `${name}:${value}`) ?? (own(WORDS, name) ?? String)(value, params)
		return value === 1 ? one : many
	})
	return whole ? told : undefined
}

const WORDS = {
	meant: stringify,
	allowed: (values, { count = values.length }) => {
		const texts = values.slice(0, 10).map(stringify)
		const fits = (_, at) => !at || [...texts.slice(0, at + 1).join("")].length <= 100
		const told = texts.filter(fits)
		const left = count - told.length
		return count === 1 ? told[0] : filled(SENTENCES["allowed:some"], { some: told.join(", "), ...(left && { left }) })
	},
	expected: (value, params) => {
		const called = (name) => own(SENTENCES, `found:${name}`) ?? own(SENTENCES, `format:${name}`) ?? name
		const each = (name) => (name === "allowed" ? WORDS.allowed(params.allowed, params) : called(name))
		const words = value.split(", ").map(each)
		return [words.slice(0, -1).join(", "), words.at(-1)].filter(Boolean).join(SENTENCES["expected:or"])
	},
	closest: ({ path, code, params: { closest, ...params } }) => {
		const said = { place: path.join("."), sentence: sentence(code, params) ?? code }
		return filled(SENTENCES[path.length ? "closest:at" : "closest:here"], said)
	},
}

// The declared name that is near to what was written; contract/shape/nearest.py says when it is.

export const nearest = (sent, names) => {
	const plain = letters(sent)
	const near = names.slice(0, 50).filter((each) => plain && letters(each))
	const apart = (each) => Math.abs(letters(each).length - plain.length)
	const part = (each) => {
		const [short, long] = [plain, letters(each)].sort((a, b) => a.length - b.length)
		return short.length > 2 && long.includes(short)
	}
	return near.find((each) => letters(each) === plain)
		?? near.find((each) => apart(each) < 3 && slipped(plain, letters(each)))
		?? near.find((each) => apart(each) > 2 && part(each))
}

const letters = (name) => {
	if (typeof name !== "string" || name.length > 64 || /[^\0-\x7f]/.test(name)) return ""
	return name.replace(/[-_. ]/g, "").toLowerCase()
}

/** Whether they differ in one place, by two letters at most, and share as many. */
const slipped = (one, other) => {
	const least = Math.min(one.length, other.length)
	let start = 0
	while (start < least && one[start] === other[start]) start++
	let end = 0
	while (end < least - start && one.at(-1 - end) === other.at(-1 - end)) end++
	return Math.max(one.length, other.length) - start - end < 3 && start + end > 1
}
