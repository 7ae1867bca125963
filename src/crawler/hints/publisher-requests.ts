import { DAY_MS, type DurationMs, type FeedHints, type InstantMs } from '../../model/index.ts'
import { describeDuration } from '../../refresh/words.ts'
import type { HttpHints } from '../fetch/fetcher.ts'

/** What a publisher asks of those who poll, in the answer's header and in the document. */
export interface Hints {
  readonly http: HttpHints
  readonly feed: FeedHints | null
}

/** Not before then, and who says so. */
export interface PublisherRequest {
  readonly until: InstantMs
  readonly words: string
}

/**
 * No hint delays a refresh by more than this: max-age of a year is for pictures, and a forgotten ttl must not silence a
 * feed.
 */
export const LONGEST_DELAY_MS = DAY_MS

/** The wish that reaches farthest of those that say how long an answer is good for; null: none. */
export function longestWish(hints: Hints, refreshedAt: InstantMs): PublisherRequest | null {
  const wishes = wishesOf(hints, refreshedAt).filter(({ until }) => until > refreshedAt)
  const longest = wishes.reduce<PublisherRequest | null>((a, b) => (a === null || b.until > a.until ? b : a), null)
  return longest && { ...longest, until: Math.min(longest.until, refreshedAt + LONGEST_DELAY_MS) }
}

function wishesOf({ http, feed }: Hints, refreshedAt: InstantMs): PublisherRequest[] {
  const wishes: PublisherRequest[] = []
  const good = (ms: DurationMs, name: string) =>
    wishes.push({ until: refreshedAt + ms, words: `${name} ${describeDuration(ms)}` })
  if (http.maxAgeMs !== null) good(http.maxAgeMs, 'Cache-Control: max-age')
  if (http.expiresAt !== null) good(http.expiresAt - refreshedAt, 'Expires in')
  if (feed?.ttlMs != null) good(feed.ttlMs, 'ttl')
  if (feed?.updateIntervalMs != null) wishes.push(nextUpdate(feed.updateIntervalMs, feed.updateBaseAt, refreshedAt))
  return wishes
}

/** sy: updates come at the base and whole periods from it (RSS 1.0 syndication module); without one, a period from now. */
function nextUpdate(intervalMs: DurationMs, baseAt: InstantMs | null, refreshedAt: InstantMs): PublisherRequest {
  const words = `sy:updatePeriod every ${describeDuration(intervalMs)}`
  if (baseAt === null) return { until: refreshedAt + intervalMs, words }
  const periods = Math.floor((refreshedAt - baseAt) / intervalMs) + 1
  return { until: baseAt + periods * intervalMs, words }
}
