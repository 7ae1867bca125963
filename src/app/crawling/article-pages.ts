import { PageCategories } from '../../articles/page-category.ts'
import { PageWorker } from '../../articles/page-worker.ts'
import { ROBOTS_BYTES } from '../../articles/robots.ts'
import { RobotsCache } from '../../articles/robots-cache.ts'
import { type PageReader, type VisitDeps, visitPage } from '../../articles/visit-page.ts'
import type { DiskSpace } from '../../crawler/disk-space.ts'
import type { FetchRequest } from '../../crawler/fetch/fetcher.ts'
import { hostKey } from '../../crawler/fetch/host-key.ts'
import { partOf } from '../../crawler/holdings.ts'
import type { Territory } from '../../crawler/territory.ts'
import type { SteadyClock } from '../../runtime/steady-clock.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import type { Data } from '../data/opened-data.ts'
import type { Environment } from '../environment.ts'
import { EXTRACTION_RULES } from '../pages/site-rules.ts'
import type { Config } from '../settings/config.ts'
import { userAgentOf } from '../settings/user-agent.ts'
import { PageBudget } from './page-budget.ts'
import type { Purse } from './paid-request.ts'
import type { Web } from './web.ts'

/** A page is small, but its text takes a thread some time. */
const SITES_AT_ONCE = 4

export interface ArticlePagesDeps {
  readonly data: Pick<Data, 'store' | 'buffer'>
  readonly web: Pick<Web, 'polite' | 'limits'>
  readonly environment: Environment & { readonly clock: SteadyClock }
  /** Whose budget the requests are paid from. */
  readonly scheduler: Purse
  readonly openExtractor: () => Promise<PageReader>
  readonly disk: DiskSpace
  /** The shards of this crawler beside others; absent: all. */
  readonly territory?: Territory
}

/** Fetches the pages of new items, where somebody wants them. With a share of 0 there is nothing to run. */
export function articlePagesLayers(config: Config, deps: ArticlePagesDeps): readonly Layer[] {
  return config.pageShare === 0 ? [] : [{ name: 'article pages', run: (end) => fetchPages(config, deps, end) }]
}

async function fetchPages(config: Config, deps: ArticlePagesDeps, end: AbortSignal): Promise<void> {
  const { data, web, environment, disk, territory } = deps
  const { clock, random } = environment
  const { store, buffer } = data
  const budget = new PageBudget(config.budget, config.pageShare, { scheduler: deps.scheduler, clock }, territory)
  const stopFollowing = clock.onSet((byMs) => budget.shift(byMs))
  const robots = new RobotsCache({
    async fetch(url, signal) {
      const paid = await budget.payBefore(signal)
      return web.polite.fetch({ ...PLAIN, url, signal, onAdmitted: () => paid?.goesOut() })
    },
    userAgent: userAgentOf(config),
    clock,
  })
  const extractor = onceNeeded(deps.openExtractor)
  const freeAt = (url: string) => web.limits.nextFree(hostKey(url), clock.now())
  const categories = new PageCategories(store)
  const pay: VisitDeps['pay'] = (sourceId, signal) => budget.pay(sourceId, signal)
  const rules = () => store.state(EXTRACTION_RULES)
  const visiting = { store, fetcher: web.polite, robots, extractor, rules, categories, freeAt, pay, clock, random }
  const worker = new PageWorker({
    store,
    buffer,
    visit: (page, signal) => visitPage(page, visiting, signal),
    payableAt: (now) => budget.nextAt(now),
    part: () => territory && ownPart(territory),
    disk,
    clock,
    concurrency: SITES_AT_ONCE,
  })
  try {
    await worker.run(end)
  } finally {
    stopFollowing()
    await extractor.close()
  }
}

export const PLAIN: Omit<FetchRequest, 'url'> = {
  etag: null,
  lastModified: null,
  headers: { accept: 'text/plain, */*;q=0.1' },
  basicAuth: null,
  enoughBytes: ROBOTS_BYTES,
  userAgent: null,
  proxyUrl: null,
}

/** Those that may be acted on at this moment. */
export function ownPart(territory: Territory) {
  const tokens = [...territory.tokens()].filter(([shard, token]) => territory.isValid(shard, token))
  return partOf(new Map(tokens), territory.shards)
}

/** Most nodes never need one. */
function onceNeeded(open: () => Promise<PageReader>): PageReader {
  let opened: Promise<PageReader> | null = null
  return {
    extract: async (page, rules) => (await (opened ??= open())).extract(page, rules),
    close: async () => (await opened)?.close(),
  }
}
