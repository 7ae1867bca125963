import type { Fetcher } from '../../crawler/fetch/fetcher.ts'
import { hostKey } from '../../crawler/fetch/host-key.ts'
import { politely } from '../../crawler/politeness/polite-fetcher.ts'
import type { Politeness } from '../../crawler/politeness/politeness.ts'
import type { HostMemory } from '../../crawler/shard-work.ts'
import type { DurationMs } from '../../model/index.ts'
import type { RepeatedRun } from '../../runtime/repeat.ts'
import type { SteadyClock } from '../../runtime/steady-clock.ts'
import type { Store } from '../../store/store.ts'
import type { Config } from '../settings/config.ts'
import { fetcherFor } from './crawling.ts'
import { openPoliteness, slowHosts } from './politeness.ts'

/** How a process reaches other sites: one fetcher and one politeness for all its roles. */
export interface Web {
  readonly fetcher: Fetcher
  readonly limits: Politeness
  /** For requests that no schedule makes: each waits for its turn. */
  readonly polite: Fetcher
  /** How long the host of an address takes, where it is slow; null: it is not. */
  slowMs(url: string): Promise<DurationMs | null>
  /** Writes what was learnt; the crawler's, as it learns the most. */
  readonly save: RepeatedRun
  /** The same, when it has to be now. */
  readonly hostMemory: HostMemory
  close(): Promise<void>
}

/** `hasCrawler`: the crawler shares it; else what the crawler has learnt is read from the store, at most a minute late. */
export async function openWeb(
  config: Config,
  store: Store,
  clock: SteadyClock,
  { hasCrawler }: { readonly hasCrawler: boolean },
): Promise<Web> {
  const politeness = await openPoliteness(config, store, clock)
  const { limits } = politeness
  const fetcher = fetcherFor(config, clock, politeness.resolve)
  const patient = politely(fetcher, limits, clock)
  return {
    fetcher,
    limits,
    polite: {
      close: patient.close,
      async fetch(request) {
        if (!hasCrawler) await politeness.learn()
        return patient.fetch(request)
      },
    },
    async slowMs(url) {
      const host = hostKey(url)
      return hasCrawler ? limits.slowMs(host) : ((await slowHosts(store)).get(host) ?? null)
    },
    save: politeness.run,
    hostMemory: politeness,
    close: () => fetcher.close(),
  }
}
