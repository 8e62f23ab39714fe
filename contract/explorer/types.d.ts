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

/** A value on its way through a check: where it is, and how something inside it is checked, or told to be wrong. */
interface Visit { shape: Shape, value: any, path: Path, issues: Issue[], tell: Fn.tell, next: (of: Schema, key: string | number) => void }
/** What is known where a value is thought up. */
interface Making { shape: Shape, nth: number, deep: boolean, inside: string[] }
/** How what has an order is counted and written. */
interface Scale { read: (limit: any) => number, write: (from: number, n: number, limit?: unknown) => unknown, between: (middle: number) => unknown }
/** An expression that is read, and how far. */
interface Reader { source: string, at: number, more: number }

/** Where a part of an input stands in the form. */
interface Place { note: HTMLElement, input?: HTMLElement }
/** A part of an input in the form, and how it is changed. */
interface Spot { schema: Schema, path: Path, value: any, title: string, put: (value: any) => void, required?: boolean, remove?: () => void }

/** What a form belongs to. */
interface Form { places: Map<string, Place>, changed: (path: Path) => void }
/** A control of a form: what it is for, and what it is drawn in. */
interface Control { form: Form, spot: Spot, shape: Shape, here: HTMLElement, key: string, now: any, nests: boolean }
/** A call on a page: the input as it stands, and the elements that show how far it is. */
interface Trial extends Form {
	name: string, route: Route, text: string, broken: string, value: any, touched: Set<string>, tried: boolean, running?: AbortController
	views: HTMLElement, codes: HTMLElement, past: HTMLElement, list: HTMLElement, told: HTMLElement, result: HTMLElement, answer: HTMLElement
	button: HTMLButtonElement, secret: HTMLInputElement, link: HTMLElement
}

type Attribute = string | number | boolean | null | undefined

/** Attributes and listeners of an element: whatever is not named here, `h` is not given. */
interface Props extends Partial<Record<
	| "class" | "id" | "href" | "src" | "alt" | "title" | "role" | "type" | "for" | "value" | "placeholder" | "tabindex" | "rel" | "target"
	| "dir" | "start" | "loading" | "disabled" | "hidden" | "checked" | "selected" | "rows" | "spellcheck" | "autocomplete" | `aria-${string}`, Attribute
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
	type small = (label: string, onclick: () => void, name?: string, pressed?: boolean) => HTMLElement
	type say = (text: string) => any
	type copier = (text: () => string, what: string, label?: string, sign?: string) => HTMLElement
	type text = (text: string) => string
	type store = (long?: boolean) => Storage
	type kept = (key: string, long?: boolean) => string | null
	type keep = (key: string, value: string | null, long?: boolean) => void
	type tabs = (name: string, panes: Pane[], kind?: string, more?: Child, then?: () => unknown) => HTMLElement
	type go = (at: number) => void
	type parse = (text: string) => any
	type reviver = (key: string, value: unknown, at?: { source?: string }) => unknown
	type stringify = (value: unknown) => string
	type replaced = (text: string, pattern: RegExp, make: (found: RegExpExecArray) => Child) => Child
	type block = (text: string, what: string, name?: string) => HTMLElement
	type link = (url: string, label: Child, external?: boolean) => HTMLElement
	type slug = (text: string, gap: string) => string
	type plural = (n: number, one: string, many?: string) => string

	// markdown
	type markdown = (text: string) => HTMLElement
	type inline = (text: string) => Child
	type test = (line: string) => boolean
	type blocks = (lines: string[], depth: number) => Child[]
	/** How many of the lines the first block takes, and the block. */
	type Block = [count: number, made?: Child]
	type oneBlock = (lines: string[], depth: number) => Block
	type someBlock = (lines: string[]) => Block
	type until = (lines: string[], ends: test) => number
	type itemOf = (lines: string[], depth: number) => Child
	type picture = (src: string, alt: string) => Child

	// contract
	type own = <T>(of: Record<string, T> | undefined, name: string) => T | undefined
	type place = (...parts: string[]) => string
	type to = (kind: string, name: string) => { href: string, text: string }
	type toolOf = (route: Route) => Route["mcp"]
	type failures = () => [string, Failure][]
	type general = (route: Route) => [string, Failure][]
	type groups = () => [string, [string, Route][]][]
	type look = (all: Map<string, Map<string, Use>>, schema: unknown, kind: string, user: string, as: string) => void
	type usesOf = (name: string) => Use[]
	type entry = (kind: string, href: string, title: string, note: string, more?: string) => Entry
	type search = (query: string) => Entry[]
	type rank = (entry: Entry) => number

	// schema
	type body = (schema: Schema) => Schema
	type constants = (schema?: Schema) => unknown[]
	type read = (schema: Schema) => Shape
	type unwrap = (shape: Shape) => boolean
	type kindOf = (shape: Shape) => Shape["kind"]
	type readCases = (shape: Shape) => void
	type fieldsOf = (schema: Schema) => Field[]
	type formOf = (schema: Schema) => string | undefined
	type about = (schema: Schema) => string | undefined
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
	type counts = (shape: Shape) => string | false
	type words = (shape: Shape) => string[]
	type expressions = (shape: Shape) => string[]
	type isObject = (value: unknown) => value is Record<string, any>
	type typeOf = (value: any) => string
	type types = (schema: Schema) => string[]
	type suits = (schema: Schema, value: unknown) => boolean

	// check
	type check = (schema: Schema, value: unknown) => Issue[]
	type issue = (code: string, path: Path, param: unknown, shown: unknown) => Issue
	type walk = (schema: Schema, value: any, path: Path, issues: Issue[]) => unknown
	/** Tells that something is wrong: the code, the one param of its text, the place. */
	type tell = (code: string, param?: unknown, where?: Path, shown?: unknown) => any
	type visit = (visit: Visit) => any
	type different = (item: Schema, values: any[]) => number
	type fits = (pattern: string, value: string) => boolean
	type counted = (visit: Visit, unit: string, size: number) => boolean
	type exact = (each: any, by?: string) => any
	type breaks = (limit: any) => unknown
	type measure = (form: string, text: string) => number | bigint
	type measured = (text: string) => number | bigint

	// sample
	type sample = (schema: Schema, nth?: number, around?: string[]) => any
	type ends = (making: Making, schema: Schema) => boolean
	type turns = (making: Making) => number[]
	type made = (making: Making) => unknown
	type candidates = (shape: Shape) => Generator<unknown, void>
	type scaled = (shape: Shape) => Scale
	type lasting = (seconds: number) => string
	type spell = (source: string, more: number) => string
	type take = (reader: Reader, expression: RegExp) => string[]
	type spelled = (reader: Reader) => string
	type times = (reader: Reader) => number

	// form
	type control = (form: Form, spot: Spot) => HTMLElement
	type set = (self: Control, next: any, focus?: focus) => void
	/** What is focused in a part of a form. */
	type focus = (part: Element | null | undefined) => HTMLElement | null | undefined
	type draw = (self: Control) => void
	type head = (self: Control, labels: boolean) => HTMLElement
	type hintOf = (self: Control) => HTMLElement | undefined
	type line = (value: string, take: (raw: string) => void, long?: boolean, type?: string) => HTMLInputElement
	type choose = (options: string[], chosen: number, take: (index: number) => unknown, none: string, name?: string | null) => HTMLElement
	type input = (self: Control) => HTMLElement
	type those = (self: Control, all: Field[]) => Child
	type put = (into: object, key: string | number, value: unknown) => unknown
	type nth = (self: Control, schema: Schema, index: number, fixed?: boolean) => Child
	type more = (self: Control, made: () => unknown) => Child
	type inside = (self: Control) => Child
	type rename = (self: Control, index: number, name: string) => void

	// call
	type verdict = (status: number, text: Child) => HTMLElement
	type tryIt = (name: string, route: Route, given?: string | null) => HTMLElement
	type ofTrial = (trial: Trial) => HTMLElement
	type takeText = (trial: Trial, text: string) => void
	type review = (trial: Trial, said?: Issue[]) => number
	type tellAt = (trial: Trial, issue: Issue) => void
	type send = (trial: Trial, anyway?: boolean) => Promise<unknown>
	type ask = (trial: Trial, mine: AbortController, began: number) => Promise<number>
	type show = (trial: Trial, answer: Response, bytes: ArrayBuffer, ms: number) => void
	type fit = (route: Route, status: number, body: any) => Issue[]

	// snippets
	type snippets = (name: string, route: Route, value: any) => HTMLElement
	type snippet = (route: Route, value: any) => string
	type namedSnippet = (name: string, route: Route, value: any) => string
	type wrap = (open: string, parts: string[], close: string, pad: string) => string
	type chosen = (shape: Shape, value: any) => Schema | undefined
	type print = (schema: Schema, value: any, uses: Set<string> | null, pad: string) => string
	type inner = (schema: Schema, value: unknown) => string
	type nested = (shape: Shape, value: any, uses: Set<string> | null, pad: string, inner: inner) => string
	type scalarText = (shape: Shape, value: any, uses?: Set<string>) => string

	// pages
	type page = (title: string, lead: Child, ...rest: Child[]) => HTMLElement
	type anchor = (name: string, where: string) => HTMLElement
	type section = (title: string, where: string | null, ...rest: Child[]) => HTMLElement
	type rows = (all: Child[], none: string) => HTMLElement
	type row = (to: { href: string, text: string }, note: Child, ...more: Child[]) => HTMLElement
	type mark = (text: Child, style?: string, title?: string | null) => HTMLElement
	type marks = (route: Route, short?: boolean) => Child
	type missing = (what: string, name: string) => HTMLElement
	type pane = (file: string) => () => Child
	type clients = (url: string, bearer: boolean) => Pane[]
	type as = (token: string) => object | false
	type file = (path: string, config: unknown) => () => Child
	type linked = (schema: Schema) => HTMLElement
	type json = (value: unknown) => string
	type values = (all: unknown[]) => HTMLElement
	type tree = (schema: Schema, sent: boolean, where: string[]) => Child
	type flag = (required: boolean) => Child
	type leaf = (name: string, schema: Schema, flag: Child, sent: boolean, where: string[]) => HTMLElement
	type folded = (summary: string, make: () => Child) => HTMLElement
	type typed = (name: string, schema: Schema, sent: boolean, where: string[]) => HTMLElement
	type failure = (code: string, failure: Failure, where: string[]) => HTMLElement
	type failureList = (all: [string, Failure][]) => HTMLElement
	type named = (name: string) => HTMLElement
	type routePage = (name: string, given?: string | null) => HTMLElement
	type routeHead = (name: string, route: Route) => Child
	type parts = (...parts: string[]) => string[]
	type users = (code: string) => [string, Route][]
	type routesPage = (tag?: string) => HTMLElement
	type list = (of: [string, Route][]) => HTMLElement
	type errorRow = (each: [string, Failure]) => HTMLElement

	// theme
	type colour = (text: string) => Rgb
	type light = (colour: Rgb) => number
	type contrast = (one: Rgb, two: Rgb) => number
	type mix = (from: Rgb, to: Rgb, part: number) => Rgb
	type end = (ground: Rgb) => Rgb
	type readable = (wanted: Rgb, grounds: Rgb[], least?: number) => Rgb
	type paints = (where: string, base: Rgb, accent: string) => string

	// main
	type shut = (event: { target: any, currentTarget: any }) => void
	type away = (link: PageLink) => HTMLElement
	type header = (menu: () => void, pinned: boolean) => HTMLElement
	type sideLink = (href: string, ...label: Child[]) => HTMLElement
	type sideItem = (each: [string, Route]) => HTMLElement
	type filters = (items: [HTMLElement, Route][], parts: HTMLElement[], none: HTMLElement) => Child
	type pageOf = (kind: string, name: string, input: string | null) => HTMLElement
	type open = (kind: string, name: string, input: string | null, page: string) => void
	type reveal = (path: string[], parts: string[]) => boolean
	type unfold = (within: HTMLElement) => void
}
