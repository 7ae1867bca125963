import { RobotsCache } from '../../articles/robots-cache.ts'
import type { BundleRules } from '../../crawler/bundles/bundle-keeper.ts'
import { COMPOSED_FAMILIES } from '../../crawler/bundles/families.ts'
import type { Fetcher } from '../../crawler/fetch/fetcher.ts'
import { politely } from '../../crawler/politeness/polite-fetcher.ts'
import type { Politeness } from '../../crawler/politeness/politeness.ts'
import { DAY_MS, MINUTE_MS, type SourceId } from '../../model/index.ts'
import { isPrivateIn, readPrivateFeeds } from '../../publisher/feed-access.ts'
import type { SteadyClock } from '../../runtime/steady-clock.ts'
import type { Store } from '../../store/store.ts'
import type { Config } from '../settings/config.ts'
import { userAgentOf } from '../settings/user-agent.ts'
import { type Purse, payFor } from './paid-request.ts'

export interface BundleRulesDeps {
  readonly fetcher: Fetcher
  readonly limits: Politeness
  readonly scheduler: Purse
  readonly clock: SteadyClock
  readonly store: Pick<Store, 'state'>
}

/** A robots.txt is asked for on behalf of nobody in particular. */
const NOBODYS: SourceId = 0
const PLAIN = { etag: null, lastModified: null, headers: {}, basicAuth: null, userAgent: null, proxyUrl: null } as const

/** What sites offer, where their robots.txt lets robots use it. That file is paid for like everything else, and asked for once a day. */
export function bundleRulesFor(
  config: Config,
  { fetcher, limits, scheduler, clock, store }: BundleRulesDeps,
): BundleRules {
  const polite = politely(fetcher, limits, clock)
  const robots = new RobotsCache({
    async fetch(url, signal) {
      const paid = await payFor(
        { sourceId: NOBODYS, patienceMs: MINUTE_MS, askingMs: DAY_MS },
        { scheduler, clock },
        signal,
      )
      return polite.fetch({ ...PLAIN, url, signal, onAdmitted: () => paid?.goesOut() })
    },
    userAgent: userAgentOf(config),
    clock,
  })
  return {
    families: COMPOSED_FAMILIES.filter(({ id }) => config.bundleFamilies.includes(id)),
    mayFetch: async (url, signal) => (await robots.ask(url, signal)) === 'allowed',
    async mayShow(cover, member) {
      const hidden = await readPrivateFeeds(store)
      const isHidden = (sourceId: SourceId) => isPrivateIn(hidden, { kind: 'source', sourceId })
      return !isHidden(cover) || isHidden(member)
    },
  }
}
