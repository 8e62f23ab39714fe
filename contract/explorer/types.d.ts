/** Types of the modules in assets/, for `tsc --checkJs`; not served. */

interface Schema {
	[keyword: string]: any
	anyOf?: Schema[]
	oneOf?: Schema[]
	allOf?: Schema[]
	prefixItems?: Schema[]
	properties?: Record<string, Schema>
	required?: string[]
	enum?: unknown[]
	examples?: unknown[]
	"x-contract-order"?: string[]
}
interface Failure { status: number, description: string, data?: Schema, data_required?: boolean }
interface Route {
	path: string, summary: string, description?: string, tags: string[], auth: string, scope: string, effect: string
	deprecated?: { since?: string, remove_on?: string, use?: string }
	input: Schema, output: Schema, errors: Record<string, Failure>
	mcp?: { name: string, title: string, annotations: Record<string, boolean> }
}
interface PageLink { label: string, href: string, external?: boolean }
interface Ui {
	website?: { url: string, label: string }, logo?: { light: string, dark?: string }, favicon?: string
	theme?: { accent?: string, background?: string, surface?: string, fontFamily?: string, fontUrls?: string[] }
	navbarLinks?: PageLink[], footer?: { poweredBy?: boolean }, sdkInstall?: string, authHint?: string
	notice?: { title?: string, message: string, command?: string, links?: PageLink[] }
}
interface Contract {
	contract: string, info: { title: string, version: string, description?: string }, ui: Ui, links: { openapi?: string, mcp?: string }
	$defs: Record<string, Schema>, errors: Record<string, Failure>, routes: Record<string, Route>
}
interface Field { name: string, schema: Schema, required: boolean }

/** What a schema means; `of` is the schema behind references and null, `name` the type that it goes by. */
interface Shape {
	kind: "any" | "null" | "boolean" | "integer" | "number" | "text" | "choice" | "list" | "tuple" | "map" | "record" | "tagged" | "union"
	of: Schema, name?: string, nullable: boolean, form?: string, fields: Field[], parts: Schema[], item: Schema, tag: string, cases: [unknown, Schema][], values: any[]
}
type Path = (string | number)[]
interface Issue { path: Path, code: string, message: string, params?: Record<string, unknown> }

/** Tells that something is wrong: the code, the one param of its text, the place. */
type Tell = (code: string, param?: unknown, where?: Path, shown?: unknown) => void
type Of<T> = (schema: Schema) => T
type Child = string | number | Node | null | undefined | false | Child[]
type Pane = [label: string, make: () => Child]
interface Use { href: string, text: string, as: string }
interface Entry { kind: string, href: string, title: string, note: string, key: string }
interface Call { name: string, at: number, status: number, ms: number, text: string }
type Rgb = number[]

/** A part of an input in the form, and how it is changed. */
interface Spot { schema: Schema, path: Path, value: any, title: string, put: (value: any) => void, required?: boolean, remove?: () => void }

/** Attributes and listeners of an element. */
interface Props {
	[name: string]: any
	onclick?: (event: MouseEvent & { target: any }) => unknown
	onkeydown?: (event: KeyboardEvent & { target: any }) => unknown
	oninput?: (event: Event & { target: any }) => unknown
	onchange?: (event: Event & { target: any }) => unknown
	onsubmit?: (event: Event) => unknown
}

/** The types of functions, by their names. */
declare namespace Fn {
	type text = (text: string) => string
	type urlOf = (path: string) => string
	type tryIt = (name: string, route: Route) => HTMLElement
	type control = (spot: Spot) => HTMLElement
	type fit = (route: Route, status: number, body: any) => Issue[]
	type snippets = (name: string, route: Route, value: any) => HTMLElement
	type wrap = (open: string, parts: string[], close: string, pad: string) => string
	type print = (schema: Schema, value: any, uses: Set<string> | null, pad: string) => string
	type page = (title: string, lead: Child, ...rest: Child[]) => HTMLElement
	type named = (name: string) => HTMLElement
	type route = (route: Route, short?: boolean) => Child
	type row = (to: { href: string, text: string }, note: string, more?: Child) => HTMLElement
	type tree = (schema: Schema, sent: boolean) => Child
	type leaf = (name: string, schema: Schema, flag: Child, sent: boolean) => HTMLElement
	type folded = (summary: string, make: () => Child) => HTMLElement
	type failure = (each: [string, Failure]) => HTMLElement
	type mix = (from: Rgb, to: Rgb, part: number) => Rgb
	type readable = (wanted: Rgb, grounds: Rgb[], least: number) => Rgb
	type contrast = (one: Rgb, two: Rgb) => number
}
