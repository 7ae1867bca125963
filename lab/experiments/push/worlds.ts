import { DAY_MS } from '../../../src/model/index.ts'
import { traceWorld } from '../../compare/trace-world.ts'
import { specWorld } from '../../simulator/named-worlds.ts'
import type { SimWorld } from '../../simulator/world.ts'
import { readTraceSet, tracesPresent } from '../../traces/trace-set.ts'
import type { PublicationSpec } from '../../worlds/publication.ts'
import { CONFIG } from './config.ts'

export interface PushWorld {
  readonly name: string
  readonly perDay: number
  readonly world: SimWorld
}

/** The trace with each budget; drawn sources where it is absent. */
export async function pushWorlds(): Promise<readonly PushWorld[]> {
  if (!tracesPresent([CONFIG.trace])) return [drawnPushWorld()]
  const { name } = CONFIG.trace
  const whole = traceWorld(await readTraceSet(CONFIG.trace), CONFIG.windowSize)
  return CONFIG.budgets.map(({ perDay, days }) => {
    const endMs = whole.startMs + days * DAY_MS
    return { name, perDay, world: { ...whole, endMs } }
  })
}

/** Sources from rare to busy, every second one with a day and a night. */
export function drawnPushWorld(): PushWorld {
  const { sources, leastPerDay, mostPerDay, days, perDay } = CONFIG.drawn
  const specs = Array.from({ length: sources }, (_, id): PublicationSpec => {
    const ratePerDay = leastPerDay * (mostPerDay / leastPerDay) ** (id / (sources - 1))
    return id % 2 === 0 ? { kind: 'poisson', ratePerDay } : { kind: 'waves', ratePerDay, peakHour: id % 24 }
  })
  const startMs = Date.UTC(2024, 0, 1)
  const span = { startMs, endMs: startMs + days * DAY_MS }
  return { name: 'drawn', perDay, world: specWorld(specs, span, { windowSize: CONFIG.windowSize, seed: 1 }) }
}
