import { DAY_MS, type DurationMs, HOUR_MS, MINUTE_MS } from '../../src/model/index.ts'
import { ESTIMATORS } from '../../src/refresh/estimators/index.ts'
import { findStrategy } from '../../src/refresh/strategies/index.ts'
import { exactModel } from '../../src/refresh/strategies/modelled.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { runCycles } from '../simulator/cycles.ts'
import { poissonTimes } from '../simulator/poisson.ts'
import { type SimWorld, simSource } from '../simulator/world.ts'
import type { LiveRefresh } from './against-lab.ts'
import { documentFetcher, feedUrl } from './feed-documents.ts'
import { runLive } from './run-live.ts'
import { VirtualClock } from './virtual-clock.ts'

export interface CycleSetting {
  readonly world: SimWorld
  readonly strategy: string
  readonly cycles: number
  readonly cycleMs: number
  readonly perCycle: number
}

const START = Date.UTC(2026, 0, 5)
export const LIVE_CYCLE_MS = 10 * MINUTE_MS

/** From some items a day to ten an hour, all with full windows of 20 from the start. */
function poissonWorld(feeds: number, cycles: number, cycleMs: DurationMs): SimWorld {
  const random = seededRandom(5)
  const endMs = START + (cycles + 1) * cycleMs
  const sources = Array.from({ length: feeds }, (_, index) => {
    const times = poissonTimes((0.05 * 200 ** random()) / HOUR_MS, START - 60 * DAY_MS, endMs, random)
    return simSource(
      index + 1,
      times.map((at) => Math.floor(at / 1000) * 1000),
      20,
    )
  })
  return { startMs: START, endMs, sources }
}

export function poissonCycles(strategy: string, cycles: number, cycleMs: DurationMs = LIVE_CYCLE_MS): CycleSetting {
  return { world: poissonWorld(15, cycles, cycleMs), strategy, cycles, cycleMs, perCycle: 1 }
}

/** What the strategy of the papers picks in the lab's simulator of cycles, in its order. */
export function picksInTheLab({ world, strategy, cycles, cycleMs, perCycle }: CycleSetting): LiveRefresh[] {
  const estimator = ESTIMATORS.hybrid()
  const cycle = findStrategy(strategy)!.cycle!(estimator)
  const picks: LiveRefresh[] = []
  runCycles({
    world,
    strategy: {
      ...cycle,
      select(state, sources, now, random) {
        const choice = cycle.select(state, sources, now, random)
        for (const id of choice.refresh) picks.push([id, now])
        return choice
      },
    },
    knowledge: exactModel(estimator),
    cycleMs,
    budgetPerCycle: perCycle,
    warmupCycles: 0,
    cycles,
    random: seededRandom(1),
  })
  return picks
}

/** What the node refreshes, with its own crawler, pipeline and store, in the same world. `kills`: after so many cycles. */
export async function picksOfTheNode(setting: CycleSetting, kills: readonly number[] = []): Promise<LiveRefresh[]> {
  const { world, strategy, cycles, cycleMs, perCycle } = setting
  const clock = new VirtualClock(world.startMs)
  const data = createMemoryStore({ clock })
  const picks: LiveRefresh[] = []
  const ends = [...kills, cycles].map((count) => world.startMs + (count + 0.5) * cycleMs)
  for (const [run, endMs] of ends.entries()) {
    const isOver = () => clock.now() >= endMs
    const { saveModels } = data.store
    await runLive({
      clock,
      // What a process that is killed would write at its end is not written.
      data: {
        ...data,
        store: { ...data.store, saveModels: async (...all) => (isOver() ? undefined : saveModels(...all)) },
      },
      fetcher: documentFetcher(world.sources, clock),
      urls: run === 0 ? world.sources.map((_, index) => feedUrl(index)) : [],
      endMs,
      seed: 1,
      flags: {
        strategy,
        threshold: 'thesis',
        cycle: cycleMs,
        budget: `${perCycle}/${cycleMs / 1000}s`,
        // The strategy alone decides.
        exploreShare: 0,
        maxInterval: '999d',
        checkpoint: 0.4 * cycleMs,
      },
      onRefresh: (id, at) => picks.push([id, at]),
    })
  }
  return picks
}
