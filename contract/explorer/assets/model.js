/**
 * Model: what the page knows of a contract: types read as kinds, their rules in words, values checked and thought up, and what to find.
 *
 * `check` says what the server would say, in its codes and texts, which the page brings along.
 */

import { parse, stringify } from "./tools.js"

/** @type {Contract} */
export let doc
/** Where the contract is, and the routes ("" where that is not known). */
export const at = { contract: "", base: "" }

const { codes: CODES, formats: FORMATS } = /** @type {Record<string, Record<string, string>>} */ (JSON.parse(document.documentElement.dataset.issues ?? ""))

/** @param {string} text */
export function load(text) {
	doc = (text.length < 5e5 ? parse : JSON.parse)(text) // what is exact takes eight times as long
	if (!/^1\./.test(doc?.contract)) throw new Error("It is no contract of version 1.")
}

/** The own property: a name of the contract may be any text. @template T @param {Record<string, T> | undefined} of @param {string} name @returns {T | undefined} */
export const own = (of, name) => (of && Object.hasOwn(of, name) ? of[name] : undefined)

/** @param {Schema} schema @returns {Schema} */
export const body = (schema) => (schema.$ref ? (own(doc.$defs, schema.$ref.slice(8)) ?? {}) : schema)

/** @type {WeakMap<Schema, Shape>} */
const shapes = new WeakMap()
/** @type {Record<string, string>} */
const FORMS = { bytes: "byte", decimal: "decimal", timedelta: "duration", int: "integer" }
const tags = (/** @type {Schema | undefined} */ schema) => (schema ? (schema.enum ?? ("const" in schema ? [schema.const] : [])) : [])

/** What a schema means. @param {Schema} schema @returns {Shape} */
export function read(schema) {
	const known = shapes.get(schema)
	if (known) return known
	/** @type {Shape} */
	const shape = { kind: "any", of: schema, nullable: false, fields: [], parts: [], item: {}, tag: "", cases: [], values: [] }
	shapes.set(schema, shape)
	for (let hops = 0; hops < 64; hops++) {
		const { $ref, anyOf } = shape.of
		if ($ref) shape.name = $ref.slice(8)
		shape.parts = anyOf?.filter((each) => each.type !== "null") ?? []
		shape.nullable ||= shape.parts.length < (anyOf?.length ?? 0)
		if (shape.parts.length > 1) return Object.assign(shape, { kind: "union" })
		if (!$ref && !anyOf) break
		shape.of = $ref ? body(shape.of) : (shape.parts[0] ?? { type: "null" })
	}
	const { of } = shape
	const { type, properties = {}, oneOf, pattern, format } = of
	const marked = of["x-contract-type"]
	if (oneOf) {
		const inside = oneOf.map((each) => body(each).properties ?? {})
		shape.kind = "tagged"
		shape.tag = of.discriminator?.propertyName ?? Object.keys(inside[0]).find((name) => inside.every((each) => tags(own(each, name)).length)) ?? ""
		shape.cases = oneOf.flatMap((each, index) => tags(own(inside[index], shape.tag)).map((tag) => /** @type {[unknown, Schema]} */ ([tag, each])))
	} else if (tags(of).length) {
		shape.kind = "choice"
		shape.values = tags(of)
	} else if (type === "object" && (of.properties || of.additionalProperties === false)) {
		shape.kind = "record"
		shape.fields = (of["x-contract-order"] ?? Object.keys(properties)).map((name) => ({ name, schema: properties[name], required: of.required?.includes(name) ?? false }))
	} else if (type === "object") {
		shape.kind = "map"
		shape.item = of.additionalProperties || {}
	} else if (type === "array") {
		shape.kind = of.items === false ? "tuple" : "list"
		shape.parts = of.prefixItems ?? []
		shape.item = of.items || {}
	} else if (type === "string") {
		shape.kind = "text"
		shape.form = marked === "time" ? (pattern?.includes("Z") ? "time" : "partial-time") : (own(FORMS, marked) ?? (own(FORMATS, format) && format))
	} else if (type) shape.kind = type
	return shape
}

/** What a type is called, names of types as objects. @param {Schema} schema @returns {(string | { type: string })[]} */
export function label(schema) {
	const { kind, of, name, nullable, form, item, parts, cases, values } = read(schema)
	const any = (/** @type {Schema[]} */ list, by = " or ") => list.flatMap((each, index) => [index ? by : "", ...label(each)])
	const out = name
		? [{ type: name }]
		: kind === "list"
			? [of.uniqueItems ? "set of " : "list of ", ...label(item)]
			: kind === "map"
				? ["map of ", ...(of.propertyNames ? [...label(of.propertyNames), " to "] : []), ...label(item)]
				: kind === "tuple"
					? ["[", ...any(parts, ", "), "]"]
					: kind === "union" || kind === "tagged"
						? any(kind === "union" ? parts : [...new Set(cases.map(([, each]) => each))])
						: [kind === "choice" ? (values.length > 1 ? "one of" : stringify(values[0])) : form ? { byte: "base64", integer: "integer as text", "partial-time": "time" }[form] ?? form : kind === "text" ? "string" : kind === "record" ? "object" : kind]
	return nullable ? [...out, " or null"] : out
}

/** @param {Schema} schema */
export const called = (schema) => label(schema).map((part) => (typeof part === "string" ? part : part.type)).join("")

/** @param {Schema} schema @returns {string[]} */
const patterns = ({ pattern, allOf = [] }) => [pattern, ...allOf.map((rule) => rule.pattern)].filter(Boolean)
/** @param {Schema} of */
const zone = (of) => patterns(of)[1]?.replace(/^\(Z.*/, "+00:00").replace(/[[\]$]/g, "")

/** The least and the most of something that is counted. Bytes stand in the length and the end of their text. @param {Shape} shape @returns {number[]} */
function sizes({ of, form }) {
	if (form !== "byte") return [of.minLength ?? of.minItems ?? of.minProperties, of.maxLength ?? of.maxItems ?? of.maxProperties]
	const rule = (/** @type {string} */ key) => [of, ...(of.allOf ?? [])].find((each) => each.if?.[key])?.then.pattern
	return [of.minLength && of.minLength * 0.75 - ["[^=]$", "[^=]=?$", undefined].indexOf(rule("maxLength")), of.maxLength && of.maxLength * 0.75 - [undefined, "=$", "==$"].indexOf(rule("minLength"))]
}

const BIG = 2n ** 63n
/** @param {Shape} shape @returns {Record<string, any>} */
const limits = ({ of, kind }) => (kind === "text" ? (of["x-contract-bounds"] ?? {}) : { ge: of.minimum, gt: of.exclusiveMinimum, le: of.maximum === 2 ** 63 ? BIG - 1n : of.maximum, lt: of.exclusiveMaximum, multiple_of: of.multipleOf })

/** The rules of a type in words. @param {Shape} shape @returns {string[]} */
export function words(shape) {
	const { kind, of, form } = shape
	const { ge, gt, le, lt, multiple_of } = limits(shape)
	const [low, high] = sizes(shape)
	const unit = kind === "list" ? "item" : kind === "map" ? "key" : form ? "byte" : "character"
	const span = (/** @type {any} */ low, /** @type {any} */ high, what = "") => (low === undefined ? high !== undefined && `at most ${high}${what}` : high === undefined ? `at least ${low}${what}` : low === high ? `exactly ${low}${what}` : `${low} to ${high}${what}`)
	const size = kind !== "tuple" && span(low || undefined, high, ` ${unit}${(high ?? low) === 1 ? "" : "s"}`)
	const inner = kind === "list" && !of.items?.$ref ? words(read(of.items)).map((each) => `each ${each}`) : []
	return [span(ge > -BIG || kind !== "integer" ? ge : undefined, le < BIG - 1n || kind !== "integer" ? le : undefined), gt !== undefined && `more than ${gt}`, lt !== undefined && `less than ${lt}`, multiple_of && `a multiple of ${multiple_of}`, size, of.uniqueItems && "no two equal", form === "date-time" && zone(of) && `with the offset ${zone(of)}`, ...(form || kind !== "text" ? [] : patterns(of).map((each) => `matches ${each}`)), ...inner].filter((each) => typeof each === "string")
}

/** @param {unknown} value @returns {value is Record<string, any>} */
export const isObject = (value) => typeOf(value) === "object"

/** Its JSON type. @param {any} value */
export const typeOf = (value) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value === "bigint" || (Number.isInteger(value) && Math.abs(value) <= 2 ** 53) ? "integer" : typeof value)

/** The JSON types that a schema takes. @param {Schema} schema @returns {string[]} */
export function types(schema) {
	const { kind, parts, values, nullable } = read(schema)
	const found = kind === "union" ? parts.flatMap(types) : kind === "choice" ? values.map(typeOf) : [{ text: "string", record: "object", map: "object", tagged: "object", list: "array", tuple: "array" }[/** @type {string} */ (kind)] ?? kind]
	return nullable ? [...found, "null"] : found
}

/** Whether it may be of that schema, going by its type alone. @param {Schema} schema @param {unknown} value */
export const suits = (schema, value) => types(schema).some((type) => type === "any" || type === typeOf(value) || (type === "number" && typeOf(value) === "integer"))

/** What the server would find wrong, at most 20 issues. @param {Schema} schema @param {unknown} value */
export function check(schema, value) {
	/** @type {Issue[]} */
	const issues = []
	walk(schema, value, [], issues)
	return issues.slice(0, 20)
}

/** @param {Schema} schema @param {any} value @param {Path} path @param {Issue[]} issues @returns {unknown} */
function walk(schema, value, path, issues) {
	const shape = read(schema)
	const { kind, of, parts, cases } = shape
	/** @type {Tell} */
	const tell = (code, param, where = path, shown = param) => {
		const names = code.startsWith("unknown") ? ["allowed"] : [...CODES[code].matchAll(/\{(\w+)/g)].map(([, name]) => name)
		const message = CODES[code].replace(/\{\w+\}/g, code === "format" ? FORMATS[String(param)] : String(shown)).slice(0, 200)
		issues.push({ path: where.slice(0, 16).map((part) => (typeof part === "string" ? part.slice(0, 64) : part)), code, message, ...(param === undefined ? {} : { params: Object.fromEntries(names.map((name) => [name, param])) }) })
	}
	if (issues.length > 20 || (value === null && shape.nullable) || kind === "any") return
	const type = typeOf(value)
	const [wanted] = types(schema)
	if (kind === "union") {
		const fitting = parts.filter((part) => suits(part, value))
		if (fitting.length === 1) return walk(fitting[0], value, path, issues)
		const names = parts.flatMap((part) => read(part).form ?? types(part))
		return fitting.some((part) => !check(part, value).length) || tell("union", [...new Set(names)].join(", "))
	}
	if (kind === "choice") return shape.values.includes(value) || tell("unknown_value", shape.values.length > 50 ? undefined : shape.values)
	if ((type !== wanted && !(wanted === "number" && type === "integer")) || value === Infinity || value === -Infinity) return tell(`${wanted}_type`)
	if (kind === "text") return text(shape, value, tell)
	if (kind === "integer" || kind === "number") return bounded(shape, value, tell)
	const before = issues.length
	const next = (/** @type {Schema} */ of, /** @type {string | number} */ key) => walk(of, value[key], [...path, key], issues)
	if (kind === "tagged") {
		if (!own(value, shape.tag) && !Object.hasOwn(value, shape.tag)) return tell("missing", undefined, [...path, shape.tag])
		const found = cases.find(([tag]) => tag === value[shape.tag])
		return found ? walk(found[1], value, path, issues) : tell("unknown_tag", cases.map(([tag]) => tag), [...path, shape.tag])
	}
	if (kind === "record") {
		for (const { name, schema, required } of shape.fields)
			if (Object.hasOwn(value, name)) next(schema, name)
			else if (required) tell("missing", undefined, [...path, name])
		const known = new Set(shape.fields.map(({ name }) => name))
		for (const key of Object.keys(value)) if (!known.has(key)) tell("unknown_key", undefined, [...path, key])
	} else if (type === "array" || type === "object") {
		const [low, high] = sizes(shape)
		const keys = Object.keys(value)
		const unit = type === "array" ? "items" : "keys"
		if (keys.length < low) return tell(`too_few_${unit}`, low)
		if (keys.length > high) return tell(`too_many_${unit}`, high)
		if (type === "array") value.forEach((/** @type {unknown} */ _, /** @type {number} */ index) => next(kind === "tuple" ? parts[index] : shape.item, index))
		else
			for (const key of keys) {
				const before = issues.length
				if (of.propertyNames) walk(of.propertyNames, key, [...path, key], issues)
				if (before === issues.length) next(shape.item, key)
			}
		const { form } = read(shape.item)
		if (of.uniqueItems && before === issues.length && new Set(value.map((/** @type {any} */ each) => (form && /^d|time/.test(form) ? measure(form, each) : stringify(each)))).size < keys.length) tell("not_unique")
	}
}

/** @type {Map<string, RegExp | undefined>} */
const expressions = new Map()

/** @param {string} pattern @param {string} value */
function fits(pattern, value) {
	if (!expressions.has(pattern)) {
		expressions.set(pattern, undefined)
		for (const flags of ["", "u"])
			try {
				expressions.set(pattern, new RegExp(pattern, flags))
			} catch {
				// what is no expression here is left to the server
			}
	}
	return expressions.get(pattern)?.test(value) ?? true
}

/** @param {Shape} shape @param {string} value @param {Tell} tell */
function text(shape, value, tell) {
	const { of, form } = shape
	const [low, high] = sizes(shape)
	const size = form ? (value.length * 3) / 4 - value.replace(/[^=]/g, "").length : [...value].length
	const unit = form ? "bytes" : "string"
	const offset = form === "date-time" && zone(of)
	if (form && (!fits(of.pattern, value) || Number.isNaN(measure(form, value)))) {
		if (form === "decimal" && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value)) return tell("decimal_size", 40)
		return tell("format", form)
	}
	if (offset && value.slice(-6).replace(/.*Z|-00:00/, "+00:00") !== offset) return tell("timezone", offset)
	if (form && form !== "byte") return bounded(shape, value, tell)
	if (size < low) return tell(`${unit}_too_short`, low)
	if (size > high) return tell(`${unit}_too_long`, high)
	const broken = form ? undefined : patterns(of).find((pattern) => !fits(pattern, value))
	if (broken) tell("pattern", broken)
}

/** @param {Shape} shape @param {any} value @param {Tell} tell */
function bounded(shape, value, tell) {
	const { form, kind } = shape
	const told = form === "integer" ? { ge: -BIG, le: BIG - 1n, ...limits(shape) } : limits(shape)
	const exact = (/** @type {unknown} */ each, by = form) => (by ? measure(by, String(each)) : /** @type {any} */ (each))
	const broken = /** @type {[string, string, (one: any, limit: any) => boolean][]} */ ([
		["ge", "greater_than_equal", (one, limit) => one < limit],
		["gt", "greater_than", (one, limit) => one <= limit],
		["le", "less_than_equal", (one, limit) => one > limit],
		["lt", "less_than", (one, limit) => one >= limit],
		["multiple_of", "multiple_of", () => {
			const [one, step] = [value, told.multiple_of].map((each) => exact(each, form ?? "decimal"))
			return typeof one === typeof step && Boolean(one % step)
		}],
	]).find(([key, , breaks]) => told[key] !== undefined && breaks(exact(value), exact(told[key])))
	// of a float the server tells a float, which has a point
	const limit = broken && told[broken[0]]
	if (broken) tell(broken[1], limit, undefined, kind === "number" && Number.isInteger(limit) ? `${limit}.0` : limit)
}

/** What a text of a form stands for, as a number to compare; NaN where it stands for nothing. @param {string} form @param {string} text @returns {number | bigint} */
export function measure(form, text) {
	if (form === "integer") return BigInt(text)
	if (form === "decimal") {
		const [, digits, fraction = "", power = 0] = /^(-?\d+)\.?(\d*)(?:e(.+))?$/i.exec(text) ?? []
		const shift = Number(power) - fraction.length
		return digits === undefined || Math.abs(shift) > 40 || (digits + fraction).replace(/^-?0*/, "").length > 40 ? NaN : BigInt(digits + fraction) * 10n ** BigInt(shift + 40)
	}
	if (form === "duration") {
		const [, sign, ...parts] = /^(-)?P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(text) ?? []
		const seconds = parts.reduce((sum, part, index) => sum + Number(part ?? 0) * [86_400, 3600, 60, 1][index], 0)
		return seconds >= 864e11 ? NaN : sign ? -seconds : seconds
	}
	if (!/date|time/.test(form)) return 0
	const day = form.startsWith("date") ? text.slice(0, 10) : "1970-01-01"
	const start = Date.parse(`${day}T00:00Z`)
	if (Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== day || day < "0001") return NaN
	const micros = Number(/\.\d{3}(\d+)/.exec(text)?.[1].padEnd(3, "0") ?? 0) / 1000
	return form === "date" ? start : micros + Date.parse(form === "date-time" ? text : `${day}T${text}${/Z|[+-]..:..$/.test(text) ? "" : "Z"}`)
}

/**
 * A value that is valid, as far as one can be thought up.
 * @param {Schema} schema @param {number} [nth] another one for each @param {string[]} [seen] the types around it
 * @returns {any}
 */
export function sample(schema, nth = 0, seen = []) {
	const { kind, of, name = "", nullable, fields, parts, item, cases, tag, values } = read(schema)
	const good = (/** @type {unknown} */ value) => !check(schema, value).length
	const given = [...(schema.examples ?? []), ...(of.examples ?? []), schema.default ?? null].filter((each) => each !== null && good(each))
	if (given.length > nth) return given[nth]
	const deep = seen.length > 8 || seen.includes(name)
	if (deep && nullable) return null
	const around = name ? [...seen, name] : seen
	const part = (/** @type {Schema} */ of, n = 0) => sample(of, n, around)
	const ends = (/** @type {Schema} */ each) => !around.includes(read(each).name ?? "") && (!deep || !/list|map|record|tuple|tagged/.test(read(each).kind))
	const [low = 0, high = 1] = sizes(read(schema))
	const count = Math.min(50, Math.max(low, high && !deep ? 1 : 0))
	if (kind === "record") return Object.fromEntries(fields.filter((each) => each.required || (each.schema.examples && !deep)).map((each) => [each.name, part(each.schema, nth)]))
	if (kind === "tagged") {
		const [value, record] = cases.find(([, each]) => ends(each)) ?? cases[0] ?? ["", {}]
		return { [tag]: value, ...part(record, nth), [tag]: value }
	}
	if (kind === "list") return Array.from({ length: count }, (_, index) => part(item, of.uniqueItems ? index + nth : 0))
	if (kind === "tuple") return parts.slice(0, deep ? low : parts.length).map((each) => part(each))
	if (kind === "map") return Object.fromEntries(Array.from({ length: count }, (_, index) => [part(of.propertyNames ?? { type: "string", examples: ["key"] }, index), part(item)]))
	if (kind === "union") return part(parts.find(ends) ?? parts[0], nth)
	if (kind === "choice") return values[nth % values.length]
	for (const each of candidates(read(schema))) if (good(each) && !nth--) return each
	return kind === "text" ? "" : 0
}

/** @param {Shape} shape @returns {Generator<unknown>} */
function* candidates(shape) {
	const { kind, of, form = "" } = shape
	const { ge, gt, le, lt, multiple_of } = limits(shape)
	const [low = 0, high = 99] = sizes(shape)
	const turns = Array.from({ length: 40 + Math.min(low, 400) }, (_, n) => n)
	if (kind === "boolean") yield* [true, false]
	else if (kind === "null") yield null
	else if (kind === "any") yield {}
	else if (form === "byte") for (const n of turns) yield btoa((n ? `${n}` : "hello").padEnd(low).slice(0, high))
	else if (form === "uuid") for (const n of turns) yield `123e4567-e89b-12d3-a456-4266141740${n + 10}`
	else if (kind === "text" && !form) {
		const size = Math.min(high, Math.max(low, 6))
		for (const n of turns) {
			const text = of.pattern ? spell(of.pattern, n) : "string".repeat(size).slice(0, size - (n ? 2 : 0)) + (n || "")
			yield* [text, text.padEnd(size, "a")]
		}
	} else {
		const moment = /date|time/.test(form)
		const first = { decimal: "12.50", duration: "PT90S", date: "2026-01-01", "date-time": "2026-01-01T10:00:00Z", time: "10:00:00Z", "partial-time": "10:00:00" }[form] ?? 1
		const step = moment ? (/^date/.test(form) ? 86_400_000 : 60_000) : Number(multiple_of ?? (kind === "integer" || /int|dur/.test(form) ? 1 : 0.01))
		const digits = `${step}`.split(".")[1]?.length ?? 0
		yield form === "integer" ? "1" : first
		for (const limit of [ge, le, gt, lt, first]) {
			if (limit === undefined) continue
			yield* form === "time" ? [limit, "10:00:00"] : [limit]
			const from = moment || form === "duration" ? Number(measure(form, limit)) : Number(limit)
			for (let n = -40; n < 40; n++) {
				const next = Math.round(from / step + n) * step
				const iso = moment ? new Date(from + n * step).toISOString().replace(".000", "").replace("Z", (form === "date-time" && zone(of)) || "Z") : ""
				yield moment ? (form === "date" ? iso.slice(0, 10) : form === "date-time" ? iso : iso.slice(11, form === "time" ? 99 : 19)) : form === "duration" ? `PT${next}S` : form ? next.toFixed(digits) : typeof limit === "bigint" ? limit + BigInt(n) : Number(next.toFixed(digits))
			}
		}
		const middle = (Number(gt ?? ge) + Number(lt ?? le)) / 2
		yield form ? `${middle}` : middle
	}
}

/** A text that an expression matches, with *more* turns of what may be repeated. @param {string} source @param {number} more */
function spell(source, more) {
	let at = 0
	const pick = (/** @type {string} */ set) => [..."a0A1b2-_. /+@:", ...Array.from({ length: 94 }, (_, n) => String.fromCharCode(33 + n))].find((char) => fits(`^${set}$`, char)) ?? ""
	/** @returns {string} */
	const either = () => {
		let out = ""
		for (let first = true; first || source[at] === "|"; first = false) {
			if (!first) at++
			let one = ""
			while (at < source.length && !/[)|]/.test(source[at])) {
				const [all, group, atom] = /^(?:(\((?:\?:|\?<\w+>)?)|(\[\^?(?:\\.|[^\]\\])*\]|\\(?:u.{4}|x..|p\{\w+\}|.)|[^]))/.exec(source.slice(at)) ?? [""]
				at += all.length
				const piece = group ? either() : /^(\^|\$|\\b)$/.test(atom) ? "" : atom.length > 1 || atom === "." ? pick(atom) : atom
				if (group) at++
				const [turns = "", sign, from = "", open, to] = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(source.slice(at)) ?? []
				at += turns.length
				const least = turns ? Number(sign ? sign === "+" : from) : 1
				one += piece.repeat(Math.min(least + more, !turns ? 1 : sign === "?" ? 1 : sign ? 999 : open ? Number(to || 999) : least))
			}
			if (first || (more % 2 && one)) out = one
		}
		return out
	}
	return either()
}

/** @param {string} kind @param {string} name */
export const to = (kind, name) => ({ href: `#/${kind}/${encodeURIComponent(name)}`, text: name })

/** All codes: those of this service first, then those of any. @returns {[string, Failure][]} */
export const failures = () => [...Object.entries(Object.assign({}, ...Object.values(doc.routes).map((route) => route.errors))).filter(([code]) => !own(doc.errors, code)).sort(([a], [b]) => (a < b ? -1 : 1)), ...Object.entries(doc.errors)]

/** Routes by their first tag. @returns {[string, [string, Route][]][]} */
export function groups() {
	/** @type {Map<string, [string, Route][]>} */
	const found = new Map()
	for (const each of Object.entries(doc.routes)) {
		const tag = each[1].tags[0] ?? ""
		found.get(tag)?.push(each) ?? found.set(tag, [each])
	}
	return [...found].sort(([a], [b]) => (!a ? 1 : !b || a < b ? -1 : 1))
}

/** @type {Map<string, Map<string, Use>> | undefined} */
let uses

/** Where a type is used. @param {string} name */
export function usesOf(name) {
	if (!uses) {
		const all = (uses = new Map())
		/** @param {unknown} schema @param {Use} use */
		const look = (schema, use) => {
			for (const [key, each] of Object.entries(schema ?? {}))
				if (key === "$ref") {
					const users = all.get(each.slice(8)) ?? new Map()
					const as = users.get(use.href)?.as
					all.set(each.slice(8), users.set(use.href, { ...use, as: as && as !== use.as ? `${as}, ${use.as}` : use.as }))
				} else if (typeof each === "object" && !/^(default|examples|enum|discriminator)$/.test(key)) look(each, use)
		}
		for (const [route, { input, output }] of Object.entries(doc.routes)) {
			look(input, { ...to("routes", route), as: "input" })
			look(output, { ...to("routes", route), as: "output" })
		}
		for (const [code, { data }] of failures()) look(data, { ...to("errors", code), as: "data" })
		for (const [type, schema] of Object.entries(doc.$defs)) look(schema, { ...to("types", type), as: "field" })
	}
	return [...(uses.get(name)?.values() ?? [])]
}

/** @type {Entry[] | undefined} */
let entries

/** What has all words of *query*, best first. @param {string} query */
export function search(query) {
	/** @param {string} kind @param {string} path @param {string} title @param {string} note */
	const entry = (kind, path, title, note, name = title, more = "") => ({ kind, href: to(path, name).href, title, note, key: `${title} ${note} ${more}`.toLowerCase() })
	const { routes, $defs } = doc
	entries ??= [
		...Object.entries(routes).map(([name, route]) => entry("Route", "routes", name, route.summary, name, `${route.tags} ${route.mcp?.name ?? ""}`)),
		...Object.entries($defs).map(([name, { description = "" }]) => entry("Type", "types", name, description)),
		...failures().map(([code, { status, description }]) => entry("Error", "errors", code, `${status} ${description}`)),
		...[...new Set(Object.values(routes).flatMap(({ tags }) => tags))].map((tag) => entry("Tag", "tags", tag, "")),
		...Object.entries($defs).flatMap(([name, { properties = {} }]) => Object.keys(properties).map((field) => entry("Field", "types", field, `in ${name}`, name))),
	]
	const asked = query.toLowerCase().split(/\s+/).filter(Boolean)
	const rank = (/** @type {Entry} */ { title, kind }) => {
		const [first = ""] = asked
		const low = title.toLowerCase()
		return (low === first ? 0 : low.startsWith(first) ? 2 : low.includes(first) ? 4 : 6) + Number(kind === "Field")
	}
	return entries.filter(({ key }) => asked.every((word) => key.includes(word))).map((entry) => ({ entry, at: rank(entry) })).sort((a, b) => a.at - b.at).map(({ entry }) => entry)
}
