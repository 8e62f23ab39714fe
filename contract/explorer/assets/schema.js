/** Schema: what a type of the contract means, what it is called, and its rules in words. */

import { doc, own } from "./contract.js"
import { stringify } from "./tools.js"

/** The formats that the server knows, which came along with the page. @type {Record<string, string>} */
export const FORMATS = JSON.parse(document.documentElement.dataset.issues ?? "").formats

/** @type {Fn.body} */
export const body = (schema) => (schema.$ref ? (own(doc.$defs, schema.$ref.slice(8)) ?? {}) : schema)

/** @type {WeakMap<Schema, Shape>} */
const shapes = new WeakMap()
/** Forms of texts that have no format of JSON Schema's. @type {Record<string, string>} */
const FORMS = { bytes: "byte", decimal: "decimal", timedelta: "duration", int: "integer" }
/** Bounds the references and nulls that stand around one type: a contract may refer in a circle. */
const HOPS = 64

/** @type {Fn.constants} */
const constants = (schema) => schema?.enum ?? (schema && "const" in schema ? [schema.const] : [])

/** What a schema means. @type {Fn.read} */
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

/** Take away references and null, and say whether a union is left. @type {Fn.unwrap} */
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

/** @type {Fn.kindOf} */
const kindOf = ({ of, values }) => {
	if (of.oneOf) return "tagged"
	if (values.length) return "choice"
	if (of.type === "object") return of.properties || of.additionalProperties === false ? "record" : "map"
	if (of.type === "array") return of.items === false ? "tuple" : "list"
	return of.type === "string" ? "text" : (of.type ?? "any")
}

/** The records of a union, by the constant in the field that tells them apart. @type {Fn.readCases} */
const readCases = (shape) => {
	const { oneOf = [], discriminator } = shape.of
	const inside = oneOf.map((each) => body(each).properties ?? {})
	const tells = (/** @type {string} */ name) => inside.every((each) => constants(own(each, name)).length)
	shape.tag = discriminator?.propertyName ?? Object.keys(inside[0]).find(tells) ?? ""
	shape.cases = oneOf.flatMap((each, index) =>
		constants(own(inside[index], shape.tag)).map((tag) => /** @type {[unknown, Schema]} */ ([tag, each])),
	)
}

/** @type {Fn.fieldsOf} */
const fieldsOf = ({ properties = {}, required, "x-contract-order": order }) =>
	(order ?? Object.keys(properties)).map((name) => ({
		name,
		schema: properties[name],
		required: required?.includes(name) ?? false,
	}))

/** @type {Fn.formOf} */
const formOf = ({ pattern, format, "x-contract-type": marked }) => {
	if (marked === "time") return pattern?.includes("Z") ? "time" : "partial-time"
	return own(FORMS, marked) ?? (own(FORMATS, format) && format)
}

/** What the author says of a part; what is said of a record itself stands on its page. @type {Fn.about} */
export const about = (schema) => {
	const { kind, of } = read(schema)
	return schema.description ?? (kind === "record" ? "" : of.description)
}

/** @type {Fn.listed} */
const listed = (all, by = " or ") => all.flatMap((each, index) => [index ? by : "", ...label(each)])
/** @type {Record<string, Fn.labels>} */
const LABELS = {
	list: ({ of, item }) => [of.uniqueItems ? "set of " : "list of ", ...label(item)],
	map: ({ of: { propertyNames: keys }, item }) => [
		"map of ",
		...(keys ? [...label(keys), " to "] : []),
		...label(item),
	],
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
export const called = (schema) =>
	label(schema)
		.map((part) => (typeof part === "string" ? part : part.type))
		.join("")

/** @type {Fn.patterns} */
export const patterns = ({ pattern, allOf = [] }) => [pattern, ...allOf.map((rule) => rule.pattern)].filter(Boolean)

/** The offset that all of its moments have. @type {Fn.zone} */
export const zone = (of) =>
	patterns(of)[1]
		?.replace(/^\(Z.*/, "+00:00")
		.replace(/[[\]$]/g, "")

/** The least and the most of something that is counted. @type {Fn.sizes} */
export const sizes = ({ of, form }) => {
	if (form !== "byte")
		return [of.minLength ?? of.minItems ?? of.minProperties, of.maxLength ?? of.maxItems ?? of.maxProperties]
	// bytes are counted by the length of their base64, and by the = at its end
	const ends = [of, ...(of.allOf ?? [])]
	const spare = (/** @type {string} */ key, /** @type {unknown[]} */ rules) =>
		rules.indexOf(ends.find((each) => each.if?.[key])?.then.pattern)
	return [
		of.minLength && of.minLength * 0.75 - spare("maxLength", ["[^=]$", "[^=]=?$", undefined]),
		of.maxLength && of.maxLength * 0.75 - spare("minLength", [undefined, "=$", "==$"]),
	]
}

export const BIG = 2n ** 63n
/** @type {Fn.limits} */
export const limits = ({ of, kind }) => {
	if (kind === "text") return of["x-contract-bounds"] ?? {}
	const le = of.maximum === 2 ** 63 ? BIG - 1n : of.maximum // a float has no 2 ** 63 - 1
	return { ge: of.minimum, gt: of.exclusiveMinimum, le, lt: of.exclusiveMaximum, multiple_of: of.multipleOf }
}

/** @type {Fn.span} */
const span = (low, high, unit = "") => {
	if (low === undefined) return high !== undefined && `at most ${high}${unit}`
	if (high === undefined) return `at least ${low}${unit}`
	return `${low === high ? "exactly" : `${low} to`} ${high}${unit}`
}

/** @type {Fn.counts} */
const counts = (shape) => {
	const [low, high] = sizes(shape)
	const unit = own({ list: "item", map: "key" }, shape.kind) ?? (shape.form ? "byte" : "character")
	return shape.kind !== "tuple" && span(low || undefined, high, ` ${unit}${(high ?? low) === 1 ? "" : "s"}`)
}

/** The rules of a type in words, but for the expressions that a text has to match. @type {Fn.words} */
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

/** The expressions that a text, or each of a list, has to match; a form has a name instead. @type {Fn.expressions} */
export const expressions = ({ kind, of, form }) => {
	if (kind === "list" && !of.items?.$ref) return expressions(read(of.items))
	return form || kind !== "text" ? [] : patterns(of)
}

/** @type {Fn.isObject} */
export const isObject = (value) => typeOf(value) === "object"

/** Its JSON type. @type {Fn.typeOf} */
export const typeOf = (value) => {
	if (value === null) return "null"
	if (Array.isArray(value)) return "array"
	const whole = typeof value === "bigint" || Number.isSafeInteger(value)
	return whole ? "integer" : typeof value
}

/** @type {Record<string, string>} */
export const TYPES = {
	text: "string",
	record: "object",
	map: "object",
	tagged: "object",
	list: "array",
	tuple: "array",
}

/** The JSON types that a schema takes. @type {Fn.types} */
export const types = (schema) => {
	const { kind, parts, values, nullable } = read(schema)
	const plain = kind === "choice" ? values.map(typeOf) : [TYPES[kind] ?? kind]
	const found = kind === "union" ? parts.flatMap(types) : plain
	return nullable ? [...found, "null"] : found
}

/** Whether it may be of that schema, going by its type alone. @type {Fn.suits} */
export const suits = (schema, value) => {
	const type = typeOf(value)
	return types(schema).some((each) => each === "any" || each === type || (each === "number" && type === "integer"))
}
