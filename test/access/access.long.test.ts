import { expect, it } from 'vitest'
import { play } from './play.ts'

const WORLDS = Number(process.env.ACCESS_WORLDS ?? 10_000)
const FIRST = Number(process.env.ACCESS_FIRST ?? 1)

it(`every answer in ${WORLDS} random worlds is that of the table`, { timeout: 24 * 3_600_000 }, async () => {
  let requests = 0
  for (let seed = FIRST; seed < FIRST + WORLDS; seed++) {
    const played = await play(seed)
    requests += played.requests
    expect(played.differences).toEqual([])
  }
  console.info(`${WORLDS} worlds, ${requests} answers, 0 differences`)
})
