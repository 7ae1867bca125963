import { faultsOf } from './check.ts'

// A process beside the node: it may take minutes, is killed when the node stops, and a damaged file that brings down SQLite
// does not bring down the node.
const [, , path] = process.argv
if (path === undefined) throw new Error('no database is named')
process.stdout.write(`${JSON.stringify(faultsOf(path))}\n`)
