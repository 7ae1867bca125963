import { move } from '../support/moves.ts'

/** Moves, and says so row by row; the parent kills it somewhere on the way. */
const [from, to] = process.argv.slice(2) as [string, string]
await move(from, to, {
  onProgress: ({ phase, table, rows }) => process.stdout.write(`${phase} ${table} ${rows}\n`),
})
process.stdout.write('done\n')
