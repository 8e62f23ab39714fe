/** Values: what the server would say of one, in its codes and its texts; and values that are valid, thought up. */

import { BIG, FORMATS, limits, patterns, read, sizes, suits, typeOf, TYPES, types, zone } from "./contract.js"
import { attempt, stringify } from "./tools.js"

const CODES = JSON.parse(document.documentElement.dataset.issues ?? "").codes

/** As many issues as the server tells. */
const MOST = 20

export const check = (schema, value) => {
	/** @type {Issue[]} */
	const issues = []
	walk(schema, value, [], issues)
	return issues.slice(0, MOST)
}

const issue = (code, path, param, shown) => {
	const names = code.startsWith("unknown") ? ["allowed"] : [...CODES[code].matchAll(/\{(\w+)/g)].map(([, name]) => name)
	const text = code === "format" ? FORMATS[String(param)] : String(shown)
	const params = param !== undefined && { params: Object.fromEntries(names.map((name) => [name, param])) }
	return {
		path: path.slice(0, 16).map((part) => (typeof part === "string" ? part.slice(0, 64) : part)),
		code,
		message: CODES[code].replace(/\{\w+\}/g, text).slice(0, 200),
		...params,
	}
}

const walk = (schema, value, path, issues) => {
	const shape = read(schema)
	const { kind, values } = shape
	if (issues.length > MOST || (value === null && shape.nullable) || kind === "any") return
	const at = (key) => [...path, ...(key === undefined ? [] : [key])]
	const tell = (code, param, key, shown = param) => issues.push(issue(code, at(key), param, shown))
	/** @type {Visit} */
	const visit = { shape, value, path, issues, tell, next: (of, key) => walk(of, value[key], at(key), issues) }
	if (kind === "union") return union(visit)
	if (kind === "choice") return values.includes(value) || tell("unknown_value", values.length > 50 ? undefined : values)
	const type = typeOf(value)
	const [wanted] = types(schema)
	const typed = type === wanted || (wanted === "number" && type === "integer")
	if (!typed || value === Infinity || value === -Infinity) return tell(`${wanted}_type`)
	VISITS[kind]?.(visit)
}

const union = ({ shape: { parts }, value, path, issues, tell }) => {
	const fitting = parts.filter((part) => suits(part, value))
	if (fitting.length === 1) return walk(fitting[0], value, path, issues)
	if (fitting.some((part) => !check(part, value).length)) return
	tell("union", [...new Set(parts.flatMap((part) => read(part).form ?? types(part)))].join(", "))
}

const tagged = ({ shape: { cases, tag }, value, path, issues, tell }) => {
	if (!Object.hasOwn(value, tag)) return tell("missing", undefined, tag)
	const found = cases.find(([each]) => each === value[tag])
	if (found) return walk(found[1], value, path, issues)
	const known = cases.map(([each]) => each)
	tell("unknown_tag", known, tag)
}

const record = ({ shape: { fields }, value, tell, next }) => {
	for (const { name, schema, required } of fields)
		if (Object.hasOwn(value, name)) next(schema, name)
		else if (required) tell("missing", undefined, name)
	for (const key of Object.keys(value))
		if (!fields.some(({ name }) => name === key)) tell("unknown_key", undefined, key)
}

const many = ({ shape, value, path, issues, tell, next }) => {
	const { kind, of, parts, item } = shape
	const before = issues.length
	const [low, high] = sizes(shape)
	const keys = Object.keys(value)
	const unit = kind === "map" ? "keys" : "items"
	if (keys.length < low) return tell(`too_few_${unit}`, low)
	if (keys.length > high) return tell(`too_many_${unit}`, high)
	for (const key of keys) {
		const now = issues.length
		if (of.propertyNames) walk(of.propertyNames, key, [...path, key], issues)
		if (now === issues.length) next(kind === "tuple" ? parts[Number(key)] : item, kind === "map" ? key : Number(key))
	}
	if (of.uniqueItems && before === issues.length && different(item, value) < keys.length) tell("not_unique")
}

/** How many different items there are: two texts may be one moment, or one decimal. */
const different = (item, values) => {
	const { form } = read(item)
	return new Set(values.map((each) => (form && /^d|time/.test(form) ? measure(form, each) : stringify(each)))).size
}

const compiled = new Map()

/** Whether a text matches; what is no expression here is left to the server. */
export const fits = (pattern, value) => {
	if (!compiled.has(pattern))
		compiled.set(pattern, attempt(() => new RegExp(pattern, "u")) ?? attempt(() => new RegExp(pattern)))
	return compiled.get(pattern)?.test(value) ?? true
}

const DECIMAL = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i

const text = (visit) => {
	const { shape, value, tell } = visit
	const { of, form } = shape
	if (!form) return counted(visit, "string", [...value].length) || matched(visit)
	if (!fits(of.pattern, value) || Number.isNaN(measure(form, value)))
		return form === "decimal" && DECIMAL.test(value) ? tell("decimal_size", 40) : tell("format", form)
	const offset = form === "date-time" && zone(of)
	if (offset && value.slice(-6).replace(/.*Z|-00:00/, "+00:00") !== offset) return tell("timezone", offset)
	if (form !== "byte") return bounded(visit)
	counted(visit, "bytes", (value.length * 3) / 4 - value.replace(/[^=]/g, "").length)
}

const counted = ({ shape, tell }, unit, size) => {
	const [low, high] = sizes(shape)
	if (size < low) tell(`${unit}_too_short`, low)
	else if (size > high) tell(`${unit}_too_long`, high)
	return size < low || size > high
}

const matched = ({ shape, value, tell }) => {
	const broken = patterns(shape.of).find((pattern) => !fits(pattern, value))
	if (broken) tell("pattern", broken)
}

const bounded = ({ shape, value, tell }) => {
	const { form, kind } = shape
	const told = form === "integer" ? { ge: -BIG, le: BIG - 1n, ...limits(shape) } : limits(shape)
	const exact = (each, by = form) => (by ? measure(by, `${each}`) : each)
	const one = exact(value)
	const steps = () => {
		const [all, step] = [value, told.multiple_of].map((each) => exact(each, form ?? "decimal"))
		return typeof all === typeof step && all % step
	}
	/** @type {[string, unknown, (limit: any) => unknown][]} */
	const rules = [
		["greater_than_equal", told.ge, (limit) => one < limit],
		["greater_than", told.gt, (limit) => one <= limit],
		["less_than_equal", told.le, (limit) => one > limit],
		["less_than", told.lt, (limit) => one >= limit],
		["multiple_of", told.multiple_of, steps],
	]
	const [code, limit] = rules.find(([, limit, breaks]) => limit !== undefined && breaks(exact(limit))) ?? []
	// of a float the server tells a float, which has a point
	if (code) tell(code, limit, undefined, kind === "number" && Number.isInteger(limit) ? `${limit}.0` : limit)
}

const VISITS = { tagged, record, list: many, tuple: many, map: many, text, integer: bounded, number: bounded }

/** Of a decimal: digits, and places to either side of the point. */
const DIGITS = 40

/** What a text of a form stands for, as a number to compare; NaN where it stands for nothing. */
export const measure = (form, text) => {
	if (form === "integer") return BigInt(text)
	if (form === "decimal") return decimal(text)
	if (form === "duration") return duration(text)
	return /date|time/.test(form) ? moment(form, text) : 0
}

const decimal = (text) => {
	const [, digits, fraction = "", power = 0] = /^(-?\d+)\.?(\d*)(?:e(.+))?$/i.exec(text) ?? []
	const shift = Number(power) - fraction.length
	if (digits === undefined || Math.abs(shift) > DIGITS) return NaN
	const all = digits + fraction
	return all.replace(/^-?0*/, "").length > DIGITS ? NaN : BigInt(all) * 10n ** BigInt(shift + DIGITS)
}

/** A Python timedelta ends before a thousand million days. */
const duration = (text) => {
	const [, sign, ...parts] = /^(-)?P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(text) ?? []
	const seconds = parts.reduce((sum, part, index) => sum + Number(part ?? 0) * [86_400, 3600, 60, 1][index], 0)
	if (seconds >= 864e11) return NaN
	return sign ? -seconds : seconds
}

/** In milliseconds, of which a part counts the microseconds. */
const moment = (form, text) => {
	const day = form.startsWith("date") ? text.slice(0, 10) : "1970-01-01"
	const start = Date.parse(`${day}T00:00Z`)
	if (Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== day || day < "0001") return NaN
	if (form === "date") return start
	const micros = Number(/\.\d{3}(\d+)/.exec(text)?.[1].padEnd(3, "0") ?? 0) / 1000
	const zoned = /Z|[+-]..:..$/.test(text) ? text : `${text}Z`
	return micros + Date.parse(form === "date-time" ? text : `${day}T${zoned}`)
}

// Values that are valid, as far as they can be thought up.

export const sample = (schema, nth = 0, around = []) => {
	const shape = read(schema)
	const { of, kind, name = "" } = shape
	const good = (value) => !check(schema, value).length
	const told = [...(schema.examples ?? []), ...(of.examples ?? []), schema.default ?? null]
	const given = told.filter((each) => each !== null && good(each))
	if (given.length > nth) return given[nth]
	const deep = around.length > 8 || around.includes(name)
	if (kind === "null" || (deep && shape.nullable)) return null
	const inside = name ? [...around, name] : around
	/** @type {Making} */
	const making = {
		shape,
		nth,
		deep,
		next: (each, n = nth) => sample(each, n, inside),
		ends: (each) => {
			const { name = "", kind } = read(each)
			return !inside.includes(name) && !(deep && (TYPES[kind] ?? "string") !== "string")
		},
	}
	const made = MADE[kind]?.(making)
	if (made !== undefined) return made
	for (const each of candidates(shape)) if (good(each) && !nth--) return each
	return kind === "text" ? "" : 0
}

/** One for each item that there has to be; one where there may be some, unless it is deep inside. */
const turns = ({ shape, deep }) => {
	const [low = 0, high = 1] = sizes(shape)
	return [...Array(Math.min(50, Math.max(low, high && !deep ? 1 : 0))).keys()]
}

const MADE = {
	record: ({ shape: { fields }, deep, next }) => {
		const shown = fields.filter(({ required, schema }) => required || (schema.examples && !deep))
		return Object.fromEntries(shown.map(({ name, schema }) => [name, next(schema)]))
	},
	tagged: ({ shape: { cases, tag }, ends, next }) => {
		const [value, record] = cases.find(([, each]) => ends(each)) ?? cases[0] ?? ["", {}]
		return { [tag]: value, ...next(record), [tag]: value } // the tag comes first, and is not thought up
	},
	list: (making) => {
		const { shape, nth, next } = making
		return turns(making).map((index) => next(shape.item, shape.of.uniqueItems ? index + nth : 0))
	},
	map: (making) => {
		const { shape, next } = making
		const keys = shape.of.propertyNames ?? { type: "string", examples: ["key"] }
		return Object.fromEntries(turns(making).map((index) => [next(keys, index), next(shape.item, 0)]))
	},
	tuple: ({ shape, deep, next }) => {
		const [low = 0] = sizes(shape)
		return shape.parts.slice(0, deep ? low : undefined).map((each) => next(each, 0))
	},
	union: ({ shape: { parts }, ends, next }) => next(parts.find((each) => ends(each)) ?? parts[0]),
	choice: ({ shape: { values }, nth }) => values[nth % values.length],
}

/** What to try first. */
const FIRST = {
	boolean: true,
	any: {},
	decimal: "12.50",
	duration: "PT90S",
	date: "2026-01-01",
	"date-time": "2026-01-01T10:00:00Z",
	time: "10:00:00Z",
	"partial-time": "10:00:00",
	integer: "1",
}

function* candidates(shape) {
	const { kind, form = "" } = shape
	if (kind === "text" && /^(|byte|uuid)$/.test(form)) return yield* texts(shape)
	const first = FIRST[form || (kind === "integer" ? "" : kind)] ?? 1
	yield first
	if (kind === "boolean") yield false
	const { ge, gt, le, lt } = limits(shape)
	const scale = /date|time/.test(form) ? momentsOf(shape) : numbersOf(shape)
	// by any limit there is mostly something that keeps the other rules too
	for (const limit of [ge, le, gt, lt, first].filter((each) => each !== undefined)) {
		yield limit
		for (let n = -40; n < 40; n++) yield scale.write(scale.read(limit), n, limit)
	}
	const middle = (scale.read(gt ?? ge) + scale.read(lt ?? le)) / 2
	if (!Number.isNaN(middle)) yield scale.between(middle)
}

function* texts(shape) {
	const { of, form } = shape
	const [low = 0, high = 99] = sizes(shape)
	const size = Math.min(high, Math.max(low, 6))
	for (let n = 0; n < 40 + Math.min(low, 400); n++) {
		if (form === "byte") yield btoa((n ? `${n}` : "hello").padEnd(low).slice(0, high))
		else if (form) yield `123e4567-e89b-12d3-a456-4266141740${n + 10}`
		else {
			const plain = "string".repeat(size).slice(0, size - (n ? 2 : 0)) + (n || "")
			const text = of.pattern ? spell(of.pattern, n) : plain
			yield* [text, text.padEnd(size, "a")]
		}
	}
}

const momentsOf = ({ of, form = "" }) => {
	const step = form.startsWith("date") ? 86_400_000 : 60_000
	const write = (from, n) => {
		const zoned = (form === "date-time" && zone(of)) || "Z"
		const iso = new Date(from + n * step).toISOString().replace(".000", "").replace("Z", zoned)
		if (form === "date") return iso.slice(0, 10)
		return form === "date-time" ? iso : iso.slice(11, form === "time" ? 99 : 19)
	}
	return { read: (limit) => Number(measure(form, `${limit}`)), write, between: (middle) => write(middle, 0) }
}

const numbersOf = (shape) => {
	const { kind, form = "" } = shape
	const step = Number(limits(shape).multiple_of ?? (/int|dur/.test(kind + form) ? 1 : 0.01))
	const digits = `${step}`.split(".")[1]?.length ?? 0
	const lasts = form === "duration"
	const lasting = (seconds) => `${seconds < 0 ? "-" : ""}PT${Number(Math.abs(seconds).toFixed(6))}S`
	return {
		read: (limit) => Number(lasts ? measure(form, `${limit}`) : limit),
		write: (from, n, limit) => {
			const next = Math.round(from / step + n) * step
			if (lasts) return lasting(next)
			if (form) return next.toFixed(digits)
			return typeof limit === "bigint" ? limit + BigInt(n) : Number(next.toFixed(digits))
		},
		between: (middle) => (lasts ? lasting(middle) : form ? `${middle}` : middle),
	}
}

// A text for a regular expression, which is read from left to right.

const CHARS = [..."a0A1b2-_. /+@:", ...Array.from({ length: 94 }, (_, n) => String.fromCharCode(33 + n))]
/** The beginning of a group, or one atom: a class, an escape, a character. */
const PIECE = /^(?:(\((?:\?:|\?<\w+>)?)|(\[\^?(?:\\.|[^\]\\])*\]|\\(?:u.{4}|x..|p\{\w+\}|.)|[^]))/
const REPEATED = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/

const spell = (source, more) => either({ source, at: 0, more })

const take = (reader, expression) => {
	const found = expression.exec(reader.source.slice(reader.at)) ?? [""]
	reader.at += found[0].length
	return found
}

/** The alternatives up to the end of a group: the first, or where it is asked for more, another. */
const either = (reader) => {
	let out = ""
	for (let first = true; first || reader.source[reader.at] === "|"; first = false) {
		if (!first) reader.at++
		const one = sequence(reader)
		if (first || (reader.more % 2 && one)) out = one
	}
	return out
}

const sequence = (reader) => {
	let out = ""
	while (reader.at < reader.source.length && !/[)|]/.test(reader.source[reader.at])) {
		const [, group, atom] = take(reader, PIECE)
		const piece = group ? either(reader) : character(atom)
		if (group) reader.at++
		out += piece.repeat(times(reader))
	}
	return out
}

const character = (atom) => {
	if (/^(\^|\$|\\b)$/.test(atom)) return ""
	if (atom.length === 1 && atom !== ".") return atom
	return CHARS.find((char) => fits(`^${atom}$`, char)) ?? ""
}

const times = (reader) => {
	const [turns, sign, from = "", open, to] = take(reader, REPEATED)
	if (!turns) return 1
	const least = Number(sign ? sign === "+" : from)
	const most = sign ? (sign === "?" ? 1 : 999) : open ? Number(to || 999) : least
	return Math.min(least + reader.more, most)
}
