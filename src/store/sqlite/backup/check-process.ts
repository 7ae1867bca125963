import { faultsOf } from './check.ts'

// A process beside the node: it may take minutes, is killed when the node stops, and a damaged file that brings down SQLite
// does not bring down the node.
process.stdout.write(`${JSON.stringify(faultsOf(process.argv[2]!))}\n`)
