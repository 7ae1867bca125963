import { escapeXml, rssDate } from '../../lab/worlds/formats/document.ts'
import { keyedRandom, pick } from '../../lab/worlds/keyed-random.ts'
import type { DurationMs, InstantMs } from '../../src/model/index.ts'

/** What the sites of the bench publish, and how long they take to answer: all of it follows from these numbers. */
export interface SitesPlan {
  readonly seed: number
  readonly feeds: number
  readonly feedsPerHost: number
  /** When the first items come. */
  readonly startsAt: InstantMs
  /** From one item of a feed to its next. */
  readonly everyMs: DurationMs
  readonly latencyMs: DurationMs
}

/** Few, so that every query finds something. */
export const WORDS = 'ash bridge cloud delta ember fjord glacier harbour island jungle kelp lava'.split(' ')

const PHASE = 1
const TITLE = 2
const LATENCY = 3

/** How many items a feed has published; they are numbered from 0. Its window holds them all: nothing is lost by waiting. */
export function countShown({ seed, startsAt, everyMs }: SitesPlan, feed: number, at: InstantMs): number {
  const phaseMs = keyedRandom(seed, feed, PHASE)() * everyMs
  return Math.max(0, Math.floor((at - startsAt - phaseMs) / everyMs) + 1)
}

export function shownId(feed: number, number: number): string {
  return `urn:cluster:${feed}:${number}`
}

/** RSS 2.0, newest first. */
export function documentOf(plan: SitesPlan, feed: number, count: number): string {
  let xml = `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>Feed ${feed}</title>\n`
  for (let number = count - 1; number >= 0; number--) {
    const title = escapeXml(titleOf(plan, feed, number))
    const date = rssDate(plan.startsAt + number * plan.everyMs)
    xml += `<item><title>${title}</title><guid isPermaLink="false">${shownId(feed, number)}</guid><pubDate>${date}</pubDate></item>\n`
  }
  return `${xml}</channel></rss>\n`
}

function titleOf({ seed }: SitesPlan, feed: number, number: number): string {
  const random = keyedRandom(seed, feed, number, TITLE)
  return [0, 1, 2].map(() => pick(WORDS, random)).join(' ')
}

/** From half to one and a half of the usual time, another one at each request. */
export function answerDelay({ seed, latencyMs }: SitesPlan, feed: number, request: number): DurationMs {
  return latencyMs * (0.5 + keyedRandom(seed, feed, request, LATENCY)())
}
