/** Form: a call thought up, checked, sent and shown; and the same call as code. */

import { at, body, called, check, doc, isObject, measure, own, read, sample, suits, to, typeOf, types } from "./model.js"
import { block, code, copier, fill, h, icon, id, keep, kept, parse, plural, pretty, say, slug, stringify, tabs } from "./tools.js"

let token = kept("token") ?? ""

/** @type {Fn.urlOf} */
export const urlOf = (path) => new URL(path, at.base || "https://server.example/").href

const small = (/** @type {Child} */ label, /** @type {() => void} */ onclick, name = label, pressed = /** @type {boolean | null} */ (null)) => h("button", { type: "button", class: "small", "aria-pressed": pressed === null ? null : `${pressed}`, "aria-label": name, onclick }, label)
const good = (/** @type {number} */ status) => (status && status < 300 ? "good" : "bad")
const quiet = (/** @type {Child[]} */ ...text) => h("p", { class: "quiet" }, text)
const put = (/** @type {object} */ into, /** @type {string | number} */ key, /** @type {unknown} */ value) => Object.defineProperty(into, key, { value, configurable: true, enumerable: true, writable: true })
/** @type {() => Call[]} */
const calls = () => JSON.parse(kept("calls") ?? "[]")

/** The part of the page that calls a route. @type {Fn.tryIt} */
export const tryIt = (name, route) => {
	const draft = `draft ${name}`
	/** @type {Map<string, { note: HTMLElement, input?: HTMLInputElement }>} */
	const places = new Map()
	const touched = new Set()
	let tried = false
	let text = ""
	let broken = ""
	/** @type {any} */
	let value
	/** @type {AbortController | undefined} */
	let running
	const list = h("div", { class: "issue", role: "alert" })
	const views = h("div")
	const result = h("div", { class: "result" })
	const past = h("div")
	const codes = h("div")
	const button = h("button", { type: "submit", class: "button primary" })

	const take = (/** @type {string} */ given) => {
		text = given
		broken = ""
		try {
			value = parse(text)
		} catch (error) {
			broken = String(error)
		}
	}
	const changed = (/** @type {Path} */ path) => {
		text = stringify(value) ?? ""
		touched.add(stringify(path))
		keep(draft, text)
		review()
	}

	/** Say what is wrong, where it is. @param {Issue[]} [told] by the server */
	function review(told) {
		const issues = told ?? (broken ? [{ path: [], code: "json_invalid", message: broken }] : check(route.input, value))
		for (const { note, input } of places.values()) {
			fill(note)
			input?.removeAttribute("aria-invalid")
		}
		fill(list)
		for (const { path, code, message } of issues) {
			if (!told && !tried && !broken && !touched.has(stringify(path))) continue
			let end = path.length
			while (end && !places.get(stringify(path.slice(0, end)))?.note.isConnected) end--
			const place = places.get(stringify(path.slice(0, end)))
			const said = [end < path.length && [h("code", null, path.slice(end).join(".")), " "], message, " ", h("code", null, code)]
			place?.input?.setAttribute("aria-invalid", "true")
			;(place?.note.isConnected ? place.note : list).append(h("p", null, said))
		}
		fill(codes, snippets(name, route, broken ? {} : value))
		return issues
	}

	/** A control for a part of the value, which it changes in place. @type {Fn.control} */
	const control = (spot) => {
		const { schema, path, required, title } = spot
		const { kind, of, nullable, form, fields, parts, item, tag, cases, values } = read(schema)
		const nest = /record|list|map|tuple|tagged|union/.test(kind)
		const here = h("div", { class: "field" })
		const key = id()
		let now = spot.value
		const set = (/** @type {any} */ next, again = false) => {
			spot.put((now = next))
			changed(path)
			if (again) draw()
		}
		const line = (/** @type {string} */ shown, /** @type {(raw: string) => void} */ take, long = false, type = "text") => {
			const made = h(long ? "textarea" : "input", { type: long ? null : type, rows: long && 1, spellcheck: "false", autocomplete: "off", oninput: ({ target }) => take(target.value) })
			made.value = shown
			return made
		}
		const choose = (/** @type {string | null} */ name, /** @type {string[]} */ options, /** @type {number} */ chosen, /** @type {(index: number) => void} */ take, none = "not set") => {
			return h("select", { "aria-label": name, onchange: ({ target }) => take(target.value ? Number(target.value) : -1) }, h("option", { value: "" }, none), options.map((each, index) => h("option", { value: index, selected: index === chosen }, each)))
		}
		const draw = () => {
			const note = h("div", { class: "issue", id: `${key}n` })
			const there = now !== undefined
			const odd = kind === "any" || (there && (nest || kind === "text") && !suits(schema, now))
			const head = [h("code", { class: "name" }, title, required && h("span", { class: "must" }, "*")), " ", h("span", { class: "quiet" }, called(schema))]
			const tools = [
				nullable && small("null", () => set(now === null ? undefined : null, true), `null for ${title}`, now === null),
				nest && !there && small("Add", () => set(sample(schema), true), `Add ${title}`),
				spot.remove ? small("Remove", spot.remove, `Remove ${title}`) : !required && there && small("Unset", () => set(undefined, true), `Unset ${title}`),
			]
			const input = odd ? line(there ? pretty(stringify(now)) : "", (raw) => set(loose(raw)), true) : nest ? undefined : scalar()
			places.set(stringify(path), { note, input: /** @type {HTMLInputElement | undefined} */ (input) })
			input?.setAttribute("aria-describedby", note.id)
			if (input) input.id = key
			fill(here, h("div", { class: path.length || nullable || kind !== "record" ? "head" : "away" }, h(input ? "label" : "span", { for: input && key, id: input ? null : key }, head), tools), input, note, !input && there && now !== null && h("div", { class: "nest", role: "group", "aria-labelledby": key }, inside()))
		}
		const scalar = () => {
			if (/choice|boolean|null/.test(kind)) {
				const all = [...(kind === "boolean" ? [true, false] : values), ...(nullable || kind === "null" ? [null] : [])]
				return choose(null, all.map((each) => (typeof each === "string" ? each : stringify(each))), all.indexOf(now), (index) => set(all[index]))
			}
			const shown = now === undefined || now === null ? "" : String(now)
			const made = line(shown, (raw) => set(raw || (required && kind === "text") ? (kind === "text" ? raw : /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(raw) ? parse(raw) : raw) : undefined), kind === "text" && !form && !of.pattern && !(of.maxLength < 100), form === "date" && /^(\d{4}-\d\d-\d\d)?$/.test(shown) ? "date" : "text")
			const such = schema.examples?.[0] ?? sample({ ...of, examples: [] })
			made.placeholder = now === null ? "null" : "default" in schema ? `${stringify(schema.default)} by default` : `such as ${such}`
			made.disabled = now === null
			return made
		}
		/** @returns {Child} */
		const inside = () => {
			const those = (/** @type {Field[]} */ all) => all.map(({ name, schema, required }) => control({ schema, path: [...path, name], value: own(now, name), required, title: name, put: (next) => (next === undefined ? delete now[name] : put(now, name, next)) }))
			const nth = (/** @type {Schema} */ of, /** @type {number} */ index, fixed = false) => control({ schema: of, path: [...path, index], value: now[index], required: true, title: `${title} ${index + 1}`, put: (next) => (now[index] = next ?? null), remove: fixed ? undefined : () => set(now.toSpliced(index, 1), true) })
			const more = (/** @type {() => void} */ add) => small("Add", add, `Add to ${title}`)
			if (kind === "record") return fields.length ? those(fields) : quiet("Nothing to fill in.")
			if (kind === "list") return [[.../** @type {any[]} */ (now).keys()].map((index) => nth(item, index)), more(() => set([...now, sample(item, of.uniqueItems ? now.length : 0)], true))]
			if (kind === "tuple") return [parts.slice(0, now.length).map((part, index) => nth(part, index, index < (of.minItems ?? 0))), now.length < parts.length && more(() => set([...now, sample(parts[now.length])], true))]
			if (kind === "map") {
				const all = Object.entries(now)
				const again = (/** @type {[string, unknown][]} */ next) => set(Object.fromEntries(next), true)
				const fresh = () => Array.from({ length: 40 }, (_, n) => String(of.propertyNames ? sample(of.propertyNames, n) : `key${n}`)).find((name) => !Object.hasOwn(now, name)) ?? ""
				return [all.map(([name, value], index) => [h("input", { type: "text", value: name, "aria-label": `Key ${index + 1} of ${title}`, onchange: ({ target }) => again(all.with(index, [target.value, value])) }), control({ schema: item, path: [...path, name], value, required: true, title: name, put: (next) => put(now, name, next ?? null), remove: () => again(all.toSpliced(index, 1)) })]), more(() => again([...all, [fresh(), sample(item)]]))]
			}
			const tagged = kind === "tagged"
			const all = tagged ? cases.map(([, each]) => each) : parts
			const chosen = tagged ? cases.findIndex(([each]) => each === own(now, tag)) : all.findIndex((each) => suits(each, now))
			const select = choose(`${tagged ? tag : "Type"} of ${title}`, tagged ? cases.map(([each]) => String(each)) : all.map(called), chosen, (index) => index < 0 || set(tagged ? { ...sample(all[index]), [tag]: cases[index][0] } : sample(all[index]), true), "choose")
			return [select, chosen >= 0 && (tagged ? those(read(all[chosen]).fields.filter((each) => each.name !== tag)) : control({ ...spot, schema: all[chosen], value: now, required: true, remove: undefined, put: (next) => spot.put((now = next)) }))]
		}
		draw()
		return here
	}

	const restore = (/** @type {string} */ next) => {
		take(next)
		fill(result)
		tried = false
		touched.clear()
		places.clear()
		/** @type {Pane[]} */
		const panes = [
			["Form", () => (broken ? quiet("This is no JSON yet: mend it there first.") : control({ schema: route.input, path: [], value, required: true, title: "input", put: (next) => (value = next) }))],
			["JSON", () => {
				const area = h("textarea", { class: "json", rows: 6, spellcheck: "false", "aria-label": "Input as JSON", oninput: () => {
					take(area.value)
					keep(draft, text)
					tried = true
					review()
				} })
				area.value = broken ? text : pretty(text)
				return area
			}],
		]
		const reset = small("Reset", () => {
			keep(draft, null)
			restore(stringify(sample(route.input)))
		})
		fill(views, tabs("Input", panes, "editor", reset, review))
		review()
	}

	const stay = h("input", { type: "checkbox", checked: kept("token") !== null, onchange: () => remember() })
	const secret = h("input", { type: "password", id: id(), autocomplete: "off", placeholder: "Without or with Bearer", oninput: () => remember() })
	secret.value = token
	const remember = () => {
		token = secret.value.trim().replace(/^bearer\s+/i, "")
		keep("token", stay.checked && token ? token : null)
	}

	const send = async (anyway = false) => {
		tried = true
		const count = review().length
		if (count && !anyway) {
			;[...places.values()].find(({ input }) => input?.ariaInvalid)?.input?.focus()
			return fill(result, h("p", { class: "bad" }, `Not sent: ${plural(count, "problem")} in the input. `, small("Send anyway", () => send(true))))
		}
		running?.abort()
		const mine = (running = new AbortController())
		fill(button, "Cancel", h("kbd", null, "Esc"))
		fill(result, quiet("Waiting for the answer…"))
		const began = performance.now()
		let status = 0
		try {
			const answer = await fetch(urlOf(route.path), { method: "POST", headers: { "content-type": "application/json", ...(route.auth === "bearer" && token ? { authorization: `Bearer ${token}` } : {}) }, body: text, signal: mine.signal, cache: "no-store", redirect: "error", referrerPolicy: "no-referrer" })
			const bytes = await answer.arrayBuffer()
			status = answer.status
			show(answer, bytes, performance.now() - began)
		} catch {
			if (mine === running) fill(result, mine.signal.aborted ? quiet("Cancelled.") : h("p", { class: "bad" }, "No answer: the server is not reached, or does not allow calls from this page (CORS)."))
		}
		if (mine !== running) return
		running = undefined
		keep("calls", JSON.stringify([{ name, at: Date.now(), status, ms: Math.round(performance.now() - began), text }, ...calls()].slice(0, 30)))
		ready()
	}

	/** @param {Response} answer @param {ArrayBuffer} bytes @param {number} ms */
	const show = ({ status, statusText, headers }, bytes, ms) => {
		let shown = new TextDecoder().decode(bytes)
		/** @type {any} */
		let json
		let lies = [{ path: /** @type {Path} */ ([]), code: "json_invalid", message: "The answer is no JSON." }]
		try {
			json = parse(shown)
			shown = pretty(shown)
			lies = fit(route, status, json)
		} catch {
			// shown as it is
		}
		if (json?.error === "VALIDATION_ERROR" && !lies.length) review(json.data.issues)
		const request = headers.get("x-request-id")
		fill(
			result,
			h("p", { class: "facts" }, h("strong", { class: good(status) }, `${status} ${statusText}`), `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`, ` · ${bytes.byteLength < 1000 ? `${bytes.byteLength} B` : `${(bytes.byteLength / 1000).toFixed(1)} kB`}`, request && h("span", { class: "quiet" }, "request ", h("code", null, request))),
			lies.length > 0 && h("div", { class: "breach", role: "alert" }, h("strong", null, "This answer breaks the contract"), h("ul", null, lies.map(({ path, message, code }) => h("li", null, h("code", null, path.join(".")), ` ${message} `, h("code", null, code))))),
			tabs("Response", [["Body", () => h("div", { class: "code" }, code(shown, "Response"), copier(() => shown, "the response"))], ["Headers", () => h("dl", null, [...headers].map(([key, each]) => [h("dt", null, key), h("dd", null, each)]))]]),
		)
		say(`Answered ${status}${lies.length ? ", which breaks the contract" : ""}`)
	}

	const ready = () => {
		const all = calls()
		fill(button, "Send", h("kbd", null, /Mac|iP/.test(navigator.platform) ? "⌘↵" : "Ctrl ↵"))
		fill(past, all.length > 0 && h("details", null, h("summary", null, icon("open"), `History (${all.length})`), h("ol", null, all.map((call) => h("li", null, h("a", { class: "head", href: to("routes", call.name).href, onclick: () => {
			keep(`draft ${call.name}`, call.text)
			if (call.name === name) restore(call.text)
		} }, h("strong", { class: good(call.status) }, call.status || "failed"), h("code", null, call.name), h("span", { class: "quiet" }, `${new Date(call.at).toLocaleTimeString()}, ${call.ms} ms`)))))))
	}
	ready()
	restore(kept(draft) ?? stringify(sample(route.input)))
	return h(
		"div",
		{ class: "side" },
		h(
			"form",
			{
				class: "card",
				"aria-label": "Try it",
				onsubmit: (event) => {
					event.preventDefault()
					running ? running.abort() : send()
				},
				onkeydown: (event) => {
					const enter = event.key === "Enter"
					if (event.key === "Escape") running?.abort()
					if (!enter || !(event.ctrlKey || event.metaKey || event.target.type === "text")) return
					event.preventDefault()
					if (event.ctrlKey || event.metaKey) send()
				},
			},
			h("h2", { id: "try" }, "Try it"),
			views,
			list,
			route.auth === "bearer" && h("div", { class: "field token" }, h("div", { class: "head" }, h("label", { for: secret.id }, icon("lock"), " Token"), h("label", { class: "quiet" }, stay, " keep for this session")), secret, doc.ui.authHint && quiet(doc.ui.authHint)),
			h("div", { class: "send" }, at.base ? button : quiet("This is a copy without a server: nothing can be sent."), route.effect === "destructive" && h("span", { class: "bad" }, "This call is destructive.")),
			result,
			past,
		),
		h("div", { class: "card" }, h("h2", null, "As code"), codes),
	)
}

const loose = (/** @type {string} */ raw) => {
	try {
		return raw.trim() ? parse(raw) : undefined
	} catch {
		return raw
	}
}

/** What an answer has that the contract does not say. @type {Fn.fit} */
export const fit = (route, status, body) => {
	if (status === 200) return check(route.output, body)
	const code = String(body?.error)
	const failure = own(route.errors, code) ?? own(doc.errors, code)
	const lie = !failure ? `The status ${status} comes without an error that this route declares.` : failure.status !== status && code !== "BAD_REQUEST" ? `${code} has the status ${failure.status}.` : body.data === undefined && failure.data_required ? `${code} has to carry data.` : body.data !== undefined && !failure.data ? `${code} carries no data.` : ""
	return lie ? [{ path: [], code: "undeclared", message: lie }] : failure?.data && body.data !== undefined ? check(failure.data, body.data).map((each) => ({ ...each, path: ["data", ...each.path] })) : []
}

/** The same call as code. @type {Fn.snippets} */
const snippets = (name, route, value) => {
	const bearer = route.auth === "bearer"
	const base = JSON.stringify(urlOf(".").slice(0, -1))
	const nothing = !Object.keys(route.input.properties ?? { _: 0 }).length
	const quoted = (/** @type {string} */ text) => `'${text.replaceAll("'", "'\\''")}'`
	const python = () => {
		const uses = new Set(["ApiClient"])
		const input = print(route.input, value, uses, "    ")
		const call = nothing ? "()" : read(route.input).kind === "record" && isObject(value) ? input.replace(/^\w+|^\{/, "").replace(/^(?!\()/, "(**{") : `(${input})`
		const modules = [...uses].filter((each) => each.startsWith("import "))
		return `${modules.map((each) => `${each}\n`).join("")}from ${slug(doc.info.title, "_")}_client import ${[...uses].filter((each) => /^ApiC/.test(each) || call.includes(`${each}(`) || call.includes(`${each}.`)).join(", ")}\n\nwith ApiClient(${base}${bearer ? ', headers={"Authorization": f"Bearer {token}"}' : ""}) as api:\n    result = api.${word(name)}${call}`
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

/** @type {Fn.text} */
const word = (text) => text.replace(/\W|^(?=\d)/g, "_").replace(/^(and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|not|or|pass|raise|return|try|while|with|yield|None|True|False)$/, "$1_")

/** @type {Fn.wrap} */
const wrap = (open, parts, close, pad) => {
	const flat = open + parts.join(", ") + close
	return flat.length + pad.length < 76 && !flat.includes("\n") ? flat : `${open}\n${parts.map((part) => `${pad}    ${part},\n`).join("")}${pad}${close}`
}

/** @type {Record<string, string>} */
const MAKERS = { decimal: "decimal.Decimal(", uuid: "uuid.UUID(", byte: "base64.b64decode(", date: "datetime.date.fromisoformat(", "date-time": "datetime.datetime.fromisoformat(", time: "datetime.time.fromisoformat(", "partial-time": "datetime.time.fromisoformat(", duration: "datetime.timedelta(seconds=" }

/** A value in TypeScript; in Python where there is a set for the names that it *uses*. @type {Fn.print} */
const print = (schema, value, uses, pad) => {
	let shape = read(schema)
	const chosen = shape.kind === "tagged" ? shape.cases.find(([tag]) => tag === value?.[shape.tag])?.[1] : shape.kind === "union" ? shape.parts.find((part) => !check(part, value).length) : undefined
	if (chosen) shape = read(chosen)
	const { kind, of, name, form, fields, item, parts, values } = shape
	const inner = (/** @type {Schema} */ of, /** @type {unknown} */ each) => print(of, each, uses, `${pad}    `)
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
		return cls ? wrap(`${cls}(`, pairs, ")", pad) : wrap("{", pairs, "}", pad)
	}
	if (!uses) return form === "date-time" ? `new Date(${json})` : form === "byte" ? `Uint8Array.from(atob(${json}), (each) => each.charCodeAt(0))` : typeof value === "bigint" ? `${json}n` : json
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
	return { null: "None", true: "True", false: "False" }[json] ?? (form === "integer" ? String(value) : json)
}
