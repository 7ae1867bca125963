import type { Crawler } from '../../crawler/crawler.ts'
import { type Layer, type Supervise, withoutSupervision } from '../../runtime/supervisor.ts'
import type { Config } from '../settings/config.ts'

/** A crawler with what belongs to it. */
export interface Crawling {
  readonly crawler: Pick<Crawler, 'run'>
  /** What else runs as long as it does. */
  readonly beside: readonly Layer[]
}

/**
 * Crawls with the settings of the moment. When they change, the crawler stops as it would at the end of the node: what was
 * learnt is written, and the next one begins with it.
 */
export class CrawlLoop {
  private current: Config
  private again = new AbortController()
  private readonly begin: (config: Config) => Crawling
  private readonly supervise: Supervise

  constructor(config: Config, begin: (config: Config) => Crawling, supervise: Supervise = withoutSupervision) {
    this.current = config
    this.begin = begin
    this.supervise = supervise
  }

  change(config: Config): void {
    this.current = config
    this.again.abort()
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.again = new AbortController()
      const crawling = this.begin(this.current)
      const either = AbortSignal.any([signal, this.again.signal])
      // A crawler that failed is run again as it is: what it knows of price and token bucket is newer than what is stored.
      const crawl: Layer = { name: 'crawler', run: (end) => crawling.crawler.run(end) }
      await Promise.all([crawl, ...crawling.beside].map((layer) => this.supervise(layer, either)))
    }
  }
}
