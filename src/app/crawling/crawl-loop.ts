import type { Crawler } from '../../crawler/crawler.ts'
import type { LiveScheduler } from '../../refresh/scheduler/live-scheduler.ts'
import { type Layer, type Supervise, unsupervised } from '../../runtime/supervisor.ts'
import type { Config, SettingName } from '../settings/config.ts'

/** A crawler with the scheduler that it asks. */
export interface Crawling {
  readonly crawler: Pick<Crawler, 'run'>
  readonly scheduler: Pick<LiveScheduler, 'price'>
  /** What else runs as long as it does. */
  readonly beside: readonly Layer[]
}

/** Settings that take effect as soon as they are changed: those that only the crawler asks for, or that are
 * looked up whenever they matter. */
export const LIVE_SETTINGS: ReadonlySet<SettingName> = new Set<SettingName>([
  'budget',
  'burst',
  'minInterval',
  'maxInterval',
  'strategy',
  'threshold',
  'cycle',
  'estimator',
  'quality',
  'learning',
  'learningShare',
  'exploreShare',
  'learnFor',
  'learnEvery',
  'archiveShare',
  'readerWeight',
  'believeSubscribers',
  'costs',
  'afterLoss',
  'repairPages',
  'checkpoint',
  'concurrency',
  'keepFor',
  'keepItems',
  'keepObservationsFor',
  'memberSources',
  'memberQueries',
  'memberSubscriptions',
  'memberTokens',
  'checkEvery',
  'maxData',
])

/**
 * Crawls with the settings of the moment. When they change, the crawler stops as it would at the end of the node: what was
 * learnt is written, and the next one begins with it.
 */
export class CrawlLoop {
  private current: Config
  private crawling: Crawling | null = null
  private again = new AbortController()
  private readonly begin: (config: Config) => Crawling
  private readonly supervise: Supervise

  constructor(config: Config, begin: (config: Config) => Crawling, supervise: Supervise = unsupervised) {
    this.current = config
    this.begin = begin
    this.supervise = supervise
  }

  get config(): Config {
    return this.current
  }

  get price(): number | null {
    return this.crawling?.scheduler.price ?? null
  }

  change(config: Config): void {
    this.current = config
    this.again.abort()
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.again = new AbortController()
      const crawling = this.begin(this.current)
      this.crawling = crawling
      const either = AbortSignal.any([signal, this.again.signal])
      // A crawler that failed is run again as it is: what it knows of price and token bucket is newer than what is stored.
      const crawl: Layer = { name: 'crawler', run: (end) => crawling.crawler.run(end) }
      await Promise.all([crawl, ...crawling.beside].map((layer) => this.supervise(layer, either)))
    }
  }
}
