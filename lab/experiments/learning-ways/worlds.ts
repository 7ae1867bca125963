import { entryAt } from '../../../src/model/entry-at.ts'
import { DAY_MS, HOUR_MS, type InstantMs } from '../../../src/model/index.ts'
import { seededRandom } from '../../../src/runtime/random.ts'
import { calibratedWorld } from '../../live/calibrated-world.ts'
import { type SimWorld, simSource } from '../../simulator/world.ts'
import { readTraceSet, tracesPresent } from '../../traces/trace-set.ts'
import { CONFIG } from './config.ts'

export interface NamedWorld {
  readonly name: string
  readonly world: SimWorld
}

const START: InstantMs = Date.UTC(2026, 0, 5)
const BEFORE_MS = 14 * DAY_MS
/** From one item in five days to forty a day. */
const LEAST_PER_DAY = 0.2
const SPAN = 200
/** Where sources change, the last of the period that `freeze` learns in is long over. */
const CHANGE_AT = START + 28 * DAY_MS

/** Sources that publish by day alone; `changing`: after four weeks each publishes as another did. */
export function drawnWorld(kind: 'steady' | 'changing', seed: number): NamedWorld {
  const random = seededRandom(seed)
  const { feeds, days, windowSize } = CONFIG
  const perDay = Array.from({ length: feeds }, () => LEAST_PER_DAY * SPAN ** random())
  const endMs = START + days * DAY_MS
  const sources = perDay.map((rate, index) => {
    const later = kind === 'steady' ? rate : entryAt(perDay, (index + feeds / 2) % feeds)
    const times: number[] = []
    for (let at = START - BEFORE_MS; at < endMs; at += HOUR_MS) {
      const hour = (at / HOUR_MS) % 24
      // All of it between 6 and 22, most at noon.
      const share = hour < 6 || hour >= 22 ? 0 : (Math.sin((Math.PI * (hour - 6)) / 16) * Math.PI) / 32
      const perHour = (at < CHANGE_AT ? rate : later) * share
      for (let next = gap(random(), perHour); next < 1; next += gap(random(), perHour)) times.push(at + next * HOUR_MS)
    }
    return simSource(index + 1, Float64Array.from(times), windowSize)
  })
  return { name: `drawn, ${kind}`, world: { startMs: START, endMs, sources } }
}

/** The recorded ones that are there; feeds of a trace, each with some whole weeks of it. */
export async function recordedWorlds(seed: number): Promise<readonly NamedWorld[]> {
  const found = CONFIG.traces.filter((set) => tracesPresent([set]))
  return Promise.all(
    found.map(async (set) => ({
      name: set.name,
      world: calibratedWorld(await readTraceSet(set), { ...CONFIG, seed }),
    })),
  )
}

function gap(chance: number, perHour: number): number {
  return perHour > 0 ? -Math.log(1 - chance) / perHour : Number.POSITIVE_INFINITY
}
