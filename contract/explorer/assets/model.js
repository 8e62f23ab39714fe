/**
 * Model: what the page knows of a contract: types read as kinds, their rules in words, values checked and thought up, and what to find.
 *
 * `check` says what the server would say, in its codes and texts, which the page brings along.
 */

import { attempt, parse, stringify } from "./tools.js"

/** @type {Contract} */
export let doc
/** Where the contract is, and the routes ("" where that is not known). */
export const at = { contract: "", base: "" }

/** @type {Record<string, Record<string, string>>} */
const { codes: CODES, formats: FORMATS } = JSON.parse(document.documentElement.dataset.issues ?? "")

/** @type {Fn.say} */
export const load = (text) => {
	doc = (text.length < 5e5 ? parse : JSON.parse)(text) // what is exact takes eight times as long
	if (!/^1\./.test(doc?.contract)) throw new Error("It is no contract of version 1.")
}

/** The own property: a name of the contract may be any text. @type {Fn.own} */
export const own = (of, name) => (of && Object.hasOwn(of, name) ? of[name] : undefined)

/** @type {Fn.body} */
export const body = (schema) => (schema.$ref ? (own(doc.$defs, schema.$ref.slice(8)) ?? {}) : schema)

/** @type {WeakMap<Schema, Shape>} */
const shapes = new WeakMap()
/** @type {Record<string, string>} */
const FORMS = { bytes: "byte", decimal: "decimal", timedelta: "duration", int: "integer" }
/** @type {Fn.constants} */
const constants = (schema) => schema?.enum ?? (schema && "const" in schema ? [schema.const] : [])

/** What a schema means. @type {Fn.read} */
export const read = (schema) => {
	const known = shapes.get(schema)
	if (known) return known
	/** @type {Shape} */
	const shape = { kind: "any", of: schema, nullable: false, fields: [], parts: [], item: {}, tag: "", cases: [], values: constants(schema) }
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
	const { type, properties = {}, oneOf, pattern, format, "x-contract-type": marked } = of
	shape.values = constants(of)
	shape.kind = oneOf ? "tagged" : shape.values.length ? "choice" : type === "object" ? (of.properties || of.additionalProperties === false ? "record" : "map") : type === "array" ? (of.items === false ? "tuple" : "list") : type === "string" ? "text" : (type ?? "any")
	if (oneOf) {
		const inside = oneOf.map((each) => body(each).properties ?? {})
		shape.tag = of.discriminator?.propertyName ?? Object.keys(inside[0]).find((name) => inside.every((each) => constants(own(each, name)).length)) ?? ""
		shape.cases = oneOf.flatMap((each, index) => constants(own(inside[index], shape.tag)).map((tag) => /** @type {[unknown, Schema]} */ ([tag, each])))
	}
	if (shape.kind === "record") shape.fields = (of["x-contract-order"] ?? Object.keys(properties)).map((name) => ({ name, schema: properties[name], required: of.required?.includes(name) ?? false }))
	if (shape.kind === "text") shape.form = marked === "time" ? (pattern?.includes("Z") ? "time" : "partial-time") : (own(FORMS, marked) ?? (own(FORMATS, format) && format))
	shape.parts = of.prefixItems ?? []
	shape.item = of.items || of.additionalProperties || {}
	return shape
}

/** @type {Fn.listed} */
const listed = (all, by = " or ") => all.flatMap((each, index) => [index ? by : "", ...label(each)])
/** @type {Record<string, Fn.labels>} */
const LABELS = {
	list: ({ of, item }) => [of.uniqueItems ? "set of " : "list of ", ...label(item)],
	map: ({ of, item }) => ["map of ", ...(of.propertyNames ? [...label(of.propertyNames), " to "] : []), ...label(item)],
	tuple: ({ parts }) => ["[", ...listed(parts, ", "), "]"],
	union: ({ parts }) => listed(parts),
	tagged: ({ cases }) => listed([...new Set(cases.map(([, each]) => each))]),
	choice: ({ values }) => [values.length > 1 ? "one of" : stringify(values[0])],
	record: () => ["object"],
	text: ({ form = "string" }) => [{ byte: "base64", integer: "integer as text", "partial-time": "time" }[form] ?? form],
}

/** What a type is called, names of types as objects. @type {Fn.label} */
export const label = (schema) => {
	const shape = read(schema)
	const out = shape.name ? [{ type: shape.name }] : (own(LABELS, shape.kind)?.(shape) ?? [shape.kind])
	return shape.nullable ? [...out, " or null"] : out
}

/** @type {Fn.called} */
export const called = (schema) => label(schema).map((part) => (typeof part === "string" ? part : part.type)).join("")

/** @type {Fn.patterns} */
const patterns = ({ pattern, allOf = [] }) => [pattern, ...allOf.map((rule) => rule.pattern)].filter(Boolean)
/** The offset that all of its moments have. @type {Fn.zone} */
const zone = (of) => patterns(of)[1]?.replace(/^\(Z.*/, "+00:00").replace(/[[\]$]/g, "")

/** The least and the most of something that is counted. Bytes stand in the length and the end of their text. @type {Fn.sizes} */
const sizes = ({ of, form }) => {
	if (form !== "byte") return [of.minLength ?? of.minItems ?? of.minProperties, of.maxLength ?? of.maxItems ?? of.maxProperties]
	const ends = [of, ...(of.allOf ?? [])]
	const spare = (/** @type {string} */ key, /** @type {unknown[]} */ rules) => rules.indexOf(ends.find((each) => each.if?.[key])?.then.pattern)
	return [of.minLength && of.minLength * 0.75 - spare("maxLength", ["[^=]$", "[^=]=?$", undefined]), of.maxLength && of.maxLength * 0.75 - spare("minLength", [undefined, "=$", "==$"])]
}

const BIG = 2n ** 63n
/** @type {Fn.limits} */
const limits = ({ of, kind }) => (kind === "text" ? (of["x-contract-bounds"] ?? {}) : { ge: of.minimum, gt: of.exclusiveMinimum, le: of.maximum === 2 ** 63 ? BIG - 1n : of.maximum, lt: of.exclusiveMaximum, multiple_of: of.multipleOf })

/** @type {Fn.span} */
const span = (low, high, unit = "") => (low === undefined ? high !== undefined && `at most ${high}${unit}` : high === undefined ? `at least ${low}${unit}` : `${low === high ? "exactly" : `${low} to`} ${high}${unit}`)

/** The rules of a type in words. @type {Fn.words} */
export const words = (shape) => {
	const { kind, of, form } = shape
	const { ge, gt, le, lt, multiple_of } = limits(shape)
	const [low, high] = sizes(shape)
	const real = kind !== "integer"
	return [
		span(real || ge > -BIG ? ge : undefined, real || le < BIG - 1n ? le : undefined),
		gt !== undefined && `more than ${gt}`,
		lt !== undefined && `less than ${lt}`,
		multiple_of && `a multiple of ${multiple_of}`,
		kind !== "tuple" && span(low || undefined, high, ` ${{ list: "item", map: "key" }[/** @type {string} */ (kind)] ?? (form ? "byte" : "character")}${(high ?? low) === 1 ? "" : "s"}`),
		of.uniqueItems && "no two equal",
		form === "date-time" && zone(of) && `with the offset ${zone(of)}`,
		...(form || kind !== "text" ? [] : patterns(of).map((each) => `matches ${each}`)),
		...(kind === "list" && !of.items?.$ref ? words(read(of.items)).map((each) => `each ${each}`) : []),
	].filter((each) => typeof each === "string")
}

/** @type {Fn.isObject} */
export const isObject = (value) => typeOf(value) === "object"

/** Its JSON type. @type {Fn.typeOf} */
export const typeOf = (value) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value === "bigint" || Number.isSafeInteger(value) ? "integer" : typeof value)

/** @type {Record<string, string>} */
const TYPES = { text: "string", record: "object", map: "object", tagged: "object", list: "array", tuple: "array" }

/** The JSON types that a schema takes. @type {Fn.types} */
const types = (schema) => {
	const { kind, parts, values, nullable } = read(schema)
	const found = kind === "union" ? parts.flatMap(types) : kind === "choice" ? values.map(typeOf) : [TYPES[kind] ?? kind]
	return nullable ? [...found, "null"] : found
}

/** Whether it may be of that schema, going by its type alone. @type {Fn.suits} */
export const suits = (schema, value) => types(schema).some((type) => type === "any" || type === typeOf(value) || (type === "number" && typeOf(value) === "integer"))

/** What the server would find wrong, at most 20 issues. @type {Fn.check} */
export const check = (schema, value) => {
	/** @type {Issue[]} */
	const issues = []
	walk(schema, value, [], issues)
	return issues.slice(0, 20)
}

/** @type {Fn.walk} */
const walk = (schema, value, path, issues) => {
	const shape = read(schema)
	const { kind, of, parts, cases } = shape
	/** @type {Fn.tell} */
	const tell = (code, param, where = path, shown = param) => {
		const names = code.startsWith("unknown") ? ["allowed"] : [...CODES[code].matchAll(/\{(\w+)/g)].map(([, name]) => name)
		const message = CODES[code].replace(/\{\w+\}/g, code === "format" ? FORMATS[String(param)] : String(shown)).slice(0, 200)
		issues.push({ path: where.slice(0, 16).map((part) => (typeof part === "string" ? part.slice(0, 64) : part)), code, message, ...(param !== undefined && { params: Object.fromEntries(names.map((name) => [name, param])) }) })
	}
	if (issues.length > 20 || (value === null && shape.nullable) || kind === "any") return
	if (kind === "union") {
		const fitting = parts.filter((part) => suits(part, value))
		if (fitting.length === 1) return walk(fitting[0], value, path, issues)
		return fitting.some((part) => !check(part, value).length) || tell("union", [...new Set(parts.flatMap((part) => read(part).form ?? types(part)))].join(", "))
	}
	if (kind === "choice") return shape.values.includes(value) || tell("unknown_value", shape.values.length > 50 ? undefined : shape.values)
	const type = typeOf(value)
	const [wanted] = types(schema)
	if ((type !== wanted && !(wanted === "number" && type === "integer")) || value === Infinity || value === -Infinity) return tell(`${wanted}_type`)
	if (kind === "text") return text(shape, value, tell)
	if (kind === "integer" || kind === "number") return bounded(shape, value, tell)
	const before = issues.length
	const next = (/** @type {Schema} */ of, /** @type {string | number} */ key) => walk(of, value[key], [...path, key], issues)
	if (kind === "tagged") {
		if (!Object.hasOwn(value, shape.tag)) return tell("missing", undefined, [...path, shape.tag])
		const found = cases.find(([tag]) => tag === value[shape.tag])
		return found ? walk(found[1], value, path, issues) : tell("unknown_tag", cases.map(([tag]) => tag), [...path, shape.tag])
	}
	if (kind === "record") {
		for (const { name, schema, required } of shape.fields)
			if (Object.hasOwn(value, name)) next(schema, name)
			else if (required) tell("missing", undefined, [...path, name])
		for (const key of Object.keys(value)) if (!shape.fields.some(({ name }) => name === key)) tell("unknown_key", undefined, [...path, key])
	} else if (kind === "list" || kind === "tuple" || kind === "map") {
		const [low, high] = sizes(shape)
		const keys = Object.keys(value)
		const unit = kind === "map" ? "keys" : "items"
		if (keys.length < low) return tell(`too_few_${unit}`, low)
		if (keys.length > high) return tell(`too_many_${unit}`, high)
		for (const key of keys) {
			const now = issues.length
			if (of.propertyNames) walk(of.propertyNames, key, [...path, key], issues)
			if (now === issues.length) next(kind === "tuple" ? parts[Number(key)] : shape.item, kind === "map" ? key : Number(key))
		}
		const { form } = read(shape.item)
		if (of.uniqueItems && before === issues.length && new Set(value.map((/** @type {any} */ each) => (form && /^d|time/.test(form) ? measure(form, each) : stringify(each)))).size < keys.length) tell("not_unique")
	}
}

/** @type {Map<string, RegExp | undefined>} */
const expressions = new Map()

/** Whether a text matches; what is no expression here is left to the server. @type {Fn.fits} */
const fits = (pattern, value) => {
	if (!expressions.has(pattern)) expressions.set(pattern, attempt(() => new RegExp(pattern, "u")) ?? attempt(() => new RegExp(pattern)))
	return expressions.get(pattern)?.test(value) ?? true
}

/** @type {Fn.rule} */
const text = (shape, value, tell) => {
	const { of, form } = shape
	if (form && (!fits(of.pattern, value) || Number.isNaN(measure(form, value)))) return form === "decimal" && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value) ? tell("decimal_size", 40) : tell("format", form)
	const offset = form === "date-time" && zone(of)
	if (offset && value.slice(-6).replace(/.*Z|-00:00/, "+00:00") !== offset) return tell("timezone", offset)
	if (form && form !== "byte") return bounded(shape, value, tell)
	const [low, high] = sizes(shape)
	const size = form ? (value.length * 3) / 4 - value.replace(/[^=]/g, "").length : [...value].length
	const unit = form ? "bytes" : "string"
	if (size < low) return tell(`${unit}_too_short`, low)
	if (size > high) return tell(`${unit}_too_long`, high)
	const broken = form ? undefined : patterns(of).find((pattern) => !fits(pattern, value))
	if (broken) tell("pattern", broken)
}

/** @type {Fn.rule} */
const bounded = (shape, value, tell) => {
	const { form, kind } = shape
	const told = form === "integer" ? { ge: -BIG, le: BIG - 1n, ...limits(shape) } : limits(shape)
	/** @type {Fn.exact} */
	const exact = (each, by = form) => (by ? measure(by, `${each}`) : each)
	const one = exact(value)
	const steps = () => {
		const [all, step] = [value, told.multiple_of].map((each) => exact(each, form ?? "decimal"))
		return typeof all === typeof step && all % step
	}
	/** @type {[string, string, Fn.breaks][]} */
	const rules = [["ge", "greater_than_equal", (limit) => one < limit], ["gt", "greater_than", (limit) => one <= limit], ["le", "less_than_equal", (limit) => one > limit], ["lt", "less_than", (limit) => one >= limit], ["multiple_of", "multiple_of", steps]]
	const [key, code] = rules.find(([key, , breaks]) => told[key] !== undefined && breaks(exact(told[key]))) ?? []
	const limit = key && told[key]
	// of a float the server tells a float, which has a point
	if (code) tell(code, limit, undefined, kind === "number" && Number.isInteger(limit) ? `${limit}.0` : limit)
}

/** What a text of a form stands for, as a number to compare; NaN where it stands for nothing. @type {Fn.measure} */
export const measure = (form, text) => {
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

/** The *nth* value that is valid, as far as one can be thought up, where types are *around* it. @type {Fn.sample} */
export const sample = (schema, nth = 0, around = []) => {
	const shape = read(schema)
	const { kind, of, name = "", nullable, fields, parts, item, cases, tag, values } = shape
	const good = (/** @type {unknown} */ value) => !check(schema, value).length
	const given = [...(schema.examples ?? []), ...(of.examples ?? []), schema.default ?? null].filter((each) => each !== null && good(each))
	if (given.length > nth) return given[nth]
	const deep = around.length > 8 || around.includes(name)
	if (kind === "null" || (deep && nullable)) return null
	const inside = name ? [...around, name] : around
	const part = (/** @type {Schema} */ of, n = 0) => sample(of, n, inside)
	const ends = (/** @type {Schema} */ each) => !inside.includes(read(each).name ?? "") && !(deep && (TYPES[read(each).kind] ?? "string") !== "string")
	const [low = 0, high = 1] = sizes(shape)
	const many = Array.from({ length: Math.min(50, Math.max(low, high && !deep ? 1 : 0)) }, (_, index) => index)
	if (kind === "record") return Object.fromEntries(fields.filter((each) => each.required || (each.schema.examples && !deep)).map((each) => [each.name, part(each.schema, nth)]))
	if (kind === "tagged") {
		const [value, record] = cases.find(([, each]) => ends(each)) ?? cases[0] ?? ["", {}]
		return { [tag]: value, ...part(record, nth), [tag]: value }
	}
	if (kind === "list") return many.map((index) => part(item, of.uniqueItems ? index + nth : 0))
	if (kind === "map") return Object.fromEntries(many.map((index) => [part(of.propertyNames ?? { type: "string", examples: ["key"] }, index), part(item)]))
	if (kind === "tuple") return parts.slice(0, deep ? low : parts.length).map((each) => part(each))
	if (kind === "union") return part(parts.find(ends) ?? parts[0], nth)
	if (kind === "choice") return values[nth % values.length]
	for (const each of candidates(shape)) if (good(each) && !nth--) return each
	return kind === "text" ? "" : 0
}

/** @type {Record<string, any>} */
const FIRST = { boolean: true, any: {}, decimal: "12.50", duration: "PT90S", date: "2026-01-01", "date-time": "2026-01-01T10:00:00Z", time: "10:00:00Z", "partial-time": "10:00:00", integer: "1" }

/** @type {Fn.candidates} */
function* candidates(shape) {
	const { kind, of, form = "" } = shape
	const { ge, gt, le, lt, multiple_of } = limits(shape)
	const [low = 0, high = 99] = sizes(shape)
	const first = FIRST[form || (kind === "integer" ? "" : kind)] ?? 1
	if (kind === "text" && /^(|byte|uuid)$/.test(form)) {
		const size = Math.min(high, Math.max(low, 6))
		for (let n = 0; n < 40 + Math.min(low, 400); n++)
			if (form === "byte") yield btoa((n ? `${n}` : "hello").padEnd(low).slice(0, high))
			else if (form) yield `123e4567-e89b-12d3-a456-4266141740${n + 10}`
			else {
				const text = of.pattern ? spell(of.pattern, n) : "string".repeat(size).slice(0, size - (n ? 2 : 0)) + (n || "")
				yield* [text, text.padEnd(size, "a")]
			}
		return
	}
	yield first
	if (kind === "boolean") yield false
	const moment = /date|time/.test(form)
	const step = moment ? (/^date/.test(form) ? 86_400_000 : 60_000) : Number(multiple_of ?? (/int|dur/.test(kind + form) ? 1 : 0.01))
	const digits = `${step}`.split(".")[1]?.length ?? 0
	/** @type {Fn.lasting} */
	const lasting = (seconds) => `${seconds < 0 ? "-" : ""}PT${Number(Math.abs(seconds).toFixed(6))}S`
	/** @type {Fn.written} */
	const written = (from, n, limit) => {
		const next = Math.round(from / step + n) * step
		const iso = moment ? new Date(from + n * step).toISOString().replace(".000", "").replace("Z", (form === "date-time" && zone(of)) || "Z") : ""
		if (moment) return form === "date" ? iso.slice(0, 10) : form === "date-time" ? iso : iso.slice(11, form === "time" ? 99 : 19)
		return form === "duration" ? lasting(next) : form ? next.toFixed(digits) : typeof limit === "bigint" ? limit + BigInt(n) : Number(next.toFixed(digits))
	}
	/** @type {Fn.counted} */
	const counted = (limit) => Number(moment || form === "duration" ? measure(form, `${limit}`) : limit)
	for (const limit of [ge, le, gt, lt, first].filter((each) => each !== undefined)) {
		yield limit
		for (let n = -40; n < 40; n++) yield written(counted(limit), n, limit)
	}
	const middle = (counted(gt ?? ge) + counted(lt ?? le)) / 2
	if (!Number.isNaN(middle)) yield moment ? written(middle, 0, first) : form === "duration" ? lasting(middle) : form ? `${middle}` : middle
}

const CHARS = [..."a0A1b2-_. /+@:", ...Array.from({ length: 94 }, (_, n) => String.fromCharCode(33 + n))]

/** A text that an expression matches, with *more* turns of what may be repeated. @type {Fn.spell} */
const spell = (source, more) => {
	let at = 0
	/** @type {Fn.match} */
	const take = (expression) => {
		const found = expression.exec(source.slice(at)) ?? [""]
		at += found[0].length
		return found
	}
	/** @returns {string} */
	const either = () => {
		let out = ""
		for (let first = true; first || source[at] === "|"; first = false) {
			if (!first) at++
			let one = ""
			while (at < source.length && !/[)|]/.test(source[at])) {
				const [, group, atom] = take(/^(?:(\((?:\?:|\?<\w+>)?)|(\[\^?(?:\\.|[^\]\\])*\]|\\(?:u.{4}|x..|p\{\w+\}|.)|[^]))/)
				const piece = group ? either() : /^(\^|\$|\\b)$/.test(atom) ? "" : atom.length > 1 || atom === "." ? (CHARS.find((char) => fits(`^${atom}$`, char)) ?? "") : atom
				if (group) at++
				const [turns, sign, from = "", open, to] = take(/^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/)
				const least = turns ? Number(sign ? sign === "+" : from) : 1
				one += piece.repeat(Math.min(least + more, !turns ? 1 : sign === "?" ? 1 : sign ? 999 : open ? Number(to || 999) : least))
			}
			if (first || (more % 2 && one)) out = one
		}
		return out
	}
	return either()
}

/** @type {Fn.to} */
export const to = (kind, name) => ({ href: `#/${kind}/${encodeURIComponent(name)}`, text: name })

export const routes = () => Object.entries(doc.routes)

/** All codes: those of this service first, then those of any. @type {Fn.failures} */
export const failures = () => [...Object.entries(Object.assign({}, ...routes().map(([, { errors }]) => errors))).filter(([code]) => !own(doc.errors, code)).sort(([a], [b]) => (a < b ? -1 : 1)), ...Object.entries(doc.errors)]

export const allTags = () => [...new Set(routes().flatMap(([, { tags }]) => tags))].sort()

/** Routes by their first tag. @type {Fn.groups} */
export const groups = () => [...Map.groupBy(routes(), ([, { tags }]) => tags[0] ?? "")].sort(([a], [b]) => (!a ? 1 : !b || a < b ? -1 : 1))

/** @type {Map<string, Map<string, Use>> | undefined} */
let uses

/** Where a type is used. @type {Fn.usesOf} */
export const usesOf = (name) => {
	if (!uses) {
		const all = (uses = new Map())
		/** @type {Fn.look} */
		const look = (schema, kind, user, as) => {
			for (const [key, each] of Object.entries(schema ?? {}))
				if (key === "$ref") {
					const users = all.get(each.slice(8)) ?? new Map()
					const use = to(kind, user)
					const known = users.get(use.href)?.as
					all.set(each.slice(8), users.set(use.href, { ...use, as: known && known !== as ? `${known}, ${as}` : as }))
				} else if (typeof each === "object" && !/^(default|examples|enum|discriminator)$/.test(key)) look(each, kind, user, as)
		}
		for (const [route, { input, output }] of routes()) {
			look(input, "routes", route, "input")
			look(output, "routes", route, "output")
		}
		for (const [code, { data }] of failures()) look(data, "errors", code, "data")
		for (const [type, schema] of Object.entries(doc.$defs)) look(schema, "types", type, "field")
	}
	return [...(uses.get(name)?.values() ?? [])]
}

/** @type {Entry[] | undefined} */
let entries

/** What has all words of *query*, best first. @type {Fn.search} */
export const search = (query) => {
	/** @type {Fn.entry} */
	const entry = (kind, path, title, note, name = title, more = "") => ({ kind, href: to(path, name).href, title, note, key: `${title} ${note} ${more}`.toLowerCase() })
	const types = Object.entries(doc.$defs)
	entries ??= [
		...routes().map(([name, { summary, tags, mcp }]) => entry("Route", "routes", name, summary, name, `${tags} ${mcp?.name ?? ""}`)),
		...types.map(([name, { description = "" }]) => entry("Type", "types", name, description)),
		...failures().map(([code, { status, description }]) => entry("Error", "errors", code, `${status} ${description}`)),
		...allTags().map((tag) => entry("Tag", "tags", tag, "")),
		...types.flatMap(([name, { properties = {} }]) => Object.keys(properties).map((field) => entry("Field", "types", field, `in ${name}`, name))),
	]
	const asked = query.toLowerCase().split(/\s+/).filter(Boolean)
	/** @type {Fn.rank} */
	const rank = ({ title, kind }) => {
		const [first = ""] = asked
		const low = title.toLowerCase()
		return (low === first ? 0 : low.startsWith(first) ? 2 : low.includes(first) ? 4 : 6) + Number(kind === "Field")
	}
	return entries.filter(({ key }) => asked.every((word) => key.includes(word))).sort((a, b) => rank(a) - rank(b))
}
