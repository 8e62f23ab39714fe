/**
 * Form: a control for each part of an input, which it changes in place.
 *
 * A change of what there is to fill in draws its control anew. Whatever had the focus is gone then, so that each such
 * change says which neighbour gets it (WCAG 2.2, section 2.4.3).
 */

import { about, called, own, read, rules, suits } from "./contract.js"
import { attempt, fill, h, id, markdown, parse, pretty, quiet, small, stringify } from "./tools.js"
import { sample } from "./values.js"

const NESTS = /record|list|map|tuple|tagged|union/
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i

export const control = (form, spot) => {
	const shape = read(spot.schema)
	const here = h("div.field")
	draw({ ...spot, form, shape, here, key: id(), now: spot.value, nests: NESTS.test(shape.kind) })
	return here
}

/** Give a part another value; where it is drawn anew, *focus* says where the focus goes. */
const set = (self, next, focus) => {
	self.put((self.now = next))
	if (focus) draw(self)
	self.form.changed(self.path)
	if (focus) focus(self.here)?.focus()
}

// Where the focus goes.

const first = (part) => part?.querySelector("input:enabled, select, textarea") ?? part?.querySelector("button")
const nested = (here) => first(here?.querySelector(":scope > .nest")) ?? first(here)
const toggle = (here) => here?.querySelector(":scope > .head > [aria-pressed]")
const chooser = (here) => here?.querySelector(":scope > .nest > select")
/** The item at an index, or the last, or where there is none what adds one. */
const itemAt = (index) => (here) => {
	const all = here?.querySelectorAll(":scope > .nest > :is(.field, .entry)") ?? []
	const found = all[Math.min(index, all.length - 1)]
	return found ? first(found) : here?.querySelector(":scope > .nest > button")
}

// What is drawn.

const draw = (self) => {
	const { form, schema, path, shape, here, key, now, nests } = self
	const there = now !== undefined
	const odd = shape.kind === "any" || (there && (nests || shape.kind === "text") && !suits(schema, now))
	const input = odd ? raw(self) : nests ? undefined : scalar(self)
	const note = h("div.issue", { id: `${key}n` })
	const hint = hintOf(self)
	const described = `${hint ? `${key}h ` : ""}${key}n`
	form.places.set(stringify(path), { note, input })
	input?.setAttribute("aria-describedby", described)
	if (input) input.id = key
	const group = { role: "group", "aria-labelledby": key, "aria-describedby": described }
	const inside = !input && there && now !== null && h("div.nest", group, INSIDE[shape.kind]?.(self))
	fill(here, head(self, Boolean(input)), hint, input, note, inside)
}

const head = (self, labels) => {
	const { title, required, schema, path, shape, key, now, nests, remove } = self
	const there = now !== undefined
	const name = h("code.name", title, required && h("span.must", "*"))
	const props = labels ? { for: key } : { id: key }
	const button = (label, next, focus, name = label) =>
		small(label, () => set(self, next(), focus), `${name} ${title}`, label === "null" ? now === null : undefined)
	return h(
		path.length || shape.nullable || shape.kind !== "record" ? "div.head" : "div.away",
		h(labels ? "label" : "span", props, name, " ", h("span.quiet", called(schema))),
		shape.nullable && button("null", () => (now === null ? undefined : null), toggle, "null for"),
		nests && !there && button("Add", () => sample(schema), nested),
		remove ? small("Remove", remove, `Remove ${title}`) : !required && there && button("Unset", () => undefined, first),
	)
}

const hintOf = ({ schema, path, shape, key }) => {
	const said = path.length ? about(schema) : ""
	const limits = rules(shape).join(", ")
	if (said || limits) return h("div.hint", { id: `${key}h` }, said && markdown(said), limits && h("p", limits))
}

const line = (value, take, long, type = "text") =>
	h(/** @type {"input"} */ (long ? "textarea" : "input"), {
		...(long ? { rows: 1 } : { type }),
		value,
		spellcheck: "false",
		autocomplete: "off",
		dir: "auto",
		oninput: ({ target }) => take(target.value),
	})

const choose = (options, chosen, take, none, name = null) => {
	const option = (each, index) => h("option", { value: `${index}`, selected: index === chosen }, each)
	const onchange = ({ target }) => take(target.value ? Number(target.value) : -1)
	return h("select", { "aria-label": name, onchange }, h("option", { value: "" }, none), options.map(option))
}

const raw = (self) => {
	const shown = self.now === undefined ? "" : pretty(stringify(self.now))
	const take = (text) => set(self, text.trim() ? attempt(() => parse(text), text) : undefined)
	return line(shown, take, true)
}

const scalar = (self) => {
	const { schema, required, now } = self
	const { kind, of, nullable, form, values } = self.shape
	if (/choice|boolean|null/.test(kind)) {
		const all = [...(kind === "boolean" ? [true, false] : values), ...(nullable || kind === "null" ? [null] : [])]
		const names = all.map((each) => (typeof each === "string" ? each : stringify(each)))
		return choose(names, all.indexOf(now), (index) => set(self, all[index]), "not set")
	}
	const isText = kind === "text"
	const shown = `${now ?? ""}`
	const long = isText && !form && !of.pattern && !(of.maxLength < 100)
	const take = (text) => {
		if (!text && !(required && isText)) return set(self, undefined)
		set(self, !isText && NUMBER.test(text) ? parse(text) : text)
	}
	const made = line(shown, take, long, form === "date" && /^(\d{4}-\d\d-\d\d)?$/.test(shown) ? "date" : "text")
	const such = () => `such as ${schema.examples?.[0] ?? sample({ ...of, examples: [] })}`
	made.placeholder = now === null ? "null" : "default" in schema ? `${stringify(schema.default)} by default` : such()
	made.disabled = now === null
	return made
}

// What is inside a part.

/** A name of a field may be any text. */
const put = (into, key, value) =>
	Object.defineProperty(into, key, { value, configurable: true, enumerable: true, writable: true })

const at = (self, key, schema, more) =>
	control(self.form, {
		schema,
		path: [...self.path, key],
		value: own(self.now, `${key}`),
		required: true,
		title: `${key}`,
		put: (next) => put(self.now, key, next ?? null),
		...more,
	})

const those = (self, all) =>
	all.map(({ name, schema, required }) => {
		const change = (next) => (next === undefined ? delete self.now[name] : put(self.now, name, next))
		return at(self, name, schema, { required, put: change })
	})

const nth = (self, schema, index, fixed) => {
	const remove = fixed ? undefined : () => set(self, self.now.toSpliced(index, 1), itemAt(index))
	return at(self, index, schema, { title: `${self.title} ${index + 1}`, remove })
}

const more = (self, made) => small("Add", () => set(self, made(), itemAt(Infinity)), `Add to ${self.title}`)

const list = (self) => {
	const { of, item } = self.shape
	const all = Array.from(self.now, (_, index) => nth(self, item, index))
	return [all, more(self, () => [...self.now, sample(item, of.uniqueItems ? self.now.length : 0)])]
}

const tuple = (self) => {
	const { parts, of } = self.shape
	const { length } = self.now
	const all = parts.slice(0, length).map((part, index) => nth(self, part, index, index < (of.minItems ?? 0)))
	return [all, length < parts.length && more(self, () => [...self.now, sample(parts[length])])]
}

const map = (self) => {
	const { propertyNames: keys } = self.shape.of
	const { item } = self.shape
	const entries = Object.keys(self.now).map((name, index) => {
		const input = line(name, () => {}, false)
		input.ariaLabel = `Key ${index + 1} of ${self.title}`
		input.onchange = () => rename(self, index, input.value)
		const remove = () => set(self, Object.fromEntries(Object.entries(self.now).toSpliced(index, 1)), itemAt(index))
		return h("div.entry", input, at(self, name, item, { remove }))
	})
	const fresh = () => {
		const names = Array.from({ length: 40 }, (_, n) => `${keys ? sample(keys, n) : `key${n}`}`)
		return names.find((name) => !Object.hasOwn(self.now, name)) ?? ""
	}
	return [entries, more(self, () => ({ ...self.now, [fresh()]: sample(item) }))]
}

/** A browser moves the focus only after this event: what is drawn at once is taken from under it. */
const rename = (self, index, name) => {
	const all = Object.entries(self.now)
	set(self, Object.fromEntries(all.with(index, [name, all[index][1]])))
	setTimeout(() => {
		const places = () => self.here.querySelectorAll("input, select, textarea, button")
		const at = [...places()].findIndex((each) => each === document.activeElement)
		draw(self)
		self.form.changed(self.path)
		places()[at]?.focus()
	})
}

const either = (self) => {
	const { kind, cases, parts, tag } = self.shape
	const tagged = kind === "tagged"
	const all = tagged ? cases.map(([, each]) => each) : parts
	const chosen = tagged
		? cases.findIndex(([each]) => each === own(self.now, tag))
		: all.findIndex((each) => suits(each, self.now))
	const pick = (index) => {
		if (index < 0) return
		const value = sample(all[index])
		set(self, tagged ? { ...value, [tag]: cases[index][0] } : value, chooser)
	}
	const names = tagged ? cases.map(([each]) => `${each}`) : all.map(called)
	const select = choose(names, chosen, pick, "choose", `${tagged ? tag : "Type"} of ${self.title}`)
	if (chosen < 0) return select
	const { form, path, title, now: value } = self
	const schema = all[chosen]
	if (tagged) return [select, those(self, read(schema).fields.filter((each) => each.name !== tag))]
	const change = (next) => self.put((self.now = next))
	return [select, control(form, { schema, path, title, value, required: true, put: change })]
}

const INSIDE = {
	record: (self) => (self.shape.fields.length ? those(self, self.shape.fields) : quiet("Nothing to fill in.")),
	list,
	tuple,
	map,
	union: either,
	tagged: either,
}
