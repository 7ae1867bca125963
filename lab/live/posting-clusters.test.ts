import { describe, expect, it } from 'vitest'
import { learnClusters } from '../../src/app/crawling/learn-shared.ts'
import { clustersLearning, POSTING_CLUSTERS } from '../../src/crawler/shared/posting-clusters.ts'
import { SharedModelStore } from '../../src/crawler/shared/shared-model-store.ts'
import { DAY_MS, HOUR_MS, type InstantMs, type Observation } from '../../src/model/index.ts'
import { NO_CLUSTERS } from '../../src/refresh/estimators/posting-clusters.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import type { Store } from '../../src/store/store.ts'
import { addOne, observation, record } from '../../test/contract/store.fixture.ts'
import { learnDailyPatterns } from '../compare/learnt.ts'
import { type SimSource, type SimWorld, simSource } from '../simulator/world.ts'
import { documentFetcher, feedUrl } from './feed-documents.ts'
import { runLive } from './run-live.ts'
import { VirtualClock } from './virtual-clock.ts'

const START = Date.UTC(2026, 0, 5)

/** Sources that publish in the morning, in the evening or around the clock, some items a day. */
function worldOf(days: number, perDay = 6): SimWorld {
  const random = seededRandom(5)
  const sources = Array.from({ length: 24 }, (_, index): SimSource => {
    const times: InstantMs[] = []
    for (let day = 0; day < days; day++) {
      for (let k = 0; k < perDay; k++) {
        const hour = index % 3 === 0 ? 24 * random() : (index % 3 === 1 ? 6 : 19) + 3 * random()
        times.push(START + day * DAY_MS + Math.floor(hour * HOUR_MS))
      }
    }
    return simSource(index, Float64Array.from(times).sort(), 20)
  })
  return { startMs: START, endMs: START + days * DAY_MS, sources }
}

/** All of it observed, a look every four hours. */
async function follow(store: Store, { startMs, endMs, sources }: SimWorld): Promise<number[]> {
  const ids: number[] = []
  for (const { times } of sources) {
    const source = await addOne(store, `http://source-${ids.length}/`)
    ids.push(source.id)
    for (let at = startMs; at <= endMs; at += 4 * HOUR_MS) {
      const previousAt = at === startMs ? null : at - 4 * HOUR_MS
      const itemTimes = [...times].filter((time) => time < at && time >= (previousAt ?? 0))
      const fields = {
        previousAt,
        itemTimes,
        newItems: itemTimes.length,
        overlap: previousAt === null ? 'first' : 'some',
      }
      const one = { ...observation(source.id, at), ...fields } as Observation
      await store.recordRefresh(record(source, { observation: one }))
    }
  }
  return ids
}

async function learnt(world: SimWorld) {
  const clock = { now: () => world.endMs, monotonicMs: () => 0, sleep: async () => {} }
  const { store } = createMemoryStore({ clock })
  const ids = await follow(store, world)
  const shared = { clusters: NO_CLUSTERS }
  const learning = clustersLearning({ shared, learn: async (counts) => learnClusters(counts) })
  await new SharedModelStore({ store, clock, learning, isLearning: () => true }).build(ids)
  return { store, clusters: shared.clusters }
}

describe('posting clusters of a node (SCC07 4.3.1)', () => {
  it('are those that the lab learns from the same 14 days', async () => {
    const world = worldOf(14)
    const { clusters } = await learnt(world)
    expect(clusters.patterns).toHaveLength(13)
    expect(clusters).toEqual(learnDailyPatterns(world, world.endMs, 1).clusters)
  })

  it('forget what is older than 14 days', async () => {
    const world = worldOf(20)
    const recent = world.sources.map((source) => ({
      ...source,
      times: source.times.filter((time) => time >= world.endMs - 14 * DAY_MS),
    }))
    const { clusters } = await learnt(world)
    expect(clusters).toEqual(learnDailyPatterns({ ...world, sources: recent }, world.endMs, 1).clusters)
  })

  it('come from what there is in a younger node, from the first whole day on', async () => {
    expect((await learnt({ ...worldOf(1, 30), endMs: START + 20 * HOUR_MS })).clusters).toEqual(NO_CLUSTERS)
    const first = worldOf(1, 30)
    expect((await learnt(first)).clusters).toEqual(learnDailyPatterns(first, first.endMs, 1).clusters)
    // Six items a day are too few on the first.
    expect((await learnt(worldOf(1))).clusters).toEqual(NO_CLUSTERS)
  })

  it('are learnt each night by the crawler, and stored', async () => {
    const world = worldOf(6, 12)
    const clock = new VirtualClock(START)
    const memory = createMemoryStore({ clock })
    const storedClusters: { readonly learntAt: InstantMs; readonly patterns: number }[] = []
    const store: Store = {
      ...memory.store,
      async saveState(state, value) {
        await memory.store.saveState(state, value)
        const found = state.name === POSTING_CLUSTERS.name ? await memory.store.state(POSTING_CLUSTERS) : null
        if (found !== null)
          storedClusters.push({ learntAt: found.learntAt - START, patterns: found.clusters.patterns.length })
      },
    }
    await runLive({
      clock,
      data: { ...memory, store },
      fetcher: documentFetcher(world.sources, clock),
      urls: world.sources.map((_, index) => feedUrl(index)),
      endMs: world.endMs - HOUR_MS,
      seed: 1,
      flags: { strategy: 'scc07-combined', budget: '200/day' },
      sharedTables: true,
    })
    expect(storedClusters.map(({ learntAt }) => learntAt / DAY_MS).slice(-5)).toEqual([1, 2, 3, 4, 5])
    expect(storedClusters.at(-1)!.patterns).toBe(13)
    const { changed } = await memory.store.scheduleChanges(0)
    expect(changed.map(({ model }) => model!.form)).toEqual(changed.map(() => 'posting-clusters/2-daily'))
    // What a source believes at last is one of the clusters of a night, and not of the even day for those of the morning.
    const state = JSON.parse(new TextDecoder().decode(changed[1]!.model!.state))
    expect(Math.max(...state.planned.pattern)).toBeGreaterThan(0.2)
  })
})
