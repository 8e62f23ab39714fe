/** Contract: the document that the page shows, what is in it, how to find it, and what its types mean. */

import { parse, stringify } from "./tools.js"

export let doc
/** Where the contract is, and the routes ("" where that is not known). */
export const at = { contract: "", base: "" }

/** What is exact takes eight times as long: a text above this is read as JSON.parse does. */
const LONG = 5e5

export const load = (text) => {
	doc = (text.length < LONG ? parse : JSON.parse)(text)
	if (!/^1\./.test(doc?.contract)) throw new Error("It is no contract of version 1.")
}

/** The own property: a name of the contract may be any text. */
export const own = (of, name) => (of && Object.hasOwn(of, name) ? of[name] : undefined)

export const urlOf = (path) => new URL(path, at.base || "https://server.example/").href

export const place = (...parts) => `#/${parts.map(encodeURIComponent).join("/")}`

export const to = (kind, name) => ({ href: place(kind, name), text: name })

export const routes = () => Object.entries(doc.routes)

export const toolOf = (route) => (doc.links.mcp ? route.mcp : undefined)

export const tools = () => routes().filter(([, route]) => toolOf(route))

export const failures = () => {
	const declared = Object.entries(Object.assign({}, ...routes().map(([, { errors }]) => errors)))
	const ofService = declared.filter(([code]) => !own(doc.errors, code))
	return [...ofService.sort(([a], [b]) => (a < b ? -1 : 1)), ...Object.entries(doc.errors)]
}

export const general = ({ errors, auth }) =>
	Object.entries(doc.errors).filter(([code]) => !own(errors, code) && (auth === "bearer" || code !== "UNAUTHORIZED"))

export const allTags = () => [...new Set(routes().flatMap(([, { tags }]) => tags))].sort()

export const groups = () => {
	const found = [...Map.groupBy(routes(), ([, { tags }]) => tags[0] ?? "")]
	return found.sort(([a], [b]) => (!a ? 1 : !b || a < b ? -1 : 1))
}

let uses

/** Values of an author's: a `$ref` in them is no reference. */
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
	/** @type {Map<string, Map<string, Use>>} */
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

const entry = (kind, title, note = "", more = "", href = place(`${kind.toLowerCase()}s`, title)) => {
	return { kind, href, title, note, key: `${title} ${note} ${more}`.toLowerCase() }
}

const findEntries = () => {
	const types = Object.entries(doc.$defs)
	const inside = ([name, { properties = {} }]) =>
		Object.keys(properties).map((each) => entry("Field", each, `in ${name}`, "", place("types", name, "fields", each)))
	return [
		...routes().map(([name, route]) => {
			return entry("Route", name, route.summary, `${route.tags} ${toolOf(route)?.name ?? ""}`)
		}),
		...types.map(([name, { description }]) => entry("Type", name, description)),
		...failures().map(([code, { status, description }]) => entry("Error", code, `${status} ${description}`)),
		...allTags().map((tag) => entry("Tag", tag)),
		...types.flatMap(inside),
	]
}

/** What has all words of *query*; first what is called so, then what begins so. */
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

/** The formats that the server knows, which came along with the page. */
export const FORMATS = JSON.parse(document.documentElement.dataset.issues ?? "").formats

export const body = (schema) => (schema.$ref ? (own(doc.$defs, schema.$ref.slice(8)) ?? {}) : schema)

const shapes = new WeakMap()
/** Forms of texts that have no format of JSON Schema's. */
const FORMS = { bytes: "byte", decimal: "decimal", timedelta: "duration", int: "integer" }
/** Bounds the references and nulls that stand around one type: a contract may refer in a circle. */
const HOPS = 64

const constants = (schema) => schema?.enum ?? (schema && "const" in schema ? [schema.const] : [])

export const read = (schema) => {
	const known = shapes.get(schema)
	if (known) return known
	/** @type {Shape} */
	const shape = {
		kind: "any",
		of: schema,
		nullable: false,
		fields: [],
		parts: [],
		item: {},
		tag: "",
		cases: [],
		values: constants(schema),
	}
	shapes.set(schema, shape)
	if (unwrap(shape)) return Object.assign(shape, { kind: "union" })
	const { of } = shape
	shape.values = constants(of)
	shape.kind = kindOf(shape)
	if (of.oneOf) readCases(shape)
	if (shape.kind === "record") shape.fields = fieldsOf(of)
	if (shape.kind === "text") shape.form = formOf(of)
	shape.parts = of.prefixItems ?? []
	shape.item = of.items || of.additionalProperties || {}
	return shape
}

/** Take away references and null, and say whether a union is left. */
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

/** The records of a union, by the constant in the field that tells them apart. */
const readCases = (shape) => {
	const { oneOf = [], discriminator } = shape.of
	const inside = oneOf.map((each) => body(each).properties ?? {})
	const tells = (name) => inside.every((each) => constants(own(each, name)).length)
	shape.tag = discriminator?.propertyName ?? Object.keys(inside[0]).find(tells) ?? ""
	shape.cases = oneOf.flatMap((each, index) =>
		constants(own(inside[index], shape.tag)).map((tag) => /** @type {[unknown, Schema]} */ ([tag, each])),
	)
}

const fieldsOf = ({ properties = {}, required, "x-contract-order": order }) =>
	(order ?? Object.keys(properties)).map((name) => {
		return { name, schema: properties[name], required: required?.includes(name) ?? false }
	})

/** The parts of a record, a tuple or a union; *at* is what each is called in an address. */
export const members = ({ kind, of, fields, cases, tag, parts }) => [
	...fields.map((each) => ({ ...each, at: each.name })),
	...cases.map(([value, schema]) => ({ schema, required: true, name: `${tag}: ${stringify(value)}`, at: `${value}` })),
	...parts.map((schema, index) => {
		const name = kind === "union" ? "" : `${schema["x-contract-name"] ?? index}`
		return { schema, required: !name || index < (of.minItems ?? 0), name, at: `${index}` }
	}),
]

const formOf = ({ pattern, format, "x-contract-type": marked }) => {
	if (marked === "time") return pattern?.includes("Z") ? "time" : "partial-time"
	return own(FORMS, marked) ?? (own(FORMATS, format) && format)
}

export const about = (schema) => {
	const { kind, of } = read(schema)
	return schema.description ?? (kind === "record" ? "" : of.description)
}

const listed = (all, by = " or ") => all.flatMap((each, index) => [index ? by : "", ...label(each)])
const LABELS = {
	list: ({ of, item }) => [of.uniqueItems ? "set of " : "list of ", ...label(item)],
	map: ({ of: { propertyNames: keys }, item }) => {
		return ["map of ", ...(keys ? [...label(keys), " to "] : []), ...label(item)]
	},
	tuple: ({ parts }) => ["[", ...listed(parts, ", "), "]"],
	union: ({ parts }) => listed(parts),
	tagged: ({ cases }) => listed([...new Set(cases.map(([, each]) => each))]),
	choice: ({ values }) => [values.length > 1 ? "one of" : stringify(values[0])],
	record: () => ["object"],
	text: ({ form = "string" }) => [{ byte: "base64", integer: "integer as text", "partial-time": "time" }[form] ?? form],
}

export const label = (schema) => {
	const shape = read(schema)
	const out = shape.name ? [{ type: shape.name }] : (own(LABELS, shape.kind)?.(shape) ?? [shape.kind])
	return shape.nullable ? [...out, " or null"] : out
}

export const called = (schema) => label(schema).map((part) => (typeof part === "string" ? part : part.type)).join("")

export const patterns = ({ pattern, allOf = [] }) => [pattern, ...allOf.map((rule) => rule.pattern)].filter(Boolean)

export const zone = (of) => patterns(of)[1]?.replace(/^\(Z.*/, "+00:00").replace(/[[\]$]/g, "")

/** The least and the most of something that is counted. */
export const sizes = ({ of, form }) => {
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

export const BIG = 2n ** 63n
export const limits = ({ of, kind }) => {
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
	const unit = own({ list: "item", map: "key" }, shape.kind) ?? (shape.form ? "byte" : "character")
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
		counts(shape),
		of.uniqueItems && "no two equal",
		form === "date-time" && zone(of) && `with the offset ${zone(of)}`,
		...(kind === "list" && !of.items?.$ref ? words(read(of.items)).map((each) => `each ${each}`) : []),
	].filter((each) => typeof each === "string")
}

export const expressions = ({ kind, of, form }) => {
	if (kind === "list" && !of.items?.$ref) return expressions(read(of.items))
	return form || kind !== "text" ? [] : patterns(of)
}

export const isObject = (value) => typeOf(value) === "object"

export const typeOf = (value) => {
	if (value === null) return "null"
	if (Array.isArray(value)) return "array"
	const whole = typeof value === "bigint" || Number.isSafeInteger(value)
	return whole ? "integer" : typeof value
}

export const TYPES = {
	text: "string", record: "object", map: "object", tagged: "object", list: "array", tuple: "array"
}

export const types = (schema) => {
	const { kind, parts, values, nullable } = read(schema)
	const plain = kind === "choice" ? values.map(typeOf) : [TYPES[kind] ?? kind]
	const found = kind === "union" ? parts.flatMap(types) : plain
	return nullable ? [...found, "null"] : found
}

export const suits = (schema, value) => {
	const type = typeOf(value)
	return types(schema).some((each) => each === "any" || each === type || (each === "number" && type === "integer"))
}
