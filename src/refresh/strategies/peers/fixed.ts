import { type DurationMs, MINUTE_MS } from '../../../model/index.ts'
import type { CycleStrategy } from '../../strategy.ts'
import { intervalStrategy } from '../interval-policy.ts'

/** Peers that poll every feed at one interval, whatever it does. They differ only in its length, that is, not at all. */
function fixedInterval(id: string, intervalMs: DurationMs) {
  const memory = { intervalMs }
  return intervalStrategy<{ readonly intervalMs: DurationMs }>({
    id,
    start: () => memory,
    observe: (before) => before,
    usualMs: intervalMs,
    because: 'the same interval for every feed',
  })
}

/** Miniflux `round_robin`: 60 minutes. */
export const minifluxRoundRobin = fixedInterval('miniflux-round-robin', 60 * MINUTE_MS)

/** FreshRSS: TTL 3600 s; its floors (20 minutes global, 15 per feed) lie below and never bind. */
export const freshrss = fixedInterval('freshrss', 60 * MINUTE_MS)

/** tt-rss: 30 minutes. */
export const ttrss = fixedInterval('ttrss', 30 * MINUTE_MS)

const TTRSS_BATCH = 50

/** tt-rss's daemon: every 120 s up to 50 feeds whose 30 minutes are over, least recently updated first. */
export const ttrssCycle: CycleStrategy<unknown, { readonly batch: number }> = {
  id: 'ttrss',
  begin: () => ({ batch: TTRSS_BATCH }),
  withBudget: (state) => state,
  select(state, sources, now) {
    const due = sources
      .filter(({ facts }) => facts.lastRefreshAt === null || now - facts.lastRefreshAt >= 30 * MINUTE_MS)
      .toSorted((a, b) => (a.facts.lastRefreshAt ?? -1) - (b.facts.lastRefreshAt ?? -1) || a.facts.id - b.facts.id)
    return { state, refresh: due.slice(0, state.batch).map(({ facts }) => facts.id) }
  },
}
