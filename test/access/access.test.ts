import { describe, expect, it } from 'vitest'
import { extent } from '../support/extent.ts'
import { noticedAfter } from './noticed.ts'
import { play } from './play.ts'
import { WRONG_TABLES } from './tables.ts'

const WORLDS = Number(process.env.ACCESS_WORLDS ?? extent(80, 200))
const FIRST = Number(process.env.ACCESS_FIRST ?? 1)

describe('who may see and change what', { timeout: 3_600_000 }, () => {
  it(`every answer in ${WORLDS} random worlds is that of the table`, async () => {
    let requests = 0
    for (let seed = FIRST; seed < FIRST + WORLDS; seed++) {
      const played = await play(seed)
      requests += played.requests
      expect(played.differences).toEqual([])
    }
    expect(requests).toBeGreaterThan(WORLDS * 20)
    console.info(`${WORLDS} worlds, ${requests} answers, 0 differences`)
  })

  /** One of each kind; all of them in wrong-tables.long.test.ts. */
  const SAMPLE = [
    'without: its owner with feeds may open a private feed',
    'with: user with read may see a private feed',
    'feed with read',
  ]
  it.each(SAMPLE)('a table that is wrong in one place is noticed: %s', async (words) => {
    const wrong = WRONG_TABLES.find((one) => one.words === words)
    expect(await noticedAfter(wrong!.table)).not.toBeNull()
  })
})
