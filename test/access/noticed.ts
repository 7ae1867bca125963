import type { AccessTable } from '../../src/access/index.ts'
import { play } from './play.ts'

/** The slowest of all tables takes some 460. */
const MOST_WORLDS = 2_000

/** How many worlds it takes until somebody notices that this table is not the right one; null: nobody does. */
export async function noticedAfter(table: AccessTable): Promise<number | null> {
  for (let seed = 1; seed <= MOST_WORLDS; seed++) {
    if ((await play(seed, table)).differences.length > 0) return seed
  }
  return null
}
