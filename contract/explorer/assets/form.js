/** Form: a call thought up, checked, sent and shown; and the same call as code. */

import { at, called, check, doc, isObject, measure, own, read, sample, suits, to } from "./model.js"
import { attempt, block, code, copier, fill, h, icon, id, keep, kept, parse, plural, pretty, quiet, say, slug, stringify, tabs } from "./tools.js"

let token = kept("token") ?? ""

/** @type {Fn.text} */
export const urlOf = (path) => new URL(path, at.base || "https://server.example/").href

/** @type {Fn.small} */
const small = (label, onclick, name = label, pressed = undefined) => h("button.small", { "aria-pressed": pressed === undefined ? null : `${pressed}`, "aria-label": name, onclick }, label)
/** @type {Fn.verdict} */
const verdict = (status, text) => h(status && status < 300 ? "strong.good" : "strong.bad", text)
/** @type {Fn.put} */
const put = (into, key, value) => Object.defineProperty(into, key, { value, configurable: true, enumerable: true, writable: true })
/** @type {() => Call[]} */
const calls = () => JSON.parse(kept("calls") ?? "[]")
const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i

/** The part of the page that calls a route. @type {Fn.tryIt} */
export const tryIt = (name, route) => {
	const draft = `draft ${name}`
	/** @type {Map<string, Place>} */
	const places = new Map()
	const touched = new Set()
	let tried = false
	let text = ""
	let broken = ""
	/** @type {any} */
	let value
	/** @type {AbortController | undefined} */
	let running
	const list = h("div.issue", { role: "alert" })
	const [views, past, codes] = ["div", "div", "div"].map((tag) => h(tag))
	const result = h("div.result")
	const button = h("button.button.primary", { type: "submit" })

	/** @type {Fn.say} */
	const take = (given) => {
		text = given
		broken = ""
		try {
			value = parse(text)
		} catch (error) {
			broken = `${error}`
		}
	}

	/** Say what is wrong, where it is: what the server *told*, or what it would tell. @type {Fn.review} */
	const review = (told) => {
		const issues = told ?? (broken ? [{ path: [], code: "json_invalid", message: broken }] : check(route.input, value))
		for (const { note, input } of places.values()) {
			fill(note)
			input?.removeAttribute("aria-invalid")
		}
		fill(list)
		for (const { path, code, message } of issues) {
			if (!told && !tried && !broken && !touched.has(stringify(path))) continue
			const placed = (/** @type {number} */ end) => [places.get(stringify(path.slice(0, end)))].find((each) => each?.note.isConnected)
			let end = path.length
			while (end && !placed(end)) end--
			const place = placed(end)
			place?.input?.setAttribute("aria-invalid", "true")
			;(place?.note ?? list).append(h("p", end < path.length && [h("code", path.slice(end).join(".")), " "], message, " ", h("code", code)))
		}
		fill(codes, snippets(name, route, broken ? {} : value))
		return issues.length
	}

	/** A control for a part of the value, which it changes in place. @type {Fn.control} */
	const control = (spot) => {
		const { schema, path, required, title } = spot
		const { kind, of, nullable, form, fields, parts, item, tag, cases, values } = read(schema)
		const nest = /record|list|map|tuple|tagged|union/.test(kind)
		const here = h("div.field")
		const key = id()
		let now = spot.value
		/** @type {Fn.set} */
		const set = (next, again) => {
			spot.put((now = next))
			text = stringify(value) ?? ""
			touched.add(stringify(path))
			keep(draft, text)
			review()
			if (again) draw()
		}
		/** @type {Fn.line} */
		const line = (value, take, long, type = "text") => h(/** @type {"input"} */ (long ? "textarea" : "input"), { type: long ? null : type, value, rows: long && 1, spellcheck: "false", autocomplete: "off", oninput: ({ target }) => take(target.value) })
		/** @type {Fn.choose} */
		const choose = (options, chosen, take, none = "not set", name = null) => h("select", { "aria-label": name, onchange: ({ target }) => take(target.value ? Number(target.value) : -1) }, h("option", { value: "" }, none), options.map((each, index) => h("option", { value: `${index}`, selected: index === chosen }, each)))
		const draw = () => {
			const note = h("div.issue", { id: `${key}n` })
			const there = now !== undefined
			const odd = kind === "any" || (there && (nest || kind === "text") && !suits(schema, now))
			const input = odd ? line(there ? pretty(stringify(now)) : "", (raw) => set(raw.trim() ? attempt(() => parse(raw), raw) : undefined), true) : nest ? undefined : scalar()
			places.set(stringify(path), { note, input })
			input?.setAttribute("aria-describedby", note.id)
			if (input) input.id = key
			fill(
				here,
				h(
					path.length || nullable || kind !== "record" ? "div.head" : "div.away",
					h(input ? "label" : "span", { for: input && key, id: input ? null : key }, h("code.name", title, required && h("span.must", "*")), " ", h("span.quiet", called(schema))),
					nullable && small("null", () => set(now === null ? undefined : null, true), `null for ${title}`, now === null),
					nest && !there && small("Add", () => set(sample(schema), true), `Add ${title}`),
					spot.remove ? small("Remove", spot.remove, `Remove ${title}`) : !required && there && small("Unset", () => set(undefined, true), `Unset ${title}`),
				),
				input,
				note,
				!input && there && now !== null && h("div.nest", { role: "group", "aria-labelledby": key }, inside()),
			)
		}
		const scalar = () => {
			if (/choice|boolean|null/.test(kind)) {
				const all = [...(kind === "boolean" ? [true, false] : values), ...(nullable || kind === "null" ? [null] : [])]
				return choose(all.map((each) => (typeof each === "string" ? each : stringify(each))), all.indexOf(now), (index) => set(all[index]))
			}
			const words = kind === "text"
			const shown = `${now ?? ""}`
			const made = line(shown, (raw) => set(!raw && !(required && words) ? undefined : !words && isNumber.test(raw) ? parse(raw) : raw), words && !form && !of.pattern && !(of.maxLength < 100), form === "date" && /^(\d{4}-\d\d-\d\d)?$/.test(shown) ? "date" : "text")
			made.placeholder = now === null ? "null" : "default" in schema ? `${stringify(schema.default)} by default` : `such as ${schema.examples?.[0] ?? sample({ ...of, examples: [] })}`
			made.disabled = now === null
			return made
		}
		/** @returns {Child} */
		const inside = () => {
			/** @type {Fn.those} */
			const those = (all) => all.map(({ name, schema, required }) => control({ schema, path: [...path, name], value: own(now, name), required, title: name, put: (next) => (next === undefined ? delete now[name] : put(now, name, next)) }))
			/** @type {Fn.nth} */
			const nth = (schema, index, fixed) => control({ schema, path: [...path, index], value: now[index], required: true, title: `${title} ${index + 1}`, put: (next) => (now[index] = next ?? null), remove: fixed ? undefined : () => set(now.toSpliced(index, 1), true) })
			/** @type {Fn.more} */
			const more = (made) => small("Add", () => set(made(), true), `Add to ${title}`)
			if (kind === "record") return fields.length ? those(fields) : quiet("Nothing to fill in.")
			if (kind === "list") return [now.map((/** @type {unknown} */ _, /** @type {number} */ index) => nth(item, index)), more(() => [...now, sample(item, of.uniqueItems ? now.length : 0)])]
			if (kind === "tuple") return [parts.slice(0, now.length).map((part, index) => nth(part, index, index < (of.minItems ?? 0))), now.length < parts.length && more(() => [...now, sample(parts[now.length])])]
			if (kind === "map") {
				const all = Object.entries(now)
				/** @type {Fn.again} */
				const again = (next) => set(Object.fromEntries(next), true)
				const fresh = () => Array.from({ length: 40 }, (_, n) => `${of.propertyNames ? sample(of.propertyNames, n) : `key${n}`}`).find((name) => !Object.hasOwn(now, name)) ?? ""
				return [all.map(([name, value], index) => [
					h("input", { type: "text", value: name, "aria-label": `Key ${index + 1} of ${title}`, onchange: ({ target }) => again(all.with(index, [target.value, value])) }),
					control({ schema: item, path: [...path, name], value, required: true, title: name, put: (next) => put(now, name, next ?? null), remove: () => again(all.toSpliced(index, 1)) }),
				]), more(() => ({ ...now, [fresh()]: sample(item) }))]
			}
			const tagged = kind === "tagged"
			const all = tagged ? cases.map(([, each]) => each) : parts
			const chosen = tagged ? cases.findIndex(([each]) => each === own(now, tag)) : all.findIndex((each) => suits(each, now))
			const select = choose(tagged ? cases.map(([each]) => `${each}`) : all.map(called), chosen, (index) => index < 0 || set(tagged ? { ...sample(all[index]), [tag]: cases[index][0] } : sample(all[index]), true), "choose", `${tagged ? tag : "Type"} of ${title}`)
			return [select, chosen >= 0 && (tagged ? those(read(all[chosen]).fields.filter((each) => each.name !== tag)) : control({ ...spot, schema: all[chosen], value: now, required: true, remove: undefined, put: (next) => spot.put((now = next)) }))]
		}
		draw()
		return here
	}

	/** @type {Pane[]} */
	const panes = [
		["Form", () => (broken ? quiet("This is no JSON yet: mend it there first.") : control({ schema: route.input, path: [], value, required: true, title: "input", put: (next) => (value = next) }))],
		["JSON", () => h("textarea.json", { value: broken ? text : pretty(text), rows: 6, spellcheck: "false", "aria-label": "Input as JSON", oninput: ({ target }) => {
			take(target.value)
			keep(draft, text)
			tried = true
			review()
		} })],
	]
	/** @type {Fn.say} */
	const restore = (next) => {
		take(next)
		fill(result)
		tried = false
		touched.clear()
		places.clear()
		fill(views, tabs("Input", panes, "editor", small("Reset", () => {
			keep(draft, null)
			restore(stringify(sample(route.input)))
		}), review))
		review()
	}

	const remember = () => {
		token = secret.value.trim().replace(/^bearer\s+/i, "")
		keep("token", stay.checked && token ? token : null)
	}
	const stay = h("input", { type: "checkbox", checked: kept("token") !== null, onchange: remember })
	const secret = h("input", { type: "password", id: id(), value: token, autocomplete: "off", placeholder: "Without or with Bearer", oninput: remember })

	/** @type {(anyway?: boolean) => Promise<unknown>} */
	const send = async (anyway = false) => {
		tried = true
		const count = review()
		if (count && !anyway) {
			;[...places.values()].find(({ input }) => input?.ariaInvalid)?.input?.focus()
			return fill(result, h("p.bad", `Not sent: ${plural(count, "problem")} in the input. `, small("Send anyway", () => send(true))))
		}
		running?.abort()
		const mine = (running = new AbortController())
		fill(button, "Cancel", h("kbd", "Esc"))
		fill(result, quiet("Waiting for the answer…"))
		const began = performance.now()
		let status = 0
		try {
			const answer = await fetch(urlOf(route.path), { method: "POST", headers: { "content-type": "application/json", ...(route.auth === "bearer" && token && { authorization: `Bearer ${token}` }) }, body: text, signal: mine.signal, cache: "no-store", redirect: "error", referrerPolicy: "no-referrer" })
			const bytes = await answer.arrayBuffer()
			status = answer.status
			show(answer, bytes, performance.now() - began)
		} catch {
			if (mine === running) fill(result, mine.signal.aborted ? quiet("Cancelled.") : h("p.bad", "No answer: the server is not reached, or does not allow calls from this page (CORS)."))
		}
		if (mine !== running) return
		running = undefined
		keep("calls", JSON.stringify([{ name, at: Date.now(), status, ms: Math.round(performance.now() - began), text }, ...calls()].slice(0, 30)))
		ready()
	}

	/** @type {Fn.show} */
	const show = ({ status, statusText, headers }, bytes, ms) => {
		const raw = new TextDecoder().decode(bytes)
		const json = attempt(() => parse(raw))
		const shown = json === undefined ? raw : pretty(raw)
		const lies = json === undefined ? [{ path: [], code: "json_invalid", message: "The answer is no JSON." }] : fit(route, status, json)
		if (json?.error === "VALIDATION_ERROR" && !lies.length) review(json.data.issues)
		const request = headers.get("x-request-id")
		const size = bytes.byteLength
		fill(
			result,
			h("p.facts", verdict(status, `${status} ${statusText}`), `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`, ` · ${size < 1000 ? `${size} B` : `${(size / 1000).toFixed(1)} kB`}`, request && h("span.quiet", "request ", h("code", request))),
			lies.length > 0 && h("div.breach", { role: "alert" }, h("strong", "This answer breaks the contract"), h("ul", lies.map(({ path, message, code }) => h("li", h("code", path.join(".")), ` ${message} `, h("code", code))))),
			tabs("Response", [["Body", () => block(shown, "the response", "Response")], ["Headers", () => h("dl", [...headers].map(([key, each]) => [h("dt", key), h("dd", each)]))]]),
		)
		say(`Answered ${status}${lies.length ? ", which breaks the contract" : ""}`)
	}

	const ready = () => {
		const all = calls()
		fill(button, "Send", h("kbd", /Mac|iP/.test(navigator.platform) ? "⌘↵" : "Ctrl ↵"))
		fill(past, all.length > 0 && h("details", h("summary", icon("open"), `History (${all.length})`), h("ol", all.map((call) => h("li", h("a.head", { href: to("routes", call.name).href, onclick: () => {
			keep(`draft ${call.name}`, call.text)
			if (call.name === name) restore(call.text)
		} }, verdict(call.status, call.status || "failed"), h("code", call.name), h("span.quiet", `${new Date(call.at).toLocaleTimeString()}, ${call.ms} ms`)))))))
	}
	ready()
	restore(kept(draft) ?? stringify(sample(route.input)))
	return h(
		"div.side",
		h(
			"form.card",
			{
				"aria-label": "Try it",
				onsubmit: (event) => {
					event.preventDefault()
					running ? running.abort() : send()
				},
				onkeydown: (event) => {
					const asked = event.ctrlKey || event.metaKey
					if (event.key === "Escape") running?.abort()
					if (event.key !== "Enter" || !(asked || event.target.type === "text")) return
					event.preventDefault()
					if (asked) send()
				},
			},
			h("h2", { id: "try" }, "Try it"),
			views,
			list,
			route.auth === "bearer" && h("div.field.token", h("div.head", h("label", { for: secret.id }, icon("lock"), " Token"), h("label.quiet", stay, " keep for this session")), secret, doc.ui.authHint && quiet(doc.ui.authHint)),
			h("div.send", at.base ? button : quiet("This is a copy without a server: nothing can be sent."), route.effect === "destructive" && h("span.bad", "This call is destructive.")),
			result,
			past,
		),
		h("div.card", h("h2", "As code"), codes),
	)
}

/** What an answer has that the contract does not say. @type {Fn.fit} */
const fit = (route, status, body) => {
	if (status === 200) return check(route.output, body)
	const { error, data } = body ?? {}
	const code = `${error}`
	const failure = own(route.errors, code) ?? own(doc.errors, code)
	const lie = !failure ? `The status ${status} comes without an error that this route declares.` : failure.status !== status && code !== "BAD_REQUEST" ? `${code} has the status ${failure.status}.` : data === undefined && failure.data_required ? `${code} has to carry data.` : data !== undefined && !failure.data ? `${code} carries no data.` : ""
	return lie ? [{ path: [], code: "undeclared", message: lie }] : failure?.data && data !== undefined ? check(failure.data, data).map((each) => ({ ...each, path: ["data", ...each.path] })) : []
}

/** The same call as code. @type {Fn.snippets} */
const snippets = (name, route, value) => {
	const bearer = route.auth === "bearer"
	const base = JSON.stringify(urlOf(".").slice(0, -1))
	const nothing = !Object.keys(route.input.properties ?? { _: 0 }).length
	/** @type {Fn.text} */
	const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`
	const python = () => {
		const uses = new Set(["ApiClient"])
		const input = print(route.input, value, uses, "    ")
		const { kind, nullable } = read(route.input)
		const call = nothing ? "()" : kind === "record" && !nullable && isObject(value) ? input.replace(/^\w+|^\{/, "").replace(/^(?!\()/, "(**{") : `(${input})`
		const [modules, names] = [true, false].map((module) => [...uses].filter((each) => each.startsWith("import ") === module))
		return `${modules.map((each) => `${each}\n`).join("")}from ${slug(doc.info.title, "_")}_client import ${names.filter((each) => each === "ApiClient" || call.includes(`${each}(`) || call.includes(`${each}.`)).join(", ")}\n\nwith ApiClient(${base}${bearer ? ', headers={"Authorization": f"Bearer {token}"}' : ""}) as api:\n    result = api.${word(name)}${call}`
	}
	/** @type {Pane[]} */
	const panes = [
		["curl", () => block(`curl ${quoted(urlOf(route.path))} \\\n  -H 'content-type: application/json' \\\n${bearer ? '  -H "authorization: Bearer $TOKEN" \\\n' : ""}  -d ${quoted(pretty(stringify(value) ?? ""))}`, "the command")],
		["Python", () => block(python(), "the Python code")],
		["TypeScript", () => block(`import { ApiClient } from "./api"\n\nconst api = new ApiClient({\n  baseUrl: ${base},${bearer ? "\n  headers: { Authorization: `Bearer ${token}` }," : ""}\n})\nconst result = await api.${word(name)}(${nothing ? "" : print(route.input, value, null, "")})`, "the TypeScript code")],
	]
	if (route.mcp && doc.links.mcp) panes.push(["MCP", () => block(pretty(stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: route.mcp?.name, arguments: value } })), "the message")])
	return tabs("Language", panes, "code")
}

/** @type {Fn.word} */
const word = (text) => {
	const plain = /^[^\W\d]\w*$/.test(text) ? text : text.replace(/[^\p{L}\d]+/gu, "_").replace(/^_|_$/g, "")
	return plain.replace(/^$/, "field").replace(/^(?=\d)/, "field_").replace(/^(and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|not|or|pass|raise|return|try|while|with|yield|None|True|False)$/, "$1_")
}

/** @type {Fn.wrap} */
const wrap = (open, parts, close, pad) => {
	const flat = open + parts.join(", ") + close
	return flat.length + pad.length < 76 && !flat.includes("\n") ? flat : `${open}\n${parts.map((part) => `${pad}    ${part},\n`).join("")}${pad}${close.replace(",", "")}`
}

/** @type {Record<string, string>} */
const MAKERS = { decimal: "decimal.Decimal(", uuid: "uuid.UUID(", byte: "base64.b64decode(", date: "datetime.date.fromisoformat(", "date-time": "datetime.datetime.fromisoformat(", time: "datetime.time.fromisoformat(", "partial-time": "datetime.time.fromisoformat(", duration: "datetime.timedelta(seconds=" }

/** A value in TypeScript; in Python where there is a set for the names that it *uses*. @type {Fn.print} */
const print = (schema, value, uses, pad) => {
	const shape = read(schema)
	const chosen = shape.kind === "tagged" ? shape.cases.find(([tag]) => tag === value?.[shape.tag])?.[1] : shape.kind === "union" ? shape.parts.find((part) => !check(part, value).length) : undefined
	const { kind, of, name, form, fields, item, parts, values } = chosen ? read(chosen) : shape
	/** @type {Fn.inner} */
	const inner = (of, each) => print(of, each, uses, `${pad}    `)
	const json = stringify(value) ?? "undefined"
	if (Array.isArray(value)) {
		const marked = /** @type {string} */ (uses && of["x-contract-type"])
		const cls = word(name ?? "tuple")
		if (marked === "namedtuple") uses?.add(cls)
		const [open, close] = { tuple: ["(", value.length === 1 ? ",)" : ")"], namedtuple: [`${cls}(`, ")"], set: value.length ? "{}" : ["set(", ")"], frozenset: ["frozenset({", "})"] }[marked] ?? "[]"
		return wrap(open, value.map((each, index) => inner(kind === "tuple" ? (parts[index] ?? {}) : item, each)), close, pad)
	}
	if (isObject(value)) {
		const cls = uses && kind === "record" && word(name ?? "dict")
		if (cls) uses.add(cls)
		const pairs = Object.entries(value).map(([key, each]) => {
			const field = fields.find((one) => one.name === key)?.schema
			const shown = cls ? word(field?.["x-contract-name"] ?? key) : uses || !/^[a-z_]\w*$/i.test(key) ? (of.propertyNames ? inner(of.propertyNames, key) : JSON.stringify(key)) : key
			return `${shown}${cls ? "=" : ": "}${inner(field ?? item, each)}`
		})
		return wrap(cls ? `${cls}(` : "{", pairs, cls ? ")" : "}", pad)
	}
	if (!uses) return form === "date-time" ? `new Date(${json})` : form === "byte" ? `Uint8Array.from(atob(${json}), (each) => each.charCodeAt(0))` : typeof value === "bigint" && kind !== "number" ? `${json}n` : json
	const member = kind === "choice" && name && of["x-contract-enum-names"]?.[values.indexOf(value)]
	if (member) {
		uses.add(word(name))
		return `${word(name)}.${word(member)}`
	}
	const maker = form && typeof value === "string" && own(MAKERS, form)
	if (maker) {
		uses.add(`import ${maker.split(".")[0]}`)
		return `${maker}${form === "duration" ? measure(form, value) : json})`
	}
	return { null: "None", true: "True", false: "False" }[json] ?? (form === "integer" ? `${value}` : json)
}
