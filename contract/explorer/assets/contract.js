/** Contract: the document that the page shows, how to find what is in it, what its types mean, and their values. */

import { nearest, READY, SAMPLES, sentence } from "./sentences.js"
import { attempt, parse, stringify } from "./tools.js"

export let doc
export const at = { contract: "", base: "" }

/** What is exact takes eight times as long: a text above this is read as JSON.parse does. */
const LONG = 5e5

export const load = (text) => {
	doc = (text.length < LONG ? parse : JSON.parse)(text)
	if (!/^1\./.test(doc?.contract)) throw new Error("It is not a contract of version 1.")
	for (const route of Object.values(doc.routes)) {
		const { stream, download, errors } = route.output
		if (stream) Object.assign(route, { between: errors, output: stream })
		if (download) Object.assign(route, { media: download, output: {} })
		if (route.cache || (download && route.effect === "read" && !route.files && !route.signed))
			route.gets = route.cache ? `, kept ${route.cache.max_age} s` : ""
		route.brought = Object.entries(route.files ?? {}).map(brought)
	}
}

const brought = ([name, { description, media, max_bytes: maxLength, max_files: many, required }]) =>
	({ name, at: name, required, schema: { type: "file", description, media, maxLength, many } })

/** The own property: a name of the contract may be any text. */
export const own = (of, name) => (of && Object.hasOwn(of, name) ? of[name] : undefined)

export const urlOf = (path) => new URL(path, at.base || "https://server.example/").href

export const place = (...parts) => `#/${parts.map(encodeURIComponent).join("/")}`
export const to = (kind, name) => ({ href: place(kind, name), text: kind === "types" ? titled(name) : name })

export const routes = () => Object.entries(doc.routes)
export const toolOf = (route) => (doc.links.mcp ? route.mcp : undefined)
export const tools = () => routes().filter(([, route]) => toolOf(route))

export const failures = () => {
	const all = routes().flatMap(([, { errors, between }]) => [errors, between])
	const declared = Object.entries(Object.assign({}, ...all))
	const mine = declared.filter(([code]) => !own(doc.errors, code)).sort(([a], [b]) => (a < b ? -1 : 1))
	return [...mine, ...Object.entries(doc.errors)]
}

export const general = ({ errors, auth }) =>
	Object.entries(doc.errors).filter(([code]) => !own(errors, code) && (auth !== "none" || code !== "UNAUTHORIZED"))

export const waysOf = ({ auth, ways }) => (auth === "none" ? [] : ways ?? ["bearer"])
export const isIn = (way) => doc.ways?.[way ?? ""]?.in
export const credentialLine = (way, mark = "") => {
	if (isIn(way) === "header") return `${way}: ${mark}KEY`
	return isIn(way) ? `cookie: ${way}=${mark}VALUE` : `Authorization: Bearer ${mark}TOKEN`
}

export const allTags = () => [...new Set(routes().flatMap(([, { tags }]) => tags))].sort()

/** A full stop stands behind the name of a group, as it does before its routes; a tag may have the same name. */
export const groups = () => {
	const found = [...Map.groupBy(routes(), ([, { group, tags }]) => (group ? `${group}.` : tags[0] ?? ""))]
	return found.sort(([a], [b]) => (!a ? 1 : !b || a < b ? -1 : 1))
}

let uses

/** Values of an author's: a `$ref` in them is not a reference. */
const VALUES = /^(default|examples|enum|discriminator)$/

const look = (all, schema, kind, user, as) => {
	for (const [key, each] of Object.entries(schema ?? {})) {
		if (key === "$ref") {
			const users = all.get(each.slice(8)) ?? new Map()
			const use = to(kind, user)
			const known = users.get(use.href)?.as
			all.set(each.slice(8), users.set(use.href, { ...use, as: known && known !== as ? `${known}, ${as}` : as }))
		} else if (typeof each === "object" && !VALUES.test(key)) look(all, each, kind, user, as)
	}
}

const findUses = () => {
	const all = new Map()
	for (const [route, { input, output }] of routes()) {
		look(all, input, "routes", route, "input")
		look(all, output, "routes", route, "output")
	}
	for (const [code, { data }] of failures()) look(all, data, "errors", code, "data")
	for (const [type, schema] of Object.entries(doc.$defs)) look(all, schema, "types", type, "field")
	return all
}

export const usesOf = (name) => {
	uses ??= findUses()
	return [...(uses.get(name)?.values() ?? [])]
}

let entries

const entry = (kind, title, note = "", more = "", href = place(`${kind.toLowerCase()}s`, title)) =>
	({ kind, href, title, note, key: `${title} ${note} ${more}`.toLowerCase() })

const findEntries = () => {
	const types = Object.entries(doc.$defs)
	const inside = ([name, { properties = {} }]) => {
		const note = `in ${titled(name)}`
		return Object.keys(properties).map((each) => entry("Field", each, note, "", place("types", name, "fields", each)))
	}
	const more = (route) => `${route.tags} ${toolOf(route)?.name ?? ""}`
	return [
		...routes().map(([name, route]) => entry("Route", name, route.summary, more(route))),
		...types.map(([name, { description }]) =>
			entry("Type", titled(name), description, name, place("types", name))),
		...failures().map(([code, { status, description }]) => entry("Error", code, `${status} ${description}`)),
		...allTags().map((tag) => entry("Tag", tag)),
		...types.flatMap(inside),
	]
}

export const search = (query) => {
	entries ??= findEntries()
	const asked = query.toLowerCase().split(/\s+/).filter(Boolean)
	const [first = ""] = asked
	const rank = ({ title, kind }) => {
		const low = title.toLowerCase()
		return (low === first ? 0 : low.startsWith(first) ? 2 : low.includes(first) ? 4 : 6) + Number(kind === "Field")
	}
	return entries.filter(({ key }) => asked.every((word) => key.includes(word))).sort((a, b) => rank(a) - rank(b))
}

// Types: what a schema means, what it is called, and its rules in words.

export const body = (schema) => (schema.$ref ? (own(doc.$defs, schema.$ref.slice(8)) ?? {}) : schema)

const shapes = new WeakMap()
const FORMS = {
	bytes: "byte", decimal: "decimal", timedelta: "duration", int: "integer", "date-time-local": "date-time-local"
}
/** Bounds the references and nulls that stand around one type: a contract may refer in a circle. */
const HOPS = 64

const constants = (schema) => schema?.enum ?? (schema && "const" in schema ? [schema.const] : [])

export const read = (schema) => {
	const known = shapes.get(schema)
	if (known) return known
	const shape = {
		kind: "union", of: schema, nullable: false, values: [], fields: [], parts: [], tag: "", tags: [], item: {}
	}
	shapes.set(schema, shape)
	if (unwrap(shape)) return shape
	const { of } = shape
	shape.values = constants(of)
	shape.kind = kindOf(shape)
	shape.parts = of.prefixItems ?? []
	shape.item = of.items || of.additionalProperties || {}
	if (of.oneOf) readTags(shape)
	if (shape.kind === "record") shape.fields = fieldsOf(of)
	if (shape.kind === "text") shape.form = formOf(of)
	shape.told = shape.form ?? Object.keys(READY).find((each) => each === of["x-contract-type"])
	return shape
}

const unwrap = (shape) => {
	for (let hops = 0; hops < HOPS; hops++) {
		const { $ref, anyOf } = shape.of
		if ($ref) shape.name = $ref.slice(8)
		shape.parts = anyOf?.filter((each) => each.type !== "null") ?? []
		shape.nullable ||= shape.parts.length < (anyOf?.length ?? 0)
		if (shape.parts.length > 1) return true
		if (!$ref && !anyOf) return false
		shape.of = $ref ? body(shape.of) : (shape.parts[0] ?? { type: "null" })
	}
	return false
}

const kindOf = ({ of, values }) => {
	if (of.oneOf) return "tagged"
	if (values.length) return "choice"
	if (of.type === "object") return of.properties || of.additionalProperties === false ? "record" : "map"
	if (of.type === "array") return of.items === false ? "tuple" : "list"
	return of.type === "string" ? "text" : (of.type ?? "any")
}

const readTags = (shape) => {
	const { oneOf = [], discriminator } = shape.of
	const inside = oneOf.map((each) => body(each).properties ?? {})
	const tells = (name) => inside.every((each) => constants(own(each, name)).length)
	shape.tag = discriminator?.propertyName ?? Object.keys(inside[0]).find(tells) ?? ""
	const tags = inside.map((each) => constants(own(each, shape.tag)))
	shape.tags = tags.flat()
	shape.parts = tags.flatMap((all, index) => all.map(() => oneOf[index]))
}

const fieldsOf = ({ properties = {}, required, "x-contract-order": order }) =>
	(order ?? Object.keys(properties)).map((name) =>
		({ name, schema: properties[name], required: required?.includes(name) ?? false }))

export const members = ({ kind, of, fields, parts, tag, tags, item: schema }) => [
	...fields.map((each) => ({ ...each, at: each.name })),
	...(fields.length && of.additionalProperties ? [{ schema, required: false, name: "any other key", at: "*" }] : []),
	...parts.map((schema, index) => {
		if (kind === "tagged")
			return { schema, required: true, name: `${tag}: ${stringify(tags[index])}`, at: `${tags[index]}` }
		const name = kind === "union" ? "" : `${schema["x-contract-name"] ?? index}`
		return { schema, required: !name || index < (of.minItems ?? 0), name, at: `${index}` }
	}),
]

const formOf = ({ pattern, format, "x-contract-type": marked }) => {
	if (marked === "time") return pattern?.includes("Z") ? "time" : "partial-time"
	return own(FORMS, marked) ?? (own(SAMPLES, format) && format)
}

export const about = (schema) => {
	const { kind, of } = read(schema)
	return schema.description ?? (kind === "record" ? "" : of.description)
}

const listed = (all, by = " or ") => all.flatMap((each, index) => [index ? by : "", ...label(each)])
const LABELS = {
	list: ({ of, item }) => [of.uniqueItems ? "set of " : "list of ", ...label(item)],
	map: ({ of: { propertyNames: keys }, item }) =>
		["map of ", ...(keys ? [...label(keys), " to "] : []), ...label(item)],
	tuple: ({ parts }) => ["[", ...listed(parts, ", "), "]"],
	union: ({ parts }) => listed(parts),
	tagged: ({ parts }) => listed([...new Set(parts)]),
	choice: ({ values }) => [values.length > 1 ? "one of" : stringify(values[0])],
	record: () => ["object"],
	text: ({ told = "string" }) => [{ byte: "base64", integer: "integer as text", "partial-time": "time" }[told] ?? told],
}

export const label = (schema) => {
	const shape = read(schema)
	const out = shape.name ? [{ type: shape.name }] : (own(LABELS, shape.kind)?.(shape) ?? [shape.kind])
	return shape.nullable ? [...out, " or null"] : out
}

export const called = (schema) =>
	label(schema).map((part) => (typeof part === "string" ? part : titled(part.type))).join("")

const titles = new Map()

export const titled = (name) => {
	const known = titles.get(name)
	const made = !known && own(doc.$defs, name)?.["x-contract-generic"]
	if (!made) return known ?? name
	titles.set(name, name) // for a contract that goes round in circles
	const title = `${made.name}[${made.arguments.map(called).join(", ")}]`.slice(0, 200)
	titles.set(name, title)
	return title
}

const patterns = ({ pattern, allOf = [] }) => [pattern, ...allOf.map((rule) => rule.pattern)].filter(Boolean)

const zone = (of) => patterns(of)[1]?.replace(/^\(Z.*/, "+00:00").replace(/[[\]$]/g, "")

const sizes = ({ of, form }) => {
	if (form !== "byte")
		return [of.minLength ?? of.minItems ?? of.minProperties, of.maxLength ?? of.maxItems ?? of.maxProperties]
	// bytes are counted by the length of their base64, and by the = at its end
	const ends = [of, ...(of.allOf ?? [])]
	const spare = (key, rules) =>
		rules.indexOf(ends.find((each) => each.if?.[key])?.then.pattern)
	return [
		of.minLength && of.minLength * 0.75 - spare("maxLength", ["[^=]$", "[^=]=?$", undefined]),
		of.maxLength && of.maxLength * 0.75 - spare("minLength", [undefined, "=$", "==$"]),
	]
}

const BIG = 2n ** 63n
const limits = ({ of, kind }) => {
	if (kind === "text") return of["x-contract-bounds"] ?? {}
	const le = of.maximum === 2 ** 63 ? BIG - 1n : of.maximum // a float has no 2 ** 63 - 1
	return { ge: of.minimum, gt: of.exclusiveMinimum, le, lt: of.exclusiveMaximum, multiple_of: of.multipleOf }
}

const span = (low, high, unit = "") => {
	if (low === undefined) return high !== undefined && `at most ${high}${unit}`
	if (high === undefined) return `at least ${low}${unit}`
	return `${low === high ? "exactly" : `${low} to`} ${high}${unit}`
}

const counts = (shape) => {
	const [low, high] = sizes(shape)
	const unit = own({ list: "item", map: "key", file: "byte" }, shape.kind) ?? (shape.form ? "byte" : "character")
	return shape.kind !== "tuple" && span(low || undefined, high, ` ${unit}${(high ?? low) === 1 ? "" : "s"}`)
}

export const rules = (shape) => [...words(shape), ...expressions(shape).map((each) => `matches ${each}`)]

export const words = (shape) => {
	const { kind, of, form } = shape
	const { ge, gt, le, lt, multiple_of } = limits(shape)
	const real = kind !== "integer" // what any integer keeps goes without saying
	return [
		span(real || ge > -BIG ? ge : undefined, real || le < BIG - 1n ? le : undefined),
		gt !== undefined && `more than ${gt}`,
		lt !== undefined && `less than ${lt}`,
		multiple_of && `a multiple of ${multiple_of}`,
		of.media?.join(" or "),
		counts(shape),
		of.many && `at most ${of.many} of them`,
		of.uniqueItems && "no two equal",
		form === "date-time" && zone(of) && `with the offset ${zone(of)}`,
		...(kind === "list" && !of.items?.$ref ? words(read(of.items)).map((each) => `each ${each}`) : []),
	].filter((each) => typeof each === "string")
}

export const expressions = ({ kind, of, form, told }) => {
	if (kind === "list" && !of.items?.$ref) return expressions(read(of.items))
	return form || kind !== "text" ? [] : patterns(of).slice(told ? 1 : 0)
}

const typeOf = (value) => {
	if (value === null) return "null"
	if (Array.isArray(value)) return "array"
	return typeof value === "bigint" || Number.isSafeInteger(value) ? "integer" : typeof value
}

export const isObject = (value) => typeOf(value) === "object"

const TYPES = { text: "string", record: "object", map: "object", tagged: "object", list: "array", tuple: "array" }

const types = (schema) => {
	const { kind, parts, values, nullable } = read(schema)
	const plain = kind === "choice" ? values.map(typeOf) : [TYPES[kind] ?? kind]
	const found = kind === "union" ? parts.flatMap(types) : plain
	return nullable ? [...found, "null"] : found
}

export const suits = (schema, value) => {
	const type = typeOf(value)
	return types(schema).some((each) => each === "any" || each === type || (each === "number" && type === "integer"))
}

// Values: what the server would say of one, in its codes and its texts.

/** As many issues as the server tells. */
const MOST = 20

export const check = (schema, value) => {
	const issues = []
	walk(schema, value, [], issues)
	return issues.slice(0, MOST)
}

const issue = (code, path, params) => ({
	code, message: sentence(code, params) ?? code, params,
	path: path.slice(0, 16).map((part) => (typeof part === "string" ? part.slice(0, 64) : part))
})

const walk = (schema, value, path, issues, tried) => {
	const shape = read(schema)
	const { kind, values } = shape
	if (issues.length > MOST || (value === null && shape.nullable) || kind === "any") return
	const along = (key) => (key === undefined ? path : [...path, key])
	const tell = (code, params = {}, key) => issues.push(issue(code, along(key), params))
	const next = (of, key, each = key === undefined ? value : value[key]) => walk(of, each, along(key), issues, tried)
	const visit = { shape, value, issues, tried, tell, next }
	if (kind === "union") return union(visit)
	if (kind === "choice") return values.includes(value) || tell("unknown_value", stranger(value, values))
	if (!suits(schema, value) || [Infinity, -Infinity].includes(value)) {
		const { told: format } = shape
		return tell(`${types(schema)[0]}_type`, { ...(format && { format }), found: typeOf(value) })
	}
	VISITS[kind]?.(visit)
}

const listing = (allowed) =>
	allowed.length > 50 ? { allowed: allowed.slice(0, 10), count: allowed.length } : { allowed }

const stranger = (value, allowed) => {
	const found = typeOf(value)
	if (!allowed.some((each) => typeOf(each) === found)) return { ...listing(allowed), found }
	const meant = nearest(value, allowed)
	return { ...listing(allowed), ...(meant !== undefined && { meant }) }
}

const union = ({ shape: { parts }, value, tried, tell, next }) => {
	const fitting = parts.filter((part) => suits(part, value))
	if (fitting.length === 1) return next(fitting[0])
	const attempts = fitting.map((part) => {
		const issues = []
		walk(part, value, [], issues, true)
		return issues[0]
	})
	if (attempts.length && !attempts.every(Boolean)) return
	const isListed = (each) => each?.code === "unknown_value" && !each.path.length
	const nameOf = (part) =>
		isListed(attempts[fitting.indexOf(part)]) ? "allowed" : (read(part).told ?? types(part))
	const expected = [...new Set(parts.flatMap(nameOf))].join(", ")
	const near = attempts.slice(0, 4).filter(nearness)
	const { path, code, params } = near.find((each) => nearness(each) > 1) ?? near[0] ?? {}
	const closest = path && !tried && { path, code, params }
	const said = isListed(closest) ? { meant: params?.meant } : { ...(closest && { closest }) }
	const values = fitting.filter((part) => nameOf(part) === "allowed").flatMap((part) => read(part).values)
	const told = { ...(values.length && listing(values)), ...said }
	if (values.length && attempts.every(isListed)) return tell("unknown_value", told)
	tell("union", { expected, ...told, ...(!fitting.length && { found: typeOf(value) }) })
}

const nearness = ({ path, code, params }) => {
	if (path.length) return 2
	return "reason" in params || "meant" in params || !/^(format|unknown_value|string_type|union)$/.test(code) ? 1 : 0
}

const tagged = ({ shape: { parts, tag, tags }, value, tell, next }) => {
	if (!Object.hasOwn(value, tag)) return tell("missing", listing(tags), tag)
	const part = parts[tags.indexOf(value[tag])]
	part ? next(part) : tell("unknown_tag", stranger(value[tag], tags), tag)
}

const record = ({ shape: { fields, item, of: { additionalProperties: open } }, value, issues, tried, tell, next }) => {
	const names = fields.map(({ name }) => name)
	for (const { name, schema, required } of fields)
		if (Object.hasOwn(value, name)) next(schema, name)
		else if (required) tell("missing", {}, name)
	for (const key of Object.keys(value)) {
		if (names.includes(key)) continue
		const told = issues.length
		if (open) next(item, key)
		const isOdd = issues[told]?.code.endsWith("_type") && !suits(item, value[key])
		if (open && (tried || !isOdd)) continue
		const meant = nearest(key, names.slice(0, 50).filter((each) => !Object.hasOwn(value, each)))
		if (open && meant === undefined) continue
		issues.splice(told)
		tell("unknown_key", meant === undefined ? {} : { meant }, key)
	}
}

const many = ({ shape, value, issues, tell, next }) => {
	const { kind, of, parts, item } = shape
	const [low, high] = sizes(shape)
	const before = issues.length
	const keys = Object.keys(value)
	const unit = kind === "map" ? "keys" : "items"
	const { length } = keys
	if (length < low) return tell(`too_few_${unit}`, { [`min_${unit}`]: low, length })
	if (length > high) return tell(`too_many_${unit}`, { [`max_${unit}`]: high, length })
	for (const key of keys) {
		const now = issues.length
		if (of.propertyNames) next(of.propertyNames, key, key)
		if (now === issues.length) next(parts[Number(key)] ?? item, kind === "map" ? key : Number(key))
	}
	if (of.uniqueItems && before === issues.length && different(item, value) < length) tell("not_unique")
}

/** How many items differ: two texts may be one moment, or one decimal. */
const different = (item, values) =>
	new Set(values.map((each) => {
		const { form = "" } = read(read(item).parts.find((part) => !check(part, each).length) ?? item)
		return each && /^d|time/.test(form) ? form + [ZONED.test(each), measure(form, each)] : stringify(each)
	})).size

const compiled = new Map()

const fits = (pattern, value) => {
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
		return form === "decimal" && DECIMAL.test(value)
			? tell("decimal_size", { max_digits: 40, max_exponent: 99 })
			: tell("format", { format: form, ...mistake(of.pattern, form, value) })
	const timezone = form === "date-time" && zone(of)
	if (timezone && value.slice(-6).replace(/.*Z|-00:00/, "+00:00") !== timezone) return tell("timezone", { timezone })
	if (form !== "byte") return bounded(visit)
	counted(visit, "bytes", (value.length * 3) / 4 - value.replace(/[^=]/g, "").length)
}

/** Why a text has not its form. */
const mistake = (pattern, form, text) => {
	const found = form.startsWith("date") && /^(\d{4})-(0[1-9]|1[0-2])-(\d\d)(?:T|$)/.exec(text)
	const [, year, month, day] = [...(found || [])].map(Number)
	// before the year 100 it would be one of 1900 on
	const days = new Date(Date.UTC(year + 400, month, 0)).getUTCDate()
	if (year && day > days) return { reason: "no_such_day", days }
	const parts = /^(.*?..:..)(:[\d.]+)?(Z|[+-]..:..)?$/.exec(text)
	const [, start, seconds, offset] = (/time/.test(form) && parts) || []
	const zone = /local|partial/.test(form) ? "" : offset || "Z"
	if (!start || !fits(pattern, start + (seconds || ":00") + zone)) return {}
	if (!seconds) return { reason: "no_seconds" }
	return zone && !offset ? { reason: "no_offset" } : {}
}

const counted = ({ shape, tell }, unit, length) => {
	const [low, high] = sizes(shape)
	if (length < low) return tell(`${unit}_too_short`, { min_length: low, length })
	if (length > high) return tell(`${unit}_too_long`, { max_length: high, length })
}

const matched = ({ shape, value, tell }) => {
	const broken = patterns(shape.of).find((pattern) => !fits(pattern, value))
	const format = broken === shape.of.pattern && shape.told
	if (broken) tell(format ? "format" : "pattern", format ? { format } : { pattern: broken })
}

const bounded = ({ shape, value, tell }) => {
	const { form } = shape
	const told = form === "integer" ? { ge: -BIG, le: BIG - 1n, ...limits(shape) } : limits(shape)
	const exact = (each, by = form) => (by ? measure(by, `${each}`) : each)
	const one = exact(value)
	const steps = () => {
		const [all, step] = [value, told.multiple_of].map((each) => exact(each, form ?? "decimal"))
		return typeof all === typeof step && all % step
	}
	const tests = [
		["greater_than_equal", "ge", (limit) => one < limit],
		["greater_than", "gt", (limit) => one <= limit],
		["less_than_equal", "le", (limit) => one > limit],
		["less_than", "lt", (limit) => one >= limit],
		["multiple_of", "multiple_of", steps],
	]
	const broken = ([, name, breaks]) => told[name] !== undefined && breaks(exact(told[name]))
	const [code, name = ""] = tests.find(broken) ?? []
	if (code) tell(code, { [name]: told[name] })
}

const VISITS = { tagged, record, list: many, tuple: many, map: many, text, integer: bounded, number: bounded }

export const measure = (form, text) => {
	if (form === "integer") return BigInt(text)
	if (form === "decimal") return decimal(text)
	if (form === "duration") return duration(text)
	return /date|time/.test(form) ? moment(form, text) : 0
}

const decimal = (text) => {
	const [, digits, fraction = "", power = 0] = /^(-?\d+)\.?(\d*)(?:e(.+))?$/i.exec(text) ?? []
	if (digits === undefined) return NaN
	return BigInt(digits + fraction) * 10n ** BigInt(Number(power) - fraction.length + 139)
}

const duration = (text) => {
	const [, sign, ...parts] = /^(-)?P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(text) ?? []
	const seconds = parts.reduce((sum, part, index) => sum + Number(part ?? 0) * [86_400, 3600, 60, 1][index], 0)
	return sign ? -seconds : seconds
}

const ZONED = /Z|[+-]..:..$/

const moment = (form, text) => {
	const day = form.startsWith("date") ? text.slice(0, 10) : "1970-01-01"
	const start = Date.parse(`${day}T00:00Z`)
	if (Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== day || day < "0001") return NaN
	if (form === "date") return start
	const micros = Number(/\.\d{3}(\d{1,3})/.exec(text)?.[1].padEnd(3, "0") ?? 0) / 1000
	return micros + Date.parse((form.startsWith("date") ? "" : `${day}T`) + text + (ZONED.test(text) ? "" : "Z"))
}

// Values that are valid, as far as they can be thought up.

export const sample = (schema, nth = 0, around = []) => {
	const shape = read(schema)
	const { of, kind, name = "" } = shape
	const good = (value) => !check(schema, value).length
	const told = [...(schema.examples ?? []), ...(of.examples ?? []), schema.default ?? null]
	const given = told.filter((each) => each !== null && good(each))
	if (nth in given) return given[nth]
	const deep = around.length > 8 || around.includes(name)
	if (kind === "null" || (deep && shape.nullable)) return null
	const inside = name ? [...around, name] : around
	const inner = (each, n = nth) => sample(each, n, inside)
	const ends = (each) => {
		const { name = "", kind } = read(each)
		return !inside.includes(name) && !(deep && (TYPES[kind] ?? "string") !== "string")
	}
	const made = MADE[kind]?.({ shape, nth, deep, next: inner, ends })
	if (made !== undefined) return made
	for (const each of candidates(shape))
		if (good(each) && given.push(each) && different(schema, given) > nth) return each
	return kind === "text" ? "" : 0
}

const turns = (shape, deep) => {
	const [low = 0, high = 1] = sizes(shape)
	return [...Array(Math.min(50, Math.max(low, high && !deep ? 1 : 0))).keys()]
}

const MADE = {
	record: ({ shape: { fields }, deep, next }) => {
		const shown = fields.filter(({ required, schema }) => required || (schema.examples && !deep))
		return Object.fromEntries(shown.map(({ name, schema }) => [name, next(schema)]))
	},
	tagged: ({ shape: { parts, tag, tags }, ends, next }) => {
		const index = Math.max(0, parts.findIndex(ends))
		const first = { [tag]: tags[index] ?? "" }
		return { ...first, ...next(parts[index] ?? {}), ...first } // the tag comes first, and is not thought up
	},
	list: ({ shape, nth, deep, next }) =>
		turns(shape, deep).map((index) => next(shape.item, shape.of.uniqueItems ? index + nth : 0)),
	map: ({ shape, deep, next }) => {
		const keys = shape.of.propertyNames ?? { type: "string", examples: ["key"] }
		return Object.fromEntries(turns(shape, deep).map((index) => [next(keys, index), next(shape.item, 0)]))
	},
	tuple: ({ shape, deep, next }) => {
		const [low = 0] = sizes(shape)
		return shape.parts.slice(0, deep ? low : undefined).map((each) => next(each, 0))
	},
	union: ({ shape: { parts }, ends, next }) => next(parts.find(ends) ?? parts[0]),
	choice: ({ shape: { values }, nth }) => values[nth % values.length],
}

/** Where the server's example of a form would not do. */
const FIRST = { boolean: true, any: {}, integer: "1", duration: "PT90S" }

function* candidates(shape) {
	const { kind, form = "" } = shape
	if (kind === "text" && /^(|byte|uuid)$/.test(form)) return yield* texts(shape)
	const first = FIRST[form || (kind === "integer" ? "" : kind)] ?? own(SAMPLES, form) ?? 1
	yield first
	if (kind === "boolean") yield false
	const { ge, gt, le, lt } = limits(shape)
	const amount = (limit) => Number(/^d[au]|time/.test(form) ? measure(form, `${limit}`) : limit)
	const { write, between } = /date|time/.test(form) ? momentsOf(shape) : numbersOf(shape)
	// by any limit there is mostly something that keeps the other rules too
	for (const limit of [ge, le, gt, lt, first].filter((each) => each !== undefined)) {
		yield limit
		for (let n = -40; n < 40; n++) yield write(amount(limit), n, limit)
	}
	const middle = (amount(gt ?? ge) + amount(lt ?? le)) / 2
	if (!Number.isNaN(middle)) yield between(middle)
}

function* texts(shape) {
	const { of, form } = shape
	const [low = 0, high = 99] = sizes(shape)
	const size = Math.min(high, Math.max(low, 6))
	if (shape.told && !form) yield READY[shape.told]
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
		const zoned = form === "date-time-local" ? "" : (form === "date-time" && zone(of)) || "Z"
		const iso = new Date(from + n * step).toISOString().replace(".000", "").replace("Z", zoned)
		if (form === "date") return iso.slice(0, 10)
		return form.startsWith("date") ? iso : iso.slice(11, form === "time" ? 99 : 19)
	}
	return { write, between: (middle) => write(middle, 0) }
}

const numbersOf = (shape) => {
	const { kind, form = "" } = shape
	const step = Number(limits(shape).multiple_of ?? (/int|dur/.test(kind + form) ? 1 : 0.01))
	const digits = `${step}`.split(".")[1]?.length ?? 0
	const lasts = form === "duration"
	const lasting = (seconds) => `${seconds < 0 ? "-" : ""}PT${Number(Math.abs(seconds).toFixed(6))}S`
	return {
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
/** The beginning of a group; or one atom: a class, an escape, a character. */
const PIECE = /^(?:(\((?:\?:|\?<\w+>)?)|(\[\^?(?:\\.|[^\]\\])*\]|\\(?:u.{4}|x..|p\{\w+\}|.)|[^]))/
const REPEATED = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/

const spell = (source, more) => either({ source, at: 0, more })

const take = (reader, expression) => {
	const found = expression.exec(reader.source.slice(reader.at)) ?? [""]
	reader.at += found[0].length
	return found
}

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
