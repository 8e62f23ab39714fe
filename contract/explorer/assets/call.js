/** Call: an input that is thought up, checked and sent, and what came of it. */

import { snippets } from "./code.js"
import { at, doc, own, place, urlOf } from "./contract.js"
import { control } from "./form.js"
import {
	attempt, block, copier, fill, h, icon, iconButton, id, keep, kept, MAC, parse, plural, pretty, quiet, say,
	small, stringify, tabs,
} from "./tools.js"
import { check, sample } from "./values.js"

/** In memory, and with the session only where its owner says so; never in an address. */
let token = kept("token") ?? ""

/** What is longer is no address any more that every program passes on. */
export const LINK = 8000
/** Calls of this session that can be repeated. */
const PAST = 30

const calls = () => JSON.parse(kept("calls") ?? "[]")
const verdict = (status, text) => h(status && status < 300 ? "strong.good" : "strong.bad", text)

export const tryIt = (name, route, given) => {
	/** @type {Trial} */
	const trial = {
		name,
		route,
		text: "",
		broken: "",
		value: undefined,
		places: new Map(),
		touched: new Set(),
		tried: false,
		views: h("div"),
		codes: h("div"),
		past: h("div"),
		list: h("div.issue", { role: "alert" }),
		told: h("div.told"),
		result: h("div.result"),
		answer: h("section.card.answer", { "aria-label": "Answer", hidden: true }),
		button: h("button.button.primary", { type: "submit" }),
		secret: h("input", {
			type: "password",
			id: id(),
			value: token,
			autocomplete: "off",
			placeholder: "Without or with Bearer",
		}),
		link: copier(() => linkOf(trial), "a link to this input", "", "link"),
		changed: (path) => {
			trial.text = stringify(trial.value) ?? ""
			trial.touched.add(stringify(path))
			keep(`draft ${name}`, trial.text)
			review(trial)
		},
	}
	const { answer, button, result, told } = trial
	const close = () => {
		answer.hidden = true
		button.focus()
	}
	fill(answer, h("div.head", h("h2", "Answer"), iconButton("close", "Close the answer", close)), result)
	ready(trial)
	restore(trial, given ?? kept(`draft ${name}`) ?? stringify(sample(route.input)))
	if (given) fill(told, "Filled in from a link: read it before you send it.")
	return h("div.try", asForm(trial), answer)
}

const asForm = (trial) => {
	const { route, views, codes, past, list, told, button } = trial
	/** @type {Props} */
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
	const destructive = route.effect === "destructive" && h("span.bad", "This call is destructive.")
	return h(
		"form.side",
		props,
		h("div.card", h("h2", { id: "try" }, "Try it"), views, list, route.auth === "bearer" && tokenOf(trial), past),
		h("div.send", at.base ? button : quiet("This is a copy without a server: nothing can be sent."), told, destructive),
		h("div.card", h("h2", "As code"), codes),
	)
}

const tokenOf = ({ secret }) => {
	const onchange = () => {
		token = secret.value.trim().replace(/^bearer\s+/i, "")
		keep("token", stay.checked && token ? token : null)
	}
	const stay = h("input", { type: "checkbox", checked: kept("token") !== null, onchange })
	secret.oninput = onchange
	const label = h("label", { for: secret.id }, icon("lock"), " Token")
	const row = h("div.head", label, h("label.quiet", stay, " keep for this session"))
	return h("div.field.token", row, secret, doc.ui.authHint && quiet(doc.ui.authHint))
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
	const { name, route, views, told, touched, places, answer } = trial
	take(trial, text)
	fill(told)
	answer.hidden = true
	trial.tried = false
	touched.clear()
	places.clear()
	const reset = small("Reset", () => {
		keep(`draft ${name}`, null)
		restore(trial, stringify(sample(route.input))).focus()
	})
	fill(views, tabs("Input", panesOf(trial), "editor", [trial.link, reset], () => review(trial)))
	review(trial)
	return reset
}

const panesOf = (trial) => ({
	Form: () => {
		if (trial.broken) return quiet("This is no JSON yet: mend it there first.")
		const { route, value } = trial
		const put = (next) => (trial.value = next)
		return control(trial, { schema: route.input, path: [], value, required: true, title: "input", put })
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

/** An address that opens with this input; the token is no part of it. */
const linkOf = ({ name, text }) =>
	new URL(`${place("routes", name)}?input=${encodeURIComponent(text)}`, location.href).href

/** Say what is wrong, where it is: what the server *said*, or what it would say. */
const review = (trial, said) => {
	const { name, route, broken, value, places, list, codes } = trial
	const issues = said ?? (broken ? [{ path: [], code: "json_invalid", message: broken }] : check(route.input, value))
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
	const made = { name, at: Date.now(), status, ms: Math.round(performance.now() - began), text }
	keep("calls", JSON.stringify([made, ...calls()].slice(0, PAST)))
	ready(trial)
}

/** Send it, show what comes back, and give its status; 0 where nothing comes. */
const ask = async (trial, { signal }, began) => {
	const { route, text, told } = trial
	const authorization = route.auth === "bearer" && token && { authorization: `Bearer ${token}` }
	try {
		const answer = await fetch(urlOf(route.path), {
			method: "POST",
			headers: { "content-type": "application/json", ...authorization },
			body: text,
			signal,
			cache: "no-store",
			redirect: "error",
			referrerPolicy: "no-referrer",
		})
		show(trial, answer, await answer.arrayBuffer(), performance.now() - began)
		return answer.status
	} catch {
		if (signal !== trial.running?.signal) return 0
		const lost = "No answer: the server is not reached, or does not allow calls from this page (CORS)."
		fill(told, signal.aborted ? "Cancelled." : h("p.bad", lost))
		say(told.textContent ?? "")
		return 0
	}
}

const show = (trial, { status, statusText, headers }, bytes, ms) => {
	const { route, result, answer, told } = trial
	const raw = new TextDecoder().decode(bytes)
	const json = attempt(() => parse(raw))
	const lies = json === undefined ? lie("The answer is no JSON.", "json_invalid") : fit(route, status, json)
	if (json?.error === "VALIDATION_ERROR" && !lies.length) review(trial, json.data.issues)
	const request = headers.get("x-request-id")
	const length = bytes.byteLength
	const size = length < 1000 ? `${length} B` : `${(length / 1000).toFixed(1)} kB`
	const line = `${status} ${statusText}`
	const facts = [verdict(status, line), `${ms.toFixed(ms < 10 ? 1 : 0)} ms`, ` · ${size}`]
	const views = {
		Body: () => block(json === undefined ? raw : pretty(raw), "the response", "Response"),
		Headers: () => h("dl", [...headers].map(([key, each]) => [h("dt", key), h("dd", each)])),
	}
	fill(
		result,
		h("p.facts", facts, request && h("span.quiet", "request ", h("code", request))),
		status === 401 && unauthorized(trial),
		lies.length > 0 && breach(lies),
		tabs("Response", views),
	)
	answer.hidden = false
	fill(told, verdict(status, line))
	say(`Answered ${line}${lies.length ? ", which breaks the contract" : ""}`)
	const { top, bottom } = answer.getBoundingClientRect()
	if (top > innerHeight / 2 || bottom < 0) answer.scrollIntoView()
}

const unauthorized = ({ secret }) => {
	const why = token
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

/** Nothing runs: the next call can be made, and those before it repeated. */
const ready = (trial) => {
	fill(trial.button, "Send", h("kbd", MAC ? "⌘↵" : "Ctrl ↵"))
	const row = ({ name, text, status, at, ms }) => {
		const onclick = () => {
			keep(`draft ${name}`, text)
			if (name === trial.name) restore(trial, text)
		}
		const note = h("span.quiet", `${new Date(at).toLocaleTimeString()}, ${ms} ms`)
		const props = { href: place("routes", name), onclick }
		return h("li", h("a.head", props, verdict(status, status || "failed"), h("code", name), note))
	}
	const rows = calls().map(row)
	const summary = h("summary", icon("open"), `History (${rows.length})`)
	fill(trial.past, rows.length > 0 && h("details", summary, h("ol", rows)))
}
