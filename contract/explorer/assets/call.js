/** Call: an input that is thought up, checked and sent, and what came of it. */

import { at, doc, own, place, to, urlOf } from "./contract.js"
import { control } from "./form.js"
import { snippets } from "./code.js"
import {
	attempt,
	block,
	copier,
	fill,
	h,
	icon,
	id,
	keep,
	kept,
	parse,
	plural,
	pretty,
	quiet,
	say,
	small,
	stringify,
	tabs,
} from "./tools.js"
import { check, sample } from "./values.js"

/** In memory, and with the session only where its owner says so; never in an address. */
let token = kept("token") ?? ""

/** What is longer is no address any more that every program passes on. */
export const LINK = 8000
/** Calls of this session that can be repeated. */
const PAST = 30

/** @type {() => Call[]} */
const calls = () => JSON.parse(kept("calls") ?? "[]")
/** @type {Fn.verdict} */
const verdict = (status, text) => h(status && status < 300 ? "strong.good" : "strong.bad", text)

/** What calls a route; an input that is *given*, by the address, goes before a draft. @type {Fn.tryIt} */
export const tryIt = (name, route, given) => {
	const [views, codes, past, list, told, result] = ["div", "div", "div", "div.issue", "div.told", "div.result"].map(
		(tag) => h(tag),
	)
	const answer = h("section.card.answer", { "aria-label": "Answer", hidden: true })
	const button = h("button.button.primary", { type: "submit" })
	const secret = h("input", {
		type: "password",
		id: id(),
		value: token,
		autocomplete: "off",
		placeholder: "Without or with Bearer",
	})
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
		views,
		codes,
		past,
		list,
		told,
		result,
		answer,
		button,
		secret,
		link: copier(() => linkOf(trial), "a link to this input", "", "link"),
		changed: (path) => {
			trial.text = stringify(trial.value) ?? ""
			trial.touched.add(stringify(path))
			keep(`draft ${name}`, trial.text)
			review(trial)
		},
	}
	list.role = "alert"
	fill(answer, h("div.head", h("h2", "Answer"), closer(trial)), result)
	ready(trial)
	restore(trial, given ?? kept(`draft ${name}`) ?? stringify(sample(route.input)))
	if (given) fill(told, "Filled in from a link: read it before you send it.")
	return h("div.try", asForm(trial), answer)
}

/** @type {Fn.ofTrial} */
const closer = ({ answer, button }) => {
	const onclick = () => {
		answer.hidden = true
		button.focus()
	}
	return h("button.icon-button", { "aria-label": "Close the answer", onclick }, icon("close"))
}

/** @type {Fn.ofTrial} */
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

/** @type {Fn.ofTrial} */
const tokenOf = ({ secret }) => {
	const remember = () => {
		token = secret.value.trim().replace(/^bearer\s+/i, "")
		keep("token", stay.checked && token ? token : null)
	}
	const stay = h("input", { type: "checkbox", checked: kept("token") !== null, onchange: remember })
	secret.oninput = remember
	const label = h("label", { for: secret.id }, icon("lock"), " Token")
	const row = h("div.head", label, h("label.quiet", stay, " keep for this session"))
	return h("div.field.token", row, secret, doc.ui.authHint && quiet(doc.ui.authHint))
}

// The input.

/** @type {Fn.takeText} */
const take = (trial, text) => {
	trial.text = text
	trial.broken = ""
	try {
		trial.value = parse(text)
	} catch (error) {
		trial.broken = `${error}`
	}
}

/** Begin with an input. @type {Fn.takeText} */
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
		restore(trial, stringify(sample(route.input)))
		/** @type {HTMLElement | null} */
		const drawn = views.querySelector(".tab-row .small")
		drawn?.focus()
	})
	fill(
		views,
		tabs("Input", panes(trial), "editor", [trial.link, reset], () => review(trial)),
	)
	review(trial)
}

/** @type {(trial: Trial) => Pane[]} */
const panes = (trial) => {
	const root = () => {
		if (trial.broken) return quiet("This is no JSON yet: mend it there first.")
		const put = (/** @type {unknown} */ next) => (trial.value = next)
		return control(trial, {
			schema: trial.route.input,
			path: [],
			value: trial.value,
			required: true,
			title: "input",
			put,
		})
	}
	/** @type {Props["oninput"]} */
	const oninput = ({ target }) => {
		take(trial, target.value)
		keep(`draft ${trial.name}`, trial.text)
		trial.tried = true
		review(trial)
	}
	const raw = () => {
		const value = trial.broken ? trial.text : pretty(trial.text)
		return h("textarea.json", { value, rows: 6, spellcheck: "false", "aria-label": "Input as JSON", oninput })
	}
	return [
		["Form", root],
		["JSON", raw],
	]
}

/** An address that opens with this input; the token is no part of it. @type {(trial: Trial) => string} */
const linkOf = ({ name, text }) =>
	new URL(`${place("routes", name)}?input=${encodeURIComponent(text)}`, location.href).href

/** Say what is wrong, where it is: what the server *said*, or what it would say. @type {Fn.review} */
const review = (trial, said) => {
	const { name, route, broken, value, places, list, codes } = trial
	const issues = said ?? (broken ? [{ path: [], code: "json_invalid", message: broken }] : check(route.input, value))
	for (const { note, input } of places.values()) {
		fill(note)
		input?.removeAttribute("aria-invalid")
	}
	fill(list)
	for (const each of issues) {
		const known = said || trial.tried || broken || trial.touched.has(stringify(each.path))
		if (known) tell(trial, each)
	}
	fill(codes, snippets(name, route, broken ? {} : value))
	trial.link.hidden = linkOf(trial).length > LINK
	return issues.length
}

/** Tell an issue at its field, or at the nearest around it. @type {Fn.tellAt} */
const tell = ({ places, list }, { path, code, message }) => {
	/** @type {(end: number) => Place | undefined} */
	const shown = (end) => [places.get(stringify(path.slice(0, end)))].find((each) => each?.note.isConnected)
	let end = path.length
	while (end && !shown(end)) end--
	const found = shown(end)
	found?.input?.setAttribute("aria-invalid", "true")
	const where = end < path.length && [h("code", path.slice(end).join(".")), " "]
	;(found?.note ?? list).append(h("p", where, message, " ", h("code", code)))
}

// The call.

/** @type {Fn.send} */
const send = async (trial, anyway = false) => {
	const { name, route, text, button, told, places } = trial
	trial.tried = true
	const count = review(trial)
	if (count && !anyway) {
		const wrong = [...places.values()].find(({ input }) => input?.ariaInvalid)
		wrong?.input?.focus()
		return fill(
			told,
			h(
				"p.bad",
				`Not sent: ${plural(count, "problem")} in the input. `,
				small("Send anyway", () => send(trial, true)),
			),
		)
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

/** Send it, show what comes back, and give its status; 0 where nothing comes. @type {Fn.ask} */
const ask = async (trial, mine, began) => {
	const { route, text, told } = trial
	const authorization = route.auth === "bearer" && token && { authorization: `Bearer ${token}` }
	try {
		const answer = await fetch(urlOf(route.path), {
			method: "POST",
			headers: { "content-type": "application/json", ...authorization },
			body: text,
			signal: mine.signal,
			cache: "no-store",
			redirect: "error",
			referrerPolicy: "no-referrer",
		})
		const bytes = await answer.arrayBuffer()
		show(trial, answer, bytes, performance.now() - began)
		return answer.status
	} catch {
		if (mine !== trial.running) return 0
		const lost = "No answer: the server is not reached, or does not allow calls from this page (CORS)."
		fill(told, mine.signal.aborted ? "Cancelled." : h("p.bad", lost))
		say(told.textContent ?? "")
		return 0
	}
}

/** @type {Fn.show} */
const show = (trial, { status, statusText, headers }, bytes, ms) => {
	const { route, result, answer, told } = trial
	const raw = new TextDecoder().decode(bytes)
	const json = attempt(() => parse(raw))
	const noJson = { path: [], code: "json_invalid", message: "The answer is no JSON." }
	const lies = json === undefined ? [noJson] : fit(route, status, json)
	if (json?.error === "VALIDATION_ERROR" && !lies.length) review(trial, json.data.issues)
	const request = headers.get("x-request-id")
	const size = bytes.byteLength < 1000 ? `${bytes.byteLength} B` : `${(bytes.byteLength / 1000).toFixed(1)} kB`
	const facts = [
		verdict(status, `${status} ${statusText}`),
		`${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`,
		` · ${size}`,
	]
	/** @type {Pane[]} */
	const views = [
		["Body", () => block(json === undefined ? raw : pretty(raw), "the response", "Response")],
		[
			"Headers",
			() =>
				h(
					"dl",
					[...headers].map(([key, each]) => [h("dt", key), h("dd", each)]),
				),
		],
	]
	fill(
		result,
		h("p.facts", facts, request && h("span.quiet", "request ", h("code", request))),
		status === 401 && unauthorized(trial),
		lies.length > 0 && breach(lies),
		tabs("Response", views),
	)
	answer.hidden = false
	fill(told, verdict(status, `${status} ${statusText}`))
	say(`Answered ${status} ${statusText}${lies.length ? ", which breaks the contract" : ""}`)
	const { top, bottom } = answer.getBoundingClientRect()
	if (top > innerHeight / 2 || bottom < 0) answer.scrollIntoView()
}

/** @type {Fn.ofTrial} */
const unauthorized = ({ secret }) => {
	const why = token
		? "The server does not take this token: it is wrong, or no longer valid."
		: "The server wants a token, and none was sent."
	return h("p.breach", `${why} `, secret.isConnected && small("Enter a token", () => secret.focus()))
}

/** @type {(lies: Issue[]) => HTMLElement} */
const breach = (lies) => {
	const all = lies.map(({ path, message, code }) => h("li", h("code", path.join(".")), ` ${message} `, h("code", code)))
	return h("div.breach", { role: "alert" }, h("strong", "This answer breaks the contract"), h("ul", all))
}

/** What an answer has that the contract does not say. @type {Fn.fit} */
const fit = (route, status, body) => {
	if (status === 200) return check(route.output, body)
	const { error, data } = body ?? {}
	const code = `${error}`
	const failure = own(route.errors, code) ?? own(doc.errors, code)
	/** @type {(message: string) => Issue[]} */
	const lie = (message) => [{ path: [], code: "undeclared", message }]
	if (!failure) return lie(`The status ${status} comes without an error that this route declares.`)
	if (failure.status !== status && code !== "BAD_REQUEST") return lie(`${code} has the status ${failure.status}.`)
	if (data === undefined) return failure.data_required ? lie(`${code} has to carry data.`) : []
	if (!failure.data) return lie(`${code} carries no data.`)
	return check(failure.data, data).map((each) => ({ ...each, path: ["data", ...each.path] }))
}

/** Nothing runs: the next call can be made, and those before it repeated. @type {(trial: Trial) => void} */
const ready = (trial) => {
	const all = calls()
	fill(trial.button, "Send", h("kbd", /Mac|iP/.test(navigator.platform) ? "⌘↵" : "Ctrl ↵"))
	/** @type {(call: Call) => void} */
	const repeat = (call) => {
		keep(`draft ${call.name}`, call.text)
		if (call.name === trial.name) restore(trial, call.text)
	}
	const rows = all.map((call) =>
		h(
			"li",
			h(
				"a.head",
				{ href: to("routes", call.name).href, onclick: () => repeat(call) },
				verdict(call.status, call.status || "failed"),
				h("code", call.name),
				h("span.quiet", `${new Date(call.at).toLocaleTimeString()}, ${call.ms} ms`),
			),
		),
	)
	fill(trial.past, all.length > 0 && h("details", h("summary", icon("open"), `History (${all.length})`), h("ol", rows)))
}
