/** Theme: colours. Given ones stay, others are derived; text has contrast enough (WCAG 2.2, section 1.4.3). */

import { doc } from "./contract.js"
import { kept } from "./tools.js"

const root = document.documentElement
const canvas = /** @type {CanvasRenderingContext2D} */ (
	document.createElement("canvas").getContext("2d", { willReadFrequently: true })
)
const BLACK = [0, 0, 0]
const WHITE = [255, 255, 255]
const INKS = {
	accent: "#3d5fd0",
	good: "#1d8049",
	warn: "#a36a00",
	bad: "#d03a30",
	t1: "#3f6ea3",
	t2: "#1e8057",
	t3: "#a8601c",
	t4: "#8650bd",
}

/** @type {Fn.colour} */
const colour = (text) => {
	for (const each of ["#fff", text]) {
		canvas.fillStyle = each
		canvas.fillRect(0, 0, 1, 1)
	}
	return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
}
/** @type {Fn.light} */
const light = (colour) => {
	const linear = colour.map((part) => (part < 11 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4))
	return 0.05 + linear[0] * 0.2126 + linear[1] * 0.7152 + linear[2] * 0.0722
}
/** @type {Fn.contrast} */
const contrast = (one, two) => Math.max(light(one), light(two)) / Math.min(light(one), light(two))
/** @type {Fn.mix} */
const mix = (from, to, part) => from.map((each, index) => Math.round(each + (to[index] - each) * part))
/** @type {Fn.end} */
const end = (ground) => (contrast(ground, BLACK) > contrast(ground, WHITE) ? BLACK : WHITE)

/** What is nearest to *wanted* and can be read on all of *grounds*. @type {Fn.readable} */
const readable = (wanted, grounds, least = 4.6) => {
	for (let part = 0; part < 1; part += 0.05) {
		const found = mix(wanted, end(grounds[0]), part)
		if (grounds.every((ground) => contrast(found, ground) >= least)) return found
	}
	return end(grounds[0])
}

/** The colours on a ground, as a rule. @type {Fn.paints} */
const rule = (where, base, accent) => {
	const ink = end(base)
	const soft = mix(base, colour(accent), 0.1)
	const fill = readable(colour(accent), [base], 1.6)
	const inks = Object.entries({ ...INKS, accent }).map(([name, text]) => [name, readable(colour(text), [base, soft])])
	const all = {
		base,
		soft,
		fill,
		"on-fill": contrast(fill, WHITE) > 4.5 ? WHITE : end(fill),
		line: mix(base, ink, 0.13),
		edge: readable(mix(base, ink, 0.4), [base], 3.1),
		text: readable(mix(base, ink, 0.9), [base, soft]),
		muted: readable(mix(base, ink, 0.62), [base, soft]),
		...Object.fromEntries(inks),
	}
	const colours = Object.entries(all)
		.map(([name, rgb]) => `--${name}:rgb(${rgb.join(" ")})`)
		.join(";")
	return `${where}{color-scheme:${ink === WHITE ? "dark" : "light"};${colours}}`
}

const sheet = new CSSStyleSheet()
document.adoptedStyleSheets = [sheet]
export const system = matchMedia("(prefers-color-scheme: dark)")
root.style.colorScheme = kept("mode", true) ?? "" // until there is more to go by

/** Paint the page, and say whether the theme leaves no choice between light and dark. */
export const paint = () => {
	const { accent = INKS.accent, background, surface } = doc.ui.theme ?? {}
	const pinned = background ?? surface
	const asked = kept("mode", true) ?? (system.matches && "dark")
	const dark = pinned ? end(colour(pinned)) === WHITE : asked === "dark"
	const below = surface && mix(colour(surface), dark ? BLACK : WHITE, dark ? 0.25 : 0.6)
	const ground = background ? colour(background) : below || colour(dark ? "#111317" : "#fff")
	const raised = surface ? colour(surface) : mix(ground, end(ground), dark ? 0.045 : 0.025)
	sheet.replaceSync(rule(":root", ground, accent) + rule(".card, .code, dialog, .notice, .prose code", raised, accent))
	root.style.colorScheme = ""
	root.dataset.mode = dark ? "dark" : "light"
	return Boolean(pinned)
}
