/** Code: a call as code, with the names that clients give, and a route in Markdown. */

import {
	about, at, called, doc, expressions, general, isObject, members, own, read, toolOf, urlOf, words,
} from "./contract.js"
import { block, json, pretty, slug, stringify, tabs } from "./tools.js"
import { check, measure, sample } from "./values.js"

export const snippets = (name, route, value) => {
	const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: route.mcp?.name, arguments: value } }
	const panes = {
		curl: () => block(curl(route, value), "the command"),
		Python: () => block(python(name, route, value), "the Python code"),
		TypeScript: () => block(typescript(name, route, value), "the TypeScript code"),
		...(toolOf(route) && { MCP: () => json(message, "the message") }),
	}
	return tabs("Language", panes, "code")
}

const base = () => JSON.stringify(urlOf(".").slice(0, -1))
export const generate = (file) => `contract generate ${at.contract} -o ${file}`
export const pythonModule = () => `${slug(doc.info.title, "_")}_client`
const takesNothing = ({ input }) => !Object.keys(input.properties ?? { _: 0 }).length
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`

const curl = ({ path, auth }, value) => {
	const token = auth === "bearer" ? ' \\\n  -H "authorization: Bearer $TOKEN"' : ""
	const body = quoted(pretty(stringify(value) ?? ""))
	return `curl ${quoted(urlOf(path))} \\\n  -H 'content-type: application/json'${token} \\\n  -d ${body}`
}

const python = (name, route, value) => {
	const uses = new Set(["ApiClient"])
	const input = print(route.input, value, uses, "    ")
	const { kind, nullable } = read(route.input)
	// the fields of a record are arguments: its class goes, and what is no name of Python's stays in a dict
	const fields = kind === "record" && !nullable && isObject(value)
	const spread = fields ? input.replace(/^\w+|^\{/, "").replace(/^(?!\()/, "(**{") : `(${input})`
	const call = takesNothing(route) ? "()" : spread
	const modules = [...uses].filter((each) => each.startsWith("import "))
	const isUsed = (each) => each === "ApiClient" || call.includes(`${each}(`) || call.includes(`${each}.`)
	const token = route.auth === "bearer" ? ', headers={"Authorization": f"Bearer {token}"}' : ""
	return [
		`# The client is generated first: ${generate(`${pythonModule()}.py`)}`,
		...modules,
		`from ${pythonModule()} import ${[...uses].filter(isUsed).join(", ")}`,
		"",
		`with ApiClient(${base()}${token}) as api:`,
		`    result = api.${word(name)}${call}`,
	].join("\n")
}

const typescript = (name, route, value) => {
	const token = route.auth === "bearer" ? "\n  headers: { Authorization: `Bearer ${token}` }," : ""
	const input = takesNothing(route) ? "" : print(route.input, value, null, "")
	return [
		`// The client is generated first: ${generate("api.ts")}`,
		'import { ApiClient } from "./api"',
		"",
		"const api = new ApiClient({",
		`  baseUrl: ${base()},${token}`,
		"})",
		`const result = await api.${word(name)}(${input})`,
	].join("\n")
}

const RESERVED =
	"and as assert async await break class continue def del elif else except finally for from global if import in is " +
	"lambda not or pass raise return try while with yield None True False"

const word = (text) => {
	const plain = /^[^\W\d]\w*$/.test(text) ? text : text.replace(/[^\p{L}\d]+/gu, "_").replace(/^_|_$/g, "")
	const begun = plain.replace(/^$/, "field").replace(/^(?=\d)/, "field_")
	return RESERVED.split(" ").includes(begun) ? `${begun}_` : begun
}

/** Parts on one line; or each on one of its own, with a comma, so that *close* needs none. */
const wrap = (open, parts, close, pad) => {
	const flat = open + parts.join(", ") + close
	if (flat.length + pad.length < 76 && !flat.includes("\n")) return flat
	return `${open}\n${parts.map((part) => `${pad}    ${part},\n`).join("")}${pad}${close.replace(",", "")}`
}

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

const chosen = (shape, value) => {
	const { kind, cases, tag, parts } = shape
	if (kind === "tagged") return cases.find(([each]) => each === value?.[tag])?.[1]
	return kind === "union" ? parts.find((part) => !check(part, value).length) : undefined
}

/** A value in TypeScript; in Python where there is a set for the names that it *uses*. */
const print = (schema, value, uses, pad) => {
	const part = chosen(read(schema), value)
	const shape = read(part ?? schema)
	const inner = (of, each) => print(of, each, uses, `${pad}    `)
	if (Array.isArray(value)) return items(shape, value, uses, pad, inner)
	if (isObject(value)) return entries(shape, value, uses, pad, inner)
	return uses ? pythonScalar(shape, value, uses) : typescriptScalar(shape, value)
}

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
	const part = (each, index) => inner(kind === "tuple" ? (parts[index] ?? {}) : item, each)
	return wrap(open, value.map(part), close, pad)
}

const entries = ({ kind, of, name, fields, item }, value, uses, pad, inner) => {
	const type = uses && kind === "record" && word(name ?? "dict")
	if (type) uses.add(type)
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

const typescriptScalar = ({ kind, form }, value) => {
	const json = stringify(value) ?? "undefined"
	if (form === "date-time") return `new Date(${json})`
	if (form === "byte") return `Uint8Array.from(atob(${json}), (each) => each.charCodeAt(0))`
	return typeof value === "bigint" && kind !== "number" ? `${json}n` : json
}

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

/** A text of the author's on one line: it begins no heading and no item. */
const oneLine = (text) => text.trim().replace(/\s+/g, " ")

const rules = (schema) => {
	const shape = read(schema)
	const such = schema.examples ?? (expressions(shape).length ? [sample(schema)] : [])
	return [
		...words(shape),
		...(shape.values.length > 1 ? [shape.values.map(stringify).join(", ")] : []),
		...("default" in schema ? [`default ${stringify(schema.default)}`] : []),
		...such.map((each) => `such as ${stringify(each)}`),
	]
}

const line = (name, schema, flag) => {
	const said = [rules(schema).join(", "), oneLine(about(schema) ?? "")].filter(Boolean).join(". ")
	return `- \`${name}\` (${called(schema)}${flag})${said && `: ${said}`}`
}

const lines = (schema) => {
	const all = members(read(schema)).map(({ name, schema: each, required }) =>
		line(name || "or", each, required ? "" : ", optional"),
	)
	return all.join("\n") || [called(schema), ...rules(schema)].join(", ")
}

const referred = (schema, found) => {
	for (const [, name] of stringify(schema ?? null).matchAll(/"\$ref":"#\/\$defs\/([^"]*)"/g)) {
		if (found.has(name) || !Object.hasOwn(doc.$defs, name)) continue
		found.add(name)
		referred(doc.$defs[name], found)
	}
	return found
}

const errors = (all) => {
	const one = ([code, { status, description, data, data_required }]) => {
		const carried = data ? ` Data${data_required ? "" : ", which may be absent"}: ${called(data)}.` : ""
		return `- \`${code}\` (${status}): ${oneLine(description)}${carried}`
	}
	return all.map(one).join("\n")
}

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
	const parts = [
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
	return `${parts.filter(Boolean).join("\n\n")}\n`
}
