/** Call: an input that is filled in, checked and sent; what came of it; and the call as code. */

import {
	about, at, called, check, credentialLine, doc, expressions, general, isIn, isObject, measure, members, own, place,
	read, rules, sample, suits, titled, toolOf, urlOf, waysOf, words,
} from "./contract.js"
import { worded } from "./sentences.js"
import {
	attempt, block, copier, fill, h, icon, iconButton, id, json, keep, kept, MAC, markdown, parse, plural, pretty,
	quiet, say, shown, slug, small, stringify, tabs, textBox,
} from "./tools.js"

let token = kept("token") ?? ""
const keys = {}

export const LINK = 8000
const PAST = 30

const calls = () => JSON.parse(kept("calls") ?? "[]")
const verdict = (status, text) => h(status && status < 300 ? "strong.good" : "strong.bad", text)

export const tryIt = (name, route, given) => {
	const trial = {
		name, route, text: "", broken: "", value: undefined, places: new Map(), touched: new Set(), tried: false,
		picks: {},
		files: h("div"),
		views: h("div"),
		codes: h("div"),
		past: h("div"),
		list: h("div.issue", { role: "alert" }),
		told: h("div.told"),
		result: h("div.result"),
		answer: h("section.card.answer", { "aria-label": "Answer", hidden: true }),
		button: h("button.button.primary", { type: "submit" }),
		secret: textBox({ type: "password", id: id(), value: token, placeholder: "Without or with Bearer" }),
		link: copier(() => linkOf(trial), "a link to this input", "", "link"),
		changed: (path) => {
			trial.text = stringify(trial.value) ?? ""
			trial.touched.add(stringify(path))
			keep(`draft ${name}`, trial.text)
			review(trial)
		},
	}
	const { answer } = trial
	const close = () => {
		answer.hidden = true
		trial.button.focus()
	}
	fill(answer, h("div.head", h("h2", "Answer"), iconButton("close", "Close the answer", close)), trial.result)
	ready(trial)
	restore(trial, given ?? kept(`draft ${name}`) ?? stringify(sample(route.input)))
	if (given) fill(trial.told, "Filled in from a link: read it before you send it.")
	return h("div.try", asForm(trial), answer)
}

const asForm = (trial) => {
	const { route, views, files, codes, past, list, told, button } = trial
	const props = {
		"aria-label": "Try it",
		onsubmit: (event) => {
			event.preventDefault()
			trial.running ? trial.running.abort() : send(trial)
		},
		onkeydown: (event) => {
			const asked = event.ctrlKey || event.metaKey
			if (event.key === "Escape") trial.running?.abort()
			if (event.key !== "Enter" || !(asked || event.target.type === "text")) return
			event.preventDefault()
			if (asked) send(trial)
		},
	}
	const unsent = !at.base && "This is a copy without a server: nothing can be sent."
	const destructive = route.effect === "destructive" && h("span.bad", "This call is destructive.")
	return h(
		"form.side",
		props,
		h("div.card", h("h2", { id: "try" }, "Try it"), views, files, list, route.auth !== "none" && tokenOf(trial), past),
		h("div.send", unsent ? quiet(unsent) : button, told, destructive),
		h("div.card", h("h2", "As code"), codes),
	)
}

const tokenOf = (trial) => [waysOf(trial.route).map(fieldOf(trial)), doc.ui.authHint && quiet(doc.ui.authHint)]

const fieldOf = (trial) => (way) => {
	if (!isIn(way)) return bearerOf(trial)
	if (isIn(way) === "cookie") return quiet("The browser sends the cookie ", h("code", way), ", if it has one.")
	const key = textBox({ type: "password", id: id(), value: keys[way] ?? "" })
	key.oninput = () => (keys[way] = key.value.trim())
	return h("div.field.token", h("div.head", h("label", { for: key.id }, icon("lock"), ` ${way}`)), key)
}

const credentialOf = (route) => {
	// a key was entered for this service alone; a token may be left from another route
	const way = waysOf(route).find((each) => keys[each]) ?? waysOf(route).find((each) => !isIn(each) && token)
	if (way && isIn(way)) return { [way]: keys[way] }
	return way ? { authorization: `Bearer ${token}` } : undefined
}

const bearerOf = ({ secret }) => {
	const onchange = () => {
		token = secret.value.trim().replace(/^bearer\s+/i, "")
		keep("token", stay.checked && token ? token : null)
	}
	const stay = h("input", { type: "checkbox", checked: kept("token") !== null, onchange })
	secret.oninput = onchange
	const label = h("label", { for: secret.id }, icon("lock"), " Token")
	const head = h("div.head", label, h("label.quiet", stay, " keep for this session"))
	return h("div.field.token", head, secret)
}

// The input.

const take = (trial, text) => {
	trial.text = text
	trial.broken = ""
	try {
		trial.value = parse(text)
	} catch (error) {
		trial.broken = `${error}`
	}
}

const restore = (trial, text) => {
	const { name, route, views, files, told, touched, places, answer } = trial
	take(trial, text)
	fill(told)
	answer.hidden = true
	trial.tried = false
	touched.clear()
	places.clear()
	fill(files, route.brought.map(({ name, ...each }) =>
		control(trial, { ...each, path: [name], value: undefined, title: name, put: () => review(trial) })))
	const reset = small("Reset", () => {
		keep(`draft ${name}`, null)
		restore(trial, stringify(sample(route.input))).focus()
	})
	fill(views, tabs("Input", panesOf(trial), "editor", [trial.link, reset], () => review(trial)))
	review(trial)
	return reset
}

const lacking = ({ route, picks }) =>
	route.brought
		.filter(({ name, required }) => required && !picks[name].files?.length)
		.map(({ name }) => worded({ path: [name], code: "missing", message: "" }))

const formOf = ({ route, text, picks }) => {
	const form = new FormData()
	if (!takesNothing(route)) form.append("input", text)
	for (const [name, { files }] of Object.entries(picks)) for (const file of files ?? []) form.append(name, file)
	return form
}

const panesOf = (trial) => ({
	Form: () => {
		if (trial.broken) return quiet("This is not JSON yet: fix it there first.")
		const { route, value } = trial
		const change = (next) => (trial.value = next)
		return control(trial, { schema: route.input, path: [], value, required: true, title: "input", put: change })
	},
	JSON: () => {
		const value = trial.broken ? trial.text : pretty(trial.text)
		const oninput = ({ target }) => {
			take(trial, target.value)
			keep(`draft ${trial.name}`, trial.text)
			trial.tried = true
			review(trial)
		}
		return h("textarea.json", { value, rows: 6, spellcheck: "false", "aria-label": "Input as JSON", oninput })
	},
})

const linkOf = ({ name, text }) =>
	new URL(`${place("routes", name)}?input=${encodeURIComponent(text)}`, location.href).href

const review = (trial, said) => {
	const { name, route, broken, value, places, list, codes } = trial
	const found = broken ? [{ path: [], code: "json_invalid", message: broken }] : check(route.input, value)
	const issues = said ?? [...found, ...lacking(trial)]
	fill(list)
	for (const { note, input } of places.values()) {
		fill(note)
		input?.removeAttribute("aria-invalid")
	}
	for (const each of issues)
		if (said || trial.tried || broken || trial.touched.has(stringify(each.path))) tell(trial, each)
	fill(codes, snippets(name, route, broken ? {} : value))
	trial.link.hidden = linkOf(trial).length > LINK
	return issues.length
}

const tell = ({ places, list }, { path, code, message }) => {
	let end = path.length + 1
	let found
	while (end && !found?.note.isConnected) found = places.get(stringify(path.slice(0, --end)))
	const where = end < path.length && [h("code", path.slice(end).join(".")), " "]
	found?.input?.setAttribute("aria-invalid", "true")
	;(found?.note.isConnected ? found.note : list).append(h("p", where, message, " ", h("code", code)))
}

// The call.

const send = async (trial, anyway = false) => {
	const { name, text, button, told, places } = trial
	trial.tried = true
	const count = review(trial)
	if (count && !anyway) {
		const again = small("Send anyway", () => send(trial, true))
		fill(told, h("p.bad", `Not sent: ${plural(count, "problem")} in the input. `, again))
		return [...places.values()].find(({ input }) => input?.ariaInvalid)?.input?.focus()
	}
	if (told.contains(document.activeElement)) button.focus()
	trial.running?.abort()
	const mine = (trial.running = new AbortController())
	fill(button, "Cancel", h("kbd", "Esc"))
	fill(told, "Waiting for the answer…")
	const began = performance.now()
	const status = await ask(trial, mine, began)
	if (mine !== trial.running) return
	trial.running = undefined
	const call = { name, at: Date.now(), status, ms: Math.round(performance.now() - began), text }
	keep("calls", JSON.stringify([call, ...calls()].slice(0, PAST)))
	ready(trial)
}

const ask = async (trial, { signal }, began) => {
	const { route, text, told } = trial
	const credential = credentialOf(route)
	const type = !route.files && { "content-type": "application/json" }
	try {
		const answer = await fetch(urlOf(route.path), {
			method: "POST",
			headers: { ...type, ...(route.between && { accept: LINES }), ...credential },
			credentials: doc.ways && credential ? "omit" : "same-origin",
			body: route.files ? formOf(trial) : text,
			signal,
			cache: "no-store",
			redirect: "error",
			referrerPolicy: "no-referrer",
		})
		if (answer.ok && route.between) await follow(trial, answer, began)
		else if (answer.ok && route.media) await receive(trial, answer, await answer.arrayBuffer(), began)
		else show(trial, answer, await answer.arrayBuffer(), performance.now() - began)
		return answer.status
	} catch {
		if (signal !== trial.running?.signal) return 0
		const lost = "No answer: the server is not reached, or does not allow calls from this page (CORS)."
		fill(told, signal.aborted ? "Cancelled." : h("p.bad", lost))
		say(told.textContent ?? "")
		return 0
	}
}

const uncover = (answer) => {
	answer.hidden = false
	const { top, bottom } = answer.getBoundingClientRect()
	if (top > innerHeight / 2 || bottom < 0) answer.scrollIntoView()
}

// A file: pictures are shown, and everything else is only saved, since it might run code.

const PICTURE = /^image\/(png|jpeg|gif|webp)$/

const dataOf = (file) =>
	new Promise((done) => {
		const reader = new FileReader()
		reader.onload = () => done(`${reader.result}`)
		reader.readAsDataURL(file)
	})

const receive = async ({ route, result, answer, told }, { status, headers }, body, began) => {
	const type = (headers.get("content-type") ?? "").split(";", 1).join().trim().toLowerCase()
	const isPicture = PICTURE.test(type)
	const file = new Blob([body], { type: isPicture ? type : "application/octet-stream" })
	const name = /filename="([^"]+)"/.exec(headers.get("content-disposition") ?? "")?.[1] ?? "download"
	const fits = route.media?.some((each) => [type, type.replace(/[^/]*$/, "*"), "*/*"].includes(each))
	const line = `${type}, ${plural(file.size, "byte")}`
	const facts = h("p.facts", verdict(status, status), ` ${(performance.now() - began).toFixed(0)} ms · ${line}`)
	const save = h("p", small(`Save ${name}`, () => {
		const link = Object.assign(document.createElement("a"), { download: name, href: URL.createObjectURL(file) })
		link.click()
		URL.revokeObjectURL(link.href)
	}))
	const picture = isPicture && h("img", { src: await dataOf(file), alt: name })
	fill(result, facts, !fits && breach(lie(`${type} is not declared.`)), save, picture)
	uncover(answer)
	fill(told, verdict(status, line))
	say(`Answered with a file: ${line}`)
}

// A stream: its items as they come, each checked, until it ends or is stopped.

const LINES = "application/jsonl"
const SHOWN = 500

const follow = async (trial, answer, began) => {
	const { button, result, route, told } = trial
	const items = h("code")
	const seen = /** @type {Seen} */ ({ count: 0, lies: [] })
	const hear = (line) => {
		const said = attempt(() => parse(line), {})
		if (said.end || said.error) seen.end = said
		if (said.item === undefined) return
		const wrong = check(route.output, said.item).map((each) => ({ ...each, path: [seen.count, ...each.path] }))
		seen.lies = [...seen.lies, ...wrong].slice(0, 20)
		seen.count += 1
		items.append(`${stringify(said.item)}\n`)
		if (items.childNodes.length > SHOWN) items.firstChild?.remove()
		fill(told, `${plural(seen.count, "item")}…`)
	}
	fill(button, "Stop", h("kbd", "Esc"))
	fill(result, h("div.code", h("pre", { tabindex: 0, role: "group", "aria-label": "Items" }, items)))
	uncover(trial.answer)
	await lines(answer, hear)
	ended(trial, answer, seen, performance.now() - began)
}

const lines = async ({ body }, take) => {
	if (!body) return
	const reader = body.pipeThrough(new TextDecoderStream()).getReader()
	let rest = ""
	for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
		const all = (rest + value).split("\n")
		rest = all.pop() ?? ""
		all.forEach(take)
	}
}

const ended = ({ result, route, told }, { status, headers }, { count, lies, end }, ms) => {
	const code = end?.error
	const known = !code || own(route.between, code) || own(doc.errors, code)
	const wrong = end ? (known ? lies : lie(`${code} is not declared between the items.`)) : lie("It was broken off.")
	const request = headers.get("x-request-id")
	const line = code ? `${plural(count, "item")}, then ${code}` : plural(count, "item")
	const facts = [verdict(code ? 500 : status, line), `${ms.toFixed(0)} ms`]
	const head = h("p.facts", facts, request && h("span.quiet", "request ", h("code", request)))
	result.prepend(head, ...(code ? [json(end, "the failure")] : []), ...(wrong.length ? [breach(wrong)] : []))
	fill(told, verdict(code ? 500 : status, line))
	say(`Ended after ${line}${wrong.length ? ", which breaks the contract" : ""}`)
}

const show = (trial, { status, statusText, headers }, bytes, ms) => {
	const { route, result, answer, told, text } = trial
	const raw = new TextDecoder().decode(bytes)
	const json = attempt(() => parse(raw))
	const lies = json === undefined ? lie("The answer is not JSON.", "json_invalid") : fit(route, status, json)
	if (json?.error === "VALIDATION_ERROR" && !lies.length) review(trial, json.data.issues.map(worded))
	const request = headers.get("x-request-id")
	const length = bytes.byteLength
	const size = length < 1000 ? `${length} B` : `${(length / 1000).toFixed(1)} kB`
	const line = `${status} ${statusText}`
	const facts = [verdict(status, line), `${ms.toFixed(ms < 10 ? 1 : 0)} ms`, ` · ${size}`]
	const views = {
		Body: () => block(json === undefined ? raw : pretty(raw), "the response", "Response"),
		Headers: () => h("dl", [...headers].map(([key, each]) => [h("dt", key), h("dd", each)])),
	}
	const head = h("p.facts", facts, request && h("span.quiet", "request ", h("code", request)))
	const next = route.pages && status === 200 && json?.next
	const turn = next && small("Next page", () => turned(trial, { ...parse(text), after: next }))
	const wrong = lies.length > 0 && breach(lies)
	fill(result, head, status === 401 && unauthorized(trial), wrong, turn, tabs("Response", views))
	uncover(answer)
	fill(told, verdict(status, line))
	say(`Answered ${line}${lies.length ? ", which breaks the contract" : ""}`)
}

const turned = (trial, input) => {
	restore(trial, stringify(input))
	trial.button.focus()
	send(trial)
}

const unauthorized = ({ route, secret }) => {
	const why = credentialOf(route)
		? "The server does not take this token: it is wrong, or no longer valid."
		: "The server wants a token, and none was sent."
	return h("p.breach", `${why} `, secret.isConnected && small("Enter a token", () => secret.focus()))
}

const breach = (lies) => {
	const all = lies.map(({ path, message, code }) => h("li", h("code", path.join(".")), ` ${message} `, h("code", code)))
	return h("div.breach", { role: "alert" }, h("strong", "This answer breaks the contract"), h("ul", all))
}

const lie = (message, code = "undeclared") => [{ path: [], code, message }]

const fit = (route, status, body) => {
	if (status === 200) return check(route.output, body)
	const { error, data } = body ?? {}
	const code = `${error}`
	const failure = own(route.errors, code) ?? own(doc.errors, code)
	if (!failure) return lie(`The status ${status} comes without an error that this route declares.`)
	if (failure.status !== status && code !== "BAD_REQUEST") return lie(`${code} has the status ${failure.status}.`)
	if (data === undefined) return failure.data_required ? lie(`${code} has to carry data.`) : []
	if (!failure.data) return lie(`${code} carries no data.`)
	return check(failure.data, data).map((each) => ({ ...each, path: ["data", ...each.path] }))
}

const ready = (trial) => {
	fill(trial.button, "Send", h("kbd", MAC ? "⌘↵" : "Ctrl ↵"))
	const rows = calls().map(({ name, text, status, at, ms }) => {
		const onclick = () => {
			keep(`draft ${name}`, text)
			if (name === trial.name) restore(trial, text)
		}
		const note = h("span.quiet", `${new Date(at).toLocaleTimeString()}, ${ms} ms`)
		const props = { href: place("routes", name), onclick }
		return h("li", h("a.head", props, verdict(status, status || "failed"), h("code", name), note))
	})
	const summary = h("summary", icon("open"), `History (${rows.length})`)
	fill(trial.past, rows.length > 0 && h("details", summary, h("ol", rows)))
}

/*
 * The form: a control for each part of an input, which it changes in place.
 *
 * A change of what there is to fill in draws its control anew. Whatever had the focus is gone then, so that each such
 * change says which neighbour gets it (WCAG 2.2, section 2.4.3).
 */

const NESTS = /record|list|map|tuple|tagged|union/
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i

const control = (form, spot) => {
	const shape = read(spot.schema)
	const here = h("div.field")
	draw({ ...spot, form, shape, here, key: id(), now: spot.value, nests: NESTS.test(shape.kind) })
	return here
}

const set = (self, next, focus) => {
	self.put((self.now = next))
	if (focus) draw(self)
	self.form.changed(self.path)
	if (focus) focus(self.here)?.focus()
}

// Where the focus goes.

const first = (here) => here.querySelector("input:enabled, select, textarea") ?? here.querySelector("button")
const nested = (here) => first(here.querySelector(":scope > .nest") ?? here) ?? first(here)
const toggle = (here) => here.querySelector(":scope > .head > [aria-pressed]")
const chooser = (here) => here.querySelector(":scope > .nest > select")
const itemAt = (index) => (here) => {
	const all = [...here.querySelectorAll(":scope > .nest > :is(.field, .entry)")]
	const found = all[index] ?? all.at(-1)
	return found ? first(found) : here.querySelector(":scope > .nest > button")
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
	const nest = !input && there && now !== null && h("div.nest", group, INSIDE[shape.kind]?.(self))
	fill(here, head(self, Boolean(input)), hint, input, note, nest)
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

const line = (value, change, type = "text") =>
	textBox({ type, value, spellcheck: "false", dir: "auto", oninput: ({ target }) => change(target.value) })

const choose = (options, chosen, take, none, name = null) => {
	const option = (each, index) => h("option", { value: `${index}`, selected: index === chosen }, each)
	const onchange = ({ target }) => take(target.value ? Number(target.value) : -1)
	return h("select", { "aria-label": name, onchange }, h("option", { value: "" }, none), options.map(option))
}

const raw = (self) => {
	const value = self.now === undefined ? "" : pretty(stringify(self.now))
	return line(value, (text) => set(self, text.trim() ? attempt(() => parse(text), text) : undefined), null)
}

const scalar = (self) => {
	const { schema, required, now } = self
	const { kind, of, nullable, form, values } = self.shape
	if (/choice|boolean|null/.test(kind)) {
		const all = [...(kind === "boolean" ? [true, false] : values), ...(nullable || kind === "null" ? [null] : [])]
		return choose(all.map(shown), all.indexOf(now), (index) => set(self, all[index]), "not set")
	}
	if (kind === "file") {
		const props = { type: kind, accept: of.media?.join(), multiple: !!of.many, onchange: self.put }
		return (self.form.picks[self.title] = h("input", props))
	}
	const isText = kind === "text"
	const value = `${now ?? ""}`
	const long = isText && !form && !of.pattern && !(of.maxLength < 100)
	const change = (text) => {
		if (!text && !(required && isText)) return set(self, undefined)
		set(self, !isText && NUMBER.test(text) ? parse(text) : text)
	}
	const short = form === "date" && /^(\d{4}-\d\d-\d\d)?$/.test(value) ? "date" : "text"
	const made = line(value, change, long ? null : short)
	const such = () => `such as ${schema.examples?.[0] ?? sample({ ...of, examples: [] })}`
	made.placeholder = now === null ? "null" : "default" in schema ? `${stringify(schema.default)} by default` : such()
	made.disabled = now === null
	return made
}

// What is inside a part.

/** A name of a field may be any text. */
const put = (into, key, value) =>
	Object.defineProperty(into, key, { value, configurable: true, enumerable: true, writable: true })

const inside = (self, key, schema, more) =>
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
		return inside(self, name, schema, { required, put: change })
	})

const nth = (self, schema, index, fixed) => {
	const remove = fixed ? undefined : () => set(self, self.now.toSpliced(index, 1), itemAt(index))
	return inside(self, index, schema, { title: `${self.title} ${index + 1}`, remove })
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
	const { item, fields, of: { propertyNames: keys } } = self.shape
	const all = Object.keys(self.now).map((name, index) => {
		if (fields.some((each) => each.name === name)) return
		const input = line(name, () => {})
		input.ariaLabel = `Key ${index + 1} of ${self.title}`
		input.onchange = () => rename(self, index, input.value)
		const remove = () => set(self, Object.fromEntries(Object.entries(self.now).toSpliced(index, 1)), itemAt(index))
		return h("div.entry", input, inside(self, name, item, { remove }))
	})
	const fresh = () => {
		const names = Array.from({ length: 40 }, (_, n) => `${keys ? sample(keys, n) : `key${n}`}`)
		return names.find((name) => !Object.hasOwn(self.now, name)) ?? ""
	}
	return [all, more(self, () => ({ ...self.now, [fresh()]: sample(item) }))]
}

/** A browser moves the focus only after this event: what is drawn at once is taken from under it. */
const rename = (self, index, name) => {
	const all = Object.entries(self.now)
	set(self, Object.fromEntries(all.with(index, [name, all[index][1]])))
	setTimeout(() => {
		const places = () => [...self.here.querySelectorAll("input, select, textarea, button")]
		const at = places().indexOf(document.activeElement)
		draw(self)
		self.form.changed(self.path)
		places()[at]?.focus()
	})
}

const either = (self) => {
	const { kind, parts, tag, tags } = self.shape
	const tagged = kind === "tagged"
	const chosen = tagged ? tags.indexOf(own(self.now, tag)) : parts.findIndex((each) => suits(each, self.now))
	const pick = (index) => {
		if (index < 0) return
		const value = sample(parts[index])
		set(self, tagged ? { ...value, [tag]: tags[index] } : value, chooser)
	}
	const names = tagged ? tags.map(String) : parts.map(called)
	const select = choose(names, chosen, pick, "choose", `${tagged ? tag : "Type"} of ${self.title}`)
	if (chosen < 0) return select
	const { form, path, title, now: value } = self
	const schema = parts[chosen]
	if (tagged) return [select, those(self, read(schema).fields.filter((each) => each.name !== tag))]
	const change = (next) => self.put((self.now = next))
	return [select, control(form, { schema, path, title, value, required: true, put: change })]
}

const INSIDE = {
	record: (self) => {
		const { fields, of } = self.shape
		return fields.length ? [those(self, fields), of.additionalProperties && map(self)] : quiet("Nothing to fill in.")
	},
	list,
	tuple,
	map,
	union: either,
	tagged: either,
}

// A call as code, with the names that clients give.

const snippets = (name, route, value) => {
	const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: route.mcp?.name, arguments: value } }
	const panes = {
		curl: () => block(curl(route, value), "the command"),
		...(route.gets !== undefined && { GET: () => block(get(route, value), "the command") }),
		...(!route.files && {
			Python: () => block(python(name, route, value), "the Python code"),
			TypeScript: () => block(typescript(name, route, value), "the TypeScript code"),
		}),
		...(toolOf(route) && { MCP: () => json(message, "the message") }),
	}
	return tabs("Language", panes, "code")
}

const base = () => JSON.stringify(urlOf(".").slice(0, -1))
export const generate = (file) => `contract generate ${at.contract} -o ${file}`
export const pythonModule = () => `${slug(doc.info.title, "_")}_client`
const takesNothing = ({ input }) => !Object.keys(input.properties ?? { _: 0 }).length
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`

const credential = (route) => {
	const [way] = waysOf(route)
	const line = way && credentialLine(way, "$").replace("Authorization", "authorization")
	return way ? ` \\\n  -H "${line}"${isIn(way) === "cookie" ? ' -H "sec-fetch-site: none"' : ""}` : ""
}

const curl = (route, value) => {
	const body = quoted(pretty(stringify(value) ?? ""))
	const flag = (route.between && "-N ") || (route.media && "-OJ ") || ""
	const path = `${flag}${quoted(urlOf(route.path))}`
	if (route.files) {
		const files = Object.keys(route.files).map((part) => ` \\\n  -F ${quoted(`${part}=@FILE`)}`).join("")
		return `curl ${path}${credential(route)} \\\n  --form-string input=${body}${files}`
	}
	const head = `${path} \\\n  -H 'content-type: application/json'`
	return `curl ${head}${credential(route)} \\\n  -d ${body}`
}

const get = (route, value) => {
	const url = `${urlOf(route.path)}?input=${encodeURIComponent(stringify(value) ?? "")}`
	return `curl ${route.media ? "-OJ " : ""}${quoted(url)}${credential(route)}`
}

const python = (name, route, value) => {
	const uses = new Set(["ApiClient"])
	const input = print(route.input, value, uses, "    ")
	const { kind, nullable, of } = read(route.input)
	// the fields of a record are arguments: its class goes, and what is not a name of Python's stays in a dict
	const fields = kind === "record" && !of.additionalProperties && !nullable && isObject(value)
	const given = fields ? input.replace(/^\w+|^\{/, "").replace(/^(?!\()/, "(**{") : `(${input})`
	const call = takesNothing(route) ? "()" : given
	const modules = [...uses].filter((each) => each.startsWith("import "))
	const isUsed = (each) => each === "ApiClient" || call.includes(`${each}(`) || call.includes(`${each}.`)
	const [way] = waysOf(route)
	const token = way ? `, ${isIn(way) ? `${slug(way, "_")}=credential` : "token=token"}` : ""
	return [
		`# The client is generated first: ${generate(`${pythonModule()}.py`)}`,
		...modules,
		`from ${pythonModule()} import ${[...uses].filter(isUsed).join(", ")}`,
		"",
		`with ApiClient(${base()}${token}) as api:`,
		`    result = api.${member(name, route, word)}${call}`,
	].join("\n")
}

const typescript = (name, route, value) => {
	const [way] = waysOf(route)
	const option = slug(way ?? "", "_").replace(/_(.)/g, (_, letter) => letter.toUpperCase())
	const given = isIn(way) ? `${option}: ${isIn(way) === "cookie" ? "true" : "credential"}` : "token"
	const token = way ? `\n  ${given},` : ""
	const input = takesNothing(route) ? "" : print(route.input, value, null, "")
	return [
		`// The client is generated first: ${generate("api.ts")}`,
		'import { ApiClient } from "./api"',
		"",
		"const api = new ApiClient({",
		`  baseUrl: ${base()},${token}`,
		"})",
		`const result = await api.${member(name, route, plain)}(${input})`,
	].join("\n")
}

const member = (name, { group }, as) =>
	(group ? [...group.split("."), name.slice(group.length + 1)] : [name]).map(as).join(".")

const RESERVED =
	"and as assert async await break class continue def del elif else except finally for from global if import in is " +
	"lambda not or pass raise return try while with yield None True False"

const plain = (text) => {
	const kept = /^[^\W\d]\w*$/.test(text) ? text : text.replace(/[^\p{L}\d]+/gu, "_").replace(/^_|_$/g, "")
	return kept.replace(/^$/, "field").replace(/^(?=\d)/, "field_")
}

const word = (text) => plain(text) + (RESERVED.split(" ").includes(plain(text)) ? "_" : "")

const wrap = (open, close, parts, pad) => {
	const flat = open + parts.join(", ") + close
	if (flat.length + pad.length < 76 && !flat.includes("\n")) return flat
	return `${open}\n${parts.map((part) => `${pad}    ${part},\n`).join("")}${pad}${close.replace(",", "")}`
}

const MAKERS = {
	decimal: "decimal.Decimal",
	uuid: "uuid.UUID",
	byte: "base64.b64decode",
	date: "datetime.date.fromisoformat",
	"date-time": "datetime.datetime.fromisoformat",
	time: "datetime.time.fromisoformat",
	duration: "datetime.timedelta",
	ipv4: "ipaddress.IPv4Address",
	ipv6: "ipaddress.IPv6Address",
	"ipv4-network": "ipaddress.IPv4Network",
	"ipv6-network": "ipaddress.IPv6Network",
	path: "pathlib.PurePosixPath",
	timezone: "zoneinfo.ZoneInfo",
	email: "contract.Email",
	secret: "contract.SecretStr",
	semver: "contract.SemVer",
	url: "contract.Url",
	"page-key": "contract.PageKey",
}

const chosen = (shape, value) => {
	const { kind, tag, tags, parts } = shape
	if (kind === "tagged") return read(parts[tags.indexOf(value?.[tag])] ?? {})
	return kind === "union" ? chosen(read(parts.find((part) => !check(part, value).length) ?? {}), value) : shape
}

const print = (schema, value, uses, pad) => {
	const shape = chosen(read(schema), value)
	const inner = (of, each) => print(of, each, uses, `${pad}    `)
	if (Array.isArray(value)) return wrap(...items(shape, value, uses, inner), pad)
	if (isObject(value)) return wrap(...entries(shape, value, uses, inner), pad)
	return uses ? pythonScalar(shape, value, uses) : typescriptScalar(shape, value)
}

const items = ({ kind, of, name, parts, item }, value, uses, inner) => {
	const marked = uses ? `${of["x-contract-type"]}` : ""
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
	return [open, close, value.map(part)]
}

const entries = ({ kind, of, name, fields, item }, value, uses, inner) => {
	const type = uses && kind === "record" && !of.additionalProperties && word(name ?? "dict")
	if (type) uses.add(type)
	const keyOf = (key) => {
		if (uses && of.propertyNames) return inner(of.propertyNames, key)
		return !uses && /^[a-z_]\w*$/i.test(key) ? key : JSON.stringify(key)
	}
	const pairs = Object.entries(value).map(([key, each]) => {
		const field = fields.find((one) => one.name === key)?.schema
		const shown = inner(field ?? item, each)
		return type ? `${word(field?.["x-contract-name"] ?? key)}=${shown}` : `${keyOf(key)}: ${shown}`
	})
	return type ? [`${type}(`, ")", pairs] : ["{", "}", pairs]
}

const typescriptScalar = ({ kind, form }, value) => {
	const json = stringify(value) ?? "undefined"
	if (value && form === "date-time") return `new Date(${json})`
	if (value !== null && form === "byte") return `Uint8Array.from(atob(${json}), (each) => each.charCodeAt(0))`
	return typeof value === "bigint" && kind !== "number" ? `${json}n` : json
}

const pythonScalar = ({ kind, of, name = "", form = "", values }, value, uses) => {
	const json = stringify(value) ?? "undefined"
	const marked = of["x-contract-type"]
	const member = kind === "choice" && name && of["x-contract-enum-names"]?.[values.indexOf(value)]
	if (member) {
		uses?.add(word(name))
		return `${word(name)}.${word(member)}`
	}
	const maker = typeof value === "string" && own(MAKERS, form.replace(/^partial-|-local$/, "") || marked)
	if (maker) {
		uses?.add(`import ${maker.split(".")[0]}`)
		return `${maker}(${form === "duration" ? `seconds=${measure(form, value)}` : json})`
	}
	return { null: "None", true: "True", false: "False" }[json] ?? (marked === "int" ? `${value}` : json)
}

// A route in Markdown, with all that is needed to call it for those who have not this page.

const oneLine = (text) => text.trim().replace(/\s+/g, " ")

const rulesOf = (schema) => {
	const shape = read(schema)
	const such = schema.examples ?? (expressions(shape).length ? [sample(schema)] : [])
	return [
		...words(shape),
		shape.values.length > 1 && shape.values.map(stringify).join(", "),
		"default" in schema && `default ${stringify(schema.default)}`,
		...such.map((each) => `such as ${stringify(each)}`),
	].filter((each) => typeof each === "string")
}

const fieldLine = (name, schema, flag) => {
	const said = [rulesOf(schema).join(", "), oneLine(about(schema) ?? "")].filter(Boolean).join(". ")
	return `- \`${name}\` (${called(schema)}${flag})${said && `: ${said}`}`
}

const fieldList = (schema, more = []) => {
	const all = [...members(read(schema)), ...more].map(({ name, schema: each, required }) =>
		fieldLine(name || "or", each, required ? "" : ", optional"),
	)
	return all.join("\n") || [called(schema), ...rulesOf(schema)].join(", ")
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
	const { summary, description, auth, requires, signed, effect, gets, pages, input, output } = route
	const tool = toolOf(route)
	const sent = `with the header ${waysOf(route).map((way) => `\`${credentialLine(way)}\``).join(" or ")}`
	const token = auth !== "none" && (auth === "bearer" ? sent : `${sent} or without it`)
	const webhook = signed && "signed by its sender"
	const asks = [token, webhook, requires && `scopes: ${requires.join(" ")}`, `effect: ${effect}`]
	const body = route.files ? "as multipart/form-data, with the JSON in its part `input`" : "as JSON"
	const facts = [body, ...asks, tool && `MCP tool: ${tool.name}`].filter(Boolean).join(", ")
	const data = [...Object.values(route.errors), ...general(route).map(([, each]) => each)].map((each) => each.data)
	const types = [...referred([input, output, data], new Set())].map((type) => {
		const schema = doc.$defs[type]
		const { description } = schema
		return `### ${titled(type)}\n\n${description ? `${oneLine(description)}\n\n` : ""}${fieldList(schema)}`
	})
	const parts = [
		`# ${name}: ${oneLine(summary)}`,
		description,
		`POST ${urlOf(route.path)} (${facts}). The contract: ${at.contract}`,
		gets !== undefined && `Also GET ${urlOf(route.path)}?input=<JSON, percent-encoded>${gets}.`,
		pages && "It gives a page. Send its `next` as `after` for the page behind, until `next` is null.",
		`## Input: ${called(input)}\n\n${fieldList(input, route.brought)}`,
		`\`\`\`json\n${pretty(stringify(sample(input)))}\n\`\`\``,
		route.media
			? `## Output\n\nA file: ${route.media.join(" or ")}.`
			: `## ${route.between ? "Items of a stream" : "Output"}: ${called(output)}\n\n${fieldList(output)}`,
		route.between && `May come between them, and ends them:\n\n${errors(Object.entries(route.between))}`,
		'## Errors\n\nA failure answers `{"error": CODE, "data"?: ...}`.',
		errors(Object.entries(route.errors)),
		`Any route may also answer:\n\n${errors(general(route))}`,
		types.length && `## Types\n\n${types.join("\n\n")}`,
	]
	return `${parts.filter(Boolean).join("\n\n")}\n`
}
