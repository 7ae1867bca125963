import { expect, it } from 'vitest'
import { BLANK_ITEM, DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS, type ParsedItem } from '../../model/index.ts'
import { Scheduler } from '../../refresh/scheduler/scheduler.ts'
import { foresight } from '../../refresh/strategies/foresight/index.ts'
import { silentLogger } from '../../runtime/logger.ts'
import { seededRandom } from '../../runtime/random.ts'
import type { SourceRefresh } from '../pipeline.ts'
import { CoverKeeper } from './cover-keeper.ts'

const START = Date.UTC(2026, 0, 5)
const MAIN = 1
const SECTIONS = [2, 3]
const ALL = [MAIN, ...SECTIONS]

const itemOf = (section: number, k: number): ParsedItem => ({
  ...BLANK_ITEM,
  title: `${section} ${k}`,
  link: `https://site.example/${section}/${k}`,
  published: START + k * HOUR_MS,
})

/** Every hour a section publishes, in turn, and all are asked. */
async function known(
  mayShow: ConstructorParameters<typeof CoverKeeper>[0]['mayShow'] = async () => true,
  basicAuth: object | null = null,
) {
  let now: InstantMs = START
  const budget = { requests: 40, perMs: DAY_MS }
  const limits = { minIntervalMs: MINUTE_MS, maxIntervalMs: 4 * DAY_MS }
  const scheduler = new Scheduler({ strategy: foresight(), budget, burst: 10, ...limits, random: seededRandom(1), now })
  for (const id of ALL) {
    const facts = { id, weight: 1, cost: 1, windowSize: 20, addedAt: START, lastRefreshAt: null }
    scheduler.upsert({ facts, dueAt: null, paused: false, retired: false })
  }
  const plain = { headers: {}, basicAuth: null, userAgent: null, proxyUrl: null, isLocked: false }
  const source = async (id: number) =>
    ({ ...plain, id, ...(id === MAIN && { basicAuth }), state: { status: 'active' } }) as never
  const clock = { now: () => now } as never
  let lastId = 0
  const keeper = new CoverKeeper({
    store: { source },
    scheduler,
    clock,
    logger: silentLogger,
    mayShow,
    newId: () => --lastId,
  })
  for (const id of ALL) keeper.note(id, `https://site.example/${id}.xml`)
  const shown = (id: number, k: number) =>
    Array.from({ length: k }, (_, at) => itemOf(SECTIONS[at % 2] ?? 0, at))
      .filter(({ link }) => id === MAIN || link?.includes(`/${id}/`))
      .slice(-20)
  for (let k = 1; k < 60; k++) {
    now = START + k * HOUR_MS
    for (const id of ALL) {
      const isNew = id === MAIN || SECTIONS[(k - 1) % 2] === id
      const itemTimes = isNew && k > 1 ? [now - HOUR_MS] : []
      const overlap = k === 1 ? ('first' as const) : ('some' as const)
      const seen = { windowSize: 20, overlap, lostAtLeast: 0, notModified: false, bytes: 0, latencyMs: 0 }
      const previousAt = k === 1 ? null : now - HOUR_MS
      const observation = { sourceId: id, previousAt, at: now, newItems: itemTimes.length, itemTimes, ...seen }
      scheduler.plan(observation)
      scheduler.finish(id, null)
      await keeper.look({ ...answer(id, observation), items: shown(id, k) })
    }
  }
  await keeper.compose()
  return { keeper, scheduler, now }
}

function answer(id: number, observation: unknown, kind = 'content'): SourceRefresh {
  const record = { sourceId: id, observation, newItems: [] }
  return { fetched: { kind, status: 200 }, record } as unknown as SourceRefresh
}

it('makes a cover of the source that shows all others, and asks for it alone', async () => {
  const { keeper, scheduler, now } = await known()
  const live = keeper.ofSource(MAIN)
  expect([...(live?.members ?? [])]).toEqual([
    [2, true],
    [3, true],
  ])
  expect(keeper.sourceOf(live?.id ?? 0)).toBe(MAIN)
  expect(scheduler.explain(MAIN, now)?.reason).toMatch(/^seen with 2 others in one request, its own/)
  expect(scheduler.explain(2, now)?.reason).toMatch(/^seen with 2 others in one request/)
  expect(scheduler.take(scheduler.explain(MAIN, now)?.nextAt ?? 0)).toMatchObject({ id: live?.id })
})

it('leaves its members alone at once when it fails, when it is gone, and when one of them is', async () => {
  for (const end of ['fails', 'is gone', 'lost one'] as const) {
    const { keeper, scheduler, now } = await known()
    const id = keeper.ofSource(MAIN)?.id ?? 0
    if (end === 'fails') await keeper.look(answer(MAIN, null, 'failed'))
    else keeper.forget(end === 'is gone' ? MAIN : 2)
    expect(scheduler.has(id)).toBe(false)
    expect(keeper.sourceOf(id)).toBeNull()
    expect(scheduler.explain(3, now)?.reason).not.toContain('in one request')
  }
})

it('uses none that only some may read, or that somebody has a log-in for', async () => {
  expect((await known(async () => false)).keeper.ofSource(MAIN)).toBeNull()
  expect((await known(undefined, { user: 'a', password: 'b' })).keeper.ofSource(MAIN)).toBeNull()
})
