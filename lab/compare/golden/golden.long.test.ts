import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'vitest'
import { arenaFor } from '../setting.ts'
import { expectEqualRows } from './equal-rows.ts'
import { rowsOf } from './rows.ts'

const trace = join(import.meta.dirname, '../../../../shared/traces/rss-2023/trace.csv.gz')
const isThere = existsSync(trace)
if (!isThere) console.warn(`skipped: figures on recorded feeds; there is no ${trace}`)

// What was committed stems from the code before it was made cheaper (docs/decisions/0067).
const expected = JSON.parse(readFileSync(new URL('rss-2023.json', import.meta.url), 'utf8'))

it.skipIf(!isThere).each([
  [1, null],
  [24, 20],
])('every policy has the figures it had on rss-2023, at %i requests a day', async (perDay, sources) => {
  const arena = await arenaFor({ trace, window: 20, dates: 'recorded', sources }, 1)
  expectEqualRows(rowsOf(arena, perDay), expected[perDay])
})
