import robotsParser from 'robots-parser'
import type { FetchOutcome } from '../crawler/fetch/fetcher.ts'
import { DAY_MS, type DurationMs, type InstantMs, MINUTE_MS } from '../model/index.ts'

/** The module is the function; its types take it for one of a module that has a default. */
const parseRobots = robotsParser as unknown as typeof robotsParser.default

/** What a robots.txt says of an address. */
export type RobotsAnswer = 'allowed' | 'disallowed' | 'unreachable'

/** The rules of one origin, for one user agent. */
export interface RobotsRules {
  readonly answer: (url: string) => RobotsAnswer
  readonly until: InstantMs
  /** What they take of memory, about. */
  readonly chars: number
}

/** RFC 9309 §2.5: this much of a file has to be read; the rest of a longer one is not. */
export const ROBOTS_BYTES = 500 * 1024
/** Nobody needs longer lines, nor so many rules with `*`, but such rules take time that grows with both. */
const LONGEST_LINE = 500
const MOST_WILDCARDS = 1_000
/** RFC 9309 §2.4. */
const LONGEST_MS: DurationMs = DAY_MS
/** A site that did not answer is asked again before long: meanwhile no page of it is fetched (§2.3.1.4). */
const UNREACHABLE_MS: DurationMs = 10 * MINUTE_MS

/** What an answer means (RFC 9309 §2.3.1): without a file everything is allowed, without an answer nothing. */
export function rulesOf(origin: string, fetched: FetchOutcome, userAgent: string, now: InstantMs): RobotsRules {
  if (fetched.kind === 'content') {
    const text = readableRules(fetched.body)
    const robots = parseRobots(`${origin}/robots.txt`, text)
    const answer = (url: string) => (robots.isAllowed(url, userAgent) === false ? 'disallowed' : 'allowed')
    return { answer, until: validUntil(fetched, now), chars: text.length }
  }
  const { status } = fetched
  const isAbsent = status !== null && status >= 400 && status < 500 && status !== 429
  if (isAbsent) return { answer: () => 'allowed', until: now + LONGEST_MS, chars: 0 }
  return { answer: () => 'unreachable', until: now + UNREACHABLE_MS, chars: 0 }
}

/** As long as its headers say, a day at most; a day where they say nothing. */
function validUntil({ hints }: Extract<FetchOutcome, { kind: 'content' }>, now: InstantMs): InstantMs {
  const until = hints.maxAgeMs === null ? hints.expiresAt : now + hints.maxAgeMs
  return Math.min(until ?? Number.POSITIVE_INFINITY, now + LONGEST_MS)
}

function readableRules(body: Uint8Array): string {
  const text = new TextDecoder().decode(body.subarray(0, ROBOTS_BYTES))
  const all = text.split(/\r\n|\r|\n/)
  // A rule that was cut would say something else.
  if (body.length >= ROBOTS_BYTES) all.pop()
  let wildcards = 0
  const lines = all.filter((line) => {
    if (line.length > LONGEST_LINE) return false
    if (line.includes('*') && !/^\s*user-agent/i.test(line)) wildcards++
    return wildcards <= MOST_WILDCARDS || !line.includes('*')
  })
  return lines.join('\n')
}
