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

type Child = string | number | Node | null | undefined | false | Child[]
type Pane = [label: string, make: () => Child]
interface Use { href: string, text: string, as: string }
interface Entry { kind: string, href: string, title: string, note: string, key: string }
interface Call { name: string, at: number, status: number, ms: number, text: string }
type Rgb = number[]

/** Where a part of an input stands in the form. */
interface Place { note: HTMLElement, input?: HTMLElement }
/** A part of an input in the form, and how it is changed. */
interface Spot { schema: Schema, path: Path, value: any, title: string, put: (value: any) => void, required?: boolean, remove?: () => void }

type Attribute = string | number | boolean | null | undefined

/** Attributes and listeners of an element: whatever is not named here, `h` is not given. */
interface Props extends Partial<Record<
	| "class" | "id" | "href" | "src" | "alt" | "title" | "role" | "type" | "for" | "value" | "placeholder" | "tabindex" | "rel" | "target"
	| "hidden" | "checked" | "selected" | "rows" | "spellcheck" | "autocomplete" | `aria-${string}`, Attribute
>> {
	onclick?: (event: MouseEvent & { target: any }) => unknown
	onkeydown?: (event: KeyboardEvent & { target: any }) => unknown
	oninput?: (event: Event & { target: any }) => unknown
	onchange?: (event: Event & { target: any }) => unknown
	onsubmit?: (event: Event) => unknown
	onclose?: () => void
	ontoggle?: () => void
}

/** The element that a selector such as `p.quiet` makes. */
type Made<T extends string> =
	T extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[T] : T extends `${infer Tag}.${string}` ? Made<Tag> : HTMLElement

/** The types of functions, by their names. */
declare namespace Fn {
	// tools
	type attempt = <T, F = undefined>(run: () => T, otherwise?: F) => T | F
	type safe = (url: unknown, image?: boolean) => string | undefined
	type h = <T extends string>(selector: T, ...children: [] | [Props | Child, ...Child[]]) => Made<T>
	type fill = <P extends HTMLElement>(parent: P, ...children: Child[]) => P
	type icon = (name: string) => Element
	type child = (...text: Child[]) => HTMLElement
	type say = (text: string) => any
	type copier = (text: () => string, what: string, label?: string) => HTMLElement
	type text = (text: string) => string
	type store = (long?: boolean) => Storage
	type kept = (key: string, long?: boolean) => string | null
	type keep = (key: string, value: string | null, long?: boolean) => void
	type tabs = (name: string, panes: Pane[], kind?: string, more?: Child, then?: () => unknown) => HTMLElement
	type parse = (text: string) => any
	type reviver = (key: string, value: unknown, at?: { source?: string }) => unknown
	type stringify = (value: unknown) => string
	type replaced = (text: string, pattern: RegExp, make: (found: RegExpExecArray) => Child) => Child
	type code = (text: string, name: string) => HTMLElement
	type block = (text: string, what: string, name?: string) => HTMLElement
	type markdown = (text: string) => HTMLElement
	type inline = (text: string) => Child
	type link = (url: string, label: Child, external?: boolean) => HTMLElement
	type slug = (text: string, gap: string) => string
	type plural = (n: number, one: string, many?: string) => string

	// model
	type own = <T>(of: Record<string, T> | undefined, name: string) => T | undefined
	type body = (schema: Schema) => Schema
	type constants = (schema?: Schema) => unknown[]
	type read = (schema: Schema) => Shape
	type Label = (string | { type: string })[]
	type listed = (all: Schema[], by?: string) => Label
	type labels = (shape: Shape) => Label
	type label = (schema: Schema) => Label
	type called = (schema: Schema) => string
	type patterns = (schema: Schema) => string[]
	type zone = (of: Schema) => string | undefined
	type sizes = (shape: Shape) => number[]
	type limits = (shape: Shape) => Record<string, any>
	type span = (low: any, high: any, unit?: string) => string | false
	type words = (shape: Shape) => string[]
	type isObject = (value: unknown) => value is Record<string, any>
	type typeOf = (value: any) => string
	type types = (schema: Schema) => string[]
	type suits = (schema: Schema, value: unknown) => boolean
	type check = (schema: Schema, value: unknown) => Issue[]
	type walk = (schema: Schema, value: any, path: Path, issues: Issue[]) => unknown
	/** Tells that something is wrong: the code, the one param of its text, the place. */
	type tell = (code: string, param?: unknown, where?: Path, shown?: unknown) => void
	type fits = (pattern: string, value: string) => boolean
	type rule = (shape: Shape, value: any, tell: tell) => void
	type exact = (each: any, by?: string) => any
	type breaks = (limit: any) => unknown
	type measure = (form: string, text: string) => number | bigint
	type sample = (schema: Schema, nth?: number, around?: string[]) => any
	type candidates = (shape: Shape) => Generator<unknown>
	type lasting = (seconds: number) => string
	type counted = (limit: unknown) => number
	type written = (from: number, n: number, limit: unknown) => unknown
	type spell = (source: string, more: number) => string
	type match = (expression: RegExp) => string[]
	type to = (kind: string, name: string) => { href: string, text: string }
	type failures = () => [string, Failure][]
	type groups = () => [string, [string, Route][]][]
	type usesOf = (name: string) => Use[]
	type look = (schema: unknown, kind: string, user: string, as: string) => void
	type search = (query: string) => Entry[]
	type entry = (kind: string, path: string, title: string, note: string, name?: string, more?: string) => Entry
	type rank = (entry: Entry) => number

	// form
	type small = (label: string, onclick: () => void, name?: string, pressed?: boolean) => HTMLElement
	type verdict = (status: number, text: Child) => HTMLElement
	type put = (into: object, key: string | number, value: unknown) => unknown
	type tryIt = (name: string, route: Route) => HTMLElement
	type review = (told?: Issue[]) => number
	type control = (spot: Spot) => HTMLElement
	type set = (next: any, again?: boolean) => void
	type line = (value: string, take: (raw: string) => void, long?: boolean, type?: string) => HTMLInputElement
	type choose = (options: string[], chosen: number, take: (index: number) => unknown, none?: string, name?: string | null) => HTMLElement
	type those = (all: Field[]) => Child
	type nth = (schema: Schema, index: number, fixed?: boolean) => Child
	type more = (made: () => unknown) => Child
	type again = (next: [string, unknown][]) => void
	type show = (answer: Response, bytes: ArrayBuffer, ms: number) => void
	type fit = (route: Route, status: number, body: any) => Issue[]
	type snippets = (name: string, route: Route, value: any) => HTMLElement
	/** What clients call a route, a type or a field of that name, as contract.codegen.names has it, but for names that clash. */
	type word = (text: string) => string
	/** Parts on one line, or on one each where that is too long: then every part ends in a comma, and *close* needs none. */
	type wrap = (open: string, parts: string[], close: string, pad: string) => string
	type print = (schema: Schema, value: any, uses: Set<string> | null, pad: string) => string
	type inner = (schema: Schema, value: unknown) => string

	// pages
	type page = (title: string, lead: Child, ...rest: Child[]) => HTMLElement
	type section = (title: string, ...rest: Child[]) => HTMLElement
	type rows = (all: Child[], none: string) => HTMLElement
	type row = (to: { href: string, text: string }, note: Child, ...more: Child[]) => HTMLElement
	type mark = (text: Child, style?: string, title?: string | null) => HTMLElement
	type marks = (route: Route, short?: boolean) => Child
	type missing = (what: string, name: string) => HTMLElement
	type generate = (file: string) => () => Child
	type as = (token: string) => object | false
	type file = (path: string, config: unknown) => () => Child
	type linked = (schema: Schema) => HTMLElement
	type json = (value: unknown) => string
	type values = (all: unknown[]) => HTMLElement
	type tree = (schema: Schema, sent: boolean) => Child
	type leaf = (name: string, schema: Schema, flag: Child, sent: boolean) => HTMLElement
	type folded = (summary: string, make: () => Child) => HTMLElement
	type typed = (name: string, schema: Schema, sent: boolean) => HTMLElement
	type failure = (each: [string, Failure]) => HTMLElement
	type named = (name: string) => HTMLElement
	type told = (name: string, route: Route) => string
	type fenced = (title: string, value: unknown) => string
	type users = (code: string) => [string, Route][]
	type routesPage = (tag?: string) => HTMLElement
	type list = (of: [string, Route][]) => HTMLElement

	// main
	type colour = (text: string) => Rgb
	type light = (colour: Rgb) => number
	type contrast = (one: Rgb, two: Rgb) => number
	type mix = (from: Rgb, to: Rgb, part: number) => Rgb
	type end = (ground: Rgb) => Rgb
	type readable = (wanted: Rgb, grounds: Rgb[], least?: number) => Rgb
	type paints = (where: string, base: Rgb) => string
	type shut = (event: { target: any, currentTarget: any }) => unknown
	type away = (link: PageLink) => HTMLElement
	type anchor = (href: string, ...label: Child[]) => HTMLElement
	type go = (next: number) => void
}
