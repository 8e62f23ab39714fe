/** Types of the modules in assets/, for readers and for `tsc --checkJs`; not served. */

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
	path: string, group?: string, summary: string, description?: string, tags: string[], auth: string, requires?: string[], scope: string
	effect: string
	signed?: string
	cache?: { max_age: number, vary?: string[] }
	pages?: boolean
	files?: Record<string, Brought>
	/** How long the output of a read is kept that is also served at GET, in words: "" for a file. */
	gets?: string
	/** The same files, told as if they were fields. */
	brought: Member[]
	/** The credentials of which a call sends one, where a bearer token is not the only one. */
	ways?: string[]
	deprecated?: { since?: string, remove_on?: string, use?: string }
	input: Schema, output: Schema, errors: Record<string, Failure>
	/** The failures that may come between the items of a stream, whose items are the output then. */
	between?: Record<string, Failure>
	/** The media types of the file that is the output. */
	media?: string[]
	mcp?: { name: string, title: string, annotations: Record<string, boolean> }
}
/** A file that a call brings, or several. */
interface Brought { description?: string, media?: string[], max_bytes: number, max_files?: number, required: boolean }
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
	events?: Record<string, { summary: string, description?: string, message: Schema }>
	ways?: Record<string, { in: "header" | "cookie" }>
}
interface Field { name: string, schema: Schema, required: boolean }
interface Member extends Field { at: string }

/** What a schema means; `of` is the schema behind references and null, `name` the type that it goes by. */
interface Shape {
	kind: "any" | "null" | "boolean" | "integer" | "number" | "text" | "choice" | "list" | "tuple" | "map" | "record" | "tagged" | "union" | "file"
	of: Schema, name?: string, nullable: boolean, form?: string, told?: string, fields: Field[], parts: Schema[], item: Schema, tag: string, tags: unknown[], values: any[]
}
type Path = (string | number)[]
interface Issue { path: Path, code: string, message: string, params?: Record<string, any> }

type Child = string | number | Node | null | undefined | false | Child[]
/** What has come of a stream: how many items, what is wrong with them, and the line that ended it. */
interface Seen { count: number, lies: Issue[], end?: { end?: true, error?: string } }
/** What tabs show, by their labels. */
type Panes = Record<string, () => Child>
interface Use { href: string, text: string, as: string }
interface Entry { kind: string, href: string, title: string, note: string, key: string }
interface Call { name: string, at: number, status: number, ms: number, text: string }
type Rgb = number[]

/** A value on its way through a check: where it is, and how something inside it is checked, or told to be wrong. */
interface Visit { shape: Shape, value: any, issues: Issue[], tried?: boolean, tell: contract.tell, next: (of: Schema, key?: string | number, each?: unknown) => unknown }
/** What is known where a value is thought up, how one inside it is, and whether a type ends there. */
interface Making { shape: Shape, nth: number, deep: boolean, next: (schema: Schema, nth?: number) => any, ends: (schema: Schema) => boolean }
/** How what has an order is counted and written. */
interface Scale { write: (from: number, n: number, limit?: unknown) => unknown, between: (middle: number) => unknown }
/** An expression that is read, and how far. */
interface Reader { source: string, at: number, more: number }

/** Where a part of an input stands in the form. */
interface Place { note: HTMLElement, input?: HTMLElement }
/** A part of an input in the form, and how it is changed. */
interface Spot { schema: Schema, path: Path, value: any, title: string, put: (value: any) => void, required?: boolean, remove?: () => void }

/** What a form belongs to. */
interface Form {
	places: Map<string, Place>, changed: (path: Path) => void
	/** The inputs of files, by the names of their parts: a browser gives no file back once it is let go, so no draft and no link has them. */
	picks: Record<string, HTMLInputElement>
}
/** A control of a form: what it is for, and what it is drawn in. */
interface Control extends Spot { form: Form, shape: Shape, here: HTMLElement, key: string, now: any, nests: boolean }
/** A call on a page: the input as it stands, and the elements that show how far it is. */
interface Trial extends Form {
	name: string, route: Route, text: string, broken: string, value: any, touched: Set<string>, tried: boolean, running?: AbortController
	views: HTMLElement, files: HTMLElement, codes: HTMLElement, past: HTMLElement, list: HTMLElement, told: HTMLElement, result: HTMLElement, answer: HTMLElement
	button: HTMLButtonElement, secret: ReturnType<tools.textBox>, link: HTMLElement
}

/** What browsers have, and the compiler does not know yet. */
interface JSON { rawJSON?: (text: string) => unknown }

type Attribute = string | number | boolean | null | undefined

/** Attributes and listeners of an element: whatever is not named here, `h` is not given. */
interface Props extends Partial<Record<
	| "class" | "id" | "href" | "src" | "alt" | "title" | "role" | "type" | "for" | "value" | "placeholder" | "tabindex" | "rel" | "target"
	| "viewBox" | "d" | "dir" | "start" | "loading" | "disabled" | "hidden" | "checked" | "selected" | "rows" | "spellcheck" | "accept" | "multiple" | "autocomplete" | `aria-${string}`, Attribute
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

/*
 * What the functions and tables of the modules are, as in the header of a library: a module finds them here under its
 * own name, and a declaration under its own. The modules themselves stay free of types and say why, not what.
 * tests/browser/test_modules.py puts these types into the modules before it lets TypeScript read them.
 */

declare namespace call {
	/** Calls of this session that can be repeated. */
	/** What is longer is not an address any more that every program passes on. */
	type LINK = number
	type PAST = number
	type calls = () => Call[]
	type verdict = (status: number, text: Child) => HTMLElement
	/** What calls a route; an input that is *given*, by the address, goes before a draft. */
	type trial = Trial
	type props = Props
	type tryIt = (name: string, route: Route, given?: string | null) => HTMLElement
	type OfTrial = (trial: Trial) => HTMLElement
	type asForm = OfTrial
	/** In memory, and with the session only where its owner says so; never in an address. */
	type token = string
	/** API keys by their headers, in memory alone. */
	type keys = Record<string, string>
	/** A field for each credential that the route takes. */
	type tokenOf = (trial: Trial) => Child
	/** The field for a credential, by its way in. */
	type fieldOf = (trial: Trial) => (way: string) => HTMLElement
	/** The header with the first credential that was entered. */
	type credentialOf = (route: Route) => Record<string, string> | undefined
	type bearerOf = OfTrial
	type TakeText = (trial: Trial, text: string) => void
	type take = TakeText
	/** Begin with an input, and give the button that does so with another. */
	type restore = (trial: Trial, text: string) => HTMLElement
	type oninput = Props["oninput"]
	/** What is wrong where files are missing that a call has to bring. */
	type lacking = (trial: Trial) => Issue[]
	type formOf = (trial: Trial) => FormData
	/** An address that opens with this input; the token is not part of it. */
	type linkOf = (trial: Trial) => string
	/** Say what is wrong, where it is: what the server *said*, or what it would say. */
	type review = (trial: Trial, said?: Issue[]) => number
	type TellAt = (trial: Trial, issue: Issue) => void
	/** Tell an issue at its field, or at the nearest around it. */
	type tell = TellAt
	/** Show the answer, and scroll to it where it is out of sight. */
	type uncover = (answer: HTMLElement) => void
	type send = (trial: Trial, anyway?: boolean) => Promise<unknown>
	/** Send it, show what comes back, and give its status; 0 where nothing comes. */
	type ask = (trial: Trial, mine: AbortController, began: number) => Promise<number>
	type receive = (trial: Trial, answer: Response, body: ArrayBuffer, began: number) => Promise<void>
	/** What a file holds, as a URL: the policy of the page shows pictures by no other. */
	type dataOf = (file: Blob) => Promise<string>
	type follow = (trial: Trial, answer: Response, began: number) => Promise<void>
	type hear = (line: string) => void
	type lines = (answer: Response, take: (line: string) => void) => Promise<void>
	type ended = (trial: Trial, answer: Response, seen: Seen, ms: number) => void
	type show = (trial: Trial, answer: Response, bytes: ArrayBuffer, ms: number) => void
	type unauthorized = OfTrial
	type turned = (trial: Trial, input: object) => void
	type breach = (lies: Issue[]) => HTMLElement
	/** What an answer has that the contract does not say. */
	type fit = (route: Route, status: number, body: any) => Issue[]
	type lie = (message: string, code?: string) => Issue[]
	/** Nothing runs: the next call can be made, and those before it repeated. */
	type ready = (trial: Trial) => void
	type panesOf = (trial: Trial) => Panes
	type control = (form: Form, spot: Spot) => HTMLElement
	/** What is focused in a part of a form. */
	type Focus = (here: Element) => HTMLElement | null
	/** Give a part another value; where it is drawn anew, *focus* says where the focus goes. */
	type set = (self: Control, next: any, Focus?: Focus) => void
	type first = Focus
	type nested = Focus
	type toggle = Focus
	type chooser = Focus
	/** The item at an index, or the last, or where there is none what adds one. */
	type itemAt = (index: number) => Focus
	type draw = (self: Control) => void
	type head = (self: Control, labels: boolean) => HTMLElement
	/** What is to be known of a part before it is filled in. */
	type hintOf = (self: Control) => HTMLElement | undefined
	/** A field for a text, of that *type*; of several lines where it has none. */
	type line = (value: string, change: (text: string) => void, type?: string | null) => ReturnType<tools.textBox>
	type choose = (options: string[], chosen: number, take: (index: number) => unknown, none: string, name?: string | null) => HTMLElement
	type Input = (self: Control) => HTMLElement
	/** A part as JSON, since it does not fit the form. */
	type raw = Input
	type scalar = Input
	type places = () => any[]
	type those = (self: Control, all: Field[]) => Child
	type put = (into: object, key: string | number, value: unknown) => unknown
	type nth = (self: Control, schema: Schema, index: number, fixed?: boolean) => Child
	type more = (self: Control, made: () => unknown) => Child
	type Inside = (self: Control) => Child
	type list = Inside
	type tuple = Inside
	type map = Inside
	type rename = (self: Control, index: number, name: string) => void
	/** A union: what it is of, and that. */
	type either = Inside
	type INSIDE = Record<string, Inside>
	type button = (label: string, next: () => unknown, focus: Focus, name?: string) => HTMLElement
	type option = (each: string, index: number) => HTMLElement
	type onchange = Props["onchange"]
	/** What stands at a key or an index. */
	type inside = (self: Control, key: string | number, schema: Schema, more: Partial<Spot>) => HTMLElement
	type change = (next: any) => unknown
	type pick = (index: number) => void
	type snippets = (name: string, route: Route, value: any) => HTMLElement
	type Text = (text: string) => string
	/** How the client comes into that file, from which the code imports it. */
	type generate = Text
	type takesNothing = (route: Route) => boolean
	type quoted = Text
	type Snippet = (route: Route, value: any) => string
	type credential = (route: Route) => string
	type curl = Snippet
	type get = Snippet
	type NamedSnippet = (name: string, route: Route, value: any) => string
	type isUsed = (each: string) => boolean
	type python = NamedSnippet
	type typescript = NamedSnippet
	type word = Text
	/** An identifier; in Python, `word` is one. */
	type plain = Text
	/** How a client calls a route: by its group, where it is in one. */
	type member = (name: string, route: Route, as: Text) => string
	/** Parts on one line; or each on one of its own, with a comma, so that *close* needs none. */
	type wrap = (open: string, close: string, parts: string[], pad: string) => string
	type MAKERS = Record<string, string>
	/** Of a union, the part that *value* is of. */
	type chosen = (shape: Shape, value: any) => Shape
	/** A value in TypeScript; in Python where there is a set for the names that it *uses*. */
	type print = (schema: Schema, value: any, uses: Set<string> | null, pad: string) => string
	type inner = (schema: Schema, value: unknown) => string
	type Nested = (shape: Shape, value: any, uses: Set<string> | null, inner: inner) => [open: string, close: string, parts: string[]]
	type items = Nested
	type entries = Nested
	type keyOf = (key: string) => string
	type ScalarText = (shape: Shape, value: any, uses?: Set<string>) => string
	type typescriptScalar = ScalarText
	type pythonScalar = ScalarText
	/** A text of the author's on one line: it begins no heading and no item. */
	type oneLine = Text
	/** Rules in words; in place of an expression, a text that matches. */
	type rulesOf = (schema: Schema) => string[]
	type fieldLine = (name: string, schema: Schema, flag: string) => string
	/** What is in a type, on a line each. */
	/** The lines of its fields, and of *more*. */
	type fieldList = (schema: Schema, more?: Member[]) => string
	/** The names of the types that a schema refers to. */
	type referred = (schema: unknown, found: Set<string>) => Set<string>
	type errors = (all: [string, Failure][]) => string
	type brief = (name: string, route: Route) => string
	type part = (each: unknown, index: number) => string
	type one = (each: [string, Failure]) => string
}

declare namespace contract {
	type doc = Contract
	/** Where the contract is, and the routes ("" where that is not known). */
	type at = { contract: string, base: string }
	type Say = (text: string) => any
	type load = Say
	/** A file as a field, of a type that no schema has. */
	type brought = (part: [string, Brought]) => Member
	type own = <T>(of: Record<string, T> | undefined, name: string) => T | undefined
	type Text = (text: string) => string
	type urlOf = Text
	/** An address within the page: of a page, of a part of it, of a field in that. */
	type place = (...parts: string[]) => string
	type to = (kind: string, name: string) => { href: string, text: string }
	/** The tool that a route is for agents, where the service has an endpoint for them. */
	type toolOf = (route: Route) => Route["mcp"]
	/** The names of the credentials of which a call sends one. */
	type waysOf = (route: Route) => string[]
	/** The place of a credential that is not a bearer token. */
	type isIn = (way?: string) => "header" | "cookie" | undefined
	/** The header that holds a credential, with a *mark* before what is to be put in. */
	type credentialLine = (way: string, mark?: string) => string
	/** All codes: those of this service first, then those of any. */
	type failures = () => [string, Failure][]
	/** What a route may answer with beside the codes that it declares. */
	type general = (route: Route) => [string, Failure][]
	/** Routes by their group, or their first tag; those without one come last. */
	type groups = () => [string, [string, Route][]][]
	type uses = Map<string, Map<string, Use>> | undefined
	/** Note who refers to which types, in a part of the contract. */
	type look = (all: Map<string, Map<string, Use>>, schema: unknown, kind: string, user: string, as: string) => void
	/** Where a type is used. */
	type usesOf = (name: string) => Use[]
	type entries = Entry[] | undefined
	type entry = (kind: string, title: string, note?: string, more?: string, href?: string) => Entry
	type inside = (type: [string, Schema]) => Entry[]
	type findEntries = () => Entry[]
	type more = (route: Route) => string
	/** What has all words of *query*; first what is called so, then what begins so. */
	type search = (query: string) => Entry[]
	type rank = (entry: Entry) => number
	type body = (schema: Schema) => Schema
	type shapes = WeakMap<Schema, Shape>
	/** Forms of texts that have no format of JSON Schema's. */
	type FORMS = Record<string, string>
	type constants = (schema?: Schema) => unknown[]
	/** What a schema means. */
	type read = (schema: Schema) => Shape
	type shape = Shape
	/** Take away references and null, and say whether a union is left. */
	type unwrap = (shape: Shape) => boolean
	type kindOf = (shape: Shape) => Shape["kind"]
	/** Read the records of a union, by the constant in the field that tells them apart. */
	type readTags = (shape: Shape) => void
	type fieldsOf = (schema: Schema) => Field[]
	/** The parts of a record, a tuple or a union; *at* is what each is called in an address. */
	type members = (shape: Shape) => Member[]
	type formOf = (schema: Schema) => string | undefined
	/** What the author says of a part; what is said of a record itself stands on its page. */
	type about = (schema: Schema) => string | undefined
	type Label = (string | { type: string })[]
	type listed = (all: Schema[], by?: string) => Label
	type Labels = (shape: Shape) => Label
	type LABELS = Record<string, Labels>
	/** What a type is called, names of types as objects. */
	type label = (schema: Schema) => Label
	type called = (schema: Schema) => string
	type titles = Map<string, string>
	/** The name of a type, as `Page[Order]` where it is made of a generic one. */
	type titled = (name: string) => string
	type patterns = (schema: Schema) => string[]
	/** The offset that all of its moments have. */
	type zone = (of: Schema) => string | undefined
	/** The least and the most of something that is counted. */
	type sizes = (shape: Shape) => number[]
	type limits = (shape: Shape) => Record<string, any>
	type span = (low: any, high: any, unit?: string) => string | false
	type counts = (shape: Shape) => string | false
	/** The rules of a type in words, but for the expressions that a text has to match. */
	type words = (shape: Shape) => string[]
	/** The expressions that a text, or each of a list, has to match; a form has a name instead. */
	type expressions = (shape: Shape) => string[]
	type isObject = (value: unknown) => value is Record<string, any>
	/** Its JSON type. */
	type typeOf = (value: any) => string
	type TYPES = Record<string, string>
	/** The JSON types that a schema takes. */
	type types = (schema: Schema) => string[]
	/** Whether it may be of that schema, going by its type alone. */
	type suits = (schema: Schema, value: unknown) => boolean
	/** All rules of a type. */
	type rules = (shape: Shape) => string[]
	type tells = (name: string) => boolean
	type spare = (key: string, rules: unknown[]) => number
	type check = (schema: Schema, value: unknown) => Issue[]
	/** An issue, with as much of its path as the server tells. */
	type issue = (code: string, path: Path, params: Record<string, any>) => Issue
	/** Tell what is wrong; of a member of a union that is *tried*, less. */
	type walk = (schema: Schema, value: any, path: Path, issues: Issue[], tried?: boolean) => unknown
	type along = (key?: string | number) => Path
	type issues = Issue[]
	type next = Visit["next"]
	/** Tells that something is wrong: the code, its params, the key of what is inside. */
	type tell = (code: string, params?: Record<string, any>, key?: string | number) => any
	/** The params that say which values are allowed, and of one that is not what it is, or which one was meant. */
	type listing = (allowed: unknown[]) => Record<string, any>
	type stranger = (value: any, allowed: any[]) => Record<string, any>
	type Visitor = (visit: Visit) => any
	type union = Visitor
	/** How near a value is to the member of a union that has this to say of it. */
	type nearness = (issue: any) => number
	type isListed = (issue?: any) => boolean
	type nameOf = (part: Schema) => any
	type tagged = Visitor
	type record = Visitor
	/** A list, a tuple or a map. */
	type many = Visitor
	type different = (item: Schema, values: any[]) => number
	type compiled = Map<string, RegExp | undefined>
	/** Whether a text matches; what is not an expression here is left to the server. */
	type fits = (pattern: string, value: string) => boolean
	type text = Visitor
	/** Tell of too few or too many characters or bytes, and give something true for either. */
	type counted = (visit: Visit, unit: string, size: number) => any
	type matched = Visitor
	/** A number, or a text that stands for something that has an order. */
	type bounded = Visitor
	type exact = (each: any, by?: string) => any
	type VISITS = Record<string, Visitor>
	type mistake = (pattern: string, form: string, text: string) => Record<string, any>
	type broken = (test: any[]) => any
	type tests = [string, string, (limit: any) => unknown][]
	/** What a text of a form stands for, as a number to compare; NaN where it stands for nothing. */
	type measure = (form: string, text: string) => number | bigint
	type Measured = (text: string) => number | bigint
	type decimal = Measured
	type duration = Measured
	/** Of a decimal: digits, and places to either side of the point. */
	/** In milliseconds, of which a part counts the microseconds. */
	type moment = (form: string, text: string) => number
	type good = (value: unknown) => boolean
	/** The *nth* value that is valid, where types are *around* it. */
	type sample = (schema: Schema, nth?: number, around?: string[]) => any
	type inner = Making["next"]
	type ends = Making["ends"]
	/** One for each item that there has to be; one where there may be some, unless it is deep inside. */
	type turns = (shape: Shape, deep: boolean) => number[]
	type Made = (making: Making) => unknown
	type MADE = Record<string, Made>
	/** What to try first. */
	type FIRST = Record<string, any>
	/** What may be valid. */
	type amount = (limit: any) => number
	type candidates = (shape: Shape) => Generator<unknown, void>
	type texts = candidates
	type Scaled = (shape: Shape) => Scale
	/** How moments are counted and written. */
	type momentsOf = Scaled
	type write = Scale["write"]
	/** How numbers, durations and decimals are counted and written. */
	type numbersOf = Scaled
	type lasting = (seconds: number) => string
	/** A text that an expression matches, with *more* turns of what may be repeated. */
	type spell = (source: string, more: number) => string
	type take = (reader: Reader, expression: RegExp) => string[]
	type Spelled = (reader: Reader) => string
	/** The alternatives up to the end of a group: the first, or where it is asked for more, another. */
	type either = Spelled
	type sequence = Spelled
	type character = (atom: string) => string
	/** How often the piece before is repeated. */
	type times = (reader: Reader) => number
}

declare namespace main {
	/** As many results of a search are shown as somebody may look at. */
	type SHOWN = number
	/** Whether there is something to say before the first route. */
	type hasHome = () => boolean
	type page = (title: string, lead: Child, ...rest: Child[]) => HTMLElement
	/** A link to a part of the page, which has its address as an id. */
	type anchor = (name: string, where: string) => HTMLElement
	/** A section; one that has an address can be linked to. */
	type section = (title: string, where: string | null, ...rest: Child[]) => HTMLElement
	type rows = (all: Child[], none: string) => HTMLElement
	type row = (to: { href: string, text: string }, note: Child, ...more: Child[]) => HTMLElement
	type mark = (text: Child, style?: string, title?: string | null) => HTMLElement
	type EFFECTS = Record<string, string>
	type TOKENS = Record<string, string>
	/** The credentials that a route takes, in words. */
	type asked = (route: Route) => string
	/** The marks of a route, as words or as signs. */
	type marks = (route: Route, short?: boolean) => Child
	type missing = (what: string, name: string) => HTMLElement
	type command = (file: string) => () => Child
	/** How each client of agents is told of the service. */
	/** The configuration of each client, whose credential is that of *way*. */
	type clients = (url: string, way?: string) => Panes
	type as = (token: string) => object | false
	type file = (path: string, config: unknown) => () => Child
	type server = file
	type linked = (schema: Schema) => HTMLElement
	type typeLink = (name: string) => HTMLElement
	type piece = (each: string | { type: string }) => Child
	/** What is in a type, at an address; *sent* is an input, of which is said what is required. */
	type tree = (schema: Schema, sent: boolean, where: string[], more?: Member[]) => Child
	type leaf = (name: string, schema: Schema, flag: Child, sent: boolean, where: string[]) => HTMLElement
	/** What is made once it is opened. */
	type folded = (summary: string, make: () => Child) => HTMLElement
	/** A type, at an address; of one that leads into it, the fields are shown. */
	type typed = (name: string, schema: Schema, sent: boolean, where: string[], more?: Member[]) => HTMLElement
	type routePage = (name: string, given?: string | null) => HTMLElement
	type routeHead = (name: string, route: Route) => Child
	type Named = (name: string) => HTMLElement
	type typePage = Named
	type users = (code: string) => [string, Route][]
	type errorPage = Named
	type routesPage = (tag?: string) => HTMLElement
	type choices = (all: unknown[]) => HTMLElement
	type failureList = (all: [string, Failure][], where: string[]) => HTMLElement
	type where = (part: string) => string[]
	type part = (title: string, at: any, ...rest: any[]) => Child
	type image = (mode: string, src: string) => HTMLElement
	type one = (each: [string, Failure]) => HTMLElement
	type list = (of: [string, Route][]) => HTMLElement[]
	/** Close the dialog around what was clicked. */
	type shut = (event: { target: any, currentTarget: any }) => void
	type away = (link: PageLink) => HTMLElement
	type header = (menu: () => void, pinned: boolean) => HTMLElement
	type skip = Props["onclick"]
	type anchors = Map<string, HTMLElement>
	type SideLink = (href: string, ...label: Child[]) => HTMLElement
	type sideLink = SideLink
	type SideItem = (each: [string, Route]) => HTMLElement
	type item = SideItem
	type filters = (items: [HTMLElement, Route][], parts: HTMLElement[], none: HTMLElement) => Child
	type Go = (at: number) => void
	type choose = Go
	type onkeydown = Props["onkeydown"]
	type RoutePage = (name: string, given?: string | null) => HTMLElement
	type PAGES = Record<string, [() => HTMLElement, RoutePage]>
	type heights = Map<string, number>
	type pageOf = (kind: string, name: string, input: string | null) => HTMLElement
	/** Show a page. A contract without an introduction opens with its first route. */
	type open = (kind: string, name: string, input: string | null, page: string) => void
	/** Go to a part of the page: what it is folded in is opened on the way. */
	type reveal = (path: string[], parts: string[]) => boolean
	type unfold = (within: HTMLElement) => void
	/** Of what is good or bad, and of code. */
	type INKS = Record<string, string>
	type colour = (text: string) => Rgb
	type light = (colour: Rgb) => number
	type contrast = (one: Rgb, two: Rgb) => number
	type mix = (from: Rgb, to: Rgb, part: number) => Rgb
	type end = (ground: Rgb) => Rgb
	/** What is nearest to *wanted* and can be read on all of *grounds*. */
	type readable = (wanted: Rgb, grounds: Rgb[], least?: number) => Rgb
	type Paints = (where: string, base: Rgb, accent: string) => string
	/** The colours on a ground, as a rule. */
	type rule = Paints
	/** Paint the page, and say whether the theme leaves no choice between light and dark. */
	type paint = () => boolean
	type items = [HTMLElement, Route][]
	type options = HTMLElement[]
	type found = HTMLElement | null
	/** What an address names: a page, parts of it one in the other, an input to fill in. */
	type address = () => { kind: string, name: string, parts: string[], input: string | null }
}

declare namespace sentences {
	/** What an issue says; nothing where there are no words for it, or a param is not given. */
	type sentence = (code: string, params: Record<string, any>) => string | undefined
	/** An issue of the server's in the words of the page. */
	type worded = (issue: Issue) => Issue
	type filled = (template: string, params: Record<string, any>) => string | undefined
	type WORDS = Record<string, (value: any, params: Record<string, any>) => any>
	type called = (name: string) => string
	type each = (name: string) => string
	type fits = (text: string, at: number) => boolean
	type nearest = (sent: any, names: any[]) => any
	type apart = (name: any) => number
	type part = (name: any) => boolean
	type letters = (name: any) => string
	type slipped = (one: string, other: string) => boolean
}

declare namespace tools {
	/** What *run* gives, or *otherwise* where it fails. */
	type attempt = <T, F = undefined>(run: () => T, otherwise?: F) => T | F
	/** *url* if it cannot run code: http, https, mailto, relative; of pictures also data. */
	type safe = (url: unknown, image?: boolean) => string | undefined
	/** An element, as `h("p.quiet", { title, onclick }, "text")`; what attributes there are, `Props` says. */
	type h = <T extends string>(selector: T, ...children: [] | [Props | Child, ...Child[]]) => Made<T>
	/** Put *children* where there was something else. */
	type fill = <P extends HTMLElement>(parent: P, ...children: Child[]) => P
	type ICONS = Record<string, string>
	type icon = (name: string) => Element
	type quiet = (...text: Child[]) => HTMLElement
	/** A field for a text: of several lines where it has no type. */
	type textBox = (props: Props) => HTMLInputElement | HTMLTextAreaElement
	type small = (label: string, onclick: () => void, name?: string, pressed?: boolean) => HTMLElement
	/** Say something to a screen reader. */
	type say = (text: string) => any
	type iconButton = (sign: string, label: string, onclick: () => unknown) => HTMLElement
	type copyByHand = (text: string, button: HTMLElement) => void
	/** A button that copies what *text* gives. */
	type copier = (text: () => string, what: string, label?: string, sign?: string) => HTMLElement
	type Text = (text: string) => string
	type stored = Text
	type store = (long?: boolean) => Storage
	/** What was kept for this tab, or for long. */
	type kept = (key: string, long?: boolean) => string | null
	/** Keep something, if the browser does; null takes it away. */
	type keep = (key: string, value: string | null, long?: boolean) => unknown
	/** Tabs. The one that is chosen is remembered for all of one *kind*. */
	type tabs = (name: string, panes: Panes, kind?: string, more?: Child, then?: () => unknown) => HTMLElement
	type Go = (at: number) => void
	type show = Go
	type choose = Go
	type onkeydown = Props["onkeydown"]
	type Reviver = (key: string, value: unknown, at?: { source?: string }) => unknown
	type exactly = Reviver
	/** JSON as it is: an integer of more than 53 bits is a bigint. */
	type parse = (text: string) => any
	/** A value to be read: a text as it is, any other as JSON. */
	type shown = (value: unknown) => string
	type stringify = (value: unknown) => string
	/** JSON laid out: each token as it is, what is short on one line. */
	type pretty = Text
	type lay = (token: string, ...kinds: string[]) => string
	/** *text* with what *make* gives for each match. */
	type replaced = (text: string, pattern: RegExp, make: (found: RegExpExecArray) => Child) => Child
	type coloured = (found: RegExpExecArray) => Child
	/** Code in colours, with a button that copies it; what is very long has none. */
	type block = (text: string, what: string, name?: string) => HTMLElement
	/** A link that leaves the page; of a URL that is not safe only the text. */
	type link = (url: string, label: Child, external?: boolean) => HTMLElement
	/** *text* as a name. */
	type slug = (text: string, gap: string) => string
	type plural = (n: number, one: string, many?: string) => string
	/** Any of some expressions, each of whose groups keeps its place. */
	type anyOf = (...all: RegExp[]) => RegExp
	/** JSON as a block. */
	type json = (value: unknown, what: string) => HTMLElement
	type Test = (line: string) => boolean
	/** What ends a paragraph, although no empty line stands before it. */
	type begins = Test
	type markdown = (text: string) => HTMLElement
	type blocks = (lines: string[], depth: number) => Child[]
	/** How many of the lines the first block takes, and the block. */
	type Block = [count: number, made?: Child]
	type out = Child[]
	type items = string[][]
	type OneBlock = (lines: string[], depth: number) => Block
	/** The block that *lines* begin with, after the count of its lines. */
	type next = OneBlock
	/** How deep lists and quotes may stand in each other. */
	type DEEPEST = number
	/** How many *lines* come before the first that *ends* what they begin. */
	type until = (lines: string[], ends: Test) => number
	type titled = (level: number, text: string) => Child
	type SomeBlock = (lines: string[]) => Block
	type fenced = SomeBlock
	/** Up to what begins something else; a line of = or - below makes it a heading. */
	type paragraph = SomeBlock
	/** Items are marked as the first is; what is indented further belongs to the item before. */
	type list = OneBlock
	type quote = OneBlock
	/** What is in an item: a box to tick, its text, and blocks where there are any. */
	type itemOf = (lines: string[], depth: number) => Child
	type cells = (line: string) => string[]
	type table = SomeBlock
	type line = (tag: "th" | "td", row: string[]) => Child
	/** A text of more characters than this is shown as it is. */
	type LONG = number
	type inline = (text: string) => Child
	/** A picture from here, or in the text; of others, which the policy does not let in, a link. */
	type picture = (src: string, alt: string) => Child
	type piece = (found: RegExpExecArray) => Child
	type cell = (tag: "th" | "td", text: string, at: number) => Child
}
