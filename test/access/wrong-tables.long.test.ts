import { describe, expect, it } from 'vitest'
import { play } from './play.ts'
import { tablesWithOtherRights, tablesWithoutRule, tablesWithRule } from './tables.ts'

const MOST_WORLDS = 400

/** How many worlds it takes until somebody notices. */
async function noticedAfter(table: Parameters<typeof play>[1]): Promise<number | null> {
  for (let seed = 1; seed <= MOST_WORLDS; seed++) {
    if ((await play(seed, table)).differences.length > 0) return seed
  }
  return null
}

const TABLES = [...tablesWithoutRule(), ...tablesWithRule(), ...tablesWithOtherRights()]

describe('a table that is wrong in one place is noticed', { timeout: 3_600_000 }, () => {
  it.each(TABLES.map(({ words, table }) => [words, table] as const))('%s', async (_words, table) => {
    expect(await noticedAfter(table)).not.toBeNull()
  })
})
