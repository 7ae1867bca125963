import type { ReadAccess } from '../../access/index.ts'
import type { ApiServices, BackupService, Lab, ShareService } from '../../api/services.ts'
import type { Fetcher } from '../../crawler/fetch/fetcher.ts'
import type { Relevance } from '../../crawler/weights.ts'
import type { InstantMs } from '../../model/index.ts'
import type { SharedModels } from '../../refresh/shared-models.ts'
import type { LearntModel } from '../../refresh/strategy.ts'
import type { Clock } from '../../runtime/clock.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { createImportance, sourceRelevance } from '../crawling/importance.ts'
import { sourceCounts } from '../crawling/models.ts'
import { liveStrategyFor } from '../crawling/strategy.ts'
import type { OpenedData } from '../data/opened-data.ts'
import { createLetterService } from '../letters/letter-service.ts'
import { createNetworkService } from '../network/network-service.ts'
import { createOutputCheck } from '../publishing/outputs.ts'
import { vapidKeys } from '../publishing/web-push.ts'
import type { RecentQuality } from '../quality/recent-quality.ts'
import type { Config, SettingOrigin } from '../settings/config.ts'
import type { LiveSettings } from '../settings/live-settings.ts'
import { createListingService } from '../sources/preview-page.ts'
import { createLimitCheck } from '../users/member-limits.ts'
import { createAddressRules } from './address-rules.ts'
import { createBudgetService } from './budget.ts'
import { createClusterService } from './cluster.ts'
import { createModelReader } from './models.ts'
import { createMovingService } from './moving.ts'
import { createQueryService } from './queries.ts'
import { createRuleService } from './rules.ts'
import { createSettingsService } from './settings.ts'
import { createSiteRules } from './site-rules.ts'
import { createSourceService } from './source-service.ts'
import { createWishService } from './wishes.ts'

export interface ServiceDeps {
  readonly data: OpenedData
  readonly access: ReadAccess
  readonly settings: LiveSettings
  readonly fetcher: Fetcher
  readonly shares: ShareService
  readonly noteRead: ApiServices['noteRead']
  readonly slowHostMs: ApiServices['slowHostMs']
  /** What is learnt of all sources together, where the node has some. */
  readonly shared?: SharedModels
  readonly settingOrigins: ReadonlyMap<string, SettingOrigin>
  readonly spent: (now: InstantMs) => number | null
  /** What was done lately; absent: nothing is remembered. */
  readonly recent?: Pick<RecentQuality, 'steps'>
  readonly lab: Lab | null
  /** How others reach this node. */
  readonly baseUrl: string
  /** The hub of this node; absent: it has none. */
  readonly hub?: ApiServices['hub']
  readonly restart: (() => void) | null
  readonly clock: Clock
}

/** What the API can ask of a running node. */
export function createServices(deps: ServiceDeps): ApiServices {
  const { data, access, fetcher, shares, noteRead, slowHostMs, settingOrigins, lab, restart, spent, clock } = deps
  const { store } = data
  const { current: config } = deps.settings
  const outputs = createOutputCheck(store, config)
  const limits = createLimitCheck(store, config)
  const minIntervalMs = () => config().minInterval
  const retention = () => ({ keepForMs: config().keepFor ?? null, keepItems: config().keepItems ?? null })
  const relevance: Relevance = (now) => sourceRelevance(store, config().archiveShare, shares, config())(now)
  const settings = createSettingsService({ live: deps.settings, document: data.settings, settingOrigins })
  const queries = createQueryService({ store, access, outputs, limits, clock })
  return {
    queries,
    rules: createRuleService(store, access, queries),
    outputs,
    webPush: { publicKey: async () => (await vapidKeys(data)).publicKey },
    sources: createSourceService({ store, fetcher, limits, minIntervalMs, retention, clock }),
    listings: createListingService(fetcher, clock),
    addressRules: createAddressRules(store),
    moving: createMovingService(store),
    siteRules: createSiteRules(store),
    limits,
    letters: createLetterService(store, config, limits, clock),
    models: createModelReader(modelOf(config, deps.shared)),
    importance: createImportance(store, relevance, clock, shares),
    shares,
    wishes: createWishService(store),
    noteRead,
    slowHostMs,
    counts: (source) => sourceCounts(source, config(), store, clock.now()),
    restart,
    budget: createBudgetService({ store, config, settings, spent, clock }),
    settings,
    cluster: createClusterService(data, deps.recent ?? null, clock),
    network: createNetworkService({ data, fetcher, clock, baseUrl: () => deps.baseUrl, isOn: () => config().network }),
    hub: deps.hub ?? NO_HUB,
    backups: data.backups ?? NO_BACKUPS,
    lab,
  }
}

const NO_HUB: ApiServices['hub'] = { url: null, refused: () => [] }

/** Where the database has means of its own. */
const NO_BACKUPS: BackupService = {
  read: () => Promise.reject(new HeadwaterError('BACKUP_ELSEWHERE')),
  take: () => Promise.reject(new HeadwaterError('BACKUP_ELSEWHERE')),
}

/** Made again when another one is chosen. */
function modelOf(config: () => Config, shared?: SharedModels): () => LearntModel<unknown> {
  let known: { readonly config: Config; readonly model: LearntModel<unknown> } | null = null
  return () => {
    const current = config()
    if (known?.config !== current) known = { config: current, model: liveStrategyFor(current, shared).model }
    return known.model
  }
}
