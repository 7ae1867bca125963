import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Scheduler } from '../../../src/refresh/scheduler/scheduler.ts'
import { seededRandom } from '../../../src/runtime/random.ts'
import { factsOf } from '../../simulator/world.ts'
import { CONFIG } from './config.ts'
import type { ScaleScene } from './measure.ts'

/** By how much the heap grows with each source of a scheduler that has them all. */
export function schedulerHeapPerSource({ world, strategy, knownOf, seed }: ScaleScene): number {
  const stored = world.sources.map((source) => ({ source, known: knownOf?.(source) ?? null }))
  const before = usedBytes()
  const scheduler = new Scheduler({
    strategy,
    budget: { requests: 1, perMs: 1 },
    burst: 1,
    minIntervalMs: CONFIG.minIntervalMs,
    random: seededRandom(seed),
    now: world.startMs,
  })
  for (const { source, known } of stored) {
    const facts = factsOf(source, world.startMs, known?.lastRefreshAt ?? null)
    scheduler.upsert({ facts, memory: known?.memory ?? null, dueAt: null, paused: false, retired: false })
  }
  return (usedBytes() - before) / Math.max(1, scheduler.size)
}

/** Objects and typed arrays, after garbage collection. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
