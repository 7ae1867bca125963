import { describe, expect, it } from 'vitest'
import { play } from './play.ts'

const WORLDS = Number(process.env.ACCESS_WORLDS ?? 200)
const FIRST = Number(process.env.ACCESS_FIRST ?? 1)

describe('who may see and change what', { timeout: 3_600_000 }, () => {
  it(`every answer in ${WORLDS} random worlds is that of the table`, async () => {
    let asked = 0
    for (let seed = FIRST; seed < FIRST + WORLDS; seed++) {
      const played = await play(seed)
      asked += played.asked
      expect(played.differences).toEqual([])
    }
    expect(asked).toBeGreaterThan(WORLDS * 20)
    console.info(`${WORLDS} worlds, ${asked} answers, 0 differences`)
  })
})
