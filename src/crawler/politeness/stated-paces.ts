import { SECOND_MS } from '../../model/index.ts'
import type { Pace } from './host-limits.ts'

/**
 * What sites have published about how often programs may ask them. It counts for all requests to a site, whatever its host and
 * whether one source or several are asked for, by registrable domain.
 */
export const STATED_PACES: ReadonlyMap<string, Pace> = new Map([
  // "Terms of Use for arXiv APIs" (info.arxiv.org/help/api/tou), which name the feeds: one request in three seconds, one connection.
  ['arxiv.org', { spacingMs: 3 * SECOND_MS, concurrency: 1 }],
  // Announced for requests without OAuth from July 2023: ten a minute. Nothing is published about feeds.
  ['reddit.com', { spacingMs: 6 * SECOND_MS, concurrency: Number.POSITIVE_INFINITY }],
])

/** The paces of these sites where others have the usual one: never faster than that. */
export function pacesAsStated(usual: Pace): ReadonlyMap<string, Pace> {
  const slower = ({ spacingMs, concurrency }: Pace): Pace => ({
    spacingMs: Math.max(usual.spacingMs, spacingMs),
    concurrency: Math.min(usual.concurrency, concurrency),
  })
  return new Map([...STATED_PACES].map(([domain, pace]) => [domain, slower(pace)]))
}
