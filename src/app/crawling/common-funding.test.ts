import { expect, it } from 'vitest'
import { virtualClock } from '../../../test/support/virtual-clock.ts'
import { MemoryGrants } from '../../cluster/memory/grants.ts'
import { MemoryPrices } from '../../cluster/memory/prices.ts'
import { MINUTE_MS, SECOND_MS } from '../../model/index.ts'
import { noSharedModels } from '../../refresh/shared-models.ts'
import { silentLogger } from '../../runtime/logger.ts'
import { seededRandom } from '../../runtime/random.ts'
import { steady } from '../../runtime/steady-clock.ts'
import { loadConfig } from '../settings/config.ts'
import { fundInCommon } from './common-funding.ts'
import { fundedSchedulerFor } from './crawling.ts'

it('a crawl that begins again, after other settings, draws from the common budget at once', async () => {
  const virtual = virtualClock(1_700_000_000_000)
  const clock = steady(virtual)
  const cluster = { grants: new MemoryGrants(clock), prices: new MemoryPrices(clock) }
  const config = loadConfig('none', { budget: '60/min', burst: 2 }, {})
  const environment = { clock, random: seededRandom(1), logger: silentLogger }
  const crawl = async (life: number, forMs: number) => {
    const common = fundInCommon({ cluster, memberId: 'a', life, hasLease: () => null, clock }, (fund) =>
      fundedSchedulerFor(config, environment, noSharedModels(), fund),
    )
    const facts = { id: 1, weight: 1, cost: 1, windowSize: 20, addedAt: clock.now(), lastRefreshAt: null }
    common.scheduler.upsert({
      facts,
      intervalMs: SECOND_MS,
      minIntervalMs: SECOND_MS,
      dueAt: null,
      paused: false,
      retired: false,
    })
    const end = new AbortController()
    const layers = common.layers(() => {}).map((layer) => layer.run(end.signal, () => {}))
    let refreshes = 0
    for (const until = clock.now() + forMs; clock.now() < until; await virtual.pass(100)) {
      const next = common.scheduler.take(clock.now())
      if (next.kind !== 'refresh') continue
      refreshes++
      common.scheduler.finish(next.id, clock.now() + SECOND_MS)
    }
    end.abort()
    await virtual.pass(SECOND_MS)
    await Promise.all(layers)
    return refreshes
  }
  expect(await crawl(1, 5 * MINUTE_MS)).toBeGreaterThan(200)
  expect(await crawl(2, 10 * SECOND_MS)).toBeGreaterThan(5)
})
