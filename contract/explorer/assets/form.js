/**
 * Form: a control for each part of an input, which it changes in place.
 *
 * A change of what there is to fill in draws its control anew. Whatever had the focus is gone then, so that each such
 * change says which neighbour gets it (WCAG 2.2, section 2.4.3).
 */

import { own } from "./contract.js"
import { about, called, expressions, isObject, read, suits, words } from "./schema.js"
import { markdown } from "./markdown.js"
import { attempt, fill, h, id, parse, pretty, quiet, small, stringify } from "./tools.js"
import { sample } from "./values.js"

const NESTS = /record|list|map|tuple|tagged|union/
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i

/** @type {Fn.control} */
export const control = (form, spot) => {
	const shape = read(spot.schema)
	const here = h("div.field")
	const made = { form, spot, shape, here, key: id(), now: spot.value, nests: NESTS.test(shape.kind) }
	draw(made)
	return here
}

/** Give a part another value; where it is drawn anew, *focus* says where the focus goes. @type {Fn.set} */
const set = (self, next, focus) => {
	self.spot.put((self.now = next))
	if (focus) draw(self)
	self.form.changed(self.spot.path)
	if (focus) focus(self.here)?.focus()
}

// Where the focus goes.

/** @type {Fn.focus} */
const first = (part) => part?.querySelector("input:enabled, select, textarea") ?? part?.querySelector("button")
/** @type {Fn.focus} */
const nested = (here) => first(here?.querySelector(":scope > .nest")) ?? first(here)
/** @type {Fn.focus} */
const toggle = (here) => here?.querySelector(":scope > .head > [aria-pressed]")
/** @type {Fn.focus} */
const chooser = (here) => here?.querySelector(":scope > .nest > select")
/** The item at an index, or the last, or where there is none what adds one. @type {(index: number) => Fn.focus} */
const itemAt = (index) => (here) => {
	const all = here?.querySelectorAll(":scope > .nest > :is(.field, .entry)") ?? []
	const found = all[Math.min(index, all.length - 1)]
	return found ? first(found) : here?.querySelector(":scope > .nest > button")
}

// What is drawn.

/** @type {Fn.draw} */
const draw = (self) => {
	const { form, spot, shape, here, key, now, nests } = self
	const { schema, path } = spot
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

/** @type {Fn.head} */
const head = (self, labels) => {
	const { spot, shape, key, now, nests } = self
	const { title, required, schema, remove } = spot
	const there = now !== undefined
	const label = h(
		labels ? "label" : "span",
		{ for: labels && key, id: labels ? null : key },
		h("code.name", title, required && h("span.must", "*")),
		" ",
		h("span.quiet", called(schema)),
	)
	const unset = () => small("Unset", () => set(self, undefined, first), `Unset ${title}`)
	return h(
		spot.path.length || shape.nullable || shape.kind !== "record" ? "div.head" : "div.away",
		label,
		shape.nullable &&
			small("null", () => set(self, now === null ? undefined : null, toggle), `null for ${title}`, now === null),
		nests && !there && small("Add", () => set(self, sample(schema), nested), `Add ${title}`),
		remove ? small("Remove", remove, `Remove ${title}`) : !required && there && unset(),
	)
}

/** What is to be known of a part before it is filled in. @type {Fn.hintOf} */
const hintOf = ({ spot: { schema, path }, shape, key }) => {
	const said = path.length ? about(schema) : ""
	const rules = [...words(shape), ...expressions(shape).map((each) => `matches ${each}`)]
	if (!said && !rules.length) return
	return h("div.hint", { id: `${key}h` }, said && markdown(said), rules.length > 0 && h("p", rules.join(", ")))
}

/** @type {Fn.line} */
const line = (value, take, long, type = "text") =>
	h(/** @type {"input"} */ (long ? "textarea" : "input"), {
		type: long ? null : type,
		value,
		rows: long && 1,
		spellcheck: "false",
		autocomplete: "off",
		dir: "auto",
		oninput: ({ target }) => take(target.value),
	})

/** @type {Fn.choose} */
const choose = (options, chosen, take, none, name = null) =>
	h(
		"select",
		{ "aria-label": name, onchange: ({ target }) => take(target.value ? Number(target.value) : -1) },
		h("option", { value: "" }, none),
		options.map((each, index) => h("option", { value: `${index}`, selected: index === chosen }, each)),
	)

/** A part as JSON, since it does not fit the form. @type {Fn.input} */
const raw = (self) =>
	line(
		self.now === undefined ? "" : pretty(stringify(self.now)),
		(text) => set(self, text.trim() ? attempt(() => parse(text), text) : undefined),
		true,
	)

/** @type {Fn.input} */
const scalar = (self) => {
	const {
		shape: { kind, of, nullable, form, values },
		spot: { schema, required },
		now,
	} = self
	if (/choice|boolean|null/.test(kind)) {
		const all = [...(kind === "boolean" ? [true, false] : values), ...(nullable || kind === "null" ? [null] : [])]
		const names = all.map((each) => (typeof each === "string" ? each : stringify(each)))
		return choose(names, all.indexOf(now), (index) => set(self, all[index]), "not set")
	}
	const isText = kind === "text"
	const shown = `${now ?? ""}`
	const long = isText && !form && !of.pattern && !(of.maxLength < 100)
	/** What is written stands for nothing, for a number, or for itself. @type {Fn.say} */
	const take = (written) => {
		if (!written && !(required && isText)) return set(self, undefined)
		set(self, !isText && NUMBER.test(written) ? parse(written) : written)
	}
	const made = line(shown, take, long, form === "date" && /^(\d{4}-\d\d-\d\d)?$/.test(shown) ? "date" : "text")
	const such = () => `such as ${schema.examples?.[0] ?? sample({ ...of, examples: [] })}`
	made.placeholder = now === null ? "null" : "default" in schema ? `${stringify(schema.default)} by default` : such()
	made.disabled = now === null
	return made
}

// What is inside a part.

/** @type {Fn.those} */
const those = (self, all) =>
	all.map(({ name, schema, required }) =>
		control(self.form, {
			schema,
			path: [...self.spot.path, name],
			value: own(self.now, name),
			required,
			title: name,
			put: (next) => (next === undefined ? delete self.now[name] : put(self.now, name, next)),
		}),
	)

/** A name of a field may be any text. @type {Fn.put} */
const put = (into, key, value) =>
	Object.defineProperty(into, key, { value, configurable: true, enumerable: true, writable: true })

/** @type {Fn.nth} */
const nth = (self, schema, index, fixed) => {
	const {
		form,
		spot: { path, title },
	} = self
	return control(form, {
		schema,
		path: [...path, index],
		value: self.now[index],
		required: true,
		title: `${title} ${index + 1}`,
		put: (next) => (self.now[index] = next ?? null),
		remove: fixed ? undefined : () => set(self, self.now.toSpliced(index, 1), itemAt(index)),
	})
}

/** @type {Fn.more} */
const more = (self, made) => small("Add", () => set(self, made(), itemAt(Infinity)), `Add to ${self.spot.title}`)

/** @type {Fn.inside} */
const list = (self) => {
	const { of, item } = self.shape
	const all = self.now.map((/** @type {unknown} */ _, /** @type {number} */ index) => nth(self, item, index))
	return [all, more(self, () => [...self.now, sample(item, of.uniqueItems ? self.now.length : 0)])]
}

/** @type {Fn.inside} */
const tuple = (self) => {
	const {
		now,
		shape: { parts, of },
	} = self
	const all = parts.slice(0, now.length).map((part, index) => nth(self, part, index, index < (of.minItems ?? 0)))
	return [all, now.length < parts.length && more(self, () => [...self.now, sample(parts[self.now.length])])]
}

/** @type {Fn.inside} */
const map = (self) => {
	const {
		form,
		spot: { path, title },
		shape: { of, item: each },
	} = self
	const all = Object.entries(self.now)
	const fresh = () => {
		const names = Array.from({ length: 40 }, (_, n) => `${of.propertyNames ? sample(of.propertyNames, n) : `key${n}`}`)
		return names.find((name) => !Object.hasOwn(self.now, name)) ?? ""
	}
	const entries = all.map(([name, value], index) =>
		h(
			"div.entry",
			line(name, () => {}, false),
			control(form, {
				schema: each,
				path: [...path, name],
				value,
				required: true,
				title: name,
				put: (next) => put(self.now, name, next ?? null),
				remove: () => set(self, Object.fromEntries(Object.entries(self.now).toSpliced(index, 1)), itemAt(index)),
			}),
		),
	)
	entries.forEach((entry, index) => {
		const input = /** @type {HTMLInputElement} */ (entry.firstChild)
		input.ariaLabel = `Key ${index + 1} of ${title}`
		input.onchange = () => rename(self, index, input.value)
	})
	return [entries, more(self, () => ({ ...self.now, [fresh()]: sample(each) }))]
}

/** A browser moves the focus only after this event: what is drawn at once is taken from under it. @type {Fn.rename} */
const rename = (self, index, name) => {
	const { here } = self
	const all = Object.entries(self.now)
	set(self, Object.fromEntries(all.with(index, [name, all[index][1]])))
	setTimeout(() => {
		/** @type {() => NodeListOf<HTMLElement>} */
		const places = () => here.querySelectorAll("input, select, textarea, button")
		const at = [...places()].findIndex((each) => each === document.activeElement)
		draw(self)
		self.form.changed(self.spot.path)
		places()[at]?.focus()
	})
}

/** A union: what it is of, and that. @type {Fn.inside} */
const either = (self) => {
	const {
		form,
		spot,
		shape: { kind, cases, parts, tag },
	} = self
	const tagged = kind === "tagged"
	const all = tagged ? cases.map(([, each]) => each) : parts
	const chosen = tagged
		? cases.findIndex(([each]) => each === own(self.now, tag))
		: all.findIndex((each) => suits(each, self.now))
	/** @type {Fn.go} */
	const take = (index) => {
		if (index < 0) return
		const value = sample(all[index])
		set(self, tagged ? { ...value, [tag]: cases[index][0] } : value, chooser)
	}
	const names = tagged ? cases.map(([each]) => `${each}`) : all.map(called)
	const select = choose(names, chosen, take, "choose", `${tagged ? tag : "Type"} of ${spot.title}`)
	if (chosen < 0) return select
	if (tagged)
		return [
			select,
			those(
				self,
				read(all[chosen]).fields.filter((each) => each.name !== tag),
			),
		]
	const only = { ...spot, schema: all[chosen], value: self.now, required: true, remove: undefined }
	return [select, control(form, { ...only, put: (next) => spot.put((self.now = next)) })]
}

/** @type {Record<string, Fn.inside>} */
const INSIDE = {
	record: (self) => {
		const { fields } = self.shape
		return fields.length ? those(self, fields) : quiet("Nothing to fill in.")
	},
	list,
	tuple,
	map,
	union: either,
	tagged: either,
}
