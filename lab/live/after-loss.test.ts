import { expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/model/index.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { type SimWorld, simSource } from '../simulator/world.ts'
import { documentFetcher, feedUrl } from './feed-documents.ts'
import { runLive } from './run-live.ts'
import { VirtualClock } from './virtual-clock.ts'

const START = Date.UTC(2026, 0, 5)
const END = START + 2 * DAY_MS

/** The first publishes every five minutes and shows ten items, less than an hour of them; the others hardly anything. */
function world(): SimWorld {
  const every = (ms: number) =>
    Float64Array.from({ length: Math.floor((3 * DAY_MS) / ms) }, (_, k) => START - DAY_MS + k * ms)
  const sources = [every(HOUR_MS / 12), every(DAY_MS), every(DAY_MS), every(DAY_MS), every(DAY_MS)]
  return { startMs: START, endMs: END, sources: sources.map((times, k) => simSource(k + 1, times, 10)) }
}

async function refreshesOfTheFirst(afterLoss: string): Promise<number> {
  const { sources } = world()
  const clock = new VirtualClock(START)
  let refreshes = 0
  await runLive({
    clock,
    data: createMemoryStore({ clock }),
    fetcher: documentFetcher(sources, clock),
    urls: sources.map((_, index) => feedUrl(index)),
    endMs: END,
    seed: 1,
    flags: { strategy: 'uniform', budget: '60/day', afterLoss },
    onRefresh: (id) => void (id === 1 && refreshes++),
  })
  return refreshes
}

it('looks again sooner after a loss with uniform, too, unless it is to be left as it is', async () => {
  expect(await refreshesOfTheFirst('strategy')).toBeLessThanOrEqual(2 * 12 + 1)
  // After each loss once after 25 minutes, half a window, instead of two hours; then as all the others again.
  expect(await refreshesOfTheFirst('sooner')).toBeGreaterThan(2 * 15)
})
