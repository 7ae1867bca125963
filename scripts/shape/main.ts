// npm run shape -- [--json] [--strict]: sizes, cycles and exports of the code beside the limits that we hold ourselves to.
// --strict exits with 1 where a limit is broken.
import { join } from 'node:path'
import { EXPLANATIONS } from './explained.ts'
import { runShape } from './run.ts'

const { text, code } = runShape(join(import.meta.dirname, '../..'), process.argv.slice(2), EXPLANATIONS)
console.log(text)
process.exitCode = code
