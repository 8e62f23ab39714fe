// The lines of every function in files: name, line, how many, as JSON. The parser is TypeScript's, whose folder comes first.

import { readFileSync } from "node:fs"
import { createRequire } from "node:module"

const [folder, ...files] = process.argv.slice(2)
const ts = createRequire(import.meta.url)(folder)
const found = []
for (const file of files) {
	const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true)
	const line = (position) => source.getLineAndCharacterOfPosition(position).line
	const walk = (node) => {
		if (ts.isFunctionLike(node)) found.push([file, line(node.getStart()) + 1, line(node.end) - line(node.getStart()) + 1])
		ts.forEachChild(node, walk)
	}
	walk(source)
}
console.log(JSON.stringify(found))
