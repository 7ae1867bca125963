import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crawlerFor } from '../../src/app/crawling/crawling.ts'
import { findPayers } from '../../src/app/services/payers.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import type { Fetcher, FetchOutcome, FetchRequest } from '../../src/crawler/fetch/fetcher.ts'
import { DAY_MS, type InstantMs, MINUTE_MS, type SourceId, type UserId } from '../../src/model/index.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import type { Store } from '../../src/store/store.ts'
import { virtualClock } from '../support/virtual-clock.ts'

const START = Date.UTC(2026, 0, 5)

/** A site that takes its time, as one does on a machine under load. */
function slowSite(clock: Clock, latenciesMs: readonly number[], beganAt: Map<string, InstantMs>): Fetcher {
  let requests = 0
  return {
    async fetch({ url, signal, watch }: FetchRequest): Promise<FetchOutcome> {
      const latencyMs = latenciesMs[requests++ % latenciesMs.length] ?? 0
      beganAt.set(url, clock.now())
      const stopping = new AbortController()
      watch?.onRoad(0, () => stopping.abort())
      const either = signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal])
      await clock.sleep(latencyMs, either)
      watch?.offRoad()
      const nothing = { bytes: 0, latencyMs, status: null, retryAt: null, host: 'site.example:80', message: '' }
      if (either.aborted) return { kind: 'failed', code: 'FETCH_ABORTED', ...nothing }
      const body = Buffer.from(`<rss version="2.0"><channel><item><guid>${requests}</guid></item></channel></rss>`)
      const hints = { maxAgeMs: null, expiresAt: null }
      const answer = { status: 200, finalUrl: url, permanentUrl: null, bytes: body.length, latencyMs, hints }
      return { kind: 'content', ...answer, body, contentType: 'text/xml', etag: null, lastModified: null }
    },
    close: async () => {},
  }
}

type Action = 'add' | 'change' | 'claim' | 'refresh'

/** What people do meanwhile, one after another, with pauses. */
interface Step {
  readonly afterMs: number
  readonly action: Action
  readonly choice: number
}

class People {
  readonly ids: SourceId[] = []
  readonly requestedAt = new Map<SourceId, InstantMs>()
  private by: UserId | undefined

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  async act({ action, choice }: Step): Promise<void> {
    const { store, clock, ids } = this
    const now = clock.now()
    const id = ids[choice % Math.max(1, ids.length)]
    if (action === 'claim') {
      const owner = { name: 'owner', role: 'owner', passwordHash: null, invitation: null } as const
      this.by ??= (await store.addUser(owner, now))?.id
    } else if (action === 'add') {
      const url = `http://site.example/${ids.length}`
      const [added] = await store.addSources([withSourceDefaults({ url, intervalMs: DAY_MS })], now, this.by)
      if (added === undefined) throw new Error('not added')
      ids.push(added.source.id)
      await this.request(added.source.id, now)
    } else if (id === undefined) return
    else if (action === 'change') await store.updateSource(id, { categories: [`c${choice}`], weight: 1 + choice })
    else await this.request(id, now)
  }

  private async request(id: SourceId, now: InstantMs): Promise<void> {
    this.requestedAt.set(id, now)
    await this.store.requestRefresh([id], now, this.by)
  }
}

/** Sources whose last refresh began before somebody requested one. */
async function notServed(
  steps: readonly Step[],
  latenciesMs: readonly number[],
  open: (clock: Clock) => Promise<ReturnType<typeof createMemoryStore>>,
): Promise<readonly SourceId[]> {
  const clock = virtualClock(START)
  const beganAt = new Map<string, InstantMs>()
  const data = await open(clock)
  const config = loadConfig('none', { hostSpacing: 0, budget: '6000/min', minInterval: '1s', strategy: 'uniform' }, {})
  const payers = findPayers(data.store, async () => new Map())
  const environment = { clock, random: seededRandom(1), logger: silentLogger }
  const crawler = crawlerFor(config, data, slowSite(clock, latenciesMs, beganAt), environment, {
    payers,
    shared: 'none',
  })
  const stopping = new AbortController()
  const running = crawler.run(stopping.signal)
  const people = new People(data.store, clock)
  for (const step of steps) {
    await clock.pass(step.afterMs)
    await people.act(step)
  }
  const findLate = async () => {
    const sources = await data.store.sourcesById(people.ids)
    return people.ids.filter((id) => {
      const { url = '', state } = sources.get(id) ?? {}
      return state?.lastSuccessAt == null || (beganAt.get(url) ?? 0) < (people.requestedAt.get(id) ?? 0)
    })
  }
  // Much longer than any of them may have to wait for the others.
  for (let ms = 0; ms < 3 * MINUTE_MS && (await findLate()).length > 0; ms += 5_000) await clock.pass(5_000)
  const found = await findLate()
  stopping.abort()
  await clock.pass(1)
  await running
  await data.store.close()
  return found
}

const anyStep = fc.record({
  afterMs: fc.constantFrom(0, 1, 20, 300, 1_000, 3_000),
  action: fc.constantFrom<Action>('add', 'add', 'add', 'change', 'refresh', 'claim'),
  choice: fc.nat(9),
})
const anySteps = fc.array(anyStep, { minLength: 4, maxLength: 12 })
const anyLatencies = fc.array(fc.constantFrom(1, 200, 2_000, 4_000), { minLength: 1, maxLength: 5 })

describe('sources of one slow site that are added one after another while others are refreshed', () => {
  it('are all refreshed as often as requested, whatever people change meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(anySteps, anyLatencies, async (steps, latenciesMs) => {
        expect(await notServed(steps, latenciesMs, async (clock) => createMemoryStore({ clock }))).toEqual([])
      }),
      { numRuns: 40 },
    )
  })

  it('also when one is requested while it is being refreshed', async () => {
    const add = { afterMs: 0, action: 'add', choice: 0 } as const
    const steps: readonly Step[] = [add, { afterMs: 1_300, action: 'refresh', choice: 0 }]
    expect(await notServed(steps, [2_000], async (clock) => createMemoryStore({ clock }))).toEqual([])
  })

  it('also when the first owner of the node comes while some of them wait for the site', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'headwater-added-'))
    const add = { afterMs: 0, action: 'add', choice: 0 } as const
    const steps: readonly Step[] = [{ afterMs: 3_000, action: 'claim', choice: 0 }, add, add, add, add]
    const open = (clock: Clock) => openSqliteStore({ path: join(dir, 'headwater.db'), clock })
    expect(await notServed(steps, [4_000], open)).toEqual([])
    rmSync(dir, { recursive: true, force: true })
  })
})
