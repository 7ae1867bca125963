import type { ReadAccess } from '../../access/index.ts'
import type { ApiServices, Lab, ShareService } from '../../api/services.ts'
import type { Fetcher } from '../../crawler/fetch/fetcher.ts'
import type { Relevance } from '../../crawler/weights.ts'
import type { InstantMs } from '../../model/index.ts'
import type { SharedModels } from '../../refresh/shared-models.ts'
import type { LearntModel } from '../../refresh/strategy.ts'
import type { Clock } from '../../runtime/clock.ts'
import { type CrawlLoop, LIVE_SETTINGS } from '../crawling/crawl-loop.ts'
import { createImportance } from '../crawling/importance.ts'
import { sourceCounts } from '../crawling/models.ts'
import { liveStrategyFor } from '../crawling/strategy.ts'
import type { OpenedData } from '../data/data.ts'
import { createOutputCheck } from '../publishing/outputs.ts'
import type { SettingOrigin } from '../settings/config.ts'
import { createLimitCheck } from '../users/member-limits.ts'
import { createBackupService } from './backups.ts'
import { createBudgetService } from './budget.ts'
import { createModelReader } from './models.ts'
import { createQueryService } from './queries.ts'
import { createSettingsService } from './settings.ts'
import { createSourceService } from './sources.ts'
import { createWishService } from './wishes.ts'

export interface ServiceDeps {
  readonly data: OpenedData
  readonly access: ReadAccess
  readonly crawling: CrawlLoop
  readonly fetcher: Fetcher
  readonly relevance: Relevance
  readonly shares: ShareService
  readonly noteRead: ApiServices['noteRead']
  readonly slowHostMs: ApiServices['slowHostMs']
  /** What is learnt of all sources together, where the node has some. */
  readonly shared?: SharedModels
  readonly given: ReadonlyMap<string, SettingOrigin>
  readonly spent: (now: InstantMs) => number | null
  readonly lab: Lab | null
  readonly restart: (() => void) | null
  readonly clock: Clock
}

/** What the API can ask of a running node. */
export function createServices(deps: ServiceDeps): ApiServices {
  const {
    data,
    access,
    crawling,
    fetcher,
    relevance,
    shares,
    noteRead,
    slowHostMs,
    given,
    lab,
    restart,
    spent,
    clock,
  } = deps
  const { store } = data
  const config = () => crawling.config
  const outputs = createOutputCheck(store, config)
  const limits = createLimitCheck(store, config)
  const minIntervalMs = () => config().minInterval
  const settings = createSettingsService({
    config,
    given,
    live: LIVE_SETTINGS,
    apply: (changed) => crawling.change(changed),
  })
  return {
    queries: createQueryService({ store, access, outputs, limits, clock }),
    outputs,
    sources: createSourceService({ store, fetcher, limits, minIntervalMs, clock }),
    limits,
    models: createModelReader(modelOf(crawling, deps.shared)),
    importance: createImportance(store, relevance, clock, shares),
    shares,
    wishes: createWishService(store),
    noteRead,
    slowHostMs,
    counts: (source) => sourceCounts(source, config(), store, clock.now()),
    restart,
    budget: createBudgetService({ store, config, settings, price: () => crawling.price, spent, clock }),
    settings,
    backups: createBackupService({ dataDir: config().dataDir, copyTo: data.backup }),
    lab,
  }
}

/** Made anew when another one is chosen. */
function modelOf(crawling: CrawlLoop, shared?: SharedModels): () => LearntModel<unknown> {
  let known: { readonly config: CrawlLoop['config']; readonly model: LearntModel<unknown> } | null = null
  return () => {
    if (known?.config !== crawling.config)
      known = { config: crawling.config, model: liveStrategyFor(crawling.config, shared).model }
    return known.model
  }
}
