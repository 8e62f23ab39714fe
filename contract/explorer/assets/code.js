/** Code: a call as code, with the names that clients give, and a route in Markdown. */

import { at, doc, general, own, toolOf, urlOf } from "./contract.js"
import { about, called, expressions, isObject, read, words } from "./schema.js"
import { block, pretty, slug, stringify, tabs } from "./tools.js"
import { check, measure, sample } from "./values.js"

/** @type {Fn.snippets} */
export const snippets = (name, route, value) => {
	const message = () => {
		const params = { name: route.mcp?.name, arguments: value }
		return pretty(stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }))
	}
	/** @type {Pane[]} */
	const panes = [
		["curl", () => block(curl(route, value), "the command")],
		["Python", () => block(python(name, route, value), "the Python code")],
		["TypeScript", () => block(typescript(name, route, value), "the TypeScript code")],
	]
	if (toolOf(route)) panes.push(["MCP", () => block(message(), "the message")])
	return tabs("Language", panes, "code")
}

const base = () => JSON.stringify(urlOf(".").slice(0, -1))
/** How the client comes into that file, from which the code imports it. @type {Fn.text} */
export const generate = (file) => `contract generate ${at.contract} -o ${file}`
export const pythonModule = () => `${slug(doc.info.title, "_")}_client`
/** @type {(route: Route) => boolean} */
const takesNothing = ({ input }) => !Object.keys(input.properties ?? { _: 0 }).length
/** @type {Fn.text} */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`

/** @type {Fn.snippet} */
const curl = (route, value) =>
	[
		`curl ${quoted(urlOf(route.path))}`,
		"-H 'content-type: application/json'",
		...(route.auth === "bearer" ? ['-H "authorization: Bearer $TOKEN"'] : []),
		`-d ${quoted(pretty(stringify(value) ?? ""))}`,
	].join(" \\\n  ")

/** @type {Fn.namedSnippet} */
const python = (name, route, value) => {
	const uses = new Set(["ApiClient"])
	const input = print(route.input, value, uses, "    ")
	const { kind, nullable } = read(route.input)
	// the fields of a record are arguments: its class goes, and what is no name of Python's stays in a dict
	const fields = kind === "record" && !nullable && isObject(value)
	const spread = fields ? input.replace(/^\w+|^\{/, "").replace(/^(?!\()/, "(**{") : `(${input})`
	const call = takesNothing(route) ? "()" : spread
	const [modules, names] = [true, false].map((module) =>
		[...uses].filter((each) => each.startsWith("import ") === module),
	)
	const used = names.filter((each) => each === "ApiClient" || call.includes(`${each}(`) || call.includes(`${each}.`))
	const token = route.auth === "bearer" ? ', headers={"Authorization": f"Bearer {token}"}' : ""
	return [
		`# The client is generated first: ${generate(`${pythonModule()}.py`)}`,
		...modules,
		`from ${pythonModule()} import ${used.join(", ")}`,
		"",
		`with ApiClient(${base()}${token}) as api:`,
		`    result = api.${word(name)}${call}`,
	].join("\n")
}

/** @type {Fn.namedSnippet} */
const typescript = (name, route, value) =>
	[
		`// The client is generated first: ${generate("api.ts")}`,
		'import { ApiClient } from "./api"',
		"",
		"const api = new ApiClient({",
		`  baseUrl: ${base()},`,
		...(route.auth === "bearer" ? ["  headers: { Authorization: `Bearer ${token}` },"] : []),
		"})",
		`const result = await api.${word(name)}(${takesNothing(route) ? "" : print(route.input, value, null, "")})`,
	].join("\n")

const RESERVED = new Set(
	(
		"and as assert async await break class continue def del elif else except finally for from global if import in is " +
		"lambda not or pass raise return try while with yield None True False"
	).split(" "),
)

/** @type {Fn.text} */
const word = (text) => {
	const plain = /^[^\W\d]\w*$/.test(text) ? text : text.replace(/[^\p{L}\d]+/gu, "_").replace(/^_|_$/g, "")
	const begun = plain.replace(/^$/, "field").replace(/^(?=\d)/, "field_")
	return RESERVED.has(begun) ? `${begun}_` : begun
}

/** Parts on one line; or each on one of its own, with a comma, so that *close* needs none. @type {Fn.wrap} */
const wrap = (open, parts, close, pad) => {
	const flat = open + parts.join(", ") + close
	if (flat.length + pad.length < 76 && !flat.includes("\n")) return flat
	return `${open}\n${parts.map((part) => `${pad}    ${part},\n`).join("")}${pad}${close.replace(",", "")}`
}

/** @type {Record<string, string>} */
const MAKERS = {
	decimal: "decimal.Decimal(",
	uuid: "uuid.UUID(",
	byte: "base64.b64decode(",
	date: "datetime.date.fromisoformat(",
	"date-time": "datetime.datetime.fromisoformat(",
	time: "datetime.time.fromisoformat(",
	"partial-time": "datetime.time.fromisoformat(",
	duration: "datetime.timedelta(seconds=",
}

/** Of a union, the part that *value* is of. @type {Fn.chosen} */
const chosen = (shape, value) => {
	const { kind, cases, tag, parts } = shape
	if (kind === "tagged") return cases.find(([each]) => each === value?.[tag])?.[1]
	return kind === "union" ? parts.find((part) => !check(part, value).length) : undefined
}

/** A value in TypeScript; in Python where there is a set for the names that it *uses*. @type {Fn.print} */
const print = (schema, value, uses, pad) => {
	const part = chosen(read(schema), value)
	const shape = read(part ?? schema)
	/** @type {Fn.inner} */
	const inner = (of, each) => print(of, each, uses, `${pad}    `)
	if (Array.isArray(value)) return items(shape, value, uses, pad, inner)
	if (isObject(value)) return members(shape, value, uses, pad, inner)
	return uses ? pythonScalar(shape, value, uses) : typescriptScalar(shape, value)
}

/** @type {Fn.nested} */
const items = ({ kind, of, name, parts, item }, value, uses, pad, inner) => {
	const marked = /** @type {string} */ (uses && of["x-contract-type"])
	const type = word(name ?? "tuple")
	if (marked === "namedtuple") uses?.add(type)
	const [open, close] =
		{
			tuple: ["(", value.length === 1 ? ",)" : ")"],
			namedtuple: [`${type}(`, ")"],
			set: value.length ? "{}" : ["set(", ")"],
			frozenset: ["frozenset({", "})"],
		}[marked] ?? "[]"
	/** @type {unknown[]} */
	const all = value
	return wrap(
		open,
		all.map((each, index) => inner(kind === "tuple" ? (parts[index] ?? {}) : item, each)),
		close,
		pad,
	)
}

/** @type {Fn.nested} */
const members = ({ kind, of, name, fields, item }, value, uses, pad, inner) => {
	const type = uses && kind === "record" && word(name ?? "dict")
	if (type) uses.add(type)
	/** @type {(key: string) => string} */
	const keyOf = (key) => {
		if (!uses && /^[a-z_]\w*$/i.test(key)) return key
		return of.propertyNames ? inner(of.propertyNames, key) : JSON.stringify(key)
	}
	const pairs = Object.entries(value).map(([key, each]) => {
		const field = fields.find((one) => one.name === key)?.schema
		const shown = inner(field ?? item, each)
		return type ? `${word(field?.["x-contract-name"] ?? key)}=${shown}` : `${keyOf(key)}: ${shown}`
	})
	return wrap(type ? `${type}(` : "{", pairs, type ? ")" : "}", pad)
}

/** @type {Fn.scalarText} */
const typescriptScalar = ({ kind, form }, value) => {
	const json = stringify(value) ?? "undefined"
	if (form === "date-time") return `new Date(${json})`
	if (form === "byte") return `Uint8Array.from(atob(${json}), (each) => each.charCodeAt(0))`
	return typeof value === "bigint" && kind !== "number" ? `${json}n` : json
}

/** @type {Fn.scalarText} */
const pythonScalar = ({ kind, of, name = "", form = "", values }, value, uses) => {
	const json = stringify(value) ?? "undefined"
	const member = kind === "choice" && name && of["x-contract-enum-names"]?.[values.indexOf(value)]
	if (member) {
		uses?.add(word(name))
		return `${word(name)}.${word(member)}`
	}
	const maker = typeof value === "string" && own(MAKERS, form)
	if (maker) {
		uses?.add(`import ${maker.split(".")[0]}`)
		return `${maker}${form === "duration" ? measure(form, value) : json})`
	}
	return { null: "None", true: "True", false: "False" }[json] ?? (form === "integer" ? `${value}` : json)
}

// A route in Markdown, with all that is needed to call it for those who have not this page.

/** A text of the author's on one line: it begins no heading and no item. @type {Fn.text} */
const oneLine = (text) => text.trim().replace(/\s+/g, " ")

/** Rules in words; in place of an expression, a text that matches. @type {(schema: Schema) => string[]} */
const rules = (schema) => {
	const shape = read(schema)
	const such = schema.examples ?? (expressions(shape).length ? [sample(schema)] : [])
	return [
		...words(shape),
		...(shape.values.length > 1 ? [shape.values.map(stringify).join(", ")] : []),
		...("default" in schema ? [`default ${stringify(schema.default)}`] : []),
		...such.map((/** @type {unknown} */ each) => `such as ${stringify(each)}`),
	]
}

/** @type {(name: string, schema: Schema, flag: string) => string} */
const line = (name, schema, flag) => {
	const said = [rules(schema).join(", "), oneLine(about(schema) ?? "")].filter(Boolean).join(". ")
	return `- \`${name}\` (${called(schema)}${flag})${said && `: ${said}`}`
}

/** What is in a type, on a line each. @type {(schema: Schema) => string} */
const lines = (schema) => {
	const { kind, fields, cases, tag, parts } = read(schema)
	const all = [
		...fields.map(({ name, schema: each, required }) => line(name, each, required ? "" : ", optional")),
		...cases.map(([value, each]) => line(`${tag}: ${stringify(value)}`, each, "")),
		...parts.map((each, index) => line(`${kind === "union" ? "or" : index}`, each, "")),
	]
	return all.join("\n") || [called(schema), ...rules(schema)].join(", ")
}

/** The names of the types that a schema refers to. @type {(schema: unknown, found: Set<string>) => Set<string>} */
const referred = (schema, found) => {
	for (const [, name] of stringify(schema ?? null).matchAll(/"\$ref":"#\/\$defs\/([^"]*)"/g)) {
		if (found.has(name) || !Object.hasOwn(doc.$defs, name)) continue
		found.add(name)
		referred(doc.$defs[name], found)
	}
	return found
}

/** @type {(all: [string, Failure][]) => string} */
const errors = (all) =>
	all
		.map(([code, { status, description, data, data_required }]) => {
			const carried = data && ` Data${data_required ? "" : ", which may be absent"}: ${called(data)}.`
			return `- \`${code}\` (${status}): ${oneLine(description)}${carried ?? ""}`
		})
		.join("\n")

/** @type {(name: string, route: Route) => string} */
export const brief = (name, route) => {
	const { summary, description, auth, effect, input, output } = route
	const tool = toolOf(route)
	const token = auth === "bearer" && "with the header `Authorization: Bearer TOKEN`"
	const facts = ["as JSON", token, `effect: ${effect}`, tool && `MCP tool: ${tool.name}`].filter(Boolean).join(", ")
	const data = [...Object.values(route.errors), ...general(route).map(([, each]) => each)].map((each) => each.data)
	const types = [...referred([input, output, data], new Set())].map((type) => {
		const schema = doc.$defs[type]
		return `### ${type}\n\n${schema.description ? `${oneLine(schema.description)}\n\n` : ""}${lines(schema)}`
	})
	return (
		[
			`# ${name}: ${oneLine(summary)}`,
			description,
			`POST ${urlOf(route.path)} (${facts}). The contract: ${at.contract}`,
			`## Input: ${called(input)}\n\n${lines(input)}`,
			`\`\`\`json\n${pretty(stringify(sample(input)))}\n\`\`\``,
			`## Output: ${called(output)}\n\n${lines(output)}`,
			'## Errors\n\nA failure answers `{"error": CODE, "data"?: ...}`.',
			errors(Object.entries(route.errors)),
			`Any route may also answer:\n\n${errors(general(route))}`,
			types.length && `## Types\n\n${types.join("\n\n")}`,
		]
			.filter(Boolean)
			.join("\n\n") + "\n"
	)
}
