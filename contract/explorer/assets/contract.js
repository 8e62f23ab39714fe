/** Contract: the document that the page shows, what is in it, and how to find it. */

import { parse } from "./tools.js"

/** @type {Contract} */
export let doc
/** Where the contract is, and the routes ("" where that is not known). */
export const at = { contract: "", base: "" }

/** What is exact takes eight times as long: a text above this is read as JSON.parse does. */
const LONG = 5e5

/** @type {Fn.say} */
export const load = (text) => {
	doc = (text.length < LONG ? parse : JSON.parse)(text)
	if (!/^1\./.test(doc?.contract)) throw new Error("It is no contract of version 1.")
}

/** The own property: a name of the contract may be any text. @type {Fn.own} */
export const own = (of, name) => (of && Object.hasOwn(of, name) ? of[name] : undefined)

/** @type {Fn.text} */
export const urlOf = (path) => new URL(path, at.base || "https://server.example/").href

/** An address within the page: of a page, of a part of it, of a field in that. @type {Fn.place} */
export const place = (...parts) => `#/${parts.map(encodeURIComponent).join("/")}`

/** @type {Fn.to} */
export const to = (kind, name) => ({ href: place(kind, name), text: name })

export const routes = () => Object.entries(doc.routes)

/** The tool that a route is for agents, where the service has an endpoint for them. @type {Fn.toolOf} */
export const toolOf = (route) => (doc.links.mcp ? route.mcp : undefined)

export const tools = () => routes().filter(([, route]) => toolOf(route))

/** All codes: those of this service first, then those of any. @type {Fn.failures} */
export const failures = () => {
	const declared = Object.entries(Object.assign({}, ...routes().map(([, { errors }]) => errors)))
	const ofService = declared.filter(([code]) => !own(doc.errors, code))
	return [...ofService.sort(([a], [b]) => (a < b ? -1 : 1)), ...Object.entries(doc.errors)]
}

/** What a route may answer with beside the codes that it declares. @type {Fn.general} */
export const general = ({ errors, auth }) =>
	Object.entries(doc.errors).filter(([code]) => !own(errors, code) && (auth === "bearer" || code !== "UNAUTHORIZED"))

export const allTags = () => [...new Set(routes().flatMap(([, { tags }]) => tags))].sort()

/** Routes by their first tag; those without one come last. @type {Fn.groups} */
export const groups = () => {
	const found = [...Map.groupBy(routes(), ([, { tags }]) => tags[0] ?? "")]
	return found.sort(([a], [b]) => (!a ? 1 : !b || a < b ? -1 : 1))
}

/** @type {Map<string, Map<string, Use>> | undefined} */
let uses

/** Values of an author's: a `$ref` in them is no reference. */
const VALUES = /^(default|examples|enum|discriminator)$/

/** Note who refers to which types, in a part of the contract. @type {Fn.look} */
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

/** Where a type is used. @type {Fn.usesOf} */
export const usesOf = (name) => {
	uses ??= findUses()
	return [...(uses.get(name)?.values() ?? [])]
}

/** @type {Entry[] | undefined} */
let entries

/** @type {Fn.entry} */
const entry = (kind, href, title, note, more = "") => ({
	kind,
	href,
	title,
	note,
	key: `${title} ${note} ${more}`.toLowerCase(),
})

/** @type {() => Entry[]} */
const findEntries = () => {
	const types = Object.entries(doc.$defs)
	return [
		...routes().map(([name, route]) =>
			entry("Route", place("routes", name), name, route.summary, `${route.tags} ${toolOf(route)?.name ?? ""}`),
		),
		...types.map(([name, { description = "" }]) => entry("Type", place("types", name), name, description)),
		...failures().map(([code, { status, description }]) =>
			entry("Error", place("errors", code), code, `${status} ${description}`),
		),
		...allTags().map((tag) => entry("Tag", place("tags", tag), tag, "")),
		...types.flatMap(([name, { properties = {} }]) =>
			Object.keys(properties).map((field) =>
				entry("Field", place("types", name, "fields", field), field, `in ${name}`),
			),
		),
	]
}

/** What has all words of *query*; first what is called so, then what begins so. @type {Fn.search} */
export const search = (query) => {
	entries ??= findEntries()
	const asked = query.toLowerCase().split(/\s+/).filter(Boolean)
	const [first = ""] = asked
	/** @type {Fn.rank} */
	const rank = ({ title, kind }) => {
		const low = title.toLowerCase()
		return (low === first ? 0 : low.startsWith(first) ? 2 : low.includes(first) ? 4 : 6) + Number(kind === "Field")
	}
	return entries.filter(({ key }) => asked.every((word) => key.includes(word))).sort((a, b) => rank(a) - rank(b))
}
